// Greedy rewriting: a worklist of ops, fed by a listener, is emptied until nothing changes.
//
// An op taken from the list is erased when it is pure and unused, else folded, else handed to its `canonicalize` hook. Whatever a
// change touches comes back onto the list. In a module each op that is isolated from above has a list of its own: nothing that
// happens in one touches another, and a short list stays in the cache. Order depends on nothing but the IR.
//
// Code that cannot be reached may use values that do not dominate it, even an op its own result, so that folding it may never
// end. Therefore no such code is rewritten: what has several successors waits until all else is done; when an edge went, the
// blocks that were cut off go; only then are blocks merged, which cuts off none. In graph regions, what depends on itself is
// left alone. Whatever still does not end is stopped by a limit in proportion to the size of the IR.
#include "greedy.h"
#include "pattern.h"

enum { REWRITES_AN_OP = 64, SPARE_REWRITES = 4096, WATCHED_REWRITES = 64, FEW_USES = 8 };

// The place of an op that goes: what is told until it has gone may still name it.
#define GONE UINT32_MAX

// What waits for what: ops without successors come first, then those with several, then those with one.
typedef enum List { LIST_PLAIN, LIST_FORKS, LIST_BRANCHES, LIST_COUNT } List;

typedef CAKE_VEC(CakeOp *) OpVec;

typedef struct Greedy {
  CakePassContext *pass;
  CakeRewriter *rewriter;
  CakeOp *root;
  bool is_outside;         // what is inside of isolated ops had its turn
  OpVec lists[LIST_COUNT]; // taken from the end; NULL: removed
  size_t n_waiting;        // ops in them: an op knows its place
  CakeConstants constants;
  CAKE_VEC(CakeRegion *) cut; // regions that lost an edge between their blocks
  CakeLeftAlone alone;
  const CakeGreedyOptions *options;
  int64_t rewrites, budget;
  int64_t n_erased, n_folded, n_canonicalised;
  CakeRewriteStep step;     // what the current rewrite is
  CakeRewriteSteps watched; // what was rewritten when the budget was used up
  CakeGraves graves;        // what the current rewrite has erased
  bool chooses_patterns;    // the options of the pass do
  bool makes_constant;      // what is inserted is a constant of a fold
  bool has_failed;          // a pattern or hook failed: reported
} Greedy;

// ---- The list ------------------------------------------------------------------------------------------------------

static OpVec *list_of(Greedy *greedy, const CakeOp *op) {
  List list = op->n_successors == 0 ? LIST_PLAIN : op->n_successors == 1 ? LIST_BRANCHES : LIST_FORKS;
  return &greedy->lists[list];
}

static void push(Greedy *greedy, CakeOp *op) {
  if (op->place || op == greedy->root) return;
  OpVec *list = list_of(greedy, op);
  CAKE_PUSH(list, op);
  op->place = (uint32_t)list->len;
  greedy->n_waiting++;
}

static CakeOp *pop(Greedy *greedy, OpVec *list) {
  while (list->len) {
    CakeOp *op = list->data[--list->len];
    if (!op) continue;
    op->place = 0;
    greedy->n_waiting--;
    return op;
  }
  return NULL;
}

static void take_out(Greedy *greedy, CakeOp *op) {
  if (op->place && op->place != GONE) {
    list_of(greedy, op)->data[op->place - 1] = NULL;
    greedy->n_waiting--;
  }
  op->place = GONE;
}

// Whether more than one op beside `op` uses the value, as far as a few uses tell: the next round finds what they do not.
static bool has_several_other_users(const CakeValue *value, const CakeOp *op) {
  const CakeOp *other = NULL;
  const CakeUse *use = value->first_use;
  for (int looks = FEW_USES; use && looks; use = use->next, looks--) {
    if (use->owner == op || use->owner == other) continue;
    if (other) return true;
    other = use->owner;
  }
  return use != NULL;
}

// What defines the operands of an op that goes, where it may be unused then, or be merged with the one op that still uses it.
static void push_definitions(Greedy *greedy, const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_operands; i++) {
    CakeValue *value = cake_op_operand(op, i);
    CakeOp *definition = value ? cake_value_def(value) : NULL;
    if (definition && !definition->place && !has_several_other_users(value, op)) push(greedy, definition);
  }
}

