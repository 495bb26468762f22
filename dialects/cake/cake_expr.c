// Expressions and predicates: making, folding and evaluating them. Their text is in cake_expr_text.c.
#include "dialects/cake/cake_private.h"

// ---- Making --------------------------------------------------------------------------------------------------------

static CakeAttr make(CakeContext *context, CakeExprKind kind, const CakeParam *rest, size_t count) {
  CakeParam params[3] = {cake_param_int(kind)};
  for (size_t i = 0; i < count; i++)
    params[1 + i] = rest[i];
  return cake_attr_get(context, &cake_attr_def_expr, params, 1 + count);
}

CakeAttr cake_expr_const(CakeContext *context, int64_t value) {
  CakeParam param = cake_param_int(value);
  return make(context, CAKE_EXPR_CONST, &param, 1);
}

CakeAttr cake_expr_name(CakeContext *context, CakeId name) {
  CakeParam param = cake_param_id(name);
  return make(context, CAKE_EXPR_NAME, &param, 1);
}

CakeAttr cake_expr_operand(CakeContext *context, uint32_t index) {
  CakeParam param = cake_param_int(index);
  return make(context, CAKE_EXPR_OPERAND, &param, 1);
}

CakeAttr cake_expr_leaf(CakeContext *context, CakeExprKind kind) {
  return make(context, kind, NULL, 0);
}

CakeAttr cake_expr_raw(CakeContext *context, CakeExprKind kind, CakeAttr lhs, CakeAttr rhs) {
  CakeParam params[2] = {cake_param_attr(lhs), cake_param_attr(rhs)};
  return make(context, kind, params, 2);
}

// ---- Reading -------------------------------------------------------------------------------------------------------

CakeExprKind cake_expr_kind(CakeAttr expr) {
  return (CakeExprKind)expr->params[0].i;
}

int64_t cake_expr_value(CakeAttr expr) {
  return expr->params[1].i;
}

CakeId cake_expr_name_of(CakeAttr expr) {
  return expr->params[1].id;
}

CakeAttr cake_expr_lhs(CakeAttr expr) {
  return expr->params[1].attr;
}

CakeAttr cake_expr_rhs(CakeAttr expr) {
  return expr->params[2].attr;
}

bool cake_expr_is_const(CakeAttr expr, int64_t *out_value) {
  if (!expr || expr->def != &cake_attr_def_expr || cake_expr_kind(expr) != CAKE_EXPR_CONST) return false;
  *out_value = cake_expr_value(expr);
  return true;
}

bool cake_expr_has_operand(CakeAttr expr) {
  CakeExprKind kind = cake_expr_kind(expr);
  if (kind < CAKE_EXPR_ADD) return kind == CAKE_EXPR_OPERAND;
  return cake_expr_has_operand(cake_expr_lhs(expr)) || cake_expr_has_operand(cake_expr_rhs(expr));
}

// ---- Arithmetic ----------------------------------------------------------------------------------------------------

static bool add(int64_t a, int64_t b, int64_t *out) {
  if ((b > 0 && a > INT64_MAX - b) || (b < 0 && a < INT64_MIN - b)) return false;
  *out = a + b;
  return true;
}

static bool subtract(int64_t a, int64_t b, int64_t *out) {
  if ((b < 0 && a > INT64_MAX + b) || (b > 0 && a < INT64_MIN + b)) return false;
  *out = a - b;
  return true;
}

static bool multiply(int64_t a, int64_t b, int64_t *out) {
  if (a == 0 || b == 0) {
    *out = 0;
    return true;
  }
  if ((a == -1 && b == INT64_MIN) || (b == -1 && a == INT64_MIN)) return false;
  if (b > 0 ? (a > INT64_MAX / b || a < INT64_MIN / b) : b != -1 && (a > INT64_MIN / b || a < INT64_MAX / b))
    return false;
  *out = a * b;
  return true;
}

// Rounds towards minus infinity (`up`: plus infinity).
static bool divide(int64_t a, int64_t b, bool up, int64_t *out) {
  if (b == 0 || (a == INT64_MIN && b == -1)) return false;
  int64_t quotient = a / b, rest = a % b;
  bool is_negative = (a < 0) != (b < 0);
  if (rest != 0 && up && !is_negative) quotient++;
  if (rest != 0 && !up && is_negative) quotient--;
  *out = quotient;
  return true;
}

static bool modulo(int64_t a, int64_t b, int64_t *out) {
  int64_t quotient;
  if (!divide(a, b, false, &quotient)) return false;
  *out = a - quotient * b;
  return true;
}

static bool apply(CakeExprKind kind, int64_t a, int64_t b, int64_t *out) {
  switch (kind) {
  case CAKE_EXPR_ADD: return add(a, b, out);
  case CAKE_EXPR_SUB: return subtract(a, b, out);
  case CAKE_EXPR_MUL: return multiply(a, b, out);
  case CAKE_EXPR_FLOORDIV: return divide(a, b, false, out);
  case CAKE_EXPR_CEILDIV: return divide(a, b, true, out);
  case CAKE_EXPR_MOD: return modulo(a, b, out);
  case CAKE_EXPR_MIN: *out = a < b ? a : b; return true;
  case CAKE_EXPR_MAX: *out = a > b ? a : b; return true;
  default: return false;
  }
}

