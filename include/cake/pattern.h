// Rewrite patterns: functions in C, or text (cake/rewrites.h), that the greedy driver applies until none applies any more.
//
// A pattern that says that it has rewritten an op and changed nothing, that changes something and says that it did not apply, or that
// goes on working with an op after erasing it, is an error that names the pattern, in every build.
#ifndef CAKE_PATTERN_H
#define CAKE_PATTERN_H

#include "cake/pass.h"

CAKE_BEGIN_C

typedef struct CakePattern CakePattern;
struct CakePattern {
  const char *name;
  const char *root;    // the op that it applies to ("arith.muli"); NULL: any
  unsigned benefit;    // of several patterns the one of the highest benefit is tried first, then the one that was added first
  // Matches and rewrites; the insertion point is before `op`. True: changed. False: changed nothing; `cake_rewriter_decline` says why.
  bool (*rewrite)(const CakePattern *pattern, CakeOp *op, CakeRewriter *rewriter);
};

// Patterns by the op that they apply to. Lives in the context's arena.
CakePatternSet *cake_pattern_set_create(CakeContext *context);
void cake_pattern_set_add(CakePatternSet *set, const CakePattern *pattern); // constant data, or of the context's arena

// The patterns that `canonicalize` applies beside the hooks of the ops; NULL when there are none.
CakePatternSet *cake_context_canonical_patterns(const CakeContext *context);
void cake_context_add_canonical_pattern(CakeContext *context, const CakePattern *pattern);

CAKE_END_C
#endif
