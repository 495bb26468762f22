// Applying a rewrite that matches: the ops of its after are made in front of the root, which is replaced.
#include "rewrite.h"

static CakeType map_type(void *user, CakeType type) {
  const RewriteMatch *match = user;
  int number = cake_rewrite_type_var_number(type);
  return number >= 0 && match->types[number] ? match->types[number] : type;
}

static CakeAttr map_attr(void *user, CakeAttr attr) {
  const RewriteMatch *match = user;
  int number = cake_rewrite_attr_var_number(attr);
  return number >= 0 && match->attrs[number] ? match->attrs[number] : attr;
}

static CakeSubstitution substitution(const RewriteMatch *match) {
  return (CakeSubstitution){map_type, map_attr, (void *)(uintptr_t)match}; // it is only read
}

CakeType cake_rewrite_bound_type(const RewriteMatch *match, CakeType type) {
  CakeSubstitution bound = substitution(match);
  return cake_type_substitute(type, &bound);
}

CakeAttr cake_rewrite_bound_attr(const RewriteMatch *match, CakeAttr attr) {
  CakeSubstitution bound = substitution(match);
  return cake_attr_substitute(attr, &bound);
}

// ---- What was made -------------------------------------------------------------------------------------------------

void cake_rewrite_copy_fini(RewriteCopy *copy) {
  cake_map_fini(&copy->made);
  cake_map_fini(&copy->blocks);
  CAKE_VEC_FINI(&copy->parts.operands);
  CAKE_VEC_FINI(&copy->parts.types);
  CAKE_VEC_FINI(&copy->parts.props);
  CAKE_VEC_FINI(&copy->parts.successors);
  CAKE_VEC_FINI(&copy->spans);
  CAKE_VEC_FINI(&copy->values);
}

void cake_rewrite_made_values(const RewriteCopy *copy, const CakeValue *value, RewriteValues *out) {
  uintptr_t number;
  if (!cake_map_get(&copy->made, value, &number)) {
    cake_rewrite_bound_values(copy->match, value, out);
    return;
  }
  RewriteSpan span = copy->spans.data[number];
  for (uint32_t i = 0; i < span.count; i++)
    CAKE_PUSH(out, copy->values.data[span.first + i]);
}

void cake_rewrite_note(RewriteCopy *copy, const RewriteList *pattern, const RewriteList *made) {
  for (uint32_t i = 0; i < pattern->count; i++) {
    RewriteSpan part = cake_rewrite_slice(pattern, i, made->count);
    RewriteSpan span = {(uint32_t)copy->values.len, part.count, true};
    for (uint32_t k = 0; k < part.count; k++)
      CAKE_PUSH(&copy->values, cake_rewrite_list_at(made, part.first + k));
    cake_map_set(&copy->made, cake_rewrite_list_at(pattern, i), copy->spans.len);
    CAKE_PUSH(&copy->spans, span);
  }
}

// ---- Making an op --------------------------------------------------------------------------------------------------

// The operands, and how many each group has of them.
static void collect_operands(RewriteCopy *copy, const CakeOp *op) {
  RewriteParts *parts = &copy->parts;
  int32_t sizes[CAKE_MAX_GROUPS];
  int64_t made[CAKE_MAX_GROUPS];
  uint32_t n_groups = cake_rewrite_groups(op, sizes), at = 0;
  for (uint32_t i = 0; i < n_groups; i++) {
    size_t before = parts->operands.len;
    for (uint32_t end = at + (uint32_t)sizes[i]; at < end; at++)
      cake_rewrite_made_values(copy, cake_op_operand(op, at), &parts->operands);
    made[i] = (int64_t)(parts->operands.len - before);
  }
  if (!cake_op_has_trait(op, CAKE_TRAIT_SEGMENTS)) return;
  CakeContext *context = op->context;
  parts->props.data[op->info->n_props - 1] = cake_attr_dense_array(context->i32, made, n_groups);
}

static CakeBlock *made_block(const RewriteCopy *copy, CakeBlock *block) {
  uintptr_t made;
  if (cake_map_get(&copy->blocks, block, &made)) return (CakeBlock *)made;
  return copy->match->blocks[cake_rewrite_block_number(copy->match->rewrite, block)];
}

static void collect(RewriteCopy *copy, const CakeOp *op) {
  RewriteParts *parts = &copy->parts;
  parts->operands.len = parts->types.len = parts->props.len = parts->successors.len = 0;
  for (uint32_t i = 0; i < op->info->n_props; i++) {
    CakeAttr prop = cake_op_prop(op, i);
    CAKE_PUSH(&parts->props, prop ? cake_rewrite_bound_attr(copy->match, prop) : NULL);
  }
  collect_operands(copy, op);
  for (uint32_t i = 0; i < op->n_results; i++)
    cake_rewrite_bound_types(copy->match, op->results[i].type, &parts->types);
  for (uint32_t i = 0; i < op->n_successors; i++)
    CAKE_PUSH(&parts->successors, made_block(copy, cake_op_successor(op, i)));
}

