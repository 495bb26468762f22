// Targets and what gpu ops need of them. Requirements are those of the PTX manual's "Target ISA Notes" of each instruction.
#include "targets/nvptx/target.h"

#include "cake/nvptx.h"
#include "dialects/gpu/gpu.h"

#include <string.h>

static const CakeNvptxTarget targets[] = {
    {"sm_80", 80, false, "+ptx86"},   {"sm_86", 86, false, "+ptx86"},    {"sm_89", 89, false, "+ptx86"},   {"sm_90", 90, false, "+ptx86"},
    {"sm_90a", 90, true, "+ptx86"},   {"sm_100a", 100, true, "+ptx86"},  {"sm_103a", 103, true, "+ptx88"}, {"sm_120a", 120, true, "+ptx87"},
};

const CakeNvptxTarget *cake_nvptx_target_find(const char *name) {
  for (size_t i = 0; name && i < CAKE_COUNT(targets); ++i)
    if (!strcmp(targets[i].name, name)) return &targets[i];
  return NULL;
}

bool cake_nvptx_has_target(const char *target) { return cake_nvptx_target_find(target) != NULL; }

// `only`: of this architecture alone, with the `a`; `specific`: of any architecture from `sm` on that has an `a`.
typedef struct Need {
  int sm;
  bool only, specific;
} Need;

static const Need needs[cake_op_gpu_COUNT] = {
    [cake_op_gpu_tma_load] = {90, false, false},
    [cake_op_gpu_bulk_load] = {90, false, false},
    [cake_op_gpu_mbarrier_arrive_expect_tx] = {90, false, false},
    [cake_op_gpu_fence_proxy_async] = {90, false, false},
    [cake_op_gpu_setmaxnreg] = {90, false, true},
    [cake_op_gpu_wgmma_fence] = {90, true, true},
    [cake_op_gpu_wgmma_commit] = {90, true, true},
    [cake_op_gpu_wgmma_wait] = {90, true, true},
    [cake_op_gpu_wgmma] = {90, true, true},
};

static bool meets(const CakeNvptxTarget *target, Need need) {
  if (need.only && target->sm != need.sm) return false;
  if (need.specific && !target->is_specific) return false;
  return target->sm >= need.sm;
}

bool cake_nvptx_check(CakeOp *module, const CakeNvptxTarget *target) {
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false)) {
    if (!op->info->def || op->info->dialect != &cake_dialect_gpu) continue;
    Need need = needs[op->info->def->ordinal];
    if (meets(target, need)) continue;
    CakeBuf have = {0};
    for (size_t i = 0; i < CAKE_COUNT(targets); ++i)
      if (meets(&targets[i], need)) cake_buf_printf(&have, "%s%s", have.len ? ", " : "", targets[i].name);
    cake_error(op, CAKE_CODE_FORM_TARGET, "needs an instruction that %s lacks; %s %s it", target->name, have.data, strchr(have.data, ',') ? "have" : "has");
    cake_buf_fini(&have);
    return false;
  }
  return true;
}
