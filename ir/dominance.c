// Dominator trees of regions, computed when first asked for.
//
// Cooper, Harvey, Kennedy, "A Simple, Fast Dominance Algorithm": iteration over the blocks in reverse post-order. A
// region with one block, which is most of them, needs no tree.
#include "cake/pass.h"
#include "core.h"

// A block of a region that has a tree, by its position there. One that cannot be reached from the entry has no block.
typedef struct Node {
  CakeBlock *block;
  struct Node *dominator; // immediate; the entry's is itself
  uint32_t order;         // in reverse post-order
  uint32_t first, count;  // the blocks that it dominates are numbered [first, first + count)
  uint32_t next;          // the number for the next block below it
  uint32_t last_edge;     // the newest edge that leads to it, plus one
} Node;

typedef struct Edge {
  Node *from;
  uint32_t older; // edge to the same block, plus one
} Edge;

typedef CAKE_VEC(Edge) EdgeVec;

typedef struct Tree {
  const CakeRegion *region;
  uint32_t n_nodes;
  Node nodes[];
} Tree;

struct CakeDominance {
  CakeArena *arena;
  CakeMap trees;    // CakeRegion * → Tree *
  const Tree *last; // that was asked for
};

CakeDominance *cake_dominance_create(CakeOp *root) {
  (void)root; // trees are made on demand
  CakeDominance *dominance = cake_mem_zeroed(sizeof *dominance);
  dominance->arena = cake_arena_create();
  return dominance;
}

void cake_dominance_destroy(CakeDominance *dominance) {
  if (!dominance) return;
  cake_map_fini(&dominance->trees);
  cake_arena_destroy(dominance->arena);
  cake_mem_free(dominance);
}

// NULL: it cannot be reached.
static Node *node_of(const Tree *tree, const CakeBlock *block) {
  if (block->order >= tree->n_nodes || tree->nodes[block->order].block != block) return NULL;
  return (Node *)(uintptr_t)&tree->nodes[block->order];
}

// ---- Building a tree -----------------------------------------------------------------------------------------------

typedef struct Visit {
  Node *node;
  uint32_t next_successor;
} Visit;

typedef CAKE_VEC(Node *) NodeVec;

static Node *add_node(Tree *tree, CakeBlock *block) {
  Node *node = &tree->nodes[block->order];
  node->block = block;
  return node;
}

// Appends the reachable blocks in post-order, and the edges between them.
static void post_order(Tree *tree, CakeBlock *entry, NodeVec *out, EdgeVec *edges) {
  CAKE_VEC(Visit) stack = {0};
  CAKE_PUSH(&stack, (Visit){add_node(tree, entry), 0});
  while (stack.len) {
    Visit *visit = &stack.data[stack.len - 1];
    const CakeOp *last = visit->node->block->last;
    if (last && visit->next_successor < last->n_successors) {
      CakeBlock *next = cake_op_successor(last, visit->next_successor++);
      if (!next || next->region != entry->region) continue;
      Node *known = node_of(tree, next), *to = known ? known : add_node(tree, next);
      CAKE_PUSH(edges, ((Edge){visit->node, to->last_edge}));
      to->last_edge = (uint32_t)edges->len;
      if (!known) CAKE_PUSH(&stack, (Visit){to, 0});
    } else {
      CAKE_PUSH(out, visit->node);
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

// By the predecessors that have one; *is_open: some had none yet.
static Node *dominator_by_predecessors(const EdgeVec *edges, const Node *node, bool *is_open) {
  Node *common = NULL;
  for (uint32_t i = node->last_edge; i; i = edges->data[i - 1].older) {
    Node *from = edges->data[i - 1].from;
    if (!from->dominator)
      *is_open = true;
    else
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

// Passes over the blocks until none changes: one, where no edge leads back.
static void find_dominators(Node *const *nodes, size_t count, const EdgeVec *edges) {
  nodes[0]->dominator = nodes[0];
  for (bool changed = true, is_open = false; changed;) {
    changed = false;
    for (size_t i = 1; i < count; i++) {
      Node *found = dominator_by_predecessors(edges, nodes[i], &is_open);
      changed |= found != nodes[i]->dominator;
      nodes[i]->dominator = found;
    }
    changed &= is_open;
  }
}

static void build(Tree *tree, CakeBlock *entry) {
  NodeVec nodes = {0};
  EdgeVec edges = {0};
  post_order(tree, entry, &nodes, &edges);
  for (size_t i = 0, j = nodes.len; i + 1 < j; i++) {
    Node *node = nodes.data[i];
    nodes.data[i] = nodes.data[--j];
    nodes.data[j] = node;
  }
  for (size_t i = 0; i < nodes.len; i++)
    nodes.data[i]->order = (uint32_t)i;
  find_dominators(nodes.data, nodes.len, &edges);
  number(nodes.data, nodes.len);
  CAKE_VEC_FINI(&nodes);
  CAKE_VEC_FINI(&edges);
}

static const Tree *tree_of(CakeDominance *dominance, const CakeRegion *region) {
  if (dominance->last && dominance->last->region == region) return dominance->last;
  uintptr_t known;
  if (cake_map_get(&dominance->trees, region, &known)) return dominance->last = (const Tree *)known;
  uint32_t n_blocks = cake_region_number_blocks(region);
  Tree *tree = cake_arena_alloc(dominance->arena, sizeof *tree + n_blocks * sizeof *tree->nodes);
  tree->region = region;
  tree->n_nodes = n_blocks;
  build(tree, region->first);
  cake_map_set(&dominance->trees, region, (uintptr_t)tree);
  return dominance->last = tree;
}

// ---- Asking --------------------------------------------------------------------------------------------------------

bool cake_dominance_is_reachable(CakeDominance *dominance, const CakeBlock *block) {
  if (!block->region || block->region->first == block) return true;
  return node_of(tree_of(dominance, block->region), block) != NULL;
}

bool cake_dominance_blocks(CakeDominance *dominance, const CakeBlock *a, const CakeBlock *b) {
  if (a == b) return true;
  if (!a->region || a->region != b->region) return false;
  const Tree *tree = tree_of(dominance, a->region);
  const Node *above = node_of(tree, a), *below = node_of(tree, b);
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
  return user != cake_result_owner(value) && cake_op_is_before(cake_result_owner(value), user);
}

static void *create(CakeOp *op) {
  return cake_dominance_create(op);
}

static void destroy(void *dominance) {
  cake_dominance_destroy(dominance);
}

static const CakeBlock *dominator_of(CakeDominance *dominance, const CakeBlock *block) {
  const Node *node = node_of(tree_of(dominance, block->region), block);
  return node ? node->dominator->block : NULL;
}

static bool is_same(CakeOp *root, void *kept, void *fresh) {
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
    for (uint32_t i = 0; i < op->n_regions; i++) {
      const CakeRegion *region = cake_op_region(op, i);
      uintptr_t known;
      if (!cake_map_get(&((CakeDominance *)kept)->trees, region, &known)) continue; // will be made when it is asked for
      for (const CakeBlock *block = region->first; block; block = block->next)
        if (dominator_of(fresh, block) != dominator_of(kept, block)) return false;
    }
  return true;
}

const CakeAnalysisDef cake_dominance_analysis = {"dominance", create, destroy, is_same};
