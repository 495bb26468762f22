// The entry: binds the arguments, builds the program, runs the chosen CTAs.
#include "simulator/gpu.h"

#include "cake/verify.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/slots.h"

#include <string.h>

int64_t cake_sim_choose_grid(const CakeSimLaunch *launch, int64_t items, bool is_persistent) {
  int64_t wanted = launch->options->grid > 0 ? launch->options->grid : CAKE_SIM_DEFAULT_GRID;
  int64_t clusters = wanted / launch->cluster > 0 ? wanted / launch->cluster : 1;
  return (is_persistent && clusters < items ? clusters : items) * launch->cluster;
}

// All iterators that roles go over must ask for the same grid.
static bool choose_grid(CakeSimLaunch *launch) {
  const CakeSimTiles *first = NULL;
  for (size_t i = 0; i < launch->n_tiles; i++) {
    const CakeSimTiles *tiles = &launch->tiles[i];
    if (!first) first = tiles;
    if (tiles->schedule == first->schedule && tiles->items == first->items) continue;
    CakeDiagnostic *d =
        cake_error_begin(tiles->decl, CAKE_CODE_SIM_UNSUPPORTED, "asks for another grid than an iterator before it");
    cake_diag_note(launch->context, d, first->decl->loc, "this one");
    return cake_diag_emit(launch->context, d);
  }
  launch->report.items = first ? first->items : 1;
  launch->grid =
      cake_sim_choose_grid(launch, launch->report.items, first && first->schedule == CAKE_SCHEDULE_PERSISTENT);
  launch->report.grid = launch->grid;
  return true;
}

static bool check_cta(const CakeSimLaunch *launch, int64_t cta) {
  if (cta >= 0 && cta < launch->grid) return true;
  return cake_error(launch->kernel, CAKE_CODE_RUN_ARGUMENT, "has no CTA %lld: the grid has %lld", (long long)cta,
                    (long long)launch->grid);
}

int64_t cake_sim_count_ctas(const CakeSimLaunch *launch) {
  const CakeSimOptions *options = launch->options;
  if (options->ctas) {
    for (size_t i = 0; i < options->n_ctas; i++) {
      if (!check_cta(launch, options->ctas[i])) return -1;
    }
    return (int64_t)options->n_ctas;
  }
  if (options->first_cta == 0 && options->cta_count == 0) return launch->grid;
  if (!check_cta(launch, options->first_cta)) return -1;
  int64_t rest = launch->grid - options->first_cta;
  if (options->cta_count == 0) return rest;
  bool is_range = options->cta_count > 0 && options->cta_count <= rest;
  return is_range || check_cta(launch, launch->grid) ? options->cta_count : -1;
}

// ---- Schedules -------------------------------------------------------------------------------------------------------

static size_t array_bytes(const CakeSimArray *array) {
  size_t bytes = cake_sim_element_bytes(array->element);
  for (size_t d = 0; d < array->rank; d++)
    bytes *= (size_t)array->dims[d];
  return bytes;
}

// What arrays hold before the first of several schedules; NULL for those that nobody writes.
static void **save_arrays(CakeSimLaunch *launch) {
  void **saved = CAKE_ARENA_ARRAY(launch->arena, void *, launch->n_args + 1);
  for (size_t i = 0; i < launch->n_args; i++) {
    CakeType type = launch->arg_types[i];
    if (!cake_type_is(type, &cake_type_def_global) || cake_global_flags(type) & CAKE_GLOBAL_READONLY) continue;
    size_t bytes = array_bytes(launch->arrays[i]);
    if (bytes == 0) continue;
    saved[i] = cake_arena_alloc(launch->arena, bytes);
    memcpy(saved[i], launch->arrays[i]->data, bytes);
  }
  return saved;
}

static void restore_arrays(const CakeSimLaunch *launch, void *const *saved) {
  for (size_t i = 0; i < launch->n_args; i++)
    if (saved[i]) memcpy(launch->arrays[i]->data, saved[i], array_bytes(launch->arrays[i]));
}

// Whether what one CTA adds to an array meets what another adds: then their order matters.
static bool has_additions(const CakeSimLaunch *launch) {
  for (CakeOp *op = launch->kernel; op; op = cake_op_walk_next(launch->kernel, op, false)) {
    if (cake_is_cake_op(op, cake_op_cake_commit) && cake_cake_commit_reduce(op)) return true;
    if (cake_is_gpu_op(op, cake_op_gpu_tma_store) && cake_gpu_tma_store_reduce(op)) return true;
  }
  return false;
}

