// cake-opt's crash reproducer: a process that a signal ends leaves the file behind, even when its stack is full.
#include <check.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tools/opt.h"

static char path[] = "/tmp/cake-test-crash-XXXXXX";

// How the child ends.
static int crash(int number, bool is_watched) {
  CakeBuf text = {0};
  cake_buf_text(&text, "module {}\n");
  pid_t child = fork();
  ck_assert_int_ge(child, 0);
  if (child == 0) {
    opt_crash_watch(&text, path);
    if (!is_watched) opt_crash_ignore();
    raise(number);
    _exit(0);
  }
  int status = 0;
  ck_assert_int_eq(waitpid(child, &status, 0), child);
  cake_buf_fini(&text);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static size_t read_back(char *out, size_t room) {
  FILE *file = fopen(path, "rb");
  if (!file) return 0;
  size_t len = fread(out, 1, room - 1, file);
  out[len] = '\0';
  fclose(file);
  remove(path);
  return len;
}

START_TEST(a_crash_leaves_the_reproducer) {
  char text[64];
  static const int numbers[] = {SIGSEGV, SIGABRT, SIGFPE};
  for (size_t i = 0; i < CAKE_COUNT(numbers); i++) {
    ck_assert_int_eq(crash(numbers[i], true), numbers[i]);
    ck_assert_uint_eq(read_back(text, sizeof text), 10);
    ck_assert_str_eq(text, "module {}\n");
  }
}
END_TEST

START_TEST(what_is_not_watched_leaves_nothing) {
  char text[64];
  ck_assert_int_eq(crash(SIGABRT, false), SIGABRT);
  ck_assert_uint_eq(read_back(text, sizeof text), 0);
}
END_TEST

int main(void) {
  int file = mkstemp(path);
  if (file < 0) return 1;
  close(file);
  remove(path);
  Suite *suite = suite_create("opt_crash");
  TCase *test = tcase_create("crash");
  tcase_add_test(test, a_crash_leaves_the_reproducer);
  tcase_add_test(test, what_is_not_watched_leaves_nothing);
  suite_add_tcase(suite, test);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed ? 1 : 0;
}
