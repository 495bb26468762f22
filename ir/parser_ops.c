// Operations in generic form, regions and blocks.
//
// Regions come before the types of their op, so a stand-in of the same name and properties is in the block while they
// are parsed: custom forms inside look symbols up through it. It gives its blocks to the op and goes.
#include "quick.h"

// ---- Regions and blocks --------------------------------------------------------------------------------------------

bool cake_name_is_number(CakeStr name) {
  return name.len && name.ptr[0] >= '0' && name.ptr[0] <= '9';
}

static bool parse_block_ops(CakeParser *parser) {
  while (parser->token.kind != CAKE_TOK_RBRACE && parser->token.kind != CAKE_TOK_CARET) {
    if (parser->token.kind == CAKE_TOK_EOF) {
      cake_parser_want_op(parser);
      return cake_parser_expect(parser, CAKE_TOK_RBRACE);
    }
    bool is_taken = false;
    if (parser->hooks && !parser->hooks->statement(parser->hooks->user, parser, &is_taken)) return false;
    if (!is_taken && (!cake_parser_go_on(parser) || !cake_parser_op(parser))) return false;
  }
  return true;
}

CakeValue *cake_parser_add_argument(CakeParser *parser, CakeBlock *block, const CakeNameKey *name, CakeLoc loc,
                                    CakeType type) {
  CakeValue *arg = cake_block_add_arg(block, type, loc);
  cake_quick_name(arg, name);
  return cake_parser_define_key(parser, name, loc, arg, 1) ? arg : NULL;
}

// `(%a: type, …)` behind a label.
static bool parse_block_args(CakeParser *parser, CakeBlock *block) {
  if (!cake_parser_accept(parser, CAKE_TOK_LPAREN)) return true;
  if (cake_parser_accept(parser, CAKE_TOK_RPAREN)) return true;
  do {
    CakeUseName name;
    CakeType type;
    if (!cake_parser_new_name(parser, &name, "argument list") || !cake_parser_expect(parser, CAKE_TOK_COLON) ||
        !cake_parser_type(parser, &type))
      return false;
    CakeNameKey key = cake_parser_name_key(parser, name.ptr, name.len);
    CakeValue *arg = cake_parser_add_argument(parser, block, &key, name.loc, type);
    if (!arg) return false;
    if (!cake_parser_optional_loc(parser, &cake_block_arg(arg)->loc)) return false;
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  return cake_parser_expect(parser, CAKE_TOK_RPAREN);
}

static bool parse_label(CakeParser *parser, CakeRegion *region, CakeBlock **out) {
  CakeStr name = {parser->token.ptr + 1, parser->token.len - 1};
  CakeLoc loc = cake_lexeme_loc(parser, &parser->token);
  CakeBlock *block = *out = cake_parser_define_label(parser, name, loc);
  if (!block) return false;
  block->loc = loc;
  cake_region_append(region, block);
  cake_parser_next(parser);
  return parse_block_args(parser, block) && cake_parser_expect(parser, CAKE_TOK_COLON);
}

static bool parse_labelled_block(CakeParser *parser, CakeRegion *region) {
  CakeBlock *block;
  if (parser->token.kind != CAKE_TOK_CARET) return cake_parser_expect(parser, CAKE_TOK_CARET);
  CakeQuickResult quick = cake_parser_may_be_quick(parser) ? cake_quick_label(parser, region, &block) : CAKE_QUICK_NOT;
  if (quick == CAKE_QUICK_FAILED || (quick == CAKE_QUICK_NOT && !parse_label(parser, region, &block))) return false;
  parser->block = block;
  return parse_block_ops(parser);
}

static bool has_arguments(const CakeParser *parser, const CakeRegionRequest *request) {
  for (size_t i = request->first_arg; i < parser->region_args.len; i++)
    if (parser->region_args.data[i].region == request->region) return true;
  return false;
}

static bool add_arguments(CakeParser *parser, CakeBlock *block, const CakeRegionRequest *request) {
  for (size_t i = request->first_arg; i < parser->region_args.len; i++) {
    const CakeRegionArg *arg = &parser->region_args.data[i];
    if (arg->region == request->region && !cake_parser_add_argument(parser, block, &arg->name, arg->loc, arg->type))
      return false;
  }
  return true;
}

// A label in front of arguments that the op has declared already.
static bool parse_labelled_entry(CakeParser *parser, CakeRegion *region, const CakeRegionRequest *request) {
  CakeBlock *block;
  CakeLoc loc = cake_lexeme_loc(parser, &parser->token);
  if (!parser->hooks)
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "entry block arguments were already defined");
  if (!parse_label(parser, region, &block)) return false;
  if (block->n_args)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_SYNTAX, "entry block arguments were already defined");
  parser->block = block;
  return add_arguments(parser, block, request) && parse_block_ops(parser);
}

