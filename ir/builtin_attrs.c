// The builtin attributes: constructors and accessors over their parameter lists.
//
//   integer         type, value              float            type, bits of the value as a double
//   string          text                     symbol reference root, nested names…
//   type            type                     array            attributes…
//   dictionary      name, value, …           dense array      element type, values…
//   dense elements  type, bytes, is splat    verbatim         text
//   opaque          dialect, body            location         see location.c
//   wide integer    type, decimal digits     strided          offset, strides…
//   distinct        number, attribute        dense strings    type, texts…
//   dense resource  type, key                sparse elements  type, indices, values
#include "core.h"
#include "digits.h"

#include <math.h>
#include <string.h>

#define BUILTIN(what, text) const CakeAttrDef cake_attr_def_##what = {.name = text, .dialect = &cake_dialect_builtin}
BUILTIN(unit, "unit");
BUILTIN(integer, "integer");
BUILTIN(float, "float");
BUILTIN(string, "string");
BUILTIN(symbol_ref, "symbol_ref");
BUILTIN(type, "type");
BUILTIN(array, "array");
BUILTIN(dictionary, "dictionary");
BUILTIN(dense_array, "dense_array");
BUILTIN(dense_elements, "dense_elements");
BUILTIN(location, "location");
BUILTIN(verbatim, "verbatim");
BUILTIN(opaque, "opaque");
BUILTIN(wide_integer, "wide_integer");
BUILTIN(strided, "strided");
BUILTIN(distinct, "distinct");
BUILTIN(dense_strings, "dense_strings");
BUILTIN(dense_resource, "dense_resource");
BUILTIN(sparse_elements, "sparse_elements");
#undef BUILTIN

static CakeAttr finish(CakeContext *context, const CakeAttrDef *def, CakeParams *params) {
  CakeAttr attr = cake_attr_get(context, def, params->data, params->len);
  cake_params_fini(params);
  return attr;
}

// ---- Numbers -------------------------------------------------------------------------------------------------------

CakeAttr cake_attr_unit(CakeContext *context) {
  return context->unit;
}

CakeAttr cake_attr_bool(CakeContext *context, bool value) {
  return cake_attr_integer(context->i1, value);
}

// One representation a value, so that equal attributes are one.
static int64_t normalized(CakeType type, int64_t value) {
  uint32_t width = cake_integer_width(type);
  CakeSign sign = cake_integer_sign(type);
  if (width == 0) return 0;
  if (width >= 64) return value;
  uint64_t low = (uint64_t)value & (((uint64_t)1 << width) - 1);
  bool is_unsigned = sign == CAKE_UNSIGNED || (width == 1 && sign == CAKE_SIGNLESS);
  if (is_unsigned || !(low >> (width - 1))) return (int64_t)low;
  return (int64_t)(low | ~(((uint64_t)1 << width) - 1));
}

CakeAttr cake_attr_integer(CakeType type, int64_t value) {
  CakeParam params[] = {cake_param_type(type), cake_param_int(normalized(type, value))};
  return cake_attr_get(type->context, &cake_attr_def_integer, params, 2);
}

CakeAttr cake_attr_i64(CakeContext *context, int64_t value) {
  return cake_attr_integer(context->i64, value);
}

CakeAttr cake_attr_float(CakeType type, double value) {
  // A NaN stays what it is: its payload may be longer than the type's.
  if (!isnan(value) && cake_float_has_encoding(type)) value = cake_float_decode(type, cake_float_encode(type, value));
  int64_t bits;
  memcpy(&bits, &value, sizeof bits);
  CakeParam params[] = {cake_param_type(type), cake_param_int(bits)};
  return cake_attr_get(type->context, &cake_attr_def_float, params, 2);
}

// ---- Others --------------------------------------------------------------------------------------------------------

CakeAttr cake_attr_string(CakeContext *context, CakeStr text) {
  return cake_attr_string_id(context, cake_id(context, text));
}

CakeAttr cake_attr_string_id(CakeContext *context, CakeId text) {
  if (!text->string) text->string = cake_attr_make(context, &cake_attr_def_string, cake_param_id(text));
  return text->string;
}

