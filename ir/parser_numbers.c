// Numbers in attributes: integers and floats checked against their types as MLIR does, dense arrays and dense elements.
#include "text.h"

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

// The digits of an INT token as a 64-bit number; false when they need more.
static bool digits_value(const CakeLexeme *token, uint64_t *out) {
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
  if (!digits_value(&number->token, &value)) return out_of_range(parser, number);
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
  if (!digits_value(&number->token, &bits) || (width < 64 && bits >> width))
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

static double decimal(CakeParser *parser, const CakeLexeme *token) {
  cake_buf_clear(&parser->text);
  cake_buf_str(&parser->text, cake_lexeme_str(token));
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
  *out = decimal(parser, &number->token);
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

// Types that Cake only carries: the text is kept.
static bool is_wide(CakeType type) {
  CakeFloat kind = cake_type_float_kind(type);
  return (cake_type_is_integer(type, 0) && cake_type_width(type) > 64) || kind == CAKE_FLOAT_F80 ||
         kind == CAKE_FLOAT_F128;
}

static bool keep_number(CakeParser *parser, const char *begin, CakeType type, CakeAttr *out) {
  CakeStr text = cake_parser_text_since(parser, begin);
  CakeBuf kept = {0};
  cake_buf_str(&kept, text);
  cake_buf_text(&kept, " : ");
  cake_print_type(type, &kept);
  *out = cake_attr_verbatim(parser->context, cake_buf_view(&kept));
  cake_buf_fini(&kept);
  return true;
}

bool cake_parser_number(CakeParser *parser, CakeType type, CakeAttr *out) {
  const char *begin = parser->token.ptr;
  Number number;
  if (!read_number(parser, &number)) return false;
  CakeLoc loc = cake_parser_loc(parser);
  const char *end = parser->last_end;
  if (!type && cake_parser_accept(parser, CAKE_TOK_COLON)) {
    loc = cake_parser_loc(parser);
    if (!cake_parser_type(parser, &type)) return false;
    if (is_wide(type)) {
      parser->last_end = end;
      return keep_number(parser, begin, type, out);
    }
  }
  if (!type)
    type = number.token.kind == CAKE_TOK_FLOAT ? cake_type_float(parser->context, CAKE_FLOAT_F64)
                                               : cake_type_integer(parser->context, 64, CAKE_SIGNLESS);
  if (is_wide(type)) return keep_number(parser, begin, type, out);
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
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NUMBER, "integer literal not valid for specified type");
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

static bool is_dense_element(CakeType type) {
  if (cake_type_is_index(type)) return true;
  if (cake_type_is_any_float(type)) return cake_float_has_encoding(type);
  return cake_type_is_integer(type, 0) && cake_type_width(type) >= 1 && cake_type_width(type) <= 64;
}

static size_t element_bytes(CakeType type) {
  return cake_type_is_index(type) ? 8 : (cake_type_width(type) + 7) / 8;
}

static bool parse_array_element(CakeParser *parser, CakeType type) {
  int64_t bits;
  double value;
  if (!cake_parser_element_bits(parser, type, &bits, &value)) return false;
  if (cake_type_is_any_float(type)) bits = (int64_t)cake_float_encode(type, value);
  uint32_t unused = 64 - cake_type_width(type);
  // Sign-extended, but a true stays 1.
  if (cake_type_width(type) > 1) bits = (int64_t)((uint64_t)bits << unused) >> unused;
  CAKE_PUSH(&parser->numbers, bits);
  return true;
}

static bool is_array_element(CakeType type) {
  uint32_t width = cake_type_width(type);
  if (cake_type_is_any_float(type))
    return cake_type_is_float(type, CAKE_FLOAT_F32) || cake_type_is_float(type, CAKE_FLOAT_F64);
  return cake_type_is_integer(type, width) && (width == 1 || width == 8 || width == 16 || width == 32 || width == 64);
}

// `array<i32: 1, 2>`
bool cake_parser_dense_array(CakeParser *parser, CakeAttr *out) {
  CakeType type;
  cake_parser_next(parser);
  if (!cake_parser_expect(parser, CAKE_TOK_LESS)) return false;
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_parser_type(parser, &type)) return false;
  if (!is_array_element(type))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                                "expected i1, i8, i16, i32, i64, f32 or f64 as element type of an array, but got '%s'",
                                cake_type_text(type));
  size_t base = parser->numbers.len;
  bool ok = true;
  if (cake_parser_accept(parser, CAKE_TOK_COLON)) {
    do
      ok = parse_array_element(parser, type);
    while (ok && cake_parser_accept(parser, CAKE_TOK_COMMA));
  }
  ok = ok && cake_parser_expect(parser, CAKE_TOK_GREATER);
  if (ok) *out = cake_attr_dense_array(type, parser->numbers.data + base, parser->numbers.len - base);
  parser->numbers.len = base;
  return ok;
}

// ---- dense<…> : type -----------------------------------------------------------------------------------------------

// Literals are parsed twice: the type comes behind them. The first round only finds it.
typedef struct Dense {
  CakeType type, element;
  CakeBuf bytes;
  int64_t rank, n_elements;
} Dense;

static bool push_element(CakeParser *parser, Dense *dense) {
  int64_t bits;
  double value;
  if (!cake_parser_element_bits(parser, dense->element, &bits, &value)) return false;
  uint64_t word = cake_type_is_any_float(dense->element) ? cake_float_encode(dense->element, value) : (uint64_t)bits;
  char bytes[8];
  for (size_t i = 0; i < 8; i++)
    bytes[i] = (char)(word >> (8 * i) & 0xff);
  cake_buf_append(&dense->bytes, bytes, element_bytes(dense->element));
  dense->n_elements++;
  return true;
}

