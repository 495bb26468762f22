// Verification of structure, rows, traits and dominance. Reports every fault it finds.
#ifndef CAKE_VERIFY_H
#define CAKE_VERIFY_H

#include "cake/dialect.h"

CAKE_BEGIN_C

// Checks `op` and everything in it: structure, the descriptor's rows, traits, the hooks, symbols, SSA dominance. False: reported.
CAKE_NODISCARD bool cake_verify(CakeOp *op);
// The same, and nothing is reported. What does not verify is printed in the generic form alone: the others count on what they print.
CAKE_NODISCARD bool cake_verifies(const CakeOp *op);

// Further checks over whole modules that upper layers add (the linear-value checker, schedule rules): run by tools after `cake_verify`.
typedef bool (*CakeVerifyFn)(CakeOp *module);

// ---- Dominance -----------------------------------------------------------------------------------------------------

// Dominator trees of the regions under an op, computed on demand; stale after a change of control flow.
typedef struct CakeDominance CakeDominance;
CakeDominance *cake_dominance_create(CakeOp *root);
void cake_dominance_destroy(CakeDominance *dominance);
bool cake_dominance_blocks(CakeDominance *dominance, const CakeBlock *a, const CakeBlock *b); // a dominates b; one region
bool cake_dominance_value(CakeDominance *dominance, const CakeValue *value, CakeOp *user);     // may `user` use `value`
bool cake_dominance_is_reachable(CakeDominance *dominance, const CakeBlock *block);

CAKE_END_C
#endif
