// The driver of test-case reduction: cuts ranges of sites, halving their size, and keeps what is still interesting.
//
// Every candidate is the current text parsed anew in a context of its own, cut, verified and printed; nothing survives a
// candidate but its text.
#include "tools/reduce.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cake/text.h"

typedef struct Reduce {
  const ReduceOptions *options;
  ReduceResult *result;
  CakeBuf *error;
  char path[64]; // of the candidate's file
  bool has_failed;
} Reduce;

// A candidate under way: the module of the current text.
typedef struct Candidate {
  CakeContext *context;
  CakeOp *module; // NULL: the text did not parse
} Candidate;

static void ignore(void *user, const CakeDiagnostic *diagnostic) {
  (void)user, (void)diagnostic;
}

// Where the first error of the input goes.
typedef struct FirstError {
  CakeContext *context;
  CakeBuf *text;
} FirstError;

static void keep_first(void *user, const CakeDiagnostic *diagnostic) {
  FirstError *first = user;
  if (diagnostic->severity != CAKE_ERROR || first->text->len) return;
  cake_buf_text(first->text, "the input does not parse\n");
  cake_diag_print(first->context, diagnostic, first->text);
  if (first->text->len && first->text->data[first->text->len - 1] == '\n') first->text->data[--first->text->len] = '\0';
}

static Candidate open_candidate(const Reduce *reduce) {
  Candidate candidate = {.context = cake_context_create()};
  cake_context_allow_unregistered(candidate.context, reduce->options->allow_unregistered);
  cake_context_set_handler(candidate.context, ignore, NULL, NULL, NULL);
  (void)!extensions_register(reduce->options->extensions, candidate.context); // as it was when they were loaded
  candidate.module =
      cake_parse_module(candidate.context, cake_str(reduce->options->file), cake_buf_view(&reduce->result->text));
  return candidate;
}

static size_t count_ops(CakeOp *module) {
  size_t count = 0;
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false))
    count++;
  return count - 1; // without the module
}

static bool fail(Reduce *reduce, const char *text) {
  if (!reduce->error->len) cake_buf_text(reduce->error, text);
  reduce->has_failed = true;
  return false;
}

static bool is_interesting(Reduce *reduce, CakeStr text) {
  bool answer = false;
  reduce->result->tests++;
  if (!reduce_test_run(&reduce->options->test, reduce->path, text, &answer, reduce->error))
    return fail(reduce, "the command cannot be run");
  return answer;
}

// Makes a candidate the current text if it is interesting. `what` names the cut in the trace.
static bool keep(Reduce *reduce, const Candidate *candidate, const char *what) {
  const ReduceOptions *options = reduce->options;
  CakePrintOptions print = {.generic = options->generic, .use_names = true};
  CakeBuf text = {0};
  bool is_kept = options->allow_invalid || extensions_verify(options->extensions, candidate->module);
  if (is_kept) {
    cake_print_op(candidate->module, &print, &text);
    is_kept = !cake_str_equal(cake_buf_view(&text), cake_buf_view(&reduce->result->text)) &&
              is_interesting(reduce, cake_buf_view(&text));
  }
  if (is_kept) {
    CakeBuf old = reduce->result->text;
    reduce->result->text = text;
    text = old;
    reduce->result->kept++;
    reduce->result->ops_after = count_ops(candidate->module);
    if (options->trace) fprintf(stderr, "%s: %zu ops left\n", what, reduce->result->ops_after);
    if (options->output && !cake_file_write(options->output, cake_buf_view(&reduce->result->text), reduce->error))
      is_kept = fail(reduce, "the output cannot be written");
  }
  cake_buf_fini(&text);
  return is_kept;
}

// ---- Cuts ------------------------------------------------------------------------------------------------------------

static size_t count_sites(const Reduce *reduce, const ReduceCut *cut) {
  Candidate candidate = open_candidate(reduce);
  size_t count = candidate.module ? cut->count(candidate.module) : 0;
  cake_context_destroy(candidate.context);
  return count;
}

static bool try_cut(Reduce *reduce, const ReduceCut *cut, size_t first, size_t count) {
  Candidate candidate = open_candidate(reduce);
  bool is_kept = false;
  if (candidate.module) {
    CakeRewriter rewriter = cake_rewriter(candidate.context, NULL);
    is_kept = cut->apply(&rewriter, candidate.module, first, count) && keep(reduce, &candidate, cut->name);
  }
  cake_context_destroy(candidate.context);
  return is_kept;
}

