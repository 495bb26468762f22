// Diagnostics as people and as programs read them: text with the source line and a caret, or JSON.
#include "core.h"

#include "cake/finding.h"

#include <string.h>

// Bytes of a source line that are shown at most; a longer line is cut around the caret.
enum { SHOWN_BYTES = 160 };

// ---- Sources -------------------------------------------------------------------------------------------------------

void cake_context_add_source(CakeContext *context, CakeId file, CakeStr text) {
  for (size_t i = 0; i < context->sources.len; i++) {
    CakeSource *source = &context->sources.data[i];
    if (source->file != file) continue;
    source->text = text;
    source->n_lines = 0;
    return;
  }
  CAKE_PUSH(&context->sources, (CakeSource){.file = file, .text = text});
}

static CakeSource *find_source(const CakeContext *context, CakeStr file) {
  for (size_t i = 0; i < context->sources.len; i++) {
    CakeSource *source = &context->sources.data[i];
    if (cake_str_equal(cake_id_str(source->file), file)) return source;
  }
  return NULL;
}

CakeStr cake_context_find_source(const CakeContext *context, CakeStr file) {
  const CakeSource *source = find_source(context, file);
  return source ? source->text : (CakeStr){NULL, 0};
}

static void push_line(CakeSource *source, size_t start) {
  if (source->n_lines == source->lines_capacity) {
    source->line_starts = cake_vec_grow(source->line_starts, &source->lines_capacity, sizeof(size_t));
  }
  source->line_starts[source->n_lines++] = start;
}

static void index_lines(CakeSource *source) {
  push_line(source, 0);
  const char *text = source->text.ptr, *end = text + source->text.len;
  for (const char *at = text; (at = memchr(at, '\n', (size_t)(end - at)));)
    push_line(source, (size_t)(++at - text));
}

// Line number `line` (from 1) without its end; {NULL, 0} when there is none.
static CakeStr source_line(CakeSource *source, uint32_t line) {
  if (!source->text.ptr) return (CakeStr){NULL, 0};
  if (source->n_lines == 0) index_lines(source);
  if (line == 0 || line > source->n_lines) return (CakeStr){NULL, 0};
  size_t start = source->line_starts[line - 1];
  size_t end = line < source->n_lines ? source->line_starts[line] - 1 : source->text.len;
  if (end > start && source->text.ptr[end - 1] == '\r') end--;
  return (CakeStr){source->text.ptr + start, end - start};
}

// ---- Text ----------------------------------------------------------------------------------------------------------

static bool is_continuation(char c) {
  return ((unsigned char)c & 0xc0) == 0x80;
}

// The part of `line` that is shown for a caret at byte `at`.
static void window(CakeStr line, size_t at, size_t *out_begin, size_t *out_end) {
  *out_begin = 0;
  *out_end = line.len;
  if (line.len <= SHOWN_BYTES) return;
  if (at > SHOWN_BYTES / 2) *out_begin = at - SHOWN_BYTES / 2;
  if (*out_begin + SHOWN_BYTES < line.len)
    *out_end = *out_begin + SHOWN_BYTES;
  else
    *out_begin = line.len - SHOWN_BYTES;
  for (int i = 0; i < 3 && *out_begin > 0 && is_continuation(line.ptr[*out_begin]); i++)
    --*out_begin;
  for (int i = 0; i < 3 && *out_end < line.len && is_continuation(line.ptr[*out_end]); i++)
    ++*out_end;
}

// Blanks as wide as `text` is shown: tabs stay tabs.
static void blanks(CakeBuf *out, CakeStr text) {
  for (size_t i = 0; i < text.len;) {
    size_t len = cake_utf8_length(text.ptr + i, text.len - i);
    cake_buf_char(out, text.ptr[i] == '\t' ? '\t' : ' ');
    i += len ? len : 1;
  }
}

