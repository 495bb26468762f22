// The parser's tokens and errors, and the calls of cake/text.h that parse hooks use.
//
// A text has one error: after the first report the parser is silent and everything fails until it is given back.
#include "parser.h"
#include "bytes.h"

#include <string.h>

void cake_parser_init(CakeParser *parser, CakeContext *context, CakeId file, CakeStr text) {
  memset(parser, 0, sizeof *parser);
  parser->context = context;
  parser->file = file;
  parser->file_number = cake_loc_file_number(context, file);
  parser->lexer = (CakeLexer){.begin = text.ptr, .end = text.ptr + text.len};
  parser->scratch = cake_arena_create();
  parser->last_line_start = text.ptr;
  parser->last_line = 1;
  parser->default_dialect = cake_dialect_builtin.name;
  parser->token.ptr = text.ptr;
  cake_lex(&parser->lexer, text.ptr, 1, text.ptr, &parser->token);
}

void cake_parser_start_at(CakeParser *parser, uint32_t line) {
  parser->last_line = line;
  cake_lex(&parser->lexer, parser->lexer.begin, line, parser->lexer.begin, &parser->token);
}

void cake_parser_fini(CakeParser *parser) {
  cake_parser_names_fini(parser);
  cake_map_fini(&parser->type_aliases);
  cake_map_fini(&parser->attr_aliases);
  cake_map_fini(&parser->alias_weights);
  cake_map_fini(&parser->distinct);
  CAKE_VEC_FINI(&parser->deferred_locs);
  CAKE_VEC_FINI(&parser->uses);
  CAKE_VEC_FINI(&parser->results);
  CAKE_VEC_FINI(&parser->values);
  CAKE_VEC_FINI(&parser->blocks);
  CAKE_VEC_FINI(&parser->types);
  CAKE_VEC_FINI(&parser->attrs);
  CAKE_VEC_FINI(&parser->named);
  CAKE_VEC_FINI(&parser->regions);
  CAKE_VEC_FINI(&parser->region_args);
  CAKE_VEC_FINI(&parser->asm_operands);
  CAKE_VEC_FINI(&parser->asm_results);
  CAKE_VEC_FINI(&parser->numbers);
  cake_buf_fini(&parser->text);
  cake_buf_fini(&parser->elements);
  cake_arena_destroy(parser->scratch);
}

// ---- Tokens --------------------------------------------------------------------------------------------------------

CakeContext *cake_parser_context(CakeParser *parser) {
  return parser->context;
}

CakeToken cake_parser_token(CakeParser *parser) {
  return parser->token.kind;
}

CakeStr cake_lexeme_str(const CakeLexeme *lexeme) {
  return (CakeStr){lexeme->ptr, lexeme->len};
}

CakeStr cake_parser_spelling(CakeParser *parser) {
  return cake_lexeme_str(&parser->token);
}

CakeLoc cake_parser_large_loc(const CakeParser *parser, uint32_t line, size_t column) {
  return cake_loc_file(parser->context, parser->file, line, column > UINT32_MAX ? UINT32_MAX : (uint32_t)column);
}

CakeLoc cake_parser_last_end(const CakeParser *parser) {
  return cake_parser_place(parser, parser->last_line, parser->last_line_start, parser->last_end);
}

CakeLoc cake_parser_loc(CakeParser *parser) {
  return cake_lexeme_loc(parser, &parser->token);
}

void cake_parser_next(CakeParser *parser) {
  cake_parser_step(parser);
}

void cake_parser_reset(CakeParser *parser, const char *ptr) {
  CakeLexeme *token = &parser->token;
  for (const char *p = token->ptr; (p = memchr(p, '\n', (size_t)(ptr - p))) != NULL;) {
    token->line++;
    token->line_start = ++p;
  }
  parser->last_end = ptr;
  parser->last_line = token->line;
  parser->last_line_start = token->line_start;
  cake_lex(&parser->lexer, ptr, token->line, token->line_start, token);
}

