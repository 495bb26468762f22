// Enumerators of the ops of arith: only for files that work with them, since another op compiles these again.
#ifndef CAKE_DIALECTS_ARITH_OPS_H
#define CAKE_DIALECTS_ARITH_OPS_H

#include "dialects/arith/arith.h"

#define CAKE_DIALECT arith
#define CAKE_ROWS "dialects/arith/arith.def"
#define CAKE_ROWS_ENUM
#include "cake/dialect_rows.h"

#endif
