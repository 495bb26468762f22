// Runs one CTA: its machines take turns, copies land, and a CTA in which nobody can go on is reported.
#include "simulator/sim.h"

#include "dialects/cake/ops/tiles.h"

#include <string.h>

enum { QUANTUM = 32 }; // instructions of a turn, at most
#define DEFAULT_MAX_STEPS UINT64_C(1000000000)

// ---- Errors --------------------------------------------------------------------------------------------------------------

static void item_text(const CakeSimMachine *machine, CakeBuf *out) {
  const CakeSimTiles *tiles = machine->item_tiles;
  if (!tiles) return;
  CakeAttr axes = cake_cake_tiles_axes(tiles->decl);
  const int64_t *index = machine->item_at;
  cake_buf_text(out, ", item (");
  for (size_t i = 0; i < tiles->n_axes; i++)
    cake_buf_printf(out, "%s%s = %lld", i ? ", " : "", cake_axes_name(axes, i)->text, (long long)index[i]);
  cake_buf_char(out, ')');
}

static void machine_name(const CakeSimMachine *machine, CakeBuf *out) {
  cake_buf_printf(out, "role '@%s'", machine->program->name->text);
  if (machine->program->replicas > 1) cake_buf_printf(out, " instance %lld", (long long)machine->instance);
}

CakeLoc cake_sim_describe_role(const CakeSimMachine *machine, CakeBuf *out) {
  machine_name(machine, out);
  cake_buf_printf(out, " of CTA %lld", (long long)cake_sim_cta_number(machine));
  item_text(machine, out);
  return machine->program->role->loc;
}

static CakeDiagnostic *error_begin(CakeSimMachine *machine, CakeOp *op, CakeCode code, const char *format,
                                   va_list args) {
  CakeBuf text = {0};
  cake_buf_vprintf(&text, format, args);
  CakeDiagnostic *d = cake_error_begin(op, code, "%.*s", (int)text.len, text.data);
  cake_buf_clear(&text);
  CakeLoc loc = machine->cta->launch->level->describe(machine, &text);
  cake_diag_note(machine->cta->launch->context, d, loc, "in %.*s", (int)text.len, text.data);
  cake_buf_fini(&text);
  return d;
}

CakeDiagnostic *cake_sim_error_begin(CakeSimMachine *machine, CakeOp *op, CakeCode code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  CakeDiagnostic *d = error_begin(machine, op, code, format, args);
  va_end(args);
  return d;
}

CakeSimStep cake_sim_fail(CakeSimMachine *machine, CakeDiagnostic *diagnostic) {
  cake_diag_emit(machine->cta->launch->context, diagnostic);
  return CAKE_SIM_FAILED;
}

CakeSimStep cake_sim_error(CakeSimMachine *machine, CakeOp *op, CakeCode code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  CakeDiagnostic *d = error_begin(machine, op, code, format, args);
  va_end(args);
  return cake_sim_fail(machine, d);
}

bool cake_sim_report_hang(CakeSimCta *cta) {
  CakeOp *op = cta->launch->kernel;
  CakeBuf text = {0};
  int64_t number = cta->number / cta->launch->cluster;
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_SIM_HANG, "hangs: no role of %s %lld can go on",
                                       cta->launch->cluster > 1 ? "cluster" : "CTA", (long long)number);
  for (size_t i = 0; i < cta->n_machines; i++) {
    const CakeSimMachine *machine = &cta->machines[i];
    CakeLoc loc = machine->is_done ? machine->program->role->loc : machine->program->code.data[machine->pc].op->loc;
    cake_buf_clear(&text);
    machine_name(machine, &text);
    if (cta->launch->cluster > 1) cake_buf_printf(&text, " of CTA %lld", (long long)cake_sim_cta_number(machine));
    if (machine->is_done)
      cake_buf_text(&text, " has ended");
    else
      cake_sim_blocked_note(machine, &text);
    item_text(machine, &text);
    cake_diag_note(cta->launch->context, d, loc, "%.*s", (int)text.len, text.data);
  }
  cake_buf_fini(&text);
  return cake_diag_emit(cta->launch->context, d);
}

