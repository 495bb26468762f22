// loop-invariant-code-motion: moves what does not change from round to round in front of the loop.
//
// Loops are visited from the inside out, so that an op moves through as many as it may. An op moves when it is pure, when
// running it is harmless even if the loop runs no round, and when everything that it and its regions use is defined
// outside of the loop.
#include "passes/passes.h"

// Whether the value is defined in that region, or in one inside it.
static bool is_inside(const CakeRegion *region, const CakeValue *value) {
  const CakeBlock *block = cake_value_block(value);
  while (block && block->region && block->region != region) {
    const CakeOp *around = block->region->parent;
    block = around ? around->block : NULL;
  }
  return block && block->region == region;
}

// Whether nothing that the op or its regions use comes from inside the loop. What is defined in the op itself moves with it.
static bool is_invariant(const CakeRegion *region, CakeOp *root) {
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    for (uint32_t i = 0; i < op->n_operands; i++) {
      const CakeValue *value = cake_op_operand(op, i);
      if (!value) return false;
      if (op != root && cake_op_is_ancestor(root, cake_block_parent(cake_value_block(value)))) continue;
      if (is_inside(region, value)) return false;
    }
  }
  return true;
}

static bool may_move(const CakeOp *op) {
  return !op->info->def || op->info->def->parent || cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR | CAKE_TRAIT_CONVERGENT)
             ? false
             : cake_op_is_speculatable(op);
}

// One pass over a block is enough: what an op uses stands in front of it and has moved by then.
static void hoist(CakePassContext *pass, CakeOp *loop, CakeRegion *region) {
  for (CakeBlock *block = region->first; block; block = block->next) {
    for (CakeOp *op = block->first, *next; op; op = next) {
      next = op->next;
      if (!may_move(op) || !is_invariant(region, op)) continue;
      cake_rewriter_move_before(&pass->rewriter, op, loop);
      cake_pass_count(pass, "ops moved", 1);
    }
  }
}

static CakeWalkResult visit(void *user, CakeOp *op) {
  const CakeOpDef *def = op->info->def;
  if (!def || (def->flow.kind != CAKE_FLOW_LOOP && def->flow.kind != CAKE_FLOW_WHILE)) return CAKE_WALK_ADVANCE;
  if (!op->block) return CAKE_WALK_ADVANCE; // the root: there is nowhere to move to
  for (uint32_t i = 0; i < op->n_regions; i++)
    hoist(user, op, cake_op_region(op, i));
  return CAKE_WALK_ADVANCE;
}

CakePassResult cake_pass_loop_invariant_code_motion(CakePassContext *pass, CakeOp *op) {
  uint64_t before = pass->rewriter.changes;
  cake_op_walk(op, CAKE_WALK_POST, visit, pass);
  cake_pass_preserve(pass, &cake_dominance_analysis); // blocks and branches stay
  return pass->rewriter.changes != before ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
