// Which registers of a process are indices, parities and addresses of rings.
//
// Registers are typed by what defines them: an index by `t = s + 1; n = t == stages ? 0 : t`, a parity by `p ^ (t == stages)` or an exclusive or
// with a number, an address by `8 * s + base`; moves carry types along.
#include "verifier/protocol_ring_registers.h"

// ---- Types of registers ------------------------------------------------------------------------------------------------------

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
static bool learn(CakeRings *rings, CakeRingRegister *to, CakeRingRegister type) {
  if (to->kind == CAKE_REGISTER_PLAIN) {
    int32_t class = to->class;
    *to = type;
    to->class = class;
    cake_rings_unite(rings, type.class, class);
    return true;
  }
  bool is_new = cake_rings_unite(rings, type.class, to->class);
  if (to->kind != type.kind || to->stages != type.stages || to->factor != type.factor || to->base != type.base)
    cake_rings_break(rings, to->class);
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
  CakeRingRegister *all = rings->registers[process];
  CakeRingRegister index = {
      .kind = CAKE_REGISTER_INDEX, .stages = test->b.value, .index = -1, .next = -1, .class = all[sum->a.value].class};
  bool is_new = learn(rings, &all[sum->a.value], index);
  is_new |= learn(rings, &all[select->dst], index);
  index.index = sum->a.value;
  index.next = select->dst;
  index.kind = CAKE_REGISTER_NEXT;
  is_new |= learn(rings, &all[sum->dst], index);
  index.kind = CAKE_REGISTER_WRAP;
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
  CakeRingRegister *all = rings->registers[process];
  CakeRingRegister index = {.kind = CAKE_REGISTER_INDEX,
                            .stages = select->b.value + 1,
                            .index = -1,
                            .next = -1,
                            .class = all[sum->a.value].class};
  bool is_new = learn(rings, &all[sum->a.value], index);
  is_new |= learn(rings, &all[select->dst], index);
  index.index = sum->a.value;
  index.kind = CAKE_REGISTER_PRIOR;
  is_new |= learn(rings, &all[sum->dst], index);
  index.kind = CAKE_REGISTER_FIRST;
  return learn(rings, &all[test->dst], index) || is_new;
}

static bool find_parity(CakeRings *rings, size_t process, const CakeStep *step) {
  CakeRingRegister *a = cake_rings_register(rings, process, step->a), *b = cake_rings_register(rings, process, step->b),
                   *dst = &rings->registers[process][step->dst];
  if (!a || step->alu != CAKE_ALU_XOR) return false;
  if (b && a->kind == CAKE_REGISTER_WRAP)
    return find_parity(rings, process, &(CakeStep){.alu = CAKE_ALU_XOR, .dst = step->dst, .a = step->b, .b = step->a});
  if (!b) return a->kind == CAKE_REGISTER_PARITY && learn(rings, dst, *a);
  if (b->kind != CAKE_REGISTER_WRAP) return false;
  CakeRingRegister parity = {
      .kind = CAKE_REGISTER_PARITY, .stages = b->stages, .index = b->index, .next = -1, .class = b->class};
  bool is_new = learn(rings, a, parity);
  parity.index = b->next;
  return learn(rings, dst, parity) || is_new;
}

// 8 * s + base
static bool find_address(CakeRings *rings, size_t process, const CakeStep *step) {
  bool is_turned = step->b.is_register;
  CakeArg from = is_turned ? step->b : step->a, number = is_turned ? step->a : step->b;
  const CakeRingRegister *a = cake_rings_register(rings, process, from);
  if (!a || number.is_register) return false;
  CakeRingRegister address = *a;
  address.kind = CAKE_REGISTER_ADDRESS;
  if (a->kind == CAKE_REGISTER_INDEX && step->alu == CAKE_ALU_MUL) {
    address.factor = number.value;
    address.index = from.value;
  } else if (a->kind == CAKE_REGISTER_ADDRESS && step->alu == CAKE_ALU_ADD) {
    address.base += number.value;
  } else {
    return false;
  }
  return learn(rings, &rings->registers[process][step->dst], address);
}

