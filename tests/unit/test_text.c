// Printing what no text can hold: IR nested deeper than the parser allows, ops without operands where their rows ask for some, odd names.
#include "cake/dialects.h"
#include "cake/text.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static CakeContext *context;

static void setup(void) {
  context = cake_context_create();
  cake_register_all_dialects(context);
  cake_context_allow_unregistered(context, true);
}

static void teardown(void) {
  cake_context_destroy(context);
}

static CakeOp *make(const char *name, size_t n_regions) {
  CakeOpState state = {.info = cake_op_info(context, cake_id_text(context, name)), .n_regions = n_regions};
  return cake_op_create(context, &state);
}

// An op of that name with a body, inside of `block`; returns the body.
static CakeBlock *nest(CakeBlock *block, const char *name) {
  CakeOp *op = make(name, 1);
  CakeBlock *body = cake_block_create(context);
  cake_block_append(block, op);
  cake_region_append(cake_op_region(op, 0), body);
  return body;
}

static void expect_printed(const CakeOp *op, bool generic, const char *text) {
  CakeBuf out = {0};
  CakePrintOptions options = {.generic = generic};
  cake_print_op(op, &options, &out);
  if (!strstr(out.data, text)) ck_abort_msg("'%s' is not in: %.2000s", text, out.data);
  cake_buf_fini(&out);
}

START_TEST(deep_regions_are_cut) {
  static const char *const names[] = {"t.region", "builtin.module"};
  CakeOp *module = cake_module_create(context, cake_loc_unknown());
  CakeBlock *block = cake_module_body(module);
  for (int i = 0; i < 10000; i++)
    block = nest(block, names[_i]);
  expect_printed(module, false, "<<TOO DEEP>>");
  expect_printed(module, true, "<<TOO DEEP>>");
}
END_TEST

START_TEST(deep_attributes_are_cut) {
  CakeAttr attr = cake_attr_unit(context);
  for (int i = 0; i < 10000; i++)
    attr = cake_attr_array(context, &attr, 1);
  ck_assert_ptr_nonnull(strstr(cake_attr_text(attr), "<<TOO DEEP>>"));
  CakeType type = cake_type_index(context);
  for (int i = 0; i < 10000; i++)
    type = cake_type_tuple(context, &type, 1);
  ck_assert_ptr_nonnull(strstr(cake_type_text(type), "<<TOO DEEP>>"));
  CakeLoc loc = cake_loc_unknown();
  for (int i = 0; i < 10000; i++)
    loc = cake_loc_name(context, cake_id_text(context, "n"), loc);
  ck_assert_ptr_nonnull(strstr(cake_attr_text(cake_loc_to_attr(context, loc)), "\"n\""));
}
END_TEST

// The custom form asks for what the rows promise; without it the generic one is printed.
START_TEST(malformed_ops_print_generically) {
  CakeOp *module = cake_module_create(context, cake_loc_unknown());
  cake_block_append(cake_module_body(module), make("arith.addi", 0));
  cake_block_append(cake_module_body(module), make("scf.for", 0));
  cake_block_append(cake_module_body(module), make("cake.load", 0));
  cake_block_append(cake_module_body(module), make("func.func", 0));
  expect_printed(module, false, "\"arith.addi\"() : () -> ()");
  expect_printed(module, false, "\"scf.for\"() : () -> ()");
  expect_printed(module, false, "\"cake.load\"()");
  expect_printed(module, false, "\"func.func\"() : () -> ()");
}
END_TEST

// A name that could not be read back is not printed.
START_TEST(odd_names_are_numbers) {
  CakeOp *module = cake_module_create(context, cake_loc_unknown());
  CakeType type = cake_type_index(context);
  CakeOpState state = {
      .info = cake_op_info(context, cake_id_text(context, "t.x")), .result_types = &type, .n_results = 1};
  static const char *const names[] = {"a b", "", "0x", "%a", "arg7"};
  for (size_t i = 0; i < CAKE_COUNT(names); i++) {
    CakeOp *op = cake_op_create(context, &state);
    cake_value_set_name(&op->results[0], cake_str(names[i]));
    cake_block_append(cake_module_body(module), op);
  }
  CakeBuf out = {0};
  CakePrintOptions options = {.use_names = true};
  cake_print_op(module, &options, &out);
  for (int i = 0; i < (int)CAKE_COUNT(names); i++) {
    char wanted[32];
    snprintf(wanted, sizeof wanted, "%%%d = \"t.x\"", i);
    if (!strstr(out.data, wanted)) ck_abort_msg("'%s' is not in: %s", wanted, out.data);
  }
  cake_buf_fini(&out);
}
END_TEST