static bool parse_entry(CakeParser *parser, CakeRegion *region, const CakeRegionRequest *request) {
  if (parser->token.kind == CAKE_TOK_CARET)
    return !has_arguments(parser, request) || parse_labelled_entry(parser, region, request);
  bool may_be_empty = !request->end && !request->has_entry;
  if (parser->token.kind == CAKE_TOK_RBRACE && may_be_empty && !has_arguments(parser, request)) return true;
  CakeBlock *block = cake_block_create(parser->context);
  block->loc = cake_lexeme_loc(parser, &parser->token);
  cake_region_append(region, block);
  if (!add_arguments(parser, block, request)) return false;
  parser->block = block;
  return parse_block_ops(parser);
}

static void add_end(CakeParser *parser, CakeBlock *block, const CakeRegionRequest *request) {
  if (!block || (block->last && cake_op_has_trait(block->last, CAKE_TRAIT_TERMINATOR))) return;
  const CakeOpDef *def = request->end->def;
  CakeOpState state = {.loc = request->end_loc, .info = request->end};
  while (def && state.n_regions < def->n_regions && def->regions[state.n_regions].arity == CAKE_SINGLE)
    state.n_regions++;
  CakeOp *end = cake_op_create(parser->context, &state);
  for (uint32_t i = 0; i < end->n_regions; i++)
    if (def->regions[i].single_block) cake_region_append(cake_op_region(end, i), cake_block_create(parser->context));
  cake_block_append(block, end);
}

// `^body...` in a rewrite.
static bool is_whole_region(const CakeParser *parser) {
  return parser->hooks && parser->token.kind == CAKE_TOK_CARET && cake_name_is_range(cake_lexeme_str(&parser->token));
}

static bool parse_whole_region(CakeParser *parser, CakeRegion *region, const CakeRegionRequest *request) {
  CakeBlock *block = cake_block_create(parser->context);
  block->loc = cake_lexeme_loc(parser, &parser->token);
  cake_region_append(region, block);
  return add_arguments(parser, block, request) && parser->hooks->region(parser->hooks->user, parser, block) &&
         (request->is_open || cake_parser_expect(parser, CAKE_TOK_RBRACE));
}

static bool parse_region_body(CakeParser *parser, CakeRegion *region, const CakeRegionRequest *request) {
  if (is_whole_region(parser)) return parse_whole_region(parser, region, request);
  if (!parse_entry(parser, region, request)) return false;
  while (parser->token.kind != CAKE_TOK_RBRACE)
    if (!parse_labelled_block(parser, region)) return false;
  if (request->end) add_end(parser, region->last, request);
  return request->is_open || cake_parser_expect(parser, CAKE_TOK_RBRACE);
}

// Whether it is the body of a module at the top. It counts as the one that is made around a file without one, so that
// what is printed is no deeper than what was read.
static bool is_outermost(const CakeParser *parser, const CakeRegion *region) {
  CakeOp *around = parser->region_depth == 1 && region->parent ? cake_op_parent(region->parent) : NULL;
  return around && !around->block && cake_op_is(region->parent, "builtin.module");
}

