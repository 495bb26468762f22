// Matching a rewrite's before: from the root along the operands, with what the variables stand for noted on the way.
#include "rewrite.h"

int cake_rewrite_op_number(const Rewrite *rewrite, const CakeOp *op) {
  for (uint32_t i = 0; i < rewrite->n_ops; i++)
    if (rewrite->ops[i] == op) return (int)i;
  return -1;
}

// ---- Types and attributes ------------------------------------------------------------------------------------------

// Recursion is as deep as the pattern, which the parser limits.
static bool match_params(RewriteMatch *match, const CakeParam *pattern, const CakeParam *params, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (pattern[i].kind != params[i].kind) return false;
    bool is_same = pattern[i].i == params[i].i;
    if (pattern[i].kind == CAKE_PARAM_TYPE && pattern[i].type && params[i].type)
      is_same = cake_rewrite_match_type(match, pattern[i].type, params[i].type);
    else if (pattern[i].kind == CAKE_PARAM_ATTR && pattern[i].attr && params[i].attr)
      is_same = cake_rewrite_match_attr(match, pattern[i].attr, params[i].attr);
    if (!is_same) return false;
  }
  return true;
}

bool cake_rewrite_match_type(RewriteMatch *match, CakeType pattern, CakeType type) {
  int number = cake_rewrite_type_var_number(pattern);
  if (number >= 0) {
    if (!match->types[number]) match->types[number] = type;
    return match->types[number] == type;
  }
  return pattern == type || (pattern->def == type->def && pattern->count == type->count &&
                             match_params(match, pattern->params, type->params, type->count));
}

bool cake_rewrite_match_attr(RewriteMatch *match, CakeAttr pattern, CakeAttr attr) {
  int number = cake_rewrite_attr_var_number(pattern);
  if (number >= 0) {
    CakeType wanted = pattern->params[2].type, type = cake_attr_value_type(attr);
    if (wanted && (!type || !cake_rewrite_match_type(match, wanted, type))) return false;
    if (!match->attrs[number]) match->attrs[number] = attr;
    return match->attrs[number] == attr;
  }
  return pattern == attr || (pattern->def == attr->def && pattern->count == attr->count &&
                             match_params(match, pattern->params, attr->params, attr->count));
}

// ---- Ops -----------------------------------------------------------------------------------------------------------

static bool decline_attr(RewriteMatch *match, const CakeOp *op, const char *name, CakeAttr wanted, CakeAttr found) {
  return cake_rewriter_decline(match->rewriter, "attribute '%s' of '%s' is %s, not %s", name, op->info->name->text,
                               found ? cake_attr_text(found) : "not there",
                               wanted ? cake_attr_text(wanted) : "left out");
}

static bool match_props(RewriteMatch *match, const CakeOp *pattern, const CakeOp *op) {
  const CakeOpInfoStorage *info = (const CakeOpInfoStorage *)op->info;
  for (uint32_t i = 0; i < pattern->info->n_props; i++) {
    CakeAttr wanted = cake_op_prop(pattern, i), found = cake_op_prop(op, i);
    if (wanted == found || (wanted && found && cake_rewrite_match_attr(match, wanted, found))) continue;
    return decline_attr(match, op, op->info->def ? info->row_names[i]->text : "properties", wanted, found);
  }
  for (size_t i = 0; pattern->attrs && i < cake_attr_count(pattern->attrs); i++) {
    CakeNamedAttr wanted = cake_attr_entry(pattern->attrs, i);
    CakeAttr found = cake_attr_lookup(op->attrs, wanted.name);
    if (!found || !cake_rewrite_match_attr(match, wanted.value, found))
      return decline_attr(match, op, wanted.name->text, wanted.value, found);
  }
  return true;
}

static bool match_results(RewriteMatch *match, const CakeOp *pattern, const CakeOp *op) {
  if (op->info->def && op->info->def->infer) return true; // follows from the rest
  for (uint32_t i = 0; i < op->n_results; i++)
    if (!cake_rewrite_match_type(match, pattern->results[i].type, op->results[i].type))
      return cake_rewriter_decline(match->rewriter, "result #%u of '%s' is of type '%s', not '%s'", i,
                                   op->info->name->text, cake_type_text(op->results[i].type),
                                   cake_type_text(pattern->results[i].type));
  return true;
}

static bool match_op(RewriteMatch *match, const CakeOp *pattern, CakeOp *op);

static bool decline_value(RewriteMatch *match, const CakeOp *user, uint32_t operand, const CakeOp *wanted,
                          const CakeValue *found) {
  const CakeOp *op = cake_value_def(found);
  return cake_rewriter_decline(match->rewriter, "operand #%u of '%s' is %s%s%s, not a result of '%s'", operand,
                               user->info->name->text, op ? "a result of '" : "an argument of a block",
                               op ? op->info->name->text : "", op ? "'" : "", wanted->info->name->text);
}

static bool match_value(RewriteMatch *match, const CakeOp *user, uint32_t operand, const CakeValue *pattern,
                        CakeValue *value) {
  if (!cake_rewrite_match_type(match, pattern->type, value->type))
    return cake_rewriter_decline(match->rewriter, "operand #%u of '%s' is of type '%s', not '%s'", operand,
                                 user->info->name->text, cake_type_text(value->type), cake_type_text(pattern->type));
  if (pattern->is_argument) {
    CakeValue **bound = &match->values[pattern->index];
    if (!*bound) *bound = value;
    return *bound == value || cake_rewriter_decline(match->rewriter, "operand #%u of '%s' is another value than %%%s",
                                                    operand, user->info->name->text, cake_value_name(pattern)->text);
  }
  const CakeOp *wanted = cake_result_owner(pattern);
  CakeOp *op = cake_value_def(value);
  if (!op || op->info != wanted->info || value->index != pattern->index)
    return decline_value(match, user, operand, wanted, value);
  return match_op(match, wanted, op);
}

