// What the files of the simulator share: the program that a role is compiled to, and the machines that run it.
//
//   simulate.c   the entry: arguments (bind.c), program (program.c), the CTAs one after the other (schedule.c)
//   program.c    a role becomes a flat list of instructions; each SSA value gets a slot of fixed size in its machine's memory
//   schedule.c   the machines of one CTA take turns; copies under way land (pipe.c)
//   sim_*.c      how each op becomes instructions, and what these do: control, pipe, tile, compute, best, arith, math, scf
//
// An op is simulated by a function `cake_sim_build_<dialect>_<op>`, found through a table over the dialect's rows (program.c): a row without
// its function does not build. The function emits instructions; what one does is its `eval`.
#ifndef CAKE_SIMULATOR_SIM_H
#define CAKE_SIMULATOR_SIM_H

#include "cake/simulator.h"
#include "dialects/cake/cake.h"

// ---- Elements (element.c) ------------------------------------------------------------------------------------------------

// An element type as it is kept: floats of all formats as `float` (their values are exact there), integers as `int64_t`
// (sign-extended from their width; i1 is 0 or 1).
typedef struct CakeSimElement {
  bool is_float;
  CakeFloat format; // of a float
  uint8_t bits;     // of an integer; index has 64
} CakeSimElement;

bool cake_sim_element_of(CakeType type, CakeSimElement *out); // false: the simulator does not know it
size_t cake_sim_stored_bytes(CakeSimElement element);         // in an array
static inline size_t cake_sim_kept_bytes(CakeSimElement element) {
  return element.is_float ? sizeof(float) : sizeof(int64_t);
}
// Elements `start … start + count - 1` of an array to kept form, and back. Kept values must have been rounded.
void cake_sim_read(CakeSimElement element, const void *array, int64_t start, size_t count, void *kept);
void cake_sim_write(CakeSimElement element, void *array, int64_t start, size_t count, const void *kept);
// Adds kept values to them; each sum is rounded once. Of integers it wraps around.
void cake_sim_add(CakeSimElement element, void *array, int64_t start, size_t count, const void *kept);
typedef void (*CakeSimWrite)(CakeSimElement element, void *array, int64_t start, size_t count, const void *kept);
// Rounds floats that were computed in f32 to the element's format.
void cake_sim_round(CakeSimElement element, float *values, size_t count);
// The kept form of the low bits.
static inline int64_t cake_sim_wrap(int64_t value, unsigned bits) {
  if (bits >= 64) return value;
  uint64_t low = (uint64_t)value & ((UINT64_C(1) << bits) - 1), sign = bits == 1 ? 0 : UINT64_C(1) << (bits - 1);
  return (int64_t)((low ^ sign) - sign);
}
// The number of an integer or float attribute in kept form, everywhere in `kept`.
void cake_sim_fill_kept(CakeSimElement element, CakeAttr number, size_t count, void *kept);

// ---- Values ----------------------------------------------------------------------------------------------------------------

typedef enum CakeSimKind {
  CAKE_SIM_DATA,  // a scalar, fragment or pending accumulator: `count` kept elements
  CAKE_SIM_BEST,  // `count` CakeSimBest
  CAKE_SIM_TOKEN, // a CakeSimToken
  CAKE_SIM_VIEW,  // a CakeSimView
} CakeSimKind;

// Where an SSA value lives in the memory of its machine.
typedef struct CakeSimSlot {
  CakeSimKind kind;
  CakeSimElement element;
  int64_t rows, cols; // of a rank-1 fragment, `rows<F>` or `col<F>`, one is 1
  int rank;           // 0, 1, 2
  size_t count, bytes, offset;
} CakeSimSlot;

typedef struct CakeSimStage CakeSimStage;
typedef struct CakeSimPipe CakeSimPipe;
typedef struct CakeSimMachine CakeSimMachine;
typedef struct CakeSimInstr CakeSimInstr;
typedef struct CakeSimCta CakeSimCta;

typedef struct CakeSimToken {
  CakeSimPipe *pipe;
  CakeSimStage *stage;
  int64_t fill; // which use of the pipeline: acquires and waits count from 0
} CakeSimToken;

// An order: whose turn it is.
typedef struct CakeSimOrder {
  CakeOp *decl;
  int64_t replicas, turn;
  bool is_taken;
} CakeSimOrder;

