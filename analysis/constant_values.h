// Which values are constants, and which blocks run, whatever the input: sparse conditional constant propagation.
//
// Wegman and Zadeck, "Constant Propagation with Conditional Branches" (1991), over blocks, over the regions of structured
// control flow, and through the calls of private callables. Values are taken for constants until shown to be otherwise, and
// blocks for dead until something leads to them.
#ifndef CAKE_ANALYSIS_CONSTANT_VALUES_H
#define CAKE_ANALYSIS_CONSTANT_VALUES_H

#include "cake/dialect.h"

typedef struct CakeConstantValues CakeConstantValues;

// Of everything in `root`, which may be entered with any values.
CakeConstantValues *cake_constant_values_create(CakeOp *root);
void cake_constant_values_destroy(CakeConstantValues *values);
// The constant that the value is; NULL: none, or its op never runs.
CakeAttr cake_constant_values_get(const CakeConstantValues *values, const CakeValue *value);
bool cake_constant_values_runs(const CakeConstantValues *values, const CakeBlock *block);

#endif
