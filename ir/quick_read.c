// Reads ops by their quick forms (quick.h), from the characters of the text.
//
// No character is compared with the end of the text: an op is read in this way only in front of the last line end (parser->quick_end),
// at which everything here stops, and behind which a word may still be loaded.
#include "quick.h"

// ---- Parts of an op ------------------------------------------------------------------------------------------------

// `#1` behind the name of several results.
static bool read_result_number(CakeQuick *quick, const CakeNameEntry *entry, uint32_t *out) {
  quick->p++;
  return cake_quick_count(quick, out) && *out < entry->count;
}

bool cake_quick_operand(CakeQuick *quick, uint32_t group) {
  CakeNameKey key;
  if (!cake_quick_char(quick, '%') || !cake_quick_key(quick, &key) || quick->n_values == CAKE_QUICK_VALUES)
    return false;
  const CakeNameEntry *entry = cake_parser_find_name(quick->parser, &key, 0);
  uint32_t number = 0;
  if (!entry || (*quick->p == '#' && !read_result_number(quick, entry, &number))) return false;
  quick->groups[quick->n_values] = (uint8_t)group;
  quick->given[quick->n_values] = NULL;
  quick->values[quick->n_values++] = entry->first + number;
  return true;
}

bool cake_quick_list(CakeQuick *quick, uint32_t group) {
  do
    if (!cake_quick_operand(quick, group)) return false;
  while (*quick->p == ',' && quick->p++);
  return true;
}

// The end of a type's spelling that is `word<…>`, `!word` or `!word<…>`, short and plain; NULL: it is none.
static const char *spelling_end(const char *begin) {
  const char *p = begin;
  while (is(*++p, SUFFIX)) {
  }
  return *p == '<' ? cake_quick_brackets(p) : *begin == '!' ? p : NULL;
}

static CakeSpelledType *spelled_type(CakeParser *parser, const CakeWordKey *key) {
  return &parser->spelled_types[cake_word_place(key) % CAKE_SPELLED_TYPES];
}

void cake_parser_remember_type(CakeParser *parser, const char *begin, CakeType type, uint64_t weight) {
  const char *end = parser->last_end;
  if ((*begin != '!' && end[-1] != '>') || weight > CAKE_SPELLED_WEIGHT || spelling_end(begin) != end) return;
  if (!parser->spelled_types) {
    if (++parser->n_spelled <= CAKE_FEW) return;
    parser->spelled_types = CAKE_ARENA_ARRAY(parser->scratch, CakeSpelledType, CAKE_SPELLED_TYPES);
  }
  CakeWordKey key = cake_word_key(parser, (CakeStr){begin, (size_t)(end - begin)});
  *spelled_type(parser, &key) = (CakeSpelledType){key, type, (uint32_t)weight};
}

static bool read_spelled(CakeQuick *quick, const char *begin, CakeType *out) {
  const char *end = quick->parser->spelled_types ? spelling_end(begin) : NULL;
  if (!end) return false;
  CakeWordKey key = cake_quick_word_key(quick, (CakeStr){begin, (size_t)(end - begin)});
  const CakeSpelledType *known = spelled_type(quick->parser, &key);
  if (!known->type || !cake_word_is(&known->key, &key)) return false;
  quick->p = end;
  quick->n_weighed += known->weight;
  *out = known->type;
  return true;
}

bool cake_quick_type(CakeQuick *quick, CakeType *out) {
  const char *begin = cake_quick_start(quick), *p = begin;
  if (*p == '!') return read_spelled(quick, begin, out);
  if (!is(*p, LETTER)) return false;
  while (is(*++p, BARE)) {
  }
  if (*p == '<') return read_spelled(quick, begin, out);
  uint64_t word = cake_quick_word(quick, begin, (size_t)(p - begin));
  const CakeTypeWord *known = cake_parser_type_word(quick->parser, word);
  if (!word || known->word != word || !known->type) return false;
  quick->p = p;
  quick->n_weighed++;
  *out = known->type;
  return true;
}

