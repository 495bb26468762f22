// What the files of the cost model share: the work of ops, and the multiprocessor that is run through time.
//
//   cost.c     the entry: the runs that are compared
//   arguments.c, places.c, run.c
//              a launch: its arguments, the CTAs of the multiprocessor that has most to do, one run of it
//   build.c    a role becomes the simulator's instructions; control flow and the protocol stay the simulator's, all else becomes work
//   work.c     how much work an op is
//   distinct.c which elements of a fragment a lane has several times
//   engine.c   roles, copies and matrix instructions go on through time
//   steady.c   what repeats is passed over
//   timeline.c what happened as a picture
//   report.c   the report as text and JSON
#ifndef CAKE_COST_MODEL_H
#define CAKE_COST_MODEL_H

#include "cost/cost.h"
#include "simulator/sim.h"

enum { CAKE_COST_QUARTERS = 4, CAKE_COST_LANE_KINDS = 4, CAKE_COST_MAX_CTAS = 64, CAKE_COST_MAX_EVENTS = 5000000, CAKE_COST_MAX_WAITS = 48 };

// ---- Work (work.c) ---------------------------------------------------------------------------------------------------------

typedef enum CakeCostEffect {
  CAKE_COST_NOTHING,
  CAKE_COST_LOADS,  // results come from memory
  CAKE_COST_STORES, // written to memory; nobody waits
  CAKE_COST_COPIES, // into a slot, which is told
  CAKE_COST_SENDS,  // the store engine reads a slot, which is told
  CAKE_COST_MULTIPLIES,       // asynchronously, in the tensor core
  CAKE_COST_MULTIPLIES_AT_ONCE, // results come from the tensor core
} CakeCostEffect;

// What an op asks of the resources, by one instance of its role.
typedef struct CakeCostWork {
  double lanes[CAKE_COST_LANE_KINDS]; // warp instructions of each kind, of one warp
  double shared;                      // bytes through the port, of all warps
  double latency;                     // from its end to its results
  CakeCostEffect effect;
  double bytes;   // of memory
  double tensor;  // cycles
  size_t array;   // the kernel's argument that is read or written
  CakeMulticast multicast; // of a copy that CTAs of a cluster share; otherwise `cluster` is 0
  uint32_t view;  // operand: of a copy
} CakeCostWork;

// ---- The multiprocessor (engine.c) -----------------------------------------------------------------------------------------

typedef struct CakeCostCta CakeCostCta;
typedef struct CakeCostSm CakeCostSm;

// What happens later.
typedef enum CakeCostEventKind { CAKE_COST_ARRIVED, CAKE_COST_STORED, CAKE_COST_COMPLETED, CAKE_COST_WOKEN } CakeCostEventKind;

typedef struct CakeCostEvent {
  double at;
  CakeCostEventKind kind;
  CakeCostCta *cta;
  CakeSimPipe *pipe;
  CakeSimStage *stage;
  CakeSimMachine *machine;
  uint64_t group;
  uint32_t part, share, shares; // of a slot that CTAs fill for one another: which share of which part
} CakeCostEvent;

typedef enum CakeCostActivity {
  CAKE_COST_READY,   // executes instructions that take no time
  CAKE_COST_WORKING, // has work left
  CAKE_COST_SLEEPING, // until an event
  CAKE_COST_WAITING, // by the protocol
  CAKE_COST_ENDED,
} CakeCostActivity;

typedef struct CakeCostSpent {
  CakeCostWaitKind kind;
  CakeOp *object;
  double cycles;
} CakeCostSpent;

// One instance of a role in time: beside the simulator's machine of the same number.
typedef struct CakeCostInstance {
  CakeCostActivity activity;
  const CakeCostWork *work;
  double left, speed;   // of its work, 1 to 0; a cycle
  bool has_worked;      // the instruction's work is done, its effect is not
  bool is_issued;       // an asynchronous product: it sleeps until the queue is shorter
  uint32_t warps[CAKE_COST_QUARTERS];
  CakeCostWaitKind kind; // of its wait
  CakeOp *object;
  double worked;
  CakeCostSpent spent[CAKE_COST_MAX_WAITS]; // the last one also takes what has no room
  size_t n_spent;
} CakeCostInstance;

