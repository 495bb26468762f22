// cf: what the custom forms of branches have beside values and targets.
//
//   cf.cond_br %c weights([1, 2]), ^then(%a : i32), ^else
#include "dialects/cf/cf.h"
#include "dialects/cf/cf_hooks.h"

// `([1, 2])`
bool cf_parse_weights(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  CakeParser *stream = cake_asm_stream(parser);
  int64_t weights[2];
  (void)count;
  if (!cake_parser_expect(stream, CAKE_TOK_LPAREN) || !cake_parser_expect(stream, CAKE_TOK_LSQUARE) ||
      !cake_parser_int(stream, &weights[0]) || !cake_parser_expect(stream, CAKE_TOK_COMMA) ||
      !cake_parser_int(stream, &weights[1]) || !cake_parser_expect(stream, CAKE_TOK_RSQUARE) ||
      !cake_parser_expect(stream, CAKE_TOK_RPAREN))
    return false;
  CakeType i32 = cake_type_i32(cake_parser_context(stream));
  cake_asm_set_attr(parser, refs[0].row, cake_attr_dense_array(i32, weights, 2));
  return true;
}

void cf_print_weights(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  CakeAttr weights = cake_op_prop(op, refs[0].row);
  (void)count;
  cake_buf_printf(cake_asm_buf(printer), "([%lld, %lld])", (long long)cake_attr_dense_array_value(weights, 0),
                  (long long)cake_attr_dense_array_value(weights, 1));
}

bool cf_has_weights(const CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  return cake_op_prop(op, refs[0].row) != NULL;
}
