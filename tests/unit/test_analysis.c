// Analyses by their C interface: liveness, effects, aliases, sparse dataflow with a lattice of the test's own, ranges.
#include <check.h>
#include <stdlib.h>

#include "analysis/alias.h"
#include "analysis/call_graph.h"
#include "analysis/effects.h"
#include "analysis/liveness.h"
#include "analysis/ranges.h"
#include "cake/dialects.h"
#include "cake/text.h"

static CakeContext *context;

static void setup(void) {
  context = cake_context_create();
  cake_register_all_dialects(context);
}

static void teardown(void) {
  cake_context_destroy(context);
}

static CakeOp *parse(const char *text) {
  CakeOp *module = cake_parse_module(context, CAKE_STR("test"), cake_str(text));
  ck_assert_ptr_nonnull(module);
  return module;
}

static CakeValue *find_value(CakeOp *module, const char *name) {
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false)) {
    for (uint32_t i = 0; i < op->n_results; i++)
      if (op->results[i].name && cake_str_is(cake_id_str(cake_value_name(&op->results[i])), name))
        return &op->results[i];
    for (uint32_t r = 0; r < op->n_regions; r++)
      for (CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next)
        for (uint32_t i = 0; i < block->n_args; i++)
          if (block->args[i]->name && cake_str_is(cake_id_str(cake_value_name(block->args[i])), name))
            return block->args[i];
  }
  ck_abort_msg("no value '%s'", name);
  return NULL;
}

static CakeOp *find_op(CakeOp *module, const char *name) {
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false))
    if (cake_op_is(op, name)) return op;
  ck_abort_msg("no op '%s'", name);
  return NULL;
}

static const char loop[] = "func.func @f(%a: i32, %n: index) -> i32 {\n"
                           "  %s = scf.for %i = %n to %n step %n iter_args(%x = %a) -> i32 {\n"
                           "    %y = arith.addi %x, %a : i32\n"
                           "    scf.yield %y : i32\n"
                           "  }\n"
                           "  %t = arith.muli %s, %s : i32\n"
                           "  return %t : i32\n"
                           "}\n";

START_TEST(liveness) {
  CakeOp *module = parse(loop), *addition = find_op(module, "arith.addi"), *loop_op = find_op(module, "scf.for");
  const CakeValue *a = find_value(module, "a"), *x = find_value(module, "x"), *y = find_value(module, "y");
  CakeLiveness *live = cake_liveness_create(module);
  CakeValueVec in = {0};
  ck_assert(cake_liveness_is_live_in(live, a, addition->block));
  ck_assert(cake_liveness_is_live_out(live, a, addition->block));  // the next round
  ck_assert(!cake_liveness_is_live_in(live, x, addition->block));  // defined there
  ck_assert(!cake_liveness_is_live_out(live, y, addition->block)); // used by the yield
  ck_assert(cake_liveness_is_live_after(live, a, addition));
  ck_assert(cake_liveness_is_live_after(live, y, addition));
  ck_assert(!cake_liveness_is_live_after(live, x, addition));
  ck_assert(!cake_liveness_is_live_after(live, a, loop_op));
  cake_liveness_in(live, addition->block, &in);
  ck_assert_uint_eq(in.len, 1);
  ck_assert_ptr_eq(in.data[0], a);
  CAKE_VEC_FINI(&in);
  cake_liveness_destroy(live);
}
END_TEST

START_TEST(effects) {
  CakeOp *module = parse("func.func @f(%c: i1, %m: memref<4xi32>) {\n"
                         "  scf.if %c { func.call @f(%c, %m) : (i1, memref<4xi32>) -> ()\n }\n"
                         "  %s = arith.andi %c, %c : i1\n"
                         "  cf.assert %c, \"no\"\n"
                         "  return\n"
                         "}\n");
  CakeEffectVec found = {0};
  cake_effects_of_op(find_op(module, "scf.if"), &found);
  ck_assert_uint_eq(found.len, 0);
  cake_effects_of_op(find_op(module, "arith.andi"), &found);
  ck_assert_uint_eq(found.len, 0);
  cake_effects_of(find_op(module, "scf.if"), &found); // with the call in it
  ck_assert_uint_eq(found.len, 1);
  ck_assert_ptr_null(found.data[0].effect);
  ck_assert(cake_effect_may_read(&found.data[0]) && cake_effect_may_write(&found.data[0]));
  cake_effects_of(find_op(module, "func.func"), &found); // its body does not run where it stands
  ck_assert_uint_eq(found.len, 1);
  cake_effects_of_op(find_op(module, "cf.assert"), &found);
  ck_assert_uint_eq(found.len, 2);
  ck_assert(!cake_effect_may_read(&found.data[1]) && cake_effect_may_write(&found.data[1]));
  CAKE_VEC_FINI(&found);
}
END_TEST

START_TEST(aliases) {
  CakeOp *module = parse("func.func @f(%a: memref<4xi32>, %b: memref<4xi32>, %c: i1) {\n"
                         "  cf.cond_br %c, ^x(%a : memref<4xi32>), ^x(%a : memref<4xi32>)\n"
                         "^x(%p: memref<4xi32>):\n"
                         "  return\n"
                         "}\n");
  const CakeValue *a = find_value(module, "a"), *b = find_value(module, "b"), *p = find_value(module, "p");
  CakeAliasRoot roots[CAKE_ALIAS_ROOTS];
  ck_assert_int_eq(cake_alias_roots(p, roots), 1);
  ck_assert_ptr_eq(roots[0].value, a);
  ck_assert_int_eq(cake_alias(a, a), CAKE_ALIAS_MUST);
  ck_assert_int_eq(cake_alias(a, p), CAKE_ALIAS_MAY);
  ck_assert_int_eq(cake_alias(a, b), CAKE_ALIAS_MAY);
}
END_TEST

