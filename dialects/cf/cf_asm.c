// cf: what the custom forms of branches have beside values and targets.
//
//   cf.cond_br %c weights([1, 2]), ^then(%a : i32), ^else
#include "dialects/cf/cf.h"
#include "dialects/cf/cf_hooks.h"

// `([1, 2])`
static bool parse_weight(CakeParser *stream, int64_t *out) {
  CakeLoc loc = cake_parser_loc(stream);
  if (!cake_parser_int(stream, out)) return false;
  return (*out >= INT32_MIN && *out <= INT32_MAX) ||
         cake_parser_error_at(stream, loc, CAKE_CODE_PARSE_NUMBER, "a weight has 32 bits, too few for %lld",
                              (long long)*out);
}

// How many there are is verified behind.
static bool parse_weight_list(CakeParser *stream, int64_t *weights, size_t most, size_t *n) {
  if (!cake_parser_expect(stream, CAKE_TOK_LPAREN) || !cake_parser_expect(stream, CAKE_TOK_LSQUARE)) return false;
  if (cake_parser_token(stream) != CAKE_TOK_RSQUARE) {
    do
      if (*n == most || !parse_weight(stream, &weights[(*n)++]))
        return cake_parser_error(stream, CAKE_CODE_PARSE_SYNTAX, "expected at most %zu weights", most);
    while (cake_parser_accept(stream, CAKE_TOK_COMMA));
  }
  return cake_parser_expect(stream, CAKE_TOK_RSQUARE) && cake_parser_expect(stream, CAKE_TOK_RPAREN);
}

bool cf_parse_weights(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count) {
  enum { MOST_WEIGHTS = 16 }; // two are right
  CakeParser *stream = cake_asm_stream(parser);
  int64_t weights[MOST_WEIGHTS];
  size_t n = 0;
  (void)count;
  if (!parse_weight_list(stream, weights, MOST_WEIGHTS, &n)) return false;
  CakeType i32 = cake_type_i32(cake_parser_context(stream));
  if (n) cake_asm_set_attr(parser, refs[0].row, cake_attr_dense_array(i32, weights, n));
  return true;
}

void cf_print_weights(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count) {
  CakeAttr weights = cake_op_prop(op, refs[0].row);
  (void)count;
  cake_buf_text(cake_asm_buf(printer), "([");
  for (size_t i = 0; i < cake_attr_count(weights); i++)
    cake_buf_printf(cake_asm_buf(printer), i ? ", %lld" : "%lld", (long long)cake_attr_dense_array_value(weights, i));
  cake_buf_text(cake_asm_buf(printer), "])");
}

bool cf_has_weights(const CakeOp *op, const CakeAsmRef *refs, size_t count) {
  (void)count;
  return cake_op_prop(op, refs[0].row) != NULL;
}
