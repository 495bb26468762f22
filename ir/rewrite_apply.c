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

// ---- Making the after ----------------------------------------------------------------------------------------------

CakeValue *cake_rewrite_made_value(const RewriteCopy *copy, const CakeValue *value) {
  uintptr_t made;
  if (cake_map_get(&copy->made, value, &made)) return (CakeValue *)made;
  return cake_rewrite_bound_value(copy->match, value);
}

// By name: the op says what its results are.
static CakeOp *build_inferred(CakeRewriter *rewriter, const CakeOpState *state) {
  const CakeOpInfoStorage *info = (const CakeOpInfoStorage *)state->info;
  CakeNamedAttr attrs[CAKE_MAX_GROUPS];
  size_t n_attrs = 0;
  for (uint32_t i = 0; i < info->n_rows && n_attrs < CAKE_COUNT(attrs); i++)
    if (state->props[i]) attrs[n_attrs++] = (CakeNamedAttr){info->row_names[i], state->props[i]};
  for (size_t i = 0; state->attrs && i < cake_attr_count(state->attrs) && n_attrs < CAKE_COUNT(attrs); i++)
    attrs[n_attrs++] = cake_attr_entry(state->attrs, i);
  CakeBuild build = {.name = state->info->name->text,
                     .operands = state->operands,
                     .n_operands = state->n_operands,
                     .attrs = attrs,
                     .n_attrs = n_attrs};
  return cake_rewriter_build(rewriter, &build);
}

CakeOp *cake_rewrite_make(RewriteCopy *copy, const CakeOp *op) {
  RewriteMatch *match = copy->match;
  CakeRewriter *rewriter = match->rewriter;
  CakeArena *arena = rewriter->context->arena;
  CakeValue **operands = CAKE_ARENA_ARRAY(arena, CakeValue *, op->n_operands + 1);
  CakeType *types = CAKE_ARENA_ARRAY(arena, CakeType, op->n_results + 1);
  CakeAttr *props = CAKE_ARENA_ARRAY(arena, CakeAttr, op->info->n_props + 1);
  for (uint32_t i = 0; i < op->n_operands; i++)
    operands[i] = cake_rewrite_made_value(copy, cake_op_operand(op, i));
  for (uint32_t i = 0; i < op->n_results; i++)
    types[i] = cake_rewrite_bound_type(match, op->results[i].type);
  for (uint32_t i = 0; i < op->info->n_props; i++)
    props[i] = cake_op_prop(op, i) ? cake_rewrite_bound_attr(match, cake_op_prop(op, i)) : NULL;
  CakeOpState state = {.loc = rewriter->loc,
                       .info = op->info,
                       .operands = operands,
                       .n_operands = op->n_operands,
                       .result_types = types,
                       .n_results = op->n_results,
                       .props = props,
                       .attrs = op->attrs ? cake_rewrite_bound_attr(match, op->attrs) : NULL};
  bool infers = op->info->def && op->info->def->infer && op->n_results;
  CakeOp *made = infers ? build_inferred(rewriter, &state) : cake_rewriter_create(rewriter, &state);
  cake_arena_free(arena, operands, sizeof *operands * (op->n_operands + 1));
  cake_arena_free(arena, types, sizeof *types * (op->n_results + 1));
  cake_arena_free(arena, props, sizeof *props * (op->info->n_props + 1));
  for (uint32_t i = 0; made && i < op->n_results; i++)
    cake_map_set(&copy->made, &op->results[i], (uintptr_t)&made->results[i]);
  return made;
}

static bool wrong_type(const Rewrite *rewrite, CakeOp *op, uint32_t result, CakeType type) {
  CakeDiagnostic *d = cake_error_begin(
      op, CAKE_CODE_PASS_FAILED, "rewrite '%s' replaces result #%u of type '%s' by a value of type '%s'",
      rewrite->pattern.name, result, cake_type_text(op->results[result].type), cake_type_text(type));
  cake_diag_note(op->context, d, rewrite->loc, "the rewrite stands here");
  cake_diag_fix(op->context, d, "say in 'where' for which types it is meant");
  return cake_diag_emit(op->context, d);
}

bool cake_rewrite_apply(const CakePattern *pattern, CakeOp *op, CakeRewriter *rewriter) {
  const Rewrite *rewrite = (const Rewrite *)pattern;
  RewriteMatch match = {.rewrite = rewrite, .rewriter = rewriter};
  if (!cake_rewrite_match(&match, op)) return false;
  RewriteCopy after = {.match = &match};
  bool is_fine = true;
  for (const CakeOp *made = rewrite->after->first; is_fine && made; made = made->next)
    is_fine = cake_rewrite_make(&after, made) != NULL;
  CakeValue *values[CAKE_REWRITE_VARS];
  for (uint32_t i = 0; is_fine && i < op->n_results; i++) {
    values[i] = cake_rewrite_made_value(&after, rewrite->results[i]);
    if (values[i]->type != op->results[i].type) is_fine = wrong_type(rewrite, op, i, values[i]->type);
  }
  if (is_fine) cake_rewriter_replace(rewriter, op, values);
  cake_map_fini(&after.made);
  return true; // changed, or reported
}
