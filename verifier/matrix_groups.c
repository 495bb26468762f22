// Rule matrix-groups: registers of wgmma are touched behind the fence, the commit and the wait that order them.
//
// PTX ISA, "Asynchronous warpgroup-level matrix instructions": wgmma.fence stands in front of the first wgmma.mma_async, and between any other
// access to a register and a wgmma.mma_async that takes it; an accumulator is read behind a wgmma.wait_group for the group that
// wgmma.commit_group made of its instructions.
//
// A pending accumulator is a result of gpu.wgmma, or what a loop or branch hands on of one. Only the next wgmma of the chain and gpu.wgmma_wait
// may take it.
#include "dialects/cake/cake.h"
#include "dialects/gpu/gpu_accessors.h"
#include "verifier/rules.h"

enum { MAX_DEPTH = 12 };

static bool is_wgmma(const CakeOp *op) {
  return cake_is_gpu_op(op, cake_op_gpu_wgmma) || cake_is_gpu_op(op, cake_op_gpu_wgmma_rs);
}

static bool is_wait(const CakeOp *op) {
  return cake_is_gpu_op(op, cake_op_gpu_wgmma_wait);
}

// ---- Who takes a pending accumulator -------------------------------------------------------------------------------------

static bool is_yield(const CakeOp *op) {
  return cake_op_is(op, "scf.yield") || cake_op_is(op, "scf.condition");
}

// Where a use hands a value on to: an argument of a loop, a result. NULL: nowhere.
static const CakeValue *next_of(const CakeUse *use, bool is_argument) {
  CakeOp *op = use->owner;
  uint32_t at = cake_use_index(use);
  if (cake_op_is(op, "scf.for")) {
    if (at < 3 || at - 3 >= op->n_results) return NULL;
    return is_argument ? cake_op_region(op, 0)->first->args[at - 2] : &op->results[at - 3];
  }
  if (!cake_op_is(op, "scf.yield")) return NULL;
  CakeOp *around = cake_op_parent(op);
  if (at >= around->n_results) return NULL;
  if (is_argument) return cake_op_is(around, "scf.for") ? cake_op_region(around, 0)->first->args[at + 1] : NULL;
  return &around->results[at];
}

static bool report_use(CakeOp *user, CakeOp *wgmma) {
  CakeDiagnostic *d =
      cake_error_begin(user, CAKE_CODE_MMA_ORDER, "takes an accumulator that the matrix unit may still write");
  cake_diag_note(user->context, d, wgmma->loc, "the matrix instruction");
  cake_diag_fix(user->context, d, "let it pass through a 'gpu.wgmma_wait', and take that result");
  return cake_diag_emit(user->context, d);
}

static bool check_uses(CakeOp *wgmma, const CakeValue *value, CakeMap *seen, unsigned depth) {
  if (!value || depth > MAX_DEPTH || !cake_map_add(seen, value, 1)) return true;
  for (const CakeUse *use = value->first_use; use; use = use->next) {
    CakeOp *user = use->owner;
    bool carries = is_yield(user) || cake_op_is(user, "scf.for");
    if (!carries && !is_wgmma(user) && !is_wait(user)) return report_use(user, wgmma);
    if (carries && (!check_uses(wgmma, next_of(use, true), seen, depth + 1) ||
                    !check_uses(wgmma, next_of(use, false), seen, depth + 1)))
      return false;
  }
  return true;
}

// ---- Groups that a wait leaves -------------------------------------------------------------------------------------------

static bool has_inside(CakeOp *op, int enumerator) {
  for (CakeOp *at = op; at; at = cake_op_walk_next(op, at, false))
    if (cake_is_gpu_op(at, enumerator)) return true;
  return false;
}

// Commits from behind `from` to `to` in one block (NULL: to its end). False: it depends on more.
static bool commits_between(CakeOp *from, const CakeOp *to, int64_t *count) {
  for (CakeOp *op = from->next; op != to; op = op->next) {
    if (!op || (op->n_regions && has_inside(op, cake_op_gpu_wgmma_commit))) return !op && !to;
    *count += cake_is_gpu_op(op, cake_op_gpu_wgmma_commit);
  }
  return true;
}

// The matrix instruction that gives a value, and the commits from there to `at`. NULL: not known.
static CakeOp *source_of(const CakeValue *value, const CakeOp *at, int64_t *count, unsigned depth) {
  CakeOp *op = cake_value_def(value);
  if (!op || depth > MAX_DEPTH) return NULL;
  while (at && at->block != op->block)
    at = at == cake_op_parent_named(at, "gpu.func") ? NULL : cake_op_parent(at);
  if (!at || !commits_between(op, at, count)) return NULL;
  if (is_wgmma(op)) return op;
  CakeBlock *body = cake_op_is(op, "scf.for") ? cake_op_region(op, 0)->first : NULL;
  if (!body || !body->last || value->index >= body->last->n_operands) return NULL;
  return source_of(cake_op_operand(body->last, value->index), body->last, count, depth + 1);
}

