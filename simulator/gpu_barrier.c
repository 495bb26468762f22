// gpu: barriers of the CTA and the warp, mbarriers, and the registers of warpgroups.
//
// An mbarrier is kept beside the memory that it lies in (PTX ISA, "Parallel Synchronization and Communication Instructions: mbarrier"): arrivals
// and bytes that its phase still waits for; a phase that waits for neither completes.
#include "simulator/gpu_build.h"

#include <string.h>

// ---- Barriers of the CTA ---------------------------------------------------------------------------------------------------

// Counts the threads of the warp. False: reported.
static bool count(CakeSimMachine *machine, CakeOp *op, int64_t number, int64_t threads) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  CakeGpuBarrier *barrier = &cta->barriers[number];
  uint32_t *warps = &barrier->warps[machine->rank], warp = UINT32_C(1) << machine->instance;
  CakeSimStep step = CAKE_SIM_NEXT;
  if (barrier->arrived > 0 && barrier->expected != threads)
    step = cake_sim_error(machine, op, CAKE_CODE_SIM_UNDEFINED,
                          "expects %lld threads at barrier %lld, at which others expect %lld", (long long)threads,
                          (long long)(number % CAKE_GPU_BARRIERS), (long long)barrier->expected);
  else if (*warps & warp)
    step = cake_sim_error(machine, op, CAKE_CODE_SIM_UNDEFINED,
                          "arrives a second time at barrier %lld, whose other threads have not arrived yet",
                          (long long)(number % CAKE_GPU_BARRIERS));
  if (step != CAKE_SIM_NEXT) return false;
  barrier->expected = threads;
  barrier->arrived += CAKE_GPU_LANES;
  *warps |= warp;
  cake_gpu_race_barrier_arrive(machine, number);
  if (barrier->arrived < threads) return true;
  cake_gpu_race_barrier_complete(cta, number);
  *barrier = (CakeGpuBarrier){.generation = barrier->generation + 1};
  cake_gpu_wake(cta);
  return true;
}

// Arrives once, then waits until as many threads have arrived as are expected.
static CakeSimStep meet(CakeSimMachine *machine, CakeOp *op, int64_t number, int64_t threads) {
  CakeGpuStrand *strand = cake_gpu_strand(cake_gpu_warp(machine));
  CakeGpuBarrier *barrier = &cake_gpu_cta(machine)->barriers[number];
  if (!strand->has_arrived) {
    uint64_t generation = barrier->generation;
    if (!cake_gpu_is_whole(machine, op) || !count(machine, op, number, threads)) return CAKE_SIM_FAILED;
    strand->has_arrived = true;
    strand->barrier = (uint8_t)number;
    strand->generation = generation;
  }
  if (strand->generation == barrier->generation) return CAKE_SIM_BLOCKED;
  strand->has_arrived = false;
  cake_gpu_race_barrier_pass(machine, number);
  return CAKE_SIM_NEXT;
}

static CakeSimStep eval_barrier(CakeSimMachine *machine, const CakeSimInstr *instr) {
  int64_t threads = (int64_t)cake_gpu_cta(machine)->warps_each * CAKE_GPU_LANES;
  return meet(machine, instr->op, machine->rank * CAKE_GPU_BARRIERS, threads);
}

bool cake_gpu_build_gpu_barrier(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_barrier) != NULL;
}

static CakeSimStep eval_cluster_barrier(CakeSimMachine *machine, const CakeSimInstr *instr) {
  int64_t threads = (int64_t)cake_gpu_cta(machine)->n_warps * CAKE_GPU_LANES;
  return meet(machine, instr->op, CAKE_GPU_CLUSTER_BARRIER, threads);
}

bool cake_gpu_build_gpu_cluster_barrier(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_cluster_barrier) != NULL;
}

// The number of a named barrier; -1: reported.
static int64_t barrier_number(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const int64_t *ids = cake_sim_ints(machine, instr->in[0]);
  if (!cake_gpu_is_whole(machine, instr->op)) return -1;
  if (cake_gpu_is_uniform(machine, instr->in[0]) && ids[0] >= 1 && ids[0] < CAKE_GPU_BARRIERS)
    return machine->rank * CAKE_GPU_BARRIERS + ids[0];
  (void)cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED,
                       "names barrier %lld; it must be one of 1 to 15 and the same in all lanes", (long long)ids[0]);
  return -1;
}

