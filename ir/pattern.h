// What the greedy driver and the patterns share. Private to ir/.
#ifndef CAKE_IR_PATTERN_H
#define CAKE_IR_PATTERN_H

#include "cake/counters.h"
#include "cake/pattern.h"
#include "cake/text.h"
#include "core.h"

// An op that is about to be rewritten: what is said of it when it may be gone.
typedef struct CakeRewriteSite {
  const CakeOpInfo *info;
  CakeLoc loc;
  uint64_t changes; // of the rewriter, before
} CakeRewriteSite;

// A line of the trace, when there is one.
void cake_rewrite_trace_line(CakePassContext *pass, const CakeRewriteSite *site, const char *what);
static inline void cake_rewrite_trace(CakePassContext *pass, const CakeRewriteSite *site, const char *what) {
  if (pass->trace) cake_rewrite_trace_line(pass, site, what);
}

// Compares what a pattern or hook ("pattern", "hook") says with what it did. False: reported.
bool cake_rewrite_blame(CakePassContext *pass, const CakeRewriteSite *site, const char *kind, const char *name,
                        bool says_changed);
CAKE_NODISCARD static inline bool cake_rewrite_judge(CakePassContext *pass, const CakeRewriteSite *site,
                                                     const char *kind, const char *name, bool says_changed) {
  bool has_changed = pass->rewriter.changes != site->changes;
  if (has_changed == says_changed && !pass->rewriter.misuse) return true;
  return cake_rewrite_blame(pass, site, kind, name, says_changed);
}

// What `cake_counter_allows` says.
static inline bool cake_rewrite_is_counted_in(CakeContext *context, const char *name) {
  return !context->counters || cake_counter_allows(context, name);
}

typedef enum CakeAttempt { CAKE_ATTEMPT_DECLINED, CAKE_ATTEMPT_APPLIED, CAKE_ATTEMPT_FAILED } CakeAttempt;
// Tries the patterns for the op, best first, until one applies (the op may be gone then) or fails (reported).
// *out_name: the last one that was tried.
CakeAttempt cake_patterns_try(CakePassContext *pass, CakePatternSet *set, CakeOp *op, const char **out_name);

#endif
