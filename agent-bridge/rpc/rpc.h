// JSON-RPC 2.0 over a stream of bytes: frames, messages and answers. Shared by the servers of this folder.
//
// Nothing here blocks or writes to a file: bytes come in by `rpc_frames_feed`, and go out through a function of the server's owner.
// Whatever the bytes are, the reader says what is wrong with them and finds the next frame.
#ifndef CAKE_AGENT_BRIDGE_RPC_H
#define CAKE_AGENT_BRIDGE_RPC_H

#include <jansson.h>

#include "cake/base.h"

CAKE_BEGIN_C

// ---- Frames (frames.c) ---------------------------------------------------------------------------------------------

typedef enum RpcFraming {
  RPC_HEADERS, // `Content-Length: N`, an empty line, N bytes (Language Server Protocol)
  RPC_LINES,   // a message a line (Model Context Protocol on stdio)
} RpcFraming;

enum {
  RPC_MOST_BYTES = 64 << 20, // of a message
  RPC_MOST_HEADER = 4096,    // of the headers of a message
};

// Zero-initialise but for `framing`.
typedef struct RpcFrames {
  RpcFraming framing;
  CakeBuf bytes;
  size_t at;      // what stands before it was taken
  uint64_t skip;  // bytes of a message that is too large, still to come
  bool is_lost;   // the headers were malformed: everything up to the next `Content-Length:` is dropped
  bool is_behind; // RPC_LINES: the rest of a line that is too large is dropped
} RpcFrames;

typedef enum RpcFrame { RPC_NO_FRAME, RPC_BODY, RPC_FAULT } RpcFrame;

void rpc_frames_fini(RpcFrames *frames);
void rpc_frames_feed(RpcFrames *frames, CakeStr bytes);
// RPC_BODY: *out is a message's text, valid until the next call. RPC_FAULT: *out says what is wrong with the stream; it is read on behind the
// fault. RPC_NO_FRAME: more bytes are needed.
RpcFrame rpc_frames_next(RpcFrames *frames, CakeStr *out);

// ---- Messages (message.c) ------------------------------------------------------------------------------------------

// Codes of JSON-RPC and of the Language Server Protocol.
typedef enum RpcCode {
  RPC_PARSE_ERROR = -32700,
  RPC_INVALID_REQUEST = -32600,
  RPC_METHOD_NOT_FOUND = -32601,
  RPC_INVALID_PARAMS = -32602,
  RPC_NOT_INITIALIZED = -32002,
  RPC_REQUEST_FAILED = -32803,
  RPC_REQUEST_CANCELLED = -32800,
} RpcCode;

typedef struct RpcMessage {
  json_t *root;         // owned: rpc_message_fini
  const json_t *id;     // a string or an integer; NULL: a notification
  const char *method;   // NULL: an answer
  const json_t *params; // an object or array; NULL: none
} RpcMessage;

// False: no message; *out has the id where it can be told (to be given back in any case), and code and reason are those of the answer.
bool rpc_message_parse(CakeStr body, RpcMessage *out, RpcCode *out_code, CakeBuf *out_reason);
void rpc_message_fini(RpcMessage *message);

// ---- Answers (message.c) -------------------------------------------------------------------------------------------

typedef struct RpcOut {
  RpcFraming framing;
  void (*write)(void *user, CakeStr bytes);
  void *user;
} RpcOut;

// A message being written: begin, write one value into `json`, send. Sending frees it.
typedef struct RpcWriter {
  CakeBuf body;
  CakeJson json;
} RpcWriter;

void rpc_begin_result(RpcWriter *writer, const json_t *id);         // the value is the result
void rpc_begin_notification(RpcWriter *writer, const char *method); // the value is the parameters
void rpc_send(const RpcOut *out, RpcWriter *writer);
void rpc_send_error(const RpcOut *out, const json_t *id, RpcCode code, CakeStr reason); // id NULL: null

CAKE_END_C
#endif
