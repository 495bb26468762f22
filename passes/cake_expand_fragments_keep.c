// Predicates over an element's coordinates, and the op mask.
//
// A comparison that is linear in `row` and `col` is one number a lane, compared with a constant an element.
#include "passes/fragments_keep.h"

#include "dialects/cake/ops/fragments.h"

#include <stdlib.h>

// ---- Predicates ----------------------------------------------------------------------------------------------------------

// lhs - rhs of one comparison as row · row_factor + col · col_factor + rest.
typedef struct Linear {
  int64_t row, col;
  CakeAttr rest;
} Linear;

static bool is_uniform(const Linear *a) {
  return a->row == 0 && a->col == 0;
}

static bool linear_of(CakeContext *context, CakeAttr expr, int depth, Linear *out) {
  enum { MAX_FACTOR = 65536 };
  int64_t factor;
  *out = (Linear){0, 0, cake_expr_const(context, 0)};
  if (depth > 64) return false;
  CakeExprKind kind = cake_expr_kind(expr);
  if (kind == CAKE_EXPR_ROW) return out->row = 1, true;
  if (kind == CAKE_EXPR_COL) return out->col = 1, true;
  if (kind < CAKE_EXPR_ADD) return out->rest = expr, true;
  Linear a, b;
  if (!linear_of(context, cake_expr_lhs(expr), depth + 1, &a) ||
      !linear_of(context, cake_expr_rhs(expr), depth + 1, &b))
    return false;
  out->rest = cake_expr_binary(context, kind, a.rest, b.rest);
  if (is_uniform(&a) && is_uniform(&b)) return true;
  if (kind == CAKE_EXPR_ADD) {
    out->row = a.row + b.row, out->col = a.col + b.col;
  } else if (kind == CAKE_EXPR_SUB) {
    out->row = a.row - b.row, out->col = a.col - b.col;
  } else {
    const Linear *scaled = is_uniform(&b) ? &a : &b, *by = is_uniform(&b) ? &b : &a;
    if (kind != CAKE_EXPR_MUL || !is_uniform(by) || !cake_expr_is_const(by->rest, &factor)) return false;
    if (factor < -MAX_FACTOR || factor > MAX_FACTOR) return false;
    out->row = scaled->row * factor, out->col = scaled->col * factor;
  }
  return llabs(out->row) <= MAX_FACTOR && llabs(out->col) <= MAX_FACTOR;
}

static bool init_term(CakeKeep *keep, CakeOp *op, CakePredTerm from, const CakeLowerEnv *env, CakeKeepTerm *term) {
  static const CakeIntPredicate compares[] = {[CAKE_COMPARE_EQ] = CAKE_CMPI_EQ,  [CAKE_COMPARE_NE] = CAKE_CMPI_NE,
                                              [CAKE_COMPARE_LT] = CAKE_CMPI_SLT, [CAKE_COMPARE_LE] = CAKE_CMPI_SLE,
                                              [CAKE_COMPARE_GT] = CAKE_CMPI_SGT, [CAKE_COMPARE_GE] = CAKE_CMPI_SGE};
  CakeFragments *expand = keep->expand;
  CakeRewriter *rewriter = expand->rewriter;
  Linear linear;
  CakeAttr difference = cake_expr_binary(expand->context, CAKE_EXPR_SUB, from.lhs, from.rhs);
  if (!linear_of(expand->context, difference, 0, &linear)) {
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has a predicate that is not linear in `row` and `col`");
  }
  CakeValue *rest = cake_lower_expr(rewriter, op, linear.rest, env);
  if (!rest) return false;
  *term = (CakeKeepTerm){compares[from.compare], linear.row, linear.col, rest, rest};
  CakeFragmentsRole *role = cake_fragments_role(expand, op);
  if (linear.row) {
    CakeValue *row = cake_fragments_row(expand, role, keep->layout);
    term->lane = cake_lower_add(rewriter, cake_lower_mul_const(rewriter, row, linear.row), term->lane);
  }
  if (linear.col) {
    CakeValue *col = cake_fragments_col(expand, role, keep->layout);
    term->lane = cake_lower_add(rewriter, cake_lower_mul_const(rewriter, col, linear.col), term->lane);
  }
  keep->uses_row |= linear.row != 0;
  keep->uses_col |= linear.col != 0;
  return true;
}

bool cake_keep_init(CakeKeep *keep, CakeFragments *expand, CakeOp *op, CakeAttr pred, CakeOperandRange idx,
                    const CakeLayout *layout) {
  *keep = (CakeKeep){.expand = expand, .layout = layout, .n_terms = pred ? cake_pred_count(pred) : 0};
  CakeLowerEnv env = cake_fragments_env(expand, idx);
  keep->terms = CAKE_ARENA_ARRAY(expand->scratch, CakeKeepTerm, keep->n_terms + 1);
  for (size_t i = 0; i < keep->n_terms; i++) {
    if (!init_term(keep, op, cake_pred_term(pred, i), &env, &keep->terms[i])) return false;
  }
  keep->slots =
      CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, cake_layout_row_slots(layout) * cake_layout_col_slots(layout) + 1);
  return true;
}

