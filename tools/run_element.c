// Element types in memory and in .npy files: one row a type.
#include "cake/text.h"
#include "tools/run.h"

#include <math.h>
#include <string.h>

static const CakeRunElement elements[CAKE_ELEMENT_COUNT] = {
    [CAKE_ELEMENT_I1] = {"i1",       1, CAKE_NPY_B1, NULL             },
    [CAKE_ELEMENT_I8] = {"i8",       1, CAKE_NPY_I1, NULL             },
    [CAKE_ELEMENT_I16] = {"i16",      2, CAKE_NPY_I2, NULL             },
    [CAKE_ELEMENT_I32] = {"i32",      4, CAKE_NPY_I4, NULL             },
    [CAKE_ELEMENT_I64] = {"i64",      8, CAKE_NPY_I8, NULL             },
    [CAKE_ELEMENT_F8E4M3FN] = {"f8E4M3FN", 1, CAKE_NPY_F4, &cake_format_e4m3},
    [CAKE_ELEMENT_F8E5M2] = {"f8E5M2",   1, CAKE_NPY_F4, &cake_format_e5m2},
    [CAKE_ELEMENT_F16] = {"f16",      2, CAKE_NPY_F4, &cake_format_f16 },
    [CAKE_ELEMENT_BF16] = {"bf16",     2, CAKE_NPY_F4, &cake_format_bf16},
    [CAKE_ELEMENT_TF32] = {"tf32",     4, CAKE_NPY_F4, &cake_format_tf32},
    [CAKE_ELEMENT_F32] = {"f32",      4, CAKE_NPY_F4, NULL             },
    [CAKE_ELEMENT_F64] = {"f64",      8, CAKE_NPY_F8, NULL             },
    [CAKE_ELEMENT_INDEX] = {"index",    8, CAKE_NPY_I8, NULL             },
};

const CakeRunElement *cake_run_element(CakeElement element) {
  return &elements[element];
}

const char *cake_element_name(CakeElement element) {
  return elements[element].name;
}

bool cake_element_find(CakeStr name, CakeElement *out) {
  for (int i = 0; i < CAKE_ELEMENT_COUNT; i++) {
    if (!cake_str_is(name, elements[i].name)) continue;
    *out = (CakeElement)i;
    return true;
  }
  return false;
}

bool cake_element_of_type(CakeType type, CakeElement *out) {
  CakeBuf name = {0};
  cake_print_type(type, &name);
  bool is_found = cake_element_find(cake_buf_view(&name), out);
  cake_buf_fini(&name);
  return is_found;
}

// ---- Narrow floats ---------------------------------------------------------------------------------------------------

// tf32 is a float whose low 13 bits are zero; the others are their codes.
static void store_narrow(const CakeRunElement *element, float value, void *to) {
  const CakeFloatFormat *format = element->narrow;
  if (format == &cake_format_tf32) {
    float rounded = cake_tf32_from_f32(value);
    memcpy(to, &rounded, sizeof rounded);
    return;
  }
  uint16_t code = format == &cake_format_bf16   ? cake_bf16_from_f32(value)
                  : format == &cake_format_f16  ? cake_f16_from_f32(value)
                  : format == &cake_format_e4m3 ? cake_e4m3_from_f32(value)
                                                : cake_e5m2_from_f32(value);
  memcpy(to, &code, element->bytes); // little-endian, as npy.c demands
}

static float load_narrow(const CakeRunElement *element, const void *from) {
  const CakeFloatFormat *format = element->narrow;
  uint16_t code = 0;
  float value;
  if (format == &cake_format_tf32) {
    memcpy(&value, from, sizeof value);
    return value;
  }
  memcpy(&code, from, element->bytes);
  if (format == &cake_format_bf16) return cake_bf16_to_f32(code);
  if (format == &cake_format_f16) return cake_f16_to_f32(code);
  return format == &cake_format_e4m3 ? cake_e4m3_to_f32((uint8_t)code) : cake_e5m2_to_f32((uint8_t)code);
}

// ---- .npy ------------------------------------------------------------------------------------------------------------

