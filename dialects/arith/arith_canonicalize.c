// arith's canonicalisers of choices, comparisons, bits and signs.
#include "cake/constants.h"
#include "dialects/arith/arith_hooks.h"
#include "dialects/arith/arith_ops.h"

static CakeIntPredicate predicate_of(const CakeOp *op) {
  return (CakeIntPredicate)cake_attr_int_value(cake_op_prop(op, CAKE_ATTR_ROW(arith, cmpi, predicate)));
}

static void set_predicate(CakeOp *op, CakeRewriter *rewriter, CakeIntPredicate predicate) {
  cake_rewriter_set_attr_text(rewriter, op, "predicate", cake_attr_i64(op->context, (int64_t)predicate));
}

static bool is_constant(const CakeValue *value, int64_t wanted) {
  return arith_const_all(cake_value_constant(value), wanted);
}

static bool is_boolean(const CakeValue *value) {
  return cake_type_is_integer(cake_type_element(value->type), 1);
}

// ---- Extended operands ---------------------------------------------------------------------------------------------

// What both operands are, extended by the same op from the same type: `*out_name` of that op. False: they are not.
static bool both_extended(const CakeOp *op, const char **out_name) {
  const CakeOp *a = cake_value_def(cake_op_operand(op, 0)), *b = cake_value_def(cake_op_operand(op, 1));
  if (!a || !b || a->info != b->info) return false;
  *out_name = arith_is(a, cake_op_arith_extsi)   ? "arith.extsi"
              : arith_is(a, cake_op_arith_extui) ? "arith.extui"
                                                 : NULL;
  return *out_name && cake_op_operand(a, 0)->type == cake_op_operand(b, 0)->type;
}

static CakeValue *before_extension(const CakeOp *op, uint32_t operand) {
  return cake_op_operand(cake_value_def(cake_op_operand(op, operand)), 0);
}

// Bits of extended integers are the bits of the integers, extended.
static bool extend_last(CakeOp *op, CakeRewriter *rewriter, const char *name) {
  const char *extension;
  if (!both_extended(op, &extension)) return false;
  CakeValue *narrow = cake_build_binary(rewriter, name, before_extension(op, 0), before_extension(op, 1)),
            *made = cake_build_unary(rewriter, extension, op->results[0].type, narrow);
  cake_rewriter_replace(rewriter, op, &made);
  return true;
}

bool arith_andi_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  return extend_last(op, rewriter, "arith.andi");
}

bool arith_ori_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  return extend_last(op, rewriter, "arith.ori");
}

// ---- Negations -----------------------------------------------------------------------------------------------------

// The negation of a comparison is the opposite one.
static bool negate_comparison(CakeOp *op, CakeRewriter *rewriter) {
  static const CakeIntPredicate opposite[CAKE_CMPI_COUNT] = {
      [CAKE_CMPI_EQ] = CAKE_CMPI_NE,   [CAKE_CMPI_NE] = CAKE_CMPI_EQ,   [CAKE_CMPI_SLT] = CAKE_CMPI_SGE,
      [CAKE_CMPI_SLE] = CAKE_CMPI_SGT, [CAKE_CMPI_SGT] = CAKE_CMPI_SLE, [CAKE_CMPI_SGE] = CAKE_CMPI_SLT,
      [CAKE_CMPI_ULT] = CAKE_CMPI_UGE, [CAKE_CMPI_ULE] = CAKE_CMPI_UGT, [CAKE_CMPI_UGT] = CAKE_CMPI_ULE,
      [CAKE_CMPI_UGE] = CAKE_CMPI_ULT,
  };
  CakeOp *comparison = cake_value_def(cake_op_operand(op, 0));
  if (!arith_is(comparison, cake_op_arith_cmpi) || !is_constant(cake_op_operand(op, 1), -1)) return false;
  CakeMap none = {0};
  CakeOp *made = cake_rewriter_clone(rewriter, comparison, &none);
  cake_map_fini(&none);
  set_predicate(made, rewriter, opposite[predicate_of(comparison)]);
  CakeValue *value = &made->results[0];
  cake_rewriter_replace(rewriter, op, &value);
  return true;
}

bool arith_xori_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  return negate_comparison(op, rewriter) || extend_last(op, rewriter, "arith.xori");
}

// Two signs that change leave the product, and the quotient, as it is.
bool arith_negated_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  CakeOp *a = cake_value_def(cake_op_operand(op, 0)), *b = cake_value_def(cake_op_operand(op, 1));
  if (!arith_is(a, cake_op_arith_negf) || !arith_is(b, cake_op_arith_negf)) return false;
  cake_rewriter_set_operand(rewriter, op, 0, cake_op_operand(a, 0));
  cake_rewriter_set_operand(rewriter, op, 1, cake_op_operand(b, 0));
  return true;
}

