// Builds and evaluates elementwise ops: all operands have the shape of the result.
#include "simulator/each.h"

#include <string.h>

// What a machine's memory completes: where in it the operands and the result lie.
typedef struct EachInfo {
  const CakeSimEachRow *row;
  CakeSimLanes lanes; // without its pointers
  uint32_t n_operands;
  size_t offsets[3], out, count;
} EachInfo;

static void place(CakeSimLanes *lanes, const EachInfo *info, unsigned char *memory, size_t done) {
  size_t out_size = cake_sim_kept_bytes(info->lanes.out);
  for (uint32_t i = 0; i < info->n_operands; i++) {
    void *at = memory + info->offsets[i];
    lanes->f[i] = (const float *)at + done;
    lanes->i[i] = (const int64_t *)at + done;
  }
  void *out = memory + info->out + done * out_size;
  lanes->out_f = out;
  lanes->out_i = out;
}

// The number of elements, or that of one whose result is undefined. What lanes that do not execute would compute does not matter.
static size_t run_all(const CakeSimMachine *machine, const EachInfo *info, CakeSimLanes *lanes) {
  for (size_t done = 0;;) {
    place(lanes, info, machine->memory, done);
    size_t n = info->row->run(lanes, info->count - done);
    done += n;
    if (done == info->count || machine->active >> (done % 32) & 1) return done;
    memset(machine->memory + info->out + done * cake_sim_kept_bytes(info->lanes.out), 0,
           cake_sim_kept_bytes(info->lanes.out));
    done++;
  }
}

static CakeSimStep eval_each(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const EachInfo *info = instr->info;
  CakeSimLanes lanes = info->lanes;
  size_t undefined = run_all(machine, info, &lanes);
  if (undefined < info->count)
    return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED, "%s (element %zu)", info->row->undefined,
                          undefined / machine->cta->launch->level->lanes);
  if (info->lanes.out.is_float) cake_sim_round(info->lanes.out, cake_sim_floats(machine, instr->out[0]), info->count);
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_each(CakeSimBuilder *builder, CakeOp *op, const CakeSimEachRow *row, int64_t predicate) {
  EachInfo *info = CAKE_SIM_NEW(builder, EachInfo);
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_each);
  if (!instr) return false;
  const CakeSimSlot *out = cake_sim_slot(builder, instr->out[0]), *first = cake_sim_slot(builder, instr->in[0]);
  *info = (EachInfo){
      .row = row,
      .lanes = {.in = first->element, .out = out->element, .predicate = predicate},
      .n_operands = op->n_operands,
      .out = out->offset,
      .count = out->count
  };
  instr->info = info;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const CakeSimSlot *in = cake_sim_slot(builder, instr->in[i]);
    if (i >= 3 || in->kind != CAKE_SIM_DATA || in->count != out->count)
      return cake_sim_unsupported(op, "has operands that do not fit");
    info->offsets[i] = in->offset;
  }
  return true;
}
