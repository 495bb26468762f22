// Pipelines as text: "builtin.module(func.func(cse,canonicalize{max-iterations=3}),symbol-dce)", parsed without recursion, and printed.
#include "pass.h"

#include <string.h>

enum { MAX_NESTING = 64 };

void cake_pipeline_add_node(PipelineNode *parent, PipelineNode *node) {
  node->parent = parent;
  *(parent->last ? &parent->last->next : &parent->first) = node;
  parent->last = node;
}

PipelineNode *cake_pipeline_node(CakePipeline *pipeline, PipelineNode *parent, CakePass *pass, CakeStr anchor) {
  PipelineNode *node = CAKE_ARENA_NEW(pipeline->arena, PipelineNode);
  node->pass = pass;
  node->anchor = cake_arena_str(pipeline->arena, anchor);
  if (parent) cake_pipeline_add_node(parent, node);
  return node;
}

CakePipeline *cake_pipeline_create(CakeContext *context, const CakePassRegistry *registry) {
  CakeArena *arena = cake_arena_create();
  CakePipeline *pipeline = CAKE_ARENA_NEW(arena, CakePipeline);
  *pipeline = (CakePipeline){.context = context, .registry = registry, .arena = arena};
  pipeline->root = cake_pipeline_node(pipeline, NULL, NULL, CAKE_STR("builtin.module"));
  return pipeline;
}

// The node behind this one in pre-order; NULL at the end.
static PipelineNode *next_node(PipelineNode *node) {
  if (node->first) return node->first;
  while (node && !node->next)
    node = node->parent;
  return node ? node->next : NULL;
}

void cake_pipeline_destroy(CakePipeline *pipeline) {
  if (!pipeline) return;
  for (PipelineNode *node = pipeline->root; node; node = next_node(node))
    if (node->pass) cake_pass_fini(node->pass);
  for (size_t i = 0; i < pipeline->dynamic.len; i++)
    cake_arena_destroy(pipeline->dynamic.data[i].pipeline->arena); // its nodes are among ours
  CAKE_VEC_FINI(&pipeline->dynamic);
  cake_arena_destroy(pipeline->arena);
}

// ---- Parsing -------------------------------------------------------------------------------------------------------

typedef struct Scanner {
  CakePipeline *pipeline;
  CakeId file;
  CakeStr text;
  size_t at, column; // column of text[0], from 0
} Scanner;

