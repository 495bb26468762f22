// schedule-store: results go to global memory through shared memory and the store engine.
//
// A `cake.store` of an accumulator becomes acquire, put and commit of a pipeline to(store), which each instance of the role has for itself, all
// columns at once or `columns` at a time; with `epilogue` what is computed for the store is computed as many at a time.
#include "passes/schedule_store.h"
#include "passes/passes.h"

#include "cake/symbol.h"
#include "cake/text.h"
#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/pipeline.h"
#include "passes/lower.h"

typedef struct Out {
  CakeSchedule *schedule;
  CakeOp *store;
  CakeFragment fragment;
  int64_t columns; // of one slot
  CakeOp *pipeline;
} Out;

static bool is_accumulator(const CakeOp *store, CakeFragment *out) {
  return cake_fragment_of(cake_cake_store_value(store)->type, out) && out->part == CAKE_FORM_WHOLE &&
         (out->kind == CAKE_FORM_WGMMA_ACC || out->kind == CAKE_FORM_MMA_ACC);
}

static CakeType slot_type(const Out *out) {
  CakeContext *context = out->store->context;
  int64_t bytes = out->columns * (int64_t)cake_type_width(out->fragment.element) / 8;
  CakeAttr dims[] = {cake_expr_const(context, out->fragment.rows), cake_expr_const(context, out->columns)};
  bool is_swizzled = bytes % 128 == 0 && out->fragment.warp_cols == 1; // one warp writes a row's panel
  return cake_shared_get(out->fragment.element, is_swizzled ? CAKE_STORAGE_SW128 : CAKE_STORAGE_ROWS, 0, dims, 2);
}

// The role's pipeline for slots of this type, made when there is none.
static CakeOp *find_pipeline(const Out *out) {
  CakeSchedule *schedule = out->schedule;
  CakeOp *role = cake_op_role(out->store);
  CakeType type = slot_type(out);
  for (CakeOp *op = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_pipeline); op;
       op = cake_schedule_next(schedule->kernel, op, cake_op_cake_pipeline))
    if (cake_cake_pipeline_store(op) && cake_schedule_fills(op, role) &&
        cake_parts_type(cake_cake_pipeline_parts(op), 0) == type)
      return op;
  CakeId name = cake_id(schedule->pass->context, cake_schedule_arg_name(schedule, cake_cake_store_global(out->store)));
  return cake_schedule_pipeline(schedule, cake_schedule_name(schedule, "out"),
                                cake_pass_option_int(schedule->pass->pass, "stages"), cake_symbol_name(role), NULL,
                                cake_schedule_parts(schedule, &name, &type, 1));
}

// ---- One slot ------------------------------------------------------------------------------------------------------

static CakeAttr column(const Out *out, CakeAttr index) {
  CakeContext *context = out->store->context;
  return cake_expr_binary(context, CAKE_EXPR_MUL, index, cake_expr_const(context, out->columns));
}

// `index` NULL: the whole value, else the columns of that round.
static void put(const Out *out, CakeValue *value, CakeValue *view, CakeValue *index) {
  CakeContext *context = out->store->context;
  CakeValue *operands[3] = {value};
  size_t n = 1;
  if (index) operands[n++] = index;
  operands[n++] = view;
  const int32_t segments[] = {1, index ? 1 : 0, 1, 0};
  CakeAttr off[] = {cake_expr_const(context, 0), column(out, cake_expr_operand(context, 0))};
  CakeNamedAttr attr = cake_schedule_attr(out->schedule, "value_off", cake_at_get(context, off, 2));
  CakeBuild build = {.name = "cake.put",
                     .operands = operands,
                     .n_operands = n,
                     .attrs = &attr,
                     .n_attrs = index ? 1 : 0,
                     .segments = segments,
                     .n_segments = 4};
  cake_rewriter_build(&out->schedule->rewriter, &build);
}

// `part` NULL: the columns are cut out of the stored value.
static void store_slot(const Out *out, CakeValue *part, CakeValue *index) {
  CakeOp *acquire = cake_schedule_acquire(out->schedule, out->pipeline);
  put(out, part ? part : cake_cake_store_value(out->store), &acquire->results[1], part ? NULL : index);
  uint32_t number = cake_cake_store_at_idx(out->store).count;
  CakeAttr extra = index ? column(out, cake_expr_operand(out->store->context, number)) : NULL;
  cake_schedule_commit_to(out->schedule, &acquire->results[0], out->store, extra, index);
}

