// cake-docs: writes the reference manual from the descriptors: a page a dialect, one of the passes, one of the diagnostics.
//
//   cake-docs DIR            writes DIR/<dialect>.md, DIR/passes.md, DIR/diagnostics.md, DIR/rules.md,
//                          DIR/rewrites.md, DIR/queries.md
//   cake-docs --check DIR    compares instead; exit 1 and the names of the pages that are stale
//   cake-docs --load-dialect=FILE   prints the pages of the dialects in a text
#include <stdio.h>
#include <string.h>

#include "cake/dialect_text.h"
#include "cake/dialects.h"
#include "cake/passes.h"
#include "tools/docs.h"

typedef struct Docs {
  const char *folder;
  bool check;
  int faults;
} Docs;

// Writes or compares one page.
static void put_page(Docs *docs, const char *name, const CakeBuf *page) {
  CakeBuf path = {0}, error = {0}, old = {0};
  cake_buf_printf(&path, "%s/%s.md", docs->folder, name);
  if (docs->check) {
    bool is_read = cake_file_read(path.data, &old, &error);
    if (!is_read || !cake_str_equal(cake_buf_view(&old), cake_buf_view(page))) {
      fprintf(stderr, "%s is stale: run cake-docs %s\n", path.data, docs->folder);
      docs->faults++;
    }
  } else if (!cake_file_write(path.data, cake_buf_view(page), &error)) {
    fprintf(stderr, "cake-docs: %s\n", error.data);
    docs->faults++;
  }
  cake_buf_fini(&path);
  cake_buf_fini(&error);
  cake_buf_fini(&old);
}

static void report(void *user, const CakeDiagnostic *diagnostic) {
  CakeBuf text = {0};
  cake_diag_print(user, diagnostic, &text);
  fwrite(text.data ? text.data : "", 1, text.len, stderr);
  cake_buf_fini(&text);
}

// The dialects that come behind the built-in ones.
static void put_loaded(const CakeContext *context, CakeBuf *out) {
  const CakeDialectDef *dialect;
  size_t n_known = 0;
  while (cake_dialects[n_known])
    n_known++;
  for (size_t i = n_known; (dialect = cake_context_dialect_at(context, i)); i++) {
    if (i > n_known) cake_buf_char(out, '\n');
    docs_dialect(dialect, out);
  }
}

static bool print_dialects(const char *path) {
  CakeBuf text = {0}, error = {0}, page = {0};
  CakeContext *context = cake_context_create();
  cake_register_all_dialects(context);
  cake_context_set_handler(context, report, context, NULL, NULL);
  bool is_fine =
      cake_file_read(path, &text, &error) && cake_dialects_load(context, cake_str(path), cake_buf_view(&text));
  if (is_fine) put_loaded(context, &page);
  is_fine = is_fine && cake_file_write("-", cake_buf_view(&page), &error);
  if (error.len) fprintf(stderr, "cake-docs: %s\n", error.data);
  cake_context_destroy(context);
  cake_buf_fini(&text);
  cake_buf_fini(&error);
  cake_buf_fini(&page);
  return is_fine;
}

int main(int argc, char **argv) {
  static const char load[] = "--load-dialect=";
  if (argc == 2 && strncmp(argv[1], load, strlen(load)) == 0) return print_dialects(argv[1] + strlen(load)) ? 0 : 1;
  Docs docs = {.check = argc == 3 && strcmp(argv[1], "--check") == 0};
  if (!docs.check && (argc != 2 || argv[1][0] == '-')) {
    fputs("usage: cake-docs [--check] DIR | --load-dialect=FILE\n", stderr);
    return 1;
  }
  docs.folder = argv[argc - 1];
  CakeBuf page = {0};
  for (const CakeDialectDef *const *dialect = cake_dialects; *dialect; dialect++) {
    cake_buf_clear(&page);
    docs_dialect(*dialect, &page);
    put_page(&docs, (*dialect)->name, &page);
  }
  cake_buf_clear(&page);
  docs_passes(&cake_passes_registry, &page);
  put_page(&docs, "passes", &page);
  cake_buf_clear(&page);
  docs_diagnostics(&page);
  put_page(&docs, "diagnostics", &page);
  cake_buf_clear(&page);
  docs_rules(&page);
  put_page(&docs, "rules", &page);
  cake_buf_clear(&page);
  docs_rewrites(&page);
  put_page(&docs, "rewrites", &page);
  cake_buf_clear(&page);
  docs_queries(&page);
  put_page(&docs, "queries", &page);
  cake_buf_fini(&page);
  return docs.faults ? 1 : 0;
}
