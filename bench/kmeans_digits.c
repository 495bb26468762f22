// Clusters handwritten digits: Lloyd's iterations whose assign step runs in Cake's kernels, on the simulator and, where
// there is one, on a GPU. Every label is compared with a brute force in double precision.
//
// The centroids that a kernel is given are rounded to bf16; the means behind them are kept in double precision.
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cake/float.h"
#include "dialects/cake/cake.h"
#include "tools/picture.h"
#include "tools/run.h"

#define MAX_ITERATIONS 300
#define TIMEOUT_S 60
#define MAX_POINTS 1000000

typedef struct Options {
  const char *data, *labels, *kernels, *out;
  int64_t points, clusters, seed;
  bool help;
} Options;

// One kernel on one device.
typedef struct Variant {
  const char *file, *kernel, *title; // title: what the run calls it
  bool on_gpu;
  CakeTool tool;
  CakeOp *op; // of the simulator
  CakeFacts facts;
  CakeRunGpu loaded;
  CakeRunArgs args;
  bool has_tool, has_facts, has_loaded, has_args;
} Variant;

enum { MAX_VARIANTS = 6 };

typedef struct Job {
  CakeTool tool; // for messages
  Options options;
  int64_t n, k, d;
  CakeNpy digits;   // as the file has them
  CakeNpy truth;    // the digit that each image shows; rank 0: not known
  uint16_t *points; // n × d, bf16
  double *exact;    // the same as doubles
  uint16_t *c;      // k × d, bf16
  double *rounded;  // the same as doubles
  float *c2;        // k
  double *means;    // k × d, of the last update
  int32_t *labels, *previous;
  CakeArena *arena; // of all these
  CakeGpu gpu;
  bool has_gpu, is_terminal;
  Variant variants[MAX_VARIANTS];
  size_t n_variants;
  int64_t iterations, exempt;
} Job;

// ---- Options ---------------------------------------------------------------------------------------------------------

static const char help_text[] =
    "Usage: cake-bench-kmeans-digits [OPTION…]\n"
    "  --data FILE.npy     points, N x D float32, D = 64 or 128 (default bench/data/digits.npy)\n"
    "  --labels FILE.npy   what they show, N int32; none: purity is left out (default bench/data/digit_labels.npy)\n"
    "  --kernels FOLDER    (default bench/kernels)\n"
    "  --points N          the first N points (default 1024; 0: all)\n"
    "  --k K               clusters (default 16)\n"
    "  --seed N            of the first centroids (default 1)\n"
    "  --out FILE.svg      a picture of the centroids (default kmeans_digits.svg)\n";

static bool parse_number(const Job *job, const char *name, const char *text, int64_t low, int64_t high, int64_t *out) {
  if (cake_tool_int(cake_str(text), out) && *out >= low && *out <= high) return true;
  return cake_tool_fail(&job->tool, "%s takes a number from %lld to %lld, found '%s'", name, (long long)low,
                        (long long)high, text);
}

static bool parse_arg(Job *job, int argc, char **argv, int *i) {
  Options *options = &job->options;
  bool failed = false;
  const char *value;
#define OPTION(name) (value = cake_tool_option(&job->tool, name, argc, argv, i, &failed))
  if (OPTION("--data")) return options->data = value, !failed;
  if (OPTION("--labels")) return options->labels = value, !failed;
  if (OPTION("--kernels")) return options->kernels = value, !failed;
  if (OPTION("--out")) return options->out = value, !failed;
  if (OPTION("--points")) return !failed && parse_number(job, "--points", value, 0, MAX_POINTS, &options->points);
  if (OPTION("--k")) return !failed && parse_number(job, "--k", value, 1, 4096, &options->clusters);
  if (OPTION("--seed")) return !failed && parse_number(job, "--seed", value, 0, INT64_MAX, &options->seed);
#undef OPTION
  if (strcmp(argv[*i], "--help") == 0) return options->help = true;
  return cake_tool_fail(&job->tool, "unknown argument '%s'; try --help", argv[*i]);
}

