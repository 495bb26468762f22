// Which kernel of a family a launch takes: sizes are bound from the inputs' shapes before anything is instantiated.
#include "tools/run_args.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/kernel.h"
#include "targets/nvptx/runtime/launch.h"
#include "tools/npy.h"
#include "tools/run.h"
#include "tools/tool_facts.h"

// What the command line says of a call, for one kernel.
typedef struct Call {
  CakeFacts facts;
  int64_t sizes[CAKE_MANIFEST_MAX_PARAMS];
  int64_t dims[CAKE_MANIFEST_MAX_PARAMS][CAKE_MANIFEST_MAX_RANK];
  CakeArgument args[CAKE_MANIFEST_MAX_PARAMS];
} Call;

static const int64_t no_scalar = 0; // a guard does not ask for scalars

// ---- Sizes -----------------------------------------------------------------------------------------------------------

static void set_size(Call *call, CakeStr name, int64_t value) {
  size_t size = cake_facts_find_size(&call->facts, name);
  if (size != SIZE_MAX) call->sizes[size] = value;
}

// Numbers that are none are reported when they are set for good.
static void set_sizes(Call *call, const CakeToolPairs *pairs) {
  int64_t value;
  for (size_t i = 0; i < pairs->len; i++)
    if (cake_tool_int(pairs->data[i].value, &value)) set_size(call, pairs->data[i].name, value);
}

static void set_defaults(Call *call, CakeOp *kernel) {
  for (uint32_t i = 0; i < call->facts.manifest.n_sizes; i++) {
    CakeOp *param = cake_tool_param(kernel, cake_str(call->facts.manifest.sizes[i]));
    call->sizes[i] = param ? cake_attr_int_value(cake_op_attr_text(param, "value")) : -1;
  }
}

// ---- Shapes ----------------------------------------------------------------------------------------------------------

// Files that cannot be read, and other values, are reported when they are read for good.
static void set_shape(Call *call, const CakeToolPair *input) {
  size_t index = cake_facts_find(&call->facts, input->name);
  CakeNpy npy;
  CakeBuf error = {0};
  if (index == SIZE_MAX || !call->facts.manifest.args[index].is_array || cake_run_fill_find(input->value)) return;
  if (cake_npy_read(input->value.ptr, &npy, &error)) {
    for (uint32_t i = 0; i < npy.rank && i < CAKE_MANIFEST_MAX_RANK; i++)
      call->dims[index][i] = (int64_t)npy.shape[i];
    if (npy.rank == call->facts.manifest.args[index].rank) call->args[index].shape = call->dims[index];
    cake_npy_fini(&npy);
  }
  cake_buf_fini(&error);
}

static void set_call(Call *call, CakeOp *kernel, const RunOptions *options) {
  for (uint32_t i = 0; i < call->facts.manifest.n_args; i++)
    call->args[i] = (CakeArgument){.scalar = &no_scalar};
  set_defaults(call, kernel);
  set_sizes(call, &options->params);
  set_sizes(call, &options->sizes);
  for (size_t i = 0; i < options->inputs.len; i++)
    set_shape(call, &options->inputs.data[i]);
}

// ---- The choice ------------------------------------------------------------------------------------------------------

// Whether the sizes and shapes that are given are some that the kernel takes.
static bool takes_sizes(CakeOp *kernel, const RunOptions *options, CakeRuntimeError *reason) {
  Call call;
  CakeLaunchShape shape;
  if (!cake_facts_of_template(kernel, &call.facts))
    return cake_launch_refuse(reason, "its arguments cannot be given from outside");
  bool is_fine = call.facts.manifest.n_args + call.facts.manifest.n_sizes <= CAKE_MANIFEST_MAX_PARAMS ||
                 cake_launch_refuse(reason, "it has too many arguments and sizes");
  if (is_fine) {
    set_call(&call, kernel, options);
    const CakeCall launch = {.args = call.args, .sizes = call.sizes};
    is_fine = cake_launch_bind(&call.facts.manifest, &launch, &shape, reason);
  }
  cake_facts_fini(&call.facts);
  return is_fine;
}

static bool takes(CakeOp *kernel, const RunOptions *options, int sm, CakeRuntimeError *reason) {
  if (!cake_tool_has_params(kernel, &options->params)) return cake_launch_refuse(reason, "it lacks a parameter");
  if (sm > 0 && !cake_kernel_target_for(kernel, sm).ptr)
    return cake_launch_refuse(reason, "it is not written for this device (sm_%d)", sm);
  return takes_sizes(kernel, options, reason);
}

// The first of a family that takes the call; NULL: reported.
static CakeOp *choose(const CakeTool *tool, const CakeToolKernels *kernels, const RunOptions *options, int sm) {
  CakeBuf reasons = {0};
  for (size_t i = 0; i < kernels->len; i++) {
    CakeOp *kernel = kernels->data[i];
    CakeRuntimeError reason;
    bool is_fine = takes(kernel, options, sm, &reason);
    if (!is_fine) cake_buf_printf(&reasons, "\n  @%s: %s", cake_symbol_name(kernel)->text, reason.text);
    if (!is_fine) continue;
    if (options->verbose) cake_tool_note(tool, "of the family, @%s is taken", cake_symbol_name(kernel)->text);
    cake_buf_fini(&reasons);
    return kernel;
  }
  (void)cake_tool_fail(tool, "no kernel of the family takes this call:%s", reasons.data);
  cake_buf_fini(&reasons);
  return NULL;
}

CakeOp *run_choose_kernel(CakeTool *tool, const RunOptions *options, int sm) {
  CakeToolKernels kernels;
  if (!cake_tool_kernels(tool, options->kernel, &kernels)) return NULL;
  CakeOp *found = kernels.len == 1 ? kernels.data[0] : choose(tool, &kernels, options, sm);
  CAKE_VEC_FINI(&kernels);
  if (found) cake_tool_keep(tool, found);
  return found;
}
