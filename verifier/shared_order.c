// Rule shared-order: two threads, or a thread and a copy or matrix instruction, that touch the same bytes of shared memory, one of them writing,
// do so in an order.
//
// PTX ISA, "Memory consistency model": a data race is undefined. What orders accesses of different threads is a barrier, an arrival at an mbarrier
// and a wait for its phase, bar.warp.sync within a warp; what is asynchronous has ended for who waited for its group or for the mbarrier that
// its bytes, or an arrival behind it, count at.
//
// The function is executed once (warp_run.h) with clocks (shared_clocks.h): two accesses that nothing orders there can come the other way round.
// Addresses, counts and conditions that come from memory end the execution; so does a deadlock, which the rule protocol reports.
#include "dialects/cake/cake.h"
#include "dialects/gpu/gpu_accessors.h"
#include "verifier/lanes.h"
#include "verifier/proxy_accesses.h"
#include "verifier/rules.h"
#include "verifier/shared_clocks.h"
#include "verifier/shared_places.h"
#include "verifier/warp_run.h"

enum {
  LANES = 32,
  BUDGET = 12000,
  BYTES_AN_OP = 64,
  CHUNK_BYTES = 16,
  MBARRIER_BYTES = 8,
  MOST_BYTES = 1 << 20,
  MAX_REPORTS = 4
};

typedef struct Mbarrier {
  int64_t address, count, arrived, bytes; // bytes: that have not landed
  int64_t phase;                          // how many are complete
  uint32_t loads;                         // bulk loads that count here, so far
} Mbarrier;

typedef struct Barrier {
  int64_t arrived, phase, threads;
  CakeOp *op; // that came first in this phase
} Barrier;

typedef struct WarpState {
  bool waits; // at a named barrier, for `phase`
  int64_t phase;
  uint32_t groups;                            // of matrix instructions that are closed
  uint32_t stores[LANES], last_stores[LANES]; // groups of bulk stores that are closed; the group of the last store + 1
  CakeOp *store;                              // the last one
} WarpState;

typedef struct Pair {
  const CakeOp *a, *b;
} Pair;

typedef struct Order {
  CakeOp *func;
  int32_t warps;
  CakeSharedClocks *clocks;
  Mbarrier mbarriers[CAKE_MAX_MBARRIERS];
  size_t n_mbarriers;
  bool has_set_up; // an mbarrier, somewhere
  Barrier barriers[CAKE_NAMED_BARRIERS];
  WarpState states[CAKE_MAX_WARPS];
  CAKE_VEC(Pair) pairs; // that were reported
  CakeMap proxies;      // accesses of the async proxy → whether the rule async-proxy reports them
  CakeMap misplaced;    // ops that were reported for their address
} Order;

// ---- Reports ---------------------------------------------------------------------------------------------------------

static const char *what_it_was(const CakeSharedConflict *other) {
  switch (other->agent) {
  case CAKE_AGENT_COPY: return "a cp.async writes, which nobody here has waited for";
  case CAKE_AGENT_STORE: return "a bulk store may still read";
  case CAKE_AGENT_MATRIX: return "a matrix instruction may still read";
  case CAKE_AGENT_LOAD: return "a bulk load writes, whose mbarrier nobody here has waited for";
  default: return other->is_write ? "another thread writes, in no order" : "another thread reads, in no order";
  }
}

static const char *what_would_order(const CakeSharedConflict *other) {
  switch (other->agent) {
  case CAKE_AGENT_COPY: return "wait for an mbarrier at which 'gpu.cp_async_mbarrier_arrive' arrives behind the copy";
  case CAKE_AGENT_STORE:
    return "let the thread that stores wait with 'gpu.bulk_wait_read' for the store's group, and meet the others "
           "behind it";
  case CAKE_AGENT_MATRIX: return "wait with 'gpu.wgmma_wait' for its group, and meet behind it";
  case CAKE_AGENT_LOAD: return "put a 'gpu.mbarrier_wait' for that phase in front of it";
  default: return "put a barrier of both between the two";
  }
}

static bool was_reported(const Order *order, const CakeOp *a, const CakeOp *b) {
  for (size_t i = 0; i < order->pairs.len; i++) {
    Pair pair = order->pairs.data[i];
    if ((pair.a == a && pair.b == b) || (pair.a == b && pair.b == a)) return true;
  }
  return false;
}

