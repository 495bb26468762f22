// Which step of an item fills the slot that a role waits for.
#ifndef CAKE_VERIFIER_STEPS_H
#define CAKE_VERIFIER_STEPS_H

#include "dialects/cake/cake.h"

// True for a `wait` in the body of cake.items, where `acquire`, the only one of its pipeline, stands in the steps of
// the same iterator and none is left out: the n-th wait of the body takes the slot of step n.
bool cake_wait_step(CakeOp *wait, CakeOp *acquire, CakeOp **out_tiles, int64_t *out_step);
// True for the only `wait` in the steps of an item, from `*out_from` on, with as many waits in front of the loop: it takes the slot of the loop's own step.
bool cake_wait_own_step(CakeOp *wait, CakeOp *acquire, CakeOp **out_tiles, int64_t *out_from);

#endif
