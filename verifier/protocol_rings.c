// Which registers are indices and parities of rings, and how a state is shifted. See protocol_rings.h.
//
// Registers are typed by what defines them: an index by `t = s + 1; n = t == stages ? 0 : t`, a parity by `p ^ (t == stages)` or an exclusive or
// with a number, an address by `8 * s + base`; moves carry types along. A ring that is used otherwise is not shifted; nor is a state from
// which a process may still reach a step that takes one stage for another than the rest: the set-up, or the first value of an index.
#include "verifier/protocol_rings.h"

#include <string.h>

enum { MAX_RINGS = 16, MAX_REGISTERS = 256, BARRIER_BYTES_EACH = 8 };

typedef enum RegisterKind {
  REGISTER_PLAIN,
  REGISTER_INDEX, // of a stage
  REGISTER_NEXT,  // one more
  REGISTER_WRAP,  // whether that is the number of stages
  REGISTER_PRIOR, // one less
  REGISTER_FIRST, // whether the stage is the first
  REGISTER_PARITY,
  REGISTER_ADDRESS
} RegisterKind;

typedef struct Register {
  RegisterKind kind;
  int32_t stages, factor, base; // of an address: the last two
  int32_t index;                // of what is computed from an index, or goes with it: that one's register
  int32_t next;                 // of a wrap: the register of the index behind it
  int32_t class;                // of registers that shift together: a union-find over all of them
  int32_t ring;                 // that it is of; -1: none
} Register;

typedef struct Array {
  int32_t base, class;
  uint32_t lookers; // processes that wait there, a bit each
} Array;

typedef struct Ring {
  int32_t class, stages;
  size_t n_arrays;
  int32_t *objects;  // of each array, its stages
  uint32_t *lookers; // of each array
} Ring;

struct CakeRings {
  const CakeModel *model;
  CakeArena *arena;
  Register **registers; // of each process; NULL: it has too many
  uint32_t **blocked;   // of each process and step: rings that are not to be shifted yet
  int32_t *parents;     // union-find of classes
  bool *broken;         // by class
  size_t n_classes;
  Array *arrays;
  size_t n_arrays;
  Ring rings[MAX_RINGS];
  size_t n_rings;
  int32_t *words; // of a state before it is shifted
  int32_t *moved; // of each barrier: the one that it becomes
};

// ---- Classes ---------------------------------------------------------------------------------------------------------------

static int32_t root_of(const CakeRings *rings, int32_t class) {
  while (rings->parents[class] != class)
    class = rings->parents[class];
  return class;
}

static bool unite(CakeRings *rings, int32_t a, int32_t b) {
  a = root_of(rings, a), b = root_of(rings, b);
  if (a == b) return false;
  rings->parents[b] = a;
  rings->broken[a] = rings->broken[a] || rings->broken[b];
  return true;
}

static void break_class(CakeRings *rings, int32_t class) {
  rings->broken[root_of(rings, class)] = true;
}

// ---- Types of registers ------------------------------------------------------------------------------------------------------

static Register *register_of(const CakeRings *rings, size_t process, CakeArg arg) {
  return arg.is_register ? &rings->registers[process][arg.value] : NULL;
}

static bool is_number(CakeArg arg, int32_t value) {
  return !arg.is_register && arg.value == value;
}

// The one step that defines a register; NULL: there are others.
static const CakeStep *definition(const CakeProcess *process, CakeArg arg) {
  const CakeStep *found = NULL;
  for (size_t i = 0; arg.is_register && i < process->steps.len; i++) {
    const CakeStep *step = &process->steps.data[i];
    if (!cake_step_defines(step->kind) || step->dst != arg.value) continue;
    if (found) return NULL;
    found = step;
  }
  return found;
}

// Makes a register what it is found to be; one that is something else breaks both. Whether it is new.
static bool learn(CakeRings *rings, Register *to, Register type) {
  if (to->kind == REGISTER_PLAIN) {
    int32_t class = to->class;
    *to = type;
    to->class = class;
    unite(rings, type.class, class);
    return true;
  }
  bool is_new = unite(rings, type.class, to->class);
  if (to->kind != type.kind || to->stages != type.stages || to->factor != type.factor || to->base != type.base)
    break_class(rings, to->class);
  return is_new;
}

