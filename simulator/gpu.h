// What the files of the thread level share: warps, their strands, the memory of a CTA, barriers, and copies under way.
//
//   gpu_launch.c     arguments of a gpu.func, the CTAs one after the other
//   gpu_program.c    the tables; what values are kept as
//   gpu_control.c    functions; branches on which lanes differ
//   gpu_schedule.c   strands take turns, what is under way lands, hangs
//   gpu_replay.c     a given schedule
//   gpu_registers.c  who am I, registers
//   gpu_memory.c     addresses, and the state of each byte of shared memory
//   gpu_access.c     loads, stores, ldmatrix
//   gpu_barrier.c    barriers, mbarriers, registers of warpgroups
//   gpu_copy.c       cp.async and bulk copies, gpu_tensor.c: those of tensors
//   gpu_mma.c        mma, wgmma
//   gpu_race.c       who may see what: vector clocks; gpu_race_cells.c: accesses that nothing orders
//
// A machine is a warp: each value has 32 lanes, and an op is executed for all of them at once. Where a branch tells lanes apart, the warp
// splits into strands that take turns like warps, and join where the branch ends (the region's end: PTX ISA leaves the place open, and
// ptxas chooses the same).
//
// Addresses: an array of the launch lies at `(number + 1) << 40`, plus the alignment that its type declares and no more; shared memory
// begins at 1024. The CTAs of a cluster run together: their warps stand behind one another, and so do their shared memories.
#ifndef CAKE_SIMULATOR_GPU_H
#define CAKE_SIMULATOR_GPU_H

#include "simulator/build.h"

#include "dialects/gpu/gpu_accessors.h"

enum {
  CAKE_GPU_LANES = 32,
  CAKE_GPU_MAX_STRANDS = 64,
  CAKE_GPU_BARRIERS = 16, // named barriers of a CTA
  CAKE_GPU_CLUSTER_BARRIER = CAKE_MAX_CLUSTER * CAKE_GPU_BARRIERS, // behind those of all CTAs
  CAKE_GPU_ARRAY_SHIFT = 40,
  CAKE_GPU_SHARED_BASE = 1024,
  CAKE_GPU_MAP_RANK = 5,
};

typedef struct CakeGpuCta CakeGpuCta;
typedef struct CakeGpuWarp CakeGpuWarp;
typedef struct CakeGpuRaces CakeGpuRaces;

// ---- Strands and warps -----------------------------------------------------------------------------------------------------

typedef enum CakeGpuState {
  CAKE_GPU_FREE,    // no strand
  CAKE_GPU_READY,   // may go on
  CAKE_GPU_BLOCKED, // again when something has happened
  CAKE_GPU_SPLIT,   // waits for the strands that it was split into
} CakeGpuState;

typedef struct CakeGpuStrand {
  CakeGpuState state;
  uint32_t pc, mask;
  uint32_t end; // where it ends and its parent goes on
  uint32_t parent, children;
  bool has_arrived;    // at the barrier it waits at
  uint8_t barrier;     // its number
  uint64_t generation; // of that barrier, when it arrived
} CakeGpuStrand;

struct CakeGpuWarp {
  CakeSimMachine machine; // its instance is the number of the warp in its CTA
  uint32_t number;        // in the cluster
  uint32_t all; // lanes that exist
  CakeGpuStrand strands[CAKE_GPU_MAX_STRANDS];
  uint32_t n_strands;     // those behind were never used
  uint32_t current;       // the strand that runs
  uint64_t *groups;       // of each slot: the wgmma group that writes it, 0: none
  uint64_t group, waited; // the wgmma group that is open; those up to `waited` were waited for
  uint64_t multiplied;    // wgmmas issued
  uint64_t stores[CAKE_GPU_LANES], stored[CAKE_GPU_LANES]; // of a lane: the open group of bulk stores; those waited for
  uint32_t storing;                                        // lanes that stored in their open group
  int64_t registers;                                       // of a thread
};

typedef struct CakeGpuReady {
  CakeGpuWarp *warp;
  uint32_t strand;
} CakeGpuReady;

// ---- Shared memory ---------------------------------------------------------------------------------------------------------

