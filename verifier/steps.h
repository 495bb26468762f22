// Which step of an item fills the slot that a role waits for in front of its own loop over steps.
#ifndef CAKE_VERIFIER_STEPS_H
#define CAKE_VERIFIER_STEPS_H

#include "dialects/cake/cake.h"

// True for a `wait` in the body of cake.items, where `acquire`, the only one of its pipeline, stands in the steps of
// the same iterator and none is left out: the n-th wait of the body takes the slot of step n.
bool cake_wait_step(CakeOp *wait, CakeOp *acquire, CakeOp **out_tiles, int64_t *out_step);

#endif
