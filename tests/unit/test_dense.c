// Dense dataflow in both directions: over regions, blocks and calls, with a lattice of the test's own.
#include <check.h>
#include <stdlib.h>

#include "analysis/dense.h"
#include "cake/dialects.h"
#include "cake/text.h"

static CakeContext *context;

static void setup(void) {
  context = cake_context_create();
  cake_register_all_dialects(context);
  cake_context_allow_unregistered(context, true);
}

static void teardown(void) {
  cake_context_destroy(context);
}

static CakeOp *parse(const char *text) {
  CakeOp *module = cake_parse_module(context, CAKE_STR("test"), cake_str(text));
  ck_assert_ptr_nonnull(module);
  return module;
}

// ---- The lattice: which constants have been passed, or may be yet; a bit each ------------------------------------------

typedef uint64_t Passed;

static bool join_may(void *user, void *into, const void *from) {
  Passed *state = into, before = *state;
  (void)user;
  *state |= *(const Passed *)from;
  return *state != before;
}

static bool join_must(void *user, void *into, const void *from) {
  Passed *state = into, before = *state;
  (void)user;
  *state &= *(const Passed *)from;
  return *state != before;
}

static void nothing(void *user, CakeOp *around, void *out) {
  (void)around;
  *(Passed *)out = 0;
  ++*(int *)user;
}

static int64_t number_of(const CakeOp *op) {
  return cake_op_is(op, "arith.constant") ? cake_attr_int_value(cake_op_attr_text(op, "value")) : -1;
}

static void pass_constant(void *user, CakeOp *op, void *state) {
  (void)user;
  if (number_of(op) >= 0) *(Passed *)state |= 1u << number_of(op);
}

static const CakeDenseDef may_forward = {"may", false, join_may, nothing, pass_constant};
static const CakeDenseDef must_forward = {"must", false, join_must, nothing, pass_constant};
static const CakeDenseDef may_backward = {"may yet", true, join_may, nothing, pass_constant};
static const CakeDenseDef must_backward = {"must yet", true, join_must, nothing, pass_constant};

#define NOWHERE UINT64_MAX // no path leads there

// What holds at the constant `number`, without itself.
static Passed passed_at(const CakeDenseDef *def, CakeOp *module, int64_t number) {
  int n_boundaries = 0;
  CakeDense *dense = cake_dense_create(def, sizeof(Passed), &n_boundaries, module);
  Passed near = NOWHERE, far;
  ck_assert_int_gt(n_boundaries, 0);
  CakeOp *op = module;
  while (number_of(op) != number)
    op = cake_op_walk_next(module, op, false);
  bool is_reached = (def->is_backward ? cake_dense_after : cake_dense_before)(dense, op, &near);
  ck_assert(is_reached == (def->is_backward ? cake_dense_before : cake_dense_after)(dense, op, &far));
  if (is_reached) ck_assert_uint_eq(far, near | 1u << number);
  cake_dense_destroy(dense);
  return is_reached ? near : NOWHERE;
}

// Of a constant: what was passed before it on some path and on all, and what will be behind it.
typedef struct Case {
  int64_t number;
  Passed may, must, may_yet, must_yet;
} Case;

static void check_cases(CakeOp *module, const Case *cases, size_t count) {
  for (size_t i = 0; i < count; i++) {
    ck_assert_uint_eq(passed_at(&may_forward, module, cases[i].number), cases[i].may);
    ck_assert_uint_eq(passed_at(&must_forward, module, cases[i].number), cases[i].must);
    ck_assert_uint_eq(passed_at(&may_backward, module, cases[i].number), cases[i].may_yet);
    ck_assert_uint_eq(passed_at(&must_backward, module, cases[i].number), cases[i].must_yet);
  }
}

#define B(n) (1u << (n))

// ---- Tests ---------------------------------------------------------------------------------------------------------

START_TEST(regions) {
  CakeOp *module = parse("func.func @f(%c: i1, %n: index) {\n"
                         "  %0 = arith.constant 0 : i32\n"
                         "  scf.if %c {\n"
                         "    %1 = arith.constant 1 : i32\n"
                         "  } else {\n"
                         "    %2 = arith.constant 2 : i32\n"
                         "  }\n"
                         "  scf.for %i = %n to %n step %n {\n"
                         "    scf.if %c {\n"
                         "      %3 = arith.constant 3 : i32\n"
                         "    }\n"
                         "    %4 = arith.constant 4 : i32\n"
                         "  }\n"
                         "  scf.while : () -> () {\n"
                         "    %5 = arith.constant 5 : i32\n"
                         "    scf.condition(%c)\n"
                         "  } do {\n"
                         "    %6 = arith.constant 6 : i32\n"
                         "    scf.yield\n"
                         "  }\n"
                         "  %7 = arith.constant 7 : i32\n"
                         "  return\n"
                         "}\n");
  static const Case cases[] = {
      {0, 0,    0,           0xfe,        B(5) | B(7)       },
      {1, B(0), B(0),        0xf8,        B(5) | B(7)       },
      {2, B(0), B(0),        0xf8,        B(5) | B(7)       },
      {3, 0x1f, B(0),        0xf8,        B(4) | B(5) | B(7)},
      {4, 0x1f, B(0),        0xf8,        B(5) | B(7)       },
      {5, 0x7f, B(0),        B(5) | 0xc0, B(7)              },
      {6, 0x7f, B(0) | B(5), B(5) | 0xc0, B(5) | B(7)       },
      {7, 0x7f, B(0) | B(5), 0,           0                 },
  };
  check_cases(module, cases, CAKE_COUNT(cases));
}
END_TEST

