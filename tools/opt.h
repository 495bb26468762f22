// cake-opt's parts: options, running one input, expected diagnostics. Private to tools/.
#ifndef CAKE_TOOLS_OPT_H
#define CAKE_TOOLS_OPT_H

#include <stdio.h>

#include "cake/action.h"
#include "cake/pass.h"
#include "cake/text.h"
#include "tools/extensions.h"

typedef struct OptPass {
  CakeStr name, options;
} OptPass;

typedef enum OptAction {
  OPT_RUN,
  OPT_HELP,
  OPT_VERSION,
  OPT_LIST_PASSES,
  OPT_LIST_OPS,
  OPT_LIST_DIALECTS,
  OPT_EXPLAIN
} OptAction;

typedef struct OptOptions {
  OptAction action;
  const char *input, *output; // "-" by default
  const char *explain;        // a code
  const char *pass_pipeline;  // NULL: `passes`
  CAKE_VEC(OptPass) passes;   // single flags, in order
  CakePrintOptions print;
  CakePipelineOptions run;
  bool allow_unregistered, verify_diagnostics, split, json, timing, timing_json, dump_pipeline, no_verify, apply_fixes, coverage;
  const char *tree_dir;                      // where the IR goes that is printed round passes; NULL: standard error
  const char *crash_reproducer, *reproducer; // files: when a run fails or crashes; in any case. NULL: none
  bool emit_bytecode;
  const char *counters; // their bounds; NULL: none
  bool print_counters;
  const char *log_actions; // a file, or "-" for standard error; NULL: none
  bool run_reproducer;                       // the pipeline stands in the input
  const char *remarks_filter;                // a regular expression; NULL: all remarks
  const char *split_marker, *output_marker;  // lines between what is read, and written, as files of their own
  bool expects_only;                         // with verify_diagnostics: others may come, too
  bool verify_roundtrip, hides_notes, shows_ops;
  CakeSeverity least; // of what is shown
  CakeBuf before, after; // lists of passes for `run`
} OptOptions;

// Reads the command line and loads the plugins that it names. False: `error` says what is wrong with it.
bool opt_parse_args(int argc, char **argv, Extensions *extensions, OptOptions *out, CakeBuf *error);
void opt_options_fini(OptOptions *options);
void opt_print_help(CakeBuf *out);
void opt_list_passes(const CakePassRegistry *registry, CakeBuf *out);
void opt_list_ops(const CakeContext *context, CakeBuf *out);
void opt_list_dialects(const CakeContext *context, CakeBuf *out);

// Printing round passes into files under a folder, which are made as needed: `user` is an OptTree.
typedef struct OptTree {
  const char *dir;
  CakeBuf errors; // one a line
} OptTree;
void opt_tree_print(void *user, CakeStr path, CakeStr text);

// The log of actions: a file, or standard error. Zero-initialise; a file that was not opened logs nothing.
typedef struct OptActions {
  const char *path;
  FILE *file;
  CakeActionLog log;
  CakeActionObserver observer;
} OptActions;
CAKE_NODISCARD bool opt_actions_open(OptActions *actions, const char *path, CakeBuf *error);
void opt_actions_observe(OptActions *actions, CakeContext *context); // one context after the other
CAKE_NODISCARD bool opt_actions_close(OptActions *actions, CakeBuf *error);

// From here on, when the process is ended by a signal that says it crashed, what is in `text` then is written to the file. Both are
// borrowed until `opt_crash_ignore`.
void opt_crash_watch(const CakeBuf *text, const char *path);
void opt_crash_ignore(void);

// `expected-error {{…}}` comments: a handler that collects, and the comparison at the end.
typedef struct OptExpected OptExpected;
// `line`: the number of the text's first line. `is_partial`: what nobody expected is no fault.
OptExpected *opt_expected_create(CakeContext *context, CakeStr file, CakeStr text, uint32_t line, bool is_partial);
// The handler of the context from then on.
void opt_expected_handle(void *expected, const CakeDiagnostic *diagnostic);
// Reports what came unexpectedly and what did not come, through `report`; true when all is as expected. Frees it.
bool opt_expected_finish(OptExpected *expected, CakeDiagnosticFn report, void *user);

// Whether the module comes back the same from its custom form, its generic form, and bytecode. False: reported.
CAKE_NODISCARD bool opt_roundtrip(const Extensions *extensions, CakeOp *module);

// Applies the fixes of findings to a program's text, one after the other, each only if the program has fewer errors with it.
// True: `out` has a text that verifies. *out_applied: how many were applied.
bool opt_apply_fixes(const Extensions *extensions, CakeStr file, CakeStr text, bool allow_unregistered, CakeBuf *out, size_t *out_applied);

#endif