typedef struct CakeSimView {
  CakeSimPipe *pipe;
  CakeSimStage *stage;
  int64_t fill;
  uint32_t part;
  bool is_open; // it came from acquire
} CakeSimView;

typedef enum CakeSimSeen { CAKE_SIM_NOTHING, CAKE_SIM_NAN, CAKE_SIM_NUMBER } CakeSimSeen;

typedef struct CakeSimBest {
  double value;
  int64_t index;
  CakeSimSeen seen;
} CakeSimBest;

// ---- Pipelines -------------------------------------------------------------------------------------------------------------

typedef struct CakeSimPart {
  CakeType type;
  CakeSimElement element;
  int64_t rows, cols; // rank 1: one row
  int rank;
  size_t count;
} CakeSimPart;

typedef enum CakeSimFilled { CAKE_SIM_UNWRITTEN, CAKE_SIM_UNDER_WAY, CAKE_SIM_ARRIVED } CakeSimFilled;

typedef enum CakeSimStageState { CAKE_SIM_EMPTY, CAKE_SIM_OPEN, CAKE_SIM_COMMITTED, CAKE_SIM_FULL } CakeSimStageState;

struct CakeSimStage {
  CakeSimStageState state;
  int64_t fill;       // the use that it is in or was in last; -1: none
  uint32_t under_way; // copies
  uint32_t n_released;
  bool *released;   // by each consumer
  void **data;      // kept elements of each part
  uint8_t **filled; // CakeSimFilled of each element of each part
};

struct CakeSimPipe {
  bool is_buffer; // a buffer of a role: one "stage" a replica, always held, read and written at will
  CakeOp *decl;
  CakeId name;
  uint32_t index; // its number in the kernel
  uint32_t n_stages, n_parts, n_consumers;
  const CakeOp *from, *to; // roles; `to` is NULL where the store engine empties it
  bool is_each;            // the first of one ring a replica of `from`, which stand behind one another
  int64_t bytes;           // of one slot
  int64_t rank;            // of the CTA whose it is: the launch has one for each CTA of a cluster
  bool is_multicast;       // CTAs of the cluster fill one another's slots
  CakeMulticast multicast;
  CakeSimPart *parts;
  CakeSimStage *stages;
};

// ---- Programs --------------------------------------------------------------------------------------------------------------

typedef enum CakeSimStep {
  CAKE_SIM_NEXT,
  CAKE_SIM_JUMP,    // to the instruction's target
  CAKE_SIM_BLOCKED, // again when something has happened
  CAKE_SIM_DONE,
  CAKE_SIM_FAILED, // reported
} CakeSimStep;

typedef CakeSimStep (*CakeSimEval)(CakeSimMachine *machine, const CakeSimInstr *instr);

// `to[i] = from[i]` in this order.
typedef struct CakeSimMoves {
  const uint32_t *from, *to; // slots
  size_t count;
} CakeSimMoves;

#define CAKE_SIM_NO_SLOT UINT32_MAX
enum { CAKE_SIM_MAX_INDICES = 16 }; // operands of an expression

struct CakeSimInstr {
  CakeSimEval eval;
  CakeOp *op;
  const uint32_t *in;  // slots of the op's operands; NO_SLOT for arrays
  const uint32_t *out; // slots of its results
  const void *info;    // what `eval` wants to know besides
  uint32_t target;     // of a jump
  bool counts;         // as an operation: false for moves and jumps
};

// Expressions whose names are replaced by the sizes of the launch, and the slots of their operands.
typedef struct CakeSimExprs {
  CakeAttr *exprs; // #cake.expr; of a predicate, one #cake.pred
  size_t count;
  const uint32_t *slots;
  size_t n_slots;
} CakeSimExprs;

// An array of the launch.
typedef struct CakeSimGlobal {
  const CakeSimArray *array;
  CakeSimElement element;
  CakeId name;
  int64_t strides[CAKE_SIM_MAX_RANK]; // elements
} CakeSimGlobal;

typedef struct CakeSimSize {
  CakeId name;
  int64_t value;
  uint32_t argument, dim; // where it was bound
} CakeSimSize;
#define CAKE_SIM_GIVEN UINT32_MAX // no argument: the options give it

