// What can be known of a call without a device: sizes bound from shapes, shapes, guard, alignment, overflow.
#include "targets/nvptx/runtime/launch.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static bool bind_size(const CakeManifest *manifest, uint32_t size, int64_t value, const char *where, int64_t *sizes,
                      CakeRuntimeError *error) {
  const char *name = manifest->sizes[size];
  if (value < 0 || value > CAKE_RUNTIME_MAX_SIZE)
    return cake_launch_refuse(error, "size '%s' is %" PRId64 " in %s; sizes are from 0 to %" PRId64, name, value, where,
                              CAKE_RUNTIME_MAX_SIZE);
  if (sizes[size] >= 0 && sizes[size] != value)
    return cake_launch_refuse(error, "size '%s' is %" PRId64 " in %s, but %" PRId64 " before", name, value, where,
                              sizes[size]);
  sizes[size] = value;
  return true;
}

// ---- Tensors ---------------------------------------------------------------------------------------------------------

// DLPack's type code and bits of an element.
static const struct {
  uint8_t code, bits;
} dl_types[CAKE_ELEMENT_COUNT] = {
    [CAKE_ELEMENT_I1] = {6,  8 },
      [CAKE_ELEMENT_I8] = {0,  8 },
      [CAKE_ELEMENT_I16] = {0,  16},
    [CAKE_ELEMENT_I32] = {0,  32},
      [CAKE_ELEMENT_I64] = {0,  64},
      [CAKE_ELEMENT_F8E4M3FN] = {10, 8 },
    [CAKE_ELEMENT_F8E5M2] = {12, 8 },
      [CAKE_ELEMENT_F16] = {2,  16},
      [CAKE_ELEMENT_BF16] = {4,  16},
    [CAKE_ELEMENT_TF32] = {2,  32},
      [CAKE_ELEMENT_F32] = {2,  32},
      [CAKE_ELEMENT_F64] = {2,  64},
};

static bool is_dense(const CakeDlTensor *tensor) {
  int64_t stride = 1;
  for (int32_t i = 0; i < tensor->ndim; i++)
    if (tensor->shape[i] == 0) return true;
  for (int32_t i = tensor->ndim - 1; tensor->strides && i >= 0; i--) {
    if (tensor->shape[i] != 1 && tensor->strides[i] != stride) return false;
    if (tensor->shape[i] > 0 && stride > INT64_MAX / tensor->shape[i]) return false;
    stride *= tensor->shape[i];
  }
  return true;
}

static bool check_tensor(const CakeManifestArgument *arg, const CakeDlTensor *tensor, CakeRuntimeError *error) {
  if (tensor->ndim < 0 || (uint32_t)tensor->ndim != arg->rank)
    return cake_launch_refuse(error, "argument '%s' has %u dimensions; the tensor has %d", arg->name,
                              (unsigned)arg->rank, (int)tensor->ndim);
  if (tensor->device_type != 2 && tensor->device_type != 13)
    return cake_launch_refuse(error,
                              "argument '%s' is on a device of DLPack's type %d; it must be CUDA memory (2 or 13)",
                              arg->name, (int)tensor->device_type);
  if (tensor->type_code != dl_types[arg->element].code || tensor->type_bits != dl_types[arg->element].bits ||
      tensor->type_lanes != 1)
    return cake_launch_refuse(
        error, "argument '%s' has elements of DLPack's type (%u, %u bits, %u lanes); it must be (%u, %u, 1)", arg->name,
        (unsigned)tensor->type_code, (unsigned)tensor->type_bits, (unsigned)tensor->type_lanes,
        (unsigned)dl_types[arg->element].code, (unsigned)dl_types[arg->element].bits);
  return is_dense(tensor) ||
         cake_launch_refuse(error, "argument '%s' is not dense (row-major without gaps)", arg->name);
}

static const int64_t *shape_of(const CakeArgument *value) {
  return value->tensor ? value->tensor->shape : value->shape;
}

