// A launch on the simulator.
#include "dialects/cake/cake.h"
#include "tools/run.h"
#include "verifier/protocol.h"

// A function of the thread level says in `arg_types` what its pointers are.
static CakeType type_of(const CakeOp *kernel, size_t i) {
  CakeAttr types = cake_op_attr_text(kernel, "arg_types");
  return types ? cake_attr_value_type(cake_attr_element(types, i))
               : cake_region_entry(cake_op_region(kernel, 0))->args[i]->type;
}

bool cake_run_cpu(CakeOp *kernel, CakeRunArgs *args, const CakeSimOptions *options, CakeSimReport *report) {
  CAKE_VEC(CakeSimArgument) sim = {0};
  CAKE_VEC(CakeSimNamedSize) sizes = {0};
  for (size_t i = 0; i < args->sizes.len; i++)
    CAKE_PUSH(&sizes, ((CakeSimNamedSize){cake_str(args->facts->manifest.sizes[i]), args->sizes.data[i]}));
  for (size_t i = 0; i < args->arrays.len; i++) {
    const CakeRunArray *array = &args->arrays.data[i];
    CakeType type = type_of(kernel, i);
    CakeSimArgument argument = {
        cake_str(args->facts->manifest.args[i].name), {.element = type, .data = array->data, .rank = array->rank}
    };
    if (cake_type_is(type, &cake_type_def_global)) argument.array.element = cake_global_element(type);
    for (size_t d = 0; d < array->rank; d++)
      argument.array.dims[d] = array->dims[d];
    CAKE_PUSH(&sim, argument);
  }
  CakeSimOptions with_sizes = *options;
  with_sizes.sizes = sizes.data;
  with_sizes.n_sizes = sizes.len;
  bool is_fine = cake_simulate(kernel, sim.data, sim.len, &with_sizes, report);
  CAKE_VEC_FINI(&sim);
  CAKE_VEC_FINI(&sizes);
  return is_fine;
}

bool cake_run_replay(const CakeTool *tool, CakeOp *kernel, CakeRunArgs *args, CakeSimOptions *options,
                     CakeSimReport *report) {
  CakeProtocolTrace trace;
  CAKE_VEC(CakeSimMove) moves = {0};
  bool is_refuted = cake_protocol_trace(kernel, CAKE_PROTOCOL_BUDGET, &trace);
  for (size_t i = 0; i < trace.moves.len; i++) {
    CakeProtocolMove move = trace.moves.data[i];
    CAKE_PUSH(&moves, ((CakeSimMove){move.warps, move.role, move.instance, move.is_meeting, move.op}));
  }
  options->moves = moves.data;
  options->n_moves = moves.len;
  options->actions = trace.actions.data;
  options->n_actions = trace.actions.len;
  bool is_fine = is_refuted ? cake_run_cpu(kernel, args, options, report)
                            : cake_tool_fail(tool, "--replay: the protocol checker does not refute the kernel");
  if (is_fine && report->ctas_run == 0) is_fine = cake_tool_fail(tool, "--replay: no CTA has an item for these sizes");
  CAKE_VEC_FINI(&moves);
  cake_protocol_trace_fini(&trace);
  return is_fine;
}
