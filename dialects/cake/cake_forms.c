// Forms: how a fragment's elements are spread over the registers of a role. A fragment is a tensor whose encoding is a
// form.
#include "dialects/cake/cake_private.h"

// ---- Base forms ----------------------------------------------------------------------------------------------------

enum { MOST_WARPS = 32 };

// A number of warps as a parameter of a form: an integer, or the expression that a template has in its place.
static CakeParam warps_param(CakeAttr expr) {
  int64_t value;
  bool is_number = cake_expr_is_const(expr, &value) && value >= 1 && value <= MOST_WARPS;
  return is_number ? cake_param_int(value) : cake_param_attr(expr);
}

static int64_t form_warps(CakeAttr form, size_t i) {
  return form->params[i].kind == CAKE_PARAM_INT ? form->params[i].i : -1;
}

CakeAttr cake_form_instance(CakeAttr form) {
  bool has_warps =
      form->def == &cake_attr_def_mma_acc || form->def == &cake_attr_def_mma_a || form->def == &cake_attr_def_mma_b;
  CakeParam params[2];
  for (size_t i = 0; has_warps && i < 2; i++)
    params[i] = form->params[i].kind == CAKE_PARAM_INT ? form->params[i] : warps_param(form->params[i].attr);
  return has_warps ? cake_attr_get(form->context, form->def, params, 2) : form;
}

// `<RxC>`: the warps along rows and columns.
static bool parse_warps(CakeParser *parser, const CakeAttrDef *def, CakeAttr *out) {
  CakeParam params[2];
  CakeDims dims;
  if (!cake_parser_expect(parser, CAKE_TOK_LESS)) return false;
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_dims_read(parser, &dims, false)) return false;
  for (size_t i = 0; i < 2; i++) {
    int64_t value = 0;
    bool is_number = i < dims.count && cake_expr_is_const(dims.exprs[i], &value);
    bool is_fine = dims.count == 2 && cake_expr_kind(dims.exprs[i]) != CAKE_EXPR_UNKNOWN &&
                   (!is_number || (value >= 1 && value <= MOST_WARPS));
    if (!is_fine)
      return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NUMBER,
                                  "a form is spread over 1 to %d warps along each dimension", MOST_WARPS);
    params[i] = warps_param(dims.exprs[i]);
  }
  if (!cake_parser_expect(parser, CAKE_TOK_GREATER)) return false;
  *out = cake_attr_get(cake_parser_context(parser), def, params, 2);
  return true;
}

static bool parse_mma_acc(CakeParser *parser, CakeAttr *out) {
  return parse_warps(parser, &cake_attr_def_mma_acc, out);
}
static bool parse_mma_a(CakeParser *parser, CakeAttr *out) {
  return parse_warps(parser, &cake_attr_def_mma_a, out);
}
static bool parse_mma_b(CakeParser *parser, CakeAttr *out) {
  return parse_warps(parser, &cake_attr_def_mma_b, out);
}

static void print_warps(CakePrinter *printer, CakeAttr attr) {
  CakeParam dims[2];
  for (size_t i = 0; i < 2; i++) {
    bool is_number = attr->params[i].kind == CAKE_PARAM_INT;
    dims[i] = is_number ? cake_param_attr(cake_expr_const(attr->context, attr->params[i].i)) : attr->params[i];
  }
  cake_buf_char(cake_printer_buf(printer), '<');
  cake_dims_write(cake_printer_buf(printer), dims, 2, false);
  cake_buf_char(cake_printer_buf(printer), '>');
}

static const char *const scope_words[] = {"warp", "role", "lane"};

static bool parse_vec(CakeParser *parser, CakeAttr *out) {
  CakeParam params[2] = {cake_param_int(0), cake_param_int(0)};
  if (!cake_parser_expect(parser, CAKE_TOK_LESS) ||
      !cake_word_read(parser, scope_words, CAKE_COUNT(scope_words), "who owns a row", &params[0].i) ||
      !cake_parser_expect(parser, CAKE_TOK_COMMA))
    return false;
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_parser_int(parser, &params[1].i) || !cake_parser_expect(parser, CAKE_TOK_GREATER)) return false;
  int64_t v = params[1].i;
  if (v < 1 || v > 16 || (v & (v - 1)))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NUMBER,
                                "a lane holds 1, 2, 4, 8 or 16 consecutive elements");
  *out = cake_attr_get(cake_parser_context(parser), &cake_attr_def_vec, params, 2);
  return true;
}

static void print_vec(CakePrinter *printer, CakeAttr attr) {
  cake_buf_printf(cake_printer_buf(printer), "<%s, %lld>", scope_words[attr->params[0].i],
                  (long long)attr->params[1].i);
}

