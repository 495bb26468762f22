// Exploring the product of the processes of a protocol.
//
// Why so few interleavings suffice. A slot, turn or phase that one process waits for is given by actions that nobody
// takes back, and it is used by that process alone; so, while no barrier is lapped, an action that can be done stays
// possible, and any two such actions may be done in either order with the same end. Hence all complete executions with
// the same tape end in the same state: it is enough to do any one action at a time, and to branch at new entries of
// tapes. What the order does change is whether a barrier is lapped, or completes a phase without one of its arrivals;
// both happen first to a process that stops while the others run on. So before each wait and each arrival a second
// branch stops that process for good and lets the others do all they can: if a barrier can be lapped at all, one of
// these branches shows it.
//
// States are kept in a hash table, so loops end when a state repeats. Breadth first: the first fault has a shortest
// trace.
#include "verifier/protocol_state.h"

#include <string.h>

// ---- The table of states ---------------------------------------------------------------------------------------------------

static uint64_t hash_of(const CakeState *state) {
  return cake_hash_bytes(state->words, state->n_words * sizeof *state->words, 0);
}

static void grow(CakeState *state) {
  size_t capacity = state->capacity ? state->capacity * 2 : 1024;
  uint32_t *table = CAKE_ARENA_ARRAY(state->arena, uint32_t, capacity);
  int32_t *words = state->words;
  for (size_t i = 0; i < state->nodes.len; i++) {
    state->words = (int32_t *)(uintptr_t)state->nodes.data[i].words;
    size_t at = hash_of(state) & (capacity - 1);
    while (table[at])
      at = (at + 1) & (capacity - 1);
    table[at] = (uint32_t)i + 1;
  }
  state->words = words;
  state->table = table;
  state->capacity = capacity;
}

// Keeps the state that is worked on, unless it is known.
static void keep(CakeState *state, uint32_t parent, CakeMove move) {
  if (2 * (state->nodes.len + 1) > state->capacity) grow(state);
  size_t bytes = state->n_words * sizeof *state->words, at = hash_of(state) & (state->capacity - 1);
  for (; state->table[at]; at = (at + 1) & (state->capacity - 1))
    if (memcmp(state->nodes.data[state->table[at] - 1].words, state->words, bytes) == 0) return;
  int32_t *copy = cake_arena_alloc(state->arena, bytes);
  memcpy(copy, state->words, bytes);
  CAKE_PUSH(&state->nodes, ((Node){copy, parent, move}));
  state->table[at] = (uint32_t)state->nodes.len;
}

static void load(CakeState *state, uint32_t node) {
  memcpy(state->words, state->nodes.data[node].words, state->n_words * sizeof *state->words);
}

// ---- Successors --------------------------------------------------------------------------------------------------------------

// Nobody can complete a phase without each arrival: all arrivers wait for the phase that they arrive in, and it takes
// all of them.
static bool is_closed(const CakeState *state, int32_t object) {
  const CakeModel *model = state->model;
  int64_t sum = 0;
  if (model->objects.data[object].address >= 0) return false;
  for (size_t i = 0; i < model->processes.len; i++) {
    const CakeProcess *process = &model->processes.data[i];
    int32_t most = 0;
    for (size_t s = 0; s < process->steps.len; s++) {
      const CakeStep *step = &process->steps.data[s];
      if (step->kind != CAKE_STEP_ARRIVE || step->object != object) continue;
      if (process->steps.data[s + 1].kind != CAKE_STEP_MEET) return false;
      if (step->count > most) most = step->count;
    }
    sum += most * process->weight;
  }
  return sum <= model->objects.data[object].count;
}

// Where it matters that the process may stop: at waits for a parity, at the set-up of a barrier, and at arrivals where
// others arrive too.
static bool is_sensitive(const CakeState *state, size_t process) {
  const CakeStep *step = cake_state_step(state, process);
  if (step->kind == CAKE_STEP_PARITY || step->kind == CAKE_STEP_INIT) return true;
  if (step->kind != CAKE_STEP_ARRIVE) return false;
  int32_t object = cake_state_object(state, process, step);
  return object >= 0 && state->arrivers[object] & ~(1U << process) && !state->closed[object];
}

