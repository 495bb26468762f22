// One op, read quickly (quick.h): results' name, the op's name, its parts, and the op itself.
#include "quick.h"

// ---- The op's name -------------------------------------------------------------------------------------------------

void *cake_quick_room(CakeParser *parser, void *table, CakeWordCount *count, uint32_t most, size_t size) {
  enum { FEW = 32 };
  if (2 * count->len++ < count->capacity) return table;
  count->len = 1;
  if (count->capacity == most) return memset(table, 0, most * size);
  count->capacity = count->capacity ? most : FEW;
  return cake_arena_alloc(parser->scratch, count->capacity * size);
}

CakeWordKey cake_word_key(const CakeParser *parser, CakeStr text) {
  size_t len = text.len < sizeof(uint64_t) ? text.len : sizeof(uint64_t);
  return (CakeWordKey){text.ptr, text.len, cake_parser_word(parser, text.ptr, len),
                       cake_parser_word(parser, text.ptr + text.len - len, len)};
}

static inline bool is_op(const CakeOpWord *entry, const CakeWordKey *key, const char *dialect) {
  return cake_word_is(&entry->key, key) && (!entry->dialect || entry->dialect == dialect);
}

// The entry of the word, or the free one where it would go.
static CakeOpWord *find_op(CakeParser *parser, const CakeWordKey *key, const char *dialect) {
  CakeOpWord *entry;
  size_t at = cake_word_place(key);
  do
    entry = &parser->op_words[at++ & (parser->op_count.capacity - 1)];
  while (entry->info && !is_op(entry, key, dialect));
  return entry;
}

CakeOpInfo *cake_parser_known_op(CakeParser *parser, CakeStr word, const char *dialect) {
  CakeWordKey key = cake_word_key(parser, word);
  return parser->op_words ? find_op(parser, &key, dialect)->info : NULL;
}

void cake_parser_remember_op(CakeParser *parser, CakeStr word, const char *dialect, CakeOpInfo *info) {
  CakeWordKey key = cake_word_key(parser, word);
  CakeStr full = cake_id_str(info->name);
  parser->op_words =
      cake_quick_room(parser, parser->op_words, &parser->op_count, CAKE_OP_WORDS, sizeof *parser->op_words);
  CakeOpWord *entry = find_op(parser, &key, dialect);
  key.ptr = full.ptr + full.len - word.len; // which stays; with or without the dialect in front
  *entry = (CakeOpWord){key, dialect, info};
}

// What cake_parser_known_op says; most words stand where they are looked for first.
static inline CakeOpInfo *known_op(const CakeQuick *quick, const char *begin, const char *end, const char *dialect) {
  CakeParser *parser = quick->parser;
  CakeWordKey key = cake_quick_word_key(quick, (CakeStr){begin, (size_t)(end - begin)});
  if (!parser->op_words) return NULL;
  const CakeOpWord *entry = &parser->op_words[cake_word_place(&key) & (parser->op_count.capacity - 1)];
  if (!entry->info || !is_op(entry, &key, dialect)) entry = find_op(parser, &key, dialect);
  return entry->info;
}

// ---- The whole op --------------------------------------------------------------------------------------------------

static bool read_quoted_name(CakeQuick *quick) {
  const char *begin = quick->p + 1, *end = cake_quick_find(begin, '"', ' ' + 1);
  if (*end != '"' || end == begin) return false;
  quick->p = end + 1;
  quick->info = known_op(quick, begin, end, NULL);
  return quick->info != NULL;
}

static bool read_name(CakeQuick *quick) {
  CakeParser *parser = quick->parser;
  const char *begin = quick->p, *end = cake_quick_find(begin, ' ', ' ' + 1);
  if (end == begin) return false;
  quick->p = end;
  quick->info = known_op(quick, begin, end, parser->default_dialect);
  if (!quick->info || !quick->info->def) return false;
  quick->format = cake_asm_met_format(parser->context, quick->info);
  quick->form = quick->format->quick;
  return quick->form != NULL;
}

static CakeQuickResult read_parts(CakeQuick *quick) {
  if (*quick->p != '"')
    return read_name(quick) && cake_quick_form_parts(quick) ? cake_quick_settle(quick) : CAKE_QUICK_NOT;
  if (!read_quoted_name(quick)) return CAKE_QUICK_NOT;
  if (quick->info->def) quick->format = cake_asm_format(quick->parser->context, quick->info);
  return cake_quick_generic(quick) ? CAKE_QUICK_DONE : CAKE_QUICK_NOT;
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
                       .n_successors = quick->n_blocks,
                       .n_regions = quick->form ? quick->info->def->n_regions : 0};
  CakeOp *op = cake_op_create(quick->parser->context, &state);
  cake_block_append(quick->parser->block, op);
  return op;
}

void cake_quick_name(CakeValue *value, const CakeNameKey *name) {
  CakeStr text = {name->ptr, name->len};
  if (cake_name_is_number(text)) return;
  if (name->len <= sizeof name->word)
    cake_value_set_name_word(value, text, name->word);
  else
    cake_value_set_name(value, text);
}

// Behind blanks, eight at a time. The last line end is none, and behind it a word may be loaded.
static const char *skip_blanks(const char *p) {
  for (; CAKE_LITTLE_ENDIAN; p += sizeof(uint64_t)) {
    uint64_t word;
    memcpy(&word, p, sizeof word);
    word ^= UINT64_C(0x0101010101010101) * ' ';
    if (word) return p + __builtin_ctzll(word) / 8;
  }
  while (*p == ' ')
    p++;
  return p;
}

