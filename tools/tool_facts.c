// Reads launch facts from a kernel or a lowered function, and evaluates expressions over its sizes.
#include "tools/tool_facts.h"

#include "dialects/cake/cake.h"
#include "dialects/gpu/gpu.h"

void cake_facts_fini(CakeFacts *facts) {
  CAKE_VEC_FINI(&facts->args);
  CAKE_VEC_FINI(&facts->sizes);
  CAKE_VEC_FINI(&facts->maps);
  CAKE_VEC_FINI(&facts->roles);
  *facts = (CakeFacts){0};
}

size_t cake_facts_find(const CakeFacts *facts, CakeStr name) {
  for (size_t i = 0; i < facts->args.len; i++)
    if (cake_str_equal(facts->args.data[i].name, name)) return i;
  return SIZE_MAX;
}

size_t cake_facts_find_size(const CakeFacts *facts, CakeStr name) {
  for (size_t i = 0; i < facts->sizes.len; i++)
    if (cake_str_equal(cake_id_str(facts->sizes.data[i]), name)) return i;
  return SIZE_MAX;
}

// ---- Expressions -----------------------------------------------------------------------------------------------------

typedef struct Bound {
  const CakeFacts *facts;
  const int64_t *sizes;
} Bound;

static bool look_up(void *user, CakeId name, int64_t *out) {
  const Bound *bound = user;
  size_t at = cake_facts_find_size(bound->facts, cake_id_str(name));
  if (at == SIZE_MAX || bound->sizes[at] < 0) return false;
  *out = bound->sizes[at];
  return true;
}

bool cake_facts_eval(const CakeFacts *facts, CakeAttr expr, const int64_t *sizes, int64_t *out) {
  Bound bound = {facts, sizes};
  return cake_expr_eval(expr, &(CakeExprEnv){.name = look_up, .user = &bound}, out);
}

bool cake_facts_holds(const CakeFacts *facts, CakeAttr pred, const int64_t *sizes, bool *out) {
  Bound bound = {facts, sizes};
  return cake_pred_eval(pred, &(CakeExprEnv){.name = look_up, .user = &bound}, out);
}

// ---- From a cake.kernel ----------------------------------------------------------------------------------------------

static bool is_sizes_full(const CakeFacts *facts) {
  return facts->sizes.len >= 4096; // of no use, and lookups are linear
}

static void add_sizes(CakeFacts *facts, CakeAttr expr) {
  CAKE_VEC(CakeAttr) left = {0}; // expressions are as deep as the text says: no recursion
  CAKE_PUSH(&left, expr);
  while (left.len) {
    CakeAttr at = left.data[--left.len];
    CakeExprKind kind = cake_expr_kind(at);
    if (kind == CAKE_EXPR_NAME) {
      CakeId name = cake_expr_name_of(at);
      if (cake_facts_find_size(facts, cake_id_str(name)) == SIZE_MAX && !is_sizes_full(facts))
        CAKE_PUSH(&facts->sizes, name);
    } else if (kind >= CAKE_EXPR_ADD) {
      CAKE_PUSH(&left, cake_expr_rhs(at));
      CAKE_PUSH(&left, cake_expr_lhs(at));
    }
  }
  CAKE_VEC_FINI(&left);
}

static void add_argument(CakeFacts *facts, CakeStr name, CakeType type) {
  CAKE_PUSH(&facts->args, (CakeFactsArgument){name, type});
  if (!cake_type_is(type, &cake_type_def_global)) return;
  for (size_t i = 0; i < cake_global_rank(type); i++)
    add_sizes(facts, cake_global_dim(type, i));
}

static void add_kernel_roles(CakeOp *kernel, CakeFacts *facts) {
  CakeBlock *body = cake_region_entry(cake_op_region(kernel, 0));
  for (CakeOp *op = body->first; op; op = op->next) {
    CakeRoleShape shape;
    if (!cake_is_cake_op(op, cake_op_cake_role) || !cake_role_shape(op, &shape)) continue;
    CakeFactsRole role = {cake_attr_string_value(cake_op_attr_text(op, "sym_name")), shape.first_warp, shape.warps,
                          shape.replicas, shape.regs};
    CAKE_PUSH(&facts->roles, role);
  }
}

bool cake_facts_of_kernel(CakeOp *kernel, CakeFacts *out) {
  CakeBlock *body = cake_region_entry(cake_op_region(kernel, 0));
  CakeAttr names = cake_op_attr_text(kernel, "arg_names"), bytes = cake_op_attr_text(kernel, "shared_bytes");
  if (!body || !names || cake_attr_count(names) != body->n_args)
    return cake_error(kernel, CAKE_CODE_IR_SEMANTICS, "needs a name for each of its arguments");
  *out =
      (CakeFacts){.context = kernel->context, .kernel = cake_attr_string_value(cake_op_attr_text(kernel, "sym_name"))};
  for (uint32_t i = 0; i < body->n_args; i++)
    add_argument(out, cake_attr_string_value(cake_attr_element(names, i)), body->args[i]->type);
  out->guard = cake_op_attr_text(kernel, "guard");
  out->block = cake_kernel_threads(kernel);
  out->shared_bytes = bytes ? cake_attr_int_value(bytes) : 0;
  add_kernel_roles(kernel, out);
  return true;
}

// ---- From a gpu.func -------------------------------------------------------------------------------------------------

