// math: the dialect. Enumerators of its ops come from math_ops.h.
#ifndef CAKE_DIALECTS_MATH_H
#define CAKE_DIALECTS_MATH_H

#include "cake/dialect.h"

CAKE_BEGIN_C

extern const CakeDialectDef cake_dialect_math;

CAKE_END_C
#endif
