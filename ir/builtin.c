// The builtin dialect: modules, and the cast that stands for a conversion not yet done.
//
// It lives here, not under dialects/, because a context is never without it.
#include "cake/affine.h"

#include "core.h"

#include <string.h>

#define CAKE_ROWS "ir/builtin.def"
#define CAKE_DIALECT builtin
#define CAKE_ROWS_ENUM
#include "cake/dialect_rows.h"

static bool module_verify(CakeOp *op) {
  const CakeBlock *body = cake_region_entry(cake_op_region(op, 0));
  if (body && body->n_args) return cake_error(op, CAKE_CODE_IR_REGIONS, "region should have no arguments");
  for (size_t i = 0; op->attrs && i < cake_attr_count(op->attrs); i++) {
    CakeId name = cake_attr_entry(op->attrs, i).name;
    if (!memchr(name->text, '.', name->len))
      return cake_error(op, CAKE_CODE_IR_ATTRIBUTES,
                        "can only contain attributes with dialect-prefixed names, found: '%s'", name->text);
  }
  return true;
}

static bool cast_verify(CakeOp *op) {
  if (op->n_results == 0)
    return cake_error(op, CAKE_CODE_IR_RESULTS, "expected at least one result for cast operation");
  return true;
}

#define CAKE_ROWS "ir/builtin.def"
#define CAKE_DIALECT builtin
#define CAKE_ROWS_TABLE
#include "cake/dialect_rows.h"

static const CakeTypeDef *const types[] = {
    &cake_type_def_integer,  &cake_type_def_float,  &cake_type_def_index,           &cake_type_def_none,
    &cake_type_def_function, &cake_type_def_tuple,  &cake_type_def_complex,         &cake_type_def_vector,
    &cake_type_def_tensor,   &cake_type_def_memref, &cake_type_def_unranked_tensor, &cake_type_def_unranked_memref,
    &cake_type_def_opaque};

static const CakeAttrDef *const attrs[] = {&cake_attr_def_unit,
                                           &cake_attr_def_integer,
                                           &cake_attr_def_float,
                                           &cake_attr_def_string,
                                           &cake_attr_def_symbol_ref,
                                           &cake_attr_def_type,
                                           &cake_attr_def_array,
                                           &cake_attr_def_dictionary,
                                           &cake_attr_def_location,
                                           &cake_attr_def_verbatim,
                                           &cake_attr_def_dense_array,
                                           &cake_attr_def_dense_elements,
                                           &cake_attr_def_opaque,
                                           &cake_attr_def_wide_integer,
                                           &cake_attr_def_strided,
                                           &cake_attr_def_distinct,
                                           &cake_attr_def_dense_strings,
                                           &cake_attr_def_dense_resource,
                                           &cake_attr_def_sparse_elements,
                                           &cake_attr_def_affine_map,
                                           &cake_attr_def_affine_set};

const CakeDialectDef cake_dialect_builtin = {.name = "builtin",
                                             .summary =
                                                 "The module, and the types and attributes that every dialect uses",
                                             .ops = cake_ops_builtin,
                                             .n_ops = CAKE_COUNT(cake_ops_builtin),
                                             .types = types,
                                             .n_types = CAKE_COUNT(types),
                                             .attrs = attrs,
                                             .n_attrs = CAKE_COUNT(attrs)};

CakeOp *cake_module_create(CakeContext *context, CakeLoc loc) {
  CakeOpState state = {
      .loc = loc, .info = cake_op_info(context, cake_id_text(context, "builtin.module")), .n_regions = 1};
  CakeOp *module = cake_op_create(context, &state);
  CakeBlock *body = cake_block_create(context);
  body->loc = loc;
  cake_region_append(cake_op_region(module, 0), body);
  return module;
}
