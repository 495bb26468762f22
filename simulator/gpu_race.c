// Who may see what: happens-before by vector clocks (Flanagan and Freund, "FastTrack", 2009, extended by asynchronous agents).
//
// A clock has a component for each thread; for each thread's cp.async and bulk stores; for each warp's wgmmas; for each mbarrier. A write of a bulk copy is known to
// who passed the phase of the mbarrier at which its bytes count; a write of cp.async to who passed the phase of the arrival behind it; a read of
// wgmma is over for who waited for its group, or for who was told so since. Each clock is kept twice: what the thread has seen, and what of it has
// been made visible to the async proxy (PTX ISA, "Proxies"; fence.proxy.async).
//
// Each 16 bytes of shared memory have a list of the accesses that no later one covers and follows.
#include "simulator/gpu.h"

#include <stdio.h>
#include <string.h>

enum { CELL_BYTES = 16, MAX_MBARRIERS = 256 };

typedef enum Agent { AGENT_THREAD, AGENT_COPY, AGENT_STORE, AGENT_WGMMA, AGENT_BULK } Agent;

typedef struct Record {
  uint32_t next; // number + 1; 0: the last
  uint32_t clock, instr, lanes;
  uint16_t who, mask; // warp, of a bulk copy the mbarrier; bytes of the cell
  uint8_t agent;
  bool is_write;
} Record;

// What the lanes know that access together: the first and the last of them.
typedef struct Clocks {
  const uint32_t *first, *last;
} Clocks;

// What arrived at a barrier so far, and what those who pass it come to know.
typedef struct Sync {
  uint32_t *open, *done;
} Sync;

struct CakeGpuRaces {
  size_t threads, n; // components of a clock
  size_t copies_at, stores_at, wgmma_at, mbarriers_at;
  uint32_t *clocks; // of each thread: what it has seen, then what the async proxy may see
  uint32_t *now;    // of each warp: the component of its threads
  uint32_t *copies; // of each thread: the component of its cp.async
  Sync barriers[CAKE_GPU_CLUSTER_BARRIER + 1], mbarriers[MAX_MBARRIERS];
  size_t n_cells;
  uint32_t *cells; // number + 1 of the first record
  CAKE_VEC(Record) records;
  uint32_t free;
};

// ---- Clocks --------------------------------------------------------------------------------------------------------------

static uint32_t *clock_of(const CakeGpuRaces *races, size_t thread) {
  return races->clocks + 2 * races->n * thread;
}

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
    clock_of(races, thread)[thread] = now;
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
  races->wgmma_at = races->stores_at + (has_op(cta->cta.launch->kernel, cake_op_gpu_tma_store) ? races->threads : 0);
  races->mbarriers_at = races->wgmma_at + cta->n_warps;
  races->n = races->mbarriers_at + MAX_MBARRIERS;
  races->clocks = CAKE_ARENA_ARRAY(arena, uint32_t, 2 * races->n * races->threads);
  races->now = CAKE_ARENA_ARRAY(arena, uint32_t, cta->n_warps);
  races->copies = CAKE_ARENA_ARRAY(arena, uint32_t, races->threads);
  races->n_cells = (size_t)(cta->window * cta->cta.launch->cluster / CELL_BYTES) + 1;
  races->cells = CAKE_ARENA_ARRAY(arena, uint32_t, races->n_cells);
}

void cake_gpu_races_fini(CakeGpuCta *cta) {
  if (cta->races) CAKE_VEC_FINI(&cta->races->records);
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
  memset(races->cells, 0, races->n_cells * sizeof *races->cells);
  races->records.len = 0;
  races->free = 0;
  for (size_t i = 0; i < races->threads; i++)
    races->copies[i] = 1;
  for (size_t i = 0; i <= CAKE_GPU_CLUSTER_BARRIER; i++)
    reset(races, &races->barriers[i]);
  for (size_t i = 0; i < MAX_MBARRIERS; i++)
    reset(races, &races->mbarriers[i]);
  for (size_t w = 0; w < cta->n_warps; w++)
    tick(races, &cta->warps[w]);
}

// ---- Accesses ------------------------------------------------------------------------------------------------------------

// Whether all of a record is within a clock, or the part of it that the async proxy may see.
static bool is_known(const CakeGpuRaces *races, const Record *record, const uint32_t *clock) {
  switch ((Agent)record->agent) {
  case AGENT_WGMMA: return clock[races->wgmma_at + record->who] >= record->clock;
  case AGENT_BULK: return clock[races->mbarriers_at + record->who] >= record->clock;
  default: break;
  }
  size_t first = (size_t)record->who * CAKE_GPU_LANES;
  if (record->agent != AGENT_THREAD) first += record->agent == AGENT_COPY ? races->copies_at : races->stores_at;
  for (uint32_t lanes = record->lanes, lane = 0; lanes; lanes >>= 1, lane++)
    if ((lanes & 1) && clock[first + lane] < record->clock) return false;
  return true;
}

