// cake-opt's crash reproducer: what to run again is kept in memory, and written when a signal ends the process.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

#include "tools/opt.h"

static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
enum { STACK = 64 * 1024 };

// A signal handler gets nothing but its number, so that this must be global.
static struct {
  const CakeBuf *text;
  const char *path;
  void *stack; // of its own: the signal may say that the other one is full
} watched;

// Only calls that a signal handler may make.
static void write_all(int file, const char *data, size_t len) {
  while (len) {
    ssize_t written = write(file, data, len);
    if (written <= 0) return;
    data += written;
    len -= (size_t)written;
  }
}

static void on_crash(int number) {
  static const char said[] = "cake-opt: crashed; what repeats it was written to the file of --crash-reproducer\n";
  int file = open(watched.path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (file >= 0) {
    write_all(file, watched.text->data, watched.text->len);
    close(file);
    write_all(STDERR_FILENO, said, sizeof said - 1);
  }
  signal(number, SIG_DFL);
  raise(number);
}

void opt_crash_watch(const CakeBuf *text, const char *path) {
  watched.text = text;
  watched.path = path;
  watched.stack = malloc(STACK);
  if (watched.stack) sigaltstack(&(stack_t){.ss_sp = watched.stack, .ss_size = STACK}, NULL);
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < CAKE_COUNT(signals); i++)
    sigaction(signals[i], &action, NULL);
}

void opt_crash_ignore(void) {
  for (size_t i = 0; i < CAKE_COUNT(signals); i++)
    signal(signals[i], SIG_DFL);
  if (watched.stack) sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  free(watched.stack);
  watched.stack = NULL;
}