// ---- The pass ------------------------------------------------------------------------------------------------------

// The loop over parts with its index; the insertion point is in it, before its end.
static CakeValue *begin_rounds(const Out *out, int64_t rounds) {
  CakeRewriter *rewriter = &out->schedule->rewriter;
  CakeContext *context = out->store->context;
  CakeNamedAttr attrs[] = {cake_schedule_attr(out->schedule, "lower", cake_expr_const(context, 0)),
                           cake_schedule_attr(out->schedule, "upper", cake_expr_const(context, rounds))};
  CakeBuild loop = {.name = "cake.unroll", .attrs = attrs, .n_attrs = 2, .n_regions = 1}, end = {.name = "cake.yield"};
  CakeOp *op = cake_rewriter_build(rewriter, &loop);
  CakeType index = cake_type_index(context);
  CakeBlock *body = cake_rewriter_add_block(rewriter, cake_op_region(op, 0), &index, 1, op->loc);
  cake_value_set_name(body->args[0], CAKE_STR("j"));
  cake_rewriter_set_end(rewriter, body);
  cake_rewriter_set_before(rewriter, cake_rewriter_build(rewriter, &end));
  return body->args[0];
}

static void replace_store(const Out *out) {
  CakeRewriter *rewriter = &out->schedule->rewriter;
  int64_t rounds = out->fragment.cols / out->columns;
  CakeStoreParts parts = {.schedule = out->schedule, .store = out->store, .columns = out->columns};
  CakeValue *part = NULL;
  cake_rewriter_set_before(rewriter, out->store);
  if (rounds > 1) parts.index = begin_rounds(out, rounds);
  if (rounds > 1 && cake_pass_option_bool(out->schedule->pass->pass, "epilogue")) part = cake_store_parts_build(&parts);
  store_slot(out, part, parts.index);
  cake_rewriter_erase(rewriter, out->store);
  cake_store_parts_fini(&parts);
}

static bool stage_store(CakeSchedule *schedule, CakeOp *store) {
  Out out = {.schedule = schedule, .store = store};
  int64_t columns = cake_pass_option_int(schedule->pass->pass, "columns");
  if (!is_accumulator(store, &out.fragment))
    return cake_schedule_missed(schedule, store, "stores no accumulator, but '%s'",
                                cake_type_text(cake_cake_store_value(store)->type));
  if (cake_cake_store_keep(store) || cake_cake_store_dims(store))
    return cake_schedule_missed(schedule, store, "chooses elements or dimensions; the store engine writes whole tiles");
  out.columns = columns ? columns : out.fragment.cols;
  if (out.fragment.cols % out.columns)
    return cake_schedule_missed(schedule, store, "%lld columns cannot be stored %lld at a time",
                                (long long)out.fragment.cols, (long long)out.columns);
  out.pipeline = find_pipeline(&out);
  replace_store(&out);
  cake_pass_count(schedule->pass, "stores staged", 1);
  return true;
}

static bool stage_stores(CakeSchedule *schedule) {
  bool has_any = false;
  CakeOp *store = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_store);
  if (!store) return cake_schedule_missed(schedule, schedule->kernel, "has no store of a fragment");
  for (CakeOp *next; store; store = next) {
    next = cake_schedule_next(schedule->kernel, store, cake_op_cake_store);
    has_any |= stage_store(schedule, store);
  }
  return has_any && cake_schedule_need(schedule, schedule->kernel, CAKE_FEATURE_BULK);
}

CakePassResult cake_pass_schedule_store(CakePassContext *pass, CakeOp *module) {
  if (cake_pass_option_int(pass->pass, "columns") < 0 || cake_pass_option_int(pass->pass, "stages") < 1) {
    (void)cake_error(module, CAKE_CODE_PASS_PIPELINE, "'columns' must not be negative, and 'stages' at least 1");
    return CAKE_PASS_FAILED;
  }
  return cake_schedule_run(pass, module, stage_stores);
}
