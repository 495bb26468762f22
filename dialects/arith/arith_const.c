// Constants of scalars, vectors and tensors: reading their elements, and computing with them one by one.
#include <math.h>

#include "dialects/arith/arith_hooks.h"

// Constants with more elements than this are not computed with (but splats always are).
enum { MAX_FOLDED_ELEMENTS = 1 << 16, MAX_OPERANDS = 3 };

// Those whose values are doubles; scales have neither a sign nor a zero.
static bool is_computable_float(CakeType type) {
  return cake_type_is_any_float(type) && cake_float_has_encoding(type) &&
         !cake_type_is_float(type, CAKE_FLOAT_F8E8M0FNU);
}

static unsigned integer_width(CakeType element) {
  if (cake_type_is(element, &cake_type_def_integer)) return cake_type_width(element);
  return cake_type_is(element, &cake_type_def_index) ? 64 : 0;
}

static size_t element_bytes(const ArithConst *constant) {
  unsigned bits = constant->is_float ? cake_type_width(constant->element) : constant->width;
  return (bits + 7) / 8;
}

bool arith_const_read(CakeAttr attr, ArithConst *out) {
  bool is_dense = cake_attr_is(attr, &cake_attr_def_dense_elements);
  if (!is_dense && !cake_attr_is(attr, &cake_attr_def_integer) && !cake_attr_is(attr, &cake_attr_def_float))
    return false;
  *out = (ArithConst){
      .attr = attr, .element = cake_type_element(cake_attr_value_type(attr)), .count = 1, .is_dense = is_dense};
  out->is_float = cake_type_is_any_float(out->element);
  out->width = integer_width(out->element);
  if (out->is_float ? !is_computable_float(out->element) : (out->width == 0 || out->width > 64)) return false;
  if (!is_dense) return true;
  size_t bytes = cake_attr_string_value(attr).len;
  if (!cake_attr_is_splat(attr)) out->count = cake_type_count(cake_attr_value_type(attr));
  return out->count > 0 && out->count <= MAX_FOLDED_ELEMENTS && bytes == (size_t)out->count * element_bytes(out);
}

static uint64_t low_bits(uint64_t bits, unsigned width) {
  return width >= 64 ? bits : bits & ((UINT64_C(1) << width) - 1);
}

static int64_t sign_extend(uint64_t bits, unsigned width) {
  if (width == 0 || width >= 64) return (int64_t)bits;
  uint64_t sign = UINT64_C(1) << (width - 1);
  return (int64_t)((low_bits(bits, width) ^ sign) - sign);
}

// What most constants are: one integer.
static bool read_scalar_integer(CakeAttr attr, ArithElement *out, unsigned *out_width) {
  if (!cake_attr_is(attr, &cake_attr_def_integer)) return false;
  *out_width = integer_width(cake_attr_value_type(attr));
  if (*out_width == 0 || *out_width > 64) return false;
  out->bits = low_bits((uint64_t)cake_attr_int_value(attr), *out_width);
  out->value = sign_extend(out->bits, *out_width);
  return true;
}

static uint64_t raw_element(const ArithConst *constant, int64_t index) {
  size_t size = element_bytes(constant);
  const unsigned char *bytes = (const unsigned char *)cake_attr_string_value(constant->attr).ptr +
                               size * (size_t)(constant->count == 1 ? 0 : index);
  uint64_t bits = 0;
  for (size_t i = 0; i < size; i++)
    bits |= (uint64_t)bytes[i] << (8 * i);
  return bits;
}

uint64_t arith_const_bits(const ArithConst *constant, int64_t index) {
  uint64_t bits = constant->is_dense ? raw_element(constant, index) : (uint64_t)cake_attr_int_value(constant->attr);
  return low_bits(bits, constant->width);
}

int64_t arith_const_signed(const ArithConst *constant, int64_t index) {
  return sign_extend(arith_const_bits(constant, index), constant->width);
}

double arith_const_float(const ArithConst *constant, int64_t index) {
  if (!constant->is_dense) return cake_attr_float_value(constant->attr);
  return cake_float_decode(constant->element, raw_element(constant, index));
}

