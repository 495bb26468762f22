// cf: branches on constants, and blocks that have one way in.
#include "dialects/cf/cf.h"
#include "dialects/cf/cf_hooks.h"

// A block with this branch as its one way in, that is not the region's entry and not the branch's own block.
static bool can_merge(const CakeOp *op, const CakeBlock *target) {
  return target != op->block && target->region == op->block->region && target->region->first != target &&
         target->first_use && !target->first_use->next;
}

// ---- Needless arguments: nobody uses them, or they are always the same value ----------------------------------------

static bool is_branch(const CakeOp *op) {
  return op->info->def == &cake_dialect_cf.ops[cake_op_cf_br] ||
         op->info->def == &cake_dialect_cf.ops[cake_op_cf_cond_br];
}

typedef CAKE_VEC(CakeValue *) ValueVec;

static CakeOperandRange handed(const CakeOp *op, uint32_t successor) {
  return op->info->def->successor_operands(op, successor);
}

// The branch hands on other values through one of its successors.
static void set_handed(CakeRewriter *rewriter, CakeOp *op, uint32_t successor, const ValueVec *to) {
  CakeOperandRange from = handed(op, successor);
  uint32_t begin = (uint32_t)(from.first - op->operands);
  int32_t segments[] = {1, 0, 0};
  for (uint32_t i = 0; i < op->n_successors; i++)
    segments[1 + i] = (int32_t)(i == successor ? to->len : handed(op, i).count);
  ValueVec values = {0};
  for (uint32_t i = 0; i < begin; i++)
    CAKE_PUSH(&values, cake_op_operand(op, i));
  for (size_t i = 0; i < to->len; i++)
    CAKE_PUSH(&values, to->data[i]);
  for (uint32_t i = begin + from.count; i < op->n_operands; i++)
    CAKE_PUSH(&values, cake_op_operand(op, i));
  bool has_segments = op->n_successors > 1;
  cake_rewriter_set_operands(rewriter, op, values.data, values.len, has_segments ? segments : NULL,
                             has_segments ? CAKE_COUNT(segments) : 0);
  CAKE_VEC_FINI(&values);
}

// What the branch hands on through that successor loses one value.
static void drop_operand(CakeRewriter *rewriter, const CakeSuccessor *use, uint32_t index) {
  uint32_t successor = (uint32_t)(use - cake_op_successors(use->owner));
  CakeOperandRange range = handed(use->owner, successor);
  ValueVec kept = {0};
  for (uint32_t i = 0; i < range.count; i++)
    if (i != index) CAKE_PUSH(&kept, range.first[i].value);
  set_handed(rewriter, use->owner, successor, &kept);
  CAKE_VEC_FINI(&kept);
}

static CakeValue *handed_value(const CakeSuccessor *use, uint32_t index) {
  return handed(use->owner, (uint32_t)(use - cake_op_successors(use->owner))).first[index].value;
}

// Whether it is one of ours, and hands on as many values as the block takes.
static bool is_known_way(const CakeSuccessor *use) {
  return is_branch(use->owner) &&
         handed(use->owner, (uint32_t)(use - cake_op_successors(use->owner))).count == use->block->n_args;
}

// The one value that all ways in hand on, other than the argument itself; NULL: there are several. A block with very many ways in is left
// alone: every branch to it looks at all of them.
static CakeValue *only_value(const CakeBlock *block, uint32_t index) {
  enum { MOST_WAYS = 64 };
  CakeValue *only = NULL;
  uint32_t count = 0;
  for (const CakeSuccessor *use = block->first_use; use; use = use->next) {
    if (++count > MOST_WAYS || !is_known_way(use)) return NULL;
    CakeValue *value = handed_value(use, index);
    if (value == block->args[index] || value == only) continue;
    if (only) return NULL;
    only = value;
  }
  return only;
}

