// Completion: the text up to the word at the cursor is parsed, and the parser says what it would take there.
#include "agent-bridge/lsp/private.h"

// The protocol's kinds of items.
typedef enum ItemKind {
  ITEM_FUNCTION = 3,
  ITEM_FIELD = 5,
  ITEM_VARIABLE = 6,
  ITEM_MODULE = 9,
  ITEM_VALUE = 12,
  ITEM_KEYWORD = 14,
  ITEM_REFERENCE = 18,
  ITEM_TYPE = 22,
} ItemKind;

typedef struct Completion {
  CakeJson *json;
  CakeContext *context;  // of the text in front
  const LspChunk *chunk; // the whole text: what stands behind may be named too
  LspRange range;        // what an item replaces
  unsigned wanted;       // bits by CakeWant that were offered
  CakeMap seen;          // labels
  CakeBuf values;        // labels and types of values in sight, until they are wanted: '\0' behind each
} Completion;

static void put_item(Completion *completion, CakeStr label, ItemKind kind, CakeStr detail) {
  CakeId id = cake_id(completion->context, label);
  uintptr_t ignored;
  if (cake_map_get(&completion->seen, id, &ignored)) return;
  cake_map_set(&completion->seen, id, 1);
  CakeJson *json = completion->json;
  cake_json_begin_object(json);
  lsp_put_key_str(json, "label", label);
  lsp_put_key_int(json, "kind", kind);
  if (detail.len) lsp_put_key_str(json, "detail", detail);
  cake_json_key(json, "textEdit");
  lsp_put_edit(json, completion->range, label);
  cake_json_end_object(json);
}

static void put_printed(Completion *completion, ItemKind kind, CakeStr detail, const char *format, ...)
    CAKE_PRINTF(4, 5);
static void put_printed(Completion *completion, ItemKind kind, CakeStr detail, const char *format, ...) {
  CakeBuf label = {0};
  va_list args;
  va_start(args, format);
  cake_buf_vprintf(&label, format, args);
  va_end(args);
  put_item(completion, cake_buf_view(&label), kind, detail);
  cake_buf_fini(&label);
}

static CakeStr summary(const char *text) {
  return text ? cake_str(text) : CAKE_STR("");
}

// ---- What is wanted --------------------------------------------------------------------------------------------------

static void put_ops(Completion *completion, CakeStr default_dialect) {
  const CakeDialectDef *dialect;
  for (size_t n = 0; (dialect = cake_context_dialect_at(completion->context, n)); n++)
    for (size_t i = 0; i < dialect->n_ops; i++) {
      const CakeOpDef *op = &dialect->ops[i];
      bool is_short = cake_str_is(default_dialect, dialect->name);
      put_printed(completion, ITEM_FUNCTION, summary(op->summary), "%s%s%s", is_short ? "" : dialect->name,
                  is_short ? "" : ".", op->name);
    }
}

static void put_entities(Completion *completion, LspKind kind, ItemKind item) {
  const LspIndex *index = &completion->chunk->index;
  for (size_t i = 0; i < index->entities.len; i++) {
    const LspEntity *entity = &index->entities.data[i];
    if (entity->kind != kind || entity->definition == LSP_NONE) continue;
    bool has_op = kind == LSP_SYMBOL && entity->op != LSP_NONE;
    put_item(completion, entity->name, item, has_op ? cake_op_name(index->ops.data[entity->op].op) : CAKE_STR(""));
  }
}

static void put_words(Completion *completion, const char *const *words, size_t count, ItemKind kind) {
  for (size_t i = 0; i < count; i++)
    put_item(completion, cake_str(words[i]), kind, CAKE_STR(""));
}

static void put_types(Completion *completion) {
  static const char *const words[] = {"i1",  "i8",  "i16",  "i32",   "i64",     "index",   "f16",     "bf16",
                                      "f32", "f64", "none", "tuple", "complex", "tensor<", "vector<", "memref<"};
  const CakeDialectDef *dialect;
  put_entities(completion, LSP_TYPE_ALIAS, ITEM_TYPE);
  put_words(completion, words, CAKE_COUNT(words), ITEM_TYPE);
  for (size_t n = 0; (dialect = cake_context_dialect_at(completion->context, n)); n++)
    for (size_t i = 0; dialect != &cake_dialect_builtin && i < dialect->n_types; i++)
      put_printed(completion, ITEM_TYPE, summary(dialect->types[i]->summary), "!%s.%s", dialect->name,
                  dialect->types[i]->name);
}

static void put_attrs(Completion *completion) {
  static const char *const words[] = {"true", "false", "unit", "dense<", "array<", "affine_map<", "affine_set<"};
  const CakeDialectDef *dialect;
  put_entities(completion, LSP_ATTR_ALIAS, ITEM_VALUE);
  put_words(completion, words, CAKE_COUNT(words), ITEM_KEYWORD);
  for (size_t n = 0; (dialect = cake_context_dialect_at(completion->context, n)); n++)
    for (size_t i = 0; dialect != &cake_dialect_builtin && i < dialect->n_attrs; i++)
      put_printed(completion, ITEM_VALUE, summary(dialect->attrs[i]->summary), "#%s.%s", dialect->name,
                  dialect->attrs[i]->name);
}

