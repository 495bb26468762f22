// Affine expressions, maps and sets: uniqued, and simplified as they are built, by MLIR's rules.
//
//   expression   kind, value or lhs, rhs; then what is asked for often: is symbolic, known divisor, depth
//   map          dimensions, symbols, results…       set   dimensions, symbols, (constraint, is equality)…
#include "cake/affine.h"

#include "core.h"

const CakeAttrDef cake_attr_def_affine_expr = {.name = "affine_expr", .dialect = &cake_dialect_builtin};
const CakeAttrDef cake_attr_def_affine_map = {.name = "affine_map", .dialect = &cake_dialect_builtin};
const CakeAttrDef cake_attr_def_affine_set = {.name = "affine_set", .dialect = &cake_dialect_builtin};

enum { KIND, LHS, RHS, SYMBOLIC, DIVISOR, DEPTH, N_PARAMS };

// ---- Reading -------------------------------------------------------------------------------------------------------

CakeAffineKind cake_affine_kind(CakeAttr expr) {
  return (CakeAffineKind)expr->params[KIND].i;
}

int64_t cake_affine_value(CakeAttr expr) {
  return expr->params[LHS].i;
}

CakeAttr cake_affine_lhs(CakeAttr expr) {
  return expr->params[LHS].attr;
}

CakeAttr cake_affine_rhs(CakeAttr expr) {
  return expr->params[RHS].attr;
}

bool cake_affine_is_symbolic(CakeAttr expr) {
  return expr->params[SYMBOLIC].i != 0;
}

bool cake_affine_is_constant(CakeAttr expr) {
  return cake_affine_kind(expr) == CAKE_AFFINE_CONSTANT;
}

int64_t cake_affine_depth(CakeAttr expr) {
  return expr->params[DEPTH].i;
}

static bool is(CakeAttr expr, CakeAffineKind kind) {
  return cake_affine_kind(expr) == kind;
}

// Whether an operation's right side is a constant.
static bool has_constant(CakeAttr expr, CakeAffineKind kind, int64_t *out) {
  if (!is(expr, kind) || !cake_affine_is_constant(cake_affine_rhs(expr))) return false;
  *out = cake_affine_value(cake_affine_rhs(expr));
  return true;
}

// ---- Arithmetic ----------------------------------------------------------------------------------------------------

static int64_t wrapped_sum(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a + (uint64_t)b);
}

static int64_t wrapped_product(int64_t a, int64_t b) {
  return (int64_t)((uint64_t)a * (uint64_t)b);
}

static bool sum_fits(int64_t a, int64_t b) {
  return b >= 0 ? a <= INT64_MAX - b : a >= INT64_MIN - b;
}

static bool product_fits(int64_t a, int64_t b) {
  if (a == 0 || b == 0) return true;
  if ((a == -1 && b == INT64_MIN) || (b == -1 && a == INT64_MIN)) return false;
  return wrapped_product(a, b) / b == a;
}