typedef enum CakeGpuByte {
  CAKE_GPU_UNWRITTEN,
  CAKE_GPU_UNDER_WAY, // an asynchronous copy writes it
  CAKE_GPU_WRITTEN,
  CAKE_GPU_MBARRIER,
} CakeGpuByte;

typedef struct CakeGpuMbarrier {
  uint32_t at; // shared address
  CakeOp *op;  // that set it up
  int64_t expected, pending, bytes;
  uint64_t phase;         // phases completed
  uint64_t *seen;         // by each thread: phases that it waited for
  int64_t rank;           // of the CTA
  uint32_t number;        // in the order of their set-up
  uint32_t thread, clock; // that set it up, and when: gpu_race.c
  bool is_fenced;         // behind that
} CakeGpuMbarrier;

typedef struct CakeGpuBarrier {
  int64_t arrived, expected;        // threads
  uint32_t warps[CAKE_MAX_CLUSTER]; // that have arrived, of each CTA
  uint64_t generation;
} CakeGpuBarrier;

// ---- What is under way -----------------------------------------------------------------------------------------------------

typedef enum CakeGpuPendingKind {
  CAKE_GPU_COPY,    // bytes from one place to another, lane by lane
  CAKE_GPU_TENSOR,  // a box of an array
  CAKE_GPU_STORE,   // a box of an array, to it
  CAKE_GPU_ARRIVAL, // at an mbarrier, behind the copies of a thread
  CAKE_GPU_WGMMA,
  CAKE_GPU_TCGEN05,
  CAKE_GPU_COMMIT, // an arrival at an mbarrier, behind the tcgen05 of a thread
} CakeGpuPendingKind;

typedef struct CakeGpuPending {
  CakeGpuPendingKind kind;
  CakeGpuWarp *warp;
  const CakeSimInstr *instr;
  uint32_t mask; // lanes that take part
  uint32_t map;
  uint64_t group;  // of wgmma, or of a lane's bulk stores
  float *a;        // of a wgmma: A in registers, given back when it lands; NULL: in shared memory
  bool adds;       // of a wgmma: it reads its accumulator
  uint32_t *known; // of a commit: what its lanes had seen, given back when it lands; NULL: not watched
  // From here on who issues it sets what its kind has, of the lanes that take part.
  int64_t to[CAKE_GPU_LANES], from[CAKE_GPU_LANES];
  int64_t bytes[CAKE_GPU_LANES], filled[CAKE_GPU_LANES]; // read, and written with what was read and zeros
  int64_t barrier[CAKE_GPU_LANES];                       // shared address, 0: none
  int64_t coords[CAKE_GPU_MAP_RANK];
  uint32_t clock[CAKE_GPU_LANES]; // of an arrival: gpu_race.c
} CakeGpuPending;

// ---- Tensor maps -----------------------------------------------------------------------------------------------------------

// Dimensions innermost first.
typedef struct CakeGpuMap {
  uint32_t argument;
  size_t rank;
  int64_t dims[CAKE_GPU_MAP_RANK], strides[CAKE_GPU_MAP_RANK], box[CAKE_GPU_MAP_RANK]; // strides in bytes
  int64_t element_bytes, swizzle;
} CakeGpuMap;

// What the warps of a warpgroup multiply: how often the first has, and what lately.
typedef struct CakeGpuAgreement {
  uint64_t count, recent[256];
} CakeGpuAgreement;

// ---- Tensor memory -----------------------------------------------------------------------------------------------------------

enum { CAKE_GPU_TENSOR_LANES = 128, CAKE_GPU_TENSOR_COLUMNS = 512 };

typedef struct CakeGpuTensorMemory {
  float *data;                                 // column by column; NULL until something was allocated
  int64_t first, columns;                      // what is allocated
  uint8_t state[CAKE_GPU_TENSOR_COLUMNS];      // CakeGpuByte of each
  uint16_t under_way[CAKE_GPU_TENSOR_COLUMNS]; // tcgen05 that will write it
  CakeOp *alloc;
} CakeGpuTensorMemory;

// ---- CTAs ------------------------------------------------------------------------------------------------------------------

