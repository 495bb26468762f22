// The core's data structures: uniquing, locations, use lists, groups, the rewriter, cloning, symbols.
#include "unit_dialect.h"

#include "cake/symbol.h"
#include "cake/text.h"

#include <check.h>
#include <math.h>
#include <stdio.h>
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

static void set_up(void) {
  context = cake_context_create();
  cake_context_register_dialect(context, &cake_dialect_unit);
  module = cake_module_create(context, cake_loc_unknown());
  rewriter = cake_rewriter(context, NULL);
  cake_rewriter_set_end(&rewriter, cake_module_body(module));
  i32 = cake_type_i32(context);
  f32 = cake_type_f32(context);
}

static void tear_down(void) {
  cake_context_destroy(context);
}

// ---- Uniqued things ------------------------------------------------------------------------------------------------

START_TEST(identifiers_are_one) {
  CakeId id = cake_id(context, (CakeStr){"a\0b", 3});
  ck_assert_ptr_eq(id, cake_id(context, (CakeStr){"a\0b", 3}));
  ck_assert_ptr_ne(id, cake_id_text(context, "a"));
  CakeId many[5000];
  char text[32];
  for (int i = 0; i < 5000; i++) { // the table grows meanwhile
    snprintf(text, sizeof text, "name%d", i);
    many[i] = cake_id_text(context, text);
  }
  for (int i = 0; i < 5000; i++) {
    snprintf(text, sizeof text, "name%d", i);
    EXPECT(cake_id_text(context, text) == many[i] && strcmp(many[i]->text, text) == 0, "%s", text);
  }
}
END_TEST

START_TEST(types_are_one) {
  const int64_t sizes[] = {4, CAKE_DYNAMIC};
  const bool scalable[] = {true, false};
  CakeAttr encoding = cake_attr_i64(context, 1);
  CakeType tensor = cake_type_tensor(context, sizes, 2, f32, encoding);
  ck_assert_ptr_eq(tensor, cake_type_tensor(context, sizes, 2, f32, encoding));
  ck_assert_ptr_ne(tensor, cake_type_tensor(context, sizes, 2, f32, NULL));
  ck_assert_ptr_ne(tensor, cake_type_vector(context, sizes, 2, f32, NULL));
  ck_assert_int_eq(cake_type_rank(tensor), 2);
  ck_assert_int_eq(cake_type_dim(tensor, 0), 4);
  ck_assert_int_eq(cake_type_count(tensor), CAKE_DYNAMIC);
  ck_assert_ptr_eq(cake_type_encoding(tensor), encoding);
  ck_assert_ptr_eq(cake_type_with_element(tensor, i32), cake_type_tensor(context, sizes, 2, i32, encoding));
  CakeType vector = cake_type_vector(context, sizes, 1, i32, scalable);
  ck_assert(cake_type_is_scalable(vector, 0) && !cake_type_is_scalable(vector, 1));
  ck_assert_ptr_ne(vector, cake_type_vector(context, sizes, 1, i32, NULL));
  CakeType memref = cake_type_memref(context, sizes, 2, f32, NULL, encoding);
  ck_assert_ptr_eq(cake_type_space(memref), encoding);
  ck_assert_ptr_null(cake_type_layout(memref));
  const int64_t huge[] = {INT64_MAX, 2};
  ck_assert_int_eq(cake_type_count(cake_type_tensor(context, huge, 2, f32, NULL)), CAKE_DYNAMIC);
  const int64_t empty[] = {INT64_MAX, 2, 0};
  ck_assert_int_eq(cake_type_count(cake_type_tensor(context, empty, 3, f32, NULL)), 0);
  CakeType inputs[] = {i32, f32};
  CakeType function = cake_type_function(context, inputs, 2, inputs, 1);
  ck_assert_ptr_eq(cake_type_function_input(function, 1), f32);
  ck_assert_ptr_eq(cake_type_function_result(function, 0), i32);
  ck_assert_ptr_null(cake_type_function_result(function, 1));
  ck_assert_ptr_ne(function, cake_type_function(context, inputs, 1, inputs, 2));
}
END_TEST

static int64_t kept(CakeType type, int64_t value) {
  return cake_attr_int_value(cake_attr_integer(type, value));
}

START_TEST(integers_have_one_form) {
  CakeType i8 = cake_type_integer(context, 8, CAKE_SIGNLESS), ui8 = cake_type_integer(context, 8, CAKE_UNSIGNED);
  ck_assert_int_eq(kept(i8, 255), -1);
  ck_assert_int_eq(kept(i8, 127), 127);
  ck_assert_int_eq(kept(ui8, -1), 255);
  ck_assert_int_eq(kept(cake_type_i1(context), -1), 1);
  ck_assert_int_eq(kept(cake_type_i64(context), INT64_MIN), INT64_MIN);
  ck_assert_int_eq(kept(cake_type_index(context), -5), -5);
  ck_assert_int_eq(kept(cake_type_integer(context, 63, CAKE_SIGNED), INT64_MAX), -1);
  ck_assert_ptr_eq(cake_attr_bool(context, true), cake_attr_integer(cake_type_i1(context), -1));
}
END_TEST

static double rounded(CakeFloat kind, double value) {
  return cake_attr_float_value(cake_attr_float(cake_type_float(context, kind), value));
}

START_TEST(floats_are_rounded_to_their_type) {
  ck_assert(rounded(CAKE_FLOAT_F64, 0.1) == 0.1);
  ck_assert(rounded(CAKE_FLOAT_F32, 0.1) == (double)0.1f);
  ck_assert(rounded(CAKE_FLOAT_BF16, 1.0 + 0x1p-9) == 1.0);
  ck_assert(rounded(CAKE_FLOAT_F8E4M3FN, 17.0) == 16.0);
  ck_assert(isnan(rounded(CAKE_FLOAT_F16, (double)NAN)));
  ck_assert(isinf(rounded(CAKE_FLOAT_F16, 1e10)));
  ck_assert(rounded(CAKE_FLOAT_F8E4M3FNUZ, 240.0) == 240.0 && isnan(rounded(CAKE_FLOAT_F8E4M3FNUZ, 1000.0)));
  ck_assert(!signbit(rounded(CAKE_FLOAT_F8E4M3FNUZ, -0.0)) && signbit(rounded(CAKE_FLOAT_F32, -0.0)));
  ck_assert(rounded(CAKE_FLOAT_F8E8M0FNU, 3.0) == 4.0 && rounded(CAKE_FLOAT_F8E8M0FNU, 2.9) == 2.0);
  ck_assert_ptr_ne(cake_attr_float(f32, 0.0), cake_attr_float(f32, -0.0));
}
END_TEST