CakeAttr cake_attr_symbol_ref(CakeContext *context, CakeId root, const CakeId *nested, size_t count) {
  if (!count) {
    if (!root->symbol) root->symbol = cake_attr_make(context, &cake_attr_def_symbol_ref, cake_param_id(root));
    return root->symbol;
  }
  CakeParams params;
  cake_params_begin(&params, 1 + count);
  cake_params_add(&params, cake_param_id(root));
  for (size_t i = 0; i < count; i++)
    cake_params_add(&params, cake_param_id(nested[i]));
  return finish(context, &cake_attr_def_symbol_ref, &params);
}

CakeAttr cake_attr_type(CakeType type) {
  CakeContext *context = type->context;
  if (context->last_type && context->last_type->params[0].type == type) return context->last_type;
  CakeParam param = cake_param_type(type);
  return context->last_type = cake_attr_get(context, &cake_attr_def_type, &param, 1);
}

CakeAttr cake_attr_array(CakeContext *context, const CakeAttr *elements, size_t count) {
  CakeParams params;
  cake_params_begin(&params, count);
  for (size_t i = 0; i < count; i++)
    cake_params_add(&params, cake_param_attr(elements[i]));
  return finish(context, &cake_attr_def_array, &params);
}

CakeAttr cake_attr_dense_array(CakeType element, const int64_t *values, size_t count) {
  CakeParams params;
  cake_params_begin(&params, 1 + count);
  cake_params_add(&params, cake_param_type(element));
  for (size_t i = 0; i < count; i++)
    cake_params_add(&params, cake_param_int(values[i]));
  return finish(element->context, &cake_attr_def_dense_array, &params);
}

CakeAttr cake_attr_dense_elements_of(CakeType shaped, CakeParam bytes, bool splat) {
  CakeParam params[] = {cake_param_type(shaped), bytes, cake_param_int(splat)};
  return cake_attr_get(shaped->context, &cake_attr_def_dense_elements, params, 3);
}

CakeAttr cake_attr_dense_elements(CakeType shaped, CakeStr bytes, bool splat) {
  CakeContext *context = shaped->context;
  CakeDigits *known = cake_digits_find(context, bytes);
  return cake_attr_dense_elements_of(shaped, known ? cake_param_digits(known) : cake_param_id(cake_id(context, bytes)),
                                     splat);
}

CakeAttr cake_attr_wide_integer(CakeType type, CakeStr digits) {
  CakeParam params[] = {cake_param_type(type), cake_param_id(cake_id(type->context, digits))};
  return cake_attr_get(type->context, &cake_attr_def_wide_integer, params, 2);
}

CakeAttr cake_attr_strided(CakeContext *context, int64_t offset, const int64_t *strides, size_t count) {
  CakeParams params;
  cake_params_begin(&params, 1 + count);
  cake_params_add(&params, cake_param_int(offset));
  for (size_t i = 0; i < count; i++)
    cake_params_add(&params, cake_param_int(strides[i]));
  return finish(context, &cake_attr_def_strided, &params);
}

CakeAttr cake_attr_distinct(CakeAttr referenced) {
  CakeContext *context = referenced->context;
  CakeParam params[] = {cake_param_int(context->next_distinct++), cake_param_attr(referenced)};
  context->may_alias = true;
  return cake_attr_get(context, &cake_attr_def_distinct, params, 2);
}

CakeAttr cake_attr_dense_strings(CakeType shaped, const CakeId *strings, size_t count) {
  CakeParams params;
  cake_params_begin(&params, 1 + count);
  cake_params_add(&params, cake_param_type(shaped));
  for (size_t i = 0; i < count; i++)
    cake_params_add(&params, cake_param_id(strings[i]));
  return finish(shaped->context, &cake_attr_def_dense_strings, &params);
}

CakeAttr cake_attr_dense_resource(CakeType shaped, CakeId key) {
  CakeParam params[] = {cake_param_type(shaped), cake_param_id(key)};
  return cake_attr_get(shaped->context, &cake_attr_def_dense_resource, params, 2);
}

CakeAttr cake_attr_sparse_elements(CakeType shaped, CakeAttr indices, CakeAttr values) {
  CakeParam params[] = {cake_param_type(shaped), cake_param_attr(indices), cake_param_attr(values)};
  return cake_attr_get(shaped->context, &cake_attr_def_sparse_elements, params, 3);
}

