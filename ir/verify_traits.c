// Verification of one op's traits: types alike, elementwise shapes, terminators, parents, symbols.
#include "core.h"

#include "cake/text.h"

#include <string.h>

// ---- Types ---------------------------------------------------------------------------------------------------------

static bool has_one_operand_type(const CakeOp *op) {
  for (uint32_t i = 1; i < op->n_operands; i++) {
    if (op->operands[i].value->type != op->operands[0].value->type) return false;
  }
  return true;
}

static bool has_one_type(const CakeOp *op) {
  if (!has_one_operand_type(op)) return false;
  CakeType type = op->n_operands ? op->operands[0].value->type : op->n_results ? op->results[0].type : NULL;
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (op->results[i].type != type) return false;
  }
  return true;
}

static bool verify_types(CakeOp *op, unsigned traits) {
  if ((traits & CAKE_TRAIT_SAME_TYPE) && !has_one_type(op)) {
    return cake_error(op, CAKE_CODE_IR_TRAIT, "requires the same type for all operands and results");
  }
  if ((traits & CAKE_TRAIT_SAME_OPERANDS) && !has_one_operand_type(op)) {
    return cake_error(op, CAKE_CODE_IR_TRAIT, "requires all operands to have the same type");
  }
  return true;
}

static bool is_lifted(CakeType type) {
  return cake_type_is(type, &cake_type_def_vector) || cake_type_is(type, &cake_type_def_tensor) ||
         cake_type_is(type, &cake_type_def_unranked_tensor);
}

// Same kind, shape and encoding, whatever the elements.
static bool has_same_shape(CakeType a, CakeType b) {
  return cake_type_with_element(a, cake_type_element(b)) == b;
}

// The first vector or tensor among operands (results).
static CakeType lifted_operand(const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_operands; i++) {
    if (is_lifted(op->operands[i].value->type)) return op->operands[i].value->type;
  }
  return NULL;
}

static CakeType lifted_result(const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++) {
    if (is_lifted(op->results[i].type)) return op->results[i].type;
  }
  return NULL;
}

static bool report_shape(CakeOp *op, CakeType a, CakeType b) {
  return cake_error(op, CAKE_CODE_IR_TRAIT,
                    "all non-scalar operands/results must have the same shape and base type, but got '%s' and '%s'",
                    cake_type_text(a), cake_type_text(b));
}

static bool verify_elementwise(CakeOp *op) {
  CakeType operand = lifted_operand(op), result = lifted_result(op);
  if (!operand && !result) return true;
  if (operand && !result && op->n_results) {
    return cake_error(op, CAKE_CODE_IR_TRAIT,
                      "if an operand is non-scalar, then there must be at least one non-scalar result");
  }
  if (result && !operand) {
    return cake_error(op, CAKE_CODE_IR_TRAIT,
                      "if a result is non-scalar, then at least one operand must be non-scalar");
  }
  for (uint32_t i = 0; i < op->n_operands; i++) {
    CakeType type = op->operands[i].value->type;
    if (is_lifted(type) && !has_same_shape(operand, type)) return report_shape(op, operand, type);
  }
  for (uint32_t i = 0; i < op->n_results; i++) {
    CakeType type = op->results[i].type;
    if (!is_lifted(type))
      return cake_error(op, CAKE_CODE_IR_TRAIT, "result #%u must be non-scalar, as an operand is", i);
    if (!has_same_shape(operand, type)) return report_shape(op, operand, type);
  }
  return true;
}

// ---- Place ---------------------------------------------------------------------------------------------------------

static bool is_one_of(CakeStr name, const char *names) {
  for (const char *at = names, *end;; at = end + 1) {
    for (end = at; *end && *end != '|'; end++)
      ;
    if (cake_str_equal(name, (CakeStr){at, (size_t)(end - at)})) return true;
    if (!*end) return false;
  }
}