static void note_other(CakeSimMachine *machine, CakeDiagnostic *d, const Record *other) {
  const CakeGpuCta *cta = cake_gpu_cta(machine);
  CakeOp *op = machine->program->code.data[other->instr].op;
  CakeBuf text = {0};
  cake_buf_text(&text, other->is_write ? "the write" : "the read");
  if (other->agent != AGENT_BULK) {
    cake_buf_text(&text, " of ");
    cake_gpu_name_in_cluster(&cta->warps[other->who], &text);
    if (other->agent != AGENT_WGMMA) cake_buf_printf(&text, ", lanes 0x%08x", (unsigned)other->lanes);
  }
  cake_diag_note(machine->cta->launch->context, d, op->loc, "%s", text.data);
  cake_buf_fini(&text);
}

static bool report(CakeSimMachine *machine, CakeOp *op, int64_t address, const Record *record, const Record *other,
                   bool is_hidden) {
  CakeDiagnostic *d;
  int64_t window = cake_gpu_cta(machine)->window, offset = address - CAKE_GPU_SHARED_BASE;
  long long place = (long long)(offset % window), owner = (long long)(machine->cta->number + offset / window);
  char where[40] = "";
  if (machine->cta->launch->cluster > 1) snprintf(where, sizeof where, " of CTA %lld", owner);
  const char *what = record->is_write ? "writes" : "reads";
  if (is_hidden)
    d = cake_sim_error_begin(
        machine, op, CAKE_CODE_SIM_PROXY,
        "%s shared memory + %lld%s through the async proxy, without a fence behind the generic %s there", what, place,
        where, other->is_write ? "write" : "read");
  else
    d = cake_sim_error_begin(machine, op, CAKE_CODE_SIM_RACE, "%s shared memory + %lld%s in no order with %s", what,
                             place, where, other->is_write ? "a write" : "a read");
  note_other(machine, d, other);
  (void)cake_sim_fail(machine, d);
  return false;
}

static uint32_t new_record(CakeGpuRaces *races, const Record *record) {
  uint32_t number = races->free;
  if (number) {
    races->free = races->records.data[number - 1].next;
    races->records.data[number - 1] = *record;
    return number;
  }
  CAKE_PUSH(&races->records, *record);
  return (uint32_t)races->records.len;
}

static bool is_same(const Record *a, const Record *b) {
  return a->agent == b->agent && a->who == b->who && a->clock == b->clock && a->mask == b->mask && !a->is_write &&
         !b->is_write;
}

// The first byte that two accesses of a cell share.
static int64_t shared_place(int64_t address, const Record *a, const Record *b) {
  int64_t place = address / CELL_BYTES * CELL_BYTES;
  for (unsigned both = a->mask & b->mask; !(both & 1); both >>= 1)
    place++;
  return place;
}

// Whether all of a record is within the clocks of those that access.
static bool is_known_to(const CakeGpuRaces *races, const Record *record, Clocks clocks, size_t from) {
  return is_known(races, record, clocks.first + from) &&
         (clocks.last == clocks.first || is_known(races, record, clocks.last + from));
}

// One cell. Of the accesses before, those that the new one covers and follows are dropped: who is ordered behind it is behind them.
static bool visit(CakeSimMachine *machine, CakeOp *op, int64_t address, const Record *record, Clocks clocks,
                  bool is_async) {
  CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  uint32_t *link = &races->cells[(address - CAKE_GPU_SHARED_BASE) / CELL_BYTES];
  bool is_merged = false;
  while (*link) {
    uint32_t number = *link;
    Record *other = &races->records.data[number - 1];
    if (is_same(record, other)) {
      other->lanes |= record->lanes;
      other->instr = record->instr;
      is_merged = true;
    } else if (other->mask & record->mask) {
      bool is_conflict = other->is_write || record->is_write, known = is_known_to(races, other, clocks, 0);
      if (is_conflict && !known) return report(machine, op, shared_place(address, record, other), record, other, false);
      bool is_generic = other->agent == AGENT_THREAD || other->agent == AGENT_COPY;
      if (is_async && is_conflict && is_generic && !is_known_to(races, other, clocks, races->n))
        return report(machine, op, shared_place(address, record, other), record, other, true);
      bool is_covered = (other->mask & ~record->mask) == 0 && (record->is_write || !other->is_write);
      if (known && is_covered) {
        *link = other->next;
        other->next = races->free;
        races->free = number;
        continue;
      }
    }
    link = &races->records.data[number - 1].next;
  }
  if (is_merged) return true;
  uint32_t number = new_record(races, record), *first = &races->cells[(address - CAKE_GPU_SHARED_BASE) / CELL_BYTES];
  races->records.data[number - 1].next = *first;
  *first = number;
  return true;
}

