// Which elements of a fragment a lane has several times: along rows or columns of what was spread from one number, and of what is computed from
// it. A mask by columns of a form whose lanes hold whole rows tells one more column from the others; another mask tells all.
#include "cost/model.h"

#include "dialects/cake/cake_accessors.h"
#include "passes/fragments.h"

static bool find(const CakeSimBuilder *builder, const CakeValue *value, CakeCostDistinct *out) {
  uintptr_t word;
  if (!cake_map_get(&cake_cost_cta_of(builder->launch)->distinct, value, &word)) return false;
  *out = (CakeCostDistinct){(uint32_t)(word >> 16), (uint32_t)(word & 0xFFFF)};
  return true;
}

static uint32_t lesser(uint32_t a, uint32_t b) {
  return a < b ? a : b;
}

// What an operand has in the lanes of the whole fragment.
static CakeCostDistinct of_operand(const CakeSimBuilder *builder, const CakeValue *value, CakeCostDistinct whole) {
  CakeCostDistinct known;
  CakeFragment fragment;
  if (!cake_fragment_of(value->type, &fragment)) return (CakeCostDistinct){1, 1};
  if (!find(builder, value, &known)) known = whole;
  if (fragment.part == CAKE_FORM_COL) known.rows = 1;
  if (fragment.part == CAKE_FORM_ROW || fragment.part == CAKE_FORM_PARTIAL) known.cols = 1;
  return (CakeCostDistinct){lesser(known.rows, whole.rows), lesser(known.cols, whole.cols)};
}

static void tell_masked(CakeOp *op, const CakeLayout *layout, CakeCostDistinct whole, CakeCostDistinct *out) {
  bool is_static = cake_layout_is_vec(layout) && cake_vec_is_lane(layout->fragment.base);
  if (is_static && cake_is_cake_op(op, cake_op_cake_mask))
    out->cols = lesser(out->cols + 1, whole.cols);
  else if (cake_is_cake_op(op, cake_op_cake_mask) || cake_is_cake_op(op, cake_op_cake_iota))
    *out = whole;
}

bool cake_cost_distinct(CakeSimBuilder *builder, CakeOp *op, CakeCostDistinct *out) {
  CakeLayout layout;
  const CakeValue *result = cake_op_result(op, 0);
  *out = (CakeCostDistinct){1, 1};
  if (!cake_layout_of(op, result->type, &layout)) return false;
  CakeCostDistinct whole = {layout.count, 1};
  if (layout.fragment.part == CAKE_FORM_COL) whole = (CakeCostDistinct){1, layout.count};
  bool has_axes = layout.fragment.part == CAKE_FORM_WHOLE && layout.fragment.kind != CAKE_FORM_MMA_A &&
                  layout.fragment.kind != CAKE_FORM_MMA_B && layout.fragment.kind != CAKE_FORM_WGMMA_A;
  if (has_axes) whole = (CakeCostDistinct){cake_layout_row_slots(&layout), cake_layout_col_slots(&layout)};
  for (uint32_t i = 0; i < op->n_operands; i++) {
    CakeCostDistinct operand = of_operand(builder, cake_op_operand(op, i), whole);
    if (operand.rows > out->rows) out->rows = operand.rows;
    if (operand.cols > out->cols) out->cols = operand.cols;
  }
  tell_masked(op, &layout, whole, out);
  cake_map_set(&cake_cost_cta_of(builder->launch)->distinct, result, (uintptr_t)out->rows << 16 | out->cols);
  return true;
}
