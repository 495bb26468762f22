// The parts of an op in the generic form, read quickly (quick.h); and dictionaries that were met before.
#include "quick.h"

// Whether the text is a dictionary of words and numbers.
static bool is_plain_dictionary(CakeStr text) {
  if (text.ptr[0] != '{' || text.ptr[text.len - 1] != '}') return false;
  for (size_t i = 1; i < text.len - 1; i++) {
    char c = text.ptr[i];
    if (!is(c, BARE) && c != ' ' && c != '=' && c != ',' && c != ':' && c != '-') return false;
  }
  return true;
}

// The entry of the text, or the free one where it would go.
static CakeQuickAttrs *find_attrs(CakeParser *parser, const CakeWordKey *text) {
  CakeQuickAttrs *entry;
  size_t at = cake_word_place(text);
  do
    entry = &parser->quick_attrs[at++ & (parser->attrs_count.capacity - 1)];
  while (entry->len && (entry->len != text->len || memcmp(entry->text, text->ptr, text->len) != 0));
  return entry;
}

void cake_quick_remember_attrs(CakeParser *parser, CakeStr text, CakeAttr attrs) {
  if (text.len < sizeof(uint64_t) || text.len > sizeof parser->quick_attrs->text || !is_plain_dictionary(text)) return;
  parser->quick_attrs =
      cake_quick_room(parser, parser->quick_attrs, &parser->attrs_count, CAKE_QUICK_ATTRS, sizeof *parser->quick_attrs);
  CakeWordKey key = cake_word_key(parser, text);
  CakeQuickAttrs *entry = find_attrs(parser, &key);
  entry->len = (uint8_t)text.len;
  entry->attrs = attrs;
  memcpy(entry->text, text.ptr, text.len);
}

// A dictionary that was read before.
static bool read_known_attrs(CakeQuick *quick) {
  const char *begin = cake_quick_start(quick), *end = cake_quick_find(begin, '}', '\n' + 1) + 1;
  CakeStr text = {begin, (size_t)(end - begin)};
  if (text.len < sizeof(uint64_t) || text.len > sizeof quick->parser->quick_attrs->text || !quick->parser->quick_attrs)
    return false;
  CakeWordKey key = cake_quick_word_key(quick, text);
  quick->attrs = find_attrs(quick->parser, &key)->attrs;
  if (quick->attrs) quick->p = end;
  return quick->attrs != NULL;
}

static bool read_attrs(CakeQuick *quick) {
  uint64_t rows = 0; // that are not set
  const char *begin = cake_quick_start(quick);
  if (!quick->info->def && read_known_attrs(quick)) return true;
  for (uint32_t i = 0; i < quick->info->n_props; i++)
    rows |= (uint64_t)!quick->props[i] << i;
  if (!cake_quick_dictionary(quick, rows)) return false;
  if (!quick->info->def)
    cake_quick_remember_attrs(quick->parser, (CakeStr){begin, (size_t)(quick->p - begin)}, quick->attrs);
  return true;
}

static void set_defaults(CakeQuick *quick) {
  const CakeAttr *defaults = quick->format->defaults;
  for (uint32_t i = 0; defaults && i < quick->info->def->n_attrs; i++)
    if (!quick->props[i]) quick->props[i] = defaults[i];
}

bool cake_quick_generic(CakeQuick *quick) {
  if (quick->info->n_props > CAKE_QUICK_ROWS || !cake_quick_char(quick, '(')) return false;
  if (!cake_quick_char(quick, ')') && (!cake_quick_list(quick, 0) || !cake_quick_char(quick, ')'))) return false;
  memset(quick->props, 0, sizeof quick->props);
  if (*cake_quick_start(quick) == '<' && !cake_quick_properties(quick)) return false;
  if (*cake_quick_start(quick) == '{' && !read_attrs(quick)) return false;
  if (!cake_quick_char(quick, ':') || !cake_quick_functional(quick)) return false;
  for (uint32_t i = 0; i < quick->n_values; i++)
    if (quick->given[i] != quick->values[i]->type) return false;
  if (quick->info->def) set_defaults(quick);
  return true;
}
