// The ops reduce and merge: in the lane, over the lanes of a warp by shuffles, over warps through shared memory.
//
// In the lane values are combined pairwise, so that the longest chain of a sum is logarithmic. Through shared memory, one lane of each group
// that holds the same writes [kept][warp]; all meet, and every lane reads the values of all warps. They meet before the write too: the
// buffer may still be read from the time before.
#include "passes/fragments.h"

#include "dialects/cake/ops/reduce.h"

typedef struct Reduction {
  CakeFragments *expand;
  CakeOp *op;
  CakeReduceKind kind;
  CakeType element;
  bool nan_wins;
  bool along_rows, along_cols;
  CakeLayout layout; // of what is reduced
  CakeFragmentsRole *role;
  CakeValue *through; // the schedule-level buffer; NULL: none
} Reduction;

// ---- Pairs -----------------------------------------------------------------------------------------------------------------

static const char *op_name(const Reduction *r) {
  static const char *const floats[CAKE_REDUCE_COUNT] = {"arith.addf", "arith.maxnumf", "arith.minnumf", "arith.mulf"};
  static const char *const integers[CAKE_REDUCE_COUNT] = {"arith.addi", "arith.maxsi", "arith.minsi", "arith.muli",
                                                          "arith.andi", "arith.ori",   "arith.xori"};
  if (!cake_type_is_any_float(r->element)) return integers[r->kind];
  if (r->nan_wins && r->kind == CAKE_REDUCE_MAX) return "arith.maximumf";
  if (r->nan_wins && r->kind == CAKE_REDUCE_MIN) return "arith.minimumf";
  return floats[r->kind];
}

static CakeValue *combine(const Reduction *r, CakeValue *a, CakeValue *b) {
  return cake_build_binary(r->expand->rewriter, op_name(r), a, b);
}

// Pairwise; `values` is overwritten.
static CakeValue *combine_all(const Reduction *r, CakeValue **values, uint32_t count) {
  while (count > 1) {
    uint32_t half = count / 2;
    for (uint32_t i = 0; i < half; i++)
      values[i] = combine(r, values[2 * i], values[2 * i + 1]);
    if (count % 2) values[half] = values[count - 1];
    count = half + count % 2;
  }
  return values[0];
}

// One value a slot that is kept, from the elements of this lane.
static CakeValue **reduce_lane(const Reduction *r, CakeValue *const *elements, uint32_t n_kept) {
  const CakeLayout *layout = &r->layout;
  CakeArena *scratch = r->expand->scratch;
  CakeValue **kept = CAKE_ARENA_ARRAY(scratch, CakeValue *, n_kept),
            **line = CAKE_ARENA_ARRAY(scratch, CakeValue *, layout->count);
  for (uint32_t slot = 0; slot < n_kept; slot++) {
    uint32_t n = 0;
    for (uint32_t i = 0; i < layout->count; i++) {
      uint32_t row = cake_layout_row_slot(layout, i), col = cake_layout_col_slot(layout, i);
      bool is_here = r->along_rows && r->along_cols ? true : (r->along_cols ? row : col) == slot;
      if (is_here) line[n++] = elements[i];
    }
    kept[slot] = combine_all(r, line, n);
  }
  return kept;
}

// ---- Lanes -----------------------------------------------------------------------------------------------------------------

// Lane numbers in a warp that differ along an axis: bits from `*low` up to `*high`, exclusive.
static void lane_bits(const CakeLayout *layout, bool along_cols, int64_t *low, int64_t *high) {
  int64_t in_row = !cake_layout_is_vec(layout) ? 4 : layout->lanes < 32 ? layout->lanes : 32;
  *low = along_cols ? 1 : in_row;
  *high = along_cols ? in_row : 32;
  // Every lane has a part of its own of all rows, and of long rows each lane has all.
  if (cake_layout_is_vec(layout) && !along_cols && in_row == 32) *high = *low;
}

static CakeValue *reduce_lanes(const Reduction *r, CakeValue *value) {
  for (int axis = 0; axis < 2; axis++) {
    int64_t low, high;
    if (!(axis == 0 ? r->along_cols : r->along_rows)) continue;
    lane_bits(&r->layout, axis == 0, &low, &high);
    for (int64_t mask = low; mask < high; mask *= 2)
      value = combine(r, value, cake_fragments_shuffle(r->expand, value, mask));
  }
  return value;
}

// ---- Warps -----------------------------------------------------------------------------------------------------------------

static int64_t warps_along(const Reduction *r) {
  const CakeFragment *f = &r->layout.fragment;
  if (r->along_rows && r->along_cols) return r->role->warps;
  if (f->kind == CAKE_FORM_VEC) return cake_vec_is_role(f->base) == r->along_cols ? r->role->warps : 1;
  return r->along_cols ? f->warp_cols : f->warp_rows;
}