static void report(Order *order, const CakeSharedAccess *access, const CakeSharedConflict *other) {
  CakeContext *context = order->func->context;
  if (order->pairs.len == MAX_REPORTS || was_reported(order, access->op, other->op)) return;
  CAKE_PUSH(&order->pairs, ((Pair){access->op, other->op}));
  CakeDiagnostic *d =
      cake_error_begin(access->op, CAKE_CODE_SYNC_RACE, "%s shared memory at byte %lld, which %s",
                       access->is_write ? "writes" : "reads", (long long)other->address, what_it_was(other));
  cake_diag_note(context, d, other->op->loc, other->is_write ? "the write" : "the read");
  cake_diag_fix(context, d, "%s", what_would_order(other));
  (void)cake_diag_emit(context, d);
}

// What threads did and the async proxy does behind it is first of all what the rule async-proxy is about.
static bool is_of_proxies(Order *order, const CakeSharedAccess *access, const CakeSharedConflict *other) {
  uintptr_t known;
  if (other->agent != CAKE_AGENT_THREAD || access->agent == CAKE_AGENT_THREAD || access->agent == CAKE_AGENT_COPY)
    return false;
  if (!cake_map_get(&order->proxies, access->op, &known)) {
    known = cake_proxy_finds(order->func, access->op);
    cake_map_set(&order->proxies, access->op, known);
  }
  return known;
}

// One number, stored by several threads at once, is there in any order.
static bool is_same_number(const CakeSharedAccess *access, const CakeSharedConflict *other) {
  if (!access->is_write || !other->is_write || access->op != other->op ||
      !cake_is_gpu_op(access->op, cake_op_gpu_store))
    return false;
  const CakeOp *value = cake_value_def(cake_gpu_store_value(access->op));
  return value && cake_op_has_trait(value, CAKE_TRAIT_CONSTANT);
}

static void touch(Order *order, int32_t warp, const CakeSharedAccess *access, int64_t align) {
  if (!cake_shared_place_fits(order->func, access->op, access->address, access->bytes, align, &order->misplaced))
    return;
  CakeSharedConflict other = cake_shared_access(order->clocks, warp, access);
  if (other.op && !is_same_number(access, &other) && !is_of_proxies(order, access, &other))
    report(order, access, &other);
}

// ---- Accesses of threads -----------------------------------------------------------------------------------------------

static int64_t lane_count(uint32_t lanes) {
  int64_t count = 0;
  for (; lanes; lanes &= lanes - 1)
    count++;
  return count;
}

static int64_t value_bytes(CakeType type) {
  int64_t count = cake_type_is(type, &cake_type_def_vector) ? cake_type_count(type) : 1;
  if (cake_type_is(type, &cake_type_def_vector)) type = cake_type_element(type);
  return cake_type_is_index(type) ? 4 : count * (int64_t)cake_type_width(type) / 8;
}

// The pointer through which threads access shared memory; NULL: they do not.
static const CakeValue *thread_pointer(const CakeOp *op, int64_t *out_bytes, bool *is_write) {
  const CakeValue *pointer = NULL;
  *out_bytes = CHUNK_BYTES;
  *is_write = !cake_is_gpu_op(op, cake_op_gpu_load) && !cake_is_gpu_op(op, cake_op_gpu_ldmatrix);
  if (cake_is_gpu_op(op, cake_op_gpu_load)) {
    pointer = cake_gpu_load_ptr(op);
    *out_bytes = value_bytes(op->results[0].type);
  } else if (cake_is_gpu_op(op, cake_op_gpu_store)) {
    pointer = cake_gpu_store_ptr(op);
    *out_bytes = value_bytes(cake_gpu_store_value(op)->type);
  } else if (cake_is_gpu_op(op, cake_op_gpu_ldmatrix)) {
    pointer = cake_gpu_ldmatrix_ptr(op);
  } else if (cake_is_gpu_op(op, cake_op_gpu_stmatrix)) {
    pointer = cake_gpu_stmatrix_ptr(op);
  } else if (cake_is_gpu_op(op, cake_op_gpu_cp_async)) {
    pointer = cake_gpu_cp_async_dst(op);
    *out_bytes = cake_attr_int_value(cake_gpu_cp_async_bytes(op));
  }
  return pointer && gpu_is_shared_ptr.test(pointer->type) ? pointer : NULL;
}

