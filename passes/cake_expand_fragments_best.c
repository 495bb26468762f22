// The ops best.init, best and settle: running bests.
//
// A thread keeps for each of its row slots the best value and its index; nothing was seen while the index is -1. One rule orders candidates: a
// number before NaN or behind it, as `nan` says, the better number first, then the index that `tie` prefers.
//
// `best` looks at groups of columns (`group<G>`): G - 1 minimums, one comparison with the running best and one selection of the group's
// number, however many columns it has. When a group wins, its best value and G - 1 of its values are taken over, which loops do on the pipe for
// multiplications (gpu.replace_if), because comparisons and selections have half its rate; for once, it would not be worth the constant's cache
// miss. Which of the columns it was is found out once, by settle: the first that equals the best.
//
// Columns that `keep` leaves out become NaN, which loses against every number. The replacement is done as far up the arithmetic as NaN comes
// down from there, and behind one uniform branch, so that a tile that is kept whole pays for one test, and its arithmetic stands in one block.
#include "passes/fragments_keep.h"

#include "dialects/cake/ops/best.h"
#include "dialects/cake/ops/mma.h"

#include <math.h>

// ---- States --------------------------------------------------------------------------------------------------------------

typedef struct Candidate {
  CakeValue *value, *index; // f32 and i32
  CakeValue **kept;         // G - 1 values of the group that won, from its first column on
} Candidate;

typedef struct BestState {
  CakeBest best;
  CakeLayout rows; // of its row vector
  uint32_t group;  // columns that are compared together
} BestState;

// Groups are for the usual order: the first column of equal ones, and numbers before NaN.
static uint32_t group_of(const CakeBest *best) {
  return best->tie == CAKE_TIE_HIGH || best->nan == CAKE_NAN_FIRST ? 1 : (uint32_t)best->group;
}

static bool is_in_groups(const CakeBest *best) {
  return best->tie != CAKE_TIE_HIGH && best->nan != CAKE_NAN_FIRST;
}

static bool read_best(CakeOp *op, CakeType type, BestState *out) {
  out->best = cake_best_of(type);
  const CakeBest *best = &out->best;
  if (!cake_type_is_float(best->element, CAKE_FLOAT_F32))
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "has a best of elements that are not f32");
  if (best->k != 1)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "keeps the best %lld; one is lowered so far",
                      (long long)best->k);
  out->group = group_of(best);
  return cake_layout_of(op, cake_fragment_get(best->element, best->rows, 1, CAKE_FORM_ROW, best->form), &out->rows);
}

static CakeType value_vector(const BestState *state) {
  return cake_fragments_vector_type(state->best.element, state->rows.count * state->group);
}

static CakeType index_vector(const BestState *state) {
  return cake_fragments_vector_type(cake_type_i32(state->best.element->context), state->rows.count);
}

bool cake_fragments_best_types(CakeOp *op, CakeType type, CakeType out[2]) {
  BestState state;
  if (!read_best(op, type, &state)) return false;
  out[0] = value_vector(&state);
  out[1] = index_vector(&state);
  return true;
}

static CakeValue *i32_constant(CakeFragments *expand, int64_t value) {
  return cake_lower_i32(expand->rewriter, value);
}

// The number that every other is better than.
static CakeAttr worst(const BestState *state) {
  return cake_attr_float(state->best.element, state->best.is_max ? -INFINITY : INFINITY);
}

// NaN, against which every number wins; where it is promised that there is none, the worst number, which costs no test for NaN.
bool cake_fragments_best_init(CakeFragments *expand, CakeOp *op) {
  BestState state;
  CakeValue *result = cake_op_result(op, 0);
  if (!read_best(op, result->type, &state)) return false;
  CakeType type = value_vector(&state);
  CakeValue *nothing = state.best.nan == CAKE_NAN_NEVER ? cake_fragments_constant(expand, type, worst(&state))
                                                        : cake_fragments_nan(expand, type);
  CakeThreadValues values = {
      {nothing, cake_fragments_integer(expand, index_vector(&state), -1)},
      2
  };
  cake_fragments_set_values(expand, result, values);
  return true;
}

