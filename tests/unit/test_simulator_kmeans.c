// The corpus kernels on the simulator: labels equal those of an fp64 brute force on the bf16 values that the kernels get, for sizes that no
// tile divides, every schedule and several seeds.
#include "sim_support.h"

#include <math.h>

typedef struct Problem {
  int64_t b, n, k, d;
  uint16_t *x, *c;
  float *c2;
  int32_t *label;
} Problem;

static uint32_t next_random(uint32_t *state) {
  *state = *state * 1664525u + 1013904223u;
  return *state >> 8;
}

static float random_value(uint32_t *state) {
  return (float)next_random(state) / (float)(1 << 23) - 1;
}

static Problem problem_make(int64_t b, int64_t n, int64_t k, int64_t d, uint32_t seed) {
  Problem p = {b, n, k, d, NULL, NULL, NULL, NULL};
  p.x = calloc((size_t)(b * n * d) + 1, sizeof *p.x);
  p.c = calloc((size_t)(b * k * d) + 1, sizeof *p.c);
  p.c2 = calloc((size_t)(b * k) + 1, sizeof *p.c2);
  p.label = malloc(((size_t)(b * n) + 1) * sizeof *p.label);
  for (int64_t i = 0; i < b * n * d; i++)
    p.x[i] = cake_bf16_from_f32(random_value(&seed));
  for (int64_t i = 0; i < b * k * d; i++)
    p.c[i] = cake_bf16_from_f32(random_value(&seed));
  for (int64_t i = 0; i < b * k; i++) {
    double sum = 0;
    for (int64_t j = 0; j < d; j++)
      sum += pow((double)cake_bf16_to_f32(p.c[i * d + j]), 2);
    p.c2[i] = (float)sum;
  }
  for (int64_t i = 0; i < b * n; i++)
    p.label[i] = -7;
  return p;
}

static void problem_free(Problem *p) {
  free(p->x);
  free(p->c);
  free(p->c2);
  free(p->label);
}

static double score(const Problem *p, int64_t b, int64_t n, int64_t k) {
  double dot = 0;
  for (int64_t j = 0; j < p->d; j++)
    dot += (double)cake_bf16_to_f32(p->x[(b * p->n + n) * p->d + j]) *
           (double)cake_bf16_to_f32(p->c[(b * p->k + k) * p->d + j]);
  return (double)p->c2[b * p->k + k] - 2 * dot;
}

// A label may differ only where its score is within the rounding of f32 of the best one.
static void problem_check(const Problem *p) {
  double bound = 4 * (double)(p->d + 2) * (double)p->d * 0x1p-24;
  for (int64_t b = 0; b < p->b; b++) {
    for (int64_t n = 0; n < p->n; n++) {
      int64_t best = 0, label = p->label[b * p->n + n];
      for (int64_t k = 1; k < p->k; k++)
        best = score(p, b, n, k) < score(p, b, n, best) ? k : best;
      bool is_right =
          label == best || (label >= 0 && label < p->k && score(p, b, n, label) - score(p, b, n, best) < bound);
      if (!is_right)
        ck_abort_msg("point (%lld, %lld): label %lld, wanted %lld", (long long)b, (long long)n, (long long)label,
                     (long long)best);
    }
  }
}

static void bind(Sim *sim, Problem *p) {
  sim->n_args = 0;
  sim_arg(sim, "x", sim_float(sim, CAKE_FLOAT_BF16), p->x, SIM_DIMS(p->b, p->n, p->d));
  sim_arg(sim, "c", sim_float(sim, CAKE_FLOAT_BF16), p->c, SIM_DIMS(p->b, p->k, p->d));
  sim_arg(sim, "c2", cake_type_f32(sim->context), p->c2, SIM_DIMS(p->b, p->k));
  sim_arg(sim, "label", cake_type_i32(sim->context), p->label, SIM_DIMS(p->b, p->n));
}

// The corpus lies beside this file's folder.
static void read_kernel(const char *name, CakeBuf *text) {
  CakeBuf path = {0}, error = {0};
  cake_buf_text(&path, __FILE__);
  char *end = strstr(path.data, "tests/unit/");
  ck_assert_ptr_nonnull(end);
  path.len = (size_t)(end - path.data);
  cake_buf_printf(&path, "bench/kernels/%s", name);
  ck_assert_msg(cake_file_read(path.data, text, &error), "%s", error.data);
  cake_buf_fini(&path);
}

static const char *const kernels[] = {"kmeans_assign_naive.cake", "kmeans_assign_sm80.cake", "kmeans_assign.cake"};

