// Callables with a body and their calls; of those that nobody outside can name and to which nothing but calls refers, all calls are known.
#ifndef CAKE_ANALYSIS_KNOWN_CALLS_H
#define CAKE_ANALYSIS_KNOWN_CALLS_H

#include "analysis/call_graph.h"

typedef struct CakeKnownCallable {
  CakeOp *op;
  bool is_known; // all of its calls are
  size_t references, first_call, n_calls; // its calls are neighbours in `calls`
} CakeKnownCallable;

typedef struct CakeKnownCalls {
  CakeCallGraph graph;
  CakeMap index; // callable → its number + 1
  CAKE_VEC(CakeKnownCallable) callables;
  CAKE_VEC(CakeOp *) calls;
} CakeKnownCalls;

// Of a root that is a symbol table: only that holds all that may refer to its private symbols. Of others: none.
void cake_known_calls_init(CakeKnownCalls *calls, CakeOp *root);
void cake_known_calls_fini(CakeKnownCalls *calls);
// NULL: not all of its calls are known.
const CakeKnownCallable *cake_known_callable(const CakeKnownCalls *calls, const CakeOp *callable);
// What a call calls; NULL: the op is no call, or other calls of its callee are not known.
const CakeKnownCallable *cake_known_callee(CakeKnownCalls *calls, CakeOp *call);
// The same of any callable with a body, whoever else may call it; NULL: it is in none.
const CakeKnownCallable *cake_called_callable(const CakeKnownCalls *calls, const CakeOp *callable);
const CakeKnownCallable *cake_called_callee(CakeKnownCalls *calls, CakeOp *call);
static inline CakeOp *cake_known_call(const CakeKnownCalls *calls, const CakeKnownCallable *callable, size_t index) {
  return calls->calls.data[callable->first_call + index];
}

#endif
