// schedule-split-reduction: the steps of an item are shared out to several items, whose sums the store engine adds up.
//
// A new first axis numbers the parts; a part has `ceildiv(steps, parts)` steps, and step `k` of part `p` is what step `p * ceildiv(steps, parts) + k` was. Of
// the last part some may be behind the end: they get padding, which is 0. What a slot of a pipeline to(store) holds must be a sum over the steps that begins with 0.
#include "passes/passes.h"
#include "passes/schedule.h"

#include "cake/symbol.h"
#include "cake/text.h"
#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"
#include "dialects/cake/ops/views.h"

typedef struct Split {
  CakeSchedule *schedule;
  CakeOp *tiles;
  CakeAttr parts, steps; // how many; the steps of each
} Split;

typedef CAKE_VEC(CakeValue *) Values;

// ---- What is stored ----------------------------------------------------------------------------------------------------

// A slot may be given back behind a pending sum.
static bool is_only_summed(const CakeValue *value) {
  int count = 0;
  for (const CakeUse *use = value->first_use; use; use = use->next)
    count += !cake_is_cake_op(use->owner, cake_op_cake_release);
  return count == 1;
}

// Whether carried value #i of a loop over steps begins with 0 and has only products added to it, and nothing else looks at the sums on the way.
static bool is_sum_of_steps(CakeOp *steps, uint32_t i) {
  const CakeValue *first = cake_op_operand(steps, i);
  const CakeOp *zero = cake_value_def(first);
  const CakeBlock *body = cake_schedule_body(steps);
  const CakeValue *value = cake_op_operand(body->last, i), *carried = body->args[1 + i];
  if (!cake_schedule_is_zero(first) && !(zero && cake_is_cake_op(zero, cake_op_cake_zero))) return false;
  for (const CakeOp *op = cake_value_def(value); op && cake_is_cake_op(op, cake_op_cake_mma) && is_only_summed(value);
       op = cake_value_def(value))
    value = cake_cake_mma_acc(op);
  return value == carried && is_only_summed(carried);
}

// All that the loop carries is so: products of what another carried value makes of the steps before are no sums.
static bool is_sum(const CakeValue *value) {
  CakeOp *op = cake_value_def(value);
  if (op && cake_is_cake_op(op, cake_op_cake_slice)) op = cake_value_def(cake_cake_slice_value(op));
  if (op && cake_is_cake_op(op, cake_op_cake_await)) op = cake_value_def(cake_cake_await_pending(op));
  if (!op || !cake_is_cake_op(op, cake_op_cake_steps)) return false;
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (!is_sum_of_steps(op, i)) return false;
  return true;
}

static bool check_slot(CakeSchedule *schedule, CakeOp *commit) {
  CakeOp *acquire = cake_value_def(cake_cake_commit_slot(commit));
  CakeType element = cake_global_element(cake_cake_commit_global(commit)->type);
  if (cake_cake_commit_reduce(commit)) return cake_schedule_missed(schedule, commit, "its slot is added already");
  if (!cake_type_is_float(element, CAKE_FLOAT_F32))
    return cake_schedule_missed(schedule, commit,
                                "sums are kept as '%s'; each part, and each addition, would be rounded",
                                cake_type_text(element));
  for (const CakeUse *use = acquire && acquire->n_results > 1 ? acquire->results[1].first_use : NULL; use;
       use = use->next)
    if (cake_is_cake_op(use->owner, cake_op_cake_put) && !is_sum(cake_cake_put_value(use->owner)))
      return cake_schedule_missed(schedule, use->owner,
                                  "what is stored is no sum of products over the steps that begins with 0");
  return true;
}

static bool check_op(CakeSchedule *schedule, CakeOp *op) {
  if (cake_is_cake_op(op, cake_op_cake_store))
    return cake_schedule_missed(schedule, op, "is no store of the store engine; run schedule-store before");
  if (cake_is_cake_op(op, cake_op_cake_items) && op->n_operands)
    return cake_schedule_missed(schedule, op, "carries values from item to item");
  if (cake_is_cake_op(op, cake_op_cake_steps) && cake_cake_steps_from(op))
    return cake_schedule_missed(schedule, op, "leaves out the first steps of an item");
  return !cake_is_cake_op(op, cake_op_cake_commit) || !cake_cake_commit_global(op) || check_slot(schedule, op);
}

