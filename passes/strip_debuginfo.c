// strip-debuginfo: makes every location unknown.
#include "passes/passes.h"

static bool strip(CakeLoc *loc) {
  bool was_known = !cake_loc_equal(*loc, cake_loc_unknown());
  *loc = cake_loc_unknown();
  return was_known;
}

CakePassResult cake_pass_strip_debuginfo(CakePassContext *pass, CakeOp *root) {
  bool is_changed = false;
  (void)pass;
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    is_changed |= strip(&op->loc);
    for (uint32_t i = 0; i < op->n_regions; i++) {
      for (CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next) {
        is_changed |= strip(&block->loc);
        for (uint32_t k = 0; k < block->n_args; k++)
          is_changed |= strip(&cake_block_arg(block->args[k])->loc);
      }
    }
  }
  return is_changed ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
