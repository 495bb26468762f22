// Prototypes of the functions that build ops of a gpu.func, one a row of gpu; arith, math and scf are built as at the level of schedules.
#ifndef CAKE_SIMULATOR_GPU_BUILD_H
#define CAKE_SIMULATOR_GPU_BUILD_H

#include "simulator/gpu.h"

#include "cake/dialect_rows_clear.h"
#undef OP
#define OP(op, ...) bool cake_gpu_build_gpu_##op(CakeSimBuilder *builder, CakeOp *operation);
#include "dialects/gpu/gpu.def"
#undef OP
#define OP(...)

// For a row whose op cannot be simulated yet: it is refused where it stands.
#define CAKE_GPU_NOT_SIMULATED(name)                                                                                   \
  bool cake_gpu_build_gpu_##name(CakeSimBuilder *builder, CakeOp *op) {                                                \
    (void)builder;                                                                                                     \
    return cake_sim_unsupported(op, "cannot be simulated");                                                            \
  }

#endif
