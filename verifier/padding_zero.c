// Which elements of a factor are certainly 0: those that a load or copy pads by 0, through ops that keep them.
#include "verifier/padding_zero.h"

#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/views.h"
#include "verifier/steps.h"

typedef struct Question {
  CakePadAxis axis;
  const CakeSum *beyond;
  CakeSum offset;
} Question;

size_t cake_pad_dim(const CakeTile *tile, CakePadAxis axis, size_t rank) {
  return cake_tile_dim(tile, axis == CAKE_PAD_COL || rank == 1 ? rank - 1 : 0);
}

bool cake_pad_shift(CakeSum *offset, CakeAttr off, CakeOperandRange idx, CakePadAxis axis) {
  CakeSumEnv env = {idx};
  CakeSum more;
  if (!off) return true;
  size_t dim = cake_at_count(off) > 1 && axis == CAKE_PAD_COL ? 1 : 0;
  return cake_sum_of(cake_at_expr(off, dim), &env, &more) && cake_sum_add(offset, 1, &more, offset);
}

bool cake_pad_beyond(const CakeTile *tile, size_t dim, const CakeSum *offset, CakeSum *out) {
  CakeSumEnv env = {tile->at_idx};
  CakeSum size;
  return cake_sum_of(cake_at_expr(tile->at, dim), &env, out) &&
         cake_sum_of(cake_global_dim(tile->global, dim), NULL, &size) && cake_sum_add(out, 1, offset, out) &&
         cake_sum_add(out, -1, &size, out);
}

static bool is_zero_number(CakeAttr number) {
  return cake_attr_is(number, &cake_attr_def_float) ? cake_attr_float_value(number) == 0
                                                    : cake_attr_int_value(number) == 0;
}

// Padded by 0, and from the same element on or before.
static bool tile_is_zero(const Question *question, CakeOp *op, size_t rank) {
  CakeTile tile;
  CakeSum beyond;
  int64_t earlier;
  if (!cake_tile_of(op, &tile) || !tile.pad || !is_zero_number(tile.pad)) return false;
  return cake_pad_beyond(&tile, cake_pad_dim(&tile, question->axis, rank), &question->offset, &beyond) &&
         cake_sum_difference(&beyond, question->beyond, &earlier) && earlier >= 0;
}

// Every copy that fills the part; what a put writes is not followed. Steps are the same in every role where the slot is that of the loop's own step.
static bool view_is_zero(const Question *question, const CakeValue *view) {
  CakeOp *wait = cake_value_def(view), *pipeline = wait ? cake_op_pipeline(wait) : NULL, *tiles;
  CakeOp *kernel = pipeline ? cake_op_kernel(pipeline) : NULL;
  size_t copies = 0;
  int64_t from;
  for (CakeOp *op = kernel; op; op = cake_op_walk_next(kernel, op, false)) {
    bool is_copy = cake_is_cake_op(op, cake_op_cake_copy), is_put = cake_is_cake_op(op, cake_op_cake_put);
    if (!is_copy && !is_put) continue;
    const CakeValue *target = is_copy ? cake_cake_copy_view(op) : cake_cake_put_view(op);
    CakeOp *acquire = cake_value_def(target);
    if (!acquire || cake_op_pipeline(acquire) != pipeline || target->index != view->index) continue;
    if (is_put || !cake_wait_own_step(wait, acquire, &tiles, &from) ||
        !tile_is_zero(question, op, cake_shared_rank(view->type)))
      return false;
    copies++;
  }
  return copies > 0;
}

static bool keeps_zeros(const CakeOp *op) {
  return cake_is_cake_op(op, cake_op_cake_convert) || cake_op_is(op, "arith.extf") || cake_op_is(op, "arith.truncf") ||
         cake_op_is(op, "arith.negf");
}

bool cake_pad_is_zero(const CakeValue *operand, CakePadAxis axis, const CakeSum *beyond) {
  Question question = {axis, beyond, cake_sum_constant(0)};
  while (!cake_type_is(operand->type, &cake_type_def_shared)) {
    CakeOp *op = cake_value_def(operand);
    if (!op) return false;
    if (cake_is_cake_op(op, cake_op_cake_load))
      return tile_is_zero(&question, op, (size_t)cake_type_rank(operand->type));
    if (cake_is_cake_op(op, cake_op_cake_get)) {
      if (!cake_pad_shift(&question.offset, cake_cake_get_off(op), cake_cake_get_off_idx(op), axis)) return false;
      operand = cake_cake_get_view(op);
    } else if (cake_is_cake_op(op, cake_op_cake_slice)) {
      if (!cake_pad_shift(&question.offset, cake_cake_slice_off(op), cake_cake_slice_off_idx(op), axis)) return false;
      operand = cake_cake_slice_value(op);
    } else if (keeps_zeros(op)) {
      operand = cake_op_operand(op, 0);
    } else {
      return false;
    }
  }
  return view_is_zero(&question, operand);
}
