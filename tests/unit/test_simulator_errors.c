// What the simulator refuses and what it finds: arguments that do not fit, and programs that break the rules for linear values (which
// `cake_simulate` does not ask for), each with the words that name the fault.
#include "sim_support.h"

#define ROW "#cake.row<mma.acc<4x1>>"

// ---- Arguments -------------------------------------------------------------------------------------------------------------

static const char scale[] = "cake.kernel @scale(%x: !cake.global<[N]x[M]xf32>, %y: !cake.global<[N]x64xf32>, %f: f32) "
                            "target(\"sm_80\") guard(N ge 2, M eq 64) {\n"
                            "  cake.tiles @work (n = N) schedule(grid)\n"
                            "  cake.role @all warps(4) {\n"
                            "    cake.items (%n) in @work {\n"
                            "      %a = cake.load %x[%n, 0] : tensor<64xf32, " ROW ">\n"
                            "      cake.store %a, %y[%n, 0]\n"
                            "    }\n"
                            "  }\n"
                            "}\n";

static float x_data[4 * 64], y_data[4 * 64], factor = 2;

static Sim scale_open(void) {
  Sim sim = sim_open(scale);
  CakeType f32 = cake_type_f32(sim.context);
  sim_arg(&sim, "x", f32, x_data, SIM_DIMS(4, 64));
  sim_arg(&sim, "y", f32, y_data, SIM_DIMS(4, 64));
  sim_arg(&sim, "f", f32, &factor, SIM_SCALAR);
  return sim;
}

START_TEST(arguments_that_fit_run) {
  Sim sim = scale_open();
  for (int i = 0; i < 4 * 64; i++)
    x_data[i] = (float)i;
  SIM_EXPECT_OK(&sim);
  for (int i = 0; i < 4 * 64; i++)
    ck_assert_float_eq(y_data[i], (float)i);
  sim_close(&sim);
}
END_TEST

START_TEST(a_missing_argument) {
  Sim sim = scale_open();
  sim.n_args = 2;
  sim_expect_error(&sim, "RUN_ARGUMENT", "argument 'f' of type f32 was not given");
  sim_close(&sim);
}
END_TEST

START_TEST(an_unknown_argument) {
  Sim sim = scale_open();
  sim.args[2].name = CAKE_STR("g");
  sim_expect_error(&sim, "RUN_ARGUMENT", "the kernel has no argument 'g'; it has 'x', 'y', 'f'");
  sim_close(&sim);
}
END_TEST

START_TEST(an_argument_given_twice) {
  Sim sim = scale_open();
  sim.args[1].name = CAKE_STR("x");
  sim_expect_error(&sim, "RUN_ARGUMENT", "was given twice");
  sim_close(&sim);
}
END_TEST

START_TEST(elements_of_another_type) {
  Sim sim = scale_open();
  sim.args[1].array.element = cake_type_i32(sim.context);
  sim_expect_error(&sim, "RUN_ARGUMENT", "was given elements of type i32");
  sim_close(&sim);
}
END_TEST

START_TEST(another_number_of_dimensions) {
  Sim sim = scale_open();
  sim.args[0].array.rank = 1;
  sim_expect_error(&sim, "RUN_ARGUMENT", "dimensions is 1");
  sim_close(&sim);
}
END_TEST

START_TEST(no_data) {
  Sim sim = scale_open();
  sim.args[0].array.data = NULL;
  sim_expect_error(&sim, "RUN_ARGUMENT", "was given no data");
  sim_close(&sim);
}
END_TEST

START_TEST(sizes_that_disagree) {
  Sim sim = scale_open();
  sim.args[1].array.dims[0] = 3;
  sim_expect_error(&sim, "RUN_ARGUMENT",
                   "size 'N' is 4 in dimension 0 of argument 'x', but 3 in dimension 0 of argument 'y'");
  sim_close(&sim);
}
END_TEST

