// What code generation needs to know of a target beyond analysis/targets.h, and what each gpu op needs of it.
#ifndef CAKE_TARGETS_NVPTX_TARGET_H
#define CAKE_TARGETS_NVPTX_TARGET_H

#include "analysis/targets.h"
#include "cake/op.h"

// The PTX version that is written for a target, as an LLVM feature: "+ptx86". NULL: no code can be generated for it.
const char *cake_nvptx_ptx_version(const CakeTarget *target);

// LLVM ends the process on an instruction that the target lacks, so every op is checked before. False: reported at the op, with the targets that have it.
CAKE_NODISCARD bool cake_nvptx_check(CakeOp *module, const CakeTarget *target);

#endif
