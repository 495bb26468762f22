// Rule buffer-filled: what a role reads from a buffer, something has written before.
//
// A read is refused when nothing writes the buffer, or only ops that come later in the round of the loops around both: then the first round reads what
// was there before the kernel. What stands under conditions, or in loops that may have no round, is not judged.
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/views.h"
#include "verifier/paths.h"
#include "verifier/rules.h"
#include "verifier/uses.h"

// Whether something around the read, and not around the write, may leave it out of the first round.
static bool may_be_left_out(CakeOp *read, CakeOp *write) {
  for (CakeOp *up = cake_op_parent(read); up && !cake_op_is(up, "cake.kernel"); up = cake_op_parent(up)) {
    if (cake_path_order(up, write) == CAKE_PATH_INSIDE) return false; // and so are all that come
    CakeFlowKind flow = up->info->def ? up->info->def->flow.kind : CAKE_FLOW_NONE;
    if (flow != CAKE_FLOW_ONCE && !cake_is_cake_op(up, cake_op_cake_unroll)) return true;
  }
  return false;
}

// Any other op that is given the buffer may write it, too.
static bool may_write(const CakeUse *use) {
  return cake_use_writes(use) || !cake_use_reads(use);
}

static bool report_read(CakeOp *buffer, CakeOp *read, const CakeOp *write) {
  CakeDiagnostic *d =
      cake_error_begin(read, CAKE_CODE_BUFFER_NOT_FILLED, "in %s reads buffer %s, which nothing has written%s",
                       cake_where(read), cake_value_text(&buffer->results[0]), write ? " before the first round" : "");
  cake_diag_note(read->context, d, write ? write->loc : buffer->loc, "%s",
                 write ? "it is written here, later" : "the buffer is here");
  cake_diag_fix(read->context, d, "`cake.put` what the first read is to find");
  return cake_diag_emit(read->context, d);
}

static bool check_read(CakeOp *buffer, CakeOp *read) {
  CakeOp *later = NULL;
  cake_context_site(read->context);
  for (const CakeUse *use = buffer->results[0].first_use; use; use = use->next) {
    if (!may_write(use)) continue;
    if (cake_path_order(use->owner, read) != CAKE_PATH_AFTER || may_be_left_out(read, use->owner)) return true;
    later = use->owner;
  }
  return report_read(buffer, read, later);
}

// Buffers that share bytes are not judged.
static bool shares_bytes(CakeOp *buffer) {
  if (cake_cake_buffer_alias(buffer)) return true;
  for (const CakeUse *use = buffer->results[0].first_use; use; use = use->next)
    if (cake_is_cake_op(use->owner, cake_op_cake_buffer)) return true;
  return false;
}

bool cake_rule_buffer_filled(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = cake_next_cake_op(module, NULL, cake_op_cake_buffer); op;
       op = cake_next_cake_op(module, op, cake_op_cake_buffer)) {
    if (shares_bytes(op)) continue;
    for (const CakeUse *use = op->results[0].first_use; use; use = use->next)
      if (!may_write(use) && cake_use_is_first(use) && cake_op_role(use->owner)) ok &= check_read(op, use->owner);
  }
  return ok;
}
