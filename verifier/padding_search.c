// The walk of rule padding: through arithmetic, `spread`, `mma`, `get`, `slice`, the copies of a slot and the multiplications that fill one, to the loads
// and copies that pad. On the way to `best` or `reduce` a predicate may exclude padded elements; that it does is proved from the expressions.
#include "verifier/padding.h"

#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/reduce.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"
#include "dialects/cake/ops/views.h"
#include "verifier/rules.h"
#include "verifier/steps.h"

#include <math.h>

enum { MAX_INDICES = 32 }; // that an expression is followed through

// ---- Is it excluded? -----------------------------------------------------------------------------------------------

// Column `col` of the tile is element start + col of the array; those with start + col ≥ size are padding. A comparison
// lhs < rhs that keeps an element excludes them when (start + col - size) ≤ (lhs - rhs) always, for then padding means
// lhs ≥ rhs.

static bool term_excludes(const CakePadSearch *search, const CakeOp *tiles, CakePredTerm term, CakeOperandRange idx,
                          const CakeSum *beyond) {
  CakeSumEnv env = {idx};
  CakeSum lhs, rhs, excess, difference;
  int64_t slack = 0;
  bool is_swapped = term.compare == CAKE_COMPARE_GT || term.compare == CAKE_COMPARE_GE;
  if (term.compare == CAKE_COMPARE_LE || term.compare == CAKE_COMPARE_GE) slack = 1;
  if (term.compare == CAKE_COMPARE_EQ || term.compare == CAKE_COMPARE_NE) return false;
  if (!cake_sum_of(is_swapped ? term.rhs : term.lhs, &env, &lhs) ||
      !cake_sum_of(is_swapped ? term.lhs : term.rhs, &env, &rhs))
    return false;
  if (!cake_sum_add(&lhs, -1, &rhs, &excess) || !cake_sum_add(beyond, -1, &excess, &difference)) return false;
  if (cake_tiles_promise_most(tiles, &difference, slack)) return true;
  return search->has_rows && cake_sum_add(&difference, 1, &search->rows, &difference) &&
         cake_tiles_promise_most(tiles, &difference, slack);
}

static bool keep_excludes(const CakePadSearch *search, const CakeOp *tiles, const CakePadKeep *keep,
                          const CakeSum *beyond) {
  for (size_t i = 0; i < cake_pred_count(keep->pred); i++)
    if (term_excludes(search, tiles, cake_pred_term(keep->pred, i), keep->idx, beyond)) return true;
  return false;
}

// The step of an iterator becomes the number that is known of it; `only_backwards`: only where the sum falls with it.
static bool fix_step(const CakePadSearch *search, const CakeOp *tiles, bool only_backwards, CakeSum *sum) {
  CakeSum known = cake_sum_constant(search->step);
  for (size_t i = 0; tiles && i < sum->count; i++)
    if (sum->atoms[i].kind == CAKE_ATOM_STEP && sum->atoms[i].key == tiles && !(only_backwards && sum->factors[i] > 0))
      return cake_sum_replace(sum, i, &known);
  return true;
}

// The number of an atom that `cake.index` computes, and that op; `count`: there is none.
static size_t find_index(const CakeSum *sum, const CakeOp **out) {
  size_t i = 0;
  for (; i < sum->count; i++) {
    *out = sum->atoms[i].kind == CAKE_ATOM_VALUE ? cake_value_def(sum->atoms[i].key) : NULL;
    if (*out && cake_is_cake_op(*out, cake_op_cake_index)) break;
  }
  return i;
}

// Values that `cake.index` computes become what they are computed from, one behind the other.
static bool expand_indices(CakeSum *sum) {
  const CakeOp *index;
  for (size_t n = 0, at; (at = find_index(sum, &index)) < sum->count; n++) {
    CakeSumEnv env = {cake_cake_index_idx(index)};
    CakeSum computed;
    if (n == MAX_INDICES || !cake_sum_of(cake_cake_index_expr(index), &env, &computed) ||
        !cake_sum_replace(sum, at, &computed))
      return false;
  }
  return true;
}

// Rows and replicas are counted from 0: a sum without those that are taken from it is no less.
static bool drop_counts(CakeSum *sum) {
  CakeSum zero = cake_sum_constant(0);
  for (size_t i = sum->count; i-- > 0;)
    if (sum->atoms[i].kind == CAKE_ATOM_LEAF && sum->factors[i] <= 0 && !cake_sum_replace(sum, i, &zero)) return false;
  return true;
}

