// Building ops by name: attributes go to their rows, result types are inferred where the op can tell.
#include "core.h"

#include <assert.h>

typedef struct Attrs {
  CakeAttr *props; // n_props of them
  CakeAttr attrs;
} Attrs;

static bool has_segments(const CakeOpInfo *info) {
  return info->def && (info->def->traits & CAKE_TRAIT_SEGMENTS);
}

static CakeAttr segments_attr(CakeContext *context, const CakeBuild *build) {
  int64_t sizes[CAKE_MAX_GROUPS];
  assert(build->n_segments <= CAKE_MAX_GROUPS);
  for (size_t i = 0; i < build->n_segments; i++)
    sizes[i] = build->segments[i];
  return cake_attr_dense_array(context->i32, sizes, build->n_segments);
}

// Sorts the attributes into rows and the rest.
static void sort_attrs(CakeContext *context, const CakeBuild *build, const CakeOpInfo *info, Attrs *out) {
  for (size_t i = 0; i < build->n_attrs; i++) {
    CakeNamedAttr attr = build->attrs[i];
    if (!attr.value) continue;
    int row = cake_op_info_row(info, attr.name);
    if (row >= 0)
      out->props[row] = attr.value;
    else
      out->attrs = cake_attr_dictionary_with(context, out->attrs, attr.name, attr.value);
  }
  if (!build->segments) return;
  CakeAttr sizes = segments_attr(context, build);
  if (has_segments(info))
    out->props[info->def->n_attrs] = sizes;
  else if (!info->def)
    out->props[0] = cake_attr_dictionary_with(context, out->props[0], context->id_segments, sizes);
}

static bool infer(CakeRewriter *rewriter, const CakeBuild *build, CakeOpInfo *info, const Attrs *attrs,
                  CakeInference *out) {
  int32_t sizes[CAKE_MAX_GROUPS] = {0};
  const CakeOpDef *def = info->def;
  CakeAttr segments = has_segments(info) ? attrs->props[def->n_attrs] : NULL;
  if (!cake_def_group_sizes(def, build->n_operands, segments, sizes)) {
    return cake_error_at(rewriter->context, rewriter->loc, CAKE_CODE_IR_OPERANDS,
                         "'%s' op cannot tell its operand groups from %zu operands", build->name, build->n_operands);
  }
  *out = (CakeInference){.context = rewriter->context,
                         .loc = rewriter->loc,
                         .info = info,
                         .operands = build->operands,
                         .n_operands = build->n_operands,
                         .group_sizes = sizes,
                         .props = attrs->props,
                         .parent = rewriter->block ? cake_block_parent(rewriter->block) : NULL};
  bool ok = def->infer(out);
  out->group_sizes = NULL;
  return ok;
}

CakeOp *cake_rewriter_build(CakeRewriter *rewriter, const CakeBuild *build) {
  CakeContext *context = rewriter->context;
  CakeOpInfo *info = cake_op_info(context, cake_id_text(context, build->name));
  uint32_t n_props = info->n_props;
  CakeAttr few[8] = {0};
  Attrs attrs = {.props = n_props <= CAKE_COUNT(few) ? few : cake_mem_zeroed(n_props * sizeof(CakeAttr))};
  sort_attrs(context, build, info, &attrs);
  CakeOpState state = {.loc = rewriter->loc,
                       .info = info,
                       .operands = build->operands,
                       .n_operands = build->n_operands,
                       .result_types = build->result_types,
                       .n_results = build->n_results,
                       .props = attrs.props,
                       .attrs = attrs.attrs,
                       .successors = build->successors,
                       .n_successors = build->n_successors,
                       .n_regions = build->n_regions};
  CakeInference inference;
  bool ok = true;
  if (info->def && info->def->infer && info->def->n_results > 0 && build->n_results == 0) {
    ok = infer(rewriter, build, info, &attrs, &inference);
    state.result_types = inference.types;
    state.n_results = inference.n_types;
  }
  CakeOp *op = ok ? cake_rewriter_create(rewriter, &state) : NULL;
  if (attrs.props != few) cake_mem_free(attrs.props);
  return op;
}

CakeValue *cake_build1(CakeRewriter *rewriter, const char *name, CakeType result, CakeValue *const *operands,
                       size_t n_operands) {
  CakeBuild build = {
      .name = name, .operands = operands, .n_operands = n_operands, .result_types = &result, .n_results = 1};
  CakeOp *op = cake_rewriter_build(rewriter, &build);
  return op ? &op->results[0] : NULL;
}

CakeValue *cake_build_unary(CakeRewriter *rewriter, const char *name, CakeType result, CakeValue *a) {
  return cake_build1(rewriter, name, result, &a, 1);
}

CakeValue *cake_build_binary(CakeRewriter *rewriter, const char *name, CakeValue *a, CakeValue *b) {
  CakeValue *operands[] = {a, b};
  return cake_build1(rewriter, name, a->type, operands, 2);
}

// Folding makes so many that they are made without a detour. The value is the only inherent attribute, where there are any.
CakeValue *cake_build_constant(CakeRewriter *rewriter, CakeAttr value) {
  CakeContext *context = rewriter->context;
  CakeType type = cake_attr_value_type(value);
  CakeOpState state = {.loc = rewriter->loc,
                       .info = cake_op_info(context, context->id_constant),
                       .result_types = &type,
                       .n_results = 1,
                       .props = &value};
  CakeNamedAttr attr = {context->id_value, value};
  if (!state.info->def) {
    state.props = NULL;
    state.attrs = cake_attr_dictionary(context, &attr, 1);
  }
  return &cake_rewriter_create(rewriter, &state)->results[0];
}
