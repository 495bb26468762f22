// arith's folders: constants with the exact semantics of each width, and identities. Nothing undefined is folded.
#include <math.h>
#include <string.h>

#include "dialects/arith/arith_hooks.h"

#include "dialects/arith/arith_ops.h"

// ---- Helpers -------------------------------------------------------------------------------------------------------

bool arith_to_value(CakeFold *fold, CakeValue *value) {
  fold->values[0] = value;
  return true;
}

bool arith_to_attr(CakeFold *fold, CakeAttr attr) {
  fold->attrs[0] = attr;
  return attr != NULL;
}

bool arith_to_constants(CakeOp *op, CakeFold *fold, ArithFn fn) {
  return arith_to_attr(fold, arith_const_map(op, fold->operands, op->n_operands, op->results[0].type, fn));
}

static bool to_int(CakeOp *op, CakeFold *fold, int64_t value) {
  return arith_to_attr(fold, arith_const_splat(op->results[0].type, value));
}

static CakeValue *lhs_of(const CakeOp *op) {
  return cake_op_operand(op, 0);
}

static CakeValue *rhs_of(const CakeOp *op) {
  return cake_op_operand(op, 1);
}

static bool same_operands(const CakeOp *op) {
  return lhs_of(op) == rhs_of(op);
}

static bool rhs_is(const CakeFold *fold, int64_t value) {
  return arith_const_all(fold->operands[1], value);
}

// The op of this kind of arith that defines the value; NULL otherwise.
static CakeOp *defined_by(const CakeValue *value, int ordinal) {
  CakeOp *op = cake_value_def(value);
  return arith_is(op, ordinal) ? op : NULL;
}

static bool has_flags(const CakeOp *op, unsigned flags) {
  return (cake_attr_arith_flags(cake_op_attr_text(op, "fastmath")) & flags) == flags;
}

static int64_t smallest(unsigned width) {
  return width >= 64 ? INT64_MIN : -(INT64_C(1) << (width - 1));
}

// ---- Constants -----------------------------------------------------------------------------------------------------

bool arith_constant_fold(CakeOp *op, CakeFold *fold) {
  return arith_to_attr(fold, cake_op_prop(op, CAKE_ATTR_ROW(arith, constant, value)));
}

static bool divides_by_other_than(const CakeOp *op, bool minus_one) {
  const CakeOp *divisor = defined_by(rhs_of(op), cake_op_arith_constant);
  ArithConst constant;
  if (!divisor || !arith_const_read(cake_op_prop(divisor, CAKE_ATTR_ROW(arith, constant, value)), &constant))
    return false;
  for (int64_t i = 0; i < constant.count; i++) {
    int64_t value = arith_const_signed(&constant, i);
    if (value == 0 || (minus_one && value == -1)) return false;
  }
  return true;
}

bool arith_signed_division_is_speculatable(const CakeOp *op) {
  return divides_by_other_than(op, true);
}

bool arith_unsigned_division_is_speculatable(const CakeOp *op) {
  return divides_by_other_than(op, false);
}

// EVAL(name, whether it is defined, bits of the result), of a and b: `.bits` zero-extended, `.value` sign-extended.
#define EVAL(name, defined, result) static EVAL_AS(eval_##name, defined, result)
#define EVAL_AS(function, defined, result)                                                                             \
  bool function(const ArithEval *eval, const ArithElement *in, ArithElement *out) {                                    \
    const ArithElement a = in[0], b = in[1];                                                                           \
    (void)eval;                                                                                                        \
    if (!(defined)) return false;                                                                                      \
    out->bits = (uint64_t)(result);                                                                                    \
    return true;                                                                                                       \
  }

#define QUOTIENT_IS_DEFINED (b.value != 0 && !(b.value == -1 && a.value == smallest(eval->width)))

static int64_t floor_quotient(int64_t a, int64_t b) {
  return a / b - (a % b != 0 && (a % b < 0) != (b < 0));
}

static int64_t ceil_quotient(int64_t a, int64_t b) {
  return a / b + (a % b != 0 && (a % b < 0) == (b < 0));
}

// A shift of a signed number without relying on what C leaves to the implementation.
static int64_t shift_signed(int64_t value, uint64_t amount) {
  return value < 0 ? (int64_t)~(~(uint64_t)value >> amount) : value >> amount;
}

