// The verifier on IR that no text can hold, and dominance against its definition on random graphs.
#include "unit_dialect.h"

#include "cake/verify.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define EXPECT(condition, ...)                                                                                         \
  do {                                                                                                                 \
    if (!(condition)) ck_abort_msg(__VA_ARGS__);                                                                       \
  } while (0)

static CakeContext *context;
static CakeOp *module;
static CakeRewriter rewriter;
static CakeType i32, f32;
static CakeBuf messages; // one a line, notes behind "; "

static void collect(void *user, const CakeDiagnostic *diagnostic) {
  CakeBuf *out = user;
  cake_buf_str(out, diagnostic->message);
  for (const CakeDiagnostic *note = diagnostic->first_note; note; note = note->next) {
    cake_buf_text(out, "; ");
    cake_buf_str(out, note->message);
  }
  cake_buf_char(out, '\n');
}

static void set_up(void) {
  context = cake_context_create();
  cake_context_register_dialect(context, &cake_dialect_unit);
  cake_context_set_handler(context, collect, &messages, NULL, NULL);
  module = cake_module_create(context, cake_loc_unknown());
  rewriter = cake_rewriter(context, NULL);
  cake_rewriter_set_end(&rewriter, cake_module_body(module));
  i32 = cake_type_i32(context);
  f32 = cake_type_f32(context);
}

static void tear_down(void) {
  cake_buf_fini(&messages);
  cake_context_destroy(context);
}

static CakeOp *build(CakeBuild what) {
  return cake_rewriter_build(&rewriter, &what);
}

// Verifies the module and expects exactly these messages.
static void expect(const char *wanted) {
  bool ok = cake_verify(module);
  ck_assert_str_eq(messages.data ? messages.data : "", wanted);
  ck_assert_int_eq(ok, wanted[0] == '\0');
}

// ---- Rows ----------------------------------------------------------------------------------------------------------

START_TEST(good_ir_is_quiet) {
  CakeValue *a = make_source(&rewriter, i32);
  cake_build_binary(&rewriter, "unit.same", a, a);
  CakeOp *nest = make_op(&rewriter, "unit.nest", 1);
  cake_rewriter_set_end(&rewriter,
                        cake_rewriter_add_block(&rewriter, cake_op_region(nest, 0), NULL, 0, cake_loc_unknown()));
  make_op(&rewriter, "unit.inside", 0);
  make_op(&rewriter, "unit.end", 0);
  expect("");
}
END_TEST

START_TEST(counts_are_checked) {
  CakeValue *a = make_source(&rewriter, i32);
  build((CakeBuild){.name = "unit.source", .operands = &a, .n_operands = 1, .result_types = &i32, .n_results = 1});
  build((CakeBuild){.name = "unit.tail", .result_types = &i32, .n_results = 1});
  build((CakeBuild){.name = "unit.same", .operands = &a, .n_operands = 1, .result_types = &i32, .n_results = 1});
  build((CakeBuild){.name = "unit.source"});
  expect("'unit.source' op requires zero operands, but found 1\n"
         "'unit.tail' op expected 1 or more operands, but found 0\n"
         "'unit.same' op expected 2 operands, but found 1\n"
         "'unit.source' op requires one result, but found 0\n");
}
END_TEST

START_TEST(constraints_are_checked) {
  CakeValue *a = make_source(&rewriter, f32);
  build((CakeBuild){.name = "unit.tail", .operands = &a, .n_operands = 1, .result_types = &f32, .n_results = 1});
  expect("'unit.tail' op operand #0 must be 32-bit signless integer, but got 'f32'\n");
}
END_TEST

START_TEST(segments_are_checked) {
  CakeValue *a = make_source(&rewriter, i32);
  CakeNamedAttr level = {cake_id_text(context, "level"), cake_attr_i64(context, 1)};
  CakeBuild what = {.name = "unit.groups", .operands = &a, .n_operands = 1, .attrs = &level, .n_attrs = 1};
  static const int32_t wrong[][4] = {
      {1, 0, 1,  0},
      {1, 0, -1, 0},
      {0, 1, 0,  0},
      {1, 2, 0,  0},
      {1, 0, 1,  0}
  };
  build(what);
  for (size_t i = 0; i < CAKE_COUNT(wrong); i++) {
    what.segments = wrong[i];
    what.n_segments = i == 0 ? 4 : 3;
    build(what);
  }
  expect("'unit.groups' op requires attribute 'operandSegmentSizes'\n"
         "'unit.groups' op 'operandSegmentSizes' attribute for specifying operand segments must have 3 elements, but "
         "got 4\n"
         "'unit.groups' op 'operandSegmentSizes' attribute cannot have negative elements\n"
         "'unit.groups' op operand group 'one' requires exactly one element, but found 0\n"
         "'unit.groups' op operand group 'maybe' requires 0 or 1 element, but found 2\n"
         "'unit.groups' op operand count (1) does not match with the total size (2) specified in attribute "
         "'operandSegmentSizes'\n");
}
END_TEST

