// dense<…> : type and sparse<…> : type.
//
// The type stands behind the literal: brackets are skipped to reach it, then the literal is read with the element type
// known. Its nested lists give a shape, which is compared with the type's at the end. Where the type says that there are many, their bytes are
// written to where they stay.
#include "digits.h"
#include "parser.h"

#include <string.h>

typedef enum ElementKind { NUMBERS, COMPLEX, STRINGS, UNKNOWN } ElementKind;

typedef struct Literal {
  CakeType type, element; // element: of a number (the part of a complex one)
  ElementKind kind;
  size_t size; // bytes of a number
  CakeStr hex; // digits of elements in hexadecimal; without a pointer: they are not
  CakeBuf bytes;
  CakeId draft; // which `bytes` lie in; NULL: in a buffer
  size_t most;  // bytes that are kept: with more of them the shape is wrong
  CAKE_VEC(CakeId) strings;
  CAKE_VEC(int64_t) shape; // -1: not known yet
  int64_t rank;            // of the lists, -1: not known yet
  int64_t n_numbers;
} Literal;

static bool is_number(CakeType type) {
  if (cake_type_is_any_float(type)) return cake_float_has_encoding(type);
  uint32_t width = cake_integer_width(type);
  return width >= 1 && width <= 64;
}

static size_t number_size(CakeType type) {
  return cake_type_is_index(type) ? 8 : (cake_type_width(type) + 7) / 8;
}

size_t cake_dense_size(CakeType element) {
  return is_number(element) ? number_size(element) : 0;
}

// Takes the parser's buffer, which is given back: one after the other they need no new memory.
static Literal literal_begin(CakeParser *parser) {
  Literal literal = {.rank = -1, .bytes = parser->elements, .most = SIZE_MAX};
  parser->elements = (CakeBuf){0};
  literal.bytes.len = 0;
  return literal;
}

static void literal_set_type(Literal *literal, CakeType type, CakeType element) {
  literal->type = type;
  literal->element = element;
  if (cake_type_is(element, &cake_type_def_complex)) {
    literal->element = cake_type_element(element);
    literal->kind = COMPLEX;
  } else if (!is_number(element)) {
    literal->kind = cake_type_width(element) ? UNKNOWN : STRINGS;
  }
  literal->size = number_size(literal->element);
  if (literal->kind == COMPLEX && !is_number(literal->element)) literal->kind = UNKNOWN;
}

// Bytes of an element.
static size_t element_size(const Literal *literal) {
  return literal->size * (literal->kind == COMPLEX ? 2 : 1);
}

static void give_buffer_back(CakeParser *parser, const Literal *literal) {
  cake_buf_fini(&parser->elements);
  parser->elements = literal->bytes;
}

// Room for the bytes of a whole literal.
static void reserve_bytes(CakeParser *parser, Literal *literal, size_t len) {
  enum { LEAST_DRAFT = 1 << 10 };
  if (len < LEAST_DRAFT) {
    cake_buf_reserve(&literal->bytes, len);
    return;
  }
  give_buffer_back(parser, literal);
  literal->draft = cake_id_draft(parser->context, len);
  literal->bytes = (CakeBuf){literal->draft->text, 0, len + CAKE_DRAFT_SLACK};
  literal->most = len;
}

static void literal_fini(CakeParser *parser, Literal *literal) {
  if (literal->draft)
    cake_id_drop(parser->context, literal->draft);
  else
    give_buffer_back(parser, literal);
  CAKE_VEC_FINI(&literal->strings);
  CAKE_VEC_FINI(&literal->shape);
}

// ---- Elements ------------------------------------------------------------------------------------------------------

static bool at_number(CakeParser *parser) {
  CakeToken kind = parser->token.kind;
  return kind == CAKE_TOK_INT || kind == CAKE_TOK_FLOAT || kind == CAKE_TOK_MINUS ||
         cake_parser_is_keyword(parser, "true") || cake_parser_is_keyword(parser, "false");
}

static bool parse_number(CakeParser *parser, Literal *literal) {
  int64_t bits;
  double value;
  if (!at_number(parser))
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected element literal of primitive type");
  if (!cake_parser_element_bits(parser, literal->element, &bits, &value)) return false;
  uint64_t word =
      cake_type_is_any_float(literal->element) ? cake_float_encode(literal->element, value) : (uint64_t)bits;
  char bytes[8];
  for (size_t i = 0; i < 8; i++)
    bytes[i] = (char)(word >> (8 * i) & 0xff);
  if (literal->bytes.len < literal->most) cake_buf_append(&literal->bytes, bytes, literal->size);
  literal->n_numbers++;
  return true;
}

