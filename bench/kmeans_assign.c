// One assign step of a stated size on random numbers: the labels of every kernel that runs here are compared with a brute
// force in double precision; on a GPU also with the simulator on a sample of the grid's CTAs, and the launch is timed.
//
// Without a GPU the simulator's sample alone is compared. A CTA that the simulator runs holds the rows that it wrote.
#include <stdio.h>

#include "bench/kmeans.h"

#define TIMEOUT_S 60

typedef struct Options {
  const char *kernels, *only; // only: a part of the title; NULL: all
  int64_t b, n, k, d, seed, ctas;
  bool no_time, help;
} Options;

typedef struct Job {
  CakeTool tool; // for messages
  Options options;
  CakeArena *arena;
  Problem problem;
  CakeGpu gpu;
  bool has_gpu;
} Job;

static const char help_text[] =
    "Usage: cake-bench-kmeans-assign [OPTION…]\n"
    "  --size B=4,N=65536,K=1024,D=128   (the default; D is 64 or 128)\n"
    "  --seed N            of the random numbers (default 1)\n"
    "  --ctas N            how many CTAs of the grid the simulator runs, spread evenly (default 8)\n"
    "  --only TEXT         only kernels whose title has this text: naive, cp.async, TMA\n"
    "  --no-time           do not time the kernels\n"
    "  --kernels FOLDER    (default bench/kernels)\n";

// ---- Options ---------------------------------------------------------------------------------------------------------

static bool parse_number(const Job *job, CakeStr name, CakeStr text, int64_t low, int64_t high, int64_t *out) {
  if (cake_tool_int(text, out) && *out >= low && *out <= high) return true;
  return cake_tool_fail(&job->tool, "%.*s is a number from %lld to %lld, found '%.*s'", CAKE_STR_ARG(name),
                        (long long)low, (long long)high, CAKE_STR_ARG(text));
}

static bool parse_size(Job *job, const CakeToolPair *pair) {
  Options *options = &job->options;
  if (cake_str_is(pair->name, "B")) return parse_number(job, pair->name, pair->value, 1, 1024, &options->b);
  if (cake_str_is(pair->name, "N")) return parse_number(job, pair->name, pair->value, 1, 1 << 22, &options->n);
  if (cake_str_is(pair->name, "K")) return parse_number(job, pair->name, pair->value, 1, 1 << 20, &options->k);
  if (!cake_str_is(pair->name, "D"))
    return cake_tool_fail(&job->tool, "--size has B, N, K and D, not '%.*s'", CAKE_STR_ARG(pair->name));
  if (!parse_number(job, pair->name, pair->value, 64, 128, &options->d)) return false;
  return options->d == 64 || options->d == 128 || cake_tool_fail(&job->tool, "D is 64 or 128");
}

static bool parse_sizes(Job *job, const char *text) {
  CakeToolPairs pairs = {0};
  bool is_fine = cake_tool_pairs(&job->tool, "--size", text, &pairs);
  for (size_t i = 0; is_fine && i < pairs.len; i++)
    is_fine = parse_size(job, &pairs.data[i]);
  CAKE_VEC_FINI(&pairs);
  return is_fine;
}

static bool parse_arg(Job *job, int argc, char **argv, int *i) {
  Options *options = &job->options;
  bool failed = false;
  const char *value;
#define OPTION(name) (value = cake_tool_option(&job->tool, name, argc, argv, i, &failed))
  if (OPTION("--size")) return !failed && parse_sizes(job, value);
  if (OPTION("--kernels")) return options->kernels = value, !failed;
  if (OPTION("--only")) return options->only = value, !failed;
  if (OPTION("--seed"))
    return !failed && parse_number(job, CAKE_STR("--seed"), cake_str(value), 0, INT64_MAX, &options->seed);
  if (OPTION("--ctas"))
    return !failed && parse_number(job, CAKE_STR("--ctas"), cake_str(value), 1, 1 << 20, &options->ctas);
#undef OPTION
  if (strcmp(argv[*i], "--no-time") == 0) return options->no_time = true;
  if (strcmp(argv[*i], "--help") == 0) return options->help = true;
  return cake_tool_fail(&job->tool, "unknown argument '%s'; try --help", argv[*i]);
}

