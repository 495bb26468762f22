// Verification of uses: every operand's definition dominates it, and isolated ops use nothing from outside.
#include "core.h"

static void note_definition(CakeDiagnostic *diagnostic, const CakeValue *value, const CakeOp *user) {
  const CakeBlock *block = cake_value_block(value);
  const CakeRegion *mine = user->block ? user->block->region : NULL, *its = block ? block->region : NULL;
  const char *where = "in an unrelated region";
  if (block && block == user->block && !value->is_argument)
    where = "in the same block";
  else if (mine == its)
    where = "in the same region";
  else if (its && its->parent && cake_op_is_ancestor(its->parent, user))
    where = "in a parent region";
  else if (mine && mine->parent && block && cake_op_is_ancestor(mine->parent, cake_block_parent(block)))
    where = "in a child region";
  CakeLoc loc = cake_value_loc(value);
  if (!value->is_argument) {
    cake_diag_note(user->context, diagnostic, loc, "operand defined here (op %s)", where);
    return;
  }
  size_t number = 0;
  for (const CakeBlock *before = block; before && before->prev; before = before->prev)
    number++;
  cake_diag_note(user->context, diagnostic, loc, "operand defined as a block argument (block #%zu %s)", number, where);
}

static bool report_dominance(CakeOp *op, uint32_t index) {
  CakeDiagnostic *diagnostic = cake_diag_begin(op->context, CAKE_ERROR, op->loc, CAKE_CODE_IR_DOMINANCE,
                                               "operand #%u does not dominate this use", index);
  note_definition(diagnostic, op->operands[index].value, op);
  return cake_diag_emit(op->context, diagnostic);
}

// The isolated op that keeps `user` from `block`, which is outside; NULL when there is none.
static CakeOp *isolation_between(const CakeOp *user, const CakeBlock *block) {
  CakeOp *around = NULL;
  while (user && user->block && user->block->region != block->region) {
    around = cake_op_parent(user);
    if (around && cake_op_has_trait(around, CAKE_TRAIT_ISOLATED)) break;
    user = around;
    around = NULL;
  }
  return around && !cake_op_is_ancestor(around, cake_block_parent(block)) ? around : NULL;
}

static bool verify_use(CakeDominance *dominance, CakeOp *op, uint32_t index) {
  const CakeValue *value = op->operands[index].value;
  if (!value) return true; // reported with the rows
  const CakeBlock *block = cake_value_block(value);
  if (block && block != op->block) {
    CakeOp *isolated = isolation_between(op, block);
    if (isolated) {
      CakeDiagnostic *diagnostic =
          cake_error_begin(op, CAKE_CODE_IR_DOMINANCE, "using value defined outside the region");
      cake_diag_note(op->context, diagnostic, isolated->loc, "required by region isolation constraints");
      return cake_diag_emit(op->context, diagnostic);
    }
  }
  return cake_dominance_value(dominance, value, op) || report_dominance(op, index);
}

// The common cases, by few loads once the ops of the block are ordered: the value is an argument of a block around the op, or its op stands before the op, or
// before one around it, as is known; or it is of the region's first block, which is passed on the way to all others.
// What else may be fine, and what is not, verify_use finds out.
static bool is_before(const CakeValue *value, const CakeOp *op) {
  if (!value) return false;
  const CakeBlock *block = cake_value_block(value);
  while (op->block != block) {
    if (block && op->block && block->region && op->block->region == block->region) return block == block->region->first;
    op = cake_op_parent(op);
    if (!op || cake_op_has_trait(op, CAKE_TRAIT_ISOLATED)) return false;
  }
  if (value->is_argument) return true;
  CakeOp *owner = cake_result_owner(value);
  return block->ops_ordered ? owner->order < op->order : cake_op_is_before(owner, (CakeOp *)(uintptr_t)op);
}

bool cake_op_uses_are_clear(const CakeOp *op, const CakeBlock *entry) {
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const CakeValue *value = op->operands[i].value;
    if (value && value->is_argument && entry && cake_arg_owner(value) == entry) continue;
    if (!is_before(value, op)) return false;
  }
  return true;
}

bool cake_verify_uses(CakeOp *root, CakeOp *const *ops, size_t count) {
  if (!count) return true;
  CakeDominance *dominance = cake_dominance_create(root);
  bool ok = true;
  for (size_t n = 0; n < count; n++) {
    CakeOp *op = ops[n];
    if (!cake_dominance_is_reachable(dominance, op->block)) continue;
    for (uint32_t i = 0; i < op->n_operands; i++) {
      if (!is_before(op->operands[i].value, op)) ok &= verify_use(dominance, op, i);
    }
  }
  cake_dominance_destroy(dominance);
  return ok;
}
