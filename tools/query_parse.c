// Matchers as text: `name("arith.addi").operand(0, constant())`. Evaluated as they are read: each is a set of ops.
#include "tools/query.h"
#include "tools/tool.h"

#include "cake/diagnostic.h"
#include "cake/text.h"

#include <stdarg.h>
#include <string.h>

enum { MAX_DEPTH = 100, MAX_ARGS = 64 };

typedef struct Parser {
  const Query *query;
  CakeArena *arena;
  CakeId file;
  CakeStr text;
  const char *counted; // up to here lines and columns are counted
  uint32_t line;
  size_t column;
  size_t at;      // behind the token
  CakeToken kind; // the current token
  CakeStr spelling;
  unsigned depth;
} Parser;

// ---- Tokens --------------------------------------------------------------------------------------------------------

// Of the current token. Places are asked for from front to back: the last one is where counting goes on.
static CakeLoc here(Parser *parser) {
  for (; parser->counted < parser->spelling.ptr; parser->counted++) {
    bool is_newline = *parser->counted == '\n';
    parser->column = is_newline ? 1 : parser->column + 1;
    parser->line += is_newline;
  }
  return cake_loc_file(parser->query->context, parser->file, parser->line, (uint32_t)parser->column);
}

// A dot between two matchers is no token of IR.
static bool at_dot(const Parser *parser) {
  return parser->kind == CAKE_TOK_ERROR && parser->spelling.len && parser->spelling.ptr[0] == '.';
}

static void next(Parser *parser) {
  parser->kind = cake_token_next(parser->text, &parser->at, &parser->spelling);
  if (at_dot(parser)) parser->at = (size_t)(parser->spelling.ptr - parser->text.ptr) + 1;
}

static bool error(const Parser *parser, CakeLoc loc, const char *format, ...) CAKE_PRINTF(3, 4);
static bool error(const Parser *parser, CakeLoc loc, const char *format, ...) {
  CakeBuf message = {0};
  va_list args;
  va_start(args, format);
  cake_buf_vprintf(&message, format, args);
  va_end(args);
  cake_error_at(parser->query->context, loc, CAKE_CODE_TOOL_USAGE, "%s", message.data);
  cake_buf_fini(&message);
  return false;
}

static bool expect(Parser *parser, CakeToken kind, const char *what) {
  bool is_open = parser->kind == CAKE_TOK_ERROR && parser->spelling.len && parser->spelling.ptr[0] == '"';
  if (is_open) return error(parser, here(parser), "this string is not closed");
  if (parser->kind != kind) return error(parser, here(parser), "expected %s", what);
  next(parser);
  return true;
}

// ---- Matchers ------------------------------------------------------------------------------------------------------

static bool parse_matcher(Parser *parser, bool **out, QueryResult *result);

static bool takes(const QueryMatcher *matcher, const QueryArg *args, size_t n_args) {
  const char *kind = matcher->kinds;
  for (size_t i = 0; i < n_args; i++) {
    bool is_text = *kind == 't' || *kind == 'a';
    if (args[i].kind != (is_text ? 's' : *kind)) return false;
    kind += kind[1] != '*';
  }
  return *kind == '\0' || (n_args && kind[1] == '*');
}

static bool unknown(const Parser *parser, CakeLoc loc, CakeStr name) {
  CakeContext *context = parser->query->context;
  CakeDiagnostic *d =
      cake_diag_begin(context, CAKE_ERROR, loc, CAKE_CODE_TOOL_USAGE, "no matcher '%.*s'", CAKE_STR_ARG(name));
  CakeNearest nearest = cake_nearest_to(name);
  for (const QueryMatcher *matcher = query_matchers; matcher->name; matcher++)
    cake_nearest_consider(&nearest, matcher->name);
  if (nearest.best)
    cake_diag_fix(context, d, "did you mean '%s'? `help` shows all of them", nearest.best);
  else
    cake_diag_fix(context, d, "`help` shows all of them");
  return cake_diag_emit(context, d);
}

