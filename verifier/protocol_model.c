// Building a model of a kernel's protocol, and the verdict about it.
#include "verifier/protocol_model.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/gpu/gpu_accessors.h"

CakeModel cake_model_create(CakeOp *root) {
  int64_t cluster = cake_op_cluster(root);
  return (CakeModel){.root = root, .arena = cake_arena_create(), .cluster = cluster < 1 ? 1 : (int32_t)cluster};
}

void cake_model_destroy(CakeModel *model) {
  for (size_t i = 0; i < model->processes.len; i++)
    CAKE_VEC_FINI(&model->processes.data[i].steps);
  CAKE_VEC_FINI(&model->processes);
  CAKE_VEC_FINI(&model->objects);
  CAKE_VEC_FINI(&model->tapes);
  cake_arena_destroy(model->arena);
}

bool cake_model_limit(CakeModel *model, CakeOp *op, const char *why) {
  if (model->limit) return false;
  model->limit = why;
  model->limit_op = op;
  return false;
}

const char *cake_verdict_name(CakeVerdict verdict) {
  static const char *const names[] = {"proved", "refuted", "bounded"};
  return names[verdict];
}

bool cake_protocol_applies(const CakeOp *op) {
  return cake_is_cake_op(op, cake_op_cake_kernel) || cake_is_gpu_op(op, cake_op_gpu_func);
}

static size_t count_actions(const CakeModel *model) {
  size_t count = 0;
  for (size_t i = 0; i < model->processes.len; i++)
    for (size_t s = 0; s < model->processes.data[i].steps.len; s++)
      count += !cake_step_is_silent(model->processes.data[i].steps.data[s].kind);
  return count - model->processes.len; // END
}

CakeVerdict cake_protocol_check(CakeOp *op, size_t budget, bool reports, CakeProtocolReport *out) {
  CakeModel model = cake_model_create(op);
  *out = (CakeProtocolReport){.verdict = CAKE_BOUNDED};
  if (cake_is_cake_op(op, cake_op_cake_kernel))
    cake_model_kernel(&model, op);
  else
    cake_model_function(&model, op);
  CakeSearchResult result = {0};
  // A model with gaps could be refuted for what is not in it.
  if (!model.limit) result = cake_model_search(&model, budget);
  if (result.fault.kind && reports) cake_fault_report(&model, &result.fault);
  out->verdict = result.fault.kind ? CAKE_REFUTED : model.limit ? CAKE_BOUNDED : CAKE_PROVED;
  out->processes = model.processes.len;
  out->objects = model.objects.len;
  out->actions = count_actions(&model);
  out->states = result.states;
  out->moves = result.moves;
  out->limit = model.limit;
  out->limit_op = model.limit_op;
  CAKE_VEC_FINI(&result.fault.trace);
  cake_model_destroy(&model);
  return out->verdict;
}