static void run_sizes(const char *name, int64_t d, const int64_t (*sizes)[3], size_t count,
                      const CakeSimOptions *options) {
  CakeBuf text = {0};
  read_kernel(name, &text);
  CakeParamValue param = {CAKE_STR("D"), d};
  Sim sim = sim_open_with(text.data, &param, 1);
  for (size_t i = 0; i < count; i++) {
    Problem p = problem_make(sizes[i][0], sizes[i][1], sizes[i][2], d, (uint32_t)i + 1);
    bind(&sim, &p);
    sim.options = *options;
    SIM_EXPECT_OK(&sim);
    ck_assert_int_eq(sim.report.ctas_run, sim.report.grid);
    problem_check(&p);
    problem_free(&p);
  }
  sim_close(&sim);
  cake_buf_fini(&text);
}

START_TEST(labels_are_right_at_ragged_sizes) {
  static const int64_t sizes[][3] = {
      {1, 128, 16 },
      {1, 1,   1  },
      {2, 131, 65 },
      {1, 200, 130},
      {1, 64,  1  },
      {3, 0,   5  }
  };
  run_sizes(kernels[_i], 64, sizes, CAKE_COUNT(sizes), &(CakeSimOptions){0});
}
END_TEST

START_TEST(labels_are_right_for_wider_points) {
  static const int64_t sizes[][3] = {
      {1, 130, 33}
  };
  run_sizes(kernels[_i], 128, sizes, CAKE_COUNT(sizes), &(CakeSimOptions){0});
}
END_TEST

START_TEST(labels_do_not_depend_on_the_schedule) {
  static const int64_t sizes[][3] = {
      {2, 150, 200}
  };
  for (uint64_t seed = 1; seed <= 4; seed++)
    run_sizes(kernels[_i], 64, sizes, 1, &(CakeSimOptions){.seed = seed});
  run_sizes(kernels[_i], 64, sizes, 1, &(CakeSimOptions){.schedule = CAKE_SIM_ROUND_ROBIN});
  run_sizes(kernels[_i], 64, sizes, 1, &(CakeSimOptions){.schedule = CAKE_SIM_LATE, .grid = 3});
}
END_TEST

// Only what the chosen CTAs own is written.
START_TEST(a_sample_runs_its_ctas_only) {
  CakeBuf text = {0};
  read_kernel(kernels[0], &text);
  Sim sim = sim_open(text.data);
  Problem p = problem_make(1, 256, 5, 64, 9);
  static const int64_t ctas[] = {3, 1};
  bind(&sim, &p);
  sim.options = (CakeSimOptions){.ctas = ctas, .n_ctas = 2};
  SIM_EXPECT_OK(&sim);
  ck_assert_int_eq(sim.report.grid, 4);
  ck_assert_int_eq(sim.report.ctas_run, 2);
  for (int64_t n = 0; n < p.n; n++)
    ck_assert_int_eq(p.label[n] == -7, n / 64 != 1 && n / 64 != 3);
  sim.options = (CakeSimOptions){.first_cta = 2};
  SIM_EXPECT_OK(&sim);
  ck_assert_int_eq(sim.report.ctas_run, 2);
  sim.options = (CakeSimOptions){.first_cta = 2, .cta_count = 3};
  sim_expect_error(&sim, "RUN_ARGUMENT", "no CTA 4");
  problem_free(&p);
  sim_close(&sim);
  cake_buf_fini(&text);
}
END_TEST

START_TEST(the_report_counts) {
  CakeBuf text = {0};
  read_kernel(kernels[1], &text);
  Sim sim = sim_open(text.data);
  Problem p = problem_make(1, 256, 65, 64, 3);
  bind(&sim, &p);
  SIM_EXPECT_OK(&sim);
  // Two CTAs: each one tile of 128 x 64 points, and two steps of 64 x 64 centroids and 64 norms.
  ck_assert_int_eq(sim.report.items, 2);
  ck_assert_uint_eq(sim.report.copies, 2 * (1 + 2 * 2));
  ck_assert_uint_eq(sim.report.copied_bytes, 2 * (128 * 64 * 2 + 2 * (64 * 64 * 2 + 64 * 4)));
  ck_assert_int_eq(sim.report.shared_bytes, 128 * 64 * 2 + 3 * (64 * 64 * 2 + 64 * 4));
  ck_assert_int_ge(sim.report.peak_shared_bytes, 64 * 64 * 2 + 64 * 4);
  ck_assert_int_le(sim.report.peak_shared_bytes, sim.report.shared_bytes);
  ck_assert_uint_gt(sim.report.ops, 0);
  problem_free(&p);
  sim_close(&sim);
  cake_buf_fini(&text);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("simulator, corpus");
  TCase *tcase = tcase_create("kmeans");
  tcase_set_timeout(tcase, 120);
  tcase_add_loop_test(tcase, labels_are_right_at_ragged_sizes, 0, 3);
  tcase_add_loop_test(tcase, labels_are_right_for_wider_points, 0, 3);
  tcase_add_loop_test(tcase, labels_do_not_depend_on_the_schedule, 0, 3);
  tcase_add_test(tcase, a_sample_runs_its_ctas_only);
  tcase_add_test(tcase, the_report_counts);
  suite_add_tcase(suite, tcase);
  return sim_main(suite);
}
