// print-ranges: a remark at each op and block on the ranges of the integers that it makes.
#include "analysis/ranges.h"
#include "cake/text.h"
#include "passes/passes.h"

static void put(const CakeDataflow *ranges, const CakeValue *value, CakeBuf *out) {
  CakeRange range;
  if (!cake_range_of(ranges, value, &range)) return;
  cake_buf_printf(out, "%s%s in [%lld, %lld]", out->len ? ", " : "", cake_value_text(value), (long long)range.min,
                  (long long)range.max);
}

static void tell(CakePassContext *pass, CakeLoc loc, CakeBuf *text) {
  if (text->len) cake_pass_remark_at(pass, loc, cake_buf_view(text));
  cake_buf_clear(text);
}

CakePassResult cake_pass_print_ranges(CakePassContext *pass, CakeOp *root) {
  CakeDataflow *ranges = cake_dataflow_create(&cake_ranges, root);
  CakeBuf text = {0};
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    for (uint32_t i = 0; i < op->n_results; i++)
      put(ranges, &op->results[i], &text);
    tell(pass, op->loc, &text);
    for (uint32_t r = 0; r < op->n_regions; r++)
      for (CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next) {
        for (uint32_t i = 0; i < block->n_args; i++)
          put(ranges, block->args[i], &text);
        tell(pass, block->n_args ? cake_value_loc(block->args[0]) : op->loc, &text);
      }
  }
  cake_buf_fini(&text);
  cake_dataflow_destroy(ranges);
  return CAKE_PASS_UNCHANGED;
}
