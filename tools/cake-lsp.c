// cake-lsp: the language server on standard input and output, for editors. docs/editors.md says how to set it up.
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent-bridge/lsp/lsp.h"

static void write_all(void *user, CakeStr bytes) {
  bool *is_broken = user;
  while (bytes.len && !*is_broken) {
    ssize_t n = write(STDOUT_FILENO, bytes.ptr, bytes.len);
    if (n < 0 && errno == EINTR) continue;
    *is_broken = n < 0;
    if (n < 0) return;
    bytes.ptr += n;
    bytes.len -= (size_t)n;
  }
}

// Whether bytes (or the end) can be read within `timeout` milliseconds; -1: whenever they come.
static bool is_readable(int timeout) {
  struct pollfd input = {.fd = STDIN_FILENO, .events = POLLIN};
  int n;
  do
    n = poll(&input, 1, timeout);
  while (n < 0 && errno == EINTR);
  return n != 0; // a failure is seen by read
}

// False: the input has ended.
static bool feed(LspServer *server) {
  char bytes[1 << 16];
  ssize_t n;
  do
    n = read(STDIN_FILENO, bytes, sizeof bytes);
  while (n < 0 && errno == EINTR);
  if (n > 0) lsp_server_feed(server, (CakeStr){bytes, (size_t)n});
  return n > 0;
}

// Everything that has come is read before the next message is handled, so that a request can be cancelled while it waits.
static int serve(void) {
  bool is_broken = false, is_open = true, is_busy = true;
  int status = 1;
  LspServer *server = lsp_server_create(CAKE_VERSION, write_all, &is_broken);
  while (!is_broken && !lsp_server_is_done(server, &status) && (is_open || is_busy)) {
    while (is_open && is_readable(is_busy ? 0 : -1)) {
      is_open = feed(server);
      is_busy = true;
    }
    is_busy = lsp_server_step(server);
  }
  lsp_server_destroy(server);
  return is_broken ? 1 : status;
}

int main(int argc, char **argv) {
  static const char usage[] = "usage: cake-lsp [--stdio] | --version | --help\n"
                              "Speaks the Language Server Protocol on standard input and output.\n";
  const char *argument = argc > 1 ? argv[1] : "--stdio";
  bool is_help = strcmp(argument, "--help") == 0;
  if (argc <= 2 && strcmp(argument, "--stdio") == 0) return serve();
  if (argc == 2 && strcmp(argument, "--version") == 0) return puts("cake-lsp " CAKE_VERSION) == EOF;
  fputs(usage, is_help ? stdout : stderr);
  return argc == 2 && is_help ? 0 : 1;
}