CakeAttr cake_attr_verbatim(CakeContext *context, CakeStr text) {
  CakeParam param = cake_param_id(cake_id(context, text));
  return cake_attr_get(context, &cake_attr_def_verbatim, &param, 1);
}

CakeAttr cake_attr_opaque(CakeContext *context, CakeId dialect, CakeId body) {
  CakeParam params[] = {cake_param_id(dialect), cake_param_id(body)};
  return cake_attr_get(context, &cake_attr_def_opaque, params, 2);
}

// ---- Dictionaries --------------------------------------------------------------------------------------------------

static int compare_names(CakeId a, CakeId b) {
  if (a->text[0] != b->text[0]) return (uint8_t)a->text[0] < (uint8_t)b->text[0] ? -1 : 1;
  size_t len = a->len < b->len ? a->len : b->len;
  int order = memcmp(a->text, b->text, len);
  if (order) return order;
  return a->len < b->len ? -1 : a->len > b->len;
}

// Merge sort of (name, value) pairs: stable, n log n on any input; `spare` has room for all.
static void sort_entries(CakeParam *entries, CakeParam *spare, size_t count) {
  for (size_t width = 1; width < count; width *= 2) {
    for (size_t low = 0; low < count; low += 2 * width) {
      size_t mid = low + width < count ? low + width : count;
      size_t high = low + 2 * width < count ? low + 2 * width : count;
      size_t i = low, j = mid;
      for (size_t k = low; k < high; k++) {
        bool take_left = i < mid && (j >= high || compare_names(entries[2 * i].id, entries[2 * j].id) <= 0);
        size_t from = take_left ? i++ : j++;
        spare[2 * k] = entries[2 * from];
        spare[2 * k + 1] = entries[2 * from + 1];
      }
    }
    memcpy(entries, spare, 2 * count * sizeof *entries);
  }
}

static void sort(CakeParam *entries, size_t count) {
  CakeParams spare;
  cake_params_begin(&spare, 2 * count);
  sort_entries(entries, spare.data, count);
  cake_params_fini(&spare);
}

CakeAttr cake_attr_dictionary(CakeContext *context, const CakeNamedAttr *entries, size_t count) {
  CakeParams params;
  bool is_sorted = true;
  cake_params_begin(&params, 2 * count);
  for (size_t i = 0; i < count; i++) {
    is_sorted = is_sorted && (!i || compare_names(entries[i - 1].name, entries[i].name) <= 0);
    cake_params_add(&params, cake_param_id(entries[i].name));
    cake_params_add(&params, cake_param_attr(entries[i].value));
  }
  if (!is_sorted) sort(params.data, count);
  return finish(context, &cake_attr_def_dictionary, &params);
}

CakeAttr cake_attr_dictionary_with(CakeContext *context, CakeAttr dictionary, CakeId name, CakeAttr value) {
  CAKE_VEC(CakeNamedAttr) entries = {0};
  for (size_t i = 0; i < cake_attr_count(dictionary); i++) {
    CakeNamedAttr entry = cake_attr_entry(dictionary, i);
    if (entry.name != name) CAKE_PUSH(&entries, entry);
  }
  if (value) CAKE_PUSH(&entries, (CakeNamedAttr){name, value});
  CakeAttr changed = entries.len ? cake_attr_dictionary(context, entries.data, entries.len) : NULL;
  CAKE_VEC_FINI(&entries);
  return changed;
}

CakeAttr cake_attr_lookup(CakeAttr dictionary, CakeId name) {
  if (!cake_attr_is(dictionary, &cake_attr_def_dictionary)) return NULL;
  for (uint32_t i = 0; i < dictionary->count; i += 2) {
    if (dictionary->params[i].id == name) return dictionary->params[i + 1].attr;
  }
  return NULL;
}

CakeAttr cake_attr_lookup_text(CakeAttr dictionary, const char *name) {
  if (!cake_attr_is(dictionary, &cake_attr_def_dictionary)) return NULL;
  for (uint32_t i = 0; i < dictionary->count; i += 2) {
    if (cake_str_is(cake_id_str(dictionary->params[i].id), name)) return dictionary->params[i + 1].attr;
  }
  return NULL;
}