static bool parse_pair(CakeParser *parser, Literal *literal) {
  cake_parser_next(parser);
  if (!parse_number(parser, literal)) return false;
  if (!cake_parser_accept(parser, CAKE_TOK_COMMA))
    return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected ',' between complex elements");
  if (!parse_number(parser, literal)) return false;
  return cake_parser_accept(parser, CAKE_TOK_RPAREN) ||
         cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected ')' after complex elements");
}

static bool parse_element(CakeParser *parser, Literal *literal) {
  if (literal->kind == STRINGS) {
    CakeId text;
    if (!cake_parser_string(parser, &text)) return false;
    CAKE_PUSH(&literal->strings, text);
    return true;
  }
  if (literal->kind == COMPLEX && parser->token.kind == CAKE_TOK_LPAREN) return parse_pair(parser, literal);
  return parse_number(parser, literal);
}

// ---- Lists ---------------------------------------------------------------------------------------------------------

static bool inconsistent(CakeParser *parser) {
  return cake_parser_error(parser, CAKE_CODE_PARSE_TYPE,
                           "tensor literal is invalid; ranks are not consistent between elements");
}

// All numbers lie equally deep.
static bool set_rank(CakeParser *parser, Literal *literal, int64_t rank) {
  if (literal->rank < 0) literal->rank = rank;
  return literal->rank == rank || inconsistent(parser);
}

// Takes what is plain of a list of integers; *n of them, each with its comma.
static bool take_plain(CakeParser *parser, Literal *literal, int64_t rank, int64_t *n) {
  CakeToken kind = parser->token.kind;
  bool is_integer = literal->kind == NUMBERS && !cake_type_is_any_float(literal->element);
  if (!is_integer || (kind != CAKE_TOK_INT && kind != CAKE_TOK_MINUS)) return true;
  *n = cake_parser_plain_integers(parser, literal->element, literal->size, literal->most, &literal->bytes);
  literal->n_numbers += *n;
  return *n == 0 || set_rank(parser, literal, rank);
}

static bool parse_list(CakeParser *parser, Literal *literal, int64_t dim) {
  if (parser->token.kind != CAKE_TOK_LSQUARE) return set_rank(parser, literal, dim) && parse_element(parser, literal);
  if (dim >= CAKE_MAX_ATTR_DEPTH)
    return cake_parser_error(parser, CAKE_CODE_PARSE_DEPTH, "lists are nested deeper than %d", CAKE_MAX_ATTR_DEPTH);
  if ((size_t)dim == literal->shape.len) CAKE_PUSH(&literal->shape, -1);
  cake_parser_next(parser);
  int64_t n = 0;
  if (parser->token.kind == CAKE_TOK_RSQUARE && !set_rank(parser, literal, dim + 1)) return false;
  if (!take_plain(parser, literal, dim + 1, &n)) return false;
  bool has_comma = n > 0; // the last one that was taken
  while (has_comma || parser->token.kind != CAKE_TOK_RSQUARE) {
    if (n && !has_comma && !cake_parser_accept(parser, CAKE_TOK_COMMA))
      return cake_parser_error(parser, CAKE_CODE_PARSE_SYNTAX, "expected ',' or ']'");
    has_comma = false;
    if (!parse_list(parser, literal, dim + 1)) return false;
    n++;
  }
  int64_t *size = &literal->shape.data[dim];
  if (*size < 0) *size = n;
  if (*size != n) return inconsistent(parser);
  cake_parser_next(parser);
  return true;
}

// "0x…": two digits a byte.
static bool parse_hex(CakeParser *parser, Literal *literal) {
  CakeStr text = {parser->token.ptr + 1, parser->token.len - 2};
  if (text.len < 2 || text.len % 2 || !cake_str_starts_with(text, "0x"))
    return cake_parser_error(parser, CAKE_CODE_PARSE_NUMBER,
                             "elements hex string should start with '0x' and have two digits a byte");
  const char *digits = text.ptr + 2, *end = text.ptr + text.len;
  if (cake_hex_end(digits, end) != end)
    return cake_parser_error(parser, CAKE_CODE_PARSE_NUMBER, "elements hex string holds a character that is no digit");
  literal->hex = (CakeStr){digits, (size_t)(end - digits)};
  cake_parser_next(parser);
  return true;
}

