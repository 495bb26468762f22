// Enumerators and accessors of buffers and what is read and written in shared and tensor memory.
#ifndef CAKE_DIALECTS_CAKE_OPS_VIEWS_H
#define CAKE_DIALECTS_CAKE_OPS_VIEWS_H

#include "dialects/cake/cake.h"

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/ops/views.def"
#define CAKE_ROWS_PART
#define CAKE_ROWS_ENUM
#define CAKE_ROWS_ACCESSORS
#include "cake/dialect_rows.h"

#endif