bool arith_const_all_of(CakeAttr attr, int64_t value) {
  ArithConst constant;
  ArithElement scalar;
  unsigned width;
  if (read_scalar_integer(attr, &scalar, &width)) return scalar.bits == low_bits((uint64_t)value, width);
  if (!arith_const_read(attr, &constant) || constant.is_float) return false;
  for (int64_t i = 0; i < constant.count; i++)
    if (arith_const_bits(&constant, i) != low_bits((uint64_t)value, constant.width)) return false;
  return true;
}

bool arith_const_all_float(CakeAttr attr, double value) {
  ArithConst constant;
  if (!arith_const_read(attr, &constant) || !constant.is_float) return false;
  for (int64_t i = 0; i < constant.count; i++) {
    double number = arith_const_float(&constant, i);
    if (memcmp(&number, &value, sizeof value) != 0) return false;
  }
  return true;
}

bool arith_const_all_nan(CakeAttr attr) {
  ArithConst constant;
  if (!attr || !arith_const_read(attr, &constant) || !constant.is_float) return false;
  for (int64_t i = 0; i < constant.count; i++)
    if (!isnan(arith_const_float(&constant, i))) return false;
  return true;
}

// ---- Making --------------------------------------------------------------------------------------------------------

// Whether the number, or what it overflows to, is one of the type: some have neither NaN nor infinity.
static bool is_representable(CakeType element, double number) {
  if (!cake_type_is_any_float(element)) return true;
  double held = cake_float_decode(element, cake_float_encode(element, number));
  return isnan(number) ? isnan(held) : !isinf(number) || !isfinite(held);
}

static void append_element(CakeBuf *bytes, CakeType element, const ArithElement *value) {
  bool is_float = cake_type_is_any_float(element);
  unsigned width = is_float ? cake_type_width(element) : integer_width(element);
  uint64_t bits = is_float ? cake_float_encode(element, value->number) : low_bits(value->bits, width);
  for (unsigned i = 0; i < (width + 7) / 8; i++)
    cake_buf_char(bytes, (char)(bits >> (8 * i)));
}

static CakeAttr make_scalar(CakeType type, const ArithElement *value) {
  if (cake_type_is_any_float(type)) return cake_attr_float(type, value->number);
  return cake_attr_integer(type, sign_extend(value->bits, integer_width(type)));
}

// Whether a result of this type can be held in a constant that we can make.
static bool can_make_element(CakeType element) {
  unsigned width = integer_width(element);
  return width ? width <= 64 : is_computable_float(element);
}

static bool can_make(CakeType type) {
  if (!cake_type_is_shaped(type)) return can_make_element(type);
  return can_make_element(cake_type_element(type)) && cake_type_count(type) > 0; // a static shape
}

CakeAttr arith_const_splat(CakeType type, int64_t value) {
  if (!can_make(type)) return NULL;
  CakeType element = cake_type_element(type);
  ArithElement one = {.bits = (uint64_t)value, .number = (double)value};
  if (!cake_type_is_shaped(type)) return make_scalar(type, &one);
  CakeBuf bytes = {0};
  append_element(&bytes, element, &one);
  CakeAttr made = cake_attr_dense_elements(type, cake_buf_view(&bytes), true);
  cake_buf_fini(&bytes);
  return made;
}

static ArithElement read_element(const ArithConst *constant, int64_t index) {
  if (constant->is_float) return (ArithElement){.number = arith_const_float(constant, index)};
  uint64_t bits = arith_const_bits(constant, index);
  return (ArithElement){.bits = bits, .value = sign_extend(bits, constant->width)};
}

// One element is all that there is.
static CakeAttr map_scalar(const ArithEval *eval, const ArithConst *in, size_t n, CakeType result, ArithFn fn) {
  ArithElement values[MAX_OPERANDS], out = {0};
  for (size_t k = 0; k < n; k++)
    values[k] = read_element(&in[k], 0);
  return fn(eval, values, &out) && is_representable(result, out.number) ? make_scalar(result, &out) : NULL;
}

