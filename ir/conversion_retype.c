// A pattern for any op: the same op on converted types.
#include "cake/text.h"
#include "conversion.h"

typedef CAKE_VEC(CakeValue *) Values;

// ---- An op in the place of another ---------------------------------------------------------------------------------

static void add_operands(const CakeValueList *operands, uint32_t count, Values *out) {
  for (uint32_t i = 0; i < count; i++)
    for (size_t k = 0; k < operands[i].count; k++)
      CAKE_PUSH(out, operands[i].values[k]);
}

// How many values each result becomes; false: a type cannot be converted.
static bool add_results(CakeConversion *conversion, const CakeOp *op, CakeTypeVec *types, size_t *out_counts) {
  for (uint32_t i = 0; i < op->n_results; i++) {
    size_t before = types->len;
    if (!cake_conversion_add_types(conversion, op->results[i].type, types))
      return cake_rewriter_decline(&conversion->rewriter, "the type '%s' of result #%u cannot be converted",
                                   cake_type_text(op->results[i].type), i);
    out_counts[i] = types->len - before;
  }
  return true;
}

static void take_place(CakeConversion *conversion, CakeOp *op, CakeOp *made, const size_t *counts) {
  CakeArena *scratch = conversion->pass->scratch;
  CakeValue **values = CAKE_ARENA_ARRAY(scratch, CakeValue *, made->n_results + 1);
  CakeValueList *lists = CAKE_ARENA_ARRAY(scratch, CakeValueList, op->n_results + 1);
  for (uint32_t i = 0; i < made->n_results; i++)
    values[i] = &made->results[i];
  for (uint32_t i = 0; i < op->n_results; values += counts[i++])
    lists[i] = (CakeValueList){values, counts[i]};
  for (uint32_t i = 0; i < op->n_regions && i < made->n_regions; i++)
    cake_conversion_take_region(conversion, cake_op_region(made, i), cake_op_region(op, i));
  cake_conversion_replace_many(conversion, op, lists);
}

CakeOp *cake_conversion_become(CakeConversion *conversion, CakeOp *op, const char *name, const CakeValueList *operands,
                               const CakeNamedAttr *attrs, size_t n_attrs) {
  size_t *counts = CAKE_ARENA_ARRAY(conversion->pass->scratch, size_t, op->n_results + 1);
  Values values = {0};
  CakeTypeVec types = {0};
  CakeOp *made = NULL;
  add_operands(operands, op->n_operands, &values);
  if (add_results(conversion, op, &types, counts)) {
    CakeBuild build = {.name = name,
                       .operands = values.data,
                       .n_operands = values.len,
                       .result_types = types.data,
                       .n_results = types.len,
                       .attrs = attrs,
                       .n_attrs = n_attrs,
                       .n_regions = op->n_regions};
    made = cake_rewriter_build(&conversion->rewriter, &build);
    take_place(conversion, op, made, counts);
  }
  CAKE_VEC_FINI(&values);
  CAKE_VEC_FINI(&types);
  return made;
}

// ---- The same op ---------------------------------------------------------------------------------------------------

static bool arg_changes(const CakeConversion *conversion, const CakeValue *arg) {
  uintptr_t known; // what has become another value stays until the end
  return !cake_map_get(&conversion->mapping, arg, &known) && cake_conversion_type(conversion, arg->type) != arg->type;
}

static bool args_change(const CakeConversion *conversion, const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_regions; i++)
    for (const CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next)
      for (uint32_t k = 0; k < block->n_args; k++)
        if (arg_changes(conversion, block->args[k])) return true;
  return false;
}

static bool convert_regions(CakeConversion *conversion, CakeOp *op) {
  for (uint32_t i = 0; i < op->n_regions; i++)
    for (CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next)
      if (!cake_conversion_convert_args(conversion, block))
        return cake_rewriter_decline(&conversion->rewriter, "the type of an argument cannot be converted");
  return true;
}

static bool takes(CakeConversion *conversion, const char *what, const char *name, CakeArity arity, size_t count) {
  if (arity == CAKE_VARIADIC || count == 1 || (arity == CAKE_OPTIONAL && count == 0)) return true;
  return cake_rewriter_decline(&conversion->rewriter, "%s '%s' is one value, and has become %zu", what, name, count);
}