CakeAttr cake_expr_binary(CakeContext *context, CakeExprKind kind, CakeAttr lhs, CakeAttr rhs) {
  int64_t a = 0, b = 0, value;
  bool a_const = cake_expr_is_const(lhs, &a), b_const = cake_expr_is_const(rhs, &b);
  if (a_const && b_const && apply(kind, a, b, &value)) return cake_expr_const(context, value);
  bool is_sum = kind == CAKE_EXPR_ADD, is_product = kind == CAKE_EXPR_MUL;
  if (b_const && b == 0 && (is_sum || kind == CAKE_EXPR_SUB)) return lhs;
  if (a_const && a == 0 && is_sum) return rhs;
  if (b_const && b == 1 && (is_product || kind == CAKE_EXPR_FLOORDIV || kind == CAKE_EXPR_CEILDIV)) return lhs;
  if (a_const && a == 1 && is_product) return rhs;
  // An operand stays, so that operands and expression go on agreeing.
  if (is_product &&
      ((a_const && a == 0 && !cake_expr_has_operand(rhs)) || (b_const && b == 0 && !cake_expr_has_operand(lhs))))
    return cake_expr_const(context, 0);
  return cake_expr_raw(context, kind, lhs, rhs);
}

bool cake_expr_eval(CakeAttr expr, const CakeExprEnv *env, int64_t *out_value) {
  CakeExprKind kind = cake_expr_kind(expr);
  switch (kind) {
  case CAKE_EXPR_CONST: *out_value = cake_expr_value(expr); return true;
  case CAKE_EXPR_NAME: return env->name && env->name(env->user, cake_expr_name_of(expr), out_value);
  case CAKE_EXPR_OPERAND: {
    int64_t index = cake_expr_value(expr);
    if (index < 0 || (uint64_t)index >= env->n_operands) return false;
    *out_value = env->operands[index];
    return true;
  }
  case CAKE_EXPR_INSTANCE: *out_value = env->instance; return true;
  case CAKE_EXPR_RANK: *out_value = env->rank; return true;
  case CAKE_EXPR_ROW: *out_value = env->row; return true;
  case CAKE_EXPR_COL: *out_value = env->col; return true;
  case CAKE_EXPR_UNKNOWN: return false;
  default: break;
  }
  int64_t lhs, rhs;
  return cake_expr_eval(cake_expr_lhs(expr), env, &lhs) && cake_expr_eval(cake_expr_rhs(expr), env, &rhs) &&
         apply(kind, lhs, rhs, out_value);
}

// ---- Lists and predicates ------------------------------------------------------------------------------------------

CakeAttr cake_at_get(CakeContext *context, const CakeAttr *exprs, size_t count) {
  CakeParam params[CAKE_MAX_LIST];
  if (count > CAKE_MAX_LIST) count = CAKE_MAX_LIST; // readers refuse longer lists
  for (size_t i = 0; i < count; i++)
    params[i] = cake_param_attr(exprs[i]);
  return cake_attr_get(context, &cake_attr_def_at, params, count);
}

CakeAttr cake_pred_get(CakeContext *context, const CakePredTerm *terms, size_t count) {
  CakeParam params[3 * CAKE_MAX_LIST];
  if (count > CAKE_MAX_LIST) count = CAKE_MAX_LIST;
  for (size_t i = 0; i < count; i++) {
    params[3 * i] = cake_param_int(terms[i].compare);
    params[3 * i + 1] = cake_param_attr(terms[i].lhs);
    params[3 * i + 2] = cake_param_attr(terms[i].rhs);
  }
  return cake_attr_get(context, &cake_attr_def_pred, params, 3 * count);
}

size_t cake_pred_count(CakeAttr pred) {
  return pred ? pred->count / 3 : 0;
}

CakePredTerm cake_pred_term(CakeAttr pred, size_t index) {
  const CakeParam *params = &pred->params[3 * index];
  return (CakePredTerm){(CakeCompare)params[0].i, params[1].attr, params[2].attr};
}

bool cake_pred_eval(CakeAttr pred, const CakeExprEnv *env, bool *out_holds) {
  *out_holds = true;
  for (size_t i = 0; i < cake_pred_count(pred); i++) {
    CakePredTerm term = cake_pred_term(pred, i);
    int64_t a, b;
    if (!cake_expr_eval(term.lhs, env, &a) || !cake_expr_eval(term.rhs, env, &b)) return false;
    bool holds = false;
    switch (term.compare) {
    case CAKE_COMPARE_EQ: holds = a == b; break;
    case CAKE_COMPARE_NE: holds = a != b; break;
    case CAKE_COMPARE_LT: holds = a < b; break;
    case CAKE_COMPARE_LE: holds = a <= b; break;
    case CAKE_COMPARE_GT: holds = a > b; break;
    case CAKE_COMPARE_GE: holds = a >= b; break;
    }
    if (!holds) *out_holds = false;
  }
  return true;
}
