// A launch on a GPU: parameters in the order of gpu.func, tensor maps from the manifest's boxes, a persistent grid of as
// many blocks as fit.
#include "dialects/cake/cake.h"
#include "tools/run.h"

#include <string.h>

bool cake_run_gpu_load(CakeGpu *gpu, const CakeFacts *facts, CakeStr image, CakeRunGpu *out, CakeBuf *error) {
  *out = (CakeRunGpu){.gpu = gpu, .facts = facts};
  if (!cake_gpu_module_load(gpu, image, &out->module, NULL, error)) return false;
  if (cake_gpu_kernel_find(gpu, out->module, facts->kernel.ptr, (size_t)facts->shared_bytes, &out->kernel, error) &&
      cake_gpu_kernel_occupancy(gpu, &out->kernel, (int)facts->block, &out->blocks_per_multiprocessor, error))
    return true;
  cake_run_gpu_unload(out);
  return false;
}

void cake_run_gpu_unload(CakeRunGpu *run) {
  if (run->module) cake_gpu_module_unload(run->gpu, run->module);
  *run = (CakeRunGpu){0};
}

void cake_run_gpu_release(CakeGpu *gpu, CakeRunArgs *args) {
  for (size_t i = 0; i < args->arrays.len; i++) {
    CakeRunArray *array = &args->arrays.data[i];
    if (array->buffer.address) cake_gpu_buffer_destroy(gpu, &array->buffer);
    array->buffer = (CakeGpuBuffer){0};
  }
}

// ---- Arrays ----------------------------------------------------------------------------------------------------------

static bool is_array(const CakeRunArgs *args, size_t i) {
  return cake_type_is(args->facts->args.data[i].type, &cake_type_def_global);
}

static bool upload(CakeGpu *gpu, CakeRunArgs *args, CakeBuf *error) {
  for (size_t i = 0; i < args->arrays.len; i++) {
    CakeRunArray *array = &args->arrays.data[i];
    size_t bytes = array->count * array->element->bytes;
    if (!is_array(args, i)) continue;
    if (array->buffer.address && array->buffer.bytes != bytes) {
      cake_gpu_buffer_destroy(gpu, &array->buffer);
      array->buffer = (CakeGpuBuffer){0};
    }
    if (!array->buffer.address && !cake_gpu_buffer_create(gpu, bytes, &array->buffer, error)) return false;
    if (!cake_gpu_buffer_write(gpu, &array->buffer, array->data, bytes, error)) return false;
  }
  return true;
}

static bool download(CakeGpu *gpu, CakeRunArgs *args, CakeBuf *error) {
  for (size_t i = 0; i < args->arrays.len; i++) {
    CakeRunArray *array = &args->arrays.data[i];
    if (!is_array(args, i)) continue;
    if (!cake_gpu_buffer_check(gpu, &array->buffer, args->facts->args.data[i].name.ptr, error)) return false;
    if (array->is_output &&
        !cake_gpu_buffer_read(gpu, &array->buffer, array->data, array->count * array->element->bytes, error))
      return false;
  }
  return true;
}

// ---- Tensor maps -----------------------------------------------------------------------------------------------------

static CakeCuSwizzle swizzle_of(int64_t bytes) {
  return bytes == 128  ? CAKE_CU_SWIZZLE_128B
         : bytes == 64 ? CAKE_CU_SWIZZLE_64B
         : bytes == 32 ? CAKE_CU_SWIZZLE_32B
                       : CAKE_CU_SWIZZLE_NONE;
}

static void add_dim(CakeGpuTensor *tensor, int64_t extent, uint64_t stride_bytes) {
  if (tensor->rank < CAKE_GPU_MAX_RANK) {
    tensor->dims[tensor->rank] = (uint64_t)extent;
    tensor->strides[tensor->rank] = stride_bytes;
  }
  tensor->rank++;
}

// The dimensions of CakeFactsMap's comment, each with its stride.
static void lay_out(const CakeRunArray *array, const CakeFactsMap *map, CakeGpuTensor *tensor) {
  uint64_t bytes = array->element->bytes, stride = bytes;
  int64_t last = array->dims[array->rank - 1];
  add_dim(tensor, map->panel ? map->panel : last, bytes);
  for (size_t i = 1; i < array->rank; i++) {
    stride *= (uint64_t)array->dims[array->rank - i];
    add_dim(tensor, array->dims[array->rank - 1 - i], stride);
    if (i == 1 && map->panel) add_dim(tensor, last / map->panel, (uint64_t)map->panel * bytes);
  }
  if (array->rank == 1 && map->panel) add_dim(tensor, last / map->panel, (uint64_t)map->panel * bytes);
}

static bool encode(CakeGpu *gpu, const CakeRunArgs *args, const CakeFactsMap *map, CakeCuTensorMap *out,
                   CakeBuf *error) {
  const CakeRunArray *array = &args->arrays.data[map->argument];
  CakeStr name = args->facts->args.data[map->argument].name;
  CakeGpuTensor tensor = {.base = array->buffer.address,
                          .type = array->element->tensor,
                          .swizzle = swizzle_of(map->swizzle),
                          .promotion = CAKE_CU_L2_PROMOTION_256B,
                          .fill = CAKE_CU_FILL_ZERO};
  bool is_fine = array->element->has_tensor && array->rank > 0;
  if (is_fine) lay_out(array, map, &tensor);
  if (!is_fine || tensor.rank != map->rank) {
    cake_buf_printf(error, "argument '%.*s' has no tensor map with a box of %zu dimensions", CAKE_STR_ARG(name),
                    map->rank);
    return false;
  }
  for (size_t i = 0; i < map->rank; i++)
    tensor.box[i] = (uint32_t)map->box[i];
  return cake_gpu_tensor_encode(gpu, &tensor, out, error);
}

