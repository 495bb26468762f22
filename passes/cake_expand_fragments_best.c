// The ops mask, best.init, best and settle: predicates over an element's coordinates, and running bests.
//
// A running best is (value, index) for each row slot of a lane, (NaN, -1) when nothing was seen. One rule orders candidates: a number before
// NaN, the smaller (larger) number first, then the smaller index, compared unsigned, so that -1 comes last. Inside one `best` the columns are
// scanned downwards with minnum: a candidate that is the minimum replaces the index, so that the smallest column wins ties; NaN never is.
// An index that nothing replaced is that of the first column that was kept: the right one when only NaN was seen.
// An element costs a minimum, a comparison and a selection.
#include "dialects/cake/cake_accessors.h"
#include "passes/fragments.h"

#include <math.h>
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

// One comparison: of a lane's number with a constant, which alone differs from element to element.
typedef struct Term {
  CakeIntPredicate compare;
  int64_t row, col;
  CakeValue *rest; // what is the same for all elements
  CakeValue *lane; // the number for the lane's first element
} Term;

typedef struct Keep {
  CakeFragments *expand;
  const CakeLayout *layout;
  Term *terms;
  size_t n_terms;
  bool uses_row, uses_col;
  CakeValue **slots; // by row slot and col slot, as far as they are used; NULL: not asked for yet
} Keep;

static bool init_term(Keep *keep, CakeOp *op, CakePredTerm from, const CakeLowerEnv *env, Term *term) {
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
  *term = (Term){compares[from.compare], linear.row, linear.col, rest, rest};
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

static bool init_keep(Keep *keep, CakeFragments *expand, CakeOp *op, CakeAttr pred, CakeOperandRange idx,
                      const CakeLayout *layout) {
  *keep = (Keep){.expand = expand, .layout = layout, .n_terms = pred ? cake_pred_count(pred) : 0};
  CakeLowerEnv env = cake_fragments_env(expand, idx);
  keep->terms = CAKE_ARENA_ARRAY(expand->scratch, Term, keep->n_terms + 1);
  for (size_t i = 0; i < keep->n_terms; i++) {
    if (!init_term(keep, op, cake_pred_term(pred, i), &env, &keep->terms[i])) return false;
  }
  keep->slots =
      CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, cake_layout_row_slots(layout) * cake_layout_col_slots(layout) + 1);
  return true;
}

// Whether an element stays; NULL: always.
static CakeValue *keep_at(Keep *keep, uint32_t element) {
  if (keep->n_terms == 0) return NULL;
  uint32_t row_slot = keep->uses_row ? cake_layout_row_slot(keep->layout, element) : 0;
  uint32_t col_slot = keep->uses_col ? cake_layout_col_slot(keep->layout, element) : 0;
  CakeValue **slot = &keep->slots[row_slot * cake_layout_col_slots(keep->layout) + col_slot];
  int64_t row, col;
  if (*slot) return *slot;
  cake_layout_at(keep->layout, element, &row, &col);
  for (size_t i = 0; i < keep->n_terms; i++) {
    const Term *term = &keep->terms[i];
    CakeValue *bound = cake_lower_index(keep->expand->rewriter, -(term->row * row + term->col * col));
    *slot = cake_fragments_and(keep->expand, *slot,
                               cake_lower_cmpi(keep->expand->rewriter, term->compare, term->lane, bound));
  }
  return *slot;
}

// Whether all elements of the fragment stay, in one condition that is the same for all lanes: that of the column where the comparison is
// hardest to meet. NULL: there is no predicate, or that does not tell.
static CakeValue *all_kept(const Keep *keep) {
  CakeValue *all = NULL;
  for (size_t i = 0; i < keep->n_terms; i++) {
    const Term *term = &keep->terms[i];
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

static bool acc_layout(CakeOp *op, CakeType type, CakeLayout *out) {
  if (!cake_layout_of(op, type, out)) return false;
  CakeFormKind kind = out->fragment.kind;
  bool is_acc = out->fragment.part == CAKE_FORM_WHOLE && (kind == CAKE_FORM_MMA_ACC || kind == CAKE_FORM_WGMMA_ACC);
  return is_acc ? true
                : cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "is lowered for whole accumulators, not for '%s'",
                             cake_type_text(type));
}

bool cake_fragments_mask(CakeFragments *expand, CakeOp *op) {
  CakeLayout layout;
  Keep keep;
  CakeValue *value = cake_cake_mask_value(op);
  if (!acc_layout(op, value->type, &layout)) return false;
  if (!init_keep(&keep, expand, op, cake_cake_mask_keep(op), cake_cake_mask_keep_idx(op), &layout)) return false;
  CakeType element = layout.fragment.element;
  CakeValue *fill = cake_fragments_constant(expand, element, cake_cake_mask_fill(op));
  CakeValue **old = cake_fragments_unpack(expand, cake_fragments_get_value(expand, value), element, layout.count);
  CakeValue **parts = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, layout.count);
  for (uint32_t i = 0; i < layout.count; i++) {
    CakeValue *kept = keep_at(&keep, i);
    parts[i] = kept ? cake_lower_select(expand->rewriter, kept, old[i], fill) : old[i];
  }
  cake_fragments_set_value(expand, cake_op_result(op, 0),
                           cake_fragments_pack(expand, parts, layout.count, cake_layout_vector(&layout)));
  return true;
}

