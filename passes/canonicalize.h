// Canonicalisation as a part of other passes.
#ifndef CAKE_PASSES_CANONICALIZE_H
#define CAKE_PASSES_CANONICALIZE_H

#include "passes/passes.h"

// Rewrites everything in `root` to its canonical form, as the pass does; false: reported.
CAKE_NODISCARD bool cake_canonicalize(CakePassContext *pass, CakeOp *root, int64_t max_iterations,
                                      bool simplify_regions);

#endif
