// Lists of values in which one may be a range, and what the values, types and blocks of a rewrite stand for.
#include "rewrite.h"

// ---- Lists ---------------------------------------------------------------------------------------------------------

uint32_t cake_rewrite_groups(const CakeOp *op, int32_t *out_sizes) {
  if (cake_op_has_trait(op, CAKE_TRAIT_SEGMENTS) && cake_op_group_sizes(op, out_sizes))
    return op->info->def->n_operands;
  out_sizes[0] = (int32_t)op->n_operands;
  return 1;
}

// ---- Parts of a rewrite --------------------------------------------------------------------------------------------

int cake_rewrite_op_number(const Rewrite *rewrite, const CakeOp *op) {
  for (uint32_t i = 0; i < rewrite->n_ops; i++)
    if (rewrite->ops[i] == op) return (int)i;
  return -1;
}

int cake_rewrite_block_number(const Rewrite *rewrite, const CakeBlock *block) {
  for (uint32_t i = 0; i < rewrite->n_blocks; i++)
    if (rewrite->blocks[i].before == block || rewrite->blocks[i].after == block) return (int)i;
  return -1;
}

int cake_rewrite_inlined_block(const Rewrite *rewrite, const CakeOp *op) {
  for (uint32_t i = 0; i < rewrite->n_inlined; i++)
    if (rewrite->inlined[i].op == op) return (int)rewrite->inlined[i].block;
  return -1;
}

int cake_rewrite_whole_region(const Rewrite *rewrite, const CakeRegion *region) {
  int number = region->first ? cake_rewrite_block_number(rewrite, region->first) : -1;
  return number >= 0 && rewrite->blocks[number].kind == REWRITE_REGION ? number : -1;
}

// ---- What they stand for -------------------------------------------------------------------------------------------

static void append(const RewriteList *list, RewriteSpan span, RewriteValues *out) {
  for (uint32_t i = 0; i < span.count; i++)
    CAKE_PUSH(out, cake_rewrite_list_at(list, span.first + i));
}

// Where what matched a value of the before, that is not from outside, lies: a part of a list.
static RewriteSpan find_list(const RewriteMatch *match, const CakeValue *value, RewriteList *out) {
  RewriteList pattern;
  if (value->is_argument) {
    const CakeBlock *block = cake_arg_owner(value);
    pattern = cake_rewrite_args(block);
    *out = cake_rewrite_args(match->blocks[cake_rewrite_block_number(match->rewrite, block)]);
  } else {
    const CakeOp *op = cake_result_owner(value);
    pattern = cake_rewrite_results(op);
    *out = cake_rewrite_results(match->ops[cake_rewrite_op_number(match->rewrite, op)]);
  }
  pattern = cake_rewrite_pattern(pattern);
  return cake_rewrite_slice(&pattern, value->index, out->count);
}

static bool is_from_outside(const RewriteMatch *match, const CakeValue *value) {
  return value->is_argument && cake_arg_owner(value) == match->rewrite->before;
}

CakeValue *cake_rewrite_bound_value(const RewriteMatch *match, const CakeValue *value) {
  RewriteList list;
  if (is_from_outside(match, value)) return match->values[value->index];
  RewriteSpan span = find_list(match, value, &list);
  return cake_rewrite_list_at(&list, span.first);
}

void cake_rewrite_bound_values(const RewriteMatch *match, const CakeValue *value, RewriteValues *out) {
  if (!cake_rewrite_is_range(value->type)) {
    CAKE_PUSH(out, cake_rewrite_bound_value(match, value));
    return;
  }
  RewriteList list = {.args = match->range_values.data, .count = (uint32_t)match->range_values.len};
  bool is_outside = is_from_outside(match, value);
  RewriteSpan span = is_outside ? match->value_spans[value->index] : find_list(match, value, &list);
  append(&list, span, out);
}

void cake_rewrite_bound_types(const RewriteMatch *match, CakeType type, RewriteTypes *out) {
  if (!cake_rewrite_is_range(type)) {
    CAKE_PUSH(out, cake_rewrite_bound_type(match, type));
    return;
  }
  RewriteSpan span = match->type_spans[cake_rewrite_type_var_number(type)];
  for (uint32_t i = 0; i < span.count; i++)
    CAKE_PUSH(out, match->range_types.data[span.first + i]);
}

void cake_rewrite_rebind(RewriteMatch *match, const CakeValue *from, CakeValue *to) {
  for (uint32_t i = 0; i < match->rewrite->before->n_args; i++)
    if (match->values[i] == from) match->values[i] = to;
  for (size_t i = 0; i < match->range_values.len; i++)
    if (match->range_values.data[i] == from) match->range_values.data[i] = to;
}

void cake_rewrite_match_init(RewriteMatch *match, const Rewrite *rewrite, CakeRewriter *rewriter) {
  match->rewrite = rewrite;
  match->rewriter = rewriter;
  match->swaps = 0;
  match->range_values = (RewriteValues){0};
  match->range_types = (RewriteTypes){0};
  cake_rewrite_match_clear(match);
}

// Many are tried: of arrays that the rewrite does not use nothing is touched.
void cake_rewrite_match_clear(RewriteMatch *match) {
  const Rewrite *rewrite = match->rewrite;
  memset(match->ops, 0, rewrite->n_ops * sizeof *match->ops);
  memset(match->values, 0, rewrite->before->n_args * sizeof *match->values);
  memset(match->types, 0, rewrite->n_types * sizeof(CakeType));
  memset(match->attrs, 0, rewrite->n_attrs * sizeof(CakeAttr));
  if (rewrite->n_blocks) memset(match->blocks, 0, rewrite->n_blocks * sizeof *match->blocks);
  if (!rewrite->has_ranges) return;
  memset(match->value_spans, 0, rewrite->before->n_args * sizeof *match->value_spans);
  memset(match->type_spans, 0, rewrite->n_types * sizeof *match->type_spans);
  match->range_values.len = match->range_types.len = 0;
}

void cake_rewrite_match_fini(RewriteMatch *match) {
  CAKE_VEC_FINI(&match->range_values);
  CAKE_VEC_FINI(&match->range_types);
}
