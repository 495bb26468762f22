// The variables of rewrites: types and attributes that only patterns hold.
#include "rewrite.h"

const CakeTypeDef cake_type_def_variable = {
    .name = "variable", .dialect = &cake_dialect_builtin, .summary = "A type variable of a rewrite"};
const CakeAttrDef cake_attr_def_variable = {
    .name = "variable", .dialect = &cake_dialect_builtin, .summary = "An attribute variable of a rewrite"};

CakeType cake_rewrite_type_var(CakeContext *context, CakeId name, size_t number) {
  CakeParam params[] = {cake_param_id(name), cake_param_int((int64_t)number),
                        cake_param_int(cake_name_is_range(cake_id_str(name)))};
  return cake_type_get(context, &cake_type_def_variable, params, CAKE_COUNT(params));
}

CakeAttr cake_rewrite_attr_var(CakeContext *context, CakeId name, size_t number, CakeType type) {
  CakeParam params[] = {cake_param_id(name), cake_param_int((int64_t)number), cake_param_type(type)};
  return cake_attr_get(context, &cake_attr_def_variable, params, CAKE_COUNT(params));
}

int cake_rewrite_type_var_number(CakeType type) {
  return type && type->def == &cake_type_def_variable ? (int)type->params[1].i : -1;
}

int cake_rewrite_attr_var_number(CakeAttr attr) {
  return attr && attr->def == &cake_attr_def_variable ? (int)attr->params[1].i : -1;
}
