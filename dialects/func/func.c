// func: the dialect's table and verification.
#include "dialects/func/func.h"

#include <string.h>

#include "cake/symbol.h"
#include "cake/text.h"
#include "dialects/func/func_asm.h"

static bool attr_is_function_type(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_type) && cake_type_is(cake_attr_value_type(attr), &cake_type_def_function);
}

static bool attr_is_dictionaries(CakeAttr attr) {
  if (!cake_attr_is(attr, &cake_attr_def_array)) return false;
  for (size_t i = 0; i < cake_attr_count(attr); i++)
    if (!cake_attr_is(cake_attr_element(attr, i), &cake_attr_def_dictionary)) return false;
  return true;
}

static const CakeAttrConstraint func_attr_is_function_type = {"type attribute of function type", attr_is_function_type};
static const CakeAttrConstraint func_attr_is_dictionaries = {"Array of dictionary attributes", attr_is_dictionaries};

static CakeType type_of(const CakeOp *function) {
  return cake_attr_value_type(cake_op_prop(function, CAKE_ATTR_ROW(func, func, function_type)));
}

static CakeStr name_of(const CakeOp *function) {
  return cake_attr_string_value(cake_op_prop(function, CAKE_ATTR_ROW(func, func, sym_name)));
}

static bool verify_names(CakeOp *op, CakeAttr dictionary, const char *what) {
  for (size_t i = 0; i < cake_attr_count(dictionary); i++) {
    CakeId name = cake_attr_entry(dictionary, i).name;
    if (!memchr(name->text, '.', name->len))
      return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "%ss may only have dialect attributes, not '%s'", what,
                        name->text);
  }
  return true;
}

static bool verify_dictionaries(CakeOp *op, CakeAttr dictionaries, size_t count, const char *what) {
  if (!dictionaries) return true;
  if (cake_attr_count(dictionaries) != count)
    return cake_error(
        op, CAKE_CODE_IR_ATTRIBUTES,
        "expects %s attribute array to have the same number of elements as the number of function %ss, got "
        "%zu, but expected %zu",
        what, what, cake_attr_count(dictionaries), count);
  for (size_t i = 0; i < count; i++)
    if (!verify_names(op, cake_attr_element(dictionaries, i), what)) return false;
  return true;
}

static bool func_func_verify(CakeOp *op) {
  CakeType type = type_of(op);
  size_t n_inputs = cake_type_function_inputs(type);
  if (!verify_dictionaries(op, cake_op_prop(op, CAKE_ATTR_ROW(func, func, arg_attrs)), n_inputs, "argument") ||
      !verify_dictionaries(op, cake_op_prop(op, CAKE_ATTR_ROW(func, func, res_attrs)), cake_type_function_results(type),
                           "result"))
    return false;
  CakeBlock *entry = cake_region_entry(cake_op_region(op, 0));
  CakeAttr visibility = cake_op_prop(op, CAKE_ATTR_ROW(func, func, sym_visibility));
  if (!entry) {
    if (visibility && !cake_str_is(cake_attr_string_value(visibility), "public")) return true;
    return cake_error(op, CAKE_CODE_IR_SYMBOL, "symbol declaration cannot have public visibility");
  }
  if (entry->n_args != n_inputs)
    return cake_error(op, CAKE_CODE_IR_REGIONS, "entry block must have %zu arguments to match function signature",
                      n_inputs);
  for (size_t i = 0; i < n_inputs; i++) {
    if (entry->args[i]->type == cake_type_function_input(type, i)) continue;
    return cake_error(op, CAKE_CODE_IR_REGIONS,
                      "type of entry block argument #%zu('%s') must match the type of the corresponding argument in "
                      "function signature('%s')",
                      i, cake_type_text(entry->args[i]->type), cake_type_text(cake_type_function_input(type, i)));
  }
  return true;
}

static bool func_return_verify(CakeOp *op) {
  CakeOp *function = cake_op_parent(op);
  if (!function || function->info->dialect != &cake_dialect_func || function->info->def->ordinal != cake_op_func_func ||
      !attr_is_function_type(cake_op_prop(function, CAKE_ATTR_ROW(func, func, function_type))))
    return true; // reported elsewhere
  CakeType type = type_of(function);
  size_t n_results = cake_type_function_results(type);
  if (op->n_operands != n_results)
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "has %u operands, but enclosing function (@%.*s) returns %zu",
                      op->n_operands, CAKE_STR_ARG(name_of(function)), n_results);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    if (cake_op_operand(op, i)->type == cake_type_function_result(type, i)) continue;
    return cake_error(op, CAKE_CODE_IR_OPERANDS,
                      "type of return operand %u ('%s') doesn't match function result type ('%s') in function @%.*s", i,
                      cake_type_text(cake_op_operand(op, i)->type), cake_type_text(cake_type_function_result(type, i)),
                      CAKE_STR_ARG(name_of(function)));
  }
  return true;
}

