// schedule-multicast: CTAs of a cluster take neighbouring tiles along an axis, and fetch what does not depend on it once for all of them.
//
// Where there was item `m` there is now CTA `rank` of the cluster's item, `m * count + rank`; the axis gets as much shorter. Tiles that TMA
// copies and that are the same along the axis become multicasts.
#include "passes/passes.h"
#include "passes/schedule.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/tiles.h"
#include "verifier/uses.h"

enum { ATOM_ROWS = 8 }; // of a swizzle: what a CTA fetches is whole ones

typedef struct Multicast {
  CakeSchedule *schedule;
  CakeOp *tiles;
  uint32_t axis;
  int64_t count;
} Multicast;

// ---- Where the axis is used --------------------------------------------------------------------------------------------

static bool is_axis(const CakeOp *tiles, uint32_t axis, const CakeValue *value) {
  const CakeOp *loop = value->is_argument ? cake_block_parent(cake_arg_owner(value)) : NULL;
  return loop && cake_is_cake_op(loop, cake_op_cake_items) && cake_op_tiles(loop) == tiles && value->index == axis;
}

// The attribute whose operand #i of an op is; its number among those in `out_number`. NULL: it is of another kind.
static const char *attr_of(const CakeOp *op, uint32_t i, char *name, size_t room, int64_t *out_number) {
  const CakeOperandDef *row = cake_use_row(&op->operands[i]);
  if (!row) return NULL;
  uint32_t group = (uint32_t)(row - op->info->def->operands);
  *out_number = (int64_t)i - cake_op_operand_group(op, group).start;
  return cake_schedule_attr_of(op, group, name, room);
}

// Whether a copy names the same tile whatever the value of the axis: all it depends on are other indices of loops, and constants.
static bool is_shared(const Multicast *m, CakeOp *copy) {
  CakeType view = cake_cake_copy_view(copy)->type;
  int64_t rows;
  if (cake_via_of(cake_cake_copy_via(copy)) != CAKE_VIA_TMA || cake_shared_rank(view) != 2 ||
      !cake_expr_is_const(cake_shared_dim(view, 0), &rows) || rows % (m->count * ATOM_ROWS) != 0)
    return false;
  CakeOperandRange idx = cake_cake_copy_at_idx(copy);
  for (uint32_t i = 0; i < idx.count; i++) {
    const CakeValue *value = idx.first[i].value;
    const CakeOp *def = cake_value_def(value);
    bool is_constant = def && cake_op_has_trait(def, CAKE_TRAIT_CONSTANT);
    bool is_index = value->is_argument && cake_schedule_is_loop(cake_block_parent(cake_arg_owner(value)));
    if ((!is_constant && !is_index) || is_axis(m->tiles, m->axis, value)) return false;
  }
  return true;
}

// Bytes of a step's or item's tiles that the CTAs would share.
static int64_t shared_bytes(const Multicast *m) {
  int64_t bytes = 0;
  for (CakeOp *op = cake_schedule_next(m->schedule->kernel, NULL, cake_op_cake_copy); op;
       op = cake_schedule_next(m->schedule->kernel, op, cake_op_cake_copy))
    if (is_shared(m, op)) bytes += cake_shared_bytes(cake_cake_copy_view(op)->type);
  return bytes;
}

// Along the axis that is named, or the one along which most is the same. False: there is none, remarked.
static bool choose_axis(Multicast *m) {
  CakeAttr axes = cake_cake_tiles_axes(m->tiles);
  CakeStr wanted = cake_pass_option_str(m->schedule->pass->pass, "axis");
  CakeId name = wanted.len ? cake_id(m->schedule->pass->context, wanted) : NULL;
  int64_t most = 0;
  if (name && cake_axes_find(axes, name) < 0)
    return cake_schedule_missed(m->schedule, m->tiles, "has no axis '%s'", name->text);
  for (uint32_t i = 0; i < cake_axes_count(axes); i++) {
    Multicast along = *m;
    along.axis = i;
    int64_t bytes = !name || cake_axes_name(axes, i) == name ? shared_bytes(&along) : 0;
    if (bytes <= most) continue;
    most = bytes;
    m->axis = i;
  }
  return most > 0 ||
         cake_schedule_missed(m->schedule, m->tiles,
                              "no tile that TMA copies is the same along %s, in %lld shares of whole %d rows",
                              name ? name->text : "an axis", (long long)m->count, (int)ATOM_ROWS);
}