static bool check(CakeSchedule *schedule, const CakeOp *tiles) {
  bool has_result = false;
  if (!tiles) return cake_schedule_missed(schedule, schedule->kernel, "has no iterator");
  if (!cake_cake_tiles_steps(tiles))
    return cake_schedule_missed(schedule, tiles, "has no steps that could be shared out");
  if (cake_cake_tiles_let(tiles)) return cake_schedule_missed(schedule, tiles, "has items of different lengths");
  for (CakeOp *op = schedule->kernel; op; op = cake_op_walk_next(schedule->kernel, op, false)) {
    if (!check_op(schedule, op)) return false;
    has_result |= cake_is_cake_op(op, cake_op_cake_commit) && cake_cake_commit_global(op);
  }
  return has_result || cake_schedule_missed(schedule, schedule->kernel, "stores nothing");
}

// ---- Places --------------------------------------------------------------------------------------------------------------

// Operands of an expression are numbered as they occur, so that all are numbered anew.
typedef struct Place {
  const Split *split;
  CakeOperandRange before;
  CakeValue *step, *part;
  Values after;
} Place;

static CakeAttr operand(Place *place, CakeValue *value) {
  CAKE_PUSH(&place->after, value);
  return cake_expr_operand(place->split->tiles->context, (uint32_t)place->after.len - 1);
}

static CakeAttr move_expr(Place *place, CakeAttr expr) {
  CakeContext *context = expr->context;
  CakeExprKind kind = cake_expr_kind(expr);
  if (kind == CAKE_EXPR_OPERAND) {
    CakeValue *value = place->before.first[cake_expr_value(expr)].value;
    if (value != place->step) return operand(place, value);
    CakeAttr first = cake_expr_binary(context, CAKE_EXPR_MUL, operand(place, place->part), place->split->steps);
    return cake_expr_binary(context, CAKE_EXPR_ADD, first, operand(place, value));
  }
  if (kind < CAKE_EXPR_ADD) return expr;
  CakeAttr lhs = move_expr(place, cake_expr_lhs(expr));
  return cake_expr_binary(context, kind, lhs, move_expr(place, cake_expr_rhs(expr)));
}

static CakeAttr move_attr(Place *place, CakeAttr attr) {
  if (!cake_attr_is(attr, &cake_attr_def_at)) return move_expr(place, attr);
  CakeAttr *exprs = CAKE_ARENA_ARRAY(place->split->schedule->pass->scratch, CakeAttr, cake_at_count(attr) + 1);
  for (size_t i = 0; i < cake_at_count(attr); i++)
    exprs[i] = move_expr(place, cake_at_expr(attr, i));
  return cake_at_get(attr->context, exprs, cake_at_count(attr));
}

// Puts other values in the place of one group of an op's operands.
static void set_group(CakeSchedule *schedule, CakeOp *op, uint32_t group, const Values *values) {
  uint32_t n_groups = op->info->def->n_operands;
  int32_t *segments = CAKE_ARENA_ARRAY(schedule->pass->scratch, int32_t, n_groups + 1);
  Values all = {0};
  for (uint32_t g = 0; g < n_groups; g++) {
    CakeOperandRange range = cake_op_operand_group(op, g);
    for (uint32_t i = 0; g != group && i < range.count; i++)
      CAKE_PUSH(&all, range.first[i].value);
    for (size_t i = 0; g == group && i < values->len; i++)
      CAKE_PUSH(&all, values->data[i]);
    segments[g] = (int32_t)(g == group ? values->len : range.count);
  }
  bool has_segments = cake_op_has_trait(op, CAKE_TRAIT_SEGMENTS);
  cake_rewriter_set_operands(&schedule->rewriter, op, all.data, all.len, has_segments ? segments : NULL,
                             has_segments ? n_groups : 0);
  CAKE_VEC_FINI(&all);
}

static bool move_group(const Split *split, CakeOp *op, uint32_t group, CakeValue *step, CakeValue *part) {
  char name[32];
  const char *attr = cake_schedule_attr_of(op, group, name, sizeof name);
  CakeAttr where = attr ? cake_op_attr_text(op, attr) : NULL;
  if (!where || cake_attr_is(where, &cake_attr_def_pred))
    return cake_schedule_missed(split->schedule, op, "'%.*s' uses the step otherwise than in a place",
                                CAKE_STR_ARG(cake_op_name(op)));
  Place place = {split, cake_op_operand_group(op, group), step, part, {0}};
  cake_rewriter_set_attr_text(&split->schedule->rewriter, op, attr, move_attr(&place, where));
  set_group(split->schedule, op, group, &place.after);
  CAKE_VEC_FINI(&place.after);
  return true;
}

static bool has_value(CakeOperandRange range, const CakeValue *value) {
  for (uint32_t i = 0; i < range.count; i++)
    if (range.first[i].value == value) return true;
  return false;
}

