// gpu: asynchronous copies. What was issued is under way until it lands; which lands next is the schedule's choice (gpu_schedule.c).
//
// The bytes that a copy writes are marked at once, so that who reads them too early is seen however soon it lands.
#include "simulator/gpu_build.h"

#include <stddef.h>
#include <string.h>

// ---- What is under way -----------------------------------------------------------------------------------------------------

CakeGpuPending *cake_gpu_pend(CakeSimMachine *machine, const CakeSimInstr *instr, CakeGpuPendingKind kind) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  CakeGpuPending *pending =
      cta->spare.len ? cta->spare.data[--cta->spare.len] : CAKE_ARENA_NEW(cta->cta.launch->arena, CakeGpuPending);
  memset(pending, 0, offsetof(CakeGpuPending, to));
  pending->kind = kind;
  pending->warp = cake_gpu_warp(machine);
  pending->instr = instr;
  pending->mask = machine->active;
  CAKE_PUSH(&cta->pending, pending);
  return pending;
}

// An arrival stands behind the copies of its threads, a commit behind their tcgen05, a matrix instruction behind those of its warp.
bool cake_gpu_may_land(const CakeGpuCta *cta, size_t index) {
  const CakeGpuPending *pending = cta->pending.data[index];
  CakeGpuPendingKind before = pending->kind == CAKE_GPU_ARRIVAL  ? CAKE_GPU_COPY
                              : pending->kind == CAKE_GPU_COMMIT ? CAKE_GPU_TCGEN05
                                                                 : pending->kind;
  if (before == pending->kind && before != CAKE_GPU_WGMMA && before != CAKE_GPU_TCGEN05) return true;
  for (size_t i = 0; i < index; i++) {
    const CakeGpuPending *older = cta->pending.data[i];
    if (older->kind == before && older->warp == pending->warp && (older->mask & pending->mask)) return false;
  }
  return true;
}

// Errors of what lands are told of the strand that issued it.
static CakeSimMachine *issuer(const CakeGpuPending *pending) {
  pending->warp->machine.active = pending->mask;
  return &pending->warp->machine;
}

static bool complete(CakeGpuCta *cta, const CakeGpuPending *pending, unsigned lane) {
  if (pending->barrier[lane] == 0) return true;
  CakeGpuMbarrier *barrier = cake_gpu_mbarrier_find(cta, pending->barrier[lane]);
  return cake_gpu_mbarrier_complete(issuer(pending), pending->instr->op, barrier, pending->filled[lane]);
}

static bool copy_lane(CakeGpuCta *cta, const CakeGpuPending *pending, unsigned lane) {
  int64_t read = pending->bytes[lane], filled = pending->filled[lane];
  uint8_t *to = cake_gpu_shared_bytes(cta, pending->to[lane]);
  const void *from =
      read > 0 ? cake_gpu_global_at(issuer(pending), pending->instr->op, pending->from[lane], read, 1) : NULL;
  if (from) memcpy(to, from, (size_t)read);
  memset(to + read, 0, (size_t)(filled - read));
  return from || read == 0;
}

static bool land_copy(CakeGpuCta *cta, const CakeGpuPending *pending) {
  bool has_numbers = !cta->cta.launch->options->protocol;
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    if (!(pending->mask >> lane & 1)) continue;
    int64_t filled = pending->filled[lane];
    if (has_numbers && !copy_lane(cta, pending, lane)) return false;
    cake_gpu_mark(cta, pending->to[lane], filled, CAKE_GPU_WRITTEN);
    if (!complete(cta, pending, lane)) return false;
  }
  return true;
}

static bool land_arrival(CakeGpuCta *cta, const CakeGpuPending *pending) {
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    if (!(pending->mask >> lane & 1)) continue;
    CakeGpuMbarrier *barrier = cake_gpu_mbarrier_find(cta, pending->barrier[lane]);
    cake_gpu_race_copies_arrive(cta, cake_gpu_thread(pending->warp, lane), pending->clock[lane], barrier);
    if (!cake_gpu_mbarrier_arrive(issuer(pending), pending->instr->op, barrier, 1)) return false;
  }
  return true;
}

static bool land(CakeGpuCta *cta, const CakeGpuPending *pending) {
  switch (pending->kind) {
  case CAKE_GPU_COPY: return land_copy(cta, pending);
  case CAKE_GPU_TENSOR: return cake_gpu_land_tensor(cta, pending);
  case CAKE_GPU_STORE: return cake_gpu_land_store(cta, pending);
  case CAKE_GPU_ARRIVAL: return land_arrival(cta, pending);
  case CAKE_GPU_TCGEN05: return cake_gpu_land_tcgen05(cta, pending);
  case CAKE_GPU_COMMIT: return cake_gpu_land_commit(cta, pending);
  default: return cake_gpu_land_wgmma(cta, pending);
  }
}

bool cake_gpu_land(CakeGpuCta *cta, size_t index) {
  CakeGpuPending *pending = cta->pending.data[index];
  memmove(&cta->pending.data[index], &cta->pending.data[index + 1],
          (cta->pending.len - index - 1) * sizeof *cta->pending.data);
  cta->pending.len--;
  bool ok = land(cta, pending);
  CAKE_PUSH(&cta->spare, pending);
  return ok;
}

// ---- cp.async ------------------------------------------------------------------------------------------------------------

