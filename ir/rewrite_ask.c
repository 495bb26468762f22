// Asking what stands in the `where` of a rewrite, with what its variables stand for.
#include "rewrite.h"

// An argument that stands for several values or types is asked about one after the other.
typedef struct Question {
  const RewriteMatch *match;
  const RewriteClause *clause;
  RewriteValues values[CAKE_REWRITE_ARGS];
  RewriteTypes types[CAKE_REWRITE_ARGS];
  size_t count; // how often it is asked
  bool is_even; // its ranges have as many values
} Question;

static bool is_whole(const RewriteClause *clause, uint32_t i) {
  return clause->native->kinds[i] == 'r';
}

static Question question(const RewriteMatch *match, const RewriteClause *clause) {
  Question question = {.match = match, .clause = clause, .count = 1, .is_even = true};
  bool has_range = false;
  for (uint32_t i = 0; i < clause->n_args; i++) {
    const CakeRewriteArg *arg = &clause->args[i];
    if (!cake_rewrite_is_range(arg->type)) continue;
    if (arg->value)
      cake_rewrite_bound_values(match, arg->value, &question.values[i]);
    else
      cake_rewrite_bound_types(match, arg->type, &question.types[i]);
    if (is_whole(clause, i)) continue;
    size_t count = arg->value ? question.values[i].len : question.types[i].len;
    question.is_even = question.is_even && (!has_range || question.count == count);
    question.count = count;
    has_range = true;
  }
  return question;
}

static void question_fini(Question *question) {
  for (uint32_t i = 0; i < CAKE_REWRITE_ARGS; i++) {
    CAKE_VEC_FINI(&question->values[i]);
    CAKE_VEC_FINI(&question->types[i]);
  }
}

// An argument that is no range.
static CakeRewriteArg bound_arg(const RewriteMatch *match, const CakeRewriteArg *arg) {
  CakeRewriteArg bound = *arg;
  bound.count = 1;
  if (arg->value) bound.value = cake_rewrite_bound_value(match, arg->value);
  if (arg->type) bound.type = arg->value ? bound.value->type : cake_rewrite_bound_type(match, arg->type);
  if (arg->attr) bound.attr = cake_rewrite_bound_attr(match, arg->attr);
  return bound;
}

// One of a range, or of a whole one the count.
static CakeRewriteArg bound_range(const Question *question, uint32_t i, size_t turn) {
  CakeRewriteArg bound = question->clause->args[i];
  const RewriteValues *values = &question->values[i];
  const RewriteTypes *types = &question->types[i];
  bound.count = bound.value ? values->len : types->len;
  if (is_whole(question->clause, i)) return bound;
  bound.type = bound.value ? values->data[turn]->type : types->data[turn];
  if (bound.value) bound.value = values->data[turn];
  return bound;
}

// The arguments the `turn`-th time.
static void bind_args(const Question *question, size_t turn, CakeRewriteArg *out) {
  for (uint32_t i = 0; i < question->clause->n_args; i++) {
    const CakeRewriteArg *arg = &question->clause->args[i];
    out[i] = cake_rewrite_is_range(arg->type) ? bound_range(question, i, turn) : bound_arg(question->match, arg);
  }
}

static bool holds(RewriteMatch *match, const RewriteClause *clause) {
  CakeRewriteArg args[CAKE_REWRITE_ARGS];
  Question asked = question(match, clause);
  bool is_true = asked.is_even;
  if (clause->target >= 0) {
    bind_args(&asked, 0, args);
    match->attrs[clause->target] = clause->native->compute(args);
    is_true = match->attrs[clause->target] != NULL;
  }
  for (size_t i = 0; clause->target < 0 && is_true && i < asked.count; i++) {
    bind_args(&asked, i, args);
    is_true = clause->native->check(args);
  }
  question_fini(&asked);
  return is_true != clause->negated;
}

bool cake_rewrite_where_holds(RewriteMatch *match) {
  for (uint32_t i = 0; i < match->rewrite->n_clauses; i++) {
    const RewriteClause *clause = &match->rewrite->clauses[i];
    if (!holds(match, clause))
      return cake_rewriter_decline(match->rewriter, "'%.*s' does not hold", CAKE_STR_ARG(clause->text));
  }
  return true;
}
