// Types: builtin ones by MLIR's grammar; those of a dialect through its definition, or verbatim when it is not
// registered.
#include "cake/affine.h"

#include "parser.h"

#include <string.h>

// ---- Dialect types -------------------------------------------------------------------------------------------------

bool cake_parser_alias(CakeParser *parser, const CakeMap *aliases, uintptr_t *out) {
  CakeStr name = {parser->token.ptr + 1, parser->token.len - 1};
  uintptr_t weight = 0;
  if (!cake_map_get(aliases, cake_id(parser->context, name), out))
    return cake_parser_error(parser, CAKE_CODE_PARSE_NAME, "undefined symbol alias id '%.*s'%s", CAKE_STR_ARG(name),
                             parser->alias_hint ? parser->alias_hint : "");
  cake_map_get(&parser->alias_weights, (const void *)*out, &weight);
  parser->weight += weight;
  if (parser->weight > CAKE_MAX_WEIGHT)
    return cake_parser_error(parser, CAKE_CODE_PARSE_DEPTH,
                             "the aliases of this text stand for more than %d types and attributes", CAKE_MAX_WEIGHT);
  cake_parser_next(parser);
  return true;
}

bool cake_parser_opaque_body(CakeParser *parser, CakeStr *out_dialect, CakeStr *out_body) {
  CakeStr name = {parser->token.ptr + 1, parser->token.len - 1};
  const char *dot = memchr(name.ptr, '.', name.len);
  const char *end = name.ptr + name.len;
  *out_dialect = (CakeStr){name.ptr, dot ? (size_t)(dot - name.ptr) : name.len};
  if (out_dialect->len == 0)
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected a dialect's name in front of the dot");
  const char *body = dot ? dot + 1 : end;
  bool has_brackets = end < parser->lexer.end && *end == '<';
  if (has_brackets && !(end = cake_parser_balanced(parser, end, false))) return false;
  // `!dialect<body>` is the body without its brackets.
  *out_body = dot ? (CakeStr){body, (size_t)(end - body)} : (CakeStr){body + 1, (size_t)(end - body) - 2};
  cake_parser_reset(parser, end);
  return true;
}

static const CakeTypeDef *find_type(const CakeDialectDef *dialect, CakeStr name) {
  for (size_t i = 0; i < dialect->n_types; i++)
    if (cake_str_is(name, dialect->types[i]->name)) return dialect->types[i];
  return NULL;
}

// Behind the name of a registered dialect's type.
static bool parse_registered(CakeParser *parser, const CakeDialectDef *dialect, CakeStr name, CakeLoc loc,
                             CakeType *out) {
  const CakeTypeDef *def = find_type(dialect, name);
  if (!def)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "unknown type '%.*s' in dialect '%s'",
                                CAKE_STR_ARG(name), dialect->name);
  parser->type_def = def;
  if (def->parse) return def->parse(parser, out) && !parser->failed;
  *out = cake_type_get(parser->context, def, NULL, 0);
  return true;
}

bool cake_parser_dialect_type_body(CakeParser *parser, const CakeDialectDef *dialect, CakeType *out) {
  if (parser->token.kind != CAKE_TOK_BARE) return cake_parser_expect(parser, CAKE_TOK_BARE);
  CakeStr name = cake_lexeme_str(&parser->token);
  CakeLoc loc = cake_parser_loc(parser);
  cake_parser_next(parser);
  if (!cake_parser_enter(parser)) return false;
  bool ok = parse_registered(parser, dialect, name, loc, out);
  cake_parser_leave(parser);
  return ok;
}

static bool parse_opaque(CakeParser *parser, CakeLoc loc, CakeType *out) {
  CakeStr name, body;
  CakeContext *context = parser->context;
  if (!cake_parser_opaque_body(parser, &name, &body)) return false;
  if (!cake_context_allows_unregistered(context))
    return cake_parser_error_at(parser, loc, CAKE_CODE_UNREGISTERED, "dialect '%.*s' of the type is not registered",
                                CAKE_STR_ARG(name));
  *out = cake_type_opaque(context, cake_id(context, name), cake_id(context, body));
  return true;
}

