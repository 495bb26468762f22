// composite-fixed-point-pass: runs a pipeline on its op until it changes nothing.
#include "passes/passes.h"

static CakePassResult give_up(CakePassContext *pass, CakeOp *op, int64_t rounds) {
  CakeStr name = cake_pass_option_str(pass->pass, "name");
  CakeDiagnostic *d =
      cake_diag_begin(pass->context, CAKE_WARNING, op->loc, CAKE_CODE_PASS_FAILED,
                      "'%.*s' still changes something in round %lld", CAKE_STR_ARG(name), (long long)rounds);
  cake_diag_emit(pass->context, d);
  return CAKE_PASS_CHANGED;
}

CakePassResult cake_pass_composite_fixed_point_pass(CakePassContext *pass, CakeOp *op) {
  CakeStr pipeline = cake_pass_option_str(pass->pass, "pipeline");
  int64_t rounds = cake_pass_option_int(pass->pass, "max-iterations");
  if (rounds < 1) {
    cake_error(op, CAKE_CODE_PASS_FAILED, "can't run a pipeline %lld times", (long long)rounds);
    return CAKE_PASS_FAILED;
  }
  if (!pipeline.len) return CAKE_PASS_UNCHANGED;
  for (int64_t round = 1; round <= rounds; round++) {
    uint64_t before = pass->rewriter.changes;
    if (!cake_pass_run_pipeline(pass, pipeline, op)) return CAKE_PASS_FAILED;
    if (pass->rewriter.changes == before) return before ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
  }
  return give_up(pass, op, rounds);
}
