// Accesses to memory: each is held to those before it. One that conflicts with another must come behind it (gpu_race.c), and what the async
// proxy does behind a fence that is behind what the generic proxy did.
//
// Cells are 16 bytes of shared memory or of an array, and a column of tensor memory, of which each quarter of the lanes is four bytes. CTAs of a
// launch that are not of one cluster are in no order. They run one after the other, so records of arrays outlive a CTA.
#include "simulator/gpu_race.h"

#include <string.h>

// What the lanes know that access together: the first and the last of them.
typedef struct Clocks {
  const uint32_t *first, *last;
} Clocks;

// The cell of an access, and the address at which it begins.
typedef struct Cell {
  CakeGpuCells *cells;
  uint32_t *first;
  int64_t address;
  CakeGpuMemory memory;
} Cell;

// ---- Memories ------------------------------------------------------------------------------------------------------------

void cake_gpu_cells_init(CakeGpuCta *cta) {
  const CakeSimLaunch *launch = cta->cta.launch;
  CakeGpuRaces *races = cta->races;
  races->shared.count = (size_t)(cta->window * launch->cluster / CAKE_GPU_CELL_BYTES) + 1;
  races->shared.first = CAKE_ARENA_ARRAY(launch->arena, uint32_t, races->shared.count);
  races->tensor.count = CAKE_GPU_TENSOR_COLUMNS;
  races->tensor.first = CAKE_ARENA_ARRAY(launch->arena, uint32_t, races->tensor.count);
  races->arrays = CAKE_ARENA_ARRAY(launch->arena, CakeGpuCells, launch->n_args + 1);
  for (size_t i = 0; i < launch->n_args; i++)
    races->arrays[i].count = (size_t)cake_gpu_array_bytes(launch, i) / CAKE_GPU_CELL_BYTES + 1;
}

static void forget(CakeGpuCells *cells) {
  if (cells->first) memset(cells->first, 0, cells->count * sizeof *cells->first);
  cells->records.len = 0;
  cells->free = 0;
}

void cake_gpu_cells_start(CakeGpuCta *cta) {
  CakeGpuRaces *races = cta->races;
  const CakeSimLaunch *launch = cta->cta.launch;
  forget(&races->shared);
  forget(&races->tensor);
  if (races->seed != launch->seed) races->runs.len = 0;
  for (size_t i = 0; races->runs.len == 0 && i < launch->n_args; i++)
    forget(&races->arrays[i]);
  races->seed = launch->seed;
  CAKE_PUSH(&races->runs, cta->cta.number);
}

void cake_gpu_cells_fini(CakeGpuCta *cta) {
  CakeGpuRaces *races = cta->races;
  CAKE_VEC_FINI(&races->runs);
  CAKE_VEC_FINI(&races->shared.records);
  CAKE_VEC_FINI(&races->tensor.records);
  for (size_t i = 0; i < cta->cta.launch->n_args; i++)
    CAKE_VEC_FINI(&races->arrays[i].records);
}

static Cell cell_at(const CakeGpuCta *cta, CakeGpuMemory memory, int64_t address) {
  CakeGpuRaces *races = cta->races;
  CakeGpuCells *cells = memory == CAKE_GPU_IN_SHARED ? &races->shared : &races->tensor;
  int64_t base = memory == CAKE_GPU_IN_SHARED ? CAKE_GPU_SHARED_BASE : 0;
  if (memory == CAKE_GPU_IN_ARRAY) {
    size_t argument = cake_gpu_array_near(cta->cta.launch, address);
    base = cake_gpu_array_address(cta->cta.launch, argument);
    cells = &races->arrays[argument];
    if (!cells->first) cells->first = CAKE_ARENA_ARRAY(cta->cta.launch->arena, uint32_t, cells->count);
  }
  int64_t number = (address - base) / CAKE_GPU_CELL_BYTES;
  return (Cell){cells, &cells->first[number], base + number * CAKE_GPU_CELL_BYTES, memory};
}

static CakeGpuRecord *record_of(const CakeGpuCells *cells, uint32_t number) {
  return &cells->records.data[number - 1];
}

static void add_record(Cell cell, const CakeGpuRecord *record) {
  CakeGpuCells *cells = cell.cells;
  uint32_t number = cells->free;
  if (number) {
    cells->free = record_of(cells, number)->next;
    *record_of(cells, number) = *record;
  } else {
    CAKE_PUSH(&cells->records, *record);
    number = (uint32_t)cells->records.len;
  }
  record_of(cells, number)->next = *cell.first;
  *cell.first = number;
}