// ---- Forms over forms ----------------------------------------------------------------------------------------------

static bool base_kind(CakeAttr form, CakeFormKind *out) {
  static const CakeAttrDef *const defs[] = {&cake_attr_def_wgmma_acc, &cake_attr_def_wgmma_a, &cake_attr_def_mma_acc,
                                            &cake_attr_def_mma_a,     &cake_attr_def_mma_b,   &cake_attr_def_vec,
                                            &cake_attr_def_tmem_ld};
  for (size_t i = 0; i < CAKE_COUNT(defs); i++) {
    if (form->def != defs[i]) continue;
    *out = (CakeFormKind)i;
    return true;
  }
  return false;
}

static bool parse_side(CakeParser *parser, const CakeAttrDef *def, CakeAttr *out) {
  if (!cake_parser_expect(parser, CAKE_TOK_LESS)) return false;
  CakeLoc loc = cake_parser_loc(parser);
  CakeAttr base;
  CakeFormKind kind;
  if (!cake_parser_dialect_attr_body(parser, &cake_dialect_cake, &base) ||
      !cake_parser_expect(parser, CAKE_TOK_GREATER))
    return false;
  if (!base_kind(base, &kind))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "expected a form such as mma.acc<4x1>");
  CakeParam param = cake_param_attr(base);
  *out = cake_attr_get(cake_parser_context(parser), def, &param, 1);
  return true;
}

static bool parse_row(CakeParser *parser, CakeAttr *out) {
  return parse_side(parser, &cake_attr_def_row, out);
}
static bool parse_col(CakeParser *parser, CakeAttr *out) {
  return parse_side(parser, &cake_attr_def_col, out);
}

// ---- #cake.part<add, form> -----------------------------------------------------------------------------------------

static const char *const reduce_words[CAKE_REDUCE_COUNT] = {"add", "max", "min", "mul", "and", "or", "xor"};

const char *cake_reduce_name(CakeReduceKind kind) {
  return reduce_words[kind];
}

bool cake_reduce_find(CakeStr name, CakeReduceKind *out) {
  for (int i = 0; i < CAKE_REDUCE_COUNT; i++) {
    if (!cake_str_is(name, reduce_words[i])) continue;
    *out = (CakeReduceKind)i;
    return true;
  }
  return false;
}

static bool parse_part(CakeParser *parser, CakeAttr *out) {
  CakeParam params[2] = {cake_param_int(0)};
  CakeAttr base;
  CakeFormKind kind;
  if (!cake_parser_expect(parser, CAKE_TOK_LESS) ||
      !cake_word_read(parser, reduce_words, CAKE_REDUCE_COUNT, "a reduction", &params[0].i) ||
      !cake_parser_expect(parser, CAKE_TOK_COMMA))
    return false;
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_parser_dialect_attr_body(parser, &cake_dialect_cake, &base) ||
      !cake_parser_expect(parser, CAKE_TOK_GREATER))
    return false;
  if (!base_kind(base, &kind))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "expected a form such as mma.acc<4x1>");
  params[1] = cake_param_attr(base);
  *out = cake_attr_get(cake_parser_context(parser), &cake_attr_def_part, params, 2);
  return true;
}

static void print_part(CakePrinter *printer, CakeAttr attr) {
  cake_buf_printf(cake_printer_buf(printer), "<%s, ", reduce_words[attr->params[0].i]);
  cake_printer_attr_body(printer, attr->params[1].attr);
  cake_buf_char(cake_printer_buf(printer), '>');
}

static void print_side(CakePrinter *printer, CakeAttr attr) {
  cake_buf_char(cake_printer_buf(printer), '<');
  cake_printer_attr_body(printer, attr->params[0].attr);
  cake_buf_char(cake_printer_buf(printer), '>');
}

static bool parse_of(CakeParser *parser, CakeAttr *out) {
  CakeDims dims;
  CakeAttr form;
  CakeFormKind kind;
  if (!cake_parser_expect(parser, CAKE_TOK_LESS) || !cake_dims_read(parser, &dims, false) ||
      !cake_parser_expect(parser, CAKE_TOK_COMMA))
    return false;
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_parser_dialect_attr_body(parser, &cake_dialect_cake, &form) ||
      !cake_parser_expect(parser, CAKE_TOK_GREATER))
    return false;
  bool is_over = form->def == &cake_attr_def_row || form->def == &cake_attr_def_col || form->def == &cake_attr_def_part;
  if (!is_over && !base_kind(form, &kind))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "expected a form such as mma.a<4x1>");
  CakeParam params[1 + CAKE_MAX_RANK] = {cake_param_attr(form)};
  for (size_t i = 0; i < dims.count; i++)
    params[1 + i] = cake_param_attr(dims.exprs[i]);
  *out = cake_attr_get(cake_parser_context(parser), &cake_attr_def_of, params, 1 + dims.count);
  return true;
}