bool cake_parser_check_to(CakeParser *parser, const char *to) {
  const char *from = parser->checked, *end = parser->lexer.end;
  for (; to < end && ((uint8_t)*to & 0xc0) == 0x80; to++) // not inside of a character
    ;
  if (to <= from || !cake_utf8_find_invalid((CakeStr){from, (size_t)(to - from)})) {
    parser->checked = to > from ? to : from;
    return true;
  }
  parser->failed = true;
  return cake_text_check_encoding(parser->context, parser->file,
                                  (CakeStr){parser->lexer.begin, (size_t)(to - parser->lexer.begin)}, 1);
}

void cake_parser_keep(CakeParser *parser, CakeStr text) {
  if (parser->release_at == parser->lexer.end || text.ptr < parser->released) return;
  cake_mapped_release(parser->released, text.ptr);
  parser->released = text.ptr + text.len;
}

bool cake_parser_next_step(CakeParser *parser) {
  const char *at = parser->token.ptr, *end = parser->lexer.end;
  if (at >= parser->release_at) {
    cake_mapped_release(parser->released, at);
    parser->released = at;
    parser->release_at = end - at > CAKE_RELEASE_STEP ? at + CAKE_RELEASE_STEP : end;
  }
  bool is_last = end - at <= CAKE_CHECK_STEP + CAKE_CHECKED_AHEAD;
  if (!cake_parser_check_to(parser, is_last ? end : at + CAKE_CHECK_STEP + CAKE_CHECKED_AHEAD)) return false;
  const char *check_at = is_last ? end : parser->checked - CAKE_CHECKED_AHEAD;
  parser->step_at = check_at < parser->release_at ? check_at : parser->release_at;
  return true;
}

CakeStr cake_parser_text_since(CakeParser *parser, const char *begin) {
  return (CakeStr){begin, (size_t)(parser->last_end - begin)};
}

// ---- Errors --------------------------------------------------------------------------------------------------------

static bool report(CakeParser *parser, CakeLoc loc, CakeCode code, const char *format, va_list args) {
  if (parser->failed) return false;
  parser->failed = true;
  CakeBuf text = {0};
  cake_buf_vprintf(&text, format, args);
  cake_error_at(parser->context, loc, code, "%s", text.data ? text.data : "");
  cake_buf_fini(&text);
  return false;
}

// The lexer's error has precedence: what the parser misses is what the lexer could not read.
static bool is_lexer_error(CakeParser *parser) {
  if (parser->token.kind != CAKE_TOK_ERROR || parser->failed) return false;
  parser->failed = true;
  cake_error_at(parser->context, cake_parser_loc(parser), CAKE_CODE_PARSE_SYNTAX, "%s", parser->lexer.error);
  return true;
}

bool cake_parser_error(CakeParser *parser, CakeCode code, const char *format, ...) {
  if (is_lexer_error(parser)) return false;
  va_list args;
  va_start(args, format);
  report(parser, cake_parser_loc(parser), code, format, args);
  va_end(args);
  return false;
}

bool cake_parser_error_at(CakeParser *parser, CakeLoc loc, CakeCode code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  report(parser, loc, code, format, args);
  va_end(args);
  return false;
}

static const char *token_name(CakeToken token) {
  switch (token) {
  case CAKE_TOK_EOF: return "end of file";
  case CAKE_TOK_ERROR: return "a token";
  case CAKE_TOK_BARE: return "identifier";
  case CAKE_TOK_INT: return "integer";
  case CAKE_TOK_FLOAT: return "floating-point number";
  case CAKE_TOK_STRING: return "string";
  case CAKE_TOK_PERCENT: return "SSA operand";
  case CAKE_TOK_CARET: return "block name";
  case CAKE_TOK_AT: return "symbol name";
  case CAKE_TOK_EXCLAIM: return "type";
  case CAKE_TOK_HASH: return "attribute";
  case CAKE_TOK_LPAREN: return "'('";
  case CAKE_TOK_RPAREN: return "')'";
  case CAKE_TOK_LBRACE: return "'{'";
  case CAKE_TOK_RBRACE: return "'}'";
  case CAKE_TOK_LSQUARE: return "'['";
  case CAKE_TOK_RSQUARE: return "']'";
  case CAKE_TOK_LESS: return "'<'";
  case CAKE_TOK_GREATER: return "'>'";
  case CAKE_TOK_COMMA: return "','";
  case CAKE_TOK_COLON: return "':'";
  case CAKE_TOK_COLON_COLON: return "'::'";
  case CAKE_TOK_EQUAL: return "'='";
  case CAKE_TOK_ARROW: return "'->'";
  case CAKE_TOK_PLUS: return "'+'";
  case CAKE_TOK_MINUS: return "'-'";
  case CAKE_TOK_STAR: return "'*'";
  case CAKE_TOK_QUESTION: return "'?'";
  case CAKE_TOK_ELLIPSIS: return "'...'";
  case CAKE_TOK_DOT_DOT: return "'..'";
  case CAKE_TOK_SLASH: return "'/'";
  case CAKE_TOK_VERTICAL_BAR: return "'|'";
  case CAKE_TOK_FILE_METADATA_BEGIN: return "'{-#'";
  case CAKE_TOK_FILE_METADATA_END: return "'#-}'";
  }
  return "a token";
}