START_TEST(attributes_are_checked) {
  CakeValue *a = make_source(&rewriter, i32);
  CakeBuild what = {
      .name = "unit.groups", .operands = &a, .n_operands = 1, .segments = (const int32_t[]){1, 0, 0},
                  .n_segments = 3
  };
  CakeOp *missing = build(what);
  CakeOp *wrong = build(what);
  cake_rewriter_set_attr_text(&rewriter, wrong, "level", cake_attr_unit(context));
  CakeNamedAttr misplaced = {cake_id_text(context, "label"), cake_attr_unit(context)};
  missing->attrs = cake_attr_dictionary(context, &misplaced, 1);
  expect("'unit.groups' op requires attribute 'level'\n"
         "'unit.groups' op attribute 'label' is inherent and must stand among the properties\n"
         "'unit.groups' op attribute 'level' failed to satisfy constraint: 64-bit signless integer attribute\n");
}
END_TEST

START_TEST(null_operands_and_successors_are_reported) {
  CakeValue *a = make_source(&rewriter, i32);
  CakeOp *same = cake_value_def(cake_build_binary(&rewriter, "unit.same", a, a));
  cake_use_set(&same->operands[1], NULL);
  CakeOp *scope = make_op(&rewriter, "unit.scope", 1);
  CakeBlock *block = cake_rewriter_add_block(&rewriter, cake_op_region(scope, 0), NULL, 0, cake_loc_unknown());
  cake_rewriter_set_end(&rewriter, block);
  CakeOp *branch = build((CakeBuild){.name = "unit.branch", .successors = &block, .n_successors = 1});
  cake_successor_set(cake_op_successor_at(branch, 0), NULL);
  expect("'unit.same' op null operand found at #1\n"
         "'unit.branch' op null successor found at #0\n");
}
END_TEST

START_TEST(inferred_types_are_compared) {
  CakeValue *a = make_source(&rewriter, i32), *index = make_source(&rewriter, cake_type_index(context));
  cake_build_unary(&rewriter, "unit.twice", f32, a);
  cake_build_unary(&rewriter, "unit.twice", index->type, index); // fine for the rows, not for its hook
  expect("'unit.twice' op inferred type(s) 'i32' are incompatible with return type(s) of operation 'f32'\n"
         "'unit.twice' op dislikes index\n");
}
END_TEST

START_TEST(unregistered_ops_are_refused) {
  make_op(&rewriter, "other.op", 0);
  make_op(&rewriter, "unit.nothing", 0);
  expect("'other.op' op created with unregistered dialect; if this is intended, allow it with "
         "--allow-unregistered-dialect\n"
         "unregistered operation 'unit.nothing' found in dialect ('unit') that does not allow unknown operations\n");
  cake_buf_clear(&messages);
  cake_context_allow_unregistered(context, true);
  expect("unregistered operation 'unit.nothing' found in dialect ('unit') that does not allow unknown operations\n");
}
END_TEST

// ---- Traits --------------------------------------------------------------------------------------------------------

START_TEST(types_alike_are_checked) {
  CakeValue *operands[] = {make_source(&rewriter, i32), make_source(&rewriter, f32)};
  cake_build_binary(&rewriter, "unit.same", operands[0], operands[1]);
  expect("'unit.same' op requires the same type for all operands and results\n");
}
END_TEST

