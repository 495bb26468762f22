// Strings and buffers.
#include "bytes.h"
#include "core.h"
#include "put.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Strings -------------------------------------------------------------------------------------------------------

CakeStr cake_str(const char *text) {
  return (CakeStr){text, strlen(text)};
}

bool cake_str_equal(CakeStr a, CakeStr b) {
  return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

bool cake_str_is(CakeStr a, const char *text) {
  return cake_str_equal(a, cake_str(text));
}

bool cake_str_starts_with(CakeStr a, const char *prefix) {
  size_t len = strlen(prefix);
  return a.len >= len && (len == 0 || memcmp(a.ptr, prefix, len) == 0);
}

// Levenshtein's distance; UINT32_MAX: the candidate is too long for one.
static unsigned distance(CakeStr a, const char *b) {
  unsigned row[64];
  size_t len = strlen(b);
  if (len >= CAKE_COUNT(row)) return UINT32_MAX;
  for (size_t j = 0; j <= len; j++)
    row[j] = (unsigned)j;
  for (size_t i = 1; i <= a.len; i++) {
    unsigned diagonal = row[0];
    row[0] = (unsigned)i;
    for (size_t j = 1; j <= len; j++) {
      unsigned best = diagonal + (a.ptr[i - 1] != b[j - 1]);
      if (row[j] + 1 < best) best = row[j] + 1;
      if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
      diagonal = row[j];
      row[j] = best;
    }
  }
  return row[len];
}

CakeNearest cake_nearest_to(CakeStr name) {
  return (CakeNearest){.name = name, .distance = 1 + (unsigned)(name.len < 60 ? name.len : 60) / 3};
}

void cake_nearest_consider(CakeNearest *nearest, const char *candidate) {
  unsigned found = distance(nearest->name, candidate);
  if (found >= nearest->distance) return;
  nearest->best = candidate;
  nearest->distance = found;
}

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

// Of what is long, many halves of words at a time, which do not wait for one another: the widest registers multiply sixteen at once.
CAKE_LOOP const char *mix_lanes_loop(const char *at, const char *end, uint32_t *lanes) {
  uint32_t own[CAKE_HASH_LANES];
  memcpy(own, lanes, sizeof own);
  for (; end - at >= CAKE_HASH_BLOCK; at += CAKE_HASH_BLOCK) {
    for (size_t i = 0; i < CAKE_HASH_LANES; i++) {
      uint32_t word;
      memcpy(&word, at + i * sizeof word, sizeof word);
      word = (word ^ own[i]) * 0x9e3779b1u;
      own[i] = word ^ word >> 15;
    }
  }
  memcpy(lanes, own, sizeof own);
  return at;
}

CAKE_WIDE_LOOP(const char *, mix_lanes, (const char *at, const char *end, uint32_t *lanes), (at, end, lanes))

static uint64_t hash_begin(size_t len, uint64_t seed) {
  return mix(seed ^ 0x2545f4914f6cdd1du, len);
}

// Four words at a time, which do not wait for one another.
static uint64_t hash_words(uint64_t hash, const char *at, const char *end) {
  enum { LANES = 4 };
  uint64_t lanes[LANES] = {hash, hash + 1, hash + 2, hash + 3}, words[LANES];
  for (; at < end; at += sizeof words) {
    memcpy(words, at, sizeof words);
    for (size_t i = 0; i < LANES; i++)
      lanes[i] = mix(lanes[i], words[i]);
  }
  return mix(mix(lanes[0], lanes[1]), mix(lanes[2], lanes[3]));
}

// A word at a time.
static uint64_t hash_rest(uint64_t hash, const char *at, size_t len) {
  enum { BLOCK = 32 };
  size_t many = len / BLOCK * BLOCK;
  if (many) hash = hash_words(hash, at, at + many);
  at += many;
  len -= many;
  for (; len >= 8; at += 8, len -= 8) {
    uint64_t word;
    memcpy(&word, at, 8);
    hash = mix(hash, word);
  }
  if (len) {
    uint64_t word = 0;
    memcpy(&word, at, len);
    hash = mix(hash, word);
  }
  return mix(hash, hash >> 29);
}

void cake_hash_begin(CakeHash *hash, size_t len, uint64_t seed) {
  hash->begin = hash_begin(len, seed);
  for (size_t i = 0; i < CAKE_HASH_LANES; i++)
    hash->lanes[i] = (uint32_t)hash->begin + (uint32_t)i;
}

void cake_hash_add(CakeHash *hash, const char *bytes, size_t len) {
  (void)mix_lanes(bytes, bytes + len, hash->lanes);
}

uint64_t cake_hash_end(CakeHash *hash, const char *bytes, size_t len) {
  const char *end = bytes + len, *at = mix_lanes(bytes, end, hash->lanes);
  uint64_t all = hash->begin;
  for (size_t i = 0; i < CAKE_HASH_LANES; i += 2)
    all = mix(all, (uint64_t)hash->lanes[i] << 32 | hash->lanes[i + 1]);
  return hash_rest(all, at, (size_t)(end - at));
}

uint64_t cake_hash_bytes(const void *bytes, size_t len, uint64_t seed) {
  if (len < CAKE_HASH_LONG) return hash_rest(hash_begin(len, seed), bytes, len);
  CakeHash hash;
  cake_hash_begin(&hash, len, seed);
  return cake_hash_end(&hash, bytes, len);
}

size_t cake_utf8_length(const char *bytes, size_t len) {
  if (len == 0) return 0;
  const unsigned char *b = (const unsigned char *)bytes;
  if (b[0] < 0x80) return 1;
  size_t want = b[0] >= 0xf0 ? 4 : b[0] >= 0xe0 ? 3 : 2;
  if (b[0] < 0xc2 || b[0] > 0xf4 || len < want) return 0;
  for (size_t i = 1; i < want; i++) {
    if ((b[i] & 0xc0) != 0x80) return 0;
  }
  // Overlong forms, surrogates, beyond U+10FFFF.
  if (b[0] == 0xe0 && b[1] < 0xa0) return 0;
  if (b[0] == 0xed && b[1] > 0x9f) return 0;
  if (b[0] == 0xf0 && b[1] < 0x90) return 0;
  if (b[0] == 0xf4 && b[1] > 0x8f) return 0;
  return want;
}

// ---- Buffers -------------------------------------------------------------------------------------------------------

void cake_buf_fini(CakeBuf *buf) {
  cake_mem_free(buf->data);
  *buf = (CakeBuf){0};
}

void cake_buf_clear(CakeBuf *buf) {
  buf->len = 0;
  if (buf->data) buf->data[0] = '\0';
}

void cake_buf_reserve(CakeBuf *buf, size_t more) {
  if (more > SIZE_MAX / 4 || buf->len > SIZE_MAX / 4) cake_out_of_memory(more);
  size_t wanted = buf->len + more + 1;
  if (wanted <= buf->capacity) return;
  size_t capacity = buf->capacity ? buf->capacity * 2 : 64;
  if (capacity < wanted) capacity = wanted + wanted / 16; // a little more often follows
  buf->data = cake_mem_grow(buf->data, buf->capacity, &capacity);
  buf->capacity = capacity;
}

// From 00 to 99.
const char cake_two_digits[201] = "00010203040506070809101112131415161718192021222324252627282930313233343536373839"
                                  "40414243444546474849505152535455565758596061626364656667686970717273747576777879"
                                  "8081828384858687888990919293949596979899";

void cake_buf_int(CakeBuf *buf, int64_t value) {
  if (value >= 0 && value < 10) {
    cake_buf_char(buf, (char)('0' + value));
    return;
  }
  char digits[24];
  size_t at = sizeof digits;
  uint64_t rest = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
  for (; rest >= 100; rest /= 100)
    memcpy(digits + (at -= 2), cake_two_digits + 2 * (rest % 100), 2);
  if (rest >= 10)
    memcpy(digits + (at -= 2), cake_two_digits + 2 * rest, 2);
  else
    digits[--at] = (char)('0' + rest);
  if (value < 0) digits[--at] = '-';
  cake_buf_append(buf, digits + at, sizeof digits - at);
}

void cake_buf_vprintf(CakeBuf *buf, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  cake_buf_reserve(buf, 0);
  size_t room = buf->capacity - buf->len;
  int len = vsnprintf(buf->data + buf->len, room, format, args);
  if (len > 0 && (size_t)len >= room) {
    cake_buf_reserve(buf, (size_t)len);
    len = vsnprintf(buf->data + buf->len, (size_t)len + 1, format, again);
  }
  va_end(again);
  if (len > 0) buf->len += (size_t)len;
  buf->data[buf->len] = '\0';
}

void cake_buf_printf(CakeBuf *buf, const char *format, ...) {
  va_list args;
  va_start(args, format);
  cake_buf_vprintf(buf, format, args);
  va_end(args);
}

void cake_buf_fill(CakeBuf *buf, char c, size_t count) {
  cake_buf_reserve(buf, count);
  memset(buf->data + buf->len, c, count);
  buf->len += count;
  buf->data[buf->len] = '\0';
}

CakeStr cake_buf_view(const CakeBuf *buf) {
  return buf->data ? (CakeStr){buf->data, buf->len} : CAKE_STR("");
}

void cake_buf_safe(CakeBuf *buf, CakeStr text) {
  for (size_t i = 0; i < text.len;) {
    size_t len = cake_utf8_length(text.ptr + i, text.len - i);
    unsigned char c = (unsigned char)text.ptr[i];
    bool is_control = (c < 0x20 && c != '\t' && c != '\n') || c == 0x7f;
    if (len == 0 || is_control) {
      cake_buf_text(buf, "\xef\xbf\xbd");
      i++;
    } else {
      cake_buf_append(buf, text.ptr + i, len);
      i += len;
    }
  }
}
