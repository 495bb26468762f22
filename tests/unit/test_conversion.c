// Dialect conversion on ops of nobody's dialect: legality, types, casts, patterns that lead nowhere, and undoing.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "cake/action.h"
#include "cake/conversion.h"
#include "cake/dialects.h"
#include "cake/text.h"

static CakeContext *context;
static CakeOp *module;
static CakeBuf messages, before, after;

// ---- Types: index becomes i32, u.none cannot be converted -----------------------------------------------------------

static CakeType convert_type(const CakeTypeConverter *self, CakeType type) {
  (void)self;
  if (cake_type_is_index(type)) return cake_type_i32(context);
  return cake_type_is(type, &cake_type_def_none) ? NULL : type;
}

static CakeValue *materialize(CakeRewriter *rewriter, CakeValue *value, CakeType to) {
  return cake_build_unary(rewriter, "arith.index_cast", to, value);
}

// A tuple becomes its elements: several values, or none.
static bool convert_tuple(const CakeTypeConverter *self, CakeType type, CakeTypeVec *out) {
  (void)self;
  if (!cake_type_is(type, &cake_type_def_tuple)) return false;
  for (size_t i = 0; i < cake_type_tuple_count(type); i++)
    CAKE_PUSH(out, cake_type_tuple_element(type, i));
  return true;
}

static bool materialize_tuple(CakeRewriter *rewriter, CakeValueList from, const CakeType *to, size_t n_to,
                              CakeValue **out) {
  CakeBuild build = {.name = n_to == 1 ? "new.pack" : "new.unpack",
                     .operands = from.values,
                     .n_operands = from.count,
                     .result_types = to,
                     .n_results = n_to};
  CakeOp *made = cake_rewriter_build(rewriter, &build);
  for (size_t i = 0; i < n_to; i++)
    out[i] = &made->results[i];
  return true;
}

static const CakeTypeConverter plain = {.convert = convert_type};
static const CakeTypeConverter materialized = {.convert = convert_type, .materialize = materialize};
static const CakeTypeConverter tuples = {.convert = convert_type, .convert_many = convert_tuple};
static CakeType keep_type(const CakeTypeConverter *self, CakeType type) {
  (void)self;
  return type;
}
static const CakeTypeConverter indices_stay = {.convert = keep_type, .convert_many = convert_tuple};
static const CakeTypeConverter packed = {
    .convert = convert_type, .convert_many = convert_tuple, .materialize_many = materialize_tuple};

// ---- Patterns ------------------------------------------------------------------------------------------------------

static CakeOp *build(CakeConversion *conversion, const char *name, const CakeOp *like, CakeValue *const *operands) {
  CakeType types[4];
  for (uint32_t i = 0; i < like->n_results; i++)
    types[i] = cake_conversion_type(conversion, like->results[i].type);
  CakeBuild build = {.name = name,
                     .operands = operands,
                     .n_operands = like->n_operands,
                     .result_types = types,
                     .n_results = like->n_results,
                     .n_regions = like->n_regions};
  return cake_rewriter_build(cake_conversion_rewriter(conversion), &build);
}

static bool become(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands, const char *name) {
  CakeOp *made = build(conversion, name, op, operands);
  CakeValue *values[4];
  for (uint32_t i = 0; i < op->n_results; i++)
    values[i] = &made->results[i];
  for (uint32_t i = 0; i < op->n_regions; i++)
    cake_conversion_take_region(conversion, cake_op_region(made, i), cake_op_region(op, i));
  cake_conversion_replace(conversion, op, values);
  return true;
}

static bool to_new(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  return become(conversion, op, operands, "new.op");
}

static bool to_middle(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  return become(conversion, op, operands, "old.middle");
}

static bool to_dead_end(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  return become(conversion, op, operands, "old.dead_end");
}

static bool convert_func(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  (void)operands;
  return cake_conversion_convert_signature(conversion, op);
}

static bool convert_return(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  build(conversion, "func.return", op, operands);
  cake_conversion_erase(conversion, op);
  return true;
}

static bool decline(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  (void)operands;
  return cake_rewriter_decline(cake_conversion_rewriter(conversion), "it has %u operands", op->n_operands);
}

static bool make_and_decline(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  build(conversion, "new.useless", op, operands);
  return false;
}

static bool behind_its_back(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  (void)operands;
  cake_rewriter_set_attr_text(cake_conversion_rewriter(conversion), op, "done", cake_attr_unit(context));
  return true;
}

static bool claim(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  (void)conversion, (void)op, (void)operands;
  return true;
}

// Moves what stands behind the op in front of it, cuts the block there, and declines.
static bool move_and_decline(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  (void)operands;
  CakeRewriter *rewriter = cake_conversion_rewriter(conversion);
  for (CakeOp *next = op->next; next && !cake_op_has_trait(next, CAKE_TRAIT_TERMINATOR); next = op->next)
    cake_rewriter_move_before(rewriter, next, op);
  cake_rewriter_split_block(rewriter, op);
  cake_rewriter_add_block(rewriter, op->block->region, NULL, 0, op->loc);
  return false;
}