START_TEST(blocks_and_calls) {
  CakeOp *module = parse("func.func @f(%c: i1) {\n"
                         "  %0 = arith.constant 0 : i32\n"
                         "  func.call @known(%c) : (i1) -> ()\n"
                         "  cf.cond_br %c, ^a, ^b\n"
                         "^a:\n"
                         "  %1 = arith.constant 1 : i32\n"
                         "  func.call @outside() : () -> ()\n"
                         "  cf.br ^b\n"
                         "^dead:\n"
                         "  %2 = arith.constant 2 : i32\n"
                         "  cf.br ^b\n"
                         "^b:\n"
                         "  %3 = arith.constant 3 : i32\n"
                         "  cf.cond_br %c, ^a, ^end\n"
                         "^end:\n"
                         "  return\n"
                         "}\n"
                         "func.func private @known(%c: i1) {\n"
                         "  %4 = arith.constant 4 : i32\n"
                         "  return\n"
                         "}\n"
                         "func.func @public() {\n"
                         "  %5 = arith.constant 5 : i32\n"
                         "  return\n"
                         "}\n"
                         "func.func private @outside()\n");
  static const Case cases[] = {
      {0, 0,                         0,           B(1) | B(3) | B(4), B(3) | B(4)},
      {1, B(0) | B(1) | B(3) | B(4), B(0) | B(4), B(1) | B(3),        B(3)       },
      {2, NOWHERE,                   NOWHERE,     B(1) | B(3),        B(3)       },
      {3, B(0) | B(1) | B(3) | B(4), B(0) | B(4), B(1) | B(3),        0          },
      {4, B(0),                      B(0),        B(1) | B(3),        B(3)       },
      {5, 0,                         0,           0,                  0          },
  };
  check_cases(module, cases, CAKE_COUNT(cases));
}
END_TEST

// Two calls of one callable: what holds in it, and behind each, is what holds for both.
START_TEST(calls_are_joined) {
  CakeOp *module = parse("func.func @f() {\n"
                         "  func.call @known() : () -> ()\n"
                         "  %0 = arith.constant 0 : i32\n"
                         "  func.call @known() : () -> ()\n"
                         "  %1 = arith.constant 1 : i32\n"
                         "  return\n"
                         "}\n"
                         "func.func private @known() {\n"
                         "  %2 = arith.constant 2 : i32\n"
                         "  return\n"
                         "}\n");
  static const Case cases[] = {
      {0, B(0) | B(2), B(2), B(0) | B(1) | B(2), B(1) | B(2)},
      {1, B(0) | B(2), B(2), 0,                  0          },
      {2, B(0) | B(2), 0,    B(0) | B(1) | B(2), B(1)       },
  };
  check_cases(module, cases, CAKE_COUNT(cases));
}
END_TEST

static void count_visits(void *user, CakeOp *op, const void *state) {
  (void)op, (void)state;
  ++*(int *)user;
}

// What is in an op of which nothing is known may be entered with anything, and what it does counts for the op as a whole.
START_TEST(opaque) {
  CakeOp *module = parse("%0 = arith.constant 0 : i32\n"
                         "\"t.op\"() ({\n"
                         "  %1 = arith.constant 1 : i32\n"
                         "}) : () -> ()\n"
                         "%2 = arith.constant 2 : i32\n");
  static const Case cases[] = {
      {1, 0,    0,    0, 0},
      {2, B(0), B(0), 0, 0},
  };
  check_cases(module, cases, CAKE_COUNT(cases));
  int visits = 0;
  CakeDense *dense = cake_dense_create(&may_forward, sizeof(Passed), &visits, module);
  visits = 0;
  cake_dense_visit(dense, cake_module_body(module), count_visits);
  ck_assert_int_eq(visits, 3);
  CakeEffectVec effects = {0};
  cake_dense_effects(cake_module_body(module)->first->next, &effects);
  ck_assert_uint_eq(effects.len, 1);
  CAKE_VEC_FINI(&effects);
  cake_dense_destroy(dense);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("dense");
  TCase *tcase = tcase_create("all");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, regions);
  tcase_add_test(tcase, blocks_and_calls);
  tcase_add_test(tcase, calls_are_joined);
  tcase_add_test(tcase, opaque);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
