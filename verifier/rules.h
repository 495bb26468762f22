// Prototypes of the rules, one a row of rules.def, and what their files share.
#ifndef CAKE_VERIFIER_RULES_H
#define CAKE_VERIFIER_RULES_H

#include "cake/symbol.h"
#include "cake/text.h"
#include "dialects/cake/cake.h"
#include "verifier/verifier.h"

#define RULE(row, ...) bool cake_rule_##row(CakeOp *module);
#include "verifier/rules.def"
#undef RULE

// "role '@load'", or "kernel '@k'" where there is no role, or "": for messages.
const char *cake_where(const CakeOp *op);
// "full slot of pipeline '@ring'", "pending accumulator"; any other linear type as it prints.
const char *cake_linear_text(CakeType type);
// Bytes of shared memory that a kernel's pipelines and buffers take; -1 before instantiation.
int64_t cake_kernel_shared_bytes(const CakeOp *kernel);
// The next op of an enumerator of the cake dialect in a pre-order walk of `module`; start with `op` = NULL.
CakeOp *cake_next_cake_op(CakeOp *module, CakeOp *op, int enumerator);

#endif
