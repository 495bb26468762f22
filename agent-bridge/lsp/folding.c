// Folding: what stands between braces on several lines, and comments of several lines.
#include "agent-bridge/lsp/private.h"

static void put_fold(CakeJson *json, uint32_t first, uint32_t last, const char *kind) {
  cake_json_begin_object(json);
  lsp_put_key_int(json, "startLine", first);
  lsp_put_key_int(json, "endLine", last);
  if (kind) lsp_put_key_str(json, "kind", cake_str(kind));
  cake_json_end_object(json);
}

static uint32_t line_of(const LspDocument *document, const LspChunk *chunk, uint32_t at) {
  return lsp_document_range(document, chunk, at, at).start.line;
}

// The line of the closing brace stays in sight.
static void put_braces(CakeJson *json, const LspDocument *document, const LspChunk *chunk) {
  CAKE_VEC(uint32_t) open = {0};
  for (size_t i = 0; i < chunk->index.tokens.len; i++) {
    const LspToken *token = &chunk->index.tokens.data[i];
    if (token->kind == CAKE_TOK_LBRACE) CAKE_PUSH(&open, line_of(document, chunk, token->begin));
    if (token->kind != CAKE_TOK_RBRACE || !open.len) continue;
    uint32_t first = open.data[--open.len], last = line_of(document, chunk, token->begin);
    if (last > first + 1) put_fold(json, first, last - 1, NULL);
  }
  CAKE_VEC_FINI(&open);
}

static bool is_comment(CakeStr text, uint32_t at) {
  while (at < text.len && (text.ptr[at] == ' ' || text.ptr[at] == '\t'))
    at++;
  return at + 1 < text.len && text.ptr[at] == '/' && text.ptr[at + 1] == '/';
}

static void put_comments(CakeJson *json, const LspDocument *document) {
  CakeStr text = lsp_document_text(document);
  for (uint32_t line = 0; line < document->lines.len;) {
    uint32_t first = line;
    while (line < document->lines.len && is_comment(text, document->lines.data[line]))
      line++;
    if (line > first + 1) put_fold(json, first, line - 1, "comment");
    line += line == first;
  }
}

void lsp_folding_range(LspCall *call) {
  LspDocument *document;
  if (!lsp_param_document(call, &document)) return;
  for (size_t i = 0; i < document->chunks.len; i++)
    lsp_server_read(call->server, document, document->chunks.data[i]);
  CakeJson *json = lsp_answer(call);
  cake_json_begin_array(json);
  for (size_t i = 0; i < document->chunks.len; i++)
    put_braces(json, document, document->chunks.data[i]);
  put_comments(json, document);
  cake_json_end_array(json);
}
