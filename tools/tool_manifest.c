// The manifest as XML text. It stands in comments in front of the PTX that it belongs to, so that one file is enough to
// launch a kernel.
#include "tools/tool.h"
#include "tools/tool_facts.h"
#include "tools/tool_xml.h"

#include <string.h>

#define ROOT "cake-manifest"
#define VERSION "2"
_Static_assert(CAKE_MANIFEST_VERSION == 2, "VERSION is its text");

// ---- Formulas --------------------------------------------------------------------------------------------------------

// Operators begin with a dot, so that no size can be taken for one.
static const char *const op_names[CAKE_FORMULA_OP_COUNT] = {
    [CAKE_FORMULA_ADD] = ".add",         [CAKE_FORMULA_SUB] = ".sub",
    [CAKE_FORMULA_MUL] = ".mul",         [CAKE_FORMULA_FLOORDIV] = ".floordiv",
    [CAKE_FORMULA_CEILDIV] = ".ceildiv", [CAKE_FORMULA_MOD] = ".mod",
    [CAKE_FORMULA_MIN] = ".min",         [CAKE_FORMULA_MAX] = ".max",
    [CAKE_FORMULA_EQ] = ".eq",           [CAKE_FORMULA_NE] = ".ne",
    [CAKE_FORMULA_LT] = ".lt",           [CAKE_FORMULA_LE] = ".le",
    [CAKE_FORMULA_GT] = ".gt",           [CAKE_FORMULA_GE] = ".ge",
    [CAKE_FORMULA_AND] = ".and",
};

void cake_formula_write(const CakeManifest *manifest, const CakeFormula *formula, CakeBuf *out) {
  for (uint32_t i = 0; i < formula->count; i++) {
    CakeFormulaStep step = formula->steps[i];
    if (i) cake_buf_char(out, ' ');
    if (step.op == CAKE_FORMULA_CONST)
      cake_buf_int(out, step.value);
    else
      cake_buf_text(out, step.op == CAKE_FORMULA_SIZE ? manifest->sizes[step.value] : op_names[step.op]);
  }
}

// The next token behind *at; empty at the end.
static CakeStr next_token(CakeStr text, size_t *at, char separator) {
  while (*at < text.len && (text.ptr[*at] == ' ' || text.ptr[*at] == separator))
    ++*at;
  size_t start = *at;
  while (*at < text.len && text.ptr[*at] != ' ' && text.ptr[*at] != separator)
    ++*at;
  return (CakeStr){text.ptr + start, *at - start};
}

static bool read_step(const CakeManifest *manifest, CakeStr token, CakeFormulaStep *out) {
  *out = (CakeFormulaStep){CAKE_FORMULA_CONST, 0};
  if (cake_tool_int(token, &out->value)) return true;
  out->value = 0;
  for (int op = CAKE_FORMULA_ADD; op < CAKE_FORMULA_OP_COUNT; op++) {
    if (!cake_str_is(token, op_names[op])) continue;
    out->op = (CakeFormulaOp)op;
    return true;
  }
  out->op = CAKE_FORMULA_SIZE;
  for (uint32_t i = 0; i < manifest->n_sizes; i++) {
    if (!cake_str_is(token, manifest->sizes[i])) continue;
    out->value = i;
    return true;
  }
  return false;
}

bool cake_formula_read(CakeArena *arena, const CakeManifest *manifest, CakeStr text, CakeFormula *out) {
  CakeFormulaStep *steps = CAKE_ARENA_ARRAY(arena, CakeFormulaStep, text.len / 2 + 1);
  size_t at = 0, count = 0, depth = 0;
  for (CakeStr token = next_token(text, &at, ' '); token.len; token = next_token(text, &at, ' ')) {
    CakeFormulaStep *step = &steps[count++];
    if (!read_step(manifest, token, step)) return false;
    bool is_leaf = step->op <= CAKE_FORMULA_SIZE;
    if (is_leaf ? depth == CAKE_FORMULA_MAX_DEPTH : depth < 2) return false;
    depth = is_leaf ? depth + 1 : depth - 1;
  }
  *out = (CakeFormula){steps, (uint32_t)count};
  return depth == 1;
}