static int64_t int_entry(CakeAttr dictionary, const char *name) {
  CakeAttr value = cake_attr_is(dictionary, &cake_attr_def_dictionary) ? cake_attr_lookup_text(dictionary, name) : NULL;
  return cake_attr_is(value, &cake_attr_def_integer) ? cake_attr_int_value(value) : 0;
}

static CakeStr string_entry(CakeAttr dictionary, const char *name) {
  CakeAttr value = cake_attr_is(dictionary, &cake_attr_def_dictionary) ? cake_attr_lookup_text(dictionary, name) : NULL;
  return cake_attr_is(value, &cake_attr_def_string) ? cake_attr_string_value(value) : CAKE_STR("");
}

static bool add_map(CakeOp *func, CakeAttr entry, CakeFacts *facts) {
  CakeAttr box = cake_attr_is(entry, &cake_attr_def_dictionary) ? cake_attr_lookup_text(entry, "box") : NULL;
  CakeFactsMap map = {cake_facts_find(facts, string_entry(entry, "arg")),
                      {0},
                      0,
                      int_entry(entry, "panel"),
                      int_entry(entry, "swizzle")};
  if (map.argument == SIZE_MAX || !cake_attr_is(box, &cake_attr_def_array) ||
      cake_attr_count(box) > CAKE_FACTS_MAP_RANK)
    return cake_error(func, CAKE_CODE_IR_ATTRIBUTES,
                      "has an entry of 'tensor_maps' that is no tensor map of an argument");
  map.rank = cake_attr_count(box);
  for (size_t i = 0; i < map.rank; i++) {
    CakeAttr extent = cake_attr_element(box, i);
    map.box[i] = cake_attr_is(extent, &cake_attr_def_integer) ? cake_attr_int_value(extent) : 0;
  }
  CAKE_PUSH(&facts->maps, map);
  return true;
}

static void add_roles(CakeAttr roles, CakeFacts *facts) {
  for (size_t i = 0; cake_attr_is(roles, &cake_attr_def_array) && i < cake_attr_count(roles); i++) {
    CakeAttr entry = cake_attr_element(roles, i);
    CakeFactsRole role = {string_entry(entry, "name"), int_entry(entry, "first_warp"), int_entry(entry, "warps"),
                          int_entry(entry, "replicas"), int_entry(entry, "regs")};
    CAKE_PUSH(&facts->roles, role);
  }
}

static bool add_names(CakeOp *func, CakeFacts *facts) {
  CakeAttr names = cake_op_attr_text(func, "arg_names"), types = cake_op_attr_text(func, "arg_types"),
           sizes = cake_op_attr_text(func, "sizes");
  if (!names || !types || !sizes || cake_attr_count(names) != cake_attr_count(types))
    return cake_error(func, CAKE_CODE_IR_ATTRIBUTES, "needs 'arg_names' and as many 'arg_types'");
  for (size_t i = 0; i < cake_attr_count(names); i++) {
    CakeAttr type = cake_attr_element(types, i);
    if (!cake_attr_is(type, &cake_attr_def_type))
      return cake_error(func, CAKE_CODE_IR_ATTRIBUTES, "has an entry of 'arg_types' that is no type");
    CakeFactsArgument argument = {cake_attr_string_value(cake_attr_element(names, i)), cake_attr_value_type(type)};
    CAKE_PUSH(&facts->args, argument);
  }
  for (size_t i = 0; i < cake_attr_count(sizes); i++)
    CAKE_PUSH(&facts->sizes, cake_id(func->context, cake_attr_string_value(cake_attr_element(sizes, i))));
  return true;
}

static bool add_facts(CakeOp *func, CakeFacts *facts) {
  CakeAttr maps = cake_op_attr_text(func, "tensor_maps"), block = cake_op_attr_text(func, "block"),
           bytes = cake_op_attr_text(func, "shared_bytes");
  facts->grid = cake_op_attr_text(func, "grid");
  facts->guard = cake_op_attr_text(func, "guard");
  facts->persistent = cake_op_attr_text(func, "persistent") != NULL;
  facts->block = block ? cake_attr_int_value(block) : 0;
  facts->shared_bytes = bytes ? cake_attr_int_value(bytes) : 0;
  if (!cake_attr_is(facts->grid, &cake_attr_def_expr))
    return cake_error(func, CAKE_CODE_IR_ATTRIBUTES, "needs a 'grid' of #cake.expr");
  if (facts->guard && !cake_attr_is(facts->guard, &cake_attr_def_pred))
    return cake_error(func, CAKE_CODE_IR_ATTRIBUTES, "needs a 'guard' of #cake.pred");
  if (!add_names(func, facts)) return false;
  for (size_t i = 0; maps && i < cake_attr_count(maps); i++)
    if (!add_map(func, cake_attr_element(maps, i), facts)) return false;
  add_roles(cake_op_attr_text(func, "roles"), facts);
  return true;
}

bool cake_facts_of_func(CakeOp *func, const char *target, CakeFacts *out) {
  *out = (CakeFacts){.context = func->context, .kernel = cake_attr_string_value(cake_op_attr_text(func, "sym_name"))};
  out->target = cake_id_str(cake_id_text(func->context, target ? target : ""));
  if (add_facts(func, out)) return true;
  cake_facts_fini(out);
  return false;
}
