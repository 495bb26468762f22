// Kernels: loaded once a context, launched on the caller's stream, with a cache of encoded tensor maps.
#include "targets/nvptx/runtime/launch.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CAKE_LAUNCH_CACHED_MAPS = 64, CAKE_LAUNCH_LOG_BYTES = 256 };

// The kernel in one context.
typedef struct CakeLaunchModule {
  void *context;
  unsigned long long context_id; // never used again for another context; 0 where the driver has none
  void *module, *function;
  int64_t resident, max_grid; // CTAs at once on the device
} CakeLaunchModule;

typedef struct CakeLaunchCached {
  bool is_used;
  uint32_t map;
  uint64_t address;
  CakeLaunchMap layout;
  CakeLaunchMapBits bits;
} CakeLaunchCached;

struct CakeKernel {
  const CakeManifest *manifest;
  const CakeImage *images;
  size_t n_images;
  pthread_mutex_t lock; // of what follows
  CakeLaunchModule *modules;
  size_t n_modules;
  CakeLaunchCached *cache; // by a hash of the address; made with the first map
};

bool cake_target_runs(const char *target, int sm) {
  char *end = NULL;
  if (strncmp(target, "sm_", 3) != 0) return false;
  long own = strtol(target + 3, &end, 10);
  if (*end == 'a') return own == sm;
  if (*end == 'f') return own <= sm && own / 10 == sm / 10;
  return *end == '\0' && own > 0 && own <= sm;
}

bool cake_kernel_create(const CakeManifest *manifest, const CakeImage *images, size_t n_images, CakeKernel **out,
                        CakeRuntimeError *error) {
  CakeKernel *kernel = calloc(1, sizeof *kernel);
  *out = NULL;
  if (!kernel || pthread_mutex_init(&kernel->lock, NULL) != 0) {
    free(kernel);
    return cake_launch_refuse(error, "out of memory");
  }
  kernel->manifest = manifest;
  kernel->images = images;
  kernel->n_images = n_images;
  *out = kernel;
  return true;
}

// ---- Contexts --------------------------------------------------------------------------------------------------------

static bool cake_launch_context(const CakeLaunchDriver *driver, CakeLaunchModule *out, CakeRuntimeError *error) {
  memset(out, 0, sizeof *out);
  if (!cake_launch_result(driver, driver->ctx_get_current(&out->context), "cannot ask for the current CUDA context",
                          error))
    return false;
  if (!out->context)
    return cake_launch_refuse(error, "no CUDA context is current on this thread; a call of the CUDA runtime makes one");
  if (driver->ctx_get_id && driver->ctx_get_id(out->context, &out->context_id) != 0) out->context_id = 0;
  return true;
}

static bool cake_launch_attribute(const CakeLaunchDriver *driver, int attribute, int *out, CakeRuntimeError *error) {
  int device = 0;
  return cake_launch_result(driver, driver->ctx_get_device(&device), "cannot ask for the current CUDA device", error) &&
         cake_launch_result(driver, driver->device_get_attribute(out, attribute, device),
                            "cannot ask for an attribute of the GPU", error);
}

bool cake_device_capability(int *out, CakeRuntimeError *error) {
  const CakeLaunchDriver *driver = cake_launch_driver(error);
  CakeLaunchModule context;
  int major = 0, minor = 0;
  if (!driver || !cake_launch_context(driver, &context, error) ||
      !cake_launch_attribute(driver, CAKE_LAUNCH_DEVICE_MAJOR, &major, error) ||
      !cake_launch_attribute(driver, CAKE_LAUNCH_DEVICE_MINOR, &minor, error))
    return false;
  *out = 10 * major + minor;
  return true;
}

// ---- Loading ---------------------------------------------------------------------------------------------------------

static bool cake_launch_is_cluster(const CakeManifest *manifest) {
  return manifest->cluster[0] != 0;
}

