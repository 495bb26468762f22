// Parsing custom forms: the interpreter of compiled formats.
#include "asm.h"
#include "cake/callable.h"

static bool parse_nodes(CakeAsmParser *parser, uint32_t begin, uint32_t end);

// ---- Elements ------------------------------------------------------------------------------------------------------

static bool parse_literal(CakeParser *stream, const CakeAsmNode *node) {
  if (node->token == CAKE_TOK_BARE) {
    if (stream->token.kind == CAKE_TOK_BARE && cake_str_equal(cake_lexeme_str(&stream->token), node->text)) {
      cake_parser_next(stream);
      return true;
    }
    return cake_parser_expect_keyword(stream, cake_arena_str(stream->scratch, node->text).ptr);
  }
  return cake_parser_expect(stream, node->token);
}

static bool parse_operands(CakeAsmParser *parser, uint32_t group) {
  CakeArity arity = parser->info->def->operands[group].arity;
  if (arity == CAKE_SINGLE) return cake_asm_operand(parser, group);
  cake_parser_want(parser->stream, CAKE_WANT_VALUE, CAKE_STR(""));
  if (parser->stream->token.kind != CAKE_TOK_PERCENT) return true;
  do {
    if (!cake_asm_operand(parser, group)) return false;
  } while (arity == CAKE_VARIADIC && cake_parser_accept(parser->stream, CAKE_TOK_COMMA));
  return true;
}

static bool parse_keyword(CakeAsmParser *parser, const CakeAsmNode *node) {
  CakeParser *stream = parser->stream;
  CakeId word;
  bool ok =
      stream->token.kind == CAKE_TOK_STRING ? cake_parser_string(stream, &word) : cake_parser_keyword(stream, &word);
  if (ok) cake_asm_set_attr(parser, node->ref.row, cake_attr_string_id(stream->context, word));
  return ok;
}

static bool parse_symbol(CakeAsmParser *parser, const CakeAsmNode *node) {
  CakeId name;
  if (!cake_parser_symbol(parser->stream, &name)) return false;
  cake_asm_set_attr(parser, node->ref.row, cake_attr_string_id(parser->stream->context, name));
  return true;
}

static bool parse_attribute(CakeAsmParser *parser, const CakeAsmNode *node) {
  CakeAttr attr;
  CakeLoc loc = cake_lexeme_loc(parser->stream, &parser->stream->token);
  const CakeAttrConstraint *constraint = parser->info->def->attrs[node->ref.row].constraint;
  bool ends = parser->stream->token.kind == CAKE_TOK_EOF && constraint == &cake_attr_is_symbol_ref;
  if (ends) return cake_parser_symbol(parser->stream, &(CakeId){NULL});
  bool is_string = node->has_plain_strings && parser->stream->token.kind == CAKE_TOK_STRING;
  CakeType type = is_string ? cake_type_none(parser->stream->context) : node->fixed_type;
  if (!cake_parser_attr(parser->stream, type, &attr)) return false;
  bool is_variable = cake_attr_is(attr, &cake_attr_def_variable);
  if (constraint && !is_variable && !cake_attr_satisfies(constraint, attr))
    return cake_parser_error_at(parser->stream, loc, CAKE_CODE_IR_ATTRIBUTES,
                                "attribute '%s' failed to satisfy constraint: %s",
                                parser->info->def->attrs[node->ref.row].name, constraint->name);
  cake_asm_set_attr(parser, node->ref.row, attr);
  return true;
}

static bool parse_types(CakeAsmParser *parser, const CakeAsmNode *node) {
  CakeParser *stream = parser->stream;
  size_t base = stream->types.len;
  CakeLoc loc = cake_lexeme_loc(stream, &stream->token);
  CakeArity arity = node->ref.kind == CAKE_ASM_OPERAND ? parser->info->def->operands[node->ref.row].arity
                                                       : parser->info->def->results[node->ref.row].arity;
  CakeType type;
  if (arity == CAKE_VARIADIC) {
    bool has_operands = node->ref.kind == CAKE_ASM_OPERAND && cake_asm_group_count(parser, node->ref.row);
    if ((has_operands || cake_parser_at_type(stream)) && !cake_parser_type_list_no_parens(stream)) return false;
  } else if (arity == CAKE_SINGLE || cake_parser_at_type(stream)) {
    if (!cake_parser_type(stream, &type)) return false;
    CAKE_PUSH(&stream->types, type);
  }
  return cake_asm_take_types(parser, node->ref, base, loc);
}

