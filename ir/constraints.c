// Common constraints on types and attributes.
#include "cake/affine.h"

#include "core.h"

// ---- Types ---------------------------------------------------------------------------------------------------------

// "signless integer-like" and its kin: the type itself, or a vector or tensor of it.
static CakeType scalar_of(CakeType type) {
  bool is_lifted = cake_type_is(type, &cake_type_def_vector) || cake_type_is(type, &cake_type_def_tensor) ||
                   cake_type_is(type, &cake_type_def_unranked_tensor);
  return is_lifted ? cake_type_element(type) : type;
}

static bool is_signless(CakeType type) {
  return cake_type_is_integer(type, 0) && cake_type_sign(type) == CAKE_SIGNLESS;
}

static bool is_signless_or_index(CakeType type) {
  return is_signless(type) || cake_type_is_index(type);
}

static bool any_type(CakeType type) {
  return type != NULL;
}

static bool is_i1(CakeType type) {
  return cake_type_is_integer(type, 1);
}

static bool is_i32(CakeType type) {
  return cake_type_is_integer(type, 32);
}

static bool is_i64(CakeType type) {
  return cake_type_is_integer(type, 64);
}

static bool is_integer(CakeType type) {
  return cake_type_is_integer(type, 0);
}

static bool is_f32(CakeType type) {
  return cake_type_is_float(type, CAKE_FLOAT_F32);
}

static bool is_integer_like(CakeType type) {
  return is_signless_or_index(scalar_of(type));
}

static bool is_float_like(CakeType type) {
  return cake_type_is_any_float(scalar_of(type));
}

static bool is_bool_like(CakeType type) {
  return is_i1(scalar_of(type));
}

static bool is_scalar(CakeType type) {
  return is_signless_or_index(type) || cake_type_is_any_float(type);
}

static bool is_arith_value(CakeType type) {
  return is_scalar(scalar_of(type));
}

static bool is_linear(CakeType type) {
  return cake_type_is_linear(type);
}

static bool is_tensor(CakeType type) {
  return cake_type_is(type, &cake_type_def_tensor);
}

static bool is_vector(CakeType type) {
  return cake_type_is(type, &cake_type_def_vector);
}

const CakeTypeConstraint cake_any_type = {"any type", any_type};
const CakeTypeConstraint cake_is_index = {"index", cake_type_is_index};
const CakeTypeConstraint cake_is_i1 = {"1-bit signless integer", is_i1};
const CakeTypeConstraint cake_is_i32 = {"32-bit signless integer", is_i32};
const CakeTypeConstraint cake_is_i64 = {"64-bit signless integer", is_i64};
const CakeTypeConstraint cake_is_integer = {"integer", is_integer};
const CakeTypeConstraint cake_is_signless_integer_or_index = {"signless integer or index", is_signless_or_index};
const CakeTypeConstraint cake_is_float = {"floating-point", cake_type_is_any_float};
const CakeTypeConstraint cake_is_f32 = {"32-bit float", is_f32};
const CakeTypeConstraint cake_is_integer_like = {"signless-integer-like", is_integer_like};
const CakeTypeConstraint cake_is_float_like = {"floating-point-like", is_float_like};
const CakeTypeConstraint cake_is_bool_like = {"bool-like", is_bool_like};
const CakeTypeConstraint cake_is_arith_value = {"signless-integer-like or floating-point-like", is_arith_value};
const CakeTypeConstraint cake_is_linear = {"a linear value", is_linear};
const CakeTypeConstraint cake_is_tensor = {"ranked tensor of any type values", is_tensor};
const CakeTypeConstraint cake_is_vector = {"vector of any type values", is_vector};
const CakeTypeConstraint cake_is_scalar = {"signless integer, index or floating-point", is_scalar};

// ---- Attributes ----------------------------------------------------------------------------------------------------

static bool any_attr(CakeAttr attr) {
  return attr != NULL;
}

static bool attr_is_string(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_string);
}

static bool attr_is_symbol_ref(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_symbol_ref);
}

static bool attr_is_integer(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_integer);
}

static bool attr_is_i64(CakeAttr attr) {
  return attr_is_integer(attr) && is_i64(cake_attr_value_type(attr));
}

static bool attr_is_float(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_float);
}

static bool attr_is_unit(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_unit);
}

static bool attr_is_bool(CakeAttr attr) {
  return attr_is_integer(attr) && is_i1(cake_attr_value_type(attr));
}

static bool attr_is_type(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_type);
}

static bool attr_is_array(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_array);
}

static bool attr_is_dictionary(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_dictionary);
}

static bool attr_is_string_array(CakeAttr attr) {
  if (!attr_is_array(attr)) return false;
  for (size_t i = 0; i < cake_attr_count(attr); i++) {
    if (!attr_is_string(cake_attr_element(attr, i))) return false;
  }
  return true;
}

static bool attr_is_affine_map(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_affine_map);
}

static bool attr_is_affine_map_array(CakeAttr attr) {
  if (!attr_is_array(attr)) return false;
  for (size_t i = 0; i < cake_attr_count(attr); i++)
    if (!attr_is_affine_map(cake_attr_element(attr, i))) return false;
  return true;
}

static bool attr_is_typed(CakeAttr attr) {
  return attr_is_integer(attr) || attr_is_float(attr) || cake_attr_is(attr, &cake_attr_def_wide_integer) ||
         cake_attr_is_elements(attr);
}

static bool attr_is_i32_array(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_dense_array) && is_i32(attr->params[0].type);
}

const CakeAttrConstraint cake_attr_any = {"any attribute", any_attr};
const CakeAttrConstraint cake_attr_is_string = {"string attribute", attr_is_string};
const CakeAttrConstraint cake_attr_is_symbol_ref = {"symbol reference attribute", attr_is_symbol_ref};
const CakeAttrConstraint cake_attr_is_i64 = {"64-bit signless integer attribute", attr_is_i64};
const CakeAttrConstraint cake_attr_is_integer = {"arbitrary integer attribute", attr_is_integer};
const CakeAttrConstraint cake_attr_is_float = {"arbitrary float attribute", attr_is_float};
const CakeAttrConstraint cake_attr_is_unit = {"unit attribute", attr_is_unit};
const CakeAttrConstraint cake_attr_is_bool = {"bool attribute", attr_is_bool};
const CakeAttrConstraint cake_attr_is_type = {"any type attribute", attr_is_type};
const CakeAttrConstraint cake_attr_is_array = {"array attribute", attr_is_array};
const CakeAttrConstraint cake_attr_is_dictionary = {"dictionary of named attribute values", attr_is_dictionary};
const CakeAttrConstraint cake_attr_is_string_array = {"string array attribute", attr_is_string_array};
const CakeAttrConstraint cake_attr_is_affine_map = {"AffineMap attribute", attr_is_affine_map};
const CakeAttrConstraint cake_attr_is_affine_map_array = {"AffineMap array attribute", attr_is_affine_map_array};
const CakeAttrConstraint cake_attr_is_typed = {"typed attribute with a value", attr_is_typed};
const CakeAttrConstraint cake_attr_is_i32_array = {"i32 dense array attribute", attr_is_i32_array};
