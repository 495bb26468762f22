// Rule targets: the instructions that a kernel names exist on every target that it is written for.
#include "analysis/targets.h"

#include "dialects/cake/ops/barriers.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/role.h"

#include "verifier/rules.h"

static bool feature_of(const CakeOp *op, CakeFeature *out) {
  if (cake_is_cake_op(op, cake_op_cake_copy) && cake_cake_copy_multicast(op)) {
    *out = CAKE_FEATURE_MULTICAST;
    return true;
  }
  if (cake_is_cake_op(op, cake_op_cake_copy)) {
    *out = cake_via_of(cake_cake_copy_via(op)) == CAKE_VIA_CP_ASYNC ? CAKE_FEATURE_CP_ASYNC : CAKE_FEATURE_BULK;
    return true;
  }
  if (cake_is_cake_op(op, cake_op_cake_pipeline) && cake_cake_pipeline_store(op)) {
    *out = CAKE_FEATURE_BULK;
    return true;
  }
  if (cake_is_cake_op(op, cake_op_cake_mma)) {
    static const CakeFeature features[CAKE_MMA_FAMILIES] = {CAKE_FEATURE_CP_ASYNC, CAKE_FEATURE_WGMMA,
                                                            CAKE_FEATURE_TCGEN05};
    *out = features[cake_form_of(cake_cake_mma_form(op)).family];
    return true;
  }
  if (cake_is_cake_op(op, cake_op_cake_fence) || cake_is_cake_op(op, cake_op_cake_depend)) {
    *out = CAKE_FEATURE_BULK;
    return true;
  }
  if (cake_is_cake_op(op, cake_op_cake_kernel) && cake_cake_kernel_cluster(op)) {
    *out = CAKE_FEATURE_CLUSTER;
    return true;
  }
  if (cake_is_cake_op(op, cake_op_cake_role) && cake_cake_role_regs(op)) {
    *out = CAKE_FEATURE_SETMAXNREG;
    return true;
  }
  return false;
}

static void write_targets(CakeFeature feature, CakeBuf *out) {
  for (const CakeTarget *target = cake_targets; target->name; target++)
    if (cake_target_has(target, feature)) cake_buf_printf(out, "%s%s", out->len ? ", " : "", target->name);
}

static bool report_lack(CakeOp *op, const CakeTarget *target, CakeFeature feature) {
  CakeBuf names = {0};
  write_targets(feature, &names);
  CakeDiagnostic *d =
      cake_error_begin(op, CAKE_CODE_FORM_TARGET, "in %s needs %s, which target %s lacks; targets that have it: %s",
                       cake_where(op), cake_feature_name(feature), target->name, names.data);
  cake_diag_fix(op->context, d, "take %s off the kernel's targets, or use another form", target->name);
  cake_buf_fini(&names);
  return cake_diag_emit(op->context, d);
}

static bool check_op(CakeOp *op, CakeAttr targets) {
  CakeFeature feature;
  bool ok = true;
  if (!feature_of(op, &feature)) return true;
  cake_context_site(op->context);
  for (size_t i = 0; i < cake_attr_count(targets); i++) {
    const CakeTarget *target = cake_target_find(cake_attr_string_value(cake_attr_element(targets, i)));
    if (target && !cake_target_has(target, feature)) ok = report_lack(op, target, feature);
  }
  return ok;
}

static bool check_names(CakeOp *kernel, CakeAttr targets) {
  bool ok = true;
  for (size_t i = 0; i < cake_attr_count(targets); i++) {
    CakeStr name = cake_attr_string_value(cake_attr_element(targets, i));
    if (cake_target_find(name)) continue;
    CakeBuf names = {0};
    for (const CakeTarget *target = cake_targets; target->name; target++)
      cake_buf_printf(&names, "%s%s", names.len ? ", " : "", target->name);
    ok = cake_error(kernel, CAKE_CODE_FORM_TARGET, "names target '%.*s', which is not known; targets: %s",
                    CAKE_STR_ARG(name), names.data);
    cake_buf_fini(&names);
  }
  return ok;
}

bool cake_rule_targets(CakeOp *module) {
  bool ok = true;
  for (CakeOp *kernel = cake_next_cake_op(module, NULL, cake_op_cake_kernel); kernel;
       kernel = cake_next_cake_op(module, kernel, cake_op_cake_kernel)) {
    CakeAttr targets = cake_cake_kernel_target(kernel);
    ok &= check_names(kernel, targets);
    for (CakeOp *op = kernel; op; op = cake_op_walk_next(kernel, op, false))
      ok &= check_op(op, targets);
  }
  return ok;
}
