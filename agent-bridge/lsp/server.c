// The server: from bytes to calls of the methods in methods.def, and back. Order: messages as they come; a request that was
// cancelled while it waited is answered so; diagnostics of changed documents are sent when nothing waits.
#include "agent-bridge/lsp/private.h"

#include "cake/dialects.h"
#include "verifier/verifier.h"

typedef struct Method {
  const char *name;
  void (*run)(LspCall *call);
  bool is_request;
} Method;

static const Method methods[] = {
#define REQUEST(function, name) {name, lsp_##function, true},
#define NOTIFICATION(function, name) {name, lsp_##function, false},
#include "agent-bridge/lsp/methods.def"
#undef REQUEST
#undef NOTIFICATION
};

static void enter_built_in(void *user, CakeContext *context) {
  (void)user;
  cake_register_all_dialects(context);
}

static bool verify_built_in(void *user, CakeOp *module) {
  (void)user;
  bool is_fine = cake_verify(module);
  for (const CakeVerifyFn *check = cake_extra_verifiers; is_fine && *check; check++)
    is_fine = (*check)(module);
  return is_fine;
}

LspServer *lsp_server_create(const char *version, const LspExtensions *extensions,
                             void (*write)(void *user, CakeStr bytes), void *user) {
  static const LspExtensions built_in = {enter_built_in, verify_built_in, NULL};
  CakeArena *arena = cake_arena_create();
  LspServer *server = CAKE_ARENA_NEW(arena, LspServer);
  server->arena = arena;
  server->version = version;
  server->extensions = extensions ? extensions : &built_in;
  server->out = (RpcOut){RPC_HEADERS, write, user};
  return server;
}

void lsp_server_destroy(LspServer *server) {
  while (server->documents) {
    LspDocument *document = server->documents;
    server->documents = document->next;
    lsp_document_destroy(document);
  }
  for (size_t i = server->next; i < server->queue.len; i++)
    rpc_message_fini(&server->queue.data[i].message);
  CAKE_VEC_FINI(&server->queue);
  rpc_frames_fini(&server->frames);
  cake_arena_destroy(server->arena); // the server is in it
}

bool lsp_server_is_done(const LspServer *server, int *out_status) {
  *out_status = server->is_shut_down ? 0 : 1;
  return server->is_done;
}

// ---- Coming in -------------------------------------------------------------------------------------------------------

static void cancel(LspServer *server, const RpcMessage *message) {
  const json_t *id = json_object_get(message->params, "id");
  for (size_t i = server->next; id && i < server->queue.len; i++) {
    const json_t *other = server->queue.data[i].message.id;
    if (other && json_equal(other, id)) server->queue.data[i].is_cancelled = true;
  }
}

static void take(LspServer *server, CakeStr body) {
  LspQueued entry = {0};
  RpcCode code;
  CakeBuf reason = {0};
  bool is_message = rpc_message_parse(body, &entry.message, &code, &reason);
  if (!is_message) rpc_send_error(&server->out, entry.message.id, code, cake_buf_view(&reason));
  if (is_message && entry.message.method && strcmp(entry.message.method, "$/cancelRequest") == 0) {
    cancel(server, &entry.message);
    is_message = false;
  }
  if (is_message)
    CAKE_PUSH(&server->queue, entry);
  else
    rpc_message_fini(&entry.message);
  cake_buf_fini(&reason);
}

void lsp_server_feed(LspServer *server, CakeStr bytes) {
  rpc_frames_feed(&server->frames, bytes);
  CakeStr text;
  for (RpcFrame frame; (frame = rpc_frames_next(&server->frames, &text)) != RPC_NO_FRAME;) {
    if (frame == RPC_BODY)
      take(server, text);
    else
      rpc_send_error(&server->out, NULL, RPC_PARSE_ERROR, text);
  }
}

// ---- Calls -----------------------------------------------------------------------------------------------------------

CakeJson *lsp_answer(LspCall *call) {
  if (!call->has_answered) rpc_begin_result(&call->writer, call->message->id);
  call->has_answered = true;
  return &call->writer.json;
}

void lsp_fail(LspCall *call, RpcCode code, const char *format, ...) {
  if (call->has_failed || call->has_answered || !call->message->id) return;
  call->has_failed = true;
  CakeBuf text = {0};
  va_list args;
  va_start(args, format);
  cake_buf_vprintf(&text, format, args);
  va_end(args);
  rpc_send_error(&call->server->out, call->message->id, code, cake_buf_view(&text));
  cake_buf_fini(&text);
}

static const Method *find_method(const char *name) {
  for (size_t i = 0; i < CAKE_COUNT(methods); i++)
    if (strcmp(methods[i].name, name) == 0) return &methods[i];
  return NULL;
}

// Whether the protocol allows the method in the server's state; an answer says why not.
static bool is_allowed(LspCall *call, const Method *method) {
  const LspServer *server = call->server;
  if (method && method->run == lsp_exit) return true;
  if (server->is_shut_down) {
    lsp_fail(call, RPC_INVALID_REQUEST, "the server was shut down");
    return false;
  }
  bool is_first = method && method->run == lsp_initialize;
  if (!server->is_initialized && !is_first) {
    lsp_fail(call, RPC_NOT_INITIALIZED, "the first request must be 'initialize'");
    return false;
  }
  if (server->is_initialized && is_first) {
    lsp_fail(call, RPC_INVALID_REQUEST, "the server was initialized before");
    return false;
  }
  return true;
}

static void run(LspCall *call) {
  const char *name = call->message->method;
  const Method *method = find_method(name);
  if (!is_allowed(call, method)) return;
  if (!method || method->is_request != (call->message->id != NULL)) {
    lsp_fail(call, method ? RPC_INVALID_REQUEST : RPC_METHOD_NOT_FOUND,
             method ? "'%s' is a notification: it has no id" : "unknown method '%s'", name);
    return;
  }
  method->run(call);
  if (method->is_request && !call->has_answered && !call->has_failed) cake_json_null(lsp_answer(call));
  if (call->has_answered) rpc_send(&call->server->out, &call->writer);
}

static void run_next(LspServer *server) {
  LspQueued entry = server->queue.data[server->next++];
  LspCall call = {.server = server, .message = &entry.message};
  if (entry.is_cancelled)
    lsp_fail(&call, RPC_REQUEST_CANCELLED, "cancelled");
  else if (entry.message.method) // an answer to a request of ours: there are none
    run(&call);
  rpc_message_fini(&entry.message);
  if (server->next < server->queue.len) return;
  server->queue.len = server->next = 0;
}

bool lsp_server_step(LspServer *server) {
  if (server->is_done) return false;
  if (server->next < server->queue.len) {
    run_next(server);
    return true;
  }
  LspDocument *document = server->documents;
  while (document && !document->is_stale)
    document = document->next;
  if (document) lsp_publish(server, document);
  return document != NULL;
}
