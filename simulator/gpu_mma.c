// gpu: mma.sync and wgmma.
//
// Numbers: as `cake.mma` (accumulate.c). A warp multiplies its 16 rows by itself; that the warps of a
// warpgroup multiply the same is checked.
#include "simulator/gpu_build.h"

#include <string.h>

enum { ROWS = 16, INNER = 16, MAX_INNER = 32, MAX_COLUMNS = 256 };

// Element `i` of a lane of a 16×N accumulator (PTX ISA, "Matrix fragments for wgmma", "… mma.m16n8k16").
static void place_of(unsigned lane, size_t i, size_t *row, size_t *col) {
  *row = lane / 4 + 8 * (i / 2 % 2);
  *col = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
}

static void gather(const float *kept, size_t n, float *tile) {
  for (size_t i = 0; i < n / 2; i++) {
    for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
      size_t row, col;
      place_of(lane, i, &row, &col);
      tile[row * n + col] = kept[i * CAKE_GPU_LANES + lane];
    }
  }
}

static void scatter(const float *tile, size_t n, float *kept) {
  for (size_t i = 0; i < n / 2; i++) {
    for (unsigned lane = 0; lane < CAKE_GPU_LANES; lane++) {
      size_t row, col;
      place_of(lane, i, &row, &col);
      kept[i * CAKE_GPU_LANES + lane] = tile[row * n + col];
    }
  }
}

// A of 16×16 in registers: of a lane two elements each of (row, k), (row + 8, k), (row, k + 8), (row + 8, k + 8).
static void place_a(const float *kept, float *tile) {
  for (size_t lane = 0; lane < CAKE_GPU_LANES; lane++)
    for (size_t i = 0; i < 8; i++)
      tile[(lane / 4 + 8 * (i / 2 % 2)) * INNER + 2 * (lane % 4) + 8 * (i / 4) + i % 2] =
          kept[i * CAKE_GPU_LANES + lane];
}

// ---- mma.sync --------------------------------------------------------------------------------------------------------------

// b of a lane: two elements each of (k, col), (k + 8, col).
static CakeSimStep eval_mma(CakeSimMachine *machine, const CakeSimInstr *instr) {
  if (!cake_gpu_is_whole(machine, instr->op)) return CAKE_SIM_FAILED;
  const float *a = cake_sim_floats(machine, instr->in[0]), *b = cake_sim_floats(machine, instr->in[1]);
  float tile_a[ROWS * INNER], tile_b[INNER * 8], acc[ROWS * 8];
  place_a(a, tile_a);
  for (size_t lane = 0; lane < CAKE_GPU_LANES; lane++) {
    size_t major = lane / 4, minor = 2 * (lane % 4);
    for (size_t i = 0; i < 4; i++)
      tile_b[(minor + 8 * (i / 2) + i % 2) * 8 + major] = b[i * CAKE_GPU_LANES + lane];
  }
  gather(cake_sim_floats(machine, instr->in[2]), 8, acc);
  CakeSimElement element = cake_sim_slot_info(machine, instr->in[0])->element;
  cake_sim_multiply(cake_sim_sums_of(element, false), acc, tile_a, tile_b, ROWS, 8, INNER);
  scatter(acc, 8, cake_sim_floats(machine, instr->out[0]));
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_mma(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_mma) != NULL;
}

// ---- wgmma -----------------------------------------------------------------------------------------------------------------

// Operands 0 and 1 are A and B.
typedef struct Wgmma {
  CakeSimElement element;
  uint32_t acc, accumulate; // operands; UINT32_MAX: starts from zero; always reads `acc`
  int64_t n;
  bool a_in_registers, turned_a, turned_b, negates;
} Wgmma;

// Elements of a row of A.
static int64_t depth_of(const Wgmma *info) {
  return 32 / (int64_t)cake_sim_stored_bytes(info->element);
}

