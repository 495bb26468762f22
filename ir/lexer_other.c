// The lexer: tokens that take more than a look at their first character, and blanks. See lexer.c.
#include "lexer.h"

#include "bytes.h"

int cake_hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

bool cake_text_is_bare_id(CakeStr text) {
  return text.len && is(text.ptr[0], LETTER) && skip(text.ptr, text.ptr + text.len, BARE) == text.ptr + text.len;
}

bool cake_text_is_suffix_id(CakeStr text) {
  return text.len && suffix_end(text.ptr, text.ptr + text.len) == text.ptr + text.len;
}

// A character of the string between the quote and `end`; NULL: there is none.
static const char *find_in(const char *begin, const char *end, char c) {
  return memchr(begin, c, (size_t)(end - begin));
}

// The first quote, backslash or line end from `p` on; `end`: there is none.
static const char *find_special(const char *p, const char *end) {
#if CAKE_HAS_BYTES
  for (; end - p >= (ptrdiff_t)sizeof(CakeBytes); p += sizeof(CakeBytes)) {
    CakeBytes bytes = cake_bytes_load(p);
    if (cake_bytes_any(cake_bytes_are(bytes, '"') | cake_bytes_are(bytes, '\\') | cake_bytes_are(bytes, '\n'))) break;
  }
#endif
  while (p < end && *p != '"' && *p != '\\' && *p != '\n')
    p++;
  return p;
}

static const char *string_end(const char *quote, const char *end, bool *has_escapes) {
  for (const char *p = quote + 1; (p = find_special(p, end)) < end && *p != '\n'; p++) {
    if (*p == '"') return p + 1;
    *has_escapes = true;
    if (p + 1 < end && p[1] != '\n') p++;
  }
  return NULL;
}

const char *cake_lex_string_end(CakeLexer *lexer, const char *quote) {
  if (lexer->string == quote) return lexer->string_end;
  lexer->string = quote;
  lexer->string_has_escapes = false;
  lexer->string_end = string_end(quote, lexer->end, &lexer->string_has_escapes);
  return lexer->string_end;
}

static CakeToken fail(CakeLexer *lexer, const char *error) {
  lexer->error = error;
  return CAKE_TOK_ERROR;
}

static CakeToken lex_string(CakeLexer *lexer, const char *quote, const char **p) {
  const char *end = cake_lex_string_end(lexer, quote);
  if (!end) {
    *p = quote + 1;
    return fail(lexer, "expected '\"' in string literal");
  }
  *p = end;
  for (const char *c = quote + 1; lexer->string_has_escapes && (c = find_in(c, end - 1, '\\')) != NULL; c++) {
    c++;
    if (memchr("\"\\nt", *c, 4)) continue;
    if (cake_hex_value(c[0]) < 0 || cake_hex_value(c[1]) < 0) return fail(lexer, "unknown escape in string literal");
    c++;
  }
  return CAKE_TOK_STRING;
}

static CakeToken lex_number(const CakeLexer *lexer, const char *start, const char **p) {
  const char *end = lexer->end, *c = start;
  if (*c == '0' && c + 2 < end && c[1] == 'x' && is(c[2], HEX)) {
    *p = skip(c + 2, end, HEX);
    return CAKE_TOK_INT;
  }
  c = skip(c, end, DIGIT);
  *p = c;
  if (c >= end || *c != '.' || (c + 1 < end && c[1] == '.')) return CAKE_TOK_INT;
  c = skip(c + 1, end, DIGIT);
  *p = c;
  if (c < end && (*c == 'e' || *c == 'E')) {
    const char *e = c + 1;
    if (e < end && (*e == '+' || *e == '-')) e++;
    if (e < end && is(*e, DIGIT)) *p = skip(e, end, DIGIT);
  }
  return CAKE_TOK_FLOAT;
}

