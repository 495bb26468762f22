// Rule padding: what a tile holds behind the end of its array must not win a running best, nor disturb a product.
//
// The rule walks back from `best` (along its columns), from `reduce` (along its axis), from `mma` (along the summed dimension) and from what a commit adds to an array to the loads and
// copies that pad, through arithmetic, `spread`, `mma`, `get`, `slice`, the copies of a slot and the multiplications that fill one. On the way to
// `best` a neutral mask directly before it, or its own `keep`, may exclude the padded columns; that it does is proved from the
// expressions. Where only a part is taken, what is reduced begins at an offset into the tile. One factor of a product may be padded by any finite
// number where the other is padded by 0.
#include "verifier/padding.h"

#include "dialects/cake/ops/best.h"
#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/reduce.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/views.h"
#include "verifier/rules.h"

#include <math.h>

// ---- best ----------------------------------------------------------------------------------------------------------

static bool uses_column(CakeAttr expr) {
  CakeExprKind kind = cake_expr_kind(expr);
  if (kind < CAKE_EXPR_ADD) return kind == CAKE_EXPR_COL;
  return uses_column(cake_expr_lhs(expr)) || uses_column(cake_expr_rhs(expr));
}

static bool mask_uses_column(CakeAttr pred) {
  for (size_t i = 0; i < cake_pred_count(pred); i++)
    if (uses_column(cake_pred_term(pred, i).lhs) || uses_column(cake_pred_term(pred, i).rhs)) return true;
  return false;
}

static bool is_neutral(CakeAttr fill, bool is_max) {
  double number = cake_pad_number(fill);
  return isinf(number) && (number < 0) == is_max;
}

static bool report_fill(CakeOp *mask, CakeOp *best, bool is_max) {
  CakeDiagnostic *d = cake_error_begin(mask, CAKE_CODE_PAD_NOT_NEUTRAL, "fills with %s, which can win the running %s",
                                       cake_attr_text(cake_cake_mask_fill(mask)), is_max ? "maximum" : "minimum");
  cake_diag_note(mask->context, d, best->loc, "the running best is here");
  cake_diag_fix(mask->context, d, "write `fill(%s)`, or `keep` at the running best", is_max ? "-inf" : "inf");
  return cake_diag_emit(mask->context, d);
}

static bool check_best(CakeOp *best) {
  CakeBest type = cake_best_of(best->results[0].type);
  const CakeValue *value = cake_cake_best_value(best);
  CakeOp *mask = cake_value_def(value);
  CakePadSearch search = cake_pad_start(best, CAKE_EXPR_COL);
  search.keeps[0] = (CakePadKeep){cake_cake_best_keep(best), cake_cake_best_keep_idx(best)};
  search.infinity = type.is_max ? -1 : 1;
  if (mask && cake_is_cake_op(mask, cake_op_cake_mask)) {
    bool is_fine = is_neutral(cake_cake_mask_fill(mask), type.is_max);
    if (!is_fine && !search.keeps[0].pred && mask_uses_column(cake_cake_mask_keep(mask))) {
      CAKE_VEC_FINI(&search.offsets);
      return report_fill(mask, best, type.is_max);
    }
    if (is_fine) search.keeps[1] = (CakePadKeep){cake_cake_mask_keep(mask), cake_cake_mask_keep_idx(mask)};
  }
  cake_pad_visit(&search, value, CAKE_PAD_COL, CAKE_PAD_AT_START);
  return cake_pad_run(&search);
}

// ---- reduce --------------------------------------------------------------------------------------------------------

static bool is_neutral_of(CakeReduceKind kind, CakeAttr fill) {
  double number = cake_pad_number(fill);
  switch (kind) {
  case CAKE_REDUCE_MAX:
    return cake_attr_is(fill, &cake_attr_def_integer) ? number == -2147483648.0 : isinf(number) && number < 0;
  case CAKE_REDUCE_MIN:
    return cake_attr_is(fill, &cake_attr_def_integer) ? number == 2147483647.0 : isinf(number) && number > 0;
  case CAKE_REDUCE_MUL: return number == 1;
  case CAKE_REDUCE_AND: return number == -1;
  default: return number == 0;
  }
}

// The mask that a sum of exponentials goes back to, where it fills with -inf: that stays so by additions and by factors above 0 (a
// negative one makes the result infinite, which does not go unnoticed), and its exponential is 0. NULL: it is none.
static CakeOp *mask_of_exponentials(const CakeValue *value) {
  CakeOp *op = cake_value_def(value);
  if (!op || (!cake_op_is(op, "math.exp2") && !cake_op_is(op, "math.exp"))) return NULL;
  for (op = cake_value_def(cake_op_operand(op, 0)); op; op = cake_value_def(cake_op_operand(op, 0))) {
    bool goes_on = cake_op_is(op, "math.fma") || cake_op_is(op, "arith.addf") || cake_op_is(op, "arith.subf") ||
                   cake_op_is(op, "arith.mulf");
    if (goes_on) continue;
    double fill = cake_is_cake_op(op, cake_op_cake_mask) ? cake_pad_number(cake_cake_mask_fill(op)) : 0;
    return isinf(fill) && fill < 0 ? op : NULL;
  }
  return NULL;
}

