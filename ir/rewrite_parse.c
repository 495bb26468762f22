// Reading one rewrite: its before and after are parsed by the parser of IR, with variables declared as aliases.
#include "rewrite.h"

static bool too_many(CakeParser *parser) {
  return cake_parser_error(parser, CAKE_CODE_REWRITE, "a rewrite has at most %d variables of a kind",
                           CAKE_REWRITE_VARS);
}

// ---- Declarations --------------------------------------------------------------------------------------------------

static bool variable_name(CakeParser *parser, const CakeMap *known, CakeId *out) {
  CakeStr name = {parser->token.ptr + 1, parser->token.len - 1};
  uintptr_t found;
  *out = cake_id(parser->context, name);
  if (parser->token.kind == CAKE_TOK_HASH && cake_name_is_range(name))
    return cake_rewrite_fail(parser, cake_parser_loc(parser), CAKE_STR("write #c, or bind an array of them"),
                             "there are no ranges of attributes");
  if (cake_map_get(known, *out, &found))
    return cake_parser_error(parser, CAKE_CODE_PARSE_NAME, "'%.*s' is declared twice",
                             CAKE_STR_ARG(cake_lexeme_str(&parser->token)));
  cake_parser_next(parser);
  return true;
}

// `!T`
static bool declare_type(RewriteReader *reader) {
  CakeParser *parser = reader->parser;
  CakeId name;
  CakeLoc loc = cake_parser_loc(parser);
  if (reader->rewrite->n_types == CAKE_REWRITE_VARS) return too_many(parser);
  if (!variable_name(parser, &parser->type_aliases, &name)) return false;
  bool is_range = cake_name_is_range(cake_id_str(name));
  reader->rewrite->is_range[reader->rewrite->n_types] = is_range;
  reader->rewrite->has_ranges |= is_range;
  CakeType variable = cake_rewrite_type_var(parser->context, name, reader->rewrite->n_types++);
  cake_map_set(&parser->type_aliases, name, (uintptr_t)variable);
  CAKE_PUSH(&reader->type_locs, loc);
  CAKE_PUSH(&reader->type_names, name);
  return true;
}

// `#c` or `#c: type`
static bool declare_attr(RewriteReader *reader) {
  CakeParser *parser = reader->parser;
  CakeId name;
  CakeType type = NULL;
  CakeLoc loc = cake_parser_loc(parser);
  if (reader->rewrite->n_attrs == CAKE_REWRITE_VARS) return too_many(parser);
  if (!variable_name(parser, &parser->attr_aliases, &name)) return false;
  if (cake_parser_accept(parser, CAKE_TOK_COLON) && !cake_parser_type(parser, &type)) return false;
  CakeAttr variable = cake_rewrite_attr_var(parser->context, name, reader->rewrite->n_attrs++, type);
  cake_map_set(&parser->attr_aliases, name, (uintptr_t)variable);
  CAKE_PUSH(&reader->attr_locs, loc);
  CAKE_PUSH(&reader->attr_names, name);
  return true;
}

// `%x: type`
static bool declare_value(RewriteReader *reader) {
  CakeParser *parser = reader->parser;
  CakeBlock *before = reader->rewrite->before;
  CakeUseName name;
  CakeType type;
  if (before->n_args == CAKE_REWRITE_VARS) return too_many(parser);
  if (!cake_parser_new_name(parser, &name, "declaration") || !cake_parser_expect(parser, CAKE_TOK_COLON) ||
      !cake_parser_type(parser, &type))
    return false;
  CakeValue *value = cake_block_add_arg(before, type, name.loc);
  CakeStr text = {name.ptr, name.len};
  cake_value_set_name(value, text);
  return cake_parser_define(parser, text, name.loc, value, 1);
}

static bool parse_declarations(RewriteReader *reader) {
  CakeParser *parser = reader->parser;
  if (!cake_parser_accept(parser, CAKE_TOK_LPAREN) || cake_parser_accept(parser, CAKE_TOK_RPAREN))
    return !parser->failed;
  do {
    bool ok;
    switch (parser->token.kind) {
    case CAKE_TOK_EXCLAIM: ok = declare_type(reader); break;
    case CAKE_TOK_HASH: ok = declare_attr(reader); break;
    case CAKE_TOK_PERCENT: ok = declare_value(reader); break;
    case CAKE_TOK_CARET: ok = cake_rewrite_declare_block(reader); break;
    default:
      ok = cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX,
                             "expected a variable: a type '!T', an attribute '#c' or '#c: !T', a value '%%x: !T', "
                             "a block '^bb', a region '^body...'");
    }
    if (!ok) return false;
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  return cake_parser_expect(parser, CAKE_TOK_RPAREN);
}

