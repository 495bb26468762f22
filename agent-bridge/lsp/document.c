// Documents: their text as the client edits it, and the chunks that it falls into.
#include "agent-bridge/lsp/private.h"

// ---- Text ------------------------------------------------------------------------------------------------------------

LspDocument *lsp_document_create(CakeStr uri, CakeStr text, int64_t version) {
  CakeArena *arena = cake_arena_create();
  LspDocument *document = CAKE_ARENA_NEW(arena, LspDocument);
  document->arena = arena;
  cake_buf_str(&document->uri, uri);
  document->version = version;
  lsp_document_edit(document, NULL, text);
  lsp_document_split(document);
  return document;
}

static void destroy_chunks(LspChunk **chunks, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (chunks[i]) lsp_chunk_destroy(chunks[i]);
}

void lsp_document_destroy(LspDocument *document) {
  destroy_chunks(document->chunks.data, document->chunks.len);
  CAKE_VEC_FINI(&document->chunks);
  CAKE_VEC_FINI(&document->lines);
  cake_buf_fini(&document->uri);
  cake_buf_fini(&document->text);
  cake_arena_destroy(document->arena); // the document is in it
}

void lsp_document_edit(LspDocument *document, const LspRange *range, CakeStr text) {
  CakeStr old = lsp_document_text(document);
  uint32_t begin = range ? lsp_offset_of(old, &document->lines, range->start) : 0;
  uint32_t end = range ? lsp_offset_of(old, &document->lines, range->end) : (uint32_t)old.len;
  if (end < begin) end = begin;
  CakeBuf edited = {0};
  cake_buf_reserve(&edited, begin + text.len + old.len - end);
  cake_buf_append(&edited, old.ptr, begin);
  cake_buf_str(&edited, text);
  cake_buf_append(&edited, old.ptr + end, old.len - end);
  cake_buf_fini(&document->text);
  document->text = edited;
  lsp_lines_set(&document->lines, lsp_document_text(document));
  document->is_stale = true;
}

// ---- Chunks ------------------------------------------------------------------------------------------------------------

static bool is_separator(CakeStr line) {
  while (line.len &&
         (line.ptr[line.len - 1] == ' ' || line.ptr[line.len - 1] == '\r' || line.ptr[line.len - 1] == '\n'))
    line.len--;
  return cake_str_is(line, "// -----");
}

static CakeStr line_of(const LspDocument *document, size_t line) {
  CakeStr text = lsp_document_text(document);
  uint32_t begin = document->lines.data[line];
  size_t end = line + 1 < document->lines.len ? document->lines.data[line + 1] : text.len;
  return (CakeStr){text.ptr + begin, end - begin};
}

// The chunk of that text among those of before, taken out of them; a new one when there is none.
static LspChunk *take_chunk(LspChunk **old, size_t n_old, CakeStr text, uint32_t start) {
  for (size_t i = 0; i < n_old; i++) {
    LspChunk *chunk = old[i];
    if (!chunk || !cake_str_equal(lsp_chunk_text(chunk), text)) continue;
    old[i] = NULL;
    chunk->start = start;
    return chunk;
  }
  return lsp_chunk_create(text, start);
}

void lsp_document_split(LspDocument *document) {
  CakeStr text = lsp_document_text(document);
  LspChunk **old = document->chunks.data;
  size_t n_old = document->chunks.len;
  document->chunks.data = NULL;
  document->chunks.len = document->chunks.capacity = 0;
  uint32_t start = 0;
  for (size_t line = 0; line <= document->lines.len; line++) {
    bool is_last = line == document->lines.len;
    if (!is_last && !is_separator(line_of(document, line))) continue;
    uint32_t end = is_last ? (uint32_t)text.len : document->lines.data[line];
    CAKE_PUSH(&document->chunks, take_chunk(old, n_old, (CakeStr){text.ptr + start, end - start}, start));
    if (!is_last) start = end + (uint32_t)line_of(document, line).len;
  }
  destroy_chunks(old, n_old);
  cake_mem_free(old);
}

LspChunk *lsp_document_chunk_at(LspDocument *document, uint32_t offset, uint32_t *out_at) {
  LspChunk *found = document->chunks.data[0];
  for (size_t i = 0; i < document->chunks.len; i++)
    if (document->chunks.data[i]->start <= offset) found = document->chunks.data[i];
  uint32_t at = offset - found->start;
  *out_at = at < found->text.len ? at : (uint32_t)found->text.len; // on the separator behind it: at its end
  return found;
}

LspRange lsp_document_range(const LspDocument *document, const LspChunk *chunk, uint32_t begin, uint32_t end) {
  CakeStr text = lsp_document_text(document);
  return (LspRange){lsp_position_of(text, &document->lines, chunk->start + begin),
                    lsp_position_of(text, &document->lines, chunk->start + end)};
}
