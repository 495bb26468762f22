// What values and types become in a conversion, and the casts between what is and what is wanted.
#include "conversion.h"

// ---- Types ---------------------------------------------------------------------------------------------------------

const CakeTypeConverter *cake_conversion_types(const CakeConversion *conversion) {
  return conversion->options->types;
}

static bool add_types(const CakeTypeConverter *converter, CakeType type, CakeTypeVec *out) {
  if (converter && converter->convert_many && converter->convert_many(converter, type, out)) return true;
  CakeType to = converter ? converter->convert(converter, type) : type;
  if (to) CAKE_PUSH(out, to);
  return to;
}

bool cake_conversion_add_types(const CakeConversion *conversion, CakeType type, CakeTypeVec *out) {
  return add_types(conversion->options->types, type, out);
}

CakeType cake_conversion_type(const CakeConversion *conversion, CakeType type) {
  CakeTypeVec types = {0};
  bool is_one = cake_conversion_add_types(conversion, type, &types) && types.len == 1;
  CakeType to = is_one ? types.data[0] : NULL;
  CAKE_VEC_FINI(&types);
  return to;
}

static CakeType function_type(const CakeTypeConverter *converter, CakeType function) {
  CakeTypeVec types = {0};
  size_t n_inputs = cake_type_function_inputs(function), n_results = cake_type_function_results(function);
  bool is_fine = true;
  for (size_t i = 0; is_fine && i < n_inputs; i++)
    is_fine = add_types(converter, cake_type_function_input(function, i), &types);
  size_t split = types.len;
  for (size_t i = 0; is_fine && i < n_results; i++)
    is_fine = add_types(converter, cake_type_function_result(function, i), &types);
  CakeType made = NULL;
  if (is_fine)
    made = cake_type_function(function->context, types.data, split, CAKE_VEC_FROM(&types, split), types.len - split);
  CAKE_VEC_FINI(&types);
  return made;
}

CakeType cake_conversion_function_type(const CakeConversion *conversion, CakeType function) {
  return function_type(conversion->options->types, function);
}

static bool stays(const CakeTypeConverter *converter, CakeType type) {
  CakeTypeVec types = {0};
  bool is_same = add_types(converter, type, &types) && types.len == 1 && types.data[0] == type;
  CAKE_VEC_FINI(&types);
  return is_same;
}

bool cake_type_converter_is_legal(const CakeTypeConverter *converter, const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (!stays(converter, cake_op_operand(op, i)->type)) return false;
  for (uint32_t i = 0; i < op->n_results; i++)
    if (!stays(converter, op->results[i].type)) return false;
  CakeAttr attr = cake_op_attr_text(op, "function_type");
  CakeType function = cake_attr_is(attr, &cake_attr_def_type) ? cake_attr_value_type(attr) : NULL;
  bool is_function = cake_type_is(function, &cake_type_def_function);
  return !is_function || function_type(converter, function) == function;
}

// ---- What values have become ---------------------------------------------------------------------------------------
//
// The map holds a value, or a list with the lowest bit set.

void cake_conversion_map(CakeConversion *conversion, CakeValue *value, CakeValueList to) {
  if (to.count == 1) {
    cake_map_set(&conversion->mapping, value, (uintptr_t)to.values[0]);
    return;
  }
  CakeArena *arena = conversion->pass->scratch;
  CakeValueList *list = CAKE_ARENA_NEW(arena, CakeValueList);
  CakeValue **values = CAKE_ARENA_ARRAY(arena, CakeValue *, to.count + 1);
  for (size_t i = 0; i < to.count; i++)
    values[i] = to.values[i];
  *list = (CakeValueList){values, to.count};
  cake_map_set(&conversion->mapping, value, (uintptr_t)list | 1);
}

typedef CAKE_VEC(CakeValue *) Values;

static void add_values(const CakeConversion *conversion, CakeValue *value, Values *out) {
  uintptr_t next = 0;
  while (cake_map_get(&conversion->mapping, value, &next) && !(next & 1))
    value = (CakeValue *)next;
  if (!cake_map_get(&conversion->mapping, value, &next)) {
    CAKE_PUSH(out, value);
    return;
  }
  const CakeValueList *list = (const CakeValueList *)(next & ~(uintptr_t)1);
  for (size_t i = 0; i < list->count; i++)
    add_values(conversion, list->values[i], out);
}