static bool move_to_dead_end(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  (void)move_and_decline(conversion, op, operands);
  cake_rewriter_set_before(cake_conversion_rewriter(conversion), op);
  return to_dead_end(conversion, op, operands);
}

// The rewriter's calls, which do at once what a conversion does in the end.
static bool replace_at_once(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  CakeOp *made = build(conversion, "new.op", op, operands);
  CakeValue *value = &made->results[0];
  cake_rewriter_replace(cake_conversion_rewriter(conversion), op, &value);
  return true;
}

static bool erase_used(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  (void)operands;
  cake_rewriter_erase(cake_conversion_rewriter(conversion), op);
  return true;
}

static bool erase_block_at_once(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  (void)operands;
  cake_rewriter_erase_block(cake_conversion_rewriter(conversion), cake_op_region(op, 0)->first);
  return false;
}

// Erases the op that another pattern has made.
static bool erase_before(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  (void)operands;
  cake_rewriter_erase(cake_conversion_rewriter(conversion), op->prev);
  return false;
}

static bool make_two(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  (void)operands;
  cake_rewriter_build(cake_conversion_rewriter(conversion), &(CakeBuild){.name = "new.op"});
  return become(conversion, op, NULL, "old.middle");
}

// The body goes on where the op stands, without its last op; its argument is the operand.
static bool inline_body(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  CakeBlock *body = cake_op_region(op, 0)->first;
  CakeOp *last = body->last;
  CakeValue *results[1] = {last->n_operands ? cake_op_operand(last, 0) : NULL};
  cake_conversion_erase(conversion, last);
  cake_conversion_inline_block(conversion, body, op->block, op, operands);
  cake_conversion_replace(conversion, op, results);
  return true;
}

static bool inline_to_dead_end(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  inline_body(conversion, op, operands);
  cake_rewriter_build(cake_conversion_rewriter(conversion), &(CakeBuild){.name = "old.dead_end"});
  return true;
}

// What every tuple was is handed on in one op, and comes out of it as such.
static bool flatten(CakeConversion *conversion, CakeOp *op, const CakeValueList *operands) {
  return cake_conversion_become(conversion, op, "new.op", operands, NULL, 0);
}

// ---- Control flow: scf.if becomes blocks ----------------------------------------------------------------------------

static void branch(CakeRewriter *rewriter, CakeBlock *to, CakeValue *const *values, size_t n_values) {
  cake_rewriter_build(
      rewriter,
      &(CakeBuild){.name = "cf.br", .operands = values, .n_operands = n_values, .successors = &to, .n_successors = 1});
}

// The blocks of a region go in front of `rest`, to which its yields lead. Where the region begins.
static CakeBlock *lower_region(CakeConversion *conversion, CakeRegion *region, CakeBlock *rest) {
  CakeRewriter *rewriter = cake_conversion_rewriter(conversion);
  CakeBlock *first = region->first;
  if (!first) return rest;
  CakeOp *yield = region->last->last;
  CakeValue *values[2];
  for (uint32_t i = 0; i < yield->n_operands; i++)
    values[i] = cake_op_operand(yield, i);
  cake_rewriter_set_end(rewriter, region->last);
  branch(rewriter, rest, values, yield->n_operands);
  cake_conversion_erase(conversion, yield);
  cake_rewriter_take_region_before(rewriter, rest->region, rest, region);
  return first;
}

static bool lower_if(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  CakeRewriter *rewriter = cake_conversion_rewriter(conversion);
  CakeBlock *start = op->block, *after_op = cake_rewriter_split_block(rewriter, op), *rest;
  CakeType types[2];
  for (uint32_t i = 0; i < op->n_results; i++)
    types[i] = op->results[i].type;
  // A block of its own takes what the branches yield, and hands it on.
  rest = cake_rewriter_add_block(rewriter, start->region, types, op->n_results, op->loc);
  CakeBlock *ways[2];
  for (uint32_t i = 0; i < 2; i++)
    ways[i] = lower_region(conversion, cake_op_region(op, i), rest);
  cake_rewriter_set_end(rewriter, rest);
  branch(rewriter, after_op, NULL, 0);
  cake_rewriter_set_end(rewriter, start);
  cake_rewriter_build(rewriter, &(CakeBuild){
                                    .name = "cf.cond_br",
                                    .operands = operands,
                                    .n_operands = 1,
                                    .segments = (const int32_t[]){1, 0, 0},
                                    .n_segments = 3,
                                    .successors = ways,
                                    .n_successors = 2
  });
  cake_conversion_replace(conversion, op, rest->args);
  return true;
}

static bool lower_if_to_dead_end(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands) {
  lower_if(conversion, op, operands);
  cake_rewriter_build(cake_conversion_rewriter(conversion), &(CakeBuild){.name = "old.dead_end"});
  return true;
}