static CakeRunStep thread_access(Order *order, CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op) {
  CakeSharedAccess access = {.op = op, .who = warp, .time = cake_shared_now(order->clocks, warp)};
  const CakeValue *pointer = thread_pointer(op, &access.bytes, &access.is_write);
  if (cake_is_gpu_op(op, cake_op_gpu_cp_async)) access.agent = CAKE_AGENT_COPY;
  int64_t addresses[LANES];
  if (!pointer) return CAKE_RUN_ON;
  if (lanes & ~cake_run_numbers(run, warp, pointer, addresses)) return CAKE_RUN_STOP;
  cake_run_spend(run, (size_t)lane_count(lanes));
  for (uint32_t lane = 0; lane < LANES; lane++) {
    if (!(lanes >> lane & 1)) continue;
    access.address = addresses[lane];
    access.lane = lane;
    touch(order, warp, &access, access.bytes);
  }
  return CAKE_RUN_ON;
}

// ---- Mbarriers -----------------------------------------------------------------------------------------------------------

static Mbarrier *find_mbarrier(Order *order, int64_t address) {
  for (size_t i = 0; i < order->n_mbarriers; i++)
    if (order->mbarriers[i].address == address) return &order->mbarriers[i];
  return NULL;
}

static Mbarrier *mbarrier_at(Order *order, CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op,
                             const CakeValue *pointer) {
  int64_t address;
  if (!cake_run_number_of(run, warp, lanes, pointer, &address)) return NULL;
  Mbarrier *found = find_mbarrier(order, address);
  if (!found && !order->has_set_up && cake_map_add(&order->misplaced, op, 1))
    (void)cake_error(op, CAKE_CODE_SYNC_NOT_READY, "uses an mbarrier at byte %lld, and the function sets up none",
                     (long long)address);
  return found;
}

static int32_t object_of(const Order *order, const Mbarrier *mbarrier) {
  return CAKE_NAMED_BARRIERS + (int32_t)(mbarrier - order->mbarriers);
}

static CakeRunStep init_mbarrier(Order *order, CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op) {
  int64_t address;
  if (!cake_run_number_of(run, warp, lanes, cake_gpu_mbarrier_init_barrier(op), &address) ||
      !cake_shared_place_fits(order->func, op, address, MBARRIER_BYTES, MBARRIER_BYTES, &order->misplaced))
    return CAKE_RUN_STOP;
  Mbarrier *mbarrier = find_mbarrier(order, address);
  if (!mbarrier && order->n_mbarriers == CAKE_MAX_MBARRIERS) return CAKE_RUN_STOP;
  if (!mbarrier) mbarrier = &order->mbarriers[order->n_mbarriers++];
  *mbarrier = (Mbarrier){
      .address = address, .count = cake_attr_int_value(cake_gpu_mbarrier_init_count(op)), .loads = mbarrier->loads};
  return CAKE_RUN_ON;
}

static void complete(Order *order, Mbarrier *mbarrier) {
  if (mbarrier->arrived < mbarrier->count || mbarrier->bytes) return;
  mbarrier->arrived = 0;
  mbarrier->phase++;
  cake_shared_complete(order->clocks, object_of(order, mbarrier));
}

static CakeRunStep arrive(Order *order, CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op,
                          const CakeValue *pointer, int64_t bytes) {
  Mbarrier *mbarrier = mbarrier_at(order, run, warp, lanes, op, pointer);
  if (!mbarrier) return CAKE_RUN_STOP;
  cake_shared_arrive(order->clocks, object_of(order, mbarrier), warp, lanes,
                     cake_is_gpu_op(op, cake_op_gpu_cp_async_mbarrier_arrive));
  mbarrier->arrived += lane_count(lanes);
  mbarrier->bytes += bytes * lane_count(lanes);
  if (mbarrier->arrived > mbarrier->count) return CAKE_RUN_STOP; // the rule protocol says so
  complete(order, mbarrier);
  return CAKE_RUN_ON;
}