// The chosen CTAs; all of a cluster when one of them is chosen. Where they add to one array, the last one comes first with odd seeds.
static bool run_once(CakeSimLaunch *launch, CakeSimRunFn run, CakeSimCta *cta) {
  const CakeSimOptions *options = launch->options;
  int64_t count = cake_sim_count_ctas(launch), before = -1;
  bool is_backwards = options->schedule == CAKE_SIM_RANDOM && launch->seed % 2 && has_additions(launch);
  for (int64_t i = 0; i < count; i++) {
    int64_t at = is_backwards ? count - 1 - i : i;
    int64_t number = options->ctas ? options->ctas[at] : options->first_cta + at;
    int64_t first = number / launch->cluster * launch->cluster;
    if (first != before) {
      if (!run(cta, first)) return false;
      launch->report.ctas_run += launch->cluster;
    }
    before = launch->cluster > 1 ? first : -1;
    if (options->progress) options->progress(options->progress_user, i + 1, count);
  }
  return count >= 0;
}

bool cake_sim_run_schedules(CakeSimLaunch *launch, CakeSimRunFn run, CakeSimCta *cta) {
  const CakeSimOptions *options = launch->options;
  void **saved = options->schedules > 1 && !options->protocol ? save_arrays(launch) : NULL;
  for (int64_t n = 0; n == 0 || n < options->schedules; n++) {
    CakeSimReport *report = &launch->report;
    if (n && saved) restore_arrays(launch, saved);
    launch->seed = report->seed = options->seed + (uint64_t)n;
    report->ctas_run = 0;
    report->ops = report->copies = report->copied_bytes = 0;
    if (!run_once(launch, run, cta)) return false;
    if (options->after && !options->after(options->after_user, launch->seed)) return true;
  }
  return true;
}

static bool run_ctas(CakeSimLaunch *launch) {
  CakeSimCta cta;
  cake_sim_cta_init(&cta, launch);
  bool ok = cake_sim_run_schedules(launch, cake_sim_run_cta, &cta);
  cake_sim_cta_fini(&cta);
  return ok;
}

// ---- The entry -------------------------------------------------------------------------------------------------------

void cake_sim_launch_fini(CakeSimLaunch *launch) {
  for (size_t i = 0; i < launch->n_programs; i++) {
    CAKE_VEC_FINI(&launch->programs[i].code);
    CAKE_VEC_FINI(&launch->programs[i].slots);
    CAKE_VEC_FINI(&launch->programs[i].presets);
    CAKE_VEC_FINI(&launch->programs[i].constants);
  }
  CAKE_VEC_FINI(&launch->sizes);
  cake_arena_destroy(launch->arena);
}

static const CakeType *types_of(CakeSimLaunch *launch) {
  const CakeBlock *body = cake_region_entry(cake_op_region(launch->kernel, 0));
  CakeType *types = CAKE_ARENA_ARRAY(launch->arena, CakeType, body->n_args + 1);
  launch->n_args = body->n_args;
  for (uint32_t i = 0; i < body->n_args; i++)
    types[i] = body->args[i]->type;
  return types;
}

bool cake_sim_prepare(CakeSimLaunch *launch, const CakeSimArgument *args, size_t n_args) {
  launch->arg_names = cake_cake_kernel_arg_names(launch->kernel);
  launch->arg_types = types_of(launch);
  launch->guard = cake_cake_kernel_guard(launch->kernel);
  launch->cluster = cake_op_cluster(launch->kernel) > 0 ? cake_op_cluster(launch->kernel) : 1;
  return cake_sim_bind(launch, args, n_args) && cake_sim_build_programs(launch) && choose_grid(launch);
}

static bool simulate_kernel(CakeSimLaunch *launch, const CakeSimArgument *args, size_t n_args) {
  launch->level = &cake_sim_level_cake;
  return cake_sim_prepare(launch, args, n_args) && run_ctas(launch);
}

bool cake_simulate(CakeOp *kernel, const CakeSimArgument *args, size_t n_args, const CakeSimOptions *options,
                   CakeSimReport *report) {
  static const CakeSimOptions defaults;
  bool is_func = cake_is_gpu_op(kernel, cake_op_gpu_func);
  if (!is_func && !cake_is_cake_op(kernel, cake_op_cake_kernel))
    return cake_error(kernel, CAKE_CODE_SIM_UNSUPPORTED, "is no kernel");
  if (!cake_verify(kernel)) return false;
  CakeSimLaunch launch = {.context = kernel->context,
                          .arena = cake_arena_create(),
                          .kernel = kernel,
                          .options = options ? options : &defaults};
  bool ok = is_func ? cake_gpu_simulate(&launch, args, n_args) : simulate_kernel(&launch, args, n_args);
  if (report) *report = launch.report;
  cake_sim_launch_fini(&launch);
  return ok;
}
