// The last check of a translation: PTX that synchronises otherwise than its IR is refused.
#include "cake/dialects.h"
#include "cake/nvptx.h"
#include "cake/text.h"
#include "cake/verify.h"

#include <check.h>
#include <stdlib.h>

static const char text[] =
    "gpu.module @m {\n"
    "  gpu.func @k(%x: !gpu.ptr<global>, %n: index) attributes {target = [\"sm_90a\"], arg_names = [\"x\"], arg_types "
    "= "
    "[!cake.global<[N]xi32, align 16>], sizes = [\"N\"], grid = #cake.expr<1>, block = 64 : i64, shared_bytes = 1024 : "
    "i64} {\n"
    "    %s = gpu.shared_memory : !gpu.ptr<shared>\n    %c64 = arith.constant 64 : i32\n"
    "    %data = gpu.ptr_add %s, %c64 : !gpu.ptr<shared>, i32\n"
    "    %c0 = arith.constant 0 : index\n    %c1 = arith.constant 1 : index\n    %z = arith.constant 0 : i32\n"
    "    %one = arith.constant 1 : i32\n    %bytes = arith.constant 16 : i32\n"
    "    %t = gpu.thread_id x\n    %first = arith.cmpi eq, %t, %c0 : index\n"
    "    scf.if %first {\n      gpu.mbarrier_init %s, 1\n      gpu.mbarrier_init_fence\n    }\n    gpu.barrier\n"
    "    %p = scf.for %i = %c0 to %n step %c1 iter_args(%ph = %z) -> (i32) {\n"
    "      scf.if %first {\n        gpu.mbarrier_arrive_expect_tx %s, 16\n        gpu.bulk_load %data, %s, %x, "
    "%bytes\n      }\n"
    "      gpu.mbarrier_wait %s, %ph\n      gpu.fence_proxy_async\n      gpu.barrier\n"
    "      %next = arith.xori %ph, %one : i32\n      scf.yield %next : i32\n    }\n    gpu.return\n  }\n}\n";

static const char addition[] =
    "gpu.module @m {\n"
    "  gpu.func @k(%x: !gpu.ptr<global>, %n: index, %map: !gpu.tensor_map) attributes {target = [\"sm_90a\"], "
    "arg_names = "
    "[\"x\"], arg_types = [!cake.global<[N]xi32, align 16>], sizes = [\"N\"], grid = #cake.expr<1>, block = 32 : i64, "
    "shared_bytes = 128 : i64, tensor_maps = [{arg = \"x\", box = [32], panel = 0 : i64, swizzle = 0 : i64}]} {\n"
    "    %s = gpu.shared_memory : !gpu.ptr<shared>\n    %z = arith.constant 0 : i32\n    %leads = gpu.elect\n"
    "    scf.if %leads {\n      gpu.tma_store %s, %map[%z] reduce add\n      gpu.bulk_commit\n      gpu.bulk_wait_read "
    "0\n"
    "    }\n    gpu.return\n  }\n}\n";

static CakeBuf said;

static void hear(void *user, const CakeDiagnostic *diagnostic) {
  CakeContext *context = user;
  cake_diag_print(context, diagnostic, &said);
}

static size_t find_line(CakeStr ptx, const char *word, size_t *out_end) {
  const char *at = strstr(ptx.ptr, word);
  ck_assert_msg(at != NULL, "no '%s' in:\n%s", word, ptx.ptr);
  size_t from = (size_t)(at - ptx.ptr), end = from;
  while (from && ptx.ptr[from - 1] != '\n')
    from--;
  while (ptx.ptr[end++] != '\n') {
  }
  *out_end = end;
  return from;
}

// The PTX without the first line that has `word`, with it twice, or with it behind the line that has `other`.
static void edit(CakeStr ptx, const char *word, int times, const char *other, CakeBuf *out) {
  size_t end, from = find_line(ptx, word, &end), behind_end = end, copy = times == 2 ? 1 : 0;
  if (other) (void)find_line(ptx, other, &behind_end);
  cake_buf_append(out, ptx.ptr, from);
  if (copy) cake_buf_append(out, ptx.ptr + from, end - from);
  if (copy) cake_buf_append(out, ptx.ptr + from, end - from);
  cake_buf_append(out, ptx.ptr + end, behind_end - end);
  if (other) cake_buf_append(out, ptx.ptr + from, end - from);
  cake_buf_append(out, ptx.ptr + behind_end, ptx.len - behind_end);
}

