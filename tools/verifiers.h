// The checks over whole modules that tools run behind the core's verifier.
#ifndef CAKE_TOOLS_VERIFIERS_H
#define CAKE_TOOLS_VERIFIERS_H

#include "cake/verify.h"

// How many there are, and the table.
size_t cake_tool_verifiers(const CakeVerifyFn **out);
// The core's verifier, then those. False: reported.
CAKE_NODISCARD bool cake_tool_verify(CakeOp *module);

#endif
