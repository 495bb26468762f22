// Reading a chunk: parse, verify, keep what was reported.
#include "agent-bridge/lsp/private.h"

#include "cake/dialect_text.h"
#include "cake/dialects.h"
#include "cake/rewrites.h"

LspChunk *lsp_chunk_create(CakeStr text, uint32_t start) {
  CakeArena *arena = cake_arena_create();
  LspChunk *chunk = CAKE_ARENA_NEW(arena, LspChunk);
  chunk->arena = arena;
  chunk->start = start;
  cake_buf_reserve(&chunk->text, text.len);
  cake_buf_str(&chunk->text, text);
  return chunk;
}

void lsp_chunk_destroy(LspChunk *chunk) {
  if (chunk->context) cake_context_destroy(chunk->context);
  lsp_index_fini(&chunk->index);
  CAKE_VEC_FINI(&chunk->diagnostics);
  CAKE_VEC_FINI(&chunk->lines);
  cake_buf_fini(&chunk->text);
  cake_arena_destroy(chunk->arena); // the chunk is in it
}

bool lsp_text_allows_unregistered(CakeStr text) {
  static const char option[] = "-allow-unregistered-dialect";
  size_t at = 0;
  while (at < text.len) {
    const char *newline = memchr(text.ptr + at, '\n', text.len - at);
    size_t end = newline ? (size_t)(newline - text.ptr) : text.len;
    CakeBuf line = {0};
    cake_buf_append(&line, text.ptr + at, end - at);
    bool found = strstr(line.data, "RUN:") && strstr(line.data, option);
    cake_buf_fini(&line);
    if (found) return true;
    at = end + 1;
    if (at < text.len && text.ptr[at] != '/' && text.ptr[at] != '\n') break; // RUN lines stand first
  }
  return false;
}

// ---- Diagnostics -----------------------------------------------------------------------------------------------------

uint32_t lsp_loc_offset(const LspChunk *chunk, CakeLoc loc) {
  CakeStr file, text = lsp_chunk_text(chunk);
  uint32_t line, column;
  if (!cake_loc_find_file(chunk->context, loc, &file, &line, &column) || file.len != 0) return LSP_NONE;
  if (line == 0 || line > chunk->lines.len) return LSP_NONE;
  uint64_t at = (uint64_t)chunk->lines.data[line - 1] + (column ? column - 1 : 0);
  return at <= text.len ? (uint32_t)at : LSP_NONE;
}

// The token at a reported place; a place without one is one character, or the end of the text.
static void range_of(const LspChunk *chunk, CakeLoc loc, uint32_t *out_begin, uint32_t *out_end) {
  uint32_t at = lsp_loc_offset(chunk, loc);
  *out_begin = *out_end = at == LSP_NONE ? 0 : at;
  if (at == LSP_NONE || at >= chunk->text.len) return;
  size_t end = at;
  CakeStr token;
  cake_token_next(lsp_chunk_text(chunk), &end, &token);
  bool is_here = token.ptr == chunk->text.data + at;
  *out_end = is_here ? (uint32_t)end : at + 1;
}

static CakeEdit *keep_edits(const LspChunk *chunk, const CakeEdit *edits) {
  CakeEdit *first = NULL, **end = &first;
  for (; edits; edits = edits->next) {
    *end = CAKE_ARENA_NEW(chunk->arena, CakeEdit);
    **end = *edits;
    (*end)->text = cake_arena_str(chunk->arena, edits->text);
    (*end)->old = cake_arena_str(chunk->arena, edits->old);
    (*end)->next = NULL;
    end = &(*end)->next;
  }
  return first;
}

static void keep(void *user, const CakeDiagnostic *diagnostic) {
  LspChunk *chunk = user;
  LspDiagnostic kept = {.severity = diagnostic->severity,
                        .code = diagnostic->code,
                        .message = cake_arena_str(chunk->arena, diagnostic->message),
                        .fix = cake_arena_str(chunk->arena, diagnostic->fix)};
  kept.edits = keep_edits(chunk, diagnostic->first_edit);
  range_of(chunk, diagnostic->loc, &kept.begin, &kept.end);
  LspNote **end = &kept.notes;
  for (const CakeDiagnostic *from = diagnostic->first_note; from; from = from->next) {
    LspNote *note = CAKE_ARENA_NEW(chunk->arena, LspNote);
    note->message = cake_arena_str(chunk->arena, from->message);
    range_of(chunk, from->loc, &note->begin, &note->end);
    *end = note;
    end = &note->next;
  }
  CAKE_PUSH(&chunk->diagnostics, kept);
}

// ---- Dialects and rewrites -------------------------------------------------------------------------------------------

typedef enum TextKind { TEXT_MODULE, TEXT_DIALECTS, TEXT_REWRITES } TextKind;

// By the first words: `dialect @…`, `rewrite @…`.
static TextKind kind_of(CakeStr text) {
  size_t at = 0;
  CakeStr word, name;
  if (cake_token_next(text, &at, &word) != CAKE_TOK_BARE || cake_token_next(text, &at, &name) != CAKE_TOK_AT)
    return TEXT_MODULE;
  if (cake_str_is(word, "dialect")) return TEXT_DIALECTS;
  return cake_str_is(word, "rewrite") || cake_str_is(word, "rewrites") ? TEXT_REWRITES : TEXT_MODULE;
}

static void read_definitions(LspChunk *chunk, TextKind kind) {
  chunk->is_definitions = true;
  if (kind == TEXT_DIALECTS)
    (void)!cake_dialects_load(chunk->context, CAKE_STR(""), lsp_chunk_text(chunk));
  else
    (void)!cake_rewrites_load(chunk->context, CAKE_STR(""), lsp_chunk_text(chunk));
}

// ---- Reading ---------------------------------------------------------------------------------------------------------

void lsp_chunk_read(LspChunk *chunk, const LspExtensions *extensions, bool allow_unregistered) {
  if (chunk->is_read) return;
  chunk->is_read = true;
  CakeStr text = lsp_chunk_text(chunk);
  lsp_lines_set(&chunk->lines, text);
  chunk->context = cake_context_create();
  TextKind kind = kind_of(text);
  if (kind == TEXT_DIALECTS) // it may be one that was loaded
    cake_register_all_dialects(chunk->context);
  else
    extensions->enter(extensions->user, chunk->context);
  cake_context_allow_unregistered(chunk->context, allow_unregistered);
  cake_context_set_handler(chunk->context, keep, chunk, NULL, NULL);
  if (kind != TEXT_MODULE) {
    read_definitions(chunk, kind);
    return;
  }
  CakeRecorder recorder;
  LspRecording *recording = lsp_recording_create(chunk, &recorder);
  chunk->module = cake_parse_recorded_module(chunk->context, CAKE_STR(""), text, &recorder);
  lsp_recording_finish(recording);
  if (chunk->module) (void)!extensions->verify(extensions->user, chunk->module);
}
