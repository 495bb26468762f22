// Diagnostics of a document: those of all its chunks, notes as related information, codes with a place in the manual.
#include "agent-bridge/lsp/private.h"

void lsp_server_read(const LspServer *server, const LspDocument *document, LspChunk *chunk) {
  if (chunk->is_read) return;
  lsp_chunk_read(chunk, server->extensions,
                 server->allow_unregistered || lsp_text_allows_unregistered(lsp_document_text(document)));
}

static int severity_number(CakeSeverity severity) {
  static const int numbers[] = {[CAKE_ERROR] = 1, [CAKE_WARNING] = 2, [CAKE_REMARK] = 3, [CAKE_NOTE] = 4};
  return numbers[severity];
}

static void put_notes(CakeJson *json, const LspDocument *document, const LspChunk *chunk, const LspNote *notes) {
  cake_json_key(json, "relatedInformation");
  cake_json_begin_array(json);
  for (const LspNote *note = notes; note; note = note->next) {
    cake_json_begin_object(json);
    cake_json_key(json, "location");
    lsp_put_location(json, document, chunk, note->begin, note->end);
    lsp_put_key_str(json, "message", note->message);
    cake_json_end_object(json);
  }
  cake_json_end_array(json);
}

void lsp_put_diagnostic(CakeJson *json, const LspDocument *document, const LspChunk *chunk,
                        const LspDiagnostic *diagnostic) {
  CakeBuf message = {0};
  cake_buf_str(&message, diagnostic->message);
  if (diagnostic->fix.len) cake_buf_printf(&message, "\nfix: %.*s", CAKE_STR_ARG(diagnostic->fix));
  cake_json_begin_object(json);
  lsp_put_key_range(json, "range", lsp_document_range(document, chunk, diagnostic->begin, diagnostic->end));
  lsp_put_key_int(json, "severity", severity_number(diagnostic->severity));
  lsp_put_key_str(json, "code", cake_str(cake_code_name(diagnostic->code)));
  lsp_put_key_str(json, "source", CAKE_STR("cake"));
  lsp_put_key_str(json, "message", cake_buf_view(&message));
  if (diagnostic->notes) put_notes(json, document, chunk, diagnostic->notes);
  cake_json_end_object(json);
  cake_buf_fini(&message);
}

static CakeJson *begin(RpcWriter *writer, const LspDocument *document) {
  rpc_begin_notification(writer, "textDocument/publishDiagnostics");
  cake_json_begin_object(&writer->json);
  lsp_put_key_str(&writer->json, "uri", cake_buf_view(&document->uri));
  lsp_put_key_int(&writer->json, "version", document->version);
  cake_json_key(&writer->json, "diagnostics");
  cake_json_begin_array(&writer->json);
  return &writer->json;
}

static void end(LspServer *server, RpcWriter *writer) {
  cake_json_end_array(&writer->json);
  cake_json_end_object(&writer->json);
  rpc_send(&server->out, writer);
}

void lsp_publish(LspServer *server, LspDocument *document) {
  RpcWriter writer;
  CakeJson *json = begin(&writer, document);
  for (size_t i = 0; i < document->chunks.len; i++) {
    LspChunk *chunk = document->chunks.data[i];
    lsp_server_read(server, document, chunk);
    for (size_t k = 0; k < chunk->diagnostics.len; k++)
      lsp_put_diagnostic(json, document, chunk, &chunk->diagnostics.data[k]);
  }
  end(server, &writer);
  document->is_stale = false;
}

void lsp_publish_none(LspServer *server, const LspDocument *document) {
  RpcWriter writer;
  begin(&writer, document);
  end(server, &writer);
}
