// Rule padding: what a tile holds behind the end of its array must not win a running best, nor disturb a product.
//
// The rule walks back from `best` (along its columns), from `reduce` (along its axis) and from `mma` (along the summed dimension) to the loads and
// copies that pad, through arithmetic, `spread`, `mma`, `get`, `slice`, the copies of a slot and the multiplications that fill one. On the way to
// `best` a neutral mask directly before it, or its own `keep`, may exclude the padded columns; that it does is proved from the
// expressions. Where only a part is taken, what is reduced begins at an offset into the tile.
#include "verifier/rules.h"

#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/best.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/reduce.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"
#include "dialects/cake/ops/views.h"
#include "verifier/steps.h"
#include "verifier/tiles.h"

#include <math.h>

typedef enum Axis { AXIS_ROW, AXIS_COL } Axis;

typedef struct Keep {
  CakeAttr pred; // NULL: none
  CakeOperandRange idx;
} Keep;

// Element i of what is reduced is element offset + i of the value along the axis.
typedef struct Visit {
  const CakeValue *value;
  Axis axis;
  size_t offset; // number in the search
} Visit;

enum { UNKNOWN_OFFSET, NO_OFFSET };

typedef struct Search {
  CakeOp *user;            // best or mma
  Keep keeps[2];           // of best, and of a neutral mask before it
  bool is_product;         // padding by 0 is neutral
  bool is_sum;             // of a reduction: so it is, while the ops on the way keep a 0
  CakeExprKind coordinate; // in predicates: along what is reduced
  bool is_lost;            // an op on the way may have made something else of it
  CakeOp *tiles;           // the slot that is looked at is that of step `step`; NULL: of any
  int64_t step;
  CAKE_VEC(CakeSum) offsets;
  CAKE_VEC(Visit) seen;
  size_t next; // of `seen`: the first to be looked at
  bool ok;
} Search;

// ---- Is it excluded? -----------------------------------------------------------------------------------------------

// Column `col` of the tile is element start + col of the array; those with start + col ≥ size are padding. A comparison
// lhs < rhs that keeps an element excludes them when (start + col - size) ≤ (lhs - rhs) always, for then padding means
// lhs ≥ rhs.

// Whether `difference` ≤ -slack: as it is, or with a promise a ≤ b of the iterator, so that b - a may be added.
static bool is_at_most(const CakeOp *tiles, const CakeSum *difference, int64_t slack) {
  CakeAttr bound = tiles ? cake_cake_tiles_bound(tiles) : NULL;
  CakeSum lhs, rhs, sum;
  if (difference->count == 0) return difference->constant <= -slack;
  for (size_t i = 0; i < cake_pred_count(bound); i++) {
    CakePredTerm term = cake_pred_term(bound, i);
    if (term.compare != CAKE_COMPARE_LE || !cake_sum_of(term.lhs, NULL, &lhs) || !cake_sum_of(term.rhs, NULL, &rhs) ||
        !cake_sum_add(difference, -1, &lhs, &sum) || !cake_sum_add(&sum, 1, &rhs, &sum))
      continue;
    if (sum.count == 0 && sum.constant <= -slack) return true;
  }
  return false;
}

static bool term_excludes(const CakeOp *tiles, CakePredTerm term, CakeOperandRange idx, const CakeSum *beyond) {
  CakeSumEnv env = {idx};
  CakeSum lhs, rhs, excess, difference;
  int64_t slack = 0;
  bool is_swapped = term.compare == CAKE_COMPARE_GT || term.compare == CAKE_COMPARE_GE;
  if (term.compare == CAKE_COMPARE_LE || term.compare == CAKE_COMPARE_GE) slack = 1;
  if (term.compare == CAKE_COMPARE_EQ || term.compare == CAKE_COMPARE_NE) return false;
  if (!cake_sum_of(is_swapped ? term.rhs : term.lhs, &env, &lhs) ||
      !cake_sum_of(is_swapped ? term.lhs : term.rhs, &env, &rhs))
    return false;
  return cake_sum_add(&lhs, -1, &rhs, &excess) && cake_sum_add(beyond, -1, &excess, &difference) &&
         is_at_most(tiles, &difference, slack);
}