// ---- Candidates ----------------------------------------------------------------------------------------------------------

typedef struct Candidate {
  CakeValue *value, *index; // f32 and i32
} Candidate;

typedef struct BestState {
  CakeBest best;
  CakeLayout rows; // of its row vector
} BestState;

static bool read_best(CakeOp *op, CakeType type, BestState *out) {
  out->best = cake_best_of(type);
  const CakeBest *best = &out->best;
  if (!cake_type_is_float(best->element, CAKE_FLOAT_F32))
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has a best of elements that are not f32");
  if (best->k != 1)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "keeps the best %lld; one is lowered so far",
                      (long long)best->k);
  if (best->tie == CAKE_TIE_HIGH || best->nan == CAKE_NAN_FIRST || best->group != 1) {
    return cake_error(
        op, CAKE_CODE_LOWER_UNSUPPORTED,
        "has a best with tie<high>, nan<first> or a group; tie<low>, nan<last>, group<1> are lowered so far");
  }
  return cake_layout_of(op, cake_fragment_get(best->element, best->rows, 1, CAKE_FORM_ROW, best->form), &out->rows);
}

static CakeType index_vector(const BestState *state) {
  CakeType vector = cake_layout_vector(&state->rows);
  return cake_type_with_element(vector, cake_type_i32(vector->context));
}

// The better of two by the rule above.
static Candidate better(CakeFragments *expand, bool is_max, Candidate old, Candidate now) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeValue *wins = cake_fragments_cmpf(expand, is_max ? CAKE_CMPF_OGT : CAKE_CMPF_OLT, now.value, old.value);
  CakeValue *ties = cake_fragments_cmpf(expand, CAKE_CMPF_OEQ, now.value, old.value);
  CakeValue *old_nan = cake_fragments_cmpf(expand, CAKE_CMPF_UNO, old.value, old.value);
  CakeValue *now_number = cake_fragments_cmpf(expand, CAKE_CMPF_ORD, now.value, now.value);
  CakeValue *lower = cake_lower_cmpi(rewriter, CAKE_CMPI_ULT, now.index, old.index);
  // old NaN: any number wins, and NaN with a lower index; else: the better number, and the same one with a lower index.
  CakeValue *against_nan = cake_fragments_and(expand, old_nan, cake_fragments_or(expand, now_number, lower));
  CakeValue *against_number = cake_fragments_or(expand, wins, cake_fragments_and(expand, ties, lower));
  CakeValue *take = cake_fragments_or(expand, against_nan, against_number);
  return (Candidate){cake_lower_select(rewriter, take, now.value, old.value),
                     cake_lower_select(rewriter, take, now.index, old.index)};
}

static CakeValue *i32_constant(CakeFragments *expand, int64_t value) {
  return cake_lower_i32(expand->rewriter, value);
}

bool cake_fragments_best_init(CakeFragments *expand, CakeOp *op) {
  BestState state;
  CakeValue *result = cake_op_result(op, 0);
  if (!read_best(op, result->type, &state)) return false;
  CakeValue *nan = cake_fragments_nan(expand, cake_layout_vector(&state.rows));
  CakeValue *none = cake_fragments_integer(expand, index_vector(&state), -1);
  cake_fragments_set_values(expand, result,
                            (CakeThreadValues){
                                {nan, none},
                                2
  });
  return true;
}

// ---- best ----------------------------------------------------------------------------------------------------------------

typedef struct Scan {
  CakeFragments *expand;
  const BestState *state;
  const CakeLayout *layout;
  Keep keep;
  CakeValue **values; // the candidates, one an element
  CakeValue *nan;     // f32
  CakeValue *first;   // i32: index of the lane's first column
} Scan;

static uint32_t element_at(const CakeLayout *layout, uint32_t row_slot, uint32_t col_slot) {
  uint32_t tiles = (uint32_t)(layout->cols / 8);
  return (row_slot / 2 * tiles + col_slot / 2) * 4 + row_slot % 2 * 2 + col_slot % 2;
}

