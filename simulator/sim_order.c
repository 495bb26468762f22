// cake: orders. The replicas of a role take turns: a turn is taken when it is this instance's and the one before has passed it on.
#include "simulator/build.h"

#include "cake/symbol.h"

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/turns.def"
#include "simulator/build_rows.h"

static CakeSimOrder *find_order(CakeSimBuilder *builder, CakeOp *op) {
  const CakeOp *decl = cake_op_order(op);
  for (size_t i = 0; i < builder->launch->n_orders; i++)
    if (builder->launch->orders[i].decl == decl) return &builder->launch->orders[i];
  cake_sim_unsupported(op, "names an order that the kernel does not declare");
  return NULL;
}

static bool build_turn(CakeSimBuilder *builder, CakeOp *op, CakeSimEval eval) {
  CakeSimOrder *order = find_order(builder, op);
  CakeSimInstr *instr = order ? cake_sim_emit(builder, op, eval) : NULL;
  if (!instr) return false;
  instr->info = order;
  return true;
}

// That of the machine's CTA.
static CakeSimOrder *own_order(const CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeSimOrder *order = (CakeSimOrder *)(uintptr_t)instr->info;
  return order + machine->rank * (int64_t)machine->cta->launch->n_orders;
}

static CakeSimStep eval_take(CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeSimOrder *order = own_order(machine, instr);
  if (order->turn != machine->instance || order->is_taken) return CAKE_SIM_BLOCKED;
  order->is_taken = true;
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_take(CakeSimBuilder *builder, CakeOp *op) {
  return build_turn(builder, op, eval_take);
}

static CakeSimStep eval_pass(CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeSimOrder *order = own_order(machine, instr);
  if (order->turn != machine->instance || !order->is_taken)
    return cake_sim_error(machine, instr->op, CAKE_CODE_TOKEN_USED_TWICE,
                          "passes on a turn of '@%s' that it does not hold", cake_symbol_name(order->decl)->text);
  order->turn = (order->turn + 1) % order->replicas;
  order->is_taken = false;
  cake_sim_wake(machine->cta);
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_cake_pass(CakeSimBuilder *builder, CakeOp *op) {
  return build_turn(builder, op, eval_pass);
}

bool cake_sim_waits_for_turn(const CakeSimInstr *instr) {
  return instr->eval == eval_take;
}

void cake_sim_turn_note(const CakeSimMachine *machine, const CakeSimInstr *instr, CakeBuf *out) {
  const CakeSimOrder *order = own_order(machine, instr);
  cake_buf_printf(out, " waits here for its turn of '@%s': it is that of instance %lld",
                  cake_symbol_name(order->decl)->text, (long long)order->turn);
}
