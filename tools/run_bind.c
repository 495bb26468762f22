// The arguments of a launch: their values, and the sizes that their shapes bind.
#include "cake/text.h"
#include "dialects/cake/cake.h"
#include "tools/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static CakeStr arg_name(const CakeRunArgs *args, size_t i) {
  return args->facts->args.data[i].name;
}

bool cake_run_args_init(CakeRunArgs *args, const CakeFacts *facts, CakeBuf *error) {
  *args = (CakeRunArgs){.facts = facts};
  for (size_t i = 0; i < facts->args.len; i++) {
    CakeType type = facts->args.data[i].type;
    bool is_array = cake_type_is(type, &cake_type_def_global);
    CakeRunArray array = {.element = cake_run_element(is_array ? cake_global_element(type) : type),
                          .rank = is_array ? cake_global_rank(type) : 0};
    if (!array.element || array.rank > CAKE_FACTS_MAX_RANK) {
      cake_buf_printf(error, "argument '%.*s' of type %s cannot be given from outside",
                      CAKE_STR_ARG(facts->args.data[i].name), cake_type_text(type));
      cake_run_args_fini(args);
      return false;
    }
    CAKE_PUSH(&args->arrays, array);
  }
  for (size_t i = 0; i < facts->sizes.len; i++)
    CAKE_PUSH(&args->sizes, -1);
  return true;
}

void cake_run_args_fini(CakeRunArgs *args) {
  for (size_t i = 0; i < args->arrays.len; i++)
    cake_buf_fini(&args->arrays.data[i].storage);
  CAKE_VEC_FINI(&args->arrays);
  CAKE_VEC_FINI(&args->sizes);
  cake_buf_fini(&args->rounded);
}

// ---- Values ----------------------------------------------------------------------------------------------------------

// Memory for `count` elements, all bytes `fill`.
static void allocate(CakeRunArray *array, size_t count, char fill) {
  array->count = count;
  cake_buf_clear(&array->storage);
  cake_buf_fill(&array->storage, fill, count * array->element->bytes + 1);
  array->data = array->storage.data;
}

// False when that many elements do not fit into memory.
static bool count_elements(const CakeRunArray *array, size_t *out) {
  size_t count = 1, limit = SIZE_MAX / 4 / array->element->bytes;
  for (size_t i = 0; i < array->rank; i++) {
    if (array->dims[i] < 0 || (array->dims[i] > 0 && count > limit / (size_t)array->dims[i])) return false;
    count *= (size_t)array->dims[i];
  }
  *out = count;
  return true;
}

bool cake_run_set_bits(CakeRunArgs *args, size_t index, const void *bits, const int64_t *dims, size_t rank,
                       CakeBuf *error) {
  CakeRunArray *array = &args->arrays.data[index];
  size_t count;
  if (rank != array->rank) {
    cake_buf_printf(error, "argument '%.*s' has %zu dimensions, not %zu", CAKE_STR_ARG(arg_name(args, index)),
                    array->rank, rank);
    return false;
  }
  memcpy(array->dims, dims, rank * sizeof *dims);
  if (!count_elements(array, &count)) {
    cake_buf_printf(error, "argument '%.*s' is too large", CAKE_STR_ARG(arg_name(args, index)));
    return false;
  }
  allocate(array, count, '\0');
  if (count) memcpy(array->data, bits, count * array->element->bytes);
  array->is_set = true;
  return true;
}

bool cake_run_set_scalar(CakeRunArgs *args, size_t index, CakeStr text, CakeBuf *error) {
  CakeRunArray *array = &args->arrays.data[index];
  bool is_float = array->element->narrow || array->element->npy == CAKE_NPY_F4 || array->element->npy == CAKE_NPY_F8,
       is_fine;
  CakeNpy number = {0};
  cake_npy_init(&number, array->element->npy, 0, NULL);
  if (is_float) {
    CakeBuf copy = {0};
    char *end;
    cake_buf_str(&copy, text);
    double value = strtod(copy.data, &end);
    is_fine = text.len > 0 && *end == '\0';
    if (number.type == CAKE_NPY_F8)
      memcpy(number.data, &value, sizeof value);
    else
      memcpy(number.data, &(float){(float)value}, sizeof(float));
    cake_buf_fini(&copy);
  } else {
    int64_t value = 0, bits = (int64_t)array->element->bytes * 8;
    is_fine = cake_tool_int(text, &value) &&
              (bits == 64 || (value >= -(INT64_C(1) << (bits - 1)) && value < INT64_C(1) << (bits - 1)));
    if (number.type == CAKE_NPY_B1) is_fine = is_fine && (value == 0 || value == 1);
    memcpy(number.data, &value, array->element->bytes); // little-endian
  }
  if (!is_fine)
    cake_buf_printf(error, "argument '%.*s' is one %s, not '%.*s'", CAKE_STR_ARG(arg_name(args, index)),
                    array->element->name, CAKE_STR_ARG(text));
  is_fine = is_fine && cake_run_set_npy(args, index, &number, error);
  cake_npy_fini(&number);
  return is_fine;
}

// ---- Sizes -----------------------------------------------------------------------------------------------------------

static bool bind_size(CakeRunArgs *args, size_t size, int64_t value, const char *where, CakeBuf *error) {
  CakeId name = args->facts->sizes.data[size];
  int64_t *bound = &args->sizes.data[size];
  if (value < 0 || value >= CAKE_RUN_MAX_SIZE) {
    cake_buf_printf(error, "size '%s' is %lld in %s; sizes are from 0 to %lld", name->text, (long long)value, where,
                    (long long)CAKE_RUN_MAX_SIZE - 1);
    return false;
  }
  if (*bound >= 0 && *bound != value) {
    cake_buf_printf(error, "size '%s' is %lld in %s, but %lld before", name->text, (long long)value, where,
                    (long long)*bound);
    return false;
  }
  *bound = value;
  return true;
}

