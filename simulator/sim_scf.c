// scf: loops and branches, at both levels: values may differ between the lanes of a machine.
#include "simulator/build.h"

#include "dialects/scf/scf_ops.h"

#define CAKE_DIALECT scf
#define CAKE_ROWS "dialects/scf/scf.def"
#include "simulator/build_rows.h"

// A branch on which the lanes agree is a jump. Where they do not, the level says how its machine parts.

static size_t lanes_of(const CakeSimMachine *machine) {
  return machine->cta->launch->level->lanes;
}

static bool is_active(const CakeSimMachine *machine, size_t lane) {
  return machine->active >> lane & 1;
}

// ---- Branches ------------------------------------------------------------------------------------------------------------

// Taken by lanes whose value is `number`, or for a condition is not 0; the others go to the instruction's target.
typedef struct Branch {
  uint32_t slot, join; // where all go on together
  bool has_number;
  int64_t number;
} Branch;

static CakeSimStep eval_branch(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const Branch *branch = instr->info;
  const int64_t *values = cake_sim_ints(machine, branch->slot);
  uint32_t taken = 0;
  for (size_t lane = 0; lane < lanes_of(machine); lane++) {
    bool holds = branch->has_number ? values[lane] == branch->number : values[lane] != 0;
    taken |= (uint32_t)holds << lane;
  }
  return machine->cta->launch->level->part(machine, instr, taken & machine->active, branch->join);
}

// Gives the branch, whose join is to be set, and the number of its instruction. NULL: reported.
static Branch *emit_branch(CakeSimBuilder *builder, CakeOp *op, const CakeValue *value, uint32_t *out_at) {
  Branch *branch = CAKE_SIM_NEW(builder, Branch);
  if (!cake_sim_need_slot(builder, op, value, &branch->slot)) return NULL;
  *out_at = cake_sim_here(builder);
  CakeSimInstr *instr = cake_sim_emit_bare(builder, op, eval_branch);
  instr->info = branch;
  instr->counts = true;
  return branch;
}

bool cake_sim_build_scf_if(CakeSimBuilder *builder, CakeOp *op) {
  const uint32_t *results = NULL;
  uint32_t at = 0;
  if (!cake_sim_define_results(builder, op, &results)) return false;
  CakeSimFrame frame = {results, op->n_results};
  Branch *branch = emit_branch(builder, op, cake_op_operand(op, 0), &at);
  if (!branch || !cake_sim_build_region(builder, cake_op_region(op, 0), frame)) return false;
  bool has_else = cake_region_entry(cake_op_region(op, 1)) != NULL;
  uint32_t end = has_else ? cake_sim_emit_jump(builder, op, 0) : 0;
  cake_sim_land(builder, at);
  if (has_else && !cake_sim_build_region(builder, cake_op_region(op, 1), frame)) return false;
  if (has_else) cake_sim_land(builder, end);
  branch->join = cake_sim_here(builder);
  return true;
}

// One case after the other, then the default. Lanes of other cases wait at the end of each.
bool cake_sim_build_scf_index_switch(CakeSimBuilder *builder, CakeOp *op) {
  CakeAttr cases = cake_op_prop(op, CAKE_ATTR_ROW(scf, index_switch, cases));
  const uint32_t *results = NULL;
  if (!cake_sim_define_results(builder, op, &results)) return false;
  CakeSimFrame frame = {results, op->n_results};
  CakeArena *arena = builder->launch->arena;
  Branch **branches = CAKE_ARENA_ARRAY(arena, Branch *, op->n_regions + 1);
  uint32_t *ends = CAKE_ARENA_ARRAY(arena, uint32_t, op->n_regions + 1);
  for (uint32_t i = 1; i < op->n_regions; i++) {
    uint32_t at = 0;
    branches[i] = emit_branch(builder, op, cake_op_operand(op, 0), &at);
    if (!branches[i]) return false;
    branches[i]->has_number = true;
    branches[i]->number = cake_attr_dense_array_value(cases, i - 1);
    if (!cake_sim_build_region(builder, cake_op_region(op, i), frame)) return false;
    ends[i] = cake_sim_emit_jump(builder, op, 0);
    cake_sim_land(builder, at);
  }
  if (!cake_sim_build_region(builder, cake_op_region(op, 0), frame)) return false;
  for (uint32_t i = 1; i < op->n_regions; i++) {
    cake_sim_land(builder, ends[i]);
    branches[i]->join = cake_sim_here(builder);
  }
  return true;
}

// ---- Loops ---------------------------------------------------------------------------------------------------------------

typedef struct ForLoop {
  uint32_t lower, upper, step, induction, rounds; // slots; `rounds`: those that are left
  bool is_unsigned;
} ForLoop;

static uint64_t count_rounds(const ForLoop *loop, int64_t lower, int64_t upper, int64_t step, unsigned bits) {
  uint64_t mask = bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1;
  bool is_less = loop->is_unsigned ? ((uint64_t)lower & mask) < ((uint64_t)upper & mask) : lower < upper;
  uint64_t distance = is_less ? ((uint64_t)upper - (uint64_t)lower) & mask : 0;
  return distance / (uint64_t)step + (distance % (uint64_t)step != 0);
}

