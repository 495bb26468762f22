// Dense dataflow: what is known at each point between ops, of what has run before it (forwards) or of what may run behind it
// (backwards).
//
// For any lattice, over blocks, over the regions of structured control flow, and through the calls of private callables all of
// whose references are calls. An analysis is a CakeDenseDef. A state is a run of bytes whose size is chosen with the root, so
// that it may hold a bit or a word for each thing that is asked about; it is given out aligned to 8 bytes.
//
// States are kept where control comes together: at the border of each block, and where it comes out of ops with regions and of
// calls. What holds between them is found by going over the block once more.
#ifndef CAKE_ANALYSIS_DENSE_H
#define CAKE_ANALYSIS_DENSE_H

#include "effects.h"

CAKE_BEGIN_C

typedef struct CakeDense CakeDense;

// `user` is what cake_dense_create was given.
typedef struct CakeDenseDef {
  const char *name;
  bool is_backward;
  // At this point `from` may hold, too. True: `into` has changed. Must be monotonic, and a state may change only so many times.
  bool (*join)(void *user, void *into, const void *from);
  // What holds where nothing is known of what runs before (backwards: behind): at the start (the ends) of the regions of
  // `around`, which is the root, a callable that others may call, or an op through whose regions control goes nobody knows how.
  void (*boundary)(void *user, CakeOp *around, void *out);
  // From what holds in front of an op to what holds behind it, or backwards, in place. For what the op does by itself: what is
  // in its regions has its own turn, if their flow is known (cake_dense_effects).
  void (*transfer)(void *user, CakeOp *op, void *state);
} CakeDenseDef;

// Of everything in `root`.
CakeDense *cake_dense_create(const CakeDenseDef *def, size_t size, void *user, CakeOp *root);
void cake_dense_destroy(CakeDense *dense);
// What holds in front of (behind) an op under the root. False: no path leads there.
bool cake_dense_before(CakeDense *dense, CakeOp *op, void *out);
bool cake_dense_after(CakeDense *dense, CakeOp *op, void *out);
// Calls `fn` for the ops of a block, from first to last (backwards: from last to first), with what holds in front of (behind) each;
// not for those to which no path leads. `fn` neither changes the IR nor asks the analysis.
void cake_dense_visit(CakeDense *dense, CakeBlock *block, void (*fn)(void *user, CakeOp *op, const void *state));

// Appends the effects that a transfer function has to reckon with: those of `op`, and of what is in it where nothing is known of how
// control goes through its regions.
void cake_dense_effects(CakeOp *op, CakeEffectVec *out);

CAKE_END_C
#endif