struct CakeGpuCta {
  CakeSimCta cta;
  CakeGpuWarp *warps;
  size_t n_warps, warps_each; // of the cluster, of a CTA
  CakeMap actions;     // ops that only a move of a given schedule may execute
  CakeGpuReady *ready;           // strands that can go on, of a turn
  uint64_t *can_go, *waits;      // of each warp: its strands that are ready, and that are blocked
  size_t n_ready, n_done;        // strands; warps
  int64_t threads, shared_bytes; // of a CTA
  int64_t window;                // from the shared memory of a CTA to that of the next
  uint8_t *shared, *bytes;       // contents, CakeGpuByte of each
  CakeGpuBarrier barriers[CAKE_GPU_CLUSTER_BARRIER + 1];
  CAKE_VEC(CakeGpuMbarrier) mbarriers;
  CAKE_VEC(CakeGpuPending *) pending; // oldest first
  CAKE_VEC(CakeGpuPending *) spare;   // that were
  const CakeGpuMap *maps;
  size_t n_maps;
  int64_t free_registers[CAKE_MAX_CLUSTER];
  CakeGpuAgreement agreements[CAKE_MAX_CLUSTER * 8]; // of each warpgroup
  CakeGpuTensorMemory tensor;
  CakeGpuRaces *races; // NULL: not watched
};

static inline CakeGpuWarp *cake_gpu_warp(CakeSimMachine *machine) {
  return (CakeGpuWarp *)machine;
}
static inline CakeGpuCta *cake_gpu_cta(const CakeSimMachine *machine) {
  return (CakeGpuCta *)machine->cta;
}
static inline CakeGpuStrand *cake_gpu_strand(CakeGpuWarp *warp) {
  return &warp->strands[warp->current];
}
static inline bool cake_gpu_is_active(const CakeSimMachine *machine, unsigned lane) {
  return machine->active >> lane & 1;
}
// Whether the lanes of an integer agree. Without a branch a lane, for compilers that put several into one instruction.
static inline bool cake_gpu_is_uniform(const CakeSimMachine *machine, uint32_t slot) {
  const int64_t *values = cake_sim_ints(machine, slot);
  int64_t differences = 0;
  for (unsigned lane = 1; lane < CAKE_GPU_LANES; lane++)
    differences |= values[lane] ^ values[0];
  return differences == 0;
}
static inline uint32_t cake_gpu_thread(const CakeGpuWarp *warp, unsigned lane) {
  return warp->number * CAKE_GPU_LANES + lane;
}

// What lies at an address of the cluster's shared memory.
static inline uint8_t *cake_gpu_shared_bytes(const CakeGpuCta *cta, int64_t address) {
  return cta->shared + (address - CAKE_GPU_SHARED_BASE);
}
// Where the shared memory of a CTA of the cluster begins, and an address in it as its threads see it.
static inline int64_t cake_gpu_window(const CakeGpuCta *cta, int64_t rank) {
  return CAKE_GPU_SHARED_BASE + rank * cta->window;
}
static inline long long cake_gpu_shared_offset(const CakeSimMachine *machine, int64_t address) {
  const CakeGpuCta *cta = cake_gpu_cta(machine);
  int64_t offset = address - CAKE_GPU_SHARED_BASE, all = machine->cta->launch->cluster * cta->window;
  return (long long)(offset >= 0 && offset < all ? offset % cta->window : address - cake_gpu_window(cta, machine->rank));
}
// The number of its warpgroup.
static inline size_t cake_gpu_warpgroup(const CakeGpuWarp *warp) {
  return (size_t)(warp->machine.rank * 8 + warp->machine.instance / 4);
}
// An address of the machine's shared memory in another CTA; that CTA must not have ended. False: reported.
bool cake_gpu_remote(CakeSimMachine *machine, CakeOp *op, int64_t address, int64_t rank, int64_t *out);

// All lanes of the warp execute the op. Reported otherwise.
bool cake_gpu_is_whole(CakeSimMachine *machine, CakeOp *op);
extern const CakeSimLevel cake_sim_level_gpu;
// What a simulation without numbers needs. False: reported.
bool cake_gpu_slice(CakeSimLaunch *launch, CakeMap *needed);
// Everything of one launch of a gpu.func: see cake_simulate.
bool cake_gpu_simulate(CakeSimLaunch *launch, const CakeSimArgument *args, size_t n_args);

