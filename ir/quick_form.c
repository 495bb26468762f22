// From a compiled assembly format to a quick form. See quick.h.
#include "quick.h"

typedef struct Maker {
  const CakeOpDef *def;
  const CakeAsmFormat *format;
  CakeQuickForm *form;
  CakeQuickStep all[CAKE_QUICK_STEPS];
  CakeQuickSteps steps; // of them
  uint32_t n_header_steps;
  unsigned last;                    // a bit for each CakeAsmLast that may stand in front
  uint32_t next_group, next_result; // groups and types come in the order of the operands and results
} Maker;

static CakeQuickStep *add(Maker *maker, CakeQuickKind kind, uint32_t row) {
  CakeQuickSteps *steps = &maker->steps;
  if (steps->count == CAKE_QUICK_STEPS || row >= CAKE_QUICK_ROWS) return NULL;
  CakeQuickStep *step = &steps->steps[steps->count++];
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

static CakeQuickStep *add_absent(Maker *maker, const CakeAsmNode *node, char begin) {
  CakeQuickStep *step = add(maker, CAKE_QUICK_UNLESS, 0);
  if (!step) return NULL;
  step->absent = begin;
  step->node = (uint32_t)(node - maker->format->nodes);
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
  if (!add_printed(maker, CAKE_QUICK_ATTR, row, false)) return false;
  maker->form->number_types[row] = node->fixed_type;
  return true;
}

// Printed in another way.
static CakeQuickStep *add_unprinted(Maker *maker, CakeQuickKind kind, const CakeAsmNode *node, uint32_t row) {
  CakeQuickStep *step = add(maker, kind, row);
  maker->form->is_printable = false;
  if (step) step->node = (uint32_t)(node - maker->format->nodes);
  return step;
}

// With it no type is given: its operands have those of their values.
static bool add_iter(Maker *maker, const CakeAsmNode *node) {
  if (node->ref.row < maker->next_group) return false;
  maker->next_group = node->ref.row + 1;
  return add_unprinted(maker, CAKE_QUICK_ITER, node, node->ref.row);
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

// A directive decides by what it prints whether a space comes first.
static bool add_custom(Maker *maker, const CakeAsmNode *node) {
  CakeQuickStep *step = node->directive->quick ? add_printed(maker, CAKE_QUICK_CUSTOM, 0, false) : NULL;
  if (!step) return false;
  step->node = (uint32_t)(node - maker->format->nodes);
  maker->form->is_printable &= step->has_space;
  return true;
}

static bool add_nodes(Maker *maker, uint32_t begin, uint32_t end);

// A group is left out when it begins with a literal; one that begins with a list of values is there when a value is.
static bool add_group(Maker *maker, uint32_t index) {
  const CakeAsmNode *node = &maker->format->nodes[index], *first = node + 1;
  if (first->kind == CAKE_ASM_LITERAL) {
    CakeQuickStep *absent = add_absent(maker, node, first->text.ptr[0]);
    if (!absent) return false;
    absent->anchor = node->anchor;
    bool is_flag = first->token == CAKE_TOK_BARE && first[1].kind == CAKE_ASM_CUSTOM && node->end == index + 3;
    absent->is_printable = is_flag;
    absent->is_readable = is_flag && first[1].directive->quick;
    if (is_flag) maker->last |= 1U << CAKE_LAST_OTHER;
    return true;
  }
  if (first->kind == CAKE_ASM_ITER && node->end == index + 2) return add_iter(maker, first);
  if (first->kind != CAKE_ASM_OPERANDS || maker->def->operands[first->ref.row].arity != CAKE_VARIADIC) return false;
  const CakeAsmNode *anchor = &maker->format->nodes[node->anchor];
  maker->form->is_printable &= anchor->kind == CAKE_ASM_OPERANDS && anchor->ref.row == first->ref.row;
  CakeQuickStep *step = add(maker, CAKE_QUICK_IF_LIST, first->ref.row);
  uint32_t before = maker->steps.count;
  unsigned last = maker->last;
  if (!step || !add_nodes(maker, index + 1, node->end)) return false;
  step->skip = (uint8_t)(maker->steps.count - before);
  maker->last |= last;
  return true;
}

static bool add_literal(Maker *maker, const CakeAsmNode *node) {
  if (!add_text(maker, CAKE_QUICK_LITERAL, node->text, node->token == CAKE_TOK_BARE)) return false;
  CakeQuickStep *step = &maker->steps.steps[maker->steps.count - 1];
  put_space(maker, step, node);
  step->n_printed = (uint8_t)(step->has_space + step->len);
  step->printed[0] = ' ';
  memcpy(step->printed + step->has_space, step->text, step->len);
  return true;
}

// A dictionary, which is not there, but something behind it is set off although nothing in front of it is.
static bool add_dictionary(Maker *maker, const CakeAsmNode *node, char begin) {
  if (maker->last >> CAKE_LAST_GLUE & 1) maker->last = (maker->last & ~(1U << CAKE_LAST_GLUE)) | 1U << CAKE_LAST_OTHER;
  return add_absent(maker, node, begin);
}

static bool add_node(Maker *maker, uint32_t index) {
  const CakeAsmNode *node = &maker->format->nodes[index];
  switch (node->kind) {
  case CAKE_ASM_LITERAL: return add_literal(maker, node);
  case CAKE_ASM_NO_SPACE: return maker->last = 1U << CAKE_LAST_GLUE, true;
  case CAKE_ASM_OPERANDS: return add_operands(maker, node);
  case CAKE_ASM_ATTRIBUTE: return add_attribute(maker, node);
  case CAKE_ASM_CUSTOM: return add_custom(maker, node);
  case CAKE_ASM_KEYWORD: return add_printed(maker, CAKE_QUICK_KEYWORD, node->ref.row, false);
  case CAKE_ASM_TYPE: return add_types(maker, node);
  case CAKE_ASM_FUNCTIONAL: return add_printed(maker, CAKE_QUICK_FUNCTIONAL, 0, false);
  case CAKE_ASM_DICT: return add_dictionary(maker, node, '{');
  case CAKE_ASM_DICT_KEYWORD: return add_dictionary(maker, node, 'a');
  case CAKE_ASM_RESULTS: return maker->def->infer && add_absent(maker, node, ':');
  case CAKE_ASM_TARGET: return add_target(maker, node);
  case CAKE_ASM_GROUP: return add_group(maker, index);
  case CAKE_ASM_SYMBOL: return add_unprinted(maker, CAKE_QUICK_NAME, node, node->ref.row);
  case CAKE_ASM_ARGS: return add_unprinted(maker, CAKE_QUICK_ARGS, node, node->ref.row);
  case CAKE_ASM_ITER: return add_iter(maker, node);
  default: return false;
  }
}

static bool is_region(const CakeAsmNode *node) {
  return node->kind == CAKE_ASM_REGION_PLAIN || node->kind == CAKE_ASM_REGION_ARGS;
}

static bool add_nodes(Maker *maker, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; i = maker->format->nodes[i].end)
    if (!add_node(maker, i)) return false;
  return true;
}

// ---- Regions -------------------------------------------------------------------------------------------------------

static bool add_region(Maker *maker, const CakeAsmNode *node) {
  return add_unprinted(maker, CAKE_QUICK_REGION, node, node->ref.row);
}

// A word and a region behind it.
static bool add_word_and_region(Maker *maker, CakeQuickKind kind, uint32_t index, uint32_t end) {
  const CakeAsmNode *nodes = maker->format->nodes, *word = &nodes[index];
  bool is_so = index + 1 < end && word->token == CAKE_TOK_BARE && is_region(&nodes[index + 1]);
  if (!is_so || !add_text(maker, kind, word->text, true)) return false;
  CakeQuickStep *step = &maker->steps.steps[maker->steps.count - 1];
  step->node = kind == CAKE_QUICK_IF_WORD ? index - 1 : index;
  step->skip = 1;
  return add_region(maker, &nodes[index + 1]);
}

// What stands behind a region: words with regions, and a dictionary, which is not there.
static bool add_behind(Maker *maker, uint32_t begin) {
  const CakeAsmNode *nodes = maker->format->nodes;
  uint32_t n_nodes = maker->format->n_nodes;
  for (uint32_t i = begin; i < n_nodes; i = nodes[i].end) {
    bool is_dictionary = nodes[i].kind == CAKE_ASM_DICT || nodes[i].kind == CAKE_ASM_DICT_KEYWORD;
    if (is_dictionary && !maker->format->defaults) {
      if (!add_node(maker, i)) return false;
    } else if (nodes[i].kind == CAKE_ASM_GROUP && nodes[i + 1].kind == CAKE_ASM_LITERAL && nodes[i].end == i + 3) {
      if (!add_word_and_region(maker, CAKE_QUICK_IF_WORD, i + 1, nodes[i].end)) return false;
    } else {
      bool is_word = nodes[i].kind == CAKE_ASM_LITERAL;
      if (!is_word || !add_word_and_region(maker, CAKE_QUICK_LITERAL, i++, n_nodes)) return false;
    }
  }
  return true;
}

// The header, which a hook may read, the first region and what stands behind it.
static bool add_header_and_regions(Maker *maker) {
  const CakeAsmFormat *format = maker->format;
  uint32_t first = 0;
  while (first < format->n_nodes && !is_region(&format->nodes[first]))
    first = format->nodes[first].end;
  for (uint32_t i = 0; i < maker->def->n_regions; i++)
    if (maker->def->regions[i].arity != CAKE_SINGLE) return false;
  if (maker->def->parse ? first > 0 : !add_nodes(maker, 0, first)) return false;
  maker->n_header_steps = maker->steps.count;
  maker->form->is_printable = false;
  if (first < format->n_nodes) return add_region(maker, &format->nodes[first]) && add_behind(maker, first + 1);
  CakeQuickStep *step = maker->def->parse ? add(maker, CAKE_QUICK_REGION, 0) : NULL;
  if (step) step->may_be_left_out = maker->def->regions[0].may_be_empty;
  return step != NULL;
}

// ---- What reading and printing need of it --------------------------------------------------------------------------

// Whether what the step reads never begins with that character.
static bool begins_otherwise(const CakeQuickStep *step, char c) {
  switch (step->kind) {
  case CAKE_QUICK_LITERAL: return step->text[0] != c;
  case CAKE_QUICK_VALUE: return c != '%';
  case CAKE_QUICK_SYMBOL:
  case CAKE_QUICK_NAME: return c != '@';
  case CAKE_QUICK_FUNCTIONAL:
  case CAKE_QUICK_ARGS: return c != '(';
  case CAKE_QUICK_TYPES:
  case CAKE_QUICK_RESULT: return c != '!' && !is(c, LETTER);
  default: return false;
  }
}

// That something is not there need not be looked at when something else is.
static bool is_for_reading(const Maker *maker, uint32_t index) {
  const CakeQuickStep *steps = maker->steps.steps;
  if (steps[index].kind != CAKE_QUICK_UNLESS || index >= maker->n_header_steps) return true;
  uint32_t next = index + 1;
  while (next < maker->n_header_steps && steps[next].kind == CAKE_QUICK_UNLESS)
    next++;
  return next == maker->n_header_steps || !begins_otherwise(&steps[next], steps[index].absent);
}

static bool is_for_all(const Maker *maker, uint32_t index) {
  (void)maker;
  (void)index;
  return true;
}

static bool is_for_printing(const Maker *maker, uint32_t index) {
  const CakeQuickStep *step = &maker->steps.steps[index];
  return step->kind != CAKE_QUICK_UNLESS || step->anchor;
}

// The steps that are kept, and the literals that become part of the step in front of them.
typedef struct Choice {
  bool is_kept[CAKE_QUICK_STEPS];
  uint8_t literals[CAKE_QUICK_STEPS]; // by step: the number of the literal behind it, plus one; 0: none
} Choice;

// Whether something leads from in front of step `from` to a step behind it, up to number `to`.
static bool is_led_past(const Maker *maker, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < from; i++) {
    uint32_t skip = maker->steps.steps[i].skip, target = i + 1 + skip;
    if (skip && target > from && target <= to) return true;
  }
  return false;
}

