// Reading what rewrites have of regions and blocks: `^bb` and `^body...` stand for those that a match finds, `...` for ops that the before
// does not show, and `inline ^body(%x)` moves the ops of a block.
#include "rewrite.h"

bool cake_rewrite_fail(CakeParser *parser, CakeLoc loc, CakeStr fix, const char *format, ...) {
  if (parser->failed) return false;
  parser->failed = true;
  CakeBuf text = {0};
  va_list args;
  va_start(args, format);
  cake_buf_vprintf(&text, format, args);
  va_end(args);
  CakeDiagnostic *d = cake_diag_begin(parser->context, CAKE_ERROR, loc, CAKE_CODE_REWRITE, "%s", text.data);
  cake_diag_fix(parser->context, d, "%.*s", CAKE_STR_ARG(fix));
  cake_buf_fini(&text);
  return cake_diag_emit(parser->context, d);
}

// The name of a value ends with dots where its type is a range, and only there.
static bool check_name(CakeParser *parser, const CakeNameEntry *entry, CakeType type) {
  CakeStr name = {entry->key.ptr, entry->key.len};
  bool is_range = cake_rewrite_is_range(type);
  if (cake_name_is_range(name) == is_range) return true;
  return cake_rewrite_fail(parser, entry->loc,
                           CAKE_STR("a range is written with dots wherever it stands: %rest... : !Ts..."),
                           "'%%%.*s' is %s, and its type '%s' stands for %s", CAKE_STR_ARG(name),
                           is_range ? "one value" : "a range", cake_type_text(type), is_range ? "several" : "one");
}

bool cake_rewrite_check_names(CakeParser *parser, size_t first) {
  for (size_t i = first; i < parser->names.len; i++) {
    const CakeNameEntry *entry = &parser->names.data[i];
    for (uint32_t k = 0; k < entry->count; k++)
      if (!check_name(parser, entry, entry->first[k].type)) return false;
  }
  return true;
}

static RewriteBlock *find_block(Rewrite *rewrite, CakeId name) {
  for (uint32_t i = 0; i < rewrite->n_blocks; i++)
    if (rewrite->blocks[i].name == name) return &rewrite->blocks[i];
  return NULL;
}

// A new one; `name` may be NULL. NULL: reported.
static RewriteBlock *add_block(RewriteReader *reader, CakeId name, CakeLoc loc, RewriteBlockKind kind) {
  Rewrite *rewrite = reader->rewrite;
  if (name && find_block(rewrite, name)) {
    cake_parser_error_at(reader->parser, loc, CAKE_CODE_PARSE_NAME, "'^%s' is declared twice", name->text);
    return NULL;
  }
  if (rewrite->n_blocks == CAKE_REWRITE_BLOCKS) {
    cake_rewrite_fail(reader->parser, loc, CAKE_STR("split it into several rewrites"),
                      "a before has at most %d blocks and regions", CAKE_REWRITE_BLOCKS);
    return NULL;
  }
  RewriteBlock *block = &rewrite->blocks[rewrite->n_blocks++];
  *block = (RewriteBlock){.kind = kind, .name = name, .loc = loc};
  return block;
}

// The name at the token, which is taken.
static CakeId take_name(CakeParser *parser) {
  CakeId name = cake_id(parser->context, (CakeStr){parser->token.ptr + 1, parser->token.len - 1});
  cake_parser_next(parser);
  return name;
}

// ---- Declarations --------------------------------------------------------------------------------------------------

bool cake_rewrite_declare_block(RewriteReader *reader) {
  CakeLoc loc = cake_parser_loc(reader->parser);
  CakeId name = take_name(reader->parser);
  return add_block(reader, name, loc, cake_name_is_range(cake_id_str(name)) ? REWRITE_REGION : REWRITE_SUCCESSOR);
}

bool cake_rewrite_define_labels(RewriteReader *reader) {
  Rewrite *rewrite = reader->rewrite;
  for (uint32_t i = 0; i < rewrite->n_blocks; i++) {
    RewriteBlock *block = &rewrite->blocks[i];
    if (block->kind != REWRITE_SUCCESSOR) continue;
    CakeBlock *label = cake_parser_define_label(reader->parser, cake_id_str(block->name), block->loc);
    if (!label) return false;
    cake_region_append(rewrite->before->region, label); // goes with it
    *(reader->is_before ? &block->before : &block->after) = label;
  }
  return true;
}

