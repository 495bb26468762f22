// cake: fragments of one value, repeated rows and columns, masks.
#include "simulator/build.h"

#include "dialects/cake/ops/fragments.h"

#include <string.h>

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/fragments.def"
#include "simulator/build_rows.h"

// ---- fill ----------------------------------------------------------------------------------------------------------------

static CakeSimStep eval_fill(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeSimSlot *slot = cake_sim_slot_info(machine, instr->out[0]);
  cake_sim_fill_kept(slot->element, instr->info, slot->count, cake_sim_at(machine, instr->out[0]));
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_fill(CakeSimBuilder *builder, CakeOp *op) {
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_fill);
  if (!instr) return false;
  instr->info = cake_cake_fill_value(op);
  return true;
}

// ---- spread --------------------------------------------------------------------------------------------------------------

// A scalar has one row and one column, a `row` fragment one column, a `col` fragment one row.
static CakeSimStep eval_spread(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeSimSlot *from = cake_sim_slot_info(machine, instr->in[0]), *to = cake_sim_slot_info(machine, instr->out[0]);
  size_t size = cake_sim_kept_bytes(to->element), line_bytes = (size_t)to->cols * size;
  const char *source = cake_sim_at(machine, instr->in[0]);
  char *line = cake_sim_at(machine, instr->out[0]);
  for (int64_t r = 0; r < to->rows; r++, line += line_bytes) {
    if (from->cols > 1) {
      memcpy(line, source, line_bytes);
      continue;
    }
    const char *value = source + (from->rows > 1 ? (size_t)r * size : 0);
    for (int64_t c = 0; c < to->cols; c++)
      memcpy(line + (size_t)c * size, value, size);
  }
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_spread(CakeSimBuilder *builder, CakeOp *op) {
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_spread);
  if (!instr) return false;
  const CakeSimSlot *from = cake_sim_slot(builder, instr->in[0]), *to = cake_sim_slot(builder, instr->out[0]);
  bool fits = from->kind == CAKE_SIM_DATA && to->kind == CAKE_SIM_DATA &&
              from->element.is_float == to->element.is_float && (from->rows == 1 || from->rows == to->rows) &&
              (from->cols == 1 || from->cols == to->cols);
  return fits || cake_sim_unsupported(op, "spreads a value that does not fit");
}

// ---- mask ----------------------------------------------------------------------------------------------------------------

typedef struct MaskInfo {
  CakeSimExprs keep;
  uint8_t *marks;
  const void *fill; // one kept element
} MaskInfo;

static CakeSimStep eval_mask(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const MaskInfo *info = instr->info;
  const CakeSimSlot *slot = cake_sim_slot_info(machine, instr->out[0]);
  size_t size = cake_sim_kept_bytes(slot->element);
  char *out = cake_sim_at(machine, instr->out[0]);
  if (!cake_sim_eval_keep(machine, instr, &info->keep, slot->rows, slot->cols, info->marks)) return CAKE_SIM_FAILED;
  memcpy(out, cake_sim_at(machine, instr->in[0]), slot->count * size);
  for (size_t i = 0; i < slot->count; i++) {
    if (!info->marks[i]) memcpy(out + i * size, info->fill, size);
  }
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_mask(CakeSimBuilder *builder, CakeOp *op) {
  MaskInfo *info = CAKE_SIM_NEW(builder, MaskInfo);
  if (!cake_sim_exprs(builder, op, cake_cake_mask_keep(op), cake_cake_mask_keep_idx(op), &info->keep)) return false;
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_mask);
  if (!instr) return false;
  const CakeSimSlot *slot = cake_sim_slot(builder, instr->out[0]);
  info->marks = CAKE_ARENA_ARRAY(builder->launch->arena, uint8_t, slot->count + 1);
  info->fill = cake_sim_pad(builder, slot->element, cake_cake_mask_fill(op));
  instr->info = info;
  return cake_sim_slot(builder, instr->in[0])->count == slot->count ||
         cake_sim_unsupported(op, "masks a value that does not fit");
}

// ---- iota ----------------------------------------------------------------------------------------------------------------

typedef struct IotaInfo {
  CakeSimExprs at;
  bool is_row;
} IotaInfo;

static CakeSimStep eval_iota(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const IotaInfo *info = instr->info;
  const CakeSimSlot *slot = cake_sim_slot_info(machine, instr->out[0]);
  int64_t *out = cake_sim_ints(machine, instr->out[0]), first = 0;
  if (info->at.count && !cake_sim_eval(machine, instr, &info->at, &first)) return CAKE_SIM_FAILED;
  for (int64_t r = 0; r < slot->rows; r++)
    for (int64_t c = 0; c < slot->cols; c++)
      *out++ = cake_sim_wrap((int64_t)((uint64_t)first + (uint64_t)(info->is_row ? r : c)), slot->element.bits);
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_iota(CakeSimBuilder *builder, CakeOp *op) {
  IotaInfo *info = CAKE_SIM_NEW(builder, IotaInfo);
  info->is_row = cake_attr_int_value(cake_cake_iota_axis(op)) == 0;
  if (!cake_sim_exprs(builder, op, cake_cake_iota_at(op), cake_cake_iota_at_idx(op), &info->at)) return false;
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_iota);
  if (!instr) return false;
  instr->info = info;
  return !cake_sim_slot(builder, instr->out[0])->element.is_float || cake_sim_unsupported(op, "counts in floats");
}

// ---- convert -------------------------------------------------------------------------------------------------------------

static CakeSimStep eval_same(CakeSimMachine *machine, const CakeSimInstr *instr) {
  memcpy(cake_sim_at(machine, instr->out[0]), cake_sim_at(machine, instr->in[0]),
         cake_sim_slot_info(machine, instr->out[0])->bytes);
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_convert(CakeSimBuilder *builder, CakeOp *op) {
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_same);
  return instr && (cake_sim_slot(builder, instr->in[0])->bytes == cake_sim_slot(builder, instr->out[0])->bytes ||
                   cake_sim_unsupported(op, "converts to a form that does not fit"));
}
