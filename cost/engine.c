// Roles, copies and matrix instructions of a multiprocessor go on through time.
//
// - An instance of a role works, sleeps until something that is under way is there, or waits by the protocol, whose state is the simulator's.
// - Lanes are shared: an op in progress has work for the units of the quarters its warps are in, and for the shared memory port. All go on at
//   once, each as fast as the unit lets it that it needs most; units that are asked for more than they give slow down all that use them alike.
// - The tensor core, the port to L2, L2 and device memory take what they are asked for one behind the other.
#include "cost/model.h"

#include "dialects/cake/cake_accessors.h"

#include <math.h>
#include <string.h>

#define NEVER INFINITY
#define NOTHING_LEFT 1e-9 // of an op's work
enum { TURN = 1 << 16 };  // instructions without duration between two looks at the limit

// ---- Waiting -----------------------------------------------------------------------------------------------------------------

static void sleep_until(CakeCostSm *sm, CakeSimMachine *machine, double at, CakeCostWaitKind kind, CakeOp *object) {
  CakeCostInstance *instance = cake_cost_instance(machine);
  instance->activity = CAKE_COST_SLEEPING;
  instance->kind = kind;
  instance->object = object;
  CAKE_PUSH(&sm->events, ((CakeCostEvent){.at = at, .kind = CAKE_COST_WOKEN, .machine = machine}));
}

static void spend(CakeCostInstance *instance, double cycles) {
  size_t i = 0;
  while (i < instance->n_spent &&
         (instance->spent[i].kind != instance->kind || instance->spent[i].object != instance->object))
    i++;
  if (i == CAKE_COST_MAX_WAITS) i--;
  if (i == instance->n_spent)
    instance->spent[instance->n_spent++] = (CakeCostSpent){instance->kind, instance->object, 0};
  instance->spent[i].cycles += cycles;
}

// What an instruction that the protocol holds up waits for.
static void set_wait(CakeCostInstance *instance, CakeOp *op) {
  bool is_slot = cake_is_cake_op(op, cake_op_cake_acquire) || cake_is_cake_op(op, cake_op_cake_wait);
  instance->activity = CAKE_COST_WAITING;
  instance->object = is_slot ? cake_op_pipeline(op) : NULL;
  if (is_slot)
    instance->kind = cake_is_cake_op(op, cake_op_cake_wait) ? CAKE_COST_WAIT_FULL : CAKE_COST_WAIT_EMPTY;
  else if (cake_is_cake_op(op, cake_op_cake_take))
    instance->kind = CAKE_COST_WAIT_TURN, instance->object = cake_op_order(op);
  else if (cake_is_cake_op(op, cake_op_cake_await))
    instance->kind = CAKE_COST_WAIT_TENSOR;
  else
    instance->kind = CAKE_COST_WAIT_BARRIER, instance->object = op;
}

// ---- What is taken one behind the other ------------------------------------------------------------------------------------------

// Until when the resource is busy with it.
static double take(CakeCostSm *sm, CakeCostUnit *unit, CakeCostResource resource, double cycles) {
  double start = unit->free_at[resource] > sm->now ? unit->free_at[resource] : sm->now;
  cycles /= sm->speed[resource];
  if (cycles <= 0) return start;
  if (unit->busy[resource] == 0) unit->begun[resource] = start;
  unit->busy[resource] += cycles;
  cake_cost_tracks_resource(sm, unit, resource, start, start + cycles);
  return unit->ended[resource] = unit->free_at[resource] = start + cycles;
}

static double pass_port(CakeCostSm *sm, CakeCostUnit *unit, double bytes) {
  return take(sm, unit, CAKE_COST_PORT, bytes / sm->rates[CAKE_COST_PORT]);
}

