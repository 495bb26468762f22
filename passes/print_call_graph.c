// print-call-graph: functions in the order in which callees come first, each with what it calls.
#include "analysis/call_graph.h"
#include "cake/symbol.h"
#include "passes/passes.h"

static void put_name(const CakeOp *op, CakeBuf *out) {
  CakeId name = cake_symbol_name(op);
  cake_buf_printf(out, "@%s", name ? name->text : "<unnamed>");
}

static void put_calls(CakeCallGraph *graph, CakeOp *caller, CakeBuf *out) {
  CakeMap seen = {0};
  const char *between = " calls ";
  uintptr_t ignored;
  for (CakeOp *op = cake_op_walk_next(caller, caller, false); op; op = cake_op_walk_next(caller, op, false)) {
    CakeOp *callee = cake_call_graph_is_call(op) ? cake_call_graph_callee(graph, op) : NULL;
    const void *key = callee ? (const void *)callee : (const void *)graph; // what is not known
    if (!cake_call_graph_is_call(op) || cake_map_get(&seen, key, &ignored)) continue;
    cake_map_set(&seen, key, 1);
    cake_buf_text(out, between);
    between = ", ";
    if (callee)
      put_name(callee, out);
    else
      cake_buf_text(out, "something unknown");
  }
  cake_map_fini(&seen);
}

CakePassResult cake_pass_print_call_graph(CakePassContext *pass, CakeOp *root) {
  CakeCallGraph *graph = cake_pass_analysis(pass, &cake_call_graph_analysis, root);
  for (size_t begin = 0, end; begin < graph->order.len; begin = end) {
    end = cake_call_graph_component(graph, begin);
    for (size_t i = begin; i < end; i++) {
      put_name(graph->order.data[i], pass->report);
      put_calls(graph, graph->order.data[i], pass->report);
      cake_buf_text(pass->report, end - begin > 1 ? " (recursive)\n" : "\n");
    }
  }
  return CAKE_PASS_UNCHANGED;
}
