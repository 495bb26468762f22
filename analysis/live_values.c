// Live values: a worklist of values, each of which makes live what it comes from.
#include "analysis/live_values.h"

static void mark(CakeLiveValues *values, CakeValue *value) {
  if (value && cake_map_add(&values->live, value, 1)) CAKE_PUSH(&values->work, value);
}

bool cake_value_is_live(const CakeLiveValues *values, const CakeValue *value) {
  return cake_map_get(&values->live, value, NULL);
}

// ---- What is handed on ---------------------------------------------------------------------------------------------

// Whether the arguments of the block get their values from branches that all say from which operands.
static bool has_known_sources(const CakeBlock *block) {
  if (!block->region || block == block->region->first) return false;
  for (const CakeSuccessor *use = block->first_use; use; use = use->next) {
    const CakeOpDef *def = use->owner->info->def;
    uint32_t which = (uint32_t)(use - cake_op_successors(use->owner));
    if (!def || !def->successor_operands || def->successor_operands(use->owner, which).count != block->n_args)
      return false;
  }
  return true;
}

// How many of the last operands of the region's ends become results of the op, or go round.
static uint32_t n_yielded(const CakeOp *op, uint32_t region) {
  return cake_flow_kind(op) == CAKE_FLOW_WHILE && region == 1 ? cake_flow_inits(op).count : op->n_results;
}

static bool ends_fit(const CakeOp *op, uint32_t region) {
  const CakeRegion *at = cake_op_region(op, region);
  for (const CakeBlock *block = at->first; block; block = block->next)
    if (!block->last || block->last->n_successors || block != at->last || block != at->first ||
        block->last->n_operands < n_yielded(op, region))
      return false;
  return true;
}

// Whether a loop carries as many values as it has results; the two halves of a while may differ.
static bool carries_fit(const CakeOp *op) {
  uint32_t n = cake_flow_inits(op).count;
  const CakeBlock *first = op->n_regions ? cake_op_region(op, 0)->first : NULL;
  if (!first || first->n_args < n) return false;
  if (cake_flow_kind(op) == CAKE_FLOW_LOOP) return n == op->n_results;
  const CakeBlock *second = op->n_regions == 2 ? cake_op_region(op, 1)->first : NULL;
  return second && first->n_args == n && second->n_args == op->n_results;
}

// Whether what the op hands on through its regions is known: its results, what it carries, and what their ends yield.
static bool hands_on(const CakeOp *op) {
  CakeFlowKind kind = cake_flow_kind(op);
  bool is_loop = kind == CAKE_FLOW_LOOP || kind == CAKE_FLOW_WHILE;
  if (kind == CAKE_FLOW_NONE || (is_loop && !carries_fit(op))) return false;
  for (uint32_t i = 0; i < op->n_regions; i++)
    if (!ends_fit(op, i)) return false;
  return true;
}

// Whether what a callable returns there is of use to a call.
static bool is_returned_live(const CakeLiveValues *values, const CakeKnownCallable *callable, uint32_t index) {
  for (size_t i = 0; i < callable->n_calls; i++) {
    const CakeOp *call = cake_known_call(&values->calls, callable, i);
    if (index >= call->n_results || cake_value_is_live(values, &call->results[index])) return true;
  }
  return false;
}

static CakeOp *callable_around(const CakeOp *op) {
  CakeOp *around = cake_op_parent(op);
  return around && cake_op_has_trait(around, CAKE_TRAIT_CALLABLE) ? around : NULL;
}

// What a target of a handed-on value says: nothing is handed on, it is not live, or it is.
typedef enum Target { TARGET_NONE, TARGET_DEAD, TARGET_LIVE } Target;

static Target target_of(const CakeLiveValues *values, const CakeValue *value) {
  return cake_value_is_live(values, value) ? TARGET_LIVE : TARGET_DEAD;
}

static Target branch_target(const CakeLiveValues *values, const CakeOp *op, uint32_t index) {
  for (uint32_t i = 0; i < op->n_successors; i++) {
    const CakeBlock *block = cake_op_successor(op, i);
    if (!block || !op->info->def || !op->info->def->successor_operands) return TARGET_NONE;
    CakeOperandRange range = op->info->def->successor_operands(op, i);
    if (index < range.start || index >= range.start + range.count) continue;
    if (!has_known_sources(block)) return TARGET_NONE;
    return target_of(values, block->args[index - range.start]);
  }
  return TARGET_NONE;
}

