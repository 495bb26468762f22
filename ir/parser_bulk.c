// Long lists of plain numbers, read from the text without tokens. Whatever is not plain is left to the parser, which also
// reports what is wrong.
#include "text.h"

#include <string.h>

// ---- Hexadecimal bytes ---------------------------------------------------------------------------------------------

// 1 where a character is no hexadecimal digit.
static inline uint8_t is_bad(uint8_t c) {
  uint8_t digit = (uint8_t)(c - '0'), letter = (uint8_t)((c | 0x20) - 'a');
  return (digit > 9) & (letter > 5);
}

// A letter's value is nine more than its low four bits.
static inline uint8_t value_of(uint8_t c) {
  return (uint8_t)((c & 15) + 9 * (c >> 6));
}

// A loop that compilers turn into one over many bytes at once.
bool cake_parser_hex_bytes(CakeStr digits, CakeBuf *out) {
  size_t count = digits.len / 2;
  cake_buf_reserve(out, count);
  uint8_t *restrict to = (uint8_t *)out->data + out->len;
  const uint8_t *restrict from = (const uint8_t *)digits.ptr;
  uint8_t bad = 0;
  for (size_t i = 0; i < count; i++) {
    uint8_t high = from[2 * i], low = from[2 * i + 1];
    bad |= (uint8_t)(is_bad(high) | is_bad(low));
    to[i] = (uint8_t)(value_of(high) << 4 | value_of(low));
  }
  if (bad) return false;
  out->len += count;
  out->data[out->len] = '\0';
  return true;
}

// ---- Decimal integers ----------------------------------------------------------------------------------------------

// The magnitudes that a type can hold, and the bits of its numbers.
typedef struct Limits {
  uint64_t positive, negative, mask;
} Limits;

static Limits limits_of(CakeType type) {
  uint32_t width = cake_type_is_index(type) ? 64 : cake_type_width(type);
  uint64_t sign = UINT64_C(1) << (width - 1), mask = sign | (sign - 1);
  if (cake_type_is_index(type) || cake_type_sign(type) == CAKE_SIGNED) return (Limits){sign - 1, sign, mask};
  return (Limits){mask, cake_type_sign(type) == CAKE_UNSIGNED ? 0 : sign, mask};
}

static bool fits(const Limits *limits, bool is_negative, uint64_t value) {
  return is_negative ? value != 0 && value <= limits->negative : value <= limits->positive;
}

bool cake_parser_plain_bits(CakeType type, bool is_negative, uint64_t value, uint64_t *out) {
  uint32_t width = cake_type_width(type);
  if (!cake_type_is_index(type) && (!cake_type_is_integer(type, 0) || !width || width > 64)) return false;
  Limits limits = limits_of(type);
  *out = (is_negative ? 0 - value : value) & limits.mask;
  return fits(&limits, is_negative, value);
}

enum { SAFE_DIGITS = 18 };

// The digits from `p` on, up to a word of them, and how many there are.
static unsigned read_word(const char *p, uint64_t *out) {
  const uint64_t ones = UINT64_C(0x0101010101010101);
  uint64_t word, none;
  memcpy(&word, p, sizeof word);
  word ^= ones * '0';                        // digits are below 10 then
  none = (word + ones * (0x80 - 10)) | word; // the top bit of the first one that is not is right
  none &= ones * 0x80;
  unsigned count = none ? (unsigned)__builtin_ctzll(none) / 8 : 8;
  if (!count) return 0;
  word <<= 8 * (8 - count);                                            // zeros in front
  word = (word & ones * 0x0f) * 2561 >> 8;                             // pairs
  word = (word & UINT64_C(0x00ff00ff00ff00ff)) * 6553601 >> 16;        // fours
  *out = (word & UINT64_C(0x0000ffff0000ffff)) * 42949672960001 >> 32; // all
  return count;
}

static const char *read_slowly(const char *p, const char *end, uint64_t *out) {
  const char *digits = p;
  for (*out = 0; p < end && *p >= '0' && *p <= '9'; p++)
    *out = *out * 10 + (uint64_t)(*p - '0');
  return p - digits > SAFE_DIGITS ? digits : p;
}

static bool is_digit(char c) {
  return (uint8_t)(c - '0') <= 9;
}

// Up to two digits at `p` behind what was read, without a branch: how many there are can hardly be foreseen.
static const char *read_two(const char *p, uint64_t *out) {
  uint64_t has_one = is_digit(p[0]), has_two = has_one & is_digit(p[1]);
  uint64_t read = *out * (1 + 9 * has_one) + (uint64_t)(p[0] - '0') * has_one;
  *out = read * (1 + 9 * has_two) + (uint64_t)(p[1] - '0') * has_two;
  return p + has_one + has_two;
}

// Behind the digits at `p`; `p`: there are none, or too many.
static const char *read_digits(const char *p, const char *end, uint64_t *out) {
  static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000, 100000000};
  uint64_t low = 0;
  if (!CAKE_LITTLE_ENDIAN || end - p < 3 * (ptrdiff_t)sizeof low) return read_slowly(p, end, out);
  unsigned count = read_word(p, out);
  if (count < 8) return p + count;
  const char *behind = read_two(p + 8, out);
  if (!is_digit(*behind)) return behind;
  count = read_word(p, out);
  unsigned more = read_word(p + 8, &low);
  if (more == 8) return read_slowly(p, end, out);
  *out = *out * powers[more] + low;
  return p + 8 + more;
}

// Digits and a comma at `p`; NULL: something else.
static const char *read_plain(const char *p, const char *end, const Limits *limits, uint64_t *out) {
  bool negative = p < end && *p == '-';
  const char *digits = p += negative;
  uint64_t value = 0;
  p = read_digits(p, end, &value);
  if (p == digits || p == end || *p != ',') return NULL;
  if (!fits(limits, negative, value)) return NULL;
  *out = (negative ? 0 - value : value) & limits->mask;
  return p + 1;
}

static const char *skip_spaces(const char *p, const char *end) {
  if (end - p > 1 && *p == ' ' && p[1] > ' ') return p + 1;
  while (p < end && (*p == ' ' || *p == '\n'))
    p++;
  return p;
}

static void put_word(char *to, uint64_t word) {
  if (CAKE_LITTLE_ENDIAN) {
    memcpy(to, &word, sizeof word);
    return;
  }
  for (size_t i = 0; i < sizeof word; i++)
    to[i] = (char)(word >> (8 * i) & 0xff);
}

int64_t cake_parser_plain_integers(CakeParser *parser, CakeType type, size_t size, CakeBuf *out) {
  const char *end = parser->lexer.end, *p = parser->token.ptr, *next;
  Limits limits = limits_of(type);
  int64_t count = 0;
  uint64_t value = 0;
  while ((next = read_plain(p, end, &limits, &value)) != NULL) {
    if (out->capacity - out->len <= sizeof value) cake_buf_reserve(out, sizeof value);
    put_word(out->data + out->len, value);
    out->len += size;
    p = skip_spaces(next, end);
    count++;
  }
  if (count) {
    out->data[out->len] = '\0';
    cake_parser_reset(parser, p);
  }
  return count;
}