static void print_of(CakePrinter *printer, CakeAttr attr) {
  CakeBuf *out = cake_printer_buf(printer);
  cake_buf_char(out, '<');
  cake_dims_write(out, attr->params + 1, attr->count - 1, false);
  cake_buf_text(out, ", ");
  cake_printer_attr_body(printer, attr->params[0].attr);
  cake_buf_char(out, '>');
}

// ---- Fragments -----------------------------------------------------------------------------------------------------

static CakeFormPart part_of(CakeAttr form) {
  return form->def == &cake_attr_def_row    ? CAKE_FORM_ROW
         : form->def == &cake_attr_def_col  ? CAKE_FORM_COL
         : form->def == &cake_attr_def_part ? CAKE_FORM_PARTIAL
                                            : CAKE_FORM_WHOLE;
}

static void fill_warps(CakeFragment *fragment) {
  bool has_warps =
      fragment->kind == CAKE_FORM_MMA_ACC || fragment->kind == CAKE_FORM_MMA_A || fragment->kind == CAKE_FORM_MMA_B;
  bool is_wgmma = fragment->kind == CAKE_FORM_WGMMA_ACC || fragment->kind == CAKE_FORM_WGMMA_A ||
                  fragment->kind == CAKE_FORM_TMEM_LD; // of a warpgroup
  fragment->warp_rows = has_warps ? form_warps(fragment->base, 0) : is_wgmma ? 4 : 1;
  fragment->warp_cols = has_warps ? form_warps(fragment->base, 1) : 1;
}

static int64_t tensor_size(CakeType type, size_t dim) {
  int64_t size = cake_type_dim(type, dim);
  return size < 0 ? -1 : size;
}

bool cake_fragment_of(CakeType type, CakeFragment *out) {
  if (!cake_type_is(type, &cake_type_def_tensor)) return false;
  CakeAttr form = cake_type_encoding(type);
  if (!form) return false;
  if (form->def == &cake_attr_def_of) form = form->params[0].attr;
  *out = (CakeFragment){.element = cake_type_element(type), .part = part_of(form), .rank = cake_type_rank(type)};
  bool is_partial = out->part == CAKE_FORM_PARTIAL;
  out->base = out->part == CAKE_FORM_WHOLE ? form : form->params[is_partial ? 1 : 0].attr;
  if (is_partial) out->reduce = (CakeReduceKind)form->params[0].i;
  if (!base_kind(out->base, &out->kind)) return false;
  if (out->rank != (out->part == CAKE_FORM_WHOLE ? 2 : 1)) return false;
  out->rows = out->part == CAKE_FORM_COL ? 1 : tensor_size(type, 0);
  out->cols = out->part == CAKE_FORM_ROW || is_partial ? 1 : tensor_size(type, out->part == CAKE_FORM_COL ? 0 : 1);
  if (out->rows > CAKE_MAX_EXTENT || out->cols > CAKE_MAX_EXTENT) return false;
  fill_warps(out);
  return true;
}

CakeType cake_fragment_get(CakeType element, int64_t rows, int64_t cols, CakeFormPart part, CakeAttr base) {
  CakeParam param = cake_param_attr(base);
  CakeAttr form = base;
  if (part != CAKE_FORM_WHOLE)
    form = cake_attr_get(base->context, part == CAKE_FORM_ROW ? &cake_attr_def_row : &cake_attr_def_col, &param, 1);
  int64_t sizes[2] = {part == CAKE_FORM_COL ? cols : rows, cols};
  for (int i = 0; i < 2; i++)
    if (sizes[i] < 0) sizes[i] = CAKE_DYNAMIC;
  return cake_type_tensor(base->context, sizes, part == CAKE_FORM_WHOLE ? 2 : 1, element, form);
}

// ---- Definitions ---------------------------------------------------------------------------------------------------

const CakeAttrDef cake_attr_def_wgmma_acc = {
    .name = "wgmma.acc",
    .dialect = &cake_dialect_cake,
    .summary = "64×N accumulator of a warpgroup.",
    .syntax = "`#cake.wgmma.acc`",
    .description = "Warp w of the warpgroup holds rows 16w to 16w + 15, as `mma.acc<4x1>`."};
const CakeAttrDef cake_attr_def_wgmma_a = {.name = "wgmma.a",
                                           .dialect = &cake_dialect_cake,
                                           .summary = "Left operand of wgmma in registers.",
                                           .syntax = "`#cake.wgmma.a`",
                                           .description = "64i×16j elements of 16 bits."};
