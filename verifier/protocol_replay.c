// The schedule that shows a fault: the moves that must come before it, and no others, in an order in which they were
// seen to be possible. It is run from the start, so a refutation always is an execution.
#include "verifier/protocol_search.h"

#include <string.h>

enum { MAX_MOVES = 1 << 18 };

typedef struct Record {
  int32_t process, step;
  int32_t number; // among the moves of its process, from 1
} Record;

typedef struct Replay {
  CakeState state;
  CAKE_VEC(Record) moves;
  CakeChoices *entries; // of each tape
  size_t *used;         // of each tape
  int32_t *
      before; // of each process: its clock before its last wait for the barrier of the fault, or before it reached last for the CTA
  int32_t *wanted; // of each process: how many of its moves are shown
} Replay;

static int32_t *clock_of(const CakeState *state, size_t place) {
  return state->order.clocks + place * state->n_processes;
}

// ---- The execution in which the fault was seen ---------------------------------------------------------------------------

// Whether a process stands at an arrival at a barrier of that CTA, or at a copy to there.
static bool is_at_reach(const CakeState *state, size_t process, int32_t rank) {
  const CakeStep *step = cake_state_step(state, process);
  int32_t object = -1;
  if (step->kind == CAKE_STEP_ARRIVE || step->kind == CAKE_STEP_LAND) object = cake_state_object(state, process, step);
  return object >= 0 && state->model->objects.data[object].address >= 0 &&
         state->model->objects.data[object].rank == rank;
}

static void record_move(Replay *replay, size_t process, const CakeFault *fault) {
  CakeState *state = &replay->state;
  const CakeStep *step = cake_state_step(state, process);
  Record record = {(int32_t)process, cake_state_process(state, process)[0], clock_of(state, process)[process] + 1};
  bool is_last = fault->kind == CAKE_FAULT_EXIT
                     ? is_at_reach(state, process, fault->object)
                     : step->kind == CAKE_STEP_PARITY && cake_state_object(state, process, step) == fault->object;
  if (is_last)
    memcpy(replay->before + process * state->n_processes, clock_of(state, process),
           state->n_processes * sizeof(int32_t));
  if (step->kind != CAKE_STEP_TAPE) CAKE_PUSH(&replay->moves, record);
  (void)cake_state_move(state, process);
}

// The first process that stands at an entry that has not been chosen.
static size_t chooser(const CakeState *state) {
  size_t i = 0;
  while (i < state->n_processes && cake_state_step(state, i)->kind != CAKE_STEP_TAPE)
    i++;
  return i;
}

// Runs as the search did. False: too long to be shown.
static bool run_again(Replay *replay, const CakeChoices *choices, const CakeFault *fault) {
  CakeState *state = &replay->state;
  size_t n = 0;
  while (!state->fault && replay->moves.len < MAX_MOVES && !state->model->limit) {
    size_t process = cake_state_next(state);
    if (process < state->n_processes) {
      record_move(replay, process, fault);
      continue;
    }
    process = chooser(state);
    if (process == state->n_processes || n == choices->len) return true;
    CAKE_PUSH(&replay->entries[cake_state_step(state, process)->object], choices->data[n]);
    (void)cake_state_choose(state, process, choices->data[n++]);
  }
  return state->fault != CAKE_FAULT_NONE;
}

// ---- What must come before -------------------------------------------------------------------------------------------------

static void want(Replay *replay, const int32_t *clock) {
  for (size_t i = 0; i < replay->state.n_processes; i++)
    if (replay->wanted[i] < clock[i]) replay->wanted[i] = clock[i];
}

static void want_all(Replay *replay) {
  for (size_t i = 0; i < replay->state.n_processes; i++)
    replay->wanted[i] = INT32_MAX;
}

// A wait is lapped by the end of a phase: what comes before that end, and what comes before the wait.
static void want_lap(Replay *replay, size_t process, int32_t object) {
  const CakeState *state = &replay->state;
  const CakeStep *step = cake_state_step(state, process);
  bool stands_there = step->kind == CAKE_STEP_PARITY && cake_state_object(state, process, step) == object;
  bool has_looked = (uint32_t)cake_state_words(state, object)[BARRIER_LOOKED] >> process & 1;
  if (has_looked) {
    want(replay, clock_of(state, cake_order_arrived(&state->order, object)));
    want(replay, replay->before + process * state->n_processes);
    replay->wanted[process] = replay->before[process * state->n_processes + process];
  } else if (stands_there) {
    want(replay, clock_of(state, cake_order_ended(&state->order, object)));
    want(replay, clock_of(state, process));
  }
}

// All of the CTA that ends, and nothing of what the process does from when it reaches for that.
static void want_exit(Replay *replay, size_t process, int32_t rank) {
  const CakeState *state = &replay->state;
  const int32_t *before = replay->before + process * state->n_processes;
  want(replay, before);
  for (size_t i = 0; i < state->n_processes; i++)
    if (state->model->processes.data[i].rank == rank) want(replay, clock_of(state, i));
  replay->wanted[process] = before[process];
}

