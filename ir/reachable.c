// Blocks that no path from the entry of their region reaches: found, and erased.
#include "core.h"

// Marks the blocks that can be reached from the entry with the walk's number, which it returns.
static uint32_t reach(const CakeRegion *region) {
  uint32_t visit = cake_context_next_visit(region->parent->context);
  CakeBlockVec stack = {0};
  CAKE_PUSH(&stack, region->first);
  cake_block_see(region->first, visit);
  while (stack.len) {
    const CakeOp *last = stack.data[--stack.len]->last;
    for (uint32_t i = 0; last && i < last->n_successors; i++) {
      CakeBlock *next = cake_op_successor(last, i);
      if (!next || cake_block_is_seen(next, visit)) continue;
      cake_block_see(next, visit);
      CAKE_PUSH(&stack, next);
    }
  }
  CAKE_VEC_FINI(&stack);
  return visit;
}

void cake_region_find_unreachable(const CakeRegion *region, CakeBlockVec *out) {
  if (region->first == region->last) return;
  uint32_t visit = reach(region);
  for (CakeBlock *block = region->first; block; block = block->next)
    if (!cake_block_is_seen(block, visit)) CAKE_PUSH(out, block);
}

// The blocks outside of `dead` that one of them leads to, each once.
static void find_targets(CakeContext *context, const CakeBlockVec *dead, CakeBlockVec *out) {
  uint32_t visit = cake_context_next_visit(context);
  for (size_t i = 0; i < dead->len; i++)
    cake_block_see(dead->data[i], visit);
  for (size_t i = 0; i < dead->len; i++) {
    const CakeOp *last = dead->data[i]->last;
    for (uint32_t k = 0; last && k < last->n_successors; k++) {
      CakeBlock *target = cake_op_successor(last, k);
      if (!target || cake_block_is_seen(target, visit)) continue;
      cake_block_see(target, visit);
      CAKE_PUSH(out, target);
    }
  }
}

int64_t cake_region_erase_unreachable(CakeRewriter *rewriter, CakeRegion *region) {
  CakeBlockVec dead = {0}, targets = {0};
  cake_region_find_unreachable(region, &dead);
  if (!dead.len) return 0;
  find_targets(rewriter->context, &dead, &targets);
  // They may use one another in any order: all is told while all stands, then all lets go, then all is erased.
  for (size_t i = 0; i < dead.len; i++)
    cake_rewriter_tell_erased(rewriter, dead.data[i]);
  for (size_t i = 0; i < dead.len; i++)
    for (CakeOp *op = dead.data[i]->first; op; op = op->next)
      cake_op_drop_references(op);
  for (size_t i = 0; i < dead.len; i++)
    cake_rewriter_drop_block(rewriter, dead.data[i]);
  for (size_t i = 0; i < targets.len; i++)
    cake_rewriter_tell_only_way(rewriter, targets.data[i], NULL);
  int64_t count = (int64_t)dead.len;
  CAKE_VEC_FINI(&dead);
  CAKE_VEC_FINI(&targets);
  return count;
}