START_TEST(elementwise_shapes_are_checked) {
  const int64_t sizes[] = {4, 2};
  CakeAttr encoding = cake_attr_unit(context);
  CakeType types[] = {cake_type_tensor(context, sizes, 2, f32, NULL), cake_type_tensor(context, sizes, 1, f32, NULL),
                      cake_type_tensor(context, sizes, 2, i32, NULL),
                      cake_type_tensor(context, sizes, 2, f32, encoding), f32};
  CakeValue *values[5];
  for (size_t i = 0; i < 5; i++)
    values[i] = make_source(&rewriter, types[i]);
  CakeValue *pairs[][2] = {
      {values[0], values[2]},
      {values[0], values[4]},
      {values[0], values[1]},
      {values[0], values[3]}
  };
  for (size_t i = 0; i < CAKE_COUNT(pairs); i++)
    cake_build1(&rewriter, "unit.lift", types[0], pairs[i], 2);
  cake_build1(&rewriter, "unit.lift", f32, pairs[0], 2);
  cake_build1(&rewriter, "unit.lift", types[0], &values[4], 1);
  expect("'unit.lift' op all non-scalar operands/results must have the same shape and base type, but got "
         "'tensor<4x2xf32>' and 'tensor<4xf32>'\n"
         "'unit.lift' op all non-scalar operands/results must have the same shape and base type, but got "
         "'tensor<4x2xf32>' and 'tensor<4x2xf32, unit>'\n"
         "'unit.lift' op if an operand is non-scalar, then there must be at least one non-scalar result\n"
         "'unit.lift' op if a result is non-scalar, then at least one operand must be non-scalar\n");
}
END_TEST

START_TEST(places_are_checked) {
  make_op(&rewriter, "unit.inside", 0);
  CakeOp *nest = make_op(&rewriter, "unit.nest", 1);
  cake_rewriter_set_end(&rewriter,
                        cake_rewriter_add_block(&rewriter, cake_op_region(nest, 0), NULL, 0, cake_loc_unknown()));
  make_op(&rewriter, "unit.end", 0);
  make_op(&rewriter, "unit.end", 0);
  make_op(&rewriter, "unit.inside", 0);
  cake_rewriter_set_end(&rewriter, cake_module_body(module));
  CakeOp *other = make_op(&rewriter, "unit.nest", 1);
  cake_rewriter_set_end(&rewriter,
                        cake_rewriter_add_block(&rewriter, cake_op_region(other, 0), NULL, 0, cake_loc_unknown()));
  make_op(&rewriter, "unit.branch", 0);
  expect("'unit.inside' op expects parent op to be one of 'unit.nest, unit.scope'\n"
         "block with no terminator, has 'unit.inside'\n"
         "'unit.end' op must be the last operation in the parent block\n"
         "'unit.end' op must be the last operation in the parent block\n"
         "'unit.nest' op expects regions to end with 'unit.end', found 'unit.branch'; in custom textual format, the "
         "absence of terminator implies 'unit.end'\n");
}
END_TEST

START_TEST(regions_are_checked) {
  make_op(&rewriter, "unit.nest", 1);
  make_op(&rewriter, "unit.nest", 0);
  CakeOp *two = make_op(&rewriter, "unit.nest", 1);
  for (int i = 0; i < 2; i++) {
    cake_rewriter_set_end(&rewriter,
                          cake_rewriter_add_block(&rewriter, cake_op_region(two, 0), NULL, 0, cake_loc_unknown()));
    make_op(&rewriter, "unit.end", 0);
  }
  cake_rewriter_set_end(&rewriter, cake_module_body(module));
  CakeOp *scope = make_op(&rewriter, "unit.scope", 1);
  CakeBlock *entry = cake_rewriter_add_block(&rewriter, cake_op_region(scope, 0), NULL, 0, cake_loc_unknown());
  cake_rewriter_add_block(&rewriter, cake_op_region(scope, 0), NULL, 0, cake_loc_unknown());
  cake_rewriter_set_end(&rewriter, entry);
  CakeBlock *successors[] = {entry, cake_op_region(two, 0)->last};
  build((CakeBuild){.name = "unit.branch", .successors = successors, .n_successors = 2});
  make_op(&rewriter, "unit.end", 0);
  expect("'unit.nest' op region #0 ('body') failed to verify constraint: region with 1 blocks\n"
         "'unit.nest' op requires one region, but found 0\n"
         "'unit.nest' op expects region #0 to have 0 or 1 blocks\n"
         "entry block of region may not have predecessors\n"
         "empty block: expect at least a terminator\n"
         "operation with block successors must terminate its parent block\n"
         "'unit.branch' op branching to block of a different region\n");
}
END_TEST

static CakeOp *make_named(const char *op_name, const char *symbol) {
  CakeNamedAttr attr = {cake_id_text(context, "sym_name"), cake_attr_string(context, cake_str(symbol))};
  return build((CakeBuild){.name = op_name, .attrs = &attr, .n_attrs = 1, .n_regions = 1});
}

