// One execution of a gpu.func: all warps of a CTA, with the numbers that addresses and control flow are made of.
//
// Sizes are numbers that the guard allows, the CTA is the first of a grid of one, and whatever comes from memory is not known. Warps go at
// one pace until they wait for one another. So what is seen is an execution that can happen; that there are others is nobody's claim.
#ifndef CAKE_VERIFIER_WARP_RUN_H
#define CAKE_VERIFIER_WARP_RUN_H

#include "cake/op.h"

typedef enum CakeRunStep {
  CAKE_RUN_ON,
  CAKE_RUN_AGAIN, // half of the op is done; the rest is its next turn
  CAKE_RUN_WAIT, // the op is executed again when others have moved
  CAKE_RUN_STOP, // nothing behind it is looked at
  CAKE_RUN_SILENT, // of the run itself: nobody watches the op
} CakeRunStep;

typedef struct CakeWarpRun CakeWarpRun;

// What the client does with the ops that it watches.
typedef struct CakeRunClient {
  bool (*watches)(const CakeOp *op);
  CakeRunStep (*execute)(void *user, CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op);
  void *user;
} CakeRunClient;

// Runs until all warps have ended, none can go on, something that matters is not known, or so many ops were executed.
// True: all have ended.
bool cake_warp_run(CakeOp *func, const CakeRunClient *client, size_t budget);
// Takes so many from the budget: what a client does may cost more than an op.
void cake_run_spend(CakeWarpRun *run, size_t ops);
// The numbers in all 32 lanes. Returns those in which it is known, a bit each.
uint32_t cake_run_numbers(const CakeWarpRun *run, int32_t warp, const CakeValue *value, int64_t *out);
// The same number in all of some lanes. False: not known, or not the same.
bool cake_run_number_of(const CakeWarpRun *run, int32_t warp, uint32_t lanes, const CakeValue *value, int64_t *out);

#endif
