// Compiling structured control flow into a process of the protocol checker.
//
// Loops with constant bounds and conditions that are known become jumps; all others read a tape. Which tape follows from
// what decides them: loops over the same items or steps, loops with equal bounds, and branches on equal conditions share
// one, in every process.
#include "verifier/protocol_compile.h"

#include "analysis/affine.h"
#include "dialects/arith/arith_ops.h"
#include "dialects/cake/ops/tiles.h"

static void compile_block(CakeCompiler *compiler, CakeBlock *block);

static void compile_region(CakeCompiler *compiler, CakeOp *op, CakeRegion *region) {
  if (!region->first) return;
  if (region->first != region->last)
    cake_model_limit(compiler->model, op, "its control flow is not structured");
  else
    compile_block(compiler, region->first);
}

// The bounds of a loop that runs a known number of times.
static bool constant_bounds(CakeCompiler *compiler, CakeOp *op, int32_t bounds[3]) {
  if (cake_op_is(op, "cake.unroll")) {
    CakeAttr lower = cake_op_attr_text(op, "lower"), upper = cake_op_attr_text(op, "upper");
    int64_t first, end;
    if (!cake_expr_is_const(lower, &first) || !cake_expr_is_const(upper, &end)) return false;
    if (first < INT32_MIN || end > INT32_MAX) return false;
    bounds[0] = (int32_t)first;
    bounds[1] = (int32_t)end;
    bounds[2] = 1;
    return true;
  }
  if (!cake_op_is(op, "scf.for") || op->n_operands < 3) return false;
  for (uint32_t i = 0; i < 3; i++)
    if (!cake_compiler_number(compiler, cake_op_operand(op, i), &bounds[i])) return false;
  return bounds[2] > 0 && bounds[1] < INT32_MAX - bounds[2];
}

static void jump_to_here(CakeCompiler *compiler, int32_t from) {
  compiler->process.steps.data[from].target = cake_compiler_here(compiler);
}

// The body of a loop, from its first step to the one that hands the carried values on.
static void compile_body(CakeCompiler *compiler, CakeOp *op, int32_t tape) {
  CakeBlock *block = cake_op_region(op, 0)->first;
  int32_t outer = compiler->tape;
  if (tape >= 0) compiler->tape = tape;
  compile_region(compiler, op, cake_op_region(op, 0));
  compiler->tape = outer;
  CakeOp *end = block->last;
  if (op->n_results && end && end->n_operands >= op->n_results) {
    CakeValue *from[64];
    uint32_t n = op->n_results < 64 ? op->n_results : 64;
    for (uint32_t i = 0; i < n; i++)
      from[i] = cake_op_operand(end, end->n_operands - op->n_results + i);
    cake_compiler_move(compiler, end, from, block->args + (block->n_args - op->n_results), n);
  }
}

static void carry(CakeCompiler *compiler, CakeOp *op, bool is_in) {
  CakeBlock *block = cake_op_region(op, 0)->first;
  CakeOperandRange inputs = cake_compiler_carried(op);
  CakeValue *from[64], *to[64];
  if (op->n_results > 64 || block->n_args < op->n_results || (is_in && inputs.count != op->n_results)) {
    if (op->n_results) cake_model_limit(compiler->model, op, "it carries more than is modelled");
    return;
  }
  for (uint32_t i = 0; i < op->n_results; i++) {
    CakeValue *argument = block->args[block->n_args - op->n_results + i];
    from[i] = is_in ? inputs.first[i].value : argument;
    to[i] = is_in ? argument : &op->results[i];
  }
  cake_compiler_move(compiler, op, from, to, op->n_results);
}

static void compile_counted(CakeCompiler *compiler, CakeOp *op, const int32_t bounds[3]) {
  CakeBlock *block = cake_op_region(op, 0)->first;
  int32_t index = block->n_args ? cake_compiler_define(compiler, block->args[0]) : cake_compiler_temporary(compiler);
  int32_t test = cake_compiler_temporary(compiler);
  cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_SET, .dst = index, .a = cake_arg_number(bounds[0])});
  int32_t head = cake_compiler_here(compiler);
  cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_ALU,
                                          .alu = CAKE_ALU_LT,
                                          .dst = test,
                                          .a = cake_arg_register(index),
                                          .b = cake_arg_number(bounds[1])});
  int32_t leave = cake_compiler_here(compiler);
  cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_UNLESS, .a = cake_arg_register(test)});
  compile_body(compiler, op, -1);
  cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_ALU,
                                          .alu = CAKE_ALU_ADD,
                                          .dst = index,
                                          .a = cake_arg_register(index),
                                          .b = cake_arg_number(bounds[2])});
  cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_JUMP, .target = head});
  jump_to_here(compiler, leave);
}

