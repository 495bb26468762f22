// The GPU layer against a driver of our own that this program exports: memory is host memory, kernels are C functions,
// and any call can be made to fail. Real GPUs are tested elsewhere; here are the errors that they rarely show.
#include "targets/nvptx/runtime/gpu.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- The driver ----------------------------------------------------------------------------------------------------

#define CU_FN(field, symbol, name, version, need, parameters) CakeCuResult symbol parameters;
#include "targets/nvptx/runtime/cuda_api.def"

typedef enum Behaviour { WORKS, WRITES_BEHIND, WRITES_BEFORE, FAULTS, HANGS } Behaviour;

static struct {
  const char *failing; // the symbol that answers with an error; NULL: none
  int devices;
  int allocations, modules, contexts, streams, events; // that are alive
  Behaviour running;
  unsigned launches, launches_ex, timed;
  CakeCuLaunchConfig config;
  CakeCuLaunchAttribute attributes[2];
} driver = {.devices = 1};

enum { ILLEGAL_ADDRESS = 700 };

#define ANSWER(symbol)                                                                                                 \
  return driver.failing && strcmp(driver.failing, #symbol) == 0 ? CAKE_CU_INVALID_VALUE : CAKE_CU_SUCCESS
#define COUNT(symbol, counter, change)                                                                                 \
  do {                                                                                                                 \
    if (driver.failing && strcmp(driver.failing, #symbol) == 0) return CAKE_CU_INVALID_VALUE;                          \
    driver.counter += (change);                                                                                        \
    return CAKE_CU_SUCCESS;                                                                                            \
  } while (0)

static int objects[8]; // whose addresses are the handles

CakeCuResult cuGetErrorName(CakeCuResult result, const char **out) {
  *out = (int)result == ILLEGAL_ADDRESS ? "CUDA_ERROR_ILLEGAL_ADDRESS" : "CUDA_ERROR_INVALID_VALUE";
  return CAKE_CU_SUCCESS;
}

CakeCuResult cuGetErrorString(CakeCuResult result, const char **out) {
  *out = (int)result == ILLEGAL_ADDRESS ? "an illegal memory access" : "invalid argument";
  return CAKE_CU_SUCCESS;
}

CakeCuResult cuInit(unsigned flags) {
  ck_assert_uint_eq(flags, 0);
  ANSWER(cuInit);
}

CakeCuResult cuDriverGetVersion(int *out) {
  *out = 12040;
  ANSWER(cuDriverGetVersion);
}

CakeCuResult cuDeviceGet(CakeCuDevice *out, int ordinal) {
  *out = ordinal;
  ANSWER(cuDeviceGet);
}

CakeCuResult cuDeviceGetCount(int *out) {
  *out = driver.devices;
  ANSWER(cuDeviceGetCount);
}

CakeCuResult cuDeviceGetName(char *out, int capacity, CakeCuDevice device) {
  snprintf(out, (size_t)capacity, "Test GPU %d", device);
  ANSWER(cuDeviceGetName);
}

CakeCuResult cuDeviceGetAttribute(int *out, CakeCuDeviceAttribute attribute, CakeCuDevice device) {
  (void)device;
  *out = attribute == CAKE_CU_CAPABILITY_MAJOR               ? 9
         : attribute == CAKE_CU_CAPABILITY_MINOR             ? 0
         : attribute == CAKE_CU_SHARED_BYTES_PER_BLOCK_OPTIN ? 232448
         : attribute == CAKE_CU_MAX_GRID_X                   ? INT32_MAX
                                                             : 1024;
  ANSWER(cuDeviceGetAttribute);
}

CakeCuResult cuDeviceTotalMem_v2(size_t *out, CakeCuDevice device) {
  (void)device;
  *out = 1 << 30;
  ANSWER(cuDeviceTotalMem_v2);
}

CakeCuResult cuDevicePrimaryCtxRetain(CakeCuContext *out, CakeCuDevice device) {
  (void)device;
  *out = (CakeCuContext)&objects[0];
  COUNT(cuDevicePrimaryCtxRetain, contexts, 1);
}

CakeCuResult cuDevicePrimaryCtxRelease_v2(CakeCuDevice device) {
  (void)device;
  COUNT(cuDevicePrimaryCtxRelease_v2, contexts, -1);
}

CakeCuResult cuCtxSetCurrent(CakeCuContext context) {
  ck_assert_ptr_eq(context, &objects[0]);
  ANSWER(cuCtxSetCurrent);
}

CakeCuResult cuModuleLoadDataEx(CakeCuModule *out, const void *image, unsigned option_count, CakeCuJitOption *options,
                                void **values) {
  ck_assert_uint_eq(option_count, 6);
  for (unsigned i = 0; i < option_count; i++) {
    if (options[i] == CAKE_CU_JIT_INFO_LOG) strcpy(values[i], "32 registers\n");
    if (options[i] == CAKE_CU_JIT_ERROR_LOG && strcmp(image, "bad") == 0) strcpy(values[i], "line 1: syntax error\n");
  }
  if (strcmp(image, "bad") == 0) return CAKE_CU_INVALID_VALUE;
  *out = (CakeCuModule)&objects[1];
  COUNT(cuModuleLoadDataEx, modules, 1);
}

CakeCuResult cuModuleUnload(CakeCuModule module) {
  (void)module;
  COUNT(cuModuleUnload, modules, -1);
}

CakeCuResult cuModuleGetFunction(CakeCuFunction *out, CakeCuModule module, const char *name) {
  ck_assert_ptr_eq(module, &objects[1]);
  *out = (CakeCuFunction)&objects[2];
  if (strcmp(name, "k") != 0) return CAKE_CU_NOT_FOUND;
  ANSWER(cuModuleGetFunction);
}

CakeCuResult cuFuncGetAttribute(int *out, CakeCuFunctionAttribute attribute, CakeCuFunction function) {
  (void)function;
  *out = attribute == CAKE_CU_FN_REGISTERS ? 32 : attribute == CAKE_CU_FN_MAX_THREADS_PER_BLOCK ? 512 : 0;
  ANSWER(cuFuncGetAttribute);
}

CakeCuResult cuFuncSetAttribute(CakeCuFunction function, CakeCuFunctionAttribute attribute, int value) {
  (void)function, (void)attribute, (void)value;
  ANSWER(cuFuncSetAttribute);
}

// Every kernel takes an address and a 32-bit count.
CakeCuResult cuFuncGetParamInfo(CakeCuFunction function, size_t index, size_t *out_offset, size_t *out_bytes) {
  (void)function;
  *out_offset = 8 * index;
  *out_bytes = index == 0 ? 8 : 4;
  return index < 2 ? CAKE_CU_SUCCESS : CAKE_CU_INVALID_VALUE;
}

CakeCuResult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *out, CakeCuFunction function, int threads, size_t bytes) {
  (void)function, (void)bytes;
  *out = 2048 / threads;
  ANSWER(cuOccupancyMaxActiveBlocksPerMultiprocessor);
}

CakeCuResult cuOccupancyMaxActiveClusters(int *out, CakeCuFunction function, const CakeCuLaunchConfig *config) {
  (void)function, (void)config;
  *out = 1;
  ANSWER(cuOccupancyMaxActiveClusters);
}

CakeCuResult cuMemAlloc_v2(CakeCuPointer *out, size_t bytes) {
  if (bytes > 1 << 24) return CAKE_CU_OUT_OF_MEMORY;
  *out = (CakeCuPointer)(uintptr_t)aligned_alloc(256, (bytes + 255) / 256 * 256);
  COUNT(cuMemAlloc_v2, allocations, 1);
}

CakeCuResult cuMemFree_v2(CakeCuPointer pointer) {
  free((void *)(uintptr_t)pointer);
  COUNT(cuMemFree_v2, allocations, -1);
}

CakeCuResult cuMemHostAlloc(void **out, size_t bytes, unsigned flags) {
  (void)flags;
  *out = malloc(bytes);
  COUNT(cuMemHostAlloc, allocations, 1);
}

CakeCuResult cuMemFreeHost(void *memory) {
  free(memory);
  COUNT(cuMemFreeHost, allocations, -1);
}

CakeCuResult cuMemGetInfo_v2(size_t *out_free, size_t *out_total) {
  *out_free = *out_total = 1 << 30;
  ANSWER(cuMemGetInfo_v2);
}

CakeCuResult cuMemcpyHtoD_v2(CakeCuPointer to, const void *from, size_t bytes) {
  memcpy((void *)(uintptr_t)to, from, bytes);
  ANSWER(cuMemcpyHtoD_v2);
}

CakeCuResult cuMemcpyDtoH_v2(void *to, CakeCuPointer from, size_t bytes) {
  memcpy(to, (void *)(uintptr_t)from, bytes);
  ANSWER(cuMemcpyDtoH_v2);
}

CakeCuResult cuMemcpyHtoDAsync_v2(CakeCuPointer to, const void *from, size_t bytes, CakeCuStream stream) {
  (void)stream;
  memcpy((void *)(uintptr_t)to, from, bytes);
  ANSWER(cuMemcpyHtoDAsync_v2);
}

CakeCuResult cuMemcpyDtoHAsync_v2(void *to, CakeCuPointer from, size_t bytes, CakeCuStream stream) {
  (void)stream;
  memcpy(to, (void *)(uintptr_t)from, bytes);
  ANSWER(cuMemcpyDtoHAsync_v2);
}

CakeCuResult cuMemsetD8Async(CakeCuPointer to, unsigned char byte, size_t bytes, CakeCuStream stream) {
  ck_assert_ptr_eq(stream, &objects[3]);
  memset((void *)(uintptr_t)to, byte, bytes);
  ANSWER(cuMemsetD8Async);
}

CakeCuResult cuStreamCreate(CakeCuStream *out, unsigned flags) {
  ck_assert_uint_eq(flags, CAKE_CU_STREAM_NON_BLOCKING);
  *out = (CakeCuStream)&objects[3];
  COUNT(cuStreamCreate, streams, 1);
}

CakeCuResult cuStreamDestroy_v2(CakeCuStream stream) {
  (void)stream;
  COUNT(cuStreamDestroy_v2, streams, -1);
}

CakeCuResult cuStreamSynchronize(CakeCuStream stream) {
  return cuStreamQuery(stream);
}

CakeCuResult cuStreamQuery(CakeCuStream stream) {
  ck_assert_ptr_eq(stream, &objects[3]);
  return driver.running == HANGS    ? CAKE_CU_NOT_READY
         : driver.running == FAULTS ? (CakeCuResult)ILLEGAL_ADDRESS
                                    : CAKE_CU_SUCCESS;
}

CakeCuResult cuEventCreate(CakeCuEvent *out, unsigned flags) {
  ck_assert_uint_eq(flags, 0);
  *out = (CakeCuEvent)&objects[4];
  COUNT(cuEventCreate, events, 1);
}

CakeCuResult cuEventDestroy_v2(CakeCuEvent event) {
  (void)event;
  COUNT(cuEventDestroy_v2, events, -1);
}

CakeCuResult cuEventRecord(CakeCuEvent event, CakeCuStream stream) {
  (void)event, (void)stream;
  ANSWER(cuEventRecord);
}

// 1 ms, 2 ms, 3 ms, … in the order in which it is asked.
CakeCuResult cuEventElapsedTime(float *out_ms, CakeCuEvent start, CakeCuEvent end) {
  (void)start, (void)end;
  *out_ms = (float)++driver.timed;
  ANSWER(cuEventElapsedTime);
}

// Writes 7 into the first bytes of its buffer, and one more byte where it must not.
static CakeCuResult run_kernel(void **params) {
  unsigned char *to = (unsigned char *)(uintptr_t)*(CakeCuPointer *)params[0];
  int count = *(int *)params[1];
  memset(to, 7, (size_t)count);
  if (driver.running == WRITES_BEHIND) to[count + 3] = 1;
  if (driver.running == WRITES_BEFORE) to[-2] = 1;
  driver.launches++;
  return CAKE_CU_SUCCESS;
}

CakeCuResult cuLaunchKernel(CakeCuFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                            unsigned block_x, unsigned block_y, unsigned block_z, unsigned dynamic_shared_bytes,
                            CakeCuStream stream, void **params, void **extra) {
  (void)function, (void)stream, (void)extra;
  driver.config =
      (CakeCuLaunchConfig){grid_x, grid_y, grid_z, block_x, block_y, block_z, dynamic_shared_bytes, NULL, NULL, 0};
  if (driver.failing && strcmp(driver.failing, "cuLaunchKernel") == 0) return CAKE_CU_INVALID_VALUE;
  return run_kernel(params);
}

CakeCuResult cuLaunchKernelEx(const CakeCuLaunchConfig *config, CakeCuFunction function, void **params, void **extra) {
  (void)function, (void)extra;
  driver.config = *config;
  memcpy(driver.attributes, config->attributes, sizeof driver.attributes);
  driver.launches_ex++;
  return run_kernel(params);
}

CakeCuResult cuTensorMapEncodeTiled(CakeCuTensorMap *out, CakeCuTensorType type, uint32_t rank, void *base,
                                    const uint64_t *dims, const uint64_t *strides, const uint32_t *box,
                                    const uint32_t *element_strides, CakeCuInterleave interleave, CakeCuSwizzle swizzle,
                                    CakeCuL2Promotion promotion, CakeCuFill fill) {
  (void)base, (void)interleave, (void)promotion, (void)fill;
  out->opaque[0] = (uint64_t)type;
  out->opaque[1] = rank;
  out->opaque[2] = dims[rank - 1];
  out->opaque[3] = strides[rank - 2];
  out->opaque[4] = box[rank - 1] * (uint64_t)element_strides[rank - 1];
  out->opaque[5] = (uint64_t)swizzle;
  ANSWER(cuTensorMapEncodeTiled);
}

// ---- Helpers -------------------------------------------------------------------------------------------------------

static CakeGpu gpu;
static CakeCuModule module;
static CakeGpuKernel kernel;
static CakeGpuBuffer buffer;
static CakeBuf error;

enum { BUFFER_BYTES = 100 };

static int count_argument = BUFFER_BYTES;
static CakeGpuParam params[2];
static CakeGpuLaunch launch;

#define OK(call) ck_assert_msg(call, "%s", error.data ? error.data : "failed without a reason")

static void expect_failure(bool result, const char *wanted) {
  ck_assert_msg(!result, "accepted; wanted: %s", wanted);
  ck_assert_str_eq(error.data, wanted);
  cake_buf_clear(&error);
}

static void set_up(void) {
  OK(cake_gpu_open_library(&gpu, NULL, 0, &error));
  OK(cake_gpu_module_load(&gpu, CAKE_STR("ptx"), &module, NULL, &error));
  OK(cake_gpu_kernel_find(&gpu, module, "k", 2048, &kernel, &error));
  OK(cake_gpu_buffer_create(&gpu, BUFFER_BYTES, &buffer, &error));
  params[0] = (CakeGpuParam){&buffer.address, sizeof buffer.address};
  params[1] = (CakeGpuParam){&count_argument, sizeof count_argument};
  launch = (CakeGpuLaunch){
      .grid = {3,   2, 1},
        .block = {128, 1, 1},
        .params = params, .param_count = 2
  };
}

static void tear_down(void) {
  driver.failing = NULL;
  cake_gpu_buffer_destroy(&gpu, &buffer);
  cake_gpu_module_unload(&gpu, module);
  cake_gpu_close(&gpu);
  cake_buf_fini(&error);
  ck_assert_int_eq(driver.allocations, 0);
  ck_assert_int_eq(driver.modules, 0);
  ck_assert_int_eq(driver.contexts, 0);
  ck_assert_int_eq(driver.streams, 0);
  ck_assert_int_eq(driver.events, 0);
}

// ---- Device --------------------------------------------------------------------------------------------------------

START_TEST(limits_are_read) {
  ck_assert_str_eq(gpu.name, "Test GPU 0");
  ck_assert_int_eq(gpu.sm, 90);
  ck_assert_uint_eq(gpu.shared_bytes_per_block, 232448);
  ck_assert_int_eq(gpu.cuda.version, 12040);
}
END_TEST

START_TEST(an_absent_device_is_an_error) {
  CakeGpu other;
  expect_failure(cake_gpu_open_library(&other, NULL, 1, &error),
                 "there is no GPU 1: this machine has 1, counted from 0");
  expect_failure(cake_gpu_open_library(&other, NULL, -1, &error),
                 "there is no GPU -1: this machine has 1, counted from 0");
  driver.devices = 0;
  expect_failure(cake_gpu_open_library(&other, NULL, 0, &error), "the CUDA driver sees no GPU");
}
END_TEST

// Whatever call fails while a device is opened: an error, and nothing is left open.
START_TEST(a_failed_open_gives_everything_back) {
  static const char *const symbols[] = {"cuInit",
                                        "cuDriverGetVersion",
                                        "cuDeviceGetCount",
                                        "cuDeviceGet",
                                        "cuDeviceGetName",
                                        "cuDeviceGetAttribute",
                                        "cuCtxSetCurrent",
                                        "cuStreamCreate",
                                        "cuDevicePrimaryCtxRetain",
                                        "cuDeviceTotalMem_v2"};
  int contexts = driver.contexts, streams = driver.streams;
  for (size_t i = 0; i < CAKE_COUNT(symbols); i++) {
    CakeGpu other;
    driver.failing = symbols[i];
    ck_assert_msg(!cake_gpu_open_library(&other, NULL, 0, &error), "%s", symbols[i]);
    ck_assert_ptr_nonnull(strstr(error.data, ": CUDA_ERROR_INVALID_VALUE (invalid argument)"));
    cake_buf_clear(&error);
    ck_assert_int_eq(driver.contexts, contexts);
    ck_assert_int_eq(driver.streams, streams);
  }
}
END_TEST

// ---- Buffers -------------------------------------------------------------------------------------------------------

START_TEST(buffers_are_poisoned_and_copied) {
  unsigned char host[BUFFER_BYTES], back[BUFFER_BYTES];
  OK(cake_gpu_buffer_read(&gpu, &buffer, back, sizeof back, &error));
  for (size_t i = 0; i < sizeof back; i++)
    ck_assert_uint_eq(back[i], 0xff);
  memset(host, 42, sizeof host);
  OK(cake_gpu_buffer_write(&gpu, &buffer, host, sizeof host, &error));
  OK(cake_gpu_buffer_read(&gpu, &buffer, back, sizeof back, &error));
  ck_assert_mem_eq(host, back, sizeof back);
  OK(cake_gpu_buffer_check(&gpu, &buffer, "x", &error));
  expect_failure(cake_gpu_buffer_write(&gpu, &buffer, host, BUFFER_BYTES + 1, &error),
                 "cannot copy 101 bytes: the GPU buffer has 100");
}
END_TEST

START_TEST(unguarded_buffers_are_memory_alone) {
  CakeGpuBuffer bare, empty;
  unsigned char bytes[64] = {1}, read[64];
  gpu.unguarded = true;
  OK(cake_gpu_buffer_create(&gpu, sizeof bytes, &bare, &error));
  OK(cake_gpu_buffer_create(&gpu, 0, &empty, &error));
  OK(cake_gpu_buffer_write(&gpu, &bare, bytes, sizeof bytes, &error));
  OK(cake_gpu_buffer_read(&gpu, &bare, read, sizeof read, &error));
  ck_assert_mem_eq(bytes, read, sizeof read);
  OK(cake_gpu_buffer_check(&gpu, &bare, "x", &error)); // there is nothing to look at
  cake_gpu_buffer_destroy(&gpu, &bare);
  cake_gpu_buffer_destroy(&gpu, &empty);
  gpu.unguarded = false;
}
END_TEST

START_TEST(buffers_can_be_empty_or_too_large) {
  CakeGpuBuffer other;
  OK(cake_gpu_buffer_create(&gpu, 0, &other, &error));
  OK(cake_gpu_buffer_check(&gpu, &other, "empty", &error));
  cake_gpu_buffer_destroy(&gpu, &other);
  ck_assert(!cake_gpu_buffer_create(&gpu, (size_t)1 << 40, &other, &error));
  ck_assert_ptr_nonnull(strstr(error.data, "cannot allocate 1099511627776 bytes on Test GPU 0"));
  cake_buf_clear(&error);
  expect_failure(cake_gpu_buffer_create(&gpu, SIZE_MAX, &other, &error),
                 "cannot have a GPU buffer of 18446744073709551615 bytes");
}
END_TEST

START_TEST(stray_writes_are_found) {
  driver.running = WRITES_BEHIND;
  OK(cake_gpu_launch(&gpu, &kernel, &launch, &error) && cake_gpu_wait(&gpu, 1, &error));
  expect_failure(cake_gpu_buffer_check(&gpu, &buffer, "label", &error),
                 "the kernel wrote outside 'label': byte 3 behind its end");
  driver.running = WRITES_BEFORE;
  OK(cake_gpu_launch(&gpu, &kernel, &launch, &error) && cake_gpu_wait(&gpu, 1, &error));
  expect_failure(cake_gpu_buffer_check(&gpu, &buffer, "label", &error),
                 "the kernel wrote outside 'label': byte 2 before its begin");
}
END_TEST

// ---- Modules and kernels -------------------------------------------------------------------------------------------

START_TEST(module_logs_are_told) {
  CakeBuf log = {0};
  CakeCuModule other;
  OK(cake_gpu_module_load(&gpu, CAKE_STR("good"), &other, &log, &error));
  ck_assert_str_eq(log.data, "32 registers");
  cake_gpu_module_unload(&gpu, other);
  expect_failure(cake_gpu_module_load(&gpu, CAKE_STR("bad"), &other, NULL, &error),
                 "cannot load the module on Test GPU 0 (sm_90): CUDA_ERROR_INVALID_VALUE (invalid argument)\n"
                 "line 1: syntax error");
  cake_buf_fini(&log);
}
END_TEST

START_TEST(kernels_are_found_and_limited) {
  CakeGpuKernel other;
  ck_assert_int_eq(kernel.registers, 32);
  ck_assert_int_eq(kernel.max_threads, 512);
  ck_assert(!cake_gpu_kernel_find(&gpu, module, "absent", 0, &other, &error));
  ck_assert_ptr_nonnull(strstr(error.data, "the module has no kernel 'absent'"));
  cake_buf_clear(&error);
  expect_failure(cake_gpu_kernel_find(&gpu, module, "k", 232449, &other, &error),
                 "kernel 'k' wants 232449 bytes of shared memory; a block of Test GPU 0 has at most 232448");
  int blocks = 0;
  OK(cake_gpu_kernel_occupancy(&gpu, &kernel, 256, &blocks, &error));
  ck_assert_int_eq(blocks, 8);
}
END_TEST

// ---- Launches ------------------------------------------------------------------------------------------------------

START_TEST(launches_pass_everything_on) {
  unsigned char back[BUFFER_BYTES];
  OK(cake_gpu_launch(&gpu, &kernel, &launch, &error) && cake_gpu_wait(&gpu, 1, &error));
  OK(cake_gpu_buffer_read(&gpu, &buffer, back, sizeof back, &error));
  ck_assert(back[0] == 7 && back[BUFFER_BYTES - 1] == 7);
  OK(cake_gpu_buffer_check(&gpu, &buffer, "x", &error));
  const CakeCuLaunchConfig *config = &driver.config;
  ck_assert(config->grid_x == 3 && config->grid_y == 2 && config->grid_z == 1 && config->block_x == 128);
  ck_assert_uint_eq(config->dynamic_shared_bytes, 2048);
  ck_assert_uint_eq(driver.launches_ex, 0);
  launch.grid[0] = 4;
  launch.cluster[0] = 2;
  launch.cluster[1] = launch.cluster[2] = 1;
  launch.programmatic = true;
  OK(cake_gpu_launch(&gpu, &kernel, &launch, &error));
  ck_assert_uint_eq(driver.launches_ex, 1);
  ck_assert_uint_eq(config->attribute_count, 2);
  ck_assert_uint_eq(driver.attributes[0].id, CAKE_CU_LAUNCH_CLUSTER_SHAPE);
  ck_assert_uint_eq(driver.attributes[0].value.cluster.x, 2);
  ck_assert_uint_eq(driver.attributes[1].id, CAKE_CU_LAUNCH_PROGRAMMATIC);
  ck_assert_int_eq(driver.attributes[1].value.programmatic, 1);
}
END_TEST

static void expect_refused(const char *wanted) {
  unsigned before = driver.launches;
  expect_failure(cake_gpu_launch(&gpu, &kernel, &launch, &error), wanted);
  ck_assert_uint_eq(driver.launches, before);
}

START_TEST(bad_launches_are_refused) {
  launch.grid[1] = 0;
  expect_refused("kernel 'k': the grid is 0 in dimension y; it must be 1 to 1024");
  launch.grid[1] = 2000;
  expect_refused("kernel 'k': the grid is 2000 in dimension y; it must be 1 to 1024");
  launch.grid[1] = 1;
  launch.cluster[0] = 2;
  launch.cluster[1] = launch.cluster[2] = 1;
  expect_refused("kernel 'k': the grid's 3 blocks in dimension x do not divide into clusters of 2");
  memset(launch.cluster, 0, sizeof launch.cluster);
  launch.block[0] = 640;
  expect_refused("kernel 'k': a block of 640 x 1 x 1 threads; with its 32 registers a thread it can have 1 to 512");
  launch.block[0] = 128;
  params[1].bytes = 8;
  expect_refused("kernel 'k': parameter 1 has 4 bytes, 8 were given");
  launch.param_count = 1;
  expect_refused("kernel 'k' has more parameters than the 1 given");
  params[1].bytes = 4;
  const CakeGpuParam three[] = {params[0], params[1], params[1]};
  launch.params = three;
  launch.param_count = 3;
  expect_refused("kernel 'k' has 2 parameters, not 3");
  launch.param_count = CAKE_GPU_MAX_PARAMS + 1;
  expect_refused("kernel 'k': 129 parameters; at most 128 are supported");
}
END_TEST

START_TEST(a_driver_without_clusters_says_so) {
  gpu.cuda.launch_kernel_ex = NULL;
  launch.cluster[0] = launch.cluster[1] = launch.cluster[2] = 1;
  expect_refused("the CUDA driver supports CUDA 12.4 and has no cuLaunchKernelEx, which needs CUDA 11.6");
}
END_TEST

START_TEST(failures_of_a_launch_are_told) {
  driver.failing = "cuLaunchKernel";
  expect_refused("cannot launch kernel 'k': CUDA_ERROR_INVALID_VALUE (invalid argument)");
  driver.failing = NULL;
  driver.running = FAULTS;
  OK(cake_gpu_launch(&gpu, &kernel, &launch, &error));
  expect_failure(cake_gpu_wait(&gpu, 1, &error),
                 "the kernel failed: CUDA_ERROR_ILLEGAL_ADDRESS (an illegal memory access)");
  driver.running = WORKS;
}
END_TEST

// A hung kernel keeps everything: giving memory back would wait for it.
START_TEST(a_hanging_kernel_is_given_up) {
  driver.running = HANGS;
  OK(cake_gpu_launch(&gpu, &kernel, &launch, &error));
  expect_failure(cake_gpu_wait(&gpu, 0.02, &error),
                 "the kernel did not end within 0.02 s: it hangs, or it is far slower than expected");
  ck_assert(gpu.hung);
  CakeCuPointer address = buffer.address;
  cake_gpu_buffer_destroy(&gpu, &buffer);
  ck_assert_int_eq(driver.allocations, 1);
  gpu.hung = false; // so that this test leaves nothing
  buffer.address = address;
}
END_TEST

// ---- Tensor maps ---------------------------------------------------------------------------------------------------

static CakeGpuTensor tensor(void) {
  return (CakeGpuTensor){
      .base = buffer.address,
      .type = CAKE_CU_TENSOR_BF16,
      .rank = 3,
      .dims = {64, 1000, 2     },
      .strides = {0,  128,  128000},
      .box = {64, 128,  1     },
      .swizzle = CAKE_CU_SWIZZLE_128B
  };
}

START_TEST(tensor_maps_are_encoded) {
  CakeCuTensorMap map;
  CakeGpuTensor good = tensor();
  OK(cake_gpu_tensor_encode(&gpu, &good, &map, &error));
  ck_assert_uint_eq(map.opaque[0], CAKE_CU_TENSOR_BF16);
  ck_assert_uint_eq(map.opaque[1], 3);
  ck_assert_uint_eq(map.opaque[2], 2);
  ck_assert_uint_eq(map.opaque[3], 128000);
  ck_assert_uint_eq(map.opaque[4], 1);
  ck_assert_uint_eq(map.opaque[5], CAKE_CU_SWIZZLE_128B);
}
END_TEST

#define REFUSE(change, wanted)                                                                                         \
  do {                                                                                                                 \
    CakeGpuTensor bad = tensor();                                                                                      \
    change;                                                                                                            \
    CakeCuTensorMap map;                                                                                               \
    expect_failure(cake_gpu_tensor_encode(&gpu, &bad, &map, &error), wanted);                                          \
  } while (0)

START_TEST(bad_tensor_maps_are_refused) {
  REFUSE(bad.rank = 0, "tensor map: rank 0; 1 to 5 are possible");
  REFUSE(bad.rank = 6, "tensor map: rank 6; 1 to 5 are possible");
  REFUSE(bad.base = 0x1008, "tensor map: the address 0x1008 is not a multiple of 16");
  REFUSE(bad.dims[1] = 0, "tensor map: dimension 1 has 0 elements; 1 to 2^32 are possible");
  REFUSE(bad.box[1] = 257, "tensor map: the box has 257 elements in dimension 1; 1 to 256 are possible");
  REFUSE(bad.strides[2] = 1000,
         "tensor map: the stride of dimension 2 is 1000 bytes; it must be a multiple of 16 below 2^40");
  REFUSE(bad.strides[1] = (uint64_t)1 << 40,
         "tensor map: the stride of dimension 1 is 1099511627776 bytes; it must be a multiple of 16 below 2^40");
  REFUSE(bad.box[0] = 4, "tensor map: a row of the box has 8 bytes; it must be a multiple of 16");
  REFUSE(bad.box[0] = 128, "tensor map: a row of the box has 256 bytes; the 128B swizzle spans at most 128");
  gpu.cuda.tensor_map_encode_tiled = NULL;
  REFUSE(bad.rank = 3, "the CUDA driver supports CUDA 12.4 and has no cuTensorMapEncodeTiled, which needs CUDA 12.0");
}
END_TEST

// ---- Time ----------------------------------------------------------------------------------------------------------

START_TEST(times_are_medians_of_interleaved_rounds) {
  const CakeGpuVariant variants[] = {
      {&kernel, &launch},
      {&kernel, &launch}
  };
  const CakeGpuTimeOptions options = {.rounds = 2, .launches = 3, .idle_ms = 1, .flush_bytes = 4096, .timeout_s = 1};
  CakeGpuTime times[2];
  OK(cake_gpu_time(&gpu, variants, 2, &options, times, &error));
  ck_assert_uint_eq(driver.launches, 2 + 2 * 2 * 3); // a first launch each, then the rounds
  ck_assert_uint_eq(times[0].samples, 6);
  ck_assert(times[0].lowest_ms == 1 && times[0].median_ms == 5 && times[0].highest_ms == 9);  // 1 2 3 7 8 9
  ck_assert(times[1].lowest_ms == 4 && times[1].median_ms == 8 && times[1].highest_ms == 12); // 4 5 6 10 11 12
  const CakeGpuTimeOptions none = {0};
  expect_failure(cake_gpu_time(&gpu, variants, 2, &none, times, &error),
                 "nothing to measure: no variant, no round or no launch");
}
END_TEST

START_TEST(sustained_time_is_a_mean) {
  const CakeGpuVariant variant = {&kernel, &launch};
  double ms = 0;
  OK(cake_gpu_time_sustained(&gpu, &variant, 5, 4, 1, &ms, &error));
  ck_assert_uint_eq(driver.launches, 9);
  ck_assert(ms == 0.25);
}
END_TEST

START_TEST(a_failed_measurement_leaves_nothing) {
  static const char *const symbols[] = {"cuEventCreate", "cuEventRecord", "cuEventElapsedTime", "cuMemAlloc_v2",
                                        "cuLaunchKernel"};
  const CakeGpuVariant variant = {&kernel, &launch};
  const CakeGpuTimeOptions options = {.rounds = 1, .launches = 2, .flush_bytes = 64, .timeout_s = 1};
  for (size_t i = 0; i < CAKE_COUNT(symbols); i++) {
    CakeGpuTime time;
    driver.failing = strcmp(symbols[i], "cuMemAlloc_v2") == 0 ? NULL : symbols[i]; // that one would leak host memory
    CakeGpuTimeOptions wanted = options;
    if (!driver.failing) wanted.flush_bytes = (size_t)1 << 40;
    ck_assert(!cake_gpu_time(&gpu, &variant, 1, &wanted, &time, &error));
    ck_assert_uint_gt(error.len, 0);
    cake_buf_clear(&error);
    ck_assert_int_eq(driver.events, 0);
    ck_assert_int_eq(driver.allocations, 1);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("gpu");
  TCase *tcase = tcase_create("gpu");
  tcase_add_checked_fixture(tcase, set_up, tear_down);
  tcase_add_test(tcase, limits_are_read);
  tcase_add_test(tcase, an_absent_device_is_an_error);
  tcase_add_test(tcase, a_failed_open_gives_everything_back);
  tcase_add_test(tcase, buffers_are_poisoned_and_copied);
  tcase_add_test(tcase, unguarded_buffers_are_memory_alone);
  tcase_add_test(tcase, buffers_can_be_empty_or_too_large);
  tcase_add_test(tcase, stray_writes_are_found);
  tcase_add_test(tcase, module_logs_are_told);
  tcase_add_test(tcase, kernels_are_found_and_limited);
  tcase_add_test(tcase, launches_pass_everything_on);
  tcase_add_test(tcase, bad_launches_are_refused);
  tcase_add_test(tcase, a_driver_without_clusters_says_so);
  tcase_add_test(tcase, failures_of_a_launch_are_told);
  tcase_add_test(tcase, a_hanging_kernel_is_given_up);
  tcase_add_test(tcase, tensor_maps_are_encoded);
  tcase_add_test(tcase, bad_tensor_maps_are_refused);
  tcase_add_test(tcase, times_are_medians_of_interleaved_rounds);
  tcase_add_test(tcase, sustained_time_is_a_mean);
  tcase_add_test(tcase, a_failed_measurement_leaves_nothing);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
