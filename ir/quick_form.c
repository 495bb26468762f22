// From a compiled assembly format to a quick form. See quick.h.
#include "quick.h"

typedef struct Maker {
  const CakeOpDef *def;
  const CakeAsmFormat *format;
  CakeQuickForm *form;
  unsigned last;                    // a bit for each CakeAsmLast that may stand in front
  uint32_t next_group, next_result; // groups and types come in the order of the operands and results
} Maker;

static CakeQuickStep *add(Maker *maker, CakeQuickKind kind, uint32_t row) {
  CakeQuickForm *form = maker->form;
  if (form->n_steps == CAKE_QUICK_STEPS || row >= CAKE_QUICK_ROWS) return NULL;
  CakeQuickStep *step = &form->steps[form->n_steps++];
  *step = (CakeQuickStep){.kind = kind, .row = (uint8_t)row};
  return step;
}

// What is printed next stands behind a space unless `is_tight` says otherwise; it must be the same whatever stands in front.
static void put_space(Maker *maker, CakeQuickStep *step, const CakeAsmNode *literal) {
  unsigned with = 0, without = 0;
  for (CakeAsmLast last = CAKE_LAST_NAME; last <= CAKE_LAST_GLUE; last++) {
    if (!(maker->last >> last & 1)) continue;
    bool is_tight = last == CAKE_LAST_GLUE || (literal && cake_asm_literal_is_tight(literal, last));
    *(is_tight ? &without : &with) |= 1U;
  }
  step->has_space = with;
  maker->form->is_printable &= !(with && without);
  maker->last = 1U << (literal ? cake_asm_behind_literal(literal) : CAKE_LAST_OTHER);
}

// A step that prints something; with `may_be_empty`, perhaps nothing.
static CakeQuickStep *add_printed(Maker *maker, CakeQuickKind kind, uint32_t row, bool may_be_empty) {
  CakeQuickStep *step = add(maker, kind, row);
  unsigned before = maker->last;
  if (step) put_space(maker, step, NULL);
  if (may_be_empty) maker->last |= before;
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
  bool is_single = arity == CAKE_SINGLE;
  return add_printed(maker, is_single ? CAKE_QUICK_VALUE : CAKE_QUICK_LIST, node->ref.row, !is_single);
}

static bool add_target(Maker *maker, const CakeAsmNode *node) {
  if (maker->def->operands[node->ref.row].arity != CAKE_VARIADIC || node->ref.row < maker->next_group) return false;
  maker->next_group = node->ref.row + 1;
  maker->form->n_targets++;
  return add_printed(maker, CAKE_QUICK_TARGET, node->ref.row, false);
}

static bool add_attribute(Maker *maker, const CakeAsmNode *node) {
  uint32_t row = node->ref.row;
  const CakeAttrConstraint *constraint = maker->def->attrs[row].constraint;
  if (constraint == &cake_attr_is_symbol_ref) return add_printed(maker, CAKE_QUICK_SYMBOL, row, false);
  if (!add_printed(maker, CAKE_QUICK_NUMBER, row, false)) return false;
  maker->form->number_types[row] = node->fixed_type;
  return true;
}

static bool add_types(Maker *maker, const CakeAsmNode *node) {
  if (node->ref.kind == CAKE_ASM_OPERAND) {
    CakeArity arity = maker->def->operands[node->ref.row].arity;
    return arity != CAKE_OPTIONAL && add_printed(maker, CAKE_QUICK_TYPES, node->ref.row, arity == CAKE_VARIADIC);
  }
  if (maker->def->results[node->ref.row].arity != CAKE_SINGLE || node->ref.row < maker->next_result) return false;
  maker->next_result = node->ref.row + 1;
  return add_printed(maker, CAKE_QUICK_RESULT, node->ref.row, false);
}

static bool add_nodes(Maker *maker, uint32_t begin, uint32_t end);

