// Launches: checked against what the driver knows of the kernel, started, and waited for with a time limit.
#include "targets/nvptx/runtime/gpu.h"

#include <time.h>

static bool has_cluster(const CakeGpuLaunch *launch) {
  return launch->cluster[0] || launch->cluster[1] || launch->cluster[2];
}

static bool check_grid(const CakeGpu *gpu, const CakeGpuKernel *kernel, const CakeGpuLaunch *launch, CakeBuf *error) {
  for (int i = 0; i < 3; i++) {
    if (launch->grid[i] == 0 || launch->grid[i] > (unsigned)gpu->grid[i]) {
      cake_buf_printf(error, "kernel '%s': the grid is %u in dimension %c; it must be 1 to %d", kernel->name,
                      launch->grid[i], "xyz"[i], gpu->grid[i]);
      return false;
    }
    if (has_cluster(launch) && (launch->cluster[i] == 0 || launch->grid[i] % launch->cluster[i] != 0)) {
      cake_buf_printf(error, "kernel '%s': the grid's %u blocks in dimension %c do not divide into clusters of %u",
                      kernel->name, launch->grid[i], "xyz"[i], launch->cluster[i]);
      return false;
    }
  }
  return true;
}

static bool check_block(const CakeGpuKernel *kernel, const CakeGpuLaunch *launch, CakeBuf *error) {
  unsigned long long threads = (unsigned long long)launch->block[0] * launch->block[1] * launch->block[2];
  if (launch->block[0] <= 1024 && launch->block[1] <= 1024 && launch->block[2] <= 64 && threads >= 1 &&
      threads <= (unsigned long long)kernel->max_threads)
    return true;
  cake_buf_printf(
      error, "kernel '%s': a block of %u x %u x %u threads; with its %d registers a thread it can have 1 to %d",
      kernel->name, launch->block[0], launch->block[1], launch->block[2], kernel->registers, kernel->max_threads);
  return false;
}

static bool check_params(const CakeGpu *gpu, const CakeGpuKernel *kernel, const CakeGpuLaunch *launch, CakeBuf *error) {
  if (launch->param_count > CAKE_GPU_MAX_PARAMS) {
    cake_buf_printf(error, "kernel '%s': %zu parameters; at most %d are supported", kernel->name, launch->param_count,
                    CAKE_GPU_MAX_PARAMS);
    return false;
  }
  if (!gpu->cuda.func_get_param_info) return true;
  for (size_t i = 0;; i++) {
    size_t offset = 0, bytes = 0;
    bool wanted = gpu->cuda.func_get_param_info(kernel->function, i, &offset, &bytes) == CAKE_CU_SUCCESS;
    if (wanted && i < launch->param_count && bytes == launch->params[i].bytes) continue;
    if (!wanted && i == launch->param_count) return true;
    if (!wanted)
      cake_buf_printf(error, "kernel '%s' has %zu parameters, not %zu", kernel->name, i, launch->param_count);
    else if (i >= launch->param_count)
      cake_buf_printf(error, "kernel '%s' has more parameters than the %zu given", kernel->name, launch->param_count);
    else
      cake_buf_printf(error, "kernel '%s': parameter %zu has %zu bytes, %zu were given", kernel->name, i, bytes,
                      launch->params[i].bytes);
    return false;
  }
}

bool cake_gpu_launch_check(CakeGpu *gpu, const CakeGpuKernel *kernel, const CakeGpuLaunch *launch, CakeBuf *error) {
  if ((has_cluster(launch) || launch->programmatic) && !gpu->cuda.launch_kernel_ex)
    return cake_cuda_missing(&gpu->cuda, "cuLaunchKernelEx", error);
  return check_grid(gpu, kernel, launch, error) && check_block(kernel, launch, error) &&
         check_params(gpu, kernel, launch, error);
}

// Clusters of more than 8 blocks are not portable and must be asked for.
static bool allow_large_cluster(CakeGpu *gpu, const CakeGpuKernel *kernel, const CakeGpuLaunch *launch,
                                CakeBuf *error) {
  if (!has_cluster(launch) || launch->cluster[0] * launch->cluster[1] * launch->cluster[2] <= 8) return true;
  CakeCuResult result = gpu->cuda.func_set_attribute(kernel->function, CAKE_CU_FN_NON_PORTABLE_CLUSTER, 1);
  return cake_cuda_check(&gpu->cuda, result, error, "kernel '%s' cannot have clusters of more than 8 blocks",
                         kernel->name);
}

static CakeCuResult start(CakeGpu *gpu, const CakeGpuKernel *kernel, const CakeGpuLaunch *launch, void **params) {
  const unsigned *grid = launch->grid, *block = launch->block, *cluster = launch->cluster;
  if (!has_cluster(launch) && !launch->programmatic)
    return gpu->cuda.launch_kernel(kernel->function, grid[0], grid[1], grid[2], block[0], block[1], block[2],
                                   kernel->dynamic_shared_bytes, gpu->stream, params, NULL);
  CakeCuLaunchAttribute attributes[2] = {0};
  CakeCuLaunchConfig config = {
      grid[0],     grid[1],    grid[2], block[0], block[1], block[2], kernel->dynamic_shared_bytes,
      gpu->stream, attributes, 0};
  if (has_cluster(launch)) {
    CakeCuLaunchAttribute *attribute = &attributes[config.attribute_count++];
    attribute->id = CAKE_CU_LAUNCH_CLUSTER_SHAPE;
    attribute->value.cluster.x = cluster[0];
    attribute->value.cluster.y = cluster[1];
    attribute->value.cluster.z = cluster[2];
  }
  if (launch->programmatic) {
    CakeCuLaunchAttribute *attribute = &attributes[config.attribute_count++];
    attribute->id = CAKE_CU_LAUNCH_PROGRAMMATIC;
    attribute->value.programmatic = 1;
  }
  return gpu->cuda.launch_kernel_ex(&config, kernel->function, params, NULL);
}

bool cake_gpu_launch(CakeGpu *gpu, const CakeGpuKernel *kernel, const CakeGpuLaunch *launch, CakeBuf *error) {
  if (!cake_gpu_launch_check(gpu, kernel, launch, error) || !allow_large_cluster(gpu, kernel, launch, error))
    return false;
  void *params[CAKE_GPU_MAX_PARAMS];
  for (size_t i = 0; i < launch->param_count; i++)
    params[i] = (void *)(uintptr_t)launch->params[i].data; // the driver only reads
  return cake_cuda_check(&gpu->cuda, start(gpu, kernel, launch, params), error, "cannot launch kernel '%s'",
                         kernel->name);
}

static double now_s(void) {
  struct timespec now;
  (void)clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool cake_gpu_wait(CakeGpu *gpu, double timeout_s, CakeBuf *error) {
  double start_s = now_s();
  for (;;) {
    CakeCuResult result = gpu->cuda.stream_query(gpu->stream);
    if (result != CAKE_CU_NOT_READY) return cake_cuda_check(&gpu->cuda, result, error, "the kernel failed");
    double waited = now_s() - start_s;
    if (waited > timeout_s) {
      gpu->hung = true;
      cake_buf_printf(error, "the kernel did not end within %g s: it hangs, or it is far slower than expected",
                      timeout_s);
      return false;
    }
    if (waited < 0.002) continue; // most kernels; sleeping would cost more than they do
    const struct timespec pause = {0, 200000};
    (void)nanosleep(&pause, NULL);
  }
}