// The largest number that the needed uses of an index are compared with; false: it is used otherwise.
static bool compared_with(CakeCompiler *compiler, const CakeValue *index, int32_t *out) {
  *out = 0;
  for (const CakeUse *use = index->first_use; use; use = use->next) {
    CakeOp *op = use->owner;
    int32_t number;
    bool is_needed = false;
    for (uint32_t i = 0; i < op->n_results; i++)
      is_needed = is_needed || cake_compiler_needs(compiler, &op->results[i]);
    if (!is_needed) continue;
    if (!cake_is_arith_op(op, cake_op_arith_cmpi) ||
        !cake_compiler_number(compiler, cake_op_operand(op, 1 - cake_use_index(use)), &number) || number < 0 ||
        number == INT32_MAX)
      return false;
    if (number > *out) *out = number;
  }
  return true;
}

typedef struct OpenIndex {
  int32_t at; // register; -1: none
  int32_t step, most;
} OpenIndex;

// The index of a loop whose end is not known, when its start and step are. If it is only compared with numbers, those
// beyond the largest are one, so that there are finitely many states.
static OpenIndex open_index(CakeCompiler *compiler, CakeOp *op) {
  CakeBlock *block = cake_op_region(op, 0)->first;
  OpenIndex index = {.at = -1, .most = INT32_MAX};
  int32_t start, most;
  if (!block->n_args || !cake_compiler_needs(compiler, block->args[0]) ||
      !cake_compiler_is_index(compiler, block->args[0]) ||
      !cake_compiler_number(compiler, cake_op_operand(op, 0), &start) ||
      !cake_compiler_number(compiler, cake_op_operand(op, 2), &index.step))
    return index;
  index.at = cake_compiler_define(compiler, block->args[0]);
  if (compared_with(compiler, block->args[0], &most)) index.most = most + 1;
  cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_SET, .dst = index.at, .a = cake_arg_number(start)});
  return index;
}

static void advance_index(CakeCompiler *compiler, OpenIndex index) {
  CakeArg at = cake_arg_register(index.at);
  if (index.at < 0) return;
  cake_compiler_step(
      compiler,
      (CakeStep){
          .kind = CAKE_STEP_ALU, .alu = CAKE_ALU_ADD, .dst = index.at, .a = at, .b = cake_arg_number(index.step)});
  cake_compiler_step(
      compiler,
      (CakeStep){
          .kind = CAKE_STEP_ALU, .alu = CAKE_ALU_MIN, .dst = index.at, .a = at, .b = cake_arg_number(index.most)});
}

enum { MAX_KNOWN = 16 };

// How many rounds of the loop's tape there are at least: by the guard, or because a loop to the same end says so.
static int32_t known_rounds(CakeCompiler *compiler, CakeOp *op) {
  CakeOp *tiles = cake_op_tiles(op);
  int32_t known = 0, skipped;
  if (tiles && cake_is_cake_op(op, cake_op_cake_steps)) {
    int64_t least = cake_expr_least(op, cake_axes_extent(cake_cake_tiles_steps(tiles), 0));
    known = least < 0 ? 0 : least > MAX_KNOWN ? MAX_KNOWN : (int32_t)least;
  }
  for (size_t i = 0; i < compiler->nonempty.len; i++) {
    CakeOp *other = compiler->nonempty.data[i];
    if (cake_compiler_same_loop(compiler, other, op) && cake_compiler_skipped(compiler, other, &skipped) &&
        skipped >= known)
      known = skipped + 1;
  }
  return known;
}

