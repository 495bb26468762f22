// schedule-replicate: several instances of a role, each with some of the rows of a tile.
//
// Tiles grow along the rows of the role's product: by `count`, and instance i works on the i-th part. What another role fills is
// filled for all of them at once, and each reads its rows of it; what does not depend on the rows they share.
#include "passes/passes.h"
#include "passes/schedule_tile.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/views.h"

// ---- The pass ------------------------------------------------------------------------------------------------------

// What is filled by the role itself has room for one instance.
static bool check_pipelines(CakeSchedule *schedule, const CakeOp *role) {
  for (CakeOp *op = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_pipeline); op;
       op = cake_schedule_next(schedule->kernel, op, cake_op_cake_pipeline)) {
    bool is_own = cake_schedule_fills(op, role);
    if (is_own && !cake_cake_pipeline_each(op))
      return cake_schedule_missed(schedule, op,
                                  "is filled by the role itself; schedule-split gives that to another role");
  }
  for (CakeOp *op = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_buffer); op;
       op = cake_schedule_next(schedule->kernel, op, cake_op_cake_buffer))
    for (const CakeUse *use = op->results[0].first_use; use; use = use->next)
      if (cake_op_role(use->owner) == role && !cake_cake_buffer_each(op))
        return cake_schedule_missed(schedule, op, "is one buffer for all instances");
  return true;
}

// Each instance reads its own rows of what another role filled for all.
static bool offset_reads(CakeTileClass *class, const CakeOp *role, const CakeTileVisit *at, CakeAttr own) {
  CakeOp *wait = cake_value_def(at->value);
  if (!wait || !cake_is_cake_op(wait, cake_op_cake_wait) || cake_op_role(wait) != role) return true;
  for (CakeUse *use = at->value->first_use; use; use = use->next)
    if (!cake_tile_offset_read(class->schedule, use, at->dim, own)) return false;
  return true;
}

static bool replicate_along(CakeTileClass *class, CakeOp *role, int64_t count) {
  CakeContext *context = role->context;
  CakeAttr own = cake_expr_binary(context, CAKE_EXPR_MUL, cake_expr_leaf(context, CAKE_EXPR_INSTANCE),
                                  cake_expr_const(context, class->size));
  CakeTileScale scale = {.new_size = class->size * count, .role = role, .instance_size = class->size};
  cake_tile_scale_places(class, &scale);
  cake_tile_scale_axis(class, class->size * count);
  cake_tile_resize_views(class, 1, count, role);
  for (size_t i = 0; i < class->values.len; i++)
    if (!offset_reads(class, role, &class->values.data[i], own)) return false;
  cake_rewriter_set_attr_text(&class->schedule->rewriter, role, "replicate", cake_expr_const(context, count));
  return true;
}

static bool replicate(CakeSchedule *schedule) {
  CakeOp *mma = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_mma);
  if (!mma) return cake_schedule_missed(schedule, schedule->kernel, "has no product whose rows could be shared out");
  CakeOp *role = cake_op_role(mma);
  if (cake_schedule_replicas(role) != 1) return cake_schedule_missed(schedule, role, "is replicated already");
  CakeTileClass class;
  if (!check_pipelines(schedule, role) || !cake_tile_class_find(schedule, &mma->results[0], 0, &class)) return false;
  bool ok = replicate_along(&class, role, cake_pass_option_int(schedule->pass->pass, "count"));
  cake_tile_class_fini(&class);
  return ok;
}

CakePassResult cake_pass_schedule_replicate(CakePassContext *pass, CakeOp *module) {
  int64_t count = cake_pass_option_int(pass->pass, "count");
  if (count < 2 || count > 8) {
    (void)cake_error(module, CAKE_CODE_PASS_PIPELINE, "'count' must be from 2 to 8, but is %lld", (long long)count);
    return CAKE_PASS_FAILED;
  }
  return cake_schedule_run(pass, module, replicate);
}
