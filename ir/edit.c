// Edits of a source text: made by rules, found in the text by parsing it again, applied line by line.
#include "cake/edit.h"

#include "cake/recorder.h"
#include "core.h"

// ---- Making --------------------------------------------------------------------------------------------------------

static void add(CakeContext *context, CakeDiagnostic *diagnostic, CakeEdit edit) {
  CakeEdit **end = &diagnostic->first_edit;
  while (*end)
    end = &(*end)->next;
  *end = CAKE_ARENA_NEW(context->diagnostics, CakeEdit);
  **end = edit;
}

static CakeStr keep_printed(const CakeOp *op, const char *format, va_list args) {
  CakeBuf text = {0};
  cake_buf_vprintf(&text, format, args);
  CakeStr copy = cake_arena_str(op->context->diagnostics, cake_buf_view(&text));
  cake_buf_fini(&text);
  return copy;
}

void cake_diag_insert(CakeDiagnostic *diagnostic, CakeEditKind kind, const CakeOp *op, const char *format, ...) {
  va_list args;
  va_start(args, format);
  CakeStr text = keep_printed(op, format, args);
  va_end(args);
  add(op->context, diagnostic, (CakeEdit){.kind = kind, .op = op->loc, .text = text});
}

void cake_diag_substitute(CakeDiagnostic *diagnostic, const CakeOp *op, const char *old, const char *format, ...) {
  va_list args;
  va_start(args, format);
  CakeStr text = keep_printed(op, format, args), kept = cake_arena_str(op->context->diagnostics, cake_str(old));
  va_end(args);
  add(op->context, diagnostic, (CakeEdit){.kind = CAKE_EDIT_SUBSTITUTE, .op = op->loc, .text = text, .old = kept});
}

void cake_diag_delete(CakeDiagnostic *diagnostic, const CakeOp *op) {
  add(op->context, diagnostic, (CakeEdit){.kind = CAKE_EDIT_DELETE, .op = op->loc});
}

void cake_diag_move(CakeDiagnostic *diagnostic, CakeEditKind kind, const CakeOp *op, const CakeOp *other) {
  add(op->context, diagnostic, (CakeEdit){.kind = kind, .op = op->loc, .other = other->loc});
}

// ---- Finding -------------------------------------------------------------------------------------------------------

// Where an op is in the text: lines from 1, and columns.
typedef struct Extent {
  CakeLoc name;
  uint32_t first_line, first_column, last_line, last_column; // last_column: behind its last token
} Extent;

typedef struct Extents {
  CakeContext *context;
  CAKE_VEC(Extent) ops;
} Extents;

static void record(void *user, const CakeOp *op, CakeLoc begin, CakeLoc name, CakeLoc end) {
  Extents *extents = user;
  Extent extent = {.name = name};
  CakeStr file;
  (void)op;
  if (cake_loc_find_file(extents->context, begin, &file, &extent.first_line, &extent.first_column) &&
      cake_loc_find_file(extents->context, end, &file, &extent.last_line, &extent.last_column))
    CAKE_PUSH(&extents->ops, extent);
}

static const Extent *find(const Extents *extents, CakeLoc name) {
  for (size_t i = 0; i < extents->ops.len; i++)
    if (cake_loc_equal(extents->ops.data[i].name, name)) return &extents->ops.data[i];
  return NULL;
}

// The lines [first, last] of the text, with their ends.
static CakeStr lines_of(CakeStr text, uint32_t first, uint32_t last) {
  size_t begin = 0;
  uint32_t line = 1;
  while (line < first && begin < text.len)
    line += text.ptr[begin++] == '\n';
  size_t end = begin;
  while (line <= last && end < text.len)
    line += text.ptr[end++] == '\n';
  return (CakeStr){text.ptr + begin, end - begin};
}

static size_t indentation(CakeStr line) {
  size_t n = 0;
  while (n < line.len && (line.ptr[n] == ' ' || line.ptr[n] == '\t'))
    n++;
  return n;
}

// Nothing but blanks in front of the op, and blanks or a comment behind it.
static bool has_own_lines(CakeStr text, const Extent *extent) {
  CakeStr first = lines_of(text, extent->first_line, extent->first_line);
  CakeStr last = lines_of(text, extent->last_line, extent->last_line);
  if (indentation(first) + 1 != extent->first_column || extent->last_column - 1 > last.len) return false;
  CakeStr rest = {last.ptr + extent->last_column - 1, last.len - (extent->last_column - 1)};
  size_t at = 0;
  CakeStr token;
  return cake_token_next(rest, &at, &token) == CAKE_TOK_EOF;
}

// ---- Applying ------------------------------------------------------------------------------------------------------

// Text that goes in front of a line, or a run of lines that goes away, or both.
typedef struct Change {
  uint32_t line, n_deleted;
  CakeBuf text;
} Change;

typedef CAKE_VEC(Change) Changes;

// Whether the tokens from `at` on are those of `old`; *out_end: behind them.
static bool has_tokens(CakeStr text, size_t at, CakeStr old, size_t *out_end) {
  CakeStr mine, wanted;
  for (size_t i = 0; cake_token_next(old, &i, &wanted) != CAKE_TOK_EOF;) {
    if (cake_token_next(text, &at, &mine) == CAKE_TOK_EOF || !cake_str_equal(mine, wanted)) return false;
    *out_end = at;
  }
  return true;
}

