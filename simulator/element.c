// Element types: reading and writing arrays, and rounding.
#include "simulator/sim.h"

#include "cake/float.h"

#include <math.h>
#include <string.h>

bool cake_sim_element_of(CakeType type, CakeSimElement *out) {
  if (cake_type_is_index(type)) {
    *out = (CakeSimElement){.bits = 64};
    return true;
  }
  if (cake_type_is_integer(type, 0)) {
    if (cake_type_width(type) > 64 || cake_type_width(type) == 0) return false;
    *out = (CakeSimElement){.bits = (uint8_t)cake_type_width(type)};
    return true;
  }
  switch (cake_type_float_kind(type)) {
  case CAKE_FLOAT_F16:
  case CAKE_FLOAT_BF16:
  case CAKE_FLOAT_F32:
  case CAKE_FLOAT_TF32:
  case CAKE_FLOAT_F8E4M3FN:
  case CAKE_FLOAT_F8E5M2: *out = (CakeSimElement){.is_float = true, .format = cake_type_float_kind(type)}; return true;
  default: return false;
  }
}

size_t cake_sim_stored_bytes(CakeSimElement element) {
  if (!element.is_float) return element.bits <= 8 ? 1 : element.bits <= 16 ? 2 : element.bits <= 32 ? 4 : 8;
  switch (element.format) {
  case CAKE_FLOAT_F8E4M3FN:
  case CAKE_FLOAT_F8E5M2: return 1;
  case CAKE_FLOAT_F16:
  case CAKE_FLOAT_BF16: return 2;
  default: return 4;
  }
}

size_t cake_sim_element_bytes(CakeType element) {
  CakeSimElement kind;
  return cake_sim_element_of(element, &kind) ? cake_sim_stored_bytes(kind) : 0;
}

// ---- Integers --------------------------------------------------------------------------------------------------------

static void read_integers(CakeSimElement element, const void *array, int64_t start, size_t count, int64_t *out) {
  size_t size = cake_sim_stored_bytes(element);
  const unsigned char *from = (const unsigned char *)array + (size_t)start * size;
  for (size_t i = 0; i < count; i++, from += size) {
    uint64_t bits = 0;
    for (size_t b = 0; b < size; b++)
      bits |= (uint64_t)from[b] << (8 * b);
    out[i] = cake_sim_wrap((int64_t)bits, element.bits);
  }
}

static void write_integers(CakeSimElement element, void *array, int64_t start, size_t count, const int64_t *in) {
  size_t size = cake_sim_stored_bytes(element);
  unsigned char *to = (unsigned char *)array + (size_t)start * size;
  for (size_t i = 0; i < count; i++, to += size) {
    for (size_t b = 0; b < size; b++)
      to[b] = (unsigned char)((uint64_t)in[i] >> (8 * b));
  }
}

// ---- Floats ----------------------------------------------------------------------------------------------------------

void cake_sim_read(CakeSimElement element, const void *array, int64_t start, size_t count, void *kept) {
  if (!element.is_float) {
    read_integers(element, array, start, count, kept);
    return;
  }
  float *out = kept;
  switch (element.format) {
  case CAKE_FLOAT_BF16:
    for (size_t i = 0; i < count; i++)
      out[i] = cake_bf16_to_f32(((const uint16_t *)array)[(size_t)start + i]);
    break;
  case CAKE_FLOAT_F16:
    for (size_t i = 0; i < count; i++)
      out[i] = cake_f16_to_f32(((const uint16_t *)array)[(size_t)start + i]);
    break;
  case CAKE_FLOAT_F8E4M3FN:
    for (size_t i = 0; i < count; i++)
      out[i] = cake_e4m3_to_f32(((const uint8_t *)array)[(size_t)start + i]);
    break;
  case CAKE_FLOAT_F8E5M2:
    for (size_t i = 0; i < count; i++)
      out[i] = cake_e5m2_to_f32(((const uint8_t *)array)[(size_t)start + i]);
    break;
  default: memcpy(out, (const float *)array + start, count * sizeof(float)); break;
  }
}

