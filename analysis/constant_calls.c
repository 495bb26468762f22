// Constant propagation through calls: the arguments of a private callable are what its calls hand over, if all that refers
// to it are calls; the results of a call are what its callee returns.
#include "analysis/constant_values_private.h"
#include "cake/symbol.h"

bool cake_constant_is_call(const CakeOp *op) {
  return cake_call_graph_is_call(op);
}

static CakeKnownCallable *known(const CakeConstantValues *values, const CakeOp *callable) {
  uintptr_t number;
  if (!callable || !cake_map_get(&values->known, callable, &number)) return NULL;
  return &values->callables.data[number - 1];
}

static bool is_private(const CakeOp *op) {
  CakeAttr visibility = cake_op_attr_text(op, "sym_visibility");
  return visibility && cake_str_is(cake_attr_string_value(visibility), "private");
}

static bool fits(const CakeOp *call, const CakeOp *callable) {
  const CakeBlock *entry = cake_op_region(callable, 0)->first;
  return entry->n_args == call->n_operands;
}

// Counts the references in an attribute.
static void count_attr(CakeConstantValues *values, CakeOp *op, CakeAttr attr) {
  CAKE_VEC(CakeAttr) stack = {0};
  CAKE_PUSH(&stack, attr);
  while (stack.len) {
    CakeAttr next = stack.data[--stack.len];
    CakeKnownCallable *callable = known(values, cake_call_graph_lookup(&values->graph, op, next));
    if (callable) callable->references++;
    for (uint32_t i = 0; i < next->count; i++)
      if (next->params[i].kind == CAKE_PARAM_ATTR && next->params[i].attr) CAKE_PUSH(&stack, next->params[i].attr);
  }
  CAKE_VEC_FINI(&stack);
}

static bool may_refer(const CakeAttr attr) {
  return attr && (attr->count || cake_attr_is(attr, &cake_attr_def_symbol_ref));
}

static void count_references(CakeConstantValues *values, CakeOp *root) {
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    if (may_refer(op->attrs)) count_attr(values, op, op->attrs);
    for (uint32_t i = 0; i < op->info->n_props; i++)
      if (may_refer(cake_op_prop(op, i))) count_attr(values, op, cake_op_prop(op, i));
    CakeKnownCallable *callee =
        cake_constant_is_call(op) ? known(values, cake_call_graph_callee(&values->graph, op)) : NULL;
    if (callee && fits(op, callee->op)) callee->n_calls++;
  }
}

static void place_calls(CakeConstantValues *values, CakeOp *root) {
  size_t total = 0;
  for (size_t i = 0; i < values->callables.len; i++) {
    CakeKnownCallable *callable = &values->callables.data[i];
    callable->first_call = total;
    total += callable->n_calls;
    if (callable->references != callable->n_calls) cake_map_remove(&values->known, callable->op);
    callable->n_calls = 0;
  }
  for (size_t i = 0; i < total; i++)
    CAKE_PUSH(&values->calls, NULL);
  for (CakeOp *op = root; op && total; op = cake_op_walk_next(root, op, false)) {
    CakeKnownCallable *callee =
        cake_constant_is_call(op) ? known(values, cake_call_graph_callee(&values->graph, op)) : NULL;
    if (callee) values->calls.data[callee->first_call + callee->n_calls++] = op;
  }
}

// Only a root that is a symbol table holds all that may refer to its private symbols.
void cake_constant_find_calls(CakeConstantValues *values, CakeOp *root) {
  if (!cake_op_has_trait(root, CAKE_TRAIT_SYMBOL_TABLE)) return;
  for (CakeOp *op = cake_op_walk_next(root, root, false); op; op = cake_op_walk_next(root, op, false)) {
    if (!cake_op_has_trait(op, CAKE_TRAIT_CALLABLE) || !cake_op_region(op, 0)->first || !is_private(op)) continue;
    CAKE_PUSH(&values->callables, (CakeKnownCallable){.op = op});
    cake_map_set(&values->known, op, values->callables.len);
  }
  if (!values->callables.len) return;
  count_references(values, root);
  place_calls(values, root);
}

void cake_constant_calls_fini(CakeConstantValues *values) {
  cake_call_graph_fini(&values->graph);
  cake_map_fini(&values->known);
  CAKE_VEC_FINI(&values->callables);
  CAKE_VEC_FINI(&values->calls);
}

void cake_constant_visit_callable(CakeConstantValues *values, CakeOp *callable) {
  if (known(values, callable)) return; // its calls lead to it
  for (uint32_t i = 0; i < callable->n_regions; i++)
    cake_constant_enter_region(values, cake_op_region(callable, i));
}

void cake_constant_visit_call(CakeConstantValues *values, CakeOp *call) {
  CakeKnownCallable *callee =
      values->callables.len ? known(values, cake_call_graph_callee(&values->graph, call)) : NULL;
  if (!callee) {
    cake_constant_results_vary(values, call);
    return;
  }
  CakeBlock *entry = cake_op_region(callee->op, 0)->first;
  for (uint32_t i = 0; i < call->n_operands; i++)
    cake_constant_join(values, entry->args[i], cake_op_operand(call, i));
  cake_constant_run_block(values, entry);
}

void cake_constant_visit_return(CakeConstantValues *values, CakeOp *end) {
  const CakeKnownCallable *callable = known(values, cake_op_parent(end));
  for (size_t c = 0; callable && c < callable->n_calls; c++) {
    CakeOp *call = values->calls.data[callable->first_call + c];
    for (uint32_t i = 0; i < end->n_operands && i < call->n_results; i++)
      cake_constant_join(values, &call->results[i], cake_op_operand(end, i));
  }
}