bool cake_parser_missing(CakeParser *parser, const char *format, ...) {
  if (is_lexer_error(parser)) return false;
  va_list args;
  va_start(args, format);
  report(parser, parser->last_end ? cake_parser_last_end(parser) : cake_parser_loc(parser), CAKE_CODE_PARSE_SYNTAX,
         format, args);
  va_end(args);
  return false;
}

bool cake_parser_accept(CakeParser *parser, CakeToken token) {
  if (parser->token.kind != token) return false;
  cake_parser_step(parser);
  return true;
}

bool cake_parser_expect(CakeParser *parser, CakeToken token) {
  if (parser->token.kind != token) {
    if (token == CAKE_TOK_PERCENT) cake_parser_want(parser, CAKE_WANT_VALUE, CAKE_STR(""));
    if (token == CAKE_TOK_CARET) cake_parser_want(parser, CAKE_WANT_BLOCK, CAKE_STR(""));
    return cake_parser_missing(parser, "expected %s", token_name(token));
  }
  cake_parser_step(parser);
  return true;
}

// ---- Words and literals --------------------------------------------------------------------------------------------

bool cake_parser_is_keyword(CakeParser *parser, const char *keyword) {
  return parser->token.kind == CAKE_TOK_BARE && cake_str_is(cake_lexeme_str(&parser->token), keyword);
}

bool cake_parser_accept_keyword(CakeParser *parser, const char *keyword) {
  if (!cake_parser_is_keyword(parser, keyword)) return false;
  cake_parser_next(parser);
  return true;
}

bool cake_parser_expect_keyword(CakeParser *parser, const char *keyword) {
  if (cake_parser_accept_keyword(parser, keyword)) return true;
  cake_parser_want(parser, CAKE_WANT_WORD, cake_str(keyword));
  return cake_parser_missing(parser, "expected '%s'", keyword);
}

bool cake_parser_keyword(CakeParser *parser, CakeId *out) {
  if (parser->token.kind != CAKE_TOK_BARE) return cake_parser_missing(parser, "expected a keyword");
  *out = cake_id(parser->context, cake_lexeme_str(&parser->token));
  cake_parser_next(parser);
  return true;
}

// Value of an integer token; false when it needs more than 64 bits.
static bool integer_value(CakeStr text, uint64_t *out) {
  bool hex = text.len > 2 && text.ptr[1] == 'x';
  uint64_t value = 0, base = hex ? 16 : 10;
  for (size_t i = hex ? 2 : 0; i < text.len; i++) {
    uint64_t digit = (uint64_t)cake_hex_value(text.ptr[i]);
    if (value > (UINT64_MAX - digit) / base) return false;
    value = value * base + digit;
  }
  *out = value;
  return true;
}

bool cake_parser_int(CakeParser *parser, int64_t *out) {
  CakeLoc loc = cake_parser_loc(parser);
  bool negative = cake_parser_accept(parser, CAKE_TOK_MINUS);
  if (parser->token.kind != CAKE_TOK_INT) return cake_parser_missing(parser, "expected integer");
  uint64_t value, limit = (uint64_t)INT64_MAX + (negative ? 1 : 0);
  if (!integer_value(cake_lexeme_str(&parser->token), &value) || value > limit)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NUMBER,
                                "integer constant out of range: it must fit into 64 bits");
  *out = negative ? (int64_t)(0 - value) : (int64_t)value;
  cake_parser_next(parser);
  return true;
}

