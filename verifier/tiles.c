// Tiles of global memory.
#include "verifier/tiles.h"

#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"

bool cake_tile_of(CakeOp *op, CakeTile *out) {
  *out = (CakeTile){.op = op};
  if (cake_is_cake_op(op, cake_op_cake_copy)) {
    out->array = cake_cake_copy_global(op);
    out->at = cake_cake_copy_at(op);
    out->at_idx = cake_cake_copy_at_idx(op);
    out->dims = cake_cake_copy_dims(op);
    out->tile = cake_cake_copy_view(op)->type;
    out->pad = cake_cake_copy_pad(op);
    out->is_guarded = out->pad != NULL;
  } else if (cake_is_cake_op(op, cake_op_cake_load)) {
    out->array = cake_cake_load_global(op);
    out->at = cake_cake_load_at(op);
    out->at_idx = cake_cake_load_at_idx(op);
    out->dims = cake_cake_load_dims(op);
    out->tile = op->results[0].type;
    out->pad = cake_cake_load_pad(op);
    out->is_guarded = out->pad != NULL;
  } else if (cake_is_cake_op(op, cake_op_cake_store)) {
    out->array = cake_cake_store_global(op);
    out->at = cake_cake_store_at(op);
    out->at_idx = cake_cake_store_at_idx(op);
    out->dims = cake_cake_store_dims(op);
    out->tile = cake_cake_store_value(op)->type;
    out->is_guarded = cake_cake_store_clip(op) || cake_cake_store_keep(op);
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

size_t cake_tile_dim(const CakeTile *tile, size_t own) {
  return cake_dims_of(tile->dims, cake_global_rank(tile->global), cake_tile_rank(tile), own);
}

CakeAttr cake_tile_extent(const CakeTile *tile, size_t dim) {
  CakeContext *context = tile->op->context;
  size_t rank = cake_tile_rank(tile), own = 0;
  while (own < rank && cake_tile_dim(tile, own) != dim)
    own++;
  if (own == rank) return cake_expr_const(context, 1);
  if (cake_type_is(tile->tile, &cake_type_def_shared)) return cake_shared_dim(tile->tile, own);
  CakeAttr of = cake_type_encoding(tile->tile);
  if (of && of->def == &cake_attr_def_of) return of->params[1 + own].attr;
  int64_t size = cake_type_dim(tile->tile, own);
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

// With a promise a ≤ b, b - a may be added.
bool cake_tiles_promise_most(const CakeOp *tiles, const CakeSum *sum, int64_t slack) {
  CakeAttr bound = tiles ? cake_cake_tiles_bound(tiles) : NULL;
  CakeSum lhs, rhs, more;
  if (sum->count == 0) return sum->constant <= -slack;
  for (size_t i = 0; i < cake_pred_count(bound); i++) {
    CakePredTerm term = cake_pred_term(bound, i);
    if (term.compare != CAKE_COMPARE_LE || !cake_sum_of(term.lhs, NULL, &lhs) || !cake_sum_of(term.rhs, NULL, &rhs) ||
        !cake_sum_add(sum, -1, &lhs, &more) || !cake_sum_add(&more, 1, &rhs, &more))
      continue;
    if (more.count == 0 && more.constant <= -slack) return true;
  }
  return false;
}

// Whether `sum` ≤ 0 by the guard, or by a promise of the iterator around the op.
static bool is_at_most_0(const CakeOp *op, const CakeSum *sum) {
  const CakeOp *items = cake_op_parent_named(op, "cake.items");
  return is_not_positive(op, sum) || (items && cake_tiles_promise_most(cake_op_tiles(items), sum, 0));
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
  return is_at_most_0(tile->op, &end);
}

// ---- Indices that loops carry ------------------------------------------------------------------------------------------

enum { MAX_SOURCES = 32 };

typedef CAKE_VEC(CakeValue *) Values;

// Values of which the value is one: of a loop's carried value what goes in and what the body hands on, of a branch what its regions do. False: it
// is none of those.
static bool sources_of(const CakeValue *value, Values *out) {
  CakeOp *op = value->is_argument ? cake_block_parent(cake_arg_owner(value)) : cake_value_def(value);
  CakeFlowKind flow = op && op->info->def ? op->info->def->flow.kind : CAKE_FLOW_NONE;
  uint32_t index = value->index, n = op ? op->n_results : 0;
  if (flow == CAKE_FLOW_LOOP && value->is_argument) {
    uint32_t n_args = cake_arg_owner(value)->n_args;
    if (n_args < n || index < n_args - n) return false;
    index -= n_args - n;
  } else if (flow == CAKE_FLOW_LOOP) {
    if (op->n_operands < n) return false;
  } else if (flow != CAKE_FLOW_BRANCH || value->is_argument) {
    return false;
  }
  if (flow == CAKE_FLOW_LOOP) {
    int row = op->info->def->flow.iter ? cake_op_def_operand(op->info->def, op->info->def->flow.iter) : -1;
    CakeOperandRange iter = row < 0 ? (CakeOperandRange){0} : cake_op_operand_group(op, (uint32_t)row);
    if (index >= iter.count) return false;
    CAKE_PUSH(out, iter.first[index].value);
  }
  for (uint32_t i = 0; i < op->n_regions; i++) {
    const CakeBlock *body = cake_op_region(op, i)->first;
    const CakeOp *end = body ? body->last : NULL;
    if (!end || end->n_operands < n) return false;
    CAKE_PUSH(out, cake_op_operand(end, end->n_operands - n + index));
  }
  return true;
}

// 0, or at least 0 and less than the size wherever `op` runs.
static bool is_within(const CakeOp *op, CakeValue *value, const CakeSum *size) {
  const CakeOp *computed = cake_value_def(value);
  CakeUse use = {.value = value};
  CakeSumEnv env = {
      {&use, 1, 0}
  };
  CakeAttr expr = cake_expr_operand(op->context, 0);
  CakeSum index, end;
  if (computed && cake_is_cake_op(computed, cake_op_cake_index)) {
    expr = cake_cake_index_expr(computed);
    env.operands = cake_cake_index_idx(computed);
  }
  if (!cake_sum_of(expr, &env, &index)) return false;
  if (index.count == 0 && index.constant == 0) return true;
  if (!cake_sum_is_positive(op, &index) || !cake_sum_upper(op, &index, &end)) return false;
  CakeSum one = cake_sum_constant(1);
  return cake_sum_add(&end, 1, &one, &end) && cake_sum_add(&end, -1, size, &end) && is_at_most_0(op, &end);
}

// The operand of an index that is one, or its quotient by a number, for which `size` grows; NULL: another index.
static CakeValue *operand_of(const CakeTile *tile, CakeAttr at, CakeSum *size) {
  CakeSum zero = {0};
  int64_t divisor;
  if (cake_expr_kind(at) == CAKE_EXPR_FLOORDIV && cake_expr_is_const(cake_expr_rhs(at), &divisor) && divisor > 0 &&
      cake_sum_add(&zero, divisor, size, size))
    at = cake_expr_lhs(at);
  if (cake_expr_kind(at) != CAKE_EXPR_OPERAND || (uint64_t)cake_expr_value(at) >= tile->at_idx.count) return NULL;
  return tile->at_idx.first[cake_expr_value(at)].value;
}

// `h floordiv (H floordiv G)` is less than G, for an index of items whose axis is H long, where G divides H.
static bool is_group(const CakeTile *tile, size_t dim) {
  CakeAttr at = cake_at_expr(tile->at, dim), groups = cake_global_dim(tile->global, dim);
  if (cake_expr_kind(at) != CAKE_EXPR_FLOORDIV || cake_expr_kind(cake_expr_lhs(at)) != CAKE_EXPR_OPERAND ||
      cake_expr_kind(cake_expr_rhs(at)) != CAKE_EXPR_FLOORDIV || cake_expr_rhs(cake_expr_rhs(at)) != groups)
    return false;
  CakeAttr whole = cake_expr_lhs(cake_expr_rhs(at));
  CakeSumEnv env = {tile->at_idx};
  CakeSum index;
  if (!cake_sum_of(cake_expr_lhs(at), &env, &index) || index.count != 1 || index.constant != 0 ||
      index.factors[0] != 1 || index.atoms[0].kind != CAKE_ATOM_ITEM)
    return false;
  CakeAttr extent = cake_axes_extent(cake_cake_tiles_axes(index.atoms[0].key), index.atoms[0].index);
  return extent == whole && cake_guard_divides(tile->op, whole, groups);
}

bool cake_tile_index_fits(const CakeTile *tile, size_t dim) {
  CakeSum size;
  if (cake_tile_fits(tile, dim) || is_group(tile, dim)) return true;
  if (!cake_sum_of(cake_global_dim(tile->global, dim), NULL, &size)) return false;
  CakeValue *value = operand_of(tile, cake_at_expr(tile->at, dim), &size);
  Values values = {0};
  bool ok = value != NULL;
  if (ok) CAKE_PUSH(&values, value);
  for (size_t i = 0; ok && i < values.len; i++) {
    bool is_seen = false;
    for (size_t j = 0; j < i; j++)
      is_seen |= values.data[j] == values.data[i];
    if (!is_seen && !is_within(tile->op, values.data[i], &size))
      ok = values.len < MAX_SOURCES && sources_of(values.data[i], &values);
  }
  CAKE_VEC_FINI(&values);
  return ok;
}
