// The index of a chunk: the parser's recording, sorted and cut down to offsets; and looking things up in it.
#include "agent-bridge/lsp/private.h"

#include <stdlib.h>

// ---- Recording -------------------------------------------------------------------------------------------------------

typedef struct Use {
  uint32_t begin, definition;
  const void *pending;
} Use;

struct LspRecording {
  LspChunk *chunk;
  CAKE_VEC(LspNamed) names;
  CAKE_VEC(Use) uses;
  CakeMap settled; // what stood for a value → offset of its definition, plus one
};

static void define(void *user, CakeLoc at, CakeStr name, const CakeValue *first, uint32_t count) {
  LspRecording *recording = user;
  (void)name;
  uint32_t begin = lsp_loc_offset(recording->chunk, at);
  if (begin == LSP_NONE) return;
  LspNamed named = {.begin = begin, .definition = begin, .is_definition = true, .first = first, .count = count};
  CAKE_PUSH(&recording->names, named);
}

static void use(void *user, CakeLoc at, CakeLoc definition, const void *pending) {
  LspRecording *recording = user;
  Use entry = {lsp_loc_offset(recording->chunk, at), lsp_loc_offset(recording->chunk, definition), pending};
  if (entry.begin != LSP_NONE) CAKE_PUSH(&recording->uses, entry);
}

static void settle(void *user, const void *pending, CakeLoc definition) {
  LspRecording *recording = user;
  uint32_t at = lsp_loc_offset(recording->chunk, definition);
  if (at != LSP_NONE) cake_map_set(&recording->settled, pending, (uintptr_t)at + 1);
}

static void label(void *user, CakeLoc at, const CakeBlock *block, bool is_definition) {
  LspRecording *recording = user;
  LspNamed named = {.begin = lsp_loc_offset(recording->chunk, at),
                    .definition = LSP_NONE,
                    .block = block,
                    .is_definition = is_definition};
  if (named.begin != LSP_NONE) CAKE_PUSH(&recording->names, named);
}

static void record_op(void *user, const CakeOp *op, CakeLoc begin, CakeLoc name, CakeLoc end) {
  LspChunk *chunk = ((LspRecording *)user)->chunk;
  LspOp entry = {op, lsp_loc_offset(chunk, begin), lsp_loc_offset(chunk, name), lsp_loc_offset(chunk, end), LSP_NONE};
  if (entry.begin != LSP_NONE && entry.name != LSP_NONE && entry.end != LSP_NONE) CAKE_PUSH(&chunk->index.ops, entry);
}

LspRecording *lsp_recording_create(LspChunk *chunk, CakeRecorder *out_recorder) {
  LspRecording *recording = CAKE_ARENA_NEW(chunk->arena, LspRecording);
  recording->chunk = chunk;
  *out_recorder = (CakeRecorder){
      .define = define, .use = use, .settle = settle, .label = label, .op = record_op, .user = recording};
  return recording;
}

// ---- Making the index ------------------------------------------------------------------------------------------------

static int compare_names(const void *a, const void *b) {
  const LspNamed *x = a, *y = b;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

static int compare_ops(const void *a, const void *b) {
  const LspOp *x = a, *y = b;
  if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
  return x->end > y->end ? -1 : x->end < y->end;
}

static void nest_ops(LspIndex *index) {
  if (index->ops.len) qsort(index->ops.data, index->ops.len, sizeof *index->ops.data, compare_ops);
  uint32_t around = LSP_NONE;
  for (uint32_t i = 0; i < index->ops.len; i++) {
    LspOp *op = &index->ops.data[i];
    while (around != LSP_NONE && index->ops.data[around].end <= op->begin)
      around = index->ops.data[around].parent;
    op->parent = around;
    around = i;
  }
}

static void lex(LspChunk *chunk) {
  CakeStr text = lsp_chunk_text(chunk), token;
  for (size_t at = 0;;) {
    CakeToken kind = cake_token_next(text, &at, &token);
    if (kind == CAKE_TOK_EOF) return;
    LspToken entry = {kind, (uint32_t)(token.ptr - text.ptr), (uint32_t)at};
    CAKE_PUSH(&chunk->index.tokens, entry);
  }
}

void lsp_recording_finish(LspRecording *recording) {
  LspChunk *chunk = recording->chunk;
  for (size_t i = 0; i < recording->uses.len; i++) {
    const Use *from = &recording->uses.data[i];
    LspNamed named = {.begin = from->begin, .definition = from->definition};
    uintptr_t word;
    if (from->pending && cake_map_get(&recording->settled, from->pending, &word))
      named.definition = (uint32_t)(word - 1);
    CAKE_PUSH(&recording->names, named);
  }
  if (recording->names.len)
    qsort(recording->names.data, recording->names.len, sizeof *recording->names.data, compare_names);
  lex(chunk);
  nest_ops(&chunk->index);
  lsp_index_resolve(chunk, recording->names.data, recording->names.len);
  CAKE_VEC_FINI(&recording->names);
  CAKE_VEC_FINI(&recording->uses);
  cake_map_fini(&recording->settled);
}

void lsp_index_fini(LspIndex *index) {
  CAKE_VEC_FINI(&index->tokens);
  CAKE_VEC_FINI(&index->entities);
  CAKE_VEC_FINI(&index->mentions);
  CAKE_VEC_FINI(&index->ops);
}

// ---- Looking up ------------------------------------------------------------------------------------------------------

// Entries that ascend, seen by one of their places in the text (`begin` or `end`).
typedef struct Places {
  const void *first;
  size_t size; // of an entry
  uint32_t count;
} Places;

static uint32_t place(const Places *places, uint32_t index) {
  uint32_t found;
  memcpy(&found, (const char *)places->first + index * places->size, sizeof found);
  return found;
}

// The first entry whose place is behind `at`; `count` when there is none.
static uint32_t first_behind(const Places *places, uint32_t at) {
  uint32_t low = 0, high = places->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (place(places, middle) > at)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

#define PLACES(vec, field)                                                                                             \
  {CAKE_VEC_FROM(vec, 0) ? (const void *)&(vec)->data->field : NULL, sizeof *(vec)->data, (uint32_t)(vec)->len}

// The entry that holds `at`, or that ends there: the cursor stands behind a word.
static uint32_t entry_at(const Places *begins, const Places *ends, uint32_t at) {
  uint32_t index = first_behind(ends, at);
  if (index < ends->count && place(begins, index) <= at) return index;
  return index > 0 && place(ends, index - 1) == at ? index - 1 : LSP_NONE;
}

uint32_t lsp_index_token_at(const LspIndex *index, uint32_t at) {
  Places begins = PLACES(&index->tokens, begin), ends = PLACES(&index->tokens, end);
  return entry_at(&begins, &ends, at);
}

uint32_t lsp_index_mention_at(const LspIndex *index, uint32_t at) {
  Places begins = PLACES(&index->mentions, begin), ends = PLACES(&index->mentions, end);
  return entry_at(&begins, &ends, at);
}

uint32_t lsp_index_op_at(const LspIndex *index, uint32_t at) {
  Places begins = PLACES(&index->ops, begin);
  uint32_t behind = first_behind(&begins, at), op = behind ? behind - 1 : LSP_NONE;
  while (op != LSP_NONE && index->ops.data[op].end < at)
    op = index->ops.data[op].parent;
  return op;
}