// The op's lines, with the first place that says `old` written anew. False: none does.
static bool plan_substitution(const Extent *op, CakeStr text, const CakeEdit *edit, Changes *out) {
  CakeStr lines = lines_of(text, op->first_line, op->last_line), token;
  size_t last = lines.len - lines_of(text, op->last_line, op->last_line).len, end = 0;
  CakeStr own = {lines.ptr, last + op->last_column - 1};
  for (size_t at = op->first_column - 1, next = at; cake_token_next(own, &next, &token) != CAKE_TOK_EOF; at = next) {
    size_t begin = (size_t)(token.ptr - own.ptr);
    if (!has_tokens(own, begin, edit->old, &end) || end <= begin) continue;
    Change change = {.line = op->first_line, .n_deleted = op->last_line - op->first_line + 1};
    cake_buf_append(&change.text, lines.ptr, begin);
    cake_buf_str(&change.text, edit->text);
    cake_buf_append(&change.text, lines.ptr + end, lines.len - end);
    CAKE_PUSH(out, change);
    return true;
  }
  return false;
}

static bool plan_edit(const Extents *extents, CakeStr text, const CakeEdit *edit, Changes *out) {
  const Extent *op = find(extents, edit->op), *other = NULL;
  bool is_move = edit->kind == CAKE_EDIT_MOVE_BEFORE || edit->kind == CAKE_EDIT_MOVE_BEHIND;
  if (is_move && (!(other = find(extents, edit->other)) || !has_own_lines(text, other))) return false;
  if (op && edit->kind == CAKE_EDIT_SUBSTITUTE) return plan_substitution(op, text, edit, out);
  if (!op || !has_own_lines(text, op)) return false;
  if (is_move || edit->kind == CAKE_EDIT_DELETE)
    CAKE_PUSH(out, (Change){.line = op->first_line, .n_deleted = op->last_line - op->first_line + 1});
  if (edit->kind == CAKE_EDIT_DELETE) return true;
  const Extent *at = is_move ? other : op;
  bool is_before = edit->kind == CAKE_EDIT_INSERT_BEFORE || edit->kind == CAKE_EDIT_MOVE_BEFORE;
  Change change = {.line = is_before ? at->first_line : at->last_line + 1};
  CakeStr line = lines_of(text, at->first_line, at->first_line);
  if (is_move) {
    cake_buf_str(&change.text, lines_of(text, op->first_line, op->last_line));
  } else {
    cake_buf_append(&change.text, line.ptr, indentation(line));
    cake_buf_str(&change.text, edit->text);
    cake_buf_char(&change.text, '\n');
  }
  CAKE_PUSH(out, change);
  return true;
}

// In the order of the lines; what goes in front of a line comes before what deletes it. False: two touch one line.
static bool sort_changes(Changes *changes) {
  for (size_t i = 1; i < changes->len; i++)
    for (size_t k = i; k > 0 && changes->data[k - 1].line > changes->data[k].line; k--) {
      Change swap = changes->data[k];
      changes->data[k] = changes->data[k - 1];
      changes->data[k - 1] = swap;
    }
  for (size_t i = 1; i < changes->len; i++) {
    const Change *before = &changes->data[i - 1];
    bool touch = before->n_deleted ? before->line + before->n_deleted > changes->data[i].line
                                   : before->line == changes->data[i].line && changes->data[i].n_deleted;
    if (touch) return false;
  }
  return true;
}

static void apply(CakeStr text, const Changes *changes, CakeBuf *out) {
  uint32_t line = 1;
  for (size_t i = 0; i < changes->len; i++) {
    const Change *change = &changes->data[i];
    if (change->line > line) cake_buf_str(out, lines_of(text, line, change->line - 1));
    bool is_open = change->text.len && out->len && out->data[out->len - 1] != '\n'; // behind a last line without an end
    if (is_open) cake_buf_char(out, '\n');
    if (change->text.len) cake_buf_str(out, cake_buf_view(&change->text));
    line = change->line + change->n_deleted;
  }
  cake_buf_str(out, lines_of(text, line, UINT32_MAX - 1));
}

bool cake_edits_apply(CakeContext *context, CakeStr file, CakeStr text, const CakeEdit *edits, CakeBuf *out) {
  Extents extents = {.context = context};
  Changes changes = {0};
  CakeRecorder recorder = {.op = record, .user = &extents};
  CakeDiagnosticFn handler;
  void *user;
  cake_context_set_handler(context, NULL, NULL, &handler, &user);
  CakeOp *module = cake_parse_recorded_module(context, file, text, &recorder);
  cake_context_set_handler(context, handler, user, NULL, NULL);
  bool ok = module && edits;
  for (const CakeEdit *edit = edits; ok && edit; edit = edit->next)
    ok = plan_edit(&extents, text, edit, &changes);
  ok = ok && sort_changes(&changes);
  if (ok) apply(text, &changes, out);
  for (size_t i = 0; i < changes.len; i++)
    cake_buf_fini(&changes.data[i].text);
  CAKE_VEC_FINI(&changes);
  CAKE_VEC_FINI(&extents.ops);
  if (module) cake_op_destroy(module);
  return ok;
}