static bool func_call_verify(CakeOp *op) {
  CakeAttr callee = cake_op_prop(op, CAKE_ATTR_ROW(func, call, callee));
  CakeOp *function = cake_symbol_lookup(op, callee);
  if (!function || function->info->dialect != &cake_dialect_func || function->info->def->ordinal != cake_op_func_func)
    return cake_error(op, CAKE_CODE_IR_SYMBOL, "'%.*s' does not reference a valid function",
                      CAKE_STR_ARG(cake_id_str(cake_attr_symbol_root(callee))));
  if (!attr_is_function_type(cake_op_prop(function, CAKE_ATTR_ROW(func, func, function_type))))
    return true; // reported there
  CakeType type = type_of(function);
  if (op->n_operands != cake_type_function_inputs(type))
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "incorrect number of operands for callee");
  for (uint32_t i = 0; i < op->n_operands; i++) {
    if (cake_op_operand(op, i)->type == cake_type_function_input(type, i)) continue;
    return cake_error(op, CAKE_CODE_IR_OPERANDS,
                      "operand type mismatch: expected operand type '%s', but provided '%s' for operand number %u",
                      cake_type_text(cake_type_function_input(type, i)), cake_type_text(cake_op_operand(op, i)->type),
                      i);
  }
  if (op->n_results != cake_type_function_results(type))
    return cake_error(op, CAKE_CODE_IR_RESULTS, "incorrect number of results for callee");
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (op->results[i].type == cake_type_function_result(type, i)) continue;
    return cake_error(op, CAKE_CODE_IR_RESULTS, "result type mismatch at index %u: expected '%s', but got '%s'", i,
                      cake_type_text(cake_type_function_result(type, i)), cake_type_text(op->results[i].type));
  }
  return true;
}

static bool is_function(CakeType type) {
  return cake_type_is(type, &cake_type_def_function);
}

static const CakeTypeConstraint func_is_function = {"function type", is_function};

static bool func_constant_verify(CakeOp *op) {
  CakeAttr value = cake_op_prop(op, CAKE_ATTR_ROW(func, constant, value));
  CakeOp *function = cake_symbol_lookup(op, value);
  if (!function || function->info->dialect != &cake_dialect_func || function->info->def->ordinal != cake_op_func_func)
    return cake_error(op, CAKE_CODE_IR_SYMBOL, "reference to undefined function '%.*s'",
                      CAKE_STR_ARG(cake_id_str(cake_attr_symbol_root(value))));
  if (!attr_is_function_type(cake_op_prop(function, CAKE_ATTR_ROW(func, func, function_type))))
    return true; // reported there
  if (type_of(function) == op->results[0].type) return true;
  return cake_error(op, CAKE_CODE_IR_RESULTS, "reference to function with mismatched type: it is '%s', not '%s'",
                    cake_type_text(type_of(function)), cake_type_text(op->results[0].type));
}

static bool func_call_indirect_verify(CakeOp *op) {
  CakeType type = cake_op_operand(op, 0)->type;
  if (op->n_operands - 1 != cake_type_function_inputs(type))
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "incorrect number of operands for callee");
  for (uint32_t i = 1; i < op->n_operands; i++)
    if (cake_op_operand(op, i)->type != cake_type_function_input(type, i - 1))
      return cake_error(op, CAKE_CODE_IR_OPERANDS,
                        "operand type mismatch: expected operand type '%s', but provided '%s' for operand number %u",
                        cake_type_text(cake_type_function_input(type, i - 1)),
                        cake_type_text(cake_op_operand(op, i)->type), i - 1);
  bool same = op->n_results == cake_type_function_results(type);
  for (uint32_t i = 0; same && i < op->n_results; i++)
    same = op->results[i].type == cake_type_function_result(type, i);
  return same ||
         cake_error(op, CAKE_CODE_IR_RESULTS, "results must be those of the callee's type '%s'", cake_type_text(type));
}

#define CAKE_ROWS "dialects/func/func.def"
#define CAKE_DIALECT func
#define CAKE_ROWS_TABLE
#include "cake/dialect_rows.h"

const CakeDialectDef cake_dialect_func = {
    .name = "func",
    .summary = "Functions and calls.",
    .ops = cake_ops_func,
    .n_ops = CAKE_COUNT(cake_ops_func),
};