static CakeLoc place(const Scanner *scanner, size_t at) {
  return cake_loc_file(scanner->pipeline->context, scanner->file, 1, (uint32_t)(scanner->column + at + 1));
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

static bool is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

static char peek(Scanner *scanner) {
  while (scanner->at < scanner->text.len && is_blank(scanner->text.ptr[scanner->at]))
    scanner->at++;
  return scanner->at < scanner->text.len ? scanner->text.ptr[scanner->at] : '\0';
}

static bool accept(Scanner *scanner, char c) {
  if (peek(scanner) != c || c == '\0') return false;
  scanner->at++;
  return true;
}

static CakeStr scan_name(Scanner *scanner) {
  peek(scanner);
  size_t start = scanner->at;
  while (scanner->at < scanner->text.len && is_name(scanner->text.ptr[scanner->at]))
    scanner->at++;
  return (CakeStr){scanner->text.ptr + start, scanner->at - start};
}

static bool syntax_error(Scanner *scanner, size_t at, const char *message) {
  return cake_error_at(scanner->pipeline->context, place(scanner, at), CAKE_CODE_PASS_PIPELINE, "%s", message);
}

size_t cake_pass_value_end(CakeStr text, size_t at, char separator) {
  size_t depth = 0;
  char quote = '\0';
  for (; at < text.len; at++) {
    char c = text.ptr[at];
    if (quote) {
      if (c == quote) quote = '\0';
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '{' || c == '[' || c == '(') {
      depth++;
    } else if (depth && (c == '}' || c == ']' || c == ')')) {
      depth--;
    } else if (!depth && (separator == ' ' ? is_blank(c) : c == separator)) {
      break;
    }
  }
  return at;
}

// Where the quotes or braces that a text begins with end; 0: it begins with none, or they do not.
static size_t wrap_end(CakeStr value) {
  size_t depth = 0;
  char quote = '\0';
  for (size_t at = 0; at < value.len; at++) {
    char c = value.ptr[at];
    bool is_quote = c == '"' || c == '\'';
    if (quote ? c == quote : is_quote) quote = quote ? '\0' : c;
    if (!quote && !is_quote) depth += (c == '{') - (size_t)(c == '}' && depth);
    if (!quote && !depth) return at;
  }
  return 0;
}

CakeStr cake_pass_unwrapped(CakeStr value) {
  while (value.len && is_blank(value.ptr[0]))
    value = (CakeStr){value.ptr + 1, value.len - 1};
  while (value.len && is_blank(value.ptr[value.len - 1]))
    value.len--;
  size_t end = wrap_end(value);
  return end && end == value.len - 1 ? (CakeStr){value.ptr + 1, value.len - 2} : value;
}

bool cake_pass_parse_options(CakePipeline *pipeline, CakePass *pass, CakeStr text, CakeId file, size_t column) {
  Scanner scanner = {.pipeline = pipeline, .file = file, .text = text, .column = column};
  while (peek(&scanner)) {
    size_t start = scanner.at;
    CakeStr name = scan_name(&scanner), value = {0};
    if (name.len == 0) return syntax_error(&scanner, start, "expected the name of an option");
    if (scanner.at < text.len && text.ptr[scanner.at] == '=') {
      size_t end = cake_pass_value_end(text, ++scanner.at, ' ');
      value = cake_pass_unwrapped((CakeStr){text.ptr + scanner.at, end - scanner.at});
      scanner.at = end;
    }
    if (!cake_pass_set_option(pipeline, pass, name, value, place(&scanner, start))) return false;
  }
  return true;
}

// `{…}` behind a pass.
static bool scan_options(Scanner *scanner, CakePass *pass) {
  size_t open = scanner->at, depth = 0, at = open;
  char quote = '\0';
  for (; at < scanner->text.len; at++) {
    char c = scanner->text.ptr[at];
    if (quote ? c == quote : (c == '"' || c == '\'')) quote = quote ? '\0' : c;
    if (quote) continue;
    if (c == '{') depth++;
    if (c == '}' && --depth == 0) break;
  }
  if (at >= scanner->text.len) return syntax_error(scanner, open, "this '{' is not closed");
  CakeStr inside = {scanner->text.ptr + open + 1, at - open - 1};
  scanner->at = at + 1;
  return cake_pass_parse_options(scanner->pipeline, pass, inside, scanner->file, scanner->column + open + 1);
}

// Whether a pass on `anchor` may stand in a pipeline on `node`.
static bool fits(const CakePassDef *def, const PipelineNode *node) {
  return !def->anchor || cake_str_is(node->anchor, def->anchor);
}

static bool unknown_pass(Scanner *scanner, CakeStr name, size_t at) {
  return cake_error_at(scanner->pipeline->context, place(scanner, at), CAKE_CODE_PASS_PIPELINE,
                       "'%.*s' is no registered pass (--list-passes shows them)", CAKE_STR_ARG(name));
}

static bool scan_pass(Scanner *scanner, PipelineNode *node, CakeStr name, size_t at) {
  const CakePassDef *def = cake_pass_find(scanner->pipeline->registry, name);
  if (!def) return unknown_pass(scanner, name, at);
  if (!fits(def, node))
    return cake_error_at(scanner->pipeline->context, place(scanner, at), CAKE_CODE_PASS_PIPELINE,
                         "pass '%s' runs on '%s', not on '%.*s': write %s(%s)", def->name, def->anchor,
                         CAKE_STR_ARG(node->anchor), def->anchor, def->name);
  CakePass *pass = cake_pass_create(scanner->pipeline, def);
  cake_pipeline_node(scanner->pipeline, node, pass, CAKE_STR(""));
  return peek(scanner) != '{' || scan_options(scanner, pass);
}

// Items up to the root's closing parenthesis. `open` and `depth` say where the innermost open one stands.
static bool scan_items(Scanner *scanner) {
  PipelineNode *node = scanner->pipeline->root;
  size_t opened[MAX_NESTING] = {0}, depth = 1;
  opened[0] = scanner->at - 1;
  bool wants_item = peek(scanner) != ')';
  while (depth) {
    if (wants_item) {
      CakeStr name = scan_name(scanner);
      size_t at = scanner->at - name.len;
      if (name.len == 0)
        return syntax_error(scanner, at,
                            peek(scanner) ? "expected a pass or 'anchor(…)'"
                                          : "the pipeline ends where a pass is expected");
      if (accept(scanner, '(')) {
        if (depth == MAX_NESTING) return syntax_error(scanner, at, "the pipeline is nested deeper than 64 levels");
        node = cake_pipeline_node(scanner->pipeline, node, NULL, name);
        opened[depth++] = scanner->at - 1;
        wants_item = peek(scanner) != ')';
        continue;
      }
      if (!scan_pass(scanner, node, name, at)) return false;
    }
    wants_item = accept(scanner, ',');
    if (wants_item) continue;
    if (accept(scanner, ')')) {
      node = node->parent;
      depth--;
    } else {
      return peek(scanner) ? syntax_error(scanner, scanner->at, "expected ',' or ')'")
                           : syntax_error(scanner, opened[depth - 1], "this '(' is not closed");
    }
  }
  return peek(scanner) == '\0' || syntax_error(scanner, scanner->at, "expected the end of the pipeline");
}

static bool scan_pipeline(Scanner *scanner) {
  CakeStr anchor = scan_name(scanner);
  if (anchor.len == 0 || !accept(scanner, '('))
    return syntax_error(
        scanner, 0, "expected pass pipeline to be wrapped with the anchor operation type, e.g. 'builtin.module(...)'");
  scanner->pipeline->root->anchor = cake_arena_str(scanner->pipeline->arena, anchor);
  return scan_items(scanner);
}

CakePipeline *cake_pipeline_parse(CakeContext *context, const CakePassRegistry *registry, CakeStr text) {
  CakePipeline *pipeline = cake_pipeline_create(context, registry);
  CakeId file = cake_id_text(context, "<pass-pipeline>");
  CakeStr kept = cake_arena_str(cake_context_arena(context), text); // diagnostics show it later
  cake_context_add_source(context, file, kept);
  Scanner scanner = {.pipeline = pipeline, .file = file, .text = kept};
  if (scan_pipeline(&scanner)) return pipeline;
  cake_pipeline_destroy(pipeline);
  return NULL;
}

bool cake_pipeline_add(CakePipeline *pipeline, CakeStr name, CakeStr options_text) {
  const CakePassDef *def = cake_pass_find(pipeline->registry, name);
  if (!def)
    return cake_error_at(pipeline->context, cake_loc_unknown(), CAKE_CODE_PASS_PIPELINE, "'%.*s' is no registered pass",
                         CAKE_STR_ARG(name));
  PipelineNode *node = pipeline->root;
  if (!fits(def, node)) { // on the ops that it asks for, directly inside
    bool is_open = node->last && !node->last->pass && cake_str_is(node->last->anchor, def->anchor);
    node = is_open ? node->last : cake_pipeline_node(pipeline, node, NULL, cake_str(def->anchor));
  }
  CakePass *pass = cake_pass_create(pipeline, def);
  cake_pipeline_node(pipeline, node, pass, CAKE_STR(""));
  CakeStr kept = cake_arena_str(cake_context_arena(pipeline->context), options_text);
  CakeId file = cake_id_text(pipeline->context, "<pass-options>");
  cake_context_add_source(pipeline->context, file, kept);
  return cake_pass_parse_options(pipeline, pass, kept, file, 0);
}

// ---- Printing ------------------------------------------------------------------------------------------------------

static bool has_any(CakeStr value, const char *chars) {
  for (size_t i = 0; i < value.len; i++)
    if (value.ptr[i] != '\0' && strchr(chars, value.ptr[i])) return true;
  return false;
}

// So that it parses back: in braces, or in the quotes that it does not hold (the parser takes no value with both).
static void print_value(CakeStr value, CakeBuf *out) {
  bool is_bare = value.len && !has_any(value, " \t\r\n{}[](),'\"");
  bool in_braces = !has_any(value, "{}[]()'\"");
  const char *around = is_bare ? "" : in_braces ? "{}" : has_any(value, "\"") ? "''" : "\"\"";
  if (around[0]) cake_buf_char(out, around[0]);
  cake_buf_str(out, value);
  if (around[0]) cake_buf_char(out, around[1]);
}

// A list is in braces, so that what it holds is no other value.
static void print_option(CakeOptionKind kind, const PassValue *value, CakeBuf *out) {
  bool is_list = cake_option_is_list(kind);
  if (is_list) cake_buf_char(out, '{');
  for (size_t i = 0; i < value->elements.len; i++) {
    if (i) cake_buf_char(out, ',');
    print_value(value->elements.data[i], out);
  }
  if (is_list) cake_buf_char(out, '}');
}

void cake_pipeline_print_pass(const CakePass *pass, CakeBuf *out) {
  cake_buf_text(out, pass->def->name);
  if (pass->def->n_options == 0) return;
  for (size_t i = 0; i < pass->def->n_options; i++) {
    cake_buf_printf(out, "%s%s=", i ? " " : "{", pass->def->options[i].name);
    print_option(pass->def->options[i].kind, &pass->values[i], out);
  }
  cake_buf_char(out, '}');
}

void cake_pipeline_print(const CakePipeline *pipeline, CakeBuf *out) {
  const PipelineNode *node = pipeline->root;
  while (node) {
    if (node->pass)
      cake_pipeline_print_pass(node->pass, out);
    else
      cake_buf_printf(out, "%.*s(", CAKE_STR_ARG(node->anchor));
    if (node->first && !node->pass) {
      node = node->first;
      continue;
    }
    if (!node->pass) cake_buf_char(out, ')');
    while (node && !node->next) {
      node = node->parent;
      if (node) cake_buf_char(out, ')');
    }
    if (node) {
      cake_buf_char(out, ',');
      node = node->next;
    }
  }
}
