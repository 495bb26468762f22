// What the files of the constant propagation share.
#ifndef CAKE_ANALYSIS_CONSTANT_VALUES_PRIVATE_H
#define CAKE_ANALYSIS_CONSTANT_VALUES_PRIVATE_H

#include "analysis/call_graph.h"
#include "analysis/constant_values.h"

// Nothing known yet, or an attribute, or no constant.
typedef uintptr_t CakeConstantState;
enum { CAKE_STATE_UNKNOWN = 0, CAKE_STATE_VARIES = 1 };

// A callable all of whose calls are known.
typedef struct CakeKnownCallable {
  CakeOp *op;
  size_t references, first_call, n_calls; // its calls are neighbours in `calls`
} CakeKnownCallable;

struct CakeConstantValues {
  CakeArena *arena;
  CakeMap states;  // CakeValue * → CakeConstantState
  CakeMap running; // blocks
  CAKE_VEC(CakeValue *) changed;
  CAKE_VEC(CakeBlock *) blocks; // that run, and were not looked at
  CAKE_VEC(CakeAttr) operands;
  CakeCallGraph graph;
  CakeMap known; // callable → its number + 1
  CAKE_VEC(CakeKnownCallable) callables;
  CAKE_VEC(CakeOp *) calls;
};

// The value may also be what `from` is.
void cake_constant_join(CakeConstantValues *values, CakeValue *value, const CakeValue *from);
void cake_constant_results_vary(CakeConstantValues *values, CakeOp *op);
void cake_constant_run_block(CakeConstantValues *values, CakeBlock *block);
// With any arguments.
void cake_constant_enter_region(CakeConstantValues *values, CakeRegion *region);

// Calls (constant_calls.c).
void cake_constant_find_calls(CakeConstantValues *values, CakeOp *root);
void cake_constant_calls_fini(CakeConstantValues *values);
bool cake_constant_is_call(const CakeOp *op);
void cake_constant_visit_call(CakeConstantValues *values, CakeOp *call);
void cake_constant_visit_callable(CakeConstantValues *values, CakeOp *callable);
void cake_constant_visit_return(CakeConstantValues *values, CakeOp *end);

#endif
