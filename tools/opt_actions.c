// cake-opt --log-actions-to: a line for each action, written at once, so that what ran is known when the process crashes.
#include <errno.h>
#include <string.h>

#include "tools/opt.h"

static void write_line(void *user, CakeStr line) {
  FILE *file = user;
  fwrite(line.ptr, 1, line.len, file);
  fflush(file);
}

bool opt_actions_open(OptActions *actions, const char *path, CakeBuf *error) {
  actions->path = path;
  actions->file = strcmp(path, "-") == 0 ? stderr : fopen(path, "w");
  if (!actions->file) cake_buf_printf(error, "cannot write '%s': %s", path, strerror(errno));
  return actions->file;
}

void opt_actions_observe(OptActions *actions, CakeContext *context) {
  if (!actions->file) return;
  actions->log = (CakeActionLog){.context = context, .write = write_line, .user = actions->file};
  actions->observer = cake_action_log(&actions->log);
  cake_context_observe(context, &actions->observer);
}

bool opt_actions_close(OptActions *actions, CakeBuf *error) {
  if (!actions->file) return true;
  bool is_fine = !ferror(actions->file);
  if (actions->file != stderr) is_fine = fclose(actions->file) == 0 && is_fine;
  actions->file = NULL;
  if (!is_fine) cake_buf_printf(error, "cannot write all of '%s'", actions->path);
  return is_fine;
}