// ---- Expressions ---------------------------------------------------------------------------------------------------------

static CakeExprEnv expr_env(const CakeSimMachine *machine, const CakeSimExprs *exprs, int64_t *operands) {
  for (size_t i = 0; i < exprs->n_slots; i++)
    operands[i] = cake_sim_ints(machine, exprs->slots[i])[0];
  return (CakeExprEnv){.operands = operands,
                       .n_operands = exprs->n_slots,
                       .instance = machine->instance,
                       .rank = machine->rank,
                       .name = cake_sim_name_of_item,
                       .user = (void *)(uintptr_t)machine};
}

bool cake_sim_eval(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimExprs *exprs, int64_t *out) {
  int64_t operands[CAKE_SIM_MAX_INDICES];
  CakeExprEnv env = expr_env(machine, exprs, operands);
  for (size_t i = 0; i < exprs->count; i++) {
    if (cake_expr_eval(exprs->exprs[i], &env, &out[i])) continue;
    cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED,
                   "has an index that cannot be computed: it overflows, divides by zero or names an unknown size");
    return false;
  }
  return true;
}

static bool mentions(CakeAttr attr, CakeExprKind kind) {
  if (cake_attr_is(attr, &cake_attr_def_expr) && cake_expr_kind(attr) == kind) return true;
  for (uint32_t i = 0; i < attr->count; i++) {
    if (attr->params[i].kind == CAKE_PARAM_ATTR && attr->params[i].attr && mentions(attr->params[i].attr, kind))
      return true;
  }
  return false;
}

static bool keep_row(const CakeSimExprs *keep, CakeExprEnv *env, int64_t cols, bool by_col, uint8_t *out) {
  for (env->col = 0; env->col < cols; env->col++) {
    bool holds = false;
    if (!cake_pred_eval(keep->exprs[0], env, &holds)) return false;
    if (!by_col) {
      memset(out, holds, (size_t)cols);
      return true;
    }
    out[env->col] = holds;
  }
  return true;
}

// Rows (columns) are computed one by one only where the predicate mentions them.
bool cake_sim_eval_keep(CakeSimMachine *machine, const CakeSimInstr *instr, const CakeSimExprs *keep, int64_t rows,
                        int64_t cols, uint8_t *out) {
  if (keep->count == 0) {
    memset(out, 1, (size_t)(rows * cols));
    return true;
  }
  int64_t operands[CAKE_SIM_MAX_INDICES];
  CakeExprEnv env = expr_env(machine, keep, operands);
  bool by_row = mentions(keep->exprs[0], CAKE_EXPR_ROW), by_col = mentions(keep->exprs[0], CAKE_EXPR_COL);
  for (env.row = 0; env.row < rows; env.row++) {
    uint8_t *line = out + env.row * cols;
    if (env.row > 0 && !by_row)
      memcpy(line, out, (size_t)cols);
    else if (!keep_row(keep, &env, cols, by_col, line)) {
      cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED,
                     "has a predicate that cannot be computed: it overflows, divides by zero or names an unknown size");
      return false;
    }
  }
  return true;
}

// ---- Machines ------------------------------------------------------------------------------------------------------------

void cake_sim_cta_init(CakeSimCta *cta, CakeSimLaunch *launch) {
  *cta = (CakeSimCta){.launch = launch};
  size_t count = 0;
  for (size_t i = 0; i < launch->n_programs; i++)
    count += launch->programs[i].replicas;
  cta->machines = CAKE_ARENA_ARRAY(launch->arena, CakeSimMachine, count * (size_t)launch->cluster + 1);
  for (int64_t rank = 0; rank < launch->cluster; rank++)
    for (size_t i = 0; i < launch->n_programs; i++)
      for (uint32_t r = 0; r < launch->programs[i].replicas; r++) {
        CakeSimMachine *machine = &cta->machines[cta->n_machines++];
        *machine = (CakeSimMachine){.cta = cta, .program = &launch->programs[i], .instance = r, .rank = rank};
        machine->memory = cake_arena_alloc(launch->arena, launch->programs[i].memory + 16);
        cake_sim_place_constants(machine);
        machine->used = CAKE_ARENA_ARRAY(launch->arena, int64_t, 2 * launch->n_pipes + 1);
      }
}

