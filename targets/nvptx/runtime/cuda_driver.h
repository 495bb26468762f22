// The CUDA Driver API, loaded from libcuda.so.1 when it is asked for, so that nothing needs CUDA to build or to start.
//
// Types and constants are ours, one table (cuda_api.def) lists the functions. No IR and no LLVM: this folder is usable
// from any C program.
#ifndef CAKE_TARGETS_NVPTX_RUNTIME_CUDA_DRIVER_H
#define CAKE_TARGETS_NVPTX_RUNTIME_CUDA_DRIVER_H

#include "cake/base.h"

CAKE_BEGIN_C

typedef int CakeCuDevice;
typedef unsigned long long CakeCuPointer; // an address in device memory
typedef struct CUctx_st *CakeCuContext;
typedef struct CUmod_st *CakeCuModule;
typedef struct CUfunc_st *CakeCuFunction;
typedef struct CUstream_st *CakeCuStream;
typedef struct CUevent_st *CakeCuEvent;

#define CU_ENUM(ours, theirs) typedef enum ours {
#define CU_VALUE(ours, theirs, value) ours = (value),
#define CU_ENUM_END(ours)                                                                                              \
  }                                                                                                                    \
  ours;
#include "targets/nvptx/runtime/cuda_api.def"

// One attribute of a launch: `cluster` for CAKE_CU_LAUNCH_CLUSTER_SHAPE, `programmatic` (0 or 1) for
// CAKE_CU_LAUNCH_PROGRAMMATIC.
typedef struct CakeCuLaunchAttribute {
  CakeCuLaunchAttributeId id;
  char pad[8 - sizeof(CakeCuLaunchAttributeId)];
  union {
    char pad[64];
    struct {
      unsigned x, y, z;
    } cluster;
    int programmatic;
    void *align;
  } value;
} CakeCuLaunchAttribute;

typedef struct CakeCuLaunchConfig {
  unsigned grid_x, grid_y, grid_z;
  unsigned block_x, block_y, block_z;
  unsigned dynamic_shared_bytes;
  CakeCuStream stream;
  CakeCuLaunchAttribute *attributes;
  unsigned attribute_count;
} CakeCuLaunchConfig;

// A tensor map, passed to a kernel by value.
typedef struct CakeCuTensorMap {
  _Alignas(128) uint64_t opaque[16];
} CakeCuTensorMap;

// The loaded driver. The function pointers are named by the rows of cuda_api.def.
typedef struct CakeCuda {
  void *library;
  int version; // of the driver: 1000·major + 10·minor
#define CU_FN(field, symbol, name, version, need, parameters) CakeCuResult(*field) parameters;
#include "targets/nvptx/runtime/cuda_api.def"
} CakeCuda;

#define CAKE_CUDA_LIBRARY "libcuda.so.1"

// Loads CAKE_CUDA_LIBRARY and initialises it. False, with the reason in `error`, when there is no driver, when it is older
// than a required function, or when it does not start (no GPU). `out` needs `cake_cuda_close` only after true.
CAKE_NODISCARD bool cake_cuda_open(CakeCuda *out, CakeBuf *error);
// The same from a given file; NULL is the program itself.
CAKE_NODISCARD bool cake_cuda_open_library(CakeCuda *out, const char *path, CakeBuf *error);
void cake_cuda_close(CakeCuda *cuda);

// True when `result` is success. Otherwise appends "what: NAME (description)" to `error` and is false.
CAKE_NODISCARD bool cake_cuda_check(const CakeCuda *cuda, CakeCuResult result, CakeBuf *error, const char *what, ...)
    CAKE_PRINTF(4, 5);
// Appends that the driver lacks the optional function of this symbol, and which version has it. Always false.
CAKE_NODISCARD bool cake_cuda_missing(const CakeCuda *cuda, const char *symbol, CakeBuf *error);

CAKE_END_C
#endif
