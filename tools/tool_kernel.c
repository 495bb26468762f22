// Reading a module, and choosing one of its kernels.
#include "cake/rewriter.h"
#include "cake/text.h"
#include "dialects/cake/cake.h"
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
  return tool->module && cake_tool_verify(tool->module);
}

static CakeStr symbol_name(const CakeOp *op) {
  CakeAttr name = cake_op_attr_text(op, "sym_name");
  return cake_attr_is(name, &cake_attr_def_string) ? cake_attr_string_value(name) : CAKE_STR("");
}

// "@a, @b"; the number of kernels.
static size_t list_kernels(const CakeOp *module, CakeBuf *out) {
  size_t count = 0;
  for (CakeOp *op = cake_module_body(module)->first; op; op = op->next) {
    if (!cake_is_cake_op(op, cake_op_cake_kernel)) continue;
    cake_buf_printf(out, "%s@%.*s", count++ ? ", " : "", CAKE_STR_ARG(symbol_name(op)));
  }
  return count;
}

static CakeOp *find_kernel(CakeTool *tool, CakeStr name) {
  CakeBuf names = {0};
  size_t count = list_kernels(tool->module, &names);
  CakeOp *found = NULL;
  for (CakeOp *op = cake_module_body(tool->module)->first; op; op = op->next) {
    if (!cake_is_cake_op(op, cake_op_cake_kernel)) continue;
    if (name.ptr ? cake_str_equal(symbol_name(op), name) : count == 1) found = op;
  }
  if (!found && count == 0)
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
  CakeOp *found = find_kernel(tool, wanted);
  if (!found) return NULL;
  CakeRewriter rewriter = cake_rewriter(tool->context, NULL);
  for (CakeOp *op = cake_module_body(tool->module)->first, *next; op; op = next) {
    next = op->next;
    if (op != found && cake_is_cake_op(op, cake_op_cake_kernel)) cake_rewriter_erase(&rewriter, op);
  }
  return found;
}
