// What the files of the language server share.
//
// A document is cut into chunks at lines `// -----`; a chunk is parsed and verified in a context of its own, and gets an index of the names in
// it. Places inside are byte offsets into the chunk; the protocol's are lines and UTF-16 units of the document.
#ifndef CAKE_AGENT_BRIDGE_LSP_PRIVATE_H
#define CAKE_AGENT_BRIDGE_LSP_PRIVATE_H

#include "agent-bridge/lsp/lsp.h"
#include "agent-bridge/rpc/rpc.h"
#include "cake/edit.h"
#include "cake/recorder.h"

#define LSP_NONE UINT32_MAX

// ---- Positions (position.c) ------------------------------------------------------------------------------------------

typedef struct LspPosition {
  uint32_t line, character; // from 0; UTF-16 units
} LspPosition;

typedef struct LspRange {
  LspPosition start, end;
} LspRange;

typedef CAKE_VEC(uint32_t) LspLines; // where lines begin

void lsp_lines_set(LspLines *lines, CakeStr text);
// Past the end of a line is its end; past the last line, the end of the text.
uint32_t lsp_offset_of(CakeStr text, const LspLines *lines, LspPosition position);
LspPosition lsp_position_of(CakeStr text, const LspLines *lines, uint32_t offset);

// ---- Index (index.c, resolve.c) --------------------------------------------------------------------------------------

typedef enum LspKind { LSP_VALUE, LSP_BLOCK, LSP_SYMBOL, LSP_TYPE_ALIAS, LSP_ATTR_ALIAS, LSP_KIND_COUNT } LspKind;

typedef struct LspToken {
  CakeToken kind;
  uint32_t begin, end;
} LspToken;

// Something that has a name in the text.
typedef struct LspEntity {
  LspKind kind;
  CakeStr name;           // with its sigil
  uint32_t definition;    // the mention that defines it; LSP_NONE
  const CakeValue *first; // LSP_VALUE; NULL: its op could not be read
  uint32_t count;         // values
  const CakeBlock *block; // LSP_BLOCK; may be NULL
  uint32_t op;            // LSP_SYMBOL: the op that has the name
} LspEntity;

// A name where it stands, in the order of the text.
typedef struct LspMention {
  uint32_t begin, end; // with the sigil, without #number
  uint32_t entity;
  uint32_t number; // of `%name#number`
  bool is_definition;
} LspMention;

// An op in the text, outer ones first.
typedef struct LspOp {
  const CakeOp *op;
  uint32_t begin, name, end;
  uint32_t parent; // the op around it; LSP_NONE
} LspOp;

typedef struct LspIndex {
  CAKE_VEC(LspToken) tokens;
  CAKE_VEC(LspEntity) entities;
  CAKE_VEC(LspMention) mentions;
  CAKE_VEC(LspOp) ops;
} LspIndex;

typedef struct LspRecording LspRecording; // what the parser said

// ---- Chunks and documents (analysis.c, document.c) --------------------------------------------------------------------

typedef struct LspNote {
  struct LspNote *next;
  uint32_t begin, end;
  CakeStr message;
} LspNote;

typedef struct LspDiagnostic {
  CakeSeverity severity;
  CakeCode code;
  uint32_t begin, end;
  CakeStr message, fix;
  LspNote *notes;
  CakeEdit *edits; // what the fix is in the text; NULL: words only
} LspDiagnostic;

typedef struct LspChunk {
  CakeArena *arena; // of this struct, and of what is remembered about the text
  CakeBuf text;
  uint32_t start; // offset in the document
  bool is_read;
  CakeContext *context;
  CakeOp *module; // NULL: there is a syntax error, or it is no module
  bool is_definitions; // dialects or rewrites as text: they are checked, and that is all
  LspLines lines;
  LspIndex index;
  CAKE_VEC(LspDiagnostic) diagnostics;
} LspChunk;

typedef struct LspDocument {
  CakeArena *arena; // holds this struct
  struct LspDocument *next;
  CakeBuf uri, text;
  int64_t version;
  bool is_stale; // diagnostics of this version have not been sent
  LspLines lines;
  CAKE_VEC(LspChunk *) chunks;
} LspDocument;

// Parses, verifies and indexes the chunk if that was not done yet.
void lsp_chunk_read(LspChunk *chunk, const LspExtensions *extensions, bool allow_unregistered);
LspChunk *lsp_chunk_create(CakeStr text, uint32_t start);
void lsp_chunk_destroy(LspChunk *chunk);
static inline CakeStr lsp_chunk_text(const LspChunk *chunk) {
  return cake_buf_view(&chunk->text);
}
// Whether the text asks for ops of unknown dialects, as tests do in their RUN line.
bool lsp_text_allows_unregistered(CakeStr text);

