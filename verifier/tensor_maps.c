// Rule tensor-maps: the tensor maps of a function at the thread level are ones that the driver makes.
//
// CUDA Driver API, cuTensorMapEncodeTiled: the array's address and all strides but that of its elements are multiples of 16 bytes, a box has 1 to 256
// elements along a dimension, its rows are multiples of 16 bytes and not longer than the swizzle, and there are at most 5 dimensions. At the
// schedule level the rule copy-alignment says so of the copies.
#include "analysis/affine.h"
#include "dialects/gpu/gpu_accessors.h"
#include "verifier/rules.h"

enum { MAX_BOX = 256, UNIT = 16, MAX_RANK = 5 };

typedef struct Map {
  CakeOp *func;
  CakeStr arg;
  CakeAttr box;
  CakeType type; // of the array
  int64_t panel, swizzle;
} Map;

static int64_t number_in(CakeAttr entry, const char *name) {
  CakeAttr number = cake_attr_lookup_text(entry, name);
  return cake_attr_is(number, &cake_attr_def_integer) ? cake_attr_int_value(number) : 0;
}

static bool read_map(CakeOp *func, CakeAttr entry, Map *out) {
  if (!cake_attr_is(entry, &cake_attr_def_dictionary)) return false;
  CakeAttr arg = cake_attr_lookup_text(entry, "arg"), names = cake_gpu_func_arg_names(func);
  *out = (Map){.func = func, .box = cake_attr_lookup_text(entry, "box")};
  if (!cake_attr_is(out->box, &cake_attr_def_array) || !cake_attr_is(arg, &cake_attr_def_string)) return false;
  out->arg = cake_attr_string_value(arg);
  out->panel = number_in(entry, "panel");
  out->swizzle = number_in(entry, "swizzle");
  for (size_t i = 0; i < cake_attr_count(names); i++) {
    CakeAttr type = cake_attr_element(cake_gpu_func_arg_types(func), i);
    if (cake_attr_element(names, i) == arg && cake_attr_is(type, &cake_attr_def_type))
      out->type = cake_attr_value_type(type);
  }
  return cake_type_is(out->type, &cake_type_def_global);
}

static int64_t element_bytes(const Map *map) {
  return (int64_t)cake_type_width(cake_global_element(map->type)) / 8;
}

static int64_t box_size(const Map *map, size_t dim) {
  CakeAttr size = cake_attr_element(map->box, dim);
  return cake_attr_is(size, &cake_attr_def_integer) ? cake_attr_int_value(size) : 0;
}

static bool check_box(const Map *map) {
  size_t rank = cake_attr_count(map->box);
  if (rank < 1 || rank > MAX_RANK)
    return cake_error(map->func, CAKE_CODE_TMA_STRIDE,
                      "has a tensor map of '%.*s' with %zu dimensions; 1 to %d are possible", CAKE_STR_ARG(map->arg),
                      rank, MAX_RANK);
  for (size_t i = 0; i < rank; i++)
    if (box_size(map, i) < 1 || box_size(map, i) > MAX_BOX)
      return cake_error(map->func, CAKE_CODE_TMA_STRIDE,
                        "has a tensor map of '%.*s' whose box has %lld elements in dimension %zu; a box has 1 to %d",
                        CAKE_STR_ARG(map->arg), (long long)box_size(map, i), i, MAX_BOX);
  return true;
}

static bool check_rows(const Map *map) {
  int64_t row = box_size(map, 0) * element_bytes(map);
  if (row % UNIT)
    return cake_error(map->func, CAKE_CODE_TMA_STRIDE,
                      "has a tensor map of '%.*s' whose box has rows of %lld bytes; they must be multiples of %d",
                      CAKE_STR_ARG(map->arg), (long long)row, UNIT);
  if (map->swizzle != 0 && map->swizzle != 32 && map->swizzle != 64 && map->swizzle != 128)
    return cake_error(map->func, CAKE_CODE_TMA_STRIDE,
                      "has a tensor map of '%.*s' with a swizzle of %lld bytes; there are 0, 32, 64 and 128",
                      CAKE_STR_ARG(map->arg), (long long)map->swizzle);
  if (!map->swizzle || row <= map->swizzle) return true;
  CakeDiagnostic *d = cake_error_begin(
      map->func, CAKE_CODE_TMA_STRIDE,
      "has a tensor map of '%.*s' whose box has rows of %lld bytes, which is more than its swizzle of %lld",
      CAKE_STR_ARG(map->arg), (long long)row, (long long)map->swizzle);
  cake_diag_fix(map->func->context, d, "copy panels of %lld elements, one behind the other",
                (long long)(map->swizzle / element_bytes(map)));
  return cake_diag_emit(map->func->context, d);
}

static bool check_array(const Map *map) {
  size_t rank = cake_global_rank(map->type);
  CakeContext *context = map->func->context;
  int64_t align = cake_global_align(map->type);
  for (size_t dim = 0; dim + 1 < rank; dim++) {
    if (cake_stride_divisor(map->func, map->type, dim) % UNIT == 0) continue;
    CakeDiagnostic *d = cake_error_begin(
        map->func, CAKE_CODE_TMA_STRIDE,
        "has a tensor map of '%.*s' ('%s'), whose stride of dimension %zu need not be a multiple of %d bytes",
        CAKE_STR_ARG(map->arg), cake_type_text(map->type), dim, UNIT);
    CakeAttr inner = cake_global_dim(map->type, rank - 1);
    if (cake_expr_kind(inner) == CAKE_EXPR_NAME)
      cake_diag_fix(context, d, "add `%s mod %lld eq 0` to its guard", cake_expr_name_of(inner)->text,
                    (long long)(UNIT / element_bytes(map)));
    return cake_diag_emit(context, d);
  }
  if (!align || align % UNIT == 0) return true; // what it does not say, the launcher looks at
  return cake_error(map->func, CAKE_CODE_TMA_STRIDE,
                    "has a tensor map of '%.*s', whose address is a multiple of %lld bytes; it must be one of %d",
                    CAKE_STR_ARG(map->arg), (long long)align, UNIT);
}

static bool check_func(CakeOp *func) {
  CakeAttr maps = cake_gpu_func_tensor_maps(func);
  bool ok = true;
  for (size_t i = 0; maps && i < cake_attr_count(maps); i++) {
    Map map;
    if (!read_map(func, cake_attr_element(maps, i), &map) || !element_bytes(&map)) continue;
    cake_context_site(func->context);
    ok = ok && check_box(&map) && check_rows(&map) && check_array(&map);
  }
  return ok;
}

bool cake_rule_tensor_maps(CakeOp *module) {
  bool ok = true;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, cake_is_gpu_op(op, cake_op_gpu_func)))
    if (cake_is_gpu_op(op, cake_op_gpu_func)) ok &= check_func(op);
  return ok;
}
