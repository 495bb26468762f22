// The form vec: consecutive elements of a row in each lane.
//
// vec<role, V>: all lanes of the role instance hold a row together, lane l of warp w the V elements from (32 w + l) V on and those every
// 32 V · warps further. vec<lane, V>: a lane holds whole rows, l, 32 + l, … of its warp's. vec<warp, V>: the rows are cut evenly among the warps; of a row of at least 32 V elements each lane of the warp
// holds V, and so on every 32 V; rows that are shorter lie in a warp several at once.
#include "passes/fragments.h"

enum { WARP = 32, MOST_ELEMENTS = 512 };

static bool refuse(CakeOp *op, CakeType type, const char *why) {
  return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has no lowering for '%s': %s", cake_type_text(type), why);
}

static int64_t warps_of(const CakeOp *op) {
  CakeLowerRole facts;
  CakeRoleShape shape;
  const CakeOp *role = cake_op_role(op);
  if (role && cake_role_shape(role, &shape)) return shape.warps;
  if (cake_lower_role_of(op, &facts)) return facts.warps;
  const CakeOp *func = cake_op_parent_named(op, "gpu.func");
  CakeAttr threads = func ? cake_op_attr_text(func, "block") : NULL;
  int64_t warps = cake_attr_is(threads, &cake_attr_def_integer) ? cake_attr_int_value(threads) / WARP : 1;
  return warps < 1 ? 1 : warps;
}

bool cake_layout_vec(CakeOp *op, CakeType type, CakeLayout *layout) {
  const CakeFragment *f = &layout->fragment;
  int64_t width = cake_vec_width(f->base), warps = warps_of(op);
  bool is_role = cake_vec_is_role(f->base), has_cols = cake_layout_has_cols(layout),
       has_rows = cake_layout_has_rows(layout);
  layout->lanes = is_role                              ? WARP * warps
                  : cake_vec_is_lane(f->base)          ? 1
                  : has_cols && f->cols < WARP * width ? f->cols / width
                                                       : WARP;
  if (layout->lanes < 1) return refuse(op, type, "a row is shorter than what a lane holds");
  bool is_whole = f->cols % (layout->lanes * width) == 0 && (is_role || WARP % layout->lanes == 0);
  if (has_cols && (f->cols < 1 || !is_whole)) return refuse(op, type, "the lanes do not cut a row into whole pieces");
  layout->row_step = is_role ? 1 : WARP / layout->lanes;
  int64_t row_share = is_role ? 1 : warps;
  if (has_rows && (f->rows < 1 || f->rows % (row_share * layout->row_step) != 0))
    return refuse(op, type, "the warps do not cut its rows evenly");
  layout->rows = has_rows ? f->rows / row_share : 1;
  layout->cols = has_cols ? f->cols : 1;
  layout->row_slots = has_rows ? (uint32_t)(layout->rows / layout->row_step) : 1;
  layout->col_slots = has_cols ? (uint32_t)(f->cols / layout->lanes) : 1;
  int64_t count = (int64_t)layout->row_slots * layout->col_slots;
  if (count > MOST_ELEMENTS) return refuse(op, type, "a thread would hold more than 512 elements");
  layout->count = (uint32_t)count;
  return true;
}

void cake_layout_vec_at(const CakeLayout *layout, uint32_t element, int64_t *out_row, int64_t *out_col) {
  int64_t width = cake_vec_width(layout->fragment.base), col = element % layout->col_slots;
  *out_row = (int64_t)(element / layout->col_slots) * layout->row_step;
  *out_col = col / width * width * layout->lanes + col % width;
}

CakeValue *cake_fragments_vec_row(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout) {
  CakeRewriter *rewriter = expand->rewriter;
  if (cake_vec_is_role(layout->fragment.base)) return cake_lower_index(rewriter, 0);
  CakeValue *warp = cake_fragments_warp(expand, role), *lane = cake_fragments_lane(expand, role);
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, role);
  CakeValue *row = cake_lower_mul_const(rewriter, warp, layout->rows);
  if (layout->lanes < WARP)
    row = cake_lower_add(rewriter, row, cake_lower_divui(rewriter, lane, cake_lower_index(rewriter, layout->lanes)));
  cake_fragments_hoist_end(expand, role, point);
  return row;
}

// The lane's number among those that share a row.
CakeValue *cake_fragments_vec_lane(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeValue *lane = cake_fragments_lane(expand, role);
  bool is_role = cake_vec_is_role(layout->fragment.base);
  CakeValue *warp = is_role && role->warps > 1 ? cake_fragments_warp(expand, role) : NULL;
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, role);
  if (warp) lane = cake_lower_add(rewriter, cake_lower_mul_const(rewriter, warp, WARP), lane);
  if (layout->lanes < WARP) lane = cake_lower_remui(rewriter, lane, cake_lower_index(rewriter, layout->lanes));
  cake_fragments_hoist_end(expand, role, point);
  return lane;
}

CakeValue *cake_fragments_vec_col(CakeFragments *expand, CakeFragmentsRole *role, const CakeLayout *layout) {
  CakeValue *lane = cake_fragments_vec_lane(expand, role, layout);
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, role);
  CakeValue *col = cake_lower_mul_const(expand->rewriter, lane, cake_vec_width(layout->fragment.base));
  cake_fragments_hoist_end(expand, role, point);
  return col;
}