static bool parse_functional(CakeAsmParser *parser) {
  CakeParser *stream = parser->stream;
  size_t base = stream->types.len;
  CakeLoc loc = cake_lexeme_loc(stream, &stream->token);
  if (!cake_parser_type_list_parens(stream) || !cake_parser_expect(stream, CAKE_TOK_ARROW)) return false;
  size_t middle = stream->types.len;
  return cake_parser_type_list(stream) && cake_asm_take_functional(parser, base, middle, loc);
}

static bool parse_result_types(CakeAsmParser *parser) {
  CakeParser *stream = parser->stream;
  if (parser->info->def->infer && stream->token.kind != CAKE_TOK_COLON) return true;
  size_t base = stream->types.len;
  if (!cake_parser_expect(stream, CAKE_TOK_COLON) || !cake_parser_type_list_no_parens(stream)) return false;
  for (size_t i = base; i < stream->types.len; i++)
    cake_asm_add_result_type(parser, stream->types.data[i]);
  stream->types.len = base;
  return true;
}

bool cake_asm_target(CakeAsmParser *parser, uint32_t group) {
  CakeParser *stream = parser->stream;
  uint32_t first = cake_asm_group_count(parser, group); // several targets may share a group
  if (!cake_asm_successor(parser)) return false;
  if (!cake_parser_accept(stream, CAKE_TOK_LPAREN)) return true;
  do {
    if (!cake_asm_operand(parser, group)) return false;
  } while (cake_parser_accept(stream, CAKE_TOK_COMMA));
  if (!cake_parser_expect(stream, CAKE_TOK_COLON)) return false;
  uint32_t count = cake_asm_group_count(parser, group);
  for (uint32_t i = first; i < count; i++) {
    CakeType type;
    if (i > first && !cake_parser_expect(stream, CAKE_TOK_COMMA)) return false;
    if (!cake_parser_type(stream, &type)) return false;
    cake_asm_set_operand_type(parser, group, i, type);
  }
  return cake_parser_expect(stream, CAKE_TOK_RPAREN);
}

bool cake_asm_list(CakeAsmParser *parser, bool (*item)(CakeAsmParser *parser, void *user), void *user) {
  CakeParser *stream = parser->stream;
  if (!cake_parser_expect(stream, CAKE_TOK_LPAREN)) return false;
  if (cake_parser_accept(stream, CAKE_TOK_RPAREN)) return true;
  do {
    if (!item(parser, user)) return false;
  } while (cake_parser_accept(stream, CAKE_TOK_COMMA));
  return cake_parser_expect(stream, CAKE_TOK_RPAREN);
}

// An argument of type index.
static bool parse_index_arg(CakeAsmParser *parser, void *user) {
  const uint32_t *region = user;
  CakeId name;
  CakeLoc loc;
  if (!cake_asm_argument(parser, &name, &loc)) return false;
  cake_asm_add_region_arg(parser, *region, name, loc, cake_type_index(parser->stream->context));
  return true;
}

static bool parse_args(CakeAsmParser *parser, const CakeAsmNode *node) {
  uint32_t region = node->ref.row;
  return cake_asm_list(parser, parse_index_arg, &region);
}

static bool parse_iter_entry(CakeAsmParser *parser, const CakeAsmNode *node) {
  CakeId name;
  CakeLoc loc;
  CakeValue *init;
  if (!cake_asm_argument(parser, &name, &loc) || !cake_parser_expect(parser->stream, CAKE_TOK_EQUAL) ||
      !cake_asm_defined_operand(parser, node->ref.row, &init))
    return false;
  cake_asm_add_region_arg(parser, node->second.row, name, loc, init->type);
  return true;
}

// `iter(%x = %init, …)`
static bool parse_iter(CakeAsmParser *parser, const CakeAsmNode *node) {
  CakeParser *stream = parser->stream;
  cake_parser_want(stream, CAKE_WANT_WORD, CAKE_STR("iter"));
  if (!cake_parser_accept_keyword(stream, "iter")) return true;
  if (!cake_parser_expect(stream, CAKE_TOK_LPAREN)) return false;
  do {
    if (!parse_iter_entry(parser, node)) return false;
  } while (cake_parser_accept(stream, CAKE_TOK_COMMA));
  return cake_parser_expect(stream, CAKE_TOK_RPAREN);
}

