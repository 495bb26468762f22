// Passes on IR that is valid by construction: bytes choose functions of loops, branches, calls and blocks, and a pipeline. Every
// pass must succeed and leave IR that verifies; what is printed in the end must read back.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cake/dialects.h"
#include "cake/passes.h"
#include "cake/text.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { MOST_VALUES = 64, MOST_DEPTH = 4, FUNCTIONS = 3 };

// Values of i32 that may be used here; the newest last.
typedef struct Generator {
  const uint8_t *data;
  size_t size, at;
  CakeBuf out;
  unsigned next; // number of the next value
  unsigned values[MOST_VALUES];
  size_t n_values;
  unsigned function;
} Generator;

static unsigned choose(Generator *g, unsigned count) {
  return g->at < g->size ? g->data[g->at++] % count : 0;
}

static unsigned any(Generator *g) {
  return g->values[choose(g, (unsigned)g->n_values)];
}

static void define(Generator *g, unsigned value) {
  if (g->n_values == MOST_VALUES) g->n_values--;
  g->values[g->n_values++] = value;
}

static void add_ops(Generator *g, unsigned depth);

// A region's ops and its yield of one value.
static void add_body(Generator *g, unsigned depth) {
  size_t outer = g->n_values;
  add_ops(g, depth + 1);
  cake_buf_printf(&g->out, "scf.yield %%%u : i32\n}", any(g));
  g->n_values = outer;
}

static void add_if(Generator *g, unsigned depth) {
  unsigned condition = g->next++, result = g->next++;
  cake_buf_printf(&g->out, "%%%u = arith.cmpi slt, %%%u, %%%u : i32\n", condition, any(g), any(g));
  cake_buf_printf(&g->out, "%%%u = scf.if %%%u -> i32 {\n", result, condition);
  add_body(g, depth);
  cake_buf_text(&g->out, " else {\n");
  add_body(g, depth);
  cake_buf_char(&g->out, '\n');
  define(g, result);
}

static void add_for(Generator *g, unsigned depth) {
  unsigned low = g->next++, high = g->next++, step = g->next++, result = g->next++, index = g->next++,
           carried = g->next++;
  unsigned cast = g->next++;
  cake_buf_printf(&g->out, "%%%u = arith.constant %u : index\n%%%u = arith.constant %u : index\n", low, choose(g, 4),
                  high, choose(g, 12));
  cake_buf_printf(&g->out, "%%%u = arith.constant %u : index\n", step, 1 + choose(g, 4));
  cake_buf_printf(&g->out, "%%%u = scf.for %%%u = %%%u to %%%u step %%%u iter_args(%%%u = %%%u) -> i32 {\n", result,
                  index, low, high, step, carried, any(g));
  size_t outer = g->n_values;
  cake_buf_printf(&g->out, "%%%u = arith.index_cast %%%u : index to i32\n", cast, index);
  define(g, carried);
  define(g, cast);
  add_body(g, depth);
  cake_buf_char(&g->out, '\n');
  g->n_values = outer;
  define(g, result);
}

static void add_binary(Generator *g) {
  static const char *const names[] = {"addi", "subi", "muli", "xori", "andi", "ori", "divsi", "remui", "shli", "maxsi"};
  unsigned result = g->next++;
  cake_buf_printf(&g->out, "%%%u = arith.%s %%%u, %%%u : i32\n", result, names[choose(g, CAKE_COUNT(names))], any(g),
                  any(g));
  define(g, result);
}

static void add_op(Generator *g, unsigned depth) {
  unsigned kind = choose(g, 16), result;
  if (depth < MOST_DEPTH && kind < 2) {
    (kind ? add_if : add_for)(g, depth);
  } else if (kind == 2) {
    cake_buf_printf(&g->out, "\"t.use\"(%%%u) : (i32) -> ()\n", any(g));
  } else if (kind == 3 && g->function) {
    result = g->next++;
    cake_buf_printf(&g->out, "%%%u = func.call @f%u(%%%u, %%%u) : (i32, i32) -> i32\n", result, choose(g, g->function),
                    any(g), any(g));
    define(g, result);
  } else if (kind < 7) {
    result = g->next++;
    cake_buf_printf(&g->out, "%%%u = arith.constant %d : i32\n", result, (int)choose(g, 9) - 4);
    define(g, result);
  } else {
    add_binary(g);
  }
}

static void add_ops(Generator *g, unsigned depth) {
  for (unsigned i = choose(g, 6); i > 0; i--)
    add_op(g, depth);
}

