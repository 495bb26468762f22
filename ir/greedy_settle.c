// What greedy rewriting leaves alone: ops that depend on themselves, and blocks that cannot be reached, where they do not go.
#include "greedy.h"

void cake_greedy_settle_blocks(CakePassContext *pass, CakeRegion *region, bool keeps, CakeLeftAlone *alone) {
  if (region->first == region->last) return;
  if (!keeps) {
    int64_t count = cake_region_erase_unreachable(&pass->rewriter, region);
    if (count) cake_pass_count(pass, "unreachable blocks erased", count);
    return;
  }
  CakeBlockVec found = {0};
  cake_region_find_unreachable(region, &found);
  for (size_t i = 0; i < found.len; i++)
    cake_map_set(&alone->unreachable, found.data[i], 1);
  CAKE_VEC_FINI(&found);
}

void cake_greedy_settle(CakePassContext *pass, CakeOp *op, bool keeps, CakeLeftAlone *alone) {
  bool is_graph = cake_op_has_graph_regions(op);
  for (uint32_t i = 0; i < op->n_regions; i++) {
    cake_greedy_settle_blocks(pass, cake_op_region(op, i), keeps, alone);
    for (CakeBlock *block = cake_op_region(op, i)->first; is_graph && block; block = block->next)
      cake_block_find_cyclic(block, &alone->cyclic);
  }
}

bool cake_greedy_leaves_alone(const CakeLeftAlone *alone, const CakeOp *op, const CakeOp *root) {
  uintptr_t found;
  if (alone->cyclic.len && cake_map_get(&alone->cyclic, op, &found)) return true;
  for (; alone->unreachable.len && op && op != root; op = cake_op_parent(op))
    if (op->block && cake_map_get(&alone->unreachable, op->block, &found)) return true;
  return false;
}