// `!alias`, `!dialect.name…` or `!dialect<name…>`; in a rewrite, `!Ts...`.
static bool parse_extended(CakeParser *parser, CakeType *out) {
  CakeLoc loc = cake_parser_loc(parser);
  CakeStr name = {parser->token.ptr + 1, parser->token.len - 1};
  const char *dot = memchr(name.ptr, '.', name.len);
  bool bracket = name.ptr + name.len < parser->lexer.end && name.ptr[name.len] == '<';
  bool is_range = parser->hooks && cake_name_is_range(name);
  if (is_range || (!dot && !bracket)) {
    uintptr_t type;
    if (!cake_parser_alias(parser, &parser->type_aliases, &type)) return false;
    *out = (CakeType)type;
    return true;
  }
  CakeStr dialect_name = {name.ptr, dot ? (size_t)(dot - name.ptr) : name.len};
  const CakeDialectDef *dialect = cake_context_find_dialect(parser->context, dialect_name);
  if (!dialect) return parse_opaque(parser, loc, out);
  cake_parser_next(parser);
  if (dot) return parse_registered(parser, dialect, (CakeStr){dot + 1, name.len - dialect_name.len - 1}, loc, out);
  return cake_parser_expect(parser, CAKE_TOK_LESS) && cake_parser_dialect_type_body(parser, dialect, out) &&
         cake_parser_expect(parser, CAKE_TOK_GREATER);
}

// ---- Shaped types --------------------------------------------------------------------------------------------------

// `4]` behind a bracket. As outside of them, `0x1` is no hexadecimal size.
static bool parse_scalable(CakeParser *parser, int64_t *size) {
  CakeStr text = cake_lexeme_str(&parser->token);
  if (parser->token.kind == CAKE_TOK_INT && text.len > 2 && text.ptr[1] == 'x')
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "missing ']' closing scalable dimension");
  return cake_parser_int(parser, size) && cake_parser_expect(parser, CAKE_TOK_RSQUARE);
}

// `4x?x` onto parser->numbers; with `scalable`, `[4]` too, marked by the lowest bit of a second number.
static bool parse_shape(CakeParser *parser, bool allow_dynamic, bool with_scalable) {
  while (cake_parser_at_dimension(parser)) {
    int64_t size = 0;
    bool bracket;
    CakeLoc loc = cake_parser_loc(parser);
    if (!cake_parser_dimension(parser, &size, &bracket)) return false;
    if (bracket && !with_scalable)
      return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "a size in brackets is for vectors");
    if (bracket && !parse_scalable(parser, &size)) return false;
    if (size == CAKE_DYNAMIC && !allow_dynamic)
      return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "expected static shape");
    if (size != CAKE_DYNAMIC && size < 0)
      return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "a size must not be negative");
    CAKE_PUSH(&parser->numbers, size);
    if (with_scalable) CAKE_PUSH(&parser->numbers, bracket ? 1 : 0);
    if (!cake_parser_x(parser)) return false;
  }
  return true;
}

static bool is_element(CakeType type) {
  return cake_type_width(type) > 0 || cake_type_is_index(type);
}

// Elements of tensors and memrefs: scalars, vectors, complex numbers, and types of dialects.
static bool is_tensor_element(CakeType type) {
  return is_element(type) || cake_type_is(type, &cake_type_def_vector) || cake_type_is(type, &cake_type_def_complex) ||
         cake_type_is(type, &cake_type_def_opaque) || !cake_str_is(cake_str(type->def->dialect->name), "builtin");
}

static void build_vector(CakeParser *parser, size_t base, CakeType element, CakeType *out) {
  size_t rank = (parser->numbers.len - base) / 2;
  int64_t *sizes = CAKE_ARENA_ARRAY(parser->scratch, int64_t, rank + 1);
  bool *scalable = CAKE_ARENA_ARRAY(parser->scratch, bool, rank + 1);
  bool any = false;
  for (size_t i = 0; i < rank; i++) {
    sizes[i] = parser->numbers.data[base + 2 * i];
    any |= scalable[i] = parser->numbers.data[base + 2 * i + 1] != 0;
  }
  *out = cake_type_vector(parser->context, sizes, rank, element, any ? scalable : NULL);
  cake_arena_free(parser->scratch, sizes, sizeof(int64_t) * (rank + 1));
  cake_arena_free(parser->scratch, scalable, sizeof(bool) * (rank + 1));
}

