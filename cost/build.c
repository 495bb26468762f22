// A role becomes the simulator's instructions: control flow and the protocol are the simulator's own, all else becomes work.
//
// Numbers are not computed, so nothing that decides may depend on them: a scalar that was loaded, reduced or carried from round to round is
// unknown, and what it decides is declined.
#include "cost/model.h"

#include "cake/symbol.h"
#include "cake/text.h"
#include "dialects/arith/arith_ops.h"
#include "dialects/cake/cake_accessors.h"
#include "dialects/math/math_ops.h"
#include "dialects/scf/scf_ops.h"

typedef enum CostKind { MISSING, SIMULATED, FREE, ELEMENTS, WORK, AWAIT, DECLINED } CostKind;

typedef struct CostRow {
  CostKind kind;
  double fma, alu, mufu;
  CakeCostWorkFn work;
  const char *why;
} CostRow;

// ---- The rows, and that there is one for each op ---------------------------------------------------------------------------

#define ROW_OF(dialect, op, ...) [cake_op_##dialect##_##op] = {__VA_ARGS__},
#define IGNORED(...)

#define CAKE_COST(op, ...) ROW_OF(cake, op, __VA_ARGS__)
#define ARITH_COST IGNORED
#define MATH_COST IGNORED
#define SCF_COST IGNORED
static const CostRow cake_rows[] = {
#include "cost/ops.def"
};
#undef CAKE_COST
#undef ARITH_COST
#define CAKE_COST IGNORED
#define ARITH_COST(op, ...) ROW_OF(arith, op, __VA_ARGS__)
static const CostRow arith_rows[] = {
#include "cost/ops.def"
};
#undef ARITH_COST
#undef MATH_COST
#define ARITH_COST IGNORED
#define MATH_COST(op, ...) ROW_OF(math, op, __VA_ARGS__)
static const CostRow math_rows[] = {
#include "cost/ops.def"
};
#undef MATH_COST
#undef SCF_COST
#define MATH_COST IGNORED
#define SCF_COST(op, ...) ROW_OF(scf, op, __VA_ARGS__)
static const CostRow scf_rows[] = {
#include "cost/ops.def"
};
#undef CAKE_COST
#undef ARITH_COST
#undef MATH_COST
#undef SCF_COST

#define CAKE_COST(op, ...) row_of_cake_##op,
#define ARITH_COST(op, ...) row_of_arith_##op,
#define MATH_COST(op, ...) row_of_math_##op,
#define SCF_COST(op, ...) row_of_scf_##op,
enum {
#include "cost/ops.def"
};

static bool build_op(CakeSimBuilder *builder, CakeOp *op);

#include "cake/dialect_rows_clear.h"
#undef OP
#define OP(op, ...) [cake_op_cake_##op] = row_of_cake_##op >= 0 ? build_op : NULL,
static const CakeSimBuildFn build_cake[] = {
#include "dialects/cake/cake.def"
};
#undef OP
#define OP(op, ...) [cake_op_arith_##op] = row_of_arith_##op >= 0 ? build_op : NULL,
static const CakeSimBuildFn build_arith[] = {
#include "dialects/arith/arith.def"
};
#undef OP
#define OP(op, ...) [cake_op_math_##op] = row_of_math_##op >= 0 ? build_op : NULL,
static const CakeSimBuildFn build_math[] = {
#include "dialects/math/math.def"
};
#undef OP
#define OP(op, ...) [cake_op_scf_##op] = row_of_scf_##op >= 0 ? build_op : NULL,
static const CakeSimBuildFn build_scf[] = {
#include "dialects/scf/scf.def"
};
#undef OP
#define OP(...)

static const CakeSimTable tables[] = {
    {&cake_dialect_cake,  build_cake },
    {&cake_dialect_arith, build_arith},
    {&cake_dialect_math,  build_math },
    {&cake_dialect_scf,   build_scf  }
};
static const CostRow *const rows_of_tables[] = {cake_rows, arith_rows, math_rows, scf_rows};

static size_t table_of(const CakeOp *op) {
  size_t i = 0;
  while (op->info->dialect != tables[i].dialect) // build_op is called through one of them
    i++;
  return i;
}

