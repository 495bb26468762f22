// The table of targets.
//
// Limits: CUDA C++ Programming Guide, "Technical Specifications per Compute Capability" (shared memory of a CTA is that
// of a multiprocessor less 1 KiB). Instructions: PTX ISA, "Target ISA Notes" of cp.async (sm_80), cp.async.bulk and
// cp.async.bulk.tensor (sm_90), clusters (sm_90), .multicast::cluster (sm_90a, sm_100a, sm_103a: elsewhere it may be much slower), wgmma.mma_async (sm_90a), tcgen05 (sm_100a, sm_103a), setmaxnreg (sm_90a, sm_100a, sm_101a, sm_120a and their
// families).
#include "analysis/targets.h"

enum {
  AMPERE = 1U << CAKE_FEATURE_CP_ASYNC,
  HOPPER = AMPERE | 1U << CAKE_FEATURE_BULK | 1U << CAKE_FEATURE_CLUSTER,
  HOPPER_A = HOPPER | 1U << CAKE_FEATURE_WGMMA | 1U << CAKE_FEATURE_SETMAXNREG | 1U << CAKE_FEATURE_MULTICAST,
  BLACKWELL_A = HOPPER | 1U << CAKE_FEATURE_SETMAXNREG,
  DATACENTER_A = BLACKWELL_A | 1U << CAKE_FEATURE_TCGEN05 | 1U << CAKE_FEATURE_MULTICAST,
};

const CakeTarget cake_targets[] = {
    //  name    features      CTA bytes  SM bytes  CTA   SM threads, CTAs  registers
    {"sm_80", AMPERE, 166912, 167936, 1024, 2048, 32, 65536, 255},
    {"sm_86", AMPERE, 101376, 102400, 1024, 1536, 16, 65536, 255},
    {"sm_87", AMPERE, 166912, 167936, 1024, 1536, 16, 65536, 255},
    {"sm_89", AMPERE, 101376, 102400, 1024, 1536, 24, 65536, 255},
    {"sm_90", HOPPER, 232448, 233472, 1024, 2048, 32, 65536, 255},
    {"sm_90a", HOPPER_A, 232448, 233472, 1024, 2048, 32, 65536, 255},
    {"sm_100", HOPPER, 232448, 233472, 1024, 2048, 32, 65536, 255},
    {"sm_100a", DATACENTER_A, 232448, 233472, 1024, 2048, 32, 65536, 255},
    {"sm_103", HOPPER, 232448, 233472, 1024, 2048, 32, 65536, 255},
    {"sm_103a", DATACENTER_A, 232448, 233472, 1024, 2048, 32, 65536, 255},
    {"sm_120", HOPPER, 101376, 102400, 1024, 1536, 24, 65536, 255},
    {"sm_120a", BLACKWELL_A, 101376, 102400, 1024, 1536, 24, 65536, 255},
    {0},
};

const CakeTarget *cake_target_find(CakeStr name) {
  for (const CakeTarget *target = cake_targets; target->name; target++)
    if (cake_str_is(name, target->name)) return target;
  return NULL;
}

const char *cake_feature_name(CakeFeature feature) {
  static const char *const names[CAKE_FEATURE_COUNT] = {"cp_async",
                                                        "tma and bulk copies",
                                                        "wgmma",
                                                        "register budgets (setmaxnreg)",
                                                        "tcgen05 and tensor memory",
                                                        "clusters",
                                                        "multicast"};
  return feature < CAKE_FEATURE_COUNT ? names[feature] : "?";
}
