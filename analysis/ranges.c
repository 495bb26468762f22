// Ranges of integers: the lattice, and what loops count with. What arith makes of ranges is in ranges_arith.c.
#include "analysis/ranges_private.h"

#include "cake/constants.h"
#include "dialects/arith/arith.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/tiles.h"
#include "dialects/gpu/gpu_accessors.h"
#include "dialects/scf/scf_ops.h"

enum { MOST_CHANGES = 8 }; // of a range, until the bound that grows is given up

bool cake_range_of_type(CakeType type, CakeRange *out) {
  uint32_t width = cake_type_width(type);
  if (cake_type_is_index(type)) width = 64;
  if ((!cake_type_is(type, &cake_type_def_integer) && !cake_type_is_index(type)) || !width || width > 64) return false;
  if (cake_type_is(type, &cake_type_def_integer) && cake_type_sign(type) != CAKE_SIGNLESS) return false;
  int64_t max = width == 64 ? INT64_MAX : ((int64_t)1 << (width - 1)) - 1;
  *out = width == 1 ? (CakeRange){0, 1} : (CakeRange){-max - 1, max};
  return true;
}

CakeRange cake_range_in_type(const RangeState *state, CakeType type) {
  CakeRange all = {INT64_MIN, INT64_MAX};
  cake_range_of_type(type, &all);
  return (CakeRange){state->range.min > all.min ? state->range.min : all.min,
                     state->range.max < all.max ? state->range.max : all.max};
}

void cake_range_set(RangeState *state, int64_t min, int64_t max) {
  *state = (RangeState){
      {min, max},
      1, 0
  };
}

static bool join(void *into, const void *from) {
  RangeState *state = into;
  const RangeState *other = from;
  bool is_lower = other->range.min<state->range.min, is_higher = other->range.max> state->range.max;
  if (!is_lower && !is_higher) return false;
  bool is_widened = state->changes++ >= MOST_CHANGES;
  if (is_lower) state->range.min = is_widened ? INT64_MIN : other->range.min;
  if (is_higher) state->range.max = is_widened ? INT64_MAX : other->range.max;
  return true;
}

static void anything(const CakeValue *value, void *out) {
  CakeRange all = {INT64_MIN, INT64_MAX};
  cake_range_of_type(value->type, &all);
  cake_range_set(out, all.min, all.max);
}

static CakeAttr constant(const void *state, CakeType type) {
  CakeRange all, range = cake_range_in_type(state, type);
  return cake_range_of_type(type, &all) && range.min == range.max ? cake_attr_integer(type, range.min) : NULL;
}

// ---- Ops -----------------------------------------------------------------------------------------------------------

// What a thread knows of itself: limits of every target.
static void transfer_gpu(const CakeOp *op, RangeState *out) {
  if (cake_is_gpu_op(op, cake_op_gpu_thread_id)) cake_range_set(out, 0, 1023);
  if (cake_is_gpu_op(op, cake_op_gpu_lane_id) || cake_is_gpu_op(op, cake_op_gpu_warp_id)) cake_range_set(out, 0, 31);
  if (cake_is_gpu_op(op, cake_op_gpu_block_id)) cake_range_set(out, 0, INT32_MAX - 1);
  if (cake_is_gpu_op(op, cake_op_gpu_grid_dim)) cake_range_set(out, 1, INT32_MAX);
}

static void transfer(CakeOp *op, void *operands, void *results) {
  if (cake_op_has_trait(op, CAKE_TRAIT_CONSTANT) && op->n_results == 1) {
    CakeAttr value = cake_value_constant(&op->results[0]);
    CakeRange all;
    bool is_number = cake_attr_is(value, &cake_attr_def_integer) && cake_range_of_type(op->results[0].type, &all);
    if (is_number) cake_range_set(results, cake_attr_int_value(value), cake_attr_int_value(value));
  } else if (op->info->dialect == &cake_dialect_arith) {
    cake_range_arith(op, operands, results);
  } else {
    transfer_gpu(op, results);
  }
}

// ---- Loops ---------------------------------------------------------------------------------------------------------

// From the first lower bound on, below the last upper one, if the last step cannot wrap.
static void count_for(const CakeDataflow *ranges, const CakeOp *loop, RangeState *out) {
  CakeRange lower, upper, step, all;
  if (!cake_range_of(ranges, cake_op_operand(loop, 0), &lower) ||
      !cake_range_of(ranges, cake_op_operand(loop, 1), &upper) ||
      !cake_range_of(ranges, cake_op_operand(loop, 2), &step) ||
      !cake_range_of_type(cake_op_operand(loop, 0)->type, &all))
    return;
  if (cake_op_attr_text(loop, "unsignedCmp") && (lower.min < 0 || upper.min < 0)) return;
  int64_t last = upper.max == INT64_MIN ? upper.max : upper.max - 1;
  if (step.max < 1 || last > all.max - step.max) return;
  cake_range_set(out, lower.min, last > lower.min ? last : lower.min);
}

static void count_unroll(const CakeOp *loop, RangeState *out) {
  int64_t lower, upper;
  if (cake_expr_is_const(cake_cake_unroll_lower(loop), &lower) &&
      cake_expr_is_const(cake_cake_unroll_upper(loop), &upper))
    cake_range_set(out, lower, upper > lower ? upper - 1 : lower);
}

static void argument(const CakeDataflow *ranges, CakeOp *loop, CakeValue *value, void *out) {
  (void)value;
  if (loop->info->dialect == &cake_dialect_scf && loop->info->def->ordinal == cake_op_scf_for)
    count_for(ranges, loop, out);
  else if (cake_is_cake_op(loop, cake_op_cake_items) || cake_is_cake_op(loop, cake_op_cake_steps))
    cake_range_set(out, 0, INT32_MAX - 1);
  else if (cake_is_cake_op(loop, cake_op_cake_unroll))
    count_unroll(loop, out);
}

const CakeDataflowDef cake_ranges = {"ranges", sizeof(RangeState), join, anything, transfer, constant, argument};

bool cake_range_of(const CakeDataflow *ranges, const CakeValue *value, CakeRange *out) {
  const RangeState *state = cake_dataflow_state(ranges, value);
  if (!state || !cake_range_of_type(value->type, out)) return false;
  *out = cake_range_in_type(state, value->type);
  return true;
}
