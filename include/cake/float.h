// Narrow floating-point numbers: exact conversions between them and C's float and double.
//
// Rounding is to nearest, ties to even, with subnormals; one rounding, from the exact value. NaN becomes the canonical NaN of
// NVIDIA's `cvt`: every bit but the sign set, so its sign and payload are lost. Source: PTX ISA, `cvt`; OCP 8-bit and
// Microscaling formats.
#ifndef CAKE_FLOAT_H
#define CAKE_FLOAT_H

#include "cake/base.h"

#include <string.h>

CAKE_BEGIN_C

typedef enum CakeFloatSpecials {
  CAKE_SPECIALS_IEEE,   // the largest exponent holds infinity and NaN
  CAKE_SPECIALS_NAN,    // no infinity; NaN is every bit but the sign set
  CAKE_SPECIALS_FINITE, // neither; a NaN that is encoded becomes the largest number
  CAKE_SPECIALS_FNUZ,   // no infinity and no negative zero, whose code is the one NaN
} CakeFloatSpecials;

typedef enum CakeFloatOverflow {
  CAKE_OVERFLOW_INFINITE, // to infinity; to NaN where the format has none; to the largest number where it has neither
  CAKE_OVERFLOW_SATURATE, // to the largest number of that sign, infinity too (PTX `.satfinite`)
} CakeFloatOverflow;

// A binary format: sign, exponent, fraction, from the highest bit down. At most 8 exponent and 23 fraction bits.
typedef struct CakeFloatFormat {
  const char *name;
  uint8_t exponent_bits, fraction_bits;
  uint8_t bias;
  CakeFloatSpecials specials;
} CakeFloatFormat;

extern const CakeFloatFormat cake_format_f16, cake_format_bf16, cake_format_tf32, cake_format_e4m3, cake_format_e5m2,
    cake_format_e3m2, cake_format_e2m3, cake_format_e2m1;

// The code nearest to `value`, in the low bits of the result.
uint32_t cake_format_encode(const CakeFloatFormat *format, double value, CakeFloatOverflow overflow);
// The value of a code; bits above the format's are ignored. Exact.
double cake_format_decode(const CakeFloatFormat *format, uint32_t code);
// The code of the largest finite number.
uint32_t cake_format_largest(const CakeFloatFormat *format);

// f16 and bf16 overflow to infinity, e4m3 and e5m2 saturate: what `cvt.rn` and `cvt.rn.satfinite` do.
uint16_t cake_f16_from_f32(float value);
float cake_f16_to_f32(uint16_t code);
uint8_t cake_e4m3_from_f32(float value);
float cake_e4m3_to_f32(uint8_t code);
uint8_t cake_e5m2_from_f32(float value);
float cake_e5m2_to_f32(uint8_t code);
// The nearest tf32 as a float whose 13 low bits are zero; ties to even (`cvt.rn.tf32`) or away from zero (`cvt.rna.tf32`).
float cake_tf32_from_f32(float value);
float cake_tf32_from_f32_away(float value);

static inline uint32_t cake_f32_bits(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

static inline float cake_f32_from_bits(uint32_t bits) {
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

// These two are the inner loop of every simulated copy and multiplication, hence inline.
static inline uint16_t cake_bf16_from_f32(float value) {
  uint32_t bits = cake_f32_bits(value);
  if ((bits & 0x7fffffffu) > 0x7f800000u) return 0x7fff;
  return (uint16_t)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
}

static inline float cake_bf16_to_f32(uint16_t code) {
  return cake_f32_from_bits((uint32_t)code << 16);
}

CAKE_END_C
#endif