// The best of a row slot, its index counted from the lane's first column; -1 when nothing was kept.
static Candidate scan_row(Scan *scan, uint32_t row_slot) {
  CakeFragments *expand = scan->expand;
  CakeRewriter *rewriter = expand->rewriter;
  bool is_max = scan->state->best.is_max;
  uint32_t cols = cake_layout_col_slots(scan->layout);
  CakeValue *none = i32_constant(expand, -1), *first = scan->keep.n_terms ? none : i32_constant(expand, 0);
  for (uint32_t c = cols; c-- > 0 && scan->keep.n_terms;) { // the first column that is kept
    uint32_t element = element_at(scan->layout, row_slot, c);
    int64_t row, col;
    cake_layout_at(scan->layout, element, &row, &col);
    first = cake_lower_select(rewriter, keep_at(&scan->keep, element), i32_constant(expand, col), first);
  }
  Candidate best = {NULL, first};
  for (uint32_t c = cols; c-- > 0;) {
    uint32_t element = element_at(scan->layout, row_slot, c);
    int64_t row, col;
    cake_layout_at(scan->layout, element, &row, &col);
    CakeValue *kept = keep_at(&scan->keep, element), *value = scan->values[element];
    if (kept) value = cake_lower_select(rewriter, kept, value, scan->nan);
    best.value =
        best.value ? cake_build_binary(rewriter, is_max ? "arith.maxnumf" : "arith.minnumf", best.value, value) : value;
    CakeValue *take = cake_fragments_cmpf(expand, CAKE_CMPF_OEQ, best.value, value);
    best.index = cake_lower_select(rewriter, take, i32_constant(expand, col), best.index);
  }
  return best;
}

// Turns a column number into an index; -1 stays.
static void finish_index(Scan *scan, Candidate *best) {
  CakeRewriter *rewriter = scan->expand->rewriter;
  CakeValue *index = cake_lower_add(rewriter, best->index, scan->first);
  if (scan->keep.n_terms) {
    CakeValue *is_none = cake_lower_cmpi(rewriter, CAKE_CMPI_SLT, best->index, i32_constant(scan->expand, 0));
    index = cake_lower_select(rewriter, is_none, i32_constant(scan->expand, -1), index);
  }
  best->index = index;
}

static void scan_rows(Scan *scan, Candidate *out) {
  for (uint32_t i = 0; i < scan->state->rows.count; i++) {
    out[i] = scan_row(scan, i);
    finish_index(scan, &out[i]);
  }
}

// Most tiles are kept whole, and a scan without a predicate is a third shorter: both, behind one uniform branch.
static void scan_either(const Scan *scan, CakeValue *all, Candidate *out) {
  CakeFragments *expand = scan->expand;
  uint32_t n = scan->state->rows.count;
  CakeType *types = CAKE_ARENA_ARRAY(expand->scratch, CakeType, 2 * n);
  CakeValue **values = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, 2 * n);
  for (uint32_t i = 0; i < n; i++)
    types[2 * i] = scan->state->best.element, types[2 * i + 1] = cake_type_i32(expand->context);
  CakeOp *branch = cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "scf.if",
                                                                      .operands = &all,
                                                                      .n_operands = 1,
                                                                      .result_types = types,
                                                                      .n_results = 2 * n,
                                                                      .n_regions = 2});
  CakeLowerPoint point = cake_lower_save(expand->rewriter);
  for (uint32_t side = 0; side < 2; side++) {
    Scan copy = *scan;
    if (side == 0) copy.keep.n_terms = 0;
    CakeRegion *region = cake_op_region(branch, side);
    cake_rewriter_set_end(expand->rewriter, cake_rewriter_add_block(expand->rewriter, region, NULL, 0, branch->loc));
    scan_rows(&copy, out);
    for (uint32_t i = 0; i < n; i++)
      values[2 * i] = out[i].value, values[2 * i + 1] = out[i].index;
    cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "scf.yield", .operands = values, .n_operands = 2 * n});
  }
  cake_lower_restore(expand->rewriter, point);
  for (uint32_t i = 0; i < n; i++)
    out[i] = (Candidate){cake_op_result(branch, 2 * i), cake_op_result(branch, 2 * i + 1)};
}

static bool init_scan(Scan *scan, CakeFragments *expand, CakeOp *op, const BestState *state, const CakeLayout *layout) {
  CakeValue *value = cake_cake_best_value(op);
  *scan = (Scan){.expand = expand, .state = state, .layout = layout};
  if (!init_keep(&scan->keep, expand, op, cake_cake_best_keep(op), cake_cake_best_keep_idx(op), layout)) return false;
  CakeLowerEnv env = cake_fragments_env(expand, cake_cake_best_at_idx(op));
  CakeValue *at = cake_lower_expr(expand->rewriter, op, cake_cake_best_at(op), &env);
  if (!at) return false;
  CakeValue *col = cake_fragments_col(expand, cake_fragments_role(expand, op), layout);
  scan->first =
      cake_lower_cast(expand->rewriter, cake_lower_add(expand->rewriter, at, col), cake_type_i32(expand->context));
  scan->values =
      cake_fragments_unpack(expand, cake_fragments_get_value(expand, value), layout->fragment.element, layout->count);
  scan->nan = cake_fragments_nan(expand, layout->fragment.element);
  return true;
}