static bool error_shape(CakeParser *parser) {
  return cake_parser_error(parser, CAKE_CODE_PARSE_TYPE,
                           "the nested lists of 'dense' do not have the shape of its type");
}

// The list of dimension `dim`, brackets included. Depth is the rank, which the first round has bounded.
static bool parse_list(CakeParser *parser, Dense *dense, int64_t dim) {
  if (dim == dense->rank)
    return parser->token.kind == CAKE_TOK_LSQUARE ? error_shape(parser) : push_element(parser, dense);
  if (parser->token.kind != CAKE_TOK_LSQUARE) return error_shape(parser);
  cake_parser_next(parser);
  int64_t n = 0, size = cake_type_dim(dense->type, (size_t)dim);
  while (parser->token.kind != CAKE_TOK_RSQUARE) {
    if (n == size) return error_shape(parser);
    if (n && !cake_parser_expect(parser, CAKE_TOK_COMMA)) return false;
    if (!parse_list(parser, dense, dim + 1)) return false;
    n++;
  }
  if (n != size) return error_shape(parser);
  cake_parser_next(parser);
  return true;
}

// "0x…": the elements' bytes.
static bool parse_hex(CakeParser *parser, Dense *dense, bool *out_splat) {
  CakeStr text = {parser->token.ptr + 1, parser->token.len - 2};
  if (text.len < 2 || text.len % 2 || !cake_str_starts_with(text, "0x"))
    return cake_parser_error(parser, CAKE_CODE_PARSE_NUMBER,
                             "elements hex string should start with '0x' and have two digits a byte");
  for (size_t i = 2; i < text.len; i += 2) {
    int high = cake_hex_value(text.ptr[i]), low = cake_hex_value(text.ptr[i + 1]);
    if (high < 0 || low < 0)
      return cake_parser_error(parser, CAKE_CODE_PARSE_NUMBER,
                               "elements hex string holds a character that is no digit");
    cake_buf_char(&dense->bytes, (char)(high * 16 + low));
  }
  int64_t count = cake_type_count(dense->type), size = (int64_t)element_bytes(dense->element),
          len = (int64_t)dense->bytes.len;
  *out_splat = len == size && count != 1;
  bool fits = len == size || (count != CAKE_DYNAMIC && len % size == 0 && len / size == count);
  if (!fits)
    return cake_parser_error(parser, CAKE_CODE_PARSE_NUMBER,
                             "elements hex data size is invalid for provided type: '%s'", cake_type_text(dense->type));
  cake_parser_next(parser);
  return true;
}

// All elements equal: kept once, as MLIR does.
static void fold_splat(Dense *dense, bool *splat) {
  size_t size = element_bytes(dense->element);
  if (dense->bytes.len <= size) return;
  for (size_t i = size; i < dense->bytes.len; i += size)
    if (memcmp(dense->bytes.data, dense->bytes.data + i, size) != 0) return;
  dense->bytes.len = size;
  *splat = true;
}

static bool parse_elements(CakeParser *parser, Dense *dense, CakeAttr *out) {
  bool splat = false;
  if (parser->token.kind == CAKE_TOK_GREATER) {
    if (cake_type_count(dense->type) != 0) return error_shape(parser);
  } else if (parser->token.kind == CAKE_TOK_STRING) {
    if (!parse_hex(parser, dense, &splat)) return false;
  } else if (parser->token.kind == CAKE_TOK_LSQUARE) {
    if (dense->rank > CAKE_MAX_ATTR_DEPTH)
      return cake_parser_error(parser, CAKE_CODE_PARSE_DEPTH, "lists are nested deeper than %d", CAKE_MAX_ATTR_DEPTH);
    if (!parse_list(parser, dense, 0)) return false;
  } else {
    if (!push_element(parser, dense)) return false;
    splat = true;
  }
  if (!splat) fold_splat(dense, &splat);
  if (parser->token.kind != CAKE_TOK_GREATER) return cake_parser_expect(parser, CAKE_TOK_GREATER);
  *out = cake_attr_dense_elements(dense->type, cake_buf_view(&dense->bytes), splat);
  return true;
}

static bool check_dense_type(CakeParser *parser, CakeLoc loc, CakeType type) {
  if (!cake_type_is(type, &cake_type_def_tensor) && !cake_type_is(type, &cake_type_def_vector))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                                "elements literal must be a ranked tensor or vector type");
  if (cake_type_count(type) == CAKE_DYNAMIC)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "elements literal type must have static shape");
  return true;
}

bool cake_parser_dense(CakeParser *parser, CakeAttr *out) {
  const char *begin = parser->token.ptr;
  cake_parser_next(parser);
  if (parser->token.kind != CAKE_TOK_LESS) return cake_parser_expect(parser, CAKE_TOK_LESS);
  CakeLexeme open = parser->token;
  Dense dense = {0};
  if (!cake_parser_skip_balanced(parser, false) || !cake_parser_expect(parser, CAKE_TOK_COLON)) return false;
  CakeLoc loc = cake_parser_loc(parser);
  if (!cake_parser_type(parser, &dense.type) || !check_dense_type(parser, loc, dense.type)) return false;
  dense.element = cake_type_element(dense.type);
  dense.rank = cake_type_rank(dense.type);
  if (!is_dense_element(dense.element)) {
    *out = cake_attr_verbatim(parser->context, cake_parser_text_since(parser, begin));
    return true;
  }
  CakeLexeme behind = parser->token;
  const char *end = parser->last_end;
  parser->token = open;
  cake_parser_next(parser);
  bool ok = parse_elements(parser, &dense, out);
  cake_buf_fini(&dense.bytes);
  if (!ok) return false;
  parser->token = behind;
  parser->last_end = end;
  return true;
}
