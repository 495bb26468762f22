// scf: hooks of its ops. Private to dialects/scf.
#ifndef CAKE_DIALECTS_SCF_HOOKS_H
#define CAKE_DIALECTS_SCF_HOOKS_H

#include "cake/asm.h"

bool scf_for_parse(CakeAsmParser *parser);
bool scf_for_quick(CakeQuick *quick);
void scf_for_print(CakeAsmPrinter *printer, CakeOp *op);
bool scf_if_parse(CakeAsmParser *parser);
bool scf_if_quick(CakeQuick *quick);
void scf_if_print(CakeAsmPrinter *printer, CakeOp *op);
bool scf_while_parse(CakeAsmParser *parser);
bool scf_while_quick(CakeQuick *quick);
void scf_while_print(CakeAsmPrinter *printer, CakeOp *op);
bool scf_index_switch_parse(CakeAsmParser *parser);
void scf_index_switch_print(CakeAsmPrinter *printer, CakeOp *op);

bool scf_parallel_parse(CakeAsmParser *parser);
void scf_parallel_print(CakeAsmPrinter *printer, CakeOp *op);
bool scf_parallel_verify(CakeOp *op);
bool scf_parallel_verify_regions(CakeOp *op);
bool scf_forall_parse(CakeAsmParser *parser);
void scf_forall_print(CakeAsmPrinter *printer, CakeOp *op);
bool scf_forall_verify(CakeOp *op);
bool scf_forall_in_parallel_verify(CakeOp *op);
bool scf_reduce_parse(CakeAsmParser *parser);
void scf_reduce_print(CakeAsmPrinter *printer, CakeOp *op);
bool scf_reduce_verify(CakeOp *op);
bool scf_reduce_return_verify(CakeOp *op);
bool scf_execute_region_parse(CakeAsmParser *parser);
void scf_execute_region_print(CakeAsmPrinter *printer, CakeOp *op);
bool scf_execute_region_verify(CakeOp *op);

bool scf_for_is_speculatable(const CakeOp *op); // surely comes to an end: the step is 1
int scf_if_chosen(const CakeOp *op, const CakeAttr *operands);
int scf_index_switch_chosen(const CakeOp *op, const CakeAttr *operands);
bool scf_for_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool scf_if_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool scf_while_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool scf_execute_region_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool scf_index_switch_canonicalize(CakeOp *op, CakeRewriter *rewriter);
// Of scf.if. Each: whether it has rewritten the op.
bool scf_if_swap(CakeOp *op, CakeRewriter *rewriter);        // `if not c` with an else
bool scf_if_combine(CakeOp *op, CakeRewriter *rewriter);     // with the one in front of it, on the same condition or its negation
bool scf_if_merge_inner(CakeOp *op, CakeRewriter *rewriter); // with the only op in its first region
// Which region of `op` the user is in; -1: none.
int scf_region_around(const CakeOp *op, const CakeOp *user);

#endif
