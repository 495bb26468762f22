// Debug counters: which of many rewrites are done, to find by halving the one that breaks something.
//
// A counter is named by what it counts: a pattern, or `fold`, `canonicalize` (the hooks of ops), `pass`. Patterns, hooks and
// passes are counted whenever they are about to be tried, folds when something was folded. With `NAME-skip=N,NAME-count=M` the
// first N are left out, then M are done, and the rest is left out. The driver may come back to an op that was left out: that
// counts again.
#ifndef CAKE_COUNTERS_H
#define CAKE_COUNTERS_H

#include "cake/context.h"

CAKE_BEGIN_C

// Sets the counters of a context from such a list, separated by commas, and lets those without bounds count too, when `counts_all`.
// False: `error` says what is wrong with the text.
CAKE_NODISCARD bool cake_context_set_counters(CakeContext *context, CakeStr text, bool counts_all, CakeBuf *error);
// Counts one more; false: it is to be left out. Always true in a context without counters.
bool cake_counter_allows(CakeContext *context, const char *name);
// A line a counter, in the order in which they were named or first counted: "NAME: {count, skip, stop after}".
void cake_counters_print(const CakeContext *context, CakeBuf *out);

CAKE_END_C
#endif