void cake_sim_cta_fini(CakeSimCta *cta) {
  for (size_t i = 0; i < cta->n_machines; i++)
    CAKE_VEC_FINI(&cta->machines[i].loans);
  CAKE_VEC_FINI(&cta->copies);
  CAKE_VEC_FINI(&cta->deferred);
}

static void start_machine(CakeSimMachine *machine) {
  const CakeSimLaunch *launch = machine->cta->launch;
  machine->pc = 0;
  machine->active = UINT32_MAX;
  machine->is_blocked = machine->is_done = false;
  machine->groups = machine->completed = 0;
  machine->loans.len = 0;
  machine->item_tiles = NULL;
  machine->item_rounds = machine->step_rounds = NULL;
  if (launch->n_pipes) memset(machine->used, 0, 2 * launch->n_pipes * sizeof *machine->used);
  for (size_t i = 0; i < machine->program->presets.len; i++) {
    CakeSimPreset preset = machine->program->presets.data[i];
    const CakeSimGlobal *global = &launch->globals[preset.argument];
    cake_sim_read(global->element, global->array->data, 0, 1, cake_sim_at(machine, preset.slot));
  }
}

bool cake_sim_run_machine(CakeSimMachine *machine, uint64_t quantum) {
  CakeSimCta *cta = machine->cta;
  const CakeSimInstr *code = machine->program->code.data;
  for (uint64_t n = 0; n < quantum; n++) {
    const CakeSimInstr *instr = &code[machine->pc];
    CakeSimStep step = instr->eval(machine, instr);
    if (step == CAKE_SIM_FAILED) return false;
    if (step == CAKE_SIM_BLOCKED || step == CAKE_SIM_DONE) {
      machine->is_blocked = step == CAKE_SIM_BLOCKED;
      machine->is_done = step == CAKE_SIM_DONE;
      return true;
    }
    cta->launch->report.ops += instr->counts;
    cta->steps++;
    machine->pc = step == CAKE_SIM_JUMP ? instr->target : machine->pc + 1;
  }
  uint64_t limit = cta->launch->options->max_steps ? cta->launch->options->max_steps : DEFAULT_MAX_STEPS;
  if (cta->steps <= limit) return true;
  cake_sim_error(machine, code[machine->pc].op, CAKE_CODE_SIM_HANG,
                 "is still reached after %llu steps: the CTA does not end", (unsigned long long)limit);
  return false;
}

void cake_sim_wake(CakeSimCta *cta) {
  for (size_t i = 0; i < cta->n_machines; i++)
    cta->machines[i].is_blocked = false;
}

// ---- The schedule --------------------------------------------------------------------------------------------------------

// xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled".
static uint64_t next_random(CakeSimCta *cta, uint64_t bound) {
  cta->random ^= cta->random >> 12;
  cta->random ^= cta->random << 25;
  cta->random ^= cta->random >> 27;
  return (cta->random * UINT64_C(2685821657736338717) >> 33) % bound;
}

static size_t count_ready(const CakeSimCta *cta) {
  size_t ready = 0;
  for (size_t i = 0; i < cta->n_machines; i++)
    ready += !cta->machines[i].is_blocked && !cta->machines[i].is_done;
  return ready;
}

static CakeSimMachine *ready_machine(CakeSimCta *cta, size_t number) {
  for (size_t i = 0; i < cta->n_machines; i++) {
    if (cta->machines[i].is_blocked || cta->machines[i].is_done) continue;
    if (number-- == 0) return &cta->machines[i];
  }
  return NULL;
}

// Lets the groups complete that a slot waits for.
static void complete_deferred(CakeSimCta *cta, size_t index) {
  CakeSimDeferred deferred = cta->deferred.data[index];
  cake_sim_complete_groups(deferred.machine, deferred.group);
}