static CakeRunStep wait(Order *order, CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op) {
  int64_t parity;
  Mbarrier *mbarrier = mbarrier_at(order, run, warp, lanes, op, cake_gpu_mbarrier_wait_barrier(op));
  if (!mbarrier || !cake_run_number_of(run, warp, lanes, cake_gpu_mbarrier_wait_parity(op), &parity))
    return CAKE_RUN_STOP;
  if ((mbarrier->phase & 1) == (parity & 1)) return CAKE_RUN_WAIT;
  cake_shared_wait(order->clocks, object_of(order, mbarrier), warp);
  return CAKE_RUN_ON;
}

static CakeRunStep load(Order *order, CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op,
                        const CakeValue *target, const CakeValue *barrier, int64_t bytes, int64_t align) {
  Mbarrier *mbarrier = mbarrier_at(order, run, warp, lanes, op, barrier);
  if (!mbarrier || bytes < 1) return CAKE_RUN_STOP;
  CakeSharedAccess access = {.op = op, .agent = CAKE_AGENT_LOAD, .is_write = true, .bytes = bytes};
  access.who = (int32_t)(mbarrier - order->mbarriers);
  access.time = ++mbarrier->loads;
  int64_t addresses[LANES];
  if (lanes & ~cake_run_numbers(run, warp, target, addresses)) return CAKE_RUN_STOP;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    if (!(lanes >> lane & 1)) continue;
    access.address = addresses[lane];
    cake_run_spend(run, (size_t)(bytes / BYTES_AN_OP));
    touch(order, warp, &access, align);
    mbarrier->bytes -= bytes;
  }
  cake_shared_land(order->clocks, object_of(order, mbarrier), CAKE_AGENT_LOAD, access.who, access.time);
  complete(order, mbarrier);
  return CAKE_RUN_ON;
}

// ---- Barriers of threads -------------------------------------------------------------------------------------------------

// All who come in a phase name as many threads.
static bool agrees(Order *order, Barrier *barrier, CakeOp *op, int64_t id, int64_t threads) {
  CakeContext *context = order->func->context;
  if (!barrier->arrived) {
    barrier->op = op;
    barrier->threads = threads;
  }
  if (barrier->threads == threads) return true;
  if (!cake_map_add(&order->misplaced, op, 1)) return false;
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_SYNC_ARRIVAL_COUNT,
                                       "names %lld threads at barrier %lld, where others wait for %lld",
                                       (long long)threads, (long long)id, (long long)barrier->threads);
  cake_diag_note(context, d, barrier->op->loc, "they came here");
  return cake_diag_emit(context, d);
}

static CakeRunStep meet(Order *order, CakeOp *op, int32_t warp, uint32_t lanes, int64_t id, int64_t threads,
                        bool waits) {
  WarpState *state = &order->states[warp];
  if (id < 0 || id >= CAKE_NAMED_BARRIERS || lanes != UINT32_MAX) return CAKE_RUN_STOP;
  Barrier *barrier = &order->barriers[id];
  if (state->waits) {
    if (barrier->phase == state->phase) return CAKE_RUN_WAIT;
    cake_shared_wait(order->clocks, (int32_t)id, warp);
    state->waits = false;
    return CAKE_RUN_ON;
  }
  if (!agrees(order, barrier, op, id, threads)) return CAKE_RUN_STOP;
  cake_shared_meet(order->clocks, warp, lanes);
  cake_shared_arrive(order->clocks, (int32_t)id, warp, lanes, false);
  state->phase = barrier->phase;
  barrier->arrived += LANES;
  if (barrier->arrived >= threads) {
    barrier->arrived = 0;
    barrier->phase++;
    cake_shared_complete(order->clocks, (int32_t)id);
  }
  if (!waits) return CAKE_RUN_ON;
  state->waits = true;
  return CAKE_RUN_AGAIN;
}

static CakeRunStep named(Order *order, CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op) {
  int64_t id;
  if (!cake_run_number_of(run, warp, lanes, cake_op_operand(op, 0), &id)) return CAKE_RUN_STOP;
  return meet(order, op, warp, lanes, id, cake_attr_int_value(cake_op_attr_text(op, "threads")),
              cake_is_gpu_op(op, cake_op_gpu_named_barrier));
}

// ---- Bulk stores and matrix instructions -----------------------------------------------------------------------------------

