// Greedy rewriting: a worklist of ops, fed by a listener, is emptied until nothing changes.
//
// An op taken from the list is erased when it is pure and unused, else folded, else handed to its `canonicalize` hook. Whatever a
// change touches comes back onto the list. In a module each op that is isolated from above has a list of its own: nothing that
// happens in one touches another, and a short list stays in the cache. Order depends on nothing but the IR. The number of rewrites is limited by the size
// of the IR: a set of hooks that undo one another ends in an error with the names of the ops concerned.
#include "cake/pass.h"

enum { REWRITES_AN_OP = 64, SPARE_REWRITES = 4096, WATCHED_REWRITES = 64, NAMED_OPS = 4 };

typedef CAKE_VEC(CakeOp *) OpVec;

typedef struct Greedy {
  CakePassContext *pass;
  CakeRewriter *rewriter;
  CakeOp *root;
  bool is_outside;  // what is inside of isolated ops had its turn
  OpVec list;       // taken from the end; NULL: removed
  CakeMap position; // op → its index in the list + 1
  CakeMap
      constants;    // CakeAttr → the one constant op of this value at the start of the callable that is being rewritten
  CakeOp *callable; // which that is; NULL: unknown
  CakeMap gone;     // ops erased by the current rewrite: what is told later may still name them
  int64_t rewrites, budget;
  CAKE_VEC(CakeOpInfo *) watched; // ops rewritten when the budget was used up
} Greedy;

// A map that was once large is not cleared again and again.
static void empty(CakeMap *map) {
  if (map->capacity > 256)
    cake_map_fini(map);
  else
    cake_map_clear(map);
}

// ---- The list ------------------------------------------------------------------------------------------------------

static void push(Greedy *greedy, CakeOp *op) {
  uintptr_t at;
  if (op == greedy->root || cake_map_get(&greedy->position, op, &at) || cake_map_get(&greedy->gone, op, &at)) return;
  CAKE_PUSH(&greedy->list, op);
  cake_map_set(&greedy->position, op, greedy->list.len);
}

static CakeOp *pop(Greedy *greedy) {
  while (greedy->list.len) {
    CakeOp *op = greedy->list.data[--greedy->list.len];
    if (!op) continue;
    cake_map_remove(&greedy->position, op);
    return op;
  }
  return NULL;
}

// The constant that defines a value; NULL when it is none.
static CakeAttr constant_of(const CakeValue *value) {
  CakeOp *op = cake_value_def(value);
  if (!op || !cake_op_has_trait(op, CAKE_TRAIT_CONSTANT)) return NULL;
  int row = cake_op_def_attr(op->info->def, "value");
  return row < 0 ? NULL : cake_op_prop(op, (size_t)row);
}

static void forget_constant(Greedy *greedy, const CakeOp *op) {
  uintptr_t known;
  CakeAttr value = greedy->constants.len && op->n_results == 1 ? constant_of(&op->results[0]) : NULL;
  if (value && cake_map_get(&greedy->constants, value, &known) && known == (uintptr_t)op)
    cake_map_remove(&greedy->constants, value);
}

