// Affine maps and integer sets in text: MLIR's grammar, `(d0, d1)[s0] -> (…)` and `(d0)[s0] : (… >= 0, … == …)`.
#include "cake/affine.h"

#include "parser.h"

enum { MAX_EXPR_DEPTH = 1000 };

// The names in scope: CakeId → 2 · index + (1 for a symbol) + 1.
typedef struct Scope {
  CakeParser *parser;
  CakeMap names;
  int64_t n_dims, n_symbols;
} Scope;

static bool parse_expr(Scope *scope, CakeAttr *out);

// ---- Expressions ---------------------------------------------------------------------------------------------------

static bool parse_constant(Scope *scope, CakeAttr *out) {
  CakeParser *parser = scope->parser;
  uint64_t value;
  if (!cake_parser_digits(&parser->token, &value) || value > INT64_MAX)
    return cake_parser_error(parser, CAKE_CODE_PARSE_NUMBER, "constant too large for index");
  cake_parser_next(parser);
  *out = cake_affine_constant(parser->context, (int64_t)value);
  return true;
}

static bool parse_name(Scope *scope, CakeAttr *out) {
  CakeParser *parser = scope->parser;
  uintptr_t word;
  CakeId name = cake_id(parser->context, cake_lexeme_str(&parser->token));
  if (!cake_map_get(&scope->names, name, &word))
    return cake_parser_error(parser, CAKE_CODE_PARSE_NAME, "use of undeclared identifier '%s'", name->text);
  cake_parser_next(parser);
  int64_t index = (int64_t)(word - 1) / 2;
  *out = (word - 1) & 1 ? cake_affine_symbol(parser->context, index) : cake_affine_dim(parser->context, index);
  return true;
}

static bool parse_parenthesis(Scope *scope, CakeAttr *out) {
  CakeParser *parser = scope->parser;
  cake_parser_next(parser);
  if (parser->token.kind == CAKE_TOK_RPAREN)
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "no expression inside parentheses");
  if (!cake_parser_enter(parser)) return false;
  bool ok = parse_expr(scope, out);
  cake_parser_leave(parser);
  return ok && cake_parser_expect(parser, CAKE_TOK_RPAREN);
}

static bool parse_operand(Scope *scope, bool is_right, CakeAttr *out);

static bool parse_negation(Scope *scope, bool is_right, CakeAttr *out) {
  CakeParser *parser = scope->parser;
  cake_parser_next(parser);
  if (!cake_parser_enter(parser)) return false;
  bool ok = parse_operand(scope, is_right, out);
  cake_parser_leave(parser);
  if (ok) *out = cake_affine_negate(*out);
  return ok;
}

static bool is_operator_word(CakeParser *parser) {
  return cake_parser_is_keyword(parser, "floordiv") || cake_parser_is_keyword(parser, "ceildiv") ||
         cake_parser_is_keyword(parser, "mod");
}

// `mod` and the like may be names too.
static bool is_declared(const Scope *scope) {
  uintptr_t ignored;
  return cake_map_get(&scope->names, cake_id(scope->parser->context, cake_lexeme_str(&scope->parser->token)), &ignored);
}

static bool parse_operand(Scope *scope, bool is_right, CakeAttr *out) {
  CakeParser *parser = scope->parser;
  CakeToken kind = parser->token.kind;
  if (kind == CAKE_TOK_INT) return parse_constant(scope, out);
  if (kind == CAKE_TOK_LPAREN) return parse_parenthesis(scope, out);
  if (kind == CAKE_TOK_MINUS) return parse_negation(scope, is_right, out);
  if (kind == CAKE_TOK_BARE && (is_declared(scope) || !is_operator_word(parser))) return parse_name(scope, out);
  bool is_operator = kind == CAKE_TOK_PLUS || kind == CAKE_TOK_STAR || kind == CAKE_TOK_BARE;
  return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "%s",
                           is_right      ? "missing right operand of binary operator"
                           : is_operator ? "missing left operand of binary operator"
                                         : "expected affine expression");
}