// By name: the op says what its results are.
static CakeOp *build_inferred(CakeRewriter *rewriter, const CakeOpState *state) {
  const CakeOpInfoStorage *info = (const CakeOpInfoStorage *)state->info;
  CAKE_VEC(CakeNamedAttr) attrs = {0};
  for (uint32_t i = 0; i < info->n_rows; i++)
    if (state->props[i]) CAKE_PUSH(&attrs, ((CakeNamedAttr){info->row_names[i], state->props[i]}));
  for (size_t i = 0; state->attrs && i < cake_attr_count(state->attrs); i++)
    CAKE_PUSH(&attrs, cake_attr_entry(state->attrs, i));
  CakeBuild build = {.name = state->info->name->text,
                     .operands = state->operands,
                     .n_operands = state->n_operands,
                     .attrs = attrs.data,
                     .n_attrs = attrs.len,
                     .successors = state->successors,
                     .n_successors = state->n_successors,
                     .n_regions = state->n_regions};
  CakeOp *op = cake_rewriter_build(rewriter, &build);
  CAKE_VEC_FINI(&attrs);
  return op;
}

static CakeOp *create(RewriteCopy *copy, const CakeOp *op) {
  CakeRewriter *rewriter = copy->match->rewriter;
  const RewriteParts *parts = &copy->parts;
  collect(copy, op);
  CakeOpState state = {.loc = rewriter->loc,
                       .info = op->info,
                       .operands = parts->operands.data,
                       .n_operands = parts->operands.len,
                       .result_types = parts->types.data,
                       .n_results = parts->types.len,
                       .props = parts->props.data,
                       .attrs = op->attrs ? cake_rewrite_bound_attr(copy->match, op->attrs) : NULL,
                       .successors = parts->successors.data,
                       .n_successors = parts->successors.len,
                       .n_regions = op->n_regions};
  bool infers = op->info->def && op->info->def->infer && op->n_results;
  CakeOp *made = infers ? build_inferred(rewriter, &state) : cake_rewriter_create(rewriter, &state);
  if (!made) return NULL;
  RewriteList pattern = cake_rewrite_pattern(cake_rewrite_results(op)), results = cake_rewrite_results(made);
  cake_rewrite_note(copy, &pattern, &results);
  return made;
}

// ---- Regions -------------------------------------------------------------------------------------------------------

static void add_block(RewriteCopy *copy, CakeRegion *region, const CakeBlock *pattern) {
  RewriteTypes types = {0};
  for (uint32_t i = 0; i < pattern->n_args; i++)
    cake_rewrite_bound_types(copy->match, pattern->args[i]->type, &types);
  CakeRewriter *rewriter = copy->match->rewriter;
  CakeBlock *block = cake_rewriter_add_block(rewriter, region, types.data, types.len, rewriter->loc);
  CAKE_VEC_FINI(&types);
  RewriteList args = cake_rewrite_pattern(cake_rewrite_args(pattern)), made = cake_rewrite_args(block);
  cake_rewrite_note(copy, &args, &made);
  cake_map_set(&copy->blocks, pattern, (uintptr_t)block);
}

// Copies the blocks that the rewrite shows; those of a region that is bound move there.
static bool make_region(RewriteCopy *copy, const CakeOp *op, CakeOp *made, uint32_t number) {
  const CakeRegion *pattern = cake_op_region(op, number);
  CakeRegion *region = cake_op_region(made, number);
  RewriteMatch *match = copy->match;
  int whole = cake_rewrite_whole_region(match->rewrite, pattern);
  if (whole >= 0 && match->blocks[whole]) {
    cake_rewriter_take_region(match->rewriter, region, match->blocks[whole]->region);
    return true;
  }
  if (whole >= 0) {
    copy->fill(copy, made, number, pattern->first);
    return true;
  }
  for (const CakeBlock *block = pattern->first; block; block = block->next)
    add_block(copy, region, block);
  bool is_fine = true;
  for (CakeBlock *block = pattern->first; is_fine && block; block = block->next) {
    cake_rewriter_set_end(match->rewriter, made_block(copy, block));
    for (const CakeOp *inner = block->first; is_fine && inner; inner = inner->next)
      is_fine = cake_rewrite_make(copy, inner, NULL);
  }
  return is_fine;
}

// Recursion is as deep as the rewrite's regions, which the parser limits.
static bool make_regions(RewriteCopy *copy, const CakeOp *op, CakeOp *made) {
  CakeRewriter *rewriter = copy->match->rewriter;
  CakeBlock *block = rewriter->block;
  CakeOp *before = rewriter->before;
  bool is_fine = true;
  for (uint32_t i = 0; is_fine && i < op->n_regions; i++)
    is_fine = make_region(copy, op, made, i);
  rewriter->block = block;
  rewriter->before = before;
  return is_fine;
}

// ---- Inlining ------------------------------------------------------------------------------------------------------

