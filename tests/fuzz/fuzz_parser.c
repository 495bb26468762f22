// The text format on any bytes: parse, verify, print in both forms, and what was printed must read back and print the
// same.
#include "cake/dialects.h"
#include "cake/text.h"
#include "cake/verify.h"

#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void show(void *user, const CakeDiagnostic *diagnostic) {
  CakeBuf out = {0};
  cake_diag_print(user, diagnostic, &out);
  fprintf(stderr, "%s\n", out.data);
  cake_buf_fini(&out);
}

// Parses printed text in a context of its own and compares what it prints.
static void check_round_trip(CakeStr text, bool generic) {
  CakeContext *context = cake_context_create();
  cake_register_all_dialects(context);
  cake_context_allow_unregistered(context, true);
  cake_context_set_handler(context, show, context, NULL, NULL);
  CakeOp *module = cake_parse_module(context, CAKE_STR("printed"), text);
  CakeBuf again = {0};
  CakePrintOptions options = {.generic = generic};
  if (module) cake_print_op(module, &options, &again);
  if (!module || !cake_str_equal(text, cake_buf_view(&again))) {
    fprintf(stderr, "printed text does not read back:\n%.*s\nbut:\n%s\n", CAKE_STR_ARG(text),
            again.data ? again.data : "(error)");
    abort();
  }
  cake_buf_fini(&again);
  cake_context_destroy(context);
}

static void print_and_check(const CakeOp *module, bool generic) {
  CakeBuf text = {0};
  CakePrintOptions options = {.generic = generic};
  cake_print_op(module, &options, &text);
  enum { LARGEST = 1 << 20 };
  if (text.len < LARGEST) check_round_trip(cake_buf_view(&text), generic);
  cake_buf_fini(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CakeContext *context = cake_context_create();
  cake_register_all_dialects(context);
  cake_context_allow_unregistered(context, true);
  CakeOp *module = cake_parse_module(context, CAKE_STR("input"), (CakeStr){(const char *)data, size});
  if (!module && cake_context_error_count(context) == 0) abort(); // refused without a word
  if (module && cake_verify(module)) {
    print_and_check(module, true);
    print_and_check(module, false);
  }
  cake_context_destroy(context);
  return 0;
}
