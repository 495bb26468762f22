// Following a given schedule: each move is one synchronising op of some warps. Between moves every warp stands right before its next such op; what
// it does in between matters to nobody else. Copies land when a move has to wait for them.
#include "simulator/gpu.h"

static const CakeSimInstr *instr_of(const CakeGpuWarp *warp, const CakeGpuStrand *strand) {
  return &warp->machine.program->code.data[strand->pc];
}

static bool is_action(const CakeGpuCta *cta, const CakeOp *op) {
  uintptr_t found;
  return op && cake_map_get(&cta->actions, op, &found);
}

// Whether the strand is where only a move may take it on.
static bool is_parked(const CakeGpuCta *cta, const CakeGpuWarp *warp, const CakeGpuStrand *strand) {
  return strand->pc != strand->end && is_action(cta, instr_of(warp, strand)->op);
}

// Takes every strand up to its next action. False: reported.
static bool advance(CakeGpuCta *cta) {
  for (bool has_moved = true; has_moved;) {
    has_moved = false;
    for (size_t w = 0; w < cta->n_warps; w++) {
      CakeGpuWarp *warp = &cta->warps[w];
      for (uint32_t s = 0; s < warp->n_strands; s++) {
        if (warp->machine.is_done || warp->strands[s].state != CAKE_GPU_READY ||
            is_parked(cta, warp, &warp->strands[s]))
          continue;
        if (!cake_gpu_step_strand(warp, s)) return false;
        has_moved = true;
      }
    }
  }
  return true;
}

enum {
  STORES = 1 << CAKE_GPU_STORE,
  COPIES = STORES | 1 << CAKE_GPU_COPY | 1 << CAKE_GPU_TENSOR | 1 << CAKE_GPU_ARRIVAL,
};

static bool land_all(CakeGpuCta *cta, unsigned kinds) {
  for (size_t i = 0; i < cta->pending.len;) {
    if (!(kinds >> cta->pending.data[i]->kind & 1) || !cake_gpu_may_land(cta, i)) {
      i++;
      continue;
    }
    if (!cake_gpu_land(cta, i)) return false;
    i = 0;
  }
  return true;
}

// The strand that stands at the op, ready or (to be looked at again) blocked; CAKE_GPU_MAX_STRANDS: none.
static uint32_t strand_at(const CakeGpuWarp *warp, const CakeOp *op) {
  for (uint32_t s = 0; s < warp->n_strands && !warp->machine.is_done; s++) {
    const CakeGpuStrand *strand = &warp->strands[s];
    bool may_run = strand->state == CAKE_GPU_READY || strand->state == CAKE_GPU_BLOCKED;
    if (may_run && strand->pc != strand->end && instr_of(warp, strand)->op == op) return s;
  }
  return CAKE_GPU_MAX_STRANDS;
}

static bool cannot_follow(const CakeGpuCta *cta, const CakeGpuWarp *warp, CakeOp *op, size_t number) {
  CakeContext *context = cta->cta.launch->context;
  CakeBuf name = {0};
  cake_gpu_name_warp(warp, &name);
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_RUN_ARGUMENT, "cannot be move %zu of the schedule: %s is not here",
                                       number + 1, name.data);
  cake_diag_note(context, d, cta->cta.launch->kernel->loc,
                 "loops must run, and conditions hold, as often as in the schedule: other sizes may do");
  cake_buf_fini(&name);
  return cake_diag_emit(context, d);
}

// A warp that has met already is behind the op: the last to arrive does not wait.
static bool make_move(CakeGpuCta *cta, CakeGpuWarp *warp, const CakeSimMove *move, size_t number) {
  uint32_t strand = strand_at(warp, move->op);
  if (strand == CAKE_GPU_MAX_STRANDS && !move->is_meeting) { // it may wait for its stores to be read
    if (!land_all(cta, COPIES) || !advance(cta)) return false;
    strand = strand_at(warp, move->op);
  }
  if (strand == CAKE_GPU_MAX_STRANDS || (move->is_meeting && !warp->strands[strand].has_arrived))
    return move->is_meeting || cannot_follow(cta, warp, move->op, number);
  cake_gpu_set_state(warp, strand, CAKE_GPU_READY);
  if (!cake_gpu_step_strand(warp, strand)) return false;
  bool waits = warp->strands[strand].state == CAKE_GPU_BLOCKED && cake_is_gpu_op(move->op, cake_op_gpu_mbarrier_wait);
  if (!waits || !land_all(cta, COPIES)) return !waits;
  cake_gpu_set_state(warp, strand, CAKE_GPU_READY);
  return cake_gpu_step_strand(warp, strand);
}

bool cake_gpu_follow(CakeGpuCta *cta) {
  const CakeSimOptions *options = cta->cta.launch->options;
  cake_map_clear(&cta->actions);
  for (size_t i = 0; i < options->n_actions; i++)
    cake_map_set(&cta->actions, options->actions[i], 1);
  if (!advance(cta)) return false;
  for (size_t i = 0; i < options->n_moves; i++) {
    for (size_t w = 0; w < cta->n_warps; w++)
      if (options->moves[i].warps >> w & 1 && !make_move(cta, &cta->warps[w], &options->moves[i], i)) return false;
    if (!advance(cta)) return false;
  }
  return land_all(cta, STORES) && advance(cta); // who waits for its stores alone may end
}
