// cf: branches on constants, and blocks that have one way in.
#include "dialects/cf/cf.h"
#include "dialects/cf/cf_hooks.h"

// A block with this branch as its one way in, that is not the region's entry and not the branch's own block.
static bool can_merge(const CakeOp *op, const CakeBlock *target) {
  return target != op->block && target->region == op->block->region && target->region->first != target &&
         target->first_use && !target->first_use->next;
}

bool cf_br_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  CakeBlock *target = cake_op_successor(op, 0);
  if (!can_merge(op, target) || op->n_operands != target->n_args) return false;
  CAKE_VEC(CakeValue *) values = {0};
  for (uint32_t i = 0; i < op->n_operands; i++)
    CAKE_PUSH(&values, cake_op_operand(op, i));
  CakeBlock *block = op->block;
  cake_rewriter_erase(rewriter, op);
  // Behind everything in `block`: a marker is not needed, moving to the end keeps the order.
  for (uint32_t i = 0; i < target->n_args; i++)
    cake_rewriter_replace_uses(rewriter, target->args[i], values.data[i]);
  while (target->first)
    cake_rewriter_move_to_end(rewriter, target->first, block);
  cake_rewriter_erase_block(rewriter, target);
  CAKE_VEC_FINI(&values);
  return true;
}

static void replace_by_br(CakeOp *op, CakeRewriter *rewriter, CakeBlock *target, CakeOperandRange operands) {
  CAKE_VEC(CakeValue *) values = {0};
  for (uint32_t i = 0; i < operands.count; i++)
    CAKE_PUSH(&values, operands.first[i].value);
  cake_rewriter_set_before(rewriter, op);
  cake_rewriter_build(rewriter, &(CakeBuild){.name = "cf.br",
                                             .operands = values.data,
                                             .n_operands = values.len,
                                             .successors = &target,
                                             .n_successors = 1});
  cake_rewriter_erase(rewriter, op);
  CAKE_VEC_FINI(&values);
}

static bool same_values(CakeOperandRange a, CakeOperandRange b) {
  if (a.count != b.count) return false;
  for (uint32_t i = 0; i < a.count; i++)
    if (a.first[i].value != b.first[i].value) return false;
  return true;
}

// In a block that this branch alone leads to, the condition is known.
static bool propagate_condition(CakeOp *op, CakeRewriter *rewriter) {
  CakeValue *condition = cake_op_operand(op, 0);
  bool is_changed = false;
  for (uint32_t i = 0; i < 2; i++) {
    CakeBlock *target = cake_op_successor(op, i);
    CakeValue *known = NULL;
    if (!can_merge(op, target)) continue;
    for (CakeOp *user = target->first; user; user = user->next) {
      for (uint32_t k = 0; k < user->n_operands; k++) {
        if (cake_op_operand(user, k) != condition) continue;
        if (!known) known = cake_build_constant(rewriter, cake_attr_bool(op->context, i == 0));
        cake_rewriter_set_operand(rewriter, user, k, known);
        is_changed = true;
      }
    }
  }
  return is_changed;
}

bool cf_cond_br_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  CakeOperandRange if_true = cake_op_operand_group(op, CAKE_GROUP(cf, cond_br, trueDestOperands));
  CakeOperandRange if_false = cake_op_operand_group(op, CAKE_GROUP(cf, cond_br, falseDestOperands));
  CakeOp *constant = cake_value_def(cake_op_operand(op, 0));
  if (constant && cake_op_has_trait(constant, CAKE_TRAIT_CONSTANT)) {
    bool holds = cake_attr_int_value(cake_op_attr_text(constant, "value")) != 0;
    replace_by_br(op, rewriter, cake_op_successor(op, holds ? 0 : 1), holds ? if_true : if_false);
    return true;
  }
  if (cake_op_successor(op, 0) == cake_op_successor(op, 1) && same_values(if_true, if_false)) {
    replace_by_br(op, rewriter, cake_op_successor(op, 0), if_true);
    return true;
  }
  return propagate_condition(op, rewriter);
}
