// What changes when the tiles of a class grow: coordinates, offsets into views, the iterator's extent (see schedule_tile.h).
#include "passes/schedule_tile.h"

#include "cake/text.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/views.h"

// ---- Expressions ----------------------------------------------------------------------------------------------------

typedef struct Scaler {
  const CakeTileClass *class;
  const CakeTileScale *scale;
  CakeOperandRange idx;
  bool is_in_role;
} Scaler;

static CakeAttr scale_axis(const Scaler *s, CakeAttr operand) {
  CakeContext *context = operand->context;
  CakeAttr size = cake_expr_const(context, s->scale->new_size);
  CakeAttr place = cake_expr_binary(context, CAKE_EXPR_MUL, operand, size);
  if (!s->is_in_role || !s->scale->instance_size) return place;
  CakeAttr instance = cake_expr_leaf(context, CAKE_EXPR_INSTANCE);
  CakeAttr own = cake_expr_binary(context, CAKE_EXPR_MUL, instance, cake_expr_const(context, s->scale->instance_size));
  return cake_expr_binary(context, CAKE_EXPR_ADD, place, own);
}

static CakeAttr scale_instance(const Scaler *s, int64_t stride) {
  int64_t factor = s->is_in_role && s->scale->instance_factor ? s->scale->instance_factor : 1;
  CakeContext *context = s->class->schedule->pass->context;
  return cake_expr_binary(context, CAKE_EXPR_MUL, cake_expr_leaf(context, CAKE_EXPR_INSTANCE),
                          cake_expr_const(context, stride * factor));
}

static CakeAttr scale_expr(const Scaler *s, CakeAttr expr) {
  CakeExprKind kind = cake_expr_kind(expr);
  if (kind == CAKE_EXPR_INSTANCE) return scale_instance(s, 1);
  if (kind < CAKE_EXPR_ADD) return expr;
  CakeAttr lhs = cake_expr_lhs(expr), rhs = cake_expr_rhs(expr);
  int64_t number;
  if (kind == CAKE_EXPR_MUL && cake_expr_is_const(rhs, &number)) {
    if (cake_expr_kind(lhs) == CAKE_EXPR_INSTANCE) return scale_instance(s, number);
    bool is_operand = cake_expr_kind(lhs) == CAKE_EXPR_OPERAND;
    if (is_operand && cake_tile_is_axis(s->class, s->idx.first[cake_expr_value(lhs)].value)) return scale_axis(s, lhs);
  }
  return cake_expr_binary(expr->context, kind, scale_expr(s, lhs), scale_expr(s, rhs));
}

static CakeAttr scale_pred(const Scaler *s, CakeAttr pred) {
  size_t count = cake_pred_count(pred);
  CakePredTerm *terms = CAKE_ARENA_ARRAY(s->class->schedule->pass->scratch, CakePredTerm, count + 1);
  for (size_t i = 0; i < count; i++) {
    terms[i] = cake_pred_term(pred, i);
    terms[i].lhs = scale_expr(s, terms[i].lhs);
    terms[i].rhs = scale_expr(s, terms[i].rhs);
  }
  return cake_pred_get(pred->context, terms, count);
}

static CakeAttr scale_attr(const Scaler *s, CakeAttr attr, unsigned dim) {
  if (attr->def == &cake_attr_def_pred) return scale_pred(s, attr);
  if (attr->def != &cake_attr_def_at) return scale_expr(s, attr);
  CakeAttr *exprs = CAKE_ARENA_ARRAY(s->class->schedule->pass->scratch, CakeAttr, cake_at_count(attr) + 1);
  for (size_t i = 0; i < cake_at_count(attr); i++)
    exprs[i] = i == dim ? scale_expr(s, cake_at_expr(attr, i)) : cake_at_expr(attr, i);
  return cake_at_get(attr->context, exprs, cake_at_count(attr));
}

void cake_tile_scale_places(CakeTileClass *class, const CakeTileScale *scale) {
  for (size_t i = 0; i < class->places.len; i++) {
    const CakeTilePlace *place = &class->places.data[i];
    Scaler s = {class, scale, place->idx, scale->role && cake_op_role(place->op) == scale->role};
    CakeAttr attr = cake_op_attr_text(place->op, place->name);
    cake_rewriter_set_attr_text(&class->schedule->rewriter, place->op, place->name, scale_attr(&s, attr, place->dim));
  }
}

// ---- Offsets into views --------------------------------------------------------------------------------------------

