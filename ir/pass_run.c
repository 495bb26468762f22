// Running a pipeline: over the ops that each nested pipeline is anchored on, with verification, printing, times and statistics.
#include "pass.h"

#include "cake/action.h"
#include "cake/text.h"

static CakeDiagnostic *failure(PassRun *run, CakeOp *op, const CakePass *pass, const char *what) {
  return cake_diag_begin(run->pipeline->context, CAKE_ERROR, op->loc, CAKE_CODE_PASS_FAILED, "pass '%s' %s",
                         pass->def->name, what);
}

static bool verify(PassRun *run, CakeOp *op, const CakePass *pass) {
  double start = cake_timing_now();
  bool is_fine = cake_verify(op);
  for (size_t i = 0; is_fine && i < run->options->n_extra_verifiers; i++)
    is_fine = run->options->extra_verifiers[i](op);
  if (run->options->timing) cake_timing_add(run->options->timing, CAKE_STR("(verifier)"), 0, cake_timing_now() - start);
  return is_fine || cake_diag_emit(run->pipeline->context, failure(run, op, pass, "left IR that does not verify"));
}

// What a pass must not do was not done, and is said. False: there is nothing to say.
static bool has_trespassed(PassRun *run, CakeOp *op, const CakePass *pass, const CakeRewriter *rewriter) {
  if (rewriter->fault) cake_diag_emit(run->pipeline->context, failure(run, op, pass, rewriter->fault));
  if (rewriter->fault || !rewriter->trespass) return rewriter->fault;
  CakeBuf what = {0};
  cake_buf_printf(&what, "changed '%s' op, which is not in the op that it runs on", rewriter->trespass->name->text);
  cake_diag_emit(run->pipeline->context, failure(run, op, pass, what.data));
  cake_buf_fini(&what);
  return true;
}

static void print_whole(CakeOp *op, CakeBuf *out) {
  cake_print_op(op, &(CakePrintOptions){.generic = true, .locations = true, .use_names = true}, out);
}

// What the pass claims; `before`: the op as it was. False: reported.
static bool check_claims(PassRun *run, CakeOp *op, const CakePass *pass, CakePassResult result, const CakeBuf *before,
                         const CakeOp *only) {
  CakeBuf what = {0};
  if (result == CAKE_PASS_UNCHANGED) {
    CakeBuf after = {0};
    print_whole(op, &after);
    if (!cake_str_equal(cake_buf_view(before), cake_buf_view(&after)))
      cake_buf_text(&what, "says that it changed nothing, and the IR has changed");
    cake_buf_fini(&after);
  }
  const CakeAnalysisDef *wrong = result == CAKE_PASS_CHANGED ? cake_analyses_find_wrong(run->analyses, only) : NULL;
  if (wrong)
    cake_buf_printf(&what, "says that it preserves the analysis '%s', which is not true any more", wrong->name);
  bool is_fine = !what.len;
  if (!is_fine) cake_diag_emit(run->pipeline->context, failure(run, op, pass, what.data));
  cake_buf_fini(&what);
  return is_fine;
}

// A pass that is a name for a pipeline. That its passes changed something, they have said.
static CakePassResult run_pipeline(CakePassContext *pass, CakeOp *op) {
  bool is_fine = cake_pass_run_pipeline(pass, cake_str(cake_pass_def(pass->pass)->pipeline), op);
  return is_fine ? CAKE_PASS_UNCHANGED : CAKE_PASS_FAILED;
}

