// Printing types.
#include "parser.h"
#include "printer.h"
#include "put.h"

#include <string.h>

static void print_list(CakePrinter *printer, CakeType type, size_t count, CakeType (*at)(CakeType type, size_t index)) {
  for (size_t i = 0; i < count; i++) {
    if (i) cake_buf_text(printer->out, ", ");
    cake_printer_type(printer, at(type, i));
  }
}

static void print_function(CakePrinter *printer, CakeType type) {
  cake_buf_char(printer->out, '(');
  print_list(printer, type, cake_type_function_inputs(type), cake_type_function_input);
  cake_buf_text(printer->out, ") -> ");
  size_t n_results = cake_type_function_results(type);
  bool bare = n_results == 1 && !cake_type_is(cake_type_function_result(type, 0), &cake_type_def_function);
  if (!bare) cake_buf_char(printer->out, '(');
  print_list(printer, type, n_results, cake_type_function_result);
  if (!bare) cake_buf_char(printer->out, ')');
}

static void print_integer(CakeBuf *out, CakeType type) {
  CakeSign sign = cake_type_sign(type);
  if (sign != CAKE_SIGNLESS) cake_buf_char(out, sign == CAKE_SIGNED ? 's' : 'u');
  cake_buf_char(out, 'i');
  cake_buf_int(out, cake_type_width(type));
}

static void print_shape(CakeBuf *out, CakeType type) {
  bool is_vector = cake_type_is(type, &cake_type_def_vector);
  for (int64_t i = 0, rank = cake_type_rank(type); i < rank; i++) {
    int64_t size = cake_type_dim(type, (size_t)i);
    bool scalable = is_vector && cake_type_is_scalable(type, (size_t)i);
    if (scalable) cake_buf_char(out, '[');
    if (size == CAKE_DYNAMIC)
      cake_buf_char(out, '?');
    else
      cake_buf_int(out, size);
    if (scalable) cake_buf_char(out, ']');
    cake_buf_char(out, 'x');
  }
}

static void print_extra(CakePrinter *printer, CakeAttr attr) {
  if (!attr) return;
  cake_buf_text(printer->out, ", ");
  cake_printer_attr_as(printer, attr, CAKE_TYPE_MAY_ELIDE);
}

static void print_shaped(CakePrinter *printer, CakeType type, const char *word, bool unranked) {
  cake_buf_text(printer->out, word);
  cake_buf_char(printer->out, '<');
  if (unranked)
    cake_buf_text(printer->out, "*x");
  else
    print_shape(printer->out, type);
  cake_printer_type(printer, cake_type_element(type));
  if (cake_type_is(type, &cake_type_def_tensor)) print_extra(printer, cake_type_encoding(type));
  if (cake_type_is(type, &cake_type_def_memref)) print_extra(printer, cake_type_layout(type));
  if (cake_type_is(type, &cake_type_def_memref) || cake_type_is(type, &cake_type_def_unranked_memref))
    print_extra(printer, cake_type_space(type));
  cake_buf_char(printer->out, '>');
}

// Whether `body` can stand behind `!dialect.`: a name, perhaps with balanced brackets behind it.
static bool is_pretty(CakeStr body) {
  size_t i = 0;
  while (i < body.len && (body.ptr[i] == '.' || cake_text_is_bare_id((CakeStr){body.ptr + i, 1}) ||
                          (body.ptr[i] >= '0' && body.ptr[i] <= '9')))
    i++;
  if (!body.len || !cake_text_is_bare_id((CakeStr){body.ptr, 1})) return false;
  return i == body.len || (body.ptr[i] == '<' && body.ptr[body.len - 1] == '>');
}

static void print_opaque(CakeBuf *out, char sigil, CakeStr dialect, CakeStr body) {
  cake_buf_char(out, sigil);
  cake_buf_str(out, dialect);
  bool pretty = is_pretty(body);
  cake_buf_char(out, pretty ? '.' : '<');
  cake_buf_str(out, body);
  if (!pretty) cake_buf_char(out, '>');
}