static bool read_operands(CakeSimMachine *machine, const CakeSimInstr *instr, const int64_t *descriptors, float *a,
                          float *b) {
  const Wgmma *info = instr->info;
  int64_t first = ROWS * (machine->instance % 4);
  CakeGpuOperand left = {.element = info->element,
                         .descriptor = descriptors[0],
                         .is_turned = info->turned_a,
                         .at = a,
                         .rows = ROWS,
                         .first = first,
                         .row_step = depth_of(info),
                         .k_step = 1};
  CakeGpuOperand right = {.element = info->element,
                          .descriptor = descriptors[1],
                          .is_turned = info->turned_b,
                          .at = b,
                          .rows = info->n,
                          .row_step = 1,
                          .k_step = info->n};
  return (info->a_in_registers || cake_gpu_read_operand(machine, instr, &left)) &&
         cake_gpu_read_operand(machine, instr, &right);
}

bool cake_gpu_land_wgmma(CakeGpuCta *cta, const CakeGpuPending *pending) {
  CakeSimMachine *machine = &pending->warp->machine;
  const CakeSimInstr *instr = pending->instr;
  const Wgmma *info = instr->info;
  float a[ROWS * MAX_INNER], b[MAX_INNER * MAX_COLUMNS], acc[ROWS * MAX_COLUMNS];
  machine->active = pending->mask;
  bool ok = read_operands(machine, instr, pending->from, a, b);
  if (pending->a) {
    memcpy(a, pending->a, ROWS * INNER * sizeof *a);
    cake_arena_free(cta->cta.launch->arena, pending->a, ROWS * INNER * sizeof *a);
  }
  if (!ok) return false;
  if (!pending->adds)
    memset(acc, 0, (size_t)(ROWS * info->n) * sizeof *acc);
  else
    gather(cake_sim_floats(machine, instr->in[info->acc]), (size_t)info->n, acc);
  int64_t depth = depth_of(info);
  if (info->element.format == CAKE_FLOAT_F32) {
    cake_sim_cut_to_tf32(a, (size_t)(ROWS * depth));
    cake_sim_cut_to_tf32(b, (size_t)(depth * info->n));
  }
  if (info->negates) cake_sim_negate(a, (size_t)(ROWS * depth));
  cake_sim_multiply(cake_sim_sums_of(info->element, true), acc, a, b, ROWS, info->n, depth);
  scatter(acc, (size_t)info->n, cake_sim_floats(machine, instr->out[0]));
  return true;
}

bool cake_gpu_flush_wgmma(CakeGpuWarp *warp, uint64_t group) {
  CakeGpuCta *cta = cake_gpu_cta(&warp->machine);
  uint32_t active = warp->machine.active;
  bool ok = true;
  for (size_t i = 0; ok && i < cta->pending.len;) {
    const CakeGpuPending *pending = cta->pending.data[i];
    if (pending->kind == CAKE_GPU_WGMMA && pending->warp == warp && pending->group <= group)
      ok = cake_gpu_land(cta, i);
    else
      i++;
  }
  warp->machine.active = active;
  return ok;
}

// Each wgmma of a warpgroup, in order, by what it multiplies: the first warp that gets there says it, the others must agree.
static bool agrees(CakeSimMachine *machine, const CakeSimInstr *instr, const int64_t *descriptors) {
  CakeGpuCta *cta = cake_gpu_cta(machine);
  CakeGpuWarp *warp = cake_gpu_warp(machine);
  uint64_t what[] = {(uint64_t)(uintptr_t)instr, (uint64_t)descriptors[0], (uint64_t)descriptors[1]};
  uint64_t hash = cake_hash_bytes(what, sizeof what, 0);
  CakeGpuAgreement *agreement = &cta->agreements[cake_gpu_warpgroup(warp)];
  uint64_t number = warp->multiplied++;
  if (number == agreement->count) {
    agreement->recent[agreement->count++ % CAKE_COUNT(agreement->recent)] = hash;
    return true;
  }
  if (agreement->count - number <= CAKE_COUNT(agreement->recent) &&
      agreement->recent[number % CAKE_COUNT(agreement->recent)] == hash)
    return true;
  (void)cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED,
                       "is not what another warp of the warpgroup multiplies; all four must multiply the same");
  return false;
}

// A of the warp's 16 rows, as it is now: 16 × 16.
static float *keep_a(CakeSimMachine *machine, const float *kept) {
  float *tile = CAKE_ARENA_ARRAY(machine->cta->launch->arena, float, ROWS *INNER);
  place_a(kept, tile);
  return tile;
}