static Candidate *open_best(CakeFragments *expand, const BestState *state, const CakeValue *best) {
  uint32_t count = state->rows.count, group = state->group;
  CakeThreadValues from = cake_fragments_get_values(expand, best);
  CakeValue **values = cake_fragments_unpack(expand, from.values[0], state->best.element, count * group);
  CakeValue **indices = cake_fragments_unpack(expand, from.values[1], cake_type_i32(expand->context), count);
  Candidate *rows = CAKE_ARENA_ARRAY(expand->scratch, Candidate, count);
  for (uint32_t i = 0; i < count; i++)
    rows[i] = (Candidate){values[i * group], indices[i], values + i * group + 1};
  return rows;
}

static CakeThreadValues close_best(CakeFragments *expand, const BestState *state, const Candidate *rows) {
  uint32_t count = state->rows.count, group = state->group;
  CakeValue **values = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, count * group),
            **indices = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, count);
  for (uint32_t i = 0; i < count; i++) {
    values[i * group] = rows[i].value;
    indices[i] = rows[i].index;
    for (uint32_t j = 1; j < group; j++)
      values[i * group + j] = rows[i].kept[j - 1];
  }
  CakeValue *all = cake_fragments_pack(expand, values, count * group, value_vector(state));
  return (CakeThreadValues){
      {all, cake_fragments_pack(expand, indices, count, index_vector(state))},
      2
  };
}

// ---- The order -----------------------------------------------------------------------------------------------------------

static CakeValue *compare(CakeFragments *expand, CakeFloatPredicate predicate, CakeValue *a, CakeValue *b) {
  return cake_fragments_cmpf(expand, predicate, a, b);
}

static CakeValue *is_none(CakeFragments *expand, CakeValue *index) {
  return cake_lower_cmpi(expand->rewriter, CAKE_CMPI_SLT, index, i32_constant(expand, 0));
}

// Whether a value goes before another by value alone; `ties`: whether the two are equal, for `tie` to decide.
static CakeValue *goes_before(CakeFragments *expand, const CakeBest *best, CakeValue *now, CakeValue *old,
                              CakeValue **ties) {
  CakeValue *wins = compare(expand, best->is_max ? CAKE_CMPF_OGT : CAKE_CMPF_OLT, now, old);
  CakeValue *now_nan = compare(expand, CAKE_CMPF_UNO, now, now), *old_nan = compare(expand, CAKE_CMPF_UNO, old, old);
  CakeValue *now_number = compare(expand, CAKE_CMPF_ORD, now, now),
            *old_number = compare(expand, CAKE_CMPF_ORD, old, old);
  bool is_first = best->nan == CAKE_NAN_FIRST;
  CakeValue *by_kind = cake_fragments_and(expand, is_first ? now_nan : now_number, is_first ? old_number : old_nan);
  *ties =
      cake_fragments_or(expand, compare(expand, CAKE_CMPF_OEQ, now, old), cake_fragments_and(expand, now_nan, old_nan));
  return cake_fragments_or(expand, wins, by_kind);
}

// The better of two.
static Candidate better(CakeFragments *expand, const CakeBest *best, Candidate old, Candidate now) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeValue *ties, *wins = goes_before(expand, best, now.value, old.value, &ties);
  CakeIntPredicate order = best->tie == CAKE_TIE_HIGH ? CAKE_CMPI_SGT : CAKE_CMPI_SLT;
  ties = cake_fragments_and(expand, ties, cake_lower_cmpi(rewriter, order, now.index, old.index));
  CakeValue *take = cake_fragments_or(expand, is_none(expand, old.index), cake_fragments_or(expand, wins, ties));
  CakeValue *is_seen = cake_lower_cmpi(rewriter, CAKE_CMPI_SGE, now.index, i32_constant(expand, 0));
  take = cake_fragments_and(expand, is_seen, take);
  return (Candidate){.value = cake_lower_select(rewriter, take, now.value, old.value),
                     .index = cake_lower_select(rewriter, take, now.index, old.index)};
}

// ---- Columns that are left out -------------------------------------------------------------------------------------------

typedef struct Scan {
  CakeFragments *expand;
  CakeOp *op;
  const BestState *state;
  const CakeLayout *layout;
  CakeKeep keep;
  CakeValue **values; // the candidates, one an element
  CakeValue *first;   // i32: index of the lane's first column
  CakeValue **kept;   // one a row slot, i32: the first of its columns that is kept, from the lane's first on; -1: none
} Scan;