static bool parse_args(Job *job, int argc, char **argv) {
  job->options = (Options){.data = "bench/data/digits.npy",
                           .labels = "bench/data/digit_labels.npy",
                           .kernels = "bench/kernels",
                           .out = "kmeans_digits.svg",
                           .points = 1024,
                           .clusters = 16,
                           .seed = 1};
  for (int i = 1; i < argc; i++)
    if (!parse_arg(job, argc, argv, &i)) return false;
  return true;
}

// ---- Data ------------------------------------------------------------------------------------------------------------

static bool fail(Job *job, CakeBuf *error) {
  if (error->len) (void)cake_tool_fail(&job->tool, "%s", error->data);
  cake_buf_fini(error);
  return false;
}

static bool read_data(Job *job) {
  CakeBuf error = {0};
  const Options *options = &job->options;
  if (!cake_npy_read(options->data, &job->digits, &error)) return fail(job, &error);
  if (job->digits.type != CAKE_NPY_F4 || job->digits.rank != 2 ||
      (job->digits.shape[1] != 64 && job->digits.shape[1] != 128))
    return cake_tool_fail(&job->tool, "%s is not an array of float32 with 64 or 128 columns", options->data);
  if (strcmp(options->labels, "none") == 0) return true;
  if (!cake_npy_read(options->labels, &job->truth, &error)) return fail(job, &error);
  if (job->truth.type != CAKE_NPY_I4 || job->truth.rank != 1 || job->truth.shape[0] != job->digits.shape[0])
    return cake_tool_fail(&job->tool, "%s does not have one int32 for each row of %s; --labels none leaves it out",
                          options->labels, options->data);
  for (size_t i = 0; i < job->truth.count; i++)
    if (((const int32_t *)job->truth.data)[i] < 0 || ((const int32_t *)job->truth.data)[i] > 9)
      return cake_tool_fail(&job->tool, "%s: element %zu is no digit", options->labels, i);
  return true;
}

static bool prepare(Job *job) {
  if (!read_data(job)) return false;
  int64_t rows = job->digits.shape[0] <= MAX_POINTS ? (int64_t)job->digits.shape[0] : MAX_POINTS;
  job->n = job->options.points && job->options.points < rows ? job->options.points : rows;
  job->k = job->options.clusters;
  job->d = (int64_t)job->digits.shape[1];
  if (job->n < job->k)
    return cake_tool_fail(&job->tool, "%lld points cannot make %lld clusters", (long long)job->n, (long long)job->k);
  job->points = CAKE_ARENA_ARRAY(job->arena, uint16_t, job->n * job->d);
  job->exact = CAKE_ARENA_ARRAY(job->arena, double, job->n * job->d);
  job->c = CAKE_ARENA_ARRAY(job->arena, uint16_t, job->k * job->d);
  job->rounded = CAKE_ARENA_ARRAY(job->arena, double, job->k * job->d);
  job->c2 = CAKE_ARENA_ARRAY(job->arena, float, job->k);
  job->means = CAKE_ARENA_ARRAY(job->arena, double, job->k * job->d);
  job->labels = CAKE_ARENA_ARRAY(job->arena, int32_t, job->n);
  job->previous = CAKE_ARENA_ARRAY(job->arena, int32_t, job->n);
  for (int64_t i = 0; i < job->n * job->d; i++) {
    job->points[i] = cake_bf16_from_f32(((const float *)job->digits.data)[i]);
    job->exact[i] = (double)cake_bf16_to_f32(job->points[i]);
    if (!isfinite(job->exact[i]))
      return cake_tool_fail(&job->tool, "%s: row %lld has a value that is not finite", job->options.data,
                            (long long)(i / job->d));
  }
  return true;
}

