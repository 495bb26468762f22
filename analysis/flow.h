// Control flow, for analyses: where values that are handed on come from, and which blocks come before a block.
//
// Over the successors of branches and the regions of ops whose flow is known (`.flow`). Ends of regions are blocks whose
// last op has no successors.
#ifndef CAKE_ANALYSIS_FLOW_H
#define CAKE_ANALYSIS_FLOW_H

#include "cake/dialect.h"

CAKE_BEGIN_C

typedef CAKE_VEC(CakeValue *) CakeValueVec;

// Appends what may be handed to a value: to an argument of a block, or to a result of an op with regions. False, and
// nothing: it gets its value otherwise (a function's argument, the index of a loop, the result of an op), or that is not
// known.
bool cake_flow_sources(const CakeValue *value, CakeValueVec *out);

// Appends the blocks from whose ends control may come to the start of `block`. True: also from in front of the op around.
bool cake_flow_predecessors(const CakeBlock *block, CakeBlockVec *out);
// Appends the blocks from whose ends control may go on behind an op with regions. True: also when no region runs.
bool cake_flow_exits(const CakeOp *op, CakeBlockVec *out);
// The same edges the other way. Appends the blocks to whose starts control may go from the end of `block`. True: also on behind the
// op around.
bool cake_flow_successors(const CakeBlock *block, CakeBlockVec *out);
// Appends the blocks at whose starts control may go into an op with regions. True: it may also go on behind it at once.
bool cake_flow_entries(const CakeOp *op, CakeBlockVec *out);
// Appends the blocks of all regions of an op that end without a branch.
void cake_flow_ends(const CakeOp *op, CakeBlockVec *out);
// What is known of how control goes through the regions of an op.
CakeFlowKind cake_flow_kind(const CakeOp *op);

// Whether blocks may follow one another in the region that the op stands in. Of an op that is not registered: yes.
bool cake_flow_may_have_blocks(const CakeOp *op);

// The values that are carried into the first region of a loop; an empty range when nothing is.
CakeOperandRange cake_flow_inits(const CakeOp *loop);

CAKE_END_C
#endif
