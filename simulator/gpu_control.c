// gpu: functions, and branches on which the lanes of a warp differ: it splits (gpu_schedule.c), and joins behind the op.
#include "simulator/gpu_build.h"

// ---- Functions -----------------------------------------------------------------------------------------------------------

bool cake_gpu_build_gpu_module(CakeSimBuilder *builder, CakeOp *op) {
  (void)builder;
  return cake_sim_unsupported(op, "stands inside a function");
}

bool cake_gpu_build_gpu_func(CakeSimBuilder *builder, CakeOp *op) {
  (void)builder;
  return cake_sim_unsupported(op, "stands inside a function");
}

static CakeSimStep eval_return(CakeSimMachine *machine, const CakeSimInstr *instr) {
  return cake_gpu_check_stored(machine, instr->op) ? CAKE_SIM_DONE : CAKE_SIM_FAILED;
}

bool cake_gpu_build_gpu_return(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_return) != NULL;
}

// ---- Lanes that part -------------------------------------------------------------------------------------------------------

CakeSimStep cake_gpu_part(CakeSimMachine *machine, const CakeSimInstr *instr, uint32_t taken, uint32_t join) {
  if (taken == machine->active) return CAKE_SIM_NEXT;
  if (taken == 0) return CAKE_SIM_JUMP;
  uint32_t others = instr->target == join ? 0 : machine->active & ~taken;
  return cake_gpu_split(machine, taken, others, instr->target, join);
}