// ---- Groups and clauses --------------------------------------------------------------------------------------------

static bool is_literal_next(CakeParser *stream, const CakeAsmNode *node) {
  if (stream->token.kind != node->token) return false;
  return node->token != CAKE_TOK_BARE || cake_str_equal(cake_lexeme_str(&stream->token), node->text);
}

static bool is_attr_next(CakeParser *stream) {
  static const char *const words[] = {"true", "false", "unit", "dense", "array", "affine_map", "affine_set", "loc"};
  switch (stream->token.kind) {
  case CAKE_TOK_INT:
  case CAKE_TOK_FLOAT:
  case CAKE_TOK_MINUS:
  case CAKE_TOK_STRING:
  case CAKE_TOK_AT:
  case CAKE_TOK_HASH:
  case CAKE_TOK_LSQUARE:
  case CAKE_TOK_LBRACE: return true;
  default: break;
  }
  for (size_t i = 0; i < CAKE_COUNT(words); i++)
    if (cake_parser_is_keyword(stream, words[i])) return true;
  return cake_parser_at_type(stream);
}

// Whether the token can begin that element: decides optional groups.
static bool is_next(CakeParser *stream, const CakeAsmNode *node) {
  CakeToken token = stream->token.kind;
  switch (node->kind) {
  case CAKE_ASM_LITERAL: return is_literal_next(stream, node);
  case CAKE_ASM_OPERANDS: return token == CAKE_TOK_PERCENT;
  case CAKE_ASM_ATTRIBUTE: return is_attr_next(stream);
  case CAKE_ASM_KEYWORD: return token == CAKE_TOK_BARE || token == CAKE_TOK_STRING;
  case CAKE_ASM_SYMBOL: return token == CAKE_TOK_AT;
  case CAKE_ASM_REGION_PLAIN:
  case CAKE_ASM_REGION_ARGS: return token == CAKE_TOK_LBRACE;
  case CAKE_ASM_TYPE: return cake_parser_at_type(stream);
  case CAKE_ASM_FUNCTIONAL:
  case CAKE_ASM_ARGS: return token == CAKE_TOK_LPAREN;
  case CAKE_ASM_ITER: return cake_parser_is_keyword(stream, "iter");
  case CAKE_ASM_RESULTS: return token == CAKE_TOK_COLON;
  case CAKE_ASM_TARGET: return token == CAKE_TOK_CARET;
  default: return true;
  }
}

// At the end of the text: what the element could begin with.
static void want_node(CakeParser *stream, const CakeAsmNode *node) {
  switch (node->kind) {
  case CAKE_ASM_LITERAL:
    if (node->token == CAKE_TOK_BARE) cake_parser_want(stream, CAKE_WANT_WORD, node->text);
    break;
  case CAKE_ASM_OPERANDS: cake_parser_want(stream, CAKE_WANT_VALUE, CAKE_STR("")); break;
  case CAKE_ASM_ATTRIBUTE: cake_parser_want(stream, CAKE_WANT_ATTR, CAKE_STR("")); break;
  case CAKE_ASM_SYMBOL: cake_parser_want(stream, CAKE_WANT_SYMBOL, CAKE_STR("")); break;
  case CAKE_ASM_TYPE: cake_parser_want(stream, CAKE_WANT_TYPE, CAKE_STR("")); break;
  case CAKE_ASM_ITER: cake_parser_want(stream, CAKE_WANT_WORD, CAKE_STR("iter")); break;
  default: break;
  }
}

static bool parse_group(CakeAsmParser *parser, uint32_t index) {
  const CakeAsmNode *node = &parser->format->nodes[index], *first = node + 1;
  if (parser->stream->token.kind == CAKE_TOK_EOF) want_node(parser->stream, first);
  if (!is_next(parser->stream, first)) return true;
  if (first->kind != CAKE_ASM_CUSTOM) return parse_nodes(parser, index + 1, node->end);
  // A directive that takes nothing says that the group is not there.
  const char *before = parser->stream->token.ptr;
  if (!first->directive->parse(parser, first->refs, first->n_refs) || parser->stream->failed) return false;
  return parser->stream->token.ptr == before || parse_nodes(parser, index + 2, node->end);
}

