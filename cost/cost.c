// The entry of the cost model: what stands on a multiprocessor, and the runs that are compared.
//
// The first run counts the bytes of each array; how many of them device memory has to give (each byte once) goes into the second, which is the
// estimate. Then each resource in turn is taken to be twice as fast: what the time would lose says what it is bound by.
#include "cost/model.h"

#include "cake/passes.h"
#include "cake/text.h"
#include "dialects/cake/cake_accessors.h"
#include "verifier/rules.h"

#include <stdlib.h>

enum {
  RESERVED_SHARED = 1024,
  WARP = 32,
  MOST_STEPS = 100000000
}; // bytes of each CTA (CUDA C++ Programming Guide, "Shared Memory")

const char *cake_cost_resource_name(CakeCostResource resource) {
  static const char *const names[] = {
#define RESOURCE(row, name) name,
#include "cost/resources.def"
#undef RESOURCE
  };
  return names[resource];
}

typedef struct Estimate {
  CakeOp *kernel;
  const CakeCostOptions *options;
  CakeCostReport *report;
  CakeArena *arena; // of the arguments
  CakeSimArgument *args;
  size_t n_args;
  double *of_memory; // by argument
} Estimate;

// ---- Arguments -----------------------------------------------------------------------------------------------------------------

static bool find_size(void *user, CakeId name, int64_t *out) {
  const CakeCostOptions *options = user;
  for (size_t i = 0; i < options->n_sizes; i++) {
    if (!cake_str_equal(options->sizes[i].name, cake_id_str(name))) continue;
    *out = options->sizes[i].value;
    return true;
  }
  return false;
}

static const CakeCostArray *find_array(const CakeCostOptions *options, CakeStr name) {
  for (size_t i = 0; i < options->n_arrays; i++)
    if (cake_str_equal(options->arrays[i].name, name)) return &options->arrays[i];
  return NULL;
}

// The elements that the options give, as an array of the launch has them.
static bool set_values(const Estimate *estimate, const CakeCostArray *given, CakeSimArray *array) {
  CakeSimElement element;
  int64_t count = 1;
  for (size_t d = 0; d < array->rank; d++)
    count *= array->dims[d];
  if (!cake_sim_element_of(array->element, &element) || element.is_float)
    return cake_error(estimate->kernel, CAKE_CODE_RUN_ARGUMENT, "argument '%.*s' takes no integers",
                      CAKE_STR_ARG(given->name));
  if ((size_t)count != given->count)
    return cake_error(estimate->kernel, CAKE_CODE_RUN_ARGUMENT, "argument '%.*s' has %lld elements, not %zu",
                      CAKE_STR_ARG(given->name), (long long)count, given->count);
  array->data = cake_arena_alloc(estimate->arena, given->count * sizeof(int64_t) + 1);
  cake_sim_write(element, array->data, 0, given->count, given->values);
  return true;
}

static bool set_argument(const Estimate *estimate, CakeStr name, CakeType type, CakeSimArgument *out) {
  static int64_t no_number[2]; // is never read
  CakeExprEnv env = {.name = find_size, .user = (void *)(uintptr_t)estimate->options};
  bool is_global = cake_type_is(type, &cake_type_def_global);
  *out = (CakeSimArgument){
      name, {.element = is_global ? cake_global_element(type) : type, .data = no_number}
  };
  out->array.rank = is_global ? cake_global_rank(type) : 0;
  if (out->array.rank > CAKE_SIM_MAX_RANK)
    return cake_cost_decline(estimate->kernel, "has an array of more than %d dimensions", CAKE_SIM_MAX_RANK);
  for (size_t d = 0; d < out->array.rank; d++) {
    CakeAttr dim = cake_global_dim(type, d);
    if (!cake_expr_eval(dim, &env, &out->array.dims[d]))
      return cake_error(estimate->kernel, CAKE_CODE_RUN_ARGUMENT, "needs the size %s of argument '%.*s'",
                        cake_body_text(dim), CAKE_STR_ARG(name));
  }
  const CakeCostArray *given = find_array(estimate->options, name);
  return !given || set_values(estimate, given, &out->array);
}

