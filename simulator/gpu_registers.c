// gpu: who am I, and ops on registers.
#include "simulator/gpu_build.h"

#include <math.h>
#include <string.h>

// ---- Who am I ------------------------------------------------------------------------------------------------------------

// `base + step · lane`, of the launch or of the warp.
typedef enum Who {
  WHO_THREAD,
  WHO_BLOCK,
  WHO_GRID,
  WHO_CLUSTER,
  WHO_CLUSTERS,
  WHO_RANK,
  WHO_LANE,
  WHO_WARP,
  WHO_ZERO,
  WHO_ONE,
} Who;

static CakeSimStep eval_who(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const Who *who = instr->info;
  int64_t *out = cake_sim_ints(machine, instr->out[0]), base = 0;
  switch (*who) {
  case WHO_THREAD: base = machine->instance * CAKE_GPU_LANES; break;
  case WHO_BLOCK: base = cake_sim_cta_number(machine); break;
  case WHO_GRID: base = machine->cta->launch->grid; break;
  case WHO_CLUSTER: base = machine->cta->number / machine->cta->launch->cluster; break;
  case WHO_CLUSTERS: base = machine->cta->launch->grid / machine->cta->launch->cluster; break;
  case WHO_RANK: base = machine->rank; break;
  case WHO_WARP: base = machine->instance; break;
  case WHO_ONE: base = 1; break;
  default: break;
  }
  int64_t step = *who == WHO_THREAD || *who == WHO_LANE;
  for (int64_t lane = 0; lane < CAKE_GPU_LANES; lane++)
    out[lane] = base + step * lane;
  return CAKE_SIM_NEXT;
}

static bool build_who(CakeSimBuilder *builder, CakeOp *op, Who who) {
  Who *info = CAKE_SIM_NEW(builder, Who);
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_who);
  if (!instr) return false;
  *info = who;
  instr->info = info;
  return true;
}

// CTAs, clusters and grids have one dimension.
static bool build_along_x(CakeSimBuilder *builder, CakeOp *op, Who who, Who otherwise) {
  return build_who(builder, op,
                   cake_str_is(cake_attr_string_value(cake_op_attr_text(op, "dimension")), "x") ? who : otherwise);
}

bool cake_gpu_build_gpu_thread_id(CakeSimBuilder *builder, CakeOp *op) {
  return build_along_x(builder, op, WHO_THREAD, WHO_ZERO);
}
bool cake_gpu_build_gpu_block_id(CakeSimBuilder *builder, CakeOp *op) {
  return build_along_x(builder, op, WHO_BLOCK, WHO_ZERO);
}
bool cake_gpu_build_gpu_grid_dim(CakeSimBuilder *builder, CakeOp *op) {
  return build_along_x(builder, op, WHO_GRID, WHO_ONE);
}
bool cake_gpu_build_gpu_cluster_id(CakeSimBuilder *builder, CakeOp *op) {
  return build_along_x(builder, op, WHO_CLUSTER, WHO_ZERO);
}
bool cake_gpu_build_gpu_cluster_dim(CakeSimBuilder *builder, CakeOp *op) {
  return build_along_x(builder, op, WHO_CLUSTERS, WHO_ONE);
}
bool cake_gpu_build_gpu_cluster_block_id(CakeSimBuilder *builder, CakeOp *op) {
  return build_along_x(builder, op, WHO_RANK, WHO_ZERO);
}
bool cake_gpu_build_gpu_lane_id(CakeSimBuilder *builder, CakeOp *op) {
  return build_who(builder, op, WHO_LANE);
}
bool cake_gpu_build_gpu_warp_id(CakeSimBuilder *builder, CakeOp *op) {
  return build_who(builder, op, WHO_WARP);
}

// ---- Registers -----------------------------------------------------------------------------------------------------------

static CakeSimStep eval_pack(CakeSimMachine *machine, const CakeSimInstr *instr) {
  char *to = cake_sim_at(machine, instr->out[0]);
  for (uint32_t i = 0; i < instr->op->n_operands; i++) {
    size_t bytes = cake_sim_slot_info(machine, instr->in[i])->bytes;
    memcpy(to, cake_sim_at(machine, instr->in[i]), bytes);
    to += bytes;
  }
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_pack(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_pack) != NULL;
}

static CakeSimStep eval_unpack(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const char *from = cake_sim_at(machine, instr->in[0]);
  for (uint32_t i = 0; i < instr->op->n_results; i++) {
    size_t bytes = cake_sim_slot_info(machine, instr->out[i])->bytes;
    memcpy(cake_sim_at(machine, instr->out[i]), from, bytes);
    from += bytes;
  }
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_unpack(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_unpack) != NULL;
}

