// Arguments of a launch: found by name, compared with the kernel's types; named sizes are bound from their shapes.
#include "simulator/sim.h"

#include "cake/text.h"

// Sizes of a launch are less than this, so that index arithmetic of 32 bits does not overflow on a device.
#define MAX_SIZE ((int64_t)INT32_MAX - 65536)

static CakeId arg_name(const CakeSimLaunch *launch, size_t i) {
  return cake_id(launch->context, cake_attr_string_value(cake_attr_element(launch->arg_names, i)));
}

static bool argument_error(const CakeSimLaunch *launch, size_t i, const char *what, CakeStr found) {
  const CakeValue *arg = cake_region_entry(cake_op_region(launch->kernel, 0))->args[i];
  return cake_error_at(launch->context, cake_value_loc(arg), CAKE_CODE_RUN_ARGUMENT, "argument '%s' of type %s %s%.*s",
                       arg_name(launch, i)->text, cake_type_text(launch->arg_types[i]), what, CAKE_STR_ARG(found));
}

// ---- Names replaced by sizes ---------------------------------------------------------------------------------------------

static const CakeSimSize *find_size(const CakeSimLaunch *launch, CakeId name) {
  for (size_t i = 0; i < launch->sizes.len; i++) {
    if (launch->sizes.data[i].name == name) return &launch->sizes.data[i];
  }
  return NULL;
}

static CakeAttr bind_name(void *user, CakeAttr attr) {
  const CakeSimLaunch *launch = user;
  if (!cake_attr_is(attr, &cake_attr_def_expr)) return attr;
  if (cake_expr_kind(attr) == CAKE_EXPR_NAME) {
    const CakeSimSize *size = find_size(launch, cake_expr_name_of(attr));
    return size ? cake_expr_const(launch->context, size->value) : attr;
  }
  if (cake_expr_kind(attr) < CAKE_EXPR_ADD) return attr;
  return cake_expr_binary(launch->context, cake_expr_kind(attr), cake_expr_lhs(attr), cake_expr_rhs(attr));
}

CakeAttr cake_sim_bound(const CakeSimLaunch *launch, CakeAttr attr) {
  CakeSubstitution substitution = {.map_attr = bind_name, .user = (void *)(uintptr_t)launch};
  return cake_attr_substitute(attr, &substitution);
}

bool cake_sim_size_value(const CakeSimLaunch *launch, CakeOp *op, CakeAttr expr, const char *what, int64_t *out) {
  CakeExprEnv env = {0};
  if (cake_expr_eval(cake_sim_bound(launch, expr), &env, out)) return true;
  return cake_error(op, CAKE_CODE_RUN_ARGUMENT, "%s %s is not determined by the arguments", what, cake_attr_text(expr));
}

// ---- Shapes --------------------------------------------------------------------------------------------------------------

static bool mismatch(const CakeSimLaunch *launch, const CakeSimSize *size, size_t argument, size_t dim, int64_t found) {
  return cake_error_at(launch->context, launch->kernel->loc, CAKE_CODE_RUN_ARGUMENT,
                       "size '%s' is %lld in dimension %u of argument '%s', but %lld in dimension %zu of argument '%s'",
                       size->name->text, (long long)size->value, (unsigned)size->dim,
                       arg_name(launch, size->argument)->text, (long long)found, dim, arg_name(launch, argument)->text);
}

static bool check_range(const CakeSimLaunch *launch, size_t i, int64_t size, size_t dim) {
  if (size >= 0 && size < MAX_SIZE) return true;
  return cake_error_at(launch->context, launch->kernel->loc, CAKE_CODE_RUN_ARGUMENT,
                       "dimension %zu of argument '%s' is %lld; wanted 0 to %lld", dim, arg_name(launch, i)->text,
                       (long long)size, (long long)(MAX_SIZE - 1));
}

