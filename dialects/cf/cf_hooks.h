// cf: hooks of its ops. Private to dialects/cf.
#ifndef CAKE_DIALECTS_CF_HOOKS_H
#define CAKE_DIALECTS_CF_HOOKS_H

#include "cake/asm.h"

bool cf_br_parse(CakeAsmParser *parser);
void cf_br_print(CakeAsmPrinter *printer, CakeOp *op);
bool cf_cond_br_parse(CakeAsmParser *parser);
void cf_cond_br_print(CakeAsmPrinter *printer, CakeOp *op);
bool cf_br_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool cf_cond_br_canonicalize(CakeOp *op, CakeRewriter *rewriter);

#endif