// Whether a number is at most 0, at least where a row is stored: what is left of the rows is not negative there.
static bool is_most_zero(const CakePadSearch *search, const CakeSum *sum) {
  CakeSum with_rows;
  return search->has_rows && cake_sum_add(sum, 1, &search->rows, &with_rows) && expand_indices(&with_rows) &&
         drop_counts(&with_rows) && cake_tiles_promise_most(search->later, &with_rows, 0);
}

// Whether no element lies behind the end in any step from the first on: tiles that go backwards begin lower then.
static bool ends_before(const CakePadSearch *search, const CakeTile *tile, size_t dim) {
  CakeSumEnv env = {tile->at_idx};
  CakeAttr extent = cake_tile_extent(tile, dim);
  CakeSum end, length, size, beyond;
  if (!search->later || !extent || !cake_sum_of(cake_at_expr(tile->at, dim), &env, &end) ||
      !cake_sum_of(extent, NULL, &length) || !cake_sum_of(cake_global_dim(tile->global, dim), NULL, &size))
    return false;
  if (!fix_step(search, search->later, true, &end)) return false;
  if (!cake_sum_add(&end, 1, &length, &beyond) || !cake_sum_add(&beyond, -1, &size, &beyond)) return false;
  return is_most_zero(search, &beyond) ||
         (cake_sum_upper(tile->op, &beyond, &beyond) && cake_tiles_promise_most(search->later, &beyond, 0));
}

static bool is_excluded(const CakePadSearch *search, const CakeTile *tile, size_t dim, size_t offset) {
  CakeSumEnv env = {tile->at_idx};
  CakeSum start, size, beyond, col;
  CakeAttr column = cake_expr_leaf(search->user->context, search->coordinate);
  if (!cake_sum_of(cake_at_expr(tile->at, dim), &env, &start) ||
      !cake_sum_of(cake_global_dim(tile->global, dim), NULL, &size) || !cake_sum_of(column, NULL, &col))
    return false;
  if (!fix_step(search, search->tiles, false, &start) || offset == CAKE_PAD_UNKNOWN ||
      !cake_sum_add(&start, 1, &search->offsets.data[offset], &start))
    return false;
  if (!cake_sum_add(&start, 1, &col, &beyond) || !cake_sum_add(&beyond, -1, &size, &beyond)) return false;
  const CakeOp *items = cake_op_parent_named(search->user, "cake.items"), *tiles = items ? cake_op_tiles(items) : NULL;
  return keep_excludes(search, tiles, &search->keeps[0], &beyond) ||
         keep_excludes(search, tiles, &search->keeps[1], &beyond);
}

// ---- Sources -------------------------------------------------------------------------------------------------------

double cake_pad_number(CakeAttr number) {
  return cake_attr_is(number, &cake_attr_def_float) ? cake_attr_float_value(number)
                                                    : (double)cake_attr_int_value(number);
}

// A finite number times 0: the other factor is 0 wherever this one is padded.
static bool meets_zeros(const CakePadSearch *search, const CakeTile *tile, size_t dim, size_t offset) {
  CakeSum beyond;
  if (!search->factor || search->is_changed || offset == CAKE_PAD_UNKNOWN || !isfinite(cake_pad_number(tile->pad)))
    return false;
  return cake_pad_beyond(tile, dim, &search->offsets.data[offset], &beyond) &&
         cake_pad_is_zero(search->factor, search->factor_axis, &beyond);
}

// Whether an element that is padding goes to one behind the end of the array that is added to.
static bool is_dropped(const CakePadSearch *search, const CakeTile *tile, size_t dim, size_t offset) {
  CakeSum none = cake_sum_constant(0), source, target;
  int64_t difference;
  return search->target && offset != CAKE_PAD_UNKNOWN &&
         cake_pad_beyond(tile, dim, &search->offsets.data[offset], &source) &&
         cake_pad_beyond(search->target, search->target_dim, &none, &target) &&
         cake_sum_difference(&source, &target, &difference) && difference <= 0;
}

