// Who may see what: happens-before by vector clocks (Flanagan and Freund, "FastTrack", 2009, extended by asynchronous agents).
//
// A clock has a component for each thread; for each thread's cp.async and bulk stores; for each warp's wgmmas; for each mbarrier. A write of a bulk copy is known to
// who passed the phase of the mbarrier at which its bytes count; a write of cp.async to who passed the phase of the arrival behind it; a read of
// wgmma is over for who waited for its group, or for who was told so since. Each clock is kept twice: what the thread has seen, and what of it has
// been made visible to the async proxy (PTX ISA, "Proxies"; fence.proxy.async).
//
// Accesses are held to one another in gpu_race_cells.c.
#include "simulator/gpu_race.h"

#include <string.h>

typedef CakeGpuSync Sync;

// ---- Clocks --------------------------------------------------------------------------------------------------------------

static void merge(const CakeGpuRaces *races, uint32_t *restrict into, const uint32_t *restrict from) {
  for (size_t i = 0; i < 2 * races->n; i++)
    into[i] = into[i] > from[i] ? into[i] : from[i];
}

static void copy(const CakeGpuRaces *races, uint32_t *to, const uint32_t *from) {
  memcpy(to, from, 2 * races->n * sizeof *to);
}

// What the warp's threads do from now on is not known to who was told before.
static void tick(CakeGpuRaces *races, const CakeGpuWarp *warp) {
  uint32_t now = ++races->now[warp->number];
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    size_t thread = cake_gpu_thread(warp, lane);
    cake_gpu_clock_of(races, thread)[thread] = now;
  }
}

static bool has_op(CakeOp *func, int enumerator) {
  for (CakeOp *op = func; op; op = cake_op_walk_next(func, op, false))
    if (cake_is_gpu_op(op, enumerator)) return true;
  return false;
}

void cake_gpu_races_init(CakeGpuCta *cta) {
  CakeArena *arena = cta->cta.launch->arena;
  CakeGpuRaces *races = CAKE_ARENA_NEW(arena, CakeGpuRaces);
  cta->races = races;
  races->threads = cta->n_warps * CAKE_GPU_LANES;
  races->copies_at = races->threads;
  races->stores_at = races->copies_at + (has_op(cta->cta.launch->kernel, cake_op_gpu_cp_async) ? races->threads : 0);
  races->matrices_at = races->stores_at + (has_op(cta->cta.launch->kernel, cake_op_gpu_tma_store) ? races->threads : 0);
  races->mbarriers_at = races->matrices_at + cta->n_warps;
  races->n = races->mbarriers_at + CAKE_GPU_MAX_MBARRIERS;
  races->clocks = CAKE_ARENA_ARRAY(arena, uint32_t, 2 * races->n * races->threads);
  races->now = CAKE_ARENA_ARRAY(arena, uint32_t, cta->n_warps);
  races->copies = CAKE_ARENA_ARRAY(arena, uint32_t, races->threads);
  cake_gpu_cells_init(cta);
}

void cake_gpu_races_fini(CakeGpuCta *cta) {
  if (cta->races) cake_gpu_cells_fini(cta);
}

static void reset(CakeGpuRaces *races, Sync *sync) {
  if (!sync->open) return;
  memset(sync->open, 0, 2 * races->n * sizeof *sync->open);
  memset(sync->done, 0, 2 * races->n * sizeof *sync->done);
}

static Sync *prepare(CakeGpuCta *cta, Sync *sync) {
  if (sync->open) return sync;
  sync->open = CAKE_ARENA_ARRAY(cta->cta.launch->arena, uint32_t, 2 * cta->races->n);
  sync->done = CAKE_ARENA_ARRAY(cta->cta.launch->arena, uint32_t, 2 * cta->races->n);
  return sync;
}

void cake_gpu_races_start(CakeGpuCta *cta) {
  CakeGpuRaces *races = cta->races;
  if (!races) return;
  memset(races->clocks, 0, 2 * races->n * races->threads * sizeof *races->clocks);
  memset(races->now, 0, cta->n_warps * sizeof *races->now);
  cake_gpu_cells_start(cta);
  for (size_t i = 0; i < races->threads; i++)
    races->copies[i] = 1;
  for (size_t i = 0; i <= CAKE_GPU_CLUSTER_BARRIER; i++)
    reset(races, &races->barriers[i]);
  for (size_t i = 0; i < CAKE_GPU_MAX_MBARRIERS; i++)
    reset(races, &races->mbarriers[i]);
  for (size_t w = 0; w < cta->n_warps; w++)
    tick(races, &cta->warps[w]);
}

// ---- Order ---------------------------------------------------------------------------------------------------------------

