// scf: loops and branches over uniform scalars.
#include "simulator/build.h"

#include "dialects/scf/scf_ops.h"

#define CAKE_DIALECT scf
#define CAKE_ROWS "dialects/scf/scf.def"
#include "simulator/build_rows.h"

static CakeSimStep eval_jump_unless(CakeSimMachine *machine, const CakeSimInstr *instr) {
  return cake_sim_ints(machine, instr->in[0])[0] ? CAKE_SIM_NEXT : CAKE_SIM_JUMP;
}

static bool emit_jump_unless(CakeSimBuilder *builder, CakeOp *op, const CakeValue *condition, uint32_t *out_jump) {
  uint32_t *slot = CAKE_SIM_NEW(builder, uint32_t);
  if (!cake_sim_need_slot(builder, op, condition, slot)) return false;
  *out_jump = cake_sim_here(builder);
  CakeSimInstr *instr = cake_sim_emit_bare(builder, op, eval_jump_unless);
  instr->in = slot;
  instr->counts = true;
  return true;
}

// ---- for -----------------------------------------------------------------------------------------------------------------

typedef struct ForLoop {
  uint32_t lower, upper, step, induction, rounds; // slots; `rounds`: those that are left
  bool is_unsigned;
} ForLoop;

static CakeSimStep eval_for_begin(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const ForLoop *loop = instr->info;
  int64_t lower = cake_sim_ints(machine, loop->lower)[0], upper = cake_sim_ints(machine, loop->upper)[0],
          step = cake_sim_ints(machine, loop->step)[0];
  unsigned bits = cake_sim_slot_info(machine, loop->lower)->element.bits;
  if (step <= 0)
    return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED, "has the step %lld; it must be positive",
                          (long long)step);
  uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1, distance = 0;
  bool is_less = loop->is_unsigned ? ((uint64_t)lower & mask) < ((uint64_t)upper & mask) : lower < upper;
  if (is_less) distance = ((uint64_t)upper - (uint64_t)lower) & mask;
  cake_sim_ints(machine, loop->rounds)[0] = (int64_t)(distance / (uint64_t)step + (distance % (uint64_t)step != 0));
  cake_sim_ints(machine, loop->induction)[0] = cake_sim_wrap((int64_t)((uint64_t)lower - (uint64_t)step), bits);
  return CAKE_SIM_NEXT;
}

