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

// The float nearest to sum · 2^unit toward zero with so many bits behind its first.
static float float_of(int64_t sum, int unit, int kept) {
  uint64_t magnitude = sum < 0 ? (uint64_t)-sum : (uint64_t)sum;
  int dropped = 0;
  while (dropped < 64 && (magnitude >> dropped >> (kept + 1) || (magnitude && dropped + unit < -149)))
    dropped++;
  magnitude = dropped < 64 ? magnitude >> dropped : 0;
  double value = ldexp((double)magnitude, unit + dropped);
  return (float)(sum < 0 ? -value : value);
}

// ---- Sums that lose nothing ------------------------------------------------------------------------------------------------

// Exponents of the largest value and of the lowest bit of any; false: not all are finite.
static bool span_of(const float *values, size_t count, int *low, int *high) {
  *low = INFINITE;
  *high = TINY;
  for (size_t i = 0; i < count; i++) {
    Number number = number_of(values[i]);
    if (number.exponent == INFINITE) return false;
    if (number.mantissa == 0) continue;
    if (number.exponent > *high) *high = number.exponent;
    int32_t bit = number.mantissa & -number.mantissa;
    int lowest = number.exponent - FRACTION + number_of((float)bit).exponent;
    if (lowest < *low) *low = lowest;
  }
  return true;
}

// Whether every sum is exact with so many bits, in any order.
static bool is_exact(const float *acc, const float *a, const float *b, int64_t m, int64_t n, int64_t k, int bits) {
  int low_a, high_a, low_b, high_b, low, high, carry = 2;
  if (!span_of(a, (size_t)(m * k), &low_a, &high_a) || !span_of(b, (size_t)(k * n), &low_b, &high_b) ||
      !span_of(acc, (size_t)(m * n), &low, &high))
    return false;
  if (high_a == TINY || high_b == TINY) return true; // no product
  for (int64_t terms = k; terms > 0; terms /= 2)
    carry++;
  if (low_a + low_b < low) low = low_a + low_b;
  if (high_a + high_b + 1 > high) high = high_a + high_b + 1;
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

// A group of some columns of B: of each k a row. Factors have FACTOR bits behind their first.
typedef struct Block {
  int32_t mantissa[MAX_GROUP][COLUMNS], exponent[MAX_GROUP][COLUMNS];
  int64_t depth, columns;
  bool is_finite;
} Block;

static void load_block(const float *b, int64_t n, Block *block) {
  block->is_finite = true;
  for (int64_t p = 0; p < block->depth; p++)
    for (int64_t j = 0; j < block->columns; j++) {
      Number number = number_of(b[p * n + j]);
      block->mantissa[p][j] = number.mantissa / (1 << (FRACTION - FACTOR));
      block->exponent[p][j] = number.exponent;
      block->is_finite = block->is_finite && number.exponent != INFINITE;
    }
}

static int64_t cut(int64_t value, int places) {
  uint64_t magnitude = value < 0 ? (uint64_t)-value : (uint64_t)value;
  magnitude = places < 64 ? magnitude >> places : 0;
  return value < 0 ? -(int64_t)magnitude : (int64_t)magnitude;
}

// Both in units of 2^(largest - 2 · FRACTION), then cut to those of 2^(largest - aligned).
static float sum_column(CakeSimSums sums, float acc, const Number *row, const Block *block, int64_t j) {
  Number old = number_of(acc);
  int largest = old.exponent, to_unit = 2 * FRACTION - sums.aligned;
  for (int64_t p = 0; p < block->depth; p++) {
    int exponent = row[p].exponent + block->exponent[p][j];
    if (exponent > largest) largest = exponent;
  }
  if (largest <= TINY + INFINITE) return acc;
  int64_t sum = cut((int64_t)old.mantissa * (INT64_C(1) << FRACTION), largest - old.exponent + to_unit);
  for (int64_t p = 0; p < block->depth; p++) {
    int64_t product = (int64_t)row[p].mantissa * block->mantissa[p][j] * (INT64_C(1) << 2 * (FRACTION - FACTOR));
    sum += cut(product, largest - row[p].exponent - block->exponent[p][j] + to_unit);
  }
  return float_of(sum, largest - sums.aligned, sums.kept);
}

static bool load_row(const float *a, int64_t depth, Number *row) {
  bool is_finite = true;
  for (int64_t p = 0; p < depth; p++) {
    row[p] = number_of(a[p]);
    row[p].mantissa /= 1 << (FRACTION - FACTOR);
    is_finite = is_finite && row[p].exponent != INFINITE;
  }
  return is_finite;
}

static void multiply_group(CakeSimSums sums, float *acc, const float *a, const float *b, int64_t m, int64_t n,
                           int64_t k, Block *block) {
  load_block(b, n, block);
  for (int64_t i = 0; i < m; i++, acc += n, a += k) {
    Number row[MAX_GROUP];
    bool is_finite = load_row(a, block->depth, row) && block->is_finite;
    for (int64_t j = 0; j < block->columns; j++)
      acc[j] = is_finite && isfinite(acc[j]) ? sum_column(sums, acc[j], row, block, j)
                                             : add_each(acc[j], a, b + j, n, block->depth);
  }
}

void cake_sim_multiply(CakeSimSums sums, float *acc, const float *a, const float *b, int64_t m, int64_t n, int64_t k) {
  if (sums.group == 0) {
    for (int64_t i = 0; i < m; i++)
      for (int64_t j = 0; j < n; j++)
        acc[i * n + j] = add_each(acc[i * n + j], a + i * k, b + j, n, k);
    return;
  }
  if (is_exact(acc, a, b, m, n, k, sums.kept)) {
    multiply_exact(acc, a, b, m, n, k);
    return;
  }
  Block block;
  for (int64_t j = 0; j < n; j += COLUMNS)
    for (int64_t p = 0; p < k; p += sums.group) {
      block.columns = n - j < COLUMNS ? n - j : COLUMNS;
      block.depth = k - p < sums.group ? k - p : sums.group;
      multiply_group(sums, acc + j, a + p, b + p * n + j, m, n, k, &block);
    }
}
