// The text of expressions and predicates, in generic form (`d0 * 64 + K`) and in custom form (`%k * 64 + K`).
//
// Product binds tighter than sum; both group to the left. Precedence climbing, with a limit on depth and size.
#include "dialects/cake/cake_private.h"

#include <string.h>

enum { MAX_DEPTH = 64, MAX_NODES = 400 };

typedef struct Word {
  const char *text;
  CakeExprKind kind;
} Word;

static const Word leaf_words[] = {
    {"instance", CAKE_EXPR_INSTANCE},
    {"rank",     CAKE_EXPR_RANK    },
    {"row",      CAKE_EXPR_ROW     },
    {"col",      CAKE_EXPR_COL     }
};
static const Word call_words[] = {
    {"ceildiv",  CAKE_EXPR_CEILDIV },
    {"floordiv", CAKE_EXPR_FLOORDIV},
    {"min",      CAKE_EXPR_MIN     },
    {"max",      CAKE_EXPR_MAX     }
};
static const Word infix_words[] = {
    {"floordiv", CAKE_EXPR_FLOORDIV},
    {"ceildiv",  CAKE_EXPR_CEILDIV },
    {"mod",      CAKE_EXPR_MOD     }
};
static const char *const compare_words[] = {"eq", "ne", "lt", "le", "gt", "ge"};

static const Word *find_word(const Word *words, size_t count, CakeStr text) {
  for (size_t i = 0; i < count; i++)
    if (cake_str_is(text, words[i].text)) return &words[i];
  return NULL;
}

static int find_compare(CakeStr text) {
  for (int i = 0; i < (int)CAKE_COUNT(compare_words); i++)
    if (cake_str_is(text, compare_words[i])) return i;
  return -1;
}

// ---- Reading -------------------------------------------------------------------------------------------------------

static bool read_sum(CakeExprReader *reader, CakeAttr *out);

static bool count_node(CakeExprReader *reader) {
  if (++reader->nodes <= MAX_NODES) return true;
  return cake_parser_error(reader->parser, CAKE_CODE_PARSE_DEPTH, "expression has more than %d parts", MAX_NODES);
}

static bool read_binary(CakeExprReader *reader, CakeExprKind kind, CakeAttr *lhs, CakeAttr rhs) {
  if (!count_node(reader)) return false;
  *lhs = cake_expr_raw(cake_parser_context(reader->parser), kind, *lhs, rhs);
  return true;
}

// `d12`: the operand's number; -1 for any other word.
static int64_t operand_number(CakeStr text) {
  if (text.len < 2 || text.len > 8 || text.ptr[0] != 'd') return -1;
  int64_t number = 0;
  for (size_t i = 1; i < text.len; i++) {
    if (text.ptr[i] < '0' || text.ptr[i] > '9') return -1;
    number = number * 10 + (text.ptr[i] - '0');
  }
  return number;
}

static bool read_value(CakeExprReader *reader, CakeAttr *out) {
  CakeParser *parser = reader->parser;
  if (!reader->asm_parser || reader->no_operands)
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX,
                             reader->no_operands ? "a value cannot stand here: only numbers and named sizes can"
                                                 : "operands are written d0, d1, … here");
  uint32_t number = cake_asm_group_count(reader->asm_parser, reader->group);
  CakeValue *value;
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_asm_defined_operand(reader->asm_parser, reader->group, &value)) return false;
  if (!cake_type_is_index(value->type))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                                "a value in an expression must be of type 'index', but this is '%s'",
                                cake_type_text(value->type));
  *out = cake_expr_operand(cake_parser_context(parser), number);
  return true;
}

static bool read_call(CakeExprReader *reader, CakeExprKind kind, CakeAttr *out) {
  CakeAttr rhs;
  return cake_parser_expect(reader->parser, CAKE_TOK_LPAREN) && read_sum(reader, out) &&
         cake_parser_expect(reader->parser, CAKE_TOK_COMMA) && read_sum(reader, &rhs) &&
         cake_parser_expect(reader->parser, CAKE_TOK_RPAREN) && read_binary(reader, kind, out, rhs);
}

