// arith's folders of comparisons, select and conversions, and its canonicalisers.
#include <math.h>

#include "cake/float.h"
#include "dialects/arith/arith_hooks.h"
#include "dialects/arith/arith_ops.h"

// ---- Comparisons ---------------------------------------------------------------------------------------------------

static int64_t predicate_of(const CakeOp *op) {
  return cake_attr_int_value(cake_op_attr_text(op, "predicate"));
}

static bool compare_integers(int64_t predicate, const ArithElement *a, const ArithElement *b) {
  switch ((CakeIntPredicate)predicate) {
  case CAKE_CMPI_EQ: return a->bits == b->bits;
  case CAKE_CMPI_NE: return a->bits != b->bits;
  case CAKE_CMPI_SLT: return a->value < b->value;
  case CAKE_CMPI_SLE: return a->value <= b->value;
  case CAKE_CMPI_SGT: return a->value > b->value;
  case CAKE_CMPI_SGE: return a->value >= b->value;
  case CAKE_CMPI_ULT: return a->bits < b->bits;
  case CAKE_CMPI_ULE: return a->bits <= b->bits;
  case CAKE_CMPI_UGT: return a->bits > b->bits;
  case CAKE_CMPI_UGE: return a->bits >= b->bits;
  case CAKE_CMPI_COUNT: break;
  }
  return false;
}

static bool eval_cmpi(const ArithEval *eval, const ArithElement *in, ArithElement *out) {
  out->bits = compare_integers(predicate_of(eval->op), &in[0], &in[1]);
  return true;
}

bool arith_cmpi_fold(CakeOp *op, CakeFold *fold) {
  static const ArithElement zero;
  if (cake_op_operand(op, 0) == cake_op_operand(op, 1))
    return arith_to_attr(fold,
                         arith_const_splat(op->results[0].type, compare_integers(predicate_of(op), &zero, &zero)));
  // Of booleans, x == true and x != false are x.
  int64_t neutral = predicate_of(op) == CAKE_CMPI_EQ ? 1 : 0;
  bool is_equality = predicate_of(op) == CAKE_CMPI_EQ || predicate_of(op) == CAKE_CMPI_NE;
  if (is_equality && cake_type_is_integer(cake_type_element(cake_op_operand(op, 0)->type), 1))
    for (uint32_t i = 0; i < 2; i++)
      if (arith_const_all(fold->operands[i], neutral)) return arith_to_value(fold, cake_op_operand(op, 1 - i));
  if (predicate_of(op) == CAKE_CMPI_NE && arith_const_all(fold->operands[1], 0)) {
    const CakeOp *extended = cake_value_def(cake_op_operand(op, 0)); // a boolean in a wider type is not 0
    bool is_extended = arith_is(extended, cake_op_arith_extsi) || arith_is(extended, cake_op_arith_extui);
    if (is_extended && cake_op_operand(extended, 0)->type == op->results[0].type)
      return arith_to_value(fold, cake_op_operand(extended, 0));
  }
  return arith_to_constants(op, fold, eval_cmpi);
}

// One of equal, less, greater, unordered holds; a predicate is the set of those for which it is true (bits 1, 4, 2, 8).
static bool compare_floats(int64_t predicate, double a, double b) {
  if (isnan(a) || isnan(b)) return (predicate & 8) != 0;
  if (a == b) return (predicate & 1) != 0;
  return (predicate & (a > b ? 2 : 4)) != 0;
}
_Static_assert(CAKE_CMPF_OEQ == 1 && CAKE_CMPF_OGT == 2 && CAKE_CMPF_OLT == 4 && CAKE_CMPF_UNO == 14,
               "order of the predicates");

static bool compare_floats_by(int64_t predicate, double a, double b) {
  static const unsigned char as_set[CAKE_CMPF_COUNT] = {
      // ordered: bits equal 1, greater 2, less 4
      [CAKE_CMPF_FALSE] = 0,
      [CAKE_CMPF_OEQ] = 1,
      [CAKE_CMPF_OGT] = 2,
      [CAKE_CMPF_OGE] = 3,
      [CAKE_CMPF_OLT] = 4,
      [CAKE_CMPF_OLE] = 5,
      [CAKE_CMPF_ONE] = 6,
      [CAKE_CMPF_ORD] = 7,
      // or unordered: 8
      [CAKE_CMPF_UEQ] = 9,
      [CAKE_CMPF_UGT] = 10,
      [CAKE_CMPF_UGE] = 11,
      [CAKE_CMPF_ULT] = 12,
      [CAKE_CMPF_ULE] = 13,
      [CAKE_CMPF_UNE] = 14,
      [CAKE_CMPF_UNO] = 8,
      [CAKE_CMPF_TRUE] = 15,
  };
  return compare_floats(as_set[predicate], a, b);
}

