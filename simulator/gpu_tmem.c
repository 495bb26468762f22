// gpu: tensor memory and tcgen05.
//
// PTX ISA, "Tensor Memory": 128 lanes of 512 columns. A thread's tcgen05.mma are carried out in their order, some time behind their issue, and its
// commits arrive behind those before them. What they write is marked at once, so that who reads it too early is seen however soon it
// lands. Numbers: as wgmma (gpu_mma.c).
#include "simulator/gpu_build.h"

#include <string.h>

enum { LANE_BIT = 16, MAX_DEPTH = 32, MAX_COLUMNS = 256, COLUMN_BYTES = 16 }; // the last: where races are watched

// A place: `columns` from `column` on, in lane `lane` and those behind it.
typedef struct Place {
  int64_t lane, column;
} Place;

static Place place_of(int64_t address) {
  return (Place){(int64_t)((uint64_t)address >> LANE_BIT & 0xffff), address & 0xffff};
}

static float *at(const CakeGpuTensorMemory *tensor, int64_t column) {
  return tensor->data + (column - tensor->first) * CAKE_GPU_TENSOR_LANES;
}

static uint8_t *state_of(CakeGpuTensorMemory *tensor, int64_t column) {
  return &tensor->state[column - tensor->first];
}

// Columns that are allocated. Reported otherwise.
static bool check_columns(CakeSimMachine *machine, CakeOp *op, int64_t column, int64_t count) {
  const CakeGpuTensorMemory *tensor = &cake_gpu_cta(machine)->tensor;
  if (tensor->columns && column >= tensor->first && column + count <= tensor->first + tensor->columns) return true;
  if (!tensor->columns)
    (void)cake_sim_error(machine, op, CAKE_CODE_SIM_UNINITIALISED, "uses tensor memory, but none is allocated");
  else
    (void)cake_sim_error(machine, op, CAKE_CODE_SIM_OUT_OF_BOUNDS,
                         "uses columns %lld to %lld of tensor memory; allocated are %lld to %lld", (long long)column,
                         (long long)(column + count - 1), (long long)tensor->first,
                         (long long)(tensor->first + tensor->columns - 1));
  return false;
}

static bool check_written(CakeSimMachine *machine, CakeOp *op, int64_t column, int64_t count) {
  CakeGpuTensorMemory *tensor = &cake_gpu_cta(machine)->tensor;
  for (int64_t i = 0; i < count; i++) {
    uint8_t state = *state_of(tensor, column + i);
    if (state == CAKE_GPU_WRITTEN) continue;
    bool is_under_way = state == CAKE_GPU_UNDER_WAY;
    (void)cake_sim_error(machine, op, is_under_way ? CAKE_CODE_SIM_UNARRIVED_READ : CAKE_CODE_SIM_UNINITIALISED,
                         "reads column %lld of tensor memory, which %s", (long long)(column + i),
                         is_under_way ? "a tcgen05_mma under way writes" : "nobody wrote");
    return false;
  }
  return true;
}

// ---- Allocation ------------------------------------------------------------------------------------------------------------

// What is allocated ends with the last column, so that its address is not 0 where it does not have to be.
static CakeSimStep eval_alloc(CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  CakeGpuTensorMemory *tensor = &cta->tensor;
  int64_t address = cake_sim_ints(machine, instr->in[0])[0];
  void *memory = cake_gpu_shared_at(machine, instr->op, address, 4, 4);
  CakeGpuAccess write = {address, 4, CAKE_GPU_WRITE, CAKE_GPU_IN_SHARED};
  if (!cake_gpu_is_whole(machine, instr->op) || !memory || !cake_gpu_check_write(machine, instr->op, address, 4) ||
      !cake_gpu_race_access(machine, instr, 0, write))
    return CAKE_SIM_FAILED;
  if (tensor->columns)
    return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNSUPPORTED,
                          "allocates tensor memory a second time, which is not simulated");
  size_t bytes = sizeof(float) * CAKE_GPU_TENSOR_LANES * CAKE_GPU_TENSOR_COLUMNS;
  if (!tensor->data) tensor->data = cake_arena_alloc(cta->cta.launch->arena, bytes);
  tensor->columns = cake_attr_int_value(cake_gpu_tcgen05_alloc_columns(instr->op));
  tensor->first = CAKE_GPU_TENSOR_COLUMNS - tensor->columns;
  tensor->alloc = instr->op;
  int32_t first = (int32_t)tensor->first;
  memcpy(memory, &first, sizeof first);
  cake_gpu_mark(cta, address, 4, CAKE_GPU_WRITTEN);
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_tcgen05_alloc(CakeSimBuilder *builder, CakeOp *op) {
  if (builder->launch->cluster > 1) return cake_sim_unsupported(op, "is not simulated in clusters");
  return cake_sim_emit(builder, op, eval_alloc) != NULL;
}