// A group is left out when it begins with a literal; one that begins with a list of values is there when a value is.
static bool add_group(Maker *maker, uint32_t index) {
  const CakeAsmNode *node = &maker->format->nodes[index], *first = node + 1;
  if (first->kind == CAKE_ASM_LITERAL) {
    if (!add_text(maker, CAKE_QUICK_UNLESS, first->text, false)) return false;
    maker->form->steps[maker->form->n_steps - 1].anchor = node->anchor;
    return true;
  }
  if (first->kind != CAKE_ASM_OPERANDS || maker->def->operands[first->ref.row].arity != CAKE_VARIADIC) return false;
  const CakeAsmNode *anchor = &maker->format->nodes[node->anchor];
  maker->form->is_printable &= anchor->kind == CAKE_ASM_OPERANDS && anchor->ref.row == first->ref.row;
  CakeQuickStep *step = add(maker, CAKE_QUICK_IF_LIST, first->ref.row);
  uint32_t before = maker->form->n_steps;
  unsigned last = maker->last;
  if (!step || !add_nodes(maker, index + 1, node->end)) return false;
  step->skip = (uint8_t)(maker->form->n_steps - before);
  maker->last |= last;
  return true;
}

static bool add_literal(Maker *maker, const CakeAsmNode *node) {
  if (!add_text(maker, CAKE_QUICK_LITERAL, node->text, node->token == CAKE_TOK_BARE)) return false;
  CakeQuickStep *step = &maker->form->steps[maker->form->n_steps - 1];
  put_space(maker, step, node);
  step->n_printed = (uint8_t)(step->has_space + step->len);
  step->printed[0] = ' ';
  memcpy(step->printed + step->has_space, step->text, step->len);
  return true;
}

// A dictionary, which is not there, but something behind it is set off although nothing in front of it is.
static bool add_dictionary(Maker *maker, CakeStr begin) {
  if (maker->last >> CAKE_LAST_GLUE & 1) maker->last = (maker->last & ~(1U << CAKE_LAST_GLUE)) | 1U << CAKE_LAST_OTHER;
  return add_text(maker, CAKE_QUICK_UNLESS, begin, false);
}

static bool add_node(Maker *maker, uint32_t index) {
  const CakeAsmNode *node = &maker->format->nodes[index];
  switch (node->kind) {
  case CAKE_ASM_LITERAL: return add_literal(maker, node);
  case CAKE_ASM_NO_SPACE: return maker->last = 1U << CAKE_LAST_GLUE, true;
  case CAKE_ASM_OPERANDS: return add_operands(maker, node);
  case CAKE_ASM_ATTRIBUTE: return add_attribute(maker, node);
  case CAKE_ASM_KEYWORD: return add_printed(maker, CAKE_QUICK_KEYWORD, node->ref.row, false);
  case CAKE_ASM_TYPE: return add_types(maker, node);
  case CAKE_ASM_FUNCTIONAL: return add_printed(maker, CAKE_QUICK_FUNCTIONAL, 0, false);
  case CAKE_ASM_DICT: return add_dictionary(maker, CAKE_STR("{"));
  case CAKE_ASM_DICT_KEYWORD: return add_dictionary(maker, CAKE_STR("a"));
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
  CakeQuickForm form = {.is_printable = !def->print};
  Maker maker = {.def = def, .format = format, .form = &form, .last = 1U << CAKE_LAST_NAME};
  bool is_small = def->n_operands <= CAKE_QUICK_ROWS && def->n_results <= CAKE_QUICK_ROWS &&
                  cake_op_def_props(def) <= CAKE_QUICK_ROWS;
  if (format->error || def->parse || !format->nodes || def->n_regions || !is_small) return NULL;
  if (!add_nodes(&maker, 0, format->n_nodes)) return NULL;
  form.dictionary_rows = ((UINT64_C(1) << def->n_attrs) - 1) & ~format->printed_rows;
  for (uint32_t i = 0; i < def->n_attrs && format->defaults; i++)
    form.props[i] = format->defaults[i];
  form.has_one_type = def->traits & CAKE_TRAIT_SAME_TYPE && !(def->traits & CAKE_TRAIT_SEGMENTS) &&
                      def->n_results == 1 && def->results[0].arity == CAKE_SINGLE;
  CakeQuickForm *kept = CAKE_ARENA_NEW(context->arena, CakeQuickForm);
  *kept = form;
  return kept;
}
