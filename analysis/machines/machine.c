// Reads a machine file: the schema says how it is built, the table of figures what it has to say.
#include "analysis/machines/machine.h"

#include "cake/diagnostic.h"
#include "cake/text.h"

#include <libxml/parser.h>
#include <libxml/relaxng.h>
#include <libxml/tree.h>

#include <math.h>
#include <stdlib.h>

// Machines and the schema as texts (CMakeLists.txt).
extern const unsigned char cake_machine_schema_text[], cake_machine_h200_text[];

#define MOST 1e9 // more than any figure

typedef struct Builtin {
  const char *name;
  const unsigned char *text;
} Builtin;

static const Builtin builtins[] = {
    {"h200", cake_machine_h200_text}
};

typedef struct Row {
  const char *name, *group, *unit;
  double least;
} Row;

static const Row rows[] = {
#define FIGURE(row, group, name, unit, least, meaning) {name, #group, unit, least},
#include "analysis/machines/figures.def"
#undef FIGURE
};

typedef struct Reader {
  CakeContext *context;
  CakeId file;
  CakeMachine *machine;
  bool is_given[CAKE_FIGURE_COUNT], has_failed;
} Reader;

// ---- Messages ------------------------------------------------------------------------------------------------------------

static bool fail_at(Reader *reader, long line, const char *format, ...) CAKE_PRINTF(3, 4);
static bool fail_at(Reader *reader, long line, const char *format, ...) {
  CakeBuf text = {0};
  va_list args;
  va_start(args, format);
  cake_buf_vprintf(&text, format, args);
  va_end(args);
  while (text.len && text.data[text.len - 1] == '\n')
    text.len--;
  CakeLoc loc = cake_loc_file(reader->context, reader->file, line > 0 ? (uint32_t)line : 1, 1);
  cake_error_at(reader->context, loc, CAKE_CODE_COST_MACHINE, "%.*s", (int)text.len, text.data);
  cake_buf_fini(&text);
  reader->has_failed = true;
  return false;
}

static void report(void *user, const xmlError *error) {
  Reader *reader = user;
  if (!reader->has_failed) fail_at(reader, error->line, "%s", error->message ? error->message : "cannot be read");
}

static void report_mutable(void *user, xmlErrorPtr error) {
  report(user, error);
}

// ---- The schema ----------------------------------------------------------------------------------------------------------

static bool validate_with(Reader *reader, xmlRelaxNGPtr schema, xmlDocPtr document) {
  xmlRelaxNGValidCtxtPtr valid = xmlRelaxNGNewValidCtxt(schema);
  if (!valid) return fail_at(reader, 1, "cannot be compared with the schema");
  xmlRelaxNGSetValidStructuredErrors(valid, report_mutable, reader);
  bool is_valid = xmlRelaxNGValidateDoc(valid, document) == 0;
  xmlRelaxNGFreeValidCtxt(valid);
  return is_valid || (!reader->has_failed && fail_at(reader, 1, "is no machine file"));
}

static bool validate(Reader *reader, xmlDocPtr document) {
  const char *text = (const char *)cake_machine_schema_text;
  xmlRelaxNGParserCtxtPtr parser = xmlRelaxNGNewMemParserCtxt(text, (int)strlen(text));
  xmlRelaxNGPtr schema = parser ? xmlRelaxNGParse(parser) : NULL;
  bool is_valid =
      schema ? validate_with(reader, schema, document) : fail_at(reader, 1, "the schema of machine files is broken");
  xmlRelaxNGFree(schema);
  xmlRelaxNGFreeParserCtxt(parser);
  return is_valid;
}

// ---- Figures -------------------------------------------------------------------------------------------------------------

// The attribute's value, kept as long as the context; empty where it is not there.
static CakeStr attribute(const Reader *reader, xmlNodePtr node, const char *name) {
  xmlChar *value = xmlGetNoNsProp(node, (const xmlChar *)name);
  CakeStr kept =
      value ? cake_arena_str(cake_context_arena(reader->context), cake_str((const char *)value)) : CAKE_STR("");
  xmlFree(value);
  return kept;
}

static bool unknown_figure(Reader *reader, xmlNodePtr node, CakeStr name) {
  CakeNearest nearest = cake_nearest_to(name);
  const char *group = (const char *)node->parent->name;
  for (size_t i = 0; i < CAKE_COUNT(rows); i++)
    if (strcmp(rows[i].group, group) == 0) cake_nearest_consider(&nearest, rows[i].name);
  return fail_at(reader, xmlGetLineNo(node), "there is no figure '%.*s' among the %s%s%s%s", CAKE_STR_ARG(name), group,
                 nearest.best ? "; did you mean '" : "", nearest.best ? nearest.best : "", nearest.best ? "'?" : "");
}