// A name of an item: an element of an array, or an expression over axes and the names before.
typedef struct CakeSimLet {
  CakeId name;
  const CakeSimGlobal *array; // NULL: an expression
  CakeAttr value;             // #cake.at or #cake.expr, its sizes replaced by numbers
} CakeSimLet;
enum { CAKE_SIM_MAX_LETS = 64 };

typedef struct CakeSimTiles {
  CakeOp *decl;
  CakeScheduleKind schedule;
  size_t n_axes;
  int64_t extents[CAKE_SIM_MAX_RANK]; // what `bound` says, where they depend on the item
  int64_t items;
  int64_t group; // values of axis `group_axis` in a band; 0: items are not grouped
  size_t group_axis;
  int slowest_axis; // that runs down (`longest_first`); -1: none
  const CakeSimLet *lets;
  size_t n_lets;
  CakeAttr of_item[CAKE_SIM_MAX_RANK]; // the extents that depend on the item; NULL: the others
  CakeAttr steps, bound;               // NULL: none
} CakeSimTiles;

// A scalar argument of the kernel, put into its slot when a machine starts.
typedef struct CakeSimPreset {
  uint32_t slot, argument;
} CakeSimPreset;

// What a slot holds from the start: no instruction writes it.
typedef struct CakeSimConstant {
  uint32_t slot;
  const void *kept; // its elements
} CakeSimConstant;

typedef struct CakeSimProgram {
  CakeOp *role;
  CakeId name;
  uint32_t replicas;
  CAKE_VEC(CakeSimInstr) code;
  CAKE_VEC(CakeSimSlot) slots;
  CAKE_VEC(CakeSimPreset) presets;
  CAKE_VEC(CakeSimConstant) constants;
  size_t memory; // bytes of a machine
} CakeSimProgram;

// A barrier that roles declare.
typedef struct CakeSimBarrier {
  CakeOp *decl;
  int64_t n_expected, n_come; // instances of a phase
  int64_t phase;              // that is under way
} CakeSimBarrier;

typedef struct CakeSimBuilder CakeSimBuilder;
typedef bool (*CakeSimBuildFn)(CakeSimBuilder *builder, CakeOp *op);

// One function a row of a dialect.
typedef struct CakeSimTable {
  const CakeDialectDef *dialect;
  const CakeSimBuildFn *build;
} CakeSimTable;

// What differs between the level of schedules, whose machines are instances of roles, and that of threads, whose machines are warps.
typedef struct CakeSimLevel {
  const CakeSimTable *tables;
  size_t n_tables;
  uint32_t lanes; // elements of a value are kept once a lane, the lanes of an element side by side
  bool (*shape)(CakeType type, CakeSimSlot *slot); // false: values of that type cannot be simulated
  CakeSimEval moves;                               // its `info` is a CakeSimMoves
  // The active lanes of `taken` go on behind a branch, the others at its target, and all together at `join`.
  CakeSimStep (*part)(CakeSimMachine *machine, const CakeSimInstr *instr, uint32_t taken, uint32_t join);
  CakeSimBuildFn before;                           // called before each op is built; NULL: nothing
  // Words about who a machine is and where it stands, and the place to show with them.
  CakeLoc (*describe)(const CakeSimMachine *machine, CakeBuf *out);
} CakeSimLevel;

// One launch.
typedef struct CakeSimLaunch {
  CakeContext *context;
  CakeArena *arena; // everything of the launch
  const CakeSimLevel *level;
  CakeOp *kernel;
  CakeAttr arg_names, guard; // of the kernel; guard: NULL for none
  const CakeType *arg_types; // `!cake.global<…>` or scalars
  const CakeSimOptions *options;
  CakeSimReport report;
  const CakeSimArray **arrays; // by kernel argument
  CakeSimGlobal *globals;      // by kernel argument; scalars have rank 0
  size_t n_args;
  CAKE_VEC(CakeSimSize) sizes;
  int64_t *sizes_in_order; // of a gpu.func: the arguments behind its arrays and scalars
  CakeSimTiles *tiles;
  size_t n_tiles;
  int64_t cluster; // CTAs
  // Of CTA 0 of the cluster, `n_…`; behind them those of the others.
  CakeSimPipe *pipes;
  size_t n_pipes;
  CakeSimBarrier *barriers;
  size_t n_barriers;
  CakeSimOrder *orders;
  size_t n_orders;
  CakeMap *needed; // ops and values that are simulated; NULL: all (gpu_slice.c)
  CakeSimProgram *programs;
  size_t n_programs;
  int64_t grid;
  uint64_t seed; // of the schedule that runs
} CakeSimLaunch;

