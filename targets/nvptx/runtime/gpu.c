// The device: opening it, its limits, guarded buffers, modules and kernels.
#include "targets/nvptx/runtime/gpu.h"

#include <string.h>

// ---- Device --------------------------------------------------------------------------------------------------------

static bool read_limits(CakeGpu *gpu, CakeBuf *error) {
  int major = 0, minor = 0, shared = 0, l2 = 0;
  const struct {
    CakeCuDeviceAttribute attribute;
    int *out;
  } rows[] = {
      {CAKE_CU_CAPABILITY_MAJOR,             &major                 },
      {CAKE_CU_CAPABILITY_MINOR,             &minor                 },
      {CAKE_CU_MULTIPROCESSORS,              &gpu->multiprocessors  },
      {CAKE_CU_MAX_THREADS_PER_BLOCK,        &gpu->threads_per_block},
      {CAKE_CU_MAX_GRID_X,                   &gpu->grid[0]          },
      {CAKE_CU_MAX_GRID_Y,                   &gpu->grid[1]          },
      {CAKE_CU_MAX_GRID_Z,                   &gpu->grid[2]          },
      {CAKE_CU_SHARED_BYTES_PER_BLOCK_OPTIN, &shared                },
      {CAKE_CU_L2_BYTES,                     &l2                    },
  };
  const CakeCuda *cuda = &gpu->cuda;
  for (size_t i = 0; i < CAKE_COUNT(rows); i++) {
    CakeCuResult result = cuda->device_get_attribute(rows[i].out, rows[i].attribute, gpu->device);
    if (!cake_cuda_check(cuda, result, error, "cannot read attribute %d of the GPU", (int)rows[i].attribute))
      return false;
  }
  gpu->sm = 10 * major + minor;
  gpu->shared_bytes_per_block = (size_t)shared;
  gpu->l2_bytes = (size_t)l2;
  return cake_cuda_check(cuda, cuda->device_get_name(gpu->name, (int)sizeof gpu->name, gpu->device), error,
                         "cannot read the GPU's name") &&
         cake_cuda_check(cuda, cuda->device_total_mem(&gpu->memory_bytes, gpu->device), error,
                         "cannot read the GPU's memory size");
}

static bool choose_device(CakeGpu *gpu, int ordinal, CakeBuf *error) {
  const CakeCuda *cuda = &gpu->cuda;
  int count = 0;
  if (!cake_cuda_check(cuda, cuda->device_get_count(&count), error, "cannot count the GPUs")) return false;
  if (count == 0) {
    cake_buf_text(error, "the CUDA driver sees no GPU");
    return false;
  }
  if (ordinal < 0 || ordinal >= count) {
    cake_buf_printf(error, "there is no GPU %d: this machine has %d, counted from 0", ordinal, count);
    return false;
  }
  return cake_cuda_check(cuda, cuda->device_get(&gpu->device, ordinal), error, "cannot open GPU %d", ordinal);
}

// Sets context and stream only when they exist, so that `cake_gpu_close` knows what to give back.
static bool open_context(CakeGpu *gpu, CakeBuf *error) {
  const CakeCuda *cuda = &gpu->cuda;
  CakeCuContext context = NULL;
  CakeCuStream stream = NULL;
  CakeCuResult result = cuda->primary_ctx_retain(&context, gpu->device);
  if (!cake_cuda_check(cuda, result, error, "cannot open a context on %s", gpu->name)) return false;
  gpu->context = context;
  result = cuda->ctx_set_current(context);
  if (!cake_cuda_check(cuda, result, error, "cannot use the context of %s", gpu->name)) return false;
  result = cuda->stream_create(&stream, CAKE_CU_STREAM_NON_BLOCKING);
  if (!cake_cuda_check(cuda, result, error, "cannot create a stream")) return false;
  gpu->stream = stream;
  return true;
}

bool cake_gpu_open(CakeGpu *out, int ordinal, CakeBuf *error) {
  return cake_gpu_open_library(out, CAKE_CUDA_LIBRARY, ordinal, error);
}

bool cake_gpu_open_library(CakeGpu *out, const char *path, int ordinal, CakeBuf *error) {
  *out = (CakeGpu){0};
  if (!cake_cuda_open_library(&out->cuda, path, error)) return false;
  if (choose_device(out, ordinal, error) && read_limits(out, error) && open_context(out, error)) return true;
  cake_gpu_close(out);
  return false;
}

void cake_gpu_close(CakeGpu *gpu) {
  if (!gpu->hung) { // giving a context back waits for its kernels; a hung one ends with the process
    if (gpu->stream) (void)gpu->cuda.stream_destroy(gpu->stream);
    if (gpu->context) (void)gpu->cuda.primary_ctx_release(gpu->device);
    cake_cuda_close(&gpu->cuda);
  }
  *gpu = (CakeGpu){0};
}

// ---- Buffers -------------------------------------------------------------------------------------------------------

enum { GUARD_BYTES = 256, GUARD_VALUE = 0xa5, POISON_VALUE = 0xff };