// At `<`: takes `"0x…"` with `>` behind it: its end, which has to be found to reach the type, is where the digits end.
static bool take_hex(CakeParser *parser, Literal *literal) {
  const char *p = parser->token.ptr + 1, *end = parser->lexer.end;
  if (!cake_parser_may_be_quick(parser) || end - p < 5 || memcmp(p, "\"0x", 3) != 0) return false;
  CakeStr hex = {p + 3, (size_t)(cake_hex_end(p + 3, end) - (p + 3))};
  p = hex.ptr + hex.len;
  if (hex.len % 2 || end - p < 2 || p[0] != '"' || p[1] != '>') return false;
  literal->hex = hex;
  cake_parser_saw_ascii(parser, hex);
  parser->token.len = (size_t)(p + 1 - parser->token.ptr);
  cake_parser_next(parser);
  return true;
}

static bool parse_literal(CakeParser *parser, Literal *literal, bool allow_hex) {
  if (parser->token.kind == CAKE_TOK_GREATER || literal->hex.ptr) return true;
  if (allow_hex && parser->token.kind == CAKE_TOK_STRING && literal->kind != STRINGS) return parse_hex(parser, literal);
  return parse_list(parser, literal, 0);
}

// ---- The attribute -------------------------------------------------------------------------------------------------

static void print_shape(CakeBuf *out, const int64_t *sizes, size_t rank) {
  for (size_t i = 0; i < rank; i++)
    cake_buf_printf(out, i ? ", %lld" : "%lld", (long long)sizes[i]);
}

static void print_type_shape(CakeBuf *out, CakeType type) {
  for (int64_t i = 0; i < cake_type_rank(type); i++)
    cake_buf_printf(out, i ? ", %lld" : "%lld", (long long)cake_type_dim(type, (size_t)i));
}

static bool error_shape(CakeParser *parser, CakeLoc loc, const Literal *literal) {
  CakeBuf text = {0};
  cake_buf_text(&text, "inferred shape of elements literal ([");
  print_shape(&text, literal->shape.data, literal->shape.len);
  cake_buf_text(&text, "]) does not match type ([");
  print_type_shape(&text, literal->type);
  cake_buf_text(&text, "])");
  cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "%s", text.data);
  cake_buf_fini(&text);
  return false;
}

static bool has_shape_of_type(const Literal *literal) {
  if ((int64_t)literal->shape.len != cake_type_rank(literal->type)) return false;
  for (size_t i = 0; i < literal->shape.len; i++)
    if (literal->shape.data[i] != cake_type_dim(literal->type, i)) return false;
  return true;
}

bool cake_dense_fold(CakeBuf *bytes, size_t size) {
  if (bytes->len < size || memcmp(bytes->data, bytes->data + size, bytes->len - size) != 0) return false;
  bytes->len = size;
  return true;
}

// The elements that were read; `is_splat`: they are one for all.
static CakeAttr finish(CakeParser *parser, Literal *literal, bool is_splat) {
  CakeContext *context = parser->context;
  bool has_draft = literal->draft && literal->bytes.len == literal->draft->len;
  if (!has_draft || cake_digits_find(context, cake_buf_view(&literal->bytes)))
    return cake_attr_dense_elements(literal->type, cake_buf_view(&literal->bytes), is_splat);
  CakeId bytes = cake_id_settle(context, literal->draft);
  literal->draft = NULL;
  literal->bytes = (CakeBuf){0};
  return cake_attr_dense_elements_of(literal->type, cake_param_id(bytes), is_splat);
}

static void read_hex(CakeParser *parser, Literal *literal) {
  size_t len = literal->hex.len / 2;
  reserve_bytes(parser, literal, len);
  cake_hex_bytes(literal->hex, literal->bytes.data);
  literal->bytes.len = len;
}

// The bits of i1 elements, eight a byte, as a byte each.
static void unpack_bits(CakeParser *parser, Literal *literal, size_t count) {
  CakeBuf packed = {0};
  size_t len = literal->hex.len / 2;
  cake_buf_reserve(&packed, len);
  cake_hex_bytes(literal->hex, packed.data);
  reserve_bytes(parser, literal, count);
  for (size_t i = 0; i < count; i++)
    literal->bytes.data[i] = (char)((uint8_t)packed.data[i / 8] >> (i % 8) & 1);
  literal->bytes.len = count;
  cake_buf_fini(&packed);
}

