// Paths through structured control flow.
#include "verifier/paths.h"

#include <stdlib.h>

CakeOp *cake_path_ancestor(CakeOp *op, const CakeBlock *block) {
  while (op && op->block != block)
    op = cake_op_parent(op);
  return op;
}

// ---- Order ---------------------------------------------------------------------------------------------------------

static size_t depth_of(CakeOp *op) {
  size_t depth = 0;
  while ((op = cake_op_parent(op)))
    depth++;
  return depth;
}

// Two ops directly in regions of one op.
static CakePathOrder sibling_order(CakeOp *a, CakeOp *b) {
  if (a->block == b->block) return cake_op_is_before(a, b) ? CAKE_PATH_BEFORE : CAKE_PATH_AFTER;
  CakeOp *parent = cake_op_parent(a);
  if (a->block->region == b->block->region || !parent || !parent->info->def) return CAKE_PATH_APART;
  CakeFlowKind flow = parent->info->def->flow.kind;
  if (flow != CAKE_FLOW_ONCE && flow != CAKE_FLOW_WHILE) return CAKE_PATH_APART;
  return a->block->region < b->block->region ? CAKE_PATH_BEFORE : CAKE_PATH_AFTER;
}

CakePathOrder cake_path_order(CakeOp *a, CakeOp *b) {
  if (a == b) return CAKE_PATH_SAME;
  size_t depth_a = depth_of(a), depth_b = depth_of(b);
  CakeOp *up_a = a, *up_b = b;
  for (; depth_a > depth_b; depth_a--)
    up_a = cake_op_parent(up_a);
  for (; depth_b > depth_a; depth_b--)
    up_b = cake_op_parent(up_b);
  if (up_a == up_b) return up_a == a ? CAKE_PATH_INSIDE : CAKE_PATH_AROUND;
  while (cake_op_parent(up_a) != cake_op_parent(up_b)) {
    up_a = cake_op_parent(up_a);
    up_b = cake_op_parent(up_b);
  }
  if (!up_a->block || !up_b->block) return CAKE_PATH_APART;
  return sibling_order(up_a, up_b);
}

// ---- Counting ------------------------------------------------------------------------------------------------------

// In program order; ops that exclude each other only have to stand together by block.
static int compare(const void *a, const void *b) {
  CakeOp *x = *(CakeOp *const *)a, *y = *(CakeOp *const *)b;
  switch (cake_path_order(x, y)) {
  case CAKE_PATH_BEFORE:
  case CAKE_PATH_INSIDE: return -1;
  case CAKE_PATH_AFTER:
  case CAKE_PATH_AROUND: return 1;
  case CAKE_PATH_APART: return x->block < y->block ? -1 : x->block > y->block;
  default: return 0;
  }
}

static CakePath count_block(CakeBlock *block, CakeOp **events, size_t count);

static CakePath count_region(const CakeRegion *region, CakeOp **events, size_t count) {
  if (!region->first) return (CakePath){.kind = CAKE_PATH_NEVER};
  if (region->first == region->last) return count_block(region->first, events, count);
  for (size_t i = 0; i < count; i++)
    for (CakeBlock *block = region->first; block; block = block->next)
      if (cake_path_ancestor(events[i], block)) return (CakePath){CAKE_PATH_OPAQUE, events[i], NULL, region->parent};
  return (CakePath){.kind = CAKE_PATH_NEVER};
}

// One path behind another.
static CakePath join(CakePath before, CakePath after) {
  if (before.kind > CAKE_PATH_ONCE || after.kind == CAKE_PATH_NEVER) return before;
  if (after.kind > CAKE_PATH_ONCE || before.kind == CAKE_PATH_NEVER) return after;
  return (CakePath){CAKE_PATH_TWICE, before.first, after.first, NULL};
}

static CakePath count_branches(CakeOp *op, CakeOp **events, size_t count) {
  CakePath total = {.kind = CAKE_PATH_NEVER};
  uint32_t n_with = 0;
  for (uint32_t i = 0; i < op->n_regions; i++) {
    CakePath path = count_region(cake_op_region(op, i), events, count);
    if (path.kind > CAKE_PATH_ONCE) return path;
    if (path.kind == CAKE_PATH_NEVER) continue;
    n_with++;
    total = path;
  }
  if (n_with != 0 && n_with != op->n_regions) return (CakePath){CAKE_PATH_BRANCH, total.first, NULL, op};
  return total;
}

// What `events` do in the regions of an op.
static CakePath count_inside(CakeOp *op, CakeOp **events, size_t count) {
  CakeFlowKind flow = op->info->def ? op->info->def->flow.kind : CAKE_FLOW_NONE;
  CakePath total = {.kind = CAKE_PATH_NEVER};
  switch (flow) {
  case CAKE_FLOW_ONCE:
    for (uint32_t i = 0; i < op->n_regions; i++)
      total = join(total, count_region(cake_op_region(op, i), events, count));
    return total;
  case CAKE_FLOW_BRANCH: return count_branches(op, events, count);
  case CAKE_FLOW_LOOP:
  case CAKE_FLOW_WHILE: return (CakePath){CAKE_PATH_LOOP, events[0], NULL, op};
  default: return (CakePath){CAKE_PATH_OPAQUE, events[0], NULL, op};
  }
}

// `events` are in order, so those under one op of the block stand together.
static CakePath count_block(CakeBlock *block, CakeOp **events, size_t count) {
  CakePath total = {.kind = CAKE_PATH_NEVER};
  for (size_t i = 0, end; i < count; i = end) {
    CakeOp *op = cake_path_ancestor(events[i], block);
    for (end = i + 1; end < count && cake_path_ancestor(events[end], block) == op; end++)
      continue;
    if (!op) continue;
    size_t first = i;
    for (; first < end && events[first] == op; first++)
      total = join(total, (CakePath){CAKE_PATH_ONCE, op, NULL, NULL});
    if (first < end) total = join(total, count_inside(op, events + first, end - first));
  }
  return total;
}

CakePath cake_path_count(CakeBlock *block, CakeOp **events, size_t count) {
  qsort(events, count, sizeof *events, compare);
  return count_block(block, events, count);
}
