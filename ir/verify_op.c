// Verification of one op against its descriptor's rows: operands, attributes, results, successors, inferred types.
#include "core.h"

#include "cake/text.h"

#include <string.h>

// ---- Counts --------------------------------------------------------------------------------------------------------

typedef struct Count {
  uint32_t least;
  bool is_optional, is_variadic; // one more; any number more
} Count;

static void count_row(Count *count, CakeArity arity) {
  if (arity == CAKE_SINGLE) count->least++;
  if (arity == CAKE_OPTIONAL) count->is_optional = true;
  if (arity == CAKE_VARIADIC) count->is_variadic = true;
}

static bool report_count(CakeOp *op, CakeCode code, const char *what, Count count, uint32_t found) {
  if (count.is_variadic) return cake_error(op, code, "expected %u or more %ss, but found %u", count.least, what, found);
  if (count.is_optional) {
    return cake_error(op, code, "expected %u or %u %ss, but found %u", count.least, count.least + 1, what, found);
  }
  if (count.least == 0) return cake_error(op, code, "requires zero %ss, but found %u", what, found);
  if (count.least > 1) return cake_error(op, code, "expected %u %ss, but found %u", count.least, what, found);
  const char *one = strcmp(what, "operand") == 0 ? "a single" : "one";
  return cake_error(op, code, "requires %s %s, but found %u", one, what, found);
}

// Why operandSegmentSizes does not fit.
static bool report_segments(CakeOp *op, const CakeOpDef *def) {
  CakeAttr sizes = cake_op_prop(op, def->n_attrs);
  if (!sizes) return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "requires attribute 'operandSegmentSizes'");
  if (!cake_attr_is_i32_array.test(sizes)) {
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "attribute 'operandSegmentSizes' failed to satisfy constraint: %s",
                      cake_attr_is_i32_array.name);
  }
  if (cake_attr_count(sizes) != def->n_operands) {
    return cake_error(
        op, CAKE_CODE_IR_OPERANDS,
        "'operandSegmentSizes' attribute for specifying operand segments must have %u elements, but got %zu",
        def->n_operands, cake_attr_count(sizes));
  }
  int64_t total = 0;
  for (uint32_t i = 0; i < def->n_operands; i++) {
    int64_t size = cake_attr_dense_array_value(sizes, i);
    const CakeOperandDef *row = &def->operands[i];
    if (size < 0) {
      return cake_error(op, CAKE_CODE_IR_OPERANDS, "'operandSegmentSizes' attribute cannot have negative elements");
    }
    if ((row->arity == CAKE_SINGLE && size != 1) || (row->arity == CAKE_OPTIONAL && size > 1)) {
      return cake_error(op, CAKE_CODE_IR_OPERANDS, "operand group '%s' requires %s element, but found %lld", row->name,
                        row->arity == CAKE_SINGLE ? "exactly one" : "0 or 1", (long long)size);
    }
    total += size;
  }
  return cake_error(op, CAKE_CODE_IR_OPERANDS,
                    "operand count (%u) does not match with the total size (%lld) specified in attribute "
                    "'operandSegmentSizes'",
                    op->n_operands, (long long)total);
}

static bool report_operand_count(CakeOp *op, const CakeOpDef *def) {
  if (def->traits & CAKE_TRAIT_SEGMENTS) return report_segments(op, def);
  Count count = {0};
  for (uint32_t i = 0; i < def->n_operands; i++)
    count_row(&count, def->operands[i].arity);
  return report_count(op, CAKE_CODE_IR_OPERANDS, "operand", count, op->n_operands);
}

// ---- Operands and results ------------------------------------------------------------------------------------------

static bool verify_not_null(CakeOp *op) {
  bool ok = true;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    if (!op->operands[i].value) ok = cake_error(op, CAKE_CODE_IR_OPERANDS, "null operand found at #%u", i);
  }
  return ok;
}