// The types of the values from number `at` on that are of the group.
static bool read_types(CakeQuick *quick, uint32_t group, uint32_t at) {
  bool is_first = true;
  for (uint32_t i = at; i < quick->n_values; i++) {
    if (quick->groups[i] != group) continue;
    if (!is_first && (*quick->p != ',' || !quick->p++)) return false;
    if (!cake_quick_type(quick, &quick->given[i])) return false;
    is_first = false;
  }
  return !is_first;
}

static bool read_result_types(CakeQuick *quick) {
  if (!cake_quick_char(quick, '(')) return cake_quick_type(quick, &quick->types[quick->n_types++]);
  if (cake_quick_char(quick, ')')) return true;
  do
    if (quick->n_types == CAKE_QUICK_VALUES || !cake_quick_type(quick, &quick->types[quick->n_types++])) return false;
  while (*quick->p == ',' && quick->p++);
  return cake_quick_char(quick, ')');
}

// `(types) -> types`: of the operands in their order, and of the results.
bool cake_quick_functional(CakeQuick *quick) {
  if (!cake_quick_char(quick, '(')) return false;
  for (uint32_t i = 0; i < quick->n_values; i++) {
    if (i && (*quick->p != ',' || !quick->p++)) return false;
    if (!cake_quick_type(quick, &quick->given[i])) return false;
  }
  if (!cake_quick_char(quick, ')') || !cake_quick_char(quick, '-') || *quick->p++ != '>') return false;
  quick->is_functional = true;
  quick->n_types = 0;
  return read_result_types(quick);
}

static bool read_word(CakeQuick *quick, CakeStr *out) {
  const char *p = quick->p;
  if (!is(*p, LETTER)) return false;
  while (is(*++p, BARE)) {
  }
  *out = (CakeStr){quick->p, (size_t)(p - quick->p)};
  quick->p = p;
  return true;
}

bool cake_quick_bare(CakeQuick *quick, CakeStr *out) {
  quick->p = cake_quick_start(quick);
  return read_word(quick, out);
}

bool cake_quick_symbol_name(CakeQuick *quick, uint32_t row) {
  CakeStr name;
  if (!cake_quick_char(quick, '@') || !read_word(quick, &name)) return false;
  quick->props[row] = cake_attr_string(quick->parser->context, name);
  return true;
}

bool cake_quick_symbol(CakeQuick *quick, CakeAttr *out) {
  CakeStr name;
  CakeParser *parser = quick->parser;
  if (!cake_quick_char(quick, '@') || !read_word(quick, &name) || cake_quick_peek(quick) == ':') return false;
  uint64_t word = cake_quick_word(quick, name.ptr, name.len);
  if (!word || word != parser->symbol_word) {
    parser->symbol_word = word;
    parser->symbol = cake_attr_symbol_ref(parser->context, cake_id(parser->context, name), NULL, 0);
  }
  *out = parser->symbol;
  return true;
}

static bool read_keyword(CakeQuick *quick, uint32_t row) {
  CakeStr word;
  if (!cake_quick_bare(quick, &word)) return false;
  quick->props[row] = cake_attr_string(quick->parser->context, word);
  return true;
}

static bool read_attr(CakeQuick *quick, uint32_t row) {
  const CakeAttrConstraint *constraint = quick->info->def->attrs[row].constraint;
  CakeAttr *attr = &quick->props[row];
  return cake_quick_attr(quick, quick->form->number_types[row], attr) &&
         (!constraint || cake_attr_satisfies(constraint, *attr));
}

