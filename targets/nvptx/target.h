// The targets that can be generated for, and what each gpu op needs of them.
#ifndef CAKE_TARGETS_NVPTX_TARGET_H
#define CAKE_TARGETS_NVPTX_TARGET_H

#include "cake/op.h"

typedef struct CakeNvptxTarget {
  const char *name;     // "sm_90a"
  int sm;               // 90
  bool is_specific;     // has the instructions of this architecture alone ("a")
  const char *features; // for LLVM: the PTX version
} CakeNvptxTarget;

// NULL: not known.
const CakeNvptxTarget *cake_nvptx_target_find(const char *name);

// LLVM ends the process on an instruction that the target lacks, so every op is checked before. False: reported at the op, with the targets that have it.
CAKE_NODISCARD bool cake_nvptx_check(CakeOp *module, const CakeNvptxTarget *target);

#endif
