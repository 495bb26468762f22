// A graph of ops as an SVG picture: rows one below the other, regions as boxes, values as curves on the right.
#include "passes/op_graph.h"

enum { ROW = 20, INDENT = 16, MARGIN = 12, LETTER = 7, BULGE = 6, WIDEST_BULGE = 320 };

void cake_svg_text(CakeStr text, CakeBuf *out) {
  for (size_t i = 0; i < text.len; i++) {
    switch (text.ptr[i]) {
    case '<': cake_buf_text(out, "&lt;"); break;
    case '>': cake_buf_text(out, "&gt;"); break;
    case '&': cake_buf_text(out, "&amp;"); break;
    case '"': cake_buf_text(out, "&quot;"); break;
    default: cake_buf_char(out, (uint8_t)text.ptr[i] < ' ' ? ' ' : text.ptr[i]); break;
    }
  }
}

static int x_of(const CakeGraphRow *row) {
  return MARGIN + (int)row->depth * INDENT;
}

static int y_of(size_t row) {
  return MARGIN + (int)row * ROW;
}

// Letters, not bytes.
static int width_of(CakeStr label) {
  int letters = 0;
  for (size_t i = 0; i < label.len; i++)
    letters += ((uint8_t)label.ptr[i] & 0xc0) != 0x80;
  return (letters + 1) * LETTER;
}

typedef struct Drawing {
  const CakeOpGraph *graph;
  CakeBuf *out;
  size_t limit;
  CAKE_VEC(int) right; // where each row's text ends
  int widest;
} Drawing;

static void measure(Drawing *drawing) {
  CakeBuf label = {0};
  for (size_t i = 0; i < drawing->graph->rows.len; i++) {
    const CakeGraphRow *row = &drawing->graph->rows.data[i];
    cake_buf_clear(&label);
    cake_op_graph_label(row, drawing->limit, &label);
    int right = x_of(row) + width_of(cake_buf_view(&label));
    CAKE_PUSH(&drawing->right, right);
    if (right > drawing->widest) drawing->widest = right;
  }
  cake_buf_fini(&label);
}

static void draw_row(Drawing *drawing, size_t number) {
  const CakeGraphRow *row = &drawing->graph->rows.data[number];
  int x = x_of(row), y = y_of(number), rows = (int)(row->end - number);
  CakeBuf label = {0};
  if (rows > 1)
    cake_buf_printf(drawing->out, "<rect class=\"r\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\"/>\n", x, y + 1,
                    drawing->widest - (int)row->depth * 2 - x + INDENT, rows * ROW - 2);
  cake_op_graph_label(row, drawing->limit, &label);
  cake_buf_printf(drawing->out, "<text%s x=\"%d\" y=\"%d\">", row->op ? "" : " class=\"b\"", x + 4, y + 15);
  cake_svg_text(cake_buf_view(&label), drawing->out);
  cake_buf_text(drawing->out, "</text>\n");
  cake_buf_fini(&label);
}

// How far the text of the rows between two goes to the right; of many, that of all.
static int right_between(const Drawing *drawing, size_t from, size_t to) {
  enum { MOST_ROWS = 64 };
  size_t low = from < to ? from : to, high = from < to ? to : from;
  if (high - low > MOST_ROWS) return drawing->widest;
  int right = 0;
  for (size_t i = low; i <= high; i++)
    if (drawing->right.data[i] > right) right = drawing->right.data[i];
  return right;
}

static void draw_edge(Drawing *drawing, const char *class, size_t from, size_t to) {
  int distance = from < to ? (int)(to - from) : (int)(from - to);
  int bulge = 16 + distance * BULGE > WIDEST_BULGE ? WIDEST_BULGE : 16 + distance * BULGE;
  int x1 = drawing->right.data[from] + 6, x2 = drawing->right.data[to] + 6;
  int y1 = y_of(from) + ROW / 2, y2 = y_of(to) + ROW / 2;
  int turn = right_between(drawing, from, to) + bulge;
  cake_buf_printf(drawing->out, "<path class=\"%s\" d=\"M%d %dC%d %d %d %d %d %d\" marker-end=\"url(#a)\"/>\n", class,
                  x1, y1, turn, y1, turn, y2, x2, y2);
}

static void draw_edges(Drawing *drawing, size_t row) {
  const CakeOpGraph *graph = drawing->graph;
  const CakeOp *op = graph->rows.data[row].op;
  size_t other;
  for (uint32_t i = 0; op && i < op->n_operands; i++)
    if (cake_op_operand(op, i) && cake_op_graph_source(graph, cake_op_operand(op, i), &other))
      draw_edge(drawing, "v", other, row);
  for (uint32_t i = 0; op && i < op->n_successors; i++) {
    const CakeBlock *block = cake_op_successor(op, i);
    if (cake_op_graph_find(graph, block, &other) || cake_op_graph_find(graph, block->first, &other))
      draw_edge(drawing, "c", row, other);
  }
}

void cake_op_graph_svg(const CakeOpGraph *graph, size_t limit, CakeBuf *out) {
  Drawing drawing = {.graph = graph, .out = out, .limit = limit};
  measure(&drawing);
  int width = drawing.widest + WIDEST_BULGE + 2 * MARGIN, height = y_of(graph->rows.len) + MARGIN;
  cake_buf_printf(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\">\n"
      "<style>text{font:12px monospace}.b{font-style:italic;fill:#666}.r{fill:#3060a0;fill-opacity:.06;"
      "stroke:#9ab}path{fill:none;stroke:#36c;stroke-opacity:.6}.c{stroke:#c33;stroke-dasharray:4 3}</style>\n"
      "<defs><marker id=\"a\" orient=\"auto\" markerWidth=\"6\" markerHeight=\"6\" refX=\"5\" refY=\"3\">"
      "<polygon points=\"0,0 6,3 0,6\" fill=\"#36c\"/></marker></defs>\n"
      "<rect width=\"%d\" height=\"%d\" fill=\"white\"/>\n",
      width, height, width, height, width, height);
  for (size_t i = 0; i < graph->rows.len; i++)
    draw_row(&drawing, i);
  for (size_t i = 0; i < graph->rows.len; i++)
    draw_edges(&drawing, i);
  cake_buf_text(out, "</svg>\n");
  CAKE_VEC_FINI(&drawing.right);
}
