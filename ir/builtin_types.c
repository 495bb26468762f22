// The builtin types: constructors and accessors over their parameter lists.
//
//   integer   width, sign            float  kind              complex  element        tuple  types…
//   function  number of inputs, inputs…, results…             opaque   dialect, body
//   vector, tensor, memref   element, rank, sizes…, then: vector: one flag a dimension if any is scalable;
//                            tensor: encoding; memref: layout, space
//   unranked tensor   element        unranked memref   element, space
#include "core.h"

#define BUILTIN(what, text) const CakeTypeDef cake_type_def_##what = {.name = text, .dialect = &cake_dialect_builtin}
BUILTIN(integer, "integer");
BUILTIN(float, "float");
BUILTIN(index, "index");
BUILTIN(none, "none");
BUILTIN(function, "function");
BUILTIN(tuple, "tuple");
BUILTIN(complex, "complex");
BUILTIN(vector, "vector");
BUILTIN(tensor, "tensor");
BUILTIN(unranked_tensor, "unranked_tensor");
BUILTIN(memref, "memref");
BUILTIN(unranked_memref, "unranked_memref");
BUILTIN(opaque, "opaque");
#undef BUILTIN

enum { ELEMENT = 0, RANK = 1, SIZES = 2 };

// ---- Making --------------------------------------------------------------------------------------------------------

CakeType cake_type_integer(CakeContext *context, uint32_t width, CakeSign sign) {
  CakeParam params[] = {cake_param_int(width), cake_param_int(sign)};
  return cake_type_get(context, &cake_type_def_integer, params, 2);
}

CakeType cake_type_i1(CakeContext *context) {
  return context->i1;
}

CakeType cake_type_i32(CakeContext *context) {
  return context->i32;
}

CakeType cake_type_i64(CakeContext *context) {
  return context->i64;
}

CakeType cake_type_float(CakeContext *context, CakeFloat kind) {
  return context->floats[kind];
}

CakeType cake_type_f32(CakeContext *context) {
  return context->floats[CAKE_FLOAT_F32];
}

CakeType cake_type_index(CakeContext *context) {
  return context->index;
}

CakeType cake_type_none(CakeContext *context) {
  return context->none;
}

static void push_types(CakeParams *params, const CakeType *types, size_t count) {
  for (size_t i = 0; i < count; i++)
    cake_params_add(params, cake_param_type(types[i]));
}

// The type of these parameters, which are given back.
static CakeType finish(CakeContext *context, const CakeTypeDef *def, CakeParams *params) {
  CakeType type = cake_type_get(context, def, params->data, params->len);
  cake_params_fini(params);
  return type;
}

static bool is_function_of(CakeType type, const CakeType *inputs, size_t n_inputs, const CakeType *results,
                           size_t n_results) {
  if (!type || (size_t)type->params[0].i != n_inputs || type->count != 1 + n_inputs + n_results) return false;
  const CakeParam *params = type->params + 1;
  for (size_t i = 0; i < n_inputs; i++)
    if (params[i].type != inputs[i]) return false;
  for (size_t i = 0; i < n_results; i++)
    if (params[n_inputs + i].type != results[i]) return false;
  return true;
}

CakeType cake_type_function(CakeContext *context, const CakeType *inputs, size_t n_inputs, const CakeType *results,
                            size_t n_results) {
  if (is_function_of(context->last_function, inputs, n_inputs, results, n_results)) return context->last_function;
  CakeParams params;
  cake_params_begin(&params, 1 + n_inputs + n_results);
  cake_params_add(&params, cake_param_int((int64_t)n_inputs));
  push_types(&params, inputs, n_inputs);
  push_types(&params, results, n_results);
  return context->last_function = finish(context, &cake_type_def_function, &params);
}

CakeType cake_type_tuple(CakeContext *context, const CakeType *types, size_t count) {
  CakeParams params;
  cake_params_begin(&params, count);
  push_types(&params, types, count);
  context->may_alias |= count > CAKE_LARGE_TUPLE;
  return finish(context, &cake_type_def_tuple, &params);
}

CakeType cake_type_complex(CakeContext *context, CakeType element) {
  CakeParam param = cake_param_type(element);
  return cake_type_get(context, &cake_type_def_complex, &param, 1);
}