static bool keep_excludes(const CakeOp *tiles, const Keep *keep, const CakeSum *beyond) {
  for (size_t i = 0; i < cake_pred_count(keep->pred); i++)
    if (term_excludes(tiles, cake_pred_term(keep->pred, i), keep->idx, beyond)) return true;
  return false;
}

// The step in a sum becomes the one that is known.
static bool fix_step(const Search *search, CakeSum *sum) {
  for (size_t i = 0; search->tiles && i < sum->count; i++) {
    if (sum->atoms[i].kind != CAKE_ATOM_STEP || sum->atoms[i].key != search->tiles) continue;
    CakeSum step = {.count = 1, .atoms = {sum->atoms[i]}, .factors = {1}}, known = cake_sum_constant(search->step);
    int64_t factor = sum->factors[i];
    return cake_sum_add(sum, -factor, &step, sum) && cake_sum_add(sum, factor, &known, sum);
  }
  return true;
}

static bool is_excluded(const Search *search, const CakeTile *tile, size_t dim, size_t offset) {
  CakeSumEnv env = {tile->at_idx};
  CakeSum start, size, beyond, col;
  CakeAttr column = cake_expr_leaf(search->user->context, search->coordinate);
  if (!cake_sum_of(cake_at_expr(tile->at, dim), &env, &start) ||
      !cake_sum_of(cake_global_dim(tile->global, dim), NULL, &size) || !cake_sum_of(column, NULL, &col))
    return false;
  if (!fix_step(search, &start) || offset == UNKNOWN_OFFSET ||
      !cake_sum_add(&start, 1, &search->offsets.data[offset], &start))
    return false;
  if (!cake_sum_add(&start, 1, &col, &beyond) || !cake_sum_add(&beyond, -1, &size, &beyond)) return false;
  const CakeOp *items = cake_op_parent_named(search->user, "cake.items"), *tiles = items ? cake_op_tiles(items) : NULL;
  return keep_excludes(tiles, &search->keeps[0], &beyond) || keep_excludes(tiles, &search->keeps[1], &beyond);
}

// ---- Sources -------------------------------------------------------------------------------------------------------

static double number_of(CakeAttr number) {
  return cake_attr_is(number, &cake_attr_def_float) ? cake_attr_float_value(number)
                                                    : (double)cake_attr_int_value(number);
}

static void report_source(Search *search, const CakeTile *tile, size_t dim) {
  CakeOp *op = search->user;
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_PAD_NOT_NEUTRAL,
                                       search->is_product ? "in %s sums over padding of %s that is not 0"
                                       : cake_is_cake_op(op, cake_op_cake_reduce)
                                           ? "in %s reduces padding behind the end of %s, which is not neutral"
                                           : "in %s takes padding behind the end of %s as candidates",
                                       cake_where(op), cake_value_text(tile->array));
  cake_diag_note(op->context, d, tile->op->loc, "elements behind the end of dimension %zu become %s here", dim,
                 cake_attr_text(tile->pad));
  CakeAttr size = cake_global_dim(tile->global, dim);
  if (search->is_product)
    cake_diag_fix(op->context, d, "write `pad(0.0)`");
  else if (cake_is_cake_op(op, cake_op_cake_reduce))
    cake_diag_fix(op->context, d, "mask what is reduced: `cake.mask … keep(…) fill(…)` with the neutral number");
  else
    cake_diag_fix(op->context, d, "write `keep(col + … lt %s)` with the index of column 0",
                  cake_expr_kind(size) == CAKE_EXPR_NAME ? cake_expr_name_of(size)->text : cake_body_text(size));
  search->ok = cake_diag_emit(op->context, d);
}

// A tile that fills the fragment (or the part that it was read from); `axis` is one of the fragment.
static void visit_tile(Search *search, CakeOp *op, Visit at, size_t rank) {
  CakeTile tile;
  if (!cake_tile_of(op, &tile) || !tile.pad) return;
  size_t dim = cake_tile_dim(&tile, at.axis == AXIS_COL || rank == 1 ? rank - 1 : 0);
  if (cake_tile_fits(&tile, dim)) return;
  bool is_zero = (search->is_product || search->is_sum) && !search->is_lost && number_of(tile.pad) == 0.0;
  if (is_zero || (!search->is_product && is_excluded(search, &tile, dim, at.offset))) return;
  report_source(search, &tile, dim);
}

// ---- Walking back --------------------------------------------------------------------------------------------------