static bool takes(const CakeRunElement *element, CakeNpyType type) {
  if (element->narrow == &cake_format_f16 && type == CAKE_NPY_F2) return true;
  if (element->npy == CAKE_NPY_B1 && type == CAKE_NPY_U1) return true;
  return type == element->npy;
}

// Copies the values of a file that `takes` accepted.
static void convert(const CakeRunElement *element, const CakeNpy *npy, unsigned char *to) {
  if (!element->narrow || npy->type == CAKE_NPY_F2) {
    memcpy(to, npy->data, npy->count * element->bytes);
    return;
  }
  for (size_t i = 0; i < npy->count; i++)
    store_narrow(element, ((const float *)npy->data)[i], to + i * element->bytes);
}

bool cake_run_set_npy(CakeRunArgs *args, size_t index, const CakeNpy *npy, CakeBuf *error) {
  CakeRunArray *array = &args->arrays.data[index];
  const char *name = args->facts->manifest.args[index].name;
  if (npy->rank != array->rank) {
    cake_buf_printf(error, "argument '%s' has %zu dimensions; the file's array has %u: ", name, array->rank, npy->rank);
    cake_npy_append_shape(npy, error);
    return false;
  }
  if (!takes(array->element, npy->type)) {
    cake_buf_printf(error, "argument '%s' is %s, which takes a file of %s; this one is %s", name, array->element->name,
                    cake_npy_type_name(array->element->npy), cake_npy_type_name(npy->type));
    return false;
  }
  for (unsigned i = 0; i < npy->rank; i++)
    array->dims[i] = npy->shape[i] <= INT64_MAX ? (int64_t)npy->shape[i] : INT64_MAX;
  array->count = npy->count;
  cake_buf_clear(&array->storage);
  cake_buf_fill(&array->storage, '\0', npy->count * array->element->bytes + 1);
  array->data = array->storage.data;
  convert(array->element, npy, array->data);
  array->is_set = true;
  if (array->element->narrow && npy->type == CAKE_NPY_F4)
    cake_buf_printf(&args->rounded, "%s%s", args->rounded.len ? ", " : "", name);
  return true;
}

void cake_run_to_npy(const CakeRunArray *array, CakeNpy *out) {
  uint64_t shape[CAKE_NPY_MAX_RANK];
  for (size_t i = 0; i < array->rank; i++)
    shape[i] = (uint64_t)array->dims[i];
  cake_npy_init(out, array->element->npy, (unsigned)array->rank, shape);
  if (!array->element->narrow) {
    memcpy(out->data, array->data, array->count * array->element->bytes);
    return;
  }
  for (size_t i = 0; i < array->count; i++)
    ((float *)out->data)[i] =
        load_narrow(array->element, (const unsigned char *)array->data + i * array->element->bytes);
}

// ---- Comparing -------------------------------------------------------------------------------------------------------

static bool same_shape(const CakeNpy *a, const CakeNpy *b) {
  bool is_same = a->rank == b->rank;
  for (unsigned i = 0; is_same && i < a->rank; i++)
    is_same = a->shape[i] == b->shape[i];
  return is_same;
}

static void append_place(const CakeNpy *array, size_t flat, CakeBuf *out) {
  size_t stride = array->count;
  cake_buf_char(out, '[');
  for (unsigned i = 0; i < array->rank; i++) {
    stride /= (size_t)array->shape[i];
    cake_buf_printf(out, "%s%zu", i ? ", " : "", flat / stride);
    flat %= stride;
  }
  cake_buf_char(out, ']');
}

static bool equal_at(const CakeNpy *a, const CakeNpy *b, size_t i) {
  size_t bytes = cake_npy_type_bytes(a->type);
  if (memcmp((const char *)a->data + i * bytes, (const char *)b->data + i * bytes, bytes) == 0) return true;
  if (a->type != CAKE_NPY_F4 && a->type != CAKE_NPY_F8) return false;
  double x = cake_npy_get(a, i), y = cake_npy_get(b, i);
  return x == y || (isnan(x) && isnan(y));
}

