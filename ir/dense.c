// Dense elements by their values.
#include "core.h"

// Bits of an element that is kept as a number of at most 64 bits; 0: it is not.
static uint32_t width_of(CakeType element) {
  if (cake_type_is_index(element)) return 64;
  uint32_t width = cake_type_width(element);
  bool is_float = cake_type_is_any_float(element);
  return width <= 64 && (!is_float || cake_float_has_encoding(element)) ? width : 0;
}

CakeAttr cake_attr_dense_value(CakeAttr dense, int64_t index) {
  CakeType type = cake_attr_is(dense, &cake_attr_def_dense_elements) ? cake_attr_value_type(dense) : NULL;
  uint32_t width = type ? width_of(cake_type_element(type)) : 0;
  if (!width || index < 0 || index >= cake_type_count(type)) return NULL;
  CakeType element = cake_type_element(type);
  CakeStr bytes = cake_attr_string_value(dense);
  size_t size = (width + 7) / 8, at = cake_attr_is_splat(dense) ? 0 : (size_t)index * size;
  if (at + size > bytes.len) return NULL;
  uint64_t bits = 0;
  for (size_t i = 0; i < size; i++)
    bits |= (uint64_t)(unsigned char)bytes.ptr[at + i] << (8 * i);
  if (cake_type_is_any_float(element)) return cake_attr_float(element, cake_float_decode(element, bits));
  return cake_attr_integer(element, (int64_t)bits);
}

CakeAttr cake_attr_dense_of(CakeType shaped, const CakeAttr *values, size_t count) {
  CakeType element = cake_type_element(shaped);
  int64_t n_elements = cake_type_is_shaped(shaped) ? cake_type_count(shaped) : CAKE_DYNAMIC;
  uint32_t width = width_of(element);
  if (!width || n_elements == CAKE_DYNAMIC || (count != 1 && count != (size_t)n_elements)) return NULL;
  bool is_float = cake_type_is_any_float(element), is_splat = count >= 1;
  CakeBuf bytes = {0};
  for (size_t i = 0; i < count; i++) {
    if (cake_attr_value_type(values[i]) != element) {
      cake_buf_fini(&bytes);
      return NULL;
    }
    is_splat = is_splat && values[i] == values[0];
    uint64_t bits = is_float ? cake_float_encode(element, cake_attr_float_value(values[i]))
                             : (uint64_t)cake_attr_int_value(values[i]);
    if (width < 64) bits &= (UINT64_C(1) << width) - 1;
    for (uint32_t k = 0; k < (width + 7) / 8; k++)
      cake_buf_char(&bytes, (char)(bits >> (8 * k)));
  }
  if (is_splat) bytes.len = (width + 7) / 8;
  CakeAttr made = cake_attr_dense_elements(shaped, bytes.len ? cake_buf_view(&bytes) : CAKE_STR(""), is_splat);
  cake_buf_fini(&bytes);
  return made;
}
