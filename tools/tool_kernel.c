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

// The kernels of a module: cake.kernel, and gpu.func in a gpu.module.
static CakeToolKernels kernels_of(const CakeOp *module) {
  CakeToolKernels kernels = {0};
  for (CakeOp *op = cake_module_body(module)->first; op; op = op->next) {
    if (cake_is_cake_op(op, cake_op_cake_kernel)) CAKE_PUSH(&kernels, op);
    if (!cake_is_gpu_op(op, cake_op_gpu_module)) continue;
    CakeBlock *body = cake_region_entry(cake_op_region(op, 0));
    for (CakeOp *func = body ? body->first : NULL; func; func = func->next)
      if (cake_is_gpu_op(func, cake_op_gpu_func)) CAKE_PUSH(&kernels, func);
  }
  return kernels;
}

// ---- Choosing --------------------------------------------------------------------------------------------------------

static CakeStr plain_name(const char *name) {
  return name ? cake_str(name[0] == '@' ? name + 1 : name) : (CakeStr){0};
}

static bool is_named(const CakeOp *op, CakeStr name) {
  return cake_str_equal(symbol_name(op), name);
}

static bool is_of_family(const CakeOp *op, CakeStr name) {
  return cake_is_cake_op(op, cake_op_cake_kernel) && cake_kernel_family(op).ptr &&
         cake_str_equal(cake_kernel_family(op), name);
}

// Keeps those of the list that are meant by the name: one kernel, or else a family. Without a name all kernels are meant where they are one
// or of one family.
static void select_kernels(CakeToolKernels *kernels, CakeStr name) {
  size_t kept = 0;
  bool is_kernel = false;
  CakeStr family = name;
  if (!name.ptr && kernels->len == 1) return;
  for (size_t i = 0; name.ptr && i < kernels->len; i++)
    is_kernel |= is_named(kernels->data[i], name);
  if (!name.ptr && kernels->len) family = cake_kernel_family(kernels->data[0]);
  for (size_t i = 0; i < kernels->len; i++) {
    bool is_wanted = is_kernel ? is_named(kernels->data[i], name) : is_of_family(kernels->data[i], family);
    if (is_wanted) kernels->data[kept++] = kernels->data[i];
  }
  kernels->len = name.ptr || kept == kernels->len ? kept : 0;
}

// Without a kernel that is meant: what the file has.
static bool fail_to_select(CakeTool *tool, CakeStr name) {
  CakeBuf names = {0};
  CakeToolKernels all = kernels_of(tool->module);
  for (size_t i = 0; i < all.len; i++)
    cake_buf_printf(&names, "%s@%.*s", i ? ", " : "", CAKE_STR_ARG(symbol_name(all.data[i])));
  if (all.len == 0)
    (void)cake_tool_fail(tool, "%s has no kernel", tool->file);
  else if (name.ptr)
    (void)cake_tool_fail(tool, "%s has no kernel '@%.*s'; it has %s", tool->file, CAKE_STR_ARG(name), names.data);
  else
    (void)cake_tool_fail(tool, "%s has several kernels; choose one by --kernel: %s", tool->file, names.data);
  CAKE_VEC_FINI(&all);
  cake_buf_fini(&names);
  return false;
}

bool cake_tool_kernels(CakeTool *tool, const char *name, CakeToolKernels *out) {
  *out = kernels_of(tool->module);
  select_kernels(out, plain_name(name));
  if (out->len) return true;
  CAKE_VEC_FINI(out);
  return fail_to_select(tool, plain_name(name));
}

void cake_tool_keep(CakeTool *tool, const CakeOp *kernel) {
  CakeToolKernels all = kernels_of(tool->module);
  CakeRewriter rewriter = cake_rewriter(tool->context, NULL);
  for (size_t i = 0; i < all.len; i++)
    if (all.data[i] != kernel) cake_rewriter_erase(&rewriter, all.data[i]);
  CAKE_VEC_FINI(&all);
}

CakeOp *cake_tool_kernel(CakeTool *tool, const char *name) {
  CakeToolKernels kernels;
  if (!cake_tool_kernels(tool, name, &kernels)) return NULL;
  CakeOp *found = kernels.len == 1 ? kernels.data[0] : NULL;
  CAKE_VEC_FINI(&kernels);
  if (!found) return (void)fail_to_select(tool, (CakeStr){0}), NULL;
  cake_tool_keep(tool, found);
  return found;
}

// ---- Parameters ------------------------------------------------------------------------------------------------------

CakeOp *cake_tool_param(CakeOp *kernel, CakeStr name) {
  CakeBlock *body = cake_region_entry(cake_op_region(kernel, 0));
  for (CakeOp *op = body ? body->first : NULL; op; op = op->next)
    if (cake_is_cake_op(op, cake_op_cake_param) && is_named(op, name)) return op;
  return NULL;
}

bool cake_tool_has_params(CakeOp *kernel, const CakeToolPairs *pairs) {
  for (size_t i = 0; i < pairs->len; i++)
    if (!cake_tool_param(kernel, pairs->data[i].name)) return false;
  return true;
}
