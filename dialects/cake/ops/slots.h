// Enumerators and accessors of the slots of pipelines.
#ifndef CAKE_DIALECTS_CAKE_OPS_SLOTS_H
#define CAKE_DIALECTS_CAKE_OPS_SLOTS_H

#include "dialects/cake/cake.h"

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/slots.def"
#define CAKE_ROWS_PART
#define CAKE_ROWS_ENUM
#define CAKE_ROWS_ACCESSORS
#include "cake/dialect_rows.h"

#endif
