// Hexadecimal digits, and bytes of elements that stay digits of a text until somebody asks for them.
#ifndef CAKE_IR_DIGITS_H
#define CAKE_IR_DIGITS_H

#include "core.h"

// Behind the digits from `p` on.
const char *cake_hex_end(const char *p, const char *end);
// The bytes that pairs of digits stand for; `out` has room for them.
void cake_hex_bytes(CakeStr digits, char *out);
// Whether pairs of digits stand for `size` bytes again and again.
bool cake_hex_repeats(CakeStr digits, size_t size);

// Unique by the bytes; of ids, one with the same bytes is taken instead.
struct CakeDigits {
  CakeStr text;      // pairs of digits; the context must not outlive it
  const char *bytes; // NULL: nobody asked
};

enum { CAKE_LEAST_DIGITS = 1 << 10 }; // bytes of elements from which on they may stay digits

static inline CakeParam cake_param_digits(CakeDigits *digits) {
  CakeParam param = {CAKE_PARAM_DIGITS, {0}};
  param.digits = digits;
  return param;
}
// The parameter of elements with these bytes.
CakeParam cake_param_of_digits(CakeContext *context, CakeStr text);
// The one with these bytes that was made before; NULL: there is none.
CakeDigits *cake_digits_find(CakeContext *context, CakeStr bytes);
CakeStr cake_digits_bytes(CakeContext *context, CakeDigits *digits);

#endif
