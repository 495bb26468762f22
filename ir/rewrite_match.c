// Matching a rewrite's before: from the root along the operands and into the regions, with what the variables stand for noted on the way.
#include "rewrite.h"

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

// The types of a part of a list, by a range of types.
static bool match_type_range(RewriteMatch *match, CakeType pattern, const RewriteList *list, RewriteSpan part) {
  RewriteSpan *span = &match->type_spans[cake_rewrite_type_var_number(pattern)];
  if (!span->is_bound) {
    *span = (RewriteSpan){(uint32_t)match->range_types.len, part.count, true};
    for (uint32_t i = 0; i < part.count; i++)
      CAKE_PUSH(&match->range_types, cake_rewrite_list_at(list, part.first + i)->type);
    return true;
  }
  bool is_same = span->count == part.count;
  for (uint32_t i = 0; is_same && i < part.count; i++)
    is_same = match->range_types.data[span->first + i] == cake_rewrite_list_at(list, part.first + i)->type;
  return is_same;
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
  bool has_segments = cake_op_has_trait(op, CAKE_TRAIT_SEGMENTS); // compared as the operands are
  for (uint32_t i = 0; i < pattern->info->n_props - has_segments; i++) {
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

static bool match_op(RewriteMatch *match, const CakeOp *pattern, CakeOp *op);

// What a list is of, for messages: `what` #0 of an op.
typedef struct Place {
  const char *what;
  const CakeOp *op;
  uint32_t first; // of the list, among all
} Place;

static bool match_count(RewriteMatch *match, const Place *place, const RewriteList *pattern, uint32_t count) {
  bool has_range = pattern->range < pattern->count;
  if (has_range ? count + 1 >= pattern->count : count == pattern->count) return true;
  return cake_rewriter_decline(match->rewriter, "'%s' has %u %ss, not %s%u", place->op->info->name->text, count,
                               place->what, has_range ? "at least " : "", pattern->count - has_range);
}

static bool match_types(RewriteMatch *match, const Place *place, const RewriteList *pattern, const RewriteList *list) {
  for (uint32_t i = 0; i < pattern->count; i++) {
    CakeType wanted = cake_rewrite_list_at(pattern, i)->type;
    RewriteSpan part = cake_rewrite_slice(pattern, i, list->count);
    if (cake_rewrite_is_range(wanted)) {
      if (match_type_range(match, wanted, list, part)) continue;
      return cake_rewriter_decline(match->rewriter, "the %u %ss of '%s' from #%u on are not of the types '%s'",
                                   part.count, place->what, place->op->info->name->text, place->first + part.first,
                                   cake_type_text(wanted));
    }
    CakeType type = cake_rewrite_list_at(list, part.first)->type;
    if (!cake_rewrite_match_type(match, wanted, type))
      return cake_rewriter_decline(match->rewriter, "%s #%u of '%s' is of type '%s', not '%s'", place->what,
                                   place->first + part.first, place->op->info->name->text, cake_type_text(type),
                                   cake_type_text(wanted));
  }
  return true;
}

static bool match_results(RewriteMatch *match, const CakeOp *pattern, const CakeOp *op) {
  RewriteList wanted = cake_rewrite_pattern(cake_rewrite_results(pattern)), list = cake_rewrite_results(op);
  Place place = {"result", op, 0};
  if (!match_count(match, &place, &wanted, list.count)) return false;
  if (op->info->def && op->info->def->infer) return true; // the types follow from the rest
  return match_types(match, &place, &wanted, &list);
}

// ---- Operands ------------------------------------------------------------------------------------------------------

static bool decline_value(RewriteMatch *match, const CakeOp *user, uint32_t operand, const CakeOp *wanted,
                          const CakeValue *found) {
  const CakeOp *op = cake_value_def(found);
  return cake_rewriter_decline(match->rewriter, "operand #%u of '%s' is %s%s%s, not a result of '%s'", operand,
                               user->info->name->text, op ? "a result of '" : "an argument of a block",
                               op ? op->info->name->text : "", op ? "'" : "", wanted->info->name->text);
}

static const char *name_of(const CakeValue *pattern) {
  CakeId name = cake_value_name(pattern);
  return name ? name->text : "…"; // numbers are not kept
}

static bool decline_other(RewriteMatch *match, const Place *place, uint32_t operand, const CakeValue *pattern) {
  return cake_rewriter_decline(match->rewriter, "operand #%u of '%s' is another value than %%%s", operand,
                               place->op->info->name->text, name_of(pattern));
}

// What the values have to be that a pattern's value is known to stand for.
static bool match_known(RewriteMatch *match, const Place *place, const CakeValue *pattern, const RewriteList *list,
                        RewriteSpan part) {
  RewriteValues known = {0};
  cake_rewrite_bound_values(match, pattern, &known);
  bool is_same = known.len == part.count;
  uint32_t i = 0;
  while (is_same && i < part.count && known.data[i] == cake_rewrite_list_at(list, part.first + i))
    i++;
  CAKE_VEC_FINI(&known);
  return (is_same && i == part.count) || decline_other(match, place, place->first + part.first + i, pattern);
}

// A value from outside, or a range of them: the first that stand in its place say what it is.
static bool match_outside(RewriteMatch *match, const Place *place, const CakeValue *pattern, const RewriteList *list,
                          RewriteSpan part) {
  CakeValue **bound = &match->values[pattern->index];
  RewriteSpan *span = &match->value_spans[pattern->index];
  bool is_range = cake_rewrite_is_range(pattern->type);
  if (is_range ? span->is_bound : *bound != NULL) return match_known(match, place, pattern, list, part);
  if (!is_range) {
    *bound = cake_rewrite_list_at(list, part.first);
    return true;
  }
  *span = (RewriteSpan){(uint32_t)match->range_values.len, part.count, true};
  for (uint32_t i = 0; i < part.count; i++)
    CAKE_PUSH(&match->range_values, cake_rewrite_list_at(list, part.first + i));
  return true;
}

// The results of an op of the before.
static bool match_definition(RewriteMatch *match, const Place *place, const CakeValue *pattern, const RewriteList *list,
                             RewriteSpan part) {
  const CakeOp *wanted = cake_result_owner(pattern);
  if (!part.count)
    return cake_rewriter_decline(match->rewriter, "'%s' has no operands in the place of %%%s, so that no '%s' is found",
                                 place->op->info->name->text, name_of(pattern), wanted->info->name->text);
  const CakeValue *first = cake_rewrite_list_at(list, part.first);
  CakeOp *op = cake_value_def(first);
  if (!op || op->info != wanted->info) return decline_value(match, place->op, place->first + part.first, wanted, first);
  RewriteList results = cake_rewrite_pattern(cake_rewrite_results(wanted)), found = cake_rewrite_results(op);
  Place definition = {"result", op, 0};
  if (!match_count(match, &definition, &results, found.count)) return false;
  RewriteSpan span = cake_rewrite_slice(&results, pattern->index, found.count);
  bool is_same = span.count == part.count;
  for (uint32_t i = 0; is_same && i < part.count; i++)
    is_same = cake_rewrite_list_at(list, part.first + i) == op->results + span.first + i;
  if (is_same) return match_op(match, wanted, op);
  return cake_rewriter_decline(match->rewriter, "the operands of '%s' from #%u on are other results of '%s' than %%%s",
                               place->op->info->name->text, place->first + part.first, op->info->name->text,
                               name_of(pattern));
}

static bool match_value(RewriteMatch *match, const Place *place, const CakeValue *pattern, const RewriteList *list,
                        RewriteSpan part) {
  if (!pattern->is_argument) return match_definition(match, place, pattern, list, part);
  bool is_outside = cake_arg_owner(pattern) == match->rewrite->before;
  return (is_outside ? match_outside : match_known)(match, place, pattern, list, part);
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

static bool match_operands(RewriteMatch *match, const Place *place, int number, const RewriteList *pattern,
                           const RewriteList *list) {
  if (!match_count(match, place, pattern, list->count) || !match_types(match, place, pattern, list)) return false;
  for (uint32_t i = 0; i < pattern->count; i++) {
    RewriteSpan part = cake_rewrite_slice(pattern, i, list->count);
    part.first = swapped(match, number, part.first);
    if (!match_value(match, place, cake_rewrite_list_at(pattern, i), list, part)) return false;
  }
  return true;
}

static bool match_groups(RewriteMatch *match, const CakeOp *pattern, CakeOp *op, int number) {
  int32_t wanted[CAKE_MAX_GROUPS], found[CAKE_MAX_GROUPS];
  uint32_t n_groups = cake_rewrite_groups(pattern, wanted), at = 0, at_found = 0;
  if (cake_rewrite_groups(op, found) != n_groups)
    return cake_rewriter_decline(match->rewriter, "'%s' has operands that its groups do not fit", op->info->name->text);
  for (uint32_t i = 0; i < n_groups; i++) {
    RewriteList uses = cake_rewrite_pattern(cake_rewrite_uses(pattern, at, (uint32_t)wanted[i])),
                list = cake_rewrite_uses(op, at_found, (uint32_t)found[i]);
    Place place = {"operand", op, at_found};
    if (!match_operands(match, &place, number, &uses, &list)) return false;
    at += (uint32_t)wanted[i];
    at_found += (uint32_t)found[i];
  }
  return true;
}

// ---- Blocks and regions --------------------------------------------------------------------------------------------

static bool match_successors(RewriteMatch *match, const CakeOp *pattern, const CakeOp *op) {
  if (op->n_successors != pattern->n_successors)
    return cake_rewriter_decline(match->rewriter, "'%s' has %u successors, not %u", op->info->name->text,
                                 op->n_successors, pattern->n_successors);
  for (uint32_t i = 0; i < op->n_successors; i++) {
    int number = cake_rewrite_block_number(match->rewrite, cake_op_successor(pattern, i));
    CakeBlock **bound = &match->blocks[number], *found = cake_op_successor(op, i);
    if (*bound && *bound != found)
      return cake_rewriter_decline(match->rewriter, "successor #%u of '%s' is another block than ^%s", i,
                                   op->info->name->text, match->rewrite->blocks[number].name->text);
    *bound = found;
  }
  return true;
}

// All ops, or the last one, which leads to the others.
static bool match_body(RewriteMatch *match, const CakeOp *around, const CakeBlock *pattern, CakeBlock *block,
                       bool is_open) {
  if (is_open && !pattern->last) return true;
  if (is_open && block->last) return match_op(match, pattern->last, block->last);
  const CakeOp *wanted = pattern->first;
  CakeOp *op = block->first;
  for (; wanted && op; wanted = wanted->next, op = op->next)
    if (!match_op(match, wanted, op)) return false;
  return (!wanted && !op) || cake_rewriter_decline(match->rewriter, "a block of '%s' has %s ops than the before shows",
                                                   around->info->name->text, wanted ? "fewer" : "more");
}

static bool match_region(RewriteMatch *match, const CakeRegion *pattern, CakeRegion *region) {
  const CakeBlock *wanted = pattern->first;
  const CakeOp *around = region->parent;
  CakeBlock *block = region->first;
  if (!wanted && !block) return true;
  if (!wanted || !block)
    return cake_rewriter_decline(match->rewriter, "a region of '%s' is %s", around->info->name->text,
                                 block ? "not empty" : "empty");
  int number = cake_rewrite_block_number(match->rewrite, wanted);
  const RewriteBlock *known = &match->rewrite->blocks[number];
  match->blocks[number] = block;
  if (known->kind == REWRITE_REGION && !wanted->n_args) return true;
  if (known->kind == REWRITE_WRITTEN && block->next)
    return cake_rewriter_decline(match->rewriter, "a region of '%s' has several blocks", around->info->name->text);
  RewriteList args = cake_rewrite_pattern(cake_rewrite_args(wanted)), list = cake_rewrite_args(block);
  Place place = {"block argument", around, 0};
  if (!match_count(match, &place, &args, list.count) || !match_types(match, &place, &args, &list)) return false;
  return known->kind == REWRITE_REGION || match_body(match, around, wanted, block, known->is_open);
}

static bool match_regions(RewriteMatch *match, const CakeOp *pattern, CakeOp *op) {
  if (op->n_regions != pattern->n_regions)
    return cake_rewriter_decline(match->rewriter, "'%s' has %u regions, not %u", op->info->name->text, op->n_regions,
                                 pattern->n_regions);
  for (uint32_t i = 0; i < op->n_regions; i++)
    if (!match_region(match, cake_op_region(pattern, i), cake_op_region(op, i))) return false;
  return true;
}

// Recursion is as deep as the pattern: at most CAKE_REWRITE_OPS.
static bool match_op(RewriteMatch *match, const CakeOp *pattern, CakeOp *op) {
  int number = cake_rewrite_op_number(match->rewrite, pattern);
  if (op->info != pattern->info)
    return cake_rewriter_decline(match->rewriter, "there is a '%s', not a '%s'", op->info->name->text,
                                 pattern->info->name->text);
  if (match->ops[number])
    return match->ops[number] == op ||
           cake_rewriter_decline(match->rewriter, "two values of one '%s' come from two ops", op->info->name->text);
  match->ops[number] = op;
  return match_props(match, pattern, op) && match_results(match, pattern, op) &&
         match_groups(match, pattern, op, number) && match_successors(match, pattern, op) &&
         match_regions(match, pattern, op);
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
  cake_rewrite_match_clear(match);
  match->swaps = swaps;
  return match_op(match, match->rewrite->root, op) && cake_rewrite_is_sound(match) && cake_rewrite_where_holds(match);
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
