// Attributes of declarations and copies: axes, schedule, parts, choices, via. Each has one body, read and written
// by both its generic form and the directive of the custom form.
#include "dialects/cake/cake_private.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// ---- Words ---------------------------------------------------------------------------------------------------------

bool cake_word_read(CakeParser *parser, const char *const *words, int count, const char *what, int64_t *out) {
  for (int i = 0; i < count && cake_parser_token(parser) == CAKE_TOK_BARE; i++) {
    if (!cake_str_is(cake_parser_spelling(parser), words[i])) continue;
    cake_parser_next(parser);
    *out = i;
    return true;
  }
  CakeBuf list = {0};
  for (int i = 0; i < count; i++)
    cake_buf_printf(&list, "%s%s", i ? ", " : "", words[i]);
  for (int i = 0; i < count; i++)
    cake_parser_offer(parser, words[i]);
  cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected %s: one of %.*s", what,
                    CAKE_STR_ARG(cake_buf_view(&list)));
  cake_buf_fini(&list);
  return false;
}

static const char *const schedule_words[] = {"grid", "persistent"};
static const char *const via_words[] = {"tma", "bulk", "cp_async"};

static bool read_word_attr(CakeParser *parser, const CakeAttrDef *def, const char *const *words, int count,
                           const char *what, CakeAttr *out) {
  CakeParam param = cake_param_int(0);
  if (!cake_word_read(parser, words, count, what, &param.i)) return false;
  *out = cake_attr_get(cake_parser_context(parser), def, &param, 1);
  return true;
}

// `group<m, 8>`
static bool read_group(CakeParser *parser, CakeParam *params) {
  CakeExprReader reader = {.parser = parser, .no_operands = true};
  CakeId axis;
  CakeAttr size;
  if (!cake_parser_expect_keyword(parser, "group") || !cake_parser_expect(parser, CAKE_TOK_LESS) ||
      !cake_parser_keyword(parser, &axis) || !cake_parser_expect(parser, CAKE_TOK_COMMA) ||
      !cake_expr_read(&reader, &size) || !cake_parser_expect(parser, CAKE_TOK_GREATER))
    return false;
  params[0] = cake_param_id(axis);
  params[1] = cake_param_attr(size);
  return true;
}

// What follows the word of a schedule: `group<m, 8>` and `longest_first`, each at most once.
static bool read_schedule_clauses(CakeParser *parser, CakeParam *params, size_t *count) {
  while (cake_parser_accept(parser, CAKE_TOK_COMMA)) {
    CakeLoc loc = cake_parser_loc(parser);
    bool is_longest = cake_parser_is_keyword(parser, "longest_first");
    if (is_longest ? params[1].i : *count > 2)
      return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_SYNTAX, "is said already");
    if (is_longest) {
      cake_parser_next(parser);
      params[1].i = 1;
      continue;
    }
    cake_parser_offer(parser, "longest_first");
    if (!read_group(parser, params + 2)) return false;
    *count = 4;
  }
  return true;
}

bool cake_schedule_read(CakeParser *parser, CakeAttr *out) {
  CakeParam params[4] = {cake_param_int(0), cake_param_int(0)};
  size_t count = 2;
  if (!cake_word_read(parser, schedule_words, CAKE_COUNT(schedule_words), "a schedule", &params[0].i) ||
      !read_schedule_clauses(parser, params, &count))
    return false;
  *out = cake_attr_get(cake_parser_context(parser), &cake_attr_def_schedule, params, count);
  return true;
}

void cake_schedule_write(CakeBuf *out, CakeAttr schedule) {
  CakeExprWriter writer = {.out = out};
  cake_buf_text(out, schedule_words[cake_schedule_kind(schedule)]);
  if (cake_schedule_group(schedule)) {
    cake_buf_printf(out, ", group<%.*s, ", CAKE_STR_ARG(cake_id_str(cake_schedule_axis(schedule))));
    cake_expr_write(&writer, cake_schedule_group(schedule));
    cake_buf_char(out, '>');
  }
  if (cake_schedule_is_longest_first(schedule)) cake_buf_text(out, ", longest_first");
}

