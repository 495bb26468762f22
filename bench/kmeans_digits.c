// Clusters handwritten digits: Lloyd's iterations whose assign step runs in Cake's kernels, on the simulator and, where
// there is one, on a GPU. Every label is compared with a brute force in double precision.
//
// The centroids that a kernel is given are rounded to bf16; the means behind them are kept in double precision.
#include <stdio.h>
#include <unistd.h>

#include "bench/kmeans.h"
#include "tools/picture.h"

#define MAX_ITERATIONS 300
#define TIMEOUT_S 60
#define MAX_POINTS 1000000

typedef struct Options {
  const char *data, *labels, *kernels, *out;
  int64_t points, clusters, seed;
  bool help;
} Options;

enum { MAX_VARIANTS = 2 * CAKE_COUNT(sources) };

typedef struct Job {
  CakeTool tool; // for messages
  Options options;
  CakeNpy digits; // as the file has them
  CakeNpy truth;  // the digit that each image shows; rank 0: not known
  Problem problem;
  double *means; // k × d, of the last update
  int32_t *labels, *previous;
  CakeArena *arena; // of all these
  CakeGpu gpu;
  bool has_gpu, is_terminal;
  Variant variants[MAX_VARIANTS];
  size_t n_variants;
  int64_t iterations;
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
  int64_t n = job->options.points && job->options.points < rows ? job->options.points : rows;
  int64_t k = job->options.clusters, d = (int64_t)job->digits.shape[1];
  if (n < k) return cake_tool_fail(&job->tool, "%lld points cannot make %lld clusters", (long long)n, (long long)k);
  problem_init(&job->problem, job->arena, 1, n, k, d);
  job->means = CAKE_ARENA_ARRAY(job->arena, double, k *d);
  job->labels = CAKE_ARENA_ARRAY(job->arena, int32_t, n);
  job->previous = CAKE_ARENA_ARRAY(job->arena, int32_t, n);
  for (int64_t i = 0; i < job->problem.n * job->problem.d; i++) {
    problem_set_x(&job->problem, i, ((const float *)job->digits.data)[i]);
    if (!isfinite(job->problem.x64[i]))
      return cake_tool_fail(&job->tool, "%s: row %lld has a value that is not finite", job->options.data,
                            (long long)(i / job->problem.d));
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
  double *nearest = CAKE_ARENA_ARRAY(job->arena, double, job->problem.n), total;
  int64_t chosen = (int64_t)(next_random(&state) % (uint64_t)job->problem.n);
  for (int64_t k = 0; k < job->problem.k; k++) {
    double *mean = job->means + k * job->problem.d;
    memcpy(mean, job->problem.x64 + chosen * job->problem.d, (size_t)job->problem.d * sizeof *mean);
    total = 0;
    for (int64_t i = 0; i < job->problem.n; i++) {
      double distance = square_distance(job->problem.x64 + i * job->problem.d, mean, job->problem.d);
      if (k == 0 || distance < nearest[i]) nearest[i] = distance;
      total += nearest[i];
    }
    chosen = draw(nearest, job->problem.n, total, next_fraction(&state));
  }
}

// ---- Lloyd's update --------------------------------------------------------------------------------------------------

// What the kernels are given: the means in bf16, and the squared norms of those.
static void round_centroids(Job *job) {
  for (int64_t i = 0; i < job->problem.k * job->problem.d; i++)
    problem_set_c(&job->problem, i, (float)job->means[i]);
  problem_set_norms(&job->problem);
}

// The mean of each cluster; an empty one keeps its centroid. Returns how many are empty.
static int64_t update(Job *job) {
  int64_t empty = 0;
  for (int64_t k = 0; k < job->problem.k; k++) {
    double *mean = job->means + k * job->problem.d;
    int64_t count = 0;
    for (int64_t i = 0; i < job->problem.n; i++) {
      if (job->labels[i] != k) continue;
      if (count++ == 0) memset(mean, 0, (size_t)job->problem.d * sizeof *mean);
      for (int64_t j = 0; j < job->problem.d; j++)
        mean[j] += job->problem.x64[i * job->problem.d + j];
    }
    for (int64_t j = 0; count > 0 && j < job->problem.d; j++)
      mean[j] /= (double)count;
    empty += count == 0;
  }
  return empty;
}

static double inertia(const Job *job, const double *centroids) {
  double sum = 0;
  for (int64_t i = 0; i < job->problem.n; i++)
    sum += square_distance(job->problem.x64 + i * job->problem.d, centroids + job->labels[i] * job->problem.d,
                           job->problem.d);
  return sum;
}

static int64_t changes(const Job *job) {
  int64_t count = 0;
  for (int64_t i = 0; i < job->problem.n; i++)
    count += job->labels[i] != job->previous[i];
  return count;
}

// ---- Comparing -------------------------------------------------------------------------------------------------------

static bool check_labels(Job *job, const Variant *variant, int64_t *exempt) {
  const int32_t *labels = variant_labels(variant);
  *exempt = 0;
  for (int64_t i = 0; i < job->problem.n; i++) {
    if (check_row(&job->problem, i, labels[i], variant_roundoff(variant), exempt)) continue;
    return cake_tool_fail(
        &job->tool, "%s, %s: iteration %lld: point %lld got label %d, which is not its nearest centroid",
        variant->source->title, variant_device(variant), (long long)job->iterations, (long long)i, (int)labels[i]);
  }
  return true;
}

// ---- Kernels ---------------------------------------------------------------------------------------------------------

// The shapes of the kernels, for the first target of each.
static bool describe_sources(Job *job) {
  CakeBuf text = {0}, params = {0};
  bool is_fine = true;
  cake_buf_printf(&params, "D=%lld", (long long)job->problem.d);
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

static bool open_variant(Job *job, const Source *source, CakeGpu *gpu) {
  Variant *variant = &job->variants[job->n_variants++];
  return variant_open(variant, job->tool.name, job->options.kernels, source, gpu, job->problem.d) &&
         variant_set_x(variant, &job->problem);
}

static bool open_variants(Job *job) {
  CakeBuf error = {0};
  for (size_t i = 0; i < CAKE_COUNT(sources); i++)
    if (!open_variant(job, &sources[i], NULL)) return false;
  job->has_gpu = open_gpu(&job->gpu, &error);
  if (job->has_gpu)
    printf("GPU: %s (sm_%d)\n", job->gpu.name, job->gpu.sm);
  else
    printf("GPU: none (%s); the simulator works alone\n", error.data);
  cake_buf_fini(&error);
  for (size_t i = 0; job->has_gpu && i < CAKE_COUNT(sources); i++) {
    bool runs = job->gpu.sm >= sources[i].first_sm && job->gpu.sm <= sources[i].last_sm;
    if (runs && !open_variant(job, &sources[i], &job->gpu)) return false;
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
          progress->variant->source->title, (long long)done, (long long)total);
}

static void clear_progress(const Job *job) {
  if (job->is_terminal) fprintf(stderr, "\r\033[K");
}

static bool assign(Job *job, Variant *variant) {
  Progress progress = {job, variant};
  CakeSimOptions options = {.seed = (uint64_t)job->iterations, .progress = show_progress, .progress_user = &progress};
  bool is_fine = variant_set_c(variant, &job->problem) && variant_run(variant, TIMEOUT_S, &options, NULL, NULL);
  clear_progress(job);
  return is_fine;
}

// Runs all variants. The first one's labels count; the others must be the same, but for what a GPU's order of additions
// may change in exempt rows.
static bool assign_all(Job *job, int64_t *out_exempt) {
  *out_exempt = 0;
  for (size_t v = 0; v < job->n_variants; v++) {
    Variant *variant = &job->variants[v];
    int64_t exempt = 0, different = 0;
    if (!assign(job, variant) || !check_labels(job, variant, &exempt)) return false;
    const int32_t *labels = variant_labels(variant);
    if (v == 0) memcpy(job->labels, labels, (size_t)job->problem.n * sizeof *labels);
    for (int64_t i = 0; i < job->problem.n; i++)
      different += labels[i] != job->labels[i];
    if (different > (variant->gpu ? exempt : 0))
      return cake_tool_fail(&job->tool, "%s, %s: iteration %lld: %lld labels differ from those of the first run",
                            variant->source->title, variant_device(variant), (long long)job->iterations,
                            (long long)different);
    if (exempt > *out_exempt) *out_exempt = exempt;
  }
  return true;
}

static bool iterate(Job *job, bool *out_settled) {
  int64_t exempt, changed;
  round_centroids(job);
  job->iterations++;
  if (!assign_all(job, &exempt)) return false;
  changed = job->iterations == 1 ? job->problem.n : changes(job);
  printf(
      "  iteration %2lld: %4lld labels changed, inertia %.1f, labels equal the fp64 brute force (%lld rows exempt)\n",
      (long long)job->iterations, (long long)changed, inertia(job, job->problem.c64), (long long)exempt);
  fflush(stdout);
  *out_settled = changed == 0;
  if (*out_settled) return true;
  memcpy(job->previous, job->labels, (size_t)job->problem.n * sizeof *job->labels);
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
  for (int64_t i = 0; i < job->problem.n; i++) {
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
  for (int64_t k = 0; k < job->problem.k; k++) {
    Cluster cluster = count_cluster(job, k);
    right += cluster.digits[cluster.digit];
  }
  return (double)right / (double)job->problem.n;
}

// Values of the picture's grey scale: of the data.
static void find_range(const Job *job, float *low, float *high) {
  *low = *high = (float)job->problem.x64[0];
  for (int64_t i = 0; i < job->problem.n * job->problem.d; i++) {
    if ((float)job->problem.x64[i] < *low) *low = (float)job->problem.x64[i];
    if ((float)job->problem.x64[i] > *high) *high = (float)job->problem.x64[i];
  }
}

static CakePictureCell picture_cell(const Job *job, int64_t k) {
  Cluster cluster = count_cluster(job, k);
  float *values = CAKE_ARENA_ARRAY(job->arena, float, job->problem.d);
  CakePictureCell cell = {.values = values};
  for (int64_t i = 0; i < job->problem.d; i++)
    values[i] = (float)job->means[k * job->problem.d + i];
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
  CakePictureCell *cells = CAKE_ARENA_ARRAY(job->arena, CakePictureCell, job->problem.k);
  CakePicture picture = {.height = 8,
                         .width = (unsigned)job->problem.d / 8,
                         .columns = 8,
                         .cells = cells,
                         .count = (size_t)job->problem.k};
  picture.title = cake_arena_printf(job->arena, "%lld centroids of %lld digits", (long long)job->problem.k,
                                    (long long)job->problem.n)
                      .ptr;
  picture.subtitle = cake_arena_printf(job->arena, "%lld iterations, inertia %.1f", (long long)job->iterations,
                                       inertia(job, job->means))
                         .ptr;
  find_range(job, &picture.paper, &picture.ink);
  for (int64_t k = 0; k < job->problem.k; k++)
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
    printf("%s %s, %s", v ? ";" : "", job->variants[v].source->title, variant_device(&job->variants[v]));
  printf("\n");
}

static bool cluster(Job *job) {
  bool is_settled = false;
  printf("Clustering %lld points of %lld dimensions into %lld clusters\n", (long long)job->problem.n,
         (long long)job->problem.d, (long long)job->problem.k);
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
    variant_close(&job.variants[v]);
  if (job.has_gpu) cake_gpu_close(&job.gpu);
  cake_npy_fini(&job.digits);
  cake_npy_fini(&job.truth);
  cake_arena_destroy(job.arena);
  cake_tool_close(&job.tool);
  return is_fine ? 0 : 1;
}