static bool drop_argument(CakeRewriter *rewriter, CakeBlock *block, uint32_t index) {
  CakeValue *arg = block->args[index], *only = arg->first_use ? only_value(block, index) : NULL;
  if (arg->first_use && !only) return false;
  for (const CakeSuccessor *use = block->first_use; use; use = use->next)
    if (!is_known_way(use)) return false;
  if (only) cake_rewriter_replace_uses(rewriter, arg, only);
  for (const CakeSuccessor *use = block->first_use; use; use = use->next)
    drop_operand(rewriter, use, index);
  cake_rewriter_remove_arg(rewriter, block, index);
  return true;
}

static bool drop_needless_arguments(CakeRewriter *rewriter, CakeBlock *block) {
  bool is_changed = false;
  for (uint32_t i = block->region->first == block ? 0 : block->n_args; i-- > 0;)
    is_changed |= drop_argument(rewriter, block, i);
  return is_changed;
}

// One of the branches to a block looks at it: the last round visits them all.
static bool drop_needless(CakeOp *op, CakeRewriter *rewriter) {
  bool is_changed = false;
  for (uint32_t i = 0; i < op->n_successors; i++)
    if (cake_op_successor(op, i)->first_use->owner == op)
      is_changed |= drop_needless_arguments(rewriter, cake_op_successor(op, i));
  return is_changed;
}

// ---- Blocks that only lead on --------------------------------------------------------------------------------------

// A block whose only op is a cf.br; NULL: another.
static CakeOp *only_br(const CakeBlock *block) {
  CakeOp *op = block->first;
  return op && op == block->last && op->info->def == &cake_dialect_cf.ops[cake_op_cf_br] ? op : NULL;
}

// Its arguments are used by its own branch alone.
static bool keeps_arguments(const CakeBlock *block, const CakeOp *branch) {
  for (uint32_t i = 0; i < block->n_args; i++)
    for (const CakeUse *use = block->args[i]->first_use; use; use = use->next)
      if (use->owner != branch) return false;
  return true;
}

// Goes at once where such a block leads. Of several behind one another, the last is passed by first, so that circles of them stay.
static bool pass_by(CakeOp *op, CakeRewriter *rewriter, uint32_t successor) {
  CakeBlock *block = cake_op_successor(op, successor);
  CakeOp *next = only_br(block);
  CakeOperandRange range = handed(op, successor);
  if (!next || only_br(cake_op_successor(next, 0)) || range.count != block->n_args || !keeps_arguments(block, next))
    return false;
  ValueVec values = {0};
  for (uint32_t i = 0; i < next->n_operands; i++) {
    CakeValue *value = cake_op_operand(next, i);
    bool is_own = value->is_argument && cake_arg_owner(value) == block;
    CAKE_PUSH(&values, is_own ? range.first[value->index].value : value);
  }
  set_handed(rewriter, op, successor, &values);
  cake_rewriter_set_successor(rewriter, op, successor, cake_op_successor(next, 0));
  CAKE_VEC_FINI(&values);
  return true;
}

static bool simplify_ways(CakeOp *op, CakeRewriter *rewriter) {
  bool is_changed = drop_needless(op, rewriter);
  for (uint32_t i = 0; i < op->n_successors; i++)
    is_changed |= pass_by(op, rewriter, i);
  return is_changed;
}

// ---- Branches ------------------------------------------------------------------------------------------------------

bool cf_br_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  CakeBlock *target = cake_op_successor(op, 0);
  if (!can_merge(op, target) || op->n_operands != target->n_args) return simplify_ways(op, rewriter);
  ValueVec values = {0};
  for (uint32_t i = 0; i < op->n_operands; i++)
    CAKE_PUSH(&values, cake_op_operand(op, i));
  CakeBlock *block = op->block;
  cake_rewriter_erase(rewriter, op);
  // Behind everything in `block`: a marker is not needed, moving to the end keeps the order.
  for (uint32_t i = 0; i < target->n_args; i++)
    cake_rewriter_replace_uses(rewriter, target->args[i], values.data[i]);
  while (target->first)
    cake_rewriter_move_to_end(rewriter, target->first, block);
  cake_rewriter_erase_block(rewriter, target);
  CAKE_VEC_FINI(&values);
  return true;
}

