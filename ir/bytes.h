// Sixteen bytes at a time: for scans of long texts that look for a few characters. In C that every compiler with GNU vectors takes.
#ifndef CAKE_IR_BYTES_H
#define CAKE_IR_BYTES_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#if defined(__GNUC__)
#define CAKE_HAS_BYTES 1
typedef uint8_t CakeBytes __attribute__((vector_size(16)));

static inline CakeBytes cake_bytes_load(const char *at) {
  CakeBytes bytes;
  memcpy(&bytes, at, sizeof bytes);
  return bytes;
}

static inline void cake_bytes_store(char *at, CakeBytes bytes) { memcpy(at, &bytes, sizeof bytes); }

// Every other byte of both.
static inline CakeBytes cake_bytes_even(CakeBytes a, CakeBytes b) {
  return __builtin_shufflevector(a, b, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30);
}
static inline CakeBytes cake_bytes_odd(CakeBytes a, CakeBytes b) {
  return __builtin_shufflevector(a, b, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31);
}

// All bits set where a byte is `c`; none elsewhere.
static inline CakeBytes cake_bytes_are(CakeBytes bytes, char c) {
  return (CakeBytes)(bytes == (uint8_t)c);
}

static inline bool cake_bytes_any(CakeBytes bits) {
  uint64_t words[2];
  memcpy(words, &bits, sizeof words);
  return (words[0] | words[1]) != 0;
}
#else
#define CAKE_HAS_BYTES 0
#endif

#endif
