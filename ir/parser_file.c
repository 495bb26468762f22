// A whole file: aliases, file metadata, operations; and single types and attributes.
#include "parser.h"

#include "cake/bytecode.h"

#include <string.h>

// ---- Aliases -------------------------------------------------------------------------------------------------------

static bool parse_alias_name(CakeParser *parser, const CakeMap *aliases, const char *kind, CakeId *out) {
  CakeStr name = {parser->token.ptr + 1, parser->token.len - 1};
  uintptr_t ignored;
  if (memchr(name.ptr, '.', name.len))
    return cake_parser_error(parser, CAKE_CODE_PARSE_NAME, "%s names with a '.' are reserved for dialect-defined names",
                             kind);
  *out = cake_id(parser->context, name);
  if (cake_map_get(aliases, *out, &ignored))
    return cake_parser_error(parser, CAKE_CODE_PARSE_NAME, "redefinition of %s alias id '%.*s'", kind,
                             CAKE_STR_ARG(name));
  cake_parser_next(parser);
  return cake_parser_expect(parser, CAKE_TOK_EQUAL);
}

// Aliases of aliases can stand for exponentially much, and printing writes it all out: hence a limit.
static bool weigh(CakeParser *parser, CakeLoc loc, const void *key, uint64_t before) {
  uint64_t weight = parser->weight - before;
  if (weight > CAKE_MAX_ALIAS_WEIGHT)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_DEPTH,
                                "the alias stands for more than %d types and attributes", CAKE_MAX_ALIAS_WEIGHT);
  cake_map_set(&parser->alias_weights, key, (uintptr_t)weight);
  return true;
}

static bool parse_type_alias(CakeParser *parser) {
  CakeLoc loc = cake_parser_loc(parser);
  uint64_t before = parser->weight;
  CakeId name;
  CakeType type;
  if (!parse_alias_name(parser, &parser->type_aliases, "type", &name) || !cake_parser_type(parser, &type)) return false;
  cake_map_set(&parser->type_aliases, name, (uintptr_t)type);
  return weigh(parser, loc, type, before);
}

static bool parse_attr_alias(CakeParser *parser) {
  CakeLoc loc = cake_parser_loc(parser);
  uint64_t before = parser->weight;
  CakeId name;
  CakeAttr attr;
  if (!parse_alias_name(parser, &parser->attr_aliases, "attribute", &name) || !cake_parser_attr(parser, NULL, &attr))
    return false;
  cake_map_set(&parser->attr_aliases, name, (uintptr_t)attr);
  return weigh(parser, loc, attr, before);
}

// ---- Entry points --------------------------------------------------------------------------------------------------

static bool parse_top(CakeParser *parser) {
  switch (parser->token.kind) {
  case CAKE_TOK_EXCLAIM: return parse_type_alias(parser);
  case CAKE_TOK_HASH: return parse_attr_alias(parser);
  case CAKE_TOK_FILE_METADATA_BEGIN: return cake_parser_metadata(parser);
  default: return cake_parser_op(parser);
  }
}

static bool parse_file(CakeParser *parser) {
  CakeNameScope names = cake_parser_push_names(parser, true);
  CakeLabelScope labels = cake_parser_push_labels(parser);
  while (parser->token.kind != CAKE_TOK_EOF) {
    if (!cake_parser_go_on(parser) || !parse_top(parser)) return false;
  }
  if (!cake_parser_check_to(parser, parser->lexer.end)) return false;
  cake_parser_want_op(parser);
  return cake_parser_pop_labels(parser, labels) && cake_parser_pop_names(parser, names) &&
         cake_parser_resolve_locs(parser);
}

bool cake_text_check_encoding(CakeContext *context, CakeId file, CakeStr text, uint32_t line) {
  const char *bad = cake_utf8_find_invalid(text);
  if (!bad) return true;
  const char *line_start = text.ptr;
  for (const char *p = text.ptr; (p = memchr(p, '\n', (size_t)(bad - p))) != NULL; line++)
    line_start = ++p;
  CakeLoc loc = cake_loc_file(context, file, line, (uint32_t)(bad - line_start) + 1);
  return cake_error_at(context, loc, CAKE_CODE_PARSE_ENCODING, "byte 0x%02X is not valid UTF-8 here",
                       (unsigned)(uint8_t)*bad);
}

