// Bytecode on any bytes: reading never crashes and never refuses without a reason; a module that verifies is the same
// module when it is written and read once more.
#include <stdio.h>
#include <stdlib.h>

#include "cake/bytecode.h"
#include "cake/dialects.h"
#include "cake/text.h"
#include "cake/verify.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static CakeContext *make_context(void) {
  CakeContext *context = cake_context_create();
  cake_register_all_dialects(context);
  cake_context_allow_unregistered(context, true);
  return context;
}

static void print(const CakeOp *module, CakeBuf *out) {
  cake_print_op(module, &(CakePrintOptions){.generic = true, .locations = true}, out);
}

static void check_round_trip(const CakeOp *module) {
  CakeContext *context = make_context();
  CakeBuf bytes = {0}, before = {0}, after = {0};
  cake_bytecode_write(module, &bytes);
  CakeOp *again = cake_bytecode_read(context, CAKE_STR("written"), cake_buf_view(&bytes));
  print(module, &before);
  if (again) print(again, &after);
  if (!again || !cake_str_equal(cake_buf_view(&before), cake_buf_view(&after))) {
    fprintf(stderr, "what was written reads back as something else:\n%s\nbut:\n%s\n", before.data,
            after.data ? after.data : "(error)");
    abort();
  }
  cake_buf_fini(&bytes);
  cake_buf_fini(&before);
  cake_buf_fini(&after);
  cake_context_destroy(context);
}

// A text, too, so that the corpus of the text parser can be used: it is written as bytecode first.
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CakeContext *context = make_context();
  CakeOp *module = cake_parse_module(context, CAKE_STR("input"), (CakeStr){(const char *)data, size});
  if (!module && cake_context_error_count(context) == 0) abort();
  if (module && cake_verify(module)) check_round_trip(module);
  cake_context_destroy(context);
  return 0;
}
