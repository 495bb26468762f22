// The table of findings.
#include "cake/finding.h"

static const CakeFinding findings[] = {
#define FINDING(code, category, clause, why) {CAKE_CODE_##code, CAKE_CATEGORY_##category, clause, why},
#include "cake/findings.def"
#undef FINDING
};

const CakeFinding *cake_finding_find(CakeCode code) {
  for (size_t i = 0; i < CAKE_COUNT(findings); i++)
    if (findings[i].code == code) return &findings[i];
  return NULL;
}

const char *cake_category_name(CakeCategory category) {
  static const char *const names[] = {
      [CAKE_CATEGORY_SAFETY] = "program safety",
      [CAKE_CATEGORY_HARDWARE] = "hardware conformance",
      [CAKE_CATEGORY_DATA] = "data consistency",
      [CAKE_CATEGORY_SCHEDULE] = "schedule semantics",
  };
  return names[category];
}