// All ranges of sites, from all sites at once down to single ones. Whether anything was kept.
static bool run_cut(Reduce *reduce, const ReduceCut *cut) {
  bool changed = false;
  size_t n = count_sites(reduce, cut);
  for (size_t size = n; size > 0 && !reduce->has_failed; size /= 2) {
    for (size_t first = 0; first < n && !reduce->has_failed;) {
      if (try_cut(reduce, cut, first, size)) {
        changed = true;
        n = count_sites(reduce, cut); // what stands at `first` now was not tried yet
      } else {
        first += size;
      }
    }
  }
  return changed;
}

// ---- Passes ----------------------------------------------------------------------------------------------------------

// One pass as a cut: kept when it leaves fewer ops.
static bool run_pass(Reduce *reduce, CakeStr name) {
  Candidate candidate = open_candidate(reduce);
  bool is_kept = false;
  CakePassRegistry registry;
  bool has_passes = extensions_enter(reduce->options->extensions, candidate.context, &registry);
  CakePipeline *pipeline = cake_pipeline_create(candidate.context, &registry);
  if (candidate.module && has_passes && cake_pipeline_add(pipeline, name, CAKE_STR(""))) {
    CakePipelineOptions run = {0};
    size_t before = count_ops(candidate.module);
    is_kept = cake_pipeline_run(pipeline, candidate.module, &run) && count_ops(candidate.module) < before &&
              keep(reduce, &candidate, "pass");
  }
  cake_pipeline_destroy(pipeline);
  cake_context_destroy(candidate.context);
  return is_kept;
}

static bool run_passes(Reduce *reduce) {
  bool changed = false;
  for (const char *at = reduce->options->passes; at && *at && !reduce->has_failed;) {
    size_t len = strcspn(at, ",");
    changed = run_pass(reduce, (CakeStr){at, len}) || changed;
    at += len + (at[len] == ',');
  }
  return changed;
}

static bool check_passes(Reduce *reduce) {
  for (const char *at = reduce->options->passes; at && *at;) {
    size_t len = strcspn(at, ",");
    if (!cake_pass_find(&reduce->options->extensions->registry, (CakeStr){at, len})) {
      cake_buf_printf(reduce->error, "there is no pass '%.*s'", (int)len, at);
      return false;
    }
    at += len + (at[len] == ',');
  }
  return true;
}

// ---- A run -----------------------------------------------------------------------------------------------------------

// The input in the printed form that every candidate has; whether it is interesting at all.
static bool start(Reduce *reduce, CakeStr text) {
  cake_buf_str(&reduce->result->text, text);
  Candidate candidate = open_candidate(reduce);
  if (!candidate.module) { // once more, for the message
    FirstError first = {candidate.context, reduce->error};
    cake_context_set_handler(candidate.context, keep_first, &first, NULL, NULL);
    (void)cake_parse_module(candidate.context, cake_str(reduce->options->file), text);
    cake_context_destroy(candidate.context);
    return fail(reduce, "the input does not parse");
  }
  reduce->result->ops_before = reduce->result->ops_after = count_ops(candidate.module);
  bool is_fine = reduce->options->allow_invalid || extensions_verify(reduce->options->extensions, candidate.module);
  if (!is_fine) (void)fail(reduce, "the input does not verify; --allow-invalid reduces it all the same");
  cake_context_destroy(candidate.context);
  if (is_fine && !is_interesting(reduce, text) && !reduce->has_failed)
    (void)fail(reduce, "the command does not answer on the input itself what was asked for");
  return !reduce->has_failed;
}

bool reduce_run(const ReduceOptions *options, CakeStr text, ReduceResult *out, CakeBuf *error) {
  Reduce reduce = {.options = options, .result = out, .error = error, .path = "/tmp/cake-reduce-XXXXXX"};
  if (!check_passes(&reduce)) return false;
  int file = mkstemp(reduce.path);
  if (file < 0) return fail(&reduce, "cannot make a file in /tmp");
  close(file);
  bool changed = start(&reduce, text);
  while (changed && !reduce.has_failed) {
    changed = false;
    for (const ReduceCut *cut = reduce_cuts; cut->name && !reduce.has_failed; cut++)
      changed = run_cut(&reduce, cut) || changed;
    changed = run_passes(&reduce) || changed;
  }
  unlink(reduce.path);
  return !reduce.has_failed;
}
