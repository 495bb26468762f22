// Sets of rewrite patterns, and one attempt at an op: what a pattern says is compared with what it did.
#include "pattern.h"

// Patterns of one root, or of any, in the order in which they were added.
typedef struct Entry {
  const CakePattern *pattern;
  CakeOpInfo *root; // NULL: any
} Entry;

// All patterns that may apply to the ops of one name, best first; NULL behind the last.
typedef struct List {
  const CakePattern **patterns;
  size_t n_entries; // how many patterns the set had when this was made
} List;

struct CakePatternSet {
  CakeContext *context;
  Entry *entries;
  size_t n_entries, capacity;
  CakeMap lists; // CakeOpInfo → List; made when first asked for. Given back with the context
};

CakePatternSet *cake_pattern_set_create(CakeContext *context) {
  CakePatternSet *set = CAKE_ARENA_NEW(context->arena, CakePatternSet);
  set->context = context;
  CAKE_PUSH(&context->pattern_sets, set);
  return set;
}

void cake_pattern_sets_fini(CakeContext *context) {
  for (size_t i = 0; i < context->pattern_sets.len; i++)
    cake_map_fini(&context->pattern_sets.data[i]->lists);
  CAKE_VEC_FINI(&context->pattern_sets);
}

void cake_pattern_set_add(CakePatternSet *set, const CakePattern *pattern) {
  CakeArena *arena = set->context->arena;
  if (set->n_entries == set->capacity) {
    size_t capacity = set->capacity ? 2 * set->capacity : 8;
    Entry *entries = CAKE_ARENA_ARRAY(arena, Entry, capacity);
    if (set->n_entries) memcpy(entries, set->entries, set->n_entries * sizeof *entries);
    if (set->capacity) cake_arena_free(arena, set->entries, set->capacity * sizeof *entries);
    set->entries = entries;
    set->capacity = capacity;
  }
  CakeOpInfo *root = pattern->root ? cake_op_info(set->context, cake_id_text(set->context, pattern->root)) : NULL;
  set->entries[set->n_entries++] = (Entry){pattern, root};
}

// Behind all that are at least as good: equals keep their order.
static void insert(const CakePattern **list, size_t count, const CakePattern *pattern) {
  size_t at = count;
  while (at > 0 && list[at - 1]->benefit < pattern->benefit) {
    list[at] = list[at - 1];
    at--;
  }
  list[at] = pattern;
}

static const CakePattern *const *patterns_of(CakePatternSet *set, const CakeOpInfo *info) {
  uintptr_t known;
  List *list = cake_map_get(&set->lists, info, &known) ? (List *)known : NULL;
  if (list && list->n_entries == set->n_entries) return list->patterns;
  if (!list) {
    list = CAKE_ARENA_NEW(set->context->arena, List);
    cake_map_set(&set->lists, info, (uintptr_t)list);
  }
  size_t count = 0;
  list->n_entries = set->n_entries;
  list->patterns = CAKE_ARENA_ARRAY(set->context->arena, const CakePattern *, set->n_entries + 1);
  for (size_t i = 0; i < set->n_entries; i++)
    if (!set->entries[i].root || set->entries[i].root == info) insert(list->patterns, count++, set->entries[i].pattern);
  return list->patterns;
}

// ---- Canonical patterns --------------------------------------------------------------------------------------------

CakePatternSet *cake_context_canonical_patterns(const CakeContext *context) {
  return context->canonical;
}

void cake_context_add_canonical_pattern(CakeContext *context, const CakePattern *pattern) {
  if (!context->canonical) context->canonical = cake_pattern_set_create(context);
  cake_pattern_set_add(context->canonical, pattern);
}

// ---- One attempt ---------------------------------------------------------------------------------------------------

static bool blame(CakePassContext *pass, const CakeAction *action, const char *what) {
  return cake_error_at(pass->context, action->loc, CAKE_CODE_PASS_FAILED, "'%s' op: %s '%s' %s",
                       action->info->name->text, action->name ? "pattern" : "hook",
                       action->name ? action->name : action->kind, what);
}

bool cake_rewrite_blame(CakePassContext *pass, const CakeAction *action, bool says_changed) {
  CakeRewriter *rewriter = &pass->rewriter;
  if (rewriter->fault) {
    const char *what = rewriter->fault;
    rewriter->fault = NULL;
    return blame(pass, action, what);
  }
  if (rewriter->misuse) {
    CakeBuf what = {0};
    cake_buf_printf(&what, "erased an op and %s afterwards", rewriter->misuse);
    rewriter->misuse = NULL;
    blame(pass, action, what.data);
    cake_buf_fini(&what);
    return false;
  }
  return blame(pass, action,
               says_changed ? "says that it changed the IR, and changed nothing"
                            : "says that it does not apply, and changed the IR");
}