static bool combine(Scope *scope, CakeLoc loc, CakeAffineKind kind, CakeAttr *lhs, CakeAttr rhs) {
  CakeParser *parser = scope->parser;
  if (kind == CAKE_AFFINE_MUL && !cake_affine_is_symbolic(*lhs) && !cake_affine_is_symbolic(rhs))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_SYNTAX,
                                "non-affine expression: at least one of the multiply operands has to be either a "
                                "constant or symbolic");
  if (kind > CAKE_AFFINE_MUL && !cake_affine_is_symbolic(rhs))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_SYNTAX,
                                "non-affine expression: right operand of %s has to be either a constant or symbolic",
                                kind == CAKE_AFFINE_FLOORDIV  ? "floordiv"
                                : kind == CAKE_AFFINE_CEILDIV ? "ceildiv"
                                                              : "mod");
  *lhs = cake_affine_binary(kind, *lhs, rhs);
  if (cake_affine_depth(*lhs) <= MAX_EXPR_DEPTH) return true;
  return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_DEPTH,
                              "the affine expression has more than %d operations inside one another", MAX_EXPR_DEPTH);
}

static bool accept_tight_operator(CakeParser *parser, CakeAffineKind *out) {
  *out = cake_parser_is_keyword(parser, "floordiv")  ? CAKE_AFFINE_FLOORDIV
         : cake_parser_is_keyword(parser, "ceildiv") ? CAKE_AFFINE_CEILDIV
         : cake_parser_is_keyword(parser, "mod")     ? CAKE_AFFINE_MOD
                                                     : CAKE_AFFINE_MUL;
  if (*out == CAKE_AFFINE_MUL && parser->token.kind != CAKE_TOK_STAR) return false;
  cake_parser_next(parser);
  return true;
}

static bool parse_product(Scope *scope, bool is_right, CakeAttr *out) {
  CakeParser *parser = scope->parser;
  CakeAffineKind kind;
  if (!parse_operand(scope, is_right, out)) return false;
  for (CakeLoc loc = cake_parser_loc(parser); accept_tight_operator(parser, &kind); loc = cake_parser_loc(parser)) {
    CakeAttr rhs;
    if (!parse_operand(scope, true, &rhs) || !combine(scope, loc, kind, out, rhs)) return false;
  }
  return true;
}

static bool parse_expr(Scope *scope, CakeAttr *out) {
  CakeParser *parser = scope->parser;
  if (!parse_product(scope, false, out)) return false;
  while (parser->token.kind == CAKE_TOK_PLUS || parser->token.kind == CAKE_TOK_MINUS) {
    CakeLoc loc = cake_parser_loc(parser);
    bool minus = parser->token.kind == CAKE_TOK_MINUS;
    CakeAttr rhs;
    cake_parser_next(parser);
    if (!parse_product(scope, true, &rhs)) return false;
    if (!combine(scope, loc, CAKE_AFFINE_ADD, out, minus ? cake_affine_negate(rhs) : rhs)) return false;
  }
  return true;
}

// ---- Maps and sets -------------------------------------------------------------------------------------------------

