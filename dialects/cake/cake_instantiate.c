// Instances of a kernel template: every parameter becomes its value, in types, attributes and expressions.
#include "dialects/cake/cake_private.h"

#include "dialects/cake/ops/kernel.h"

#include "cake/symbol.h"

typedef struct Instance {
  CakeRewriter *rewriter;
  CakeOp *kernel;
  CakeMap values; // CakeId → index + 1 into `numbers`
  CAKE_VEC(int64_t) numbers;
  CakeSubstitution substitution;
} Instance;

// ---- Values --------------------------------------------------------------------------------------------------------

static bool find(void *user, CakeId name, int64_t *out) {
  Instance *instance = user;
  uintptr_t index;
  if (!cake_map_get(&instance->values, name, &index)) return false;
  *out = instance->numbers.data[index - 1];
  return true;
}

static bool report_choice(CakeOp *param, int64_t value) {
  CakeAttr choices = cake_cake_param_choices(param);
  CakeDiagnostic *d = cake_error_begin(param, CAKE_CODE_PARAM_CHOICE, "cannot be %lld", (long long)value);
  cake_diag_fix(param->context, d, "choose one of %s", cake_body_text(choices));
  return cake_diag_emit(param->context, d);
}

static bool take_param(Instance *instance, CakeOp *param, const CakeParamValue *values, size_t count) {
  CakeId name = cake_symbol_name(param);
  int64_t number = cake_attr_int_value(cake_cake_param_value(param));
  for (size_t i = 0; i < count; i++)
    if (cake_str_equal(values[i].name, cake_id_str(name))) number = values[i].value;
  if (!cake_choices_contain(cake_cake_param_choices(param), number)) return report_choice(param, number);
  CAKE_PUSH(&instance->numbers, number);
  cake_map_set(&instance->values, name, instance->numbers.len);
  return true;
}

static bool check_require(Instance *instance, CakeOp *require) {
  CakeExprEnv env = {.name = find, .user = instance};
  bool holds;
  CakeAttr pred = cake_cake_require_pred(require);
  if (!cake_pred_eval(pred, &env, &holds))
    return cake_error(require, CAKE_CODE_PARAM_CHOICE, "cannot be evaluated: it may use parameters only, but is %s",
                      cake_body_text(pred));
  return holds ||
         cake_error(require, CAKE_CODE_PARAM_CHOICE, "does not hold for these parameters: %s", cake_body_text(pred));
}

static bool report_unknown(Instance *instance, CakeStr name) {
  CakeBuf known = {0};
  for (CakeOp *op = cake_op_region(instance->kernel, 0)->first->first; op; op = op->next)
    if (cake_is_cake_op(op, cake_op_cake_param))
      cake_buf_printf(&known, "%s%.*s", known.len ? ", " : "", CAKE_STR_ARG(cake_id_str(cake_symbol_name(op))));
  cake_error(instance->kernel, CAKE_CODE_PARAM_CHOICE, "has no parameter '%.*s'; its parameters are: %s",
             CAKE_STR_ARG(name), known.len ? known.data : "none");
  cake_buf_fini(&known);
  return false;
}

static bool take_values(Instance *instance, const CakeParamValue *values, size_t count) {
  CakeOp *first = cake_op_region(instance->kernel, 0)->first->first;
  for (CakeOp *op = first; op; op = op->next)
    if (cake_is_cake_op(op, cake_op_cake_param) && !take_param(instance, op, values, count)) return false;
  for (size_t i = 0; i < count; i++) {
    uintptr_t ignored;
    if (!cake_map_get(&instance->values, cake_id(instance->kernel->context, values[i].name), &ignored))
      return report_unknown(instance, values[i].name);
  }
  for (CakeOp *op = first; op; op = op->next)
    if (cake_is_cake_op(op, cake_op_cake_require) && !check_require(instance, op)) return false;
  return true;
}

// ---- Substitution --------------------------------------------------------------------------------------------------

static CakeAttr map_attr(void *user, CakeAttr attr) {
  if (attr->def != &cake_attr_def_expr) return cake_form_instance(attr);
  CakeExprKind kind = cake_expr_kind(attr);
  int64_t value;
  if (kind == CAKE_EXPR_NAME)
    return find(user, cake_expr_name_of(attr), &value) ? cake_expr_const(attr->context, value) : attr;
  return kind < CAKE_EXPR_ADD ? attr : cake_expr_binary(attr->context, kind, cake_expr_lhs(attr), cake_expr_rhs(attr));
}

// A fragment whose sizes are numbers now loses `#cake.of`.
static CakeType map_type(void *user, CakeType type) {
  (void)user;
  CakeAttr of = cake_type_is(type, &cake_type_def_tensor) ? cake_type_encoding(type) : NULL;
  if (!of || of->def != &cake_attr_def_of || (int64_t)of->count - 1 != cake_type_rank(type)) return type;
  int64_t sizes[CAKE_MAX_RANK];
  size_t rank = of->count - 1;
  for (size_t i = 0; i < rank; i++)
    if (!cake_expr_is_const(of->params[1 + i].attr, &sizes[i]) || sizes[i] < 0) return type;
  return cake_type_tensor(type->context, sizes, rank, cake_type_element(type), of->params[0].attr);
}

static void substitute_value(Instance *instance, CakeValue *value) {
  CakeType type = cake_type_substitute(value->type, &instance->substitution);
  if (type != value->type) cake_rewriter_set_type(instance->rewriter, value, type);
}

static void substitute_op(Instance *instance, CakeOp *op) {
  for (uint32_t i = 0; op->info->def && i < op->info->def->n_attrs; i++) {
    if (!cake_op_prop(op, i)) continue;
    CakeAttr attr = cake_attr_substitute(cake_op_prop(op, i), &instance->substitution);
    if (attr != cake_op_prop(op, i))
      cake_rewriter_set_attr_text(instance->rewriter, op, op->info->def->attrs[i].name, attr);
  }
  for (uint32_t i = 0; i < op->n_results; i++)
    substitute_value(instance, &op->results[i]);
  for (uint32_t r = 0; r < op->n_regions; r++)
    for (CakeBlock *block = cake_op_region(op, r)->first; block; block = block->next)
      for (uint32_t i = 0; i < block->n_args; i++)
        substitute_value(instance, block->args[i]);
}

static void erase_template(Instance *instance) {
  for (CakeOp *op = cake_op_region(instance->kernel, 0)->first->first, *next; op; op = next) {
    next = op->next;
    if (cake_is_cake_op(op, cake_op_cake_param) || cake_is_cake_op(op, cake_op_cake_require))
      cake_rewriter_erase(instance->rewriter, op);
  }
}

bool cake_kernel_instantiate(CakeRewriter *rewriter, CakeOp *kernel, const CakeParamValue *values, size_t count) {
  Instance instance = {
      .rewriter = rewriter, .kernel = kernel, .substitution = {.map_type = map_type, .map_attr = map_attr}
  };
  instance.substitution.user = &instance;
  bool ok = take_values(&instance, values, count);
  for (CakeOp *op = kernel; ok && op; op = cake_op_walk_next(kernel, op, false))
    substitute_op(&instance, op);
  if (ok) erase_template(&instance);
  cake_map_fini(&instance.values);
  CAKE_VEC_FINI(&instance.numbers);
  return ok;
}