// n = (t = s + 1) == stages ? 0 : t
static bool find_index(CakeRings *rings, size_t process, const CakeStep *select) {
  const CakeProcess *program = &rings->model->processes.data[process];
  const CakeStep *test = definition(program, select->a), *sum = definition(program, select->c);
  if (select->kind != CAKE_STEP_SELECT || !test || !sum || !is_number(select->b, 0)) return false;
  bool is_test = test->kind == CAKE_STEP_ALU && test->alu == CAKE_ALU_EQ && test->a.is_register &&
                 test->a.value == select->c.value && !test->b.is_register && test->b.value > 0;
  bool is_sum = sum->kind == CAKE_STEP_ALU && sum->alu == CAKE_ALU_ADD && sum->a.is_register && is_number(sum->b, 1);
  if (!is_test || !is_sum) return false;
  Register *all = rings->registers[process];
  Register index = {
      .kind = REGISTER_INDEX, .stages = test->b.value, .index = -1, .next = -1, .class = all[sum->a.value].class};
  bool is_new = learn(rings, &all[sum->a.value], index);
  is_new |= learn(rings, &all[select->dst], index);
  index.index = sum->a.value;
  index.next = select->dst;
  index.kind = REGISTER_NEXT;
  is_new |= learn(rings, &all[sum->dst], index);
  index.kind = REGISTER_WRAP;
  return learn(rings, &all[test->dst], index) || is_new;
}

// prior = s == 0 ? stages - 1 : s - 1
static bool find_prior(CakeRings *rings, size_t process, const CakeStep *select) {
  const CakeProcess *program = &rings->model->processes.data[process];
  const CakeStep *test = definition(program, select->a), *sum = definition(program, select->c);
  if (!test || !sum || select->b.is_register || select->b.value < 0) return false;
  bool is_test =
      test->kind == CAKE_STEP_ALU && test->alu == CAKE_ALU_EQ && test->a.is_register && is_number(test->b, 0);
  bool is_sum = sum->kind == CAKE_STEP_ALU && sum->alu == CAKE_ALU_ADD && sum->a.is_register && is_number(sum->b, -1);
  if (!is_test || !is_sum || test->a.value != sum->a.value) return false;
  Register *all = rings->registers[process];
  Register index = {
      .kind = REGISTER_INDEX, .stages = select->b.value + 1, .index = -1, .next = -1, .class = all[sum->a.value].class};
  bool is_new = learn(rings, &all[sum->a.value], index);
  is_new |= learn(rings, &all[select->dst], index);
  index.index = sum->a.value;
  index.kind = REGISTER_PRIOR;
  is_new |= learn(rings, &all[sum->dst], index);
  index.kind = REGISTER_FIRST;
  return learn(rings, &all[test->dst], index) || is_new;
}

static bool find_parity(CakeRings *rings, size_t process, const CakeStep *step) {
  Register *a = register_of(rings, process, step->a), *b = register_of(rings, process, step->b),
           *dst = &rings->registers[process][step->dst];
  if (!a || step->alu != CAKE_ALU_XOR) return false;
  if (b && a->kind == REGISTER_WRAP)
    return find_parity(rings, process, &(CakeStep){.alu = CAKE_ALU_XOR, .dst = step->dst, .a = step->b, .b = step->a});
  if (!b) return a->kind == REGISTER_PARITY && learn(rings, dst, *a);
  if (b->kind != REGISTER_WRAP) return false;
  Register parity = {.kind = REGISTER_PARITY, .stages = b->stages, .index = b->index, .next = -1, .class = b->class};
  bool is_new = learn(rings, a, parity);
  parity.index = b->next;
  return learn(rings, dst, parity) || is_new;
}

