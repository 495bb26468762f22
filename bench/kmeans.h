// What the k-means programs share: one assign step, its kernels on the simulator and on a GPU, and the brute force in
// double precision that their labels are compared with.
//
// A header of static functions, because every .c file of this folder is a program.
#ifndef CAKE_BENCH_KMEANS_H
#define CAKE_BENCH_KMEANS_H

#include <math.h>
#include <string.h>

#include "cake/float.h"
#include "tools/run.h"

// Which of k centroids is nearest, for each of n points of d dimensions, in b batches.
typedef struct Problem {
  int64_t b, n, k, d;
  uint16_t *x, *c;           // [b][n][d] and [b][k][d], bf16
  double *x64, *c64;         // the same
  float *c2;                 // [b][k]: squared norms of c
  double *norms, *c2_errors; // [b][k]: the same in double precision, and what rounding changed
} Problem;

static void problem_init(Problem *problem, CakeArena *arena, int64_t b, int64_t n, int64_t k, int64_t d) {
  *problem = (Problem){.b = b, .n = n, .k = k, .d = d};
  problem->x = CAKE_ARENA_ARRAY(arena, uint16_t, b * n * d);
  problem->c = CAKE_ARENA_ARRAY(arena, uint16_t, b * k * d);
  problem->x64 = CAKE_ARENA_ARRAY(arena, double, b * n * d);
  problem->c64 = CAKE_ARENA_ARRAY(arena, double, b * k * d);
  problem->c2 = CAKE_ARENA_ARRAY(arena, float, b *k);
  problem->norms = CAKE_ARENA_ARRAY(arena, double, b *k);
  problem->c2_errors = CAKE_ARENA_ARRAY(arena, double, b *k);
}

static void problem_set_x(Problem *problem, int64_t i, float value) {
  problem->x[i] = cake_bf16_from_f32(value);
  problem->x64[i] = (double)cake_bf16_to_f32(problem->x[i]);
}

static void problem_set_c(Problem *problem, int64_t i, float value) {
  problem->c[i] = cake_bf16_from_f32(value);
  problem->c64[i] = (double)cake_bf16_to_f32(problem->c[i]);
}

// Squared norms of the centroids as they are now.
static void problem_set_norms(Problem *problem) {
  for (int64_t k = 0; k < problem->b * problem->k; k++) {
    const double *c = problem->c64 + k * problem->d;
    double norm = 0;
    for (int64_t i = 0; i < problem->d; i++)
      norm += c[i] * c[i];
    problem->norms[k] = norm;
    problem->c2[k] = (float)norm;
    problem->c2_errors[k] = fabs((double)problem->c2[k] - norm);
  }
}

// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators").
static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

static double next_fraction(uint64_t *state) {
  return (double)(next_random(state) >> 11) * 0x1p-53;
}

// ---- The brute force -------------------------------------------------------------------------------------------------

// The unit roundoff of float, and of a tensor core's sums, which may cut off instead of rounding.
#define SIMULATOR_ROUNDOFF 0x1p-24
#define GPU_ROUNDOFF 0x1p-23

