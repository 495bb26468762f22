// What text does not show of the cake dialect: where shared memory puts an element, and the arithmetic of expressions.
#include "analysis/affine.h"
#include "analysis/targets.h"
#include "cake/dialects.h"
#include "cake/text.h"

#include <check.h>
#include <stdlib.h>

static CakeContext *context;

static void set_up(void) {
  context = cake_context_create();
  cake_register_all_dialects(context);
}

static void tear_down(void) {
  cake_context_destroy(context);
}

static CakeType type_of(const char *text) {
  CakeType type = cake_parse_type_text(context, cake_str(text));
  ck_assert_ptr_nonnull(type);
  return type;
}

static CakeAttr attr_of(const char *text) {
  CakeAttr attr = cake_parse_attr_text(context, cake_str(text));
  ck_assert_ptr_nonnull(attr);
  return attr;
}

// ---- Shared memory -------------------------------------------------------------------------------------------------

// Every byte is the place of exactly one element.
static void expect_bijection(const char *text) {
  CakeType type = type_of(text);
  int64_t rows = cake_shared_size(type, 0), cols = cake_shared_size(type, 1), bytes = cake_shared_bytes(type);
  int64_t size = cake_type_width(cake_shared_element(type)) / 8;
  char *seen = calloc((size_t)bytes, 1);
  ck_assert_int_eq(bytes, rows * (cols * size + cake_shared_pad(type)));
  for (int64_t row = 0; row < rows; row++) {
    for (int64_t col = 0; col < cols; col++) {
      int64_t at = cake_shared_offset(type, row, col);
      ck_assert_msg(at >= 0 && at + size <= bytes && at % size == 0 && !seen[at], "%s: (%d, %d) is at %d", text,
                    (int)row, (int)col, (int)at);
      seen[at] = 1;
    }
  }
  free(seen);
}

START_TEST(storage_is_a_bijection) {
  expect_bijection("!cake.shared<16x64xbf16, rows>");
  expect_bijection("!cake.shared<16x60xbf16, rows<pad 16>>");
  expect_bijection("!cake.shared<16x128xbf16, sw128>");
  expect_bijection("!cake.shared<16x64xf32, sw128>");
  expect_bijection("!cake.shared<16x64xbf16, sw64>");
  expect_bijection("!cake.shared<16x64xbf16, sw32>");
}
END_TEST

// CUDA Programming Guide, "Swizzle modes": in a panel of W bytes a row, bits 4… of the offset are XORed with bits 7….
static int64_t hardware_swizzle(int64_t offset, int64_t width) {
  int64_t chunks = width / 16 - 1;
  return offset ^ ((offset >> 7 & chunks) << 4);
}

START_TEST(swizzle_is_the_hardwares) {
  static const struct {
    const char *type;
    int64_t width;
  } cases[] = {
      {"!cake.shared<32x64xbf16, sw128>", 128},
      {"!cake.shared<32x32xbf16, sw64>",  64 },
      {"!cake.shared<32x16xbf16, sw32>",  32 }
  };
  for (size_t i = 0; i < CAKE_COUNT(cases); i++) {
    CakeType type = type_of(cases[i].type);
    for (int64_t row = 0; row < 32; row++)
      for (int64_t col = 0; col < cases[i].width / 2; col++)
        ck_assert_int_eq(cake_shared_offset(type, row, col),
                         hardware_swizzle(row * cases[i].width + col * 2, cases[i].width));
  }
}
END_TEST

START_TEST(panels_follow_each_other) {
  CakeType type = type_of("!cake.shared<8x128xbf16, sw128>");
  ck_assert_int_eq(cake_shared_offset(type, 0, 64), 8 * 128);
  ck_assert_int_eq(cake_shared_offset(type, 3, 64), 8 * 128 + 3 * 128 + 3 * 16);
  ck_assert_int_eq(cake_shared_alignment(type), 1024);
  ck_assert_int_eq(cake_shared_alignment(type_of("!cake.shared<8x32xbf16, sw64>")), 512);
  ck_assert_int_eq(cake_shared_bytes(type_of("!cake.shared<8x[D]xbf16, sw128>")), -1);
}
END_TEST

// ---- Expressions ---------------------------------------------------------------------------------------------------

static bool name_of(void *user, CakeId name, int64_t *out) {
  (void)user;
  *out = name->text[0] == 'N' ? 100 : INT64_MAX;
  return name->text[0] != 'X';
}

static bool eval(const char *text, int64_t *out) {
  int64_t operands[] = {7, -7};
  CakeExprEnv env = {.name = name_of, .operands = operands, .n_operands = 2, .instance = 3};
  return cake_expr_eval(attr_of(text), &env, out);
}

