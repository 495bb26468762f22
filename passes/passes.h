// Enumerators over passes.def, and the functions of its rows.
#ifndef CAKE_PASSES_PASSES_H
#define CAKE_PASSES_PASSES_H

#include "cake/passes.h"

#define PASS(id, ...) CakePassResult cake_pass_##id(CakePassContext *pass, CakeOp *op);
#define OPTION(...)
#define END(id)
#include "passes/passes.def"
#undef PASS
#undef OPTION
#undef END

#endif
