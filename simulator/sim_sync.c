// cake: barriers that roles declare, and ops that have no effect on values: in a role everything happens in program order.
#include "simulator/build.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/barriers.h"
#include "dialects/cake/ops/loops.h"

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/barriers.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/copies.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/loops.def"
#include "simulator/build_rows.h"

// ---- Without effect ------------------------------------------------------------------------------------------------------

static bool build_nothing(CakeSimBuilder *builder, CakeOp *op) {
  (void)builder, (void)op;
  return true;
}

bool cake_sim_build_cake_sync(CakeSimBuilder *builder, CakeOp *op) {
  return build_nothing(builder, op);
}
bool cake_sim_build_cake_fence(CakeSimBuilder *builder, CakeOp *op) {
  return build_nothing(builder, op);
}
bool cake_sim_build_cake_depend(CakeSimBuilder *builder, CakeOp *op) {
  return build_nothing(builder, op);
}
bool cake_sim_build_cake_prefetch(CakeSimBuilder *builder, CakeOp *op) {
  return build_nothing(builder, op);
}

// ---- barrier, meet, arrive -----------------------------------------------------------------------------------------------

// The declaration was read before any role is built (program.c).
bool cake_sim_build_cake_barrier(CakeSimBuilder *builder, CakeOp *op) {
  return build_nothing(builder, op);
}

typedef struct MeetInfo {
  CakeSimBarrier *barrier;
  uint32_t waits_for; // slot: the phase that is waited for, plus 1; 0: this machine has not come yet
} MeetInfo;

static void come(CakeSimMachine *machine, CakeSimBarrier *barrier) {
  if (++barrier->n_come < barrier->n_expected) return;
  barrier->n_come = 0;
  barrier->phase++;
  cake_sim_wake(machine->cta);
}

// That of the machine's CTA.
static CakeSimBarrier *own_barrier(const CakeSimMachine *machine, const MeetInfo *info) {
  return info->barrier + machine->rank * (int64_t)machine->cta->launch->n_barriers;
}

static CakeSimStep eval_arrive(CakeSimMachine *machine, const CakeSimInstr *instr) {
  come(machine, own_barrier(machine, instr->info));
  return CAKE_SIM_NEXT;
}

static CakeSimStep eval_meet(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const MeetInfo *info = instr->info;
  CakeSimBarrier *barrier = own_barrier(machine, info);
  int64_t *waits_for = cake_sim_ints(machine, info->waits_for);
  if (*waits_for == 0) {
    *waits_for = barrier->phase + 1;
    come(machine, barrier);
  }
  if (barrier->phase < *waits_for) return CAKE_SIM_BLOCKED;
  *waits_for = 0;
  return CAKE_SIM_NEXT;
}

static CakeSimBarrier *find_barrier(CakeSimBuilder *builder, CakeOp *op, CakeAttr reference) {
  for (size_t i = 0; i < builder->launch->n_barriers; i++)
    if (cake_symbol_name(builder->launch->barriers[i].decl) == cake_attr_symbol_root(reference))
      return &builder->launch->barriers[i];
  cake_sim_unsupported(op, "names a barrier that the kernel does not declare");
  return NULL;
}

static bool build_end(CakeSimBuilder *builder, CakeOp *op, CakeAttr reference, CakeSimEval eval) {
  MeetInfo *info = CAKE_SIM_NEW(builder, MeetInfo);
  info->barrier = find_barrier(builder, op, reference);
  if (!info->barrier) return false;
  info->waits_for = cake_sim_new_slot(
      builder, &(CakeSimSlot){.element = {.bits = 64}, .rows = 1, .cols = 1, .count = 1, .bytes = 16});
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval);
  if (!instr) return false;
  instr->info = info;
  return true;
}

bool cake_sim_build_cake_meet(CakeSimBuilder *builder, CakeOp *op) {
  return build_end(builder, op, cake_cake_meet_barrier(op), eval_meet);
}
bool cake_sim_build_cake_arrive(CakeSimBuilder *builder, CakeOp *op) {
  return build_end(builder, op, cake_cake_arrive_barrier(op), eval_arrive);
}

bool cake_sim_barrier_note(const CakeSimMachine *machine, CakeBuf *out) {
  const CakeSimInstr *instr = &machine->program->code.data[machine->pc];
  if (instr->eval != eval_meet) return false;
  const CakeSimBarrier *barrier = own_barrier(machine, instr->info);
  cake_buf_printf(out, " waits here at barrier '@%s', to which %lld of %lld instances have come",
                  cake_symbol_name(barrier->decl)->text, (long long)barrier->n_come, (long long)barrier->n_expected);
  return true;
}

// ---- call ----------------------------------------------------------------------------------------------------------------

// The function's ops are built in the place of the call, with slots of their own.
bool cake_sim_build_cake_call(CakeSimBuilder *builder, CakeOp *op) {
  CakeOp *function = cake_symbol_lookup(op, cake_cake_call_callee(op));
  CakeBlock *body = function ? cake_region_entry(cake_op_region(function, 0)) : NULL;
  CakeOperandRange args = cake_cake_call_args(op);
  const uint32_t *params = NULL, *results = NULL;
  if (!body || !body->last || body->n_args != args.count || body->last->n_operands != op->n_results)
    return cake_sim_unsupported(op, "calls what cannot be inlined");
  const uint32_t *from = cake_sim_slots_of(builder, op, args);
  if (!from || !cake_sim_define_args(builder, op, body, &params) ||
      !cake_sim_emit_moves(builder, op, from, params, args.count))
    return false;
  if (++builder->depth > CAKE_SIM_MAX_DEPTH)
    return cake_sim_unsupported(op, "is nested deeper than %d calls and regions", CAKE_SIM_MAX_DEPTH);
  for (CakeOp *inner = body->first; inner != body->last; inner = inner->next)
    if (!cake_sim_build_op(builder, inner)) return false;
  builder->depth--;
  uint32_t *returned = CAKE_ARENA_ARRAY(builder->launch->arena, uint32_t, op->n_results + 1);
  for (uint32_t i = 0; i < op->n_results; i++)
    if (!cake_sim_need_slot(builder, op, cake_op_operand(body->last, i), &returned[i])) return false;
  return cake_sim_define_results(builder, op, &results) &&
         cake_sim_emit_moves(builder, op, returned, results, op->n_results);
}
