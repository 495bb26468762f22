// math: enumerators of its ops.
#ifndef CAKE_DIALECTS_MATH_H
#define CAKE_DIALECTS_MATH_H

#include "cake/dialect.h"

CAKE_BEGIN_C

#define CAKE_ROWS "dialects/math/math.def"
#define CAKE_DIALECT math
#define CAKE_ROWS_ENUM
#include "cake/dialect_rows.h"

extern const CakeDialectDef cake_dialect_math;

CAKE_END_C
#endif