START_TEST(dictionaries_are_sorted) {
  const char *const names[] = {"b", "ab", "a", "ba", ""};
  CakeNamedAttr entries[5], reversed[5];
  for (int i = 0; i < 5; i++) {
    entries[i] = reversed[4 - i] = (CakeNamedAttr){cake_id_text(context, names[i]), cake_attr_i64(context, i)};
  }
  CakeAttr dictionary = cake_attr_dictionary(context, entries, 5);
  ck_assert_ptr_eq(dictionary, cake_attr_dictionary(context, reversed, 5));
  const char *const sorted[] = {"", "a", "ab", "b", "ba"};
  for (size_t i = 0; i < 5; i++)
    ck_assert_str_eq(cake_attr_entry(dictionary, i).name->text, sorted[i]);
  ck_assert_int_eq(cake_attr_int_value(cake_attr_lookup_text(dictionary, "ab")), 1);
  ck_assert_ptr_null(cake_attr_lookup_text(dictionary, "c"));
  ck_assert_ptr_null(cake_attr_lookup_text(NULL, "c"));
}
END_TEST

START_TEST(accessors_of_the_wrong_kind_are_harmless) {
  CakeAttr attrs[] = {NULL, cake_attr_unit(context), cake_attr_type(i32), cake_attr_string(context, CAKE_STR("x"))};
  for (size_t i = 0; i < CAKE_COUNT(attrs); i++) {
    ck_assert_int_eq(cake_attr_int_value(attrs[i]), 0);
    ck_assert_uint_eq(cake_attr_count(attrs[i]), 0);
    ck_assert_ptr_null(cake_attr_element(attrs[i], 0));
    ck_assert_ptr_null(cake_attr_symbol_root(attrs[i]));
    ck_assert_ptr_null(cake_attr_lookup_text(attrs[i], "x"));
    ck_assert_int_eq(cake_attr_dense_array_value(attrs[i], 0), 0);
  }
  ck_assert_int_eq(cake_type_rank(i32), -1);
  ck_assert_ptr_null(cake_type_function_input(i32, 0));
  ck_assert_ptr_null(cake_type_encoding(i32));
}
END_TEST

static CakeType i32_to_f32(void *user, CakeType type) {
  (void)user;
  return type == i32 ? f32 : type;
}

START_TEST(substitution_reaches_everything) {
  CakeType inner[] = {i32, cake_type_complex(context, i32)};
  CakeType outer[] = {f32, cake_type_complex(context, f32)};
  CakeAttr before[] = {cake_attr_type(cake_type_tuple(context, inner, 2)), cake_attr_unit(context)};
  CakeAttr after[] = {cake_attr_type(cake_type_tuple(context, outer, 2)), cake_attr_unit(context)};
  CakeSubstitution substitution = {.map_type = i32_to_f32};
  CakeAttr changed = cake_attr_substitute(cake_attr_array(context, before, 2), &substitution);
  ck_assert_ptr_eq(changed, cake_attr_array(context, after, 2));
  ck_assert_ptr_eq(cake_attr_substitute(changed, &substitution), changed);
}
END_TEST

// ---- Locations -----------------------------------------------------------------------------------------------------

START_TEST(locations_are_one_word) {
  CakeId file = cake_id_text(context, "a.cake"), other = cake_id_text(context, "b.cake");
  const uint32_t numbers[] = {0, 1, 77, (1u << 24) - 1, 1u << 24, UINT32_MAX};
  for (size_t i = 0; i < CAKE_COUNT(numbers); i++) {
    for (size_t j = 0; j < CAKE_COUNT(numbers); j++) {
      CakeLoc loc = cake_loc_file(context, i % 2 ? file : other, numbers[i], numbers[j]);
      CakeStr name;
      uint32_t line, column;
      ck_assert_int_eq(cake_loc_kind(loc), CAKE_LOC_FILE);
      ck_assert(cake_loc_find_file(context, loc, &name, &line, &column));
      ck_assert(cake_str_is(name, i % 2 ? "a.cake" : "b.cake"));
      ck_assert_uint_eq(line, numbers[i]);
      ck_assert_uint_eq(column, numbers[j]);
      ck_assert(cake_loc_equal(loc, cake_loc_from_attr(cake_loc_to_attr(context, loc))));
    }
  }
}
END_TEST

// Small places of one file are packed, others are not: either way the parts come back, and equal sites are one.
START_TEST(locations_of_calls_keep_their_parts) {
  CakeId file = cake_id_text(context, "a.cake"), other = cake_id_text(context, "b.cake");
  const uint32_t numbers[] = {0, 1, 127, 128, (1u << 21) - 1, 1u << 21, UINT32_MAX};
  for (size_t i = 0; i < CAKE_COUNT(numbers); i++) {
    for (size_t j = 0; j < CAKE_COUNT(numbers); j++) {
      CakeLoc callee = cake_loc_file(context, i == 2 ? file : other, numbers[i], numbers[j]),
              caller = cake_loc_file(context, other, numbers[j], numbers[i]);
      CakeLoc site = cake_loc_callsite(context, callee, caller), nested = cake_loc_callsite(context, site, caller);
      ck_assert_int_eq(cake_loc_kind(site), CAKE_LOC_CALLSITE);
      ck_assert_uint_eq(cake_loc_count(site), 2);
      ck_assert(cake_loc_equal(cake_loc_child(site, 0), callee));
      ck_assert(cake_loc_equal(cake_loc_child(site, 1), caller));
      ck_assert(cake_loc_equal(cake_loc_child(nested, 0), site));
      ck_assert(cake_loc_equal(site, cake_loc_callsite(context, callee, caller)));
      ck_assert(cake_loc_equal(site, cake_loc_from_attr(cake_loc_to_attr(context, site))));
      ck_assert(!cake_loc_equal(site, cake_loc_callsite(context, caller, callee)) || cake_loc_equal(callee, caller));
    }
  }
}
END_TEST