static void choose_moves(Replay *replay, const CakeFault *fault) {
  const CakeState *state = &replay->state;
  size_t process = (size_t)fault->process;
  switch (fault->kind) {
  case CAKE_FAULT_EXIT: want_exit(replay, process, fault->object); return;
  case CAKE_FAULT_LAP: want_lap(replay, process, fault->object); return;
  case CAKE_FAULT_ARRIVAL: want(replay, clock_of(state, cake_order_ended(&state->order, fault->object))); break;
  case CAKE_FAULT_EARLY:
  case CAKE_FAULT_NOT_READY: break;
  default: want_all(replay); return;
  }
  want(replay, clock_of(state, process));
  replay->wanted[process]--; // the move that fails
}

// ---- The schedule ------------------------------------------------------------------------------------------------------------

// Reads entries of tapes up to the next action.
static bool reach_action(Replay *replay, size_t process, CakeFault *out) {
  CakeState *state = &replay->state;
  while (cake_state_step(state, process)->kind == CAKE_STEP_TAPE) {
    int32_t tape = cake_state_step(state, process)->object;
    if (cake_state_can_move(state, process)) {
      if (!cake_state_move(state, process)) return false;
      continue;
    }
    if (replay->used[tape] == replay->entries[tape].len) return true; // it stands there
    if (state->words[state->tape_at[tape] + TAPE_LENGTH] == WINDOW) return false;
    if (!cake_state_choose(state, process, replay->entries[tape].data[replay->used[tape]++])) return false;
    CAKE_PUSH(&out->trace, state->last);
  }
  return true;
}

static bool has_ended(const CakeState *state, int32_t rank) {
  for (size_t i = 0; i < state->n_processes; i++)
    if (state->model->processes.data[i].rank == rank && cake_state_step(state, i)->kind != CAKE_STEP_END) return false;
  return true;
}

// An arrival that a phase did not wait for, or that does not wait for its phase, stands there; other faults show.
static bool is_shown(const CakeState *state, const CakeFault *fault) {
  switch (fault->kind) {
  case CAKE_FAULT_DEADLOCK:
  case CAKE_FAULT_LEFT: return cake_state_next(state) == state->n_processes;
  case CAKE_FAULT_EXIT:
    return has_ended(state, fault->object) && is_at_reach(state, (size_t)fault->process, fault->object);
  case CAKE_FAULT_LAP:
    return state->fault == CAKE_FAULT_LAP && state->fault_process == fault->process &&
           state->fault_object == fault->object;
  default: {
    const CakeStep *step = cake_state_step(state, (size_t)fault->process);
    bool is_use = step->kind >= CAKE_STEP_ARRIVE && step->kind <= CAKE_STEP_PARITY;
    return !state->fault && is_use && cake_state_object(state, (size_t)fault->process, step) == fault->object;
  }
  }
}

static bool show(Replay *replay, CakeFault *out) {
  CakeState *state = &replay->state;
  if (!cake_state_start(state)) return false;
  for (size_t i = 0; i < replay->moves.len && !state->fault; i++) {
    Record move = replay->moves.data[i];
    size_t process = (size_t)move.process;
    if (move.number > replay->wanted[process]) continue;
    if (!reach_action(replay, process, out)) return false;
    if (cake_state_process(state, process)[0] != move.step || !cake_state_can_move(state, process)) return false;
    CAKE_PUSH(&out->trace, ((CakeMove){move.process, move.step, -1}));
    if (!cake_state_move(state, process) && !state->fault) return false;
  }
  for (size_t i = 0; i < state->n_processes && !state->fault; i++)
    if ((out->process < 0 || out->process == (int32_t)i || out->kind == CAKE_FAULT_EXIT) &&
        !reach_action(replay, i, out))
      return false;
  for (size_t i = 0; i < state->n_processes; i++)
    out->pcs[i] = cake_state_process(state, i)[0];
  return is_shown(state, out);
}

void cake_fault_replay(CakeState *found, const CakeChoices *choices, CakeFault *out) {
  CakeModel *model = found->model;
  Replay replay = {0};
  CakeFault fault = {.kind = found->fault, .process = found->fault_process, .object = found->fault_object};
  cake_state_init(&replay.state, model);
  CakeState *state = &replay.state;
  size_t n = state->n_processes;
  state->order.clocks = CAKE_ARENA_ARRAY(state->arena, int32_t, state->order.n_places *n + 1);
  replay.entries = CAKE_ARENA_ARRAY(state->arena, CakeChoices, model->tapes.len + 1);
  replay.used = CAKE_ARENA_ARRAY(state->arena, size_t, model->tapes.len + 1);
  replay.before = CAKE_ARENA_ARRAY(state->arena, int32_t, n *n + 1);
  replay.wanted = CAKE_ARENA_ARRAY(state->arena, int32_t, n + 1);
  bool ok = cake_state_start(state) && run_again(&replay, choices, &fault);
  if (ok) choose_moves(&replay, &fault);
  state->order.clocks = NULL;
  state->fault = CAKE_FAULT_NONE;
  ok = ok && show(&replay, &fault);
  for (size_t i = 0; i < model->tapes.len; i++)
    CAKE_VEC_FINI(&replay.entries[i]);
  CAKE_VEC_FINI(&replay.moves);
  cake_state_fini(state);
  if (ok) {
    *out = fault;
    return;
  }
  CAKE_VEC_FINI(&fault.trace);
  cake_model_limit(model, model->root, "a fault was found, and no schedule shows it");
}
