// From a kernel at the schedule level to the thread level, and on to LLVM IR and PTX.
#include "cake/passes.h"
#include "cake/text.h"
#include "cake/verify.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/gpu/gpu_accessors.h"
#include "passes/cake_pipelines.h"
#include "tools/tool.h"
#include "tools/tool_facts.h"
#include "tools/verifiers.h"

#if CAKE_HAVE_NVPTX
#include "cake/nvptx.h"
#endif

static bool run_pipeline(CakeTool *tool, CakeStr text) {
  CakePipelineOptions options = {.verify_each = true};
  if (!tool->skip_rules) options.n_extra_verifiers = cake_tool_verifiers(&options.extra_verifiers);
  CakePipeline *pipeline = cake_pipeline_parse(tool->context, &cake_passes_registry, text);
  bool is_fine = pipeline && cake_pipeline_run(pipeline, tool->module, &options);
  cake_pipeline_destroy(pipeline);
  return is_fine;
}

CakeOp *cake_tool_gpu_module(CakeTool *tool) {
  for (CakeOp *op = cake_module_body(tool->module)->first; op; op = op->next)
    if (cake_is_gpu_op(op, cake_op_gpu_module)) return op;
  return NULL;
}

static bool has_kernel(const CakeTool *tool) {
  for (CakeOp *op = cake_module_body(tool->module)->first; op; op = op->next)
    if (cake_is_cake_op(op, cake_op_cake_kernel)) return true;
  return false;
}

CakeOp *cake_tool_lower(CakeTool *tool, CakeStr params) {
  CakeOp *lowered = has_kernel(tool) ? NULL : cake_tool_gpu_module(tool);
  if (lowered) return lowered;
  CakeBuf text = {0};
  cake_lower_pipeline(&text, params, tool->watchdog_ns);
  bool is_fine = run_pipeline(tool, cake_buf_view(&text));
  cake_buf_fini(&text);
  if (!is_fine) return NULL;
  CakeOp *module = cake_tool_gpu_module(tool);
  if (!module) (void)cake_tool_fail(tool, "%s has no kernel that could be lowered", tool->file);
  return module;
}

CakeOp *cake_tool_func(CakeTool *tool, CakeOp *gpu_module) {
  CakeBlock *body = cake_region_entry(cake_op_region(gpu_module, 0));
  CakeOp *found = NULL;
  for (CakeOp *op = body ? body->first : NULL; op; op = op->next) {
    if (!cake_is_gpu_op(op, cake_op_gpu_func)) continue;
    if (found) {
      (void)cake_error(gpu_module, CAKE_CODE_IR_SEMANTICS, "has more than one function");
      return NULL;
    }
    found = op;
  }
  if (!found) (void)cake_tool_fail(tool, "%s has no kernel that could be lowered", tool->file);
  return found;
}

#if CAKE_HAVE_NVPTX

bool cake_tool_emit_llvm(CakeTool *tool, CakeOp *gpu_module, const char *target, bool line_info, CakeBuf *out) {
  (void)tool;
  CakeNvptxOptions options = {.target = target, .line_info = line_info};
  return cake_nvptx_emit_llvm(gpu_module, &options, out);
}

bool cake_tool_emit_ptx(CakeTool *tool, CakeOp *gpu_module, const char *target, bool line_info, CakeBuf *out) {
  CakeNvptxOptions options = {.target = target, .line_info = line_info};
  CakeOp *func = cake_tool_func(tool, gpu_module);
  CakeFacts facts;
  if (!func || !cake_facts_of_func(func, target, &facts)) return false;
  cake_manifest_comment(&facts.manifest, out);
  cake_facts_fini(&facts);
  return cake_nvptx_emit_ptx(gpu_module, &options, out);
}

#else

static bool lacks_llvm(CakeTool *tool) {
  return cake_tool_fail(tool, "built without LLVM 22, so it cannot emit code for a GPU; build it where llvm-22-dev is "
                              "installed, or give cake-run a .ptx file");
}

bool cake_tool_emit_llvm(CakeTool *tool, CakeOp *gpu_module, const char *target, bool line_info, CakeBuf *out) {
  (void)gpu_module, (void)target, (void)line_info, (void)out;
  return lacks_llvm(tool);
}

bool cake_tool_emit_ptx(CakeTool *tool, CakeOp *gpu_module, const char *target, bool line_info, CakeBuf *out) {
  (void)gpu_module, (void)target, (void)line_info, (void)out;
  return lacks_llvm(tool);
}

#endif
