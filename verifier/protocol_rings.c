// Rings of mbarriers, and how a state is shifted. See protocol_rings.h.
//
// A ring of which registers are used otherwise is not shifted; nor is a state from which a process may still reach a step that takes one stage
// for another than the rest: the set-up, or the first value of an index.
#include "verifier/protocol_ring_registers.h"

#include <string.h>

// ---- Classes ---------------------------------------------------------------------------------------------------------------

int32_t cake_rings_root(const CakeRings *rings, int32_t class) {
  while (rings->parents[class] != class)
    class = rings->parents[class];
  return class;
}

bool cake_rings_unite(CakeRings *rings, int32_t a, int32_t b) {
  a = cake_rings_root(rings, a), b = cake_rings_root(rings, b);
  if (a == b) return false;
  rings->parents[b] = a;
  rings->broken[a] = rings->broken[a] || rings->broken[b];
  return true;
}

void cake_rings_break(CakeRings *rings, int32_t class) {
  rings->broken[cake_rings_root(rings, class)] = true;
}

// ---- Rings -----------------------------------------------------------------------------------------------------------------

static int32_t object_at(const CakeModel *model, int32_t address) {
  for (size_t i = 0; i < model->objects.len; i++)
    if (model->objects.data[i].kind == CAKE_OBJECT_BARRIER && model->objects.data[i].address == address)
      return (int32_t)i;
  return -1;
}

static CakeRingArray *add_array(CakeRings *rings, const CakeRingRegister *address) {
  for (size_t i = 0; i < rings->n_arrays; i++)
    if (rings->arrays[i].base == address->base) {
      cake_rings_unite(rings, rings->arrays[i].class, address->class);
      return &rings->arrays[i];
    }
  rings->arrays[rings->n_arrays] = (CakeRingArray){address->base, address->class, 0};
  return &rings->arrays[rings->n_arrays++];
}

static void find_arrays(CakeRings *rings) {
  size_t most = 0;
  for (size_t p = 0; p < rings->model->processes.len; p++)
    most += rings->model->processes.data[p].steps.len;
  rings->arrays = CAKE_ARENA_ARRAY(rings->arena, CakeRingArray, most + 1);
  for (size_t p = 0; p < rings->model->processes.len; p++)
    for (size_t i = 0; i < rings->model->processes.data[p].steps.len; i++) {
      const CakeStep *step = &rings->model->processes.data[p].steps.data[i];
      const CakeRingRegister *a = cake_rings_register(rings, p, step->a);
      if (cake_step_defines(step->kind) || !a || a->kind != CAKE_REGISTER_ADDRESS) continue;
      CakeRingArray *array = add_array(rings, a);
      if (step->kind == CAKE_STEP_PARITY) array->lookers |= UINT32_C(1) << p;
    }
}

// Classes that came together must be of one number of stages.
static int32_t stages_of(const CakeRings *rings, int32_t class) {
  int32_t stages = 0;
  for (size_t p = 0; p < rings->model->processes.len; p++)
    for (int32_t r = 0; r < rings->model->processes.data[p].n_registers; r++) {
      const CakeRingRegister *of = &rings->registers[p][r];
      if (of->kind == CAKE_REGISTER_PLAIN || cake_rings_root(rings, of->class) != class) continue;
      if (stages && stages != of->stages) return 0;
      stages = of->stages;
    }
  return stages;
}

// The mbarriers of a ring; false: some are none, or of two rings.
static bool collect(CakeRings *rings, CakeRing *ring, bool *taken) {
  ring->lookers = CAKE_ARENA_ARRAY(rings->arena, uint32_t, rings->n_arrays);
  ring->objects = CAKE_ARENA_ARRAY(rings->arena, int32_t, rings->n_arrays *(size_t)ring->stages);
  for (size_t i = 0; i < rings->n_arrays; i++) {
    if (cake_rings_root(rings, rings->arrays[i].class) != ring->class) continue;
    ring->lookers[ring->n_arrays] = rings->arrays[i].lookers;
    int32_t *objects = &ring->objects[ring->n_arrays++ * (size_t)ring->stages];
    for (int32_t stage = 0; stage < ring->stages; stage++) {
      objects[stage] = object_at(rings->model, rings->arrays[i].base + CAKE_MBARRIER_BYTES * stage);
      if (objects[stage] < 0 || taken[objects[stage]]) return false;
      taken[objects[stage]] = true;
    }
  }
  return true;
}

static void find_rings(CakeRings *rings) {
  bool *taken = CAKE_ARENA_ARRAY(rings->arena, bool, rings->model->objects.len + 1);
  for (size_t i = 0; i < rings->n_arrays && rings->n_rings < CAKE_MAX_RINGS; i++) {
    CakeRing ring = {.class = cake_rings_root(rings, rings->arrays[i].class)};
    bool is_known = rings->broken[ring.class];
    for (size_t k = 0; k < rings->n_rings; k++)
      is_known = is_known || rings->rings[k].class == ring.class;
    if (is_known) continue;
    ring.stages = stages_of(rings, ring.class);
    if (ring.stages > 0 && collect(rings, &ring, taken))
      rings->rings[rings->n_rings++] = ring;
    else
      rings->broken[ring.class] = true;
  }
}

