// Attributes, read quickly (quick.h): from the characters of the text, into what the parser would make of their tokens. Those of dialects,
// aliases and affine maps are known by their text once they were read.
#include "quick.h"

#include <string.h>

enum { DEEPEST = 16 }; // attributes inside one another

// ---- Known by their text -------------------------------------------------------------------------------------------

static char closing(char open) {
  return (char)(open + (open == '(' ? 1 : 2));
}

const char *cake_quick_brackets(const char *begin) {
  enum { LONGEST = 120 };
  char open[DEEPEST];
  unsigned depth = 0;
  for (const char *p = begin; p - begin < LONGEST; p++) {
    char c = *p;
    if (is(c, BARE) || c == ' ' || c == ',') continue;
    if (c == '<' || c == '(' || c == '[' || c == '{') {
      if (depth == DEEPEST) return NULL;
      open[depth++] = closing(c);
    } else if (c == '-') {
      p += p[1] == '>';
    } else if (c == '>' || c == ')' || c == ']' || c == '}') {
      if (open[--depth] != c) return NULL;
      if (!depth) return p + 1;
    } else if (c != '?' && c != '*' && c != ':' && c != '=' && c != '+') {
      return NULL;
    }
  }
  return NULL;
}

// The end of `#name`, `#name<…>` or `word<…>`, short and plain; NULL: it is none.
static const char *spelling_end(const char *begin) {
  const char *p = begin + 1;
  if (!is(*(*begin == '#' ? p : begin), LETTER)) return NULL;
  while (is(*p, *begin == '#' ? SUFFIX : BARE))
    p++;
  return *p == '<' ? cake_quick_brackets(p) : *begin == '#' ? p : NULL;
}

static CakeSpelledAttr *spelled_attr(CakeParser *parser, const CakeWordKey *key) {
  if (!parser->spelled_attrs)
    parser->spelled_attrs = CAKE_ARENA_ARRAY(parser->scratch, CakeSpelledAttr, CAKE_SPELLED_ATTRS);
  return &parser->spelled_attrs[cake_word_place(key) % CAKE_SPELLED_ATTRS];
}

static void remember(CakeParser *parser, CakeStr text, CakeAttr attr, uint64_t weight) {
  CakeWordKey key = cake_word_key(parser, text);
  if (weight <= CAKE_SPELLED_WEIGHT) *spelled_attr(parser, &key) = (CakeSpelledAttr){key, attr, (uint32_t)weight};
}

void cake_parser_remember_attr(CakeParser *parser, const char *begin, CakeAttr attr, uint64_t weight) {
  const char *end = parser->last_end;
  if (spelling_end(begin) == end) remember(parser, (CakeStr){begin, (size_t)(end - begin)}, attr, weight);
}

static bool read_alias(CakeQuick *quick, CakeStr text, CakeAttr *out) {
  CakeParser *parser = quick->parser;
  CakeStr name = {text.ptr + 1, text.len - 1};
  uintptr_t attr, weight = 0;
  if (!cake_map_get(&parser->attr_aliases, cake_id(parser->context, name), &attr)) return false;
  cake_map_get(&parser->alias_weights, (const void *)attr, &weight);
  if (weight >= CAKE_SPELLED_WEIGHT) return false;
  *out = (CakeAttr)attr;
  quick->n_weighed += (uint32_t)weight;
  remember(parser, text, *out, 1 + weight);
  return true;
}

// `#dialect.body` or `#dialect<body>` of a dialect that nobody registered.
static bool read_opaque(CakeQuick *quick, CakeStr text, CakeAttr *out) {
  CakeContext *context = quick->parser->context;
  const char *name = text.ptr + 1, *end = text.ptr + text.len, *p = name;
  while (*p != '.' && *p != '<')
    p++;
  CakeStr dialect = {name, (size_t)(p - name)}, body = {p + 1, (size_t)(end - p) - (*p == '.' ? 1 : 2)};
  if (!context->allow_unregistered || cake_context_find_dialect(context, dialect)) return false;
  *out = cake_attr_opaque(context, cake_id(context, dialect), cake_id(context, body));
  remember(quick->parser, text, *out, 1);
  return true;
}

