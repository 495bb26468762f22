// Enumerators and accessors of every op of the cake dialect: for files with a table of all of them. Others include the headers of the
// ops that they work with.
#ifndef CAKE_DIALECTS_CAKE_ACCESSORS_H
#define CAKE_DIALECTS_CAKE_ACCESSORS_H

#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/barriers.h"
#include "dialects/cake/ops/best.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/debug.h"
#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/reduce.h"
#include "dialects/cake/ops/role.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"
#include "dialects/cake/ops/turns.h"
#include "dialects/cake/ops/views.h"

#endif
