// Live values: those on which an effect, or what others may see, depends.
//
// Backwards from the operands of ops that stay whatever their results are for. Values that are handed on (by branches, calls
// and returns of private callables, yields and what loops carry) are live when what they become is, over all cycles. What
// says nothing of how it hands values on needs all of its operands.
#ifndef CAKE_ANALYSIS_LIVE_VALUES_H
#define CAKE_ANALYSIS_LIVE_VALUES_H

#include "analysis/flow.h"
#include "analysis/known_calls.h"

typedef struct CakeLiveValues {
  CakeKnownCalls calls;
  CakeMap live;   // CakeValue * → 1
  CakeMap needed; // ops with regions that must run, though they are pure
  CakeValueVec work;
} CakeLiveValues;

// Of everything in `root`.
void cake_live_values_init(CakeLiveValues *values, CakeOp *root);
void cake_live_values_fini(CakeLiveValues *values);
bool cake_value_is_live(const CakeLiveValues *values, const CakeValue *value);
// What the program can do without, all at once: an operand that does nothing but hand a value on to what is not live; a result that its op, or its
// callee, makes for nobody; an argument that gets its value from such operands alone; what a callable returns to nobody.
bool cake_operand_is_dead(CakeLiveValues *values, CakeOp *op, uint32_t index);
bool cake_result_is_dead(CakeLiveValues *values, CakeOp *op, uint32_t index);
bool cake_argument_is_dead(const CakeLiveValues *values, const CakeValue *argument);
bool cake_returned_is_dead(const CakeLiveValues *values, const CakeOp *callable, uint32_t index);

#endif
