// Index arithmetic for the schedule level's expressions and predicates.
//
// Division is by the unsigned ops where operands are provably not negative (sizes, item and step numbers), because
// those are cheap on a GPU; elsewhere by arith's floordivsi and ceildivsi, whose meaning is that of `floordiv` and
// `ceildiv`.
#include "lower.h"

#include "dialects/cake/cake.h"
#include "dialects/gpu/gpu_accessors.h"

// Attributes from text are not nested deeper than the parser's limit; this one keeps those that passes made in bounds
// too.
enum { MAX_DEPTH = 400, MAX_SIGN_DEPTH = 8 };

typedef struct Builder {
  CakeRewriter *rewriter;
  CakeOp *op; // where faults are reported
  const CakeLowerEnv *env;
} Builder;

// ---- Signs ----------------------------------------------------------------------------------------------------------

static bool is_one_of(const CakeOp *op, const char *const *names, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (cake_op_is(op, names[i])) return true;
  return false;
}

// A size of the launch: gpu.func's sizes stand behind its arrays and scalars.
static bool is_size(const CakeValue *argument, const CakeOp *parent) {
  CakeAttr names = parent && cake_is_gpu_op(parent, cake_op_gpu_func) ? cake_op_attr_text(parent, "arg_names") : NULL;
  return cake_attr_is(names, &cake_attr_def_array) && argument->index >= cake_attr_count(names);
}

static bool is_not_negative(const CakeValue *value, int depth) {
  static const char *const always[] = {"gpu.block_id",   "gpu.thread_id",   "gpu.grid_dim",
                                       "gpu.warp_id",    "gpu.lane_id",     "arith.remui",
                                       "gpu.cluster_id", "gpu.cluster_dim", "gpu.cluster_block_id"};
  static const char *const of_both[] = {"arith.addi", "arith.muli", "arith.divui", "arith.minsi"};
  int64_t constant;
  if (depth > MAX_SIGN_DEPTH || !cake_type_is_index(value->type)) return false;
  if (value->is_argument) {
    const CakeOp *parent = cake_block_parent(cake_arg_owner(value));
    if (parent && value->index == 0 && cake_op_is(parent, "scf.for"))
      return is_not_negative(cake_op_operand(parent, 0), depth + 1);
    return is_size(value, parent);
  }
  if (cake_lower_constant(value, &constant)) return constant >= 0;
  const CakeOp *def = cake_value_def(value);
  if (is_one_of(def, of_both, CAKE_COUNT(of_both)))
    return is_not_negative(cake_op_operand(def, 0), depth + 1) && is_not_negative(cake_op_operand(def, 1), depth + 1);
  return is_one_of(def, always, CAKE_COUNT(always));
}

static bool are_not_negative(const CakeValue *a, const CakeValue *b) {
  return is_not_negative(a, 0) && is_not_negative(b, 0);
}

// ---- Operators ------------------------------------------------------------------------------------------------------

static CakeValue *lower_floordiv(CakeRewriter *rewriter, CakeValue *a, CakeValue *b) {
  return are_not_negative(a, b) ? cake_lower_divui(rewriter, a, b)
                                : cake_build_binary(rewriter, "arith.floordivsi", a, b);
}

static CakeValue *lower_ceildiv(CakeRewriter *rewriter, CakeValue *a, CakeValue *b) {
  int64_t divisor;
  // (a + divisor - 1) / divisor: sizes are far enough from 2^31 for a divisor of 16 bits.
  if (cake_lower_constant(b, &divisor) && divisor > 0 && divisor <= 65536 && is_not_negative(a, 0))
    return cake_lower_divui(rewriter, cake_lower_add_const(rewriter, a, divisor - 1), b);
  return cake_build_binary(rewriter, "arith.ceildivsi", a, b);
}

static CakeValue *lower_mod(CakeRewriter *rewriter, CakeValue *a, CakeValue *b) {
  if (are_not_negative(a, b)) return cake_lower_remui(rewriter, a, b);
  return cake_lower_sub(rewriter, a, cake_lower_mul(rewriter, lower_floordiv(rewriter, a, b), b));
}

