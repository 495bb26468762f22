// A launch on the simulator.
#include "dialects/cake/cake.h"
#include "tools/run.h"

// A function of the thread level says in `arg_types` what its pointers are.
static CakeType type_of(const CakeOp *kernel, size_t i) {
  CakeAttr types = cake_op_attr_text(kernel, "arg_types");
  return types ? cake_attr_value_type(cake_attr_element(types, i))
               : cake_region_entry(cake_op_region(kernel, 0))->args[i]->type;
}

bool cake_run_cpu(CakeOp *kernel, CakeRunArgs *args, const CakeSimOptions *options, CakeSimReport *report) {
  CAKE_VEC(CakeSimArgument) sim = {0};
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
  bool is_fine = cake_simulate(kernel, sim.data, sim.len, options, report);
  CAKE_VEC_FINI(&sim);
  return is_fine;
}