static CakeToken lex_sigil(CakeLexer *lexer, CakeToken kind, const char **p, const char *error) {
  const char *start = *p;
  *p = suffix_end(start, lexer->end);
  return *p == start ? fail(lexer, error) : kind;
}

static CakeToken lex_value(CakeLexer *lexer, const char **p) {
  CakeToken kind = lex_sigil(lexer, CAKE_TOK_PERCENT, p, "invalid SSA name");
  const char *hash = *p;
  if (kind == CAKE_TOK_PERCENT && hash + 1 < lexer->end && *hash == '#' && is(hash[1], DIGIT)) {
    *p = skip(hash + 1, lexer->end, DIGIT);
    lexer->hash = hash;
  }
  return kind;
}

static CakeToken lex_at(CakeLexer *lexer, const char **p) {
  const char *c = *p;
  if (c < lexer->end && *c == '"') {
    CakeToken kind = lex_string(lexer, c, p);
    return kind == CAKE_TOK_STRING ? CAKE_TOK_AT : kind;
  }
  if (c >= lexer->end || !is(*c, LETTER)) return fail(lexer, "@ identifier expected to start with letter or '_'");
  *p = skip(c, lexer->end, BARE);
  return CAKE_TOK_AT;
}

// Takes the rest of a token when it follows.
static bool follows(const CakeLexer *lexer, const char **p, CakeStr rest) {
  if ((size_t)(lexer->end - *p) < rest.len || memcmp(*p, rest.ptr, rest.len) != 0) return false;
  *p += rest.len;
  return true;
}

static CakeToken lex_punctuation(CakeLexer *lexer, char c, const char **p) {
  switch (c) {
  case '{': return follows(lexer, p, CAKE_STR("-#")) ? CAKE_TOK_FILE_METADATA_BEGIN : CAKE_TOK_LBRACE;
  case ':': return follows(lexer, p, CAKE_STR(":")) ? CAKE_TOK_COLON_COLON : CAKE_TOK_COLON;
  case '/': return CAKE_TOK_SLASH;
  case '-': return follows(lexer, p, CAKE_STR(">")) ? CAKE_TOK_ARROW : CAKE_TOK_MINUS;
  case '.':
    if (follows(lexer, p, CAKE_STR(".."))) return CAKE_TOK_ELLIPSIS;
    return follows(lexer, p, CAKE_STR(".")) ? CAKE_TOK_DOT_DOT
                                            : fail(lexer, "expected three consecutive dots for an ellipsis");
  default: return fail(lexer, "unexpected character");
  }
}

CakeToken cake_lex_other(CakeLexer *lexer, const char *start, const char **p) {
  char c = *start;
  *p = start + 1;
  switch (c) {
  case '%': return lex_value(lexer, p);
  case '^': return lex_sigil(lexer, CAKE_TOK_CARET, p, "invalid block name");
  case '!': return lex_sigil(lexer, CAKE_TOK_EXCLAIM, p, "invalid type identifier");
  case '#':
    return follows(lexer, p, CAKE_STR("-}")) ? CAKE_TOK_FILE_METADATA_END
                                             : lex_sigil(lexer, CAKE_TOK_HASH, p, "invalid attribute name");
  case '@': return lex_at(lexer, p);
  case '"': return lex_string(lexer, start, p);
  default: return is(c, DIGIT) ? lex_number(lexer, start, p) : lex_punctuation(lexer, c, p);
  }
}

const char *cake_lex_blanks(const CakeLexer *lexer, const char *p, CakeLexeme *out) {
  const char *end = lexer->end;
  for (;;) {
    while (end - p >= 8 && memcmp(p, "        ", 8) == 0) // indentation
      p += 8;
    while (p < end && is(*p, SPACE)) {
      if (*p++ == '\n') {
        out->line++;
        out->line_start = p;
      }
    }
    if (end - p < 2 || p[0] != '/' || p[1] != '/') return p;
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    p = newline ? newline : end;
  }
}
