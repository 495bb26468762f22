// cf: enumerators of its ops.
#ifndef CAKE_DIALECTS_CF_H
#define CAKE_DIALECTS_CF_H

#include "cake/dialect.h"

CAKE_BEGIN_C

#define CAKE_ROWS "dialects/cf/cf.def"
#define CAKE_DIALECT cf
#define CAKE_ROWS_ENUM
#include "cake/dialect_rows.h"

extern const CakeDialectDef cake_dialect_cf;

CAKE_END_C
#endif