// ---- Writing ---------------------------------------------------------------------------------------------------------

static void write_attr(CakeBuf *out, const char *name, const char *value) {
  cake_buf_printf(out, " %s=\"", name);
  cake_xml_escape(cake_str(value), out);
  cake_buf_char(out, '"');
}

static void write_int(CakeBuf *out, const char *name, uint32_t value) {
  cake_buf_printf(out, " %s=\"%u\"", name, (unsigned)value);
}

static void write_flag(CakeBuf *out, const char *name, bool value) {
  if (value) write_attr(out, name, "true");
}

static void write_formula(CakeBuf *out, const char *name, const CakeManifest *manifest, const CakeFormula *formula) {
  CakeBuf text = {0};
  cake_formula_write(manifest, formula, &text);
  write_attr(out, name, text.data ? text.data : "");
  cake_buf_fini(&text);
}

static void write_ints(CakeBuf *out, const char *name, const uint32_t *values, uint32_t count) {
  cake_buf_printf(out, " %s=\"", name);
  for (uint32_t i = 0; i < count; i++)
    cake_buf_printf(out, "%s%u", i ? " " : "", (unsigned)values[i]);
  cake_buf_char(out, '"');
}

static void write_argument(const CakeManifest *manifest, const CakeManifestArgument *arg, CakeBuf *out) {
  cake_buf_text(out, arg->is_array ? "  <array" : "  <scalar");
  write_attr(out, "name", arg->name);
  write_attr(out, "element", cake_element_name(arg->element));
  if (arg->is_array) {
    CakeBuf dims = {0};
    for (uint32_t i = 0; i < arg->rank; i++) {
      if (i) cake_buf_text(&dims, ", ");
      cake_formula_write(manifest, &arg->dims[i], &dims);
    }
    write_attr(out, "dims", dims.data ? dims.data : "");
    cake_buf_fini(&dims);
    if (arg->align) write_int(out, "align", arg->align);
    write_flag(out, "readonly", arg->is_readonly);
    write_flag(out, "added", arg->is_added);
  }
  cake_buf_text(out, "/>\n");
}

static void write_map(const CakeManifest *manifest, const CakeManifestMap *map, CakeBuf *out) {
  cake_buf_text(out, "  <tensor-map");
  write_attr(out, "array", manifest->args[map->argument].name);
  write_ints(out, "box", map->box, map->rank);
  write_int(out, "panel", map->panel);
  write_int(out, "swizzle", map->swizzle);
  cake_buf_text(out, "/>\n");
}

static void write_launch(const CakeManifest *manifest, CakeBuf *out) {
  cake_buf_text(out, "  <launch");
  write_formula(out, "items", manifest, &manifest->items);
  write_attr(out, "schedule", manifest->persistent ? "persistent" : "grid");
  write_int(out, "threads", manifest->threads);
  write_int(out, "shared-bytes", manifest->shared_bytes);
  if (manifest->cluster[0]) write_ints(out, "cluster", manifest->cluster, 3);
  write_flag(out, "programmatic", manifest->programmatic);
  write_flag(out, "watchdog", manifest->watchdog);
  if (manifest->guard.count) {
    write_formula(out, "guard", manifest, &manifest->guard);
    write_attr(out, "guard-text", manifest->guard_text);
  }
  cake_buf_text(out, "/>\n");
}

static void write_role(const CakeManifestRole *role, CakeBuf *out) {
  cake_buf_text(out, "  <role");
  write_attr(out, "name", role->name);
  write_int(out, "first-warp", role->first_warp);
  write_int(out, "warps", role->warps);
  write_int(out, "replicas", role->replicas);
  write_int(out, "registers", role->registers);
  cake_buf_text(out, "/>\n");
}

