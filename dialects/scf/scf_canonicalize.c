// scf: loops that run never or once, branches on constants.
#include "dialects/scf/scf_ops.h"

#include "cake/constants.h"
#include "dialects/scf/scf_hooks.h"

// The value of a constant integer; false when it is none.
static bool constant_of(const CakeValue *value, int64_t *out) {
  CakeAttr attr = cake_value_constant(value);
  if (!attr) return false;
  *out = cake_attr_int_value(attr);
  return cake_attr_is(attr, &cake_attr_def_integer);
}

// Puts the ops of a region's block before `op`, in place of `op`: the terminator's operands become its results.
static void inline_region(CakeOp *op, CakeRewriter *rewriter, uint32_t region, CakeValue *const *args, size_t n_args) {
  CakeBlock *block = cake_region_entry(cake_op_region(op, region));
  CakeOp *yield = cake_block_terminator(block);
  cake_rewriter_inline_block(rewriter, block, op, args, n_args);
  CAKE_VEC(CakeValue *) values = {0};
  for (uint32_t i = 0; i < op->n_results; i++)
    CAKE_PUSH(&values, cake_op_operand(yield, i));
  cake_rewriter_replace(rewriter, op, values.data);
  cake_rewriter_erase(rewriter, yield);
  CAKE_VEC_FINI(&values);
}

// ---- Needless results ----------------------------------------------------------------------------------------------

typedef CAKE_VEC(CakeValue *) ValueVec;

static bool is_used(const CakeValue *value) {
  return value->first_use != NULL;
}

// The op with the results that `kept` says, and `operands`. What its regions yield for the others, which are unused, goes, too.
static void keep_results(CakeOp *op, CakeRewriter *rewriter, const ValueVec *operands, const bool *kept) {
  for (uint32_t i = 0; i < op->n_regions; i++) {
    CakeBlock *block = cake_region_entry(cake_op_region(op, i));
    CakeOp *yield = block ? cake_block_terminator(block) : NULL;
    ValueVec yielded = {0};
    for (uint32_t k = 0; yield && k < op->n_results; k++)
      if (kept[k]) CAKE_PUSH(&yielded, cake_op_operand(yield, k));
    if (yield) cake_rewriter_set_operands(rewriter, yield, yielded.data, yielded.len, NULL, 0);
    CAKE_VEC_FINI(&yielded);
  }
  cake_rewriter_keep_results(rewriter, op, operands->data, operands->len, kept);
}

// ---- Loops ---------------------------------------------------------------------------------------------------------

// A value that is carried unchanged from round to round is the one of the first round.
static bool forward_carried(CakeOp *op, CakeRewriter *rewriter, CakeOperandRange inits) {
  CakeBlock *body = cake_region_entry(cake_op_region(op, 0));
  bool is_changed = false;
  for (uint32_t i = 0; i < inits.count; i++) {
    CakeValue *init = inits.first[i].value, *arg = body->args[1 + i],
              *yielded = cake_op_operand(cake_block_terminator(body), i);
    if ((yielded != arg && yielded != init) || (!is_used(arg) && !is_used(&op->results[i]))) continue;
    cake_rewriter_replace_uses(rewriter, arg, init);
    cake_rewriter_replace_uses(rewriter, &op->results[i], init);
    is_changed = true;
  }
  return is_changed;
}

static bool drop_carried(CakeOp *op, CakeRewriter *rewriter, CakeOperandRange inits) {
  CakeBlock *body = cake_region_entry(cake_op_region(op, 0));
  CAKE_VEC(bool) kept = {0};
  ValueVec operands = {0};
  for (uint32_t i = 0; i < 3; i++)
    CAKE_PUSH(&operands, cake_op_operand(op, i));
  for (uint32_t i = 0; i < inits.count; i++) {
    CAKE_PUSH(&kept, is_used(&op->results[i]) || is_used(body->args[1 + i]));
    if (kept.data[i]) CAKE_PUSH(&operands, inits.first[i].value);
  }
  bool is_changed = operands.len < 3 + inits.count;
  for (uint32_t i = inits.count; is_changed && i-- > 0;)
    if (!kept.data[i]) cake_rewriter_remove_arg(rewriter, body, 1 + i);
  if (is_changed) keep_results(op, rewriter, &operands, kept.data);
  CAKE_VEC_FINI(&operands);
  CAKE_VEC_FINI(&kept);
  return is_changed;
}

