// Rings of mbarriers at the thread level, whose stages are all alike.
//
// A ring has arrays of mbarriers, of which processes use one after the other: each has an index that goes from 0 to the number of stages and begins
// anew, and a parity that changes when it does. Shifting all indices and mbarriers of a ring by a stage, and the parities that pass the end,
// gives a state from which everything goes on in the same way. So of the states that are such shifts of one another one is enough.
#ifndef CAKE_VERIFIER_PROTOCOL_RINGS_H
#define CAKE_VERIFIER_PROTOCOL_RINGS_H

#include "verifier/protocol_state.h"

typedef struct CakeRings CakeRings;

// The rings of a model; NULL: none is known. Behind `cake_process_find_live`.
CakeRings *cake_rings_find(const CakeState *state);
// Shifts the state that is worked on, so that a process of each ring stands at the first stage.
void cake_rings_turn(CakeRings *rings, CakeState *state);

#endif
