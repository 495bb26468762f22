// Rule output-overlap: no two items, replicas or CTAs of a cluster write the same elements of an array, unless they add to them.
//
// An axis of the items that no index of a store depends on, with more than one value, is a tile that is written again and again in no order; so is a replica
// or CTA that writes without regard to its number. An index is followed through the ops that compute it; where it may come from an array, a loop that
// carries it or a name of the item, and where the store stands under a condition, nothing is said. Elements that are added to are not written otherwise.
#include "verifier/rules.h"

#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"
#include "verifier/tiles.h"

#include <stdio.h>

static bool is_write(const CakeOp *op) {
  return cake_is_cake_op(op, cake_op_cake_store) || cake_is_cake_op(op, cake_op_cake_commit);
}

static bool is_addition(const CakeOp *op) {
  return cake_is_cake_op(op, cake_op_cake_commit) && cake_cake_commit_reduce(op);
}

// ---- What a place depends on -----------------------------------------------------------------------------------------

// An index of the items, or a number that `instance` or `rank` stand for.
typedef struct Source {
  const CakeValue *index; // NULL: the leaf
  CakeExprKind leaf;
} Source;

static bool mentions(CakeAttr expr, CakeExprKind kind) {
  if (cake_expr_kind(expr) < CAKE_EXPR_ADD) return cake_expr_kind(expr) == kind;
  return mentions(cake_expr_lhs(expr), kind) || mentions(cake_expr_rhs(expr), kind);
}

enum { MAX_OPERANDS = 64 };

typedef CAKE_VEC(CakeValue *) Values;

static void push_all(Values *values, CakeOperandRange range) {
  for (uint32_t i = 0; i < range.count; i++)
    CAKE_PUSH(values, range.first[i].value);
}

// Indices of items and of loops that only count; of the latter the bounds are visited.
static bool visit_argument(const CakeValue *value) {
  const CakeOp *loop = cake_block_parent(cake_arg_owner(value));
  if (cake_is_cake_op(loop, cake_op_cake_items))
    return value->index < cake_axes_count(cake_cake_tiles_axes(cake_op_tiles(loop)));
  return value->index == 0 && (cake_is_cake_op(loop, cake_op_cake_steps) || cake_is_cake_op(loop, cake_op_cake_unroll));
}

// Whether one of the values may depend on the source; what is not known may.
static bool may_depend(Values *values, Source source) {
  for (size_t i = 0; i < values->len; i++) {
    CakeValue *value = values->data[i];
    CakeOp *op = cake_value_def(value);
    if (value == source.index || i == MAX_OPERANDS) return true;
    if (!op && !visit_argument(value)) return true;
    if (!op) continue;
    if (!cake_op_has_trait(op, CAKE_TRAIT_PURE) || op->n_regions) return true;
    if (cake_is_cake_op(op, cake_op_cake_index) && !source.index && mentions(cake_cake_index_expr(op), source.leaf))
      return true;
    for (uint32_t k = 0; k < op->n_operands; k++)
      CAKE_PUSH(values, cake_op_operand(op, k));
  }
  return false;
}

static bool place_may_depend(const CakeTile *tile, Source source) {
  Values values = {0};
  bool result = false;
  for (size_t i = 0; !source.index && i < cake_at_count(tile->at); i++)
    result |= mentions(cake_at_expr(tile->at, i), source.leaf);
  push_all(&values, tile->at_idx);
  result = result || may_depend(&values, source);
  CAKE_VEC_FINI(&values);
  return result;
}

// ---- Stores --------------------------------------------------------------------------------------------------------------

// The items around a store that is executed in each of them alike; NULL: none, or it stands under a condition.
static CakeOp *items_around(const CakeOp *op) {
  for (CakeOp *at = cake_op_parent(op); at; at = cake_op_parent(at)) {
    if (cake_is_cake_op(at, cake_op_cake_items)) return at;
    if (!cake_is_cake_op(at, cake_op_cake_steps) && !cake_is_cake_op(at, cake_op_cake_unroll)) return NULL;
  }
  return NULL;
}

