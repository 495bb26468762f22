// print-liveness: remarks at each block on what is live into and out of it, and at each op on what it uses last.
#include "analysis/liveness.h"
#include "cake/text.h"
#include "passes/passes.h"

static void list(const char *label, const CakeValueVec *values, CakeBuf *out) {
  cake_buf_text(out, label);
  for (size_t i = 0; i < values->len; i++)
    cake_buf_printf(out, "%s%s", i ? ", " : " ", cake_value_text(values->data[i]));
  if (!values->len) cake_buf_text(out, " nothing");
}

static void tell_block(CakePassContext *pass, const CakeLiveness *liveness, const CakeBlock *block) {
  CakeValueVec in = {0}, out = {0};
  CakeBuf text = {0};
  cake_liveness_in(liveness, block, &in);
  cake_liveness_out(liveness, block, &out);
  if (block->first && (in.len || out.len)) {
    list("live in:", &in, &text);
    list("; live out:", &out, &text);
    cake_pass_remark_at(pass, block->first->loc, cake_buf_view(&text));
  }
  cake_buf_fini(&text);
  CAKE_VEC_FINI(&in);
  CAKE_VEC_FINI(&out);
}

// Whether it is not in the set, in which it is then.
static bool is_new(CakeMap *seen, const CakeValue *value) {
  uintptr_t found;
  if (cake_map_get(seen, value, &found)) return false;
  cake_map_set(seen, value, 1);
  return true;
}

static void tell_op(CakePassContext *pass, const CakeLiveness *liveness, CakeOp *op) {
  CakeValueVec last = {0};
  CakeBuf text = {0};
  CakeMap seen = {0};
  for (uint32_t i = 0; i < op->n_operands; i++) {
    CakeValue *value = cake_op_operand(op, i);
    if (is_new(&seen, value) && !cake_liveness_is_live_after(liveness, value, op)) CAKE_PUSH(&last, value);
  }
  list("last use of:", &last, &text);
  if (last.len) cake_pass_remark_at(pass, op->loc, cake_buf_view(&text));
  cake_buf_fini(&text);
  CAKE_VEC_FINI(&last);
  cake_map_fini(&seen);
}

CakePassResult cake_pass_print_liveness(CakePassContext *pass, CakeOp *root) {
  const CakeLiveness *liveness = cake_pass_analysis(pass, &cake_liveness_analysis, root);
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    tell_op(pass, liveness, op);
    for (uint32_t i = 0; i < op->n_regions; i++)
      for (CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next)
        tell_block(pass, liveness, block);
  }
  return CAKE_PASS_UNCHANGED;
}
