// Bits of floating-point attributes, for hexadecimal literals and dense elements. Unlike the conversions of
// cake/float.h, which follow the hardware, a NaN keeps its sign and payload.
#include "cake/float.h"
#include "core.h"

#include <math.h>
#include <string.h>

// The formats that have more to them than cake/float.h's.
static const CakeFloatFormat e4m3_ieee = {"e4m3", 4, 3, 7, CAKE_SPECIALS_IEEE},
                             e3m4_ieee = {"e3m4", 3, 4, 3, CAKE_SPECIALS_IEEE},
                             e4m3_fnuz = {"e4m3", 4, 3, 8, CAKE_SPECIALS_FNUZ},
                             e5m2_fnuz = {"e5m2", 5, 2, 16, CAKE_SPECIALS_FNUZ},
                             e4m3_b11 = {"e4m3", 4, 3, 11, CAKE_SPECIALS_FNUZ},
                             f32_format = {"f32", 8, 23, 127, CAKE_SPECIALS_IEEE};

static const CakeFloatFormat *format_of(CakeType type) {
  switch (cake_type_float_kind(type)) {
  case CAKE_FLOAT_F16: return &cake_format_f16;
  case CAKE_FLOAT_BF16: return &cake_format_bf16;
  case CAKE_FLOAT_F32: return &f32_format;
  case CAKE_FLOAT_TF32: return &cake_format_tf32;
  case CAKE_FLOAT_F8E4M3FN: return &cake_format_e4m3;
  case CAKE_FLOAT_F8E5M2: return &cake_format_e5m2;
  case CAKE_FLOAT_F8E4M3: return &e4m3_ieee;
  case CAKE_FLOAT_F8E3M4: return &e3m4_ieee;
  case CAKE_FLOAT_F8E4M3FNUZ: return &e4m3_fnuz;
  case CAKE_FLOAT_F8E5M2FNUZ: return &e5m2_fnuz;
  case CAKE_FLOAT_F8E4M3B11FNUZ: return &e4m3_b11;
  case CAKE_FLOAT_F6E2M3FN: return &cake_format_e2m3;
  case CAKE_FLOAT_F6E3M2FN: return &cake_format_e3m2;
  case CAKE_FLOAT_F4E2M1FN: return &cake_format_e2m1;
  default: return NULL;
  }
}

bool cake_float_has_encoding(CakeType type) {
  return format_of(type) || cake_type_is_float(type, CAKE_FLOAT_F64) || cake_type_is_float(type, CAKE_FLOAT_F8E8M0FNU);
}

static uint64_t bits_of(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double from_bits(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static uint64_t single_bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static double from_single_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return (double)value;
}

enum { DOUBLE_FRACTION = 52 };
#define DOUBLE_EXPONENT UINT64_C(0x7ff0000000000000)

// ---- NaN -----------------------------------------------------------------------------------------------------------

// Whether its NaNs differ.
static bool has_payload(const CakeFloatFormat *format) {
  return format->specials == CAKE_SPECIALS_IEEE || format->specials == CAKE_SPECIALS_NAN;
}

static uint64_t encode_nan(const CakeFloatFormat *format, double value) {
  uint64_t sign = bits_of(value) >> 63 << (format->exponent_bits + format->fraction_bits);
  uint64_t exponent = ((UINT64_C(1) << format->exponent_bits) - 1) << format->fraction_bits;
  uint64_t fraction =
      (bits_of(value) & ~(UINT64_C(0xfff) << DOUBLE_FRACTION)) >> (DOUBLE_FRACTION - format->fraction_bits);
  if (format->specials == CAKE_SPECIALS_NAN) fraction = (UINT64_C(1) << format->fraction_bits) - 1;
  if (!fraction) fraction = UINT64_C(1) << (format->fraction_bits - 1);
  return sign | exponent | fraction;
}

static bool is_nan_code(const CakeFloatFormat *format, uint64_t bits) {
  uint64_t fraction_mask = (UINT64_C(1) << format->fraction_bits) - 1,
           exponent_mask = (UINT64_C(1) << format->exponent_bits) - 1;
  uint64_t fraction = bits & fraction_mask, exponent = bits >> format->fraction_bits & exponent_mask;
  if (exponent != exponent_mask) return false;
  return format->specials == CAKE_SPECIALS_NAN ? fraction == fraction_mask : fraction != 0;
}

static double decode_nan(const CakeFloatFormat *format, uint64_t bits) {
  uint64_t sign = bits >> (format->exponent_bits + format->fraction_bits) & 1;
  uint64_t fraction = bits & ((UINT64_C(1) << format->fraction_bits) - 1);
  return from_bits(sign << 63 | DOUBLE_EXPONENT | fraction << (DOUBLE_FRACTION - format->fraction_bits));
}

// ---- Conversions ---------------------------------------------------------------------------------------------------

// Powers of two, 2^-127 … 2^127, the larger of two that are equally near; 0xff is NaN, also for what is too large.
static uint64_t encode_scale(double value) {
  enum { BIAS = 127, NAN_CODE = 0xff };
  if (!(value >= 0) || isinf(value)) return NAN_CODE;
  int exponent;
  double fraction = frexp(value, &exponent); // in [0.5, 1), or 0
  exponent += fraction >= 0.75 ? 0 : -1;
  if (value == 0 || exponent < -BIAS) return 0;
  return exponent > BIAS ? NAN_CODE : (uint64_t)(exponent + BIAS);
}

uint64_t cake_float_encode(CakeType type, double value) {
  const CakeFloatFormat *format = format_of(type);
  if (cake_type_is_float(type, CAKE_FLOAT_F64)) return bits_of(value);
  if (cake_type_is_float(type, CAKE_FLOAT_F8E8M0FNU)) return encode_scale(value);
  if (!format) return 0;
  if (format == &f32_format && !isnan(value)) return single_bits_of((float)value);
  if (isnan(value) && has_payload(format)) return encode_nan(format, value);
  return cake_format_encode(format, value, CAKE_OVERFLOW_INFINITE);
}

double cake_float_decode(CakeType type, uint64_t bits) {
  const CakeFloatFormat *format = format_of(type);
  if (cake_type_is_float(type, CAKE_FLOAT_F64)) return from_bits(bits);
  if (cake_type_is_float(type, CAKE_FLOAT_F8E8M0FNU)) return bits == 0xff ? (double)NAN : ldexp(1, (int)bits - 127);
  if (!format) return 0;
  if (has_payload(format) && is_nan_code(format, bits)) return decode_nan(format, bits);
  if (format == &f32_format) return from_single_bits((uint32_t)bits);
  return cake_format_decode(format, (uint32_t)bits);
}
