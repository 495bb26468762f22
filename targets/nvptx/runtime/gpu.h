// Runs kernels on a GPU: device, guarded buffers, modules from PTX or cubin, launches, tensor maps, timing.
//
// A thin layer over the CUDA driver's table. Every function that can fail returns false and appends one sentence to
// `error`. One CakeGpu belongs to one thread.
#ifndef CAKE_TARGETS_NVPTX_RUNTIME_GPU_H
#define CAKE_TARGETS_NVPTX_RUNTIME_GPU_H

#include "targets/nvptx/runtime/cuda_driver.h"

CAKE_BEGIN_C

// ---- Device --------------------------------------------------------------------------------------------------------

typedef struct CakeGpu {
  CakeCuda cuda;
  CakeCuDevice device;
  CakeCuContext context;
  CakeCuStream stream; // everything below is ordered on it
  char name[128];      // "NVIDIA H200"
  int sm;              // 10·major + minor of the compute capability
  int multiprocessors;
  int threads_per_block; // the following are upper limits
  int grid[3];
  size_t shared_bytes_per_block; // with opt-in
  size_t l2_bytes;
  size_t memory_bytes;
  bool hung; // a kernel did not end in time; nothing can be given back any more
  bool unguarded; // buffers are as they are allocated, without guards and poison, so that a checker of memory sees their ends
} CakeGpu;

// Opens the driver and the device of this number (0 is the first). `cake_gpu_close` after true only.
CAKE_NODISCARD bool cake_gpu_open(CakeGpu *out, int ordinal, CakeBuf *error);
// The same with the driver of a given file (NULL: the program itself, which is how tests stand in for a GPU).
CAKE_NODISCARD bool cake_gpu_open_library(CakeGpu *out, const char *path, int ordinal, CakeBuf *error);
void cake_gpu_close(CakeGpu *gpu);

// ---- Buffers -------------------------------------------------------------------------------------------------------

// Device memory between two guards, 256-byte aligned; of a GPU that is `unguarded`, memory alone.
typedef struct CakeGpuBuffer {
  CakeCuPointer address;
  size_t bytes;
} CakeGpuBuffer;

// Poisoned: every byte is 0xff, which is NaN in each float format and -1 in signed integers.
CAKE_NODISCARD bool cake_gpu_buffer_create(CakeGpu *gpu, size_t bytes, CakeGpuBuffer *out, CakeBuf *error);
void cake_gpu_buffer_destroy(CakeGpu *gpu, CakeGpuBuffer *buffer);
CAKE_NODISCARD bool cake_gpu_buffer_poison(CakeGpu *gpu, const CakeGpuBuffer *buffer, CakeBuf *error);
// Copy the first `bytes` bytes; both return when the copy is done.
CAKE_NODISCARD bool cake_gpu_buffer_write(CakeGpu *gpu, const CakeGpuBuffer *buffer, const void *from, size_t bytes,
                                          CakeBuf *error);
CAKE_NODISCARD bool cake_gpu_buffer_read(CakeGpu *gpu, const CakeGpuBuffer *buffer, void *to, size_t bytes,
                                         CakeBuf *error);
// Whether both guards are intact; otherwise `error` says how far from `name`'s begin or end the nearest stray byte is.
CAKE_NODISCARD bool cake_gpu_buffer_check(CakeGpu *gpu, const CakeGpuBuffer *buffer, const char *name, CakeBuf *error);

// ---- Modules and kernels -------------------------------------------------------------------------------------------

// Loads PTX text or a cubin. What the driver's ptxas says goes to `log` (may be NULL) and, after a failure, to `error`.
CAKE_NODISCARD bool cake_gpu_module_load(CakeGpu *gpu, CakeStr image, CakeCuModule *out, CakeBuf *log, CakeBuf *error);
void cake_gpu_module_unload(CakeGpu *gpu, CakeCuModule module);

typedef struct CakeGpuKernel {
  CakeCuFunction function;
  const char *name;              // borrowed from the caller
  unsigned dynamic_shared_bytes; // of every launch
  int static_shared_bytes;
  int registers;   // per thread
  int local_bytes; // per thread: stack and spills
  int max_threads; // per block
} CakeGpuKernel;

CAKE_NODISCARD bool cake_gpu_kernel_find(CakeGpu *gpu, CakeCuModule module, const char *name,
                                         size_t dynamic_shared_bytes, CakeGpuKernel *out, CakeBuf *error);