EVAL_AS(arith_eval_addi, true, a.bits + b.bits)
EVAL_AS(arith_eval_subi, true, a.bits - b.bits)
EVAL_AS(arith_eval_muli, true, a.bits *b.bits)
EVAL(divsi, QUOTIENT_IS_DEFINED, a.value / b.value)
EVAL(divui, b.bits != 0, a.bits / b.bits)
EVAL(remsi, QUOTIENT_IS_DEFINED, a.value % b.value)
EVAL(remui, b.bits != 0, a.bits % b.bits)
EVAL(ceildivsi, QUOTIENT_IS_DEFINED, ceil_quotient(a.value, b.value))
EVAL(ceildivui, b.bits != 0, a.bits / b.bits + (a.bits % b.bits != 0))
EVAL(floordivsi, QUOTIENT_IS_DEFINED, floor_quotient(a.value, b.value))
EVAL(andi, true, a.bits & b.bits)
EVAL(ori, true, a.bits | b.bits)
EVAL(xori, true, a.bits ^ b.bits)
EVAL(shli, b.bits < eval->width, a.bits << b.bits)
EVAL(shrsi, b.bits < eval->width, shift_signed(a.value, b.bits))
EVAL(shrui, b.bits < eval->width, a.bits >> b.bits)
EVAL(maxsi, true, a.value > b.value ? a.bits : b.bits)
EVAL(minsi, true, a.value < b.value ? a.bits : b.bits)
EVAL(maxui, true, a.bits > b.bits ? a.bits : b.bits)
EVAL(minui, true, a.bits < b.bits ? a.bits : b.bits)

// ---- Integer identities --------------------------------------------------------------------------------------------

bool arith_addi_fold(CakeOp *op, CakeFold *fold) {
  if (rhs_is(fold, 0)) return arith_to_value(fold, lhs_of(op));
  CakeOp *difference = defined_by(lhs_of(op), cake_op_arith_subi);
  if (difference && rhs_of(difference) == rhs_of(op)) return arith_to_value(fold, lhs_of(difference)); // (a - b) + b
  difference = defined_by(rhs_of(op), cake_op_arith_subi);
  if (difference && rhs_of(difference) == lhs_of(op)) return arith_to_value(fold, lhs_of(difference)); // b + (a - b)
  return arith_to_constants(op, fold, arith_eval_addi);
}

bool arith_subi_fold(CakeOp *op, CakeFold *fold) {
  if (rhs_is(fold, 0)) return arith_to_value(fold, lhs_of(op));
  if (same_operands(op)) return to_int(op, fold, 0);
  CakeOp *sum = defined_by(lhs_of(op), cake_op_arith_addi);
  if (sum && rhs_of(sum) == rhs_of(op)) return arith_to_value(fold, lhs_of(sum)); // (a + b) - b
  if (sum && lhs_of(sum) == rhs_of(op)) return arith_to_value(fold, rhs_of(sum)); // (a + b) - a
  return arith_to_constants(op, fold, arith_eval_subi);
}

bool arith_muli_fold(CakeOp *op, CakeFold *fold) {
  if (rhs_is(fold, 0)) return arith_to_value(fold, rhs_of(op));
  if (rhs_is(fold, 1)) return arith_to_value(fold, lhs_of(op));
  return arith_to_constants(op, fold, arith_eval_muli);
}

static bool fold_quotient(CakeOp *op, CakeFold *fold, ArithFn eval) {
  if (rhs_is(fold, 1) && !arith_const_all(fold->operands[1], -1))
    return arith_to_value(fold, lhs_of(op)); // in i1, 1 is -1
  return arith_to_constants(op, fold, eval);
}

// A product that does not overflow, divided by one of its factors, is the other.
static bool fold_product(const CakeOp *op, CakeFold *fold, unsigned flag) {
  CakeOp *product = defined_by(lhs_of(op), cake_op_arith_muli);
  if (!product || !(cake_attr_arith_flags(cake_op_attr_text(product, "overflowFlags")) & flag)) return false;
  if (rhs_of(product) == rhs_of(op)) return arith_to_value(fold, lhs_of(product));
  return lhs_of(product) == rhs_of(op) && arith_to_value(fold, rhs_of(product));
}

bool arith_divsi_fold(CakeOp *op, CakeFold *fold) {
  return fold_product(op, fold, CAKE_OVERFLOW_NSW) || fold_quotient(op, fold, eval_divsi);
}

bool arith_divui_fold(CakeOp *op, CakeFold *fold) {
  if (fold_product(op, fold, CAKE_OVERFLOW_NUW)) return true;
  if (rhs_is(fold, 1)) return arith_to_value(fold, lhs_of(op));
  return arith_to_constants(op, fold, eval_divui);
}

