// Exploring the product of the processes of a protocol.
//
// Why so few interleavings suffice. A slot, turn or phase that one process waits for is given by actions that nobody
// takes back, and it is used by that process alone; so, while no barrier is lapped, an action that can be done stays
// possible, and any two such actions may be done in either order with the same end. Hence all complete executions with
// the same tape consist of the same actions, ordered by the same partial order, which any one of them shows: what a
// process has waited for came before (Mazurkiewicz, "Trace theory"; Lamport, "Time, clocks, and the ordering of events").
// It is enough to do any one action at a time, and to branch at new entries of tapes.
//
// What the order does change is whether a wait is lapped, and in which phase an arrival is counted. Those executions
// are read off from the partial order: the part that comes before an event can be done without all the rest. So a wait
// can be lapped exactly if it does not come before the end of the phase behind the one that it waits for, and an
// arrival can be counted elsewhere exactly if the end of the last phase does not come before it. protocol_order.c
// keeps what comes before what; protocol_replay.c makes the execution that shows the fault, and runs it.
//
// States are kept in a hash table, so loops end when a state repeats. Those that differ in what is known alone are one
// at first, which knows what all of them know: too little at most, and few states. Only if a fault is found there are
// they told apart. Breadth first in the entries of tapes: a fault is found by the fewest.
#include "verifier/protocol_search.h"

#include "verifier/protocol_rings.h"

#include <string.h>

// ---- The table of states ---------------------------------------------------------------------------------------------------

// What tells states apart.
static size_t key_bytes(const CakeState *state) {
  return (state->is_exact ? state->n_words : state->order.at) * sizeof *state->words;
}

static void grow(CakeState *state) {
  size_t capacity = state->capacity ? state->capacity * 2 : 1024;
  uint32_t *table = CAKE_ARENA_ARRAY(state->arena, uint32_t, capacity);
  for (size_t i = 0; i < state->nodes.len; i++) {
    size_t at = cake_hash_bytes(state->nodes.data[i].words, key_bytes(state), 0) & (capacity - 1);
    while (table[at])
      at = (at + 1) & (capacity - 1);
    table[at] = (uint32_t)i + 1;
  }
  state->table = table;
  state->capacity = capacity;
}

static void enqueue(CakeState *state, uint32_t node) {
  if (state->nodes.data[node].is_queued) return;
  state->nodes.data[node].is_queued = true;
  CAKE_PUSH(&state->queue, node);
}

// Another way to a known state: only what is known on both is. Less may hold behind it then.
static void meet(CakeState *state, uint32_t node) {
  int32_t *known = state->nodes.data[node].words;
  bool has_changed = false;
  for (size_t i = state->order.at; i < state->n_words; i++) {
    int32_t both = known[i] & state->words[i];
    has_changed = has_changed || both != known[i];
    known[i] = both;
  }
  if (has_changed) enqueue(state, node);
}

// Keeps the state that is worked on, unless it is known.
static void keep(CakeState *state, uint32_t parent, CakeMove move) {
  if (state->rings) cake_rings_turn(state->rings, state);
  if (2 * (state->nodes.len + 1) > state->capacity) grow(state);
  size_t bytes = key_bytes(state), at = cake_hash_bytes(state->words, bytes, 0) & (state->capacity - 1);
  for (; state->table[at]; at = (at + 1) & (state->capacity - 1)) {
    uint32_t node = state->table[at] - 1;
    if (memcmp(state->nodes.data[node].words, state->words, bytes) != 0) continue;
    meet(state, node);
    return;
  }
  int32_t *copy = CAKE_ARENA_ARRAY(state->arena, int32_t, state->n_words);
  memcpy(copy, state->words, state->n_words * sizeof *copy);
  CAKE_PUSH(&state->nodes, ((Node){.words = copy, .parent = parent, .move = move}));
  state->table[at] = (uint32_t)state->nodes.len;
  enqueue(state, (uint32_t)state->nodes.len - 1);
}

static void load(CakeState *state, uint32_t node) {
  memcpy(state->words, state->nodes.data[node].words, state->n_words * sizeof *state->words);
}

// ---- Successors --------------------------------------------------------------------------------------------------------------

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
    if (step->kind != CAKE_STEP_TAPE) continue;
    if (state->words[state->tape_at[step->object] + TAPE_LENGTH] == WINDOW) {
      cake_model_limit(state->model, step->op, "the roles may be many rounds of it apart");
      return true;
    }
    for (int32_t entry = 1; entry >= 0; entry--) {
      load(state, node);
      if (!may_choose(state, step, state->words + state->tape_at[step->object], entry)) continue;
      if (!cake_state_choose(state, i, entry) || state->fault) return true;
      keep(state, node, state->last);
    }
    return true;
  }
  return false;
}