LspDocument *lsp_document_create(CakeStr uri, CakeStr text, int64_t version);
void lsp_document_destroy(LspDocument *document);
static inline CakeStr lsp_document_text(const LspDocument *document) {
  return cake_buf_view(&document->text);
}
// Replaces a range (NULL: all). Offsets are in UTF-16 positions of the document.
void lsp_document_edit(LspDocument *document, const LspRange *range, CakeStr text);
// Cuts the text into chunks again; those whose text is the same are kept as they are.
void lsp_document_split(LspDocument *document);
// The chunk at an offset of the document, read; *out_at: the offset in it.
LspChunk *lsp_document_chunk_at(LspDocument *document, uint32_t offset, uint32_t *out_at);
LspRange lsp_document_range(const LspDocument *document, const LspChunk *chunk, uint32_t begin, uint32_t end);

// index.c
LspRecording *lsp_recording_create(LspChunk *chunk, CakeRecorder *out_recorder);
// Makes the index of what was recorded, and frees the recording.
void lsp_recording_finish(LspRecording *recording);
void lsp_index_fini(LspIndex *index);
uint32_t lsp_index_token_at(const LspIndex *index, uint32_t at);   // the token that touches `at`; LSP_NONE
uint32_t lsp_index_mention_at(const LspIndex *index, uint32_t at); // LSP_NONE
uint32_t lsp_index_op_at(const LspIndex *index, uint32_t at);      // the innermost op around `at`; LSP_NONE
uint32_t lsp_loc_offset(const LspChunk *chunk, CakeLoc loc);       // LSP_NONE: not in this text
// resolve.c: what is told by tokens alone: symbols, aliases, parameters, and names that the parser did not come to.
typedef struct LspNamed {
  uint32_t begin, definition; // of a value: its definition's place; LSP_NONE: not known
  const CakeBlock *block;     // of a label
  bool is_definition;
  const CakeValue *first;
  uint32_t count;
} LspNamed;
void lsp_index_resolve(LspChunk *chunk, const LspNamed *names, size_t n_names);

// ---- Requests --------------------------------------------------------------------------------------------------------

typedef struct LspQueued {
  RpcMessage message;
  bool is_cancelled;
} LspQueued;

struct LspServer {
  CakeArena *arena; // holds this struct
  RpcFrames frames;
  RpcOut out;
  const char *version;
  const LspExtensions *extensions;
  CAKE_VEC(LspQueued) queue;
  size_t next; // in the queue
  LspDocument *documents;
  bool is_initialized, is_shut_down, is_done;
  bool allow_unregistered;
};

// A request or notification at work. A handler answers by `lsp_answer` and one JSON value, by `lsp_fail`, or by returning: null.
typedef struct LspCall {
  LspServer *server;
  const RpcMessage *message;
  RpcWriter writer;
  bool has_answered, has_failed;
} LspCall;

CakeJson *lsp_answer(LspCall *call);
void lsp_fail(LspCall *call, RpcCode code, const char *format, ...) CAKE_PRINTF(3, 4);

// params.c. What is missing or of another kind fails the call: false.
CAKE_NODISCARD bool lsp_param_document(LspCall *call, LspDocument **out);
CAKE_NODISCARD bool lsp_param_str(LspCall *call, const json_t *object, const char *key, CakeStr *out);
CAKE_NODISCARD bool lsp_param_range(LspCall *call, const json_t *range, LspRange *out);
// A place in a document: the chunk and the offset in it.
typedef struct LspPlace {
  LspDocument *document;
  LspChunk *chunk;
  uint32_t at;
} LspPlace;
CAKE_NODISCARD bool lsp_param_place(LspCall *call, LspPlace *out);
LspDocument *lsp_server_find(const LspServer *server, CakeStr uri);

// write.c
void lsp_put_range(CakeJson *json, LspRange range);
void lsp_put_key_range(CakeJson *json, const char *key, LspRange range);
void lsp_put_location(CakeJson *json, const LspDocument *document, const LspChunk *chunk, uint32_t begin, uint32_t end);
void lsp_put_key_str(CakeJson *json, const char *key, CakeStr text);
void lsp_put_key_int(CakeJson *json, const char *key, int64_t value);
// A TextEdit.
void lsp_put_edit(CakeJson *json, LspRange range, CakeStr text);

// A WorkspaceEdit of one document; the edits go between.
void lsp_begin_workspace_edit(CakeJson *json, const LspDocument *document);
void lsp_end_workspace_edit(CakeJson *json);

// semantic.c
void lsp_put_semantic_capability(CakeJson *json);

// publish.c
void lsp_server_read(const LspServer *server, const LspDocument *document, LspChunk *chunk);
void lsp_publish(LspServer *server, LspDocument *document);
void lsp_publish_none(LspServer *server, const LspDocument *document); // takes them back
void lsp_put_diagnostic(CakeJson *json, const LspDocument *document, const LspChunk *chunk,
                        const LspDiagnostic *diagnostic);

#define REQUEST(function, name) void lsp_##function(LspCall *call);
#define NOTIFICATION(function, name) void lsp_##function(LspCall *call);
#include "agent-bridge/lsp/methods.def"
#undef REQUEST
#undef NOTIFICATION

#endif
