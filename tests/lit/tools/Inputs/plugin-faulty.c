// A plugin with one fault, which -DFAULT=n chooses.
#include "cake/plugin.h"

#define ABI 1
#define SIZE 2
#define LAYOUTS 3
#define IS_NULL 4
#define DIALECT 5
#define PASS 6
#define RULE 7
#define SYMBOL 8
#define FORM 9
#define NO_RUN 10

CakeContext *cake_of_next_year(void);

static CakePassResult run(CakePassContext *pass, CakeOp *op) {
  (void)pass, (void)op;
#if FAULT == SYMBOL
  cake_of_next_year();
#endif
  return CAKE_PASS_UNCHANGED;
}

static bool check(CakeOp *module) {
  return module != NULL;
}

static const CakeDialectDef dialect;
static const CakeOperandDef operands[] = {
    {.name = "value", .constraint = &cake_any_type, .doc = ""}
};
static const CakeOpDef ops[] = {
    {.name = "op", .dialect = &dialect, .summary = "", .operands = operands, .n_operands = 1, .assembly = "attr-dict"}
};
static const CakeDialectDef dialect = {
    .name = FAULT == FORM ? "mine" : "arith", .summary = "", .ops = ops, .n_ops = FAULT == FORM};
static const CakeDialectDef *const dialects[] = {&dialect, NULL};
static const CakePassDef passes[] = {
    {.name = FAULT == PASS ? "cse" : "mine", .summary = "", .description = "", .run = FAULT == NO_RUN ? NULL : run},
    {0}
};
static const CakePluginRule rules[] = {
    {"protocol", "", check},
    {0}
};

#ifndef NO_ENTRY
const CakePlugin *cake_plugin(void);
const CakePlugin *cake_plugin(void) {
  static CakePlugin plugin = {CAKE_PLUGIN_HEAD, .name = "faulty", .version = "1", .passes = passes};
  plugin.abi += FAULT == ABI;
  plugin.size += FAULT == SIZE;
  plugin.layouts += FAULT == LAYOUTS;
  if (FAULT == DIALECT || FAULT == FORM) plugin.dialects = dialects;
  if (FAULT == RULE) plugin.rules = rules;
  return FAULT == IS_NULL ? NULL : &plugin;
}
#endif
