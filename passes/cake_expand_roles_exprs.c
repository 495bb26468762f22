// Expressions of the ops that stay: sizes, `instance` and `rank` become operands, so that the kernel's names need not be known
// any more.
//
// An op's group `X_idx` holds the operands of its attribute `X`; each `dN` occurs once, in order.
#include "passes/cake_expand_roles.h"

#include <string.h>

enum { MAX_DEPTH = 400 };

typedef CAKE_VEC(CakeValue *) Values;

typedef struct Rename {
  ExpandKernel *k;
  const ExpandRole *role;
  CakeOp *op;
  CakeOperandRange old; // operands of the attribute so far
  Values *operands;     // of the whole op, growing
  size_t start;         // where the attribute's begin
} Rename;

static CakeAttr report(const Rename *r, const char *what) {
  (void)cake_error(r->op, CAKE_CODE_LOWER_UNSUPPORTED, "uses %s", what);
  return NULL;
}

static CakeAttr use_operand(Rename *r, CakeValue *value) {
  CAKE_PUSH(r->operands, value);
  return cake_expr_operand(r->k->rewriter->context, (uint32_t)(r->operands->len - 1 - r->start));
}

static CakeAttr rename_size(Rename *r, CakeId name) {
  for (size_t i = 0; i < r->k->names.len; i++)
    if (r->k->names.data[i] == name) return use_operand(r, r->k->sizes.data[i]);
  (void)cake_error(r->op, CAKE_CODE_LOWER_UNSUPPORTED, "names '%s', which is no size of an argument", name->text);
  return NULL;
}

static CakeAttr rename_leaf(Rename *r, CakeAttr expr) {
  switch (cake_expr_kind(expr)) {
  case CAKE_EXPR_NAME: return rename_size(r, cake_expr_name_of(expr));
  case CAKE_EXPR_OPERAND:
    if ((uint64_t)cake_expr_value(expr) >= r->old.count) return report(r, "an operand that is not there");
    return use_operand(r, r->old.first[cake_expr_value(expr)].value);
  case CAKE_EXPR_INSTANCE: return use_operand(r, r->role->instance);
  case CAKE_EXPR_RANK: return use_operand(r, r->k->rank);
  case CAKE_EXPR_UNKNOWN: return report(r, "an unknown size '?'");
  default: return expr;
  }
}

static CakeAttr rename_expr(Rename *r, CakeAttr expr, int depth) {
  if (depth > MAX_DEPTH) return report(r, "an expression that is nested too deeply");
  if (cake_expr_kind(expr) < CAKE_EXPR_ADD) return rename_leaf(r, expr);
  CakeAttr lhs = rename_expr(r, cake_expr_lhs(expr), depth + 1);
  CakeAttr rhs = lhs ? rename_expr(r, cake_expr_rhs(expr), depth + 1) : NULL;
  return rhs ? cake_expr_binary(r->k->rewriter->context, cake_expr_kind(expr), lhs, rhs) : NULL;
}

// Puts 0 for the only instance or CTA and numbers for constants, and folds, before operands are numbered: what folding drops gets no number.
static CakeAttr fold_expr(Rename *r, CakeAttr expr, int depth) {
  CakeContext *context = r->k->rewriter->context;
  if (depth > MAX_DEPTH) return expr;
  CakeExprKind kind = cake_expr_kind(expr);
  int64_t number;
  if (kind == CAKE_EXPR_INSTANCE && !r->role->instance) return cake_expr_const(context, 0);
  if (kind == CAKE_EXPR_RANK && !r->k->rank) return cake_expr_const(context, 0);
  if (kind == CAKE_EXPR_OPERAND && (uint64_t)cake_expr_value(expr) < r->old.count &&
      cake_lower_constant(r->old.first[cake_expr_value(expr)].value, &number))
    return cake_expr_const(context, number);
  if (kind < CAKE_EXPR_ADD) return expr;
  return cake_expr_binary(context, kind, fold_expr(r, cake_expr_lhs(expr), depth + 1),
                          fold_expr(r, cake_expr_rhs(expr), depth + 1));
}

static CakeAttr rename_one(Rename *r, CakeAttr expr) {
  return rename_expr(r, fold_expr(r, expr, 0), 0);
}

