// How a schedule pass is applied: on a copy of the kernel, which must verify before it takes the kernel's place.
#include "passes/schedule.h"

#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"

#include "verifier/rules.h"

#include <stdarg.h>
#include <stdio.h>

// ---- Remarks -------------------------------------------------------------------------------------------------------

static void missed_at(CakePassContext *pass, CakeLoc loc, CakeStr reason) {
  CakeBuf text = {0};
  cake_buf_printf(&text, "missed: %.*s", CAKE_STR_ARG(reason));
  cake_pass_remark_at(pass, loc, cake_buf_view(&text));
  cake_buf_fini(&text);
}

bool cake_schedule_missed(CakeSchedule *schedule, const CakeOp *op, const char *format, ...) {
  CakeBuf text = {0};
  va_list args;
  va_start(args, format);
  cake_buf_vprintf(&text, format, args);
  va_end(args);
  missed_at(schedule->pass, op->loc, cake_buf_view(&text));
  cake_buf_fini(&text);
  return false;
}

// ---- Verifying without a report ------------------------------------------------------------------------------------

// The first error that was reported meanwhile.
typedef struct Quiet {
  CakeBuf reason;
  CakeLoc loc;
  bool has_error;
} Quiet;

static void keep_first(void *user, const CakeDiagnostic *diagnostic) {
  Quiet *quiet = user;
  if (diagnostic->severity != CAKE_ERROR || quiet->has_error) return;
  quiet->has_error = true;
  quiet->loc = diagnostic->loc;
  cake_buf_printf(&quiet->reason, "%.*s [%s]", CAKE_STR_ARG(diagnostic->message), cake_code_name(diagnostic->code));
  if (diagnostic->fix.len) cake_buf_printf(&quiet->reason, "; %.*s", CAKE_STR_ARG(diagnostic->fix));
}

static bool test_quietly(CakeContext *context, bool (*check)(CakeOp *op), CakeOp *op, Quiet *quiet) {
  CakeDiagnosticFn handler;
  void *user;
  cake_context_set_handler(context, keep_first, quiet, &handler, &user);
  bool ok = check(op);
  cake_context_set_handler(context, handler, user, NULL, NULL);
  return ok;
}

bool cake_schedule_test(CakeSchedule *schedule, bool (*check)(CakeOp *op), CakeOp *op, CakeBuf *out_reason) {
  Quiet quiet = {0};
  bool ok = test_quietly(schedule->pass->context, check, op, &quiet);
  if (!ok && out_reason) cake_buf_str(out_reason, cake_buf_view(&quiet.reason));
  cake_buf_fini(&quiet.reason);
  return ok;
}

static bool verify_all(CakeOp *module) {
  bool ok = cake_verify(module);
  for (const CakeVerifyFn *check = cake_extra_verifiers; ok && *check; check++)
    ok = (*check)(module);
  return ok;
}

// ---- Applying ------------------------------------------------------------------------------------------------------

// A module with a copy of one kernel and of the functions that it may call; `out_kernel` is the copy.
static CakeOp *copy_kernel(CakeOp *module, CakeOp *kernel, CakeOp **out_kernel) {
  CakeOp *copy = cake_module_create(module->context, module->loc);
  CakeRewriter rewriter = cake_rewriter(module->context, NULL);
  cake_rewriter_set_end(&rewriter, cake_module_body(copy));
  for (CakeOp *op = cake_module_body(module)->first; op; op = op->next) {
    if (cake_is_cake_op(op, cake_op_cake_kernel) && op != kernel) continue;
    CakeMap map = {0};
    CakeOp *made = cake_rewriter_clone(&rewriter, op, &map);
    if (op == kernel) *out_kernel = made;
    cake_map_fini(&map);
  }
  return copy;
}

// Whether the copy may stay. What the verifier refuses is what the pass could not know: shared memory, registers, alignment, ….
static bool accept_copy(CakePassContext *pass, CakeOp *copy) {
  Quiet quiet = {0};
  bool ok = test_quietly(pass->context, verify_all, copy, &quiet);
  if (!ok) {
    CakeBuf text = {0};
    cake_buf_printf(&text, "the result is refused: %s", quiet.reason.len ? quiet.reason.data : "no reason given");
    missed_at(pass, quiet.loc, cake_buf_view(&text));
    cake_buf_fini(&text);
  }
  cake_buf_fini(&quiet.reason);
  return ok;
}

static bool is_template(CakeSchedule *schedule, CakeOp *kernel) {
  CakeOp *param = cake_schedule_next(kernel, NULL, cake_op_cake_param);
  if (!param) return false;
  return !cake_schedule_missed(schedule, param, "the kernel is a template; run cake-instantiate first");
}