// The sizes of the operands' groups; false: one value that became several stands where one has to.
static bool new_sizes(CakeConversion *conversion, const CakeOp *op, const CakeValueList *operands, int64_t *out_sizes) {
  const CakeOpDef *def = op->info->def;
  for (uint32_t group = 0; group < def->n_operands; group++) {
    CakeOperandRange range = cake_op_operand_group(op, group);
    size_t count = 0;
    for (uint32_t i = 0; i < range.count; i++)
      count += operands[range.start + i].count;
    out_sizes[group] = (int64_t)count;
    if (!takes(conversion, "operand", def->operands[group].name, def->operands[group].arity, count)) return false;
  }
  return true;
}

static bool results_fit(CakeConversion *conversion, const CakeOp *op, const size_t *counts) {
  const CakeOpDef *def = op->info->def;
  for (uint32_t group = 0; group < def->n_results; group++) {
    CakeResultRange range = cake_op_result_group(op, group);
    size_t count = 0;
    for (uint32_t i = 0; i < range.count; i++)
      count += counts[range.start + i];
    if (!takes(conversion, "result", def->results[group].name, def->results[group].arity, count)) return false;
  }
  return true;
}

// How many operands each successor gets, where an attribute says so.
static void set_successor_sizes(const CakeOp *op, const CakeValueList *operands, CakeAttr *props, CakeArena *scratch) {
  uint32_t *counts = CAKE_ARENA_ARRAY(scratch, uint32_t, op->n_operands + 1);
  for (uint32_t i = 0; i < op->n_operands; i++)
    counts[i] = (uint32_t)operands[i].count;
  CakeAttr sizes = cake_op_successor_sizes(op, counts);
  if (sizes) props[cake_op_def_attr(op->info->def, op->info->def->successor_sizes)] = sizes;
}

static bool retype_parts(CakeConversion *conversion, CakeOp *op, const CakeValueList *operands, Values *values,
                         CakeTypeVec *types) {
  CakeArena *scratch = conversion->pass->scratch;
  const CakeOpDef *def = op->info->def;
  size_t *counts = CAKE_ARENA_ARRAY(scratch, size_t, op->n_results + 1);
  CakeAttr *props = CAKE_ARENA_ARRAY(scratch, CakeAttr, op->info->n_props + 1);
  CakeBlock **successors = CAKE_ARENA_ARRAY(scratch, CakeBlock *, op->n_successors + 1);
  int64_t sizes[CAKE_MAX_GROUPS] = {0};
  if (!add_results(conversion, op, types, counts)) return false;
  if (def && (!new_sizes(conversion, op, operands, sizes) || !results_fit(conversion, op, counts))) return false;
  memcpy(props, cake_op_props(op), op->info->n_props * sizeof(*props));
  if (op->info->traits & CAKE_TRAIT_SEGMENTS)
    props[def->n_attrs] = cake_attr_dense_array(op->context->i32, sizes, def->n_operands);
  for (uint32_t i = 0; i < op->n_successors; i++)
    successors[i] = cake_op_successor(op, i);
  set_successor_sizes(op, operands, props, scratch);
  add_operands(operands, op->n_operands, values);
  CakeOpState state = {.loc = op->loc,
                       .info = op->info,
                       .operands = values->data,
                       .n_operands = values->len,
                       .result_types = types->data,
                       .n_results = types->len,
                       .props = props,
                       .attrs = op->attrs,
                       .successors = successors,
                       .n_successors = op->n_successors,
                       .n_regions = op->n_regions};
  if (!convert_regions(conversion, op)) return false;
  take_place(conversion, op, cake_rewriter_create(&conversion->rewriter, &state), counts);
  return true;
}

static bool retype(CakeConversion *conversion, CakeOp *op, const CakeValueList *operands) {
  const CakeTypeConverter *converter = cake_conversion_types(conversion);
  if (!converter || (cake_type_converter_is_legal(converter, op) && !args_change(conversion, op)))
    return cake_rewriter_decline(&conversion->rewriter, "its types stay");
  if (cake_op_has_trait(op, CAKE_TRAIT_CALLABLE)) return cake_conversion_convert_signature(conversion, op);
  Values values = {0};
  CakeTypeVec types = {0};
  bool is_done = retype_parts(conversion, op, operands, &values, &types);
  CAKE_VEC_FINI(&values);
  CAKE_VEC_FINI(&types);
  return is_done;
}

const CakeConversionPattern cake_conversion_retype = {.name = "retype", .convert_many = retype};