#define PATTERN(fn, on, rank)                                                                                          \
  static const CakeConversionPattern fn##_pattern = {.name = #fn, .root = on, .benefit = rank, .convert = fn}
PATTERN(to_new, "old.op", 1);
PATTERN(to_middle, "old.op", 1);
PATTERN(to_dead_end, "old.op", 2);
PATTERN(convert_func, "func.func", 1);
PATTERN(convert_return, "func.return", 1);
PATTERN(decline, "old.op", 1);
PATTERN(make_and_decline, "old.op", 3);
PATTERN(behind_its_back, "old.op", 1);
PATTERN(claim, "old.op", 1);
PATTERN(move_and_decline, "old.op", 3);
PATTERN(move_to_dead_end, "old.op", 3);
PATTERN(replace_at_once, "old.op", 1);
PATTERN(erase_used, "old.op", 1);
PATTERN(lower_if, "scf.if", 1);
PATTERN(lower_if_to_dead_end, "scf.if", 2);
PATTERN(erase_block_at_once, "old.op", 1);
PATTERN(make_two, "old.op", 1);
PATTERN(erase_before, "old.middle", 1);
PATTERN(inline_body, "old.op", 1);
PATTERN(inline_to_dead_end, "old.op", 1);
static const CakeConversionPattern middle_to_new = {
    .name = "middle_to_new", .root = "old.middle", .benefit = 1, .convert = to_new};
static const CakeConversionPattern round_and_round = {
    .name = "round_and_round", .root = "old.middle", .benefit = 1, .convert = to_middle};
static const CakeConversionPattern flatten_op = {
    .name = "flatten_op", .root = "old.op", .benefit = 1, .convert_many = flatten};

// ---- Target --------------------------------------------------------------------------------------------------------

static const CakeTypeConverter *converter; // of the conversion that runs; NULL: none

static bool has_legal_types(const CakeOp *op) {
  return !converter || cake_type_converter_is_legal(converter, op);
}

static const CakeLegalityRow rows[] = {
    {"new",          CAKE_LEGAL,   NULL           },
    {"old",          CAKE_ILLEGAL, NULL           },
    {"old.fine",     CAKE_LEGAL,   NULL           },
    {"func.func",    CAKE_LEGAL,   has_legal_types},
    {"func.return",  CAKE_LEGAL,   has_legal_types},
    {"arith.select", CAKE_LEGAL,   has_legal_types},
    {"arith",        CAKE_LEGAL,   NULL           },
    {"builtin",      CAKE_LEGAL,   NULL           },
    {NULL,           CAKE_UNKNOWN, NULL           }
};
static const CakeConversionTarget target = {rows};

// ---- Fixture -------------------------------------------------------------------------------------------------------

static void collect(void *user, const CakeDiagnostic *diagnostic) {
  (void)user;
  cake_buf_printf(&messages, "%.*s [%.*s]\n", CAKE_STR_ARG(diagnostic->message), CAKE_STR_ARG(diagnostic->fix));
}

static void setup(void) {
  context = cake_context_create();
  cake_context_allow_unregistered(context, true);
  cake_register_all_dialects(context);
  cake_context_set_handler(context, collect, NULL, NULL, NULL);
}

static void teardown(void) {
  cake_context_destroy(context);
  cake_buf_fini(&messages);
  cake_buf_fini(&before);
  cake_buf_fini(&after);
}

static CakeConversionOptions options;

static CakePassResult run_conversion(CakePassContext *pass, CakeOp *op) {
  return cake_convert(pass, op, &options) ? CAKE_PASS_CHANGED : CAKE_PASS_FAILED;
}

static bool run(const char *text, const CakeConversionPattern *const *patterns, const CakeTypeConverter *types,
                bool is_full) {
  static const CakePassDef table[] = {
      {.name = "convert", .summary = "", .run = run_conversion},
      {0}
  };
  static const CakePassDef *const tables[] = {table};
  static const CakePassRegistry registry = {tables, 1};
  options = (CakeConversionOptions){&target, types, patterns, is_full};
  converter = types;
  module = cake_parse_module(context, CAKE_STR("f"), cake_str(text));
  ck_assert(module && cake_verify(module));
  cake_print_op(module, NULL, &before);
  CakePipeline *pipeline = cake_pipeline_create(context, &registry);
  ck_assert(cake_pipeline_add(pipeline, CAKE_STR("convert"), CAKE_STR("")));
  CakePipelineOptions with = {.verify_each = true};
  bool is_fine = cake_pipeline_run(pipeline, module, &with);
  cake_pipeline_destroy(pipeline);
  cake_print_op(module, NULL, &after);
  return is_fine;
}

#define PATTERNS(...) ((const CakeConversionPattern *const[]){__VA_ARGS__, NULL})
#define ck_text(buf, text)                                                                                             \
  ck_assert_msg((buf).len &&strstr((buf).data, text), "got: %s", (buf).len ? (buf).data : "nothing")
