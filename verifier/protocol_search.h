// What exploring a protocol and showing a fault share.
#ifndef CAKE_VERIFIER_PROTOCOL_SEARCH_H
#define CAKE_VERIFIER_PROTOCOL_SEARCH_H

#include "verifier/protocol_state.h"

enum { MAX_KEPT = 1 << 26 }; // words of all states

typedef CAKE_VEC(int32_t) CakeChoices; // entries of tapes, in the order in which they were chosen

// Makes a schedule that leads to the fault of `found` and runs it. The trace is the caller's to give back. When the
// schedule does not show the fault, which only a mistake of the checker could cause, `out` has none, and the model a limit.
void cake_fault_replay(CakeState *found, const CakeChoices *choices, CakeFault *out);

#endif
