// The last check of a translation: on every path through the PTX the synchronising instructions come in an order in which they come on some path
// through the IR. LLVM may move, duplicate or drop what it takes for redundant; what is convergent it may not, and this says whether it did.
//
// Each program is an automaton over instructions; that all words of the PTX are words of the IR is decided by following both at once, with the set of
// places at which the IR may be.
#include "targets/nvptx/sync.h"

#include "analysis/targets.h"
#include "cake/nvptx.h"
#include "cake/symbol.h"

#include <string.h>

enum { MAX_PAIRS = 20000, WORD = 64 };

// Where the PTX is, and where the IR may be: behind the same instructions.
typedef struct Pair {
  uint32_t at;
  uint64_t *places; // letters to come, and the end
  uint32_t from;    // pair
} Pair;

typedef struct Comparison {
  const CakeSyncGraph *ptx, *ir;
  CakeArena *arena;
  size_t n_words;
  CAKE_VEC(Pair) pairs;
  CAKE_VEC(uint32_t) stack;
} Comparison;

static bool has(const uint64_t *set, uint32_t node) {
  return set[node / WORD] >> node % WORD & 1;
}

// Adds what comes next behind a node: letters and the end. `seen` has all nodes on the way.
static void add_next(Comparison *c, const CakeSyncGraph *graph, uint32_t node, uint64_t *seen) {
  c->stack.len = 0;
  CAKE_PUSH(&c->stack, node);
  while (c->stack.len) {
    const CakeSyncNode *from = &graph->nodes.data[c->stack.data[--c->stack.len]];
    for (size_t i = 0; i < from->next.len; i++) {
      uint32_t to = from->next.data[i];
      if (has(seen, to)) continue;
      seen[to / WORD] |= UINT64_C(1) << to % WORD;
      if (graph->nodes.data[to].letter < 0 && to != CAKE_SYNC_END) CAKE_PUSH(&c->stack, to);
    }
  }
}

static uint64_t *new_set(Comparison *c, const CakeSyncGraph *graph) {
  return CAKE_ARENA_ARRAY(c->arena, uint64_t, graph->nodes.len / WORD + 1);
}

static bool is_known(const Comparison *c, uint32_t at, const uint64_t *places) {
  for (size_t i = 0; i < c->pairs.len; i++)
    if (c->pairs.data[i].at == at && memcmp(c->pairs.data[i].places, places, c->n_words * sizeof *places) == 0)
      return true;
  return false;
}

// Where the IR may be behind a letter; false: nowhere.
static bool step(Comparison *c, const uint64_t *places, int32_t letter, uint64_t *out) {
  bool found = false;
  for (uint32_t node = 0; node < c->ir->nodes.len; node++) {
    if (!has(places, node) || node == CAKE_SYNC_END || c->ir->nodes.data[node].letter != letter) continue;
    found = true;
    add_next(c, c->ir, node, out);
  }
  return found;
}

// ---- What differs ------------------------------------------------------------------------------------------------------------

static void write_expected(const Comparison *c, const uint64_t *places, CakeBuf *out) {
  uint64_t named = 0;
  for (uint32_t node = 0; node < c->ir->nodes.len; node++) {
    int32_t letter = c->ir->nodes.data[node].letter;
    if (!has(places, node) || (letter < 0 && node != CAKE_SYNC_END) || named >> (letter + 1) & 1) continue;
    cake_buf_printf(out, "%s%s", named ? " or " : "", cake_sync_letter_name(letter));
    named |= UINT64_C(1) << (letter + 1);
  }
}

// The last few instructions before.
static void write_path(const Comparison *c, uint32_t pair, CakeBuf *out) {
  int32_t letters[6];
  size_t count = 0;
  for (; pair && count < CAKE_COUNT(letters); pair = c->pairs.data[pair].from)
    letters[count++] = c->ptx->nodes.data[c->pairs.data[pair].at].letter;
  for (; count; count--)
    cake_buf_printf(out, "%s, ", cake_sync_letter_name(letters[count - 1]));
}

static bool report(const Comparison *c, CakeOp *func, uint32_t pair, int32_t letter) {
  CakeBuf expected = {0}, path = {0};
  const uint64_t *places = c->pairs.data[pair].places;
  write_expected(c, places, &expected);
  write_path(c, pair, &path);
  CakeDiagnostic *d = cake_error_begin(func, CAKE_CODE_PTX_SYNC,
                                       "has PTX that synchronises otherwise: behind %s%s comes %s, where the IR has %s",
                                       path.len ? path.data : "", path.len ? "in this order," : "the start",
                                       cake_sync_letter_name(letter), expected.data);
  for (uint32_t node = 0; node < c->ir->nodes.len; node++)
    if (has(places, node) && c->ir->nodes.data[node].op)
      cake_diag_note(func->context, d, c->ir->nodes.data[node].op->loc, "this one may come there");
  cake_buf_fini(&expected);
  cake_buf_fini(&path);
  return cake_diag_emit(func->context, d);
}

// ---- Following both ----------------------------------------------------------------------------------------------------------

static bool follow(Comparison *c, CakeOp *func) {
  uint64_t *start = new_set(c, c->ir);
  add_next(c, c->ir, CAKE_SYNC_START, start);
  CAKE_PUSH(&c->pairs, ((Pair){CAKE_SYNC_START, start, 0}));
  for (uint32_t i = 0; i < c->pairs.len && c->pairs.len < MAX_PAIRS; i++) {
    uint64_t *next = new_set(c, c->ptx);
    add_next(c, c->ptx, c->pairs.data[i].at, next);
    for (uint32_t to = 0; to < c->ptx->nodes.len; to++) {
      int32_t letter = c->ptx->nodes.data[to].letter;
      if (!has(next, to) || (letter < 0 && to != CAKE_SYNC_END)) continue;
      if (to == CAKE_SYNC_END) {
        if (!has(c->pairs.data[i].places, CAKE_SYNC_END)) return report(c, func, i, -1);
        continue;
      }
      uint64_t *places = new_set(c, c->ir);
      if (!step(c, c->pairs.data[i].places, letter, places)) return report(c, func, i, letter);
      if (!is_known(c, to, places)) CAKE_PUSH(&c->pairs, ((Pair){to, places, i}));
    }
  }
  return true;
}

bool cake_nvptx_check_sync(CakeOp *func, CakeStr target, CakeStr ptx) {
  CakeSyncGraph ir = cake_sync_of_func(func, cake_target_has(cake_target_find(target), CAKE_FEATURE_BULK)),
                text = cake_sync_of_ptx(ptx, cake_id_str(cake_symbol_name(func)));
  Comparison c = {.ptx = &text, .ir = &ir, .arena = cake_arena_create(), .n_words = ir.nodes.len / WORD + 1};
  bool ok = !ir.is_known || !text.is_known || follow(&c, func);
  CAKE_VEC_FINI(&c.pairs);
  CAKE_VEC_FINI(&c.stack);
  cake_arena_destroy(c.arena);
  cake_sync_fini(&ir);
  cake_sync_fini(&text);
  return ok;
}
