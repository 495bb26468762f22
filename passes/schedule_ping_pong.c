// schedule-ping-pong: the instances of a role take turns to issue the products of a step.
//
// An order over the role is declared; in each block the turn is taken in front of the first product and passed on behind the last one, so that one
// instance computes while the matrix unit works for another.
#include "passes/passes.h"
#include "passes/schedule.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/role.h"
#include "dialects/cake/ops/turns.h"
#include "passes/lower.h"

static bool is_pending(const CakeOp *op) {
  return cake_is_cake_op(op, cake_op_cake_mma) && cake_type_is(op->results[0].type, &cake_type_def_pending);
}

static CakeId declare_order(CakeSchedule *schedule, CakeOp *role) {
  CakeContext *context = schedule->pass->context;
  CakeId name = cake_schedule_name(schedule, "turns");
  CakeNamedAttr attrs[] = {
      cake_schedule_attr(schedule, "sym_name", cake_attr_string_id(context, name)),
      cake_schedule_attr(schedule, "over", cake_schedule_symbol(schedule, cake_symbol_name(role)))};
  CakeBuild build = {.name = "cake.order", .attrs = attrs, .n_attrs = 2};
  cake_rewriter_set_before(&schedule->rewriter, cake_schedule_next(schedule->kernel, NULL, cake_op_cake_role));
  cake_rewriter_build(&schedule->rewriter, &build);
  return name;
}

static void take_turn(CakeSchedule *schedule, CakeId order, CakeOp *first, CakeOp *last) {
  CakeNamedAttr attr = cake_schedule_attr(schedule, "order", cake_schedule_symbol(schedule, order));
  CakeBuild take = {.name = "cake.take", .attrs = &attr, .n_attrs = 1};
  cake_rewriter_set_before(&schedule->rewriter, first);
  CakeValue *turn = &cake_rewriter_build(&schedule->rewriter, &take)->results[0];
  cake_lower_name(turn, "turn");
  CakeBuild pass = {.name = "cake.pass", .operands = &turn, .n_operands = 1};
  cake_rewriter_set_after(&schedule->rewriter, last);
  cake_rewriter_build(&schedule->rewriter, &pass);
}

static bool ping_pong(CakeSchedule *schedule) {
  CakeOp *first = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_mma), *last = first;
  if (!first || !is_pending(first))
    return cake_schedule_missed(schedule, first ? first : schedule->kernel,
                                "has no product that is pending; schedule-form makes one");
  CakeOp *role = cake_op_role(first), *order = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_order);
  if (cake_schedule_replicas(role) < 2)
    return cake_schedule_missed(schedule, role, "is alone; schedule-replicate makes several of it");
  if (order && cake_attr_symbol_root(cake_cake_order_over(order)) == cake_symbol_name(role))
    return cake_schedule_missed(schedule, order, "the role takes turns already");
  for (CakeOp *op = cake_schedule_next(schedule->kernel, first, cake_op_cake_mma); op;
       op = cake_schedule_next(schedule->kernel, op, cake_op_cake_mma)) {
    if (op->block != first->block)
      return cake_schedule_missed(schedule, op,
                                  "stands in another block than the first product; turns would have to nest");
    last = op;
  }
  take_turn(schedule, declare_order(schedule, role), first, last);
  return true;
}

CakePassResult cake_pass_schedule_ping_pong(CakePassContext *pass, CakeOp *module) {
  return cake_schedule_run(pass, module, ping_pong);
}