static uint32_t element_at(const CakeLayout *layout, uint32_t row_slot, uint32_t col_slot) {
  if (layout->fragment.kind == CAKE_FORM_TMEM_LD) return col_slot;
  uint32_t tiles = (uint32_t)(layout->cols / 8);
  return (row_slot / 2 * tiles + col_slot / 2) * 4 + row_slot % 2 * 2 + col_slot % 2;
}

// Of an element of a col slot, or of a running best's candidates.
static int64_t column_of(const CakeLayout *layout, uint32_t col_slot) {
  if (layout->fragment.kind == CAKE_FORM_TMEM_LD) return col_slot;
  return 8 * (int64_t)(col_slot / 2) + col_slot % 2;
}

// The operand through which NaN comes into an elementwise op, and out of it; -1: none.
static int nan_operand(const CakeOp *op) {
  static const char *const strict[] = {"arith.addf", "arith.subf", "arith.mulf", "arith.negf", "math.fma"};
  bool is_strict = false;
  for (size_t i = 0; i < CAKE_COUNT(strict); i++)
    is_strict |= cake_op_is(op, strict[i]);
  CakeAttr flags = cake_op_attr_text(op, "fastmath");
  if (!is_strict || (flags && (flags->params[0].i & CAKE_FASTMATH_NNAN))) return -1;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const CakeOp *def = cake_value_def(cake_op_operand(op, i));
    if (!def || !cake_op_is(def, "arith.constant")) return (int)i;
  }
  return -1;
}

static bool stands_before(const CakeValue *value, CakeOp *op) {
  CakeOp *def = cake_value_def(value);
  return !def || def->block != op->block || cake_op_is_before(def, op);
}

// Where masking may stand: behind the definition of the value from which `value` is computed, when all that the predicate needs is there.
static CakeValue *mask_point(const Scan *scan, CakeValue *value) {
  CakeOperandRange idx = cake_cake_best_keep_idx(scan->op);
  CakeValue *source = value;
  for (CakeOp *def = cake_value_def(source); def && def->block == scan->op->block; def = cake_value_def(source)) {
    int operand = nan_operand(def);
    if (operand < 0) break;
    source = cake_op_operand(def, (uint32_t)operand);
  }
  CakeOp *def = cake_value_def(source);
  if (!def || def->block != scan->op->block) return value;
  for (uint32_t i = 0; i < idx.count; i++) {
    if (!stands_before(idx.first[i].value, def)) return value;
  }
  return source;
}

// `value` once more, with `masked` in the place of what it is computed from.
static CakeValue *compute_again(Scan *scan, CakeValue *value, const CakeValue *source, CakeValue *masked) {
  if (value == source) return masked;
  CakeFragments *expand = scan->expand;
  CakeOp *op = cake_value_def(value);
  uint32_t through = (uint32_t)nan_operand(op);
  CakeValue **operands = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, op->n_operands);
  for (uint32_t i = 0; i < op->n_operands; i++)
    operands[i] = cake_op_operand(op, i);
  operands[through] = compute_again(scan, operands[through], source, masked);
  CakeOp *made = cake_rewriter_create(expand->rewriter, &(CakeOpState){.loc = op->loc,
                                                                       .info = op->info,
                                                                       .operands = operands,
                                                                       .n_operands = op->n_operands,
                                                                       .result_types = &value->type,
                                                                       .n_results = 1,
                                                                       .props = cake_op_props(op),
                                                                       .attrs = op->attrs});
  return cake_op_result(made, 0);
}

