// Time of kernels by events: cold medians of interleaved variants, and the mean of a long run.
#include "targets/nvptx/runtime/gpu.h"

#include <stdlib.h>
#include <time.h>

typedef CAKE_VEC(CakeCuEvent) Events;
typedef CAKE_VEC(double) Samples;

static bool create_events(CakeGpu *gpu, size_t count, Events *events, CakeBuf *error) {
  for (size_t i = 0; i < count; i++) {
    CakeCuEvent event = NULL;
    if (!cake_cuda_check(&gpu->cuda, gpu->cuda.event_create(&event, 0), error, "cannot create an event")) return false;
    CAKE_PUSH(events, event);
  }
  return true;
}

static void destroy_events(CakeGpu *gpu, Events *events) {
  for (size_t i = 0; i < events->len && !gpu->hung; i++)
    (void)gpu->cuda.event_destroy(events->data[i]);
  CAKE_VEC_FINI(events);
}

static bool record(CakeGpu *gpu, CakeCuEvent event, CakeBuf *error) {
  return cake_cuda_check(&gpu->cuda, gpu->cuda.event_record(event, gpu->stream), error, "cannot record an event");
}

static bool elapsed(CakeGpu *gpu, CakeCuEvent start, CakeCuEvent end, double *out_ms, CakeBuf *error) {
  float ms = 0;
  if (!cake_cuda_check(&gpu->cuda, gpu->cuda.event_elapsed_time(&ms, start, end), error,
                       "cannot read the time of a launch"))
    return false;
  *out_ms = (double)ms;
  return true;
}

static void idle(unsigned ms) {
  struct timespec left = {(time_t)(ms / 1000), (long)(ms % 1000) * 1000000L};
  while (nanosleep(&left, &left) != 0)
    continue; // a signal woke us early
}

// One round of one variant: a pause, then launches between pairs of events, and their times at the end of `samples`.
static bool measure_round(CakeGpu *gpu, const CakeGpuVariant *variant, const CakeGpuTimeOptions *options,
                          const CakeGpuBuffer *flush, const Events *events, Samples *samples, CakeBuf *error) {
  idle(options->idle_ms);
  for (unsigned i = 0; i < options->launches; i++) {
    if (flush->bytes && !cake_gpu_buffer_poison(gpu, flush, error)) return false;
    if (!record(gpu, events->data[2 * i], error) || !cake_gpu_launch(gpu, variant->kernel, variant->launch, error) ||
        !record(gpu, events->data[2 * i + 1], error))
      return false;
  }
  if (!cake_gpu_wait(gpu, options->timeout_s, error)) return false;
  for (unsigned i = 0; i < options->launches; i++) {
    double ms = 0;
    if (!elapsed(gpu, events->data[2 * i], events->data[2 * i + 1], &ms, error)) return false;
    CAKE_PUSH(samples, ms);
  }
  return true;
}

static int compare_doubles(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static CakeGpuTime summarize(Samples *samples) {
  size_t n = samples->len;
  qsort(samples->data, n, sizeof *samples->data, compare_doubles);
  double median = (samples->data[(n - 1) / 2] + samples->data[n / 2]) / 2;
  return (CakeGpuTime){median, samples->data[0], samples->data[n - 1], (unsigned)n};
}

static bool measure_all(CakeGpu *gpu, const CakeGpuVariant *variants, size_t count, const CakeGpuTimeOptions *options,
                        const CakeGpuBuffer *flush, const Events *events, Samples *samples, CakeBuf *error) {
  for (size_t v = 0; v < count; v++) // the first launch loads code and is not counted
    if (!cake_gpu_launch(gpu, variants[v].kernel, variants[v].launch, error) ||
        !cake_gpu_wait(gpu, options->timeout_s, error))
      return false;
  for (unsigned round = 0; round < options->rounds; round++)
    for (size_t v = 0; v < count; v++)
      if (!measure_round(gpu, &variants[v], options, flush, events, &samples[v], error)) return false;
  return true;
}

CakeGpuTimeOptions cake_gpu_time_cold(const CakeGpu *gpu) {
  return (CakeGpuTimeOptions){
      .rounds = 6, .launches = 8, .idle_ms = 60, .flush_bytes = 4 * gpu->l2_bytes, .timeout_s = 30};
}

bool cake_gpu_time(CakeGpu *gpu, const CakeGpuVariant *variants, size_t count, const CakeGpuTimeOptions *options,
                   CakeGpuTime *out, CakeBuf *error) {
  if (count == 0 || options->rounds == 0 || options->launches == 0) {
    cake_buf_text(error, "nothing to measure: no variant, no round or no launch");
    return false;
  }
  Events events = {0};
  CakeGpuBuffer flush = {0};
  CAKE_VEC(Samples) samples = {0};
  for (size_t v = 0; v < count; v++)
    CAKE_PUSH(&samples, (Samples){0});
  bool fine = create_events(gpu, 2 * (size_t)options->launches, &events, error) &&
              (options->flush_bytes == 0 || cake_gpu_buffer_create(gpu, options->flush_bytes, &flush, error)) &&
              measure_all(gpu, variants, count, options, &flush, &events, samples.data, error);
  for (size_t v = 0; v < count; v++) {
    if (fine) out[v] = summarize(&samples.data[v]);
    CAKE_VEC_FINI(&samples.data[v]);
  }
  CAKE_VEC_FINI(&samples);
  cake_gpu_buffer_destroy(gpu, &flush);
  destroy_events(gpu, &events);
  return fine;
}

static bool launch_many(CakeGpu *gpu, const CakeGpuVariant *variant, unsigned count, CakeBuf *error) {
  for (unsigned i = 0; i < count; i++)
    if (!cake_gpu_launch(gpu, variant->kernel, variant->launch, error)) return false;
  return true;
}

bool cake_gpu_time_sustained(CakeGpu *gpu, const CakeGpuVariant *variant, unsigned warmup, unsigned launches,
                             double timeout_s, double *out_ms, CakeBuf *error) {
  if (launches == 0) {
    cake_buf_text(error, "nothing to measure: no launch");
    return false;
  }
  Events events = {0};
  bool fine = create_events(gpu, 2, &events, error) && launch_many(gpu, variant, warmup, error) &&
              record(gpu, events.data[0], error) && launch_many(gpu, variant, launches, error) &&
              record(gpu, events.data[1], error) && cake_gpu_wait(gpu, timeout_s, error) &&
              elapsed(gpu, events.data[0], events.data[1], out_ms, error);
  if (fine) *out_ms /= launches;
  destroy_events(gpu, &events);
  return fine;
}
