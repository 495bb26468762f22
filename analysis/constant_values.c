// Sparse conditional constant propagation: the solver. What calls lead to is in constant_calls.c.
#include "analysis/constant_values_private.h"

#include "cake/constants.h"

// ---- States --------------------------------------------------------------------------------------------------------

static CakeConstantState state_of(const CakeConstantValues *values, const CakeValue *value) {
  uintptr_t found;
  return cake_map_get(&values->states, value, &found) ? found : CAKE_STATE_UNKNOWN;
}

CakeAttr cake_constant_values_get(const CakeConstantValues *values, const CakeValue *value) {
  CakeConstantState state = state_of(values, value);
  return state == CAKE_STATE_UNKNOWN || state == CAKE_STATE_VARIES ? NULL : (CakeAttr)state;
}

bool cake_constant_values_runs(const CakeConstantValues *values, const CakeBlock *block) {
  uintptr_t found;
  return cake_map_get(&values->running, block, &found);
}

// The value may also be `state`. Its users are looked at again when that is news.
static void join(CakeConstantValues *values, CakeValue *value, CakeConstantState state) {
  CakeConstantState before = state_of(values, value);
  if (state == CAKE_STATE_UNKNOWN || before == state || before == CAKE_STATE_VARIES) return;
  cake_map_set(&values->states, value, before == CAKE_STATE_UNKNOWN ? state : CAKE_STATE_VARIES);
  if (value->first_use) CAKE_PUSH(&values->changed, value);
}

void cake_constant_join(CakeConstantValues *values, CakeValue *value, const CakeValue *from) {
  join(values, value, state_of(values, from));
}

void cake_constant_results_vary(CakeConstantValues *values, CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++)
    join(values, &op->results[i], CAKE_STATE_VARIES);
}

void cake_constant_run_block(CakeConstantValues *values, CakeBlock *block) {
  if (cake_constant_values_runs(values, block)) return;
  cake_map_set(&values->running, block, 1);
  CAKE_PUSH(&values->blocks, block);
}

// A block that is entered with values which nothing is known of, from `first_arg` on.
static void enter_anyhow(CakeConstantValues *values, CakeBlock *block, uint32_t first_arg) {
  for (uint32_t i = first_arg; i < block->n_args; i++)
    join(values, block->args[i], CAKE_STATE_VARIES);
  cake_constant_run_block(values, block);
}

void cake_constant_enter_region(CakeConstantValues *values, CakeRegion *region) {
  if (region->first) enter_anyhow(values, region->first, 0);
}

// ---- Ops -----------------------------------------------------------------------------------------------------------

// The constants among the operands, for hooks; false: some are not known yet, so that nothing can be said.
static bool gather(CakeConstantValues *values, const CakeOp *op) {
  values->operands.len = 0;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    CakeConstantState state = state_of(values, cake_op_operand(op, i));
    if (state == CAKE_STATE_UNKNOWN) return false;
    CAKE_PUSH(&values->operands, state == CAKE_STATE_VARIES ? NULL : (CakeAttr)state);
  }
  return true;
}

static CakeConstantState folded(const CakeConstantValues *values, const CakeFold *fold, const CakeOp *op, uint32_t i) {
  if (fold->values[i]) { // an operand, or a value that this op is not told of when it changes
    for (uint32_t k = 0; k < op->n_operands; k++)
      if (cake_op_operand(op, k) == fold->values[i]) return state_of(values, fold->values[i]);
    return CAKE_STATE_VARIES;
  }
  return fold->attrs[i] ? (CakeConstantState)fold->attrs[i] : CAKE_STATE_VARIES;
}

static void visit_plain(CakeConstantValues *values, CakeOp *op) {
  const CakeOpDef *def = op->info->def;
  CakeFold fold = {0};
  if (op->n_results == 0 || !gather(values, op)) return;
  fold.operands = values->operands.data;
  if (!def || !def->fold || op->n_results > CAKE_COUNT(fold.values) || !def->fold(op, &fold)) {
    cake_constant_results_vary(values, op);
    return;
  }
  for (uint32_t i = 0; i < op->n_results; i++)
    join(values, &op->results[i], folded(values, &fold, op, i));
}