CakeValue *cake_keep_at(CakeKeep *keep, uint32_t element) {
  if (keep->n_terms == 0) return NULL;
  uint32_t row_slot = keep->uses_row ? cake_layout_row_slot(keep->layout, element) : 0;
  uint32_t col_slot = keep->uses_col ? cake_layout_col_slot(keep->layout, element) : 0;
  CakeValue **slot = &keep->slots[row_slot * cake_layout_col_slots(keep->layout) + col_slot];
  int64_t row, col;
  if (*slot) return *slot;
  cake_layout_at(keep->layout, element, &row, &col);
  for (size_t i = 0; i < keep->n_terms; i++) {
    const CakeKeepTerm *term = &keep->terms[i];
    CakeValue *bound = cake_lower_index(keep->expand->rewriter, -(term->row * row + term->col * col));
    *slot = cake_fragments_and(keep->expand, *slot,
                               cake_lower_cmpi(keep->expand->rewriter, term->compare, term->lane, bound));
  }
  return *slot;
}

// That of the column where the comparison is hardest to meet.
CakeValue *cake_keep_all(const CakeKeep *keep) {
  CakeValue *all = NULL;
  for (size_t i = 0; i < keep->n_terms; i++) {
    const CakeKeepTerm *term = &keep->terms[i];
    bool is_below = term->compare == CAKE_CMPI_SLT || term->compare == CAKE_CMPI_SLE;
    bool is_above = term->compare == CAKE_CMPI_SGT || term->compare == CAKE_CMPI_SGE;
    if (term->row != 0 || (!is_below && !is_above)) return NULL;
    int64_t hardest = (term->col > 0) == is_below ? keep->layout->fragment.cols - 1 : 0;
    CakeValue *bound = cake_lower_index(keep->expand->rewriter, -term->col * hardest);
    all = cake_fragments_and(keep->expand, all,
                             cake_lower_cmpi(keep->expand->rewriter, term->compare, term->rest, bound));
  }
  return all;
}

bool cake_fragments_acc_layout(CakeOp *op, CakeType type, CakeLayout *out) {
  if (!cake_layout_of(op, type, out)) return false;
  CakeFormKind kind = out->fragment.kind;
  bool is_acc = out->fragment.part == CAKE_FORM_WHOLE &&
                (kind == CAKE_FORM_MMA_ACC || kind == CAKE_FORM_WGMMA_ACC || kind == CAKE_FORM_TMEM_LD);
  return is_acc ? true
                : cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "is lowered for whole accumulators, not for '%s'",
                             cake_type_text(type));
}

static CakeValue *mask_vector(CakeKeep *keep, CakeValue *vector, CakeValue *fill) {
  CakeFragments *expand = keep->expand;
  uint32_t count = keep->layout->count;
  CakeValue **old = cake_fragments_unpack(expand, vector, keep->layout->fragment.element, count);
  CakeValue **parts = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, count);
  for (uint32_t i = 0; i < count; i++) {
    CakeValue *kept = cake_keep_at(keep, i);
    parts[i] = kept ? cake_lower_select(expand->rewriter, kept, old[i], fill) : old[i];
  }
  return cake_fragments_pack(expand, parts, count, vector->type);
}

// Behind a branch that whole tiles do not take. The comparisons are pinned there: code generation would gather them in front of it.
static CakeValue *mask_unless(CakeKeep *keep, CakeValue *all, CakeValue *vector, CakeValue *fill) {
  CakeRewriter *rewriter = keep->expand->rewriter;
  CakeLowerPoint point = cake_lower_save(rewriter);
  CakeType type = vector->type;
  CakeOp *branch = cake_lower_choice(rewriter, all, &type, 1);
  for (uint32_t side = 0; side < 2; side++) {
    cake_lower_side(rewriter, branch, side);
    for (size_t i = 0; side == 1 && i < keep->n_terms; i++) {
      CakeValue **lane = &keep->terms[i].lane;
      *lane = cake_build_unary(rewriter, "gpu.pin", (*lane)->type, *lane);
    }
    CakeValue *value = side == 0 ? vector : mask_vector(keep, vector, fill);
    cake_lower_yield(rewriter, &value, 1);
  }
  cake_lower_restore(rewriter, point);
  return cake_op_result(branch, 0);
}

bool cake_fragments_mask(CakeFragments *expand, CakeOp *op) {
  enum { FEW = 16 }; // elements that are masked without a branch
  CakeLayout layout;
  CakeKeep keep;
  CakeValue *value = cake_cake_mask_value(op);
  if (!cake_layout_of(op, value->type, &layout)) return false;
  if (layout.fragment.part != CAKE_FORM_WHOLE)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "is lowered for whole fragments, not for '%s'",
                      cake_type_text(value->type));
  if (!cake_keep_init(&keep, expand, op, cake_cake_mask_keep(op), cake_cake_mask_keep_idx(op), &layout)) return false;
  CakeValue *fill = cake_fragments_constant(expand, layout.fragment.element, cake_cake_mask_fill(op));
  CakeValue *vector = cake_fragments_get_value(expand, value);
  CakeValue *all = layout.count > FEW ? cake_keep_all(&keep) : NULL;
  vector = all ? mask_unless(&keep, all, vector, fill) : mask_vector(&keep, vector, fill);
  cake_fragments_set_value(expand, cake_op_result(op, 0), vector);
  return true;
}