// Runs a cluster (without clusters a CTA), whose first CTA has that number. False: reported.
typedef bool (*CakeSimRunFn)(CakeSimCta *cta, int64_t number);
// The chosen ones of a launch, once for each schedule.
bool cake_sim_run_schedules(CakeSimLaunch *launch, CakeSimRunFn run, CakeSimCta *cta);
// The CTAs of a grid: a cluster an item, or, where they stay, as many as the options ask for.
int64_t cake_sim_choose_grid(const CakeSimLaunch *launch, int64_t items, bool is_persistent);

// ---- Building (program.c) --------------------------------------------------------------------------------------------------

// Where the terminator of a region hands its values.
typedef struct CakeSimFrame {
  const uint32_t *targets; // slots
  size_t count;
} CakeSimFrame;

enum { CAKE_SIM_MAX_DEPTH = 64 }; // of regions and calls

struct CakeSimBuilder {
  CakeSimLaunch *launch;
  CakeSimProgram *program;
  CakeMap slots; // value → slot + 1
  CakeSimFrame frame;
  unsigned depth;
};

extern const CakeSimLevel cake_sim_level_cake;
// Builds one op, a region's ops, everything of a launch.
bool cake_sim_build_op(CakeSimBuilder *builder, CakeOp *op);
bool cake_sim_build_region(CakeSimBuilder *builder, const CakeRegion *region, CakeSimFrame frame);
bool cake_sim_build_programs(CakeSimLaunch *launch);
// Reports SIM_UNSUPPORTED at the op.
bool cake_sim_unsupported(CakeOp *op, const char *format, ...) CAKE_PRINTF(2, 3);
// An instruction with the op's operands and new slots for its results; NULL: reported. Valid until the next one is emitted.
CakeSimInstr *cake_sim_emit(CakeSimBuilder *builder, CakeOp *op, CakeSimEval eval);
CakeSimInstr *cake_sim_emit_bare(CakeSimBuilder *builder, CakeOp *op,
                                 CakeSimEval eval); // no operands, no results, does not count
static inline uint32_t cake_sim_here(const CakeSimBuilder *builder) {
  return (uint32_t)builder->program->code.len;
}
// Emits a jump and gives its number, for `cake_sim_land` to set its target.
uint32_t cake_sim_emit_jump(CakeSimBuilder *builder, CakeOp *op, uint32_t target);
void cake_sim_land(CakeSimBuilder *builder, uint32_t jump); // here
CakeSimStep cake_sim_eval_moves(CakeSimMachine *machine, const CakeSimInstr *instr);
// `to[i] = from[i]`, as if at once.
CAKE_NODISCARD bool cake_sim_emit_moves(CakeSimBuilder *builder, CakeOp *op, const uint32_t *from, const uint32_t *to,
                                        size_t count);
// The slot of a value that is defined already (NO_SLOT when it is not, or is an array), or a report; of many (NULL: reported).
uint32_t cake_sim_slot_of(CakeSimBuilder *builder, const CakeValue *value);
bool cake_sim_need_slot(CakeSimBuilder *builder, CakeOp *op, const CakeValue *value, uint32_t *out_slot);
uint32_t *cake_sim_slots_of(CakeSimBuilder *builder, CakeOp *op, CakeOperandRange range);
// The slot of a value that is defined now; of a block's arguments, of an op's results.
bool cake_sim_define(CakeSimBuilder *builder, CakeOp *op, const CakeValue *value, uint32_t *out_slot);
bool cake_sim_define_args(CakeSimBuilder *builder, CakeOp *op, const CakeBlock *block, const uint32_t **out_slots);
bool cake_sim_define_results(CakeSimBuilder *builder, CakeOp *op, const uint32_t **out_slots);
uint32_t cake_sim_new_slot(CakeSimBuilder *builder, const CakeSimSlot *slot);
static inline const CakeSimSlot *cake_sim_slot(const CakeSimBuilder *builder, uint32_t slot) {
  return &builder->program->slots.data[slot];
}
// NULL attribute: no expressions. Reported when a name is not bound.
bool cake_sim_exprs(CakeSimBuilder *builder, CakeOp *op, CakeAttr attr, CakeOperandRange operands, CakeSimExprs *out);
const CakeSimGlobal *cake_sim_global_of(CakeSimBuilder *builder, CakeOp *op, const CakeValue *value); // NULL: reported
#define CAKE_SIM_NEW(builder, type) CAKE_ARENA_NEW((builder)->launch->arena, type)