// ---- Arrays ----------------------------------------------------------------------------------------------------------

static bool bind_array(const CakeManifest *manifest, uint32_t index, const CakeCall *call, int64_t *sizes,
                       CakeRuntimeError *error) {
  const CakeManifestArgument *arg = &manifest->args[index];
  const CakeArgument *value = &call->args[index];
  if (value->tensor && !check_tensor(arg, value->tensor, error)) return false;
  const int64_t *shape = shape_of(value);
  for (uint32_t i = 0; shape && i < arg->rank; i++) {
    char where[128];
    if (arg->dims[i].count != 1 || arg->dims[i].steps[0].op != CAKE_FORMULA_SIZE) continue;
    (void)snprintf(where, sizeof where, "dimension %u of '%s'", (unsigned)i, arg->name);
    if (!bind_size(manifest, (uint32_t)arg->dims[i].steps[0].value, shape[i], where, sizes, error)) return false;
  }
  return true;
}

// "(2, 128, 64)"
static void print_shape(const int64_t *dims, uint32_t rank, char *out, size_t capacity) {
  size_t at = 0;
  for (uint32_t i = 0; i < rank && at < capacity; i++)
    at += (size_t)snprintf(out + at, capacity - at, "%s%" PRId64, i ? ", " : "(", dims[i]);
  if (at < capacity) (void)snprintf(out + at, capacity - at, rank ? ")" : "()");
}

static bool find_dims(const CakeManifest *manifest, uint32_t index, const CakeCall *call, CakeLaunchShape *shape,
                      CakeRuntimeError *error) {
  const CakeManifestArgument *arg = &manifest->args[index];
  int64_t *dims = shape->dims[index];
  for (uint32_t i = 0; i < arg->rank; i++)
    if (!cake_formula_eval(&arg->dims[i], shape->sizes, manifest->n_sizes, &dims[i]) || dims[i] < 0)
      return cake_launch_refuse(error, "dimension %u of argument '%s' has no value for these sizes", (unsigned)i,
                                arg->name);
  const int64_t *given = shape_of(&call->args[index]);
  for (uint32_t i = 0; given && i < arg->rank; i++) {
    char wanted[160];
    if (given[i] == dims[i]) continue;
    print_shape(dims, arg->rank, wanted, sizeof wanted);
    return cake_launch_refuse(error, "argument '%s' must have the shape %s; dimension %u is %" PRId64, arg->name,
                              wanted, (unsigned)i, given[i]);
  }
  return true;
}

// The address of an array, checked where the array is not empty: it must be there, aligned, and its end must not wrap.
static bool find_address(const CakeManifest *manifest, uint32_t index, const CakeCall *call, CakeLaunchShape *shape,
                         CakeRuntimeError *error) {
  const CakeManifestArgument *arg = &manifest->args[index];
  const CakeArgument *value = &call->args[index];
  uint64_t address = value->tensor ? (uint64_t)(uintptr_t)value->tensor->data + value->tensor->byte_offset
                                   : (uint64_t)(uintptr_t)value->address,
           bytes = cake_element_bytes(arg->element), align = bytes;
  bool is_empty = false;
  for (uint32_t i = 0; i < arg->rank; i++)
    is_empty = is_empty || shape->dims[index][i] == 0;
  for (uint32_t i = 0; !is_empty && i < arg->rank; i++) {
    if ((uint64_t)shape->dims[index][i] > (uint64_t)INT64_MAX / bytes)
      return cake_launch_refuse(error, "argument '%s' is larger than memory can be", arg->name);
    bytes *= (uint64_t)shape->dims[index][i];
  }
  shape->addresses[index] = address;
  if (is_empty) return true;
  if (arg->align > align) align = arg->align;
  for (uint32_t i = 0; i < manifest->n_maps; i++)
    if (manifest->maps[i].argument == index && align < 16) align = 16;
  if (address == 0) return cake_launch_refuse(error, "argument '%s' has no address", arg->name);
  if (address % align != 0)
    return cake_launch_refuse(error, "argument '%s' is at 0x%" PRIx64 "; its address must be a multiple of %" PRIu64,
                              arg->name, address, align);
  return address <= UINT64_MAX - bytes ||
         cake_launch_refuse(error, "argument '%s' reaches past the end of memory", arg->name);
}

