// verify-protocol: the protocol checker's verdict about every kernel, with what it did to get there.
#include "verifier/protocol.h"

#include "cake/symbol.h"
#include "passes/passes.h"

static void report(CakePassContext *pass, CakeOp *op, const CakeProtocolReport *found) {
  CakeId name = cake_symbol_name(op);
  const char *text = name ? name->text : "?";
  if (found->verdict != CAKE_BOUNDED) {
    cake_pass_remark(pass, op,
                     "protocol of '@%s' %s: %zu process(es), %zu object(s), %zu action(s); %zu state(s), %zu move(s)",
                     text, cake_verdict_name(found->verdict), found->processes, found->objects, found->actions,
                     found->states, found->moves);
    return;
  }
  cake_pass_remark(pass, found->limit_op ? found->limit_op : op,
                   "protocol of '@%s' bounded: %s; %zu state(s), %zu move(s)", text, found->limit, found->states,
                   found->moves);
}

CakePassResult cake_pass_verify_protocol(CakePassContext *pass, CakeOp *root) {
  bool ok = true;
  int64_t budget = cake_pass_option_int(pass->pass, "budget");
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, cake_protocol_applies(op))) {
    CakeProtocolReport found;
    if (!cake_protocol_applies(op)) continue;
    cake_protocol_check(op, budget < 1 ? 1 : (size_t)budget, true, &found);
    report(pass, op, &found);
    cake_pass_count(pass, cake_verdict_name(found.verdict), 1);
    cake_pass_count(pass, "states", (int64_t)found.states);
    cake_pass_count(pass, "moves", (int64_t)found.moves);
    ok &= found.verdict != CAKE_REFUTED;
    if (found.verdict == CAKE_BOUNDED && cake_pass_option_bool(pass->pass, "require-proof"))
      ok = cake_error(op, CAKE_CODE_PROTOCOL_VERDICT, "has a protocol that is not proved: %s", found.limit);
  }
  return ok ? CAKE_PASS_UNCHANGED : CAKE_PASS_FAILED;
}