static bool verify_parent(CakeOp *op, const char *parents) {
  const CakeOp *around = cake_op_parent(op);
  CakeOpInfoStorage *info = (CakeOpInfoStorage *)op->info;
  if (around && around->info == info->last_parent) return true;
  if (around && is_one_of(cake_op_name(around), parents)) {
    info->last_parent = around->info;
    return true;
  }
  if (!strchr(parents, '|')) return cake_error(op, CAKE_CODE_IR_TRAIT, "expects parent op '%s'", parents);
  CakeBuf list = {0};
  for (const char *at = parents; *at; at++) {
    if (*at == '|')
      cake_buf_text(&list, ", ");
    else
      cake_buf_char(&list, *at);
  }
  cake_error(op, CAKE_CODE_IR_TRAIT, "expects parent op to be one of '%s'", list.data);
  cake_buf_fini(&list);
  return false;
}

static bool verify_visibility(CakeOp *op) {
  static const char *const words[] = {"public", "private", "nested"};
  CakeAttr visibility = cake_op_attr_text(op, "sym_visibility");
  if (!cake_attr_is(visibility, &cake_attr_def_string)) return true; // a row says that it is one
  CakeStr text = cake_attr_string_value(visibility);
  for (size_t i = 0; i < CAKE_COUNT(words); i++)
    if (cake_str_is(text, words[i])) return true;
  return cake_error(op, CAKE_CODE_IR_SYMBOL,
                    "visibility expected to be one of [\"public\", \"private\", \"nested\"], but got %s",
                    cake_attr_text(visibility));
}

static bool verify_symbol(CakeOp *op) {
  const CakeOp *around = cake_op_parent(op);
  if (!cake_symbol_name(op)) return true;
  if (!verify_visibility(op)) return false;
  if (!around || !around->info->def) return true;
  return cake_op_has_trait(around, CAKE_TRAIT_SYMBOL_TABLE) ||
         cake_error(op, CAKE_CODE_IR_SYMBOL, "symbol's parent must have the SymbolTable trait");
}

// ---- Symbol tables -------------------------------------------------------------------------------------------------

static bool verify_symbol_once(CakeMap *seen, CakeOp *op) {
  CakeId name = cake_symbol_name(op);
  uintptr_t first;
  if (!name) return true;
  if (!cake_map_get(seen, name, &first)) {
    cake_map_set(seen, name, (uintptr_t)op);
    return true;
  }
  CakeDiagnostic *diagnostic = cake_diag_begin(op->context, CAKE_ERROR, op->loc, CAKE_CODE_IR_SYMBOL,
                                               "redefinition of symbol named '%.*s'", CAKE_STR_ARG(cake_id_str(name)));
  cake_diag_note(op->context, diagnostic, ((CakeOp *)first)->loc, "see existing symbol definition here");
  return cake_diag_emit(op->context, diagnostic);
}

bool cake_verify_symbol_table(CakeOp *op) {
  if (op->n_regions != 1) {
    return cake_error(op, CAKE_CODE_IR_REGIONS, "Operations with a 'SymbolTable' must have exactly one region");
  }
  if (cake_symbols_are_unique(op)) return true;
  CakeMap seen = {0};
  bool ok = true;
  for (CakeBlock *block = cake_op_region(op, 0)->first; block; block = block->next) {
    for (CakeOp *inner = block->first; inner; inner = inner->next)
      ok &= verify_symbol_once(&seen, inner);
  }
  cake_map_fini(&seen);
  return ok;
}

// ---- All -----------------------------------------------------------------------------------------------------------

bool cake_verify_traits(CakeOp *op, bool is_known) {
  const CakeOpDef *def = op->info->def;
  if (!def) return true;
  bool ok = is_known || verify_types(op, def->traits);
  if (!is_known && (def->traits & CAKE_TRAIT_ELEMENTWISE)) ok &= verify_elementwise(op);
  if (def->parent) ok &= verify_parent(op, def->parent);
  if ((def->traits & CAKE_TRAIT_TERMINATOR) && op->next) {
    ok = cake_error(op, CAKE_CODE_IR_TRAIT, "must be the last operation in the parent block");
  }
  if (def->traits & CAKE_TRAIT_SYMBOL) ok &= verify_symbol(op);
  return ok;
}