START_TEST(locations_nest) {
  CakeLoc unknown = cake_loc_unknown(), file = cake_loc_file(context, cake_id_text(context, "f"), 3, 4);
  CakeLoc name = cake_loc_name(context, cake_id_text(context, "n"), unknown);
  CakeLoc site = cake_loc_callsite(context, name, file);
  CakeLoc parts[] = {name, site};
  CakeLoc fused = cake_loc_fused(context, parts, 2, cake_attr_unit(context));
  CakeStr found;
  uint32_t line, column;
  ck_assert(cake_loc_find_file(context, fused, &found, &line, &column) && line == 3 && column == 4);
  ck_assert(!cake_loc_find_file(context, name, &found, &line, &column));
  ck_assert_uint_eq(cake_loc_count(fused), 2);
  ck_assert(cake_loc_equal(cake_loc_child(fused, 1), site));
  ck_assert(cake_loc_equal(cake_loc_child(site, 1), file));
  ck_assert_ptr_eq(cake_loc_metadata(fused), cake_attr_unit(context));
  ck_assert_str_eq(cake_loc_name_of(name)->text, "n");
  ck_assert(cake_loc_equal(unknown, cake_loc_from_attr(cake_loc_to_attr(context, unknown))));
  ck_assert(cake_loc_equal(fused, cake_loc_from_attr(cake_loc_to_attr(context, fused))));
}
END_TEST

// ---- Names of operations -------------------------------------------------------------------------------------------

START_TEST(names_resolve_when_their_dialect_comes) {
  CakeContext *fresh = cake_context_create();
  CakeOpInfo *early = cake_op_info(fresh, cake_id_text(fresh, "unit.source"));
  CakeOpInfo *used = cake_op_info(fresh, cake_id_text(fresh, "unit.end"));
  ck_assert_ptr_null(early->def);
  CakeOpState state = {.info = used};
  CakeOp *op = cake_op_create(fresh, &state);
  cake_context_register_dialect(fresh, &cake_dialect_unit);
  cake_context_register_dialect(fresh, &cake_dialect_unit);
  ck_assert_ptr_eq(early->def, &cake_ops_unit[cake_op_unit_source]);
  ck_assert_ptr_null(used->def); // `op` has the layout of an op without rows
  ck_assert_ptr_null(cake_op_attr_text(op, "x"));
  ck_assert_ptr_eq(cake_context_dialect_at(fresh, 1), &cake_dialect_unit);
  ck_assert_ptr_null(cake_context_dialect_at(fresh, 2));
  ck_assert_ptr_null(cake_op_info(fresh, cake_id_text(fresh, "unit.nothing"))->def);
  ck_assert_ptr_eq(cake_op_info(fresh, cake_id_text(fresh, "unit.nothing"))->dialect, &cake_dialect_unit);
  cake_context_destroy(fresh);
}
END_TEST

// ---- Groups and attributes -----------------------------------------------------------------------------------------

static CakeOp *make_groups(const int32_t *segments, size_t n_segments, size_t n_operands) {
  CakeValue *operands[8];
  for (size_t i = 0; i < n_operands; i++)
    operands[i] = make_source(&rewriter, i32);
  CakeNamedAttr attrs[] = {
      {cake_id_text(context, "level"), cake_attr_i64(context, 3)},
      {cake_id_text(context, "extra"), cake_attr_unit(context)}
  };
  CakeBuild build = {.name = "unit.groups",
                     .operands = operands,
                     .n_operands = n_operands,
                     .attrs = attrs,
                     .n_attrs = 2,
                     .segments = segments,
                     .n_segments = n_segments};
  return cake_rewriter_build(&rewriter, &build);
}

START_TEST(groups_follow_their_sizes) {
  CakeOp *op = make_groups((const int32_t[]){1, 0, 3}, 3, 4);
  ck_assert_ptr_eq(cake_unit_groups_one(op), op->operands[0].value);
  ck_assert_ptr_null(cake_unit_groups_maybe(op));
  CakeOperandRange many = cake_unit_groups_many(op);
  ck_assert_uint_eq(many.count, 3);
  ck_assert_uint_eq(many.start, 1);
  ck_assert_ptr_eq(many.first, &op->operands[1]);
  ck_assert_int_eq(cake_attr_int_value(cake_unit_groups_level(op)), 3);
  ck_assert_ptr_eq(cake_op_attr_text(op, "level"), cake_unit_groups_level(op));
  ck_assert_ptr_eq(cake_op_attr_text(op, "extra"), cake_attr_unit(context));
  ck_assert_uint_eq(cake_attr_count(op->attrs), 1);
  ck_assert_uint_eq(cake_op_operand_group(op, 3).count, 0); // no such group
}
END_TEST

START_TEST(groups_that_do_not_fit_are_empty) {
  static const int32_t wrong[][4] = {
      {1, 0, 2},
      {1, 2, 1},
      {2, 0, 2},
      {0, 1, 3},
      {1, -1, 4},
      {1, 1, INT32_MAX},
      {1, 1, 2, 0}
  };
  for (size_t i = 0; i < CAKE_COUNT(wrong); i++) {
    CakeOp *op = make_groups(wrong[i], i == 6 ? 4 : 3, 4);
    for (uint32_t group = 0; group < 4; group++)
      EXPECT(cake_op_operand_group(op, group).count == 0, "case %zu", i);
  }
  ck_assert_uint_eq(cake_op_operand_group(make_groups(NULL, 0, 4), 2).count, 0);
}
END_TEST

START_TEST(one_group_takes_the_rest) {
  CakeValue *operands[] = {make_source(&rewriter, i32), make_source(&rewriter, i32), make_source(&rewriter, i32)};
  CakeType results[] = {i32, f32};
  CakeBuild build = {
      .name = "unit.tail", .operands = operands, .n_operands = 3, .result_types = results, .n_results = 2};
  CakeOp *op = cake_rewriter_build(&rewriter, &build);
  ck_assert_uint_eq(cake_unit_tail_rest(op).count, 2);
  CakeResultRange others = cake_op_result_group(op, 1);
  ck_assert_uint_eq(others.count, 1);
  ck_assert_ptr_eq(others.first, &op->results[1]);
  build.n_operands = 0;
  ck_assert_ptr_null(cake_unit_tail_first(cake_rewriter_build(&rewriter, &build)));
}
END_TEST

