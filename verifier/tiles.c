// Tiles of global memory.
#include "verifier/tiles.h"

#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/slots.h"

bool cake_tile_of(CakeOp *op, CakeTile *out) {
  *out = (CakeTile){.op = op};
  if (cake_is_cake_op(op, cake_op_cake_copy)) {
    out->array = cake_cake_copy_global(op);
    out->at = cake_cake_copy_at(op);
    out->at_idx = cake_cake_copy_at_idx(op);
    out->tile = cake_cake_copy_view(op)->type;
    out->pad = cake_cake_copy_pad(op);
    out->is_guarded = out->pad != NULL;
  } else if (cake_is_cake_op(op, cake_op_cake_load)) {
    out->array = cake_cake_load_global(op);
    out->at = cake_cake_load_at(op);
    out->at_idx = cake_cake_load_at_idx(op);
    out->tile = op->results[0].type;
    out->pad = cake_cake_load_pad(op);
    out->is_guarded = out->pad != NULL;
  } else if (cake_is_cake_op(op, cake_op_cake_store)) {
    out->array = cake_cake_store_global(op);
    out->at = cake_cake_store_at(op);
    out->at_idx = cake_cake_store_at_idx(op);
    out->tile = cake_cake_store_value(op)->type;
    out->is_guarded = cake_cake_store_clip(op) != NULL;
  } else if (cake_is_cake_op(op, cake_op_cake_commit) && cake_cake_commit_global(op)) {
    CakeOp *pipeline = cake_op_pipeline(op);
    if (!pipeline || !cake_cake_commit_at(op)) return false;
    out->array = cake_cake_commit_global(op);
    out->at = cake_cake_commit_at(op);
    out->at_idx = cake_cake_commit_at_idx(op);
    out->tile = cake_parts_type(cake_cake_pipeline_parts(pipeline), 0);
    out->is_guarded = true; // the engine drops what is outside
  } else {
    return false;
  }
  out->global = out->array->type;
  return true;
}

size_t cake_tile_rank(const CakeTile *tile) {
  if (cake_type_is(tile->tile, &cake_type_def_shared)) return cake_shared_rank(tile->tile);
  return (size_t)cake_type_rank(tile->tile);
}

CakeAttr cake_tile_extent(const CakeTile *tile, size_t dim) {
  CakeContext *context = tile->op->context;
  size_t skip = cake_global_rank(tile->global) - cake_tile_rank(tile);
  if (dim < skip) return cake_expr_const(context, 1);
  if (cake_type_is(tile->tile, &cake_type_def_shared)) return cake_shared_dim(tile->tile, dim - skip);
  CakeAttr of = cake_type_encoding(tile->tile);
  if (of && of->def == &cake_attr_def_of) return of->params[1 + dim - skip].attr;
  int64_t size = cake_type_dim(tile->tile, dim - skip);
  return size < 0 ? NULL : cake_expr_const(context, size);
}

// Whether `sum` ≤ 0: constants, and sizes that are subtracted and at least what the guard says.
static bool is_not_positive(const CakeOp *op, const CakeSum *sum) {
  int64_t most = sum->constant;
  for (size_t i = 0; i < sum->count; i++) {
    if (sum->atoms[i].kind != CAKE_ATOM_NAME || sum->factors[i] > 0) return false;
    int64_t least = cake_guard_least(op, (CakeId)(uintptr_t)sum->atoms[i].key);
    most += sum->factors[i] < -INT32_MAX ? 0 : sum->factors[i] * least;
  }
  return most <= 0;
}

bool cake_tile_fits(const CakeTile *tile, size_t dim) {
  CakeAttr extent = cake_tile_extent(tile, dim);
  CakeSumEnv env = {tile->at_idx};
  CakeSum start, end, length, size;
  if (!extent || !cake_sum_of(cake_at_expr(tile->at, dim), &env, &start) || !cake_sum_of(extent, NULL, &length) ||
      !cake_sum_of(cake_global_dim(tile->global, dim), NULL, &size))
    return false;
  if (!cake_sum_is_positive(tile->op, &start) || !cake_sum_upper(tile->op, &start, &end)) return false;
  if (!cake_sum_add(&end, 1, &length, &end) || !cake_sum_add(&end, -1, &size, &end)) return false;
  return is_not_positive(tile->op, &end);
}