void cake_printer_opaque(CakeBuf *out, char sigil, CakeId dialect, CakeId body) {
  print_opaque(out, sigil, cake_id_str(dialect), cake_id_str(body));
}

void cake_printer_type_body(CakePrinter *printer, CakeType type) {
  cake_buf_text(printer->out, type->def->name);
  if (type->def->print) type->def->print(printer, type);
}

static void print_dialect_type(CakePrinter *printer, CakeType type) {
  cake_buf_char(printer->out, '!');
  cake_buf_text(printer->out, type->def->dialect->name);
  cake_buf_char(printer->out, '.');
  cake_printer_type_body(printer, type);
}

static void print_type(CakePrinter *printer, CakeType type) {
  const CakeTypeDef *def = type->def;
  CakeBuf *out = printer->out;
  if (def == &cake_type_def_integer)
    print_integer(out, type);
  else if (def == &cake_type_def_float)
    cake_buf_text(out, cake_float_name(cake_type_float_kind(type)));
  else if (def == &cake_type_def_index)
    cake_buf_text(out, "index");
  else if (def == &cake_type_def_none)
    cake_buf_text(out, "none");
  else if (def == &cake_type_def_function)
    print_function(printer, type);
  else if (def == &cake_type_def_vector)
    print_shaped(printer, type, "vector", false);
  else if (def == &cake_type_def_tensor)
    print_shaped(printer, type, "tensor", false);
  else if (def == &cake_type_def_unranked_tensor)
    print_shaped(printer, type, "tensor", true);
  else if (def == &cake_type_def_memref)
    print_shaped(printer, type, "memref", false);
  else if (def == &cake_type_def_unranked_memref)
    print_shaped(printer, type, "memref", true);
  else if (def == &cake_type_def_opaque)
    cake_printer_opaque(out, '!', cake_type_opaque_dialect(type), cake_type_opaque_body(type));
  else if (def == &cake_type_def_variable)
    cake_buf_printf(printer->out, "!%s", type->params[0].id->text);
  else if (def == &cake_type_def_complex || def == &cake_type_def_tuple) {
    bool is_tuple = def == &cake_type_def_tuple;
    cake_buf_text(out, is_tuple ? "tuple<" : "complex<");
    if (is_tuple)
      print_list(printer, type, cake_type_tuple_count(type), cake_type_tuple_element);
    else
      cake_printer_type(printer, cake_type_element(type));
    cake_buf_char(out, '>');
  } else
    print_dialect_type(printer, type);
}

void cake_printer_type_body_of(CakePrinter *printer, CakeType type) {
  printer->attr_depth++;
  print_type(printer, type);
  printer->attr_depth--;
}

static void remember(CakePrinter *printer, CakePrintedType *entry, CakeType type, size_t from) {
  size_t len = printer->out->len - from;
  if (len > sizeof entry->text) return;
  entry->type = type;
  entry->len = (uint8_t)len;
  memcpy(entry->text, printer->out->data + from, len);
}

void cake_printer_type(CakePrinter *printer, CakeType type) {
  CakePrintedType *known = &printer->types[((uintptr_t)type >> 4) % CAKE_PRINTED_TYPES];
  bool has_aliases = type && type->may_alias && cake_printer_has_aliases(printer);
  if (!has_aliases && cake_printer_is_collecting(printer)) return;
  if (known->type == type && type && !has_aliases) {
    memcpy(cake_put_room(printer->out, sizeof known->text), known->text, sizeof known->text);
    printer->out->len += known->len;
    cake_put_end(printer->out);
    return;
  }
  size_t from = printer->out->len;
  if (!type) {
    cake_buf_text(printer->out, "<<NULL TYPE>>");
  } else if (printer->attr_depth >= CAKE_MAX_PRINT_DEPTH) {
    cake_buf_text(printer->out, "<<TOO DEEP>>");
  } else if (!has_aliases || !cake_printer_type_alias(printer, type)) {
    printer->held++; // a type may have long elements as a parameter
    cake_printer_type_body_of(printer, type);
    printer->held--;
    if (!has_aliases) remember(printer, known, type, from);
  }
}