static bool read_word(CakeExprReader *reader, CakeAttr *out) {
  CakeParser *parser = reader->parser;
  CakeContext *context = cake_parser_context(parser);
  CakeStr text = cake_parser_spelling(parser);
  const Word *leaf = find_word(leaf_words, CAKE_COUNT(leaf_words), text);
  const Word *call = find_word(call_words, CAKE_COUNT(call_words), text);
  int64_t number = operand_number(text);
  if (number >= 0 && (reader->asm_parser || reader->no_operands))
    return cake_parser_error(parser, CAKE_CODE_PARSE_NAME,
                             "'%.*s' cannot name a size: it stands for an operand in generic form", CAKE_STR_ARG(text));
  if (find_compare(text) >= 0 || cake_str_is(text, "mod"))
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected an expression before '%.*s'",
                             CAKE_STR_ARG(text));
  if (memchr(text.ptr, '.', text.len))
    return cake_parser_error(parser, CAKE_CODE_PARSE_NAME, "'%.*s' is no name of a size", CAKE_STR_ARG(text));
  CakeId name;
  if (!cake_parser_keyword(parser, &name)) return false;
  if (call) return read_call(reader, call->kind, out);
  if (leaf)
    *out = cake_expr_leaf(context, leaf->kind);
  else
    *out = number >= 0 ? cake_expr_operand(context, (uint32_t)number) : cake_expr_name(context, name);
  return true;
}

static void offer(CakeParser *parser, const Word *words, size_t count) {
  for (size_t i = 0; i < count; i++)
    cake_parser_offer(parser, words[i].text);
}

static bool read_primary(CakeExprReader *reader, CakeAttr *out) {
  CakeParser *parser = reader->parser;
  if (!count_node(reader)) return false;
  if (reader->depth >= MAX_DEPTH)
    return cake_parser_error(parser, CAKE_CODE_PARSE_DEPTH, "expression is nested deeper than %d levels", MAX_DEPTH);
  reader->depth++;
  bool ok = false;
  int64_t number;
  switch (cake_parser_token(parser)) {
  case CAKE_TOK_INT:
  case CAKE_TOK_MINUS:
    ok = cake_parser_int(parser, &number);
    if (ok) *out = cake_expr_const(cake_parser_context(parser), number);
    break;
  case CAKE_TOK_PERCENT: ok = read_value(reader, out); break;
  case CAKE_TOK_BARE: ok = read_word(reader, out); break;
  case CAKE_TOK_LPAREN:
    cake_parser_next(parser);
    ok = read_sum(reader, out) && cake_parser_expect(parser, CAKE_TOK_RPAREN);
    break;
  default:
    offer(parser, leaf_words, CAKE_COUNT(leaf_words));
    offer(parser, call_words, CAKE_COUNT(call_words));
    ok = cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected an expression");
    break;
  }
  reader->depth--;
  return ok;
}

static bool product_sign(CakeParser *parser, CakeExprKind *out) {
  if (cake_parser_token(parser) == CAKE_TOK_STAR) {
    *out = CAKE_EXPR_MUL;
    return true;
  }
  if (cake_parser_token(parser) != CAKE_TOK_BARE) return false;
  const Word *word = find_word(infix_words, CAKE_COUNT(infix_words), cake_parser_spelling(parser));
  if (word) *out = word->kind;
  return word != NULL;
}

static bool read_product(CakeExprReader *reader, CakeAttr *out) {
  if (!read_primary(reader, out)) return false;
  CakeExprKind kind;
  while (product_sign(reader->parser, &kind)) {
    cake_parser_next(reader->parser);
    CakeAttr rhs;
    if (!read_primary(reader, &rhs) || !read_binary(reader, kind, out, rhs)) return false;
  }
  return true;
}

static bool read_sum(CakeExprReader *reader, CakeAttr *out) {
  if (!read_product(reader, out)) return false;
  for (;;) {
    CakeToken token = cake_parser_token(reader->parser);
    if (token != CAKE_TOK_PLUS && token != CAKE_TOK_MINUS) return true;
    cake_parser_next(reader->parser);
    CakeAttr rhs;
    if (!read_product(reader, &rhs) ||
        !read_binary(reader, token == CAKE_TOK_PLUS ? CAKE_EXPR_ADD : CAKE_EXPR_SUB, out, rhs))
      return false;
  }
}

bool cake_expr_read(CakeExprReader *reader, CakeAttr *out) {
  reader->nodes = 0;
  return read_sum(reader, out);
}

bool cake_exprs_read(CakeExprReader *reader, CakeToken end, CakeAttr *out_at) {
  CakeParser *parser = reader->parser;
  CakeAttr exprs[CAKE_MAX_RANK];
  size_t count = 0;
  while (count > 0 || cake_parser_token(parser) != end) {
    if (count == CAKE_MAX_RANK)
      return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "more than %d coordinates", CAKE_MAX_RANK);
    if (!cake_expr_read(reader, &exprs[count++])) return false;
    if (!cake_parser_accept(parser, CAKE_TOK_COMMA)) break;
  }
  *out_at = cake_at_get(cake_parser_context(parser), exprs, count);
  return true;
}