void cake_gpu_race_barrier_arrive(CakeSimMachine *machine, int64_t number) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  CakeGpuRaces *races = cta->races;
  if (!races) return;
  Sync *sync = prepare(cta, &races->barriers[number]);
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++)
    merge(races, sync->open, cake_gpu_clock_of(races, cake_gpu_thread(cake_gpu_warp(machine), lane)));
  tick(races, cake_gpu_warp(machine));
}

void cake_gpu_race_barrier_complete(CakeGpuCta *cta, int64_t number) {
  if (cta->races) copy(cta->races, cta->races->barriers[number].done, cta->races->barriers[number].open);
}

void cake_gpu_race_barrier_pass(CakeSimMachine *machine, int64_t number) {
  CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  for (unsigned lane = 0; races && lane < CAKE_GPU_LANES; lane++)
    merge(races, cake_gpu_clock_of(races, cake_gpu_thread(cake_gpu_warp(machine), lane)), races->barriers[number].done);
}

void cake_gpu_race_warp_sync(CakeSimMachine *machine) {
  CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  if (!races) return;
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  uint32_t *all = cake_gpu_clock_of(races, cake_gpu_thread(warp, 0));
  for (unsigned lane = 1; lane < CAKE_GPU_LANES; lane++)
    merge(races, all, cake_gpu_clock_of(races, cake_gpu_thread(warp, lane)));
  for (unsigned lane = 1; lane < CAKE_GPU_LANES; lane++)
    copy(races, cake_gpu_clock_of(races, cake_gpu_thread(warp, lane)), all);
  tick(races, warp);
}

void cake_gpu_race_mbarrier_init(CakeSimMachine *machine, unsigned lane, CakeGpuMbarrier *barrier) {
  const CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  if (!races) return;
  barrier->thread = cake_gpu_thread(cake_gpu_warp(machine), lane);
  barrier->clock = races->now[cake_gpu_warp(machine)->number];
}

bool cake_gpu_race_mbarrier_use(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane,
                                const CakeGpuMbarrier *barrier, CakeGpuProxy proxy) {
  const CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  if (!races) return true;
  const uint32_t *clock = cake_gpu_clock_of(races, cake_gpu_thread(cake_gpu_warp(machine), lane));
  bool is_known = clock[barrier->thread] >= barrier->clock,
       is_visible = proxy == CAKE_GPU_GENERIC || barrier->is_fenced;
  if (is_known && is_visible && barrier->number < CAKE_GPU_MAX_MBARRIERS) return true;
  if (is_known && is_visible) return cake_sim_unsupported(instr->op, "uses more mbarriers than are watched for races");
  CakeDiagnostic *d = cake_sim_error_begin(
      machine, instr->op, is_known ? CAKE_CODE_SIM_PROXY : CAKE_CODE_SIM_RACE,
      is_known ? "uses the mbarrier at shared memory + %lld through the async proxy, without a fence behind its set-up"
               : "uses the mbarrier at shared memory + %lld in no order with its set-up",
      (long long)(barrier->at - cake_gpu_window(cake_gpu_cta(machine), barrier->rank)));
  cake_diag_note(machine->cta->launch->context, d, barrier->op->loc, "it is set up here");
  (void)cake_sim_fail(machine, d);
  return false;
}

void cake_gpu_race_mbarrier_arrive(CakeSimMachine *machine, unsigned lane, const CakeGpuMbarrier *barrier) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  CakeGpuRaces *races = cta->races;
  if (!races || barrier->number >= CAKE_GPU_MAX_MBARRIERS) return;
  Sync *sync = prepare(cta, &races->mbarriers[barrier->number]);
  merge(races, sync->open, cake_gpu_clock_of(races, cake_gpu_thread(cake_gpu_warp(machine), lane)));
  tick(races, cake_gpu_warp(machine));
}

// The components of asynchronous agents: bulk stores, matrix instructions, and phases of mbarriers, which tell of bulk copies.
void cake_gpu_race_mbarrier_arrive_relaxed(CakeSimMachine *machine, unsigned lane, const CakeGpuMbarrier *barrier) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  CakeGpuRaces *races = cta->races;
  if (!races || barrier->number >= CAKE_GPU_MAX_MBARRIERS) return;
  uint32_t *open = prepare(cta, &races->mbarriers[barrier->number])->open;
  const uint32_t *own = cake_gpu_clock_of(races, cake_gpu_thread(cake_gpu_warp(machine), lane));
  for (size_t half = 0; half < 2; half++)
    for (size_t i = half * races->n + races->stores_at; i < (half + 1) * races->n; i++)
      open[i] = open[i] > own[i] ? open[i] : own[i];
}