static void number_registers(CakeRings *rings, size_t process) {
  for (int32_t r = 0; r < rings->model->processes.data[process].n_registers; r++) {
    CakeRingRegister *of = &rings->registers[process][r];
    of->ring = -1;
    for (size_t i = 0; i < rings->n_rings; i++)
      if (of->kind != CAKE_REGISTER_PLAIN && cake_rings_root(rings, of->class) == rings->rings[i].class)
        of->ring = (int32_t)i;
  }
}

// ---- Steps that are not alike for all stages -----------------------------------------------------------------------------------

static uint32_t rings_of(const CakeRings *rings, int32_t class, int32_t object) {
  uint32_t mask = 0;
  for (size_t i = 0; i < rings->n_rings; i++) {
    const CakeRing *ring = &rings->rings[i];
    bool is_in = class >= 0 && ring->class == cake_rings_root(rings, class);
    for (size_t k = 0; object >= 0 && k < ring->n_arrays * (size_t)ring->stages; k++)
      is_in = is_in || ring->objects[k] == object;
    mask |= (uint32_t)is_in << i;
  }
  return mask;
}

static uint32_t tells_stages_apart(const CakeRings *rings, size_t process, const CakeStep *step) {
  const CakeRingRegister *a = cake_rings_register(rings, process, step->a);
  if (step->kind == CAKE_STEP_SET) {
    const CakeRingRegister *dst = &rings->registers[process][step->dst];
    return !a && dst->kind != CAKE_REGISTER_PLAIN ? rings_of(rings, dst->class, -1) : 0;
  }
  if (step->kind < CAKE_STEP_INIT || step->kind > CAKE_STEP_PARITY) return 0;
  if (step->object >= 0) return rings_of(rings, -1, step->object);
  if (!a) return rings_of(rings, -1, object_at(rings->model, step->a.value));
  return a->kind == CAKE_REGISTER_ADDRESS ? 0 : UINT32_MAX;
}

static void find_blocked(CakeRings *rings, size_t process) {
  const CakeProcess *program = &rings->model->processes.data[process];
  uint32_t *blocked = CAKE_ARENA_ARRAY(rings->arena, uint32_t, program->steps.len + 1);
  rings->blocked[process] = blocked;
  for (size_t i = 0; i < program->steps.len; i++)
    blocked[i] = tells_stages_apart(rings, process, &program->steps.data[i]);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (size_t i = program->steps.len; i-- > 0;) {
      const CakeStep *step = &program->steps.data[i];
      bool falls_through = step->kind != CAKE_STEP_JUMP && step->kind != CAKE_STEP_END;
      bool jumps = step->kind == CAKE_STEP_JUMP || step->kind == CAKE_STEP_UNLESS || step->kind == CAKE_STEP_TAPE;
      uint32_t mask = blocked[i] | (falls_through ? blocked[i + 1] : 0) | (jumps ? blocked[step->target] : 0);
      has_changed = has_changed || mask != blocked[i];
      blocked[i] = mask;
    }
  }
}

// ---- The model ---------------------------------------------------------------------------------------------------------------

static CakeRings *create(const CakeState *state) {
  const CakeModel *model = state->model;
  CakeArena *arena = state->arena;
  CakeRings *rings = CAKE_ARENA_NEW(arena, CakeRings);
  *rings = (CakeRings){.model = model, .arena = arena};
  rings->registers = CAKE_ARENA_ARRAY(arena, CakeRingRegister *, model->processes.len + 1);
  rings->blocked = CAKE_ARENA_ARRAY(arena, uint32_t *, model->processes.len + 1);
  for (size_t p = 0; p < model->processes.len; p++) {
    int32_t count = model->processes.data[p].n_registers;
    if (count > CAKE_MAX_RING_REGISTERS) return NULL;
    rings->registers[p] = CAKE_ARENA_ARRAY(arena, CakeRingRegister, (size_t)count + 1);
    for (int32_t r = 0; r < count; r++)
      rings->registers[p][r] = (CakeRingRegister){.class = (int32_t)rings->n_classes++, .index = -1, .next = -1};
  }
  rings->parents = CAKE_ARENA_ARRAY(arena, int32_t, rings->n_classes + 1);
  rings->broken = CAKE_ARENA_ARRAY(arena, bool, rings->n_classes + 1);
  for (size_t i = 0; i < rings->n_classes; i++)
    rings->parents[i] = (int32_t)i;
  rings->words = CAKE_ARENA_ARRAY(arena, int32_t, state->n_words + 1);
  rings->moved = CAKE_ARENA_ARRAY(arena, int32_t, model->objects.len + 1);
  return rings;
}

