// Which names in a text mean the same: values and labels as the parser said; symbols, aliases and parameters by their
// tokens and by the ops around them; and behind a syntax error, names by their spelling alone.
#include "agent-bridge/lsp/private.h"

#include "cake/symbol.h"

typedef struct Definition {
  uint32_t token, entity, table;
  uint32_t next; // the definition of the same name before, plus one
  bool is_parameter;
} Definition;

typedef struct Resolver {
  LspChunk *chunk;
  LspIndex *index;
  CakeStr text;
  const LspNamed *names; // sorted; a place may occur twice
  size_t n_names, next_name;
  CAKE_VEC(Definition) definitions; // of symbols
  CakeMap by_symbol;                // name without @ → the newest definition, plus one
  CakeMap by_token;                 // token of a definition, plus one → entity plus one
  bool has_parameters;
  CakeMap by_place;                // offset of a value's definition, plus one → entity plus one
  CakeMap by_block;                // block → entity plus one
  CakeMap by_name[LSP_KIND_COUNT]; // identifier → the newest entity of that name, plus one
} Resolver;

static uint32_t map_entity(const CakeMap *map, const void *key) {
  uintptr_t word;
  return key && cake_map_get(map, key, &word) ? (uint32_t)(word - 1) : LSP_NONE;
}

static const void *place_key(uint32_t offset) {
  return (const void *)((uintptr_t)offset + 1);
}

static CakeStr span(const Resolver *resolver, uint32_t begin, uint32_t end) {
  return (CakeStr){resolver->text.ptr + begin, end - begin};
}

static uint32_t add_entity(Resolver *resolver, LspKind kind, CakeStr name) {
  LspEntity entity = {.kind = kind, .name = name, .definition = LSP_NONE, .op = LSP_NONE};
  CAKE_PUSH(&resolver->index->entities, entity);
  uint32_t number = (uint32_t)resolver->index->entities.len - 1;
  cake_map_set(&resolver->by_name[kind], cake_id(resolver->chunk->context, name), (uintptr_t)number + 1);
  return number;
}

static uint32_t named_entity(Resolver *resolver, LspKind kind, CakeStr name) {
  uint32_t entity = map_entity(&resolver->by_name[kind], cake_id(resolver->chunk->context, name));
  return entity == LSP_NONE ? add_entity(resolver, kind, name) : entity;
}

static LspMention *add_mention(Resolver *resolver, const LspToken *token, uint32_t end, uint32_t entity,
                               bool is_definition) {
  LspMention mention = {token->begin, end, entity, 0, is_definition};
  CAKE_PUSH(&resolver->index->mentions, mention);
  uint32_t number = (uint32_t)resolver->index->mentions.len - 1;
  LspEntity *of = &resolver->index->entities.data[entity];
  if (is_definition && of->definition == LSP_NONE) of->definition = number;
  return &resolver->index->mentions.data[number];
}

// What the parser said about the name at `begin`; NULL: it did not come here. Definitions have precedence.
static const LspNamed *recorded(Resolver *resolver, uint32_t begin) {
  const LspNamed *found = NULL;
  while (resolver->next_name < resolver->n_names && resolver->names[resolver->next_name].begin < begin)
    resolver->next_name++;
  for (size_t i = resolver->next_name; i < resolver->n_names && resolver->names[i].begin == begin; i++) {
    const LspNamed *named = &resolver->names[i];
    if (!found || named->is_definition || (!found->is_definition && named->definition != LSP_NONE)) found = named;
  }
  return found;
}

// ---- Values and labels -----------------------------------------------------------------------------------------------

static uint32_t value_entity(Resolver *resolver, CakeStr name, uint32_t definition) {
  if (definition == LSP_NONE) return named_entity(resolver, LSP_VALUE, name);
  uint32_t entity = map_entity(&resolver->by_place, place_key(definition));
  if (entity != LSP_NONE) return entity;
  entity = add_entity(resolver, LSP_VALUE, name);
  cake_map_set(&resolver->by_place, place_key(definition), (uintptr_t)entity + 1);
  return entity;
}

static void resolve_value(Resolver *resolver, const LspToken *token) {
  uint32_t end = token->begin + 1, number = 0;
  while (end < token->end && resolver->text.ptr[end] != '#')
    end++;
  for (uint32_t i = end + 1; i < token->end && number < 1000000; i++)
    number = number * 10 + (uint32_t)(resolver->text.ptr[i] - '0');
  const LspNamed *named = recorded(resolver, token->begin);
  uint32_t entity = value_entity(resolver, span(resolver, token->begin, end), named ? named->definition : LSP_NONE);
  bool is_known = named && named->is_definition;
  bool is_first = !named && resolver->index->entities.data[entity].definition == LSP_NONE;
  add_mention(resolver, token, end, entity, is_known || is_first)->number = number;
  if (is_known) {
    resolver->index->entities.data[entity].first = named->first;
    resolver->index->entities.data[entity].count = named->count;
  }
}

