// func: the dialect's table and verification.
#include "dialects/func/func.h"

#include "cake/callable.h"
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

static bool func_call_verify(CakeOp *op) {
  CakeAttr callee = cake_op_prop(op, CAKE_ATTR_ROW(func, call, callee));
  CakeOp *function = cake_symbol_lookup(op, callee);
  if (!function || function->info->dialect != &cake_dialect_func || function->info->def->ordinal != cake_op_func_func)
    return cake_error(op, CAKE_CODE_IR_SYMBOL, "'%s' does not reference a valid function",
                      cake_attr_symbol_root(callee)->text);
  return cake_verify_call_of(op, function);
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
  CakeType type = cake_callable_type(function);
  if (!type || type == op->results[0].type) return true; // without one: reported there
  return cake_error(op, CAKE_CODE_IR_RESULTS, "reference to function with mismatched type: it is '%s', not '%s'",
                    cake_type_text(type), cake_type_text(op->results[0].type));
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