static void hand_over(CakeConstantValues *values, const CakeOp *op, uint32_t index) {
  CakeBlock *block = cake_op_successor(op, index);
  if (!op->info->def || !op->info->def->successor_operands) {
    enter_anyhow(values, block, 0);
    return;
  }
  CakeOperandRange operands = op->info->def->successor_operands(op, index);
  for (uint32_t i = 0; i < operands.count && i < block->n_args; i++)
    cake_constant_join(values, block->args[i], operands.first[i].value);
  enter_anyhow(values, block, operands.count);
}

// Which way a branch goes; -1: any; -2: that is not known yet.
static int chosen(CakeConstantValues *values, const CakeOp *op) {
  if (!op->info->def || !op->info->def->chosen) return -1;
  if (state_of(values, cake_op_operand(op, 0)) == CAKE_STATE_UNKNOWN) return -2;
  values->operands.len = 0;
  for (uint32_t i = 0; i < op->n_operands; i++)
    CAKE_PUSH(&values->operands, cake_constant_values_get(values, cake_op_operand(op, i)));
  return op->info->def->chosen(op, values->operands.data);
}

static void visit_branch(CakeConstantValues *values, CakeOp *op) {
  int way = chosen(values, op);
  for (uint32_t i = 0; i < op->n_successors; i++)
    if (cake_op_successor(op, i) && (way == -1 || way == (int)i)) hand_over(values, op, i);
}

// ---- Structured control flow ---------------------------------------------------------------------------------------

// The loop-carried values that come from outside go to the last arguments of the first region, and to `results`.
static void carry_in(CakeConstantValues *values, CakeOp *op, bool to_results) {
  const CakeFlow *flow = &op->info->def->flow;
  int row = flow->iter ? cake_op_def_operand(op->info->def, flow->iter) : -1;
  CakeOperandRange inits = row < 0 ? (CakeOperandRange){0} : cake_op_operand_group(op, (uint32_t)row);
  CakeBlock *body = cake_op_region(op, 0)->first;
  uint32_t before = body && body->n_args >= inits.count ? body->n_args - inits.count : 0;
  for (uint32_t i = 0; i < inits.count; i++) {
    if (body && before + i < body->n_args) cake_constant_join(values, body->args[before + i], inits.first[i].value);
    if (to_results && i < op->n_results) cake_constant_join(values, &op->results[i], inits.first[i].value);
  }
  if (!body) return;
  for (uint32_t i = 0; i < before; i++)
    join(values, body->args[i], CAKE_STATE_VARIES);
  cake_constant_run_block(values, body);
}

static void visit_regions(CakeConstantValues *values, CakeOp *op) {
  CakeFlowKind flow = op->info->def ? op->info->def->flow.kind : CAKE_FLOW_NONE;
  int way = flow == CAKE_FLOW_BRANCH ? chosen(values, op) : -1;
  if (flow == CAKE_FLOW_LOOP || flow == CAKE_FLOW_WHILE) {
    carry_in(values, op, flow == CAKE_FLOW_LOOP);
    return;
  }
  for (uint32_t i = 0; i < op->n_regions; i++)
    if (way == -1 || way == (int)i) cake_constant_enter_region(values, cake_op_region(op, i));
  if (flow != CAKE_FLOW_BRANCH) cake_constant_results_vary(values, op);
}

// The operands of a region's end, from `first` on, become the last values of a list.
static void yield_to(CakeConstantValues *values, const CakeOp *end, uint32_t first, CakeOp *op,
                     const CakeBlock *block) {
  uint32_t count = end->n_operands - first;
  uint32_t skipped = block && block->n_args > count ? block->n_args - count : 0;
  for (uint32_t i = 0; i < count; i++) {
    const CakeValue *from = cake_op_operand(end, first + i);
    if (op && i < op->n_results) cake_constant_join(values, &op->results[i], from);
    if (block && skipped + i < block->n_args) cake_constant_join(values, block->args[skipped + i], from);
  }
}

