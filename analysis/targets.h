// What the targets of NVIDIA GPUs have: limits of a CTA and of a multiprocessor, and which instructions exist.
#ifndef CAKE_ANALYSIS_TARGETS_H
#define CAKE_ANALYSIS_TARGETS_H

#include "cake/base.h"

CAKE_BEGIN_C

// Instructions that not every target has.
typedef enum CakeFeature {
  CAKE_FEATURE_CP_ASYNC,   // cp.async, mma.sync m16n8k16, ldmatrix, mbarrier
  CAKE_FEATURE_BULK,       // cp.async.bulk, tensor copies, elect
  CAKE_FEATURE_WGMMA,      // wgmma.mma_async
  CAKE_FEATURE_SETMAXNREG, // setmaxnreg
  CAKE_FEATURE_TCGEN05,    // tcgen05 and tensor memory
  CAKE_FEATURE_CLUSTER,    // clusters, mapa
  CAKE_FEATURE_MULTICAST,  // copies to several CTAs of a cluster: slow elsewhere, as ptxas warns
  CAKE_FEATURE_COUNT,
} CakeFeature;

typedef struct CakeTarget {
  const char *name;         // "sm_90a"
  unsigned features;        // bit by CakeFeature
  int shared_bytes_per_cta; // most dynamic shared memory of a CTA, after opting in
  int shared_bytes_per_sm;
  int threads_per_cta, threads_per_sm, ctas_per_sm;
  int registers_per_sm, registers_per_thread;
} CakeTarget;

// All targets that Cake knows, by name; `name` is NULL behind the last.
extern const CakeTarget cake_targets[];

// NULL: not known.
const CakeTarget *cake_target_find(CakeStr name);
static inline bool cake_target_has(const CakeTarget *target, CakeFeature feature) {
  return (target->features >> feature & 1U) != 0;
}
// What messages call a feature: "wgmma".
const char *cake_feature_name(CakeFeature feature);

CAKE_END_C
#endif