// Of lanes that access together, the first and the last must know.
static bool visit_all(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned first, unsigned last,
                      CakeGpuAccess access, Record record) {
  const CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  Clocks clocks = {clock_of(races, cake_gpu_thread(warp, first)), clock_of(races, cake_gpu_thread(warp, last))};
  bool is_async = record.agent == AGENT_WGMMA || record.agent == AGENT_BULK || record.agent == AGENT_STORE;
  int64_t end = access.address + access.bytes;
  record.instr = (uint32_t)(instr - machine->program->code.data);
  record.is_write = access.is_write;
  for (int64_t at = access.address; at < end;) {
    int64_t next = (at / CELL_BYTES + 1) * CELL_BYTES, stop = next < end ? next : end;
    record.mask = (uint16_t)(((1u << (stop - at)) - 1) << (at % CELL_BYTES));
    if (!visit(machine, instr->op, at, &record, clocks, is_async)) return false;
    at = stop;
  }
  return true;
}

bool cake_gpu_race_access(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, CakeGpuAccess access) {
  const CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  if (!races) return true;
  uint32_t warp = cake_gpu_warp(machine)->number;
  Record record = {.clock = races->now[warp], .who = (uint16_t)warp, .lanes = UINT32_C(1) << lane};
  return visit_all(machine, instr, lane, lane, access, record);
}

bool cake_gpu_race_copy(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, CakeGpuAccess access) {
  const CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  if (!races) return true;
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  Record record = {.agent = AGENT_COPY, .clock = races->copies[cake_gpu_thread(warp, lane)]};
  record.who = (uint16_t)warp->number;
  record.lanes = UINT32_C(1) << lane;
  return visit_all(machine, instr, lane, lane, access, record);
}

bool cake_gpu_race_bulk(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, CakeGpuAccess access,
                        const CakeGpuMbarrier *barrier) {
  if (!cake_gpu_cta(machine)->races) return true;
  Record record = {.agent = AGENT_BULK, .clock = (uint32_t)barrier->phase + 1, .who = (uint16_t)barrier->number};
  return visit_all(machine, instr, lane, lane, access, record);
}

bool cake_gpu_race_store(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, CakeGpuAccess access) {
  if (!cake_gpu_cta(machine)->races) return true;
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  Record record = {.agent = AGENT_STORE, .clock = (uint32_t)warp->stores[lane], .who = (uint16_t)warp->number};
  record.lanes = UINT32_C(1) << lane;
  return visit_all(machine, instr, lane, lane, access, record);
}

void cake_gpu_race_store_wait(CakeSimMachine *machine, unsigned lane) {
  const CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  if (!races || races->wgmma_at == races->stores_at) return;
  uint32_t thread = cake_gpu_thread(warp, lane);
  clock_of(races, thread)[races->stores_at + thread] = (uint32_t)warp->stored[lane];
}

// Whatever lane executed the waits before it: the first and the last must know.
bool cake_gpu_race_wgmma(CakeSimMachine *machine, const CakeSimInstr *instr, CakeGpuAccess access) {
  if (!cake_gpu_cta(machine)->races) return true;
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  Record record = {.agent = AGENT_WGMMA, .clock = (uint32_t)warp->group, .who = (uint16_t)warp->number};
  return visit_all(machine, instr, 0, CAKE_GPU_LANES - 1, access, record);
}

bool cake_gpu_race_tcgen05(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, CakeGpuAccess access) {
  if (!cake_gpu_cta(machine)->races) return true;
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  Record record = {.agent = AGENT_WGMMA, .clock = (uint32_t)warp->group, .who = (uint16_t)warp->number};
  return visit_all(machine, instr, lane, lane, access, record);
}

// ---- Order ---------------------------------------------------------------------------------------------------------------

void cake_gpu_race_barrier_arrive(CakeSimMachine *machine, int64_t number) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  CakeGpuRaces *races = cta->races;
  if (!races) return;
  Sync *sync = prepare(cta, &races->barriers[number]);
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++)
    merge(races, sync->open, clock_of(races, cake_gpu_thread(cake_gpu_warp(machine), lane)));
  tick(races, cake_gpu_warp(machine));
}

void cake_gpu_race_barrier_complete(CakeGpuCta *cta, int64_t number) {
  if (cta->races) copy(cta->races, cta->races->barriers[number].done, cta->races->barriers[number].open);
}