// What the carried values of that number become: an argument of a region, and in most loops a result.
static Target carried_target(const CakeLiveValues *values, const CakeOp *loop, uint32_t index) {
  const CakeBlock *first = cake_op_region(loop, 0)->first;
  Target target = target_of(values, first->args[first->n_args - cake_flow_inits(loop).count + index]);
  bool is_while = cake_flow_kind(loop) == CAKE_FLOW_WHILE;
  return is_while || target == TARGET_LIVE ? target : target_of(values, &loop->results[index]);
}

static Target result_target(const CakeLiveValues *values, const CakeOp *op, uint32_t index) {
  Target target = target_of(values, &op->results[index]);
  if (cake_flow_kind(op) != CAKE_FLOW_WHILE || target == TARGET_LIVE) return target;
  return target_of(values, cake_op_region(op, 1)->first->args[index]);
}

static Target yield_target(const CakeLiveValues *values, const CakeOp *end, uint32_t index) {
  const CakeOp *op = cake_op_parent(end);
  if (!op || !hands_on(op)) return TARGET_NONE;
  uint32_t region = (uint32_t)(end->block->region - cake_op_regions(op)), n = n_yielded(op, region);
  if (index < end->n_operands - n) return TARGET_NONE;
  uint32_t which = index - (end->n_operands - n);
  bool is_carried = cake_flow_kind(op) == CAKE_FLOW_LOOP || (cake_flow_kind(op) == CAKE_FLOW_WHILE && region == 1);
  return is_carried ? carried_target(values, op, which) : result_target(values, op, which);
}

static Target return_target(const CakeLiveValues *values, const CakeOp *op, uint32_t index) {
  const CakeOp *around = callable_around(op);
  const CakeKnownCallable *callable = around ? cake_known_callable(&values->calls, around) : NULL;
  if (!callable) return TARGET_NONE;
  return is_returned_live(values, callable, index) ? TARGET_LIVE : TARGET_DEAD;
}

static Target target(CakeLiveValues *values, CakeOp *op, uint32_t index) {
  if (op->n_successors) return branch_target(values, op, index);
  if (cake_op_has_trait(op, CAKE_TRAIT_RETURN)) return return_target(values, op, index);
  if (cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR)) return yield_target(values, op, index);
  const CakeKnownCallable *callee = cake_known_callee(&values->calls, op);
  if (callee) return target_of(values, cake_op_region(callee->op, 0)->first->args[index]);
  CakeOperandRange inits = cake_flow_inits(op);
  if (index - inits.start >= inits.count || !hands_on(op)) return TARGET_NONE;
  return carried_target(values, op, index - inits.start);
}

bool cake_operand_is_dead(CakeLiveValues *values, CakeOp *op, uint32_t index) {
  return target(values, op, index) == TARGET_DEAD;
}

bool cake_returned_is_dead(const CakeLiveValues *values, const CakeOp *callable, uint32_t index) {
  const CakeKnownCallable *known = cake_known_callable(&values->calls, callable);
  return known && !is_returned_live(values, known, index);
}

bool cake_result_is_dead(CakeLiveValues *values, CakeOp *op, uint32_t index) {
  const CakeKnownCallable *callee = cake_known_callee(&values->calls, op);
  if (callee) return !is_returned_live(values, callee, index);
  if (!op->n_regions || !hands_on(op)) return false;
  bool is_loop = cake_flow_kind(op) == CAKE_FLOW_LOOP;
  return (is_loop ? carried_target(values, op, index) : result_target(values, op, index)) == TARGET_DEAD;
}

// Of the first block of a region that hands on.
static bool is_carried_dead(const CakeLiveValues *values, const CakeOp *op, const CakeBlock *block, uint32_t index) {
  CakeFlowKind kind = cake_flow_kind(op);
  if ((kind != CAKE_FLOW_LOOP && kind != CAKE_FLOW_WHILE) || !hands_on(op)) return false;
  if (block->region != cake_op_region(op, 0)) return result_target(values, op, index) == TARGET_DEAD;
  uint32_t n = cake_flow_inits(op).count, before = block->n_args - n;
  return index >= before && carried_target(values, op, index - before) == TARGET_DEAD;
}