static CakeSimStep eval_address(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const int64_t *address = cake_sim_ints(machine, instr->in[0]);
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    if (!cake_gpu_is_active(machine, lane)) continue;
    const void *memory = cake_gpu_shared_at(machine, instr->op, address[lane], 4, 4);
    if (!memory || !cake_gpu_check_read(machine, instr->op, address[lane], 4) ||
        !cake_gpu_race_access(machine, instr, lane,
                              (CakeGpuAccess){address[lane], 4, CAKE_GPU_READ, CAKE_GPU_IN_SHARED}))
      return CAKE_SIM_FAILED;
    int32_t value;
    memcpy(&value, memory, sizeof value);
    if (instr->out[0] != CAKE_SIM_NO_SLOT) cake_sim_ints(machine, instr->out[0])[lane] = value;
  }
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_tcgen05_address(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_address) != NULL;
}

static CakeSimStep eval_dealloc(CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeGpuTensorMemory *tensor = &cake_gpu_cta(machine)->tensor;
  int64_t address = cake_sim_ints(machine, instr->in[0])[0],
          columns = cake_attr_int_value(cake_gpu_tcgen05_dealloc_columns(instr->op));
  if (!cake_gpu_is_whole(machine, instr->op) || !check_columns(machine, instr->op, address, columns))
    return CAKE_SIM_FAILED;
  if (columns != tensor->columns || address != tensor->first)
    return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED,
                          "gives back %lld columns from column %lld on; %lld from %lld on were allocated",
                          (long long)columns, (long long)address, (long long)tensor->columns, (long long)tensor->first);
  for (int64_t i = 0; i < columns; i++)
    if (tensor->under_way[i])
      return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_RACE,
                            "gives back column %lld, which a tcgen05_mma under way writes", (long long)(address + i));
  tensor->columns = 0;
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_tcgen05_dealloc(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_dealloc) != NULL;
}

bool cake_gpu_check_tensor_freed(CakeGpuCta *cta) {
  if (!cta->tensor.columns) return true;
  return cake_error(cta->tensor.alloc, CAKE_CODE_SIM_UNDEFINED,
                    "allocates %lld columns of tensor memory, which CTA %lld does not give back",
                    (long long)cta->tensor.columns, (long long)cta->cta.number);
}

static CakeSimStep eval_fence(CakeSimMachine *machine, const CakeSimInstr *instr) {
  (void)machine, (void)instr;
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_tcgen05_fence(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_fence) != NULL;
}

// ---- Multiplication ----------------------------------------------------------------------------------------------------------

typedef struct Mma {
  CakeSimElement element;
  int64_t n;
} Mma;

static int64_t depth_of(const Mma *info) {
  return 32 / (int64_t)cake_sim_stored_bytes(info->element);
}

static bool read_operands(CakeSimMachine *machine, const CakeSimInstr *instr, const int64_t *descriptors, unsigned lane,
                          float *a, float *b) {
  const Mma *info = instr->info;
  CakeGpuOperand left = {.element = info->element,
                         .descriptor = descriptors[0],
                         .is_tcgen05 = true,
                         .lane = lane,
                         .at = a,
                         .rows = CAKE_GPU_TENSOR_LANES,
                         .row_step = depth_of(info),
                         .k_step = 1};
  CakeGpuOperand right = left;
  right.descriptor = descriptors[1];
  right.at = b;
  right.rows = right.k_step = info->n;
  right.row_step = 1;
  return cake_gpu_read_operand(machine, instr, &left) && cake_gpu_read_operand(machine, instr, &right);
}

