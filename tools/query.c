// A module that is asked, and the commands: match, help, quit.
#include "tools/query.h"

#include "cake/diagnostic.h"
#include "cake/text.h"
#include "cake/verify.h"

#include <string.h>

void query_init(Query *query, CakeOp *module) {
  *query = (Query){.context = module->context, .module = module};
  for (CakeOp *op = module; op; op = cake_op_walk_next(module, op, false)) {
    CAKE_PUSH(&query->ops, op);
    cake_map_set(&query->numbers, op, query->ops.len);
  }
}

void query_fini(Query *query) {
  CAKE_VEC_FINI(&query->ops);
  CAKE_VEC_FINI(&query->rewrites);
  cake_map_fini(&query->numbers);
}

size_t query_number(const Query *query, const CakeOp *op) {
  uintptr_t number;
  return cake_map_get(&query->numbers, op, &number) ? number - 1 : SIZE_MAX;
}

// ---- What matches --------------------------------------------------------------------------------------------------

typedef struct Notes {
  const CakeContext *context;
  CakeBuf *out;
} Notes;

static void put_note(void *user, const CakeDiagnostic *note) {
  const Notes *notes = user;
  cake_diag_print(notes->context, note, notes->out);
}

static bool has_source(const CakeOp *op) {
  CakeStr file;
  uint32_t line, column;
  return cake_loc_find_file(op->context, op->loc, &file, &line, &column) && line &&
         cake_context_find_source(op->context, file).ptr;
}

// Of an op without a source its text; of what has regions the first line.
static void put_text(const CakeOp *op, CakeBuf *out) {
  CakeBuf text = {0};
  cake_print_op(op, &(CakePrintOptions){.local_scope = true}, &text);
  cake_buf_printf(out, "%.*s\n", (int)strcspn(text.data, "\n"), text.data);
  cake_buf_fini(&text);
}

static void put_match(CakeOp *op, size_t number, CakeBuf *out) {
  Notes notes = {op->context, out};
  CakeDiagnosticFn handler;
  void *user;
  cake_buf_printf(out, "\nMatch #%zu:\n\n", number);
  cake_context_set_handler(op->context, put_note, &notes, &handler, &user);
  cake_diag_emit(op->context, cake_diag_begin(op->context, CAKE_NOTE, op->loc, CAKE_CODE_TOOL_USAGE, "'%s' op",
                                              op->info->name->text));
  cake_context_set_handler(op->context, handler, user, NULL, NULL);
  if (!has_source(op)) put_text(op, out);
}

static void put_matches(const Query *query, const bool *set, CakeBuf *out) {
  size_t count = 0;
  for (size_t i = 0; i < query->ops.len; i++)
    if (set[i]) put_match(query->ops.data[i], ++count, out);
  cake_buf_printf(out, "%s%zu %s.\n", count ? "" : "\n", count, count == 1 ? "match" : "matches");
}

static bool match(const Query *query, CakeLoc loc, CakeStr text, size_t column, CakeBuf *out) {
  CakeArena *arena = cake_arena_create();
  QueryResult result;
  bool is_fine = query_evaluate(query, arena, loc, column, text, &result);
  CakeOp *made = is_fine && result.function.len ? query_extract(query, &result) : NULL;
  if (made) cake_print_op(made, NULL, out);
  if (is_fine && !result.function.len) put_matches(query, result.set, out);
  cake_arena_destroy(arena);
  return is_fine && (made || !result.function.len);
}

// ---- Help ----------------------------------------------------------------------------------------------------------

static const struct {
  const char *name, *alias, *usage, *doc;
} commands[] = {
    {"match", "m", "match MATCHER", "shows the ops that it holds for; behind `.extract(\"f\")` a function of them"},
    {"help",  "h", "help [NAME]",   "shows this, or what is said of one matcher"                                  },
    {"quit",  "q", "quit",          "ends the session"                                                            }
};
enum { COMMAND_MATCH, COMMAND_HELP, COMMAND_QUIT };

static void put_row(const char *left, const char *doc, CakeBuf *out) {
  cake_buf_printf(out, "  %-34s %s\n", left, doc);
}

