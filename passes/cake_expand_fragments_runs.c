// Accesses of 16 bytes: which can be, and operands of mma.sync that come straight from global memory by such loads.
//
// A product sums over the columns of both operands, so that their order does not matter as long as it is the same in both. As the
// instruction wants it, a lane holds pairs of columns, 2t, 2t + 1, 2t + 8, 2t + 9 of every 16: loads of 4 bytes. Where both operands of
// every product are loaded, lane t takes the 8 neighbours 32 j + 8 t … instead, as columns of the slices 2 j and 2 j + 1.
#include "analysis/affine.h"

#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/mma.h"
#include "passes/fragments.h"

enum { RUN = CAKE_FRAGMENTS_RUN, SPAN = 4 * RUN }; // neighbours of a lane; columns of the four lanes of a row

bool cake_fragments_has_runs(CakeOp *op, CakeType array, CakeAttr at) {
  size_t rank = cake_global_rank(array);
  int64_t align = cake_global_align(array);
  return rank >= 2 && align > 0 && align % 16 == 0 && cake_fragments_divisor(cake_at_expr(at, rank - 1)) % RUN == 0 &&
         cake_expr_divisor(op, cake_global_dim(array, rank - 1)) % RUN == 0;
}

// Whether the load's tile has rows of whole runs.
static bool has_runs(CakeOp *load) {
  CakeFragment f;
  if (cake_cake_load_dims(load) || cake_cake_load_keep(load)) return false;
  if (!cake_fragment_of(load->results[0].type, &f) || f.part != CAKE_FORM_WHOLE || cake_type_width(f.element) != 16 ||
      (f.kind != CAKE_FORM_MMA_A && f.kind != CAKE_FORM_MMA_B) || f.cols % SPAN != 0)
    return false;
  return cake_fragments_has_runs(load, cake_cake_load_global(load)->type, cake_cake_load_at(load));
}

// The load of the other operand of the product that a use is one operand of; NULL: it is none, or comes from elsewhere.
static CakeOp *other_load(const CakeUse *use) {
  CakeOp *op = use->owner;
  if (!cake_is_cake_op(op, cake_op_cake_mma) || cake_form_of(cake_cake_mma_form(op)).family != CAKE_MMA_MMA)
    return NULL;
  CakeValue *a = cake_cake_mma_a(op), *b = cake_cake_mma_b(op);
  CakeOp *load = cake_value_def(use->value == a ? b : a);
  bool is_load = use->value != cake_cake_mma_acc(op) && load && cake_is_cake_op(load, cake_op_cake_load);
  return is_load && !cake_cake_mma_a_off(op) && !cake_cake_mma_b_off(op) ? load : NULL;
}

// All loads that products connect with this one must agree.
bool cake_fragments_loads_runs(CakeOp *load) {
  CakeMap seen = {0};
  CAKE_VEC(CakeOp *) work = {0};
  bool ok = true;
  uintptr_t ignored;
  CAKE_PUSH(&work, load);
  cake_map_set(&seen, load, 1);
  while (ok && work.len) {
    CakeOp *op = work.data[--work.len];
    ok = has_runs(op) && op->results[0].first_use;
    for (const CakeUse *use = op->results[0].first_use; ok && use; use = use->next) {
      CakeOp *other = other_load(use);
      ok = other != NULL;
      if (!ok || cake_map_get(&seen, other, &ignored)) continue;
      cake_map_set(&seen, other, 1);
      CAKE_PUSH(&work, other);
    }
  }
  CAKE_VEC_FINI(&work);
  cake_map_fini(&seen);
  return ok;
}

// The pairs of one row of a lane: a run is those of two slices, in each the lower and the upper columns.
static void place_run(const CakeLayout *layout, CakeValue *const *pairs, uint32_t row, int64_t run, CakeValue **out) {
  bool is_a = layout->fragment.kind == CAKE_FORM_MMA_A;
  int64_t slices = layout->cols / 16, per_slice = is_a ? 4 : 2; // pairs
  int64_t tile = is_a ? row / 2 : row, half = is_a ? row % 2 : 0;
  for (int64_t i = 0; i < RUN / 2; i++) {
    int64_t slice = 2 * run + i / 2, upper = i % 2;
    out[(tile * slices + slice) * per_slice + (is_a ? half + 2 * upper : upper)] = pairs[i];
  }
}

bool cake_fragments_load_runs(CakeFragments *expand, CakeOp *op, CakeTileOptions options) {
  CakeLayout layout;
  CakeTile tile;
  if (!cake_layout_of(op, cake_op_result(op, 0)->type, &layout)) return false;
  CakeFragmentsRole *role = cake_fragments_role(expand, op);
  options.lane_minor = cake_fragments_quad_col(expand, role, &layout, RUN);
  options.lane_major = cake_fragments_row(expand, role, &layout);
  options.major_size = layout.fragment.rows;
  options.minor_size = layout.fragment.cols;
  options.lane_divisor = RUN;
  options.is_guarded = true;
  if (!cake_tile_init(&tile, expand, op, &options)) return false;
  if (!cake_tile_can_take(&tile, RUN))
    return cake_error(op, CAKE_CODE_PASS_FAILED, "loads runs of 8 elements that are not aligned");
  CakeType type = cake_fragments_vector_type(layout.fragment.element, RUN);
  CakeType pair = cake_fragments_vector_type(layout.fragment.element, 2);
  CakeAttr pad = cake_cake_load_pad(op);
  CakeValue *padding = pad ? cake_fragments_constant(expand, type, pad) : NULL;
  bool readonly = (cake_global_flags(cake_cake_load_global(op)->type) & CAKE_GLOBAL_READONLY) != 0;
  CakeValue **parts = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, layout.count / 2);
  for (uint32_t row = 0; row < layout.rows / 8; row++) {
    for (int64_t run = 0; run < layout.cols / SPAN; run++) {
      CakeTileAddress address = cake_tile_at(&tile, 8 * row, SPAN * run, RUN);
      CakeValue *value = cake_fragments_load_padded(expand, address, type, readonly, padding);
      place_run(&layout, cake_fragments_unpack(expand, value, pair, RUN / 2), row, run, parts);
    }
  }
  cake_fragments_set_value(expand, cake_op_result(op, 0),
                           cake_fragments_pack(expand, parts, layout.count / 2, cake_layout_vector(&layout)));
  return true;
}