static bool set_arguments(Estimate *estimate) {
  const CakeBlock *body = cake_region_entry(cake_op_region(estimate->kernel, 0));
  CakeAttr names = cake_cake_kernel_arg_names(estimate->kernel);
  estimate->n_args = body->n_args;
  estimate->args = CAKE_ARENA_ARRAY(estimate->arena, CakeSimArgument, body->n_args + 1);
  estimate->of_memory = CAKE_ARENA_ARRAY(estimate->arena, double, body->n_args + 1);
  for (uint32_t i = 0; i < body->n_args; i++)
    if (!set_argument(estimate, cake_attr_string_value(cake_attr_element(names, i)), body->args[i]->type,
                      &estimate->args[i]))
      return false;
  return true;
}

static bool is_size_of(const CakeOp *kernel, CakeStr name) {
  CakeAttr given = cake_cake_kernel_sizes(kernel);
  const CakeBlock *body = cake_region_entry(cake_op_region(kernel, 0));
  for (size_t i = 0; i < cake_attr_count(given); i++)
    if (cake_str_equal(cake_attr_string_value(cake_attr_element(given, i)), name)) return true;
  for (uint32_t i = 0; i < body->n_args; i++) {
    CakeType type = body->args[i]->type;
    size_t rank = cake_type_is(type, &cake_type_def_global) ? cake_global_rank(type) : 0;
    for (size_t d = 0; d < rank; d++) {
      CakeAttr dim = cake_global_dim(type, d);
      if (cake_expr_kind(dim) == CAKE_EXPR_NAME && cake_str_equal(cake_id_str(cake_expr_name_of(dim)), name))
        return true;
    }
  }
  return false;
}

static bool check_sizes(const Estimate *estimate) {
  for (size_t i = 0; i < estimate->options->n_sizes; i++) {
    CakeStr name = estimate->options->sizes[i].name;
    if (!is_size_of(estimate->kernel, name))
      return cake_error(estimate->kernel, CAKE_CODE_RUN_ARGUMENT, "has no size '%.*s'", CAKE_STR_ARG(name));
  }
  return true;
}

// Items are computed from arrays whose numbers must be known.
static bool check_arrays(const Estimate *estimate) {
  CakeAttr names = cake_cake_kernel_arg_names(estimate->kernel);
  for (CakeOp *op = cake_region_entry(cake_op_region(estimate->kernel, 0))->first; op; op = op->next) {
    if (!cake_is_cake_op(op, cake_op_cake_tiles)) continue;
    CakeOperandRange arrays = cake_cake_tiles_arrays(op);
    for (uint32_t i = 0; i < arrays.count; i++) {
      CakeStr name = cake_attr_string_value(cake_attr_element(names, arrays.first[i].value->index));
      if (!find_array(estimate->options, name))
        return cake_cost_decline(op, "depends on the numbers of array '%.*s', which are not given", CAKE_STR_ARG(name));
    }
  }
  return true;
}

// ---- Occupancy -----------------------------------------------------------------------------------------------------------------

// Registers of a CTA by the budgets of its roles; 0 where a role has none: then the assembler decides.
static int64_t budgeted_registers(const CakeOp *kernel) {
  int64_t sum = 0;
  for (const CakeOp *op = cake_region_entry(cake_op_region(kernel, 0))->first; op; op = op->next) {
    CakeRoleShape shape;
    if (!cake_is_cake_op(op, cake_op_cake_role)) continue;
    if (!cake_role_shape(op, &shape) || shape.regs == 0) return 0;
    sum += shape.regs * WARP * ((shape.warps * shape.replicas + 3) / 4 * 4);
  }
  return sum;
}

static void limit(CakeCostReport *report, double room, int64_t need, const char *what) {
  if (need <= 0 || room / (double)need >= (double)report->ctas_per_sm) return;
  report->ctas_per_sm = (int64_t)(room / (double)need);
  report->occupancy_by = what;
}