// A single module at the top is the result itself.
static CakeOp *unwrap(CakeOp *wrapper) {
  CakeOp *only = cake_module_body(wrapper)->first;
  if (!only || only->next || !cake_op_is(only, "builtin.module")) return wrapper;
  cake_op_unlink(only);
  cake_op_destroy(wrapper);
  return only;
}

// The last line end in front of the last word; NULL: there is none.
static const char *quick_end(CakeStr text) {
  size_t at = text.len > sizeof(uint64_t) ? text.len - sizeof(uint64_t) : 0;
  while (at > 0 && text.ptr[at] != '\n')
    at--;
  return at ? text.ptr + at : NULL;
}

static CakeOp *parse_module(CakeContext *context, CakeStr file, CakeStr text, uint32_t line, bool is_mapped,
                            const CakeRecorder *recorder) {
  CakeId file_id = cake_id(context, file);
  if (cake_bytecode_is(text)) return cake_bytecode_read(context, file, text);
  if (!is_mapped && !cake_text_check_encoding(context, file_id, text, line)) return NULL;
  CakeOp *module = cake_module_create(context, cake_loc_file(context, file_id, 0, 0)); // as in MLIR
  CakeParser parser;
  cake_parser_init(&parser, context, file_id, text);
  cake_parser_start_at(&parser, line);
  if (is_mapped) {
    parser.step_at = parser.released = parser.checked = text.ptr;
    parser.release_at =
        text.len > CAKE_RELEASE_STEP ? text.ptr + CAKE_RELEASE_STEP : parser.lexer.end; // a small one stays
  } else {
    parser.checked = parser.lexer.end;
  }
  parser.block = cake_module_body(module);
  parser.recorder = recorder;
  if (!recorder) parser.quick_end = quick_end(text);
  parser.region_depth = 1;
  bool ok = parse_file(&parser);
  if (!ok && !recorder) cake_op_destroy(module); // the recorder may know values in it
  cake_parser_fini(&parser);
  return ok ? unwrap(module) : NULL;
}

CakeOp *cake_parse_module_part(CakeContext *context, CakeStr file, CakeStr text, CakeStr part, uint32_t line) {
  if (!text.ptr) text = part = CAKE_STR("");
  cake_context_add_source(context, cake_id(context, file), text);
  return parse_module(context, file, part, line, false, NULL);
}

CakeOp *cake_parse_module(CakeContext *context, CakeStr file, CakeStr text) {
  return cake_parse_module_part(context, file, text, text, 1);
}

CakeOp *cake_parse_mapped_module(CakeContext *context, CakeStr file, CakeStr text) {
  if (!text.ptr) text = CAKE_STR("");
  cake_context_add_source(context, cake_id(context, file), text);
  return parse_module(context, file, text, 1, true, NULL);
}

CakeOp *cake_parse_recorded_module(CakeContext *context, CakeStr file, CakeStr text, const CakeRecorder *recorder) {
  if (!text.ptr) text = CAKE_STR("");
  cake_context_add_source(context, cake_id(context, file), text);
  return parse_module(context, file, text, 1, false, recorder);
}

static bool at_end(CakeParser *parser) {
  return parser->token.kind == CAKE_TOK_EOF ||
         cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected end of text");
}

CakeType cake_parse_type_text(CakeContext *context, CakeStr text) {
  CakeParser parser;
  CakeType type = NULL;
  CakeId file = cake_id_text(context, "<text>");
  if (!cake_text_check_encoding(context, file, text, 1)) return NULL;
  cake_parser_init(&parser, context, file, text);
  bool ok = cake_parser_type(&parser, &type) && at_end(&parser);
  cake_parser_fini(&parser);
  return ok ? type : NULL;
}

CakeAttr cake_parse_attr_text(CakeContext *context, CakeStr text) {
  CakeParser parser;
  CakeAttr attr = NULL;
  CakeId file = cake_id_text(context, "<text>");
  if (!cake_text_check_encoding(context, file, text, 1)) return NULL;
  cake_parser_init(&parser, context, file, text);
  bool ok = cake_parser_attr(&parser, NULL, &attr) && at_end(&parser);
  cake_parser_fini(&parser);
  return ok ? attr : NULL;
}
