// What an iterator's names of an item bring with them: which expressions depend on the item, and bounds of such extents.
#include "dialects/cake/cake_private.h"
#include "dialects/cake/ops/tiles.h"

typedef bool (*HasName)(const CakeOp *tiles, CakeId name);

static bool uses(const CakeOp *tiles, CakeAttr expr, HasName has_name) {
  CakeExprKind kind = cake_expr_kind(expr);
  if (kind < CAKE_EXPR_ADD) return kind == CAKE_EXPR_NAME && has_name(tiles, cake_expr_name_of(expr));
  return uses(tiles, cake_expr_lhs(expr), has_name) || uses(tiles, cake_expr_rhs(expr), has_name);
}

static bool is_let(const CakeOp *tiles, CakeId name) {
  return cake_lets_have(cake_cake_tiles_let(tiles), name);
}

static bool is_axis(const CakeOp *tiles, CakeId name) {
  return cake_axes_find(cake_cake_tiles_axes(tiles), name) >= 0;
}

bool cake_tiles_uses_lets(const CakeOp *tiles, CakeAttr expr) {
  return uses(tiles, expr, is_let);
}

bool cake_tiles_uses_axes(const CakeOp *tiles, CakeAttr expr) {
  return uses(tiles, expr, is_axis);
}

// ---- Bounds --------------------------------------------------------------------------------------------------------

// `bound(name le expr)` of sizes alone; NULL: there is none.
static CakeAttr bound_of(const CakeOp *tiles, CakeId name) {
  CakeAttr bound = cake_cake_tiles_bound(tiles);
  for (size_t i = 0; i < cake_pred_count(bound); i++) {
    CakePredTerm term = cake_pred_term(bound, i);
    bool is_name = cake_expr_kind(term.lhs) == CAKE_EXPR_NAME && cake_expr_name_of(term.lhs) == name;
    if (is_name && term.compare == CAKE_COMPARE_LE && !cake_tiles_uses_lets(tiles, term.rhs) &&
        !cake_tiles_uses_axes(tiles, term.rhs))
      return term.rhs;
  }
  return NULL;
}

// The expression with bounds in place of names, where it grows with them; NULL otherwise.
static CakeAttr bounded(const CakeOp *tiles, CakeAttr expr) {
  CakeExprKind kind = cake_expr_kind(expr);
  int64_t factor = 0;
  if (!cake_tiles_uses_lets(tiles, expr)) return expr;
  if (kind < CAKE_EXPR_ADD) return bound_of(tiles, cake_expr_name_of(expr));
  CakeAttr lhs = cake_expr_lhs(expr), rhs = cake_expr_rhs(expr);
  bool is_scaled = cake_expr_is_const(rhs, &factor) && factor > 0;
  bool is_rising = kind == CAKE_EXPR_ADD || kind == CAKE_EXPR_MIN || kind == CAKE_EXPR_MAX ||
                   (kind == CAKE_EXPR_SUB && !cake_tiles_uses_lets(tiles, rhs)) ||
                   (is_scaled && (kind == CAKE_EXPR_MUL || kind == CAKE_EXPR_CEILDIV || kind == CAKE_EXPR_FLOORDIV));
  if (!is_rising || !(lhs = bounded(tiles, lhs)) || !(rhs = bounded(tiles, rhs))) return NULL;
  return cake_expr_binary(expr->context, kind, lhs, rhs);
}

CakeAttr cake_tiles_extent(const CakeOp *tiles, size_t axis) {
  return bounded(tiles, cake_axes_extent(cake_cake_tiles_axes(tiles), axis));
}

static bool has_axis(CakeAttr expr, CakeId name) {
  CakeExprKind kind = cake_expr_kind(expr);
  if (kind < CAKE_EXPR_ADD) return kind == CAKE_EXPR_NAME && cake_expr_name_of(expr) == name;
  return has_axis(cake_expr_lhs(expr), name) || has_axis(cake_expr_rhs(expr), name);
}

int cake_tiles_steps_axis(const CakeOp *tiles) {
  CakeAttr axes = cake_cake_tiles_axes(tiles), steps = cake_cake_tiles_steps(tiles);
  int found = -1, count = 0;
  for (size_t i = 0; steps && i < cake_axes_count(axes); i++) {
    if (!has_axis(cake_axes_extent(steps, 0), cake_axes_name(axes, i))) continue;
    found = (int)i;
    count++;
  }
  return count == 1 ? found : -1;
}