// An op that is printed alone, with aliases, knows the values around it, and says which users are elsewhere.
START_TEST(an_op_alone_knows_the_values_around) {
  CakeOp *module = cake_module_create(context, cake_loc_unknown());
  CakeType type = cake_type_index(context);
  CakeOpState state = {
      .info = cake_op_info(context, cake_id_text(context, "t.x")), .result_types = &type, .n_results = 1};
  CakeOp *first = cake_op_create(context, &state);
  CakeValue *operand = &first->results[0];
  state.operands = &operand;
  state.n_operands = 1;
  CakeOp *second = cake_op_create(context, &state);
  state.n_results = 0;
  operand = &second->results[0];
  CakeOp *third = cake_op_create(context, &state);
  cake_block_append(cake_module_body(module), first);
  cake_block_append(cake_module_body(module), second);
  CakeBuf out = {0};
  cake_print_op(second, &(CakePrintOptions){.locations = true}, &out);
  ck_assert_str_eq(out.data, "%1 = \"t.x\"(%0) : (index) -> index loc(#loc)\n#loc = loc(unknown)\n");
  cake_buf_clear(&out);
  cake_print_op(second, &(CakePrintOptions){.value_users = true}, &out);
  ck_assert_str_eq(out.data, "%1 = \"t.x\"(%0) : (index) -> index // user: <<UNKNOWN OPERATION>>\n");
  cake_buf_fini(&out);
  cake_op_destroy(third);
}
END_TEST

static void ignore(void *user, const CakeDiagnostic *diagnostic) {
  (void)user;
  (void)diagnostic;
}

static int digit_value(int c) {
  const char *digits = "0123456789abcdef",
             *found = c ? strchr(digits, c >= 'A' && c <= 'F' ? c + ('a' - 'A') : c) : NULL;
  return found ? (int)(found - digits) : -1;
}

// Digits are read eight at a time, and the rest one by one: every character at every place of a string with both.
START_TEST(hexadecimal_digits_are_told) {
  cake_context_set_handler(context, ignore, NULL, NULL, NULL);
  for (int c = 1; c < 256; c++) {
    char text[80];
    int len = snprintf(text, sizeof text, "dense<\"0x0123456789abcdefABCDEF\"> : tensor<11xi8>");
    char *at = strchr(text, 'x') + 1 + _i, before = *at;
    *at = (char)c;
    CakeAttr attr = cake_parse_attr_text(context, (CakeStr){text, (size_t)len});
    ck_assert_msg((attr != NULL) == (digit_value(c) >= 0), "character %d at place %d", c, _i);
    if (!attr) continue;
    *at = before;
    int wanted = 16 * digit_value(_i % 2 ? at[-1] : c) + digit_value(_i % 2 ? c : at[1]);
    ck_assert_int_eq((uint8_t)cake_attr_string_value(attr).ptr[_i / 2], wanted);
  }
}
END_TEST

int main(void) {
  Suite *suite = suite_create("text");
  TCase *tests = tcase_create("text");
  tcase_add_checked_fixture(tests, setup, teardown);
  tcase_set_timeout(tests, 60);
  tcase_add_loop_test(tests, deep_regions_are_cut, 0, 2);
  tcase_add_test(tests, deep_attributes_are_cut);
  tcase_add_test(tests, malformed_ops_print_generically);
  tcase_add_test(tests, odd_names_are_numbers);
  tcase_add_test(tests, an_op_alone_knows_the_values_around);
  tcase_add_loop_test(tests, hexadecimal_digits_are_told, 0, 22);
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
