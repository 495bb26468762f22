// Constants as ops: reading them, and one op for each value in a callable.
#ifndef CAKE_CONSTANTS_H
#define CAKE_CONSTANTS_H

#include "cake/dialect.h"

CAKE_BEGIN_C

// The value of the constant op that defines it; NULL when none does.
CakeAttr cake_value_constant(const CakeValue *value);

// As in MLIR, the constants of a function are unique and stand at its start. In other ops (kernels, whose rows say what may stand
// where) they stay where they are needed. Zero-initialise, with the rewriter that makes them.
typedef struct CakeConstants {
  CakeRewriter *rewriter;
  CakeOp *callable; // the one that `known` is about; NULL: none
  CakeMap known;    // CakeAttr → the constant op of this value at the callable's start
} CakeConstants;

void cake_constants_fini(CakeConstants *constants);
// Of no callable any more.
void cake_constants_clear(CakeConstants *constants);
// The callable to whose start constants of `op` go; NULL when an op between them may not be passed.
CakeOp *cake_constants_callable(const CakeOp *op);
// The known constant; NULL when there is none.
CakeOp *cake_constants_find(const CakeConstants *constants, const CakeOp *callable, CakeAttr value, CakeType type);
void cake_constants_add(CakeConstants *constants, CakeOp *callable, CakeAttr value, CakeOp *op);
// To be called before a constant op goes.
void cake_constants_remove(CakeConstants *constants, const CakeOp *op);
// A constant op with one result that was met: it is the one of its value from now on, at the callable's start, or that one takes its
// place. True: it is gone.
bool cake_constants_unify(CakeConstants *constants, CakeOp *op);
// A constant of that value and type which `op` may use, made where needed; NULL when the dialect of `op`, and arith, cannot make it.
CakeValue *cake_constants_get(CakeConstants *constants, CakeOp *op, CakeAttr value, CakeType type);

CAKE_END_C
#endif
