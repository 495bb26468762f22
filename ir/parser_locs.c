// Locations: loc(…) in all of MLIR's forms, and names of location aliases that are defined later.
#include "parser.h"

#include <string.h>

static bool parse_instance(CakeParser *parser, CakeLoc *out);

static bool parse_position(CakeParser *parser, CakeId file, CakeLoc *out) {
  int64_t line, column = 0, ignored;
  if (!cake_parser_int(parser, &line)) return false;
  bool has_column = cake_parser_accept(parser, CAKE_TOK_COLON);
  if (has_column && !cake_parser_int(parser, &column)) return false;
  if (line < 0 || line > UINT32_MAX || column < 0 || column > UINT32_MAX)
    return cake_parser_error(parser, CAKE_CODE_PARSE_NUMBER, "line and column must fit into 32 bits");
  // A range keeps its start: `"f":1:2 to 3:4`, `to :4`.
  if (has_column && cake_parser_accept_keyword(parser, "to")) {
    if (parser->token.kind == CAKE_TOK_INT && !cake_parser_int(parser, &ignored)) return false;
    if (!cake_parser_expect(parser, CAKE_TOK_COLON) || !cake_parser_int(parser, &ignored)) return false;
  }
  *out = cake_loc_file(parser->context, file, (uint32_t)line, (uint32_t)column);
  return true;
}

// "file":line:column, "name" or "name"(child).
static bool parse_named(CakeParser *parser, CakeLoc *out) {
  CakeId name;
  if (!cake_parser_string(parser, &name)) return false;
  if (cake_parser_accept(parser, CAKE_TOK_COLON)) return parse_position(parser, name, out);
  CakeLoc child = cake_loc_unknown();
  if (cake_parser_accept(parser, CAKE_TOK_LPAREN) &&
      (!parse_instance(parser, &child) || !cake_parser_expect(parser, CAKE_TOK_RPAREN)))
    return false;
  *out = cake_loc_name(parser->context, name, child);
  return true;
}

static bool parse_callsite(CakeParser *parser, CakeLoc *out) {
  CakeLoc callee, caller;
  if (!cake_parser_expect(parser, CAKE_TOK_LPAREN) || !parse_instance(parser, &callee) ||
      !cake_parser_expect_keyword(parser, "at") || !parse_instance(parser, &caller) ||
      !cake_parser_expect(parser, CAKE_TOK_RPAREN))
    return false;
  *out = cake_loc_callsite(parser->context, callee, caller);
  return true;
}

static void add_single(CakeLocs *locs, CakeLoc loc) {
  enum { FEW = 64 }; // repetitions behind these are kept
  for (size_t i = 0; i < locs->len && i < FEW; i++)
    if (cake_loc_equal(locs->data[i], loc)) return;
  CAKE_PUSH(locs, loc);
}

// As MLIR: unknown locations and repetitions say nothing, and those that are fused with the same metadata are single ones.
void cake_locs_add(CakeLocs *locs, CakeLoc loc, CakeAttr metadata) {
  if (cake_loc_kind(loc) == CAKE_LOC_UNKNOWN) return;
  if (cake_loc_kind(loc) == CAKE_LOC_FUSED && cake_loc_metadata(loc) == metadata) {
    for (size_t i = 0; i < cake_loc_count(loc); i++)
      add_single(locs, cake_loc_child(loc, i));
    return;
  }
  add_single(locs, loc);
}

CakeLoc cake_locs_fuse(CakeContext *context, const CakeLocs *locs, CakeAttr metadata) {
  if (!metadata && !locs->len) return cake_loc_unknown();
  if (!metadata && locs->len == 1) return locs->data[0];
  return cake_loc_fused(context, locs->data, locs->len, metadata);
}

