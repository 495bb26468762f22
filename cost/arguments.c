// The arguments of a launch: sizes as the options give them, and no numbers but those that items are computed from.
#include "cost/model.h"

#include "cake/text.h"
#include "dialects/cake/cake_accessors.h"

static bool find_size(void *user, CakeId name, int64_t *out) {
  const CakeCostOptions *options = user;
  for (size_t i = 0; i < options->n_sizes; i++) {
    if (!cake_str_equal(options->sizes[i].name, cake_id_str(name))) continue;
    *out = options->sizes[i].value;
    return true;
  }
  return false;
}

static const CakeCostArray *find_array(const CakeCostOptions *options, CakeStr name) {
  for (size_t i = 0; i < options->n_arrays; i++)
    if (cake_str_equal(options->arrays[i].name, name)) return &options->arrays[i];
  return NULL;
}

// The elements that the options give, as an array of the launch has them.
static bool set_values(const CakeCostEstimate *estimate, const CakeCostArray *given, CakeSimArray *array) {
  CakeSimElement element;
  int64_t count = 1;
  for (size_t d = 0; d < array->rank; d++)
    count *= array->dims[d];
  if (!cake_sim_element_of(array->element, &element) || element.is_float)
    return cake_error(estimate->kernel, CAKE_CODE_RUN_ARGUMENT, "argument '%.*s' takes no integers",
                      CAKE_STR_ARG(given->name));
  if ((size_t)count != given->count)
    return cake_error(estimate->kernel, CAKE_CODE_RUN_ARGUMENT, "argument '%.*s' has %lld elements, not %zu",
                      CAKE_STR_ARG(given->name), (long long)count, given->count);
  array->data = cake_arena_alloc(estimate->arena, given->count * sizeof(int64_t) + 1);
  cake_sim_write(element, array->data, 0, given->count, given->values);
  return true;
}

static bool set_argument(const CakeCostEstimate *estimate, CakeStr name, CakeType type, CakeSimArgument *out) {
  static int64_t no_number[2]; // is never read
  CakeExprEnv env = {.name = find_size, .user = (void *)(uintptr_t)estimate->options};
  bool is_global = cake_type_is(type, &cake_type_def_global);
  *out = (CakeSimArgument){
      name, {.element = is_global ? cake_global_element(type) : type, .data = no_number}
  };
  out->array.rank = is_global ? cake_global_rank(type) : 0;
  if (out->array.rank > CAKE_SIM_MAX_RANK)
    return cake_cost_decline(estimate->kernel, "has an array of more than %d dimensions", CAKE_SIM_MAX_RANK);
  for (size_t d = 0; d < out->array.rank; d++) {
    CakeAttr dim = cake_global_dim(type, d);
    if (!cake_expr_eval(dim, &env, &out->array.dims[d]))
      return cake_error(estimate->kernel, CAKE_CODE_RUN_ARGUMENT, "needs the size %s of argument '%.*s'",
                        cake_body_text(dim), CAKE_STR_ARG(name));
  }
  const CakeCostArray *given = find_array(estimate->options, name);
  return !given || set_values(estimate, given, &out->array);
}

static bool set_all(CakeCostEstimate *estimate) {
  const CakeBlock *body = cake_region_entry(cake_op_region(estimate->kernel, 0));
  CakeAttr names = cake_cake_kernel_arg_names(estimate->kernel);
  estimate->n_args = body->n_args;
  estimate->args = CAKE_ARENA_ARRAY(estimate->arena, CakeSimArgument, body->n_args + 1);
  estimate->of_memory = CAKE_ARENA_ARRAY(estimate->arena, double, body->n_args + 1);
  for (uint32_t i = 0; i < body->n_args; i++)
    if (!set_argument(estimate, cake_attr_string_value(cake_attr_element(names, i)), body->args[i]->type,
                      &estimate->args[i]))
      return false;
  return true;
}

static bool is_size_of(const CakeOp *kernel, CakeStr name) {
  CakeAttr given = cake_cake_kernel_sizes(kernel);
  const CakeBlock *body = cake_region_entry(cake_op_region(kernel, 0));
  for (size_t i = 0; i < cake_attr_count(given); i++)
    if (cake_str_equal(cake_attr_string_value(cake_attr_element(given, i)), name)) return true;
  for (uint32_t i = 0; i < body->n_args; i++) {
    CakeType type = body->args[i]->type;
    size_t rank = cake_type_is(type, &cake_type_def_global) ? cake_global_rank(type) : 0;
    for (size_t d = 0; d < rank; d++) {
      CakeAttr dim = cake_global_dim(type, d);
      if (cake_expr_kind(dim) == CAKE_EXPR_NAME && cake_str_equal(cake_id_str(cake_expr_name_of(dim)), name))
        return true;
    }
  }
  return false;
}

static bool check_sizes(const CakeCostEstimate *estimate) {
  for (size_t i = 0; i < estimate->options->n_sizes; i++) {
    CakeStr name = estimate->options->sizes[i].name;
    if (!is_size_of(estimate->kernel, name))
      return cake_error(estimate->kernel, CAKE_CODE_RUN_ARGUMENT, "has no size '%.*s'", CAKE_STR_ARG(name));
  }
  return true;
}

// Items are computed from arrays whose numbers must be known.
static bool check_arrays(const CakeCostEstimate *estimate) {
  CakeAttr names = cake_cake_kernel_arg_names(estimate->kernel);
  for (CakeOp *op = cake_region_entry(cake_op_region(estimate->kernel, 0))->first; op; op = op->next) {
    if (!cake_is_cake_op(op, cake_op_cake_tiles)) continue;
    CakeOperandRange arrays = cake_cake_tiles_arrays(op);
    for (uint32_t i = 0; i < arrays.count; i++) {
      CakeStr name = cake_attr_string_value(cake_attr_element(names, arrays.first[i].value->index));
      if (!find_array(estimate->options, name))
        return cake_cost_decline(op, "depends on the numbers of array '%.*s', which are not given", CAKE_STR_ARG(name));
    }
  }
  return true;
}

bool cake_cost_set_arguments(CakeCostEstimate *estimate) {
  return check_sizes(estimate) && check_arrays(estimate) && set_all(estimate);
}