static CakeSimStep eval_named_barrier(CakeSimMachine *machine, const CakeSimInstr *instr) {
  int64_t number = barrier_number(machine, instr);
  return number < 0 ? CAKE_SIM_FAILED
                    : meet(machine, instr->op, number, cake_attr_int_value(cake_gpu_named_barrier_threads(instr->op)));
}

bool cake_gpu_build_gpu_named_barrier(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_named_barrier) != NULL;
}

static CakeSimStep eval_named_barrier_arrive(CakeSimMachine *machine, const CakeSimInstr *instr) {
  int64_t number = barrier_number(machine, instr),
          threads = cake_attr_int_value(cake_gpu_named_barrier_arrive_threads(instr->op));
  return number >= 0 && count(machine, instr->op, number, threads) ? CAKE_SIM_NEXT : CAKE_SIM_FAILED;
}

bool cake_gpu_build_gpu_named_barrier_arrive(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_named_barrier_arrive) != NULL;
}

// ---- The warp ------------------------------------------------------------------------------------------------------------

static CakeSimStep eval_warp_sync(CakeSimMachine *machine, const CakeSimInstr *instr) {
  if (!cake_gpu_is_whole(machine, instr->op)) return CAKE_SIM_FAILED;
  cake_gpu_race_warp_sync(machine);
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_warp_sync(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_warp_sync) != NULL;
}

// PTX leaves open which lane is elected, but it is always the same: the seed chooses it.
static CakeSimStep eval_elect(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  if (!cake_gpu_is_whole(machine, instr->op)) return CAKE_SIM_FAILED;
  uint64_t seed[] = {machine->cta->launch->seed, warp->number};
  unsigned lane = seed[0] ? (unsigned)(cake_hash_bytes(seed, sizeof seed, 0) % CAKE_GPU_LANES) : 0;
  if (!cake_gpu_is_active(machine, lane)) lane = 0;
  for (unsigned i = 0; i < CAKE_GPU_LANES; i++)
    cake_sim_ints(machine, instr->out[0])[i] = i == lane;
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_elect(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_elect) != NULL;
}

// ---- mbarriers -------------------------------------------------------------------------------------------------------------

CakeGpuMbarrier *cake_gpu_mbarrier_find(CakeGpuCta *cta, int64_t address) {
  for (size_t i = 0; i < cta->mbarriers.len; i++)
    if (cta->mbarriers.data[i].at == (uint64_t)address) return &cta->mbarriers.data[i];
  return NULL;
}

CakeGpuMbarrier *cake_gpu_mbarrier_at(CakeSimMachine *machine, CakeOp *op, int64_t address) {
  CakeGpuMbarrier *found = cake_gpu_mbarrier_find(cake_gpu_cta(machine), address);
  if (!found)
    (void)cake_sim_error(machine, op, CAKE_CODE_SIM_UNINITIALISED, "uses shared memory + %lld, where no mbarrier is",
                         cake_gpu_shared_offset(machine, address));
  return found;
}

static void complete_phase(CakeGpuCta *cta, CakeGpuMbarrier *barrier) {
  if (barrier->pending != 0 || barrier->bytes != 0) return;
  barrier->pending = barrier->expected;
  barrier->phase++;
  cake_gpu_race_mbarrier_complete(cta, barrier);
  cake_gpu_wake(cta);
}

static bool too_many(CakeSimMachine *machine, CakeOp *op, const CakeGpuMbarrier *barrier, const char *what) {
  CakeDiagnostic *d = cake_sim_error_begin(
      machine, op, CAKE_CODE_SIM_UNDEFINED, "%s at the mbarrier at shared memory + %lld (phase %llu)", what,
      (long long)(barrier->at - cake_gpu_window(cake_gpu_cta(machine), barrier->rank)),
      (unsigned long long)barrier->phase);
  cake_diag_note(machine->cta->launch->context, d, barrier->op->loc, "it was set up here for %lld arrivals",
                 (long long)barrier->expected);
  (void)cake_sim_fail(machine, d);
  return false;
}