static CakeValue *lower_binary(CakeRewriter *rewriter, CakeExprKind kind, CakeValue *a, CakeValue *b) {
  switch (kind) {
  case CAKE_EXPR_ADD: return cake_lower_add(rewriter, a, b);
  case CAKE_EXPR_SUB: return cake_lower_sub(rewriter, a, b);
  case CAKE_EXPR_MUL: return cake_lower_mul(rewriter, a, b);
  case CAKE_EXPR_FLOORDIV: return lower_floordiv(rewriter, a, b);
  case CAKE_EXPR_CEILDIV: return lower_ceildiv(rewriter, a, b);
  case CAKE_EXPR_MOD: return lower_mod(rewriter, a, b);
  case CAKE_EXPR_MIN: return cake_build_binary(rewriter, "arith.minsi", a, b);
  case CAKE_EXPR_MAX: return cake_build_binary(rewriter, "arith.maxsi", a, b);
  default: return NULL;
  }
}

// ---- Leaves ---------------------------------------------------------------------------------------------------------

static CakeValue *report(const Builder *b, const char *what) {
  (void)cake_error(b->op, CAKE_CODE_LOWER_UNSUPPORTED, "uses %s, which has no value at the thread level", what);
  return NULL;
}

static CakeValue *lower_name(const Builder *b, CakeId name) {
  for (size_t i = 0; i < b->env->n_names; i++)
    if (b->env->names[i] == name) return b->env->name_values[i];
  (void)cake_error(b->op, CAKE_CODE_LOWER_UNSUPPORTED, "names '%s', which is no size of an argument", name->text);
  return NULL;
}

static CakeValue *lower_leaf(const Builder *b, CakeAttr expr) {
  const CakeLowerEnv *env = b->env;
  switch (cake_expr_kind(expr)) {
  case CAKE_EXPR_CONST: return cake_lower_index(b->rewriter, cake_expr_value(expr));
  case CAKE_EXPR_NAME: return lower_name(b, cake_expr_name_of(expr));
  case CAKE_EXPR_OPERAND: {
    uint64_t index = (uint64_t)cake_expr_value(expr);
    return index < env->n_operands ? env->operands[index] : report(b, "an operand that is not there");
  }
  case CAKE_EXPR_INSTANCE: return env->instance ? env->instance : report(b, "'instance'");
  case CAKE_EXPR_ROW: return env->row ? env->row : report(b, "'row'");
  case CAKE_EXPR_COL: return env->col ? env->col : report(b, "'col'");
  case CAKE_EXPR_RANK: return env->rank ? env->rank : report(b, "'rank'");
  default: return report(b, "an unknown size '?'");
  }
}

static CakeValue *lower_expr(const Builder *b, CakeAttr expr, int depth) {
  if (depth > MAX_DEPTH) return report(b, "an expression nested too deeply");
  CakeExprKind kind = cake_expr_kind(expr);
  if (kind < CAKE_EXPR_ADD) return lower_leaf(b, expr);
  CakeValue *lhs = lower_expr(b, cake_expr_lhs(expr), depth + 1);
  CakeValue *rhs = lhs ? lower_expr(b, cake_expr_rhs(expr), depth + 1) : NULL;
  return rhs ? lower_binary(b->rewriter, kind, lhs, rhs) : NULL;
}

CakeValue *cake_lower_expr(CakeRewriter *rewriter, CakeOp *op, CakeAttr expr, const CakeLowerEnv *env) {
  return lower_expr(&(Builder){rewriter, op, env}, expr, 0);
}

CakeValue *cake_lower_pred(CakeRewriter *rewriter, CakeOp *op, CakeAttr pred, const CakeLowerEnv *env) {
  static const CakeIntPredicate predicates[] = {[CAKE_COMPARE_EQ] = CAKE_CMPI_EQ,  [CAKE_COMPARE_NE] = CAKE_CMPI_NE,
                                                [CAKE_COMPARE_LT] = CAKE_CMPI_SLT, [CAKE_COMPARE_LE] = CAKE_CMPI_SLE,
                                                [CAKE_COMPARE_GT] = CAKE_CMPI_SGT, [CAKE_COMPARE_GE] = CAKE_CMPI_SGE};
  CakeValue *all = NULL;
  for (size_t i = 0; i < cake_pred_count(pred); i++) {
    CakePredTerm term = cake_pred_term(pred, i);
    CakeValue *lhs = cake_lower_expr(rewriter, op, term.lhs, env);
    CakeValue *rhs = lhs ? cake_lower_expr(rewriter, op, term.rhs, env) : NULL;
    if (!rhs) return NULL;
    CakeValue *holds = cake_lower_cmpi(rewriter, predicates[term.compare], lhs, rhs);
    all = all ? cake_build_binary(rewriter, "arith.andi", all, holds) : holds;
  }
  return all ? all : cake_lower_const(rewriter, cake_type_i1(rewriter->context), 1);
}
