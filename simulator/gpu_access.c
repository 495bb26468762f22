// gpu: loads, stores and ldmatrix.
#include "simulator/gpu_build.h"

#include "cake/float.h"

#include <string.h>

// One access of a lane: `count` elements of the value, which are `bytes` in memory.
typedef struct Access {
  bool is_shared, is_readonly;
  CakeSimElement element;
  size_t count, bytes;
} Access;

static bool access_of(CakeSimBuilder *builder, CakeOp *op, CakeType value, CakeType ptr, Access *out) {
  CakeSimSlot slot;
  if (!builder->launch->level->shape(value, &slot))
    return cake_sim_unsupported(op, "moves a value of a type that cannot be simulated");
  *out = (Access){.is_shared = cake_gpu_ptr_space(ptr) == CAKE_GPU_SHARED, .element = slot.element};
  out->count = slot.count / CAKE_GPU_LANES;
  out->bytes = out->count * cake_sim_stored_bytes(slot.element);
  return out->bytes <= 16 || cake_sim_unsupported(op, "moves more than 16 bytes");
}

static void *place(CakeSimMachine *machine, CakeOp *op, const Access *access, int64_t address) {
  int64_t bytes = (int64_t)access->bytes;
  return access->is_shared ? cake_gpu_shared_at(machine, op, address, bytes, bytes)
                           : cake_gpu_global_at(machine, op, address, bytes, bytes);
}

static CakeGpuMemory memory_of(const Access *access) {
  return access->is_shared ? CAKE_GPU_IN_SHARED : CAKE_GPU_IN_ARRAY;
}

typedef union Elements {
  int64_t i[16];
  float f[16];
} Elements;

// Elements lie lane by lane: element `i` of a lane is at `i * 32 + lane`.
static void put(const Access *access, const void *memory, void *kept, unsigned lane) {
  Elements elements;
  cake_sim_read(access->element, memory, 0, access->count, &elements);
  for (size_t i = 0; i < access->count; i++) {
    if (access->element.is_float)
      ((float *)kept)[i * CAKE_GPU_LANES + lane] = elements.f[i];
    else
      ((int64_t *)kept)[i * CAKE_GPU_LANES + lane] = elements.i[i];
  }
}

static void take(const Access *access, const void *kept, void *memory, unsigned lane) {
  Elements elements;
  for (size_t i = 0; i < access->count; i++) {
    if (access->element.is_float)
      elements.f[i] = ((const float *)kept)[i * CAKE_GPU_LANES + lane];
    else
      elements.i[i] = ((const int64_t *)kept)[i * CAKE_GPU_LANES + lane];
  }
  cake_sim_write(access->element, memory, 0, access->count, &elements);
}

static CakeSimStep eval_load(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const Access *access = instr->info;
  const int64_t *address = cake_sim_ints(machine, instr->in[0]);
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    if (!cake_gpu_is_active(machine, lane)) continue;
    const void *memory = place(machine, instr->op, access, address[lane]);
    if (!memory) return CAKE_SIM_FAILED;
    CakeGpuAccess read = {address[lane], (int64_t)access->bytes, CAKE_GPU_READ, memory_of(access)};
    if ((access->is_shared && !cake_gpu_check_read(machine, instr->op, read.address, read.bytes)) ||
        !cake_gpu_race_access(machine, instr, lane, read))
      return CAKE_SIM_FAILED;
    if (instr->out[0] != CAKE_SIM_NO_SLOT) put(access, memory, cake_sim_at(machine, instr->out[0]), lane);
  }
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_load(CakeSimBuilder *builder, CakeOp *op) {
  Access *access = CAKE_SIM_NEW(builder, Access);
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_load);
  if (!instr || !access_of(builder, op, op->results[0].type, cake_gpu_load_ptr(op)->type, access)) return false;
  instr->info = access;
  return true;
}

// Whether the lanes may write there, in shared memory.
static bool write_shared(CakeSimMachine *machine, const CakeSimInstr *instr, const int64_t *addresses, uint32_t mask,
                         int64_t bytes) {
  if (!cake_gpu_claim(machine, instr->op, addresses, mask, bytes, CAKE_GPU_WRITTEN)) return false;
  if (!cake_gpu_cta(machine)->races) return true;
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++)
    if (mask >> lane & 1 &&
        !cake_gpu_race_access(machine, instr, lane,
                              (CakeGpuAccess){addresses[lane], bytes, CAKE_GPU_WRITE, CAKE_GPU_IN_SHARED}))
      return false;
  return true;
}

