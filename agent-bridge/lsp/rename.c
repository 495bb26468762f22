// Renaming: every mention of an entity, if the text means the same afterwards.
//
// The changed text is read again: it must have no more diagnostics, and the same names must mean the same.
#include "agent-bridge/lsp/private.h"

static const LspMention *renamable(LspCall *call, const LspPlace *place) {
  uint32_t number = lsp_index_mention_at(&place->chunk->index, place->at);
  if (number == LSP_NONE) return NULL;
  const LspMention *mention = &place->chunk->index.mentions.data[number];
  if (place->chunk->index.entities.data[mention->entity].definition != LSP_NONE) return mention;
  lsp_fail(call, RPC_REQUEST_FAILED, "the name has no definition in this text");
  return NULL;
}

void lsp_prepare_rename(LspCall *call) {
  LspPlace place;
  if (!lsp_param_place(call, &place)) return;
  const LspMention *mention = renamable(call, &place);
  if (!mention) return;
  CakeStr text = lsp_chunk_text(place.chunk);
  CakeJson *json = lsp_answer(call);
  cake_json_begin_object(json);
  lsp_put_key_range(json, "range", lsp_document_range(place.document, place.chunk, mention->begin, mention->end));
  lsp_put_key_str(json, "placeholder", (CakeStr){text.ptr + mention->begin, mention->end - mention->begin});
  cake_json_end_object(json);
}

// The new name without sigil and quotes, if it is one of that kind: it lexes as one token, with its sigil.
static bool take_name(LspCall *call, LspKind kind, CakeStr given, CakeStr *out) {
  static const char sigils[] = {
      [LSP_VALUE] = '%', [LSP_BLOCK] = '^', [LSP_SYMBOL] = '@', [LSP_TYPE_ALIAS] = '!', [LSP_ATTR_ALIAS] = '#'};
  static const CakeToken tokens[] = {[LSP_VALUE] = CAKE_TOK_PERCENT,
                                     [LSP_BLOCK] = CAKE_TOK_CARET,
                                     [LSP_SYMBOL] = CAKE_TOK_AT,
                                     [LSP_TYPE_ALIAS] = CAKE_TOK_EXCLAIM,
                                     [LSP_ATTR_ALIAS] = CAKE_TOK_HASH};
  *out = given.len && given.ptr[0] == sigils[kind] ? (CakeStr){given.ptr + 1, given.len - 1} : given;
  CakeBuf text = {0};
  cake_buf_char(&text, sigils[kind]);
  cake_buf_str(&text, *out);
  size_t at = 0;
  CakeStr token;
  bool is_one = cake_token_next(cake_buf_view(&text), &at, &token) == tokens[kind] && token.len == text.len;
  bool is_alias = kind == LSP_TYPE_ALIAS || kind == LSP_ATTR_ALIAS;
  is_one = is_one && out->len && !memchr(out->ptr, '#', out->len) && !memchr(out->ptr, '"', out->len) &&
           !(is_alias && memchr(out->ptr, '.', out->len));
  cake_buf_fini(&text);
  if (!is_one) lsp_fail(call, RPC_INVALID_PARAMS, "'%.*s' is not a name of that kind", CAKE_STR_ARG(given));
  return is_one;
}

// How a mention is written anew: with its sigil, quotes, or bare, as it was.
static void put_name(CakeBuf *out, CakeStr old, CakeStr name) {
  bool is_bare = !strchr("%^@!#\"", old.ptr[0]);
  if (!is_bare) cake_buf_char(out, old.ptr[0]);
  bool is_quoted = !is_bare && old.len > 1 && old.ptr[0] == '@' && old.ptr[1] == '"';
  if (is_quoted) cake_buf_char(out, '"');
  cake_buf_str(out, name);
  if (is_quoted || old.ptr[0] == '"') cake_buf_char(out, '"');
}

static void renamed_text(const LspChunk *chunk, uint32_t entity, CakeStr name, CakeBuf *out) {
  CakeStr text = lsp_chunk_text(chunk);
  uint32_t at = 0;
  for (size_t i = 0; i < chunk->index.mentions.len; i++) {
    const LspMention *mention = &chunk->index.mentions.data[i];
    if (mention->entity != entity) continue;
    cake_buf_append(out, text.ptr + at, mention->begin - at);
    put_name(out, (CakeStr){text.ptr + mention->begin, mention->end - mention->begin}, name);
    at = mention->end;
  }
  cake_buf_append(out, text.ptr + at, text.len - at);
}

// Whether each mention means the same entity in both texts, and nothing new is reported.
static bool means_the_same(const LspChunk *before, const LspChunk *after) {
  if (after->diagnostics.len > before->diagnostics.len || !after->module != !before->module) return false;
  if (before->index.mentions.len != after->index.mentions.len) return false;
  if (before->index.entities.len != after->index.entities.len) return false;
  CakeMap pairs = {0};
  bool ok = true;
  for (size_t i = 0; ok && i < before->index.mentions.len; i++) {
    const void *key = (const void *)((uintptr_t)before->index.mentions.data[i].entity + 1);
    uintptr_t other = (uintptr_t)after->index.mentions.data[i].entity + 1, known = 0;
    if (!cake_map_get(&pairs, key, &known)) cake_map_set(&pairs, key, known = other);
    ok = known == other;
  }
  cake_map_fini(&pairs);
  return ok;
}

static bool keeps_meaning(LspCall *call, const LspPlace *place, uint32_t entity, CakeStr name) {
  CakeBuf text = {0};
  renamed_text(place->chunk, entity, name, &text);
  LspChunk *changed = lsp_chunk_create(cake_buf_view(&text), 0);
  lsp_server_read(call->server, place->document, changed);
  bool ok = means_the_same(place->chunk, changed);
  if (!ok)
    lsp_fail(call, RPC_REQUEST_FAILED, "with the name '%.*s' the text would mean something else: is it taken?",
             CAKE_STR_ARG(name));
  lsp_chunk_destroy(changed);
  cake_buf_fini(&text);
  return ok;
}

void lsp_rename(LspCall *call) {
  LspPlace place;
  CakeStr given, name;
  if (!lsp_param_place(call, &place) || !lsp_param_str(call, call->message->params, "newName", &given)) return;
  const LspMention *at = renamable(call, &place);
  const LspIndex *index = &place.chunk->index;
  if (!at || !take_name(call, index->entities.data[at->entity].kind, given, &name)) return;
  if (!keeps_meaning(call, &place, at->entity, name)) return;
  CakeStr text = lsp_chunk_text(place.chunk);
  CakeJson *json = lsp_answer(call);
  lsp_begin_workspace_edit(json, place.document);
  for (size_t i = 0; i < index->mentions.len; i++) {
    const LspMention *mention = &index->mentions.data[i];
    if (mention->entity != at->entity) continue;
    CakeBuf written = {0};
    put_name(&written, (CakeStr){text.ptr + mention->begin, mention->end - mention->begin}, name);
    lsp_put_edit(json, lsp_document_range(place.document, place.chunk, mention->begin, mention->end),
                 cake_buf_view(&written));
    cake_buf_fini(&written);
  }
  lsp_end_workspace_edit(json);
}
