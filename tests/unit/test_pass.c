// Pass manager and greedy rewriting where text cannot reach: hooks that never end, passes that fail silently, break the IR or count.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cake/dialects.h"
#include "cake/pass.h"
#include "cake/text.h"

// ---- A dialect whose hooks undo one another ------------------------------------------------------------------------

static bool become(CakeOp *op, CakeRewriter *rewriter, const char *name) {
  cake_rewriter_build(rewriter, &(CakeBuild){.name = name});
  cake_rewriter_erase(rewriter, op);
  return true;
}

static bool to_tock(CakeOp *op, CakeRewriter *rewriter) {
  return become(op, rewriter, "endless.tock");
}

static bool to_tick(CakeOp *op, CakeRewriter *rewriter) {
  return become(op, rewriter, "endless.tick");
}

// Says that it changed something, and did not.
static bool lie(CakeOp *op, CakeRewriter *rewriter) {
  (void)op;
  (void)rewriter;
  return true;
}

static const CakeDialectDef endless;
static const CakeOpDef endless_ops[] = {
    {.name = "tick", .dialect = &endless, .ordinal = 0, .summary = "", .canonicalize = to_tock},
    {.name = "tock", .dialect = &endless, .ordinal = 1, .summary = "", .canonicalize = to_tick},
    {.name = "liar", .dialect = &endless, .ordinal = 2, .summary = "", .canonicalize = lie    },
};
static const CakeDialectDef endless = {
    .name = "endless", .summary = "", .ops = endless_ops, .n_ops = CAKE_COUNT(endless_ops)};

// ---- Passes --------------------------------------------------------------------------------------------------------

static CakePassResult run_greedy(CakePassContext *pass, CakeOp *op) {
  bool changed;
  if (!cake_greedy_rewrite(pass, op, NULL, &changed)) return CAKE_PASS_FAILED;
  return changed ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}

static CakePassResult run_silent(CakePassContext *pass, CakeOp *op) {
  (void)pass;
  (void)op;
  return CAKE_PASS_FAILED;
}

static CakePassResult run_breaks(CakePassContext *pass, CakeOp *op) {
  cake_rewriter_set_end(&pass->rewriter, cake_module_body(op));
  cake_rewriter_build(&pass->rewriter, &(CakeBuild){.name = "scf.yield"}); // may not stand there
  return CAKE_PASS_UNCHANGED;                                              // the manager sees the change all the same
}

static CakePassResult run_adds(CakePassContext *pass, CakeOp *op) {
  cake_rewriter_set_end(&pass->rewriter, cake_module_body(op));
  cake_rewriter_build(&pass->rewriter, &(CakeBuild){.name = "endless.liar"});
  return CAKE_PASS_CHANGED;
}

// What a pass on a function must not do: to the function, to others, to what is around.
static CakePassResult run_leaves(CakePassContext *pass, CakeOp *op) {
  CakeStr what = cake_pass_option_str(pass->pass, "what");
  CakeRewriter *rewriter = &pass->rewriter;
  if (cake_str_is(what, "own")) cake_rewriter_set_attr_text(rewriter, op, "done", cake_attr_unit(pass->context));
  if (cake_str_is(what, "itself")) cake_rewriter_erase(rewriter, op);
  if (cake_str_is(what, "next")) cake_rewriter_erase(rewriter, op->next ? op->next : op->prev);
  if (cake_str_is(what, "around"))
    cake_rewriter_set_attr_text(rewriter, cake_op_parent(op), "done", cake_attr_unit(pass->context));
  if (!cake_str_is(what, "beside")) return CAKE_PASS_CHANGED;
  cake_rewriter_set_after(rewriter, op);
  cake_rewriter_build(rewriter, &(CakeBuild){.name = "endless.tick"});
  return CAKE_PASS_CHANGED;
}

static CakePassResult run_counts(CakePassContext *pass, CakeOp *op) {
  cake_pass_count(pass, "visits", 2);
  cake_pass_count(pass, "visits", cake_pass_option_int(pass->pass, "amount"));
  cake_pass_remark(pass, op, "saw %s", cake_pass_option_bool(pass->pass, "loud") ? "much" : "little");
  cake_buf_str(pass->report, cake_pass_option_str(pass->pass, "text"));
  return CAKE_PASS_UNCHANGED;
}