// The warp's number among those that share what is reduced.
static CakeValue *warp_along(const Reduction *r) {
  const CakeFragment *f = &r->layout.fragment;
  CakeRewriter *rewriter = r->expand->rewriter;
  CakeValue *warp = cake_fragments_warp(r->expand, r->role);
  if (f->kind == CAKE_FORM_VEC || (r->along_rows && r->along_cols)) return warp;
  CakeValue *cols = cake_lower_index(rewriter, f->warp_cols);
  return r->along_cols ? cake_lower_remui(rewriter, warp, cols) : cake_lower_divui(rewriter, warp, cols);
}

// Whether this lane writes for those that hold the same; NULL: all do.
static CakeValue *is_writer(const Reduction *r) {
  CakeRewriter *rewriter = r->expand->rewriter;
  CakeValue *lane = cake_fragments_lane(r->expand, r->role), *zero = cake_lower_index(rewriter, 0);
  int64_t low, high;
  if (r->along_rows && r->along_cols) return cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, lane, zero);
  lane_bits(&r->layout, r->along_cols, &low, &high);
  if (low >= high) return NULL;
  CakeValue *mine = high < 32 ? cake_lower_remui(rewriter, lane, cake_lower_index(rewriter, high)) : lane;
  if (low > 1) mine = cake_lower_divui(rewriter, mine, cake_lower_index(rewriter, low));
  return cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, mine, zero);
}

// The offset of a kept slot in elements of `warps`, from the lane's first: rows and columns lie apart as in the fragment.
static int64_t kept_at(const Reduction *r, uint32_t slot) {
  const CakeLayout *layout = &r->layout;
  if (r->along_rows && r->along_cols) return 0;
  for (uint32_t i = 0; i < layout->count; i++) {
    int64_t row, col;
    if ((r->along_cols ? cake_layout_row_slot(layout, i) : cake_layout_col_slot(layout, i)) != slot) continue;
    cake_layout_at(layout, i, &row, &col);
    return r->along_cols ? row : col;
  }
  return 0;
}

static CakeValue *first_kept(const Reduction *r) {
  if (r->along_rows && r->along_cols) return cake_lower_index(r->expand->rewriter, 0);
  return r->along_cols ? cake_fragments_row(r->expand, r->role, &r->layout)
                       : cake_fragments_col(r->expand, r->role, &r->layout);
}

static CakeValue *load_and_combine(const Reduction *r, CakeValue *ptr, int64_t warps) {
  CakeFragments *expand = r->expand;
  int64_t bytes = cake_fragments_bytes(r->element), width = 1;
  while (warps % (2 * width) == 0 && 2 * width * bytes <= 16)
    width *= 2;
  CakeType part = width == 1 ? r->element : cake_fragments_vector_type(r->element, width);
  CakeValue **values = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, (size_t)warps);
  for (int64_t i = 0; i < warps; i += width) {
    CakeValue *loaded =
        cake_fragments_load_from(expand, cake_fragments_ptr_add_const(expand, ptr, i * bytes), part, false);
    CakeValue **pieces = width == 1 ? &loaded : cake_fragments_unpack(expand, loaded, r->element, (uint32_t)width);
    for (int64_t j = 0; j < width; j++)
      values[i + j] = pieces[j];
  }
  return combine_all(r, values, (uint32_t)warps);
}

static bool reduce_warps(const Reduction *r, CakeValue **kept, uint32_t n_kept) {
  CakeFragments *expand = r->expand;
  CakeRewriter *rewriter = expand->rewriter;
  int64_t warps = warps_along(r), bytes = cake_fragments_bytes(r->element);
  if (warps == 1) return true;
  if (!r->through)
    return cake_error(r->op, CAKE_CODE_LOWER_UNSUPPORTED, "reduces over %lld warps without a buffer", (long long)warps);
  CakeValue *base = cake_fragments_get_value(expand, r->through), *writer = is_writer(r);
  CakeValue *line = cake_fragments_ptr_add(expand, base, cake_lower_mul_const(rewriter, first_kept(r), warps * bytes));
  CakeValue *mine = cake_fragments_ptr_add(expand, line, cake_lower_mul_const(rewriter, warp_along(r), bytes));
  CakeValue *cta_warp = r->role->cta_warp;
  if (!cake_lower_rendezvous(rewriter, r->op, cta_warp)) return false;
  CakeLowerPoint point = cake_fragments_guard_begin(expand, writer);
  for (uint32_t i = 0; i < n_kept; i++) {
    CakeValue *operands[] = {kept[i], cake_fragments_ptr_add_const(expand, mine, kept_at(r, i) * warps * bytes)};
    cake_rewriter_build(rewriter, &(CakeBuild){.name = "gpu.store", .operands = operands, .n_operands = 2});
  }
  cake_lower_restore(rewriter, point);
  if (!cake_lower_rendezvous(rewriter, r->op, cta_warp)) return false;
  for (uint32_t i = 0; i < n_kept; i++)
    kept[i] = load_and_combine(r, cake_fragments_ptr_add_const(expand, line, kept_at(r, i) * warps * bytes), warps);
  return true;
}