static void replace_by_br(CakeOp *op, CakeRewriter *rewriter, CakeBlock *target, CakeValue *const *values, size_t n) {
  cake_rewriter_set_before(rewriter, op);
  cake_rewriter_build(
      rewriter,
      &(CakeBuild){.name = "cf.br", .operands = values, .n_operands = n, .successors = &target, .n_successors = 1});
  cake_rewriter_erase(rewriter, op);
}

static void take_branch(CakeOp *op, CakeRewriter *rewriter, CakeBlock *target, CakeOperandRange operands) {
  ValueVec values = {0};
  for (uint32_t i = 0; i < operands.count; i++)
    CAKE_PUSH(&values, operands.first[i].value);
  replace_by_br(op, rewriter, target, values.data, values.len);
  CAKE_VEC_FINI(&values);
}

static bool same_values(CakeOperandRange a, CakeOperandRange b) {
  if (a.count != b.count) return false;
  for (uint32_t i = 0; i < a.count; i++)
    if (a.first[i].value != b.first[i].value) return false;
  return true;
}

// Both ways lead to a block that has no other way in: it is a choice of values.
static bool choose_values(CakeOp *op, CakeRewriter *rewriter, CakeOperandRange if_true, CakeOperandRange if_false) {
  CakeBlock *target = cake_op_successor(op, 0);
  if (cake_op_successor(op, 1) != target || if_true.count != if_false.count) return false;
  for (const CakeSuccessor *use = target->first_use; use; use = use->next)
    if (use->owner != op) return false;
  ValueVec values = {0};
  cake_rewriter_set_before(rewriter, op);
  for (uint32_t i = 0; i < if_true.count; i++) {
    CakeValue *operands[] = {cake_op_operand(op, 0), if_true.first[i].value, if_false.first[i].value};
    CakeValue *value = operands[1];
    if (operands[1] != operands[2]) value = cake_build1(rewriter, "arith.select", value->type, operands, 3);
    CAKE_PUSH(&values, value);
  }
  replace_by_br(op, rewriter, target, values.data, values.len);
  CAKE_VEC_FINI(&values);
  return true;
}

// In a block that this branch alone leads to, the condition is known.
static bool propagate_condition(CakeOp *op, CakeRewriter *rewriter) {
  CakeValue *condition = cake_op_operand(op, 0);
  bool is_changed = false;
  for (uint32_t i = 0; i < 2; i++) {
    CakeBlock *target = cake_op_successor(op, i);
    CakeValue *known = NULL;
    if (!can_merge(op, target)) continue;
    for (CakeOp *user = target->first; user; user = user->next) {
      for (uint32_t k = 0; k < user->n_operands; k++) {
        if (cake_op_operand(user, k) != condition) continue;
        if (!known) known = cake_build_constant(rewriter, cake_attr_bool(op->context, i == 0));
        cake_rewriter_set_operand(rewriter, user, k, known);
        is_changed = true;
      }
    }
  }
  return is_changed;
}

bool cf_cond_br_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  CakeOperandRange if_true = cake_op_operand_group(op, CAKE_GROUP(cf, cond_br, trueDestOperands));
  CakeOperandRange if_false = cake_op_operand_group(op, CAKE_GROUP(cf, cond_br, falseDestOperands));
  CakeOp *constant = cake_value_def(cake_op_operand(op, 0));
  if (constant && cake_op_has_trait(constant, CAKE_TRAIT_CONSTANT)) {
    bool holds = cake_attr_int_value(cake_op_attr_text(constant, "value")) != 0;
    take_branch(op, rewriter, cake_op_successor(op, holds ? 0 : 1), holds ? if_true : if_false);
    return true;
  }
  if (cake_op_successor(op, 0) == cake_op_successor(op, 1) && same_values(if_true, if_false)) {
    take_branch(op, rewriter, cake_op_successor(op, 0), if_true);
    return true;
  }
  // Arguments that nobody uses need no choice.
  return simplify_ways(op, rewriter) || choose_values(op, rewriter, if_true, if_false) ||
         propagate_condition(op, rewriter);
}