void cake_manifest_write(const CakeManifest *manifest, CakeBuf *out) {
  cake_buf_text(out, "<" ROOT " version=\"" VERSION "\"");
  write_attr(out, "kernel", manifest->kernel);
  write_attr(out, "target", manifest->target);
  cake_buf_text(out, ">\n");
  for (uint32_t i = 0; i < manifest->n_sizes; i++) {
    cake_buf_text(out, "  <size");
    write_attr(out, "name", manifest->sizes[i]);
    cake_buf_text(out, "/>\n");
  }
  for (uint32_t i = 0; i < manifest->n_args; i++)
    write_argument(manifest, &manifest->args[i], out);
  for (uint32_t i = 0; i < manifest->n_maps; i++)
    write_map(manifest, &manifest->maps[i], out);
  write_launch(manifest, out);
  for (uint32_t i = 0; i < manifest->n_barriers; i++) {
    cake_buf_text(out, "  <barriers");
    write_attr(out, "pipeline", manifest->barriers[i].pipeline);
    write_int(out, "offset", manifest->barriers[i].offset);
    write_int(out, "stages", manifest->barriers[i].stages);
    cake_buf_text(out, "/>\n");
  }
  for (uint32_t i = 0; i < manifest->n_roles; i++)
    write_role(&manifest->roles[i], out);
  cake_buf_text(out, "</" ROOT ">\n");
}

void cake_manifest_comment(const CakeManifest *manifest, CakeBuf *out) {
  CakeBuf text = {0};
  cake_manifest_write(manifest, &text);
  for (const char *at = text.data, *end; *at; at = end + 1) {
    end = strchr(at, '\n');
    cake_buf_printf(out, "// %.*s\n", (int)(end - at), at);
  }
  cake_buf_fini(&text);
}

// ---- Reading ---------------------------------------------------------------------------------------------------------

typedef struct Reader {
  CakeFacts *facts;
  CakeManifest *manifest; // of the facts
  CakeXml xml;
  const char *name;
  CakeBuf *error;
  bool has_launch;
  // Lists of the manifest with their capacity, which is the number of elements in the file.
  const char **sizes;
  CakeManifestArgument *args;
  CakeManifestMap *maps;
  CakeManifestRole *roles;
  CakeManifestBarriers *barriers;
} Reader;

static bool fail(Reader *reader, size_t element, const char *what) {
  cake_buf_printf(reader->error, "%s: the manifest's <%.*s> %s", reader->name,
                  CAKE_STR_ARG(reader->xml.elements.data[element].name), what);
  return false;
}

// A copy that lives as long as the facts.
static bool read_str(Reader *reader, size_t element, const char *name, const char **out) {
  CakeStr value = cake_xml_attr(&reader->xml, element, name);
  if (!value.ptr) {
    CakeBuf what = {0};
    cake_buf_printf(&what, "has no '%s'", name);
    (void)fail(reader, element, what.data);
    cake_buf_fini(&what);
    return false;
  }
  *out = cake_arena_str(reader->facts->arena, value).ptr;
  return true;
}

static bool to_number(CakeStr text, uint32_t *out) {
  int64_t value;
  if (!cake_tool_int(text, &value) || value < 0 || value > INT32_MAX) return false;
  *out = (uint32_t)value;
  return true;
}

static bool read_int(Reader *reader, size_t element, const char *name, uint32_t *out) {
  const char *text;
  if (!read_str(reader, element, name, &text)) return false;
  return to_number(cake_str(text), out) || fail(reader, element, "has a number that is out of range");
}

static bool read_optional_int(Reader *reader, size_t element, const char *name, uint32_t *out) {
  return !cake_xml_attr(&reader->xml, element, name).ptr || read_int(reader, element, name, out);
}