static void push_shape(CakeParams *params, CakeType element, const int64_t *sizes, size_t rank) {
  cake_params_add(params, cake_param_type(element));
  cake_params_add(params, cake_param_int((int64_t)rank));
  for (size_t i = 0; i < rank; i++)
    cake_params_add(params, cake_param_int(sizes[i]));
}

CakeType cake_type_vector(CakeContext *context, const int64_t *sizes, size_t rank, CakeType element,
                          const bool *scalable) {
  CakeParams params;
  cake_params_begin(&params, 2 + 2 * rank);
  push_shape(&params, element, sizes, rank);
  bool any = false;
  for (size_t i = 0; scalable && i < rank; i++)
    any |= scalable[i];
  for (size_t i = 0; any && i < rank; i++)
    cake_params_add(&params, cake_param_int(scalable[i]));
  return finish(context, &cake_type_def_vector, &params);
}

CakeType cake_type_tensor(CakeContext *context, const int64_t *sizes, size_t rank, CakeType element,
                          CakeAttr encoding) {
  CakeParams params;
  cake_params_begin(&params, 3 + rank);
  push_shape(&params, element, sizes, rank);
  cake_params_add(&params, cake_param_attr(encoding));
  return finish(context, &cake_type_def_tensor, &params);
}

CakeType cake_type_unranked_tensor(CakeContext *context, CakeType element) {
  CakeParam param = cake_param_type(element);
  return cake_type_get(context, &cake_type_def_unranked_tensor, &param, 1);
}

CakeType cake_type_memref(CakeContext *context, const int64_t *sizes, size_t rank, CakeType element, CakeAttr layout,
                          CakeAttr space) {
  CakeParams params;
  cake_params_begin(&params, 4 + rank);
  push_shape(&params, element, sizes, rank);
  cake_params_add(&params, cake_param_attr(layout));
  cake_params_add(&params, cake_param_attr(space));
  return finish(context, &cake_type_def_memref, &params);
}

CakeType cake_type_unranked_memref(CakeContext *context, CakeType element, CakeAttr space) {
  CakeParam params[] = {cake_param_type(element), cake_param_attr(space)};
  return cake_type_get(context, &cake_type_def_unranked_memref, params, 2);
}

CakeType cake_type_opaque(CakeContext *context, CakeId dialect, CakeId body) {
  CakeParam params[] = {cake_param_id(dialect), cake_param_id(body)};
  return cake_type_get(context, &cake_type_def_opaque, params, 2);
}

// ---- Scalars -------------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  uint32_t bits;
} floats[] = {
#define FLOAT_TYPE(enumerator, text, width) {text, width},
#include "cake/float_types.def"
#undef FLOAT_TYPE
};

bool cake_type_is_integer(CakeType type, uint32_t width) {
  if (!cake_type_is(type, &cake_type_def_integer)) return false;
  return width == 0 || (type->params[0].i == (int64_t)width && type->params[1].i == CAKE_SIGNLESS);
}

bool cake_type_is_any_float(CakeType type) {
  return cake_type_is(type, &cake_type_def_float);
}

bool cake_type_is_float(CakeType type, CakeFloat kind) {
  return cake_type_float_kind(type) == kind;
}

bool cake_type_is_index(CakeType type) {
  return cake_type_is(type, &cake_type_def_index);
}

uint32_t cake_type_width(CakeType type) {
  if (cake_type_is_integer(type, 0)) return (uint32_t)type->params[0].i;
  return cake_type_is_any_float(type) ? floats[type->params[0].i].bits : 0;
}

CakeSign cake_type_sign(CakeType type) {
  return cake_type_is_integer(type, 0) ? (CakeSign)type->params[1].i : CAKE_SIGNLESS;
}

CakeFloat cake_type_float_kind(CakeType type) {
  return cake_type_is_any_float(type) ? (CakeFloat)type->params[0].i : CAKE_FLOAT_COUNT;
}

const char *cake_float_name(CakeFloat kind) {
  return (unsigned)kind < CAKE_FLOAT_COUNT ? floats[kind].name : "?";
}

// ---- Shapes --------------------------------------------------------------------------------------------------------

static bool is_ranked(CakeType type) {
  return type && (type->def == &cake_type_def_tensor || type->def == &cake_type_def_vector ||
                  type->def == &cake_type_def_memref);
}