#define ck_no_text(buf, text) ck_assert_msg(!(buf).len || !strstr((buf).data, text), "got: %s", (buf).data)

static const char two[] = "func.func @f(%a: i32) -> i32 {\n"
                          "  %0 = \"old.op\"(%a) : (i32) -> i32\n"
                          "  %1 = \"old.op\"(%0) : (i32) -> i32\n"
                          "  return %1 : i32\n"
                          "}\n";
static const char indices[] = "func.func @f(%a: index) -> index {\n"
                              "  %0 = \"old.op\"(%a) : (index) -> index\n"
                              "  %1 = \"old.fine\"(%0) : (index) -> index\n"
                              "  return %1 : index\n"
                              "}\n";

static const char pairs[] = "func.func @f(%a: tuple<i32, f32>, %b: i32) -> (tuple<>, tuple<i32, f32>) {\n"
                            "  %0:2 = \"old.op\"(%b, %a) : (i32, tuple<i32, f32>) -> (tuple<>, tuple<i32, f32>)\n"
                            "  %1 = \"old.fine\"(%0#1, %0#0) : (tuple<i32, f32>, tuple<>) -> tuple<i32, f32>\n"
                            "  return %0#0, %1 : tuple<>, tuple<i32, f32>\n"
                            "}\n";
static const char nested[] = "func.func @f(%a: i32) -> i32 {\n"
                             "  %0 = \"old.op\"(%a) ({\n"
                             "  ^bb0(%x: i32):\n"
                             "    %1 = \"new.op\"(%x, %x) : (i32, i32) -> i32\n"
                             "    \"new.end\"(%1) : (i32) -> ()\n"
                             "  }) : (i32) -> i32\n"
                             "  return %0 : i32\n"
                             "}\n";

// ---- Tests ---------------------------------------------------------------------------------------------------------

START_TEST(ops_become_ops_of_the_target) {
  ck_assert(run(two, PATTERNS(&to_new_pattern), NULL, true));
  ck_text(after, "%0 = \"new.op\"(%arg0) : (i32) -> i32\n    %1 = \"new.op\"(%0) : (i32) -> i32\n    return %1 : i32");
}
END_TEST

START_TEST(what_a_pattern_makes_is_converted_too) {
  ck_assert(run(two, PATTERNS(&to_middle_pattern, &middle_to_new), NULL, true));
  ck_no_text(after, "old.");
  ck_text(after, "new.op");
}
END_TEST

// The best pattern leads to an op that nothing converts, one makes an op and declines: both leave nothing behind.
START_TEST(a_pattern_that_leads_nowhere_is_undone) {
  ck_assert(run(two, PATTERNS(&to_new_pattern, &to_dead_end_pattern, &make_and_decline_pattern), NULL, true));
  ck_no_text(after, "old.");
  ck_no_text(after, "new.useless");
  ck_text(after, "%1 = \"new.op\"(%0) : (i32) -> i32\n    return %1 : i32");
}
END_TEST

// The first op can be converted, the second cannot.
START_TEST(what_cannot_be_converted_leaves_all_as_it_was) {
  const char *text = "func.func @f(%a: index) -> index {\n"
                     "  %0 = \"old.op\"(%a) : (index) -> index\n"
                     "  %1 = \"old.other\"(%0) : (index) -> index\n"
                     "  return %1 : index\n"
                     "}\n";
  ck_assert(!run(text, PATTERNS(&to_new_pattern, &convert_func_pattern, &convert_return_pattern), &plain, false));
  ck_text(messages, "'old.other' op cannot be converted, and the target does not have it [no pattern is about it]");
  ck_assert_str_eq(before.data, after.data);
}
END_TEST

START_TEST(the_error_says_what_was_tried) {
  ck_assert(!run(two, PATTERNS(&to_dead_end_pattern, &decline_pattern), NULL, false));
  ck_text(messages, "'old.op' op cannot be converted, and the target does not have it [tried: 'to_dead_end': makes "
                    "'old.dead_end', which is not legal; 'decline': it has 1 operands]");
  ck_assert_str_eq(before.data, after.data);
}
END_TEST

START_TEST(patterns_that_go_round_end) {
  ck_assert(!run(two, PATTERNS(&to_middle_pattern, &round_and_round), NULL, false));
  ck_text(messages, "patterns make one another's ops for ever, 'old.middle' among them");
  ck_assert_str_eq(before.data, after.data);
}
END_TEST