// 8 * s + base
static bool find_address(CakeRings *rings, size_t process, const CakeStep *step) {
  bool is_turned = step->b.is_register;
  CakeArg from = is_turned ? step->b : step->a, number = is_turned ? step->a : step->b;
  const Register *a = register_of(rings, process, from);
  if (!a || number.is_register) return false;
  Register address = *a;
  address.kind = REGISTER_ADDRESS;
  if (a->kind == REGISTER_INDEX && step->alu == CAKE_ALU_MUL) {
    address.factor = number.value;
    address.index = from.value;
  } else if (a->kind == REGISTER_ADDRESS && step->alu == CAKE_ALU_ADD) {
    address.base += number.value;
  } else {
    return false;
  }
  return learn(rings, &rings->registers[process][step->dst], address);
}

static bool find_move(CakeRings *rings, size_t process, const CakeStep *step) {
  Register *from = register_of(rings, process, step->a), *to = &rings->registers[process][step->dst];
  if (!from) return false;
  if (from->kind != REGISTER_PLAIN) {
    Register type = *from;
    if (type.kind == REGISTER_PARITY) type.index = -1; // with which index: match_run
    return learn(rings, to, type);
  }
  if (to->kind != REGISTER_INDEX && to->kind != REGISTER_PARITY) return false;
  Register type = *to;
  type.index = -1;
  return learn(rings, from, type);
}

static bool find_types(CakeRings *rings, size_t process, const CakeStep *step) {
  switch (step->kind) {
  case CAKE_STEP_SET: return find_move(rings, process, step);
  case CAKE_STEP_SELECT: return find_index(rings, process, step) || find_prior(rings, process, step);
  case CAKE_STEP_ALU: return find_parity(rings, process, step) || find_address(rings, process, step);
  default: return false;
  }
}

// ---- Moves: which index a parity goes with -------------------------------------------------------------------------------------

// Steps that move registers, and nothing between them.
typedef struct Run {
  const CakeProcess *program;
  Register *all;
  size_t begin, end;
  CakeArg source[MAX_REGISTERS]; // of each register, when the run begins
  bool is_written[MAX_REGISTERS];
} Run;

static bool is_target(const CakeProcess *program, size_t at) {
  for (size_t i = 0; i < program->steps.len; i++) {
    const CakeStep *step = &program->steps.data[i];
    bool jumps = step->kind == CAKE_STEP_JUMP || step->kind == CAKE_STEP_UNLESS || step->kind == CAKE_STEP_TAPE;
    if (jumps && step->target == (int32_t)at) return true;
  }
  return false;
}

static Run run_at(const CakeRings *rings, size_t process, size_t begin) {
  Run run = {.program = &rings->model->processes.data[process], .all = rings->registers[process], .begin = begin};
  for (int32_t i = 0; i < MAX_REGISTERS; i++)
    run.source[i] = cake_arg_register(i);
  for (run.end = begin; run.program->steps.data[run.end].kind == CAKE_STEP_SET; run.end++) {
    const CakeStep *step = &run.program->steps.data[run.end];
    if (run.end > begin && is_target(run.program, run.end)) break;
    run.source[step->dst] = step->a.is_register ? run.source[step->a.value] : step->a;
    run.is_written[step->dst] = true;
  }
  return run;
}

static bool is_live(const Run *run, int32_t index) {
  return cake_process_is_live(run->program, (int32_t)run->end, index);
}

