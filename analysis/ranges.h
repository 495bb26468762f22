// Ranges of integers: the smallest and the largest number that a value may be, as signed numbers.
//
// An analysis of cake/dataflow: over arith, the counters of loops, and what a GPU's thread knows of itself. `i1` is 0 or 1.
// Sums that may wrap, and numbers of more than 32 bits, are anything. Bounds that go on growing round a loop are widened.
#ifndef CAKE_ANALYSIS_RANGES_H
#define CAKE_ANALYSIS_RANGES_H

#include "dataflow.h"

CAKE_BEGIN_C

typedef struct CakeRange {
  int64_t min, max;
} CakeRange;

extern const CakeDataflowDef cake_ranges;

// False: nothing leads to the value, or it is no integer of at most 64 bits and no index. A value that may be anything has
// all numbers of its type.
bool cake_range_of(const CakeDataflow *ranges, const CakeValue *value, CakeRange *out);

CAKE_END_C
#endif