// ---- Launch (bind.c) -------------------------------------------------------------------------------------------------------

// Binds the arguments of a cake.kernel, builds its program at the launch's level, and chooses the grid. False: reported.
bool cake_sim_prepare(CakeSimLaunch *launch, const CakeSimArgument *args, size_t n_args);
void cake_sim_launch_fini(CakeSimLaunch *launch);
bool cake_sim_bind(CakeSimLaunch *launch, const CakeSimArgument *args, size_t n_args);
// The expression with every bound name replaced by its value.
CakeAttr cake_sim_bound(const CakeSimLaunch *launch, CakeAttr attr);
// Its value at the level of declarations: names only. False: reported at `op`, as `what`.
bool cake_sim_size_value(const CakeSimLaunch *launch, CakeOp *op, CakeAttr expr, const char *what, int64_t *out);

enum { CAKE_SIM_DEFAULT_GRID = 132 }; // CTAs of a persistent kernel: one on each SM of an H100 or H200
// How many CTAs the options ask for, of the launch's grid; -1: reported.
int64_t cake_sim_count_ctas(const CakeSimLaunch *launch);

// ---- Running ---------------------------------------------------------------------------------------------------------------

// A slot that a machine gives back once its group of matrix instructions has completed.
typedef struct CakeSimDeferred {
  CakeSimMachine *machine;
  CakeSimToken token;
  uint64_t group;
} CakeSimDeferred;

// An `mma` that reads views and was not awaited yet.
typedef struct CakeSimLoan {
  const CakeSimStage *stage;
  int64_t fill;
  uint64_t group;
  CakeOp *op;
} CakeSimLoan;

struct CakeSimMachine {
  CakeSimCta *cta;
  const CakeSimProgram *program;
  int64_t instance, rank;
  uint32_t pc;
  uint32_t active; // lanes that execute; a machine without lanes has all bits set
  bool is_blocked, is_done;
  unsigned char *memory;
  int64_t *used;              // acquires, then waits, of each pipeline so far
  uint64_t groups, completed; // asynchronous mmas issued so far, and how many are known to have completed
  CAKE_VEC(CakeSimLoan) loans;
  const CakeSimTiles *item_tiles; // of the innermost `items`; NULL: outside
  int64_t item, item_at[CAKE_SIM_MAX_RANK], item_steps;
  int64_t *item_rounds, *step_rounds; // rounds that these loops have begun; NULL: outside
  int64_t lets[CAKE_SIM_MAX_LETS]; // the item's names; of those so far while they are computed
  size_t n_lets;
};

// A copy under way: to a view, or (`is_store`) from one, whose elements are written, or added (`is_added`).
typedef struct CakeSimCopy {
  bool is_store, is_added;
  CakeOp *op;
  const CakeSimGlobal *global;
  int64_t base[CAKE_SIM_MAX_RANK]; // the first element
  int64_t row, col, rows, cols;    // the target in the view; the tile's rank is the view's
  int row_dim;                     // of the array
  const void *pad; // one kept element; NULL: there was a check that the tile fits
  CakeSimPipe *pipe;
  CakeSimStage *stage;
  CakeSimPart *part;
  uint32_t part_index;
} CakeSimCopy;

// A CTA, or the CTAs of a cluster, which run together.
struct CakeSimCta {
  CakeSimLaunch *launch;
  int64_t number; // of the first
  CakeSimMachine *machines;
  size_t n_machines;
  CAKE_VEC(CakeSimCopy) copies;       // under way, oldest first
  CAKE_VEC(CakeSimDeferred) deferred; // oldest first
  uint64_t random;
  uint64_t steps;
  int64_t bytes_in_use[CAKE_MAX_CLUSTER]; // of each CTA
};

