// Dense dataflow: the solver.
//
// One worklist of places where states are kept. A place whose state has changed is left in the direction of the analysis: op
// by op to the end of its block, or to the next op that control enters; that op's own place goes on from there.
#include "analysis/dense.h"

#include "analysis/flow.h"
#include "analysis/known_calls.h"

// The border of a block at which the analysis comes in, or the side of an op with regions, or of a call, at which it comes out.
typedef struct Place {
  CakeBlock *block;
  CakeOp *op; // NULL: the block's border
  bool is_reached, is_waiting;
  uint64_t state[];
} Place;

struct CakeDense {
  const CakeDenseDef *def;
  void *user;
  CakeOp *root;
  CakeArena *arena;
  size_t size, words;        // of a state
  CakeMap places;            // block or op → Place
  CAKE_VEC(Place *) waiting; // taken in the order in which they came
  size_t next;               // of them
  CakeKnownCalls calls;
  CakeBlockVec blocks;     // that control leads to, of the op that is looked at
  uint64_t *state, *other; // the current one, and one that comes from outside
};

// ---- Places --------------------------------------------------------------------------------------------------------

static Place *find_place(const CakeDense *dense, const void *key) {
  uintptr_t found;
  return cake_map_get(&dense->places, key, &found) ? (Place *)found : NULL;
}

static void copy(const CakeDense *dense, uint64_t *to, const uint64_t *from) {
  memcpy(to, from, dense->words * sizeof *to);
}

static void reach(CakeDense *dense, CakeBlock *block, CakeOp *op, const uint64_t *state) {
  const void *key = op ? (const void *)op : (const void *)block;
  Place *place = find_place(dense, key);
  if (!place) {
    place = cake_arena_alloc(dense->arena, sizeof *place + dense->words * sizeof *place->state);
    place->block = block;
    place->op = op;
    cake_map_set(&dense->places, key, (uintptr_t)place);
  }
  if (!place->is_reached)
    copy(dense, place->state, state);
  else if (!dense->def->join(dense->user, place->state, state))
    return;
  place->is_reached = true;
  if (!place->is_waiting) CAKE_PUSH(&dense->waiting, place);
  place->is_waiting = true;
}

static void reach_op(CakeDense *dense, CakeOp *op, const uint64_t *state) {
  reach(dense, op->block, op, state);
}

static void reach_blocks(CakeDense *dense, const uint64_t *state) {
  for (size_t i = 0; i < dense->blocks.len; i++)
    reach(dense, dense->blocks.data[i], NULL, state);
  dense->blocks.len = 0;
}

// The borders at which the analysis comes into the regions of an op. True: it may pass by.
static bool find_borders(CakeDense *dense, const CakeOp *op) {
  return dense->def->is_backward ? cake_flow_exits(op, &dense->blocks) : cake_flow_entries(op, &dense->blocks);
}

// The regions of `around` may be entered (left) with anything.
static void open_regions(CakeDense *dense, CakeOp *around) {
  if (dense->def->is_backward)
    cake_flow_ends(around, &dense->blocks);
  else
    for (uint32_t i = 0; i < around->n_regions; i++)
      if (cake_op_region(around, i)->first) CAKE_PUSH(&dense->blocks, cake_op_region(around, i)->first);
  memset(dense->other, 0, dense->words * sizeof *dense->other);
  dense->def->boundary(dense->user, around, dense->other);
  reach_blocks(dense, dense->other);
}

// ---- Ops -----------------------------------------------------------------------------------------------------------

static bool is_opaque(const CakeOp *op) {
  return cake_flow_kind(op) == CAKE_FLOW_NONE;
}

static void enter_callee(CakeDense *dense, const CakeKnownCallable *callee, const uint64_t *state) {
  if (dense->def->is_backward)
    cake_flow_ends(callee->op, &dense->blocks);
  else
    CAKE_PUSH(&dense->blocks, cake_op_region(callee->op, 0)->first);
  reach_blocks(dense, state);
}

static void enter_regions(CakeDense *dense, CakeOp *op, const uint64_t *state) {
  bool may_pass = find_borders(dense, op);
  reach_blocks(dense, state);
  if (may_pass) reach_op(dense, op, state);
}

