// Attributes that Cake checks and carries, but does not compute with: strided layouts, distinct attributes, resources.
#include "parser.h"

#include <string.h>

// ---- strided<[…], offset: …> ---------------------------------------------------------------------------------------

static bool parse_stride(CakeParser *parser, int64_t *out) {
  *out = CAKE_DYNAMIC;
  if (cake_parser_accept(parser, CAKE_TOK_QUESTION)) return true;
  bool negative = cake_parser_accept(parser, CAKE_TOK_MINUS);
  uint64_t value;
  if (parser->token.kind != CAKE_TOK_INT || !cake_parser_digits(&parser->token, &value) || value > INT64_MAX)
    return cake_parser_error(parser, CAKE_CODE_PARSE_NUMBER, "expected a 64-bit signed integer or '?'");
  cake_parser_next(parser);
  *out = negative ? -(int64_t)value : (int64_t)value;
  return true;
}

static bool parse_strides(CakeParser *parser) {
  if (!cake_parser_expect(parser, CAKE_TOK_LSQUARE)) return false;
  if (cake_parser_accept(parser, CAKE_TOK_RSQUARE)) return true;
  do {
    int64_t stride;
    if (!parse_stride(parser, &stride)) return false;
    CAKE_PUSH(&parser->numbers, stride);
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  return cake_parser_expect(parser, CAKE_TOK_RSQUARE);
}

static bool parse_offset(CakeParser *parser, int64_t *out) {
  *out = 0;
  if (!cake_parser_accept(parser, CAKE_TOK_COMMA)) return true;
  if (!cake_parser_accept_keyword(parser, "offset"))
    return cake_parser_missing(parser, "expected 'offset' after comma");
  if (!cake_parser_accept(parser, CAKE_TOK_COLON))
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected ':' after 'offset'");
  return parse_stride(parser, out);
}

bool cake_parser_strided(CakeParser *parser, CakeAttr *out) {
  size_t base = parser->numbers.len;
  int64_t offset;
  cake_parser_next(parser);
  bool ok = cake_parser_expect(parser, CAKE_TOK_LESS) && parse_strides(parser) && parse_offset(parser, &offset) &&
            cake_parser_expect(parser, CAKE_TOK_GREATER);
  if (ok)
    *out =
        cake_attr_strided(parser->context, offset, CAKE_VEC_FROM(&parser->numbers, base), parser->numbers.len - base);
  parser->numbers.len = base;
  return ok;
}

// ---- distinct[0]<…> ------------------------------------------------------------------------------------------------

static bool parse_distinct_id(CakeParser *parser, uint64_t *out) {
  if (!cake_parser_expect(parser, CAKE_TOK_LSQUARE)) return false;
  if (parser->token.kind != CAKE_TOK_INT)
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected distinct ID");
  if (!cake_parser_digits(&parser->token, out))
    return cake_parser_error(parser, CAKE_CODE_PARSE_NUMBER, "expected an unsigned 64-bit integer");
  cake_parser_next(parser);
  if (!cake_parser_accept(parser, CAKE_TOK_RSQUARE))
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected ']' to close distinct ID");
  return cake_parser_accept(parser, CAKE_TOK_LESS) ||
         cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected '<' after distinct ID");
}

// One number of a text is one attribute, and not that of another text.
static bool unique_distinct(CakeParser *parser, CakeLoc loc, uint64_t id, CakeAttr referenced, CakeAttr *out) {
  CakeBuf text = {0};
  uintptr_t known;
  cake_buf_printf(&text, "%llu", (unsigned long long)id);
  CakeId key = cake_id(parser->context, cake_buf_view(&text));
  cake_buf_fini(&text);
  if (cake_map_get(&parser->distinct, key, &known)) {
    *out = (CakeAttr)known;
    if ((*out)->params[1].attr == referenced) return true;
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NAME,
                                "referenced attribute does not match previous definition: %s",
                                cake_attr_text((*out)->params[1].attr));
  }
  *out = cake_attr_distinct(referenced);
  cake_map_set(&parser->distinct, key, (uintptr_t)*out);
  return true;
}

bool cake_parser_distinct(CakeParser *parser, CakeAttr *out) {
  CakeLoc loc = cake_parser_loc(parser);
  CakeAttr referenced = cake_attr_unit(parser->context);
  uint64_t id;
  cake_parser_next(parser);
  if (!parse_distinct_id(parser, &id)) return false;
  if (parser->token.kind != CAKE_TOK_GREATER && !cake_parser_attr(parser, NULL, &referenced)) return false;
  if (!cake_parser_accept(parser, CAKE_TOK_GREATER))
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected '>' to close distinct attribute");
  return unique_distinct(parser, loc, id, referenced, out);
}

// ---- dense_resource<key> : type ------------------------------------------------------------------------------------

bool cake_parser_resource_key(CakeParser *parser, CakeId *out) {
  if (parser->token.kind == CAKE_TOK_STRING) return cake_parser_string(parser, out);
  return cake_parser_keyword(parser, out);
}

bool cake_parser_dense_resource(CakeParser *parser, CakeAttr *out) {
  CakeLoc loc = cake_parser_loc(parser);
  CakeId key;
  CakeType type;
  cake_parser_next(parser);
  if (!cake_parser_expect(parser, CAKE_TOK_LESS) || !cake_parser_resource_key(parser, &key) ||
      !cake_parser_expect(parser, CAKE_TOK_GREATER) || !cake_parser_expect(parser, CAKE_TOK_COLON) ||
      !cake_parser_type(parser, &type))
    return false;
  if (!cake_type_is_shaped(type))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "`dense_resource` expected a shaped type");
  *out = cake_attr_dense_resource(type, key);
  return true;
}