START_TEST(expressions_evaluate) {
  static const struct {
    const char *text;
    int64_t value;
  } cases[] = {
      {"#cake.expr<2 + 3 * 4>",                 14       },
      {"#cake.expr<(2 + 3) * 4>",               20       },
      {"#cake.expr<10 - 3 - 2>",                5        },
      {"#cake.expr<ceildiv(d0, 2)>",            4        },
      {"#cake.expr<d0 floordiv 2>",             3        },
      {"#cake.expr<d1 floordiv 2>",             -4       },
      {"#cake.expr<ceildiv(d1, 2)>",            -3       },
      {"#cake.expr<d1 mod 4>",                  1        },
      {"#cake.expr<d0 mod 4>",                  3        },
      {"#cake.expr<min(d0, d1) + max(d0, d1)>", 0        },
      {"#cake.expr<N * 2 + instance>",          203      },
      {"#cake.expr<9223372036854775807>",       INT64_MAX}
  };
  for (size_t i = 0; i < CAKE_COUNT(cases); i++) {
    int64_t value = 0;
    ck_assert_msg(eval(cases[i].text, &value), "%s", cases[i].text);
    ck_assert_msg(value == cases[i].value, "%s is %lld", cases[i].text, (long long)value);
  }
}
END_TEST

START_TEST(bad_expressions_are_refused) {
  static const char *const texts[] = {
      "#cake.expr<M + 1>",         "#cake.expr<M * 2>",   "#cake.expr<-3 - M>", "#cake.expr<1 floordiv 0>",
      "#cake.expr<ceildiv(N, 0)>", "#cake.expr<N mod 0>", "#cake.expr<X>",      "#cake.expr<d2>"};
  for (size_t i = 0; i < CAKE_COUNT(texts); i++) {
    int64_t value;
    // -3 - INT64_MAX is below the least number.
    ck_assert_msg(!eval(texts[i], &value), "%s gave %lld", texts[i], (long long)value);
  }
}
END_TEST

START_TEST(folding_keeps_operands) {
  CakeAttr zero = cake_expr_const(context, 0), one = cake_expr_const(context, 1), d0 = cake_expr_operand(context, 0);
  CakeAttr n = cake_expr_name(context, cake_id_text(context, "N"));
  ck_assert_ptr_eq(cake_expr_binary(context, CAKE_EXPR_MUL, n, zero), zero);
  ck_assert_ptr_ne(cake_expr_binary(context, CAKE_EXPR_MUL, d0, zero), zero);
  ck_assert_ptr_eq(cake_expr_binary(context, CAKE_EXPR_ADD, d0, zero), d0);
  ck_assert_ptr_eq(cake_expr_binary(context, CAKE_EXPR_MUL, one, d0), d0);
}
END_TEST

START_TEST(sums_compare) {
  CakeSum a, b;
  int64_t difference = 0;
  ck_assert(cake_sum_of(attr_of("#cake.expr<4 * (N + 2) - K>"), NULL, &a));
  ck_assert(cake_sum_of(attr_of("#cake.expr<N + N * 3 - K + 1>"), NULL, &b));
  ck_assert(cake_sum_difference(&a, &b, &difference));
  ck_assert_int_eq(difference, 7);
  ck_assert(cake_sum_of(attr_of("#cake.expr<N * K>"), NULL, &b));
  ck_assert(!cake_sum_difference(&a, &b, &difference));
  ck_assert(!cake_sum_of(attr_of("#cake.expr<N * 9000000000>"), NULL, &b));
}
END_TEST

// ---- Targets -------------------------------------------------------------------------------------------------------

START_TEST(targets_are_found) {
  const CakeTarget *hopper = cake_target_find(CAKE_STR("sm_90a"));
  ck_assert_ptr_nonnull(hopper);
  ck_assert_int_eq(hopper->shared_bytes_per_cta, 227 * 1024);
  ck_assert(cake_target_has(hopper, CAKE_FEATURE_WGMMA));
  ck_assert(!cake_target_has(cake_target_find(CAKE_STR("sm_100a")), CAKE_FEATURE_WGMMA));
  ck_assert_ptr_null(cake_target_find(CAKE_STR("sm_9")));
  for (const CakeTarget *target = cake_targets; target->name; target++)
    ck_assert_int_eq(target->shared_bytes_per_sm - target->shared_bytes_per_cta, 1024);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("cake");
  TCase *cases = tcase_create("cake");
  tcase_add_checked_fixture(cases, set_up, tear_down);
  tcase_add_test(cases, storage_is_a_bijection);
  tcase_add_test(cases, swizzle_is_the_hardwares);
  tcase_add_test(cases, panels_follow_each_other);
  tcase_add_test(cases, expressions_evaluate);
  tcase_add_test(cases, bad_expressions_are_refused);
  tcase_add_test(cases, folding_keeps_operands);
  tcase_add_test(cases, sums_compare);
  tcase_add_test(cases, targets_are_found);
  suite_add_tcase(suite, cases);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