static CakeRunStep store(Order *order, CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op) {
  WarpState *state = &order->states[warp];
  CakeSharedAccess access = {.op = op, .agent = CAKE_AGENT_STORE, .who = warp};
  access.bytes = cake_gpu_box_bytes(order->func, cake_gpu_tma_store_map(op));
  int64_t align = cake_shared_map_align(order->func, cake_gpu_tma_store_map(op));
  int64_t addresses[LANES];
  if (access.bytes < 1 || lanes & ~cake_run_numbers(run, warp, cake_gpu_tma_store_src(op), addresses))
    return CAKE_RUN_STOP;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    if (!(lanes >> lane & 1)) continue;
    access.address = addresses[lane];
    access.lane = lane;
    cake_run_spend(run, (size_t)(access.bytes / BYTES_AN_OP));
    access.time = state->last_stores[lane] = state->stores[lane] + 1;
    touch(order, warp, &access, align);
  }
  state->store = op;
  return CAKE_RUN_ON;
}

static void wait_stores(Order *order, int32_t warp, uint32_t lanes, int64_t pending) {
  const WarpState *state = &order->states[warp];
  for (uint32_t lane = 0; lane < LANES; lane++)
    if ((lanes >> lane & 1) && state->stores[lane] > (uint32_t)pending)
      cake_shared_learn(order->clocks, warp, CAKE_AGENT_STORE, warp, lane, state->stores[lane] - (uint32_t)pending);
}

// Of what a matrix descriptor points to, the first 8 rows: the rest depends on its layout.
static void read_operand(Order *order, CakeWarpRun *run, int32_t warp, uint32_t lane, CakeOp *op,
                         const CakeValue *descriptor) {
  static const int64_t row_bytes[] = {16, 128, 64, 32}; // by the kind of swizzle
  int64_t bits;
  if (!cake_run_number_of(run, warp, 1U << lane, descriptor, &bits)) return;
  CakeSharedAccess access = {.op = op, .agent = CAKE_AGENT_MATRIX, .who = warp, .lane = lane};
  access.time = order->states[warp].groups + 1;
  access.address = (bits & 0x3FFF) << 4;
  access.bytes = 8 * row_bytes[(uint64_t)bits >> 62];
  touch(order, warp, &access, 1);
}

static uint32_t first_lane(uint32_t lanes) {
  uint32_t lane = 0;
  while (!(lanes >> lane & 1))
    lane++;
  return lane;
}

static void multiply(Order *order, CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op) {
  uint32_t lane = first_lane(lanes);
  if (cake_is_gpu_op(op, cake_op_gpu_wgmma)) {
    read_operand(order, run, warp, lane, op, cake_gpu_wgmma_a(op));
    read_operand(order, run, warp, lane, op, cake_gpu_wgmma_b(op));
  } else {
    read_operand(order, run, warp, lane, op, cake_gpu_wgmma_rs_b(op));
  }
}

static void wait_matrices(Order *order, int32_t warp, int64_t pending) {
  uint32_t groups = order->states[warp].groups;
  if (groups > (uint32_t)pending)
    cake_shared_learn(order->clocks, warp, CAKE_AGENT_MATRIX, warp, 0, groups - (uint32_t)pending);
}

// ---- Ops -------------------------------------------------------------------------------------------------------------

static bool watches(const CakeOp *op) {
  int64_t bytes;
  bool is_write;
  if (op->info->dialect != &cake_dialect_gpu) return false;
  switch (op->info->def->ordinal) {
  case cake_op_gpu_load:
  case cake_op_gpu_store: return thread_pointer(op, &bytes, &is_write) != NULL;
  case cake_op_gpu_ldmatrix:
  case cake_op_gpu_stmatrix:
  case cake_op_gpu_cp_async:
  case cake_op_gpu_cp_async_mbarrier_arrive:
  case cake_op_gpu_mbarrier_init:
  case cake_op_gpu_mbarrier_arrive:
  case cake_op_gpu_mbarrier_arrive_expect_tx:
  case cake_op_gpu_mbarrier_wait:
  case cake_op_gpu_tma_load:
  case cake_op_gpu_bulk_load:
  case cake_op_gpu_barrier:
  case cake_op_gpu_named_barrier:
  case cake_op_gpu_named_barrier_arrive:
  case cake_op_gpu_warp_sync:
  case cake_op_gpu_tma_store:
  case cake_op_gpu_bulk_commit:
  case cake_op_gpu_bulk_wait_read:
  case cake_op_gpu_wgmma:
  case cake_op_gpu_wgmma_rs:
  case cake_op_gpu_wgmma_commit:
  case cake_op_gpu_wgmma_wait:
  case cake_op_gpu_tcgen05_mma:
  case cake_op_gpu_tcgen05_commit:
  case cake_op_gpu_return: return true;
  default: return false;
  }
}

