// Reading one rewrite: its before and after are parsed by the parser of IR, with variables declared as aliases.
#include "rewrite.h"

// A name of the before that the after may use, or must define.
typedef struct Name {
  CakeStr text;
  CakeLoc loc;
  CakeValue *first;
  uint32_t count;
} Name;

typedef struct Reader {
  CakeParser *parser;
  Rewrite *rewrite;
  CAKE_VEC(Name) names;
  CAKE_VEC(CakeLoc) type_locs; // of the declared variables, by number
  CAKE_VEC(CakeLoc) attr_locs;
  CAKE_VEC(CakeId) type_names;
  CAKE_VEC(CakeId) attr_names;
} Reader;

static bool too_many(CakeParser *parser) {
  return cake_parser_error(parser, CAKE_CODE_REWRITE, "a rewrite has at most %d variables of a kind",
                           CAKE_REWRITE_VARS);
}

// ---- Declarations --------------------------------------------------------------------------------------------------

static bool variable_name(CakeParser *parser, const CakeMap *known, CakeId *out) {
  CakeStr name = {parser->token.ptr + 1, parser->token.len - 1};
  uintptr_t found;
  *out = cake_id(parser->context, name);
  if (cake_map_get(known, *out, &found))
    return cake_parser_error(parser, CAKE_CODE_PARSE_NAME, "'%.*s' is declared twice",
                             CAKE_STR_ARG(cake_lexeme_str(&parser->token)));
  cake_parser_next(parser);
  return true;
}

// `!T`
static bool declare_type(Reader *reader) {
  CakeParser *parser = reader->parser;
  CakeId name;
  CakeLoc loc = cake_parser_loc(parser);
  if (reader->rewrite->n_types == CAKE_REWRITE_VARS) return too_many(parser);
  if (!variable_name(parser, &parser->type_aliases, &name)) return false;
  CakeType variable = cake_rewrite_type_var(parser->context, name, reader->rewrite->n_types++);
  cake_map_set(&parser->type_aliases, name, (uintptr_t)variable);
  CAKE_PUSH(&reader->type_locs, loc);
  CAKE_PUSH(&reader->type_names, name);
  return true;
}

