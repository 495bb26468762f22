// The rows of a graph of ops: collected in one walk, and their labels.
#include "passes/op_graph.h"

#include "cake/text.h"

bool cake_op_graph_find(const CakeOpGraph *graph, const void *what, size_t *out_row) {
  uintptr_t number;
  if (!what || !cake_map_get(&graph->numbers, what, &number)) return false;
  *out_row = number - 1;
  return true;
}

bool cake_op_graph_source(const CakeOpGraph *graph, const CakeValue *value, size_t *out_row) {
  const void *source = value->is_argument ? (const void *)cake_arg_owner(value) : cake_result_owner(value);
  return cake_op_graph_find(graph, source, out_row);
}

static void add_row(CakeOpGraph *graph, CakeOp *op, CakeBlock *block, uint32_t depth) {
  CAKE_PUSH(&graph->rows, (CakeGraphRow){op, block, depth, 0});
  cake_map_set(&graph->numbers, op ? (const void *)op : block, graph->rows.len);
  if (depth > graph->max_depth) graph->max_depth = depth;
}

// Gives `op`, which ends at the last row, and what ends with it, up to below `around`, their ends.
static uint32_t close_rows(CakeOpGraph *graph, const CakeOp *op, const CakeOp *around, uint32_t depth) {
  size_t row;
  for (; op && op != around && cake_op_graph_find(graph, op, &row); op = cake_op_parent(op)) {
    graph->rows.data[row].end = graph->rows.len;
    depth = graph->rows.data[row].depth;
  }
  return depth;
}

void cake_op_graph_init(CakeOpGraph *graph, CakeOp *root) {
  *graph = (CakeOpGraph){0};
  uint32_t depth = 0;
  const CakeOp *before = NULL;
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false)) {
    const CakeOp *around = cake_op_parent(op);
    if (before) depth = before == around ? depth + 1 : close_rows(graph, before, around, depth);
    bool is_first = op != root && op->block && op->block->first == op;
    bool has_head = is_first && (op->block->n_args || op->block->prev);
    if (has_head) add_row(graph, NULL, op->block, depth);
    if (has_head) graph->rows.data[graph->rows.len - 1].end = graph->rows.len;
    add_row(graph, op, op->block, depth);
    before = op;
  }
  close_rows(graph, before, NULL, 0);
}

void cake_op_graph_fini(CakeOpGraph *graph) {
  CAKE_VEC_FINI(&graph->rows);
  cake_map_fini(&graph->numbers);
}

// ---- Labels --------------------------------------------------------------------------------------------------------

static void add_types(const CakeValue *values, size_t count, CakeBuf *out) {
  for (size_t i = 0; i < count; i++) {
    cake_buf_text(out, i ? ", " : " : ");
    cake_print_type(values[i].type, out);
  }
}

static void add_attrs(const CakeOp *op, size_t limit, CakeBuf *out) {
  bool is_first = true;
  for (uint32_t i = 0; op->info->def && i < op->info->def->n_attrs && out->len <= limit; i++) {
    if (!cake_op_prop(op, i)) continue;
    cake_buf_printf(out, "%s%s = ", is_first ? " {" : ", ", op->info->def->attrs[i].name);
    cake_print_attr(cake_op_prop(op, i), out);
    is_first = false;
  }
  if (!is_first) cake_buf_char(out, '}');
}

// Not in the middle of a sequence of UTF-8.
static void cut(size_t start, size_t limit, CakeBuf *out) {
  if (out->len - start <= limit) return;
  size_t end = start + limit;
  while (end > start && ((uint8_t)out->data[end] & 0xc0) == 0x80)
    end--;
  out->len = end;
  cake_buf_text(out, "…");
}

void cake_op_graph_label(const CakeGraphRow *row, size_t limit, CakeBuf *out) {
  size_t start = out->len;
  if (row->op) {
    cake_buf_str(out, cake_op_name(row->op));
    add_attrs(row->op, start + limit, out);
    add_types(row->op->results, row->op->n_results, out);
  } else {
    cake_buf_text(out, "^block");
    for (uint32_t i = 0; i < row->block->n_args && out->len - start <= limit; i++) {
      cake_buf_text(out, i ? ", " : "(");
      cake_print_type(row->block->args[i]->type, out);
    }
    if (row->block->n_args) cake_buf_char(out, ')');
  }
  cut(start, limit, out);
}
