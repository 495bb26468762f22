// The text format on any bytes: parse, verify, print in both forms, and what was printed must read back and print the
// same. With a recorder nothing is read quickly (ir/quick.h), and of a mapped text long elements stay digits: all ways must give the same ops and the
// same messages.
#include "cake/dialects.h"
#include "cake/recorder.h"
#include "cake/text.h"
#include "cake/verify.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

typedef struct Messages {
  const CakeContext *context;
  CakeBuf *out;
} Messages;

static void collect(void *user, const CakeDiagnostic *diagnostic) {
  const Messages *messages = user;
  cake_diag_print(messages->context, diagnostic, messages->out);
}

// The places of a value's users, in the order in which they are linked: passes may depend on it.
static void describe_uses(const CakeValue *value, CakeBuf *out) {
  for (const CakeUse *use = value->first_use; use; use = use->next) {
    cake_buf_printf(out, "%u of ", cake_use_index(use));
    cake_print_loc(use->owner->context, use->owner->loc, out);
    cake_buf_text(out, use->next ? ", " : "\n");
  }
}

static void describe_all_uses(CakeOp *module, CakeBuf *out) {
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false)) {
    for (uint32_t i = 0; i < op->n_results; i++)
      describe_uses(&op->results[i], out);
    for (uint32_t i = 0; i < op->n_regions; i++)
      for (CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next)
        for (uint32_t k = 0; k < block->n_args; k++)
          describe_uses(block->args[k], out);
  }
}

typedef enum Way { QUICKLY, BY_TOKENS, AS_MAPPED } Way;

static CakeOp *read_text(CakeContext *context, CakeStr text, Way way) {
  static const CakeRecorder nobody = {.user = NULL};
  switch (way) {
  case BY_TOKENS: return cake_parse_recorded_module(context, CAKE_STR("input"), text, &nobody);
  case AS_MAPPED: return cake_parse_mapped_module(context, CAKE_STR("input"), text);
  default: return cake_parse_module(context, CAKE_STR("input"), text);
  }
}

// What reading the text gives: the ops with their places and uses, and what was reported.
static void describe(CakeStr text, Way way, CakeBuf *out) {
  CakeContext *context = cake_context_create();
  CakePrintOptions options = {.generic = true, .locations = true, .use_names = true};
  cake_register_all_dialects(context);
  cake_context_allow_unregistered(context, true);
  Messages messages = {context, out};
  cake_context_set_handler(context, collect, &messages, NULL, NULL);
  CakeOp *module = read_text(context, text, way);
  if (module) {
    cake_print_op(module, &options, out);
    describe_all_uses(module, out);
  }
  cake_context_destroy(context);
}

static void compare_readers(CakeStr text, Way way) {
  CakeBuf quick = {0}, other = {0};
  describe(text, QUICKLY, &quick);
  describe(text, way, &other);
  // Of a mapped text, what is wrong in front of a byte that is no UTF-8 may be reported instead of it.
  bool is_excused = way == AS_MAPPED && strstr(quick.data ? quick.data : "", "PARSE_ENCODING");
  if (!is_excused && !cake_str_equal(cake_buf_view(&quick), cake_buf_view(&other))) {
    fprintf(stderr, "read quickly:\n%.*s\nbut %s:\n%.*s\n", CAKE_STR_ARG(cake_buf_view(&quick)),
            way == BY_TOKENS ? "by tokens" : "as mapped", CAKE_STR_ARG(cake_buf_view(&other)));
    abort();
  }
  cake_buf_fini(&quick);
  cake_buf_fini(&other);
}

// Words are read by tokens when they are met for the first time: behind this text, many are known.
static const char before[] =
    "func.func @before(%a: index, %c: i1, %x: i32, %l: i64, %f: f32, %m: memref<?xi32>) -> i32 {\n"
    "  scf.for %i = %a to %a step %a {}\n"
    "  scf.if %c {} else {}\n"
    "  scf.while : () -> () { scf.condition(%c) } do { scf.yield }\n"
    "  %0 = arith.addi %x, %x : i32\n"
    "  %1 = arith.constant 1 : index\n"
    "  %2 = func.call @before(%a, %c, %0, %l, %f, %m) : (index, i1, i32, i64, f32, memref<?xi32>) -> i32\n"
    "  cf.br ^bb1(%2 : i32)\n"
    "^bb1(%3: i32):\n"
    "  cf.cond_br %c, ^bb1(%3 : i32), ^bb2\n"
    "^bb2:\n"
    "  return %3 : i32\n"
    "}\n";

static void compare_readers_behind(CakeStr text) {
  CakeBuf all = {0};
  cake_buf_text(&all, before);
  cake_buf_str(&all, text);
  compare_readers(cake_buf_view(&all), BY_TOKENS);
  cake_buf_fini(&all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { LARGEST_KEPT = 1 << 20 }; // parts of a larger one would be given back to the system
  compare_readers((CakeStr){(const char *)data, size}, BY_TOKENS);
  compare_readers_behind((CakeStr){(const char *)data, size});
  if (size <= LARGEST_KEPT) compare_readers((CakeStr){(const char *)data, size}, AS_MAPPED);
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