static void report_source(CakePadSearch *search, const CakeTile *tile, size_t dim) {
  CakeOp *op = search->user;
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_PAD_NOT_NEUTRAL,
                                       search->is_product ? "in %s sums over padding of %s that is not 0"
                                       : search->target   ? "in %s adds padding behind the end of %s that may not be 0"
                                       : cake_is_cake_op(op, cake_op_cake_reduce)
                                           ? "in %s reduces padding behind the end of %s, which is not neutral"
                                           : "in %s takes padding behind the end of %s as candidates",
                                       cake_where(op), cake_value_text(tile->array));
  cake_diag_note(op->context, d, tile->op->loc, "elements behind the end of dimension %zu become %s here", dim,
                 cake_attr_text(tile->pad));
  CakeAttr size = cake_global_dim(tile->global, dim);
  if (search->is_product || search->target)
    cake_diag_fix(op->context, d, "write `pad(0.0)`");
  else if (cake_is_cake_op(op, cake_op_cake_reduce))
    cake_diag_fix(op->context, d, "mask what is reduced: `cake.mask … keep(…) fill(…)` with the neutral number");
  else
    cake_diag_fix(op->context, d, "write `keep(col + … lt %s)` with the index of column 0",
                  cake_expr_kind(size) == CAKE_EXPR_NAME ? cake_expr_name_of(size)->text : cake_body_text(size));
  search->ok = cake_diag_emit(op->context, d);
}

// Minus infinity of a maximum, or the least integer; plus infinity of a minimum, or the largest.
static bool is_infinity(const CakePadSearch *search, CakeAttr pad) {
  double number = cake_pad_number(pad);
  if (!search->infinity || search->is_lost) return false;
  if (cake_attr_is(pad, &cake_attr_def_integer)) return number == (search->infinity < 0 ? INT32_MIN : INT32_MAX);
  return isinf(number) && (number < 0) == (search->infinity < 0);
}

// A tile that fills the fragment (or the part that it was read from); `axis` is one of the fragment.
static void visit_tile(CakePadSearch *search, CakeOp *op, CakePadVisit at, size_t rank) {
  CakeTile tile;
  if (!cake_tile_of(op, &tile) || !tile.pad) return;
  size_t dim = cake_pad_dim(&tile, at.axis, rank);
  if (cake_tile_fits(&tile, dim) || ends_before(search, &tile, dim)) return;
  bool is_zero = (search->is_product || search->is_sum) && !search->is_lost && cake_pad_number(tile.pad) == 0.0;
  bool is_harmless =
      search->is_product ? meets_zeros(search, &tile, dim, at.offset) : is_excluded(search, &tile, dim, at.offset);
  bool is_neutral = is_zero || is_infinity(search, tile.pad);
  if (is_neutral || is_harmless || is_dropped(search, &tile, dim, at.offset)) return;
  report_source(search, &tile, dim);
}

// ---- Walking back --------------------------------------------------------------------------------------------------

// A view's or fragment's offset along an axis, added to what there is. NULL `off`: none.
static size_t shift(CakePadSearch *search, size_t offset, CakeAttr off, CakeOperandRange idx, CakePadAxis axis) {
  if (!off || offset == CAKE_PAD_UNKNOWN) return offset;
  CakeSum sum = search->offsets.data[offset];
  if (!cake_pad_shift(&sum, off, idx, axis)) return CAKE_PAD_UNKNOWN;
  CAKE_PUSH(&search->offsets, sum);
  return search->offsets.len - 1;
}

static bool same_offset(const CakePadSearch *search, size_t a, size_t b) {
  int64_t difference;
  if (a == b || a == CAKE_PAD_UNKNOWN || b == CAKE_PAD_UNKNOWN) return a == b;
  return cake_sum_difference(&search->offsets.data[a], &search->offsets.data[b], &difference) && difference == 0;
}

// Puts a value on the list unless it was there already or holds no elements.
void cake_pad_visit(CakePadSearch *search, const CakeValue *value, CakePadAxis axis, size_t offset) {
  enum { MOST = 4096 };
  bool is_data = cake_type_is(value->type, &cake_type_def_tensor) || cake_type_is(value->type, &cake_type_def_pending);
  if (!is_data || search->seen.len > MOST) return;
  for (size_t i = 0; i < search->seen.len; i++) {
    const CakePadVisit *seen = &search->seen.data[i];
    if (seen->value == value && seen->axis == axis && same_offset(search, seen->offset, offset)) return;
  }
  CAKE_PUSH(&search->seen, ((CakePadVisit){value, axis, offset}));
}

void cake_pad_visit_part(CakePadSearch *search, const CakeValue *value, CakePadAxis axis, CakeAttr off,
                         CakeOperandRange idx) {
  cake_pad_visit(search, value, axis, shift(search, CAKE_PAD_AT_START, off, idx, axis));
}