bool cake_argument_is_dead(const CakeLiveValues *values, const CakeValue *argument) {
  const CakeBlock *block = cake_arg_owner(argument);
  const CakeOp *op = cake_block_parent(block);
  if (cake_value_is_live(values, argument)) return false;
  if (!op || block != block->region->first) return has_known_sources(block);
  return cake_known_callable(&values->calls, op) ? true : is_carried_dead(values, op, block, argument->index);
}

// ---- Marking -------------------------------------------------------------------------------------------------------

static void mark_needed(CakeLiveValues *values, CakeOp *op) {
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (target(values, op, i) == TARGET_NONE) mark(values, cake_op_operand(op, i));
}

// An op that must run: what it does not only hand on, and what the ends of its regions do not.
static void need(CakeLiveValues *values, CakeOp *op) {
  if (!cake_map_add(&values->needed, op, 1)) return;
  mark_needed(values, op);
  for (uint32_t i = 0; i < op->n_regions; i++)
    for (CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next)
      if (block->last) mark_needed(values, block->last);
}

static void mark_sources(CakeLiveValues *values, const CakeValue *value) {
  CakeValueVec sources = {0};
  cake_flow_sources(value, &sources);
  for (size_t i = 0; i < sources.len; i++)
    mark(values, sources.data[i]);
  CAKE_VEC_FINI(&sources);
}

static void mark_returned(CakeLiveValues *values, const CakeKnownCallable *callee, uint32_t index) {
  for (CakeBlock *block = cake_op_region(callee->op, 0)->first; block; block = block->next) {
    CakeOp *last = block->last;
    if (last && cake_op_has_trait(last, CAKE_TRAIT_RETURN) && index < last->n_operands)
      mark(values, cake_op_operand(last, index));
  }
}

static void visit_argument(CakeLiveValues *values, const CakeValue *value) {
  CakeBlock *block = cake_arg_owner(value);
  CakeOp *op = cake_block_parent(block);
  const CakeKnownCallable *callable = op ? cake_known_callable(&values->calls, op) : NULL;
  if (callable && block == block->region->first) {
    for (size_t i = 0; i < callable->n_calls; i++)
      mark(values, cake_op_operand(cake_known_call(&values->calls, callable, i), value->index));
    return;
  }
  mark_sources(values, value);
  if (op && !cake_op_has_trait(op, CAKE_TRAIT_CALLABLE)) need(values, op);
}

static void visit_result(CakeLiveValues *values, const CakeValue *value) {
  CakeOp *op = cake_result_owner(value);
  const CakeKnownCallable *callee = cake_known_callee(&values->calls, op);
  if (callee)
    mark_returned(values, callee, value->index);
  else if (hands_on(op))
    mark_sources(values, value);
  need(values, op);
}

static bool is_linear(const CakeValue *value) {
  return value && (cake_type_is_linear(value->type) || cake_type_is_view(value->type));
}

// What is live whatever becomes of it: what ops need that stay, and arguments that are not known to be handed on.
static void mark_roots(CakeLiveValues *values, CakeOp *op) {
  bool is_end = cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR), is_top = !cake_op_parent(op);
  CakeOp *around = cake_op_parent(op);
  bool is_inside = around && cake_flow_kind(around) != CAKE_FLOW_NONE; // then it stays if the op around it does
  if (is_end ? !is_inside : is_top || !cake_op_is_pure(op)) need(values, op);
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (is_linear(cake_op_operand(op, i))) mark(values, cake_op_operand(op, i));
  for (uint32_t r = 0; r < op->n_regions; r++)
    for (CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next)
      for (uint32_t i = 0; i < block->n_args && block != cake_op_region(op, r)->first; i++)
        if (!has_known_sources(block)) mark(values, block->args[i]);
}

void cake_live_values_init(CakeLiveValues *values, CakeOp *root) {
  *values = (CakeLiveValues){0};
  cake_known_calls_init(&values->calls, root);
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
    mark_roots(values, op);
  while (values->work.len) {
    const CakeValue *value = values->work.data[--values->work.len];
    if (value->is_argument)
      visit_argument(values, value);
    else
      visit_result(values, value);
  }
}

void cake_live_values_fini(CakeLiveValues *values) {
  cake_known_calls_fini(&values->calls);
  cake_map_fini(&values->live);
  cake_map_fini(&values->needed);
  CAKE_VEC_FINI(&values->work);
}
