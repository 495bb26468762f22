// Enumerators of the ops of math: only for files that work with them, since another op compiles these again.
#ifndef CAKE_DIALECTS_MATH_OPS_H
#define CAKE_DIALECTS_MATH_OPS_H

#include "dialects/math/math.h"

#define CAKE_DIALECT math
#define CAKE_ROWS "dialects/math/math.def"
#define CAKE_ROWS_ENUM
#include "cake/dialect_rows.h"

#endif
