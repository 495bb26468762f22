// States and moves of the protocol checker. See protocol_state.h for the words.
#include "verifier/protocol_state.h"

#include <string.h>

static size_t process_words(const CakeProcess *process) {
  return 1 + (size_t)process->n_registers + (process->has_deferred ? 1 + 2 * MAX_DEFERRED : 0);
}

static size_t object_words(const CakeObject *object) {
  if (object->kind == CAKE_OBJECT_PIPELINE) return 1 + (size_t)object->consumers + 3 * (size_t)object->stages;
  return object->kind == CAKE_OBJECT_ORDER ? 1 : BARRIER_WORDS;
}

static size_t place_of(int32_t address) {
  return ((uint32_t)address >> 3) % PLACES;
}

void cake_state_lay_out(CakeState *state) {
  CakeModel *model = state->model;
  size_t at = 1;
  state->n_processes = model->processes.len;
  state->process_at = CAKE_ARENA_ARRAY(state->arena, int32_t, model->processes.len + 1);
  state->object_at = CAKE_ARENA_ARRAY(state->arena, int32_t, model->objects.len + 1);
  state->tape_at = CAKE_ARENA_ARRAY(state->arena, int32_t, model->tapes.len + 1);
  for (size_t i = 0; i < model->processes.len; at += process_words(&model->processes.data[i++]))
    state->process_at[i] = (int32_t)at;
  for (size_t i = 0; i < model->objects.len; at += object_words(&model->objects.data[i++]))
    state->object_at[i] = (int32_t)at;
  for (size_t i = 0; i < model->tapes.len; at += TAPE_CURSORS + state->n_processes, i++)
    state->tape_at[i] = (int32_t)at;
  for (size_t i = 0; i < model->objects.len && i < MAX_OBJECTS; i++) {
    const CakeObject *object = &model->objects.data[i];
    size_t place = place_of(object->address);
    if (object->kind != CAKE_OBJECT_BARRIER || object->address < 0) continue;
    while (state->places[place])
      place = (place + 1) % PLACES;
    state->places[place] = (uint16_t)(i + 1);
  }
  state->frozen_at = 0;
  state->n_words = at;
}

int32_t *cake_state_process(const CakeState *state, size_t process) {
  return state->words + state->process_at[process];
}
int32_t *cake_state_words(const CakeState *state, int32_t object) {
  return state->words + state->object_at[object];
}
const CakeStep *cake_state_step(const CakeState *state, size_t process) {
  return &state->model->processes.data[process].steps.data[cake_state_process(state, process)[0]];
}
static int32_t arg(const CakeState *state, size_t process, CakeArg a) {
  return a.is_register ? cake_state_process(state, process)[1 + a.value] : a.value;
}
bool cake_state_is_stopped(const CakeState *state, size_t process) {
  return state->words[state->frozen_at] == (int32_t)process + 1;
}

void cake_state_fail(CakeState *state, CakeFaultKind kind, int32_t process, int32_t object) {
  if (state->fault) return;
  state->fault = kind;
  state->fault_process = process;
  state->fault_object = object;
}

// ---- Values ------------------------------------------------------------------------------------------------------------

// 32 bits, unsigned where it matters.
int32_t cake_alu_apply(CakeAlu alu, int32_t a, int32_t b) {
  uint32_t x = (uint32_t)a, y = (uint32_t)b, z = 0;
  switch (alu) {
  case CAKE_ALU_ADD: z = x + y; break;
  case CAKE_ALU_SUB: z = x - y; break;
  case CAKE_ALU_MUL: z = x * y; break;
  case CAKE_ALU_DIV: z = y ? x / y : 0; break;
  case CAKE_ALU_REM: z = y ? x % y : 0; break;
  case CAKE_ALU_AND: z = x & y; break;
  case CAKE_ALU_OR: z = x | y; break;
  case CAKE_ALU_XOR: z = x ^ y; break;
  case CAKE_ALU_SHL: z = y < 32 ? x << y : 0; break;
  case CAKE_ALU_SHR: z = y < 32 ? x >> y : 0; break;
  case CAKE_ALU_MIN: z = x < y ? x : y; break;
  case CAKE_ALU_MAX: z = x > y ? x : y; break;
  case CAKE_ALU_EQ: z = x == y; break;
  case CAKE_ALU_NE: z = x != y; break;
  case CAKE_ALU_LT: z = a < b; break;
  case CAKE_ALU_LE: z = a <= b; break;
  case CAKE_ALU_GT: z = a > b; break;
  case CAKE_ALU_GE: z = a >= b; break;
  }
  return (int32_t)z;
}