bool cake_cost_decline(CakeOp *op, const char *format, ...) {
  CakeBuf text = {0};
  va_list args;
  va_start(args, format);
  cake_buf_vprintf(&text, format, args);
  va_end(args);
  cake_error(op, CAKE_CODE_COST_DECLINED, "%.*s", (int)text.len, text.data);
  cake_buf_fini(&text);
  return false;
}

// ---- Values ---------------------------------------------------------------------------------------------------------------------

bool cake_cost_is_timed(CakeType type) {
  CakeFragment fragment;
  return cake_fragment_of(type, &fragment) || cake_type_is(type, &cake_type_def_pending) ||
         cake_type_is(type, &cake_type_def_best);
}

static bool shape(CakeType type, CakeSimSlot *slot) {
  if (!cake_cost_is_timed(type)) return cake_sim_level_cake.shape(type, slot);
  *slot = (CakeSimSlot){.kind = CAKE_SIM_DATA, .rows = 1, .cols = 1, .count = 1, .bytes = sizeof(CakeCostValue)};
  return true;
}

static bool is_unknown(const CakeSimBuilder *builder, const CakeValue *value) {
  uintptr_t found;
  const CakeBlock *kernel = cake_region_entry(cake_op_region(builder->launch->kernel, 0));
  if (value->is_argument && cake_arg_owner(value) == kernel && !cake_type_is(value->type, &cake_type_def_global))
    return true;
  return cake_map_get(&cake_cost_cta_of(builder->launch)->unknown, value, &found);
}

static void set_unknown(CakeSimBuilder *builder, const CakeValue *value) {
  if (!cake_cost_is_timed(value->type)) cake_map_set(&cake_cost_cta_of(builder->launch)->unknown, value, 1);
}

static void set_results_unknown(CakeSimBuilder *builder, CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++)
    set_unknown(builder, cake_op_result(op, i));
}

// ---- What decides -----------------------------------------------------------------------------------------------------------

static bool need_known(CakeSimBuilder *builder, CakeOp *op, uint32_t first, uint32_t count) {
  for (uint32_t i = first; i < first + count; i++)
    if (is_unknown(builder, cake_op_operand(op, i)))
      return cake_cost_decline(op, "depends on numbers that the cost model does not compute");
  return true;
}

static bool check_decision(CakeSimBuilder *builder, CakeOp *op) {
  if (op->info->dialect != &cake_dialect_scf) return true;
  switch (op->info->def->ordinal) {
  case cake_op_scf_for: return need_known(builder, op, 0, 3);
  case cake_op_scf_if:
  case cake_op_scf_index_switch: return need_known(builder, op, 0, 1);
  default: return true;
  }
}

// Scalars that a loop carries change from round to round; those that a function is given are what the call says.
static void set_arguments(CakeSimBuilder *builder, CakeOp *op) {
  for (uint32_t r = 0; r < op->n_regions; r++) {
    const CakeBlock *block = cake_region_entry(cake_op_region(op, r));
    for (uint32_t i = op->n_results < (block ? block->n_args : 0) ? block->n_args - op->n_results : 0;
         block && i < block->n_args; i++)
      set_unknown(builder, block->args[i]);
  }
  if (op->n_regions) set_results_unknown(builder, op);
  if (!cake_is_cake_op(op, cake_op_cake_call)) return;
  CakeOp *function = cake_symbol_lookup(op, cake_cake_call_callee(op));
  const CakeBlock *body = function ? cake_region_entry(cake_op_region(function, 0)) : NULL;
  for (uint32_t i = 0; body && i < body->n_args && i < op->n_operands; i++)
    if (is_unknown(builder, cake_op_operand(op, i))) set_unknown(builder, body->args[i]);
  set_results_unknown(builder, op);
}

