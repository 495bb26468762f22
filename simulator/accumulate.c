// How matrix instructions add, as docs/accumulation.md found it on an H200: the products of a group and the accumulator are aligned to the largest
// exponent among them, cut to some bits below it, summed exactly, and the sum is cut to the bits that are kept. Cut is toward zero. The exponent of
// a product is the sum of its factors' exponents. (Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor cores", 2021, found the
// like on older chips.)
//
// Where no bit can be lost so, sums are computed in f32. Infinities and NaN are added one by one in f32: which NaN comes out is open.
#include "simulator/build.h"

#include <math.h>
#include <string.h>

CakeSimSums cake_sim_sums_of(CakeSimElement element, bool is_tf32) {
  switch (element.format) {
  case CAKE_FLOAT_F16:
  case CAKE_FLOAT_BF16: return (CakeSimSums){16, 25, 23};
  case CAKE_FLOAT_F32: return is_tf32 ? (CakeSimSums){8, 25, 23} : (CakeSimSums){0};
  case CAKE_FLOAT_F64: return (CakeSimSums){0};
  default: return (CakeSimSums){32, 13, 13};
  }
}

// ---- Numbers as integers ---------------------------------------------------------------------------------------------------

enum { COLUMNS = 16, MAX_GROUP = 32, FRACTION = 23, FACTOR = 10, TINY = -4096, INFINITE = 128 };

// mantissa · 2^(exponent - FRACTION); zero has exponent TINY.
typedef struct Number {
  int32_t mantissa, exponent;
} Number;

static Number number_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  int32_t mantissa = (int32_t)(bits & 0x7fffff), exponent = (int32_t)(bits >> 23 & 0xff) - 127;
  if (exponent == -127) {
    if (mantissa == 0) return (Number){0, TINY};
    for (exponent = -126; mantissa < 1 << FRACTION; exponent--)
      mantissa *= 2;
  } else {
    mantissa |= 1 << FRACTION;
  }
  return (Number){bits >> 31 ? -mantissa : mantissa, exponent};
}