// The vector with NaN in the place of what is not kept, and the first column of each row slot that is.
static CakeValue *mask_vector(Scan *scan, CakeValue *vector) {
  CakeFragments *expand = scan->expand;
  CakeRewriter *rewriter = expand->rewriter;
  const CakeLayout *layout = scan->layout;
  CakeValue **parts = cake_fragments_unpack(expand, vector, layout->fragment.element, layout->count);
  CakeValue **masked = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, layout->count);
  CakeValue *nan = cake_fragments_nan(expand, layout->fragment.element);
  for (uint32_t i = 0; i < layout->count; i++)
    masked[i] = cake_lower_select(rewriter, cake_keep_at(&scan->keep, i), parts[i], nan);
  for (uint32_t row = 0; row < scan->state->rows.count; row++) {
    scan->kept[row] = row > 0 && !scan->keep.uses_row ? scan->kept[0] : NULL;
    if (scan->kept[row]) continue;
    scan->kept[row] = i32_constant(expand, -1);
    for (uint32_t c = cake_layout_col_slots(layout); c-- > 0;) {
      CakeValue *is_kept = cake_keep_at(&scan->keep, element_at(layout, row, c));
      scan->kept[row] =
          cake_lower_select(rewriter, is_kept, i32_constant(expand, column_of(layout, c)), scan->kept[row]);
    }
  }
  return cake_fragments_pack(expand, masked, layout->count, vector->type);
}

// Keeps a value where it stands.
static CakeValue *pin(CakeFragments *expand, CakeValue *value) {
  return cake_build_unary(expand->rewriter, "gpu.pin", value->type, value);
}

// The same behind a branch on `all`.
static CakeValue *mask_unless(Scan *scan, CakeValue *all, CakeValue *vector) {
  CakeFragments *expand = scan->expand;
  CakeRewriter *rewriter = expand->rewriter;
  uint32_t rows = scan->state->rows.count;
  CakeType *types = CAKE_ARENA_ARRAY(expand->scratch, CakeType, rows + 1);
  CakeValue **values = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, rows + 1);
  types[0] = vector->type;
  for (uint32_t i = 0; i < rows; i++)
    types[1 + i] = cake_type_i32(expand->context);
  CakeOp *branch = cake_lower_choice(rewriter, all, types, rows + 1);
  CakeLowerPoint point = cake_lower_save(rewriter);
  for (uint32_t side = 0; side < 2; side++) {
    cake_lower_side(rewriter, branch, side);
    // Behind the branch alone: code generation would gather the comparisons of several of these in front of all of them.
    for (size_t i = 0; side == 1 && i < scan->keep.n_terms; i++)
      scan->keep.terms[i].lane = pin(expand, scan->keep.terms[i].lane);
    values[0] = side == 0 ? vector : mask_vector(scan, vector);
    for (uint32_t i = 0; i < rows; i++)
      values[1 + i] = side == 0 ? i32_constant(expand, 0) : scan->kept[i];
    cake_lower_yield(rewriter, values, rows + 1);
  }
  cake_lower_restore(rewriter, point);
  for (uint32_t i = 0; i < rows; i++)
    scan->kept[i] = cake_op_result(branch, 1 + i);
  return cake_op_result(branch, 0);
}

// The candidates without those that are left out.
static bool mask_candidates(Scan *scan, CakeValue **vector) {
  CakeFragments *expand = scan->expand;
  CakeRewriter *rewriter = expand->rewriter;
  CakeAttr pred = cake_cake_best_keep(scan->op);
  for (uint32_t i = 0; i < scan->state->rows.count; i++)
    scan->kept[i] = i32_constant(expand, 0);
  if (!pred) return true;
  CakeLowerPoint point = cake_lower_save(rewriter);
  CakeValue *source = mask_point(scan, *vector);
  if (source != *vector) cake_rewriter_set_before(rewriter, cake_value_def(source)->next);
  if (!cake_keep_init(&scan->keep, expand, scan->op, pred, cake_cake_best_keep_idx(scan->op), scan->layout))
    return false;
  CakeValue *all = cake_keep_all(&scan->keep);
  CakeValue *masked = all ? mask_unless(scan, all, source) : mask_vector(scan, source);
  cake_lower_restore(rewriter, point);
  *vector = compute_again(scan, *vector, source, masked);
  return true;
}

// ---- Groups --------------------------------------------------------------------------------------------------------------

// The best of `count` values; a NaN loses.
static CakeValue *best_of(Scan *scan, CakeValue *const *values, uint32_t count) {
  if (count == 1) return values[0];
  const char *name = scan->state->best.is_max ? "arith.maxnumf" : "arith.minnumf";
  return cake_build_binary(scan->expand->rewriter, name, best_of(scan, values, count / 2),
                           best_of(scan, values + count / 2, count - count / 2));
}