// A launch of the kernel with everything but its grid; `attributes` has room for two.
static CakeLaunchConfig cake_launch_config(const CakeManifest *manifest, void *stream,
                                           CakeLaunchAttribute *attributes) {
  CakeLaunchConfig config = {
      {1,                 1, 1},
      {manifest->threads, 1, 1},
      manifest->shared_bytes, stream, attributes, 0
  };
  memset(attributes, 0, 2 * sizeof *attributes);
  if (cake_launch_is_cluster(manifest)) {
    CakeLaunchAttribute *attribute = &attributes[config.n_attributes++];
    attribute->id = CAKE_LAUNCH_ATTRIBUTE_CLUSTER;
    for (int i = 0; i < 3; i++)
      attribute->value.cluster[i] = manifest->cluster[i];
    config.grid[0] = manifest->cluster[0] * manifest->cluster[1] * manifest->cluster[2];
  }
  if (manifest->programmatic) {
    CakeLaunchAttribute *attribute = &attributes[config.n_attributes++];
    attribute->id = CAKE_LAUNCH_ATTRIBUTE_PROGRAMMATIC;
    attribute->value.flag = 1;
  }
  return config;
}

// How many CTAs are on the device at once.
static bool cake_launch_resident(const CakeLaunchDriver *driver, const CakeManifest *manifest, void *function,
                                 int64_t *out, CakeRuntimeError *error) {
  int multiprocessors = 0, blocks = 0, clusters = 0;
  CakeLaunchAttribute attributes[2];
  CakeLaunchConfig config = cake_launch_config(manifest, NULL, attributes);
  if (!cake_launch_attribute(driver, CAKE_LAUNCH_DEVICE_MULTIPROCESSORS, &multiprocessors, error) ||
      !cake_launch_result(driver,
                          driver->occupancy_blocks(&blocks, function, (int)manifest->threads, manifest->shared_bytes),
                          "cannot ask for the kernel's occupancy", error))
    return false;
  *out = (int64_t)blocks * multiprocessors;
  if (cake_launch_is_cluster(manifest)) {
    if (!driver->occupancy_clusters)
      return cake_launch_refuse(error, "clusters need a CUDA driver of version 11.7 or later");
    if (!cake_launch_result(driver, driver->occupancy_clusters(&clusters, function, &config),
                            "cannot ask for the kernel's clusters", error))
      return false;
    *out = (int64_t)clusters * config.grid[0];
  }
  return *out > 0 ||
         cake_launch_refuse(error, "no CTA of '%s' fits on this device (%u threads, %u bytes of shared memory)",
                            manifest->kernel, (unsigned)manifest->threads, (unsigned)manifest->shared_bytes);
}

// The first image that the driver takes; its own words about the last one otherwise.
static bool cake_launch_load_image(const CakeLaunchDriver *driver, const CakeKernel *kernel, void **out,
                                   CakeRuntimeError *error) {
  char log[CAKE_LAUNCH_LOG_BYTES] = "";
  const char *name = NULL;
  int result = 0, options[] = {CAKE_LAUNCH_JIT_ERROR_LOG, CAKE_LAUNCH_JIT_ERROR_LOG_BYTES};
  for (size_t i = 0; i < kernel->n_images; i++) {
    void *values[] = {log, (void *)(uintptr_t)sizeof log};
    log[0] = '\0';
    result = driver->module_load_data_ex(out, kernel->images[i].data, 2, options, values);
    if (result == 0) return true;
  }
  log[sizeof log - 1] = '\0';
  if (driver->get_error_name(result, &name) != 0) name = NULL;
  return cake_launch_refuse(error, "cannot load kernel '%s': %s (%d) %s", kernel->manifest->kernel,
                            name ? name : "it has no image", result, log);
}

static bool cake_launch_prepare(const CakeLaunchDriver *driver, const CakeManifest *manifest, CakeLaunchModule *module,
                                CakeRuntimeError *error) {
  int max_grid = 0;
  uint64_t cluster = (uint64_t)manifest->cluster[0] * manifest->cluster[1] * manifest->cluster[2];
  if (!cake_launch_result(driver, driver->module_get_function(&module->function, module->module, manifest->kernel),
                          "the image lacks the kernel", error) ||
      !cake_launch_result(
          driver,
          driver->func_set_attribute(module->function, CAKE_LAUNCH_FUNC_SHARED_BYTES, (int)manifest->shared_bytes),
          "the device lacks the shared memory that the kernel wants", error))
    return false;
  if (cluster > 8 && !cake_launch_result(
                         driver, driver->func_set_attribute(module->function, CAKE_LAUNCH_FUNC_NON_PORTABLE_CLUSTER, 1),
                         "the device refuses clusters of more than 8 CTAs", error))
    return false;
  if (!cake_launch_attribute(driver, CAKE_LAUNCH_DEVICE_MAX_GRID_X, &max_grid, error) ||
      !cake_launch_resident(driver, manifest, module->function, &module->resident, error))
    return false;
  module->max_grid = max_grid;
  return true;
}

