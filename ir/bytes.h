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

// CAKE_WIDE_LOOP(RESULT, NAME, PARAMETERS, ARGUMENTS): the function NAME, whose body is NAME_loop (CAKE_LOOP). Compilers make loops over bytes take a register
// at a time; here also for the wider ones that a processor may have, of which the C library knows.
#if defined(__x86_64__) && defined(__GNUC__) && defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#include <sys/platform/x86.h>
#define CAKE_WIDE_LOOP(result, name, parameters, arguments) \
  __attribute__((target("avx2"))) static result name##_avx2 parameters { return name##_loop arguments; } \
  __attribute__((target("avx512bw"))) static result name##_avx512 parameters { return name##_loop arguments; } \
  static result name parameters { \
    if (CPU_FEATURE_ACTIVE(AVX512BW)) return name##_avx512 arguments; \
    return CPU_FEATURE_ACTIVE(AVX2) ? name##_avx2 arguments : name##_loop arguments; \
  }
#endif
#endif
#ifdef CAKE_WIDE_LOOP
#define CAKE_LOOP static inline __attribute__((always_inline))
#else
#define CAKE_LOOP static inline
#define CAKE_WIDE_LOOP(result, name, parameters, arguments) \
  static result name parameters { return name##_loop arguments; }
#endif

#endif