static CakeAttempt attempt(CakePassContext *pass, CakeOp *op, const CakePattern *pattern) {
  CakeRewriter *rewriter = &pass->rewriter;
  CakeContext *context = pass->context;
  CakeAction action = cake_action("pattern", pattern->name, op);
  size_t errors = cake_context_error_count(context);
  uint64_t changes = rewriter->changes;
  CakeBuf reason = {0};
  if (!cake_rewrite_begin(context, &action)) return CAKE_ATTEMPT_DECLINED;
  rewriter->reason = context->observers.len ? &reason : NULL;
  cake_rewriter_set_before(rewriter, op);
  bool is_applied = pattern->rewrite(pattern, op, rewriter);
  rewriter->reason = NULL;
  if (context->observers.len)
    cake_action_end(context, &action, is_applied ? CAKE_ACTION_CHANGED : CAKE_ACTION_UNCHANGED,
                    is_applied ? CAKE_STR("") : cake_buf_view(&reason));
  cake_buf_fini(&reason);
  bool is_fine = cake_context_error_count(context) == errors && cake_rewrite_judge(pass, &action, changes, is_applied);
  return !is_fine ? CAKE_ATTEMPT_FAILED : is_applied ? CAKE_ATTEMPT_APPLIED : CAKE_ATTEMPT_DECLINED;
}

// ---- The options of passes that choose patterns --------------------------------------------------------------------

static const char disabled[] = "disable-patterns", enabled[] = "enable-patterns";

bool cake_pattern_is_chosen(const CakePassContext *pass, const char *name) {
  bool chooses = cake_pass_option_count(pass->pass, enabled) > 0;
  return !cake_pass_option_lists(pass->pass, disabled, name) &&
         (!chooses || cake_pass_option_lists(pass->pass, enabled, name));
}

// Warns of a name that neither a pattern nor an op has.
static void check_choice(CakePassContext *pass, const CakePatternSet *set, CakeOp *root, const char *option) {
  CakeContext *context = root->context;
  for (size_t i = 0; i < cake_pass_option_count(pass->pass, option); i++) {
    CakeStr name = cake_pass_option_str_at(pass->pass, option, i);
    CakeNearest nearest = cake_nearest_to(name);
    bool is_known = cake_op_info(context, cake_id(context, name))->def != NULL;
    for (size_t k = 0; set && k < set->n_entries; k++) {
      is_known |= cake_str_is(name, set->entries[k].pattern->name);
      cake_nearest_consider(&nearest, set->entries[k].pattern->name);
    }
    if (is_known) continue;
    CakeDiagnostic *d =
        cake_diag_begin(context, CAKE_WARNING, root->loc, CAKE_CODE_PASS_PIPELINE,
                        "'%s' of pass '%s': there is no pattern '%.*s', and no op of that name", option,
                        cake_pass_def(pass->pass)->name, CAKE_STR_ARG(name));
    if (nearest.best) cake_diag_fix(context, d, "did you mean '%s'?", nearest.best);
    cake_diag_emit(context, d);
  }
}

bool cake_patterns_choose(CakePassContext *pass, const CakePatternSet *set, CakeOp *root) {
  if (!pass->pass) return false;
  check_choice(pass, set, root, disabled);
  check_choice(pass, set, root, enabled);
  return cake_pass_option_count(pass->pass, disabled) > 0 || cake_pass_option_count(pass->pass, enabled) > 0;
}

// ---- All that may apply to an op -----------------------------------------------------------------------------------

CakeAttempt cake_patterns_try(CakePassContext *pass, CakePatternSet *set, CakeOp *op, bool chooses,
                              const char **out_name) {
  if (!set || !set->n_entries) return CAKE_ATTEMPT_DECLINED;
  const CakePattern *const *patterns = patterns_of(set, op->info);
  for (; *patterns; patterns++) {
    if (chooses && !cake_pattern_is_chosen(pass, (*patterns)->name)) continue;
    *out_name = (*patterns)->name;
    CakeAttempt result = attempt(pass, op, *patterns);
    if (result == CAKE_ATTEMPT_APPLIED) cake_pass_count(pass, (*patterns)->name, 1);
    if (result != CAKE_ATTEMPT_DECLINED) return result;
  }
  return CAKE_ATTEMPT_DECLINED;
}
