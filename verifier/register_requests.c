// Rule register-requests: what setmaxnreg asks for at the thread level is there, and asked for by whole warpgroups.
//
// PTX ISA, setmaxnreg: all warps of a warpgroup execute the same instruction; an increase waits until as many registers are free
// in the CTA, a decrease gives some back. A CTA of so many threads begins with an equal share of the 65,536 registers for each
// of them, in multiples of 8. So an increase that nobody's decrease pays for waits for ever.
#include "dialects/gpu/gpu_accessors.h"
#include "verifier/rules.h"
#include "verifier/threads.h"

enum { REGISTERS = 65536, MOST_A_THREAD = 256, WARPS_OF_GROUP = 4, MAX_GROUPS = CAKE_MAX_WARPS / WARPS_OF_GROUP };

typedef struct Group {
  int64_t count;
  CakeOp *op; // the last that set it; NULL: as launched
} Group;

typedef struct Budget {
  CakeOp *func;
  int32_t warps, groups;
  int64_t launched; // registers of a thread
  Group of[MAX_GROUPS];
} Budget;

// The threads that come to an op; false: not known.
static bool threads_at(const CakeOp *op, int32_t warps, CakeThreads *out) {
  *out = cake_threads_all(warps);
  for (const CakeOp *at = op, *up = cake_op_parent(op); up && !cake_is_gpu_op(up, cake_op_gpu_func);
       at = up, up = cake_op_parent(up)) {
    if (!cake_op_is(up, "scf.if")) return false;
    CakeThreadsCondition condition = cake_threads_condition(cake_op_operand(up, 0), warps);
    CakeThreads unsure = cake_threads_without(&condition.may, &condition.must);
    unsure = cake_threads_and(&unsure, out);
    if (cake_threads_warps(&unsure)) return false;
    bool is_first = at->block->region == cake_op_region(up, 0);
    *out = is_first ? cake_threads_and(out, &condition.must) : cake_threads_without(out, &condition.must);
  }
  return true;
}

static bool report_part(CakeOp *op, int32_t group) {
  return cake_error(op, CAKE_CODE_REG_BUDGET,
                    "is executed by only some threads of warpgroup %d (warps %d to %d); all of its warps must", group,
                    group * WARPS_OF_GROUP, group * WARPS_OF_GROUP + WARPS_OF_GROUP - 1);
}

static bool check_direction(const Budget *budget, CakeOp *op, int64_t count, int64_t current) {
  bool is_increase = cake_str_is(cake_attr_string_value(cake_gpu_setmaxnreg_action(op)), "increase");
  if (is_increase ? count >= current : count <= current) return true;
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_REG_BUDGET, "%ss to %lld registers a thread, which has %lld here",
                                       is_increase ? "increase" : "decrease", (long long)count, (long long)current);
  cake_diag_note(op->context, d, budget->func->loc, "%d threads begin with %lld registers each",
                 (int)budget->warps * 32, (long long)budget->launched);
  cake_diag_fix(op->context, d, "write `%s`", is_increase ? "decrease" : "increase");
  return cake_diag_emit(op->context, d);
}

// Whether some, and whether all threads of a group come.
static void share_of(const Budget *budget, const CakeThreads *threads, int32_t group, bool *out_some, bool *out_all) {
  *out_some = false;
  *out_all = true;
  for (int32_t w = group * WARPS_OF_GROUP; w < (group + 1) * WARPS_OF_GROUP && w < budget->warps; w++) {
    *out_some |= threads->lanes[w] != 0;
    *out_all &= threads->lanes[w] == UINT32_MAX;
  }
}

static bool add_request(Budget *budget, CakeOp *op, const CakeThreads *threads) {
  int64_t count = cake_attr_int_value(cake_gpu_setmaxnreg_count(op));
  for (int32_t g = 0; g < budget->groups; g++) {
    bool some, all;
    share_of(budget, threads, g, &some, &all);
    if (!some) continue;
    if (!all) return report_part(op, g);
    if (!check_direction(budget, op, count, budget->of[g].count)) return false;
    budget->of[g] = (Group){count, op};
  }
  return true;
}

static int64_t group_threads(const Budget *budget, int32_t group) {
  int32_t warps = budget->warps - group * WARPS_OF_GROUP;
  return 32 * (int64_t)(warps < WARPS_OF_GROUP ? warps : WARPS_OF_GROUP);
}

static bool check_sum(const Budget *budget) {
  int64_t sum = 0, owned = budget->launched * budget->warps * 32;
  int32_t largest = 0;
  for (int32_t g = 0; g < budget->groups; g++) {
    sum += budget->of[g].count * group_threads(budget, g);
    if (budget->of[g].count > budget->of[largest].count) largest = g;
  }
  CakeOp *op = budget->of[largest].op;
  if (sum <= owned || !op) return true;
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_REG_BUDGET,
                                       "waits for ever: the warpgroups ask for %lld registers, and the CTA has %lld",
                                       (long long)sum, (long long)owned);
  int64_t members = 0;
  for (int32_t g = 0; g < budget->groups; g++) {
    if (budget->of[g].count == budget->of[largest].count) members += group_threads(budget, g);
    cake_diag_note(op->context, d, budget->of[g].op ? budget->of[g].op->loc : budget->func->loc,
                   "warpgroup %d: %lld threads with %lld registers", g, (long long)group_threads(budget, g),
                   (long long)budget->of[g].count);
  }
  int64_t most = (owned - (sum - members * budget->of[largest].count)) / members / 8 * 8;
  if (most >= 24) cake_diag_fix(op->context, d, "write %lld: the largest number that fits", (long long)most);
  return cake_diag_emit(op->context, d);
}

static bool check_func(CakeOp *func) {
  int64_t threads = cake_attr_int_value(cake_gpu_func_block(func));
  if (threads < 32 || threads % 32 || threads / 32 > CAKE_MAX_WARPS) return true;
  Budget budget = {.func = func, .warps = (int32_t)(threads / 32), .launched = REGISTERS / threads / 8 * 8};
  if (budget.launched > MOST_A_THREAD) budget.launched = MOST_A_THREAD;
  budget.groups = (budget.warps + WARPS_OF_GROUP - 1) / WARPS_OF_GROUP;
  for (int32_t g = 0; g < budget.groups; g++)
    budget.of[g].count = budget.launched;
  for (CakeOp *op = func; op; op = cake_op_walk_next(func, op, false)) {
    CakeThreads who;
    if (!cake_is_gpu_op(op, cake_op_gpu_setmaxnreg)) continue;
    if (!threads_at(op, budget.warps, &who)) return true; // who comes is not known
    cake_context_site(op->context);
    if (!add_request(&budget, op, &who)) return false;
  }
  return check_sum(&budget);
}

bool cake_rule_register_requests(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, cake_is_gpu_op(op, cake_op_gpu_func)))
    if (cake_is_gpu_op(op, cake_op_gpu_func)) ok &= check_func(op);
  return ok;
}