void cake_quick_find_next(const CakeQuick *quick, CakeLexeme *out) {
  const CakeParser *parser = quick->parser;
  const char *p = quick->p;
  *out = (CakeLexeme){.line = parser->token.line, .line_start = parser->token.line_start};
  if (*p == '\n') {
    out->line++;
    out->line_start = ++p;
    if (p < parser->quick_end) p = skip_blanks(p);
  }
  out->kind = *p == '%' ? CAKE_TOK_PERCENT : CAKE_TOK_BARE;
  out->ptr = p;
  bool is_begun = p < parser->quick_end && (*p == '%' || is(*p, LETTER));
  if (!is_begun) cake_lex(&quick->parser->lexer, p, out->line, out->line_start, out);
}

void cake_quick_finish_token(CakeParser *parser) {
  CakeLexeme *token = &parser->token;
  if (!token->len && token->kind != CAKE_TOK_EOF)
    cake_lex(&parser->lexer, token->ptr, token->line, token->line_start, token);
}

void cake_quick_go_on(CakeQuick *quick, const CakeLexeme *next) {
  CakeParser *parser = quick->parser;
  parser->last_end = quick->p;
  parser->last_line = parser->token.line;
  parser->last_line_start = parser->token.line_start;
  parser->token = *next;
  parser->weight += quick->n_weighed;
}

void cake_quick_step(CakeQuick *quick) {
  CakeLexeme next;
  cake_quick_find_next(quick, &next);
  cake_quick_go_on(quick, &next);
}

// `loc(…)` behind the op.
static bool read_loc(CakeParser *parser, CakeOp *op) {
  if (parser->token.kind != CAKE_TOK_BARE || parser->token.ptr[0] != 'l') return true;
  if (cake_quick_loc(parser, &op->loc)) return true;
  cake_quick_finish_token(parser);
  return cake_parser_optional_loc(parser, &op->loc);
}

bool cake_quick_end_op(CakeParser *parser, CakeOp *op, const CakeNameKey *name, CakeLoc name_loc) {
  if (!read_loc(parser, op)) return false;
  if (!name->len) return true;
  cake_quick_name(op->results, name);
  return cake_parser_define_key(parser, name, name_loc, op->results, op->n_results);
}

// Whether the token can stand behind what was read: an op, or the brace behind a header. A region with nothing in it is not read quickly.
static bool can_go_on(const CakeQuick *quick, CakeToken token) {
  return quick->has_body ? token != CAKE_TOK_RBRACE : can_follow(token);
}

static void begin_regions(const CakeQuick *quick, CakeQuickHeader *header) {
  CakeParser *parser = quick->parser;
  header->format = quick->format;
  header->region_args = parser->region_args.len;
  for (uint32_t i = 0; i < quick->arguments.count; i++) {
    const CakeQuickArgument *arg = &quick->arguments.args[i];
    CAKE_PUSH(&parser->region_args, (CakeRegionArg){arg->region, arg->name, arg->loc, arg->type});
  }
}

// `%a`, or `%a:2`, in front of the op.
static bool read_results(CakeQuick *quick, CakeNameKey *name, uint32_t *n_named) {
  quick->p++;
  *n_named = 1;
  if (!cake_quick_key(quick, name)) return false;
  if (*quick->p == ':' && (quick->p++, !cake_quick_count(quick, n_named))) return false;
  if (!*n_named || !cake_quick_char(quick, '=')) return false;
  quick->p = cake_quick_start(quick);
  return true;
}

CakeQuickResult cake_quick_op(CakeParser *parser, CakeQuickHeader *header) {
  const CakeLexeme *token = &parser->token;
  CakeQuick quick;
  CakeNameKey name = {.len = 0};
  quick.parser = parser;
  quick.p = token->ptr;
  quick.format = NULL;
  quick.form = NULL;
  quick.attrs = NULL;
  quick.n_values = quick.n_types = quick.n_blocks = quick.n_weighed = quick.depth = 0;
  quick.is_functional = quick.has_body = false;
  quick.arguments.count = 0;
  uint32_t n_named = 0;
  if (token->kind == CAKE_TOK_PERCENT && !read_results(&quick, &name, &n_named)) return CAKE_QUICK_NOT;
  CakeLoc name_loc = cake_parser_place(parser, token->line, token->line_start, token->ptr);
  quick.loc = cake_parser_place(parser, token->line, token->line_start, quick.p);
  CakeQuickResult result = read_parts(&quick);
  parser->failed |= result == CAKE_QUICK_FAILED;
  if (result != CAKE_QUICK_DONE) return result;
  if (n_named && quick.n_types != n_named) return CAKE_QUICK_NOT;
  CakeLexeme next;
  cake_quick_find_next(&quick, &next);
  if (!can_go_on(&quick, next.kind)) return CAKE_QUICK_NOT;
  cake_quick_go_on(&quick, &next);
  CakeOp *op = make(&quick);
  if (!quick.has_body) return cake_quick_end_op(parser, op, &name, name_loc) ? CAKE_QUICK_DONE : CAKE_QUICK_FAILED;
  begin_regions(&quick, header);
  header->op = op;
  header->name = name;
  header->name_loc = name_loc;
  return CAKE_QUICK_HEADER;
}
