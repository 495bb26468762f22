// Narrow floating-point numbers. Everything goes through one encoder from double, in which all formats are exact.
#include "cake/float.h"

const CakeFloatFormat cake_format_f16 = {"f16", 5, 10, 15, CAKE_SPECIALS_IEEE};
const CakeFloatFormat cake_format_bf16 = {"bf16", 8, 7, 127, CAKE_SPECIALS_IEEE};
const CakeFloatFormat cake_format_tf32 = {"tf32", 8, 10, 127, CAKE_SPECIALS_IEEE};
const CakeFloatFormat cake_format_e4m3 = {"e4m3", 4, 3, 7, CAKE_SPECIALS_NAN};
const CakeFloatFormat cake_format_e5m2 = {"e5m2", 5, 2, 15, CAKE_SPECIALS_IEEE};
const CakeFloatFormat cake_format_e3m2 = {"e3m2", 3, 2, 3, CAKE_SPECIALS_FINITE};
const CakeFloatFormat cake_format_e2m3 = {"e2m3", 2, 3, 1, CAKE_SPECIALS_FINITE};
const CakeFloatFormat cake_format_e2m1 = {"e2m1", 2, 1, 1, CAKE_SPECIALS_FINITE};

enum { F64_FRACTION = 52, F64_BIAS = 1023, F64_EXPONENT_MASK = 0x7ff };

