// Expressions as sums, their bounds, and what divides them.
#include "analysis/affine.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/tiles.h"

#include <string.h>

enum { LIMIT = INT32_MAX }; // constants and factors stay far from overflow

static bool is_small(int64_t value) {
  return value >= -(int64_t)LIMIT && value <= LIMIT;
}

// ---- Sums ----------------------------------------------------------------------------------------------------------

CakeSum cake_sum_constant(int64_t value) {
  return (CakeSum){.constant = value};
}

static bool same_atom(CakeAtom a, CakeAtom b) {
  return a.kind == b.kind && a.index == b.index && a.key == b.key;
}

static bool add_atom(CakeSum *sum, CakeAtom atom, int64_t factor) {
  for (size_t i = 0; i < sum->count; i++) {
    if (!same_atom(sum->atoms[i], atom)) continue;
    sum->factors[i] += factor;
    if (sum->factors[i] == 0) {
      sum->count--;
      sum->atoms[i] = sum->atoms[sum->count];
      sum->factors[i] = sum->factors[sum->count];
    }
    return is_small(i < sum->count ? sum->factors[i] : 0);
  }
  if (factor == 0) return true;
  if (sum->count == CAKE_SUM_TERMS || !is_small(factor)) return false;
  sum->atoms[sum->count] = atom;
  sum->factors[sum->count++] = factor;
  return true;
}

bool cake_sum_add(const CakeSum *a, int64_t factor, const CakeSum *b, CakeSum *out) {
  CakeSum sum = *a;
  if (!is_small(factor) || !is_small(b->constant) || !is_small(sum.constant)) return false;
  sum.constant += factor * b->constant;
  for (size_t i = 0; i < b->count; i++)
    if (!is_small(b->factors[i]) || !add_atom(&sum, b->atoms[i], factor * b->factors[i])) return false;
  *out = sum;
  return is_small(sum.constant);
}

bool cake_sum_difference(const CakeSum *a, const CakeSum *b, int64_t *out) {
  CakeSum difference;
  if (!cake_sum_add(a, -1, b, &difference) || difference.count) return false;
  *out = difference.constant;
  return true;
}

static CakeSum atom_sum(CakeAtomKind kind, const void *key, uint32_t index) {
  CakeSum sum = {.count = 1, .factors = {1}};
  sum.atoms[0] = (CakeAtom){kind, index, key};
  return sum;
}

// An index of items or steps is the same in every role.
static CakeSum value_sum(const CakeValue *value) {
  CakeOp *loop = value->is_argument ? cake_block_parent(cake_arg_owner(value)) : NULL;
  CakeOp *tiles = loop ? cake_op_tiles(loop) : NULL;
  if (tiles && cake_is_cake_op(loop, cake_op_cake_items) && value->index < cake_axes_count(cake_cake_tiles_axes(tiles)))
    return atom_sum(CAKE_ATOM_ITEM, tiles, value->index);
  if (tiles && cake_is_cake_op(loop, cake_op_cake_steps) && value->index == 0)
    return atom_sum(CAKE_ATOM_STEP, tiles, 0);
  CakeOp *definition = cake_value_def(value);
  CakeAttr constant =
      definition && cake_op_has_trait(definition, CAKE_TRAIT_CONSTANT) ? cake_op_attr_text(definition, "value") : NULL;
  if (cake_attr_is(constant, &cake_attr_def_integer)) return cake_sum_constant(cake_attr_int_value(constant));
  return atom_sum(CAKE_ATOM_VALUE, value, 0);
}

static bool has_operand(CakeAttr expr) {
  if (cake_expr_kind(expr) < CAKE_EXPR_ADD) return cake_expr_kind(expr) == CAKE_EXPR_OPERAND;
  return has_operand(cake_expr_lhs(expr)) || has_operand(cake_expr_rhs(expr));
}

static bool leaf_sum(CakeAttr expr, const CakeSumEnv *env, CakeSum *out) {
  switch (cake_expr_kind(expr)) {
  case CAKE_EXPR_CONST: *out = cake_sum_constant(cake_expr_value(expr)); return is_small(out->constant);
  case CAKE_EXPR_NAME: *out = atom_sum(CAKE_ATOM_NAME, cake_expr_name_of(expr), 0); return true;
  case CAKE_EXPR_OPERAND:
    if (!env || cake_expr_value(expr) >= env->operands.count) return false;
    *out = value_sum(env->operands.first[cake_expr_value(expr)].value);
    return is_small(out->constant);
  case CAKE_EXPR_UNKNOWN: return false;
  default: *out = atom_sum(CAKE_ATOM_LEAF, NULL, (uint32_t)cake_expr_kind(expr)); return true;
  }
}

