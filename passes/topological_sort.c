// topological-sort: in graph regions, what an op uses comes to stand in front of it.
//
// The order is that of rounds: each goes through the ops that are left, in their order, and takes those all of whose operands
// have been taken. An op is then taken one round later than an operand behind it, and in the round of one in front of it:
// so rounds follow from the operands alone, and nothing is gone through twice. Where all that is left uses one another, the
// first op goes as it is.
#include "passes/passes.h"

#include <stdlib.h>

typedef struct Entry {
  CakeOp *op;
  uint32_t round, position;
  uint32_t waits; // uses of ops that were not taken
  bool is_taken;
} Entry;

typedef struct Sort {
  CAKE_VEC(Entry) entries; // of the block, in its order
  CakeMap index;           // op → number + 1
  CAKE_VEC(uint32_t) ready;
  uint32_t last_round;
} Sort;

// The op of the block that the use is in; NULL: it is not among those that are sorted.
static Entry *entry_of(Sort *sort, const CakeBlock *block, const CakeOp *op) {
  while (op && op->block != block)
    op = cake_op_parent(op);
  uintptr_t number;
  return op && cake_map_get(&sort->index, op, &number) ? &sort->entries.data[number - 1] : NULL;
}

static void collect(Sort *sort, CakeBlock *block) {
  const CakeOp *end = cake_block_terminator(block);
  for (CakeOp *op = block->first; op && op != end; op = op->next) {
    uint32_t position = (uint32_t)sort->entries.len;
    CAKE_PUSH(&sort->entries, ((Entry){.op = op, .position = position}));
    cake_map_set(&sort->index, op, sort->entries.len);
  }
  for (size_t i = 0; i < sort->entries.len; i++) {
    const CakeOp *op = sort->entries.data[i].op;
    for (uint32_t r = 0; r < op->n_results; r++) {
      for (const CakeUse *use = op->results[r].first_use; use; use = use->next) {
        Entry *user = entry_of(sort, block, use->owner);
        if (user && user->op != op) user->waits++;
      }
    }
  }
}

static void take(Sort *sort, CakeBlock *block, Entry *entry) {
  entry->is_taken = true;
  if (entry->round > sort->last_round) sort->last_round = entry->round;
  for (uint32_t r = 0; r < entry->op->n_results; r++) {
    for (const CakeUse *use = entry->op->results[r].first_use; use; use = use->next) {
      Entry *user = entry_of(sort, block, use->owner);
      if (!user || user == entry || user->is_taken) continue;
      uint32_t round = entry->round + (user->position < entry->position);
      if (round > user->round) user->round = round;
      if (!--user->waits) CAKE_PUSH(&sort->ready, user->position);
    }
  }
}

static void take_all(Sort *sort, CakeBlock *block) {
  for (size_t i = 0; i < sort->entries.len; i++)
    if (!sort->entries.data[i].waits) CAKE_PUSH(&sort->ready, (uint32_t)i);
  for (size_t first = 0; first < sort->entries.len; first++) {
    while (sort->ready.len)
      take(sort, block, &sort->entries.data[sort->ready.data[--sort->ready.len]]);
    Entry *entry = &sort->entries.data[first];
    if (entry->is_taken) continue;
    entry->round = ++sort->last_round; // all that is left uses one another
    take(sort, block, entry);
  }
}

static int compare(const void *a, const void *b) {
  const Entry *x = a, *y = b;
  if (x->round != y->round) return x->round < y->round ? -1 : 1;
  return (x->position > y->position) - (x->position < y->position);
}

static void sort_block(CakePassContext *pass, CakeBlock *block) {
  Sort sort = {0};
  collect(&sort, block);
  take_all(&sort, block);
  if (sort.entries.len) qsort(sort.entries.data, sort.entries.len, sizeof *sort.entries.data, compare);
  CakeOp *at = block->first;
  for (size_t i = 0; i < sort.entries.len; i++) {
    CakeOp *op = sort.entries.data[i].op;
    if (op == at) {
      at = at->next;
      continue;
    }
    cake_rewriter_move_before(&pass->rewriter, op, at);
    cake_pass_count(pass, "ops moved", 1);
  }
  CAKE_VEC_FINI(&sort.entries);
  CAKE_VEC_FINI(&sort.ready);
  cake_map_fini(&sort.index);
}

CakePassResult cake_pass_topological_sort(CakePassContext *pass, CakeOp *root) {
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
    for (uint32_t i = 0; cake_op_has_trait(op, CAKE_TRAIT_GRAPH) && i < op->n_regions; i++)
      for (CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next)
        sort_block(pass, block);
  return pass->rewriter.changes ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
