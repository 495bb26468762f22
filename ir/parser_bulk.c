// Long lists of plain numbers, read from the text without tokens. Whatever is not plain is left to the parser, which also
// reports what is wrong.
#include "text.h"

#include <string.h>

// ---- Hexadecimal bytes ---------------------------------------------------------------------------------------------

// Values of digits; -1: none.
static void fill_hex_values(int8_t values[256]) {
  for (int c = 0; c < 256; c++)
    values[c] = (int8_t)cake_hex_value((char)c);
}

bool cake_parser_hex_bytes(CakeStr digits, CakeBuf *out) {
  int8_t values[256];
  fill_hex_values(values);
  size_t count = digits.len / 2;
  const uint8_t *from = (const uint8_t *)digits.ptr;
  cake_buf_reserve(out, count);
  char *to = out->data + out->len;
  int all = 0;
  for (size_t i = 0; i < count; i++) {
    int high = values[from[2 * i]], low = values[from[2 * i + 1]];
    all |= high | low;
    to[i] = (char)((unsigned)high << 4 | (unsigned)low);
  }
  if (all < 0) return false;
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

// Digits and a comma at `p`; NULL: something else.
static const char *read_plain(const char *p, const char *end, const Limits *limits, uint64_t *out) {
  enum { SAFE_DIGITS = 18 };
  bool negative = p < end && *p == '-';
  const char *digits = p += negative;
  uint64_t value = 0;
  for (; p < end && *p >= '0' && *p <= '9'; p++)
    value = value * 10 + (uint64_t)(*p - '0');
  if (p == digits || p - digits > SAFE_DIGITS || p == end || *p != ',') return NULL;
  if (negative ? value == 0 || value > limits->negative : value > limits->positive) return NULL;
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