static bool read_spelled(CakeQuick *quick, CakeAttr *out) {
  const char *begin = quick->p, *end = spelling_end(begin);
  if (!end) return false;
  CakeStr text = {begin, (size_t)(end - begin)};
  CakeWordKey key = cake_quick_word_key(quick, text);
  const CakeSpelledAttr *known = spelled_attr(quick->parser, &key);
  quick->p = end;
  if (known->attr && cake_word_is(&known->key, &key)) {
    quick->n_weighed += known->weight - 1;
    *out = known->attr;
    return true;
  }
  if (*begin != '#') return false;
  bool is_alias = end[-1] != '>' && !memchr(begin, '.', text.len);
  return is_alias ? read_alias(quick, text, out) : read_opaque(quick, text, out);
}

// A colon behind it would be a type that it carries.
static bool read_extended(CakeQuick *quick, CakeType type, CakeAttr *out) {
  return read_spelled(quick, out) && (type || cake_quick_peek(quick) != ':');
}

// ---- Leaves --------------------------------------------------------------------------------------------------------

// Behind the digits, with `.` next: the end of the literal.
static const char *fraction_end(const char *p) {
  while (is(*++p, DIGIT)) {
  }
  if (*p != 'e' && *p != 'E') return p;
  const char *exponent = p + 1 + (p[1] == '+' || p[1] == '-');
  if (!is(*exponent, DIGIT)) return p;
  while (is(*++exponent, DIGIT)) {
  }
  return exponent;
}

bool cake_quick_number(CakeQuick *quick, CakeQuickNumber *out) {
  enum { SAFE_DIGITS = 18 };
  out->is_negative = *quick->p == '-';
  const char *begin = quick->p + out->is_negative, *p = begin;
  for (out->value = 0; is(*p, DIGIT); p++)
    out->value = out->value * 10 + (uint64_t)(*p - '0');
  out->is_float = *p == '.';
  if (p == begin || (!out->is_float && p - begin > SAFE_DIGITS)) return false;
  if (out->is_float) p = fraction_end(p);
  out->text = (CakeStr){begin, (size_t)(p - begin)};
  quick->p = p;
  return !is(*p, BARE);
}

bool cake_quick_float(const CakeQuick *quick, const CakeQuickNumber *number, CakeType type, double *out) {
  if (!number->is_float || !cake_type_is_any_float(type)) return false;
  double value = cake_parser_decimal(quick->parser, number->text);
  *out = number->is_negative ? -value : value;
  return true;
}

// The type behind a number, or what it is without one.
static bool read_number_type(CakeQuick *quick, bool is_float, CakeType *type) {
  CakeContext *context = quick->parser->context;
  if (cake_quick_char(quick, ':')) return cake_quick_type(quick, type);
  *type = is_float ? context->floats[CAKE_FLOAT_F64] : context->i64;
  return cake_quick_peek(quick) != ':';
}

static bool read_number(CakeQuick *quick, CakeType type, CakeAttr *out) {
  CakeQuickNumber number;
  uint64_t bits;
  double value;
  if (!cake_quick_number(quick, &number) || (!type && !read_number_type(quick, number.is_float, &type))) return false;
  if (number.is_float) {
    if (!cake_quick_float(quick, &number, type, &value)) return false;
    *out = cake_attr_float(type, value);
    return true;
  }
  if (!cake_parser_plain_bits(type, number.is_negative, number.value, &bits)) return false;
  *out = cake_attr_integer(type, (int64_t)bits);
  return true;
}

bool cake_quick_string(CakeQuick *quick, CakeStr *out) {
  const char *begin = quick->p + 1, *end = cake_quick_find(begin, '"', ' ');
  *out = (CakeStr){begin, (size_t)(end - begin)};
  quick->p = end + 1;
  return *end == '"' && !memchr(begin, '\\', out->len);
}

static bool read_string(CakeQuick *quick, CakeType type, CakeAttr *out) {
  CakeStr text;
  if (!cake_quick_string(quick, &text) || (!type && cake_quick_peek(quick) == ':')) return false;
  *out = cake_attr_string(quick->parser->context, text);
  return true;
}