// ---- What changes ------------------------------------------------------------------------------------------------------

static CakeAttr times(CakeAttr expr, int64_t factor) {
  return cake_expr_binary(expr->context, CAKE_EXPR_MUL, expr, cake_expr_const(expr->context, factor));
}

// `d * size` becomes `d * (count * size) + rank * size`.
static CakeAttr spread(const Multicast *m, CakeAttr expr, int64_t operand) {
  CakeExprKind kind = cake_expr_kind(expr);
  CakeAttr rank = cake_expr_leaf(expr->context, CAKE_EXPR_RANK), index = expr;
  int64_t size = 1;
  bool is_scaled = kind == CAKE_EXPR_MUL && cake_expr_is_const(cake_expr_rhs(expr), &size);
  if (is_scaled) index = cake_expr_lhs(expr);
  if (cake_expr_kind(index) == CAKE_EXPR_OPERAND && cake_expr_value(index) == operand)
    return cake_expr_binary(expr->context, CAKE_EXPR_ADD, times(index, m->count * size), times(rank, size));
  if (kind < CAKE_EXPR_ADD) return expr;
  return cake_expr_binary(expr->context, kind, spread(m, cake_expr_lhs(expr), operand),
                          spread(m, cake_expr_rhs(expr), operand));
}

static CakeAttr spread_attr(const Multicast *m, CakeAttr attr, int64_t operand) {
  CakeArena *scratch = m->schedule->pass->scratch;
  if (cake_attr_is(attr, &cake_attr_def_at)) {
    CakeAttr *exprs = CAKE_ARENA_ARRAY(scratch, CakeAttr, cake_at_count(attr) + 1);
    for (size_t i = 0; i < cake_at_count(attr); i++)
      exprs[i] = spread(m, cake_at_expr(attr, i), operand);
    return cake_at_get(attr->context, exprs, cake_at_count(attr));
  }
  if (!cake_attr_is(attr, &cake_attr_def_pred)) return spread(m, attr, operand);
  CakePredTerm *terms = CAKE_ARENA_ARRAY(scratch, CakePredTerm, cake_pred_count(attr) + 1);
  for (size_t i = 0; i < cake_pred_count(attr); i++) {
    terms[i] = cake_pred_term(attr, i);
    terms[i].lhs = spread(m, terms[i].lhs, operand);
    terms[i].rhs = spread(m, terms[i].rhs, operand);
  }
  return cake_pred_get(attr->context, terms, cake_pred_count(attr));
}

static bool spread_op(const Multicast *m, CakeOp *op) {
  char name[32];
  int64_t number;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    if (!is_axis(m->tiles, m->axis, cake_op_operand(op, i))) continue;
    const char *attr = attr_of(op, i, name, sizeof name, &number);
    if (!attr)
      return cake_schedule_missed(m->schedule, op, "'%.*s' uses the axis outside of an expression",
                                  CAKE_STR_ARG(cake_op_name(op)));
    cake_rewriter_set_attr_text(&m->schedule->rewriter, op, attr, spread_attr(m, cake_op_attr_text(op, attr), number));
  }
  return true;
}

static void share_copies(const Multicast *m) {
  CakeAttr all = cake_expr_const(m->schedule->pass->context, (INT64_C(1) << m->count) - 1);
  for (CakeOp *op = cake_schedule_next(m->schedule->kernel, NULL, cake_op_cake_copy); op;
       op = cake_schedule_next(m->schedule->kernel, op, cake_op_cake_copy))
    if (is_shared(m, op)) cake_rewriter_set_attr_text(&m->schedule->rewriter, op, "multicast", all);
}

