// Rule protocol: the protocol checker finds no execution that hangs or loses its way. A verdict that is only bounded
// passes here; the pass verify-protocol says so.
#include "verifier/protocol.h"

#include "verifier/rules.h"

bool cake_rule_protocol(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, cake_protocol_applies(op))) {
    CakeProtocolReport report;
    if (cake_protocol_applies(op)) ok &= cake_protocol_check(op, CAKE_PROTOCOL_BUDGET, true, &report) != CAKE_REFUTED;
  }
  return ok;
}