static bool cake_launch_load(const CakeLaunchDriver *driver, CakeKernel *kernel, CakeLaunchModule *module,
                             CakeRuntimeError *error) {
  int sm = 0;
  if (!cake_device_capability(&sm, error)) return false;
  if (!cake_target_runs(kernel->manifest->target, sm))
    return cake_launch_refuse(error, "kernel '%s' was compiled for %s, which does not run on this device (sm_%d)",
                              kernel->manifest->kernel, kernel->manifest->target, sm);
  if (!cake_launch_load_image(driver, kernel, &module->module, error)) return false;
  if (cake_launch_prepare(driver, kernel->manifest, module, error)) return true;
  (void)driver->module_unload(module->module);
  return false;
}

// The kernel in the current context, loaded when it is not there yet. The caller has the lock.
static bool cake_launch_find(const CakeLaunchDriver *driver, CakeKernel *kernel, CakeLaunchModule *out,
                             CakeRuntimeError *error) {
  if (!cake_launch_context(driver, out, error)) return false;
  for (size_t i = 0; i < kernel->n_modules; i++) {
    const CakeLaunchModule *module = &kernel->modules[i];
    if (module->context != out->context || module->context_id != out->context_id) continue;
    *out = *module;
    return true;
  }
  CakeLaunchModule *modules = realloc(kernel->modules, (kernel->n_modules + 1) * sizeof *modules);
  if (!modules) return cake_launch_refuse(error, "out of memory");
  kernel->modules = modules;
  if (!cake_launch_load(driver, kernel, out, error)) return false;
  kernel->modules[kernel->n_modules++] = *out;
  return true;
}

bool cake_kernel_load(CakeKernel *kernel, CakeRuntimeError *error) {
  const CakeLaunchDriver *driver = cake_launch_driver(error);
  CakeLaunchModule module;
  if (!driver) return false;
  pthread_mutex_lock(&kernel->lock);
  bool is_fine = cake_launch_find(driver, kernel, &module, error);
  pthread_mutex_unlock(&kernel->lock);
  return is_fine;
}

void cake_kernel_destroy(CakeKernel *kernel) {
  CakeLaunchModule here;
  if (!kernel) return;
  const CakeLaunchDriver *driver = kernel->n_modules ? cake_launch_driver(NULL) : NULL;
  bool is_current = driver && cake_launch_context(driver, &here, NULL);
  for (size_t i = 0; is_current && i < kernel->n_modules; i++)
    if (kernel->modules[i].context == here.context && kernel->modules[i].context_id == here.context_id)
      (void)driver->module_unload(kernel->modules[i].module);
  pthread_mutex_destroy(&kernel->lock);
  free(kernel->modules);
  free(kernel->cache);
  free(kernel);
}

// ---- Launching -------------------------------------------------------------------------------------------------------

static bool cake_launch_encode(const CakeLaunchDriver *driver, const CakeLaunchMap *layout, uint64_t address,
                               CakeLaunchMapBits *out, CakeRuntimeError *error) {
  static const uint32_t ones[CAKE_MANIFEST_MAP_RANK] = {1, 1, 1, 1, 1};
  if (!driver->tensor_map_encode_tiled)
    return cake_launch_refuse(error, "tensor maps need a CUDA driver of version 12.0 or later");
  return cake_launch_result(driver,
                            driver->tensor_map_encode_tiled(out, layout->type, layout->rank, (void *)(uintptr_t)address,
                                                            layout->dims, layout->strides + 1, layout->box, ones, 0,
                                                            layout->swizzle, CAKE_LAUNCH_L2_256B, 0),
                            "cannot encode a tensor map", error);
}

