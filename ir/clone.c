// Copying ops with everything in them, and comparing them, both without recursion.
#include "core.h"

#include <assert.h>

typedef struct Pair {
  CakeOp *original, *copy;
} Pair;

typedef struct Cloner {
  CakeContext *context;
  CakeMap *map;
  CAKE_VEC(Pair) todo; // ops whose regions are still to be copied
  CAKE_VEC(CakeUse *)
  unmapped; // operands that were not in the map when they were copied: defined further down, or outside
  CAKE_VEC(CakeValue *) operands; // of the op that is being copied
  CAKE_VEC(CakeType) types;
  CAKE_VEC(CakeBlock *) successors;
} Cloner;

static void *mapped(const CakeMap *map, void *original) {
  uintptr_t copy;
  return original && cake_map_get(map, original, &copy) ? (void *)copy : original;
}

// An op with its regions empty; operands that are not mapped yet are noted.
static CakeOp *clone_alone(Cloner *cloner, CakeOp *op) {
  const CakeMap *map = cloner->map;
  cloner->operands.len = cloner->types.len = cloner->successors.len = 0;
  for (uint32_t i = 0; i < op->n_operands; i++)
    CAKE_PUSH(&cloner->operands, mapped(map, op->operands[i].value));
  for (uint32_t i = 0; i < op->n_results; i++)
    CAKE_PUSH(&cloner->types, op->results[i].type);
  for (uint32_t i = 0; i < op->n_successors; i++)
    CAKE_PUSH(&cloner->successors, mapped(map, cake_op_successor(op, i)));
  CakeOpState state = {.loc = op->loc,
                       .info = op->info,
                       .operands = cloner->operands.data,
                       .n_operands = op->n_operands,
                       .result_types = cloner->types.data,
                       .n_results = op->n_results,
                       .props = cake_op_props(op),
                       .attrs = op->attrs,
                       .successors = cloner->successors.data,
                       .n_successors = op->n_successors,
                       .n_regions = op->n_regions};
  CakeOp *copy = cake_op_create(cloner->context, &state);
  for (uint32_t i = 0; i < op->n_operands; i++) {
    if (copy->operands[i].value == op->operands[i].value) CAKE_PUSH(&cloner->unmapped, &copy->operands[i]);
  }
  for (uint32_t i = 0; i < op->n_results; i++) {
    copy->results[i].name = op->results[i].name;
    cake_map_set(cloner->map, &op->results[i], (uintptr_t)&copy->results[i]);
  }
  if (op->n_regions) CAKE_PUSH(&cloner->todo, (Pair){op, copy});
  return copy;
}

// In front of `before`; the first block that was made.
static CakeBlock *clone_region(Cloner *cloner, const CakeRegion *original, CakeRegion *copy, CakeBlock *before) {
  CakeBlock *first = NULL;
  for (CakeBlock *block = original->first; block; block = block->next) {
    CakeBlock *made = cake_block_create(cloner->context);
    made->loc = block->loc;
    for (uint32_t i = 0; i < block->n_args; i++) {
      if (cake_map_get(cloner->map, block->args[i], NULL)) continue;
      CakeValue *arg = cake_block_add_arg(made, block->args[i]->type, cake_value_loc(block->args[i]));
      arg->name = block->args[i]->name;
      cake_map_set(cloner->map, block->args[i], (uintptr_t)arg);
    }
    cake_map_set(cloner->map, block, (uintptr_t)made);
    cake_region_insert(copy, before, made);
    if (!first) first = made;
  }
  CakeBlock *made = first;
  for (CakeBlock *block = original->first; block; block = block->next, made = made->next) {
    for (CakeOp *op = block->first; op; op = op->next)
      cake_block_append(made, clone_alone(cloner, op));
  }
  return first;
}

// Everything inside the ops that were copied, and operands whose definition came behind them.
static void finish(Cloner *cloner) {
  while (cloner->todo.len) {
    Pair pair = cloner->todo.data[--cloner->todo.len];
    for (uint32_t i = 0; i < pair.original->n_regions; i++)
      clone_region(cloner, cake_op_region(pair.original, i), cake_op_region(pair.copy, i), NULL);
  }
  for (size_t i = 0; i < cloner->unmapped.len; i++) {
    CakeUse *use = cloner->unmapped.data[i];
    CakeValue *value = mapped(cloner->map, use->value);
    if (value != use->value) cake_use_set(use, value);
  }
  CAKE_VEC_FINI(&cloner->todo);
  CAKE_VEC_FINI(&cloner->unmapped);
  CAKE_VEC_FINI(&cloner->operands);
  CAKE_VEC_FINI(&cloner->types);
  CAKE_VEC_FINI(&cloner->successors);
}

