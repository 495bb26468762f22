// Actions as text: the log of all of them, and the trace of rewrites.
#include <string.h>

#include "cake/action.h"
#include "cake/context.h"
#include "cake/symbol.h"
#include "cake/text.h"

// ---- The log -------------------------------------------------------------------------------------------------------

static void write_line(const CakeActionLog *log, CakeBuf *line) {
  cake_buf_char(line, '\n');
  log->write(log->user, cake_buf_view(line));
  cake_buf_fini(line);
}

// "pattern 'mul_one'", "round 2".
static void put_action(const CakeAction *action, CakeBuf *out) {
  cake_buf_text(out, action->kind);
  if (action->number) cake_buf_printf(out, " %lld", (long long)action->number);
  if (action->name) cake_buf_printf(out, " '%s'", action->name);
}

static void log_begin(void *user, const CakeAction *action, bool is_left_out) {
  CakeActionLog *log = user;
  CakeBuf line = {0};
  CakeId symbol = cake_symbol_name(action->op);
  cake_buf_fill(&line, ' ', 2 * (size_t)log->depth);
  cake_buf_text(&line, is_left_out ? "leaves out " : "begins ");
  put_action(action, &line);
  cake_buf_printf(&line, " on '%s'", action->info->name->text);
  if (symbol) cake_buf_printf(&line, " @%s", symbol->text);
  cake_buf_text(&line, " at ");
  cake_print_loc(log->context, action->loc, &line);
  log->depth += !is_left_out;
  write_line(log, &line);
}

static void log_end(void *user, const CakeAction *action, CakeActionResult result, CakeStr reason) {
  static const char *const words[] = {
      [CAKE_ACTION_UNCHANGED] = "unchanged", [CAKE_ACTION_CHANGED] = "changed", [CAKE_ACTION_FAILED] = "failed"};
  CakeActionLog *log = user;
  CakeBuf line = {0};
  cake_buf_fill(&line, ' ', 2 * (size_t)--log->depth);
  cake_buf_text(&line, "completed ");
  put_action(action, &line);
  cake_buf_printf(&line, ": %s", words[result]);
  if (reason.len) cake_buf_printf(&line, ": %.*s", CAKE_STR_ARG(reason));
  write_line(log, &line);
}

CakeActionObserver cake_action_log(CakeActionLog *log) {
  return (CakeActionObserver){.user = log, .begins = log_begin, .ends = log_end};
}

// ---- The trace -----------------------------------------------------------------------------------------------------

// What the trace says of a kind of action that changed something; NULL: nothing.
static const char *rewritten(const CakeAction *action) {
  static const struct {
    const char *kind, *text;
  } rows[] = {
      {"canonicalize", "canonicalized by its hook"},
      {"fold",         "folded"                   },
      {"erase",        "erased, unused"           }
  };
  for (size_t i = 0; i < CAKE_COUNT(rows); i++)
    if (strcmp(action->kind, rows[i].kind) == 0) return rows[i].text;
  return NULL;
}

// "rewrite: FILE:LINE:COLUMN: 'op': WHAT".
static void trace_end(void *user, const CakeAction *action, CakeActionResult result, CakeStr reason) {
  const CakeRewriteTrace *trace = user;
  bool is_pattern = strcmp(action->kind, "pattern") == 0;
  const char *text = result == CAKE_ACTION_CHANGED ? rewritten(action) : NULL;
  if (!is_pattern && !text) return;
  cake_buf_text(trace->out, "rewrite: ");
  cake_print_loc(trace->context, action->loc, trace->out);
  cake_buf_printf(trace->out, ": '%s': ", action->info->name->text);
  if (text)
    cake_buf_text(trace->out, text);
  else if (result == CAKE_ACTION_CHANGED)
    cake_buf_printf(trace->out, "pattern '%s' applied", action->name);
  else
    cake_buf_printf(trace->out, "pattern '%s' does not apply: %.*s", action->name,
                    CAKE_STR_ARG(reason.len ? reason : CAKE_STR("no reason given")));
  cake_buf_char(trace->out, '\n');
}

CakeActionObserver cake_rewrite_trace(CakeRewriteTrace *trace) {
  return (CakeActionObserver){.user = trace, .ends = trace_end};
}
