// Barriers of the protocol checker: phases, and what goes wrong about their order.
//
// A wait is lapped when the phase behind the one that it waits for can end without it. An arrival may be counted in
// another phase when it is not behind the end of the last one. Both are read off from what is ordered behind what, in
// one execution: see protocol_search.c.
#include "verifier/protocol_state.h"

// Phases that completed since a process saw one: 0, 1, or 2 and 3 for an even and an odd number of more.
static int32_t gap_of(const int32_t *barrier, size_t process) {
  return (int32_t)((uint32_t)barrier[BARRIER_GAPS + process / 16] >> 2 * (process % 16) & 3);
}

static void set_gap(int32_t *barrier, size_t process, int32_t gap) {
  uint32_t word = (uint32_t)barrier[BARRIER_GAPS + process / 16], shift = 2 * (uint32_t)(process % 16);
  barrier[BARRIER_GAPS + process / 16] = (int32_t)((word & ~(3U << shift)) | (uint32_t)gap << shift);
}

void cake_state_forget_gaps(const CakeState *state, int32_t object, uint32_t lookers) {
  for (size_t i = 0; i < state->n_processes; i++)
    if (!(lookers >> i & 1)) set_gap(cake_state_words(state, object), i, 0);
}

static void add_to(int32_t *mask, size_t process) {
  *mask = (int32_t)((uint32_t)*mask | UINT32_C(1) << process);
}

static bool is_in(int32_t mask, size_t process) {
  return (uint32_t)mask >> process & 1;
}

void cake_state_start_barriers(CakeState *state) {
  for (size_t i = 0; i < state->model->objects.len; i++) {
    const CakeObject *object = &state->model->objects.data[i];
    if (object->kind != CAKE_OBJECT_BARRIER) continue;
    cake_state_words(state, (int32_t)i)[BARRIER_COUNT] = object->count;
    for (size_t p = 0; p < state->n_processes && object->address < 0; p++) {
      cake_order_learn(&state->order, state->words, p, CAKE_FACT_SET_UP, (int32_t)i);
      cake_order_learn(&state->order, state->words, p, CAKE_FACT_PHASE, (int32_t)i);
    }
  }
}

void cake_state_init_barrier(CakeState *state, size_t process, const CakeStep *step) {
  int32_t object = cake_state_object(state, process, step);
  if (object < 0) {
    cake_model_limit(state->model, step->op, "it sets up a barrier at an address that is not known beforehand");
    return;
  }
  int32_t *barrier = cake_state_words(state, object);
  for (int i = 0; i < BARRIER_WORDS; i++)
    barrier[i] = 0;
  barrier[BARRIER_COUNT] = step->count;
  cake_order_clear(&state->order, state->words, cake_order_arrived(&state->order, object));
  cake_order_clear(&state->order, state->words, cake_order_ended(&state->order, object));
  cake_order_set(&state->order, state->words, process, CAKE_FACT_SET_UP, object);
  cake_order_set(&state->order, state->words, process, CAKE_FACT_PHASE, object);
}

// ---- Waits -------------------------------------------------------------------------------------------------------------

// The process waits for a phase that is over, though the parity says that it is not.
static bool is_lapped(const CakeState *state, size_t process, const CakeStep *step, int32_t object) {
  const int32_t *barrier = cake_state_words(state, object);
  int32_t gap = gap_of(barrier, process), known = barrier[BARRIER_PARITY] ^ (gap & 1);
  bool is_next = (cake_state_arg(state, process, step->b) & 1) == known; // the phase behind the last one that it saw
  return gap >= (is_next ? 2 : 1);
}

void cake_state_check_laps(CakeState *state) {
  for (size_t i = 0; i < state->n_processes; i++) {
    const CakeStep *step = cake_state_step(state, i);
    if (step->kind != CAKE_STEP_PARITY) continue;
    int32_t object = cake_state_object(state, i, step);
    if (object >= 0 && is_lapped(state, i, step, object)) cake_state_fail(state, CAKE_FAULT_LAP, (int32_t)i, object);
  }
}