static CakeSimStep eval_splat(CakeSimMachine *machine, const CakeSimInstr *instr) {
  size_t part = cake_sim_slot_info(machine, instr->in[0])->bytes,
         bytes = cake_sim_slot_info(machine, instr->out[0])->bytes;
  for (size_t at = 0; at < bytes; at += part)
    memcpy((char *)cake_sim_at(machine, instr->out[0]) + at, cake_sim_at(machine, instr->in[0]), part);
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_splat(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_splat) != NULL;
}

bool cake_gpu_build_gpu_pin(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_splat) != NULL;
}

// Numbers that nobody expects.
static CakeSimStep eval_poison(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeSimSlot *slot = cake_sim_slot_info(machine, instr->out[0]);
  for (size_t i = 0; i < slot->count; i++) {
    if (slot->element.is_float)
      cake_sim_floats(machine, instr->out[0])[i] = NAN;
    else
      cake_sim_ints(machine, instr->out[0])[i] = cake_sim_wrap(INT64_C(0x5a5a5a5a5a5a5a5a), slot->element.bits);
  }
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_poison(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_poison) != NULL;
}

static CakeSimStep eval_replace_if(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const int64_t *condition = cake_sim_ints(machine, instr->in[0]);
  for (size_t lane = 0; lane < CAKE_GPU_LANES; lane++)
    cake_sim_floats(machine, instr->out[0])[lane] = cake_sim_floats(machine, instr->in[condition[lane] ? 1 : 2])[lane];
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_replace_if(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_replace_if) != NULL;
}

// ---- Shuffles ------------------------------------------------------------------------------------------------------------

typedef enum ShuffleMode { SHUFFLE_XOR, SHUFFLE_UP, SHUFFLE_DOWN, SHUFFLE_INDEX } ShuffleMode;

// PTX ISA, `shfl.sync`: the lane to read from, and whether it is in range; out of range a lane reads its own value.
static unsigned source_lane(ShuffleMode mode, unsigned lane, uint32_t offset, uint32_t width, bool *out_valid) {
  unsigned first = lane & ~(width - 1), last = first | (width - 1), source = lane;
  offset &= 31;
  switch (mode) {
  case SHUFFLE_XOR: source = lane ^ offset, *out_valid = source <= last; break;
  case SHUFFLE_UP: *out_valid = lane >= first + offset, source = lane - offset; break;
  case SHUFFLE_DOWN: source = lane + offset, *out_valid = source <= last; break;
  case SHUFFLE_INDEX: source = first | (offset & (width - 1)), *out_valid = true; break;
  }
  return *out_valid ? source : lane;
}

static CakeSimStep eval_shuffle(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const ShuffleMode *mode = instr->info;
  if (!cake_gpu_is_whole(machine, instr->op)) return CAKE_SIM_FAILED;
  const int64_t *offset = cake_sim_ints(machine, instr->in[1]), *width = cake_sim_ints(machine, instr->in[2]);
  const CakeSimSlot *slot = cake_sim_slot_info(machine, instr->in[0]);
  size_t size = cake_sim_kept_bytes(slot->element), elements = slot->count / CAKE_GPU_LANES;
  const char *from = cake_sim_at(machine, instr->in[0]);
  char *to = cake_sim_at(machine, instr->out[0]);
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
    if (!cake_gpu_is_active(machine, lane)) continue;
    if (width[lane] < 1 || width[lane] > 32 || (width[lane] & (width[lane] - 1)) != 0)
      return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED,
                            "has segments of %lld lanes; a power of two up to 32 is possible", (long long)width[lane]);
    bool valid = false;
    unsigned source = source_lane(*mode, lane, (uint32_t)offset[lane], (uint32_t)width[lane], &valid);
    if (!cake_gpu_is_active(machine, source))
      return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED, "reads lane %u, which does not exist", source);
    for (size_t i = 0; i < elements; i++)
      memcpy(to + (i * CAKE_GPU_LANES + lane) * size, from + (i * CAKE_GPU_LANES + source) * size, size);
    cake_sim_ints(machine, instr->out[1])[lane] = valid;
  }
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_shuffle(CakeSimBuilder *builder, CakeOp *op) {
  CakeStr mode = cake_attr_string_value(cake_gpu_shuffle_mode(op));
  ShuffleMode *info = CAKE_SIM_NEW(builder, ShuffleMode);
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_shuffle);
  if (!instr) return false;
  *info = cake_str_is(mode, "xor")    ? SHUFFLE_XOR
          : cake_str_is(mode, "up")   ? SHUFFLE_UP
          : cake_str_is(mode, "down") ? SHUFFLE_DOWN
                                      : SHUFFLE_INDEX;
  instr->info = info;
  return true;
}