// Whether an element behind `index` may begin with a word.
static bool may_follow(const CakeAsmFormat *format, uint32_t index, CakeStr word) {
  for (uint32_t i = index; i < format->n_nodes; i++) {
    const CakeAsmNode *node = &format->nodes[i];
    bool is_word = node->kind == CAKE_ASM_LITERAL && cake_str_equal(node->text, word);
    if (is_word || node->kind == CAKE_ASM_CUSTOM || (node->kind == CAKE_ASM_ITER && cake_str_is(word, "iter")))
      return true;
  }
  return false;
}

// `word(` where clauses stand is one of them, misspelled.
static bool check_clause(CakeAsmParser *parser, uint32_t index) {
  CakeParser *stream = parser->stream;
  const CakeAsmNode *nodes = parser->format->nodes;
  CakeStr word = cake_lexeme_str(&stream->token);
  const char *behind = word.ptr + word.len;
  bool is_clause = stream->token.kind == CAKE_TOK_BARE && behind < stream->lexer.end && *behind == '(';
  if (!is_clause || memchr(word.ptr, '.', word.len) || may_follow(parser->format, nodes[index].end, word)) return true;
  if (cake_str_is(word, "loc")) return true; // of the op
  CakeBuf text = {0};
  for (uint32_t clause = index + 1; clause < nodes[index].end; clause = nodes[clause].end)
    cake_buf_printf(&text, "%s'%.*s'", text.len ? ", " : "", CAKE_STR_ARG(nodes[clause + 1].text));
  cake_parser_error(stream, CAKE_CODE_PARSE_SYNTAX, "'%.*s' is none of its clauses: %s", CAKE_STR_ARG(word), text.data);
  cake_buf_fini(&text);
  return false;
}

static bool parse_any(CakeAsmParser *parser, uint32_t index) {
  const CakeAsmNode *nodes = parser->format->nodes;
  uint64_t seen = 0;
  for (;;) {
    uint32_t clause = index + 1, number = 0;
    while (clause < nodes[index].end && !is_literal_next(parser->stream, &nodes[clause + 1])) {
      if (parser->stream->token.kind == CAKE_TOK_EOF && !(seen >> (number & 63) & 1))
        want_node(parser->stream, &nodes[clause + 1]);
      clause = nodes[clause].end;
      number++;
    }
    if (clause == nodes[index].end) return check_clause(parser, index);
    uint64_t bit = UINT64_C(1) << (number & 63);
    if (seen & bit)
      return cake_parser_error(parser->stream, CAKE_CODE_PARSE_SYNTAX, "'%.*s' is given twice",
                               CAKE_STR_ARG(nodes[clause + 1].text));
    seen |= bit;
    if (!parse_nodes(parser, clause + 1, nodes[clause].end)) return false;
  }
}

static bool parse_node(CakeAsmParser *parser, uint32_t index) {
  const CakeAsmNode *node = &parser->format->nodes[index];
  switch (node->kind) {
  case CAKE_ASM_LITERAL: return parse_literal(parser->stream, node);
  case CAKE_ASM_NO_SPACE: return true;
  case CAKE_ASM_OPERANDS: return parse_operands(parser, node->ref.row);
  case CAKE_ASM_ATTRIBUTE: return parse_attribute(parser, node);
  case CAKE_ASM_KEYWORD: return parse_keyword(parser, node);
  case CAKE_ASM_SYMBOL: return parse_symbol(parser, node);
  case CAKE_ASM_UNIT: cake_asm_set_attr(parser, node->ref.row, cake_attr_unit(parser->stream->context)); return true;
  case CAKE_ASM_REGION_PLAIN:
  case CAKE_ASM_REGION_ARGS: return cake_asm_region_with_args(parser, node->ref.row);
  case CAKE_ASM_TYPE: return parse_types(parser, node);
  case CAKE_ASM_FUNCTIONAL: return parse_functional(parser);
  case CAKE_ASM_DICT: return cake_asm_attr_dict(parser, false);
  case CAKE_ASM_DICT_KEYWORD: return cake_asm_attr_dict(parser, true);
  case CAKE_ASM_ARGS: return parse_args(parser, node);
  case CAKE_ASM_ITER: return parse_iter(parser, node);
  case CAKE_ASM_CUSTOM: return node->directive->parse(parser, node->refs, node->n_refs) && !parser->stream->failed;
  case CAKE_ASM_RESULTS: return parse_result_types(parser);
  case CAKE_ASM_FUNCTION: return cake_asm_parse_function(parser);
  case CAKE_ASM_TARGET: return cake_asm_target(parser, node->ref.row);
  case CAKE_ASM_GROUP: return parse_group(parser, index);
  case CAKE_ASM_ANY: return parse_any(parser, index);
  case CAKE_ASM_CLAUSE: return true;
  }
  return false;
}

