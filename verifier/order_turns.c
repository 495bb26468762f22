// Rule order-turns: a turn is passed on where it was taken, and all replicas take equally many, for which no condition may stand around the taking.
// What waits while it holds a turn is the rule protocol's to prove: a wait for what comes without the neighbours is harmless.
#include "verifier/rules.h"

#include "dialects/cake/ops/barriers.h"
#include "dialects/cake/ops/role.h"
#include "dialects/cake/ops/tiles.h"
#include "dialects/cake/ops/turns.h"

static bool report_level(CakeOp *take, CakeOp *pass) {
  CakeDiagnostic *d =
      cake_error_begin(pass, CAKE_CODE_TURN_BLOCKED, "passes a turn on in another region than it was taken in");
  cake_diag_note(pass->context, d, take->loc, "the turn is taken here");
  return cake_diag_emit(pass->context, d);
}

// What stands around the taking: loops with as many rounds for every replica.
static bool check_around(CakeOp *take) {
  for (CakeOp *up = cake_op_parent(take); up && !cake_is_cake_op(up, cake_op_cake_role); up = cake_op_parent(up)) {
    if (cake_is_cake_op(up, cake_op_cake_items) || cake_is_cake_op(up, cake_op_cake_steps)) continue;
    CakeDiagnostic *d =
        cake_error_begin(take, CAKE_CODE_TURN_BLOCKED, "takes a turn of order %s a number of times that is not known",
                         cake_attr_text(cake_cake_take_order(take)));
    cake_diag_note(take->context, d, up->loc, "'%.*s' is around it", CAKE_STR_ARG(cake_op_name(up)));
    cake_diag_fix(take->context, d, "take turns in items and steps only");
    return cake_diag_emit(take->context, d);
  }
  return true;
}

static bool check_turn(CakeOp *take) {
  const CakeUse *use = take->results[0].first_use;
  CakeOp *pass = use ? use->owner : NULL;
  cake_context_site(take->context);
  if (!check_around(take)) return false;
  if (!pass || !cake_is_cake_op(pass, cake_op_cake_pass)) return true; // reported by linear-values, or handed on
  return pass->block == take->block || report_level(take, pass);
}

bool cake_rule_order_turns(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = cake_next_cake_op(module, NULL, cake_op_cake_take); op;
       op = cake_next_cake_op(module, op, cake_op_cake_take))
    ok &= check_turn(op);
  return ok;
}
