// Paths through structured control flow, by the `flow` of op descriptors: how often events happen, and which of two ops
// comes first.
#ifndef CAKE_VERIFIER_PATHS_H
#define CAKE_VERIFIER_PATHS_H

#include "cake/dialect.h"

typedef enum CakePathKind {
  CAKE_PATH_NEVER,  // on no path
  CAKE_PATH_ONCE,   // exactly once on every path
  CAKE_PATH_TWICE,  // `second` happens behind `first`
  CAKE_PATH_BRANCH, // in some regions of the branching op `at`, not in all
  CAKE_PATH_LOOP,   // inside of the loop `at`: any number of times
  CAKE_PATH_OPAQUE, // inside of `at`, whose control flow is not known
} CakePathKind;

typedef struct CakePath {
  CakePathKind kind;
  CakeOp *first, *second; // of TWICE; `first` also is an event of BRANCH, LOOP, OPAQUE and ONCE
  CakeOp *at;
} CakePath;

// How often one of `events` happens from the start of `block` to its end. Events elsewhere are ignored. Sorts `events`.
CakePath cake_path_count(CakeBlock *block, CakeOp **events, size_t count);

typedef enum CakePathOrder {
  CAKE_PATH_BEFORE, // a comes before b
  CAKE_PATH_AFTER,
  CAKE_PATH_SAME,
  CAKE_PATH_INSIDE, // b stands in a region of a
  CAKE_PATH_AROUND, // a stands in a region of b
  CAKE_PATH_APART,  // in different regions of a branching op: never both, or in no common block
} CakePathOrder;

// Inside of one round of every loop that is around both.
CakePathOrder cake_path_order(CakeOp *a, CakeOp *b);

// The op that is `op` or around it and stands directly in `block`; NULL when there is none.
CakeOp *cake_path_ancestor(CakeOp *op, const CakeBlock *block);

#endif
