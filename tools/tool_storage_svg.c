// --emit=storage-svg: how the buffers of a kernel lie in shared memory, with the bank conflicts of the usual accesses.
//
// A cell is 16 bytes of a row of the tile; its number and colour say which four of the 32 banks (of 4 bytes) it lies in: number n is banks
// 4n to 4n + 3. Accesses of 16 bytes a thread are served 8 threads at a time, smaller ones 32 threads at a time; each takes as many cycles as
// the most distinct words that meet in one bank (CUDA C++ Programming Guide, "Shared Memory").
#include <stdio.h>

#include "cake/text.h"

#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/views.h"
#include "tools/tool.h"
#include "tools/tool_xml.h"

enum {
  MARGIN = 28,
  CELL_WIDTH = 30,
  CELL_HEIGHT = 20,
  LABEL_WIDTH = 44,
  TITLE_HEIGHT = 34,
  TEXT_HEIGHT = 19,
  GAP = 26,
  MIN_WIDTH = 620,
  MAX_ROWS = 16,  // drawn; the swizzles repeat every 8 rows or sooner
  MAX_CHUNKS = 32 // drawn
};

static const char *const colours[8] = {"#d7e8fb", "#fbe3d0", "#d9f0dc", "#f7d9e3",
                                       "#e5dcf6", "#fdf3c4", "#d2f0f0", "#e6e6e6"};

typedef struct Drawing {
  CakeBuf body;
  int width, y;
} Drawing;

// ---- Bank conflicts --------------------------------------------------------------------------------------------------

// One thread's access.
typedef struct Access {
  int64_t offset, bytes;
} Access;

// Cycles for accesses of up to 32 threads that are served together.
static int cycles(const Access *accesses, int count) {
  int64_t words[32 * 4];
  int n_words = 0, most = 0, in_bank[32] = {0};
  for (int i = 0; i < count; i++) {
    for (int64_t word = accesses[i].offset / 4; word <= (accesses[i].offset + accesses[i].bytes - 1) / 4; word++) {
      int at = 0;
      while (at < n_words && words[at] != word)
        at++;
      if (at < n_words) continue; // the same word is sent to all who want it
      words[n_words++] = word;
      int used = ++in_bank[word % 32];
      if (used > most) most = used;
    }
  }
  return most;
}

// ---- Drawing ---------------------------------------------------------------------------------------------------------

static void write_text(Drawing *drawing, const char *class_name, int x, int y, const char *text) {
  cake_buf_printf(&drawing->body, "<text class=\"%s\" x=\"%d\" y=\"%d\">", class_name, x, y);
  cake_xml_escape(cake_str(text), &drawing->body);
  cake_buf_text(&drawing->body, "</text>\n");
}

static int64_t rows_of(CakeType type) {
  return cake_shared_rank(type) == 2 ? cake_shared_size(type, 0) : 1;
}

static int64_t cols_of(CakeType type) {
  return cake_shared_size(type, cake_shared_rank(type) - 1);
}

static int64_t element_bytes(CakeType type) {
  return cake_type_width(cake_shared_element(type)) / 8;
}

static void draw_cell(Drawing *drawing, CakeType type, int64_t row, int64_t chunk) {
  int64_t bank = cake_shared_offset(type, row, chunk * 16 / element_bytes(type)) / 16 % 8;
  int x = MARGIN + LABEL_WIDTH + (int)chunk * CELL_WIDTH, y = drawing->y + (int)row * CELL_HEIGHT;
  cake_buf_printf(&drawing->body,
                  "<rect class=\"cell\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" fill=\"%s\"/>"
                  "<text class=\"bank\" x=\"%d\" y=\"%d\">%d</text>\n",
                  x, y, CELL_WIDTH, CELL_HEIGHT, colours[bank], x + CELL_WIDTH / 2, y + 14, (int)bank);
}

static void draw_grid(Drawing *drawing, CakeType type) {
  int64_t rows = rows_of(type), chunks = (cols_of(type) * element_bytes(type) + 15) / 16;
  int64_t shown_rows = rows < MAX_ROWS ? rows : MAX_ROWS, shown = chunks < MAX_CHUNKS ? chunks : MAX_CHUNKS;
  char label[64];
  for (int64_t row = 0; row < shown_rows; row++) {
    (void)snprintf(label, sizeof label, "%lld", (long long)row);
    write_text(drawing, "row", MARGIN + LABEL_WIDTH - 8, drawing->y + (int)row * CELL_HEIGHT + 14, label);
    for (int64_t chunk = 0; chunk < shown; chunk++)
      draw_cell(drawing, type, row, chunk);
  }
  int right = MARGIN + LABEL_WIDTH + (int)shown * CELL_WIDTH + MARGIN;
  if (right > drawing->width) drawing->width = right;
  drawing->y += (int)shown_rows * CELL_HEIGHT + 6;
  if (shown_rows == rows && shown == chunks) return;
  (void)snprintf(label, sizeof label, "… of %lld rows of %lld bytes", (long long)rows,
                 (long long)(cols_of(type) * element_bytes(type)));
  drawing->y += TEXT_HEIGHT - 6;
  write_text(drawing, "note", MARGIN + LABEL_WIDTH, drawing->y, label);
  drawing->y += 6;
}