static void drop_record(Cell cell, uint32_t *link) {
  uint32_t number = *link;
  *link = record_of(cell.cells, number)->next;
  record_of(cell.cells, number)->next = cell.cells->free;
  cell.cells->free = number;
}

// ---- Order between two accesses --------------------------------------------------------------------------------------------

static uint32_t this_run(const CakeGpuRaces *races) {
  return (uint32_t)races->runs.len - 1;
}

static bool is_of_other_cluster(const CakeGpuRaces *races, const CakeGpuRecord *record) {
  return races->runs.data[record->run] != races->runs.data[this_run(races)];
}

// Whether all of a record is within a clock, or the part of it that the async proxy may see.
static bool is_within(const CakeGpuRaces *races, const CakeGpuRecord *record, const uint32_t *clock) {
  size_t first = (size_t)record->who * CAKE_GPU_LANES;
  switch ((CakeGpuAgent)record->agent) {
  case CAKE_GPU_AGENT_WRITTEN: return false;
  case CAKE_GPU_AGENT_MATRIX: return clock[races->matrices_at + record->who] >= record->clock;
  case CAKE_GPU_AGENT_BULK: return clock[races->mbarriers_at + record->who] >= record->clock;
  case CAKE_GPU_AGENT_COPY: first += races->copies_at; break;
  case CAKE_GPU_AGENT_STORE: first += races->stores_at; break;
  default: break;
  }
  for (uint32_t lanes = record->lanes, lane = 0; lanes; lanes >>= 1, lane++)
    if ((lanes & 1) && clock[first + lane] < record->clock) return false;
  return true;
}

// Whether it is within the clocks of those that access. A CTA that is simulated twice is no race with itself.
static bool is_known_to(const CakeGpuRaces *races, const CakeGpuRecord *record, Clocks clocks, size_t from) {
  if (record->run != this_run(races)) return !is_of_other_cluster(races, record);
  return is_within(races, record, clocks.first + from) &&
         (clocks.last == clocks.first || is_within(races, record, clocks.last + from));
}

// Sums that are added to the same place may come in any order.
static bool is_conflict(const CakeGpuRecord *a, const CakeGpuRecord *b) {
  return (a->kind != CAKE_GPU_READ || b->kind != CAKE_GPU_READ) &&
         (a->kind != CAKE_GPU_REDUCE || b->kind != CAKE_GPU_REDUCE);
}

// A warp's matrix instructions are carried out in their order.
static bool is_in_order(const CakeGpuRaces *races, const CakeGpuRecord *a, const CakeGpuRecord *b) {
  return a->agent == CAKE_GPU_AGENT_MATRIX && b->agent == CAKE_GPU_AGENT_MATRIX && a->who == b->who &&
         a->run == this_run(races) && b->run == a->run;
}

static bool is_async(const CakeGpuRecord *record) {
  return record->agent != CAKE_GPU_AGENT_THREAD && record->agent != CAKE_GPU_AGENT_COPY;
}

// ---- Reports -------------------------------------------------------------------------------------------------------------

// "write", "to write", "writes"
static const char *const kind_names[] = {
    [CAKE_GPU_READ] = "read", [CAKE_GPU_WRITE] = "write", [CAKE_GPU_REDUCE] = "reduction"};
static const char *const kind_verbs[] = {
    [CAKE_GPU_READ] = "reads", [CAKE_GPU_WRITE] = "writes", [CAKE_GPU_REDUCE] = "reduces into"};

static void note_other(CakeSimMachine *machine, CakeDiagnostic *d, Cell cell, const CakeGpuRecord *other) {
  const CakeGpuCta *cta = cake_gpu_cta(machine);
  const CakeGpuWarp *warp = &cta->warps[other->warp];
  CakeBuf text = {0};
  cake_buf_printf(&text, "the %s of ", kind_names[other->kind]);
  cake_gpu_name_warp(warp, &text);
  if (cell.memory == CAKE_GPU_IN_ARRAY || machine->cta->launch->cluster > 1)
    cake_buf_printf(&text, " of CTA %lld", (long long)(cta->races->runs.data[other->run] + warp->machine.rank));
  if (other->agent != CAKE_GPU_AGENT_MATRIX && other->agent != CAKE_GPU_AGENT_BULK)
    cake_buf_printf(&text, ", lanes 0x%08x", (unsigned)other->lanes);
  cake_diag_note(machine->cta->launch->context, d, machine->program->code.data[other->instr].op->loc, "%s", text.data);
  cake_buf_fini(&text);
}