static CakePassResult call(PassRun *run, PipelineNode *node, CakeOp *op) {
  CakeContext *context = run->pipeline->context;
  CakePass *pass = node->pass;
  CakePassContext pass_context = {
      .context = context,
      .rewriter = cake_rewriter(context, NULL),
      .scratch = run->scratch,
      .pass = pass,
      .analyses = run->analyses,
      .scope = &(PassScope){.run = run, .node = node, .op = op},
      .report = run->report
  };
  size_t errors = cake_context_error_count(context);
  double start = cake_timing_now(), outer = run->nested;
  run->nested = 0;
  CakeBuf before = {0};
  if (run->options->check_claims) print_whole(op, &before);
  pass_context.rewriter.scope = op;
  CakePassResult result = (pass->def->run ? pass->def->run : run_pipeline)(&pass_context, op);
  double seconds = cake_timing_now() - start - run->nested;
  run->nested = outer;
  for (PipelineNode *at = node; at; at = at->parent)
    at->seconds += seconds;
  node->runs++;
  if (run->options->timing && !run->options->timing_tree)
    cake_timing_add(run->options->timing, cake_str(pass->def->name), 0, seconds);
  cake_arena_reset(run->scratch);
  if (run->has_failed || has_trespassed(run, op, pass, &pass_context.rewriter)) result = CAKE_PASS_FAILED;
  if (result == CAKE_PASS_FAILED && cake_context_error_count(context) == errors)
    cake_diag_emit(context, failure(run, op, pass, "failed without a reason"));
  if (result == CAKE_PASS_UNCHANGED && pass_context.rewriter.changes) result = CAKE_PASS_CHANGED;
  run->n_changes += result == CAKE_PASS_CHANGED;
  const CakeOp *only = pass_context.rewriter.has_erased_regions ? op : NULL;
  if (run->options->check_claims && !check_claims(run, op, pass, result, &before, only)) result = CAKE_PASS_FAILED;
  cake_buf_fini(&before);
  cake_analyses_after(run->analyses, result != CAKE_PASS_UNCHANGED, only);
  return result;
}

static bool prints_after(const CakePipelineOptions *options, const CakePass *pass, bool is_changed) {
  if (cake_pass_is_listed(options->print_after, pass->def->name)) return is_changed || !options->print_after_change;
  return options->print_after_change ? is_changed && !options->print_after.len : options->print_after_all;
}

static CakeActionResult run_pass(PassRun *run, PipelineNode *node, CakeOp *op) {
  const CakePipelineOptions *options = run->options;
  CakePass *pass = node->pass;
  // What runs inside of a pass is repeated by that pass.
  if (options->reproducer && options->local_reproducer && !run->depth) cake_pass_reproducer(run, node);
  if (options->print_before_all || cake_pass_is_listed(options->print_before, pass->def->name))
    cake_pass_dump(run, op, pass, "Before");
  CakePassResult result = call(run, node, op);
  bool is_changed = result == CAKE_PASS_CHANGED;
  bool is_fine = result != CAKE_PASS_FAILED && (!is_changed || !options->verify_each || verify(run, op, pass));
  if (!is_fine && options->print_after_failure)
    cake_pass_dump(run, op, pass, "After Failed");
  else if (prints_after(options, pass, is_changed))
    cake_pass_dump(run, op, pass, is_fine ? "After" : "After Failed");
  return !is_fine ? CAKE_ACTION_FAILED : is_changed ? CAKE_ACTION_CHANGED : CAKE_ACTION_UNCHANGED;
}

// False: the pass failed.
static bool act(PassRun *run, PipelineNode *node, CakeOp *op) {
  CakeContext *context = run->pipeline->context;
  CakeAction action = cake_action("pass", node->pass->def->name, op);
  int64_t outer = run->number;
  action.number = run->number = ++run->last_number;
  CakeActionResult result = CAKE_ACTION_UNCHANGED;
  if (cake_action_begin(context, &action)) {
    result = run_pass(run, node, op);
    cake_action_end(context, &action, result, CAKE_STR(""));
  }
  run->number = outer;
  return result != CAKE_ACTION_FAILED;
}

bool cake_pass_is_anchored(const PipelineNode *node, const CakeOp *op) {
  if (cake_str_is(node->anchor, "any")) return cake_op_has_trait(op, CAKE_TRAIT_ISOLATED);
  return cake_str_equal(cake_op_name(op), node->anchor);
}

bool cake_pass_wrong_anchor(const CakePipeline *pipeline, const CakeOp *op) {
  return cake_error_at(pipeline->context, op->loc, CAKE_CODE_PASS_PIPELINE,
                       "can't run a pipeline on '%.*s' on operation '%.*s'", CAKE_STR_ARG(pipeline->root->anchor),
                       CAKE_STR_ARG(cake_op_name(op)));
}

// Recursion is as deep as the pipeline's nesting, which the parser limits.
static bool run_nested(PassRun *run, PipelineNode *node, CakeOp *op) {
  for (uint32_t i = 0; i < op->n_regions; i++) {
    for (CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next) {
      for (CakeOp *inner = block->first, *next; inner; inner = next) {
        next = inner->next;
        if (cake_pass_is_anchored(node, inner) && !cake_pass_run_node(run, node, inner)) return false;
      }
    }
  }
  return true;
}