static bool parse_fused(CakeParser *parser, CakeLoc *out) {
  CakeAttr metadata = NULL;
  if (cake_parser_accept(parser, CAKE_TOK_LESS) &&
      (!cake_parser_attr(parser, NULL, &metadata) || !cake_parser_expect(parser, CAKE_TOK_GREATER)))
    return false;
  if (!cake_parser_expect(parser, CAKE_TOK_LSQUARE)) return false;
  CakeLocs locs = {0};
  bool ok = true;
  if (parser->token.kind != CAKE_TOK_RSQUARE) {
    do {
      CakeLoc loc;
      ok = parse_instance(parser, &loc);
      if (ok) cake_locs_add(&locs, loc, metadata);
    } while (ok && cake_parser_accept(parser, CAKE_TOK_COMMA));
  }
  ok = ok && cake_parser_expect(parser, CAKE_TOK_RSQUARE);
  if (ok) *out = cake_locs_fuse(parser->context, &locs, metadata);
  CAKE_VEC_FINI(&locs);
  return ok;
}

static bool parse_alias(CakeParser *parser, CakeLoc *out) {
  CakeAttr attr;
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_parser_attr(parser, NULL, &attr)) return false;
  if (!cake_attr_is(attr, &cake_attr_def_location))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_SYNTAX, "expected location attribute");
  *out = cake_loc_from_attr(attr);
  return true;
}

static bool parse_form(CakeParser *parser, CakeLoc *out) {
  if (parser->token.kind == CAKE_TOK_STRING) return parse_named(parser, out);
  if (parser->token.kind == CAKE_TOK_HASH) return parse_alias(parser, out);
  if (cake_parser_accept_keyword(parser, "callsite")) return parse_callsite(parser, out);
  if (cake_parser_accept_keyword(parser, "fused")) return parse_fused(parser, out);
  if (!cake_parser_accept_keyword(parser, "unknown")) return cake_parser_missing(parser, "expected location instance");
  *out = cake_loc_unknown();
  return true;
}

static bool parse_instance(CakeParser *parser, CakeLoc *out) {
  if (!cake_parser_enter(parser)) return false;
  bool ok = parse_form(parser, out);
  cake_parser_leave(parser);
  return ok;
}

bool cake_parser_loc_body(CakeParser *parser, CakeLoc *out) {
  return parse_instance(parser, out) && cake_parser_expect(parser, CAKE_TOK_RPAREN);
}

bool cake_parser_defer_loc(CakeParser *parser, CakeStr name, CakeLoc at, CakeLoc *target) {
  CakeId id = cake_id(parser->context, name);
  uintptr_t attr;
  if (memchr(name.ptr, '.', name.len) || cake_map_get(&parser->attr_aliases, id, &attr)) return false;
  CakeDeferredLoc deferred = {target, id, at};
  CAKE_PUSH(&parser->deferred_locs, deferred);
  return true;
}

static bool defer(CakeParser *parser, CakeLoc *target) {
  CakeStr name = {parser->token.ptr + 1, parser->token.len - 1};
  if (!cake_parser_defer_loc(parser, name, cake_parser_loc(parser), target)) return false;
  cake_parser_next(parser);
  return true;
}

bool cake_parser_optional_loc(CakeParser *parser, CakeLoc *target) {
  if (parser->token.kind != CAKE_TOK_BARE || parser->token.len != 3 || !cake_parser_accept_keyword(parser, "loc"))
    return true;
  if (!cake_parser_expect(parser, CAKE_TOK_LPAREN)) return false;
  if (parser->token.kind == CAKE_TOK_HASH && defer(parser, target)) return cake_parser_expect(parser, CAKE_TOK_RPAREN);
  return cake_parser_loc_body(parser, target);
}

bool cake_parser_resolve_locs(CakeParser *parser) {
  for (size_t i = 0; i < parser->deferred_locs.len; i++) {
    const CakeDeferredLoc *deferred = &parser->deferred_locs.data[i];
    uintptr_t attr;
    if (!cake_map_get(&parser->attr_aliases, deferred->alias, &attr))
      return cake_parser_error_at(parser, deferred->loc, CAKE_CODE_PARSE_NAME,
                                  "operation location alias was never defined");
    if (!cake_attr_is((CakeAttr)attr, &cake_attr_def_location))
      return cake_parser_error_at(parser, deferred->loc, CAKE_CODE_PARSE_NAME, "'#%s' is not a location",
                                  deferred->alias->text);
    *deferred->target = cake_loc_from_attr((CakeAttr)attr);
  }
  return true;
}