// "64 128 1 1": at most `capacity` numbers.
static bool read_ints(Reader *reader, size_t element, const char *name, uint32_t capacity, uint32_t *out,
                      uint32_t *out_count) {
  const char *text;
  size_t at = 0;
  *out_count = 0;
  if (!read_str(reader, element, name, &text)) return false;
  for (CakeStr token = next_token(cake_str(text), &at, ' '); token.len; token = next_token(cake_str(text), &at, ' '))
    if (*out_count == capacity || !to_number(token, &out[(*out_count)++]))
      return fail(reader, element, "has a list of numbers that cannot be read");
  return true;
}

static bool is_true(Reader *reader, size_t element, const char *name) {
  return cake_str_is(cake_xml_attr(&reader->xml, element, name), "true");
}

static bool read_formula(Reader *reader, size_t element, CakeStr text, CakeFormula *out) {
  return cake_formula_read(reader->facts->arena, reader->manifest, text, out) ||
         fail(reader, element, "has a formula that cannot be read");
}

// "B, N, 64": one formula a comma.
static bool read_dims(Reader *reader, size_t element, CakeManifestArgument *arg) {
  const char *text;
  CakeFormula *dims = CAKE_ARENA_ARRAY(reader->facts->arena, CakeFormula, CAKE_MANIFEST_MAX_RANK);
  if (!read_str(reader, element, "dims", &text)) return false;
  for (arg->dims = dims; *text; arg->rank++) {
    size_t len = strcspn(text, ",");
    if (arg->rank == CAKE_MANIFEST_MAX_RANK) return fail(reader, element, "has too many dimensions");
    if (!read_formula(reader, element, (CakeStr){text, len}, &dims[arg->rank])) return false;
    text += len + (text[len] == ',');
  }
  return true;
}

static bool read_argument(Reader *reader, size_t element) {
  CakeManifestArgument arg = {.is_array = cake_str_is(reader->xml.elements.data[element].name, "array"),
                              .is_readonly = is_true(reader, element, "readonly"),
                              .is_added = is_true(reader, element, "added")};
  const char *type;
  if (!read_str(reader, element, "name", &arg.name) || !read_str(reader, element, "element", &type) ||
      !read_optional_int(reader, element, "align", &arg.align))
    return false;
  if (!cake_element_find(cake_str(type), &arg.element))
    return fail(reader, element, "has an element type that is not known");
  if (arg.is_array && !read_dims(reader, element, &arg)) return false;
  reader->args[reader->manifest->n_args++] = arg;
  return true;
}

static bool read_size(Reader *reader, size_t element) {
  return read_str(reader, element, "name", &reader->sizes[reader->manifest->n_sizes++]);
}

static bool read_map(Reader *reader, size_t element) {
  CakeManifestMap map = {0};
  const char *array;
  if (!read_str(reader, element, "array", &array) ||
      !read_ints(reader, element, "box", CAKE_MANIFEST_MAP_RANK, map.box, &map.rank) ||
      !read_int(reader, element, "panel", &map.panel) || !read_int(reader, element, "swizzle", &map.swizzle))
    return false;
  size_t argument = cake_facts_find(reader->facts, cake_str(array));
  if (argument == SIZE_MAX) return fail(reader, element, "is of an array that the kernel does not have");
  map.argument = (uint32_t)argument;
  reader->maps[reader->manifest->n_maps++] = map;
  return true;
}

static bool read_launch(Reader *reader, size_t element) {
  CakeManifest *manifest = reader->manifest;
  CakeStr guard = cake_xml_attr(&reader->xml, element, "guard");
  const char *items, *schedule;
  uint32_t extents;
  reader->has_launch = true;
  if (!read_str(reader, element, "items", &items) || !read_str(reader, element, "schedule", &schedule) ||
      !read_int(reader, element, "threads", &manifest->threads) ||
      !read_int(reader, element, "shared-bytes", &manifest->shared_bytes))
    return false;
  manifest->persistent = cake_str_is(cake_str(schedule), "persistent");
  manifest->programmatic = is_true(reader, element, "programmatic");
  manifest->watchdog = is_true(reader, element, "watchdog");
  if (cake_xml_attr(&reader->xml, element, "cluster").ptr &&
      !read_ints(reader, element, "cluster", 3, manifest->cluster, &extents))
    return false;
  if (!read_formula(reader, element, cake_str(items), &manifest->items)) return false;
  return !guard.ptr || (read_formula(reader, element, guard, &manifest->guard) &&
                        read_str(reader, element, "guard-text", &manifest->guard_text));
}

