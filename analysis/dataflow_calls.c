// Sparse dataflow through calls: the arguments of a private callable are what its calls hand over, if all that refers
// to it are calls; the results of a call are what its callee returns, whoever else calls it.
#include "analysis/dataflow_private.h"

void cake_dataflow_visit_callable(CakeDataflow *dataflow, CakeOp *callable) {
  if (cake_known_callable(&dataflow->calls, callable)) return; // its calls lead to it
  for (uint32_t i = 0; i < callable->n_regions; i++)
    cake_dataflow_enter_region(dataflow, cake_op_region(callable, i));
}

void cake_dataflow_visit_call(CakeDataflow *dataflow, CakeOp *call) {
  const CakeKnownCallable *callee = cake_called_callee(&dataflow->calls, call);
  if (!callee) cake_dataflow_any_results(dataflow, call);
  if (!callee || !callee->is_known) return; // its body may be entered with any values
  CakeBlock *entry = cake_op_region(callee->op, 0)->first;
  for (uint32_t i = 0; i < call->n_operands; i++)
    cake_dataflow_join(dataflow, entry->args[i], cake_op_operand(call, i));
  cake_dataflow_run_block(dataflow, entry);
}

void cake_dataflow_visit_return(CakeDataflow *dataflow, CakeOp *end) {
  const CakeKnownCallable *callable = cake_called_callable(&dataflow->calls, cake_op_parent(end));
  for (size_t c = 0; callable && c < callable->n_calls; c++) {
    CakeOp *call = cake_known_call(&dataflow->calls, callable, c);
    for (uint32_t i = 0; i < end->n_operands && i < call->n_results; i++)
      cake_dataflow_join(dataflow, &call->results[i], cake_op_operand(end, i));
  }
}
