// Which registers of a process are still read: the others are cleared in states, so that more of them are equal.
#include "verifier/protocol_model.h"

static uint64_t bit(CakeArg arg) {
  return arg.is_register ? UINT64_C(1) << arg.value : 0;
}

static bool defines(CakeStepKind kind) {
  return kind == CAKE_STEP_SET || kind == CAKE_STEP_ALU || kind == CAKE_STEP_SELECT || kind == CAKE_STEP_ACQUIRE ||
         kind == CAKE_STEP_WAIT;
}

static uint64_t live_before(const CakeProcess *process, size_t at) {
  const CakeStep *step = &process->steps.data[at];
  bool falls_through = step->kind != CAKE_STEP_JUMP && step->kind != CAKE_STEP_END;
  bool jumps = step->kind == CAKE_STEP_JUMP || step->kind == CAKE_STEP_UNLESS || step->kind == CAKE_STEP_TAPE;
  uint64_t live = 0;
  if (falls_through) live |= process->steps.data[at + 1].live;
  if (jumps) live |= process->steps.data[step->target].live;
  if (defines(step->kind)) live &= ~(UINT64_C(1) << step->dst);
  return live | bit(step->a) | bit(step->b) | bit(step->c);
}

void cake_process_find_live(CakeProcess *process) {
  bool has_changed = process->n_registers <= 64;
  for (size_t i = 0; i < process->steps.len; i++)
    process->steps.data[i].live = has_changed ? 0 : UINT64_MAX;
  while (has_changed) {
    has_changed = false;
    for (size_t i = process->steps.len; i-- > 0;) {
      uint64_t live = live_before(process, i);
      has_changed = has_changed || live != process->steps.data[i].live;
      process->steps.data[i].live = live;
    }
  }
}