static bool find_move(CakeRings *rings, size_t process, const CakeStep *step) {
  CakeRingRegister *from = cake_rings_register(rings, process, step->a), *to = &rings->registers[process][step->dst];
  if (!from) return false;
  if (from->kind != CAKE_REGISTER_PLAIN) {
    CakeRingRegister type = *from;
    if (type.kind == CAKE_REGISTER_PARITY) type.index = -1; // with which index: match_run
    return learn(rings, to, type);
  }
  if (to->kind != CAKE_REGISTER_INDEX && to->kind != CAKE_REGISTER_PARITY) return false;
  CakeRingRegister type = *to;
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
  CakeRingRegister *all;
  size_t begin, end;
  CakeArg source[CAKE_MAX_RING_REGISTERS]; // of each register, when the run begins
  bool is_written[CAKE_MAX_RING_REGISTERS];
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
  for (int32_t i = 0; i < CAKE_MAX_RING_REGISTERS; i++)
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
    if (run->all[i].kind != CAKE_REGISTER_INDEX || !is_live(run, i) || !run->source[i].is_register ||
        run->source[i].value != from)
      continue;
    if (found >= 0) return -1;
    found = i;
  }
  return found;
}

static bool match_parity(const Run *run, int32_t parity) {
  CakeRingRegister *to = &run->all[parity];
  if (to->kind != CAKE_REGISTER_PARITY || !is_live(run, parity) || !run->source[parity].is_register) return false;
  CakeRingRegister *from = &run->all[run->source[parity].value];
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

void cake_rings_type_process(CakeRings *rings, size_t process) {
  const CakeProcess *program = &rings->model->processes.data[process];
  for (bool is_new = true; is_new;) {
    is_new = false;
    for (size_t i = 0; i < program->steps.len; i++)
      is_new |= find_types(rings, process, &program->steps.data[i]);
    is_new |= match_runs(rings, process);
  }
}

// ---- Whether all is used as it should be ---------------------------------------------------------------------------------------

static void break_all(CakeRings *rings, size_t process, const CakeStep *step) {
  const CakeArg args[] = {step->a, step->b, step->c,
                          cake_step_defines(step->kind) ? cake_arg_register(step->dst) : cake_arg_number(0)};
  for (size_t i = 0; i < CAKE_COUNT(args); i++) {
    const CakeRingRegister *used = cake_rings_register(rings, process, args[i]);
    if (used && used->kind != CAKE_REGISTER_PLAIN) cake_rings_break(rings, used->class);
  }
}

// An index has changed: what was computed from the old one is of another stage.
static void check_stale(CakeRings *rings, size_t process, size_t next, const bool *is_written) {
  const CakeProcess *program = &rings->model->processes.data[process];
  for (int32_t r = 0; r < program->n_registers; r++) {
    const CakeRingRegister *of = &rings->registers[process][r];
    bool is_computed = of->kind != CAKE_REGISTER_PLAIN && of->kind != CAKE_REGISTER_INDEX && of->index >= 0;
    if (is_computed && is_written[of->index] && !is_written[r] && cake_process_is_live(program, (int32_t)next, r))
      cake_rings_break(rings, of->class);
  }
}

// A number that an index or a parity begins with.
static bool is_first_value(const CakeRingRegister *to, CakeArg number) {
  int32_t end = to->kind == CAKE_REGISTER_INDEX ? to->stages : to->kind == CAKE_REGISTER_PARITY ? 2 : 0;
  return number.value >= 0 && number.value < end;
}

static void check_run(CakeRings *rings, size_t process, const Run *run) {
  check_stale(rings, process, run->end, run->is_written);
  for (int32_t r = 0; r < run->program->n_registers; r++) {
    const CakeRingRegister *to = &run->all[r];
    if (!run->is_written[r] || to->kind == CAKE_REGISTER_PLAIN || !is_live(run, r)) continue;
    const CakeRingRegister *from = cake_rings_register(rings, process, run->source[r]);
    if (!(from ? from->kind == to->kind : is_first_value(to, run->source[r]))) cake_rings_break(rings, to->class);
    if (to->kind == CAKE_REGISTER_INDEX || !from) continue;
    bool goes_with =
        to->index >= 0 && run->source[to->index].is_register && run->source[to->index].value == from->index;
    if (!goes_with) cake_rings_break(rings, to->class);
  }
}

// A definition that the types have been found by.
static bool is_as_typed(const CakeRings *rings, size_t process, const CakeStep *step) {
  const CakeRingRegister *dst = &rings->registers[process][step->dst],
                         *a = cake_rings_register(rings, process, step->a),
                         *b = cake_rings_register(rings, process, step->b),
                         *c = cake_rings_register(rings, process, step->c);
  bool is_alu = step->kind == CAKE_STEP_ALU;
  switch (dst->kind) {
  case CAKE_REGISTER_INDEX:
    if (step->kind != CAKE_STEP_SELECT || !a || !c || a->index != c->index) return false;
    if (a->kind == CAKE_REGISTER_FIRST) return c->kind == CAKE_REGISTER_PRIOR && is_number(step->b, dst->stages - 1);
    return a->kind == CAKE_REGISTER_WRAP && c->kind == CAKE_REGISTER_NEXT && is_number(step->b, 0) &&
           a->next == step->dst;
  case CAKE_REGISTER_PRIOR:
    return is_alu && step->alu == CAKE_ALU_ADD && a && a->kind == CAKE_REGISTER_INDEX && is_number(step->b, -1) &&
           step->a.value == dst->index;
  case CAKE_REGISTER_FIRST:
    return is_alu && step->alu == CAKE_ALU_EQ && a && a->kind == CAKE_REGISTER_INDEX && is_number(step->b, 0) &&
           step->a.value == dst->index;
  case CAKE_REGISTER_NEXT:
    return is_alu && step->alu == CAKE_ALU_ADD && a && a->kind == CAKE_REGISTER_INDEX && is_number(step->b, 1) &&
           step->a.value == dst->index;
  case CAKE_REGISTER_WRAP:
    return is_alu && step->alu == CAKE_ALU_EQ && a && a->kind == CAKE_REGISTER_NEXT && a->index == dst->index &&
           is_number(step->b, dst->stages);
  case CAKE_REGISTER_PARITY:
    if (!is_alu || step->alu != CAKE_ALU_XOR) return false;
    if (a && a->kind == CAKE_REGISTER_PARITY && !step->b.is_register) return a->index == dst->index;
    if (a && a->kind == CAKE_REGISTER_WRAP) {
      const CakeRingRegister *other = a;
      a = b, b = other;
    }
    return a && b && a->kind == CAKE_REGISTER_PARITY && b->kind == CAKE_REGISTER_WRAP && a->index == b->index &&
           dst->index == b->next;
  case CAKE_REGISTER_ADDRESS: {
    const CakeRingRegister *from = a ? a : b;
    if (!is_alu || !from || (a && b)) return false;
    if (from->kind == CAKE_REGISTER_INDEX)
      return step->alu == CAKE_ALU_MUL && (a ? step->a : step->b).value == dst->index;
    return from->kind == CAKE_REGISTER_ADDRESS && step->alu == CAKE_ALU_ADD && from->index == dst->index;
  }
  default:
    return (!a || a->kind == CAKE_REGISTER_PLAIN) && (!b || b->kind == CAKE_REGISTER_PLAIN) &&
           (!c || c->kind == CAKE_REGISTER_PLAIN);
  }
}

// An action at an mbarrier of a ring: by an address, and a wait with the parity that goes with it.
static bool is_use(const CakeRings *rings, size_t process, const CakeStep *step) {
  const CakeRingRegister *a = cake_rings_register(rings, process, step->a),
                         *b = cake_rings_register(rings, process, step->b);
  bool is_barrier = step->kind >= CAKE_STEP_ARRIVE && step->kind <= CAKE_STEP_PARITY;
  if (!a || a->kind == CAKE_REGISTER_PLAIN) return !b || b->kind == CAKE_REGISTER_PLAIN;
  if (!is_barrier || a->kind != CAKE_REGISTER_ADDRESS || a->factor != CAKE_MBARRIER_BYTES) return false;
  return step->kind != CAKE_STEP_PARITY ||
         (b && b->kind == CAKE_REGISTER_PARITY && b->index == a->index && a->index >= 0 &&
          cake_rings_root(rings, b->class) == cake_rings_root(rings, a->class));
}

void cake_rings_check_process(CakeRings *rings, size_t process) {
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
    if (!defines || rings->registers[process][step->dst].kind != CAKE_REGISTER_INDEX) continue;
    bool is_written[CAKE_MAX_RING_REGISTERS] = {0};
    is_written[step->dst] = true;
    check_stale(rings, process, i + 1, is_written);
  }
}