static bool eval_cmpf(const ArithEval *eval, const ArithElement *in, ArithElement *out) {
  out->bits = compare_floats_by(predicate_of(eval->op), in[0].number, in[1].number);
  return true;
}

bool arith_cmpf_fold(CakeOp *op, CakeFold *fold) {
  int64_t predicate = predicate_of(op);
  if (arith_const_all_nan(fold->operands[0]) || arith_const_all_nan(fold->operands[1])) {
    bool result = compare_floats_by(predicate, (double)NAN, (double)NAN);
    return arith_to_attr(fold, arith_const_splat(op->results[0].type, result));
  }
  if (predicate == CAKE_CMPF_FALSE || predicate == CAKE_CMPF_TRUE)
    return arith_to_attr(fold, arith_const_splat(op->results[0].type, predicate == CAKE_CMPF_TRUE));
  return arith_to_constants(op, fold, eval_cmpf);
}

static bool eval_select(const ArithEval *eval, const ArithElement *in, ArithElement *out) {
  (void)eval;
  *out = in[0].bits ? in[1] : in[2];
  return true;
}

// `select (a == b), a, b` is b, and `select (a != b), a, b` is a.
static bool chooses_between_compared(const CakeOp *op) {
  const CakeOp *comparison = cake_value_def(cake_op_operand(op, 0));
  if (!arith_is(comparison, cake_op_arith_cmpi)) return false;
  int64_t predicate = predicate_of(comparison);
  const CakeValue *a = cake_op_operand(comparison, 0), *b = cake_op_operand(comparison, 1),
                  *if_true = cake_op_operand(op, 1), *if_false = cake_op_operand(op, 2);
  return (predicate == CAKE_CMPI_EQ || predicate == CAKE_CMPI_NE) &&
         ((a == if_true && b == if_false) || (a == if_false && b == if_true));
}

bool arith_select_fold(CakeOp *op, CakeFold *fold) {
  CakeValue *if_true = cake_op_operand(op, 1), *if_false = cake_op_operand(op, 2);
  if (if_true == if_false) return arith_to_value(fold, if_true);
  if (arith_const_all(fold->operands[0], 1)) return arith_to_value(fold, if_true);
  if (arith_const_all(fold->operands[0], 0)) return arith_to_value(fold, if_false);
  if (cake_op_operand(op, 0)->type == op->results[0].type && arith_const_all(fold->operands[1], 1) &&
      arith_const_all(fold->operands[2], 0))
    return arith_to_value(fold, cake_op_operand(op, 0)); // select c, true, false
  if (chooses_between_compared(op))
    return arith_to_value(fold,
                          predicate_of(cake_value_def(cake_op_operand(op, 0))) == CAKE_CMPI_EQ ? if_false : if_true);
  bool is_integer = !cake_type_is_any_float(cake_type_element(if_true->type));
  return is_integer && arith_to_constants(op, fold, eval_select);
}

// ---- Conversions ---------------------------------------------------------------------------------------------------

static bool eval_same(const ArithEval *eval, const ArithElement *in, ArithElement *out) {
  (void)eval;
  *out = in[0];
  return true;
}

static bool eval_sign_extended(const ArithEval *eval, const ArithElement *in, ArithElement *out) {
  (void)eval;
  out->bits = (uint64_t)in[0].value;
  return true;
}

bool arith_extf_fold(CakeOp *op, CakeFold *fold) {
  return arith_to_constants(op, fold, eval_same);
}

// Whether all values of the one float type are values of the other, wider one. Types of 8 bits and less trade range for digits.
static bool extends_exactly(CakeType from, CakeType to) {
  CakeType source = cake_type_element(from), target = cake_type_element(to);
  return cake_type_width(target) >= 32 ||
         (cake_type_width(target) > 8 && !cake_type_is_float(source, CAKE_FLOAT_F8E8M0FNU));
}

// The extf that defines what is truncated, where it loses nothing; NULL: another op does.
static CakeOp *exact_extf(const CakeOp *op) {
  CakeOp *inner = cake_value_def(cake_op_operand(op, 0));
  bool is_exact =
      arith_is(inner, cake_op_arith_extf) && extends_exactly(cake_op_operand(inner, 0)->type, inner->results[0].type);
  return is_exact ? inner : NULL;
}