static bool may_have_literal(const CakeQuickStep *step) {
  return step->kind != CAKE_QUICK_LITERAL && step->kind != CAKE_QUICK_IF_LIST && step->kind < CAKE_QUICK_IF_WORD;
}

static Choice choose(const Maker *maker, bool (*is_needed)(const Maker *maker, uint32_t index)) {
  Choice choice = {0};
  uint32_t last = CAKE_QUICK_STEPS; // that is kept; none yet
  for (uint32_t i = 0; i < maker->steps.count; i++) {
    if (!is_needed(maker, i)) continue;
    const CakeQuickStep *steps = maker->steps.steps;
    bool is_joined = steps[i].kind == CAKE_QUICK_LITERAL && last < i && may_have_literal(&steps[last]) &&
                     !choice.literals[last] && !is_led_past(maker, last, i);
    choice.is_kept[i] = !is_joined;
    if (is_joined)
      choice.literals[last] = (uint8_t)(i + 1);
    else
      last = i;
  }
  return choice;
}

static uint32_t count_kept(const Choice *choice, uint32_t begin, uint32_t end) {
  uint32_t count = 0;
  for (uint32_t i = begin; i < end; i++)
    count += choice->is_kept[i];
  return count;
}

static void join_literal(CakeQuickStep *step, const CakeQuickStep *literal) {
  step->len = literal->len;
  step->is_word = literal->is_word;
  memcpy(step->text, literal->text, sizeof step->text);
  step->n_printed = literal->n_printed;
  memcpy(step->printed, literal->printed, sizeof step->printed);
}

