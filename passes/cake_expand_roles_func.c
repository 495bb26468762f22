// The gpu.func that a kernel becomes: its arguments, its launch facts and the views of its arrays.
#include "passes/cake_expand_roles.h"

#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/tiles.h"
#include "dialects/gpu/gpu_accessors.h"

typedef CAKE_VEC(CakeType) Types;
typedef CAKE_VEC(CakeAttr) Attrs;
typedef CAKE_VEC(CakeNamedAttr) NamedAttrs;

// ---- Sizes ----------------------------------------------------------------------------------------------------------

static void add_size(ExpandKernel *k, CakeId name) {
  for (size_t i = 0; i < k->names.len; i++)
    if (k->names.data[i] == name) return;
  CAKE_PUSH(&k->names, name);
}

static bool collect_sizes(ExpandKernel *k, CakeAttr expr, int depth) {
  enum { MAX_DEPTH = 400 };
  if (depth > MAX_DEPTH)
    return cake_error(k->kernel, CAKE_CODE_LOWER_UNSUPPORTED, "has a size that is nested too deeply");
  CakeExprKind kind = cake_expr_kind(expr);
  if (kind == CAKE_EXPR_NAME) add_size(k, cake_expr_name_of(expr));
  if (kind < CAKE_EXPR_ADD) return true;
  return collect_sizes(k, cake_expr_lhs(expr), depth + 1) && collect_sizes(k, cake_expr_rhs(expr), depth + 1);
}

static bool collect_all_sizes(ExpandKernel *k, const CakeBlock *body) {
  for (uint32_t i = 0; i < body->n_args; i++) {
    CakeType type = body->args[i]->type;
    for (size_t d = 0; cake_type_is(type, &cake_type_def_global) && d < cake_global_rank(type); d++)
      if (!collect_sizes(k, cake_global_dim(type, d), 0)) return false;
  }
  CakeAttr sizes = cake_cake_kernel_sizes(k->kernel);
  for (size_t i = 0; sizes && i < cake_attr_count(sizes); i++)
    add_size(k, cake_id(k->rewriter->context, cake_attr_string_value(cake_attr_element(sizes, i))));
  return true;
}

// ---- Attributes -----------------------------------------------------------------------------------------------------

static CakeAttr array_of(CakeContext *context, Attrs *attrs) {
  CakeAttr array = cake_attr_array(context, attrs->data, attrs->len);
  CAKE_VEC_FINI(attrs);
  return array;
}

static bool is_array(const CakeValue *argument) {
  return cake_type_is(argument->type, &cake_type_def_global);
}

// Of the kernel's arguments, arrays first: the name or the type.
static CakeAttr argument_list(ExpandKernel *k, const CakeBlock *body, bool want_names) {
  Attrs list = {0};
  CakeAttr names = cake_cake_kernel_arg_names(k->kernel);
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < body->n_args; i++)
      if (is_array(body->args[i]) == (pass == 0))
        CAKE_PUSH(&list, want_names ? cake_attr_element(names, i) : cake_attr_type(body->args[i]->type));
  return array_of(k->rewriter->context, &list);
}

static CakeAttr size_list(ExpandKernel *k) {
  Attrs list = {0};
  for (size_t i = 0; i < k->names.len; i++)
    CAKE_PUSH(&list, cake_attr_string_id(k->rewriter->context, k->names.data[i]));
  return array_of(k->rewriter->context, &list);
}

static CakeAttr role_row(CakeContext *context, const ExpandRole *role) {
  CakeNamedAttr entries[] = {
      {cake_id_text(context, "name"),       cake_attr_string_id(context, role->name)            },
      {cake_id_text(context, "first_warp"), cake_attr_i64(context,       role->shape.first_warp)},
      {cake_id_text(context, "warps"),      cake_attr_i64(context,       role->shape.warps)     },
      {cake_id_text(context, "replicas"),   cake_attr_i64(context,       role->shape.replicas)  },
      {cake_id_text(context, "regs"),       cake_attr_i64(context,       role->shape.regs)      },
  };
  return cake_attr_dictionary(context, entries, CAKE_COUNT(entries));
}

