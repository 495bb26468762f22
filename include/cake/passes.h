// The passes that Cake ships with.
#ifndef CAKE_PASSES_H
#define CAKE_PASSES_H

#include "cake/pass.h"

CAKE_BEGIN_C

// One entry a row of passes/passes.def; a NULL name behind the last.
extern const CakePassDef cake_passes_table[];
// A registry of that table alone.
extern const CakePassRegistry cake_passes_registry;

CAKE_END_C
#endif