static bool read_figure(Reader *reader, xmlNodePtr node) {
  CakeStr name = attribute(reader, node, "name"), unit = attribute(reader, node, "unit"),
          value = attribute(reader, node, "value");
  size_t i = 0;
  while (i < CAKE_COUNT(rows) &&
         (!cake_str_is(name, rows[i].name) || strcmp(rows[i].group, (const char *)node->parent->name) != 0))
    i++;
  if (i == CAKE_COUNT(rows)) return unknown_figure(reader, node, name);
  long line = xmlGetLineNo(node);
  if (reader->is_given[i]) return fail_at(reader, line, "figure '%s' is given twice", rows[i].name);
  if (!cake_str_is(unit, rows[i].unit))
    return fail_at(reader, line, "figure '%s' is in '%s', not in '%.*s'", rows[i].name, rows[i].unit,
                   CAKE_STR_ARG(unit));
  double number = strtod(value.ptr, NULL);
  if (!isfinite(number) || number < rows[i].least || number > MOST)
    return fail_at(reader, line, "figure '%s' cannot be %.*s", rows[i].name, CAKE_STR_ARG(value));
  reader->is_given[i] = true;
  reader->machine->figures[i] = number;
  reader->machine->sources[i] = attribute(reader, node, "source");
  reader->machine->n_estimates += cake_str_starts_with(reader->machine->sources[i], "estimate");
  return true;
}

static bool read_machine(Reader *reader, xmlNodePtr root) {
  bool is_fine = true;
  reader->machine->name = attribute(reader, root, "name");
  reader->machine->target = attribute(reader, root, "target");
  for (xmlNodePtr group = xmlFirstElementChild(root); group; group = xmlNextElementSibling(group))
    for (xmlNodePtr figure = xmlFirstElementChild(group); figure; figure = xmlNextElementSibling(figure))
      is_fine = read_figure(reader, figure) && is_fine;
  for (size_t i = 0; is_fine && i < CAKE_COUNT(rows); i++)
    if (!reader->is_given[i])
      is_fine = fail_at(reader, xmlGetLineNo(root), "figure '%s' of the %s is missing", rows[i].name, rows[i].group);
  return is_fine;
}

// ---- The entry -----------------------------------------------------------------------------------------------------------

static bool read_text(Reader *reader, CakeStr text) {
  if (text.len > INT32_MAX) return fail_at(reader, 1, "is too large");
  xmlSetStructuredErrorFunc(reader, report_mutable);
  xmlDocPtr document =
      xmlReadMemory(text.ptr ? text.ptr : "", (int)text.len, reader->file->text, NULL, XML_PARSE_NONET);
  bool is_fine = document ? validate(reader, document) && read_machine(reader, xmlDocGetRootElement(document))
                          : !reader->has_failed && fail_at(reader, 1, "is no XML");
  xmlFreeDoc(document);
  xmlSetStructuredErrorFunc(NULL, NULL);
  xmlCleanupParser();
  return is_fine;
}

static bool report_unread(CakeContext *context, CakeStr name, const char *why) {
  CakeBuf names = {0};
  for (size_t i = 0; i < CAKE_COUNT(builtins); i++)
    cake_buf_printf(&names, "%s%s", i ? ", " : "", builtins[i].name);
  cake_error_at(context, cake_loc_file(context, cake_id(context, name), 1, 1), CAKE_CODE_COST_MACHINE,
                "is neither a machine that is known by name (%s) nor a file: %s", names.data, why);
  cake_buf_fini(&names);
  return false;
}

bool cake_machine_parse(CakeContext *context, CakeStr name, CakeStr text, CakeMachine *out) {
  *out = (CakeMachine){0};
  Reader reader = {.context = context, .file = cake_id(context, name), .machine = out};
  return read_text(&reader, text);
}

bool cake_machine_read(CakeContext *context, CakeStr name, CakeMachine *out) {
  for (size_t i = 0; i < CAKE_COUNT(builtins); i++)
    if (cake_str_is(name, builtins[i].name))
      return cake_machine_parse(context, name, cake_str((const char *)builtins[i].text), out);
  CakeBuf text = {0}, error = {0};
  const char *path = cake_id(context, name)->text;
  bool is_fine = cake_file_read(path, &text, &error) ? cake_machine_parse(context, name, cake_buf_view(&text), out)
                                                     : report_unread(context, name, error.data);
  cake_buf_fini(&text);
  cake_buf_fini(&error);
  return is_fine;
}
