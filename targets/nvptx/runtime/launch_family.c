// Families: several compiled variants of one kernel or of several that compute the same, chosen by sizes and device.
#include "targets/nvptx/runtime/launch.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static pthread_mutex_t cake_family_lock = PTHREAD_MUTEX_INITIALIZER; // of every family's kernels

// Whether the variant is for these sizes of the family.
static bool cake_family_matches(const CakeVariant *variant, const int64_t *sizes) {
  for (uint32_t i = 0; i < variant->n_needs; i++)
    if (sizes[variant->needs[i].size] != variant->needs[i].value) return false;
  return true;
}

static bool cake_family_same_needs(const CakeVariant *a, const CakeVariant *b) {
  if (a->n_needs != b->n_needs) return false;
  for (uint32_t i = 0; i < a->n_needs; i++)
    if (a->needs[i].size != b->needs[i].size || a->needs[i].value != b->needs[i].value) return false;
  return true;
}

// "D = 64; D = 128": what the variants are for, each once.
static void cake_family_known(const CakeFamily *family, char *out, size_t bytes) {
  size_t at = 0;
  for (uint32_t i = 0; i < family->n_variants; i++) {
    const CakeVariant *variant = &family->variants[i];
    uint32_t same = 0;
    while (!cake_family_same_needs(&family->variants[same], variant))
      same++;
    for (uint32_t j = 0; same == i && j < variant->n_needs && at < bytes; j++)
      at += (size_t)snprintf(out + at, bytes - at, "%s%s = %" PRId64,
                             j   ? ", "
                             : i ? "; "
                                 : "",
                             family->signature->sizes[variant->needs[j].size], variant->needs[j].value);
  }
}

// "kernel 'k' was not compiled for D = 96; it was for D = 64; D = 128"
static bool cake_family_refuse(const CakeFamily *family, const int64_t *sizes, CakeRuntimeError *error) {
  char found[128] = "", known[256] = "";
  size_t at = 0;
  cake_family_known(family, known, sizeof known);
  for (uint32_t j = 0; family->n_variants && j < family->variants[0].n_needs && at < sizeof found; j++) {
    uint32_t size = family->variants[0].needs[j].size;
    at += (size_t)snprintf(found + at, sizeof found - at, "%s%s = %" PRId64, j ? ", " : "",
                           family->signature->sizes[size], sizes[size]);
  }
  return cake_launch_refuse(error, "kernel '%s' was not compiled for %s; it was for %s", family->signature->kernel,
                            found, known);
}

// The variant's kernel, made when this is its first use.
static CakeKernel *cake_family_kernel(const CakeFamily *family, uint32_t variant, CakeRuntimeError *error) {
  const CakeVariant *row = &family->variants[variant];
  pthread_mutex_lock(&cake_family_lock);
  bool is_fine = family->kernels[variant] ||
                 cake_kernel_create(row->manifest, row->images, row->n_images, &family->kernels[variant], error);
  CakeKernel *kernel = is_fine ? family->kernels[variant] : NULL;
  pthread_mutex_unlock(&cake_family_lock);
  return kernel;
}

// The variant's own call: the family's arguments with the sizes that the variant still has.
static CakeCall cake_family_call(const CakeVariant *variant, const CakeCall *call, const int64_t *sizes, int64_t *own) {
  for (uint32_t i = 0; i < variant->manifest->n_sizes; i++)
    own[i] = sizes[variant->sizes[i]];
  return (CakeCall){.args = call->args, .sizes = own, .stream = call->stream};
}

// How far a variant that was refused had come. Of the refusals, the first of those that came furthest is told: that addresses are not aligned
// for one kernel says more than that the guard of another does not hold.
typedef enum CakeFamilyStage {
  CAKE_FAMILY_NONE,
  CAKE_FAMILY_GUARD,
  CAKE_FAMILY_CALL,
  CAKE_FAMILY_DEVICE
} CakeFamilyStage;

static CakeFamilyStage cake_family_stage(const CakeFamily *family, const CakeVariant *variant, const CakeCall *call,
                                         int sm, CakeRuntimeError *error) {
  CakeLaunchShape shape;
  if (!cake_launch_bind(variant->manifest, call, &shape, error)) return CAKE_FAMILY_GUARD;
  if (!cake_launch_check(variant->manifest, call, &shape, error)) return CAKE_FAMILY_CALL;
  (void)cake_launch_refuse(error, "kernel '%s' was compiled for %s, which does not run on this device (sm_%d)",
                           family->signature->kernel, variant->manifest->target, sm);
  return CAKE_FAMILY_DEVICE;
}

// Why no variant takes the call. Always false.
static bool cake_family_explain(const CakeFamily *family, const CakeCall *call, const int64_t *sizes, int sm,
                                CakeRuntimeError *error) {
  CakeFamilyStage furthest = CAKE_FAMILY_NONE;
  CakeRuntimeError reason;
  for (uint32_t i = 0; i < family->n_variants; i++) {
    const CakeVariant *variant = &family->variants[i];
    int64_t own[CAKE_MANIFEST_MAX_PARAMS];
    if (!cake_family_matches(variant, sizes)) continue;
    CakeCall own_call = cake_family_call(variant, call, sizes, own);
    CakeFamilyStage stage = cake_family_stage(family, variant, &own_call, sm, &reason);
    if (stage > furthest && error) *error = reason;
    if (stage > furthest) furthest = stage;
  }
  return furthest != CAKE_FAMILY_NONE ? false : cake_family_refuse(family, sizes, error);
}

bool cake_family_launch(const CakeFamily *family, const CakeCall *call, CakeRuntimeError *error) {
  CakeLaunchShape shape, own_shape;
  int sm = 0;
  if (!cake_launch_bind(family->signature, call, &shape, error)) return false;
  for (uint32_t i = 0; i < family->n_variants; i++) {
    const CakeVariant *variant = &family->variants[i];
    int64_t own[CAKE_MANIFEST_MAX_PARAMS];
    if (!cake_family_matches(variant, shape.sizes)) continue;
    CakeCall own_call = cake_family_call(variant, call, shape.sizes, own);
    if (!cake_launch_check(variant->manifest, &own_call, &own_shape, NULL)) continue; // words cost time
    if (own_shape.items == 0) return true;
    if (sm == 0 && !cake_device_capability(&sm, error)) return false;
    if (!cake_target_runs(variant->manifest->target, sm)) continue;
    CakeKernel *kernel = cake_family_kernel(family, i, error);
    return kernel && cake_kernel_launch(kernel, &own_call, error);
  }
  return cake_family_explain(family, call, shape.sizes, sm, error);
}

bool cake_family_load(const CakeFamily *family, CakeRuntimeError *error) {
  int sm = 0;
  bool is_any = false;
  if (!cake_device_capability(&sm, error)) return false;
  for (uint32_t i = 0; i < family->n_variants; i++) {
    if (!cake_target_runs(family->variants[i].manifest->target, sm)) continue;
    CakeKernel *kernel = cake_family_kernel(family, i, error);
    if (!kernel || !cake_kernel_load(kernel, error)) return false;
    is_any = true;
  }
  return is_any || cake_launch_refuse(error, "kernel '%s' was compiled for no target that runs on this device (sm_%d)",
                                      family->signature->kernel, sm);
}

void cake_family_unload(const CakeFamily *family) {
  pthread_mutex_lock(&cake_family_lock);
  for (uint32_t i = 0; i < family->n_variants; i++) {
    cake_kernel_destroy(family->kernels[i]);
    family->kernels[i] = NULL;
  }
  pthread_mutex_unlock(&cake_family_lock);
}
