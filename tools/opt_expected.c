// --verify-diagnostics: comments of the input say which diagnostics must come, and no others may.
//
//   // expected-error {{part of the message}}            on this line
//   // expected-note@+1 {{…}}  @-2                       on another line
//   // expected-note@below {{…}}  @above                 on the next line (the last one) that expects nothing itself
//   // expected-error@unknown {{…}}                      at no place in a file
//   // expected-warning-re {{literal {{regular expression}} literal}}
#include <regex.h>
#include <string.h>

#include "tools/opt.h"

typedef struct Expectation {
  CakeSeverity severity;
  uint32_t line;   // where it must come; 0: nowhere
  uint32_t column; // of the comment, for messages
  uint32_t own_line;
  CakeStr text;                    // between {{ and }}
  bool is_regex, is_below, is_met; // is_below: its line is still to come
} Expectation;

// A diagnostic that nobody expected, kept until the end.
typedef struct Surprise {
  CakeSeverity severity;
  CakeLoc loc;
  CakeStr message;
} Surprise;

struct OptExpected {
  CakeContext *context;
  CakeArena *arena;
  CakeId file;
  CAKE_VEC(Expectation) expectations;
  CAKE_VEC(Surprise) surprises;
  CAKE_VEC(Surprise) mistakes; // in the comments themselves
  bool is_partial;             // what nobody expected is no fault
};

static const char *const severity_names[] = {
    [CAKE_ERROR] = "error", [CAKE_WARNING] = "warning", [CAKE_REMARK] = "remark", [CAKE_NOTE] = "note"};

// ---- Reading the comments ------------------------------------------------------------------------------------------

typedef struct Cursor {
  CakeStr line;
  size_t at;
} Cursor;

static bool take(Cursor *cursor, const char *text) {
  size_t len = strlen(text);
  if (cursor->line.len - cursor->at < len || memcmp(cursor->line.ptr + cursor->at, text, len) != 0) return false;
  cursor->at += len;
  return true;
}

static void skip_blanks(Cursor *cursor) {
  while (cursor->at < cursor->line.len && (cursor->line.ptr[cursor->at] == ' ' || cursor->line.ptr[cursor->at] == '\t'))
    cursor->at++;
}

static uint32_t take_number(Cursor *cursor) {
  uint32_t number = 0;
  while (cursor->at < cursor->line.len && cursor->line.ptr[cursor->at] >= '0' && cursor->line.ptr[cursor->at] <= '9' &&
         number < 100000000)
    number = number * 10 + (uint32_t)(cursor->line.ptr[cursor->at++] - '0');
  return number;
}

// `@+1`, `@above` …; without one, this line. `plain`: the last line that expects nothing.
static uint32_t take_place(Cursor *cursor, uint32_t line, uint32_t plain, bool *out_is_below) {
  if (take(cursor, "@unknown")) return 0;
  if (take(cursor, "@above")) return plain;
  *out_is_below = take(cursor, "@below");
  if (*out_is_below) return line + 1;
  if (take(cursor, "@+")) return line + take_number(cursor);
  if (take(cursor, "@-")) {
    uint32_t back = take_number(cursor);
    return back < line ? line - back : 0;
  }
  return line;
}

// The text between {{ and the }} that closes it, with nested pairs.
static bool take_text(Cursor *cursor, CakeStr *out) {
  if (!take(cursor, "{{")) return false;
  size_t start = cursor->at, depth = 1;
  for (; cursor->at + 1 < cursor->line.len; cursor->at++) {
    const char *p = cursor->line.ptr + cursor->at;
    if (p[0] == '{' && p[1] == '{') {
      depth++;
      cursor->at++;
    } else if (p[0] == '}' && p[1] == '}') {
      if (--depth == 0) {
        // `}}}` ends with the last two: the first belongs to the text.
        while (cursor->at + 2 < cursor->line.len && cursor->line.ptr[cursor->at + 2] == '}')
          cursor->at++;
        *out = (CakeStr){cursor->line.ptr + start, cursor->at - start};
        cursor->at += 2;
        return true;
      }
      cursor->at++;
    }
  }
  return false;
}