static void push_users(Greedy *greedy, const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++)
    for (CakeUse *use = op->results[i].first_use; use; use = use->next)
      push(greedy, use->owner);
}

static void on_change(void *user, CakeOp *op) {
  Greedy *greedy = user;
  push(greedy, op);
  push_users(greedy, op);
}

// Constants that a fold makes are unique and where they belong: there is nothing to do to them.
static void on_insert(void *user, CakeOp *op) {
  Greedy *greedy = user;
  if (!greedy->makes_constant || !cake_op_has_trait(op, CAKE_TRAIT_CONSTANT)) on_change(user, op);
}

// Regions inside of an op that goes lose no edges any more.
static void forget_regions(Greedy *greedy, const CakeOp *op) {
  size_t kept = 0;
  for (size_t i = 0; i < greedy->cut.len; i++)
    if (greedy->cut.data[i]->parent != op) greedy->cut.data[kept++] = greedy->cut.data[i];
  greedy->cut.len = kept;
}

static void on_erase(void *user, CakeOp *op) {
  Greedy *greedy = user;
  take_out(greedy, op);
  if (cake_op_has_trait(op, CAKE_TRAIT_CONSTANT)) cake_constants_remove(&greedy->constants, op);
  push_definitions(greedy, op);
  if (greedy->alone.cyclic.len) cake_map_remove(&greedy->alone.cyclic, op);
  if (greedy->cut.len && op->n_regions) forget_regions(greedy, op);
  for (uint32_t i = 0; i < op->n_successors; i++)
    if (cake_op_successor(op, i)) cake_rewriter_tell_only_way(greedy->rewriter, cake_op_successor(op, i), op);
}

static void on_block_erase(void *user, CakeBlock *block) {
  Greedy *greedy = user;
  if (greedy->alone.unreachable.len) cake_map_remove(&greedy->alone.unreachable, block);
}

// ---- What is left alone --------------------------------------------------------------------------------------------

static void settle(Greedy *greedy, CakeOp *op) {
  cake_greedy_settle(greedy->pass, op, greedy->options->keep_unreachable, &greedy->alone);
}

static bool is_left_alone(const Greedy *greedy, const CakeOp *op) {
  return (greedy->alone.cyclic.len || greedy->alone.unreachable.len) &&
         cake_greedy_leaves_alone(&greedy->alone, op, greedy->root);
}

// All ops under the root, so that they are taken in the order of the text, or the other way round; how many.
static size_t push_all(Greedy *greedy) {
  OpVec ops = {0};
  cake_map_empty(&greedy->alone.cyclic);
  cake_map_empty(&greedy->alone.unreachable);
  settle(greedy, greedy->root);
  for (CakeOp *op = cake_op_walk_next(greedy->root, greedy->root, false); op;) {
    bool skip = greedy->is_outside && cake_op_has_trait(op, CAKE_TRAIT_ISOLATED);
    CAKE_PUSH(&ops, op);
    if (!skip && op->n_regions) settle(greedy, op);
    op = cake_op_walk_next(greedy->root, op, skip);
  }
  for (size_t i = ops.len; i-- > 0;)
    push(greedy, ops.data[greedy->options->is_bottom_up ? ops.len - 1 - i : i]);
  size_t count = ops.len;
  CAKE_VEC_FINI(&ops);
  return count;
}

// ---- One op --------------------------------------------------------------------------------------------------------

static bool is_dead(const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++)
    if (op->results[i].first_use) return false;
  return !cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR | CAKE_TRAIT_SYMBOL) && cake_op_is_pure(op);
}

// Constants of a commutative op go behind its other operands.
static bool sort_operands(Greedy *greedy, CakeOp *op) {
  if (!cake_op_has_trait(op, CAKE_TRAIT_COMMUTATIVE) || op->n_operands != 2) return false;
  CakeValue *lhs = cake_op_operand(op, 0), *rhs = cake_op_operand(op, 1);
  if (!cake_constant_of(lhs) || cake_constant_of(rhs)) return false;
  cake_rewriter_set_operand(greedy->rewriter, op, 0, rhs);
  cake_rewriter_set_operand(greedy->rewriter, op, 1, lhs);
  return true;
}