// Whether a group's best goes before the running one: it is a better number, or the first.
static CakeValue *group_wins(Scan *scan, CakeValue *now, CakeValue *old) {
  bool is_max = scan->state->best.is_max;
  if (scan->state->best.nan == CAKE_NAN_NEVER)
    return compare(scan->expand, is_max ? CAKE_CMPF_OGT : CAKE_CMPF_OLT, now, old);
  CakeValue *is_number = compare(scan->expand, CAKE_CMPF_ORD, now, now);
  return cake_fragments_and(scan->expand, compare(scan->expand, is_max ? CAKE_CMPF_UGT : CAKE_CMPF_ULT, now, old),
                            is_number);
}

static bool is_in_loop(const CakeOp *op) {
  return cake_op_parent_named(op, "scf.for") || cake_op_parent_named(op, "scf.while");
}

static CakeValue *replace_if(Scan *scan, CakeValue *condition, CakeValue *now, CakeValue *old) {
  if (!is_in_loop(scan->op)) return cake_lower_select(scan->expand->rewriter, condition, now, old);
  CakeValue *operands[] = {condition, now, old};
  return cake_build1(scan->expand->rewriter, "gpu.replace_if", old->type, operands, 3);
}

static void scan_group(Scan *scan, uint32_t row, uint32_t first_slot, Candidate *best, CakeValue **column) {
  uint32_t group = scan->state->group;
  CakeValue *values[8];
  for (uint32_t j = 0; j < group; j++)
    values[j] = scan->values[element_at(scan->layout, row, first_slot + j)];
  CakeValue *now = best_of(scan, values, group), *wins = group_wins(scan, now, best->value);
  best->value = replace_if(scan, wins, now, best->value);
  for (uint32_t j = 0; j + 1 < group; j++)
    best->kept[j] = replace_if(scan, wins, values[j], best->kept[j]);
  *column = cake_lower_select(scan->expand->rewriter, wins,
                              i32_constant(scan->expand, column_of(scan->layout, first_slot)), *column);
}

// Where no group has won yet, what was seen are NaN (or worst numbers), and their first stands for them.
static void finish_index(Scan *scan, uint32_t row, CakeValue *column, Candidate *best) {
  CakeFragments *expand = scan->expand;
  CakeRewriter *rewriter = expand->rewriter;
  CakeValue *first = cake_lower_add(rewriter, scan->kept[row], scan->first);
  if (cake_cake_best_keep(scan->op))
    first = cake_lower_select(rewriter, is_none(expand, scan->kept[row]), i32_constant(expand, -1), first);
  CakeValue *old = cake_lower_select(rewriter, is_none(expand, best->index), first, best->index);
  CakeValue *now = cake_lower_add(rewriter, column, scan->first);
  best->index = cake_lower_select(rewriter, is_none(expand, column), old, now);
}

static void scan_groups(Scan *scan, Candidate *rows) {
  uint32_t n_rows = scan->state->rows.count, cols = cake_layout_col_slots(scan->layout);
  CakeValue **columns = CAKE_ARENA_ARRAY(scan->expand->scratch, CakeValue *, n_rows);
  for (uint32_t row = 0; row < n_rows; row++)
    columns[row] = i32_constant(scan->expand, -1);
  for (uint32_t c = 0; c < cols; c += scan->state->group) {
    for (uint32_t row = 0; row < n_rows; row++)
      scan_group(scan, row, c, &rows[row], &columns[row]);
  }
  for (uint32_t row = 0; row < n_rows; row++)
    finish_index(scan, row, columns[row], &rows[row]);
}

// ---- Other orders: one candidate after the other -------------------------------------------------------------------------

static void scan_columns(Scan *scan, Candidate *rows) {
  CakeFragments *expand = scan->expand;
  CakeRewriter *rewriter = expand->rewriter;
  uint32_t cols = cake_layout_col_slots(scan->layout);
  for (uint32_t row = 0; row < scan->state->rows.count; row++) {
    for (uint32_t c = 0; c < cols; c++) {
      uint32_t element = element_at(scan->layout, row, c);
      CakeValue *index = cake_lower_add_const(rewriter, scan->first, column_of(scan->layout, c));
      Candidate now =
          better(expand, &scan->state->best, rows[row], (Candidate){.value = scan->values[element], .index = index});
      CakeValue *kept = cake_keep_at(&scan->keep, element);
      rows[row].value = kept ? cake_lower_select(rewriter, kept, now.value, rows[row].value) : now.value;
      rows[row].index = kept ? cake_lower_select(rewriter, kept, now.index, rows[row].index) : now.index;
    }
  }
}