// ---- The schedule (gpu_schedule.c) --------------------------------------------------------------------------------------------

void cake_gpu_cta_init(CakeGpuCta *cta, CakeSimLaunch *launch);
void cake_gpu_cta_fini(CakeGpuCta *cta);
bool cake_gpu_run_cta(CakeGpuCta *cta, int64_t number); // false: reported
void cake_gpu_wake(CakeGpuCta *cta);
void cake_gpu_set_state(CakeGpuWarp *warp, uint32_t strand, CakeGpuState state);
bool cake_gpu_step_strand(CakeGpuWarp *warp, uint32_t strand); // one instruction; false: reported
// Follows the schedule of the launch's options (gpu_replay.c). False: reported.
bool cake_gpu_follow(CakeGpuCta *cta);
// A number below `bound`, by the seed.
uint64_t cake_gpu_random(CakeGpuCta *cta, uint64_t bound);
// Splits the running strand: lanes of `first` go on at the next instruction, those of `second` at `second_pc`; all go on together at `join`.
// An empty mask makes no strand.
CakeSimStep cake_gpu_split(CakeSimMachine *machine, uint32_t first, uint32_t second, uint32_t second_pc, uint32_t join);
// For branches and loops, by cake_gpu_split (gpu_control.c).
CakeSimStep cake_gpu_part(CakeSimMachine *machine, const CakeSimInstr *instr, uint32_t taken, uint32_t join);
// Words about a warp; its role is that of gpu.func's `roles`.
void cake_gpu_name_warp(const CakeGpuWarp *warp, CakeBuf *out);
void cake_gpu_name_in_cluster(const CakeGpuWarp *warp, CakeBuf *out); // with the CTA, where there are several
CakeLoc cake_gpu_describe(const CakeSimMachine *machine, CakeBuf *out);

// ---- Memory (gpu_memory.c) ------------------------------------------------------------------------------------------------------

typedef enum CakeGpuProxy { CAKE_GPU_GENERIC, CAKE_GPU_ASYNC } CakeGpuProxy;

// Where an access goes; `bytes` from `address` on, aligned to `align`. NULL: reported.
void *cake_gpu_shared_at(CakeSimMachine *machine, CakeOp *op, int64_t address, int64_t bytes, int64_t align);
void *cake_gpu_global_at(CakeSimMachine *machine, CakeOp *op, int64_t address, int64_t bytes, int64_t align);
// Shared bytes that are to be read were written, and no copy under way writes them. Reported otherwise.
bool cake_gpu_check_read(CakeSimMachine *machine, CakeOp *op, int64_t address, int64_t bytes);
// Shared bytes that are to be written hold no mbarrier and no copy under way writes them.
bool cake_gpu_check_write(CakeSimMachine *machine, CakeOp *op, int64_t address, int64_t bytes);
void cake_gpu_mark(CakeGpuCta *cta, int64_t address, int64_t bytes, CakeGpuByte state);
// What lanes write together, `bytes` from each address on and aligned to that: in the CTA's shared memory, and as cake_gpu_check_write asks.
// It is in that state then.
bool cake_gpu_claim(CakeSimMachine *machine, CakeOp *op, const int64_t *addresses, uint32_t mask, int64_t bytes,
                    CakeGpuByte state);
int64_t cake_gpu_array_address(const CakeSimLaunch *launch, size_t argument);
int64_t cake_gpu_array_bytes(const CakeSimLaunch *launch, size_t argument);
// The array whose addresses are nearest; SIZE_MAX: none is near.
size_t cake_gpu_array_near(const CakeSimLaunch *launch, int64_t address);
// "shared memory + 1024", "argument 'x' + 16"
void cake_gpu_place_text(const CakeSimLaunch *launch, bool is_shared, int64_t address, CakeBuf *out);

// ---- Barriers (gpu_barrier.c) -----------------------------------------------------------------------------------------------------

