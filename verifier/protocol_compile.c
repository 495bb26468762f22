// What a process of the protocol checker consists of: the values that its actions need, steps and registers. Control flow: protocol_flow.c.
#include "verifier/protocol_compile.h"

#include "analysis/affine.h"
#include "cake/symbol.h"
#include "dialects/arith/arith_ops.h"

CakeCompiler cake_compiler_create(CakeModel *model, const CakeFront *front) {
  return (CakeCompiler){.model = model, .front = front, .lanes = UINT32_MAX, .tape = -1, .process = {.weight = 1}};
}

void cake_compiler_destroy(CakeCompiler *compiler) {
  cake_map_fini(&compiler->registers);
  cake_map_fini(&compiler->interesting);
  cake_map_fini(&compiler->needed);
  cake_map_fini(&compiler->same);
  CAKE_VEC_FINI(&compiler->used_tapes);
  CAKE_VEC_FINI(&compiler->nonempty);
  CAKE_VEC_FINI(&compiler->process.steps);
}

static bool has(const CakeMap *map, const void *key) {
  uintptr_t ignored;
  return cake_map_get(map, key, &ignored);
}

bool cake_compiler_needs(const CakeCompiler *compiler, const CakeValue *value) {
  return has(&compiler->needed, value);
}
bool cake_compiler_has_action(const CakeCompiler *compiler, const CakeOp *op) {
  return has(&compiler->interesting, op);
}

CakeFlowKind cake_compiler_flow(const CakeOp *op) {
  return op->info->def ? op->info->def->flow.kind : CAKE_FLOW_NONE;
}

CakeOperandRange cake_compiler_carried(const CakeOp *op) {
  const char *iter = op->info->def->flow.iter;
  int row = iter ? cake_op_def_operand(op->info->def, iter) : -1;
  return row < 0 ? (CakeOperandRange){0} : cake_op_operand_group(op, (uint32_t)row);
}

// ---- What is needed --------------------------------------------------------------------------------------------------

typedef CAKE_VEC(const CakeValue *) Values;

static void need(CakeCompiler *compiler, const CakeValue *value, void *work) {
  Values *values = work;
  if (!value || has(&compiler->needed, value)) return;
  cake_map_set(&compiler->needed, value, 1);
  CAKE_PUSH(values, value);
}

static void mark(CakeCompiler *compiler, CakeOp *op) {
  for (; op && !has(&compiler->interesting, op); op = cake_op_parent(op))
    cake_map_set(&compiler->interesting, op, 1);
}

// An argument of a loop is what goes in and what each round hands on.
static void need_argument(CakeCompiler *compiler, const CakeValue *value, Values *work) {
  CakeBlock *block = cake_arg_owner(value);
  CakeOp *loop = cake_block_parent(block);
  if (!loop || cake_compiler_flow(loop) != CAKE_FLOW_LOOP || block->n_args < loop->n_results) return;
  uint32_t first = block->n_args - loop->n_results;
  CakeOperandRange inputs = cake_compiler_carried(loop);
  if (value->index < first || inputs.count != loop->n_results) return;
  uint32_t i = value->index - first;
  mark(compiler, loop);
  need(compiler, inputs.first[i].value, work);
  if (block->last && block->last->n_operands >= loop->n_results)
    need(compiler, cake_op_operand(block->last, block->last->n_operands - loop->n_results + i), work);
}

static void need_result(CakeCompiler *compiler, const CakeValue *value, Values *work) {
  CakeOp *op = cake_result_owner(value);
  if (!op->n_regions) {
    if (compiler->front->is_computable(compiler, op))
      for (uint32_t i = 0; i < op->n_operands; i++)
        need(compiler, cake_op_operand(op, i), work);
    return;
  }
  mark(compiler, op);
  for (uint32_t r = 0; r < op->n_regions; r++) {
    CakeBlock *block = cake_op_region(op, r)->first;
    if (!block) continue;
    if (cake_compiler_flow(op) == CAKE_FLOW_LOOP && block->n_args >= op->n_results)
      need(compiler, block->args[block->n_args - op->n_results + value->index], work);
    else if (block->last && block->last->n_operands >= op->n_results)
      need(compiler, cake_op_operand(block->last, block->last->n_operands - op->n_results + value->index), work);
  }
}