static bool wrong_arguments(const Parser *parser, CakeLoc loc, CakeStr name) {
  CakeBuf ways = {0};
  for (const QueryMatcher *matcher = query_matchers; matcher->name; matcher++)
    if (cake_str_is(name, matcher->name))
      cake_buf_printf(&ways, "%s%s(%s)", ways.len ? " or " : "", matcher->name, matcher->params);
  error(parser, loc, "these are not the arguments of %s", ways.data);
  cake_buf_fini(&ways);
  return false;
}

static void keep_message(void *user, const CakeDiagnostic *diagnostic) {
  cake_buf_str(user, diagnostic->message);
}

// Reads a string that is to be a type or an attribute.
static bool read_arg(const Parser *parser, char kind, QueryArg *arg) {
  CakeContext *context = parser->query->context;
  CakeDiagnosticFn handler;
  void *user;
  CakeBuf message = {0};
  cake_context_set_handler(context, keep_message, &message, &handler, &user);
  if (kind == 't') arg->type = cake_parse_type_text(context, arg->text);
  if (kind == 'a') arg->attr = cake_parse_attr_text(context, arg->text);
  cake_context_set_handler(context, handler, user, NULL, NULL);
  bool is_fine = (kind != 't' || arg->type) && (kind != 'a' || arg->attr);
  if (!is_fine)
    error(parser, arg->loc, "'%.*s' is no %s: %s", CAKE_STR_ARG(arg->text), kind == 't' ? "type" : "attribute",
          cake_buf_view(&message).ptr);
  cake_buf_fini(&message);
  return is_fine;
}

static bool read_args(const Parser *parser, const QueryMatcher *matcher, QueryArg *args, size_t n_args) {
  for (size_t i = 0; i < n_args && matcher->kinds[i]; i++)
    if (!read_arg(parser, matcher->kinds[i], &args[i])) return false;
  return true;
}

static bool find(Parser *parser, const QueryMatcher *matcher, QueryArg *args, size_t n_args, bool *out) {
  const Query *query = parser->query;
  if (!read_args(parser, matcher, args, n_args)) return false;
  if (matcher->find) return matcher->find(query, args, n_args, out);
  for (size_t i = 0; i < query->ops.len; i++)
    out[i] = matcher->holds(query, args, query->ops.data[i]);
  return true;
}

static void drop(Parser *parser, const bool *set) {
  if (set) cake_arena_free(parser->arena, (void *)(uintptr_t)set, parser->query->ops.len * sizeof *set);
}

static bool choose(Parser *parser, CakeLoc loc, CakeStr name, QueryArg *args, size_t n_args, bool **out) {
  bool is_known = false;
  *out = CAKE_ARENA_ARRAY(parser->arena, bool, parser->query->ops.len);
  for (const QueryMatcher *matcher = query_matchers; matcher->name; matcher++) {
    if (!cake_str_is(name, matcher->name)) continue;
    if (takes(matcher, args, n_args)) return find(parser, matcher, args, n_args, *out);
    is_known = true;
  }
  return is_known ? wrong_arguments(parser, loc, name) : unknown(parser, loc, name);
}

// With escapes replaced.
static bool parse_string(Parser *parser, CakeStr *out) {
  CakeAttr string = cake_parse_attr_text(parser->query->context, parser->spelling);
  if (!cake_attr_is(string, &cake_attr_def_string))
    return error(parser, here(parser), "%.*s is no string", CAKE_STR_ARG(parser->spelling));
  *out = cake_attr_string_value(string);
  next(parser);
  return true;
}

static bool parse_number(Parser *parser, int64_t *out) {
  CakeLoc loc = here(parser);
  CakeStr text = parser->spelling;
  if (parser->kind == CAKE_TOK_MINUS) {
    next(parser);
    text.len = (size_t)(parser->spelling.ptr + parser->spelling.len - text.ptr);
  }
  if (!cake_tool_int(text, out))
    return error(parser, loc, "expected a number of 64 bits, not '%.*s'", CAKE_STR_ARG(text));
  next(parser);
  return true;
}