static bool simulate(CakeSimBuilder *builder, CakeOp *op) {
  const CakeSimTable *table = &cake_sim_level_cake.tables[0];
  for (size_t i = 0; i < cake_sim_level_cake.n_tables && table->dialect != op->info->dialect; i++)
    table = &cake_sim_level_cake.tables[i + 1];
  if (!check_decision(builder, op)) return false;
  for (uint32_t i = 0; i < op->n_operands && !op->n_regions; i++)
    if (is_unknown(builder, cake_op_operand(op, i))) set_results_unknown(builder, op);
  bool is_container = cake_is_cake_op(op, cake_op_cake_kernel) || cake_is_cake_op(op, cake_op_cake_role);
  if (!is_container) set_arguments(builder, op);
  return table->build[op->info->def->ordinal](builder, op);
}

// ---- Ops ---------------------------------------------------------------------------------------------------------------------

static CakeSimStep eval_free(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeOp *op = instr->op;
  CakeCostValue value = {0};
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (cake_cost_is_timed(cake_op_operand(op, i)->type) && cake_cost_value(machine, instr->in[i])->ready > value.ready)
      value = *cake_cost_value(machine, instr->in[i]);
  value.group[0] = 0;
  for (uint32_t i = 0; i < op->n_results; i++)
    *cake_cost_value(machine, instr->out[i]) = value;
  return CAKE_SIM_NEXT;
}

static bool build_work(CakeSimBuilder *builder, CakeOp *op, const CostRow *row, CakeCostWorkFn fn) {
  CakeRoleShape role = {.warps = 1};
  CakeCostWork *work = CAKE_SIM_NEW(builder, CakeCostWork);
  if (!cake_role_shape(builder->program->role, &role)) return false;
  CakeCostAsk ask = {
      .builder = builder,
      .sm = cake_cost_cta_of(builder->launch)->sm,
      .op = op,
      .warps = role.warps,
      .price = {row->fma, row->alu, row->mufu},
      .work = work
  };
  set_results_unknown(builder, op);
  if (!fn(&ask)) return false;
  CakeSimInstr *instr = cake_sim_emit(builder, op, cake_cost_eval_work);
  if (!instr) return false;
  instr->info = work;
  return true;
}

static bool build_free(CakeSimBuilder *builder, CakeOp *op) {
  CakeCostDistinct distinct;
  CakeFragment fragment;
  bool is_fragment = op->n_results == 1 && cake_fragment_of(cake_op_result(op, 0)->type, &fragment);
  if (is_fragment && !cake_cost_distinct(builder, op, &distinct)) return false;
  return cake_sim_emit(builder, op, eval_free) != NULL;
}

static bool build_elements(CakeSimBuilder *builder, CakeOp *op, const CostRow *row) {
  CakeFragment fragment;
  bool is_fragment = op->n_results && cake_fragment_of(cake_op_result(op, 0)->type, &fragment);
  if (!is_fragment) return simulate(builder, op);
  if (row->fma + row->alu + row->mufu == 0) return build_free(builder, op);
  return build_work(builder, op, row, cake_cost_work_elements);
}

static bool build_op(CakeSimBuilder *builder, CakeOp *op) {
  const CostRow *row = &rows_of_tables[table_of(op)][op->info->def->ordinal];
  switch (row->kind) {
  case FREE: return build_free(builder, op);
  case ELEMENTS: return build_elements(builder, op, row);
  case AWAIT: return cake_sim_emit(builder, op, cake_cost_eval_await) != NULL;
  case WORK:
    // A commit that hands a slot to a role is the protocol's alone.
    if (cake_is_cake_op(op, cake_op_cake_commit) && !cake_cake_commit_global(op)) return simulate(builder, op);
    return build_work(builder, op, row, row->work);
  case DECLINED: return cake_cost_decline(op, "is not modelled: %s", row->why);
  default: return simulate(builder, op);
  }
}

// A role is one lane.
static CakeSimStep part(CakeSimMachine *machine, const CakeSimInstr *instr, uint32_t taken, uint32_t join) {
  return cake_sim_level_cake.part(machine, instr, taken, join);
}

const CakeSimLevel cake_cost_level = {
    .tables = tables,
    .n_tables = CAKE_COUNT(tables),
    .lanes = 1,
    .shape = shape,
    .moves = cake_sim_eval_moves,
    .part = part,
    .describe = cake_sim_describe_role,
};