static CakeQuickSteps keep_steps(CakeContext *context, const Maker *maker, const Choice *choice) {
  CakeQuickSteps kept = {0};
  kept.steps = CAKE_ARENA_ARRAY(context->arena, CakeQuickStep, count_kept(choice, 0, maker->steps.count));
  for (uint32_t i = 0; i < maker->steps.count; i++) {
    if (!choice->is_kept[i]) continue;
    CakeQuickStep *step = &kept.steps[kept.count++];
    *step = maker->steps.steps[i];
    if (step->skip) step->skip = (uint8_t)count_kept(choice, i + 1, i + 1 + step->skip);
    if (choice->literals[i]) join_literal(step, &maker->steps.steps[choice->literals[i] - 1]);
  }
  return kept;
}

static void keep_lists(CakeContext *context, const Maker *maker) {
  CakeQuickForm *form = maker->form;
  const struct {
    bool (*is_needed)(const Maker *maker, uint32_t index);
    CakeQuickSteps *steps;
    uint32_t *n_header_steps;
  } lists[] = {
      {is_for_reading,  &form->read,    &form->n_header_steps     },
      {is_for_all,      &form->full,    &form->n_full_header_steps},
      {is_for_printing, &form->printed, NULL                      },
  };
  for (size_t i = 0; i < CAKE_COUNT(lists); i++) {
    Choice choice = choose(maker, lists[i].is_needed);
    *lists[i].steps = keep_steps(context, maker, &choice);
    if (lists[i].n_header_steps) *lists[i].n_header_steps = count_kept(&choice, 0, maker->n_header_steps);
  }
}