static CakeRunStep matrix_in_tensor_memory(Order *order, CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op) {
  WarpState *state = &order->states[warp];
  if (cake_is_gpu_op(op, cake_op_gpu_tcgen05_mma)) {
    read_operand(order, run, warp, first_lane(lanes), op, cake_gpu_tcgen05_mma_a(op));
    read_operand(order, run, warp, first_lane(lanes), op, cake_gpu_tcgen05_mma_b(op));
    return CAKE_RUN_ON;
  }
  const CakeValue *barrier = cake_gpu_tcgen05_commit_barrier(op);
  Mbarrier *mbarrier = mbarrier_at(order, run, warp, lanes, op, barrier);
  if (!mbarrier) return CAKE_RUN_STOP;
  cake_shared_land(order->clocks, object_of(order, mbarrier), CAKE_AGENT_MATRIX, warp, ++state->groups);
  return arrive(order, run, warp, lanes, op, barrier, 0);
}

static CakeRunStep copies(Order *order, CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op) {
  int64_t bytes = 0;
  switch (op->info->def->ordinal) {
  case cake_op_gpu_tma_load:
    bytes = cake_gpu_box_bytes(order->func, cake_gpu_tma_load_map(op));
    return load(order, run, warp, lanes, op, cake_gpu_tma_load_dst(op), cake_gpu_tma_load_barrier(op), bytes,
                cake_shared_map_align(order->func, cake_gpu_tma_load_map(op)));
  case cake_op_gpu_bulk_load:
    if (!cake_run_number_of(run, warp, lanes, cake_gpu_bulk_load_bytes(op), &bytes)) return CAKE_RUN_STOP;
    return load(order, run, warp, lanes, op, cake_gpu_bulk_load_dst(op), cake_gpu_bulk_load_barrier(op), bytes,
                CHUNK_BYTES);
  case cake_op_gpu_tma_store: return store(order, run, warp, lanes, op);
  case cake_op_gpu_bulk_commit:
    for (uint32_t lane = 0; lane < LANES; lane++)
      order->states[warp].stores[lane] += lanes >> lane & 1;
    return CAKE_RUN_ON;
  default:
    wait_stores(order, warp, lanes, cake_attr_int_value(cake_gpu_bulk_wait_read_pending(op)));
    return CAKE_RUN_ON;
  }
}

static CakeRunStep synchronise(Order *order, CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op) {
  switch (op->info->def->ordinal) {
  case cake_op_gpu_mbarrier_init: return init_mbarrier(order, run, warp, lanes, op);
  case cake_op_gpu_mbarrier_arrive: return arrive(order, run, warp, lanes, op, cake_gpu_mbarrier_arrive_barrier(op), 0);
  case cake_op_gpu_cp_async_mbarrier_arrive:
    return arrive(order, run, warp, lanes, op, cake_gpu_cp_async_mbarrier_arrive_barrier(op), 0);
  case cake_op_gpu_mbarrier_arrive_expect_tx:
    return arrive(order, run, warp, lanes, op, cake_gpu_mbarrier_arrive_expect_tx_barrier(op),
                  cake_attr_int_value(cake_gpu_mbarrier_arrive_expect_tx_bytes(op)));
  case cake_op_gpu_mbarrier_wait: return wait(order, run, warp, lanes, op);
  case cake_op_gpu_barrier: return meet(order, op, warp, lanes, 0, (int64_t)order->warps * LANES, true);
  case cake_op_gpu_warp_sync: cake_shared_meet(order->clocks, warp, lanes); return CAKE_RUN_ON;
  default: return named(order, run, warp, lanes, op);
  }
}