// The test of a loop of which `known` rounds are certain: it reads the tape from the next one on. Returns the step that
// leaves the loop.
static int32_t compile_rounds(CakeCompiler *compiler, CakeOp *op, int32_t tape, int32_t known, int32_t round) {
  CakeStep read = {.kind = CAKE_STEP_TAPE, .object = tape, .op = op};
  if (round >= 0) {
    int32_t test = cake_compiler_temporary(compiler);
    cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_ALU,
                                            .alu = CAKE_ALU_GE,
                                            .dst = test,
                                            .a = cake_arg_register(round),
                                            .b = cake_arg_number(known)});
    cake_compiler_step(
        compiler,
        (CakeStep){.kind = CAKE_STEP_UNLESS, .a = cake_arg_register(test), .target = cake_compiler_here(compiler) + 2});
  }
  cake_compiler_step(compiler, read);
  return cake_compiler_here(compiler) - 1;
}

// A loop from 0 to one of 0 and 1: an item that may be left out.
static bool runs_once_at_most(CakeCompiler *compiler, CakeOp *op) {
  int32_t numbers[4];
  CakeOp *end = cake_op_is(op, "scf.for") ? cake_value_def(cake_op_operand(op, 1)) : NULL;
  if (!end || !cake_is_arith_op(end, cake_op_arith_select)) return false;
  const CakeValue *values[] = {cake_op_operand(op, 0), cake_op_operand(op, 2), cake_op_operand(end, 1),
                               cake_op_operand(end, 2)};
  for (size_t i = 0; i < CAKE_COUNT(values); i++)
    if (!compiler->front->number(compiler, values[i], 0, &numbers[i])) return false;
  return numbers[0] == 0 && numbers[1] == 1 && numbers[2] <= 1 && numbers[3] <= 1;
}

// Its index, where anybody asks, is 0.
static void compile_once(CakeCompiler *compiler, CakeOp *op) {
  int32_t tape = cake_compiler_tape(compiler, op);
  (void)open_index(compiler, op);
  int32_t enter = compile_rounds(compiler, op, tape, 0, -1);
  compile_body(compiler, op, tape);
  jump_to_here(compiler, enter);
}

static void compile_open(CakeCompiler *compiler, CakeOp *op) {
  int32_t tape = cake_compiler_tape(compiler, op), skipped, known = known_rounds(compiler, op), round = -1;
  OpenIndex index = open_index(compiler, op);
  if (!cake_compiler_skipped(compiler, op, &skipped)) {
    cake_model_limit(compiler->model, op, "how many steps it leaves out is not known yet");
    return;
  }
  // Rounds of the tape that this loop leaves out; that there are as many is proved where it is written.
  for (int32_t i = known; i < skipped; i++)
    cake_compiler_step(
        compiler,
        (CakeStep){.kind = CAKE_STEP_TAPE, .object = tape, .op = op, .target = cake_compiler_here(compiler) + 1});
  if (known > skipped) {
    round = cake_compiler_temporary(compiler);
    cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_SET, .dst = round, .a = cake_arg_number(skipped)});
  }
  int32_t enter = compile_rounds(compiler, op, tape, known, round), body = cake_compiler_here(compiler);
  compiler->process.steps.data[enter].is_first = skipped == 0;
  compile_body(compiler, op, tape);
  advance_index(compiler, index);
  if (round >= 0) advance_index(compiler, (OpenIndex){round, 1, known});
  int32_t leave = compile_rounds(compiler, op, tape, known, round);
  cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_JUMP, .target = body});
  jump_to_here(compiler, enter);
  jump_to_here(compiler, leave);
}

static void compile_loop(CakeCompiler *compiler, CakeOp *op) {
  int32_t bounds[3];
  CakeOp *tiles = cake_op_tiles(op);
  if (!cake_op_region(op, 0)->first) return;
  carry(compiler, op, true);
  if (tiles && cake_is_cake_op(op, cake_op_cake_items) &&
      cake_schedule_kind(cake_cake_tiles_schedule(tiles)) == CAKE_SCHEDULE_GRID) {
    compile_body(compiler, op, -1); // one CTA an item
  } else if (constant_bounds(compiler, op, bounds)) {
    compile_counted(compiler, op, bounds);
  } else if (runs_once_at_most(compiler, op)) {
    compile_once(compiler, op);
  } else {
    compile_open(compiler, op);
  }
  carry(compiler, op, false);
}

