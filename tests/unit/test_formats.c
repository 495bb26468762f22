// Assembly formats: those of all registered ops compile; malformed ones say what is wrong.
#include "cake/asm.h"
#include "cake/dialects.h"

#include <check.h>
#include <stdlib.h>

static CakeOpInfo *info_of(CakeContext *context, const CakeOpDef *def) {
  CakeBuf name = {0};
  cake_buf_printf(&name, "%s.%s", def->dialect->name, def->name);
  CakeOpInfo *info = cake_op_info(context, cake_id(context, cake_buf_view(&name)));
  cake_buf_fini(&name);
  return info;
}

START_TEST(all_formats_compile) {
  CakeContext *context = cake_context_create();
  cake_register_all_dialects(context);
  size_t n_ops = 0;
  const CakeDialectDef *dialect;
  for (size_t i = 0; (dialect = cake_context_dialect_at(context, i)) != NULL; i++) {
    for (size_t j = 0; j < dialect->n_ops; j++, n_ops++) {
      const char *error = cake_op_format_error(context, info_of(context, &dialect->ops[j]));
      if (error) ck_abort_msg("%s.%s: %s", dialect->name, dialect->ops[j].name, error);
    }
  }
  ck_assert_uint_gt(n_ops, 50);
  cake_context_destroy(context);
}
END_TEST

extern const CakeDialectDef formats_dialect;
static const CakeOperandDef operands[] = {
    {.name = "a", .constraint = &cake_any_type}
};
static const CakeRegionDef regions[] = {{.name = "body"}};
#define BAD(text)                                                                                                      \
  {.name = text,                                                                                                       \
   .dialect = &formats_dialect,                                                                                        \
   .assembly = text,                                                                                                   \
   .operands = operands,                                                                                               \
   .n_operands = 1,                                                                                                    \
   .regions = regions,                                                                                                 \
   .n_regions = 1}
static const CakeOpDef bad_ops[] = {
    BAD("$b"),           BAD("`two tokens`"), BAD("`open"),
    BAD("($a"),          BAD("(`x`)?"),       BAD("any(`x`)"),
    BAD("any($a)"),      BAD("unknown"),      BAD("type($body)^?"),
    BAD("args($a)"),     BAD("iter($a)"),     BAD("custom<none>($a)"),
    BAD("type()"),       BAD("$a:keyword"),   BAD("\"x\""),
    BAD("iter($a, $a)"), BAD("custom<x($a)"), BAD("(((((((((($a)?)?)?)?)?)?)?)?)?)?"),
};
const CakeDialectDef formats_dialect = {.name = "formats", .ops = bad_ops, .n_ops = CAKE_COUNT(bad_ops)};

START_TEST(malformed_formats_are_told) {
  CakeContext *context = cake_context_create();
  cake_context_register_dialect(context, &formats_dialect);
  const char *error = cake_op_format_error(context, info_of(context, &bad_ops[_i]));
  if (!error) ck_abort_msg("'%s' was accepted", bad_ops[_i].assembly);
  cake_context_destroy(context);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("formats");
  TCase *tests = tcase_create("formats");
  tcase_add_test(tests, all_formats_compile);
  tcase_add_loop_test(tests, malformed_formats_are_told, 0, (int)CAKE_COUNT(bad_ops));
  suite_add_tcase(suite, tests);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int n_failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return n_failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