static bool rounds_to_nearest(const CakeOp *op) {
  CakeAttr mode = cake_op_prop(op, CAKE_ATTR_ROW(arith, truncf, roundingmode));
  return !mode || cake_attr_int_value(mode) == 0;
}

bool arith_truncf_fold(CakeOp *op, CakeFold *fold) {
  CakeOp *inner = exact_extf(op);
  if (inner && cake_op_operand(inner, 0)->type == op->results[0].type)
    return arith_to_value(fold, cake_op_operand(inner, 0)); // truncf(extf(x)) is x
  if (!rounds_to_nearest(op)) return false;
  return arith_to_constants(op, fold, eval_same);
}

bool arith_extsi_fold(CakeOp *op, CakeFold *fold) {
  return arith_to_constants(op, fold, eval_sign_extended);
}

bool arith_extui_fold(CakeOp *op, CakeFold *fold) {
  return arith_to_constants(op, fold, eval_same);
}

bool arith_trunci_fold(CakeOp *op, CakeFold *fold) {
  CakeOp *inner = cake_value_def(cake_op_operand(op, 0));
  bool is_extension = arith_is(inner, cake_op_arith_extsi) || arith_is(inner, cake_op_arith_extui);
  if (is_extension && cake_op_operand(inner, 0)->type == op->results[0].type)
    return arith_to_value(fold, cake_op_operand(inner, 0));
  return arith_to_constants(op, fold, eval_same);
}

enum { DOUBLE_DIGITS = 53 };

// The double nearest to a number; for narrower results, which round once more, one whose last digit says whether the number has
// others behind it.
static double from_magnitude(uint64_t magnitude, CakeType result) {
  unsigned unused = 0;
  while (magnitude >> unused >> DOUBLE_DIGITS)
    unused++;
  if (!unused || cake_type_is_float(result, CAKE_FLOAT_F64)) return (double)magnitude;
  bool has_rest = (magnitude & ((UINT64_C(1) << unused) - 1)) != 0;
  return ldexp((double)(magnitude >> unused | has_rest), (int)unused);
}

static CakeType result_element(const ArithEval *eval) {
  return cake_type_element(eval->op->results[0].type);
}

static bool eval_sitofp(const ArithEval *eval, const ArithElement *in, ArithElement *out) {
  bool is_negative = in[0].value < 0;
  double magnitude =
      from_magnitude(is_negative ? 0 - (uint64_t)in[0].value : (uint64_t)in[0].value, result_element(eval));
  out->number = is_negative ? -magnitude : magnitude;
  return true;
}

static bool eval_uitofp(const ArithEval *eval, const ArithElement *in, ArithElement *out) {
  out->number = from_magnitude(in[0].bits, result_element(eval));
  return true;
}

// Only what fits: anything else is poison.
static bool eval_fptosi(const ArithEval *eval, const ArithElement *in, ArithElement *out) {
  double whole = trunc(in[0].number), limit = ldexp(1.0, (int)eval->out_width - 1);
  if (!(whole >= -limit && whole < limit)) return false;
  out->bits = (uint64_t)(int64_t)whole;
  return true;
}

static bool eval_fptoui(const ArithEval *eval, const ArithElement *in, ArithElement *out) {
  double whole = trunc(in[0].number);
  if (!(whole >= 0 && whole < ldexp(1.0, (int)eval->out_width))) return false;
  out->bits = (uint64_t)whole;
  return true;
}

bool arith_sitofp_fold(CakeOp *op, CakeFold *fold) {
  return arith_to_constants(op, fold, eval_sitofp);
}

bool arith_uitofp_fold(CakeOp *op, CakeFold *fold) {
  return arith_to_constants(op, fold, eval_uitofp);
}

bool arith_fptosi_fold(CakeOp *op, CakeFold *fold) {
  return arith_to_constants(op, fold, eval_fptosi);
}

bool arith_fptoui_fold(CakeOp *op, CakeFold *fold) {
  return arith_to_constants(op, fold, eval_fptoui);
}

// iN → index → iN is the same number for N up to 32: index has at least that many bits.
static bool fold_index_cast(CakeOp *op, CakeFold *fold, int ordinal, ArithFn eval) {
  CakeOp *inner = cake_value_def(cake_op_operand(op, 0));
  if (arith_is(inner, ordinal) && cake_op_operand(inner, 0)->type == op->results[0].type &&
      cake_type_width(cake_type_element(op->results[0].type)) > 0 &&
      cake_type_width(cake_type_element(op->results[0].type)) <= 32)
    return arith_to_value(fold, cake_op_operand(inner, 0));
  return arith_to_constants(op, fold, eval);
}