static CakeValue *constant(Greedy *greedy, CakeOp *op, uint32_t result, CakeAttr value) {
  greedy->makes_constant = true;
  CakeValue *made = cake_constants_get(&greedy->constants, op, value, op->results[result].type);
  greedy->makes_constant = false;
  return made;
}

// Replaces the op by what it folded to.
static bool replace_folded(Greedy *greedy, CakeOp *op, const CakeFold *fold) {
  CakeValue *values[CAKE_COUNT(fold->values)];
  for (uint32_t i = 0; i < op->n_results; i++) {
    values[i] = fold->values[i];
    if (!values[i] && fold->attrs[i]) values[i] = constant(greedy, op, i, fold->attrs[i]);
    if (!values[i] || values[i]->type != op->results[i].type || cake_value_def(values[i]) == op) return false;
  }
  cake_rewriter_replace(greedy->rewriter, op, values);
  return true;
}

static bool fold(Greedy *greedy, CakeOp *op, CakeAction *action) {
  const CakeOpDef *def = op->info->def;
  CakeAttr few[8];
  if (!def->fold || (def->traits & CAKE_TRAIT_CONSTANT) || op->n_results > CAKE_COUNT(((CakeFold *)0)->values))
    return false;
  CakeAttr *constants =
      op->n_operands <= CAKE_COUNT(few) ? few : CAKE_ARENA_ARRAY(greedy->pass->scratch, CakeAttr, op->n_operands);
  for (uint32_t i = 0; i < op->n_operands; i++)
    constants[i] = cake_constant_of(cake_op_operand(op, i));
  CakeFold found = {.operands = constants};
  action->kind = "fold";
  if (!def->fold(op, &found) || !op->n_results || !cake_rewrite_begin(op->context, action)) return false;
  bool is_changed = replace_folded(greedy, op, &found);
  cake_rewrite_end(greedy->pass->context, action, is_changed);
  return is_changed;
}

// Folds, or runs the op's own hook; whether anything changed. The op may be gone then.
static bool simplify(Greedy *greedy, CakeOp *op) {
  CakeAction action = cake_action("canonicalize", NULL, op);
  uint64_t changes = greedy->rewriter->changes;
  sort_operands(greedy, op);
  greedy->step.kind = CAKE_REWRITE_FOLD;
  if (fold(greedy, op, &action)) {
    greedy->n_folded++;
    return true;
  }
  if (greedy->rewriter->changes != changes) return true;
  action.kind = "canonicalize";
  bool is_chosen = !greedy->chooses_patterns || cake_pattern_is_chosen(greedy->pass, op->info->name->text);
  if (!op->info->def->canonicalize || !is_chosen || !cake_rewrite_begin(op->context, &action)) return false;
  greedy->step.kind = CAKE_REWRITE_CANONICALIZE;
  bool is_changed = op->info->def->canonicalize(op, greedy->rewriter);
  greedy->n_canonicalised += is_changed;
  cake_rewrite_end(greedy->pass->context, &action, is_changed);
  if (!cake_rewrite_judge(greedy->pass, &action, changes, is_changed)) greedy->has_failed = true;
  return greedy->rewriter->changes != changes;
}

static bool apply_patterns(Greedy *greedy, CakeOp *op) {
  CakeAttempt result =
      cake_patterns_try(greedy->pass, greedy->options->patterns, op, greedy->chooses_patterns, &greedy->step.pattern);
  if (result == CAKE_ATTEMPT_FAILED) greedy->has_failed = true;
  greedy->step.kind = CAKE_REWRITE_PATTERN;
  return result == CAKE_ATTEMPT_APPLIED;
}

static bool erase_dead(Greedy *greedy, CakeOp *op) {
  CakeAction action = cake_action("erase", NULL, op);
  if (!cake_rewrite_begin(op->context, &action)) return false;
  cake_rewriter_erase(greedy->rewriter, op);
  greedy->n_erased++;
  cake_rewrite_end(greedy->pass->context, &action, true);
  return true;
}

