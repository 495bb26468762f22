// cf: the custom forms of branches.
//
//   cf.br ^block(%a, %b : i32, f32)
//   cf.cond_br %c weights([1, 2]), ^then(%a : i32), ^else
#include "dialects/cf/cf.h"
#include "dialects/cf/cf_hooks.h"

bool cf_parse_target(CakeAsmParser *parser, uint32_t group) {
  CakeParser *stream = cake_asm_stream(parser);
  uint32_t first = cake_asm_group_count(parser, group); // several targets may share a group
  if (!cake_asm_successor(parser)) return false;
  if (!cake_parser_accept(stream, CAKE_TOK_LPAREN)) return true;
  do {
    if (!cake_asm_operand(parser, group)) return false;
  } while (cake_parser_accept(stream, CAKE_TOK_COMMA));
  if (!cake_parser_expect(stream, CAKE_TOK_COLON)) return false;
  uint32_t count = cake_asm_group_count(parser, group);
  for (uint32_t i = first; i < count; i++) {
    CakeType type;
    if (i > first && !cake_parser_expect(stream, CAKE_TOK_COMMA)) return false;
    if (!cake_parser_type(stream, &type)) return false;
    cake_asm_set_operand_type(parser, group, i, type);
  }
  return cake_parser_expect(stream, CAKE_TOK_RPAREN);
}

void cf_print_target(CakeAsmPrinter *printer, const CakeBlock *block, CakeOperandRange operands) {
  CakeBuf *out = cake_asm_buf(printer);
  cake_asm_print_successor(printer, block);
  if (operands.count == 0) return;
  for (uint32_t i = 0; i < operands.count; i++) {
    cake_buf_text(out, i ? ", " : "(");
    cake_asm_print_value(printer, operands.first[i].value);
  }
  for (uint32_t i = 0; i < operands.count; i++) {
    cake_buf_text(out, i ? ", " : " : ");
    cake_printer_type(cake_asm_out(printer), operands.first[i].value->type);
  }
  cake_buf_char(out, ')');
}

bool cf_br_parse(CakeAsmParser *parser) {
  return cf_parse_target(parser, CAKE_GROUP(cf, br, destOperands)) && cake_asm_attr_dict(parser, false);
}

void cf_br_print(CakeAsmPrinter *printer, CakeOp *op) {
  cake_buf_char(cake_asm_buf(printer), ' ');
  cf_print_target(printer, cake_op_successor(op, 0), cake_op_operand_group(op, CAKE_GROUP(cf, br, destOperands)));
  cake_asm_print_attr_dict(printer, op, 0, false);
}

// `weights([1, 2])`
static bool parse_weights(CakeAsmParser *parser) {
  CakeParser *stream = cake_asm_stream(parser);
  int64_t weights[2];
  if (!cake_parser_accept_keyword(stream, "weights")) return true;
  if (!cake_parser_expect(stream, CAKE_TOK_LPAREN) || !cake_parser_expect(stream, CAKE_TOK_LSQUARE) ||
      !cake_parser_int(stream, &weights[0]) || !cake_parser_expect(stream, CAKE_TOK_COMMA) ||
      !cake_parser_int(stream, &weights[1]) || !cake_parser_expect(stream, CAKE_TOK_RSQUARE) ||
      !cake_parser_expect(stream, CAKE_TOK_RPAREN))
    return false;
  CakeType i32 = cake_type_i32(cake_parser_context(stream));
  cake_asm_set_attr(parser, CAKE_ATTR_ROW(cf, cond_br, branch_weights), cake_attr_dense_array(i32, weights, 2));
  return true;
}

bool cf_cond_br_parse(CakeAsmParser *parser) {
  CakeParser *stream = cake_asm_stream(parser);
  if (!cake_asm_operand(parser, CAKE_GROUP(cf, cond_br, condition))) return false;
  cake_asm_set_operand_type(parser, CAKE_GROUP(cf, cond_br, condition), 0, cake_type_i1(cake_parser_context(stream)));
  return parse_weights(parser) && cake_parser_expect(stream, CAKE_TOK_COMMA) &&
         cf_parse_target(parser, CAKE_GROUP(cf, cond_br, trueDestOperands)) &&
         cake_parser_expect(stream, CAKE_TOK_COMMA) &&
         cf_parse_target(parser, CAKE_GROUP(cf, cond_br, falseDestOperands)) && cake_asm_attr_dict(parser, false);
}

void cf_cond_br_print(CakeAsmPrinter *printer, CakeOp *op) {
  CakeBuf *out = cake_asm_buf(printer);
  CakeAttr weights = cake_op_prop(op, CAKE_ATTR_ROW(cf, cond_br, branch_weights));
  cake_buf_char(out, ' ');
  cake_asm_print_value(printer, cake_op_operand(op, 0));
  if (weights) {
    cake_buf_printf(out, " weights([%lld, %lld])", (long long)cake_attr_dense_array_value(weights, 0),
                    (long long)cake_attr_dense_array_value(weights, 1));
  }
  cake_buf_text(out, ", ");
  cf_print_target(printer, cake_op_successor(op, 0),
                  cake_op_operand_group(op, CAKE_GROUP(cf, cond_br, trueDestOperands)));
  cake_buf_text(out, ", ");
  cf_print_target(printer, cake_op_successor(op, 1),
                  cake_op_operand_group(op, CAKE_GROUP(cf, cond_br, falseDestOperands)));
  cake_asm_print_attr_dict(printer, op, UINT64_C(1) << CAKE_ATTR_ROW(cf, cond_br, branch_weights), false);
}
