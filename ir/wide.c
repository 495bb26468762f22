// Integers of more than 64 bits as text: checked against their type, and written as one decimal number each.
#include "parser.h"

typedef CAKE_VEC(uint32_t) Words; // little-endian, without leading zeros

// words = words * factor + digit
static void multiply_add(Words *words, uint32_t factor, uint32_t digit) {
  uint64_t carry = digit;
  for (size_t i = 0; i < words->len; i++) {
    carry += (uint64_t)words->data[i] * factor;
    words->data[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (carry) CAKE_PUSH(words, (uint32_t)carry);
}

// words = words / divisor; the rest.
static uint32_t divide(Words *words, uint32_t divisor) {
  uint64_t rest = 0;
  for (size_t i = words->len; i-- > 0;) {
    rest = rest << 32 | words->data[i];
    words->data[i] = (uint32_t)(rest / divisor);
    rest %= divisor;
  }
  while (words->len && words->data[words->len - 1] == 0)
    words->len--;
  return (uint32_t)rest;
}

// Several digits at once: 9 decimal or 7 hexadecimal ones.
static void read_digits(CakeStr text, Words *out) {
  bool hex = text.len > 2 && text.ptr[1] == 'x';
  uint32_t base = hex ? 16 : 10;
  size_t at_once = hex ? 7 : 9;
  for (size_t i = hex ? 2 : 0; i < text.len;) {
    uint32_t factor = 1, value = 0;
    for (size_t k = 0; k < at_once && i < text.len; k++, i++) {
      value = value * base + (uint32_t)cake_hex_value(text.ptr[i]);
      factor *= base;
    }
    multiply_add(out, factor, value);
  }
}

static size_t bit_length(const Words *words) {
  if (!words->len) return 0;
  size_t bits = 32 * (words->len - 1);
  for (uint32_t top = words->data[words->len - 1]; top; top >>= 1)
    bits++;
  return bits;
}

static bool is_power_of_two(const Words *words) {
  uint32_t top = words->data[words->len - 1];
  for (size_t i = 0; i + 1 < words->len; i++)
    if (words->data[i]) return false;
  return (top & (top - 1)) == 0;
}

// 2^width - words
static void complement(Words *words, size_t width) {
  size_t count = (width + 31) / 32;
  while (words->len < count)
    CAKE_PUSH(words, 0);
  uint64_t carry = 1;
  for (size_t i = 0; i < count; i++) {
    carry += (uint32_t)~words->data[i];
    words->data[i] = (uint32_t)carry;
    carry >>= 32;
  }
  if (width % 32) words->data[count - 1] &= (UINT32_C(1) << width % 32) - 1;
  while (words->len && words->data[words->len - 1] == 0)
    words->len--;
}

static void print_words(Words *words, bool negative, CakeBuf *out) {
  enum { BASE = 1000000000 };
  CAKE_VEC(uint32_t) parts = {0};
  bool is_zero = !words->len;
  while (words->len)
    CAKE_PUSH(&parts, divide(words, BASE));
  if (is_zero)
    cake_buf_char(out, '0');
  else if (negative)
    cake_buf_char(out, '-');
  for (size_t i = parts.len; i-- > 0;)
    cake_buf_printf(out, i + 1 == parts.len ? "%u" : "%09u", parts.data[i]);
  CAKE_VEC_FINI(&parts);
}

// As for narrower ones: digits must fit the width, a negative number must have the sign bit, and a signed type must not
// have it otherwise. Signless numbers with the sign bit are written as negative ones.
bool cake_wide_from_literal(CakeStr digits, bool negative, CakeType type, CakeBuf *out) {
  size_t width = cake_type_width(type);
  CakeSign sign = cake_type_sign(type);
  Words words = {0};
  read_digits(digits, &words);
  size_t bits = bit_length(&words);
  bool fits = bits <= width;
  if (negative && bits == width) fits = fits && is_power_of_two(&words);
  if (!negative && sign == CAKE_SIGNED) fits = bits < width;
  if (fits && !negative && sign == CAKE_SIGNLESS && bits == width) {
    complement(&words, width);
    negative = true;
  }
  if (fits) print_words(&words, negative, out);
  CAKE_VEC_FINI(&words);
  return fits;
}
