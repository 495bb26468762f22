// canonicalize: greedy rewriting to a fixed point, and removal of blocks that cannot be reached.
#include "cake/pattern.h"
#include "passes/passes.h"

static bool check_regions(CakeOp *op, CakeStr simplify) {
  return cake_str_is(simplify, "normal") || cake_str_is(simplify, "aggressive") || cake_str_is(simplify, "disabled") ||
         cake_error(op, CAKE_CODE_PASS_PIPELINE,
                    "can't be canonicalised: `region-simplify` is 'normal', 'aggressive' or 'disabled', not '%.*s'",
                    CAKE_STR_ARG(simplify));
}

CakePassResult cake_pass_canonicalize(CakePassContext *pass, CakeOp *op) {
  CakeStr simplify = cake_pass_option_str(pass->pass, "region-simplify");
  if (!check_regions(op, simplify)) return CAKE_PASS_FAILED;
  CakeGreedyOptions options = {.max_iterations = cake_pass_option_int(pass->pass, "max-iterations"),
                               .max_rewrites = cake_pass_option_int(pass->pass, "max-num-rewrites"),
                               .keep_unreachable = cake_str_is(simplify, "disabled"),
                               .is_bottom_up = !cake_pass_option_bool(pass->pass, "top-down"),
                               .may_stop = !cake_pass_option_bool(pass->pass, "test-convergence"),
                               .patterns = cake_context_canonical_patterns(pass->context)};
  bool is_changed;
  if (!cake_greedy_rewrite(pass, op, &options, &is_changed)) return CAKE_PASS_FAILED;
  return is_changed ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
