// Queries as text on any bytes: running them never crashes and never fails without a reason, and what is extracted verifies.
#include "cake/dialects.h"
#include "cake/text.h"
#include "tools/query.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char program[] = "func.func @f(%a: i32, %n: index) -> i32 {\n"
                              "  %c0 = arith.constant 0 : i32\n"
                              "  %c1 = arith.constant 1 : index\n"
                              "  %x = arith.addi %a, %c0 : i32\n"
                              "  %s = scf.for %i = %c1 to %n step %c1 iter_args(%acc = %x) -> i32 {\n"
                              "    %t = arith.addi %acc, %a : i32\n"
                              "    scf.yield %t : i32\n"
                              "  }\n"
                              "  %d = \"t.two\"(%s) {k = \"v\"} : (i32) -> vector<4xf32>\n"
                              "  return %s : i32\n"
                              "}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CakeContext *context = cake_context_create();
  Query query;
  CakeBuf out = {0};
  bool quits;
  cake_register_all_dialects(context);
  cake_context_allow_unregistered(context, true);
  CakeOp *module = cake_parse_module(context, CAKE_STR("program"), cake_str(program));
  if (!module) abort();
  query_init(&query, module);
  bool is_fine = query_run(&query, cake_id_text(context, "input"), (CakeStr){(const char *)data, size}, &out, &quits);
  if (is_fine == (cake_context_error_count(context) > 0)) abort();
  query_fini(&query);
  cake_buf_fini(&out);
  cake_context_destroy(context);
  return 0;
}
