// Rule output-coverage: every element of an array that a kernel writes is written by some tile.
//
// Along each dimension the stores of an array begin at constant + Σ factor · index, and have a length. Indices with a known number
// of values (replicas, unrolled and constant loops) are enumerated; an index of items then has to step no further than
// what is covered contiguously, and to reach the end. What is not a sum of such terms is not judged, so nothing is
// refused that covers its array. A store with the attribute `cake.partial` says that the rest of the array is not its business.
#include "verifier/rules.h"

#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"
#include "verifier/tiles.h"

#include <stdio.h>

enum { MAX_STORES = 64, MAX_STARTS = 4096 };

typedef struct Range {
  int64_t begin, end;
} Range;

typedef struct Cover {
  CAKE_VEC(Range) ranges;
  int64_t factor;
  CakeAttr extent;
  bool is_known;
} Cover;

// ---- Indices ---------------------------------------------------------------------------------------------------------

static bool constant_of(const CakeValue *value, int64_t *out) {
  const CakeOp *op = cake_value_def(value);
  CakeAttr attr = op && cake_op_has_trait(op, CAKE_TRAIT_CONSTANT) ? cake_op_attr_text(op, "value") : NULL;
  if (!cake_attr_is(attr, &cake_attr_def_integer)) return false;
  *out = cake_attr_int_value(attr);
  return true;
}

// First, step and number of the values of a loop's index.
static bool loop_values(const CakeValue *value, int64_t *out_first, int64_t *out_step, int64_t *out_count) {
  CakeOp *loop = value->is_argument && value->index == 0 ? cake_block_parent(cake_arg_owner(value)) : NULL;
  int64_t end;
  *out_step = 1;
  if (loop && cake_is_cake_op(loop, cake_op_cake_unroll)) {
    if (!cake_expr_is_const(cake_cake_unroll_lower(loop), out_first) ||
        !cake_expr_is_const(cake_cake_unroll_upper(loop), &end))
      return false;
  } else if (!loop || !cake_op_is(loop, "scf.for") || !constant_of(cake_op_operand(loop, 0), out_first) ||
             !constant_of(cake_op_operand(loop, 1), &end) || !constant_of(cake_op_operand(loop, 2), out_step)) {
    return false;
  }
  if (*out_step <= 0 || *out_first < 0 || end > INT32_MAX) return false;
  *out_count = end > *out_first ? (end - *out_first - 1) / *out_step + 1 : 0;
  return true;
}

// Values of an atom that is not an index of items.
static bool atom_values(const CakeOp *op, CakeAtom atom, int64_t *out_first, int64_t *out_step, int64_t *out_count) {
  const CakeOp *role = cake_op_role(op);
  CakeRoleShape shape;
  if (atom.kind == CAKE_ATOM_VALUE) return loop_values(atom.key, out_first, out_step, out_count);
  if (atom.kind != CAKE_ATOM_LEAF) return false;
  bool is_instance = atom.index == CAKE_EXPR_INSTANCE && role && cake_role_shape(role, &shape);
  if (!is_instance && atom.index != CAKE_EXPR_RANK) return false;
  *out_first = 0;
  *out_step = 1;
  *out_count = is_instance ? shape.replicas : cake_op_cluster(op);
  return *out_count > 0;
}

static CakeAttr item_extent(CakeAtom atom) {
  const CakeOp *tiles = atom.key;
  if (atom.kind == CAKE_ATOM_ITEM) return cake_axes_extent(cake_cake_tiles_axes(tiles), atom.index);
  return cake_cake_tiles_steps(tiles) ? cake_axes_extent(cake_cake_tiles_steps(tiles), 0) : NULL;
}

// ---- What one store covers ---------------------------------------------------------------------------------------------

// Each range `count` times, `step` apart.
static bool repeat(Cover *cover, size_t first, int64_t start, int64_t step, int64_t count) {
  size_t before = cover->ranges.len;
  if (count < 0 || count > MAX_STARTS || (before - first) * (size_t)count > MAX_STARTS) return false;
  for (size_t i = first; i < before; i++) {
    Range range = cover->ranges.data[i];
    for (int64_t k = 0; k < count; k++) {
      Range moved = {range.begin + start + k * step, range.end + start + k * step};
      if (k == 0)
        cover->ranges.data[i] = moved;
      else
        CAKE_PUSH(&cover->ranges, moved);
    }
  }
  return count > 0;
}