CakeStr cake_parser_unescape(CakeParser *parser, CakeStr literal) {
  const char *end = literal.ptr + literal.len - 1;
  CakeBuf *out = &parser->text;
  cake_buf_clear(out);
  for (const char *p = literal.ptr + 1; p < end;) {
    const char *backslash = memchr(p, '\\', (size_t)(end - p));
    const char *stop = backslash ? backslash : end;
    cake_buf_append(out, p, (size_t)(stop - p));
    p = stop;
    if (!backslash) break;
    switch (p[1]) {
    case '"':
    case '\\':
      cake_buf_char(out, p[1]);
      p += 2;
      break;
    case 'n':
      cake_buf_char(out, '\n');
      p += 2;
      break;
    case 't':
      cake_buf_char(out, '\t');
      p += 2;
      break;
    default:
      cake_buf_char(out, (char)(cake_hex_value(p[1]) * 16 + cake_hex_value(p[2])));
      p += 3;
      break;
    }
  }
  return cake_buf_view(out);
}

static CakeId unescaped_id(CakeParser *parser, CakeStr literal) {
  CakeStr inner = {literal.ptr + 1, literal.len - 2};
  if (!memchr(inner.ptr, '\\', inner.len)) return cake_id(parser->context, inner);
  return cake_id(parser->context, cake_parser_unescape(parser, literal));
}

bool cake_parser_string(CakeParser *parser, CakeId *out) {
  if (parser->token.kind != CAKE_TOK_STRING) return cake_parser_missing(parser, "expected string");
  *out = unescaped_id(parser, cake_lexeme_str(&parser->token));
  cake_parser_next(parser);
  return true;
}

bool cake_parser_symbol(CakeParser *parser, CakeId *out) {
  if (parser->token.kind != CAKE_TOK_AT) {
    cake_parser_want(parser, CAKE_WANT_SYMBOL, CAKE_STR(""));
    return cake_parser_missing(parser, "expected symbol name");
  }
  CakeStr name = {parser->token.ptr + 1, parser->token.len - 1};
  *out = name.ptr[0] == '"' ? unescaped_id(parser, name) : cake_id(parser->context, name);
  cake_parser_next(parser);
  return true;
}

// ---- Dimensions ----------------------------------------------------------------------------------------------------

bool cake_parser_at_dimension(CakeParser *parser) {
  CakeToken kind = parser->token.kind;
  return kind == CAKE_TOK_INT || kind == CAKE_TOK_QUESTION || kind == CAKE_TOK_LSQUARE;
}

bool cake_parser_dimension(CakeParser *parser, int64_t *out, bool *out_bracket) {
  *out_bracket = cake_parser_accept(parser, CAKE_TOK_LSQUARE);
  if (*out_bracket) return true;
  *out = CAKE_DYNAMIC;
  if (cake_parser_accept(parser, CAKE_TOK_QUESTION)) return true;
  if (parser->token.kind != CAKE_TOK_INT) return cake_parser_missing(parser, "expected dimension");
  // `0x4` is a size of 0, the separator, and a 4.
  if (parser->token.len > 1 && parser->token.ptr[1] == 'x') {
    *out = 0;
    cake_parser_reset(parser, parser->token.ptr + 1);
    return true;
  }
  const char *behind = parser->token.ptr + parser->token.len;
  if (behind == parser->lexer.end || *behind != 'x') return cake_parser_int(parser, out);
  // The separator is the next token: `x4x4…` is one identifier, which must not be lexed for every size in it.
  uint64_t value;
  if (!integer_value(cake_lexeme_str(&parser->token), &value) || value > INT64_MAX) return cake_parser_int(parser, out);
  *out = (int64_t)value;
  parser->token.kind = CAKE_TOK_BARE;
  parser->token.ptr = behind;
  parser->token.len = 1;
  return true;
}

bool cake_parser_x(CakeParser *parser) {
  if (parser->token.kind != CAKE_TOK_BARE || parser->token.ptr[0] != 'x')
    return cake_parser_missing(parser, "expected 'x'");
  cake_parser_reset(parser, parser->token.ptr + 1);
  return true;
}

// ---- Nesting -------------------------------------------------------------------------------------------------------