// A label may be made here although the op is not: then the parser meets it at the same place.
static bool read_target(CakeQuick *quick, uint32_t group) {
  CakeNameKey key;
  CakeParser *parser = quick->parser;
  if (!cake_quick_char(quick, '^') || quick->n_blocks == CAKE_QUICK_BLOCKS) return false;
  CakeLoc loc = cake_parser_place(parser, parser->token.line, parser->token.line_start, quick->p - 1);
  if (!cake_quick_key(quick, &key)) return false;
  quick->blocks[quick->n_blocks++] = cake_parser_label(parser, &key, loc);
  if (*quick->p != '(') return cake_quick_peek(quick) != '(';
  quick->p++;
  uint32_t first = quick->n_values;
  return cake_quick_list(quick, group) && cake_quick_char(quick, ':') && read_types(quick, group, first) &&
         cake_quick_char(quick, ')');
}

// `(%a, %b)`: arguments of type index.
static bool read_args(CakeQuick *quick, uint32_t region) {
  if (!cake_quick_char(quick, '(')) return false;
  if (cake_quick_char(quick, ')')) return true;
  do {
    if (!cake_quick_argument(quick, region)) return false;
    cake_quick_set_argument_type(quick, quick->arguments.count - 1, cake_type_index(quick->parser->context));
  } while (*quick->p == ',' && quick->p++);
  return cake_quick_char(quick, ')');
}

// `iter(%x = %init, …)`, if it is there: the arguments have the types of the values.
static bool read_iter(CakeQuick *quick, const CakeQuickStep *step) {
  const CakeAsmNode *node = &quick->format->nodes[step->node];
  uint32_t arg = quick->arguments.count, value = quick->n_values;
  if (!cake_quick_literal(quick, "iter")) return true;
  if (!cake_quick_char(quick, '(') || !cake_quick_assignments(quick, node->second.row, node->ref.row)) return false;
  for (; arg < quick->arguments.count; arg++)
    cake_quick_set_argument_type(quick, arg, quick->values[value++]->type);
  return true;
}

static bool read_custom(CakeQuick *quick, const CakeAsmNode *node) {
  return node->directive->quick(quick, node->refs, node->n_refs);
}

// `word` and what its directive reads.
static bool read_group(CakeQuick *quick, const CakeAsmNode *literal) {
  CakeStr word;
  return cake_quick_bare(quick, &word) && cake_str_equal(word, literal->text) && read_custom(quick, literal + 1);
}

// A dictionary, or a group that can be read.
static bool read_unlikely(CakeQuick *quick, const CakeQuickStep *step) {
  const CakeAsmNode *node = &quick->format->nodes[step->node];
  if (node->kind == CAKE_ASM_GROUP) return step->is_readable && read_group(quick, node + 1);
  if (node->kind == CAKE_ASM_DICT_KEYWORD && !cake_quick_literal(quick, "attributes")) return false;
  return node->kind != CAKE_ASM_RESULTS && cake_quick_dictionary(quick, quick->form->dictionary_rows);
}

// ---- By a form -----------------------------------------------------------------------------------------------------

// What the step says but for its literal; *at is its number.
static inline bool read_step(CakeQuick *quick, const CakeQuickStep *step, uint32_t *at) {
  switch (step->kind) {
  case CAKE_QUICK_LITERAL: return true;
  case CAKE_QUICK_UNLESS: return cake_quick_peek(quick) != step->absent || read_unlikely(quick, step);
  case CAKE_QUICK_VALUE: return cake_quick_operand(quick, step->row);
  case CAKE_QUICK_LIST: return cake_quick_peek(quick) != '%' || cake_quick_list(quick, step->row);
  case CAKE_QUICK_IF_LIST: *at += cake_quick_peek(quick) == '%' ? 0 : step->skip; return true;
  case CAKE_QUICK_TYPES: return read_types(quick, step->row, 0);
  case CAKE_QUICK_RESULT: return cake_quick_type(quick, &quick->types[step->row]);
  case CAKE_QUICK_FUNCTIONAL: return cake_quick_functional(quick);
  case CAKE_QUICK_SYMBOL: return cake_quick_symbol(quick, &quick->props[step->row]);
  case CAKE_QUICK_ATTR: return read_attr(quick, step->row);
  case CAKE_QUICK_KEYWORD: return read_keyword(quick, step->row);
  case CAKE_QUICK_CUSTOM: return read_custom(quick, &quick->format->nodes[step->node]);
  case CAKE_QUICK_TARGET: return read_target(quick, step->row);
  case CAKE_QUICK_NAME: return cake_quick_symbol_name(quick, step->row);
  case CAKE_QUICK_ARGS: return read_args(quick, step->row);
  case CAKE_QUICK_ITER: return read_iter(quick, step);
  case CAKE_QUICK_IF_WORD:
  case CAKE_QUICK_REGION: return false; // behind the header
  }
  return false;
}

