// func: the hand-written custom form of func.call_indirect. Private to dialects/func.
#ifndef CAKE_DIALECTS_FUNC_ASM_H
#define CAKE_DIALECTS_FUNC_ASM_H

#include "cake/asm.h"

bool func_call_indirect_parse(CakeAsmParser *parser);
void func_call_indirect_print(CakeAsmPrinter *printer, CakeOp *op);

#endif