// Four chains, so that the additions of a product do not wait for one another.
static double dot_product(const double *a, const double *b, int64_t d) {
  double sum[4] = {0, 0, 0, 0};
  int64_t i = 0;
  for (; i + 4 <= d; i += 4)
    for (int64_t j = 0; j < 4; j++)
      sum[j] += a[i + j] * b[i + j];
  for (; i < d; i++)
    sum[0] += a[i] * b[i];
  return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// The exponent of a number's lowest bit; large for 0.
static int lowest_bit(double x) {
  int exponent;
  if (x == 0) return 2000;
  int64_t digits = (int64_t)ldexp(frexp(fabs(x), &exponent), 53);
  for (exponent -= 53; (digits & 1) == 0; digits >>= 1)
    exponent++;
  return exponent;
}

// The most by which float arithmetic may miss a sum of d products in any order: d·u·Σ|xᵢcᵢ|/(1 - d·u), or nothing when every
// partial sum fits into a float.
static double sum_error(const double *x, const double *c, int64_t d, double u) {
  double size = 0;
  int low = 2000;
  for (int64_t i = 0; i < d; i++) {
    double product = x[i] * c[i]; // exact: 8 bits by 8 bits
    int bit = lowest_bit(product);
    size += fabs(product);
    if (bit < low) low = bit;
  }
  return size < ldexp(1.0, low + 24) ? 0 : (double)d * u / (1 - (double)d * u) * size;
}

// The most by which a float score |c|² - 2 x·c may differ from `value`, given the error of x·c: twice that, the rounding of
// |c|², and the rounding of the result.
static double score_error(double value, double sum, double c2_error, double u) {
  if (sum == 0 && c2_error == 0 && (double)(float)value == value) return 0;
  return 2 * sum + c2_error + u * (fabs(value) + 2 * sum + c2_error);
}

// The two best scores of different centroids: one with the same numbers as the best has the same score in any arithmetic,
// so that the smaller index wins for certain. -1: none.
typedef struct Nearest {
  int64_t index, second_index;
  double best, second;
} Nearest;

static bool is_copy(const Problem *problem, int64_t batch, int64_t a, int64_t b) {
  const uint16_t *c = problem->c + batch * problem->k * problem->d;
  return memcmp(c + a * problem->d, c + b * problem->d, (size_t)problem->d * sizeof *c) == 0;
}

static Nearest find_nearest(const Problem *problem, int64_t batch, const double *x) {
  Nearest nearest = {-1, -1, INFINITY, INFINITY};
  for (int64_t k = 0; k < problem->k; k++) {
    int64_t at = batch * problem->k + k;
    double value = problem->norms[at] - 2 * dot_product(x, problem->c64 + at * problem->d, problem->d);
    if (value < nearest.best) {
      nearest = (Nearest){k, nearest.index, value, nearest.best};
    } else if (value < nearest.second && !(value == nearest.best && is_copy(problem, batch, k, nearest.index))) {
      nearest.second = value;
      nearest.second_index = k;
    }
  }
  return nearest;
}

static double error_of(const Problem *problem, int64_t batch, const double *x, int64_t k, double value, double u) {
  int64_t at = batch * problem->k + k;
  return score_error(value, sum_error(x, problem->c64 + at * problem->d, problem->d, u), problem->c2_errors[at], u);
}

// Compares row `row` of all batches with the nearest centroid; ties go to the smallest index. A row whose two best scores
// differ by less than their errors is exempt from naming the same one, but not from naming one within these errors.
static bool check_row(const Problem *problem, int64_t row, int32_t label, double u, int64_t *exempt) {
  int64_t batch = row / problem->n;
  const double *x = problem->x64 + row * problem->d;
  Nearest nearest = find_nearest(problem, batch, x);
  bool is_exempt = false;
  double best_error = error_of(problem, batch, x, nearest.index, nearest.best, u);
  if (nearest.second_index >= 0) {
    double second_error = error_of(problem, batch, x, nearest.second_index, nearest.second, u);
    is_exempt = nearest.second - nearest.best < best_error + second_error;
  }
  *exempt += is_exempt;
  if (label == nearest.index) return true;
  if (!is_exempt || label < 0 || label >= problem->k) return false;
  int64_t at = batch * problem->k + label;
  double own = problem->norms[at] - 2 * dot_product(x, problem->c64 + at * problem->d, problem->d);
  return own - nearest.best < error_of(problem, batch, x, label, own, u) + best_error;
}

// ---- Kernels ---------------------------------------------------------------------------------------------------------

typedef struct Source {
  const char *file, *kernel, *title; // title: what a run calls it
  int first_sm, last_sm;             // GPUs that it runs on
  int64_t rows;                      // points of an item
} Source;

static const Source sources[] = {
    {"kmeans_assign_naive.cake", "kmeans_assign_naive", "naive kernel",             80, 1000, 64 },
    {"kmeans_assign_sm80.cake",  "kmeans_assign",       "cp.async/mma.sync kernel", 80, 1000, 128},
    {"kmeans_assign.cake",       "kmeans_assign",       "TMA/wgmma kernel",         90, 90,   256},
};

// One kernel on one device, with its arguments.
typedef struct Variant {
  const Source *source;
  CakeGpu *gpu; // NULL: the simulator
  CakeTool tool;
  CakeOp *op; // of the simulator
  CakeFacts facts;
  CakeRunGpu loaded;
  CakeRunArgs args;
  size_t x, c, c2, label; // places of the arguments
  bool has_facts, has_loaded, has_args;
} Variant;

static const char *variant_device(const Variant *variant) {
  return variant->gpu ? "on the GPU" : "simulated";
}

static double variant_roundoff(const Variant *variant) {
  return variant->gpu ? GPU_ROUNDOFF : SIMULATOR_ROUNDOFF;
}

// Says what is in `error`, unless it was reported before. Always false.
static bool variant_fail(const Variant *variant, CakeBuf *error) {
  if (error->len) (void)cake_tool_fail(&variant->tool, "%s", error->data);
  cake_buf_fini(error);
  return false;
}

static bool variant_load_gpu(Variant *variant, CakeStr params) {
  CakeBuf ptx = {0}, error = {0};
  CakeStr target = cake_kernel_target_for(variant->op, variant->gpu->sm);
  CakeOp *module = cake_tool_lower(&variant->tool, params);
  CakeOp *func = module ? cake_tool_func(&variant->tool, module) : NULL;
  variant->has_facts = func && cake_facts_of_func(func, target.ptr, &variant->facts);
  if (variant->has_facts && cake_tool_emit_ptx(&variant->tool, module, target.ptr, true, &ptx))
    variant->has_loaded =
        cake_run_gpu_load(variant->gpu, &variant->facts, cake_buf_view(&ptx), &variant->loaded, &error);
  cake_buf_fini(&ptx);
  return variant->has_loaded || variant_fail(variant, &error);
}

static bool variant_load_simulator(Variant *variant, CakeStr params) {
  if (!cake_tool_instantiate(&variant->tool, variant->op, params)) return false;
  variant->has_facts = cake_facts_of_kernel(variant->op, &variant->facts);
  return variant->has_facts;
}

static bool variant_find_args(Variant *variant) {
  CakeBuf error = {0};
  if (!cake_run_args_init(&variant->args, &variant->facts, &error)) return variant_fail(variant, &error);
  variant->has_args = true;
  variant->x = cake_facts_find(&variant->facts, CAKE_STR("x"));
  variant->c = cake_facts_find(&variant->facts, CAKE_STR("c"));
  variant->c2 = cake_facts_find(&variant->facts, CAKE_STR("c2"));
  variant->label = cake_facts_find(&variant->facts, CAKE_STR("label"));
  if (variant->x == SIZE_MAX || variant->c == SIZE_MAX || variant->c2 == SIZE_MAX || variant->label == SIZE_MAX)
    return cake_tool_fail(&variant->tool, "%s: the arguments are not x, c, c2 and label", variant->source->file);
  variant->args.arrays.data[variant->label].is_output = true;
  return true;
}

// Needs `variant_close` whatever comes back. `program` is named in messages; `gpu`: NULL for the simulator.
static bool variant_open(Variant *variant, const char *program, const char *folder, const Source *source, CakeGpu *gpu,
                         int64_t d) {
  CakeBuf path = {0}, params = {0};
  *variant = (Variant){.source = source, .gpu = gpu};
  cake_tool_open(&variant->tool, program);
  cake_buf_printf(&path, "%s/%s", folder, source->file);
  cake_buf_printf(&params, "D=%lld", (long long)d);
  CakeId file = cake_id(variant->tool.context, cake_buf_view(&path));
  bool is_fine = cake_tool_load(&variant->tool, file->text);
  variant->op = is_fine ? cake_tool_kernel(&variant->tool, source->kernel) : NULL;
  is_fine = variant->op && (gpu ? variant_load_gpu(variant, cake_buf_view(&params))
                                : variant_load_simulator(variant, cake_buf_view(&params)));
  cake_buf_fini(&path);
  cake_buf_fini(&params);
  return is_fine && variant_find_args(variant);
}

static void variant_close(Variant *variant) {
  if (variant->has_args && variant->gpu) cake_run_gpu_release(variant->gpu, &variant->args);
  if (variant->has_loaded) cake_run_gpu_unload(&variant->loaded);
  if (variant->has_args) cake_run_args_fini(&variant->args);
  if (variant->has_facts) cake_facts_fini(&variant->facts);
  cake_tool_close(&variant->tool);
}

static bool variant_set_x(Variant *variant, const Problem *problem) {
  CakeBuf error = {0};
  int64_t dims[] = {problem->b, problem->n, problem->d};
  return cake_run_set_bits(&variant->args, variant->x, problem->x, dims, 3, &error) || variant_fail(variant, &error);
}

static bool variant_set_c(Variant *variant, const Problem *problem) {
  CakeBuf error = {0};
  int64_t dims[] = {problem->b, problem->k, problem->d};
  if (cake_run_set_bits(&variant->args, variant->c, problem->c, dims, 3, &error) &&
      cake_run_set_bits(&variant->args, variant->c2, problem->c2, dims, 2, &error) &&
      cake_run_bind(&variant->args, &error))
    return true;
  return variant_fail(variant, &error);
}

static int32_t *variant_labels(const Variant *variant) {
  return variant->args.arrays.data[variant->label].data;
}

// Runs it. `options` and `report` are of the simulator, `times` of a GPU; all may be NULL.
static bool variant_run(Variant *variant, double timeout_s, const CakeSimOptions *options, CakeSimReport *report,
                        CakeRunTimes *times) {
  CakeBuf error = {0};
  if (!variant->gpu) return cake_run_cpu(variant->op, &variant->args, options, report);
  return cake_run_gpu_launch(&variant->loaded, &variant->args, timeout_s, times, &error) ||
         variant_fail(variant, &error);
}

// Opens the first GPU. False: `error` says why there is none that this program could use.
static bool open_gpu(CakeGpu *gpu, CakeBuf *error) {
#if CAKE_HAVE_NVPTX
  return cake_gpu_open(gpu, 0, error);
#else
  (void)gpu;
  cake_buf_text(error, "this program was built without LLVM 22");
  return false;
#endif
}

#endif
