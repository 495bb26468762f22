// cf: hooks of its ops. Private to dialects/cf.
#ifndef CAKE_DIALECTS_CF_HOOKS_H
#define CAKE_DIALECTS_CF_HOOKS_H

#include "cake/asm.h"

bool cf_parse_weights(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count);
void cf_print_weights(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count);
bool cf_has_weights(const CakeOp *op, const CakeAsmRef *refs, size_t count);
bool cf_switch_parse(CakeAsmParser *parser);
void cf_switch_print(CakeAsmPrinter *printer, CakeOp *op);
bool cf_switch_verify(CakeOp *op);
// What is handed to a successor must be what the block takes.
bool cf_verify_successor(CakeOp *op, uint32_t successor, CakeOperandRange operands);
CakeOperandRange cf_br_successor_operands(const CakeOp *op, uint32_t index);
CakeOperandRange cf_cond_br_successor_operands(const CakeOp *op, uint32_t index);
CakeOperandRange cf_switch_successor_operands(const CakeOp *op, uint32_t index);
int cf_cond_br_chosen(const CakeOp *op, const CakeAttr *operands);
int cf_switch_chosen(const CakeOp *op, const CakeAttr *operands);
bool cf_br_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool cf_cond_br_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool cf_switch_canonicalize(CakeOp *op, CakeRewriter *rewriter);

#endif
