// Types and attributes of dialects as text: `<a, b>` behind the name, by a list of parameters.
#include "dialect_text.h"

// ---- The definition ------------------------------------------------------------------------------------------------

static const struct {
  const char *name;
  CakeParamKind kind;
} kinds[] = {
    {"type",    CAKE_PARAM_TYPE},
    {"integer", CAKE_PARAM_INT },
    {"string",  CAKE_PARAM_ID  },
    {"any",     CAKE_PARAM_ATTR},
};

static bool parse_kind(CakeParser *parser, CakeParamKind *out) {
  for (size_t i = 0; i < CAKE_COUNT(kinds); i++) {
    *out = kinds[i].kind;
    if (cake_parser_accept_keyword(parser, kinds[i].name)) return true;
  }
  return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX,
                           "expected the kind of a parameter: type, integer, string, or any (an attribute)");
}

// `(name: kind, …)`; nothing: no parameters.
static bool parse_params(CakeParser *parser, MadeParam *params, uint32_t *out_count) {
  *out_count = 0;
  if (!cake_parser_accept(parser, CAKE_TOK_LPAREN)) return true;
  do {
    if (*out_count == CAKE_MADE_PARAMS)
      return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "a type or attribute has at most %d parameters",
                               CAKE_MADE_PARAMS);
    MadeParam *param = &params[*out_count];
    CakeLoc loc = cake_parser_loc(parser);
    if (!cake_parser_keyword(parser, &param->name)) return false;
    for (uint32_t i = 0; i < *out_count; i++)
      if (params[i].name == param->name)
        return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NAME, "there is a parameter '%s' already",
                                    param->name->text);
    if (!cake_parser_expect(parser, CAKE_TOK_COLON) || !parse_kind(parser, &param->kind)) return false;
    ++*out_count;
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  return cake_parser_expect(parser, CAKE_TOK_RPAREN);
}

// For the reference: "`<` element `,` count `>`".
static const char *syntax_of(CakeParser *parser, const MadeParam *params, uint32_t count) {
  CakeBuf text = {0};
  if (!count) return NULL;
  for (uint32_t i = 0; i < count; i++)
    cake_buf_printf(&text, "%s %s", i ? " `,`" : "`<`", params[i].name->text);
  cake_buf_text(&text, " `>`");
  const char *kept = cake_arena_str(parser->context->arena, cake_buf_view(&text)).ptr;
  cake_buf_fini(&text);
  return kept;
}

// ---- The text of one -----------------------------------------------------------------------------------------------

static bool parse_value(CakeParser *parser, const MadeParam *param, CakeParam *out) {
  CakeType type;
  CakeAttr attr;
  CakeId id;
  int64_t number;
  bool ok;
  switch (param->kind) {
  case CAKE_PARAM_TYPE: ok = cake_parser_type(parser, &type), *out = cake_param_type(ok ? type : NULL); break;
  case CAKE_PARAM_ATTR: ok = cake_parser_attr(parser, NULL, &attr), *out = cake_param_attr(ok ? attr : NULL); break;
  case CAKE_PARAM_ID: ok = cake_parser_string(parser, &id), *out = cake_param_id(ok ? id : NULL); break;
  default: ok = cake_parser_int(parser, &number), *out = cake_param_int(ok ? number : 0); break;
  }
  return ok;
}

static bool parse_values(CakeParser *parser, const MadeParam *params, uint32_t count, CakeParam *out) {
  if (!count) return true;
  if (!cake_parser_expect(parser, CAKE_TOK_LESS)) return false;
  for (uint32_t i = 0; i < count; i++)
    if ((i && !cake_parser_expect(parser, CAKE_TOK_COMMA)) || !parse_value(parser, &params[i], &out[i])) return false;
  return cake_parser_expect(parser, CAKE_TOK_GREATER);
}

static void print_values(CakePrinter *printer, const CakeParam *params, uint32_t count) {
  CakeBuf *out = cake_printer_buf(printer);
  for (uint32_t i = 0; i < count; i++) {
    cake_buf_text(out, i ? ", " : "<");
    switch (params[i].kind) {
    case CAKE_PARAM_TYPE: cake_printer_type(printer, params[i].type); break;
    case CAKE_PARAM_ATTR: cake_printer_attr(printer, params[i].attr); break;
    case CAKE_PARAM_ID: cake_printer_string(printer, cake_id_str(params[i].id)); break;
    case CAKE_PARAM_INT: cake_buf_int(out, params[i].i); break;
    case CAKE_PARAM_DIGITS: break; // of elements alone
    }
  }
  if (count) cake_buf_char(out, '>');
}

static bool parse_type(CakeParser *parser, CakeType *out) {
  const MadeTypeDef *def = (const MadeTypeDef *)parser->type_def;
  CakeParam params[CAKE_MADE_PARAMS];
  if (!parse_values(parser, def->params, def->n_params, params)) return false;
  *out = cake_type_get(parser->context, &def->base, params, def->n_params);
  return true;
}

static void print_type(CakePrinter *printer, CakeType type) {
  print_values(printer, type->params, type->count);
}

static bool parse_attr(CakeParser *parser, CakeAttr *out) {
  const MadeAttrDef *def = (const MadeAttrDef *)parser->attr_def;
  CakeParam params[CAKE_MADE_PARAMS];
  if (!parse_values(parser, def->params, def->n_params, params)) return false;
  *out = cake_attr_get(parser->context, &def->base, params, def->n_params);
  return true;
}

static void print_attr(CakePrinter *printer, CakeAttr attr) {
  print_values(printer, attr->params, attr->count);
}

bool cake_made_type_parse_params(CakeParser *parser, MadeTypeDef *def) {
  if (!parse_params(parser, def->params, &def->n_params)) return false;
  def->base.syntax = syntax_of(parser, def->params, def->n_params);
  def->base.parse = parse_type;
  def->base.print = print_type;
  return true;
}

bool cake_made_attr_parse_params(CakeParser *parser, MadeAttrDef *def) {
  if (!parse_params(parser, def->params, &def->n_params)) return false;
  def->base.syntax = syntax_of(parser, def->params, def->n_params);
  def->base.parse = parse_attr;
  def->base.print = print_attr;
  return true;
}
