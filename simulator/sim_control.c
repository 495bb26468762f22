// cake: declarations, roles, and the loops over items and steps.
#include "simulator/build.h"

#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/tiles.h"

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/kernel.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/loops.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/pipeline.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/role.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/tiles.def"
#include "simulator/build_rows.h"
#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/turns.def"
#include "simulator/build_rows.h"

// ---- Declarations: what they say is read before any role is built (program.c) ----------------------------------------------

static bool build_nothing(CakeSimBuilder *builder, CakeOp *op) {
  (void)builder, (void)op;
  return true;
}

bool cake_sim_build_cake_kernel(CakeSimBuilder *builder, CakeOp *op) {
  (void)builder;
  return cake_sim_unsupported(op, "stands inside a kernel");
}

bool cake_sim_build_cake_param(CakeSimBuilder *builder, CakeOp *op) {
  return build_nothing(builder, op);
}
bool cake_sim_build_cake_require(CakeSimBuilder *builder, CakeOp *op) {
  return build_nothing(builder, op);
}
bool cake_sim_build_cake_pipeline(CakeSimBuilder *builder, CakeOp *op) {
  return build_nothing(builder, op);
}
bool cake_sim_build_cake_order(CakeSimBuilder *builder, CakeOp *op) {
  return build_nothing(builder, op);
}
bool cake_sim_build_cake_tiles(CakeSimBuilder *builder, CakeOp *op) {
  return build_nothing(builder, op);
}
bool cake_sim_build_cake_end(CakeSimBuilder *builder, CakeOp *op) {
  return build_nothing(builder, op);
}

bool cake_sim_build_cake_role(CakeSimBuilder *builder, CakeOp *op) {
  if (op != builder->program->role) return true;
  return cake_sim_build_region(builder, cake_op_region(op, 0), (CakeSimFrame){0});
}

static CakeSimStep eval_index(CakeSimMachine *machine, const CakeSimInstr *instr) {
  return cake_sim_eval(machine, instr, instr->info, cake_sim_ints(machine, instr->out[0])) ? CAKE_SIM_NEXT
                                                                                           : CAKE_SIM_FAILED;
}

bool cake_sim_build_cake_index(CakeSimBuilder *builder, CakeOp *op) {
  CakeSimExprs *exprs = CAKE_SIM_NEW(builder, CakeSimExprs);
  if (!cake_sim_exprs(builder, op, cake_cake_index_expr(op), cake_cake_index_idx(op), exprs)) return false;
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_index);
  if (!instr) return false;
  instr->info = exprs;
  return true;
}

// ---- Loops ---------------------------------------------------------------------------------------------------------------

// `counter` is the slot of the number of rounds done; `args` are the block's arguments.
typedef struct Loop {
  const CakeSimTiles *tiles; // of items and steps
  int64_t lower, upper;      // of unroll
  int64_t first;             // round that is done: of steps
  uint32_t counter;
  const uint32_t *args;
} Loop;

static CakeSimStep eval_begin(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const Loop *loop = instr->info;
  cake_sim_ints(machine, loop->counter)[0] = loop->first;
  return CAKE_SIM_NEXT;
}

static CakeSimStep eval_next_item(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const Loop *loop = instr->info;
  int64_t *counter = cake_sim_ints(machine, loop->counter);
  const CakeSimLaunch *launch = machine->cta->launch; // a cluster takes an item together
  CakeSimStep step = CAKE_SIM_JUMP;
  while (step == CAKE_SIM_JUMP) { // an item that its extents leave out is passed over
    int64_t item = cake_sim_item_of_round(loop->tiles, machine->cta->number / launch->cluster, *counter,
                                          launch->grid / launch->cluster);
    if (item >= loop->tiles->items) {
      machine->item_tiles = NULL;
      machine->item_rounds = NULL;
      return CAKE_SIM_JUMP;
    }
    ++*counter;
    step = item < 0 ? CAKE_SIM_JUMP : cake_sim_begin_item(machine, instr, loop->tiles, item);
  }
  machine->item_rounds = counter;
  for (size_t i = 0; step == CAKE_SIM_NEXT && i < loop->tiles->n_axes; i++)
    cake_sim_ints(machine, loop->args[i])[0] = machine->item_at[i];
  return step;
}

static CakeSimStep eval_next_step(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const Loop *loop = instr->info;
  int64_t *counter = cake_sim_ints(machine, loop->counter);
  machine->step_rounds = *counter < machine->item_steps ? counter : NULL;
  if (!machine->step_rounds) return CAKE_SIM_JUMP;
  cake_sim_ints(machine, loop->args[0])[0] = (*counter)++;
  return CAKE_SIM_NEXT;
}