static size_t guard_bytes(const CakeGpu *gpu) {
  return gpu->unguarded ? 0 : GUARD_BYTES;
}

static bool fill(CakeGpu *gpu, CakeCuPointer to, int value, size_t bytes, CakeBuf *error) {
  if (bytes == 0) return true;
  CakeCuResult result = gpu->cuda.memset_d8_async(to, (unsigned char)value, bytes, gpu->stream);
  return cake_cuda_check(&gpu->cuda, result, error, "cannot fill %zu bytes of GPU memory", bytes);
}

bool cake_gpu_buffer_create(CakeGpu *gpu, size_t bytes, CakeGpuBuffer *out, CakeBuf *error) {
  *out = (CakeGpuBuffer){0};
  CakeCuPointer start = 0;
  if (bytes > SIZE_MAX - 2 * GUARD_BYTES) {
    cake_buf_printf(error, "cannot have a GPU buffer of %zu bytes", bytes);
    return false;
  }
  size_t guard = guard_bytes(gpu), all = bytes + 2 * guard;
  CakeCuResult result = gpu->cuda.mem_alloc(&start, all ? all : 1);
  if (!cake_cuda_check(&gpu->cuda, result, error, "cannot allocate %zu bytes on %s", bytes, gpu->name)) return false;
  *out = (CakeGpuBuffer){start + guard, bytes};
  if (gpu->unguarded) return true;
  if (fill(gpu, start, GUARD_VALUE, GUARD_BYTES, error) &&
      fill(gpu, out->address + bytes, GUARD_VALUE, GUARD_BYTES, error) && cake_gpu_buffer_poison(gpu, out, error))
    return true;
  cake_gpu_buffer_destroy(gpu, out);
  return false;
}

void cake_gpu_buffer_destroy(CakeGpu *gpu, CakeGpuBuffer *buffer) {
  if (buffer->address && !gpu->hung) (void)gpu->cuda.mem_free(buffer->address - guard_bytes(gpu));
  *buffer = (CakeGpuBuffer){0};
}

bool cake_gpu_buffer_poison(CakeGpu *gpu, const CakeGpuBuffer *buffer, CakeBuf *error) {
  return fill(gpu, buffer->address, POISON_VALUE, buffer->bytes, error);
}

static bool check_size(const CakeGpuBuffer *buffer, size_t bytes, CakeBuf *error) {
  if (bytes <= buffer->bytes) return true;
  cake_buf_printf(error, "cannot copy %zu bytes: the GPU buffer has %zu", bytes, buffer->bytes);
  return false;
}

static bool synchronize(CakeGpu *gpu, CakeBuf *error) {
  return cake_cuda_check(&gpu->cuda, gpu->cuda.stream_synchronize(gpu->stream), error, "the GPU failed");
}

bool cake_gpu_buffer_write(CakeGpu *gpu, const CakeGpuBuffer *buffer, const void *from, size_t bytes, CakeBuf *error) {
  if (!check_size(buffer, bytes, error)) return false;
  if (bytes == 0) return true;
  CakeCuResult result = gpu->cuda.memcpy_to_device_async(buffer->address, from, bytes, gpu->stream);
  return cake_cuda_check(&gpu->cuda, result, error, "cannot copy %zu bytes to the GPU", bytes) &&
         synchronize(gpu, error);
}

static bool copy_back(CakeGpu *gpu, CakeCuPointer from, void *to, size_t bytes, CakeBuf *error) {
  if (bytes == 0) return true;
  CakeCuResult result = gpu->cuda.memcpy_to_host_async(to, from, bytes, gpu->stream);
  return cake_cuda_check(&gpu->cuda, result, error, "cannot copy %zu bytes from the GPU", bytes) &&
         synchronize(gpu, error);
}

bool cake_gpu_buffer_read(CakeGpu *gpu, const CakeGpuBuffer *buffer, void *to, size_t bytes, CakeBuf *error) {
  return check_size(buffer, bytes, error) && copy_back(gpu, buffer->address, to, bytes, error);
}

bool cake_gpu_buffer_check(CakeGpu *gpu, const CakeGpuBuffer *buffer, const char *name, CakeBuf *error) {
  unsigned char before[GUARD_BYTES], after[GUARD_BYTES];
  if (gpu->unguarded) return true;
  if (!copy_back(gpu, buffer->address - GUARD_BYTES, before, sizeof before, error) ||
      !copy_back(gpu, buffer->address + buffer->bytes, after, sizeof after, error))
    return false;
  for (size_t i = 0; i < GUARD_BYTES; i++) {
    bool low = before[GUARD_BYTES - 1 - i] != GUARD_VALUE;
    if (!low && after[i] == GUARD_VALUE) continue;
    cake_buf_printf(error, "the kernel wrote outside '%s': byte %zu %s", name, low ? i + 1 : i,
                    low ? "before its begin" : "behind its end");
    return false;
  }
  return true;
}

// ---- Modules and kernels -------------------------------------------------------------------------------------------

enum { LOG_BYTES = 16384 };