bool cake_parser_region(CakeParser *parser, CakeRegion *region, const CakeRegionRequest *request) {
  if (parser->region_depth >= CAKE_MAX_REGION_DEPTH)
    return cake_parser_error(parser, CAKE_CODE_PARSE_DEPTH, "regions are nested deeper than %d", CAKE_MAX_REGION_DEPTH);
  if (!request->is_open && !cake_parser_expect(parser, CAKE_TOK_LBRACE)) return false;
  CakeBlock *outer = parser->block;
  CakeNameScope names = cake_parser_push_names(parser, request->isolated);
  CakeLabelScope labels = cake_parser_push_labels(parser);
  unsigned depth = parser->region_depth;
  parser->region_depth += !is_outermost(parser, region);
  bool ok = parse_region_body(parser, region, request);
  if (ok && parser->hooks)
    ok = parser->hooks->leave(parser->hooks->user, parser, region, names.n_names, labels.n_labels);
  parser->region_depth = depth;
  ok &= cake_parser_pop_labels(parser, labels);
  ok &= cake_parser_pop_names(parser, names);
  parser->block = outer;
  return ok;
}

void cake_region_take_blocks(CakeRegion *region, CakeRegionBlocks blocks) {
  region->first = blocks.first;
  region->last = blocks.last;
  for (CakeBlock *block = blocks.first; block; block = block->next)
    block->region = region;
}

// ---- Attributes ----------------------------------------------------------------------------------------------------

static bool set_row(CakeParser *parser, CakeOpInfo *info, CakeNamedAttr entry, CakeLoc loc, int row, CakeAttr *props) {
  if (props[row])
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NAME, "attribute '%s' of '%s' is given twice",
                                entry.name->text, info->name->text);
  props[row] = entry.value;
  return true;
}

// `<{…}>`
bool cake_parser_properties(CakeParser *parser, CakeOpInfo *info, CakeAttr *props) {
  CakeLoc loc = cake_lexeme_loc(parser, &parser->token);
  size_t base;
  if (!cake_parser_expect(parser, CAKE_TOK_LESS) || !cake_parser_dictionary(parser, cake_id_str(info->name), &base))
    return false;
  bool ok = true;
  const CakeNamedAttr *entries = CAKE_VEC_FROM(&parser->named, base);
  size_t count = parser->named.len - base;
  if (!info->def) {
    props[0] = cake_attr_dictionary(parser->context, entries, count);
  } else {
    for (size_t i = 0; ok && i < count; i++) {
      int row = cake_op_info_row(info, entries[i].name);
      ok = row >= 0 ? set_row(parser, info, entries[i], loc, row, props)
                    : cake_parser_error_at(parser, loc, CAKE_CODE_IR_ATTRIBUTES, "'%s' has no property '%s'",
                                           info->name->text, entries[i].name->text);
    }
  }
  parser->named.len = base;
  return ok && cake_parser_expect(parser, CAKE_TOK_GREATER);
}

bool cake_parser_sort_attrs(CakeParser *parser, CakeOpInfo *info, size_t base, CakeLoc loc, CakeAttr *props,
                            CakeAttr *out_attrs) {
  CakeNamedAttr *entries = CAKE_VEC_FROM(&parser->named, base);
  size_t count = parser->named.len - base, kept = 0;
  bool ok = true;
  for (size_t i = 0; ok && i < count; i++) {
    int row = info->def ? cake_op_info_row(info, entries[i].name) : -1;
    if (row < 0)
      entries[kept++] = entries[i];
    else
      ok = set_row(parser, info, entries[i], loc, row, props);
  }
  *out_attrs = ok && kept ? cake_attr_dictionary(parser->context, entries, kept) : NULL;
  parser->named.len = base;
  return ok;
}

// ---- The generic form ----------------------------------------------------------------------------------------------

// What is known of a generic op while it is parsed; lists are parts of the parser's stacks.
typedef struct Generic {
  CakeOpInfo *info;
  CakeLoc loc;
  size_t uses, blocks, regions, types, attrs, n_inputs;
  uint32_t n_props;
  CakeAttr discardable;
} Generic;

