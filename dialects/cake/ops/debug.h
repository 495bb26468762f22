// Enumerators and accessors of ops for debugging.
#ifndef CAKE_DIALECTS_CAKE_OPS_DEBUG_H
#define CAKE_DIALECTS_CAKE_OPS_DEBUG_H

#include "dialects/cake/cake.h"

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/debug.def"
#define CAKE_ROWS_PART
#define CAKE_ROWS_ENUM
#define CAKE_ROWS_ACCESSORS
#include "cake/dialect_rows.h"

#endif