static inline int64_t cake_sim_cta_number(const CakeSimMachine *machine) {
  return machine->cta->number + machine->rank;
}
static inline void *cake_sim_at(const CakeSimMachine *machine, uint32_t slot) {
  return machine->memory + machine->program->slots.data[slot].offset;
}
static inline const CakeSimSlot *cake_sim_slot_info(const CakeSimMachine *machine, uint32_t slot) {
  return &machine->program->slots.data[slot];
}
static inline float *cake_sim_floats(const CakeSimMachine *machine, uint32_t slot) {
  return (float *)cake_sim_at(machine, slot);
}
static inline int64_t *cake_sim_ints(const CakeSimMachine *machine, uint32_t slot) {
  return (int64_t *)cake_sim_at(machine, slot);
}

// Writes the constants of its program to a machine's memory.
void cake_sim_place_constants(CakeSimMachine *machine);
// Runs one CTA. False: reported.
bool cake_sim_run_cta(CakeSimCta *cta, int64_t number);
void cake_sim_cta_init(CakeSimCta *cta, CakeSimLaunch *launch);
// Puts pipelines, barriers, orders and machines back to where CTA `number` begins.
void cake_sim_cta_start(CakeSimCta *cta, int64_t number);
bool cake_sim_report_hang(CakeSimCta *cta); // nobody can go on; always false
void cake_sim_cta_fini(CakeSimCta *cta);
// Runs one machine for so many steps at most, or until it waits or ends. False: reported.
bool cake_sim_run_machine(CakeSimMachine *machine, uint64_t quantum);
// Follows the schedule of the options from the start of a CTA (sim_replay.c). False: reported.
bool cake_sim_follow(CakeSimCta *cta);
// Wakes all machines of the CTA that wait.
void cake_sim_wake(CakeSimCta *cta);
// Values of expressions at an instruction. False: reported.
bool cake_sim_eval(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimExprs *exprs, int64_t *out);
// Marks the elements of a tile for which a predicate holds: 1, else 0. NULL predicate: all. False: reported.
bool cake_sim_eval_keep(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimExprs *keep, int64_t rows,
                        int64_t cols, uint8_t *out);
// Begins an error at an instruction, with a note that says in which CTA, item and role. `cake_sim_fail` emits it.
CakeDiagnostic *cake_sim_error_begin(CakeSimMachine *machine, CakeOp *op, CakeCode code, const char *format, ...)
    CAKE_PRINTF(4, 5);
CakeSimStep cake_sim_fail(CakeSimMachine *machine, CakeDiagnostic *diagnostic);
CakeSimStep cake_sim_error(CakeSimMachine *machine, CakeOp *op, CakeCode code, const char *format, ...)
    CAKE_PRINTF(4, 5);

// ---- Pipelines at run time (sim_pipe.c) -----------------------------------------------------------------------------------

void cake_sim_pipe_reset(CakeSimPipe *pipe);
// What stands for a pipeline of CTA 0 in the machine's own CTA.
static inline CakeSimPipe *cake_sim_own_pipe(const CakeSimMachine *machine, CakeSimPipe *pipe) {
  return pipe + machine->rank * (int64_t)machine->cta->launch->n_pipes;
}
// Clusters (sim_cluster.c): whether the slot of that use is empty in every CTA that the machine's copies fill; the part of the cluster's
// multicast that one CTA fetches, one copy a CTA that gets it; and whether all of a slot has arrived.
bool cake_sim_is_empty_for_all(const CakeSimLaunch *launch, const CakeSimPipe *pipe, uint32_t stage, int64_t fill);
void cake_sim_send(CakeSimMachine *machine, const CakeSimCopy *whole, uint32_t mask);
bool cake_sim_has_arrived(const CakeSimPipe *pipe, const CakeSimStage *stage);
void cake_sim_mark_copy(const CakeSimCopy *copy, CakeSimFilled filled);
// Items (sim_items.c): an iterator's declaration; its coordinates; the names of the machine's item as an expression's environment.
bool cake_sim_build_tiles(CakeSimLaunch *launch, CakeOp *op, CakeSimTiles *tiles);
// The item that CTA (or cluster) `first` of `ctas` takes in a round; -1: none in this one; `tiles->items` or more: it has had its last.
int64_t cake_sim_item_of_round(const CakeSimTiles *tiles, int64_t first, int64_t round, int64_t ctas);
void cake_sim_item_at(const CakeSimTiles *tiles, int64_t item, int64_t *out);
bool cake_sim_name_of_item(void *machine, CakeId name, int64_t *out);
// Makes `item` the machine's: its coordinates, names and steps. NEXT: there it is; JUMP: an extent leaves it out.
CakeSimStep cake_sim_begin_item(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimTiles *tiles, int64_t item);
// The machine's groups up to this one have completed: what they read is given back.
void cake_sim_complete_groups(CakeSimMachine *machine, uint64_t group);
// The number of the last group that went into the pending accumulator in a slot of memory.
uint64_t *cake_sim_group_of(const CakeSimMachine *machine, uint32_t slot);
// The tile (first row and column, rows, columns) of the view may be written. Reported otherwise.
CakeSimStep cake_sim_view_check_write(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimView *view,
                                      const int64_t *tile);