// Erases, folds, canonicalises or applies a pattern; whether anything changed.
static bool rewrite(Greedy *greedy, CakeOp *op) {
  uint64_t before = greedy->rewriter->changes;
  greedy->step = (CakeRewriteStep){.info = op->info, .kind = CAKE_REWRITE_OTHER, .loc = op->loc};
  if (!greedy->options->only_patterns && is_dead(op)) return erase_dead(greedy, op);
  if (is_left_alone(greedy, op)) return false;
  if (!op->info->def || greedy->options->only_patterns) return apply_patterns(greedy, op);
  if (cake_op_has_trait(op, CAKE_TRAIT_CONSTANT)) {
    if (op->n_results == 1) cake_constants_unify(&greedy->constants, op);
    return greedy->rewriter->changes != before || apply_patterns(greedy, op);
  }
  cake_rewriter_set_before(greedy->rewriter, op);
  return simplify(greedy, op) || (!greedy->has_failed && apply_patterns(greedy, op));
}

// ---- Running -------------------------------------------------------------------------------------------------------

static void forget_waiting(Greedy *greedy) {
  for (size_t i = 0; i < LIST_COUNT; i++)
    while (pop(greedy, &greedy->lists[i]))
      continue;
}

// A limit was reached: whether that is all right.
static bool stop(Greedy *greedy, bool is_by_rounds) {
  forget_waiting(greedy);
  return greedy->options->may_stop ||
         cake_greedy_report(greedy->root, &greedy->watched, greedy->rewrites, is_by_rounds);
}

// Counts a rewrite and remembers the last ones before the limit; false: that was one too many.
static bool spend(Greedy *greedy) {
  greedy->rewrites++;
  if (greedy->rewrites > greedy->budget - WATCHED_REWRITES) CAKE_PUSH(&greedy->watched, greedy->step);
  return greedy->rewrites <= greedy->budget;
}

// Empties a list; false when the budget is used up.
static bool drain_list(Greedy *greedy, List list) {
  for (CakeOp *op = pop(greedy, &greedy->lists[list]); op; op = pop(greedy, &greedy->lists[list])) {
    CakeRegion *region = list == LIST_FORKS ? op->block->region : NULL;
    bool is_changed = rewrite(greedy, op);
    if (greedy->graves.ops.len) cake_graves_clear(&greedy->graves, greedy->pass->context);
    if (greedy->has_failed) return false;
    if (!is_changed) continue;
    if (region && (!greedy->cut.len || greedy->cut.data[greedy->cut.len - 1] != region))
      CAKE_PUSH(&greedy->cut, region);
    if (!spend(greedy)) return false;
  }
  return true;
}

static void settle_cut(Greedy *greedy) {
  while (greedy->cut.len)
    cake_greedy_settle_blocks(greedy->pass, greedy->cut.data[--greedy->cut.len], greedy->options->keep_unreachable,
                              &greedy->alone);
}

// Empties all lists, in the order that keeps hooks away from what cannot be reached.
static bool drain(Greedy *greedy) {
  while (greedy->n_waiting) {
    if (!drain_list(greedy, LIST_PLAIN) || !drain_list(greedy, LIST_FORKS)) return false;
    settle_cut(greedy);
    if (!greedy->lists[LIST_PLAIN].len && !drain_list(greedy, LIST_BRANCHES)) return false;
  }
  return true;
}

// Looks at all ops that wait, and at all that comes of it.
static bool run_round(Greedy *greedy, int64_t number) {
  CakeContext *context = greedy->pass->context;
  CakeAction action = cake_action("round", NULL, greedy->root);
  action.number = number;
  uint64_t before = greedy->rewriter->changes;
  if (!cake_action_begin(context, &action)) return true;
  bool is_fine = drain(greedy);
  CakeActionResult result = !is_fine                              ? CAKE_ACTION_FAILED
                            : greedy->rewriter->changes != before ? CAKE_ACTION_CHANGED
                                                                  : CAKE_ACTION_UNCHANGED;
  cake_action_end(context, &action, result, CAKE_STR(""));
  return is_fine;
}

