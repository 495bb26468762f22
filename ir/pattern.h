// What the greedy driver and the patterns share. Private to ir/.
#ifndef CAKE_IR_PATTERN_H
#define CAKE_IR_PATTERN_H

#include "cake/action.h"
#include "cake/pattern.h"
#include "cake/text.h"
#include "core.h"

// `cake_action_begin` and its end, for actions of which there are many.
static inline bool cake_rewrite_begin(CakeContext *context, const CakeAction *action) {
  return !context->observers.len || cake_action_begin(context, action);
}
static inline void cake_rewrite_end(CakeContext *context, const CakeAction *action, bool is_changed) {
  CakeActionResult result = is_changed ? CAKE_ACTION_CHANGED : CAKE_ACTION_UNCHANGED;
  if (context->observers.len) cake_action_end(context, action, result, CAKE_STR(""));
}

// Compares what a pattern or hook says with what it did; `changes`: of the rewriter, before. False: reported.
bool cake_rewrite_blame(CakePassContext *pass, const CakeAction *action, bool says_changed);
CAKE_NODISCARD static inline bool cake_rewrite_judge(CakePassContext *pass, const CakeAction *action, uint64_t changes,
                                                     bool says_changed) {
  bool has_changed = pass->rewriter.changes != changes;
  if (has_changed == says_changed && !pass->rewriter.misuse && !pass->rewriter.fault) return true;
  return cake_rewrite_blame(pass, action, says_changed);
}

typedef enum CakeAttempt { CAKE_ATTEMPT_DECLINED, CAKE_ATTEMPT_APPLIED, CAKE_ATTEMPT_FAILED } CakeAttempt;
// Tries the patterns for the op, best first, until one applies (the op may be gone then) or fails (reported).
// *out_name: the last one that was tried.
// `chooses`: those that the options of the pass leave out are not tried.
CakeAttempt cake_patterns_try(CakePassContext *pass, CakePatternSet *set, CakeOp *op, bool chooses,
                              const char **out_name);
// Whether the pass has options that choose patterns (`disable-patterns`, `enable-patterns`) and they are given. Warns of names at `root`
// that neither a pattern of the set nor an op has.
bool cake_patterns_choose(CakePassContext *pass, const CakePatternSet *set, CakeOp *root);
// Whether these options leave the pattern of that name, or the hook of the op of that name.
bool cake_pattern_is_chosen(const CakePassContext *pass, const char *name);

#endif
