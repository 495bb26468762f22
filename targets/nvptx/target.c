// PTX versions of the targets, and the feature of analysis/targets.h that each gpu op needs.
#include "targets/nvptx/target.h"

#include "cake/nvptx.h"
#include "dialects/gpu/gpu_accessors.h"

#include <string.h>

// 8.6 is the first with copies into the CTA's own shared memory (cp.async.bulk … .shared::cta); newer machines came with newer versions.
static const struct {
  const char *target, *version;
} versions[] = {
    {"sm_80",   "+ptx86"},
    {"sm_86",   "+ptx86"},
    {"sm_87",   "+ptx86"},
    {"sm_89",   "+ptx86"},
    {"sm_90",   "+ptx86"},
    {"sm_90a",  "+ptx86"},
    {"sm_100",  "+ptx86"},
    {"sm_100a", "+ptx86"},
    {"sm_103",  "+ptx88"},
    {"sm_103a", "+ptx88"},
    {"sm_120",  "+ptx87"},
    {"sm_120a", "+ptx87"},
};

const char *cake_nvptx_ptx_version(const CakeTarget *target) {
  for (size_t i = 0; i < CAKE_COUNT(versions); ++i)
    if (!strcmp(versions[i].target, target->name)) return versions[i].version;
  return NULL;
}

bool cake_nvptx_has_target(const char *name) {
  const CakeTarget *target = name ? cake_target_find(cake_str(name)) : NULL;
  return target && cake_nvptx_ptx_version(target);
}

// All other ops need what every target has. Ops with a substitute on older targets (elect, mbarrier_wait, mbarrier_init_fence) are among those.
static const CakeFeature needs[cake_op_gpu_COUNT] = {
    [cake_op_gpu_tma_load] = CAKE_FEATURE_BULK,
    [cake_op_gpu_tma_load_multicast] = CAKE_FEATURE_MULTICAST,
    [cake_op_gpu_cluster_id] = CAKE_FEATURE_CLUSTER,
    [cake_op_gpu_cluster_dim] = CAKE_FEATURE_CLUSTER,
    [cake_op_gpu_cluster_block_id] = CAKE_FEATURE_CLUSTER,
    [cake_op_gpu_cluster_barrier] = CAKE_FEATURE_CLUSTER,
    [cake_op_gpu_mbarrier_arrive_remote] = CAKE_FEATURE_CLUSTER,
    [cake_op_gpu_bulk_load] = CAKE_FEATURE_BULK,
    [cake_op_gpu_stmatrix] = CAKE_FEATURE_BULK,
    [cake_op_gpu_tma_store] = CAKE_FEATURE_BULK,
    [cake_op_gpu_bulk_commit] = CAKE_FEATURE_BULK,
    [cake_op_gpu_bulk_wait_read] = CAKE_FEATURE_BULK,
    [cake_op_gpu_mbarrier_arrive_expect_tx] = CAKE_FEATURE_BULK,
    [cake_op_gpu_fence_proxy_async] = CAKE_FEATURE_BULK,
    [cake_op_gpu_griddepcontrol] = CAKE_FEATURE_BULK,
    [cake_op_gpu_setmaxnreg] = CAKE_FEATURE_SETMAXNREG,
    [cake_op_gpu_tcgen05_alloc] = CAKE_FEATURE_TCGEN05,
    [cake_op_gpu_tcgen05_dealloc] = CAKE_FEATURE_TCGEN05,
    [cake_op_gpu_tcgen05_fence] = CAKE_FEATURE_TCGEN05,
    [cake_op_gpu_tcgen05_mma] = CAKE_FEATURE_TCGEN05,
    [cake_op_gpu_tcgen05_commit] = CAKE_FEATURE_TCGEN05,
    [cake_op_gpu_tcgen05_ld] = CAKE_FEATURE_TCGEN05,
    [cake_op_gpu_tcgen05_wait_ld] = CAKE_FEATURE_TCGEN05,
    [cake_op_gpu_wgmma_fence] = CAKE_FEATURE_WGMMA,
    [cake_op_gpu_wgmma_commit] = CAKE_FEATURE_WGMMA,
    [cake_op_gpu_wgmma_wait] = CAKE_FEATURE_WGMMA,
    [cake_op_gpu_wgmma] = CAKE_FEATURE_WGMMA,
    [cake_op_gpu_wgmma_rs] = CAKE_FEATURE_WGMMA,
};
_Static_assert(CAKE_FEATURE_CP_ASYNC == 0, "what an op needs that the table leaves out");

static bool refuse(CakeOp *op, const CakeTarget *target, CakeFeature need) {
  CakeBuf have = {0};
  int count = 0;
  for (const CakeTarget *other = cake_targets; other->name; ++other)
    if (cake_target_has(other, need) && cake_nvptx_ptx_version(other))
      cake_buf_printf(&have, "%s%s", count++ ? ", " : "", other->name);
  cake_error(op, CAKE_CODE_FORM_TARGET, "needs %s, which %s lacks; %s %s it", cake_feature_name(need), target->name,
             have.data ? have.data : "no target", count > 1 ? "have" : "has");
  cake_buf_fini(&have);
  return false;
}

bool cake_nvptx_check(CakeOp *module, const CakeTarget *target) {
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false)) {
    if (!op->info->def || op->info->dialect != &cake_dialect_gpu) continue;
    CakeFeature need = needs[op->info->def->ordinal];
    if (!cake_target_has(target, need)) return refuse(op, target, need);
  }
  return true;
}