void cake_gpu_race_mbarrier_complete(CakeGpuCta *cta, const CakeGpuMbarrier *barrier) {
  CakeGpuRaces *races = cta->races;
  if (!races || barrier->number >= CAKE_GPU_MAX_MBARRIERS) return;
  Sync *sync = prepare(cta, &races->mbarriers[barrier->number]);
  sync->open[races->mbarriers_at + barrier->number] = (uint32_t)barrier->phase;
  copy(races, sync->done, sync->open);
}

void cake_gpu_race_mbarrier_pass(CakeSimMachine *machine, unsigned lane, const CakeGpuMbarrier *barrier) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  CakeGpuRaces *races = cta->races;
  if (!races || barrier->number >= CAKE_GPU_MAX_MBARRIERS) return;
  Sync *sync = prepare(cta, &races->mbarriers[barrier->number]);
  merge(races, cake_gpu_clock_of(races, cake_gpu_thread(cake_gpu_warp(machine), lane)), sync->done);
}

uint32_t cake_gpu_race_copies_close(CakeSimMachine *machine, unsigned lane) {
  CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  return races ? races->copies[cake_gpu_thread(cake_gpu_warp(machine), lane)]++ : 0;
}

void cake_gpu_race_copies_arrive(CakeGpuCta *cta, uint32_t thread, uint32_t clock, const CakeGpuMbarrier *barrier) {
  CakeGpuRaces *races = cta->races;
  if (!races || barrier->number >= CAKE_GPU_MAX_MBARRIERS || races->stores_at == races->copies_at) return;
  uint32_t *at = &prepare(cta, &races->mbarriers[barrier->number])->open[races->copies_at + thread];
  if (*at < clock) *at = clock;
}

// What tcgen05 reads in shared memory came before it: bulk copies, and what the async proxy may see of the threads' writes.
uint32_t *cake_gpu_race_commit(CakeSimMachine *machine) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  const CakeGpuRaces *races = cta->races;
  if (!races) return NULL;
  uint32_t *known = cake_arena_alloc(cta->cta.launch->arena, 2 * races->n * sizeof *known);
  memset(known, 0, 2 * races->n * sizeof *known);
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++)
    if (cake_gpu_is_active(machine, lane))
      merge(races, known, cake_gpu_clock_of(races, cake_gpu_thread(cake_gpu_warp(machine), lane)));
  memcpy(known, known + races->n, races->mbarriers_at * sizeof *known);
  return known;
}

void cake_gpu_race_commit_arrive(CakeGpuCta *cta, const CakeGpuPending *pending, const CakeGpuMbarrier *barrier) {
  CakeGpuRaces *races = cta->races;
  if (!races || barrier->number >= CAKE_GPU_MAX_MBARRIERS) return;
  Sync *sync = prepare(cta, &races->mbarriers[barrier->number]);
  uint32_t *at = &sync->open[races->matrices_at + pending->warp->number];
  merge(races, sync->open, pending->known);
  if (*at < pending->group) *at = (uint32_t)pending->group;
}

void cake_gpu_race_commit_close(CakeGpuCta *cta, const CakeGpuPending *pending) {
  if (pending->known)
    cake_arena_free(cta->cta.launch->arena, pending->known, 2 * cta->races->n * sizeof *pending->known);
}

void cake_gpu_race_fence_async(CakeSimMachine *machine) {
  CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  cake_gpu_race_fence_init(machine);
  for (unsigned lane = 0; races && lane < CAKE_GPU_LANES; lane++) {
    if (!cake_gpu_is_active(machine, lane)) continue;
    uint32_t *clock = cake_gpu_clock_of(races, cake_gpu_thread(cake_gpu_warp(machine), lane));
    memcpy(clock + races->n, clock, races->n * sizeof *clock);
  }
}

void cake_gpu_race_fence_init(CakeSimMachine *machine) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  for (size_t i = 0; cta->races && i < cta->mbarriers.len; i++) {
    uint32_t thread = cta->mbarriers.data[i].thread;
    bool is_own = thread / CAKE_GPU_LANES == cake_gpu_warp(machine)->number &&
                  cake_gpu_is_active(machine, thread % CAKE_GPU_LANES);
    cta->mbarriers.data[i].is_fenced |= is_own;
  }
}

void cake_gpu_race_store_wait(CakeSimMachine *machine, unsigned lane) {
  const CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  if (!races || races->matrices_at == races->stores_at) return;
  uint32_t thread = cake_gpu_thread(warp, lane);
  cake_gpu_clock_of(races, thread)[races->stores_at + thread] = (uint32_t)warp->stored[lane];
}

void cake_gpu_race_wgmma_wait(CakeSimMachine *machine) {
  CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  for (unsigned lane = 0; races && lane < CAKE_GPU_LANES; lane++)
    cake_gpu_clock_of(races, cake_gpu_thread(warp, lane))[races->matrices_at + warp->number] = (uint32_t)warp->waited;
}
