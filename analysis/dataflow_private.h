// What the files of the sparse dataflow solver share.
#ifndef CAKE_ANALYSIS_DATAFLOW_PRIVATE_H
#define CAKE_ANALYSIS_DATAFLOW_PRIVATE_H

#include "analysis/dataflow.h"
#include "analysis/known_calls.h"

enum { CAKE_DATAFLOW_WORDS = 4 }; // of the largest state
typedef CAKE_VEC(uint64_t) CakeStates;

struct CakeDataflow {
  const CakeDataflowDef *def;
  CakeArena *arena;
  // By open addressing: the value and its state, `words` together. No value: free.
  uint64_t *entries;
  size_t capacity, n_values, words;
  CakeMap running; // blocks
  const CakeBlock *last_running; // one of them
  CAKE_VEC(CakeValue *) changed;
  CAKE_VEC(CakeOp *) wide;      // ops with many operands that are to be looked at again
  CakeMap is_wide;              // those in it
  CAKE_VEC(CakeBlock *) blocks; // that run, and were not looked at
  CAKE_VEC(CakeAttr) constants; // of an op's operands
  CakeStates operands, results; // of the op that is looked at
  CakeKnownCalls calls;
};

// The value may also be what `from` is.
void cake_dataflow_join(CakeDataflow *dataflow, CakeValue *value, const CakeValue *from);
void cake_dataflow_any_results(CakeDataflow *dataflow, CakeOp *op);
void cake_dataflow_run_block(CakeDataflow *dataflow, CakeBlock *block);
// With any arguments.
void cake_dataflow_enter_region(CakeDataflow *dataflow, CakeRegion *region);

// Calls (dataflow_calls.c).
void cake_dataflow_visit_call(CakeDataflow *dataflow, CakeOp *call);
void cake_dataflow_visit_callable(CakeDataflow *dataflow, CakeOp *callable);
void cake_dataflow_visit_return(CakeDataflow *dataflow, CakeOp *end);

#endif
