// When the operands of an asynchronous matrix instruction are free again.
#include "verifier/loans.h"

#include "dialects/cake/ops/mma.h"

#include "verifier/paths.h"
#include "verifier/uses.h"

enum { MAX_HOPS = 1000 };

// Where a pending accumulator goes when an op uses it up without waiting: the value that stands for it from there;
// NULL: nowhere known.
static CakeValue *next_pending(const CakeUse *use) {
  CakeOp *op = use->owner;
  uint32_t index = cake_use_index(use);
  if (cake_is_cake_op(op, cake_op_cake_mma)) return &op->results[0];
  CakeOp *parent = cake_op_parent(op);
  if (cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR) && parent && op->n_operands >= parent->n_results &&
      index >= op->n_operands - parent->n_results)
    return &parent->results[index - (op->n_operands - parent->n_results)];
  const CakeOpDef *def = op->info->def;
  int row = def && def->flow.iter ? cake_op_def_operand(def, def->flow.iter) : -1;
  if (row < 0) return NULL;
  CakeOperandRange iter = cake_op_operand_group(op, (uint32_t)row);
  if (index < iter.start || index - iter.start >= op->n_results) return NULL;
  return &op->results[index - iter.start];
}

// Whether the accumulator has been awaited before `end` on every path that reaches it.
static bool is_awaited(const CakeValue *pending, CakeOp *end, size_t *hops) {
  bool has_use = false;
  for (const CakeUse *use = pending->first_use; use; use = use->next) {
    if (++*hops > MAX_HOPS || cake_use_kind(use) != CAKE_USE_UP) return false;
    has_use = true;
    CakePathOrder order = cake_path_order(use->owner, end);
    if (cake_is_cake_op(use->owner, cake_op_cake_await)) {
      if (order != CAKE_PATH_BEFORE && order != CAKE_PATH_APART) return false;
      continue;
    }
    CakeValue *next = next_pending(use);
    if (!next || !is_awaited(next, end, hops)) return false;
  }
  return has_use;
}

// Groups complete in order: an await of a later group, in the block of `end` and before it, returns earlier loans too.
static bool later_group_is_awaited(CakeOp *mma, CakeOp *end) {
  CakeOp *from = cake_path_ancestor(mma, end->block);
  for (CakeOp *op = from ? from->next : NULL; op && op != end; op = op->next) {
    if (!cake_is_cake_op(op, cake_op_cake_await)) continue;
    CakeOp *group = cake_value_def(cake_cake_await_pending(op));
    if (group && cake_is_cake_op(group, cake_op_cake_mma) && group->block == end->block &&
        (group == from || cake_op_is_before(from, group)))
      return true;
  }
  return false;
}

bool cake_loan_is_returned(CakeOp *mma, CakeOp *end) {
  size_t hops = 0;
  return is_awaited(&mma->results[0], end, &hops) || later_group_is_awaited(mma, end);
}