static bool parse_args(Job *job, int argc, char **argv) {
  job->options = (Options){.kernels = "bench/kernels", .b = 4, .n = 65536, .k = 1024, .d = 128, .seed = 1, .ctas = 8};
  for (int i = 1; i < argc; i++)
    if (!parse_arg(job, argc, argv, &i)) return false;
  return true;
}

// ---- Data ------------------------------------------------------------------------------------------------------------

// Standard normal, by Box and Muller's transform.
static float next_normal(uint64_t *state) {
  double radius = sqrt(-2 * log(1 - next_fraction(state)));
  return (float)(radius * cos(6.283185307179586 * next_fraction(state)));
}

// Normal numbers. The last quarter of the centroids are copies of the first, so that exact ties occur.
static void fill(Job *job) {
  const Options *options = &job->options;
  Problem *problem = &job->problem;
  uint64_t state = (uint64_t)options->seed;
  problem_init(problem, job->arena, options->b, options->n, options->k, options->d);
  for (int64_t i = 0; i < problem->b * problem->n * problem->d; i++)
    problem_set_x(problem, i, next_normal(&state));
  for (int64_t row = 0; row < problem->b * problem->k; row++) {
    int64_t k = row % problem->k, from = k >= problem->k - problem->k / 4 ? row - k + k % (problem->k / 4) : row;
    for (int64_t i = 0; i < problem->d; i++) {
      float value = from == row ? next_normal(&state) : cake_bf16_to_f32(problem->c[from * problem->d + i]);
      problem_set_c(problem, row * problem->d + i, value);
    }
  }
  problem_set_norms(problem);
}

// ---- Comparing -------------------------------------------------------------------------------------------------------

// Compares `labels`, of which those that are INT32_MIN are left out, with the brute force.
static bool check_labels(Job *job, const Variant *variant) {
  const int32_t *labels = variant_labels(variant);
  int64_t rows = 0, exempt = 0;
  for (int64_t row = 0; row < job->problem.b * job->problem.n; row++) {
    if (labels[row] == INT32_MIN) continue;
    rows++;
    if (check_row(&job->problem, row, labels[row], variant_roundoff(variant), &exempt)) continue;
    return cake_tool_fail(&job->tool, "%s, %s: row %lld got label %d, which is not its nearest centroid",
                          variant->source->title, variant_device(variant), (long long)row, (int)labels[row]);
  }
  printf("  %s: %lld labels equal the fp64 brute force (%lld rows exempt)\n", variant_device(variant), (long long)rows,
         (long long)exempt);
  fflush(stdout);
  return rows > 0 ||
         cake_tool_fail(&job->tool, "%s, %s: no label was written", variant->source->title, variant_device(variant));
}

// The rows of the sample, on a GPU and simulated: exempt rows may differ.
static bool compare_sample(Job *job, const Variant *gpu, const Variant *simulator) {
  const int32_t *a = variant_labels(gpu), *b = variant_labels(simulator);
  int64_t rows = 0, different = 0;
  for (int64_t row = 0; row < job->problem.b * job->problem.n; row++) {
    int64_t exempt = 0;
    if (b[row] == INT32_MIN) continue;
    rows++;
    if (a[row] == b[row]) continue;
    different++;
    if (!check_row(&job->problem, row, b[row], GPU_ROUNDOFF, &exempt) || exempt == 0)
      return cake_tool_fail(&job->tool, "%s: row %lld has label %d on the GPU and %d simulated", gpu->source->title,
                            (long long)row, (int)a[row], (int)b[row]);
  }
  printf("  %lld labels of the sample compared, GPU against simulator: %lld differ, all of them exempt\n",
         (long long)rows, (long long)different);
  return true;
}

// ---- Running ---------------------------------------------------------------------------------------------------------

static bool open_variant(Job *job, Variant *variant, const Source *source, CakeGpu *gpu) {
  return variant_open(variant, job->tool.name, job->options.kernels, source, gpu, job->problem.d) &&
         variant_set_x(variant, &job->problem) && variant_set_c(variant, &job->problem);
}