static uint64_t bytes_of(const CakeManifest *manifest, const CakeLaunchShape *shape, uint32_t index) {
  uint64_t bytes = cake_element_bytes(manifest->args[index].element);
  for (uint32_t i = 0; i < manifest->args[index].rank; i++)
    bytes *= (uint64_t)shape->dims[index][i];
  return bytes;
}

// An array that is `readonly` is promised not to be written while the kernel runs: the kernel may fetch it early and through caches that do not see
// writes. So it shares no byte with one that may be written.
static bool check_promise(const CakeManifest *manifest, const CakeLaunchShape *shape, uint32_t index,
                          CakeRuntimeError *error) {
  const CakeManifestArgument *arg = &manifest->args[index];
  uint64_t first = shape->addresses[index], bytes = bytes_of(manifest, shape, index);
  for (uint32_t i = 0; i < manifest->n_args; i++) {
    uint64_t other = shape->addresses[i];
    if (!manifest->args[i].is_array || manifest->args[i].is_readonly) continue;
    if (first < other + bytes_of(manifest, shape, i) && other < first + bytes)
      return cake_launch_refuse(error, "argument '%s' is read only, but shares memory with '%s', which may be written",
                                arg->name, manifest->args[i].name);
  }
  return true;
}

// ---- The call --------------------------------------------------------------------------------------------------------

static bool bind_sizes(const CakeManifest *manifest, const CakeCall *call, int64_t *sizes, CakeRuntimeError *error) {
  for (uint32_t i = 0; i < manifest->n_sizes; i++)
    sizes[i] = -1;
  for (uint32_t i = 0; call->sizes && i < manifest->n_sizes; i++)
    if (call->sizes[i] != -1 && !bind_size(manifest, i, call->sizes[i], "the call", sizes, error)) return false;
  for (uint32_t i = 0; i < manifest->n_args; i++)
    if (manifest->args[i].is_array && !bind_array(manifest, i, call, sizes, error)) return false;
  for (uint32_t i = 0; i < manifest->n_sizes; i++)
    if (sizes[i] < 0)
      return cake_launch_refuse(error,
                                "size '%s' is not known: no shape that was given has it, and the call does not give it",
                                manifest->sizes[i]);
  return true;
}

static bool check_scalar(const CakeManifestArgument *arg, const CakeArgument *value, CakeRuntimeError *error) {
  int64_t index = 0;
  if (!value->scalar) return cake_launch_refuse(error, "argument '%s' has no value", arg->name);
  if (arg->element != CAKE_ELEMENT_INDEX) return true;
  memcpy(&index, value->scalar, sizeof index);
  return (index >= -CAKE_RUNTIME_MAX_SIZE && index <= CAKE_RUNTIME_MAX_SIZE) ||
         cake_launch_refuse(error, "argument '%s' is %" PRId64 "; an index is from -%" PRId64 " to %" PRId64, arg->name,
                            index, CAKE_RUNTIME_MAX_SIZE, CAKE_RUNTIME_MAX_SIZE);
}

static bool check_guard(const CakeManifest *manifest, const int64_t *sizes, CakeRuntimeError *error) {
  int64_t holds = 1;
  char text[256] = "";
  if (manifest->guard.count == 0 ||
      (cake_formula_eval(&manifest->guard, sizes, manifest->n_sizes, &holds) && holds != 0))
    return true;
  if (!error) return false;
  for (uint32_t i = 0, at = 0; i < manifest->n_sizes && at < sizeof text; i++)
    at +=
        (uint32_t)snprintf(text + at, sizeof text - at, "%s%s = %" PRId64, i ? ", " : "", manifest->sizes[i], sizes[i]);
  return cake_launch_refuse(error, "the kernel's guard %s does not hold for %s",
                            manifest->guard_text ? manifest->guard_text : "", text);
}

