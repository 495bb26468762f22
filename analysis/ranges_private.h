// What the files of the analysis of ranges share.
#ifndef CAKE_ANALYSIS_RANGES_PRIVATE_H
#define CAKE_ANALYSIS_RANGES_PRIVATE_H

#include "analysis/ranges.h"

typedef struct RangeState {
  CakeRange range;
  int32_t is_known; // 1 but for zeroed memory
  int32_t changes;  // so far
} RangeState;

// All numbers of a type; false: it is none of those that have ranges.
bool cake_range_of_type(CakeType type, CakeRange *out);
// A state's numbers that the type has.
CakeRange cake_range_in_type(const RangeState *state, CakeType type);
void cake_range_set(RangeState *state, int64_t min, int64_t max);
// An op of arith (ranges_arith.c).
void cake_range_arith(CakeOp *op, const RangeState *operands, RangeState *results);

#endif