bool cake_state_is_over(const CakeState *state, size_t process, const CakeStep *step) {
  int32_t object = cake_state_object(state, process, step);
  if (step->kind == CAKE_STEP_MEET) return gap_of(cake_state_words(state, object), process) > 0;
  if (object < 0) return true; // an error, when it is done
  const int32_t *barrier = cake_state_words(state, object);
  return !barrier[BARRIER_COUNT] || barrier[BARRIER_PARITY] != (cake_state_arg(state, process, step->b) & 1);
}

static bool is_set_up(CakeState *state, size_t process, int32_t object) {
  if (object >= 0 && cake_state_words(state, object)[BARRIER_COUNT] &&
      cake_order_knows(&state->order, state->words, process, CAKE_FACT_SET_UP, object))
    return true;
  cake_state_fail(state, CAKE_FAULT_NOT_READY, (int32_t)process, object);
  return false;
}

void cake_state_look(CakeState *state, size_t process, const CakeStep *step) {
  int32_t object = cake_state_object(state, process, step);
  if (!is_set_up(state, process, object)) return;
  int32_t *barrier = cake_state_words(state, object);
  set_gap(barrier, process, 0);
  add_to(&barrier[BARRIER_LOOKED], process);
  cake_order_join(&state->order, state->words, process, cake_order_ended(&state->order, object));
  cake_order_set_look(&state->order, state->words, process, object);
}

// ---- Phases ------------------------------------------------------------------------------------------------------------

// Who waited for the phase before has done so in every execution in which this one ends.
static bool all_have_looked(CakeState *state, int32_t object) {
  size_t arrived = cake_order_arrived(&state->order, object);
  int32_t looked = cake_state_words(state, object)[BARRIER_LOOKED];
  for (size_t i = 0; looked && i < state->n_processes; i++) {
    if (!is_in(looked, i) || cake_order_knows_look(&state->order, state->words, arrived, i, object)) continue;
    cake_state_fail(state, CAKE_FAULT_LAP, (int32_t)i, object);
    return false;
  }
  return true;
}

// A process that waits for the phase in which it arrived knows what its end knows.
static void tell_those_who_meet(CakeState *state, size_t process, int32_t object) {
  const int32_t *barrier = cake_state_words(state, object);
  for (size_t i = 0; i < state->n_processes; i++) {
    const CakeStep *step = cake_state_step(state, i) + (i == process);
    if (step->kind == CAKE_STEP_MEET && step->object == object && gap_of(barrier, i) == 1)
      cake_order_join(&state->order, state->words, i, cake_order_ended(&state->order, object));
  }
}

static void complete_phase(CakeState *state, size_t process, int32_t object) {
  int32_t *barrier = cake_state_words(state, object), *words = state->words;
  const CakeOrder *order = &state->order;
  size_t arrived = cake_order_arrived(order, object), ended = cake_order_ended(order, object);
  uint32_t alone = UINT32_C(1) << process;
  bool is_alone = (uint32_t)barrier[BARRIER_GIVERS] == alone && !barrier[BARRIER_LATE];
  barrier[BARRIER_ARRIVED] -= barrier[BARRIER_COUNT];
  barrier[BARRIER_PARITY] ^= 1;
  for (size_t i = 0; i < state->n_processes; i++)
    set_gap(barrier, i, gap_of(barrier, i) == 3 ? 2 : gap_of(barrier, i) + 1);
  cake_order_clear(order, words, ended);
  cake_order_join(order, words, ended, arrived);
  cake_order_clear(order, words, arrived);
  cake_order_set(order, words, ended, CAKE_FACT_PHASE, object);
  // Its own last arrival ended the phase.
  if (is_alone) cake_order_learn(order, words, process, CAKE_FACT_PHASE, object);
  tell_those_who_meet(state, process, object);
  barrier[BARRIER_GAVE] = barrier[BARRIER_GIVERS];
  barrier[BARRIER_GIVERS] = barrier[BARRIER_LATE] = barrier[BARRIER_LOOKED] = 0;
}

static void give(CakeState *state, size_t process, int32_t object, bool is_late) {
  int32_t *barrier = cake_state_words(state, object);
  add_to(&barrier[BARRIER_GIVERS], process);
  if (is_late) barrier[BARRIER_LATE] = 1;
  cake_order_join(&state->order, state->words, cake_order_arrived(&state->order, object), process);
}

