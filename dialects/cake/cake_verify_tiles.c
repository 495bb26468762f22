// Verification of iterators: axes, steps, schedule, and the names of an item.
#include "dialects/cake/cake_verify.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/tiles.h"

// ---- Names of an item ------------------------------------------------------------------------------------------------

static bool is_size_of_argument(const CakeOp *kernel, CakeId name) {
  const CakeBlock *body = cake_op_region(kernel, 0)->first;
  for (uint32_t i = 0; body && i < body->n_args; i++) {
    CakeType type = body->args[i]->type;
    for (size_t d = 0; cake_type_is(type, &cake_type_def_global) && d < cake_global_rank(type); d++) {
      CakeAttr dim = cake_global_dim(type, d);
      if (cake_expr_kind(dim) == CAKE_EXPR_NAME && cake_expr_name_of(dim) == name) return true;
    }
  }
  return false;
}

static bool verify_new_name(CakeOp *op, CakeAttr lets, size_t i) {
  const CakeOp *kernel = cake_op_kernel(op);
  CakeId name = cake_lets_name(lets, i);
  bool is_taken = cake_axes_find(cake_cake_tiles_axes(op), name) >= 0;
  for (size_t before = 0; before < i; before++)
    is_taken |= cake_lets_name(lets, before) == name;
  if (kernel) is_taken |= is_size_of_argument(kernel, name) || cake_symbol_lookup_name(op, name);
  return !is_taken ||
         cake_error(op, CAKE_CODE_IR_SYMBOL, "lets '%s' be something that has that name already", name->text);
}

// Names are computed in their order, once the axes that do not depend on them are known.
static bool verify_leaves(CakeOp *op, CakeAttr expr, CakeAttr lets, size_t n_before, const char *name) {
  CakeAttr axes = cake_cake_tiles_axes(op);
  if (cake_expr_kind(expr) >= CAKE_EXPR_ADD)
    return verify_leaves(op, cake_expr_lhs(expr), lets, n_before, name) &&
           verify_leaves(op, cake_expr_rhs(expr), lets, n_before, name);
  if (cake_expr_kind(expr) != CAKE_EXPR_NAME) return true;
  CakeId used = cake_expr_name_of(expr);
  int axis = cake_axes_find(axes, used);
  for (size_t i = n_before; i < cake_lets_count(lets); i++)
    if (cake_lets_name(lets, i) == used)
      return cake_error(op, CAKE_CODE_IR_SYMBOL, "'%s' uses '%s', which is not known before it", name, used->text);
  if (axis < 0 || !cake_tiles_uses_lets(op, cake_axes_extent(axes, (size_t)axis))) return true;
  return cake_error(op, CAKE_CODE_IR_SEMANTICS, "'%s' uses axis '%s', whose extent depends on names of the item", name,
                    used->text);
}

static bool verify_element_of(CakeOp *op, CakeAttr lets, size_t i) {
  CakeOperandRange arrays = cake_cake_tiles_arrays(op);
  int64_t number = cake_lets_array(lets, i);
  CakeId name = cake_lets_name(lets, i);
  if (number >= arrays.count)
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "'%s' is an element of d%lld, but there are %u array(s)", name->text,
                      (long long)number, arrays.count);
  CakeType array = arrays.first[number].value->type, element = cake_global_element(array);
  if (!cake_type_is(element, &cake_type_def_integer) || cake_type_width(element) > 64)
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "'%s' is an element of '%s'; it must be an integer", name->text,
                      cake_type_text(array));
  CakeAttr at = cake_lets_value(lets, i);
  return cake_at_count(at) == cake_global_rank(array) ||
         cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "'%s' has %zu coordinate(s), but the array has %zu dimension(s)",
                    name->text, cake_at_count(at), cake_global_rank(array));
}

static bool verify_let(CakeOp *op, CakeAttr lets, size_t i) {
  CakeAttr value = cake_lets_value(lets, i);
  const char *name = cake_lets_name(lets, i)->text;
  bool is_element = cake_lets_array(lets, i) >= 0;
  if (is_element != (value->def == &cake_attr_def_at))
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "'%s' is neither an element of an array nor an expression", name);
  if (!verify_new_name(op, lets, i) || !cake_verify_expr(op, name, value, 0) ||
      (is_element && !verify_element_of(op, lets, i)))
    return false;
  for (size_t d = 0; is_element && d < cake_at_count(value); d++)
    if (!verify_leaves(op, cake_at_expr(value, d), lets, i, name)) return false;
  return is_element || verify_leaves(op, value, lets, i, name);
}