// One place for a CTA, or the CTAs of a cluster: those that it has run one behind the other.
struct CakeCostCta {
  CakeSimLaunch launch; // first: what the simulator hands to the model is one of its
  CakeSimCta sim;       // of that launch
  CakeCostSm *sm;
  CakeCostInstance *instances;
  int64_t number, step, limit; // the CTA that runs, from it to the place's next, and the end
  bool is_idle;
  int64_t n_run; // CTAs so far
  size_t under_way; // copies and stores
  CakeMap unknown;  // values that depend on numbers
  CakeMap distinct; // fragments whose elements a lane has several times (distinct.c)
};

typedef struct CakeCostTraffic {
  double bytes;     // that the run moved
  double of_memory; // part that does not come from L2
} CakeCostTraffic;

// The loops whose rounds are watched (steady.c).
typedef enum CakeCostLoop { CAKE_COST_STEPS, CAKE_COST_ITEMS, CAKE_COST_CTAS, CAKE_COST_LOOPS } CakeCostLoop;
typedef struct CakeCostPace CakeCostPace;
typedef struct CakeCostTracks CakeCostTracks;

// A multiprocessor: of a cluster there is one for each CTA.
typedef struct CakeCostUnit {
  double free_at[CAKE_COST_RESOURCES]; // tensor, l2, dram: when what was asked for so far is done
  double begun[CAKE_COST_RESOURCES], ended[CAKE_COST_RESOURCES];
  double busy[CAKE_COST_RESOURCES]; // cycles; lanes: of all quarters together
  bool is_asynchronous;             // the tensor core runs wgmma
} CakeCostUnit;

// The multiprocessors of a cluster, and the clusters that are on them at once; without clusters one, and CTAs.
struct CakeCostSm {
  const CakeMachine *machine;
  CakeArena *arena;
  double now;
  double speed[CAKE_COST_RESOURCES]; // 1, or 2 where a resource is taken to be twice as fast
  double rates[CAKE_COST_RESOURCES]; // lanes: warp instructions a cycle and quarter; shared, l2, dram: bytes a cycle
  CakeCostUnit units[CAKE_MAX_CLUSTER]; // by rank
  size_t n_units;
  CAKE_VEC(CakeCostEvent) events;
  CakeCostCta *ctas;
  size_t n_ctas;
  CakeCostTraffic *traffic; // by argument
  size_t n_arguments;
  bool has_equal_items; // all items, and so all CTAs, have as many steps
  CakeCostPace *paces;  // by CakeCostLoop
  CakeCostTracks *tracks; // NULL: nobody draws what happens
  double skipped;
  uint64_t n_events;
};

static inline double cake_cost_figure(const CakeCostSm *sm, CakeFigure figure) {
  return sm->machine->figures[figure];
}
// A latency of the machine, as this run takes it.
static inline double cake_cost_latency(const CakeCostSm *sm, CakeFigure figure) {
  return cake_cost_figure(sm, figure) / sm->speed[CAKE_COST_LATENCY];
}

static inline CakeCostUnit *cake_cost_unit(CakeCostSm *sm, const CakeSimMachine *machine) {
  return &sm->units[machine->rank];
}

// Runs until nobody has anything to do. False: reported.
bool cake_cost_run(CakeCostSm *sm);

// Watches the rounds of loops, and passes over those that repeat the ones before (steady.c).
void cake_cost_steady_init(CakeCostSm *sm);
void cake_cost_steady(CakeCostSm *sm);
void cake_cost_steady_fini(CakeCostSm *sm);

// Keeps what an instance does, and when a resource is busy; draws it at the end (timeline.c).
void cake_cost_tracks_init(CakeCostSm *sm, const CakeCostTimeline *timeline);
void cake_cost_tracks_instance(CakeCostSm *sm, size_t number, const CakeCostInstance *instance, double from, double to);
void cake_cost_tracks_resource(CakeCostSm *sm, const CakeCostUnit *unit, CakeCostResource resource, double from, double to);
bool cake_cost_tracks_need(const CakeCostSm *sm); // what comes now
void cake_cost_tracks_draw(CakeCostSm *sm);
void cake_cost_tracks_fini(CakeCostSm *sm);

// ---- An estimate -----------------------------------------------------------------------------------------------------------

typedef struct CakeCostEstimate {
  CakeOp *kernel;
  const CakeCostOptions *options;
  CakeCostReport *report;
  CakeArena *arena; // of the arguments
  CakeSimArgument *args;
  size_t n_args;
  double *of_memory; // by argument
} CakeCostEstimate;

