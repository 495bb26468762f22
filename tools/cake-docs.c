// cake-docs: writes the reference manual from the descriptors: a page a dialect, one of the passes, one of the diagnostics.
//
//   cake-docs DIR            writes DIR/<dialect>.md, DIR/passes.md, DIR/diagnostics.md, DIR/rules.md,
//                          DIR/rewrites.md, DIR/queries.md
//   cake-docs --check DIR    compares instead; exit 1 and the names of the pages that are stale
//   cake-docs --load-dialect=FILE   prints the pages of the dialects in a text; --load-dialect-plugin=FILE those of a plugin, and of its passes
#include <stdio.h>
#include <string.h>

#include "cake/dialects.h"
#include "cake/passes.h"
#include "tools/docs.h"
#include "tools/extensions.h"

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

// The dialects that come behind the built-in ones, and the passes of plugins and rewrites.
static void put_loaded(const Extensions *extensions, const CakeContext *context, CakeBuf *out) {
  CakePassRegistry passes = {extensions->registry.tables + 1, extensions->registry.n_tables - 1};
  const CakeDialectDef *dialect;
  size_t n_known = 0;
  while (cake_dialects[n_known])
    n_known++;
  for (size_t i = n_known; (dialect = cake_context_dialect_at(context, i)); i++) {
    if (out->len) cake_buf_char(out, '\n');
    docs_dialect(dialect, out);
  }
  if (!passes.n_tables) return;
  if (out->len) cake_buf_char(out, '\n');
  docs_passes(&passes, "the tables of what was loaded", out);
}

static bool print_loaded(const ExtensionFiles *files) {
  Extensions extensions;
  CakeBuf error = {0}, page = {0};
  CakeContext *context = cake_context_create();
  extensions_init(&extensions);
  bool is_fine = extensions_load_files(&extensions, files, &error) && extensions_register(&extensions, context);
  if (is_fine) put_loaded(&extensions, context, &page);
  is_fine = is_fine && cake_file_write("-", cake_buf_view(&page), &error);
  if (error.len) fprintf(stderr, "cake-docs: %s\n", error.data);
  cake_context_destroy(context);
  extensions_fini(&extensions);
  cake_buf_fini(&error);
  cake_buf_fini(&page);
  return is_fine;
}

// 1 and 0: what was loaded was printed, or not. -1: nothing was to be loaded.
static int load(int argc, char **argv) {
  const CakeTool tool = {.name = "cake-docs"};
  ExtensionFiles files = {0};
  bool has_failed = false;
  int i = 1;
  while (i < argc && extensions_take_option(&files, &tool, argc, argv, &i, &has_failed))
    i++;
  int result = files.len == 0 ? -1 : 0;
  if (files.len && i < argc) (void)cake_tool_fail(&tool, "nothing may stand beside --load-…, found '%s'", argv[i]);
  if (files.len && i == argc && !has_failed) result = print_loaded(&files);
  CAKE_VEC_FINI(&files);
  return result;
}

int main(int argc, char **argv) {
  int loaded = load(argc, argv);
  if (loaded >= 0) return loaded ? 0 : 1;
  Docs docs = {.check = argc == 3 && strcmp(argv[1], "--check") == 0};
  if (!docs.check && (argc != 2 || argv[1][0] == '-')) {
    fputs("usage: cake-docs [--check] DIR | --load-dialect=FILE | --load-dialect-plugin=FILE …\n", stderr);
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
  docs_passes(&cake_passes_registry, "`passes/passes.def`", &page);
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