// ---- Blocks --------------------------------------------------------------------------------------------------------

// A name that is used in the block and defined nowhere.
static bool check_undeclared(CakeParser *parser, bool is_before) {
  const CakeForward *first = NULL;
  for (CakeForward *f = parser->newest_forward; f && f->level == parser->level; f = f->older)
    first = f;
  if (!first || parser->failed) return !parser->failed;
  CakeBuf fix = {0};
  cake_buf_text(&fix,
                is_before ? "a value from outside is declared: before(" : "define it, or take a value of the before");
  if (is_before) cake_buf_printf(&fix, "%%%.*s: TYPE, …)", (int)first->key.len, first->key.ptr);
  cake_rewrite_fail(parser, first->stand_in.loc, cake_buf_view(&fix), "'%%%.*s' is not defined", (int)first->key.len,
                    first->key.ptr);
  cake_buf_fini(&fix);
  return false;
}

// `%r = %x` in an after: the value takes the place of that result.
static bool at_binding(const CakeParser *parser) {
  CakeLexer lexer = parser->lexer;
  CakeLexeme token = parser->token;
  if (token.kind != CAKE_TOK_PERCENT) return false;
  cake_lex(&lexer, token.ptr + token.len, token.line, token.line_start, &token);
  if (token.kind != CAKE_TOK_EQUAL) return false;
  cake_lex(&lexer, token.ptr + token.len, token.line, token.line_start, &token);
  return token.kind == CAKE_TOK_PERCENT;
}

static bool parse_binding(CakeParser *parser) {
  CakeUseName name, value_name;
  if (!cake_parser_use_name(parser, &name) || !cake_parser_expect(parser, CAKE_TOK_EQUAL) ||
      !cake_parser_use_name(parser, &value_name))
    return false;
  CakeValue *value = cake_parser_find_value(parser, &value_name);
  if (!value)
    return cake_parser_error_at(parser, value_name.loc, CAKE_CODE_PARSE_NAME, "'%%%.*s' is not defined",
                                (int)value_name.len, value_name.ptr);
  return cake_parser_define(parser, (CakeStr){name.ptr, name.len}, name.loc, value, 1);
}

// Something that is no op: of regions, or `%r = %x`.
static bool parse_other(RewriteReader *reader, bool *out_taken) {
  if (!reader->hooks.statement(reader, reader->parser, out_taken)) return false;
  if (*out_taken || reader->is_before || !at_binding(reader->parser)) return true;
  *out_taken = true;
  return parse_binding(reader->parser);
}

static bool parse_ops(RewriteReader *reader, CakeBlock *block) {
  CakeParser *parser = reader->parser;
  size_t first = parser->names_base; // its scope began with nothing
  if (!cake_parser_expect(parser, CAKE_TOK_LBRACE)) return false;
  parser->block = block;
  while (parser->token.kind != CAKE_TOK_RBRACE) {
    bool is_taken;
    if (parser->token.kind == CAKE_TOK_EOF) return cake_parser_expect(parser, CAKE_TOK_RBRACE);
    if (!parse_other(reader, &is_taken) || (!is_taken && !cake_parser_op(parser))) return false;
  }
  return check_undeclared(parser, reader->is_before) && cake_rewrite_check_block(parser, reader->rewrite, block) &&
         cake_rewrite_check_names(parser, first) && cake_parser_expect(parser, CAKE_TOK_RBRACE);
}

// ---- The before ----------------------------------------------------------------------------------------------------

// The names of regions, which where and the after may use.
static bool define_nested(RewriteReader *reader) {
  for (size_t i = 0; i < reader->nested.len; i++) {
    const RewriteName *name = &reader->nested.data[i];
    if (!cake_parser_define(reader->parser, name->text, name->loc, name->first, name->count)) return false;
  }
  return true;
}

