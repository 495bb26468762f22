// Patterns in C: their order, the trace, and reports of patterns that do not do what they say.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cake/dialects.h"
#include "cake/pattern.h"
#include "cake/text.h"

static CakeContext *context;
static CakeOp *module;
static CakePatternSet *patterns;
static CakeBuf messages, dump;

// ---- Patterns ------------------------------------------------------------------------------------------------------

static bool replace_by(CakeOp *op, CakeRewriter *rewriter, const char *name) {
  cake_rewriter_build(rewriter, &(CakeBuild){.name = name});
  cake_rewriter_erase(rewriter, op);
  return true;
}

static bool to_first(const CakePattern *pattern, CakeOp *op, CakeRewriter *rewriter) {
  (void)pattern;
  return replace_by(op, rewriter, "t.first");
}

static bool to_second(const CakePattern *pattern, CakeOp *op, CakeRewriter *rewriter) {
  (void)pattern;
  return replace_by(op, rewriter, "t.second");
}

static bool decline(const CakePattern *pattern, CakeOp *op, CakeRewriter *rewriter) {
  (void)pattern;
  return cake_rewriter_decline(rewriter, "it has %u operands", op->n_operands);
}

static bool claim(const CakePattern *pattern, CakeOp *op, CakeRewriter *rewriter) {
  (void)pattern, (void)op, (void)rewriter;
  return true;
}

static bool deny(const CakePattern *pattern, CakeOp *op, CakeRewriter *rewriter) {
  (void)pattern;
  cake_rewriter_set_attr_text(rewriter, op, "done", cake_attr_unit(context));
  return false;
}

static bool erase_twice(const CakePattern *pattern, CakeOp *op, CakeRewriter *rewriter) {
  (void)pattern;
  cake_rewriter_erase(rewriter, op);
  cake_rewriter_erase(rewriter, op);
  return true;
}

static bool change_erased(const CakePattern *pattern, CakeOp *op, CakeRewriter *rewriter) {
  (void)pattern;
  cake_rewriter_erase(rewriter, op);
  cake_rewriter_set_attr_text(rewriter, op, "done", cake_attr_unit(context));
  return true;
}

static bool use_erased(const CakePattern *pattern, CakeOp *op, CakeRewriter *rewriter) {
  (void)pattern;
  CakeValue *result = cake_op_result(op, 0);
  cake_rewriter_erase(rewriter, op);
  cake_rewriter_build(rewriter, &(CakeBuild){.name = "t.user", .operands = &result, .n_operands = 1});
  return true;
}

static bool erase_used(const CakePattern *pattern, CakeOp *op, CakeRewriter *rewriter) {
  (void)pattern;
  CakeValue *result = cake_op_result(op, 0);
  cake_rewriter_build(rewriter, &(CakeBuild){.name = "t.user", .operands = &result, .n_operands = 1});
  CakeOp *user = op->prev;
  cake_rewriter_move_to_end(rewriter, user, op->block);
  cake_rewriter_erase(rewriter, op);
  return true;
}

static bool erase_around(const CakePattern *pattern, CakeOp *op, CakeRewriter *rewriter) {
  (void)pattern;
  cake_rewriter_erase(rewriter, cake_op_parent(op));
  return true;
}

// ---- Fixture -------------------------------------------------------------------------------------------------------

static void collect(void *user, const CakeDiagnostic *diagnostic) {
  (void)user;
  cake_buf_printf(&messages, "%.*s [%s]\n", CAKE_STR_ARG(diagnostic->message), cake_code_name(diagnostic->code));
}

static void setup(void) {
  context = cake_context_create();
  cake_context_allow_unregistered(context, true);
  cake_register_all_dialects(context);
  cake_context_set_handler(context, collect, NULL, NULL, NULL);
  module = cake_parse_module(context, CAKE_STR("f"), CAKE_STR("%0 = \"t.op\"() : () -> i32"));
  patterns = cake_pattern_set_create(context);
}

static void teardown(void) {
  cake_context_destroy(context);
  cake_buf_fini(&messages);
  cake_buf_fini(&dump);
}

static CakePassResult run_patterns(CakePassContext *pass, CakeOp *op) {
  CakeGreedyOptions options = {.max_iterations = 10, .max_rewrites = -1, .patterns = patterns, .only_patterns = true};
  bool is_changed;
  if (!cake_greedy_rewrite(pass, op, &options, &is_changed)) return CAKE_PASS_FAILED;
  return is_changed ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}

static bool run(void) {
  static const CakePassDef table[] = {
      {.name = "patterns", .summary = "", .run = run_patterns},
      {0}
  };
  static const CakePassDef *const tables[] = {table};
  static const CakePassRegistry registry = {tables, 1};
  CakePipeline *pipeline = cake_pipeline_create(context, &registry);
  ck_assert(cake_pipeline_add(pipeline, CAKE_STR("patterns"), CAKE_STR("")));
  CakePipelineOptions options = {.verify_each = true, .trace_rewrites = true, .dump = &dump};
  bool is_fine = cake_pipeline_run(pipeline, module, &options);
  cake_pipeline_destroy(pipeline);
  return is_fine;
}

