// Reading parameters. What is missing or wrong fails the call with "invalid params".
#include "agent-bridge/lsp/private.h"

LspDocument *lsp_server_find(const LspServer *server, CakeStr uri) {
  LspDocument *document = server->documents;
  while (document && !cake_str_equal(cake_buf_view(&document->uri), uri))
    document = document->next;
  return document;
}

bool lsp_param_str(LspCall *call, const json_t *object, const char *key, CakeStr *out) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_string(value)) {
    lsp_fail(call, RPC_INVALID_PARAMS, "'%s' must be a string", key);
    return false;
  }
  *out = (CakeStr){json_string_value(value), json_string_length(value)};
  return true;
}

bool lsp_param_document(LspCall *call, LspDocument **out) {
  CakeStr uri;
  if (!lsp_param_str(call, json_object_get(call->message->params, "textDocument"), "uri", &uri)) return false;
  *out = lsp_server_find(call->server, uri);
  if (!*out) lsp_fail(call, RPC_INVALID_PARAMS, "the document '%.*s' is not open", CAKE_STR_ARG(uri));
  return *out != NULL;
}

static bool read_number(LspCall *call, const json_t *object, const char *key, uint32_t *out) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_integer(value) || json_integer_value(value) < 0) {
    lsp_fail(call, RPC_INVALID_PARAMS, "'%s' of a position must be a number from 0 on", key);
    return false;
  }
  json_int_t number = json_integer_value(value);
  *out = number > INT32_MAX ? INT32_MAX : (uint32_t)number;
  return true;
}

static bool read_position(LspCall *call, const json_t *object, LspPosition *out) {
  return read_number(call, object, "line", &out->line) && read_number(call, object, "character", &out->character);
}

bool lsp_param_range(LspCall *call, const json_t *range, LspRange *out) {
  return read_position(call, json_object_get(range, "start"), &out->start) &&
         read_position(call, json_object_get(range, "end"), &out->end);
}

bool lsp_param_place(LspCall *call, LspPlace *out) {
  LspPosition position;
  if (!lsp_param_document(call, &out->document) ||
      !read_position(call, json_object_get(call->message->params, "position"), &position))
    return false;
  CakeStr text = lsp_document_text(out->document);
  uint32_t offset = lsp_offset_of(text, &out->document->lines, position);
  out->chunk = lsp_document_chunk_at(out->document, offset, &out->at);
  lsp_server_read(call->server, out->document, out->chunk);
  return true;
}