bool arith_ceildivui_fold(CakeOp *op, CakeFold *fold) {
  if (rhs_is(fold, 1)) return arith_to_value(fold, lhs_of(op));
  return arith_to_constants(op, fold, eval_ceildivui);
}

bool arith_ceildivsi_fold(CakeOp *op, CakeFold *fold) {
  return fold_quotient(op, fold, eval_ceildivsi);
}

bool arith_floordivsi_fold(CakeOp *op, CakeFold *fold) {
  return fold_quotient(op, fold, eval_floordivsi);
}

bool arith_remsi_fold(CakeOp *op, CakeFold *fold) {
  if (rhs_is(fold, 1)) return to_int(op, fold, 0);
  return arith_to_constants(op, fold, eval_remsi);
}

bool arith_remui_fold(CakeOp *op, CakeFold *fold) {
  if (rhs_is(fold, 1)) return to_int(op, fold, 0);
  return arith_to_constants(op, fold, eval_remui);
}

bool arith_andi_fold(CakeOp *op, CakeFold *fold) {
  if (rhs_is(fold, 0)) return arith_to_value(fold, rhs_of(op));
  if (rhs_is(fold, -1) || same_operands(op)) return arith_to_value(fold, lhs_of(op));
  for (uint32_t i = 0; i < 2; i++) {
    CakeOp *inner = defined_by(cake_op_operand(op, i), cake_op_arith_andi);
    CakeValue *other = cake_op_operand(op, 1 - i);
    if (inner && (lhs_of(inner) == other || rhs_of(inner) == other))
      return arith_to_value(fold, cake_op_operand(op, i)); // (a & b) & b
  }
  return arith_to_constants(op, fold, eval_andi);
}

bool arith_ori_fold(CakeOp *op, CakeFold *fold) {
  if (rhs_is(fold, -1)) return arith_to_value(fold, rhs_of(op));
  if (rhs_is(fold, 0) || same_operands(op)) return arith_to_value(fold, lhs_of(op));
  return arith_to_constants(op, fold, eval_ori);
}

bool arith_xori_fold(CakeOp *op, CakeFold *fold) {
  if (rhs_is(fold, 0)) return arith_to_value(fold, lhs_of(op));
  if (same_operands(op)) return to_int(op, fold, 0);
  for (uint32_t i = 0; i < 2; i++) {
    CakeOp *inner = defined_by(cake_op_operand(op, i), cake_op_arith_xori);
    CakeValue *other = cake_op_operand(op, 1 - i);
    if (inner && rhs_of(inner) == other) return arith_to_value(fold, lhs_of(inner)); // (a ^ b) ^ b
    if (inner && lhs_of(inner) == other) return arith_to_value(fold, rhs_of(inner)); // (a ^ b) ^ a
  }
  return arith_to_constants(op, fold, eval_xori);
}

static bool fold_shift(CakeOp *op, CakeFold *fold, ArithFn eval) {
  if (rhs_is(fold, 0)) return arith_to_value(fold, lhs_of(op));
  return arith_to_constants(op, fold, eval);
}

bool arith_shli_fold(CakeOp *op, CakeFold *fold) {
  return fold_shift(op, fold, eval_shli);
}

bool arith_shrsi_fold(CakeOp *op, CakeFold *fold) {
  return fold_shift(op, fold, eval_shrsi);
}

bool arith_shrui_fold(CakeOp *op, CakeFold *fold) {
  return fold_shift(op, fold, eval_shrui);
}

// The smaller or larger of two: `absorbing` wins over everything, `neutral` over nothing.
static bool fold_extreme(CakeOp *op, CakeFold *fold, int64_t absorbing, int64_t neutral, ArithFn eval) {
  if (same_operands(op) || rhs_is(fold, neutral)) return arith_to_value(fold, lhs_of(op));
  if (rhs_is(fold, absorbing)) return arith_to_value(fold, rhs_of(op));
  return arith_to_constants(op, fold, eval);
}

static unsigned width_of(const CakeOp *op) {
  CakeType element = cake_type_element(op->results[0].type);
  return cake_type_is_index(element) ? 64 : cake_type_width(element);
}

bool arith_maxsi_fold(CakeOp *op, CakeFold *fold) {
  return fold_extreme(op, fold, ~smallest(width_of(op)), smallest(width_of(op)), eval_maxsi);
}

bool arith_minsi_fold(CakeOp *op, CakeFold *fold) {
  return fold_extreme(op, fold, smallest(width_of(op)), ~smallest(width_of(op)), eval_minsi);
}

bool arith_maxui_fold(CakeOp *op, CakeFold *fold) {
  return fold_extreme(op, fold, -1, 0, eval_maxui);
}