// The end of block `block` of `count`: a branch to one or two blocks, each with a value, or a return.
static void add_end(Generator *g, unsigned count) {
  unsigned kind = count ? choose(g, 4) : 0, condition = g->next++;
  if (kind == 0) {
    cake_buf_printf(&g->out, "return %%%u : i32\n", any(g));
  } else if (kind == 1) {
    cake_buf_printf(&g->out, "cf.br ^b%u(%%%u : i32)\n", choose(g, count), any(g));
  } else {
    cake_buf_printf(&g->out, "%%%u = arith.cmpi eq, %%%u, %%%u : i32\n", condition, any(g), any(g));
    cake_buf_printf(&g->out, "cf.cond_br %%%u, ^b%u(%%%u : i32)", condition, choose(g, count), any(g));
    cake_buf_printf(&g->out, ", ^b%u(%%%u : i32)\n", choose(g, count), any(g));
  }
}

// Blocks use what the entry defines and what they define themselves.
static void add_function(Generator *g) {
  unsigned count = choose(g, 5);
  g->next = 2;
  g->n_values = 0;
  define(g, 0);
  define(g, 1);
  cake_buf_printf(&g->out, "func.func %s@f%u(%%0: i32, %%1: i32) -> i32 {\n", choose(g, 2) ? "private " : "",
                  g->function);
  add_ops(g, 0);
  add_end(g, count);
  size_t entry = g->n_values;
  for (unsigned block = 0; block < count; block++) {
    unsigned arg = g->next++;
    g->n_values = entry;
    cake_buf_printf(&g->out, "^b%u(%%%u: i32):\n", block, arg);
    define(g, arg);
    add_ops(g, 0);
    add_end(g, count);
  }
  cake_buf_text(&g->out, "}\n");
}

static void add_pipeline(Generator *g, CakeBuf *out) {
  static const char *const passes[] = {"canonicalize",
                                       "cse",
                                       "dce",
                                       "sccp",
                                       "loop-invariant-code-motion",
                                       "inline",
                                       "symbol-dce",
                                       "loop-unroll{factor=2}",
                                       "loop-unroll{factor=3 full-limit=4}",
                                       "strip-debuginfo",
                                       "print-op-stats",
                                       "view-op-graph{format=svg}",
                                       "view-op-graph",
                                       "func.func(canonicalize,cse)",
                                       "func.func(sccp)",
                                       "int-range-optimizations",
                                       "promote-buffers",
                                       "print-ranges",
                                       "print-liveness",
                                       "print-effects",
                                       "print-call-graph",
                                       "print-alias"};
  cake_buf_text(out, "builtin.module(");
  for (unsigned i = choose(g, 5) + 1; i > 0; i--)
    cake_buf_printf(out, "%s%s", passes[choose(g, CAKE_COUNT(passes))], i > 1 ? "," : ")");
}

// ---- Running -------------------------------------------------------------------------------------------------------

static void show(void *user, const CakeDiagnostic *diagnostic) {
  CakeBuf out = {0};
  if (diagnostic->severity != CAKE_ERROR) return;
  cake_diag_print(user, diagnostic, &out);
  fprintf(stderr, "%s\n", out.data);
  cake_buf_fini(&out);
}

static CakeContext *make_context(void) {
  CakeContext *context = cake_context_create();
  cake_register_all_dialects(context);
  cake_context_allow_unregistered(context, true);
  cake_context_set_handler(context, show, context, NULL, NULL);
  return context;
}

static void fail(const char *what, CakeStr text, const CakeBuf *pipeline) {
  fprintf(stderr, "%s\npipeline: %s\n%.*s\n", what, pipeline->data, CAKE_STR_ARG(text));
  abort();
}

static void check(CakeStr text, const CakeBuf *pipeline_text) {
  CakeContext *context = make_context(), *second = make_context();
  CakeOp *module = cake_parse_module(context, CAKE_STR("generated"), text);
  if (!module || !cake_verify(module)) fail("what was generated is not valid", text, pipeline_text);
  CakePipeline *pipeline = cake_pipeline_parse(context, &cake_passes_registry, cake_buf_view(pipeline_text));
  if (!pipeline || !cake_pipeline_run(pipeline, module, NULL)) fail("the pipeline fails", text, pipeline_text);
  CakeBuf printed = {0}, again = {0};
  cake_print_op(module, NULL, &printed);
  CakeOp *back = cake_parse_module(second, CAKE_STR("printed"), cake_buf_view(&printed));
  if (!back || !cake_verify(back)) fail("what comes out does not read back", text, pipeline_text);
  cake_print_op(back, NULL, &again);
  if (!cake_str_equal(cake_buf_view(&printed), cake_buf_view(&again)))
    fail("it reads back as something else", text, pipeline_text);
  cake_buf_fini(&printed);
  cake_buf_fini(&again);
  cake_pipeline_destroy(pipeline);
  cake_context_destroy(second);
  cake_context_destroy(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Generator generator = {.data = data, .size = size};
  CakeBuf pipeline = {0};
  add_pipeline(&generator, &pipeline);
  for (; generator.function < FUNCTIONS; generator.function++)
    add_function(&generator);
  check(cake_buf_view(&generator.out), &pipeline);
  cake_buf_fini(&generator.out);
  cake_buf_fini(&pipeline);
  return 0;
}