static CakeSimStep eval_for_next(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const ForLoop *loop = instr->info;
  int64_t *rounds = cake_sim_ints(machine, loop->rounds), *induction = cake_sim_ints(machine, loop->induction);
  if (*rounds == 0) return CAKE_SIM_JUMP;
  --*rounds;
  uint64_t next = (uint64_t)*induction + (uint64_t)cake_sim_ints(machine, loop->step)[0];
  *induction = cake_sim_wrap((int64_t)next, cake_sim_slot_info(machine, loop->induction)->element.bits);
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_scf_for(CakeSimBuilder *builder, CakeOp *op) {
  const CakeBlock *body = cake_region_entry(cake_op_region(op, 0));
  const uint32_t *args = NULL, *results = NULL;
  CakeOperandRange init = cake_op_operand_group(op, CAKE_GROUP(scf, for, initArgs));
  if (!cake_sim_define_args(builder, op, body, &args) || !cake_sim_define_results(builder, op, &results)) return false;
  if (body->n_args != 1 + init.count || op->n_results != init.count)
    return cake_sim_unsupported(op, "has a body whose arguments do not fit");
  ForLoop *loop = CAKE_SIM_NEW(builder, ForLoop);
  *loop = (ForLoop) {.induction = args[0], .is_unsigned = cake_op_prop(op, CAKE_ATTR_ROW(scf, for, unsignedCmp)) != NULL
  };
  const uint32_t *from = cake_sim_slots_of(builder, op, init);
  if (!from || !cake_sim_need_slot(builder, op, cake_op_operand(op, 0), &loop->lower) ||
      !cake_sim_need_slot(builder, op, cake_op_operand(op, 1), &loop->upper) ||
      !cake_sim_need_slot(builder, op, cake_op_operand(op, 2), &loop->step))
    return false;
  loop->rounds = cake_sim_new_slot(
      builder, &(CakeSimSlot){.element = {.bits = 64}, .rows = 1, .cols = 1, .count = 1, .bytes = 16});
  if (!cake_sim_emit_moves(builder, op, from, args + 1, init.count)) return false;
  cake_sim_emit_bare(builder, op, eval_for_begin)->info = loop;
  uint32_t top = cake_sim_here(builder);
  CakeSimInstr *instr = cake_sim_emit_bare(builder, op, eval_for_next);
  instr->info = loop;
  instr->counts = true;
  if (!cake_sim_build_region(builder, cake_op_region(op, 0), (CakeSimFrame){args + 1, init.count})) return false;
  cake_sim_emit_jump(builder, op, top);
  cake_sim_land(builder, top);
  return cake_sim_emit_moves(builder, op, args + 1, results, init.count);
}

// ---- if, index_switch ----------------------------------------------------------------------------------------------------

bool cake_sim_build_scf_if(CakeSimBuilder *builder, CakeOp *op) {
  const uint32_t *results = NULL;
  if (!cake_sim_define_results(builder, op, &results)) return false;
  CakeSimFrame frame = {results, op->n_results};
  uint32_t otherwise = 0;
  if (!emit_jump_unless(builder, op, cake_op_operand(op, 0), &otherwise)) return false;
  if (!cake_sim_build_region(builder, cake_op_region(op, 0), frame)) return false;
  if (!cake_region_entry(cake_op_region(op, 1))) {
    cake_sim_land(builder, otherwise);
    return true;
  }
  uint32_t end = cake_sim_emit_jump(builder, op, 0);
  cake_sim_land(builder, otherwise);
  if (!cake_sim_build_region(builder, cake_op_region(op, 1), frame)) return false;
  cake_sim_land(builder, end);
  return true;
}

static CakeSimStep eval_jump_unless_case(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const int64_t *number = instr->info;
  return cake_sim_ints(machine, instr->in[0])[0] == *number ? CAKE_SIM_NEXT : CAKE_SIM_JUMP;
}

// One case after the other, then the default.
bool cake_sim_build_scf_index_switch(CakeSimBuilder *builder, CakeOp *op) {
  CakeAttr cases = cake_op_prop(op, CAKE_ATTR_ROW(scf, index_switch, cases));
  const uint32_t *results = NULL;
  if (!cake_sim_define_results(builder, op, &results)) return false;
  CakeSimFrame frame = {results, op->n_results};
  uint32_t *slot = CAKE_SIM_NEW(builder, uint32_t);
  if (!cake_sim_need_slot(builder, op, cake_op_operand(op, 0), slot)) return false;
  uint32_t *ends = CAKE_ARENA_ARRAY(builder->launch->arena, uint32_t, op->n_regions + 1);
  for (uint32_t i = 1; i < op->n_regions; i++) {
    int64_t *number = CAKE_SIM_NEW(builder, int64_t);
    *number = cake_attr_dense_array_value(cases, i - 1);
    uint32_t jump = cake_sim_here(builder);
    CakeSimInstr *instr = cake_sim_emit_bare(builder, op, eval_jump_unless_case);
    instr->in = slot;
    instr->info = number;
    if (!cake_sim_build_region(builder, cake_op_region(op, i), frame)) return false;
    ends[i] = cake_sim_emit_jump(builder, op, 0);
    cake_sim_land(builder, jump);
  }
  if (!cake_sim_build_region(builder, cake_op_region(op, 0), frame)) return false;
  for (uint32_t i = 1; i < op->n_regions; i++)
    cake_sim_land(builder, ends[i]);
  return true;
}

// ---- while ---------------------------------------------------------------------------------------------------------------

// `condition` moves its values to the results; when it holds, they go on to the body's arguments.
bool cake_sim_build_scf_while(CakeSimBuilder *builder, CakeOp *op) {
  const CakeBlock *before = cake_region_entry(cake_op_region(op, 0)), *after = cake_region_entry(cake_op_region(op, 1));
  CakeOperandRange init = cake_op_operand_group(op, CAKE_GROUP(scf, while, inits));
  const uint32_t *before_args = NULL, *after_args = NULL, *results = NULL;
  if (!cake_sim_define_args(builder, op, before, &before_args) ||
      !cake_sim_define_args(builder, op, after, &after_args) || !cake_sim_define_results(builder, op, &results))
    return false;
  CakeOp *condition = before->last;
  if (before->n_args != init.count || after->n_args != op->n_results || !condition ||
      condition->n_operands != 1 + op->n_results)
    return cake_sim_unsupported(op, "has regions whose arguments do not fit");
  const uint32_t *from = cake_sim_slots_of(builder, op, init);
  if (!from || !cake_sim_emit_moves(builder, op, from, before_args, init.count)) return false;
  uint32_t top = cake_sim_here(builder);
  if (!cake_sim_build_region(builder, cake_op_region(op, 0), (CakeSimFrame){results, op->n_results})) return false;
  uint32_t leave = 0;
  if (!emit_jump_unless(builder, op, cake_op_operand(condition, 0), &leave)) return false;
  if (!cake_sim_emit_moves(builder, op, results, after_args, op->n_results)) return false;
  if (!cake_sim_build_region(builder, cake_op_region(op, 1), (CakeSimFrame){before_args, init.count})) return false;
  cake_sim_emit_jump(builder, op, top);
  cake_sim_land(builder, leave);
  return true;
}

bool cake_sim_build_scf_condition(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_build_yield(builder, op, cake_op_operand_group(op, CAKE_GROUP(scf, condition, args)));
}

bool cake_sim_build_scf_yield(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_build_yield(builder, op, cake_op_operand_group(op, CAKE_GROUP(scf, yield, results)));
}

// ---- What only MLIR's passes use -----------------------------------------------------------------------------------

#define NOT_SIMULATED(op)                                                                                              \
  bool cake_sim_build_scf_##op(CakeSimBuilder *builder, CakeOp *operation) {                                           \
    (void)builder;                                                                                                     \
    return cake_sim_unsupported(operation, "cannot be simulated");                                                     \
  }
NOT_SIMULATED(execute_region)
NOT_SIMULATED(forall)
NOT_SIMULATED(forall_in_parallel)
NOT_SIMULATED(parallel)
NOT_SIMULATED(reduce)
NOT_SIMULATED(reduce_return)