CakeRings *cake_rings_find(const CakeState *state) {
  CakeRings *rings = create(state);
  if (!rings) return NULL;
  for (size_t p = 0; p < rings->model->processes.len; p++)
    cake_rings_type_process(rings, p);
  find_arrays(rings);
  for (size_t p = 0; p < rings->model->processes.len; p++)
    cake_rings_check_process(rings, p);
  find_rings(rings);
  for (size_t p = 0; p < rings->model->processes.len; p++) {
    number_registers(rings, p);
    find_blocked(rings, p);
  }
  return rings->n_rings ? rings : NULL;
}

// ---- Shifting a state --------------------------------------------------------------------------------------------------------

static bool is_live_in(const CakeRings *rings, const CakeState *state, size_t process, int32_t index) {
  return cake_process_is_live(&rings->model->processes.data[process], cake_state_process(state, process)[0], index);
}

// Whether each process can be shifted, and by how much: what brings the first index to stage 0, and its parity to 0. Below 0: not.
static int32_t turn_of(const CakeRings *rings, const CakeState *state, size_t number) {
  const CakeRing *ring = &rings->rings[number];
  int32_t turn = -1;
  for (size_t p = 0; p < state->n_processes; p++) {
    const int32_t *words = cake_state_process(state, p);
    if (rings->blocked[p][words[0]] >> number & 1) return -1;
    for (int32_t r = 0; r < rings->model->processes.data[p].n_registers; r++) {
      const CakeRingRegister *of = &rings->registers[p][r];
      if (of->ring != (int32_t)number || !is_live_in(rings, state, p, r)) continue;
      bool has_index = of->index >= 0 && is_live_in(rings, state, p, of->index);
      bool can_turn = of->kind == CAKE_REGISTER_INDEX || of->kind == CAKE_REGISTER_ADDRESS;
      if (!can_turn && (of->kind != CAKE_REGISTER_PARITY || !has_index)) return -1;
      if (of->kind == CAKE_REGISTER_PARITY && turn < 0)
        turn = (2 * ring->stages - words[1 + of->index] - ring->stages * (words[1 + r] & 1)) % (2 * ring->stages);
    }
  }
  return turn;
}

static void turn_process(const CakeRings *rings, CakeState *state, size_t process, size_t number, int32_t turn) {
  const CakeRing *ring = &rings->rings[number];
  int32_t *words = cake_state_process(state, process) + 1;
  const int32_t *before = rings->words + state->process_at[process] + 1;
  for (int32_t r = 0; r < rings->model->processes.data[process].n_registers; r++) {
    const CakeRingRegister *of = &rings->registers[process][r];
    if (of->ring != (int32_t)number || !is_live_in(rings, state, process, r)) continue;
    if (of->kind == CAKE_REGISTER_INDEX) words[r] = (before[r] + turn) % ring->stages;
    if (of->kind == CAKE_REGISTER_ADDRESS)
      words[r] = ((before[r] - of->base) / of->factor + turn) % ring->stages * of->factor + of->base;
    if (of->kind == CAKE_REGISTER_PARITY) words[r] = before[r] ^ ((before[of->index] + turn) / ring->stages & 1);
  }
}

static void turn_barriers(CakeRings *rings, CakeState *state, const CakeRing *ring, int32_t turn) {
  for (size_t i = 0; i < ring->n_arrays; i++) {
    const int32_t *objects = &ring->objects[i * (size_t)ring->stages];
    for (int32_t stage = 0; stage < ring->stages; stage++) {
      int32_t from = objects[stage], to = objects[(stage + turn) % ring->stages];
      int32_t *words = cake_state_words(state, to);
      memcpy(words, rings->words + state->object_at[from], BARRIER_WORDS * sizeof *words);
      words[BARRIER_PARITY] ^= (stage + turn) / ring->stages & 1;
      cake_state_forget_gaps(state, to, ring->lookers[i]);
      rings->moved[from] = to;
    }
  }
}

void cake_rings_turn(CakeRings *rings, CakeState *state) {
  memcpy(rings->words, state->words, state->n_words * sizeof *state->words);
  bool is_moved = false;
  for (size_t i = 0; i < rings->model->objects.len; i++)
    rings->moved[i] = (int32_t)i;
  for (size_t i = 0; i < rings->n_rings; i++) {
    int32_t turn = turn_of(rings, state, i);
    if (turn < 0) continue;
    for (size_t p = 0; p < state->n_processes; p++)
      turn_process(rings, state, p, i, turn);
    turn_barriers(rings, state, &rings->rings[i], turn);
    is_moved = is_moved || turn > 0;
  }
  if (is_moved) cake_order_permute(&state->order, rings->words, state->words, rings->moved, rings->model->objects.len);
}
