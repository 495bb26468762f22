// cake: print and assert.
#include "simulator/build.h"

#include "dialects/cake/ops/debug.h"

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/debug.def"
#include "simulator/build_rows.h"

typedef struct ShowInfo {
  CakeSimExprs keep;
  uint32_t value; // operand number; UINT32_MAX: none
  uint8_t *kept;  // which elements are looked at
} ShowInfo;

// "role '@mma' instance 1 of CTA 3: text"
static void head_of(const CakeSimMachine *machine, CakeAttr text, CakeBuf *out) {
  cake_buf_printf(out, "role '@%s'", machine->program->name->text);
  if (machine->program->replicas > 1) cake_buf_printf(out, " instance %lld", (long long)machine->instance);
  cake_buf_printf(out, " of CTA %lld: %.*s", (long long)machine->cta->number,
                  CAKE_STR_ARG(cake_attr_string_value(text)));
}

static void place_of(const CakeSimSlot *slot, size_t i, CakeBuf *out) {
  if (slot->rank == 2)
    cake_buf_printf(out, "[%lld, %lld]", (long long)((int64_t)i / slot->cols), (long long)((int64_t)i % slot->cols));
  else if (slot->rank == 1)
    cake_buf_printf(out, "[%zu]", i);
}

void cake_sim_print_line(const CakeSimMachine *machine, CakeStr line) {
  const CakeSimOptions *options = machine->cta->launch->options;
  if (options->print) options->print(options->print_user, line);
}

static void print_element(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimSlot *slot, size_t i) {
  const ShowInfo *info = instr->info;
  uint32_t value = instr->in[info->value];
  CakeBuf line = {0};
  head_of(machine, cake_cake_print_text(instr->op), &line);
  place_of(slot, i, &line);
  if (slot->element.is_float)
    cake_buf_printf(&line, " = %.9g", (double)cake_sim_floats(machine, value)[i]);
  else
    cake_buf_printf(&line, " = %lld", (long long)cake_sim_ints(machine, value)[i]);
  cake_sim_print_line(machine, cake_buf_view(&line));
  cake_buf_fini(&line);
}

static CakeSimStep eval_print(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const ShowInfo *info = instr->info;
  if (info->value == UINT32_MAX) {
    CakeBuf line = {0};
    head_of(machine, cake_cake_print_text(instr->op), &line);
    cake_sim_print_line(machine, cake_buf_view(&line));
    cake_buf_fini(&line);
    return CAKE_SIM_NEXT;
  }
  const CakeSimSlot *slot = cake_sim_slot_info(machine, instr->in[info->value]);
  if (!cake_sim_eval_keep(machine, instr, &info->keep, slot->rows, slot->cols, info->kept)) return CAKE_SIM_FAILED;
  for (size_t i = 0; i < slot->count; i++)
    if (info->kept[i]) print_element(machine, instr, slot, i);
  return CAKE_SIM_NEXT;
}

static CakeSimStep eval_assert(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const ShowInfo *info = instr->info;
  const CakeSimSlot *slot = cake_sim_slot_info(machine, instr->in[info->value]);
  const int64_t *holds = cake_sim_ints(machine, instr->in[info->value]);
  if (!cake_sim_eval_keep(machine, instr, &info->keep, slot->rows, slot->cols, info->kept)) return CAKE_SIM_FAILED;
  for (size_t i = 0; i < slot->count; i++) {
    if (!info->kept[i] || holds[i]) continue;
    CakeBuf place = {0};
    if (slot->rank) cake_buf_text(&place, " at element ");
    place_of(slot, i, &place);
    CakeStr text = cake_attr_string_value(cake_cake_assert_text(instr->op));
    CakeSimStep step = cake_sim_error(machine, instr->op, CAKE_CODE_SIM_ASSERT, "does not hold%.*s: %.*s",
                                      (int)place.len, place.len ? place.data : "", CAKE_STR_ARG(text));
    cake_buf_fini(&place);
    return step;
  }
  return CAKE_SIM_NEXT;
}

static bool build_show(CakeSimBuilder *builder, CakeOp *op, CakeSimEval eval, CakeAttr keep, CakeOperandRange keep_idx,
                       uint32_t value) {
  ShowInfo *info = CAKE_SIM_NEW(builder, ShowInfo);
  info->value = value;
  if (!cake_sim_exprs(builder, op, keep, keep_idx, &info->keep)) return false;
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval);
  if (!instr) return false;
  instr->info = info;
  if (value == UINT32_MAX) return true;
  const CakeSimSlot *slot = cake_sim_slot(builder, instr->in[value]);
  info->kept = CAKE_ARENA_ARRAY(builder->launch->arena, uint8_t, slot->count + 1);
  return slot->kind == CAKE_SIM_DATA || cake_sim_unsupported(op, "shows a value that has no elements");
}

bool cake_sim_build_cake_print(CakeSimBuilder *builder, CakeOp *op) {
  CakeOperandRange value = cake_op_operand_group(op, CAKE_GROUP(cake, print, value));
  return build_show(builder, op, eval_print, cake_cake_print_keep(op), cake_cake_print_keep_idx(op),
                    value.count ? value.start : UINT32_MAX);
}

bool cake_sim_build_cake_assert(CakeSimBuilder *builder, CakeOp *op) {
  return build_show(builder, op, eval_assert, cake_cake_assert_keep(op), cake_cake_assert_keep_idx(op),
                    cake_op_operand_group(op, CAKE_GROUP(cake, assert, condition)).start);
}
