// A server of the Language Server Protocol (3.17) for Cake IR and MLIR text: bytes in, bytes out, one thread.
#ifndef CAKE_AGENT_BRIDGE_LSP_H
#define CAKE_AGENT_BRIDGE_LSP_H

#include "cake/op.h"

CAKE_BEGIN_C

typedef struct LspServer LspServer;

// What a program adds to the dialects and checks that are built in.
typedef struct LspExtensions {
  void (*enter)(void *user, CakeContext *context); // registers all dialects
  bool (*verify)(void *user, CakeOp *module);      // `cake_verify`, then all other checks
  void *user;
} LspExtensions;

// `write` gets whole frames. `version` is what the client is told. That and `extensions` (NULL: none) must outlive the server.
LspServer *lsp_server_create(const char *version, const LspExtensions *extensions,
                             void (*write)(void *user, CakeStr bytes), void *user);
void lsp_server_destroy(LspServer *server);
// Takes bytes from the client; nothing is answered yet but what is malformed. A request that is cancelled by bytes that came before its turn is
// not run.
void lsp_server_feed(LspServer *server, CakeStr bytes);
// Handles one message; without one, checks one document that has changed. False: there is nothing to do until more bytes come.
bool lsp_server_step(LspServer *server);
// The client said `exit`: *out_status is 0 if it had said `shutdown` before, else 1.
bool lsp_server_is_done(const LspServer *server, int *out_status);

CAKE_END_C
#endif