static bool check_inlined(const RewriteCopy *copy, const CakeBlock *block, const RewriteValues *values) {
  bool is_fine = values->len == block->n_args;
  for (uint32_t i = 0; is_fine && i < block->n_args; i++)
    is_fine = values->data[i]->type == block->args[i]->type;
  if (is_fine) return true;
  const Rewrite *rewrite = copy->match->rewrite;
  CakeContext *context = copy->match->rewriter->context;
  CakeDiagnostic *d =
      cake_diag_begin(context, CAKE_ERROR, copy->match->rewriter->loc, CAKE_CODE_PASS_FAILED,
                      "rewrite '%s' inlines a block whose arguments are of other types than the values that it gives",
                      rewrite->pattern.name);
  cake_diag_note(context, d, rewrite->loc, "the rewrite stands here");
  return cake_diag_emit(context, d);
}

// Moves the ops of a block, but its terminator, to where the rewriter stands; its arguments become values.
static bool inline_block(RewriteCopy *copy, const CakeOp *op, uint32_t number) {
  RewriteMatch *match = copy->match;
  CakeRewriter *rewriter = match->rewriter;
  CakeBlock *source = match->blocks[number];
  RewriteValues values = {0};
  for (uint32_t i = 0; i < op->n_operands; i++)
    cake_rewrite_made_values(copy, cake_op_operand(op, i), &values);
  bool is_fine = check_inlined(copy, source, &values);
  for (uint32_t i = 0; is_fine && i < values.len; i++) {
    cake_rewriter_replace_uses(rewriter, source->args[i], values.data[i]);
    cake_rewrite_rebind(match, source->args[i], values.data[i]);
  }
  const CakeOp *end = cake_block_terminator(source);
  while (is_fine && source->first && source->first != end) {
    if (rewriter->before)
      cake_rewriter_move_before(rewriter, source->first, rewriter->before);
    else
      cake_rewriter_move_to_end(rewriter, source->first, rewriter->block);
  }
  RewriteList pattern = cake_rewrite_pattern(cake_rewrite_args(match->rewrite->blocks[number].before)),
              list = {.args = values.data, .count = (uint32_t)values.len};
  if (is_fine) cake_rewrite_note(copy, &pattern, &list);
  CAKE_VEC_FINI(&values);
  return is_fine;
}

// ---- The after -----------------------------------------------------------------------------------------------------

bool cake_rewrite_make(RewriteCopy *copy, const CakeOp *op, CakeOp **out) {
  int block = cake_rewrite_inlined_block(copy->match->rewrite, op);
  if (out) *out = NULL;
  if (block >= 0) return inline_block(copy, op, (uint32_t)block);
  CakeOp *made = create(copy, op);
  if (out) *out = made;
  return made && make_regions(copy, op, made);
}

static bool wrong_type(const Rewrite *rewrite, CakeOp *op, uint32_t result, CakeType type) {
  CakeDiagnostic *d = cake_error_begin(
      op, CAKE_CODE_PASS_FAILED, "rewrite '%s' replaces result #%u of type '%s' by a value of type '%s'",
      rewrite->pattern.name, result, cake_type_text(op->results[result].type), cake_type_text(type));
  cake_diag_note(op->context, d, rewrite->loc, "the rewrite stands here");
  cake_diag_fix(op->context, d, "say in 'where' for which types it is meant");
  return cake_diag_emit(op->context, d);
}

static bool wrong_count(const Rewrite *rewrite, CakeOp *op, size_t count) {
  CakeDiagnostic *d = cake_error_begin(op, CAKE_CODE_PASS_FAILED, "rewrite '%s' replaces %u results by %zu values",
                                       rewrite->pattern.name, op->n_results, count);
  cake_diag_note(op->context, d, rewrite->loc, "the rewrite stands here");
  return cake_diag_emit(op->context, d);
}

static void replace(const RewriteCopy *after, CakeOp *op) {
  const Rewrite *rewrite = after->match->rewrite;
  RewriteValues values = {0};
  for (uint32_t i = 0; i < rewrite->root->n_results; i++)
    cake_rewrite_made_values(after, rewrite->results[i], &values);
  bool is_fine = values.len == op->n_results || wrong_count(rewrite, op, values.len);
  for (uint32_t i = 0; is_fine && i < op->n_results; i++)
    is_fine = values.data[i]->type == op->results[i].type || wrong_type(rewrite, op, i, values.data[i]->type);
  if (is_fine) cake_rewriter_replace(after->match->rewriter, op, values.data);
  CAKE_VEC_FINI(&values);
}

// What is wrong with it is reported.
static void rewrite_matched(RewriteMatch *match, CakeOp *op) {
  RewriteCopy after = {.match = match};
  bool is_fine = true;
  for (const CakeOp *made = match->rewrite->after->first; is_fine && made; made = made->next)
    is_fine = cake_rewrite_make(&after, made, NULL);
  if (is_fine) replace(&after, op);
  cake_rewrite_copy_fini(&after);
}

bool cake_rewrite_apply(const CakePattern *pattern, CakeOp *op, CakeRewriter *rewriter) {
  const Rewrite *rewrite = (const Rewrite *)pattern;
  RewriteMatch match;
  cake_rewrite_match_init(&match, rewrite, rewriter);
  bool is_matched = cake_rewrite_match(&match, op);
  if (is_matched) rewrite_matched(&match, op);
  cake_rewrite_match_fini(&match);
  return is_matched; // changed, or reported
}
