// Which rows of a role's fragments matter to the rule padding: those that are stored.
#include "verifier/padding.h"

#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/reduce.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/views.h"

// Ops by which a row's numbers may come to another row, or leave the role elsewhere than by a store.
static bool mixes_rows(const CakeOp *op) {
  if (cake_is_cake_op(op, cake_op_cake_reduce)) {
    CakeAttr axis = cake_cake_reduce_axis(op);
    return !axis || cake_attr_int_value(axis) != 1;
  }
  return cake_is_cake_op(op, cake_op_cake_put) || cake_is_cake_op(op, cake_op_cake_slice) ||
         cake_is_cake_op(op, cake_op_cake_acquire) || cake_op_is(op, "cake.atomic") || cake_op_is(op, "cake.call");
}

// Y - X - 1 - row of a term `row + X lt Y`. False: it is another.
static bool rows_of(CakePredTerm term, CakeOperandRange idx, CakeSum *out) {
  CakeSumEnv env = {idx};
  CakeSum lhs, rhs, one = cake_sum_constant(1);
  if (term.compare != CAKE_COMPARE_LT || !cake_sum_of(term.lhs, &env, &lhs) || !cake_sum_of(term.rhs, &env, &rhs) ||
      !cake_sum_add(&rhs, -1, &lhs, out) || !cake_sum_add(out, -1, &one, out))
    return false;
  bool has_row = false;
  for (size_t i = 0; i < out->count; i++) {
    if (out->atoms[i].kind != CAKE_ATOM_LEAF) continue;
    if (out->atoms[i].index == CAKE_EXPR_COL) return false;
    has_row |= out->atoms[i].index == CAKE_EXPR_ROW && out->factors[i] == -1;
  }
  return has_row;
}

static bool store_rows(CakeOp *store, CakeSum *out) {
  CakeAttr keep = cake_cake_store_keep(store);
  for (size_t i = 0; i < cake_pred_count(keep); i++)
    if (rows_of(cake_pred_term(keep, i), cake_cake_store_keep_idx(store), out)) return true;
  return false;
}

bool cake_pad_rows(CakeOp *role, CakeSum *out) {
  size_t stores = 0;
  for (CakeOp *op = role; op; op = cake_op_walk_next(role, op, false)) {
    CakeSum rows;
    int64_t difference;
    if (mixes_rows(op)) return false;
    if (!cake_is_cake_op(op, cake_op_cake_store)) continue;
    if (!store_rows(op, &rows)) return false;
    if (stores++ == 0) *out = rows;
    if (!cake_sum_difference(&rows, out, &difference) || difference != 0) return false;
  }
  return stores > 0;
}
