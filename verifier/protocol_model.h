// Programs of the protocol checker: what the front ends (protocol_cake.c, protocol_gpu.c) build and the search runs.
#ifndef CAKE_VERIFIER_PROTOCOL_MODEL_H
#define CAKE_VERIFIER_PROTOCOL_MODEL_H

#include "verifier/protocol.h"

// ---- Instructions --------------------------------------------------------------------------------------------------

typedef enum CakeStepKind {
  // Silent: values and jumps.
  CAKE_STEP_SET,    // registers[dst] = a
  CAKE_STEP_ALU,    // registers[dst] = a `alu` b
  CAKE_STEP_SELECT, // registers[dst] = a ? b : c
  CAKE_STEP_JUMP,   // to target
  CAKE_STEP_UNLESS, // to target when a is 0
  CAKE_STEP_TAPE,   // to target when the next entry of tape `object` is 0 (the loop ends, the condition does not hold)
  // Actions: each is one move of the search. `object` is an object, or -1 when `address` says which.
  CAKE_STEP_ACQUIRE, // registers[dst] = the slot
  CAKE_STEP_COMMIT,  // slot a
  CAKE_STEP_WAIT,    // registers[dst] = the slot; consumer `count`
  CAKE_STEP_RELEASE, // slot a; consumer `count`
  CAKE_STEP_DEFER,   // the same, behind the next group
  CAKE_STEP_GROUP,   // a group of matrix instructions is issued: what was deferred is released
  CAKE_STEP_TAKE,    // turn `count` of an order
  CAKE_STEP_PASS,
  CAKE_STEP_INIT,   // mbarrier a: `count` arrivals a phase
  CAKE_STEP_ARRIVE, // mbarrier a (or object): `count` arrivals, `bytes` expected
  CAKE_STEP_LAND,   // mbarrier a: `bytes` land
  CAKE_STEP_PARITY, // waits until the phase of parity b of mbarrier a has completed
  CAKE_STEP_MEET,   // waits until the phase that it arrived in has completed (object)
  CAKE_STEP_END,
} CakeStepKind;

typedef enum CakeAlu {
  CAKE_ALU_ADD,
  CAKE_ALU_SUB,
  CAKE_ALU_MUL,
  CAKE_ALU_DIV,
  CAKE_ALU_REM,
  CAKE_ALU_AND,
  CAKE_ALU_OR,
  CAKE_ALU_XOR,
  CAKE_ALU_SHL,
  CAKE_ALU_SHR,
  CAKE_ALU_MIN,
  CAKE_ALU_MAX,
  CAKE_ALU_CEIL, // quotient, rounded up
  CAKE_ALU_SCEIL, // of signed numbers, these seven
  CAKE_ALU_SFLOOR,
  CAKE_ALU_SDIV,
  CAKE_ALU_SREM,
  CAKE_ALU_SAR,
  CAKE_ALU_SMIN,
  CAKE_ALU_SMAX,
  CAKE_ALU_EQ,
  CAKE_ALU_NE,
  CAKE_ALU_LT,
  CAKE_ALU_LE,
  CAKE_ALU_GT,
  CAKE_ALU_GE,
} CakeAlu;

// What an instruction reads: a register or a number.
typedef struct CakeArg {
  int32_t value;
  bool is_register;
} CakeArg;

typedef struct CakeStep {
  CakeStepKind kind;
  CakeAlu alu;
  int32_t dst, target, object, count, bytes;
  CakeArg a, b, c;
  CakeOp *op;    // of an action
  bool is_late;  // of an ARRIVE: it comes when copies have landed
  bool is_first; // of a TAPE: the read that enters a loop
} CakeStep;

static inline CakeArg cake_arg_number(int32_t value) {
  return (CakeArg){value, false};
}
static inline CakeArg cake_arg_register(int32_t index) {
  return (CakeArg){index, true};
}
static inline bool cake_step_is_silent(CakeStepKind kind) {
  return kind <= CAKE_STEP_TAPE;
}
// Whether it writes registers[dst].
static inline bool cake_step_defines(CakeStepKind kind) {
  return kind <= CAKE_STEP_SELECT || kind == CAKE_STEP_ACQUIRE || kind == CAKE_STEP_WAIT;
}
int32_t cake_alu_apply(CakeAlu alu, int32_t a, int32_t b);

// ---- The model -----------------------------------------------------------------------------------------------------

typedef enum CakeObjectKind { CAKE_OBJECT_PIPELINE, CAKE_OBJECT_ORDER, CAKE_OBJECT_BARRIER } CakeObjectKind;

// From a CTA of a cluster to the next: addresses of shared memory, named barriers; and what stands for the cluster's own barrier.
enum { CAKE_CTA_WINDOW = 1 << 20, CAKE_CTA_BARRIERS = 16, CAKE_CLUSTER_BARRIER = -4096 };

