// Walking back from what must not meet padding to the loads and copies that pad.
#ifndef CAKE_VERIFIER_PADDING_H
#define CAKE_VERIFIER_PADDING_H

#include "verifier/padding_zero.h"

typedef struct CakePadKeep {
  CakeAttr pred; // NULL: none
  CakeOperandRange idx;
} CakePadKeep;

// Element i of what is reduced is element offset + i of the value along the axis.
typedef struct CakePadVisit {
  const CakeValue *value;
  CakePadAxis axis;
  size_t offset; // number in the search
} CakePadVisit;

// The first of the search's offsets: not known, and none.
enum { CAKE_PAD_UNKNOWN, CAKE_PAD_AT_START };

typedef struct CakePadSearch {
  CakeOp *user;            // best, reduce, mma, or a commit that adds
  CakePadKeep keeps[2];    // of best, and of a neutral mask before it
  bool is_product;         // padding by 0 is neutral
  bool is_sum;             // of a reduction: so it is, while the ops on the way keep a 0
  int infinity;            // of a maximum -1, of a minimum 1: padding by that infinity is neutral; 0: it is not
  CakeExprKind coordinate; // in predicates: along what is reduced
  bool is_lost;            // an op on the way may have made something else of it
  const CakeValue *factor; // of a product: the other one, which is summed along that axis; NULL: not to be asked
  CakePadAxis factor_axis;
  const CakeTile *target; // of a commit that adds: what is outside of it is dropped; NULL: none
  size_t target_dim;      // along which it is looked at
  bool has_rows;     // rows whose results are never stored do not matter: `rows` is at least 0 for the others
  CakeSum rows;
  bool is_changed;  // a number on the way may have become another, or come from another round of a loop
  CakeOp *tiles;    // the slot that is looked at is that of step `step`; NULL: of any
  int64_t step;
  CakeOp *later; // it is that of a loop's own step, `step` the first; NULL: of any
  CAKE_VEC(CakeSum) offsets;
  CAKE_VEC(CakePadVisit) seen;
  size_t next; // of `seen`: the first to be looked at
  bool ok;
} CakePadSearch;

// From a best, reduce, mma or commit; `coordinate`: along what is reduced.
CakePadSearch cake_pad_start(CakeOp *user, CakeExprKind coordinate);
// Puts a value on the list unless it was there already or holds no elements; the same of a fragment or a view.
void cake_pad_visit(CakePadSearch *search, const CakeValue *value, CakePadAxis axis, size_t offset);
// Of a fragment the part that begins at `off` (NULL: all of it).
void cake_pad_visit_part(CakePadSearch *search, const CakeValue *value, CakePadAxis axis, CakeAttr off, CakeOperandRange idx);
void cake_pad_visit_operand(CakePadSearch *search, const CakeValue *operand, CakePadVisit at);
// Visits all of the list, and gives the search's memory back. False: a source that is not neutral was reported.
CAKE_NODISCARD bool cake_pad_run(CakePadSearch *search);
// A `pad` or `fill`.
double cake_pad_number(CakeAttr number);

// What is at least 0 for every row of the role's fragments whose results are stored: Y - X - 1 - row, where each of its stores keeps `row + X lt Y`,
// and nothing in the role mixes rows. False: rows may all be stored, or it is not known.
bool cake_pad_rows(CakeOp *role, CakeSum *out);

#endif
