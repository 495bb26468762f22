// Blocks that no path from the entry of their region reaches: found, and erased.
#include "core.h"

static bool is_known(const CakeMap *map, const CakeBlock *block) {
  uintptr_t found;
  return cake_map_get(map, block, &found);
}

// Marks what can be reached from the entry.
static void reach(const CakeRegion *region, CakeMap *reached) {
  CakeBlockVec stack = {0};
  CAKE_PUSH(&stack, region->first);
  cake_map_set(reached, region->first, 1);
  while (stack.len) {
    const CakeOp *last = stack.data[--stack.len]->last;
    for (uint32_t i = 0; last && i < last->n_successors; i++) {
      CakeBlock *next = cake_op_successor(last, i);
      if (!next || is_known(reached, next)) continue;
      cake_map_set(reached, next, 1);
      CAKE_PUSH(&stack, next);
    }
  }
  CAKE_VEC_FINI(&stack);
}

void cake_region_find_unreachable(const CakeRegion *region, CakeBlockVec *out) {
  if (region->first == region->last) return;
  CakeMap reached = {0};
  reach(region, &reached);
  for (CakeBlock *block = region->first; block; block = block->next)
    if (!is_known(&reached, block)) CAKE_PUSH(out, block);
  cake_map_fini(&reached);
}

// The blocks outside of `dead` that one of them leads to, each once.
static void find_targets(const CakeBlockVec *dead, CakeBlockVec *out) {
  CakeMap seen = {0};
  for (size_t i = 0; i < dead->len; i++)
    cake_map_set(&seen, dead->data[i], 1);
  for (size_t i = 0; i < dead->len; i++) {
    const CakeOp *last = dead->data[i]->last;
    for (uint32_t k = 0; last && k < last->n_successors; k++) {
      CakeBlock *target = cake_op_successor(last, k);
      if (!target || is_known(&seen, target)) continue;
      cake_map_set(&seen, target, 1);
      CAKE_PUSH(out, target);
    }
  }
  cake_map_fini(&seen);
}

int64_t cake_region_erase_unreachable(CakeRewriter *rewriter, CakeRegion *region) {
  CakeBlockVec dead = {0}, targets = {0};
  cake_region_find_unreachable(region, &dead);
  find_targets(&dead, &targets);
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