static void compile_side(CakeCompiler *compiler, CakeOp *op, uint32_t region) {
  if (region >= op->n_regions) return;
  compile_region(compiler, op, cake_op_region(op, region));
  CakeBlock *block = cake_op_region(op, region)->first;
  if (!op->n_results || !block || !block->last || block->last->n_operands < op->n_results) return;
  CakeValue *from[64], *to[64];
  uint32_t n = op->n_results < 64 ? op->n_results : 64;
  for (uint32_t i = 0; i < n; i++) {
    from[i] = cake_op_operand(block->last, block->last->n_operands - op->n_results + i);
    to[i] = &op->results[i];
  }
  cake_compiler_move(compiler, block->last, from, to, n);
}

// The lanes in which a condition holds; false when that is not known for each.
static bool condition_lanes(CakeCompiler *compiler, const CakeValue *condition, uint32_t *out) {
  int32_t number;
  *out = 0;
  for (uint32_t lane = 0; lane < 32; lane++) {
    if (!(compiler->lanes >> lane & 1)) continue;
    if (!compiler->front->number(compiler, condition, lane, &number)) return false;
    if (number & 1) *out |= 1U << lane;
  }
  return true;
}

static void compile_known_branch(CakeCompiler *compiler, CakeOp *op, uint32_t lanes) {
  uint32_t all = compiler->lanes;
  for (uint32_t region = 0; region < 2; region++) {
    compiler->lanes = region == 0 ? lanes : all & ~lanes;
    if (compiler->lanes) compile_side(compiler, op, region);
  }
  compiler->lanes = all;
}

// A condition that decides at run time.
static void compile_test(CakeCompiler *compiler, CakeOp *op, const CakeValue *condition) {
  int32_t test = cake_compiler_here(compiler);
  CakeArg arg;
  if (!cake_compiler_needs(compiler, condition)) {
    cake_compiler_step(compiler,
                       (CakeStep){.kind = CAKE_STEP_TAPE, .object = cake_compiler_tape(compiler, op), .op = op});
  } else if (cake_compiler_arg(compiler, condition, op, &arg)) {
    cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_UNLESS, .a = arg});
  } else {
    return;
  }
  compile_side(compiler, op, 0);
  int32_t leave = cake_compiler_here(compiler);
  cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_JUMP});
  jump_to_here(compiler, test);
  compile_side(compiler, op, 1);
  jump_to_here(compiler, leave);
}

static void compile_branch(CakeCompiler *compiler, CakeOp *op) {
  uint32_t lanes, all = compiler->lanes;
  if (op->n_regions > 2 || !op->n_operands) {
    cake_model_limit(compiler->model, op, "branches of more than two ways are not modelled");
    return;
  }
  const CakeValue *condition = cake_op_operand(op, 0), *rest = cake_compiler_condition(compiler, op);
  if (condition_lanes(compiler, condition, &lanes)) {
    compile_known_branch(compiler, op, lanes);
    return;
  }
  if (rest != condition) {
    CakeOp *both = cake_value_def(condition);
    const CakeValue *known = cake_op_operand(both, cake_op_operand(both, 0) == rest ? 1 : 0);
    if (condition_lanes(compiler, known, &lanes)) compiler->lanes = lanes;
  }
  if (compiler->lanes) compile_test(compiler, op, rest);
  compiler->lanes = all;
}

static void compile_op(CakeCompiler *compiler, CakeOp *op) {
  bool is_needed = cake_compiler_has_action(compiler, op);
  for (uint32_t i = 0; !is_needed && i < op->n_results; i++)
    is_needed = cake_compiler_needs(compiler, &op->results[i]);
  if (!is_needed) return;
  if (!op->n_regions) {
    (void)compiler->front->emit(compiler, op);
    return;
  }
  switch (cake_compiler_flow(op)) {
  case CAKE_FLOW_LOOP: compile_loop(compiler, op); return;
  case CAKE_FLOW_BRANCH: compile_branch(compiler, op); return;
  case CAKE_FLOW_ONCE:
    for (uint32_t i = 0; i < op->n_regions; i++)
      compile_region(compiler, op, cake_op_region(op, i));
    return;
  default: cake_model_limit(compiler->model, op, "its control flow is not modelled"); return;
  }
}

static void compile_block(CakeCompiler *compiler, CakeBlock *block) {
  for (CakeOp *op = block->first; op; op = op->next)
    compile_op(compiler, op);
}

void cake_compiler_region(CakeCompiler *compiler, CakeRegion *region) {
  compile_region(compiler, region->parent, region);
  cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_END});
}
