// Ops of which a thread does its part at once: sync, fence, depend, prefetch, iota, convert.
#include "passes/fragments.h"

#include "dialects/cake/ops/barriers.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/fragments.h"

// ---- Synchronisation -----------------------------------------------------------------------------------------------------

bool cake_fragments_sync(CakeFragments *expand, CakeOp *op) {
  return cake_lower_rendezvous(expand->rewriter, op, cake_fragments_role(expand, op)->cta_warp);
}

bool cake_fragments_fence(CakeFragments *expand, CakeOp *op) {
  (void)op;
  cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "gpu.fence_proxy_async"});
  return true;
}

bool cake_fragments_depend(CakeFragments *expand, CakeOp *op) {
  bool is_wait = cake_str_is(cake_attr_string_value(cake_cake_depend_what(op)), "wait");
  CakeNamedAttr attr = {cake_id_text(expand->context, "action"),
                        cake_attr_string(expand->context, cake_str(is_wait ? "wait" : "launch_dependents"))};
  cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "gpu.griddepcontrol", .attrs = &attr, .n_attrs = 1});
  return true;
}

// ---- prefetch ------------------------------------------------------------------------------------------------------------

// One lane asks; an element outside of the array is clamped into it, which does no harm.
bool cake_fragments_prefetch(CakeFragments *expand, CakeOp *op) {
  CakeTile tile;
  CakeTileOptions options = {.array = cake_cake_prefetch_global(op),
                             .at = cake_cake_prefetch_at(op),
                             .at_idx = cake_cake_prefetch_at_idx(op),
                             .minor_size = 1,
                             .is_ragged = true};
  if (cake_global_rank(options.array->type) == 0)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "asks for an array without dimensions");
  CakeLowerPoint point = cake_fragments_elected_begin(expand, cake_fragments_role(expand, op));
  bool ok = cake_tile_init(&tile, expand, op, &options);
  if (ok) {
    CakeValue *ptr = cake_tile_at(&tile, 0, 0, 1).ptr;
    cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "gpu.prefetch", .operands = &ptr, .n_operands = 1});
  }
  cake_lower_restore(expand->rewriter, point);
  return ok;
}

// ---- iota ----------------------------------------------------------------------------------------------------------------

// The lane's first coordinate is computed once; its elements differ from it by constants.
bool cake_fragments_iota(CakeFragments *expand, CakeOp *op) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeLayout layout;
  CakeValue *result = cake_op_result(op, 0);
  bool is_row = cake_attr_int_value(cake_cake_iota_axis(op)) == 0;
  CakeLowerEnv env = cake_fragments_env(expand, cake_cake_iota_at_idx(op));
  if (!cake_layout_of(op, result->type, &layout)) return false;
  CakeFragmentsRole *role = cake_fragments_role(expand, op);
  CakeValue *first = is_row ? cake_fragments_row(expand, role, &layout) : cake_fragments_col(expand, role, &layout);
  if (cake_cake_iota_at(op)) {
    CakeValue *at = cake_lower_expr(rewriter, op, cake_cake_iota_at(op), &env);
    if (!at) return false;
    first = cake_lower_add(rewriter, at, first);
  }
  first = cake_lower_cast(rewriter, first, cake_type_i32(expand->context));
  CakeValue **parts = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, layout.count);
  for (uint32_t i = 0; i < layout.count; i++) {
    int64_t row, col;
    cake_layout_at(&layout, i, &row, &col);
    parts[i] = cake_lower_add_const(rewriter, first, is_row ? row : col);
  }
  cake_fragments_set_value(expand, result,
                           cake_fragments_pack(expand, parts, layout.count, cake_layout_vector(&layout)));
  return true;
}

// ---- convert -------------------------------------------------------------------------------------------------------------

// Two tiles of 16×8 of an accumulator side by side are one of 16×16 of a left operand, register for register.
bool cake_fragments_convert(CakeFragments *expand, CakeOp *op) {
  CakeLayout from, to;
  CakeValue *value = cake_cake_convert_value(op);
  if (!cake_layout_of(op, value->type, &from) || !cake_layout_of(op, cake_op_result(op, 0)->type, &to)) return false;
  for (uint32_t i = 0; i < to.count; i++) {
    int64_t a_row, a_col, b_row, b_col;
    cake_layout_at(&from, i, &a_row, &a_col);
    cake_layout_at(&to, i, &b_row, &b_col);
    if (from.count != to.count || a_row != b_row || a_col != b_col)
      return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "converts between forms whose registers differ");
  }
  cake_fragments_set_value(expand, cake_op_result(op, 0), cake_fragments_get_value(expand, value));
  return true;
}
