// The lexer: MLIR's lexical rules, driven by a table of character classes. Tokens point into the source; nothing is
// copied. What most tokens are is read here, the rest in lexer_other.c: a small function that is called for each token
// keeps nothing in memory that it does not need.
#include "lexer.h"
#include "bytes.h"

enum {
  L_ = LETTER | BARE | SUFFIX | SUFFIX_START,
  H_ = L_ | HEX,
  D_ = DIGIT | BARE | SUFFIX | HEX,
  P_ = BARE | SUFFIX | SUFFIX_START, // $ .
  M_ = SUFFIX | SUFFIX_START,        // -
  S_ = SPACE,
};

// One row for 16 characters; those from 0x80 on have no class.
const uint8_t cake_char_classes[256] = {
    S_, 0,  0,  0,  0,  0,  0,  0,  0,  S_, S_, 0,  0,  S_, 0,  0,  // \0, \t \n \r
    0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  0,  //
    S_, 0,  0,  0,  P_, 0,  0,  0,  0,  0,  0,  0,  0,  M_, P_, 0,  // space $ - .
    D_, D_, D_, D_, D_, D_, D_, D_, D_, D_, 0,  0,  0,  0,  0,  0,  // 0-9
    0,  H_, H_, H_, H_, H_, H_, L_, L_, L_, L_, L_, L_, L_, L_, L_, // A-O
    L_, L_, L_, L_, L_, L_, L_, L_, L_, L_, L_, 0,  0,  0,  0,  L_, // P-Z _
    0,  H_, H_, H_, H_, H_, H_, L_, L_, L_, L_, L_, L_, L_, L_, L_, // a-o
    L_, L_, L_, L_, L_, L_, L_, L_, L_, L_, L_, 0,  0,  0,  0,  0,  // p-z
};

// Characters that are a token each, whatever follows; others are 0. A slash may begin a comment.
static const uint8_t alone[256] = {
    ['('] = CAKE_TOK_LPAREN,       [')'] = CAKE_TOK_RPAREN, ['}'] = CAKE_TOK_RBRACE,  ['['] = CAKE_TOK_LSQUARE,
    [']'] = CAKE_TOK_RSQUARE,      ['<'] = CAKE_TOK_LESS,   ['>'] = CAKE_TOK_GREATER, [','] = CAKE_TOK_COMMA,
    ['='] = CAKE_TOK_EQUAL,        ['+'] = CAKE_TOK_PLUS,   ['*'] = CAKE_TOK_STAR,    ['?'] = CAKE_TOK_QUESTION,
    ['|'] = CAKE_TOK_VERTICAL_BAR,
};

// The end of a plain `%name`; NULL: what stands there takes a closer look.
static const char *name_end(const char *p, const char *end) {
  const char *behind = suffix_end(p + 1, end);
  return behind > p + 1 && (behind == end || *behind != '#') ? behind : NULL;
}

void cake_lex(CakeLexer *lexer, const char *from, uint32_t line, const char *line_start, CakeLexeme *out) {
  const char *p = from, *end = lexer->end, *behind = NULL;
  CakeToken kind = CAKE_TOK_EOF;
  out->line = line;
  out->line_start = line_start;
  if (p < end && *p == ' ') p++; // most tokens stand behind one space, or none
  if (p < end && (is(*p, SPACE) || *p == '/')) p = cake_lex_blanks(lexer, p, out);
  if (p == end) {
    behind = p;
  } else if (is(*p, LETTER)) {
    kind = CAKE_TOK_BARE;
    behind = skip(p + 1, end, BARE);
  } else if (*p == '%') {
    kind = CAKE_TOK_PERCENT;
    behind = name_end(p, end);
  } else if (alone[(uint8_t)*p]) {
    kind = alone[(uint8_t)*p];
    behind = p + 1;
  }
  if (!behind) kind = cake_lex_other(lexer, p, &behind);
  out->ptr = p;
  out->kind = kind;
  out->len = (size_t)(behind - p);
}

CakeToken cake_token_next(CakeStr text, size_t *at, CakeStr *out) {
  CakeLexer lexer = {.begin = text.ptr, .end = text.ptr + text.len};
  CakeLexeme lexeme;
  cake_lex(&lexer, text.ptr + *at, 0, text.ptr, &lexeme);
  *out = (CakeStr){lexeme.ptr, lexeme.len};
  *at = (size_t)(lexeme.ptr + lexeme.len - text.ptr);
  return lexeme.kind;
}

enum { ASCII_BLOCK = 128 };

// Behind the blocks that are ASCII.
CAKE_LOOP const char *skip_ascii_loop(const char *p, const char *end) {
  for (; end - p >= ASCII_BLOCK; p += ASCII_BLOCK) {
    uint8_t all = 0;
    for (size_t i = 0; i < ASCII_BLOCK; i++)
      all |= (uint8_t)p[i];
    if (all >= 0x80) break;
  }
  return p;
}

CAKE_WIDE_LOOP(const char *, skip_ascii, (const char *p, const char *end), (p, end))

const char *cake_utf8_find_invalid(CakeStr text) {
  const char *p = text.ptr, *end = text.ptr + text.len;
  while (p < end) {
    p = skip_ascii(p, end);
    const char *stop = end - p > ASCII_BLOCK ? p + ASCII_BLOCK : end;
    for (size_t len; p < stop; p += len) {
      len = (uint8_t)*p < 0x80 ? 1 : cake_utf8_length(p, (size_t)(end - p));
      if (!len) return p;
    }
  }
  return NULL;
}
