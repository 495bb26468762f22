// The axis along which a class of dimensions runs (see schedule_tile.h).
#include "passes/schedule_tile.h"

#include "analysis/affine.h"
#include "cake/symbol.h"
#include "cake/text.h"
#include "dialects/cake/ops/tiles.h"

// ---- Which axis ----------------------------------------------------------------------------------------------------

bool cake_tile_is_axis(const CakeTileClass *class, const CakeValue *value) {
  const CakeOp *loop = value->is_argument ? cake_block_parent(cake_arg_owner(value)) : NULL;
  bool is_step = loop && cake_is_cake_op(loop, cake_op_cake_steps);
  if (!loop || (!is_step && !cake_is_cake_op(loop, cake_op_cake_items))) return false;
  bool is_carried = value->index >= cake_arg_owner(value)->n_args - loop->n_operands;
  return !is_carried && is_step == class->is_step && cake_op_tiles(loop) == class->tiles && value->index == class->axis;
}

// Takes the axis of the first place, or compares that of a further one.
static bool take_axis(CakeTileClass *class, const CakeTilePlace *place, const CakeAtom *atom, int64_t factor) {
  CakeOp *tiles = (CakeOp *)(uintptr_t)atom->key; // the kernel's own
  bool is_step = atom->kind == CAKE_ATOM_STEP;
  uint32_t axis = is_step ? 0 : atom->index;
  if (!class->tiles) {
    class->tiles = tiles;
    class->axis = axis;
    class->is_step = is_step;
    class->size = factor;
  }
  if (class->tiles == tiles && class->axis == axis && class->is_step == is_step && class->size == factor) return true;
  return cake_schedule_missed(
      class->schedule, place->op,
      "its place in the array runs along another axis, or in other steps, than that of the rest");
}

static const CakeAtom *axis_atom(const CakeSum *sum, int64_t *out_factor) {
  const CakeAtom *found = NULL;
  for (size_t i = 0; i < sum->count; i++) {
    bool is_one = sum->atoms[i].kind == CAKE_ATOM_ITEM || sum->atoms[i].kind == CAKE_ATOM_STEP;
    if (is_one && found) return NULL;
    if (!is_one) continue;
    found = &sum->atoms[i];
    *out_factor = sum->factors[i];
  }
  return found;
}

static bool take_coordinate(CakeTileClass *class, const CakeTilePlace *place, CakeAttr expr) {
  CakeSumEnv env = {place->idx};
  CakeSum sum;
  int64_t factor = 0;
  const CakeAtom *atom = cake_sum_of(expr, &env, &sum) ? axis_atom(&sum, &factor) : NULL;
  if (!atom)
    return cake_schedule_missed(
        class->schedule, place->op,
        "its place in the array, %s, is no multiple of one axis' index: the tile cannot grow there",
        cake_body_text(expr));
  return take_axis(class, place, atom, factor);
}

// A predicate tells elements apart by `row` or `col`: only relative to the array, so that a larger tile keeps the same ones.
static bool take_predicate(CakeTileClass *class, const CakeTilePlace *place) {
  CakeSumEnv env = {place->idx};
  for (size_t i = 0; i < cake_pred_count(place->at); i++) {
    CakePredTerm term = cake_pred_term(place->at, i);
    CakeSum lhs, rhs, sum;
    int64_t coordinate = 0, along = 0;
    if (!cake_sum_of(term.lhs, &env, &lhs) || !cake_sum_of(term.rhs, &env, &rhs) || !cake_sum_add(&lhs, -1, &rhs, &sum))
      return cake_schedule_missed(class->schedule, place->op, "its condition %s cannot be taken apart",
                                  cake_body_text(place->at));
    const CakeAtom *atom = axis_atom(&sum, &along);
    for (size_t t = 0; t < sum.count; t++) {
      bool is_leaf = sum.atoms[t].kind == CAKE_ATOM_LEAF;
      if (is_leaf && sum.atoms[t].index == (place->dim ? CAKE_EXPR_COL : CAKE_EXPR_ROW)) coordinate = sum.factors[t];
    }
    if (!coordinate) continue;
    if (!atom || along % coordinate)
      return cake_schedule_missed(class->schedule, place->op, "its condition %s counts inside of the tile",
                                  cake_body_text(place->at));
    if (!take_axis(class, place, atom, along / coordinate)) return false;
  }
  return true;
}

static bool take_place(CakeTileClass *class, const CakeTilePlace *place) {
  if (place->at->def == &cake_attr_def_pred) return take_predicate(class, place);
  bool is_at = place->at->def == &cake_attr_def_at;
  return take_coordinate(class, place, is_at ? cake_at_expr(place->at, place->dim) : place->at);
}

