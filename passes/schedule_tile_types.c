// Types with another size along a dimension: fragments, pending accumulators, running bests, views, and the parts of pipelines.
#include "passes/schedule_tile.h"

#include "dialects/cake/ops/pipeline.h"

// The dimension of a view that a logical one is: a view of one dimension is a row or a column.
static size_t view_dim(CakeType type, unsigned dim) {
  return cake_shared_rank(type) == 1 ? 0 : dim;
}

static int64_t fragment_size(CakeType type, unsigned dim) {
  CakeFragment fragment;
  if (!cake_fragment_of(type, &fragment)) return -1;
  bool is_row = fragment.part == CAKE_FORM_ROW || fragment.part == CAKE_FORM_PARTIAL;
  if ((is_row && dim == 1) || (fragment.part == CAKE_FORM_COL && dim == 0)) return -1;
  return dim ? fragment.cols : fragment.rows;
}

int64_t cake_tile_size(CakeType type, unsigned dim) {
  int64_t size = -1;
  if (cake_type_is(type, &cake_type_def_best)) return dim ? -1 : cake_best_of(type).rows;
  if (cake_type_is(type, &cake_type_def_pending))
    return cake_expr_is_const(type->params[2 + dim].attr, &size) ? size : -1;
  if (cake_type_is(type, &cake_type_def_shared))
    return cake_shared_rank(type) <= 2 ? cake_shared_size(type, view_dim(type, dim)) : -1;
  return fragment_size(type, dim);
}

static CakeType resize_fragment(CakeType type, unsigned dim, int64_t size) {
  CakeFragment f;
  CakeContext *context = type->context;
  if (!cake_fragment_of(type, &f)) return type;
  if (f.part == CAKE_FORM_PARTIAL) // its encoding has a reduction too
    return cake_type_tensor(context, &size, 1, f.element, cake_type_encoding(type));
  return cake_fragment_get(f.element, dim ? f.rows : size, dim ? size : f.cols, f.part, f.base);
}

CakeType cake_tile_resize(CakeType type, unsigned dim, int64_t size) {
  CakeParam params[16];
  size_t at;
  if (cake_type_is(type, &cake_type_def_best))
    at = 1;
  else if (cake_type_is(type, &cake_type_def_pending))
    at = 2 + dim;
  else if (cake_type_is(type, &cake_type_def_shared))
    at = 3 + view_dim(type, dim);
  else
    return resize_fragment(type, dim, size);
  for (size_t i = 0; i < type->count && i < CAKE_COUNT(params); i++)
    params[i] = type->params[i];
  params[at] = at == 1 ? cake_param_int(size) : cake_param_attr(cake_expr_const(type->context, size));
  return cake_type_get(type->context, type->def, params, type->count);
}

// ---- Pipelines -----------------------------------------------------------------------------------------------------

static void resize_part(CakeTileClass *class, CakeOp *pipeline, size_t part, CakeType type) {
  CakeAttr parts = cake_cake_pipeline_parts(pipeline);
  CakeParam *params = CAKE_ARENA_ARRAY(class->schedule->pass->scratch, CakeParam, parts->count + 1);
  for (size_t i = 0; i < parts->count; i++)
    params[i] = parts->params[i];
  params[2 * part + 1] = cake_param_type(type);
  cake_rewriter_set_attr_text(&class->schedule->rewriter, pipeline, "parts",
                              cake_attr_get(parts->context, &cake_attr_def_parts, params, parts->count));
}

void cake_tile_resize_views(CakeTileClass *class, int64_t from, int64_t to, const CakeOp *role) {
  for (size_t i = 0; i < class->values.len; i++) {
    CakeTileVisit at = class->values.data[i];
    CakeType type = at.value->type;
    CakeOp *taker = cake_value_def(at.value);
    CakeOp *pipeline = taker && cake_type_is(type, &cake_type_def_shared) ? cake_op_pipeline(taker) : NULL;
    if (!pipeline || (role && cake_cake_pipeline_store(pipeline) && cake_schedule_fills(pipeline, role))) continue;
    CakeType resized = cake_tile_resize(type, at.dim, cake_tile_size(type, at.dim) / from * to);
    size_t part = at.value->index - 1;
    bool is_first = cake_parts_type(cake_cake_pipeline_parts(pipeline), part) == type; // of the part's views
    if (is_first) resize_part(class, pipeline, part, resized);
    cake_rewriter_set_type(&class->schedule->rewriter, at.value, resized);
  }
}