bool arith_index_cast_fold(CakeOp *op, CakeFold *fold) {
  return fold_index_cast(op, fold, cake_op_arith_index_cast, eval_sign_extended);
}

bool arith_index_castui_fold(CakeOp *op, CakeFold *fold) {
  return fold_index_cast(op, fold, cake_op_arith_index_castui, eval_same);
}

static bool eval_bitcast(const ArithEval *eval, const ArithElement *in, ArithElement *out) {
  CakeType from = cake_type_element(cake_op_operand(eval->op, 0)->type), to = result_element(eval);
  out->bits = cake_type_is_any_float(from) ? cake_float_encode(from, in[0].number) : in[0].bits;
  if (cake_type_is_any_float(to)) out->number = cake_float_decode(to, out->bits);
  return true;
}

bool arith_bitcast_fold(CakeOp *op, CakeFold *fold) {
  CakeValue *in = cake_op_operand(op, 0);
  if (in->type == op->results[0].type) return arith_to_value(fold, in);
  CakeOp *inner = cake_value_def(in);
  if (arith_is(inner, cake_op_arith_bitcast) && cake_op_operand(inner, 0)->type == op->results[0].type)
    return arith_to_value(fold, cake_op_operand(inner, 0));
  return arith_to_constants(op, fold, eval_bitcast);
}

// ---- Canonicalisers ------------------------------------------------------------------------------------------------

static CakeAttr constant_of(const CakeValue *value) {
  CakeOp *op = cake_value_def(value);
  return arith_is(op, cake_op_arith_constant) ? cake_op_prop(op, CAKE_ATTR_ROW(arith, constant, value)) : NULL;
}

// An op of a constant and an op of x and a constant becomes one of x and what both constants come to.
typedef struct Regrouping {
  uint8_t outer_side; // of the op's constant, c2
  int inner;          // the ordinal of the other op
  uint8_t inner_side; // of that one's constant, c1
  const char *made;
  uint8_t made_side; // of the combined constant
  ArithFn combine;
  bool inner_first; // fn(c1, c2), not fn(c2, c1)
} Regrouping;

static const Regrouping of_sums[] = {
    {1, cake_op_arith_addi, 1, "arith.addi", 1, arith_eval_addi, true }, // (x + c1) + c2
    {1, cake_op_arith_subi, 1, "arith.addi", 1, arith_eval_subi, false}, // (x - c1) + c2
    {1, cake_op_arith_subi, 0, "arith.subi", 0, arith_eval_addi, true }, // (c1 - x) + c2
};
static const Regrouping of_differences[] = {
    {1, cake_op_arith_addi, 1, "arith.addi", 1, arith_eval_subi, true }, // (x + c1) - c2
    {1, cake_op_arith_subi, 1, "arith.subi", 1, arith_eval_addi, true }, // (x - c1) - c2
    {1, cake_op_arith_subi, 0, "arith.subi", 0, arith_eval_subi, true }, // (c1 - x) - c2
    {0, cake_op_arith_addi, 1, "arith.subi", 0, arith_eval_subi, false}, // c2 - (x + c1)
    {0, cake_op_arith_subi, 1, "arith.subi", 0, arith_eval_addi, false}, // c2 - (x - c1)
    {0, cake_op_arith_subi, 0, "arith.addi", 1, arith_eval_subi, false}, // c2 - (c1 - x)
};
static const Regrouping of_products[] = {
    {1, cake_op_arith_muli, 1, "arith.muli", 1, arith_eval_muli, true}, // (x * c1) * c2
};

// Overflow flags go: the intermediate value is another one.
static bool regroup_by(CakeOp *op, CakeRewriter *rewriter, const Regrouping *by, CakeAttr c2) {
  CakeOp *inner = cake_value_def(cake_op_operand(op, 1u - by->outer_side));
  if (!arith_is(inner, by->inner)) return false;
  CakeAttr c1 = constant_of(cake_op_operand(inner, by->inner_side));
  if (!c1) return false;
  CakeAttr constants[] = {by->inner_first ? c1 : c2, by->inner_first ? c2 : c1};
  CakeAttr combined = arith_const_map(op, constants, 2, op->results[0].type, by->combine);
  if (!combined) return false;
  CakeValue *x = cake_op_operand(inner, 1u - by->inner_side), *constant = cake_build_constant(rewriter, combined);
  CakeValue *made = by->made_side ? cake_build_binary(rewriter, by->made, x, constant)
                                  : cake_build_binary(rewriter, by->made, constant, x);
  cake_rewriter_replace(rewriter, op, &made);
  return true;
}

