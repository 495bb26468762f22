// Rule protocol: the protocol checker finds no execution that hangs or loses its way. A verdict that is only bounded
// passes here; the pass verify-protocol says why. That the states ran out is said here, too: it could be a fault that
// lies behind them. Functions at the gpu level are checked behind every pass, so they get fewer states.
#include "verifier/protocol.h"

#include "dialects/cake/ops/kernel.h"

#include "verifier/rules.h"

enum { LOWERED_BUDGET = 4000 };

static bool check(CakeOp *op) {
  CakeProtocolReport report;
  size_t budget = cake_is_cake_op(op, cake_op_cake_kernel) ? CAKE_PROTOCOL_BUDGET : LOWERED_BUDGET;
  if (cake_protocol_check(op, budget, true, &report) == CAKE_REFUTED) return false;
  if (report.verdict == CAKE_PROVED || report.states <= budget) return true;
  (void)cake_diag_emit(op->context,
                       cake_diag_begin(op->context, CAKE_REMARK, op->loc, CAKE_CODE_PROTOCOL_VERDICT,
                                       "protocol not proved within %zu states: verify-protocol{budget=%zu} goes on",
                                       budget, 10 * budget));
  return true;
}

bool cake_rule_protocol(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, cake_protocol_applies(op)))
    if (cake_protocol_applies(op)) {
      cake_context_site(op->context);
      ok &= check(op);
    }
  return ok;
}
