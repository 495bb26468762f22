// Following a given schedule of a cake.kernel: each move is one op of one replica of a role. Between moves every machine stands right before its next
// such op. Copies land, and matrix instructions complete, when a move has to wait for them.
#include "simulator/sim.h"

static CakeOp *op_at(const CakeSimMachine *machine) {
  return machine->program->code.data[machine->pc].op;
}

static bool is_action(const CakeMap *actions, const CakeSimMachine *machine) {
  uintptr_t found;
  return op_at(machine) && cake_map_get(actions, op_at(machine), &found);
}

// Takes every machine up to its next action. False: reported.
static bool advance(CakeSimCta *cta, const CakeMap *actions) {
  for (bool has_moved = true; has_moved;) {
    has_moved = false;
    for (size_t i = 0; i < cta->n_machines; i++) {
      CakeSimMachine *machine = &cta->machines[i];
      while (!machine->is_done && !machine->is_blocked && !is_action(actions, machine)) {
        if (!cake_sim_run_machine(machine, 1)) return false;
        has_moved = true;
      }
    }
  }
  return true;
}

static void complete_all(CakeSimCta *cta) {
  while (cta->copies.len)
    cake_sim_land_copy(cta, 0);
  while (cta->deferred.len)
    cake_sim_complete_groups(cta->deferred.data[0].machine, cta->deferred.data[0].group);
  cake_sim_wake(cta);
}

static CakeSimMachine *find_machine(CakeSimCta *cta, const CakeSimMove *move) {
  for (size_t i = 0; i < cta->n_machines; i++)
    if (cta->machines[i].program->role == move->role && cta->machines[i].instance == move->instance)
      return &cta->machines[i];
  return NULL;
}

static bool cannot_follow(const CakeSimCta *cta, CakeOp *op, size_t number) {
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_RUN_ARGUMENT,
                                       "cannot be move %zu of the schedule: its role is not here", number + 1);
  cake_diag_note(cta->launch->context, d, cta->launch->kernel->loc,
                 "loops must run, and conditions hold, as often as in the schedule: other sizes may do");
  return cake_diag_emit(cta->launch->context, d);
}

// The instructions of the op; once more, with all that is under way completed, when they wait. What still waits then stands there.
static bool execute(CakeSimMachine *machine, const CakeOp *op) {
  for (int i = 0; i < 2 && op_at(machine) == op; i++) {
    machine->is_blocked = false;
    while (!machine->is_done && !machine->is_blocked && op_at(machine) == op)
      if (!cake_sim_run_machine(machine, 1)) return false;
    if (machine->is_blocked && i == 0) complete_all(machine->cta);
  }
  return true;
}

// Who has met already is behind the op: the last to come does not wait.
static bool make_move(CakeSimCta *cta, const CakeSimMove *move, size_t number) {
  CakeSimMachine *machine = find_machine(cta, move);
  bool is_here = machine && !machine->is_done && op_at(machine) == move->op;
  if (!is_here) return move->is_meeting || cannot_follow(cta, move->op, number);
  return execute(machine, move->op);
}

static bool follow(CakeSimCta *cta, const CakeMap *actions) {
  const CakeSimOptions *options = cta->launch->options;
  if (!advance(cta, actions)) return false;
  for (size_t i = 0; i < options->n_moves; i++)
    if (!make_move(cta, &options->moves[i], i) || !advance(cta, actions)) return false;
  return true;
}

bool cake_sim_follow(CakeSimCta *cta) {
  const CakeSimOptions *options = cta->launch->options;
  CakeMap actions = {0};
  for (size_t i = 0; i < options->n_actions; i++)
    cake_map_set(&actions, options->actions[i], 1);
  bool is_fine = follow(cta, &actions);
  cake_map_fini(&actions);
  return is_fine;
}
