// Reading the definitions of contracts. Private to tools/run_contract_*.c.
#ifndef CAKE_TOOLS_RUN_CONTRACT_FORMULA_H
#define CAKE_TOOLS_RUN_CONTRACT_FORMULA_H

#include "tools/run_contract_lex.h"

// "c[m, n] = formula" behind its first word. False: reported.
CAKE_NODISCARD bool contract_parse_definition(CakeContract *contract, ContractLexer *lexer, ContractRole role, bool is_update);

#endif
