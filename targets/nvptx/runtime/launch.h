// What the files of the launcher (launch_*.c) share. They use the C library, POSIX and the CUDA driver alone, because cake-translate also
// writes their text into the C files that it generates.
#ifndef CAKE_TARGETS_NVPTX_RUNTIME_LAUNCH_H
#define CAKE_TARGETS_NVPTX_RUNTIME_LAUNCH_H

#include "cake/runtime.h"

#ifndef CAKE_LAUNCH_API
#define CAKE_LAUNCH_API
#endif

#if defined(__GNUC__) || defined(__clang__)
#define CAKE_LAUNCH_PRINTF(format_index, first_index) __attribute__((format(printf, format_index, first_index)))
#else
#define CAKE_LAUNCH_PRINTF(format_index, first_index)
#endif

// Writes the sentence of a refusal; `error` may be NULL. Always false.
CAKE_LAUNCH_API bool cake_launch_refuse(CakeRuntimeError *error, const char *format, ...) CAKE_LAUNCH_PRINTF(2, 3);

// ---- Without a device ------------------------------------------------------------------------------------------------

// The first half of cake_launch_check: sizes, dimensions, scalars and the guard, for arrays wherever they are.
CAKE_LAUNCH_API bool cake_launch_bind(const CakeManifest *manifest, const CakeCall *call, CakeLaunchShape *out,
                                      CakeRuntimeError *error);

// A tensor map as the driver takes it, innermost dimension first.
typedef struct CakeLaunchMap {
  int type; // a CUtensorMapDataType
  uint32_t rank;
  uint64_t dims[CAKE_MANIFEST_MAP_RANK];    // elements
  uint64_t strides[CAKE_MANIFEST_MAP_RANK]; // bytes; strides[0] is the element's size
  uint32_t box[CAKE_MANIFEST_MAP_RANK];
  int swizzle; // a CUtensorMapSwizzle
} CakeLaunchMap;

// Lays the map of that number out for a checked call. False where the driver would not encode it, with the rule that it breaks.
CAKE_LAUNCH_API bool cake_launch_map(const CakeManifest *manifest, uint32_t map, const CakeLaunchShape *shape,
                                     CakeLaunchMap *out, CakeRuntimeError *error);
// CTAs of the grid for items > 0, when `resident` CTAs are on the device at once and its grid has at most `limit`.
CAKE_LAUNCH_API bool cake_launch_grid(const CakeManifest *manifest, int64_t items, int64_t resident, int64_t limit,
                                      unsigned *out, CakeRuntimeError *error);

// An encoded tensor map, passed by value.
typedef struct CakeLaunchMapBits {
  _Alignas(128) uint64_t opaque[16];
} CakeLaunchMapBits;

// The parameters of one launch, each by its address; they point into this struct and into the call.
typedef struct CakeLaunchParams {
  const void *data[CAKE_MANIFEST_MAX_PARAMS];
  size_t bytes[CAKE_MANIFEST_MAX_PARAMS];
  uint32_t count;
  int32_t indices[CAKE_MANIFEST_MAX_PARAMS];
} CakeLaunchParams;

// In the manifest's order; `maps` has its n_maps encoded maps, `watchdog` is the address of the report (used with a watchdog only).
CAKE_LAUNCH_API void cake_launch_params(const CakeManifest *manifest, const CakeCall *call,
                                        const CakeLaunchShape *shape, const CakeLaunchMapBits *maps,
                                        const uint64_t *watchdog, CakeLaunchParams *out);

// ---- The driver ------------------------------------------------------------------------------------------------------

typedef struct CakeLaunchAttribute {
  int id;
  int unused;
  union {
    unsigned cluster[3];
    int flag;
    uint64_t pad[8];
  } value;
} CakeLaunchAttribute;

typedef struct CakeLaunchConfig {
  unsigned grid[3], block[3];
  unsigned shared_bytes;
  void *stream;
  CakeLaunchAttribute *attributes;
  unsigned n_attributes;
} CakeLaunchConfig;

