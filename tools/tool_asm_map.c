// --emit=asm-map: every line of the source beside the PTX and the SASS that came from it.
//
// PTX says by `.loc` which line an instruction came from, SASS by the comments of `nvdisasm -g`. Instructions keep their own numbers, PTX its
// lines and SASS its addresses, so that one can find them in program order again.
#include <stdlib.h>
#include <string.h>

#include "tools/tool_sass.h"

typedef struct AsmMap {
  CakeAsmListing ptx, sass;
  bool has_sass;
} AsmMap;

enum { SOURCE_WIDTH = 64, CODE_WIDTH = 76 };

// ---- Reading ---------------------------------------------------------------------------------------------------------

// `.loc FILE LINE COLUMN`; line 0 means that the instruction belongs to no line.
static uint32_t loc_line(CakeStr line) {
  char *end;
  (void)strtoul(line.ptr + 4, &end, 10);
  return (uint32_t)strtoul(end, NULL, 10);
}

// What is an instruction of a function's body: no directive, label, comment or brace.
static bool is_instruction(CakeStr line) {
  return line.len > 1 && !strchr(".$/{}()", line.ptr[0]) && line.ptr[line.len - 1] == ';';
}

static void read_ptx(CakeStr text, CakeAsmListing *out) {
  CakeStr line;
  uint32_t source = 0;
  bool is_inside = false;
  for (size_t number = 1; cake_asm_next_line(&text, &line); number++) {
    if (cake_str_is(line, "{")) is_inside = true;
    if (cake_str_starts_with(line, ".loc")) source = loc_line(line);
    if (is_inside && is_instruction(line)) CAKE_PUSH(out, (CakeAsmInstruction){line, number, source});
  }
}

// ---- Writing ---------------------------------------------------------------------------------------------------------

// Text cut or filled to a width, with tabs as blanks.
static void write_cell(CakeStr text, size_t width, CakeBuf *out) {
  for (size_t i = 0; i < width; i++) {
    char c = i < text.len ? text.ptr[i] : ' ';
    cake_buf_char(out, c == '\t' ? ' ' : i + 1 == width && text.len > width ? '>' : c);
  }
}

// The next instruction of a line from *at on; NULL when there is none.
static const CakeAsmInstruction *next_of(const CakeAsmListing *listing, uint32_t line, size_t *at) {
  while (*at < listing->len && listing->data[*at].line != line)
    ++*at;
  return *at < listing->len ? &listing->data[(*at)++] : NULL;
}

static void write_code(const CakeAsmInstruction *instruction, const char *format, CakeBuf *out) {
  CakeBuf text = {0};
  if (instruction) cake_buf_printf(&text, format, instruction->number);
  if (instruction) cake_buf_str(&text, instruction->text);
  write_cell(cake_buf_view(&text), CODE_WIDTH, out);
  cake_buf_fini(&text);
}

static void end_row(CakeBuf *out) {
  while (out->len && out->data[out->len - 1] == ' ')
    out->len--;
  cake_buf_char(out, '\n');
}

// One line of the source, and below each other what came from it.
static void write_line(const AsmMap *map, uint32_t line, CakeStr source, CakeBuf *out) {
  size_t at_ptx = 0, at_sass = 0;
  for (bool is_first = true;; is_first = false) {
    const CakeAsmInstruction *ptx = next_of(&map->ptx, line, &at_ptx), *sass = next_of(&map->sass, line, &at_sass);
    if (!is_first && !ptx && !sass) return;
    if (is_first && line)
      cake_buf_printf(out, "%4u ", (unsigned)line);
    else
      cake_buf_text(out, "     ");
    write_cell(is_first ? source : CAKE_STR(""), SOURCE_WIDTH, out);
    cake_buf_text(out, " | ");
    write_code(ptx, "%4zu ", out);
    if (map->has_sass) {
      cake_buf_text(out, " | ");
      write_code(sass, "%04zx ", out);
    }
    end_row(out);
  }
}

static void write_map(const AsmMap *map, CakeStr source, CakeBuf *out) {
  cake_buf_text(out, "     ");
  write_cell(CAKE_STR("Cake"), SOURCE_WIDTH, out);
  cake_buf_text(out, " | ");
  write_cell(CAKE_STR("PTX, by its lines"), CODE_WIDTH, out);
  if (map->has_sass) cake_buf_text(out, " | SASS, by its addresses");
  end_row(out);
  uint32_t line = 1;
  for (const char *at = source.ptr, *end = source.ptr + source.len; at < end; line++) {
    const char *newline = memchr(at, '\n', (size_t)(end - at));
    size_t len = newline ? (size_t)(newline - at) : (size_t)(end - at);
    write_line(map, line, (CakeStr){at, len}, out);
    at += len + 1;
  }
  write_line(map, 0, CAKE_STR("(of no line)"), out);
}

bool cake_tool_emit_asm_map(CakeTool *tool, CakeOp *gpu_module, const char *target, CakeBuf *out) {
  CakeBuf ptx = {0}, sass = {0};
  AsmMap map = {0};
  CakeOp *func = cake_tool_func(tool, gpu_module);
  bool is_fine = func && cake_tool_emit_ptx(tool, gpu_module, target, true, &ptx) &&
                 cake_tool_sass(tool, func, cake_buf_view(&ptx), target, &sass, &map.sass, &map.has_sass);
  if (is_fine) {
    read_ptx(cake_buf_view(&ptx), &map.ptx);
    write_map(&map, cake_buf_view(&tool->text), out);
  }
  CAKE_VEC_FINI(&map.ptx);
  CAKE_VEC_FINI(&map.sass);
  cake_buf_fini(&ptx);
  cake_buf_fini(&sass);
  return is_fine;
}
