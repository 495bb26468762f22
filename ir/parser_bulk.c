// Long lists of plain numbers, read from the text without tokens. Whatever is not plain is left to the parser, which also
// reports what is wrong.
#include "text.h"

#include <string.h>

// ---- Hexadecimal bytes ---------------------------------------------------------------------------------------------

// Eight characters in a word at once; the first is the lowest byte.
enum { AT_ONCE = 8 };
#define EVERY(byte) (UINT64_C(0x0101010101010101) * (byte))

// The top bit of every byte that is no hexadecimal digit. Bytes are below 0x80 when sums are made: none carries into the next.
static uint64_t not_hex(uint64_t word) {
  uint64_t chars = word & EVERY(0x7f), letters = chars | EVERY(0x20);
  uint64_t digit = (chars + EVERY(0x80 - '0')) & ~(chars + EVERY(0x80 - '9' - 1));
  uint64_t letter = (letters + EVERY(0x80 - 'a')) & ~(letters + EVERY(0x80 - 'f' - 1));
  return (~(digit | letter) | word) & EVERY(0x80);
}

// The four bytes of eight digits: a letter's value is nine more than its low four bits, and the first digit of a pair is the high one.
static uint32_t hex_word(uint64_t word) {
  uint64_t nibbles = (word & EVERY(0x0f)) + 9 * (word >> 6 & EVERY(1));
  uint64_t pairs = (nibbles << 4 | nibbles >> 8) & UINT64_C(0x00ff00ff00ff00ff);
  uint64_t fours = (pairs | pairs >> 8) & UINT64_C(0x0000ffff0000ffff);
  return (uint32_t)(fours | fours >> 16);
}

bool cake_parser_hex_bytes(CakeStr digits, CakeBuf *out) {
  size_t count = digits.len / 2, i = 0;
  cake_buf_reserve(out, count);
  char *to = out->data + out->len;
  uint64_t bad = 0;
  for (; CAKE_LITTLE_ENDIAN && i + AT_ONCE / 2 <= count; i += AT_ONCE / 2) {
    uint64_t word;
    memcpy(&word, digits.ptr + 2 * i, sizeof word);
    uint32_t bytes = hex_word(word);
    bad |= not_hex(word);
    memcpy(to + i, &bytes, sizeof bytes);
  }
  for (; i < count; i++) {
    int high = cake_hex_value(digits.ptr[2 * i]), low = cake_hex_value(digits.ptr[2 * i + 1]);
    bad |= (uint64_t)(high < 0 || low < 0);
    to[i] = (char)((unsigned)high << 4 | (unsigned)low);
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

// Digits and a comma at `p`; NULL: something else.
static const char *read_plain(const char *p, const char *end, const Limits *limits, uint64_t *out) {
  enum { SAFE_DIGITS = 18 };
  bool negative = p < end && *p == '-';
  const char *digits = p += negative;
  uint64_t value = 0;
  for (; p < end && *p >= '0' && *p <= '9'; p++)
    value = value * 10 + (uint64_t)(*p - '0');
  if (p == digits || p - digits > SAFE_DIGITS || p == end || *p != ',') return NULL;
  if (!fits(limits, negative, value)) return NULL;
  *out = (negative ? 0 - value : value) & limits->mask;
  return p + 1;
}

static const char *skip_spaces(const char *p, const char *end) {
  while (p < end && (*p == ' ' || *p == '\n'))
    p++;
  return p;
}

int64_t cake_parser_plain_integers(CakeParser *parser, CakeType type, size_t size, CakeBuf *out) {
  const char *end = parser->lexer.end, *p = parser->token.ptr, *next;
  Limits limits = limits_of(type);
  int64_t count = 0;
  uint64_t value;
  while ((next = read_plain(p, end, &limits, &value)) != NULL) {
    if (out->capacity - out->len <= sizeof value) cake_buf_reserve(out, sizeof value);
    for (size_t i = 0; i < sizeof value; i++)
      out->data[out->len + i] = (char)(value >> (8 * i) & 0xff);
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