CakeGpuMbarrier *cake_gpu_mbarrier_find(CakeGpuCta *cta, int64_t address);                   // NULL: none there
CakeGpuMbarrier *cake_gpu_mbarrier_at(CakeSimMachine *machine, CakeOp *op, int64_t address); // NULL: reported
// Arrivals and bytes of copies. Reported when there are more than the phase takes.
bool cake_gpu_mbarrier_arrive(CakeSimMachine *machine, CakeOp *op, CakeGpuMbarrier *barrier, int64_t arrivals);
bool cake_gpu_mbarrier_expect(CakeSimMachine *machine, CakeOp *op, CakeGpuMbarrier *barrier, int64_t bytes);
bool cake_gpu_mbarrier_complete(CakeSimMachine *machine, CakeOp *op, CakeGpuMbarrier *barrier, int64_t bytes);
// Words about what a blocked strand waits for.
void cake_gpu_blocked_note(CakeGpuCta *cta, const CakeGpuWarp *warp, const CakeGpuStrand *strand, CakeBuf *out);

// ---- Races (gpu_race.c); without `races` all do nothing -----------------------------------------------------------------------------

// Reductions: sums that are added to what is there, in any order.
typedef enum CakeGpuAccessKind { CAKE_GPU_READ, CAKE_GPU_WRITE, CAKE_GPU_REDUCE } CakeGpuAccessKind;
typedef enum CakeGpuMemory { CAKE_GPU_IN_SHARED, CAKE_GPU_IN_ARRAY, CAKE_GPU_IN_TENSOR } CakeGpuMemory;

// In tensor memory a column has 16 bytes, the quarters of the lanes one behind the other.
typedef struct CakeGpuAccess {
  int64_t address, bytes;
  CakeGpuAccessKind kind;
  CakeGpuMemory memory;
} CakeGpuAccess;

void cake_gpu_races_init(CakeGpuCta *cta);
void cake_gpu_races_fini(CakeGpuCta *cta);
void cake_gpu_races_start(CakeGpuCta *cta);
// An access by a lane, of the generic proxy, and by a warp. False, as of those below: reported.
bool cake_gpu_race_access(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, CakeGpuAccess access);
bool cake_gpu_race_warp(CakeSimMachine *machine, const CakeSimInstr *instr, CakeGpuAccess access);
// What a lane's cp.async reads and writes, a bulk copy whose bytes count at `barrier`, and a bulk store; what a wgmma reads, and a tcgen05 does.
bool cake_gpu_race_copy(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, CakeGpuAccess access);
bool cake_gpu_race_bulk(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, CakeGpuAccess access,
                        const CakeGpuMbarrier *barrier);
bool cake_gpu_race_store(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, CakeGpuAccess access);
void cake_gpu_race_store_wait(CakeSimMachine *machine, unsigned lane);
bool cake_gpu_race_wgmma(CakeSimMachine *machine, const CakeSimInstr *instr, CakeGpuAccess access);
bool cake_gpu_race_tcgen05(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, CakeGpuAccess access);
// Order. A barrier of the CTA is arrived at by the whole warp, completes, and is passed.
void cake_gpu_race_barrier_arrive(CakeSimMachine *machine, int64_t number);
void cake_gpu_race_barrier_complete(CakeGpuCta *cta, int64_t number);
void cake_gpu_race_barrier_pass(CakeSimMachine *machine, int64_t number);
void cake_gpu_race_warp_sync(CakeSimMachine *machine);
void cake_gpu_race_mbarrier_init(CakeSimMachine *machine, unsigned lane, CakeGpuMbarrier *barrier);
// A lane uses an mbarrier: it must know that it was set up, and for the async proxy there must have been a fence.
bool cake_gpu_race_mbarrier_use(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane,
                                const CakeGpuMbarrier *barrier, CakeGpuProxy proxy);