// The tape's next entry for a process; false: it has not been chosen.
static bool read_tape(CakeState *state, size_t process, int32_t tape, bool *out) {
  int32_t *words = state->words + state->tape_at[tape], *cursors = words + TAPE_CURSORS;
  if (cursors[process] >= words[0]) return false;
  *out = (uint32_t)words[1] >> cursors[process] & 1;
  cursors[process]++;
  int32_t least = INT32_MAX;
  for (size_t i = 0; i < state->n_processes; i++)
    if (cursors[i] >= 0 && cursors[i] < least) least = cursors[i];
  if (least == INT32_MAX) return true;
  words[0] -= least;
  words[1] = (int32_t)((uint32_t)words[1] >> least);
  for (size_t i = 0; i < state->n_processes; i++)
    if (cursors[i] >= 0) cursors[i] -= least;
  return true;
}

// The process reads no entry any more.
static void leave_tapes(CakeState *state, size_t process) {
  for (size_t i = 0; i < state->model->tapes.len; i++)
    state->words[state->tape_at[i] + TAPE_CURSORS + (int32_t)process] = -1;
}

static void clear_dead(CakeState *state, size_t process) {
  uint64_t live = cake_state_step(state, process)->live;
  int32_t count = state->model->processes.data[process].n_registers;
  for (int32_t i = 0; i < count && count <= 64; i++)
    if (!(live >> i & 1)) cake_state_process(state, process)[1 + i] = 0;
}

// Runs a process to its next action, or to an entry that has not been chosen. False: it does not get there.
bool cake_state_settle(CakeState *state, size_t process) {
  int32_t *words = cake_state_process(state, process);
  for (int n = 0; n < SILENT; n++) {
    const CakeStep *step = cake_state_step(state, process);
    bool entry = true, is_there = !cake_step_is_silent(step->kind);
    int32_t next = words[0] + 1;
    switch (step->kind) {
    case CAKE_STEP_SET: words[1 + step->dst] = arg(state, process, step->a); break;
    case CAKE_STEP_ALU:
      words[1 + step->dst] = cake_alu_apply(step->alu, arg(state, process, step->a), arg(state, process, step->b));
      break;
    case CAKE_STEP_SELECT:
      words[1 + step->dst] = arg(state, process, arg(state, process, step->a) ? step->b : step->c);
      break;
    case CAKE_STEP_JUMP: next = step->target; break;
    case CAKE_STEP_UNLESS:
      if (!arg(state, process, step->a)) next = step->target;
      break;
    case CAKE_STEP_TAPE:
      is_there = !read_tape(state, process, step->object, &entry);
      if (!entry) next = step->target;
      break;
    case CAKE_STEP_END: leave_tapes(state, process); break;
    default: break;
    }
    if (is_there) {
      clear_dead(state, process);
      return true;
    }
    words[0] = next;
  }
  return cake_model_limit(state->model, cake_state_step(state, process)->op, "a loop without actions runs too long");
}

// Phases that completed since a process saw one: 0, 1, or 2 and 3 for an even and an odd number of more.
static int32_t gap_of(const int32_t *barrier, size_t process) {
  return (int32_t)((uint32_t)barrier[BARRIER_GAPS + process / 16] >> 2 * (process % 16) & 3);
}

static void set_gap(int32_t *barrier, size_t process, int32_t gap) {
  uint32_t word = (uint32_t)barrier[BARRIER_GAPS + process / 16], shift = 2 * (uint32_t)(process % 16);
  barrier[BARRIER_GAPS + process / 16] = (int32_t)((word & ~(3U << shift)) | (uint32_t)gap << shift);
}

// ---- Barriers ----------------------------------------------------------------------------------------------------------

// The object that a step means; -1: an mbarrier that was never set up.
int32_t cake_state_object(const CakeState *state, size_t process, const CakeStep *step) {
  if (step->object >= 0) return step->object;
  int32_t address = arg(state, process, step->a);
  for (size_t at = place_of(address); state->places[at]; at = (at + 1) % PLACES)
    if (state->model->objects.data[state->places[at] - 1].address == address) return state->places[at] - 1;
  return -1;
}

