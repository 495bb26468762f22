// The part of a stored value that goes into one slot: for schedule-store.
#ifndef CAKE_PASSES_SCHEDULE_STORE_H
#define CAKE_PASSES_SCHEDULE_STORE_H

#include "passes/schedule.h"

typedef struct CakeStoreParts {
  CakeSchedule *schedule;
  CakeOp *store;
  int64_t columns;  // of a part
  CakeValue *index; // which part: columns from index * columns on
  CAKE_VEC(CakeOp *) ops; // that the value is computed by from accumulators and the like, the last one first
  CakeMap parts;          // values to their parts
} CakeStoreParts;

// Computes the part at the rewriter's insertion point, which is in a loop over `index`: the element-wise ops before the store once more, on slices
// of what they begin with.
CakeValue *cake_store_parts_build(CakeStoreParts *p);
// Erases the ops that nobody uses any more; the store is gone.
void cake_store_parts_fini(CakeStoreParts *p);

#endif