static bool add_index_of_items(Cover *cover, CakeAtom atom, int64_t factor, bool is_first_store) {
  CakeAttr extent = item_extent(atom);
  bool is_same = cover->factor == factor && cover->extent == extent;
  if (!extent || (!is_same && (cover->factor || !is_first_store))) return false;
  cover->factor = factor;
  cover->extent = extent;
  return true;
}

static bool add_store(Cover *cover, const CakeTile *tile, size_t dim, bool is_first_store) {
  CakeAttr extent = cake_tile_extent(tile, dim);
  CakeSumEnv env = {tile->at_idx};
  CakeSum sum;
  int64_t length;
  bool has_items = false;
  if (!extent || !cake_expr_is_const(extent, &length) || !cake_sum_of(cake_at_expr(tile->at, dim), &env, &sum))
    return false;
  size_t first = cover->ranges.len;
  CAKE_PUSH(&cover->ranges, ((Range){sum.constant, sum.constant + length}));
  for (size_t i = 0; i < sum.count; i++) {
    int64_t start, step, count;
    CakeAtom atom = sum.atoms[i];
    if (sum.factors[i] < 0) return false;
    if (atom.kind == CAKE_ATOM_ITEM || atom.kind == CAKE_ATOM_STEP) {
      if (has_items || !add_index_of_items(cover, atom, sum.factors[i], is_first_store)) return false;
      has_items = true;
    } else if (!atom_values(tile->op, atom, &start, &step, &count) ||
               !repeat(cover, first, start * sum.factors[i], step * sum.factors[i], count)) {
      return false;
    }
  }
  return has_items || cover->factor == 0;
}

// ---- Gaps ------------------------------------------------------------------------------------------------------------

static bool covers(const Cover *cover, int64_t at, int64_t *out_end) {
  *out_end = at;
  for (size_t i = 0; i < cover->ranges.len; i++)
    if (cover->ranges.data[i].begin <= at && cover->ranges.data[i].end > *out_end) *out_end = cover->ranges.data[i].end;
  return *out_end > at;
}

// The first element that is not covered by the tiles of item 0.
static int64_t first_gap(const Cover *cover) {
  int64_t at = 0, end;
  while (covers(cover, at, &end))
    at = end;
  return at;
}

static int64_t span(const Cover *cover) {
  int64_t end = 0;
  for (size_t i = 0; i < cover->ranges.len; i++)
    if (cover->ranges.data[i].end > end) end = cover->ranges.data[i].end;
  return end;
}

// Whether items at multiples of `factor`, of which there are `extent`, reach the end of a dimension whose first item is
// covered without a gap.
static bool may_reach(const CakeOp *op, const Cover *cover, CakeAttr size) {
  CakeExprKind kind = cake_expr_kind(cover->extent);
  int64_t divisor, count, whole;
  if (cake_expr_is_const(cover->extent, &count) && cake_expr_is_const(size, &whole))
    return cover->factor * (count - 1) + span(cover) >= whole;
  bool is_quotient = kind == CAKE_EXPR_CEILDIV || kind == CAKE_EXPR_FLOORDIV;
  if (!is_quotient) return cover->extent != size || cover->factor >= 1;
  if (cake_expr_lhs(cover->extent) != size || !cake_expr_is_const(cake_expr_rhs(cover->extent), &divisor)) return true;
  if (cover->factor < divisor) return false;
  int64_t known = cake_expr_divisor(op, size);
  return kind == CAKE_EXPR_CEILDIV || known == 0 || known % divisor == 0 || cover->factor > divisor;
}

// Whether elements of a dimension are certainly written by no tile; the first of them, in the first item that lacks one.
static bool find_gap(const CakeOp *op, const Cover *cover, CakeAttr size, int64_t *out_at) {
  int64_t gap = first_gap(cover), whole = INT64_MAX;
  bool is_number = cake_expr_is_const(size, &whole);
  *out_at = gap;
  if (is_number && gap >= whole) return false;
  if (cover->factor == 0) return is_number; // a size that is not known may be small
  if (gap < span(cover)) return cover->factor >= span(cover);
  if (gap < cover->factor) return true;
  return !may_reach(op, cover, size);
}