// The first byte of a cell that two accesses share.
static void place_text(const CakeSimMachine *machine, Cell cell, unsigned both, CakeBuf *out) {
  int64_t first = 0, window = cake_gpu_cta(machine)->window;
  for (; !(both & 1); both >>= 1)
    first++;
  int64_t offset = cell.address + first - CAKE_GPU_SHARED_BASE;
  switch (cell.memory) {
  case CAKE_GPU_IN_TENSOR:
    cake_buf_printf(out, "column %lld of tensor memory", (long long)(cell.address / CAKE_GPU_CELL_BYTES));
    break;
  case CAKE_GPU_IN_ARRAY: cake_gpu_place_text(machine->cta->launch, false, cell.address + first, out); break;
  default:
    cake_buf_printf(out, "shared memory + %lld", (long long)(offset % window));
    if (machine->cta->launch->cluster > 1)
      cake_buf_printf(out, " of CTA %lld", (long long)(machine->cta->number + offset / window));
  }
}

static bool report(CakeSimMachine *machine, CakeOp *op, Cell cell, const CakeGpuRecord *record,
                   const CakeGpuRecord *other, bool is_hidden) {
  CakeBuf place = {0};
  place_text(machine, cell, record->mask & other->mask, &place);
  const char *verb = kind_verbs[record->kind], *before = kind_names[other->kind];
  CakeDiagnostic *d =
      is_hidden ? cake_sim_error_begin(machine, op, CAKE_CODE_SIM_PROXY,
                                       "%s %s through the async proxy, without a fence behind the generic %s there",
                                       verb, place.data, before)
                : cake_sim_error_begin(machine, op, CAKE_CODE_SIM_RACE, "%s %s in no order with a %s", verb, place.data,
                                       before);
  note_other(machine, d, cell, other);
  (void)cake_sim_fail(machine, d);
  cake_buf_fini(&place);
  return false;
}

// ---- Accesses ------------------------------------------------------------------------------------------------------------

static bool is_same(const CakeGpuRecord *a, const CakeGpuRecord *b) {
  return a->agent == b->agent && a->who == b->who && a->clock == b->clock && a->mask == b->mask && a->run == b->run &&
         a->kind == CAKE_GPU_READ && b->kind == CAKE_GPU_READ;
}

// Whether an access before makes the new one wrong. Reported.
static bool is_wrong(CakeSimMachine *machine, CakeOp *op, Cell cell, const CakeGpuRecord *record,
                     const CakeGpuRecord *other, Clocks clocks) {
  const CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  if (!(other->mask & record->mask) || !is_conflict(record, other) || is_in_order(races, record, other)) return false;
  if (!is_known_to(races, other, clocks, 0)) return !report(machine, op, cell, record, other, false);
  bool is_hidden = cell.memory != CAKE_GPU_IN_TENSOR && is_async(record) && !is_async(other) &&
                   !is_known_to(races, other, clocks, races->n);
  return is_hidden && !report(machine, op, cell, record, other, true);
}

// Whether the list can do without an access: who is ordered behind the new one is behind it, and of those in other clusters, which nobody is
// behind, one is enough.
static bool is_needless(const CakeGpuRaces *races, const CakeGpuRecord *record, const CakeGpuRecord *other,
                        Clocks clocks, bool *has_foreign) {
  if (other->mask & ~record->mask) return false;
  if (is_of_other_cluster(races, other)) {
    bool is_second = *has_foreign;
    *has_foreign = true;
    return is_second;
  }
  return (record->kind == other->kind || record->kind == CAKE_GPU_WRITE) &&
         (is_known_to(races, other, clocks, 0) || is_in_order(races, record, other));
}

static bool visit(CakeSimMachine *machine, CakeOp *op, Cell cell, const CakeGpuRecord *record, Clocks clocks) {
  const CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  bool is_merged = false, has_foreign = false;
  for (uint32_t *link = cell.first; *link;) {
    CakeGpuRecord *other = record_of(cell.cells, *link);
    if (is_same(record, other)) {
      other->lanes |= record->lanes;
      other->instr = record->instr;
      is_merged = true;
    } else {
      if (is_wrong(machine, op, cell, record, other, clocks)) return false;
      if (is_needless(races, record, other, clocks, &has_foreign)) {
        drop_record(cell, link);
        continue;
      }
    }
    link = &other->next;
  }
  if (!is_merged) add_record(cell, record);
  return true;
}

