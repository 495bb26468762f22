// Words of contracts: names, numbers, signs; `//` begins a comment.
#include "tools/run_contract_lex.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static bool is_letter(char c) {
  return isalpha((unsigned char)c) || c == '_';
}
static bool is_digit(char c) {
  return isdigit((unsigned char)c);
}

static void skip(ContractLexer *lexer) {
  bool in_comment = false;
  for (; lexer->at < lexer->end; lexer->at++) {
    char c = *lexer->at;
    if (c == '/' && lexer->at + 1 < lexer->end && lexer->at[1] == '/') in_comment = true;
    if (c == '\n') in_comment = false;
    if (!in_comment && !isspace((unsigned char)c)) return;
    lexer->column = c == '\n' ? 1 : lexer->column + 1;
    lexer->line += c == '\n';
  }
}

// A number ends before "..", so that ranges can be written.
static const char *end_of_number(const char *at, const char *end) {
  while (at < end && is_digit(*at))
    at++;
  if (at + 1 < end && *at == '.' && is_digit(at[1])) {
    for (at++; at < end && is_digit(*at);)
      at++;
  }
  if (at < end && (*at == 'e' || *at == 'E')) {
    const char *exponent = at + 1 + (at + 1 < end && (at[1] == '-' || at[1] == '+'));
    if (exponent < end && is_digit(*exponent))
      for (at = exponent; at < end && is_digit(*at);)
        at++;
  }
  return at;
}

void contract_next(ContractLexer *lexer) {
  skip(lexer);
  const char *begin = lexer->at, *at = begin;
  lexer->loc = cake_loc_file(lexer->context, lexer->file, lexer->line, lexer->column);
  if (at < lexer->end && is_letter(*at)) {
    while (at < lexer->end && (is_letter(*at) || is_digit(*at)))
      at++;
  } else if (at < lexer->end && is_digit(*at)) {
    at = end_of_number(at, lexer->end);
  } else if (at < lexer->end) {
    bool is_double = lexer->end - at > 1 && ((at[0] == '.' && at[1] == '.') || (at[0] == '+' && at[1] == '='));
    at += is_double ? 2 : 1;
  }
  lexer->word = (CakeStr){begin, (size_t)(at - begin)};
  lexer->column += (uint32_t)(at - begin);
  lexer->at = at;
}

ContractLexer contract_lexer(CakeContext *context, CakeStr text, const char *file) {
  ContractLexer lexer = {.context = context,
                         .file = cake_id_text(context, file),
                         .at = text.ptr,
                         .end = text.ptr + text.len,
                         .line = 1,
                         .column = 1};
  contract_next(&lexer);
  return lexer;
}

bool contract_is(const ContractLexer *lexer, const char *word) {
  return cake_str_is(lexer->word, word);
}

bool contract_accept(ContractLexer *lexer, const char *word) {
  if (!contract_is(lexer, word)) return false;
  contract_next(lexer);
  return true;
}

bool contract_unexpected(const ContractLexer *lexer, const char *what) {
  if (!lexer->word.len)
    return cake_error_at(lexer->context, lexer->loc, CAKE_CODE_CONTRACT_FORM, "expected %s, found the end", what);
  return cake_error_at(lexer->context, lexer->loc, CAKE_CODE_CONTRACT_FORM, "expected %s, found '%.*s'", what,
                       lexer->word.len > 40 ? 40 : (int)lexer->word.len, lexer->word.ptr);
}

bool contract_expect(ContractLexer *lexer, const char *word) {
  char quoted[32];
  if (contract_accept(lexer, word)) return true;
  snprintf(quoted, sizeof quoted, "'%s'", word);
  return contract_unexpected(lexer, quoted);
}

bool contract_is_name(const ContractLexer *lexer) {
  return lexer->word.len && is_letter(lexer->word.ptr[0]);
}

bool contract_is_number(const ContractLexer *lexer) {
  return lexer->word.len && is_digit(lexer->word.ptr[0]);
}

bool contract_name(ContractLexer *lexer, CakeStr *out) {
  if (!contract_is_name(lexer)) return contract_unexpected(lexer, "a name");
  *out = lexer->word;
  contract_next(lexer);
  return true;
}

bool contract_integer(ContractLexer *lexer, int64_t *out) {
  if (!contract_is_number(lexer) || !cake_tool_int(lexer->word, out))
    return contract_unexpected(lexer, "a whole number");
  contract_next(lexer);
  return true;
}

bool contract_real(ContractLexer *lexer, double *out) {
  char text[64];
  bool is_negative = contract_accept(lexer, "-");
  if (!contract_is_number(lexer) || lexer->word.len >= sizeof text) return contract_unexpected(lexer, "a number");
  memcpy(text, lexer->word.ptr, lexer->word.len);
  text[lexer->word.len] = '\0';
  *out = is_negative ? -strtod(text, NULL) : strtod(text, NULL);
  if (!isfinite(*out)) return contract_unexpected(lexer, "a finite number");
  contract_next(lexer);
  return true;
}