static CakeAttr role_list(ExpandKernel *k) {
  Attrs list = {0};
  for (size_t i = 0; i < k->roles.len; i++)
    CAKE_PUSH(&list, role_row(k->rewriter->context, &k->roles.data[i]));
  return array_of(k->rewriter->context, &list);
}

static bool is_persistent(const ExpandKernel *k) {
  return k->tiles && cake_schedule_kind(cake_cake_tiles_schedule(k->tiles)) == CAKE_SCHEDULE_PERSISTENT;
}

static CakeAttr grid_expr(ExpandKernel *k) {
  CakeContext *context = k->rewriter->context;
  CakeAttr axes = k->tiles ? cake_cake_tiles_axes(k->tiles) : NULL;
  CakeAttr items = NULL;
  for (size_t i = 0; i < cake_axes_count(axes); i++) {
    CakeAttr extent = cake_tiles_extent(k->tiles, i);
    items = items ? cake_expr_binary(context, CAKE_EXPR_MUL, items, extent) : extent;
  }
  if (!items) items = cake_expr_const(context, 1);
  return cake_expr_binary(context, CAKE_EXPR_MUL, items, cake_expr_const(context, k->cluster));
}

// Grids have one dimension, and so have clusters.
static CakeAttr cluster_shape(ExpandKernel *k) {
  CakeContext *context = k->rewriter->context;
  CakeAttr extents[] = {cake_attr_i64(context, k->cluster), cake_attr_i64(context, 1), cake_attr_i64(context, 1)};
  return k->cluster > 1 ? cake_attr_array(context, extents, CAKE_COUNT(extents)) : NULL;
}

static void add_attr(CakeContext *context, NamedAttrs *attrs, const char *name, CakeAttr value) {
  if (value) CAKE_PUSH(attrs, (CakeNamedAttr){cake_id_text(context, name), value});
}

static NamedAttrs launch_facts(ExpandKernel *k, const CakeBlock *body) {
  CakeContext *context = k->rewriter->context;
  NamedAttrs attrs = {0};
  add_attr(context, &attrs, "sym_name", cake_cake_kernel_sym_name(k->kernel));
  add_attr(context, &attrs, "target", cake_cake_kernel_target(k->kernel));
  add_attr(context, &attrs, "arg_names", argument_list(k, body, true));
  add_attr(context, &attrs, "arg_types", argument_list(k, body, false));
  add_attr(context, &attrs, "sizes", size_list(k));
  add_attr(context, &attrs, "grid", grid_expr(k));
  add_attr(context, &attrs, "persistent", is_persistent(k) ? cake_attr_unit(context) : NULL);
  add_attr(context, &attrs, "cluster", cluster_shape(k));
  add_attr(context, &attrs, "guard", cake_cake_kernel_guard(k->kernel));
  add_attr(context, &attrs, "block", cake_attr_i64(context, k->threads));
  add_attr(context, &attrs, "shared_bytes", cake_cake_kernel_shared_bytes(k->kernel));
  add_attr(context, &attrs, "tensor_memory", cake_cake_kernel_tensor_memory(k->kernel));
  add_attr(context, &attrs, "roles", role_list(k));
  for (size_t i = 0; k->kernel->attrs && i < cake_attr_count(k->kernel->attrs); i++)
    CAKE_PUSH(&attrs, cake_attr_entry(k->kernel->attrs, i));
  return attrs;
}

// ---- The function ---------------------------------------------------------------------------------------------------