START_TEST(types_change_with_signatures_and_legal_ops_get_casts) {
  const CakeConversionPattern *const *patterns =
      PATTERNS(&to_new_pattern, &convert_func_pattern, &convert_return_pattern);
  ck_assert(run(indices, patterns, &plain, true));
  ck_text(after, "func.func @f(%arg0: i32) -> i32 {\n"
                 "    %0 = \"new.op\"(%arg0) : (i32) -> i32\n"
                 "    %1 = builtin.unrealized_conversion_cast %0 : i32 to index\n"
                 "    %2 = \"old.fine\"(%1) : (index) -> index\n"
                 "    %3 = builtin.unrealized_conversion_cast %2 : index to i32\n"
                 "    return %3 : i32");
}
END_TEST

START_TEST(materialisations_are_the_converters) {
  const CakeConversionPattern *const *patterns =
      PATTERNS(&to_new_pattern, &convert_func_pattern, &convert_return_pattern);
  ck_assert(run(indices, patterns, &materialized, true));
  ck_text(after, "arith.index_cast %0 : i32 to index");
  ck_no_text(after, "unrealized");
}
END_TEST

START_TEST(a_type_without_a_conversion_is_an_error) {
  const char *text = "%0 = \"u.x\"() : () -> none\n\"old.op\"(%0) : (none) -> ()\n";
  ck_assert(!run(text, PATTERNS(&to_new_pattern), &plain, false));
  ck_text(messages, "the type 'none' of operand #0 cannot be converted");
  ck_assert_str_eq(before.data, after.data);
}
END_TEST

START_TEST(regions_move_with_what_is_in_them) {
  const char *text = "\"old.op\"() ({\n"
                     "^bb0(%x: i32):\n"
                     "  %0 = \"old.op\"(%x) : (i32) -> i32\n"
                     "  \"new.end\"(%0) : (i32) -> ()\n"
                     "}) : () -> ()\n";
  ck_assert(run(text, PATTERNS(&to_new_pattern), NULL, true));
  ck_text(after, "\"new.op\"() ({\n  ^bb0(%arg0: i32):\n    %0 = \"new.op\"(%arg0)");
  ck_no_text(after, "old.");
}
END_TEST

START_TEST(moved_regions_come_back) {
  const char *text = "\"old.op\"() ({\n"
                     "^bb0(%x: i32):\n"
                     "  \"old.other\"(%x) : (i32) -> ()\n"
                     "}) : () -> ()\n";
  ck_assert(!run(text, PATTERNS(&to_new_pattern), NULL, true));
  ck_assert_str_eq(before.data, after.data);
}
END_TEST

START_TEST(unknown_ops_stay_in_a_partial_conversion) {
  const char *text = "%0 = \"u.x\"() : () -> i32\n\"old.op\"(%0) : (i32) -> ()\n";
  ck_assert(run(text, PATTERNS(&to_new_pattern), NULL, false));
  ck_text(after, "\"new.op\"(%0)");
}
END_TEST

START_TEST(unknown_ops_fail_a_full_conversion) {
  const char *text = "%0 = \"u.x\"() : () -> i32\n\"old.op\"(%0) : (i32) -> ()\n";
  ck_assert(!run(text, PATTERNS(&to_new_pattern), NULL, true));
  ck_text(messages, "'u.x' op cannot be converted, and the target is not known to have it");
}
END_TEST

START_TEST(patterns_that_work_behind_its_back_are_reported) {
  ck_assert(!run(two, PATTERNS(&behind_its_back_pattern), NULL, false));
  ck_text(messages, "conversion pattern 'behind_its_back' changed an op that is there already");
}
END_TEST

START_TEST(success_without_a_change_is_reported) {
  ck_assert(!run(two, PATTERNS(&claim_pattern), NULL, false));
  ck_text(messages, "conversion pattern 'claim' says that it changed the IR, and changed nothing");
}
END_TEST

START_TEST(moves_are_undone) {
  ck_assert(run(two, PATTERNS(&move_and_decline_pattern, &to_new_pattern), NULL, true));
  ck_text(after, "%0 = \"new.op\"(%arg0) : (i32) -> i32\n    %1 = \"new.op\"(%0) : (i32) -> i32\n    return %1 : i32");
}
END_TEST

START_TEST(moves_are_undone_behind_what_leads_nowhere) {
  ck_assert(!run(two, PATTERNS(&move_to_dead_end_pattern), NULL, true));
  ck_text(messages, "makes 'old.dead_end', which is not legal");
  ck_assert_str_eq(before.data, after.data);
}
END_TEST

START_TEST(ops_that_are_replaced_at_once_are_reported) {
  ck_assert(!run(two, PATTERNS(&replace_at_once_pattern), NULL, true));
  ck_text(messages, "'old.op' op conversion pattern 'replace_at_once' changed an op that is there already");
}
END_TEST

START_TEST(ops_that_are_used_are_not_erased) {
  ck_assert(!run(two, PATTERNS(&erase_used_pattern), NULL, true));
  ck_text(messages, "'old.op' op conversion pattern 'erase_used' erased an op whose results are used");
  ck_assert_str_eq(before.data, after.data);
}
END_TEST