static bool read_role(Reader *reader, size_t element) {
  CakeManifestRole *role = &reader->roles[reader->manifest->n_roles++];
  return read_str(reader, element, "name", &role->name) && read_int(reader, element, "first-warp", &role->first_warp) &&
         read_int(reader, element, "warps", &role->warps) && read_int(reader, element, "replicas", &role->replicas) &&
         read_int(reader, element, "registers", &role->registers);
}

static bool read_barriers(Reader *reader, size_t element) {
  CakeManifestBarriers *row = &reader->barriers[reader->manifest->n_barriers++];
  return read_str(reader, element, "pipeline", &row->pipeline) && read_int(reader, element, "offset", &row->offset) &&
         read_int(reader, element, "stages", &row->stages);
}

static bool read_root(Reader *reader) {
  if (!cake_str_is(reader->xml.elements.data[0].name, ROOT)) return fail(reader, 0, "is not <" ROOT ">");
  if (!cake_str_is(cake_xml_attr(&reader->xml, 0, "version"), VERSION))
    return fail(reader, 0, "is not of version " VERSION);
  return read_str(reader, 0, "kernel", &reader->manifest->kernel) &&
         read_str(reader, 0, "target", &reader->manifest->target);
}

static void make_lists(Reader *reader) {
  CakeArena *arena = reader->facts->arena;
  size_t capacity = reader->xml.elements.len;
  reader->manifest->version = CAKE_MANIFEST_VERSION;
  reader->manifest->sizes = reader->sizes = CAKE_ARENA_ARRAY(arena, const char *, capacity);
  reader->manifest->args = reader->args = CAKE_ARENA_ARRAY(arena, CakeManifestArgument, capacity);
  reader->manifest->maps = reader->maps = CAKE_ARENA_ARRAY(arena, CakeManifestMap, capacity);
  reader->manifest->barriers = reader->barriers = CAKE_ARENA_ARRAY(arena, CakeManifestBarriers, capacity);
  reader->manifest->roles = reader->roles = CAKE_ARENA_ARRAY(arena, CakeManifestRole, capacity);
}

// Sizes are written first, because formulas name them.
static bool read_elements(Reader *reader) {
  static const struct {
    const char *name;
    bool (*read)(Reader *, size_t);
  } known[] = {
      {"size",       read_size    },
      {"array",      read_argument},
      {"scalar",     read_argument},
      {"tensor-map", read_map     },
      {"launch",     read_launch  },
      {"barriers",   read_barriers},
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

bool cake_facts_of_manifest(CakeStr text, const char *name, CakeFacts *out, CakeBuf *error) {
  CakeBuf stripped = {0};
  *out = (CakeFacts){.arena = cake_arena_create()};
  Reader reader = {.facts = out, .manifest = &out->manifest, .name = name, .error = error};
  strip_comments(text, &stripped);
  bool has_any = stripped.data && strstr(stripped.data, "<" ROOT);
  if (!has_any)
    cake_buf_printf(error, "%s has no manifest: its first lines are not the comments that cake-translate writes", name);
  bool is_fine = has_any && cake_xml_parse(cake_buf_view(&stripped), name, &reader.xml, error);
  if (is_fine) {
    make_lists(&reader);
    is_fine = read_root(&reader) && read_elements(&reader);
    cake_xml_fini(&reader.xml);
  }
  cake_buf_fini(&stripped);
  if (!is_fine) cake_facts_fini(out);
  return is_fine;
}