bool scf_for_is_speculatable(const CakeOp *op) {
  int64_t step;
  return constant_of(cake_op_operand(op, 2), &step) && step == 1;
}

typedef enum TripCount { TRIPS_UNKNOWN, TRIPS_NONE, TRIPS_ONE } TripCount;

static TripCount trip_count(const CakeOp *op) {
  int64_t low, high, step;
  if (cake_op_operand(op, 0) == cake_op_operand(op, 1)) return TRIPS_NONE;
  if (!constant_of(cake_op_operand(op, 0), &low) || !constant_of(cake_op_operand(op, 1), &high)) return TRIPS_UNKNOWN;
  bool is_unsigned = cake_op_prop(op, CAKE_ATTR_ROW(scf, for, unsignedCmp)) != NULL;
  if (is_unsigned && (low < 0 || high < 0)) return TRIPS_UNKNOWN;
  if (low >= high) return TRIPS_NONE;
  if (!constant_of(cake_op_operand(op, 2), &step) || step <= 0) return TRIPS_UNKNOWN;
  return (uint64_t)high - (uint64_t)low <= (uint64_t)step ? TRIPS_ONE : TRIPS_UNKNOWN;
}

bool scf_for_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  TripCount trips = trip_count(op);
  CakeOperandRange inits = cake_op_operand_group(op, CAKE_GROUP(scf, for, initArgs));
  if (trips == TRIPS_UNKNOWN) return forward_carried(op, rewriter, inits) || drop_carried(op, rewriter, inits);
  CAKE_VEC(CakeValue *) values = {0};
  if (trips == TRIPS_ONE) CAKE_PUSH(&values, cake_op_operand(op, 0));
  for (uint32_t i = 0; i < inits.count; i++)
    CAKE_PUSH(&values, inits.first[i].value);
  if (trips == TRIPS_ONE)
    inline_region(op, rewriter, 0, values.data, values.len);
  else
    cake_rewriter_replace(rewriter, op, values.data);
  CAKE_VEC_FINI(&values);
  return true;
}

// ---- While ---------------------------------------------------------------------------------------------------------

typedef CAKE_VEC(bool) BoolVec;

// Keeps the operands from `first` on that `kept` says.
static void keep_operands(CakeOp *op, CakeRewriter *rewriter, uint32_t first, const BoolVec *kept) {
  ValueVec values = {0};
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (i < first || kept->data[i - first]) CAKE_PUSH(&values, cake_op_operand(op, i));
  cake_rewriter_set_operands(rewriter, op, values.data, values.len, NULL, 0);
  CAKE_VEC_FINI(&values);
}

static void keep_args(CakeBlock *block, CakeRewriter *rewriter, const BoolVec *kept) {
  for (uint32_t i = block->n_args; i-- > 0;)
    if (!kept->data[i]) cake_rewriter_remove_arg(rewriter, block, i);
}

