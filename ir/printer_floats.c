// Floats as MLIR prints them: six significant digits in scientific notation when that reads back as the same number,
// else as many digits as the format needs, else (no decimal point, infinities, NaN) the encoding in hexadecimal.
#include "printer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Decimal digits of |value| and the power of ten of the first one; rounded half up, without trailing zeros.
typedef struct Digits {
  char digit[40];
  int count, exponent;
  bool is_all; // nothing was rounded
} Digits;

static void round_up(Digits *digits) {
  int i = digits->count - 1;
  while (i >= 0 && digits->digit[i] == '9')
    i--;
  if (i < 0) {
    digits->digit[0] = '1';
    digits->count = 1;
    digits->exponent++;
    return;
  }
  digits->digit[i]++;
  digits->count = i + 1;
}

// The value is significand * 2^exponent with an odd significand.
static uint64_t significand_of(double value, int *out_exponent) {
  int exponent;
  uint64_t significand = (uint64_t)ldexp(frexp(fabs(value), &exponent), 53);
  int zeros = __builtin_ctzll(significand);
  *out_exponent = exponent - 53 + zeros;
  return significand >> zeros;
}

// How many of the last digits LLVM drops unrounded, before it rounds: those that lie well behind the precision, judged
// by bits.
static int dropped_digits(uint64_t significand, int exponent, int precision) {
  double bits = log2((double)significand) + (exponent > 0 ? exponent : -exponent * 2.321928094887362);
  int spare = (int)bits + 1 - (precision * 196 + 58) / 59;
  return spare > 0 ? spare * 59 / 196 : 0;
}

enum { MOST_TEXT = 1536 };

// significand * 2^exponent as digits without a point, of which `scale` would stand behind it.
static const char *small_number(uint64_t significand, int exponent, int scale, char *text) {
  static const uint64_t fives[] = {1,     5,      25,      125,     625,      3125,     15625,
                                   78125, 390625, 1953125, 9765625, 48828125, 244140625};
  enum { MOST_BITS = 53, BITS = 64 };
  bool is_small = exponent > 0 ? exponent < MOST_BITS && !(significand >> (MOST_BITS - exponent))
                               : scale < (int)CAKE_COUNT(fives) && significand <= UINT64_MAX / fives[scale];
  if (!is_small) return NULL;
  uint64_t number = exponent > 0 ? significand << exponent : significand * fives[scale];
  char *first = text + BITS;
  *first = '\0';
  do
    *--first = (char)('0' + number % 10);
  while (number /= 10);
  return first;
}

static const char *large_number(double value, int scale, char *text) {
  snprintf(text, MOST_TEXT, "%.*f", scale, fabs(value));
  // As an integer: without the point (of whatever locale) and leading zeros.
  char *point = strpbrk(text, ".,");
  if (point) memmove(point, point + 1, strlen(point));
  return text + strspn(text, "0");
}

static Digits digits_of(double value, int precision) {
  char text[MOST_TEXT];
  int exponent, scale;
  uint64_t significand = significand_of(value, &exponent);
  scale = exponent < 0 ? -exponent : 0; // digits behind the decimal point
  const char *first = small_number(significand, exponent, scale, text);
  if (!first) first = large_number(value, scale, text);
  int length = (int)strlen(first), kept = length;
  if (length > precision) kept -= dropped_digits(significand, exponent, precision);
  Digits digits = {.count = kept < precision ? kept : precision, .exponent = length - 1 - scale};
  memcpy(digits.digit, first, (size_t)digits.count);
  digits.is_all = strspn(first + digits.count, "0") == (size_t)(length - digits.count);
  if (kept > precision && first[precision] >= '5') round_up(&digits);
  while (digits.count > 1 && digits.digit[digits.count - 1] == '0')
    digits.count--;
  return digits;
}

static double value_of(const Digits *digits, bool negative) {
  char text[64];
  snprintf(text, sizeof text, "%.*se%d", digits->count, digits->digit, digits->exponent - (digits->count - 1));
  double value = strtod(text, NULL);
  return negative ? -value : value;
}

