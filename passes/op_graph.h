// What the drawings of view-op-graph share: the rows of a graph, in the order of the text.
#ifndef CAKE_PASSES_OP_GRAPH_H
#define CAKE_PASSES_OP_GRAPH_H

#include "passes/passes.h"

// An op, or the head of a block that has arguments or a label.
typedef struct CakeGraphRow {
  CakeOp *op;       // NULL: a block's head
  CakeBlock *block; // the block, or the op's
  uint32_t depth;
  size_t end; // the first row behind everything inside of it
} CakeGraphRow;

typedef struct CakeOpGraph {
  CAKE_VEC(CakeGraphRow) rows;
  CakeMap numbers; // CakeOp * or CakeBlock * → row + 1
  uint32_t max_depth;
} CakeOpGraph;

void cake_op_graph_init(CakeOpGraph *graph, CakeOp *root);
void cake_op_graph_fini(CakeOpGraph *graph);
// The row of an op or block; false: it is not in the graph.
bool cake_op_graph_find(const CakeOpGraph *graph, const void *what, size_t *out_row);
// The row that a value comes from.
bool cake_op_graph_source(const CakeOpGraph *graph, const CakeValue *value, size_t *out_row);
// Name, attributes and types in at most `limit` bytes, cut with an ellipsis.
void cake_op_graph_label(const CakeGraphRow *row, size_t limit, CakeBuf *out);

// Text of an SVG picture, with what XML reserves spelt out.
void cake_svg_text(CakeStr text, CakeBuf *out);
void cake_op_graph_svg(const CakeOpGraph *graph, size_t limit, CakeBuf *out);

#endif