static bool take_severity(Cursor *cursor, CakeSeverity *out) {
  for (size_t i = 0; i < CAKE_COUNT(severity_names); i++) {
    if (!take(cursor, severity_names[i])) continue;
    *out = (CakeSeverity)i;
    return true;
  }
  return false;
}

static void read_expectation(OptExpected *expected, Cursor *cursor, uint32_t line, uint32_t plain) {
  Expectation found = {.own_line = line, .column = (uint32_t)cursor->at + 1};
  if (!take(cursor, "expected-")) {
    cursor->at++;
    return;
  }
  if (!take_severity(cursor, &found.severity)) return;
  found.is_regex = take(cursor, "-re");
  skip_blanks(cursor);
  found.line = take_place(cursor, line, plain, &found.is_below);
  skip_blanks(cursor);
  if (take_text(cursor, &found.text))
    CAKE_PUSH(&expected->expectations, found);
  else
    CAKE_PUSH(&expected->mistakes,
              (Surprise){CAKE_ERROR, cake_loc_file(expected->context, expected->file, line, found.column),
                         CAKE_STR("expected {{text}} behind this, on one line")});
}

static void read_comments(OptExpected *expected, CakeStr text, uint32_t line) {
  uint32_t plain = line ? line - 1 : 0;
  size_t pending = 0; // expectations from here on may wait for their line
  for (size_t start = 0; start < text.len; line++) {
    const char *end = memchr(text.ptr + start, '\n', text.len - start);
    size_t len = end ? (size_t)(end - text.ptr) - start : text.len - start;
    Cursor cursor = {
        {text.ptr + start, len},
        0
    };
    size_t before = expected->expectations.len;
    while (cursor.at < len) {
      const char *e = memchr(cursor.line.ptr + cursor.at, 'e', len - cursor.at);
      if (!e) break;
      cursor.at = (size_t)(e - cursor.line.ptr);
      read_expectation(expected, &cursor, line, plain);
    }
    if (expected->expectations.len == before) {
      for (plain = line; pending < before; pending++)
        if (expected->expectations.data[pending].is_below) expected->expectations.data[pending].line = line;
    }
    start += len + 1;
  }
}

OptExpected *opt_expected_create(CakeContext *context, CakeStr file, CakeStr text, uint32_t line, bool is_partial) {
  CakeArena *arena = cake_arena_create();
  OptExpected *expected = CAKE_ARENA_NEW(arena, OptExpected);
  expected->context = context;
  expected->arena = arena;
  expected->is_partial = is_partial;
  expected->file = cake_id(context, file);
  read_comments(expected, text, line);
  return expected;
}

// ---- Comparing -----------------------------------------------------------------------------------------------------

static bool contains(CakeStr text, CakeStr part) {
  for (size_t i = 0; i + part.len <= text.len; i++)
    if (memcmp(text.ptr + i, part.ptr, part.len) == 0) return true;
  return part.len == 0;
}

// Text outside of {{…}} is literal.
static void to_regex(CakeStr text, CakeBuf *out) {
  bool is_literal = true;
  for (size_t i = 0; i < text.len; i++) {
    char c = text.ptr[i];
    bool is_pair = i + 1 < text.len && text.ptr[i + 1] == c;
    if (is_pair && c == (is_literal ? '{' : '}')) {
      cake_buf_char(out, is_literal ? '(' : ')');
      is_literal = !is_literal;
      i++;
      continue;
    }
    if (is_literal && strchr(".[]{}()*+?^$|\\", c)) cake_buf_char(out, '\\');
    cake_buf_char(out, c);
  }
}