static bool set_occupancy(const Estimate *estimate) {
  CakeCostReport *report = estimate->report;
  const double *figures = estimate->options->machine->figures;
  int64_t shared = cake_kernel_shared_bytes(estimate->kernel), threads = cake_kernel_threads(estimate->kernel);
  report->ctas_per_sm = CAKE_COST_MAX_CTAS;
  if (shared < 0 || threads < 1)
    return cake_error(estimate->kernel, CAKE_CODE_PARAM_CHOICE,
                      "is not instantiated: template parameters must have values");
  limit(report, figures[CAKE_FIGURE_SM_CTAS], 1, "the number of CTAs");
  limit(report, figures[CAKE_FIGURE_SM_THREADS], threads, "threads");
  limit(report, figures[CAKE_FIGURE_SM_SHARED], shared + RESERVED_SHARED, "shared memory");
  limit(report, figures[CAKE_FIGURE_SM_REGISTERS], budgeted_registers(estimate->kernel), "registers");
  return report->ctas_per_sm > 0 ||
         cake_cost_decline(estimate->kernel, "does not fit on a multiprocessor, by its %s", report->occupancy_by);
}

// ---- Places for CTAs -----------------------------------------------------------------------------------------------------------

static bool is_persistent(const CakeSimLaunch *launch) {
  return launch->n_tiles && launch->tiles[0].schedule == CAKE_SCHEDULE_PERSISTENT;
}

// Whether all items have as many steps, and CTAs take them in turn.
static bool has_equal_items(const CakeSimTiles *tiles) {
  int64_t steps;
  bool has_extents = false;
  for (size_t i = 0; i < tiles->n_axes; i++)
    has_extents |= tiles->of_item[i] != NULL;
  return tiles->n_lets == 0 && !has_extents && tiles->slowest_axis < 0 &&
         (!tiles->steps || cake_expr_is_const(tiles->steps, &steps));
}

// Items of a CTA, and how much they are: an item counts as a step more than it has. -1: reported.
static double weight_of(CakeCostCta *cta, int64_t number, int64_t *out_items) {
  const CakeSimTiles *tiles = &cta->launch.tiles[0];
  CakeSimMachine *machine = &cta->sim.machines[0];
  CakeSimInstr here = {.op = tiles->decl};
  double weight = 0;
  *out_items = 0;
  if (has_equal_items(tiles)) {
    *out_items = is_persistent(&cta->launch) ? (tiles->items - number + cta->launch.grid - 1) / cta->launch.grid : 1;
    return (double)*out_items;
  }
  for (int64_t round = 0;; round++) {
    int64_t item = cake_sim_item_of_round(tiles, number, round, cta->launch.grid);
    if (item >= tiles->items) return weight;
    CakeSimStep step = item < 0 ? CAKE_SIM_JUMP : cake_sim_begin_item(machine, &here, tiles, item);
    if (step == CAKE_SIM_FAILED) return -1;
    if (step == CAKE_SIM_JUMP) continue;
    weight += (double)machine->item_steps + 1;
    ++*out_items;
  }
}

typedef struct Share {
  int64_t heaviest, rounds; // the CTA that has most to do, and its items
  double part;              // of all work that the multiprocessor with it does
} Share;

static int64_t multiprocessors(const CakeCostSm *sm) {
  return (int64_t)cake_cost_figure(sm, CAKE_FIGURE_MULTIPROCESSORS);
}

// Where items differ, each CTA is weighed.
static bool find_heaviest(CakeCostCta *cta, double *out_all, Share *out) {
  double most = -1;
  for (int64_t i = 0; i < cta->launch.grid; i++) {
    int64_t items;
    double weight = weight_of(cta, i, &items);
    if (weight < 0) return false;
    *out_all += weight;
    if (weight <= most) continue;
    most = weight;
    out->heaviest = i;
    out->rounds = items;
  }
  return true;
}

