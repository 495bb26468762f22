// Test-case reduction: smaller and smaller modules for which a command goes on answering the same.
#ifndef CAKE_TOOLS_REDUCE_H
#define CAKE_TOOLS_REDUCE_H

#include "tools/extensions.h"

CAKE_BEGIN_C

// ---- Cuts (tools/reduce_cuts.c) ----------------------------------------------------------------------------------------

// One way of making a module smaller. It has sites, numbered in pre-order, that do not depend on one another's removal:
// a range of them is cut at once. Every cut that changes something makes the module smaller in a way that no other undoes.
typedef struct ReduceCut {
  const char *name, *doc;
  size_t (*count)(CakeOp *module);
  // Cuts the sites first … first + count - 1. False: nothing changed.
  bool (*apply)(CakeRewriter *rewriter, CakeOp *module, size_t first, size_t count);
} ReduceCut;

extern const ReduceCut reduce_cuts[]; // ends with a NULL name

// ---- The command (tools/reduce_test.c) -----------------------------------------------------------------------------------

typedef enum ReduceOutcome { REDUCE_EXITS, REDUCE_CRASHES, REDUCE_HANGS } ReduceOutcome;

typedef struct ReduceTest {
  const char *command;  // for /bin/sh; every %s is the candidate's file, which is the last argument where there is none
  ReduceOutcome wanted; // what makes a candidate interesting
  int status;           // the exit status, with REDUCE_EXITS
  double timeout_s;
} ReduceTest;

// Writes the candidate to `path` and runs the command on it. False: `error` says why it could not be run.
CAKE_NODISCARD bool reduce_test_run(const ReduceTest *test, const char *path, CakeStr text, bool *out_interesting,
                                    CakeBuf *error);

// ---- Reduction (tools/reduce.c) ------------------------------------------------------------------------------------------

typedef struct ReduceOptions {
  const Extensions *extensions;
  ReduceTest test;
  const char *file;               // the input's name in messages
  const char *output;             // written whenever something was cut; NULL: not
  const char *passes;             // pass names, with commas between: tried as they are
  bool generic, allow_invalid;    // how to print; keep candidates that do not verify
  bool allow_unregistered, trace; // trace: a line on standard error for every cut that was kept
} ReduceOptions;

typedef struct ReduceResult {
  CakeBuf text; // the smallest module found
  size_t ops_before, ops_after, tests, kept;
} ReduceResult;

// Reduces a module's text until no cut of a single site is interesting any more. Deterministic as far as the command is.
// False: `error` says why: the text does not parse, is not interesting itself, or the command cannot be run.
CAKE_NODISCARD bool reduce_run(const ReduceOptions *options, CakeStr text, ReduceResult *out, CakeBuf *error);

CAKE_END_C
#endif
