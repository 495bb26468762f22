// States and moves of the protocol checker. See protocol_state.h for the words.
#include "verifier/protocol_state.h"

#include <string.h>

static size_t process_words(const CakeProcess *process) {
  return 1 + (size_t)process->n_registers + (process->has_deferred ? 1 + 2 * MAX_DEFERRED : 0);
}

static size_t object_words(const CakeObject *object) {
  if (object->kind == CAKE_OBJECT_PIPELINE) return 1 + (size_t)object->consumers + SLOT_WORDS * (size_t)object->stages;
  return object->kind == CAKE_OBJECT_ORDER ? 1 : BARRIER_WORDS;
}

static size_t place_of(int32_t address) {
  return ((uint32_t)address >> 3) % PLACES;
}

static void lay_out(CakeState *state) {
  CakeModel *model = state->model;
  size_t at = 0;
  state->n_processes = model->processes.len;
  state->process_at = CAKE_ARENA_ARRAY(state->arena, int32_t, model->processes.len + 1);
  state->object_at = CAKE_ARENA_ARRAY(state->arena, int32_t, model->objects.len + 1);
  state->tape_at = CAKE_ARENA_ARRAY(state->arena, int32_t, model->tapes.len + 1);
  for (size_t i = 0; i < model->processes.len; at += process_words(&model->processes.data[i++]))
    state->process_at[i] = (int32_t)at;
  for (size_t i = 0; i < model->objects.len; at += object_words(&model->objects.data[i++]))
    state->object_at[i] = (int32_t)at;
  state->reach_at = at;
  if (model->cluster > 1) at += state->n_processes;
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
  size_t known = 0;
  if (!cake_order_lay_out(&state->order, model, state->arena, at, &known))
    cake_model_limit(model, model->root, "it has more barriers and waiting roles than are modelled");
  state->n_words = at + known;
}

void cake_state_init(CakeState *state, CakeModel *model) {
  *state = (CakeState){.model = model, .arena = cake_arena_create(), .fault_process = -1, .fault_object = -1};
  lay_out(state);
  state->words = CAKE_ARENA_ARRAY(state->arena, int32_t, state->n_words);
}

void cake_state_fini(CakeState *state) {
  CAKE_VEC_FINI(&state->nodes);
  CAKE_VEC_FINI(&state->queue);
  cake_arena_destroy(state->arena);
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
int32_t cake_state_arg(const CakeState *state, size_t process, CakeArg arg) {
  return arg.is_register ? cake_state_process(state, process)[1 + arg.value] : arg.value;
}

void cake_state_fail(CakeState *state, CakeFaultKind kind, int32_t process, int32_t object) {
  if (state->fault) return;
  state->fault = kind;
  state->fault_process = process;
  state->fault_object = object;
}

// ---- Values ------------------------------------------------------------------------------------------------------------

// A signed quotient that is rounded up (1) or down (-1).
static int32_t round_quotient(int32_t a, int32_t b, int32_t direction) {
  if (!b || (a == INT32_MIN && b == -1)) return 0;
  bool is_exact = a % b == 0, is_up = (a < 0) == (b < 0);
  return a / b + (!is_exact && is_up == (direction > 0) ? direction : 0);
}

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
  case CAKE_ALU_CEIL: z = y ? x / y + (x % y != 0) : 0; break;
  case CAKE_ALU_SCEIL: z = (uint32_t)round_quotient(a, b, 1); break;
  case CAKE_ALU_SFLOOR: z = (uint32_t)round_quotient(a, b, -1); break;
  case CAKE_ALU_SDIV: z = y && (a != INT32_MIN || b != -1) ? (uint32_t)(a / b) : 0; break;
  case CAKE_ALU_SREM: z = y && (a != INT32_MIN || b != -1) ? (uint32_t)(a % b) : 0; break;
  case CAKE_ALU_SAR: z = y < 32 ? (uint32_t)(a >> b) : 0; break;
  case CAKE_ALU_SMIN: z = (uint32_t)(a < b ? a : b); break;
  case CAKE_ALU_SMAX: z = (uint32_t)(a > b ? a : b); break;
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
  const CakeProcess *program = &state->model->processes.data[process];
  int32_t *words = cake_state_process(state, process);
  for (int32_t i = 0; i < program->n_registers; i++)
    if (!cake_process_is_live(program, words[0], i)) words[1 + i] = 0;
}