// What is made of numbers is the attribute that the text says, and its numbers come back.
START_TEST(dense_elements_of_numbers) {
  static const struct {
    const char *text, *numbers[4];
  } cases[] = {
      {"dense<[1, -2, 3]> : tensor<3xi32>",         {"1 : i32", "-2 : i32", "3 : i32"}},
      {"dense<7> : vector<2x2xi64>",                {"7 : i64"}                       },
      {"dense<[-1, 7, -8]> : tensor<3xi4>",         {"-1 : i4", "7 : i4", "-8 : i4"}  },
      {"dense<[true, false, true]> : tensor<3xi1>", {"true", "false", "true"}         },
      {"dense<[255, 1]> : tensor<2xui8>",           {"255 : ui8", "1 : ui8"}          },
      {"dense<[1.5, -2.0]> : tensor<2xbf16>",       {"1.5 : bf16", "-2.0 : bf16"}     },
      {"dense<[0.1, 0x7FC00000]> : tensor<2xf32>",  {"0.1 : f32", "0x7FC00000 : f32"} },
      {"dense<[[4, 4]]> : tensor<1x2xindex>",       {"4 : index", "4 : index"}        },
      {"dense<-0.0> : tensor<5xf8E4M3FN>",          {"-0.0 : f8E4M3FN"}               },
      {"dense<> : tensor<0xi32>",                   {NULL}                            },
  };
  CakeAttr wanted = cake_parse_attr_text(context, cake_str(cases[_i].text)), numbers[4];
  ck_assert_ptr_nonnull(wanted);
  size_t count = 0;
  for (; count < 4 && cases[_i].numbers[count]; count++) {
    numbers[count] = cake_parse_attr_text(context, cake_str(cases[_i].numbers[count]));
    ck_assert_ptr_eq(cake_attr_dense_value(wanted, (int64_t)count), numbers[count]);
  }
  CakeType type = cake_attr_value_type(wanted);
  ck_assert_ptr_eq(cake_attr_dense_of(type, numbers, count), wanted);
  ck_assert_ptr_null(cake_attr_dense_value(wanted, cake_type_count(type)));
  ck_assert_ptr_null(cake_attr_dense_value(wanted, -1));
}
END_TEST

START_TEST(dense_elements_that_cannot_be) {
  CakeAttr one = cake_parse_attr_text(context, CAKE_STR("1 : i32")), numbers[] = {one, one};
  ck_assert_ptr_null(cake_attr_dense_of(cake_parse_type_text(context, CAKE_STR("tensor<3xi32>")), numbers, 2));
  ck_assert_ptr_null(cake_attr_dense_of(cake_parse_type_text(context, CAKE_STR("tensor<2xi64>")), numbers, 2));
  ck_assert_ptr_null(cake_attr_dense_of(cake_parse_type_text(context, CAKE_STR("tensor<?xi32>")), numbers, 1));
  ck_assert_ptr_null(cake_attr_dense_of(cake_parse_type_text(context, CAKE_STR("i32")), numbers, 1));
  ck_assert_ptr_null(cake_attr_dense_of(cake_parse_type_text(context, CAKE_STR("tensor<1xi128>")), numbers, 1));
  ck_assert_ptr_null(cake_attr_dense_value(one, 0));
}
END_TEST

START_TEST(attributes_go_where_they_belong) {
  CakeOp *op = make_groups((const int32_t[]){1, 0, 0}, 3, 1);
  cake_rewriter_set_attr_text(&rewriter, op, "label", cake_attr_string(context, CAKE_STR("x")));
  ck_assert(cake_str_is(cake_attr_string_value(cake_unit_groups_label(op)), "x"));
  cake_rewriter_set_attr_text(&rewriter, op, "label", NULL);
  ck_assert_ptr_null(cake_unit_groups_label(op));
  cake_rewriter_set_attr_text(&rewriter, op, "extra", NULL);
  ck_assert_ptr_null(op->attrs);
  CakeOp *foreign = make_op(&rewriter, "other.op", 0);
  CakeNamedAttr inherent = {cake_id_text(context, "p"), cake_attr_i64(context, 1)};
  cake_op_props(foreign)[0] = cake_attr_dictionary(context, &inherent, 1);
  cake_rewriter_set_attr_text(&rewriter, foreign, "p", cake_attr_i64(context, 2));
  cake_rewriter_set_attr_text(&rewriter, foreign, "q", cake_attr_i64(context, 3));
  ck_assert_int_eq(cake_attr_int_value(cake_attr_lookup_text(cake_op_prop(foreign, 0), "p")), 2);
  ck_assert_int_eq(cake_attr_int_value(cake_attr_lookup_text(foreign->attrs, "q")), 3);
  ck_assert_int_eq(cake_attr_int_value(cake_op_attr_text(foreign, "p")), 2);
}
END_TEST

// ---- Uses ----------------------------------------------------------------------------------------------------------

static size_t count_uses(const CakeValue *value) {
  size_t count = 0;
  for (const CakeUse *use = value->first_use; use; use = use->next) {
    EXPECT(*use->previous == use && use->value == value, "a broken use list");
    count++;
  }
  return count;
}

START_TEST(use_lists_hold_every_use) {
  CakeValue *a = make_source(&rewriter, i32), *b = make_source(&rewriter, i32);
  CakeValue *sum = cake_build_binary(&rewriter, "unit.same", a, a);
  CakeOp *user = cake_value_def(sum);
  ck_assert_uint_eq(count_uses(a), 2);
  cake_rewriter_set_operand(&rewriter, user, 1, b);
  ck_assert(cake_value_has_one_use(a) && cake_value_has_one_use(b));
  ck_assert_uint_eq(cake_use_index(b->first_use), 1);
  CakeValue *more[] = {b, b, b, a, b};
  cake_rewriter_set_operands(&rewriter, user, more, 5, NULL, 0);
  ck_assert_uint_eq(count_uses(a), 1);
  ck_assert_uint_eq(count_uses(b), 4);
  cake_rewriter_set_operands(&rewriter, user, more, 1, NULL, 0);
  cake_rewriter_set_operands(&rewriter, user, more, 4, NULL, 0);
  ck_assert_uint_eq(count_uses(b), 3);
  cake_rewriter_replace_uses(&rewriter, b, a);
  ck_assert_uint_eq(count_uses(a), 4);
  ck_assert_uint_eq(count_uses(b), 0);
  cake_rewriter_erase(&rewriter, user);
  ck_assert_uint_eq(count_uses(a), 0);
}
END_TEST

