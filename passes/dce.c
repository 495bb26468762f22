// dce: erases pure ops whose results are not used, and what becomes unused by that.
#include "passes/passes.h"

typedef struct Dce {
  CakePassContext *pass;
  CAKE_VEC(CakeOp *) dead; // every op at most once: it is pushed when its last use goes
  CakeMap gone;            // ops that went with one around them, while they may still be listed
} Dce;

static bool is_dead(const CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++)
    if (op->results[i].first_use) return false;
  return !cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR | CAKE_TRAIT_SYMBOL) && cake_op_is_pure(op);
}

// Erases an op and puts the definitions that it used last onto the list.
static void erase(Dce *dce, CakeOp *op) {
  for (CakeOp *inner = op; inner; inner = cake_op_walk_next(op, inner, false)) {
    if (inner != op) cake_map_set(&dce->gone, inner, 1);
    for (uint32_t i = 0; i < inner->n_operands; i++) {
      CakeValue *value = cake_op_operand(inner, i);
      CakeOp *definition = value ? cake_value_def(value) : NULL;
      cake_use_set(&inner->operands[i], NULL);
      if (definition && !cake_op_is_ancestor(op, definition) && is_dead(definition)) CAKE_PUSH(&dce->dead, definition);
    }
  }
  cake_rewriter_erase(&dce->pass->rewriter, op);
  cake_pass_count(dce->pass, "ops erased", 1);
}

// Dead from the start, outermost first: what is inside goes with it.
static void collect(Dce *dce, CakeOp *root) {
  for (CakeOp *op = cake_op_walk_next(root, root, false), *next; op; op = next) {
    bool dead = is_dead(op);
    next = cake_op_walk_next(root, op, dead);
    if (dead) CAKE_PUSH(&dce->dead, op);
  }
}

CakePassResult cake_pass_dce(CakePassContext *pass, CakeOp *op) {
  Dce dce = {.pass = pass};
  bool is_changed = false;
  // A loop that is kept only by a dead op inside it is found in the next round; each round erases something.
  for (collect(&dce, op); dce.dead.len; collect(&dce, op)) {
    is_changed = true;
    while (dce.dead.len) {
      CakeOp *next = dce.dead.data[--dce.dead.len];
      uintptr_t is_gone;
      if (!dce.gone.len || !cake_map_get(&dce.gone, next, &is_gone)) erase(&dce, next);
    }
    cake_map_empty(&dce.gone);
  }
  CAKE_VEC_FINI(&dce.dead);
  cake_map_fini(&dce.gone);
  return is_changed ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