bool cake_sum_of(CakeAttr expr, const CakeSumEnv *env, CakeSum *out) {
  CakeExprKind kind = cake_expr_kind(expr);
  CakeSum lhs, rhs, zero = {0};
  if (kind < CAKE_EXPR_ADD) return leaf_sum(expr, env, out);
  if (kind == CAKE_EXPR_ADD || kind == CAKE_EXPR_SUB || kind == CAKE_EXPR_MUL) {
    if (!cake_sum_of(cake_expr_lhs(expr), env, &lhs) || !cake_sum_of(cake_expr_rhs(expr), env, &rhs)) return false;
    if (kind != CAKE_EXPR_MUL) return cake_sum_add(&lhs, kind == CAKE_EXPR_ADD ? 1 : -1, &rhs, out);
    if (rhs.count == 0) return cake_sum_add(&zero, rhs.constant, &lhs, out);
    if (lhs.count == 0) return cake_sum_add(&zero, lhs.constant, &rhs, out);
  }
  if (has_operand(expr)) return false;
  *out = atom_sum(CAKE_ATOM_EXPR, expr, 0);
  return true;
}

// ---- Bounds --------------------------------------------------------------------------------------------------------

// factor · (extent - 1), where a ceildiv by the factor is taken apart: m · (ceildiv(X, m) - 1) ≤ X - 1, and X - m when
// m divides X.
static bool extent_upper(const CakeOp *op, CakeAttr extent, int64_t factor, CakeSum *out) {
  CakeExprKind kind = cake_expr_kind(extent);
  CakeSum size, one = cake_sum_constant(1), zero = {0};
  int64_t divisor;
  bool is_quotient = (kind == CAKE_EXPR_CEILDIV || kind == CAKE_EXPR_FLOORDIV) &&
                     cake_expr_is_const(cake_expr_rhs(extent), &divisor) && divisor == factor;
  if (!is_quotient)
    return cake_sum_of(extent, NULL, &size) && cake_sum_add(&size, -1, &one, &size) &&
           cake_sum_add(&zero, factor, &size, out);
  if (!cake_sum_of(cake_expr_lhs(extent), NULL, &size)) return false;
  int64_t known = cake_expr_divisor(op, cake_expr_lhs(extent));
  bool is_exact = kind == CAKE_EXPR_FLOORDIV || known == 0 || known % factor == 0;
  return cake_sum_add(&size, is_exact ? -factor : -1, &one, out);
}

// The index of a cake.unroll: from *low to *high.
static bool unroll_range(const CakeAtom *atom, int64_t *low, int64_t *high) {
  const CakeValue *value = atom->kind == CAKE_ATOM_VALUE ? atom->key : NULL;
  CakeOp *loop = value && value->is_argument ? cake_block_parent(cake_arg_owner(value)) : NULL;
  if (!loop || value->index != 0 || !cake_is_cake_op(loop, cake_op_cake_unroll) ||
      !cake_expr_is_const(cake_cake_unroll_lower(loop), low) || !cake_expr_is_const(cake_cake_unroll_upper(loop), high))
    return false;
  --*high;
  return true;
}

static bool atom_upper(const CakeOp *op, CakeAtom atom, int64_t factor, CakeSum *out) {
  const CakeOp *tiles = atom.key, *role = cake_op_role(op);
  CakeRoleShape shape;
  switch (atom.kind) {
  case CAKE_ATOM_ITEM: return extent_upper(op, cake_axes_extent(cake_cake_tiles_axes(tiles), atom.index), factor, out);
  case CAKE_ATOM_STEP:
    return cake_cake_tiles_steps(tiles) &&
           extent_upper(op, cake_axes_extent(cake_cake_tiles_steps(tiles), 0), factor, out);
  case CAKE_ATOM_LEAF:
    if (atom.index == CAKE_EXPR_RANK && cake_op_cluster(op) > 0) {
      *out = cake_sum_constant(factor * (cake_op_cluster(op) - 1));
      return true;
    }
    if (atom.index != CAKE_EXPR_INSTANCE || !role || !cake_role_shape(role, &shape)) return false;
    *out = cake_sum_constant(factor * (shape.replicas - 1));
    return true;
  default: break;
  }
  int64_t low, high;
  if (!unroll_range(&atom, &low, &high) || factor > INT32_MAX) return false;
  *out = cake_sum_constant(factor * high);
  return true;
}

