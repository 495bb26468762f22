// test-dynamic-pipeline: a pass that runs a pipeline on the functions of a name inside of its op, on itself, or where it may not.
#include <string.h>

#include "cake/plugin.h"

static bool is_wanted(const CakePassContext *pass, CakeOp *op) {
  CakeStr wanted = cake_pass_option_str(pass->pass, "on");
  CakeId name = cake_symbol_name(op);
  return name && cake_str_equal(cake_id_str(name), wanted);
}

static CakePassResult run(CakePassContext *pass, CakeOp *root) {
  CakeStr pipeline = cake_pass_option_str(pass->pass, "pipeline"), where = cake_pass_option_str(pass->pass, "where");
  char *kept = cake_arena_alloc(pass->scratch, 5); // must be as it was behind the pipelines
  memcpy(kept, "kept", 5);
  bool is_fine = true;
  if (cake_str_is(where, "itself")) is_fine = cake_pass_run_pipeline(pass, pipeline, root);
  if (cake_str_is(where, "parent")) is_fine = cake_pass_run_pipeline(pass, pipeline, cake_op_parent(root));
  if (cake_str_is(where, "first"))
    is_fine = cake_pass_run_pipeline(pass, pipeline, cake_region_entry(cake_op_region(root, 0))->first);
  for (CakeOp *op = root; is_fine && where.len == 0 && op; op = cake_op_walk_next(root, op, false))
    if (is_wanted(pass, op)) is_fine = cake_pass_run_pipeline(pass, pipeline, op);
  if (strcmp(kept, "kept") != 0) return CAKE_PASS_FAILED;
  return is_fine || cake_pass_option_bool(pass->pass, "forgives") ? CAKE_PASS_UNCHANGED : CAKE_PASS_FAILED;
}

// Asks for an analysis before and behind a pipeline: it must not be the one that the pipeline made untrue.
static CakePassResult look(CakePassContext *pass, CakeOp *root) {
  const void *before = cake_pass_analysis(pass, &cake_dominance_analysis, root);
  if (!cake_pass_run_pipeline(pass, CAKE_STR("func.func(canonicalize)"), root)) return CAKE_PASS_FAILED;
  const void *behind = cake_pass_analysis(pass, &cake_dominance_analysis, root);
  cake_buf_printf(pass->report, "the analysis is %s\n", before == behind ? "the same" : "another");
  return CAKE_PASS_UNCHANGED;
}

static CakePassResult run_itself(CakePassContext *pass, CakeOp *op) {
  bool is_fine = cake_pass_run_pipeline(pass, CAKE_STR("func.func(test-dynamic-endless)"), op);
  return is_fine ? CAKE_PASS_UNCHANGED : CAKE_PASS_FAILED;
}

static CakePassResult break_it(CakePassContext *pass, CakeOp *op) {
  cake_rewriter_set_start(&pass->rewriter, cake_region_entry(cake_op_region(op, 0)));
  cake_rewriter_build(&pass->rewriter, &(CakeBuild){.name = "scf.yield"});
  return CAKE_PASS_CHANGED;
}

static const CakePassOption options[] = {
    {"pipeline", CAKE_OPTION_STRING, "",      "what is run"                                               },
    {"on",       CAKE_OPTION_STRING, "",      "the name of functions"                                     },
    {"where",    CAKE_OPTION_STRING, "",      "`itself`, `parent`, `first` inside, or empty: as `on` says"},
    {"forgives", CAKE_OPTION_BOOL,   "false", "says that all is well, whatever the pipeline did"          },
};
static const CakePassDef passes[] = {
    {.name = "test-dynamic-pipeline",
     .summary = "Runs a pipeline.",
     .description = "",
     .options = options,
     .n_options = sizeof options / sizeof *options,
     .run = run},
    {.name = "test-dynamic-analysis",
     .summary = "Looks at an analysis round a pipeline.",
     .description = "",
     .anchor = "func.func",
     .run = look},
    {.name = "test-dynamic-endless", .summary = "Runs itself.", .description = "", .run = run_itself},
    {.name = "test-break", .summary = "Leaves IR that does not verify.", .description = "", .run = break_it},
    {0}
};

CAKE_PLUGIN_EXPORT const CakePlugin *cake_plugin(void);
CAKE_PLUGIN_EXPORT const CakePlugin *cake_plugin(void) {
  static const CakePlugin plugin = {CAKE_PLUGIN_HEAD, .name = "dynamic-pipeline", .version = "1.0", .passes = passes};
  return &plugin;
}
