// Files of dialects as text: `dialect @name "summary" { type …  attr …  op … }`.
#include "dialect_text.h"

typedef struct Reader {
  CakeParser *parser;
  MadeDialect *dialect;
  CAKE_VEC(CakeOpDef) ops;
  CAKE_VEC(MadeOp) made;
  CAKE_VEC(CakeLoc) locs; // of the ops
  CAKE_VEC(const CakeTypeDef *) types;
  CAKE_VEC(const CakeAttrDef *) attrs;
} Reader;

static CakeArena *arena_of(const Reader *reader) {
  return reader->parser->context->arena;
}

// `@name`, which nothing of its kind has yet.
static bool parse_name(Reader *reader, const char *kind, bool is_taken(const Reader *reader, CakeId name),
                       const char **out) {
  CakeLoc loc = cake_parser_loc(reader->parser);
  CakeId name;
  if (!cake_parser_symbol(reader->parser, &name)) return false;
  if (!cake_text_is_bare_id(cake_id_str(name)) || (reader->dialect->base.name == NULL && strchr(name->text, '.')))
    return cake_parser_error_at(reader->parser, loc, CAKE_CODE_PARSE_NAME, "'%s' can't be written as the name of %s",
                                name->text, kind);
  if (is_taken(reader, name))
    return cake_parser_error_at(reader->parser, loc, CAKE_CODE_PARSE_NAME, "%s '%s' is there already", kind,
                                name->text);
  *out = name->text;
  return true;
}

static bool parse_summary(Reader *reader, const char **out) {
  CakeId text;
  if (!cake_parser_string(reader->parser, &text)) return false;
  *out = text->text;
  return true;
}

// ---- Types and attributes ------------------------------------------------------------------------------------------

// So that later rows of the dialect find what was defined so far.
static void publish(Reader *reader) {
  reader->dialect->base.types = reader->types.data;
  reader->dialect->base.n_types = reader->types.len;
}

static bool has_type(const Reader *reader, CakeId name) {
  for (size_t i = 0; i < reader->types.len; i++)
    if (cake_str_is(cake_id_str(name), reader->types.data[i]->name)) return true;
  return false;
}

static bool has_attr(const Reader *reader, CakeId name) {
  for (size_t i = 0; i < reader->attrs.len; i++)
    if (cake_str_is(cake_id_str(name), reader->attrs.data[i]->name)) return true;
  return false;
}

static bool parse_type(Reader *reader) {
  MadeTypeDef *def = CAKE_ARENA_NEW(arena_of(reader), MadeTypeDef);
  def->base.dialect = &reader->dialect->base;
  if (!parse_name(reader, "a type", has_type, &def->base.name) || !cake_made_type_parse_params(reader->parser, def) ||
      !parse_summary(reader, &def->base.summary))
    return false;
  CAKE_PUSH(&reader->types, &def->base);
  publish(reader);
  return true;
}

static bool parse_attr(Reader *reader) {
  MadeAttrDef *def = CAKE_ARENA_NEW(arena_of(reader), MadeAttrDef);
  def->base.dialect = &reader->dialect->base;
  if (!parse_name(reader, "an attribute", has_attr, &def->base.name) ||
      !cake_made_attr_parse_params(reader->parser, def) || !parse_summary(reader, &def->base.summary))
    return false;
  CAKE_PUSH(&reader->attrs, &def->base);
  return true;
}

// ---- Ops -----------------------------------------------------------------------------------------------------------

static bool has_op(const Reader *reader, CakeId name) {
  for (size_t i = 0; i < reader->ops.len; i++)
    if (cake_str_is(cake_id_str(name), reader->ops.data[i].name)) return true;
  return false;
}

static bool parse_op(Reader *reader) {
  CakeOpDef def = {.dialect = &reader->dialect->base, .ordinal = (uint32_t)reader->ops.len};
  MadeOp made = {.n_vars = 0};
  CakeLoc loc = cake_parser_loc(reader->parser);
  if (!parse_name(reader, "an op", has_op, &def.name) || !parse_summary(reader, &def.summary) ||
      !cake_made_op_parse(reader->parser, reader->dialect, &def, &made))
    return false;
  CAKE_PUSH(&reader->ops, def);
  CAKE_PUSH(&reader->made, made);
  CAKE_PUSH(&reader->locs, loc);
  return true;
}