// ROW(field, symbol, required, parameters): the functions of the CUDA driver that a launch uses; each returns 0 or an error.
#define CAKE_LAUNCH_DRIVER(ROW)                                                                                        \
  ROW(init, cuInit, true, (unsigned flags))                                                                            \
  ROW(get_error_name, cuGetErrorName, true, (int error, const char **out))                                             \
  ROW(ctx_get_current, cuCtxGetCurrent, true, (void **out))                                                            \
  ROW(ctx_get_id, cuCtxGetId, false, (void *context, unsigned long long *out))                                         \
  ROW(ctx_get_device, cuCtxGetDevice, true, (int *out))                                                                \
  ROW(device_get_attribute, cuDeviceGetAttribute, true, (int *out, int attribute, int device))                         \
  ROW(module_load_data_ex, cuModuleLoadDataEx, true,                                                                   \
      (void **out, const void *image, unsigned n_options, int *options, void **values))                                \
  ROW(module_unload, cuModuleUnload, true, (void *module))                                                             \
  ROW(module_get_function, cuModuleGetFunction, true, (void **out, void *module, const char *name))                    \
  ROW(func_set_attribute, cuFuncSetAttribute, true, (void *function, int attribute, int value))                        \
  ROW(occupancy_blocks, cuOccupancyMaxActiveBlocksPerMultiprocessor, true,                                             \
      (int *out, void *function, int threads, size_t shared_bytes))                                                    \
  ROW(occupancy_clusters, cuOccupancyMaxActiveClusters, false,                                                         \
      (int *out, void *function, const CakeLaunchConfig *config))                                                      \
  ROW(launch_kernel, cuLaunchKernel, true,                                                                             \
      (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y,          \
       unsigned block_z, unsigned shared_bytes, void *stream, void **params, void **extra))                            \
  ROW(launch_kernel_ex, cuLaunchKernelEx, false,                                                                       \
      (const CakeLaunchConfig *config, void *function, void **params, void **extra))                                   \
  ROW(tensor_map_encode_tiled, cuTensorMapEncodeTiled, false,                                                          \
      (CakeLaunchMapBits * out, int type, uint32_t rank, void *base, const uint64_t *dims, const uint64_t *strides,    \
       const uint32_t *box, const uint32_t *element_strides, int interleave, int swizzle, int promotion, int fill))

typedef struct CakeLaunchDriver {
#define CAKE_LAUNCH_ROW(field, symbol, required, parameters) int(*field) parameters;
  CAKE_LAUNCH_DRIVER(CAKE_LAUNCH_ROW)
#undef CAKE_LAUNCH_ROW
  void *handle; // of libcuda
} CakeLaunchDriver;

// Constants of the driver, by NVIDIA's names without CU_.
enum {
  CAKE_LAUNCH_DEVICE_MAX_GRID_X = 5,
  CAKE_LAUNCH_DEVICE_MULTIPROCESSORS = 16,
  CAKE_LAUNCH_DEVICE_MAJOR = 75,
  CAKE_LAUNCH_DEVICE_MINOR = 76,
  CAKE_LAUNCH_FUNC_SHARED_BYTES = 8,
  CAKE_LAUNCH_FUNC_NON_PORTABLE_CLUSTER = 14,
  CAKE_LAUNCH_ATTRIBUTE_CLUSTER = 4,
  CAKE_LAUNCH_ATTRIBUTE_PROGRAMMATIC = 6,
  CAKE_LAUNCH_JIT_ERROR_LOG = 5,
  CAKE_LAUNCH_JIT_ERROR_LOG_BYTES = 6,
  CAKE_LAUNCH_L2_256B = 3
};

// The loaded and initialised driver, loading it when this is the first call. NULL: refused.
CAKE_LAUNCH_API const CakeLaunchDriver *cake_launch_driver(CakeRuntimeError *error);
// True for 0; otherwise refuses with "what: NAME".
CAKE_LAUNCH_API bool cake_launch_result(const CakeLaunchDriver *driver, int result, const char *what,
                                        CakeRuntimeError *error);

#endif
