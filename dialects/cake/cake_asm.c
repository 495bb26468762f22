// The directives of the cake dialect's assembly formats.
//
// A directive that holds an expression with operands takes the attribute and the group of the operands; a place (`%x[e,
// e]`) takes the group of the memory as well.
#include "dialects/cake/cake_private.h"

#include <ctype.h>

// ---- Helpers -------------------------------------------------------------------------------------------------------

static CakeExprReader reader_of(CakeAsmParser *parser, uint32_t group) {
  return (CakeExprReader){.parser = cake_asm_stream(parser), .asm_parser = parser, .group = group};
}

static CakeExprReader reader_without_operands(CakeAsmParser *parser) {
  return (CakeExprReader){.parser = cake_asm_stream(parser), .no_operands = true};
}

static CakeExprWriter writer_of(CakeAsmPrinter *printer, const CakeOp *op, uint32_t group) {
  return (CakeExprWriter){cake_asm_buf(printer), printer, op, group};
}

// The attribute that a directive prints; NULL when it is missing or of another kind (a broken op must print too).
static CakeAttr attr_of(const CakeOp *op, CakeAsmRef ref, const CakeAttrDef *def) {
  CakeAttr attr = cake_op_prop(op, ref.row);
  return cake_attr_is(attr, def) ? attr : NULL;
}

static bool open(CakeAsmParser *parser, CakeToken token) {
  return cake_parser_expect(cake_asm_stream(parser), token);
}

static bool has_place(const CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  return cake_op_operand_group(op, refs[0].row).count > 0;
}

static bool has_attr(const CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  return cake_op_prop(op, refs[0].row) != NULL;
}

static void write_broken(CakeAsmPrinter *printer, const CakeOp *op, CakeAsmRef ref) {
  if (cake_op_prop(op, ref.row))
    cake_printer_attr(cake_asm_out(printer), cake_op_prop(op, ref.row));
  else
    cake_buf_text(cake_asm_buf(printer), "<<missing>>");
}

// ---- Places: `%x[e, e]` ----------------------------------------------------------------------------------------------

static bool parse_place(CakeAsmParser *parser, const CakeAsmRef *refs, bool needs_at) {
  CakeParser *stream = cake_asm_stream(parser);
  CakeValue *value;
  if (!cake_asm_defined_operand(parser, refs[0].row, &value)) return false;
  if (!needs_at && cake_parser_token(stream) != CAKE_TOK_LSQUARE) return true;
  CakeExprReader reader = reader_of(parser, refs[2].row);
  CakeAttr at;
  if (!open(parser, CAKE_TOK_LSQUARE) || !cake_exprs_read(&reader, CAKE_TOK_RSQUARE, &at) ||
      !open(parser, CAKE_TOK_RSQUARE))
    return false;
  cake_asm_set_attr(parser, refs[1].row, at);
  return true;
}

static bool parse_global_at(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  (void)count;
  return parse_place(parser, refs, true);
}

static bool parse_view_at(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  (void)count;
  return parse_place(parser, refs, false);
}

static void print_place(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeValue *value = cake_op_operand_single(op, refs[0].row);
  if (value) cake_asm_print_value(printer, value);
  CakeAttr at = attr_of(op, refs[1], &cake_attr_def_at);
  if (!at) return;
  CakeExprWriter writer = writer_of(printer, op, refs[2].row);
  cake_buf_char(writer.out, '[');
  cake_at_write(&writer, at);
  cake_buf_char(writer.out, ']');
}

// ---- Expressions and predicates --------------------------------------------------------------------------------------

static bool parse_expr_paren(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  CakeExprReader reader = count > 1 ? reader_of(parser, refs[1].row) : reader_without_operands(parser);
  CakeAttr expr;
  if (!open(parser, CAKE_TOK_LPAREN) || !cake_expr_read(&reader, &expr) || !open(parser, CAKE_TOK_RPAREN)) return false;
  cake_asm_set_attr(parser, refs[0].row, expr);
  return true;
}

