// What the files of the lexer share: classes of characters, and the tokens that take more than a look at a character.
#ifndef CAKE_IR_LEXER_H
#define CAKE_IR_LEXER_H

#include "parser.h"

enum { SPACE = 1, LETTER = 2, DIGIT = 4, BARE = 8, SUFFIX = 16, SUFFIX_START = 32, HEX = 64 };
extern const uint8_t cake_char_classes[256];

static inline bool is(char c, unsigned class) { return (cake_char_classes[(uint8_t)c] & class) != 0; }

static inline const char *skip(const char *p, const char *end, unsigned class) {
  while (p < end && is(*p, class))
    p++;
  return p;
}

// digits | (letter | [$._-]) (letter | [$._-] | digit)*
static inline const char *suffix_end(const char *p, const char *end) {
  if (p < end && is(*p, DIGIT)) return skip(p, end, DIGIT);
  if (p < end && is(*p, SUFFIX_START)) return skip(p, end, SUFFIX);
  return p;
}

// Skips blanks and comments; keeps count of lines.
const char *cake_lex_blanks(const CakeLexer *lexer, const char *p, CakeLexeme *out);
// The token at `start`, which is no word, no plain name of a value and no character alone; `*p` goes behind it.
CakeToken cake_lex_other(CakeLexer *lexer, const char *start, const char **p);

#endif