// The number that an attribute of this type would hold.
static double rounded(CakeType type, double value) {
  return cake_float_has_encoding(type) ? cake_float_decode(type, cake_float_encode(type, value)) : value;
}

static bool same_bits(double a, double b) {
  return memcmp(&a, &b, sizeof a) == 0;
}

static void print_scientific(CakeBuf *out, const Digits *digits, bool pad) {
  cake_buf_char(out, digits->digit[0]);
  cake_buf_char(out, '.');
  cake_buf_append(out, digits->digit + 1, (size_t)digits->count - 1);
  if (pad)
    cake_buf_fill(out, '0', (size_t)(7 - digits->count));
  else if (digits->count == 1)
    cake_buf_char(out, '0');
  char sign[] = {pad ? 'e' : 'E', digits->exponent < 0 ? '-' : '+', '0'};
  int exponent = abs(digits->exponent);
  cake_buf_append(out, sign, pad && exponent < 10 ? 3 : 2);
  cake_buf_int(out, exponent);
}

// As many digits as tell any two numbers of the type apart: 2 + precision * log10(2).
static int needed_digits(CakeType type) {
  switch (cake_type_float_kind(type)) {
  case CAKE_FLOAT_F64: return 2 + 53 * 59 / 196;
  case CAKE_FLOAT_F32: return 2 + 24 * 59 / 196;
  case CAKE_FLOAT_TF32:
  case CAKE_FLOAT_F16: return 2 + 11 * 59 / 196;
  case CAKE_FLOAT_BF16: return 2 + 8 * 59 / 196;
  case CAKE_FLOAT_F80: return 2 + 64 * 59 / 196;
  case CAKE_FLOAT_F128: return 2 + 113 * 59 / 196;
  default: return 3;
  }
}

// The number without an exponent where it is short; false when that has no decimal point.
static bool print_default(CakeBuf *out, const Digits *digits, int precision) {
  int last = digits->exponent - (digits->count - 1); // power of ten of the last digit
  bool scientific =
      last >= 0 ? last > 3 || digits->count + last > precision : digits->exponent < 0 && -digits->exponent > 3;
  if (!scientific && last >= 0) return false;
  if (scientific) {
    print_scientific(out, digits, false);
  } else if (digits->exponent >= 0) {
    cake_buf_append(out, digits->digit, (size_t)digits->exponent + 1);
    cake_buf_char(out, '.');
    cake_buf_append(out, digits->digit + digits->exponent + 1, (size_t)(digits->count - digits->exponent - 1));
  } else {
    cake_buf_text(out, "0.");
    cake_buf_fill(out, '0', (size_t)(-digits->exponent - 1));
    cake_buf_append(out, digits->digit, (size_t)digits->count);
  }
  return true;
}

static void print_hex(CakeBuf *out, CakeType type, double value) {
  cake_buf_printf(out, "0x%0*llX", (int)(cake_type_width(type) + 3) / 4,
                  (unsigned long long)cake_float_encode(type, value));
}

// Types that are wider than a double would read a rounded number as another one.
static bool reads_back(CakeType type, const Digits *digits, double value) {
  enum { ALL = 38 };
  if (cake_type_width(type) > 64) return value == 0 || digits_of(value, ALL).count <= digits->count;
  return same_bits(rounded(type, digits->is_all ? value : value_of(digits, signbit(value) != 0)), value);
}

void cake_printer_float(CakeBuf *out, CakeType type, double value) {
  if (isnan(value) || isinf(value)) {
    print_hex(out, type, value);
    return;
  }
  bool negative = signbit(value);
  enum { SHORT = 6 };
  Digits digits = value == 0 ? (Digits){"0", 1, 0, true} : digits_of(value, SHORT);
  if (reads_back(type, &digits, value)) {
    if (negative) cake_buf_char(out, '-');
    print_scientific(out, &digits, true);
    return;
  }
  int precision = needed_digits(type);
  size_t begin = out->len;
  digits = digits_of(value, precision);
  if (negative) cake_buf_char(out, '-');
  if (print_default(out, &digits, precision)) return;
  out->len = begin;
  print_hex(out, type, value);
}
