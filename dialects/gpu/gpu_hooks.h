// Hooks of the gpu dialect's rows: verification, inference, folding.
#ifndef CAKE_DIALECTS_GPU_HOOKS_H
#define CAKE_DIALECTS_GPU_HOOKS_H

#include "dialects/gpu/gpu.h"

bool gpu_printf_verify(CakeOp *op);
bool gpu_func_verify(CakeOp *op);
bool gpu_pack_verify(CakeOp *op);
bool gpu_pack_fold(CakeOp *op, CakeFold *fold);
bool gpu_unpack_verify(CakeOp *op);
bool gpu_unpack_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool gpu_first_operand_infer(CakeInference *inference);
bool gpu_same_types_infer(CakeInference *inference);
bool gpu_shuffle_infer(CakeInference *inference);
bool gpu_load_verify(CakeOp *op);
bool gpu_store_verify(CakeOp *op);
bool gpu_cp_async_verify(CakeOp *op);
bool gpu_ldmatrix_verify(CakeOp *op);
bool gpu_stmatrix_verify(CakeOp *op);
bool gpu_tma_store_verify(CakeOp *op);
bool gpu_mma_verify(CakeOp *op);
bool gpu_mma_infer(CakeInference *inference);
bool gpu_wgmma_verify(CakeOp *op);
bool gpu_wgmma_rs_verify(CakeOp *op);
bool gpu_tcgen05_columns_verify(CakeOp *op); // of alloc and dealloc
bool gpu_tcgen05_fence_verify(CakeOp *op);
bool gpu_tcgen05_mma_verify(CakeOp *op);
bool gpu_tcgen05_ld_verify(CakeOp *op);
bool gpu_shuffle_verify(CakeOp *op);
bool gpu_dimension_verify(CakeOp *op);
bool gpu_griddepcontrol_verify(CakeOp *op);
bool gpu_setmaxnreg_verify(CakeOp *op);
bool gpu_named_barrier_verify(CakeOp *op); // the arriving kind too
bool gpu_splat_verify(CakeOp *op);

#endif
