// func: enumerators of its ops.
#ifndef CAKE_DIALECTS_FUNC_H
#define CAKE_DIALECTS_FUNC_H

#include "cake/dialect.h"

CAKE_BEGIN_C

#define CAKE_ROWS "dialects/func/func.def"
#define CAKE_DIALECT func
#define CAKE_ROWS_ENUM
#include "cake/dialect_rows.h"

extern const CakeDialectDef cake_dialect_func;

CAKE_END_C
#endif