static CakeSimStep eval_store(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const Access *access = instr->info;
  const int64_t *address = cake_sim_ints(machine, instr->in[1]);
  if (access->is_shared && !write_shared(machine, instr, address, machine->active, (int64_t)access->bytes))
    return CAKE_SIM_FAILED;
  if (access->is_shared && instr->in[0] == CAKE_SIM_NO_SLOT) return CAKE_SIM_NEXT;
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    if (!cake_gpu_is_active(machine, lane)) continue;
    void *memory = access->is_shared ? cake_gpu_shared_bytes(cake_gpu_cta(machine), address[lane])
                                     : place(machine, instr->op, access, address[lane]);
    CakeGpuAccess write = {address[lane], (int64_t)access->bytes, CAKE_GPU_WRITE, CAKE_GPU_IN_ARRAY};
    if (!memory || (!access->is_shared && !cake_gpu_race_access(machine, instr, lane, write))) return CAKE_SIM_FAILED;
    if (instr->in[0] != CAKE_SIM_NO_SLOT) take(access, cake_sim_at(machine, instr->in[0]), memory, lane);
  }
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_store(CakeSimBuilder *builder, CakeOp *op) {
  Access *access = CAKE_SIM_NEW(builder, Access);
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_store);
  if (!instr || !access_of(builder, op, cake_gpu_store_value(op)->type, cake_gpu_store_ptr(op)->type, access))
    return false;
  instr->info = access;
  return true;
}

// ---- ldmatrix ------------------------------------------------------------------------------------------------------------

// Matrix `m` is 8 rows of 8 elements; its row r is where lane 8m + r points. Lane l gets elements 2(l % 4) and the next of row l / 4,
// transposed of column l / 4.
static CakeSimStep eval_ldmatrix(CakeSimMachine *machine, const CakeSimInstr *instr) {
  if (!cake_gpu_is_whole(machine, instr->op)) return CAKE_SIM_FAILED;
  bool is_read = instr->out[0] != CAKE_SIM_NO_SLOT;
  const int64_t *address = cake_sim_ints(machine, instr->in[0]);
  bool trans = cake_gpu_ldmatrix_trans(instr->op) != NULL;
  size_t n_matrices = (size_t)cake_type_count(instr->op->results[0].type) / 2;
  float rows[CAKE_GPU_LANES][8], *to = is_read ? cake_sim_floats(machine, instr->out[0]) : NULL;
  for (size_t row = 0; row < 8 * n_matrices; row++) {
    const void *memory = cake_gpu_shared_at(machine, instr->op, address[row], 16, 16);
    if (!memory || !cake_gpu_check_read(machine, instr->op, address[row], 16) ||
        !cake_gpu_race_access(machine, instr, (unsigned)row,
                              (CakeGpuAccess){address[row], 16, CAKE_GPU_READ, CAKE_GPU_IN_SHARED}))
      return CAKE_SIM_FAILED;
    if (is_read) cake_sim_read(cake_sim_slot_info(machine, instr->out[0])->element, memory, 0, 8, rows[row]);
  }
  if (!is_read) return CAKE_SIM_NEXT;
  for (size_t m = 0; m < n_matrices; m++) {
    for (size_t lane = 0; lane < CAKE_GPU_LANES; lane++) {
      for (size_t i = 0; i < 2; i++) {
        size_t major = lane / 4, minor = 2 * (lane % 4) + i;
        to[(2 * m + i) * CAKE_GPU_LANES + lane] = trans ? rows[8 * m + minor][major] : rows[8 * m + major][minor];
      }
    }
  }
  return CAKE_SIM_NEXT;
}

// The other way round: lane l has elements 2(l % 4) and the next of row l / 4 of each matrix.
static CakeSimStep eval_stmatrix(CakeSimMachine *machine, const CakeSimInstr *instr) {
  if (!cake_gpu_is_whole(machine, instr->op)) return CAKE_SIM_FAILED;
  bool is_written = instr->in[0] != CAKE_SIM_NO_SLOT;
  const int64_t *address = cake_sim_ints(machine, instr->in[1]);
  const float *from = is_written ? cake_sim_floats(machine, instr->in[0]) : NULL;
  size_t n_matrices = (size_t)cake_type_count(cake_gpu_stmatrix_value(instr->op)->type) / 2;
  uint32_t rows = UINT32_MAX >> (CAKE_GPU_LANES - 8 * n_matrices);
  if (!write_shared(machine, instr, address, rows, 16)) return CAKE_SIM_FAILED;
  for (size_t row = 0; is_written && row < 8 * n_matrices; row++) {
    float elements[8];
    for (size_t col = 0; col < 8; col++)
      elements[col] = from[(2 * (row / 8) + col % 2) * CAKE_GPU_LANES + 4 * (row % 8) + col / 2];
    cake_sim_write(cake_sim_slot_info(machine, instr->in[0])->element,
                   cake_gpu_shared_bytes(cake_gpu_cta(machine), address[row]), 0, 8, elements);
  }
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_stmatrix(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_stmatrix) != NULL;
}

bool cake_gpu_build_gpu_ldmatrix(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_ldmatrix) != NULL;
}
