// Tensor memory: accumulators that lie there, and get.
//
// PTX ISA, "Tensor Memory": an address is the lane in bits 16 to 31 and the column of 32 bits below. An accumulator of 128 rows has row r in
// lane r. A warp reaches the 32 lanes of its number in its warpgroup, and loads a row a lane (tcgen05.ld.32x32b).
#include "passes/fragments.h"

#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/views.h"

enum { WARP = 32, LANE_BIT = 16, MAX_COLUMNS = 128 };

bool cake_fragments_is_in_tmem(CakeType type) {
  return cake_type_is(type, &cake_type_def_pending) && type->params[1].attr->def == &cake_attr_def_tcgen05_acc;
}

bool cake_fragments_tmem_zero(CakeFragments *expand, CakeOp *op) {
  CakeValue *address = cake_fragments_get_value(expand, cake_cake_zero_view(op));
  CakeValue *nothing = cake_lower_const(expand->rewriter, cake_type_i1(expand->context), 0);
  cake_fragments_set_values(expand, cake_op_result(op, 0),
                            (CakeThreadValues){
                                {address, nothing},
                                2
  });
  return true;
}

// The thread that issued the matrix instructions: of a role of one warp always the same.
bool cake_fragments_commit_mma(CakeFragments *expand, CakeOp *op) {
  CakeValue *barrier = cake_cake_commit_mma_barrier(op);
  CakeLowerPoint point = cake_fragments_elected_begin(expand, cake_fragments_role(expand, op));
  cake_rewriter_build(expand->rewriter,
                      &(CakeBuild){.name = "gpu.tcgen05_commit", .operands = &barrier, .n_operands = 1});
  cake_lower_restore(expand->rewriter, point);
  return true;
}

// The warp's first lane, in the place that it has in an address; i32, hoisted.
static CakeValue *warp_lanes(CakeFragments *expand, CakeFragmentsRole *role) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeValue *warp = cake_fragments_warp(expand, role);
  CakeLowerPoint point = cake_fragments_hoist_begin(expand, role);
  CakeValue *lanes = cake_lower_mul_const(rewriter, warp, (int64_t)WARP << LANE_BIT);
  lanes = cake_lower_cast(rewriter, lanes, cake_type_i32(expand->context));
  cake_fragments_hoist_end(expand, role, point);
  return lanes;
}

// The first column as an i32; false: reported.
static bool first_column(CakeFragments *expand, CakeOp *op, CakeValue **out) {
  CakeAttr off = cake_cake_get_off(op);
  CakeType i32 = cake_type_i32(expand->context);
  CakeLowerEnv env = cake_fragments_env(expand, cake_cake_get_off_idx(op));
  *out = off ? cake_lower_expr(expand->rewriter, op, cake_at_expr(off, 1), &env) : cake_lower_i32(expand->rewriter, 0);
  if (*out) *out = cake_lower_cast(expand->rewriter, *out, i32);
  return *out != NULL;
}

// The largest instruction that does not load more than `left` columns.
static uint32_t columns_at_once(uint32_t left) {
  uint32_t columns = MAX_COLUMNS;
  while (columns > left)
    columns /= 2;
  return columns;
}

static CakeValue **wait_for(CakeFragments *expand, CakeValue **loaded, uint32_t count) {
  CakeType *types = CAKE_ARENA_ARRAY(expand->scratch, CakeType, count);
  for (uint32_t i = 0; i < count; i++)
    types[i] = loaded[i]->type;
  CakeOp *wait = cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "gpu.tcgen05_wait_ld",
                                                                    .operands = loaded,
                                                                    .n_operands = count,
                                                                    .result_types = types,
                                                                    .n_results = count});
  for (uint32_t i = 0; i < count; i++)
    loaded[i] = cake_op_result(wait, i);
  return loaded;
}

bool cake_fragments_tmem_get(CakeFragments *expand, CakeOp *op) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeValue *view = cake_cake_get_view(op), *result = cake_op_result(op, 0), *column;
  CakeLayout layout;
  if (!cake_layout_of(op, result->type, &layout)) return false;
  CakeFragmentsRole *role = cake_fragments_role(expand, op);
  bool fits = cake_tmem_use(view->type) == CAKE_TMEM_ACC && layout.fragment.rows == 4 * WARP && role->warps == 4;
  if (!fits)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "reads '%s'; a warpgroup reads accumulators of 128 rows",
                      cake_type_text(view->type));
  if (!first_column(expand, op, &column)) return false;
  CakeValue *base = cake_lower_add(rewriter, cake_fragments_get_value(expand, view), warp_lanes(expand, role));
  base = cake_lower_add(rewriter, base, column);
  CakeValue **parts = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, layout.count), **scalars = parts;
  uint32_t n_parts = 0;
  for (uint32_t at = 0, columns; at < layout.count; at += columns) {
    columns = columns_at_once(layout.count - at);
    CakeType type = cake_fragments_vector_type(layout.fragment.element, columns);
    CakeValue *address = cake_lower_add_const(rewriter, base, at);
    parts[n_parts++] = cake_build_unary(rewriter, "gpu.tcgen05_ld", type, address);
  }
  parts = wait_for(expand, parts, n_parts);
  if (n_parts > 1) { // of different sizes: element by element
    scalars = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, layout.count);
    for (uint32_t i = 0, n = 0; i < n_parts; i++) {
      uint32_t count = (uint32_t)cake_type_count(parts[i]->type);
      CakeValue **elements = cake_fragments_unpack(expand, parts[i], layout.fragment.element, count);
      for (uint32_t e = 0; e < count; e++)
        scalars[n++] = elements[e];
    }
    n_parts = layout.count;
  }
  cake_fragments_set_value(expand, result, cake_fragments_pack(expand, scalars, n_parts, cake_layout_vector(&layout)));
  return true;
}