// Who stores waits until its shared memory was read, before it ends.
static CakeRunStep end(Order *order, int32_t warp) {
  const WarpState *state = &order->states[warp];
  uintptr_t ignored;
  for (uint32_t lane = 0; lane < LANES; lane++) {
    uint32_t last = state->last_stores[lane];
    if (!last || cake_shared_knows(order->clocks, warp, CAKE_AGENT_STORE, warp, lane, last)) continue;
    if (cake_map_get(&order->misplaced, state->store, &ignored)) continue;
    cake_map_set(&order->misplaced, state->store, 1);
    CakeContext *context = order->func->context;
    CakeDiagnostic *d =
        cake_error_begin(state->store, CAKE_CODE_SYNC_UNDRAINED,
                         last > state->stores[lane]
                             ? "may still read shared memory when the CTA has ended: it is in no group, which only a "
                               "'gpu.bulk_commit' makes, so that nothing waits for it"
                             : "may still read shared memory when the CTA has ended: the thread that stores does "
                               "not wait for it");
    cake_diag_fix(context, d, "put a 'gpu.bulk_commit' and a 'gpu.bulk_wait_read 0' behind it");
    (void)cake_diag_emit(context, d);
  }
  return CAKE_RUN_ON;
}

static CakeRunStep execute(void *user, CakeWarpRun *run, int32_t warp, uint32_t lanes, CakeOp *op) {
  Order *order = user;
  if (!order->states[warp].waits) cake_shared_tick(order->clocks, warp);
  switch (op->info->def->ordinal) {
  case cake_op_gpu_return: return end(order, warp);
  case cake_op_gpu_load:
  case cake_op_gpu_store:
  case cake_op_gpu_ldmatrix:
  case cake_op_gpu_stmatrix:
  case cake_op_gpu_cp_async: return thread_access(order, run, warp, lanes, op);
  case cake_op_gpu_tma_load:
  case cake_op_gpu_bulk_load:
  case cake_op_gpu_tma_store:
  case cake_op_gpu_bulk_commit:
  case cake_op_gpu_bulk_wait_read: return copies(order, run, warp, lanes, op);
  case cake_op_gpu_wgmma:
  case cake_op_gpu_wgmma_rs: multiply(order, run, warp, lanes, op); return CAKE_RUN_ON;
  case cake_op_gpu_wgmma_commit: order->states[warp].groups++; return CAKE_RUN_ON;
  case cake_op_gpu_wgmma_wait:
    wait_matrices(order, warp, cake_attr_int_value(cake_gpu_wgmma_wait_pending(op)));
    return CAKE_RUN_ON;
  case cake_op_gpu_tcgen05_mma:
  case cake_op_gpu_tcgen05_commit: return matrix_in_tensor_memory(order, run, warp, lanes, op);
  default: return synchronise(order, run, warp, lanes, op);
  }
}

static bool touches_shared_memory(Order *order) {
  bool touches = false;
  for (CakeOp *op = order->func; op; op = cake_op_walk_next(order->func, op, false)) {
    order->has_set_up = order->has_set_up || cake_is_gpu_op(op, cake_op_gpu_mbarrier_init);
    touches = touches || (watches(op) && !cake_is_gpu_op(op, cake_op_gpu_return));
  }
  return touches;
}

static bool check_func(CakeOp *func) {
  CakeAttr shared = cake_gpu_func_shared_bytes(func);
  int64_t threads = cake_attr_int_value(cake_gpu_func_block(func));
  int64_t bytes = shared ? cake_attr_int_value(shared) : 0;
  bool is_modelled = !cake_gpu_func_cluster(func) && bytes > 0 && bytes <= MOST_BYTES && threads >= LANES &&
                     threads / LANES <= CAKE_MAX_WARPS;
  Order order = {.func = func, .warps = (int32_t)(threads / LANES)};
  if (!is_modelled || !touches_shared_memory(&order)) return true;
  cake_context_site(func->context);
  CakeArena *arena = cake_arena_create();
  order.clocks = cake_shared_clocks_create(arena, order.warps, bytes);
  (void)cake_warp_run(func, &(CakeRunClient){watches, execute, &order}, BUDGET);
  cake_shared_clocks_destroy(order.clocks);
  cake_arena_destroy(arena);
  bool ok = order.pairs.len == 0 && order.misplaced.len == 0;
  cake_map_fini(&order.misplaced);
  cake_map_fini(&order.proxies);
  CAKE_VEC_FINI(&order.pairs);
  return ok;
}

bool cake_rule_shared_order(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, cake_is_gpu_op(op, cake_op_gpu_func)))
    if (cake_is_gpu_op(op, cake_op_gpu_func)) ok &= check_func(op);
  return ok;
}
