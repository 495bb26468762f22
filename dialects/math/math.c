// math: the dialect's table and folders. Only correctly rounded functions are folded; the others differ from machine to machine.
#include "dialects/math/math_ops.h"

#include <math.h>

#include "dialects/arith/arith.h"

static bool absolute(const double *in, size_t n, double *out) {
  (void)n;
  *out = fabs(in[0]);
  return true;
}

static bool square_root(const double *in, size_t n, double *out) {
  (void)n;
  *out = sqrt(in[0]);
  return in[0] >= 0 || isnan(in[0]);
}

// The product of two floats of at most 24 digits is exact in double; the sum is, too, when fma says that nothing was lost.
static bool fused(const double *in, size_t n, double *out) {
  (void)n;
  *out = fma(in[0], in[1], in[2]);
  double product = in[0] * in[1];
  bool is_exact = fma(in[0], in[1], -product) == 0 && product + in[2] == *out && (*out - product) == in[2] &&
                  (*out - in[2]) == product;
  return is_exact;
}

static bool fused_double(const double *in, size_t n, double *out) {
  (void)n;
  *out = fma(in[0], in[1], in[2]);
  return true;
}

static bool fold_with(CakeOp *op, CakeFold *fold, CakeFoldFloats fn) {
  fold->attrs[0] = cake_fold_floats(fold->operands, op->n_operands, op->results[0].type, fn);
  return fold->attrs[0] != NULL;
}

static bool math_absf_fold(CakeOp *op, CakeFold *fold) {
  CakeOp *inner = cake_value_def(cake_op_operand(op, 0));
  if (inner && inner->info == op->info) { // |(|x|)|
    fold->values[0] = cake_op_operand(op, 0);
    return true;
  }
  return fold_with(op, fold, absolute);
}

static bool math_sqrt_fold(CakeOp *op, CakeFold *fold) {
  return fold_with(op, fold, square_root);
}

static bool math_fma_fold(CakeOp *op, CakeFold *fold) {
  bool is_double = cake_type_is_float(cake_type_element(op->results[0].type), CAKE_FLOAT_F64);
  return fold_with(op, fold, is_double ? fused_double : fused);
}

#define CAKE_ROWS "dialects/math/math.def"
#define CAKE_DIALECT math
#define CAKE_ROWS_TABLE
#include "cake/dialect_rows.h"

const CakeDialectDef cake_dialect_math = {
    .name = "math",
    .summary = "Functions of floats, elementwise on vectors and tensors.",
    .ops = cake_ops_math,
    .n_ops = CAKE_COUNT(cake_ops_math),
    .directives = &cake_arith_flags_directive,
    .n_directives = 1,
};
