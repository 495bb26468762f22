// Numbers in attributes: integers and floats checked against their types as MLIR does, and dense arrays.
#include "parser.h"

#include <locale.h>
#include <stdlib.h>
#include <string.h>

// ---- Scalars -------------------------------------------------------------------------------------------------------

typedef struct Number {
  CakeLexeme token; // INT or FLOAT
  CakeLoc loc;      // of the sign
  bool negative;
} Number;

static bool out_of_range(CakeParser *parser, const Number *number) {
  return cake_parser_error_at(parser, number->loc, CAKE_CODE_PARSE_NUMBER,
                              "integer constant out of range for attribute");
}

static bool is_hex(const CakeLexeme *token) {
  return token->len > 2 && token->ptr[1] == 'x';
}

bool cake_parser_digits(const CakeLexeme *token, uint64_t *out) {
  uint64_t value = 0, base = is_hex(token) ? 16 : 10;
  for (size_t i = is_hex(token) ? 2 : 0; i < token->len; i++) {
    uint64_t digit = (uint64_t)cake_hex_value(token->ptr[i]);
    if (value > (UINT64_MAX - digit) / base) return false;
    value = value * base + digit;
  }
  *out = value;
  return true;
}

// MLIR's rules: digits must fit the width; negative numbers must have the sign bit; signed types must not have it
// otherwise.
static bool integer_bits(CakeParser *parser, const Number *number, CakeType type, int64_t *out) {
  uint32_t width = cake_type_is_index(type) ? 64 : cake_type_width(type);
  uint64_t value;
  if (!cake_parser_digits(&number->token, &value)) return out_of_range(parser, number);
  if (width < 64 && value >> width) return out_of_range(parser, number);
  if (width == 0) {
    if (number->negative) return out_of_range(parser, number);
    *out = 0;
    return true;
  }
  uint64_t sign = UINT64_C(1) << (width - 1);
  bool is_signed = cake_type_is_index(type) || cake_type_sign(type) == CAKE_SIGNED;
  if (number->negative) {
    if (cake_type_is_integer(type, 0) && cake_type_sign(type) == CAKE_UNSIGNED)
      return cake_parser_error_at(parser, number->loc, CAKE_CODE_PARSE_NUMBER,
                                  "negative integer literal not valid for unsigned integer type");
    value = (0 - value) & (sign | (sign - 1));
    if (!(value & sign)) return out_of_range(parser, number);
  } else if (is_signed && (value & sign)) {
    return out_of_range(parser, number);
  }
  *out = (int64_t)value;
  return true;
}

static bool hex_float(CakeParser *parser, const Number *number, CakeType type, double *out) {
  uint64_t bits;
  uint32_t width = cake_type_width(type);
  if (number->negative)
    return cake_parser_error_at(parser, number->loc, CAKE_CODE_PARSE_NUMBER,
                                "hexadecimal float literal should not have a leading minus");
  if (!cake_float_has_encoding(type))
    return cake_parser_error_at(parser, number->loc, CAKE_CODE_PARSE_NUMBER,
                                "hexadecimal numbers of type '%s' are not supported", cake_type_text(type));
  if (!cake_parser_digits(&number->token, &bits) || (width < 64 && bits >> width))
    return cake_parser_error_at(parser, number->loc, CAKE_CODE_PARSE_NUMBER,
                                "hexadecimal float constant out of range for type");
  *out = cake_float_decode(type, bits);
  return true;
}

// strtod reads the decimal point of the program's locale.
static double decimal_in_c_locale(const char *text) {
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (!c) return strtod(text, NULL);
  locale_t old = uselocale(c);
  double value = strtod(text, NULL);
  uselocale(old);
  freelocale(c);
  return value;
}

