// The cost model: what bounds the time of a kernel, on a machine, for given sizes.
//
// One multiprocessor is run through time, with the CTAs that are on it at once: that which has most to do. Roles go on by the simulator's own
// protocol (simulator/sim_pipe.c and its like); instead of numbers, ops have durations (work.c). What the model knows and does not is in
// docs/cost.md.
#ifndef CAKE_COST_COST_H
#define CAKE_COST_COST_H

#include "analysis/machines/machine.h"
#include "cake/op.h"

CAKE_BEGIN_C

typedef enum CakeCostResource {
#define RESOURCE(row, ...) CAKE_COST_##row,
#include "cost/resources.def"
#undef RESOURCE
  CAKE_COST_RESOURCES
} CakeCostResource;
const char *cake_cost_resource_name(CakeCostResource resource);

// A named size of the launch.
typedef struct CakeCostSize {
  CakeStr name;
  int64_t value;
} CakeCostSize;

// The elements of an array that items are computed from.
typedef struct CakeCostArray {
  CakeStr name;
  const int64_t *values;
  size_t count;
} CakeCostArray;

// A picture of what happens between two cycles of the estimate, a track for each instance of a role and for each resource that takes what it is
// asked for one behind the other.
typedef struct CakeCostTimeline {
  double first, last;
  CakeBuf *svg;
} CakeCostTimeline;

typedef struct CakeCostOptions {
  const CakeMachine *machine;
  const CakeCostSize *sizes;
  size_t n_sizes;
  const CakeCostArray *arrays;
  size_t n_arrays;
  const CakeCostTimeline *timeline; // NULL: no picture
} CakeCostOptions;

// What a role waits for.
typedef enum CakeCostWaitKind {
  CAKE_COST_WAIT_EMPTY,   // a slot of a pipeline that is still full
  CAKE_COST_WAIT_FULL,    // a slot of a pipeline that is not filled yet
  CAKE_COST_WAIT_TURN,    // its turn of an order
  CAKE_COST_WAIT_BARRIER, // the others at a barrier
  CAKE_COST_WAIT_TENSOR,  // the tensor core
  CAKE_COST_WAIT_VALUE,   // what a load, a reduction or the instruction before gives
  CAKE_COST_WAIT_KINDS,
} CakeCostWaitKind;

typedef struct CakeCostWait {
  CakeCostWaitKind kind;
  CakeOp *object; // the declaration of the pipeline, order or barrier; of a value the op that gives it; NULL for the tensor core
  double part;    // of the time, 0 to 1
} CakeCostWait;

typedef struct CakeCostRole {
  CakeOp *role;
  uint32_t replicas;
  double works;        // part of the time in which an instance executes instructions, on average
  double ended;        // part of the time behind its end
  CakeCostWait *waits; // the largest first
  size_t n_waits;
} CakeCostRole;

// A pipeline, or the rings of one.
typedef struct CakeCostRing {
  CakeOp *pipeline;
  uint32_t stages;
  double saves; // part of the time that goes with one more slot in each ring
} CakeCostRing;

typedef struct CakeCostReport {
  double microseconds; // of a launch
  double cycles;       // of the multiprocessor, without what a launch takes anyhow
  double fill, drain;  // cycles before the busiest resource begins, and behind its end
  int64_t grid, items, ctas_per_sm, ctas, rounds; // CTAs; items; CTAs on a multiprocessor at once, and of it in all; items of the longest CTA
  const char *occupancy_by;                       // what limits them: "registers"
  double skipped;                                 // part of the time that was not run: it repeats what was
  uint64_t events;
  double busy[CAKE_COST_RESOURCES];  // part of the time
  double saves[CAKE_COST_RESOURCES]; // part of the time that goes when the resource is twice as fast
  CakeCostResource bound;            // that saves most
  CakeCostRole *roles;
  size_t n_roles;
  CakeCostRing *rings;
  size_t n_rings;
} CakeCostReport;

// Of an instantiated cake.kernel, whose calls are inlined and whose `cake.unroll` is unrolled, in place, with those of its module. What the report points to lives as long as the context. False: reported; COST_DECLINED where something is not
// modelled.
CAKE_NODISCARD bool cake_cost_estimate(CakeOp *kernel, const CakeCostOptions *options, CakeCostReport *report);

// Whether one resource bounds the time: twice as fast it would save 2 % or more.
bool cake_cost_is_bound(const CakeCostReport *report);
// The report for people, and as one JSON object.
void cake_cost_print(CakeOp *kernel, const CakeMachine *machine, const CakeCostReport *report, CakeBuf *out);
void cake_cost_json(CakeOp *kernel, const CakeMachine *machine, const CakeCostReport *report, CakeJson *json);

CAKE_END_C
#endif
