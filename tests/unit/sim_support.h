// What the tests of the simulator share: a context with all dialects, a kernel from text, arguments, and the last diagnostics.
#ifndef CAKE_TESTS_SIM_SUPPORT_H
#define CAKE_TESTS_SIM_SUPPORT_H

#include "cake/dialects.h"
#include "cake/float.h"
#include "cake/simulator.h"
#include "cake/text.h"
#include "dialects/cake/cake.h"

#include <check.h>
#include <stdlib.h>

typedef struct Sim {
  CakeContext *context;
  CakeOp *kernel;
  CakeBuf messages; // every diagnostic as printed, and "[CODE]" in it
  CakeSimArgument args[8];
  size_t n_args;
  CakeSimOptions options;
  CakeSimReport report;
} Sim;

static void sim_collect(void *user, const CakeDiagnostic *diagnostic) {
  Sim *sim = user;
  cake_diag_print(sim->context, diagnostic, &sim->messages);
}

// The first kernel of the text, with template parameters `values`.
static inline Sim sim_open_with(const char *text, const CakeParamValue *values, size_t count) {
  Sim sim = {.context = cake_context_create()};
  cake_register_all_dialects(sim.context);
  cake_context_set_handler(sim.context, sim_collect, &sim, NULL, NULL);
  CakeStr kept = cake_arena_str(cake_context_arena(sim.context), cake_str(text)); // diagnostics quote it
  CakeOp *module = cake_parse_module(sim.context, CAKE_STR("test.cake"), kept);
  ck_assert_msg(module != NULL, "%s", sim.messages.data);
  for (CakeOp *op = cake_module_body(module)->first; op && !sim.kernel; op = op->next) {
    if (cake_op_is(op, "cake.kernel")) sim.kernel = op;
  }
  ck_assert_ptr_nonnull(sim.kernel);
  CakeRewriter rewriter = cake_rewriter(sim.context, NULL);
  ck_assert_msg(cake_kernel_instantiate(&rewriter, sim.kernel, values, count), "%s", sim.messages.data);
  cake_context_set_handler(sim.context, NULL, NULL, NULL, NULL);
  return sim;
}

static inline Sim sim_open(const char *text) {
  return sim_open_with(text, NULL, 0);
}

static inline void sim_close(Sim *sim) {
  cake_buf_fini(&sim->messages);
  cake_context_destroy(sim->context);
}

static inline CakeType sim_float(Sim *sim, CakeFloat kind) {
  return cake_type_float(sim->context, kind);
}

// Adds an array; `dims` end with -1.
static inline void sim_arg(Sim *sim, const char *name, CakeType element, void *data, const int64_t *dims) {
  CakeSimArgument *arg = &sim->args[sim->n_args++];
  *arg = (CakeSimArgument){
      cake_str(name), {.element = element, .data = data}
  };
  while (dims[arg->array.rank] >= 0) {
    arg->array.dims[arg->array.rank] = dims[arg->array.rank];
    arg->array.rank++;
  }
}
#define SIM_DIMS(...) ((const int64_t[]){__VA_ARGS__, -1})
#define SIM_SCALAR ((const int64_t[]){-1})

static inline bool sim_run(Sim *sim) {
  cake_buf_clear(&sim->messages);
  cake_context_set_handler(sim->context, sim_collect, sim, NULL, NULL);
  bool ok = cake_simulate(sim->kernel, sim->args, sim->n_args, &sim->options, &sim->report);
  cake_context_set_handler(sim->context, NULL, NULL, NULL, NULL);
  return ok;
}

#define SIM_EXPECT_OK(sim) ck_assert_msg(sim_run(sim), "%s", (sim)->messages.data)
// The launch fails with that code, and its text has these words.
static inline void sim_expect_error(Sim *sim, const char *code, const char *words) {
  bool ok = sim_run(sim);
  const char *text = sim->messages.len ? sim->messages.data : "";
  CakeBuf tag = {0};
  cake_buf_printf(&tag, "[%s]", code);
  ck_assert_msg(!ok, "it ran; wanted %s", code);
  ck_assert_msg(strstr(text, tag.data) != NULL, "wanted %s, got: %s", code, text);
  ck_assert_msg(strstr(text, words) != NULL, "wanted '%s', got: %s", words, text);
  cake_buf_fini(&tag);
}

static inline int sim_main(Suite *suite) {
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