static bool regroup(CakeOp *op, CakeRewriter *rewriter, const Regrouping *rules, size_t n) {
  CakeAttr constants[] = {constant_of(cake_op_operand(op, 0)), constant_of(cake_op_operand(op, 1))};
  for (size_t i = 0; i < n; i++)
    if (constants[rules[i].outer_side] && regroup_by(op, rewriter, &rules[i], constants[rules[i].outer_side]))
      return true;
  return false;
}

bool arith_addi_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  return regroup(op, rewriter, of_sums, CAKE_COUNT(of_sums));
}

// (x - y) - x is 0 - y.
static bool negate_rest(CakeOp *op, CakeRewriter *rewriter) {
  CakeOp *inner = cake_value_def(cake_op_operand(op, 0));
  if (!inner || inner->info != op->info || cake_op_operand(inner, 0) != cake_op_operand(op, 1)) return false;
  CakeAttr zero = arith_const_splat(op->results[0].type, 0);
  if (!zero) return false;
  CakeValue *result =
      cake_build_binary(rewriter, "arith.subi", cake_build_constant(rewriter, zero), cake_op_operand(inner, 1));
  cake_rewriter_replace(rewriter, op, &result);
  return true;
}

bool arith_subi_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  return regroup(op, rewriter, of_differences, CAKE_COUNT(of_differences)) || negate_rest(op, rewriter);
}

bool arith_muli_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  return regroup(op, rewriter, of_products, CAKE_COUNT(of_products));
}

// ---- Casts of casts ------------------------------------------------------------------------------------------------

// The cast that defines what is cast; NULL: another op does.
static CakeOp *inner_cast(const CakeOp *op, int ordinal) {
  CakeOp *inner = cake_value_def(cake_op_operand(op, 0));
  return arith_is(inner, ordinal) ? inner : NULL;
}

// One cast from what the inner one casts; flags go, since the intermediate value does. False: there is no inner cast.
static bool cast_at_once(CakeOp *op, CakeRewriter *rewriter, const CakeOp *inner, const char *name) {
  if (!inner) return false;
  CakeValue *made = cake_build_unary(rewriter, name, op->results[0].type, cake_op_operand(inner, 0));
  cake_rewriter_replace(rewriter, op, &made);
  return true;
}

// As cast_at_once, behind a cast that loses nothing: `narrow` where the result is narrower than what that one casts, `widen` where it is
// wider.
static bool cast_between(CakeOp *op, CakeRewriter *rewriter, const CakeOp *inner, const char *narrow,
                         const char *widen) {
  if (!inner) return false;
  uint32_t from = cake_type_width(cake_type_element(cake_op_operand(inner, 0)->type)),
           to = cake_type_width(cake_type_element(op->results[0].type));
  return from != to && cast_at_once(op, rewriter, inner, from > to ? narrow : widen);
}

bool arith_extsi_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  return cast_at_once(op, rewriter, inner_cast(op, cake_op_arith_extsi), "arith.extsi") ||
         cast_at_once(op, rewriter, inner_cast(op, cake_op_arith_extui), "arith.extui"); // its sign bit is 0
}

bool arith_extui_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  return cast_at_once(op, rewriter, inner_cast(op, cake_op_arith_extui), "arith.extui");
}

bool arith_trunci_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  return cast_at_once(op, rewriter, inner_cast(op, cake_op_arith_trunci), "arith.trunci") ||
         cast_between(op, rewriter, inner_cast(op, cake_op_arith_extsi), "arith.trunci", "arith.extsi") ||
         cast_between(op, rewriter, inner_cast(op, cake_op_arith_extui), "arith.trunci", "arith.extui");
}

bool arith_index_cast_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  return cast_at_once(op, rewriter, inner_cast(op, cake_op_arith_extsi), "arith.index_cast");
}

bool arith_index_castui_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  return cast_at_once(op, rewriter, inner_cast(op, cake_op_arith_extui), "arith.index_castui");
}

bool arith_bitcast_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  return cast_at_once(op, rewriter, inner_cast(op, cake_op_arith_bitcast), "arith.bitcast");
}

bool arith_truncf_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  CakeOp *inner = exact_extf(op);
  if (!inner || !rounds_to_nearest(op)) return false;
  CakeType from = cake_op_operand(inner, 0)->type, to = op->results[0].type;
  bool is_wider = cake_type_width(cake_type_element(to)) > cake_type_width(cake_type_element(from));
  return (!is_wider || extends_exactly(from, to)) && cast_between(op, rewriter, inner, "arith.truncf", "arith.extf");
}