// ---- Regions -------------------------------------------------------------------------------------------------------

// `^body...` as a region.
static bool read_region(void *user, CakeParser *parser, CakeBlock *stand_in) {
  RewriteReader *reader = user;
  CakeLoc loc = cake_parser_loc(parser);
  CakeId name = take_name(parser);
  RewriteBlock *block = find_block(reader->rewrite, name);
  if (!block || block->kind != REWRITE_REGION)
    return cake_rewrite_fail(parser, loc, CAKE_STR("the blocks of a region are declared: before(^body...)"),
                             "'^%s' is not declared", name->text);
  CakeBlock **place = reader->is_before ? &block->before : &block->after;
  if (*place)
    return cake_rewrite_fail(parser, loc, CAKE_STR("a region can be in one place only"), "'^%s' stands here twice",
                             name->text);
  if (!reader->is_before && !block->before)
    return cake_rewrite_fail(parser, loc, CAKE_STR("use it in the before"), "'^%s' is no region of the before",
                             name->text);
  *place = stand_in;
  return true;
}

// The written block of a region of the before, and its names, which the after may use.
static bool leave_region(void *user, CakeParser *parser, const CakeRegion *region, size_t first_name,
                         size_t first_label) {
  RewriteReader *reader = user;
  CakeBlock *block = region->first;
  if (!cake_rewrite_check_names(parser, first_name)) return false;
  if (!reader->is_before || !block || cake_rewrite_whole_region(reader->rewrite, region) >= 0) return true;
  if (block->next)
    return cake_rewrite_fail(parser, block->next->loc, CAKE_STR("bind all blocks of the region: { ^body... }"),
                             "a region that a before shows has one block");
  bool has_label = first_label < parser->labels.len;
  const CakeLabel *label = has_label ? &parser->labels.data[first_label] : NULL;
  CakeId name = label ? cake_id(parser->context, (CakeStr){label->key.ptr, label->key.len}) : NULL;
  int known = cake_rewrite_block_number(reader->rewrite, block); // it began with `...`
  if (known >= 0 && name && find_block(reader->rewrite, name))
    return cake_parser_error_at(parser, block->loc, CAKE_CODE_PARSE_NAME, "'^%s' is declared twice", name->text);
  RewriteBlock *entry =
      known >= 0 ? &reader->rewrite->blocks[known] : add_block(reader, name, block->loc, REWRITE_WRITTEN);
  if (!entry) return false;
  entry->before = block;
  entry->name = name;
  for (size_t i = first_name; i < parser->names.len; i++) {
    const CakeNameEntry *value = &parser->names.data[i];
    CAKE_PUSH(&reader->nested, ((RewriteName){
                                   {value->key.ptr, value->key.len},
                                   value->loc, value->first, value->count
    }));
  }
  return true;
}

// ---- Statements ----------------------------------------------------------------------------------------------------

// `...`
static bool read_dots(RewriteReader *reader) {
  CakeParser *parser = reader->parser;
  CakeLoc loc = cake_parser_loc(parser);
  bool is_nested = reader->is_before && parser->block != reader->rewrite->before;
  if (!is_nested || parser->block->first || cake_rewrite_block_number(reader->rewrite, parser->block) >= 0)
    return cake_rewrite_fail(parser, loc, CAKE_STR("write it first in a block of a region of the before"),
                             "'...' stands for ops in front of those that a block shows");
  RewriteBlock *block = add_block(reader, NULL, loc, REWRITE_WRITTEN);
  if (!block) return false;
  block->before = parser->block;
  block->is_open = true;
  cake_parser_next(parser);
  return true;
}