static bool parse_vector(CakeParser *parser, CakeType *out) {
  size_t base = parser->numbers.len;
  CakeType element;
  bool ok = cake_parser_expect(parser, CAKE_TOK_LESS) && parse_shape(parser, false, true);
  for (size_t i = base; ok && i < parser->numbers.len; i += 2)
    if (parser->numbers.data[i] == 0)
      ok = cake_parser_error(parser, CAKE_CODE_PARSE_TYPE, "vector types must have positive constant sizes");
  CakeLoc loc = cake_parser_loc(parser);
  ok = ok && cake_parser_type(parser, &element);
  if (ok && !is_element(element) && cake_str_is(cake_str(element->def->dialect->name), "builtin"))
    ok = cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                              "vector elements must be int/index/float type but got '%s'", cake_type_text(element));
  ok = ok && cake_parser_expect(parser, CAKE_TOK_GREATER);
  if (ok) build_vector(parser, base, element, out);
  parser->numbers.len = base;
  return ok;
}

// `*x` of unranked types. The `*` may not be lexed with the x.
static bool parse_unranked(CakeParser *parser) {
  return cake_parser_accept(parser, CAKE_TOK_STAR) && cake_parser_x(parser);
}

static bool parse_element(CakeParser *parser, const char *what, CakeType *out) {
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_parser_type(parser, out)) return false;
  if (is_tensor_element(*out)) return true;
  return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "invalid %s element type: '%s'", what,
                              cake_type_text(*out));
}

static bool parse_tensor(CakeParser *parser, CakeType *out) {
  size_t base = parser->numbers.len;
  CakeType element;
  CakeAttr encoding = NULL;
  if (!cake_parser_expect(parser, CAKE_TOK_LESS)) return false;
  bool unranked = parser->token.kind == CAKE_TOK_STAR;
  bool ok = (unranked ? parse_unranked(parser) : parse_shape(parser, true, false)) &&
            parse_element(parser, "tensor", &element);
  if (ok && !unranked && cake_parser_accept(parser, CAKE_TOK_COMMA)) ok = cake_parser_attr(parser, NULL, &encoding);
  ok = ok && cake_parser_expect(parser, CAKE_TOK_GREATER);
  if (ok && unranked)
    *out = cake_type_unranked_tensor(parser->context, element);
  else if (ok)
    *out = cake_type_tensor(parser->context, CAKE_VEC_FROM(&parser->numbers, base), parser->numbers.len - base, element,
                            encoding);
  parser->numbers.len = base;
  return ok;
}

static bool is_layout(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_strided) || cake_attr_is(attr, &cake_attr_def_affine_map);
}

static bool is_space(CakeAttr attr) {
  return cake_attr_is(attr, &cake_attr_def_integer) || cake_attr_is(attr, &cake_attr_def_string) ||
         cake_attr_is(attr, &cake_attr_def_dictionary) || cake_attr_is(attr, &cake_attr_def_opaque) ||
         attr->def->dialect != &cake_dialect_builtin;
}

static bool check_layout(CakeParser *parser, CakeLoc loc, CakeAttr layout, size_t rank) {
  if (cake_attr_is(layout, &cake_attr_def_strided)) {
    if (layout->count - 1 == rank) return true;
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "expected the number of strides to match the rank");
  }
  if (cake_affine_dims(layout) == (int64_t)rank) return true;
  return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                              "memref layout mismatch between rank and affine map: %zu != %lld", rank,
                              (long long)cake_affine_dims(layout));
}

// The `, layout, space` of a memref, each of which may be missing. `rank` is -1 for an unranked one.
static bool parse_memref_rest(CakeParser *parser, int64_t rank, CakeAttr *layout, CakeAttr *space) {
  while (cake_parser_accept(parser, CAKE_TOK_COMMA)) {
    CakeLoc loc = cake_parser_loc(parser);
    CakeAttr attr;
    if (!cake_parser_attr(parser, NULL, &attr)) return false;
    const char *fault = NULL;
    if (is_layout(attr)) {
      fault = rank < 0  ? "cannot have affine map for unranked memref type"
              : *space  ? "expected memory space to be last in memref type"
              : *layout ? "multiple layouts specified in memref type"
                        : NULL;
      *layout = attr;
      if (!fault && !check_layout(parser, loc, attr, (size_t)rank)) return false;
    } else {
      fault = *space           ? "multiple memory spaces specified in memref type"
              : is_space(attr) ? NULL
                               : "unsupported memory space Attribute";
      *space = attr;
    }
    if (fault) return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "%s", fault);
  }
  // What is the default anyway is not kept.
  if (cake_attr_is(*layout, &cake_attr_def_affine_map) && cake_affine_is_identity(*layout)) *layout = NULL;
  if (cake_attr_is(*space, &cake_attr_def_integer) && cake_attr_int_value(*space) == 0) *space = NULL;
  return true;
}

