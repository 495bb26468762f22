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
