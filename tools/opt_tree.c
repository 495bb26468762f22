// cake-opt --print-ir-tree-dir: the IR round passes in files, one folder an op.
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "tools/opt.h"

// Makes the folders of a path, up to its last slash.
static bool make_folders(char *path) {
  for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    bool is_made = mkdir(path, 0777) == 0 || errno == EEXIST;
    *slash = '/';
    if (!is_made) return false;
  }
  return true;
}

void opt_tree_print(void *user, CakeStr path, CakeStr text) {
  OptTree *tree = user;
  CakeBuf full = {0};
  cake_buf_printf(&full, "%s/%.*s", tree->dir, CAKE_STR_ARG(path));
  bool has_folders = make_folders(full.data);
  if (!has_folders) cake_buf_printf(&tree->errors, "cannot make the folders of '%s': %s\n", full.data, strerror(errno));
  if (has_folders && !cake_file_write(full.data, text, &tree->errors)) cake_buf_char(&tree->errors, '\n');
  cake_buf_fini(&full);
}