bool cake_via_read(CakeParser *parser, CakeAttr *out) {
  return read_word_attr(parser, &cake_attr_def_via, via_words, CAKE_COUNT(via_words), "a way to copy", out);
}

void cake_via_write(CakeBuf *out, CakeAttr via) {
  cake_buf_text(out, via_words[cake_via_of(via)]);
}

// ---- Lists ---------------------------------------------------------------------------------------------------------

static bool is_new_name(CakeParser *parser, CakeLoc loc, const CakeParam *params, size_t count, CakeId name) {
  for (size_t i = 0; i < count; i++)
    if (params[2 * i].id == name)
      return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NAME, "'%.*s' occurs twice",
                                  CAKE_STR_ARG(cake_id_str(name)));
  return true;
}

// `name SEPARATOR value (, …)*` up to `end`; `read` reads the value into a parameter.
static bool read_pairs(CakeParser *parser, CakeToken end, CakeToken separator, bool (*read)(CakeParser *, CakeParam *),
                       const CakeAttrDef *def, CakeAttr *out) {
  CakeParam params[2 * CAKE_MAX_LIST];
  size_t count = 0;
  while (count > 0 || cake_parser_token(parser) != end) {
    if (count == CAKE_MAX_LIST)
      return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "more than %d entries", CAKE_MAX_LIST);
    CakeLoc loc = cake_parser_loc(parser);
    CakeId name;
    if (!cake_parser_keyword(parser, &name) || !is_new_name(parser, loc, params, count, name)) return false;
    params[2 * count] = cake_param_id(name);
    if (!cake_parser_expect(parser, separator) || !read(parser, &params[2 * count + 1])) return false;
    count++;
    if (!cake_parser_accept(parser, CAKE_TOK_COMMA)) break;
  }
  *out = cake_attr_get(cake_parser_context(parser), def, params, 2 * count);
  return true;
}

static bool read_extent(CakeParser *parser, CakeParam *out) {
  CakeExprReader reader = {.parser = parser, .no_operands = true};
  CakeAttr expr;
  if (!cake_expr_read(&reader, &expr)) return false;
  *out = cake_param_attr(expr);
  return true;
}

bool cake_axes_read(CakeParser *parser, CakeToken end, CakeAttr *out) {
  return read_pairs(parser, end, CAKE_TOK_EQUAL, read_extent, &cake_attr_def_axes, out);
}

void cake_axes_write(CakeBuf *out, CakeAttr axes) {
  CakeExprWriter writer = {.out = out};
  for (size_t i = 0; i < cake_axes_count(axes); i++) {
    cake_buf_printf(out, "%s%.*s = ", i ? ", " : "", CAKE_STR_ARG(cake_id_str(cake_axes_name(axes, i))));
    cake_expr_write(&writer, cake_axes_extent(axes, i));
  }
}

int cake_axes_find(CakeAttr axes, CakeId name) {
  for (size_t i = 0; i < cake_axes_count(axes); i++)
    if (cake_axes_name(axes, i) == name) return (int)i;
  return -1;
}

static bool read_part(CakeParser *parser, CakeParam *out) {
  CakeLoc loc = cake_parser_loc(parser);
  CakeType type;
  if (!cake_parser_type(parser, &type)) return false;
  if (!cake_type_is(type, &cake_type_def_shared) && !cake_type_is(type, &cake_type_def_tmem))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                                "a part of a slot must be of type '!cake.shared' or '!cake.tmem', but this is '%s'",
                                cake_type_text(type));
  *out = cake_param_type(type);
  return true;
}

bool cake_parts_read(CakeParser *parser, CakeToken end, CakeAttr *out) {
  return read_pairs(parser, end, CAKE_TOK_COLON, read_part, &cake_attr_def_parts, out);
}

void cake_parts_write(CakePrinter *printer, CakeAttr parts) {
  CakeBuf *out = cake_printer_buf(printer);
  for (size_t i = 0; i < cake_parts_count(parts); i++) {
    cake_buf_printf(out, "%s%.*s: ", i ? ", " : "", CAKE_STR_ARG(cake_id_str(cake_parts_name(parts, i))));
    cake_printer_type(printer, cake_parts_type(parts, i));
  }
}

// ---- Choices -------------------------------------------------------------------------------------------------------

