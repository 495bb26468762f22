// Rule ragged-access: a tile lies inside of its array, or `pad` or `clip` says what happens outside.
//
// They speak of the tile's own dimensions. In those in front of it the index must be inside: nothing asks there whether it is, unless the tensor
// map of a bulk tensor copy does.
#include "verifier/rules.h"

#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/slots.h"
#include "verifier/tiles.h"

static bool report(const CakeTile *tile, size_t dim) {
  CakeOp *op = tile->op;
  bool is_store = cake_is_cake_op(op, cake_op_cake_store);
  bool is_bulk = cake_is_cake_op(op, cake_op_cake_copy) && cake_via_of(cake_cake_copy_via(op)) == CAKE_VIA_BULK;
  CakeAttr extent = cake_tile_extent(tile, dim);
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_RAGGED_ACCESS,
                                       "in %s may leave %s ('%s') in dimension %zu: the tile has %s element(s) there",
                                       cake_where(op), cake_value_text(tile->array), cake_type_text(tile->global), dim,
                                       extent ? cake_body_text(extent) : "?");
  CakeOp *kernel = cake_op_kernel(op);
  if (kernel) cake_diag_note(op->context, d, kernel->loc, "its `guard` does not say enough to prove otherwise");
  cake_diag_fix(op->context, d,
                is_store  ? "write `clip`, or put a bound into the guard"
                : is_bulk ? "copy with tma or cp_async and `pad(0.0)`, or put a bound into the guard"
                          : "write `pad(0.0)`, or put a bound into the guard");
  return cake_diag_emit(op->context, d);
}

static bool report_index(const CakeTile *tile, size_t dim) {
  CakeOp *op = tile->op;
  CakeDiagnostic *d = cake_error_begin(
      op, CAKE_CODE_RAGGED_ACCESS,
      "in %s may leave %s ('%s') in dimension %zu, in front of the tile, where `%s` does not help", cake_where(op),
      cake_value_text(tile->array), cake_type_text(tile->global), dim, tile->pad ? "pad" : "clip");
  cake_diag_fix(op->context, d, "use an index of items whose axis is that dimension");
  return cake_diag_emit(op->context, d);
}

// Bulk tensor copies: the tensor map knows all dimensions.
static bool has_map(const CakeOp *op) {
  if (cake_is_cake_op(op, cake_op_cake_commit)) return true;
  return cake_is_cake_op(op, cake_op_cake_copy) && cake_via_of(cake_cake_copy_via(op)) == CAKE_VIA_TMA;
}

// Expressions with template parameters are judged as instances.
static bool is_template(const CakeTile *tile, size_t dim) {
  const CakeOp *kernel = cake_op_kernel(tile->op);
  if (!kernel || cake_expr_kind(cake_at_expr(tile->at, dim)) == CAKE_EXPR_OPERAND) return false;
  for (const CakeOp *op = cake_op_region(kernel, 0)->first->first; op; op = op->next)
    if (cake_is_cake_op(op, cake_op_cake_param)) return true;
  return false;
}

static bool is_of_tile(const CakeTile *tile, size_t dim) {
  for (size_t own = 0; own < cake_tile_rank(tile); own++)
    if (cake_tile_dim(tile, own) == dim) return true;
  return false;
}

static bool check_op(CakeOp *op) {
  CakeTile tile;
  if (!cake_tile_of(op, &tile) || !cake_op_role(op)) return true;
  size_t rank = cake_global_rank(tile.global);
  cake_context_site(op->context);
  if (tile.is_guarded && has_map(op)) return true;
  for (size_t dim = 0; !tile.is_guarded && dim < rank; dim++)
    if (!cake_tile_fits(&tile, dim)) return report(&tile, dim);
  for (size_t dim = 0; tile.is_guarded && dim < rank; dim++)
    if (!is_of_tile(&tile, dim) && !cake_tile_index_fits(&tile, dim) && !is_template(&tile, dim))
      return report_index(&tile, dim);
  return true;
}

bool cake_rule_ragged_access(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false))
    ok &= check_op(op);
  return ok;
}
