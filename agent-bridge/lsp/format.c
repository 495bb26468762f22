// Formatting: indentation by nesting, single blanks, no blanks at line ends, at most one empty line.
//
// Comments, aliases, names, line breaks and what lines end with stay: only blanks change, so that the tokens are the same. A text with a syntax
// error is refused, and so is one where blanks have a meaning (the body of an opaque type or attribute).
#include "agent-bridge/lsp/private.h"

enum { STEP = 2, CONTINUATION = 4 };

typedef struct Formatter {
  const LspChunk *chunk;
  CakeStr text;
  CakeBuf out;
  size_t token;     // the next one
  CakeBuf open;     // brackets that are open: one char each
  unsigned braces;  // of them
  uint32_t next_op; // index into ops
  unsigned n_empty; // empty lines that were passed over
} Formatter;

// What lines end with: as the first one does.
static const char *line_end(CakeStr text) {
  const char *newline = text.len ? memchr(text.ptr, '\n', text.len) : NULL;
  return newline && newline > text.ptr && newline[-1] == '\r' ? "\r\n" : "\n";
}

static CakeStr token_text(const Formatter *formatter, size_t number) {
  const LspToken *token = &formatter->chunk->index.tokens.data[number];
  return (CakeStr){formatter->text.ptr + token->begin, token->end - token->begin};
}

// A closing bracket closes what opened last, if that is of its kind (`>` may be a comparison); a brace closes all up to its own.
static void close_bracket(Formatter *formatter, char open) {
  CakeBuf *brackets = &formatter->open;
  while (open == '{' && brackets->len && brackets->data[brackets->len - 1] != '{')
    brackets->len--;
  if (!brackets->len || brackets->data[brackets->len - 1] != open) return;
  brackets->len--;
  formatter->braces -= open == '{';
}

static void count_brackets(Formatter *formatter, CakeToken kind) {
  switch (kind) {
  case CAKE_TOK_LBRACE:
    formatter->braces++;
    cake_buf_char(&formatter->open, '{');
    break;
  case CAKE_TOK_LPAREN: cake_buf_char(&formatter->open, '('); break;
  case CAKE_TOK_LSQUARE: cake_buf_char(&formatter->open, '['); break;
  case CAKE_TOK_LESS: cake_buf_char(&formatter->open, '<'); break;
  case CAKE_TOK_RBRACE: close_bracket(formatter, '{'); break;
  case CAKE_TOK_RPAREN: close_bracket(formatter, '('); break;
  case CAKE_TOK_RSQUARE: close_bracket(formatter, '['); break;
  case CAKE_TOK_GREATER: close_bracket(formatter, '<'); break;
  default: break;
  }
}

// Whether an op, label or definition of an alias begins at the token.
static bool begins_something(Formatter *formatter, size_t number) {
  const LspIndex *index = &formatter->chunk->index;
  const LspToken *token = &index->tokens.data[number];
  while (formatter->next_op < index->ops.len && index->ops.data[formatter->next_op].begin < token->begin)
    formatter->next_op++;
  if (formatter->next_op < index->ops.len && index->ops.data[formatter->next_op].begin == token->begin) return true;
  bool is_alias = token->kind == CAKE_TOK_EXCLAIM || token->kind == CAKE_TOK_HASH;
  if (is_alias) return number + 1 < index->tokens.len && token[1].kind == CAKE_TOK_EQUAL;
  return token->kind == CAKE_TOK_RBRACE || token->kind == CAKE_TOK_FILE_METADATA_BEGIN;
}

static bool is_label(const Formatter *formatter, size_t number) {
  uint32_t mention = lsp_index_mention_at(&formatter->chunk->index, formatter->chunk->index.tokens.data[number].begin);
  return formatter->chunk->index.tokens.data[number].kind == CAKE_TOK_CARET && mention != LSP_NONE &&
         formatter->chunk->index.mentions.data[mention].is_definition;
}

