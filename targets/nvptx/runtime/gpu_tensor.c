// Tensor maps: the driver's rules for cuTensorMapEncodeTiled, each with a sentence, then the encoding.
#include "targets/nvptx/runtime/gpu.h"

size_t cake_gpu_tensor_element_bytes(CakeCuTensorType type) {
  switch (type) {
  case CAKE_CU_TENSOR_U8: return 1;
  case CAKE_CU_TENSOR_U16:
  case CAKE_CU_TENSOR_F16:
  case CAKE_CU_TENSOR_BF16: return 2;
  case CAKE_CU_TENSOR_U32:
  case CAKE_CU_TENSOR_I32:
  case CAKE_CU_TENSOR_F32:
  case CAKE_CU_TENSOR_TF32: return 4;
  case CAKE_CU_TENSOR_U64:
  case CAKE_CU_TENSOR_I64:
  case CAKE_CU_TENSOR_F64: return 8;
  }
  return 0;
}

// Bytes that one swizzled row may have; 0: any.
static uint64_t swizzle_span(CakeCuSwizzle swizzle) {
  switch (swizzle) {
  case CAKE_CU_SWIZZLE_NONE: return 0;
  case CAKE_CU_SWIZZLE_32B: return 32;
  case CAKE_CU_SWIZZLE_64B: return 64;
  case CAKE_CU_SWIZZLE_128B: return 128;
  }
  return 0;
}

static bool check_dimension(const CakeGpuTensor *tensor, unsigned i, CakeBuf *error) {
  if (tensor->dims[i] == 0 || tensor->dims[i] > UINT64_C(1) << 32) {
    cake_buf_printf(error, "tensor map: dimension %u has %llu elements; 1 to 2^32 are possible", i,
                    (unsigned long long)tensor->dims[i]);
    return false;
  }
  if (tensor->box[i] == 0 || tensor->box[i] > 256) {
    cake_buf_printf(error, "tensor map: the box has %u elements in dimension %u; 1 to 256 are possible", tensor->box[i],
                    i);
    return false;
  }
  if (i > 0 && (tensor->strides[i] % 16 != 0 || tensor->strides[i] >= UINT64_C(1) << 40)) {
    cake_buf_printf(error,
                    "tensor map: the stride of dimension %u is %llu bytes; it must be a multiple of 16 below 2^40", i,
                    (unsigned long long)tensor->strides[i]);
    return false;
  }
  return true;
}

static bool check_row(const CakeGpuTensor *tensor, CakeBuf *error) {
  uint64_t row = tensor->box[0] * (uint64_t)cake_gpu_tensor_element_bytes(tensor->type),
           span = swizzle_span(tensor->swizzle);
  if (row == 0 || row % 16 != 0) {
    cake_buf_printf(error, "tensor map: a row of the box has %llu bytes; it must be a multiple of 16",
                    (unsigned long long)row);
    return false;
  }
  if (span != 0 && row > span) {
    cake_buf_printf(error, "tensor map: a row of the box has %llu bytes; the %lluB swizzle spans at most %llu",
                    (unsigned long long)row, (unsigned long long)span, (unsigned long long)span);
    return false;
  }
  return true;
}

bool cake_gpu_tensor_check(const CakeGpuTensor *tensor, CakeBuf *error) {
  if (tensor->rank < 1 || tensor->rank > CAKE_GPU_MAX_RANK) {
    cake_buf_printf(error, "tensor map: rank %u; 1 to 5 are possible", tensor->rank);
    return false;
  }
  if (tensor->base % 16 != 0) {
    cake_buf_printf(error, "tensor map: the address 0x%llx is not a multiple of 16", tensor->base);
    return false;
  }
  for (unsigned i = 0; i < tensor->rank; i++)
    if (!check_dimension(tensor, i, error)) return false;
  return check_row(tensor, error);
}

bool cake_gpu_tensor_encode(CakeGpu *gpu, const CakeGpuTensor *tensor, CakeCuTensorMap *out, CakeBuf *error) {
  if (!gpu->cuda.tensor_map_encode_tiled) return cake_cuda_missing(&gpu->cuda, "cuTensorMapEncodeTiled", error);
  if (!cake_gpu_tensor_check(tensor, error)) return false;
  const uint32_t ones[CAKE_GPU_MAX_RANK] = {1, 1, 1, 1, 1};
  // The driver takes the address as a pointer, and strides from dimension 1 on.
  CakeCuResult result = gpu->cuda.tensor_map_encode_tiled(
      out, tensor->type, tensor->rank, (void *)(uintptr_t)tensor->base, tensor->dims, tensor->strides + 1, tensor->box,
      ones, CAKE_CU_INTERLEAVE_NONE, tensor->swizzle, tensor->promotion, tensor->fill);
  return cake_cuda_check(&gpu->cuda, result, error, "cannot encode a tensor map");
}