static bool report(const CakeTile *tile, CakeLoc loc, const char *what) {
  CakeOp *op = tile->op;
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_OUTPUT_OVERLAP,
                                       "in %s writes the same elements of %s again for each %s, in no order",
                                       cake_where(op), cake_value_text(tile->array), what);
  cake_diag_note(op->context, d, loc, "of which there are several");
  cake_diag_fix(op->context, d,
                cake_is_cake_op(op, cake_op_cake_commit) ? "let the place depend on it, or write `reduce add`"
                                                         : "let the place depend on it");
  return cake_diag_emit(op->context, d);
}

// Several values: not known to be one.
static bool is_one(CakeAttr extent) {
  int64_t count;
  return cake_expr_is_const(extent, &count) && count <= 1;
}

static bool check_axes(const CakeTile *tile, CakeOp *items) {
  CakeOp *tiles = cake_op_tiles(items);
  CakeAttr axes = cake_cake_tiles_axes(tiles);
  for (size_t i = 0; i < cake_axes_count(axes); i++) {
    CakeValue *index = cake_op_region(items, 0)->first->args[i];
    char what[96];
    if (is_one(cake_axes_extent(axes, i)) || place_may_depend(tile, (Source){.index = index})) continue;
    snprintf(what, sizeof what, "%.64s of the items", cake_axes_name(axes, i)->text);
    return report(tile, tiles->loc, what);
  }
  return true;
}

static bool check_replicas(const CakeTile *tile) {
  CakeOp *role = cake_op_role(tile->op);
  CakeRoleShape shape;
  if (role && cake_role_shape(role, &shape) && shape.replicas > 1 &&
      !place_may_depend(tile, (Source){.leaf = CAKE_EXPR_INSTANCE}))
    return report(tile, role->loc, "replica of the role");
  if (cake_op_cluster(tile->op) > 1 && !place_may_depend(tile, (Source){.leaf = CAKE_EXPR_RANK}))
    return report(tile, cake_op_kernel(tile->op)->loc, "CTA of the cluster");
  return true;
}

static bool check_write(CakeOp *op) {
  CakeTile tile;
  if (!is_write(op) || is_addition(op) || !cake_tile_of(op, &tile)) return true;
  CakeOp *items = items_around(op), *tiles = items ? cake_op_tiles(items) : NULL;
  bool is_kept = cake_is_cake_op(op, cake_op_cake_store) && cake_cake_store_keep(op);
  if (!tiles || cake_cake_tiles_let(tiles) || is_kept) return true;
  cake_context_site(op->context);
  return check_axes(&tile, items) && check_replicas(&tile);
}

// ---- Additions -----------------------------------------------------------------------------------------------------------

static bool check_addition(CakeOp *kernel, CakeOp *op) {
  CakeTile tile, other;
  if (!is_addition(op) || !cake_tile_of(op, &tile)) return true;
  cake_context_site(op->context);
  for (CakeOp *at = kernel; at; at = cake_op_walk_next(kernel, at, false)) {
    if (!is_write(at) || is_addition(at) || !cake_tile_of(at, &other) || other.array != tile.array) continue;
    CakeDiagnostic *d =
        cake_error_begin(op, CAKE_CODE_OUTPUT_OVERLAP, "in %s adds to %s, which the kernel writes as well, in no order",
                         cake_where(op), cake_value_text(tile.array));
    cake_diag_note(op->context, d, at->loc, "it is written here");
    cake_diag_fix(op->context, d, "add everywhere, and let the launch give the array its first values");
    return cake_diag_emit(op->context, d);
  }
  return true;
}

bool cake_rule_output_overlap(CakeOp *module) {
  bool ok = true;
  for (CakeOp *kernel = NULL; (kernel = cake_next_cake_op(module, kernel, cake_op_cake_kernel));)
    for (CakeOp *op = kernel; op; op = cake_op_walk_next(kernel, op, false))
      ok &= check_write(op) && check_addition(kernel, op);
  return ok;
}