static void put_matcher(const QueryMatcher *matcher, CakeBuf *out) {
  CakeBuf left = {0};
  cake_buf_printf(&left, "%s(%s)", matcher->name, matcher->params);
  put_row(left.data, matcher->doc, out);
  cake_buf_fini(&left);
}

bool query_help(CakeStr name, CakeBuf *out) {
  size_t start = out->len;
  if (!name.len) cake_buf_text(out, "Commands (their first letters do, too):\n");
  for (size_t i = 0; i < CAKE_COUNT(commands); i++)
    if (!name.len || cake_str_is(name, commands[i].name)) put_row(commands[i].usage, commands[i].doc, out);
  if (!name.len) cake_buf_text(out, "\nMatchers, each the set of ops that it holds for:\n");
  for (const QueryMatcher *matcher = query_matchers; matcher->name; matcher++)
    if (!name.len || cake_str_is(name, matcher->name)) put_matcher(matcher, out);
  return out->len > start;
}

// ---- Commands ------------------------------------------------------------------------------------------------------

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

size_t query_open_brackets(CakeStr line, size_t open) {
  size_t at = 0;
  CakeStr spelling;
  for (CakeToken token = CAKE_TOK_BARE; token != CAKE_TOK_EOF;) {
    token = cake_token_next(line, &at, &spelling);
    open += token == CAKE_TOK_LPAREN;
    open -= token == CAKE_TOK_RPAREN && open;
  }
  return open;
}

// The command that begins at `at`: a line, and further ones while brackets are open; where the next one begins.
static size_t command_end(CakeStr text, size_t at) {
  size_t open = 0;
  do {
    const char *newline = memchr(text.ptr + at, '\n', text.len - at);
    size_t end = newline ? (size_t)(newline - text.ptr) + 1 : text.len;
    open = query_open_brackets((CakeStr){text.ptr + at, end - at}, open);
    at = end;
  } while (at < text.len && open);
  return at;
}

// Drops blanks in front and behind; *column counts those in front.
static CakeStr trimmed(CakeStr text, size_t *column) {
  while (text.len && is_blank(text.ptr[0]))
    text.ptr++, text.len--, ++*column;
  while (text.len && is_blank(text.ptr[text.len - 1]))
    text.len--;
  return text;
}

static bool fail(const Query *query, CakeLoc loc, const char *format, CakeStr what) {
  return cake_error_at(query->context, loc, CAKE_CODE_TOOL_USAGE, format, CAKE_STR_ARG(what));
}

static bool run_one(const Query *query, CakeId file, uint32_t line, CakeStr text, CakeBuf *out, bool *out_quits) {
  size_t column = 1, len = 0, command = 0;
  text = trimmed(text, &column);
  if (!text.len || cake_str_starts_with(text, "//")) return true;
  while (len < text.len && !is_blank(text.ptr[len]) && text.ptr[len] != '(')
    len++;
  CakeStr word = {text.ptr, len}, rest = {text.ptr + len, text.len - len};
  CakeLoc loc = cake_loc_file(query->context, file, line, (uint32_t)column);
  while (command < CAKE_COUNT(commands) && !cake_str_is(word, commands[command].name) &&
         !cake_str_is(word, commands[command].alias))
    command++;
  column += len;
  if (command == COMMAND_MATCH) return match(query, loc, rest, column, out);
  if (command == CAKE_COUNT(commands))
    return fail(query, loc, "no command '%.*s'; there are match, help and quit", word);
  rest = trimmed(rest, &column);
  loc = cake_loc_file(query->context, file, line, (uint32_t)column);
  if (command == COMMAND_HELP) return query_help(rest, out) || fail(query, loc, "no matcher or command '%.*s'", rest);
  return rest.len ? fail(query, loc, "quit takes nothing, but got '%.*s'", rest) : (*out_quits = true);
}

bool query_run(const Query *query, CakeId file, CakeStr text, CakeBuf *out, bool *out_quits) {
  uint32_t line = 1;
  *out_quits = false;
  cake_context_add_source(query->context, file, text);
  for (size_t at = 0, end; at < text.len && !*out_quits; at = end) {
    end = command_end(text, at);
    if (!run_one(query, file, line, (CakeStr){text.ptr + at, end - at}, out, out_quits)) return false;
    for (size_t i = at; i < end; i++)
      line += text.ptr[i] == '\n';
  }
  return true;
}
