// A small XML reader without recursion, and the escaping that its writer needs.
#include "tools/tool_xml.h"

#include <string.h>

#define MAX_DEPTH 64

typedef struct Reader {
  CakeStr text;
  size_t at;
  unsigned line;
  const char *name;
  CakeXml *xml;
  CakeStr open[MAX_DEPTH]; // names of the elements that are not closed
  unsigned depth;
  CakeBuf *error;
} Reader;

static bool fail(Reader *reader, const char *what) {
  cake_buf_printf(reader->error, "%s:%u: %s", reader->name, reader->line, what);
  return false;
}

static bool looking_at(const Reader *reader, const char *word) {
  return cake_str_starts_with((CakeStr){reader->text.ptr + reader->at, reader->text.len - reader->at}, word);
}

static char peek(const Reader *reader) {
  return reader->at < reader->text.len ? reader->text.ptr[reader->at] : '\0';
}

static void skip_blanks(Reader *reader) {
  for (; reader->at < reader->text.len; reader->at++) {
    char c = reader->text.ptr[reader->at];
    if (c == '\n')
      reader->line++;
    else if (c != ' ' && c != '\t' && c != '\r')
      return;
  }
}

static bool is_name_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
}

static CakeStr take_name(Reader *reader) {
  size_t start = reader->at;
  while (reader->at < reader->text.len && is_name_byte(reader->text.ptr[reader->at]))
    reader->at++;
  return (CakeStr){reader->text.ptr + start, reader->at - start};
}

// Passes over everything up to `end`, that included.
static bool skip_past(Reader *reader, const char *end) {
  for (; reader->at < reader->text.len; reader->at++) {
    if (looking_at(reader, end)) {
      reader->at += strlen(end);
      return true;
    }
    if (reader->text.ptr[reader->at] == '\n') reader->line++;
  }
  return fail(reader, "the text ends inside of a comment or declaration");
}

// ---- Attributes ------------------------------------------------------------------------------------------------------

static bool append_number(Reader *reader, CakeStr digits, CakeBuf *out) {
  unsigned value = 0;
  for (size_t i = 0; i < digits.len; i++) {
    if (digits.ptr[i] < '0' || digits.ptr[i] > '9' || value > 25)
      return fail(reader, "only &#0; to &#255; are understood");
    value = value * 10 + (unsigned)(digits.ptr[i] - '0');
  }
  if (digits.len == 0 || value > 255) return fail(reader, "only &#0; to &#255; are understood");
  cake_buf_char(out, (char)(unsigned char)value);
  return true;
}

static bool append_entity(Reader *reader, CakeStr entity, CakeBuf *out) {
  static const struct {
    const char *name;
    char c;
  } known[] = {
      {"lt",   '<' },
      {"gt",   '>' },
      {"amp",  '&' },
      {"quot", '"' },
      {"apos", '\''}
  };
  if (entity.len > 1 && entity.ptr[0] == '#')
    return append_number(reader, (CakeStr){entity.ptr + 1, entity.len - 1}, out);
  for (size_t i = 0; i < CAKE_COUNT(known); i++) {
    if (!cake_str_is(entity, known[i].name)) continue;
    cake_buf_char(out, known[i].c);
    return true;
  }
  return fail(reader, "an unknown entity");
}

static bool take_value(Reader *reader, CakeBuf *out) {
  char quote = peek(reader);
  if (quote != '"' && quote != '\'') return fail(reader, "expected a quoted value");
  for (reader->at++; reader->at < reader->text.len; reader->at++) {
    char c = reader->text.ptr[reader->at];
    if (c == quote) return reader->at++, true;
    if (c == '<') return fail(reader, "'<' in a value must be written &lt;");
    if (c == '\n') reader->line++;
    if (c != '&') {
      cake_buf_char(out, c);
      continue;
    }
    const char *start = reader->text.ptr + reader->at + 1, *end = memchr(start, ';', reader->text.len - reader->at - 1);
    if (!end || !append_entity(reader, (CakeStr){start, (size_t)(end - start)}, out))
      return end ? false : fail(reader, "'&' without ';'");
    reader->at += (size_t)(end - start) + 1;
  }
  return fail(reader, "the text ends inside of a value");
}