static bool parse_names(Scope *scope, CakeToken close, bool symbols) {
  CakeParser *parser = scope->parser;
  int64_t *count = symbols ? &scope->n_symbols : &scope->n_dims;
  cake_parser_next(parser);
  if (cake_parser_accept(parser, close)) return true;
  do {
    uintptr_t ignored;
    if (parser->token.kind != CAKE_TOK_BARE)
      return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected bare identifier");
    CakeId name = cake_id(parser->context, cake_lexeme_str(&parser->token));
    if (cake_map_get(&scope->names, name, &ignored))
      return cake_parser_error(parser, CAKE_CODE_PARSE_NAME, "redefinition of identifier '%s'", name->text);
    cake_map_set(&scope->names, name, (uintptr_t)(2 * (*count)++ + symbols + 1));
    cake_parser_next(parser);
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  return cake_parser_expect(parser, close);
}

static bool parse_comparison(CakeParser *parser, CakeToken *out) {
  *out = parser->token.kind;
  if (*out == CAKE_TOK_EQUAL || *out == CAKE_TOK_GREATER || *out == CAKE_TOK_LESS) {
    cake_parser_next(parser);
    if (cake_parser_accept(parser, CAKE_TOK_EQUAL)) return true;
  }
  return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected '==', '>=' or '<=' in affine constraint");
}

// `e >= f` is `e - f >= 0`.
static bool parse_constraint(Scope *scope) {
  CakeParser *parser = scope->parser;
  CakeAttr lhs, rhs;
  CakeToken comparison;
  if (!parse_expr(scope, &lhs) || !parse_comparison(parser, &comparison) || !parse_expr(scope, &rhs)) return false;
  CakeAttr a = comparison == CAKE_TOK_LESS ? rhs : lhs, b = comparison == CAKE_TOK_LESS ? lhs : rhs;
  CAKE_PUSH(&parser->attrs, cake_affine_binary(CAKE_AFFINE_ADD, a, cake_affine_negate(b)));
  CAKE_PUSH(&parser->numbers, comparison == CAKE_TOK_EQUAL);
  return true;
}

static bool parse_result(Scope *scope) {
  CakeAttr expr;
  if (!parse_expr(scope, &expr)) return false;
  CAKE_PUSH(&scope->parser->attrs, expr);
  return true;
}

static bool parse_list(Scope *scope, bool (*parse)(Scope *scope), const char *where) {
  CakeParser *parser = scope->parser;
  if (parser->token.kind != CAKE_TOK_LPAREN) return cake_parser_missing(parser, "expected '(' in %s", where);
  cake_parser_next(parser);
  if (cake_parser_accept(parser, CAKE_TOK_RPAREN)) return true;
  do {
    if (!parse(scope)) return false;
  } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  if (cake_parser_accept(parser, CAKE_TOK_RPAREN)) return true;
  return cake_parser_missing(parser, "expected ')' in %s", where);
}

static CakeAttr make_set(Scope *scope, size_t attrs, size_t numbers) {
  CakeParser *parser = scope->parser;
  size_t count = parser->attrs.len - attrs;
  bool *is_equal = CAKE_ARENA_ARRAY(parser->scratch, bool, count + 1);
  for (size_t i = 0; i < count; i++)
    is_equal[i] = parser->numbers.data[numbers + i] != 0;
  CakeAttr set = cake_affine_set(parser->context, scope->n_dims, scope->n_symbols, CAKE_VEC_FROM(&parser->attrs, attrs),
                                 is_equal, count);
  cake_arena_free(parser->scratch, is_equal, count + 1);
  return set;
}

static bool parse_body(Scope *scope, bool is_set, CakeAttr *out) {
  CakeParser *parser = scope->parser;
  size_t attrs = parser->attrs.len, numbers = parser->numbers.len;
  if (parser->token.kind != CAKE_TOK_LPAREN) return cake_parser_expect(parser, CAKE_TOK_LPAREN);
  if (!parse_names(scope, CAKE_TOK_RPAREN, false)) return false;
  if (parser->token.kind == CAKE_TOK_LSQUARE && !parse_names(scope, CAKE_TOK_RSQUARE, true)) return false;
  if (!cake_parser_expect(parser, is_set ? CAKE_TOK_COLON : CAKE_TOK_ARROW)) return false;
  bool ok = is_set ? parse_list(scope, parse_constraint, "integer set constraint list")
                   : parse_list(scope, parse_result, "affine map range");
  if (ok && is_set)
    *out = make_set(scope, attrs, numbers);
  else if (ok)
    *out = cake_affine_map(parser->context, scope->n_dims, scope->n_symbols, CAKE_VEC_FROM(&parser->attrs, attrs),
                           parser->attrs.len - attrs);
  parser->attrs.len = attrs;
  parser->numbers.len = numbers;
  return ok;
}

bool cake_parser_affine(CakeParser *parser, CakeAttr *out) {
  Scope scope = {.parser = parser};
  bool is_set = cake_parser_is_keyword(parser, "affine_set");
  cake_parser_next(parser);
  bool ok = cake_parser_expect(parser, CAKE_TOK_LESS) && parse_body(&scope, is_set, out) &&
            cake_parser_expect(parser, CAKE_TOK_GREATER);
  cake_map_fini(&scope.names);
  return ok;
}