static const struct {
  const char *word, *other;
  int times;
  const char *message; // NULL: fine
} edits[] = {
    {".target",           NULL,            2, NULL                                         },
    {"mov.u32",           NULL,            2, NULL                                         },
    {"bar.sync",          NULL,            0, "where the IR has"                           },
    {"bar.sync",          NULL,            2, "comes bar.sync, where the IR has"           },
    {"fence.proxy.async", NULL,            0, "comes bar.sync, where the IR has a wait for"},
    {"mbarrier.init.",    NULL,            0, "comes fence.mbarrier_init"                  },
    {"expect_tx",         "cp.async.bulk", 1, "comes cp.async.bulk, where the IR has"      },
    {"mbarrier.try_wait", NULL,            0, "comes fence.proxy.async, where the IR has"  },
};

// The function of a module, and its PTX, which is as it should be.
static CakeOp *translate(const char *source, CakeContext **out_context, CakeBuf *ptx) {
  CakeContext *context = *out_context = cake_context_create();
  cake_register_all_dialects(context);
  cake_context_set_handler(context, hear, context, NULL, NULL);
  CakeOp *module = cake_parse_module(context, CAKE_STR("case.mlir"), cake_str(source)), *func = NULL;
  ck_assert_msg(module && cake_verify(module), "%s", said.data);
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false))
    if (cake_op_is(op, "gpu.func")) func = op;
  bool ok = cake_nvptx_emit_ptx(module, &(CakeNvptxOptions){.target = "sm_90a"}, ptx);
  ck_assert_msg(ok, "%s", said.data);
  ck_assert_msg(cake_nvptx_check_sync(func, CAKE_STR("sm_90a"), cake_buf_view(ptx)), "%s", said.data);
  return func;
}

// A store in the place of an addition.
START_TEST(an_addition_is_no_store) {
  static const char word[] = "cp.reduce.async.bulk.tensor", store[] = "cp.async.bulk.tensor";
  CakeBuf ptx = {0}, other = {0};
  CakeContext *context;
  CakeOp *func = translate(addition, &context, &ptx);
  const char *at = strstr(ptx.data, word);
  ck_assert_msg(at != NULL, "no addition in:\n%s", ptx.data);
  cake_buf_append(&other, ptx.data, (size_t)(at - ptx.data));
  cake_buf_text(&other, store);
  cake_buf_text(&other, at + sizeof word - 1);
  ck_assert(!cake_nvptx_check_sync(func, CAKE_STR("sm_90a"), cake_buf_view(&other)));
  ck_assert_msg(
      strstr(said.data, "comes cp.async.bulk.tensor, where the IR has the end or cp.reduce.async.bulk.tensor") != NULL,
      "got '%s'", said.data);
  cake_buf_fini(&ptx);
  cake_buf_fini(&other);
  cake_buf_fini(&said);
  cake_context_destroy(context);
}
END_TEST

START_TEST(synchronisation_is_compared) {
  CakeBuf ptx = {0}, other = {0};
  CakeContext *context;
  CakeOp *func = translate(text, &context, &ptx);
  edit(cake_buf_view(&ptx), edits[_i].word, edits[_i].times, edits[_i].other, &other);
  bool ok = cake_nvptx_check_sync(func, CAKE_STR("sm_90a"), cake_buf_view(&other));
  const char *found = said.data ? said.data : "";
  if (!edits[_i].message)
    ck_assert_msg(ok, "%s", found);
  else
    ck_assert_msg(!ok && strstr(found, edits[_i].message) && strstr(found, "[PTX_SYNC]"), "wanted '%s', got '%s'",
                  edits[_i].message, found);
  cake_buf_fini(&ptx);
  cake_buf_fini(&other);
  cake_buf_fini(&said);
  cake_context_destroy(context);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("sync");
  TCase *all = tcase_create("all");
  tcase_add_loop_test(all, synchronisation_is_compared, 0, (int)CAKE_COUNT(edits));
  tcase_add_test(all, an_addition_is_no_store);
  tcase_set_timeout(all, 60);
  suite_add_tcase(suite, all);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_ENV);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
