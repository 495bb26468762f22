// cake: matrix multiplication.
//
// How the products are added: accumulate.c.
#include "simulator/build.h"

#include "dialects/cake/ops/mma.h"

#include <string.h>

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/mma.def"
#include "simulator/build_rows.h"

// ---- mma -----------------------------------------------------------------------------------------------------------------

typedef struct Operand {
  uint32_t in; // operand number
  bool is_view;
  bool is_turned;     // it is stored the other way round than cake_sim_multiply takes it
  int64_t rows, cols; // as stored
  CakeSimExprs off;
  int64_t first_row; // of a cut of a fragment
  float *tile;       // as cake_sim_multiply takes it
} Operand;

typedef struct MmaInfo {
  int64_t m, n, k;
  CakeSimElement element;   // of both operands
  bool negates;             // the product is subtracted
  bool is_pending, is_tf32; // tf32: the low 13 bits of f32 operands are not read
  Operand a, b;
} MmaInfo;

static void take_tile(const Operand *operand, const float *from, int64_t pitch) {
  float *to = operand->tile;
  for (int64_t r = 0; r < operand->rows; r++, from += pitch) {
    if (!operand->is_turned)
      memcpy(to + r * operand->cols, from, (size_t)operand->cols * sizeof *to);
    else
      for (int64_t c = 0; c < operand->cols; c++)
        to[c * operand->rows + r] = from[c];
  }
}

static CakeSimStep read_view(CakeSimMachine *machine, const CakeSimInstr *instr, const Operand *operand) {
  const CakeSimView *view = cake_sim_at(machine, instr->in[operand->in]);
  int64_t off[CAKE_SIM_MAX_RANK] = {0}, pitch = cake_sim_view_part(view)->cols;
  if (!cake_sim_eval(machine, instr, &operand->off, off)) return CAKE_SIM_FAILED;
  CakeSimStep step = cake_sim_view_check_read(machine, instr, view, off[0], off[1], operand->rows, operand->cols);
  if (step != CAKE_SIM_NEXT) return step;
  take_tile(operand, (const float *)cake_sim_view_data(view) + off[0] * pitch + off[1], pitch);
  return CAKE_SIM_NEXT;
}

// The slots of views that an asynchronous multiplication reads are on loan until it is awaited.
static void lend(CakeSimMachine *machine, const CakeSimInstr *instr, const Operand *operand) {
  if (!operand->is_view) return;
  const CakeSimView *view = cake_sim_at(machine, instr->in[operand->in]);
  CAKE_PUSH(&machine->loans, (CakeSimLoan){view->stage, view->fill, machine->groups, instr->op});
}

static CakeSimStep read_operand(CakeSimMachine *machine, const CakeSimInstr *instr, const Operand *operand) {
  if (operand->is_view) return read_view(machine, instr, operand);
  take_tile(operand, cake_sim_floats(machine, instr->in[operand->in]) + operand->first_row * operand->cols,
            operand->cols);
  return CAKE_SIM_NEXT;
}

// The number of the last group that went into a pending accumulator stands behind its elements.
uint64_t *cake_sim_group_of(const CakeSimMachine *machine, uint32_t slot) {
  const CakeSimSlot *info = cake_sim_slot_info(machine, slot);
  return (uint64_t *)(void *)((char *)cake_sim_at(machine, slot) + info->bytes - 16);
}

void cake_sim_cut_to_tf32(float *values, size_t count) {
  for (size_t i = 0; i < count; i++) {
    uint32_t bits;
    memcpy(&bits, &values[i], sizeof bits);
    bits &= 0xFFFFE000u;
    memcpy(&values[i], &bits, sizeof bits);
  }
}

void cake_sim_negate(float *values, size_t count) {
  for (size_t i = 0; i < count; i++)
    values[i] = -values[i];
}

static CakeSimStep eval_mma(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const MmaInfo *info = instr->info;
  float *acc = cake_sim_floats(machine, instr->out[0]);
  CakeSimStep step = read_operand(machine, instr, &info->a);
  if (step == CAKE_SIM_NEXT) step = read_operand(machine, instr, &info->b);
  if (step != CAKE_SIM_NEXT) return step;
  memcpy(acc, cake_sim_floats(machine, instr->in[0]), (size_t)(info->m * info->n) * sizeof *acc);
  if (info->is_tf32) {
    cake_sim_cut_to_tf32(info->a.tile, (size_t)(info->m * info->k));
    cake_sim_cut_to_tf32(info->b.tile, (size_t)(info->k * info->n));
  }
  if (info->negates) cake_sim_negate(info->a.tile, (size_t)(info->m * info->k));
  cake_sim_multiply(cake_sim_sums_of(info->element, info->is_tf32), acc, info->a.tile, info->b.tile, info->m, info->n,
                    info->k);
  if (!info->is_pending) return CAKE_SIM_NEXT;
  *cake_sim_group_of(machine, instr->out[0]) = ++machine->groups;
  lend(machine, instr, &info->a);
  lend(machine, instr, &info->b);
  return CAKE_SIM_NEXT;
}