START_TEST(a_constant_size_that_differs) {
  Sim sim = scale_open();
  sim.args[1].array.dims[1] = 63;
  sim_expect_error(&sim, "RUN_ARGUMENT", "dimension 1 of argument 'y' is 63");
  sim_close(&sim);
}
END_TEST

START_TEST(a_size_out_of_range) {
  Sim sim = scale_open();
  sim.args[0].array.dims[0] = -3;
  sim_expect_error(&sim, "RUN_ARGUMENT", "dimension 0 of argument 'x' is -3");
  sim.args[0].array.dims[0] = INT64_MAX;
  sim_expect_error(&sim, "RUN_ARGUMENT", "dimension 0 of argument 'x'");
  sim_close(&sim);
}
END_TEST

START_TEST(a_guard_that_fails) {
  Sim sim = scale_open();
  sim.args[0].array.dims[0] = sim.args[1].array.dims[0] = 1;
  sim_expect_error(&sim, "RUN_GUARD", "N = 1, from argument 'x'");
  sim_close(&sim);
}
END_TEST

START_TEST(a_cta_that_the_grid_lacks) {
  static const int64_t ctas[] = {0, -1};
  Sim sim = scale_open();
  sim.options = (CakeSimOptions){.ctas = ctas, .n_ctas = 2};
  sim_expect_error(&sim, "RUN_ARGUMENT", "no CTA -1: the grid has 4");
  sim.options = (CakeSimOptions){.cta_count = -1};
  sim_expect_error(&sim, "RUN_ARGUMENT", "no CTA");
  sim.options = (CakeSimOptions){.first_cta = 4};
  sim_expect_error(&sim, "RUN_ARGUMENT", "no CTA 4");
  sim.options = (CakeSimOptions){.first_cta = INT64_MAX, .cta_count = INT64_MAX};
  sim_expect_error(&sim, "RUN_ARGUMENT", "no CTA");
  sim_close(&sim);
}
END_TEST

START_TEST(a_kernel_with_parameters) {
  CakeContext *context = cake_context_create();
  cake_register_all_dialects(context);
  CakeOp *module = cake_parse_module(
      context, CAKE_STR("t"),
      CAKE_STR("cake.kernel @k(%x: !cake.global<[N]xf32>) target(\"sm_80\") {\n  cake.param @D = 4 in [4, 8]\n"
               "  cake.role @all warps(1) {\n  }\n}\n"));
  ck_assert_ptr_nonnull(module);
  float value = 0;
  CakeSimArgument x = {
      CAKE_STR("x"), {.element = cake_type_f32(context), .data = &value, .dims = {1}, .rank = 1}
  };
  Sim sim = {.context = context, .kernel = cake_module_body(module)->first, .args = {x}, .n_args = 1};
  sim_expect_error(&sim, "PARAM_CHOICE", "is not instantiated");
  sim_close(&sim);
}
END_TEST

// ---- Programs --------------------------------------------------------------------------------------------------------------

// Two arrays of 256 floats, two pipelines of one stage, a producer and a consumer.
#define PROGRAM(producer, consumer)                                                                                    \
  "cake.kernel @k(%x: !cake.global<[N]xf32>, %y: !cake.global<[N]xf32>) target(\"sm_90a\") {\n"                        \
  "  cake.pipeline @p stages(1) from(@load) to(@use) slot(v: !cake.shared<64xf32, rows>)\n"                            \
  "  cake.pipeline @q stages(2) from(@load) to(@use) slot(v: !cake.shared<64xf32, rows>)\n"                            \
  "  cake.tiles @work (n = 1) steps(k = 4) schedule(grid)\n"                                                           \
  "  cake.role @load warps(1) {\n" producer "  }\n"                                                                    \
  "  cake.role @use warps(4) {\n" consumer "  }\n"                                                                     \
  "}\n"
#define FILL(slot, view, pipe)                                                                                         \
  "%" slot ", %" view " = cake.acquire @" pipe "\n cake.copy %x[0] -> %" view " via(cp_async)\n cake.commit %" slot "\n"
