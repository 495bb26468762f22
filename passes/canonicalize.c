// canonicalize: greedy rewriting to a fixed point, and removal of blocks that cannot be reached.
#include "passes/canonicalize.h"

typedef CAKE_VEC(CakeBlock *) BlockVec;

// Marks the blocks that can be reached from the entry of a region.
static void reach(const CakeRegion *region, CakeMap *reached) {
  BlockVec stack = {0};
  CAKE_PUSH(&stack, region->first);
  cake_map_set(reached, region->first, 1);
  while (stack.len) {
    CakeBlock *block = stack.data[--stack.len];
    CakeOp *last = block->last;
    for (uint32_t i = 0; last && i < last->n_successors; i++) {
      CakeBlock *next = cake_op_successor(last, i);
      uintptr_t seen;
      if (!next || cake_map_get(reached, next, &seen)) continue;
      cake_map_set(reached, next, 1);
      CAKE_PUSH(&stack, next);
    }
  }
  CAKE_VEC_FINI(&stack);
}

// Lets go of everything that the ops of a block use, so that blocks that use one another can be erased in any order.
static void drop_uses(CakeBlock *block) {
  for (CakeOp *top = block->first; top; top = top->next) {
    for (CakeOp *op = top; op; op = cake_op_walk_next(top, op, false)) {
      for (uint32_t i = 0; i < op->n_operands; i++)
        cake_use_set(&op->operands[i], NULL);
      for (uint32_t i = 0; i < op->n_successors; i++)
        cake_successor_set(cake_op_successor_at(op, i), NULL);
    }
  }
}

static int64_t simplify_region(CakeRewriter *rewriter, CakeRegion *region) {
  if (!region->first || region->first == region->last) return 0;
  CakeMap reached = {0};
  BlockVec dead = {0};
  uintptr_t seen;
  reach(region, &reached);
  for (CakeBlock *block = region->first; block; block = block->next)
    if (!cake_map_get(&reached, block, &seen)) CAKE_PUSH(&dead, block);
  for (size_t i = 0; i < dead.len; i++)
    drop_uses(dead.data[i]);
  for (size_t i = 0; i < dead.len; i++)
    cake_rewriter_erase_block(rewriter, dead.data[i]);
  int64_t count = (int64_t)dead.len;
  CAKE_VEC_FINI(&dead);
  cake_map_fini(&reached);
  return count;
}

// Erases the blocks under `root` that cannot be reached; how many.
static int64_t simplify(CakePassContext *pass, CakeOp *root) {
  int64_t count = 0;
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
    for (uint32_t i = 0; i < op->n_regions; i++)
      count += simplify_region(&pass->rewriter, cake_op_region(op, i));
  if (count) cake_pass_count(pass, "unreachable blocks erased", count);
  return count;
}

bool cake_canonicalize(CakePassContext *pass, CakeOp *root, int64_t max_iterations, bool simplify_regions) {
  if (simplify_regions) simplify(pass, root);
  do {
    if (!cake_greedy_rewrite(pass, root, max_iterations, NULL)) return false;
  } while (simplify_regions && simplify(pass, root)); // every round erases a block: it ends
  return true;
}

CakePassResult cake_pass_canonicalize(CakePassContext *pass, CakeOp *op) {
  uint64_t before = pass->rewriter.changes;
  if (!cake_canonicalize(pass, op, cake_pass_option_int(pass->pass, "max-iterations"),
                         cake_pass_option_bool(pass->pass, "region-simplify")))
    return CAKE_PASS_FAILED;
  return pass->rewriter.changes != before ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
