// Rule uniform-barriers: what a warp executes as a whole does not stand under a condition that its threads see
// differently.
//
// PTX ISA, "bar": with .aligned all threads of a warp execute the same instruction; the same is asked of shfl.sync,
// ldmatrix, mma, wgmma, setmaxnreg and elect.sync with a full mask. At the schedule level no such condition can be
// written.
#include "dialects/gpu/gpu_accessors.h"
#include "verifier/lanes.h"
#include "verifier/rules.h"

static bool report(CakeOp *op, CakeOp *around, bool is_barrier) {
  CakeDiagnostic *d = is_barrier
                          ? cake_error_begin(op, CAKE_CODE_SYNC_DIVERGENT,
                                             "waits for threads that never come: only some threads of a warp reach it")
                          : cake_error_begin(op, CAKE_CODE_SYNC_DIVERGENT,
                                             "is executed by whole warps, but only some threads of a warp reach it");
  cake_diag_note(op->context, d, around->loc, "what decides here differs among the threads of a warp");
  cake_diag_fix(op->context, d, "move it out of '%.*s'", CAKE_STR_ARG(cake_op_name(around)));
  return cake_diag_emit(op->context, d);
}

// The condition of a branch, or the bounds of a loop.
static bool is_divergent(const CakeOp *around, int32_t warps) {
  CakeFlowKind flow = around->info->def ? around->info->def->flow.kind : CAKE_FLOW_NONE;
  uint32_t count = flow == CAKE_FLOW_BRANCH ? 1 : cake_op_is(around, "scf.for") ? 3 : 0;
  for (uint32_t i = 0; i < count && i < around->n_operands; i++)
    if (cake_lanes_differ(cake_op_operand(around, i), warps)) return true;
  if (flow != CAKE_FLOW_WHILE) return false;
  CakeOp *end = cake_op_region(around, 0)->first ? cake_op_region(around, 0)->first->last : NULL;
  return end && end->n_operands && cake_lanes_differ(cake_op_operand(end, 0), warps);
}

static bool is_barrier(const CakeOp *op) {
  return cake_is_gpu_op(op, cake_op_gpu_barrier) || cake_is_gpu_op(op, cake_op_gpu_cluster_barrier) ||
         cake_is_gpu_op(op, cake_op_gpu_named_barrier) || cake_is_gpu_op(op, cake_op_gpu_warp_sync);
}

static bool check_op(CakeOp *op, const CakeMap *divergent) {
  uintptr_t is_known;
  if (op->info->dialect != &cake_dialect_gpu || !cake_op_has_trait(op, CAKE_TRAIT_CONVERGENT)) return true;
  cake_context_site(op->context);
  for (CakeOp *up = cake_op_parent(op); up && !cake_is_gpu_op(up, cake_op_gpu_func); up = cake_op_parent(up))
    if (cake_map_get(divergent, up, &is_known)) return report(op, up, is_barrier(op));
  return true;
}

static bool check_func(CakeOp *func) {
  int32_t warps = (int32_t)((cake_attr_int_value(cake_gpu_func_block(func)) + 31) / 32);
  CakeMap divergent = {0};
  bool ok = true;
  for (CakeOp *op = func; op; op = cake_op_walk_next(func, op, false)) {
    if (op->n_regions && op != func && is_divergent(op, warps)) cake_map_set(&divergent, op, 1);
    ok &= check_op(op, &divergent);
  }
  cake_map_fini(&divergent);
  return ok;
}

bool cake_rule_uniform_barriers(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, cake_is_gpu_op(op, cake_op_gpu_func)))
    if (cake_is_gpu_op(op, cake_op_gpu_func)) ok &= check_func(op);
  return ok;
}