static bool run(Greedy *greedy, CakeOp *root) {
  const CakeGreedyOptions *options = greedy->options;
  greedy->root = greedy->rewriter->kept = root;
  cake_constants_clear(&greedy->constants);
  greedy->rewrites = 0;
  greedy->watched.len = 0;
  for (int64_t i = 0; options->max_iterations < 0 || i < options->max_iterations; i++) {
    uint64_t before = greedy->rewriter->changes;
    size_t count = push_all(greedy);
    if (i == 0)
      greedy->budget =
          options->max_rewrites < 0 ? SPARE_REWRITES + (int64_t)count * REWRITES_AN_OP : options->max_rewrites;
    if (!run_round(greedy, i + 1)) return !greedy->has_failed && stop(greedy, false);
    if (greedy->rewriter->changes == before) return true;
  }
  if (options->may_stop) return true;
  // One more round, to say which ops are not done.
  push_all(greedy);
  greedy->watched.len = 0;
  greedy->budget = greedy->rewrites + WATCHED_REWRITES;
  drain(greedy);
  if (greedy->has_failed) return false;
  return greedy->watched.len == 0 || stop(greedy, true);
}

static bool run_isolated(Greedy *greedy, CakeOp *root) {
  for (uint32_t i = 0; i < root->n_regions; i++) {
    for (CakeBlock *block = cake_op_region(root, i)->first; block; block = block->next) {
      for (CakeOp *op = block->first; op; op = op->next)
        if (cake_op_has_trait(op, CAKE_TRAIT_ISOLATED) && !run(greedy, op)) return false;
    }
  }
  return true;
}

static void count_changes(const Greedy *greedy) {
  if (greedy->n_erased) cake_pass_count(greedy->pass, "ops erased", greedy->n_erased);
  if (greedy->n_folded) cake_pass_count(greedy->pass, "ops folded", greedy->n_folded);
  if (greedy->n_canonicalised) cake_pass_count(greedy->pass, "ops canonicalised", greedy->n_canonicalised);
}

static void fini(Greedy *greedy) {
  forget_waiting(greedy); // what a failure has left
  for (size_t i = 0; i < LIST_COUNT; i++)
    CAKE_VEC_FINI(&greedy->lists[i]);
  CAKE_VEC_FINI(&greedy->cut);
  CAKE_VEC_FINI(&greedy->graves.ops);
  CAKE_VEC_FINI(&greedy->watched);
  cake_map_fini(&greedy->alone.cyclic);
  cake_map_fini(&greedy->alone.unreachable);
  cake_constants_fini(&greedy->constants);
}

bool cake_greedy_rewrite(CakePassContext *pass, CakeOp *root, const CakeGreedyOptions *options, bool *out_changed) {
  static const CakeGreedyOptions defaults = {.max_iterations = -1, .max_rewrites = -1};
  Greedy greedy = {.pass = pass, .rewriter = &pass->rewriter, .options = options ? options : &defaults};
  if (out_changed) *out_changed = false;
  greedy.chooses_patterns = cake_patterns_choose(pass, greedy.options->patterns, root);
  greedy.constants.rewriter = greedy.rewriter;
  const CakeListener *outer = pass->rewriter.listener;
  CakeListener listener = {.user = &greedy,
                           .op_inserted = on_insert,
                           .op_modified = on_change,
                           .op_erased = on_erase,
                           .block_erased = on_block_erase};
  uint64_t before = pass->rewriter.changes;
  pass->rewriter.listener = &listener;
  pass->rewriter.graves = &greedy.graves;
  bool is_table = cake_op_has_trait(root, CAKE_TRAIT_SYMBOL_TABLE);
  bool is_fine = !is_table || run_isolated(&greedy, root);
  greedy.is_outside = is_table;
  is_fine = is_fine && run(&greedy, root);
  pass->rewriter.listener = outer;
  pass->rewriter.graves = NULL;
  pass->rewriter.kept = NULL;
  count_changes(&greedy);
  if (out_changed) *out_changed = pass->rewriter.changes != before;
  fini(&greedy);
  return is_fine;
}