// Runs a process to its next action, or to an entry that has not been chosen. False: it does not get there.
bool cake_state_settle(CakeState *state, size_t process) {
  int32_t *words = cake_state_process(state, process);
  for (int n = 0; n < SILENT; n++) {
    const CakeStep *step = cake_state_step(state, process);
    bool entry = true, is_there = !cake_step_is_silent(step->kind);
    int32_t next = words[0] + 1;
    switch (step->kind) {
    case CAKE_STEP_SET: words[1 + step->dst] = cake_state_arg(state, process, step->a); break;
    case CAKE_STEP_ALU:
      words[1 + step->dst] =
          cake_alu_apply(step->alu, cake_state_arg(state, process, step->a), cake_state_arg(state, process, step->b));
      break;
    case CAKE_STEP_SELECT:
      words[1 + step->dst] =
          cake_state_arg(state, process, cake_state_arg(state, process, step->a) ? step->b : step->c);
      break;
    case CAKE_STEP_JUMP: next = step->target; break;
    case CAKE_STEP_UNLESS:
      if (!cake_state_arg(state, process, step->a)) next = step->target;
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

// The object that a step means; -1: an mbarrier that was never set up.
int32_t cake_state_object(const CakeState *state, size_t process, const CakeStep *step) {
  if (step->object >= 0) return step->object;
  int32_t address = cake_state_arg(state, process, step->a);
  for (size_t at = place_of(address); state->places[at]; at = (at + 1) % PLACES)
    if (state->model->objects.data[state->places[at] - 1].address == address) return state->places[at] - 1;
  return -1;
}

// ---- Slots and turns -----------------------------------------------------------------------------------------------------

int32_t *cake_state_slot(const CakeState *state, int32_t object, int32_t slot) {
  const CakeObject *pipeline = &state->model->objects.data[object];
  return cake_state_words(state, object) + 1 + pipeline->consumers + SLOT_WORDS * slot;
}

// The same pipeline in another CTA of the cluster: each has its objects in the same order.
static int32_t in_cta(const CakeModel *model, int32_t object, int32_t rank) {
  int32_t each = (int32_t)model->objects.len / model->cluster;
  return object + (rank - model->objects.data[object].rank) * each;
}

// The readers in all CTAs that a CTA fills.
static int32_t all_readers(const CakeObject *pipeline) {
  uint32_t own = (UINT32_C(1) << pipeline->consumers) - 1, all = 0;
  for (int32_t rank = 0; rank < CAKE_MAX_RANKS; rank++)
    if (pipeline->sharers >> rank & 1) all |= own << rank * pipeline->consumers;
  return (int32_t)all;
}

// A slot that CTAs fill for one another is given back to each of them.
static void do_release(CakeState *state, size_t process, int32_t object, int32_t slot, int32_t consumer) {
  const CakeObject *pipeline = &state->model->objects.data[object];
  for (int32_t rank = 0; rank < state->model->cluster; rank++) {
    if (!(pipeline->sharers >> rank & 1)) continue;
    int32_t there = in_cta(state->model, object, rank), *words = cake_state_slot(state, there, slot);
    cake_order_join(&state->order, state->words, cake_order_empty(&state->order, there, slot), process);
    words[SLOT_RELEASES] |= 1 << (pipeline->rank * pipeline->consumers + consumer);
    if (words[SLOT_RELEASES] == all_readers(&state->model->objects.data[there]))
      words[SLOT_STATE] = words[SLOT_WAITS] = words[SLOT_RELEASES] = SLOT_EMPTY;
  }
}

static void do_take_slot(CakeState *state, size_t process, const CakeStep *step) {
  const CakeObject *pipeline = &state->model->objects.data[step->object];
  bool is_wait = step->kind == CAKE_STEP_WAIT;
  int32_t *cursor = cake_state_words(state, step->object) + (is_wait ? 1 + step->count : 0);
  int32_t *words = cake_state_slot(state, step->object, *cursor);
  if (is_wait) {
    words[1] |= 1 << step->count;
    cake_order_join(&state->order, state->words, process, cake_order_full(&state->order, step->object, *cursor));
  } else {
    size_t empty = cake_order_empty(&state->order, step->object, *cursor);
    words[0] = SLOT_OPEN;
    cake_order_join(&state->order, state->words, process, empty);
    cake_order_clear(&state->order, state->words, empty);
  }
  cake_state_process(state, process)[1 + step->dst] = *cursor;
  *cursor = (*cursor + 1) % pipeline->stages;
}

// A CTA fills its part of a slot in each CTA that shares it; there it is full when all have.
static void fill(CakeState *state, size_t process, int32_t object, int32_t slot) {
  const CakeObject *pipeline = &state->model->objects.data[object];
  for (int32_t rank = 0; rank < state->model->cluster; rank++) {
    if (!(pipeline->sharers >> rank & 1)) continue;
    int32_t there = in_cta(state->model, object, rank), *words = cake_state_slot(state, there, slot);
    size_t place = cake_order_full(&state->order, there, slot);
    if (!words[SLOT_COMMITS]) cake_order_clear(&state->order, state->words, place);
    cake_order_join(&state->order, state->words, place, process);
    words[SLOT_COMMITS] |= 1 << pipeline->rank;
    if (words[SLOT_COMMITS] != (int32_t)state->model->objects.data[there].sharers) continue;
    words[SLOT_STATE] = SLOT_FULL;
    words[SLOT_COMMITS] = 0;
  }
}

// The store engine empties a slot at the latest when nobody else can go on: so at once.
static void do_commit(CakeState *state, size_t process, const CakeStep *step) {
  int32_t slot = cake_state_arg(state, process, step->a);
  if (state->model->objects.data[step->object].consumers > 0) {
    fill(state, process, step->object, slot);
    return;
  }
  size_t place = cake_order_empty(&state->order, step->object, slot);
  *cake_state_slot(state, step->object, slot) = SLOT_EMPTY;
  cake_order_clear(&state->order, state->words, place);
  cake_order_join(&state->order, state->words, place, process);
}

static void do_pass(CakeState *state, size_t process, const CakeStep *step) {
  size_t place = cake_order_turn(&state->order, step->object);
  int32_t *turn = cake_state_words(state, step->object);
  *turn = (*turn + 1) % state->model->objects.data[step->object].consumers;
  cake_order_clear(&state->order, state->words, place);
  cake_order_join(&state->order, state->words, place, process);
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
  queue[2 + 2 * queue[0]++] = cake_state_arg(state, process, step->a);
}

static void do_group(CakeState *state, size_t process) {
  int32_t *queue = deferred_of(state, process);
  for (int32_t i = 0; i < queue[0]; i++)
    do_release(state, process, queue[1 + 2 * i] & 0xFFFF, queue[2 + 2 * i], queue[1 + 2 * i] >> 16);
  memset(queue, 0, sizeof *queue * (1 + 2 * MAX_DEFERRED));
}

// ---- Moves -----------------------------------------------------------------------------------------------------------------

bool cake_state_can_move(const CakeState *state, size_t process) {
  const CakeStep *step = cake_state_step(state, process);
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
  case CAKE_STEP_MEET:
  case CAKE_STEP_PARITY: return cake_state_is_over(state, process, step);
  default: return true;
  }
}

size_t cake_state_next(const CakeState *state) {
  size_t i = 0;
  while (i < state->n_processes && !cake_state_can_move(state, i))
    i++;
  return i;
}

// Does the action at which a process stands.
bool cake_state_move(CakeState *state, size_t process) {
  const CakeStep *step = cake_state_step(state, process);
  state->moves++;
  if (step->kind == CAKE_STEP_TAPE) { // behind which it may stand at a wait that is lapped already
    bool is_there = cake_state_settle(state, process);
    cake_state_check_laps(state);
    return is_there;
  }
  cake_order_tick(&state->order, process);
  switch (step->kind) {
  case CAKE_STEP_ACQUIRE:
  case CAKE_STEP_WAIT: do_take_slot(state, process, step); break;
  case CAKE_STEP_COMMIT: do_commit(state, process, step); break;
  case CAKE_STEP_RELEASE:
    do_release(state, process, step->object, cake_state_arg(state, process, step->a), step->count);
    break;
  case CAKE_STEP_DEFER: do_defer(state, process, step); break;
  case CAKE_STEP_GROUP:
    if (state->model->processes.data[process].has_deferred) do_group(state, process);
    break;
  case CAKE_STEP_TAKE:
    cake_order_join(&state->order, state->words, process, cake_order_turn(&state->order, step->object));
    break;
  case CAKE_STEP_PASS: do_pass(state, process, step); break;
  case CAKE_STEP_INIT: cake_state_init_barrier(state, process, step); break;
  case CAKE_STEP_ARRIVE:
  case CAKE_STEP_LAND: cake_state_arrive(state, process, step); break;
  case CAKE_STEP_PARITY: cake_state_look(state, process, step); break;
  default: break; // MEET only waits
  }
  if (state->fault) return false;
  cake_state_process(state, process)[0]++;
  bool ok = cake_state_settle(state, process);
  cake_state_check_laps(state);
  return ok;
}

bool cake_state_choose(CakeState *state, size_t process, int32_t entry) {
  int32_t *words = state->words + state->tape_at[cake_state_step(state, process)->object];
  words[TAPE_BITS] |= (int32_t)((uint32_t)entry << words[TAPE_LENGTH]++);
  state->last = (CakeMove){(int32_t)process, cake_state_process(state, process)[0], entry};
  state->moves++;
  bool ok = cake_state_settle(state, process);
  cake_state_check_laps(state);
  return ok;
}

// ---- The start -------------------------------------------------------------------------------------------------------------

// Processes that read a tape stand at its first entry.
static void start_tapes(CakeState *state) {
  const CakeModel *model = state->model;
  for (size_t tape = 0; tape < model->tapes.len; tape++)
    for (size_t i = 0; i < state->n_processes; i++)
      state->words[(size_t)state->tape_at[tape] + TAPE_CURSORS + i] = -1;
  for (size_t i = 0; i < state->n_processes; i++)
    for (size_t s = 0; s < model->processes.data[i].steps.len; s++) {
      const CakeStep *step = &model->processes.data[i].steps.data[s];
      if (step->kind == CAKE_STEP_TAPE) state->words[(size_t)state->tape_at[step->object] + TAPE_CURSORS + i] = 0;
    }
}

bool cake_state_start(CakeState *state) {
  memset(state->words, 0, state->n_words * sizeof *state->words);
  cake_state_start_barriers(state);
  start_tapes(state);
  for (size_t i = 0; i < state->n_processes; i++)
    if (!cake_state_settle(state, i)) return false;
  return true;
}