static void keep_name(RewriteReader *reader, const CakeNameEntry *entry) {
  CakeStr text = {entry->key.ptr, entry->key.len};
  CAKE_PUSH(&reader->names, ((RewriteName){text, entry->loc, entry->first, entry->count}));
}

static bool parse_before(RewriteReader *reader) {
  CakeParser *parser = reader->parser;
  Rewrite *rewrite = reader->rewrite;
  CakeNameScope scope = cake_parser_push_names(parser, true);
  CakeLabelScope labels = cake_parser_push_labels(parser);
  size_t first = parser->names.len;
  bool ok = cake_parser_expect_keyword(parser, "before") && parse_declarations(reader) &&
            cake_rewrite_define_labels(reader) && parse_ops(reader, rewrite->before) && cake_rewrite_collect(reader) &&
            cake_rewrite_check_variables(reader);
  for (size_t i = first; ok && i < parser->names.len; i++)
    keep_name(reader, &parser->names.data[i]);
  ok = ok && define_nested(reader);
  if (ok && cake_parser_accept_keyword(parser, "where")) ok = cake_rewrite_parse_where(parser, rewrite);
  ok &= cake_parser_pop_labels(parser, labels);
  return cake_parser_pop_names(parser, scope) && ok;
}

// ---- The after -----------------------------------------------------------------------------------------------------

static bool is_of_root(const Rewrite *rewrite, const RewriteName *name) {
  return cake_value_def(name->first) == rewrite->root;
}

static bool no_replacement(RewriteReader *reader, const RewriteName *name, CakeLoc loc) {
  CakeBuf fix = {0};
  cake_buf_printf(&fix, "define '%%%.*s' in it by an op, or as another value: %%%.*s = %%x", CAKE_STR_ARG(name->text),
                  CAKE_STR_ARG(name->text));
  cake_rewrite_fail(reader->parser, loc, cake_buf_view(&fix), "the after does not say what '%%%.*s' becomes",
                    CAKE_STR_ARG(name->text));
  cake_buf_fini(&fix);
  return false;
}

static bool infers(const CakeValue *value) {
  const CakeOp *op = cake_value_def(value);
  return op && op->info->def && op->info->def->infer;
}

// Where an op finds its types out by itself they are only known at a match, and compared there.
static bool check_type(RewriteReader *reader, const RewriteName *name, const CakeValue *before,
                       const CakeValue *after) {
  if (before->type == after->type || infers(before) || infers(after)) return true;
  return cake_rewrite_fail(reader->parser, cake_value_loc(after),
                           CAKE_STR("what replaces a result has the result's type"),
                           "'%%%.*s' is of type '%s' in the before and of type '%s' in the after",
                           CAKE_STR_ARG(name->text), cake_type_text(before->type), cake_type_text(after->type));
}

static bool find_results(RewriteReader *reader, CakeLoc loc) {
  CakeParser *parser = reader->parser;
  Rewrite *rewrite = reader->rewrite;
  CakeOp *root = rewrite->root;
  rewrite->results = CAKE_ARENA_ARRAY(parser->context->arena, CakeValue *, root->n_results + 1);
  uint32_t found = 0;
  for (size_t i = 0; i < reader->names.len; i++) {
    const RewriteName *name = &reader->names.data[i];
    for (uint32_t k = 0; is_of_root(rewrite, name) && k < name->count; k++, found++) {
      CakeUseName use = {name->text.ptr, (uint32_t)name->text.len, k, loc};
      CakeValue *value = cake_parser_find_value(parser, &use), *result = name->first + k;
      if (!value) return no_replacement(reader, name, loc);
      if (!check_type(reader, name, result, value)) return false;
      rewrite->results[result->index] = value;
    }
  }
  return found == root->n_results ||
         cake_rewrite_fail(parser, root->loc, CAKE_STR("name them: the after says by these names what they become"),
                           "the results of the op that is rewritten have no names");
}

// What the before names, but the results of the root. Names of its regions may begin to be others.
static bool define_names(RewriteReader *reader) {
  CakeParser *parser = reader->parser;
  for (size_t i = 0; i < reader->names.len; i++) {
    const RewriteName *name = &reader->names.data[i];
    if (is_of_root(reader->rewrite, name)) continue;
    if (!cake_parser_define(parser, name->text, name->loc, name->first, name->count)) return false;
  }
  return true;
}

