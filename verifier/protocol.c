// Rule protocol: the protocol checker finds no execution that hangs or loses its way. A verdict that is only bounded
// passes here; the pass verify-protocol says so. Functions at the gpu level are checked behind every pass, so they get
// few states here: enough for most faults, which come early, and not for every proof.
#include "verifier/protocol.h"

#include "verifier/rules.h"

enum { LOWERED_BUDGET = 2000 };

bool cake_rule_protocol(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, cake_protocol_applies(op))) {
    CakeProtocolReport report;
    size_t budget = cake_is_cake_op(op, cake_op_cake_kernel) ? CAKE_PROTOCOL_BUDGET : LOWERED_BUDGET;
    if (cake_protocol_applies(op)) ok &= cake_protocol_check(op, budget, true, &report) != CAKE_REFUTED;
  }
  return ok;
}
