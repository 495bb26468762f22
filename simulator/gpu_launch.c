// A launch of a gpu.func: its launch facts give names, types, sizes and the grid; the program is the function's body.
#include "simulator/gpu_build.h"

static bool facts_error(CakeSimLaunch *launch, const char *what) {
  return cake_error(launch->kernel, CAKE_CODE_SIM_UNSUPPORTED, "%s", what);
}

static bool read_facts(CakeSimLaunch *launch) {
  CakeAttr types = cake_gpu_func_arg_types(launch->kernel);
  launch->arg_names = cake_gpu_func_arg_names(launch->kernel);
  launch->guard = cake_gpu_func_guard(launch->kernel);
  launch->cluster = cake_op_cluster(launch->kernel);
  launch->n_args = cake_attr_count(types);
  CakeType *list = CAKE_ARENA_ARRAY(launch->arena, CakeType, launch->n_args + 1);
  for (size_t i = 0; i < launch->n_args; i++) {
    if (!cake_attr_is(cake_attr_element(types, i), &cake_attr_def_type))
      return facts_error(launch, "has an entry of 'arg_types' that is no type");
    list[i] = cake_attr_value_type(cake_attr_element(types, i));
  }
  launch->arg_types = list;
  if (launch->guard && !cake_attr_is(launch->guard, &cake_attr_def_pred))
    return facts_error(launch, "has a guard that is no #cake.pred");
  return cake_attr_is(cake_gpu_func_grid(launch->kernel), &cake_attr_def_expr) ||
         facts_error(launch, "has a grid that is no #cake.expr");
}

// Sizes in the function's order, nothing for the report of a watchdog, then the number of each tensor map.
static bool order_sizes(CakeSimLaunch *launch) {
  CakeAttr names = cake_gpu_func_sizes(launch->kernel);
  size_t n_sizes = cake_attr_count(names);
  const CakeBlock *body = cake_region_entry(cake_op_region(launch->kernel, 0));
  launch->sizes_in_order = CAKE_ARENA_ARRAY(launch->arena, int64_t, body->n_args + 1);
  for (size_t i = 0; i < n_sizes; i++) {
    CakeId name = cake_id(launch->context, cake_attr_string_value(cake_attr_element(names, i)));
    if (!cake_sim_size_value(launch, launch->kernel, cake_expr_name(launch->context, name), "size",
                             &launch->sizes_in_order[i]))
      return false;
  }
  size_t first_map = n_sizes + (cake_gpu_func_watchdog(launch->kernel) != NULL);
  for (size_t i = 0; launch->n_args + first_map + i < body->n_args; i++)
    launch->sizes_in_order[first_map + i] = (int64_t)i;
  return true;
}

static bool choose_grid(CakeSimLaunch *launch) {
  int64_t items = 0;
  if (!cake_sim_size_value(launch, launch->kernel, cake_gpu_func_grid(launch->kernel), "grid", &items)) return false;
  if (items < 0 || items > INT32_MAX)
    return cake_error(launch->kernel, CAKE_CODE_RUN_ARGUMENT, "has a grid of %lld CTAs", (long long)items);
  if (items % launch->cluster)
    return cake_error(launch->kernel, CAKE_CODE_RUN_ARGUMENT,
                      "has a grid of %lld CTAs, which do not divide into clusters of %lld", (long long)items,
                      (long long)launch->cluster);
  launch->report.items = items / launch->cluster;
  launch->grid = cake_sim_choose_grid(launch, launch->report.items, cake_gpu_func_persistent(launch->kernel) != NULL);
  launch->report.grid = launch->grid;
  return true;
}

static bool build_program(CakeSimLaunch *launch) {
  CakeRegion *body = cake_op_region(launch->kernel, 0);
  CakeBlock *entry = cake_region_entry(body);
  const uint32_t *slots = NULL;
  if (!entry || entry->next)
    return facts_error(launch, "must have one block: control flow is simulated when it is structured");
  launch->programs = CAKE_ARENA_ARRAY(launch->arena, CakeSimProgram, 1);
  launch->n_programs = 1;
  CakeSimProgram *program = &launch->programs[0];
  program->role = launch->kernel;
  CakeSimBuilder builder = {.launch = launch, .program = program};
  CakeMap needed = {0};
  if (launch->options->protocol) launch->needed = &needed;
  bool ok = !launch->needed || cake_gpu_slice(launch, &needed);
  ok = ok && cake_sim_define_args(&builder, launch->kernel, entry, &slots);
  for (uint32_t i = 0; ok && i < entry->n_args; i++)
    if (slots[i] != CAKE_SIM_NO_SLOT) CAKE_PUSH(&program->presets, (CakeSimPreset){slots[i], i});
  ok = ok && cake_sim_build_region(&builder, body, (CakeSimFrame){0});
  cake_map_fini(&builder.slots);
  cake_map_fini(&needed);
  launch->needed = NULL;
  return ok;
}

static bool run_cluster(CakeSimCta *cta, int64_t number) {
  return cake_gpu_run_cta((CakeGpuCta *)cta, number);
}

static bool run_ctas(CakeSimLaunch *launch) {
  int64_t count = cake_sim_count_ctas(launch);
  CakeGpuMap *maps = NULL;
  size_t n_maps = 0;
  if (count < 0 || (count > 0 && !cake_gpu_build_maps(launch, &maps, &n_maps))) return false;
  CakeGpuCta cta;
  cake_gpu_cta_init(&cta, launch);
  cta.maps = maps;
  cta.n_maps = n_maps;
  launch->report.shared_bytes = launch->report.peak_shared_bytes = cta.shared_bytes;
  bool ok = cake_sim_run_schedules(launch, run_cluster, &cta.cta);
  cake_gpu_cta_fini(&cta);
  return ok;
}

bool cake_gpu_simulate(CakeSimLaunch *launch, const CakeSimArgument *args, size_t n_args) {
  launch->level = &cake_sim_level_gpu;
  return read_facts(launch) && cake_sim_bind(launch, args, n_args) && order_sizes(launch) && build_program(launch) &&
         choose_grid(launch) && run_ctas(launch);
}