static CakeSimStep eval_wgmma(CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeGpuWarp *warp = cake_gpu_warp(machine);
  if (!cake_gpu_is_whole(machine, instr->op)) return CAKE_SIM_FAILED;
  const Wgmma *info = instr->info;
  bool differs = !cake_gpu_is_uniform(machine, instr->in[1]) ||
                 (!info->a_in_registers && !cake_gpu_is_uniform(machine, instr->in[0]));
  if (differs || (info->accumulate != UINT32_MAX && !cake_gpu_is_uniform(machine, instr->in[info->accumulate])))
    return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNDEFINED,
                          "has a descriptor or a condition that differs between lanes");
  int64_t descriptors[] = {info->a_in_registers ? 0 : cake_sim_ints(machine, instr->in[0])[0],
                           cake_sim_ints(machine, instr->in[1])[0]};
  const CakeSimOptions *options = machine->cta->launch->options;
  bool is_watched = options->races || !options->protocol;
  if (!agrees(machine, instr, descriptors) || (is_watched && !read_operands(machine, instr, descriptors, NULL, NULL)))
    return CAKE_SIM_FAILED;
  if (options->protocol) return CAKE_SIM_NEXT;
  CakeGpuPending *pending = cake_gpu_pend(machine, instr, CAKE_GPU_WGMMA);
  pending->from[0] = descriptors[0];
  pending->from[1] = descriptors[1];
  pending->adds = info->acc != UINT32_MAX &&
                  (info->accumulate == UINT32_MAX || cake_sim_ints(machine, instr->in[info->accumulate])[0]);
  if (info->a_in_registers) pending->a = keep_a(machine, cake_sim_floats(machine, instr->in[0]));
  pending->group = warp->group;
  warp->groups[instr->out[0]] = warp->group;
  return CAKE_SIM_NEXT;
}

// `wgmma` has what the two forms name differently; the groups are optional.
static bool build_wgmma(CakeSimBuilder *builder, CakeOp *op, CakeOperandRange acc, CakeOperandRange accumulate,
                        CakeAttr element, Wgmma wgmma) {
  Wgmma *info = CAKE_SIM_NEW(builder, Wgmma);
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_wgmma);
  if (!instr) return false;
  *info = wgmma;
  info->acc = acc.count ? acc.start : UINT32_MAX;
  info->accumulate = accumulate.count ? accumulate.start : UINT32_MAX;
  instr->info = info;
  return cake_sim_element_of(cake_attr_value_type(element), &info->element) ||
         cake_sim_unsupported(op, "multiplies elements that cannot be simulated");
}

bool cake_gpu_build_gpu_wgmma(CakeSimBuilder *builder, CakeOp *op) {
  Wgmma wgmma = {.n = cake_attr_int_value(cake_gpu_wgmma_n(op)),
                 .turned_a = cake_gpu_wgmma_trans_a(op) != NULL,
                 .turned_b = cake_gpu_wgmma_trans_b(op) != NULL,
                 .negates = cake_gpu_wgmma_negate(op) != NULL};
  return build_wgmma(builder, op, cake_op_operand_group(op, CAKE_GROUP(gpu, wgmma, acc)),
                     cake_op_operand_group(op, CAKE_GROUP(gpu, wgmma, accumulate)), cake_gpu_wgmma_element(op), wgmma);
}

bool cake_gpu_build_gpu_wgmma_rs(CakeSimBuilder *builder, CakeOp *op) {
  Wgmma wgmma = {.n = cake_attr_int_value(cake_gpu_wgmma_rs_n(op)),
                 .a_in_registers = true,
                 .turned_b = cake_gpu_wgmma_rs_trans_b(op) != NULL,
                 .negates = cake_gpu_wgmma_rs_negate(op) != NULL};
  return build_wgmma(builder, op, cake_op_operand_group(op, CAKE_GROUP(gpu, wgmma_rs, acc)),
                     cake_op_operand_group(op, CAKE_GROUP(gpu, wgmma_rs, accumulate)), cake_gpu_wgmma_rs_element(op),
                     wgmma);
}

// ---- Groups ----------------------------------------------------------------------------------------------------------------

static CakeSimStep eval_fence(CakeSimMachine *machine, const CakeSimInstr *instr) {
  return cake_gpu_is_whole(machine, instr->op) ? CAKE_SIM_NEXT : CAKE_SIM_FAILED;
}

bool cake_gpu_build_gpu_wgmma_fence(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_fence) != NULL;
}

