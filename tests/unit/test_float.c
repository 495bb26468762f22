// Narrow floats, checked against what rounding to nearest even means rather than against another implementation:
// every code, every midpoint between neighbours, and the doubles on both sides of it.
#include "cake/float.h"

#include <check.h>
#include <math.h>

static const CakeFloatFormat *const formats[] = {&cake_format_f16,  &cake_format_bf16, &cake_format_e4m3,
                                                 &cake_format_e5m2, &cake_format_e3m2, &cake_format_e2m3,
                                                 &cake_format_e2m1, &cake_format_tf32};

// Check reports every assertion to its parent process, which is too slow for millions of them: only a failure is told.
#define EXPECT(condition, ...)                                                                                         \
  do {                                                                                                                 \
    if (!(condition)) ck_abort_msg(__VA_ARGS__);                                                                       \
  } while (0)

static uint32_t sign_bit(const CakeFloatFormat *format) {
  return 1u << (format->exponent_bits + format->fraction_bits);
}

START_TEST(every_code_round_trips) {
  const CakeFloatFormat *format = formats[_i];
  for (uint32_t code = 0; code < 2 * sign_bit(format); code++) {
    double value = cake_format_decode(format, code);
    uint32_t magnitude = code & (sign_bit(format) - 1);
    uint32_t back = cake_format_encode(format, value, CAKE_OVERFLOW_INFINITE);
    if (isnan(value)) {
      EXPECT(magnitude > cake_format_largest(format), "%s: code 0x%x is NaN", format->name, code);
      EXPECT(back == sign_bit(format) - 1, "%s: NaN gave 0x%x", format->name, back);
    } else {
      EXPECT(back == code, "%s: code 0x%x, value %a, back 0x%x", format->name, code, value, back);
    }
  }
}
END_TEST

static void expect_code(const CakeFloatFormat *format, double value, uint32_t wanted) {
  uint32_t found = cake_format_encode(format, value, CAKE_OVERFLOW_SATURATE);
  EXPECT(found == wanted, "%s: %a gave 0x%x, wanted 0x%x", format->name, value, found, wanted);
  found = cake_format_encode(format, -value, CAKE_OVERFLOW_SATURATE);
  EXPECT(found == (wanted | sign_bit(format)), "%s: %a gave 0x%x", format->name, -value, found);
}

START_TEST(midpoints_go_to_even) {
  const CakeFloatFormat *format = formats[_i];
  for (uint32_t code = 0; code < cake_format_largest(format); code++) {
    double low = cake_format_decode(format, code), high = cake_format_decode(format, code + 1);
    double middle = low + (high - low) / 2; // exact: double has bits to spare
    EXPECT(low < middle && middle < high, "%s: code 0x%x is not below its successor", format->name, code);
    expect_code(format, middle, code + (code & 1));
    expect_code(format, nextafter(middle, low), code);
    expect_code(format, nextafter(middle, high), code + 1);
  }
}
END_TEST

START_TEST(overflow) {
  const CakeFloatFormat *format = formats[_i];
  uint32_t largest = cake_format_largest(format);
  double top = cake_format_decode(format, largest), below = cake_format_decode(format, largest - 1);
  double limit =
      top + (top - below) / 2; // the first double that no longer rounds to `top` (largest is odd or the last)
  expect_code(format, limit, largest);
  expect_code(format, INFINITY, largest);
  expect_code(format, 1e300, largest);
  uint32_t over = cake_format_encode(format, limit + (top - below), CAKE_OVERFLOW_INFINITE);
  double value = cake_format_decode(format, over);
  switch (format->specials) {
  case CAKE_SPECIALS_IEEE: ck_assert(isinf(value)); break;
  case CAKE_SPECIALS_NAN:
  case CAKE_SPECIALS_FNUZ: ck_assert(isnan(value)); break;
  case CAKE_SPECIALS_FINITE: ck_assert(value == top); break;
  }
  ck_assert_uint_eq(cake_format_encode(format, nextafter(limit, 0), CAKE_OVERFLOW_INFINITE), largest);
}
END_TEST

