// Definition, references, highlights, and the outline of a document.
#include "agent-bridge/lsp/private.h"

static const LspEntity *entity_at(const LspPlace *place, uint32_t *out_entity) {
  uint32_t mention = lsp_index_mention_at(&place->chunk->index, place->at);
  if (mention == LSP_NONE) return NULL;
  *out_entity = place->chunk->index.mentions.data[mention].entity;
  return &place->chunk->index.entities.data[*out_entity];
}

void lsp_definition(LspCall *call) {
  LspPlace place;
  uint32_t number;
  if (!lsp_param_place(call, &place)) return;
  const LspEntity *entity = entity_at(&place, &number);
  if (!entity || entity->definition == LSP_NONE) return;
  const LspMention *definition = &place.chunk->index.mentions.data[entity->definition];
  lsp_put_location(lsp_answer(call), place.document, place.chunk, definition->begin, definition->end);
}

void lsp_references(LspCall *call) {
  LspPlace place;
  uint32_t number;
  if (!lsp_param_place(call, &place) || !entity_at(&place, &number)) return;
  const json_t *context = json_object_get(call->message->params, "context");
  bool with_definition = json_is_true(json_object_get(context, "includeDeclaration"));
  const LspIndex *index = &place.chunk->index;
  CakeJson *json = lsp_answer(call);
  cake_json_begin_array(json);
  for (size_t i = 0; i < index->mentions.len; i++) {
    const LspMention *mention = &index->mentions.data[i];
    if (mention->entity != number || (mention->is_definition && !with_definition)) continue;
    lsp_put_location(json, place.document, place.chunk, mention->begin, mention->end);
  }
  cake_json_end_array(json);
}

void lsp_document_highlight(LspCall *call) {
  enum { READ = 2, WRITE = 3 };
  LspPlace place;
  uint32_t number;
  if (!lsp_param_place(call, &place) || !entity_at(&place, &number)) return;
  const LspIndex *index = &place.chunk->index;
  CakeJson *json = lsp_answer(call);
  cake_json_begin_array(json);
  for (size_t i = 0; i < index->mentions.len; i++) {
    const LspMention *mention = &index->mentions.data[i];
    if (mention->entity != number) continue;
    cake_json_begin_object(json);
    lsp_put_key_range(json, "range", lsp_document_range(place.document, place.chunk, mention->begin, mention->end));
    lsp_put_key_int(json, "kind", mention->is_definition ? WRITE : READ);
    cake_json_end_object(json);
  }
  cake_json_end_array(json);
}

// ---- Outline ---------------------------------------------------------------------------------------------------------

// The protocol's kinds of symbols that fit.
static int symbol_kind(const CakeOp *op) {
  enum { MODULE = 2, FUNCTION = 12, VARIABLE = 13, OBJECT = 19 };
  if (cake_op_is(op, "builtin.module")) return MODULE;
  if (cake_op_has_trait(op, CAKE_TRAIT_CALLABLE | CAKE_TRAIT_ISOLATED) && op->n_regions) return FUNCTION;
  return op->n_regions ? OBJECT : VARIABLE;
}

typedef struct Outline {
  const LspDocument *document;
  const LspChunk *chunk;
  CakeJson *json;
  const CakeMap *symbols; // op → its definition's mention, plus one
} Outline;

static uint32_t put_siblings(const Outline *outline, uint32_t op, uint32_t end, unsigned depth);

static uint32_t put_symbol(const Outline *outline, uint32_t number, uint32_t definition, unsigned depth) {
  const LspIndex *index = &outline->chunk->index;
  const LspOp *op = &index->ops.data[number];
  const LspMention *name = &index->mentions.data[definition];
  CakeJson *json = outline->json;
  cake_json_begin_object(json);
  lsp_put_key_str(json, "name", index->entities.data[name->entity].name);
  lsp_put_key_str(json, "detail", cake_op_name(op->op));
  lsp_put_key_int(json, "kind", symbol_kind(op->op));
  lsp_put_key_range(json, "range", lsp_document_range(outline->document, outline->chunk, op->begin, op->end));
  lsp_put_key_range(json, "selectionRange",
                    lsp_document_range(outline->document, outline->chunk, name->begin, name->end));
  cake_json_key(json, "children");
  cake_json_begin_array(json);
  uint32_t next = put_siblings(outline, number + 1, op->end, depth + 1);
  cake_json_end_array(json);
  cake_json_end_object(json);
  return next;
}

// Symbols among the ops from number `op` on that begin before `end`; those inside of others are their children.
static uint32_t put_siblings(const Outline *outline, uint32_t op, uint32_t end, unsigned depth) {
  enum { DEEPEST = 12 }; // the writer of JSON goes to 64
  const LspIndex *index = &outline->chunk->index;
  while (op < index->ops.len && index->ops.data[op].begin < end) {
    uintptr_t word = 0;
    if (depth < DEEPEST) cake_map_get(outline->symbols, index->ops.data[op].op, &word);
    op = word ? put_symbol(outline, op, (uint32_t)word - 1, depth) : op + 1;
  }
  return op;
}

void lsp_document_symbol(LspCall *call) {
  LspDocument *document;
  if (!lsp_param_document(call, &document)) return;
  CakeJson *json = lsp_answer(call);
  cake_json_begin_array(json);
  for (size_t i = 0; i < document->chunks.len; i++) {
    LspChunk *chunk = document->chunks.data[i];
    lsp_server_read(call->server, document, chunk);
    CakeMap symbols = {0};
    for (size_t k = 0; k < chunk->index.entities.len; k++) {
      const LspEntity *entity = &chunk->index.entities.data[k];
      if (entity->kind == LSP_SYMBOL && entity->op != LSP_NONE && entity->definition != LSP_NONE)
        cake_map_set(&symbols, chunk->index.ops.data[entity->op].op, (uintptr_t)entity->definition + 1);
    }
    Outline outline = {document, chunk, json, &symbols};
    put_siblings(&outline, 0, LSP_NONE, 0);
    cake_map_fini(&symbols);
  }
  cake_json_end_array(json);
}
