// Attributes: builtin ones by MLIR's grammar, those of a dialect as in parser_types.c.
#include "cake/affine.h"

#include "parser.h"

#include <string.h>

// ---- Dialect attributes --------------------------------------------------------------------------------------------

static const CakeAttrDef *find_attr(const CakeDialectDef *dialect, CakeStr name) {
  for (size_t i = 0; i < dialect->n_attrs; i++)
    if (cake_str_is(name, dialect->attrs[i]->name)) return dialect->attrs[i];
  return NULL;
}

static bool parse_registered(CakeParser *parser, const CakeDialectDef *dialect, CakeStr name, CakeLoc loc,
                             CakeAttr *out) {
  const CakeAttrDef *def = find_attr(dialect, name);
  if (!def)
    return cake_parser_error_at(parser, loc, CAKE_CODE_IR_ATTRIBUTES, "unknown attribute '%.*s' in dialect '%s'",
                                CAKE_STR_ARG(name), dialect->name);
  parser->attr_def = def;
  if (def->parse) return def->parse(parser, out) && !parser->failed;
  *out = cake_attr_get(parser->context, def, NULL, 0);
  return true;
}

bool cake_parser_dialect_attr_body(CakeParser *parser, const CakeDialectDef *dialect, CakeAttr *out) {
  if (parser->token.kind != CAKE_TOK_BARE) return cake_parser_expect(parser, CAKE_TOK_BARE);
  CakeStr name = cake_lexeme_str(&parser->token);
  CakeLoc loc = cake_parser_loc(parser);
  cake_parser_next(parser);
  if (!cake_parser_enter(parser)) return false;
  bool ok = parse_registered(parser, dialect, name, loc, out);
  cake_parser_leave(parser);
  return ok;
}

// `: type` behind an attribute that has a place for it. It is only carried: it becomes a part of the attribute's text.
static bool parse_carried_type(CakeParser *parser, CakeAttr *attr) {
  CakeType type;
  if (!cake_parser_accept(parser, CAKE_TOK_COLON)) return true;
  if (!cake_parser_type(parser, &type)) return false;
  if (cake_type_is(type, &cake_type_def_none)) return true; // what it has without one
  CakeBuf text = {0};
  cake_buf_printf(&text, "%s : %s", cake_attr_text(*attr), cake_type_text(type));
  *attr = cake_attr_verbatim(parser->context, cake_buf_view(&text));
  cake_buf_fini(&text);
  return true;
}

static bool parse_opaque(CakeParser *parser, CakeType type, CakeLoc loc, CakeAttr *out) {
  CakeStr name, body;
  CakeContext *context = parser->context;
  if (!cake_parser_opaque_body(parser, &name, &body)) return false;
  if (!cake_context_allows_unregistered(context))
    return cake_parser_error_at(parser, loc, CAKE_CODE_UNREGISTERED,
                                "dialect '%.*s' of the attribute is not registered", CAKE_STR_ARG(name));
  *out = cake_attr_opaque(context, cake_id(context, name), cake_id(context, body));
  return type || parse_carried_type(parser, out);
}

static bool parse_extended(CakeParser *parser, CakeType type, CakeAttr *out) {
  CakeLoc loc = cake_parser_loc(parser);
  CakeStr name = {parser->token.ptr + 1, parser->token.len - 1};
  const char *dot = memchr(name.ptr, '.', name.len);
  bool bracket = name.ptr + name.len < parser->lexer.end && name.ptr[name.len] == '<';
  if (!dot && !bracket) {
    uintptr_t attr;
    if (!cake_parser_alias(parser, &parser->attr_aliases, &attr)) return false;
    *out = (CakeAttr)attr;
    return true;
  }
  CakeStr dialect_name = {name.ptr, dot ? (size_t)(dot - name.ptr) : name.len};
  const CakeDialectDef *dialect = cake_context_find_dialect(parser->context, dialect_name);
  if (!dialect) return parse_opaque(parser, type, loc, out);
  cake_parser_next(parser);
  if (dot) return parse_registered(parser, dialect, (CakeStr){dot + 1, name.len - dialect_name.len - 1}, loc, out);
  return cake_parser_expect(parser, CAKE_TOK_LESS) && cake_parser_dialect_attr_body(parser, dialect, out) &&
         cake_parser_expect(parser, CAKE_TOK_GREATER);
}

// ---- Collections ---------------------------------------------------------------------------------------------------

