// Rewrites and dialects as text on any bytes: loading never crashes and never refuses without a reason, and what was
// loaded leaves IR that verifies, or says why it failed.
#include <stdio.h>
#include <stdlib.h>

#include "cake/dialect_text.h"
#include "cake/dialects.h"
#include "cake/passes.h"
#include "cake/rewrites.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char program[] = "func.func @f(%a: i32, %b: i32, %x: f32, %v: vector<4xi32>) -> i32 {\n"
                              "  %c0 = arith.constant 0 : i32\n"
                              "  %c1 = arith.constant 1 : i32\n"
                              "  %c8 = arith.constant 8 : i32\n"
                              "  %m = arith.muli %a, %c8 : i32\n"
                              "  %n = arith.muli %c1, %b : i32\n"
                              "  %s = arith.addi %m, %c0 : i32\n"
                              "  %t = arith.subi %s, %s : i32\n"
                              "  %u = arith.addi %t, %n : i32\n"
                              "  %w = arith.addf %x, %x : f32\n"
                              "  %y = arith.addi %v, %v : vector<4xi32>\n"
                              "  \"t.use\"(%w, %y) : (f32, vector<4xi32>) -> ()\n"
                              "  return %u : i32\n"
                              "}\n";

static CakePassRegistry registry_of(const CakeRewrites *rewrites, size_t index, const CakePassDef **table) {
  *table = cake_rewrites_pass(rewrites, index);
  return (CakePassRegistry){table, 1};
}

static void apply(CakeContext *context, const CakeRewrites *rewrites, size_t index) {
  const CakePassDef *table;
  CakePassRegistry registry = registry_of(rewrites, index, &table);
  CakeOp *module = cake_parse_module(context, CAKE_STR("program"), cake_str(program));
  CakePipeline *pipeline = cake_pipeline_create(context, &registry);
  if (!module || !cake_pipeline_add(pipeline, cake_str(table->name), CAKE_STR(""))) abort();
  size_t errors = cake_context_error_count(context);
  CakePipelineOptions options = {0};
  bool is_fine = cake_pipeline_run(pipeline, module, &options);
  if (is_fine && !cake_verify(module)) {
    fprintf(stderr, "rewrite '%s' left IR that does not verify\n", table->name);
    abort();
  }
  if (!is_fine && cake_context_error_count(context) == errors) abort(); // failed without a reason
  cake_pipeline_destroy(pipeline);
}

static void load_rewrites(CakeContext *context, CakeStr text) {
  const CakeRewrites *rewrites = cake_rewrites_load(context, CAKE_STR("input"), text);
  if (!rewrites && cake_context_error_count(context) == 0) abort();
  for (size_t i = 0; rewrites && cake_rewrites_pass(rewrites, i) && i < 8; i++)
    apply(context, rewrites, i);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CakeStr text = {(const char *)data, size};
  CakeContext *context = cake_context_create();
  cake_register_all_dialects(context);
  cake_context_allow_unregistered(context, true);
  if (!cake_str_starts_with(text, "dialect"))
    load_rewrites(context, text);
  else if (!cake_dialects_load(context, CAKE_STR("input"), text) && cake_context_error_count(context) == 0)
    abort();
  cake_context_destroy(context);
  return 0;
}
