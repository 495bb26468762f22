// #cake.lets: the names of an item, `lo = %cu[s], end = %cu[s + 1], len = end - lo`.
//
// A name is an element of an array (its operand number, and where), or an expression over the axes and the names before.
#include "dialects/cake/cake_private.h"

enum { STRIDE = 3 }; // params of a name: ID name, INT operand (-1: none), ATTR at | expr

size_t cake_lets_count(CakeAttr lets) {
  return lets ? lets->count / STRIDE : 0;
}
CakeId cake_lets_name(CakeAttr lets, size_t i) {
  return lets->params[STRIDE * i].id;
}
int64_t cake_lets_array(CakeAttr lets, size_t i) {
  return lets->params[STRIDE * i + 1].i;
}
CakeAttr cake_lets_value(CakeAttr lets, size_t i) {
  return lets->params[STRIDE * i + 2].attr;
}

bool cake_lets_have(CakeAttr lets, CakeId name) {
  for (size_t i = 0; i < cake_lets_count(lets); i++)
    if (cake_lets_name(lets, i) == name) return true;
  return false;
}

// ---- Text ----------------------------------------------------------------------------------------------------------

// The array in front of `[`: `%cu`, or in generic form `d0`.
static bool read_array(CakeParser *parser, CakeAsmParser *asm_parser, uint32_t group, CakeParam *out) {
  CakeExprReader generic = {.parser = parser};
  CakeAttr number;
  CakeValue *value;
  if (asm_parser) {
    *out = cake_param_int(cake_asm_group_count(asm_parser, group));
    return cake_asm_defined_operand(asm_parser, group, &value);
  }
  if (!cake_expr_read(&generic, &number)) return false;
  *out = cake_param_int(cake_expr_value(number));
  return true;
}

// `d0[` of the generic form: the word is an operand's.
static bool is_generic_array(CakeParser *parser) {
  CakeStr text = cake_parser_spelling(parser);
  return cake_parser_token(parser) == CAKE_TOK_BARE && text.len > 1 && text.ptr[0] == 'd' && text.ptr[1] >= '0' &&
         text.ptr[1] <= '9';
}

static bool read_value(CakeParser *parser, CakeAsmParser *asm_parser, uint32_t group, CakeParam *params) {
  CakeExprReader reader = {.parser = parser, .no_operands = true};
  bool is_array = asm_parser ? cake_parser_token(parser) == CAKE_TOK_PERCENT : is_generic_array(parser);
  CakeAttr value;
  params[0] = cake_param_int(-1);
  if (!is_array) {
    if (!cake_expr_read(&reader, &value)) return false;
  } else if (!read_array(parser, asm_parser, group, &params[0]) || !cake_parser_expect(parser, CAKE_TOK_LSQUARE) ||
             !cake_exprs_read(&reader, CAKE_TOK_RSQUARE, &value) || !cake_parser_expect(parser, CAKE_TOK_RSQUARE)) {
    return false;
  }
  params[1] = cake_param_attr(value);
  return true;
}

bool cake_lets_read(CakeParser *parser, CakeAsmParser *asm_parser, uint32_t group, CakeAttr *out) {
  CakeParam params[STRIDE * CAKE_MAX_LIST];
  size_t count = 0;
  do {
    CakeId name;
    if (count == CAKE_MAX_LIST)
      return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "more than %d entries", CAKE_MAX_LIST);
    if (!cake_parser_keyword(parser, &name) || !cake_parser_expect(parser, CAKE_TOK_EQUAL) ||
        !read_value(parser, asm_parser, group, &params[STRIDE * count + 1]))
      return false;
    params[STRIDE * count++] = cake_param_id(name);
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  *out = cake_attr_get(cake_parser_context(parser), &cake_attr_def_lets, params, STRIDE * count);
  return true;
}

void cake_lets_write(const CakeExprWriter *writer, CakeAttr lets) {
  for (size_t i = 0; i < cake_lets_count(lets); i++) {
    cake_buf_printf(writer->out, "%s%.*s = ", i ? ", " : "", CAKE_STR_ARG(cake_id_str(cake_lets_name(lets, i))));
    if (cake_lets_array(lets, i) < 0) {
      cake_expr_write(writer, cake_lets_value(lets, i));
      continue;
    }
    cake_expr_write(writer, cake_expr_operand(lets->context, (uint32_t)cake_lets_array(lets, i)));
    cake_buf_char(writer->out, '[');
    cake_at_write(writer, cake_lets_value(lets, i));
    cake_buf_char(writer->out, ']');
  }
}

static bool parse_lets(CakeParser *parser, CakeAttr *out) {
  return cake_parser_expect(parser, CAKE_TOK_LESS) && cake_lets_read(parser, NULL, 0, out) &&
         cake_parser_expect(parser, CAKE_TOK_GREATER);
}

static void print_lets(CakePrinter *printer, CakeAttr attr) {
  CakeExprWriter writer = {.out = cake_printer_buf(printer)};
  cake_buf_char(writer.out, '<');
  cake_lets_write(&writer, attr);
  cake_buf_char(writer.out, '>');
}

const CakeAttrDef cake_attr_def_lets = {
    .name = "lets",
    .dialect = &cake_dialect_cake,
    .summary = "Names that depend on the item.",
    .syntax = "`#cake.lets<` (name `=` (`d`int `[` expr,* `]` | expr)),* `>`",
    .description = "`d0[s]` is an element of the first array among the operands; expressions are over the axes, the "
                   "sizes and the names before.",
    .parse = parse_lets,
    .print = print_lets};
