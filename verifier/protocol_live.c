// Which registers of a process are still read: the others are cleared in states, so that more of them are equal.
#include "verifier/protocol_model.h"

enum { WORD = 64 };

static void read_arg(uint64_t *live, CakeArg arg) {
  if (arg.is_register) live[arg.value / WORD] |= UINT64_C(1) << arg.value % WORD;
}

static void join(uint64_t *live, const uint64_t *more, size_t words) {
  for (size_t i = 0; i < words; i++)
    live[i] |= more[i];
}

static void live_before(const CakeProcess *process, size_t at, uint64_t *live) {
  const CakeStep *step = &process->steps.data[at];
  size_t words = process->live_words;
  bool falls_through = step->kind != CAKE_STEP_JUMP && step->kind != CAKE_STEP_END;
  bool jumps = step->kind == CAKE_STEP_JUMP || step->kind == CAKE_STEP_UNLESS || step->kind == CAKE_STEP_TAPE;
  for (size_t i = 0; i < words; i++)
    live[i] = 0;
  if (falls_through) join(live, process->live + (at + 1) * words, words);
  if (jumps) join(live, process->live + (size_t)step->target * words, words);
  if (cake_step_defines(step->kind)) live[step->dst / WORD] &= ~(UINT64_C(1) << step->dst % WORD);
  read_arg(live, step->a);
  read_arg(live, step->b);
  read_arg(live, step->c);
}

void cake_process_find_live(CakeProcess *process, CakeArena *arena) {
  size_t words = process->live_words = (size_t)process->n_registers / WORD + 1;
  process->live = CAKE_ARENA_ARRAY(arena, uint64_t, (process->steps.len + 1) * words);
  uint64_t *live = CAKE_ARENA_ARRAY(arena, uint64_t, words);
  for (bool has_changed = true; has_changed;) {
    has_changed = false;
    for (size_t i = process->steps.len; i-- > 0;) {
      uint64_t *known = process->live + i * words;
      live_before(process, i, live);
      for (size_t w = 0; w < words; w++)
        has_changed = has_changed || live[w] != known[w];
      join(known, live, words);
    }
  }
}