static bool report_type(CakeOp *op, CakeCode code, const char *what, uint32_t index,
                        const CakeTypeConstraint *constraint, CakeType type) {
  CakeDiagnostic *d = cake_error_begin(op, code, "%s #%u must be %s, but got '%s'", what, index, constraint->name,
                                       cake_type_text(type));
  if (type->def->fix) cake_diag_fix(op->context, d, "%s", type->def->fix);
  return cake_diag_emit(op->context, d);
}

static bool verify_operands(CakeOp *op, const CakeOpDef *def) {
  int32_t sizes[CAKE_MAX_GROUPS];
  if (!cake_op_group_sizes(op, sizes)) return report_operand_count(op, def);
  bool ok = true;
  uint32_t index = 0;
  for (uint32_t group = 0; group < def->n_operands; group++) {
    const CakeTypeConstraint *constraint = def->operands[group].constraint;
    for (int32_t i = 0; i < sizes[group]; i++, index++) {
      CakeType type = op->operands[index].value->type;
      if (cake_type_satisfies(constraint, type)) continue;
      ok = report_type(op, CAKE_CODE_IR_OPERANDS, "operand", index, constraint, type);
    }
  }
  return ok;
}

static bool verify_results(CakeOp *op, const CakeOpDef *def) {
  int32_t sizes[CAKE_MAX_GROUPS];
  if (!cake_def_result_sizes(def, op->n_results, sizes)) {
    Count count = {0};
    for (uint32_t i = 0; i < def->n_results; i++)
      count_row(&count, def->results[i].arity);
    return report_count(op, CAKE_CODE_IR_RESULTS, "result", count, op->n_results);
  }
  bool ok = true;
  uint32_t index = 0;
  for (uint32_t group = 0; group < def->n_results; group++) {
    const CakeTypeConstraint *constraint = def->results[group].constraint;
    for (int32_t i = 0; i < sizes[group]; i++, index++) {
      if (cake_type_satisfies(constraint, op->results[index].type)) continue;
      ok = report_type(op, CAKE_CODE_IR_RESULTS, "result", index, constraint, op->results[index].type);
    }
  }
  return ok;
}

// ---- Attributes ----------------------------------------------------------------------------------------------------

static bool verify_attribute(CakeOp *op, const CakeAttrRow *row, CakeAttr attr) {
  if (!attr && row->optional) return true;
  if (!attr) return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "requires attribute '%s'", row->name);
  return cake_attr_satisfies(row->constraint, attr) ||
         cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "attribute '%s' failed to satisfy constraint: %s", row->name,
                    row->constraint->name);
}

static bool verify_attributes(CakeOp *op, const CakeOpDef *def) {
  bool ok = true;
  for (uint32_t i = 0; i < def->n_attrs; i++)
    ok &= verify_attribute(op, &def->attrs[i], cake_op_prop(op, i));
  return ok;
}

static bool verify_discardable(CakeOp *op) {
  bool ok = true;
  for (size_t i = 0; i < cake_attr_count(op->attrs); i++) {
    CakeId name = cake_attr_entry(op->attrs, i).name;
    if (cake_op_info_row(op->info, name) < 0) continue;
    ok = cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "attribute '%.*s' is inherent and must stand among the properties",
                    CAKE_STR_ARG(cake_id_str(name)));
  }
  return ok;
}

// ---- Successors ----------------------------------------------------------------------------------------------------

static bool verify_successors(CakeOp *op) {
  const CakeOpDef *def = op->info->def;
  bool ok = true;
  if (def && def->n_successors != UINT16_MAX && op->n_successors != def->n_successors) {
    ok = cake_error(op, CAKE_CODE_IR_SUCCESSORS, "requires %u successor%s but found %u", def->n_successors,
                    def->n_successors == 1 ? "" : "s", op->n_successors);
  }
  if (op->n_successors && op->next) {
    ok = cake_error_at(op->context, op->loc, CAKE_CODE_IR_SUCCESSORS,
                       "operation with block successors must terminate its parent block");
  }
  for (uint32_t i = 0; i < op->n_successors; i++) {
    const CakeBlock *block = cake_op_successor(op, i);
    if (!block) {
      ok = cake_error(op, CAKE_CODE_IR_SUCCESSORS, "null successor found at #%u", i);
    } else if (op->block && block->region != op->block->region) {
      ok = cake_error(op, CAKE_CODE_IR_SUCCESSORS, "branching to block of a different region");
    }
  }
  return ok;
}