// Bytes between memory and the multiprocessor: when they have passed L2 and the port; `out_done`: when the last is there.
static double move(CakeCostSm *sm, CakeCostUnit *unit, const CakeCostWork *work, double *out_done) {
  CakeCostTraffic *traffic = &sm->traffic[work->array];
  double far = cake_cost_latency(sm, CAKE_FIGURE_LATENCY_DRAM), near = cake_cost_latency(sm, CAKE_FIGURE_LATENCY_L2);
  traffic->bytes += work->bytes;
  double passed = take(sm, unit, CAKE_COST_L2, work->bytes / sm->rates[CAKE_COST_L2]);
  double through = pass_port(sm, unit, work->bytes);
  if (through > passed) passed = through;
  double read = take(sm, unit, CAKE_COST_DRAM, traffic->of_memory * work->bytes / sm->rates[CAKE_COST_DRAM]);
  double last = passed > read ? passed : read;
  if (traffic->of_memory == 0) last = passed;
  *out_done = last + near + traffic->of_memory * (far - near);
  return passed;
}

// ---- Effects of ops ------------------------------------------------------------------------------------------------------------

static void set_ready(CakeSimMachine *machine, const CakeSimInstr *instr, double at) {
  for (uint32_t i = 0; i < instr->op->n_results; i++)
    if (cake_cost_is_timed(cake_op_result(instr->op, i)->type)) {
      cake_cost_value(machine, instr->out[i])->ready = at;
      cake_cost_value(machine, instr->out[i])->from = instr->op;
    }
}

static void arrive_at(CakeCostSm *sm, CakeSimMachine *machine, const CakeSimView *view, double at, int64_t rank,
                      uint32_t share, uint32_t shares) {
  CakeCostCta *cta = cake_cost_cta_of(machine->cta->launch);
  CakeSimPipe *pipe = &cta->launch.pipes[(size_t)rank * cta->launch.n_pipes + view->pipe->index];
  CakeSimStage *stage = &pipe->stages[view->stage - view->pipe->stages];
  stage->under_way++;
  cta->under_way++;
  CAKE_PUSH(&sm->events, ((CakeCostEvent){.at = at,
                                          .kind = CAKE_COST_ARRIVED,
                                          .cta = cta,
                                          .pipe = pipe,
                                          .stage = stage,
                                          .part = view->part,
                                          .share = share,
                                          .shares = shares}));
}

// A share of the tile to each CTA of the mask, through the port of each; device memory and L2 give it once.
static void copy_to_many(CakeCostSm *sm, CakeSimMachine *machine, const CakeSimView *view, const CakeCostWork *work) {
  uint32_t mask = work->multicast.masks[machine->rank];
  uint32_t shares = (uint32_t)cake_multicast_count(mask), share = (uint32_t)cake_multicast_index(mask, machine->rank);
  CakeCostWork part = *work;
  double done;
  part.bytes /= shares;
  move(sm, cake_cost_unit(sm, machine), &part, &done);
  for (int64_t rank = 0; rank < work->multicast.cluster; rank++) {
    if (!(mask >> rank & 1)) continue;
    double there = done; // as late as its port lets it pass
    if (rank != machine->rank)
      there = pass_port(sm, &sm->units[rank], part.bytes) + cake_cost_latency(sm, CAKE_FIGURE_LATENCY_L2);
    arrive_at(sm, machine, view, (there > done ? there : done) + work->latency, rank, share, shares);
  }
}

static void copy(CakeCostSm *sm, CakeSimMachine *machine, const CakeSimInstr *instr, const CakeCostWork *work) {
  const CakeSimView *view = cake_sim_at(machine, instr->in[work->view]);
  double done;
  if (work->multicast.cluster > 1) {
    copy_to_many(sm, machine, view, work);
    return;
  }
  move(sm, cake_cost_unit(sm, machine), work, &done);
  arrive_at(sm, machine, view, done + work->latency, machine->rank, 0, 1);
}

// The engine reads the slot, and writes it behind the CTA's back.
static void send(CakeCostSm *sm, CakeSimMachine *machine, const CakeSimInstr *instr, const CakeCostWork *work) {
  const CakeSimToken *token = cake_sim_at(machine, instr->in[0]);
  CakeCostCta *cta = cake_cost_cta_of(machine->cta->launch);
  double done, passed = move(sm, cake_cost_unit(sm, machine), work, &done);
  token->stage->state = CAKE_SIM_COMMITTED;
  cta->under_way++;
  CAKE_PUSH(&sm->events, ((CakeCostEvent){.at = passed + cake_cost_latency(sm, CAKE_FIGURE_LATENCY_SHARED),
                                          .kind = CAKE_COST_STORED,
                                          .cta = cta,
                                          .pipe = token->pipe,
                                          .stage = token->stage}));
}