// Two digits that stand for eight equal bits.
static bool is_all_bits(CakeStr hex) {
  return cake_str_is(hex, "00") || cake_str_is(hex, "FF") || cake_str_is(hex, "ff") || cake_str_is(hex, "Ff") ||
         cake_str_is(hex, "fF");
}

static bool error_hex(CakeParser *parser, CakeLoc loc, const Literal *literal) {
  return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NUMBER,
                              "elements hex data size is invalid for provided type: '%s'",
                              cake_type_text(literal->type));
}

static bool make_from_hex(CakeParser *parser, CakeLoc loc, Literal *literal, CakeAttr *out) {
  int64_t count = cake_type_count(literal->type), len = (int64_t)(literal->hex.len / 2),
          size = (int64_t)element_size(literal);
  if (literal->kind == NUMBERS && cake_type_is_integer(literal->element, 1)) {
    bool is_splat = is_all_bits(literal->hex);
    if (!is_splat && len != count / 8 + (count % 8 != 0)) return error_hex(parser, loc, literal);
    unpack_bits(parser, literal, is_splat ? 1 : (size_t)count);
    is_splat = cake_dense_fold(&literal->bytes, 1) || is_splat;
    *out = finish(parser, literal, is_splat);
    return true;
  }
  if (len != size && (len % size || len / size != count)) return error_hex(parser, loc, literal);
  if (cake_parser_keeps_text(parser) && len >= CAKE_LEAST_DIGITS && len > size &&
      !cake_hex_repeats(literal->hex, (size_t)size)) {
    cake_parser_keep(parser, literal->hex);
    *out = cake_attr_dense_elements_of(literal->type, cake_param_of_digits(parser->context, literal->hex), false);
    return true;
  }
  read_hex(parser, literal);
  bool is_splat = cake_dense_fold(&literal->bytes, (size_t)size) || (len == size && count != 1);
  *out = finish(parser, literal, is_splat);
  return true;
}

static bool error_count(CakeParser *parser, CakeLoc loc, const Literal *literal, bool is_list) {
  CakeType type = is_list ? literal->type : cake_type_element(literal->type);
  int64_t wanted = is_list ? cake_type_count(literal->type) : 1;
  return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                              "parsed %lld elements, but type ('%s') expected %lld elements",
                              (long long)literal->n_numbers, cake_type_text(type), 2 * (long long)wanted);
}

// The attribute of a literal that has been read, with its type.
static bool make(CakeParser *parser, CakeLoc loc, Literal *literal, CakeAttr *out) {
  if (literal->hex.ptr) return make_from_hex(parser, loc, literal, out);
  bool is_list = literal->shape.len > 0;
  int64_t count = cake_type_count(literal->type), n_read = is_list ? count : literal->rank >= 0 ? 1 : 0;
  if (is_list && !has_shape_of_type(literal)) return error_shape(parser, loc, literal);
  if (n_read == 0 && count != 0)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE,
                                "parsed zero elements, but type ('%s') expected at least 1",
                                cake_type_text(literal->type));
  if (literal->kind == COMPLEX && literal->n_numbers != 2 * n_read) return error_count(parser, loc, literal, is_list);
  if (literal->kind == STRINGS) {
    size_t n_strings = literal->strings.len, n_equal = 0;
    while (n_equal < n_strings && literal->strings.data[n_equal] == literal->strings.data[0])
      n_equal++;
    *out =
        cake_attr_dense_strings(literal->type, literal->strings.data, n_equal && n_equal == n_strings ? 1 : n_strings);
    return true;
  }
  bool is_splat = cake_dense_fold(&literal->bytes, element_size(literal));
  is_splat |= !is_list && literal->rank >= 0;
  *out = finish(parser, literal, is_splat);
  return true;
}

static bool check_type(CakeParser *parser, CakeLoc loc, CakeType type) {
  if (!cake_type_is_shaped(type))
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "elements literal must be a shaped type");
  if (cake_type_rank(type) < 0 || cake_type_count(type) == CAKE_DYNAMIC)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "elements literal type must have static shape");
  return true;
}

// Where the parser is, to come back to.
typedef struct Place {
  CakeLexeme token;
  const char *last_end;
} Place;

static void go_to(CakeParser *parser, Place place) {
  parser->token = place.token;
  parser->last_end = place.last_end;
}

