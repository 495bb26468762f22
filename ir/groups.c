// Operand and result groups: which operands belong to which row. Never out of bounds, whatever the op looks like.
#include "core.h"

#include <string.h>

static int find_row(const void *rows, size_t size, size_t count, const char *name) {
  for (size_t i = 0; i < count; i++) {
    const char *const *row_name = (const void *)((const char *)rows + i * size); // `name` comes first in every row
    if (strcmp(*row_name, name) == 0) return (int)i;
  }
  return -1;
}

int cake_op_def_operand(const CakeOpDef *def, const char *name) {
  return find_row(def->operands, sizeof *def->operands, def->n_operands, name);
}

int cake_op_def_attr(const CakeOpDef *def, const char *name) {
  return find_row(def->attrs, sizeof *def->attrs, def->n_attrs, name);
}

int cake_op_def_result(const CakeOpDef *def, const char *name) {
  return find_row(def->results, sizeof *def->results, def->n_results, name);
}

// Without written sizes: singles take one each, and the one other group takes the rest.
static bool count_groups(const CakeArity *arities, size_t stride, size_t n_groups, size_t total, int32_t *sizes) {
  size_t singles = 0, open = n_groups;
  for (size_t i = 0; i < n_groups; i++) {
    CakeArity arity = *(const CakeArity *)(const void *)((const char *)arities + i * stride);
    if (arity == CAKE_SINGLE)
      singles++;
    else if (open == n_groups)
      open = i;
    else
      return false; // ambiguous without sizes
    sizes[i] = 1;
  }
  if (total < singles || total > INT32_MAX) return false;
  size_t rest = total - singles;
  if (open == n_groups) return rest == 0;
  sizes[open] = (int32_t)rest;
  return *(const CakeArity *)(const void *)((const char *)arities + open * stride) == CAKE_VARIADIC || rest <= 1;
}

static bool written_sizes(const CakeOpDef *def, size_t n_operands, CakeAttr segments, int32_t *sizes) {
  if (!cake_attr_is(segments, &cake_attr_def_dense_array) || cake_attr_count(segments) != def->n_operands) return false;
  int64_t total = 0;
  for (size_t i = 0; i < def->n_operands; i++) {
    int64_t size = cake_attr_dense_array_value(segments, i);
    CakeArity arity = def->operands[i].arity;
    if (size < 0 || size > INT32_MAX || (arity == CAKE_SINGLE && size != 1) || (arity == CAKE_OPTIONAL && size > 1))
      return false;
    sizes[i] = (int32_t)size;
    total += size;
  }
  return total == (int64_t)n_operands;
}

bool cake_def_group_sizes(const CakeOpDef *def, size_t n_operands, CakeAttr segments, int32_t *sizes) {
  if (def->traits & CAKE_TRAIT_SEGMENTS) return written_sizes(def, n_operands, segments, sizes);
  if (def->n_operands == 0) return n_operands == 0;
  return count_groups(&def->operands->arity, sizeof *def->operands, def->n_operands, n_operands, sizes);
}

bool cake_def_result_sizes(const CakeOpDef *def, size_t n_results, int32_t *sizes) {
  if (def->n_results == 0) return n_results == 0;
  return count_groups(&def->results->arity, sizeof *def->results, def->n_results, n_results, sizes);
}

bool cake_op_group_sizes(const CakeOp *op, int32_t *out_sizes) {
  const CakeOpDef *def = op->info->def;
  if (!def || def->n_operands > CAKE_MAX_GROUPS) return false;
  bool has_segments = (def->traits & CAKE_TRAIT_SEGMENTS) && op->info->n_props > def->n_attrs;
  return cake_def_group_sizes(def, op->n_operands, has_segments ? cake_op_prop(op, def->n_attrs) : NULL, out_sizes);
}

