// Hover: what a name stands for, and the manual's page of an op, type or attribute.
#include "agent-bridge/lsp/private.h"

#include "dialects/describe.h"

// ---- Names -----------------------------------------------------------------------------------------------------------

// The text from an op's beginning to where its body opens or its line ends.
static CakeStr headline(const LspChunk *chunk, const LspOp *op) {
  CakeStr text = lsp_chunk_text(chunk);
  uint32_t end = op->begin;
  while (end < op->end && text.ptr[end] != '\n')
    end++;
  while (end > op->begin && strchr(" \t\r{", text.ptr[end - 1]))
    end--;
  return (CakeStr){text.ptr + op->begin, end - op->begin};
}

static void put_code(CakeBuf *out, CakeStr code) {
  cake_buf_printf(out, "```mlir\n%.*s\n```\n", CAKE_STR_ARG(code));
}

static void put_value_type(CakeBuf *out, const LspEntity *entity, uint32_t number) {
  uint32_t first = number < entity->count ? number : 0;
  bool all = entity->count > 1 && number == 0;
  CakeBuf line = {0};
  cake_buf_printf(&line, "%.*s", CAKE_STR_ARG(entity->name));
  if (number) cake_buf_printf(&line, "#%u", number);
  if (all) cake_buf_printf(&line, ":%u", entity->count);
  for (uint32_t i = first; i < (all ? entity->count : first + 1); i++) {
    cake_buf_text(&line, i == first ? " : " : ", ");
    cake_print_type(entity->first[i].type, &line);
  }
  put_code(out, cake_buf_view(&line));
  cake_buf_fini(&line);
}

// What the descriptor says about a result of an op; NULL: nothing.
static const char *result_doc(const CakeValue *value) {
  const CakeOp *op = cake_value_def(value);
  const CakeOpDef *def = op ? cake_op_def(op) : NULL;
  if (!def || value->index >= def->n_results || def->n_results != op->n_results) return NULL;
  return def->results[value->index].doc;
}

static void put_value(CakeBuf *out, const LspEntity *entity, uint32_t number) {
  if (!entity->first) {
    cake_buf_printf(out, "`%.*s`: its definition could not be read.\n", CAKE_STR_ARG(entity->name));
    return;
  }
  put_value_type(out, entity, number);
  const CakeValue *value = &entity->first[number < entity->count ? number : 0];
  const CakeOp *op = value->is_argument ? cake_block_parent(cake_arg_owner(value)) : cake_result_owner(value);
  if (op) {
    const CakeOpDef *def = cake_op_def(op);
    const char *doc = result_doc(value);
    cake_buf_printf(out, "\n%s #%u of `%s`", value->is_argument ? "Argument" : "Result", value->index,
                    op->info->name->text);
    if (doc) cake_buf_printf(out, ": %s", doc);
    if (def && !doc) cake_buf_printf(out, ": %s", def->summary);
    cake_buf_text(out, "\n");
  }
  const CakeTypeDef *type = value->type->def;
  if (type->dialect && type->dialect != &cake_dialect_builtin) {
    cake_buf_printf(out, "\n`!%s.%s`: ", type->dialect->name, type->name);
    cake_describe_type(type, out);
  }
}

static void put_block(CakeBuf *out, const LspEntity *entity) {
  CakeBuf line = {0};
  cake_buf_str(&line, entity->name);
  for (uint32_t i = 0; entity->block && i < entity->block->n_args; i++) {
    cake_buf_text(&line, i ? ", " : "(");
    cake_print_type(entity->block->args[i]->type, &line);
  }
  if (entity->block && entity->block->n_args) cake_buf_char(&line, ')');
  put_code(out, cake_buf_view(&line));
  cake_buf_fini(&line);
  uint32_t count = 0;
  for (const CakeSuccessor *use = entity->block ? entity->block->first_use : NULL; use; use = use->next)
    count++;
  cake_buf_printf(out, "\nBranched to from %u place%s.\n", count, count == 1 ? "" : "s");
}

static void put_alias(CakeBuf *out, const LspChunk *chunk, const LspEntity *entity) {
  if (entity->definition == LSP_NONE) {
    cake_buf_text(out, "An alias without a definition.\n");
    return;
  }
  CakeStr text = lsp_chunk_text(chunk);
  const LspMention *definition = &chunk->index.mentions.data[entity->definition];
  const char *newline = memchr(text.ptr + definition->begin, '\n', text.len - definition->begin);
  size_t end = newline ? (size_t)(newline - text.ptr) : text.len;
  put_code(out, (CakeStr){text.ptr + definition->begin, end - definition->begin});
}

static void put_symbol(CakeBuf *out, const LspChunk *chunk, const LspEntity *entity) {
  if (entity->op == LSP_NONE) {
    cake_buf_printf(out, "`%.*s`: no definition in this text.\n", CAKE_STR_ARG(entity->name));
    return;
  }
  const LspOp *op = &chunk->index.ops.data[entity->op];
  put_code(out, headline(chunk, op));
  if (op->op->info->def) cake_buf_printf(out, "\n%s\n", op->op->info->def->summary);
}