static bool verify_lets(CakeOp *op) {
  CakeAttr lets = cake_cake_tiles_let(op);
  if (!lets && cake_cake_tiles_arrays(op).count)
    return cake_error(op, CAKE_CODE_IR_OPERANDS, "has arrays, but no `let`");
  for (size_t i = 0; i < cake_lets_count(lets); i++)
    if (!verify_let(op, lets, i)) return false;
  return !cake_cake_tiles_bound(op) || cake_verify_expr(op, "bound", cake_cake_tiles_bound(op), 0);
}

// ---- Axes ----------------------------------------------------------------------------------------------------------

static bool report_unbounded(CakeOp *op, CakeId axis) {
  CakeDiagnostic *d =
      cake_error_begin(op, CAKE_CODE_IR_SEMANTICS,
                       "axis '%s' has an extent that depends on the item, and no bound is known for it", axis->text);
  cake_diag_fix(op->context, d, "write `bound(name le SIZE)` for each name in it, which it must grow with");
  return cake_diag_emit(op->context, d);
}

static bool verify_axis(CakeOp *op, size_t i) {
  CakeAttr axes = cake_cake_tiles_axes(op), extent = cake_axes_extent(axes, i);
  if (!cake_verify_number(op, "axes", extent, 0, INT32_MAX, CAKE_CODE_IR_SEMANTICS)) return false;
  if (cake_tiles_uses_axes(op, extent))
    return cake_error(op, CAKE_CODE_IR_SEMANTICS,
                      "axis '%s' has an extent that names an axis; only `steps` and `let` may",
                      cake_axes_name(axes, i)->text);
  return cake_tiles_extent(op, i) || report_unbounded(op, cake_axes_name(axes, i));
}

static bool verify_schedule(CakeOp *op) {
  CakeAttr schedule = cake_cake_tiles_schedule(op);
  CakeId axis = cake_schedule_axis(schedule);
  if (axis && cake_axes_find(cake_cake_tiles_axes(op), axis) < 0)
    return cake_error(op, CAKE_CODE_IR_SYMBOL, "groups axis '%s', which it does not have", axis->text);
  if (!cake_verify_number(op, "group", cake_schedule_group(schedule), 1, INT32_MAX, CAKE_CODE_IR_SEMANTICS))
    return false;
  if (!cake_schedule_is_longest_first(schedule)) return true;
  int steps = cake_tiles_steps_axis(op);
  if (steps < 0)
    return cake_error(op, CAKE_CODE_IR_SEMANTICS,
                      "is `longest_first`, but the number of steps does not name exactly one axis");
  return !axis || steps > cake_axes_find(cake_cake_tiles_axes(op), axis) ||
         cake_error(op, CAKE_CODE_IR_SEMANTICS,
                    "is `longest_first` in bands of axis '%s'; the axis that the number of steps depends on must stand "
                    "behind it",
                    axis->text);
}

bool cake_tiles_verify(CakeOp *op) {
  CakeAttr axes = cake_cake_tiles_axes(op), steps = cake_cake_tiles_steps(op);
  if (cake_axes_count(axes) == 0) return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has no axis");
  if (cake_axes_count(axes) > 3) return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has more than 3 axes");
  if (steps && cake_axes_count(steps) != 1)
    return cake_error(op, CAKE_CODE_IR_ATTRIBUTES, "has %zu inner axes; `steps` names one", cake_axes_count(steps));
  if (!verify_lets(op)) return false;
  for (size_t i = 0; i < cake_axes_count(axes); i++)
    if (!verify_axis(op, i)) return false;
  return (!steps ||
          cake_verify_number(op, "steps", cake_axes_extent(steps, 0), 0, INT32_MAX, CAKE_CODE_IR_SEMANTICS)) &&
         verify_schedule(op);
}
