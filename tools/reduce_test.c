// Runs the command that says whether a candidate is interesting: in a process group of its own, with a time limit.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tools/reduce.h"

// The command with the file's name in it.
static void expand(CakeBuf *out, const char *command, const char *path) {
  bool has_place = false;
  for (const char *at = command; *at; at++) {
    if (at[0] == '%' && at[1] == 's') {
      cake_buf_text(out, path);
      has_place = true;
      at++;
    } else {
      cake_buf_char(out, *at);
    }
  }
  if (!has_place) cake_buf_printf(out, " %s", path);
}

CAKE_NORETURN static void run_child(const char *command) {
  int null = open("/dev/null", O_RDWR);
  setpgid(0, 0);
  if (null >= 0 && dup2(null, STDIN_FILENO) >= 0 && dup2(null, STDOUT_FILENO) >= 0 && dup2(null, STDERR_FILENO) >= 0)
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
  _exit(127);
}

// Waits for the child at most that long. False: it was killed because it took longer, or waiting failed.
static bool wait_for(pid_t child, double timeout_s, int *out_status) {
  double end = cake_timing_now() + timeout_s;
  struct timespec pause = {0, 200000};
  for (;;) {
    pid_t got = waitpid(child, out_status, WNOHANG);
    if (got == child) return true;
    if (got < 0 && errno != EINTR) return false;
    if (cake_timing_now() > end) break;
    nanosleep(&pause, NULL);
    if (pause.tv_nsec < 4000000) pause.tv_nsec *= 2;
  }
  kill(-child, SIGKILL);
  while (waitpid(child, out_status, 0) < 0 && errno == EINTR) {
  }
  return false;
}

// A shell reports a signal of its last command as 128 + its number.
static bool is_crash(int status) {
  return WIFSIGNALED(status) || (WIFEXITED(status) && WEXITSTATUS(status) > 128);
}

bool reduce_test_run(const ReduceTest *test, const char *path, CakeStr text, bool *out_interesting, CakeBuf *error) {
  CakeBuf command = {0};
  int status = 0;
  if (!cake_file_write(path, text, error)) return false;
  expand(&command, test->command, path);
  pid_t child = fork();
  if (child == 0) run_child(command.data);
  cake_buf_fini(&command);
  if (child < 0) {
    cake_buf_printf(error, "cannot start a process: %s", strerror(errno));
    return false;
  }
  setpgid(child, child); // here too: whoever comes first
  bool has_ended = wait_for(child, test->timeout_s, &status);
  switch (test->wanted) {
  case REDUCE_EXITS: *out_interesting = has_ended && WIFEXITED(status) && WEXITSTATUS(status) == test->status; break;
  case REDUCE_CRASHES: *out_interesting = has_ended && is_crash(status); break;
  case REDUCE_HANGS: *out_interesting = !has_ended; break;
  }
  return true;
}