// "8 rows of 16 bytes (ldmatrix, stmatrix): 8 cycles, 1 would do"
static void write_access(Drawing *drawing, const char *what, const Access *accesses, int count) {
  char text[160];
  int64_t bytes = 0;
  for (int i = 0; i < count; i++)
    bytes += accesses[i].bytes;
  int found = cycles(accesses, count), least = (int)((bytes + 127) / 128);
  if (found > least)
    (void)snprintf(text, sizeof text, "%s: %d-way bank conflict", what, found);
  else
    (void)snprintf(text, sizeof text, "%s: no bank conflict", what);
  drawing->y += TEXT_HEIGHT;
  write_text(drawing, found > least ? "bad" : "good", MARGIN + LABEL_WIDTH, drawing->y, text);
}

static void write_accesses(Drawing *drawing, CakeType type) {
  int64_t rows = rows_of(type), cols = cols_of(type), bytes = element_bytes(type);
  Access accesses[32];
  int count = 0;
  if (rows >= 8 && cols * bytes >= 16 && 16 % bytes == 0) {
    for (int i = 0; i < 8; i++)
      accesses[i] = (Access){cake_shared_offset(type, i, 0), 16};
    write_access(drawing, "8 rows, 16 bytes of each (ldmatrix, stmatrix, a core matrix of wgmma)", accesses, 8);
  }
  for (count = 0; count < 32 && count < cols; count++)
    accesses[count] = (Access){cake_shared_offset(type, 0, count), bytes};
  if (count > 1) write_access(drawing, "neighbours in a row, one element a thread", accesses, count);
  for (count = 0; count < 32 && count < rows; count++)
    accesses[count] = (Access){cake_shared_offset(type, count, 0), bytes};
  if (count > 1) write_access(drawing, "a column, one element a thread", accesses, count);
}

static void draw_buffer(Drawing *drawing, const char *name, CakeType type) {
  CakeBuf title = {0};
  cake_buf_printf(&title, "%s: %s", name, cake_type_text(type));
  drawing->y += TITLE_HEIGHT;
  write_text(drawing, "title", MARGIN, drawing->y - 12, title.data);
  cake_buf_fini(&title);
  draw_grid(drawing, type);
  write_accesses(drawing, type);
  drawing->y += GAP;
}

// ---- The picture -----------------------------------------------------------------------------------------------------

static void draw_op(Drawing *drawing, CakeOp *op, int *buffers) {
  CakeBuf name = {0};
  if (cake_is_cake_op(op, cake_op_cake_pipeline)) {
    CakeAttr parts = cake_op_attr_text(op, "parts");
    for (size_t i = 0; i < cake_parts_count(parts); i++) {
      cake_buf_clear(&name);
      cake_buf_printf(&name, "@%.*s, part %s", CAKE_STR_ARG(cake_attr_string_value(cake_op_attr_text(op, "sym_name"))),
                      cake_parts_name(parts, i)->text);
      if (cake_shared_bytes(cake_parts_type(parts, i)) > 0) draw_buffer(drawing, name.data, cake_parts_type(parts, i));
    }
  } else if (cake_is_cake_op(op, cake_op_cake_buffer)) {
    CakeValue *result = cake_op_result(op, 0);
    ++*buffers;
    if (result->name)
      cake_buf_printf(&name, "buffer %%%s", cake_value_name(result)->text);
    else
      cake_buf_printf(&name, "buffer %d", *buffers);
    if (cake_shared_bytes(result->type) > 0) draw_buffer(drawing, name.data, result->type);
  }
  cake_buf_fini(&name);
}

static const char style_text[] =
    "<style>.title{font-size:15px;font-weight:600}.row,.bank{font-size:11px}.row{text-anchor:end;fill:#60686f}"
    ".bank{text-anchor:middle;fill:#3a4046}.cell{stroke:#fff}.note{font-size:12px;fill:#60686f}"
    ".good{font-size:13px;fill:#1e6b34}.bad{font-size:13px;fill:#b3261e;font-weight:600}</style>\n";

bool cake_tool_emit_storage_svg(CakeTool *tool, CakeOp *kernel, CakeBuf *out) {
  Drawing drawing = {.width = MIN_WIDTH, .y = MARGIN + 24};
  int buffers = 0;
  write_text(&drawing, "note", MARGIN, drawing.y,
             "A cell is 16 bytes of a row of the tile. Its number n and colour: it lies in banks 4n to 4n + 3.");
  drawing.y += 12;
  for (CakeOp *op = kernel; op; op = cake_op_walk_next(kernel, op, false))
    draw_op(&drawing, op, &buffers);
  bool is_fine =
      drawing.y > MARGIN + 36 || cake_tool_fail(tool, "%s: the kernel has nothing in shared memory", tool->file);
  if (is_fine) {
    cake_buf_printf(out,
                    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\" "
                    "font-family=\"Helvetica, Arial, sans-serif\" fill=\"#202428\">\n",
                    drawing.width, drawing.y + MARGIN, drawing.width, drawing.y + MARGIN);
    cake_buf_text(out, style_text);
    cake_buf_printf(out, "<rect width=\"100%%\" height=\"100%%\" fill=\"#f7f8f9\"/>\n");
    cake_buf_str(out, cake_buf_view(&drawing.body));
    cake_buf_text(out, "</svg>\n");
  }
  cake_buf_fini(&drawing.body);
  return is_fine;
}
