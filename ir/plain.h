// Plain decimal integers, eight characters at a time, and what a type can hold of them: what parser_bulk.c and quick_dense.c share.
#ifndef CAKE_IR_PLAIN_H
#define CAKE_IR_PLAIN_H

#include "core.h"

#include <string.h>

// The magnitudes that a type can hold, and the bits of its numbers.
typedef struct CakePlainLimits {
  uint64_t positive, negative, mask;
} CakePlainLimits;

// Of index, or an integer of 1 to 64 bits.
static inline CakePlainLimits cake_plain_limits(CakeType type) {
  uint64_t sign = UINT64_C(1) << (cake_integer_width(type) - 1), mask = sign | (sign - 1);
  CakeSign kind = cake_integer_sign(type);
  return (CakePlainLimits){kind == CAKE_SIGNED ? sign - 1 : mask, kind == CAKE_UNSIGNED ? 0 : sign, mask};
}

static inline bool cake_plain_fits(const CakePlainLimits *limits, bool is_negative, uint64_t value) {
  return is_negative ? value != 0 && value <= limits->negative : value <= limits->positive;
}

#define CAKE_EVERY(byte) (UINT64_C(0x0101010101010101) * (byte))

// Eight characters without the bits that digits have in common: digits are below 10 then.
static inline uint64_t cake_eight_load(const char *p) {
  uint64_t word;
  memcpy(&word, p, sizeof word);
  return word ^ CAKE_EVERY('0');
}

// The top bits of bytes that are no digit; of the first one it is right.
static inline uint64_t cake_eight_no_digits(uint64_t word) {
  return ((word + CAKE_EVERY(0x80 - 10)) | word) & CAKE_EVERY(0x80);
}

// The number that eight digits stand for, the first of which is the lowest byte.
static inline uint64_t cake_eight_number(uint64_t word) {
  word = (word & CAKE_EVERY(0x0f)) * 2561 >> 8;                        // pairs
  word = (word & UINT64_C(0x00ff00ff00ff00ff)) * 6553601 >> 16;        // fours
  return (word & UINT64_C(0x0000ffff0000ffff)) * 42949672960001 >> 32; // all
}

// The digits in front of the first byte that is none, fewer than eight, and how many there are.
static inline unsigned cake_eight_few(uint64_t word, uint64_t none, uint64_t *out) {
  unsigned count = (unsigned)__builtin_ctzll(none) / 8;
  *out = count ? cake_eight_number(word << 8 * (8 - count)) : 0; // zeros in front
  return count;
}

#endif
