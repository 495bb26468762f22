// Code actions: the fixes of diagnostics that are edits. An edit is offered only if the text that it makes was read again and
// has fewer diagnostics.
#include "agent-bridge/lsp/private.h"

// The lines in which two texts differ, as one edit.
static void put_difference(CakeJson *json, const LspDocument *document, const LspChunk *chunk, CakeStr after) {
  CakeStr before = lsp_chunk_text(chunk);
  size_t begin = 0, tail = 0, least = before.len < after.len ? before.len : after.len;
  while (begin < least && before.ptr[begin] == after.ptr[begin])
    begin++;
  while (begin > 0 && before.ptr[begin - 1] != '\n')
    begin--;
  while (tail < least - begin && before.ptr[before.len - 1 - tail] == after.ptr[after.len - 1 - tail])
    tail++;
  while (tail > 0 && before.ptr[before.len - tail] != '\n')
    tail--;
  LspRange range = lsp_document_range(document, chunk, (uint32_t)begin, (uint32_t)(before.len - tail));
  lsp_put_edit(json, range, (CakeStr){after.ptr + begin, after.len - begin - tail});
}

static bool is_better(const LspServer *server, const LspDocument *document, const LspChunk *chunk, CakeStr after) {
  LspChunk *changed = lsp_chunk_create(after, 0);
  lsp_server_read(server, document, changed);
  bool ok = changed->module && changed->diagnostics.len < chunk->diagnostics.len;
  lsp_chunk_destroy(changed);
  return ok;
}

static void put_action(CakeJson *json, const LspDocument *document, const LspChunk *chunk,
                       const LspDiagnostic *diagnostic, CakeStr after) {
  cake_json_begin_object(json);
  lsp_put_key_str(json, "title", diagnostic->fix);
  lsp_put_key_str(json, "kind", CAKE_STR("quickfix"));
  cake_json_key(json, "isPreferred");
  cake_json_bool(json, true);
  cake_json_key(json, "diagnostics");
  cake_json_begin_array(json);
  lsp_put_diagnostic(json, document, chunk, diagnostic);
  cake_json_end_array(json);
  cake_json_key(json, "edit");
  lsp_begin_workspace_edit(json, document);
  put_difference(json, document, chunk, after);
  lsp_end_workspace_edit(json);
  cake_json_end_object(json);
}

static void offer(LspCall *call, const LspDocument *document, const LspChunk *chunk, const LspDiagnostic *diagnostic) {
  CakeBuf after = {0};
  bool ok = cake_edits_apply(chunk->context, CAKE_STR(""), lsp_chunk_text(chunk), diagnostic->edits, &after) &&
            is_better(call->server, document, chunk, cake_buf_view(&after));
  if (ok) put_action(&call->writer.json, document, chunk, diagnostic, cake_buf_view(&after));
  cake_buf_fini(&after);
}

static bool wants_fixes(const json_t *params) {
  const json_t *only = json_object_get(json_object_get(params, "context"), "only");
  if (!json_is_array(only)) return true;
  for (size_t i = 0; i < json_array_size(only); i++) {
    const char *kind = json_string_value(json_array_get(only, i));
    if (kind && (!*kind || strcmp(kind, "quickfix") == 0)) return true;
  }
  return false;
}

void lsp_code_action(LspCall *call) {
  LspDocument *document;
  LspRange range;
  const json_t *params = call->message->params;
  if (!lsp_param_document(call, &document) || !lsp_param_range(call, json_object_get(params, "range"), &range)) return;
  CakeStr text = lsp_document_text(document);
  uint32_t begin = lsp_offset_of(text, &document->lines, range.start);
  uint32_t end = lsp_offset_of(text, &document->lines, range.end);
  cake_json_begin_array(lsp_answer(call));
  for (size_t i = 0; wants_fixes(params) && i < document->chunks.len; i++) {
    LspChunk *chunk = document->chunks.data[i];
    if (chunk->start > end || chunk->start + chunk->text.len < begin) continue;
    lsp_server_read(call->server, document, chunk);
    for (size_t k = 0; k < chunk->diagnostics.len; k++) {
      const LspDiagnostic *diagnostic = &chunk->diagnostics.data[k];
      bool touches = chunk->start + diagnostic->begin <= end && chunk->start + diagnostic->end >= begin;
      if (touches && diagnostic->edits) offer(call, document, chunk, diagnostic);
    }
  }
  cake_json_end_array(&call->writer.json);
}