// ---- Choices -------------------------------------------------------------------------------------------------------

// A choice by a negation is the other choice.
static bool swap_choice(CakeOp *op, CakeRewriter *rewriter) {
  CakeOp *negation = cake_value_def(cake_op_operand(op, 0));
  if (!arith_is(negation, cake_op_arith_xori) || !is_constant(cake_op_operand(negation, 1), -1)) return false;
  CakeValue *if_true = cake_op_operand(op, 1);
  cake_rewriter_set_operand(rewriter, op, 0, cake_op_operand(negation, 0));
  cake_rewriter_set_operand(rewriter, op, 1, cake_op_operand(op, 2));
  cake_rewriter_set_operand(rewriter, op, 2, if_true);
  return true;
}

// Of a single boolean: 1 or 0 is the boolean in a wider type, 0 or 1 its negation.
static bool choice_to_integer(CakeOp *op, CakeRewriter *rewriter) {
  CakeValue *condition = cake_op_operand(op, 0), *if_true = cake_op_operand(op, 1), *if_false = cake_op_operand(op, 2);
  CakeType type = op->results[0].type;
  if (!cake_type_is_integer(type, cake_type_width(type))) return false;
  bool is_one = is_constant(if_true, is_boolean(if_true) ? -1 : 1) && is_constant(if_false, 0),
       is_zero = is_constant(if_true, 0) && is_constant(if_false, is_boolean(if_false) ? -1 : 1);
  if (!is_one && !is_zero) return false;
  CakeValue *made = condition;
  if (is_zero)
    made = cake_build_binary(rewriter, "arith.xori", made,
                             cake_build_constant(rewriter, cake_attr_bool(op->context, true)));
  if (made->type != type) made = cake_build_unary(rewriter, "arith.extui", type, made);
  cake_rewriter_replace(rewriter, op, &made);
  return true;
}

// A choice by the same condition is decided where its result is one of the two values.
static bool choose_once(CakeOp *op, CakeRewriter *rewriter) {
  bool is_changed = false;
  for (uint32_t i = 1; i < 3; i++) {
    CakeOp *inner = cake_value_def(cake_op_operand(op, i));
    if (!arith_is(inner, cake_op_arith_select) || cake_op_operand(inner, 0) != cake_op_operand(op, 0)) continue;
    cake_rewriter_set_operand(rewriter, op, i, cake_op_operand(inner, i));
    is_changed = true;
  }
  return is_changed;
}

bool arith_select_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  return swap_choice(op, rewriter) || choose_once(op, rewriter) || choice_to_integer(op, rewriter);
}

// ---- Comparisons ---------------------------------------------------------------------------------------------------

// Whether extended integers are equal is whether the integers are.
static bool compare_narrow(CakeOp *op, CakeRewriter *rewriter) {
  const char *extension;
  CakeIntPredicate predicate = predicate_of(op);
  if ((predicate != CAKE_CMPI_EQ && predicate != CAKE_CMPI_NE) || !both_extended(op, &extension)) return false;
  CakeValue *a = before_extension(op, 0), *b = before_extension(op, 1);
  cake_rewriter_set_operand(rewriter, op, 0, a);
  cake_rewriter_set_operand(rewriter, op, 1, b);
  return true;
}

// A constant on the left goes to the right, with the mirrored predicate.
static bool mirror(CakeOp *op, CakeRewriter *rewriter) {
  static const CakeIntPredicate mirrored[CAKE_CMPI_COUNT] = {
      [CAKE_CMPI_EQ] = CAKE_CMPI_EQ,   [CAKE_CMPI_NE] = CAKE_CMPI_NE,   [CAKE_CMPI_SLT] = CAKE_CMPI_SGT,
      [CAKE_CMPI_SLE] = CAKE_CMPI_SGE, [CAKE_CMPI_SGT] = CAKE_CMPI_SLT, [CAKE_CMPI_SGE] = CAKE_CMPI_SLE,
      [CAKE_CMPI_ULT] = CAKE_CMPI_UGT, [CAKE_CMPI_ULE] = CAKE_CMPI_UGE, [CAKE_CMPI_UGT] = CAKE_CMPI_ULT,
      [CAKE_CMPI_UGE] = CAKE_CMPI_ULE,
  };
  CakeValue *lhs = cake_op_operand(op, 0), *rhs = cake_op_operand(op, 1);
  if (!cake_value_constant(lhs) || cake_value_constant(rhs)) return false;
  CakeIntPredicate predicate = predicate_of(op);
  cake_rewriter_set_operand(rewriter, op, 0, rhs);
  cake_rewriter_set_operand(rewriter, op, 1, lhs);
  set_predicate(op, rewriter, mirrored[predicate]);
  return true;
}

bool arith_cmpi_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  return mirror(op, rewriter) || compare_narrow(op, rewriter);
}
