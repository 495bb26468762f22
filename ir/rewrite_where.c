// The `where` of a rewrite: `check(%x)`, `not check(#a, 8)`, `#n = compute(#a)`, one a line.
#include "rewrite.h"

// ---- Names ---------------------------------------------------------------------------------------------------------

// A table, and what stands in front of its names.
typedef struct Natives {
  const CakeRewriteNative *rows;
  const char *dialect; // NULL: none
} Natives;

// `arith.name` is of the dialect's table, a name without a dot of the one without a dialect.
static Natives natives_of(const CakeParser *parser, CakeStr *name) {
  const char *dot = memchr(name->ptr, '.', name->len);
  if (!dot) return (Natives){cake_rewrite_natives, NULL};
  CakeStr dialect_name = {name->ptr, (size_t)(dot - name->ptr)};
  const CakeDialectDef *dialect = cake_context_find_dialect(parser->context, dialect_name);
  if (!dialect || !dialect->natives) return (Natives){NULL, NULL};
  *name = (CakeStr){dot + 1, name->len - dialect_name.len - 1};
  return (Natives){dialect->natives, dialect->name};
}

static bool unknown(CakeParser *parser, Natives natives, CakeStr name) {
  if (parser->failed) return false;
  parser->failed = true;
  CakeBuf known = {0};
  CakeNearest nearest = cake_nearest_to(name);
  const char *prefix = natives.dialect ? natives.dialect : "", *dot = natives.dialect ? "." : "";
  for (const CakeRewriteNative *row = natives.rows; row && row->name; row++) {
    cake_nearest_consider(&nearest, row->name);
    cake_buf_printf(&known, "%s%s%s%s", known.len ? ", " : "", prefix, dot, row->name);
  }
  CakeDiagnostic *d = cake_diag_begin(parser->context, CAKE_ERROR, cake_parser_loc(parser), CAKE_CODE_REWRITE,
                                      "'where' has no '%s%s%.*s'", prefix, dot, CAKE_STR_ARG(name));
  if (nearest.best)
    cake_diag_fix(parser->context, d, "did you mean '%s%s%s'?", prefix, dot, nearest.best);
  else if (known.len)
    cake_diag_fix(parser->context, d, "it has: %s", known.data);
  else
    cake_diag_fix(parser->context, d, "there is no dialect of that name with questions of its own");
  cake_buf_fini(&known);
  return cake_diag_emit(parser->context, d);
}

static bool parse_native(CakeParser *parser, RewriteClause *clause) {
  if (parser->token.kind != CAKE_TOK_BARE)
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX,
                             "expected a check such as 'power_of_two(#c)', or '#n = log2(#c)'");
  CakeStr written = cake_lexeme_str(&parser->token), name = written;
  Natives natives = natives_of(parser, &name);
  for (const CakeRewriteNative *row = natives.rows; row && row->name; row++) {
    if (!cake_str_is(name, row->name)) continue;
    if (strlen(row->kinds) > CAKE_REWRITE_ARGS || !row->check == !row->compute)
      return cake_parser_error(parser, CAKE_CODE_REWRITE,
                               "'%.*s' has more than %d arguments, or no function: its dialect is at fault",
                               CAKE_STR_ARG(written), CAKE_REWRITE_ARGS);
    clause->native = row;
    clause->name = cake_arena_str(parser->context->arena, written).ptr;
    cake_parser_next(parser);
    return true;
  }
  return unknown(parser, natives, name);
}

// ---- Arguments -----------------------------------------------------------------------------------------------------

static bool parse_value(CakeParser *parser, CakeRewriteArg *out) {
  CakeUseName name;
  if (!cake_parser_use_name(parser, &name)) return false;
  out->kind = 'v';
  out->value = cake_parser_find_value(parser, &name);
  out->type = out->value ? out->value->type : NULL;
  return out->value || cake_parser_error_at(parser, name.loc, CAKE_CODE_PARSE_NAME, "the before has no value '%%%.*s'",
                                            (int)name.len, name.ptr);
}

static bool parse_arg(CakeParser *parser, CakeRewriteArg *out) {
  *out = (CakeRewriteArg){.loc = cake_parser_loc(parser)};
  if (parser->token.kind == CAKE_TOK_PERCENT) return parse_value(parser, out);
  if (cake_parser_at_type(parser)) {
    out->kind = 't';
    return cake_parser_type(parser, &out->type);
  }
  out->kind = 'a';
  return cake_parser_attr(parser, NULL, &out->attr);
}

// Of what is computed only one can be told, so that no argument is a range.
static bool fits(const CakeRewriteNative *native, char wanted, const CakeRewriteArg *arg) {
  bool is_range = cake_rewrite_is_range(arg->type);
  if (wanted == 'r' || (native->compute && is_range)) return wanted == 'r' && is_range;
  return wanted == arg->kind || (wanted == 'x' && (arg->kind == 'v' || arg->kind == 't'));
}