START_TEST(blocks_that_are_erased_at_once_are_reported) {
  ck_assert(!run("\"old.op\"() ({\n  \"new.op\"() : () -> ()\n}) : () -> ()\n", PATTERNS(&erase_block_at_once_pattern),
                 NULL, true));
  ck_text(messages, "conversion pattern 'erase_block_at_once' changed an op that is there already");
}
END_TEST

START_TEST(what_another_pattern_made_is_there_already) {
  ck_assert(!run("\"old.op\"() : () -> ()\n", PATTERNS(&make_two_pattern, &erase_before_pattern), NULL, true));
  ck_text(messages, "conversion pattern 'erase_before' changed an op that is there already");
}
END_TEST

START_TEST(bodies_are_inlined) {
  ck_assert(run(nested, PATTERNS(&inline_body_pattern), NULL, true));
  ck_text(after, "%0 = \"new.op\"(%arg0, %arg0) : (i32, i32) -> i32\n    return %0 : i32\n  }");
}
END_TEST

START_TEST(bodies_that_were_inlined_come_back) {
  ck_assert(!run(nested, PATTERNS(&inline_to_dead_end_pattern), NULL, true));
  ck_assert_str_eq(before.data, after.data);
}
END_TEST

static const char branches[] = "func.func @f(%c: i1, %a: i32) -> i32 {\n"
                               "  %0 = scf.if %c -> (i32) {\n"
                               "    %1 = scf.if %c -> (i32) {\n"
                               "      scf.yield %a : i32\n"
                               "    } else {\n"
                               "      %2 = arith.addi %a, %a : i32\n"
                               "      scf.yield %2 : i32\n"
                               "    }\n"
                               "    scf.yield %1 : i32\n"
                               "  } else {\n"
                               "    scf.yield %a : i32\n"
                               "  }\n"
                               "  scf.if %c {\n"
                               "    \"new.op\"() : () -> ()\n"
                               "  }\n"
                               "  return %0 : i32\n"
                               "}\n";

START_TEST(control_flow_becomes_blocks) {
  ck_assert(run(branches, PATTERNS(&lower_if_pattern), NULL, false));
  ck_no_text(after, "scf");
  ck_text(after, "cf.cond_br %arg0, ^bb3, ^bb5");
  ck_text(after, "%1 = arith.addi %arg1, %arg1 : i32\n    cf.br ^bb");
}
END_TEST

START_TEST(control_flow_comes_back) {
  ck_assert(run(branches, PATTERNS(&lower_if_to_dead_end_pattern), NULL, false)); // nothing has to be converted
  ck_assert_str_eq(before.data, after.data);
  cake_buf_clear(&before);
  cake_buf_clear(&after);
  ck_assert(!run(branches, PATTERNS(&lower_if_to_dead_end_pattern), NULL, true));
  ck_assert_str_eq(before.data, after.data);
}
END_TEST

START_TEST(one_value_becomes_several_or_none) {
  ck_assert(run(pairs, PATTERNS(&flatten_op, &cake_conversion_retype), &tuples, true));
  ck_text(after, "func.func @f(%arg0: i32, %arg1: f32, %arg2: i32) -> (i32, f32) {\n"
                 "    %0:2 = \"new.op\"(%arg2, %arg0, %arg1) : (i32, i32, f32) -> (i32, f32)\n"
                 "    %1 = builtin.unrealized_conversion_cast to tuple<>\n"
                 "    %2 = builtin.unrealized_conversion_cast %0#0, %0#1 : i32, f32 to tuple<i32, f32>\n"
                 "    %3 = \"old.fine\"(%2, %1) : (tuple<i32, f32>, tuple<>) -> tuple<i32, f32>\n"
                 "    %4:2 = builtin.unrealized_conversion_cast %3 : tuple<i32, f32> to i32, f32\n"
                 "    return %4#0, %4#1 : i32, f32");
}
END_TEST

START_TEST(several_values_are_materialised_by_the_converter) {
  ck_assert(run(pairs, PATTERNS(&flatten_op, &cake_conversion_retype), &packed, true));
  ck_no_text(after, "unrealized");
  ck_text(after, "\"new.pack\"(%0#0, %0#1) : (i32, f32) -> tuple<i32, f32>");
  ck_text(after, "\"new.unpack\"(%3) : (tuple<i32, f32>) -> (i32, f32)");
}
END_TEST

// Casts there and back are nothing: between two ops that are converted one by one, none is left.
START_TEST(casts_of_several_values_go_again) {
  const char *text = "func.func @f(%a: tuple<i32, f32>) -> tuple<i32, f32> {\n"
                     "  %0 = \"old.op\"(%a) : (tuple<i32, f32>) -> tuple<i32, f32>\n"
                     "  %1 = \"old.op\"(%0) : (tuple<i32, f32>) -> tuple<i32, f32>\n"
                     "  return %1 : tuple<i32, f32>\n"
                     "}\n";
  ck_assert(run(text, PATTERNS(&flatten_op, &cake_conversion_retype), &tuples, true));
  ck_no_text(after, "cast");
  ck_no_text(after, "tuple");
}
END_TEST