static bool parse_nodes(CakeAsmParser *parser, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; i = parser->format->nodes[i].end)
    if (!parse_node(parser, i)) return false;
  return true;
}

bool cake_asm_parse_format(CakeAsmParser *parser) {
  return parse_nodes(parser, 0, parser->format->n_nodes);
}

// ---- The whole op --------------------------------------------------------------------------------------------------

static bool parse_form(CakeAsmParser *parser) {
  const CakeOpDef *def = parser->info->def;
  if (parser->format->error)
    return cake_parser_error_at(parser->stream, parser->loc, CAKE_CODE_PARSE_SYNTAX,
                                "internal error: the assembly format of '%s' is malformed: %s",
                                parser->info->name->text, parser->format->error);
  if (def->parse && (!def->parse(parser) || parser->stream->failed)) return false;
  if (def->parse || parser->format->nodes) return cake_asm_parse_format(parser);
  return cake_parser_error_at(parser->stream, parser->loc, CAKE_CODE_PARSE_SYNTAX,
                              "'%s' has no custom form, use the generic one", parser->info->name->text);
}

bool cake_asm_parse_rest(CakeParser *stream, CakeOp *op, const CakeAsmFormat *format, uint32_t node,
                         size_t region_args) {
  CakeAsmParser parser = {.stream = stream,
                          .info = op->info,
                          .format = format,
                          .loc = op->loc,
                          .operands = stream->asm_operands.len,
                          .types = stream->asm_results.len,
                          .attrs = stream->attrs.len,
                          .region_args = region_args,
                          .blocks = stream->blocks.len,
                          .regions = stream->regions.len,
                          .results = stream->results.len,
                          .n_props = op->info->n_props,
                          .discardable = op->attrs,
                          .op = op};
  uint32_t n_attrs = op->info->def->n_attrs; // behind them are the segments, which are right
  for (uint32_t i = 0; i < parser.n_props; i++)
    CAKE_PUSH(&stream->attrs, i < n_attrs ? cake_op_prop(op, i) : NULL);
  bool ok = parse_nodes(&parser, node, format->n_nodes);
  for (uint32_t i = 0; i < n_attrs; i++)
    cake_op_props(op)[i] = stream->attrs.data[parser.attrs + i];
  op->attrs = parser.discardable;
  stream->attrs.len = parser.attrs;
  return ok;
}

CakeOp *cake_asm_parse_op(CakeParser *stream, CakeOpInfo *info, CakeLoc loc, size_t results) {
  CakeAsmParser parser = {.stream = stream,
                          .info = info,
                          .format = cake_asm_format(stream->context, info),
                          .loc = loc,
                          .operands = stream->asm_operands.len,
                          .types = stream->asm_results.len,
                          .attrs = stream->attrs.len,
                          .region_args = stream->region_args.len,
                          .blocks = stream->blocks.len,
                          .regions = stream->regions.len,
                          .results = results,
                          .n_props = info->n_props};
  for (uint32_t i = 0; i < parser.n_props; i++)
    CAKE_PUSH(&stream->attrs, NULL);
  const char *outer = stream->default_dialect;
  stream->default_dialect = info->def->traits & CAKE_TRAIT_DEFAULT_DIALECT ? info->dialect->name : NULL;
  CakeOp *op = parse_form(&parser) ? cake_asm_make_op(&parser) : NULL;
  stream->default_dialect = outer;
  if (!op) stream->failed = true;
  stream->asm_operands.len = parser.operands;
  stream->asm_results.len = parser.types;
  stream->attrs.len = parser.attrs;
  stream->region_args.len = parser.region_args;
  stream->blocks.len = parser.blocks;
  stream->regions.len = parser.regions;
  return op;
}
