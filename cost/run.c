// One run of a multiprocessor: its rates, its CTAs, and what is otherwise in it.
#include "cost/model.h"

#include "cake/text.h"
#include "dialects/cake/cake_accessors.h"

enum { WARP = 32, MOST_STEPS = 100000000 };

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
  sm->rates[CAKE_COST_PORT] = figures[CAKE_FIGURE_L2_PORT];
  sm->rates[CAKE_COST_DRAM] = figures[CAKE_FIGURE_DRAM] * 1e3 / figures[CAKE_FIGURE_CLOCK] / active;
}

static void set_warps(CakeCostInstance *instance, const CakeSimMachine *machine) {
  CakeRoleShape shape;
  if (!cake_role_shape(machine->program->role, &shape)) return;
  for (int64_t w = 0; w < shape.warps; w++)
    instance->warps[(shape.first_warp + machine->instance * shape.warps + w) % CAKE_COST_QUARTERS]++;
}

static void add_slot(CakeSimLaunch *launch, CakeSimPipe *pipe) {
  pipe->n_stages++;
  pipe->stages = CAKE_ARENA_ARRAY(launch->arena, CakeSimStage, pipe->n_stages);
  for (uint32_t s = 0; s < pipe->n_stages; s++)
    cake_sim_build_stage(launch->arena, pipe, &pipe->stages[s]);
}

static bool prepare_cta(const CakeCostEstimate *estimate, CakeCostChange change, CakeCostSm *sm,
                        const CakeSimOptions *options, CakeCostCta *cta) {
  cta->sm = sm;
  cta->launch = (CakeSimLaunch){.context = estimate->kernel->context,
                                .arena = cake_arena_create(),
                                .level = &cake_cost_level,
                                .kernel = estimate->kernel,
                                .options = options};
  if (!cake_sim_prepare(&cta->launch, estimate->args, estimate->n_args)) return false;
  for (size_t p = 0; p < cta->launch.n_pipes * (size_t)cta->launch.cluster; p++) {
    CakeSimPipe *pipe = &cta->launch.pipes[p];
    for (uint32_t i = 0; i < pipe->n_parts; i++) // no numbers: nothing to clear but which shares have come
      if (!pipe->is_multicast)
        pipe->parts[i].count = 0;
      else if (pipe->parts[i].count > CAKE_MAX_CLUSTER)
        pipe->parts[i].count = CAKE_MAX_CLUSTER;
    if (pipe->decl == change.longer) add_slot(&cta->launch, pipe);
  }
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

// Until nobody has anything to do, and nothing is left of what was asked for.
double cake_cost_cycles(const CakeCostSm *sm) {
  double end = sm->now;
  for (size_t u = 0; u < sm->n_units; u++)
    for (size_t r = 0; r < CAKE_COST_RESOURCES; r++)
      end = sm->units[u].free_at[r] > end ? sm->units[u].free_at[r] : end;
  return sm->skipped + end;
}

bool cake_cost_run_changed(CakeCostEstimate *estimate, CakeCostChange change, CakeCostUse use) {
  CakeSimNamedSize *sizes = CAKE_ARENA_ARRAY(estimate->arena, CakeSimNamedSize, estimate->options->n_sizes + 1);
  for (size_t i = 0; i < estimate->options->n_sizes; i++)
    sizes[i] = (CakeSimNamedSize){estimate->options->sizes[i].name, estimate->options->sizes[i].value};
  CakeCostSm sm = {.machine = estimate->options->machine, .arena = cake_arena_create()};
  int64_t sms = (int64_t)cake_cost_figure(&sm, CAKE_FIGURE_MULTIPROCESSORS);
  CakeSimOptions options = {.max_steps = MOST_STEPS,
                            .grid = sms * estimate->report->ctas_per_sm,
                            .sizes = sizes,
                            .n_sizes = estimate->options->n_sizes};
  for (size_t r = 0; r < CAKE_COST_RESOURCES; r++)
    sm.speed[r] = r == (size_t)change.faster ? 2 : 1;
  sm.traffic = CAKE_ARENA_ARRAY(sm.arena, CakeCostTraffic, estimate->n_args + 1);
  sm.n_arguments = estimate->n_args;
  for (size_t i = 0; i < estimate->n_args; i++)
    sm.traffic[i].of_memory = estimate->of_memory[i];
  sm.ctas = CAKE_ARENA_ARRAY(sm.arena, CakeCostCta, estimate->report->ctas_per_sm + 1);
  CakeCostShare share;
  bool is_fine = true;
  while (is_fine && sm.n_ctas < (size_t)estimate->report->ctas_per_sm)
    is_fine = prepare_cta(estimate, change, &sm, &options, &sm.ctas[sm.n_ctas++]);
  sm.n_units = (size_t)sm.ctas[0].launch.cluster;
  if (is_fine) set_rates(&sm, sm.ctas[0].launch.grid);
  if (is_fine) cake_cost_steady_init(&sm);
  if (is_fine && change.is_drawn) cake_cost_tracks_init(&sm, estimate->options->timeline);
  is_fine = is_fine && cake_cost_share_work(&sm, &share) && cake_cost_run(&sm) && use(estimate, &sm, &share);
  for (size_t i = 0; i < sm.n_ctas; i++)
    fini_cta(&sm.ctas[i]);
  CAKE_VEC_FINI(&sm.events);
  cake_cost_steady_fini(&sm);
  cake_cost_tracks_fini(&sm);
  cake_arena_destroy(sm.arena);
  return is_fine;
}