static bool read_term(CakeExprReader *reader, CakePredTerm *out) {
  CakeParser *parser = reader->parser;
  if (!cake_expr_read(reader, &out->lhs)) return false;
  int compare = cake_parser_token(parser) == CAKE_TOK_BARE ? find_compare(cake_parser_spelling(parser)) : -1;
  if (compare < 0) return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected one of eq, ne, lt, le, gt, ge");
  cake_parser_next(parser);
  out->compare = (CakeCompare)compare;
  return cake_expr_read(reader, &out->rhs);
}

bool cake_pred_read(CakeExprReader *reader, CakeAttr *out) {
  CakePredTerm terms[16];
  size_t count = 0;
  do {
    if (count == CAKE_COUNT(terms))
      return cake_parser_error(reader->parser, CAKE_CODE_PARSE_SYNTAX, "a predicate has at most %d comparisons",
                               (int)CAKE_COUNT(terms));
    if (!read_term(reader, &terms[count++])) return false;
  } while (cake_parser_accept(reader->parser, CAKE_TOK_COMMA));
  *out = cake_pred_get(cake_parser_context(reader->parser), terms, count);
  return true;
}

// ---- Writing -------------------------------------------------------------------------------------------------------

static int precedence(CakeExprKind kind) {
  switch (kind) {
  case CAKE_EXPR_ADD:
  case CAKE_EXPR_SUB: return 1;
  case CAKE_EXPR_MUL:
  case CAKE_EXPR_FLOORDIV:
  case CAKE_EXPR_MOD: return 2;
  default: return 3; // leaves and calls
  }
}

static void write_operand(const CakeExprWriter *writer, int64_t number) {
  CakeOperandRange range = {0};
  if (writer->op) range = cake_op_operand_group(writer->op, writer->group);
  if (number >= 0 && number < range.count && range.first[number].value)
    cake_asm_print_value(writer->asm_printer, range.first[number].value);
  else
    cake_buf_printf(writer->out, "d%lld", (long long)number);
}

static void write_leaf(const CakeExprWriter *writer, CakeAttr expr) {
  switch (cake_expr_kind(expr)) {
  case CAKE_EXPR_CONST: cake_buf_int(writer->out, cake_expr_value(expr)); break;
  case CAKE_EXPR_NAME: cake_buf_str(writer->out, cake_id_str(cake_expr_name_of(expr))); break;
  case CAKE_EXPR_OPERAND: write_operand(writer, cake_expr_value(expr)); break;
  case CAKE_EXPR_INSTANCE: cake_buf_text(writer->out, "instance"); break;
  case CAKE_EXPR_RANK: cake_buf_text(writer->out, "rank"); break;
  case CAKE_EXPR_ROW: cake_buf_text(writer->out, "row"); break;
  case CAKE_EXPR_COL: cake_buf_text(writer->out, "col"); break;
  default: cake_buf_char(writer->out, '?'); break;
  }
}

static void write_inner(const CakeExprWriter *writer, CakeAttr expr, int outer) {
  bool has_parens = precedence(cake_expr_kind(expr)) < outer;
  if (has_parens) cake_buf_char(writer->out, '(');
  cake_expr_write(writer, expr);
  if (has_parens) cake_buf_char(writer->out, ')');
}

static const char *infix_text(CakeExprKind kind) {
  switch (kind) {
  case CAKE_EXPR_ADD: return " + ";
  case CAKE_EXPR_SUB: return " - ";
  case CAKE_EXPR_MUL: return " * ";
  case CAKE_EXPR_FLOORDIV: return " floordiv ";
  default: return " mod ";
  }
}

void cake_expr_write(const CakeExprWriter *writer, CakeAttr expr) {
  CakeExprKind kind = cake_expr_kind(expr);
  if (kind < CAKE_EXPR_ADD) {
    write_leaf(writer, expr);
    return;
  }
  int level = precedence(kind);
  if (level == 3) {
    cake_buf_text(writer->out, kind == CAKE_EXPR_CEILDIV ? "ceildiv(" : kind == CAKE_EXPR_MIN ? "min(" : "max(");
    cake_expr_write(writer, cake_expr_lhs(expr));
    cake_buf_text(writer->out, ", ");
    cake_expr_write(writer, cake_expr_rhs(expr));
    cake_buf_char(writer->out, ')');
    return;
  }
  write_inner(writer, cake_expr_lhs(expr), level);
  cake_buf_text(writer->out, infix_text(kind));
  write_inner(writer, cake_expr_rhs(expr), level + 1);
}

