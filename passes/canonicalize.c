// canonicalize: greedy rewriting to a fixed point, and removal of blocks that cannot be reached.
#include "cake/pattern.h"
#include "passes/passes.h"

CakePassResult cake_pass_canonicalize(CakePassContext *pass, CakeOp *op) {
  CakeGreedyOptions options = {.max_iterations = cake_pass_option_int(pass->pass, "max-iterations"),
                               .max_rewrites = cake_pass_option_int(pass->pass, "max-rewrites"),
                               .keep_unreachable = !cake_pass_option_bool(pass->pass, "region-simplify"),
                               .patterns = cake_context_canonical_patterns(pass->context)};
  bool is_changed;
  if (!cake_greedy_rewrite(pass, op, &options, &is_changed)) return CAKE_PASS_FAILED;
  return is_changed ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