// An op with two operands and a result is what modules are full of.
START_TEST(ops_are_small) {
  CakeArena *arena = cake_context_ir_arena(context);
  CakeValue *a = make_source(&rewriter, i32);
  size_t before = cake_arena_bytes(arena);
  CakeOp *op = cake_value_def(cake_build_binary(&rewriter, "unit.same", a, a));
  ck_assert_uint_le(cake_arena_bytes(arena) - before, 176);
  CakeValue *many[] = {a, a, a, a, a, a, a};
  cake_rewriter_set_operands(&rewriter, op, many, 7, NULL, 0);
  cake_rewriter_set_operands(&rewriter, op, many, 3, NULL, 0);
  cake_rewriter_erase(&rewriter, op);
  ck_assert_uint_eq(cake_arena_bytes(arena), before);
  op = cake_value_def(cake_build_binary(&rewriter, "unit.same", a, a));
  cake_rewriter_set_operands(&rewriter, op, many, 1, NULL, 0); // fewer than it was made with
  cake_rewriter_set_operands(&rewriter, op, many, 2, NULL, 0);
  cake_rewriter_erase(&rewriter, op);
  ck_assert_uint_eq(cake_arena_bytes(arena), before);
}
END_TEST

START_TEST(values_have_names) {
  CakeValue *a = make_source(&rewriter, i32), *b = make_source(&rewriter, i32);
  ck_assert_ptr_null(cake_value_name(a));
  cake_value_set_name(a, CAKE_STR("first"));
  cake_value_set_name(b, CAKE_STR("second"));
  ck_assert_str_eq(cake_value_name(a)->text, "first");
  b->name = a->name;
  ck_assert_ptr_eq(cake_value_name(b), cake_value_name(a));
  cake_value_set_name(a, CAKE_STR(""));
  ck_assert_ptr_null(cake_value_name(a));
}
END_TEST

START_TEST(order_survives_insertion) {
  enum { OPS = 400 };
  CakeBlock *body = cake_module_body(module);
  uint64_t random = 3;
  for (int i = 0; i < OPS; i++) {
    random = random * 6364136223846793005u + 1442695040888963407u;
    CakeOp *before = body->first;
    for (uint64_t skip = (random >> 33) % (uint64_t)(i + 1); skip; skip--)
      before = before->next;
    rewriter.before = i % 3 ? before : body->first; // crowd the start
    make_source(&rewriter, i32);
    if (i % 7 == 0) cake_op_is_before(body->first, body->last);
  }
  size_t count = 0;
  for (CakeOp *op = body->first; op; op = op->next, count++) {
    if (op->next) EXPECT(cake_op_is_before(op, op->next) && !cake_op_is_before(op->next, op), "op %zu", count);
  }
  ck_assert_uint_eq(count, OPS);
}
END_TEST

// ---- Nesting -------------------------------------------------------------------------------------------------------

// Nests within nests; returns the outermost.
static CakeOp *make_deep(size_t depth) {
  CakeOp *outermost = NULL;
  CakeValue *last = make_source(&rewriter, i32);
  for (size_t i = 0; i < depth; i++) {
    CakeOp *op = make_op(&rewriter, "unit.nest", 1);
    if (!outermost) outermost = op;
    CakeBlock *block = cake_rewriter_add_block(&rewriter, cake_op_region(op, 0), NULL, 0, cake_loc_unknown());
    cake_rewriter_set_end(&rewriter, block);
    last = cake_build_binary(&rewriter, "unit.same", last, last);
  }
  cake_rewriter_set_end(&rewriter, cake_module_body(module));
  return outermost;
}

static CakeWalkResult count_op(void *user, CakeOp *op) {
  (void)op;
  ++*(size_t *)user;
  return CAKE_WALK_ADVANCE;
}

static CakeWalkResult erase_binary(void *user, CakeOp *op) {
  (void)user;
  if (cake_op_is(op, "unit.same") && !op->results[0].first_use) cake_rewriter_erase(&rewriter, op);
  return CAKE_WALK_ADVANCE;
}

START_TEST(deep_nesting_needs_no_stack) {
  enum { DEPTH = 200000 };
  CakeOp *deep = make_deep(DEPTH);
  size_t pre = 0, post = 0;
  ck_assert(cake_op_walk(module, CAKE_WALK_PRE, count_op, &pre));
  ck_assert(cake_op_walk(module, CAKE_WALK_POST, count_op, &post));
  ck_assert_uint_eq(pre, 2 * DEPTH + 2);
  ck_assert_uint_eq(post, pre);
  CakeOp *copy = cake_rewriter_clone(&rewriter, deep, NULL);
  ck_assert(cake_op_equivalent(deep, copy));
  ck_assert(cake_op_walk(copy, CAKE_WALK_POST, erase_binary, NULL));
  ck_assert(!cake_op_equivalent(deep, copy));
  size_t bytes = cake_arena_bytes(cake_context_ir_arena(context));
  cake_rewriter_erase(&rewriter, deep);
  cake_rewriter_erase(&rewriter, copy);
  ck_assert_uint_lt(cake_arena_bytes(cake_context_ir_arena(context)), bytes / 1000);
}
END_TEST

START_TEST(walks_skip_and_stop) {
  make_deep(3);
  size_t count = 0;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, cake_op_is(op, "unit.nest")))
    count++;
  ck_assert_uint_eq(count, 3); // module, source, the first nest
}
END_TEST

// ---- Cloning and comparing -----------------------------------------------------------------------------------------

// A scope with two blocks that branch to each other, and a use before its definition.
static CakeOp *make_graph(void) {
  CakeOp *scope = make_op(&rewriter, "unit.scope", 1);
  CakeBlock *first = cake_rewriter_add_block(&rewriter, cake_op_region(scope, 0), &i32, 1, cake_loc_unknown());
  CakeBlock *second = cake_rewriter_add_block(&rewriter, cake_op_region(scope, 0), NULL, 0, cake_loc_unknown());
  cake_rewriter_set_end(&rewriter, second);
  CakeValue *late = make_source(&rewriter, i32);
  CakeBlock *successors[] = {second, first};
  CakeBuild branch = {.name = "unit.branch", .successors = successors, .n_successors = 2};
  cake_rewriter_build(&rewriter, &branch);
  cake_rewriter_set_end(&rewriter, first);
  CakeValue *values[] = {late, first->args[0]};
  branch.operands = values;
  branch.n_operands = 2;
  branch.n_successors = 1;
  cake_rewriter_build(&rewriter, &branch);
  cake_rewriter_set_end(&rewriter, cake_module_body(module));
  return scope;
}