START_TEST(several_values_are_as_they_were_when_it_fails) {
  const char *text = "func.func @f(%a: tuple<i32, f32>, %b: tuple<>) -> tuple<i32, f32> {\n"
                     "  %0 = \"old.op\"(%a) : (tuple<i32, f32>) -> tuple<i32, f32>\n"
                     "  \"old.other\"(%0, %b) : (tuple<i32, f32>, tuple<>) -> ()\n"
                     "  return %0 : tuple<i32, f32>\n"
                     "}\n";
  ck_assert(!run(text, PATTERNS(&flatten_op, &cake_conversion_retype), &tuples, true));
  ck_assert_str_eq(before.data, after.data);
}
END_TEST

// Branches, loops, segments: ops that are right as they are but for their types.
START_TEST(ops_are_retyped) {
  const char *text = "func.func @f(%n: index, %a: tuple<i32, f32>, %c: i1) -> tuple<i32, f32> {\n"
                     "  %0 = scf.for %i = %n to %n step %n iter_args(%x = %a) -> (tuple<i32, f32>) {\n"
                     "    %1 = \"old.op\"(%x) : (tuple<i32, f32>) -> tuple<i32, f32>\n"
                     "    scf.yield %1 : tuple<i32, f32>\n"
                     "  }\n"
                     "  cf.cond_br %c, ^left(%0, %n : tuple<i32, f32>, index), ^right(%a : tuple<i32, f32>)\n"
                     "^left(%l: tuple<i32, f32>, %m: index):\n"
                     "  cf.br ^right(%l : tuple<i32, f32>)\n"
                     "^right(%r: tuple<i32, f32>):\n"
                     "  %2 = call @f(%n, %r, %c) : (index, tuple<i32, f32>, i1) -> tuple<i32, f32>\n"
                     "  return %2 : tuple<i32, f32>\n"
                     "}\n";
  ck_assert(run(text, PATTERNS(&cake_conversion_retype, &flatten_op), &indices_stay, false));
  ck_text(
      after,
      "func.func @f(%arg0: index, %arg1: i32, %arg2: f32, %arg3: i1) -> (i32, f32) {\n"
      "    %0:2 = scf.for %arg4 = %arg0 to %arg0 step %arg0 iter_args(%arg5 = %arg1, %arg6 = %arg2) -> (i32, f32) {\n"
      "      %7:2 = \"new.op\"(%arg5, %arg6) : (i32, f32) -> (i32, f32)\n"
      "      scf.yield %7#0, %7#1 : i32, f32\n"
      "    }\n"
      "    cf.cond_br %arg3, ^bb1(%0#0, %0#1, %arg0 : i32, f32, index), ^bb2(%arg1, %arg2 : i32, f32)\n"
      "  ^bb1(%1: i32, %2: f32, %3: index):  // pred: ^bb0\n"
      "    cf.br ^bb2(%1, %2 : i32, f32)\n");
  ck_text(after, " = call @f(%arg0, %");
}
END_TEST

// The cases of a switch share a group of operands; an attribute says how many each gets.
START_TEST(cases_are_retyped) {
  const char *text = "func.func @f(%i: i32, %n: index, %a: tuple<i32, f32>, %b: tuple<>) -> tuple<i32, f32> {\n"
                     "  cf.switch %i : i32, [\n"
                     "    default: ^one(%a : tuple<i32, f32>),\n"
                     "    1: ^two(%n, %a, %b : index, tuple<i32, f32>, tuple<>),\n"
                     "    2: ^one(%a : tuple<i32, f32>)\n"
                     "  ]\n"
                     "^one(%x: tuple<i32, f32>):\n"
                     "  return %x : tuple<i32, f32>\n"
                     "^two(%m: index, %y: tuple<i32, f32>, %z: tuple<>):\n"
                     "  return %y : tuple<i32, f32>\n"
                     "}\n";
  ck_assert(run(text, PATTERNS(&cake_conversion_retype), &indices_stay, false));
  ck_text(after, "      default: ^bb1(%arg2, %arg3 : i32, f32),\n"
                 "      1: ^bb2(%arg1, %arg2, %arg3 : index, i32, f32),\n"
                 "      2: ^bb1(%arg2, %arg3 : i32, f32)\n");
}
END_TEST

START_TEST(one_operand_cannot_be_several) {
  const char *text = "func.func @f(%a: tuple<i32, f32>, %c: i1) -> tuple<i32, f32> {\n"
                     "  %0 = arith.select %c, %a, %a : tuple<i32, f32>\n"
                     "  return %0 : tuple<i32, f32>\n"
                     "}\n";
  ck_assert(!run(text, PATTERNS(&cake_conversion_retype), &tuples, false));
  ck_text(messages, "'retype': operand 'true_value' is one value, and has become 2");
  ck_assert_str_eq(before.data, after.data);
}
END_TEST