// CTAs of a persistent kernel; their number is that of the places on the device at most.
static bool weigh(CakeCostSm *sm, Share *out) {
  CakeCostCta *cta = &sm->ctas[0];
  double all = (double)cta->launch.tiles[0].items, here = 0;
  int64_t items;
  if (has_equal_items(&cta->launch.tiles[0]))
    (void)weight_of(cta, 0, &out->rounds); // the first has as many as any
  else if (all = 0, !find_heaviest(cta, &all, out))
    return false;
  out->heaviest %= multiprocessors(sm);
  for (int64_t i = out->heaviest; i < cta->launch.grid; i += multiprocessors(sm))
    here += weight_of(cta, i, &items);
  out->part = all > 0 ? here / all : 1;
  return true;
}

static void place_ctas(CakeCostSm *sm, const Share *share) {
  int64_t sms = multiprocessors(sm);
  for (size_t i = 0; i < sm->n_ctas; i++) {
    CakeCostCta *cta = &sm->ctas[i];
    cta->number = share->heaviest + (int64_t)i * sms;
    cta->step = sms * (int64_t)sm->n_ctas;
    cta->limit = cta->launch.grid;
  }
}

static bool share_work(CakeCostSm *sm, Share *out) {
  const CakeSimLaunch *launch = &sm->ctas[0].launch;
  int64_t sms = multiprocessors(sm);
  *out = (Share){.rounds = 1};
  if (launch->grid < 1) return cake_cost_decline(launch->kernel, "has no items at these sizes");
  if (is_persistent(launch) && !weigh(sm, out)) return false;
  if (!is_persistent(launch)) out->part = (double)((launch->grid + sms - 1) / sms) / (double)launch->grid;
  sm->has_equal_items = launch->n_tiles == 0 || has_equal_items(&launch->tiles[0]);
  place_ctas(sm, out);
  return true;
}

// ---- A run ---------------------------------------------------------------------------------------------------------------------

static void set_rates(CakeCostSm *sm, int64_t grid) {
  const double *figures = sm->machine->figures;
  double active =
      figures[CAKE_FIGURE_MULTIPROCESSORS] < (double)grid ? figures[CAKE_FIGURE_MULTIPROCESSORS] : (double)grid;
  sm->rates[CAKE_COST_ISSUE] = figures[CAKE_FIGURE_ISSUE];
  sm->rates[CAKE_COST_FMA] = figures[CAKE_FIGURE_FMA] / WARP / CAKE_COST_QUARTERS;
  sm->rates[CAKE_COST_ALU] = figures[CAKE_FIGURE_ALU] / WARP / CAKE_COST_QUARTERS;
  sm->rates[CAKE_COST_MUFU] = figures[CAKE_FIGURE_MUFU] / WARP / CAKE_COST_QUARTERS;
  sm->rates[CAKE_COST_SHARED] = figures[CAKE_FIGURE_SHARED_PORT];
  sm->rates[CAKE_COST_L2] = figures[CAKE_FIGURE_L2] / active;
  if (figures[CAKE_FIGURE_L2_PORT] < sm->rates[CAKE_COST_L2]) sm->rates[CAKE_COST_L2] = figures[CAKE_FIGURE_L2_PORT];
  sm->rates[CAKE_COST_DRAM] = figures[CAKE_FIGURE_DRAM] * 1e3 / figures[CAKE_FIGURE_CLOCK] / active;
}

static void set_warps(CakeCostInstance *instance, const CakeSimMachine *machine) {
  CakeRoleShape shape;
  if (!cake_role_shape(machine->program->role, &shape)) return;
  for (int64_t w = 0; w < shape.warps; w++)
    instance->warps[(shape.first_warp + machine->instance * shape.warps + w) % CAKE_COST_QUARTERS]++;
}