START_TEST(clones_refer_to_themselves) {
  CakeOp *original = make_graph();
  CakeMap map = {0};
  CakeOp *copy = cake_rewriter_clone(&rewriter, original, &map);
  ck_assert(cake_op_equivalent(original, copy));
  for (CakeOp *op = copy; op; op = cake_op_walk_next(copy, op, false)) {
    for (uint32_t i = 0; i < op->n_operands; i++) {
      EXPECT(cake_op_is_ancestor(copy, cake_block_parent(cake_value_block(op->operands[i].value))), "operand %u", i);
    }
    for (uint32_t i = 0; i < op->n_successors; i++) {
      EXPECT(cake_op_successor(op, i)->region == cake_op_region(copy, 0), "successor %u", i);
    }
  }
  uintptr_t block;
  ck_assert(cake_map_get(&map, cake_op_region(original, 0)->first, &block));
  ck_assert_ptr_eq((CakeBlock *)block, cake_op_region(copy, 0)->first);
  cake_map_fini(&map);
}
END_TEST

START_TEST(differences_are_seen) {
  CakeOp *original = make_graph(), *copy = cake_rewriter_clone(&rewriter, original, NULL);
  CakeOp *branch = cake_op_region(copy, 0)->first->last;
  CakeValue *late = branch->operands[0].value;
  cake_rewriter_set_operand(&rewriter, branch, 0, cake_op_region(copy, 0)->first->args[0]);
  ck_assert(!cake_op_equivalent(original, copy));
  cake_rewriter_set_operand(&rewriter, branch, 0, late);
  ck_assert(cake_op_equivalent(original, copy));
  cake_rewriter_set_successor(&rewriter, branch, 0, cake_op_region(copy, 0)->first);
  ck_assert(!cake_op_equivalent(original, copy));
  cake_rewriter_set_successor(&rewriter, branch, 0, cake_op_region(copy, 0)->last);
  cake_rewriter_set_attr_text(&rewriter, branch, "x", cake_attr_unit(context));
  ck_assert(!cake_op_equivalent(original, copy));
  cake_rewriter_set_attr_text(&rewriter, branch, "x", NULL);
  cake_rewriter_set_type(&rewriter, late, f32);
  ck_assert(!cake_op_equivalent(original, copy));
}
END_TEST

// ---- The rewriter --------------------------------------------------------------------------------------------------

typedef struct Told {
  size_t inserted, modified, replaced, erased, blocks_in, blocks_out;
} Told;

static void on_inserted(void *user, CakeOp *op) {
  (void)op;
  ((Told *)user)->inserted++;
}

static void on_modified(void *user, CakeOp *op) {
  (void)op;
  ((Told *)user)->modified++;
}

static void on_replaced(void *user, CakeOp *op, CakeValue *const *values) {
  EXPECT(op->results[0].first_use && values[0] != &op->results[0], "told too late");
  ((Told *)user)->replaced++;
}

static void on_erased(void *user, CakeOp *op) {
  EXPECT(op->block, "told too late");
  ((Told *)user)->erased++;
}

static void on_block_inserted(void *user, CakeBlock *block) {
  (void)block;
  ((Told *)user)->blocks_in++;
}

static void on_block_erased(void *user, CakeBlock *block) {
  (void)block;
  ((Told *)user)->blocks_out++;
}

START_TEST(listeners_see_every_change) {
  Told told = {0};
  CakeListener listener = {.user = &told,
                           .op_inserted = on_inserted,
                           .op_modified = on_modified,
                           .op_replaced = on_replaced,
                           .op_erased = on_erased,
                           .block_inserted = on_block_inserted,
                           .block_erased = on_block_erased};
  rewriter.listener = &listener;
  CakeValue *a = make_source(&rewriter, i32), *b = make_source(&rewriter, i32);
  CakeOp *user = cake_value_def(cake_build_binary(&rewriter, "unit.same", a, a));
  ck_assert_uint_eq(told.inserted, 3);
  cake_rewriter_replace(&rewriter, cake_value_def(a), &b);
  ck_assert(told.replaced == 1 && told.modified == 2 && told.erased == 1);
  cake_rewriter_set_type(&rewriter, b, f32); // its op and both operands of its user
  ck_assert_uint_eq(told.modified, 5);
  CakeOp *graph = make_graph();
  ck_assert_uint_eq(told.blocks_in, 2);
  size_t inserted = told.inserted;
  CakeOp *copy = cake_rewriter_clone(&rewriter, graph, NULL);
  ck_assert_uint_eq(told.inserted, inserted + 4);
  ck_assert_uint_eq(told.blocks_in, 4);
  size_t erased = told.erased;
  cake_rewriter_erase(&rewriter, copy);
  ck_assert_uint_eq(told.erased, erased + 4);
  ck_assert_uint_eq(told.blocks_out, 2);
  uint64_t changes = rewriter.changes;
  cake_rewriter_move_before(&rewriter, user, user);
  ck_assert_uint_eq(rewriter.changes, changes);
  cake_rewriter_move_to_end(&rewriter, user, user->block);
  ck_assert_uint_gt(rewriter.changes, changes);
}
END_TEST

START_TEST(blocks_are_split_and_inlined) {
  CakeOp *nest = make_op(&rewriter, "unit.nest", 1);
  CakeBlock *block = cake_rewriter_add_block(&rewriter, cake_op_region(nest, 0), &i32, 1, cake_loc_unknown());
  cake_rewriter_set_end(&rewriter, block);
  CakeValue *arg = block->args[0];
  CakeValue *sum = cake_build_binary(&rewriter, "unit.same", arg, arg);
  CakeValue *again = cake_build_binary(&rewriter, "unit.same", sum, arg);
  CakeBlock *rest = cake_rewriter_split_block(&rewriter, cake_value_def(again));
  ck_assert_ptr_eq(block->next, rest);
  ck_assert_ptr_eq(cake_value_block(again), rest);
  ck_assert_ptr_eq(block->last, cake_value_def(sum));
  cake_rewriter_inline_block(&rewriter, rest, cake_value_def(sum), NULL, 0); // before `sum`
  ck_assert_ptr_null(block->next);
  ck_assert(cake_op_is_before(cake_value_def(again), cake_value_def(sum)));
  cake_rewriter_set_before(&rewriter, nest);
  CakeValue *outside = make_source(&rewriter, i32);
  cake_rewriter_inline_block(&rewriter, block, nest, &outside, 1);
  ck_assert_ptr_null(cake_op_region(nest, 0)->first);
  ck_assert_ptr_eq(cake_op_parent(cake_value_def(sum)), module);
  ck_assert_uint_eq(count_uses(outside), 3);
}
END_TEST

