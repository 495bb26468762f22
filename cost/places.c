// What stands on a multiprocessor: how many CTAs at once, and which ones run on that which has most to do.
#include "cost/model.h"

#include "cake/text.h"
#include "dialects/cake/cake_accessors.h"
#include "verifier/rules.h"

enum { RESERVED_SHARED = 1024, WARP = 32 }; // bytes of each CTA (CUDA C++ Programming Guide, "Shared Memory")

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

bool cake_cost_set_occupancy(const CakeCostEstimate *estimate) {
  CakeCostReport *report = estimate->report;
  const double *figures = estimate->options->machine->figures;
  int64_t shared = cake_kernel_shared_bytes(estimate->kernel), threads = cake_kernel_threads(estimate->kernel);
  report->ctas_per_sm = CAKE_COST_MAX_CTAS;
  report->occupancy_by = "the number of CTAs";
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

// A grid counted in clusters, which take items together; without them, in CTAs.
static int64_t clusters_of(const CakeSimLaunch *launch) {
  return launch->grid / launch->cluster;
}

// Items of a cluster, and how much they are: an item counts as a step more than it has. -1: reported.
static double weight_of(CakeCostCta *cta, int64_t number, int64_t *out_items) {
  const CakeSimTiles *tiles = &cta->launch.tiles[0];
  CakeSimMachine *machine = &cta->sim.machines[0];
  CakeSimInstr here = {.op = tiles->decl};
  int64_t clusters = clusters_of(&cta->launch);
  double weight = 0;
  *out_items = 0;
  if (has_equal_items(tiles)) {
    *out_items = is_persistent(&cta->launch) ? (tiles->items - number + clusters - 1) / clusters : 1;
    return (double)*out_items;
  }
  for (int64_t round = 0;; round++) {
    int64_t item = cake_sim_item_of_round(tiles, number, round, clusters);
    if (item >= tiles->items) return weight;
    CakeSimStep step = item < 0 ? CAKE_SIM_JUMP : cake_sim_begin_item(machine, &here, tiles, item);
    if (step == CAKE_SIM_FAILED) return -1;
    if (step == CAKE_SIM_JUMP) continue;
    weight += (double)machine->item_steps + 1;
    ++*out_items;
  }
}

// How many clusters stand side by side on the device.
static int64_t clusters_at_once(const CakeCostSm *sm) {
  return (int64_t)cake_cost_figure(sm, CAKE_FIGURE_MULTIPROCESSORS) / sm->ctas[0].launch.cluster;
}

// Where items differ, each cluster is weighed.
static bool find_heaviest(CakeCostCta *cta, double *out_all, CakeCostShare *out) {
  double most = -1;
  for (int64_t i = 0; i < clusters_of(&cta->launch); i++) {
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

// Clusters of a persistent kernel; their number is that of the places on the device at most.
static bool weigh(CakeCostSm *sm, CakeCostShare *out) {
  CakeCostCta *cta = &sm->ctas[0];
  double all = (double)cta->launch.tiles[0].items, here = 0;
  int64_t items;
  if (has_equal_items(&cta->launch.tiles[0]))
    (void)weight_of(cta, 0, &out->rounds); // the first has as many as any
  else if (all = 0, !find_heaviest(cta, &all, out))
    return false;
  out->heaviest %= clusters_at_once(sm);
  for (int64_t i = out->heaviest; i < clusters_of(&cta->launch); i += clusters_at_once(sm))
    here += weight_of(cta, i, &items);
  out->part = all > 0 ? here / all : 1;
  return true;
}

static void place_ctas(CakeCostSm *sm, const CakeCostShare *share) {
  for (size_t i = 0; i < sm->n_ctas; i++) {
    CakeCostCta *cta = &sm->ctas[i];
    cta->number = (share->heaviest + (int64_t)i * clusters_at_once(sm)) * cta->launch.cluster;
    cta->step = clusters_at_once(sm) * (int64_t)sm->n_ctas * cta->launch.cluster;
    cta->limit = cta->launch.grid;
  }
}

bool cake_cost_share_work(CakeCostSm *sm, CakeCostShare *out) {
  const CakeSimLaunch *launch = &sm->ctas[0].launch;
  int64_t at_once = clusters_at_once(sm), clusters = clusters_of(launch);
  *out = (CakeCostShare){.rounds = 1};
  if (clusters < 1) return cake_cost_decline(launch->kernel, "has no items at these sizes");
  if (at_once < 1) return cake_cost_decline(launch->kernel, "has clusters that the machine has no room for");
  if (is_persistent(launch) && !weigh(sm, out)) return false;
  if (!is_persistent(launch)) out->part = (double)((clusters + at_once - 1) / at_once) / (double)clusters;
  sm->has_equal_items = launch->n_tiles == 0 || has_equal_items(&launch->tiles[0]);
  place_ctas(sm, out);
  return true;
}