void cake_sim_view_written(const CakeSimView *view); // all of it, by threads
// What fills a slot has arrived; the slot is full when it was the last. What the store engine reads has been read; the slot is empty.
void cake_sim_count_arrival(CakeSimCta *cta, const CakeSimPipe *pipe, CakeSimStage *stage);
void cake_sim_count_stored(CakeSimCta *cta, const CakeSimPipe *pipe, CakeSimStage *stage);
// Lets a copy under way land.
void cake_sim_land_copy(CakeSimCta *cta, size_t index);
// The part of the view from (row, col) on may be read. Reported otherwise.
CakeSimStep cake_sim_view_check_read(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimView *view,
                                     int64_t row, int64_t col, int64_t rows, int64_t cols);
// The shape of a part, and the memory of a stage (program.c). False: reported.
bool cake_sim_build_part(CakeOp *op, CakeType type, CakeSimPart *part);
void cake_sim_build_stage(CakeArena *arena, const CakeSimPipe *pipe, CakeSimStage *stage);
static inline const CakeSimPart *cake_sim_view_part(const CakeSimView *view) {
  return &view->pipe->parts[view->part];
}
static inline void *cake_sim_view_data(const CakeSimView *view) {
  return view->stage->data[view->part];
}
// The cake level's `describe`.
CakeLoc cake_sim_describe_role(const CakeSimMachine *machine, CakeBuf *out);
// Words about what a blocked machine waits for.
void cake_sim_blocked_note(const CakeSimMachine *machine, CakeBuf *out);
// The same for turns (sim_order.c).
bool cake_sim_waits_for_turn(const CakeSimInstr *instr);
void cake_sim_turn_note(const CakeSimMachine *machine, const CakeSimInstr *instr, CakeBuf *out);

// The same for one that waits at a barrier; false: it waits for something else (sim_sync.c).
bool cake_sim_barrier_note(const CakeSimMachine *machine, CakeBuf *out);

// A line of print (sim_debug.c).
void cake_sim_print_line(const CakeSimMachine *machine, CakeStr line);

// ---- Tiles of arrays (sim_tile.c) -------------------------------------------------------------------------------------------

// The columns of a tile run along the last dimension of its array from the element `base` on, its rows along `row_dim` (-1: there is one row).
// False, reported at `op`: the tile leaves the array.
bool cake_sim_tile_check(CakeSimMachine *machine, CakeOp *op, const CakeSimGlobal *global, const int64_t *base,
                         int row_dim, int64_t rows, int64_t cols);
// Reads it in kept form to `out`, whose rows are `pitch` elements apart. Elements outside of the array get `pad` (one kept element; NULL:
// the tile was checked).
void cake_sim_tile_read(const CakeSimGlobal *global, const int64_t *base, int row_dim, int64_t rows, int64_t cols,
                        const void *pad, void *out, int64_t pitch);
// Writes a tile from kept form, row by row without gaps, by cake_sim_write or cake_sim_add; elements outside of the array are passed over.
void cake_sim_tile_write(const CakeSimGlobal *global, const int64_t *base, int row_dim, int64_t rows, int64_t cols,
                         const void *in, CakeSimWrite write);
// The dimension of an array along which the rows of a tile run; -1: its rank is below 2.
int cake_sim_row_dim(const CakeSimGlobal *global, CakeAttr dims, int tile_rank);
// One kept element of that number; NULL for NULL.
const void *cake_sim_pad(CakeSimBuilder *builder, CakeSimElement element, CakeAttr number);

#endif