bool cake_gpu_mbarrier_arrive(CakeSimMachine *machine, CakeOp *op, CakeGpuMbarrier *barrier, int64_t arrivals) {
  if (barrier->pending < arrivals) return too_many(machine, op, barrier, "arrives once more than its phase expects");
  barrier->pending -= arrivals;
  complete_phase(cake_gpu_cta(machine), barrier);
  return true;
}

enum { MAX_BYTES = (1 << 20) - 1 }; // PTX ISA, "Tracking asynchronous operations": the range of the tx-count

bool cake_gpu_mbarrier_expect(CakeSimMachine *machine, CakeOp *op, CakeGpuMbarrier *barrier, int64_t bytes) {
  barrier->bytes += bytes;
  return barrier->bytes <= MAX_BYTES || too_many(machine, op, barrier, "expects more bytes than can be counted");
}

// Bytes may arrive before they are expected, but not when nobody is left who could expect them.
bool cake_gpu_mbarrier_complete(CakeSimMachine *machine, CakeOp *op, CakeGpuMbarrier *barrier, int64_t bytes) {
  barrier->bytes -= bytes;
  if (barrier->bytes < 0 && barrier->pending == 0)
    return too_many(machine, op, barrier, "brings more bytes than its phase expects");
  complete_phase(cake_gpu_cta(machine), barrier);
  return barrier->bytes >= -MAX_BYTES || too_many(machine, op, barrier, "brings more bytes than can be counted");
}

static CakeSimStep eval_mbarrier_init(CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  int64_t count = cake_attr_int_value(cake_gpu_mbarrier_init_count(instr->op));
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    int64_t address = cake_sim_ints(machine, instr->in[0])[lane];
    if (!cake_gpu_is_active(machine, lane)) continue;
    if (count < 1 || count > MAX_BYTES)
      return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED, "expects %lld arrivals; 1 to %d are possible",
                            (long long)count, (int)MAX_BYTES);
    if (!cake_gpu_shared_at(machine, instr->op, address, 8, 8) || !cake_gpu_check_write(machine, instr->op, address, 8))
      return CAKE_SIM_FAILED;
    cake_gpu_mark(cta, address, 8, CAKE_GPU_MBARRIER);
    uint64_t *seen = CAKE_ARENA_ARRAY(machine->cta->launch->arena, uint64_t, cta->n_warps *CAKE_GPU_LANES);
    CakeGpuMbarrier barrier = {.at = (uint32_t)address, .op = instr->op, .expected = count, .pending = count};
    barrier.seen = seen;
    barrier.number = (uint32_t)cta->mbarriers.len;
    barrier.rank = machine->rank;
    cake_gpu_race_mbarrier_init(machine, lane, &barrier);
    CAKE_PUSH(&cta->mbarriers, barrier);
  }
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_mbarrier_init(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_mbarrier_init) != NULL;
}

static CakeSimStep eval_init_fence(CakeSimMachine *machine, const CakeSimInstr *instr) {
  (void)instr;
  cake_gpu_race_fence_init(machine);
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_mbarrier_init_fence(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_init_fence) != NULL;
}

static CakeSimStep eval_fence(CakeSimMachine *machine, const CakeSimInstr *instr) {
  (void)instr;
  cake_gpu_race_fence_async(machine);
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_fence_proxy_async(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_fence) != NULL;
}

static CakeSimStep arrive(CakeSimMachine *machine, const CakeSimInstr *instr, int64_t bytes) {
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    if (!cake_gpu_is_active(machine, lane)) continue;
    CakeGpuMbarrier *barrier = cake_gpu_mbarrier_at(machine, instr->op, cake_sim_ints(machine, instr->in[0])[lane]);
    if (!barrier || !cake_gpu_race_mbarrier_use(machine, instr, lane, barrier, CAKE_GPU_GENERIC))
      return CAKE_SIM_FAILED;
    cake_gpu_race_mbarrier_arrive(machine, lane, barrier);
    if (!cake_gpu_mbarrier_expect(machine, instr->op, barrier, bytes) ||
        !cake_gpu_mbarrier_arrive(machine, instr->op, barrier, 1))
      return CAKE_SIM_FAILED;
  }
  return CAKE_SIM_NEXT;
}

static CakeSimStep eval_mbarrier_arrive(CakeSimMachine *machine, const CakeSimInstr *instr) {
  return arrive(machine, instr, 0);
}

