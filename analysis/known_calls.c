// Callables and their calls, by counting what refers to them.
#include "analysis/known_calls.h"

#include "cake/symbol.h"

static CakeKnownCallable *find(const CakeKnownCalls *calls, const CakeOp *callable) {
  uintptr_t number;
  if (!callable || !cake_map_get(&calls->index, callable, &number)) return NULL;
  return &calls->callables.data[number - 1];
}

static bool fits(const CakeOp *call, const CakeOp *callable) {
  const CakeBlock *entry = cake_op_region(callable, 0)->first;
  return entry->n_args == call->n_operands;
}

// Counts the references in an attribute.
static void count_attr(CakeKnownCalls *calls, CakeOp *op, CakeAttr attr) {
  CAKE_VEC(CakeAttr) stack = {0};
  CAKE_PUSH(&stack, attr);
  while (stack.len) {
    CakeAttr next = stack.data[--stack.len];
    CakeKnownCallable *callable = find(calls, cake_call_graph_lookup(&calls->graph, op, next));
    if (callable) callable->references++;
    for (uint32_t i = 0; i < next->count; i++)
      if (next->params[i].kind == CAKE_PARAM_ATTR && next->params[i].attr) CAKE_PUSH(&stack, next->params[i].attr);
  }
  CAKE_VEC_FINI(&stack);
}

static bool may_refer(const CakeAttr attr) {
  return attr && (attr->count || cake_attr_is(attr, &cake_attr_def_symbol_ref));
}

static void count_references(CakeKnownCalls *calls, CakeOp *root) {
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    if (may_refer(op->attrs)) count_attr(calls, op, op->attrs);
    for (uint32_t i = 0; i < op->info->n_props; i++)
      if (may_refer(cake_op_prop(op, i))) count_attr(calls, op, cake_op_prop(op, i));
    CakeKnownCallable *callee =
        cake_call_graph_is_call(op) ? find(calls, cake_call_graph_callee(&calls->graph, op)) : NULL;
    if (callee && fits(op, callee->op)) callee->n_calls++;
  }
}

static void place_calls(CakeKnownCalls *calls, CakeOp *root) {
  size_t total = 0;
  for (size_t i = 0; i < calls->callables.len; i++) {
    CakeKnownCallable *callable = &calls->callables.data[i];
    callable->first_call = total;
    total += callable->n_calls;
    callable->is_known = cake_symbol_is_hidden(callable->op, root) && callable->references == callable->n_calls;
    callable->n_calls = 0;
  }
  for (size_t i = 0; i < total; i++)
    CAKE_PUSH(&calls->calls, NULL);
  for (CakeOp *op = root; op && total; op = cake_op_walk_next(root, op, false)) {
    CakeKnownCallable *callee =
        cake_call_graph_is_call(op) ? find(calls, cake_call_graph_callee(&calls->graph, op)) : NULL;
    if (callee) calls->calls.data[callee->first_call + callee->n_calls++] = op;
  }
}

void cake_known_calls_init(CakeKnownCalls *calls, CakeOp *root) {
  *calls = (CakeKnownCalls){0};
  if (!cake_op_has_trait(root, CAKE_TRAIT_SYMBOL_TABLE)) return;
  for (CakeOp *op = cake_op_walk_next(root, root, false); op; op = cake_op_walk_next(root, op, false)) {
    if (!cake_op_has_trait(op, CAKE_TRAIT_CALLABLE) || !cake_op_region(op, 0)->first) continue;
    CAKE_PUSH(&calls->callables, (CakeKnownCallable){.op = op});
    cake_map_set(&calls->index, op, calls->callables.len);
  }
  if (!calls->callables.len) return;
  count_references(calls, root);
  place_calls(calls, root);
}

void cake_known_calls_fini(CakeKnownCalls *calls) {
  cake_call_graph_fini(&calls->graph);
  cake_map_fini(&calls->index);
  CAKE_VEC_FINI(&calls->callables);
  CAKE_VEC_FINI(&calls->calls);
}

const CakeKnownCallable *cake_called_callable(const CakeKnownCalls *calls, const CakeOp *callable) {
  return find(calls, callable);
}

const CakeKnownCallable *cake_called_callee(CakeKnownCalls *calls, CakeOp *call) {
  if (!calls->callables.len || !cake_call_graph_is_call(call)) return NULL;
  CakeOp *callee = cake_call_graph_callee(&calls->graph, call);
  return callee && callee->n_regions && cake_op_region(callee, 0)->first && fits(call, callee) ? find(calls, callee)
                                                                                               : NULL;
}

const CakeKnownCallable *cake_known_callable(const CakeKnownCalls *calls, const CakeOp *callable) {
  const CakeKnownCallable *found = find(calls, callable);
  return found && found->is_known ? found : NULL;
}

const CakeKnownCallable *cake_known_callee(CakeKnownCalls *calls, CakeOp *call) {
  const CakeKnownCallable *found = cake_called_callee(calls, call);
  return found && found->is_known ? found : NULL;
}
