// Machine files against the table of targets.
#include "analysis/machines/machine.h"
#include "analysis/targets.h"
#include "cake/dialects.h"

#include <check.h>
#include <stdlib.h>

static CakeMachine read_machine(CakeContext *context, const char *name) {
  CakeMachine machine;
  ck_assert(cake_machine_read(context, cake_str(name), &machine));
  return machine;
}

// What the H200 has is what its target's multiprocessors have.
START_TEST(limits_are_the_targets) {
  CakeContext *context = cake_context_create();
  CakeMachine machine = read_machine(context, "h200");
  const CakeTarget *target = cake_target_find(machine.target);
  ck_assert_ptr_nonnull(target);
  ck_assert_double_eq(machine.figures[CAKE_FIGURE_SM_THREADS], target->threads_per_sm);
  ck_assert_double_eq(machine.figures[CAKE_FIGURE_SM_CTAS], target->ctas_per_sm);
  ck_assert_double_eq(machine.figures[CAKE_FIGURE_SM_REGISTERS], target->registers_per_sm);
  ck_assert_double_eq(machine.figures[CAKE_FIGURE_SM_SHARED], target->shared_bytes_per_sm);
  cake_context_destroy(context);
}
END_TEST

START_TEST(each_figure_has_a_source) {
  CakeContext *context = cake_context_create();
  CakeMachine machine = read_machine(context, "h200");
  size_t estimates = 0;
  for (size_t i = 0; i < CAKE_FIGURE_COUNT; i++) {
    ck_assert_uint_gt(machine.sources[i].len, 0);
    estimates += cake_str_starts_with(machine.sources[i], "estimate");
  }
  ck_assert_uint_eq(estimates, machine.n_estimates);
  cake_context_destroy(context);
}
END_TEST

// One error at most, however much is wrong.
START_TEST(a_bad_file_is_reported_once) {
  CakeContext *context = cake_context_create();
  CakeMachine machine;
  ck_assert(!cake_machine_read(context, CAKE_STR("/dev/null"), &machine));
  ck_assert_uint_eq(cake_context_error_count(context), 1);
  ck_assert(!cake_machine_read(context, CAKE_STR("no/such/file.xml"), &machine));
  ck_assert_uint_eq(cake_context_error_count(context), 2);
  cake_context_destroy(context);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("cost");
  TCase *tests = tcase_create("machines");
  tcase_add_test(tests, limits_are_the_targets);
  tcase_add_test(tests, each_figure_has_a_source);
  tcase_add_test(tests, a_bad_file_is_reported_once);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