// A loop that runs equally often in every round of the one around it is empty always or never.
static bool may_choose(const CakeState *state, const CakeStep *step, int32_t *words, int32_t entry) {
  if (!step->is_first || !state->model->tapes.data[step->object].is_uniform) return true;
  int32_t wanted = entry ? NEVER_EMPTY : ALWAYS_EMPTY;
  if (words[TAPE_EMPTY] != MAY_BE_EMPTY && words[TAPE_EMPTY] != wanted) return false;
  words[TAPE_EMPTY] = wanted;
  return true;
}

// Both entries of a tape, for the first process that needs one. False: nobody does.
static bool choose(CakeState *state, uint32_t node) {
  for (size_t i = 0; i < state->n_processes; i++) {
    const CakeStep *step = cake_state_step(state, i);
    if (step->kind != CAKE_STEP_TAPE || cake_state_is_stopped(state, i)) continue;
    if (state->words[state->tape_at[step->object]] == WINDOW) {
      // The others run on for ever without a stopped process: they have nothing to do with it.
      if (!state->words[state->frozen_at])
        cake_model_limit(state->model, step->op, "the roles may be many rounds of it apart");
      return true;
    }
    for (int32_t entry = 1; entry >= 0; entry--) {
      load(state, node);
      int32_t *words = state->words + state->tape_at[step->object];
      if (!may_choose(state, step, words, entry)) continue;
      words[1] |= (int32_t)((uint32_t)entry << words[0]++);
      state->last = (CakeMove){(int32_t)i, cake_state_process(state, i)[0], entry};
      if (!cake_state_settle(state, i)) return true;
      state->moves++;
      cake_state_check_laps(state);
      if (state->fault) return true;
      keep(state, node, state->last);
    }
    return true;
  }
  return false;
}

// Nobody can go on: a deadlock unless all have ended.
static void check_end(CakeState *state) {
  if (state->words[state->frozen_at]) return;
  for (size_t i = 0; i < state->n_processes; i++)
    if (cake_state_step(state, i)->kind != CAKE_STEP_END) {
      cake_state_fail(state, CAKE_FAULT_DEADLOCK, -1, -1);
      return;
    }
  for (size_t i = 0; i < state->model->objects.len; i++) {
    const CakeObject *object = &state->model->objects.data[i];
    for (int32_t slot = 0; object->kind == CAKE_OBJECT_PIPELINE && slot < object->stages; slot++)
      if (*cake_state_slot(state, (int32_t)i, slot) != SLOT_EMPTY)
        cake_state_fail(state, CAKE_FAULT_LEFT, -1, (int32_t)i);
  }
}

// The first process that can act; n_processes: none.
static size_t next_process(const CakeState *state) {
  size_t i = 0;
  while (i < state->n_processes && (cake_state_is_stopped(state, i) || !cake_state_can_move(state, i)))
    i++;
  return i;
}

// A branch in which the process stops here.
static void branch_off(CakeState *state, uint32_t node, size_t process) {
  bool may_lag = state->stops && state->model->processes.data[process].may_lag;
  if (!may_lag || state->words[state->frozen_at] || !is_sensitive(state, process)) return;
  size_t bytes = state->n_words * sizeof *state->words;
  memcpy(state->saved, state->words, bytes);
  cake_state_stop(state, process);
  keep(state, node, (CakeMove){-1, 0, -1});
  memcpy(state->words, state->saved, bytes);
}

// Goes on until an entry of a tape must be chosen; only there, and where a process stops, are states kept, unless
// every one is wanted for a trace.
static void expand(CakeState *state, uint32_t node) {
  load(state, node);
  for (size_t n = 0; n < MAX_RUN; n++) {
    size_t process = next_process(state);
    if (process == state->n_processes) {
      if (n)
        keep(state, node, state->last);
      else if (!choose(state, node))
        check_end(state);
      return;
    }
    branch_off(state, node, process);
    state->last = (CakeMove){(int32_t)process, cake_state_process(state, process)[0], -1};
    if (!cake_state_move(state, process) || state->fault) return;
    if (state->traces) {
      keep(state, node, state->last);
      return;
    }
  }
  cake_model_limit(state->model, state->model->root, "a loop without an end in sight");
}

// ---- Running -------------------------------------------------------------------------------------------------------------------

