// The inputs that a contract tries a kernel with.
#include "tools/run_contract_parts.h"

#include <math.h>

uint64_t contract_random(uint64_t *state) { // SplitMix64 (Steele, Lea, Flood)
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static double uniform(uint64_t *state) {
  return (double)(contract_random(state) >> 11) * 0x1p-53;
}

// By the polar form of Box and Muller.
static double normal(uint64_t *state) {
  double a = 1 - uniform(state), b = uniform(state);
  return sqrt(-2 * log(a)) * cos(6.283185307179586 * b);
}

// Exponents of the largest and the smallest normal number.
static void exponents(const CakeRunElement *element, int *out_high, int *out_low, int *out_fraction) {
  const CakeFloatFormat *format = element->narrow;
  *out_high = element->npy == CAKE_NPY_F8 ? 1023 : 127;
  *out_low = -*out_high + 1;
  *out_fraction = element->npy == CAKE_NPY_F8 ? 52 : 23;
  if (!format) return;
  *out_high = (int)floor(log2(cake_format_decode(format, cake_format_largest(format))));
  *out_low = 1 - format->bias;
  *out_fraction = format->fraction_bits;
}

static double nonfinite(uint64_t *state) {
  uint64_t which = contract_random(state) % 24;
  return which == 0 ? NAN : which == 1 ? INFINITY : which == 2 ? -INFINITY : normal(state);
}

// Half of the exponents on either side, so that products of two stay in range.
static double one(const CakeRunElement *element, ContractInputs inputs, uint64_t *state) {
  int high, low, fraction;
  exponents(element, &high, &low, &fraction);
  switch (inputs) {
  case CONTRACT_TIES: return (double)((int64_t)(contract_random(state) % 5) - 2);
  case CONTRACT_WIDE: return ldexp(normal(state), (int)((uniform(state) - 0.5) * (high < 24 ? high : 24)));
  case CONTRACT_LARGE: return ldexp(normal(state), high / 2 - 3);
  case CONTRACT_SMALL: return ldexp(normal(state), low / 2 + 3);
  case CONTRACT_DENORMAL: return ldexp((double)((int64_t)(contract_random(state) % 15) - 7), low - fraction);
  case CONTRACT_ZEROS: return contract_random(state) & 1 ? 0.0 : -0.0;
  case CONTRACT_NONFINITE: return nonfinite(state);
  default: return normal(state);
  }
}

void contract_fill_input(CakeRunArray *array, ContractInputs inputs, uint64_t *state) {
  CakeNpyType type = array->element->npy;
  bool is_float = array->element->narrow || type == CAKE_NPY_F4 || type == CAKE_NPY_F8;
  for (size_t i = 0; i < array->count; i++) {
    double value = is_float ? one(array->element, inputs, state) : (double)((int64_t)(contract_random(state) % 9) - 4);
    if (type == CAKE_NPY_B1) value = (double)(contract_random(state) & 1);
    cake_run_store(array, i, value);
  }
}