static bool move_steps(const Split *split, CakeOp *steps, CakeValue *part) {
  CakeValue *step = cake_schedule_body(steps)->args[0];
  for (CakeOp *op = steps; op; op = cake_op_walk_next(steps, op, false))
    for (uint32_t g = 0; op->info->def && g < op->info->def->n_operands; g++)
      if (has_value(cake_op_operand_group(op, g), step) && !move_group(split, op, g, step, part)) return false;
  return true;
}

// ---- The axis --------------------------------------------------------------------------------------------------------------

// The number of the part, in front of the other indices of the items.
static CakeValue *add_index(const Split *split, CakeOp *items) {
  CakeRewriter *rewriter = &split->schedule->rewriter;
  CakeBlock *body = cake_schedule_body(items);
  CakeValue *last = cake_rewriter_add_arg(rewriter, body, cake_type_index(items->context), items->loc);
  for (uint32_t i = last->index; i > 0; i--) {
    cake_rewriter_replace_uses(rewriter, body->args[i - 1], body->args[i]);
    body->args[i]->name = body->args[i - 1]->name;
  }
  cake_value_set_name(body->args[0], CAKE_STR("part"));
  return body->args[0];
}

static CakeId axis_name(CakeAttr axes) {
  CakeId name = cake_id_text(axes->context, "part");
  return cake_axes_find(axes, name) < 0 ? name : cake_id_text(axes->context, "part_of_steps");
}

static void set_axes(const Split *split) {
  CakeAttr axes = cake_cake_tiles_axes(split->tiles), steps = cake_cake_tiles_steps(split->tiles);
  CakeContext *context = axes->context;
  CakeParam *params = CAKE_ARENA_ARRAY(split->schedule->pass->scratch, CakeParam, axes->count + 2);
  params[0] = cake_param_id(axis_name(axes));
  params[1] = cake_param_attr(split->parts);
  for (size_t i = 0; i < axes->count; i++)
    params[2 + i] = axes->params[i];
  cake_rewriter_set_attr_text(&split->schedule->rewriter, split->tiles, "axes",
                              cake_attr_get(context, &cake_attr_def_axes, params, axes->count + 2));
  CakeParam shorter[] = {steps->params[0], cake_param_attr(split->steps)};
  cake_rewriter_set_attr_text(&split->schedule->rewriter, split->tiles, "steps",
                              cake_attr_get(context, &cake_attr_def_axes, shorter, 2));
}

// ---- The pass --------------------------------------------------------------------------------------------------------------

static bool split_items(const Split *split, CakeOp *items) {
  CakeValue *part = add_index(split, items);
  for (CakeOp *op = cake_schedule_next(items, NULL, cake_op_cake_steps); op;
       op = cake_schedule_next(items, op, cake_op_cake_steps))
    if (!move_steps(split, op, part)) return false;
  return true;
}

static bool split_reduction(CakeSchedule *schedule) {
  CakeOp *kernel = schedule->kernel, *tiles = cake_schedule_next(kernel, NULL, cake_op_cake_tiles);
  if (!check(schedule, tiles)) return false;
  CakeContext *context = kernel->context;
  CakeAttr parts = cake_expr_const(context, cake_pass_option_int(schedule->pass->pass, "parts"));
  CakeAttr steps =
      cake_expr_binary(context, CAKE_EXPR_CEILDIV, cake_axes_extent(cake_cake_tiles_steps(tiles), 0), parts);
  Split split = {schedule, tiles, parts, steps};
  set_axes(&split);
  for (CakeOp *op = cake_schedule_next(kernel, NULL, cake_op_cake_items); op;
       op = cake_schedule_next(kernel, op, cake_op_cake_items))
    if (!split_items(&split, op)) return false;
  for (CakeOp *op = cake_schedule_next(kernel, NULL, cake_op_cake_commit); op;
       op = cake_schedule_next(kernel, op, cake_op_cake_commit))
    if (cake_cake_commit_global(op))
      cake_rewriter_set_attr_text(&schedule->rewriter, op, "reduce", cake_attr_string(context, CAKE_STR("add")));
  return true;
}

CakePassResult cake_pass_schedule_split_reduction(CakePassContext *pass, CakeOp *module) {
  if (cake_pass_option_int(pass->pass, "parts") < 2) {
    (void)cake_error(module, CAKE_CODE_PASS_PIPELINE, "'parts' must be at least 2");
    return CAKE_PASS_FAILED;
  }
  return cake_schedule_run(pass, module, split_reduction);
}