bool cake_run_set_size(CakeRunArgs *args, CakeStr name, int64_t value, CakeBuf *error) {
  size_t size = cake_facts_find_size(args->facts, name);
  if (size != SIZE_MAX) return bind_size(args, size, value, "--size", error);
  cake_buf_printf(error, "the kernel has no size '%.*s'; it has", CAKE_STR_ARG(name));
  for (size_t i = 0; i < args->facts->sizes.len; i++)
    cake_buf_printf(error, "%s %s", i ? "," : "", args->facts->sizes.data[i]->text);
  if (args->facts->sizes.len == 0) cake_buf_text(error, " none");
  return false;
}

// Binds the names among the dimensions of what was given.
static bool bind_array(CakeRunArgs *args, size_t index, CakeBuf *error) {
  const CakeRunArray *array = &args->arrays.data[index];
  CakeType type = args->facts->args.data[index].type;
  bool is_fine = true;
  for (size_t i = 0; is_fine && i < array->rank; i++) {
    CakeAttr dim = cake_global_dim(type, i);
    if (cake_expr_kind(dim) != CAKE_EXPR_NAME) continue;
    CakeBuf where = {0};
    cake_buf_printf(&where, "dimension %zu of '%.*s'", i, CAKE_STR_ARG(arg_name(args, index)));
    size_t size = cake_facts_find_size(args->facts, cake_id_str(cake_expr_name_of(dim)));
    is_fine = size != SIZE_MAX && bind_size(args, size, array->dims[i], where.data, error);
    cake_buf_fini(&where);
  }
  return is_fine;
}

static bool is_bound(CakeRunArgs *args, CakeBuf *error) {
  for (size_t i = 0; i < args->sizes.len; i++) {
    if (args->sizes.data[i] >= 0) continue;
    cake_buf_printf(error, "size '%s' is not known: no array that was given has it; give it by --size %s=…",
                    args->facts->sizes.data[i]->text, args->facts->sizes.data[i]->text);
    return false;
  }
  return true;
}

// ---- Shapes ----------------------------------------------------------------------------------------------------------

static void append_wanted(const CakeFacts *facts, CakeType type, const int64_t *sizes, CakeBuf *out) {
  cake_buf_char(out, '(');
  for (size_t i = 0; i < cake_global_rank(type); i++) {
    int64_t value;
    bool is_known = cake_facts_eval(facts, cake_global_dim(type, i), sizes, &value);
    cake_buf_printf(out, "%s%lld", i ? ", " : "", is_known ? (long long)value : -1LL);
  }
  cake_buf_char(out, ')');
}

// Compares every dimension with the type's, or takes it from there for an output without a value.
static bool check_shape(CakeRunArgs *args, size_t index, CakeBuf *error) {
  CakeRunArray *array = &args->arrays.data[index];
  CakeType type = args->facts->args.data[index].type;
  for (size_t i = 0; i < array->rank; i++) {
    int64_t wanted;
    if (!cake_facts_eval(args->facts, cake_global_dim(type, i), args->sizes.data, &wanted) || wanted < 0) {
      cake_buf_printf(error, "dimension %zu of argument '%.*s', %s, has no value for these sizes", i,
                      CAKE_STR_ARG(arg_name(args, index)), cake_attr_text(cake_global_dim(type, i)));
      return false;
    }
    if (!array->is_set) array->dims[i] = wanted;
    if (array->dims[i] == wanted) continue;
    cake_buf_printf(error, "argument '%.*s' must have the shape ", CAKE_STR_ARG(arg_name(args, index)));
    append_wanted(args->facts, type, args->sizes.data, error);
    cake_buf_printf(error, "; dimension %zu is %lld", i, (long long)array->dims[i]);
    return false;
  }
  return true;
}

static bool make_output(CakeRunArgs *args, size_t index, CakeBuf *error) {
  CakeRunArray *array = &args->arrays.data[index];
  size_t count;
  if (array->is_set) return true;
  if (!count_elements(array, &count)) {
    cake_buf_printf(error, "output '%.*s' is too large", CAKE_STR_ARG(arg_name(args, index)));
    return false;
  }
  allocate(array, count, '\xff');
  return true;
}

static bool check_guard(const CakeRunArgs *args, CakeBuf *error) {
  const CakeFacts *facts = args->facts;
  bool holds = false;
  if (!facts->guard || (cake_facts_holds(facts, facts->guard, args->sizes.data, &holds) && holds)) return true;
  CakeBuf text = {0};
  cake_print_attr(facts->guard, &text);
  cake_buf_printf(error, "the kernel's guard %s does not hold for", text.data);
  for (size_t i = 0; i < facts->sizes.len; i++)
    cake_buf_printf(error, "%s %s = %lld", i ? "," : "", facts->sizes.data[i]->text, (long long)args->sizes.data[i]);
  cake_buf_fini(&text);
  return false;
}

bool cake_run_bind(CakeRunArgs *args, CakeBuf *error) {
  bool is_fine = true;
  for (size_t i = 0; is_fine && i < args->arrays.len; i++) {
    const CakeRunArray *array = &args->arrays.data[i];
    is_fine = array->is_set || array->is_output;
    if (!is_fine)
      cake_buf_printf(error, "argument '%.*s' is missing", CAKE_STR_ARG(arg_name(args, i)));
    else if (array->is_set)
      is_fine = bind_array(args, i, error);
  }
  is_fine = is_fine && is_bound(args, error);
  for (size_t i = 0; is_fine && i < args->arrays.len; i++)
    is_fine = check_shape(args, i, error) && make_output(args, i, error);
  return is_fine && check_guard(args, error);
}