// `gpu.module @kernels`, made before the kernel when it is not there yet; NULL: reported.
static CakeOp *find_module(ExpandKernel *k, CakeOp *module) {
  CakeContext *context = k->rewriter->context;
  CakeOp *found = cake_symbol_lookup_in(module, cake_id_text(context, "kernels"));
  if (found && !cake_is_gpu_op(found, cake_op_gpu_module)) {
    (void)cake_error(found, CAKE_CODE_IR_SYMBOL,
                     "has the name 'kernels', which is that of the gpu.module of all kernels");
    return NULL;
  }
  if (found) return found;
  CakeNamedAttr name = {cake_id_text(context, "sym_name"), cake_attr_string(context, CAKE_STR("kernels"))};
  cake_rewriter_set_before(k->rewriter, k->kernel);
  found = cake_rewriter_build(k->rewriter,
                              &(CakeBuild){.name = "gpu.module", .attrs = &name, .n_attrs = 1, .n_regions = 1});
  cake_rewriter_add_block(k->rewriter, cake_op_region(found, 0), NULL, 0, k->kernel->loc);
  return found;
}

static Types argument_types(ExpandKernel *k, const CakeBlock *body) {
  CakeContext *context = k->rewriter->context;
  Types types = {0};
  for (uint32_t i = 0; i < body->n_args; i++)
    if (is_array(body->args[i])) CAKE_PUSH(&types, cake_gpu_ptr(context, CAKE_GPU_GLOBAL));
  for (uint32_t i = 0; i < body->n_args; i++)
    if (!is_array(body->args[i])) CAKE_PUSH(&types, body->args[i]->type);
  for (size_t i = 0; i < k->names.len; i++)
    CAKE_PUSH(&types, cake_type_index(context));
  return types;
}

// Replaces the kernel's arguments by those of the function, arrays by views of them.
static void bind_arguments(ExpandKernel *k, const CakeBlock *body, CakeBlock *entry) {
  uint32_t next = 0;
  for (int pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < body->n_args; i++) {
      CakeValue *old = body->args[i];
      if (is_array(old) != (pass == 0)) continue;
      CakeValue *value = entry->args[next++];
      value->name = old->name;
      if (is_array(old)) {
        value = cake_lower_view(k->rewriter, value, old->type);
        value->name = old->name;
      }
      cake_rewriter_replace_uses(k->rewriter, old, value);
    }
  for (size_t i = 0; i < k->names.len; i++) {
    CakeValue *value = entry->args[next++];
    cake_value_set_name(value, cake_id_str(k->names.data[i]));
    CAKE_PUSH(&k->sizes, value);
  }
}

bool cake_expand_func(ExpandKernel *k, CakeOp *module) {
  const CakeBlock *body = cake_region_entry(cake_op_region(k->kernel, 0));
  if (cake_attr_count(cake_cake_kernel_arg_names(k->kernel)) != body->n_args)
    return cake_error(k->kernel, CAKE_CODE_PASS_FAILED, "names another number of arguments than it has");
  CakeOp *owner = collect_all_sizes(k, body) ? find_module(k, module) : NULL;
  if (!owner) return false;
  CakeOp *same = cake_symbol_lookup_in(owner, cake_symbol_name(k->kernel));
  if (same) return cake_error(k->kernel, CAKE_CODE_IR_SYMBOL, "becomes a gpu.func of a name that is taken");
  NamedAttrs attrs = launch_facts(k, body);
  Types types = argument_types(k, body);
  cake_rewriter_set_end(k->rewriter, cake_region_entry(cake_op_region(owner, 0)));
  k->rewriter->loc = k->kernel->loc;
  k->func = cake_rewriter_build(
      k->rewriter, &(CakeBuild){.name = "gpu.func", .attrs = attrs.data, .n_attrs = attrs.len, .n_regions = 1});
  CakeBlock *entry =
      cake_rewriter_add_block(k->rewriter, cake_op_region(k->func, 0), types.data, types.len, k->kernel->loc);
  CAKE_VEC_FINI(&attrs);
  CAKE_VEC_FINI(&types);
  cake_rewriter_set_end(k->rewriter, entry);
  k->rewriter->loc = k->kernel->loc;
  k->end = cake_rewriter_build(k->rewriter, &(CakeBuild){.name = "gpu.return"});
  k->rewriter->before = k->end;
  bind_arguments(k, body, entry);
  return true;
}