static bool prepare_cta(const Estimate *estimate, CakeCostSm *sm, const CakeSimOptions *options, CakeCostCta *cta) {
  cta->sm = sm;
  cta->launch = (CakeSimLaunch){.context = estimate->kernel->context,
                                .arena = cake_arena_create(),
                                .level = &cake_cost_level,
                                .kernel = estimate->kernel,
                                .options = options};
  if (!cake_sim_prepare(&cta->launch, estimate->args, estimate->n_args)) return false;
  for (size_t p = 0; p < cta->launch.n_pipes; p++) // no numbers: nothing to clear
    for (uint32_t i = 0; i < cta->launch.pipes[p].n_parts; i++)
      cta->launch.pipes[p].parts[i].count = 0;
  cake_sim_cta_init(&cta->sim, &cta->launch);
  cta->instances = CAKE_ARENA_ARRAY(sm->arena, CakeCostInstance, cta->sim.n_machines + 1);
  for (size_t i = 0; i < cta->sim.n_machines; i++)
    set_warps(&cta->instances[i], &cta->sim.machines[i]);
  return true;
}

static void fini_cta(CakeCostCta *cta) {
  cake_sim_cta_fini(&cta->sim);
  if (cta->launch.arena) cake_sim_launch_fini(&cta->launch);
  cake_map_fini(&cta->unknown);
  cake_map_fini(&cta->distinct);
}

typedef bool (*Use)(Estimate *estimate, CakeCostSm *sm, const Share *share);

static double cycles_of(const CakeCostSm *sm) {
  double end = sm->now;
  if (sm->free_at[CAKE_COST_L2] > end) end = sm->free_at[CAKE_COST_L2];
  return sm->skipped + (sm->free_at[CAKE_COST_DRAM] > end ? sm->free_at[CAKE_COST_DRAM] : end);
}

// Runs the multiprocessor with one resource twice as fast (CAKE_COST_RESOURCES: none), and hands it over.
static bool run(Estimate *estimate, CakeCostResource faster, Use use) {
  CakeSimNamedSize *sizes = CAKE_ARENA_ARRAY(estimate->arena, CakeSimNamedSize, estimate->options->n_sizes + 1);
  for (size_t i = 0; i < estimate->options->n_sizes; i++)
    sizes[i] = (CakeSimNamedSize){estimate->options->sizes[i].name, estimate->options->sizes[i].value};
  CakeCostSm sm = {.machine = estimate->options->machine, .arena = cake_arena_create()};
  int64_t sms = multiprocessors(&sm);
  CakeSimOptions options = {.max_steps = MOST_STEPS,
                            .grid = sms * estimate->report->ctas_per_sm,
                            .sizes = sizes,
                            .n_sizes = estimate->options->n_sizes};
  for (size_t r = 0; r < CAKE_COST_RESOURCES; r++)
    sm.speed[r] = r == (size_t)faster ? 2 : 1;
  sm.traffic = CAKE_ARENA_ARRAY(sm.arena, CakeCostTraffic, estimate->n_args + 1);
  sm.n_arguments = estimate->n_args;
  for (size_t i = 0; i < estimate->n_args; i++)
    sm.traffic[i].of_memory = estimate->of_memory[i];
  sm.ctas = CAKE_ARENA_ARRAY(sm.arena, CakeCostCta, estimate->report->ctas_per_sm + 1);
  Share share;
  bool is_fine = true;
  while (is_fine && sm.n_ctas < (size_t)estimate->report->ctas_per_sm)
    is_fine = prepare_cta(estimate, &sm, &options, &sm.ctas[sm.n_ctas++]);
  if (is_fine) set_rates(&sm, sm.ctas[0].launch.grid);
  if (is_fine) cake_cost_steady_init(&sm);
  is_fine = is_fine && share_work(&sm, &share) && cake_cost_run(&sm) && use(estimate, &sm, &share);
  for (size_t i = 0; i < sm.n_ctas; i++)
    fini_cta(&sm.ctas[i]);
  CAKE_VEC_FINI(&sm.events);
  cake_cost_steady_fini(&sm);
  cake_arena_destroy(sm.arena);
  return is_fine;
}