static bool parse_arg(Parser *parser, QueryArg *out) {
  bool *set = NULL;
  *out = (QueryArg){.loc = here(parser)};
  switch (parser->kind) {
  case CAKE_TOK_STRING: out->kind = 's'; return parse_string(parser, &out->text);
  case CAKE_TOK_INT:
  case CAKE_TOK_MINUS: out->kind = 'n'; return parse_number(parser, &out->number);
  default: break;
  }
  out->kind = 'm';
  bool is_fine = parse_matcher(parser, &set, NULL);
  out->set = set;
  return is_fine;
}

// `( … )` behind a name.
static bool parse_args(Parser *parser, QueryArg *args, size_t *n_args) {
  *n_args = 0;
  if (!expect(parser, CAKE_TOK_LPAREN, "'(' behind the name of a matcher")) return false;
  while (parser->kind != CAKE_TOK_RPAREN) {
    if (*n_args && !expect(parser, CAKE_TOK_COMMA, "',' or ')'")) return false;
    if (*n_args == MAX_ARGS) return error(parser, here(parser), "more arguments than a matcher takes");
    if (!parse_arg(parser, &args[(*n_args)++])) return false;
  }
  next(parser);
  return true;
}

// What `.extract("f")` asks for.
static bool take_extract(Parser *parser, CakeLoc loc, const QueryArg *args, size_t n_args, QueryResult *result) {
  if (!result) return error(parser, loc, "'extract' stands behind the last matcher of a command alone");
  if (n_args != 1 || args[0].kind != 's' || !args[0].text.len)
    return error(parser, loc, "'extract' takes the name of a function: extract(\"f\")");
  result->function = args[0].text;
  result->loc = loc;
  return true;
}

// One matcher with its arguments. *out NULL: it was `extract`.
static bool parse_call(Parser *parser, bool may_extract, bool **out, QueryResult *result) {
  CakeLoc loc = here(parser);
  CakeStr name = parser->spelling;
  QueryArg args[MAX_ARGS];
  size_t n_args;
  *out = NULL;
  if (!expect(parser, CAKE_TOK_BARE, "the name of a matcher") || !parse_args(parser, args, &n_args)) return false;
  if (may_extract && cake_str_is(name, "extract")) return take_extract(parser, loc, args, n_args, result);
  bool is_fine = choose(parser, loc, name, args, n_args, out);
  for (size_t i = 0; i < n_args; i++)
    drop(parser, args[i].set);
  return is_fine;
}

// `a(…).b(…)`: both hold.
static bool parse_matcher(Parser *parser, bool **out, QueryResult *result) {
  bool *more = NULL;
  if (parser->depth == MAX_DEPTH) return error(parser, here(parser), "matchers are nested too deep");
  parser->depth++;
  bool is_fine = parse_call(parser, false, out, NULL);
  while (is_fine && at_dot(parser)) {
    next(parser);
    if (result && result->function.len) return error(parser, here(parser), "nothing stands behind extract(…)");
    is_fine = parse_call(parser, true, &more, result);
    for (size_t i = 0; is_fine && more && i < parser->query->ops.len; i++)
      (*out)[i] = (*out)[i] && more[i];
    drop(parser, more);
  }
  parser->depth--;
  return is_fine;
}

bool query_evaluate(const Query *query, CakeArena *arena, CakeLoc loc, size_t column, CakeStr text, QueryResult *out) {
  Parser parser = {.query = query, .arena = arena, .column = column, .text = text, .counted = text.ptr};
  CakeStr file;
  uint32_t ignored;
  if (!cake_loc_find_file(query->context, loc, &file, &parser.line, &ignored)) file = CAKE_STR("");
  parser.file = cake_id(query->context, file);
  *out = (QueryResult){0};
  next(&parser);
  if (!parse_matcher(&parser, &out->set, out)) return false;
  return parser.kind == CAKE_TOK_EOF ||
         error(&parser, here(&parser), "expected the end of the command, not '%.*s'", CAKE_STR_ARG(parser.spelling));
}