// An analysis that counts how often it is made.
static int n_made, n_destroyed;

static void *make_analysis(CakeOp *op) {
  n_made++;
  return op;
}

static void destroy_analysis(void *analysis) {
  (void)analysis;
  n_destroyed++;
}

static const CakeAnalysisDef analysis = {.name = "counted", .create = make_analysis, .destroy = destroy_analysis};

// Changes the IR by the functions below the rewriter, and says nothing of it.
static CakePassResult run_hides(CakePassContext *pass, CakeOp *op) {
  (void)pass;
  CakeOp *last = cake_op_region(op, 0)->first->last;
  cake_op_unlink(last);
  cake_op_destroy(last);
  return CAKE_PASS_UNCHANGED;
}

// Preserves dominance, and cuts the entry block (or only changes an attribute).
static CakePassResult run_keeps(CakePassContext *pass, CakeOp *op) {
  CakeDominance *dominance = cake_pass_analysis(pass, &cake_dominance_analysis, op);
  CakeBlock *last = cake_op_region(op, 0)->last;
  ck_assert(cake_dominance_blocks(dominance, cake_op_region(op, 0)->first, last));
  if (cake_str_is(cake_pass_option_str(pass->pass, "what"), "cut")) {
    CakeBlock *rest = cake_rewriter_split_block(&pass->rewriter, last->first);
    cake_rewriter_set_end(&pass->rewriter, last);
    cake_rewriter_build(&pass->rewriter, &(CakeBuild){.name = "cf.br", .successors = &rest, .n_successors = 1});
  }
  cake_rewriter_set_attr_text(&pass->rewriter, op, "done", cake_attr_unit(pass->context));
  cake_pass_preserve(pass, &cake_dominance_analysis);
  return CAKE_PASS_CHANGED;
}

static CakePassResult run_looks(CakePassContext *pass, CakeOp *op) {
  ck_assert_ptr_eq(cake_pass_analysis(pass, &analysis, op), op);
  return CAKE_PASS_UNCHANGED;
}

static CakePassResult run_preserves(CakePassContext *pass, CakeOp *op) {
  cake_pass_preserve(pass, &analysis);
  return run_adds(pass, op);
}

static const CakePassOption options[] = {
    {"amount", CAKE_OPTION_INT,    "5",     "a number"},
    {"loud",   CAKE_OPTION_BOOL,   "false", "a flag"  },
    {"text",   CAKE_OPTION_STRING, "",      "a text"  },
};
static const CakePassOption what[] = {
    {"what", CAKE_OPTION_STRING, "", "what to do"},
};
static const CakePassDef table[] = {
    {.name = "hides", .summary = "", .anchor = "func.func", .run = run_hides},
    {.name = "keeps", .summary = "", .anchor = "func.func", .options = what, .n_options = 1, .run = run_keeps},
    {.name = "leaves", .summary = "", .anchor = "func.func", .options = what, .n_options = 1, .run = run_leaves},
    {.name = "greedy", .summary = "", .run = run_greedy},
    {.name = "silent", .summary = "", .run = run_silent},
    {.name = "breaks", .summary = "", .anchor = "builtin.module", .run = run_breaks},
    {.name = "looks", .summary = "", .run = run_looks},
    {.name = "preserves", .summary = "", .run = run_preserves},
    {.name = "adds", .summary = "", .run = run_adds},
    {.name = "counts", .summary = "", .options = options, .n_options = CAKE_COUNT(options), .run = run_counts},
    {.name = "function", .summary = "", .anchor = "func.func", .run = run_greedy},
    {0},
};
static const CakePassDef *const tables[] = {table};
static const CakePassRegistry registry = {tables, 1};

// ---- Fixture -------------------------------------------------------------------------------------------------------

static CakeContext *context;
static CakeOp *module;
static CakeBuf messages, dump;

static void collect(void *user, const CakeDiagnostic *diagnostic) {
  (void)user;
  cake_buf_printf(&messages, "%.*s [%s]\n", CAKE_STR_ARG(diagnostic->message), cake_code_name(diagnostic->code));
}