static void print_expr_paren(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  CakeExprWriter writer = writer_of(printer, count > 1 ? op : NULL, count > 1 ? refs[1].row : 0);
  CakeAttr expr = attr_of(op, refs[0], &cake_attr_def_expr);
  cake_buf_char(writer.out, '(');
  if (expr)
    cake_expr_write(&writer, expr);
  else
    write_broken(printer, op, refs[0]);
  cake_buf_char(writer.out, ')');
}

static bool parse_at_paren(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  CakeExprReader reader = reader_without_operands(parser);
  CakeAttr at;
  (void)count;
  if (!open(parser, CAKE_TOK_LPAREN) || !cake_exprs_read(&reader, CAKE_TOK_RPAREN, &at) ||
      !open(parser, CAKE_TOK_RPAREN))
    return false;
  cake_asm_set_attr(parser, refs[0].row, at);
  return true;
}

static void print_at_paren(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  CakeExprWriter writer = writer_of(printer, NULL, 0);
  CakeAttr at = attr_of(op, refs[0], &cake_attr_def_at);
  (void)count;
  cake_buf_char(writer.out, '(');
  if (at)
    cake_at_write(&writer, at);
  else
    write_broken(printer, op, refs[0]);
  cake_buf_char(writer.out, ')');
}

static bool read_pred(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  CakeExprReader reader = count > 1 ? reader_of(parser, refs[1].row) : reader_without_operands(parser);
  CakeAttr pred;
  if (!cake_pred_read(&reader, &pred)) return false;
  cake_asm_set_attr(parser, refs[0].row, pred);
  return true;
}

static bool parse_pred(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  return open(parser, CAKE_TOK_LPAREN) && read_pred(parser, refs, count) && open(parser, CAKE_TOK_RPAREN);
}

static void print_pred_bare(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  CakeExprWriter writer = writer_of(printer, count > 1 ? op : NULL, count > 1 ? refs[1].row : 0);
  CakeAttr pred = attr_of(op, refs[0], &cake_attr_def_pred);
  if (pred)
    cake_pred_write(&writer, pred);
  else
    write_broken(printer, op, refs[0]);
}

static void print_pred(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  cake_buf_char(cake_asm_buf(printer), '(');
  print_pred_bare(printer, op, refs, count);
  cake_buf_char(cake_asm_buf(printer), ')');
}

// ---- Attributes with one body ------------------------------------------------------------------------------------------

#define PARENTHESISED(name, def, read, write)                                                                          \
  static bool parse_##name(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {                              \
    (void)count;                                                                                                       \
    CakeParser *stream = cake_asm_stream(parser);                                                                      \
    CakeAttr attr;                                                                                                     \
    if (!open(parser, CAKE_TOK_LPAREN) || !read || !open(parser, CAKE_TOK_RPAREN)) return false;                       \
    cake_asm_set_attr(parser, refs[0].row, attr);                                                                      \
    return true;                                                                                                       \
  }                                                                                                                    \
  static void print_##name(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {                \
    (void)count;                                                                                                       \
    CakeBuf *out = cake_asm_buf(printer);                                                                              \
    CakeAttr attr = attr_of(op, refs[0], def);                                                                         \
    cake_buf_char(out, '(');                                                                                           \
    if (attr)                                                                                                          \
      write;                                                                                                           \
    else                                                                                                               \
      write_broken(printer, op, refs[0]);                                                                              \
    cake_buf_char(out, ')');                                                                                           \
  }

PARENTHESISED(axes, &cake_attr_def_axes, cake_axes_read(stream, CAKE_TOK_RPAREN, &attr), cake_axes_write(out, attr))
PARENTHESISED(parts, &cake_attr_def_parts, cake_parts_read(stream, CAKE_TOK_RPAREN, &attr),
              cake_parts_write(cake_asm_out(printer), attr))
PARENTHESISED(schedule, &cake_attr_def_schedule, cake_schedule_read(stream, &attr), cake_schedule_write(out, attr))
PARENTHESISED(via, &cake_attr_def_via, cake_via_read(stream, &attr), cake_via_write(out, attr))
PARENTHESISED(form_paren, &cake_attr_def_form, cake_form_read(stream, &attr), cake_form_write(out, attr))

