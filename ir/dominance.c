// Dominator trees of regions, computed when first asked for.
//
// Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm": iteration over the blocks in reverse post-order. A
// region with one block, which is most of them, needs no tree.
#include "core.h"

// A block that can be reached from its region's entry.
typedef struct Node {
  CakeBlock *block;
  struct Node *dominator; // immediate; the entry's is itself
  uint32_t order;         // in reverse post-order
  uint32_t first, count;  // the blocks that it dominates are numbered [first, first + count)
  uint32_t next;          // the number for the next block below it
} Node;

struct CakeDominance {
  CakeArena *arena;
  CakeMap regions; // those that have a tree
  CakeMap nodes;   // CakeBlock * → Node *
};

CakeDominance *cake_dominance_create(CakeOp *root) {
  (void)root; // trees are made on demand
  CakeDominance *dominance = cake_mem_zeroed(sizeof *dominance);
  dominance->arena = cake_arena_create();
  return dominance;
}

void cake_dominance_destroy(CakeDominance *dominance) {
  if (!dominance) return;
  cake_map_fini(&dominance->regions);
  cake_map_fini(&dominance->nodes);
  cake_arena_destroy(dominance->arena);
  cake_mem_free(dominance);
}

static Node *node_of(const CakeDominance *dominance, const CakeBlock *block) {
  uintptr_t node;
  return cake_map_get(&dominance->nodes, block, &node) ? (Node *)node : NULL;
}

// ---- Building a tree -----------------------------------------------------------------------------------------------

typedef struct Visit {
  CakeBlock *block;
  uint32_t next_successor;
} Visit;

typedef CAKE_VEC(Node *) NodeVec;

static Node *add_node(CakeDominance *dominance, CakeBlock *block) {
  Node *node = CAKE_ARENA_NEW(dominance->arena, Node);
  node->block = block;
  cake_map_set(&dominance->nodes, block, (uintptr_t)node);
  return node;
}

// Appends the reachable blocks in post-order.
static void post_order(CakeDominance *dominance, CakeBlock *entry, NodeVec *out) {
  CAKE_VEC(Visit) stack = {0};
  add_node(dominance, entry);
  CAKE_PUSH(&stack, (Visit){entry, 0});
  while (stack.len) {
    Visit *visit = &stack.data[stack.len - 1];
    CakeOp *last = visit->block->last;
    if (last && visit->next_successor < last->n_successors) {
      CakeBlock *next = last->successors[visit->next_successor++].block;
      if (!next || next->region != entry->region || node_of(dominance, next)) continue;
      add_node(dominance, next);
      CAKE_PUSH(&stack, (Visit){next, 0});
    } else {
      CAKE_PUSH(out, node_of(dominance, visit->block));
      stack.len--;
    }
  }
  CAKE_VEC_FINI(&stack);
}

static Node *common_dominator(Node *a, Node *b) {
  while (a != b) {
    if (a->order > b->order)
      a = a->dominator;
    else
      b = b->dominator;
  }
  return a;
}

static Node *dominator_by_predecessors(const CakeDominance *dominance, const Node *node) {
  Node *common = NULL;
  for (const CakeSuccessor *use = node->block->first_use; use; use = use->next) {
    if (use->owner->next) continue; // not at its block's end: refused elsewhere
    Node *from = node_of(dominance, use->owner->block);
    if (!from || !from->dominator) continue;
    common = common ? common_dominator(common, from) : from;
  }
  return common;
}

// Numbers the tree so that what a block dominates is a range.
static void number(Node *const *nodes, size_t count) {
  for (size_t i = 0; i < count; i++)
    nodes[i]->count = 1;
  for (size_t i = count; i-- > 1;)
    nodes[i]->dominator->count += nodes[i]->count;
  nodes[0]->first = 0;
  nodes[0]->next = 1;
  for (size_t i = 1; i < count; i++) {
    Node *above = nodes[i]->dominator;
    nodes[i]->first = above->next;
    nodes[i]->next = nodes[i]->first + 1;
    above->next += nodes[i]->count;
  }
}

static void build(CakeDominance *dominance, CakeBlock *entry) {
  NodeVec nodes = {0};
  post_order(dominance, entry, &nodes);
  for (size_t i = 0, j = nodes.len; i + 1 < j; i++) {
    Node *node = nodes.data[i];
    nodes.data[i] = nodes.data[--j];
    nodes.data[j] = node;
  }
  for (size_t i = 0; i < nodes.len; i++)
    nodes.data[i]->order = (uint32_t)i;
  nodes.data[0]->dominator = nodes.data[0];
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 1; i < nodes.len; i++) {
      Node *found = dominator_by_predecessors(dominance, nodes.data[i]);
      changed |= found != nodes.data[i]->dominator;
      nodes.data[i]->dominator = found;
    }
  }
  number(nodes.data, nodes.len);
  CAKE_VEC_FINI(&nodes);
}

static void need_tree(CakeDominance *dominance, const CakeRegion *region) {
  if (cake_map_get(&dominance->regions, region, NULL)) return;
  cake_map_set(&dominance->regions, region, 1);
  build(dominance, region->first);
}

// ---- Asking --------------------------------------------------------------------------------------------------------

bool cake_dominance_is_reachable(CakeDominance *dominance, const CakeBlock *block) {
  if (!block->region || block->region->first == block) return true;
  need_tree(dominance, block->region);
  return node_of(dominance, block) != NULL;
}

bool cake_dominance_blocks(CakeDominance *dominance, const CakeBlock *a, const CakeBlock *b) {
  if (a == b) return true;
  if (!a->region || a->region != b->region) return false;
  need_tree(dominance, a->region);
  const Node *above = node_of(dominance, a), *below = node_of(dominance, b);
  if (!below) return true; // no path leads there
  return above && below->first - above->first < above->count;
}

bool cake_op_has_graph_regions(const CakeOp *op) {
  return !op->info->def || (op->info->def->traits & CAKE_TRAIT_GRAPH);
}

bool cake_dominance_value(CakeDominance *dominance, const CakeValue *value, CakeOp *user) {
  const CakeBlock *block = cake_value_block(value);
  if (!block) return false;
  while (user && user->block != block) { // to the op that stands in the value's region
    if (!user->block) return false;
    if (user->block->region == block->region) return cake_dominance_blocks(dominance, block, user->block);
    user = cake_op_parent(user);
  }
  if (!user || value->is_argument) return user != NULL;
  const CakeOp *around = cake_block_parent(block);
  if (around && cake_op_has_graph_regions(around)) return true;
  return user != value->owner.op && cake_op_is_before(value->owner.op, user);
}