static bool build_operand(CakeSimBuilder *builder, CakeOp *op, uint32_t in, CakeAttr off, CakeOperandRange off_idx,
                          Operand *operand) {
  CakeType type = cake_op_operand(op, in)->type;
  operand->in = in;
  operand->is_view = cake_type_is(type, &cake_type_def_shared);
  operand->tile = CAKE_ARENA_ARRAY(builder->launch->arena, float, operand->rows * operand->cols + 1);
  if (!cake_sim_exprs(builder, op, off, off_idx, &operand->off)) return false;
  if (operand->off.count != 0 && operand->off.count != 2)
    return cake_sim_unsupported(op, "has an offset that does not fit");
  if (operand->is_view) return cake_shared_rank(type) == 2 || cake_sim_unsupported(op, "multiplies a view of rank 1");
  CakeFragment fragment;
  bool is_cut = operand->off.count == 2;
  if (is_cut && !cake_expr_is_const(operand->off.exprs[0], &operand->first_row)) operand->first_row = -1;
  bool fits = cake_fragment_of(type, &fragment) && fragment.cols == operand->cols && operand->first_row >= 0 &&
              (is_cut ? operand->first_row <= fragment.rows - operand->rows : fragment.rows == operand->rows);
  return fits || cake_sim_unsupported(op, "multiplies tiles that do not fit");
}

static CakeType operand_element(CakeType type) {
  return cake_type_is(type, &cake_type_def_shared) ? cake_shared_element(type) : cake_type_element(type);
}

// K is what the whole of a has along it.
static int64_t inner_size(CakeType a, bool is_turned) {
  CakeFragment fragment;
  if (cake_type_is(a, &cake_type_def_shared))
    return cake_shared_rank(a) == 2 ? cake_shared_size(a, is_turned ? 0 : 1) : -1;
  if (!cake_fragment_of(a, &fragment)) return -1;
  return is_turned ? fragment.rows : fragment.cols;
}

int64_t cake_sim_mma_depth(CakeOp *op) {
  return inner_size(cake_cake_mma_a(op)->type, cake_form_of(cake_cake_mma_form(op)).a == 't');
}

bool cake_sim_build_cake_mma(CakeSimBuilder *builder, CakeOp *op) {
  MmaInfo *info = CAKE_SIM_NEW(builder, MmaInfo);
  CakeMmaForm form = cake_form_of(cake_cake_mma_form(op));
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_mma);
  if (!instr) return false;
  instr->info = info;
  const CakeSimSlot *acc = cake_sim_slot(builder, instr->out[0]);
  CakeType a = cake_cake_mma_a(op)->type, b = cake_cake_mma_b(op)->type;
  info->m = acc->rows;
  info->n = acc->cols;
  info->k = cake_sim_mma_depth(op);
  info->negates = cake_cake_mma_negate(op) != NULL;
  info->is_pending = cake_type_is(op->results[0].type, &cake_type_def_pending);
  info->is_tf32 = info->is_pending && cake_type_is_float(operand_element(a), CAKE_FLOAT_F32);
  if (info->k < 0 || info->k > INT64_C(1) << 20 || acc->element.format != CAKE_FLOAT_F32 || !acc->element.is_float)
    return cake_sim_unsupported(op, "multiplies tiles that do not fit");
  if (!cake_sim_element_of(operand_element(a), &info->element) || !info->element.is_float ||
      operand_element(a) != operand_element(b))
    return cake_sim_unsupported(op, "multiplies elements that are no floats of one type");
  info->a.is_turned = form.a == 't';
  info->a.rows = form.a == 't' ? info->k : info->m;
  info->a.cols = form.a == 't' ? info->m : info->k;
  info->b.is_turned = form.b == 't';
  info->b.rows = form.b == 't' ? info->n : info->k;
  info->b.cols = form.b == 't' ? info->k : info->n;
  uint32_t in_a = cake_op_operand_group(op, CAKE_GROUP(cake, mma, a)).start,
           in_b = cake_op_operand_group(op, CAKE_GROUP(cake, mma, b)).start;
  return build_operand(builder, op, in_a, cake_cake_mma_a_off(op), cake_cake_mma_a_off_idx(op), &info->a) &&
         build_operand(builder, op, in_b, cake_cake_mma_b_off(op), cake_cake_mma_b_off_idx(op), &info->b);
}

// ---- zero, await ---------------------------------------------------------------------------------------------------------

static CakeSimStep eval_zero(CakeSimMachine *machine, const CakeSimInstr *instr) {
  memset(cake_sim_at(machine, instr->out[0]), 0, cake_sim_slot_info(machine, instr->out[0])->bytes);
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_zero(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_zero) != NULL;
}

// Groups complete in order: what the awaited group and earlier ones read is given back.
static CakeSimStep eval_await(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeSimSlot *slot = cake_sim_slot_info(machine, instr->out[0]);
  cake_sim_complete_groups(machine, *cake_sim_group_of(machine, instr->in[0]));
  memcpy(cake_sim_at(machine, instr->out[0]), cake_sim_at(machine, instr->in[0]),
         slot->count * cake_sim_kept_bytes(slot->element));
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_await(CakeSimBuilder *builder, CakeOp *op) {
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_await);
  if (!instr) return false;
  const CakeSimSlot *from = cake_sim_slot(builder, instr->in[0]), *to = cake_sim_slot(builder, instr->out[0]);
  bool fits = to->kind == CAKE_SIM_DATA && to->count == from->count && to->element.is_float == from->element.is_float;
  return fits || cake_sim_unsupported(op, "awaits an accumulator that does not fit");
}