static bool parse_choices(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeAttr choices;
  if (!cake_choices_read(cake_asm_stream(parser), &choices)) return false;
  cake_asm_set_attr(parser, refs[0].row, choices);
  return true;
}

static void print_choices(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeAttr choices = attr_of(op, refs[0], &cake_attr_def_choices);
  CakeBuf *out = cake_asm_buf(printer);
  if (out->len && out->data[out->len - 1] != ' ') cake_buf_char(out, ' '); // `in [64, 128]`: a list, no index
  if (choices)
    cake_choices_write(out, choices);
  else
    write_broken(printer, op, refs[0]);
}

// ---- Lists: `("sm_80", "sm_90a")`, `(@load, @mma)`, `(LMAX, SMAX)` ---------------------------------------------------------

static bool parse_list(CakeAsmParser *parser, CakeAsmRef ref, bool (*item)(CakeParser *stream, CakeAttr *out)) {
  CakeParser *stream = cake_asm_stream(parser);
  CakeAttr items[CAKE_MAX_LIST];
  size_t n = 0;
  if (!open(parser, CAKE_TOK_LPAREN)) return false;
  do {
    if (n == CAKE_MAX_LIST)
      return cake_parser_error(stream, CAKE_CODE_PARSE_SYNTAX, "more than %d entries", CAKE_MAX_LIST);
    if (!item(stream, &items[n++])) return false;
  } while (cake_parser_accept(stream, CAKE_TOK_COMMA));
  cake_asm_set_attr(parser, ref.row, cake_attr_array(cake_parser_context(stream), items, n));
  return open(parser, CAKE_TOK_RPAREN);
}

static void print_list(CakeAsmPrinter *printer, CakeAttr array, void (*item)(CakePrinter *out, CakeAttr attr)) {
  CakeBuf *out = cake_asm_buf(printer);
  cake_buf_char(out, '(');
  for (size_t i = 0; array && i < cake_attr_count(array); i++) {
    if (i) cake_buf_text(out, ", ");
    item(cake_asm_out(printer), cake_attr_element(array, i));
  }
  cake_buf_char(out, ')');
}

static bool parse_string(CakeParser *stream, CakeAttr *out) {
  CakeId text;
  if (!cake_parser_string(stream, &text)) return false;
  *out = cake_attr_string_id(cake_parser_context(stream), text);
  return true;
}

static bool parse_symbol(CakeParser *stream, CakeAttr *out) {
  CakeId name;
  if (!cake_parser_symbol(stream, &name)) return false;
  *out = cake_attr_symbol_ref(cake_parser_context(stream), name, NULL, 0);
  return true;
}

static bool parse_name(CakeParser *stream, CakeAttr *out) {
  CakeId name;
  if (!cake_parser_keyword(stream, &name)) return false;
  *out = cake_attr_string_id(cake_parser_context(stream), name);
  return true;
}

static void print_name(CakePrinter *out, CakeAttr attr) {
  cake_buf_str(cake_printer_buf(out), cake_attr_string_value(attr));
}

#define LIST(name, read, write)                                                                                        \
  static bool parse_##name(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {                              \
    (void)count;                                                                                                       \
    return parse_list(parser, refs[0], read);                                                                          \
  }                                                                                                                    \
  static void print_##name(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {                \
    (void)count;                                                                                                       \
    print_list(printer, attr_of(op, refs[0], &cake_attr_def_array), write);                                            \
  }

LIST(strings, parse_string, cake_printer_attr)
LIST(symbols, parse_symbol, cake_printer_attr)
LIST(names, parse_name, print_name)

// ---- Lists of dimensions: `(0, 2)` ---------------------------------------------------------------------------------------