bool arith_minui_fold(CakeOp *op, CakeFold *fold) {
  return fold_extreme(op, fold, 0, -1, eval_minui);
}

// ---- Two results ---------------------------------------------------------------------------------------------------

EVAL(carry, true, eval->width == 64 ? a.bits + b.bits < a.bits : (a.bits + b.bits) >> eval->width)

// The high 64 bits of a product of 128.
static uint64_t high_product(uint64_t a, uint64_t b) {
  uint64_t a_low = (uint32_t)a, a_high = a >> 32, b_low = (uint32_t)b, b_high = b >> 32;
  uint64_t middle = a_high * b_low + (a_low * b_low >> 32), other = a_low * b_high + (uint32_t)middle;
  return a_high * b_high + (middle >> 32) + (other >> 32);
}

// Bits `width` and up of the product; a negative factor counts 2^64 too much, times the other one.
static uint64_t high_bits(unsigned width, const ArithElement *a, const ArithElement *b, bool is_signed) {
  uint64_t x = is_signed ? (uint64_t)a->value : a->bits, y = is_signed ? (uint64_t)b->value : b->bits;
  uint64_t high = high_product(x, y);
  if (is_signed) high -= (a->value < 0 ? y : 0) + (b->value < 0 ? x : 0);
  return width == 64 ? high : high << (64 - width) | x * y >> width;
}

EVAL(high_unsigned, true, high_bits(eval->width, &a, &b, false))
EVAL(high_signed, true, high_bits(eval->width, &a, &b, true))

static bool to_two_constants(CakeOp *op, CakeFold *fold, ArithFn first, ArithFn second) {
  const ArithFn fns[] = {first, second};
  for (uint32_t i = 0; i < CAKE_COUNT(fns); i++) {
    fold->attrs[i] = arith_const_map(op, fold->operands, op->n_operands, op->results[i].type, fns[i]);
    if (!fold->attrs[i]) return false;
  }
  return true;
}

// Both results are 0 where an operand is.
static bool fold_product_by_zero(CakeFold *fold) {
  if (!rhs_is(fold, 0)) return false;
  fold->attrs[0] = fold->attrs[1] = fold->operands[1];
  return true;
}

bool arith_addui_extended_fold(CakeOp *op, CakeFold *fold) {
  if (!rhs_is(fold, 0)) return to_two_constants(op, fold, arith_eval_addi, eval_carry);
  fold->values[0] = lhs_of(op);
  fold->attrs[1] = arith_const_splat(op->results[1].type, 0);
  return fold->attrs[1] != NULL;
}

bool arith_mulsi_extended_fold(CakeOp *op, CakeFold *fold) {
  return fold_product_by_zero(fold) || to_two_constants(op, fold, arith_eval_muli, eval_high_signed);
}

bool arith_mului_extended_fold(CakeOp *op, CakeFold *fold) {
  if (fold_product_by_zero(fold)) return true;
  if (!rhs_is(fold, 1)) return to_two_constants(op, fold, arith_eval_muli, eval_high_unsigned);
  fold->values[0] = lhs_of(op);
  fold->attrs[1] = arith_const_splat(op->results[1].type, 0);
  return fold->attrs[1] != NULL;
}

// ---- Floats --------------------------------------------------------------------------------------------------------

// Double holds more than twice the digits of f32 and narrower types, so that rounding its result once more is exact.
#define EVAL_FLOAT(name, result)                                                                                       \
  static bool eval_##name(const ArithEval *eval, const ArithElement *in, ArithElement *out) {                          \
    const double a = in[0].number, b = in[1].number;                                                                   \
    (void)eval;                                                                                                        \
    out->number = settled(a, b, result);                                                                               \
    return true;                                                                                                       \
  }

// A NaN of an operand goes on as a quiet one. One that arises has no sign, which differs from machine to machine.
static double settled(double a, double b, double result) {
  if (!isnan(result)) return result;
  return isnan(a) || isnan(b) ? result + 0.0 : fabs((double)NAN);
}

static bool is_signaling(double number) {
  uint64_t bits;
  memcpy(&bits, &number, sizeof bits);
  return isnan(number) && !(bits >> 51 & 1);
}

// Whether a signaling NaN gives the other operand differs from machine to machine.
#define EVAL_NUMBER(name, better)                                                                                      \
  static bool eval_##name(const ArithEval *eval, const ArithElement *in, ArithElement *out) {                          \
    const double a = in[0].number, b = in[1].number;                                                                   \
    (void)eval;                                                                                                        \
    out->number = isnan(a) ? b : isnan(b) ? a : better(a, b);                                                          \
    return !is_signaling(a) && !is_signaling(b);                                                                       \
  }

