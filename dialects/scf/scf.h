// scf: the dialect. Enumerators of its ops come from scf_ops.h.
#ifndef CAKE_DIALECTS_SCF_H
#define CAKE_DIALECTS_SCF_H

#include "cake/dialect.h"

CAKE_BEGIN_C

extern const CakeDialectDef cake_dialect_scf;

CAKE_END_C
#endif
