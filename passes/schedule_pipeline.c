// schedule-pipeline: rings of a loop get as many slots as the producer may be ahead.
#include "passes/passes.h"
#include "passes/schedule.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"
#include "verifier/rules.h"

enum { MOST_STAGES = 8 };

// A pipeline is of a loop when its slots are filled in `steps`.
static bool is_filled_in_steps(CakeSchedule *schedule, const CakeOp *pipeline) {
  for (CakeOp *op = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_acquire); op;
       op = cake_schedule_next(schedule->kernel, op, cake_op_cake_acquire))
    if (cake_op_pipeline(op) == pipeline && cake_is_cake_op(cake_op_parent(op), cake_op_cake_steps)) return true;
  return false;
}

static bool is_wanted(CakeSchedule *schedule, const CakeOp *pipeline) {
  CakeStr name = cake_pass_option_str(schedule->pass->pass, "pipeline");
  if (cake_cake_pipeline_store(pipeline)) return false;
  if (name.len && name.ptr[0] == '@') name = (CakeStr){name.ptr + 1, name.len - 1};
  return name.len ? cake_str_equal(name, cake_id_str(cake_symbol_name(pipeline)))
                  : is_filled_in_steps(schedule, pipeline);
}

static bool check_ring(CakeSchedule *schedule, CakeOp *pipeline) {
  if (cake_cake_pipeline_from(pipeline) == cake_cake_pipeline_to(pipeline))
    return cake_schedule_missed(
        schedule, pipeline,
        "one role fills and empties it, and waits for what it fills; schedule-split makes two of it");
  return true;
}

static void set_stages(CakeSchedule *schedule, int64_t stages) {
  CakeAttr number = cake_expr_const(schedule->pass->context, stages);
  for (CakeOp *op = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_pipeline); op;
       op = cake_schedule_next(schedule->kernel, op, cake_op_cake_pipeline))
    if (is_wanted(schedule, op)) cake_rewriter_set_attr_text(&schedule->rewriter, op, "stages", number);
}

// As many as fit into shared memory.
static bool set_most(CakeSchedule *schedule) {
  CakeBuf reason = {0};
  bool ok = false;
  for (int64_t stages = MOST_STAGES; !ok && stages > 1; stages--) {
    set_stages(schedule, stages);
    cake_buf_clear(&reason);
    ok = cake_schedule_test(schedule, cake_rule_shared_capacity, cake_op_parent(schedule->kernel), &reason);
  }
  if (!ok)
    cake_schedule_missed(schedule, schedule->kernel, "not even two stages fit: %s", reason.data ? reason.data : "");
  cake_buf_fini(&reason);
  return ok;
}

static bool pipeline_rings(CakeSchedule *schedule) {
  int64_t stages = cake_pass_option_int(schedule->pass->pass, "stages");
  size_t count = 0;
  for (CakeOp *op = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_pipeline); op;
       op = cake_schedule_next(schedule->kernel, op, cake_op_cake_pipeline)) {
    if (!is_wanted(schedule, op)) continue;
    if (!check_ring(schedule, op)) return false;
    count++;
  }
  if (!count) return cake_schedule_missed(schedule, schedule->kernel, "has no such pipeline; schedule-stage makes one");
  if (!stages) return set_most(schedule);
  set_stages(schedule, stages);
  return true;
}

CakePassResult cake_pass_schedule_pipeline(CakePassContext *pass, CakeOp *module) {
  int64_t stages = cake_pass_option_int(pass->pass, "stages");
  if (stages < 0 || stages > 64) {
    (void)cake_error(module, CAKE_CODE_PASS_PIPELINE, "'stages' must be from 0 to 64, but is %lld", (long long)stages);
    return CAKE_PASS_FAILED;
  }
  return cake_schedule_run(pass, module, pipeline_rings);
}
