// Writing the protocol's common values.
#include "agent-bridge/lsp/private.h"

void lsp_put_key_str(CakeJson *json, const char *key, CakeStr text) {
  cake_json_key(json, key);
  cake_json_str(json, text);
}

void lsp_put_key_int(CakeJson *json, const char *key, int64_t value) {
  cake_json_key(json, key);
  cake_json_int(json, value);
}

static void put_position(CakeJson *json, const char *key, LspPosition position) {
  cake_json_key(json, key);
  cake_json_begin_object(json);
  lsp_put_key_int(json, "line", position.line);
  lsp_put_key_int(json, "character", position.character);
  cake_json_end_object(json);
}

void lsp_put_range(CakeJson *json, LspRange range) {
  cake_json_begin_object(json);
  put_position(json, "start", range.start);
  put_position(json, "end", range.end);
  cake_json_end_object(json);
}

void lsp_put_key_range(CakeJson *json, const char *key, LspRange range) {
  cake_json_key(json, key);
  lsp_put_range(json, range);
}

void lsp_put_location(CakeJson *json, const LspDocument *document, const LspChunk *chunk, uint32_t begin,
                      uint32_t end) {
  cake_json_begin_object(json);
  lsp_put_key_str(json, "uri", cake_buf_view(&document->uri));
  lsp_put_key_range(json, "range", lsp_document_range(document, chunk, begin, end));
  cake_json_end_object(json);
}

void lsp_put_edit(CakeJson *json, LspRange range, CakeStr text) {
  cake_json_begin_object(json);
  lsp_put_key_range(json, "range", range);
  lsp_put_key_str(json, "newText", text);
  cake_json_end_object(json);
}

void lsp_begin_workspace_edit(CakeJson *json, const LspDocument *document) {
  cake_json_begin_object(json);
  cake_json_key(json, "changes");
  cake_json_begin_object(json);
  cake_json_key(json, cake_buf_view(&document->uri).ptr);
  cake_json_begin_array(json);
}

void lsp_end_workspace_edit(CakeJson *json) {
  cake_json_end_array(json);
  cake_json_end_object(json);
  cake_json_end_object(json);
}