static double larger(double a, double b) {
  if (a == b) return signbit(a) ? b : a; // +0 is larger than -0
  return a > b ? a : b;
}

static double smaller(double a, double b) {
  if (a == b) return signbit(a) ? a : b;
  return a < b ? a : b;
}

EVAL_FLOAT(addf, a + b)
EVAL_FLOAT(subf, a - b)
EVAL_FLOAT(mulf, a *b)
EVAL_FLOAT(divf, a / b)
EVAL_FLOAT(remf, fmod(a, b))
EVAL_FLOAT(maximumf, isnan(a) ? a : isnan(b) ? b : larger(a, b))
EVAL_FLOAT(minimumf, isnan(a) ? a : isnan(b) ? b : smaller(a, b))
EVAL_NUMBER(maxnumf, larger)
EVAL_NUMBER(minnumf, smaller)

static bool rhs_is_float(const CakeFold *fold, double value) {
  return arith_const_all_float(fold->operands[1], value);
}

bool arith_addf_fold(CakeOp *op, CakeFold *fold) {
  if (rhs_is_float(fold, -0.0)) return arith_to_value(fold, lhs_of(op)); // x + 0 is not x for -0
  if (has_flags(op, CAKE_FASTMATH_NSZ) && rhs_is_float(fold, 0.0)) return arith_to_value(fold, lhs_of(op));
  return arith_to_constants(op, fold, eval_addf);
}

bool arith_subf_fold(CakeOp *op, CakeFold *fold) {
  if (rhs_is_float(fold, 0.0)) return arith_to_value(fold, lhs_of(op));
  if (has_flags(op, CAKE_FASTMATH_NSZ) && rhs_is_float(fold, -0.0)) return arith_to_value(fold, lhs_of(op));
  return arith_to_constants(op, fold, eval_subf);
}

bool arith_mulf_fold(CakeOp *op, CakeFold *fold) {
  if (rhs_is_float(fold, 1.0)) return arith_to_value(fold, lhs_of(op));
  if (has_flags(op, CAKE_FASTMATH_NNAN | CAKE_FASTMATH_NSZ) && (rhs_is_float(fold, 0.0) || rhs_is_float(fold, -0.0)))
    return arith_to_value(fold, rhs_of(op));
  return arith_to_constants(op, fold, eval_mulf);
}

bool arith_remf_fold(CakeOp *op, CakeFold *fold) {
  return arith_to_constants(op, fold, eval_remf);
}

bool arith_divf_fold(CakeOp *op, CakeFold *fold) {
  if (rhs_is_float(fold, 1.0)) return arith_to_value(fold, lhs_of(op));
  return arith_to_constants(op, fold, eval_divf);
}

static bool fold_float_extreme(CakeOp *op, CakeFold *fold, ArithFn eval) {
  if (same_operands(op)) return arith_to_value(fold, lhs_of(op));
  return arith_to_constants(op, fold, eval);
}

bool arith_maximumf_fold(CakeOp *op, CakeFold *fold) {
  if (rhs_is_float(fold, -(double)INFINITY)) return arith_to_value(fold, lhs_of(op));
  return fold_float_extreme(op, fold, eval_maximumf);
}

bool arith_minimumf_fold(CakeOp *op, CakeFold *fold) {
  if (rhs_is_float(fold, (double)INFINITY)) return arith_to_value(fold, lhs_of(op));
  return fold_float_extreme(op, fold, eval_minimumf);
}

bool arith_maxnumf_fold(CakeOp *op, CakeFold *fold) {
  if (arith_const_all_nan(fold->operands[1])) return arith_to_value(fold, lhs_of(op));
  return fold_float_extreme(op, fold, eval_maxnumf);
}

bool arith_minnumf_fold(CakeOp *op, CakeFold *fold) {
  if (arith_const_all_nan(fold->operands[1])) return arith_to_value(fold, lhs_of(op));
  return fold_float_extreme(op, fold, eval_minnumf);
}

static bool eval_negf(const ArithEval *eval, const ArithElement *in, ArithElement *out) {
  (void)eval;
  out->number = -in[0].number;
  return true;
}

bool arith_negf_fold(CakeOp *op, CakeFold *fold) {
  CakeOp *inner = defined_by(lhs_of(op), cake_op_arith_negf);
  if (inner) return arith_to_value(fold, lhs_of(inner));
  return arith_to_constants(op, fold, eval_negf);
}
