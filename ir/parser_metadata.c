// File metadata: `{-# dialect_resources: {…}, external_resources: {…} #-}`.
//
// Blobs of builtin resources are kept by their key; what other tools have left for themselves is read over.
#include "parser.h"

#include <string.h>

static bool expect_colon(CakeParser *parser) {
  return cake_parser_expect(parser, CAKE_TOK_COLON);
}

static bool parse_key(CakeParser *parser, const char *where, CakeLoc *out_loc, CakeId *out) {
  *out_loc = cake_parser_loc(parser);
  if (parser->token.kind != CAKE_TOK_BARE && parser->token.kind != CAKE_TOK_STRING)
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected identifier key %s", where);
  return cake_parser_resource_key(parser, out);
}

// `{ key: …, … }` with `parse` behind each colon.
static bool parse_entries(CakeParser *parser, CakeId around,
                          bool (*parse)(CakeParser *parser, CakeId around, CakeId key, CakeLoc loc)) {
  if (!cake_parser_expect(parser, CAKE_TOK_LBRACE)) return false;
  if (cake_parser_accept(parser, CAKE_TOK_RBRACE)) return true;
  do {
    CakeId key;
    CakeLoc loc;
    if (!parse_key(parser, "for 'resource' entry", &loc, &key) || !expect_colon(parser) ||
        !parse(parser, around, key, loc))
      return false;
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  return cake_parser_expect(parser, CAKE_TOK_RBRACE);
}

// "0x", the alignment in 4 bytes, and the bytes.
static bool check_blob(CakeParser *parser, CakeLoc loc, CakeId key, CakeStr blob) {
  bool is_hex = cake_str_starts_with(blob, "0x") && blob.len % 2 == 0;
  for (size_t i = 2; is_hex && i < blob.len; i++)
    is_hex = cake_hex_value(blob.ptr[i]) >= 0;
  if (!is_hex)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NUMBER, "expected hex string blob for key '%s'",
                                key->text);
  if (blob.len < 2 + 8)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NUMBER,
                                "expected hex string blob for key '%s' to encode alignment in first 4 bytes",
                                key->text);
  uint32_t alignment = 0;
  for (int i = 0; i < 4; i++)
    alignment |= (uint32_t)(cake_hex_value(blob.ptr[2 + 2 * i]) * 16 + cake_hex_value(blob.ptr[3 + 2 * i])) << (8 * i);
  if ((alignment & (alignment - 1)) == 0) return true;
  return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NUMBER,
                              "expected hex string blob for key '%s' to encode an alignment that is a power of two, "
                              "but got %u",
                              key->text, alignment);
}

// With capital letters, as blobs are printed: two that hold the same are one.
static CakeId capital_blob(CakeContext *context, CakeId blob) {
  CakeBuf capital = {0};
  cake_buf_text(&capital, "0x");
  for (size_t i = 2; i < cake_id_str(blob).len; i++) {
    char c = blob->text[i];
    cake_buf_char(&capital, c >= 'a' && c <= 'f' ? (char)(c - 'a' + 'A') : c);
  }
  CakeId kept = cake_id(context, cake_buf_view(&capital));
  cake_buf_fini(&capital);
  return kept;
}

static bool parse_blob(CakeParser *parser, CakeId around, CakeId key, CakeLoc key_loc) {
  (void)around;
  (void)key_loc;
  CakeLoc loc = cake_parser_loc(parser);
  CakeId blob;
  if (parser->token.kind != CAKE_TOK_STRING)
    return cake_parser_error(parser, CAKE_CODE_PARSE_NUMBER, "expected hex string blob for key '%s'", key->text);
  if (!cake_parser_string(parser, &blob) || !check_blob(parser, loc, key, cake_id_str(blob))) return false;
  cake_map_set(&parser->context->resources, key, (uintptr_t)capital_blob(parser->context, blob));
  return true;
}

static bool parse_dialect(CakeParser *parser, CakeId around, CakeId key, CakeLoc loc) {
  (void)around;
  const CakeDialectDef *dialect = cake_context_find_dialect(parser->context, cake_id_str(key));
  if (!dialect) return cake_parser_error_at(parser, loc, CAKE_CODE_UNREGISTERED, "dialect '%s' is unknown", key->text);
  if (dialect != &cake_dialect_builtin)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_SYNTAX, "unexpected 'resource' section for dialect '%s'",
                                key->text);
  return parse_entries(parser, key, parse_blob);
}

static bool skip_value(CakeParser *parser, CakeId around, CakeId key, CakeLoc loc) {
  (void)around;
  (void)loc;
  if (parser->token.kind != CAKE_TOK_STRING && !cake_parser_is_keyword(parser, "true") &&
      !cake_parser_is_keyword(parser, "false"))
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected 'true', 'false', or a string for key '%s'",
                             key->text);
  cake_parser_next(parser);
  return true;
}

static bool skip_external(CakeParser *parser, CakeId around, CakeId key, CakeLoc loc) {
  (void)around;
  (void)loc;
  return parse_entries(parser, key, skip_value);
}

static bool parse_section(CakeParser *parser) {
  CakeId key;
  CakeLoc loc;
  if (!parse_key(parser, "in file metadata dictionary", &loc, &key) || !expect_colon(parser)) return false;
  if (cake_str_is(cake_id_str(key), "dialect_resources")) return parse_entries(parser, key, parse_dialect);
  if (cake_str_is(cake_id_str(key), "external_resources")) return parse_entries(parser, key, skip_external);
  return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NAME, "unknown key '%s' in file metadata dictionary",
                              key->text);
}

bool cake_parser_metadata(CakeParser *parser) {
  cake_parser_next(parser);
  if (cake_parser_accept(parser, CAKE_TOK_FILE_METADATA_END)) return true;
  do {
    if (!parse_section(parser)) return false;
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  return cake_parser_expect(parser, CAKE_TOK_FILE_METADATA_END);
}