static CakeValueList keep_values(const CakeConversion *conversion, const Values *values) {
  CakeValue **kept = CAKE_ARENA_ARRAY(conversion->pass->scratch, CakeValue *, values->len + 1);
  if (values->len) memcpy(kept, values->data, values->len * sizeof(*kept));
  return (CakeValueList){kept, values->len};
}

CakeValueList cake_conversion_lookup(const CakeConversion *conversion, CakeValue *value) {
  Values values = {0};
  add_values(conversion, value, &values);
  CakeValueList list = keep_values(conversion, &values);
  CAKE_VEC_FINI(&values);
  return list;
}

// ---- Casts ---------------------------------------------------------------------------------------------------------

static bool have_types(CakeValueList values, const CakeType *types, size_t count) {
  bool is_same = values.count == count;
  for (size_t i = 0; is_same && i < count; i++)
    is_same = values.values[i]->type == types[i];
  return is_same;
}

static bool materialize(CakeConversion *conversion, CakeValueList from, const CakeType *to, size_t n_to,
                        CakeValue **out) {
  const CakeTypeConverter *types = conversion->options->types;
  CakeRewriter *rewriter = &conversion->rewriter;
  if (from.count == 1 && n_to == 1)
    return types && types->materialize && (out[0] = types->materialize(rewriter, from.values[0], to[0]));
  return types && types->materialize_many && types->materialize_many(rewriter, from, to, n_to, out);
}

CakeValueList cake_conversion_cast(CakeConversion *conversion, CakeValueList values, const CakeType *to, size_t n_to) {
  if (have_types(values, to, n_to)) return values;
  CakeValue **out = CAKE_ARENA_ARRAY(conversion->pass->scratch, CakeValue *, n_to + 1);
  if (n_to == 0) return (CakeValueList){out, 0};
  size_t first = conversion->log.len;
  if (!materialize(conversion, values, to, n_to, out)) {
    CakeBuild build = {.name = "builtin.unrealized_conversion_cast",
                       .operands = values.values,
                       .n_operands = values.count,
                       .result_types = to,
                       .n_results = n_to};
    CakeOp *cast = cake_rewriter_build(&conversion->rewriter, &build);
    for (size_t i = 0; i < n_to; i++)
      out[i] = &cast->results[i];
  }
  for (size_t i = first; i < conversion->log.len; i++)
    conversion->log.data[i].is_cast = true;
  return (CakeValueList){out, n_to};
}

static CakeOp *as_cast(CakeOp *op) {
  return op && cake_op_is(op, "builtin.unrealized_conversion_cast") ? op : NULL;
}

// The cast all of whose results, in order, are all that `cast` casts; NULL: there is none.
static CakeOp *inner_cast(const CakeOp *cast) {
  CakeOp *inner = cast->n_operands ? as_cast(cake_value_def(cake_op_operand(cast, 0))) : NULL;
  if (!inner || inner->n_results != cast->n_operands || inner->n_operands != cast->n_results) return NULL;
  for (uint32_t i = 0; i < cast->n_operands; i++)
    if (cake_op_operand(cast, i) != &inner->results[i]) return NULL;
  for (uint32_t i = 0; i < cast->n_results; i++)
    if (cake_op_operand(inner, i)->type != cast->results[i].type) return NULL;
  return inner;
}

static CakeOp *made_cast(const LogEntry *entry) {
  return entry->kind == LOG_MADE && entry->is_cast ? entry->op : NULL;
}

void cake_conversion_clean_casts(CakeConversion *conversion) {
  for (size_t i = conversion->log.len; i-- > 0;) {
    CakeOp *cast = as_cast(made_cast(&conversion->log.data[i])), *inner = cast ? inner_cast(cast) : NULL;
    for (uint32_t k = 0; inner && k < cast->n_results; k++)
      cake_rewriter_replace_uses(&conversion->rewriter, &cast->results[k], cake_op_operand(inner, k));
  }
  for (size_t i = conversion->log.len; i-- > 0;) {
    CakeOp *cast = made_cast(&conversion->log.data[i]);
    bool is_unused = cast && cake_op_is_pure(cast);
    for (uint32_t k = 0; is_unused && k < cast->n_results; k++)
      is_unused = !cast->results[k].first_use;
    if (is_unused) cake_rewriter_erase(&conversion->rewriter, cast);
  }
}