static bool check_wait(CakeOp *wait) {
  int64_t pending = cake_attr_int_value(cake_gpu_wgmma_wait_pending(wait));
  for (uint32_t i = 0; i < wait->n_operands; i++) {
    int64_t commits = 0;
    CakeOp *wgmma = source_of(cake_op_operand(wait, i), wait, &commits, 0);
    if (!wgmma || commits > pending) continue;
    CakeDiagnostic *d =
        commits == 0
            ? cake_error_begin(
                  wait, CAKE_CODE_MMA_ORDER,
                  "does not wait for an accumulator whose matrix instructions no commit has put in a group")
            : cake_error_begin(wait, CAKE_CODE_MMA_ORDER,
                               "leaves %lld group(s) under way, and an accumulator of the last %lld passes through it",
                               (long long)pending, (long long)commits);
    cake_diag_note(wait->context, d, wgmma->loc, "the matrix instruction");
    cake_diag_fix(wait->context, d,
                  commits == 0 ? "put a 'gpu.wgmma_commit' behind the matrix instructions"
                               : "wait until fewer groups are left, or let it pass through a later wait");
    return cake_diag_emit(wait->context, d);
  }
  return true;
}

// ---- Fences ----------------------------------------------------------------------------------------------------------------

static bool is_vector(const CakeValue *value) {
  return cake_type_is(value->type, &cake_type_def_vector);
}

static void want_all(CakeMap *wanted, const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_operands; i++)
    cake_map_set(wanted, cake_op_operand(op, i), 1);
}

// Whether `op` writes registers that are wanted, otherwise than as a matrix instruction does. Ops that rename registers are those that give theirs.
static bool writes_wanted(const CakeOp *op, CakeMap *wanted) {
  bool is_wanted = false;
  uintptr_t ignored;
  for (uint32_t i = 0; i < op->n_results; i++)
    is_wanted = is_wanted || cake_map_get(wanted, &op->results[i], &ignored);
  if (!is_wanted || is_wgmma(op) || is_wait(op) || op->n_regions || cake_op_has_trait(op, CAKE_TRAIT_CONSTANT))
    return false;
  if (!cake_is_gpu_op(op, cake_op_gpu_pack) && !cake_is_gpu_op(op, cake_op_gpu_unpack)) return true;
  want_all(wanted, op);
  return false;
}

static bool report_fence(CakeOp *wgmma, const CakeOp *source) {
  CakeDiagnostic *d = source ? cake_error_begin(wgmma, CAKE_CODE_MMA_ORDER,
                                                "takes registers that were written without a 'gpu.wgmma_fence' since")
                             : cake_error_begin(wgmma, CAKE_CODE_MMA_ORDER,
                                                "is the first of its warpgroup and has no 'gpu.wgmma_fence' before it");
  if (source) cake_diag_note(wgmma->context, d, source->loc, "they are written here");
  cake_diag_fix(wgmma->context, d, "put a 'gpu.wgmma_fence' in front of it");
  return cake_diag_emit(wgmma->context, d);
}

// Backwards from the instruction to a fence. Behind another one the fence is that one's matter.
static bool find_fence(CakeOp *wgmma, CakeMap *wanted) {
  for (CakeOp *at = wgmma; at && !cake_is_gpu_op(at, cake_op_gpu_func); at = cake_op_parent(at))
    for (CakeOp *op = at->prev; op; op = op->prev) {
      if (cake_is_gpu_op(op, cake_op_gpu_wgmma_fence) || (op->n_regions && has_inside(op, cake_op_gpu_wgmma_fence)))
        return true;
      if (writes_wanted(op, wanted)) return report_fence(wgmma, op);
      if (is_wgmma(op) && op->block == wgmma->block) return true;
    }
  return report_fence(wgmma, NULL);
}

static bool check_fence(CakeOp *wgmma) {
  CakeMap wanted = {0};
  for (uint32_t i = 0; i < wgmma->n_operands; i++)
    if (is_vector(cake_op_operand(wgmma, i))) cake_map_set(&wanted, cake_op_operand(wgmma, i), 1);
  bool ok = find_fence(wgmma, &wanted);
  cake_map_fini(&wanted);
  return ok;
}

static bool check_op(CakeOp *op) {
  if (is_wait(op)) return check_wait(op);
  if (!is_wgmma(op)) return true;
  cake_context_site(op->context);
  CakeMap seen = {0};
  bool ok = check_uses(op, &op->results[0], &seen, 0);
  cake_map_fini(&seen);
  return check_fence(op) && ok;
}

bool cake_rule_matrix_groups(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false))
    ok &= check_op(op);
  return ok;
}
