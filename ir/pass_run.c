// Running a pipeline: over the ops that each nested pipeline is anchored on, with verification, printing, times and statistics.
#include "pass.h"

#include "cake/symbol.h"
#include "cake/text.h"

typedef struct Run {
  CakePipeline *pipeline;
  const CakePipelineOptions *options;
  CakeOp *root;
  CakeArena *scratch;
  CakeBuf *report;
} Run;

static CakeDiagnostic *failure(Run *run, CakeOp *op, const CakePass *pass, const char *what) {
  return cake_diag_begin(run->pipeline->context, CAKE_ERROR, op->loc, CAKE_CODE_PASS_FAILED, "pass '%s' %s",
                         pass->def->name, what);
}

static void dump(Run *run, CakeOp *op, const CakePass *pass, const char *when) {
  CakeBuf *out = run->options->dump;
  if (!out) return;
  cake_buf_printf(out, "// -----// IR Dump %s %s", when, pass->def->name);
  if (op != run->root) {
    CakeId name = cake_symbol_name(op);
    cake_buf_printf(out, " ('%.*s' operation", CAKE_STR_ARG(cake_op_name(op)));
    if (name) cake_buf_printf(out, ": @%s", name->text);
    cake_buf_char(out, ')');
  }
  cake_buf_text(out, " //----- //\n");
  cake_print_op(run->options->print_module_scope ? run->root : op, NULL, out);
  cake_buf_char(out, '\n');
}

static bool verify(Run *run, CakeOp *op, const CakePass *pass) {
  double start = cake_timing_now();
  bool is_fine = cake_verify(op);
  for (size_t i = 0; is_fine && i < run->options->n_extra_verifiers; i++)
    is_fine = run->options->extra_verifiers[i](op);
  if (run->options->timing) cake_timing_add(run->options->timing, CAKE_STR("(verifier)"), 0, cake_timing_now() - start);
  return is_fine || cake_diag_emit(run->pipeline->context, failure(run, op, pass, "left IR that does not verify"));
}

static CakePassResult call(Run *run, CakePass *pass, CakeOp *op) {
  CakeContext *context = run->pipeline->context;
  CakePassContext pass_context = {.context = context,
                                  .rewriter = cake_rewriter(context, NULL),
                                  .scratch = run->scratch,
                                  .pass = pass,
                                  .report = run->report,
                                  .trace = run->options->trace_rewrites ? run->options->dump : NULL};
  size_t errors = cake_context_error_count(context);
  double start = cake_timing_now();
  CakePassResult result = pass->def->run(&pass_context, op);
  if (run->options->timing)
    cake_timing_add(run->options->timing, cake_str(pass->def->name), 0, cake_timing_now() - start);
  cake_arena_reset(run->scratch);
  if (result == CAKE_PASS_FAILED && cake_context_error_count(context) == errors)
    cake_diag_emit(context, failure(run, op, pass, "failed without a reason"));
  if (result == CAKE_PASS_UNCHANGED && pass_context.rewriter.changes) result = CAKE_PASS_CHANGED;
  return result;
}

static bool run_pass(Run *run, CakePass *pass, CakeOp *op) {
  const CakePipelineOptions *options = run->options;
  if (options->print_before_all) dump(run, op, pass, "Before");
  CakePassResult result = call(run, pass, op);
  bool is_changed = result == CAKE_PASS_CHANGED;
  bool is_fine = result != CAKE_PASS_FAILED && (!is_changed || !options->verify_each || verify(run, op, pass));
  if (!is_fine && options->print_after_failure)
    dump(run, op, pass, "After Failed");
  else if (options->print_after_change ? is_changed : options->print_after_all)
    dump(run, op, pass, is_fine ? "After" : "After Failed");
  return is_fine;
}

static bool is_anchored(const PipelineNode *node, const CakeOp *op) {
  if (cake_str_is(node->anchor, "any")) return cake_op_has_trait(op, CAKE_TRAIT_ISOLATED);
  return cake_str_equal(cake_op_name(op), node->anchor);
}

// Recursion is as deep as the pipeline's nesting, which the parser limits.
static bool run_node(Run *run, const PipelineNode *node, CakeOp *op);

static bool run_nested(Run *run, const PipelineNode *node, CakeOp *op) {
  for (uint32_t i = 0; i < op->n_regions; i++) {
    for (CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next) {
      for (CakeOp *inner = block->first, *next; inner; inner = next) {
        next = inner->next;
        if (is_anchored(node, inner) && !run_node(run, node, inner)) return false;
      }
    }
  }
  return true;
}

static bool run_node(Run *run, const PipelineNode *node, CakeOp *op) {
  for (PipelineNode *child = node->first; child; child = child->next) {
    bool is_fine = child->pass ? run_pass(run, child->pass, op) : run_nested(run, child, op);
    if (!is_fine) return false;
  }
  return true;
}

static void print_statistics(const PipelineNode *root, CakeBuf *out) {
  cake_buf_text(out, "// -----// Pass statistics //----- //\n");
  const PipelineNode *node = root;
  while (node) {
    const CakePass *pass = node->pass;
    if (pass && pass->statistics.len) {
      cake_buf_printf(out, "%s\n", pass->def->name);
      for (size_t i = 0; i < pass->statistics.len; i++)
        cake_buf_printf(out, "  %10lld %.*s\n", (long long)pass->statistics.data[i].value,
                        CAKE_STR_ARG(pass->statistics.data[i].name));
    }
    if (node->first) {
      node = node->first;
      continue;
    }
    while (node && !node->next)
      node = node->parent;
    node = node ? node->next : NULL;
  }
}

bool cake_pipeline_run(CakePipeline *pipeline, CakeOp *module, const CakePipelineOptions *options) {
  static const CakePipelineOptions defaults = {.verify_each = true};
  CakeBuf unread = {0};
  Run run = {.pipeline = pipeline, .options = options ? options : &defaults, .root = module};
  run.report = run.options->dump ? run.options->dump : &unread;
  if (!is_anchored(pipeline->root, module) && !cake_str_is(pipeline->root->anchor, "any"))
    return cake_error_at(pipeline->context, module->loc, CAKE_CODE_PASS_PIPELINE,
                         "can't run a pipeline on '%.*s' on operation '%.*s'", CAKE_STR_ARG(pipeline->root->anchor),
                         CAKE_STR_ARG(cake_op_name(module)));
  run.scratch = cake_arena_create();
  bool is_fine = run_node(&run, pipeline->root, module);
  cake_arena_destroy(run.scratch);
  if (run.options->statistics && run.options->dump) print_statistics(pipeline->root, run.options->dump);
  cake_buf_fini(&unread);
  return is_fine;
}
