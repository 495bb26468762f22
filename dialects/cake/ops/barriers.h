// Enumerators and accessors of barriers, fences and other synchronisation that remains visible.
#ifndef CAKE_DIALECTS_CAKE_OPS_BARRIERS_H
#define CAKE_DIALECTS_CAKE_OPS_BARRIERS_H

#include "dialects/cake/cake.h"

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/barriers.def"
#define CAKE_ROWS_PART
#define CAKE_ROWS_ENUM
#define CAKE_ROWS_ACCESSORS
#include "cake/dialect_rows.h"

#endif