static bool parse_after(RewriteReader *reader) {
  CakeParser *parser = reader->parser;
  CakeNameScope outer = cake_parser_push_names(parser, true);
  bool ok = define_nested(reader);
  CakeNameScope scope = cake_parser_push_names(parser, true);
  CakeLabelScope labels = cake_parser_push_labels(parser);
  CakeLoc loc = reader->rewrite->after->loc = cake_parser_loc(parser);
  ok = ok && cake_parser_expect_keyword(parser, "after") && cake_rewrite_define_labels(reader) &&
       define_names(reader) && parse_ops(reader, reader->rewrite->after) && find_results(reader, loc) &&
       cake_rewrite_check_moves(parser, reader->rewrite);
  ok &= cake_parser_pop_labels(parser, labels);
  ok &= cake_parser_pop_names(parser, scope);
  return cake_parser_pop_names(parser, outer) && ok;
}

// ---- All of it -----------------------------------------------------------------------------------------------------

// `benefit(2)` and `canonicalize`, in any order.
static bool parse_clauses(CakeParser *parser, Rewrite *rewrite) {
  for (;;) {
    if (cake_parser_accept_keyword(parser, "canonicalize")) {
      rewrite->is_canonical = true;
    } else if (cake_parser_accept_keyword(parser, "benefit")) {
      CakeLoc loc = cake_parser_loc(parser);
      int64_t benefit;
      if (!cake_parser_expect(parser, CAKE_TOK_LPAREN) || !cake_parser_int(parser, &benefit) ||
          !cake_parser_expect(parser, CAKE_TOK_RPAREN))
        return false;
      if (benefit < 0 || benefit > 1000000)
        return cake_parser_error_at(parser, loc, CAKE_CODE_REWRITE, "a benefit is a number from 0 to 1000000");
      rewrite->pattern.benefit = (unsigned)benefit;
    } else {
      return !parser->failed;
    }
  }
}

static CakeBlock *add_block(CakeContext *context, CakeOp *holder, CakeLoc loc) {
  CakeBlock *block = cake_block_create(context);
  block->loc = loc;
  cake_region_append(cake_op_region(holder, 0), block);
  return block;
}

static bool parse(RewriteReader *reader) {
  CakeParser *parser = reader->parser;
  Rewrite *rewrite = reader->rewrite;
  CakeId name;
  if (!cake_parser_symbol(parser, &name) || !parse_clauses(parser, rewrite) ||
      !cake_parser_expect(parser, CAKE_TOK_LBRACE))
    return false;
  reader->is_before = true;
  if (!parse_before(reader)) return false;
  reader->is_before = false;
  if (!parse_after(reader) || !cake_parser_expect(parser, CAKE_TOK_RBRACE)) return false;
  rewrite->pattern.name = name->text;
  rewrite->pattern.root = rewrite->root->info->name->text;
  rewrite->pattern.rewrite = cake_rewrite_apply;
  return true;
}

Rewrite *cake_rewrite_parse(CakeParser *parser) {
  CakeContext *context = parser->context;
  Rewrite *rewrite = CAKE_ARENA_NEW(context->arena, Rewrite);
  RewriteReader reader = {.parser = parser, .rewrite = rewrite};
  cake_rewrite_hooks(&reader);
  rewrite->loc = cake_parser_loc(parser);
  rewrite->pattern.benefit = 1;
  CakeOp *holder = cake_module_create(context, rewrite->loc); // goes with the context
  rewrite->before = cake_module_body(holder);
  rewrite->after = add_block(context, holder, rewrite->loc);
  bool ok = parse(&reader) && cake_rewrite_check_types(context, rewrite, rewrite->loc);
  if (!ok) parser->failed = true;
  parser->hooks = NULL;
  CAKE_VEC_FINI(&reader.names);
  CAKE_VEC_FINI(&reader.nested);
  CAKE_VEC_FINI(&reader.type_locs);
  CAKE_VEC_FINI(&reader.attr_locs);
  CAKE_VEC_FINI(&reader.type_names);
  CAKE_VEC_FINI(&reader.attr_names);
  cake_map_clear(&parser->type_aliases);
  cake_map_clear(&parser->attr_aliases);
  return ok ? rewrite : NULL;
}