static void resolve_label(Resolver *resolver, const LspToken *token) {
  const LspNamed *named = recorded(resolver, token->begin);
  CakeStr name = span(resolver, token->begin, token->end);
  uint32_t entity = named ? map_entity(&resolver->by_block, named->block) : named_entity(resolver, LSP_BLOCK, name);
  if (entity == LSP_NONE) {
    entity = add_entity(resolver, LSP_BLOCK, name);
    resolver->index->entities.data[entity].block = named->block;
    cake_map_set(&resolver->by_block, named->block, (uintptr_t)entity + 1);
  }
  add_mention(resolver, token, token->end, entity, named && named->is_definition);
}

// ---- Aliases ---------------------------------------------------------------------------------------------------------

static void resolve_alias(Resolver *resolver, size_t number, LspKind kind) {
  const LspToken *token = &resolver->index->tokens.data[number];
  CakeStr name = span(resolver, token->begin, token->end);
  if (memchr(name.ptr, '.', name.len)) return; // of a dialect
  if (token->end < resolver->text.len && resolver->text.ptr[token->end] == '<') return;
  bool is_definition =
      number + 1 < resolver->index->tokens.len && resolver->index->tokens.data[number + 1].kind == CAKE_TOK_EQUAL;
  add_mention(resolver, token, token->end, named_entity(resolver, kind, name), is_definition);
}

// ---- Symbols and parameters ------------------------------------------------------------------------------------------

// The op whose symbol table an op's name is in; LSP_NONE: at the top, or in an op that could not be read.
static uint32_t table_of(const LspIndex *index, uint32_t op) {
  do
    op = index->ops.data[op].parent;
  while (op != LSP_NONE && !cake_op_has_trait(index->ops.data[op].op, CAKE_TRAIT_SYMBOL_TABLE));
  return op;
}

static bool is_around(const LspIndex *index, uint32_t op, uint32_t at) {
  return op == LSP_NONE || (index->ops.data[op].begin <= at && at < index->ops.data[op].end);
}

// The token in an op's text that says its symbol name: @name, or the string behind `sym_name =`.
static uint32_t symbol_token(const Resolver *resolver, const LspOp *op, CakeStr name) {
  const LspIndex *index = resolver->index;
  uint32_t first = lsp_index_token_at(index, op->name);
  for (uint32_t i = first; i != LSP_NONE && i < index->tokens.len && index->tokens.data[i].begin < op->end; i++) {
    const LspToken *token = &index->tokens.data[i];
    CakeStr text = span(resolver, token->begin, token->end);
    bool is_property =
        token->kind == CAKE_TOK_STRING && i >= 2 && index->tokens.data[i - 1].kind == CAKE_TOK_EQUAL &&
        cake_str_is(span(resolver, index->tokens.data[i - 2].begin, index->tokens.data[i - 2].end), "sym_name");
    if (token->kind != CAKE_TOK_AT && !is_property) continue;
    CakeStr inner = token->kind == CAKE_TOK_AT ? (CakeStr){text.ptr + 1, text.len - 1} : text;
    if (inner.len >= 2 && inner.ptr[0] == '"') inner = (CakeStr){inner.ptr + 1, inner.len - 2};
    if (cake_str_equal(inner, name)) return i;
  }
  return LSP_NONE;
}

static void add_definition(Resolver *resolver, uint32_t op, CakeId name, uint32_t token) {
  LspIndex *index = resolver->index;
  Definition definition = {
      .token = token,
      .entity = add_entity(resolver, LSP_SYMBOL, cake_arena_printf(resolver->chunk->arena, "@%s", name->text)),
      .table = table_of(index, op),
      .is_parameter = cake_op_is(index->ops.data[op].op, "cake.param")};
  uintptr_t before = 0;
  cake_map_get(&resolver->by_symbol, name, &before);
  definition.next = (uint32_t)before;
  index->entities.data[definition.entity].op = op;
  CAKE_PUSH(&resolver->definitions, definition);
  cake_map_set(&resolver->by_symbol, name, (uintptr_t)resolver->definitions.len);
  cake_map_set(&resolver->by_token, place_key(token), (uintptr_t)definition.entity + 1);
  resolver->has_parameters |= definition.is_parameter;
}

static void find_definitions(Resolver *resolver) {
  LspIndex *index = resolver->index;
  for (uint32_t i = 0; i < index->ops.len; i++) {
    CakeId name =
        cake_op_has_trait(index->ops.data[i].op, CAKE_TRAIT_SYMBOL) ? cake_symbol_name(index->ops.data[i].op) : NULL;
    uint32_t token = name ? symbol_token(resolver, &index->ops.data[i], cake_id_str(name)) : LSP_NONE;
    if (token != LSP_NONE) add_definition(resolver, i, name, token);
  }
}

// The newest definition of a name, and with `next` all others.
static const Definition *definition_of(const Resolver *resolver, uint32_t number) {
  return number ? &resolver->definitions.data[number - 1] : NULL;
}

static const Definition *newest_definition(const Resolver *resolver, CakeStr name) {
  uintptr_t word = 0;
  cake_map_get(&resolver->by_symbol, cake_id(resolver->chunk->context, name), &word);
  return definition_of(resolver, (uint32_t)word);
}