static bool parse_dims(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeParser *stream = cake_asm_stream(parser);
  int64_t dims[CAKE_MAX_RANK];
  size_t n = 0;
  if (!open(parser, CAKE_TOK_LPAREN)) return false;
  do {
    if (n == CAKE_MAX_RANK)
      return cake_parser_error(stream, CAKE_CODE_PARSE_SYNTAX, "more than %d dimensions", CAKE_MAX_RANK);
    if (!cake_parser_int(stream, &dims[n++])) return false;
  } while (cake_parser_accept(stream, CAKE_TOK_COMMA));
  cake_asm_set_attr(parser, refs[0].row, cake_attr_dense_array(cake_type_i64(cake_parser_context(stream)), dims, n));
  return open(parser, CAKE_TOK_RPAREN);
}

static void print_dims(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeAttr array = attr_of(op, refs[0], &cake_attr_def_dense_array);
  CakeBuf *out = cake_asm_buf(printer);
  cake_buf_char(out, '(');
  for (size_t i = 0; array && i < cake_attr_count(array); i++)
    cake_buf_printf(out, "%s%lld", i ? ", " : "", (long long)cake_attr_dense_array_value(array, i));
  cake_buf_char(out, ')');
}

// ---- Names of an item ----------------------------------------------------------------------------------------------------

static bool parse_lets(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeAttr lets;
  if (!open(parser, CAKE_TOK_LPAREN) || !cake_lets_read(cake_asm_stream(parser), parser, refs[1].row, &lets))
    return false;
  cake_asm_set_attr(parser, refs[0].row, lets);
  return open(parser, CAKE_TOK_RPAREN);
}

static void print_lets(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeExprWriter writer = writer_of(printer, op, refs[1].row);
  CakeAttr lets = attr_of(op, refs[0], &cake_attr_def_lets);
  cake_buf_char(writer.out, '(');
  if (lets)
    cake_lets_write(&writer, lets);
  else
    write_broken(printer, op, refs[0]);
  cake_buf_char(writer.out, ')');
}

// ---- Scalars: their type is the element type of the op's first operand, or of the result type that follows ----------------

static CakeType element_of(CakeType type) {
  if (!type) return NULL;
  return cake_type_is(type, &cake_type_def_global) ? cake_global_element(type) : cake_type_element(type);
}

static bool parse_scalar_paren(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeParser *stream = cake_asm_stream(parser);
  CakeType type = element_of(cake_asm_operand_type(parser, 0, 0));
  CakeAttr value;
  if (!open(parser, CAKE_TOK_LPAREN)) return false;
  if (!type) return cake_parser_error(stream, CAKE_CODE_PARSE_TYPE, "the type of the number is not known here");
  if (!cake_scalar_read(stream, type, &value)) return false;
  cake_asm_set_attr(parser, refs[0].row, value);
  return open(parser, CAKE_TOK_RPAREN);
}

static void print_scalar_paren(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  cake_buf_char(cake_asm_buf(printer), '(');
  if (cake_op_prop(op, refs[0].row)) cake_scalar_write(cake_asm_out(printer), cake_op_prop(op, refs[0].row));
  cake_buf_char(cake_asm_buf(printer), ')');
}

// `-2.0 {…} : type`: the number is read last, because the type decides how. `$value, $result`.
static bool parse_fill(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeParser *stream = cake_asm_stream(parser);
  CakeType wide = cake_type_float(cake_parser_context(stream), CAKE_FLOAT_F64), type;
  CakeLoc loc = cake_parser_loc(stream);
  CakeAttr value;
  if (!cake_scalar_read(stream, wide, &value) || !cake_asm_attr_dict(parser, false) || !open(parser, CAKE_TOK_COLON) ||
      !cake_parser_type(stream, &type))
    return false;
  CakeType element = cake_type_element(type);
  double number = cake_attr_float_value(value);
  if (cake_type_is_any_float(element)) {
    value = cake_attr_float(element, number);
  } else {
    bool fits = cake_type_is(element, &cake_type_def_integer) && number >= -9007199254740992.0 &&
                number <= 9007199254740992.0 && number == (double)(int64_t)number;
    if (!fits)
      return cake_parser_error_at(stream, loc, CAKE_CODE_PARSE_NUMBER, "the number does not fit type '%s'",
                                  cake_type_text(element));
    value = cake_attr_integer(element, (int64_t)number);
  }
  cake_asm_set_attr(parser, refs[0].row, value);
  cake_asm_add_result_type(parser, type);
  return true;
}

