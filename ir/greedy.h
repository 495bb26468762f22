// What a run of greedy rewriting that does not end has been doing. Private to ir/greedy*.c.
#ifndef CAKE_IR_GREEDY_H
#define CAKE_IR_GREEDY_H

#include "cake/constants.h"
#include "cake/pass.h"

typedef enum CakeRewriteKind {
  CAKE_REWRITE_FOLD,
  CAKE_REWRITE_CANONICALIZE,
  CAKE_REWRITE_PATTERN,
  CAKE_REWRITE_OTHER
} CakeRewriteKind;

typedef struct CakeRewriteStep {
  CakeOpInfo *info;
  CakeRewriteKind kind;
  CakeLoc loc;
  const char *pattern; // PATTERN: its name
} CakeRewriteStep;

typedef CAKE_VEC(CakeRewriteStep) CakeRewriteSteps;

// Reports that rewriting in `root` was stopped after that many rewrites, of which `steps` are the last. `is_by_rounds`: by the
// limit of rounds, not of rewrites. False.
bool cake_greedy_report(CakeOp *root, const CakeRewriteSteps *steps, int64_t rewrites, bool is_by_rounds);

#endif