void cake_sim_write(CakeSimElement element, void *array, int64_t start, size_t count, const void *kept) {
  if (!element.is_float) {
    write_integers(element, array, start, count, kept);
    return;
  }
  const float *in = kept;
  switch (element.format) {
  case CAKE_FLOAT_BF16:
    for (size_t i = 0; i < count; i++)
      ((uint16_t *)array)[(size_t)start + i] = cake_bf16_from_f32(in[i]);
    break;
  case CAKE_FLOAT_F16:
    for (size_t i = 0; i < count; i++)
      ((uint16_t *)array)[(size_t)start + i] = cake_f16_from_f32(in[i]);
    break;
  case CAKE_FLOAT_F8E4M3FN:
    for (size_t i = 0; i < count; i++)
      ((uint8_t *)array)[(size_t)start + i] = cake_e4m3_from_f32(in[i]);
    break;
  case CAKE_FLOAT_F8E5M2:
    for (size_t i = 0; i < count; i++)
      ((uint8_t *)array)[(size_t)start + i] = cake_e5m2_from_f32(in[i]);
    break;
  default: memcpy((float *)array + start, in, count * sizeof(float)); break;
  }
}

static float round_one(CakeFloat format, float value) {
  switch (format) {
  case CAKE_FLOAT_BF16: return cake_bf16_to_f32(cake_bf16_from_f32(value));
  case CAKE_FLOAT_F16: return cake_f16_to_f32(cake_f16_from_f32(value));
  case CAKE_FLOAT_TF32: return cake_tf32_from_f32(value);
  case CAKE_FLOAT_F8E4M3FN: return cake_e4m3_to_f32(cake_e4m3_from_f32(value));
  case CAKE_FLOAT_F8E5M2: return cake_e5m2_to_f32(cake_e5m2_from_f32(value));
  default: return value;
  }
}

void cake_sim_round(CakeSimElement element, float *values, size_t count) {
  if (!element.is_float || element.format == CAKE_FLOAT_F32) return;
  for (size_t i = 0; i < count; i++)
    values[i] = round_one(element.format, values[i]);
}

// A sum of 16-bit floats that is rounded to f32 and then to its type is what one rounding gives: f32 has more than twice
// their digits (Figueroa, "When is double rounding innocuous?").
void cake_sim_add(CakeSimElement element, void *array, int64_t start, size_t count, const void *kept) {
  for (size_t i = 0; i < count; i++) {
    float real;
    int64_t whole;
    void *now = element.is_float ? (void *)&real : (void *)&whole;
    cake_sim_read(element, array, start + (int64_t)i, 1, now);
    if (element.is_float)
      real = round_one(element.format, real + ((const float *)kept)[i]);
    else
      whole = cake_sim_wrap((int64_t)((uint64_t)whole + (uint64_t)((const int64_t *)kept)[i]), element.bits);
    cake_sim_write(element, array, start + (int64_t)i, 1, now);
  }
}

void cake_sim_fill_kept(CakeSimElement element, CakeAttr number, size_t count, void *kept) {
  bool is_float = cake_attr_is(number, &cake_attr_def_float);
  if (element.is_float) {
    float value = is_float ? (float)cake_attr_float_value(number) : (float)cake_attr_int_value(number);
    value = round_one(element.format, value);
    for (size_t i = 0; i < count; i++)
      ((float *)kept)[i] = value;
    return;
  }
  double real = is_float ? cake_attr_float_value(number) : 0;
  int64_t value = fabs(real) < 0x1p62 ? (int64_t)real : 0; // NaN too is no integer
  value = cake_sim_wrap(is_float ? value : cake_attr_int_value(number), element.bits);
  for (size_t i = 0; i < count; i++)
    ((int64_t *)kept)[i] = value;
}