static CakeSimStep eval_commit(CakeSimMachine *machine, const CakeSimInstr *instr) {
  if (!cake_gpu_is_whole(machine, instr->op)) return CAKE_SIM_FAILED;
  cake_gpu_warp(machine)->group++;
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_wgmma_commit(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_commit) != NULL;
}

// Groups complete in order. The accumulators that pass must be of groups that have.
static CakeSimStep eval_wait(CakeSimMachine *machine, const CakeSimInstr *instr) {
  CakeGpuWarp *warp = cake_gpu_warp(machine);
  if (!cake_gpu_is_whole(machine, instr->op)) return CAKE_SIM_FAILED;
  uint64_t left = (uint64_t)cake_attr_int_value(cake_gpu_wgmma_wait_pending(instr->op)), committed = warp->group - 1;
  uint64_t group = committed > left ? committed - left : 0;
  if (group > warp->waited) warp->waited = group;
  cake_gpu_race_wgmma_wait(machine);
  if (!cake_gpu_flush_wgmma(warp, warp->waited)) return CAKE_SIM_FAILED;
  for (uint32_t i = 0; i < instr->op->n_operands; i++) {
    if (instr->in[i] == CAKE_SIM_NO_SLOT) continue;
    if (warp->groups[instr->in[i]] > warp->waited)
      return cake_sim_error(machine, instr->op, CAKE_CODE_SIM_UNARRIVED_READ,
                            "passes on an accumulator (operand %u) whose wgmma may still be under way", (unsigned)i);
    memcpy(cake_sim_at(machine, instr->out[i]), cake_sim_at(machine, instr->in[i]),
           cake_sim_slot_info(machine, instr->in[i])->bytes);
  }
  return CAKE_SIM_NEXT;
}

bool cake_gpu_build_gpu_wgmma_wait(CakeSimBuilder *builder, CakeOp *op) {
  return cake_sim_emit(builder, op, eval_wait) != NULL;
}

bool cake_gpu_check_multiplied(CakeGpuCta *cta) {
  for (size_t w = 0; w < cta->n_warps; w++) {
    const CakeGpuWarp *warp = &cta->warps[w];
    const CakeGpuAgreement *agreement = &cta->agreements[cake_gpu_warpgroup(warp)];
    if (warp->multiplied == agreement->count) continue;
    return cake_error(cta->cta.launch->kernel, CAKE_CODE_SIM_UNDEFINED,
                      "multiplies %llu times in warp %lld of CTA %lld, but %llu times in another warp of its warpgroup",
                      (unsigned long long)warp->multiplied, (long long)warp->machine.instance,
                      (long long)cake_sim_cta_number(&warp->machine), (unsigned long long)agreement->count);
  }
  return true;
}

// ---- Values that are carried ---------------------------------------------------------------------------------------------------

// A carried accumulator takes its group with it. Its wgmmas must have landed: they write to the value that is left behind.
static bool move_groups(CakeGpuWarp *warp, const CakeSimMoves *moves) {
  for (size_t i = 0; i < moves->count; i++) {
    uint64_t group = warp->groups[moves->from[i]];
    if (group > warp->waited && !cake_gpu_flush_wgmma(warp, group)) return false;
  }
  return true;
}

CakeSimStep cake_gpu_eval_moves(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeSimMoves *moves = instr->info;
  CakeGpuWarp *warp = cake_gpu_warp(machine);
  if (!move_groups(warp, moves)) return CAKE_SIM_FAILED;
  for (size_t i = 0; i < moves->count; i++)
    warp->groups[moves->to[i]] = warp->groups[moves->from[i]];
  if (machine->active == UINT32_MAX) return cake_sim_eval_moves(machine, instr);
  for (size_t i = 0; i < moves->count; i++) {
    const CakeSimSlot *slot = cake_sim_slot_info(machine, moves->to[i]);
    size_t size = cake_sim_kept_bytes(slot->element);
    char *to = cake_sim_at(machine, moves->to[i]);
    const char *from = cake_sim_at(machine, moves->from[i]);
    for (size_t e = 0; e < slot->count; e++)
      if (cake_gpu_is_active(machine, (unsigned)(e % CAKE_GPU_LANES))) memcpy(to + e * size, from + e * size, size);
  }
  return CAKE_SIM_NEXT;
}