static bool compare(const CakeNpy *found, const CakeNpy *expected, const bool *skip, size_t *out_compared,
                    CakeBuf *error) {
  size_t differences = 0, first = 0;
  *out_compared = 0;
  for (size_t i = 0; i < found->count; i++) {
    if (skip && skip[i]) continue;
    ++*out_compared;
    if (!equal_at(found, expected, i) && differences++ == 0) first = i;
  }
  if (differences == 0) return true;
  cake_buf_printf(error, "differs from what was expected in %zu of %zu elements; first at ", differences,
                  *out_compared);
  append_place(found, first, error);
  cake_buf_printf(error, ": found %.9g, expected %.9g", cake_npy_get(found, first), cake_npy_get(expected, first));
  return false;
}

bool cake_run_compare(const CakeRunArgs *args, size_t index, const CakeNpy *expected, const bool *skip,
                      size_t *out_compared, CakeBuf *error) {
  CakeNpy found = {0};
  cake_run_to_npy(&args->arrays.data[index], &found);
  bool is_fine = found.type == expected->type && same_shape(&found, expected);
  if (!is_fine) {
    cake_buf_printf(error, "is %s of shape ", cake_npy_type_name(found.type));
    cake_npy_append_shape(&found, error);
    cake_buf_printf(error, "; what was expected is %s of shape ", cake_npy_type_name(expected->type));
    cake_npy_append_shape(expected, error);
  } else {
    is_fine = compare(&found, expected, skip, out_compared, error);
  }
  cake_npy_fini(&found);
  return is_fine;
}

// ---- Random numbers ----------------------------------------------------------------------------------------------------

// xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled".
static uint64_t next_random(uint64_t *state) {
  *state ^= *state >> 12;
  *state ^= *state << 25;
  *state ^= *state >> 27;
  return *state * UINT64_C(2685821657736338717);
}

// The sum of four uniform numbers of variance 1/12 is close to normal: times √3 its variance is 1.
static double near_normal(uint64_t bits) {
  double sum = 0;
  for (int i = 0; i < 4; i++)
    sum += (double)(bits >> (16 * i) & 0xffff) / 65536.0 - 0.5;
  return sum * 1.7320508075688772;
}

void cake_run_store(CakeRunArray *array, size_t i, double value) {
  const CakeRunElement *element = array->element;
  char *to = (char *)array->data + i * element->bytes;
  int64_t integer = value >= -9e18 && value <= 9e18 ? (int64_t)value : 0;
  if (element->narrow)
    store_narrow(element, (float)value, to);
  else if (element->npy == CAKE_NPY_F4)
    memcpy(to, &(float){(float)value}, sizeof(float));
  else if (element->npy == CAKE_NPY_F8)
    memcpy(to, &value, sizeof value);
  else
    memcpy(to, &integer, element->bytes); // little-endian
}

double cake_run_fetch(const CakeRunArray *array, size_t i) {
  const CakeRunElement *element = array->element;
  const char *from = (const char *)array->data + i * element->bytes;
  float single;
  double value;
  int64_t integer = 0;
  if (element->narrow) return (double)load_narrow(element, from);
  if (element->npy == CAKE_NPY_F4) {
    memcpy(&single, from, sizeof single);
    return (double)single;
  }
  if (element->npy == CAKE_NPY_F8) {
    memcpy(&value, from, sizeof value);
    return value;
  }
  memcpy(&integer, from, element->bytes);
  uint64_t sign = element->npy == CAKE_NPY_B1 ? 0 : UINT64_C(1) << (8 * element->bytes - 1);
  return (double)(int64_t)(((uint64_t)integer ^ sign) - sign);
}

void cake_run_fill_random(CakeRunArray *array, uint64_t seed) {
  const CakeRunElement *element = array->element;
  uint64_t state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
  bool is_float = element->narrow || element->npy == CAKE_NPY_F4 || element->npy == CAKE_NPY_F8;
  for (size_t i = 0; i < array->count; i++) {
    uint64_t bits = next_random(&state);
    int64_t integer = element->npy == CAKE_NPY_B1 ? (int64_t)(bits >> 63) : (int64_t)(bits >> 57) - 64;
    cake_run_store(array, i, is_float ? near_normal(bits) : (double)integer);
  }
}