// ---- Reading -------------------------------------------------------------------------------------------------------

CakeType cake_attr_value_type(CakeAttr attr) {
  if (cake_attr_is(attr, &cake_attr_def_integer)) return attr->params[0].type; // most
  bool has_type = cake_attr_is(attr, &cake_attr_def_float) || cake_attr_is_elements(attr) ||
                  cake_attr_is(attr, &cake_attr_def_type) || cake_attr_is(attr, &cake_attr_def_wide_integer);
  if (cake_attr_is(attr, &cake_attr_def_variable)) return attr->params[2].type;
  return has_type ? attr->params[0].type : NULL;
}

int64_t cake_attr_int_value(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_integer) ? attr->params[1].i : 0;
}

double cake_attr_float_value(CakeAttr attr) {
  if (!cake_attr_is(attr, &cake_attr_def_float)) return 0;
  double value;
  memcpy(&value, &attr->params[1].i, sizeof value);
  return value;
}

CakeStr cake_attr_string_value(CakeAttr attr) {
  if (cake_attr_is(attr, &cake_attr_def_string) || cake_attr_is(attr, &cake_attr_def_verbatim)) {
    return cake_id_str(attr->params[0].id);
  }
  bool is_second = cake_attr_is(attr, &cake_attr_def_dense_elements) || cake_attr_is(attr, &cake_attr_def_opaque);
  if (!is_second) return CAKE_STR("");
  if (attr->params[1].kind == CAKE_PARAM_DIGITS) return cake_digits_bytes(attr->context, attr->params[1].digits);
  return cake_id_str(attr->params[1].id);
}

CakeId cake_attr_symbol_root(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_symbol_ref) ? attr->params[0].id : NULL;
}

CakeId cake_attr_symbol_nested(CakeAttr attr, size_t index) {
  if (!cake_attr_is(attr, &cake_attr_def_symbol_ref) || index >= cake_attr_count(attr)) return NULL;
  return attr->params[1 + index].id;
}

bool cake_attr_is_elements(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_dense_elements) || cake_attr_is(attr, &cake_attr_def_sparse_elements) ||
         cake_attr_is(attr, &cake_attr_def_dense_resource) || cake_attr_is(attr, &cake_attr_def_dense_strings);
}

bool cake_attr_is_splat(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_dense_elements) && attr->params[2].i != 0;
}

CakeId cake_attr_opaque_dialect(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_opaque) ? attr->params[0].id : NULL;
}

size_t cake_attr_count(CakeAttr attr) {
  if (cake_attr_is(attr, &cake_attr_def_array)) return attr->count;
  if (cake_attr_is(attr, &cake_attr_def_dictionary)) return attr->count / 2;
  if (cake_attr_is(attr, &cake_attr_def_dense_array) || cake_attr_is(attr, &cake_attr_def_symbol_ref)) {
    return attr->count - 1;
  }
  return 0;
}

CakeAttr cake_attr_element(CakeAttr array, size_t index) {
  if (!cake_attr_is(array, &cake_attr_def_array) || index >= array->count) return NULL;
  return array->params[index].attr;
}

int64_t cake_attr_dense_array_value(CakeAttr attr, size_t index) {
  if (!cake_attr_is(attr, &cake_attr_def_dense_array) || index >= cake_attr_count(attr)) return 0;
  return attr->params[1 + index].i;
}

int64_t cake_attr_dense_array_sum(CakeAttr attr, size_t count) {
  CakeContext *context = attr->context;
  if (context->summed != attr || context->n_summed > count) {
    context->summed = attr;
    context->n_summed = 0;
    context->sum = 0;
  }
  for (; context->n_summed < count; context->n_summed++)
    context->sum += cake_attr_dense_array_value(attr, context->n_summed);
  return context->sum;
}

CakeNamedAttr cake_attr_entry(CakeAttr dictionary, size_t index) {
  if (!cake_attr_is(dictionary, &cake_attr_def_dictionary) || index >= cake_attr_count(dictionary)) {
    return (CakeNamedAttr){NULL, NULL};
  }
  return (CakeNamedAttr){dictionary->params[2 * index].id, dictionary->params[2 * index + 1].attr};
}
