// Tensor maps as the driver takes them, the grid, and the parameters of a launch.
//
// The limits are those of cuTensorMapEncodeTiled (CUDA Driver API, "Tensor Map Object Management").
#include "targets/nvptx/runtime/launch.h"

#include <inttypes.h>
#include <string.h>

// A CUtensorMapDataType, or -1.
static int tensor_type(CakeElement element) {
  switch (element) {
  case CAKE_ELEMENT_I8:
  case CAKE_ELEMENT_F8E4M3FN:
  case CAKE_ELEMENT_F8E5M2: return 0;
  case CAKE_ELEMENT_I16: return 1;
  case CAKE_ELEMENT_I32: return 3;
  case CAKE_ELEMENT_I64: return 5;
  case CAKE_ELEMENT_F16: return 6;
  case CAKE_ELEMENT_F32: return 7;
  case CAKE_ELEMENT_F64: return 8;
  case CAKE_ELEMENT_BF16: return 9;
  case CAKE_ELEMENT_TF32: return 11;
  case CAKE_ELEMENT_I1:
  case CAKE_ELEMENT_INDEX:
  case CAKE_ELEMENT_COUNT: break;
  }
  return -1;
}

static void add_dim(CakeLaunchMap *map, uint64_t extent, uint64_t stride) {
  if (map->rank < CAKE_MANIFEST_MAP_RANK) {
    map->dims[map->rank] = extent;
    map->strides[map->rank] = stride;
  }
  map->rank++;
}

// The dimensions that CakeManifestMap names, each with its stride.
static void lay_out(const CakeManifestArgument *arg, const CakeManifestMap *recipe, const int64_t *dims,
                    CakeLaunchMap *map) {
  uint64_t bytes = cake_element_bytes(arg->element), last = (uint64_t)dims[arg->rank - 1], stride = bytes;
  add_dim(map, recipe->panel ? recipe->panel : last, bytes);
  for (uint32_t i = 1; i < arg->rank; i++) {
    stride *= (uint64_t)dims[arg->rank - i];
    add_dim(map, (uint64_t)dims[arg->rank - 1 - i], stride);
    if (i == 1 && recipe->panel) add_dim(map, last / recipe->panel, recipe->panel * bytes);
  }
  if (arg->rank == 1 && recipe->panel) add_dim(map, last / recipe->panel, recipe->panel * bytes);
}

static bool check_map(const char *name, const CakeLaunchMap *map, uint64_t row, uint32_t span,
                      CakeRuntimeError *error) {
  for (uint32_t i = 0; i < map->rank; i++) {
    if (map->dims[i] < 1 || map->dims[i] > UINT64_C(1) << 32)
      return cake_launch_refuse(
          error, "the tensor map of '%s' has %" PRIu64 " elements in dimension %u; 1 to 2^32 are possible", name,
          map->dims[i], (unsigned)i);
    if (map->box[i] < 1 || map->box[i] > 256)
      return cake_launch_refuse(
          error, "the tensor map of '%s' has a box of %u elements in dimension %u; 1 to 256 are possible", name,
          (unsigned)map->box[i], (unsigned)i);
    if (i > 0 && (map->strides[i] % 16 != 0 || map->strides[i] >= UINT64_C(1) << 40))
      return cake_launch_refuse(error,
                                "the tensor map of '%s' has a stride of %" PRIu64
                                " bytes in dimension %u; it must be a multiple of 16 below 2^40",
                                name, map->strides[i], (unsigned)i);
  }
  if (row % 16 != 0 || (span != 0 && row > span))
    return cake_launch_refuse(error,
                              "the tensor map of '%s' has rows of %" PRIu64 " bytes; they must be multiples of 16%s",
                              name, row, span ? " that fit into the swizzle" : "");
  return true;
}

bool cake_launch_map(const CakeManifest *manifest, uint32_t index, const CakeLaunchShape *shape, CakeLaunchMap *out,
                     CakeRuntimeError *error) {
  const CakeManifestMap *recipe = &manifest->maps[index];
  const CakeManifestArgument *arg = &manifest->args[recipe->argument];
  uint64_t bytes = cake_element_bytes(arg->element);
  memset(out, 0, sizeof *out);
  out->type = tensor_type(arg->element);
  out->swizzle = recipe->swizzle == 128 ? 3 : recipe->swizzle == 64 ? 2 : recipe->swizzle == 32 ? 1 : 0;
  if (out->type >= 0 && arg->is_array && arg->rank > 0) lay_out(arg, recipe, shape->dims[recipe->argument], out);
  if (out->rank == 0 || out->rank != recipe->rank)
    return cake_launch_refuse(error, "argument '%s' has no tensor map with a box of %u dimensions", arg->name,
                              (unsigned)recipe->rank);
  memcpy(out->box, recipe->box, sizeof out->box);
  return check_map(arg->name, out, out->box[0] * bytes, recipe->swizzle, error);
}

bool cake_launch_grid(const CakeManifest *manifest, int64_t items, int64_t resident, int64_t limit, unsigned *out,
                      CakeRuntimeError *error) {
  int64_t cluster = 1, ctas = items;
  for (int i = 0; i < 3 && manifest->cluster[0]; i++)
    cluster *= manifest->cluster[i];
  if (manifest->persistent && ctas > resident) ctas = resident;
  if (manifest->persistent) ctas = (ctas + cluster - 1) / cluster * cluster; // a CTA without an item ends at once
  if (ctas % cluster != 0)
    return cake_launch_refuse(error, "a grid of %" PRId64 " CTAs does not divide into clusters of %" PRId64, ctas,
                              cluster);
  if (ctas > limit)
    return cake_launch_refuse(error, "a grid of %" PRId64 " CTAs is more than the device's %" PRId64, ctas, limit);
  *out = (unsigned)ctas;
  return true;
}

// ---- Parameters ------------------------------------------------------------------------------------------------------

static void add_param(CakeLaunchParams *out, const void *data, size_t bytes) {
  out->data[out->count] = data;
  out->bytes[out->count++] = bytes;
}

static void add_index(CakeLaunchParams *out, int64_t value) {
  out->indices[out->count] = (int32_t)value;
  add_param(out, &out->indices[out->count], sizeof(int32_t));
}

void cake_launch_params(const CakeManifest *manifest, const CakeCall *call, const CakeLaunchShape *shape,
                        const CakeLaunchMapBits *maps, const uint64_t *watchdog, CakeLaunchParams *out) {
  out->count = 0;
  for (uint32_t i = 0; i < manifest->n_args; i++)
    if (manifest->args[i].is_array) add_param(out, &shape->addresses[i], sizeof shape->addresses[i]);
  for (uint32_t i = 0; i < manifest->n_args; i++) {
    const CakeManifestArgument *arg = &manifest->args[i];
    int64_t index;
    if (arg->is_array) continue;
    if (arg->element == CAKE_ELEMENT_INDEX)
      add_index(out, (memcpy(&index, call->args[i].scalar, sizeof index), index));
    else
      add_param(out, call->args[i].scalar, cake_element_bytes(arg->element));
  }
  for (uint32_t i = 0; i < manifest->n_sizes; i++)
    add_index(out, shape->sizes[i]);
  if (manifest->watchdog) add_param(out, watchdog, sizeof *watchdog);
  for (uint32_t i = 0; i < manifest->n_maps; i++)
    add_param(out, &maps[i], sizeof maps[i]);
}