bool cake_sum_replace(CakeSum *sum, size_t atom, const CakeSum *by) {
  CakeSum old = {.count = 1, .atoms = {sum->atoms[atom]}, .factors = {1}};
  int64_t factor = sum->factors[atom];
  return cake_sum_add(sum, -factor, &old, sum) && cake_sum_add(sum, factor, by, sum);
}

bool cake_sum_upper(const CakeOp *op, const CakeSum *sum, CakeSum *out) {
  CakeSum total = cake_sum_constant(sum->constant);
  for (size_t i = 0; i < sum->count; i++) {
    CakeSum upper = {.count = 1, .factors = {sum->factors[i]}};
    upper.atoms[0] = sum->atoms[i];
    bool is_size = sum->atoms[i].kind == CAKE_ATOM_NAME || sum->atoms[i].kind == CAKE_ATOM_EXPR;
    if (!is_size && (sum->factors[i] < 0 || !atom_upper(op, sum->atoms[i], sum->factors[i], &upper))) return false;
    if (!cake_sum_add(&total, 1, &upper, &total)) return false;
  }
  *out = total;
  return true;
}

bool cake_sum_is_positive(const CakeOp *op, const CakeSum *sum) {
  (void)op;
  if (sum->constant < 0) return false;
  for (size_t i = 0; i < sum->count; i++) {
    CakeAtomKind kind = sum->atoms[i].kind;
    int64_t low, high;
    if (sum->factors[i] >= 0 && unroll_range(&sum->atoms[i], &low, &high) && low >= 0) continue;
    if (sum->factors[i] < 0 || kind == CAKE_ATOM_VALUE || kind == CAKE_ATOM_EXPR) return false;
  }
  return true;
}

// ---- Divisors ------------------------------------------------------------------------------------------------------

