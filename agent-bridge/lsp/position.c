// Offsets in bytes and the protocol's positions: lines, and UTF-16 units in a line. Lines end with \n, \r\n or \r.
#include "agent-bridge/lsp/private.h"

void lsp_lines_set(LspLines *lines, CakeStr text) {
  lines->len = 0;
  CAKE_PUSH(lines, 0);
  for (size_t i = 0; i < text.len; i++) {
    bool is_end = text.ptr[i] == '\n' || (text.ptr[i] == '\r' && (i + 1 == text.len || text.ptr[i + 1] != '\n'));
    if (is_end) CAKE_PUSH(lines, (uint32_t)i + 1);
  }
}

// Bytes of the character at `at`; a byte that begins none counts alone.
static uint32_t char_bytes(CakeStr text, uint32_t at) {
  unsigned char c = (unsigned char)text.ptr[at];
  uint32_t bytes = c < 0xc0 ? 1 : c < 0xe0 ? 2 : c < 0xf0 ? 3 : 4;
  return at + bytes <= text.len ? bytes : 1;
}

static uint32_t line_end(CakeStr text, const LspLines *lines, uint32_t line) {
  uint32_t end = line + 1 < lines->len ? lines->data[line + 1] : (uint32_t)text.len;
  uint32_t start = lines->data[line];
  while (end > start && (text.ptr[end - 1] == '\n' || text.ptr[end - 1] == '\r'))
    end--;
  return end;
}

uint32_t lsp_offset_of(CakeStr text, const LspLines *lines, LspPosition position) {
  if (position.line >= lines->len) return (uint32_t)text.len;
  uint32_t at = lines->data[position.line], end = line_end(text, lines, position.line);
  for (uint32_t units = 0; at < end && units < position.character;) {
    uint32_t bytes = char_bytes(text, at);
    units += bytes == 4 ? 2 : 1;
    at += bytes;
  }
  return at < end ? at : end;
}

LspPosition lsp_position_of(CakeStr text, const LspLines *lines, uint32_t offset) {
  if (offset > text.len) offset = (uint32_t)text.len;
  uint32_t low = 0, high = (uint32_t)lines->len;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (lines->data[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  LspPosition position = {low, 0};
  for (uint32_t at = lines->data[low]; at < offset;) {
    uint32_t bytes = char_bytes(text, at);
    position.character += bytes == 4 ? 2 : 1;
    at += bytes;
  }
  return position;
}
