// A launch on a GPU by the layer that guards buffers, limits time and measures; what is launched is the runtime's decision.
#include "targets/nvptx/runtime/launch.h"
#include "targets/nvptx/runtime/watchdog.h"
#include "tools/run.h"

#include <string.h>

bool cake_run_gpu_load(CakeGpu *gpu, const CakeFacts *facts, CakeStr image, CakeRunGpu *out, CakeBuf *error) {
  *out = (CakeRunGpu){.gpu = gpu, .facts = facts};
  if (!cake_gpu_module_load(gpu, image, &out->module, NULL, error)) return false;
  if (cake_gpu_kernel_find(gpu, out->module, facts->manifest.kernel, facts->manifest.shared_bytes, &out->kernel,
                           error) &&
      cake_gpu_kernel_occupancy(gpu, &out->kernel, (int)facts->manifest.threads, &out->blocks_per_multiprocessor,
                                error))
    return true;
  cake_run_gpu_unload(out);
  return false;
}

void cake_run_gpu_unload(CakeRunGpu *run) {
  if (run->report && !run->gpu->hung) (void)run->gpu->cuda.mem_free_host(run->report);
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
  return args->facts->manifest.args[i].is_array;
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
    if (gpu->unguarded && !array->is_set && !array->fill) continue; // whoever reads it reads what nobody wrote
    if (!cake_gpu_buffer_write(gpu, &array->buffer, array->data, bytes, error)) return false;
  }
  return true;
}

static bool download(CakeGpu *gpu, CakeRunArgs *args, CakeBuf *error) {
  for (size_t i = 0; i < args->arrays.len; i++) {
    CakeRunArray *array = &args->arrays.data[i];
    if (!is_array(args, i)) continue;
    if (!cake_gpu_buffer_check(gpu, &array->buffer, args->facts->manifest.args[i].name, error)) return false;
    if (array->is_output &&
        !cake_gpu_buffer_read(gpu, &array->buffer, array->data, array->count * array->element->bytes, error))
      return false;
  }
  return true;
}

// ---- The launch ------------------------------------------------------------------------------------------------------

// What a launch points to.
typedef struct Launch {
  CakeArgument values[CAKE_MANIFEST_MAX_PARAMS];
  CakeCall call;
  CakeLaunchShape shape;
  CakeLaunchMapBits maps[CAKE_MANIFEST_MAX_MAPS];
  CakeLaunchParams list;
  CakeGpuParam params[CAKE_MANIFEST_MAX_PARAMS];
  CakeGpuLaunch launch;
  uint64_t report; // address of the watchdog's report
} Launch;

static bool refuse(const CakeRuntimeError *reason, CakeBuf *error) {
  cake_buf_text(error, reason->text);
  return false;
}

static bool encode_maps(CakeRunGpu *run, Launch *launch, CakeBuf *error) {
  const CakeManifest *manifest = &run->facts->manifest;
  for (uint32_t i = 0; i < manifest->n_maps; i++) {
    CakeLaunchMap map;
    CakeRuntimeError reason;
    CakeCuTensorMap bits;
    if (!cake_launch_map(manifest, i, &launch->shape, &map, &reason)) return refuse(&reason, error);
    CakeGpuTensor tensor = {.base = launch->shape.addresses[manifest->maps[i].argument],
                            .type = (CakeCuTensorType)map.type,
                            .rank = map.rank,
                            .swizzle = (CakeCuSwizzle)map.swizzle,
                            .promotion = CAKE_CU_L2_PROMOTION_256B,
                            .fill = CAKE_CU_FILL_ZERO};
    memcpy(tensor.dims, map.dims, sizeof map.dims);
    memcpy(tensor.strides, map.strides, sizeof map.strides);
    memcpy(tensor.box, map.box, sizeof map.box);
    if (!cake_gpu_tensor_encode(run->gpu, &tensor, &bits, error)) return false;
    memcpy(&launch->maps[i], &bits, sizeof bits);
  }
  return true;
}

static bool find_grid(const CakeRunGpu *run, Launch *launch, CakeBuf *error) {
  const CakeManifest *manifest = &run->facts->manifest;
  CakeRuntimeError reason;
  int64_t resident = (int64_t)run->blocks_per_multiprocessor * run->gpu->multiprocessors;
  launch->launch.grid[1] = launch->launch.grid[2] = 1;
  launch->launch.block[0] = manifest->threads;
  launch->launch.block[1] = launch->launch.block[2] = 1;
  memcpy(launch->launch.cluster, manifest->cluster, sizeof manifest->cluster);
  launch->launch.programmatic = manifest->programmatic;
  return cake_launch_grid(manifest, launch->shape.items, resident, run->gpu->grid[0], launch->launch.grid, &reason) ||
         refuse(&reason, error);
}

static bool prepare(CakeRunGpu *run, const CakeRunArgs *args, Launch *launch, CakeBuf *error) {
  const CakeManifest *manifest = &run->facts->manifest;
  CakeRuntimeError reason;
  launch->report = (uint64_t)(uintptr_t)run->report;
  launch->call = cake_run_call(args, launch->values);
  if (!cake_launch_check(manifest, &launch->call, &launch->shape, &reason)) return refuse(&reason, error);
  if (launch->shape.items == 0) return true;
  if (!encode_maps(run, launch, error) || !find_grid(run, launch, error)) return false;
  cake_launch_params(manifest, &launch->call, &launch->shape, launch->maps, &launch->report, &launch->list);
  for (uint32_t i = 0; i < launch->list.count; i++)
    launch->params[i] = (CakeGpuParam){launch->list.data[i], launch->list.bytes[i]};
  launch->launch.params = launch->params;
  launch->launch.param_count = launch->list.count;
  return true;
}

// Pinned memory has the same address on the host and on the device (unified addressing).
static bool make_report(CakeRunGpu *run, CakeBuf *error) {
  void *memory = NULL;
  if (!run->facts->manifest.watchdog || run->report) return true;
  CakeCuResult result = run->gpu->cuda.mem_host_alloc(&memory, sizeof *run->report, 0);
  if (!cake_cuda_check(&run->gpu->cuda, result, error, "cannot have the watchdog's memory")) return false;
  run->report = memory;
  memset(run->report, 0, sizeof *run->report);
  return true;
}

static bool finish(CakeRunGpu *run, double timeout_s, CakeBuf *error) {
  CakeBuf report = {0};
  if (cake_gpu_wait(run->gpu, timeout_s, error)) return true;
  if (run->report && cake_watchdog_describe(&run->facts->manifest, run->report, &report)) {
    cake_buf_text(error, "; the watchdog reports:\n");
    cake_buf_append(error, report.data, report.len - 1);
  }
  cake_buf_fini(&report);
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
  if (times) *times = (CakeRunTimes){0};
  if (run->blocks_per_multiprocessor < 1) {
    cake_buf_printf(error,
                    "no block of '%s' fits on this device (%u threads, %d registers each, %u bytes of shared memory)",
                    run->facts->manifest.kernel, (unsigned)run->facts->manifest.threads, run->kernel.registers,
                    (unsigned)run->facts->manifest.shared_bytes);
    return false;
  }
  if (!make_report(run, error) || !upload(run->gpu, args, error) || !prepare(run, args, &launch, error)) return false;
  if (launch.shape.items == 0) return true;
  if (!cake_gpu_launch(run->gpu, &run->kernel, &launch.launch, error) || !finish(run, timeout_s, error)) return false;
  if (!download(run->gpu, args, error)) return false;
  return !times || measure(run, &launch, timeout_s, times, error);
}
