// Long lists of plain decimal integers, read from the text without tokens. Whatever is not plain is left to the parser, which also
// reports what is wrong.
#include "parser.h"
#include "plain.h"

#include <string.h>

bool cake_parser_plain_bits(CakeType type, bool is_negative, uint64_t value, uint64_t *out) {
  uint32_t width = cake_integer_width(type);
  if (!width || width > 64) return false;
  CakePlainLimits limits = cake_plain_limits(type);
  *out = (is_negative ? 0 - value : value) & limits.mask;
  return cake_plain_fits(&limits, is_negative, value);
}

enum { SAFE_DIGITS = 18 };

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
  static const uint64_t powers[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
  if (!CAKE_LITTLE_ENDIAN || end - p < 3 * (ptrdiff_t)sizeof *out) return read_slowly(p, end, out);
  uint64_t word = cake_eight_load(p), none = cake_eight_no_digits(word), high = cake_eight_number(word), low;
  if (none) return p + cake_eight_few(word, none, out);
  *out = high;
  const char *behind = read_two(p + 8, out);
  if (!is_digit(*behind)) return behind;
  word = cake_eight_load(p + 8);
  none = cake_eight_no_digits(word);
  if (!none) return read_slowly(p, end, out);
  unsigned more = cake_eight_few(word, none, &low);
  *out = high * powers[more] + low;
  return p + 8 + more;
}

// Digits and a comma at `p`; NULL: something else.
static const char *read_plain(const char *p, const char *end, const CakePlainLimits *limits, uint64_t *out) {
  bool negative = p < end && *p == '-';
  const char *digits = p += negative;
  uint64_t value = 0;
  p = read_digits(p, end, &value);
  if (p == digits || p == end || *p != ',') return NULL;
  if (!cake_plain_fits(limits, negative, value)) return NULL;
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

// Takes numbers of up to ten digits, each with a comma behind it and perhaps a blank, while the text goes on for a while and there is room
// for as many; stops at anything else. Returns where.
static const char *take_common(const char *p, const char *end, uint64_t largest, size_t size, CakeBuf *out) {
  const char *last = end - 4 * sizeof(uint64_t);
  char *to = out->data + out->len, *full = out->data + out->capacity - 2 * sizeof(uint64_t);
  while (p < last && to < full) {
    uint64_t word = cake_eight_load(p), none = cake_eight_no_digits(word), value;
    const char *behind = p;
    if (!none) {
      value = cake_eight_number(word);
      behind = read_two(p + 8, &value);
    } else {
      behind += cake_eight_few(word, none, &value);
    }
    if (*behind != ',' || behind == p || value > largest) break;
    put_word(to, value);
    to += size;
    p = behind + 1 + (behind[1] == ' ');
  }
  out->len = (size_t)(to - out->data);
  return p;
}

int64_t cake_parser_plain_integers(CakeParser *parser, CakeType type, size_t size, size_t most, CakeBuf *out) {
  const char *end = parser->lexer.end, *p = parser->token.ptr, *next;
  const CakePlainLimits limits = cake_plain_limits(type);
  size_t begin = out->len;
  uint64_t value = 0;
  while (out->len < most && (next = read_plain(p, end, &limits, &value)) != NULL) {
    if (out->capacity - out->len <= CAKE_DRAFT_SLACK) cake_buf_reserve(out, out->len + 2 * CAKE_DRAFT_SLACK);
    put_word(out->data + out->len, value);
    out->len += size;
    p = next;
    if (CAKE_LITTLE_ENDIAN && end - p > 4 * (ptrdiff_t)sizeof value)
      p = take_common(skip_spaces(p, end), end, limits.positive, size, out);
    p = skip_spaces(p, end);
  }
  if (out->len > begin) {
    out->data[out->len] = '\0';
    cake_parser_reset(parser, p);
  }
  return (int64_t)((out->len - begin) / size);
}