// `#c` or `#c: type`
static bool declare_attr(Reader *reader) {
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
static bool declare_value(Reader *reader) {
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

static bool parse_declarations(Reader *reader) {
  CakeParser *parser = reader->parser;
  if (!cake_parser_accept(parser, CAKE_TOK_LPAREN) || cake_parser_accept(parser, CAKE_TOK_RPAREN))
    return !parser->failed;
  do {
    bool ok;
    switch (parser->token.kind) {
    case CAKE_TOK_EXCLAIM: ok = declare_type(reader); break;
    case CAKE_TOK_HASH: ok = declare_attr(reader); break;
    case CAKE_TOK_PERCENT: ok = declare_value(reader); break;
    default:
      ok = cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX,
                             "expected a variable: a type '!T', an attribute '#c' or '#c: !T', a value '%%x: !T'");
    }
    if (!ok) return false;
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  return cake_parser_expect(parser, CAKE_TOK_RPAREN);
}

// ---- Blocks --------------------------------------------------------------------------------------------------------

static bool fail_at(CakeParser *parser, CakeLoc loc, const char *message, const char *fix) {
  if (parser->failed) return false;
  parser->failed = true;
  CakeDiagnostic *d = cake_diag_begin(parser->context, CAKE_ERROR, loc, CAKE_CODE_REWRITE, "%s", message);
  cake_diag_fix(parser->context, d, "%s", fix);
  return cake_diag_emit(parser->context, d);
}

static bool check_shape(CakeParser *parser, const CakeOp *op) {
  if (op->n_regions)
    return fail_at(parser, op->loc, "an op with regions can't stand in a rewrite", "write a pass in C");
  if (op->n_successors || cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR))
    return fail_at(parser, op->loc, "a terminator can't stand in a rewrite", "write a pass in C");
  for (uint32_t i = 0; i < op->n_operands; i++) {
    CakeOp *def = cake_value_def(cake_op_operand(op, i));
    if (def && def->block == op->block && !cake_op_is_before(def, (CakeOp *)(uintptr_t)op))
      return fail_at(parser, op->loc, "an op uses a value that is defined behind it", "put the definition in front");
  }
  return true;
}

// A name that is used in the block and defined nowhere.
static bool check_undeclared(CakeParser *parser, bool is_before) {
  const CakeForward *first = NULL;
  for (CakeForward *f = parser->newest_forward; f && f->level == parser->level; f = f->older)
    first = f;
  if (!first || parser->failed) return !parser->failed;
  CakeBuf text = {0}, fix = {0};
  cake_buf_printf(&text, "'%%%.*s' is not defined", (int)first->key.len, first->key.ptr);
  cake_buf_text(&fix,
                is_before ? "a value from outside is declared: before(" : "define it, or take a value of the before");
  if (is_before) cake_buf_printf(&fix, "%%%.*s: TYPE, …)", (int)first->key.len, first->key.ptr);
  fail_at(parser, first->stand_in.loc, text.data, fix.data);
  cake_buf_fini(&text);
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

static bool parse_ops(CakeParser *parser, CakeBlock *block, bool is_before) {
  if (!cake_parser_expect(parser, CAKE_TOK_LBRACE)) return false;
  parser->block = block;
  while (parser->token.kind != CAKE_TOK_RBRACE) {
    if (parser->token.kind == CAKE_TOK_EOF) return cake_parser_expect(parser, CAKE_TOK_RBRACE);
    if (!is_before && at_binding(parser)) {
      if (!parse_binding(parser)) return false;
      continue;
    }
    if (!cake_parser_op(parser)) return false;
  }
  if (!check_undeclared(parser, is_before)) return false;
  for (CakeOp *op = block->first; op; op = op->next)
    if (!check_shape(parser, op)) return false;
  return cake_parser_expect(parser, CAKE_TOK_RBRACE);
}

// ---- The before ----------------------------------------------------------------------------------------------------

static void reach(const Rewrite *rewrite, const CakeOp *op, bool *reached) {
  int number = cake_rewrite_op_number(rewrite, op);
  if (number < 0 || reached[number]) return;
  reached[number] = true;
  for (uint32_t i = 0; i < op->n_operands; i++) {
    const CakeOp *def = cake_value_def(cake_op_operand(op, i));
    if (def) reach(rewrite, def, reached);
  }
}

// The last op is the root; the others compute its operands.
static bool collect_ops(Reader *reader) {
  Rewrite *rewrite = reader->rewrite;
  CakeParser *parser = reader->parser;
  bool reached[CAKE_REWRITE_OPS] = {false};
  for (CakeOp *op = rewrite->before->first; op; op = op->next) {
    if (rewrite->n_ops == CAKE_REWRITE_OPS)
      return fail_at(parser, op->loc, "a before has at most 16 ops", "split it into several rewrites");
    rewrite->ops[rewrite->n_ops++] = op;
    rewrite->n_swaps += cake_op_has_trait(op, CAKE_TRAIT_COMMUTATIVE) && op->n_operands == 2;
  }
  if (!rewrite->n_ops) return fail_at(parser, rewrite->loc, "the before is empty", "write the op that is rewritten");
  reach(rewrite, rewrite->ops[rewrite->n_ops - 1], reached);
  for (uint32_t i = 0; i < rewrite->n_ops; i++)
    if (!reached[i])
      return fail_at(parser, rewrite->ops[i]->loc,
                     "the last op of the before does not use this one, directly or through others",
                     "a before is the op that is rewritten, last, and the ops that its operands come from");
  return true;
}

static void mark_type(CakeType type, bool *types);

static void mark_attr(CakeAttr attr, bool *types, bool *attrs) {
  int number = cake_rewrite_attr_var_number(attr);
  if (number >= 0) attrs[number] = true;
  for (uint32_t i = 0; i < attr->count; i++) {
    if (attr->params[i].kind == CAKE_PARAM_ATTR && attr->params[i].attr) mark_attr(attr->params[i].attr, types, attrs);
    if (attr->params[i].kind == CAKE_PARAM_TYPE && attr->params[i].type) mark_type(attr->params[i].type, types);
  }
}

static void mark_type(CakeType type, bool *types) {
  bool attrs[CAKE_REWRITE_VARS] = {false};
  int number = cake_rewrite_type_var_number(type);
  if (number >= 0) types[number] = true;
  for (uint32_t i = 0; number < 0 && i < type->count; i++) {
    if (type->params[i].kind == CAKE_PARAM_ATTR && type->params[i].attr) mark_attr(type->params[i].attr, types, attrs);
    if (type->params[i].kind == CAKE_PARAM_TYPE && type->params[i].type) mark_type(type->params[i].type, types);
  }
}

static bool unused(Reader *reader, CakeLoc loc, char sigil, CakeId name) {
  CakeBuf text = {0};
  cake_buf_printf(&text, "'%c%s' is declared and no op of the before uses it", sigil, name->text);
  fail_at(reader->parser, loc, text.data, "nothing would say what it stands for: use it, or leave it out");
  cake_buf_fini(&text);
  return false;
}

// Every variable gets its value from the ops of the before.
static bool check_variables(Reader *reader) {
  const Rewrite *rewrite = reader->rewrite;
  bool types[CAKE_REWRITE_VARS] = {false}, attrs[CAKE_REWRITE_VARS] = {false};
  for (CakeOp *op = rewrite->before->first; op; op = op->next) {
    for (uint32_t i = 0; i < op->n_operands; i++)
      mark_type(cake_op_operand(op, i)->type, types);
    bool infers = op->info->def && op->info->def->infer;
    for (uint32_t i = 0; !infers && i < op->n_results; i++)
      mark_type(op->results[i].type, types);
    for (uint32_t i = 0; i < op->info->n_props; i++)
      if (cake_op_prop(op, i)) mark_attr(cake_op_prop(op, i), types, attrs);
    if (op->attrs) mark_attr(op->attrs, types, attrs);
  }
  for (uint32_t i = 0; i < rewrite->before->n_args; i++) {
    const CakeValue *arg = rewrite->before->args[i];
    if (!arg->first_use) return unused(reader, cake_value_loc(arg), '%', cake_value_name(arg));
  }
  for (uint32_t i = 0; i < reader->type_locs.len; i++)
    if (!types[i]) return unused(reader, reader->type_locs.data[i], '!', reader->type_names.data[i]);
  for (uint32_t i = 0; i < reader->attr_locs.len; i++)
    if (!attrs[i]) return unused(reader, reader->attr_locs.data[i], '#', reader->attr_names.data[i]);
  return true;
}

static bool parse_before(Reader *reader) {
  CakeParser *parser = reader->parser;
  Rewrite *rewrite = reader->rewrite;
  CakeNameScope scope = cake_parser_push_names(parser, true);
  size_t first = parser->names.len;
  bool ok = cake_parser_expect_keyword(parser, "before") && parse_declarations(reader) &&
            parse_ops(parser, rewrite->before, true) && collect_ops(reader) && check_variables(reader);
  if (ok && cake_parser_accept_keyword(parser, "where")) ok = cake_rewrite_parse_where(parser, rewrite);
  for (size_t i = first; ok && i < parser->names.len; i++) {
    const CakeNameEntry *entry = &parser->names.data[i];
    CAKE_PUSH(&reader->names, ((Name){
                                  {entry->key.ptr, entry->key.len},
                                  entry->loc, entry->first, entry->count
    }));
  }
  return cake_parser_pop_names(parser, scope) && ok;
}

// ---- The after -----------------------------------------------------------------------------------------------------

static bool is_of_root(const Rewrite *rewrite, const Name *name) {
  return cake_value_def(name->first) == rewrite->ops[rewrite->n_ops - 1];
}

static bool no_replacement(Reader *reader, const Name *name, CakeLoc loc) {
  CakeBuf text = {0}, fix = {0};
  cake_buf_printf(&text, "the after does not say what '%%%.*s' becomes", CAKE_STR_ARG(name->text));
  cake_buf_printf(&fix, "define '%%%.*s' in it by an op, or as another value: %%%.*s = %%x", CAKE_STR_ARG(name->text),
                  CAKE_STR_ARG(name->text));
  fail_at(reader->parser, loc, text.data, fix.data);
  cake_buf_fini(&text);
  cake_buf_fini(&fix);
  return false;
}

static bool infers(const CakeValue *value) {
  const CakeOp *op = cake_value_def(value);
  return op && op->info->def && op->info->def->infer;
}

// Where an op finds its types out by itself they are only known at a match, and compared there.
static bool check_type(Reader *reader, const Name *name, const CakeValue *before, const CakeValue *after) {
  if (before->type == after->type || infers(before) || infers(after)) return true;
  CakeBuf text = {0};
  cake_buf_printf(&text, "'%%%.*s' is of type '%s' in the before and of type '%s' in the after",
                  CAKE_STR_ARG(name->text), cake_type_text(before->type), cake_type_text(after->type));
  fail_at(reader->parser, cake_value_loc(after), text.data, "what replaces a result has the result's type");
  cake_buf_fini(&text);
  return false;
}

static bool find_results(Reader *reader, CakeLoc loc) {
  CakeParser *parser = reader->parser;
  Rewrite *rewrite = reader->rewrite;
  CakeOp *root = rewrite->ops[rewrite->n_ops - 1];
  rewrite->results = CAKE_ARENA_ARRAY(parser->context->arena, CakeValue *, root->n_results + 1);
  uint32_t found = 0;
  for (size_t i = 0; i < reader->names.len; i++) {
    const Name *name = &reader->names.data[i];
    for (uint32_t k = 0; is_of_root(rewrite, name) && k < name->count; k++, found++) {
      CakeUseName use = {name->text.ptr, (uint32_t)name->text.len, k, loc};
      CakeValue *value = cake_parser_find_value(parser, &use), *result = name->first + k;
      if (!value) return no_replacement(reader, name, loc);
      if (!check_type(reader, name, result, value)) return false;
      rewrite->results[result->index] = value;
    }
  }
  return found == root->n_results || fail_at(parser, root->loc, "the results of the op that is rewritten have no names",
                                             "name them: the after says by these names what they become");
}

static bool parse_after(Reader *reader) {
  CakeParser *parser = reader->parser;
  CakeNameScope scope = cake_parser_push_names(parser, true);
  CakeLoc loc = cake_parser_loc(parser);
  bool ok = cake_parser_expect_keyword(parser, "after");
  for (size_t i = 0; ok && i < reader->names.len; i++) {
    const Name *name = &reader->names.data[i];
    if (!is_of_root(reader->rewrite, name))
      ok = cake_parser_define(parser, name->text, name->loc, name->first, name->count);
  }
  ok = ok && parse_ops(parser, reader->rewrite->after, false) && find_results(reader, loc);
  return cake_parser_pop_names(parser, scope) && ok;
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

static bool parse(Reader *reader) {
  CakeParser *parser = reader->parser;
  Rewrite *rewrite = reader->rewrite;
  CakeId name;
  if (!cake_parser_symbol(parser, &name) || !parse_clauses(parser, rewrite) ||
      !cake_parser_expect(parser, CAKE_TOK_LBRACE))
    return false;
  if (!parse_before(reader) || !parse_after(reader) || !cake_parser_expect(parser, CAKE_TOK_RBRACE)) return false;
  rewrite->pattern.name = name->text;
  rewrite->pattern.root = rewrite->ops[rewrite->n_ops - 1]->info->name->text;
  rewrite->pattern.rewrite = cake_rewrite_apply;
  return true;
}

Rewrite *cake_rewrite_parse(CakeParser *parser) {
  CakeContext *context = parser->context;
  Rewrite *rewrite = CAKE_ARENA_NEW(context->arena, Rewrite);
  Reader reader = {.parser = parser, .rewrite = rewrite};
  rewrite->loc = cake_parser_loc(parser);
  rewrite->pattern.benefit = 1;
  CakeOp *holder = cake_module_create(context, rewrite->loc); // goes with the context
  rewrite->before = cake_module_body(holder);
  rewrite->after = add_block(context, holder, rewrite->loc);
  bool ok = parse(&reader) && cake_rewrite_check_types(context, rewrite, rewrite->loc);
  if (!ok) parser->failed = true;
  CAKE_VEC_FINI(&reader.names);
  CAKE_VEC_FINI(&reader.type_locs);
  CAKE_VEC_FINI(&reader.attr_locs);
  CAKE_VEC_FINI(&reader.type_names);
  CAKE_VEC_FINI(&reader.attr_names);
  cake_map_clear(&parser->type_aliases);
  cake_map_clear(&parser->attr_aliases);
  return ok ? rewrite : NULL;
}
