// Rules about the resources of a CTA: register-budget, shared-capacity, thread-limit. They need numbers, so templates
// are checked as instances.
#include "analysis/targets.h"

#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/role.h"
#include "dialects/cake/ops/views.h"

#include "verifier/rules.h"

static bool each_kernel(CakeOp *module, bool (*check)(CakeOp *kernel)) {
  bool ok = true;
  for (CakeOp *op = cake_next_cake_op(module, NULL, cake_op_cake_kernel); op;
       op = cake_next_cake_op(module, op, cake_op_cake_kernel))
    ok &= check(op);
  return ok;
}

static CakeOp *next_role(CakeOp *op) {
  while (op && !cake_is_cake_op(op, cake_op_cake_role))
    op = op->next;
  return op;
}

static CakeOp *first_role(CakeOp *kernel) {
  return next_role(cake_op_region(kernel, 0)->first->first);
}

// ---- thread-limit --------------------------------------------------------------------------------------------------

static bool check_threads(CakeOp *kernel) {
  CakeAttr targets = cake_cake_kernel_target(kernel);
  int64_t threads = cake_kernel_threads(kernel);
  if (threads > 0) cake_context_site(kernel->context);
  for (size_t i = 0; i < cake_attr_count(targets); i++) {
    const CakeTarget *target = cake_target_find(cake_attr_string_value(cake_attr_element(targets, i)));
    if (target && threads > target->threads_per_cta)
      return cake_error(kernel, CAKE_CODE_THREAD_LIMIT,
                        "has roles of %lld threads together; a CTA on %s has at most %d", (long long)threads,
                        target->name, target->threads_per_cta);
  }
  return true;
}

bool cake_rule_thread_limit(CakeOp *module) {
  return each_kernel(module, check_threads);
}

// ---- register-budget -----------------------------------------------------------------------------------------------

// PTX ISA, setmaxnreg: registers are moved between warpgroups of the CTA; there are as many as it was launched with,
// the register file divided by the threads, in steps of 8.
enum { REGISTERS = 65536, GROUP_THREADS = 128 };

typedef struct Budget {
  int64_t threads, at_launch, limit, sum;
  CakeOp *largest; // the role that asks for most
  int64_t largest_regs, largest_groups;
} Budget;

static bool add_role(Budget *budget, CakeOp *role) {
  CakeRoleShape shape;
  if (!cake_role_shape(role, &shape)) return false;
  int64_t groups = (shape.warps * shape.replicas + 3) / 4;
  int64_t regs = shape.regs ? shape.regs : budget->at_launch;
  budget->sum += regs * groups * GROUP_THREADS;
  if (shape.regs <= budget->largest_regs) return true;
  budget->largest = role;
  budget->largest_regs = shape.regs;
  budget->largest_groups = groups;
  return true;
}

static void note_roles(CakeOp *kernel, CakeDiagnostic *d, const Budget *budget) {
  for (CakeOp *role = first_role(kernel); role; role = next_role(role->next)) {
    CakeRoleShape shape;
    if (!cake_role_shape(role, &shape)) continue;
    int64_t groups = (shape.warps * shape.replicas + 3) / 4, regs = shape.regs ? shape.regs : budget->at_launch;
    cake_diag_note(kernel->context, d, role->loc, "%s: %lld warpgroup(s) × 128 threads × %lld registers = %lld",
                   cake_where(role), (long long)groups, (long long)regs, (long long)(groups * GROUP_THREADS * regs));
  }
}

static bool check_registers(CakeOp *kernel) {
  Budget budget = {.threads = cake_kernel_threads(kernel)};
  if (budget.threads <= 0 || budget.threads > 1024) return true;
  budget.at_launch = REGISTERS / budget.threads / 8 * 8;
  budget.limit = budget.at_launch * budget.threads;
  for (CakeOp *role = first_role(kernel); role; role = next_role(role->next))
    if (!add_role(&budget, role)) return true;
  cake_context_site(kernel->context);
  if (!budget.largest || budget.sum <= budget.limit) return true;
  int64_t rest = budget.sum - budget.largest_regs * budget.largest_groups * GROUP_THREADS;
  int64_t most = (budget.limit - rest) / (budget.largest_groups * GROUP_THREADS) / 8 * 8;
  CakeDiagnostic *d = cake_error_begin(budget.largest, CAKE_CODE_REG_BUDGET,
                                       "%s asks for %lld registers a thread: the CTA would need %lld, but has %lld",
                                       cake_where(budget.largest), (long long)budget.largest_regs,
                                       (long long)budget.sum, (long long)budget.limit);
  note_roles(kernel, d, &budget);
  if (most >= 24)
    cake_diag_fix(kernel->context, d, "write regs(%lld): the largest budget that fits", (long long)most);
  else
    cake_diag_fix(kernel->context, d, "take a replica or a role away");
  return cake_diag_emit(kernel->context, d);
}