// A view's or fragment's offset along an axis, added to what there is. NULL `off`: none.
static size_t shift(Search *search, size_t offset, CakeAttr off, CakeOperandRange idx, Axis axis) {
  CakeSumEnv env = {idx};
  CakeSum more, sum;
  if (!off || offset == UNKNOWN_OFFSET) return offset;
  size_t dim = cake_at_count(off) > 1 && axis == AXIS_COL ? 1 : 0;
  if (!cake_sum_of(cake_at_expr(off, dim), &env, &more) || !cake_sum_add(&search->offsets.data[offset], 1, &more, &sum))
    return UNKNOWN_OFFSET;
  CAKE_PUSH(&search->offsets, sum);
  return search->offsets.len - 1;
}

static bool same_offset(const Search *search, size_t a, size_t b) {
  int64_t difference;
  if (a == b || a == UNKNOWN_OFFSET || b == UNKNOWN_OFFSET) return a == b;
  return cake_sum_difference(&search->offsets.data[a], &search->offsets.data[b], &difference) && difference == 0;
}

// Puts a value on the list unless it was there already or holds no elements.
static void visit(Search *search, const CakeValue *value, Axis axis, size_t offset) {
  enum { MOST = 4096 };
  bool is_data = cake_type_is(value->type, &cake_type_def_tensor) || cake_type_is(value->type, &cake_type_def_pending);
  if (!is_data || search->seen.len > MOST) return;
  for (size_t i = 0; i < search->seen.len; i++) {
    const Visit *seen = &search->seen.data[i];
    if (seen->value == value && seen->axis == axis && same_offset(search, seen->offset, offset)) return;
  }
  CAKE_PUSH(&search->seen, ((Visit){value, axis, offset}));
}

// Whether an op's view is the part, of an open slot, that a view of a full slot names.
static CakeOp *fills_part(const CakeValue *target, const CakeValue *view, const CakeOp *pipeline) {
  CakeOp *acquire = cake_value_def(target);
  return acquire && target->index == view->index && cake_op_pipeline(acquire) == pipeline ? acquire : NULL;
}

static void visit_fill(Search *search, CakeOp *op, const CakeValue *view, CakeOp *wait, Visit at) {
  const CakeOp *pipeline = cake_op_pipeline(wait);
  if (cake_is_cake_op(op, cake_op_cake_put) && fills_part(cake_cake_put_view(op), view, pipeline)) {
    at.offset = shift(search, at.offset, cake_cake_put_value_off(op), cake_cake_put_value_off_idx(op), at.axis);
    visit(search, cake_cake_put_value(op), at.axis, at.offset);
  }
  CakeOp *acquire = cake_is_cake_op(op, cake_op_cake_copy) ? fills_part(cake_cake_copy_view(op), view, pipeline) : NULL;
  if (!acquire) return;
  if (!cake_wait_step(wait, acquire, &search->tiles, &search->step)) search->tiles = NULL;
  visit_tile(search, op, at, cake_shared_rank(view->type));
  search->tiles = NULL;
}

// What fills the part that a view of a full slot names, and the multiplications of which one of tensor memory is the sum.
static void visit_part(Search *search, const CakeValue *view, Visit at) {
  CakeOp *wait = cake_value_def(view), *pipeline = wait ? cake_op_pipeline(wait) : NULL;
  CakeOp *kernel = pipeline ? cake_op_kernel(pipeline) : NULL;
  for (CakeOp *op = kernel; op && search->ok; op = cake_op_walk_next(kernel, op, false)) {
    visit_fill(search, op, view, wait, at);
    if (!cake_is_cake_op(op, cake_op_cake_commit) || cake_op_pipeline(op) != pipeline) continue;
    const CakeValue *sum = cake_cake_commit_after(op);
    if (sum) visit(search, sum, at.axis, at.offset);
  }
}

static void visit_operand(Search *search, const CakeValue *operand, Visit at) {
  if (cake_type_is(operand->type, &cake_type_def_shared))
    visit_part(search, operand, at);
  else
    visit(search, operand, at.axis, at.offset);
}

static void visit_spread(Search *search, const CakeOp *op, Visit at) {
  const CakeValue *value = cake_cake_spread_value(op);
  CakeFragment from;
  if (!cake_fragment_of(value->type, &from)) return;
  if ((from.part == CAKE_FORM_COL) == (at.axis == AXIS_COL)) visit(search, value, at.axis, at.offset);
}

