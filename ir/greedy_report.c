// The report on greedy rewriting that does not end: which folders and hooks feed one another, and where.
#include "greedy.h"

enum { NAMED_STEPS = 6 };

typedef struct Culprits {
  CakeRewriteStep steps[NAMED_STEPS];
  size_t count;
  bool has_more;
} Culprits;

static void add(Culprits *culprits, const CakeRewriteStep *step) {
  for (size_t i = 0; i < culprits->count; i++)
    if (culprits->steps[i].info == step->info && culprits->steps[i].kind == step->kind &&
        culprits->steps[i].pattern == step->pattern)
      return;
  if (culprits->count < NAMED_STEPS)
    culprits->steps[culprits->count++] = *step;
  else
    culprits->has_more = true;
}

static void describe(const CakeRewriteStep *step, CakeBuf *out) {
  static const char *const kinds[] = {[CAKE_REWRITE_FOLD] = "the folder of",
                                      [CAKE_REWRITE_CANONICALIZE] = "the canonicalize hook of",
                                      [CAKE_REWRITE_OTHER] = "erasing or moving"};
  if (step->kind == CAKE_REWRITE_PATTERN)
    cake_buf_printf(out, "pattern '%s' on '%s'", step->pattern, step->info->name->text);
  else
    cake_buf_printf(out, "%s '%s'", kinds[step->kind], step->info->name->text);
}

static void describe_all(const Culprits *culprits, CakeBuf *out) {
  for (size_t i = 0; i < culprits->count; i++) {
    cake_buf_text(out, i == 0 ? "" : ", ");
    describe(&culprits->steps[i], out);
  }
  if (culprits->has_more) cake_buf_text(out, " and others");
}

bool cake_greedy_report(CakeOp *root, const CakeRewriteSteps *steps, int64_t rewrites, bool is_by_rounds) {
  CakeContext *context = root->context;
  Culprits culprits = {0};
  for (size_t i = 0; i < steps->len; i++)
    add(&culprits, &steps->data[i]);
  CakeLoc loc = steps->len ? steps->data[steps->len - 1].loc : root->loc;
  CakeBuf text = {0};
  describe_all(&culprits, &text);
  const char *limit = is_by_rounds ? "rounds over all ops" : "rewrites";
  const char *what = is_by_rounds ? "still to do" : "these feed one another";
  CakeDiagnostic *d = cake_diag_begin(context, CAKE_ERROR, loc, CAKE_CODE_PASS_FAILED,
                                      "rewriting does not come to an end: stopped by the limit of %s after %lld "
                                      "rewrites; %s: %s",
                                      limit, (long long)rewrites, what, text.data);
  cake_diag_note(context, d, root->loc, "while '%s' was rewritten", root->info->name->text);
  cake_buf_fini(&text);
  return cake_diag_emit(context, d);
}