void cake_gpu_race_mbarrier_arrive(CakeSimMachine *machine, unsigned lane, const CakeGpuMbarrier *barrier);
// Without release order: what the async proxy has done is over, and nothing else is known.
void cake_gpu_race_mbarrier_arrive_relaxed(CakeSimMachine *machine, unsigned lane, const CakeGpuMbarrier *barrier);
void cake_gpu_race_mbarrier_complete(CakeGpuCta *cta, const CakeGpuMbarrier *barrier);
void cake_gpu_race_mbarrier_pass(CakeSimMachine *machine, unsigned lane, const CakeGpuMbarrier *barrier);
// A lane's arrival behind its copies: begun, and landed.
uint32_t cake_gpu_race_copies_close(CakeSimMachine *machine, unsigned lane);
void cake_gpu_race_copies_arrive(CakeGpuCta *cta, uint32_t thread, uint32_t clock, const CakeGpuMbarrier *barrier);
// A commit of tcgen05 of a warp's active lanes: begun; and landed: they have completed, and who passes the mbarrier comes behind what they read.
uint32_t *cake_gpu_race_commit(CakeSimMachine *machine);
void cake_gpu_race_commit_arrive(CakeGpuCta *cta, const CakeGpuPending *pending, const CakeGpuMbarrier *barrier);
void cake_gpu_race_commit_close(CakeGpuCta *cta, const CakeGpuPending *pending);
void cake_gpu_race_fence_async(CakeSimMachine *machine);
void cake_gpu_race_fence_init(CakeSimMachine *machine);
void cake_gpu_race_wgmma_wait(CakeSimMachine *machine);

// ---- Matrices in shared memory (gpu_descriptor.c) ---------------------------------------------------------------------------------------

// `rows` × 32 bytes along K; element (r, k) goes to `at[r * row_step + k * k_step]`. Without `at` it is only looked whether they may be read.
typedef struct CakeGpuOperand {
  CakeSimElement element;
  int64_t descriptor;
  bool is_tcgen05; // how the descriptor is written, and what reads
  unsigned lane;   // that issued it, of tcgen05
  bool is_turned;  // rows of memory run along M or N
  float *at;
  int64_t rows, first, row_step, k_step; // `first`: row
} CakeGpuOperand;
bool cake_gpu_read_operand(CakeSimMachine *machine, const CakeSimInstr *instr,
                           const CakeGpuOperand *operand); // false: reported

// ---- Tensor memory (gpu_tmem.c) ---------------------------------------------------------------------------------------------------------

bool cake_gpu_land_tcgen05(CakeGpuCta *cta, const CakeGpuPending *pending);
bool cake_gpu_land_commit(CakeGpuCta *cta, const CakeGpuPending *pending);
bool cake_gpu_check_tensor_freed(CakeGpuCta *cta); // at the end of a CTA

// ---- Copies and wgmma under way ---------------------------------------------------------------------------------------------------

CakeGpuPending *cake_gpu_pend(CakeSimMachine *machine, const CakeSimInstr *instr, CakeGpuPendingKind kind);
// Whether it may land before the older ones that are under way.
bool cake_gpu_may_land(const CakeGpuCta *cta, size_t index);
bool cake_gpu_land(CakeGpuCta *cta, size_t index); // false: reported
// Where a byte of a swizzled tile lies.
int64_t cake_gpu_swizzled(int64_t address, int64_t swizzle);
bool cake_gpu_land_tensor(CakeGpuCta *cta, const CakeGpuPending *pending);
bool cake_gpu_land_store(CakeGpuCta *cta, const CakeGpuPending *pending);
// A thread may end when the store engine has read all that it was given.
bool cake_gpu_check_stored(CakeSimMachine *machine, CakeOp *op);
bool cake_gpu_land_wgmma(CakeGpuCta *cta, const CakeGpuPending *pending);
// Lets all wgmmas of a warp up to a group land.
bool cake_gpu_flush_wgmma(CakeGpuWarp *warp, uint64_t group);
CakeSimStep cake_gpu_eval_moves(CakeSimMachine *machine, const CakeSimInstr *instr);
// The recipes of the function's tensor maps for this launch. False: reported.
bool cake_gpu_build_maps(CakeSimLaunch *launch, CakeGpuMap **out_maps, size_t *out_count);
// At the end of a CTA: all warps of a warpgroup multiplied the same number of times.
bool cake_gpu_check_multiplied(CakeGpuCta *cta);

#endif