static void setup(void) {
  context = cake_context_create();
  cake_register_all_dialects(context);
  cake_context_register_dialect(context, &endless);
  cake_context_set_handler(context, collect, NULL, NULL, NULL);
  module = cake_module_create(context, cake_loc_unknown());
}

static void teardown(void) {
  cake_context_destroy(context);
  cake_buf_fini(&messages);
  cake_buf_fini(&dump);
}

static void add(const char *name) {
  CakeRewriter rewriter = cake_rewriter(context, NULL);
  cake_rewriter_set_end(&rewriter, cake_module_body(module));
  cake_rewriter_build(&rewriter, &(CakeBuild){.name = name});
}

static bool run(const char *text, const CakePipelineOptions *with) {
  CakePipeline *pipeline = cake_pipeline_parse(context, &registry, cake_str(text));
  if (!pipeline) return false;
  CakePipelineOptions defaults = {.verify_each = true, .dump = &dump};
  bool is_fine = cake_pipeline_run(pipeline, module, with ? with : &defaults);
  cake_pipeline_destroy(pipeline);
  return is_fine;
}

#define ck_message(text)                                                                                               \
  ck_assert_msg(messages.len &&strstr(messages.data, text), "got: %s", messages.len ? messages.data : "nothing")

// ---- Tests ---------------------------------------------------------------------------------------------------------

START_TEST(greedy_reports_hooks_that_never_end) {
  add("endless.tick");
  ck_assert(!run("builtin.module(greedy)", NULL));
  ck_message("rewriting does not come to an end: stopped by the limit of rewrites after 4161 rewrites");
  ck_message(
      "these feed one another: the canonicalize hook of 'endless.tick', the canonicalize hook of 'endless.tock' [");
}
END_TEST

START_TEST(analyses_are_kept_until_something_changes) {
  n_made = n_destroyed = 0;
  ck_assert(run("builtin.module(looks,looks,silent)", NULL) == false);
  ck_assert_int_eq(n_made, 1);
  ck_assert_int_eq(n_destroyed, 1); // whatever became of the run
  ck_assert(run("builtin.module(looks,adds,looks,preserves,looks)", NULL));
  ck_assert_int_eq(n_made, 3); // adds dropped it, preserves did not
  ck_assert_int_eq(n_destroyed, 3);
}
END_TEST

START_TEST(a_reproducer_gives_its_pipeline_back) {
  CakeBuf text = {0}, pipeline = {0};
  CakePipelineOptions with = {.verify_each = true, .reproducer = &text};
  ck_assert(run("builtin.module(counts{amount=1 loud=true text='a \"b\" \\\\ c'})", &with));
  ck_assert(cake_reproducer_pipeline(cake_buf_view(&text), &pipeline));
  ck_assert_str_eq(pipeline.data, "builtin.module(counts{amount=1 loud=true text='a \"b\" \\\\ c'})");
  ck_assert(!cake_reproducer_pipeline(CAKE_STR("module {} {-# mlir_reproducer: { pipeline: \"builtin"), &pipeline));
  ck_assert(!cake_reproducer_pipeline(CAKE_STR(""), &pipeline));
  cake_buf_fini(&text);
  cake_buf_fini(&pipeline);
}
END_TEST

START_TEST(greedy_reports_a_hook_that_says_what_it_did_not_do) {
  add("endless.liar");
  ck_assert(!run("builtin.module(greedy)", NULL));
  ck_message("'endless.liar' op: hook 'canonicalize' says that it changed the IR, and changed nothing");
}
END_TEST

START_TEST(manager_gives_a_silent_failure_a_reason) {
  ck_assert(!run("builtin.module(silent)", NULL));
  ck_message("pass 'silent' failed without a reason");
}
END_TEST

START_TEST(manager_verifies_changes_that_a_pass_hides) {
  ck_assert(!run("builtin.module(breaks)", NULL));
  ck_message("'scf.yield' op expects parent op");
  ck_message("pass 'breaks' left IR that does not verify");
}
END_TEST

