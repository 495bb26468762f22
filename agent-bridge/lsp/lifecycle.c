// initialize, shutdown, exit; opening, changing and closing documents.
#include "agent-bridge/lsp/private.h"

static void put_flag(CakeJson *json, const char *key) {
  cake_json_key(json, key);
  cake_json_bool(json, true);
}

static void put_completion(CakeJson *json) {
  cake_json_key(json, "completionProvider");
  cake_json_begin_object(json);
  cake_json_key(json, "triggerCharacters");
  cake_json_begin_array(json);
  for (const char *c = ".%@!#^"; *c; c++)
    cake_json_str(json, (CakeStr){c, 1});
  cake_json_end_array(json);
  cake_json_end_object(json);
}

static void put_sync(CakeJson *json) {
  enum { INCREMENTAL = 2 };
  cake_json_key(json, "textDocumentSync");
  cake_json_begin_object(json);
  put_flag(json, "openClose");
  lsp_put_key_int(json, "change", INCREMENTAL);
  cake_json_end_object(json);
}

static void put_capabilities(CakeJson *json) {
  cake_json_begin_object(json);
  lsp_put_key_str(json, "positionEncoding", CAKE_STR("utf-16"));
  put_sync(json);
  put_completion(json);
  put_flag(json, "hoverProvider");
  put_flag(json, "definitionProvider");
  put_flag(json, "referencesProvider");
  put_flag(json, "documentHighlightProvider");
  put_flag(json, "documentSymbolProvider");
  put_flag(json, "documentFormattingProvider");
  put_flag(json, "documentRangeFormattingProvider");
  put_flag(json, "foldingRangeProvider");
  lsp_put_semantic_capability(json);
  cake_json_key(json, "renameProvider");
  cake_json_begin_object(json);
  put_flag(json, "prepareProvider");
  cake_json_end_object(json);
  cake_json_key(json, "codeActionProvider");
  cake_json_begin_object(json);
  cake_json_key(json, "codeActionKinds");
  cake_json_begin_array(json);
  cake_json_str(json, CAKE_STR("quickfix"));
  cake_json_end_array(json);
  cake_json_end_object(json);
  cake_json_end_object(json);
}

void lsp_initialize(LspCall *call) {
  const json_t *options = json_object_get(call->message->params, "initializationOptions");
  call->server->is_initialized = true;
  call->server->allow_unregistered = json_is_true(json_object_get(options, "allowUnregisteredDialect"));
  CakeJson *json = lsp_answer(call);
  cake_json_begin_object(json);
  cake_json_key(json, "capabilities");
  put_capabilities(json);
  cake_json_key(json, "serverInfo");
  cake_json_begin_object(json);
  lsp_put_key_str(json, "name", CAKE_STR("cake-lsp"));
  lsp_put_key_str(json, "version", cake_str(call->server->version));
  cake_json_end_object(json);
  cake_json_end_object(json);
}

void lsp_initialized(LspCall *call) {
  (void)call;
}

void lsp_shutdown(LspCall *call) {
  call->server->is_shut_down = true;
}

void lsp_exit(LspCall *call) {
  call->server->is_done = true;
}

// ---- Documents -------------------------------------------------------------------------------------------------------

static void close_document(LspServer *server, const LspDocument *document) {
  for (LspDocument **link = &server->documents; *link; link = &(*link)->next) {
    if (*link != document) continue;
    LspDocument *found = *link;
    *link = found->next;
    lsp_document_destroy(found);
    return;
  }
}

void lsp_did_open(LspCall *call) {
  LspServer *server = call->server;
  const json_t *item = json_object_get(call->message->params, "textDocument");
  CakeStr uri, text;
  if (!lsp_param_str(call, item, "uri", &uri) || !lsp_param_str(call, item, "text", &text)) return;
  LspDocument *old = lsp_server_find(server, uri);
  if (old) close_document(server, old);
  LspDocument *document = lsp_document_create(uri, text, json_integer_value(json_object_get(item, "version")));
  document->next = server->documents;
  server->documents = document;
}

// A change that makes no sense ends the list: the client's text is not known any more.
static bool apply(LspCall *call, LspDocument *document, const json_t *change) {
  const json_t *where = json_object_get(change, "range");
  CakeStr text;
  LspRange range;
  if (!lsp_param_str(call, change, "text", &text)) return false;
  if (where && !json_is_null(where) && !lsp_param_range(call, where, &range)) return false;
  lsp_document_edit(document, where && !json_is_null(where) ? &range : NULL, text);
  return true;
}

void lsp_did_change(LspCall *call) {
  LspDocument *document;
  if (!lsp_param_document(call, &document)) return;
  const json_t *changes = json_object_get(call->message->params, "contentChanges");
  const json_t *item = json_object_get(call->message->params, "textDocument");
  document->version = json_integer_value(json_object_get(item, "version"));
  bool ok = true;
  for (size_t i = 0; ok && i < json_array_size(changes); i++)
    ok = apply(call, document, json_array_get(changes, i));
  lsp_document_split(document);
}

void lsp_did_close(LspCall *call) {
  LspDocument *document;
  if (!lsp_param_document(call, &document)) return;
  lsp_publish_none(call->server, document);
  close_document(call->server, document);
}
