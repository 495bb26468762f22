// What a verdict rests on: how much was looked at, and where a bound cut the search. Silence is never a pass.
#ifndef CAKE_VERIFIER_COVERAGE_H
#define CAKE_VERIFIER_COVERAGE_H

#include "cake/base.h"
#include "verifier/protocol.h"

CAKE_BEGIN_C

// One cake.kernel, or one gpu.func with barriers.
typedef struct CakeCoverageItem {
  CakeOp *op;
  size_t ops;                  // in it, itself included
  bool is_template;            // parameters without a value: what needs numbers is checked of instances
  bool has_protocol;           // the protocol checker applies
  CakeProtocolReport protocol; // of it
} CakeCoverageItem;

// A rule on the module: how many ops, values or kernels it gave a verdict about, and how many errors it has.
typedef struct CakeCoverageRule {
  const struct CakeRule *rule;
  size_t sites, findings;
} CakeCoverageRule;

typedef struct CakeCoverage {
  size_t ops;        // of the module
  size_t unmodelled; // ops whose effects nobody knows: of dialects that are not registered
  CAKE_VEC(CakeCoverageRule) rules; // that ran on it
  CAKE_VEC(CakeCoverageItem) items;
} CakeCoverage;

// Runs the rules again. Reports nothing. `budget`: states that the protocol checker may explore of each. Needs fini.
void cake_coverage_of(CakeOp *module, size_t budget, CakeCoverage *out);
void cake_coverage_fini(CakeCoverage *coverage);
// "proved", "bounded", "refuted"; "template" or "no protocol" where the checker has nothing to say.
const char *cake_coverage_verdict(const CakeCoverageItem *item);
// One line an item and one a rule, for people; and an object for programs.
void cake_coverage_print(const CakeCoverage *coverage, CakeBuf *out);
void cake_coverage_json(const CakeCoverage *coverage, CakeJson *json);

CAKE_END_C
#endif
