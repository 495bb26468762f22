// What functions, calls and returns of all dialects have in common.
#include "cake/callable.h"

#include <string.h>

#include "cake/symbol.h"
#include "core.h"

bool cake_op_def_is_function(const CakeOpDef *def) {
  return cake_op_def_attr(def, "sym_name") >= 0 && cake_op_def_attr(def, "function_type") >= 0 && def->n_regions == 1;
}

const CakeCallableRows *cake_callable_rows(const CakeOpInfo *info) {
  CakeCallableRows *rows = &((CakeOpInfoStorage *)info)->callable;
  const CakeOpDef *def = info->def;
  if (rows->is_known) return rows;
  *rows = (CakeCallableRows){.is_known = true,
                             .name = cake_op_def_attr(def, "sym_name"),
                             .type = cake_op_def_attr(def, "function_type"),
                             .visibility = cake_op_def_attr(def, "sym_visibility"),
                             .arg_attrs = cake_op_def_attr(def, "arg_attrs"),
                             .result_attrs = cake_op_def_attr(def, "res_attrs"),
                             .callee = def->callee ? cake_op_def_attr(def, def->callee) : -1};
  return rows;
}

CakeType cake_callable_type(const CakeOp *callable) {
  CakeAttr attr = callable->info->def ? cake_callable_attr(callable, cake_callable_rows(callable->info)->type) : NULL;
  CakeType type = cake_attr_is(attr, &cake_attr_def_type) ? cake_attr_value_type(attr) : NULL;
  return cake_type_is(type, &cake_type_def_function) ? type : NULL;
}

static const char *name_of(const CakeOp *function) {
  CakeId name = cake_symbol_name(function);
  return name ? name->text : "";
}

// ---- Functions -----------------------------------------------------------------------------------------------------

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
  if (!dictionaries || !cake_attr_is(dictionaries, &cake_attr_def_array)) return true;
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

static bool verify_arguments(CakeOp *op, const CakeBlock *entry, CakeType type) {
  size_t n_inputs = cake_type_function_inputs(type);
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

bool cake_verify_function(CakeOp *op) {
  CakeType type = cake_callable_type(op);
  const CakeCallableRows *rows = cake_callable_rows(op->info);
  if (!type) return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "needs a function type as its 'function_type'");
  if (!verify_dictionaries(op, cake_callable_attr(op, rows->arg_attrs), cake_type_function_inputs(type), "argument") ||
      !verify_dictionaries(op, cake_callable_attr(op, rows->result_attrs), cake_type_function_results(type), "result"))
    return false;
  const CakeBlock *entry = cake_region_entry(cake_op_region(op, 0));
  if (entry) return verify_arguments(op, entry, type);
  CakeAttr visibility = cake_callable_attr(op, rows->visibility);
  bool is_hidden =
      cake_attr_is(visibility, &cake_attr_def_string) && !cake_str_is(cake_attr_string_value(visibility), "public");
  return is_hidden || cake_error(op, CAKE_CODE_IR_SYMBOL, "symbol declaration cannot have public visibility");
}

// ---- Returns -------------------------------------------------------------------------------------------------------

bool cake_verify_return(CakeOp *op) {
  const CakeOp *function = cake_op_parent(op);
  while (function && !cake_op_has_trait(function, CAKE_TRAIT_CALLABLE))
    function = cake_op_parent(function);
  CakeType type = function ? cake_callable_type(function) : NULL;
  if (!type) return true; // reported elsewhere
  size_t n_results = cake_type_function_results(type);
  if (op->n_operands != n_results)
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "has %u operands, but enclosing function (@%s) returns %zu",
                      op->n_operands, name_of(function), n_results);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    if (cake_op_operand(op, i)->type == cake_type_function_result(type, i)) continue;
    return cake_error(op, CAKE_CODE_IR_OPERANDS,
                      "type of return operand %u ('%s') doesn't match function result type ('%s') in function @%s", i,
                      cake_type_text(cake_op_operand(op, i)->type), cake_type_text(cake_type_function_result(type, i)),
                      name_of(function));
  }
  return true;
}

// ---- Calls ---------------------------------------------------------------------------------------------------------

bool cake_verify_call_of(CakeOp *op, const CakeOp *callable) {
  CakeType type = cake_callable_type(callable);
  if (!type) return true; // reported there
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

bool cake_verify_call(CakeOp *op) {
  CakeAttr callee = cake_callable_attr(op, cake_callable_rows(op->info)->callee);
  CakeOp *function = cake_attr_is(callee, &cake_attr_def_symbol_ref) ? cake_symbol_lookup(op, callee) : NULL;
  if (!function || !cake_op_has_trait(function, CAKE_TRAIT_CALLABLE))
    return cake_error(op, CAKE_CODE_IR_SYMBOL, "'%s' does not reference a valid function",
                      cake_attr_is(callee, &cake_attr_def_symbol_ref) ? cake_attr_symbol_root(callee)->text : "");
  return cake_verify_call_of(op, function);
}