// Of lanes that access together, the first and the last must know.
static bool visit_all(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned first, unsigned last,
                      CakeGpuAccess access, CakeGpuRecord record) {
  const CakeGpuCta *cta = cake_gpu_cta(machine);
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  Clocks clocks = {cake_gpu_clock_of(cta->races, cake_gpu_thread(warp, first)),
                   cake_gpu_clock_of(cta->races, cake_gpu_thread(warp, last))};
  int64_t end = access.address + access.bytes;
  record.instr = (uint32_t)(instr - machine->program->code.data);
  record.kind = (uint8_t)access.kind;
  record.warp = (uint16_t)warp->number;
  record.run = this_run(cta->races);
  for (int64_t at = access.address; at < end;) {
    Cell cell = cell_at(cta, access.memory, at);
    int64_t next = cell.address + CAKE_GPU_CELL_BYTES, stop = next < end ? next : end;
    record.mask = (uint16_t)(((1u << (stop - at)) - 1) << (at - cell.address));
    if (!visit(machine, instr->op, cell, &record, clocks)) return false;
    at = stop;
  }
  return true;
}

bool cake_gpu_race_access(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, CakeGpuAccess access) {
  const CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  if (!races) return true;
  uint32_t warp = cake_gpu_warp(machine)->number;
  CakeGpuRecord record = {.clock = races->now[warp], .who = (uint16_t)warp, .lanes = UINT32_C(1) << lane};
  return visit_all(machine, instr, lane, lane, access, record);
}

bool cake_gpu_race_warp(CakeSimMachine *machine, const CakeSimInstr *instr, CakeGpuAccess access) {
  const CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  if (!races) return true;
  uint32_t warp = cake_gpu_warp(machine)->number;
  CakeGpuRecord record = {.clock = races->now[warp], .who = (uint16_t)warp, .lanes = UINT32_MAX};
  return visit_all(machine, instr, 0, CAKE_GPU_LANES - 1, access, record);
}

bool cake_gpu_race_copy(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, CakeGpuAccess access) {
  const CakeGpuRaces *races = cake_gpu_cta(machine)->races;
  if (!races) return true;
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  CakeGpuRecord record = {.agent = CAKE_GPU_AGENT_COPY, .clock = races->copies[cake_gpu_thread(warp, lane)]};
  record.who = (uint16_t)warp->number;
  record.lanes = UINT32_C(1) << lane;
  return visit_all(machine, instr, lane, lane, access, record);
}

bool cake_gpu_race_bulk(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, CakeGpuAccess access,
                        const CakeGpuMbarrier *barrier) {
  if (!cake_gpu_cta(machine)->races) return true;
  CakeGpuRecord record = {
      .agent = CAKE_GPU_AGENT_BULK, .clock = (uint32_t)barrier->phase + 1, .who = (uint16_t)barrier->number};
  return visit_all(machine, instr, lane, lane, access, record);
}

bool cake_gpu_race_store(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, CakeGpuAccess access) {
  if (!cake_gpu_cta(machine)->races) return true;
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  bool is_read = access.kind == CAKE_GPU_READ;
  CakeGpuRecord record = {.agent = is_read ? CAKE_GPU_AGENT_STORE : CAKE_GPU_AGENT_WRITTEN,
                          .clock = (uint32_t)warp->stores[lane],
                          .who = (uint16_t)warp->number,
                          .lanes = UINT32_C(1) << lane};
  return visit_all(machine, instr, lane, lane, access, record);
}

static CakeGpuRecord matrix_record(const CakeGpuWarp *warp) {
  return (CakeGpuRecord){.agent = CAKE_GPU_AGENT_MATRIX, .clock = (uint32_t)warp->group, .who = (uint16_t)warp->number};
}

// Whatever lane executed the waits before it: the first and the last must know.
bool cake_gpu_race_wgmma(CakeSimMachine *machine, const CakeSimInstr *instr, CakeGpuAccess access) {
  if (!cake_gpu_cta(machine)->races) return true;
  return visit_all(machine, instr, 0, CAKE_GPU_LANES - 1, access, matrix_record(cake_gpu_warp(machine)));
}

bool cake_gpu_race_tcgen05(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane, CakeGpuAccess access) {
  if (!cake_gpu_cta(machine)->races) return true;
  return visit_all(machine, instr, lane, lane, access, matrix_record(cake_gpu_warp(machine)));
}
