// cake-watchdog: gives every wait for an mbarrier a time limit.
//
// The pass only writes down what the target needs: the limit, and which mbarriers belong to which pipeline, so that whoever reads a report can
// tell pipeline, side and stage from a barrier's place. The target bounds the waits (targets/nvptx/emit_gpu.c).
#include "dialects/gpu/gpu_accessors.h"

#include "dialects/cake/ops/pipeline.h"
#include "passes/passes.h"

static CakeAttr i64(CakePassContext *pass, int64_t value) {
  return cake_attr_i64(pass->context, value);
}

// {name = "ring", offset = 1024, stages = 3}; NULL: reported.
static CakeAttr barriers_of(CakePassContext *pass, CakeOp *pipeline) {
  int64_t stages;
  CakeAttr offset = cake_cake_pipeline_barriers(pipeline);
  if (!offset || !cake_expr_is_const(cake_cake_pipeline_stages(pipeline), &stages)) {
    (void)cake_error(pipeline, CAKE_CODE_PASS_FAILED, "has no place in shared memory; run cake-assign-shared first");
    return NULL;
  }
  CakeNamedAttr entries[] = {
      {cake_id_text(pass->context, "name"), cake_cake_pipeline_sym_name(pipeline)},
      {cake_id_text(pass->context, "offset"), offset},
      {cake_id_text(pass->context, "stages"), i64(pass, stages)},
  };
  return cake_attr_dictionary(pass->context, entries, CAKE_COUNT(entries));
}

// The pipelines of a function; NULL: reported.
static CakeAttr all_barriers(CakePassContext *pass, CakeOp *func) {
  CAKE_VEC(CakeAttr) list = {0};
  bool is_fine = true;
  for (CakeOp *op = func; op && is_fine; op = cake_op_walk_next(func, op, false)) {
    CakeAttr row = cake_is_cake_op(op, cake_op_cake_pipeline) ? barriers_of(pass, op) : NULL;
    is_fine = row || !cake_is_cake_op(op, cake_op_cake_pipeline);
    if (row) CAKE_PUSH(&list, row);
  }
  CakeAttr all = is_fine ? cake_attr_array(pass->context, list.data, list.len) : NULL;
  CAKE_VEC_FINI(&list);
  return all;
}

static bool watch(CakePassContext *pass, CakeOp *func, int64_t ns) {
  CakeAttr maps = cake_op_attr_text(func, "tensor_maps");
  if (maps && cake_attr_count(maps) > 0)
    return cake_error(func, CAKE_CODE_PASS_FAILED,
                      "has tensor maps already; cake-watchdog stands in front of cake-expand-pipelines");
  CakeAttr barriers = all_barriers(pass, func);
  if (!barriers) return false;
  CakeNamedAttr entries[] = {
      {cake_id_text(pass->context, "barriers"), barriers},
      {cake_id_text(pass->context, "ns"), i64(pass, ns)},
  };
  CakeValue *report = cake_rewriter_add_arg(&pass->rewriter, cake_region_entry(cake_op_region(func, 0)),
                                            cake_gpu_ptr(pass->context, CAKE_GPU_GLOBAL), func->loc);
  cake_value_set_name(report, CAKE_STR("report"));
  cake_rewriter_set_attr_text(&pass->rewriter, func, "watchdog",
                              cake_attr_dictionary(pass->context, entries, CAKE_COUNT(entries)));
  return true;
}

CakePassResult cake_pass_cake_watchdog(CakePassContext *pass, CakeOp *module) {
  int64_t ns = cake_pass_option_int(pass->pass, "ns");
  bool is_changed = false;
  if (ns < 1 || ns > INT64_C(1000000000000)) {
    (void)cake_error(module, CAKE_CODE_PASS_FAILED, "cake-watchdog: 'ns' is %lld; it must be 1 to 10^12 nanoseconds",
                     (long long)ns);
    return CAKE_PASS_FAILED;
  }
  for (CakeOp *op = module, *next; op; op = next) {
    bool is_func = cake_is_gpu_op(op, cake_op_gpu_func);
    next = cake_op_walk_next(module, op, is_func);
    if (!is_func || cake_op_attr_text(op, "watchdog")) continue;
    if (!watch(pass, op, ns)) return CAKE_PASS_FAILED;
    is_changed = true;
  }
  return is_changed ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