// A mask directly before it excludes padding where its fill is the reduction's neutral number.
static bool check_reduce(CakeOp *reduce) {
  CakeReduceKind kind;
  CakeAttr number = cake_cake_reduce_axis(reduce);
  const CakeValue *value = cake_cake_reduce_value(reduce);
  CakeOp *mask = cake_value_def(value);
  bool ok = true;
  if (!cake_reduce_find(cake_attr_string_value(cake_cake_reduce_kind(reduce)), &kind)) return true;
  for (int axis = 0; axis < 2 && ok; axis++) {
    if (number && cake_attr_int_value(number) != axis) continue;
    CakePadSearch search = cake_pad_start(reduce, axis == 0 ? CAKE_EXPR_ROW : CAKE_EXPR_COL);
    search.infinity = kind == CAKE_REDUCE_MAX ? -1 : kind == CAKE_REDUCE_MIN;
    search.is_sum = kind == CAKE_REDUCE_ADD || kind == CAKE_REDUCE_OR || kind == CAKE_REDUCE_XOR;
    CakeOp *of_scores = kind == CAKE_REDUCE_ADD ? mask_of_exponentials(value) : NULL;
    if (of_scores) {
      search.is_lost = true; // the exponential of a 0 is none
      search.keeps[1] = (CakePadKeep){cake_cake_mask_keep(of_scores), cake_cake_mask_keep_idx(of_scores)};
      cake_pad_visit(&search, cake_cake_mask_value(of_scores), axis == 0 ? CAKE_PAD_ROW : CAKE_PAD_COL,
                     CAKE_PAD_AT_START);
    } else if (mask && cake_is_cake_op(mask, cake_op_cake_mask)) {
      if (is_neutral_of(kind, cake_cake_mask_fill(mask)))
        search.keeps[1] = (CakePadKeep){cake_cake_mask_keep(mask), cake_cake_mask_keep_idx(mask)};
      else
        search.is_lost |= search.infinity != 0;
      cake_pad_visit(&search, cake_cake_mask_value(mask), axis == 0 ? CAKE_PAD_ROW : CAKE_PAD_COL, CAKE_PAD_AT_START);
    } else {
      cake_pad_visit(&search, value, axis == 0 ? CAKE_PAD_ROW : CAKE_PAD_COL, CAKE_PAD_AT_START);
    }
    ok = cake_pad_run(&search);
  }
  return ok;
}

// One factor, along the axis that is summed over, with the other beside it.
typedef struct Factor {
  const CakeValue *value;
  CakePadAxis axis;
  bool is_part; // it begins at an offset into the operand
} Factor;

static bool check_factor(CakeOp *mma, Factor own, Factor other) {
  CakePadSearch search = cake_pad_start(mma, CAKE_EXPR_COL);
  search.is_product = true;
  if (!own.is_part && !other.is_part) search.factor = other.value;
  search.factor_axis = other.axis;
  cake_pad_visit_operand(&search, own.value, (CakePadVisit){NULL, own.axis, CAKE_PAD_AT_START});
  return cake_pad_run(&search);
}

// The letters of the form tell along which dimension is summed.
static bool check_mma(CakeOp *mma) {
  CakeMmaForm form = cake_form_of(cake_cake_mma_form(mma));
  Factor a = {cake_cake_mma_a(mma), form.a == 'n' ? CAKE_PAD_COL : CAKE_PAD_ROW, cake_cake_mma_a_off(mma) != NULL},
         b = {cake_cake_mma_b(mma), form.b == 't' ? CAKE_PAD_COL : CAKE_PAD_ROW, cake_cake_mma_b_off(mma) != NULL};
  return check_factor(mma, a, b) && check_factor(mma, b, a);
}

// What of the added tile lies in the array must be no padding, or 0.
static bool check_added(CakeOp *commit, CakeOp *put) {
  CakeTile target;
  size_t rank = cake_shared_rank(cake_cake_put_view(put)->type);
  bool ok = true;
  for (int axis = 0; axis < 2 && ok && cake_tile_of(commit, &target); axis++) {
    CakePadAxis along = axis == 0 ? CAKE_PAD_ROW : CAKE_PAD_COL;
    CakePadSearch search = cake_pad_start(commit, axis == 0 ? CAKE_EXPR_ROW : CAKE_EXPR_COL);
    search.is_sum = true;
    search.target = &target;
    search.target_dim = cake_pad_dim(&target, along, rank);
    cake_pad_visit_part(&search, cake_cake_put_value(put), along, cake_cake_put_value_off(put),
                        cake_cake_put_value_off_idx(put));
    ok = cake_pad_run(&search);
  }
  return ok;
}

static bool check_commit(CakeOp *commit) {
  CakeOp *acquire = cake_value_def(cake_cake_commit_slot(commit));
  bool ok = true;
  for (const CakeUse *use = acquire && acquire->n_results > 1 ? acquire->results[1].first_use : NULL; use;
       use = use->next)
    if (cake_is_cake_op(use->owner, cake_op_cake_put)) ok &= check_added(commit, use->owner);
  return ok;
}

bool cake_rule_padding(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false)) {
    bool is_best = cake_is_cake_op(op, cake_op_cake_best), is_mma = cake_is_cake_op(op, cake_op_cake_mma),
         is_reduce = cake_is_cake_op(op, cake_op_cake_reduce),
         is_commit = cake_is_cake_op(op, cake_op_cake_commit) && cake_cake_commit_reduce(op);
    if (!cake_op_role(op) || !(is_best || is_mma || is_reduce || is_commit)) continue;
    cake_context_site(op->context);
    ok &= is_best ? check_best(op) : is_mma ? check_mma(op) : is_reduce ? check_reduce(op) : check_commit(op);
  }
  return ok;
}
