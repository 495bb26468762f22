// DLTensor, as callers of the generated functions have it.
#ifndef TENSOR_H
#define TENSOR_H

#include <stdint.h>

typedef struct Tensor {
  void *data;
  int32_t device_type, device_id, ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
} Tensor;

#endif
