// The NVPTX target: from gpu.module to LLVM IR and PTX, through the LLVM-C API.
#ifndef CAKE_NVPTX_H
#define CAKE_NVPTX_H

#include "cake/op.h"

CAKE_BEGIN_C

typedef struct CakeNvptxOptions {
  const char *target; // "sm_90a"
  bool line_info;     // `.loc` lines back to the source of the IR
} CakeNvptxOptions;

// Both translate every gpu.func under `module` (a builtin.module or gpu.module that is lowered to gpu, arith, math and scf) and append to `out`.
// False: reported at the op that cannot be translated; `out` is unchanged then.
CAKE_NODISCARD bool cake_nvptx_emit_llvm(CakeOp *module, const CakeNvptxOptions *options, CakeBuf *out);
CAKE_NODISCARD bool cake_nvptx_emit_ptx(CakeOp *module, const CakeNvptxOptions *options, CakeBuf *out);

// Whether the kernel's PTX synchronises as its gpu.func: on every path the same instructions in the same order, or PTX_SYNC. Functions whose control flow
// is not structured are passed over. cake_nvptx_emit_ptx asks for each function.
CAKE_NODISCARD bool cake_nvptx_check_sync(CakeOp *func, CakeStr target, CakeStr ptx);

// Whether the target can generate code for a name such as "sm_90a".
bool cake_nvptx_has_target(const char *target);

CAKE_END_C
#endif
