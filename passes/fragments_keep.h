// Which elements of a fragment a predicate keeps (cake_expand_fragments_keep.c), for the ops that ask.
#ifndef CAKE_PASSES_FRAGMENTS_KEEP_H
#define CAKE_PASSES_FRAGMENTS_KEEP_H

#include "passes/fragments.h"

CAKE_BEGIN_C

// One comparison: of a lane's number with a constant, which alone differs from element to element.
typedef struct CakeKeepTerm {
  CakeIntPredicate compare;
  int64_t row, col;
  CakeValue *rest; // what is the same for all elements
  CakeValue *lane; // the number for the lane's first element
} CakeKeepTerm;

typedef struct CakeKeep {
  CakeFragments *expand;
  const CakeLayout *layout;
  CakeKeepTerm *terms;
  size_t n_terms; // 0: all elements stay
  bool uses_row, uses_col;
  CakeValue **slots; // by row slot and col slot, as far as they are used; NULL: not asked for yet
} CakeKeep;

// False: reported. `pred` may be NULL.
CAKE_NODISCARD bool cake_keep_init(CakeKeep *keep, CakeFragments *expand, CakeOp *op, CakeAttr pred,
                                   CakeOperandRange idx, const CakeLayout *layout);
// Whether an element stays; NULL: always.
CakeValue *cake_keep_at(CakeKeep *keep, uint32_t element);
// Whether all elements of the fragment stay, in one condition that is the same for all lanes. NULL: there is no predicate, or it does not
// tell.
CakeValue *cake_keep_all(const CakeKeep *keep);

CAKE_END_C
#endif