CakeQuickForm *cake_quick_form(CakeContext *context, const CakeOpDef *def, const CakeAsmFormat *format) {
  CakeQuickForm form = {.is_printable = !def->print};
  Maker maker = {.def = def, .format = format, .form = &form, .last = 1U << CAKE_LAST_NAME};
  maker.steps.steps = maker.all;
  bool is_small = def->n_operands <= CAKE_QUICK_ROWS && def->n_results <= CAKE_QUICK_ROWS &&
                  cake_op_def_props(def) <= CAKE_QUICK_ROWS;
  bool has_form = def->parse ? def->quick && def->n_regions : format->nodes != NULL;
  if (format->error || !has_form || !is_small) return NULL;
  if (def->n_regions ? !add_header_and_regions(&maker) : !add_nodes(&maker, 0, format->n_nodes)) return NULL;
  if (!def->n_regions) maker.n_header_steps = maker.steps.count;
  keep_lists(context, &maker);
  form.dictionary_rows = ((UINT64_C(1) << def->n_attrs) - 1) & ~format->printed_rows;
  for (uint32_t i = 0; i < def->n_attrs && format->defaults; i++)
    form.props[i] = format->defaults[i];
  form.has_one_type = def->traits & CAKE_TRAIT_SAME_TYPE && !(def->traits & CAKE_TRAIT_SEGMENTS) &&
                      def->n_results == 1 && def->results[0].arity == CAKE_SINGLE;
  CakeQuickForm *kept = CAKE_ARENA_NEW(context->arena, CakeQuickForm);
  *kept = form;
  return kept;
}
