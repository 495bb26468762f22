// Findings: what kind of contract a diagnostic code is about, and where that contract is written.
#ifndef CAKE_FINDING_H
#define CAKE_FINDING_H

#include "cake/diagnostic.h"

CAKE_BEGIN_C

typedef enum CakeCategory {
  CAKE_CATEGORY_SAFETY,   // what a program does to memory and tokens
  CAKE_CATEGORY_HARDWARE, // what the machine takes
  CAKE_CATEGORY_DATA,     // what the numbers mean
  CAKE_CATEGORY_SCHEDULE, // who waits for whom
} CakeCategory;

typedef struct CakeFinding {
  CakeCode code;
  CakeCategory category;
  const char *clause; // the manual and section that it rests on
  const char *why;    // what goes wrong otherwise
} CakeFinding;

// NULL: the code is of no finding of the verifier.
const CakeFinding *cake_finding_find(CakeCode code);
const char *cake_category_name(CakeCategory category); // "program safety"

CAKE_END_C
#endif
