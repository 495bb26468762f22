// Enumerators of the ops of scf: only for files that work with them, since another op compiles these again.
#ifndef CAKE_DIALECTS_SCF_OPS_H
#define CAKE_DIALECTS_SCF_OPS_H

#include "dialects/scf/scf.h"

#define CAKE_DIALECT scf
#define CAKE_ROWS "dialects/scf/scf.def"
#define CAKE_ROWS_ENUM
#include "cake/dialect_rows.h"

#endif
