// The arguments of a launch: their values, and the sizes that their shapes bind.
#include "targets/nvptx/runtime/launch.h"
#include "tools/run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char *arg_name(const CakeRunArgs *args, size_t i) {
  return args->facts->manifest.args[i].name;
}

bool cake_run_args_init(CakeRunArgs *args, const CakeFacts *facts, CakeBuf *error) {
  *args = (CakeRunArgs){.facts = facts};
  for (size_t i = 0; i < facts->manifest.n_args; i++) {
    const CakeManifestArgument *arg = &facts->manifest.args[i];
    CakeRunArray array = {.element = cake_run_element(arg->element), .rank = arg->rank};
    CAKE_PUSH(&args->arrays, array);
  }
  for (size_t i = 0; i < facts->manifest.n_sizes; i++)
    CAKE_PUSH(&args->sizes, -1);
  if (facts->manifest.n_args + facts->manifest.n_sizes <= CAKE_MANIFEST_MAX_PARAMS) return true;
  cake_buf_printf(error, "the kernel has more than %d arguments and sizes", CAKE_MANIFEST_MAX_PARAMS);
  cake_run_args_fini(args);
  return false;
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
    cake_buf_printf(error, "argument '%s' has %zu dimensions, not %zu", arg_name(args, index), array->rank, rank);
    return false;
  }
  memcpy(array->dims, dims, rank * sizeof *dims);
  if (!count_elements(array, &count)) {
    cake_buf_printf(error, "argument '%s' is too large", arg_name(args, index));
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
    cake_buf_printf(error, "argument '%s' is one %s, not '%.*s'", arg_name(args, index), array->element->name,
                    CAKE_STR_ARG(text));
  is_fine = is_fine && cake_run_set_npy(args, index, &number, error);
  cake_npy_fini(&number);
  return is_fine;
}

// ---- Sizes and shapes ------------------------------------------------------------------------------------------------

bool cake_run_set_size(CakeRunArgs *args, CakeStr name, int64_t value, CakeBuf *error) {
  const CakeManifest *manifest = &args->facts->manifest;
  size_t size = cake_facts_find_size(args->facts, name);
  if (size == SIZE_MAX) {
    cake_buf_printf(error, "the kernel has no size '%.*s'; it has", CAKE_STR_ARG(name));
    for (size_t i = 0; i < manifest->n_sizes; i++)
      cake_buf_printf(error, "%s %s", i ? "," : "", manifest->sizes[i]);
    if (manifest->n_sizes == 0) cake_buf_text(error, " none");
    return false;
  }
  if (value >= 0 && value <= CAKE_RUNTIME_MAX_SIZE && (args->sizes.data[size] < 0 || args->sizes.data[size] == value)) {
    args->sizes.data[size] = value;
    return true;
  }
  cake_buf_printf(error, "size '%s' is %lld in --size; sizes are from 0 to %lld, and are given once",
                  manifest->sizes[size], (long long)value, (long long)CAKE_RUNTIME_MAX_SIZE);
  return false;
}

CakeRunFill cake_run_fill_find(CakeStr name) {
  static const char *const names[] = {[CAKE_RUN_RANDOM] = "random", [CAKE_RUN_ZEROS] = "zeros"};
  for (size_t i = CAKE_RUN_RANDOM; i < CAKE_COUNT(names); i++)
    if (cake_str_is(name, names[i])) return (CakeRunFill)i;
  return CAKE_RUN_NOTHING;
}

void cake_run_set_fill(CakeRunArgs *args, size_t index, CakeRunFill fill) {
  args->arrays.data[index].fill = fill;
}

static bool make_output(CakeRunArgs *args, size_t index, const CakeLaunchShape *shape, CakeBuf *error) {
  CakeRunArray *array = &args->arrays.data[index];
  size_t count;
  if (array->is_set) return true;
  memcpy(array->dims, shape->dims[index], array->rank * sizeof *array->dims);
  if (!count_elements(array, &count)) {
    cake_buf_printf(error, "output '%s' is too large", arg_name(args, index));
    return false;
  }
  allocate(array, count, array->fill == CAKE_RUN_ZEROS ? '\0' : '\xff');
  if (array->fill == CAKE_RUN_RANDOM) cake_run_fill_random(array, index);
  return true;
}

CakeCall cake_run_call(const CakeRunArgs *args, CakeArgument *values) {
  for (size_t i = 0; i < args->arrays.len; i++) {
    const CakeRunArray *array = &args->arrays.data[i];
    values[i] = (CakeArgument){.address = (const void *)(uintptr_t)array->buffer.address};
    if (array->is_set) values[i].shape = array->dims;
    if (!args->facts->manifest.args[i].is_array) values[i].scalar = array->data;
  }
  return (CakeCall){.args = values, .sizes = args->sizes.data};
}

bool cake_run_bind(CakeRunArgs *args, CakeBuf *error) {
  CakeArgument values[CAKE_MANIFEST_MAX_PARAMS];
  CakeLaunchShape shape;
  CakeRuntimeError reason;
  for (size_t i = 0; i < args->arrays.len; i++) {
    const CakeRunArray *array = &args->arrays.data[i];
    if (array->is_set || array->is_output || array->fill) continue;
    cake_buf_printf(error, "argument '%s' is missing", arg_name(args, i));
    return false;
  }
  CakeCall call = cake_run_call(args, values);
  if (!cake_launch_bind(&args->facts->manifest, &call, &shape, &reason)) {
    cake_buf_text(error, reason.text);
    return false;
  }
  for (size_t i = 0; i < args->sizes.len; i++)
    args->sizes.data[i] = shape.sizes[i];
  for (size_t i = 0; i < args->arrays.len; i++)
    if (!make_output(args, i, &shape, error)) return false;
  return true;
}