// One encoded map, from the cache where it is there. The caller has the lock.
static bool cake_launch_cached(const CakeLaunchDriver *driver, CakeKernel *kernel, uint32_t map,
                               const CakeLaunchShape *shape, CakeLaunchMapBits *out, CakeRuntimeError *error) {
  uint64_t address = shape->addresses[kernel->manifest->maps[map].argument];
  CakeLaunchMap layout;
  if (!cake_launch_map(kernel->manifest, map, shape, &layout, error)) return false;
  if (!kernel->cache) {
    kernel->cache = aligned_alloc(128, CAKE_LAUNCH_CACHED_MAPS * sizeof *kernel->cache);
    if (kernel->cache) memset(kernel->cache, 0, CAKE_LAUNCH_CACHED_MAPS * sizeof *kernel->cache);
  }
  if (!kernel->cache) return cake_launch_refuse(error, "out of memory");
  CakeLaunchCached *cached = &kernel->cache[(address / 256 * UINT64_C(0x9e3779b97f4a7c15) + map) >> 58];
  if (!cached->is_used || cached->map != map || cached->address != address ||
      memcmp(&cached->layout, &layout, sizeof layout) != 0) {
    cached->is_used = false;
    if (!cake_launch_encode(driver, &layout, address, &cached->bits, error)) return false;
    cached->map = map;
    cached->address = address;
    memcpy(&cached->layout, &layout, sizeof layout);
    cached->is_used = true;
  }
  *out = cached->bits;
  return true;
}

static bool cake_launch_start(const CakeLaunchDriver *driver, const CakeManifest *manifest,
                              const CakeLaunchModule *module, unsigned grid, void *stream,
                              const CakeLaunchParams *params, CakeRuntimeError *error) {
  void *data[CAKE_MANIFEST_MAX_PARAMS];
  CakeLaunchAttribute attributes[2];
  CakeLaunchConfig config = cake_launch_config(manifest, stream, attributes);
  for (uint32_t i = 0; i < params->count; i++)
    data[i] = (void *)(uintptr_t)params->data[i]; // the driver only reads
  config.grid[0] = grid;
  if (config.n_attributes && !driver->launch_kernel_ex)
    return cake_launch_refuse(error, "clusters and programmatic launches need a CUDA driver of version 11.8 or later");
  int result = config.n_attributes ? driver->launch_kernel_ex(&config, module->function, data, NULL)
                                   : driver->launch_kernel(module->function, grid, 1, 1, manifest->threads, 1, 1,
                                                           manifest->shared_bytes, stream, data, NULL);
  return cake_launch_result(driver, result, "cannot launch the kernel", error);
}

bool cake_kernel_launch(CakeKernel *kernel, const CakeCall *call, CakeRuntimeError *error) {
  const CakeManifest *manifest = kernel->manifest;
  const uint64_t no_report = 0;
  CakeLaunchShape shape;
  CakeLaunchModule module;
  CakeLaunchParams params;
  CakeLaunchMapBits maps[CAKE_MANIFEST_MAX_MAPS];
  unsigned grid = 0;
  if (!cake_launch_check(manifest, call, &shape, error)) return false;
  if (shape.items == 0) return true;
  if (manifest->watchdog)
    return cake_launch_refuse(error, "kernel '%s' has a watchdog, which needs cake-run", manifest->kernel);
  const CakeLaunchDriver *driver = cake_launch_driver(error);
  if (!driver) return false;
  pthread_mutex_lock(&kernel->lock);
  bool is_fine = cake_launch_find(driver, kernel, &module, error);
  for (uint32_t i = 0; is_fine && i < manifest->n_maps; i++)
    is_fine = cake_launch_cached(driver, kernel, i, &shape, &maps[i], error);
  pthread_mutex_unlock(&kernel->lock);
  if (!is_fine || !cake_launch_grid(manifest, shape.items, module.resident, module.max_grid, &grid, error))
    return false;
  cake_launch_params(manifest, call, &shape, maps, &no_report, &params);
  return cake_launch_start(driver, manifest, &module, grid, call->stream, &params, error);
}
