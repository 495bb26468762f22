// func: the custom form of func.call_indirect.
#include "dialects/func/func_asm.h"

#include "dialects/func/func.h"

// The callee's type gives those of the arguments and results.
static bool take_callee_type(CakeAsmParser *parser, CakeLoc loc, CakeType type) {
  uint32_t group = CAKE_GROUP(func, call_indirect, callee_operands), count = cake_asm_group_count(parser, group);
  CakeParser *stream = cake_asm_stream(parser);
  if (!cake_type_is(type, &cake_type_def_function))
    return cake_parser_error_at(stream, loc, CAKE_CODE_PARSE_TYPE,
                                "the callee's type must be a function type, not '%s'", cake_type_text(type));
  if (cake_type_function_inputs(type) != count)
    return cake_parser_error_at(stream, loc, CAKE_CODE_PARSE_TYPE, "the callee takes %zu operands, but %u are given",
                                cake_type_function_inputs(type), count);
  cake_asm_set_operand_type(parser, CAKE_GROUP(func, call_indirect, callee), 0, type);
  for (uint32_t i = 0; i < count; i++)
    cake_asm_set_operand_type(parser, group, i, cake_type_function_input(type, i));
  for (size_t i = 0; i < cake_type_function_results(type); i++)
    cake_asm_add_result_type(parser, cake_type_function_result(type, i));
  return true;
}

bool func_call_indirect_parse(CakeAsmParser *parser) {
  CakeParser *stream = cake_asm_stream(parser);
  if (!cake_asm_operand(parser, CAKE_GROUP(func, call_indirect, callee)) ||
      !cake_parser_expect(stream, CAKE_TOK_LPAREN))
    return false;
  if (!cake_parser_accept(stream, CAKE_TOK_RPAREN)) {
    do {
      if (!cake_asm_operand(parser, CAKE_GROUP(func, call_indirect, callee_operands))) return false;
    } while (cake_parser_accept(stream, CAKE_TOK_COMMA));
    if (!cake_parser_expect(stream, CAKE_TOK_RPAREN)) return false;
  }
  if (!cake_asm_attr_dict(parser, false) || !cake_parser_expect(stream, CAKE_TOK_COLON)) return false;
  CakeLoc loc = cake_parser_loc(stream);
  CakeType type;
  return cake_parser_type(stream, &type) && take_callee_type(parser, loc, type);
}

void func_call_indirect_print(CakeAsmPrinter *printer, CakeOp *op) {
  CakeBuf *out = cake_asm_buf(printer);
  cake_buf_char(out, ' ');
  cake_asm_print_value(printer, cake_op_operand(op, 0));
  cake_buf_char(out, '(');
  for (uint32_t i = 1; i < op->n_operands; i++) {
    if (i > 1) cake_buf_text(out, ", ");
    cake_asm_print_value(printer, cake_op_operand(op, i));
  }
  cake_buf_char(out, ')');
  cake_asm_print_attr_dict(printer, op, 0, false);
  cake_buf_text(out, " : ");
  cake_printer_type(cake_asm_out(printer), cake_op_operand(op, 0)->type);
}