static void visit_end(CakeConstantValues *values, CakeOp *end) {
  CakeOp *around = cake_op_parent(end);
  CakeFlowKind flow = around && around->info->def ? around->info->def->flow.kind : CAKE_FLOW_NONE;
  if (flow == CAKE_FLOW_BRANCH) {
    yield_to(values, end, 0, around, NULL);
  } else if (flow == CAKE_FLOW_LOOP) {
    yield_to(values, end, 0, around, cake_op_region(around, 0)->first);
  } else if (flow == CAKE_FLOW_WHILE && end->block->region == cake_op_region(around, 0) && end->n_operands) {
    CakeBlock *body = cake_op_region(around, 1)->first;
    CakeConstantState goes_on = state_of(values, cake_op_operand(end, 0));
    CakeAttr constant = cake_constant_values_get(values, cake_op_operand(end, 0));
    yield_to(values, end, 1, around, NULL);
    if (goes_on == CAKE_STATE_UNKNOWN || (constant && !cake_attr_int_value(constant))) return;
    yield_to(values, end, 1, NULL, body);
    if (body) cake_constant_run_block(values, body);
  } else if (flow == CAKE_FLOW_WHILE) {
    yield_to(values, end, 0, NULL, cake_op_region(around, 0)->first);
  } else if (cake_op_has_trait(end, CAKE_TRAIT_RETURN)) {
    cake_constant_visit_return(values, end);
  }
}

static void visit(CakeConstantValues *values, CakeOp *op) {
  if (cake_op_has_trait(op, CAKE_TRAIT_CONSTANT) && op->n_results == 1) {
    CakeAttr value = cake_value_constant(&op->results[0]);
    join(values, &op->results[0], value ? (CakeConstantState)value : CAKE_STATE_VARIES);
  } else if (op->n_successors) {
    visit_branch(values, op);
    cake_constant_results_vary(values, op);
  } else if (cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR)) {
    visit_end(values, op);
  } else if (cake_constant_is_call(op)) {
    cake_constant_visit_call(values, op);
  } else if (cake_op_has_trait(op, CAKE_TRAIT_CALLABLE)) {
    cake_constant_visit_callable(values, op);
  } else if (op->n_regions) {
    visit_regions(values, op);
  } else {
    visit_plain(values, op);
  }
}

// ---- Solving -------------------------------------------------------------------------------------------------------

static void visit_users(CakeConstantValues *values, const CakeValue *value) {
  for (CakeUse *use = value->first_use; use; use = use->next)
    if (use->owner->block && cake_constant_values_runs(values, use->owner->block)) visit(values, use->owner);
}

static void solve(CakeConstantValues *values) {
  for (;;) {
    if (values->changed.len) {
      visit_users(values, values->changed.data[--values->changed.len]);
    } else if (values->blocks.len) {
      CakeBlock *block = values->blocks.data[--values->blocks.len];
      for (CakeOp *op = block->first; op; op = op->next)
        visit(values, op);
    } else {
      return;
    }
  }
}

// What comes from outside of a root that is not isolated may be anything.
static void outside_varies(CakeConstantValues *values, CakeOp *root) {
  if (cake_op_has_trait(root, CAKE_TRAIT_ISOLATED)) return;
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
    for (uint32_t i = 0; i < op->n_operands; i++) {
      CakeValue *value = cake_op_operand(op, i);
      CakeOp *around = value ? cake_block_parent(cake_value_block(value)) : NULL;
      if (value && (!around || !cake_op_is_ancestor(root, around))) join(values, value, CAKE_STATE_VARIES);
    }
}

CakeConstantValues *cake_constant_values_create(CakeOp *root) {
  CakeArena *arena = cake_arena_create();
  CakeConstantValues *values = CAKE_ARENA_NEW(arena, CakeConstantValues);
  values->arena = arena;
  cake_constant_find_calls(values, root);
  outside_varies(values, root);
  for (uint32_t i = 0; i < root->n_regions; i++)
    cake_constant_enter_region(values, cake_op_region(root, i));
  solve(values);
  return values;
}

void cake_constant_values_destroy(CakeConstantValues *values) {
  if (!values) return;
  CAKE_VEC_FINI(&values->changed);
  CAKE_VEC_FINI(&values->blocks);
  CAKE_VEC_FINI(&values->operands);
  cake_map_fini(&values->states);
  cake_map_fini(&values->running);
  cake_constant_calls_fini(values);
  cake_arena_destroy(values->arena);
}
