// Rule order-turns: a replica that holds a turn of an order cannot wait for anything else, or its neighbours wait with it; and it takes turns
// as often as they do, for which no condition may stand around the taking.
#include "verifier/rules.h"

#include "dialects/cake/ops/barriers.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/role.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"
#include "dialects/cake/ops/turns.h"

static bool may_wait(const CakeOp *op) {
  return cake_is_cake_op(op, cake_op_cake_acquire) || cake_is_cake_op(op, cake_op_cake_wait) ||
         cake_is_cake_op(op, cake_op_cake_await) || cake_is_cake_op(op, cake_op_cake_meet) ||
         cake_is_cake_op(op, cake_op_cake_take);
}

static bool report_wait(CakeOp *take, CakeOp *op) {
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_TURN_BLOCKED, "may wait while %s holds a turn of order %s",
                                       cake_where(op), cake_attr_text(cake_cake_take_order(take)));
  cake_diag_note(op->context, d, take->loc, "the turn is taken here");
  cake_diag_fix(op->context, d, "`cake.pass %s` before it, or move it before the taking",
                cake_value_text(&take->results[0]));
  return cake_diag_emit(op->context, d);
}

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

static bool check_between(CakeOp *take, CakeOp *pass) {
  for (CakeOp *op = take->next; op && op != pass; op = op->next) {
    for (CakeOp *inner = op; inner; inner = cake_op_walk_next(op, inner, false))
      if (may_wait(inner)) return report_wait(take, inner);
  }
  return true;
}

static bool check_turn(CakeOp *take) {
  const CakeUse *use = take->results[0].first_use;
  CakeOp *pass = use ? use->owner : NULL;
  if (!check_around(take)) return false;
  if (!pass || !cake_is_cake_op(pass, cake_op_cake_pass)) return true; // reported by linear-values, or handed on
  return pass->block == take->block ? check_between(take, pass) : report_level(take, pass);
}

bool cake_rule_order_turns(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = cake_next_cake_op(module, NULL, cake_op_cake_take); op;
       op = cake_next_cake_op(module, op, cake_op_cake_take))
    ok &= check_turn(op);
  return ok;
}
