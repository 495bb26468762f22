// Names of an item, and what depends on them. Where a CTA has one item they are values of the whole function, the same in every role; where it
// takes item after item, each role computes them for itself in each round.
#include "dialects/cake/cake_accessors.h"
#include "dialects/cake/ops/tiles.h"
#include "passes/cake_expand_roles.h"

typedef CAKE_VEC(CakeValue *) Values;
typedef CAKE_VEC(CakeId) Ids;

bool cake_expand_has_names(const ExpandKernel *k) {
  CakeAttr steps = cake_cake_tiles_steps(k->tiles);
  return cake_cake_tiles_let(k->tiles) || k->slowest_axis >= 0 ||
         (steps && cake_tiles_uses_axes(k->tiles, cake_axes_extent(steps, 0)));
}

// Axes, then sizes and the names so far.
typedef struct Names {
  Ids ids;
  Values values;
} Names;

static Names names_of(const ExpandKernel *k) {
  CakeAttr axes = cake_cake_tiles_axes(k->tiles);
  Names names = {0};
  for (size_t i = 0; i < k->item.len; i++) {
    CAKE_PUSH(&names.ids, cake_axes_name(axes, i));
    CAKE_PUSH(&names.values, k->item.data[i]);
  }
  for (size_t i = 0; i < k->names.len; i++) {
    CAKE_PUSH(&names.ids, k->names.data[i]);
    CAKE_PUSH(&names.values, k->sizes.data[i]);
  }
  return names;
}

// The value of an expression; NULL: reported.
static CakeValue *value_of(ExpandKernel *k, CakeAttr expr) {
  Names names = names_of(k);
  CakeLowerEnv env = {.names = names.ids.data, .name_values = names.values.data, .n_names = names.ids.len};
  CakeValue *value = cake_lower_expr(k->rewriter, k->tiles, expr, &env);
  CAKE_VEC_FINI(&names.ids);
  CAKE_VEC_FINI(&names.values);
  return value;
}

// An element of an array of integers, as an index; NULL: reported.
static CakeValue *element_of(ExpandKernel *k, CakeValue *array, CakeAttr at) {
  CakeRewriter *rewriter = k->rewriter;
  CakeType type = array->type, element = cake_global_element(type), i64 = cake_type_i64(rewriter->context);
  CakeValue *number = NULL;
  for (size_t d = 0; d < cake_at_count(at); d++) {
    CakeValue *index = value_of(k, cake_at_expr(at, d)), *extent = d ? value_of(k, cake_global_dim(type, d)) : NULL;
    if (!index || (d && !extent)) return NULL;
    index = cake_lower_cast(rewriter, index, i64);
    number = number ? cake_lower_add(rewriter, cake_lower_mul(rewriter, number, cake_lower_cast(rewriter, extent, i64)),
                                     index)
                    : index;
  }
  CakeValue *ptr = cake_op_operand(cake_value_def(array), 0); // the view's
  CakeValue *bytes = cake_lower_mul_const(rewriter, number, (int64_t)cake_type_width(element) / 8);
  ptr = cake_lower_ptr_add(rewriter, ptr, bytes);
  CakeNamedAttr readonly = {cake_id_text(rewriter->context, "readonly"), cake_attr_unit(rewriter->context)};
  bool is_readonly = (cake_global_flags(type) & CAKE_GLOBAL_READONLY) != 0;
  CakeOp *load = cake_rewriter_build(rewriter, &(CakeBuild){.name = "gpu.load",
                                                            .operands = &ptr,
                                                            .n_operands = 1,
                                                            .result_types = &element,
                                                            .n_results = 1,
                                                            .attrs = &readonly,
                                                            .n_attrs = is_readonly});
  return cake_lower_cast(rewriter, cake_op_result(load, 0), cake_type_index(rewriter->context));
}

static bool compute_names(ExpandKernel *k) {
  CakeAttr lets = cake_cake_tiles_let(k->tiles);
  CakeOperandRange arrays = cake_cake_tiles_arrays(k->tiles);
  for (size_t i = 0; i < cake_lets_count(lets); i++) {
    int64_t array = cake_lets_array(lets, i);
    CakeAttr value = cake_lets_value(lets, i);
    CakeValue *computed = array < 0 ? value_of(k, value) : element_of(k, arrays.first[array].value, value);
    if (!computed) return false;
    CAKE_PUSH(&k->names, cake_lets_name(lets, i));
    CAKE_PUSH(&k->sizes, cake_lower_name(computed, cake_lets_name(lets, i)->text));
  }
  return true;
}

// Items behind an extent are left out, and those that are not `inside` (NULL: all are).
static bool compute_rounds(ExpandKernel *k, CakeValue *inside) {
  CakeAttr axes = cake_cake_tiles_axes(k->tiles);
  for (size_t i = 0; i < k->item.len; i++) {
    CakeAttr extent = cake_axes_extent(axes, i);
    if (cake_tiles_extent(k->tiles, i) == extent) continue;
    CakeValue *end = value_of(k, extent);
    if (!end) return false;
    CakeValue *holds = cake_lower_cmpi(k->rewriter, CAKE_CMPI_SLT, k->item.data[i], end);
    inside = inside ? cake_build_binary(k->rewriter, "arith.andi", inside, holds) : holds;
  }
  if (!inside) return true;
  k->rounds =
      cake_lower_select(k->rewriter, inside, cake_lower_index(k->rewriter, 1), cake_lower_index(k->rewriter, 0));
  cake_lower_name(k->rounds, "rounds");
  return true;
}

// Roles that read an element one after another must all see the same.
static bool check_promises(ExpandKernel *k) {
  CakeOperandRange arrays = cake_cake_tiles_arrays(k->tiles);
  for (uint32_t i = 0; i < arrays.count; i++) {
    CakeType type = arrays.first[i].value->type;
    if (cake_global_flags(type) & CAKE_GLOBAL_READONLY) continue;
    CakeDiagnostic *d = cake_error_begin(
        k->tiles, CAKE_CODE_LOWER_UNSUPPORTED,
        "takes item after item, whose names each role reads for itself; the array must be `readonly` for that");
    cake_diag_fix(k->rewriter->context, d, "declare the array `readonly`");
    return cake_diag_emit(k->rewriter->context, d);
  }
  return true;
}

bool cake_expand_item(ExpandKernel *k, const ExpandPlace *place) {
  CakeAttr axes = cake_cake_tiles_axes(k->tiles), steps = cake_cake_tiles_steps(k->tiles);
  bool is_repeated = cake_schedule_kind(cake_cake_tiles_schedule(k->tiles)) != CAKE_SCHEDULE_GRID;
  if (is_repeated && !check_promises(k)) return false;
  for (size_t i = 0; i < k->extents.len; i++)
    CAKE_PUSH(&k->item, NULL);
  cake_expand_coordinates(k, place, k->item.data);
  for (size_t i = 0; i < k->item.len; i++)
    cake_lower_name(k->item.data[i], cake_axes_name(axes, i)->text);
  if (!compute_names(k) || !compute_rounds(k, place->inside)) return false;
  if (!k->has_steps) return true;
  k->steps = value_of(k, cake_axes_extent(steps, 0));
  if (k->steps) cake_lower_name(k->steps, "steps");
  return k->steps != NULL;
}

void cake_expand_forget_item(ExpandKernel *k, size_t n_sizes) {
  k->names.len = k->sizes.len = n_sizes;
  k->item.len = 0;
  k->rounds = k->steps = NULL;
}
