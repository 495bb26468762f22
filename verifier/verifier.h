// Checks over whole modules behind `cake_verify`: linear values and pipelines, then the rules of rules.def.
#ifndef CAKE_VERIFIER_VERIFIER_H
#define CAKE_VERIFIER_VERIFIER_H

#include "cake/verify.h"

CAKE_BEGIN_C

// Linear values, views, slots, loans and counts: what the types cannot say alone. Works on any op with regions through
// the `flow` of its descriptor, and refuses what it does not understand. False: reported.
CAKE_NODISCARD bool cake_verify_linear(CakeOp *module);
// Forms, sizes, targets, resources and padding. False: reported.
CAKE_NODISCARD bool cake_verify_rules(CakeOp *module);

// Both, in this order, for tools and the pass manager; NULL behind the last.
extern const CakeVerifyFn cake_extra_verifiers[];

// A row of rules.def: for documentation and tests.
typedef struct CakeRule {
  const char *name; // "linear-values"
  CakeCode code;    // the first of the codes that it reports
  const char *summary;
  bool is_linear; // run by cake_verify_linear
  bool (*check)(CakeOp *module);
} CakeRule;
extern const CakeRule cake_rules[]; // NULL name behind the last

CAKE_END_C
#endif