// ---- What runs are for -----------------------------------------------------------------------------------------------------------

// Each byte of an array comes from memory, or goes there, once; what is moved more often is in L2 by then.
static bool use_traffic(Estimate *estimate, CakeCostSm *sm, const Share *share) {
  for (size_t i = 0; i < estimate->n_args; i++) {
    const CakeSimArray *array = &estimate->args[i].array;
    double bytes = (double)cake_sim_element_bytes(array->element);
    for (size_t d = 0; d < array->rank; d++)
      bytes *= (double)array->dims[d];
    double moved = sm->traffic[i].bytes / share->part;
    estimate->of_memory[i] = moved > bytes ? bytes / moved : 1;
  }
  return true;
}

static bool use_faster(Estimate *estimate, CakeCostSm *sm, const Share *share) {
  CakeCostReport *report = estimate->report;
  size_t r = 0;
  while (sm->speed[r] == 1)
    r++;
  double launch = cake_cost_figure(sm, CAKE_FIGURE_LAUNCH) * cake_cost_figure(sm, CAKE_FIGURE_CLOCK);
  (void)share;
  report->saves[r] = 1 - (cycles_of(sm) + launch) / (report->cycles + launch);
  if (report->saves[r] > report->saves[report->bound]) report->bound = (CakeCostResource)r;
  return true;
}

static int by_part(const void *a, const void *b) {
  double x = ((const CakeCostWait *)a)->part, y = ((const CakeCostWait *)b)->part;
  return (x < y) - (x > y);
}

// Values are told apart by the name of the op that gives them.
static bool is_same_wait(const CakeCostWait *wait, const CakeCostSpent *spent) {
  if (wait->kind != spent->kind) return false;
  bool has_ops = wait->kind == CAKE_COST_WAIT_VALUE && wait->object && spent->object;
  return has_ops ? wait->object->info == spent->object->info : wait->object == spent->object;
}

static void add_wait(CakeCostRole *role, const CakeCostSpent *spent, double part) {
  for (size_t i = 0; i < role->n_waits; i++) {
    if (!is_same_wait(&role->waits[i], spent)) continue;
    role->waits[i].part += part;
    return;
  }
  role->waits[role->n_waits++] = (CakeCostWait){spent->kind, spent->object, part};
}

static size_t count_waits(const CakeCostSm *sm) {
  size_t count = 0;
  for (const CakeCostCta *cta = sm->ctas; cta < sm->ctas + sm->n_ctas; cta++)
    for (size_t i = 0; i < cta->sim.n_machines; i++)
      count += cta->instances[i].n_spent;
  return count;
}

// What an instance does, as a part of the time of all instances of its role.
static void add_instance(CakeCostRole *role, const CakeCostInstance *instance, double all) {
  role->works += instance->worked / all;
  for (size_t s = 0; s < instance->n_spent; s++)
    add_wait(role, &instance->spent[s], instance->spent[s].cycles / all);
}

// Of all instances of a role, in all places that have had a CTA.
static void report_role(const Estimate *estimate, const CakeCostSm *sm, size_t number, CakeCostRole *out) {
  const CakeSimProgram *program = &sm->ctas[0].launch.programs[number];
  int64_t places = 0;
  for (size_t c = 0; c < sm->n_ctas; c++)
    places += sm->ctas[c].n_run > 0;
  double all = (double)(program->replicas * places) * estimate->report->cycles;
  *out = (CakeCostRole){.role = program->role, .replicas = program->replicas, .ended = 1};
  out->waits = CAKE_ARENA_ARRAY(cake_context_arena(estimate->kernel->context), CakeCostWait, count_waits(sm) + 1);
  for (const CakeCostCta *cta = sm->ctas; cta < sm->ctas + sm->n_ctas; cta++)
    for (size_t i = 0; i < cta->sim.n_machines; i++)
      if (cta->sim.machines[i].program->role == program->role) add_instance(out, &cta->instances[i], all);
  qsort(out->waits, out->n_waits, sizeof *out->waits, by_part);
  out->ended -= out->works;
  for (size_t i = 0; i < out->n_waits; i++)
    out->ended -= out->waits[i].part;
  if (out->ended < 0) out->ended = 0;
}