static bool has(const char *name) {
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false))
    if (cake_op_is(op, name)) return true;
  return false;
}

#define ck_text(buf, text)                                                                                             \
  ck_assert_msg((buf).len &&strstr((buf).data, text), "got: %s", (buf).len ? (buf).data : "nothing")

// ---- Tests ---------------------------------------------------------------------------------------------------------

START_TEST(the_highest_benefit_is_tried_first_and_then_the_first) {
  static const CakePattern low = {"low", "t.op", 1, to_first}, high = {"high", NULL, 5, decline};
  static const CakePattern equal = {"equal", "t.op", 1, to_second};
  cake_pattern_set_add(patterns, &low);
  cake_pattern_set_add(patterns, &equal);
  cake_pattern_set_add(patterns, &high);
  ck_assert(run());
  ck_assert(has("t.first") && !has("t.second") && !has("t.op"));
  ck_text(dump, "rewrite: f:1:6: 't.op': pattern 'high' does not apply: it has 0 operands\n"
                "rewrite: f:1:6: 't.op': pattern 'low' applied\n");
}
END_TEST

START_TEST(a_pattern_may_be_added_between_two_runs) {
  static const CakePattern first = {"first", "t.op", 1, decline}, second = {"second", "t.op", 2, to_second};
  cake_pattern_set_add(patterns, &first);
  ck_assert(run());
  ck_assert(has("t.op"));
  cake_pattern_set_add(patterns, &second);
  ck_assert(run());
  ck_assert(has("t.second"));
}
END_TEST

START_TEST(success_without_a_change_is_reported) {
  static const CakePattern pattern = {"claim", "t.op", 1, claim};
  cake_pattern_set_add(patterns, &pattern);
  ck_assert(!run());
  ck_text(messages, "'t.op' op: pattern 'claim' says that it changed the IR, and changed nothing [PASS_FAILED]");
}
END_TEST

START_TEST(a_change_without_success_is_reported) {
  static const CakePattern pattern = {"deny", "t.op", 1, deny};
  cake_pattern_set_add(patterns, &pattern);
  ck_assert(!run());
  ck_text(messages, "'t.op' op: pattern 'deny' says that it does not apply, and changed the IR [PASS_FAILED]");
}
END_TEST

START_TEST(ops_that_a_failed_run_has_left_are_rewritten_by_the_next) {
  static const CakePattern faulty = {"claim", "t.op", 1, claim}, sound = {"sound", "t.late", 1, to_second};
  module = cake_parse_module(context, CAKE_STR("f"), CAKE_STR("\"t.op\"() : () -> ()\n\"t.late\"() : () -> ()"));
  cake_pattern_set_add(patterns, &faulty);
  ck_assert(!run());
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false))
    ck_assert_uint_eq(op->place, 0);
  patterns = cake_pattern_set_create(context);
  cake_pattern_set_add(patterns, &sound);
  ck_assert(run());
  ck_assert(has("t.second") && !has("t.late"));
}
END_TEST

START_TEST(what_has_to_stay_is_not_erased) {
  static const struct {
    CakePattern pattern;
    const char *message;
  } cases[] = {
      {{"used", "t.op", 1, erase_used},     "pattern 'used' erased an op whose results are used"              },
      {{"around", "t.op", 1, erase_around}, "pattern 'around' erased the op that it runs on, or one around it"},
  };
  cake_pattern_set_add(patterns, &cases[_i].pattern);
  ck_assert(!run());
  ck_text(messages, cases[_i].message);
  ck_assert(has("t.op") && cake_verify(module));
}
END_TEST

START_TEST(work_on_an_erased_op_is_reported) {
  static const struct {
    CakePattern pattern;
    const char *message;
  } cases[] = {
      {{"twice", "t.op", 1, erase_twice},    "pattern 'twice' erased an op and erased it afterwards"            },
      {{"change", "t.op", 1, change_erased}, "pattern 'change' erased an op and gave it an attribute afterwards"},
      {{"use", "t.op", 1, use_erased},       "pattern 'use' erased an op and used a result of it afterwards"    },
  };
  cake_pattern_set_add(patterns, &cases[_i].pattern);
  ck_assert(!run());
  ck_text(messages, cases[_i].message);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("pattern");
  TCase *tests = tcase_create("pattern");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, the_highest_benefit_is_tried_first_and_then_the_first);
  tcase_add_test(tests, a_pattern_may_be_added_between_two_runs);
  tcase_add_test(tests, success_without_a_change_is_reported);
  tcase_add_test(tests, a_change_without_success_is_reported);
  tcase_add_test(tests, ops_that_a_failed_run_has_left_are_rewritten_by_the_next);
  tcase_add_loop_test(tests, what_has_to_stay_is_not_erased, 0, 2);
  tcase_add_loop_test(tests, work_on_an_erased_op_is_reported, 0, 3);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