bool cake_pass_run_node(PassRun *run, PipelineNode *node, CakeOp *op) {
  node->runs++;
  for (PipelineNode *child = node->first; child; child = child->next) {
    bool is_fine = child->pass ? act(run, child, op) : run_nested(run, child, op);
    if (!is_fine) return false;
  }
  return true;
}

// The node behind this one in pre-order, and how deep it is; NULL at the end.
static const PipelineNode *next_node(const PipelineNode *node, unsigned *depth) {
  if (node->first) return (*depth)++, node->first;
  for (; node && !node->next; node = node->parent)
    (*depth)--;
  return node ? node->next : NULL;
}

static void print_statistics(const PipelineNode *root, CakeBuf *out) {
  unsigned depth = 0;
  cake_buf_text(out, "// -----// Pass statistics //----- //\n");
  for (const PipelineNode *node = root; node; node = next_node(node, &depth)) {
    const CakePass *pass = node->pass;
    if (!pass || !pass->statistics.len) continue;
    cake_buf_printf(out, "%s\n", pass->def->name);
    for (size_t i = 0; i < pass->statistics.len; i++)
      cake_buf_printf(out, "  %10lld %.*s\n", (long long)pass->statistics.data[i].value,
                      CAKE_STR_ARG(pass->statistics.data[i].name));
  }
}

static void print_statistics_json(const PipelineNode *root, CakeBuf *out) {
  unsigned depth = 0;
  CakeJson json = cake_json(out);
  cake_json_begin_array(&json);
  for (const PipelineNode *node = root; node; node = next_node(node, &depth)) {
    if (!node->pass) continue;
    cake_json_begin_object(&json);
    cake_json_key(&json, "pass");
    cake_json_str(&json, cake_str(node->pass->def->name));
    for (size_t i = 0; i < node->pass->statistics.len; i++) {
      cake_json_key(&json, node->pass->statistics.data[i].name.ptr); // a constant of the pass
      cake_json_int(&json, node->pass->statistics.data[i].value);
    }
    cake_json_end_object(&json);
  }
  cake_json_end_array(&json);
  cake_buf_char(out, '\n');
}

static void add_times(const PipelineNode *root, CakeTiming *timing) {
  unsigned depth = 0;
  CakeBuf name = {0};
  for (const PipelineNode *node = root; node; node = next_node(node, &depth)) {
    cake_buf_clear(&name);
    if (node->pass)
      cake_buf_text(&name, node->pass->def->name);
    else
      cake_buf_printf(&name, "'%.*s' pipeline", CAKE_STR_ARG(node->anchor));
    cake_timing_add_row(timing, cake_buf_view(&name), depth, node->runs, node->seconds);
  }
  cake_buf_fini(&name);
}

static void report(const PassRun *run) {
  const CakePipelineOptions *options = run->options;
  if (options->statistics && options->dump)
    (options->statistics_json ? print_statistics_json : print_statistics)(run->pipeline->root, options->dump);
  if (options->timing && options->timing_tree) add_times(run->pipeline->root, options->timing);
}

bool cake_pipeline_run(CakePipeline *pipeline, CakeOp *module, const CakePipelineOptions *options) {
  static const CakePipelineOptions defaults = {.verify_each = true};
  CakeBuf unread = {0};
  PassRun run = {.pipeline = pipeline, .options = options ? options : &defaults, .root = module};
  run.report = run.options->dump ? run.options->dump : &unread;
  if (!cake_pass_is_anchored(pipeline->root, module) && !cake_str_is(pipeline->root->anchor, "any"))
    return cake_pass_wrong_anchor(pipeline, module);
  CakeArena *arena = cake_arena_create();
  run.analyses = cake_analyses_create(arena);
  run.scratch = cake_arena_create();
  if (run.options->reproducer && !run.options->local_reproducer) cake_pass_reproducer(&run, NULL);
  CakeRewriteTrace trace = {pipeline->context, run.options->dump};
  CakeActionObserver observer = cake_rewrite_trace(&trace);
  if (run.options->trace_rewrites && run.options->dump) cake_context_observe(pipeline->context, &observer);
  bool is_fine = cake_pass_run_node(&run, pipeline->root, module);
  cake_context_unobserve(pipeline->context, &observer);
  cake_arena_destroy(run.scratch);
  cake_analyses_fini(run.analyses);
  cake_arena_destroy(arena);
  report(&run);
  cake_buf_fini(&unread);
  return is_fine;
}