static void append_log(CakeBuf *out, const char *log) {
  size_t len = strnlen(log, LOG_BYTES);
  while (len > 0 && (log[len - 1] == '\n' || log[len - 1] == ' '))
    len--;
  if (len == 0) return;
  if (out->len > 0) cake_buf_char(out, '\n');
  cake_buf_append(out, log, len);
}

bool cake_gpu_module_load(CakeGpu *gpu, CakeStr image, CakeCuModule *out, CakeBuf *log, CakeBuf *error) {
  CakeBuf text = {0}, logs = {0}; // the driver wants PTX to end with NUL
  cake_buf_append(&text, image.ptr, image.len);
  cake_buf_char(&text, '\0');
  cake_buf_fill(&logs, '\0', 2 * LOG_BYTES);
  CakeCuJitOption options[] = {CAKE_CU_JIT_INFO_LOG,  CAKE_CU_JIT_INFO_LOG_BYTES,  CAKE_CU_JIT_LOG_VERBOSE,
                               CAKE_CU_JIT_ERROR_LOG, CAKE_CU_JIT_ERROR_LOG_BYTES, CAKE_CU_JIT_LINE_INFO};
  // Numbers travel in the pointers themselves.
  void *values[] = {logs.data,
                    (void *)(uintptr_t)LOG_BYTES,
                    (void *)(uintptr_t)1,
                    logs.data + LOG_BYTES,
                    (void *)(uintptr_t)LOG_BYTES,
                    (void *)(uintptr_t)1};
  CakeCuResult result = gpu->cuda.module_load_data_ex(out, text.data, CAKE_COUNT(options), options, values);
  bool fine = cake_cuda_check(&gpu->cuda, result, error, "cannot load the module on %s (sm_%d)", gpu->name, gpu->sm);
  if (log) append_log(log, logs.data);
  if (!fine) append_log(error, logs.data + LOG_BYTES);
  cake_buf_fini(&logs);
  cake_buf_fini(&text);
  return fine;
}

void cake_gpu_module_unload(CakeGpu *gpu, CakeCuModule module) {
  if (module && !gpu->hung) (void)gpu->cuda.module_unload(module);
}

static bool read_kernel_facts(CakeGpu *gpu, CakeGpuKernel *kernel, CakeBuf *error) {
  const struct {
    CakeCuFunctionAttribute attribute;
    int *out;
  } rows[] = {
      {CAKE_CU_FN_SHARED_BYTES,          &kernel->static_shared_bytes},
      {CAKE_CU_FN_REGISTERS,             &kernel->registers          },
      {CAKE_CU_FN_LOCAL_BYTES,           &kernel->local_bytes        },
      {CAKE_CU_FN_MAX_THREADS_PER_BLOCK, &kernel->max_threads        },
  };
  for (size_t i = 0; i < CAKE_COUNT(rows); i++) {
    CakeCuResult result = gpu->cuda.func_get_attribute(rows[i].out, rows[i].attribute, kernel->function);
    if (!cake_cuda_check(&gpu->cuda, result, error, "cannot read attribute %d of kernel '%s'", (int)rows[i].attribute,
                         kernel->name))
      return false;
  }
  return true;
}

bool cake_gpu_kernel_find(CakeGpu *gpu, CakeCuModule module, const char *name, size_t dynamic_shared_bytes,
                          CakeGpuKernel *out, CakeBuf *error) {
  *out = (CakeGpuKernel){.name = name};
  CakeCuResult result = gpu->cuda.module_get_function(&out->function, module, name);
  if (!cake_cuda_check(&gpu->cuda, result, error, "the module has no kernel '%s'", name)) return false;
  if (!read_kernel_facts(gpu, out, error)) return false;
  if (dynamic_shared_bytes + (size_t)out->static_shared_bytes > gpu->shared_bytes_per_block ||
      dynamic_shared_bytes > INT32_MAX) {
    cake_buf_printf(error, "kernel '%s' wants %zu bytes of shared memory; a block of %s has at most %zu", name,
                    dynamic_shared_bytes + (size_t)out->static_shared_bytes, gpu->name, gpu->shared_bytes_per_block);
    return false;
  }
  out->dynamic_shared_bytes = (unsigned)dynamic_shared_bytes;
  result = gpu->cuda.func_set_attribute(out->function, CAKE_CU_FN_MAX_DYNAMIC_SHARED_BYTES, (int)dynamic_shared_bytes);
  return cake_cuda_check(&gpu->cuda, result, error, "kernel '%s' cannot have %zu bytes of dynamic shared memory", name,
                         dynamic_shared_bytes);
}

bool cake_gpu_kernel_occupancy(CakeGpu *gpu, const CakeGpuKernel *kernel, int threads, int *out, CakeBuf *error) {
  CakeCuResult result = gpu->cuda.occupancy_blocks(out, kernel->function, threads, kernel->dynamic_shared_bytes);
  return cake_cuda_check(&gpu->cuda, result, error, "cannot ask for the occupancy of kernel '%s'", kernel->name);
}
