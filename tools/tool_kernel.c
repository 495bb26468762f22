// Reading a module, and choosing one of its kernels.
#include "cake/rewriter.h"
#include "cake/text.h"
#include "cake/verify.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/gpu/gpu_accessors.h"
#include "tools/tool.h"
#include "tools/verifiers.h"

#include <string.h>

bool cake_tool_load(CakeTool *tool, const char *path) {
  CakeBuf error = {0};
  tool->file = strcmp(path, "-") == 0 ? "<stdin>" : path;
  bool is_read = cake_file_read(path, &tool->text, &error);
  if (!is_read) (void)cake_tool_fail(tool, "%s", error.data);
  cake_buf_fini(&error);
  if (!is_read) return false;
  CakeStr text = cake_buf_view(&tool->text);
  tool->module = cake_parse_module(tool->context, cake_str(tool->file), text.ptr ? text : CAKE_STR(""));
  return tool->module && (tool->skip_rules ? cake_verify(tool->module) : cake_tool_verify(tool->module));
}

static CakeStr symbol_name(const CakeOp *op) {
  CakeAttr name = cake_op_attr_text(op, "sym_name");
  return cake_attr_is(name, &cake_attr_def_string) ? cake_attr_string_value(name) : CAKE_STR("");
}

typedef CAKE_VEC(CakeOp *) Kernels;

// The kernels of a module: cake.kernel, and gpu.func in a gpu.module.
static Kernels kernels_of(const CakeOp *module) {
  Kernels kernels = {0};
  for (CakeOp *op = cake_module_body(module)->first; op; op = op->next) {
    if (cake_is_cake_op(op, cake_op_cake_kernel)) CAKE_PUSH(&kernels, op);
    if (!cake_is_gpu_op(op, cake_op_gpu_module)) continue;
    CakeBlock *body = cake_region_entry(cake_op_region(op, 0));
    for (CakeOp *func = body ? body->first : NULL; func; func = func->next)
      if (cake_is_gpu_op(func, cake_op_gpu_func)) CAKE_PUSH(&kernels, func);
  }
  return kernels;
}

static CakeOp *find_kernel(CakeTool *tool, const Kernels *kernels, CakeStr name) {
  CakeBuf names = {0};
  CakeOp *found = NULL;
  for (size_t i = 0; i < kernels->len; i++) {
    CakeOp *op = kernels->data[i];
    cake_buf_printf(&names, "%s@%.*s", i ? ", " : "", CAKE_STR_ARG(symbol_name(op)));
    if (name.ptr ? cake_str_equal(symbol_name(op), name) : kernels->len == 1) found = op;
  }
  if (!found && kernels->len == 0)
    (void)cake_tool_fail(tool, "%s has no kernel", tool->file);
  else if (!found && name.ptr)
    (void)cake_tool_fail(tool, "%s has no kernel '@%.*s'; it has %s", tool->file, CAKE_STR_ARG(name), names.data);
  else if (!found)
    (void)cake_tool_fail(tool, "%s has several kernels; choose one by --kernel: %s", tool->file, names.data);
  cake_buf_fini(&names);
  return found;
}

CakeOp *cake_tool_kernel(CakeTool *tool, const char *name) {
  CakeStr wanted = {0};
  if (name) wanted = cake_str(name[0] == '@' ? name + 1 : name);
  Kernels kernels = kernels_of(tool->module);
  CakeOp *found = find_kernel(tool, &kernels, wanted);
  CakeRewriter rewriter = cake_rewriter(tool->context, NULL);
  for (size_t i = 0; found && i < kernels.len; i++)
    if (kernels.data[i] != found) cake_rewriter_erase(&rewriter, kernels.data[i]);
  CAKE_VEC_FINI(&kernels);
  return found;
}