START_TEST(the_insertion_point_leaves_what_goes) {
  CakeOp *nest = make_op(&rewriter, "unit.nest", 1);
  CakeOp *behind = make_op(&rewriter, "unit.end", 0);
  CakeBlock *block = cake_rewriter_add_block(&rewriter, cake_op_region(nest, 0), NULL, 0, cake_loc_unknown());
  cake_rewriter_set_end(&rewriter, block);
  cake_rewriter_erase(&rewriter, nest);
  ck_assert_ptr_eq(rewriter.before, behind);
  cake_rewriter_erase(&rewriter, behind);
  ck_assert_ptr_null(rewriter.before);
  ck_assert_ptr_eq(rewriter.block, cake_module_body(module));
}
END_TEST

START_TEST(builders_infer_types) {
  CakeValue *in = make_source(&rewriter, f32);
  CakeBuild build = {.name = "unit.twice", .operands = &in, .n_operands = 1};
  CakeOp *op = cake_rewriter_build(&rewriter, &build);
  ck_assert_uint_eq(op->n_results, 1);
  ck_assert_ptr_eq(op->results[0].type, f32);
  build.n_operands = 0; // reported, not crashed
  ck_assert_ptr_null(cake_rewriter_build(&rewriter, &build));
  ck_assert_uint_eq(cake_context_error_count(context), 1);
}
END_TEST

START_TEST(purity_is_recursive_and_careful) {
  CakeValue *a = make_source(&rewriter, i32);
  ck_assert(cake_op_is_pure(cake_value_def(a)));
  ck_assert(!cake_op_is_pure(make_op(&rewriter, "unit.inside", 0)));
  ck_assert(!cake_op_is_pure(make_op(&rewriter, "unit.end", 0)));
  ck_assert(!cake_op_is_pure(make_op(&rewriter, "other.op", 0)));
  CakeType linear = cake_type_get(context, &(CakeTypeDef){.name = "slot", .traits = CAKE_TYPE_LINEAR}, NULL, 0);
  ck_assert(!cake_op_is_pure(cake_value_def(make_source(&rewriter, linear))));
}
END_TEST

// ---- Symbols -------------------------------------------------------------------------------------------------------

static CakeOp *make_scope(const char *name) {
  CakeNamedAttr attr = {cake_id_text(context, "sym_name"), cake_attr_string(context, cake_str(name))};
  CakeBuild build = {.name = "unit.scope", .attrs = &attr, .n_attrs = 1, .n_regions = 1};
  CakeOp *scope = cake_rewriter_build(&rewriter, &build);
  cake_rewriter_add_block(&rewriter, cake_op_region(scope, 0), NULL, 0, cake_loc_unknown());
  return scope;
}

START_TEST(symbols_are_found_outwards_and_inwards) {
  CakeOp *outer = make_scope("outer"), *other = make_scope("other");
  cake_rewriter_set_end(&rewriter, cake_op_region(outer, 0)->first);
  CakeOp *inner = make_scope("inner");
  CakeId ids[] = {cake_id_text(context, "outer"), cake_id_text(context, "inner"), cake_id_text(context, "other")};
  ck_assert_ptr_eq(cake_symbol_lookup_name(inner, ids[2]), other);
  ck_assert_ptr_eq(cake_symbol_lookup_name(inner, ids[1]), inner);
  ck_assert_ptr_null(cake_symbol_lookup_name(other, ids[1]));
  ck_assert_ptr_eq(cake_symbol_lookup(other, cake_attr_symbol_ref(context, ids[0], &ids[1], 1)), inner);
  ck_assert_ptr_null(cake_symbol_lookup(other, cake_attr_symbol_ref(context, ids[0], &ids[2], 1)));
  ck_assert_ptr_null(cake_symbol_lookup(other, cake_attr_unit(context)));
}
END_TEST

// The kept maps follow every kind of change.
START_TEST(symbol_lookups_are_never_stale) {
  CakeId a = cake_id_text(context, "a"), b = cake_id_text(context, "b");
  CakeOp *scope = make_scope("a");
  ck_assert_ptr_eq(cake_symbol_lookup_in(module, a), scope);
  cake_rewriter_set_attr_text(&rewriter, scope, "sym_name", cake_attr_string(context, CAKE_STR("b")));
  ck_assert_ptr_null(cake_symbol_lookup_in(module, a));
  ck_assert_ptr_eq(cake_symbol_lookup_in(module, b), scope);
  CakeOp *second = make_scope("a");
  ck_assert_ptr_eq(cake_symbol_lookup_in(module, a), second);
  cake_rewriter_move_to_end(&rewriter, second, cake_op_region(scope, 0)->first);
  ck_assert_ptr_null(cake_symbol_lookup_in(module, a));
  ck_assert_ptr_eq(cake_symbol_lookup_in(scope, a), second);
  CakeOp *copy = cake_rewriter_clone(&rewriter, second, NULL);
  ck_assert_ptr_eq(cake_symbol_lookup_in(module, a), copy);
  cake_rewriter_erase(&rewriter, copy);
  ck_assert_ptr_null(cake_symbol_lookup_in(module, a));
  cake_rewriter_erase_block(&rewriter, cake_op_region(scope, 0)->first);
  ck_assert_ptr_null(cake_symbol_lookup_in(scope, a));
}
END_TEST

// ---- Diagnostics ---------------------------------------------------------------------------------------------------

static void print_to(void *user, const CakeDiagnostic *diagnostic) {
  cake_diag_print(context, diagnostic, user);
}

static void json_to(void *user, const CakeDiagnostic *diagnostic) {
  CakeJson json = cake_json(user);
  cake_diag_json(context, diagnostic, &json);
}