static uint64_t f64_bits(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double f64_from_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// Every bit but the sign: the canonical NaN of formats that have one.
static uint32_t all_ones(const CakeFloatFormat *format) {
  return (1u << (format->exponent_bits + format->fraction_bits)) - 1u;
}

static uint32_t infinity(const CakeFloatFormat *format) {
  return all_ones(format) & ~((1u << format->fraction_bits) - 1u);
}

uint32_t cake_format_largest(const CakeFloatFormat *format) {
  switch (format->specials) {
  case CAKE_SPECIALS_IEEE: return infinity(format) - 1u;
  case CAKE_SPECIALS_NAN: return all_ones(format) - 1u;
  case CAKE_SPECIALS_FINITE:
  case CAKE_SPECIALS_FNUZ: break;
  }
  return all_ones(format);
}

static uint32_t nan_code(const CakeFloatFormat *format) {
  return format->specials == CAKE_SPECIALS_FNUZ ? all_ones(format) + 1u : all_ones(format);
}

static uint32_t overflow_code(const CakeFloatFormat *format, CakeFloatOverflow overflow, uint32_t sign) {
  if (overflow == CAKE_OVERFLOW_SATURATE || format->specials == CAKE_SPECIALS_FINITE)
    return sign | cake_format_largest(format);
  return sign | (format->specials == CAKE_SPECIALS_IEEE ? infinity(format) : nan_code(format));
}

static uint32_t signed_code(const CakeFloatFormat *format, uint32_t sign, uint32_t magnitude) {
  return magnitude || format->specials != CAKE_SPECIALS_FNUZ ? sign | magnitude : 0;
}

// Drops the `drop` low bits, to nearest, ties to even.
static uint64_t round_shift(uint64_t significand, unsigned drop) {
  if (drop > F64_FRACTION + 1) return 0; // below half of the smallest subnormal
  uint64_t kept = significand >> drop;
  uint64_t rest = significand & ((UINT64_C(1) << drop) - 1u);
  uint64_t half = UINT64_C(1) << (drop - 1u);
  return kept + (rest > half || (rest == half && (kept & 1u)));
}

uint32_t cake_format_encode(const CakeFloatFormat *format, double value, CakeFloatOverflow overflow) {
  uint64_t bits = f64_bits(value);
  uint32_t sign = (uint32_t)(bits >> 63) << (format->exponent_bits + format->fraction_bits);
  int exponent = (int)(bits >> F64_FRACTION & F64_EXPONENT_MASK);
  uint64_t fraction = bits & ((UINT64_C(1) << F64_FRACTION) - 1u);
  if (exponent == F64_EXPONENT_MASK) return fraction ? nan_code(format) : overflow_code(format, overflow, sign);
  if (exponent == 0)
    return signed_code(format, sign, 0); // zero, or a double below every format's smallest subnormal by far

  // The hidden bit is added to the exponent field below, which is why that begins at one less; a carry out of the
  // fraction then moves to the next exponent by itself.
  int biased = exponent - F64_BIAS + format->bias;
  unsigned drop = F64_FRACTION - format->fraction_bits;
  if (biased < 1) {
    drop += (unsigned)(1 - biased);
    biased = 1;
  }
  uint64_t code =
      ((uint64_t)(biased - 1) << format->fraction_bits) + round_shift(fraction | UINT64_C(1) << F64_FRACTION, drop);
  if (code > cake_format_largest(format)) return overflow_code(format, overflow, sign);
  return signed_code(format, sign, (uint32_t)code);
}

// Whether the code is a NaN or infinity: its magnitude as the value of a double. FNUZ's NaN has no sign.
static bool decode_special(const CakeFloatFormat *format, uint32_t code, uint64_t *out_bits) {
  uint32_t magnitude = code & all_ones(format);
  bool is_fnuz_nan = format->specials == CAKE_SPECIALS_FNUZ && code == nan_code(format);
  if (!is_fnuz_nan && magnitude <= cake_format_largest(format)) return false;
  uint64_t f64_infinity = (uint64_t)F64_EXPONENT_MASK << F64_FRACTION;
  bool is_nan = format->specials != CAKE_SPECIALS_IEEE || magnitude != infinity(format);
  *out_bits = f64_infinity | (is_nan ? UINT64_C(1) << (F64_FRACTION - 1) : 0);
  return true;
}

double cake_format_decode(const CakeFloatFormat *format, uint32_t code) {
  uint32_t magnitude = code & all_ones(format);
  uint64_t sign = (uint64_t)(code >> (format->exponent_bits + format->fraction_bits) & 1u) << 63;
  uint32_t exponent = magnitude >> format->fraction_bits;
  uint32_t fraction = magnitude & ((1u << format->fraction_bits) - 1u);
  uint64_t bits;
  if (!decode_special(format, code & (2 * all_ones(format) + 1u), &bits)) {
    if (exponent == 0) { // subnormal: fraction · 2^(1 - bias - fraction_bits)
      double unit = f64_from_bits((uint64_t)(F64_BIAS + 1 - format->bias - format->fraction_bits) << F64_FRACTION);
      bits = f64_bits(unit * fraction);
    } else {
      bits = (uint64_t)((int)exponent - format->bias + F64_BIAS) << F64_FRACTION |
             (uint64_t)fraction << (F64_FRACTION - format->fraction_bits);
    }
  }
  bool is_nan = bits > (uint64_t)F64_EXPONENT_MASK << F64_FRACTION;
  return f64_from_bits(is_nan && format->specials == CAKE_SPECIALS_FNUZ ? bits : bits | sign);
}

// ---- Shortcuts for normal numbers ----------------------------------------------------------------------------------------

enum { F32_FRACTION = 23, F32_BIAS = 127 };

// A code of that format whose exponent is neither the least nor the largest: the same number in wider fields. False: another.
static bool widen(const CakeFloatFormat *format, uint32_t code, float *out) {
  uint32_t exponent_ones = (1u << format->exponent_bits) - 1, fraction_ones = (1u << format->fraction_bits) - 1;
  uint32_t exponent = code >> format->fraction_bits & exponent_ones, fraction = code & fraction_ones;
  if (exponent == 0 || exponent == exponent_ones) return false;
  uint32_t sign = code >> (format->exponent_bits + format->fraction_bits) & 1u;
  *out = cake_f32_from_bits(sign << 31 | (exponent + F32_BIAS - format->bias) << F32_FRACTION |
                            fraction << (F32_FRACTION - format->fraction_bits));
  return true;
}

// To the nearest, ties to even, where both that and the next one up are normal in the format. False: elsewhere.
static bool narrow(const CakeFloatFormat *format, float value, uint32_t *out) {
  uint32_t bits = cake_f32_bits(value), dropped = F32_FRACTION - format->fraction_bits;
  uint32_t least = (uint32_t)(F32_BIAS - format->bias), most = least + (1u << format->exponent_bits) - 1;
  uint32_t exponent = bits >> F32_FRACTION & 0xff, magnitude = bits & 0x7fffffffu;
  if (exponent <= least || exponent + 1 >= most) return false;
  magnitude = (magnitude + (1u << (dropped - 1)) - 1 + (magnitude >> dropped & 1u)) >> dropped;
  *out = bits >> 31 << (format->exponent_bits + format->fraction_bits) | (magnitude - (least << format->fraction_bits));
  return true;
}

// ---- Formats of the hardware ---------------------------------------------------------------------------------------------

uint16_t cake_f16_from_f32(float value) {
  uint32_t code;
  if (narrow(&cake_format_f16, value, &code)) return (uint16_t)code;
  return (uint16_t)cake_format_encode(&cake_format_f16, (double)value, CAKE_OVERFLOW_INFINITE);
}

float cake_f16_to_f32(uint16_t code) {
  float value;
  return widen(&cake_format_f16, code, &value) ? value : (float)cake_format_decode(&cake_format_f16, code);
}

uint8_t cake_e4m3_from_f32(float value) {
  uint32_t narrowed;
  if (narrow(&cake_format_e4m3, value, &narrowed)) return (uint8_t)narrowed;
  return (uint8_t)cake_format_encode(&cake_format_e4m3, (double)value, CAKE_OVERFLOW_SATURATE);
}

float cake_e4m3_to_f32(uint8_t code) {
  float value;
  return widen(&cake_format_e4m3, code, &value) ? value : (float)cake_format_decode(&cake_format_e4m3, code);
}

uint8_t cake_e5m2_from_f32(float value) {
  uint32_t narrowed;
  if (narrow(&cake_format_e5m2, value, &narrowed)) return (uint8_t)narrowed;
  return (uint8_t)cake_format_encode(&cake_format_e5m2, (double)value, CAKE_OVERFLOW_SATURATE);
}

float cake_e5m2_to_f32(uint8_t code) {
  float value;
  return widen(&cake_format_e5m2, code, &value) ? value : (float)cake_format_decode(&cake_format_e5m2, code);
}

enum { TF32_DROPPED = 13 };

float cake_tf32_from_f32(float value) {
  uint32_t code;
  if (!narrow(&cake_format_tf32, value, &code))
    code = cake_format_encode(&cake_format_tf32, (double)value, CAKE_OVERFLOW_INFINITE);
  return cake_f32_from_bits(code << TF32_DROPPED);
}

float cake_tf32_from_f32_away(float value) {
  uint32_t bits = cake_f32_bits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return cake_f32_from_bits(0x7fffffffu >> TF32_DROPPED << TF32_DROPPED);
  return cake_f32_from_bits((bits + (1u << (TF32_DROPPED - 1))) >> TF32_DROPPED << TF32_DROPPED);
}
