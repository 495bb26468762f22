// Liveness: which values are still used, at the borders of blocks and behind ops.
//
// A value is live into a block when an op in it, or behind it in its region, uses it and it is not defined in it. Uses in
// the regions of an op count as uses by that op; in a loop, what comes from outside is live to the end of the body, since
// the next round uses it. That a value is used behind the op around a block does not make it live in the block:
// `cake_liveness_is_live_after` looks there, too.
//
// Each value is followed from its uses against the flow until its definition (Boissinot et al., "Fast Liveness Checking
// for SSA-Form Programs", 2008, §2): the work is that of writing the sets down, and nothing is iterated.
#ifndef CAKE_ANALYSIS_LIVENESS_H
#define CAKE_ANALYSIS_LIVENESS_H

#include "flow.h"
#include "cake/pass.h"

CAKE_BEGIN_C

typedef struct CakeLiveness CakeLiveness;

// Of everything in `root`. Stale after a change of ops, uses or control flow.
CakeLiveness *cake_liveness_create(CakeOp *root);
void cake_liveness_destroy(CakeLiveness *liveness);
// Appends the values that are live into (out of) a block, in the order of their definitions.
void cake_liveness_in(const CakeLiveness *liveness, const CakeBlock *block, CakeValueVec *out);
void cake_liveness_out(const CakeLiveness *liveness, const CakeBlock *block, CakeValueVec *out);
bool cake_liveness_is_live_in(const CakeLiveness *liveness, const CakeValue *value, const CakeBlock *block);
bool cake_liveness_is_live_out(const CakeLiveness *liveness, const CakeValue *value, const CakeBlock *block);
// Whether something that may run behind `op` uses the value.
bool cake_liveness_is_live_after(const CakeLiveness *liveness, const CakeValue *value, CakeOp *op);

extern const CakeAnalysisDef cake_liveness_analysis; // a CakeLiveness

CAKE_END_C
#endif