// The warpgroup goes on when what is queued before the tensor core is little enough.
static CakeSimStep multiply(CakeCostSm *sm, CakeSimMachine *machine, const CakeSimInstr *instr,
                            const CakeCostWork *work) {
  CakeCostUnit *unit = cake_cost_unit(sm, machine);
  double end = take(sm, unit, CAKE_COST_TENSOR, work->tensor),
         go_on = end - cake_cost_figure(sm, CAKE_FIGURE_WGMMA_QUEUE);
  uint64_t group = ++machine->groups;
  unit->is_asynchronous = true;
  *cake_sim_group_of(machine, instr->out[0]) = group;
  set_ready(machine, instr, 0);
  CAKE_PUSH(
      &sm->events,
      ((CakeCostEvent){.at = end + work->latency, .kind = CAKE_COST_COMPLETED, .machine = machine, .group = group}));
  if (go_on <= sm->now) return CAKE_SIM_NEXT;
  cake_cost_instance(machine)->is_issued = true;
  sleep_until(sm, machine, go_on, CAKE_COST_WAIT_TENSOR, NULL);
  return CAKE_SIM_BLOCKED;
}

static CakeSimStep finish(CakeCostSm *sm, CakeSimMachine *machine, const CakeSimInstr *instr,
                          const CakeCostWork *work) {
  double done = sm->now;
  switch (work->effect) {
  case CAKE_COST_NOTHING: break;
  case CAKE_COST_LOADS:
  case CAKE_COST_STORES: move(sm, cake_cost_unit(sm, machine), work, &done); break;
  case CAKE_COST_COPIES: copy(sm, machine, instr, work); return CAKE_SIM_NEXT;
  case CAKE_COST_SENDS: send(sm, machine, instr, work); return CAKE_SIM_NEXT;
  case CAKE_COST_MULTIPLIES: return multiply(sm, machine, instr, work);
  case CAKE_COST_MULTIPLIES_AT_ONCE:
    done = take(sm, cake_cost_unit(sm, machine), CAKE_COST_TENSOR, work->tensor);
    break;
  }
  set_ready(machine, instr, done + work->latency);
  return CAKE_SIM_NEXT;
}

// ---- Instructions ----------------------------------------------------------------------------------------------------------------

// When the op's operands are there, and which op gives the last of them.
static double operands_ready(const CakeSimMachine *machine, const CakeSimInstr *instr, CakeOp **out_last) {
  double ready = 0;
  for (uint32_t i = 0; i < instr->op->n_operands; i++) {
    const CakeValue *value = cake_op_operand(instr->op, i);
    if (!cake_cost_is_timed(value->type) || cake_cost_value(machine, instr->in[i])->ready <= ready) continue;
    ready = cake_cost_value(machine, instr->in[i])->ready;
    *out_last = cake_cost_value(machine, instr->in[i])->from;
  }
  return ready;
}

static bool has_lane_work(const CakeCostWork *work) {
  double sum = work->shared;
  for (size_t k = 0; k < CAKE_COST_LANE_KINDS; k++)
    sum += work->lanes[k];
  return sum > 0;
}

CakeSimStep cake_cost_eval_work(CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeCostInstance *instance = cake_cost_instance(machine);
  CakeCostSm *sm = cake_cost_cta_of(machine->cta->launch)->sm;
  const CakeCostWork *work = instr->info;
  if (instance->is_issued) {
    instance->is_issued = false;
    return CAKE_SIM_NEXT;
  }
  if (!instance->has_worked) {
    CakeOp *last = NULL;
    double ready = operands_ready(machine, instr, &last);
    if (ready > sm->now) {
      sleep_until(sm, machine, ready, CAKE_COST_WAIT_VALUE, last);
      return CAKE_SIM_BLOCKED;
    }
    if (has_lane_work(work)) {
      instance->activity = CAKE_COST_WORKING;
      instance->work = work;
      instance->left = 1;
      return CAKE_SIM_BLOCKED;
    }
  }
  instance->has_worked = false;
  return finish(sm, machine, instr, work);
}

