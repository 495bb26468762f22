// Sparse dataflow through calls: the arguments of a private callable are what its calls hand over, if all that refers
// to it are calls; the results of a call are what its callee returns.
#include "analysis/dataflow_private.h"
#include "cake/symbol.h"

static CakeKnownCallable *known(const CakeDataflow *dataflow, const CakeOp *callable) {
  uintptr_t number;
  if (!callable || !cake_map_get(&dataflow->known, callable, &number)) return NULL;
  return &dataflow->callables.data[number - 1];
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
static void count_attr(CakeDataflow *dataflow, CakeOp *op, CakeAttr attr) {
  CAKE_VEC(CakeAttr) stack = {0};
  CAKE_PUSH(&stack, attr);
  while (stack.len) {
    CakeAttr next = stack.data[--stack.len];
    CakeKnownCallable *callable = known(dataflow, cake_call_graph_lookup(&dataflow->graph, op, next));
    if (callable) callable->references++;
    for (uint32_t i = 0; i < next->count; i++)
      if (next->params[i].kind == CAKE_PARAM_ATTR && next->params[i].attr) CAKE_PUSH(&stack, next->params[i].attr);
  }
  CAKE_VEC_FINI(&stack);
}

static bool may_refer(const CakeAttr attr) {
  return attr && (attr->count || cake_attr_is(attr, &cake_attr_def_symbol_ref));
}

static void count_references(CakeDataflow *dataflow, CakeOp *root) {
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    if (may_refer(op->attrs)) count_attr(dataflow, op, op->attrs);
    for (uint32_t i = 0; i < op->info->n_props; i++)
      if (may_refer(cake_op_prop(op, i))) count_attr(dataflow, op, cake_op_prop(op, i));
    CakeKnownCallable *callee =
        cake_call_graph_is_call(op) ? known(dataflow, cake_call_graph_callee(&dataflow->graph, op)) : NULL;
    if (callee && fits(op, callee->op)) callee->n_calls++;
  }
}

static void place_calls(CakeDataflow *dataflow, CakeOp *root) {
  size_t total = 0;
  for (size_t i = 0; i < dataflow->callables.len; i++) {
    CakeKnownCallable *callable = &dataflow->callables.data[i];
    callable->first_call = total;
    total += callable->n_calls;
    if (callable->references != callable->n_calls) cake_map_remove(&dataflow->known, callable->op);
    callable->n_calls = 0;
  }
  for (size_t i = 0; i < total; i++)
    CAKE_PUSH(&dataflow->calls, NULL);
  for (CakeOp *op = root; op && total; op = cake_op_walk_next(root, op, false)) {
    CakeKnownCallable *callee =
        cake_call_graph_is_call(op) ? known(dataflow, cake_call_graph_callee(&dataflow->graph, op)) : NULL;
    if (callee) dataflow->calls.data[callee->first_call + callee->n_calls++] = op;
  }
}

// Only a root that is a symbol table holds all that may refer to its private symbols.
void cake_dataflow_find_calls(CakeDataflow *dataflow, CakeOp *root) {
  if (!cake_op_has_trait(root, CAKE_TRAIT_SYMBOL_TABLE)) return;
  for (CakeOp *op = cake_op_walk_next(root, root, false); op; op = cake_op_walk_next(root, op, false)) {
    if (!cake_op_has_trait(op, CAKE_TRAIT_CALLABLE) || !cake_op_region(op, 0)->first || !is_private(op)) continue;
    CAKE_PUSH(&dataflow->callables, (CakeKnownCallable){.op = op});
    cake_map_set(&dataflow->known, op, dataflow->callables.len);
  }
  if (!dataflow->callables.len) return;
  count_references(dataflow, root);
  place_calls(dataflow, root);
}

void cake_dataflow_calls_fini(CakeDataflow *dataflow) {
  cake_call_graph_fini(&dataflow->graph);
  cake_map_fini(&dataflow->known);
  CAKE_VEC_FINI(&dataflow->callables);
  CAKE_VEC_FINI(&dataflow->calls);
}

void cake_dataflow_visit_callable(CakeDataflow *dataflow, CakeOp *callable) {
  if (known(dataflow, callable)) return; // its calls lead to it
  for (uint32_t i = 0; i < callable->n_regions; i++)
    cake_dataflow_enter_region(dataflow, cake_op_region(callable, i));
}

void cake_dataflow_visit_call(CakeDataflow *dataflow, CakeOp *call) {
  CakeKnownCallable *callee =
      dataflow->callables.len ? known(dataflow, cake_call_graph_callee(&dataflow->graph, call)) : NULL;
  if (!callee) {
    cake_dataflow_any_results(dataflow, call);
    return;
  }
  CakeBlock *entry = cake_op_region(callee->op, 0)->first;
  for (uint32_t i = 0; i < call->n_operands; i++)
    cake_dataflow_join(dataflow, entry->args[i], cake_op_operand(call, i));
  cake_dataflow_run_block(dataflow, entry);
}

void cake_dataflow_visit_return(CakeDataflow *dataflow, CakeOp *end) {
  const CakeKnownCallable *callable = known(dataflow, cake_op_parent(end));
  for (size_t c = 0; callable && c < callable->n_calls; c++) {
    CakeOp *call = dataflow->calls.data[callable->first_call + c];
    for (uint32_t i = 0; i < end->n_operands && i < call->n_results; i++)
      cake_dataflow_join(dataflow, &call->results[i], cake_op_operand(end, i));
  }
}
