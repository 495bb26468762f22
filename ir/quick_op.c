// One op, read quickly (quick.h): results' name, the op's name, its parts, and the op itself.
#include "names.h"
#include "quick.h"

// ---- The op's name -------------------------------------------------------------------------------------------------

// A place for two entries in a table of `1 << bits`, from the bytes of a piece of text of two words at most, or its ends.
static size_t place_of(CakeParser *parser, CakeStr text, unsigned bits) {
  size_t len = text.len < sizeof(uint64_t) ? text.len : sizeof(uint64_t);
  uint64_t first = cake_parser_word(parser, text.ptr, len);
  uint64_t last = cake_parser_word(parser, text.ptr + text.len - len, len);
  uint64_t mixed = (first + last * 31 + text.len) * 0x9e3779b97f4a7c15u;
  return (size_t)((mixed ^ mixed >> 32) * 0x9e3779b97f4a7c15u >> (65 - bits)) * 2;
}

static bool is_word(const CakeOpWord *entry, CakeStr word, const char *dialect) {
  return entry->info && entry->dialect == dialect && cake_str_equal(entry->word, word);
}

CakeOpInfo *cake_parser_known_op(CakeParser *parser, CakeStr word, const char *dialect) {
  size_t at = place_of(parser, word, CAKE_OP_WORD_BITS);
  if (is_word(&parser->op_words[at], word, dialect)) return parser->op_words[at].info;
  return is_word(&parser->op_words[at + 1], word, dialect) ? parser->op_words[at + 1].info : NULL;
}

void cake_parser_remember_op(CakeParser *parser, CakeStr word, const char *dialect, CakeOpInfo *info) {
  CakeStr full = cake_id_str(info->name);
  CakeStr kept = {full.ptr + full.len - word.len, word.len}; // with or without the dialect in front
  CakeOpWord *entry = &parser->op_words[place_of(parser, word, CAKE_OP_WORD_BITS)];
  entry[1] = entry[0];
  *entry = (CakeOpWord){kept, dialect, info};
}

// ---- The generic form ----------------------------------------------------------------------------------------------

// The end of a dictionary of words and numbers that begins at `p`; NULL: something else stands in it.
static const char *plain_dictionary(const char *p, const char *end) {
  enum { MOST = sizeof(((CakeQuickAttrs *)0)->text) };
  if (end - p > MOST) end = p + MOST;
  for (p++; p < end && *p != '}'; p++)
    if (!is(*p, BARE) && *p != ' ' && *p != '=' && *p != ',' && *p != ':' && *p != '-') return NULL;
  return p < end ? p + 1 : NULL;
}

void cake_quick_remember_attrs(CakeParser *parser, const char *begin, CakeAttr attrs) {
  const char *end = plain_dictionary(begin, parser->last_end);
  if (!end || end != parser->last_end || end - begin < (ptrdiff_t)sizeof(uint64_t)) return;
  CakeStr text = {begin, (size_t)(end - begin)};
  CakeQuickAttrs *entry = &parser->quick_attrs[place_of(parser, text, CAKE_QUICK_ATTR_BITS)];
  entry[1] = entry[0];
  entry->len = (uint8_t)text.len;
  entry->attrs = attrs;
  memcpy(entry->text, text.ptr, text.len);
}

static bool is_text(const CakeQuickAttrs *entry, CakeStr text) {
  return entry->len == text.len && memcmp(entry->text, text.ptr, text.len) == 0;
}

// A dictionary that was read before.
static bool read_attrs(CakeQuick *quick) {
  const char *begin = cake_quick_start(quick);
  const char *end = plain_dictionary(begin, quick->parser->lexer.end);
  if (!end || end - begin < (ptrdiff_t)sizeof(uint64_t)) return false;
  CakeStr text = {begin, (size_t)(end - begin)};
  size_t at = place_of(quick->parser, text, CAKE_QUICK_ATTR_BITS);
  const CakeQuickAttrs *entry = &quick->parser->quick_attrs[at];
  if (!is_text(entry, text) && !is_text(++entry, text)) return false;
  quick->attrs = entry->attrs;
  quick->p = end;
  return true;
}

static void set_defaults(CakeQuick *quick) {
  const CakeOpDef *def = quick->info->def;
  const CakeAttr *defaults = quick->format->defaults;
  for (uint32_t i = 0; i < quick->info->n_props; i++)
    quick->props[i] = defaults && i < def->n_attrs ? defaults[i] : NULL;
}

static bool read_generic(CakeQuick *quick) {
  if (quick->info->n_props > CAKE_QUICK_ROWS || !cake_quick_char(quick, '(')) return false;
  if (!cake_quick_char(quick, ')') && (!cake_quick_list(quick, 0) || !cake_quick_char(quick, ')'))) return false;
  if (*cake_quick_start(quick) == '{' && (quick->info->def || !read_attrs(quick))) return false;
  if (!cake_quick_char(quick, ':') || !cake_quick_functional(quick)) return false;
  for (uint32_t i = 0; i < quick->n_values; i++)
    if (quick->given[i] != quick->values[i]->type) return false;
  if (quick->info->def)
    set_defaults(quick);
  else
    quick->props[0] = NULL;
  return true;
}

