// Debug counters: which of many rewrites are done, to find by halving the one that breaks something.
//
// A counter observes actions (cake/action.h). It is named by what it counts: a pattern, or the kind of other actions (`fold`,
// `canonicalize`, `erase`, `round`, `pass`). Patterns, hooks and passes are counted whenever they are about to be tried, folds when
// something was folded. With `NAME-skip=N,NAME-count=M` the first N are left out, then M are done, and the rest is left out. The driver
// may come back to an op that was left out: that counts again.
#ifndef CAKE_COUNTERS_H
#define CAKE_COUNTERS_H

#include "cake/context.h"

CAKE_BEGIN_C

// Sets the counters of a context from such a list, separated by commas, and lets those without bounds count too, when `counts_all`.
// False: `error` says what is wrong with the text.
CAKE_NODISCARD bool cake_context_set_counters(CakeContext *context, CakeStr text, bool counts_all, CakeBuf *error);
// A line a counter, in the order in which they were named or first counted: "NAME: {count, skip, stop after}".
void cake_counters_print(const CakeContext *context, CakeBuf *out);

CAKE_END_C
#endif
