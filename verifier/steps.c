// Which step of an item fills the slot that a role waits for in front of its own loop over steps.
#include "verifier/steps.h"

#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"

static bool is_only_acquire(CakeOp *acquire, const CakeOp *pipeline) {
  CakeOp *kernel = cake_op_kernel(acquire);
  for (CakeOp *op = kernel; op; op = cake_op_walk_next(kernel, op, false))
    if (op != acquire && cake_is_cake_op(op, cake_op_cake_acquire) && cake_op_pipeline(op) == pipeline) return false;
  return true;
}

// The iterator whose steps, all of them, the block is the body of.
static CakeOp *tiles_of_steps(const CakeOp *op) {
  CakeOp *steps = cake_op_parent(op);
  int64_t from = 0;
  if (!steps || !cake_is_cake_op(steps, cake_op_cake_steps)) return NULL;
  if (cake_cake_steps_from(steps) && (!cake_expr_is_const(cake_cake_steps_from(steps), &from) || from)) return NULL;
  CakeOp *items = cake_op_parent(steps), *tiles = cake_op_tiles(steps);
  return items && cake_is_cake_op(items, cake_op_cake_items) && cake_op_tiles(items) == tiles ? tiles : NULL;
}

bool cake_wait_step(CakeOp *wait, CakeOp *acquire, CakeOp **out_tiles, int64_t *out_step) {
  CakeOp *items = cake_op_parent(wait), *pipeline = cake_op_pipeline(wait);
  *out_tiles = tiles_of_steps(acquire);
  *out_step = 0;
  if (!*out_tiles || !pipeline || !items || !cake_is_cake_op(items, cake_op_cake_items) ||
      cake_op_tiles(items) != *out_tiles || !is_only_acquire(acquire, pipeline))
    return false;
  for (CakeOp *op = wait->block->first; op != wait; op = op->next) {
    for (CakeOp *inner = op; inner; inner = cake_op_walk_next(op, inner, false)) {
      if (!cake_is_cake_op(inner, cake_op_cake_wait) || cake_op_pipeline(inner) != pipeline) continue;
      if (inner != op) return false;
      ++*out_step;
    }
  }
  return true;
}