START_TEST(symbols_are_checked) {
  CakeOp *first = make_named("unit.scope", "x");
  make_named("unit.scope", "y");
  make_named("unit.scope", "x");
  CakeBlock *block = cake_rewriter_add_block(&rewriter, cake_op_region(first, 0), NULL, 0, cake_loc_unknown());
  cake_rewriter_set_end(&rewriter, block);
  CakeOp *nest = make_op(&rewriter, "unit.nest", 1);
  make_op(&rewriter, "unit.end", 0);
  cake_rewriter_set_end(&rewriter,
                        cake_rewriter_add_block(&rewriter, cake_op_region(nest, 0), NULL, 0, cake_loc_unknown()));
  make_named("unit.scope", "x"); // its own table would be the scope, but a nest is none
  make_op(&rewriter, "unit.end", 0);
  expect("redefinition of symbol named 'x'; see existing symbol definition here\n"
         "'unit.scope' op symbol's parent must have the SymbolTable trait\n");
}
END_TEST

// ---- Uses ----------------------------------------------------------------------------------------------------------

START_TEST(uses_are_checked) {
  CakeValue *outside = make_source(&rewriter, i32);
  CakeOp *scope = make_op(&rewriter, "unit.scope", 1);
  CakeBlock *block = cake_rewriter_add_block(&rewriter, cake_op_region(scope, 0), &i32, 1, cake_loc_unknown());
  CakeBlock *below = cake_rewriter_add_block(&rewriter, cake_op_region(scope, 0), &i32, 1, cake_loc_unknown());
  CakeBlock *unreachable = cake_rewriter_add_block(&rewriter, cake_op_region(scope, 0), NULL, 0, cake_loc_unknown());
  cake_rewriter_set_end(&rewriter, unreachable);
  CakeValue *nowhere = make_source(&rewriter, i32);
  cake_build_binary(&rewriter, "unit.same", below->args[0], below->args[0]); // not checked
  make_op(&rewriter, "unit.end", 0);
  cake_rewriter_set_end(&rewriter, block);
  cake_build_binary(&rewriter, "unit.same", block->args[0], outside);
  cake_build_binary(&rewriter, "unit.same", block->args[0], below->args[0]);
  cake_build_binary(&rewriter, "unit.same", block->args[0], nowhere);
  cake_build_binary(&rewriter, "unit.same", block->args[0], block->args[0]);
  CakeValue *last = cake_build_binary(&rewriter, "unit.same", block->args[0], block->args[0]);
  cake_use_set(&cake_value_def(last)->prev->operands[1], last);
  CakeOp *nest = make_op(&rewriter, "unit.nest", 1);
  build((CakeBuild){.name = "unit.branch", .successors = &below, .n_successors = 1});
  cake_rewriter_set_end(&rewriter,
                        cake_rewriter_add_block(&rewriter, cake_op_region(nest, 0), NULL, 0, cake_loc_unknown()));
  CakeValue *inner = cake_build_binary(&rewriter, "unit.same", last, outside);
  make_op(&rewriter, "unit.end", 0);
  cake_rewriter_set_end(&rewriter, below);
  cake_build_binary(&rewriter, "unit.same", last, inner);
  make_op(&rewriter, "unit.end", 0);
  expect("'unit.same' op using value defined outside the region; required by region isolation constraints\n"
         "operand #1 does not dominate this use; operand defined as a block argument (block #1 in the same region)\n"
         "operand #1 does not dominate this use; operand defined here (op in the same region)\n"
         "operand #1 does not dominate this use; operand defined here (op in the same block)\n"
         "'unit.same' op using value defined outside the region; required by region isolation constraints\n"
         "operand #1 does not dominate this use; operand defined here (op in a child region)\n");
}
END_TEST

// Blocks reachable from the entry without passing `without`.
static void reach(CakeBlock *block, const CakeBlock *without, CakeMap *seen) {
  if (block == without || cake_map_get(seen, block, NULL)) return;
  cake_map_set(seen, block, 1);
  for (uint32_t i = 0; i < block->last->n_successors; i++)
    reach(cake_op_successor(block->last, i), without, seen);
}