static void finish_best(CakeFragments *expand, const BestState *state, const Candidate *rows, CakeThreadValues *out) {
  uint32_t count = state->rows.count;
  CakeValue **values = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, count),
            **indices = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, count);
  for (uint32_t i = 0; i < count; i++)
    values[i] = rows[i].value, indices[i] = rows[i].index;
  out->values[0] = cake_fragments_pack(expand, values, count, cake_layout_vector(&state->rows));
  out->values[1] = cake_fragments_pack(expand, indices, count, index_vector(state));
  out->count = 2;
}

static Candidate *open_best(CakeFragments *expand, const BestState *state, const CakeValue *best) {
  uint32_t count = state->rows.count;
  CakeThreadValues from = cake_fragments_get_values(expand, best);
  CakeValue **values = cake_fragments_unpack(expand, from.values[0], state->best.element, count);
  CakeValue **indices = cake_fragments_unpack(expand, from.values[1], cake_type_i32(expand->context), count);
  Candidate *rows = CAKE_ARENA_ARRAY(expand->scratch, Candidate, count);
  for (uint32_t i = 0; i < count; i++)
    rows[i] = (Candidate){values[i], indices[i]};
  return rows;
}

bool cake_fragments_best(CakeFragments *expand, CakeOp *op) {
  BestState state;
  CakeLayout layout;
  Scan scan;
  CakeThreadValues made;
  if (!read_best(op, cake_op_result(op, 0)->type, &state) || !acc_layout(op, cake_cake_best_value(op)->type, &layout))
    return false;
  if (layout.fragment.base != state.best.form || cake_layout_row_slots(&layout) != state.rows.count ||
      layout.fragment.element != state.best.element) {
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED,
                      "takes candidates of another form or element type than its running best");
  }
  if (!init_scan(&scan, expand, op, &state, &layout)) return false;
  Candidate *rows = open_best(expand, &state, cake_cake_best_into(op));
  Candidate *now = CAKE_ARENA_ARRAY(expand->scratch, Candidate, state.rows.count);
  CakeValue *all = all_kept(&scan.keep);
  if (all)
    scan_either(&scan, all, now);
  else
    scan_rows(&scan, now);
  for (uint32_t i = 0; i < state.rows.count; i++)
    rows[i] = better(expand, state.best.is_max, rows[i], now[i]);
  finish_best(expand, &state, rows, &made);
  cake_fragments_set_values(expand, cake_op_result(op, 0), made);
  return true;
}

// ---- settle --------------------------------------------------------------------------------------------------------------

// A row in which nothing was seen has the value that any number is better than.
static Candidate settled(CakeFragments *expand, bool is_max, Candidate best) {
  CakeType type = best.value->type;
  CakeValue *worst = cake_build_constant(expand->rewriter, cake_attr_float(type, is_max ? -INFINITY : INFINITY));
  CakeValue *is_none = cake_lower_cmpi(expand->rewriter, CAKE_CMPI_SLT, best.index, i32_constant(expand, 0));
  return (Candidate){cake_lower_select(expand->rewriter, is_none, worst, best.value), best.index};
}

// The four lanes of a quad hold the columns of a row: two exchanges.
bool cake_fragments_settle(CakeFragments *expand, CakeOp *op) {
  BestState state;
  CakeThreadValues made;
  CakeValue *best = cake_cake_settle_best(op);
  if (!read_best(op, best->type, &state)) return false;
  if (state.rows.fragment.warp_cols != 1)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "merges rows over several warps, which is not lowered yet");
  Candidate *rows = open_best(expand, &state, best);
  for (uint32_t i = 0; i < state.rows.count; i++) {
    for (int64_t mask = 1; mask <= 2; mask *= 2) {
      Candidate other = {cake_fragments_shuffle(expand, rows[i].value, mask), cake_fragments_shuffle(expand, rows[i].index, mask)};
      rows[i] = better(expand, state.best.is_max, rows[i], other);
    }
    rows[i] = settled(expand, state.best.is_max, rows[i]);
  }
  finish_best(expand, &state, rows, &made);
  cake_fragments_set_value(expand, cake_op_result(op, 0), made.values[0]);
  cake_fragments_set_value(expand, cake_op_result(op, 1), made.values[1]);
  return true;
}
