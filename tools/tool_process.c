// Runs NVIDIA's programs, found in $PATH, $CUDA_PATH/bin or /usr/local/cuda/bin, without a shell.
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/tool.h"

static bool is_program(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

static bool try_folder(CakeBuf *out, CakeStr folder, const char *name) {
  if (folder.len == 0) return false;
  cake_buf_clear(out);
  cake_buf_printf(out, "%.*s/%s", CAKE_STR_ARG(folder), name);
  return is_program(out->data);
}

bool cake_tool_find_program(const char *name, CakeBuf *out) {
  const char *path = getenv("PATH"), *cuda = getenv("CUDA_PATH");
  for (const char *at = path; at && *at;) {
    size_t len = strcspn(at, ":");
    if (try_folder(out, (CakeStr){at, len}, name)) return true;
    at += len + (at[len] == ':');
  }
  if (cuda && *cuda) {
    CakeBuf folder = {0};
    cake_buf_printf(&folder, "%s/bin", cuda);
    bool is_found = try_folder(out, cake_buf_view(&folder), name);
    cake_buf_fini(&folder);
    if (is_found) return true;
  }
  return try_folder(out, CAKE_STR("/usr/local/cuda/bin"), name);
}

// The child of `fork`: both outputs go to `pipe_end`.
CAKE_NORETURN static void run_child(const char *const *argv, int pipe_end) {
  if (dup2(pipe_end, STDOUT_FILENO) >= 0 && dup2(pipe_end, STDERR_FILENO) >= 0) {
    close(pipe_end);
    execv(argv[0], (char *const *)argv);
  }
  _exit(127);
}

static void read_all(int from, CakeBuf *out) {
  char chunk[4096];
  for (;;) {
    ssize_t got = read(from, chunk, sizeof chunk);
    if (got > 0)
      cake_buf_append(out, chunk, (size_t)got);
    else if (got == 0 || errno != EINTR)
      return;
  }
}

int cake_tool_run_program(const char *const *argv, CakeBuf *printed) {
  int ends[2], status = 0;
  if (pipe(ends) != 0) return -1;
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    run_child(argv, ends[1]);
  }
  close(ends[1]);
  if (child > 0) read_all(ends[0], printed);
  close(ends[0]);
  if (child < 0) return -1;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
