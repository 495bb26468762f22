// Rule role-capture: registers of one role do not exist in another. Values at the level of the kernel are its arguments only.
//
// The core reports such a use as one that is not dominated; this names the roles and what to do.
#include "verifier/rules.h"

static bool report(CakeOp *op, const CakeValue *value, CakeOp *owner) {
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_ROLE_CAPTURE, "in %s uses %s, a value of %s", cake_where(op), cake_value_text(value), cake_where(owner));
  cake_diag_note(op->context, d, cake_value_loc(value), "it is defined here");
  cake_diag_fix(op->context, d, "hand the data over in a slot of a pipeline, or compute it in this role");
  return cake_diag_emit(op->context, d);
}

static bool check_role(CakeOp *role) {
  bool ok = true;
  for (CakeOp *op = role; op; op = cake_op_walk_next(role, op, false)) {
    for (uint32_t i = 0; i < op->n_operands; i++) {
      const CakeValue *value = cake_op_operand(op, i);
      CakeBlock *block = value ? cake_value_block(value) : NULL;
      CakeOp *around = block ? cake_block_parent(block) : NULL;
      CakeOp *owner = around && cake_is_cake_op(around, cake_op_cake_role) ? around : around ? cake_op_role(around) : NULL;
      if (owner && owner != role) ok = report(op, value, owner);
    }
  }
  return ok;
}

bool cake_rule_role_capture(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = cake_next_cake_op(module, NULL, cake_op_cake_role); op; op = cake_next_cake_op(module, op, cake_op_cake_role)) ok &= check_role(op);
  return ok;
}
