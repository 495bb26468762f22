// Compiles a gpu.func: one program that every warp runs. Values are kept lane by lane: see gpu.h.
#include "simulator/gpu_build.h"

#include "dialects/arith/arith_ops.h"
#include "dialects/math/math_ops.h"
#include "dialects/scf/scf_ops.h"

#define CAKE_DIALECT arith
#define CAKE_ROWS "dialects/arith/arith.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT math
#define CAKE_ROWS "dialects/math/math.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT scf
#define CAKE_ROWS "dialects/scf/scf.def"
#include "simulator/build_rows.h"

// ---- The tables: one function a row; a row without one does not build ----------------------------------------------------

#undef OP
#define OP(op, ...) [cake_op_gpu_##op] = cake_gpu_build_gpu_##op,
static const CakeSimBuildFn build_gpu[] = {
#include "dialects/gpu/gpu.def"
};
#undef OP
#define OP(op, ...) [cake_op_scf_##op] = cake_sim_build_scf_##op,
static const CakeSimBuildFn build_scf[] = {
#include "dialects/scf/scf.def"
};
#undef OP
#define OP(op, ...) [cake_op_arith_##op] = cake_sim_build_arith_##op,
static const CakeSimBuildFn build_arith[] = {
#include "dialects/arith/arith.def"
};
#undef OP
#define OP(op, ...) [cake_op_math_##op] = cake_sim_build_math_##op,
static const CakeSimBuildFn build_math[] = {
#include "dialects/math/math.def"
};
#undef OP
#define OP(...)

static const CakeSimTable tables[] = {
    {&cake_dialect_gpu,   build_gpu  },
    {&cake_dialect_arith, build_arith},
    {&cake_dialect_math,  build_math },
    {&cake_dialect_scf,   build_scf  }
};

// ---- Values --------------------------------------------------------------------------------------------------------------

// An index has 32 bits on a device; a pointer or tensor map is kept as a number.
static bool element_of(CakeType type, CakeSimElement *out) {
  if (cake_type_is(type, &cake_type_def_gpu_ptr) || cake_type_is(type, &cake_type_def_gpu_tensor_map)) {
    *out = (CakeSimElement){.bits = 64};
    return true;
  }
  if (!cake_sim_element_of(type, out)) return false;
  if (cake_type_is_index(type)) out->bits = 32;
  return true;
}

static bool shape_of(CakeType type, CakeSimSlot *slot) {
  bool is_vector = cake_type_is(type, &cake_type_def_vector);
  int64_t count = is_vector ? cake_type_count(type) : 1;
  *slot = (CakeSimSlot){.kind = CAKE_SIM_DATA, .rows = count, .cols = CAKE_GPU_LANES, .rank = is_vector};
  if (count < 1 || count > 4096 || !element_of(is_vector ? cake_type_element(type) : type, &slot->element))
    return false;
  slot->count = (size_t)count * CAKE_GPU_LANES;
  slot->bytes = slot->count * cake_sim_kept_bytes(slot->element);
  return true;
}

// ---- Accumulators that a wgmma under way writes -----------------------------------------------------------------------------

typedef struct Operands {
  const uint32_t *slots;
  size_t count;
} Operands;

static CakeSimStep eval_check_groups(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeGpuWarp *warp = cake_gpu_warp(machine);
  const Operands *operands = instr->info;
  for (size_t i = 0; i < operands->count; i++) {
    if (warp->groups[operands->slots[i]] <= warp->waited) continue;
    return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNARRIVED_READ,
                          "reads an accumulator before its wgmma was waited for");
  }
  return CAKE_SIM_NEXT;
}

static bool is_accumulator(CakeType type) {
  return cake_type_is(type, &cake_type_def_vector) && cake_type_count(type) >= 4 &&
         cake_type_is_float(cake_type_element(type), CAKE_FLOAT_F32);
}

// Moves and wgmmas may take such an accumulator; they look themselves.
static bool may_take(const CakeOp *op) {
  return op->info->dialect == &cake_dialect_scf || cake_is_gpu_op(op, cake_op_gpu_wgmma) ||
         cake_is_gpu_op(op, cake_op_gpu_wgmma_rs) || cake_is_gpu_op(op, cake_op_gpu_wgmma_wait);
}

static bool before(CakeSimBuilder *builder, CakeOp *op) {
  if (may_take(op)) return true;
  uint32_t *slots = CAKE_ARENA_ARRAY(builder->launch->arena, uint32_t, op->n_operands + 1);
  size_t count = 0;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const CakeValue *value = cake_op_operand(op, i);
    if (!is_accumulator(value->type)) continue;
    if (!cake_sim_need_slot(builder, op, value, &slots[count])) return false;
    count += slots[count] != CAKE_SIM_NO_SLOT;
  }
  if (count == 0) return true;
  Operands *operands = CAKE_SIM_NEW(builder, Operands);
  *operands = (Operands){slots, count};
  cake_sim_emit_bare(builder, op, eval_check_groups)->info = operands;
  return true;
}

const CakeSimLevel cake_sim_level_gpu = {
    .tables = tables,
    .n_tables = CAKE_COUNT(tables),
    .lanes = CAKE_GPU_LANES,
    .shape = shape_of,
    .moves = cake_gpu_eval_moves,
    .part = cake_gpu_part,
    .before = before,
    .describe = cake_gpu_describe,
};

// ---- Ops of a whole warp -------------------------------------------------------------------------------------------------

bool cake_gpu_is_whole(CakeSimMachine *machine, CakeOp *op) {
  uint32_t all = cake_gpu_warp(machine)->all;
  if (machine->active == all) return true;
  unsigned lanes = 0;
  for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++)
    lanes += cake_gpu_is_active(machine, lane);
  (void)cake_sim_error(machine, op, CAKE_CODE_SIM_UNDEFINED,
                       "is reached by %u lanes of the warp (mask 0x%08x); all must execute it together", lanes,
                       (unsigned)machine->active);
  return false;
}
