// Whether a place in shared memory is one that an instruction can access.
#ifndef CAKE_VERIFIER_SHARED_PLACES_H
#define CAKE_VERIFIER_SHARED_PLACES_H

#include "cake/op.h"

// Reports what is not aligned, or outside of the CTA's shared memory; an op once.
bool cake_shared_place_fits(CakeOp *func, CakeOp *op, int64_t address, int64_t bytes, int64_t align, CakeMap *reported);
// What a tensor map's swizzle asks of addresses: 8 rows of it, else 128 bytes.
int64_t cake_shared_map_align(const CakeOp *func, const CakeValue *map);

#endif
