// Enumerators and accessors of tiles of global memory to and from fragments.
#ifndef CAKE_DIALECTS_CAKE_OPS_ARRAYS_H
#define CAKE_DIALECTS_CAKE_OPS_ARRAYS_H

#include "dialects/cake/cake.h"

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/arrays.def"
#define CAKE_ROWS_PART
#define CAKE_ROWS_ENUM
#define CAKE_ROWS_ACCESSORS
#include "cake/dialect_rows.h"

#endif
