// What a tool is given beside what it ships with: plugins that add dialects, passes and rules, and files of rewrites.
#ifndef CAKE_TOOLS_EXTENSIONS_H
#define CAKE_TOOLS_EXTENSIONS_H

#include "cake/plugin.h"

// A file that every context reads for itself.
typedef struct ExtensionText {
  const char *path;
  CakeBuf text;
} ExtensionText;

typedef struct Extensions {
  CAKE_VEC(void *) handles; // of dlopen
  CAKE_VEC(const CakePlugin *) plugins;
  CAKE_VEC(const CakePassDef *) tables; // all passes: the built-in table first, those of rewrites from `context`
  CAKE_VEC(CakeVerifyFn) verifiers;     // all checks behind `cake_verify`: the built-in ones first
  CakePassRegistry registry;            // over `tables`
  CAKE_VEC(ExtensionText) rewrites;
  CakeContext *context; // in which texts were read first; NULL: there are none
  size_t n_plugin_tables;
  // For `context`: what files of rewrites may hold, and who hears of their errors.
  bool allow_unregistered;
  CakeDiagnosticFn report;
  void *report_user;
} Extensions;

// Holds what is built in.
void extensions_init(Extensions *extensions);
// Also unloads: nothing of a plugin may be used behind this.
void extensions_fini(Extensions *extensions);
// Loads the shared library at `path`; before any text. False: `error` says why, and nothing of it was added.
CAKE_NODISCARD bool extensions_load(Extensions *extensions, const char *path, CakeBuf *error);
// Reads a file of rewrites. False: `error` says why, or it was reported.
CAKE_NODISCARD bool extensions_load_rewrites(Extensions *extensions, const char *path, CakeBuf *error);
// Registers all dialects in a context: the built-in ones, then those of the plugins.
void extensions_register(const Extensions *extensions, CakeContext *context);
// Reads all texts into a context with these dialects; the passes that it can run come back, valid as long as it is. False: reported.
CAKE_NODISCARD bool extensions_enter(const Extensions *extensions, CakeContext *context, CakePassRegistry *out);
// `cake_verify`, then all other checks. False: reported.
CAKE_NODISCARD bool extensions_verify(const Extensions *extensions, CakeOp *module);

#endif
