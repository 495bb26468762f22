// Verification of print and assert.
#include "dialects/cake/cake_verify.h"
#include "dialects/cake/ops/debug.h"

// A scalar, or a fragment of which each element is held once, as for `cake.store`.
static bool verify_value(CakeOp *op, CakeType type, CakeAttr keep, CakeOperandRange idx) {
  CakeFragment fragment;
  bool is_fragment = cake_fragment_of(type, &fragment);
  if (!is_fragment && !cake_type_is_scalar_argument(type))
    return cake_error(op, CAKE_CODE_FORM_MISMATCH, "takes a scalar or a fragment, but got '%s'", cake_type_text(type));
  if (!is_fragment && keep)
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has `keep`, but '%s' has no elements", cake_type_text(type));
  bool is_operand = is_fragment && (fragment.kind == CAKE_FORM_MMA_A || fragment.kind == CAKE_FORM_MMA_B ||
                                    fragment.kind == CAKE_FORM_WGMMA_A);
  if ((is_operand && fragment.part == CAKE_FORM_WHOLE) || (is_fragment && fragment.part == CAKE_FORM_PARTIAL))
    return cake_error(
        op, CAKE_CODE_FORM_MISMATCH,
        "several lanes hold parts of the same elements of '%s'; mma.acc, wgmma.acc, vec, row and col can be shown",
        cake_type_text(type));
  return cake_verify_expr(op, "keep", keep, idx.count);
}

bool cake_print_verify(CakeOp *op) {
  const CakeValue *value = cake_cake_print_value(op);
  if (value) return verify_value(op, value->type, cake_cake_print_keep(op), cake_cake_print_keep_idx(op));
  return !cake_cake_print_keep(op) || cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has `keep`, but no value");
}

bool cake_assert_verify(CakeOp *op) {
  CakeType type = cake_cake_assert_condition(op)->type;
  CakeFragment fragment;
  CakeType element = cake_fragment_of(type, &fragment) ? fragment.element : type;
  if (!cake_type_is_integer(element, 1))
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "needs an i1 or a fragment of i1, but got '%s'", cake_type_text(type));
  return verify_value(op, type, cake_cake_assert_keep(op), cake_cake_assert_keep_idx(op));
}
