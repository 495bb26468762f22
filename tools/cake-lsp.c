// cake-lsp: the language server on standard input and output, for editors. docs/editors.md says how to set it up.
#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "agent-bridge/lsp/lsp.h"
#include "tools/extensions.h"

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
static int serve(const LspExtensions *extensions) {
  bool is_broken = false, is_open = true, is_busy = true;
  int status = 1;
  LspServer *server = lsp_server_create(CAKE_VERSION, extensions, write_all, &is_broken);
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

static const char help_text[] = "Usage: cake-lsp [OPTION…]\n"
                                "Speaks the Language Server Protocol on standard input and output.\n\n" EXTENSIONS_HELP
                                "  --stdio             what it does anyway\n"
                                "  --help, --version\n";

typedef struct Args {
  ExtensionFiles files;
  bool help, version, stdio;
} Args;

static bool parse_args(const CakeTool *tool, Args *args, int argc, char **argv) {
  const CakeToolFlag flags[] = {
      {"--help",    &args->help   },
      {"--version", &args->version},
      {"--stdio",   &args->stdio  },
  };
  bool failed = false;
  for (int i = 1; i < argc && !failed; i++) {
    if (extensions_take_option(&args->files, tool, argc, argv, &i, &failed) ||
        cake_tool_flag(flags, CAKE_COUNT(flags), argv[i]))
      continue;
    return cake_tool_fail(tool, "unknown argument '%s'; try --help", argv[i]);
  }
  return !failed;
}

static void enter(void *user, CakeContext *context) {
  (void)!extensions_register(user, context); // as it was when they were loaded
}

static bool verify(void *user, CakeOp *module) {
  return extensions_verify(user, module);
}

static int run(const CakeTool *tool, const Args *args) {
  Extensions extensions;
  CakeBuf error = {0};
  extensions_init(&extensions);
  LspExtensions hooks = {enter, verify, &extensions};
  bool is_fine = extensions_load_files(&extensions, &args->files, &error);
  if (error.len) (void)cake_tool_fail(tool, "%s", error.data);
  int status = is_fine ? serve(&hooks) : 1;
  extensions_fini(&extensions);
  cake_buf_fini(&error);
  return status;
}

int main(int argc, char **argv) {
  const CakeTool tool = {.name = "cake-lsp"};
  Args args = {0};
  int status = 1;
  if (parse_args(&tool, &args, argc, argv)) {
    if (args.help || args.version)
      status = fputs(args.help ? help_text : "cake-lsp " CAKE_VERSION "\n", stdout) == EOF;
    else
      status = run(&tool, &args);
  }
  CAKE_VEC_FINI(&args.files);
  return status;
}
