// Short pieces of text into a buffer, for the printer's inner loops: without the NUL that a buffer ends with, which whoever calls these
// functions appends last (cake_put_end).
#ifndef CAKE_IR_PUT_H
#define CAKE_IR_PUT_H

#include "core.h"

// Where the next byte goes; `more` of them have room, and a NUL.
static inline char *cake_put_room(CakeBuf *out, size_t more) {
  if (out->capacity - out->len <= more) cake_buf_reserve(out, more);
  return out->data + out->len;
}

static inline void cake_put_char(CakeBuf *out, char c) {
  *cake_put_room(out, 1) = c;
  out->len++;
}

static inline void cake_put_two(CakeBuf *out, const char *text) {
  memcpy(cake_put_room(out, 2), text, 2);
  out->len += 2;
}

// Two copies of a word that overlap are all that most words take.
static inline void cake_put(CakeBuf *out, const char *text, size_t len) {
  char *to = cake_put_room(out, len);
  if (len - 8 <= 8) {
    uint64_t first, last;
    memcpy(&first, text, 8);
    memcpy(&last, text + len - 8, 8);
    memcpy(to, &first, 8);
    memcpy(to + len - 8, &last, 8);
  } else if (len - 4 <= 4) {
    uint32_t first, last;
    memcpy(&first, text, 4);
    memcpy(&last, text + len - 4, 4);
    memcpy(to, &first, 4);
    memcpy(to + len - 4, &last, 4);
  } else if (len < 4) {
    for (size_t i = 0; i < len; i++)
      to[i] = text[i];
  } else {
    memcpy(to, text, len);
  }
  out->len += len;
}

extern const char cake_two_digits[201]; // from 00 to 99

enum { CAKE_FEW_DIGITS = 4 };

// Up to four digits, which are made in a word and stored at once. Returns behind them.
static inline char *cake_put_few_digits(char *to, uint32_t number) {
  enum { MOST = CAKE_FEW_DIGITS };
  unsigned count = (unsigned)(1 + (number > 9) + (number > 99) + (number > 999)), unused = 8 * (MOST - count);
  uint16_t high, low;
  memcpy(&high, cake_two_digits + 2 * (number / 100), sizeof high);
  memcpy(&low, cake_two_digits + 2 * (number % 100), sizeof low);
  uint32_t chars = CAKE_LITTLE_ENDIAN ? (high | (uint32_t)low << 16) >> unused : ((uint32_t)high << 16 | low) << unused;
  memcpy(to, &chars, sizeof chars);
  return to + count;
}

static inline void cake_put_number(CakeBuf *out, uint32_t number) {
  if (number > 9999)
    cake_buf_int(out, number);
  else
    out->len = (size_t)(cake_put_few_digits(cake_put_room(out, CAKE_FEW_DIGITS), number) - out->data);
}

static inline void cake_put_end(CakeBuf *out) {
  *cake_put_room(out, 0) = '\0';
}

#endif