START_TEST(patterns_for_one_value_decline_several) {
  const char *text = "%0 = \"u.x\"() : () -> tuple<i32, f32>\n\"old.op\"(%0) : (tuple<i32, f32>) -> ()\n";
  ck_assert(!run(text, PATTERNS(&to_new_pattern), &tuples, false));
  ck_text(messages, "'to_new': operand #0 has become 2 values, and it takes one each");
  ck_assert_str_eq(before.data, after.data);
}
END_TEST

static void write_line(void *user, CakeStr line) {
  (void)user;
  cake_buf_str(&messages, line);
}

START_TEST(attempts_are_actions_one_inside_of_another) {
  CakeActionLog log = {.context = context, .write = write_line};
  CakeActionObserver observer = cake_action_log(&log);
  cake_context_observe(context, &observer);
  ck_assert(
      run("\"old.op\"() : () -> ()\n", PATTERNS(&decline_pattern, &to_middle_pattern, &middle_to_new), NULL, true));
  ck_text(messages, "  begins pattern 'decline' on 'old.op' at f:1:1\n"
                    "  completed pattern 'decline': unchanged: it has 0 operands\n"
                    "  begins pattern 'to_middle' on 'old.op' at f:1:1\n"
                    "    begins pattern 'middle_to_new' on 'old.middle' at f:1:1\n"
                    "    completed pattern 'middle_to_new': changed\n"
                    "  completed pattern 'to_middle': changed\n"
                    "completed pass 1 'convert': changed\n");
}
END_TEST

static bool forbid(void *user, const CakeAction *action) {
  return strcmp(action->kind, user) != 0;
}

START_TEST(an_attempt_that_is_left_out_did_not_apply) {
  CakeActionObserver observer = {.user = "pattern", .allows = forbid};
  cake_context_observe(context, &observer);
  ck_assert(!run("\"old.op\"() : () -> ()\n", PATTERNS(&to_new_pattern), NULL, true));
  ck_text(messages, "[no pattern is about it]");
  cake_context_unobserve(context, &observer);
  ck_assert(run("\"old.op\"() : () -> ()\n", PATTERNS(&to_new_pattern), NULL, true));
}
END_TEST

int main(void) {
  Suite *suite = suite_create("conversion");
  TCase *tests = tcase_create("conversion");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_add_test(tests, ops_become_ops_of_the_target);
  tcase_add_test(tests, what_a_pattern_makes_is_converted_too);
  tcase_add_test(tests, a_pattern_that_leads_nowhere_is_undone);
  tcase_add_test(tests, what_cannot_be_converted_leaves_all_as_it_was);
  tcase_add_test(tests, the_error_says_what_was_tried);
  tcase_add_test(tests, patterns_that_go_round_end);
  tcase_add_test(tests, types_change_with_signatures_and_legal_ops_get_casts);
  tcase_add_test(tests, materialisations_are_the_converters);
  tcase_add_test(tests, a_type_without_a_conversion_is_an_error);
  tcase_add_test(tests, regions_move_with_what_is_in_them);
  tcase_add_test(tests, moved_regions_come_back);
  tcase_add_test(tests, unknown_ops_stay_in_a_partial_conversion);
  tcase_add_test(tests, unknown_ops_fail_a_full_conversion);
  tcase_add_test(tests, patterns_that_work_behind_its_back_are_reported);
  tcase_add_test(tests, success_without_a_change_is_reported);
  tcase_add_test(tests, moves_are_undone);
  tcase_add_test(tests, moves_are_undone_behind_what_leads_nowhere);
  tcase_add_test(tests, ops_that_are_replaced_at_once_are_reported);
  tcase_add_test(tests, ops_that_are_used_are_not_erased);
  tcase_add_test(tests, blocks_that_are_erased_at_once_are_reported);
  tcase_add_test(tests, what_another_pattern_made_is_there_already);
  tcase_add_test(tests, bodies_are_inlined);
  tcase_add_test(tests, bodies_that_were_inlined_come_back);
  tcase_add_test(tests, control_flow_becomes_blocks);
  tcase_add_test(tests, control_flow_comes_back);
  tcase_add_test(tests, one_value_becomes_several_or_none);
  tcase_add_test(tests, several_values_are_materialised_by_the_converter);
  tcase_add_test(tests, casts_of_several_values_go_again);
  tcase_add_test(tests, several_values_are_as_they_were_when_it_fails);
  tcase_add_test(tests, ops_are_retyped);
  tcase_add_test(tests, cases_are_retyped);
  tcase_add_test(tests, one_operand_cannot_be_several);
  tcase_add_test(tests, patterns_for_one_value_decline_several);
  tcase_add_test(tests, attempts_are_actions_one_inside_of_another);
  tcase_add_test(tests, an_attempt_that_is_left_out_did_not_apply);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
