// The manifest: launch facts as XML text. It stands in comments in front of the PTX that it belongs to, so that one file
// is enough to launch a kernel.
#include "cake/text.h"
#include "dialects/cake/cake.h"
#include "tools/tool.h"
#include "tools/tool_facts.h"
#include "tools/tool_xml.h"

#include <string.h>

#define ROOT "cake-manifest"
#define VERSION "1"

// ---- Writing ---------------------------------------------------------------------------------------------------------

static void write_attr(CakeBuf *out, const char *name, CakeStr value) {
  cake_buf_printf(out, " %s=\"", name);
  cake_xml_escape(value, out);
  cake_buf_char(out, '"');
}

static void write_int(CakeBuf *out, const char *name, int64_t value) {
  cake_buf_printf(out, " %s=\"%lld\"", name, (long long)value);
}

static void write_printed(CakeBuf *out, const char *name, void (*print)(const void *, CakeBuf *), const void *what) {
  CakeBuf text = {0};
  print(what, &text);
  write_attr(out, name, cake_buf_view(&text));
  cake_buf_fini(&text);
}

static void print_attr(const void *attr, CakeBuf *out) {
  cake_print_attr(attr, out);
}

static void print_type(const void *type, CakeBuf *out) {
  cake_print_type(type, out);
}

// "B N 64": what a reader needs that does not know Cake's types.
static void print_dims(const void *type_at, CakeBuf *out) {
  CakeType type = type_at;
  for (size_t i = 0; i < cake_global_rank(type); i++) {
    CakeAttr dim = cake_global_dim(type, i);
    int64_t value;
    if (i) cake_buf_char(out, ' ');
    if (cake_expr_is_const(dim, &value))
      cake_buf_int(out, value);
    else if (cake_expr_kind(dim) == CAKE_EXPR_NAME)
      cake_buf_str(out, cake_id_str(cake_expr_name_of(dim)));
    else
      cake_print_attr(dim, out);
  }
}

static void write_argument(const CakeFactsArgument *argument, CakeBuf *out) {
  bool is_array = cake_type_is(argument->type, &cake_type_def_global);
  cake_buf_text(out, is_array ? "  <array" : "  <scalar");
  write_attr(out, "name", argument->name);
  write_printed(out, "type", print_type, argument->type);
  if (is_array) {
    write_printed(out, "element", print_type, cake_global_element(argument->type));
    write_printed(out, "dims", print_dims, argument->type);
  }
  cake_buf_text(out, "/>\n");
}

static void write_map(const CakeFacts *facts, const CakeFactsMap *map, CakeBuf *out) {
  cake_buf_text(out, "  <tensor-map");
  write_attr(out, "array", facts->args.data[map->argument].name);
  cake_buf_text(out, " box=\"");
  for (size_t i = 0; i < map->rank; i++)
    cake_buf_printf(out, "%s%lld", i ? " " : "", (long long)map->box[i]);
  cake_buf_char(out, '"');
  write_int(out, "panel", map->panel);
  write_int(out, "swizzle", map->swizzle);
  cake_buf_text(out, "/>\n");
}

static void write_role(const CakeFactsRole *role, CakeBuf *out) {
  cake_buf_text(out, "  <role");
  write_attr(out, "name", role->name);
  write_int(out, "first-warp", role->first_warp);
  write_int(out, "warps", role->warps);
  write_int(out, "replicas", role->replicas);
  write_int(out, "registers", role->regs);
  cake_buf_text(out, "/>\n");
}

void cake_manifest_write(const CakeFacts *facts, CakeBuf *out) {
  cake_buf_text(out, "<" ROOT " version=\"" VERSION "\"");
  write_attr(out, "kernel", facts->kernel);
  write_attr(out, "target", facts->target);
  cake_buf_text(out, ">\n");
  for (size_t i = 0; i < facts->args.len; i++)
    write_argument(&facts->args.data[i], out);
  for (size_t i = 0; i < facts->sizes.len; i++) {
    cake_buf_text(out, "  <size");
    write_attr(out, "name", cake_id_str(facts->sizes.data[i]));
    cake_buf_text(out, "/>\n");
  }
  for (size_t i = 0; i < facts->maps.len; i++)
    write_map(facts, &facts->maps.data[i], out);
  cake_buf_text(out, "  <launch");
  write_printed(out, "items", print_attr, facts->grid);
  write_attr(out, "schedule", facts->persistent ? CAKE_STR("persistent") : CAKE_STR("grid"));
  write_int(out, "threads", facts->block);
  write_int(out, "shared-bytes", facts->shared_bytes);
  if (facts->guard) write_printed(out, "guard", print_attr, facts->guard);
  cake_buf_text(out, "/>\n");
  for (size_t i = 0; i < facts->roles.len; i++)
    write_role(&facts->roles.data[i], out);
  cake_buf_text(out, "</" ROOT ">\n");
}