static int64_t gcd(int64_t a, int64_t b) {
  while (b != 0) {
    int64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a < 0 ? -a : a;
}

static int64_t param_divisor(CakeAttr choices) {
  if (!choices->params[0].i) {
    int64_t divisor = 0;
    for (size_t i = 1; i < choices->count; i++)
      divisor = gcd(divisor, choices->params[i].i);
    return divisor;
  }
  return choices->params[1].i == choices->params[2].i ? choices->params[1].i : 1;
}

// The guard of the kernel around an op, or of the function that a kernel became; NULL: none.
static CakeAttr guard_of(const CakeOp *op) {
  const CakeOp *kernel = cake_is_cake_op(op, cake_op_cake_kernel) ? op : cake_op_kernel(op);
  if (kernel) return cake_cake_kernel_guard(kernel);
  const CakeOp *func = cake_op_is(op, "gpu.func") ? op : cake_op_parent_named(op, "gpu.func");
  CakeAttr guard = func ? cake_op_attr_text(func, "guard") : NULL;
  return cake_attr_is(guard, &cake_attr_def_pred) ? guard : NULL;
}

// `N mod 8 eq 0` in the guard.
static int64_t guard_divisor(CakeAttr guard, CakeId name) {
  int64_t divisor = 1, number, zero;
  for (size_t i = 0; i < cake_pred_count(guard); i++) {
    CakePredTerm term = cake_pred_term(guard, i);
    if (term.compare != CAKE_COMPARE_EQ || cake_expr_kind(term.lhs) != CAKE_EXPR_MOD ||
        !cake_expr_is_const(term.rhs, &zero) || zero != 0)
      continue;
    CakeAttr lhs = cake_expr_lhs(term.lhs);
    if (cake_expr_kind(lhs) != CAKE_EXPR_NAME || cake_expr_name_of(lhs) != name ||
        !cake_expr_is_const(cake_expr_rhs(term.lhs), &number) || number <= 0)
      continue;
    if (is_small(number) && divisor < LIMIT) divisor = divisor / gcd(divisor, number) * number;
  }
  return divisor;
}

bool cake_guard_divides(const CakeOp *op, CakeAttr expr, CakeAttr divisor) {
  CakeAttr guard = guard_of(op);
  int64_t zero;
  for (size_t i = 0; i < cake_pred_count(guard); i++) {
    CakePredTerm term = cake_pred_term(guard, i);
    if (term.compare == CAKE_COMPARE_EQ && cake_expr_kind(term.lhs) == CAKE_EXPR_MOD &&
        cake_expr_is_const(term.rhs, &zero) && zero == 0 && cake_expr_lhs(term.lhs) == expr &&
        cake_expr_rhs(term.lhs) == divisor)
      return true;
  }
  return false;
}

static int64_t name_divisor(const CakeOp *op, CakeId name) {
  const CakeOp *kernel = cake_is_cake_op(op, cake_op_cake_kernel) ? op : cake_op_kernel(op);
  CakeOp *param = kernel ? cake_symbol_lookup_in(kernel, name) : NULL;
  if (param && cake_is_cake_op(param, cake_op_cake_param)) return param_divisor(cake_cake_param_choices(param));
  return guard_divisor(guard_of(op), name);
}

int64_t cake_expr_divisor(const CakeOp *op, CakeAttr expr) {
  CakeExprKind kind = cake_expr_kind(expr);
  if (kind == CAKE_EXPR_CONST) return cake_expr_value(expr) == INT64_MIN ? 1 : gcd(cake_expr_value(expr), 0);
  if (kind == CAKE_EXPR_NAME) return name_divisor(op, cake_expr_name_of(expr));
  if (kind < CAKE_EXPR_ADD) return 1;
  if (kind != CAKE_EXPR_ADD && kind != CAKE_EXPR_SUB && kind != CAKE_EXPR_MUL && kind != CAKE_EXPR_MIN &&
      kind != CAKE_EXPR_MAX)
    return 1;
  int64_t a = cake_expr_divisor(op, cake_expr_lhs(expr)), b = cake_expr_divisor(op, cake_expr_rhs(expr));
  if (kind != CAKE_EXPR_MUL) return gcd(a, b);
  return a > LIMIT || b > LIMIT ? gcd(a > b ? a : b, 0) : a * b;
}

int64_t cake_stride_divisor(const CakeOp *op, CakeType global, size_t dim) {
  int64_t divisor = (int64_t)cake_type_width(cake_global_element(global)) / 8;
  for (size_t i = dim + 1; i < cake_global_rank(global); i++) {
    int64_t size = cake_expr_divisor(op, cake_global_dim(global, i));
    divisor = size > INT32_MAX || divisor > INT32_MAX ? divisor : divisor * size;
  }
  return divisor;
}

// ---- Lower bounds --------------------------------------------------------------------------------------------------

// `N ge 64` in the guard.
int64_t cake_guard_least(const CakeOp *op, CakeId name) {
  CakeAttr guard = guard_of(op);
  int64_t least = 0, number;
  for (size_t i = 0; i < cake_pred_count(guard); i++) {
    CakePredTerm term = cake_pred_term(guard, i);
    bool is_bound =
        term.compare == CAKE_COMPARE_GE || term.compare == CAKE_COMPARE_GT || term.compare == CAKE_COMPARE_EQ;
    if (!is_bound || cake_expr_kind(term.lhs) != CAKE_EXPR_NAME || cake_expr_name_of(term.lhs) != name ||
        !cake_expr_is_const(term.rhs, &number))
      continue;
    if (term.compare == CAKE_COMPARE_GT && number < INT32_MAX) number++;
    if (number > least && number <= INT32_MAX) least = number;
  }
  return least;
}

static int64_t clamp(int64_t value) {
  return value > INT32_MAX ? INT32_MAX : value < INT32_MIN ? INT32_MIN : value;
}

int64_t cake_expr_least(const CakeOp *op, CakeAttr expr) {
  CakeExprKind kind = cake_expr_kind(expr);
  int64_t value;
  if (cake_expr_is_const(expr, &value)) return clamp(value);
  if (kind == CAKE_EXPR_NAME) return cake_guard_least(op, cake_expr_name_of(expr));
  if (kind < CAKE_EXPR_ADD) return INT32_MIN;
  int64_t a = cake_expr_least(op, cake_expr_lhs(expr)), b = cake_expr_least(op, cake_expr_rhs(expr));
  bool is_const = cake_expr_is_const(cake_expr_rhs(expr), &value), can_divide = is_const && value > 0 && a >= 0;
  switch (kind) {
  case CAKE_EXPR_ADD: return clamp(a + b);
  case CAKE_EXPR_SUB: return is_const ? clamp(a - clamp(value)) : INT32_MIN;
  case CAKE_EXPR_MUL: return a < 0 || b < 0 ? INT32_MIN : clamp(a * b);
  case CAKE_EXPR_FLOORDIV: return can_divide ? a / value : INT32_MIN;
  case CAKE_EXPR_CEILDIV: return can_divide ? a / value + (a % value != 0) : INT32_MIN;
  case CAKE_EXPR_MIN: return a < b ? a : b;
  case CAKE_EXPR_MAX: return a > b ? a : b;
  default: return INT32_MIN;
  }
}
