// Builds a kernel, verifies it, and lowers it to PTX, with nothing but the headers of include/cake.
//
// The kernel doubles every element of a matrix. It is built op by op, as a program that generates schedules would; the same kernel as text is
// docs/examples/double.cake. Prints the schedule and, where the library was built with LLVM, the first lines of its PTX.
#include "cake/dialects.h"
#include "cake/nvptx.h"
#include "cake/passes.h"
#include "cake/text.h"
#include "cake/verify.h"

#include <stdio.h>
#include <string.h>

#ifndef CAKE_HAVE_NVPTX
#define CAKE_HAVE_NVPTX 1
#endif

typedef struct Build {
  CakeContext *context;
  CakeRewriter rewriter;
} Build;

static CakeType type(Build *b, const char *text) { return cake_parse_type_text(b->context, cake_str(text)); }

static CakeNamedAttr named(Build *b, const char *name, const char *value) {
  return (CakeNamedAttr){cake_id_text(b->context, name), cake_parse_attr_text(b->context, cake_str(value))};
}

// Makes an op with attributes given as pairs name, text; the list ends with NULL.
static CakeOp *op(Build *b, const char *name, CakeValue **operands, size_t n_operands, CakeType result, size_t n_regions, const char *const *attrs) {
  CakeNamedAttr list[8];
  size_t n = 0;
  for (; attrs && attrs[2 * n]; ++n) list[n] = named(b, attrs[2 * n], attrs[2 * n + 1]);
  CakeBuild build = {.name = name, .operands = operands, .n_operands = n_operands, .result_types = &result, .n_results = result ? 1 : 0,
                     .attrs = list, .n_attrs = n, .n_regions = n_regions};
  return cake_rewriter_build(&b->rewriter, &build);
}

static CakeBlock *enter(Build *b, CakeOp *parent, const CakeType *args, size_t n_args) {
  CakeBlock *block = cake_rewriter_add_block(&b->rewriter, cake_op_region(parent, 0), args, n_args, parent->loc);
  cake_rewriter_set_end(&b->rewriter, block);
  return block;
}

static void build_kernel(Build *b, CakeOp *module) {
  CakeType array = type(b, "!cake.global<[R]x[C]xf32>"), tile = type(b, "tensor<64x64xf32, #cake.mma.acc<4x1>>");
  CakeType index = cake_type_index(b->context);
  cake_rewriter_set_end(&b->rewriter, cake_module_body(module));
  CakeOp *kernel = op(b, "cake.kernel", NULL, 0, NULL, 1,
                      (const char *const[]){"sym_name", "\"double\"", "arg_names", "[\"x\", \"y\"]", "target", "[\"sm_80\", \"sm_90a\"]", NULL});
  CakeBlock *body = enter(b, kernel, (const CakeType[]){array, array}, 2);
  op(b, "cake.tiles", NULL, 0, NULL, 0,
     (const char *const[]){"sym_name", "\"work\"", "axes", "#cake.axes<r = ceildiv(R, 64), c = ceildiv(C, 64)>", "schedule", "#cake.schedule<grid>", NULL});
  CakeOp *role = op(b, "cake.role", NULL, 0, NULL, 1, (const char *const[]){"sym_name", "\"all\"", "warps", "#cake.expr<4>", NULL});
  op(b, "cake.end", NULL, 0, NULL, 0, NULL);
  enter(b, role, NULL, 0);
  CakeOp *two = op(b, "cake.fill", NULL, 0, tile, 0, (const char *const[]){"value", "2.0 : f32", NULL});
  CakeOp *items = op(b, "cake.items", NULL, 0, NULL, 1, (const char *const[]){"tiles", "@work", NULL});
  op(b, "cake.end", NULL, 0, NULL, 0, NULL);
  CakeBlock *item = enter(b, items, (const CakeType[]){index, index}, 2);
  const char *at = "#cake.at<[d0 * 64, d1 * 64]>";
  CakeOp *x = op(b, "cake.load", (CakeValue *[]){body->args[0], item->args[0], item->args[1]}, 3, tile, 0, (const char *const[]){"at", at, "pad", "0.0 : f32", "operandSegmentSizes", "array<i32: 1, 2, 0>", NULL});
  CakeOp *y = op(b, "arith.mulf", (CakeValue *[]){cake_op_result(x, 0), cake_op_result(two, 0)}, 2, tile, 0, NULL);
  op(b, "cake.store", (CakeValue *[]){cake_op_result(y, 0), body->args[1], item->args[0], item->args[1]}, 4, NULL, 0,
     (const char *const[]){"at", at, "clip", "unit", "operandSegmentSizes", "array<i32: 1, 1, 2, 0>", NULL});
  op(b, "cake.yield", NULL, 0, NULL, 0, NULL);
}

static void report(void *user, const CakeDiagnostic *diagnostic) {
  CakeBuf text = {0};
  cake_diag_print((const CakeContext *)user, diagnostic, &text);
  fputs(text.data, stderr);
  cake_buf_fini(&text);
}

static bool lower(CakeContext *context, CakeOp *module) {
  CakePipeline *pipeline = cake_pipeline_parse(context, &cake_passes_registry,
                                               CAKE_STR("builtin.module(cake-instantiate,cake-assign-shared,cake-expand-roles,cake-expand-pipelines,"
                                                        "cake-expand-fragments,canonicalize,cse,dce)"));
  CakePipelineOptions options = {.verify_each = true};
  bool ok = pipeline && cake_pipeline_run(pipeline, module, &options);
  if (pipeline) cake_pipeline_destroy(pipeline);
  return ok;
}

static bool print_ptx(CakeOp *module) {
#if CAKE_HAVE_NVPTX
  CakeBuf ptx = {0};
  CakeNvptxOptions target = {.target = "sm_90a"};
  bool ok = cake_nvptx_emit_ptx(module, &target, &ptx);
  const char *entry = ok ? strstr(ptx.data, ".visible .entry") : NULL;
  if (entry) printf("PTX for sm_90a, %zu bytes: %.*s\n", ptx.len, (int)strcspn(entry, "(\n"), entry);
  cake_buf_fini(&ptx);
  return ok && entry;
#else
  (void)module;
  puts("built without LLVM: no PTX");
  return true;
#endif
}

int main(void) {
  CakeContext *context = cake_context_create();
  cake_register_all_dialects(context);
  cake_context_set_handler(context, report, context, NULL, NULL);
  CakeOp *module = cake_module_create(context, cake_loc_unknown());
  Build build = {context, cake_rewriter(context, NULL)};
  build_kernel(&build, module);
  bool ok = cake_verify(module);
  CakeBuf text = {0};
  cake_print_op(module, NULL, &text);
  fputs(text.data, stdout);
  cake_buf_fini(&text);
  ok = ok && lower(context, module) && print_ptx(module);
  cake_context_destroy(context);
  return ok ? 0 : 1;
}