static bool take_attr(Reader *reader, CakeXmlElement *element) {
  CakeXmlAttr attr = {.name = take_name(reader)};
  CakeBuf value = {0};
  if (attr.name.len == 0) return fail(reader, "expected the name of an attribute");
  skip_blanks(reader);
  if (peek(reader) != '=') return fail(reader, "expected '='");
  reader->at++;
  skip_blanks(reader);
  bool is_fine = take_value(reader, &value);
  if (is_fine) {
    attr.value = cake_arena_str(reader->xml->arena, value.data ? cake_buf_view(&value) : CAKE_STR(""));
    CAKE_PUSH(&reader->xml->attrs, attr);
    element->n_attrs++;
  }
  cake_buf_fini(&value);
  return is_fine;
}

// ---- Elements --------------------------------------------------------------------------------------------------------

static bool take_start(Reader *reader) {
  CakeXmlElement element = {
      .name = take_name(reader), .depth = reader->depth, .line = reader->line, .first_attr = reader->xml->attrs.len};
  if (element.name.len == 0) return fail(reader, "expected the name of an element");
  if (reader->depth == 0 && reader->xml->elements.len > 0) return fail(reader, "a second root element");
  for (skip_blanks(reader); peek(reader) != '>' && !looking_at(reader, "/>"); skip_blanks(reader))
    if (!take_attr(reader, &element)) return false;
  CAKE_PUSH(&reader->xml->elements, element);
  if (looking_at(reader, "/>")) return reader->at += 2, true;
  reader->at++;
  if (reader->depth == MAX_DEPTH) return fail(reader, "elements are nested too deeply");
  reader->open[reader->depth++] = element.name;
  return true;
}

static bool take_end(Reader *reader) {
  CakeStr name = take_name(reader);
  skip_blanks(reader);
  if (peek(reader) != '>') return fail(reader, "expected '>'");
  reader->at++;
  if (reader->depth == 0 || !cake_str_equal(reader->open[reader->depth - 1], name))
    return fail(reader, "an end tag that closes no element");
  reader->depth--;
  return true;
}

static bool take_markup(Reader *reader) {
  if (looking_at(reader, "<?")) return skip_past(reader, "?>");
  if (looking_at(reader, "<!--")) return skip_past(reader, "-->");
  if (peek(reader) != '<') return fail(reader, "text between elements");
  reader->at++;
  if (peek(reader) != '/') return take_start(reader);
  reader->at++;
  return take_end(reader);
}

bool cake_xml_parse(CakeStr text, const char *name, CakeXml *out, CakeBuf *error) {
  *out = (CakeXml){.arena = cake_arena_create()};
  Reader reader = {.text = text, .line = 1, .name = name, .xml = out, .error = error};
  bool is_fine = true;
  for (skip_blanks(&reader); is_fine && reader.at < text.len; skip_blanks(&reader))
    is_fine = take_markup(&reader);
  if (is_fine && (reader.depth > 0 || out->elements.len == 0))
    is_fine = fail(&reader, "the text ends before its root element does");
  if (!is_fine) cake_xml_fini(out);
  return is_fine;
}

void cake_xml_fini(CakeXml *xml) {
  CAKE_VEC_FINI(&xml->elements);
  CAKE_VEC_FINI(&xml->attrs);
  cake_arena_destroy(xml->arena);
  *xml = (CakeXml){0};
}

CakeStr cake_xml_attr(const CakeXml *xml, size_t element, const char *name) {
  const CakeXmlElement *at = &xml->elements.data[element];
  for (size_t i = 0; i < at->n_attrs; i++)
    if (cake_str_is(xml->attrs.data[at->first_attr + i].name, name)) return xml->attrs.data[at->first_attr + i].value;
  return (CakeStr){0};
}

void cake_xml_escape(CakeStr text, CakeBuf *out) {
  for (size_t i = 0; i < text.len; i++) {
    unsigned char c = (unsigned char)text.ptr[i];
    if (c == '<')
      cake_buf_text(out, "&lt;");
    else if (c == '>')
      cake_buf_text(out, "&gt;");
    else if (c == '&')
      cake_buf_text(out, "&amp;");
    else if (c == '"')
      cake_buf_text(out, "&quot;");
    else if (c < ' ')
      cake_buf_printf(out, "&#%u;", (unsigned)c);
    else
      cake_buf_char(out, (char)c);
  }
}
