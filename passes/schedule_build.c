// Builders of the cake dialect's ops for the schedule passes.
#include "passes/schedule.h"

#include "cake/symbol.h"
#include "cake/text.h"
#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/role.h"
#include "passes/lower.h"

#include <stdio.h>
#include <string.h>

CakeNamedAttr cake_schedule_attr(const CakeSchedule *schedule, const char *name, CakeAttr value) {
  return (CakeNamedAttr){cake_id_text(schedule->pass->context, name), value};
}

CakeAttr cake_schedule_symbol(const CakeSchedule *schedule, CakeId name) {
  return cake_attr_symbol_ref(schedule->pass->context, name, NULL, 0);
}

const char *cake_schedule_attr_of(const CakeOp *op, uint32_t group, char *name, size_t room) {
  if (op->info->dialect != &cake_dialect_cake) return NULL;
  const char *row = op->info->def->operands[group].name;
  size_t length = strlen(row);
  if (strcmp(row, "idx") == 0) return "expr"; // of cake.index
  if (length <= 4 || length >= room || strcmp(row + length - 4, "_idx") != 0) return NULL;
  snprintf(name, room, "%.*s", (int)(length - 4), row);
  return name;
}

// ---- Expressions ---------------------------------------------------------------------------------------------------

// Numbers stand last.
static CakeAttr sum(CakeAttr a, CakeAttr b) {
  bool is_number = cake_expr_kind(a) == CAKE_EXPR_CONST;
  return cake_expr_binary(a->context, CAKE_EXPR_ADD, is_number ? b : a, is_number ? a : b);
}

CakeAttr cake_schedule_move_at(CakeSchedule *schedule, CakeAttr at, size_t dim, CakeAttr by) {
  CakeAttr *exprs = CAKE_ARENA_ARRAY(schedule->pass->scratch, CakeAttr, cake_at_count(at) + 1);
  for (size_t i = 0; i < cake_at_count(at); i++)
    exprs[i] = i == dim ? sum(cake_at_expr(at, i), by) : cake_at_expr(at, i);
  return cake_at_get(at->context, exprs, cake_at_count(at));
}

typedef struct Coordinate {
  CakeExprKind kind;
  CakeAttr by;
} Coordinate;

static CakeAttr move_leaf(void *user, CakeAttr attr) {
  const Coordinate *coordinate = user;
  bool is_it = attr->def == &cake_attr_def_expr && cake_expr_kind(attr) == coordinate->kind;
  return is_it ? sum(attr, coordinate->by) : attr;
}

CakeAttr cake_schedule_move_coordinate(CakeAttr pred, CakeExprKind coordinate, CakeAttr by) {
  Coordinate moved = {coordinate, by};
  CakeSubstitution substitution = {.map_attr = move_leaf, .user = &moved};
  return cake_attr_substitute(pred, &substitution);
}

// ---- Declarations --------------------------------------------------------------------------------------------------

static CakeAttr keep_targets(CakeSchedule *schedule, CakeAttr targets, CakeFeature feature) {
  CakeAttr *kept = CAKE_ARENA_ARRAY(schedule->pass->scratch, CakeAttr, cake_attr_count(targets) + 1);
  size_t count = 0;
  for (size_t i = 0; i < cake_attr_count(targets); i++) {
    const CakeTarget *target = cake_target_find(cake_attr_string_value(cake_attr_element(targets, i)));
    if (target && cake_target_has(target, feature)) kept[count++] = cake_attr_element(targets, i);
  }
  return count ? cake_attr_array(schedule->pass->context, kept, count) : NULL;
}

bool cake_schedule_need(CakeSchedule *schedule, CakeOp *op, CakeFeature feature) {
  CakeAttr targets = cake_cake_kernel_target(schedule->kernel);
  CakeAttr kept = keep_targets(schedule, targets, feature);
  if (!kept)
    return cake_schedule_missed(schedule, op, "no target of the kernel has %s: %s", cake_feature_name(feature),
                                cake_attr_text(targets));
  if (kept != targets) cake_rewriter_set_attr_text(&schedule->rewriter, schedule->kernel, "target", kept);
  return true;
}

CakeAttr cake_schedule_parts(CakeSchedule *schedule, const CakeId *names, const CakeType *types, size_t count) {
  CakeParam *params = CAKE_ARENA_ARRAY(schedule->pass->scratch, CakeParam, 2 * count + 1);
  for (size_t i = 0; i < count; i++) {
    params[2 * i] = cake_param_id(names[i]);
    params[2 * i + 1] = cake_param_type(types[i]);
  }
  return cake_attr_get(schedule->pass->context, &cake_attr_def_parts, params, 2 * count);
}

