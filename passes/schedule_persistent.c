// schedule-persistent: CTAs stay and take item after item, in bands of an axis when one is named.
#include "passes/passes.h"
#include "passes/schedule.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/tiles.h"

// Roles of a CTA that takes item after item read names of the items for themselves: what they read must not change.
static bool has_promises(const CakeOp *tiles) {
  CakeOperandRange arrays = cake_cake_tiles_arrays(tiles);
  for (uint32_t i = 0; i < arrays.count; i++)
    if (!(cake_global_flags(arrays.first[i].value->type) & CAKE_GLOBAL_READONLY)) return false;
  return true;
}

static bool persist(CakeSchedule *schedule) {
  CakeContext *context = schedule->pass->context;
  CakeOp *tiles = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_tiles);
  CakeStr axis = cake_pass_option_str(schedule->pass->pass, "axis");
  int64_t group = cake_pass_option_int(schedule->pass->pass, "group");
  if (!tiles) return cake_schedule_missed(schedule, schedule->kernel, "has no iterator");
  if (axis.len && cake_axes_find(cake_cake_tiles_axes(tiles), cake_id(context, axis)) < 0)
    return cake_schedule_missed(schedule, tiles, "has no axis '%.*s'", CAKE_STR_ARG(axis));
  if (!has_promises(tiles))
    return cake_schedule_missed(schedule, tiles, "reads names of its items from an array that is not `readonly`");
  bool is_longest_first = cake_schedule_is_longest_first(cake_cake_tiles_schedule(tiles));
  CakeAttr axes = cake_cake_tiles_axes(tiles);
  if (axis.len && is_longest_first && cake_axes_find(axes, cake_id(context, axis)) >= cake_tiles_steps_axis(tiles))
    return cake_schedule_missed(schedule, tiles,
                                "has its longest items first, by an axis that does not stand behind '%.*s'",
                                CAKE_STR_ARG(axis));
  CakeParam params[] = {cake_param_int(CAKE_SCHEDULE_PERSISTENT), cake_param_int(is_longest_first),
                        cake_param_id(cake_id(context, axis)), cake_param_attr(cake_expr_const(context, group))};
  CakeAttr wanted = cake_attr_get(context, &cake_attr_def_schedule, params, axis.len ? 4 : 2);
  if (cake_cake_tiles_schedule(tiles) == wanted) return cake_schedule_missed(schedule, tiles, "is persistent already");
  cake_rewriter_set_attr_text(&schedule->rewriter, tiles, "schedule", wanted);
  return true;
}

CakePassResult cake_pass_schedule_persistent(CakePassContext *pass, CakeOp *module) {
  if (cake_pass_option_int(pass->pass, "group") < 1) {
    (void)cake_error(module, CAKE_CODE_PASS_PIPELINE, "'group' must be at least 1");
    return CAKE_PASS_FAILED;
  }
  return cake_schedule_run(pass, module, persist);
}
