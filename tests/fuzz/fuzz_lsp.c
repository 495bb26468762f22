// The language server on any bytes: what an editor could send. A text that begins with "lines" is a message a line, and gets
// its headers here, so that what is mutated is more than the headers.
#include "agent-bridge/lsp/lsp.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

// Frames must be whole, and their bodies objects.
static void check_frame(void *user, CakeStr bytes) {
  (void)user;
  const char *body = memchr(bytes.ptr, '{', bytes.len);
  if (!cake_str_starts_with(bytes, "Content-Length: ") || !body || bytes.ptr[bytes.len - 1] != '}') abort();
  if ((size_t)strtoull(bytes.ptr + 16, NULL, 10) != bytes.len - (size_t)(body - bytes.ptr)) abort();
}

static void feed(LspServer *server, CakeStr bytes) {
  int status;
  lsp_server_feed(server, bytes);
  while (!lsp_server_is_done(server, &status) && lsp_server_step(server)) {
  }
}

static void feed_lines(LspServer *server, CakeStr text) {
  for (size_t at = 0; at < text.len;) {
    const char *newline = memchr(text.ptr + at, '\n', text.len - at);
    size_t end = newline ? (size_t)(newline - text.ptr) : text.len;
    CakeBuf frame = {0};
    cake_buf_printf(&frame, "Content-Length: %zu\r\n\r\n", end - at);
    cake_buf_append(&frame, text.ptr + at, end - at);
    feed(server, cake_buf_view(&frame));
    cake_buf_fini(&frame);
    at = end + 1;
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  CakeStr text = {(const char *)data, size};
  LspServer *server = lsp_server_create("0", NULL, check_frame, NULL);
  if (cake_str_starts_with(text, "lines"))
    feed_lines(server, text);
  else
    feed(server, text);
  lsp_server_destroy(server);
  return 0;
}
