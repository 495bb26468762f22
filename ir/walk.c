// Walking ops in order, without recursion, and telling walks over blocks apart.
#include "core.h"

static CakeOp *first_in_blocks(const CakeBlock *block) {
  while (block && !block->first)
    block = block->next;
  return block ? block->first : NULL;
}

CakeOp *cake_op_first_inside(const CakeOp *op, uint32_t from) {
  for (uint32_t i = from; i < op->n_regions; i++) {
    CakeOp *first = first_in_blocks(cake_op_region(op, i)->first);
    if (first) return first;
  }
  return NULL;
}

CakeOp *cake_op_next_inside_parent(const CakeOp *op) {
  if (op->next || !op->block) return op->next;
  CakeOp *next = first_in_blocks(op->block->next);
  const CakeRegion *region = op->block->region;
  if (next || !region || !region->parent) return next;
  return cake_op_first_inside(region->parent, (uint32_t)(region - cake_op_regions(region->parent)) + 1);
}

CakeOp *cake_op_walk_on(CakeOp *root, CakeOp *op, bool skip) {
  CakeOp *inner = skip ? NULL : cake_op_first_inside(op, 0);
  if (inner) return inner;
  for (; op && op != root; op = cake_op_parent(op)) {
    CakeOp *next = cake_op_next_inside_parent(op);
    if (next) return next;
  }
  return NULL;
}

static CakeOp *innermost_first(CakeOp *op) {
  for (CakeOp *inner; (inner = cake_op_first_inside(op, 0));)
    op = inner;
  return op;
}

static bool walk_post(CakeOp *root, CakeWalkFn fn, void *user) {
  for (CakeOp *op = innermost_first(root); op;) {
    CakeOp *next = NULL; // found before `fn` may erase `op`
    if (op != root) {
      next = cake_op_next_inside_parent(op);
      next = next ? innermost_first(next) : cake_op_parent(op);
    }
    if (fn(user, op) == CAKE_WALK_INTERRUPT) return false;
    op = next;
  }
  return true;
}

bool cake_op_walk(CakeOp *root, CakeWalkOrder order, CakeWalkFn fn, void *user) {
  if (!root->n_regions) return fn(user, root) != CAKE_WALK_INTERRUPT;
  if (order == CAKE_WALK_POST) return walk_post(root, fn, user);
  for (CakeOp *op = root; op;) {
    CakeWalkResult result = fn(user, op);
    if (result == CAKE_WALK_INTERRUPT) return false;
    op = cake_op_walk_next(root, op, result == CAKE_WALK_SKIP);
  }
  return true;
}

uint32_t cake_context_next_visit(CakeContext *context) {
  context->last_visit = context->last_visit < INT32_MAX ? context->last_visit + 1 : 1; // 0: never seen
  return context->last_visit;
}
