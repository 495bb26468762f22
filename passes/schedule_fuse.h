// A kernel and the epilogue that follows it: what schedule-fuse-epilogue finds out before it fuses them.
#ifndef CAKE_PASSES_SCHEDULE_FUSE_H
#define CAKE_PASSES_SCHEDULE_FUSE_H

#include "passes/schedule.h"

typedef struct CakeFusion {
  CakeSchedule *schedule;
  CakeOp *store, *load; // the producer's of its result, the epilogue's of the same array
  CakeMap values;       // of the epilogue to those of the producer
  CakeMap sizes;        // CakeId of the epilogue's size to the producer's expression
  CakeSubstitution renaming;
} CakeFusion;

// Everything above but what is fused: zero-initialised but for `schedule`. The epilogue's loop over items; NULL: remarked.
CakeOp *cake_fusion_find(CakeFusion *f);
void cake_fusion_fini(CakeFusion *f);

#endif