bool cake_gpu_build_gpu_mbarrier_arrive(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_mbarrier_arrive) != NULL;
}

static CakeSimStep eval_arrive_remote(CakeSimMachine *machine, const CakeSimInstr *instr) {
  bool is_relaxed = cake_gpu_mbarrier_arrive_remote_relaxed(instr->op) != NULL;
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    int64_t address = cake_sim_ints(machine, instr->in[0])[lane], rank = cake_sim_ints(machine, instr->in[1])[lane];
    if (!cake_gpu_is_active(machine, lane)) continue;
    if (!cake_gpu_remote(machine, instr->op, address, rank, &address)) return CAKE_SIM_FAILED;
    CakeGpuMbarrier *barrier = cake_gpu_mbarrier_at(machine, instr->op, address);
    if (!barrier || !cake_gpu_race_mbarrier_use(machine, instr, lane, barrier, CAKE_GPU_GENERIC))
      return CAKE_SIM_FAILED;
    if (is_relaxed)
      cake_gpu_race_mbarrier_arrive_relaxed(machine, lane, barrier);
    else
      cake_gpu_race_mbarrier_arrive(machine, lane, barrier);
    if (!cake_gpu_mbarrier_arrive(machine, instr->op, barrier, 1)) return CAKE_SIM_FAILED;
  }
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_mbarrier_arrive_remote(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_arrive_remote) != NULL;
}

static CakeSimStep eval_arrive_expect_tx(CakeSimMachine *machine, const CakeSimInstr *instr) {
  return arrive(machine, instr, cake_attr_int_value(cake_gpu_mbarrier_arrive_expect_tx_bytes(instr->op)));
}

bool cake_gpu_build_gpu_mbarrier_arrive_expect_tx(CakeSimBuilder *builder, CakeOp *op) {
  int64_t bytes = cake_attr_int_value(cake_gpu_mbarrier_arrive_expect_tx_bytes(op));
  if (bytes < 0 || bytes > MAX_BYTES) return cake_sim_unsupported(op, "expects %lld bytes", (long long)bytes);
  return cake_sim_emit(builder, op, eval_arrive_expect_tx) != NULL;
}

// The phase that a thread waits for is the first of that parity behind the last that it waited for. When the next one has completed too,
// the parity says the opposite: the thread was lapped.
static bool check_lap(CakeSimMachine *machine, CakeOp *op, const CakeGpuMbarrier *barrier, uint32_t thread,
                      int64_t parity) {
  uint64_t wanted = barrier->seen[thread] + ((barrier->seen[thread] & 1) != (uint64_t)parity);
  bool is_first = barrier->seen[thread] == 0 && parity == 1; // passes before any phase has completed
  if (is_first || barrier->phase < wanted + 2) return true;
  (void)cake_sim_error(machine, op, CAKE_CODE_SIM_PHASE_LAP,
                       "waits for phase %llu of the mbarrier at shared memory + %lld, but %llu phases have completed",
                       (unsigned long long)wanted, cake_gpu_shared_offset(machine, barrier->at),
                       (unsigned long long)barrier->phase);
  return false;
}

static CakeSimStep eval_mbarrier_wait(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  const int64_t *address = cake_sim_ints(machine, instr->in[0]), *parity = cake_sim_ints(machine, instr->in[1]);
  CakeGpuMbarrier *found[CAKE_GPU_LANES] = {0};
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    if (!cake_gpu_is_active(machine, lane)) continue;
    bool is_same = lane > 0 && found[lane - 1] && address[lane] == address[lane - 1];
    found[lane] = is_same ? found[lane - 1] : cake_gpu_mbarrier_at(machine, instr->op, address[lane]);
    if (!found[lane] || !cake_gpu_race_mbarrier_use(machine, instr, lane, found[lane], CAKE_GPU_GENERIC))
      return CAKE_SIM_FAILED;
    if (parity[lane] != 0 && parity[lane] != 1)
      return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED, "waits for parity %lld",
                            (long long)parity[lane]);
    if (!check_lap(machine, instr->op, found[lane], cake_gpu_thread(warp, lane), parity[lane])) return CAKE_SIM_FAILED;
    if ((found[lane]->phase & 1) == (uint64_t)parity[lane]) return CAKE_SIM_BLOCKED;
  }
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    if (!cake_gpu_is_active(machine, lane)) continue;
    found[lane]->seen[cake_gpu_thread(warp, lane)] = found[lane]->phase;
    cake_gpu_race_mbarrier_pass(machine, lane, found[lane]);
  }
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_mbarrier_wait(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_mbarrier_wait) != NULL;
}