void cake_manifest_comment(const CakeFacts *facts, CakeBuf *out) {
  CakeBuf text = {0};
  cake_manifest_write(facts, &text);
  for (const char *at = text.data, *end; *at; at = end + 1) {
    end = strchr(at, '\n');
    cake_buf_printf(out, "// %.*s\n", (int)(end - at), at);
  }
  cake_buf_fini(&text);
}

// ---- Reading ---------------------------------------------------------------------------------------------------------

typedef struct Reader {
  CakeFacts *facts;
  CakeXml xml;
  const char *name;
  CakeBuf *error;
  bool has_launch;
} Reader;

static bool fail(Reader *reader, size_t element, const char *what) {
  cake_buf_printf(reader->error, "%s: the manifest's <%.*s> %s", reader->name,
                  CAKE_STR_ARG(reader->xml.elements.data[element].name), what);
  return false;
}

// A copy that lives as long as the context.
static bool read_str(Reader *reader, size_t element, const char *name, CakeStr *out) {
  CakeStr value = cake_xml_attr(&reader->xml, element, name);
  if (!value.ptr) {
    CakeBuf what = {0};
    cake_buf_printf(&what, "has no '%s'", name);
    (void)fail(reader, element, what.data);
    cake_buf_fini(&what);
    return false;
  }
  *out = cake_id_str(cake_id(reader->facts->context, value));
  return true;
}

static bool read_int(Reader *reader, size_t element, const char *name, int64_t *out) {
  CakeStr text;
  if (!read_str(reader, element, name, &text)) return false;
  return (cake_tool_int(text, out) && *out >= 0 && *out <= INT32_MAX) ||
         fail(reader, element, "has a number that is out of range");
}

static bool read_argument(Reader *reader, size_t element) {
  CakeFactsArgument argument;
  CakeStr type;
  if (!read_str(reader, element, "name", &argument.name) || !read_str(reader, element, "type", &type)) return false;
  argument.type = cake_parse_type_text(reader->facts->context, type);
  if (!argument.type) return fail(reader, element, "has a type that cannot be read");
  CAKE_PUSH(&reader->facts->args, argument);
  return true;
}

static bool read_size(Reader *reader, size_t element) {
  CakeStr name;
  if (!read_str(reader, element, "name", &name)) return false;
  CAKE_PUSH(&reader->facts->sizes, cake_id(reader->facts->context, name));
  return true;
}

static bool read_map(Reader *reader, size_t element) {
  CakeFactsMap map = {0};
  CakeStr array, box;
  if (!read_str(reader, element, "array", &array) || !read_str(reader, element, "box", &box) ||
      !read_int(reader, element, "panel", &map.panel) || !read_int(reader, element, "swizzle", &map.swizzle))
    return false;
  map.argument = cake_facts_find(reader->facts, array);
  if (map.argument == SIZE_MAX) return fail(reader, element, "is of an array that the kernel does not have");
  for (size_t at = 0, end; at < box.len; at = end + 1) {
    for (end = at; end < box.len && box.ptr[end] != ' ';)
      end++;
    if (map.rank == CAKE_FACTS_MAP_RANK || !cake_tool_int((CakeStr){box.ptr + at, end - at}, &map.box[map.rank++]))
      return fail(reader, element, "has a box that cannot be read");
  }
  CAKE_PUSH(&reader->facts->maps, map);
  return true;
}