static double square_distance(const double *a, const double *b, int64_t d) {
  double sum = 0;
  for (int64_t i = 0; i < d; i++)
    sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

// ---- The first centroids: k-means++ --------------------------------------------------------------------------------

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

// A point, each with a chance as its weight; the last one with a weight when rounding runs past all.
static int64_t draw(const double *weights, int64_t n, double total, double fraction) {
  double left = fraction * total;
  int64_t last = 0;
  for (int64_t i = 0; i < n; i++) {
    if (weights[i] <= 0) continue;
    last = i;
    left -= weights[i];
    if (left < 0) return i;
  }
  return last;
}

static void choose_first(Job *job) {
  uint64_t state = (uint64_t)job->options.seed;
  double *nearest = CAKE_ARENA_ARRAY(job->arena, double, job->n), total;
  int64_t chosen = (int64_t)(next_random(&state) % (uint64_t)job->n);
  for (int64_t k = 0; k < job->k; k++) {
    double *mean = job->means + k * job->d;
    memcpy(mean, job->exact + chosen * job->d, (size_t)job->d * sizeof *mean);
    total = 0;
    for (int64_t i = 0; i < job->n; i++) {
      double distance = square_distance(job->exact + i * job->d, mean, job->d);
      if (k == 0 || distance < nearest[i]) nearest[i] = distance;
      total += nearest[i];
    }
    chosen = draw(nearest, job->n, total, next_fraction(&state));
  }
}

// ---- Lloyd's update --------------------------------------------------------------------------------------------------

// What the kernels are given: the means in bf16, and the squared norms of those.
static void round_centroids(Job *job) {
  for (int64_t k = 0; k < job->k; k++) {
    double norm = 0;
    for (int64_t i = k * job->d; i < (k + 1) * job->d; i++) {
      job->c[i] = cake_bf16_from_f32((float)job->means[i]);
      job->rounded[i] = (double)cake_bf16_to_f32(job->c[i]);
      norm += job->rounded[i] * job->rounded[i];
    }
    job->c2[k] = (float)norm;
  }
}

// The mean of each cluster; an empty one keeps its centroid. Returns how many are empty.
static int64_t update(Job *job) {
  int64_t empty = 0;
  for (int64_t k = 0; k < job->k; k++) {
    double *mean = job->means + k * job->d;
    int64_t count = 0;
    for (int64_t i = 0; i < job->n; i++) {
      if (job->labels[i] != k) continue;
      if (count++ == 0) memset(mean, 0, (size_t)job->d * sizeof *mean);
      for (int64_t j = 0; j < job->d; j++)
        mean[j] += job->exact[i * job->d + j];
    }
    for (int64_t j = 0; count > 0 && j < job->d; j++)
      mean[j] /= (double)count;
    empty += count == 0;
  }
  return empty;
}

static double inertia(const Job *job, const double *centroids) {
  double sum = 0;
  for (int64_t i = 0; i < job->n; i++)
    sum += square_distance(job->exact + i * job->d, centroids + job->labels[i] * job->d, job->d);
  return sum;
}

static int64_t changes(const Job *job) {
  int64_t count = 0;
  for (int64_t i = 0; i < job->n; i++)
    count += job->labels[i] != job->previous[i];
  return count;
}

// ---- The oracle ------------------------------------------------------------------------------------------------------

// The exponent of a number's lowest bit; large for 0.
static int lowest_bit(double x) {
  int exponent;
  if (x == 0) return 2000;
  int64_t digits = (int64_t)ldexp(frexp(fabs(x), &exponent), 53);
  for (exponent -= 53; (digits & 1) == 0; digits >>= 1)
    exponent++;
  return exponent;
}

// One score |c|² - 2 x·c in double precision, and the most by which float arithmetic may miss it: the sum of d products in
// any order (error at most d·u·Σ|xᵢcᵢ|/(1 - d·u), or none when every partial sum fits into a float), the rounding of |c|²,
// and the rounding of the result. u is 2^-24, and 2^-23 for tensor cores, which may cut off instead of rounding.
typedef struct Score {
  double value, error;
} Score;

static Score score(const double *x, const double *c, int64_t d, double u) {
  double dot = 0, size = 0, norm = 0;
  int low = 2000;
  for (int64_t i = 0; i < d; i++) {
    double product = x[i] * c[i]; // exact: 8 bits by 8 bits
    int bit = lowest_bit(product);
    dot += product;
    size += fabs(product);
    norm += c[i] * c[i];
    if (bit < low) low = bit;
  }
  bool dot_is_exact = size < ldexp(1.0, low + 24);
  double value = norm - 2 * dot, sum_error = dot_is_exact ? 0 : (double)d * u / (1 - (double)d * u) * size;
  double norm_error = fabs((double)(float)norm - norm);
  bool result_is_exact = dot_is_exact && norm_error == 0 && (double)(float)value == value;
  double result_error = result_is_exact ? 0 : u * (fabs(value) + 2 * sum_error + norm_error);
  return (Score){value, 2 * sum_error + norm_error + result_error};
}

// Compares a label with the nearest centroid. A row whose two best scores differ by less than their errors is exempt from
// naming the same one, but not from naming one that is within these errors. False: a wrong label.
static bool check_row(const Job *job, int64_t i, int32_t label, double u, int64_t *exempt) {
  const double *x = job->exact + i * job->d;
  Score best = {INFINITY, 0}, second = {INFINITY, 0};
  int64_t nearest = -1;
  for (int64_t k = 0; k < job->k; k++) {
    Score s = score(x, job->rounded + k * job->d, job->d, u);
    if (s.value < best.value) {
      second = best;
      best = s;
      nearest = k;
    } else if (s.value < second.value) {
      second = s;
    }
  }
  bool is_exempt = job->k > 1 && second.value - best.value < best.error + second.error;
  *exempt += is_exempt;
  if (label == nearest) return true;
  if (!is_exempt || label < 0 || label >= job->k) return false;
  Score own = score(x, job->rounded + label * job->d, job->d, u);
  return own.value - best.value < own.error + best.error;
}

static bool check_labels(Job *job, const Variant *variant, const int32_t *labels, int64_t *exempt) {
  *exempt = 0;
  for (int64_t i = 0; i < job->n; i++) {
    if (check_row(job, i, labels[i], variant->on_gpu ? 0x1p-23 : 0x1p-24, exempt)) continue;
    return cake_tool_fail(&job->tool, "%s: iteration %lld: point %lld got label %d, which is not its nearest centroid",
                          variant->title, (long long)job->iterations, (long long)i, (int)labels[i]);
  }
  return true;
}

// ---- Variants --------------------------------------------------------------------------------------------------------

static bool open_source(Job *job, Variant *variant, CakeBuf *path) {
  cake_buf_printf(path, "%s/%s", job->options.kernels, variant->file);
  cake_tool_open(&variant->tool, job->tool.name);
  variant->has_tool = true;
  if (!cake_tool_load(&variant->tool, cake_id_text(variant->tool.context, path->data)->text)) return false;
  variant->op = cake_tool_kernel(&variant->tool, variant->kernel);
  return variant->op != NULL;
}

static bool open_on_gpu(Job *job, Variant *variant, CakeStr params) {
  CakeBuf ptx = {0}, error = {0};
  CakeStr target = cake_kernel_target_for(variant->op, job->gpu.sm);
  CakeOp *module = cake_tool_lower(&variant->tool, params),
         *func = module ? cake_tool_func(&variant->tool, module) : NULL;
  variant->has_facts = func && cake_facts_of_func(func, target.ptr, &variant->facts);
  if (variant->has_facts && cake_tool_emit_ptx(&variant->tool, module, target.ptr, true, &ptx))
    variant->has_loaded = cake_run_gpu_load(&job->gpu, &variant->facts, cake_buf_view(&ptx), &variant->loaded, &error);
  cake_buf_fini(&ptx);
  return variant->has_loaded || fail(job, &error);
}

// Sets what stays the same: the points, and that labels come back.
static bool set_points(Job *job, Variant *variant) {
  CakeBuf error = {0};
  int64_t dims[] = {1, job->n, job->d};
  if (!cake_run_args_init(&variant->args, &variant->facts, &error)) return fail(job, &error);
  variant->has_args = true;
  size_t x = cake_facts_find(&variant->facts, CAKE_STR("x")),
         label = cake_facts_find(&variant->facts, CAKE_STR("label"));
  if (x == SIZE_MAX || label == SIZE_MAX || cake_facts_find(&variant->facts, CAKE_STR("c")) == SIZE_MAX ||
      cake_facts_find(&variant->facts, CAKE_STR("c2")) == SIZE_MAX)
    return cake_tool_fail(&job->tool, "%s: the kernel's arguments are not x, c, c2 and label", variant->file);
  variant->args.arrays.data[label].is_output = true;
  return cake_run_set_bits(&variant->args, x, job->points, dims, 3, &error) || fail(job, &error);
}

static bool open_variant(Job *job, const char *file, const char *kernel, const char *title, bool on_gpu) {
  Variant *variant = &job->variants[job->n_variants];
  CakeBuf path = {0}, params = {0};
  *variant = (Variant){.file = file, .kernel = kernel, .title = title, .on_gpu = on_gpu};
  job->n_variants++;
  cake_buf_printf(&params, "D=%lld", (long long)job->d);
  bool is_fine = open_source(job, variant, &path);
  if (is_fine && on_gpu) {
    is_fine = open_on_gpu(job, variant, cake_buf_view(&params));
  } else if (is_fine) {
    is_fine = cake_tool_instantiate(&variant->tool, variant->op, cake_buf_view(&params));
    variant->has_facts = is_fine && cake_facts_of_kernel(variant->op, &variant->facts);
    is_fine = variant->has_facts;
  }
  cake_buf_fini(&path);
  cake_buf_fini(&params);
  return is_fine && set_points(job, variant);
}

static void close_variant(Job *job, Variant *variant) {
  if (variant->has_args && variant->on_gpu) cake_run_gpu_release(&job->gpu, &variant->args);
  if (variant->has_loaded) cake_run_gpu_unload(&variant->loaded);
  if (variant->has_args) cake_run_args_fini(&variant->args);
  if (variant->has_facts) cake_facts_fini(&variant->facts);
  if (variant->has_tool) cake_tool_close(&variant->tool);
}

static const struct {
  const char *file, *kernel, *simulated, *on_gpu;
  int sm; // the first GPU that it runs on; 90: that one alone
} sources[] = {
    {"kmeans_assign_naive.cake", "kmeans_assign_naive", "naive kernel, simulated",             "naive kernel, on the GPU",     80},
    {"kmeans_assign_sm80.cake",  "kmeans_assign",       "cp.async/mma.sync kernel, simulated",
     "cp.async/mma.sync kernel, on the GPU",                                                                                   80},
    {"kmeans_assign.cake",       "kmeans_assign",       "TMA/wgmma kernel, simulated",         "TMA/wgmma kernel, on the GPU", 90},
};

// The shapes of the kernels, for the first target of each.
static bool describe_sources(Job *job) {
  CakeBuf text = {0}, params = {0};
  bool is_fine = true;
  cake_buf_printf(&params, "D=%lld", (long long)job->d);
  for (size_t i = 0; is_fine && i < CAKE_COUNT(sources); i++) {
    CakeBuf path = {0};
    cake_buf_printf(&path, "%s/%s", job->options.kernels, sources[i].file);
    cake_buf_printf(&text, "%s: ", sources[i].file);
    is_fine = cake_run_describe_file(job->tool.name, path.data, sources[i].kernel, cake_buf_view(&params), NULL, &text);
    cake_buf_fini(&path);
  }
  if (is_fine) printf("%s", text.data);
  cake_buf_fini(&text);
  cake_buf_fini(&params);
  return is_fine;
}

static bool open_variants(Job *job) {
  CakeBuf error = {0};
  for (size_t i = 0; i < CAKE_COUNT(sources); i++)
    if (!open_variant(job, sources[i].file, sources[i].kernel, sources[i].simulated, false)) return false;
#if CAKE_HAVE_NVPTX
  job->has_gpu = cake_gpu_open(&job->gpu, 0, &error);
#else
  cake_buf_text(&error, "this program was built without LLVM 22");
#endif
  if (job->has_gpu)
    printf("GPU: %s (sm_%d)\n", job->gpu.name, job->gpu.sm);
  else
    printf("GPU: none (%s); the simulator works alone\n", error.data);
  cake_buf_fini(&error);
  for (size_t i = 0; job->has_gpu && i < CAKE_COUNT(sources); i++) {
    if (job->gpu.sm < sources[i].sm || (sources[i].sm == 90 && job->gpu.sm != 90)) continue;
    if (!open_variant(job, sources[i].file, sources[i].kernel, sources[i].on_gpu, true)) return false;
  }
  return true;
}

// ---- One iteration ---------------------------------------------------------------------------------------------------

typedef struct Progress {
  const Job *job;
  const Variant *variant;
} Progress;

static void show_progress(void *user, int64_t done, int64_t total) {
  const Progress *progress = user;
  if (!progress->job->is_terminal) return;
  fprintf(stderr, "\r  iteration %lld: %s, %lld of %lld CTAs \033[K", (long long)progress->job->iterations,
          progress->variant->title, (long long)done, (long long)total);
}

static void clear_progress(const Job *job) {
  if (job->is_terminal) fprintf(stderr, "\r\033[K");
}

static bool assign(Job *job, Variant *variant) {
  CakeBuf error = {0};
  CakeRunArgs *args = &variant->args;
  int64_t c_dims[] = {1, job->k, job->d}, c2_dims[] = {1, job->k};
  Progress progress = {job, variant};
  CakeSimOptions options = {.seed = (uint64_t)job->iterations, .progress = show_progress, .progress_user = &progress};
  if (!cake_run_set_bits(args, cake_facts_find(&variant->facts, CAKE_STR("c")), job->c, c_dims, 3, &error) ||
      !cake_run_set_bits(args, cake_facts_find(&variant->facts, CAKE_STR("c2")), job->c2, c2_dims, 2, &error) ||
      !cake_run_bind(args, &error))
    return fail(job, &error);
  if (variant->on_gpu) return cake_run_gpu_launch(&variant->loaded, args, TIMEOUT_S, NULL, &error) || fail(job, &error);
  return cake_run_cpu(variant->op, args, &options, NULL);
}

static const int32_t *labels_of(const Variant *variant) {
  return variant->args.arrays.data[cake_facts_find(&variant->facts, CAKE_STR("label"))].data;
}

// Runs all variants. The first one's labels count; the others must be the same, but for what a GPU's order of additions
// may change in exempt rows.
static bool assign_all(Job *job, int64_t *out_exempt) {
  *out_exempt = 0;
  for (size_t v = 0; v < job->n_variants; v++) {
    Variant *variant = &job->variants[v];
    int64_t exempt = 0, different = 0;
    bool is_fine = assign(job, variant);
    clear_progress(job);
    if (!is_fine) return false;
    const int32_t *labels = labels_of(variant);
    if (!check_labels(job, variant, labels, &exempt)) return false;
    if (v == 0) memcpy(job->labels, labels, (size_t)job->n * sizeof *labels);
    for (int64_t i = 0; i < job->n; i++)
      different += labels[i] != job->labels[i];
    if (different > (variant->on_gpu ? exempt : 0))
      return cake_tool_fail(&job->tool, "%s: iteration %lld: %lld labels differ from those of the %s", variant->title,
                            (long long)job->iterations, (long long)different, job->variants[0].title);
    if (exempt > *out_exempt) *out_exempt = exempt;
  }
  return true;
}

static bool iterate(Job *job, bool *out_settled) {
  int64_t exempt, changed;
  round_centroids(job);
  job->iterations++;
  if (!assign_all(job, &exempt)) return false;
  changed = job->iterations == 1 ? job->n : changes(job);
  printf(
      "  iteration %2lld: %4lld labels changed, inertia %.1f, labels equal the fp64 brute force (%lld rows exempt)\n",
      (long long)job->iterations, (long long)changed, inertia(job, job->rounded), (long long)exempt);
  fflush(stdout);
  job->exempt += exempt;
  *out_settled = changed == 0;
  if (*out_settled) return true;
  memcpy(job->previous, job->labels, (size_t)job->n * sizeof *job->labels);
  int64_t empty = update(job);
  if (empty) printf("                %lld empty clusters keep their centroids\n", (long long)empty);
  return true;
}

// ---- What came out ---------------------------------------------------------------------------------------------------

typedef struct Cluster {
  int64_t size, digits[10];
  int digit; // the most frequent
} Cluster;

static Cluster count_cluster(const Job *job, int64_t k) {
  Cluster cluster = {0};
  for (int64_t i = 0; i < job->n; i++) {
    if (job->labels[i] != k) continue;
    cluster.size++;
    if (job->truth.rank) cluster.digits[((const int32_t *)job->truth.data)[i]]++;
  }
  for (int digit = 1; digit < 10; digit++)
    if (cluster.digits[digit] > cluster.digits[cluster.digit]) cluster.digit = digit;
  return cluster;
}

static double purity(const Job *job) {
  int64_t right = 0;
  for (int64_t k = 0; k < job->k; k++) {
    Cluster cluster = count_cluster(job, k);
    right += cluster.digits[cluster.digit];
  }
  return (double)right / (double)job->n;
}

// Values of the picture's grey scale: of the data.
static void find_range(const Job *job, float *low, float *high) {
  *low = *high = (float)job->exact[0];
  for (int64_t i = 0; i < job->n * job->d; i++) {
    if ((float)job->exact[i] < *low) *low = (float)job->exact[i];
    if ((float)job->exact[i] > *high) *high = (float)job->exact[i];
  }
}

static CakePictureCell picture_cell(const Job *job, int64_t k) {
  Cluster cluster = count_cluster(job, k);
  float *values = CAKE_ARENA_ARRAY(job->arena, float, job->d);
  CakePictureCell cell = {.values = values};
  for (int64_t i = 0; i < job->d; i++)
    values[i] = (float)job->means[k * job->d + i];
  cell.caption = cake_arena_printf(job->arena, "cluster %lld", (long long)k).ptr;
  if (job->truth.rank && cluster.size) {
    cell.detail = cake_arena_printf(job->arena, "%lld points, %.0f %% are %d", (long long)cluster.size,
                                    100.0 * (double)cluster.digits[cluster.digit] / (double)cluster.size, cluster.digit)
                      .ptr;
  } else {
    cell.detail = cake_arena_printf(job->arena, "%lld points", (long long)cluster.size).ptr;
  }
  return cell;
}

static bool draw_picture(Job *job) {
  CakeBuf error = {0};
  CakePictureCell *cells = CAKE_ARENA_ARRAY(job->arena, CakePictureCell, job->k);
  CakePicture picture = {
      .height = 8, .width = (unsigned)job->d / 8, .columns = 8, .cells = cells, .count = (size_t)job->k};
  picture.title =
      cake_arena_printf(job->arena, "%lld centroids of %lld digits", (long long)job->k, (long long)job->n).ptr;
  picture.subtitle = cake_arena_printf(job->arena, "%lld iterations, inertia %.1f", (long long)job->iterations,
                                       inertia(job, job->means))
                         .ptr;
  find_range(job, &picture.paper, &picture.ink);
  for (int64_t k = 0; k < job->k; k++)
    cells[k] = picture_cell(job, k);
  if (!cake_picture_write(&picture, job->options.out, &error)) return fail(job, &error);
  printf("Picture of the centroids: %s\n", job->options.out);
  return true;
}

static void summarize(Job *job, bool is_settled) {
  printf("%s after %lld iterations: inertia %.1f", is_settled ? "Labels stopped changing" : "Stopped",
         (long long)job->iterations, inertia(job, job->means));
  if (job->truth.rank) printf(", purity %.4f", purity(job));
  printf("\n%zu runs of the assign step in each iteration gave equal labels:", job->n_variants);
  for (size_t v = 0; v < job->n_variants; v++)
    printf("%s %s", v ? ";" : "", job->variants[v].title);
  printf("\n");
}

static bool cluster(Job *job) {
  bool is_settled = false;
  printf("Clustering %lld points of %lld dimensions into %lld clusters\n", (long long)job->n, (long long)job->d,
         (long long)job->k);
  if (!describe_sources(job) || !open_variants(job)) return false;
  choose_first(job);
  while (!is_settled && job->iterations < MAX_ITERATIONS)
    if (!iterate(job, &is_settled)) return false;
  summarize(job, is_settled);
  return draw_picture(job);
}

int main(int argc, char **argv) {
  static Job job;
  cake_tool_open(&job.tool, "cake-bench-kmeans-digits");
  job.arena = cake_arena_create();
  job.is_terminal = isatty(STDERR_FILENO) && isatty(STDOUT_FILENO);
  bool is_fine = parse_args(&job, argc, argv);
  if (is_fine && job.options.help)
    fputs(help_text, stdout);
  else
    is_fine = is_fine && prepare(&job) && cluster(&job);
  for (size_t v = 0; v < job.n_variants; v++)
    close_variant(&job, &job.variants[v]);
  if (job.has_gpu) cake_gpu_close(&job.gpu);
  cake_npy_fini(&job.digits);
  cake_npy_fini(&job.truth);
  cake_arena_destroy(job.arena);
  cake_tool_close(&job.tool);
  return is_fine ? 0 : 1;
}