// `ceildiv(E, s)` becomes `ceildiv(E, count * s)`.
static void shorten_axis(const Multicast *m) {
  CakeAttr axes = cake_cake_tiles_axes(m->tiles), extent = cake_axes_extent(axes, m->axis);
  CakeContext *context = axes->context;
  int64_t size = 1;
  bool is_quotient = cake_expr_kind(extent) == CAKE_EXPR_CEILDIV && cake_expr_is_const(cake_expr_rhs(extent), &size);
  CakeAttr whole = is_quotient ? cake_expr_lhs(extent) : extent;
  CakeParam *params = CAKE_ARENA_ARRAY(m->schedule->pass->scratch, CakeParam, axes->count + 1);
  for (size_t i = 0; i < axes->count; i++)
    params[i] = axes->params[i];
  params[2 * m->axis + 1] = cake_param_attr(cake_expr_binary(
      context, CAKE_EXPR_CEILDIV, whole, cake_expr_const(context, is_quotient ? m->count * size : m->count)));
  cake_rewriter_set_attr_text(&m->schedule->rewriter, m->tiles, "axes",
                              cake_attr_get(context, &cake_attr_def_axes, params, axes->count));
}

// Bands of the axis keep their width.
static void narrow_bands(const Multicast *m) {
  CakeAttr schedule = cake_cake_tiles_schedule(m->tiles), group = cake_schedule_group(schedule);
  CakeContext *context = schedule->context;
  int64_t width;
  if (!group || cake_schedule_axis(schedule) != cake_axes_name(cake_cake_tiles_axes(m->tiles), m->axis) ||
      !cake_expr_is_const(group, &width))
    return;
  width = width > m->count ? width / m->count : 1;
  CakeParam params[] = {schedule->params[0], schedule->params[1], schedule->params[2],
                        cake_param_attr(cake_expr_const(context, width))};
  cake_rewriter_set_attr_text(&m->schedule->rewriter, m->tiles, "schedule",
                              cake_attr_get(context, &cake_attr_def_schedule, params, CAKE_COUNT(params)));
}

// ---- The pass ------------------------------------------------------------------------------------------------------------

// Slots that tcgen05 reads are given back by the instruction itself, in its own CTA.
static bool check_products(CakeSchedule *schedule) {
  for (CakeOp *op = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_mma); op;
       op = cake_schedule_next(schedule->kernel, op, cake_op_cake_mma))
    if (cake_form_of(cake_cake_mma_form(op)).family == CAKE_MMA_TCGEN05)
      return cake_schedule_missed(schedule, op, "is a tcgen05, which cannot read what several CTAs fill");
  return true;
}

static bool multicast(CakeSchedule *schedule) {
  CakeOp *kernel = schedule->kernel;
  Multicast m = {schedule, cake_schedule_next(kernel, NULL, cake_op_cake_tiles), 0,
                 cake_pass_option_int(schedule->pass->pass, "count")};
  if (cake_cake_kernel_cluster(kernel)) return cake_schedule_missed(schedule, kernel, "has clusters already");
  if (!m.tiles) return cake_schedule_missed(schedule, kernel, "has no iterator");
  if (cake_schedule_next(kernel, m.tiles, cake_op_cake_tiles))
    return cake_schedule_missed(schedule, m.tiles, "is one of several iterators");
  if (!check_products(schedule) || !choose_axis(&m) || !cake_schedule_need(schedule, kernel, CAKE_FEATURE_MULTICAST))
    return false;
  share_copies(&m);
  for (CakeOp *op = kernel; op; op = cake_op_walk_next(kernel, op, false))
    if (!spread_op(&m, op)) return false;
  shorten_axis(&m);
  narrow_bands(&m);
  CakeAttr count = cake_expr_const(kernel->context, m.count);
  cake_rewriter_set_attr_text(&schedule->rewriter, kernel, "cluster", cake_at_get(kernel->context, &count, 1));
  return true;
}

CakePassResult cake_pass_schedule_multicast(CakePassContext *pass, CakeOp *module) {
  int64_t count = cake_pass_option_int(pass->pass, "count");
  if (count < 2 || count > CAKE_MAX_CLUSTER) {
    (void)cake_error(module, CAKE_CODE_PASS_PIPELINE, "'count' must be from 2 to %d, but is %lld",
                     (int)CAKE_MAX_CLUSTER, (long long)count);
    return CAKE_PASS_FAILED;
  }
  return cake_schedule_run(pass, module, multicast);
}