// What the analysis meets on its way over an op.
typedef enum Crossing {
  CROSSING_PLAIN,    // it goes on behind
  CROSSING_CALLABLE, // a body that does not run here
  CROSSING_CALL,     // of a known callable
  CROSSING_REGIONS,
} Crossing;

static Crossing crossing_of(CakeDense *dense, CakeOp *op) {
  if (cake_op_has_trait(op, CAKE_TRAIT_CALLABLE)) return CROSSING_CALLABLE;
  if (cake_known_callee(&dense->calls, op)) return CROSSING_CALL;
  return op->n_regions && !is_opaque(op) ? CROSSING_REGIONS : CROSSING_PLAIN;
}

// Goes over an op. False: the analysis goes on from the op's own place, when it is reached.
static bool cross(CakeDense *dense, CakeOp *op, uint64_t *state) {
  const CakeDenseDef *def = dense->def;
  switch (crossing_of(dense, op)) {
  case CROSSING_CALLABLE:
    if (!cake_known_callable(&dense->calls, op)) open_regions(dense, op);
    return true;
  case CROSSING_CALL: enter_callee(dense, cake_known_callee(&dense->calls, op), state); return false;
  case CROSSING_REGIONS:
    if (!def->is_backward) def->transfer(dense->user, op, state);
    enter_regions(dense, op, state);
    return false;
  case CROSSING_PLAIN: break;
  }
  if (op->n_regions) open_regions(dense, op);
  def->transfer(dense->user, op, state);
  return true;
}

// Goes on from the place of an op: backwards, what it does by itself comes last.
static void come_out(const CakeDense *dense, CakeOp *op, uint64_t *state) {
  if (dense->def->is_backward && op->n_regions) dense->def->transfer(dense->user, op, state);
}

// ---- Ends of blocks ------------------------------------------------------------------------------------------------

// Out of the regions of an op; `end`: forwards, the op that leads there.
static void leave_regions(CakeDense *dense, CakeOp *around, const CakeOp *end, const uint64_t *state) {
  if (around == dense->root) return;
  if (!cake_op_has_trait(around, CAKE_TRAIT_CALLABLE)) {
    if (!is_opaque(around)) reach_op(dense, around, state);
    return;
  }
  const CakeKnownCallable *callable = cake_known_callable(&dense->calls, around);
  if (!dense->def->is_backward && (!end || !cake_op_has_trait(end, CAKE_TRAIT_RETURN))) return;
  for (size_t i = 0; callable && i < callable->n_calls; i++)
    reach_op(dense, cake_known_call(&dense->calls, callable, i), state);
}

// How many of the edges that lead away from a block are branches. The others go through regions of an op of which nothing is
// known, and what comes along them is reckoned with already.
static size_t count_branches(const CakeDense *dense, const CakeBlock *block) {
  size_t count = 0;
  if (!dense->def->is_backward) return block->last ? block->last->n_successors : 0;
  for (const CakeSuccessor *use = block->first_use; use; use = use->next)
    count += use->owner->block != NULL;
  return count;
}

static void leave_block(CakeDense *dense, CakeBlock *block, const uint64_t *state) {
  CakeOp *around = block->region->parent;
  bool is_out = dense->def->is_backward ? cake_flow_predecessors(block, &dense->blocks)
                                        : cake_flow_successors(block, &dense->blocks);
  if (is_out && is_opaque(around)) dense->blocks.len = count_branches(dense, block);
  reach_blocks(dense, state);
  if (is_out) leave_regions(dense, around, block->last, state);
}

// ---- Solving -------------------------------------------------------------------------------------------------------

static CakeOp *next_of(const CakeDense *dense, const CakeOp *op) {
  return dense->def->is_backward ? op->prev : op->next;
}

static CakeOp *first_of(const CakeDense *dense, const CakeBlock *block) {
  return dense->def->is_backward ? block->last : block->first;
}

