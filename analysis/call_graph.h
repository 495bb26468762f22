// The call graph: which callables call which, and the order in which callees come before their callers.
//
// A call is an op whose row names the attribute that refers to its callee (`.callee`); a callable has the trait. Calls of
// something else than a symbol, and callees that are not under the root, are not in the graph.
#ifndef CAKE_ANALYSIS_CALL_GRAPH_H
#define CAKE_ANALYSIS_CALL_GRAPH_H

#include "cake/pass.h"

CAKE_BEGIN_C

// What the references from the ops of one symbol table stand for.
typedef struct CakeCallScope {
  CakeOp *table;
  CakeMap callees; // CakeAttr → CakeOp *
} CakeCallScope;

typedef struct CakeCallGraph {
  CAKE_VEC(CakeOp *) order;      // callables with a body: callees first; those that call one another are neighbours
  CAKE_VEC(uint32_t) components; // the number of each one's group
  CAKE_VEC(CakeCallScope) scopes;
  size_t last_scope;
} CakeCallGraph;

// Of all callables under (and including) `root`. The order is that of the walk where calls leave it open.
void cake_call_graph_init(CakeCallGraph *graph, CakeOp *root);
void cake_call_graph_fini(CakeCallGraph *graph);
// The end of the group of callables in `order` that begins at `begin`.
size_t cake_call_graph_component(const CakeCallGraph *graph, size_t begin);
bool cake_call_graph_is_call(const CakeOp *op);
// What a call calls; NULL when that is not known. Remembered by the reference: also for copies of a call, and while symbols are not renamed.
CakeOp *cake_call_graph_callee(CakeCallGraph *graph, CakeOp *call);
// The callable with a body that a reference from `from` stands for; NULL when it is none. Remembered likewise.
CakeOp *cake_call_graph_lookup(CakeCallGraph *graph, CakeOp *from, CakeAttr reference);

extern const CakeAnalysisDef cake_call_graph_analysis; // a CakeCallGraph

CAKE_END_C
#endif
