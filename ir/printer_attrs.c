// Printing attributes, locations and strings.
#include "cake/affine.h"

#include "bytes.h"
#include "digits.h"
#include "parser.h"
#include "printer.h"
#include "put.h"

#include <string.h>

// ---- Strings -------------------------------------------------------------------------------------------------------

static bool is_plain(char c) {
  return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

void cake_printer_string(CakePrinter *printer, CakeStr text) {
  CakeBuf *out = printer->out;
  cake_buf_char(out, '"');
  for (size_t i = 0; i < text.len;) {
    size_t begin = i;
    while (i < text.len && is_plain(text.ptr[i]))
      i++;
    cake_buf_append(out, text.ptr + begin, i - begin);
    if (i == text.len) break;
    if (text.ptr[i] == '\\')
      cake_buf_text(out, "\\\\");
    else
      cake_buf_printf(out, "\\%02X", (unsigned)(uint8_t)text.ptr[i]);
    i++;
  }
  cake_buf_char(out, '"');
}

void cake_printer_keyword_or_string(CakePrinter *printer, CakeStr text) {
  if (cake_text_is_bare_id(text))
    cake_buf_str(printer->out, text);
  else
    cake_printer_string(printer, text);
}

void cake_printer_symbol(CakePrinter *printer, CakeStr name) {
  cake_buf_char(printer->out, '@');
  cake_printer_keyword_or_string(printer, name);
}

CakeBuf *cake_printer_buf(CakePrinter *printer) {
  return printer->out;
}

// ---- Locations -----------------------------------------------------------------------------------------------------

static void print_file(CakePrinter *printer, CakeLoc loc) {
  CakeStr file = {0};
  uint32_t line = 0, column = 0;
  cake_loc_find_file(printer->context, loc, &file, &line, &column);
  if (printer->options.pretty_locations)
    cake_buf_str(printer->out, file);
  else
    cake_printer_string(printer, file);
  cake_put_char(printer->out, ':');
  cake_put_number(printer->out, line);
  cake_put_char(printer->out, ':');
  cake_put_number(printer->out, column);
  cake_put_end(printer->out);
}

static void print_fused(CakePrinter *printer, CakeLoc loc) {
  if (!printer->options.pretty_locations) cake_buf_text(printer->out, "fused");
  if (cake_loc_metadata(loc)) {
    cake_buf_char(printer->out, '<');
    cake_printer_attr(printer, cake_loc_metadata(loc));
    cake_buf_char(printer->out, '>');
  }
  cake_buf_char(printer->out, '[');
  for (size_t i = 0; i < cake_loc_count(loc); i++) {
    if (i) cake_buf_text(printer->out, ", ");
    cake_printer_loc(printer, cake_loc_child(loc, i));
  }
  cake_buf_char(printer->out, ']');
}

static void print_named(CakePrinter *printer, CakeLoc loc) {
  cake_printer_string(printer, cake_id_str(cake_loc_name_of(loc)));
  if (cake_loc_kind(cake_loc_child(loc, 0)) == CAKE_LOC_UNKNOWN) return;
  cake_buf_char(printer->out, '(');
  cake_printer_loc(printer, cake_loc_child(loc, 0));
  cake_buf_char(printer->out, ')');
}

// A line for each call, but for a name at a place.
static void print_pretty_callsite(CakePrinter *printer, CakeLoc callee, CakeLoc caller) {
  bool is_short = cake_loc_kind(callee) == CAKE_LOC_NAME && cake_loc_kind(caller) == CAKE_LOC_FILE;
  cake_printer_loc(printer, callee);
  cake_buf_text(printer->out, is_short ? " at " : "\n at ");
  cake_printer_loc(printer, caller);
}

static void print_callsite(CakePrinter *printer, CakeLoc loc) {
  if (printer->options.pretty_locations) {
    print_pretty_callsite(printer, cake_loc_child(loc, 0), cake_loc_child(loc, 1));
    return;
  }
  cake_buf_text(printer->out, "callsite(");
  cake_printer_loc(printer, cake_loc_child(loc, 0));
  cake_buf_text(printer->out, " at ");
  cake_printer_loc(printer, cake_loc_child(loc, 1));
  cake_buf_char(printer->out, ')');
}

void cake_printer_loc_body(CakePrinter *printer, CakeLoc loc) {
  if (printer->attr_depth >= CAKE_MAX_PRINT_DEPTH) {
    cake_buf_text(printer->out, "unknown");
    return;
  }
  printer->attr_depth++;
  switch (cake_loc_kind(loc)) {
  case CAKE_LOC_UNKNOWN:
    cake_buf_text(printer->out, printer->options.pretty_locations ? "[unknown]" : "unknown");
    break;
  case CAKE_LOC_FILE:
    if (!cake_printer_is_collecting(printer)) print_file(printer, loc);
    break;
  case CAKE_LOC_NAME: print_named(printer, loc); break;
  case CAKE_LOC_CALLSITE: print_callsite(printer, loc); break;
  case CAKE_LOC_FUSED: print_fused(printer, loc); break;
  }
  printer->attr_depth--;
}

void cake_printer_loc(CakePrinter *printer, CakeLoc loc) {
  if (!cake_printer_has_aliases(printer) || !cake_printer_loc_alias(printer, loc)) cake_printer_loc_body(printer, loc);
}

void cake_printer_loc_in_brackets(CakePrinter *printer, CakeLoc loc) {
  bool is_pretty = printer->options.pretty_locations;
  if (!is_pretty) cake_buf_text(printer->out, "loc(");
  cake_printer_loc_body(printer, loc);
  if (!is_pretty) cake_buf_char(printer->out, ')');
}

// ---- Elements ------------------------------------------------------------------------------------------------------

static void print_integer(CakeBuf *out, CakeType type, int64_t value) {
  bool is_unsigned = cake_integer_sign(type) == CAKE_UNSIGNED;
  if (type == type->context->i1)
    cake_buf_text(out, value ? "true" : "false");
  else if (is_unsigned)
    cake_buf_printf(out, "%llu", (unsigned long long)value);
  else
    cake_buf_int(out, value);
}

// The word of an element as a number of its type.
static void print_bits(CakeBuf *out, CakeType type, uint64_t bits) {
  uint32_t width = cake_type_is_index(type) ? 64 : cake_type_width(type), unused = 64 - width;
  if (cake_type_is_any_float(type)) {
    cake_printer_float(out, type, cake_float_decode(type, unused ? bits << unused >> unused : bits));
    return;
  }
  bool is_unsigned = width == 1 || cake_type_sign(type) == CAKE_UNSIGNED;
  int64_t value = is_unsigned ? (int64_t)(bits << unused >> unused) : (int64_t)(bits << unused) >> unused;
  print_integer(out, type, value);
}

static void print_dense_array(CakePrinter *printer, CakeAttr attr) {
  CakeType type = attr->params[0].type;
  cake_buf_text(printer->out, "array<");
  cake_printer_type(printer, type);
  for (size_t i = 0; i < cake_attr_count(attr); i++) {
    cake_buf_text(printer->out, i ? ", " : ": ");
    print_bits(printer->out, type, (uint64_t)cake_attr_dense_array_value(attr, i));
  }
  cake_buf_char(printer->out, '>');
}

static uint64_t element_at(CakeStr bytes, size_t size, size_t index) {
  uint64_t word = 0;
  for (size_t i = 0; i < size && (index + 1) * size <= bytes.len; i++)
    word |= (uint64_t)(uint8_t)bytes.ptr[index * size + i] << (8 * i);
  return word;
}

static void print_element(CakeBuf *out, CakeType element, CakeStr bytes, size_t size, size_t index) {
  if (!cake_type_is(element, &cake_type_def_complex)) {
    print_bits(out, element, element_at(bytes, size, index));
    return;
  }
  cake_buf_char(out, '(');
  print_bits(out, cake_type_element(element), element_at(bytes, size / 2, 2 * index));
  cake_buf_char(out, ',');
  print_bits(out, cake_type_element(element), element_at(bytes, size / 2, 2 * index + 1));
  cake_buf_char(out, ')');
}

// Brackets open where an index is a multiple of the size of the rest of the shape.
void cake_printer_brackets(CakeBuf *out, CakeType type, int64_t index) {
  int64_t stride = 1;
  size_t opens = 0;
  for (int64_t d = cake_type_rank(type) - 1; d >= 0; d--) {
    stride *= cake_type_dim(type, (size_t)d);
    if (index % stride == 0) opens++;
  }
  if (index) cake_buf_fill(out, ']', opens);
  if (index) cake_buf_text(out, ", ");
  cake_buf_fill(out, '[', opens);
}

// A number of some bytes, sign-extended when it is not unsigned.
static inline int64_t load_number(const char *bytes, size_t size, bool is_unsigned) {
  uint64_t word = 0;
  unsigned unused = 64 - 8 * (unsigned)size;
  memcpy(&word, bytes, size);
  return is_unsigned ? (int64_t)word : (int64_t)(word << unused) >> unused;
}

// The numbers in front of the first that has more digits than `cake_put_few_digits` takes; how many there are. `size` is a constant.
static inline size_t put_few_digits(CakeBuf *out, const char *bytes, size_t size, bool is_unsigned, size_t count) {
  enum { MOST = 9999, ROOM = CAKE_FEW_DIGITS + 3 };
  char *to = cake_put_room(out, count * ROOM);
  size_t i = 0;
  for (; i < count; i++) {
    int64_t value = load_number(bytes + i * size, size, is_unsigned);
    if (value < -MOST || value > MOST) break;
    *to = '-';
    to = cake_put_few_digits(to + (value < 0), (uint32_t)(value < 0 ? -value : value));
    memcpy(to, ", ", 2);
    to += 2;
  }
  out->len = (size_t)(to - out->data);
  return i;
}

static size_t put_few_digits_of(CakeBuf *out, const char *bytes, size_t size, bool is_unsigned, size_t count) {
  switch (size) {
  case 1: return put_few_digits(out, bytes, 1, is_unsigned, count);
  case 2: return put_few_digits(out, bytes, 2, is_unsigned, count);
  case 4: return put_few_digits(out, bytes, 4, is_unsigned, count);
  case 8: return put_few_digits(out, bytes, 8, is_unsigned, count);
  default: return 0;
  }
}

// Numbers of 8 to 64 bits that are whole bytes, `, ` between them.
static void print_integers(CakeBuf *out, CakeType element, CakeStr bytes, size_t size, size_t first, size_t count) {
  bool is_unsigned = !cake_type_is_index(element) && cake_type_sign(element) == CAKE_UNSIGNED;
  const char *at = bytes.ptr + first * size;
  for (size_t i = 0; i < count; i++) {
    i += put_few_digits_of(out, at + i * size, size, is_unsigned, count - i);
    if (i == count) break;
    cake_buf_int(out, load_number(at + i * size, size, is_unsigned));
    cake_put_two(out, ", ");
  }
  if (count) out->len -= 2;
  cake_put_end(out);
}

static bool is_plain_integer(CakeType element, size_t size) {
  if (!CAKE_LITTLE_ENDIAN || size > 8) return false;
  if (cake_type_is_index(element)) return size == 8;
  bool is_large = cake_type_sign(element) == CAKE_UNSIGNED && size == 8;
  return cake_type_is_integer(element, 0) && cake_type_width(element) == 8 * size && !is_large;
}

static void print_elements(CakePrinter *printer, CakeType type, CakeStr bytes, size_t size) {
  CakeType element = cake_type_element(type);
  int64_t rank = cake_type_rank(type), count = cake_type_count(type),
          row = rank ? cake_type_dim(type, (size_t)rank - 1) : 1;
  bool is_plain = is_plain_integer(element, size);
  for (int64_t i = 0; i < count; i += is_plain ? row : 1) {
    cake_printer_brackets(printer->out, type, i);
    if (is_plain)
      print_integers(printer->out, element, bytes, size, (size_t)i, (size_t)row);
    else
      print_element(printer->out, element, bytes, size, (size_t)i);
  }
  cake_buf_fill(printer->out, ']', (size_t)rank);
}

static inline uint8_t hex_digit(uint8_t value) {
  return (uint8_t)(value + '0' + (value > 9 ? 'A' - '9' - 1 : 0));
}

// Returns behind the digits.
CAKE_LOOP char *put_hex_loop(CakeStr bytes, char *out) {
  uint8_t *restrict to = (uint8_t *)out;
  const uint8_t *restrict from = (const uint8_t *)bytes.ptr;
  for (size_t i = 0; i < bytes.len; i++) {
    to[2 * i] = hex_digit(from[i] >> 4);
    to[2 * i + 1] = hex_digit(from[i] & 15);
  }
  return out + 2 * bytes.len;
}

CAKE_WIDE_LOOP(char *, put_hex, (CakeStr bytes, char *out), (bytes, out))

static inline uint8_t large_digit(uint8_t c) {
  return (uint8_t)(c >= 'a' ? c - ('a' - 'A') : c);
}

// Returns behind the digits.
CAKE_LOOP char *put_large_loop(CakeStr digits, char *out) {
  uint8_t *restrict to = (uint8_t *)out;
  const uint8_t *restrict from = (const uint8_t *)digits.ptr;
  for (size_t i = 0; i < digits.len; i++)
    to[i] = large_digit(from[i]);
  return out + digits.len;
}

CAKE_WIDE_LOOP(char *, put_large, (CakeStr digits, char *out), (digits, out))

// A part at a time, `width` characters a byte.
static void print_many(CakePrinter *printer, CakeStr bytes, size_t width, char *(*put)(CakeStr, char *)) {
  enum { PART = 8 << 10 };
  CakeBuf *out = printer->out;
  for (size_t len; bytes.len; bytes = (CakeStr){bytes.ptr + len, bytes.len - len}) {
    len = bytes.len < PART / width ? bytes.len : PART / width;
    cake_printer_hand_over(printer);
    cake_buf_reserve(out, len * width);
    *put((CakeStr){bytes.ptr, len}, out->data + out->len) = '\0';
    out->len += len * width;
  }
}

// i1 elements are written eight a byte.
static void print_hex(CakePrinter *printer, CakeStr bytes, bool is_bits) {
  cake_buf_text(printer->out, "\"0x");
  if (!is_bits) print_many(printer, bytes, 2, put_hex);
  for (size_t i = 0; is_bits && i < bytes.len; i += 8) {
    unsigned byte = 0;
    for (size_t k = 0; k < 8 && i + k < bytes.len; k++)
      byte |= (unsigned)(bytes.ptr[i + k] & 1) << k;
    char packed = (char)byte;
    print_many(printer, (CakeStr){&packed, 1}, 2, put_hex);
  }
  cake_buf_char(printer->out, '"');
}

// The digits are printed in capital letters.
CAKE_LOOP bool has_small_letter_loop(CakeStr digits) {
  const uint8_t *from = (const uint8_t *)digits.ptr;
  uint8_t bits = 0; // of what has the bit below, too: '0' … '9' and 'A' … 'F' have one of the two at most
  for (size_t i = 0; i < digits.len; i++)
    bits = (uint8_t)(bits | (from[i] & from[i] << 1));
  return bits & 0x40;
}

CAKE_WIDE_LOOP(bool, has_small_letter, (CakeStr digits), (digits))

static void print_digits(CakePrinter *printer, CakeStr digits) {
  enum { LEAST_PUT = 32 << 10 };
  const CakePrintOptions *options = &printer->options;
  cake_buf_text(printer->out, "\"0x");
  if (digits.len >= LEAST_PUT && options->put && options->flush && !printer->held && !has_small_letter(digits)) {
    options->flush(options->flush_user, printer->out);
    options->put(options->flush_user, digits);
  } else {
    print_many(printer, digits, 1, put_large);
  }
  cake_buf_char(printer->out, '"');
}

void cake_printer_dense_body(CakePrinter *printer, CakeAttr attr, bool allow_hex) {
  enum { HEX_FROM = 101 };
  int64_t hex_from = printer->options.hex_from ? printer->options.hex_from : HEX_FROM;
  CakeType type = cake_attr_value_type(attr), element = cake_type_element(type);
  int64_t count = cake_type_count(type);
  bool is_splat = cake_attr_is_splat(attr), is_bits = cake_type_is_integer(element, 1),
       is_hex = allow_hex && count >= hex_from && !is_splat;
  if (is_hex && !is_bits && attr->params[1].kind == CAKE_PARAM_DIGITS) {
    print_digits(printer, attr->params[1].digits->text);
    return;
  }
  CakeStr bytes = cake_attr_string_value(attr);
  size_t size = is_splat ? bytes.len : count > 0 ? bytes.len / (size_t)count : 0;
  if (is_splat)
    print_element(printer->out, element, bytes, size, 0);
  else if (is_hex)
    print_hex(printer, bytes, is_bits);
  else if (count > 0)
    print_elements(printer, type, bytes, size);
}

bool cake_printer_elides(const CakePrinter *printer, CakeType type) {
  int64_t from = printer->options.elide_from;
  return from && cake_type_count(type) >= from;
}

static void print_dense(CakePrinter *printer, CakeAttr attr) {
  if (!cake_attr_is_splat(attr) && cake_printer_elides(printer, cake_attr_value_type(attr))) {
    cake_buf_text(printer->out, "dense_resource<__elided__> : ");
  } else {
    cake_buf_text(printer->out, "dense<");
    cake_printer_dense_body(printer, attr, true);
    cake_buf_text(printer->out, "> : ");
  }
  cake_printer_type(printer, cake_attr_value_type(attr));
}

// ---- Attributes ----------------------------------------------------------------------------------------------------

static void print_entry(CakePrinter *printer, CakeNamedAttr entry) {
  cake_printer_keyword_or_string(printer, cake_id_str(entry.name));
  if (cake_attr_is(entry.value, &cake_attr_def_unit)) return;
  cake_put(printer->out, " = ", 3);
  cake_printer_attr(printer, entry.value);
}

void cake_printer_dictionary(CakePrinter *printer, const CakeNamedAttr *entries, size_t count) {
  cake_buf_char(printer->out, '{');
  for (size_t i = 0; i < count; i++) {
    if (i) cake_buf_text(printer->out, ", ");
    print_entry(printer, entries[i]);
  }
  cake_buf_char(printer->out, '}');
}

static void print_dictionary(CakePrinter *printer, CakeAttr attr) {
  const CakeParam *params = attr->params;
  cake_put_char(printer->out, '{');
  for (uint32_t i = 0; i < attr->count; i += 2) {
    if (i) cake_put_two(printer->out, ", ");
    print_entry(printer, (CakeNamedAttr){params[i].id, params[i + 1].attr});
  }
  cake_buf_char(printer->out, '}');
}

static void print_array(CakePrinter *printer, CakeAttr attr) {
  cake_put_char(printer->out, '[');
  for (uint32_t i = 0; i < attr->count; i++) {
    if (i) cake_put_two(printer->out, ", ");
    cake_printer_attr_as(printer, attr->params[i].attr, CAKE_TYPE_MAY_ELIDE);
  }
  cake_buf_char(printer->out, ']');
}

static void print_symbol_ref(CakePrinter *printer, CakeAttr attr) {
  cake_printer_symbol(printer, cake_id_str(cake_attr_symbol_root(attr)));
  for (size_t i = 0; i < cake_attr_count(attr); i++) {
    cake_buf_text(printer->out, "::");
    cake_printer_symbol(printer, cake_id_str(cake_attr_symbol_nested(attr, i)));
  }
}

static void print_number(CakePrinter *printer, CakeAttr attr, CakeElision elision) {
  CakeType type = attr->params[0].type;
  const CakeContext *context = attr->context;
  bool is_float = cake_attr_is(attr, &cake_attr_def_float);
  if (is_float)
    cake_printer_float(printer->out, type, cake_attr_float_value(attr));
  else
    print_integer(printer->out, type, cake_attr_int_value(attr));
  bool is_default = type == (is_float ? context->floats[CAKE_FLOAT_F64] : context->i64);
  if (elision == CAKE_TYPE_ELIDE || (elision == CAKE_TYPE_MAY_ELIDE && is_default)) return;
  if (type == context->i1) return;
  cake_put(printer->out, " : ", 3);
  cake_printer_type(printer, type);
}

void cake_printer_attr_body(CakePrinter *printer, CakeAttr attr) {
  cake_buf_text(printer->out, attr->def->name);
  if (attr->def->print) attr->def->print(printer, attr);
}

static void print_dialect_attr(CakePrinter *printer, CakeAttr attr) {
  cake_buf_char(printer->out, '#');
  cake_buf_text(printer->out, attr->def->dialect->name);
  cake_buf_char(printer->out, '.');
  cake_printer_attr_body(printer, attr);
}

static void print_loc_attr(CakePrinter *printer, CakeAttr attr) {
  cake_printer_loc_in_brackets(printer, cake_loc_from_attr(attr));
}

static void print_attr(CakePrinter *printer, CakeAttr attr, CakeElision elision) {
  const CakeAttrDef *def = attr->def;
  CakeBuf *out = printer->out;
  if (def == &cake_attr_def_integer || def == &cake_attr_def_float)
    print_number(printer, attr, elision);
  else if (def == &cake_attr_def_string)
    cake_printer_string(printer, cake_attr_string_value(attr));
  else if (def == &cake_attr_def_symbol_ref)
    print_symbol_ref(printer, attr);
  else if (def == &cake_attr_def_type)
    cake_printer_type(printer, cake_attr_value_type(attr));
  else if (def == &cake_attr_def_array)
    print_array(printer, attr);
  else if (def == &cake_attr_def_dictionary)
    print_dictionary(printer, attr);
  else if (def == &cake_attr_def_dense_array)
    print_dense_array(printer, attr);
  else if (def == &cake_attr_def_dense_elements)
    print_dense(printer, attr);
  else if (def == &cake_attr_def_unit)
    cake_buf_text(out, "unit");
  else if (def == &cake_attr_def_location)
    print_loc_attr(printer, attr);
  else if (def == &cake_attr_def_verbatim)
    cake_buf_str(out, cake_attr_string_value(attr));
  else if (def == &cake_attr_def_affine_map || def == &cake_attr_def_affine_set)
    cake_printer_affine(out, attr);
  else if (def == &cake_attr_def_variable)
    cake_buf_printf(out, "#%s", attr->params[0].id->text);
  else if (def->dialect == &cake_dialect_builtin && def != &cake_attr_def_opaque)
    cake_printer_carried(printer, attr);
  else if (def == &cake_attr_def_opaque)
    cake_printer_opaque(out, '#', cake_attr_opaque_dialect(attr), attr->params[1].id);
  else
    print_dialect_attr(printer, attr);
}

void cake_printer_attr_as(CakePrinter *printer, CakeAttr attr, CakeElision elision) {
  bool has_aliases = attr && attr->may_alias && cake_printer_has_aliases(printer);
  if (!has_aliases && cake_printer_is_collecting(printer)) return;
  if (!attr) {
    cake_buf_text(printer->out, "<<NULL ATTRIBUTE>>");
  } else if (printer->attr_depth >= CAKE_MAX_PRINT_DEPTH) {
    cake_buf_text(printer->out, "<<TOO DEEP>>");
  } else if (!has_aliases || !cake_printer_attr_alias(printer, attr)) {
    printer->attr_depth++;
    print_attr(printer, attr, elision);
    printer->attr_depth--;
  }
}

void cake_printer_attr_body_of(CakePrinter *printer, CakeAttr attr) {
  printer->attr_depth++;
  print_attr(printer, attr, CAKE_TYPE_ALWAYS);
  printer->attr_depth--;
}

void cake_printer_attr(CakePrinter *printer, CakeAttr attr) {
  cake_printer_attr_as(printer, attr, CAKE_TYPE_ALWAYS);
}
