// Values of gpu functions that are known for each thread, and those that differ among the lanes of a warp.
#ifndef CAKE_VERIFIER_LANES_H
#define CAKE_VERIFIER_LANES_H

#include "verifier/protocol_model.h"

// The value of an expression over constants and the number of the thread, in a lane of a warp; shared memory begins at
// 0. False: it depends on more.
bool cake_lane_number(const CakeValue *value, int32_t warp, uint32_t lane, int32_t *out);
// The same in one CTA of a cluster, where shared memory begins at that CTA's window.
bool cake_lane_number_in(const CakeValue *value, int32_t rank, int32_t warp, uint32_t lane, int32_t *out);
// Whether the value may differ among the lanes of a warp, in a CTA of so many warps.
bool cake_lanes_differ(const CakeValue *value, int32_t warps);
// Ops that such expressions consist of: two operands and one result, or a change of type alone.
bool cake_lane_alu(const CakeOp *op, CakeAlu *out);
bool cake_lane_is_cast(const CakeOp *op);

#endif