static bool parse_array(CakeParser *parser, CakeAttr *out) {
  size_t base = parser->attrs.len;
  cake_parser_next(parser);
  bool ok = true;
  if (parser->token.kind != CAKE_TOK_RSQUARE) {
    do {
      CakeAttr element;
      ok = cake_parser_attr(parser, NULL, &element);
      if (ok) CAKE_PUSH(&parser->attrs, element);
    } while (ok && cake_parser_accept(parser, CAKE_TOK_COMMA));
  }
  ok = ok && cake_parser_expect(parser, CAKE_TOK_RSQUARE);
  if (ok) *out = cake_attr_array(parser->context, CAKE_VEC_FROM(&parser->attrs, base), parser->attrs.len - base);
  parser->attrs.len = base;
  return ok;
}

static bool parse_entry(CakeParser *parser, CakeLoc *out_loc) {
  CakeNamedAttr entry;
  *out_loc = cake_parser_loc(parser);
  bool ok = parser->token.kind == CAKE_TOK_STRING ? cake_parser_string(parser, &entry.name)
            : parser->token.kind == CAKE_TOK_BARE
                ? cake_parser_keyword(parser, &entry.name)
                : cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected attribute name");
  if (!ok) return false;
  if (!entry.name->len)
    return cake_parser_error_at(parser, *out_loc, CAKE_CODE_PARSE_SYNTAX, "expected valid attribute name");
  entry.value = cake_attr_unit(parser->context);
  if (cake_parser_accept(parser, CAKE_TOK_EQUAL) && !cake_parser_attr(parser, NULL, &entry.value)) return false;
  CAKE_PUSH(&parser->named, entry);
  return true;
}

// Whether the last entry's name occurred before: by search while there are few, then by a map.
static bool is_repeated(CakeParser *parser, size_t base, CakeMap *seen) {
  enum { FEW = 16 };
  size_t last = parser->named.len - 1;
  CakeId name = parser->named.data[last].name;
  uintptr_t ignored;
  if (last - base < FEW) {
    for (size_t i = base; i < last; i++)
      if (parser->named.data[i].name == name) return true;
    return false;
  }
  if (!seen->len)
    for (size_t i = base; i < last; i++)
      cake_map_set(seen, parser->named.data[i].name, 1);
  if (cake_map_get(seen, name, &ignored)) return true;
  cake_map_set(seen, name, 1);
  return false;
}

bool cake_parser_dictionary(CakeParser *parser, CakeStr op, size_t *out_base) {
  size_t base = *out_base = parser->named.len;
  if (!cake_parser_expect(parser, CAKE_TOK_LBRACE)) return false;
  if (cake_parser_accept(parser, CAKE_TOK_RBRACE)) return true;
  CakeMap seen = {0};
  bool ok = true;
  do {
    CakeLoc loc;
    cake_parser_want(parser, CAKE_WANT_ATTR_NAME, op);
    ok = parse_entry(parser, &loc);
    if (ok && is_repeated(parser, base, &seen))
      ok = cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NAME, "duplicate key '%s' in dictionary attribute",
                                parser->named.data[parser->named.len - 1].name->text);
  } while (ok && cake_parser_accept(parser, CAKE_TOK_COMMA));
  cake_map_fini(&seen);
  ok = ok && cake_parser_expect(parser, CAKE_TOK_RBRACE);
  if (!ok) parser->named.len = base;
  return ok;
}

static bool parse_dictionary(CakeParser *parser, CakeAttr *out) {
  size_t base;
  if (!cake_parser_dictionary(parser, CAKE_STR(""), &base)) return false;
  *out = cake_attr_dictionary(parser->context, CAKE_VEC_FROM(&parser->named, base), parser->named.len - base);
  parser->named.len = base;
  return true;
}

// ---- Leaves --------------------------------------------------------------------------------------------------------

static bool parse_string(CakeParser *parser, CakeType type, CakeAttr *out) {
  CakeId id;
  if (!cake_parser_string(parser, &id)) return false;
  *out = cake_attr_string_id(parser->context, id);
  return type || parse_carried_type(parser, out);
}

static bool parse_symbol(CakeParser *parser, CakeAttr *out) {
  CakeId root;
  if (!cake_parser_symbol(parser, &root)) return false;
  CAKE_VEC(CakeId) nested = {0};
  bool ok = true;
  while (ok && cake_parser_accept(parser, CAKE_TOK_COLON_COLON)) {
    CakeId name;
    ok = cake_parser_symbol(parser, &name);
    if (ok) CAKE_PUSH(&nested, name);
  }
  if (ok) *out = cake_attr_symbol_ref(parser->context, root, nested.data, nested.len);
  CAKE_VEC_FINI(&nested);
  return ok;
}