START_TEST(a_pass_works_on_its_op_alone) {
  static const struct {
    const char *what, *message; // NULL: it may do that
  } cases[] = {
      {"own",    NULL                                                                               },
      {"itself", "pass 'leaves' erased the op that it runs on, or one around it"                    },
      {"next",   "pass 'leaves' changed 'func.func' op, which is not in the op that it runs on"     },
      {"around", "pass 'leaves' changed 'builtin.module' op, which is not in the op that it runs on"},
      {"beside", "pass 'leaves' changed 'endless.tick' op, which is not in the op that it runs on"  },
  };
  CakeBuf text = {0};
  module = cake_parse_module(context, CAKE_STR("f"),
                             CAKE_STR("func.func @f() {\n  return\n}\nfunc.func @g() {\n  return\n}\n"));
  cake_buf_printf(&text, "builtin.module(func.func(leaves{what=%s}))", cases[_i].what);
  ck_assert(run(text.data, &(CakePipelineOptions){.verify_each = true}) == !cases[_i].message);
  if (cases[_i].message) ck_message(cases[_i].message);
  ck_assert_str_eq(cake_module_body(module)->first->info->name->text, "func.func"); // nothing has gone
  ck_assert_str_eq(cake_module_body(module)->last->info->name->text, "func.func");
  cake_buf_fini(&text);
}
END_TEST

START_TEST(claims_are_checked) {
  static const struct {
    const char *pipeline, *message; // NULL: all is true
  } cases[] = {
      {"builtin.module(func.func(hides))",           "pass 'hides' says that it changed nothing, and the IR has changed"},
      {"builtin.module(func.func(keeps))",           NULL                                                               },
      {"builtin.module(func.func(keeps{what=cut}))",
       "pass 'keeps' says that it preserves the analysis 'dominance', which is not true any more"                       },
  };
  const char *text = "func.func @f() {\n  cf.br ^bb1\n^bb1:\n  return\n}\n";
  module = cake_parse_module(context, CAKE_STR("f"), cake_str(text));
  ck_assert(run(cases[_i].pipeline, &(CakePipelineOptions){.verify_each = false})); // nobody looks
  module = cake_parse_module(context, CAKE_STR("f"), cake_str(text));
  ck_assert(run(cases[_i].pipeline, &(CakePipelineOptions){.check_claims = true}) == !cases[_i].message);
  if (cases[_i].message) ck_message(cases[_i].message);
}
END_TEST

START_TEST(verification_can_be_left_out) {
  ck_assert(run("builtin.module(breaks)", &(CakePipelineOptions){.verify_each = false}));
}
END_TEST

static bool refuse(CakeOp *op) {
  return cake_error(op, CAKE_CODE_IR_SEMANTICS, "refused");
}

START_TEST(extra_verifiers_run_behind_the_cores) {
  const CakeVerifyFn extra[] = {refuse};
  CakePipelineOptions with = {.verify_each = true, .extra_verifiers = extra, .n_extra_verifiers = 1};
  ck_assert(run("builtin.module(greedy)", &with)); // nothing changed: nothing to verify
  ck_assert(!run("builtin.module(adds)", &with));
  ck_message("refused");
}
END_TEST

START_TEST(dump_shows_the_failed_pass) {
  ck_assert(!run("builtin.module(breaks)",
                 &(CakePipelineOptions){.verify_each = true, .print_after_failure = true, .dump = &dump}));
  ck_assert(dump.len && strstr(dump.data, "IR Dump After Failed breaks"));
}
END_TEST

START_TEST(options_statistics_and_remarks) {
  CakePipelineOptions with = {.statistics = true, .dump = &dump};
  ck_assert(run("builtin.module(counts{amount=40 loud text={a b}})", &with));
  ck_message("counts: saw much [PASS_REMARK]");
  ck_assert_ptr_nonnull(strstr(dump.data, "a b"));
  ck_assert_ptr_nonnull(strstr(dump.data, "42 visits"));
}
END_TEST