static bool read_type(CakeQuick *quick, CakeAttr *out) {
  CakeType type;
  if (!cake_quick_type(quick, &type)) return false;
  *out = cake_attr_type(type);
  return true;
}

static bool read_bool(CakeQuick *quick, CakeType type, bool value, CakeAttr *out) {
  *out = cake_attr_bool(quick->parser->context, value);
  return !type || type == quick->parser->context->i1;
}

#define IS(text, word) ((text).len == sizeof(word) - 1 && memcmp((text).ptr, word, sizeof(word) - 1) == 0)

// `word<…>`
static bool read_bracketed(CakeQuick *quick, CakeStr word, CakeAttr *out) {
  const char *behind = word.ptr + word.len + 1;
  if (IS(word, "dense")) return quick->p = behind, cake_quick_dense(quick, out);
  if (IS(word, "array")) return quick->p = behind, cake_quick_array(quick, out);
  return IS(word, "affine_map") ? read_spelled(quick, out) : read_type(quick, out);
}

// What begins with a word.
static bool read_word(CakeQuick *quick, CakeType type, CakeAttr *out) {
  CakeStr word = {quick->p, 0};
  while (is(word.ptr[word.len], BARE))
    word.len++;
  if (word.ptr[word.len] == '<') return read_bracketed(quick, word, out);
  bool is_true = IS(word, "true"), is_unit = IS(word, "unit");
  if (!is_true && !is_unit && !IS(word, "false")) return read_type(quick, out);
  quick->p += word.len;
  if (!is_unit) return read_bool(quick, type, is_true, out);
  *out = quick->parser->context->unit;
  return true;
}

// ---- Collections ---------------------------------------------------------------------------------------------------

static bool read_array(CakeQuick *quick, CakeAttr *out) {
  CakeParser *parser = quick->parser;
  size_t base = parser->attrs.len;
  bool is_empty = cake_quick_char(quick, ']'), ok = true;
  while (!is_empty && ok) {
    CakeAttr element;
    ok = cake_quick_attr(quick, NULL, &element);
    if (ok) CAKE_PUSH(&parser->attrs, element);
    if (!cake_quick_char(quick, ',')) break;
  }
  ok = ok && (is_empty || cake_quick_char(quick, ']'));
  if (ok) *out = cake_attr_array(parser->context, CAKE_VEC_FROM(&parser->attrs, base), parser->attrs.len - base);
  parser->attrs.len = base;
  return ok;
}

CakeId cake_quick_id(CakeQuick *quick, CakeStr text) {
  CakeParser *parser = quick->parser;
  CakeWordKey key = cake_quick_word_key(quick, text);
  if (!parser->id_words) parser->id_words = CAKE_ARENA_ARRAY(parser->scratch, CakeIdWord, CAKE_ID_WORDS);
  CakeIdWord *known = &parser->id_words[cake_word_place(&key) % CAKE_ID_WORDS];
  if (known->id && cake_word_is(&known->key, &key)) return known->id;
  CakeId name = cake_id(parser->context, text);
  key.ptr = name->text;
  *known = (CakeIdWord){key, name};
  return name;
}

static bool read_entry_name(CakeQuick *quick, CakeId *out) {
  CakeStr name;
  quick->p = cake_quick_start(quick);
  bool ok = *quick->p == '"' ? cake_quick_string(quick, &name) && name.len : cake_quick_bare(quick, &name);
  if (ok) *out = cake_quick_id(quick, name);
  return ok;
}

// `name = value` or `name`, which was not met from `base` on.
static bool read_entry(CakeQuick *quick, size_t base) {
  enum { MOST = 16 };
  CakeParser *parser = quick->parser;
  CakeNamedAttr entry = {.value = parser->context->unit};
  if (parser->named.len - base == MOST || !read_entry_name(quick, &entry.name)) return false;
  for (size_t i = base; i < parser->named.len; i++)
    if (parser->named.data[i].name == entry.name) return false;
  if (cake_quick_char(quick, '=') && !cake_quick_attr(quick, NULL, &entry.value)) return false;
  CAKE_PUSH(&parser->named, entry);
  return true;
}

