// Semantic tokens: what each name is. Words that are told by where they stand alone are left to the editor's grammar.
#include "agent-bridge/lsp/private.h"

#define TOKEN_TYPES(X)                                                                                                 \
  X(VARIABLE, "variable")                                                                                              \
  X(PARAMETER, "parameter")                                                                                            \
  X(FUNCTION, "function")                                                                                              \
  X(TYPE, "type")                                                                                                      \
  X(MACRO, "macro")                                                                                                    \
  X(LABEL, "label")                                                                                                    \
  X(KEYWORD, "keyword")                                                                                                \
  X(STRING, "string")                                                                                                  \
  X(NUMBER, "number")

typedef enum TokenType {
#define TOKEN_TYPE(name, text) TOKEN_##name,
  TOKEN_TYPES(TOKEN_TYPE)
#undef TOKEN_TYPE
      TOKEN_NONE
} TokenType;

void lsp_put_semantic_capability(CakeJson *json) {
  static const char *const types[] = {
#define TOKEN_TYPE(name, text) text,
      TOKEN_TYPES(TOKEN_TYPE)
#undef TOKEN_TYPE
  };
  cake_json_key(json, "semanticTokensProvider");
  cake_json_begin_object(json);
  cake_json_key(json, "legend");
  cake_json_begin_object(json);
  cake_json_key(json, "tokenTypes");
  cake_json_begin_array(json);
  for (size_t i = 0; i < CAKE_COUNT(types); i++)
    cake_json_str(json, cake_str(types[i]));
  cake_json_end_array(json);
  cake_json_key(json, "tokenModifiers");
  cake_json_begin_array(json);
  cake_json_str(json, CAKE_STR("declaration")); // bit 0
  cake_json_end_array(json);
  cake_json_end_object(json);
  cake_json_key(json, "full");
  cake_json_bool(json, true);
  cake_json_key(json, "range");
  cake_json_bool(json, true);
  cake_json_end_object(json);
}

// ---- Tokens ----------------------------------------------------------------------------------------------------------

// The tokens of a chunk in order, beside its mentions and ops, which are in order as well.
typedef struct Walk {
  const LspChunk *chunk;
  size_t mention, op;
} Walk;

// `i32`, `bf16`, `tensor`: words that are types wherever they stand.
static bool is_type_word(CakeStr word) {
  static const char *const words[] = {"index", "none", "tensor", "vector", "memref", "complex", "tuple"};
  for (size_t i = 0; i < CAKE_COUNT(words); i++)
    if (cake_str_is(word, words[i])) return true;
  size_t at = cake_str_starts_with(word, "bf") || cake_str_starts_with(word, "si") || cake_str_starts_with(word, "ui")
                  ? 2
                  : cake_str_starts_with(word, "i") || cake_str_starts_with(word, "f");
  size_t digits = at;
  while (digits < word.len && word.ptr[digits] >= '0' && word.ptr[digits] <= '9')
    digits++;
  return at && digits > at && digits == word.len;
}

static TokenType type_of_word(Walk *walk, const LspToken *token) {
  const LspIndex *index = &walk->chunk->index;
  while (walk->op < index->ops.len && index->ops.data[walk->op].name < token->begin)
    walk->op++;
  if (walk->op < index->ops.len && index->ops.data[walk->op].name == token->begin) return TOKEN_KEYWORD;
  CakeStr word = {walk->chunk->text.data + token->begin, token->end - token->begin};
  return is_type_word(word) ? TOKEN_TYPE : TOKEN_NONE;
}

static TokenType type_of(Walk *walk, const LspToken *token, const LspMention *mention) {
  const LspEntity *entity = mention ? &walk->chunk->index.entities.data[mention->entity] : NULL;
  switch (token->kind) {
  case CAKE_TOK_PERCENT:
    return entity && entity->first && entity->first->is_argument ? TOKEN_PARAMETER : TOKEN_VARIABLE;
  case CAKE_TOK_CARET: return TOKEN_LABEL;
  case CAKE_TOK_AT: return TOKEN_FUNCTION;
  case CAKE_TOK_EXCLAIM: return TOKEN_TYPE;
  case CAKE_TOK_HASH: return TOKEN_MACRO;
  case CAKE_TOK_STRING: return TOKEN_STRING;
  case CAKE_TOK_INT:
  case CAKE_TOK_FLOAT: return TOKEN_NUMBER;
  case CAKE_TOK_BARE: return type_of_word(walk, token);
  default: return TOKEN_NONE;
  }
}

// The mention that is this token; NULL: none is.
static const LspMention *mention_of(Walk *walk, const LspToken *token) {
  const LspIndex *index = &walk->chunk->index;
  while (walk->mention < index->mentions.len && index->mentions.data[walk->mention].begin < token->begin)
    walk->mention++;
  bool is_here = walk->mention < index->mentions.len && index->mentions.data[walk->mention].begin == token->begin;
  return is_here ? &index->mentions.data[walk->mention] : NULL;
}

static bool is_definition(const LspChunk *chunk, const LspMention *mention) {
  size_t number = (size_t)(mention - chunk->index.mentions.data);
  return mention->is_definition || chunk->index.entities.data[mention->entity].definition == number;
}

// Each token is five numbers, its place by the one in front.
static void put_tokens(CakeJson *json, const LspDocument *document, const LspChunk *chunk, const LspRange *range,
                       LspPosition *last) {
  Walk walk = {.chunk = chunk};
  for (size_t i = 0; i < chunk->index.tokens.len; i++) {
    const LspToken *token = &chunk->index.tokens.data[i];
    const LspMention *mention = mention_of(&walk, token);
    TokenType type = type_of(&walk, token, mention);
    if (type == TOKEN_NONE) continue;
    LspRange place = lsp_document_range(document, chunk, token->begin, token->end);
    if (place.start.line < range->start.line || place.start.line > range->end.line ||
        place.end.line != place.start.line)
      continue;
    bool is_same_line = place.start.line == last->line;
    cake_json_int(json, place.start.line - last->line);
    cake_json_int(json, is_same_line ? place.start.character - last->character : place.start.character);
    cake_json_int(json, place.end.character - place.start.character);
    cake_json_int(json, type);
    cake_json_int(json, mention && is_definition(chunk, mention));
    *last = place.start;
  }
}

static void put_range(LspCall *call, const LspDocument *document, const LspRange *range) {
  for (size_t i = 0; i < document->chunks.len; i++)
    lsp_server_read(call->server, document, document->chunks.data[i]);
  LspPosition last = {0, 0};
  CakeJson *json = lsp_answer(call);
  cake_json_begin_object(json);
  cake_json_key(json, "data");
  cake_json_begin_array(json);
  for (size_t i = 0; i < document->chunks.len; i++)
    put_tokens(json, document, document->chunks.data[i], range, &last);
  cake_json_end_array(json);
  cake_json_end_object(json);
}

void lsp_semantic_tokens(LspCall *call) {
  LspDocument *document;
  LspRange all = {
      .end = {UINT32_MAX, 0}
  };
  if (lsp_param_document(call, &document)) put_range(call, document, &all);
}

void lsp_semantic_tokens_range(LspCall *call) {
  LspDocument *document;
  LspRange range;
  if (lsp_param_document(call, &document) &&
      lsp_param_range(call, json_object_get(call->message->params, "range"), &range))
    put_range(call, document, &range);
}
