// What a tool is given beside what it ships with: plugins that add dialects, passes and rules, and texts of dialects and rewrites.
#ifndef CAKE_TOOLS_EXTENSIONS_H
#define CAKE_TOOLS_EXTENSIONS_H

#include "cake/plugin.h"
#include "cake/rewrites.h"
#include "tools/tool.h"

typedef enum ExtensionKind {
  EXTENSION_PLUGIN,
  EXTENSION_DIALECT,
  EXTENSION_REWRITES
} ExtensionKind; // in the order of loading

// A file that is to be loaded, and those that a command line names.
typedef struct ExtensionFile {
  ExtensionKind kind;
  const char *path;
} ExtensionFile;
typedef CAKE_VEC(ExtensionFile) ExtensionFiles;

// A file that every context reads for itself.
typedef struct ExtensionText {
  ExtensionKind kind;
  const char *path;
  CakeBuf text;
} ExtensionText;

typedef struct Extensions {
  CAKE_VEC(void *) handles; // of dlopen
  CAKE_VEC(const CakePlugin *) plugins;
  CAKE_VEC(const CakePassDef *) tables; // all passes: the built-in table first, those of rewrites from `context`
  CAKE_VEC(CakeVerifyFn) verifiers;     // all checks behind `cake_verify`: the built-in ones first
  CakePassRegistry registry;            // over `tables`
  CAKE_VEC(ExtensionText) texts;
  CakeContext *context; // in which texts were read first; NULL: there are none
  size_t n_plugin_tables;
  // For `context`: what texts may hold, and who hears of their errors.
  bool allow_unregistered;
  CakeDiagnosticFn report;
  void *report_user;
} Extensions;

// Holds what is built in.
void extensions_init(Extensions *extensions);
// Also unloads: nothing of a plugin may be used behind this.
void extensions_fini(Extensions *extensions);
// Loads the file at `path`: all of one kind before any of the next. False: `error` says why, or it was reported; nothing of a plugin was added.
CAKE_NODISCARD bool extensions_load(Extensions *extensions, ExtensionKind kind, const char *path, CakeBuf *error);
// Loads all of them, one kind after the other: rewrites are about the ops of dialects.
CAKE_NODISCARD bool extensions_load_files(Extensions *extensions, const ExtensionFiles *files, CakeBuf *error);
// Registers all dialects in a context: the built-in ones, those of the plugins, those in text. False: reported.
CAKE_NODISCARD bool extensions_register(const Extensions *extensions, CakeContext *context);
// Reads all rewrites into a context with these dialects; the passes that it can run come back, valid as long as it is. False: reported.
CAKE_NODISCARD bool extensions_enter(const Extensions *extensions, CakeContext *context, CakePassRegistry *out);
// Reads all rewrites into a context with these dialects and appends them. False: reported.
typedef CAKE_VEC(const CakeRewrites *) ExtensionRewrites;
CAKE_NODISCARD bool extensions_read_rewrites(const Extensions *extensions, CakeContext *context, ExtensionRewrites *out);
// `cake_verify`, then all other checks. False: reported.
CAKE_NODISCARD bool extensions_verify(const Extensions *extensions, CakeOp *module);

// An option `--load-…` at argv[*i] is remembered; false: argv[*i] is another argument. A missing value is reported, and *out_failed set.
bool extensions_take_option(ExtensionFiles *files, const CakeTool *tool, int argc, char **argv, int *i,
                            bool *out_failed);
// What a program's help says of them.
#define EXTENSIONS_HELP \
  "  --load-dialect-plugin FILE, --load-pass-plugin FILE, --load-dialect FILE, --load-rewrites FILE\n" \
  "                      plugins, dialects and rewrites as text, as in cake-opt\n"

#endif