// Which operand of `op` stands where the pattern has operand `i`.
static uint32_t swapped(const RewriteMatch *match, int number, uint32_t i) {
  unsigned swap = 0;
  for (int k = 0; k < number; k++)
    swap +=
        cake_op_has_trait(match->rewrite->ops[k], CAKE_TRAIT_COMMUTATIVE) && match->rewrite->ops[k]->n_operands == 2;
  bool is_commutative = cake_op_has_trait(match->rewrite->ops[number], CAKE_TRAIT_COMMUTATIVE) &&
                        match->rewrite->ops[number]->n_operands == 2;
  return is_commutative && swap < CAKE_REWRITE_SWAPS && (match->swaps >> swap & 1) ? 1 - i : i;
}

// Recursion is as deep as the pattern: at most CAKE_REWRITE_OPS.
static bool match_op(RewriteMatch *match, const CakeOp *pattern, CakeOp *op) {
  int number = cake_rewrite_op_number(match->rewrite, pattern);
  if (match->ops[number])
    return match->ops[number] == op ||
           cake_rewriter_decline(match->rewriter, "two values of one '%s' come from two ops", op->info->name->text);
  match->ops[number] = op;
  if (op->n_operands != pattern->n_operands || op->n_results != pattern->n_results ||
      op->n_regions != pattern->n_regions)
    return cake_rewriter_decline(match->rewriter, "'%s' has %u operands and %u results, not %u and %u",
                                 op->info->name->text, op->n_operands, op->n_results, pattern->n_operands,
                                 pattern->n_results);
  if (!match_props(match, pattern, op) || !match_results(match, pattern, op)) return false;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    uint32_t at = swapped(match, number, i);
    if (!match_value(match, op, at, cake_op_operand(pattern, i), cake_op_operand(op, at))) return false;
  }
  return true;
}

// ---- Where ---------------------------------------------------------------------------------------------------------

CakeValue *cake_rewrite_bound_value(const RewriteMatch *match, const CakeValue *value) {
  if (value->is_argument) return match->values[value->index];
  int number = cake_rewrite_op_number(match->rewrite, cake_result_owner(value));
  return number < 0 ? NULL : &match->ops[number]->results[value->index];
}

static CakeRewriteArg bound_arg(const RewriteMatch *match, const CakeRewriteArg *arg) {
  CakeRewriteArg bound = *arg;
  if (arg->value) {
    bound.value = cake_rewrite_bound_value(match, arg->value);
    bound.type = bound.value->type;
  } else if (arg->type) {
    bound.type = cake_rewrite_bound_type(match, arg->type);
  }
  if (arg->attr) bound.attr = cake_rewrite_bound_attr(match, arg->attr);
  return bound;
}

static bool holds(RewriteMatch *match, const RewriteClause *clause) {
  CakeRewriteArg args[CAKE_REWRITE_ARGS];
  for (uint32_t i = 0; i < clause->n_args; i++)
    args[i] = bound_arg(match, &clause->args[i]);
  if (clause->target < 0) return clause->native->check(args) != clause->negated;
  match->attrs[clause->target] = clause->native->compute(args);
  return match->attrs[clause->target] != NULL;
}

static bool where_holds(RewriteMatch *match) {
  for (uint32_t i = 0; i < match->rewrite->n_clauses; i++) {
    const RewriteClause *clause = &match->rewrite->clauses[i];
    if (!holds(match, clause))
      return cake_rewriter_decline(match->rewriter, "'%.*s' does not hold", CAKE_STR_ARG(clause->text));
  }
  return true;
}

// ---- All of it -----------------------------------------------------------------------------------------------------

static unsigned progress(const RewriteMatch *match) {
  unsigned count = 0;
  for (uint32_t i = 0; i < match->rewrite->n_ops; i++)
    count += match->ops[i] != NULL;
  return count;
}

// With the operands of commutative ops as `swaps` says.
static bool try_match(RewriteMatch *match, CakeOp *op, unsigned swaps) {
  *match = (RewriteMatch){.rewrite = match->rewrite, .rewriter = match->rewriter, .swaps = swaps};
  return match_op(match, match->rewrite->ops[match->rewrite->n_ops - 1], op) && where_holds(match);
}

// Of several reasons, that of the attempt that matched most ops is the one to tell.
bool cake_rewrite_match(RewriteMatch *match, CakeOp *op) {
  uint32_t n_swaps = match->rewrite->n_swaps;
  if (n_swaps > CAKE_REWRITE_SWAPS) n_swaps = CAKE_REWRITE_SWAPS;
  CakeBuf *reason = match->rewriter->reason, text = {0};
  unsigned most = 0;
  bool is_matched = false;
  for (unsigned swaps = 0; !is_matched && swaps < 1u << n_swaps; swaps++) {
    match->rewriter->reason = reason ? &text : NULL;
    is_matched = try_match(match, op, swaps);
    if (!reason || progress(match) <= most) continue;
    most = progress(match);
    cake_buf_clear(reason);
    cake_buf_str(reason, cake_buf_view(&text));
  }
  match->rewriter->reason = reason;
  cake_buf_fini(&text);
  return is_matched;
}
