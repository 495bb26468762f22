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
  enum { FEW = 256 }; // mostly the first few bytes say that they do not
  char first[FEW], more[FEW];
  size_t most = FEW - FEW % size, len = next_bytes(&digits, most, first);
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

// Elements that are looked for.
typedef struct Wanted {
  CakeStr text;      // digits; without a pointer: they are bytes
  const char *bytes; // else NULL
  size_t len;        // of the bytes, CAKE_LEAST_DIGITS or more
} Wanted;

enum { SAMPLES = 8, SAMPLE = 16 };

// The hash of a few of the bytes.
static uint64_t sample_of(const Wanted *wanted) {
  char sample[SAMPLES * SAMPLE];
  for (size_t i = 0; i < SAMPLES; i++) {
    size_t from = (wanted->len - SAMPLE) / (SAMPLES - 1) * i;
    if (wanted->bytes)
      memcpy(sample + i * SAMPLE, wanted->bytes + from, SAMPLE);
    else
      cake_hex_bytes((CakeStr){wanted->text.ptr + 2 * from, 2 * (size_t)SAMPLE}, sample + i * SAMPLE);
  }
  return cake_hash_bytes(sample, sizeof sample, wanted->len);
}

static bool is_same(CakeContext *context, CakeDigits *known, const Wanted *wanted) {
  if (known->text.len / 2 != wanted->len) return false;
  if (wanted->bytes) return are_bytes(known->text, wanted->bytes);
  if (memcmp(known->text.ptr, wanted->text.ptr, wanted->text.len) == 0) return true;
  return are_bytes(wanted->text, cake_digits_bytes(context, known).ptr);
}

static CakeDigits *find(CakeContext *context, uint64_t key, const Wanted *wanted) {
  size_t at = key;
  CakeDigits *known;
  do
    known = cake_table_next(&context->digits, key, &at);
  while (known && !is_same(context, known, wanted));
  return known;
}

static bool has_key(const CakeContext *context, uint64_t key) {
  size_t at = key;
  return cake_table_next(&context->digits, key, &at) != NULL;
}

CakeDigits *cake_digits_find(CakeContext *context, CakeStr bytes) {
  if (!context->digits.len || bytes.len < CAKE_LEAST_DIGITS) return NULL;
  Wanted wanted = {{0}, bytes.ptr, bytes.len};
  uint64_t sample = sample_of(&wanted);
  if (!has_key(context, sample)) return NULL;
  CakeDigits *known = find(context, sample, &wanted);
  return known ? known : find(context, cake_hash_bytes(bytes.ptr, bytes.len, 0), &wanted);
}

static CakeId find_id(CakeContext *context, uint64_t hash, CakeStr text) {
  size_t at = hash;
  CakeId id;
  do
    id = cake_table_next(&context->ids, hash, &at);
  while (id && !(id->len == text.len / 2 && are_bytes(text, id->text)));
  return id;
}

// The first elements with a sample are found by it, others with the same sample by the hash of all their bytes: to hash all would cost as much as
// all else that is done to them.
CakeParam cake_param_of_digits(CakeContext *context, CakeStr text) {
  Wanted wanted = {text, NULL, text.len / 2};
  uint64_t key = sample_of(&wanted);
  bool is_first = !has_key(context, key);
  CakeDigits *digits = is_first ? NULL : find(context, key, &wanted);
  CakeId id = NULL;
  if (!digits && (!is_first || context->has_long_ids)) {
    uint64_t hash = hash_of(text);
    if (!is_first) digits = find(context, key = hash, &wanted);
    if (!digits) id = find_id(context, hash, text);
  }
  if (id) return cake_param_id(id);
  if (digits) return cake_param_digits(digits);
  digits = CAKE_ARENA_NEW(context->arena, CakeDigits);
  digits->text = text;
  cake_table_add(&context->digits, key, digits);
  return cake_param_digits(digits);
}
