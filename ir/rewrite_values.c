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

static void append_slice(const RewriteList *pattern, uint32_t index, const RewriteList *list, RewriteValues *out) {
  append(list, cake_rewrite_slice(pattern, index, list->count), out);
}

static void append_argument(const RewriteMatch *match, const CakeValue *value, RewriteValues *out) {
  const CakeBlock *block = cake_arg_owner(value);
  if (block == match->rewrite->before) {
    if (match->value_spans[value->index].is_bound) {
      RewriteList range = {.args = match->range_values.data, .count = (uint32_t)match->range_values.len};
      append(&range, match->value_spans[value->index], out);
    } else if (match->values[value->index]) {
      CAKE_PUSH(out, match->values[value->index]);
    }
    return;
  }
  int number = cake_rewrite_block_number(match->rewrite, block);
  RewriteList pattern = cake_rewrite_pattern(cake_rewrite_args(block)), list = cake_rewrite_args(match->blocks[number]);
  append_slice(&pattern, value->index, &list, out);
}

void cake_rewrite_bound_values(const RewriteMatch *match, const CakeValue *value, RewriteValues *out) {
  if (value->is_argument) {
    append_argument(match, value, out);
    return;
  }
  const CakeOp *owner = cake_result_owner(value);
  RewriteList pattern = cake_rewrite_pattern(cake_rewrite_results(owner)),
              list = cake_rewrite_results(match->ops[cake_rewrite_op_number(match->rewrite, owner)]);
  append_slice(&pattern, value->index, &list, out);
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

void cake_rewrite_match_clear(RewriteMatch *match) {
  const Rewrite *rewrite = match->rewrite;
  memset(match->ops, 0, rewrite->n_ops * sizeof *match->ops);
  memset(match->blocks, 0, rewrite->n_blocks * sizeof *match->blocks);
  memset(match->values, 0, rewrite->before->n_args * sizeof *match->values);
  memset(match->value_spans, 0, rewrite->before->n_args * sizeof *match->value_spans);
  memset(match->types, 0, rewrite->n_types * sizeof(CakeType));
  memset(match->type_spans, 0, rewrite->n_types * sizeof *match->type_spans);
  memset(match->attrs, 0, rewrite->n_attrs * sizeof(CakeAttr));
  match->range_values.len = match->range_types.len = 0;
}

void cake_rewrite_match_fini(RewriteMatch *match) {
  CAKE_VEC_FINI(&match->range_values);
  CAKE_VEC_FINI(&match->range_types);
}
