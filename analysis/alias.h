// Aliases: whether two values may name the same memory.
//
// A value is traced to what it lies in: through the ops whose rows say so (`.lies_in`), and through the values that
// branches, loops and regions hand on. Memory of two allocations is never the same, nor is memory of two spaces, nor of
// two pipelines. Arguments of functions and kernels may name the same memory, but none that is allocated inside.
#ifndef CAKE_ANALYSIS_ALIAS_H
#define CAKE_ANALYSIS_ALIAS_H

#include "cake/dialect.h"

CAKE_BEGIN_C

typedef enum CakeAlias {
  CAKE_ALIAS_NO,
  CAKE_ALIAS_MAY,
  CAKE_ALIAS_PARTIAL, // they overlap: the one lies in the other
  CAKE_ALIAS_MUST,    // the same bytes
} CakeAlias;

CakeAlias cake_alias(const CakeValue *a, const CakeValue *b);
// "no", "may", "partial", "must".
const char *cake_alias_name(CakeAlias alias);
// The space of the memory that values of a type name; ANY: not known, or no memory.
CakeSpace cake_alias_space(CakeType type);

// What a value lies in. At most CAKE_ALIAS_ROOTS of them are told apart.
typedef struct CakeAliasRoot {
  const CakeValue *value; // an allocation, an argument, or a result of which nothing is known; NULL: a declaration
  const CakeOp *symbol;   // the declaration (a pipeline) that an op names
  uint32_t part;          // of the declaration: the number of the result, whose parts are never the same memory
} CakeAliasRoot;
enum { CAKE_ALIAS_ROOTS = 8 };
// How many roots there are; -1: more than there is room for, or they are not known.
int cake_alias_roots(const CakeValue *value, CakeAliasRoot *out);

CAKE_END_C
#endif