// Nobody can go on: a deadlock unless all have ended.
static void check_end(CakeState *state) {
  for (size_t i = 0; i < state->n_processes; i++)
    if (cake_state_step(state, i)->kind != CAKE_STEP_END) {
      cake_state_fail(state, CAKE_FAULT_DEADLOCK, -1, -1);
      return;
    }
  if (!cake_state_check_exits(state)) return;
  for (size_t i = 0; i < state->model->objects.len; i++) {
    const CakeObject *object = &state->model->objects.data[i];
    for (int32_t slot = 0; object->kind == CAKE_OBJECT_PIPELINE && slot < object->stages; slot++)
      if (*cake_state_slot(state, (int32_t)i, slot) != SLOT_EMPTY)
        cake_state_fail(state, CAKE_FAULT_LEFT, -1, (int32_t)i);
  }
}

// Goes on until an entry of a tape must be chosen; only there are states kept.
static void expand(CakeState *state, uint32_t node) {
  load(state, node);
  for (size_t n = 0; n < MAX_RUN; n++) {
    size_t process = cake_state_next(state);
    if (process == state->n_processes) {
      if (n)
        keep(state, node, (CakeMove){-1, 0, -1});
      else if (!choose(state, node))
        check_end(state);
      return;
    }
    state->last = (CakeMove){(int32_t)process, cake_state_process(state, process)[0], -1};
    if (!cake_state_move(state, process) || state->fault) return;
  }
  cake_model_limit(state->model, state->model->root, "a loop without an end in sight");
}

// ---- Running -------------------------------------------------------------------------------------------------------------------

// The choices that lead to the fault, in their order.
static void collect_choices(const CakeState *state, uint32_t node, CakeChoices *out) {
  bool is_at_end =
      state->fault == CAKE_FAULT_DEADLOCK || state->fault == CAKE_FAULT_LEFT || state->fault == CAKE_FAULT_EXIT;
  if (state->last.choice >= 0 && !is_at_end) CAKE_PUSH(out, state->last.choice);
  for (uint32_t at = node; at; at = state->nodes.data[at].parent)
    if (state->nodes.data[at].move.choice >= 0) CAKE_PUSH(out, state->nodes.data[at].move.choice);
  for (size_t i = 0; i < out->len / 2; i++) {
    int32_t other = out->data[out->len - 1 - i];
    out->data[out->len - 1 - i] = out->data[i];
    out->data[i] = other;
  }
}

static bool is_spent(const CakeState *state, size_t budget) {
  return state->nodes.len > budget || state->nodes.len * state->n_words > MAX_KEPT;
}

static CakeSearchResult explore(CakeModel *model, size_t budget, bool is_exact) {
  CakeSearchResult result = {
      .fault = {.process = -1, .object = -1}
  };
  CakeState state;
  uint32_t node = 0;
  cake_state_init(&state, model);
  state.is_exact = is_exact;
  if (!is_exact) state.rings = cake_rings_find(&state);
  if (!model->limit && cake_state_start(&state)) keep(&state, 0, (CakeMove){-1, 0, -1});
  for (size_t i = 0; i < state.queue.len && !state.fault && !model->limit; i++) {
    node = state.queue.data[i];
    state.nodes.data[node].is_queued = false;
    expand(&state, node);
    if (!state.fault && is_spent(&state, budget)) cake_model_limit(model, model->root, "the budget of states ran out");
  }
  result.states = state.nodes.len;
  result.moves = state.moves;
  result.fault.kind = state.fault;
  if (state.fault && is_exact) {
    CakeChoices choices = {0};
    collect_choices(&state, node, &choices);
    result.fault.kind = CAKE_FAULT_NONE;
    cake_fault_replay(&state, &choices, &result.fault);
    CAKE_VEC_FINI(&choices);
  }
  cake_state_fini(&state);
  return result;
}

CakeSearchResult cake_model_search(CakeModel *model, size_t budget) {
  if (model->objects.len > MAX_OBJECTS) {
    cake_model_limit(model, model->root, "it has more barriers than are modelled");
    return (CakeSearchResult){0};
  }
  if (model->processes.len > CAKE_MAX_PROCESSES) {
    cake_model_limit(model, model->root, "it has more roles, in all CTAs of a cluster, than are modelled");
    return (CakeSearchResult){0};
  }
  for (size_t i = 0; i < model->processes.len; i++)
    cake_process_find_live(&model->processes.data[i], model->arena);
  CakeSearchResult result = explore(model, budget, false);
  return result.fault.kind ? explore(model, budget, true) : result;
}