static size_t indentation(Formatter *formatter, size_t number, bool is_comment) {
  size_t depth = formatter->braces;
  if (is_comment) return depth * STEP;
  CakeToken kind = formatter->chunk->index.tokens.data[number].kind;
  if (kind == CAKE_TOK_RBRACE || is_label(formatter, number)) return depth ? (depth - 1) * STEP : 0;
  bool is_in_list = formatter->open.len && formatter->open.data[formatter->open.len - 1] != '{';
  bool is_continued = is_in_list || !begins_something(formatter, number);
  return depth * STEP + (is_continued ? CONTINUATION : 0);
}

// Tokens that end before `end`, with one blank where there were some.
static void put_tokens(Formatter *formatter, uint32_t end) {
  const LspIndex *index = &formatter->chunk->index;
  size_t first = formatter->token;
  for (; formatter->token < index->tokens.len && index->tokens.data[formatter->token].begin < end; formatter->token++) {
    const LspToken *token = &index->tokens.data[formatter->token];
    bool is_apart = formatter->token > first && token[-1].end < token->begin;
    if (is_apart) cake_buf_char(&formatter->out, ' ');
    cake_buf_str(&formatter->out, token_text(formatter, formatter->token));
    count_brackets(formatter, token->kind);
  }
}

// One line without its end; `comment`: where a comment begins in it, or its end.
static void put_line(Formatter *formatter, uint32_t comment, uint32_t end) {
  const LspIndex *index = &formatter->chunk->index;
  bool has_tokens = formatter->token < index->tokens.len && index->tokens.data[formatter->token].begin < comment;
  if (!has_tokens && comment == end) {
    formatter->n_empty++;
    return;
  }
  if (formatter->n_empty && formatter->out.len) cake_buf_text(&formatter->out, line_end(formatter->text));
  formatter->n_empty = 0;
  cake_buf_fill(&formatter->out, ' ', indentation(formatter, formatter->token, !has_tokens));
  if (has_tokens) put_tokens(formatter, comment);
  if (comment < end) {
    if (has_tokens) cake_buf_char(&formatter->out, ' ');
    cake_buf_str(&formatter->out, (CakeStr){formatter->text.ptr + comment, end - comment});
  }
  cake_buf_text(&formatter->out, line_end(formatter->text));
}

// Where a comment begins in the part of a line behind its tokens; `end`: there is none.
static uint32_t comment_begin(const Formatter *formatter, uint32_t begin, uint32_t end) {
  const LspIndex *index = &formatter->chunk->index;
  for (size_t i = formatter->token; i < index->tokens.len && index->tokens.data[i].begin < end; i++)
    begin = index->tokens.data[i].end;
  while (begin < end && formatter->text.ptr[begin] != '/')
    begin++;
  return begin;
}

static void format(Formatter *formatter) {
  CakeStr text = formatter->text;
  for (uint32_t line = 0; line < text.len;) {
    const char *newline = memchr(text.ptr + line, '\n', text.len - line);
    uint32_t next = newline ? (uint32_t)(newline - text.ptr) + 1 : (uint32_t)text.len, end = next;
    while (end > line && strchr(" \t\r\n", text.ptr[end - 1]))
      end--;
    put_line(formatter, comment_begin(formatter, line, end), end);
    line = next;
  }
}

static bool prints_the_same(CakeOp *a, CakeOp *b) {
  CakePrintOptions options = {.generic = true, .use_names = true};
  CakeBuf before = {0}, after = {0};
  cake_print_op(a, &options, &before);
  cake_print_op(b, &options, &after);
  bool ok = cake_str_equal(cake_buf_view(&before), cake_buf_view(&after));
  cake_buf_fini(&before);
  cake_buf_fini(&after);
  return ok;
}