CakeSimStep cake_cost_eval_await(CakeSimMachine *machine, const CakeSimInstr *instr) {
  if (machine->completed < *cake_sim_group_of(machine, instr->in[0])) return CAKE_SIM_BLOCKED;
  set_ready(machine, instr, 0);
  return CAKE_SIM_NEXT;
}

// ---- Lanes -----------------------------------------------------------------------------------------------------------------------

// The tensor core takes ports of the register file from the lanes.
static double lane_rate(const CakeCostSm *sm, const CakeCostUnit *unit, size_t kind) {
  bool is_multiplying = unit->free_at[CAKE_COST_TENSOR] > sm->now && unit->is_asynchronous;
  double left = is_multiplying ? cake_cost_figure(sm, CAKE_FIGURE_UNDER_WGMMA) : 1;
  return sm->rates[kind] * sm->speed[kind] * left;
}

// Cycles of each unit that an op would take alone: of the quarters' units one behind the other, then the port.
enum { UNITS = CAKE_COST_QUARTERS * CAKE_COST_LANE_KINDS + 1 };

static void demand_of(const CakeCostSm *sm, const CakeCostUnit *unit, const CakeCostInstance *instance, double *out) {
  for (size_t k = 0; k < CAKE_COST_LANE_KINDS; k++) {
    double cycles = instance->work->lanes[k] / lane_rate(sm, unit, k);
    for (size_t q = 0; q < CAKE_COST_QUARTERS; q++)
      out[q * CAKE_COST_LANE_KINDS + k] = cycles * instance->warps[q];
  }
  out[UNITS - 1] = instance->work->shared / (sm->rates[CAKE_COST_SHARED] * sm->speed[CAKE_COST_SHARED]);
}

static double largest(const double *values) {
  double most = 0;
  for (size_t u = 0; u < UNITS; u++)
    most = values[u] > most ? values[u] : most;
  return most;
}

#define EACH_INSTANCE(sm, cta, i)                                                                                      \
  for (CakeCostCta *cta = (sm)->ctas; cta < (sm)->ctas + (sm)->n_ctas; cta++)                                          \
    for (size_t i = 0; !cta->is_idle && i < cta->sim.n_machines; i++)

static void set_speeds(CakeCostSm *sm) {
  double load[CAKE_MAX_CLUSTER][UNITS] = {{0}}, demand[UNITS];
  EACH_INSTANCE(sm, cta, i) {
    if (cta->instances[i].activity != CAKE_COST_WORKING) continue;
    const CakeCostUnit *unit = cake_cost_unit(sm, &cta->sim.machines[i]);
    demand_of(sm, unit, &cta->instances[i], demand);
    double alone = largest(demand);
    for (size_t u = 0; u < UNITS; u++)
      load[unit - sm->units][u] += demand[u] / alone;
  }
  EACH_INSTANCE(sm, cta, i) {
    CakeCostInstance *instance = &cta->instances[i];
    if (instance->activity != CAKE_COST_WORKING) continue;
    const CakeCostUnit *unit = cake_cost_unit(sm, &cta->sim.machines[i]);
    demand_of(sm, unit, instance, demand);
    double slowest = 1;
    for (size_t u = 0; u < UNITS; u++)
      if (demand[u] > 0 && load[unit - sm->units][u] > slowest) slowest = load[unit - sm->units][u];
    instance->speed = 1 / (largest(demand) * slowest);
  }
}

