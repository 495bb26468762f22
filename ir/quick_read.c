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
  enum { LONGEST = 80 };
  const char *p = begin;
  unsigned depth = 0;
  while (is(*++p, SUFFIX)) {
  }
  if (*p != '<') return *begin == '!' ? p : NULL;
  for (; p - begin < LONGEST; p++) {
    if (*p == '<')
      depth++;
    else if (*p == '>' && --depth == 0)
      return p + 1;
    else if (*p != '>' && !is(*p, BARE) && !memchr(" ,?*[]:", *p, 7))
      return NULL;
  }
  return NULL;
}

static CakeSpelledType *spelled_type(CakeParser *parser, const CakeWordKey *key) {
  return &parser->spelled_types[cake_word_place(key) % CAKE_SPELLED_TYPES];
}

void cake_parser_remember_type(CakeParser *parser, const char *begin, CakeType type, uint64_t weight) {
  enum { MOST = 64 }; // weight is added up without a look at its limit
  const char *end = parser->last_end;
  if ((*begin != '!' && end[-1] != '>') || weight > MOST || spelling_end(begin) != end) return;
  CakeWordKey key = cake_word_key(parser, (CakeStr){begin, (size_t)(end - begin)});
  *spelled_type(parser, &key) = (CakeSpelledType){key, type, (uint32_t)weight};
}

static bool read_spelled(CakeQuick *quick, const char *begin, CakeType *out) {
  const char *end = spelling_end(begin);
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

bool cake_quick_symbol_name(CakeQuick *quick, uint32_t row) {
  CakeStr name;
  if (!cake_quick_char(quick, '@') || !read_word(quick, &name)) return false;
  quick->props[row] = cake_attr_string(quick->parser->context, name);
  return true;
}

static bool read_symbol(CakeQuick *quick, uint32_t row) {
  CakeStr name;
  CakeParser *parser = quick->parser;
  if (!cake_quick_char(quick, '@') || !read_word(quick, &name) || cake_quick_peek(quick) == ':') return false;
  uint64_t word = cake_quick_word(quick, name.ptr, name.len);
  if (!word || word != parser->symbol_word) {
    parser->symbol_word = word;
    parser->symbol = cake_attr_symbol_ref(parser->context, cake_id(parser->context, name), NULL, 0);
  }
  quick->props[row] = parser->symbol;
  return true;
}

static bool read_keyword(CakeQuick *quick, uint32_t row) {
  CakeStr word;
  quick->p = cake_quick_start(quick);
  if (!read_word(quick, &word)) return false;
  quick->props[row] = cake_attr_string(quick->parser->context, word);
  return true;
}

static bool read_number(CakeQuick *quick, uint32_t row) {
  enum { SAFE_DIGITS = 18 };
  CakeType type = quick->form->number_types[row];
  bool is_negative = cake_quick_char(quick, '-');
  const char *begin = is_negative ? quick->p : cake_quick_start(quick), *p = begin;
  uint64_t value = 0, bits;
  for (; is(*p, DIGIT); p++)
    value = value * 10 + (uint64_t)(*p - '0');
  if (p == begin || p - begin > SAFE_DIGITS || is(*p, BARE)) return false;
  quick->p = p;
  if (!type && (!cake_quick_char(quick, ':') || !cake_quick_type(quick, &type))) return false;
  if (!cake_parser_plain_bits(type, is_negative, value, &bits)) return false;
  CakeAttr attr = cake_attr_integer(type, (int64_t)bits);
  const CakeAttrConstraint *constraint = quick->info->def->attrs[row].constraint;
  if (constraint && !cake_attr_satisfies(constraint, attr)) return false;
  quick->props[row] = attr;
  quick->n_weighed++;
  return true;
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

// ---- By a form -----------------------------------------------------------------------------------------------------

// What the step says but for its literal; *at is its number.
static inline bool read_step(CakeQuick *quick, const CakeQuickStep *step, uint32_t *at) {
  switch (step->kind) {
  case CAKE_QUICK_LITERAL: return true;
  case CAKE_QUICK_UNLESS: return cake_quick_peek(quick) != step->absent;
  case CAKE_QUICK_VALUE: return cake_quick_operand(quick, step->row);
  case CAKE_QUICK_LIST: return cake_quick_peek(quick) != '%' || cake_quick_list(quick, step->row);
  case CAKE_QUICK_IF_LIST: *at += cake_quick_peek(quick) == '%' ? 0 : step->skip; return true;
  case CAKE_QUICK_TYPES: return read_types(quick, step->row, 0);
  case CAKE_QUICK_RESULT: return cake_quick_type(quick, &quick->types[step->row]);
  case CAKE_QUICK_FUNCTIONAL: return cake_quick_functional(quick);
  case CAKE_QUICK_SYMBOL: return read_symbol(quick, step->row);
  case CAKE_QUICK_NUMBER: return read_number(quick, step->row);
  case CAKE_QUICK_KEYWORD: return read_keyword(quick, step->row);
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

bool cake_quick_form_parts(CakeQuick *quick) {
  const CakeQuickForm *form = quick->form;
  memset(quick->types, 0, CAKE_QUICK_ROWS * sizeof *quick->types); // by row; a fixed size is a few stores
  memcpy(quick->props, form->props, sizeof quick->props);
  if (quick->info->def->quick && !quick->info->def->quick(quick)) return false;
  for (uint32_t i = 0; i < form->n_header_steps; i++) {
    const CakeQuickStep *step = &form->read.steps[i];
    if (!read_step(quick, step, &i) || (step->len && !cake_quick_text(quick, step))) return false;
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