// Whether both ends of a copy are where they may be; its target is then under way.
static bool begin(CakeSimMachine *machine, CakeOp *op, CakeGpuPending *pending, unsigned lane, int64_t align) {
  int64_t to = pending->to[lane], filled = pending->filled[lane], read = pending->bytes[lane];
  if (!cake_gpu_shared_at(machine, op, to, filled, align) || !cake_gpu_check_write(machine, op, to, filled))
    return false;
  if (read > 0 && !cake_gpu_global_at(machine, op, pending->from[lane], read, align)) return false;
  cake_gpu_mark(cake_gpu_cta(machine), to, filled, CAKE_GPU_UNDER_WAY);
  machine->cta->launch->report.copies++;
  machine->cta->launch->report.copied_bytes += (uint64_t)filled;
  return true;
}

// Whether what lanes read may be read; and that they do is watched.
static bool begin_reads(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeGpuPending *pending,
                        int64_t bytes) {
  CakeSimReport *report = &machine->cta->launch->report;
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    if (!(pending->mask >> lane & 1)) continue;
    CakeGpuAccess read = {pending->from[lane], pending->bytes[lane], CAKE_GPU_READ, CAKE_GPU_IN_ARRAY},
                  write = {pending->to[lane], bytes, CAKE_GPU_WRITE, CAKE_GPU_IN_SHARED};
    if (read.bytes > 0 && !cake_gpu_global_at(machine, instr->op, read.address, read.bytes, bytes)) return false;
    if (!cake_gpu_race_copy(machine, instr, lane, read) || !cake_gpu_race_copy(machine, instr, lane, write))
      return false;
    report->copies++;
    report->copied_bytes += (uint64_t)bytes;
  }
  return true;
}

static CakeSimStep eval_cp_async(CakeSimMachine *machine, const CakeSimInstr *instr) {
  int64_t bytes = cake_attr_int_value(cake_gpu_cp_async_bytes(instr->op));
  const int64_t *limit = instr->op->n_operands > 2 ? cake_sim_ints(machine, instr->in[2]) : NULL;
  CakeGpuPending *pending = cake_gpu_pend(machine, instr, CAKE_GPU_COPY);
  memcpy(pending->to, cake_sim_ints(machine, instr->in[0]), sizeof pending->to);
  memcpy(pending->from, cake_sim_ints(machine, instr->in[1]), sizeof pending->from);
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    pending->barrier[lane] = 0;
    pending->filled[lane] = bytes;
    pending->bytes[lane] = limit ? limit[lane] : bytes;
    bool is_some = pending->bytes[lane] >= 0 && pending->bytes[lane] <= bytes;
    if (!is_some && cake_gpu_is_active(machine, lane))
      return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED, "reads %lld of %lld bytes",
                            (long long)pending->bytes[lane], (long long)bytes);
  }
  return cake_gpu_claim(machine, instr->op, pending->to, pending->mask, bytes, CAKE_GPU_UNDER_WAY) &&
                 begin_reads(machine, instr, pending, bytes)
             ? CAKE_SIM_NEXT
             : CAKE_SIM_FAILED;
}

bool cake_gpu_build_gpu_cp_async(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_cp_async) != NULL;
}

static CakeSimStep eval_cp_async_arrive(CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeGpuPending *pending = cake_gpu_pend(machine, instr, CAKE_GPU_ARRIVAL);
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    if (!cake_gpu_is_active(machine, lane)) continue;
    pending->barrier[lane] = cake_sim_ints(machine, instr->in[0])[lane];
    pending->clock[lane] = cake_gpu_race_copies_close(machine, lane);
    const CakeGpuMbarrier *barrier = cake_gpu_mbarrier_at(machine, instr->op, pending->barrier[lane]);
    if (!barrier || !cake_gpu_race_mbarrier_use(machine, instr, lane, barrier, CAKE_GPU_GENERIC))
      return CAKE_SIM_FAILED;
  }
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_cp_async_mbarrier_arrive(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_cp_async_arrive) != NULL;
}

// ---- Bulk copies -----------------------------------------------------------------------------------------------------------

static CakeSimStep eval_bulk_load(CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeGpuPending *pending = cake_gpu_pend(machine, instr, CAKE_GPU_COPY);
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    if (!cake_gpu_is_active(machine, lane)) continue;
    pending->to[lane] = cake_sim_ints(machine, instr->in[0])[lane];
    pending->barrier[lane] = cake_sim_ints(machine, instr->in[1])[lane];
    pending->from[lane] = cake_sim_ints(machine, instr->in[2])[lane];
    pending->bytes[lane] = pending->filled[lane] = cake_sim_ints(machine, instr->in[3])[lane];
    if (pending->bytes[lane] < 0 || pending->bytes[lane] % 16 != 0)
      return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED,
                            "copies %lld bytes; it must be a multiple of 16", (long long)pending->bytes[lane]);
    CakeGpuAccess read = {pending->from[lane], pending->bytes[lane], CAKE_GPU_READ, CAKE_GPU_IN_ARRAY},
                  write = {pending->to[lane], pending->filled[lane], CAKE_GPU_WRITE, CAKE_GPU_IN_SHARED};
    const CakeGpuMbarrier *barrier = cake_gpu_mbarrier_at(machine, instr->op, pending->barrier[lane]);
    if (!barrier || !begin(machine, instr->op, pending, lane, 16) ||
        !cake_gpu_race_mbarrier_use(machine, instr, lane, barrier, CAKE_GPU_ASYNC) ||
        !cake_gpu_race_bulk(machine, instr, lane, read, barrier) ||
        !cake_gpu_race_bulk(machine, instr, lane, write, barrier))
      return CAKE_SIM_FAILED;
  }
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_bulk_load(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_bulk_load) != NULL;
}