// Binds the names among the dimensions of an array.
static bool bind_dims(CakeSimLaunch *launch, size_t i, CakeType type) {
  const CakeSimArray *array = launch->arrays[i];
  for (size_t d = 0; d < array->rank; d++) {
    CakeAttr dim = cake_global_dim(type, d);
    if (!check_range(launch, i, array->dims[d], d)) return false;
    if (cake_expr_kind(dim) != CAKE_EXPR_NAME) continue;
    const CakeSimSize *size = find_size(launch, cake_expr_name_of(dim));
    if (size && size->value != array->dims[d]) return mismatch(launch, size, i, d, array->dims[d]);
    if (!size)
      CAKE_PUSH(&launch->sizes, (CakeSimSize){cake_expr_name_of(dim), array->dims[d], (uint32_t)i, (uint32_t)d});
  }
  return true;
}

// Compares the dimensions that are no names, after all names were bound.
static bool check_dims(CakeSimLaunch *launch, size_t i, CakeType type) {
  const CakeSimArray *array = launch->arrays[i];
  for (size_t d = 0; d < array->rank; d++) {
    CakeAttr dim = cake_global_dim(type, d);
    int64_t wanted = 0;
    if (cake_expr_kind(dim) == CAKE_EXPR_NAME || cake_expr_kind(dim) == CAKE_EXPR_UNKNOWN) continue;
    if (!cake_sim_size_value(launch, launch->kernel, dim, "size", &wanted)) return false;
    if (wanted != array->dims[d])
      return cake_error_at(launch->context, launch->kernel->loc, CAKE_CODE_RUN_ARGUMENT,
                           "dimension %zu of argument '%s' is %lld; the kernel wants %s = %lld", d,
                           arg_name(launch, i)->text, (long long)array->dims[d], cake_attr_text(dim),
                           (long long)wanted);
  }
  return true;
}

// ---- Arguments -----------------------------------------------------------------------------------------------------------

static bool bind_argument(CakeSimLaunch *launch, size_t i, CakeType type) {
  const CakeSimArray *array = launch->arrays[i];
  bool is_global = cake_type_is(type, &cake_type_def_global);
  CakeType element = is_global ? cake_global_element(type) : type;
  size_t rank = is_global ? cake_global_rank(type) : 0;
  CakeSimGlobal *global = &launch->globals[i];
  if (!cake_sim_element_of(element, &global->element))
    return argument_error(launch, i, "has elements that the simulator does not know", CAKE_STR(""));
  if (rank > CAKE_SIM_MAX_RANK)
    return argument_error(launch, i, "has more dimensions than the simulator takes", CAKE_STR(""));
  if (array->element != element)
    return argument_error(launch, i, "was given elements of type ",
                          cake_str(array->element ? cake_type_text(array->element) : "none"));
  if (array->rank != rank) {
    CakeStr found = cake_arena_printf(launch->arena, "%zu", array->rank);
    return argument_error(launch, i, "was given an array whose number of dimensions is ", found);
  }
  if (is_global && !bind_dims(launch, i, type)) return false;
  bool is_empty = false;
  for (size_t d = 0; d < rank; d++)
    is_empty = is_empty || array->dims[d] == 0;
  if (!array->data && !is_empty) return argument_error(launch, i, "was given no data", CAKE_STR(""));
  global->array = array;
  global->name = arg_name(launch, i);
  int64_t stride = 1;
  for (size_t d = rank; d-- > 0;) {
    global->strides[d] = stride;
    if (array->dims[d] > 0 && stride > INT64_MAX / 16 / array->dims[d])
      return argument_error(launch, i, "was given too large an array", CAKE_STR(""));
    stride *= array->dims[d];
  }
  return true;
}

static bool find_argument(CakeSimLaunch *launch, size_t i, const CakeSimArgument *args, size_t n_args) {
  for (size_t a = 0; a < n_args; a++) {
    if (!cake_str_equal(args[a].name, cake_id_str(arg_name(launch, i)))) continue;
    if (launch->arrays[i]) return argument_error(launch, i, "was given twice", CAKE_STR(""));
    launch->arrays[i] = &args[a].array;
  }
  return launch->arrays[i] || argument_error(launch, i, "was not given", CAKE_STR(""));
}