CakeOp *cake_schedule_pipeline(CakeSchedule *schedule, CakeId name, int64_t stages, CakeId from, CakeId to,
                               CakeAttr parts) {
  CakeContext *context = schedule->pass->context;
  CakeAttr unit = to ? NULL : cake_attr_unit(context);
  CakeNamedAttr attrs[] = {cake_schedule_attr(schedule, "sym_name", cake_attr_string_id(context, name)),
                           cake_schedule_attr(schedule, "stages", cake_expr_const(context, stages)),
                           cake_schedule_attr(schedule, "from", cake_schedule_symbol(schedule, from)),
                           cake_schedule_attr(schedule, "to", to ? cake_schedule_symbol(schedule, to) : NULL),
                           cake_schedule_attr(schedule, "each", unit),
                           cake_schedule_attr(schedule, "store", unit),
                           cake_schedule_attr(schedule, "parts", parts)};
  CakeBuild build = {.name = "cake.pipeline", .attrs = attrs, .n_attrs = CAKE_COUNT(attrs)};
  CakeOp *first_role = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_role);
  CakeLowerPoint point = cake_lower_save(&schedule->rewriter);
  cake_rewriter_set_before(&schedule->rewriter, first_role);
  CakeOp *op = cake_rewriter_build(&schedule->rewriter, &build);
  cake_lower_restore(&schedule->rewriter, point);
  return op;
}

// ---- Slots ---------------------------------------------------------------------------------------------------------

static CakeOp *take_slot(CakeSchedule *schedule, const char *name, CakeOp *pipeline) {
  CakeNamedAttr attrs[] = {
      cake_schedule_attr(schedule, "pipeline", cake_schedule_symbol(schedule, cake_symbol_name(pipeline)))};
  CakeBuild build = {.name = name, .attrs = attrs, .n_attrs = 1};
  CakeOp *op = cake_rewriter_build(&schedule->rewriter, &build);
  CakeAttr parts = cake_cake_pipeline_parts(pipeline);
  cake_lower_name(&op->results[0], "slot");
  for (uint32_t i = 1; i < op->n_results; i++)
    cake_lower_name(&op->results[i], cake_parts_name(parts, i - 1)->text);
  return op;
}

CakeOp *cake_schedule_acquire(CakeSchedule *schedule, CakeOp *pipeline) {
  return take_slot(schedule, "cake.acquire", pipeline);
}

CakeOp *cake_schedule_wait(CakeSchedule *schedule, CakeOp *pipeline) {
  return take_slot(schedule, "cake.wait", pipeline);
}

void cake_schedule_commit(CakeSchedule *schedule, CakeValue *slot) {
  const int32_t segments[] = {1, 0, 0, 0};
  CakeBuild build = {.name = "cake.commit", .operands = &slot, .n_operands = 1, .segments = segments, .n_segments = 4};
  cake_rewriter_build(&schedule->rewriter, &build);
}

void cake_schedule_commit_to(CakeSchedule *schedule, CakeValue *slot, CakeOp *store, CakeAttr extra,
                             CakeValue *extra_idx) {
  CakeOperandRange idx = cake_cake_store_at_idx(store);
  CakeValue **operands = CAKE_ARENA_ARRAY(schedule->pass->scratch, CakeValue *, idx.count + 3);
  size_t n = 0;
  operands[n++] = slot;
  operands[n++] = cake_cake_store_global(store);
  for (uint32_t i = 0; i < idx.count; i++)
    operands[n++] = idx.first[i].value;
  if (extra_idx) operands[n++] = extra_idx;
  const int32_t segments[] = {1, 1, (int32_t)n - 2, 0};
  CakeAttr at = cake_cake_store_at(store);
  if (extra) at = cake_schedule_move_at(schedule, at, cake_at_count(at) - 1, extra);
  CakeNamedAttr attrs[] = {cake_schedule_attr(schedule, "at", at)};
  CakeBuild build = {.name = "cake.commit",
                     .operands = operands,
                     .n_operands = n,
                     .attrs = attrs,
                     .n_attrs = 1,
                     .segments = segments,
                     .n_segments = 4};
  cake_rewriter_build(&schedule->rewriter, &build);
}