static void count_busy(const CakeCostSm *sm, CakeCostUnit *unit, const CakeCostInstance *instance, double done) {
  double cycles[CAKE_COST_RESOURCES] = {0};
  uint32_t warps = 0;
  for (size_t q = 0; q < CAKE_COST_QUARTERS; q++)
    warps += instance->warps[q];
  for (size_t k = 0; k < CAKE_COST_LANE_KINDS; k++)
    cycles[k] = done * instance->work->lanes[k] * warps / (sm->rates[k] * sm->speed[k]) / CAKE_COST_QUARTERS;
  cycles[CAKE_COST_SHARED] =
      done * instance->work->shared / (sm->rates[CAKE_COST_SHARED] * sm->speed[CAKE_COST_SHARED]);
  for (size_t r = 0; r < CAKE_COST_RESOURCES; r++) {
    if (cycles[r] == 0) continue;
    if (unit->busy[r] == 0) unit->begun[r] = sm->now;
    unit->busy[r] += cycles[r];
    unit->ended[r] = sm->now;
  }
}

// ---- Time ------------------------------------------------------------------------------------------------------------------------

static double next_time(const CakeCostSm *sm) {
  double next = NEVER;
  bool is_working = false;
  for (size_t e = 0; e < sm->events.len; e++)
    if (sm->events.data[e].at < next) next = sm->events.data[e].at;
  EACH_INSTANCE(sm, cta, i) {
    const CakeCostInstance *instance = &cta->instances[i];
    if (instance->activity != CAKE_COST_WORKING) continue;
    is_working = true;
    double end = sm->now + instance->left / instance->speed;
    if (end < next) next = end;
  }
  for (size_t u = 0; is_working && u < sm->n_units; u++) { // lanes are faster when the tensor core is idle
    double idle = sm->units[u].free_at[CAKE_COST_TENSOR];
    if (idle > sm->now && idle < next) next = idle;
  }
  return next;
}

static void advance(CakeCostSm *sm, double to) {
  double dt = to > sm->now ? to - sm->now : 0, from = sm->now;
  sm->now += dt;
  EACH_INSTANCE(sm, cta, i) {
    CakeCostInstance *instance = &cta->instances[i];
    size_t number = (size_t)(cta - sm->ctas) * cta->sim.n_machines + i;
    cake_cost_tracks_instance(sm, number, instance, from, sm->now);
    double done = dt * instance->speed;
    switch (instance->activity) {
    case CAKE_COST_WORKING:
      if (done > instance->left || instance->left - done < NOTHING_LEFT) done = instance->left;
      instance->left -= done;
      instance->worked += dt;
      count_busy(sm, cake_cost_unit(sm, &cta->sim.machines[i]), instance, done);
      if (instance->left > 0) break;
      instance->activity = CAKE_COST_READY;
      instance->has_worked = true;
      break;
    case CAKE_COST_ENDED:
    case CAKE_COST_READY: break;
    default: spend(instance, dt);
    }
  }
}

// Slots that CTAs fill for one another keep which shares have come, in the place of which elements.
static void mark_arrived(const CakeCostEvent *event) {
  size_t marks = event->pipe->parts[event->part].count;
  size_t first = marks * event->share / event->shares, last = marks * (event->share + 1) / event->shares;
  memset(event->stage->filled[event->part] + first, CAKE_SIM_ARRIVED, last - first);
}

static void happen(CakeCostSm *sm, const CakeCostEvent *event) {
  switch (event->kind) {
  case CAKE_COST_ARRIVED:
    event->cta->under_way--;
    mark_arrived(event);
    cake_sim_count_arrival(&event->cta->sim, event->pipe, event->stage);
    break;
  case CAKE_COST_STORED:
    event->cta->under_way--;
    cake_sim_count_stored(&event->cta->sim, event->pipe, event->stage);
    break;
  case CAKE_COST_COMPLETED:
    cake_sim_complete_groups(event->machine, event->group);
    cake_sim_wake(event->machine->cta);
    break;
  case CAKE_COST_WOKEN: cake_cost_instance(event->machine)->activity = CAKE_COST_READY; break;
  }
  sm->n_events++;
}

static void happen_now(CakeCostSm *sm) {
  for (size_t e = 0; e < sm->events.len;) {
    CakeCostEvent event = sm->events.data[e];
    if (event.at > sm->now) {
      e++;
      continue;
    }
    sm->events.data[e] = sm->events.data[--sm->events.len];
    happen(sm, &event);
  }
}