static bool start(CakeState *state) {
  CakeModel *model = state->model;
  state->words = CAKE_ARENA_ARRAY(state->arena, int32_t, state->n_words);
  state->saved = CAKE_ARENA_ARRAY(state->arena, int32_t, state->n_words);
  for (size_t i = 0; i < model->objects.len; i++)
    if (model->objects.data[i].kind == CAKE_OBJECT_BARRIER)
      cake_state_words(state, (int32_t)i)[BARRIER_COUNT] = model->objects.data[i].count;
  for (size_t tape = 0; tape < model->tapes.len; tape++)
    for (size_t i = 0; i < state->n_processes; i++)
      state->words[(size_t)state->tape_at[tape] + TAPE_CURSORS + i] = -1;
  for (size_t i = 0; i < state->n_processes; i++)
    for (size_t s = 0; s < model->processes.data[i].steps.len; s++) {
      const CakeStep *step = &model->processes.data[i].steps.data[s];
      if (step->kind == CAKE_STEP_TAPE) state->words[(size_t)state->tape_at[step->object] + TAPE_CURSORS + i] = 0;
    }
  for (size_t i = 0; i < state->n_processes; i++)
    if (!cake_state_settle(state, i)) return false;
  return true;
}

static void write_fault(const CakeState *state, uint32_t node, CakeFault *out) {
  out->kind = state->fault;
  out->process = state->fault_process;
  out->object = state->fault_object;
  for (size_t i = 0; i < state->n_processes; i++)
    out->pcs[i] = cake_state_process(state, i)[0];
  if (state->last.process >= 0 && state->fault != CAKE_FAULT_DEADLOCK && state->fault != CAKE_FAULT_LEFT)
    CAKE_PUSH(&out->trace, state->last);
  for (uint32_t at = node; at; at = state->nodes.data[at].parent)
    CAKE_PUSH(&out->trace, state->nodes.data[at].move);
  for (size_t count = 0; count < out->trace.len / 2; count++) {
    CakeMove other = out->trace.data[out->trace.len - 1 - count];
    out->trace.data[out->trace.len - 1 - count] = out->trace.data[count];
    out->trace.data[count] = other;
  }
}

// One exploration. `arrivers` is filled by one without stops and read by one with them.
static CakeSearchResult explore(CakeModel *model, size_t budget, uint32_t *arrivers, bool stops, bool traces) {
  CakeState state = {.model = model,
                     .arena = cake_arena_create(),
                     .arrivers = arrivers,
                     .stops = stops,
                     .traces = traces,
                     .fault_process = -1,
                     .fault_object = -1};
  CakeSearchResult result = {
      .fault = {.process = -1, .object = -1}
  };
  cake_state_lay_out(&state);
  state.closed = CAKE_ARENA_ARRAY(state.arena, bool, model->objects.len + 1);
  for (size_t i = 0; i < model->objects.len; i++)
    state.closed[i] = model->objects.data[i].kind == CAKE_OBJECT_BARRIER && is_closed(&state, (int32_t)i);
  if (start(&state)) keep(&state, 0, (CakeMove){-1, 0, -1});
  for (uint32_t node = 0; node < state.nodes.len && !state.fault; node++) {
    expand(&state, node);
    if (state.fault) write_fault(&state, node, &result.fault);
    if (state.nodes.len > budget) {
      cake_model_limit(model, model->root, "the budget of states ran out");
      break;
    }
  }
  if (!traces) CAKE_VEC_FINI(&result.fault.trace); // it has gaps
  result.states = state.nodes.len;
  result.moves = state.moves;
  CAKE_VEC_FINI(&state.nodes);
  cake_arena_destroy(state.arena);
  return result;
}

CakeSearchResult cake_model_search(CakeModel *model, size_t budget) {
  if (model->objects.len > MAX_OBJECTS) {
    cake_model_limit(model, model->root, "it has more barriers than are modelled");
    return (CakeSearchResult){0};
  }
  for (size_t i = 0; i < model->processes.len; i++)
    cake_process_find_live(&model->processes.data[i]);
  uint32_t *arrivers = CAKE_ARENA_ARRAY(model->arena, uint32_t, model->objects.len + 1);
  CakeSearchResult result = explore(model, budget, arrivers, false, false);
  bool has_barriers = false;
  for (size_t i = 0; i < model->objects.len; i++)
    has_barriers = has_barriers || model->objects.data[i].kind == CAKE_OBJECT_BARRIER;
  bool stops = !result.fault.kind && has_barriers && !model->limit;
  if (stops) result = explore(model, budget, arrivers, true, false);
  if (!result.fault.kind) return result;
  // Once more, keeping every state, for a shortest schedule.
  CakeSearchResult traced = explore(model, 4 * budget, arrivers, stops, true);
  if (!traced.fault.kind) return result;
  traced.states = result.states;
  traced.moves = result.moves;
  return traced;
}