static void print_fill(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  if (cake_op_prop(op, refs[0].row)) cake_scalar_write(cake_asm_out(printer), cake_op_prop(op, refs[0].row));
  cake_asm_print_attr_dict(printer, op, (uint64_t)1 << refs[0].row, false);
  cake_buf_text(cake_asm_buf(printer), " : ");
  if (op->n_results) cake_printer_type(cake_asm_out(printer), op->results[0].type);
}

// ---- Arguments of a kernel: `(%x: type, %arg1 as c: type)` ------------------------------------------------------------

static bool parse_argument(CakeAsmParser *parser, uint32_t region, CakeAttr *out_name) {
  CakeParser *stream = cake_asm_stream(parser);
  CakeContext *context = cake_parser_context(stream);
  CakeId name, outer;
  CakeLoc loc;
  CakeType type;
  if (!cake_asm_argument(parser, &name, &loc)) return false;
  outer = name;
  if (cake_parser_accept_keyword(stream, "as")) {
    bool is_string = cake_parser_token(stream) == CAKE_TOK_STRING;
    if (!(is_string ? cake_parser_string(stream, &outer) : cake_parser_keyword(stream, &outer))) return false;
  }
  if (!open(parser, CAKE_TOK_COLON) || !cake_parser_type(stream, &type)) return false;
  cake_asm_add_region_arg(parser, region, name, loc, type);
  CakeStr text = cake_id_str(outer);
  if (text.len && text.ptr[0] == '%') text = (CakeStr){text.ptr + 1, text.len - 1};
  *out_name = cake_attr_string(context, text);
  return true;
}

static bool parse_kernel_args(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeParser *stream = cake_asm_stream(parser);
  CakeAttr names[CAKE_MAX_LIST];
  size_t n = 0;
  if (!open(parser, CAKE_TOK_LPAREN)) return false;
  while (n > 0 || cake_parser_token(stream) != CAKE_TOK_RPAREN) {
    if (n == CAKE_MAX_LIST)
      return cake_parser_error(stream, CAKE_CODE_PARSE_SYNTAX, "more than %d arguments", CAKE_MAX_LIST);
    if (!parse_argument(parser, refs[0].row, &names[n++])) return false;
    if (!cake_parser_accept(stream, CAKE_TOK_COMMA)) break;
  }
  cake_asm_set_attr(parser, refs[1].row, cake_attr_array(cake_parser_context(stream), names, n));
  return open(parser, CAKE_TOK_RPAREN);
}

static bool is_bare(CakeStr text) {
  if (text.len == 0 || !(isalpha((unsigned char)text.ptr[0]) || text.ptr[0] == '_')) return false;
  for (size_t i = 0; i < text.len; i++)
    if (!isalnum((unsigned char)text.ptr[i]) && text.ptr[i] != '_') return false;
  return true;
}

static void print_argument(CakeAsmPrinter *printer, const CakeValue *arg, CakeAttr name) {
  CakeBuf *out = cake_asm_buf(printer);
  size_t start = out->len;
  cake_asm_print_value(printer, arg);
  CakeStr printed = {out->data + start, out->len - start};
  CakeStr text = cake_attr_is(name, &cake_attr_def_string) ? cake_attr_string_value(name) : (CakeStr){"", 0};
  bool is_same = printed.len == text.len + 1 && cake_str_equal((CakeStr){printed.ptr + 1, printed.len - 1}, text);
  if (!is_same && name) {
    cake_buf_text(out, " as ");
    if (is_bare(text))
      cake_buf_str(out, text);
    else
      cake_printer_string(cake_asm_out(printer), text);
  }
  cake_buf_text(out, ": ");
  cake_printer_type(cake_asm_out(printer), arg->type);
}

