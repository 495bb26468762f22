// The cake dialect: its tables, which expand all its rows.
#include "dialects/cake/cake_private.h"

#define CAKE_DIALECT cake
#define CAKE_ROWS "dialects/cake/cake.def"
#define CAKE_ROWS_ENUM
#define CAKE_ROWS_TABLE
#include "cake/dialect_rows.h"

static const CakeTypeDef *const types[] = {&cake_type_def_global, &cake_type_def_shared,  &cake_type_def_slot,
                                           &cake_type_def_turn,   &cake_type_def_pending, &cake_type_def_best,
                                           &cake_type_def_tmem};

static const CakeAttrDef *const attrs[] = {
    &cake_attr_def_expr,        &cake_attr_def_at,        &cake_attr_def_pred,    &cake_attr_def_axes,
    &cake_attr_def_schedule,    &cake_attr_def_parts,     &cake_attr_def_choices, &cake_attr_def_via,
    &cake_attr_def_form,        &cake_attr_def_wgmma_acc, &cake_attr_def_wgmma_a, &cake_attr_def_mma_acc,
    &cake_attr_def_mma_a,       &cake_attr_def_mma_b,     &cake_attr_def_vec,     &cake_attr_def_row,
    &cake_attr_def_col,         &cake_attr_def_part,      &cake_attr_def_of,      &cake_attr_def_tmem_ld,
    &cake_attr_def_tcgen05_acc, &cake_attr_def_lets,
};

static CakeSpace space_of(CakeType type) {
  if (cake_type_is(type, &cake_type_def_global)) return CAKE_SPACE_GLOBAL;
  if (cake_type_is(type, &cake_type_def_shared)) return CAKE_SPACE_SHARED;
  return cake_type_is(type, &cake_type_def_tmem) ? CAKE_SPACE_TMEM : CAKE_SPACE_ANY;
}

const CakeDialectDef cake_dialect_cake = {
    .name = "cake",
    .summary = "Kernels as roles, pipelines and tiles.",
    .ops = cake_ops_cake,
    .n_ops = CAKE_COUNT(cake_ops_cake),
    .types = types,
    .n_types = CAKE_COUNT(types),
    .attrs = attrs,
    .n_attrs = CAKE_COUNT(attrs),
    .directives = cake_cake_directives,
    .n_directives = CAKE_CAKE_DIRECTIVES,
    .space = space_of,
};