// False: the call has failed.
static bool format_chunk(LspCall *call, const LspDocument *document, LspChunk *chunk, CakeBuf *out) {
  lsp_server_read(call->server, document, chunk);
  if (!chunk->module) {
    lsp_fail(call, RPC_REQUEST_FAILED,
             chunk->is_definitions ? "dialects and rewrites are not formatted"
                                   : "a text with a syntax error is not formatted");
    return false;
  }
  Formatter formatter = {.chunk = chunk, .text = lsp_chunk_text(chunk)};
  format(&formatter);
  LspChunk *changed = lsp_chunk_create(cake_buf_view(&formatter.out), 0);
  lsp_server_read(call->server, document, changed);
  bool ok = changed->module && prints_the_same(chunk->module, changed->module);
  if (!ok) lsp_fail(call, RPC_REQUEST_FAILED, "blanks have a meaning in this text: it is not formatted");
  if (ok) cake_buf_str(out, cake_buf_view(&formatter.out));
  lsp_chunk_destroy(changed);
  cake_buf_fini(&formatter.out);
  cake_buf_fini(&formatter.open);
  return ok;
}

// ---- Edits -----------------------------------------------------------------------------------------------------------

// Empty lines, and the line behind them: line breaks stay, so that such parts are as many before as after.
static CakeStr next_part(CakeStr text, size_t *at) {
  size_t begin = *at;
  for (bool is_empty = true; is_empty && *at < text.len;) {
    for (; *at < text.len && text.ptr[*at] != '\n'; ++*at)
      is_empty = is_empty && strchr(" \t\r", text.ptr[*at]);
    if (*at < text.len) ++*at;
  }
  return (CakeStr){text.ptr + begin, *at - begin};
}

// Those parts that differ, in the lines of a range.
static void put_edits(LspCall *call, const LspDocument *document, const LspRange *range, CakeStr after) {
  CakeStr before = lsp_document_text(document);
  CakeJson *json = lsp_answer(call);
  cake_json_begin_array(json);
  for (size_t i = 0, k = 0; i < before.len || k < after.len;) {
    CakeStr old = next_part(before, &i), new = next_part(after, &k);
    uint32_t begin = (uint32_t)(i - old.len);
    LspRange place = {lsp_position_of(before, &document->lines, begin),
                      lsp_position_of(before, &document->lines, (uint32_t)i)};
    uint32_t last = place.end.line - (place.end.character == 0 && place.end.line > 0); // the line itself
    if (cake_str_equal(old, new) || last < range->start.line || last > range->end.line) continue;
    lsp_put_edit(json, place, new);
  }
  cake_json_end_array(json);
}

static void format_range(LspCall *call, const LspDocument *document, const LspRange *range) {
  CakeBuf formatted = {0};
  CakeStr text = lsp_document_text(document);
  bool is_fine = true;
  for (size_t i = 0; is_fine && i < document->chunks.len; i++) {
    if (i) cake_buf_text(&formatted, line_end(text)[0] == '\r' ? "\r\n// -----\r\n\r\n" : "\n// -----\n\n");
    is_fine = format_chunk(call, document, document->chunks.data[i], &formatted);
  }
  if (is_fine) put_edits(call, document, range, formatted.data ? cake_buf_view(&formatted) : CAKE_STR(""));
  cake_buf_fini(&formatted);
}

void lsp_formatting(LspCall *call) {
  LspDocument *document;
  LspRange all = {
      .end = {UINT32_MAX, 0}
  };
  if (lsp_param_document(call, &document)) format_range(call, document, &all);
}

// The lines of the range, formatted as they are in the whole text.
void lsp_range_formatting(LspCall *call) {
  LspDocument *document;
  LspRange range;
  if (!lsp_param_document(call, &document) ||
      !lsp_param_range(call, json_object_get(call->message->params, "range"), &range))
    return;
  if (range.end.character == 0 && range.end.line > range.start.line) range.end.line--; // up to the line's start
  format_range(call, document, &range);
}