static CakeSimStep eval_for_begin(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const ForLoop *loop = instr->info;
  const int64_t *lower = cake_sim_ints(machine, loop->lower), *upper = cake_sim_ints(machine, loop->upper),
                *step = cake_sim_ints(machine, loop->step);
  unsigned bits = cake_sim_slot_info(machine, loop->lower)->element.bits;
  for (size_t lane = 0; lane < lanes_of(machine); lane++) {
    if (!is_active(machine, lane)) continue;
    if (step[lane] <= 0)
      return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED, "has the step %lld; it must be positive",
                            (long long)step[lane]);
    uint64_t rounds = count_rounds(loop, lower[lane], upper[lane], step[lane], bits);
    cake_sim_ints(machine, loop->rounds)[lane] = (int64_t)rounds;
    cake_sim_ints(machine, loop->induction)[lane] =
        cake_sim_wrap((int64_t)((uint64_t)lower[lane] - (uint64_t)step[lane]), bits);
  }
  return CAKE_SIM_NEXT;
}

// Lanes that have no round left wait at the end for the others.
static CakeSimStep leave(CakeSimMachine *machine, const CakeSimInstr *instr, uint32_t staying) {
  return machine->cta->launch->level->part(machine, instr, staying, instr->target);
}

static CakeSimStep eval_for_next(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const ForLoop *loop = instr->info;
  int64_t *rounds = cake_sim_ints(machine, loop->rounds), *induction = cake_sim_ints(machine, loop->induction);
  const int64_t *step = cake_sim_ints(machine, loop->step);
  unsigned bits = cake_sim_slot_info(machine, loop->induction)->element.bits;
  uint32_t staying = 0;
  for (size_t lane = 0; lane < lanes_of(machine); lane++) {
    if (!is_active(machine, lane) || rounds[lane] == 0) continue;
    --rounds[lane];
    induction[lane] = cake_sim_wrap((int64_t)((uint64_t)induction[lane] + (uint64_t)step[lane]), bits);
    staying |= UINT32_C(1) << lane;
  }
  return leave(machine, instr, staying);
}

static bool bind_loop(CakeSimBuilder *builder, CakeOp *op, ForLoop *loop) {
  uint32_t lanes = builder->launch->level->lanes;
  CakeSimSlot counter = {.element = {.bits = 64}, .rows = 1, .cols = lanes, .count = lanes};
  counter.bytes = (lanes + 1) / 2 * 2 * sizeof(int64_t);
  loop->rounds = cake_sim_new_slot(builder, &counter);
  loop->is_unsigned = cake_op_prop(op, CAKE_ATTR_ROW(scf, for, unsignedCmp)) != NULL;
  return cake_sim_need_slot(builder, op, cake_op_operand(op, 0), &loop->lower) &&
         cake_sim_need_slot(builder, op, cake_op_operand(op, 1), &loop->upper) &&
         cake_sim_need_slot(builder, op, cake_op_operand(op, 2), &loop->step);
}

bool cake_sim_build_scf_for(CakeSimBuilder *builder, CakeOp *op) {
  const CakeBlock *body = cake_region_entry(cake_op_region(op, 0));
  const uint32_t *args = NULL, *results = NULL;
  CakeOperandRange init = cake_op_operand_group(op, CAKE_GROUP(scf, for, initArgs));
  ForLoop *loop = CAKE_SIM_NEW(builder, ForLoop);
  if (!cake_sim_define_args(builder, op, body, &args) || !cake_sim_define_results(builder, op, &results)) return false;
  if (body->n_args != 1 + init.count || op->n_results != init.count)
    return cake_sim_unsupported(op, "has a body whose arguments do not fit");
  loop->induction = args[0];
  if (!bind_loop(builder, op, loop)) return false;
  const uint32_t *from = cake_sim_slots_of(builder, op, init);
  if (!from || !cake_sim_emit_moves(builder, op, from, args + 1, init.count)) return false;
  cake_sim_emit_bare(builder, op, eval_for_begin)->info = loop;
  uint32_t top = cake_sim_here(builder);
  CakeSimInstr *next = cake_sim_emit_bare(builder, op, eval_for_next);
  next->info = loop;
  next->counts = true;
  if (!cake_sim_build_region(builder, cake_op_region(op, 0), (CakeSimFrame){args + 1, init.count})) return false;
  cake_sim_emit_jump(builder, op, top);
  cake_sim_land(builder, top);
  return cake_sim_emit_moves(builder, op, args + 1, results, init.count);
}

static CakeSimStep eval_while(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const int64_t *condition = cake_sim_ints(machine, instr->in[0]);
  uint32_t staying = 0;
  for (size_t lane = 0; lane < lanes_of(machine); lane++)
    staying |= (uint32_t)(condition[lane] != 0) << lane;
  return leave(machine, instr, staying & machine->active);
}

// `condition` moves its values to the results; where it holds, they go on to the body's arguments.
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
  uint32_t top = cake_sim_here(builder), *slot = CAKE_SIM_NEW(builder, uint32_t);
  if (!cake_sim_build_region(builder, cake_op_region(op, 0), (CakeSimFrame){results, op->n_results}) ||
      !cake_sim_need_slot(builder, op, cake_op_operand(condition, 0), slot))
    return false;
  uint32_t at = cake_sim_here(builder);
  CakeSimInstr *instr = cake_sim_emit_bare(builder, op, eval_while);
  instr->in = slot;
  instr->counts = true;
  if (!cake_sim_emit_moves(builder, op, results, after_args, op->n_results)) return false;
  if (!cake_sim_build_region(builder, cake_op_region(op, 1), (CakeSimFrame){before_args, init.count})) return false;
  cake_sim_emit_jump(builder, op, top);
  cake_sim_land(builder, at);
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
