// Runs NVIDIA's ptxas, found in $PATH, $CUDA_PATH/bin or /usr/local/cuda/bin, without a shell.
#include "tools/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static bool is_program(const char *path) {
  struct stat status;
  return stat(path, &status) == 0 && S_ISREG(status.st_mode) && access(path, X_OK) == 0;
}

static bool try_folder(CakeBuf *out, CakeStr folder) {
  if (folder.len == 0) return false;
  cake_buf_clear(out);
  cake_buf_printf(out, "%.*s/ptxas", CAKE_STR_ARG(folder));
  return is_program(out->data);
}

static bool find_ptxas(CakeBuf *out) {
  const char *path = getenv("PATH"), *cuda = getenv("CUDA_PATH");
  for (const char *at = path; at && *at;) {
    size_t len = strcspn(at, ":");
    if (try_folder(out, (CakeStr){at, len})) return true;
    at += len + (at[len] == ':');
  }
  if (cuda && *cuda) {
    CakeBuf folder = {0};
    cake_buf_printf(&folder, "%s/bin", cuda);
    bool is_found = try_folder(out, cake_buf_view(&folder));
    cake_buf_fini(&folder);
    if (is_found) return true;
  }
  return try_folder(out, CAKE_STR("/usr/local/cuda/bin"));
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

// Runs a program and collects what it prints; its exit status, or -1 when it could not be run or was killed.
static int run_program(const char *const *argv, CakeBuf *printed) {
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

// The number behind which `word` stands in a line: "4 bytes spill stores".
static long number_before(const char *line, const char *word) {
  const char *at = strstr(line, word);
  if (!at) return 0;
  while (at > line && at[-1] == ' ')
    at--;
  while (at > line && at[-1] >= '0' && at[-1] <= '9')
    at--;
  return strtol(at, NULL, 10);
}

static void judge_line(CakeTool *tool, CakeLoc loc, const char *line) {
  bool is_warning = strstr(line, "warning") != NULL || strstr(line, "(C75") != NULL;
  long stores = number_before(line, "bytes spill stores"), loads = number_before(line, "bytes spill loads");
  if (is_warning) {
    (void)cake_diag_emit(tool->context,
                         cake_diag_begin(tool->context, CAKE_WARNING, loc, CAKE_CODE_TARGET_TOOL, "ptxas: %s", line));
  } else if (stores > 0 || loads > 0) {
    (void)cake_diag_emit(tool->context,
                         cake_diag_begin(tool->context, CAKE_WARNING, loc, CAKE_CODE_TARGET_TOOL,
                                         "ptxas spills registers: %ld bytes of stores, %ld bytes of loads a thread",
                                         stores, loads));
  }
}

// Warnings and spills among the lines that ptxas printed. Cuts them into strings.
static void judge(CakeTool *tool, CakeLoc loc, CakeBuf *printed) {
  for (char *at = printed->data; at && *at;) {
    size_t len = strcspn(at, "\n");
    bool is_last = at[len] == '\0';
    at[len] = '\0';
    judge_line(tool, loc, at);
    at += len + (is_last ? 0 : 1);
  }
}

typedef struct Files {
  char folder[64], ptx[96], cubin[96];
} Files;

static bool make_files(CakeTool *tool, Files *files) {
  strcpy(files->folder, "/tmp/cake-XXXXXX");
  if (!mkdtemp(files->folder)) return cake_tool_fail(tool, "cannot make a folder in /tmp: %s", strerror(errno));
  strcat(strcpy(files->ptx, files->folder), "/kernel.ptx");
  strcat(strcpy(files->cubin, files->folder), "/kernel.cubin");
  return true;
}

static void remove_files(const Files *files) {
  unlink(files->ptx);
  unlink(files->cubin);
  rmdir(files->folder);
}

static bool assemble(CakeTool *tool, CakeLoc loc, const char *ptxas, const Files *files, const char *target,
                     CakeBuf *out) {
  CakeBuf arch = {0}, printed = {0}, error = {0};
  cake_buf_printf(&arch, "-arch=%s", target);
  const char *argv[] = {ptxas, "-v", arch.data, "-o", files->cubin, files->ptx, NULL};
  int status = run_program(argv, &printed);
  bool is_fine = status == 0;
  if (!is_fine) {
    while (printed.len && printed.data[printed.len - 1] == '\n')
      printed.data[--printed.len] = '\0';
    (void)cake_error_at(tool->context, loc, CAKE_CODE_TARGET_TOOL, "'%s' failed (exit status %d): %s", ptxas, status,
                        printed.len ? printed.data : "it printed nothing");
  } else {
    judge(tool, loc, &printed);
    is_fine = cake_file_read(files->cubin, out, &error);
    if (!is_fine) (void)cake_tool_fail(tool, "%s", error.data);
  }
  cake_buf_fini(&arch);
  cake_buf_fini(&printed);
  cake_buf_fini(&error);
  return is_fine;
}

bool cake_tool_assemble(CakeTool *tool, CakeLoc loc, CakeStr ptx, const char *target, CakeBuf *out_cubin) {
  CakeBuf ptxas = {0}, error = {0};
  Files files;
  bool is_fine = find_ptxas(&ptxas);
  if (!is_fine) {
    (void)cake_error_at(tool->context, loc, CAKE_CODE_TARGET_TOOL,
                        "there is no ptxas in $PATH, in $CUDA_PATH/bin or in /usr/local/cuda/bin, which a cubin needs");
  } else if ((is_fine = make_files(tool, &files))) {
    is_fine = cake_file_write(files.ptx, ptx, &error);
    if (!is_fine) (void)cake_tool_fail(tool, "%s", error.data);
    is_fine = is_fine && assemble(tool, loc, ptxas.data, &files, target, out_cubin);
    remove_files(&files);
  }
  cake_buf_fini(&ptxas);
  cake_buf_fini(&error);
  return is_fine;
}
