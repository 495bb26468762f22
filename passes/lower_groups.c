// Groups of matrix instructions: what is issued and waited for together.
#include "passes/lower.h"

#include "dialects/cake/ops/mma.h"

enum { MOST_GROUPS = 7 }; // that wgmma.wait_group can leave

bool cake_lower_is_wgmma(const CakeOp *op) {
  return cake_is_cake_op(op, cake_op_cake_mma) && cake_form_of(cake_cake_mma_form(op)).family == CAKE_MMA_WGMMA;
}

void cake_lower_mark_groups(CakeRewriter *rewriter, CakeOp *func) {
  for (CakeOp *op = func; op; op = cake_op_walk_next(func, op, false)) {
    bool follows = cake_lower_is_wgmma(op) && op->prev && cake_lower_is_wgmma(op->prev);
    if (follows && cake_cake_mma_acc(op) == &op->prev->results[0])
      cake_rewriter_set_attr_text(rewriter, op, CAKE_LOWER_GROUP_MARK, cake_attr_unit(rewriter->context));
  }
}

bool cake_lower_continues_group(const CakeOp *op) {
  return cake_lower_is_wgmma(op) && cake_op_attr_text(op, CAKE_LOWER_GROUP_MARK) != NULL;
}

static bool holds_wgmma(CakeOp *root) {
  for (CakeOp *op = cake_op_walk_next(root, root, false); op; op = cake_op_walk_next(root, op, false))
    if (cake_lower_is_wgmma(op)) return true;
  return false;
}

int64_t cake_lower_groups_behind(const CakeValue *pending, const CakeOp *end) {
  CakeOp *op = cake_value_def(pending);
  int64_t groups = 0;
  if (!op || op->block != end->block) return 0;
  for (op = op->next; op && op != end; op = op->next) {
    if (op->n_regions > 0 && holds_wgmma(op)) return 0;
    groups += cake_lower_is_wgmma(op) && !cake_lower_continues_group(op);
  }
  return groups > MOST_GROUPS ? MOST_GROUPS : groups;
}