// ---- A lattice of the test's own: whether a number is even or odd ------------------------------------------------------

typedef uint64_t Parity; // 0: nothing leads here; 1: even, 2: odd, 3: either

static bool join(void *into, const void *from) {
  Parity *state = into, before = *state;
  *state |= *(const Parity *)from;
  return *state != before;
}

static void anything(const CakeValue *value, void *out) {
  (void)value;
  *(Parity *)out = 3;
}

static void transfer(CakeOp *op, void *operands, void *results) {
  const Parity *in = operands;
  Parity *out = results;
  if (cake_op_is(op, "arith.constant"))
    out[0] = cake_attr_int_value(cake_op_attr_text(op, "value")) % 2 ? 2 : 1;
  else if (cake_op_is(op, "arith.addi") && in[0] != 3 && in[1] != 3)
    out[0] = in[0] == in[1] ? 1 : 2;
}

static const CakeDataflowDef parity = {
    .name = "parity", .size = sizeof(Parity), .join = join, .anything = anything, .transfer = transfer};

static Parity parity_of(const CakeDataflow *dataflow, CakeOp *module, const char *name) {
  const Parity *state = cake_dataflow_state(dataflow, find_value(module, name));
  return state ? *state : 0;
}

START_TEST(sparse) {
  CakeOp *module = parse("func.func @f(%n: index) -> i32 {\n"
                         "  %four = arith.constant 4 : i32\n"
                         "  %three = arith.constant 3 : i32\n"
                         "  %even = scf.for %i = %n to %n step %n iter_args(%x = %four) -> i32 {\n"
                         "    %y = arith.addi %x, %four : i32\n"
                         "    scf.yield %y : i32\n"
                         "  }\n"
                         "  %either = scf.for %i = %n to %n step %n iter_args(%x = %four) -> i32 {\n"
                         "    %z = arith.addi %x, %three : i32\n"
                         "    scf.yield %z : i32\n"
                         "  }\n"
                         "  %odd = arith.addi %even, %three : i32\n"
                         "  %unknown = arith.muli %even, %three : i32\n"
                         "  return %odd : i32\n"
                         "}\n");
  CakeDataflow *dataflow = cake_dataflow_create(&parity, module);
  ck_assert_uint_eq(parity_of(dataflow, module, "even"), 1);
  ck_assert_uint_eq(parity_of(dataflow, module, "y"), 1);
  ck_assert_uint_eq(parity_of(dataflow, module, "either"), 3);
  ck_assert_uint_eq(parity_of(dataflow, module, "odd"), 2);
  ck_assert_uint_eq(parity_of(dataflow, module, "unknown"), 3);
  ck_assert_ptr_null(cake_dataflow_constant(dataflow, find_value(module, "four"))); // it has no constants
  cake_dataflow_destroy(dataflow);
}
END_TEST

START_TEST(ranges) {
  CakeOp *module = parse("func.func @f(%a: i32, %f: f32, %u: ui8) -> i32 {\n"
                         "  %c = arith.constant 7 : i32\n"
                         "  %r = arith.andi %a, %c : i32\n"
                         "  return %r : i32\n"
                         "}\n");
  CakeDataflow *dataflow = cake_dataflow_create(&cake_ranges, module);
  CakeRange range;
  ck_assert(cake_range_of(dataflow, find_value(module, "r"), &range));
  ck_assert_int_eq(range.min, 0);
  ck_assert_int_eq(range.max, 7);
  ck_assert(!cake_range_of(dataflow, find_value(module, "f"), &range));
  ck_assert(!cake_range_of(dataflow, find_value(module, "u"), &range));
  cake_dataflow_destroy(dataflow);
}
END_TEST

// ---- The cache of the pass manager ----------------------------------------------------------------------------------

static void *seen[3];
static int runs;

static CakePassResult look(CakePassContext *pass, CakeOp *op) {
  cake_pass_analysis(pass, &cake_call_graph_analysis, op);
  seen[runs++] = cake_pass_analysis(pass, &cake_liveness_analysis, op);
  if (runs == 2) cake_pass_preserve(pass, &cake_liveness_analysis);
  return runs == 2 ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}

static const CakePassDef passes[] = {
    {.name = "look", .summary = "", .description = "", .run = look},
    {0}
};
static const CakePassDef *const tables[] = {passes};

START_TEST(cached) {
  static const CakePassRegistry registry = {tables, 1};
  CakePipelineOptions options = {0};
  CakeOp *module = parse(loop);
  CakePipeline *pipeline = cake_pipeline_parse(context, &registry, CAKE_STR("builtin.module(look,look,look)"));
  runs = 0;
  ck_assert(cake_pipeline_run(pipeline, module, &options));
  ck_assert_ptr_eq(seen[0], seen[1]);
  ck_assert_ptr_eq(seen[1], seen[2]); // preserved by the pass that changed something
  cake_pipeline_destroy(pipeline);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("analysis");
  TCase *tcase = tcase_create("all");
  tcase_add_checked_fixture(tcase, setup, teardown);
  tcase_add_test(tcase, liveness);
  tcase_add_test(tcase, effects);
  tcase_add_test(tcase, aliases);
  tcase_add_test(tcase, sparse);
  tcase_add_test(tcase, ranges);
  tcase_add_test(tcase, cached);
  suite_add_tcase(suite, tcase);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