static CakeOp *clone(CakeContext *context, CakeOp *op, CakeMap *map) {
  Cloner cloner = {.context = context, .map = map};
  CakeOp *copy = clone_alone(&cloner, op);
  finish(&cloner);
  return copy;
}

static void tell(CakeRewriter *rewriter, CakeOp *root) {
  const CakeListener *listener = rewriter->listener;
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    rewriter->changes++;
    if (listener && listener->op_inserted) listener->op_inserted(listener->user, op);
    for (uint32_t i = 0; i < op->n_regions; i++) {
      for (CakeBlock *block = cake_op_region(op, i)->first; block; block = block->next) {
        if (listener && listener->block_inserted) listener->block_inserted(listener->user, block);
      }
    }
  }
}

CakeOp *cake_rewriter_clone(CakeRewriter *rewriter, CakeOp *op, CakeMap *map) {
  CakeMap own = {0};
  CakeOp *copy = clone(rewriter->context, op, map ? map : &own);
  cake_map_fini(&own);
  if (rewriter->block) cake_block_insert(rewriter->block, rewriter->before, copy);
  tell(rewriter, copy);
  return copy;
}

void cake_rewriter_clone_region(CakeRewriter *rewriter, const CakeRegion *source, CakeRegion *target, CakeBlock *before,
                                CakeMap *map) {
  Cloner cloner = {.context = rewriter->context, .map = map};
  CakeBlock *first = clone_region(&cloner, source, target, before);
  finish(&cloner);
  const CakeListener *listener = rewriter->listener;
  for (CakeBlock *block = first; block != before; block = block->next) {
    rewriter->changes++;
    if (listener && listener->block_inserted) listener->block_inserted(listener->user, block);
    for (CakeOp *op = block->first; op; op = op->next)
      tell(rewriter, op);
  }
}

// ---- Comparing -----------------------------------------------------------------------------------------------------

// Values (blocks) of `a` inside the compared ops correspond to those of `b`; values from outside must be the same.
static bool correspond(CakeMap *map, void *a, void *b) {
  return mapped(map, a) == b;
}

// Results, arguments and blocks are put into the map before anything that may use them is compared.
static bool map_definitions(CakeMap *map, CakeOp *a, CakeOp *b) {
  if (a->info != b->info || a->n_results != b->n_results || a->n_regions != b->n_regions) return false;
  for (uint32_t i = 0; i < a->n_results; i++) {
    if (a->results[i].type != b->results[i].type) return false;
    cake_map_set(map, &a->results[i], (uintptr_t)&b->results[i]);
  }
  for (uint32_t r = 0; r < a->n_regions; r++) {
    CakeBlock *x = cake_op_region(a, r)->first, *y = cake_op_region(b, r)->first;
    for (; x && y; x = x->next, y = y->next) {
      if (x->n_args != y->n_args || !x->first != !y->first) return false;
      cake_map_set(map, x, (uintptr_t)y);
      for (uint32_t i = 0; i < x->n_args; i++) {
        if (x->args[i]->type != y->args[i]->type) return false;
        cake_map_set(map, x->args[i], (uintptr_t)y->args[i]);
      }
    }
    if (x || y) return false;
  }
  return true;
}

static bool same_references(CakeMap *map, const CakeOp *a, const CakeOp *b) {
  if (a->n_operands != b->n_operands || a->n_successors != b->n_successors || a->attrs != b->attrs) return false;
  for (uint32_t i = 0; i < a->info->n_props; i++) {
    if (cake_op_prop(a, i) != cake_op_prop(b, i)) return false;
  }
  for (uint32_t i = 0; i < a->n_operands; i++) {
    if (!correspond(map, a->operands[i].value, b->operands[i].value)) return false;
  }
  for (uint32_t i = 0; i < a->n_successors; i++) {
    if (!correspond(map, cake_op_successor(a, i), cake_op_successor(b, i))) return false;
  }
  return true;
}

// Walks both side by side; true when both walks end together and `same` holds for every pair. A block that has one op
// more than its counterpart sends the walks apart, so that a pair in blocks that do not correspond ends it.
static bool all_pairs(CakeOp *a, CakeOp *b, CakeMap *map, bool (*same)(CakeMap *, CakeOp *, CakeOp *)) {
  CakeOp *x = a, *y = b;
  while (x && y) {
    if (x != a && !correspond(map, x->block, y->block)) return false;
    if (!same(map, x, y)) return false;
    x = cake_op_walk_next(a, x, false);
    y = cake_op_walk_next(b, y, false);
  }
  return !x && !y;
}

static bool same_references_of(CakeMap *map, CakeOp *a, CakeOp *b) {
  return same_references(map, a, b);
}

bool cake_op_equivalent(CakeOp *a, CakeOp *b) {
  CakeMap map = {0};
  bool same = all_pairs(a, b, &map, map_definitions) && all_pairs(a, b, &map, same_references_of);
  cake_map_fini(&map);
  return same;
}