typedef struct CakeObject {
  CakeObjectKind kind;
  CakeOp *op;        // the declaration, or an op that names it
  int32_t stages;    // of a pipeline
  int32_t consumers; // of a pipeline: replicas of a CTA that read each slot (0: the store engine empties it); of an order: turns
  int32_t replica;   // of a pipeline with a ring a replica; -1
  int32_t rank;      // of the CTA in its cluster
  uint32_t sharers;  // of a pipeline: CTAs that fill its slots, and whose slots this one fills, a bit each; its own among them
  int32_t address;   // of an mbarrier: its offset; of a named barrier: -1 - id; of CTAs of a cluster behind one another
  int32_t count;     // arrivals that complete a phase of a barrier; 0: set by INIT
} CakeObject;

typedef struct CakeProcess {
  const char *name; // "@load", "@mma.1", "warps 0…3"
  CAKE_VEC(CakeStep) steps;
  int32_t n_registers;
  uint64_t *live; // of each step, the registers that are read from there on: a bit each, in `live_words` words
  size_t live_words;
  int32_t rank;   // of its CTA in the cluster
  uint32_t warps; // at the gpu level: those that it stands for, a bit each; warps of CTAs stand behind one another
  CakeOp *role;   // at the schedule level, with its replica
  int32_t instance;
  int32_t weight; // equal warps that it stands for: their arrivals and bytes count together
  bool has_deferred;
} CakeProcess;

// Entries of a tape are the rounds of one loop, or the outcomes of one condition, in the order of execution.
typedef struct CakeTape {
  CakeOp *op;      // the loop or branch that was seen first
  int32_t parent;  // the tape of the loop around it; -1
  int32_t ordinal; // among equal ones in that loop
  bool is_uniform; // the loop runs equally often in every round of the one around it
  int32_t rank;    // of the CTA that it is for; -1: CTAs of a cluster agree
} CakeTape;

enum { CAKE_MAX_PROCESSES = 32, CAKE_MAX_RANKS = 8 };

typedef struct CakeModel {
  CakeOp *root;
  CakeArena *arena; // of names
  CAKE_VEC(CakeProcess) processes;
  CAKE_VEC(CakeObject) objects;
  CAKE_VEC(CakeTape) tapes;
  int32_t cluster; // CTAs; each has as many objects at the schedule level
  const char *limit; // what is not modelled; NULL: everything is
  CakeOp *limit_op;
} CakeModel;

CakeModel cake_model_create(CakeOp *root);
void cake_model_destroy(CakeModel *model);
// Notes the first thing that is not modelled. Returns false.
bool cake_model_limit(CakeModel *model, CakeOp *op, const char *why);
// The front ends: they fill `model`.
void cake_model_kernel(CakeModel *model, CakeOp *kernel);
void cake_model_function(CakeModel *model, CakeOp *func);

// ---- What the search found -----------------------------------------------------------------------------------------

typedef enum CakeFaultKind {
  CAKE_FAULT_NONE,
  CAKE_FAULT_DEADLOCK,  // no process can go on
  CAKE_FAULT_LAP,       // a barrier's phase completed twice while `process` waited for the first
  CAKE_FAULT_ARRIVAL,   // a phase completed although `process`, which arrives in it, has not
  CAKE_FAULT_EARLY,     // `process` arrives again before the phase in which it has arrived is complete
  CAKE_FAULT_NOT_READY, // a barrier is used before it is set up
  CAKE_FAULT_LEFT,      // a slot was filled and nobody empties it
  CAKE_FAULT_EXIT,      // `process` reaches into another CTA of its cluster, which may have ended
} CakeFaultKind;

typedef struct CakeMove {
  int32_t process, step;
  int32_t choice; // of a tape: the entry that was chosen; -1: none
} CakeMove;

typedef struct CakeFault {
  CakeFaultKind kind;
  int32_t process; // -1: all
  int32_t object;  // -1: none
  CAKE_VEC(CakeMove) trace;
  int32_t pcs[CAKE_MAX_PROCESSES]; // where each process stands at the end
} CakeFault;

typedef struct CakeSearchResult {
  size_t states, moves;
  CakeFault fault;
} CakeSearchResult;

void cake_process_find_live(CakeProcess *process, CakeArena *arena);
static inline bool cake_process_is_live(const CakeProcess *process, int32_t step, int32_t index) {
  return process->live[(size_t)step * process->live_words + (size_t)index / 64] >> index % 64 & 1;
}
// Explores the model; notes in it when the budget ends. The trace is the caller's to give back (CAKE_VEC_FINI).
CakeSearchResult cake_model_search(CakeModel *model, size_t budget);
void cake_fault_report(const CakeModel *model, const CakeFault *fault);

#endif
