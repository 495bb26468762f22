// Matrix instructions: `wgmma.m64n128k16.nt`, and in templates `wgmma.m64n[BN]k16.nt`.
#include "dialects/cake/cake_private.h"

#include <ctype.h>
#include <string.h>

static const char *const family_words[CAKE_MMA_FAMILIES] = {"mma", "wgmma", "tcgen05"};

const char *cake_mma_family_name(CakeMmaFamily family) {
  return family_words[family];
}

// ---- Reading -------------------------------------------------------------------------------------------------------

// The text of the current token that is left to read.
typedef struct FormReader {
  CakeParser *parser;
  CakeStr text;
} FormReader;

static bool expected_form(FormReader *reader) {
  return cake_parser_error(reader->parser, CAKE_CODE_PARSE_SYNTAX,
                           "expected an instruction such as mma.m16n8k16.nt, wgmma.m64n128k16.nt or, in a template, "
                           "wgmma.m64n[BN]k16.nt");
}

static void skip(FormReader *reader, size_t length) {
  reader->text = (CakeStr){reader->text.ptr + length, reader->text.len - length};
}

// `[BN]` behind the token; then the text goes on with the next one.
static bool read_parameter(FormReader *reader, CakeAttr *out) {
  CakeExprReader expr = {.parser = reader->parser, .no_operands = true};
  cake_parser_next(reader->parser);
  if (!cake_parser_expect(reader->parser, CAKE_TOK_LSQUARE) || !cake_expr_read(&expr, out) ||
      !cake_parser_expect(reader->parser, CAKE_TOK_RSQUARE))
    return false;
  if (cake_parser_token(reader->parser) != CAKE_TOK_BARE) return expected_form(reader);
  reader->text = cake_parser_spelling(reader->parser);
  return true;
}

// A letter and a number, or (where `may_be_parameter`) an expression in brackets.
static bool read_extent(FormReader *reader, char letter, bool may_be_parameter, CakeAttr *out) {
  size_t used = 1;
  int64_t number = 0;
  if (reader->text.len == 0 || reader->text.ptr[0] != letter) return expected_form(reader);
  for (; used < reader->text.len && used < 6 && isdigit((unsigned char)reader->text.ptr[used]); used++)
    number = number * 10 + (reader->text.ptr[used] - '0');
  if (used == 1 && reader->text.len == 1 && may_be_parameter) return read_parameter(reader, out);
  if (used == 1) return expected_form(reader);
  skip(reader, used);
  *out = cake_expr_const(cake_parser_context(reader->parser), number);
  return true;
}

static bool read_family(FormReader *reader, int64_t *out) {
  for (int i = 0; i < CAKE_MMA_FAMILIES; i++) {
    size_t length = strlen(family_words[i]);
    if (!cake_str_starts_with(reader->text, family_words[i]) || reader->text.len <= length ||
        reader->text.ptr[length] != '.')
      continue;
    *out = i;
    skip(reader, length + 1);
    return true;
  }
  return expected_form(reader);
}

static bool read_letters(FormReader *reader, CakeParam *params) {
  CakeStr text = reader->text;
  if (text.len != 3 || text.ptr[0] != '.') return expected_form(reader);
  for (int i = 0; i < 2; i++) {
    if (text.ptr[1 + i] != 'n' && text.ptr[1 + i] != 't') return expected_form(reader);
    params[i] = cake_param_int(text.ptr[1 + i]);
  }
  return true;
}

bool cake_form_read(CakeParser *parser, CakeAttr *out) {
  FormReader reader = {parser, {0}};
  CakeParam params[6] = {cake_param_int(0)};
  CakeAttr m, n, k;
  if (cake_parser_token(parser) != CAKE_TOK_BARE) return expected_form(&reader);
  reader.text = cake_parser_spelling(parser);
  // How deep an instruction is follows from its elements, so that is always a number.
  if (!read_family(&reader, &params[0].i) || !read_extent(&reader, 'm', true, &m) ||
      !read_extent(&reader, 'n', true, &n) || !read_extent(&reader, 'k', false, &k) ||
      !read_letters(&reader, &params[4]))
    return false;
  cake_parser_next(parser);
  params[1] = cake_param_attr(m), params[2] = cake_param_attr(n), params[3] = cake_param_attr(k);
  *out = cake_attr_get(cake_parser_context(parser), &cake_attr_def_form, params, CAKE_COUNT(params));
  return true;
}

// ---- What a form says ------------------------------------------------------------------------------------------------

static int64_t extent(CakeAttr expr) {
  int64_t value;
  return cake_expr_is_const(expr, &value) ? value : -1;
}

CakeMmaForm cake_form_of(CakeAttr form) {
  const CakeParam *p = form->params;
  return (CakeMmaForm){(CakeMmaFamily)p[0].i, extent(p[1].attr), extent(p[2].attr),
                       extent(p[3].attr),     (char)p[4].i,      (char)p[5].i};
}

bool cake_form_is_known(CakeMmaForm form) {
  return form.m >= 0 && form.n >= 0 && form.k >= 0;
}

static void write_extent(CakeBuf *out, char letter, CakeAttr expr) {
  CakeExprWriter writer = {.out = out};
  bool is_number = cake_expr_kind(expr) == CAKE_EXPR_CONST;
  cake_buf_char(out, letter);
  if (!is_number) cake_buf_char(out, '[');
  cake_expr_write(&writer, expr);
  if (!is_number) cake_buf_char(out, ']');
}

void cake_form_write(CakeBuf *out, CakeAttr form) {
  const CakeParam *p = form->params;
  cake_buf_printf(out, "%s.", family_words[p[0].i]);
  write_extent(out, 'm', p[1].attr);
  write_extent(out, 'n', p[2].attr);
  write_extent(out, 'k', p[3].attr);
  cake_buf_printf(out, ".%c%c", (char)p[4].i, (char)p[5].i);
}

static bool parse_form(CakeParser *parser, CakeAttr *out) {
  return cake_parser_expect(parser, CAKE_TOK_LESS) && cake_form_read(parser, out) &&
         cake_parser_expect(parser, CAKE_TOK_GREATER);
}

static void print_form(CakePrinter *printer, CakeAttr attr) {
  cake_buf_char(cake_printer_buf(printer), '<');
  cake_form_write(cake_printer_buf(printer), attr);
  cake_buf_char(cake_printer_buf(printer), '>');
}

const CakeAttrDef cake_attr_def_form = {
    .name = "form",
    .dialect = &cake_dialect_cake,
    .summary = "A matrix instruction and how its operands are stored.",
    .syntax = "`#cake.form<` (`mma` | `wgmma` | `tcgen05`) `.m` extent `n` extent `k` int `.` letter letter `>`",
    .description = "Letter `n`: stored as (M×K) or (K×N); `t`: the other way round. An extent is a number or, in a "
                   "template, an expression over parameters in brackets.",
    .parse = parse_form,
    .print = print_form};
