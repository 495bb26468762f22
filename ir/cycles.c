// Ops that depend on themselves, directly or through others, as the order of a graph region allows.
//
// Folding such a value leads back to where it began, so rewriting leaves these ops, and those that depend on them, as they
// are. Found by taking away what depends on nothing that is left (Kahn, "Topological sorting of large networks").
#include "core.h"

// Calls `fn` for each operand of `top`, and of what is in it, that an op of the same block defines.
typedef bool (*DefinitionFn)(CakeMap *counts, CakeOp *top, CakeOp *definition);

static bool visit_definitions(CakeMap *counts, CakeOp *top, DefinitionFn fn) {
  for (CakeOp *op = top; op; op = cake_op_walk_next(top, op, cake_op_has_trait(op, CAKE_TRAIT_ISOLATED))) {
    for (uint32_t i = 0; i < op->n_operands; i++) {
      CakeValue *value = cake_op_operand(op, i);
      CakeOp *definition = value ? cake_value_def(value) : NULL;
      if (definition && definition->block == top->block && fn(counts, top, definition)) return true;
    }
  }
  return false;
}

static bool looks_ahead(CakeMap *counts, CakeOp *top, CakeOp *definition) {
  (void)counts;
  return definition == top || !cake_op_is_before(definition, top);
}

static bool count(CakeMap *counts, CakeOp *top, CakeOp *definition) {
  uintptr_t before = 0;
  (void)definition;
  cake_map_get(counts, top, &before);
  cake_map_set(counts, top, before + 1);
  return false;
}

static CakeOp *top_around(CakeOp *op, const CakeBlock *block) {
  while (op && op->block != block)
    op = cake_op_parent(op);
  return op;
}

typedef CAKE_VEC(CakeOp *) OpVec;

// One use less to wait for; what waits for none is ready.
static void release(CakeMap *counts, CakeOp *op, OpVec *ready) {
  uintptr_t left;
  if (!op || !cake_map_get(counts, op, &left)) return;
  if (left > 1) {
    cake_map_set(counts, op, left - 1);
    return;
  }
  cake_map_remove(counts, op);
  CAKE_PUSH(ready, op);
}

void cake_block_find_cyclic(CakeBlock *block, CakeMap *out) {
  bool has_cycle = false;
  for (CakeOp *op = block->first; op && !has_cycle; op = op->next)
    has_cycle = visit_definitions(NULL, op, looks_ahead);
  if (!has_cycle) return;
  CakeMap counts = {0};
  OpVec ready = {0};
  uintptr_t left;
  for (CakeOp *op = block->first; op; op = op->next) {
    visit_definitions(&counts, op, count);
    if (!cake_map_get(&counts, op, &left)) CAKE_PUSH(&ready, op);
  }
  while (ready.len) {
    CakeOp *op = ready.data[--ready.len];
    for (uint32_t i = 0; i < op->n_results; i++)
      for (CakeUse *use = op->results[i].first_use; use; use = use->next)
        release(&counts, top_around(use->owner, block), &ready);
  }
  for (CakeOp *op = block->first; op; op = op->next)
    if (cake_map_get(&counts, op, &left)) cake_map_set(out, op, 1);
  CAKE_VEC_FINI(&ready);
  cake_map_fini(&counts);
}