#define USE(slot, view, pipe, value)                                                                                   \
  "%" slot ", %" view " = cake.wait @" pipe "\n %" value " = cake.get %" view " : tensor<64xf32, " ROW                 \
  ">\n cake.release %" slot "\n"

static Sim program_open(const char *text) {
  static float x[256], y[256];
  Sim sim = sim_open(text);
  for (int i = 0; i < 256; i++)
    x[i] = (float)i;
  memset(y, 0, sizeof y);
  sim_arg(&sim, "x", cake_type_f32(sim.context), x, SIM_DIMS(256));
  sim_arg(&sim, "y", cake_type_f32(sim.context), y, SIM_DIMS(256));
  return sim;
}

typedef struct Fault {
  const char *text, *code, *words;
  const char *words2; // of a note; may be NULL
} Fault;

static const Fault faults[] = {
    {PROGRAM("%s, %v = cake.acquire @p\n cake.copy %x[0] -> %v via(cp_async)\n %g = cake.get %v : tensor<64xf32, " ROW
             ">\n cake.commit %s\n", USE("s", "v", "p", "g")),
     "SIM_UNARRIVED_READ", "'cake.get' op reads element (0, 0) of a slot of '@p' before it has arrived",
     "this copy, which brings it, is still under way"},
    {PROGRAM("%s, %v = cake.acquire @p\n cake.commit %s\n", USE("s", "v", "p", "g")), "SIM_UNINITIALISED",
     "reads element (0, 0) of a slot of '@p' that nobody wrote", "in role '@use' of CTA 0"},
    {PROGRAM(FILL("s", "v", "q") FILL("t", "w", "p") FILL("u", "z", "p"),
     USE("s", "v", "q", "g") USE("t", "w", "q", "h") USE("u", "z", "p", "i") USE("r", "m", "p", "j")),
     "SIM_HANG", "no role of CTA 0 can go on", "waits here for a full slot of '@q': slot 1 is empty"},
    {PROGRAM(FILL("s", "v", "p") FILL("t", "w", "p"),
     "%s, %v = cake.wait @p\n %t, %w = cake.wait @p\n cake.release %s\n cake.release %t\n"),
     "SIM_HANG", "no role of CTA 0 can go on",
     "role '@load' waits here for an empty slot of '@p': slot 0 is full, and released by 0 of 1 instances of '@use'"},
    {PROGRAM(FILL("s", "v", "p"), USE("s", "v", "p", "g") "cake.release %s\n"), "TOKEN_USED_TWICE",
     "releases a slot of '@p' that it does not hold any more", NULL},
    {PROGRAM(FILL("s", "v", "p") "cake.commit %s\n", USE("s", "v", "p", "g")), "TOKEN_USED_TWICE",
     "commits a slot of '@p' that is not open any more", NULL},
    {PROGRAM(FILL("s", "v", "p"), USE("s", "v", "p", "g") "%h = cake.get %v : tensor<64xf32, " ROW ">\n"),
     "PIPE_VIEW_DEAD", "reads a view of '@p' whose slot was given up", NULL},
    {PROGRAM(FILL("s", "v", "p") "cake.copy %x[0] -> %v via(cp_async)\n", USE("s", "v", "p", "g")), "PIPE_VIEW_DEAD",
     "writes a view of '@p' whose slot was given up", NULL},
    {PROGRAM("%s, %v = cake.acquire @p\n cake.copy %x[0] -> %v via(cp_async)\n cake.copy %x[0] -> %v via(cp_async)\n "
             "cake.commit %s\n", USE("s", "v", "p", "g")),
     "PIPE_NOT_FILLED", "fills element (0, 0) of a slot of '@p' a second time", NULL},
    {PROGRAM(FILL("s", "v", "p"), "%s, %v = cake.wait @p\n cake.copy %x[0] -> %v via(cp_async)\n cake.release %s\n"),
     "PIPE_VIEW_ACCESS", "writes a view of a full slot of '@p'", NULL},
    {PROGRAM(FILL("s", "v", "p") FILL("t", "w", "q"), USE("s", "v", "p", "g")), "PIPE_COUNT",
     "has a slot that is still full when CTA 0 ends", NULL},
    {PROGRAM("%s, %v = cake.acquire @p\n cake.copy %x[193] -> %v via(cp_async)\n cake.commit %s\n",
     USE("s", "v", "p", "g")),
     "SIM_OUT_OF_BOUNDS", "'cake.copy' op accesses [256] of array 'x', whose shape is [256]", NULL},
    {PROGRAM(FILL("s", "v", "p"), USE("s", "v", "p", "g") "%i = arith.constant -5 : index\n cake.store %g, %y[%i]\n"),
     "SIM_OUT_OF_BOUNDS", "'cake.store' op accesses [-5] of array 'y'", NULL},
    {PROGRAM(FILL("s", "v", "p"),
     USE("s", "v", "p", "g") "%z = arith.constant 0 : index\n %i = cake.index(64 floordiv %z) : index\n"),
     "SIM_UNDEFINED", "divides by zero", NULL},
    {PROGRAM(FILL("s", "v", "p"),
     USE("s", "v", "p", "g") "%z = arith.constant 0 : i32\n %i = arith.divsi %z, %z : i32\n"),
     "SIM_UNDEFINED", "'arith.divsi' op divides by zero", NULL},
    {PROGRAM(FILL("s", "v", "p"),
     USE("s", "v", "p", "g") "%z = arith.constant 0 : index\n scf.for %i = %z to %z step %z {\n }\n"),
     "SIM_UNDEFINED", "has the step 0", NULL},
    {PROGRAM(
         FILL("s", "v", "p"),
     USE("s", "v", "p",
     "g") "%t = arith.constant true\n scf.while : () -> () {\n scf.condition(%t)\n } do {\n scf.yield\n }\n"),
     "SIM_HANG", "the CTA does not end", NULL},
};