// The innermost definition of a name around a place; `within`: only those in this op's table (LSP_NONE: anywhere around).
static uint32_t find_symbol(const Resolver *resolver, CakeStr name, uint32_t at, uint32_t within) {
  const LspIndex *index = resolver->index;
  uint32_t best = LSP_NONE, best_begin = 0;
  for (const Definition *definition = newest_definition(resolver, name); definition;
       definition = definition_of(resolver, definition->next)) {
    if (within != LSP_NONE ? definition->table != within : !is_around(index, definition->table, at)) continue;
    uint32_t begin = definition->table == LSP_NONE ? 0 : index->ops.data[definition->table].begin;
    if (best != LSP_NONE && begin < best_begin) continue;
    best = definition->entity;
    best_begin = begin;
  }
  return best;
}

// `@a::@b`: b is looked up in the op that a is.
static uint32_t table_before(const Resolver *resolver, size_t number) {
  const LspIndex *index = resolver->index;
  if (number < 2 || index->tokens.data[number - 1].kind != CAKE_TOK_COLON_COLON || !index->mentions.len)
    return LSP_NONE;
  const LspEntity *before = &index->entities.data[index->mentions.data[index->mentions.len - 1].entity];
  return before->kind == LSP_SYMBOL ? before->op : LSP_NONE;
}

static CakeStr bare_name(const Resolver *resolver, const LspToken *token) {
  CakeStr name = span(resolver, token->begin + 1, token->end);
  return name.len >= 2 && name.ptr[0] == '"' ? (CakeStr){name.ptr + 1, name.len - 2} : name;
}

static void resolve_symbol(Resolver *resolver, size_t number) {
  const LspToken *token = &resolver->index->tokens.data[number];
  CakeStr name = bare_name(resolver, token);
  uint32_t entity = find_symbol(resolver, name, token->begin, table_before(resolver, number));
  if (entity == LSP_NONE)
    entity = named_entity(resolver, LSP_SYMBOL, cake_arena_printf(resolver->chunk->arena, "@%.*s", CAKE_STR_ARG(name)));
  add_mention(resolver, token, token->end, entity, false);
}

// A parameter is named by its bare name in types and expressions: but not where the word is an axis or a function. An
// alias at the top names the only parameter of that name.
static void resolve_word(Resolver *resolver, size_t number) {
  if (!resolver->has_parameters) return;
  const LspToken *token = &resolver->index->tokens.data[number];
  CakeToken behind = number + 1 < resolver->index->tokens.len ? token[1].kind : CAKE_TOK_EOF;
  if (behind == CAKE_TOK_EQUAL || behind == CAKE_TOK_LPAREN || behind == CAKE_TOK_COLON) return;
  CakeStr name = span(resolver, token->begin, token->end);
  const Definition *definition = newest_definition(resolver, name);
  bool is_in_alias = lsp_index_op_at(resolver->index, token->begin) == LSP_NONE && definition && !definition->next;
  while (definition &&
         !(definition->is_parameter && (is_in_alias || is_around(resolver->index, definition->table, token->begin))))
    definition = definition_of(resolver, definition->next);
  if (definition) add_mention(resolver, token, token->end, definition->entity, false);
}

// A token that defines a symbol; false: it does not.
static bool resolve_definition(Resolver *resolver, size_t number) {
  uint32_t entity = map_entity(&resolver->by_token, place_key((uint32_t)number));
  if (entity == LSP_NONE) return false;
  const LspToken *token = &resolver->index->tokens.data[number];
  add_mention(resolver, token, token->end, entity, true);
  return true;
}

void lsp_index_resolve(LspChunk *chunk, const LspNamed *names, size_t n_names) {
  Resolver resolver = {
      .chunk = chunk, .index = &chunk->index, .text = lsp_chunk_text(chunk), .names = names, .n_names = n_names};
  find_definitions(&resolver);
  for (size_t i = 0; i < chunk->index.tokens.len; i++) {
    const LspToken *token = &chunk->index.tokens.data[i];
    switch (token->kind) {
    case CAKE_TOK_PERCENT: resolve_value(&resolver, token); break;
    case CAKE_TOK_CARET: resolve_label(&resolver, token); break;
    case CAKE_TOK_EXCLAIM: resolve_alias(&resolver, i, LSP_TYPE_ALIAS); break;
    case CAKE_TOK_HASH: resolve_alias(&resolver, i, LSP_ATTR_ALIAS); break;
    case CAKE_TOK_AT:
      if (!resolve_definition(&resolver, i)) resolve_symbol(&resolver, i);
      break;
    case CAKE_TOK_STRING: resolve_definition(&resolver, i); break;
    case CAKE_TOK_BARE: resolve_word(&resolver, i); break;
    default: break;
    }
  }
  CAKE_VEC_FINI(&resolver.definitions);
  cake_map_fini(&resolver.by_symbol);
  cake_map_fini(&resolver.by_token);
  cake_map_fini(&resolver.by_place);
  cake_map_fini(&resolver.by_block);
  for (int i = 0; i < LSP_KIND_COUNT; i++)
    cake_map_fini(&resolver.by_name[i]);
}