// ---- best ----------------------------------------------------------------------------------------------------------------

static bool init_scan(Scan *scan, CakeFragments *expand, CakeOp *op, const BestState *state, const CakeLayout *layout) {
  *scan = (Scan){.expand = expand, .op = op, .state = state, .layout = layout};
  scan->kept = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, state->rows.count);
  CakeLowerEnv env = cake_fragments_env(expand, cake_cake_best_at_idx(op));
  CakeValue *at = cake_lower_expr(expand->rewriter, op, cake_cake_best_at(op), &env);
  if (!at) return false;
  CakeValue *col = cake_fragments_col(expand, cake_fragments_role(expand, op), layout);
  CakeValue *vector = cake_fragments_get_value(expand, cake_cake_best_value(op));
  scan->first =
      cake_lower_cast(expand->rewriter, cake_lower_add(expand->rewriter, at, col), cake_type_i32(expand->context));
  if (is_in_groups(&state->best)
          ? !mask_candidates(scan, &vector)
          : !cake_keep_init(&scan->keep, expand, op, cake_cake_best_keep(op), cake_cake_best_keep_idx(op), layout))
    return false;
  scan->values = cake_fragments_unpack(expand, vector, layout->fragment.element, layout->count);
  return true;
}

static bool check_best(CakeOp *op, const BestState *state, const CakeLayout *layout) {
  if (layout->fragment.base != state->best.form || cake_layout_row_slots(layout) != state->rows.count ||
      layout->fragment.element != state->best.element)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED,
                      "takes candidates of another form or element type than its running best");
  if (state->group <= 8 && cake_layout_col_slots(layout) % state->group == 0) return true;
  return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "takes groups of %u columns, but a lane has %u of a row",
                    state->group, cake_layout_col_slots(layout));
}

static bool is_followed_by_await(const CakeOp *op) {
  for (const CakeOp *next = op->next; next; next = next->next)
    if (cake_is_cake_op(next, cake_op_cake_await)) return true;
  return false;
}

// Computed before the next wait: the multiplications that are waited for run meanwhile.
static void pin_before_await(CakeFragments *expand, CakeValue **values) {
  CakeNamedAttr branch = {cake_id_text(expand->context, "branch"), cake_attr_unit(expand->context)};
  values[0] = pin(expand, values[0]);
  CakeOp *op = cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "gpu.pin",
                                                                  .operands = &values[1],
                                                                  .n_operands = 1,
                                                                  .result_types = &values[1]->type,
                                                                  .n_results = 1,
                                                                  .attrs = &branch,
                                                                  .n_attrs = 1});
  values[1] = cake_op_result(op, 0);
}

bool cake_fragments_best(CakeFragments *expand, CakeOp *op) {
  BestState state;
  CakeLayout layout;
  Scan scan;
  if (!read_best(op, cake_op_result(op, 0)->type, &state) ||
      !cake_fragments_acc_layout(op, cake_cake_best_value(op)->type, &layout) || !check_best(op, &state, &layout))
    return false;
  if (!init_scan(&scan, expand, op, &state, &layout)) return false;
  Candidate *rows = open_best(expand, &state, cake_cake_best_into(op));
  if (is_in_groups(&state.best))
    scan_groups(&scan, rows);
  else
    scan_columns(&scan, rows);
  CakeThreadValues made = close_best(expand, &state, rows);
  if (is_followed_by_await(op)) pin_before_await(expand, made.values);
  cake_fragments_set_values(expand, cake_op_result(op, 0), made);
  return true;
}

// ---- settle --------------------------------------------------------------------------------------------------------------

