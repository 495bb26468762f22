// Intervals of the integers that a warp's threads may hold.
#ifndef CAKE_VERIFIER_LANE_RANGES_H
#define CAKE_VERIFIER_LANE_RANGES_H

#include "cake/op.h"

typedef struct CakeLaneRange {
  int64_t lo, hi; // both inclusive
} CakeLaneRange;

// What a value of index, integer or shared pointer type may be in the threads of a warp; shared memory begins at 0. What
// is not known counts as 0, so for an address the interval is that of its known part: `base + stage * bytes` of an unknown
// stage is the first slot. `*is_exact` becomes false then.
CakeLaneRange cake_lane_range(const CakeValue *value, int32_t warp, bool *is_exact);

#endif