static bool read_range(CakeParser *parser, CakeParam *params) {
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_parser_int(parser, &params[1].i) || !cake_parser_expect(parser, CAKE_TOK_DOT_DOT) ||
      !cake_parser_int(parser, &params[2].i))
    return false;
  if (params[1].i <= params[2].i) return true;
  return cake_parser_error_at(parser, loc, CAKE_CODE_PARAM_CHOICE, "the range holds no number");
}

bool cake_choices_read(CakeParser *parser, CakeAttr *out) {
  CakeParam params[1 + CAKE_MAX_LIST] = {cake_param_int(1)};
  size_t count = 2;
  if (!cake_parser_accept(parser, CAKE_TOK_LSQUARE)) {
    params[1] = params[2] = cake_param_int(0);
    if (!read_range(parser, params)) return false;
  } else {
    params[0].i = 0;
    count = 0;
    do {
      if (count == CAKE_MAX_LIST)
        return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "more than %d choices", CAKE_MAX_LIST);
      params[1 + count] = cake_param_int(0);
      if (!cake_parser_int(parser, &params[1 + count++].i)) return false;
    } while (cake_parser_accept(parser, CAKE_TOK_COMMA));
    if (!cake_parser_expect(parser, CAKE_TOK_RSQUARE)) return false;
  }
  *out = cake_attr_get(cake_parser_context(parser), &cake_attr_def_choices, params, 1 + count);
  return true;
}

void cake_choices_write(CakeBuf *out, CakeAttr choices) {
  if (choices->params[0].i) {
    cake_buf_printf(out, "%lld..%lld", (long long)choices->params[1].i, (long long)choices->params[2].i);
    return;
  }
  for (size_t i = 1; i < choices->count; i++)
    cake_buf_printf(out, "%s%lld", i > 1 ? ", " : "[", (long long)choices->params[i].i);
  cake_buf_char(out, ']');
}

bool cake_choices_contain(CakeAttr choices, int64_t value) {
  if (choices->params[0].i) return choices->params[1].i <= value && value <= choices->params[2].i;
  for (size_t i = 1; i < choices->count; i++)
    if (choices->params[i].i == value) return true;
  return false;
}

// ---- Scalars -------------------------------------------------------------------------------------------------------

static bool read_float(CakeParser *parser, CakeType type, bool is_negative, CakeAttr *out) {
  CakeStr text = cake_parser_spelling(parser);
  char digits[64];
  if (text.len >= sizeof digits) return cake_parser_error(parser, CAKE_CODE_PARSE_NUMBER, "number is too long");
  memcpy(digits, text.ptr, text.len);
  digits[text.len] = '\0';
  double value = strtod(digits, NULL);
  cake_parser_next(parser);
  *out = cake_attr_float(type, is_negative ? -value : value);
  return true;
}

// A float attribute whose value is no decimal number: `inf`, `-inf`, `nan`.
static bool read_special(CakeParser *parser, CakeType type, bool is_negative, CakeAttr *out) {
  bool is_nan = cake_parser_is_keyword(parser, "nan");
  if (!cake_type_is_any_float(type) || (!is_nan && !cake_parser_is_keyword(parser, "inf")))
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected a number of type '%s'", cake_type_text(type));
  if (is_nan && is_negative) return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "nan has no sign");
  cake_parser_next(parser);
  *out = cake_attr_float(type, is_nan ? (double)NAN : is_negative ? -(double)INFINITY : (double)INFINITY);
  return true;
}

bool cake_scalar_read(CakeParser *parser, CakeType type, CakeAttr *out) {
  if (!cake_type_is_any_float(type)) return cake_parser_attr(parser, type, out);
  bool is_negative = cake_parser_accept(parser, CAKE_TOK_MINUS);
  CakeToken token = cake_parser_token(parser);
  if (token == CAKE_TOK_INT || token == CAKE_TOK_FLOAT) return read_float(parser, type, is_negative, out);
  return read_special(parser, type, is_negative, out);
}