// 2^exponent, which must be a normal number of fp64.
static double power_of_two(int exponent) {
  uint64_t bits = (uint64_t)(exponent + 1023) << 52;
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// The float nearest to sum · 2^unit toward zero with so many bits behind its first; the sum is an integer.
static float float_of(double sum, int unit, int kept) {
  uint64_t bits, magnitude = (uint64_t)fabs(sum);
  memcpy(&bits, &sum, sizeof bits);
  int first = (int)(bits >> 52 & 0x7ff) - 1023, dropped = first > kept ? first - kept : 0;
  if (dropped + unit < -149) dropped = -149 - unit;
  magnitude = dropped < 64 ? magnitude >> dropped : 0;
  double value = magnitude ? (double)magnitude * power_of_two(unit + dropped) : 0;
  return (float)(sum < 0 ? -value : value);
}

// ---- Sums that lose nothing ------------------------------------------------------------------------------------------------

// Exponents of the largest value and of the lowest bit of any; TINY and INFINITE where all are 0.
typedef struct Span {
  int low, high;
} Span;

// False: not all are finite, or they span more bits than that.
static bool span_of(const float *values, size_t count, int bits, Span *out) {
  *out = (Span){INFINITE, TINY};
  for (size_t i = 0; i < count; i++) {
    Number number = number_of(values[i]);
    if (number.exponent == INFINITE) return false;
    if (number.mantissa == 0) continue;
    if (number.exponent > out->high) out->high = number.exponent;
    int32_t bit = number.mantissa & -number.mantissa;
    int lowest = number.exponent - FRACTION + number_of((float)bit).exponent;
    if (lowest < out->low) out->low = lowest;
    if (out->high - out->low >= bits) return false;
  }
  return true;
}

static bool is_zero(const float *values, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (values[i] != 0) return false;
  return true;
}

static bool is_finite(const float *values, int64_t count) {
  for (int64_t i = 0; i < count; i++)
    if (!isfinite(values[i])) return false;
  return true;
}

// Whether every sum is exact with so many bits, in any order.
static bool is_exact(const float *acc, const float *a, const float *b, int64_t m, int64_t n, int64_t k, int bits) {
  Span of_acc, of_a, of_b;
  int carry = 2;
  if (is_zero(a, m * k) || is_zero(b, k * n))
    return is_finite(acc, m * n) && is_finite(a, m * k) && is_finite(b, k * n);
  if (!span_of(acc, (size_t)(m * n), bits, &of_acc) || !span_of(a, (size_t)(m * k), bits, &of_a) ||
      !span_of(b, (size_t)(k * n), bits, &of_b))
    return false;
  for (int64_t terms = k; terms > 0; terms /= 2)
    carry++;
  int low = of_a.low + of_b.low, high = of_a.high + of_b.high + 1;
  if (of_acc.low < low) low = of_acc.low;
  if (of_acc.high > high) high = of_acc.high;
  return low >= -126 && high + carry < 127 && high + carry - low < bits;
}

static void add_block(float *restrict acc, const float *restrict a, const float *restrict b, int64_t n, int64_t k) {
  float sum[COLUMNS];
  memcpy(sum, acc, sizeof sum);
  for (int64_t p = 0; p < k; p++, b += n)
    for (int q = 0; q < COLUMNS; q++)
      sum[q] += a[p] * b[q];
  memcpy(acc, sum, sizeof sum);
}

static float add_each(float sum, const float *a, const float *b, int64_t n, int64_t k) {
  for (int64_t p = 0; p < k; p++)
    sum = fmaf(a[p], b[p * n], sum);
  return sum;
}

// Products of short factors are exact in f32: a multiplication and an addition do then.
static void multiply_exact(float *acc, const float *a, const float *b, int64_t m, int64_t n, int64_t k) {
  int64_t blocked = n / COLUMNS * COLUMNS;
  for (int64_t i = 0; i < m; i++, acc += n, a += k) {
    for (int64_t j = 0; j < blocked; j += COLUMNS)
      add_block(acc + j, a, b + j, n, k);
    for (int64_t j = blocked; j < n; j++)
      acc[j] = add_each(acc[j], a, b + j, n, k);
  }
}

// ---- Sums that are cut -----------------------------------------------------------------------------------------------------

// A factor with FACTOR bits behind its first.
typedef struct Factor {
  double value;
  int32_t exponent;
} Factor;

// A group of some columns of B: of each k a row. Columns that are not there hold zeros.
typedef struct Block {
  double value[MAX_GROUP][COLUMNS];
  int32_t exponent[MAX_GROUP][COLUMNS];
  int64_t depth, columns;
  bool is_finite, is_zero;
} Block;

static Factor factor_of(float value) {
  Number number = number_of(value);
  if (number.mantissa == 0) return (Factor){0, TINY};
  double mantissa = number.mantissa / (1 << (FRACTION - FACTOR));
  return (Factor){mantissa * power_of_two(number.exponent - FACTOR), number.exponent};
}

static void load_block(const float *b, int64_t n, Block *block) {
  block->is_finite = block->is_zero = true;
  for (int64_t p = 0; p < block->depth; p++)
    for (int64_t j = 0; j < COLUMNS; j++) {
      Factor factor = j < block->columns ? factor_of(b[p * n + j]) : (Factor){0, TINY};
      block->value[p][j] = factor.value;
      block->exponent[p][j] = factor.exponent;
      block->is_finite = block->is_finite && factor.exponent != INFINITE;
      block->is_zero = block->is_zero && factor.value == 0;
    }
}

static bool load_row(const float *a, int64_t depth, Factor *row) {
  bool is_finite = true;
  for (int64_t p = 0; p < depth; p++) {
    row[p] = factor_of(a[p]);
    is_finite = is_finite && row[p].exponent != INFINITE;
  }
  return is_finite;
}

// The largest exponent among a column's products and its accumulator.
static void find_largest(const float *acc, const Factor *row, const Block *block, int32_t *restrict largest) {
  for (int j = 0; j < COLUMNS; j++)
    largest[j] = number_of(acc[j]).exponent;
  for (int64_t p = 0; p < block->depth; p++) {
    int32_t own = row[p].exponent;
    for (int j = 0; j < COLUMNS; j++) {
      int32_t exponent = own + block->exponent[p][j];
      largest[j] = exponent > largest[j] ? exponent : largest[j];
    }
  }
}

// Terms in units of 2^(largest - aligned), less than 2^(aligned + 2), so that an int32_t holds them and fp64 their sum.
static void sum_columns(CakeSimSums sums, float *restrict acc, const Factor *restrict row,
                        const Block *restrict block) {
  int32_t largest[COLUMNS];
  double scale[COLUMNS], sum[COLUMNS];
  find_largest(acc, row, block, largest);
  for (int j = 0; j < COLUMNS; j++) {
    scale[j] = largest[j] > TINY + INFINITE ? power_of_two(sums.aligned - largest[j]) : 1;
    sum[j] = (double)(int32_t)((double)acc[j] * scale[j]);
  }
  for (int64_t p = 0; p < block->depth; p++) {
    double own = row[p].value;
    for (int j = 0; j < COLUMNS; j++)
      sum[j] += (double)(int32_t)(own * block->value[p][j] * scale[j]);
  }
  for (int j = 0; j < COLUMNS; j++)
    if (largest[j] > TINY + INFINITE) acc[j] = float_of(sum[j], largest[j] - sums.aligned, sums.kept);
}

// Whether sums of 0 leave every accumulator as it is: finite, and with no more bits than are kept.
static bool is_kept(CakeSimSums sums, const float *acc, int64_t columns) {
  uint32_t beyond = (UINT32_C(1) << (FRACTION - sums.kept)) - 1;
  for (int64_t j = 0; j < columns; j++) {
    uint32_t bits;
    memcpy(&bits, &acc[j], sizeof bits);
    if (!isfinite(acc[j]) || (bits & beyond)) return false;
  }
  return true;
}

static void multiply_row(CakeSimSums sums, float *acc, const float *a, const float *b, int64_t n, const Block *block) {
  Factor row[MAX_GROUP];
  float sum[COLUMNS] = {0};
  bool is_finite = load_row(a, block->depth, row) && block->is_finite;
  if (is_finite && (block->is_zero || is_zero(a, block->depth)) && is_kept(sums, acc, block->columns)) return;
  for (int64_t j = 0; is_finite && j < block->columns; j++)
    sum[j] = isfinite(acc[j]) ? acc[j] : 0;
  if (is_finite) sum_columns(sums, sum, row, block);
  for (int64_t j = 0; j < block->columns; j++)
    acc[j] = is_finite && isfinite(acc[j]) ? sum[j] : add_each(acc[j], a, b + j, n, block->depth);
}

// Whether no sum changes: every product is 0, and no sum is -0, to which 0 may be added, or not finite.
static bool is_nothing(const float *acc, const float *a, const float *b, int64_t m, int64_t n, int64_t k) {
  bool is_a = is_zero(a, m * k) && is_finite(b, k * n), is_b = !is_a && is_zero(b, k * n) && is_finite(a, m * k);
  if (!is_a && !is_b) return false;
  for (int64_t i = 0; i < m * n; i++)
    if (!isfinite(acc[i]) || (acc[i] == 0 && signbit(acc[i]))) return false;
  return true;
}

void cake_sim_multiply(CakeSimSums sums, float *acc, const float *a, const float *b, int64_t m, int64_t n, int64_t k) {
  if (sums.group == 0) {
    for (int64_t i = 0; i < m; i++)
      for (int64_t j = 0; j < n; j++)
        acc[i * n + j] = add_each(acc[i * n + j], a + i * k, b + j, n, k);
    return;
  }
  if (is_nothing(acc, a, b, m, n, k)) return;
  if (is_exact(acc, a, b, m, n, k, sums.kept)) {
    multiply_exact(acc, a, b, m, n, k);
    return;
  }
  Block block;
  for (int64_t j = 0; j < n; j += COLUMNS)
    for (int64_t p = 0; p < k; p += sums.group) {
      block.columns = n - j < COLUMNS ? n - j : COLUMNS;
      block.depth = k - p < sums.group ? k - p : sums.group;
      load_block(b + p * n + j, n, &block);
      for (int64_t i = 0; i < m; i++)
        multiply_row(sums, acc + i * n + j, a + i * k + p, b + p * n + j, n, &block);
    }
}
