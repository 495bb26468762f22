// Sparse forward dataflow: what is known of each value, from what is known of the operands of its op.
//
// Wegman and Zadeck, "Constant Propagation with Conditional Branches" (1991), for any lattice: over blocks, over the regions
// of structured control flow, and through calls: what a callee returns, and what callables get all of whose references are
// calls, and which nobody outside can name. Nothing is known of a value until something leads to it, and blocks are dead until then; a branch whose way is known leads one way.
//
// An analysis is a CakeDataflowDef: the size of a state and three functions. A state is zeroed memory: nothing leads to
// the value yet. `join` and `transfer` must be monotonic, and a state may change only so many times: who has long chains
// (ranges) widens in `join`.
#ifndef CAKE_ANALYSIS_DATAFLOW_H
#define CAKE_ANALYSIS_DATAFLOW_H

#include "cake/dialect.h"

CAKE_BEGIN_C

typedef struct CakeDataflow CakeDataflow;

typedef struct CakeDataflowDef {
  const char *name;
  size_t size; // of a state, in bytes: at most 32
  // The value may also be what `from`, which is not zero, says. True: `into` has changed.
  bool (*join)(void *into, const void *from);
  // The state of a value that may be anything.
  void (*anything)(const CakeValue *value, void *out);
  // The states of the results of an op without regions, from those of its operands, none of which is zero. Both lists have
  // `size` bytes a value; what is done to `operands` is lost. A result that is left zero may be anything.
  void (*transfer)(CakeOp *op, void *operands, void *results);
  // The constant that a state stands for; NULL: none. It decides branches, and is what cake_dataflow_constant gives.
  CakeAttr (*constant)(const void *state, CakeType type);
  // The state of an argument that a loop counts with; left zero: anything. The operands' states are asked for by
  // cake_dataflow_state (NULL: nothing leads there yet), and it is called again when one changes. NULL: anything.
  void (*argument)(const CakeDataflow *dataflow, CakeOp *loop, CakeValue *argument, void *out);
} CakeDataflowDef;

// Of everything in `root`, which may be entered with any values.
CakeDataflow *cake_dataflow_create(const CakeDataflowDef *def, CakeOp *root);
void cake_dataflow_destroy(CakeDataflow *dataflow);
// NULL: nothing leads to the value.
const void *cake_dataflow_state(const CakeDataflow *dataflow, const CakeValue *value);
// The constant that the value is; NULL: none, or nothing leads to it.
CakeAttr cake_dataflow_constant(const CakeDataflow *dataflow, const CakeValue *value);
bool cake_dataflow_runs(const CakeDataflow *dataflow, const CakeBlock *block);

CAKE_END_C
#endif