// ---- The ops ---------------------------------------------------------------------------------------------------------------

static bool set_result(const Reduction *r, CakeValue **kept, uint32_t n_kept, CakeValue *into) {
  CakeFragments *expand = r->expand;
  CakeValue *result = cake_op_result(r->op, 0);
  bool is_scalar = !cake_fragments_is_schedule_type(result->type);
  CakeLayout layout;
  if (into) {
    CakeValue *held = is_scalar ? into : cake_fragments_get_value(expand, into);
    CakeValue **old = is_scalar ? &held : cake_fragments_unpack(expand, held, r->element, n_kept);
    for (uint32_t i = 0; i < n_kept; i++)
      kept[i] = combine(r, old[i], kept[i]);
  }
  if (is_scalar) {
    cake_rewriter_replace_uses(expand->rewriter, result, kept[0]);
    return true;
  }
  if (!cake_layout_of(r->op, result->type, &layout)) return false;
  if (layout.count != n_kept)
    return cake_error(r->op, CAKE_CODE_LOWER_UNSUPPORTED, "has a result of another layout than what it reduces");
  cake_fragments_set_value(expand, result, cake_fragments_pack(expand, kept, n_kept, cake_layout_vector(&layout)));
  return true;
}

static bool start(Reduction *r, CakeFragments *expand, CakeOp *op, CakeType type) {
  r->expand = expand;
  r->op = op;
  r->role = cake_fragments_role(expand, op);
  if (!cake_layout_of(op, type, &r->layout)) return false;
  r->element = r->layout.fragment.element;
  return true;
}

bool cake_fragments_reduce(CakeFragments *expand, CakeOp *op) {
  Reduction r = {.through = cake_cake_reduce_through(op)};
  CakeAttr axis = cake_cake_reduce_axis(op), nan = cake_cake_reduce_nan(op);
  CakeValue *value = cake_cake_reduce_value(op);
  CakeFragment out;
  if (!start(&r, expand, op, value->type)) return false;
  if (!cake_reduce_find(cake_attr_string_value(cake_cake_reduce_kind(op)), &r.kind))
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "reduces by an unknown operation");
  r.nan_wins = nan && cake_str_is(cake_attr_string_value(nan), "first");
  r.along_cols = !axis || cake_attr_int_value(axis) == 1;
  r.along_rows = !axis || cake_attr_int_value(axis) == 0;
  uint32_t n_kept = r.along_rows && r.along_cols ? 1
                    : r.along_cols               ? cake_layout_row_slots(&r.layout)
                                                 : cake_layout_col_slots(&r.layout);
  CakeValue **elements =
      cake_fragments_unpack(expand, cake_fragments_get_value(expand, value), r.element, r.layout.count);
  CakeValue **kept = reduce_lane(&r, elements, n_kept);
  bool is_partial = cake_fragment_of(cake_op_result(op, 0)->type, &out) && out.part == CAKE_FORM_PARTIAL;
  for (uint32_t i = 0; i < n_kept && !is_partial; i++)
    kept[i] = reduce_lanes(&r, kept[i]);
  if (!is_partial && !reduce_warps(&r, kept, n_kept)) return false;
  return set_result(&r, kept, n_kept, cake_cake_reduce_into(op));
}

// The part's registers are those of a row; what is merged are the lanes of the whole fragment.
bool cake_fragments_merge(CakeFragments *expand, CakeOp *op) {
  Reduction r = {.through = cake_cake_merge_through(op), .along_cols = true};
  CakeValue *value = cake_cake_merge_value(op);
  CakeFragment part;
  if (!start(&r, expand, op, value->type) || !cake_fragment_of(value->type, &part)) return false;
  r.kind = part.reduce;
  uint32_t n_kept = r.layout.count;
  CakeValue **old = cake_fragments_unpack(expand, cake_fragments_get_value(expand, value), r.element, n_kept);
  CakeValue **kept = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, n_kept);
  for (uint32_t i = 0; i < n_kept; i++)
    kept[i] = reduce_lanes(&r, old[i]);
  return reduce_warps(&r, kept, n_kept) && set_result(&r, kept, n_kept, NULL);
}