const CakeAttrDef cake_attr_def_mma_acc = {
    .name = "mma.acc",
    .dialect = &cake_dialect_cake,
    .summary = "Accumulator of mma.sync over R×C warps.",
    .syntax = "`#cake.mma.acc<` R `x` C `>`",
    .description = "Warp w owns rows (w / C) · M/R … and columns (w mod C) · N/C …; in a 16×8 subtile lane l holds (g, "
                   "2t), (g, 2t + 1), (g + 8, 2t), (g + 8, 2t + 1) with g = l / 4, t = l mod 4.",
    .parse = parse_mma_acc,
    .print = print_warps};
const CakeAttrDef cake_attr_def_mma_a = {.name = "mma.a",
                                         .dialect = &cake_dialect_cake,
                                         .summary = "Left operand (M×K) of mma.sync over R×C warps.",
                                         .syntax = "`#cake.mma.a<` R `x` C `>`",
                                         .description = "Each warp holds its rows over the whole of K.",
                                         .parse = parse_mma_a,
                                         .print = print_warps};
const CakeAttrDef cake_attr_def_mma_b = {.name = "mma.b",
                                         .dialect = &cake_dialect_cake,
                                         .summary = "Right operand (N×K) of mma.sync over R×C warps.",
                                         .syntax = "`#cake.mma.b<` R `x` C `>`",
                                         .description =
                                             "Each warp holds its columns of the product over the whole of K.",
                                         .parse = parse_mma_b,
                                         .print = print_warps};
const CakeAttrDef cake_attr_def_vec = {
    .name = "vec",
    .dialect = &cake_dialect_cake,
    .summary = "Consecutive elements of a row in each lane.",
    .syntax = "`#cake.vec<` (`warp` | `role` | `lane`) `,` int `>`",
    .description =
        "`role`: a row is owned by the whole role; lane l of warp w holds the V elements from (32 w + l) V on, "
        "and those every 32 V elements a warp further. `warp`: the rows are cut evenly among the "
        "warps; the lanes of a warp hold V elements each of one row, or of several short ones. `lane`: the rows are "
        "cut "
        "evenly among the warps, and a lane holds whole rows, 32 apart.",
    .parse = parse_vec,
    .print = print_vec};
const CakeAttrDef cake_attr_def_tmem_ld = {.name = "tmem.ld",
                                           .dialect = &cake_dialect_cake,
                                           .summary =
                                               "128×N elements of tensor memory in the registers of a warpgroup.",
                                           .syntax = "`#cake.tmem.ld`",
                                           .description = "One row a lane (tcgen05.ld 32x32b)."};
const CakeAttrDef cake_attr_def_tcgen05_acc = {
    .name = "tcgen05.acc",
    .dialect = &cake_dialect_cake,
    .summary = "An accumulator of tcgen05, in tensor memory.",
    .syntax = "`#cake.tcgen05.acc`",
    .description = "The form of pending accumulators alone: its value is read with `cake.get` "
                   "from the slot that holds it."};
const CakeAttrDef cake_attr_def_row = {.name = "row",
                                       .dialect = &cake_dialect_cake,
                                       .summary = "One value a row of a fragment.",
                                       .syntax = "`#cake.row<` form `>`",
                                       .description = "Every lane that holds part of the row has it.",
                                       .parse = parse_row,
                                       .print = print_side};
const CakeAttrDef cake_attr_def_col = {.name = "col",
                                       .dialect = &cake_dialect_cake,
                                       .summary = "One value a column of a fragment.",
                                       .syntax = "`#cake.col<` form `>`",
                                       .description = "Every lane that holds part of the column has it.",
                                       .parse = parse_col,
                                       .print = print_side};
const CakeAttrDef cake_attr_def_part = {
    .name = "part",
    .dialect = &cake_dialect_cake,
    .summary = "One value a row and lane of a fragment, not merged over lanes yet.",
    .syntax = "`#cake.part<` (`add` | `max` | `min` | `mul` | `and` | `or` | `xor`) `,` form `>`",
    .description =
        "The row's value is the sum (the maximum, …) over the lanes that hold part of the row: `cake.merge`. "
        "Only what commutes with merging takes it: `cake.reduce … into`, the reduction's own op on two "
        "parts, and for sums `arith.mulf` by a row that was spread.",
    .parse = parse_part,
    .print = print_part};
const CakeAttrDef cake_attr_def_of = {
    .name = "of",
    .dialect = &cake_dialect_cake,
    .summary = "A form whose sizes name template parameters.",
    .syntax = "`#cake.of<` size (`x` size)* `,` form `>`",
    .description = "The tensor has `?` where the size is no number. Instantiation replaces it by the form.",
    .parse = parse_of,
    .print = print_of};