// regcomp descends into groups by recursion.
static bool is_too_deep(CakeStr pattern) {
  enum { MOST_GROUPS = 500 };
  size_t groups = 0;
  for (size_t i = 0; i < pattern.len; i++)
    groups += pattern.ptr[i] == '(';
  return groups > MOST_GROUPS;
}

static bool matches_regex(CakeStr message, CakeStr pattern) {
  CakeBuf expression = {0}, text = {0};
  regex_t regex;
  cake_buf_text(&expression, "");
  to_regex(pattern, &expression);
  cake_buf_str(&text, message);
  cake_buf_text(&text, "");
  bool is_match =
      expression.data && !is_too_deep(pattern) && regcomp(&regex, expression.data, REG_EXTENDED | REG_NOSUB) == 0;
  if (is_match) {
    is_match = regexec(&regex, text.data ? text.data : "", 0, NULL, 0) == 0;
    regfree(&regex);
  }
  cake_buf_fini(&expression);
  cake_buf_fini(&text);
  return is_match;
}

// The line of a place in our file; 0 when it is in none.
static uint32_t line_of(const OptExpected *expected, CakeLoc loc) {
  CakeStr file;
  uint32_t line, column;
  if (!cake_loc_find_file(expected->context, loc, &file, &line, &column)) return 0;
  return cake_str_equal(file, cake_id_str(expected->file)) ? line : 0;
}

static void meet(OptExpected *expected, CakeSeverity severity, CakeLoc loc, CakeStr message) {
  uint32_t line = line_of(expected, loc);
  for (size_t i = 0; i < expected->expectations.len; i++) {
    Expectation *e = &expected->expectations.data[i];
    if (e->is_met || e->severity != severity || e->line != line) continue;
    if (!(e->is_regex ? matches_regex(message, e->text) : contains(message, e->text))) continue;
    e->is_met = true;
    return;
  }
  if (expected->is_partial) return;
  CAKE_PUSH(&expected->surprises, (Surprise){severity, loc, cake_arena_str(expected->arena, message)});
}

void opt_expected_handle(void *user, const CakeDiagnostic *diagnostic) {
  OptExpected *expected = user;
  meet(expected, diagnostic->severity, diagnostic->loc, diagnostic->message);
  for (const CakeDiagnostic *note = diagnostic->first_note; note; note = note->next)
    meet(expected, note->severity, note->loc, note->message);
}

bool opt_expected_finish(OptExpected *expected, CakeDiagnosticFn report, void *user) {
  CakeContext *context = expected->context;
  size_t faults = expected->mistakes.len + expected->surprises.len;
  cake_context_set_handler(context, report, user, NULL, NULL);
  for (size_t i = 0; i < expected->mistakes.len; i++)
    cake_error_at(context, expected->mistakes.data[i].loc, CAKE_CODE_EXPECTED_DIAGNOSTIC, "%.*s",
                  CAKE_STR_ARG(expected->mistakes.data[i].message));
  for (size_t i = 0; i < expected->surprises.len; i++) {
    const Surprise *s = &expected->surprises.data[i];
    cake_error_at(context, s->loc, CAKE_CODE_EXPECTED_DIAGNOSTIC, "unexpected %s: %.*s", severity_names[s->severity],
                  CAKE_STR_ARG(s->message));
  }
  for (size_t i = 0; i < expected->expectations.len; i++) {
    const Expectation *e = &expected->expectations.data[i];
    if (e->is_met) continue;
    faults++;
    cake_error_at(context, cake_loc_file(context, expected->file, e->own_line, e->column),
                  CAKE_CODE_EXPECTED_DIAGNOSTIC, "expected %s \"%.*s\" was not produced", severity_names[e->severity],
                  CAKE_STR_ARG(e->text));
  }
  CAKE_VEC_FINI(&expected->expectations);
  CAKE_VEC_FINI(&expected->surprises);
  CAKE_VEC_FINI(&expected->mistakes);
  cake_arena_destroy(expected->arena);
  return faults == 0;
}
