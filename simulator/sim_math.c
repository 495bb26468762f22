// math: elementwise functions, computed in f32 by the C library.
#include "simulator/each.h"

#include <math.h>

#define CAKE_DIALECT math
#define CAKE_ROWS "dialects/math/math.def"
#include "simulator/build_rows.h"

#define UNARY(op, expression)                                                                                          \
  static size_t each_##op(const CakeSimLanes *x, size_t count) {                                                       \
    for (size_t n = 0; n < count; n++) {                                                                               \
      float a = x->f[0][n];                                                                                            \
      x->out_f[n] = (expression);                                                                                      \
    }                                                                                                                  \
    return count;                                                                                                      \
  }                                                                                                                    \
  bool cake_sim_build_math_##op(CakeSimBuilder *builder, CakeOp *operation) {                                          \
    static const CakeSimEachRow row = {each_##op, NULL};                                                               \
    return cake_sim_build_each(builder, operation, &row, 0);                                                           \
  }

UNARY(absf, fabsf(a))
UNARY(exp, expf(a))
UNARY(exp2, exp2f(a))
UNARY(log, logf(a))
UNARY(log2, log2f(a))
UNARY(sqrt, sqrtf(a))
UNARY(rsqrt, (float)(1.0 / sqrt((double)a)))
UNARY(tanh, tanhf(a))

// In f32 a fused multiply-add. Narrower formats: products are exact in f64, and the sum is rounded there before it is rounded to the format.
static size_t each_fma(const CakeSimLanes *x, size_t count) {
  if (x->out.format == CAKE_FLOAT_F32) {
    for (size_t n = 0; n < count; n++)
      x->out_f[n] = fmaf(x->f[0][n], x->f[1][n], x->f[2][n]);
    return count;
  }
  for (size_t n = 0; n < count; n++)
    x->out_f[n] = (float)((double)x->f[0][n] * (double)x->f[1][n] + (double)x->f[2][n]);
  return count;
}

bool cake_sim_build_math_fma(CakeSimBuilder *builder, CakeOp *operation) {
  static const CakeSimEachRow row = {each_fma, NULL};
  return cake_sim_build_each(builder, operation, &row, 0);
}