static bool check_names(CakeSimLaunch *launch, const CakeSimArgument *args, size_t n_args) {
  for (size_t a = 0; a < n_args; a++) {
    bool is_known = false;
    for (size_t i = 0; i < launch->n_args; i++)
      is_known = is_known || cake_str_equal(args[a].name, cake_id_str(arg_name(launch, i)));
    if (is_known) continue;
    CakeBuf names = {0};
    for (size_t i = 0; i < launch->n_args; i++)
      cake_buf_printf(&names, "%s'%s'", i ? ", " : "", arg_name(launch, i)->text);
    CakeStr list = cake_arena_str(launch->arena, cake_buf_view(&names));
    cake_buf_fini(&names);
    return cake_error_at(launch->context, launch->kernel->loc, CAKE_CODE_RUN_ARGUMENT,
                         "the kernel has no argument '%.*s'; it has %.*s", CAKE_STR_ARG(args[a].name),
                         CAKE_STR_ARG(list));
  }
  return true;
}

// Sizes that the options give; those of arrays must agree.
static bool bind_given_sizes(CakeSimLaunch *launch) {
  for (size_t i = 0; i < launch->options->n_sizes; i++) {
    const CakeSimNamedSize *given = &launch->options->sizes[i];
    CakeId name = cake_id(launch->context, given->name);
    const CakeSimSize *size = find_size(launch, name);
    if (size && size->value != given->value)
      return cake_error_at(launch->context, launch->kernel->loc, CAKE_CODE_RUN_ARGUMENT,
                           "size '%s' is %lld in dimension %u of argument '%s', but is given as %lld", name->text,
                           (long long)size->value, (unsigned)size->dim, arg_name(launch, size->argument)->text,
                           (long long)given->value);
    if (given->value < 0 || given->value >= MAX_SIZE)
      return cake_error_at(launch->context, launch->kernel->loc, CAKE_CODE_RUN_ARGUMENT,
                           "size '%s' is %lld; wanted 0 to %lld", name->text, (long long)given->value,
                           (long long)(MAX_SIZE - 1));
    if (!size) CAKE_PUSH(&launch->sizes, ((CakeSimSize){name, given->value, CAKE_SIM_GIVEN, 0}));
  }
  return true;
}

static bool check_guard(CakeSimLaunch *launch) {
  CakeAttr guard = launch->guard;
  if (!guard) return true;
  CakeAttr bound = cake_sim_bound(launch, guard);
  CakeExprEnv env = {0};
  bool holds = false;
  if (!cake_pred_eval(bound, &env, &holds))
    return cake_error(launch->kernel, CAKE_CODE_RUN_GUARD, "guard %s cannot be evaluated for these arguments",
                      cake_attr_text(guard));
  if (holds) return true;
  CakeDiagnostic *d = cake_error_begin(launch->kernel, CAKE_CODE_RUN_GUARD,
                                       "guard %s does not hold for these arguments", cake_attr_text(guard));
  for (size_t i = 0; i < launch->sizes.len; i++) {
    const CakeSimSize *size = &launch->sizes.data[i];
    if (size->argument == CAKE_SIM_GIVEN)
      cake_diag_note(launch->context, d, launch->kernel->loc, "%s = %lld", size->name->text, (long long)size->value);
    else
      cake_diag_note(launch->context, d, launch->kernel->loc, "%s = %lld, from argument '%s'", size->name->text,
                     (long long)size->value, arg_name(launch, size->argument)->text);
  }
  return cake_diag_emit(launch->context, d);
}

bool cake_sim_bind(CakeSimLaunch *launch, const CakeSimArgument *args, size_t n_args) {
  launch->arrays = CAKE_ARENA_ARRAY(launch->arena, const CakeSimArray *, launch->n_args + 1);
  launch->globals = CAKE_ARENA_ARRAY(launch->arena, CakeSimGlobal, launch->n_args + 1);
  if (!check_names(launch, args, n_args)) return false;
  for (size_t i = 0; i < launch->n_args; i++) {
    if (!find_argument(launch, i, args, n_args) || !bind_argument(launch, i, launch->arg_types[i])) return false;
  }
  if (!bind_given_sizes(launch)) return false;
  for (size_t i = 0; i < launch->n_args; i++) {
    if (cake_type_is(launch->arg_types[i], &cake_type_def_global) && !check_dims(launch, i, launch->arg_types[i]))
      return false;
  }
  return check_guard(launch);
}