static bool wrong_kind(CakeParser *parser, const RewriteClause *clause, uint32_t index, const CakeRewriteArg *arg) {
  static const struct {
    char kind;
    const char *what;
  } kinds[] = {
      {'v', "a value such as %x"            },
      {'t', "a type such as !T or i32"      },
      {'x', "a value or a type"             },
      {'a', "an attribute such as #c or 8"  },
      {'r', "a range such as %x... or !T..."}
  };
  const char *wanted = "", *found = "";
  for (size_t i = 0; i < CAKE_COUNT(kinds); i++) {
    if (kinds[i].kind == clause->native->kinds[index]) wanted = kinds[i].what;
    if (kinds[i].kind == (cake_rewrite_is_range(arg->type) ? 'r' : arg->kind)) found = kinds[i].what;
  }
  return cake_parser_error_at(parser, arg->loc, CAKE_CODE_REWRITE, "argument #%u of '%s' is %s, and this is %s", index,
                              clause->name, wanted, found);
}

static bool parse_args(CakeParser *parser, RewriteClause *clause) {
  const CakeRewriteNative *native = clause->native;
  size_t wanted = strlen(native->kinds);
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_parser_expect(parser, CAKE_TOK_LPAREN)) return false;
  for (; clause->n_args < wanted; clause->n_args++) {
    CakeRewriteArg *arg = &clause->args[clause->n_args];
    if (parser->token.kind == CAKE_TOK_RPAREN || (clause->n_args && !cake_parser_accept(parser, CAKE_TOK_COMMA))) break;
    if (!parse_arg(parser, arg)) return false;
    if (!fits(native, native->kinds[clause->n_args], arg)) return wrong_kind(parser, clause, clause->n_args, arg);
  }
  if (clause->n_args < wanted || parser->token.kind == CAKE_TOK_COMMA)
    return cake_parser_error_at(parser, loc, CAKE_CODE_REWRITE, "'%s' takes %zu argument%s: %s", clause->name, wanted,
                                wanted == 1 ? "" : "s", native->doc);
  return cake_parser_expect(parser, CAKE_TOK_RPAREN);
}

// ---- Clauses -------------------------------------------------------------------------------------------------------

// The type of what a clause computes: that of its first argument.
static CakeType type_of(const RewriteClause *clause) {
  const CakeRewriteArg *first = &clause->args[0];
  return first->kind == 'a' ? cake_attr_value_type(first->attr) : first->type;
}

// `#name` is declared by the clause that computes it.
static bool declare(CakeParser *parser, Rewrite *rewrite, CakeId name, CakeLoc loc, RewriteClause *clause) {
  uintptr_t known;
  if (cake_map_get(&parser->attr_aliases, name, &known))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NAME, "'#%s' is there already", name->text);
  if (rewrite->n_attrs == CAKE_REWRITE_VARS)
    return cake_parser_error_at(parser, loc, CAKE_CODE_REWRITE, "a rewrite has at most %d variables of a kind",
                                CAKE_REWRITE_VARS);
  clause->target = (int)rewrite->n_attrs++;
  CakeAttr variable = cake_rewrite_attr_var(parser->context, name, (size_t)clause->target, type_of(clause));
  cake_map_set(&parser->attr_aliases, name, (uintptr_t)variable);
  return true;
}

static bool check_use(CakeParser *parser, const RewriteClause *clause, CakeLoc loc, bool has_target) {
  const CakeRewriteNative *native = clause->native;
  if (native->compute && !has_target)
    return cake_parser_error_at(parser, loc, CAKE_CODE_REWRITE, "'%s' computes an attribute: write '#name = %s(…)'",
                                clause->name, clause->name);
  if (!native->compute && has_target)
    return cake_parser_error_at(parser, loc, CAKE_CODE_REWRITE, "'%s' holds or not, and computes nothing",
                                clause->name);
  return true;
}

static bool parse_clause(CakeParser *parser, Rewrite *rewrite, RewriteClause *clause) {
  const char *begin = parser->token.ptr;
  CakeLoc name_loc = cake_parser_loc(parser);
  CakeId target = NULL;
  if (parser->token.kind == CAKE_TOK_HASH) {
    target = cake_id(parser->context, (CakeStr){parser->token.ptr + 1, parser->token.len - 1});
    cake_parser_next(parser);
    if (!cake_parser_expect(parser, CAKE_TOK_EQUAL)) return false;
  }
  clause->target = -1;
  clause->negated = !target && cake_parser_accept_keyword(parser, "not");
  CakeLoc loc = cake_parser_loc(parser);
  if (!parse_native(parser, clause) || !check_use(parser, clause, loc, target != NULL) || !parse_args(parser, clause))
    return false;
  clause->text = cake_parser_text_since(parser, begin);
  return !target || declare(parser, rewrite, target, name_loc, clause);
}

bool cake_rewrite_parse_where(CakeParser *parser, Rewrite *rewrite) {
  CAKE_VEC(RewriteClause) clauses = {0};
  bool ok = cake_parser_expect(parser, CAKE_TOK_LBRACE);
  while (ok && parser->token.kind != CAKE_TOK_RBRACE && parser->token.kind != CAKE_TOK_EOF) {
    RewriteClause clause = {0};
    ok = parse_clause(parser, rewrite, &clause);
    CAKE_PUSH(&clauses, clause);
  }
  ok = ok && cake_parser_expect(parser, CAKE_TOK_RBRACE);
  rewrite->n_clauses = (uint32_t)clauses.len;
  rewrite->clauses = CAKE_ARENA_ARRAY(parser->context->arena, RewriteClause, clauses.len + 1);
  if (clauses.len) memcpy(rewrite->clauses, clauses.data, clauses.len * sizeof *clauses.data);
  CAKE_VEC_FINI(&clauses);
  return ok;
}
