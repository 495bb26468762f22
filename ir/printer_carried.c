// Printing attributes that Cake checks and carries, and the file metadata that holds their resources.
#include "printer.h"

static void print_stride(CakeBuf *out, int64_t value) {
  if (value == CAKE_DYNAMIC)
    cake_buf_char(out, '?');
  else
    cake_buf_int(out, value);
}

static void print_strided(CakeBuf *out, CakeAttr attr) {
  cake_buf_text(out, "strided<[");
  for (uint32_t i = 1; i < attr->count; i++) {
    if (i > 1) cake_buf_text(out, ", ");
    print_stride(out, attr->params[i].i);
  }
  cake_buf_char(out, ']');
  if (attr->params[0].i) {
    cake_buf_text(out, ", offset: ");
    print_stride(out, attr->params[0].i);
  }
  cake_buf_char(out, '>');
}

static uintptr_t distinct_number(CakePrinter *printer, CakeAttr attr) {
  CakePrinted *printed = printer->printed;
  uintptr_t number = 0;
  if (!printed) return (uintptr_t)attr->params[0].i;
  if (cake_map_get(&printed->distinct, attr, &number)) return number - 1;
  cake_map_set(&printed->distinct, attr, ++printed->n_distinct);
  return printed->n_distinct - 1;
}

static void print_distinct(CakePrinter *printer, CakeAttr attr) {
  CakeAttr referenced = attr->params[1].attr;
  cake_buf_printf(printer->out, "distinct[%llu]<", (unsigned long long)distinct_number(printer, attr));
  if (!cake_attr_is(referenced, &cake_attr_def_unit)) cake_printer_attr(printer, referenced);
  cake_buf_char(printer->out, '>');
}

static void print_strings(CakePrinter *printer, CakeAttr attr) {
  CakeType type = attr->params[0].type;
  cake_buf_text(printer->out, "dense<");
  if (attr->count == 2) {
    cake_printer_string(printer, cake_id_str(attr->params[1].id));
  } else if (attr->count > 2) {
    for (uint32_t i = 1; i < attr->count; i++) {
      cake_printer_brackets(printer->out, type, i - 1);
      cake_printer_string(printer, cake_id_str(attr->params[i].id));
    }
    cake_buf_fill(printer->out, ']', (size_t)cake_type_rank(type));
  }
  cake_buf_text(printer->out, "> : ");
  cake_printer_type(printer, type);
}

static void print_resource(CakePrinter *printer, CakeAttr attr) {
  CakePrinted *printed = printer->printed;
  CakeId key = attr->params[1].id;
  uintptr_t ignored;
  cake_buf_text(printer->out, "dense_resource<");
  cake_printer_keyword_or_string(printer, cake_id_str(key));
  cake_buf_text(printer->out, "> : ");
  cake_printer_type(printer, attr->params[0].type);
  if (!printed || cake_map_get(&printed->seen, key, &ignored)) return;
  cake_map_set(&printed->seen, key, 1);
  CAKE_PUSH(&printed->resources, key);
}

static void print_sparse(CakePrinter *printer, CakeAttr attr) {
  CakeAttr indices = attr->params[1].attr;
  bool is_elided = cake_printer_elides(printer, cake_attr_value_type(indices));
  cake_buf_text(printer->out, is_elided ? "dense_resource<__elided__" : "sparse<");
  if (!is_elided && cake_type_count(cake_attr_value_type(indices)) != 0) {
    cake_printer_dense_body(printer, indices, false);
    cake_buf_text(printer->out, ", ");
    cake_printer_dense_body(printer, attr->params[2].attr, true);
  }
  cake_buf_text(printer->out, "> : ");
  cake_printer_type(printer, attr->params[0].type);
}

static void print_wide(CakePrinter *printer, CakeAttr attr) {
  cake_buf_str(printer->out, cake_id_str(attr->params[1].id));
  cake_buf_text(printer->out, " : ");
  cake_printer_type(printer, attr->params[0].type);
}

void cake_printer_carried(CakePrinter *printer, CakeAttr attr) {
  const CakeAttrDef *def = attr->def;
  if (def == &cake_attr_def_strided)
    print_strided(printer->out, attr);
  else if (def == &cake_attr_def_distinct)
    print_distinct(printer, attr);
  else if (def == &cake_attr_def_dense_strings)
    print_strings(printer, attr);
  else if (def == &cake_attr_def_dense_resource)
    print_resource(printer, attr);
  else if (def == &cake_attr_def_sparse_elements)
    print_sparse(printer, attr);
  else if (def == &cake_attr_def_wide_integer)
    print_wide(printer, attr);
  else
    cake_buf_text(printer->out, def->name);
}

void cake_printer_resources(CakePrinter *printer) {
  CakeBuf *out = printer->out;
  const CakePrinted *printed = printer->printed;
  size_t count = 0;
  for (size_t i = 0; i < printed->resources.len; i++) {
    uintptr_t blob;
    CakeId key = printed->resources.data[i];
    if (!cake_map_get(&printer->context->resources, key, &blob)) continue;
    int64_t from = printer->options.elide_resources_from;
    if (from && (int64_t)((CakeId)blob)->len >= from) continue;
    cake_buf_text(out, count++ ? ",\n" : "\n{-#\n  dialect_resources: {\n    builtin: {\n");
    cake_buf_text(out, "      ");
    cake_printer_keyword_or_string(printer, cake_id_str(key));
    cake_buf_text(out, ": ");
    cake_printer_string(printer, cake_id_str((CakeId)blob));
  }
  if (count) cake_buf_text(out, "\n    }\n  }\n#-}\n");
}
