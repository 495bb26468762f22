// scf: enumerators of its ops.
#ifndef CAKE_DIALECTS_SCF_H
#define CAKE_DIALECTS_SCF_H

#include "cake/dialect.h"

CAKE_BEGIN_C

#define CAKE_ROWS "dialects/scf/scf.def"
#define CAKE_DIALECT scf
#define CAKE_ROWS_ENUM
#include "cake/dialect_rows.h"

extern const CakeDialectDef cake_dialect_scf;

CAKE_END_C
#endif
