// Which step of an item fills the slot that a role waits for, in front of its own loop over steps or in it.
#include "verifier/steps.h"

#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"

static bool is_only_acquire(CakeOp *acquire, const CakeOp *pipeline) {
  CakeOp *kernel = cake_op_kernel(acquire);
  for (CakeOp *op = kernel; op; op = cake_op_walk_next(kernel, op, false))
    if (op != acquire && cake_is_cake_op(op, cake_op_cake_acquire) && cake_op_pipeline(op) == pipeline) return false;
  return true;
}

// The iterator of the steps whose body the op stands in, and the first of them.
static CakeOp *tiles_of_steps(const CakeOp *op, int64_t *out_from) {
  CakeOp *steps = cake_op_parent(op);
  *out_from = 0;
  if (!steps || !cake_is_cake_op(steps, cake_op_cake_steps)) return NULL;
  if (cake_cake_steps_from(steps) && !cake_expr_is_const(cake_cake_steps_from(steps), out_from)) return NULL;
  CakeOp *items = cake_op_parent(steps), *tiles = cake_op_tiles(steps);
  return items && cake_is_cake_op(items, cake_op_cake_items) && cake_op_tiles(items) == tiles ? tiles : NULL;
}

// The iterator of an acquire that is the pipeline's only one and fills a slot in every step.
static CakeOp *tiles_of_acquire(CakeOp *acquire, const CakeOp *pipeline) {
  int64_t from;
  CakeOp *tiles = tiles_of_steps(acquire, &from);
  return tiles && from == 0 && pipeline && is_only_acquire(acquire, pipeline) ? tiles : NULL;
}

// How many waits stand in front of `end`, each directly in its block. False: others do.
static bool count_waits(const CakeOp *end, const CakeOp *pipeline, int64_t *out) {
  *out = 0;
  for (CakeOp *op = end->block->first; op != end; op = op->next) {
    for (CakeOp *inner = op; inner; inner = cake_op_walk_next(op, inner, false)) {
      if (!cake_is_cake_op(inner, cake_op_cake_wait) || cake_op_pipeline(inner) != pipeline) continue;
      if (inner != op) return false;
      ++*out;
    }
  }
  return true;
}

bool cake_wait_step(CakeOp *wait, CakeOp *acquire, CakeOp **out_tiles, int64_t *out_step) {
  CakeOp *items = cake_op_parent(wait), *pipeline = cake_op_pipeline(wait);
  *out_tiles = tiles_of_acquire(acquire, pipeline);
  *out_step = 0;
  return *out_tiles && items && cake_is_cake_op(items, cake_op_cake_items) && cake_op_tiles(items) == *out_tiles &&
         count_waits(wait, pipeline, out_step);
}

bool cake_wait_own_step(CakeOp *wait, CakeOp *acquire, CakeOp **out_tiles, int64_t *out_from) {
  CakeOp *pipeline = cake_op_pipeline(wait), *steps = cake_op_parent(wait);
  int64_t in_front, in_loop = 0;
  *out_tiles = tiles_of_acquire(acquire, pipeline);
  if (!*out_tiles || tiles_of_steps(wait, out_from) != *out_tiles || !count_waits(steps, pipeline, &in_front))
    return false;
  for (CakeOp *op = steps; op; op = cake_op_walk_next(steps, op, false))
    in_loop += cake_is_cake_op(op, cake_op_cake_wait) && cake_op_pipeline(op) == pipeline;
  return in_loop == 1 && in_front == *out_from;
}