// Which attribute cuts a view that an op reads; NULL: none does.
static const char *offset_of(const CakeUse *use) {
  CakeOp *op = use->owner;
  if (cake_is_cake_op(op, cake_op_cake_get)) return "off";
  if (!cake_is_cake_op(op, cake_op_cake_mma)) return NULL;
  return cake_cake_mma_a(op) == use->value ? "a_off" : "b_off";
}

// Where the use begins in its view: what the op says, or the first element.
static CakeAttr read_start(const CakeUse *use, const char *name) {
  CakeAttr off = cake_op_attr_text(use->owner, name), exprs[2];
  size_t rank = cake_shared_rank(use->value->type);
  for (size_t i = 0; !off && i < rank && i < 2; i++)
    exprs[i] = cake_expr_const(use->owner->context, 0);
  return off ? off : cake_at_get(use->owner->context, exprs, rank);
}

bool cake_tile_offset_read(CakeSchedule *schedule, CakeUse *use, unsigned dim, CakeAttr extra) {
  const char *name = offset_of(use);
  if (!name)
    return cake_schedule_missed(schedule, use->owner, "'%.*s' cannot read a part of a view",
                                CAKE_STR_ARG(cake_op_name(use->owner)));
  size_t at = cake_shared_rank(use->value->type) == 1 ? 0 : dim;
  cake_rewriter_set_attr_text(&schedule->rewriter, use->owner, name,
                              cake_schedule_move_at(schedule, read_start(use, name), at, extra));
  return true;
}

void cake_tile_scale_reads(CakeTileClass *class, const CakeTileScale *scale) {
  Scaler s = {.class = class, .scale = scale, .is_in_role = true};
  for (size_t i = 0; i < class->values.len; i++) {
    CakeTileVisit at = class->values.data[i];
    CakeOp *wait = cake_value_def(at.value);
    bool is_view = wait && cake_is_cake_op(wait, cake_op_cake_wait) && cake_op_role(wait) == scale->role;
    for (const CakeUse *use = is_view ? at.value->first_use : NULL; use; use = use->next) {
      const char *name = offset_of(use);
      unsigned dim = cake_shared_rank(at.value->type) == 1 ? 0 : at.dim;
      if (name)
        cake_rewriter_set_attr_text(&class->schedule->rewriter, use->owner, name,
                                    scale_attr(&s, read_start(use, name), dim));
    }
  }
}

// ---- The iterator --------------------------------------------------------------------------------------------------

void cake_tile_scale_axis(CakeTileClass *class, int64_t new_size) {
  CakeAttr axes = cake_tile_axes(class);
  CakeContext *context = axes->context;
  CakeParam *params = CAKE_ARENA_ARRAY(class->schedule->pass->scratch, CakeParam, axes->count + 1);
  for (size_t i = 0; i < axes->count; i++)
    params[i] = axes->params[i];
  CakeAttr whole = cake_expr_lhs(cake_axes_extent(axes, class->axis));
  params[2 * class->axis + 1] =
      cake_param_attr(cake_expr_binary(context, CAKE_EXPR_CEILDIV, whole, cake_expr_const(context, new_size)));
  cake_rewriter_set_attr_text(&class->schedule->rewriter, class->tiles, class->is_step ? "steps" : "axes",
                              cake_attr_get(context, &cake_attr_def_axes, params, axes->count));
}

// Every value of the class has its size: none belongs to one replica of several, or to a part of a tile.
static bool has_one_size(CakeTileClass *class) {
  for (size_t i = 0; i < class->values.len; i++) {
    CakeTileVisit at = class->values.data[i];
    int64_t size = cake_tile_size(at.value->type, at.dim);
    if (size != class->size)
      return cake_schedule_missed(
          class->schedule, class->schedule->kernel,
          "'%s' holds %lld of the %lld elements of a tile; give tiles their size before roles are "
          "replicated",
          cake_type_text(at.value->type), (long long)size, (long long)class->size);
  }
  return true;
}

bool cake_tile_set_size(CakeSchedule *schedule, CakeValue *seed, unsigned dim, int64_t size) {
  CakeTileClass class;
  if (cake_tile_size(seed->type, dim) == size) return true;
  if (!cake_tile_class_find(schedule, seed, dim, &class)) return false;
  bool ok = has_one_size(&class);
  if (ok) {
    CakeTileScale scale = {.new_size = size};
    cake_tile_scale_places(&class, &scale);
    cake_tile_scale_axis(&class, size);
    cake_tile_resize_views(&class, class.size, size, NULL);
    for (size_t i = 0; i < class.values.len; i++) {
      CakeTileVisit at = class.values.data[i];
      cake_rewriter_set_type(&schedule->rewriter, at.value, cake_tile_resize(at.value->type, at.dim, size));
    }
  }
  cake_tile_class_fini(&class);
  return ok;
}
