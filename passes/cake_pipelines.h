// Named pass pipelines.
#ifndef CAKE_PASSES_CAKE_PIPELINES_H
#define CAKE_PASSES_CAKE_PIPELINES_H

#include "cake/base.h"

CAKE_BEGIN_C

// A kernel's way from the schedule level to the thread level, as cake-translate and cake-run take it. Appends the text of a pipeline on
// builtin.module. `params` are the template parameters, "D=64,S=3"; empty: their defaults.
// `watchdog_ns` bounds every wait; 0: no watchdog.
void cake_lower_pipeline(CakeBuf *out, CakeStr params, int64_t watchdog_ns);

CAKE_END_C
#endif