START_TEST(a_fault_is_found) {
  const Fault *fault = &faults[_i];
  Sim sim = program_open(fault->text);
  sim.options = (CakeSimOptions){.schedule = CAKE_SIM_LATE, .max_steps = 10000};
  sim_expect_error(&sim, fault->code, fault->words);
  if (fault->words2)
    ck_assert_msg(strstr(sim.messages.data, fault->words2) != NULL, "wanted '%s', got: %s", fault->words2,
                  sim.messages.data);
  sim_close(&sim);
}
END_TEST

START_TEST(the_program_without_a_fault_runs) {
  Sim sim = program_open(PROGRAM(FILL("s", "v", "p") FILL("t", "w", "q"),
                                 USE("s", "v", "p", "g") USE("t", "w", "q", "h") "cake.store %g, %y[128]\n"));
  SIM_EXPECT_OK(&sim);
  const float *y = sim.args[1].array.data;
  for (int i = 0; i < 64; i++)
    ck_assert_float_eq(y[128 + i], (float)i);
  sim_close(&sim);
}
END_TEST

// One role at both ends: two slots are filled ahead of the first wait.
static const char self[] =
    "cake.kernel @k(%x: !cake.global<[N]xf32>, %y: !cake.global<[N]xf32>) target(\"sm_90a\") {\n"
    "  cake.pipeline @p stages(2) from(@all) to(@all) slot(v: !cake.shared<64xf32, rows>)\n"
    "  cake.role @all warps(4) {\n" FILL("s", "v", "p") FILL("t", "w", "p") USE("a", "b", "p", "g") FILL("u", "z", "p")
        USE("c", "d", "p", "h") USE("e", "f", "p", "i") "    cake.store %i, %y[64]\n  }\n}\n";

START_TEST(a_role_feeds_itself) {
  Sim sim = program_open(self);
  SIM_EXPECT_OK(&sim);
  const float *y = sim.args[1].array.data;
  for (int i = 0; i < 64; i++)
    ck_assert_float_eq(y[64 + i], (float)i);
  sim_close(&sim);
}
END_TEST