// `a` dominates `b` when every path to `b` passes `a`: with `a` taken out, `b` cannot be reached.
START_TEST(dominance_is_what_it_means) {
  uint64_t random = (uint64_t)_i * 77 + 5;
  enum { MOST = 14 };
  CakeBlock *blocks[MOST];
  size_t count = 2 + (size_t)_i % (MOST - 1);
  CakeOp *scope = make_op(&rewriter, "unit.scope", 1);
  for (size_t i = 0; i < count; i++) {
    blocks[i] = cake_rewriter_add_block(&rewriter, cake_op_region(scope, 0), NULL, 0, cake_loc_unknown());
  }
  for (size_t i = 0; i < count; i++) {
    CakeBlock *successors[3];
    size_t n_successors = 0;
    for (int j = 0; j < 3; j++) {
      random = random * 6364136223846793005u + 1442695040888963407u;
      if ((random >> 40) % 2) successors[n_successors++] = blocks[1 + (random >> 33) % (count - 1)];
    }
    cake_rewriter_set_end(&rewriter, blocks[i]);
    build((CakeBuild){.name = "unit.branch", .successors = successors, .n_successors = n_successors});
  }
  CakeMap all = {0};
  reach(blocks[0], NULL, &all);
  CakeDominance *dominance = cake_dominance_create(module);
  for (size_t a = 0; a < count; a++) {
    EXPECT(cake_dominance_is_reachable(dominance, blocks[a]) == cake_map_get(&all, blocks[a], NULL), "block %zu", a);
    CakeMap without = {0};
    reach(blocks[0], blocks[a], &without);
    for (size_t b = 0; b < count; b++) {
      bool wanted = !cake_map_get(&without, blocks[b], NULL); // holds for unreachable `b` too
      bool is_a_reachable = cake_map_get(&all, blocks[a], NULL), is_b_reachable = cake_map_get(&all, blocks[b], NULL);
      if (!is_a_reachable && is_b_reachable) wanted = false;
      EXPECT(cake_dominance_blocks(dominance, blocks[a], blocks[b]) == wanted, "graph %d: %zu over %zu", _i, a, b);
    }
    cake_map_fini(&without);
  }
  cake_dominance_destroy(dominance);
  cake_map_fini(&all);
}
END_TEST

// Neither the depth nor the number of blocks costs stack or more than linear time.
START_TEST(size_is_no_problem) {
  enum { DEPTH = 100000 };
  CakeValue *last = make_source(&rewriter, i32);
  for (int i = 0; i < DEPTH; i++) {
    CakeOp *op = make_op(&rewriter, "unit.nest", 1);
    CakeBlock *block = cake_rewriter_add_block(&rewriter, cake_op_region(op, 0), NULL, 0, cake_loc_unknown());
    cake_rewriter_set_end(&rewriter, block);
    last = cake_build_binary(&rewriter, "unit.same", last, last);
    make_op(&rewriter, "unit.end", 0);
    cake_rewriter_set_before(&rewriter, block->last);
  }
  cake_rewriter_set_end(&rewriter, cake_module_body(module));
  CakeOp *scope = make_op(&rewriter, "unit.scope", 1);
  CakeBlock *block = cake_rewriter_add_block(&rewriter, cake_op_region(scope, 0), &i32, 1, cake_loc_unknown());
  CakeValue *arg = block->args[0];
  for (int i = 0; i < DEPTH; i++) {
    CakeBlock *next = cake_rewriter_add_block(&rewriter, cake_op_region(scope, 0), NULL, 0, cake_loc_unknown());
    cake_rewriter_set_end(&rewriter, block);
    build(
        (CakeBuild){.name = "unit.branch", .operands = &arg, .n_operands = 1, .successors = &next, .n_successors = 1});
    block = next;
  }
  cake_rewriter_set_end(&rewriter, block);
  make_op(&rewriter, "unit.end", 0);
  expect("");
}
END_TEST

int main(void) {
  Suite *suite = suite_create("verify");
  TCase *tests = tcase_create("verify");
  suite_add_tcase(suite, tests);
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, good_ir_is_quiet);
  tcase_add_test(tests, counts_are_checked);
  tcase_add_test(tests, constraints_are_checked);
  tcase_add_test(tests, segments_are_checked);
  tcase_add_test(tests, attributes_are_checked);
  tcase_add_test(tests, null_operands_and_successors_are_reported);
  tcase_add_test(tests, inferred_types_are_compared);
  tcase_add_test(tests, unregistered_ops_are_refused);
  tcase_add_test(tests, types_alike_are_checked);
  tcase_add_test(tests, elementwise_shapes_are_checked);
  tcase_add_test(tests, places_are_checked);
  tcase_add_test(tests, regions_are_checked);
  tcase_add_test(tests, symbols_are_checked);
  tcase_add_test(tests, uses_are_checked);
  tcase_add_test(tests, size_is_no_problem);
  tcase_add_loop_test(tests, dominance_is_what_it_means, 0, 200);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? 1 : 0;
}
