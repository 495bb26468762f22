// The ops print and assert: a line, or a test, an element.
#include "dialects/cake/cake_accessors.h"
#include "dialects/cake/ops/debug.h"
#include "passes/fragments_keep.h"

// What is printed: the format of a line with its values.
typedef struct Line {
  CakeFragments *expand;
  CakeBuf format;
  CAKE_VEC(CakeValue *) args;
} Line;

static void line_text(Line *line, CakeStr text) {
  for (size_t i = 0; i < text.len; i++)
    cake_buf_printf(&line->format, text.ptr[i] == '%' ? "%%%%" : "%c", text.ptr[i]);
}

static void line_integer(Line *line, CakeValue *value) {
  cake_buf_text(&line->format, "%d");
  CAKE_PUSH(&line->args, cake_lower_cast(line->expand->rewriter, value, cake_type_i32(line->expand->context)));
}

// Floats as f32, integers as i32 or i64. False: another type.
static bool line_value(Line *line, CakeValue *value) {
  CakeContext *context = line->expand->context;
  CakeRewriter *rewriter = line->expand->rewriter;
  CakeType type = value->type;
  uint32_t width = cake_type_width(type);
  if (cake_type_is_any_float(type)) {
    if (width > 32) return false;
    CakeType f32 = cake_type_float(context, CAKE_FLOAT_F32);
    cake_buf_text(&line->format, "%g");
    CAKE_PUSH(&line->args, width < 32 ? cake_build_unary(rewriter, "arith.extf", f32, value) : value);
    return true;
  }
  if (!cake_type_is_index(type) && (!cake_type_is(type, &cake_type_def_integer) || width > 64)) return false;
  if (!cake_type_is_index(type) && width < 32)
    value = cake_build_unary(rewriter, width == 1 ? "arith.extui" : "arith.extsi", cake_type_i32(context), value);
  cake_buf_text(&line->format, "%d");
  CAKE_PUSH(&line->args, cake_type_is_index(type) ? cake_lower_cast(rewriter, value, cake_type_i32(context)) : value);
  return true;
}

// "role '@mma' instance %d of CTA %d: "
static void line_head(Line *line, CakeOp *op) {
  CakeRewriter *rewriter = line->expand->rewriter;
  CakeFragmentsRole *place = cake_fragments_role(line->expand, op);
  CakeLowerRole role;
  if (cake_lower_role_of(op, &role)) cake_buf_printf(&line->format, "role '@%s'", role.name->text);
  if (place->replicas > 1) {
    CakeValue *first = cake_lower_index(rewriter, place->first_warp);
    CakeValue *warp = cake_lower_sub(rewriter, place->cta_warp, first);
    cake_buf_text(&line->format, " instance ");
    line_integer(line, cake_lower_divui(rewriter, warp, cake_lower_index(rewriter, place->warps)));
  }
  CakeNamedAttr attr = {cake_id_text(line->expand->context, "dimension"),
                        cake_attr_string(line->expand->context, CAKE_STR("x"))};
  CakeType index = cake_type_index(line->expand->context);
  CakeOp *cta = cake_rewriter_build(
      rewriter,
      &(CakeBuild){.name = "gpu.block_id", .result_types = &index, .n_results = 1, .attrs = &attr, .n_attrs = 1});
  cake_buf_text(&line->format, " of CTA ");
  line_integer(line, cake_op_result(cta, 0));
  cake_buf_text(&line->format, ": ");
}

static void line_build(Line *line) {
  CakeContext *context = line->expand->context;
  CakeNamedAttr format = {cake_id_text(context, "format"), cake_attr_string(context, cake_buf_view(&line->format))};
  cake_rewriter_build(line->expand->rewriter, &(CakeBuild){.name = "gpu.printf",
                                                           .operands = line->args.data,
                                                           .n_operands = line->args.len,
                                                           .attrs = &format,
                                                           .n_attrs = 1});
  CAKE_VEC_FINI(&line->args);
  cake_buf_fini(&line->format);
}

// ---- Elements ------------------------------------------------------------------------------------------------------------

typedef struct Show {
  CakeFragments *expand;
  CakeOp *op;
  CakeStr text;
  CakeValue *value; // NULL: none
  CakeLayout layout;
  bool has_elements;
} Show;