static void need_all(CakeCompiler *compiler, Values *work) {
  while (work->len) {
    const CakeValue *value = work->data[--work->len];
    if (value->is_argument)
      need_argument(compiler, value, work);
    else
      need_result(compiler, value, work);
  }
}

// The index of a loop whose start and step are known, though its end may not be.
bool cake_compiler_is_index(CakeCompiler *compiler, const CakeValue *value) {
  int32_t ignored;
  CakeOp *loop = value->is_argument && value->index == 0 ? cake_block_parent(cake_arg_owner(value)) : NULL;
  return loop && cake_op_is(loop, "scf.for") &&
         compiler->front->number(compiler, cake_op_operand(loop, 0), 0, &ignored) &&
         compiler->front->number(compiler, cake_op_operand(loop, 2), 0, &ignored);
}

// Whether a value can be kept in a register: its slice ends in constants.
static bool is_computable(CakeCompiler *compiler, const CakeValue *value, unsigned depth) {
  int32_t ignored;
  if (compiler->front->number(compiler, value, 0, &ignored)) return true;
  if (value->is_argument || depth > 32) return has(&compiler->needed, value) || cake_compiler_is_index(compiler, value);
  const CakeOp *op = cake_result_owner(value);
  if (op->n_regions) return has(&compiler->needed, value);
  if (!compiler->front->is_computable(compiler, op)) return false;
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (!is_computable(compiler, cake_op_operand(op, i), depth + 1)) return false;
  return true;
}

// `a & b` of a branch with one side: when it is known for each lane where one holds, the other is what is left.
const CakeValue *cake_compiler_condition(CakeCompiler *compiler, const CakeOp *branch) {
  const CakeValue *condition = cake_op_operand(branch, 0);
  CakeOp *both = cake_value_def(condition);
  bool is_one_sided = branch->n_results == 0 && (branch->n_regions < 2 || !cake_op_region(branch, 1)->first);
  int32_t ignored;
  if (!both || !is_one_sided || !cake_is_arith_op(both, cake_op_arith_andi)) return condition;
  for (uint32_t i = 0; i < 2; i++)
    if (compiler->front->number(compiler, cake_op_operand(both, i), 0, &ignored)) return cake_op_operand(both, 1 - i);
  return condition;
}

// Conditions that follow from needed values are computed instead of read from a tape.
static void need_conditions(CakeCompiler *compiler, CakeOp *root, Values *work) {
  int32_t ignored;
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, !has(&compiler->interesting, op) && op != root)) {
    if (!op->n_regions || cake_compiler_flow(op) != CAKE_FLOW_BRANCH || !op->n_operands ||
        !has(&compiler->interesting, op))
      continue;
    const CakeValue *condition = cake_compiler_condition(compiler, op);
    // What is known for each lane decides while compiling.
    if (!compiler->front->number(compiler, condition, 0, &ignored) && is_computable(compiler, condition, 0))
      need(compiler, condition, work);
  }
}

void cake_compiler_analyse(CakeCompiler *compiler, CakeOp *root) {
  Values work = {0};
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    if (op->n_regions && op->attrs && cake_attr_lookup_text(op->attrs, "cake.nonempty"))
      CAKE_PUSH(&compiler->nonempty, op);
    if (!compiler->front->is_action(op)) continue;
    mark(compiler, op);
    for (uint32_t i = 0; i < op->n_operands; i++)
      if (compiler->front->is_root(&op->operands[i])) need(compiler, op->operands[i].value, &work);
  }
  need_all(compiler, &work);
  need_conditions(compiler, root, &work);
  need_all(compiler, &work);
  CAKE_VEC_FINI(&work);
}

// ---- Steps and registers ---------------------------------------------------------------------------------------------