// The register into which a run moves an index; -1: none, or several.
static int32_t moved_index(const Run *run, int32_t from) {
  int32_t found = -1;
  for (int32_t i = 0; i < run->program->n_registers; i++) {
    if (run->all[i].kind != REGISTER_INDEX || !is_live(run, i) || !run->source[i].is_register ||
        run->source[i].value != from)
      continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

static bool match_parity(const Run *run, int32_t parity) {
  Register *to = &run->all[parity];
  if (to->kind != REGISTER_PARITY || !is_live(run, parity) || !run->source[parity].is_register) return false;
  Register *from = &run->all[run->source[parity].value];
  if (to->index < 0 && from->index >= 0) {
    to->index = moved_index(run, from->index);
    return to->index >= 0;
  }
  if (to->index < 0 || from->index >= 0 || !run->source[to->index].is_register) return false;
  from->index = run->source[to->index].value;
  return true;
}

static bool match_runs(CakeRings *rings, size_t process) {
  const CakeProcess *program = &rings->model->processes.data[process];
  bool is_new = false;
  for (size_t i = 0; i < program->steps.len; i++) {
    if (program->steps.data[i].kind != CAKE_STEP_SET) continue;
    Run run = run_at(rings, process, i);
    for (int32_t r = 0; r < program->n_registers; r++)
      is_new |= run.is_written[r] && match_parity(&run, r);
    i = run.end - 1;
  }
  return is_new;
}

// ---- Whether all is used as it should be ---------------------------------------------------------------------------------------

static void break_all(CakeRings *rings, size_t process, const CakeStep *step) {
  const CakeArg args[] = {step->a, step->b, step->c,
                          cake_step_defines(step->kind) ? cake_arg_register(step->dst) : cake_arg_number(0)};
  for (size_t i = 0; i < CAKE_COUNT(args); i++) {
    const Register *used = register_of(rings, process, args[i]);
    if (used && used->kind != REGISTER_PLAIN) break_class(rings, used->class);
  }
}

// An index has changed: what was computed from the old one is of another stage.
static void check_stale(CakeRings *rings, size_t process, size_t next, const bool *is_written) {
  const CakeProcess *program = &rings->model->processes.data[process];
  for (int32_t r = 0; r < program->n_registers; r++) {
    const Register *of = &rings->registers[process][r];
    bool is_computed = of->kind != REGISTER_PLAIN && of->kind != REGISTER_INDEX && of->index >= 0;
    if (is_computed && is_written[of->index] && !is_written[r] && cake_process_is_live(program, (int32_t)next, r))
      break_class(rings, of->class);
  }
}

static void check_run(CakeRings *rings, size_t process, const Run *run) {
  check_stale(rings, process, run->end, run->is_written);
  for (int32_t r = 0; r < run->program->n_registers; r++) {
    const Register *to = &run->all[r];
    if (!run->is_written[r] || to->kind == REGISTER_PLAIN || !is_live(run, r)) continue;
    const Register *from = register_of(rings, process, run->source[r]);
    bool is_first = !from && (to->kind == REGISTER_INDEX || to->kind == REGISTER_PARITY); // see is_first_value
    if (!is_first && (!from || from->kind != to->kind)) break_class(rings, to->class);
    if (to->kind == REGISTER_INDEX || !from) continue;
    bool goes_with =
        to->index >= 0 && run->source[to->index].is_register && run->source[to->index].value == from->index;
    if (!goes_with) break_class(rings, to->class);
  }
}

// A definition that the types have been found by.
static bool is_as_typed(const CakeRings *rings, size_t process, const CakeStep *step) {
  const Register *dst = &rings->registers[process][step->dst], *a = register_of(rings, process, step->a),
                 *b = register_of(rings, process, step->b), *c = register_of(rings, process, step->c);
  bool is_alu = step->kind == CAKE_STEP_ALU;
  switch (dst->kind) {
  case REGISTER_INDEX:
    if (step->kind != CAKE_STEP_SELECT || !a || !c || a->index != c->index) return false;
    if (a->kind == REGISTER_FIRST) return c->kind == REGISTER_PRIOR && is_number(step->b, dst->stages - 1);
    return a->kind == REGISTER_WRAP && c->kind == REGISTER_NEXT && is_number(step->b, 0) && a->next == step->dst;
  case REGISTER_PRIOR:
    return is_alu && step->alu == CAKE_ALU_ADD && a && a->kind == REGISTER_INDEX && is_number(step->b, -1) &&
           step->a.value == dst->index;
  case REGISTER_FIRST:
    return is_alu && step->alu == CAKE_ALU_EQ && a && a->kind == REGISTER_INDEX && is_number(step->b, 0) &&
           step->a.value == dst->index;
  case REGISTER_NEXT:
    return is_alu && step->alu == CAKE_ALU_ADD && a && a->kind == REGISTER_INDEX && is_number(step->b, 1) &&
           step->a.value == dst->index;
  case REGISTER_WRAP:
    return is_alu && step->alu == CAKE_ALU_EQ && a && a->kind == REGISTER_NEXT && a->index == dst->index &&
           is_number(step->b, dst->stages);
  case REGISTER_PARITY:
    if (!is_alu || step->alu != CAKE_ALU_XOR) return false;
    if (a && a->kind == REGISTER_PARITY && !step->b.is_register) return a->index == dst->index;
    if (a && a->kind == REGISTER_WRAP) {
      const Register *other = a;
      a = b, b = other;
    }
    return a && b && a->kind == REGISTER_PARITY && b->kind == REGISTER_WRAP && a->index == b->index &&
           dst->index == b->next;
  case REGISTER_ADDRESS: {
    const Register *from = a ? a : b;
    if (!is_alu || !from || (a && b)) return false;
    if (from->kind == REGISTER_INDEX) return step->alu == CAKE_ALU_MUL && (a ? step->a : step->b).value == dst->index;
    return from->kind == REGISTER_ADDRESS && step->alu == CAKE_ALU_ADD && from->index == dst->index;
  }
  default:
    return (!a || a->kind == REGISTER_PLAIN) && (!b || b->kind == REGISTER_PLAIN) && (!c || c->kind == REGISTER_PLAIN);
  }
}

// An action at an mbarrier of a ring: by an address, and a wait with the parity that goes with it.
static bool is_use(const CakeRings *rings, size_t process, const CakeStep *step) {
  const Register *a = register_of(rings, process, step->a), *b = register_of(rings, process, step->b);
  bool is_barrier = step->kind >= CAKE_STEP_ARRIVE && step->kind <= CAKE_STEP_PARITY;
  if (!a || a->kind == REGISTER_PLAIN) return !b || b->kind == REGISTER_PLAIN;
  if (!is_barrier || a->kind != REGISTER_ADDRESS || a->factor != BARRIER_BYTES_EACH) return false;
  return step->kind != CAKE_STEP_PARITY || (b && b->kind == REGISTER_PARITY && b->index == a->index && a->index >= 0 &&
                                            root_of(rings, b->class) == root_of(rings, a->class));
}

static void check_process(CakeRings *rings, size_t process) {
  const CakeProcess *program = &rings->model->processes.data[process];
  for (size_t i = 0; i < program->steps.len; i++) {
    const CakeStep *step = &program->steps.data[i];
    if (step->kind == CAKE_STEP_SET) {
      Run run = run_at(rings, process, i);
      check_run(rings, process, &run);
      i = run.end - 1;
      continue;
    }
    bool defines = cake_step_defines(step->kind);
    if (!(defines ? is_as_typed(rings, process, step) : is_use(rings, process, step))) break_all(rings, process, step);
    if (!defines || rings->registers[process][step->dst].kind != REGISTER_INDEX) continue;
    bool is_written[MAX_REGISTERS] = {0};
    is_written[step->dst] = true;
    check_stale(rings, process, i + 1, is_written);
  }
}

// ---- Rings -----------------------------------------------------------------------------------------------------------------

static int32_t object_at(const CakeModel *model, int32_t address) {
  for (size_t i = 0; i < model->objects.len; i++)
    if (model->objects.data[i].kind == CAKE_OBJECT_BARRIER && model->objects.data[i].address == address)
      return (int32_t)i;
  return -1;
}

static Array *add_array(CakeRings *rings, const Register *address) {
  for (size_t i = 0; i < rings->n_arrays; i++)
    if (rings->arrays[i].base == address->base) {
      unite(rings, rings->arrays[i].class, address->class);
      return &rings->arrays[i];
    }
  rings->arrays[rings->n_arrays] = (Array){address->base, address->class, 0};
  return &rings->arrays[rings->n_arrays++];
}

static void find_arrays(CakeRings *rings) {
  size_t most = 0;
  for (size_t p = 0; p < rings->model->processes.len; p++)
    most += rings->model->processes.data[p].steps.len;
  rings->arrays = CAKE_ARENA_ARRAY(rings->arena, Array, most + 1);
  for (size_t p = 0; p < rings->model->processes.len; p++)
    for (size_t i = 0; i < rings->model->processes.data[p].steps.len; i++) {
      const CakeStep *step = &rings->model->processes.data[p].steps.data[i];
      const Register *a = register_of(rings, p, step->a);
      if (cake_step_defines(step->kind) || !a || a->kind != REGISTER_ADDRESS) continue;
      Array *array = add_array(rings, a);
      if (step->kind == CAKE_STEP_PARITY) array->lookers |= UINT32_C(1) << p;
    }
}

// Classes that came together must be of one number of stages.
static int32_t stages_of(const CakeRings *rings, int32_t class) {
  int32_t stages = 0;
  for (size_t p = 0; p < rings->model->processes.len; p++)
    for (int32_t r = 0; r < rings->model->processes.data[p].n_registers; r++) {
      const Register *of = &rings->registers[p][r];
      if (of->kind == REGISTER_PLAIN || root_of(rings, of->class) != class) continue;
      if (stages && stages != of->stages) return 0;
      stages = of->stages;
    }
  return stages;
}

// The mbarriers of a ring; false: some are none, or of two rings.
static bool collect(CakeRings *rings, Ring *ring, bool *taken) {
  ring->lookers = CAKE_ARENA_ARRAY(rings->arena, uint32_t, rings->n_arrays);
  ring->objects = CAKE_ARENA_ARRAY(rings->arena, int32_t, rings->n_arrays *(size_t)ring->stages);
  for (size_t i = 0; i < rings->n_arrays; i++) {
    if (root_of(rings, rings->arrays[i].class) != ring->class) continue;
    ring->lookers[ring->n_arrays] = rings->arrays[i].lookers;
    int32_t *objects = &ring->objects[ring->n_arrays++ * (size_t)ring->stages];
    for (int32_t stage = 0; stage < ring->stages; stage++) {
      objects[stage] = object_at(rings->model, rings->arrays[i].base + BARRIER_BYTES_EACH * stage);
      if (objects[stage] < 0 || taken[objects[stage]]) return false;
      taken[objects[stage]] = true;
    }
  }
  return true;
}

static void find_rings(CakeRings *rings) {
  bool *taken = CAKE_ARENA_ARRAY(rings->arena, bool, rings->model->objects.len + 1);
  for (size_t i = 0; i < rings->n_arrays && rings->n_rings < MAX_RINGS; i++) {
    Ring ring = {.class = root_of(rings, rings->arrays[i].class)};
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
    Register *of = &rings->registers[process][r];
    of->ring = -1;
    for (size_t i = 0; i < rings->n_rings; i++)
      if (of->kind != REGISTER_PLAIN && root_of(rings, of->class) == rings->rings[i].class) of->ring = (int32_t)i;
  }
}

// ---- Steps that are not alike for all stages -----------------------------------------------------------------------------------

static uint32_t rings_of(const CakeRings *rings, int32_t class, int32_t object) {
  uint32_t mask = 0;
  for (size_t i = 0; i < rings->n_rings; i++) {
    const Ring *ring = &rings->rings[i];
    bool is_in = class >= 0 && ring->class == root_of(rings, class);
    for (size_t k = 0; object >= 0 && k < ring->n_arrays * (size_t)ring->stages; k++)
      is_in = is_in || ring->objects[k] == object;
    mask |= (uint32_t)is_in << i;
  }
  return mask;
}

static uint32_t tells_stages_apart(const CakeRings *rings, size_t process, const CakeStep *step) {
  const Register *a = register_of(rings, process, step->a);
  if (step->kind == CAKE_STEP_SET) {
    const Register *dst = &rings->registers[process][step->dst];
    return !a && dst->kind != REGISTER_PLAIN ? rings_of(rings, dst->class, -1) : 0;
  }
  if (step->kind < CAKE_STEP_INIT || step->kind > CAKE_STEP_PARITY) return 0;
  if (step->object >= 0) return rings_of(rings, -1, step->object);
  if (!a) return rings_of(rings, -1, object_at(rings->model, step->a.value));
  return a->kind == REGISTER_ADDRESS ? 0 : UINT32_MAX;
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
  rings->registers = CAKE_ARENA_ARRAY(arena, Register *, model->processes.len + 1);
  rings->blocked = CAKE_ARENA_ARRAY(arena, uint32_t *, model->processes.len + 1);
  for (size_t p = 0; p < model->processes.len; p++) {
    int32_t count = model->processes.data[p].n_registers;
    if (count > MAX_REGISTERS) return NULL;
    rings->registers[p] = CAKE_ARENA_ARRAY(arena, Register, (size_t)count + 1);
    for (int32_t r = 0; r < count; r++)
      rings->registers[p][r] = (Register){.class = (int32_t)rings->n_classes++, .index = -1, .next = -1};
  }
  rings->parents = CAKE_ARENA_ARRAY(arena, int32_t, rings->n_classes + 1);
  rings->broken = CAKE_ARENA_ARRAY(arena, bool, rings->n_classes + 1);
  for (size_t i = 0; i < rings->n_classes; i++)
    rings->parents[i] = (int32_t)i;
  rings->words = CAKE_ARENA_ARRAY(arena, int32_t, state->n_words + 1);
  rings->moved = CAKE_ARENA_ARRAY(arena, int32_t, model->objects.len + 1);
  return rings;
}

static void type_process(CakeRings *rings, size_t process) {
  const CakeProcess *program = &rings->model->processes.data[process];
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (size_t i = 0; i < program->steps.len; i++)
      is_new |= find_types(rings, process, &program->steps.data[i]);
    is_new |= match_runs(rings, process);
  }
}

CakeRings *cake_rings_find(const CakeState *state) {
  CakeRings *rings = create(state);
  if (!rings) return NULL;
  for (size_t p = 0; p < rings->model->processes.len; p++)
    type_process(rings, p);
  find_arrays(rings);
  for (size_t p = 0; p < rings->model->processes.len; p++)
    check_process(rings, p);
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
  const Ring *ring = &rings->rings[number];
  int32_t turn = -1;
  for (size_t p = 0; p < state->n_processes; p++) {
    const int32_t *words = cake_state_process(state, p);
    if (rings->blocked[p][words[0]] >> number & 1) return -1;
    for (int32_t r = 0; r < rings->model->processes.data[p].n_registers; r++) {
      const Register *of = &rings->registers[p][r];
      if (of->ring != (int32_t)number || !is_live_in(rings, state, p, r)) continue;
      bool has_index = of->index >= 0 && is_live_in(rings, state, p, of->index);
      bool can_turn = of->kind == REGISTER_INDEX || of->kind == REGISTER_ADDRESS;
      if (!can_turn && (of->kind != REGISTER_PARITY || !has_index)) return -1;
      if (of->kind == REGISTER_PARITY && turn < 0)
        turn = (2 * ring->stages - words[1 + of->index] - ring->stages * (words[1 + r] & 1)) % (2 * ring->stages);
    }
  }
  return turn;
}

static void turn_process(const CakeRings *rings, CakeState *state, size_t process, size_t number, int32_t turn) {
  const Ring *ring = &rings->rings[number];
  int32_t *words = cake_state_process(state, process) + 1;
  const int32_t *before = rings->words + state->process_at[process] + 1;
  for (int32_t r = 0; r < rings->model->processes.data[process].n_registers; r++) {
    const Register *of = &rings->registers[process][r];
    if (of->ring != (int32_t)number || !is_live_in(rings, state, process, r)) continue;
    if (of->kind == REGISTER_INDEX) words[r] = (before[r] + turn) % ring->stages;
    if (of->kind == REGISTER_ADDRESS)
      words[r] = ((before[r] - of->base) / of->factor + turn) % ring->stages * of->factor + of->base;
    if (of->kind == REGISTER_PARITY) words[r] = before[r] ^ ((before[of->index] + turn) / ring->stages & 1);
  }
}

static void turn_barriers(CakeRings *rings, CakeState *state, const Ring *ring, int32_t turn) {
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