void cake_gpu_race_barrier_pass(CakeSimMachine *machine, int64_t number) {
  CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  for (unsigned lane = 0; races && lane < CAKE_GPU_LANES; lane++)
    merge(races, clock_of(races, cake_gpu_thread(cake_gpu_warp(machine), lane)), races->barriers[number].done);
}

void cake_gpu_race_warp_sync(CakeSimMachine *machine) {
  CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  if (!races) return;
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  uint32_t *all = clock_of(races, cake_gpu_thread(warp, 0));
  for (unsigned lane = 1; lane < CAKE_GPU_LANES; lane++)
    merge(races, all, clock_of(races, cake_gpu_thread(warp, lane)));
  for (unsigned lane = 1; lane < CAKE_GPU_LANES; lane++)
    copy(races, clock_of(races, cake_gpu_thread(warp, lane)), all);
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
  const uint32_t *clock = clock_of(races, cake_gpu_thread(cake_gpu_warp(machine), lane));
  bool is_known = clock[barrier->thread] >= barrier->clock,
       is_visible = proxy == CAKE_GPU_GENERIC || barrier->is_fenced;
  if (is_known && is_visible && barrier->number < MAX_MBARRIERS) return true;
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
  if (!races || barrier->number >= MAX_MBARRIERS) return;
  Sync *sync = prepare(cta, &races->mbarriers[barrier->number]);
  merge(races, sync->open, clock_of(races, cake_gpu_thread(cake_gpu_warp(machine), lane)));
  tick(races, cake_gpu_warp(machine));
}

// The components of asynchronous agents: bulk stores, matrix instructions, and phases of mbarriers, which tell of bulk copies.
void cake_gpu_race_mbarrier_arrive_relaxed(CakeSimMachine *machine, unsigned lane, const CakeGpuMbarrier *barrier) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  CakeGpuRaces *races = cta->races;
  if (!races || barrier->number >= MAX_MBARRIERS) return;
  uint32_t *open = prepare(cta, &races->mbarriers[barrier->number])->open;
  const uint32_t *own = clock_of(races, cake_gpu_thread(cake_gpu_warp(machine), lane));
  for (size_t half = 0; half < 2; half++)
    for (size_t i = half * races->n + races->stores_at; i < (half + 1) * races->n; i++)
      open[i] = open[i] > own[i] ? open[i] : own[i];
}

void cake_gpu_race_mbarrier_complete(CakeGpuCta *cta, const CakeGpuMbarrier *barrier) {
  CakeGpuRaces *races = cta->races;
  if (!races || barrier->number >= MAX_MBARRIERS) return;
  Sync *sync = prepare(cta, &races->mbarriers[barrier->number]);
  sync->open[races->mbarriers_at + barrier->number] = (uint32_t)barrier->phase;
  copy(races, sync->done, sync->open);
}

void cake_gpu_race_mbarrier_pass(CakeSimMachine *machine, unsigned lane, const CakeGpuMbarrier *barrier) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  CakeGpuRaces *races = cta->races;
  if (!races || barrier->number >= MAX_MBARRIERS) return;
  Sync *sync = prepare(cta, &races->mbarriers[barrier->number]);
  merge(races, clock_of(races, cake_gpu_thread(cake_gpu_warp(machine), lane)), sync->done);
}

uint32_t cake_gpu_race_copies_close(CakeSimMachine *machine, unsigned lane) {
  CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  return races ? races->copies[cake_gpu_thread(cake_gpu_warp(machine), lane)]++ : 0;
}

void cake_gpu_race_copies_arrive(CakeGpuCta *cta, uint32_t thread, uint32_t clock, const CakeGpuMbarrier *barrier) {
  CakeGpuRaces *races = cta->races;
  if (!races || barrier->number >= MAX_MBARRIERS || races->stores_at == races->copies_at) return;
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
      merge(races, known, clock_of(races, cake_gpu_thread(cake_gpu_warp(machine), lane)));
  memcpy(known, known + races->n, races->mbarriers_at * sizeof *known);
  return known;
}

void cake_gpu_race_commit_arrive(CakeGpuCta *cta, const CakeGpuPending *pending, const CakeGpuMbarrier *barrier) {
  CakeGpuRaces *races = cta->races;
  if (!races || barrier->number >= MAX_MBARRIERS) return;
  Sync *sync = prepare(cta, &races->mbarriers[barrier->number]);
  uint32_t *at = &sync->open[races->wgmma_at + pending->warp->number];
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
    uint32_t *clock = clock_of(races, cake_gpu_thread(cake_gpu_warp(machine), lane));
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

void cake_gpu_race_wgmma_wait(CakeSimMachine *machine) {
  CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  for (unsigned lane = 0; races && lane < CAKE_GPU_LANES; lane++)
    clock_of(races, cake_gpu_thread(warp, lane))[races->wgmma_at + warp->number] = (uint32_t)warp->waited;
}