// The process waits for a phase that is over, though the parity says that it is not.
static bool is_lapped(const CakeState *state, size_t process, const CakeStep *step, int32_t object) {
  const int32_t *barrier = cake_state_words(state, object);
  int32_t gap = gap_of(barrier, process), known = barrier[BARRIER_PARITY] ^ (gap & 1);
  bool is_next = (arg(state, process, step->b) & 1) == known; // the phase behind the last one that it saw
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

static void complete_phases(CakeState *state, int32_t object) {
  int32_t *barrier = cake_state_words(state, object), frozen = state->words[state->frozen_at] - 1;
  while (barrier[BARRIER_COUNT] > 0 && barrier[BARRIER_ARRIVED] >= barrier[BARRIER_COUNT] && !barrier[BARRIER_BYTES]) {
    barrier[BARRIER_ARRIVED] -= barrier[BARRIER_COUNT];
    barrier[BARRIER_PARITY] ^= 1;
    for (size_t i = 0; i < state->n_processes; i++)
      set_gap(barrier, i, gap_of(barrier, i) == 3 ? 2 : gap_of(barrier, i) + 1);
    if (frozen < 0) continue;
    const CakeStep *step = cake_state_step(state, (size_t)frozen);
    if (step->kind == CAKE_STEP_ARRIVE && cake_state_object(state, (size_t)frozen, step) == object)
      cake_state_fail(state, CAKE_FAULT_ARRIVAL, frozen, object);
  }
}

static void do_init(CakeState *state, size_t process, const CakeStep *step) {
  int32_t object = cake_state_object(state, process, step);
  if (object < 0) {
    cake_model_limit(state->model, step->op, "it sets up a barrier at an address that is not known beforehand");
    return;
  }
  int32_t *barrier = cake_state_words(state, object);
  barrier[BARRIER_COUNT] = step->count;
  barrier[BARRIER_ARRIVED] = barrier[BARRIER_BYTES] = barrier[BARRIER_PARITY] = 0;
  barrier[BARRIER_GAPS] = barrier[BARRIER_GAPS + 1] = 0;
}

static void do_arrive(CakeState *state, size_t process, const CakeStep *step) {
  int32_t object = cake_state_object(state, process, step);
  int32_t *barrier = object < 0 ? NULL : cake_state_words(state, object);
  if (!barrier || !barrier[BARRIER_COUNT]) {
    cake_state_fail(state, CAKE_FAULT_NOT_READY, (int32_t)process, object);
    return;
  }
  int32_t weight = state->model->processes.data[process].weight;
  if (step->kind == CAKE_STEP_ARRIVE) state->arrivers[object] |= 1U << process;
  if (state->model->objects.data[object].address < 0) set_gap(barrier, process, 0); // MEET waits for this phase
  barrier[BARRIER_ARRIVED] += step->count * weight;
  barrier[BARRIER_BYTES] += step->kind == CAKE_STEP_LAND ? -step->bytes * weight : step->bytes * weight;
  complete_phases(state, object);
}

// ---- Slots and turns -----------------------------------------------------------------------------------------------------

int32_t *cake_state_slot(const CakeState *state, int32_t object, int32_t slot) {
  const CakeObject *pipeline = &state->model->objects.data[object];
  return cake_state_words(state, object) + 1 + pipeline->consumers + 3 * slot;
}

static void do_release(CakeState *state, int32_t object, int32_t slot, int32_t consumer) {
  const CakeObject *pipeline = &state->model->objects.data[object];
  int32_t *words = cake_state_slot(state, object, slot);
  words[2] |= 1 << consumer;
  if (words[2] == (1 << pipeline->consumers) - 1) words[0] = words[1] = words[2] = SLOT_EMPTY;
}

static void do_take_slot(CakeState *state, size_t process, const CakeStep *step) {
  const CakeObject *pipeline = &state->model->objects.data[step->object];
  bool is_wait = step->kind == CAKE_STEP_WAIT;
  int32_t *cursor = cake_state_words(state, step->object) + (is_wait ? 1 + step->count : 0);
  int32_t *words = cake_state_slot(state, step->object, *cursor);
  if (is_wait)
    words[1] |= 1 << step->count;
  else
    words[0] = SLOT_OPEN;
  cake_state_process(state, process)[1 + step->dst] = *cursor;
  *cursor = (*cursor + 1) % pipeline->stages;
}

static int32_t *deferred_of(const CakeState *state, size_t process) {
  return cake_state_process(state, process) + 1 + state->model->processes.data[process].n_registers;
}

static void do_defer(CakeState *state, size_t process, const CakeStep *step) {
  int32_t *queue = deferred_of(state, process);
  if (queue[0] == MAX_DEFERRED) {
    cake_model_limit(state->model, step->op, "more releases are deferred than are modelled");
    return;
  }
  queue[1 + 2 * queue[0]] = step->object | step->count << 16;
  queue[2 + 2 * queue[0]++] = arg(state, process, step->a);
}

static void do_group(CakeState *state, size_t process) {
  int32_t *queue = deferred_of(state, process);
  for (int32_t i = 0; i < queue[0]; i++)
    do_release(state, queue[1 + 2 * i] & 0xFFFF, queue[2 + 2 * i], queue[1 + 2 * i] >> 16);
  memset(queue, 0, sizeof *queue * (1 + 2 * MAX_DEFERRED));
}

// ---- Moves -----------------------------------------------------------------------------------------------------------------

bool cake_state_can_move(const CakeState *state, size_t process) {
  const CakeStep *step = cake_state_step(state, process);
  int32_t object;
  switch (step->kind) {
  case CAKE_STEP_END: return false;
  case CAKE_STEP_TAPE: {
    const int32_t *words = state->words + state->tape_at[step->object];
    return words[TAPE_CURSORS + process] < words[TAPE_LENGTH];
  }
  case CAKE_STEP_ACQUIRE:
    return *cake_state_slot(state, step->object, *cake_state_words(state, step->object)) == SLOT_EMPTY;
  case CAKE_STEP_WAIT: {
    const int32_t *words = cake_state_slot(state, step->object, cake_state_words(state, step->object)[1 + step->count]);
    return words[0] == SLOT_FULL && !(words[1] >> step->count & 1);
  }
  case CAKE_STEP_TAKE: return *cake_state_words(state, step->object) == step->count;
  case CAKE_STEP_MEET: return gap_of(cake_state_words(state, step->object), process) > 0;
  case CAKE_STEP_PARITY:
    object = cake_state_object(state, process, step);
    return object < 0 || !cake_state_words(state, object)[BARRIER_COUNT] ||
           cake_state_words(state, object)[BARRIER_PARITY] != (arg(state, process, step->b) & 1);
  default: return true;
  }
}

static void do_parity(CakeState *state, size_t process, const CakeStep *step) {
  int32_t object = cake_state_object(state, process, step);
  int32_t *barrier = object < 0 ? NULL : cake_state_words(state, object);
  if (!barrier || !barrier[BARRIER_COUNT])
    cake_state_fail(state, CAKE_FAULT_NOT_READY, (int32_t)process, object);
  else
    set_gap(barrier, process, 0);
}

// Does the action at which a process stands.
bool cake_state_move(CakeState *state, size_t process) {
  const CakeStep *step = cake_state_step(state, process);
  state->moves++;
  switch (step->kind) {
  case CAKE_STEP_TAPE: return cake_state_settle(state, process);
  case CAKE_STEP_ACQUIRE:
  case CAKE_STEP_WAIT: do_take_slot(state, process, step); break;
  case CAKE_STEP_COMMIT:
    // The store engine empties a slot at the latest when nobody else can go on: so at once.
    *cake_state_slot(state, step->object, arg(state, process, step->a)) =
        state->model->objects.data[step->object].consumers ? SLOT_FULL : SLOT_EMPTY;
    break;
  case CAKE_STEP_RELEASE: do_release(state, step->object, arg(state, process, step->a), step->count); break;
  case CAKE_STEP_DEFER: do_defer(state, process, step); break;
  case CAKE_STEP_GROUP:
    if (state->model->processes.data[process].has_deferred) do_group(state, process);
    break;
  case CAKE_STEP_PASS: {
    int32_t *turn = cake_state_words(state, step->object);
    *turn = (*turn + 1) % state->model->objects.data[step->object].consumers;
    break;
  }
  case CAKE_STEP_INIT: do_init(state, process, step); break;
  case CAKE_STEP_ARRIVE:
  case CAKE_STEP_LAND: do_arrive(state, process, step); break;
  case CAKE_STEP_PARITY: do_parity(state, process, step); break;
  default: break; // TAKE and MEET only wait
  }
  if (state->fault) return false;
  cake_state_process(state, process)[0]++;
  bool ok = cake_state_settle(state, process);
  cake_state_check_laps(state);
  return ok;
}

// Stops a process for good. What it would have done later does not matter any more.
void cake_state_stop(CakeState *state, size_t process) {
  const CakeStep *step = cake_state_step(state, process);
  int32_t *registers = cake_state_process(state, process) + 1;
  for (int32_t i = 0; i < state->model->processes.data[process].n_registers; i++)
    if (!(step->a.is_register && step->a.value == i) && !(step->b.is_register && step->b.value == i)) registers[i] = 0;
  state->words[state->frozen_at] = (int32_t)process + 1;
  leave_tapes(state, process);
}