static bool issue(CakeSimMachine *machine, const CakeSimInstr *instr, unsigned lane) {
  const Mma *info = instr->info;
  CakeGpuCta *cta = cake_gpu_cta(machine);
  const CakeSimOptions *options = cta->cta.launch->options;
  Place place = place_of(cake_sim_ints(machine, instr->in[0])[lane]);
  int64_t descriptors[] = {cake_sim_ints(machine, instr->in[1])[lane], cake_sim_ints(machine, instr->in[2])[lane]};
  bool adds = cake_sim_ints(machine, instr->in[3])[lane] != 0;
  if (!check_columns(machine, instr->op, place.column, info->n)) return false;
  if (place.lane != 0) {
    (void)cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED, "has an accumulator that begins in lane %lld",
                         (long long)place.lane);
    return false;
  }
  if ((options->races || !options->protocol) && !read_operands(machine, instr, descriptors, lane, NULL, NULL))
    return false;
  for (int64_t i = 0; i < info->n; i++) {
    uint8_t *state = state_of(&cta->tensor, place.column + i);
    if (adds && *state == CAKE_GPU_UNWRITTEN) return check_written(machine, instr->op, place.column + i, 1);
    *state = options->protocol ? CAKE_GPU_WRITTEN : CAKE_GPU_UNDER_WAY;
  }
  CakeGpuAccess write = {COLUMN_BYTES * place.column, COLUMN_BYTES * info->n, CAKE_GPU_WRITE, CAKE_GPU_IN_TENSOR};
  if (!cake_gpu_race_tcgen05(machine, instr, lane, write)) return false;
  if (options->protocol) return true;
  CakeGpuPending *pending = cake_gpu_pend(machine, instr, CAKE_GPU_TCGEN05);
  pending->mask = UINT32_C(1) << lane;
  pending->to[0] = place.column;
  pending->from[0] = descriptors[0];
  pending->from[1] = descriptors[1];
  pending->adds = adds;
  for (int64_t i = 0; i < info->n; i++)
    cta->tensor.under_way[place.column - cta->tensor.first + i]++;
  return true;
}

static CakeSimStep eval_mma(CakeSimMachine *machine, const CakeSimInstr *instr) {
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++)
    if (cake_gpu_is_active(machine, lane) && !issue(machine, instr, lane)) return CAKE_SIM_FAILED;
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_tcgen05_mma(CakeSimBuilder *builder, CakeOp *op) {
  Mma *info = CAKE_SIM_NEW(builder, Mma);
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_mma);
  if (!instr) return false;
  info->n = cake_attr_int_value(cake_gpu_tcgen05_mma_n(op));
  instr->info = info;
  if (cake_attr_int_value(cake_gpu_tcgen05_mma_m(op)) != CAKE_GPU_TENSOR_LANES)
    return cake_sim_unsupported(op, "has 64 rows, which is not simulated");
  return cake_sim_element_of(cake_attr_value_type(cake_gpu_tcgen05_mma_element(op)), &info->element) ||
         cake_sim_unsupported(op, "multiplies elements that cannot be simulated");
}

bool cake_gpu_land_tcgen05(CakeGpuCta *cta, const CakeGpuPending *pending) {
  CakeSimMachine *machine = &pending->warp->machine;
  const Mma *info = pending->instr->info;
  CakeGpuTensorMemory *tensor = &cta->tensor;
  float a[CAKE_GPU_TENSOR_LANES * MAX_DEPTH], b[MAX_DEPTH * MAX_COLUMNS];
  static const size_t bytes = sizeof(float) * CAKE_GPU_TENSOR_LANES * MAX_COLUMNS;
  unsigned lane = 0;
  while (!(pending->mask >> lane & 1))
    lane++;
  machine->active = pending->mask;
  if (!read_operands(machine, pending->instr, pending->from, lane, a, b)) return false;
  int64_t depth = depth_of(info), n = info->n;
  if (info->element.format == CAKE_FLOAT_F32) {
    cake_sim_cut_to_tf32(a, (size_t)(CAKE_GPU_TENSOR_LANES * depth));
    cake_sim_cut_to_tf32(b, (size_t)(depth * n));
  }
  float *acc = cake_arena_alloc(cta->cta.launch->arena, bytes);
  memset(acc, 0, bytes);
  for (int64_t col = 0; pending->adds && col < n; col++)
    for (int64_t row = 0; row < CAKE_GPU_TENSOR_LANES; row++)
      acc[row * n + col] = at(tensor, pending->to[0] + col)[row];
  cake_sim_multiply(cake_sim_sums_of(info->element, true), acc, a, b, CAKE_GPU_TENSOR_LANES, n, depth);
  for (int64_t col = 0; col < n; col++) {
    for (int64_t row = 0; row < CAKE_GPU_TENSOR_LANES; row++)
      at(tensor, pending->to[0] + col)[row] = acc[row * n + col];
    if (--tensor->under_way[pending->to[0] - tensor->first + col] == 0)
      *state_of(tensor, pending->to[0] + col) = CAKE_GPU_WRITTEN;
  }
  cake_arena_free(cta->cta.launch->arena, acc, bytes);
  return true;
}

