// What the parts of greedy rewriting share. Private to ir/greedy*.c.
#ifndef CAKE_IR_GREEDY_H
#define CAKE_IR_GREEDY_H

#include "cake/constants.h"
#include "cake/pass.h"
#include "core.h"

// What is not rewritten.
typedef struct CakeLeftAlone {
  CakeMap cyclic;      // ops of graph regions that depend on themselves
  CakeMap unreachable; // blocks, where they are kept
} CakeLeftAlone;

// Erases the blocks of a region that cannot be reached, or (`keeps`) remembers them.
void cake_greedy_settle_blocks(CakePassContext *pass, CakeRegion *region, bool keeps, CakeLeftAlone *alone);
// The same for the regions of an op; also remembers what depends on itself.
void cake_greedy_settle(CakePassContext *pass, CakeOp *op, bool keeps, CakeLeftAlone *alone);
bool cake_greedy_leaves_alone(const CakeLeftAlone *alone, const CakeOp *op, const CakeOp *root);

// What a run that does not end has been doing.
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