static bool is_new(CakeSchedule *schedule, CakeOp *kernel) {
  return !cake_op_equivalent(schedule->kernel, kernel) ||
         cake_schedule_missed(schedule, kernel, "the kernel is as this pass would make it");
}

bool cake_schedule_apply(CakePassContext *pass, CakeOp *module, CakeOp *kernel, CakeOp *other, CakeScheduleFn fn) {
  CakeSchedule schedule = {.pass = pass, .rewriter = cake_rewriter(pass->context, NULL), .other = other};
  if (is_template(&schedule, kernel) || (other && is_template(&schedule, other))) return false;
  CakeOp *copy = copy_kernel(module, kernel, &schedule.kernel);
  bool ok = fn(&schedule) && is_new(&schedule, kernel) && accept_copy(pass, copy);
  if (ok) {
    cake_rewriter_move_before(&pass->rewriter, schedule.kernel, kernel);
    cake_rewriter_erase(&pass->rewriter, kernel);
  }
  cake_op_destroy(copy);
  return ok;
}

CakePassResult cake_schedule_run(CakePassContext *pass, CakeOp *module, CakeScheduleFn fn) {
  CakePassResult result = CAKE_PASS_UNCHANGED;
  for (CakeOp *op = cake_module_body(module)->first, *next; op; op = next) {
    next = op->next;
    if (!cake_is_cake_op(op, cake_op_cake_kernel) || !cake_schedule_apply(pass, module, op, NULL, fn)) continue;
    cake_pass_count(pass, "kernels changed", 1);
    result = CAKE_PASS_CHANGED;
  }
  return result;
}

// ---- Reading -------------------------------------------------------------------------------------------------------

CakeOp *cake_schedule_next(CakeOp *root, CakeOp *op, int enumerator) {
  return cake_next_cake_op(root, op, enumerator);
}

bool cake_schedule_is_loop(const CakeOp *op) {
  return cake_is_cake_op(op, cake_op_cake_items) || cake_is_cake_op(op, cake_op_cake_steps) ||
         cake_is_cake_op(op, cake_op_cake_unroll);
}

CakeOp *cake_schedule_op_in(const CakeBlock *block, CakeOp *op) {
  while (op && op->block != block)
    op = cake_op_parent(op);
  return op;
}

static bool is_role(CakeAttr reference, const CakeOp *role) {
  return reference && cake_attr_symbol_root(reference) == cake_symbol_name(role);
}

bool cake_schedule_fills(const CakeOp *pipeline, const CakeOp *role) {
  return is_role(cake_cake_pipeline_from(pipeline), role);
}

bool cake_schedule_empties(const CakeOp *pipeline, const CakeOp *role) {
  return is_role(cake_cake_pipeline_to(pipeline), role);
}

CakeId cake_schedule_name(CakeSchedule *schedule, const char *stem) {
  CakeContext *context = schedule->pass->context;
  CakeId name = cake_id_text(context, stem);
  char text[64];
  for (int i = 2; cake_symbol_lookup_in(schedule->kernel, name); i++) {
    snprintf(text, sizeof text, "%.48s%d", stem, i);
    name = cake_id_text(context, text);
  }
  return name;
}

CakeStr cake_schedule_arg_name(const CakeSchedule *schedule, const CakeValue *arg) {
  return cake_attr_string_value(cake_attr_element(cake_cake_kernel_arg_names(schedule->kernel), arg->index));
}

int64_t cake_schedule_replicas(const CakeOp *role) {
  CakeRoleShape shape;
  return cake_role_shape(role, &shape) ? shape.replicas : 1;
}

bool cake_schedule_is_zero(const CakeValue *value) {
  const CakeOp *def = cake_value_def(value);
  if (!def || !cake_is_cake_op(def, cake_op_cake_fill)) return false;
  CakeAttr number = cake_cake_fill_value(def);
  return cake_attr_is(number, &cake_attr_def_float) && cake_attr_float_value(number) == 0.0;
}

CakeOp *cake_schedule_release_of(CakeOp *wait) {
  for (const CakeUse *use = wait->results[0].first_use; use; use = use->next)
    if (cake_is_cake_op(use->owner, cake_op_cake_release)) return use->owner;
  return NULL;
}

bool cake_schedule_is_written(const CakeValue *array) {
  for (const CakeUse *use = array->first_use; use; use = use->next)
    if (cake_is_cake_op(use->owner, cake_op_cake_store) || cake_is_cake_op(use->owner, cake_op_cake_commit))
      return true;
  return false;
}