static void go_on(CakeDense *dense, const Place *place) {
  copy(dense, dense->state, place->state);
  if (place->op) come_out(dense, place->op, dense->state);
  CakeOp *op = place->op ? next_of(dense, place->op) : first_of(dense, place->block);
  for (; op; op = next_of(dense, op))
    if (!cross(dense, op, dense->state)) return;
  leave_block(dense, place->block, dense->state);
}

// What was taken makes room before the list grows beyond what waits.
static Place *take(CakeDense *dense) {
  Place *place = dense->waiting.data[dense->next++];
  place->is_waiting = false;
  if (2 * dense->next < dense->waiting.len) return place;
  dense->waiting.len -= dense->next;
  memmove(dense->waiting.data, dense->waiting.data + dense->next, dense->waiting.len * sizeof(Place *));
  dense->next = 0;
  return place;
}

CakeDense *cake_dense_create(const CakeDenseDef *def, size_t size, void *user, CakeOp *root) {
  CakeArena *arena = cake_arena_create();
  CakeDense *dense = CAKE_ARENA_NEW(arena, CakeDense);
  *dense = (CakeDense){.def = def, .user = user, .root = root, .arena = arena};
  dense->size = size;
  dense->words = (size + sizeof(uint64_t) - 1) / sizeof(uint64_t);
  dense->state = CAKE_ARENA_ARRAY(arena, uint64_t, dense->words);
  dense->other = CAKE_ARENA_ARRAY(arena, uint64_t, dense->words);
  cake_known_calls_init(&dense->calls, root);
  open_regions(dense, root);
  while (dense->waiting.len)
    go_on(dense, take(dense));
  return dense;
}

void cake_dense_destroy(CakeDense *dense) {
  if (!dense) return;
  cake_map_fini(&dense->places);
  cake_known_calls_fini(&dense->calls);
  CAKE_VEC_FINI(&dense->waiting);
  CAKE_VEC_FINI(&dense->blocks);
  cake_arena_destroy(dense->arena);
}

// ---- Asking --------------------------------------------------------------------------------------------------------

// Goes over an op when all is solved; false: nothing leads to its other side.
static bool replay(CakeDense *dense, CakeOp *op, uint64_t *state) {
  const Place *place = find_place(dense, op);
  switch (crossing_of(dense, op)) {
  case CROSSING_CALLABLE: return true;
  case CROSSING_CALL:
  case CROSSING_REGIONS:
    if (!place) return false;
    copy(dense, state, place->state);
    come_out(dense, op, state);
    return true;
  case CROSSING_PLAIN: break;
  }
  dense->def->transfer(dense->user, op, state);
  return true;
}

void cake_dense_visit(CakeDense *dense, CakeBlock *block, void (*fn)(void *user, CakeOp *op, const void *state)) {
  const Place *place = find_place(dense, block);
  if (!place) return;
  copy(dense, dense->state, place->state);
  for (CakeOp *op = first_of(dense, block); op; op = next_of(dense, op)) {
    fn(dense->user, op, dense->state);
    if (!replay(dense, op, dense->state)) return;
  }
}

// At the side of an op at which the analysis comes in, or at the other one.
static bool find_state(CakeDense *dense, CakeOp *wanted, bool is_across, void *out) {
  const Place *place = find_place(dense, wanted->block);
  if (!place) return false;
  copy(dense, dense->state, place->state);
  CakeOp *op = first_of(dense, wanted->block);
  for (; op != wanted; op = next_of(dense, op))
    if (!replay(dense, op, dense->state)) return false;
  if (is_across && !replay(dense, wanted, dense->state)) return false;
  memcpy(out, dense->state, dense->size);
  return true;
}

bool cake_dense_before(CakeDense *dense, CakeOp *op, void *out) {
  return find_state(dense, op, dense->def->is_backward, out);
}

bool cake_dense_after(CakeDense *dense, CakeOp *op, void *out) {
  return find_state(dense, op, !dense->def->is_backward, out);
}

void cake_dense_effects(CakeOp *op, CakeEffectVec *out) {
  bool has_all = op->n_regions && is_opaque(op) && !cake_op_has_trait(op, CAKE_TRAIT_CALLABLE);
  (has_all ? cake_effects_of : cake_effects_of_op)(op, out);
}