// ---- The whole op --------------------------------------------------------------------------------------------------

static bool read_quoted_name(CakeQuick *quick) {
  const char *begin = quick->p + 1, *p = begin;
  while (is(*p, BARE))
    p++;
  quick->p = p + 1;
  quick->info =
      *p == '"' && p > begin ? cake_parser_known_op(quick->parser, (CakeStr){begin, (size_t)(p - begin)}, NULL) : NULL;
  return quick->info != NULL;
}

static bool read_name(CakeQuick *quick) {
  CakeParser *parser = quick->parser;
  const char *begin = quick->p, *p = begin;
  bool has_dot = false;
  for (; is(*p, BARE); p++)
    has_dot |= *p == '.';
  if (p == begin || (!has_dot && !parser->default_dialect)) return false;
  quick->p = p;
  quick->info =
      cake_parser_known_op(parser, (CakeStr){begin, (size_t)(p - begin)}, has_dot ? NULL : parser->default_dialect);
  if (!quick->info || !quick->info->def) return false;
  quick->format = cake_asm_format(parser->context, quick->info);
  quick->form = quick->format->quick;
  return quick->form != NULL;
}

static CakeQuickResult read_parts(CakeQuick *quick) {
  if (*quick->p != '"')
    return read_name(quick) && cake_quick_form_parts(quick) ? cake_quick_settle(quick) : CAKE_QUICK_NOT;
  if (!read_quoted_name(quick)) return CAKE_QUICK_NOT;
  if (quick->info->def) quick->format = cake_asm_format(quick->parser->context, quick->info);
  return read_generic(quick) ? CAKE_QUICK_DONE : CAKE_QUICK_NOT;
}

// Whether the token can stand behind an op that has ended.
static bool can_follow(CakeToken token) {
  switch (token) {
  case CAKE_TOK_PERCENT:
  case CAKE_TOK_BARE:
  case CAKE_TOK_STRING:
  case CAKE_TOK_CARET:
  case CAKE_TOK_RBRACE:
  case CAKE_TOK_EOF: return true;
  default: return false;
  }
}

static CakeOp *make(const CakeQuick *quick) {
  CakeOpState state = {.loc = quick->loc,
                       .info = quick->info,
                       .operands = quick->values,
                       .n_operands = quick->n_values,
                       .result_types = quick->types,
                       .n_results = quick->n_types,
                       .props = quick->props,
                       .attrs = quick->attrs,
                       .successors = quick->blocks,
                       .n_successors = quick->n_blocks};
  CakeOp *op = cake_op_create(quick->parser->context, &state);
  cake_block_append(quick->parser->block, op);
  return op;
}

static bool define(CakeParser *parser, const CakeNameKey *name, CakeLoc loc, CakeOp *op) {
  CakeStr text = {name->ptr, name->len};
  if (!cake_name_is_number(text)) cake_value_set_name(op->results, text);
  return cake_parser_define_key(parser, name, loc, op->results, op->n_results);
}

CakeQuickResult cake_quick_op(CakeParser *parser) {
  const CakeLexeme token = parser->token;
  CakeQuick quick;
  CakeNameKey name = {.len = 0};
  quick.parser = parser;
  quick.p = token.ptr;
  quick.format = NULL;
  quick.form = NULL;
  quick.attrs = NULL;
  quick.n_values = quick.n_types = quick.n_blocks = quick.n_weighed = 0;
  quick.is_functional = false;
  if (token.kind == CAKE_TOK_PERCENT) {
    quick.p++;
    if (!cake_quick_key(&quick, &name) || !cake_quick_char(&quick, '=')) return CAKE_QUICK_NOT;
    quick.p = cake_quick_start(&quick);
  }
  quick.loc = cake_parser_place(parser, token.line, token.line_start, quick.p);
  CakeQuickResult result = read_parts(&quick);
  parser->failed |= result == CAKE_QUICK_FAILED;
  if (result != CAKE_QUICK_DONE) return result;
  if (name.len && quick.n_types != 1) return CAKE_QUICK_NOT;
  CakeLexeme next;
  cake_lex(&parser->lexer, quick.p, token.line, token.line_start, &next);
  if (!can_follow(next.kind)) return CAKE_QUICK_NOT;
  parser->last_end = quick.p;
  parser->last_line = token.line;
  parser->last_line_start = token.line_start;
  parser->token = next;
  parser->weight += quick.n_weighed;
  CakeOp *op = make(&quick);
  CakeLoc name_loc = cake_parser_place(parser, token.line, token.line_start, token.ptr);
  bool ok = cake_parser_optional_loc(parser, &op->loc) && (!name.len || define(parser, &name, name_loc, op));
  return ok ? CAKE_QUICK_DONE : CAKE_QUICK_FAILED;
}