// The first column of the group that equals its best; where all are NaN, the index is exact.
static void find_column(CakeFragments *expand, const BestState *state, Candidate *best) {
  CakeRewriter *rewriter = expand->rewriter;
  uint32_t group = state->group;
  if (group == 1) return;
  CakeValue *is_nan = compare(expand, CAKE_CMPF_UNO, best->value, best->value);
  CakeValue *column = cake_lower_select(rewriter, is_nan, i32_constant(expand, 0),
                                        i32_constant(expand, column_of(&state->rows, group - 1)));
  for (uint32_t j = group - 1; j-- > 0;) {
    CakeValue *is_it = compare(expand, CAKE_CMPF_OEQ, best->kept[j], best->value);
    column = cake_lower_select(rewriter, is_it, i32_constant(expand, column_of(&state->rows, j)), column);
  }
  CakeValue *index = cake_lower_add(rewriter, best->index, column);
  best->index = cake_lower_select(rewriter, is_none(expand, best->index), best->index, index);
}

// A row in which nothing was seen has the value that any number is better than.
static CakeValue *settled_value(CakeFragments *expand, const BestState *state, Candidate best) {
  CakeValue *nothing = cake_build_constant(expand->rewriter, worst(state));
  return cake_lower_select(expand->rewriter, is_none(expand, best.index), nothing, best.value);
}

// The best of several lanes where numbers go before NaN: first the value, then the index that `tie` prefers among the lanes that have it. An index
// of -1 is behind all others in either order. NaN is the best only where all are.
static void merge_by_value(CakeFragments *expand, const CakeBest *best, int64_t lanes, Candidate *row) {
  CakeRewriter *rewriter = expand->rewriter;
  CakeValue *own = row->value;
  for (int64_t mask = 1; mask < lanes; mask *= 2)
    row->value = cake_build_binary(rewriter, best->is_max ? "arith.maxnumf" : "arith.minnumf", row->value,
                                   cake_fragments_shuffle(expand, row->value, mask));
  CakeValue *has_it = cake_fragments_or(expand, compare(expand, CAKE_CMPF_OEQ, own, row->value),
                                        compare(expand, CAKE_CMPF_UNO, row->value, row->value));
  row->index = cake_lower_select(rewriter, has_it, row->index, i32_constant(expand, -1));
  for (int64_t mask = 1; mask < lanes; mask *= 2)
    row->index = cake_build_binary(rewriter, best->tie == CAKE_TIE_HIGH ? "arith.maxsi" : "arith.minui", row->index,
                                   cake_fragments_shuffle(expand, row->index, mask));
}

static void merge_by_order(CakeFragments *expand, const CakeBest *best, int64_t lanes, Candidate *row) {
  for (int64_t mask = 1; mask < lanes; mask *= 2) {
    Candidate other = {.value = cake_fragments_shuffle(expand, row->value, mask),
                       .index = cake_fragments_shuffle(expand, row->index, mask)};
    *row = better(expand, best, *row, other);
  }
}

// The four lanes of a quad hold the columns of a row: two exchanges. A lane of tmem.ld has its row for itself.
bool cake_fragments_settle(CakeFragments *expand, CakeOp *op) {
  BestState state;
  CakeValue *best = cake_cake_settle_best(op);
  if (!read_best(op, best->type, &state)) return false;
  if (state.rows.fragment.warp_cols != 1)
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "merges rows over several warps, which is not lowered yet");
  Candidate *rows = open_best(expand, &state, best);
  uint32_t count = state.rows.count;
  int64_t lanes = state.rows.fragment.kind == CAKE_FORM_TMEM_LD ? 1 : 4;
  CakeValue **values = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, count),
            **indices = CAKE_ARENA_ARRAY(expand->scratch, CakeValue *, count);
  for (uint32_t i = 0; i < count; i++) {
    find_column(expand, &state, &rows[i]);
    if (lanes > 1)
      (state.best.nan == CAKE_NAN_FIRST ? merge_by_order : merge_by_value)(expand, &state.best, lanes, &rows[i]);
    values[i] = settled_value(expand, &state, rows[i]);
    indices[i] = rows[i].index;
  }
  CakeType type = cake_layout_vector(&state.rows);
  cake_fragments_set_value(expand, cake_op_result(op, 0), cake_fragments_pack(expand, values, count, type));
  cake_fragments_set_value(expand, cake_op_result(op, 1),
                           cake_fragments_pack(expand, indices, count, index_vector(&state)));
  return true;
}