void cake_compiler_step(CakeCompiler *compiler, CakeStep step) {
  CAKE_PUSH(&compiler->process.steps, step);
}

int32_t cake_compiler_here(const CakeCompiler *compiler) {
  return (int32_t)compiler->process.steps.len;
}

int32_t cake_compiler_temporary(CakeCompiler *compiler) {
  return compiler->process.n_registers++;
}

int32_t cake_compiler_define(CakeCompiler *compiler, const CakeValue *value) {
  uintptr_t found;
  if (cake_map_get(&compiler->registers, value, &found)) return (int32_t)found - 1;
  int32_t index = cake_compiler_temporary(compiler);
  cake_map_set(&compiler->registers, value, (uintptr_t)index + 1);
  return index;
}

bool cake_compiler_number(CakeCompiler *compiler, const CakeValue *value, int32_t *out) {
  bool is_first = true;
  int32_t number;
  for (uint32_t lane = 0; lane < 32; lane++) {
    if (!(compiler->lanes >> lane & 1)) continue;
    if (!compiler->front->number(compiler, value, lane, &number)) return false;
    if (!is_first && number != *out) return false;
    *out = number;
    is_first = false;
  }
  return !is_first;
}

bool cake_compiler_arg(CakeCompiler *compiler, const CakeValue *value, CakeOp *user, CakeArg *out) {
  uintptr_t found;
  int32_t number;
  if (cake_map_get(&compiler->registers, value, &found)) {
    *out = cake_arg_register((int32_t)found - 1);
    return true;
  }
  if (cake_compiler_number(compiler, value, &number)) {
    *out = cake_arg_number(number);
    return true;
  }
  return cake_model_limit(compiler->model, user, "a value that it depends on is not known");
}

void cake_compiler_move(CakeCompiler *compiler, CakeOp *user, CakeValue *const *from, CakeValue *const *to,
                        size_t count) {
  int32_t temporaries[64];
  size_t n = 0;
  for (size_t i = 0; i < count && n < 64; i++) {
    CakeArg arg;
    if (!has(&compiler->needed, to[i]) || !cake_compiler_arg(compiler, from[i], user, &arg)) continue;
    temporaries[n] = cake_compiler_temporary(compiler);
    cake_compiler_step(compiler, (CakeStep){.kind = CAKE_STEP_SET, .dst = temporaries[n++], .a = arg});
  }
  if (n == 1) { // nothing to get in the way of
    CakeStep *only = &compiler->process.steps.data[compiler->process.steps.len - 1];
    compiler->process.n_registers--;
    for (size_t i = 0; i < count; i++)
      if (has(&compiler->needed, to[i])) only->dst = cake_compiler_define(compiler, to[i]);
    return;
  }
  n = 0;
  for (size_t i = 0; i < count && n < 64; i++) {
    if (!has(&compiler->needed, to[i])) continue;
    int32_t dst = cake_compiler_define(compiler, to[i]);
    cake_compiler_step(compiler,
                       (CakeStep){.kind = CAKE_STEP_SET, .dst = dst, .a = cake_arg_register(temporaries[n++])});
  }
}

// ---- Processes -----------------------------------------------------------------------------------------------------------

static void begin_process(CakeCompiler *compiler) {
  compiler->process = (CakeProcess){.weight = 1};
  compiler->used_tapes.len = 0;
  cake_map_clear(&compiler->registers);
}

void cake_compiler_drop(CakeCompiler *compiler) {
  CAKE_VEC_FINI(&compiler->process.steps);
  begin_process(compiler);
}

void cake_compiler_finish(CakeCompiler *compiler) {
  if (compiler->model->processes.len == CAKE_MAX_PROCESSES) {
    cake_model_limit(compiler->model, compiler->model->root, "it has more roles and groups of warps than are modelled");
    cake_compiler_drop(compiler);
    return;
  }
  compiler->process.rank = compiler->rank;
  CAKE_PUSH(&compiler->model->processes, compiler->process);
  begin_process(compiler);
}