// ---- Dialects ------------------------------------------------------------------------------------------------------

static bool has_dialect(const Reader *reader, CakeId name) {
  return cake_context_find_dialect(reader->parser->context, cake_id_str(name)) != NULL;
}

static bool parse_items(Reader *reader) {
  CakeParser *parser = reader->parser;
  if (!cake_parser_expect(parser, CAKE_TOK_LBRACE)) return false;
  while (!cake_parser_accept(parser, CAKE_TOK_RBRACE)) {
    bool ok;
    if (cake_parser_accept_keyword(parser, "type"))
      ok = parse_type(reader);
    else if (cake_parser_accept_keyword(parser, "attr"))
      ok = parse_attr(reader);
    else if (cake_parser_accept_keyword(parser, "op"))
      ok = parse_op(reader);
    else
      ok = cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected 'type', 'attr', 'op' or '}'");
    if (!ok) return false;
  }
  return true;
}

static void finish(Reader *reader) {
  MadeDialect *dialect = reader->dialect;
  CakeArena *arena = arena_of(reader);
  dialect->base.ops = CAKE_MADE_KEEP(arena, reader->ops);
  dialect->base.n_ops = reader->ops.len;
  dialect->base.types = CAKE_MADE_KEEP(arena, reader->types);
  dialect->base.n_types = reader->types.len;
  dialect->base.attrs = CAKE_MADE_KEEP(arena, reader->attrs);
  dialect->base.n_attrs = reader->attrs.len;
  dialect->ops = CAKE_MADE_KEEP(arena, reader->made);
}

// Formats are compiled against the rows once the dialect is there.
static bool check_formats(const Reader *reader) {
  CakeContext *context = reader->parser->context;
  bool is_fine = true;
  for (size_t i = 0; i < reader->ops.len; i++) {
    CakeStr name = cake_arena_printf(context->arena, "%s.%s", reader->dialect->base.name, reader->ops.data[i].name);
    const char *error = cake_op_format_error(context, cake_op_info(context, cake_id(context, name)));
    if (error)
      is_fine = cake_error_at(context, reader->locs.data[i], CAKE_CODE_PARSE_SYNTAX, "the assembly of '%s': %s",
                              name.ptr, error);
  }
  return is_fine;
}

static bool parse_dialect(CakeParser *parser) {
  Reader reader = {.parser = parser, .dialect = CAKE_ARENA_NEW(parser->context->arena, MadeDialect)};
  bool ok = cake_parser_expect_keyword(parser, "dialect") &&
            parse_name(&reader, "a dialect", has_dialect, &reader.dialect->base.name) &&
            parse_summary(&reader, &reader.dialect->base.summary) && parse_items(&reader);
  if (ok) {
    finish(&reader);
    cake_context_register_dialect(parser->context, &reader.dialect->base);
    ok = check_formats(&reader);
  }
  CAKE_VEC_FINI(&reader.ops);
  CAKE_VEC_FINI(&reader.made);
  CAKE_VEC_FINI(&reader.locs);
  CAKE_VEC_FINI(&reader.types);
  CAKE_VEC_FINI(&reader.attrs);
  return ok;
}

bool cake_dialects_load(CakeContext *context, CakeStr file, CakeStr text) {
  CakeId file_id = cake_id(context, file);
  if (!text.ptr) text = CAKE_STR("");
  cake_context_add_source(context, file_id, text);
  if (!cake_text_check_encoding(context, file_id, text, 1)) return false;
  CakeParser parser;
  cake_parser_init(&parser, context, file_id, text);
  bool ok = true;
  while (ok && parser.token.kind != CAKE_TOK_EOF)
    ok = parse_dialect(&parser);
  cake_parser_fini(&parser);
  return ok;
}
