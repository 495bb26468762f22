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

static bool eval_cmpf(const ArithEval *eval, const ArithElement *in, ArithElement *out) {
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
  out->bits = compare_floats(as_set[predicate_of(eval->op)], in[0].number, in[1].number);
  return true;
}

bool arith_cmpf_fold(CakeOp *op, CakeFold *fold) {
  int64_t predicate = predicate_of(op);
  if (predicate == CAKE_CMPF_FALSE || predicate == CAKE_CMPF_TRUE)
    return arith_to_attr(fold, arith_const_splat(op->results[0].type, predicate == CAKE_CMPF_TRUE));
  return arith_to_constants(op, fold, eval_cmpf);
}

bool arith_select_fold(CakeOp *op, CakeFold *fold) {
  CakeValue *if_true = cake_op_operand(op, 1), *if_false = cake_op_operand(op, 2);
  if (if_true == if_false) return arith_to_value(fold, if_true);
  if (arith_const_all(fold->operands[0], 1)) return arith_to_value(fold, if_true);
  if (arith_const_all(fold->operands[0], 0)) return arith_to_value(fold, if_false);
  if (cake_op_operand(op, 0)->type == op->results[0].type && arith_const_all(fold->operands[1], 1) &&
      arith_const_all(fold->operands[2], 0))
    return arith_to_value(fold, cake_op_operand(op, 0)); // select c, true, false
  return false;
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

bool arith_truncf_fold(CakeOp *op, CakeFold *fold) {
  CakeOp *inner = cake_value_def(cake_op_operand(op, 0));
  if (arith_is(inner, cake_op_arith_extf) && cake_op_operand(inner, 0)->type == op->results[0].type)
    return arith_to_value(fold, cake_op_operand(inner, 0)); // truncf(extf(x)) is x
  if (cake_op_prop(op, CAKE_ATTR_ROW(arith, truncf, roundingmode)) &&
      cake_attr_int_value(cake_op_prop(op, CAKE_ATTR_ROW(arith, truncf, roundingmode))) != 0)
    return false;
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

// Integers that a double holds exactly: what is converted beyond them would be rounded twice.
#define EXACT_LIMIT (INT64_C(1) << 53)

static bool eval_sitofp(const ArithEval *eval, const ArithElement *in, ArithElement *out) {
  (void)eval;
  if (in[0].value > EXACT_LIMIT || in[0].value < -EXACT_LIMIT) return false;
  out->number = (double)in[0].value;
  return true;
}

static bool eval_uitofp(const ArithEval *eval, const ArithElement *in, ArithElement *out) {
  (void)eval;
  if (in[0].bits > (uint64_t)EXACT_LIMIT) return false;
  out->number = (double)in[0].bits;
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

static const CakeFloatFormat *narrow_format(CakeType type) {
  if (cake_type_is_float(type, CAKE_FLOAT_F16)) return &cake_format_f16;
  return cake_type_is_float(type, CAKE_FLOAT_BF16) ? &cake_format_bf16 : NULL;
}

// Float bits of a scalar: f16, bf16, f32, f64.
static uint64_t float_bits(CakeType type, double number) {
  uint64_t bits;
  if (narrow_format(type)) return cake_format_encode(narrow_format(type), number, CAKE_OVERFLOW_INFINITE);
  if (cake_type_is_float(type, CAKE_FLOAT_F32)) return cake_f32_bits((float)number);
  memcpy(&bits, &number, sizeof bits);
  return bits;
}

static double bits_float(CakeType type, uint64_t bits) {
  double number;
  if (narrow_format(type)) return cake_format_decode(narrow_format(type), (uint32_t)bits);
  if (cake_type_is_float(type, CAKE_FLOAT_F32)) return (double)cake_f32_from_bits((uint32_t)bits);
  memcpy(&number, &bits, sizeof number);
  return number;
}

// NaNs are left alone: their payload would be lost.
static bool eval_bitcast(const ArithEval *eval, const ArithElement *in, ArithElement *out) {
  CakeType from = cake_type_element(cake_op_operand(eval->op, 0)->type),
           to = cake_type_element(eval->op->results[0].type);
  bool from_float = cake_type_is_any_float(from), to_float = cake_type_is_any_float(to);
  if (from_float && isnan(in[0].number)) return false;
  uint64_t bits = from_float ? float_bits(from, in[0].number) : in[0].bits;
  out->bits = bits;
  if (to_float) out->number = bits_float(to, bits);
  return !(to_float && isnan(out->number));
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

// op = outer(inner(x, c1), c2) becomes `name`(x, fn(first, second)). Overflow flags go: the intermediate value is another one.
static bool combine(CakeOp *op, CakeRewriter *rewriter, const char *name, CakeValue *x, CakeAttr first, CakeAttr second,
                    ArithFn fn) {
  CakeAttr constants[] = {first, second};
  CakeAttr combined = arith_const_map(op, constants, 2, op->results[0].type, fn);
  if (!combined) return false;
  CakeValue *constant = cake_build_constant(rewriter, combined);
  CakeValue *made = cake_build_binary(rewriter, name, x, constant);
  cake_rewriter_replace(rewriter, op, &made);
  return true;
}

// The constants of outer(inner(x, c1), c2); false when it is not that. By the second, most are told apart.
static bool nested_constants(CakeOp *op, int inner_ordinal, CakeOp **inner, CakeAttr *c1, CakeAttr *c2) {
  *c2 = constant_of(cake_op_operand(op, 1));
  if (!*c2) return false;
  *inner = cake_value_def(cake_op_operand(op, 0));
  if (!arith_is(*inner, inner_ordinal)) return false;
  *c1 = constant_of(cake_op_operand(*inner, 1));
  return *c1 != NULL;
}

bool arith_addi_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  CakeOp *inner;
  CakeAttr c1, c2;
  if (nested_constants(op, cake_op_arith_addi, &inner, &c1, &c2))
    return combine(op, rewriter, "arith.addi", cake_op_operand(inner, 0), c1, c2, arith_eval_addi);
  if (nested_constants(op, cake_op_arith_subi, &inner, &c1, &c2)) // (x - c1) + c2
    return combine(op, rewriter, "arith.addi", cake_op_operand(inner, 0), c2, c1, arith_eval_subi);
  return false;
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
  CakeOp *inner;
  CakeAttr c1, c2;
  if (nested_constants(op, cake_op_arith_addi, &inner, &c1, &c2)) // (x + c1) - c2
    return combine(op, rewriter, "arith.addi", cake_op_operand(inner, 0), c1, c2, arith_eval_subi);
  if (nested_constants(op, cake_op_arith_subi, &inner, &c1, &c2)) // (x - c1) - c2
    return combine(op, rewriter, "arith.subi", cake_op_operand(inner, 0), c1, c2, arith_eval_addi);
  return negate_rest(op, rewriter);
}

bool arith_muli_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  CakeOp *inner;
  CakeAttr c1, c2;
  return nested_constants(op, cake_op_arith_muli, &inner, &c1, &c2) &&
         combine(op, rewriter, "arith.muli", cake_op_operand(inner, 0), c1, c2, arith_eval_muli);
}

// A constant on the left goes to the right, with the mirrored predicate.
bool arith_cmpi_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  static const CakeIntPredicate mirrored[CAKE_CMPI_COUNT] = {
      [CAKE_CMPI_EQ] = CAKE_CMPI_EQ,   [CAKE_CMPI_NE] = CAKE_CMPI_NE,   [CAKE_CMPI_SLT] = CAKE_CMPI_SGT,
      [CAKE_CMPI_SLE] = CAKE_CMPI_SGE, [CAKE_CMPI_SGT] = CAKE_CMPI_SLT, [CAKE_CMPI_SGE] = CAKE_CMPI_SLE,
      [CAKE_CMPI_ULT] = CAKE_CMPI_UGT, [CAKE_CMPI_ULE] = CAKE_CMPI_UGE, [CAKE_CMPI_UGT] = CAKE_CMPI_ULT,
      [CAKE_CMPI_UGE] = CAKE_CMPI_ULE,
  };
  CakeValue *lhs = cake_op_operand(op, 0), *rhs = cake_op_operand(op, 1);
  if (!constant_of(lhs) || constant_of(rhs)) return false;
  int64_t predicate = predicate_of(op);
  cake_rewriter_set_operand(rewriter, op, 0, rhs);
  cake_rewriter_set_operand(rewriter, op, 1, lhs);
  cake_rewriter_set_attr_text(rewriter, op, "predicate", cake_attr_i64(op->context, (int64_t)mirrored[predicate]));
  return true;
}