void cake_at_write(const CakeExprWriter *writer, CakeAttr at) {
  for (size_t i = 0; i < cake_at_count(at); i++) {
    if (i) cake_buf_text(writer->out, ", ");
    cake_expr_write(writer, cake_at_expr(at, i));
  }
}

void cake_pred_write(const CakeExprWriter *writer, CakeAttr pred) {
  for (size_t i = 0; i < cake_pred_count(pred); i++) {
    CakePredTerm term = cake_pred_term(pred, i);
    if (i) cake_buf_text(writer->out, ", ");
    cake_expr_write(writer, term.lhs);
    cake_buf_printf(writer->out, " %s ", compare_words[term.compare]);
    cake_expr_write(writer, term.rhs);
  }
}

const char *cake_body_text(CakeAttr attr) {
  CakeStr text = cake_str(cake_attr_text(attr));
  size_t start = 0;
  while (start < text.len && text.ptr[start] != '<')
    start++;
  if (start + 2 > text.len || text.ptr[text.len - 1] != '>') return cake_id(attr->context, text)->text;
  return cake_id(attr->context, (CakeStr){text.ptr + start + 1, text.len - start - 2})->text;
}

// ---- The attributes ------------------------------------------------------------------------------------------------

static bool parse_expr(CakeParser *parser, CakeAttr *out) {
  CakeExprReader reader = {.parser = parser};
  return cake_parser_expect(parser, CAKE_TOK_LESS) && cake_expr_read(&reader, out) &&
         cake_parser_expect(parser, CAKE_TOK_GREATER);
}

static void print_expr(CakePrinter *printer, CakeAttr attr) {
  CakeExprWriter writer = {.out = cake_printer_buf(printer)};
  cake_buf_char(writer.out, '<');
  cake_expr_write(&writer, attr);
  cake_buf_char(writer.out, '>');
}

static bool parse_at(CakeParser *parser, CakeAttr *out) {
  CakeExprReader reader = {.parser = parser};
  return cake_parser_expect(parser, CAKE_TOK_LESS) && cake_parser_expect(parser, CAKE_TOK_LSQUARE) &&
         cake_exprs_read(&reader, CAKE_TOK_RSQUARE, out) && cake_parser_expect(parser, CAKE_TOK_RSQUARE) &&
         cake_parser_expect(parser, CAKE_TOK_GREATER);
}

static void print_at(CakePrinter *printer, CakeAttr attr) {
  CakeExprWriter writer = {.out = cake_printer_buf(printer)};
  cake_buf_text(writer.out, "<[");
  cake_at_write(&writer, attr);
  cake_buf_text(writer.out, "]>");
}

static bool parse_pred(CakeParser *parser, CakeAttr *out) {
  CakeExprReader reader = {.parser = parser};
  return cake_parser_expect(parser, CAKE_TOK_LESS) && cake_pred_read(&reader, out) &&
         cake_parser_expect(parser, CAKE_TOK_GREATER);
}

static void print_pred(CakePrinter *printer, CakeAttr attr) {
  CakeExprWriter writer = {.out = cake_printer_buf(printer)};
  cake_buf_char(writer.out, '<');
  cake_pred_write(&writer, attr);
  cake_buf_char(writer.out, '>');
}

const CakeAttrDef cake_attr_def_expr = {
    .name = "expr",
    .dialect = &cake_dialect_cake,
    .summary = "An index expression.",
    .syntax = "`#cake.expr<` expr `>`",
    .description = "Integers, names of sizes and parameters, operands `dN`, `instance`, `rank`, and `+ - *`, `a "
                   "floordiv b`, `ceildiv(a, b)`, `a mod b`, `min(a, b)`, `max(a, b)`.",
    .parse = parse_expr,
    .print = print_expr};
const CakeAttrDef cake_attr_def_at = {.name = "at",
                                      .dialect = &cake_dialect_cake,
                                      .summary = "Coordinates: one expression a dimension.",
                                      .syntax = "`#cake.at<[` expr (`,` expr)* `]>`",
                                      .parse = parse_at,
                                      .print = print_at};
const CakeAttrDef cake_attr_def_pred = {
    .name = "pred",
    .dialect = &cake_dialect_cake,
    .summary = "Comparisons of expressions, all of which must hold.",
    .syntax = "`#cake.pred<` expr (`eq` | `ne` | `lt` | `le` | `gt` | `ge`) expr (`,` …)* `>`",
    .description = "`row` and `col` are the coordinates of an element of the fragment. Words, because `<` and `>` "
                   "count as brackets inside an attribute.",
    .parse = parse_pred,
    .print = print_pred};