// At `<`: reads the type behind the brackets; then the parser is behind `<`, and *out_behind behind the type. `hex`: may
// be taken on the way, and the parser is in front of `>` then.
static bool find_type(CakeParser *parser, CakeLoc loc, Literal *hex, CakeType *out, Place *out_behind) {
  if (parser->token.kind != CAKE_TOK_LESS) return cake_parser_expect(parser, CAKE_TOK_LESS);
  Place open = {parser->token, parser->last_end};
  bool is_taken = hex && take_hex(parser, hex);
  Place close = {parser->token, parser->last_end};
  if (is_taken ? !cake_parser_expect(parser, CAKE_TOK_GREATER) : !cake_parser_skip_balanced(parser, false))
    return false;
  if (!cake_parser_expect(parser, CAKE_TOK_COLON)) return false;
  if (!cake_parser_type(parser, out) || !check_type(parser, loc, *out)) return false;
  *out_behind = (Place){parser->token, parser->last_end};
  go_to(parser, is_taken ? close : open);
  if (!is_taken) cake_parser_next(parser);
  return true;
}

// Behind `<`, with the type known. A list of so many needs that much text at least.
static void reserve_list(CakeParser *parser, Literal *literal, const char *behind) {
  size_t count = (size_t)cake_type_count(literal->type), most = (size_t)(behind - parser->token.ptr) / 2;
  if (parser->token.kind == CAKE_TOK_LSQUARE && (literal->kind == NUMBERS || literal->kind == COMPLEX) && count <= most)
    reserve_bytes(parser, literal, count * element_size(literal));
}

// Elements that are only carried: their text from `begin` to the bracket that closes `open`, and the type, which may be an alias there.
static CakeAttr carried(CakeParser *parser, const char *begin, Place open, CakeType type) {
  go_to(parser, open);
  (void)cake_parser_skip_balanced(parser, false); // it has been skipped before
  CakeBuf text = {0};
  cake_buf_str(&text, cake_parser_text_since(parser, begin));
  cake_buf_printf(&text, " : %s", cake_type_text(type));
  CakeAttr attr = cake_attr_verbatim(parser->context, cake_buf_view(&text));
  cake_buf_fini(&text);
  return attr;
}

// Elements of more than 64 bits are only carried.
static bool parse_dense(CakeParser *parser, CakeLoc loc, const char *begin, Literal *literal, CakeAttr *out) {
  CakeType type;
  Place open = {parser->token, parser->last_end}, behind;
  if (!find_type(parser, loc, literal, &type, &behind)) return false;
  literal_set_type(literal, type, cake_type_element(type));
  bool is_known = literal->kind != UNKNOWN;
  reserve_list(parser, literal, behind.last_end);
  if (is_known && !(parse_literal(parser, literal, true) && cake_parser_expect(parser, CAKE_TOK_GREATER) &&
                    make(parser, loc, literal, out)))
    return false;
  if (!is_known) *out = carried(parser, begin, open, type);
  go_to(parser, behind);
  return true;
}

bool cake_parser_dense(CakeParser *parser, CakeAttr *out) {
  CakeLoc loc = cake_parser_loc(parser);
  const char *begin = parser->token.ptr;
  Literal literal = literal_begin(parser);
  cake_parser_next(parser);
  bool ok = parse_dense(parser, loc, begin, &literal, out);
  literal_fini(parser, &literal);
  return ok;
}

// ---- sparse<indices, values> : type --------------------------------------------------------------------------------

// A literal without a list stands for as many elements as `sizes` says.
static CakeType literal_type(CakeContext *context, const Literal *literal, const int64_t *sizes, size_t rank,
                             CakeType element) {
  if (literal->shape.len) return cake_type_tensor(context, literal->shape.data, literal->shape.len, element, NULL);
  return cake_type_tensor(context, sizes, rank, element, NULL);
}

static bool error_sparse_shapes(CakeParser *parser, CakeLoc loc, CakeType type, CakeType indices, CakeType values) {
  CakeBuf text = {0};
  cake_buf_text(&text, "expected shape ([");
  print_type_shape(&text, type);
  cake_buf_text(&text, "]); inferred shape of indices literal ([");
  print_type_shape(&text, indices);
  cake_buf_text(&text, "]); inferred shape of values literal ([");
  print_type_shape(&text, values);
  cake_buf_text(&text, "])");
  cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "%s", text.data);
  cake_buf_fini(&text);
  return false;
}