bool cake_rule_register_budget(CakeOp *module) {
  return each_kernel(module, check_registers);
}

// ---- shared-capacity -----------------------------------------------------------------------------------------------

static int64_t round_up(int64_t value, int64_t multiple) {
  return (value + multiple - 1) / multiple * multiple;
}

// Bytes of a pipeline's slots and mbarriers (two of 8 bytes a stage, none where the store engine empties it); -1: not
// known yet.
static int64_t pipeline_bytes(const CakeOp *pipeline) {
  CakeAttr parts = cake_cake_pipeline_parts(pipeline);
  int64_t stages, total = 0, rings = cake_pipeline_rings(pipeline);
  if (!cake_expr_is_const(cake_cake_pipeline_stages(pipeline), &stages) || rings < 0) return -1;
  for (size_t i = 0; i < cake_parts_count(parts); i++) {
    CakeType type = cake_parts_type(parts, i);
    int64_t bytes = cake_shared_bytes(type);
    if (cake_type_is(type, &cake_type_def_tmem)) continue;
    if (bytes < 0 || bytes > INT32_MAX) return bytes < 0 ? -1 : INT32_MAX;
    total += round_up(bytes, cake_shared_alignment(type)) * stages * rings;
  }
  return cake_cake_pipeline_store(pipeline) ? total : total + 16 * stages;
}

// Bytes of a buffer with its replicas; -1: not known yet. One that takes another's bytes has none.
static int64_t buffer_bytes(const CakeOp *buffer) {
  CakeType type = buffer->results[0].type;
  int64_t bytes = cake_shared_bytes(type), replicas = 1;
  if (bytes < 0 || bytes > INT32_MAX) return bytes < 0 ? -1 : INT32_MAX;
  for (const CakeUse *use = buffer->results[0].first_use; use && cake_cake_buffer_each(buffer); use = use->next) {
    CakeOp *role = cake_op_role(use->owner);
    CakeRoleShape shape;
    if (!role) continue;
    if (!cake_role_shape(role, &shape)) return -1;
    replicas = shape.replicas;
  }
  return cake_cake_buffer_alias(buffer) ? 0 : round_up(bytes, cake_shared_alignment(type)) * replicas;
}

// What a declaration takes; 0 for those that take nothing.
static int64_t declared_bytes(const CakeOp *op) {
  if (cake_is_cake_op(op, cake_op_cake_buffer)) return buffer_bytes(op);
  return cake_is_cake_op(op, cake_op_cake_pipeline) ? pipeline_bytes(op) : 0;
}

static bool report_shared(CakeOp *kernel, const CakeTarget *target, int64_t total) {
  CakeDiagnostic *d = cake_error_begin(kernel, CAKE_CODE_SHARED_CAPACITY,
                                       "needs %lld bytes of shared memory; a CTA on %s has at most %d",
                                       (long long)total, target->name, target->shared_bytes_per_cta);
  for (CakeOp *op = cake_op_region(kernel, 0)->first->first; op; op = op->next) {
    if (cake_is_cake_op(op, cake_op_cake_buffer))
      cake_diag_note(kernel->context, d, op->loc, "buffer %s needs %lld bytes", cake_value_text(&op->results[0]),
                     (long long)buffer_bytes(op));
    if (cake_is_cake_op(op, cake_op_cake_pipeline))
      cake_diag_note(kernel->context, d, op->loc, "pipeline '@%s' needs %lld bytes", cake_symbol_name(op)->text,
                     (long long)pipeline_bytes(op));
  }
  cake_diag_fix(kernel->context, d, "use fewer stages or smaller parts");
  return cake_diag_emit(kernel->context, d);
}

int64_t cake_kernel_shared_bytes(const CakeOp *kernel) {
  int64_t total = 0;
  for (CakeOp *op = cake_op_region(kernel, 0)->first->first; op; op = op->next) {
    int64_t bytes = declared_bytes(op);
    if (bytes < 0) return -1;
    total += bytes;
  }
  return total;
}

static bool check_shared(CakeOp *kernel) {
  CakeAttr targets = cake_cake_kernel_target(kernel);
  int64_t total = cake_kernel_shared_bytes(kernel);
  if (total < 0) return true;
  cake_context_site(kernel->context);
  for (size_t i = 0; i < cake_attr_count(targets); i++) {
    const CakeTarget *target = cake_target_find(cake_attr_string_value(cake_attr_element(targets, i)));
    if (target && total > target->shared_bytes_per_cta) return report_shared(kernel, target, total);
  }
  return true;
}

bool cake_rule_shared_capacity(CakeOp *module) {
  return each_kernel(module, check_shared);
}