// Elements that are all the same are a splat.
static CakeAttr make_elements(CakeType result, CakeStr bytes, int64_t count) {
  size_t size = bytes.len / (size_t)count;
  bool is_splat = memcmp(bytes.ptr, bytes.ptr + size, bytes.len - size) == 0;
  return cake_attr_dense_elements(result, is_splat ? (CakeStr){bytes.ptr, size} : bytes, is_splat);
}

static CakeAttr map_elements(const ArithEval *eval, const ArithConst *in, size_t n, CakeType result, ArithFn fn) {
  CakeType element = cake_type_element(result);
  int64_t count = 1, i = 0;
  for (size_t k = 0; k < n; k++)
    if (in[k].count > count) count = in[k].count;
  CakeBuf bytes = {0};
  for (; i < count; i++) {
    ArithElement values[MAX_OPERANDS], out = {0};
    for (size_t k = 0; k < n; k++)
      values[k] = read_element(&in[k], i);
    if (!fn(eval, values, &out) || !is_representable(element, out.number)) break;
    append_element(&bytes, element, &out);
  }
  CakeAttr made = i == count ? make_elements(result, cake_buf_view(&bytes), count) : NULL;
  cake_buf_fini(&bytes);
  return made;
}

// All operands and the result are integers. *made: NULL where nothing can be said. False: they are not.
static bool map_integers(ArithEval *eval, const CakeAttr *operands, size_t n, CakeType result, ArithFn fn,
                         CakeAttr *made) {
  ArithElement in[MAX_OPERANDS], out = {0};
  unsigned width;
  eval->out_width = integer_width(result);
  if (eval->out_width == 0 || eval->out_width > 64) return false;
  for (size_t k = n; k-- > 0;)
    if (!read_scalar_integer(operands[k], &in[k], &width)) return false;
  eval->width = width; // of the first
  *made = fn(eval, in, &out) ? cake_attr_integer(result, sign_extend(out.bits, eval->out_width)) : NULL;
  return true;
}

static CakeAttr const_map(ArithEval *eval, const CakeAttr *operands, size_t n, CakeType result, ArithFn fn) {
  ArithConst in[MAX_OPERANDS];
  CakeAttr made;
  if (n == 0 || n > CAKE_COUNT(in)) return NULL;
  if (map_integers(eval, operands, n, result, fn, &made)) return made;
  if (!can_make(result)) return NULL;
  bool is_shaped = cake_type_is_shaped(result);
  for (size_t k = 0; k < n; k++)
    if (!arith_const_read(operands[k], &in[k]) || in[k].is_dense != is_shaped) return NULL;
  eval->width = in[0].width;
  eval->out_width = integer_width(is_shaped ? cake_type_element(result) : result);
  return is_shaped ? map_elements(eval, in, n, result, fn) : map_scalar(eval, in, n, result, fn);
}

CakeAttr arith_const_map(const CakeOp *op, const CakeAttr *operands, size_t n, CakeType result, ArithFn fn) {
  for (size_t k = 0; k < n; k++)
    if (!operands[k]) return NULL; // before anything else is looked at
  ArithEval eval = {.op = op};
  return const_map(&eval, operands, n, result, fn);
}

static bool call_floats(const ArithEval *eval, const ArithElement *in, ArithElement *out) {
  double numbers[3] = {0};
  for (size_t k = 0; k < eval->n; k++)
    numbers[k] = in[k].number;
  return eval->floats(numbers, eval->n, &out->number);
}

CakeAttr cake_fold_floats(const CakeAttr *operands, size_t n, CakeType result, CakeFoldFloats fn) {
  ArithConst constant;
  for (size_t k = 0; k < n; k++)
    if (!arith_const_read(operands[k], &constant) || !constant.is_float) return NULL;
  if (!cake_type_is_any_float(cake_type_element(result))) return NULL;
  ArithEval eval = {.floats = fn, .n = n};
  return const_map(&eval, operands, n, result, call_floats);
}
