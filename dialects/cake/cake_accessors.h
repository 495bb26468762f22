// Accessors of the cake dialect's operands and attributes: cake_cake_<op>_<name>(op). Only for files that work on the
// dialect.
#ifndef CAKE_DIALECTS_CAKE_ACCESSORS_H
#define CAKE_DIALECTS_CAKE_ACCESSORS_H

#include "dialects/cake/cake.h"

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/cake.def"
#define CAKE_ROWS_ACCESSORS
#include "cake/dialect_rows.h"

#endif