bool cake_parser_enter(CakeParser *parser) {
  parser->weight++;
  if (parser->depth >= CAKE_MAX_ATTR_DEPTH)
    return cake_parser_error(parser, CAKE_CODE_PARSE_DEPTH, "types and attributes are nested deeper than %d",
                             CAKE_MAX_ATTR_DEPTH);
  parser->depth++;
  return true;
}

void cake_parser_leave(CakeParser *parser) {
  parser->depth--;
}

static char closing(char open) {
  return open == '(' ? ')' : open == '<' ? '>' : open == '[' ? ']' : '}';
}

// Where the scan for balanced brackets goes wrong.
static const char *unbalanced(CakeParser *parser, const char *ptr, const char *text) {
  cake_parser_reset(parser, ptr);
  cake_parser_error_at(parser, cake_parser_loc(parser), CAKE_CODE_PARSE_SYNTAX, "%s", text);
  return NULL;
}

enum { PASSED = 128 }; // characters at a time

// Behind the blocks without a bracket or a quote.
CAKE_LOOP const char *pass_plain_loop(const char *p, const char *end) {
  for (; end - p >= PASSED; p += PASSED) {
    uint8_t found = 0;
    for (size_t i = 0; i < PASSED; i++) {
      uint8_t c = (uint8_t)p[i], small = c | 0x20; // [ is {, ] is }
      found |= (uint8_t)((c == '"') | ((c & 0xfe) == '(') | ((c | 2) == '>') | (small == '{') | (small == '}'));
    }
    if (found) break;
  }
  return p;
}

CAKE_WIDE_LOOP(const char *, pass_plain, (const char *p, const char *end), (p, end))

static const char *find_within(const char *ptr, const char *end) {
  static const bool matters[256] = {['<'] = true, ['('] = true, ['['] = true, ['{'] = true, ['>'] = true,
                                    [')'] = true, [']'] = true, ['}'] = true, ['-'] = true, ['"'] = true};
  while (ptr < end && !matters[(uint8_t)*ptr])
    ptr++;
  return ptr;
}

// The next character that a scan for brackets has to look at: most are near, others behind many numbers.
static const char *find_bracket(const char *ptr, const char *end) {
  enum { NEAR = 24 };
  if (end - ptr < NEAR + PASSED) return find_within(ptr, end);
  const char *near = ptr + NEAR, *found = find_within(ptr, near);
  if (found < near) return found;
  const char *behind = pass_plain(near, end);
  return find_within(behind - (behind[-1] == '-'), end); // which a `>` may follow
}

const char *cake_parser_balanced(CakeParser *parser, const char *ptr, bool operators) {
  const char *end = parser->lexer.end, *start = ptr, *result = NULL;
  CakeBuf open = {0};
  do {
    ptr = find_bracket(ptr, end);
    if (ptr == end) break;
    char c = *ptr++;
    switch (c) {
    case '<':
    case '(':
    case '[':
    case '{':
      if (operators && c == '<' && ptr < end && *ptr == '=')
        ptr++;
      else
        cake_buf_char(&open, closing(c));
      break;
    case '-':
      if (ptr < end && *ptr == '>') ptr++;
      break;
    case '>':
    case ')':
    case ']':
    case '}':
      if (operators && c == '>' && ptr < end && *ptr == '=') {
        ptr++;
        break;
      }
      if (open.data[--open.len] != c) {
        cake_buf_fini(&open);
        return unbalanced(parser, ptr - 1, "unbalanced brackets: this closes none of its kind");
      }
      break;
    case '"': {
      const char *close = cake_lex_string_end(&parser->lexer, ptr - 1);
      if (!close) {
        cake_buf_fini(&open);
        return unbalanced(parser, ptr - 1, "expected '\"' in string literal");
      }
      ptr = close;
      break;
    }
    default: break;
    }
    if (!open.len) result = ptr;
  } while (!result);
  cake_buf_fini(&open);
  return result ? result : unbalanced(parser, start, "unbalanced brackets: this one is never closed");
}

bool cake_parser_skip_balanced(CakeParser *parser, bool operators) {
  const char *end = cake_parser_balanced(parser, parser->token.ptr, operators);
  if (!end) return false;
  cake_parser_reset(parser, end);
  return true;
}