static bool parse_memref(CakeParser *parser, CakeType *out) {
  size_t base = parser->numbers.len;
  CakeType element;
  CakeAttr layout = NULL, space = NULL;
  if (!cake_parser_expect(parser, CAKE_TOK_LESS)) return false;
  bool unranked = parser->token.kind == CAKE_TOK_STAR;
  bool ok = (unranked ? parse_unranked(parser) : parse_shape(parser, true, false)) &&
            parse_element(parser, "memref", &element) &&
            parse_memref_rest(parser, unranked ? -1 : (int64_t)(parser->numbers.len - base), &layout, &space) &&
            cake_parser_expect(parser, CAKE_TOK_GREATER);
  if (ok && unranked)
    *out = cake_type_unranked_memref(parser->context, element, space);
  else if (ok)
    *out = cake_type_memref(parser->context, CAKE_VEC_FROM(&parser->numbers, base), parser->numbers.len - base, element,
                            layout, space);
  parser->numbers.len = base;
  return ok;
}

static bool parse_complex(CakeParser *parser, CakeType *out) {
  CakeType element;
  if (!cake_parser_expect(parser, CAKE_TOK_LESS)) return false;
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_parser_type(parser, &element)) return false;
  if (cake_type_width(element) == 0)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "invalid element type for complex");
  *out = cake_type_complex(parser->context, element);
  return cake_parser_expect(parser, CAKE_TOK_GREATER);
}

static bool parse_tuple(CakeParser *parser, CakeType *out) {
  size_t base = parser->types.len;
  bool ok = cake_parser_expect(parser, CAKE_TOK_LESS);
  if (ok && parser->token.kind != CAKE_TOK_GREATER) ok = cake_parser_type_list_no_parens(parser);
  ok = ok && cake_parser_expect(parser, CAKE_TOK_GREATER);
  if (ok) *out = cake_type_tuple(parser->context, CAKE_VEC_FROM(&parser->types, base), parser->types.len - base);
  parser->types.len = base;
  return ok;
}

static bool parse_function(CakeParser *parser, CakeType *out) {
  size_t base = parser->types.len;
  bool ok = cake_parser_type_list_parens(parser) && cake_parser_expect(parser, CAKE_TOK_ARROW);
  size_t middle = parser->types.len;
  ok = ok && cake_parser_type_list(parser);
  if (ok)
    *out = cake_type_function(parser->context, CAKE_VEC_FROM(&parser->types, base), middle - base,
                              CAKE_VEC_FROM(&parser->types, middle), parser->types.len - middle);
  parser->types.len = base;
  return ok;
}

// ---- Words ---------------------------------------------------------------------------------------------------------

// i32, si8, ui1: at most 24 bits of width, as MLIR.
static bool integer_word(CakeStr word, uint32_t *out_width, CakeSign *out_sign) {
  size_t i = 0;
  *out_sign = CAKE_SIGNLESS;
  if (word.len > 1 && (word.ptr[0] == 's' || word.ptr[0] == 'u'))
    *out_sign = word.ptr[i++] == 's' ? CAKE_SIGNED : CAKE_UNSIGNED;
  if (word.ptr[i++] != 'i' || i == word.len || word.len - i > 9) return false;
  uint32_t width = 0;
  for (; i < word.len; i++) {
    if (word.ptr[i] < '0' || word.ptr[i] > '9') return false;
    width = width * 10 + (uint32_t)(word.ptr[i] - '0');
  }
  *out_width = width;
  return true;
}

static CakeFloat float_word(CakeStr word) {
  for (CakeFloat kind = 0; kind < CAKE_FLOAT_COUNT; kind++)
    if (cake_str_is(word, cake_float_name(kind))) return kind;
  return CAKE_FLOAT_COUNT;
}

typedef struct TypeWord {
  const char *word;
  bool (*parse)(CakeParser *parser, CakeType *out);
} TypeWord;

static const TypeWord type_words[] = {
    {"tensor",  parse_tensor },
    {"vector",  parse_vector },
    {"memref",  parse_memref },
    {"tuple",   parse_tuple  },
    {"complex", parse_complex},
};

static const TypeWord *find_type_word(CakeStr word) {
  for (size_t i = 0; i < CAKE_COUNT(type_words); i++)
    if (cake_str_is(word, type_words[i].word)) return &type_words[i];
  return NULL;
}

