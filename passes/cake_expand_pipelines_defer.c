// Releases that wait for matrix instructions: `cake.release %slot after(%accumulator)` in a loop that carries the
// accumulator.
//
// Waiting for the instructions of this round would leave the tensor core without work. So each round waits for those of the
// round before only, gives that round's slot back, and leaves its own in flight; the slot of the last round is given back
// behind the await of the accumulator. This needs a second stage, one slot of the pipeline a round, and the same number of
// groups in every round.
#include "passes/cake_expand_pipelines.h"

#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/slots.h"

// Groups that a round of the loop issues; -1: not the same in every round, or more than a wait can leave in flight.
static int64_t groups_of_round(CakeOp *loop) {
  const CakeBlock *block = cake_region_entry(cake_op_region(loop, 0));
  int64_t groups = 0;
  for (CakeOp *op = cake_op_walk_next(loop, loop, false); op; op = cake_op_walk_next(loop, op, false)) {
    if (cake_lower_is_wgmma(op) && op->block != block) return -1;
    groups += cake_lower_is_wgmma(op) && !cake_lower_continues_group(op);
  }
  return groups > 7 ? -1 : groups;
}

// Whether the loop takes exactly one slot of the ring a round and gives exactly one back.
static bool takes_one(const ExpandPipelines *e, CakeOp *loop, size_t ring) {
  const CakeBlock *block = cake_region_entry(cake_op_region(loop, 0));
  size_t waits = 0, releases = 0;
  for (CakeOp *op = cake_op_walk_next(loop, loop, false); op; op = cake_op_walk_next(loop, op, false)) {
    bool is_wait = cake_is_cake_op(op, cake_op_cake_wait), is_release = cake_is_cake_op(op, cake_op_cake_release);
    if ((!is_wait && !is_release) || cake_pipelines_ring_index(e, op) != ring) continue;
    if (op->block != block) return false;
    waits += is_wait;
    releases += is_release;
  }
  return waits == 1 && releases == 1;
}

// The accumulator behind all instructions that this block chains to it.
static const CakeValue *end_of_chain(const CakeValue *pending, const CakeBlock *block) {
  for (const CakeUse *use = pending->first_use; use;) {
    bool is_next =
        use->owner->block == block && cake_lower_is_wgmma(use->owner) && cake_cake_mma_acc(use->owner) == pending;
    if (is_next) pending = &use->owner->results[0];
    use = is_next ? pending->first_use : use->next;
  }
  return pending;
}

// The await, behind the loop, of the result that carries the accumulator on; NULL: there is none.
static CakeOp *await_behind(CakeOp *loop, const CakeValue *pending) {
  CakeBlock *block = cake_region_entry(cake_op_region(loop, 0));
  const CakeOp *yield = cake_block_terminator(block);
  const CakeValue *last = end_of_chain(pending, block);
  for (uint32_t i = 0; i < yield->n_operands && i < loop->n_results; i++) {
    const CakeUse *use = loop->results[i].first_use;
    if (cake_op_operand(yield, i) != last || !use || use->next) continue;
    bool is_await = cake_is_cake_op(use->owner, cake_op_cake_await) && use->owner->block == loop->block;
    return is_await ? use->owner : NULL;
  }
  return NULL;
}

static Deferral *find_deferral(ExpandPipelines *e, CakeOp *loop, CakeOp *release, int64_t groups) {
  CakeValue *after = cake_cake_release_after(release);
  CakeOp *mma = after ? cake_value_def(after) : NULL;
  size_t ring = cake_pipelines_ring_index(e, release);
  if (!mma || !cake_lower_is_wgmma(mma) || mma->block != release->block || e->rings[ring].stages < 2 ||
      !takes_one(e, loop, ring))
    return NULL;
  CakeOp *await = await_behind(loop, after);
  if (!await) return NULL;
  Deferral *deferral = CAKE_ARENA_NEW(e->scratch, Deferral);
  *deferral = (Deferral){release, await, ring, groups, release->loc};
  return deferral;
}

Deferrals cake_pipelines_find_deferrals(ExpandPipelines *e, CakeOp *loop) {
  Deferrals found = {0};
  int64_t groups = groups_of_round(loop);
  for (CakeOp *op = cake_region_entry(cake_op_region(loop, 0))->first; op && groups > 0; op = op->next) {
    Deferral *deferral = cake_is_cake_op(op, cake_op_cake_release) ? find_deferral(e, loop, op, groups) : NULL;
    if (!deferral) continue;
    CAKE_PUSH(&found, deferral);
    cake_map_set(&e->deferred, op, (uintptr_t)deferral);
  }
  return found;
}

// ---- Lowering -----------------------------------------------------------------------------------------------------------

void cake_pipelines_wait_groups(ExpandPipelines *e, int64_t groups) {
  CakeNamedAttr attr = {cake_id_text(e->rewriter->context, "pending"), cake_attr_i64(e->rewriter->context, groups)};
  cake_rewriter_build(e->rewriter, &(CakeBuild){.name = "gpu.wgmma_wait", .attrs = &attr, .n_attrs = 1});
}

static CakeValue *stage_before(ExpandPipelines *e, const Ring *ring, CakeValue *stage) {
  CakeRewriter *rewriter = e->rewriter;
  CakeValue *is_first = cake_lower_cmpi(rewriter, CAKE_CMPI_EQ, stage, cake_lower_i32(rewriter, 0));
  CakeValue *before = cake_lower_select(rewriter, is_first, cake_lower_i32(rewriter, ring->stages - 1),
                                        cake_lower_add_const(rewriter, stage, -1));
  return cake_lower_name(before, "stage_before");
}

void cake_pipelines_release_deferred(ExpandPipelines *e, const Deferral *deferral) {
  CakeOp *loop = cake_op_parent(deferral->release);
  const Ring *ring = &e->rings[deferral->ring];
  CakeValue *round = cake_region_entry(cake_op_region(loop, 0))->args[0];
  cake_pipelines_wait_groups(e, deferral->groups);
  if (ring->fences_reads) cake_pipelines_end_reads(e, ring);
  CakeValue *has_before = cake_lower_cmpi(e->rewriter, CAKE_CMPI_NE, round, cake_op_operand(loop, 0));
  cake_pipelines_arrive_empty(e, ring, stage_before(e, ring, cake_op_operand(deferral->release, 0)), has_before);
}

void cake_pipelines_release_last(ExpandPipelines *e, const Deferral *deferral, const CakeOp *made,
                                 const Cursor *cursors) {
  CakeRewriter *rewriter = e->rewriter;
  const Ring *ring = &e->rings[deferral->ring];
  cake_rewriter_set_after(rewriter, deferral->await);
  rewriter->loc = deferral->loc;
  if (ring->fences_reads) cake_pipelines_end_reads(e, ring);
  CakeValue *stage = stage_before(e, ring, cursors[2 * deferral->ring + CAKE_END_TO].stage);
  CakeValue *has_rounds = NULL;
  if (!cake_op_attr_text(made, CAKE_LOWER_NONEMPTY_MARK))
    has_rounds = cake_lower_cmpi(rewriter, CAKE_CMPI_SLT, cake_op_operand(made, 0), cake_op_operand(made, 1));
  cake_pipelines_arrive_empty(e, ring, stage, has_rounds);
}