// ---- Inferred types ------------------------------------------------------------------------------------------------

static bool same_types(const CakeOp *op, const CakeInference *inference) {
  if (op->n_results != inference->n_types) return false;
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (op->results[i].type != inference->types[i]) return false;
  }
  return true;
}

static void append_type(CakeBuf *buf, CakeType type) {
  cake_buf_printf(buf, "%s'%s'", buf->len ? ", " : "", type ? cake_type_text(type) : "<null>");
}

static bool report_inferred(CakeOp *op, const CakeInference *inference) {
  CakeBuf wanted = {0}, found = {0};
  for (size_t i = 0; i < inference->n_types; i++)
    append_type(&wanted, inference->types[i]);
  for (uint32_t i = 0; i < op->n_results; i++)
    append_type(&found, op->results[i].type);
  cake_error(op, CAKE_CODE_IR_RESULTS, "inferred type(s) %.*s are incompatible with return type(s) of operation %.*s",
             CAKE_STR_ARG(cake_buf_view(&wanted)), CAKE_STR_ARG(cake_buf_view(&found)));
  cake_buf_fini(&wanted);
  cake_buf_fini(&found);
  return false;
}

static bool verify_inferred(CakeOp *op, const CakeOpDef *def) {
  int32_t sizes[CAKE_MAX_GROUPS];
  if (!def->infer || !cake_op_group_sizes(op, sizes)) return true;
  enum { FEW = 16 };
  CakeValue *few[FEW], **operands = op->n_operands <= FEW ? few : cake_mem_zeroed(op->n_operands * sizeof *operands);
  for (uint32_t i = 0; i < op->n_operands; i++)
    operands[i] = op->operands[i].value;
  CakeInference inference;
  cake_inference_begin(&inference);
  inference.context = op->context;
  inference.loc = op->loc;
  inference.info = op->info;
  inference.operands = operands;
  inference.n_operands = op->n_operands;
  inference.group_sizes = sizes;
  inference.props = cake_op_props(op);
  inference.parent = cake_op_parent(op);
  bool ok = def->infer(&inference) && (same_types(op, &inference) || report_inferred(op, &inference));
  if (operands != few) cake_mem_free(operands);
  return ok;
}

// ---- All -----------------------------------------------------------------------------------------------------------

static bool verify_registered(CakeOp *op) {
  CakeContext *context = op->context;
  if (op->info->dialect) {
    return cake_error_at(context, op->loc, CAKE_CODE_UNREGISTERED,
                         "unregistered operation '%.*s' found in dialect ('%s') that does not allow unknown operations",
                         CAKE_STR_ARG(cake_op_name(op)), op->info->dialect->name);
  }
  return context->allow_unregistered ||
         cake_error(
             op, CAKE_CODE_UNREGISTERED,
             "created with unregistered dialect; if this is intended, allow it with --allow-unregistered-dialect");
}

bool cake_verify_rows(CakeOp *op, bool is_known) {
  const CakeOpDef *def = op->info->def;
  bool ok = is_known || verify_not_null(op);
  if (op->n_successors || !def || def->n_successors) ok &= verify_successors(op);
  if (!def) {
    ok &= verify_registered(op);
    return ok;
  }
  if (!ok) return false;
  if (def->n_operands > CAKE_MAX_GROUPS || def->n_results > CAKE_MAX_GROUPS) {
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "has more than %d operand or result groups", CAKE_MAX_GROUPS);
  }
  if (!is_known) ok = verify_attributes(op, def);
  if (op->attrs) ok &= verify_discardable(op);
  if (!is_known) {
    ok &= verify_operands(op, def);
    ok &= verify_results(op, def);
  }
  return ok && verify_inferred(op, def);
}
