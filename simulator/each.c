// Builds and evaluates elementwise ops: all operands have the shape of the result.
#include "simulator/each.h"

typedef struct EachInfo {
  const CakeSimEachRow *row;
  uint32_t n_operands;
  int64_t predicate;
} EachInfo;

static void advance(CakeSimLanes *lanes, size_t count) {
  for (size_t i = 0; i < CAKE_COUNT(lanes->f); i++) {
    if (lanes->f[i]) lanes->f[i] += count;
    if (lanes->i[i]) lanes->i[i] += count;
  }
  if (lanes->out_f) lanes->out_f += count;
  if (lanes->out_i) lanes->out_i += count;
}

// `count`, or the number of an element whose result is undefined. What lanes that do not execute would compute does not matter.
static size_t run_all(const CakeSimMachine *machine, const EachInfo *info, CakeSimLanes lanes, size_t count) {
  size_t done = 0;
  for (;;) {
    size_t n = info->row->run(&lanes, count - done);
    done += n;
    if (done == count || machine->active >> (done % 32) & 1) return done;
    if (lanes.out_f) lanes.out_f[n] = 0;
    if (lanes.out_i) lanes.out_i[n] = 0;
    advance(&lanes, n + 1);
    done++;
  }
}

static CakeSimStep eval_each(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const EachInfo *info = instr->info;
  const CakeSimSlot *out = cake_sim_slot_info(machine, instr->out[0]);
  CakeSimLanes lanes = {
      .in = cake_sim_slot_info(machine, instr->in[0])->element, .out = out->element, .predicate = info->predicate};
  for (uint32_t i = 0; i < info->n_operands; i++) {
    if (cake_sim_slot_info(machine, instr->in[i])->element.is_float)
      lanes.f[i] = cake_sim_floats(machine, instr->in[i]);
    else
      lanes.i[i] = cake_sim_ints(machine, instr->in[i]);
  }
  if (out->element.is_float)
    lanes.out_f = cake_sim_floats(machine, instr->out[0]);
  else
    lanes.out_i = cake_sim_ints(machine, instr->out[0]);
  size_t undefined = run_all(machine, info, lanes, out->count);
  if (undefined < out->count)
    return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED, "%s (element %zu)", info->row->undefined,
                          undefined / machine->cta->launch->level->lanes);
  if (lanes.out_f) cake_sim_round(out->element, lanes.out_f, out->count);
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_each(CakeSimBuilder *builder, CakeOp *op, const CakeSimEachRow *row, int64_t predicate) {
  EachInfo *info = CAKE_SIM_NEW(builder, EachInfo);
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_each);
  if (!instr) return false;
  *info = (EachInfo){row, op->n_operands, predicate};
  instr->info = info;
  const CakeSimSlot *out = cake_sim_slot(builder, instr->out[0]);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const CakeSimSlot *in = cake_sim_slot(builder, instr->in[i]);
    if (i >= 3 || in->kind != CAKE_SIM_DATA || in->count != out->count)
      return cake_sim_unsupported(op, "has operands that do not fit");
  }
  return true;
}