static bool is_unranked(CakeType type) {
  return type && (type->def == &cake_type_def_unranked_tensor || type->def == &cake_type_def_unranked_memref);
}

bool cake_type_is_shaped(CakeType type) {
  return is_ranked(type) || is_unranked(type);
}

int64_t cake_type_rank(CakeType type) {
  return is_ranked(type) ? type->params[RANK].i : -1;
}

int64_t cake_type_dim(CakeType type, size_t index) {
  return (int64_t)index < cake_type_rank(type) ? type->params[SIZES + index].i : CAKE_DYNAMIC;
}

CakeType cake_type_element(CakeType type) {
  if (cake_type_is_shaped(type) || cake_type_is(type, &cake_type_def_complex)) return type->params[ELEMENT].type;
  return type;
}

// The attribute behind the sizes.
static CakeAttr trailing(CakeType type, size_t index) {
  return type->params[SIZES + (size_t)type->params[RANK].i + index].attr;
}

CakeAttr cake_type_encoding(CakeType type) {
  return cake_type_is(type, &cake_type_def_tensor) ? trailing(type, 0) : NULL;
}

CakeAttr cake_type_layout(CakeType memref) {
  return cake_type_is(memref, &cake_type_def_memref) ? trailing(memref, 0) : NULL;
}

CakeAttr cake_type_space(CakeType memref) {
  if (cake_type_is(memref, &cake_type_def_unranked_memref)) return memref->params[1].attr;
  return cake_type_is(memref, &cake_type_def_memref) ? trailing(memref, 1) : NULL;
}

bool cake_type_is_scalable(CakeType vector, size_t index) {
  if (!cake_type_is(vector, &cake_type_def_vector)) return false;
  size_t flag = SIZES + (size_t)vector->params[RANK].i + index;
  return flag < vector->count && vector->params[flag].i != 0;
}

int64_t cake_type_count(CakeType type) {
  if (!is_ranked(type)) return CAKE_DYNAMIC;
  int64_t count = 1;
  bool is_huge = false, is_empty = false;
  for (int64_t i = 0; i < type->params[RANK].i; i++) {
    int64_t size = type->params[SIZES + i].i;
    if (size < 0) return CAKE_DYNAMIC;
    if (size == 0)
      is_empty = true;
    else if (count > INT64_MAX / size)
      is_huge = true;
    else
      count *= size;
  }
  if (is_empty) return 0;
  return is_huge ? CAKE_DYNAMIC : count;
}

CakeType cake_type_with_element(CakeType type, CakeType element) {
  if (!cake_type_is_shaped(type)) return element;
  CakeParams params;
  cake_params_begin(&params, type->count);
  for (uint32_t i = 0; i < type->count; i++)
    cake_params_add(&params, type->params[i]);
  params.data[ELEMENT].type = element;
  return finish(type->context, type->def, &params);
}

// ---- Functions, tuples, opaque types -------------------------------------------------------------------------------

size_t cake_type_function_inputs(CakeType type) {
  return cake_type_is(type, &cake_type_def_function) ? (size_t)type->params[0].i : 0;
}

size_t cake_type_function_results(CakeType type) {
  return cake_type_is(type, &cake_type_def_function) ? type->count - 1 - (size_t)type->params[0].i : 0;
}

CakeType cake_type_function_input(CakeType type, size_t index) {
  return index < cake_type_function_inputs(type) ? type->params[1 + index].type : NULL;
}

CakeType cake_type_function_result(CakeType type, size_t index) {
  if (index >= cake_type_function_results(type)) return NULL;
  return type->params[1 + (size_t)type->params[0].i + index].type;
}

size_t cake_type_tuple_count(CakeType tuple) {
  return cake_type_is(tuple, &cake_type_def_tuple) ? tuple->count : 0;
}

CakeType cake_type_tuple_element(CakeType tuple, size_t index) {
  return index < cake_type_tuple_count(tuple) ? tuple->params[index].type : NULL;
}

CakeId cake_type_opaque_dialect(CakeType opaque) {
  return cake_type_is(opaque, &cake_type_def_opaque) ? opaque->params[0].id : NULL;
}

CakeId cake_type_opaque_body(CakeType opaque) {
  return cake_type_is(opaque, &cake_type_def_opaque) ? opaque->params[1].id : NULL;
}
