// view-op-graph: the ops as a graph, for Graphviz or as a picture.
#include "passes/op_graph.h"

static void escape(CakeStr text, CakeBuf *out) {
  for (size_t i = 0; i < text.len; i++) {
    if (text.ptr[i] == '"' || text.ptr[i] == '\\') cake_buf_char(out, '\\');
    cake_buf_char(out, text.ptr[i] == '\n' ? ' ' : text.ptr[i]);
  }
}

static void print_label(const CakeGraphRow *row, size_t limit, CakeBuf *out) {
  CakeBuf label = {0};
  cake_op_graph_label(row, limit, &label);
  escape(cake_buf_view(&label), out);
  cake_buf_fini(&label);
}

static bool has_inside(const CakeOpGraph *graph, size_t row) {
  return graph->rows.data[row].end > row + 1;
}

static void print_node(const CakeOpGraph *graph, size_t row, size_t limit, CakeBuf *out) {
  const CakeGraphRow *at = &graph->rows.data[row];
  bool is_cluster = has_inside(graph, row);
  int indent = (int)(2 * at->depth + 2);
  cake_buf_fill(out, ' ', (size_t)indent);
  if (is_cluster) cake_buf_printf(out, "subgraph cluster_%zu {\n%*s  label = \"", row, indent, "");
  if (!is_cluster) cake_buf_printf(out, "v%zu [%slabel = \"", row, at->op ? "" : "shape = ellipse, ");
  print_label(at, limit, out);
  if (is_cluster) // edges go to a point in it
    cake_buf_printf(out, "\";\n%*s  v%zu [shape = point, label = \"\"];\n", indent, "", row);
  else
    cake_buf_text(out, "\"];\n");
}

static void print_edges(const CakeOpGraph *graph, size_t row, CakeBuf *out) {
  const CakeOp *op = graph->rows.data[row].op;
  size_t from, to;
  for (uint32_t i = 0; op && i < op->n_operands; i++) {
    if (!cake_op_operand(op, i) || !cake_op_graph_source(graph, cake_op_operand(op, i), &from)) continue;
    cake_buf_printf(out, "  v%zu -> v%zu", from, row);
    if (op->n_operands > 1) cake_buf_printf(out, " [label = \"%u\"]", i);
    cake_buf_text(out, ";\n");
  }
  for (uint32_t i = 0; op && i < op->n_successors; i++) {
    const CakeBlock *block = cake_op_successor(op, i);
    if (!cake_op_graph_find(graph, block, &to) && !cake_op_graph_find(graph, block->first, &to)) continue;
    cake_buf_printf(out, "  v%zu -> v%zu [style = dashed];\n", row, to);
  }
}

static void print_dot(const CakeOpGraph *graph, size_t limit, CakeBuf *out) {
  cake_buf_text(out, "digraph G {\n  compound = true;\n  node [shape = box, fontname = \"monospace\"];\n");
  CAKE_VEC(size_t) open = {0};
  for (size_t row = 0; row <= graph->rows.len; row++) {
    while (open.len && graph->rows.data[open.data[open.len - 1]].end <= row) {
      cake_buf_fill(out, ' ', 2 * graph->rows.data[open.data[--open.len]].depth + 2U);
      cake_buf_text(out, "}\n");
    }
    if (row == graph->rows.len) break;
    print_node(graph, row, limit, out);
    if (has_inside(graph, row)) CAKE_PUSH(&open, row);
  }
  for (size_t row = 0; row < graph->rows.len; row++)
    print_edges(graph, row, out);
  cake_buf_text(out, "}\n");
  CAKE_VEC_FINI(&open);
}

CakePassResult cake_pass_view_op_graph(CakePassContext *pass, CakeOp *root) {
  CakeStr format = cake_pass_option_str(pass->pass, "format");
  int64_t limit = cake_pass_option_int(pass->pass, "max-label-len");
  bool is_svg = cake_str_is(format, "svg");
  if ((!is_svg && !cake_str_is(format, "dot")) || limit < 1 || limit > 10000) {
    cake_error(root, CAKE_CODE_PASS_FAILED,
               "cannot be drawn: format must be dot or svg, and max-label-len from 1 to 10000");
    return CAKE_PASS_FAILED;
  }
  CakeOpGraph graph;
  cake_op_graph_init(&graph, root);
  (is_svg ? cake_op_graph_svg : print_dot)(&graph, (size_t)limit, pass->report);
  cake_op_graph_fini(&graph);
  return CAKE_PASS_UNCHANGED;
}