// Whether an op's view is the part, of an open slot, that a view of a full slot names.
static CakeOp *fills_part(const CakeValue *target, const CakeValue *view, const CakeOp *pipeline) {
  CakeOp *acquire = cake_value_def(target);
  return acquire && target->index == view->index && cake_op_pipeline(acquire) == pipeline ? acquire : NULL;
}

static void visit_fill(CakePadSearch *search, CakeOp *op, const CakeValue *view, CakeOp *wait, CakePadVisit at) {
  const CakeOp *pipeline = cake_op_pipeline(wait);
  if (cake_is_cake_op(op, cake_op_cake_put) && fills_part(cake_cake_put_view(op), view, pipeline)) {
    search->is_changed = true;
    at.offset = shift(search, at.offset, cake_cake_put_value_off(op), cake_cake_put_value_off_idx(op), at.axis);
    cake_pad_visit(search, cake_cake_put_value(op), at.axis, at.offset);
  }
  CakeOp *acquire = cake_is_cake_op(op, cake_op_cake_copy) ? fills_part(cake_cake_copy_view(op), view, pipeline) : NULL;
  if (!acquire) return;
  if (!cake_wait_step(wait, acquire, &search->tiles, &search->step)) {
    search->tiles = NULL;
    if (!cake_wait_own_step(wait, acquire, &search->later, &search->step)) search->later = NULL;
  }
  visit_tile(search, op, at, cake_shared_rank(view->type));
  search->tiles = search->later = NULL;
}

// What fills the part that a view of a full slot names, and the multiplications of which one of tensor memory is the sum.
static void visit_part(CakePadSearch *search, const CakeValue *view, CakePadVisit at) {
  CakeOp *wait = cake_value_def(view), *pipeline = wait ? cake_op_pipeline(wait) : NULL;
  CakeOp *kernel = pipeline ? cake_op_kernel(pipeline) : NULL;
  for (CakeOp *op = kernel; op && search->ok; op = cake_op_walk_next(kernel, op, false)) {
    visit_fill(search, op, view, wait, at);
    if (!cake_is_cake_op(op, cake_op_cake_commit) || cake_op_pipeline(op) != pipeline) continue;
    const CakeValue *sum = cake_cake_commit_after(op);
    search->is_changed |= sum != NULL;
    if (sum) cake_pad_visit(search, sum, at.axis, at.offset);
  }
}

void cake_pad_visit_operand(CakePadSearch *search, const CakeValue *operand, CakePadVisit at) {
  if (cake_type_is(operand->type, &cake_type_def_shared))
    visit_part(search, operand, at);
  else
    cake_pad_visit(search, operand, at.axis, at.offset);
}

static void visit_spread(CakePadSearch *search, const CakeOp *op, CakePadVisit at) {
  const CakeValue *value = cake_cake_spread_value(op);
  CakeFragment from;
  if (!cake_fragment_of(value->type, &from)) return;
  if ((from.part == CAKE_FORM_COL) == (at.axis == CAKE_PAD_COL)) cake_pad_visit(search, value, at.axis, at.offset);
}

// Ops that give 0 where their (padded) operand is 0; of a product one factor is enough, and the other must be finite.
static bool keeps_zero(const CakeOp *op) {
  static const char *const names[] = {"arith.extf",  "arith.truncf", "arith.mulf", "arith.muli",  "arith.negf",
                                      "arith.extsi", "math.absf",    "math.sqrt",  "math.tanh",   "arith.andi",
                                      "arith.shli",  "cake.await",   "cake.zero",  "cake.convert"};
  if (cake_is_cake_op(op, cake_op_cake_fill)) return cake_pad_number(cake_cake_fill_value(op)) == 0.0;
  for (size_t i = 0; i < CAKE_COUNT(names); i++)
    if (cake_op_is(op, names[i])) return true;
  return false;
}

// Ops that give an infinity where their operand is it.
static bool keeps_infinity(const CakeOp *op) {
  return cake_is_cake_op(op, cake_op_cake_convert) || cake_op_is(op, "arith.extf") || cake_op_is(op, "arith.truncf");
}

