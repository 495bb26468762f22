// print-effects: a remark at each op on what it does to memory by itself.
#include "analysis/effects.h"
#include "cake/text.h"
#include "passes/passes.h"

static void describe(const CakeEffectAt *at, CakeBuf *out) {
  static const char *const kinds[] = {"reads", "writes", "allocates", "frees", "synchronises"};
  static const char *const spaces[] = {"memory", "global memory", "shared memory", "tensor memory", "registers"};
  if (out->len) cake_buf_text(out, ", ");
  if (!at->effect) {
    cake_buf_text(out, "may do anything");
    return;
  }
  cake_buf_printf(out, "%s %s", kinds[at->effect->kind], spaces[at->effect->space]);
  if (at->memory) cake_buf_printf(out, " of %s", cake_value_text(at->memory));
}

CakePassResult cake_pass_print_effects(CakePassContext *pass, CakeOp *root) {
  CakeEffectVec effects = {0};
  CakeBuf text = {0};
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    effects.len = 0;
    cake_effects_of_op(op, &effects);
    for (size_t i = 0; i < effects.len; i++)
      describe(&effects.data[i], &text);
    if (effects.len) cake_pass_remark_at(pass, op->loc, cake_buf_view(&text));
    cake_buf_clear(&text);
  }
  CAKE_VEC_FINI(&effects);
  cake_buf_fini(&text);
  return CAKE_PASS_UNCHANGED;
}