static bool turn_random(CakeSimCta *cta, size_t ready) {
  uint64_t choice = next_random(cta, ready + cta->copies.len + cta->deferred.len);
  if (choice >= ready + cta->copies.len) {
    complete_deferred(cta, (size_t)choice - ready - cta->copies.len);
    return true;
  }
  if (choice >= ready) {
    cake_sim_land_copy(cta, (size_t)choice - ready);
    return true;
  }
  return cake_sim_run_machine(ready_machine(cta, (size_t)choice), 1 + next_random(cta, QUANTUM));
}

static bool turn_round_robin(CakeSimCta *cta) {
  for (size_t i = 0; i < cta->n_machines; i++) {
    if (cta->machines[i].is_blocked || cta->machines[i].is_done) continue;
    if (!cake_sim_run_machine(&cta->machines[i], QUANTUM)) return false;
  }
  if (cta->copies.len) cake_sim_land_copy(cta, 0);
  if (cta->deferred.len) complete_deferred(cta, 0);
  return true;
}

static bool turn_late(CakeSimCta *cta, size_t ready) {
  if (ready > 0) return cake_sim_run_machine(ready_machine(cta, 0), QUANTUM);
  if (cta->copies.len)
    cake_sim_land_copy(cta, cta->copies.len - 1);
  else
    complete_deferred(cta, 0);
  return true;
}

// What was acquired and never given back, or filled and never read: hardware would write into a CTA that has ended.
static bool check_end(CakeSimCta *cta) {
  for (size_t p = 0; p < cta->launch->n_pipes * (size_t)cta->launch->cluster; p++) {
    const CakeSimPipe *pipe = &cta->launch->pipes[p];
    for (uint32_t s = 0; s < pipe->n_stages; s++) {
      if (pipe->stages[s].state == CAKE_SIM_EMPTY) continue;
      return cake_error(pipe->decl, CAKE_CODE_PIPE_COUNT, "has a slot that is still %s when CTA %lld ends",
                        pipe->stages[s].state == CAKE_SIM_OPEN ? "open" : "full",
                        (long long)(cta->number + pipe->rank));
    }
  }
  return true;
}

void cake_sim_cta_start(CakeSimCta *cta, int64_t number) {
  cta->number = number;
  cta->steps = 0;
  memset(cta->bytes_in_use, 0, sizeof cta->bytes_in_use);
  cta->copies.len = cta->deferred.len = 0;
  cta->random = (cta->launch->seed * UINT64_C(0x9E3779B97F4A7C15) + (uint64_t)number) ^ UINT64_C(0x2545F4914F6CDD1D);
  if (cta->random == 0) cta->random = 1;
  size_t ctas = (size_t)cta->launch->cluster;
  for (size_t i = 0; i < cta->launch->n_pipes * ctas; i++)
    cake_sim_pipe_reset(&cta->launch->pipes[i]);
  for (size_t i = 0; i < cta->launch->n_barriers * ctas; i++)
    cta->launch->barriers[i].n_come = cta->launch->barriers[i].phase = 0;
  for (size_t i = 0; i < cta->launch->n_orders * ctas; i++)
    cta->launch->orders[i].turn = 0, cta->launch->orders[i].is_taken = false;
  for (size_t i = 0; i < cta->n_machines; i++)
    start_machine(&cta->machines[i]);
}

bool cake_sim_run_cta(CakeSimCta *cta, int64_t number) {
  CakeSimSchedule schedule = cta->launch->options->schedule;
  cake_sim_cta_start(cta, number);
  if (cta->launch->options->n_moves && !cake_sim_follow(cta)) return false;
  for (;;) {
    size_t ready = count_ready(cta), done = 0;
    for (size_t i = 0; i < cta->n_machines; i++)
      done += cta->machines[i].is_done;
    if (ready == 0 && cta->copies.len == 0 && cta->deferred.len == 0)
      return done == cta->n_machines ? check_end(cta) : cake_sim_report_hang(cta);
    bool ok = schedule == CAKE_SIM_ROUND_ROBIN ? turn_round_robin(cta)
              : schedule == CAKE_SIM_LATE      ? turn_late(cta, ready)
                                               : turn_random(cta, ready);
    if (!ok) return false;
  }
}