typedef struct CakeCostShare {
  int64_t heaviest, rounds; // the cluster, or CTA, that has most to do, and its items
  double part;              // of all work that the multiprocessor with it does
} CakeCostShare;

// What is otherwise in a run: a resource is twice as fast (CAKE_COST_RESOURCES: none), or a pipeline has one more slot (NULL: none).
typedef struct CakeCostChange {
  CakeCostResource faster;
  const CakeOp *longer;
  bool is_drawn;
} CakeCostChange;

// The arguments of a launch of these sizes, in the estimate's arena (arguments.c). False: reported.
bool cake_cost_set_arguments(CakeCostEstimate *estimate);
// How many CTAs are on a multiprocessor at once (places.c). False: reported.
bool cake_cost_set_occupancy(const CakeCostEstimate *estimate);
// Which CTAs the multiprocessor runs that has most to do, and how much of all that is. False: reported.
bool cake_cost_share_work(CakeCostSm *sm, CakeCostShare *out);
// Runs the multiprocessor and hands it over (run.c). False: reported.
typedef bool (*CakeCostUse)(CakeCostEstimate *estimate, CakeCostSm *sm, const CakeCostShare *share);
bool cake_cost_run_changed(CakeCostEstimate *estimate, CakeCostChange change, CakeCostUse use);
double cake_cost_cycles(const CakeCostSm *sm); // that the run took

// ---- Building (build.c) ----------------------------------------------------------------------------------------------------

extern const CakeSimLevel cake_cost_level;
static inline CakeCostCta *cake_cost_cta_of(CakeSimLaunch *launch) {
  return (CakeCostCta *)(void *)launch;
}
static inline CakeCostInstance *cake_cost_instance(const CakeSimMachine *machine) {
  CakeCostCta *cta = cake_cost_cta_of(machine->cta->launch);
  return &cta->instances[machine - cta->sim.machines];
}
// Reports COST_DECLINED at the op. Always false.
bool cake_cost_decline(CakeOp *op, const char *format, ...) CAKE_PRINTF(2, 3);
// The eval functions of what takes time (engine.c).
CakeSimStep cake_cost_eval_work(CakeSimMachine *machine, const CakeSimInstr *instr); // `info`: a CakeCostWork
CakeSimStep cake_cost_eval_await(CakeSimMachine *machine, const CakeSimInstr *instr);
// What is kept of a fragment, a pending accumulator or a running best: when it is there, and the op that gives it.
typedef struct CakeCostValue {
  double ready;
  CakeOp *from;
  uint64_t group[2]; // cake_sim_group_of
} CakeCostValue;
bool cake_cost_is_timed(CakeType type);
static inline CakeCostValue *cake_cost_value(const CakeSimMachine *machine, uint32_t slot) {
  return (CakeCostValue *)cake_sim_at(machine, slot);
}

// ---- The work of ops (work.c) ----------------------------------------------------------------------------------------------

// Instructions for an element of a fragment.
typedef struct CakeCostPrice {
  double fma, alu, mufu;
} CakeCostPrice;

typedef struct CakeCostAsk {
  CakeSimBuilder *builder;
  const CakeCostSm *sm;
  CakeOp *op;
  int64_t warps; // of an instance of the role
  CakeCostPrice price;
  CakeCostWork *work;
} CakeCostAsk;
// What a kind of op asks for. False: reported.
typedef bool (*CakeCostWorkFn)(CakeCostAsk *ask);
// Distinct elements of a lane along the rows and columns that it holds: of what was spread from one number there is one. Code generation
// computes each once.
typedef struct CakeCostDistinct {
  uint32_t rows, cols;
} CakeCostDistinct;
// Of an op's result, as its operands have them, which is kept. False: reported.
bool cake_cost_distinct(CakeSimBuilder *builder, CakeOp *op, CakeCostDistinct *out);

#define WORK(name) bool cake_cost_work_##name(CakeCostAsk *ask);
WORK(elements)
WORK(load)
WORK(store)
WORK(copy)
WORK(commit)
WORK(get)
WORK(put)
WORK(reduce)
WORK(merge)
WORK(best)
WORK(settle)
WORK(mma)
#undef WORK

#endif