// Ops that give 0 where their (padded) operand is 0; of a product one factor is enough, and the other must be finite.
static bool keeps_zero(const CakeOp *op) {
  static const char *const names[] = {"arith.extf", "arith.truncf", "arith.mulf", "arith.muli",
                                      "arith.negf", "arith.extsi",  "math.absf",  "math.sqrt",
                                      "math.tanh",  "arith.andi",   "arith.shli"};
  for (size_t i = 0; i < CAKE_COUNT(names); i++)
    if (cake_op_is(op, names[i])) return true;
  return false;
}

// Rows of the product are those of a, columns those of b.
static void visit_product(Search *search, CakeOp *op, Visit at) {
  CakeMmaForm form = cake_form_of(cake_cake_mma_form(op));
  visit(search, cake_cake_mma_acc(op), at.axis, at.offset);
  if (at.axis == AXIS_COL) {
    at.axis = form.b == 't' ? AXIS_ROW : AXIS_COL;
    at.offset = shift(search, at.offset, cake_cake_mma_b_off(op), cake_cake_mma_b_off_idx(op), at.axis);
    visit_operand(search, cake_cake_mma_b(op), at);
  } else {
    at.axis = form.a == 'n' ? AXIS_ROW : AXIS_COL;
    at.offset = shift(search, at.offset, cake_cake_mma_a_off(op), cake_cake_mma_a_off_idx(op), at.axis);
    visit_operand(search, cake_cake_mma_a(op), at);
  }
}

static void visit_definition(Search *search, CakeOp *op, Visit at) {
  if (cake_is_cake_op(op, cake_op_cake_load)) {
    visit_tile(search, op, at, (size_t)cake_type_rank(op->results[0].type));
  } else if (cake_is_cake_op(op, cake_op_cake_get)) {
    at.offset = shift(search, at.offset, cake_cake_get_off(op), cake_cake_get_off_idx(op), at.axis);
    visit_part(search, cake_cake_get_view(op), at);
  } else if (cake_is_cake_op(op, cake_op_cake_slice)) {
    at.offset = shift(search, at.offset, cake_cake_slice_off(op), cake_cake_slice_off_idx(op), at.axis);
    visit(search, cake_cake_slice_value(op), at.axis, at.offset);
  } else if (cake_is_cake_op(op, cake_op_cake_spread)) {
    visit_spread(search, op, at);
  } else if (cake_is_cake_op(op, cake_op_cake_mma)) {
    visit_product(search, op, at);
  } else {
    search->is_lost |= search->is_sum && !keeps_zero(op);
    for (uint32_t i = 0; i < op->n_operands; i++)
      visit(search, cake_op_operand(op, i), at.axis, at.offset); // arithmetic, mask, await
  }
}

// A carried value: what goes in, and what each round hands on.
static void visit_argument(Search *search, Visit at) {
  CakeBlock *body = cake_arg_owner(at.value);
  CakeOp *loop = cake_block_parent(body);
  if (!loop || !loop->info->def || loop->info->def->flow.kind != CAKE_FLOW_LOOP || body->n_args < loop->n_results)
    return;
  uint32_t n_first = body->n_args - loop->n_results;
  if (at.value->index < n_first) return;
  uint32_t carried = at.value->index - n_first;
  if (loop->n_operands >= loop->n_results)
    visit(search, cake_op_operand(loop, loop->n_operands - loop->n_results + carried), at.axis, at.offset);
  if (body->last && body->last->n_operands > carried)
    visit(search, cake_op_operand(body->last, carried), at.axis, at.offset);
}

static void visit_regions(Search *search, const CakeOp *op, Visit at) {
  for (uint32_t r = 0; r < op->n_regions; r++) {
    CakeOp *end = cake_op_region(op, r)->first ? cake_op_region(op, r)->first->last : NULL;
    if (end && end->n_operands >= op->n_results)
      visit(search, cake_op_operand(end, end->n_operands - op->n_results + at.value->index), at.axis, at.offset);
  }
}