// ---- Commits -----------------------------------------------------------------------------------------------------------------

static CakeSimStep eval_commit(CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeGpuPending *pending = cake_gpu_pend(machine, instr, CAKE_GPU_COMMIT);
  pending->group = cake_gpu_warp(machine)->group++;
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    if (!cake_gpu_is_active(machine, lane)) continue;
    pending->barrier[lane] = cake_sim_ints(machine, instr->in[0])[lane];
    const CakeGpuMbarrier *barrier = cake_gpu_mbarrier_at(machine, instr->op, pending->barrier[lane]);
    if (!barrier || !cake_gpu_race_mbarrier_use(machine, instr, lane, barrier, CAKE_GPU_ASYNC)) return CAKE_SIM_FAILED;
  }
  pending->known = cake_gpu_race_commit(machine);
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_tcgen05_commit(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_commit) != NULL;
}

bool cake_gpu_land_commit(CakeGpuCta *cta, const CakeGpuPending *pending) {
  CakeSimMachine *machine = &pending->warp->machine;
  machine->active = pending->mask;
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    if (!(pending->mask >> lane & 1)) continue;
    CakeGpuMbarrier *barrier = cake_gpu_mbarrier_find(cta, pending->barrier[lane]);
    cake_gpu_race_commit_arrive(cta, pending, barrier);
    if (!cake_gpu_mbarrier_arrive(machine, pending->instr->op, barrier, 1)) return false;
  }
  cake_gpu_race_commit_close(cta, pending);
  return true;
}

// ---- Loads -------------------------------------------------------------------------------------------------------------------

// A warp reads its quarter of the lanes.
static bool watch_quarter(CakeSimMachine *machine, const CakeSimInstr *instr, int64_t column, int64_t count) {
  int64_t quarter = machine->instance % 4 * (COLUMN_BYTES / 4);
  for (int64_t i = column; i < column + count; i++) {
    CakeGpuAccess read = {COLUMN_BYTES * i + quarter, COLUMN_BYTES / 4, CAKE_GPU_READ, CAKE_GPU_IN_TENSOR};
    if (!cake_gpu_race_warp(machine, instr, read)) return false;
  }
  return true;
}

static CakeSimStep eval_ld(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeGpuCta *cta = cake_gpu_cta(machine);
  const int64_t *address = cake_sim_ints(machine, instr->in[0]);
  int64_t count = cake_type_count(instr->op->results[0].type), first = CAKE_GPU_LANES * (machine->instance % 4);
  if (!cake_gpu_is_whole(machine, instr->op)) return CAKE_SIM_FAILED;
  Place place = place_of(address[0]);
  if (!cake_gpu_is_uniform(machine, instr->in[0]))
    return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED, "has an address that differs between lanes");
  if (place.lane != first)
    return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED,
                          "reads tensor memory from lane %lld on; this warp reaches lanes %lld to %lld",
                          (long long)place.lane, (long long)first, (long long)(first + CAKE_GPU_LANES - 1));
  if (!check_columns(machine, instr->op, place.column, count) ||
      !check_written(machine, instr->op, place.column, count) || !watch_quarter(machine, instr, place.column, count))
    return CAKE_SIM_FAILED;
  if (instr->out[0] == CAKE_SIM_NO_SLOT) return CAKE_SIM_NEXT;
  float *out = cake_sim_floats(machine, instr->out[0]);
  for (int64_t i = 0; i < count; i++)
    memcpy(out + i * CAKE_GPU_LANES, at(&cta->tensor, place.column + i) + first, CAKE_GPU_LANES * sizeof *out);
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_tcgen05_ld(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_ld) != NULL;
}

static CakeSimStep eval_wait_ld(CakeSimMachine *machine, const CakeSimInstr *instr) {
  if (!cake_gpu_is_whole(machine, instr->op)) return CAKE_SIM_FAILED;
  for (uint32_t i = 0; i < instr->op->n_operands; i++)
    if (instr->in[i] != CAKE_SIM_NO_SLOT)
      memcpy(cake_sim_at(machine, instr->out[i]), cake_sim_at(machine, instr->in[i]),
             cake_sim_slot_info(machine, instr->in[i])->bytes);
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_tcgen05_wait_ld(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_wait_ld) != NULL;
}