// The entry of the token's word: with its type, or without one and to be filled (the word is 0 then when it is too long).
static CakeTypeWord *known_word(CakeParser *parser) {
  uint64_t word = cake_parser_word(parser, parser->token.ptr, parser->token.len);
  CakeTypeWord *entry = cake_parser_type_word(parser, word);
  if (entry->word != word || !word) *entry = (CakeTypeWord){word, NULL};
  return entry;
}

static void remember(CakeTypeWord *entry, CakeType type) {
  if (entry->word) entry->type = type;
}

static bool parse_integer(CakeParser *parser, CakeTypeWord *known, uint32_t width, CakeSign sign, CakeType *out) {
  if (width >= 1u << 24)
    return cake_parser_error(parser, CAKE_CODE_PARSE_TYPE, "integer bitwidth is limited to 16777215 bits");
  *out = cake_type_integer(parser->context, width, sign);
  remember(known, *out);
  cake_parser_next(parser);
  return true;
}

static bool parse_word(CakeParser *parser, CakeType *out) {
  CakeStr word = cake_lexeme_str(&parser->token);
  uint32_t width;
  CakeSign sign;
  CakeTypeWord *known = known_word(parser);
  if (known->type) {
    *out = known->type;
    cake_parser_next(parser);
    return true;
  }
  if (integer_word(word, &width, &sign)) return parse_integer(parser, known, width, sign, out);
  const TypeWord *row = find_type_word(word);
  if (row) {
    cake_parser_next(parser);
    return row->parse(parser, out);
  }
  CakeFloat kind = float_word(word);
  if (kind != CAKE_FLOAT_COUNT)
    *out = cake_type_float(parser->context, kind);
  else if (cake_str_is(word, "index"))
    *out = cake_type_index(parser->context);
  else if (cake_str_is(word, "none"))
    *out = cake_type_none(parser->context);
  else if (parser->token.line != parser->last_line) // the word begins something else
    return cake_parser_missing(parser, "expected non-function type");
  else
    return cake_parser_error(parser, CAKE_CODE_PARSE_TYPE, "expected non-function type");
  remember(known, *out);
  cake_parser_next(parser);
  return true;
}

bool cake_parser_at_type(CakeParser *parser) {
  CakeToken kind = parser->token.kind;
  if (kind == CAKE_TOK_LPAREN || kind == CAKE_TOK_EXCLAIM) return true;
  if (kind != CAKE_TOK_BARE) return false;
  if (known_word(parser)->type) return true;
  CakeStr word = cake_lexeme_str(&parser->token);
  uint32_t width;
  CakeSign sign;
  return integer_word(word, &width, &sign) || find_type_word(word) || float_word(word) != CAKE_FLOAT_COUNT ||
         cake_str_is(word, "index") || cake_str_is(word, "none");
}

static bool parse_type(CakeParser *parser, CakeType *out) {
  switch (parser->token.kind) {
  case CAKE_TOK_BARE: return parse_word(parser, out);
  case CAKE_TOK_EXCLAIM: return parse_extended(parser, out);
  case CAKE_TOK_LPAREN: return parse_function(parser, out);
  default: return cake_parser_missing(parser, "expected type");
  }
}

bool cake_parser_type(CakeParser *parser, CakeType *out) {
  const char *begin = parser->token.ptr;
  uint64_t before = parser->weight;
  cake_parser_want(parser, CAKE_WANT_TYPE, CAKE_STR(""));
  if (!cake_parser_enter(parser)) return false;
  bool ok = parse_type(parser, out);
  cake_parser_leave(parser);
  if (ok && parser->quick_end && begin < parser->quick_end)
    cake_parser_remember_type(parser, begin, *out, parser->weight - before);
  return ok;
}

// ---- Lists ---------------------------------------------------------------------------------------------------------

bool cake_parser_type_list_no_parens(CakeParser *parser) {
  do {
    CakeType type;
    if (!cake_parser_type(parser, &type)) return false;
    CAKE_PUSH(&parser->types, type);
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  return true;
}

bool cake_parser_type_list_parens(CakeParser *parser) {
  if (!cake_parser_expect(parser, CAKE_TOK_LPAREN)) return false;
  if (cake_parser_accept(parser, CAKE_TOK_RPAREN)) return true;
  return cake_parser_type_list_no_parens(parser) && cake_parser_expect(parser, CAKE_TOK_RPAREN);
}

bool cake_parser_type_list(CakeParser *parser) {
  if (parser->token.kind == CAKE_TOK_LPAREN) return cake_parser_type_list_parens(parser);
  CakeType type;
  if (!cake_parser_type(parser, &type)) return false;
  CAKE_PUSH(&parser->types, type);
  return true;
}