// ---- The launch ------------------------------------------------------------------------------------------------------

typedef struct Launch {
  CakeGpuParam params[CAKE_GPU_MAX_PARAMS];
  size_t n_params;
  int32_t indices[CAKE_GPU_MAX_PARAMS]; // sizes and index scalars: 32 bits on the device
  CakeCuTensorMap maps[CAKE_GPU_MAX_PARAMS];
  CakeGpuLaunch launch;
} Launch;

static void add_param(Launch *launch, const void *data, size_t bytes) {
  launch->params[launch->n_params++] = (CakeGpuParam){data, bytes};
}

static void add_index(Launch *launch, int64_t value) {
  launch->indices[launch->n_params] = (int32_t)value;
  add_param(launch, &launch->indices[launch->n_params], sizeof(int32_t));
}

static bool add_params(CakeGpu *gpu, const CakeRunArgs *args, Launch *launch, CakeBuf *error) {
  const CakeFacts *facts = args->facts;
  if (facts->args.len + facts->sizes.len + facts->maps.len > CAKE_GPU_MAX_PARAMS) {
    cake_buf_printf(error, "the kernel has more than %d parameters", CAKE_GPU_MAX_PARAMS);
    return false;
  }
  for (size_t i = 0; i < args->arrays.len; i++)
    if (is_array(args, i)) add_param(launch, &args->arrays.data[i].buffer.address, sizeof(CakeCuPointer));
  for (size_t i = 0; i < args->arrays.len; i++) {
    const CakeRunArray *array = &args->arrays.data[i];
    if (is_array(args, i)) continue;
    if (cake_type_is_index(facts->args.data[i].type))
      add_index(launch, *(const int64_t *)array->data);
    else
      add_param(launch, array->data, array->element->bytes);
  }
  for (size_t i = 0; i < facts->sizes.len; i++)
    add_index(launch, args->sizes.data[i]);
  for (size_t i = 0; i < facts->maps.len; i++) {
    if (!encode(gpu, args, &facts->maps.data[i], &launch->maps[i], error)) return false;
    add_param(launch, &launch->maps[i], sizeof launch->maps[i]);
  }
  return true;
}

// The number of blocks; false when it has none for these sizes or the device's limit is passed.
static bool find_grid(const CakeRunGpu *run, const CakeRunArgs *args, int64_t *out, CakeBuf *error) {
  int64_t items, limit = run->gpu->grid[0];
  if (!cake_facts_eval(run->facts, run->facts->grid, args->sizes.data, &items) || items < 0) {
    cake_buf_text(error, "the kernel's number of items has no value for these sizes");
    return false;
  }
  if (items >= CAKE_RUN_MAX_SIZE) {
    cake_buf_printf(error, "%lld items are more than the %lld that a kernel can count", (long long)items,
                    (long long)CAKE_RUN_MAX_SIZE - 1);
    return false;
  }
  int64_t fitting = (int64_t)run->blocks_per_multiprocessor * run->gpu->multiprocessors;
  *out = run->facts->persistent && items > fitting ? fitting : items;
  if (*out <= limit) return true;
  cake_buf_printf(error, "a grid of %lld blocks is more than the device's %lld", (long long)*out, (long long)limit);
  return false;
}

static bool measure(CakeRunGpu *run, Launch *launch, double timeout_s, CakeRunTimes *times, CakeBuf *error) {
  CakeGpuVariant variant = {&run->kernel, &launch->launch};
  CakeGpuTimeOptions options = cake_gpu_time_cold(run->gpu);
  options.timeout_s = timeout_s;
  return cake_gpu_time(run->gpu, &variant, 1, &options, &times->cold, error) &&
         cake_gpu_time_sustained(run->gpu, &variant, 300, 200, timeout_s, &times->sustained_ms, error);
}

bool cake_run_gpu_launch(CakeRunGpu *run, CakeRunArgs *args, double timeout_s, CakeRunTimes *times, CakeBuf *error) {
  Launch launch = {0};
  int64_t grid;
  if (times) *times = (CakeRunTimes){0};
  if (run->blocks_per_multiprocessor < 1) {
    cake_buf_printf(
        error, "no block of '%.*s' fits on this device (%lld threads, %d registers each, %lld bytes of shared memory)",
        CAKE_STR_ARG(run->facts->kernel), (long long)run->facts->block, run->kernel.registers,
        (long long)run->facts->shared_bytes);
    return false;
  }
  if (!find_grid(run, args, &grid, error)) return false;
  if (grid == 0) return true; // nothing to do, and empty arrays have no tensor map
  if (!upload(run->gpu, args, error) || !add_params(run->gpu, args, &launch, error)) return false;
  launch.launch = (CakeGpuLaunch){
      .grid = {(unsigned)grid,              1, 1},
      .block = {(unsigned)run->facts->block, 1, 1},
      .params = launch.params,
      .param_count = launch.n_params
  };
  if (!cake_gpu_launch(run->gpu, &run->kernel, &launch.launch, error) || !cake_gpu_wait(run->gpu, timeout_s, error))
    return false;
  if (!download(run->gpu, args, error)) return false;
  return !times || measure(run, &launch, timeout_s, times, error);
}
