// Messages of JSON-RPC: reading one, and writing answers and notifications.
#include "agent-bridge/rpc/rpc.h"

static bool refuse(RpcCode code, const char *reason, RpcCode *out_code, CakeBuf *out_reason) {
  *out_code = code;
  cake_buf_text(out_reason, reason);
  return false;
}

static bool is_id(const json_t *id) {
  return json_is_string(id) || json_is_integer(id);
}

static bool take_members(RpcMessage *message, RpcCode *out_code, CakeBuf *out_reason) {
  const json_t *root = message->root, *id = json_object_get(root, "id"), *method = json_object_get(root, "method");
  const json_t *version = json_object_get(root, "jsonrpc");
  if (is_id(id)) message->id = id;
  if (!json_is_string(version) || strcmp(json_string_value(version), "2.0") != 0)
    return refuse(RPC_INVALID_REQUEST, "\"jsonrpc\" must be \"2.0\"", out_code, out_reason);
  bool is_answer = !method && (json_object_get(root, "result") || json_object_get(root, "error"));
  if (id && !message->id && !(is_answer && json_is_null(id)))
    return refuse(RPC_INVALID_REQUEST, "\"id\" must be a string or an integer", out_code, out_reason);
  if (is_answer) return true;
  if (!json_is_string(method)) return refuse(RPC_INVALID_REQUEST, "\"method\" must be a string", out_code, out_reason);
  message->method = json_string_value(method);
  const json_t *params = json_object_get(root, "params");
  if (json_is_object(params) || json_is_array(params))
    message->params = params;
  else if (params && !json_is_null(params))
    return refuse(RPC_INVALID_REQUEST, "\"params\" must be an object or an array", out_code, out_reason);
  return true;
}

bool rpc_message_parse(CakeStr body, RpcMessage *out, RpcCode *out_code, CakeBuf *out_reason) {
  *out = (RpcMessage){0};
  json_error_t error;
  out->root = json_loadb(body.ptr, body.len, JSON_ALLOW_NUL | JSON_DECODE_ANY, &error);
  if (!out->root) {
    *out_code = RPC_PARSE_ERROR;
    cake_buf_printf(out_reason, "the message is not JSON: line %d, column %d: %s", error.line, error.column,
                    error.text);
    return false;
  }
  if (json_is_array(out->root))
    return refuse(RPC_INVALID_REQUEST, "batches of messages are not supported", out_code, out_reason);
  if (!json_is_object(out->root))
    return refuse(RPC_INVALID_REQUEST, "a message must be an object", out_code, out_reason);
  return take_members(out, out_code, out_reason);
}

void rpc_message_fini(RpcMessage *message) {
  json_decref(message->root);
  *message = (RpcMessage){0};
}

// ---- Writing -------------------------------------------------------------------------------------------------------

static void begin(RpcWriter *writer) {
  writer->body = (CakeBuf){0};
  writer->json = cake_json(&writer->body);
  cake_json_begin_object(&writer->json);
  cake_json_key(&writer->json, "jsonrpc");
  cake_json_str(&writer->json, CAKE_STR("2.0"));
}

static void put_id(CakeJson *json, const json_t *id) {
  cake_json_key(json, "id");
  if (json_is_string(id))
    cake_json_str(json, (CakeStr){json_string_value(id), json_string_length(id)});
  else if (json_is_integer(id))
    cake_json_int(json, json_integer_value(id));
  else
    cake_json_null(json);
}

void rpc_begin_result(RpcWriter *writer, const json_t *id) {
  begin(writer);
  put_id(&writer->json, id);
  cake_json_key(&writer->json, "result");
}

void rpc_begin_notification(RpcWriter *writer, const char *method) {
  begin(writer);
  cake_json_key(&writer->json, "method");
  cake_json_str(&writer->json, cake_str(method));
  cake_json_key(&writer->json, "params");
}

void rpc_send(const RpcOut *out, RpcWriter *writer) {
  cake_json_end_object(&writer->json);
  CakeBuf frame = {0};
  if (out->framing == RPC_HEADERS) cake_buf_printf(&frame, "Content-Length: %zu\r\n\r\n", writer->body.len);
  cake_buf_str(&frame, cake_buf_view(&writer->body));
  if (out->framing == RPC_LINES) cake_buf_char(&frame, '\n');
  out->write(out->user, cake_buf_view(&frame));
  cake_buf_fini(&frame);
  cake_buf_fini(&writer->body);
}

void rpc_send_error(const RpcOut *out, const json_t *id, RpcCode code, CakeStr reason) {
  RpcWriter writer;
  begin(&writer);
  put_id(&writer.json, id);
  cake_json_key(&writer.json, "error");
  cake_json_begin_object(&writer.json);
  cake_json_key(&writer.json, "code");
  cake_json_int(&writer.json, code);
  cake_json_key(&writer.json, "message");
  cake_json_str(&writer.json, reason);
  cake_json_end_object(&writer.json);
  rpc_send(out, &writer);
}