// Rows of the product are those of a, columns those of b.
static void visit_product(CakePadSearch *search, CakeOp *op, CakePadVisit at) {
  CakeMmaForm form = cake_form_of(cake_cake_mma_form(op));
  cake_pad_visit(search, cake_cake_mma_acc(op), at.axis, at.offset);
  if (at.axis == CAKE_PAD_COL) {
    at.axis = form.b == 't' ? CAKE_PAD_ROW : CAKE_PAD_COL;
    at.offset = shift(search, at.offset, cake_cake_mma_b_off(op), cake_cake_mma_b_off_idx(op), at.axis);
    cake_pad_visit_operand(search, cake_cake_mma_b(op), at);
  } else {
    at.axis = form.a == 'n' ? CAKE_PAD_ROW : CAKE_PAD_COL;
    at.offset = shift(search, at.offset, cake_cake_mma_a_off(op), cake_cake_mma_a_off_idx(op), at.axis);
    cake_pad_visit_operand(search, cake_cake_mma_a(op), at);
  }
}

static void visit_definition(CakePadSearch *search, CakeOp *op, CakePadVisit at) {
  if (cake_is_cake_op(op, cake_op_cake_load)) {
    visit_tile(search, op, at, (size_t)cake_type_rank(op->results[0].type));
  } else if (cake_is_cake_op(op, cake_op_cake_get)) {
    at.offset = shift(search, at.offset, cake_cake_get_off(op), cake_cake_get_off_idx(op), at.axis);
    visit_part(search, cake_cake_get_view(op), at);
  } else if (cake_is_cake_op(op, cake_op_cake_slice)) {
    at.offset = shift(search, at.offset, cake_cake_slice_off(op), cake_cake_slice_off_idx(op), at.axis);
    cake_pad_visit(search, cake_cake_slice_value(op), at.axis, at.offset);
  } else if (cake_is_cake_op(op, cake_op_cake_spread)) {
    visit_spread(search, op, at);
  } else if (cake_is_cake_op(op, cake_op_cake_mma)) {
    search->is_changed = true;
    search->is_lost |= search->infinity != 0;
    visit_product(search, op, at);
  } else {
    search->is_changed |= !cake_is_cake_op(op, cake_op_cake_convert);
    search->is_lost |= search->is_sum && !keeps_zero(op);
    search->is_lost |= search->infinity && !keeps_infinity(op);
    for (uint32_t i = 0; i < op->n_operands; i++)
      cake_pad_visit(search, cake_op_operand(op, i), at.axis, at.offset); // arithmetic, mask, await
  }
}

// A carried value: what goes in, and what each round hands on.
static void visit_argument(CakePadSearch *search, CakePadVisit at) {
  CakeBlock *body = cake_arg_owner(at.value);
  CakeOp *loop = cake_block_parent(body);
  if (!loop || !loop->info->def || loop->info->def->flow.kind != CAKE_FLOW_LOOP || body->n_args < loop->n_results)
    return;
  uint32_t n_first = body->n_args - loop->n_results;
  if (at.value->index < n_first) return;
  uint32_t carried = at.value->index - n_first;
  search->is_changed = true;
  if (loop->n_operands >= loop->n_results)
    cake_pad_visit(search, cake_op_operand(loop, loop->n_operands - loop->n_results + carried), at.axis, at.offset);
  if (body->last && body->last->n_operands > carried)
    cake_pad_visit(search, cake_op_operand(body->last, carried), at.axis, at.offset);
}

static void visit_regions(CakePadSearch *search, const CakeOp *op, CakePadVisit at) {
  search->is_changed = true;
  for (uint32_t r = 0; r < op->n_regions; r++) {
    CakeOp *end = cake_op_region(op, r)->first ? cake_op_region(op, r)->first->last : NULL;
    if (end && end->n_operands >= op->n_results)
      cake_pad_visit(search, cake_op_operand(end, end->n_operands - op->n_results + at.value->index), at.axis,
                     at.offset);
  }
}

CakePadSearch cake_pad_start(CakeOp *user, CakeExprKind coordinate) {
  CakePadSearch search = {.user = user, .coordinate = coordinate, .ok = true};
  CakeOp *role = cake_op_role(user);
  CakeSum zero = cake_sum_constant(0);
  search.has_rows = coordinate == CAKE_EXPR_COL && role && cake_pad_rows(role, &search.rows);
  CAKE_PUSH(&search.offsets, zero); // CAKE_PAD_UNKNOWN
  CAKE_PUSH(&search.offsets, zero); // CAKE_PAD_AT_START
  return search;
}

bool cake_pad_run(CakePadSearch *search) {
  while (search->ok && search->next < search->seen.len) {
    CakePadVisit at = search->seen.data[search->next++];
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