// ---- Instances -------------------------------------------------------------------------------------------------------------------

// A wait that is over is noticed a little later; one for the tensor core says when by its latency.
static bool notices_later(CakeCostSm *sm, CakeSimMachine *machine) {
  CakeCostInstance *instance = cake_cost_instance(machine);
  double latency = cake_cost_latency(sm, CAKE_FIGURE_LATENCY_BARRIER);
  bool is_waiting = instance->activity == CAKE_COST_WAITING && instance->kind != CAKE_COST_WAIT_TENSOR;
  if (!is_waiting || latency == 0) return false;
  sleep_until(sm, machine, sm->now + latency, instance->kind, instance->object);
  return true;
}

static bool run_instance(CakeCostSm *sm, CakeSimMachine *machine, bool *out_moved) {
  CakeCostInstance *instance = cake_cost_instance(machine);
  bool can_run =
      instance->activity == CAKE_COST_READY || (instance->activity == CAKE_COST_WAITING && !machine->is_blocked);
  if (!can_run) return true;
  *out_moved = true;
  if (notices_later(sm, machine)) return true;
  instance->activity = CAKE_COST_READY;
  machine->is_blocked = false;
  if (!cake_sim_run_machine(machine, TURN)) return false;
  if (machine->is_done)
    instance->activity = CAKE_COST_ENDED;
  else if (machine->is_blocked && instance->activity == CAKE_COST_READY)
    set_wait(instance, machine->program->code.data[machine->pc].op);
  return true;
}

static void start_cta(CakeCostCta *cta, int64_t number) {
  cta->is_idle = number >= cta->limit;
  if (cta->is_idle) return;
  cta->number = number;
  cta->n_run++;
  cake_sim_cta_start(&cta->sim, number);
  for (size_t i = 0; i < cta->sim.n_machines; i++) {
    CakeCostInstance *instance = &cta->instances[i];
    instance->activity = CAKE_COST_READY;
    instance->has_worked = instance->is_issued = false;
  }
}

// A CTA whose roles have ended and whose copies have landed makes room for the place's next one.
static bool replace_ctas(CakeCostSm *sm) {
  bool has_started = false;
  for (CakeCostCta *cta = sm->ctas; cta < sm->ctas + sm->n_ctas; cta++) {
    bool has_ended = !cta->is_idle && cta->under_way == 0;
    for (size_t i = 0; has_ended && i < cta->sim.n_machines; i++)
      has_ended = cta->instances[i].activity == CAKE_COST_ENDED;
    if (!has_ended) continue;
    start_cta(cta, cta->number + cta->step);
    has_started |= !cta->is_idle;
  }
  return has_started;
}

static bool run_ready(CakeCostSm *sm) {
  bool has_moved = true;
  while (has_moved) {
    has_moved = false;
    EACH_INSTANCE(sm, cta, i) {
      if (!run_instance(sm, &cta->sim.machines[i], &has_moved)) return false;
    }
    has_moved |= replace_ctas(sm);
  }
  return true;
}

static bool report_hang(CakeCostSm *sm) {
  for (CakeCostCta *cta = sm->ctas; cta < sm->ctas + sm->n_ctas; cta++)
    if (!cta->is_idle) return cake_sim_report_hang(&cta->sim);
  return true; // all have ended
}

bool cake_cost_run(CakeCostSm *sm) {
  for (CakeCostCta *cta = sm->ctas; cta < sm->ctas + sm->n_ctas; cta++)
    start_cta(cta, cta->number);
  for (;;) {
    if (!run_ready(sm)) return false;
    cake_cost_steady(sm);
    if (sm->n_events > CAKE_COST_MAX_EVENTS)
      return cake_cost_decline(sm->ctas[0].launch.kernel, "needs more than %d events", CAKE_COST_MAX_EVENTS);
    set_speeds(sm);
    double next = next_time(sm);
    if (next == NEVER) return report_hang(sm);
    advance(sm, next);
    happen_now(sm);
    sm->n_events++;
  }
}