static bool parse_uses(CakeParser *parser) {
  if (!cake_parser_expect(parser, CAKE_TOK_LPAREN)) return false;
  if (cake_parser_accept(parser, CAKE_TOK_RPAREN)) return true;
  do {
    CakeUseName name;
    if (!cake_parser_use_name(parser, &name)) return false;
    CAKE_PUSH(&parser->uses, name);
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  return cake_parser_expect(parser, CAKE_TOK_RPAREN);
}

static bool parse_successors(CakeParser *parser) {
  if (!cake_parser_accept(parser, CAKE_TOK_LSQUARE)) return true;
  do {
    CakeBlock *block = cake_parser_use_label(parser);
    if (!block) return false;
    CAKE_PUSH(&parser->blocks, block);
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  return cake_parser_expect(parser, CAKE_TOK_RSQUARE);
}

static bool parse_regions(CakeParser *parser, const Generic *generic) {
  if (!cake_parser_accept(parser, CAKE_TOK_LPAREN)) return true;
  CakeOpState state = {.loc = generic->loc,
                       .info = generic->info,
                       .props = CAKE_VEC_FROM(&parser->attrs, generic->attrs),
                       .n_regions = 1};
  CakeOp *shell = cake_op_create(parser->context, &state);
  cake_block_append(parser->block, shell);
  CakeRegionRequest request = {.first_arg = parser->region_args.len,
                               .isolated = generic->info->def && (generic->info->def->traits & CAKE_TRAIT_ISOLATED)};
  CakeRegion *region = cake_op_region(shell, 0);
  do {
    if (!cake_parser_region(parser, region, &request)) return false;
    CakeRegionBlocks blocks = {region->first, region->last};
    CAKE_PUSH(&parser->regions, blocks);
    region->first = region->last = NULL;
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  cake_op_unlink(shell);
  cake_op_destroy(shell);
  return cake_parser_expect(parser, CAKE_TOK_RPAREN);
}

static bool parse_signature(CakeParser *parser, Generic *generic) {
  if (!cake_parser_expect(parser, CAKE_TOK_COLON)) return false;
  CakeLoc loc = cake_lexeme_loc(parser, &parser->token);
  if (parser->token.kind != CAKE_TOK_LPAREN)
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected function type");
  if (!cake_parser_type_list_parens(parser)) return false;
  generic->n_inputs = parser->types.len - generic->types;
  size_t n_uses = parser->uses.len - generic->uses;
  if (!cake_parser_expect(parser, CAKE_TOK_ARROW) || !cake_parser_type_list(parser)) return false;
  if (generic->n_inputs != n_uses)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "expected %zu operand type%s but had %zu", n_uses,
                                n_uses == 1 ? "" : "s", generic->n_inputs);
  return true;
}

static bool parse_generic_parts(CakeParser *parser, Generic *generic) {
  cake_parser_next(parser);
  if (!parse_uses(parser) || !parse_successors(parser)) return false;
  CakeAttr *props = CAKE_VEC_FROM(&parser->attrs, generic->attrs);
  if (parser->token.kind == CAKE_TOK_LESS) {
    // The stack may move while attributes are parsed.
    CakeAttr *scratch = CAKE_ARENA_ARRAY(parser->scratch, CakeAttr, generic->n_props + 1);
    if (!cake_parser_properties(parser, generic->info, scratch)) return false;
    for (uint32_t i = 0; i < generic->n_props; i++)
      parser->attrs.data[generic->attrs + i] = scratch[i];
    cake_arena_free(parser->scratch, scratch, sizeof(CakeAttr) * (generic->n_props + 1));
  }
  if (!parse_regions(parser, generic)) return false;
  if (parser->token.kind == CAKE_TOK_LBRACE) {
    CakeLoc loc = cake_lexeme_loc(parser, &parser->token);
    const char *begin = parser->token.ptr;
    size_t base;
    if (!cake_parser_dictionary(parser, cake_id_str(generic->info->name), &base)) return false;
    props = CAKE_VEC_FROM(&parser->attrs, generic->attrs);
    if (!cake_parser_sort_attrs(parser, generic->info, base, loc, props, &generic->discardable)) return false;
    if (!generic->info->def)
      cake_quick_remember_attrs(parser, cake_parser_text_since(parser, begin), generic->discardable);
  }
  return parse_signature(parser, generic);
}

static CakeOp *make_generic(CakeParser *parser, const Generic *generic) {
  size_t values = parser->values.len, n_uses = parser->uses.len - generic->uses;
  for (size_t i = 0; i < n_uses; i++) {
    CakeValue *value =
        cake_parser_resolve(parser, &parser->uses.data[generic->uses + i], parser->types.data[generic->types + i]);
    if (!value) return NULL;
    CAKE_PUSH(&parser->values, value);
  }
  CakeAttr *props = CAKE_VEC_FROM(&parser->attrs, generic->attrs);
  if (generic->info->def) {
    const CakeAsmFormat *format = cake_asm_format(parser->context, generic->info);
    for (uint32_t i = 0; format->defaults && i < generic->info->def->n_attrs; i++)
      if (!props[i]) props[i] = format->defaults[i];
  }
  size_t results = generic->types + generic->n_inputs;
  CakeOpState state = {
      .loc = generic->loc,
      .info = generic->info,
      .operands = CAKE_VEC_FROM(&parser->values, values),
      .n_operands = n_uses,
      .result_types = CAKE_VEC_FROM(&parser->types, results),
      .n_results = parser->types.len - results,
      .props = generic->n_props ? props : NULL,
      .attrs = generic->discardable,
      .successors = CAKE_VEC_FROM(&parser->blocks, generic->blocks),
      .n_successors = parser->blocks.len - generic->blocks,
      .n_regions = parser->regions.len - generic->regions,
  };
  CakeOp *op = cake_op_create(parser->context, &state);
  for (size_t i = 0; i < state.n_regions; i++)
    cake_region_take_blocks(cake_op_region(op, i), parser->regions.data[generic->regions + i]);
  cake_block_append(parser->block, op);
  parser->values.len = values;
  return op;
}

static CakeOp *parse_generic(CakeParser *parser, CakeOpInfo *info, CakeLoc loc) {
  Generic generic = {.info = info,
                     .loc = loc,
                     .uses = parser->uses.len,
                     .blocks = parser->blocks.len,
                     .regions = parser->regions.len,
                     .types = parser->types.len,
                     .attrs = parser->attrs.len,
                     .n_props = info->n_props};
  for (uint32_t i = 0; i < generic.n_props; i++)
    CAKE_PUSH(&parser->attrs, NULL);
  CakeOp *op = parse_generic_parts(parser, &generic) ? make_generic(parser, &generic) : NULL;
  parser->uses.len = generic.uses;
  parser->blocks.len = generic.blocks;
  parser->regions.len = generic.regions;
  parser->types.len = generic.types;
  parser->attrs.len = generic.attrs;
  return op;
}

// ---- Operations ----------------------------------------------------------------------------------------------------

static bool parse_result_names(CakeParser *parser) {
  do {
    CakeUseName name;
    if (!cake_parser_new_name(parser, &name, "name of results")) return false;
    int64_t count = 1;
    if (cake_parser_accept(parser, CAKE_TOK_COLON)) {
      CakeLoc loc = cake_lexeme_loc(parser, &parser->token);
      if (parser->token.kind != CAKE_TOK_INT) return cake_parser_missing(parser, "expected integer number of results");
      if (!cake_parser_int(parser, &count)) return false;
      if (count < 1 || count > INT32_MAX)
        return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NUMBER,
                                    "expected named operation to have at least 1 result and at most %d", INT32_MAX);
    }
    CakeResultName result = {name.ptr, name.len, (uint32_t)count, name.loc};
    CAKE_PUSH(&parser->results, result);
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  return cake_parser_expect(parser, CAKE_TOK_EQUAL);
}

bool cake_parser_bind_results(CakeParser *parser, CakeOp *op, size_t base, CakeLoc loc) {
  uint64_t wanted = 0;
  for (size_t i = base; i < parser->results.len; i++)
    wanted += parser->results.data[i].count;
  if (wanted && op->n_results == 0)
    return cake_parser_error_at(parser, loc, CAKE_CODE_IR_RESULTS, "cannot name an operation with no results");
  if (wanted && wanted != op->n_results)
    return cake_parser_error_at(parser, loc, CAKE_CODE_IR_RESULTS,
                                "operation defines %u result%s but was provided %llu to bind", op->n_results,
                                op->n_results == 1 ? "" : "s", (unsigned long long)wanted);
  uint32_t first = 0;
  for (size_t i = base; i < parser->results.len; i++) {
    const CakeResultName *result = &parser->results.data[i];
    CakeStr name = {result->ptr, result->len};
    if (!cake_name_is_number(name)) cake_value_set_name(&op->results[first], name);
    if (!cake_parser_define(parser, name, result->loc, &op->results[first], result->count)) return false;
    first += result->count;
  }
  return true;
}

static CakeOpInfo *check_registered(CakeParser *parser, CakeId name) {
  CakeOpInfo *info = cake_op_info(parser->context, name);
  if (info->dialect || cake_context_allows_unregistered(parser->context)) return info;
  cake_parser_error(parser, CAKE_CODE_UNREGISTERED,
                    "operation '%s' is of a dialect that is not registered; --allow-unregistered-dialect accepts it",
                    name->text);
  return NULL;
}

static CakeOpInfo *generic_info(CakeParser *parser) {
  CakeStr literal = cake_lexeme_str(&parser->token), inner = {literal.ptr + 1, literal.len - 2};
  CakeOpInfo *info = cake_parser_known_op(parser, inner, NULL);
  if (info) return info;
  bool is_plain = !memchr(inner.ptr, '\\', inner.len);
  if (!is_plain) inner = cake_parser_unescape(parser, literal);
  if (!inner.len || memchr(inner.ptr, '\0', inner.len)) {
    cake_parser_error(parser, CAKE_CODE_PARSE_NAME,
                      inner.len ? "null character not allowed in operation name" : "empty operation name is invalid");
    return NULL;
  }
  info = check_registered(parser, cake_id(parser->context, inner));
  if (info && is_plain) cake_parser_remember_op(parser, inner, NULL, info);
  return info;
}

static CakeOpInfo *prefixed_info(CakeParser *parser, const char *dialect, CakeStr word) {
  CakeBuf name = {0};
  cake_buf_text(&name, dialect);
  cake_buf_char(&name, '.');
  cake_buf_str(&name, word);
  CakeOpInfo *info = cake_op_info(parser->context, cake_id(parser->context, cake_buf_view(&name)));
  cake_buf_fini(&name);
  return info->def ? info : NULL;
}

enum { LEAST_WORD = 4 }; // letters of a name that is looked for in another

static bool has_word(CakeStr text, const char *word) {
  size_t len = strlen(word);
  for (size_t i = 0; i + len <= text.len; i++)
    if (memcmp(text.ptr + i, word, len) == 0) return true;
  return false;
}

// The op of a dialect whose name differs least from one, else the longest that is a part of it; NULL: none is near.
static const char *similar_op(const CakeDialectDef *dialect, CakeStr bare) {
  CakeNearest nearest = cake_nearest_to(bare);
  for (size_t i = 0; i < dialect->n_ops; i++)
    cake_nearest_consider(&nearest, dialect->ops[i].name);
  const char *best = nearest.best;
  size_t longest = LEAST_WORD - 1;
  for (size_t i = 0; !best && i < dialect->n_ops; i++)
    if (strlen(dialect->ops[i].name) > longest && has_word(bare, dialect->ops[i].name))
      longest = strlen(dialect->ops[i].name);
  for (size_t i = 0; !best && longest >= LEAST_WORD && i < dialect->n_ops; i++)
    if (strlen(dialect->ops[i].name) == longest && has_word(bare, dialect->ops[i].name)) best = dialect->ops[i].name;
  return best;
}

static bool report_unknown(CakeParser *parser, CakeStr word) {
  const char *dot = memchr(word.ptr, '.', word.len);
  CakeStr name = dot ? (CakeStr){word.ptr, (size_t)(dot - word.ptr)} : (CakeStr){0};
  const CakeDialectDef *dialect = dot ? cake_context_find_dialect(parser->context, name) : NULL;
  const char *similar =
      dialect ? similar_op(dialect, (CakeStr){dot + 1, word.len - (size_t)(dot + 1 - word.ptr)}) : NULL;
  if (!similar)
    return cake_parser_error(parser, CAKE_CODE_PARSE_NAME, "custom op '%.*s' is unknown", CAKE_STR_ARG(word));
  return cake_parser_error(parser, CAKE_CODE_PARSE_NAME, "custom op '%.*s' is unknown; did you mean '%s.%s'?",
                           CAKE_STR_ARG(word), dialect->name, similar);
}

// `arith.addi`; without a dialect it is of the default one.
static CakeOpInfo *custom_info(CakeParser *parser) {
  CakeStr word = cake_lexeme_str(&parser->token);
  bool has_dialect = memchr(word.ptr, '.', word.len) != NULL;
  const char *dialect = has_dialect ? NULL : parser->default_dialect;
  CakeOpInfo *info = has_dialect || dialect ? cake_parser_known_op(parser, word, dialect) : NULL;
  if (info && info->def) return info;
  if (has_dialect) {
    info = check_registered(parser, cake_id(parser->context, word));
    if (!info) return NULL;
  } else {
    info = dialect ? prefixed_info(parser, dialect, word) : NULL;
  }
  if (info && info->def) {
    cake_parser_remember_op(parser, word, dialect, info);
    return info;
  }
  (void)report_unknown(parser, word);
  return NULL;
}

static CakeOp *parse_named_op(CakeParser *parser, size_t results, CakeLoc loc) {
  if (parser->token.kind == CAKE_TOK_STRING) {
    CakeOpInfo *info = generic_info(parser);
    return info ? parse_generic(parser, info, loc) : NULL;
  }
  if (parser->token.kind != CAKE_TOK_BARE) {
    cake_parser_missing(parser, "expected operation name in quotes");
    return NULL;
  }
  CakeOpInfo *info = custom_info(parser);
  if (!info) return NULL;
  cake_parser_next(parser);
  return cake_asm_parse_op(parser, info, loc, results);
}

static bool parse_op(CakeParser *parser) {
  size_t results = parser->results.len;
  CakeLoc names_loc = cake_lexeme_loc(parser, &parser->token);
  if (parser->token.kind == CAKE_TOK_PERCENT && !parse_result_names(parser)) return false;
  CakeLoc op_loc = cake_lexeme_loc(parser, &parser->token);
  cake_parser_want_op(parser);
  CakeOp *op = parse_named_op(parser, results, op_loc);
  bool ok =
      op && cake_parser_optional_loc(parser, &op->loc) && cake_parser_bind_results(parser, op, results, names_loc);
  parser->results.len = results;
  if (ok && parser->recorder) cake_parser_record_op(parser, op, names_loc, op_loc);
  return ok && !parser->failed;
}

bool cake_parser_op(CakeParser *parser) {
  CakeQuickHeader header;
  CakeQuickResult quick = cake_parser_may_be_quick(parser) ? cake_quick_op(parser, &header) : CAKE_QUICK_NOT;
  if (quick == CAKE_QUICK_HEADER) return cake_quick_regions(parser, &header);
  if (quick != CAKE_QUICK_NOT) return quick == CAKE_QUICK_DONE;
  cake_quick_finish_token(parser);
  return parse_op(parser);
}