// ---- Grids and caches ------------------------------------------------------------------------------------------------------

// There is one grid, and no cache.
static CakeSimStep eval_nothing(CakeSimMachine *machine, const CakeSimInstr *instr) {
  (void)machine, (void)instr;
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_griddepcontrol(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_nothing) != NULL;
}

bool cake_gpu_build_gpu_prefetch(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_nothing) != NULL;
}

// ---- Registers -----------------------------------------------------------------------------------------------------------

// A CTA gets 65536 registers, shared out evenly; `decrease` gives some back, `increase` waits until there are enough (PTX ISA, `setmaxnreg`).
static CakeSimStep eval_setmaxnreg(CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeGpuWarp *warp = cake_gpu_warp(machine);
  CakeGpuCta *cta = cake_gpu_cta(machine);
  if (!cake_gpu_is_whole(machine, instr->op)) return CAKE_SIM_FAILED;
  int64_t wanted = cake_attr_int_value(cake_gpu_setmaxnreg_count(instr->op)), more = wanted - warp->registers;
  bool is_increase = cake_str_is(cake_attr_string_value(cake_gpu_setmaxnreg_action(instr->op)), "increase");
  if (is_increase ? more < 0 : more > 0)
    return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED, "asks for %lld registers, but has %lld",
                          (long long)wanted, (long long)warp->registers);
  if (more * CAKE_GPU_LANES > cta->free_registers[machine->rank]) return CAKE_SIM_BLOCKED;
  cta->free_registers[machine->rank] -= more * CAKE_GPU_LANES;
  warp->registers = wanted;
  if (more < 0) cake_gpu_wake(cta);
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_setmaxnreg(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_setmaxnreg) != NULL;
}

// ---- Hangs ---------------------------------------------------------------------------------------------------------------

static void note_mbarrier(CakeGpuCta *cta, const CakeSimMachine *machine, int64_t address, int64_t parity,
                          CakeBuf *out) {
  const CakeGpuMbarrier *barrier = cake_gpu_mbarrier_find(cta, address);
  cake_buf_printf(out, " waits at the mbarrier at shared memory + %lld for parity %lld",
                  cake_gpu_shared_offset(machine, address), (long long)parity);
  if (!barrier) return;
  cake_buf_printf(out, "; its phase %llu lacks %lld of %lld arrivals", (unsigned long long)barrier->phase,
                  (long long)barrier->pending, (long long)barrier->expected);
  if (barrier->bytes) cake_buf_printf(out, " and %lld bytes", (long long)barrier->bytes);
}

void cake_gpu_blocked_note(CakeGpuCta *cta, const CakeGpuWarp *warp, const CakeGpuStrand *strand, CakeBuf *out) {
  const CakeSimInstr *instr = &warp->machine.program->code.data[strand->pc];
  unsigned lane = 0;
  while (!(strand->mask >> lane & 1))
    lane++;
  if (cake_is_gpu_op(instr->op, cake_op_gpu_mbarrier_wait)) {
    note_mbarrier(cta, &warp->machine, cake_sim_ints(&warp->machine, instr->in[0])[lane],
                  cake_sim_ints(&warp->machine, instr->in[1])[lane], out);
  } else if (cake_is_gpu_op(instr->op, cake_op_gpu_setmaxnreg)) {
    cake_buf_printf(out, " has %lld registers a thread and waits for %lld; the CTA has %lld free",
                    (long long)warp->registers, (long long)cake_attr_int_value(cake_gpu_setmaxnreg_count(instr->op)),
                    (long long)cta->free_registers[warp->machine.rank]);
  } else {
    cake_buf_printf(out, " waits at '%.*s'", CAKE_STR_ARG(cake_op_name(instr->op)));
    if (strand->has_arrived)
      cake_buf_printf(out, ", where %lld of %lld threads are", (long long)cta->barriers[strand->barrier].arrived,
                      (long long)cta->barriers[strand->barrier].expected);
  }
}