// Few digits and a small power of ten are doubles, and so is what is nearest to their product or quotient. False: there are too many.
static bool short_decimal(CakeStr text, double *out) {
  static const double powers[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                  1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  enum { MOST_DIGITS = 15, MOST_EXPONENT = 3 };
  const char *p = text.ptr, *end = p + text.len, *point = NULL;
  uint64_t digits = 0;
  for (; p < end && *p != 'e' && *p != 'E'; p++) {
    if (*p == '.')
      point = p + 1;
    else
      digits = digits * 10 + (uint64_t)(*p - '0');
  }
  int power = point ? (int)(point - p) : 0, exponent = 0;
  if (p - text.ptr > MOST_DIGITS) return false;
  if (p < end) {
    bool is_negative = p[1] == '-';
    p += 1 + (p[1] == '-' || p[1] == '+');
    if (end - p > MOST_EXPONENT) return false;
    for (; p < end; p++)
      exponent = exponent * 10 + (*p - '0');
    power += is_negative ? -exponent : exponent;
  }
  if (power >= (int)CAKE_COUNT(powers) || -power >= (int)CAKE_COUNT(powers)) return false;
  *out = power < 0 ? (double)digits / powers[-power] : (double)digits * powers[power];
  return true;
}

double cake_parser_decimal(CakeParser *parser, CakeStr text) {
  double value;
  if (short_decimal(text, &value)) return value;
  cake_buf_clear(&parser->text);
  cake_buf_str(&parser->text, text);
  bool is_c = strcmp(localeconv()->decimal_point, ".") == 0;
  return is_c ? strtod(parser->text.data, NULL) : decimal_in_c_locale(parser->text.data);
}

static bool float_value(CakeParser *parser, const Number *number, CakeType type, double *out) {
  if (number->token.kind == CAKE_TOK_INT) {
    if (is_hex(&number->token)) return hex_float(parser, number, type, out);
    return cake_parser_error_at(
        parser, number->loc, CAKE_CODE_PARSE_NUMBER,
        "unexpected decimal integer literal for a floating point value; add a trailing dot to make it a float");
  }
  *out = cake_parser_decimal(parser, cake_lexeme_str(&number->token));
  if (number->negative) *out = -*out;
  return true;
}

static bool read_number(CakeParser *parser, Number *out) {
  out->loc = cake_parser_loc(parser);
  out->negative = cake_parser_accept(parser, CAKE_TOK_MINUS);
  out->token = parser->token;
  if (out->token.kind != CAKE_TOK_INT && out->token.kind != CAKE_TOK_FLOAT)
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected constant integer or floating point value");
  cake_parser_next(parser);
  return true;
}

static bool is_wide(CakeType type) {
  return cake_type_is_integer(type, 0) && cake_type_width(type) > 64;
}

// More than 64 bits: kept as its decimal digits.
static bool wide_integer(CakeParser *parser, const Number *number, CakeType type, CakeAttr *out) {
  if (number->negative && cake_type_sign(type) == CAKE_UNSIGNED)
    return cake_parser_error_at(parser, number->loc, CAKE_CODE_PARSE_NUMBER,
                                "negative integer literal not valid for unsigned integer type");
  if (number->token.len > CAKE_MAX_DIGITS)
    return cake_parser_error_at(parser, number->loc, CAKE_CODE_PARSE_NUMBER, "an integer literal has at most %d digits",
                                CAKE_MAX_DIGITS);
  CakeBuf text = {0};
  bool ok = cake_wide_from_literal(cake_lexeme_str(&number->token), number->negative, type, &text);
  if (ok) *out = cake_attr_wide_integer(type, cake_buf_view(&text));
  cake_buf_fini(&text);
  return ok || out_of_range(parser, number);
}

// The type behind a number, or what it is without one.
static bool number_type(CakeParser *parser, const Number *number, CakeType *type) {
  if (!*type && cake_parser_accept(parser, CAKE_TOK_COLON)) return cake_parser_type(parser, type);
  if (!*type)
    *type = number->token.kind == CAKE_TOK_FLOAT ? cake_type_float(parser->context, CAKE_FLOAT_F64)
                                                 : cake_type_integer(parser->context, 64, CAKE_SIGNLESS);
  return true;
}

bool cake_parser_number(CakeParser *parser, CakeType type, CakeAttr *out) {
  Number number;
  if (!read_number(parser, &number)) return false;
  if (!number_type(parser, &number, &type)) return false;
  if (cake_type_is_any_float(type)) {
    double value;
    if (!float_value(parser, &number, type, &value)) return false;
    *out = cake_attr_float(type, value);
    return true;
  }
  if (number.token.kind == CAKE_TOK_FLOAT)
    return cake_parser_error_at(parser, number.loc, CAKE_CODE_PARSE_NUMBER,
                                "floating point value not valid for specified type");
  if (!cake_type_is_integer(type, 0) && !cake_type_is_index(type))
    return cake_parser_error_at(parser, number.loc, CAKE_CODE_PARSE_NUMBER,
                                "integer literal not valid for specified type");
  if (is_wide(type)) return wide_integer(parser, &number, type, out);
  int64_t bits;
  if (!integer_bits(parser, &number, type, &bits)) return false;
  *out = cake_attr_integer(type, bits);
  return true;
}

// ---- Elements ------------------------------------------------------------------------------------------------------

bool cake_parser_element_bits(CakeParser *parser, CakeType type, int64_t *out_bits, double *out_value) {
  *out_value = 0;
  *out_bits = 0;
  if (cake_parser_is_keyword(parser, "true") || cake_parser_is_keyword(parser, "false")) {
    if (!cake_type_is_integer(type, 1))
      return cake_parser_error(parser, CAKE_CODE_PARSE_NUMBER, "expected i1 type for 'true' or 'false' values");
    *out_bits = cake_parser_is_keyword(parser, "true");
    cake_parser_next(parser);
    return true;
  }
  Number number;
  if (!read_number(parser, &number)) return false;
  if (cake_type_is_any_float(type)) return float_value(parser, &number, type, out_value);
  if (number.token.kind == CAKE_TOK_FLOAT)
    return cake_parser_error_at(parser, number.loc, CAKE_CODE_PARSE_NUMBER,
                                "expected integer elements, but parsed floating-point");
  return integer_bits(parser, &number, type, out_bits);
}

static bool parse_array_element(CakeParser *parser, CakeType type) {
  int64_t bits;
  double value;
  if (cake_type_is_integer(type, 1) && !cake_parser_is_keyword(parser, "true") &&
      !cake_parser_is_keyword(parser, "false"))
    return cake_parser_error(parser, CAKE_CODE_PARSE_NUMBER, "expected 'true' or 'false' values for i1 type");
  if (!cake_parser_element_bits(parser, type, &bits, &value)) return false;
  if (cake_type_is_any_float(type)) bits = (int64_t)cake_float_encode(type, value);
  uint32_t unused = 64 - cake_type_width(type);
  // Sign-extended, but a true stays 1.
  if (cake_type_width(type) > 1) bits = (int64_t)((uint64_t)bits << unused) >> unused;
  CAKE_PUSH(&parser->numbers, bits);
  return true;
}

static bool check_array_type(CakeParser *parser, CakeLoc loc, CakeType type) {
  uint32_t width = cake_type_width(type);
  if (!cake_type_is_any_float(type) && !cake_type_is_integer(type, 0))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "expected integer or float type, but got '%s'",
                                cake_type_text(type));
  if (!cake_type_is_integer(type, 1) && (width % 8 != 0 || width == 0))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                                "element type bitwidth must be a multiple of 8, but '%s' has %u", cake_type_text(type),
                                width);
  return true;
}

static bool parse_array_elements(CakeParser *parser, CakeLoc loc, CakeType type) {
  if (!cake_parser_accept(parser, CAKE_TOK_COLON)) return true;
  if (cake_type_width(type) > 64)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                                "elements of an array are kept in 64 bits, too few for '%s'", cake_type_text(type));
  do
    if (!parse_array_element(parser, type)) return false;
  while (cake_parser_accept(parser, CAKE_TOK_COMMA));
  return true;
}

// `array<i32: 1, 2>`
bool cake_parser_dense_array(CakeParser *parser, CakeAttr *out) {
  CakeType type;
  cake_parser_next(parser);
  if (!cake_parser_expect(parser, CAKE_TOK_LESS)) return false;
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_parser_type(parser, &type) || !check_array_type(parser, loc, type)) return false;
  size_t base = parser->numbers.len;
  bool ok = parse_array_elements(parser, loc, type) && cake_parser_expect(parser, CAKE_TOK_GREATER);
  if (ok) *out = cake_attr_dense_array(type, CAKE_VEC_FROM(&parser->numbers, base), parser->numbers.len - base);
  parser->numbers.len = base;
  return ok;
}