static void print_source_line(CakeStr line, uint32_t column, CakeBuf *out) {
  size_t at = column ? column - 1 : 0;
  if (at > line.len) at = line.len;
  size_t begin, end;
  window(line, at, &begin, &end);
  if (begin > 0) cake_buf_text(out, "...");
  cake_buf_safe(out, (CakeStr){line.ptr + begin, end - begin});
  if (end < line.len) cake_buf_text(out, "...");
  cake_buf_char(out, '\n');
  if (column == 0) return;
  if (begin > 0) cake_buf_text(out, "   ");
  blanks(out, (CakeStr){line.ptr + begin, at - begin});
  cake_buf_text(out, "^\n");
}

static const char *severity_name(CakeSeverity severity) {
  static const char *const names[] = {"error", "warning", "remark", "note"};
  return (unsigned)severity < CAKE_COUNT(names) ? names[severity] : "error";
}

// `file:line:col: severity: message [CODE]` and the source line.
static void print_one(const CakeContext *context, const CakeDiagnostic *diagnostic, CakeBuf *out) {
  CakeStr file = {NULL, 0};
  uint32_t line = 0, column = 0;
  bool has_place = cake_loc_find_file(context, diagnostic->loc, &file, &line, &column);
  if (has_place) {
    cake_buf_safe(out, file);
    cake_buf_printf(out, ":%u:%u: ", line, column);
  } else {
    cake_buf_text(out, "<unknown>:0: ");
  }
  cake_buf_printf(out, "%s: ", severity_name(diagnostic->severity));
  cake_buf_safe(out, diagnostic->message);
  if (diagnostic->severity != CAKE_NOTE) cake_buf_printf(out, " [%s]", cake_code_name(diagnostic->code));
  cake_buf_char(out, '\n');
  CakeSource *source = has_place ? find_source(context, file) : NULL;
  CakeStr text = source ? source_line(source, line) : (CakeStr){NULL, 0};
  if (text.ptr) print_source_line(text, column, out);
}

void cake_diag_print(const CakeContext *context, const CakeDiagnostic *diagnostic, CakeBuf *out) {
  print_one(context, diagnostic, out);
  for (const CakeDiagnostic *note = diagnostic->first_note; note; note = note->next)
    print_one(context, note, out);
  if (diagnostic->fix.len) {
    cake_buf_text(out, "fix: ");
    cake_buf_safe(out, diagnostic->fix);
    cake_buf_char(out, '\n');
  }
}

// ---- JSON ----------------------------------------------------------------------------------------------------------

// What contract of the machine or the language it is about.
static void json_finding(const CakeDiagnostic *diagnostic, CakeJson *json) {
  const CakeFinding *finding = cake_finding_find(diagnostic->code);
  if (!finding) return;
  cake_json_key(json, "category");
  cake_json_str(json, cake_str(cake_category_name(finding->category)));
  cake_json_key(json, "clause");
  cake_json_str(json, cake_str(finding->clause));
}

static void json_members(const CakeContext *context, const CakeDiagnostic *diagnostic, CakeJson *json) {
  CakeStr file;
  uint32_t line, column;
  if (cake_loc_find_file(context, diagnostic->loc, &file, &line, &column)) {
    cake_json_key(json, "file");
    cake_json_str(json, file);
    cake_json_key(json, "line");
    cake_json_int(json, line);
    cake_json_key(json, "column");
    cake_json_int(json, column);
  }
  cake_json_key(json, "message");
  cake_json_str(json, diagnostic->message);
}

void cake_diag_json(const CakeContext *context, const CakeDiagnostic *diagnostic, CakeJson *json) {
  cake_json_begin_object(json);
  cake_json_key(json, "severity");
  cake_json_str(json, cake_str(severity_name(diagnostic->severity)));
  cake_json_key(json, "code");
  cake_json_str(json, cake_str(cake_code_name(diagnostic->code)));
  json_finding(diagnostic, json);
  json_members(context, diagnostic, json);
  cake_json_key(json, "notes");
  cake_json_begin_array(json);
  for (const CakeDiagnostic *note = diagnostic->first_note; note; note = note->next) {
    cake_json_begin_object(json);
    json_members(context, note, json);
    cake_json_end_object(json);
  }
  cake_json_end_array(json);
  if (diagnostic->fix.len) {
    cake_json_key(json, "fix");
    cake_json_str(json, diagnostic->fix);
  }
  cake_json_end_object(json);
}
