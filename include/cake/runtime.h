// Launches a compiled kernel: from a manifest and its PTX or cubin, on the caller's context and stream. C ABI; needs the CUDA driver
// (libcuda.so.1, loaded at the first launch) and nothing else: no LLVM, no XML, no CUDA headers.
//
// Everything is checked before anything is started: sizes against shapes, the guard, alignments, overflow, the device. A launch that is
// refused has started nothing, and says why. Functions may be called from several threads.
#ifndef CAKE_RUNTIME_H
#define CAKE_RUNTIME_H

#include "cake/manifest.h"

#ifdef __cplusplus
extern "C" {
#endif

#ifndef CAKE_RUNTIME_API
#if defined(__GNUC__) || defined(__clang__)
#define CAKE_RUNTIME_API __attribute__((visibility("default")))
#else
#define CAKE_RUNTIME_API
#endif
#endif

// ---- Errors ----------------------------------------------------------------------------------------------------------

// One sentence, cut off where it is too long. Every function takes NULL for it, too.
typedef struct CakeRuntimeError {
  char text[512];
} CakeRuntimeError;

// ---- Arguments -------------------------------------------------------------------------------------------------------

// A tensor in DLPack's layout (DLTensor of dlpack.h, whose address may be given here).
typedef struct CakeDlTensor {
  void *data;
  int32_t device_type; // 2: CUDA, 13: CUDA managed memory
  int32_t device_id;
  int32_t ndim;
  uint8_t type_code; // 0 int, 1 uint, 2 float, 4 bfloat, 6 bool, 10 float8_e4m3fn, 12 float8_e5m2
  uint8_t type_bits;
  uint16_t type_lanes;
  const int64_t *shape;
  const int64_t *strides; // elements; NULL: dense
  uint64_t byte_offset;
} CakeDlTensor;

// The value of one argument, in the manifest's order. Exactly one of its ways is used: an array is `tensor`, or else `address` with `shape`
// (NULL: the dimensions that the sizes give); a scalar is `scalar`, a value of its element's bytes (int64_t for CAKE_ELEMENT_INDEX).
typedef struct CakeArgument {
  const CakeDlTensor *tensor;
  const void *address; // on the device
  const int64_t *shape;
  const void *scalar;
} CakeArgument;

// The sizes may be given, or be bound from shapes; a size of -1 is not given.
typedef struct CakeCall {
  const CakeArgument *args; // n_args of the manifest
  const int64_t *sizes;     // n_sizes of the manifest; NULL: all from shapes
  void *stream;             // a CUstream; NULL: the default stream
} CakeCall;

// ---- Without a device ------------------------------------------------------------------------------------------------

// What a checked call comes to.
typedef struct CakeLaunchShape {
  int64_t sizes[CAKE_MANIFEST_MAX_PARAMS];
  int64_t dims[CAKE_MANIFEST_MAX_PARAMS][CAKE_MANIFEST_MAX_RANK]; // of each array
  uint64_t addresses[CAKE_MANIFEST_MAX_PARAMS];                   // of each array
  int64_t items;                                                  // 0: nothing to do
} CakeLaunchShape;

// Sizes and items are from 0 to this, so that the 32-bit index arithmetic of a kernel cannot overflow.
#define CAKE_RUNTIME_MAX_SIZE ((int64_t)INT32_MAX - 65537)

CAKE_RUNTIME_API size_t cake_element_bytes(CakeElement element);
// False when it has no value: an unknown size (below 0), a division by zero, an overflow of 64 bits, a malformed formula.
CAKE_RUNTIME_API bool cake_formula_eval(const CakeFormula *formula, const int64_t *sizes, uint32_t n_sizes,
                                        int64_t *out);
// Whether a launch of the call is possible as far as that can be known without a device.
CAKE_RUNTIME_API bool cake_launch_check(const CakeManifest *manifest, const CakeCall *call, CakeLaunchShape *out,
                                        CakeRuntimeError *error);
// Whether code for the target runs on a device of that compute capability (10 · major + minor).
CAKE_RUNTIME_API bool cake_target_runs(const char *target, int sm);

// ---- Kernels ---------------------------------------------------------------------------------------------------------

// PTX text that ends with NUL, or a cubin.
typedef struct CakeImage {
  const void *data;
  size_t bytes;
} CakeImage;

typedef struct CakeKernel CakeKernel;

// The manifest and the images are borrowed. Loads nothing yet: each CUDA context loads the first image that its driver takes when the kernel
// is first launched there.
CAKE_RUNTIME_API bool cake_kernel_create(const CakeManifest *manifest, const CakeImage *images, size_t n_images,
                                         CakeKernel **out, CakeRuntimeError *error);
// Unloads it from the current context, which must have finished with it; other contexts unload with themselves. NULL is fine.
CAKE_RUNTIME_API void cake_kernel_destroy(CakeKernel *kernel);
// Loads it into the current context, so that the first launch need not. There must be one (a CUDA runtime call or torch makes it).
CAKE_RUNTIME_API bool cake_kernel_load(CakeKernel *kernel, CakeRuntimeError *error);
// Enqueues one launch. Tensor maps are cached by address and shape.
CAKE_RUNTIME_API bool cake_kernel_launch(CakeKernel *kernel, const CakeCall *call, CakeRuntimeError *error);

// ---- Families --------------------------------------------------------------------------------------------------------

// A size of the family that a variant was compiled for.
typedef struct CakeVariantNeed {
  uint32_t size; // of the family's signature
  int64_t value;
} CakeVariantNeed;

typedef struct CakeVariant {
  const CakeManifest *manifest; // its arguments are those of the signature
  const CakeImage *images;
  uint32_t n_images;
  const uint32_t *sizes; // for each size of the manifest, which of the signature it is
  const CakeVariantNeed *needs;
  uint32_t n_needs;
} CakeVariant;

// Variants of one kernel, or of several that compute the same: template parameters that occur in the arguments' types are sizes of the
// signature, which has arguments, sizes and the name alone. The first variant is taken whose needs, guard, alignments and target fit; where
// none does, the reason is told of the first of those that came furthest.
typedef struct CakeFamily {
  const CakeManifest *signature;
  const CakeVariant *variants;
  uint32_t n_variants;
  CakeKernel **kernels; // n_variants of them, NULL at first
} CakeFamily;

CAKE_RUNTIME_API bool cake_family_launch(const CakeFamily *family, const CakeCall *call, CakeRuntimeError *error);
// Loads all variants that run on the current context's device.
CAKE_RUNTIME_API bool cake_family_load(const CakeFamily *family, CakeRuntimeError *error);
// Nobody may be launching from the family.
CAKE_RUNTIME_API void cake_family_unload(const CakeFamily *family);

// ---- The driver ------------------------------------------------------------------------------------------------------

// The capability of the current context's device, 10 · major + minor.
CAKE_RUNTIME_API bool cake_device_capability(int *out, CakeRuntimeError *error);
// Loads the driver from another file than libcuda.so.1; before the first launch only.
CAKE_RUNTIME_API bool cake_driver_open(const char *path, CakeRuntimeError *error);

#ifdef __cplusplus
}
#endif
#endif