// ---- Arrays ----------------------------------------------------------------------------------------------------------

typedef CAKE_VEC(CakeTile) Tiles;

static const char *which_text(const Tiles *tiles, const Cover *cover, int64_t gap) {
  char text[80];
  if (cover->factor && gap >= cover->factor) return "the last ones, which no item reaches";
  snprintf(text, sizeof text, "%sthose from %lld", cover->factor ? "of each item's " : "", (long long)gap);
  return cake_id_text(tiles->data[0].op->context, text)->text;
}

static bool report(const Tiles *tiles, size_t dim, const Cover *cover, int64_t gap) {
  const CakeTile *tile = &tiles->data[0];
  CakeOp *op = tile->op;
  CakeDiagnostic *d = cake_error_begin(
      op, CAKE_CODE_OUTPUT_UNCOVERED, "in %s leaves elements of %s unwritten that no tile covers: in dimension %zu, %s",
      cake_where(op), cake_value_text(tile->array), dim, which_text(tiles, cover, gap));
  if (cover->factor)
    cake_diag_note(op->context, d, cake_op_kernel(op)->loc,
                   "items are %lld elements apart there, and each writes %lld in a row", (long long)cover->factor,
                   (long long)gap);
  for (size_t i = 1; i < tiles->len && i < 4; i++)
    cake_diag_note(op->context, d, tiles->data[i].op->loc, "it is written here as well");
  cake_diag_fix(
      op->context, d,
      "let tiles, replicas and items cover the array, or mark the op `{cake.partial}` if the rest is not its business");
  return cake_diag_emit(op->context, d);
}

static bool check_dim(const Tiles *tiles, size_t dim) {
  Cover cover = {.is_known = true};
  int64_t gap;
  bool ok = true;
  for (size_t i = 0; i < tiles->len && cover.is_known; i++)
    cover.is_known = add_store(&cover, &tiles->data[i], dim, i == 0);
  if (cover.is_known) cake_context_site(tiles->data[0].op->context);
  if (cover.is_known && find_gap(tiles->data[0].op, &cover, cake_global_dim(tiles->data[0].global, dim), &gap))
    ok = report(tiles, dim, &cover, gap);
  CAKE_VEC_FINI(&cover.ranges);
  return ok;
}

static bool is_store(const CakeOp *op) {
  return cake_is_cake_op(op, cake_op_cake_store) || cake_is_cake_op(op, cake_op_cake_commit);
}

// All stores to an array in a kernel; false: some of them are not judged.
static bool collect(CakeOp *kernel, const CakeValue *array, Tiles *out) {
  for (CakeOp *op = kernel; op; op = cake_op_walk_next(kernel, op, false)) {
    CakeTile tile;
    if (!is_store(op) || !cake_tile_of(op, &tile) || tile.array != array) continue;
    if (out->len == MAX_STORES || (op->attrs && cake_attr_lookup_text(op->attrs, "cake.partial"))) return false;
    CAKE_PUSH(out, tile);
  }
  return out->len > 0;
}

static bool check_kernel(CakeOp *kernel) {
  CakeBlock *block = cake_region_entry(cake_op_region(kernel, 0));
  bool ok = true;
  for (uint32_t i = 0; block && i < block->n_args; i++) {
    Tiles tiles = {0};
    if (cake_type_is(block->args[i]->type, &cake_type_def_global) && collect(kernel, block->args[i], &tiles))
      for (size_t dim = 0; ok && dim < cake_global_rank(block->args[i]->type); dim++)
        ok = check_dim(&tiles, dim);
    CAKE_VEC_FINI(&tiles);
  }
  return ok;
}

bool cake_rule_output_coverage(CakeOp *module) {
  bool ok = true;
  for (CakeOp *kernel = NULL; (kernel = cake_next_cake_op(module, kernel, cake_op_cake_kernel));)
    ok &= check_kernel(kernel);
  return ok;
}
