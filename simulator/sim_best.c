// cake: running bests with index.
//
// Candidates are ordered by value, then by index as `tie` says; a NaN ranks before or behind all numbers as `nan` says, NaNs among
// themselves by index like equal values. The order is total, so the result does not depend on the order in which candidates are seen.
#include "simulator/build.h"

#include "dialects/cake/ops/best.h"

#include <math.h>

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/best.def"
#include "simulator/build_rows.h"

typedef struct BestInfo {
  CakeBest best;
  CakeSimExprs at, keep;
  uint32_t into; // operand number
  uint8_t *marks;
} BestInfo;

static CakeSimStep eval_init(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const BestInfo *info = instr->info;
  CakeSimBest *best = cake_sim_at(machine, instr->out[0]);
  for (int64_t r = 0; r < info->best.rows; r++)
    best[r] = (CakeSimBest){info->best.is_max ? -INFINITY : INFINITY, -1, CAKE_SIM_NOTHING};
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_best_init(CakeSimBuilder *builder, CakeOp *op) {
  BestInfo *info = CAKE_SIM_NEW(builder, BestInfo);
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_init);
  if (!instr) return false;
  info->best = cake_best_of(op->results[0].type);
  instr->info = info;
  return true;
}

// Whether a candidate goes before what was seen so far.
static bool is_better(const CakeBest *best, const CakeSimBest *candidate, const CakeSimBest *seen) {
  if (seen->seen == CAKE_SIM_NOTHING) return true;
  bool is_lower = best->tie == CAKE_TIE_HIGH ? candidate->index > seen->index : candidate->index < seen->index;
  if (candidate->seen != seen->seen) return (candidate->seen == CAKE_SIM_NAN) == (best->nan == CAKE_NAN_FIRST);
  if (candidate->seen == CAKE_SIM_NAN || candidate->value == seen->value) return is_lower;
  return best->is_max ? candidate->value > seen->value : candidate->value < seen->value;
}

static double value_at(const CakeSimSlot *slot, const void *values, int64_t i) {
  return slot->element.is_float ? (double)((const float *)values)[i] : (double)((const int64_t *)values)[i];
}

static CakeSimStep broken_promise(CakeSimMachine *machine, const CakeSimInstr *instr, int64_t row, int64_t col) {
  return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED,
                        "sees a NaN at (%lld, %lld) although its type promises that there is never one", (long long)row,
                        (long long)col);
}

static CakeSimStep eval_best(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const BestInfo *info = instr->info;
  const CakeSimSlot *slot = cake_sim_slot_info(machine, instr->in[0]);
  const void *values = cake_sim_at(machine, instr->in[0]);
  const CakeSimBest *into = cake_sim_at(machine, instr->in[info->into]);
  CakeSimBest *out = cake_sim_at(machine, instr->out[0]);
  int64_t at = 0;
  if (!cake_sim_eval(machine, instr, &info->at, &at)) return CAKE_SIM_FAILED;
  if (!cake_sim_eval_keep(machine, instr, &info->keep, slot->rows, slot->cols, info->marks)) return CAKE_SIM_FAILED;
  for (int64_t r = 0; r < slot->rows; r++) {
    CakeSimBest best = into[r];
    for (int64_t c = 0; c < slot->cols; c++) {
      if (!info->marks[r * slot->cols + c]) continue;
      CakeSimBest candidate = {value_at(slot, values, r * slot->cols + c),
                               cake_sim_wrap((int64_t)((uint64_t)at + (uint64_t)c), 32), CAKE_SIM_NUMBER};
      if (isnan(candidate.value)) candidate.seen = CAKE_SIM_NAN;
      if (candidate.seen == CAKE_SIM_NAN && info->best.nan == CAKE_NAN_NEVER)
        return broken_promise(machine, instr, r, c);
      if (is_better(&info->best, &candidate, &best)) best = candidate;
    }
    out[r] = best;
  }
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_best(CakeSimBuilder *builder, CakeOp *op) {
  BestInfo *info = CAKE_SIM_NEW(builder, BestInfo);
  if (!cake_sim_exprs(builder, op, cake_cake_best_at(op), cake_cake_best_at_idx(op), &info->at) ||
      !cake_sim_exprs(builder, op, cake_cake_best_keep(op), cake_cake_best_keep_idx(op), &info->keep))
    return false;
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_best);
  if (!instr) return false;
  const CakeSimSlot *value = cake_sim_slot(builder, instr->in[0]);
  info->best = cake_best_of(op->results[0].type);
  info->into = cake_op_operand_group(op, CAKE_GROUP(cake, best, into)).start;
  info->marks = CAKE_ARENA_ARRAY(builder->launch->arena, uint8_t, value->count + 1);
  instr->info = info;
  return (value->kind == CAKE_SIM_DATA && value->rows == info->best.rows) ||
         cake_sim_unsupported(op, "compares candidates that do not fit");
}

static CakeSimStep eval_settle(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeSimBest *best = cake_sim_at(machine, instr->in[0]);
  const CakeSimSlot *value = cake_sim_slot_info(machine, instr->out[0]);
  for (size_t r = 0; r < value->count; r++) {
    if (value->element.is_float)
      cake_sim_floats(machine, instr->out[0])[r] = (float)best[r].value;
    else
      cake_sim_ints(machine, instr->out[0])[r] = fabs(best[r].value) < 0x1p62 ? (int64_t)best[r].value : 0;
    cake_sim_ints(machine, instr->out[1])[r] = best[r].index;
  }
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_settle(CakeSimBuilder *builder, CakeOp *op) {
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_settle);
  if (!instr) return false;
  const CakeSimSlot *best = cake_sim_slot(builder, instr->in[0]), *value = cake_sim_slot(builder, instr->out[0]),
                    *index = cake_sim_slot(builder, instr->out[1]);
  bool fits = best->kind == CAKE_SIM_BEST && value->count == best->count && index->count == best->count &&
              !index->element.is_float;
  return fits || cake_sim_unsupported(op, "settles a running best that does not fit");
}