static bool is_well_formed(const CakeManifest *manifest, CakeRuntimeError *error) {
  uint64_t params = (uint64_t)manifest->n_args + manifest->n_sizes + manifest->n_maps + 1;
  if (manifest->version != CAKE_MANIFEST_VERSION)
    return cake_launch_refuse(error, "the manifest is of version %u; this runtime knows version %d",
                              (unsigned)manifest->version, CAKE_MANIFEST_VERSION);
  if (manifest->n_maps > CAKE_MANIFEST_MAX_MAPS)
    return cake_launch_refuse(error, "kernel '%s' has more than %d tensor maps", manifest->kernel,
                              CAKE_MANIFEST_MAX_MAPS);
  if (params > CAKE_MANIFEST_MAX_PARAMS)
    return cake_launch_refuse(error, "kernel '%s' has more than %d parameters", manifest->kernel,
                              CAKE_MANIFEST_MAX_PARAMS - 1);
  for (uint32_t i = 0; i < manifest->n_args; i++)
    if (manifest->args[i].rank > CAKE_MANIFEST_MAX_RANK)
      return cake_launch_refuse(error, "argument '%s' has more than %d dimensions", manifest->args[i].name,
                                CAKE_MANIFEST_MAX_RANK);
  for (uint32_t i = 0; i < manifest->n_maps; i++)
    if (manifest->maps[i].argument >= manifest->n_args || manifest->maps[i].rank > CAKE_MANIFEST_MAP_RANK)
      return cake_launch_refuse(error, "kernel '%s' has a malformed tensor map", manifest->kernel);
  return true;
}

bool cake_launch_bind(const CakeManifest *manifest, const CakeCall *call, CakeLaunchShape *out,
                      CakeRuntimeError *error) {
  if (!is_well_formed(manifest, error) || !bind_sizes(manifest, call, out->sizes, error)) return false;
  for (uint32_t i = 0; i < manifest->n_args; i++) {
    bool is_fine = manifest->args[i].is_array ? find_dims(manifest, i, call, out, error)
                                              : check_scalar(&manifest->args[i], &call->args[i], error);
    if (!is_fine) return false;
  }
  return check_guard(manifest, out->sizes, error);
}

bool cake_launch_check(const CakeManifest *manifest, const CakeCall *call, CakeLaunchShape *out,
                       CakeRuntimeError *error) {
  if (!cake_launch_bind(manifest, call, out, error)) return false;
  for (uint32_t i = 0; i < manifest->n_args; i++)
    if (manifest->args[i].is_array && !find_address(manifest, i, call, out, error)) return false;
  for (uint32_t i = 0; i < manifest->n_args; i++)
    if (manifest->args[i].is_array && manifest->args[i].is_readonly && !check_promise(manifest, out, i, error))
      return false;
  if (!cake_formula_eval(&manifest->items, out->sizes, manifest->n_sizes, &out->items) || out->items < 0)
    return cake_launch_refuse(error, "the kernel's number of items has no value for these sizes");
  if (out->items > CAKE_RUNTIME_MAX_SIZE)
    return cake_launch_refuse(error, "%" PRId64 " items are more than the %" PRId64 " that a kernel can count",
                              out->items, CAKE_RUNTIME_MAX_SIZE);
  CakeLaunchMap map; // a shape that no tensor map can describe is refused here, without a device
  for (uint32_t i = 0; out->items > 0 && i < manifest->n_maps; i++)
    if (!cake_launch_map(manifest, i, out, &map, error)) return false;
  return true;
}
