// The gpu dialect: its types. Enumerators and accessors of its ops come from gpu_accessors.h.
#ifndef CAKE_DIALECTS_GPU_H
#define CAKE_DIALECTS_GPU_H

#include "cake/dialect.h"

extern const CakeDialectDef cake_dialect_gpu;

static inline bool cake_is_gpu_op(const CakeOp *op, int enumerator) {
  return op->info->def && op->info->dialect == &cake_dialect_gpu && op->info->def->ordinal == (uint32_t)enumerator;
}

// !gpu.ptr<global> | !gpu.ptr<shared>: params INT space
typedef enum CakeGpuSpace { CAKE_GPU_GLOBAL, CAKE_GPU_SHARED } CakeGpuSpace;
extern const CakeTypeDef cake_type_def_gpu_ptr, cake_type_def_gpu_tensor_map; // !gpu.tensor_map: no parameters
CakeType cake_gpu_ptr(CakeContext *context, CakeGpuSpace space);
static inline CakeGpuSpace cake_gpu_ptr_space(CakeType type) { return (CakeGpuSpace)type->params[0].i; }
CakeType cake_gpu_tensor_map(CakeContext *context);

extern const CakeTypeConstraint gpu_is_ptr, gpu_is_shared_ptr, gpu_is_global_ptr, gpu_is_tensor_map;

#endif
