// Enumerators and accessors of copies between global and shared memory.
#ifndef CAKE_DIALECTS_CAKE_OPS_COPIES_H
#define CAKE_DIALECTS_CAKE_OPS_COPIES_H

#include "dialects/cake/cake.h"

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/copies.def"
#define CAKE_ROWS_PART
#define CAKE_ROWS_ENUM
#define CAKE_ROWS_ACCESSORS
#include "cake/dialect_rows.h"

#endif