// The loop without what goes into the test for nothing, and without what the test hands on for nothing.
static void keep_of_while(CakeOp *op, CakeRewriter *rewriter, const BoolVec *inits, const BoolVec *results) {
  CakeBlock *before = cake_region_entry(cake_op_region(op, 0)), *after = cake_region_entry(cake_op_region(op, 1));
  keep_operands(before->last, rewriter, 1, results);
  keep_operands(after->last, rewriter, 0, inits);
  keep_args(before, rewriter, inits);
  keep_args(after, rewriter, results);
  keep_operands(op, rewriter, 0, inits);
  CAKE_VEC(CakeType) types = {0};
  ValueVec operands = {0};
  for (uint32_t i = 0; i < op->n_results; i++)
    if (results->data[i]) CAKE_PUSH(&types, op->results[i].type);
  for (uint32_t i = 0; i < op->n_operands; i++)
    CAKE_PUSH(&operands, cake_op_operand(op, i));
  CakeOpState state = {.loc = op->loc,
                       .info = op->info,
                       .operands = operands.data,
                       .n_operands = operands.len,
                       .result_types = types.data,
                       .n_results = types.len,
                       .attrs = op->attrs,
                       .n_regions = 2};
  cake_rewriter_set_before(rewriter, op);
  CakeOp *made = cake_rewriter_create(rewriter, &state);
  for (uint32_t i = 0; i < 2; i++)
    cake_rewriter_take_region(rewriter, cake_op_region(made, i), cake_op_region(op, i));
  for (uint32_t i = 0, next = 0; i < op->n_results; i++)
    if (results->data[i]) cake_rewriter_replace_uses(rewriter, &op->results[i], &made->results[next++]);
  cake_rewriter_erase(rewriter, op);
  CAKE_VEC_FINI(&types);
  CAKE_VEC_FINI(&operands);
}

bool scf_while_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  const CakeBlock *before = cake_region_entry(cake_op_region(op, 0)), *after = cake_region_entry(cake_op_region(op, 1));
  BoolVec inits = {0}, results = {0};
  bool is_changed = false;
  for (uint32_t i = 0; i < before->n_args; i++) {
    CAKE_PUSH(&inits, is_used(before->args[i]));
    is_changed |= !inits.data[i];
  }
  for (uint32_t i = 0; i < op->n_results; i++) {
    CAKE_PUSH(&results, is_used(&op->results[i]) || is_used(after->args[i]));
    is_changed |= !results.data[i];
  }
  if (is_changed) keep_of_while(op, rewriter, &inits, &results);
  CAKE_VEC_FINI(&inits);
  CAKE_VEC_FINI(&results);
  return is_changed;
}

// ---- Ways ----------------------------------------------------------------------------------------------------------

// A region of one block runs where the op stands.
bool scf_execute_region_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  const CakeRegion *region = cake_op_region(op, 0);
  bool stays = cake_op_prop(op, CAKE_ATTR_ROW(scf, execute_region, no_inline)) != NULL;
  if (stays || !region->first || region->first != region->last || !cake_op_is(region->first->last, "scf.yield"))
    return false;
  inline_region(op, rewriter, 0, NULL, 0);
  return true;
}

// Cheap to choose between: tensors may be fragments that fill many registers, other types are handles.
static bool is_selectable(CakeType type) {
  CakeType element = cake_type_element(type);
  bool is_number =
      cake_type_is(element, &cake_type_def_integer) || cake_type_is_index(element) || cake_type_is_any_float(element);
  return is_number && (!cake_type_is_shaped(type) || cake_type_is(type, &cake_type_def_vector));
}

static bool is_inside(const CakeOp *op, const CakeValue *value) {
  const CakeBlock *block = value->is_argument ? cake_arg_owner(value) : cake_result_owner(value)->block;
  const CakeOp *around = cake_block_parent(block);
  while (around && around != op)
    around = cake_op_parent(around);
  return around != NULL;
}

// Results whose two values are known in front of the op: the one that they are, or a choice between them.
static bool results_to_selects(CakeOp *op, CakeRewriter *rewriter) {
  bool is_changed = false;
  cake_rewriter_set_before(rewriter, op);
  for (uint32_t i = 0; i < op->n_results; i++) {
    CakeValue *result = &op->results[i],
              *value = cake_op_operand(cake_block_terminator(cake_region_entry(cake_op_region(op, 0))), i),
              *other = cake_op_operand(cake_block_terminator(cake_region_entry(cake_op_region(op, 1))), i);
    CakeValue *operands[] = {cake_op_operand(op, 0), value, other};
    if (!is_used(result) || is_inside(op, value) || is_inside(op, other)) continue;
    if (value != other && !is_selectable(result->type)) continue;
    if (value != other) value = cake_build1(rewriter, "arith.select", result->type, operands, 3);
    cake_rewriter_replace_uses(rewriter, result, value);
    is_changed = true;
  }
  return is_changed;
}

