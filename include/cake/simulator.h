// The simulator: runs a kernel on the CPU, with the numerics of the hardware's types: a cake.kernel role by role, or the gpu.func that it is
// lowered to thread by thread.
//
// What it models of a cake.kernel. Roles run interleaved, one CTA after the other. Asynchronous copies read their source and land late: at the
// latest when nobody else can go on, at the earliest whenever the schedule chooses. Fragments are whole tiles, not lanes, so every
// element is computed once. Numbers: storage rounds to the element type (nearest, ties to even); arithmetic is done in f32 and
// rounded to the element type once; `mma` adds as an H200 does, to the last bit: docs/accumulation.md. `best` and `settle` compare f32
// values: see the dialect's reference.
//
// Of a gpu.func: warps of 32 lanes, shared memory byte by byte, mbarriers, what is asynchronous under way: see simulator/gpu.h. Its numbers
// are the same. Each warp and each copy goes on by the same schedules.
//
// What it finds: reads of data that has not arrived or that nobody wrote, accesses outside of arrays, slots used against their
// protocol, undefined arithmetic, and CTAs in which no role can go on. It relies on `cake_verify` alone, not on the rules for linear
// values, so that programs which break those can be watched failing.
#ifndef CAKE_SIMULATOR_H
#define CAKE_SIMULATOR_H

#include "cake/op.h"

CAKE_BEGIN_C

#define CAKE_SIM_MAX_RANK 8

// An array (rank ≥ 1), row-major and dense, or a scalar (rank 0), in the element's own bits: bf16 and f16 as uint16_t, 8-bit floats
// and i1 as uint8_t, index as int64_t. `data` is the caller's, aligned for its element; NULL is fine for an array without elements.
typedef struct CakeSimArray {
  CakeType element;
  void *data;
  int64_t dims[CAKE_SIM_MAX_RANK];
  size_t rank;
} CakeSimArray;

typedef struct CakeSimArgument {
  CakeStr name; // as in the kernel's argument list, without %
  CakeSimArray array;
} CakeSimArgument;

// A named size of the launch.
typedef struct CakeSimNamedSize {
  CakeStr name;
  int64_t value;
} CakeSimNamedSize;

// Who goes on next. The results of a correct kernel do not depend on it.
typedef enum CakeSimSchedule {
  CAKE_SIM_RANDOM,      // any role that can go on, or any copy under way, chosen by `seed`
  CAKE_SIM_ROUND_ROBIN, // roles in turn; the oldest copy lands after each turn
  CAKE_SIM_LATE,        // copies land only when no role can go on, the newest first
} CakeSimSchedule;

// One step of a given schedule: an op that some warps of a gpu.func execute, or a replica of a role.
typedef struct CakeSimMove {
  uint32_t warps;     // a bit each
  const CakeOp *role; // of a cake.kernel
  uint32_t instance;
  bool is_meeting; // the wait of those who arrived at the same op
  CakeOp *op;
} CakeSimMove;

// All zero is a good default: the whole grid, random schedule.
typedef struct CakeSimOptions {
  // The CTAs to run: this list, or without one `cta_count` of them (0: all) from `first_cta` on.
  const int64_t *ctas;
  size_t n_ctas;
  int64_t first_cta, cta_count;
  const CakeSimNamedSize *sizes; // those that no array has (`sizes(…)` of the kernel); one that an array has must agree
  size_t n_sizes;
  int64_t grid; // CTAs of a kernel whose schedule is persistent; 0: 132, or fewer when there are fewer items
  CakeSimSchedule schedule;
  uint64_t seed;
  // Runs with the seeds from `seed` on, each from the same arrays (those that are not `readonly` are put back); 0: one.
  int64_t schedules;
  // Called after each schedule, with the arrays as it left them; false: no more of them. May be NULL.
  bool (*after)(void *user, uint64_t seed);
  void *after_user;
  bool races; // of a gpu.func: report accesses to shared memory in no order, and missing proxy fences, however this schedule went
  // Of a gpu.func: no numbers. Barriers, copies and matrix instructions have their effects on each other; arrays are neither read nor written. Many
  // times faster, for many schedules.
  bool protocol;
  // A schedule that is followed first, the last move included if it fails; then it goes on as `schedule` says. `actions` are all ops
  // that only a move may execute until then.
  const CakeSimMove *moves;
  size_t n_moves;
  CakeOp *const *actions;
  size_t n_actions;
  void (*print)(void *user, CakeStr line); // what cake.print says, without a line end; NULL: it is not heard
  void *print_user;
  uint64_t max_steps; // steps of the roles of one CTA together, against endless loops; 0: 1000 million
  // Called after each CTA with the number that is done and the number to do. May be NULL.
  void (*progress)(void *user, int64_t done, int64_t total);
  void *progress_user;
} CakeSimOptions;

// Numbers of operations, CTAs and copies are those of the last schedule.
typedef struct CakeSimReport {
  uint64_t seed; // of the last schedule: the one that failed
  int64_t grid;  // CTAs of the whole grid
  int64_t items; // items of the whole grid
  int64_t ctas_run;
  uint64_t ops;              // operations executed, those of all role instances
  uint64_t copies;           // asynchronous copies
  uint64_t copied_bytes;     // bytes that they wrote to shared memory
  int64_t shared_bytes;      // shared memory of a CTA: the kernel's `shared_bytes`, or what its pipelines take
  int64_t peak_shared_bytes; // bytes of slots that were in use at once, at most
} CakeSimReport;

// Runs an instantiated `cake.kernel`, or a `gpu.func` without ops of the cake dialect. Named sizes are bound from the arrays. `options` and `report` may be NULL. The arrays are written
// as the kernel stores. False: reported through the context's handler at the operation at fault (RUN_ARGUMENT, RUN_GUARD, SIM_…, and the
// codes of slots used wrongly); arrays may be partly written then.
CAKE_NODISCARD bool cake_simulate(CakeOp *kernel, const CakeSimArgument *args, size_t n_args,
                                  const CakeSimOptions *options, CakeSimReport *report);

// Bytes of one element in an array of that type; 0 when the simulator does not know the type.
size_t cake_sim_element_bytes(CakeType element);

CAKE_END_C
#endif
