// A refutation as a list of moves, for whoever wants to run it.
#include "dialects/cake/cake.h"
#include "dialects/cake/ops/kernel.h"
#include "verifier/protocol_model.h"

// Matrix instructions are moves of a cake.kernel that order nothing but what the simulator does by itself.
static bool is_move(const CakeStep *step) {
  return !cake_step_is_silent(step->kind) && step->kind != CAKE_STEP_END && step->kind != CAKE_STEP_GROUP;
}

static void add_move(const CakeModel *model, CakeProtocolTrace *out, int32_t process, int32_t step) {
  const CakeProcess *by = &model->processes.data[process];
  const CakeStep *at = &by->steps.data[step];
  if (by->role && !is_move(at)) return;
  CAKE_PUSH(&out->moves, ((CakeProtocolMove){.warps = by->warps,
                                             .role = by->role,
                                             .instance = (uint32_t)by->instance,
                                             .op = at->op,
                                             .is_meeting = at->kind == CAKE_STEP_MEET}));
}

static void add_actions(const CakeModel *model, CakeProtocolTrace *out) {
  for (size_t i = 0; i < model->processes.len; i++)
    for (size_t s = 0; s < model->processes.data[i].steps.len; s++) {
      const CakeStep *step = &model->processes.data[i].steps.data[s];
      if (is_move(step)) CAKE_PUSH(&out->actions, step->op);
    }
}

// A copy to several CTAs is a step in each, and one move.
static bool is_further(const CakeModel *model, CakeMove move) {
  const CakeStep *steps = model->processes.data[move.process].steps.data;
  for (int32_t i = move.step - 1; i >= 0 && steps[i].op == steps[move.step].op; i--)
    if (steps[i].kind == CAKE_STEP_LAND) return true;
  return false;
}

static bool build(const CakeModel *model, const CakeFault *fault, CakeProtocolTrace *out) {
  for (size_t i = 0; i < fault->trace.len; i++) {
    CakeMove move = fault->trace.data[i];
    if (move.choice < 0 && !is_further(model, move)) add_move(model, out, move.process, move.step);
  }
  // What goes wrong is what the process does next.
  if (fault->process >= 0 && !is_further(model, (CakeMove){fault->process, fault->pcs[fault->process], -1}))
    add_move(model, out, fault->process, fault->pcs[fault->process]);
  add_actions(model, out);
  return true;
}

bool cake_protocol_trace(CakeOp *op, size_t budget, CakeProtocolTrace *out) {
  CakeModel model = cake_model_create(op);
  *out = (CakeProtocolTrace){0};
  if (cake_is_cake_op(op, cake_op_cake_kernel))
    cake_model_kernel(&model, op);
  else
    cake_model_function(&model, op);
  CakeSearchResult result = {0};
  if (!model.limit) result = cake_model_search(&model, budget);
  bool is_refuted = result.fault.kind != CAKE_FAULT_NONE && build(&model, &result.fault, out);
  CAKE_VEC_FINI(&result.fault.trace);
  cake_model_destroy(&model);
  return is_refuted;
}

void cake_protocol_trace_fini(CakeProtocolTrace *trace) {
  CAKE_VEC_FINI(&trace->moves);
  CAKE_VEC_FINI(&trace->actions);
}