static void put_attr_names(Completion *completion, CakeStr op_name) {
  const CakeOpInfo *info =
      op_name.len ? cake_op_info(completion->context, cake_id(completion->context, op_name)) : NULL;
  for (uint32_t i = 0; info && info->def && i < info->def->n_attrs; i++)
    put_item(completion, cake_str(info->def->attrs[i].name), ITEM_FIELD, summary(info->def->attrs[i].doc));
}

static void put_values(Completion *completion) {
  CakeStr values = cake_buf_view(&completion->values);
  const char *at = values.ptr, *end = at + values.len;
  while (at < end) {
    const char *type = at + strlen(at) + 1;
    put_item(completion, cake_str(at), ITEM_VARIABLE, cake_str(type));
    at = type + strlen(type) + 1;
  }
}

static void want(void *user, CakeWant wanted, CakeStr text) {
  Completion *completion = user;
  unsigned bit = 1u << wanted;
  if (wanted != CAKE_WANT_WORD && (completion->wanted & bit)) return;
  completion->wanted |= bit;
  switch (wanted) {
  case CAKE_WANT_OP: put_ops(completion, text); break;
  case CAKE_WANT_VALUE: put_values(completion); break;
  case CAKE_WANT_BLOCK: put_entities(completion, LSP_BLOCK, ITEM_REFERENCE); break;
  case CAKE_WANT_SYMBOL: put_entities(completion, LSP_SYMBOL, ITEM_MODULE); break;
  case CAKE_WANT_TYPE: put_types(completion); break;
  case CAKE_WANT_ATTR: put_attrs(completion); break;
  case CAKE_WANT_ATTR_NAME: put_attr_names(completion, text); break;
  case CAKE_WANT_WORD: put_item(completion, text, ITEM_KEYWORD, CAKE_STR("")); break;
  }
}

static void in_sight(void *user, CakeStr name, const CakeValue *first, uint32_t count) {
  enum { MOST = 64 }; // of one op
  CakeBuf *out = &((Completion *)user)->values;
  for (uint32_t i = 0; i < count && i < MOST; i++) {
    cake_buf_printf(out, "%%%.*s", CAKE_STR_ARG(name));
    if (count > 1) cake_buf_printf(out, "#%u", i);
    cake_buf_char(out, '\0');
    cake_print_type(first[i].type, out);
    cake_buf_char(out, '\0');
  }
}

// ---- The request -----------------------------------------------------------------------------------------------------

static bool is_word(CakeToken kind) {
  switch (kind) {
  case CAKE_TOK_BARE:
  case CAKE_TOK_PERCENT:
  case CAKE_TOK_CARET:
  case CAKE_TOK_AT:
  case CAKE_TOK_EXCLAIM:
  case CAKE_TOK_HASH:
  case CAKE_TOK_ERROR: return true;
  default: return false;
  }
}

// Where the word at the cursor begins. False: it stands in a comment or string, where nothing is offered.
static bool word_begin(const LspChunk *chunk, uint32_t at, uint32_t *out_begin) {
  const LspIndex *index = &chunk->index;
  CakeStr text = lsp_chunk_text(chunk);
  *out_begin = at;
  uint32_t line = at;
  while (line > 0 && text.ptr[line - 1] != '\n')
    line--;
  uint32_t token = at > 0 ? lsp_index_token_at(index, at - 1) : LSP_NONE;
  bool is_inside = token != LSP_NONE && index->tokens.data[token].end >= at;
  if (is_inside && index->tokens.data[token].kind == CAKE_TOK_STRING && index->tokens.data[token].end > at)
    return false;
  if (is_inside && is_word(index->tokens.data[token].kind)) {
    *out_begin = index->tokens.data[token].begin;
    return true;
  }
  for (uint32_t i = line; i + 1 < at; i++) { // a comment runs from no token to the end of the line
    uint32_t here = lsp_index_token_at(index, i);
    bool in_token = here != LSP_NONE && index->tokens.data[here].begin <= i && i < index->tokens.data[here].end;
    if (!in_token && text.ptr[i] == '/' && text.ptr[i + 1] == '/') return false;
  }
  return true;
}

static void complete(Completion *completion, const LspExtensions *extensions, CakeStr text, bool allow_unregistered) {
  CakeRecorder recorder = {.want = want, .in_sight = in_sight, .user = completion};
  completion->context = cake_context_create();
  extensions->enter(extensions->user, completion->context);
  cake_context_allow_unregistered(completion->context, allow_unregistered);
  cake_parse_recorded_module(completion->context, CAKE_STR(""), text, &recorder);
  cake_map_fini(&completion->seen);
  cake_buf_fini(&completion->values);
  cake_context_destroy(completion->context);
}

void lsp_completion(LspCall *call) {
  LspPlace place;
  uint32_t begin;
  if (!lsp_param_place(call, &place) || place.chunk->is_definitions || !word_begin(place.chunk, place.at, &begin))
    return;
  CakeJson *json = lsp_answer(call);
  cake_json_begin_object(json);
  cake_json_key(json, "isIncomplete");
  cake_json_bool(json, false);
  cake_json_key(json, "items");
  cake_json_begin_array(json);
  Completion completion = {
      .json = json, .chunk = place.chunk, .range = lsp_document_range(place.document, place.chunk, begin, place.at)};
  bool allow = cake_context_allows_unregistered(place.chunk->context);
  complete(&completion, call->server->extensions, (CakeStr){lsp_chunk_text(place.chunk).ptr, begin}, allow);
  cake_json_end_array(json);
  cake_json_end_object(json);
}
