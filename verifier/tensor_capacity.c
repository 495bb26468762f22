// Rule tensor-capacity: what is allocated of tensor memory at once fits its 512 columns.
//
// PTX ISA, tcgen05.alloc: an allocation is a power of two of at least 32 columns, and waits until they are free. A CTA that holds what it waits for
// itself waits for ever. Of a cake.kernel the parts of all pipelines are allocated together (cake-assign-shared): in steps of 32 columns, rounded up
// to a power of two. Of a gpu.func its allocations are counted in the order of the text.
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/gpu/gpu_accessors.h"
#include "verifier/rules.h"

enum { COLUMNS = 512, STEP = 32 };

// Columns of a pipeline's parts; -1: not known yet.
static int64_t pipeline_columns(const CakeOp *pipeline) {
  CakeAttr parts = cake_cake_pipeline_parts(pipeline);
  int64_t stages, rings = cake_pipeline_rings(pipeline), total = 0;
  if (!cake_pipeline_has_tmem(pipeline)) return 0;
  if (!cake_expr_is_const(cake_cake_pipeline_stages(pipeline), &stages) || rings < 0) return -1;
  for (size_t i = 0; i < cake_parts_count(parts); i++) {
    CakeType type = cake_parts_type(parts, i);
    if (!cake_type_is(type, &cake_type_def_tmem)) continue;
    int64_t columns = cake_shared_size(type, 1);
    if (columns < 0) return -1;
    columns = columns > COLUMNS ? COLUMNS + STEP : (columns + STEP - 1) / STEP * STEP;
    total += columns * (stages > COLUMNS ? COLUMNS : stages) * rings;
  }
  return total;
}

static CakeOp *next_pipeline(CakeOp *op) {
  while (op && !cake_is_cake_op(op, cake_op_cake_pipeline))
    op = op->next;
  return op;
}

static bool check_kernel(CakeOp *kernel) {
  CakeOp *first = next_pipeline(cake_op_region(kernel, 0)->first->first);
  int64_t total = 0;
  for (CakeOp *op = first; op; op = next_pipeline(op->next)) {
    int64_t columns = pipeline_columns(op);
    if (columns < 0) return true;
    total += columns;
  }
  if (first) cake_context_site(kernel->context);
  if (total <= COLUMNS) return true;
  CakeDiagnostic *d = cake_error_begin(kernel, CAKE_CODE_TMEM_CAPACITY,
                                       "needs %lld columns of tensor memory; there are %d", (long long)total, COLUMNS);
  for (CakeOp *op = first; op; op = next_pipeline(op->next))
    if (cake_pipeline_has_tmem(op))
      cake_diag_note(kernel->context, d, op->loc, "pipeline '@%s' needs %lld columns", cake_symbol_name(op)->text,
                     (long long)pipeline_columns(op));
  cake_diag_fix(kernel->context, d, "use fewer stages or narrower accumulators");
  return cake_diag_emit(kernel->context, d);
}

// Tensor memory that is not given back is lost for the CTAs behind.
static bool check_given_back(CakeOp *func) {
  CakeOp *alloc = NULL;
  for (CakeOp *op = func; op; op = cake_op_walk_next(func, op, false)) {
    if (cake_is_gpu_op(op, cake_op_gpu_tcgen05_dealloc)) return true;
    if (cake_is_gpu_op(op, cake_op_gpu_tcgen05_alloc)) alloc = op;
  }
  if (!alloc) return true;
  CakeDiagnostic *d = cake_error_begin(alloc, CAKE_CODE_TMEM_CAPACITY,
                                       "allocates tensor memory that is not given back before the kernel ends");
  cake_diag_fix(func->context, d, "put a 'gpu.tcgen05_dealloc' behind its last use, in the same warp");
  return cake_diag_emit(func->context, d);
}

static bool check_func(CakeOp *func) {
  int64_t live = 0;
  for (CakeOp *op = func; op; op = cake_op_walk_next(func, op, false)) {
    if (cake_is_gpu_op(op, cake_op_gpu_tcgen05_dealloc))
      live -= cake_attr_int_value(cake_gpu_tcgen05_dealloc_columns(op));
    if (!cake_is_gpu_op(op, cake_op_gpu_tcgen05_alloc)) continue;
    int64_t columns = cake_attr_int_value(cake_gpu_tcgen05_alloc_columns(op));
    live += columns;
    cake_context_site(op->context);
    if (live > COLUMNS)
      return cake_error(op, CAKE_CODE_TMEM_CAPACITY,
                        "waits for ever: it asks for %lld columns of tensor memory while %lld of %d are held",
                        (long long)columns, (long long)(live - columns), COLUMNS);
  }
  return true;
}

bool cake_rule_tensor_capacity(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false)) {
    if (cake_is_cake_op(op, cake_op_cake_kernel)) ok &= check_kernel(op);
    if (cake_is_gpu_op(op, cake_op_gpu_func)) ok &= check_func(op) && check_given_back(op);
  }
  return ok;
}
