// control-flow-sink: moves what only one way of a branch uses into that way.
//
// An op moves to the start of a region that may not run, and at most once, when it is pure and all uses of its results are
// in that region. Ops with regions are visited from the inside out; what an op that has moved uses may move behind it.
#include "analysis/flow.h"
#include "passes/passes.h"

typedef struct Sink {
  CakePassContext *pass;
  CakeRegion *region;
  CakeMap outside;        // op in front of the region → how many of its uses are not in it, + 1; 0: it stays
  CAKE_VEC(CakeOp *) ops; // whose operands are to be looked at
} Sink;

static bool is_in(const CakeRegion *region, const CakeOp *op) {
  while (op && op->block && op->block->region != region)
    op = cake_op_parent(op);
  return op && op->block;
}

static CakeOp *definition(const CakeOp *op, uint32_t operand) {
  const CakeValue *value = cake_op_operand(op, operand);
  return value ? cake_value_def(value) : NULL;
}

static bool may_move(const CakeOp *op) {
  return op->info->def && !op->info->def->parent && cake_op_is_pure(op) &&
         !cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR | CAKE_TRAIT_CONVERGENT | CAKE_TRAIT_SYMBOL);
}

static uintptr_t count_outside(const Sink *sink, const CakeOp *op) {
  uintptr_t count = 0;
  for (uint32_t i = 0; i < op->n_results; i++)
    for (const CakeUse *use = op->results[i].first_use; use; use = use->next)
      count += !is_in(sink->region, use->owner);
  return count;
}

// Uses in an op that has moved are not outside any more.
static void forget_uses(Sink *sink, CakeOp *moved) {
  for (CakeOp *op = moved; op; op = cake_op_walk_next(moved, op, false)) {
    for (uint32_t i = 0; i < op->n_operands; i++) {
      const CakeOp *def = definition(op, i);
      uintptr_t count;
      if (def && cake_map_get(&sink->outside, def, &count) && count) cake_map_set(&sink->outside, def, count - 1);
    }
  }
}

// Whether the op is in front of the region, and nothing but the region uses it.
static bool is_ready(Sink *sink, CakeOp *op) {
  if (is_in(sink->region, op)) return false;
  uintptr_t count;
  if (!cake_map_get(&sink->outside, op, &count)) {
    count = may_move(op) ? count_outside(sink, op) + 1 : 0;
    cake_map_set(&sink->outside, op, count);
  }
  return count == 1;
}

static void look_at_operands(Sink *sink, CakeOp *user) {
  CakeBlock *entry = sink->region->first;
  for (uint32_t i = 0; i < user->n_operands; i++) {
    CakeOp *op = definition(user, i);
    if (!op || !is_ready(sink, op)) continue;
    cake_rewriter_move_before(&sink->pass->rewriter, op, entry->first);
    cake_pass_count(sink->pass, "ops moved", 1);
    forget_uses(sink, op);
    CAKE_PUSH(&sink->ops, op);
  }
}

static void sink_into(CakePassContext *pass, CakeRegion *region) {
  Sink sink = {.pass = pass, .region = region};
  for (CakeBlock *block = region->first; block; block = block->next)
    for (CakeOp *op = block->first; op; op = op->next)
      CAKE_PUSH(&sink.ops, op);
  for (size_t i = 0, n = sink.ops.len; i < n; i++)
    look_at_operands(&sink, sink.ops.data[i]);
  while (sink.ops.len)
    look_at_operands(&sink, sink.ops.data[--sink.ops.len]);
  cake_map_fini(&sink.outside);
  CAKE_VEC_FINI(&sink.ops);
}

static CakeWalkResult visit(void *user, CakeOp *op) {
  for (uint32_t i = 0; i < op->n_regions && cake_flow_kind(op) == CAKE_FLOW_BRANCH; i++)
    if (op->block && cake_op_region(op, i)->first) sink_into(user, cake_op_region(op, i));
  return CAKE_WALK_ADVANCE;
}

CakePassResult cake_pass_control_flow_sink(CakePassContext *pass, CakeOp *root) {
  cake_op_walk(root, CAKE_WALK_POST, visit, pass);
  cake_pass_preserve(pass, &cake_dominance_analysis); // blocks and branches stay
  return pass->rewriter.changes ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