static CakeAttr rename_at(Rename *r, CakeAttr at) {
  CAKE_VEC(CakeAttr) exprs = {0};
  bool is_fine = true;
  for (size_t i = 0; i < cake_at_count(at) && is_fine; i++) {
    CAKE_PUSH(&exprs, rename_one(r, cake_at_expr(at, i)));
    is_fine = exprs.data[i] != NULL;
  }
  CakeAttr renamed = is_fine ? cake_at_get(r->k->rewriter->context, exprs.data, exprs.len) : NULL;
  CAKE_VEC_FINI(&exprs);
  return renamed;
}

static CakeAttr rename_pred(Rename *r, CakeAttr pred) {
  CAKE_VEC(CakePredTerm) terms = {0};
  bool is_fine = true;
  for (size_t i = 0; i < cake_pred_count(pred) && is_fine; i++) {
    CakePredTerm term = cake_pred_term(pred, i);
    term.lhs = rename_one(r, term.lhs);
    term.rhs = term.lhs ? rename_one(r, term.rhs) : NULL;
    is_fine = term.rhs != NULL;
    CAKE_PUSH(&terms, term);
  }
  CakeAttr renamed = is_fine ? cake_pred_get(r->k->rewriter->context, terms.data, terms.len) : NULL;
  CAKE_VEC_FINI(&terms);
  return renamed;
}

static CakeAttr rename_attr(Rename *r, CakeAttr attr) {
  if (cake_attr_is(attr, &cake_attr_def_at)) return rename_at(r, attr);
  return cake_attr_is(attr, &cake_attr_def_pred) ? rename_pred(r, attr) : rename_one(r, attr);
}

// The row of the attribute whose operands a group holds; -1: the group is of another kind.
static int attr_of_group(const CakeOpDef *def, const CakeOperandDef *group) {
  static const char suffix[] = "_idx";
  size_t length = strlen(group->name), tail = sizeof suffix - 1;
  if (length <= tail || strcmp(group->name + length - tail, suffix) != 0) return -1;
  for (int i = 0; i < def->n_attrs; i++)
    if (strlen(def->attrs[i].name) == length - tail && memcmp(def->attrs[i].name, group->name, length - tail) == 0)
      return i;
  return -1;
}

// Appends one group's operands, renewed if they belong to an expression.
static bool rename_group(Rename *r, uint32_t group) {
  const CakeOpDef *def = cake_op_def(r->op);
  CakeOperandRange range = cake_op_operand_group(r->op, group);
  int row = attr_of_group(def, &def->operands[group]);
  CakeAttr attr = row < 0 ? NULL : cake_op_prop(r->op, (size_t)row);
  if (!attr) {
    for (uint32_t i = 0; i < range.count; i++)
      CAKE_PUSH(r->operands, range.first[i].value);
    return true;
  }
  r->old = range;
  r->start = r->operands->len;
  CakeAttr renamed = rename_attr(r, attr);
  if (renamed && renamed != attr) cake_rewriter_set_attr_text(r->k->rewriter, r->op, def->attrs[row].name, renamed);
  return renamed != NULL;
}

static bool rename_groups(Rename *r) {
  const CakeOpDef *def = cake_op_def(r->op);
  CAKE_VEC(int32_t) sizes = {0};
  bool is_fine = true;
  for (uint32_t group = 0; group < def->n_operands && is_fine; group++) {
    size_t before = r->operands->len;
    is_fine = rename_group(r, group);
    CAKE_PUSH(&sizes, (int32_t)(r->operands->len - before));
  }
  bool has_segments = (def->traits & CAKE_TRAIT_SEGMENTS) != 0;
  if (is_fine)
    cake_rewriter_set_operands(r->k->rewriter, r->op, r->operands->data, r->operands->len,
                               has_segments ? sizes.data : NULL, has_segments ? sizes.len : 0);
  CAKE_VEC_FINI(&sizes);
  return is_fine;
}

bool cake_expand_exprs(ExpandKernel *k, const ExpandRole *role, CakeOp *op) {
  const CakeOpDef *def = cake_op_def(op);
  bool has_exprs = false;
  for (uint32_t group = 0; def && group < def->n_operands; group++)
    has_exprs |= attr_of_group(def, &def->operands[group]) >= 0;
  if (!has_exprs) return true;
  Values operands = {0};
  bool is_fine = rename_groups(&(Rename){.k = k, .role = role, .op = op, .operands = &operands});
  CAKE_VEC_FINI(&operands);
  return is_fine;
}