static int64_t index_at(CakeAttr indices, int64_t at) {
  CakeStr bytes = cake_attr_string_value(indices);
  uint64_t word = 0;
  for (size_t i = 0; i < 8; i++)
    word |= (uint64_t)(uint8_t)bytes.ptr[(cake_attr_is_splat(indices) ? 0 : 8 * (size_t)at) + i] << (8 * i);
  return (int64_t)word;
}

static bool check_indices(CakeParser *parser, CakeLoc loc, CakeType type, CakeAttr indices, int64_t count) {
  int64_t rank = cake_type_rank(type);
  for (int64_t i = 0; i < count; i++) {
    bool inside = true;
    CakeBuf text = {0};
    for (int64_t d = 0; d < rank; d++) {
      int64_t index = index_at(indices, i * rank + d);
      inside = inside && index >= 0 && index < cake_type_dim(type, (size_t)d);
      cake_buf_printf(&text, d ? ", %lld" : "%lld", (long long)index);
    }
    if (!inside)
      cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_NUMBER,
                           "sparse index #%lld is not contained within the value shape, with index=[%s], and type='%s'",
                           (long long)i, text.data, cake_type_text(type));
    cake_buf_fini(&text);
    if (!inside) return false;
  }
  return true;
}

static bool check_sparse(CakeParser *parser, CakeLoc loc, CakeType type, CakeAttr indices, CakeAttr values) {
  CakeType indices_type = cake_attr_value_type(indices), values_type = cake_attr_value_type(values);
  int64_t rank = cake_type_rank(type), indices_rank = cake_type_rank(indices_type);
  if (cake_type_rank(values_type) != 1)
    return cake_parser_error_at(parser, loc, CAKE_CODE_PARSE_TYPE, "expected 1-d tensor for sparse element values");
  bool fits = indices_rank == 2 ? cake_type_dim(indices_type, 1) == rank : indices_rank == 1 && rank == 1;
  if (!fits || cake_type_dim(indices_type, 0) != cake_type_dim(values_type, 0))
    return error_sparse_shapes(parser, loc, type, indices_type, values_type);
  return check_indices(parser, loc, type, indices, cake_type_dim(indices_type, 0));
}

static bool parse_sparse_parts(CakeParser *parser, CakeLoc loc, CakeType type, Literal *indices, Literal *values,
                               CakeAttr *out) {
  CakeContext *context = parser->context;
  bool is_empty = parser->token.kind == CAKE_TOK_GREATER;
  if (!is_empty) {
    if (!parse_literal(parser, indices, false) || !cake_parser_expect(parser, CAKE_TOK_COMMA) ||
        !parse_literal(parser, values, true))
      return false;
  }
  if (!cake_parser_expect(parser, CAKE_TOK_GREATER)) return false;
  int64_t one[] = {is_empty ? 0 : 1, cake_type_rank(type)};
  indices->type = literal_type(context, indices, one, 2, indices->element);
  int64_t n_values[] = {cake_type_dim(indices->type, 0)};
  values->type = literal_type(context, values, n_values, 1, cake_type_element(type));
  CakeAttr indices_attr, values_attr;
  if (!make(parser, loc, indices, &indices_attr) || !make(parser, loc, values, &values_attr) ||
      !check_sparse(parser, loc, type, indices_attr, values_attr))
    return false;
  *out = cake_attr_sparse_elements(type, indices_attr, values_attr);
  return true;
}

bool cake_parser_sparse(CakeParser *parser, CakeAttr *out) {
  CakeLoc loc = cake_parser_loc(parser);
  const char *begin = parser->token.ptr;
  CakeType type;
  Place behind;
  cake_parser_next(parser);
  Place open = {parser->token, parser->last_end};
  if (!find_type(parser, loc, NULL, &type, &behind)) return false;
  Literal indices = literal_begin(parser), values = literal_begin(parser);
  literal_set_type(&indices, NULL, cake_type_i64(parser->context));
  literal_set_type(&values, NULL, cake_type_element(type));
  bool ok = true;
  if (values.kind == UNKNOWN) {
    *out = carried(parser, begin, open, type);
    go_to(parser, behind);
  } else {
    ok = parse_sparse_parts(parser, loc, type, &indices, &values, out);
    go_to(parser, behind);
  }
  literal_fini(parser, &indices);
  literal_fini(parser, &values);
  return ok;
}
