// The entry of the cost model: the runs that are compared, and the report.
//
// The first run counts the bytes of each array; how many of them device memory has to give (each byte once) goes into the second, which is the
// estimate. Then each resource in turn is taken to be twice as fast: what the time would lose says what it is bound by. So is each pipeline
// taken to have one more slot.
#include "cost/model.h"

#include "cake/passes.h"
#include "cake/text.h"
#include "dialects/cake/cake_accessors.h"

#include <stdlib.h>

const char *cake_cost_resource_name(CakeCostResource resource) {
  static const char *const names[] = {
#define RESOURCE(row, name) name,
#include "cost/resources.def"
#undef RESOURCE
  };
  return names[resource];
}

// ---- What runs are for -----------------------------------------------------------------------------------------------------------

// Each byte of an array comes from memory, or goes there, once; what is moved more often is in L2 by then.
static bool use_traffic(CakeCostEstimate *estimate, CakeCostSm *sm, const CakeCostShare *share) {
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

// Part of the time, the launch included, that a run takes less than the estimate.
static double saved(const CakeCostEstimate *estimate, const CakeCostSm *sm) {
  double launch = cake_cost_figure(sm, CAKE_FIGURE_LAUNCH) * cake_cost_figure(sm, CAKE_FIGURE_CLOCK);
  double before = estimate->report->cycles + launch;
  return before > 0 ? 1 - (cake_cost_cycles(sm) + launch) / before : 0;
}

static bool use_faster(CakeCostEstimate *estimate, CakeCostSm *sm, const CakeCostShare *share) {
  CakeCostReport *report = estimate->report;
  size_t r = 0;
  while (sm->speed[r] == 1)
    r++;
  (void)share;
  report->saves[r] = saved(estimate, sm);
  if (report->saves[r] > report->saves[report->bound]) report->bound = (CakeCostResource)r;
  return true;
}

// Of the ring that was added last.
static bool use_longer(CakeCostEstimate *estimate, CakeCostSm *sm, const CakeCostShare *share) {
  (void)share;
  estimate->report->rings[estimate->report->n_rings - 1].saves = saved(estimate, sm);
  return true;
}

static bool run_longer(CakeCostEstimate *estimate) {
  CakeCostReport *report = estimate->report;
  CakeBlock *body = cake_region_entry(cake_op_region(estimate->kernel, 0));
  size_t count = 0;
  for (CakeOp *op = body->first; op; op = op->next)
    count += cake_is_cake_op(op, cake_op_cake_pipeline);
  report->rings = CAKE_ARENA_ARRAY(cake_context_arena(estimate->kernel->context), CakeCostRing, count + 1);
  for (CakeOp *op = body->first; op; op = op->next) {
    int64_t stages = 0;
    if (!cake_is_cake_op(op, cake_op_cake_pipeline) || !cake_expr_is_const(cake_cake_pipeline_stages(op), &stages))
      continue;
    report->rings[report->n_rings++] = (CakeCostRing){op, (uint32_t)stages, 0};
    if (!cake_cost_run_changed(estimate, (CakeCostChange){CAKE_COST_RESOURCES, op, false}, use_longer)) return false;
  }
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

// Of the time; of no time nothing is a part.
static double part_of(const CakeCostReport *report, double cycles) {
  return report->cycles > 0 ? cycles / report->cycles : 0;
}

static size_t count_waits(const CakeCostSm *sm) {
  size_t count = 0;
  for (const CakeCostCta *cta = sm->ctas; cta < sm->ctas + sm->n_ctas; cta++)
    for (size_t i = 0; i < cta->sim.n_machines; i++)
      count += cta->instances[i].n_spent;
  return count;
}

// What an instance does, as a part of the time of the `count` instances of its role.
static void add_instance(const CakeCostReport *report, CakeCostRole *role, const CakeCostInstance *instance,
                         double count) {
  role->works += part_of(report, instance->worked) / count;
  for (size_t s = 0; s < instance->n_spent; s++)
    add_wait(role, &instance->spent[s], part_of(report, instance->spent[s].cycles) / count);
}

// Of all instances of a role, in all places that have had a CTA.
static void report_role(const CakeCostEstimate *estimate, const CakeCostSm *sm, size_t number, CakeCostRole *out) {
  const CakeSimProgram *program = &sm->ctas[0].launch.programs[number];
  int64_t places = 0;
  for (size_t c = 0; c < sm->n_ctas; c++)
    places += sm->ctas[c].n_run > 0;
  double count = (double)(program->replicas * places * sm->ctas[0].launch.cluster);
  *out = (CakeCostRole){.role = program->role, .replicas = program->replicas, .ended = 1};
  out->waits = CAKE_ARENA_ARRAY(cake_context_arena(estimate->kernel->context), CakeCostWait, count_waits(sm) + 1);
  for (const CakeCostCta *cta = sm->ctas; cta < sm->ctas + sm->n_ctas; cta++)
    for (size_t i = 0; i < cta->sim.n_machines; i++)
      if (cta->sim.machines[i].program->role == program->role)
        add_instance(estimate->report, out, &cta->instances[i], count);
  qsort(out->waits, out->n_waits, sizeof *out->waits, by_part);
  out->ended -= out->works;
  for (size_t i = 0; i < out->n_waits; i++)
    out->ended -= out->waits[i].part;
  if (out->ended < 0) out->ended = 0;
}

// Of the cluster's multiprocessors on average; begin and end are those of the first.
static void set_busy(const CakeCostSm *sm, CakeCostReport *report) {
  size_t busiest = 0;
  for (size_t r = 0; r < CAKE_COST_RESOURCES; r++) {
    for (size_t u = 0; u < sm->n_units; u++)
      report->busy[r] += part_of(report, sm->units[u].busy[r]) / (double)sm->n_units;
    if (report->busy[r] > report->busy[busiest]) busiest = r;
  }
  report->fill = sm->units[0].begun[busiest];
  report->drain = report->cycles - sm->skipped - sm->units[0].ended[busiest];
}

static bool use_estimate(CakeCostEstimate *estimate, CakeCostSm *sm, const CakeCostShare *share) {
  CakeCostReport *report = estimate->report;
  const CakeSimLaunch *launch = &sm->ctas[0].launch;
  report->cycles = cake_cost_cycles(sm);
  report->microseconds =
      report->cycles / cake_cost_figure(sm, CAKE_FIGURE_CLOCK) + cake_cost_figure(sm, CAKE_FIGURE_LAUNCH);
  report->grid = launch->grid;
  report->items = launch->report.items;
  report->rounds = share->rounds;
  report->skipped = part_of(report, sm->skipped);
  report->events = sm->n_events;
  set_busy(sm, report);
  cake_cost_tracks_draw(sm);
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

static const CakeCostChange no_change = {CAKE_COST_RESOURCES, NULL, false};

static bool check_kernel(const CakeCostEstimate *estimate) {
  CakeOp *kernel = estimate->kernel;
  if (!cake_is_cake_op(kernel, cake_op_cake_kernel))
    return cake_cost_decline(kernel, "is no kernel of the cake dialect");
  CakeAttr targets = cake_cake_kernel_target(kernel);
  for (size_t i = 0; i < cake_attr_count(targets); i++)
    if (cake_str_equal(cake_attr_string_value(cake_attr_element(targets, i)), estimate->options->machine->target))
      return true;
  return cake_cost_decline(kernel, "has no target '%.*s', which the machine is",
                           CAKE_STR_ARG(estimate->options->machine->target));
}

static bool run_all(CakeCostEstimate *estimate) {
  CakeCostReport *report = estimate->report;
  bool is_fine = cake_cost_run_changed(estimate, no_change, use_traffic) &&
                 cake_cost_run_changed(estimate, (CakeCostChange){CAKE_COST_RESOURCES, NULL, true}, use_estimate);
  for (size_t r = 0; is_fine && r < CAKE_COST_RESOURCES; r++)
    if (report->busy[r] > 0 || r == CAKE_COST_LATENCY)
      is_fine = cake_cost_run_changed(estimate, (CakeCostChange){.faster = (CakeCostResource)r}, use_faster);
  return is_fine && run_longer(estimate);
}

bool cake_cost_estimate(CakeOp *kernel, const CakeCostOptions *options, CakeCostReport *report) {
  *report = (CakeCostReport){0};
  CakeCostEstimate estimate = {.kernel = kernel, .options = options, .report = report, .arena = cake_arena_create()};
  bool is_fine = check_kernel(&estimate) && flatten(kernel) && cake_cost_set_occupancy(&estimate) &&
                 cake_cost_set_arguments(&estimate) && run_all(&estimate);
  cake_arena_destroy(estimate.arena);
  return is_fine;
}