// The brace that opens a region; `{-#` opens metadata.
static bool read_brace(CakeQuick *quick) {
  const char *p = cake_quick_start(quick);
  if (*p != '{' || p[1] == '-') return false;
  quick->p = p + 1;
  return true;
}

// The brace that opens the first region; without it the op is a declaration.
static bool read_body_start(CakeQuick *quick, const CakeQuickStep *region) {
  quick->has_body = read_brace(quick);
  return quick->has_body ? quick->parser->region_depth < CAKE_MAX_REGION_DEPTH : region->may_be_left_out;
}

static bool read_steps(CakeQuick *quick, const CakeQuickSteps *steps, uint32_t count) {
  memcpy(quick->props, quick->form->props, sizeof quick->props);
  if (quick->info->def->quick && !quick->info->def->quick(quick)) return false;
  for (uint32_t i = 0; i < count; i++) {
    const CakeQuickStep *step = &steps->steps[i];
    if (!read_step(quick, step, &i) || (step->len && !cake_quick_text(quick, step))) return false;
  }
  return true;
}

// Once more from `p` on.
static void begin_again(CakeQuick *quick, const char *p) {
  quick->p = p;
  quick->n_values = quick->n_types = quick->n_blocks = quick->n_weighed = quick->depth = 0;
  quick->arguments.count = 0;
  quick->is_functional = false;
  memset(quick->types, 0, CAKE_QUICK_ROWS * sizeof *quick->types);
}

bool cake_quick_form_parts(CakeQuick *quick) {
  const CakeQuickForm *form = quick->form;
  const CakeQuickSteps *steps = &form->read;
  uint32_t count = form->n_header_steps;
  const char *p = quick->p;
  memset(quick->types, 0, CAKE_QUICK_ROWS * sizeof *quick->types); // by row; a fixed size is a few stores
  while (!read_steps(quick, steps, count)) {
    if (count == form->n_full_header_steps) return false;
    begin_again(quick, p); // with what is most likely not there
    steps = &form->full;
    count = form->n_full_header_steps;
  }
  return form->n_header_steps == form->read.count || read_body_start(quick, &form->read.steps[form->n_header_steps]);
}

bool cake_quick_behind_region(CakeParser *parser, const CakeQuickForm *form, uint32_t *at) {
  CakeQuick quick;
  CakeLexeme next;
  if (!cake_parser_may_be_quick(parser)) return false;
  quick.parser = parser;
  quick.p = parser->token.ptr + 1;
  quick.n_weighed = 0;
  cake_quick_find_next(&quick, &next);
  char c = next.kind == CAKE_TOK_EOF ? '\0' : *next.ptr;
  for (; *at < form->read.count; ++*at) {
    const CakeQuickStep *step = &form->read.steps[*at];
    bool is_begun = c == (step->kind == CAKE_QUICK_UNLESS ? step->absent : step->text[0]);
    if (is_begun || step->kind == CAKE_QUICK_LITERAL) {
      if (step->kind == CAKE_QUICK_UNLESS || !cake_quick_text(&quick, step) || !read_brace(&quick)) return false;
      cake_quick_step(&quick);
      ++*at;
      return true;
    }
    if (step->kind == CAKE_QUICK_IF_WORD) *at += step->skip;
  }
  cake_quick_go_on(&quick, &next);
  return true;
}
