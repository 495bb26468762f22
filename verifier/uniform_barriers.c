// Rule uniform-barriers: what a warp executes as a whole does not stand under a condition that its threads see
// differently.
//
// PTX ISA, "bar": with .aligned all threads of a warp execute the same instruction; the same is asked of shfl.sync,
// ldmatrix, mma, wgmma, setmaxnreg and elect.sync with a full mask. At the schedule level no such condition can be
// written.
#include "dialects/gpu/gpu_accessors.h"
#include "verifier/lanes.h"
#include "verifier/rules.h"

static bool report(CakeOp *op, CakeOp *around, bool is_barrier, bool of_warps) {
  const char *who = of_warps ? "warps" : "threads of a warp";
  CakeDiagnostic *d = is_barrier
                          ? cake_error_begin(op, CAKE_CODE_SYNC_DIVERGENT,
                                             "waits for threads that never come: only some %s reach it", who)
                          : cake_error_begin(op, CAKE_CODE_SYNC_DIVERGENT,
                                             "is executed by whole warps, but only some threads of a warp reach it");
  cake_diag_note(op->context, d, around->loc, "what decides here differs among the %s",
                 of_warps ? "warps" : "threads of a warp");
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

enum { MAX_BLOCKS = 64 };

// ---- Blocks --------------------------------------------------------------------------------------------------------------

// Whether a way leads from `from` to `to` (NULL: to the end of the function) that does not come through `without`.
static bool has_way(CakeBlock *from, const CakeBlock *to, const CakeBlock *without) {
  CAKE_VEC(CakeBlock *) work = {0};
  CakeMap seen = {0};
  bool found = false;
  CAKE_PUSH(&work, from);
  while (work.len && !found) {
    CakeBlock *at = work.data[--work.len];
    found = at == to || (!to && at != without && at->last && !at->last->n_successors);
    if (found || at == without || !at->last || !cake_map_add(&seen, at, 1)) continue;
    for (uint32_t i = 0; i < at->last->n_successors; i++)
      CAKE_PUSH(&work, cake_op_successor(at->last, i));
  }
  CAKE_VEC_FINI(&work);
  cake_map_fini(&seen);
  return found;
}

// Whether a value that is known is another in other warps. Of branches that are structured the rule protocol says so.
static bool warps_differ(const CakeValue *value, int32_t warps) {
  int32_t first, number;
  if (!cake_lane_number(value, 0, 0, &first)) return false;
  for (int32_t warp = 1; warp < warps; warp++)
    if (cake_lane_number(value, warp, 0, &number) && number != first) return true;
  return false;
}

// A branch between blocks that threads take differently, where some come to `block` and others end without it.
static CakeOp *parting_branch(CakeBlock *block, int32_t warps, bool (*differ)(const CakeValue *, int32_t)) {
  size_t blocks = 0;
  for (CakeBlock *at = block->region->first; at; at = at->next)
    if (++blocks > MAX_BLOCKS) return NULL;
  for (CakeBlock *at = block->region->first; at; at = at->next) {
    CakeOp *end = at->last;
    if (!end || end->n_successors < 2 || !end->n_operands || !differ(cake_op_operand(end, 0), warps)) continue;
    for (uint32_t i = 0; i < end->n_successors; i++)
      for (uint32_t k = 0; k < end->n_successors; k++)
        if (i != k && has_way(cake_op_successor(end, i), block, NULL) &&
            has_way(cake_op_successor(end, k), NULL, block))
          return end;
  }
  return NULL;
}

// ---- Ops -----------------------------------------------------------------------------------------------------------------

static bool is_barrier(const CakeOp *op) {
  return cake_is_gpu_op(op, cake_op_gpu_barrier) || cake_is_gpu_op(op, cake_op_gpu_cluster_barrier) ||
         cake_is_gpu_op(op, cake_op_gpu_named_barrier) || cake_is_gpu_op(op, cake_op_gpu_warp_sync);
}

// The branches at which threads part from a block: kept for the ops of the block.
typedef struct Parted {
  const CakeBlock *block;
  CakeOp *of_lanes, *of_warps;
} Parted;

static void find_parted(CakeBlock *block, int32_t warps, Parted *parted) {
  if (parted->block == block) return;
  *parted =
      (Parted){block, parting_branch(block, warps, cake_lanes_differ), parting_branch(block, warps, warps_differ)};
}

static bool check_blocks(CakeOp *op, int32_t warps, Parted *parted) {
  for (CakeOp *at = op; at && !cake_is_gpu_op(at, cake_op_gpu_func); at = cake_op_parent(at)) {
    if (at->block->region->first == at->block->region->last) continue;
    find_parted(at->block, warps, parted);
    if (parted->of_lanes) return report(op, parted->of_lanes, is_barrier(op), false);
    if (parted->of_warps && cake_is_gpu_op(op, cake_op_gpu_barrier)) return report(op, parted->of_warps, true, true);
  }
  return true;
}

static bool check_op(CakeOp *op, const CakeMap *divergent, int32_t warps, Parted *parted) {
  uintptr_t is_known;
  if (op->info->dialect != &cake_dialect_gpu || !cake_op_has_trait(op, CAKE_TRAIT_CONVERGENT)) return true;
  cake_context_site(op->context);
  for (CakeOp *up = cake_op_parent(op); up && !cake_is_gpu_op(up, cake_op_gpu_func); up = cake_op_parent(up))
    if (cake_map_get(divergent, up, &is_known)) return report(op, up, is_barrier(op), false);
  return check_blocks(op, warps, parted);
}

static bool check_func(CakeOp *func) {
  int32_t warps = (int32_t)((cake_attr_int_value(cake_gpu_func_block(func)) + 31) / 32);
  CakeMap divergent = {0};
  Parted parted = {0};
  bool ok = true;
  for (CakeOp *op = func; op; op = cake_op_walk_next(func, op, false)) {
    if (op->n_regions && op != func && is_divergent(op, warps)) cake_map_set(&divergent, op, 1);
    ok &= check_op(op, &divergent, warps, &parted);
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