bool cake_quick_entries(CakeQuick *quick) {
  size_t base = quick->parser->named.len;
  if (cake_quick_char(quick, '}')) return true;
  do
    if (!read_entry(quick, base)) return false;
  while (cake_quick_char(quick, ','));
  return cake_quick_char(quick, '}');
}

static bool read_dictionary(CakeQuick *quick, CakeAttr *out) {
  CakeParser *parser = quick->parser;
  size_t base = parser->named.len;
  bool ok = cake_quick_entries(quick);
  if (ok) *out = cake_attr_dictionary(parser->context, CAKE_VEC_FROM(&parser->named, base), parser->named.len - base);
  parser->named.len = base;
  return ok;
}

static bool read_collection(CakeQuick *quick, CakeAttr *out) {
  if (quick->depth == DEEPEST) return false;
  bool is_array = *quick->p++ == '[';
  quick->depth++;
  bool ok = is_array ? read_array(quick, out) : read_dictionary(quick, out);
  quick->depth--;
  return ok;
}

bool cake_quick_attr(CakeQuick *quick, CakeType type, CakeAttr *out) {
  char c = *(quick->p = cake_quick_start(quick));
  quick->n_weighed++;
  if (is(c, LETTER)) return read_word(quick, type, out);
  if (is(c, DIGIT)) return read_number(quick, type, out);
  switch (c) {
  case '-': return read_number(quick, type, out);
  case '"': return read_string(quick, type, out);
  case '@': return cake_quick_symbol(quick, out);
  case '#': return read_extended(quick, type, out);
  case '!': return read_type(quick, out);
  case '[':
  case '{': return read_collection(quick, out);
  default: return false;
  }
}

// ---- Of an op ------------------------------------------------------------------------------------------------------

// Sorts the entries from `base` on into rows, of which those in `rows` are free, and what is discardable.
static bool sort_entries(CakeQuick *quick, size_t base, uint64_t rows) {
  CakeParser *parser = quick->parser;
  CakeNamedAttr *entries = CAKE_VEC_FROM(&parser->named, base);
  size_t count = parser->named.len - base, kept = 0;
  for (size_t i = 0; i < count; i++) {
    int row = quick->info->def ? cake_op_info_row(quick->info, entries[i].name) : -1;
    if (row < 0)
      entries[kept++] = entries[i];
    else if (rows >> row & 1)
      quick->props[row] = entries[i].value;
    else
      return false;
  }
  quick->attrs = kept ? cake_attr_dictionary(parser->context, entries, kept) : NULL;
  return true;
}

bool cake_quick_dictionary(CakeQuick *quick, uint64_t rows) {
  CakeParser *parser = quick->parser;
  size_t base = parser->named.len;
  bool ok = cake_quick_char(quick, '{') && cake_quick_entries(quick) && sort_entries(quick, base, rows);
  parser->named.len = base;
  return ok;
}

// Sets the rows of the entries from `base` on; an op that is not registered has them in one dictionary.
static bool take_properties(CakeQuick *quick, size_t base) {
  CakeParser *parser = quick->parser;
  const CakeNamedAttr *entries = CAKE_VEC_FROM(&parser->named, base);
  size_t count = parser->named.len - base;
  if (!quick->info->def) {
    quick->props[0] = cake_attr_dictionary(parser->context, entries, count);
    return true;
  }
  for (size_t i = 0; i < count; i++) {
    int row = cake_op_info_row(quick->info, entries[i].name);
    if (row < 0) return false;
    quick->props[row] = entries[i].value;
  }
  return true;
}

bool cake_quick_properties(CakeQuick *quick) {
  CakeParser *parser = quick->parser;
  size_t base = parser->named.len;
  bool ok = cake_quick_char(quick, '<') && cake_quick_char(quick, '{') && cake_quick_entries(quick) &&
            cake_quick_char(quick, '>') && take_properties(quick, base);
  parser->named.len = base;
  return ok;
}
