// When the operands of an asynchronous matrix instruction are free again.
#ifndef CAKE_VERIFIER_LOANS_H
#define CAKE_VERIFIER_LOANS_H

#include "cake/op.h"

// Whether the group of a multiplication, or a later one, has been awaited before `end` on every path that reaches it.
bool cake_loan_is_returned(CakeOp *mma, CakeOp *end);

#endif
