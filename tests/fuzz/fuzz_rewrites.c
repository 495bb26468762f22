// Rewrites and dialects as text on any bytes: loading never crashes and never refuses without a reason, and what was
// loaded leaves IR that verifies, or says why it failed.
#include <stdio.h>
#include <stdlib.h>

#include "cake/dialect_text.h"
#include "cake/dialects.h"
#include "cake/passes.h"
#include "cake/rewrites.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char program[] =
    "func.func @f(%a: i32, %b: i32, %x: f32, %v: vector<4xi32>) -> i32 {\n"
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
    "}\n"
    "func.func private @log(i32, f32) -> f32\n"
    "func.func private @log_rest(f32) -> f32\n"
    "func.func @g(%c: i1, %a: i32, %x: f32, %s: index) -> (i32, f32) {\n"
    "  %true = arith.constant true\n"
    "  %i1 = arith.constant 1 : index\n"
    "  %i2 = arith.constant 2 : index\n"
    "  %k = arith.constant 7 : i32\n"
    "  %not = arith.xori %c, %true : i1\n"
    "  %0:2 = scf.if %true -> (i32, f32) {\n"
    "    %y = arith.addi %a, %a : i32\n"
    "    scf.yield %y, %x : i32, f32\n"
    "  } else {\n"
    "    scf.yield %a, %x : i32, f32\n"
    "  }\n"
    "  %1 = scf.if %not -> f32 { scf.yield %x : f32 } else { scf.yield %0#1 : f32 }\n"
    "  scf.if %c { scf.if %not { \"t.use\"(%1) : (f32) -> () } }\n"
    "  %2 = scf.for %i = %i1 to %i2 step %i2 iter_args(%v = %1) -> f32 {\n"
    "    %w = \"t.step\"(%v, %i) : (f32, index) -> f32\n"
    "    scf.yield %w : f32\n"
    "  }\n"
    "  scf.for %i = %i2 to %i1 step %s { \"t.use\"(%i) : (index) -> () }\n"
    "  %3 = func.call @log(%k, %2) : (i32, f32) -> f32\n"
    "  %4:2 = \"t.two\"(%3, %k) ({\n"
    "    %z = \"t.x\"(%3) : (f32) -> i32\n"
    "    \"t.inner\"() ({ \"t.use\"(%z) : (i32) -> () }) : () -> ()\n"
    "  }) : (f32, i32) -> (f32, i32)\n"
    "  cf.cond_br %true, ^bb1(%3, %k : f32, i32), ^bb2(%a : i32)\n"
    "^bb1(%p: f32, %q: i32):\n"
    "  cf.cond_br %c, ^bb2(%q : i32), ^bb2(%q : i32)\n"
    "^bb2(%r: i32):\n"
    "  return %r, %3 : i32, f32\n"
    "}\n"
    "func.func @h(%c: i1, %x: i32, %f: f32) -> (i32, f32) {\n"
    "  \"u.body\"() ({\n"
    "  ^empty:\n"
    "  }) : () -> ()\n"
    "  \"u.body\"() ({ }) : () -> ()\n"
    "  \"u.body\"() ({\n"
    "    %k = arith.constant 8 : i32\n"
    "    %y = arith.muli %x, %k : i32\n"
    "    \"u.end\"(%y) {tag = 5} : (i32) -> ()\n"
    "  }) : () -> ()\n"
    "  \"u.outer\"() ({\n"
    "    %y = \"u.y\"() : () -> i32\n"
    "    \"u.inner\"() ({ \"u.use\"(%y) : (i32) -> () }) : () -> ()\n"
    "  }) : () -> ()\n"
    "  \"u.outer\"() ({\n"
    "    \"u.inner\"() ({\n"
    "    ^a(%p: i32):\n"
    "      \"u.br\"()[^b] : () -> ()\n"
    "    ^b:\n"
    "      \"u.br\"()[^b] : () -> ()\n"
    "    }) : () -> ()\n"
    "  }) : () -> ()\n"
    "  %0 = \"u.if\"(%c) ({ \"u.yield\"(%x) : (i32) -> () }) : (i1) -> i32\n"
    "  %1 = \"u.if\"(%c) ({\n"
    "    %z = \"u.any\"() : () -> i32\n"
    "    \"u.yield\"(%z) : (i32) -> ()\n"
    "  }) : (i1) -> i32\n"
    "  %2:2 = \"u.loop\"(%0, %f) ({ \"u.use\"(%1) : (i32) -> () }) : (i32, f32) -> (i32, f32)\n"
    "  \"u.loop\"() ({\n"
    "  ^a(%p: i32, %q: f32):\n"
    "    \"u.use\"(%p, %q) : (i32, f32) -> ()\n"
    "  }) : () -> ()\n"
    "  return %2#0, %2#1 : i32, f32\n"
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
  CakePipelineOptions options = {.verify_each = true}; // what a rewrite makes of regions may be wrong, and is said
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
