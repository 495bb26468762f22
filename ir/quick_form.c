// From a compiled assembly format to a quick form. See quick.h.
#include "quick.h"

typedef struct Maker {
  const CakeOpDef *def;
  const CakeAsmFormat *format;
  CakeQuickForm *form;
  uint32_t next_group, next_result; // groups and types come in the order of the operands and results
} Maker;

static CakeQuickStep *add(Maker *maker, CakeQuickKind kind, uint32_t row) {
  CakeQuickForm *form = maker->form;
  if (form->n_steps == CAKE_QUICK_STEPS || row >= CAKE_QUICK_ROWS) return NULL;
  CakeQuickStep *step = &form->steps[form->n_steps++];
  *step = (CakeQuickStep){.kind = kind, .row = (uint8_t)row};
  return step;
}

static bool add_text(Maker *maker, CakeQuickKind kind, CakeStr text, bool is_word) {
  CakeQuickStep *step = text.len && text.len <= CAKE_QUICK_TEXT ? add(maker, kind, 0) : NULL;
  if (!step) return false;
  step->len = (uint8_t)text.len;
  step->is_word = is_word;
  memcpy(step->text, text.ptr, text.len);
  return true;
}

static bool add_operands(Maker *maker, const CakeAsmNode *node) {
  CakeArity arity = maker->def->operands[node->ref.row].arity;
  if (arity == CAKE_OPTIONAL || node->ref.row < maker->next_group) return false;
  maker->next_group = node->ref.row + 1;
  return add(maker, arity == CAKE_SINGLE ? CAKE_QUICK_VALUE : CAKE_QUICK_LIST, node->ref.row);
}

static bool add_target(Maker *maker, const CakeAsmNode *node) {
  if (maker->def->operands[node->ref.row].arity != CAKE_VARIADIC || node->ref.row < maker->next_group) return false;
  maker->next_group = node->ref.row + 1;
  return add(maker, CAKE_QUICK_TARGET, node->ref.row);
}

static bool add_attribute(Maker *maker, const CakeAsmNode *node) {
  uint32_t row = node->ref.row;
  const CakeAttrConstraint *constraint = maker->def->attrs[row].constraint;
  if (constraint == &cake_attr_is_symbol_ref) return add(maker, CAKE_QUICK_SYMBOL, row);
  if (!add(maker, CAKE_QUICK_NUMBER, row)) return false;
  maker->form->number_types[row] = node->fixed_type;
  return true;
}

static bool add_types(Maker *maker, const CakeAsmNode *node) {
  if (node->ref.kind == CAKE_ASM_OPERAND)
    return maker->def->operands[node->ref.row].arity != CAKE_OPTIONAL && add(maker, CAKE_QUICK_TYPES, node->ref.row);
  if (maker->def->results[node->ref.row].arity != CAKE_SINGLE || node->ref.row < maker->next_result) return false;
  maker->next_result = node->ref.row + 1;
  return add(maker, CAKE_QUICK_RESULT, node->ref.row);
}

static bool add_nodes(Maker *maker, uint32_t begin, uint32_t end);

// A group is left out when it begins with a literal; one that begins with a list of values is there when a value is.
static bool add_group(Maker *maker, uint32_t index) {
  const CakeAsmNode *node = &maker->format->nodes[index], *first = node + 1;
  if (first->kind == CAKE_ASM_LITERAL) return add_text(maker, CAKE_QUICK_UNLESS, first->text, false);
  if (first->kind != CAKE_ASM_OPERANDS || maker->def->operands[first->ref.row].arity != CAKE_VARIADIC) return false;
  CakeQuickStep *step = add(maker, CAKE_QUICK_IF_LIST, first->ref.row);
  uint32_t before = maker->form->n_steps;
  if (!step || !add_nodes(maker, index + 1, node->end)) return false;
  step->skip = (uint8_t)(maker->form->n_steps - before);
  return true;
}

static bool add_node(Maker *maker, uint32_t index) {
  const CakeAsmNode *node = &maker->format->nodes[index];
  switch (node->kind) {
  case CAKE_ASM_LITERAL: return add_text(maker, CAKE_QUICK_LITERAL, node->text, node->token == CAKE_TOK_BARE);
  case CAKE_ASM_NO_SPACE: return true;
  case CAKE_ASM_OPERANDS: return add_operands(maker, node);
  case CAKE_ASM_ATTRIBUTE: return add_attribute(maker, node);
  case CAKE_ASM_KEYWORD: return add(maker, CAKE_QUICK_KEYWORD, node->ref.row);
  case CAKE_ASM_TYPE: return add_types(maker, node);
  case CAKE_ASM_FUNCTIONAL: return add(maker, CAKE_QUICK_FUNCTIONAL, 0);
  case CAKE_ASM_DICT: return add_text(maker, CAKE_QUICK_UNLESS, CAKE_STR("{"), false);
  case CAKE_ASM_DICT_KEYWORD: return add_text(maker, CAKE_QUICK_UNLESS, CAKE_STR("a"), false);
  case CAKE_ASM_RESULTS: return maker->def->infer && add_text(maker, CAKE_QUICK_UNLESS, CAKE_STR(":"), false);
  case CAKE_ASM_TARGET: return add_target(maker, node);
  case CAKE_ASM_GROUP: return add_group(maker, index);
  default: return false;
  }
}

static bool add_nodes(Maker *maker, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; i = maker->format->nodes[i].end)
    if (!add_node(maker, i)) return false;
  return true;
}

CakeQuickForm *cake_quick_form(CakeContext *context, const CakeOpDef *def, const CakeAsmFormat *format) {
  CakeQuickForm form = {0};
  Maker maker = {.def = def, .format = format, .form = &form};
  bool is_small = def->n_operands <= CAKE_QUICK_ROWS && def->n_results <= CAKE_QUICK_ROWS &&
                  cake_op_def_props(def) <= CAKE_QUICK_ROWS;
  if (format->error || def->parse || !format->nodes || def->n_regions || !is_small) return NULL;
  if (!add_nodes(&maker, 0, format->n_nodes)) return NULL;
  CakeQuickForm *kept = CAKE_ARENA_NEW(context->arena, CakeQuickForm);
  *kept = form;
  return kept;
}