void cake_schedule_release(CakeSchedule *schedule, CakeValue *slot, CakeValue *after) {
  CakeValue *operands[] = {slot, after};
  CakeBuild build = {.name = "cake.release", .operands = operands, .n_operands = after ? 2 : 1};
  cake_rewriter_build(&schedule->rewriter, &build);
}

// ---- Moves ---------------------------------------------------------------------------------------------------------

CakeOp *cake_schedule_copy(CakeSchedule *schedule, CakeOp *load, CakeValue *view, CakeVia via) {
  CakeOperandRange idx = cake_cake_load_at_idx(load);
  CakeValue **operands = CAKE_ARENA_ARRAY(schedule->pass->scratch, CakeValue *, idx.count + 2);
  size_t n = 0;
  operands[n++] = cake_cake_load_global(load);
  for (uint32_t i = 0; i < idx.count; i++)
    operands[n++] = idx.first[i].value;
  operands[n++] = view;
  const int32_t segments[] = {1, (int32_t)idx.count, 1, 0, 0};
  CakeParam param = cake_param_int(via);
  CakeNamedAttr attrs[] = {
      cake_schedule_attr(schedule, "at", cake_cake_load_at(load)),
      cake_schedule_attr(schedule, "via", cake_attr_get(load->context, &cake_attr_def_via, &param, 1)),
      cake_schedule_attr(schedule, "pad", cake_cake_load_pad(load))};
  CakeBuild build = {.name = "cake.copy",
                     .operands = operands,
                     .n_operands = n,
                     .attrs = attrs,
                     .n_attrs = CAKE_COUNT(attrs),
                     .segments = segments,
                     .n_segments = 5};
  CakeOp *op = cake_rewriter_build(&schedule->rewriter, &build);
  op->loc = load->loc;
  return op;
}

CakeValue *cake_schedule_get(CakeSchedule *schedule, CakeValue *view, CakeType type) {
  return cake_build_unary(&schedule->rewriter, "cake.get", type, view);
}

// ---- Products ------------------------------------------------------------------------------------------------------

CakeValue *cake_schedule_zero(CakeSchedule *schedule, CakeType pending) {
  return cake_build1(&schedule->rewriter, "cake.zero", pending, NULL, 0);
}

CakeValue *cake_schedule_await(CakeSchedule *schedule, CakeValue *pending, CakeType type) {
  return cake_build_unary(&schedule->rewriter, "cake.await", type, pending);
}

CakeOp *cake_schedule_mma(CakeSchedule *schedule, CakeValue *acc, CakeValue *a, CakeValue *b, CakeAttr form) {
  CakeValue *operands[] = {acc, a, b};
  const int32_t segments[] = {1, 1, 0, 1, 0};
  CakeNamedAttr attrs[] = {cake_schedule_attr(schedule, "form", form)};
  CakeBuild build = {.name = "cake.mma",
                     .operands = operands,
                     .n_operands = 3,
                     .attrs = attrs,
                     .n_attrs = 1,
                     .segments = segments,
                     .n_segments = 5};
  return cake_rewriter_build(&schedule->rewriter, &build);
}

// ---- Releases ------------------------------------------------------------------------------------------------------

// The later of two ops of one block; either may be NULL.
static CakeOp *later(CakeOp *a, CakeOp *b) {
  if (!a || !b) return a ? a : b;
  return cake_op_is_before(a, b) ? b : a;
}

// The last op of the block that needs the memory which `user` reads: `user`, or the await of the product that it is.
static CakeOp *last_need(const CakeBlock *block, CakeOp *user) {
  CakeOp *last = cake_schedule_op_in(block, user);
  if (!cake_is_cake_op(user, cake_op_cake_mma)) return last;
  for (const CakeUse *use = user->results[0].first_use; use; use = use->next)
    if (cake_is_cake_op(use->owner, cake_op_cake_await)) last = later(last, cake_schedule_op_in(block, use->owner));
  return last;
}

void cake_schedule_sink_release(CakeSchedule *schedule, CakeOp *release) {
  CakeOp *wait = cake_value_def(cake_op_operand(release, 0)), *last = wait;
  if (!wait || wait->block != release->block) return;
  for (uint32_t i = 1; i < wait->n_results; i++)
    for (const CakeUse *use = wait->results[i].first_use; use; use = use->next)
      last = later(last, last_need(release->block, use->owner));
  if (last->next != release) cake_rewriter_move_before(&schedule->rewriter, release, last->next);
}
