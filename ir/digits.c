// Hexadecimal digits, and bytes of elements that stay digits of a text until somebody asks for them: most never are asked for, and memory that is
// used for the first time costs more than all that is done to them.
#include "digits.h"
#include "bytes.h"

#include <string.h>

// ---- Digits --------------------------------------------------------------------------------------------------------

// 1 where a character is no hexadecimal digit.
static inline uint8_t is_bad(uint8_t c) {
  uint8_t digit = (uint8_t)(c - '0'), letter = (uint8_t)((c | 0x20) - 'a');
  return (digit > 9) & (letter > 5);
}

enum { SKIPPED = 256 }; // characters at a time

// Behind the blocks that are nothing but digits.
CAKE_LOOP const char *skip_digits_loop(const char *p, const char *end) {
  for (; end - p >= SKIPPED; p += SKIPPED) {
    const uint8_t *from = (const uint8_t *)p;
    uint8_t bad = 0;
    for (size_t i = 0; i < SKIPPED; i++)
      bad |= is_bad(from[i]);
    if (bad) break;
  }
  return p;
}

CAKE_WIDE_LOOP(const char *, skip_digits, (const char *p, const char *end), (p, end))

const char *cake_hex_end(const char *p, const char *end) {
  p = skip_digits(p, end);
  while (p < end && !is_bad((uint8_t)*p))
    p++;
  return p;
}

// A letter's value is nine more than its low four bits. Returns behind the bytes.
CAKE_LOOP char *read_digits_loop(CakeStr digits, char *out) {
  uint8_t *restrict to = (uint8_t *)out;
  for (size_t i = 0; i < digits.len / 2; i++) {
    uint16_t pair;
    memcpy(&pair, digits.ptr + 2 * i, sizeof pair);
    pair = (uint16_t)((pair & 0x0f0f) + 9 * (pair >> 6 & 0x0101));
    to[i] = (uint8_t)(CAKE_LITTLE_ENDIAN ? pair << 4 | pair >> 8 : pair >> 4 | pair);
  }
  return out + digits.len / 2;
}

CAKE_WIDE_LOOP(char *, read_digits, (CakeStr digits, char *out), (digits, out))

void cake_hex_bytes(CakeStr digits, char *out) {
  (void)read_digits(digits, out);
}

// ---- Bytes a block at a time ---------------------------------------------------------------------------------------

enum { BLOCK = 8 * CAKE_HASH_BLOCK };

// Reads up to `most` bytes of the next digits, and goes behind them.
static size_t next_bytes(CakeStr *rest, size_t most, char *out) {
  size_t len = rest->len / 2 < most ? rest->len / 2 : most;
  cake_hex_bytes((CakeStr){rest->ptr, 2 * len}, out);
  *rest = (CakeStr){rest->ptr + 2 * len, rest->len - 2 * len};
  return len;
}

bool cake_hex_repeats(CakeStr digits, size_t size) {
  char first[BLOCK], more[BLOCK];
  size_t most = BLOCK - BLOCK % size, len = next_bytes(&digits, most, first);
  bool is_same = len >= size && memcmp(first, first + size, len - size) == 0;
  while (is_same && digits.len) {
    len = next_bytes(&digits, most, more);
    is_same = memcmp(first, more, len) == 0;
  }
  return is_same;
}

static bool are_bytes(CakeStr digits, const char *bytes) {
  char block[BLOCK];
  bool is_same = true;
  while (is_same && digits.len) {
    size_t len = next_bytes(&digits, BLOCK, block);
    is_same = memcmp(block, bytes, len) == 0;
    bytes += len;
  }
  return is_same;
}

// The hash of the bytes.
static uint64_t hash_of(CakeStr digits) {
  char block[BLOCK];
  CakeHash hash;
  cake_hash_begin(&hash, digits.len / 2, 0);
  while (digits.len / 2 > BLOCK) {
    size_t len = next_bytes(&digits, BLOCK, block);
    cake_hash_add(&hash, block, len);
  }
  size_t len = next_bytes(&digits, BLOCK, block);
  return cake_hash_end(&hash, block, len);
}

// ---- Elements ------------------------------------------------------------------------------------------------------

CakeStr cake_digits_bytes(CakeContext *context, CakeDigits *digits) {
  size_t len = digits->text.len / 2;
  if (!digits->bytes) {
    char *bytes = cake_arena_take(context->arena, len);
    cake_hex_bytes(digits->text, bytes);
    digits->bytes = bytes;
  }
  return (CakeStr){digits->bytes, len};
}

CakeDigits *cake_digits_find(CakeContext *context, CakeStr bytes) {
  if (!context->digits.len || bytes.len < CAKE_LEAST_DIGITS) return NULL;
  uint64_t hash = cake_hash_bytes(bytes.ptr, bytes.len, 0);
  size_t at = hash;
  CakeDigits *known;
  while ((known = cake_table_next(&context->digits, hash, &at)) != NULL) {
    if (known->text.len / 2 == bytes.len && are_bytes(known->text, bytes.ptr)) return known;
  }
  return NULL;
}

static bool is_same(CakeContext *context, CakeDigits *known, CakeStr text) {
  if (known->text.len != text.len) return false;
  return memcmp(known->text.ptr, text.ptr, text.len) == 0 || are_bytes(text, cake_digits_bytes(context, known).ptr);
}

CakeParam cake_param_of_digits(CakeContext *context, CakeStr text) {
  uint64_t hash = hash_of(text);
  size_t at = hash;
  CakeId id;
  CakeDigits *digits;
  while ((digits = cake_table_next(&context->digits, hash, &at)) != NULL) {
    if (is_same(context, digits, text)) return cake_param_digits(digits);
  }
  at = hash;
  while ((id = cake_table_next(&context->ids, hash, &at)) != NULL) {
    if (id->len == text.len / 2 && are_bytes(text, id->text)) return cake_param_id(id);
  }
  digits = CAKE_ARENA_NEW(context->arena, CakeDigits);
  digits->text = text;
  cake_table_add(&context->digits, hash, digits);
  return cake_param_digits(digits);
}
