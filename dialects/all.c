// The list of the dialects that Cake ships with.
#include "cake/dialects.h"
#include "dialects/arith/arith.h"
#include "dialects/cake/cake.h"
#include "dialects/cf/cf.h"
#include "dialects/func/func.h"
#include "dialects/gpu/gpu.h"
#include "dialects/math/math.h"
#include "dialects/scf/scf.h"

const CakeDialectDef *const cake_dialects[] = {
    &cake_dialect_builtin, &cake_dialect_arith, &cake_dialect_math,
    &cake_dialect_scf,     &cake_dialect_cf,    &cake_dialect_func,
    &cake_dialect_gpu,     &cake_dialect_cake,  NULL,
};

void cake_register_all_dialects(CakeContext *context) {
  for (const CakeDialectDef *const *dialect = cake_dialects; *dialect; dialect++)
    cake_context_register_dialect(context, *dialect);
}