// Facts of the formats that the standards state in words.
START_TEST(known_values) {
  ck_assert(cake_format_decode(&cake_format_f16, cake_format_largest(&cake_format_f16)) == 65504);
  ck_assert(cake_format_decode(&cake_format_e4m3, cake_format_largest(&cake_format_e4m3)) == 448);
  ck_assert(cake_format_decode(&cake_format_e5m2, cake_format_largest(&cake_format_e5m2)) == 57344);
  ck_assert(cake_format_decode(&cake_format_e3m2, cake_format_largest(&cake_format_e3m2)) == 28);
  ck_assert(cake_format_decode(&cake_format_e2m3, cake_format_largest(&cake_format_e2m3)) == 7.5);
  ck_assert(cake_format_decode(&cake_format_e2m1, cake_format_largest(&cake_format_e2m1)) == 6);
  ck_assert_uint_eq(cake_f16_from_f32(1.0f), 0x3c00);
  ck_assert_uint_eq(cake_f16_from_f32(65520.0f), 0x7c00);
  ck_assert_uint_eq(cake_f16_from_f32(0x1p-24f), 0x0001);
  ck_assert_uint_eq(cake_f16_from_f32(0x1p-25f), 0x0000);
  ck_assert_uint_eq(cake_f16_from_f32(-0.0f), 0x8000);
  ck_assert_uint_eq(cake_bf16_from_f32(1.0f), 0x3f80);
  ck_assert_uint_eq(cake_bf16_from_f32(NAN), 0x7fff);
  ck_assert_uint_eq(cake_bf16_from_f32(-INFINITY), 0xff80);
  ck_assert_uint_eq(cake_bf16_from_f32(0x1.fffffep127f), 0x7f80);
  ck_assert_uint_eq(cake_e4m3_from_f32(1000.0f), 0x7e);
  ck_assert_uint_eq(cake_e4m3_from_f32(NAN), 0x7f);
  ck_assert_uint_eq(cake_e5m2_from_f32(-INFINITY), 0xfb);
  ck_assert(isnan(cake_e4m3_to_f32(0xff)));
  ck_assert(isinf(cake_e5m2_to_f32(0x7c)));
  ck_assert(cake_f16_to_f32(0x0001) == 0x1p-24f);
  ck_assert(cake_format_encode(&cake_format_e2m1, NAN, CAKE_OVERFLOW_SATURATE) == 0x7);
}
END_TEST

// The quick bf16 path and the general one agree on floats of every exponent and on all patterns around a rounding.
START_TEST(bf16_paths_agree) {
  static const uint32_t low[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
  for (uint32_t high = 0; high < 0x10000; high++) {
    for (size_t i = 0; i < CAKE_COUNT(low); i++) {
      float value = cake_f32_from_bits(high << 16 | low[i]);
      uint32_t wanted = cake_format_encode(&cake_format_bf16, (double)value, CAKE_OVERFLOW_INFINITE);
      EXPECT(cake_bf16_from_f32(value) == wanted, "%a gave 0x%x, wanted 0x%x", (double)value, cake_bf16_from_f32(value),
             wanted);
    }
    float wide = cake_bf16_to_f32((uint16_t)high);
    double wanted = cake_format_decode(&cake_format_bf16, high);
    EXPECT(isnan(wide) ? isnan(wanted) : (double)wide == wanted, "code 0x%x gave %a", high, (double)wide);
  }
}
END_TEST

START_TEST(tf32_ties) {
  float tie = 1.0f + 0x1p-11f; // halfway between 1 and its successor in tf32
  ck_assert(cake_tf32_from_f32(tie) == 1.0f);
  ck_assert(cake_tf32_from_f32_away(tie) == 1.0f + 0x1p-10f);
  ck_assert(cake_tf32_from_f32(-3.0f) == -3.0f && cake_tf32_from_f32_away(-3.0f) == -3.0f);
  ck_assert(isnan(cake_tf32_from_f32(NAN)) && isnan(cake_tf32_from_f32_away(NAN)));
  ck_assert(isinf(cake_tf32_from_f32_away(0x1.fffffep127f)));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("float");
  TCase *formats_case = tcase_create("formats");
  tcase_set_timeout(formats_case, 60);
  tcase_add_loop_test(formats_case, every_code_round_trips, 0, (int)CAKE_COUNT(formats));
  tcase_add_loop_test(formats_case, midpoints_go_to_even, 0, (int)CAKE_COUNT(formats));
  tcase_add_loop_test(formats_case, overflow, 0, (int)CAKE_COUNT(formats));
  tcase_add_test(formats_case, known_values);
  tcase_add_test(formats_case, bf16_paths_agree);
  tcase_add_test(formats_case, tf32_ties);
  suite_add_tcase(suite, formats_case);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed != 0;
}