static bool use_estimate(Estimate *estimate, CakeCostSm *sm, const Share *share) {
  CakeCostReport *report = estimate->report;
  const CakeSimLaunch *launch = &sm->ctas[0].launch;
  report->cycles = cycles_of(sm);
  report->microseconds =
      report->cycles / cake_cost_figure(sm, CAKE_FIGURE_CLOCK) + cake_cost_figure(sm, CAKE_FIGURE_LAUNCH);
  report->grid = launch->grid;
  report->items = launch->report.items;
  report->rounds = share->rounds;
  report->skipped = sm->skipped / report->cycles;
  report->events = sm->n_events;
  for (size_t r = 0; r < CAKE_COST_RESOURCES; r++)
    report->busy[r] = sm->busy[r] / report->cycles;
  size_t busiest = 0;
  for (size_t r = 0; r < CAKE_COST_RESOURCES; r++)
    if (sm->busy[r] > sm->busy[busiest]) busiest = r;
  report->fill = sm->begun[busiest];
  report->drain = report->cycles - sm->skipped - sm->ended[busiest];
  report->n_roles = launch->n_programs;
  report->roles = CAKE_ARENA_ARRAY(cake_context_arena(estimate->kernel->context), CakeCostRole, report->n_roles + 1);
  for (size_t i = 0; i < report->n_roles; i++)
    report_role(estimate, sm, i, &report->roles[i]);
  return true;
}

// Fragments lie in the lanes of the role that works on them, and constants are known, only in the kernel itself.
static bool flatten(CakeOp *kernel) {
  CakePipelineOptions options = {0};
  CakePipeline *pipeline = cake_pipeline_parse(kernel->context, &cake_passes_registry,
                                               CAKE_STR("builtin.module(cake-inline-calls,cake-unroll)"));
  bool is_fine = pipeline && cake_pipeline_run(pipeline, cake_block_parent(kernel->block), &options);
  cake_pipeline_destroy(pipeline);
  return is_fine;
}

static bool check_kernel(const Estimate *estimate) {
  CakeOp *kernel = estimate->kernel;
  if (!cake_is_cake_op(kernel, cake_op_cake_kernel))
    return cake_cost_decline(kernel, "is no kernel of the cake dialect");
  if (cake_op_cluster(kernel) > 1) return cake_cost_decline(kernel, "is not modelled: clusters");
  CakeAttr targets = cake_cake_kernel_target(kernel);
  for (size_t i = 0; i < cake_attr_count(targets); i++)
    if (cake_str_equal(cake_attr_string_value(cake_attr_element(targets, i)), estimate->options->machine->target))
      return true;
  return cake_cost_decline(kernel, "has no target '%.*s', which the machine is",
                           CAKE_STR_ARG(estimate->options->machine->target));
}

bool cake_cost_estimate(CakeOp *kernel, const CakeCostOptions *options, CakeCostReport *report) {
  *report = (CakeCostReport){0};
  Estimate estimate = {.kernel = kernel, .options = options, .report = report, .arena = cake_arena_create()};
  bool is_fine = check_kernel(&estimate) && flatten(kernel) && set_occupancy(&estimate) && check_sizes(&estimate) &&
                 check_arrays(&estimate) && set_arguments(&estimate) &&
                 run(&estimate, CAKE_COST_RESOURCES, use_traffic) && run(&estimate, CAKE_COST_RESOURCES, use_estimate);
  for (size_t r = 0; is_fine && r < CAKE_COST_RESOURCES; r++)
    if (report->busy[r] > 0 || r == CAKE_COST_LATENCY) is_fine = run(&estimate, (CakeCostResource)r, use_faster);
  cake_arena_destroy(estimate.arena);
  return is_fine;
}