// The shortest decimal text that reads back as the value, with a point.
static void write_double(CakeBuf *out, double value, bool is_single) {
  char text[40];
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    double back = strtod(text, NULL);
    if (is_single ? (float)back == (float)value : back == value) break;
  }
  const char *exponent = strchr(text, 'e');
  size_t mantissa = exponent ? (size_t)(exponent - text) : strlen(text);
  cake_buf_append(out, text, mantissa);
  if (!memchr(text, '.', mantissa)) cake_buf_text(out, ".0");
  if (exponent) cake_buf_text(out, exponent);
}

void cake_scalar_write(CakePrinter *printer, CakeAttr value) {
  CakeBuf *out = cake_printer_buf(printer);
  if (!cake_attr_is(value, &cake_attr_def_float)) {
    if (cake_attr_is(value, &cake_attr_def_integer) && !cake_type_is_integer(cake_attr_value_type(value), 1))
      cake_buf_int(out, cake_attr_int_value(value));
    else
      cake_printer_attr(printer, value);
    return;
  }
  double number = cake_attr_float_value(value);
  if (isinf(number))
    cake_buf_text(out, number < 0 ? "-inf" : "inf");
  else if (isnan(number))
    cake_buf_text(out, "nan");
  else
    write_double(out, number, cake_type_width(cake_attr_value_type(value)) <= 32);
}

// ---- Definitions ---------------------------------------------------------------------------------------------------

#define BODY(name, read, write)                                                                                        \
  static bool parse_##name(CakeParser *parser, CakeAttr *out) {                                                        \
    return cake_parser_expect(parser, CAKE_TOK_LESS) && read && cake_parser_expect(parser, CAKE_TOK_GREATER);          \
  }                                                                                                                    \
  static void print_##name(CakePrinter *printer, CakeAttr attr) {                                                      \
    cake_buf_char(cake_printer_buf(printer), '<');                                                                     \
    write;                                                                                                             \
    cake_buf_char(cake_printer_buf(printer), '>');                                                                     \
  }

BODY(axes, cake_axes_read(parser, CAKE_TOK_GREATER, out), cake_axes_write(cake_printer_buf(printer), attr))
BODY(parts, cake_parts_read(parser, CAKE_TOK_GREATER, out), cake_parts_write(printer, attr))
BODY(choices, cake_choices_read(parser, out), cake_choices_write(cake_printer_buf(printer), attr))
BODY(schedule, cake_schedule_read(parser, out), cake_schedule_write(cake_printer_buf(printer), attr))
BODY(via, cake_via_read(parser, out), cake_via_write(cake_printer_buf(printer), attr))

#define ATTRIBUTE(row, brief, text, ...)                                                                               \
  const CakeAttrDef cake_attr_def_##row = {.name = #row,                                                               \
                                           .dialect = &cake_dialect_cake,                                              \
                                           .summary = brief,                                                           \
                                           .syntax = text,                                                             \
                                           .parse = parse_##row,                                                       \
                                           .print = print_##row,                                                       \
                                           .description = __VA_ARGS__}

ATTRIBUTE(axes, "Extents by name.", "`#cake.axes<` (name `=` expr),* `>`",
          "The extents are expressions over sizes and parameters.");
ATTRIBUTE(parts, "The buffers of one slot of a pipeline.", "`#cake.parts<` (name `:` type),* `>`",
          "The types are `!cake.shared<…>` and `!cake.tmem<…>`.");
ATTRIBUTE(choices, "The values that a parameter may take.",
          "`#cake.choices<[` int,* `]>` | `#cake.choices<` int `..` int `>`", "A range includes both ends.");
ATTRIBUTE(schedule, "How items are given to CTAs.",
          "`#cake.schedule<` (`grid` | `persistent`) (`,` `group<` name `,` expr `>`)? (`,` `longest_first`)? `>`",
          "`grid`: one CTA an item. `persistent`: as many CTAs as fit at once, CTA i takes items i, i + CTAs, …. "
          "`group<m, 8>`: items are numbered in bands of 8 values of axis m, inside of which m runs fastest. "
          "`longest_first`: the axis that the number of steps depends on runs slowest (in its band), from its last value down, and persistent CTAs take a band's items in rounds there and back.");
ATTRIBUTE(via, "How a copy moves its bytes.", "`#cake.via<` (`tma` | `bulk` | `cp_async`) `>`", "See `cake.copy`.");