// Blocks of `threads` threads that fit on one multiprocessor at once.
CAKE_NODISCARD bool cake_gpu_kernel_occupancy(CakeGpu *gpu, const CakeGpuKernel *kernel, int threads, int *out,
                                              CakeBuf *error);

// ---- Launches ------------------------------------------------------------------------------------------------------

typedef struct CakeGpuParam {
  const void *data; // copied by the launch
  size_t bytes;
} CakeGpuParam;

#define CAKE_GPU_MAX_PARAMS 128

typedef struct CakeGpuLaunch {
  unsigned grid[3], block[3];
  unsigned cluster[3]; // all 0: no cluster, or the one that the kernel fixes itself
  bool programmatic;   // may begin before the kernel in front of it has ended (griddepcontrol)
  const CakeGpuParam *params;
  size_t param_count;
} CakeGpuLaunch;

// Checks the launch against the kernel and the device: dimensions; number and sizes of parameters (driver 12.4 on).
CAKE_NODISCARD bool cake_gpu_launch_check(CakeGpu *gpu, const CakeGpuKernel *kernel, const CakeGpuLaunch *launch,
                                          CakeBuf *error);
// Checks and starts. A fault of the kernel shows up in the next `cake_gpu_wait`.
CAKE_NODISCARD bool cake_gpu_launch(CakeGpu *gpu, const CakeGpuKernel *kernel, const CakeGpuLaunch *launch,
                                    CakeBuf *error);
// Waits for everything on the stream. After `timeout_s` seconds it gives up, calls the kernel hung, sets `gpu->hung`.
CAKE_NODISCARD bool cake_gpu_wait(CakeGpu *gpu, double timeout_s, CakeBuf *error);

// ---- Tensor maps ---------------------------------------------------------------------------------------------------

#define CAKE_GPU_MAX_RANK 5

// A tensor in global memory and the box that one bulk tensor copy moves. Dimension 0 is the innermost and is dense.
typedef struct CakeGpuTensor {
  CakeCuPointer base;
  CakeCuTensorType type;
  unsigned rank;
  uint64_t dims[CAKE_GPU_MAX_RANK];    // elements
  uint64_t strides[CAKE_GPU_MAX_RANK]; // bytes; strides[0] is not read
  uint32_t box[CAKE_GPU_MAX_RANK];     // elements
  CakeCuSwizzle swizzle;
  CakeCuL2Promotion promotion;
  CakeCuFill fill;
} CakeGpuTensor;

size_t cake_gpu_tensor_element_bytes(CakeCuTensorType type);
// Checks the rules that the driver would answer with "invalid value": alignments, box and stride limits, swizzle span.
CAKE_NODISCARD bool cake_gpu_tensor_check(const CakeGpuTensor *tensor, CakeBuf *error);
// Checks and encodes. The map is a kernel parameter of 128 bytes.
CAKE_NODISCARD bool cake_gpu_tensor_encode(CakeGpu *gpu, const CakeGpuTensor *tensor, CakeCuTensorMap *out,
                                           CakeBuf *error);

// ---- Time ----------------------------------------------------------------------------------------------------------

typedef struct CakeGpuVariant {
  const CakeGpuKernel *kernel;
  const CakeGpuLaunch *launch;
} CakeGpuVariant;

typedef struct CakeGpuTimeOptions {
  unsigned rounds;    // every round measures every variant
  unsigned launches;  // of a variant in a round
  unsigned idle_ms;   // pause before them, in which the GPU cools and its clock recovers
  size_t flush_bytes; // written before each launch, to empty the L2 cache and to hide the host's launch time; 0: no
  double timeout_s;   // for the launches of one variant in one round
} CakeGpuTimeOptions;

typedef struct CakeGpuTime {
  double median_ms, lowest_ms, highest_ms; // of one launch
  unsigned samples;
} CakeGpuTime;

// Cold times of variants that are to be compared: interleaved, each after an idle gap, because a GPU that has just
// worked runs slower. `out` has one entry a variant.
CakeGpuTimeOptions cake_gpu_time_cold(const CakeGpu *gpu);
CAKE_NODISCARD bool cake_gpu_time(CakeGpu *gpu, const CakeGpuVariant *variants, size_t count,
                                  const CakeGpuTimeOptions *options, CakeGpuTime *out, CakeBuf *error);
// The mean time of `launches` launches back to back after `warmup` untimed ones: the speed under the power limit.
CAKE_NODISCARD bool cake_gpu_time_sustained(CakeGpu *gpu, const CakeGpuVariant *variant, unsigned warmup,
                                            unsigned launches, double timeout_s, double *out_ms, CakeBuf *error);

CAKE_END_C
#endif