// "[row, col]"
static void line_place(Line *line, const Show *show, uint32_t element) {
  if (!show->has_elements) return;
  CakeFragmentsRole *role = cake_fragments_role(show->expand, show->op);
  CakeRewriter *rewriter = show->expand->rewriter;
  CakeFormPart part = show->layout.fragment.part;
  int64_t row, col;
  cake_layout_at(&show->layout, element, &row, &col);
  cake_buf_char(&line->format, '[');
  if (part != CAKE_FORM_COL)
    line_integer(line, cake_lower_add_const(rewriter, cake_fragments_row(show->expand, role, &show->layout), row));
  if (part == CAKE_FORM_WHOLE) cake_buf_text(&line->format, ", ");
  if (part != CAKE_FORM_ROW)
    line_integer(line, cake_lower_add_const(rewriter, cake_fragments_col(show->expand, role, &show->layout), col));
  cake_buf_char(&line->format, ']');
}

// One element of what is shown, under the conditions that hold already.
typedef bool (*ShowElement)(const Show *show, uint32_t element, CakeValue *value);

static bool unsupported(const Show *show) {
  return cake_error(show->op, CAKE_CODE_LOWER_UNSUPPORTED, "shows '%s', which has no lowering",
                    cake_type_text(show->value->type));
}

static bool show_once(const Show *show, CakeValue *value, ShowElement each) {
  CakeLowerPoint point = cake_fragments_elected_begin(show->expand, cake_fragments_role(show->expand, show->op));
  bool ok = each(show, 0, value);
  cake_lower_restore(show->expand->rewriter, point);
  return ok;
}

static bool show_all(Show *show, CakeAttr keep, CakeOperandRange keep_idx, ShowElement each) {
  CakeFragments *expand = show->expand;
  CakeFragment fragment;
  CakeKeep kept;
  show->has_elements = show->value && cake_fragment_of(show->value->type, &fragment);
  if (!show->has_elements) return show_once(show, show->value, each);
  if (!cake_layout_of(show->op, show->value->type, &show->layout) ||
      !cake_keep_init(&kept, expand, show->op, keep, keep_idx, &show->layout))
    return false;
  CakeValue *owner = cake_fragments_owner(expand, cake_fragments_role(expand, show->op), &show->layout);
  CakeValue **parts = cake_fragments_unpack(expand, cake_fragments_get_value(expand, show->value), fragment.element,
                                            show->layout.count);
  for (uint32_t i = 0; i < show->layout.count; i++) {
    CakeValue *condition = cake_fragments_and(expand, owner, cake_keep_at(&kept, i));
    CakeLowerPoint point = cake_fragments_guard_begin(expand, condition);
    bool ok = each(show, i, parts[i]);
    cake_lower_restore(expand->rewriter, point);
    if (!ok) return false;
  }
  return true;
}

// ---- print ---------------------------------------------------------------------------------------------------------------

static bool print_element(const Show *show, uint32_t element, CakeValue *value) {
  Line line = {.expand = show->expand};
  line_head(&line, show->op);
  line_text(&line, show->text);
  line_place(&line, show, element);
  if (value) cake_buf_text(&line.format, " = ");
  bool ok = !value || line_value(&line, value) || unsupported(show);
  line_build(&line);
  return ok;
}

bool cake_fragments_print(CakeFragments *expand, CakeOp *op) {
  Show show = {.expand = expand,
               .op = op,
               .text = cake_attr_string_value(cake_cake_print_text(op)),
               .value = cake_cake_print_value(op)};
  return show_all(&show, cake_cake_print_keep(op), cake_cake_print_keep_idx(op), print_element);
}

// ---- assert --------------------------------------------------------------------------------------------------------------

static bool assert_element(const Show *show, uint32_t element, CakeValue *value) {
  CakeFragments *expand = show->expand;
  CakeValue *is_broken =
      cake_build_binary(expand->rewriter, "arith.xori", value, cake_lower_const(expand->rewriter, value->type, 1));
  CakeLowerPoint point = cake_fragments_guard_begin(expand, is_broken);
  Line line = {.expand = expand};
  line_head(&line, show->op);
  line_text(&line, CAKE_STR("does not hold"));
  if (show->has_elements) line_text(&line, CAKE_STR(" at element "));
  line_place(&line, show, element);
  line_text(&line, CAKE_STR(": "));
  line_text(&line, show->text);
  line_build(&line);
  CakeNamedAttr text = {cake_id_text(expand->context, "text"), cake_attr_string(expand->context, show->text)};
  cake_rewriter_build(expand->rewriter, &(CakeBuild){.name = "gpu.fail", .attrs = &text, .n_attrs = 1});
  cake_lower_restore(expand->rewriter, point);
  return true;
}

bool cake_fragments_assert(CakeFragments *expand, CakeOp *op) {
  Show show = {.expand = expand,
               .op = op,
               .text = cake_attr_string_value(cake_cake_assert_text(op)),
               .value = cake_cake_assert_condition(op)};
  return show_all(&show, cake_cake_assert_keep(op), cake_cake_assert_keep_idx(op), assert_element);
}