int scf_region_around(const CakeOp *op, const CakeOp *user) {
  while (user && cake_op_parent(user) != op)
    user = cake_op_parent(user);
  return user ? (int)(user->block->region - cake_op_regions(op)) : -1;
}

// Inside of the regions the condition is known. A condition with very many uses is left alone: every `scf.if` on it looks at
// all of them.
static bool propagate_condition(CakeOp *op, CakeRewriter *rewriter) {
  enum { MOST_USES = 256 };
  CakeValue *condition = cake_op_operand(op, 0);
  uint32_t count = 0;
  for (const CakeUse *use = condition->first_use; use && count <= MOST_USES; use = use->next)
    count++;
  if (count < 2 || count > MOST_USES) return false;
  CakeValue *known[2] = {NULL, NULL};
  for (CakeUse *use = condition->first_use, *next; use; use = next) {
    next = use->next;
    int region = scf_region_around(op, use->owner);
    if (region < 0) continue;
    if (!known[region]) known[region] = cake_build_constant(rewriter, cake_attr_bool(op->context, region == 0));
    cake_rewriter_set_operand(rewriter, use->owner, cake_use_index(use), known[region]);
  }
  return known[0] || known[1];
}

static bool drop_unused_results(CakeOp *op, CakeRewriter *rewriter) {
  CAKE_VEC(bool) kept = {0};
  uint32_t n_kept = 0;
  for (uint32_t i = 0; i < op->n_results; i++) {
    CAKE_PUSH(&kept, is_used(&op->results[i]));
    n_kept += kept.data[i];
  }
  bool is_changed = n_kept < op->n_results;
  ValueVec operands = {0};
  CAKE_PUSH(&operands, cake_op_operand(op, 0));
  if (is_changed) keep_results(op, rewriter, &operands, kept.data);
  CAKE_VEC_FINI(&operands);
  CAKE_VEC_FINI(&kept);
  return is_changed;
}

bool scf_if_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  int64_t condition;
  CakeBlock *else_block = cake_region_entry(cake_op_region(op, 1));
  if (constant_of(cake_op_operand(op, 0), &condition)) {
    if (condition)
      inline_region(op, rewriter, 0, NULL, 0);
    else if (else_block)
      inline_region(op, rewriter, 1, NULL, 0);
    else
      cake_rewriter_erase(rewriter, op);
    return true;
  }
  if (op->n_results == 0 && else_block && else_block->first == else_block->last) { // an else that does nothing
    cake_rewriter_erase(rewriter, else_block->first);
    cake_rewriter_erase_block(rewriter, else_block);
    return true;
  }
  return results_to_selects(op, rewriter) || drop_unused_results(op, rewriter) || scf_if_swap(op, rewriter) ||
         scf_if_combine(op, rewriter) || scf_if_merge_inner(op, rewriter) || propagate_condition(op, rewriter);
}

int scf_if_chosen(const CakeOp *op, const CakeAttr *operands) {
  (void)op;
  if (!operands[0]) return -1;
  return cake_attr_int_value(operands[0]) ? 0 : 1;
}

int scf_index_switch_chosen(const CakeOp *op, const CakeAttr *operands) {
  if (!operands[0]) return -1;
  CakeAttr cases = cake_op_prop(op, CAKE_ATTR_ROW(scf, index_switch, cases));
  for (uint32_t i = 1; i < op->n_regions; i++)
    if (cake_attr_dense_array_value(cases, i - 1) == cake_attr_int_value(operands[0])) return (int)i;
  return 0; // the default
}

bool scf_index_switch_canonicalize(CakeOp *op, CakeRewriter *rewriter) {
  CakeAttr index = cake_value_constant(cake_op_operand(op, 0));
  if (!index) return false;
  inline_region(op, rewriter, (uint32_t)scf_index_switch_chosen(op, &index), NULL, 0);
  return true;
}
