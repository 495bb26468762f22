// Elements, and the value of a formula over sizes.
#include "targets/nvptx/runtime/launch.h"

#include <stdarg.h>
#include <stdio.h>

bool cake_launch_refuse(CakeRuntimeError *error, const char *format, ...) {
  va_list args;
  if (!error) return false;
  va_start(args, format);
  (void)vsnprintf(error->text, sizeof error->text, format, args);
  va_end(args);
  return false;
}

size_t cake_element_bytes(CakeElement element) {
  switch (element) {
  case CAKE_ELEMENT_I1:
  case CAKE_ELEMENT_I8:
  case CAKE_ELEMENT_F8E4M3FN:
  case CAKE_ELEMENT_F8E5M2: return 1;
  case CAKE_ELEMENT_I16:
  case CAKE_ELEMENT_F16:
  case CAKE_ELEMENT_BF16: return 2;
  case CAKE_ELEMENT_I32:
  case CAKE_ELEMENT_TF32:
  case CAKE_ELEMENT_F32: return 4;
  case CAKE_ELEMENT_I64:
  case CAKE_ELEMENT_F64:
  case CAKE_ELEMENT_INDEX: return 8;
  case CAKE_ELEMENT_COUNT: break;
  }
  return 0;
}

static bool add_fits(int64_t a, int64_t b) {
  return b >= 0 ? a <= INT64_MAX - b : a >= INT64_MIN - b;
}

static bool mul_fits(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return true;
  if (a > 0) return b > 0 ? a <= INT64_MAX / b : b >= INT64_MIN / a;
  return b > 0 ? a >= INT64_MIN / b : b >= INT64_MAX / a;
}

// Rounds to minus infinity, so that the remainder has the divisor's sign.
static bool divide(int64_t a, int64_t b, int64_t *quotient, int64_t *remainder) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return false;
  *quotient = a / b;
  *remainder = a % b;
  if (*remainder != 0 && (*remainder < 0) != (b < 0)) {
    *quotient -= 1;
    *remainder += b;
  }
  return true;
}

static bool apply(CakeFormulaOp op, int64_t a, int64_t b, int64_t *out) {
  int64_t quotient = 0, remainder = 0;
  switch (op) {
  case CAKE_FORMULA_ADD: *out = add_fits(a, b) ? a + b : 0; return add_fits(a, b);
  case CAKE_FORMULA_SUB:
    if (b == INT64_MIN || !add_fits(a, -b)) return false;
    *out = a - b;
    return true;
  case CAKE_FORMULA_MUL: *out = mul_fits(a, b) ? a * b : 0; return mul_fits(a, b);
  case CAKE_FORMULA_FLOORDIV:
  case CAKE_FORMULA_CEILDIV:
  case CAKE_FORMULA_MOD:
    if (!divide(a, b, &quotient, &remainder)) return false;
    *out = op == CAKE_FORMULA_MOD ? remainder : quotient + (op == CAKE_FORMULA_CEILDIV && remainder != 0);
    return true;
  case CAKE_FORMULA_MIN: *out = a < b ? a : b; return true;
  case CAKE_FORMULA_MAX: *out = a > b ? a : b; return true;
  case CAKE_FORMULA_EQ: *out = a == b; return true;
  case CAKE_FORMULA_NE: *out = a != b; return true;
  case CAKE_FORMULA_LT: *out = a < b; return true;
  case CAKE_FORMULA_LE: *out = a <= b; return true;
  case CAKE_FORMULA_GT: *out = a > b; return true;
  case CAKE_FORMULA_GE: *out = a >= b; return true;
  case CAKE_FORMULA_AND: *out = a != 0 && b != 0; return true;
  case CAKE_FORMULA_CONST:
  case CAKE_FORMULA_SIZE:
  case CAKE_FORMULA_OP_COUNT: break;
  }
  return false;
}

bool cake_formula_eval(const CakeFormula *formula, const int64_t *sizes, uint32_t n_sizes, int64_t *out) {
  int64_t stack[CAKE_FORMULA_MAX_DEPTH];
  uint32_t depth = 0;
  for (uint32_t i = 0; i < formula->count; i++) {
    CakeFormulaStep step = formula->steps[i];
    if (step.op == CAKE_FORMULA_CONST || step.op == CAKE_FORMULA_SIZE) {
      bool is_size = step.op == CAKE_FORMULA_SIZE;
      if (depth == CAKE_FORMULA_MAX_DEPTH) return false;
      if (is_size && (step.value < 0 || step.value >= n_sizes || sizes[step.value] < 0)) return false;
      stack[depth++] = is_size ? sizes[step.value] : step.value;
      continue;
    }
    if (depth < 2 || !apply(step.op, stack[depth - 2], stack[depth - 1], &stack[depth - 2])) return false;
    depth--;
  }
  if (depth != 1) return false;
  *out = stack[0];
  return true;
}
