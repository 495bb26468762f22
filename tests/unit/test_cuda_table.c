// Our table of the CUDA Driver API against NVIDIA's headers: every constant, type and signature, and since when each
// function is there. The compiler checks nearly all of it; the program adds that the library exports the symbols.
#include "targets/nvptx/runtime/cuda_driver.h"

#include "targets/nvptx/runtime/launch.h"

#include <check.h>
#include <cuda.h>
#include <cudaTypedefs.h>
#include <dlfcn.h>
#include <stdlib.h>

// ---- Types ---------------------------------------------------------------------------------------------------------

#define SAME_SIZE(ours, theirs)                                                                                        \
  _Static_assert(sizeof(ours) == sizeof(theirs), #ours);                                                               \
  _Static_assert(_Alignof(ours) % _Alignof(theirs) == 0, #ours)
#define SAME_FIELD(ours, our_field, theirs, their_field)                                                               \
  _Static_assert(offsetof(ours, our_field) == offsetof(theirs, their_field), #our_field);                              \
  _Static_assert(sizeof(((ours *)0)->our_field) == sizeof(((theirs *)0)->their_field), #our_field)

SAME_SIZE(CakeCuDevice, CUdevice);
SAME_SIZE(CakeCuPointer, CUdeviceptr);
SAME_SIZE(CakeCuContext, CUcontext);
SAME_SIZE(CakeCuModule, CUmodule);
SAME_SIZE(CakeCuFunction, CUfunction);
SAME_SIZE(CakeCuStream, CUstream);
SAME_SIZE(CakeCuEvent, CUevent);
SAME_SIZE(CakeCuTensorMap, CUtensorMap);
SAME_SIZE(CakeCuLaunchAttribute, CUlaunchAttribute);
SAME_SIZE(CakeCuLaunchConfig, CUlaunchConfig);

SAME_FIELD(CakeCuLaunchAttribute, id, CUlaunchAttribute, id);
SAME_FIELD(CakeCuLaunchAttribute, value, CUlaunchAttribute, value);
SAME_FIELD(CakeCuLaunchAttribute, value.cluster.x, CUlaunchAttribute, value.clusterDim.x);
SAME_FIELD(CakeCuLaunchAttribute, value.cluster.y, CUlaunchAttribute, value.clusterDim.y);
SAME_FIELD(CakeCuLaunchAttribute, value.cluster.z, CUlaunchAttribute, value.clusterDim.z);
SAME_FIELD(CakeCuLaunchAttribute, value.programmatic, CUlaunchAttribute, value.programmaticStreamSerializationAllowed);
SAME_FIELD(CakeCuLaunchConfig, grid_x, CUlaunchConfig, gridDimX);
SAME_FIELD(CakeCuLaunchConfig, grid_y, CUlaunchConfig, gridDimY);
SAME_FIELD(CakeCuLaunchConfig, grid_z, CUlaunchConfig, gridDimZ);
SAME_FIELD(CakeCuLaunchConfig, block_x, CUlaunchConfig, blockDimX);
SAME_FIELD(CakeCuLaunchConfig, block_y, CUlaunchConfig, blockDimY);
SAME_FIELD(CakeCuLaunchConfig, block_z, CUlaunchConfig, blockDimZ);
SAME_FIELD(CakeCuLaunchConfig, dynamic_shared_bytes, CUlaunchConfig, sharedMemBytes);
SAME_FIELD(CakeCuLaunchConfig, stream, CUlaunchConfig, hStream);
SAME_FIELD(CakeCuLaunchConfig, attributes, CUlaunchConfig, attrs);
SAME_FIELD(CakeCuLaunchConfig, attribute_count, CUlaunchConfig, numAttrs);

// The launcher's own view of them.
SAME_SIZE(CakeLaunchMapBits, CUtensorMap);
SAME_SIZE(CakeLaunchAttribute, CUlaunchAttribute);
SAME_FIELD(CakeLaunchAttribute, id, CUlaunchAttribute, id);
SAME_FIELD(CakeLaunchAttribute, value, CUlaunchAttribute, value);
SAME_FIELD(CakeLaunchAttribute, value.cluster, CUlaunchAttribute, value.clusterDim);
SAME_FIELD(CakeLaunchAttribute, value.flag, CUlaunchAttribute, value.programmaticStreamSerializationAllowed);
SAME_SIZE(CakeLaunchConfig, CUlaunchConfig);
SAME_FIELD(CakeLaunchConfig, shared_bytes, CUlaunchConfig, sharedMemBytes);
SAME_FIELD(CakeLaunchConfig, stream, CUlaunchConfig, hStream);
SAME_FIELD(CakeLaunchConfig, attributes, CUlaunchConfig, attrs);
SAME_FIELD(CakeLaunchConfig, n_attributes, CUlaunchConfig, numAttrs);
#define SAME_VALUE(ours, theirs) _Static_assert((int)(ours) == (int)(theirs), #ours)
SAME_VALUE(CAKE_LAUNCH_DEVICE_MAX_GRID_X, CU_DEVICE_ATTRIBUTE_MAX_GRID_DIM_X);
SAME_VALUE(CAKE_LAUNCH_DEVICE_MULTIPROCESSORS, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
SAME_VALUE(CAKE_LAUNCH_DEVICE_MAJOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
SAME_VALUE(CAKE_LAUNCH_DEVICE_MINOR, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
SAME_VALUE(CAKE_LAUNCH_FUNC_SHARED_BYTES, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
SAME_VALUE(CAKE_LAUNCH_FUNC_NON_PORTABLE_CLUSTER, CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED);
SAME_VALUE(CAKE_LAUNCH_ATTRIBUTE_CLUSTER, CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION);
SAME_VALUE(CAKE_LAUNCH_ATTRIBUTE_PROGRAMMATIC, CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
SAME_VALUE(CAKE_LAUNCH_JIT_ERROR_LOG, CU_JIT_ERROR_LOG_BUFFER);
SAME_VALUE(CAKE_LAUNCH_JIT_ERROR_LOG_BYTES, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES);
SAME_VALUE(CAKE_LAUNCH_L2_256B, CU_TENSOR_MAP_L2_PROMOTION_L2_256B);

// ---- Constants -----------------------------------------------------------------------------------------------------

#define CU_ENUM(ours, theirs) SAME_SIZE(ours, theirs);
#define CU_VALUE(ours, theirs, value) _Static_assert((int)(ours) == (int)(theirs), #ours);
#include "targets/nvptx/runtime/cuda_api.def"

// ---- Functions -----------------------------------------------------------------------------------------------------

// With our names standing for NVIDIA's types, a signature must be the very type of the function in cuda.h, and of the
// version of it that cudaTypedefs.h names.
#define CakeCuResult CUresult
#define CakeCuPointer CUdeviceptr
#define CakeCuDeviceAttribute CUdevice_attribute
#define CakeCuFunctionAttribute CUfunction_attribute
#define CakeCuJitOption CUjit_option
#define CakeCuLaunchConfig CUlaunchConfig
#define CakeCuTensorMap CUtensorMap
#define CakeCuTensorType CUtensorMapDataType
#define CakeCuInterleave CUtensorMapInterleave
#define CakeCuSwizzle CUtensorMapSwizzle
#define CakeCuL2Promotion CUtensorMapL2promotion
#define CakeCuFill CUtensorMapFloatOOBfill
#define CU_FN(field, symbol, name, version, need, parameters)                                                          \
  _Static_assert(_Generic(&symbol, CUresult(*) parameters: 1, default: 0), #field ": cuda.h has another signature");   \
  _Static_assert(_Generic((PFN_##name##_v##version)0, CUresult(*) parameters: 1, default: 0),                          \
                 #field ": cudaTypedefs.h has another signature for this version");
#include "targets/nvptx/runtime/cuda_api.def"
#undef CakeCuResult

// ---- The library ---------------------------------------------------------------------------------------------------

// The toolkit's stub exports every symbol and answers every call with one error, which must reach us in words.
START_TEST(stub_library_is_loaded_and_refused) {
  const char *path = "/usr/local/cuda/lib64/stubs/libcuda.so";
  void *stub = dlopen(path, RTLD_NOW);
  if (!stub) return; // headers without the stub: nothing to load
  dlclose(stub);
  CakeCuda cuda;
  CakeBuf error = {0};
  ck_assert(!cake_cuda_open_library(&cuda, path, &error));
  ck_assert_msg(strncmp(error.data, "cannot start the CUDA driver", 28) == 0, "%s", error.data);
  cake_buf_fini(&error);
}
END_TEST

START_TEST(absent_library_is_an_error) {
  CakeCuda cuda;
  CakeBuf error = {0};
  ck_assert(!cake_cuda_open_library(&cuda, "/nonexistent/libcuda.so.1", &error));
  ck_assert_ptr_nonnull(strstr(error.data, "no CUDA driver"));
  ck_assert_ptr_null(cuda.library);
  cake_buf_fini(&error);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("cuda_table");
  TCase *tcase = tcase_create("library");
  tcase_add_test(tcase, stub_library_is_loaded_and_refused);
  tcase_add_test(tcase, absent_library_is_an_error);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