// Whether the arrival belongs to the phase that is under way, in every execution.
static bool is_in_phase(CakeState *state, size_t process, const CakeStep *step, int32_t object) {
  const int32_t *barrier = cake_state_words(state, object);
  int32_t weight = state->model->processes.data[process].weight;
  bool is_ordered = cake_order_knows(&state->order, state->words, process, CAKE_FACT_PHASE, object);
  // One more than a phase takes, which waits for bytes; threads, or equal warps, that arrive together, of which some are counted in one phase and
  // some in the next.
  bool is_more = barrier[BARRIER_ARRIVED] + step->count * weight > barrier[BARRIER_COUNT];
  if (is_ordered && !is_more) return true;
  bool is_again = is_more && barrier[BARRIER_ARRIVED] == barrier[BARRIER_COUNT];
  bool is_early =
      is_again ? is_in(barrier[BARRIER_GIVERS], process) : !is_ordered && is_in(barrier[BARRIER_GAVE], process);
  cake_state_fail(state, is_early ? CAKE_FAULT_EARLY : CAKE_FAULT_ARRIVAL, (int32_t)process, object);
  return false;
}

// ---- Other CTAs of the cluster -------------------------------------------------------------------------------------------

// An arrival at a barrier of another CTA, or a copy to there: who waits for the copy's phase knows that it has landed.
static void reach(CakeState *state, size_t process, const CakeStep *step, int32_t object) {
  const CakeModel *model = state->model;
  int32_t rank = model->objects.data[object].rank;
  if (model->cluster < 2 || model->objects.data[object].address < 0 || rank == model->processes.data[process].rank)
    return;
  bool is_copy = step->kind == CAKE_STEP_LAND;
  CakeReach kind = is_copy ? CAKE_REACH_COPY : CAKE_REACH_ARRIVAL;
  size_t place = is_copy ? cake_order_arrived(&state->order, object) : process;
  state->words[state->reach_at + process] |= 1 << (rank * CAKE_REACH_KINDS + (int32_t)kind);
  cake_order_set_reach(&state->order, state->words, place, process, rank, kind);
}

// Whether one of a CTA's processes ends behind what another did there.
static bool is_behind(const CakeState *state, int32_t rank, size_t process, CakeReach kind) {
  for (size_t i = 0; i < state->n_processes; i++)
    if (state->model->processes.data[i].rank == rank &&
        cake_order_knows_reach(&state->order, state->words, i, process, rank, kind))
      return true;
  return false;
}

bool cake_state_check_exits(CakeState *state) {
  for (size_t i = 0; state->model->cluster > 1 && i < state->n_processes; i++)
    for (int32_t bit = 0; bit < CAKE_MAX_RANKS * CAKE_REACH_KINDS; bit++) {
      int32_t rank = bit / CAKE_REACH_KINDS;
      if (!(state->words[state->reach_at + i] >> bit & 1) ||
          is_behind(state, rank, i, (CakeReach)(bit % CAKE_REACH_KINDS)))
        continue;
      cake_state_fail(state, CAKE_FAULT_EXIT, (int32_t)i, rank);
      return false;
    }
  return true;
}

// ---- Arrivals --------------------------------------------------------------------------------------------------------------

void cake_state_arrive(CakeState *state, size_t process, const CakeStep *step) {
  int32_t object = cake_state_object(state, process, step);
  if (!is_set_up(state, process, object) || !is_in_phase(state, process, step, object)) return;
  int32_t *barrier = cake_state_words(state, object), weight = state->model->processes.data[process].weight;
  bool is_late = step->kind == CAKE_STEP_LAND || step->is_late;
  if (state->model->objects.data[object].address < 0) set_gap(barrier, process, 0); // MEET waits for this phase
  give(state, process, object, is_late);
  reach(state, process, step, object);
  barrier[BARRIER_ARRIVED] += step->count * weight;
  barrier[BARRIER_BYTES] += step->kind == CAKE_STEP_LAND ? -step->bytes * weight : step->bytes * weight;
  while (barrier[BARRIER_COUNT] > 0 && barrier[BARRIER_ARRIVED] >= barrier[BARRIER_COUNT] && !barrier[BARRIER_BYTES]) {
    if (!all_have_looked(state, object)) return;
    complete_phase(state, process, object);
    if (barrier[BARRIER_ARRIVED]) give(state, process, object, is_late);
  }
}