static void print_kernel_args(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeAttr names = attr_of(op, refs[1], &cake_attr_def_array);
  const CakeBlock *block = refs[0].row < op->n_regions ? cake_op_region(op, refs[0].row)->first : NULL;
  cake_buf_char(cake_asm_buf(printer), '(');
  for (uint32_t i = 0; block && i < block->n_args; i++) {
    if (i) cake_buf_text(cake_asm_buf(printer), ", ");
    print_argument(printer, block->args[i], names && i < cake_attr_count(names) ? cake_attr_element(names, i) : NULL);
  }
  cake_buf_char(cake_asm_buf(printer), ')');
}

// ---- Bounds of an unrolled loop: `%j = 0 to 4` ------------------------------------------------------------------------

static bool parse_range(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeParser *stream = cake_asm_stream(parser);
  CakeExprReader reader = reader_without_operands(parser);
  CakeId name;
  CakeLoc loc;
  CakeAttr lower, upper;
  if (!cake_asm_argument(parser, &name, &loc) || !open(parser, CAKE_TOK_EQUAL) || !cake_expr_read(&reader, &lower) ||
      !cake_parser_expect_keyword(stream, "to") || !cake_expr_read(&reader, &upper))
    return false;
  cake_asm_set_attr(parser, refs[0].row, lower);
  cake_asm_set_attr(parser, refs[1].row, upper);
  cake_asm_add_region_arg(parser, refs[2].row, name, loc, cake_type_index(cake_parser_context(stream)));
  return true;
}

static void print_range(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  CakeExprWriter writer = writer_of(printer, NULL, 0);
  const CakeBlock *block = op->n_regions ? cake_op_region(op, 0)->first : NULL;
  if (block && block->n_args) cake_asm_print_value(printer, block->args[0]);
  cake_buf_text(writer.out, " = ");
  for (size_t i = 0; i < 2; i++) {
    CakeAttr bound = attr_of(op, refs[i], &cake_attr_def_expr);
    if (i) cake_buf_text(writer.out, " to ");
    if (bound)
      cake_expr_write(&writer, bound);
    else
      write_broken(printer, op, refs[i]);
  }
}

// ---- Table ---------------------------------------------------------------------------------------------------------

const CakeAsmDirective cake_cake_directives[CAKE_CAKE_DIRECTIVES] = {
    {"global_at",           parse_global_at,    print_place,        has_place, NULL},
    {"view_at",             parse_view_at,      print_place,        NULL,      NULL},
    {"view_or_fragment_at", parse_view_at,      print_place,        NULL,      NULL},
    {"expr_paren",          parse_expr_paren,   print_expr_paren,   has_attr,  NULL},
    {"expr_paren_at",       parse_expr_paren,   print_expr_paren,   has_attr,  NULL},
    {"at_paren",            parse_at_paren,     print_at_paren,     has_attr,  NULL},
    {"pred",                parse_pred,         print_pred,         has_attr,  NULL},
    {"pred_at",             parse_pred,         print_pred,         has_attr,  NULL},
    {"pred_bare",           read_pred,          print_pred_bare,    NULL,      NULL},
    {"axes",                parse_axes,         print_axes,         has_attr,  NULL},
    {"schedule",            parse_schedule,     print_schedule,     has_attr,  NULL},
    {"parts",               parse_parts,        print_parts,        NULL,      NULL},
    {"choices",             parse_choices,      print_choices,      NULL,      NULL},
    {"via",                 parse_via,          print_via,          NULL,      NULL},
    {"fill",                parse_fill,         print_fill,         NULL,      NULL},
    {"scalar_paren",        parse_scalar_paren, print_scalar_paren, has_attr,  NULL},
    {"form_paren",          parse_form_paren,   print_form_paren,   NULL,      NULL},
    {"strings",             parse_strings,      print_strings,      has_attr,  NULL},
    {"kernel_args",         parse_kernel_args,  print_kernel_args,  NULL,      NULL},
    {"range",               parse_range,        print_range,        NULL,      NULL},
    {"names",               parse_names,        print_names,        has_attr,  NULL},
    {"dims",                parse_dims,         print_dims,         has_attr,  NULL},
    {"lets",                parse_lets,         print_lets,         has_attr,  NULL},
    {"symbols",             parse_symbols,      print_symbols,      has_attr,  NULL},
};
