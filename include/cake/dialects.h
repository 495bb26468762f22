// The dialects that Cake ships with.
#ifndef CAKE_DIALECTS_H
#define CAKE_DIALECTS_H

#include "cake/dialect.h"

CAKE_BEGIN_C

// The dialects of this library, in the order in which they are registered; NULL behind the last.
extern const CakeDialectDef *const cake_dialects[];

// Registers all of them. Takes microseconds: descriptors are constant data, looked up by name on first use.
void cake_register_all_dialects(CakeContext *context);

CAKE_END_C
#endif