static void push_definitions(Greedy *greedy, const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_operands; i++) {
    CakeValue *value = cake_op_operand(op, i);
    if (value && cake_value_def(value)) push(greedy, cake_value_def(value));
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

static void on_insert(void *user, CakeOp *op) {
  Greedy *greedy = user;
  if (greedy->gone.len) cake_map_remove(&greedy->gone, op); // the memory of an erased op may come back
  on_change(user, op);
}

static void on_erase(void *user, CakeOp *op) {
  Greedy *greedy = user;
  uintptr_t at;
  cake_map_set(&greedy->gone, op, 1);
  forget_constant(greedy, op);
  push_definitions(greedy, op);
  if (!cake_map_get(&greedy->position, op, &at)) return;
  greedy->list.data[at - 1] = NULL;
  cake_map_remove(&greedy->position, op);
}

// All ops under the root, so that they are taken in the order of the text.
static void push_all(Greedy *greedy) {
  OpVec ops = {0};
  for (CakeOp *op = cake_op_walk_next(greedy->root, greedy->root, false); op;) {
    CAKE_PUSH(&ops, op);
    op = cake_op_walk_next(greedy->root, op, greedy->is_outside && cake_op_has_trait(op, CAKE_TRAIT_ISOLATED));
  }
  for (size_t i = ops.len; i-- > 0;)
    push(greedy, ops.data[i]);
  greedy->budget += (int64_t)ops.len * REWRITES_AN_OP;
  CAKE_VEC_FINI(&ops);
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
  if (!constant_of(lhs) || constant_of(rhs)) return false;
  cake_rewriter_set_operand(greedy->rewriter, op, 0, rhs);
  cake_rewriter_set_operand(greedy->rewriter, op, 1, lhs);
  return true;
}

// ---- Constants -----------------------------------------------------------------------------------------------------
//
// As in MLIR, the constants of a function are unique and stand at its start. In other ops (kernels, whose rows say what may
// stand where) they stay where they are needed.

// The callable whose first block constants of `op` go to; NULL when an op between them may not be passed.
static CakeOp *callable_of(const CakeOp *op) {
  CakeOp *around = cake_op_parent(op);
  while (around && around->info->def && around->info->def->flow.kind != CAKE_FLOW_NONE)
    around = cake_op_parent(around);
  return around && cake_op_has_trait(around, CAKE_TRAIT_CALLABLE) ? around : NULL;
}

static CakeOp *known_constant(Greedy *greedy, const CakeOp *callable, CakeAttr value, CakeType type) {
  uintptr_t found;
  if (!callable || callable != greedy->callable || !cake_map_get(&greedy->constants, value, &found)) return NULL;
  CakeOp *op = (CakeOp *)found;
  return op->results[0].type == type ? op : NULL;
}

static void remember_constant(Greedy *greedy, CakeOp *callable, CakeAttr value, CakeOp *op) {
  if (greedy->callable != callable) empty(&greedy->constants);
  greedy->callable = callable;
  cake_map_set(&greedy->constants, value, (uintptr_t)op);
}

// A constant that was met: it is the one of its value, or that one takes its place. True: it is gone.
static bool unify_constant(Greedy *greedy, CakeOp *op) {
  CakeAttr value = constant_of(&op->results[0]);
  CakeOp *callable = value ? callable_of(op) : NULL;
  if (!callable) return false;
  CakeOp *known = known_constant(greedy, callable, value, op->results[0].type);
  if (known == op) return false;
  if (known && known->info == op->info && known->attrs == op->attrs) {
    CakeValue *result = &known->results[0];
    cake_rewriter_replace(greedy->rewriter, op, &result);
    return true;
  }
  if (known) return false;
  CakeOp *first = cake_op_region(callable, 0)->first->first, *before = op->block == first->block ? op->prev : NULL;
  bool is_at_start = first == op || (before && cake_op_has_trait(before, CAKE_TRAIT_CONSTANT) &&
                                     known_constant(greedy, callable, constant_of(&before->results[0]),
                                                    before->results[0].type) == before);
  remember_constant(greedy, callable, value, op);
  if (!is_at_start) cake_rewriter_move_before(greedy->rewriter, op, first);
  return false;
}

static CakeValue *materialize(Greedy *greedy, CakeOp *op, CakeAttr attr, CakeType type) {
  const CakeDialectDef *dialect = op->info->dialect;
  if (!dialect || !dialect->materialize) dialect = cake_context_find_dialect(op->context, CAKE_STR("arith"));
  if (!dialect || !dialect->materialize) return NULL;
  CakeOp *callable = callable_of(op);
  CakeOp *constant = known_constant(greedy, callable, attr, type);
  if (constant) return &constant->results[0];
  if (callable) cake_rewriter_set_start(greedy->rewriter, cake_op_region(callable, 0)->first);
  constant = dialect->materialize(greedy->rewriter, attr, type);
  cake_rewriter_set_before(greedy->rewriter, op);
  if (constant && callable) remember_constant(greedy, callable, attr, constant);
  return constant ? &constant->results[0] : NULL;
}

// Replaces the op by what it folded to.
static bool replace_folded(Greedy *greedy, CakeOp *op, const CakeFold *fold) {
  CakeValue *values[CAKE_COUNT(fold->values)];
  for (uint32_t i = 0; i < op->n_results; i++) {
    values[i] = fold->values[i];
    if (!values[i] && fold->attrs[i]) values[i] = materialize(greedy, op, fold->attrs[i], op->results[i].type);
    if (!values[i] || values[i]->type != op->results[i].type || cake_value_def(values[i]) == op) return false;
  }
  cake_rewriter_replace(greedy->rewriter, op, values);
  return true;
}

static bool fold(Greedy *greedy, CakeOp *op) {
  const CakeOpDef *def = op->info->def;
  CakeAttr few[8];
  if (!def->fold || (def->traits & CAKE_TRAIT_CONSTANT) || op->n_results > CAKE_COUNT(((CakeFold *)0)->values))
    return false;
  CakeAttr *constants =
      op->n_operands <= CAKE_COUNT(few) ? few : CAKE_ARENA_ARRAY(greedy->pass->scratch, CakeAttr, op->n_operands);
  for (uint32_t i = 0; i < op->n_operands; i++)
    constants[i] = constant_of(cake_op_operand(op, i));
  CakeFold found = {.operands = constants};
  return def->fold(op, &found) && op->n_results && replace_folded(greedy, op, &found);
}

// Erases, folds or canonicalises; whether anything changed.
static bool rewrite(Greedy *greedy, CakeOp *op) {
  uint64_t before = greedy->rewriter->changes;
  if (is_dead(op)) {
    cake_rewriter_erase(greedy->rewriter, op);
    cake_pass_count(greedy->pass, "ops erased", 1);
    return true;
  }
  if (!op->info->def) return false;
  if (cake_op_has_trait(op, CAKE_TRAIT_CONSTANT)) {
    if (op->n_results == 1) unify_constant(greedy, op);
    return greedy->rewriter->changes != before;
  }
  cake_rewriter_set_before(greedy->rewriter, op);
  sort_operands(greedy, op);
  if (fold(greedy, op)) {
    cake_pass_count(greedy->pass, "ops folded", 1);
    return true;
  }
  if (op->info->def->canonicalize && op->info->def->canonicalize(op, greedy->rewriter))
    cake_pass_count(greedy->pass, "ops canonicalised", 1);
  return greedy->rewriter->changes != before;
}

// ---- Running -------------------------------------------------------------------------------------------------------

static bool add_name(CakeOpInfo **names, size_t *count, CakeOpInfo *info) {
  for (size_t i = 0; i < *count; i++)
    if (names[i] == info) return true;
  if (*count == NAMED_OPS) return false;
  names[(*count)++] = info;
  return true;
}

static bool report_endless(Greedy *greedy) {
  CakeOpInfo *names[NAMED_OPS];
  size_t count = 0;
  bool all = true;
  for (size_t i = 0; i < greedy->watched.len; i++)
    all = add_name(names, &count, greedy->watched.data[i]) && all;
  CakeBuf text = {0};
  for (size_t i = 0; i < count; i++)
    cake_buf_printf(&text, "%s'%s'", i ? ", " : "", names[i]->name->text);
  if (!all) cake_buf_text(&text, " and others");
  CakeDiagnostic *d = cake_diag_begin(
      greedy->root->context, CAKE_ERROR, greedy->root->loc, CAKE_CODE_PASS_FAILED,
      "rewriting does not come to an end: after %lld rewrites, the folders and hooks of %s still change the IR",
      (long long)greedy->rewrites, text.len ? text.data : "no op");
  cake_buf_fini(&text);
  return cake_diag_emit(greedy->root->context, d);
}

// Empties the list; false when the budget is used up.
static bool drain(Greedy *greedy) {
  for (CakeOp *op = pop(greedy); op; op = pop(greedy)) {
    CakeOpInfo *info = op->info;
    if (greedy->gone.len) empty(&greedy->gone);
    if (!rewrite(greedy, op)) continue;
    if (++greedy->rewrites <= greedy->budget) continue;
    CAKE_PUSH(&greedy->watched, info);
    if (greedy->watched.len == WATCHED_REWRITES) return false;
  }
  return true;
}

static bool run(Greedy *greedy, CakeOp *root, int64_t max_iterations) {
  greedy->root = root;
  greedy->callable = NULL;
  empty(&greedy->constants);
  greedy->rewrites = 0;
  greedy->budget = SPARE_REWRITES;
  for (int64_t i = 0; i < max_iterations; i++) {
    uint64_t before = greedy->rewriter->changes;
    push_all(greedy);
    if (!drain(greedy)) return report_endless(greedy);
    if (greedy->rewriter->changes == before) return true;
  }
  // One more round, to say which ops are not done.
  greedy->budget = greedy->rewrites;
  push_all(greedy);
  greedy->budget = greedy->rewrites;
  drain(greedy);
  return greedy->watched.len == 0 || report_endless(greedy);
}

static bool run_isolated(Greedy *greedy, CakeOp *root, int64_t max_iterations) {
  for (uint32_t i = 0; i < root->n_regions; i++) {
    for (CakeBlock *block = cake_op_region(root, i)->first; block; block = block->next) {
      for (CakeOp *op = block->first; op; op = op->next)
        if (cake_op_has_trait(op, CAKE_TRAIT_ISOLATED) && !run(greedy, op, max_iterations)) return false;
    }
  }
  return true;
}

bool cake_greedy_rewrite(CakePassContext *pass, CakeOp *root, int64_t max_iterations, bool *out_changed) {
  Greedy greedy = {.pass = pass, .rewriter = &pass->rewriter};
  const CakeListener *outer = pass->rewriter.listener;
  CakeListener listener = {.user = &greedy, .op_inserted = on_insert, .op_modified = on_change, .op_erased = on_erase};
  uint64_t before = pass->rewriter.changes;
  pass->rewriter.listener = &listener;
  bool is_table = cake_op_has_trait(root, CAKE_TRAIT_SYMBOL_TABLE);
  bool is_fine = !is_table || run_isolated(&greedy, root, max_iterations);
  greedy.is_outside = is_table;
  is_fine = is_fine && run(&greedy, root, max_iterations);
  pass->rewriter.listener = outer;
  if (out_changed) *out_changed = pass->rewriter.changes != before;
  CAKE_VEC_FINI(&greedy.list);
  CAKE_VEC_FINI(&greedy.watched);
  cake_map_fini(&greedy.position);
  cake_map_fini(&greedy.gone);
  cake_map_fini(&greedy.constants);
  return is_fine;
}
