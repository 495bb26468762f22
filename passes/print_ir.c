// print-ir: prints the op that it runs on, where the pass stands in a pipeline.
#include "passes/passes.h"

CakePassResult cake_pass_print_ir(CakePassContext *pass, CakeOp *op) {
  CakeStr label = cake_pass_option_str(pass->pass, "label");
  cake_buf_printf(pass->report, "// -----// IR Dump%s%.*s //----- //\n", label.len ? " " : "", CAKE_STR_ARG(label));
  cake_pass_print(pass, op, pass->report);
  cake_buf_char(pass->report, '\n');
  return CAKE_PASS_UNCHANGED;
}
