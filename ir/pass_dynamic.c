// Pipelines that a pass runs itself, on ops of its choice.
#include "pass.h"

enum { MAX_DEPTH = 64 };

static bool refuse(const PassScope *scope, CakeOp *op, const char *what) {
  return cake_error(op, CAKE_CODE_PASS_FAILED, "can't be given a pipeline by pass '%s': %s",
                    scope->node->pass->def->name, what);
}

// The pipeline of that text in the pass: the one that it ran before, or a new one. NULL: reported.
static CakePipeline *find_pipeline(const PassScope *scope, CakeStr text) {
  CakePipeline *outer = scope->run->pipeline;
  for (size_t i = 0; i < outer->dynamic.len; i++) {
    const DynamicPipeline *known = &outer->dynamic.data[i];
    if (known->pass == scope->node && cake_str_equal(known->text, text)) return known->pipeline;
  }
  CakePipeline *made = cake_pipeline_parse(outer->context, outer->registry, text);
  if (!made) return NULL;
  cake_pipeline_add_node(scope->node, made->root);
  CAKE_PUSH(&outer->dynamic, ((DynamicPipeline){scope->node, cake_arena_str(outer->arena, text), made}));
  return made;
}

static bool is_inside(const CakeOp *op, const CakeOp *around) {
  while (op && op != around)
    op = cake_op_parent(op);
  return op;
}

static bool may_run(const PassScope *scope, const CakePipeline *pipeline, CakeOp *op) {
  if (!is_inside(op, scope->op)) return refuse(scope, op, "it is not inside of the op that the pass runs on");
  if (!cake_op_has_trait(op, CAKE_TRAIT_ISOLATED)) return refuse(scope, op, "it is not isolated from above");
  if (scope->run->depth == MAX_DEPTH) return refuse(scope, op, "passes run pipelines in one another without end");
  return cake_pass_is_anchored(pipeline->root, op) || cake_pass_wrong_anchor(pipeline, op);
}

// What the pass itself has changed so far is not in the analyses that are kept.
static void tell_analyses(const CakePassContext *pass) {
  PassScope *scope = pass->scope;
  if (pass->rewriter.changes == scope->n_told) return;
  cake_analyses_after(scope->run->analyses, true, pass->rewriter.has_erased_regions ? scope->op : NULL);
}

bool cake_pass_run_pipeline(CakePassContext *pass, CakeStr text, CakeOp *op) {
  PassScope *scope = pass->scope;
  PassRun *run = scope->run;
  CakePipeline *pipeline = find_pipeline(scope, text);
  bool is_fine = pipeline && may_run(scope, pipeline, op);
  double start = cake_timing_now();
  if (is_fine) tell_analyses(pass);
  CakeArena *scratch = run->scratch;
  int64_t changes = run->n_changes;
  run->scratch = cake_arena_create(); // what the pass has in its own stays
  run->depth++;
  is_fine = is_fine && cake_pass_run_node(run, pipeline->root, op);
  run->depth--;
  cake_arena_destroy(run->scratch);
  run->scratch = scratch;
  run->nested += cake_timing_now() - start;
  run->has_failed |= !is_fine;
  pass->rewriter.changes += (uint64_t)(run->n_changes - changes);
  scope->n_told = pass->rewriter.changes;
  return is_fine;
}