static const CakeSimTiles *find_tiles(CakeSimBuilder *builder, CakeOp *op) {
  const CakeOp *decl = cake_op_tiles(op);
  for (size_t i = 0; i < builder->launch->n_tiles; i++) {
    if (builder->launch->tiles[i].decl == decl) return &builder->launch->tiles[i];
  }
  cake_sim_unsupported(op, "names an iterator that the kernel does not declare");
  return NULL;
}

static CakeSimStep eval_next_round(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const Loop *loop = instr->info;
  int64_t *counter = cake_sim_ints(machine, loop->counter);
  if (*counter >= loop->upper - loop->lower) return CAKE_SIM_JUMP;
  cake_sim_ints(machine, loop->args[0])[0] = loop->lower + (*counter)++;
  return CAKE_SIM_NEXT;
}

// Begin; next: when there is none, to the end; the body; back to next. Carried values live in the block's arguments.
static bool build_loop(CakeSimBuilder *builder, CakeOp *op, CakeOperandRange init, size_t n_indices, CakeSimEval next,
                       Loop *loop) {
  const CakeRegion *region = cake_op_region(op, 0);
  const CakeBlock *body = cake_region_entry(region);
  const uint32_t *args = NULL, *results = NULL;
  if (!cake_sim_define_args(builder, op, body, &args) || !cake_sim_define_results(builder, op, &results)) return false;
  if (body->n_args != n_indices + init.count || op->n_results != init.count)
    return cake_sim_unsupported(op, "has a body whose arguments do not fit");
  loop->args = args;
  loop->counter = cake_sim_new_slot(
      builder, &(CakeSimSlot){.element = {.bits = 64}, .rows = 1, .cols = 1, .count = 1, .bytes = 16});
  const uint32_t *from = cake_sim_slots_of(builder, op, init);
  if (!from || !cake_sim_emit_moves(builder, op, from, args + n_indices, init.count)) return false;
  cake_sim_emit_bare(builder, op, eval_begin)->info = loop;
  uint32_t top = cake_sim_here(builder);
  CakeSimInstr *instr = cake_sim_emit_bare(builder, op, next);
  instr->info = loop;
  instr->counts = true;
  if (!cake_sim_build_region(builder, region, (CakeSimFrame){args + n_indices, init.count})) return false;
  cake_sim_emit_jump(builder, op, top);
  cake_sim_land(builder, top);
  return cake_sim_emit_moves(builder, op, args + n_indices, results, init.count);
}

bool cake_sim_build_cake_items(CakeSimBuilder *builder, CakeOp *op) {
  Loop *loop = CAKE_SIM_NEW(builder, Loop);
  loop->tiles = find_tiles(builder, op);
  return loop->tiles && build_loop(builder, op, cake_cake_items_iter(op), loop->tiles->n_axes, eval_next_item, loop);
}

bool cake_sim_build_cake_steps(CakeSimBuilder *builder, CakeOp *op) {
  Loop *loop = CAKE_SIM_NEW(builder, Loop);
  CakeAttr from = cake_cake_steps_from(op);
  loop->tiles = find_tiles(builder, op);
  if (from && !cake_sim_size_value(builder->launch, op, from, "first step", &loop->first)) return false;
  return loop->tiles && build_loop(builder, op, cake_cake_steps_iter(op), 1, eval_next_step, loop);
}

bool cake_sim_build_cake_unroll(CakeSimBuilder *builder, CakeOp *op) {
  Loop *loop = CAKE_SIM_NEW(builder, Loop);
  if (!cake_expr_is_const(cake_cake_unroll_lower(op), &loop->lower) ||
      !cake_expr_is_const(cake_cake_unroll_upper(op), &loop->upper))
    return cake_sim_unsupported(op, "has no constant bounds");
  return build_loop(builder, op, cake_cake_unroll_iter(op), 1, eval_next_round, loop);
}

bool cake_sim_build_yield(CakeSimBuilder *builder, CakeOp *op, CakeOperandRange values) {
  if (values.count != builder->frame.count)
    return cake_sim_unsupported(op, "yields %u values where %zu are carried", values.count, builder->frame.count);
  const uint32_t *from = cake_sim_slots_of(builder, op, values);
  return from && cake_sim_emit_moves(builder, op, from, builder->frame.targets, values.count);
}

bool cake_sim_build_cake_yield(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_build_yield(builder, op, cake_cake_yield_values(op));
}