START_TEST(diagnostics_show_the_line) {
  CakeBuf out = {0};
  CakeId file = cake_id_text(context, "x.cake");
  cake_context_add_source(context, file, CAKE_STR("first\n\t\xc3\xa4 = bad\xff\x1b\r\nlast"));
  cake_context_set_handler(context, print_to, &out, NULL, NULL);
  CakeDiagnostic *diagnostic =
      cake_diag_begin(context, CAKE_WARNING, cake_loc_file(context, file, 2, 7), CAKE_CODE_ALIGNMENT, "odd %d", 1);
  cake_diag_note(context, diagnostic, cake_loc_file(context, file, 3, 99), "here");
  cake_diag_note(context, diagnostic, cake_loc_file(context, file, 9, 1), "beyond");
  cake_diag_fix(context, diagnostic, "do it");
  ck_assert(!cake_diag_emit(context, diagnostic));
  ck_assert_str_eq(out.data,
                   "x.cake:2:7: warning: odd 1 [ALIGNMENT]\n\t\xc3\xa4 = bad\xef\xbf\xbd\xef\xbf\xbd\n\t    ^\n"
                   "x.cake:3:99: note: here\nlast\n    ^\nx.cake:9:1: note: beyond\nfix: do it\n");
  ck_assert_uint_eq(cake_context_error_count(context), 0);
  cake_buf_clear(&out);
  cake_context_set_handler(context, json_to, &out, NULL, NULL);
  ck_assert(!cake_error_at(context, cake_loc_file(context, file, 2, 7), CAKE_CODE_ALIGNMENT, "\"q\""));
  ck_assert_str_eq(
      out.data, "{\"severity\":\"error\",\"code\":\"ALIGNMENT\",\"category\":\"hardware conformance\","
                "\"clause\":\"PTX ISA, cp.async, cp.async.bulk, ld: addresses and sizes are multiples of the access\","
                "\"file\":\"x.cake\",\"line\":2,\"column\":7,"
                "\"message\":\"\\\"q\\\"\",\"notes\":[]}");
  ck_assert_uint_eq(cake_context_error_count(context), 1);
  cake_buf_fini(&out);
}
END_TEST

// A line of ten megabytes is cut, and the caret stands under its column.
START_TEST(long_lines_are_cut) {
  enum { LENGTH = 10000000 };
  char *text = malloc(LENGTH);
  memset(text, 'a', LENGTH);
  text[LENGTH - 5] = 'X';
  text[LENGTH / 2] = 'X';
  text[2] = 'X';
  CakeId file = cake_id_text(context, "long");
  cake_context_add_source(context, file, (CakeStr){text, LENGTH});
  CakeBuf out = {0};
  cake_context_set_handler(context, print_to, &out, NULL, NULL);
  const uint32_t columns[] = {3, LENGTH / 2 + 1, LENGTH - 4};
  for (size_t i = 0; i < CAKE_COUNT(columns); i++) {
    cake_buf_clear(&out);
    cake_error_at(context, cake_loc_file(context, file, 1, columns[i]), CAKE_CODE_ALIGNMENT, "there");
    EXPECT(out.len < 500, "%zu bytes", out.len);
    char *line = strchr(out.data, '\n') + 1, *caret = strchr(line, '\n') + 1;
    EXPECT(strchr(line, 'X') - line == strchr(caret, '^') - caret, "column %u", columns[i]);
  }
  cake_buf_fini(&out);
  free(text);
}
END_TEST

START_TEST(codes_have_names) {
  for (int code = 0; code < CAKE_CODE_COUNT; code++) {
    ck_assert_int_eq((int)cake_code_find(cake_str(cake_code_name((CakeCode)code))), code);
    ck_assert_int_eq(cake_code_summary((CakeCode)code)[strlen(cake_code_summary((CakeCode)code)) - 1], '.');
  }
  ck_assert_int_eq(cake_code_find(CAKE_STR("NO_SUCH_CODE")), CAKE_CODE_COUNT);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("ir");
  TCase *tests = tcase_create("ir");
  suite_add_tcase(suite, tests);
  tcase_set_timeout(tests, 60);
  tcase_add_checked_fixture(tests, set_up, tear_down);
  tcase_add_test(tests, identifiers_are_one);
  tcase_add_test(tests, types_are_one);
  tcase_add_test(tests, integers_have_one_form);
  tcase_add_test(tests, floats_are_rounded_to_their_type);
  tcase_add_test(tests, dictionaries_are_sorted);
  tcase_add_test(tests, accessors_of_the_wrong_kind_are_harmless);
  tcase_add_test(tests, substitution_reaches_everything);
  tcase_add_test(tests, locations_are_one_word);
  tcase_add_test(tests, locations_of_calls_keep_their_parts);
  tcase_add_test(tests, locations_nest);
  tcase_add_test(tests, names_resolve_when_their_dialect_comes);
  tcase_add_test(tests, groups_follow_their_sizes);
  tcase_add_test(tests, groups_that_do_not_fit_are_empty);
  tcase_add_test(tests, one_group_takes_the_rest);
  tcase_add_loop_test(tests, dense_elements_of_numbers, 0, 10);
  tcase_add_test(tests, dense_elements_that_cannot_be);
  tcase_add_test(tests, attributes_go_where_they_belong);
  tcase_add_test(tests, use_lists_hold_every_use);
  tcase_add_test(tests, ops_are_small);
  tcase_add_test(tests, values_have_names);
  tcase_add_test(tests, order_survives_insertion);
  tcase_add_test(tests, deep_nesting_needs_no_stack);
  tcase_add_test(tests, walks_skip_and_stop);
  tcase_add_test(tests, clones_refer_to_themselves);
  tcase_add_test(tests, differences_are_seen);
  tcase_add_test(tests, listeners_see_every_change);
  tcase_add_test(tests, blocks_are_split_and_inlined);
  tcase_add_test(tests, the_insertion_point_leaves_what_goes);
  tcase_add_test(tests, builders_infer_types);
  tcase_add_test(tests, purity_is_recursive_and_careful);
  tcase_add_test(tests, symbols_are_found_outwards_and_inwards);
  tcase_add_test(tests, symbol_lookups_are_never_stale);
  tcase_add_test(tests, diagnostics_show_the_line);
  tcase_add_test(tests, long_lines_are_cut);
  tcase_add_test(tests, codes_have_names);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? 1 : 0;
}
