// The call graph: nodes and edges by a walk, the order by Tarjan's algorithm for strongly connected components ("Depth-First
// Search and Linear Graph Algorithms", 1972), without recursion.
#include "analysis/call_graph.h"

#include "cake/symbol.h"

bool cake_call_graph_is_call(const CakeOp *op) {
  return op->info->def && op->info->def->callee;
}

static bool is_callable(const CakeOp *op) {
  return cake_op_has_trait(op, CAKE_TRAIT_CALLABLE) && op->n_regions && cake_op_region(op, 0)->first;
}

// ---- Callees -------------------------------------------------------------------------------------------------------

static CakeCallScope *scope_of(CakeCallGraph *graph, CakeOp *table) {
  if (graph->last_scope < graph->scopes.len && graph->scopes.data[graph->last_scope].table == table)
    return &graph->scopes.data[graph->last_scope];
  graph->last_scope = 0;
  while (graph->last_scope < graph->scopes.len && graph->scopes.data[graph->last_scope].table != table)
    graph->last_scope++;
  if (graph->last_scope == graph->scopes.len) CAKE_PUSH(&graph->scopes, (CakeCallScope){.table = table});
  return &graph->scopes.data[graph->last_scope];
}

CakeOp *cake_call_graph_lookup(CakeCallGraph *graph, CakeOp *from, CakeAttr reference) {
  CakeOp *table = cake_attr_is(reference, &cake_attr_def_symbol_ref) ? cake_symbol_table_of(from) : NULL;
  if (!table) return NULL;
  CakeCallScope *scope = scope_of(graph, table);
  uintptr_t found;
  if (cake_map_get(&scope->callees, reference, &found)) return (CakeOp *)found;
  CakeOp *callee = cake_symbol_lookup(from, reference);
  if (callee && !is_callable(callee)) callee = NULL;
  cake_map_set(&scope->callees, reference, (uintptr_t)callee);
  return callee;
}

CakeOp *cake_call_graph_callee(CakeCallGraph *graph, CakeOp *call) {
  int row = cake_op_def_attr(call->info->def, call->info->def->callee);
  return row < 0 ? NULL : cake_call_graph_lookup(graph, call, cake_op_prop(call, (size_t)row));
}

// ---- The order -----------------------------------------------------------------------------------------------------

typedef struct Node {
  CakeOp *op;
  size_t edges, end; // its callees among the edges
  uint32_t index, low;
  bool is_on_stack;
} Node;

typedef struct Search {
  CakeCallGraph *graph;
  CAKE_VEC(Node) nodes;
  CAKE_VEC(size_t) edges; // node numbers
  CakeMap numbers;        // CakeOp * → node number + 1
  CAKE_VEC(size_t) path;  // nodes that are being visited, the newest last
  CAKE_VEC(size_t) stack; // nodes whose component is not known yet
  uint32_t n_visited, n_components;
} Search;

static void add_edges(Search *search, Node *node) {
  node->edges = search->edges.len;
  for (CakeOp *op = cake_op_walk_next(node->op, node->op, false); op;) {
    bool is_other = cake_op_has_trait(op, CAKE_TRAIT_CALLABLE);
    uintptr_t number;
    CakeOp *callee = !is_other && cake_call_graph_is_call(op) ? cake_call_graph_callee(search->graph, op) : NULL;
    if (callee && cake_map_get(&search->numbers, callee, &number)) CAKE_PUSH(&search->edges, number - 1);
    op = cake_op_walk_next(node->op, op, is_other);
  }
  node->end = search->edges.len;
}

static void enter(Search *search, size_t number) {
  Node *node = &search->nodes.data[number];
  node->index = node->low = ++search->n_visited;
  node->is_on_stack = true;
  CAKE_PUSH(&search->stack, number);
  CAKE_PUSH(&search->path, number);
}

// The node and what stands above it on the stack is a component.
static void close_component(Search *search, size_t number) {
  size_t first = search->stack.len;
  while (search->stack.data[first - 1] != number)
    first--;
  for (size_t i = first - 1; i < search->stack.len; i++) {
    Node *member = &search->nodes.data[search->stack.data[i]];
    member->is_on_stack = false;
    CAKE_PUSH(&search->graph->order, member->op);
    CAKE_PUSH(&search->graph->components, search->n_components);
  }
  search->stack.len = first - 1;
  search->n_components++;
}

static void leave(Search *search, size_t number) {
  const Node *node = &search->nodes.data[number];
  if (node->low == node->index) close_component(search, number);
  search->path.len--;
  if (!search->path.len) return;
  Node *caller = &search->nodes.data[search->path.data[search->path.len - 1]];
  if (node->low < caller->low) caller->low = node->low;
}

static void visit(Search *search, size_t root) {
  enter(search, root);
  while (search->path.len) {
    size_t number = search->path.data[search->path.len - 1];
    Node *node = &search->nodes.data[number];
    if (node->edges == node->end) {
      leave(search, number);
      continue;
    }
    const Node *callee = &search->nodes.data[search->edges.data[node->edges]];
    if (!callee->index)
      enter(search, search->edges.data[node->edges]);
    else if (callee->is_on_stack && callee->index < node->low)
      node->low = callee->index;
    search->nodes.data[number].edges++;
  }
}

void cake_call_graph_init(CakeCallGraph *graph, CakeOp *root) {
  *graph = (CakeCallGraph){0};
  Search search = {.graph = graph};
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    if (!is_callable(op)) continue;
    CAKE_PUSH(&search.nodes, (Node){.op = op});
    cake_map_set(&search.numbers, op, search.nodes.len);
  }
  for (size_t i = 0; i < search.nodes.len; i++)
    add_edges(&search, &search.nodes.data[i]);
  for (size_t i = 0; i < search.nodes.len; i++)
    if (!search.nodes.data[i].index) visit(&search, i);
  cake_map_fini(&search.numbers);
  CAKE_VEC_FINI(&search.nodes);
  CAKE_VEC_FINI(&search.edges);
  CAKE_VEC_FINI(&search.path);
  CAKE_VEC_FINI(&search.stack);
}

void cake_call_graph_fini(CakeCallGraph *graph) {
  for (size_t i = 0; i < graph->scopes.len; i++)
    cake_map_fini(&graph->scopes.data[i].callees);
  CAKE_VEC_FINI(&graph->scopes);
  CAKE_VEC_FINI(&graph->order);
  CAKE_VEC_FINI(&graph->components);
}

size_t cake_call_graph_component(const CakeCallGraph *graph, size_t begin) {
  size_t end = begin;
  while (end < graph->components.len && graph->components.data[end] == graph->components.data[begin])
    end++;
  return end;
}

static void *create(CakeOp *op) {
  size_t capacity = 0;
  CakeCallGraph *graph = cake_vec_grow(NULL, &capacity, sizeof *graph);
  cake_call_graph_init(graph, op);
  return graph;
}

static void destroy(void *analysis) {
  cake_call_graph_fini(analysis);
  cake_mem_free(analysis);
}

const CakeAnalysisDef cake_call_graph_analysis = {.name = "call graph", .create = create, .destroy = destroy};
