// Words of contracts. Private to tools/run_contract_*.c.
#ifndef CAKE_TOOLS_RUN_CONTRACT_LEX_H
#define CAKE_TOOLS_RUN_CONTRACT_LEX_H

#include "tools/run_contract_parts.h"

typedef struct ContractLexer {
  CakeContext *context;
  CakeId file;
  const char *at, *end;
  uint32_t line, column;
  // The word at which the lexer stands; empty at the end.
  CakeStr word;
  CakeLoc loc;
} ContractLexer;

ContractLexer contract_lexer(CakeContext *context, CakeStr text, const char *file);
void contract_next(ContractLexer *lexer);
bool contract_is(const ContractLexer *lexer, const char *word);
// Goes on if the word is this one.
bool contract_accept(ContractLexer *lexer, const char *word);
// False: reported.
CAKE_NODISCARD bool contract_expect(ContractLexer *lexer, const char *word);
CAKE_NODISCARD bool contract_name(ContractLexer *lexer, CakeStr *out);
CAKE_NODISCARD bool contract_integer(ContractLexer *lexer, int64_t *out);
CAKE_NODISCARD bool contract_real(ContractLexer *lexer, double *out);
bool contract_is_name(const ContractLexer *lexer);
bool contract_is_number(const ContractLexer *lexer);
// "expected WHAT, found 'word'". Always false.
bool contract_unexpected(const ContractLexer *lexer, const char *what);

#endif