static Search start(CakeOp *user, CakeExprKind coordinate) {
  Search search = {.user = user, .coordinate = coordinate, .ok = true};
  CakeSum zero = cake_sum_constant(0);
  CAKE_PUSH(&search.offsets, zero); // UNKNOWN_OFFSET
  CAKE_PUSH(&search.offsets, zero); // NO_OFFSET
  return search;
}

static bool run(Search *search) {
  while (search->ok && search->next < search->seen.len) {
    Visit at = search->seen.data[search->next++];
    CakeOp *definition = cake_value_def(at.value);
    if (!definition)
      visit_argument(search, at);
    else if (definition->n_regions)
      visit_regions(search, definition, at);
    else
      visit_definition(search, definition, at);
  }
  CAKE_VEC_FINI(&search->seen);
  CAKE_VEC_FINI(&search->offsets);
  return search->ok;
}

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
  double number = number_of(fill);
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
  Search search = start(best, CAKE_EXPR_COL);
  search.keeps[0] = (Keep){cake_cake_best_keep(best), cake_cake_best_keep_idx(best)};
  if (mask && cake_is_cake_op(mask, cake_op_cake_mask)) {
    bool is_fine = is_neutral(cake_cake_mask_fill(mask), type.is_max);
    if (!is_fine && !search.keeps[0].pred && mask_uses_column(cake_cake_mask_keep(mask))) {
      CAKE_VEC_FINI(&search.offsets);
      return report_fill(mask, best, type.is_max);
    }
    if (is_fine) search.keeps[1] = (Keep){cake_cake_mask_keep(mask), cake_cake_mask_keep_idx(mask)};
  }
  visit(&search, value, AXIS_COL, NO_OFFSET);
  return run(&search);
}

// ---- reduce --------------------------------------------------------------------------------------------------------

static bool is_neutral_of(CakeReduceKind kind, CakeAttr fill) {
  double number = number_of(fill);
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
    double fill = cake_is_cake_op(op, cake_op_cake_mask) ? number_of(cake_cake_mask_fill(op)) : 0;
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
    Search search = start(reduce, axis == 0 ? CAKE_EXPR_ROW : CAKE_EXPR_COL);
    search.is_sum = kind == CAKE_REDUCE_ADD || kind == CAKE_REDUCE_OR || kind == CAKE_REDUCE_XOR;
    CakeOp *of_scores = kind == CAKE_REDUCE_ADD ? mask_of_exponentials(value) : NULL;
    if (of_scores) {
      search.is_lost = true; // the exponential of a 0 is none
      search.keeps[1] = (Keep){cake_cake_mask_keep(of_scores), cake_cake_mask_keep_idx(of_scores)};
      visit(&search, cake_cake_mask_value(of_scores), axis == 0 ? AXIS_ROW : AXIS_COL, NO_OFFSET);
    } else if (mask && cake_is_cake_op(mask, cake_op_cake_mask)) {
      if (is_neutral_of(kind, cake_cake_mask_fill(mask)))
        search.keeps[1] = (Keep){cake_cake_mask_keep(mask), cake_cake_mask_keep_idx(mask)};
      visit(&search, cake_cake_mask_value(mask), axis == 0 ? AXIS_ROW : AXIS_COL, NO_OFFSET);
    } else {
      visit(&search, value, axis == 0 ? AXIS_ROW : AXIS_COL, NO_OFFSET);
    }
    ok = run(&search);
  }
  return ok;
}

static bool check_mma(CakeOp *mma) {
  Search search = start(mma, CAKE_EXPR_COL);
  search.is_product = true;
  CakeMmaForm form = cake_form_of(cake_cake_mma_form(mma)); // the letters tell along which dimension is summed
  visit_operand(&search, cake_cake_mma_a(mma), (Visit){NULL, form.a == 'n' ? AXIS_COL : AXIS_ROW, NO_OFFSET});
  visit_operand(&search, cake_cake_mma_b(mma), (Visit){NULL, form.b == 't' ? AXIS_COL : AXIS_ROW, NO_OFFSET});
  return run(&search);
}

bool cake_rule_padding(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false)) {
    if (!cake_op_role(op)) continue;
    if (cake_is_cake_op(op, cake_op_cake_best)) ok &= check_best(op);
    if (cake_is_cake_op(op, cake_op_cake_mma)) ok &= check_mma(op);
    if (cake_is_cake_op(op, cake_op_cake_reduce)) ok &= check_reduce(op);
  }
  return ok;
}