START_TEST(pipeline_prints_and_parses_back) {
  CakePipeline *pipeline = cake_pipeline_parse(
      context, &registry,
      CAKE_STR(" builtin.module ( counts { text='a b' } , func.func( greedy ,any(greedy)), greedy ) "));
  ck_assert_ptr_nonnull(pipeline);
  CakeBuf once = {0}, twice = {0};
  cake_pipeline_print(pipeline, &once);
  cake_pipeline_destroy(pipeline);
  ck_assert_str_eq(once.data,
                   "builtin.module(counts{amount=5 loud=false text={a b}},func.func(greedy,any(greedy)),greedy)");
  pipeline = cake_pipeline_parse(context, &registry, cake_buf_view(&once));
  ck_assert_ptr_nonnull(pipeline);
  cake_pipeline_print(pipeline, &twice);
  cake_pipeline_destroy(pipeline);
  ck_assert_str_eq(once.data, twice.data);
  cake_buf_fini(&once);
  cake_buf_fini(&twice);
}
END_TEST

START_TEST(single_flags_nest_on_their_anchor) {
  CakePipeline *pipeline = cake_pipeline_create(context, &registry);
  CakeBuf text = {0};
  ck_assert(cake_pipeline_add(pipeline, CAKE_STR("greedy"), CAKE_STR("")));
  ck_assert(cake_pipeline_add(pipeline, CAKE_STR("function"), CAKE_STR("")));
  ck_assert(cake_pipeline_add(pipeline, CAKE_STR("function"), CAKE_STR("")));
  ck_assert(cake_pipeline_add(pipeline, CAKE_STR("breaks"), CAKE_STR("")));
  cake_pipeline_print(pipeline, &text);
  ck_assert_str_eq(text.data, "builtin.module(greedy,func.func(function,function),breaks)");
  cake_buf_fini(&text);
  cake_pipeline_destroy(pipeline);
}
END_TEST

START_TEST(a_pass_on_another_op_is_refused) {
  ck_assert(!run("builtin.module(function)", NULL));
  ck_message("pass 'function' runs on 'func.func', not on 'builtin.module': write func.func(function)");
}
END_TEST

START_TEST(deep_pipelines_are_refused) {
  CakeBuf text = {0};
  for (int i = 0; i < 8000; i++)
    cake_buf_text(&text, "any(");
  ck_assert(!run(text.data, NULL));
  ck_message("nested deeper than 64 levels");
  cake_buf_fini(&text);
}
END_TEST

START_TEST(times_are_rows_with_shares) {
  CakeTiming *timing = cake_timing_create();
  cake_timing_add(timing, CAKE_STR("one"), 0, 3.0);
  cake_timing_add(timing, CAKE_STR("inner"), 1, 1.0);
  cake_timing_add(timing, CAKE_STR("two"), 0, 0.5);
  cake_timing_add(timing, CAKE_STR("two"), 0, 0.5);
  cake_timing_print(timing, false, &dump);
  ck_assert_ptr_nonnull(strstr(dump.data, "Total: 4.000000 seconds"));
  ck_assert_ptr_nonnull(strstr(dump.data, "( 75.0%)"));
  ck_assert_ptr_nonnull(strstr(dump.data, "( 25.0%)       2  two"));
  cake_timing_destroy(timing);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("pass");
  TCase *tests = tcase_create("pass");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, greedy_reports_hooks_that_never_end);
  tcase_add_test(tests, greedy_reports_a_hook_that_says_what_it_did_not_do);
  tcase_add_test(tests, analyses_are_kept_until_something_changes);
  tcase_add_test(tests, a_reproducer_gives_its_pipeline_back);
  tcase_add_test(tests, manager_gives_a_silent_failure_a_reason);
  tcase_add_test(tests, manager_verifies_changes_that_a_pass_hides);
  tcase_add_loop_test(tests, a_pass_works_on_its_op_alone, 0, 5);
  tcase_add_loop_test(tests, claims_are_checked, 0, 3);
  tcase_add_test(tests, verification_can_be_left_out);
  tcase_add_test(tests, extra_verifiers_run_behind_the_cores);
  tcase_add_test(tests, dump_shows_the_failed_pass);
  tcase_add_test(tests, options_statistics_and_remarks);
  tcase_add_test(tests, pipeline_prints_and_parses_back);
  tcase_add_test(tests, single_flags_nest_on_their_anchor);
  tcase_add_test(tests, a_pass_on_another_op_is_refused);
  tcase_add_test(tests, deep_pipelines_are_refused);
  tcase_add_test(tests, times_are_rows_with_shares);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_set_fork_status(runner, CK_NOFORK); // so that leaks are seen
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