static bool read_launch(Reader *reader, size_t element) {
  CakeFacts *facts = reader->facts;
  CakeStr items, schedule, guard = cake_xml_attr(&reader->xml, element, "guard");
  if (!read_str(reader, element, "items", &items) || !read_str(reader, element, "schedule", &schedule) ||
      !read_int(reader, element, "threads", &facts->block) ||
      !read_int(reader, element, "shared-bytes", &facts->shared_bytes))
    return false;
  facts->persistent = cake_str_is(schedule, "persistent");
  facts->grid = cake_parse_attr_text(facts->context, items);
  if (guard.ptr) facts->guard = cake_parse_attr_text(facts->context, cake_id_str(cake_id(facts->context, guard)));
  reader->has_launch = true;
  if (!cake_attr_is(facts->grid, &cake_attr_def_expr)) return fail(reader, element, "has items that are no expression");
  return !guard.ptr || cake_attr_is(facts->guard, &cake_attr_def_pred) ||
         fail(reader, element, "has a guard that is no predicate");
}

static bool read_role(Reader *reader, size_t element) {
  CakeFactsRole role = {0};
  if (!read_str(reader, element, "name", &role.name) || !read_int(reader, element, "first-warp", &role.first_warp) ||
      !read_int(reader, element, "warps", &role.warps) || !read_int(reader, element, "replicas", &role.replicas) ||
      !read_int(reader, element, "registers", &role.regs))
    return false;
  CAKE_PUSH(&reader->facts->roles, role);
  return true;
}

static bool read_root(Reader *reader) {
  if (!cake_str_is(reader->xml.elements.data[0].name, ROOT)) return fail(reader, 0, "is not <" ROOT ">");
  if (!cake_str_is(cake_xml_attr(&reader->xml, 0, "version"), VERSION))
    return fail(reader, 0, "is not of version " VERSION);
  return read_str(reader, 0, "kernel", &reader->facts->kernel) && read_str(reader, 0, "target", &reader->facts->target);
}

static bool read_elements(Reader *reader) {
  static const struct {
    const char *name;
    bool (*read)(Reader *, size_t);
  } known[] = {
      {"array",      read_argument},
      {"scalar",     read_argument},
      {"size",       read_size    },
      {"tensor-map", read_map     },
      {"launch",     read_launch  },
      {"role",       read_role    },
  };
  for (size_t i = 1; i < reader->xml.elements.len; i++) {
    size_t kind = 0;
    while (kind < CAKE_COUNT(known) && !cake_str_is(reader->xml.elements.data[i].name, known[kind].name))
      kind++;
    if (kind == CAKE_COUNT(known)) return fail(reader, i, "is not known");
    if (!known[kind].read(reader, i)) return false;
  }
  return reader->has_launch || fail(reader, 0, "has no <launch>");
}

// The manifest's lines without their "// "; everything when the text does not begin with a comment.
static void strip_comments(CakeStr text, CakeBuf *out) {
  if (!cake_str_starts_with(text, "//")) {
    cake_buf_str(out, text);
    return;
  }
  for (size_t at = 0; at + 2 <= text.len && text.ptr[at] == '/' && text.ptr[at + 1] == '/';) {
    const char *newline = memchr(text.ptr + at, '\n', text.len - at);
    size_t end = newline ? (size_t)(newline - text.ptr) : text.len;
    size_t start = out->len;
    cake_buf_str(out, (CakeStr){text.ptr + at + 2, end - at - 2});
    cake_buf_char(out, '\n');
    at = end + 1;
    if (strstr(out->data + start, "</" ROOT ">")) return;
  }
}

bool cake_facts_of_manifest(CakeContext *context, CakeStr text, const char *name, CakeFacts *out, CakeBuf *error) {
  CakeBuf stripped = {0};
  *out = (CakeFacts){.context = context};
  Reader reader = {.facts = out, .name = name, .error = error};
  strip_comments(text, &stripped);
  bool has_any = stripped.data && strstr(stripped.data, "<" ROOT);
  if (!has_any)
    cake_buf_printf(error, "%s has no manifest: its first lines are not the comments that cake-translate writes", name);
  bool is_fine = has_any && cake_xml_parse(cake_buf_view(&stripped), name, &reader.xml, error);
  if (is_fine) {
    is_fine = read_root(&reader) && read_elements(&reader);
    cake_xml_fini(&reader.xml);
  }
  cake_buf_fini(&stripped);
  if (!is_fine) cake_facts_fini(out);
  return is_fine;
}
