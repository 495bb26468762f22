// Whether what an after moves and uses is there when what matched has gone: what rewrite_shape.c cannot see in the rewrite itself.
#include "rewrite.h"

// Whether what stands in that block is there in front of the root, too.
static bool is_in_sight(const RewriteMatch *match, const CakeBlock *block) {
  const CakeOp *around = cake_block_parent(block), *root = match->ops[match->rewrite->n_ops - 1];
  return around && around != root && cake_op_is_ancestor(around, root);
}

// Ops stand in the block in which they are written: those outside of all regions outside of the root's, too.
static bool check_places(const RewriteMatch *match) {
  for (uint32_t i = 0; i < match->rewrite->n_ops; i++) {
    const CakeOp *pattern = match->rewrite->ops[i], *op = match->ops[i];
    int block = cake_rewrite_block_number(match->rewrite, pattern->block);
    if (pattern == match->rewrite->root || !op) continue;
    if (block < 0 ? is_in_sight(match, op->block) : op->block == match->blocks[block]) continue;
    return cake_rewriter_decline(match->rewriter, "'%s' stands in another block than in the before",
                                 op->info->name->text);
  }
  return true;
}

static bool is_usable(const RewriteMatch *match, uint32_t arg, const CakeBlock *block) {
  for (uint32_t i = 0; i < match->rewrite->n_blocks; i++)
    if ((match->rewrite->sight[arg] >> i & 1) && match->blocks[i] == block) return true;
  return is_in_sight(match, block);
}

static bool are_usable(const RewriteMatch *match, uint32_t arg) {
  RewriteValues values = {0};
  cake_rewrite_bound_values(match, match->rewrite->before->args[arg], &values);
  bool is_fine = true;
  for (size_t i = 0; is_fine && i < values.len; i++)
    is_fine = is_usable(match, arg, cake_value_block(values.data[i]));
  CAKE_VEC_FINI(&values);
  return is_fine;
}

// The after uses no value of a region of the root, but of blocks that it has inlined.
static bool check_values(const RewriteMatch *match) {
  const CakeBlock *before = match->rewrite->before;
  for (uint32_t i = 0; i < before->n_args; i++)
    if (match->rewrite->is_used[i] && !are_usable(match, i))
      return cake_rewriter_decline(match->rewriter, "%%%s is defined in a region that the after does not inline",
                                   cake_value_name(before->args[i])->text);
  return true;
}

static bool is_inside(const CakeBlock *block, const CakeRegion *region) {
  while (block && block->region != region)
    block = cake_block_parent(block) ? cake_block_parent(block)->block : NULL;
  return block != NULL;
}

static bool uses_only_known(const RewriteMatch *match, const CakeOp *op, const CakeRegion *region) {
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const CakeBlock *from = cake_value_block(cake_op_operand(op, i));
    if (!is_inside(from, region) && !is_in_sight(match, from)) return false;
  }
  return true;
}

// A region that is moved out of one that goes uses nothing of that.
static bool check_region(const RewriteMatch *match, const CakeRegion *region) {
  CakeOp *around = region->parent;
  for (CakeOp *op = cake_op_walk_next(around, around, false); op; op = cake_op_walk_next(around, op, false))
    if (is_inside(op->block, region) && !uses_only_known(match, op, region)) return false;
  return true;
}

static bool check_moves(const RewriteMatch *match) {
  for (uint32_t i = 0; i < match->rewrite->n_blocks; i++) {
    const RewriteBlock *block = &match->rewrite->blocks[i];
    if (!block->is_taken || cake_block_parent(block->before) == match->rewrite->root) continue;
    if (check_region(match, match->blocks[i]->region)) continue;
    return cake_rewriter_decline(match->rewriter, "^%s uses a value of the region around it", block->name->text);
  }
  return true;
}

bool cake_rewrite_is_sound(const RewriteMatch *match) {
  return !match->rewrite->n_blocks || (check_places(match) && check_values(match) && check_moves(match));
}