static void put_entity(CakeBuf *out, const LspChunk *chunk, const LspMention *mention) {
  const LspEntity *entity = &chunk->index.entities.data[mention->entity];
  switch (entity->kind) {
  case LSP_VALUE: put_value(out, entity, mention->number); break;
  case LSP_BLOCK: put_block(out, entity); break;
  case LSP_SYMBOL: put_symbol(out, chunk, entity); break;
  case LSP_TYPE_ALIAS:
  case LSP_ATTR_ALIAS: put_alias(out, chunk, entity); break;
  case LSP_KIND_COUNT: break;
  }
}

// ---- The manual --------------------------------------------------------------------------------------------------------

static const CakeDialectDef *dialect_of(const LspChunk *chunk, CakeStr name, CakeStr *out_rest) {
  const char *dot = memchr(name.ptr, '.', name.len);
  if (!dot) return NULL;
  size_t len = (size_t)(dot - name.ptr);
  *out_rest = (CakeStr){dot + 1, name.len - len - 1};
  return cake_context_find_dialect(chunk->context, (CakeStr){name.ptr, len});
}

// The page of a type (`!`) or an attribute (`#`).
static bool put_def_page(CakeBuf *out, const LspChunk *chunk, char sigil, CakeStr name) {
  CakeStr rest;
  bool is_type = sigil == '!';
  const CakeDialectDef *dialect = dialect_of(chunk, name, &rest);
  size_t count = !dialect ? 0 : is_type ? dialect->n_types : dialect->n_attrs;
  for (size_t i = 0; i < count; i++) {
    if (!cake_str_is(rest, is_type ? dialect->types[i]->name : dialect->attrs[i]->name)) continue;
    cake_buf_printf(out, "**`%c%.*s`** ", sigil, CAKE_STR_ARG(name));
    if (is_type)
      cake_describe_type(dialect->types[i], out);
    else
      cake_describe_attr(dialect->attrs[i], out);
    return true;
  }
  return false;
}

// The op that is written at this token: as the parser read it, else by its name.
static const CakeOpDef *op_at(const LspChunk *chunk, const LspToken *token, CakeStr word) {
  uint32_t number = lsp_index_op_at(&chunk->index, token->begin);
  const LspOp *op = number == LSP_NONE ? NULL : &chunk->index.ops.data[number];
  if (op && op->name == token->begin) return op->op->info->def;
  CakeStr rest;
  if (word.len >= 2 && word.ptr[0] == '"') word = (CakeStr){word.ptr + 1, word.len - 2};
  const CakeDialectDef *dialect = dialect_of(chunk, word, &rest);
  for (size_t i = 0; dialect && i < dialect->n_ops; i++)
    if (cake_str_is(rest, dialect->ops[i].name)) return &dialect->ops[i];
  return NULL;
}

static bool put_page(CakeBuf *out, const LspChunk *chunk, const LspToken *token) {
  CakeStr text = lsp_chunk_text(chunk), word = {text.ptr + token->begin, token->end - token->begin};
  if (token->kind == CAKE_TOK_EXCLAIM || token->kind == CAKE_TOK_HASH)
    return put_def_page(out, chunk, word.ptr[0], (CakeStr){word.ptr + 1, word.len - 1});
  if (token->kind != CAKE_TOK_BARE && token->kind != CAKE_TOK_STRING) return false;
  const CakeOpDef *op = op_at(chunk, token, word);
  if (!op) return false;
  cake_buf_printf(out, "**`%s.%s`** ", op->dialect->name, op->name);
  cake_describe_op(op, out);
  return true;
}

void lsp_hover(LspCall *call) {
  LspPlace place;
  if (!lsp_param_place(call, &place)) return;
  const LspChunk *chunk = place.chunk;
  uint32_t mention = lsp_index_mention_at(&chunk->index, place.at), token = lsp_index_token_at(&chunk->index, place.at);
  if (token == LSP_NONE) return;
  CakeBuf text = {0};
  LspToken range = chunk->index.tokens.data[token];
  bool found = true;
  if (mention != LSP_NONE)
    put_entity(&text, chunk, &chunk->index.mentions.data[mention]);
  else
    found = put_page(&text, chunk, &range);
  if (found) {
    CakeJson *json = lsp_answer(call);
    cake_json_begin_object(json);
    cake_json_key(json, "contents");
    cake_json_begin_object(json);
    lsp_put_key_str(json, "kind", CAKE_STR("markdown"));
    lsp_put_key_str(json, "value", cake_buf_view(&text));
    cake_json_end_object(json);
    lsp_put_key_range(json, "range", lsp_document_range(place.document, chunk, range.begin, range.end));
    cake_json_end_object(json);
  }
  cake_buf_fini(&text);
}