static bool parse_type_attr(CakeParser *parser, CakeAttr *out) {
  CakeType type;
  if (!cake_parser_type(parser, &type)) return false;
  *out = cake_attr_type(type);
  return true;
}

static bool parse_loc(CakeParser *parser, CakeAttr *out) {
  CakeLoc loc;
  cake_parser_next(parser);
  if (!cake_parser_expect(parser, CAKE_TOK_LPAREN) || !cake_parser_loc_body(parser, &loc)) return false;
  *out = cake_loc_to_attr(parser->context, loc);
  return true;
}

typedef struct AttrWord {
  const char *word;
  bool (*parse)(CakeParser *parser, CakeAttr *out);
} AttrWord;

static const AttrWord attr_words[] = {
    {"dense",          cake_parser_dense         },
    {"array",          cake_parser_dense_array   },
    {"loc",            parse_loc                 },
    {"affine_map",     cake_parser_affine        },
    {"affine_set",     cake_parser_affine        },
    {"strided",        cake_parser_strided       },
    {"sparse",         cake_parser_sparse        },
    {"dense_resource", cake_parser_dense_resource},
    {"distinct",       cake_parser_distinct      },
};

static bool parse_bool(CakeParser *parser, CakeType type, CakeAttr *out) {
  if (type && !cake_type_is_integer(type, 1))
    return cake_parser_error(parser, CAKE_CODE_PARSE_NUMBER, "'true' and 'false' are of type i1, wanted '%s'",
                             cake_type_text(type));
  *out = cake_attr_bool(parser->context, cake_parser_is_keyword(parser, "true"));
  cake_parser_next(parser);
  return true;
}

static bool parse_word(CakeParser *parser, CakeType type, CakeAttr *out) {
  CakeStr word = cake_lexeme_str(&parser->token);
  if (cake_str_is(word, "true") || cake_str_is(word, "false")) return parse_bool(parser, type, out);
  if (cake_str_is(word, "unit")) {
    *out = cake_attr_unit(parser->context);
    cake_parser_next(parser);
    return true;
  }
  for (size_t i = 0; i < CAKE_COUNT(attr_words); i++)
    if (cake_str_is(word, attr_words[i].word)) return attr_words[i].parse(parser, out);
  if (cake_parser_at_type(parser)) return parse_type_attr(parser, out);
  return cake_parser_missing(parser, "expected attribute value");
}

static bool parse_attr(CakeParser *parser, CakeType type, CakeAttr *out) {
  switch (parser->token.kind) {
  case CAKE_TOK_INT:
  case CAKE_TOK_FLOAT:
  case CAKE_TOK_MINUS: return cake_parser_number(parser, type, out);
  case CAKE_TOK_STRING: return parse_string(parser, type, out);
  case CAKE_TOK_AT: return parse_symbol(parser, out);
  case CAKE_TOK_LSQUARE: return parse_array(parser, out);
  case CAKE_TOK_LBRACE: return parse_dictionary(parser, out);
  case CAKE_TOK_HASH: return parse_extended(parser, type, out);
  case CAKE_TOK_EXCLAIM:
  case CAKE_TOK_LPAREN: return parse_type_attr(parser, out);
  case CAKE_TOK_BARE: return parse_word(parser, type, out);
  default: return cake_parser_missing(parser, "expected attribute value");
  }
}

// Whether it is worth while to know it by its text.
static bool is_spelled(char begin, CakeAttr attr) {
  return begin == '#' || attr->def == &cake_attr_def_affine_map;
}

bool cake_parser_attr(CakeParser *parser, CakeType type, CakeAttr *out) {
  const char *begin = parser->token.ptr;
  uint64_t before = parser->weight;
  cake_parser_want(parser, CAKE_WANT_ATTR, CAKE_STR(""));
  if (!cake_parser_enter(parser)) return false;
  bool ok = parse_attr(parser, type, out);
  cake_parser_leave(parser);
  if (ok && parser->quick_end && begin < parser->quick_end && is_spelled(*begin, *out))
    cake_parser_remember_attr(parser, begin, *out, parser->weight - before);
  return ok;
}