// `(%a, %b)`: onto parser->values.
static bool read_values(CakeParser *parser) {
  if (!cake_parser_accept(parser, CAKE_TOK_LPAREN)) return true;
  if (cake_parser_accept(parser, CAKE_TOK_RPAREN)) return true;
  do {
    CakeUseName name;
    if (!cake_parser_use_name(parser, &name)) return false;
    CakeValue *value = cake_parser_find_value(parser, &name);
    if (!value)
      return cake_parser_error_at(parser, name.loc, CAKE_CODE_PARSE_NAME, "'%%%.*s' is not defined", (int)name.len,
                                  name.ptr);
    CAKE_PUSH(&parser->values, value);
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  return cake_parser_expect(parser, CAKE_TOK_RPAREN);
}

// The values become arguments of those types, as far as the types can be told.
static bool check_values(CakeParser *parser, CakeLoc loc, const CakeBlock *block, CakeValue *const *values,
                         size_t count) {
  if (count != block->n_args)
    return cake_rewrite_fail(parser, loc, CAKE_STR("write a value for each argument: inline ^body(%a, %b)"),
                             "the block has %u arguments, and %zu values are given", block->n_args, count);
  for (uint32_t i = 0; i < count; i++) {
    const CakeOp *op = cake_value_def(values[i]);
    bool is_known = !op || !op->info->def || !op->info->def->infer;
    if (is_known && values[i]->type != block->args[i]->type)
      return cake_rewrite_fail(parser, loc, CAKE_STR("what becomes an argument has the argument's type"),
                               "argument #%u of the block is of type '%s', and the value of type '%s'", i,
                               cake_type_text(block->args[i]->type), cake_type_text(values[i]->type));
  }
  return true;
}

static bool add_inline(RewriteReader *reader, const RewriteBlock *block, CakeLoc loc, size_t first_value) {
  CakeParser *parser = reader->parser;
  Rewrite *rewrite = reader->rewrite;
  CakeOpState state = {.loc = loc,
                       .info = cake_op_info(parser->context, cake_id(parser->context, CAKE_STR("rewrite.inline"))),
                       .operands = CAKE_VEC_FROM(&parser->values, first_value),
                       .n_operands = parser->values.len - first_value};
  if (!check_values(parser, loc, block->before, state.operands, state.n_operands)) return false;
  if (rewrite->n_inlined == CAKE_REWRITE_BLOCKS)
    return cake_rewrite_fail(parser, loc, CAKE_STR("split it into several rewrites"),
                             "an after inlines at most %d blocks", CAKE_REWRITE_BLOCKS);
  CakeOp *op = cake_op_create(parser->context, &state);
  cake_block_append(parser->block, op);
  rewrite->inlined[rewrite->n_inlined++] = (RewriteInline){op, (uint32_t)(block - rewrite->blocks)};
  return true;
}

// Behind `inline`: `^body(%x)`.
static bool read_inline(RewriteReader *reader, CakeLoc loc) {
  CakeParser *parser = reader->parser;
  size_t first_value = parser->values.len;
  if (parser->token.kind != CAKE_TOK_CARET) return cake_parser_expect(parser, CAKE_TOK_CARET);
  CakeId name = take_name(parser);
  const RewriteBlock *block = find_block(reader->rewrite, name);
  if (!block || block->kind != REWRITE_WRITTEN)
    return cake_rewrite_fail(parser, loc, CAKE_STR("name the block in the before: { ^body: … }"),
                             "the before shows no block '^%s'", name->text);
  bool ok = read_values(parser) && add_inline(reader, block, loc, first_value);
  parser->values.len = first_value;
  return ok;
}

static bool read_statement(void *user, CakeParser *parser, bool *out_taken) {
  RewriteReader *reader = user;
  CakeLoc loc = cake_parser_loc(parser);
  *out_taken = true;
  if (parser->token.kind == CAKE_TOK_ELLIPSIS) return read_dots(reader);
  if (!reader->is_before && cake_parser_accept_keyword(parser, "inline")) return read_inline(reader, loc);
  *out_taken = false;
  return true;
}

void cake_rewrite_hooks(RewriteReader *reader) {
  reader->hooks =
      (CakeParserHooks){.user = reader, .statement = read_statement, .region = read_region, .leave = leave_region};
  reader->parser->hooks = &reader->hooks;
}
