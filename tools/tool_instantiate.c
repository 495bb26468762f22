// A kernel's template parameters get their values.
#include "cake/passes.h"
#include "cake/verify.h"
#include "dialects/cake/ops/kernel.h"
#include "tools/tool.h"
#include "tools/verifiers.h"

bool cake_tool_instantiate(CakeTool *tool, CakeOp *kernel, CakeStr params) {
  CakeRewriter rewriter = cake_rewriter(tool->context, NULL);
  CAKE_VEC(CakeParamValue) values = {0};
  for (size_t at = 0; at < params.len;) { // "D=64,S=3", as cake_tool_params wrote it
    size_t equal = at, end;
    while (params.ptr[equal] != '=')
      equal++;
    for (end = equal; end < params.len && params.ptr[end] != ',';)
      end++;
    CakeParamValue value = {
        {params.ptr + at, equal - at},
        0
    };
    if (cake_tool_int((CakeStr){params.ptr + equal + 1, end - equal - 1}, &value.value)) CAKE_PUSH(&values, value);
    at = end + 1;
  }
  bool is_fine = cake_kernel_instantiate(&rewriter, kernel, values.data, values.len) &&
                 (tool->skip_rules ? cake_verify(tool->module) : cake_tool_verify(tool->module));
  CAKE_VEC_FINI(&values);
  return is_fine;
}