// ---- Does anything else use it -------------------------------------------------------------------------------------

// How often the axis occurs in an expression, and how often as `axis * size`.
static void count_axis(const CakeTileClass *class, CakeAttr expr, CakeOperandRange idx, int *all, int *scaled) {
  if (cake_expr_kind(expr) == CAKE_EXPR_OPERAND) {
    *all += cake_tile_is_axis(class, idx.first[cake_expr_value(expr)].value);
    return;
  }
  if (cake_expr_kind(expr) < CAKE_EXPR_ADD) return;
  CakeAttr lhs = cake_expr_lhs(expr), rhs = cake_expr_rhs(expr);
  int64_t number;
  bool is_product = cake_expr_kind(expr) == CAKE_EXPR_MUL && cake_expr_kind(lhs) == CAKE_EXPR_OPERAND &&
                    cake_expr_is_const(rhs, &number) && number == class->size;
  *scaled += is_product && cake_tile_is_axis(class, idx.first[cake_expr_value(lhs)].value);
  count_axis(class, lhs, idx, all, scaled);
  count_axis(class, rhs, idx, all, scaled);
}

static void count_in(const CakeTileClass *class, const CakeTilePlace *place, int *all, int *scaled) {
  bool is_at = place->at->def == &cake_attr_def_at;
  if (place->at->def != &cake_attr_def_pred) {
    count_axis(class, is_at ? cake_at_expr(place->at, place->dim) : place->at, place->idx, all, scaled);
    return;
  }
  for (size_t i = 0; i < cake_pred_count(place->at); i++) {
    count_axis(class, cake_pred_term(place->at, i).lhs, place->idx, all, scaled);
    count_axis(class, cake_pred_term(place->at, i).rhs, place->idx, all, scaled);
  }
}

// A value is an operand once for each time that an expression names it, so uses and occurrences must be equally many.
static bool is_covered(CakeTileClass *class, const CakeUse *use) {
  int all = 0, scaled = 0, uses = 0;
  for (size_t i = 0; i < class->places.len; i++)
    if (class->places.data[i].op == use->owner) count_in(class, &class->places.data[i], &all, &scaled);
  for (uint32_t i = 0; i < use->owner->n_operands; i++)
    uses += cake_op_operand(use->owner, i) == use->value;
  if (all == uses && scaled == uses) return true;
  return cake_schedule_missed(class->schedule, use->owner,
                              "'%.*s' uses the index of the axis otherwise than as index * %lld of the tile's place",
                              CAKE_STR_ARG(cake_op_name(use->owner)), (long long)class->size);
}

static bool check_uses(CakeTileClass *class) {
  CakeOp *kernel = class->schedule->kernel;
  for (CakeOp *op = kernel; op; op = cake_op_walk_next(kernel, op, false)) {
    if (!cake_schedule_is_loop(op) || cake_schedule_body(op)->n_args <= class->axis) continue;
    CakeValue *arg = cake_schedule_body(op)->args[class->axis];
    for (const CakeUse *use = cake_tile_is_axis(class, arg) ? arg->first_use : NULL; use; use = use->next)
      if (!is_covered(class, use)) return false;
  }
  return true;
}

CakeAttr cake_tile_axes(const CakeTileClass *class) {
  return class->is_step ? cake_cake_tiles_steps(class->tiles) : cake_cake_tiles_axes(class->tiles);
}

static bool check_extent(CakeTileClass *class) {
  CakeAttr extent = cake_axes_extent(cake_tile_axes(class), class->axis);
  int64_t size;
  bool is_ceildiv = cake_expr_kind(extent) == CAKE_EXPR_CEILDIV && cake_expr_is_const(cake_expr_rhs(extent), &size);
  if (is_ceildiv && size == class->size) return true;
  return cake_schedule_missed(class->schedule, class->tiles, "axis '%s' has the extent %s, not ceildiv(…, %lld)",
                              cake_axes_name(cake_tile_axes(class), class->axis)->text, cake_body_text(extent),
                              (long long)class->size);
}

bool cake_tile_axis_find(CakeTileClass *class) {
  for (size_t i = 0; i < class->places.len; i++)
    if (!take_place(class, &class->places.data[i])) return false;
  if (!class->tiles)
    return cake_schedule_missed(class->schedule, class->schedule->kernel,
                                "nothing tells along which axis of the iterator a tile could grow");
  return check_extent(class) && check_uses(class);
}