static int64_t floor_quotient(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

static int64_t ceil_quotient(int64_t a, int64_t b) {
  int64_t q = a / b;
  return a % b != 0 && (a < 0) == (b < 0) ? q + 1 : q;
}

static int64_t magnitude(int64_t value) {
  return value < 0 ? wrapped_product(value, -1) : value;
}

static int64_t common_divisor(int64_t a, int64_t b) {
  uint64_t x = (uint64_t)a, y = (uint64_t)b;
  while (y) {
    uint64_t rest = x % y;
    x = y;
    y = rest;
  }
  return (int64_t)x;
}

// A constant that every value of the expression is a multiple of.
static int64_t divisor_of(CakeAttr expr) {
  return expr->params[DIVISOR].i;
}

static bool divides(int64_t divisor, int64_t value) {
  return divisor == -1 || value % divisor == 0;
}

static int64_t binary_divisor(CakeAffineKind kind, CakeAttr lhs, CakeAttr rhs) {
  int64_t a = divisor_of(lhs), b = divisor_of(rhs);
  if (kind == CAKE_AFFINE_MUL) return wrapped_product(a, b);
  if (kind == CAKE_AFFINE_ADD || kind == CAKE_AFFINE_MOD) return common_divisor(a, b);
  if (!cake_affine_is_constant(rhs) || cake_affine_value(rhs) == 0 || cake_affine_value(rhs) == -1) return 1;
  return divides(cake_affine_value(rhs), a) ? magnitude(a / cake_affine_value(rhs)) : 1;
}

// ---- Construction --------------------------------------------------------------------------------------------------

static CakeAttr leaf(CakeContext *context, CakeAffineKind kind, int64_t value) {
  CakeParam params[N_PARAMS] = {[KIND] = cake_param_int(kind),
                                [LHS] = cake_param_int(value),
                                [RHS] = cake_param_int(0),
                                [SYMBOLIC] = cake_param_int(kind != CAKE_AFFINE_DIM),
                                [DIVISOR] = cake_param_int(kind == CAKE_AFFINE_CONSTANT ? magnitude(value) : 1),
                                [DEPTH] = cake_param_int(0)};
  return cake_attr_get(context, &cake_attr_def_affine_expr, params, N_PARAMS);
}

CakeAttr cake_affine_dim(CakeContext *context, int64_t index) {
  return leaf(context, CAKE_AFFINE_DIM, index);
}

CakeAttr cake_affine_symbol(CakeContext *context, int64_t index) {
  return leaf(context, CAKE_AFFINE_SYMBOL, index);
}

CakeAttr cake_affine_constant(CakeContext *context, int64_t value) {
  return leaf(context, CAKE_AFFINE_CONSTANT, value);
}

static CakeAttr constant_like(CakeAttr expr, int64_t value) {
  return cake_affine_constant(expr->context, value);
}

CakeAttr cake_affine_negate(CakeAttr expr) {
  return cake_affine_binary(CAKE_AFFINE_MUL, expr, constant_like(expr, -1));
}

static CakeAttr add(CakeAttr lhs, CakeAttr rhs) {
  return cake_affine_binary(CAKE_AFFINE_ADD, lhs, rhs);
}

static CakeAttr mul(CakeAttr lhs, CakeAttr rhs) {
  return cake_affine_binary(CAKE_AFFINE_MUL, lhs, rhs);
}

static CakeAttr mod(CakeAttr lhs, CakeAttr rhs) {
  return cake_affine_binary(CAKE_AFFINE_MOD, lhs, rhs);
}

// ---- Simplification: NULL where there is none ----------------------------------------------------------------------

// `e * c`, or `e` as `e * 1`.
static CakeAttr factor(CakeAttr expr, int64_t *out_constant) {
  if (has_constant(expr, CAKE_AFFINE_MUL, out_constant)) return cake_affine_lhs(expr);
  *out_constant = 1;
  return expr;
}

static CakeAttr simplify_add(CakeAttr lhs, CakeAttr rhs);

// `e + (e floordiv q) * -q`, which is `e mod q`.
static CakeAttr add_to_mod(CakeAttr lhs, CakeAttr rhs) {
  if (cake_affine_kind(rhs) < CAKE_AFFINE_ADD) return NULL;
  CakeAttr inner = cake_affine_lhs(rhs), outer = cake_affine_rhs(rhs);
  if (cake_affine_is_constant(outer) && cake_affine_value(outer) == -1 && is(inner, CAKE_AFFINE_MUL)) {
    CakeAttr quotient = cake_affine_lhs(inner), q = cake_affine_rhs(inner);
    if (!is(quotient, CAKE_AFFINE_FLOORDIV)) return NULL;
    if (cake_affine_rhs(quotient) == q && cake_affine_lhs(quotient) == lhs) return mod(lhs, q);
  }
  if (!is(rhs, CAKE_AFFINE_MUL) || !is(inner, CAKE_AFFINE_FLOORDIV)) return NULL;
  CakeAttr q = cake_affine_rhs(inner);
  if (cake_affine_is_constant(q) && cake_affine_value(q) > 0 && cake_affine_lhs(inner) == lhs &&
      q == cake_affine_negate(outer))
    return mod(lhs, q);
  if (!is(lhs, CAKE_AFFINE_ADD)) return NULL;
  CakeAttr last = simplify_add(cake_affine_rhs(lhs), rhs);
  return last ? add(cake_affine_lhs(lhs), last) : NULL;
}

// Two dimensions, or two symbols, that stand the wrong way round.
static bool is_swapped(CakeAttr lhs, CakeAttr rhs) {
  CakeAffineKind kind = cake_affine_kind(lhs);
  return kind == cake_affine_kind(rhs) && (kind == CAKE_AFFINE_DIM || kind == CAKE_AFFINE_SYMBOL) &&
         cake_affine_value(lhs) > cake_affine_value(rhs);
}

static CakeAttr simplify_add(CakeAttr lhs, CakeAttr rhs) {
  bool is_constant = cake_affine_is_constant(rhs);
  int64_t value = is_constant ? cake_affine_value(rhs) : 0, inner, left, right;
  if (cake_affine_is_constant(lhs) && is_constant)
    return sum_fits(cake_affine_value(lhs), value) ? constant_like(lhs, cake_affine_value(lhs) + value) : NULL;
  if (cake_affine_is_constant(lhs) || (cake_affine_is_symbolic(lhs) && !cake_affine_is_symbolic(rhs)))
    return add(rhs, lhs);
  if (is_swapped(lhs, rhs)) return add(rhs, lhs);
  if (is_constant && value == 0) return lhs;
  bool has_inner = has_constant(lhs, CAKE_AFFINE_ADD, &inner);
  if (has_inner && is_constant) return add(cake_affine_lhs(lhs), constant_like(lhs, wrapped_sum(inner, value)));
  CakeAttr a = factor(lhs, &left), b = factor(rhs, &right);
  if (a == b) return mul(a, constant_like(a, wrapped_sum(left, right)));
  if (has_inner) return add(add(cake_affine_lhs(lhs), rhs), constant_like(lhs, inner));
  return add_to_mod(lhs, rhs);
}

static CakeAttr simplify_mul(CakeAttr lhs, CakeAttr rhs) {
  bool is_constant = cake_affine_is_constant(rhs);
  int64_t value = is_constant ? cake_affine_value(rhs) : 0, inner;
  if (cake_affine_is_constant(lhs) && is_constant)
    return product_fits(cake_affine_value(lhs), value) ? constant_like(lhs, cake_affine_value(lhs) * value) : NULL;
  if (!cake_affine_is_symbolic(rhs) || cake_affine_is_constant(lhs)) return mul(rhs, lhs);
  if (is_swapped(lhs, rhs)) return mul(rhs, lhs);
  if (is_constant && value == 1) return lhs;
  if (is_constant && value == 0) return rhs;
  if (!has_constant(lhs, CAKE_AFFINE_MUL, &inner)) return NULL;
  if (is_constant) return mul(cake_affine_lhs(lhs), constant_like(lhs, wrapped_product(inner, value)));
  return mul(mul(cake_affine_lhs(lhs), rhs), constant_like(lhs, inner));
}

// The quotient of constants and of multiples of the divisor.
static CakeAttr simplify_quotient(CakeAttr lhs, CakeAttr rhs, int64_t (*divide)(int64_t a, int64_t b)) {
  int64_t value = cake_affine_value(rhs), inner;
  if (cake_affine_is_constant(lhs)) {
    bool fits = !(cake_affine_value(lhs) == INT64_MIN && value == -1);
    return fits ? constant_like(lhs, divide(cake_affine_value(lhs), value)) : NULL;
  }
  if (value == 1) return lhs;
  if (has_constant(lhs, CAKE_AFFINE_MUL, &inner) && divides(value, inner) && !(inner == INT64_MIN && value == -1))
    return mul(cake_affine_lhs(lhs), constant_like(lhs, inner / value));
  return NULL;
}

static CakeAttr simplify_floordiv(CakeAttr lhs, CakeAttr rhs) {
  if (!cake_affine_is_constant(rhs) || cake_affine_value(rhs) == 0) return NULL;
  CakeAttr simple = simplify_quotient(lhs, rhs, floor_quotient);
  if (simple || cake_affine_is_constant(lhs) || !is(lhs, CAKE_AFFINE_ADD)) return simple;
  int64_t value = cake_affine_value(rhs);
  CakeAttr a = cake_affine_lhs(lhs), b = cake_affine_rhs(lhs);
  if (!divides(value, divisor_of(a)) && !divides(value, divisor_of(b))) return NULL;
  return add(cake_affine_binary(CAKE_AFFINE_FLOORDIV, a, rhs), cake_affine_binary(CAKE_AFFINE_FLOORDIV, b, rhs));
}

static CakeAttr simplify_ceildiv(CakeAttr lhs, CakeAttr rhs) {
  if (!cake_affine_is_constant(rhs) || cake_affine_value(rhs) == 0) return NULL;
  return simplify_quotient(lhs, rhs, ceil_quotient);
}

static CakeAttr simplify_mod(CakeAttr lhs, CakeAttr rhs) {
  if (!cake_affine_is_constant(rhs) || cake_affine_value(rhs) < 1) return NULL;
  int64_t value = cake_affine_value(rhs), inner;
  if (cake_affine_is_constant(lhs)) {
    int64_t rest = cake_affine_value(lhs) % value;
    return constant_like(lhs, rest < 0 ? rest + value : rest);
  }
  if (divisor_of(lhs) % value == 0) return constant_like(lhs, 0);
  if (is(lhs, CAKE_AFFINE_ADD)) {
    CakeAttr a = cake_affine_lhs(lhs), b = cake_affine_rhs(lhs);
    if (divisor_of(a) % value == 0) return mod(b, rhs);
    if (divisor_of(b) % value == 0) return mod(a, rhs);
  }
  if (has_constant(lhs, CAKE_AFFINE_MOD, &inner) && inner >= 1 && inner % value == 0)
    return mod(cake_affine_lhs(lhs), rhs);
  return NULL;
}

static CakeAttr simplify(CakeAffineKind kind, CakeAttr lhs, CakeAttr rhs) {
  switch (kind) {
  case CAKE_AFFINE_ADD: return simplify_add(lhs, rhs);
  case CAKE_AFFINE_MUL: return simplify_mul(lhs, rhs);
  case CAKE_AFFINE_FLOORDIV: return simplify_floordiv(lhs, rhs);
  case CAKE_AFFINE_CEILDIV: return simplify_ceildiv(lhs, rhs);
  case CAKE_AFFINE_MOD: return simplify_mod(lhs, rhs);
  case CAKE_AFFINE_DIM:
  case CAKE_AFFINE_SYMBOL:
  case CAKE_AFFINE_CONSTANT: break;
  }
  return NULL;
}

CakeAttr cake_affine_binary(CakeAffineKind kind, CakeAttr lhs, CakeAttr rhs) {
  CakeAttr simple = simplify(kind, lhs, rhs);
  if (simple) return simple;
  int64_t a = cake_affine_depth(lhs), b = cake_affine_depth(rhs);
  CakeParam params[N_PARAMS] = {[KIND] = cake_param_int(kind),
                                [LHS] = cake_param_attr(lhs),
                                [RHS] = cake_param_attr(rhs),
                                [SYMBOLIC] =
                                    cake_param_int(cake_affine_is_symbolic(lhs) && cake_affine_is_symbolic(rhs)),
                                [DIVISOR] = cake_param_int(binary_divisor(kind, lhs, rhs)),
                                [DEPTH] = cake_param_int(1 + (a > b ? a : b))};
  return cake_attr_get(lhs->context, &cake_attr_def_affine_expr, params, N_PARAMS);
}

// ---- Maps and sets -------------------------------------------------------------------------------------------------

typedef CAKE_VEC(CakeParam) ParamVec;

CakeAttr cake_affine_map(CakeContext *context, int64_t n_dims, int64_t n_symbols, const CakeAttr *results,
                         size_t count) {
  ParamVec params = {0};
  CAKE_PUSH(&params, cake_param_int(n_dims));
  CAKE_PUSH(&params, cake_param_int(n_symbols));
  for (size_t i = 0; i < count; i++)
    CAKE_PUSH(&params, cake_param_attr(results[i]));
  context->may_alias = true;
  CakeAttr map = cake_attr_get(context, &cake_attr_def_affine_map, params.data, params.len);
  CAKE_VEC_FINI(&params);
  return map;
}

CakeAttr cake_affine_set(CakeContext *context, int64_t n_dims, int64_t n_symbols, const CakeAttr *constraints,
                         const bool *is_equal, size_t count) {
  ParamVec params = {0};
  CAKE_PUSH(&params, cake_param_int(n_dims));
  CAKE_PUSH(&params, cake_param_int(n_symbols));
  for (size_t i = 0; i < count; i++) {
    CAKE_PUSH(&params, cake_param_attr(constraints[i]));
    CAKE_PUSH(&params, cake_param_int(is_equal[i]));
  }
  if (!count) { // no constraint: one that always holds, as in MLIR
    CAKE_PUSH(&params, cake_param_attr(cake_affine_constant(context, 0)));
    CAKE_PUSH(&params, cake_param_int(true));
  }
  context->may_alias = true;
  CakeAttr set = cake_attr_get(context, &cake_attr_def_affine_set, params.data, params.len);
  CAKE_VEC_FINI(&params);
  return set;
}

int64_t cake_affine_dims(CakeAttr map) {
  return map->params[0].i;
}

int64_t cake_affine_symbols(CakeAttr map) {
  return map->params[1].i;
}

static size_t stride(CakeAttr map) {
  return map->def == &cake_attr_def_affine_set ? 2 : 1;
}

size_t cake_affine_count(CakeAttr map) {
  return (map->count - 2) / stride(map);
}

CakeAttr cake_affine_result(CakeAttr map, size_t index) {
  return map->params[2 + index * stride(map)].attr;
}

bool cake_affine_is_equality(CakeAttr set, size_t index) {
  return set->params[2 + index * stride(set) + 1].i != 0;
}

bool cake_affine_is_identity(CakeAttr map) {
  if ((int64_t)cake_affine_count(map) != cake_affine_dims(map)) return false;
  for (size_t i = 0; i < cake_affine_count(map); i++) {
    CakeAttr expr = cake_affine_result(map, i);
    if (!is(expr, CAKE_AFFINE_DIM) || cake_affine_value(expr) != (int64_t)i) return false;
  }
  return true;
}