// Runs CTAs that are spread evenly over the grid; labels of other CTAs become INT32_MIN.
static bool simulate(Job *job, Variant *variant, int64_t grid) {
  int32_t *labels = variant_labels(variant);
  CAKE_VEC(int64_t) ctas = {0};
  CakeSimReport report = {0};
  for (int64_t i = 0; i < job->options.ctas && i < grid; i++)
    CAKE_PUSH(&ctas,
              grid <= job->options.ctas ? i : i * (grid - 1) / (job->options.ctas > 1 ? job->options.ctas - 1 : 1));
  for (int64_t row = 0; row < job->problem.b * job->problem.n; row++)
    labels[row] = INT32_MIN;
  CakeSimOptions options = {.ctas = ctas.data, .n_ctas = ctas.len, .grid = grid};
  bool is_fine = variant_run(variant, TIMEOUT_S, &options, &report, NULL);
  if (is_fine) {
    printf("  simulated CTAs");
    for (size_t i = 0; i < ctas.len; i++)
      printf("%s %lld", i ? "," : "", (long long)ctas.data[i]);
    printf(" of %lld\n", (long long)report.grid);
  }
  CAKE_VEC_FINI(&ctas);
  return is_fine && check_labels(job, variant);
}

static bool run_gpu(Job *job, Variant *variant) {
  CakeRunTimes times;
  if (!variant_run(variant, TIMEOUT_S, NULL, NULL, job->options.no_time ? NULL : &times)) return false;
  if (!job->options.no_time) {
    double operations =
        2.0 * (double)job->problem.b * (double)job->problem.n * (double)job->problem.k * (double)job->problem.d;
    printf("  on the GPU: cold median %.4f ms (%.4f to %.4f, %u launches), sustained %.4f ms; %.0f TFLOP/s cold\n",
           times.cold.median_ms, times.cold.lowest_ms, times.cold.highest_ms, times.cold.samples, times.sustained_ms,
           operations / times.cold.median_ms / 1e9);
  }
  return check_labels(job, variant);
}

static bool run_source(Job *job, const Source *source) {
  Variant simulator, gpu;
  // A CTA an item, so that one of a persistent kernel takes no other items too.
  int64_t items = job->problem.b * ((job->problem.n + source->rows - 1) / source->rows);
  bool on_gpu = job->has_gpu && job->gpu.sm >= source->first_sm && job->gpu.sm <= source->last_sm;
  printf("%s (%s)\n", source->title, source->file);
  bool is_fine = open_variant(job, &simulator, source, NULL) && simulate(job, &simulator, items);
  if (is_fine && on_gpu) {
    is_fine = open_variant(job, &gpu, source, &job->gpu) && run_gpu(job, &gpu) && compare_sample(job, &gpu, &simulator);
    variant_close(&gpu);
  }
  variant_close(&simulator);
  return is_fine;
}

static bool run(Job *job) {
  CakeBuf error = {0};
  fill(job);
  printf("Assigning %lld x %lld points of %lld dimensions to %lld centroids\n", (long long)job->problem.b,
         (long long)job->problem.n, (long long)job->problem.d, (long long)job->problem.k);
  job->has_gpu = open_gpu(&job->gpu, &error);
  if (job->has_gpu)
    printf("GPU: %s (sm_%d)\n", job->gpu.name, job->gpu.sm);
  else
    printf("GPU: none (%s); the simulator works alone\n", error.data);
  cake_buf_fini(&error);
  for (size_t i = 0; i < CAKE_COUNT(sources); i++)
    if ((!job->options.only || strstr(sources[i].title, job->options.only)) && !run_source(job, &sources[i]))
      return false;
  return true;
}

int main(int argc, char **argv) {
  static Job job;
  cake_tool_open(&job.tool, "cake-bench-kmeans-assign");
  job.arena = cake_arena_create();
  bool is_fine = parse_args(&job, argc, argv);
  if (is_fine && job.options.help)
    fputs(help_text, stdout);
  else
    is_fine = is_fine && run(&job);
  if (job.has_gpu) cake_gpu_close(&job.gpu);
  cake_arena_destroy(job.arena);
  cake_tool_close(&job.tool);
  return is_fine ? 0 : 1;
}