// Whatever the schedule, an error names a place: here a slot is released while a multiplication that was not awaited reads it.
static const char loan[] =
    "cake.kernel @k(%x: !cake.global<[N]x64xbf16, align 16>, %y: !cake.global<[N]x8xf32>) target(\"sm_90a\") {\n"
    "  cake.pipeline @p stages(1) from(@load) to(@use) slot(a: !cake.shared<64x64xbf16, sw128>, b: "
    "!cake.shared<8x64xbf16, sw128>)\n"
    "  cake.role @load warps(1) {\n"
    "    %s, %a, %b = cake.acquire @p\n"
    "    cake.copy %x[0, 0] -> %a via(tma) pad(0.0)\n"
    "    cake.copy %x[0, 0] -> %b via(tma) pad(0.0)\n"
    "    cake.commit %s\n"
    "  }\n"
    "  cake.role @use warpgroups(1) {\n"
    "    %s, %a, %b = cake.wait @p\n"
    "    %z = cake.zero : !cake.pending<64x8xf32, wgmma.acc>\n"
    "    %m = cake.mma %z, %a * %b form(wgmma.m64n8k16.nt)\n"
    "    cake.release %s\n"
    "    %r = cake.await %m : tensor<64x8xf32, #cake.wgmma.acc>\n"
    "    cake.store %r, %y[0, 0] clip\n"
    "  }\n"
    "}\n";

START_TEST(a_slot_on_loan_is_released) {
  static uint16_t x[64 * 64];
  static float y[64 * 8];
  Sim sim = sim_open(loan);
  sim_arg(&sim, "x", sim_float(&sim, CAKE_FLOAT_BF16), x, SIM_DIMS(64, 64));
  sim_arg(&sim, "y", cake_type_f32(sim.context), y, SIM_DIMS(64, 8));
  for (uint64_t seed = 0; seed < 4; seed++) {
    sim.options.seed = seed;
    sim_expect_error(&sim, "PIPE_LOAN", "by this multiplication, which was not awaited");
  }
  sim_close(&sim);
}
END_TEST

// An op of another dialect, and top-k with k > 1, are refused with their names.
START_TEST(an_unknown_op_is_refused) {
  Sim sim = program_open(PROGRAM("func.call @f() : () -> ()\n", "") "func.func private @f()\n");
  sim_expect_error(&sim, "SIM_UNSUPPORTED", "'func.call' op cannot be simulated");
  sim_close(&sim);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("simulator, faults");
  TCase *arguments = tcase_create("arguments"), *programs = tcase_create("programs");
  tcase_add_test(arguments, arguments_that_fit_run);
  tcase_add_test(arguments, a_missing_argument);
  tcase_add_test(arguments, an_unknown_argument);
  tcase_add_test(arguments, an_argument_given_twice);
  tcase_add_test(arguments, elements_of_another_type);
  tcase_add_test(arguments, another_number_of_dimensions);
  tcase_add_test(arguments, no_data);
  tcase_add_test(arguments, sizes_that_disagree);
  tcase_add_test(arguments, a_constant_size_that_differs);
  tcase_add_test(arguments, a_size_out_of_range);
  tcase_add_test(arguments, a_guard_that_fails);
  tcase_add_test(arguments, a_cta_that_the_grid_lacks);
  tcase_add_test(arguments, a_kernel_with_parameters);
  tcase_add_loop_test(programs, a_fault_is_found, 0, (int)CAKE_COUNT(faults));
  tcase_add_test(programs, the_program_without_a_fault_runs);
  tcase_add_test(programs, a_role_feeds_itself);
  tcase_add_test(programs, a_slot_on_loan_is_released);
  tcase_add_test(programs, an_unknown_op_is_refused);
  suite_add_tcase(suite, arguments);
  suite_add_tcase(suite, programs);
  return sim_main(suite);
}
