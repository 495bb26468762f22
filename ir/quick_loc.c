// `loc(…)` behind an op, read quickly (quick.h): from the characters of the text.
#include "quick.h"

enum { DEEPEST = 16 }; // locations inside one another

static bool read_instance(CakeQuick *quick, CakeLoc *out);

// `:line` or `:line:column` behind a file's name. A blank may begin a range.
static bool read_position(CakeQuick *quick, CakeStr file, CakeLoc *out) {
  CakeContext *context = quick->parser->context;
  uint32_t line, column = 0;
  quick->p++;
  if (!cake_quick_count(quick, &line)) return false;
  if (*quick->p == ':' && (quick->p++, !cake_quick_count(quick, &column))) return false;
  *out = cake_loc_file(context, cake_quick_id(quick, file), line, column);
  return *quick->p != ' ';
}

// "file":line:column, "name" or "name"(child).
static bool read_named(CakeQuick *quick, CakeLoc *out) {
  CakeStr text;
  CakeLoc child = cake_loc_unknown();
  if (!cake_quick_string(quick, &text)) return false;
  if (*quick->p == ':') return read_position(quick, text, out);
  if (cake_quick_char(quick, '(') && (!read_instance(quick, &child) || !cake_quick_char(quick, ')'))) return false;
  *out = cake_loc_name(quick->parser->context, cake_id(quick->parser->context, text), child);
  return true;
}

static bool read_callsite(CakeQuick *quick, CakeLoc *out) {
  CakeLoc callee, caller;
  if (!cake_quick_char(quick, '(') || !read_instance(quick, &callee) || !cake_quick_literal(quick, "at") ||
      !read_instance(quick, &caller) || !cake_quick_char(quick, ')'))
    return false;
  *out = cake_loc_callsite(quick->parser->context, callee, caller);
  return true;
}

// Without metadata.
static bool read_fused(CakeQuick *quick, CakeLoc *out) {
  CakeLocs locs = {0};
  bool ok = cake_quick_char(quick, '[');
  while (ok) {
    CakeLoc loc;
    ok = read_instance(quick, &loc);
    if (ok) cake_locs_add(&locs, loc, NULL);
    if (!ok || !cake_quick_char(quick, ',')) break;
  }
  ok = ok && cake_quick_char(quick, ']');
  if (ok) *out = cake_locs_fuse(quick->parser->context, &locs, NULL);
  CAKE_VEC_FINI(&locs);
  return ok;
}

static bool read_alias(CakeQuick *quick, CakeLoc *out) {
  CakeAttr attr;
  if (!cake_quick_attr(quick, NULL, &attr) || !cake_attr_is(attr, &cake_attr_def_location)) return false;
  *out = cake_loc_from_attr(attr);
  return true;
}

static bool read_form(CakeQuick *quick, CakeLoc *out) {
  char c = *(quick->p = cake_quick_start(quick));
  if (c == '"') return read_named(quick, out);
  if (c == '#') return read_alias(quick, out);
  if (cake_quick_literal(quick, "callsite")) return read_callsite(quick, out);
  if (cake_quick_literal(quick, "fused")) return read_fused(quick, out);
  *out = cake_loc_unknown();
  return cake_quick_literal(quick, "unknown");
}

static bool read_instance(CakeQuick *quick, CakeLoc *out) {
  if (quick->depth == DEEPEST) return false;
  quick->n_weighed++;
  quick->depth++;
  bool ok = read_form(quick, out);
  quick->depth--;
  return ok;
}

// `#alias)` with an alias that is not there yet.
static bool read_deferred(CakeQuick *quick, CakeLoc *target) {
  CakeParser *parser = quick->parser;
  const char *begin = quick->p, *p = begin + 1;
  if (*begin != '#' || !is(*p, LETTER)) return false;
  while (is(*p, SUFFIX))
    p++;
  CakeLoc at = cake_parser_place(parser, parser->token.line, parser->token.line_start, begin);
  if (*p != ')' || !cake_parser_defer_loc(parser, (CakeStr){begin + 1, (size_t)(p - begin) - 1}, at, target))
    return false;
  quick->p = p + 1;
  return true;
}

static bool read_whole(CakeQuick *quick, CakeLoc *target) {
  CakeLoc loc;
  if (read_deferred(quick, target)) return true;
  if (!read_instance(quick, &loc) || !cake_quick_char(quick, ')')) return false;
  *target = loc;
  return true;
}

bool cake_quick_loc(CakeParser *parser, CakeLoc *target) {
  CakeQuick quick;
  quick.parser = parser;
  quick.p = parser->token.ptr;
  quick.n_weighed = quick.depth = 0;
  if (!cake_parser_may_be_quick(parser) || memcmp(quick.p, "loc(", 4) != 0) return false;
  quick.p += 4;
  if (!read_whole(&quick, target)) return false;
  cake_quick_step(&quick);
  return true;
}