CakeOperandRange cake_op_operand_group(const CakeOp *op, uint32_t group) {
  const CakeOpDef *def = op->info->def;
  int32_t sizes[CAKE_MAX_GROUPS];
  if (!def || group >= def->n_operands) return (CakeOperandRange){0};
  if (((const CakeOpInfoStorage *)op->info)->has_plain_operands && op->n_operands == def->n_operands)
    return (CakeOperandRange){op->operands + group, 1, group};
  if (!cake_op_group_sizes(op, sizes)) return (CakeOperandRange){0};
  uint32_t start = 0;
  for (uint32_t i = 0; i < group; i++)
    start += (uint32_t)sizes[i];
  return (CakeOperandRange){op->operands + start, (uint32_t)sizes[group], start};
}

CakeResultRange cake_op_result_group(const CakeOp *op, uint32_t group) {
  const CakeOpDef *def = op->info->def;
  int32_t sizes[CAKE_MAX_GROUPS];
  if (!def || group >= def->n_results || def->n_results > CAKE_MAX_GROUPS) return (CakeResultRange){0};
  if (((const CakeOpInfoStorage *)op->info)->has_plain_results && op->n_results == def->n_results)
    return (CakeResultRange){cake_op_result(op, group), 1, group};
  if (!cake_def_result_sizes(def, op->n_results, sizes)) return (CakeResultRange){0};
  uint32_t start = 0;
  for (uint32_t i = 0; i < group; i++)
    start += (uint32_t)sizes[i];
  return (CakeResultRange){cake_op_result(op, start), (uint32_t)sizes[group], start};
}

CakeAttr cake_op_successor_sizes(const CakeOp *op, const uint32_t *counts) {
  const CakeOpDef *def = op->info->def;
  if (!def || !def->successor_sizes || !def->successor_operands || !op->n_successors) return NULL;
  CAKE_VEC(int64_t) sizes = {0};
  for (uint32_t i = 1; i < op->n_successors; i++) {
    CakeOperandRange range = def->successor_operands(op, i);
    int64_t size = 0;
    for (uint32_t k = 0; k < range.count; k++)
      size += counts[range.start + k];
    CAKE_PUSH(&sizes, size);
  }
  CakeAttr attr = cake_attr_dense_array(cake_type_i32(op->context), sizes.data, sizes.len);
  CAKE_VEC_FINI(&sizes);
  return attr;
}

// Where there is no linear type at all, no type is looked at.
static bool touches_linear_value(const CakeOp *op) {
  bool may_be_linear = op->context->has_linear_types;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const CakeValue *value = op->operands[i].value;
    if (!value || (may_be_linear && cake_type_is_linear(value->type))) return true;
  }
  if (!may_be_linear) return false;
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (cake_type_is_linear(op->results[i].type)) return true;
  }
  return false;
}

// By itself, whatever its regions hold.
static bool is_pure_alone(const CakeOp *op, bool may_terminate) {
  const CakeOpDef *def = op->info->def;
  if (!def || op->n_successors) return false;
  bool is_terminator = (def->traits & CAKE_TRAIT_TERMINATOR) != 0;
  if (is_terminator ? !may_terminate || def->n_effects : !(def->traits & CAKE_TRAIT_PURE)) return false;
  return !touches_linear_value(op) && (is_terminator || !def->is_pure || def->is_pure(op));
}

bool cake_op_is_pure(const CakeOp *op) {
  if (!is_pure_alone(op, false)) return false;
  if (!op->n_regions) return true;
  CakeOp *root = (CakeOp *)op; // only read
  for (CakeOp *inner = cake_op_walk_next(root, root, false); inner; inner = cake_op_walk_next(root, inner, false)) {
    if (!is_pure_alone(inner, true)) return false;
  }
  return true;
}

bool cake_op_is_speculatable(const CakeOp *op) {
  if (!cake_op_is_pure(op)) return false;
  CakeOp *root = (CakeOp *)op; // only read
  for (CakeOp *inner = root; inner; inner = cake_op_walk_next(root, inner, false)) {
    const CakeOpDef *def = inner->info->def;
    if (def->is_speculatable && !def->is_speculatable(inner)) return false;
  }
  return true;
}
