// Aliases, where mlir-opt prints them: affine maps and sets, distinct attributes, locations, and tuples of many types.
//
// A first print, into nothing, finds what will be printed and in which order. Aliases are sorted by how deep they are
// nested, so that each is defined before it is used, then by kind and name. Those that only locations of ops need come
// behind the IR, the others in front of it.
#include "cake/affine.h"

#include "printer.h"

#include <stdlib.h>

// What a location is found by: its word; that of the unknown location is 0.
static const void *loc_key(CakeLoc loc) {
  static const char unknown;
  return loc.bits ? (const void *)(uintptr_t)loc.bits : &unknown;
}

static CakeAliasKey key_of_attr(CakeAttr attr) {
  CakeAliasKey key = {.of = attr, .attr = attr};
  if (attr->def == &cake_attr_def_affine_map) key.name = "map";
  if (attr->def == &cake_attr_def_affine_set) key.name = "set";
  if (attr->def == &cake_attr_def_distinct) key.name = "distinct";
  if (attr->def != &cake_attr_def_location) return key;
  key.name = "loc";
  key.loc = cake_loc_from_attr(attr);
  key.of = loc_key(key.loc);
  key.attr = NULL;
  return key;
}

static CakeAliasKey key_of_loc(CakeLoc loc) {
  return (CakeAliasKey){.of = loc_key(loc), .name = "loc", .loc = loc};
}

static CakeAliasKey key_of_type(CakeType type) {
  CakeAliasKey key = {.of = type, .type = type};
  if (type->def == &cake_type_def_tuple && cake_type_tuple_count(type) > CAKE_LARGE_TUPLE) key.name = "tuple";
  return key;
}

static CakeAlias *find(const CakeAliases *aliases, const void *of) {
  uintptr_t number;
  return cake_map_get(&aliases->index, of, &number) ? &aliases->list.data[number] : NULL;
}

// ---- Finding -------------------------------------------------------------------------------------------------------

static void print_body(CakePrinter *printer, const CakeAliasKey *key) {
  if (key->type)
    cake_printer_type_body_of(printer, key->type);
  else if (key->attr)
    cake_printer_attr_body_of(printer, key->attr);
  else
    cake_printer_loc_body(printer, key->loc);
}

// Prints what is inside, to find its aliases. Returns how deep they are nested.
static uint32_t look_inside(CakePrinter *printer, const CakeAliasKey *key) {
  CakeAliases *aliases = &printer->printed->aliases;
  uint32_t outer = aliases->depth;
  aliases->depth = 0;
  print_body(printer, key);
  uint32_t depth = aliases->depth;
  aliases->depth = outer;
  return depth;
}

static void collect(CakePrinter *printer, CakeAliasKey key) {
  CakeAliases *aliases = &printer->printed->aliases;
  CakeAlias *alias = find(aliases, key.of);
  uint32_t depth;
  if (!alias) {
    cake_map_set(&aliases->index, key.of, (uintptr_t)aliases->list.len);
    CAKE_PUSH(&aliases->list,
              (CakeAlias){.key = key, .order = (uint32_t)aliases->list.len, .is_behind = aliases->is_behind});
    depth = look_inside(printer, &key);
    find(aliases, key.of)->depth = depth;
  } else {
    depth = alias->depth;
    bool comes_first = alias->is_behind && !aliases->is_behind;
    alias->is_behind &= aliases->is_behind;
    if (comes_first) look_inside(printer, &key); // what is inside comes in front, too
  }
  if (aliases->depth < depth + 1) aliases->depth = depth + 1;
}

// ---- Using ---------------------------------------------------------------------------------------------------------

static void print_name(CakeBuf *out, const CakeAlias *alias) {
  cake_buf_char(out, alias->key.type ? '!' : '#');
  cake_buf_text(out, alias->key.name);
  if (alias->number) cake_buf_int(out, alias->number);
}

static bool print_alias(CakePrinter *printer, CakeAliasKey key) {
  CakeAliases *aliases = &printer->printed->aliases;
  if (!key.name || aliases->defined == key.of) return false;
  if (aliases->is_collecting) {
    collect(printer, key);
    return true;
  }
  const CakeAlias *alias = find(aliases, key.of);
  if (alias) print_name(printer->out, alias);
  return alias != NULL;
}

bool cake_printer_attr_alias(CakePrinter *printer, CakeAttr attr) {
  return print_alias(printer, key_of_attr(attr));
}

bool cake_printer_type_alias(CakePrinter *printer, CakeType type) {
  return print_alias(printer, key_of_type(type));
}

bool cake_printer_loc_alias(CakePrinter *printer, CakeLoc loc) {
  return print_alias(printer, key_of_loc(loc));
}

void cake_printer_collect_loc(CakePrinter *printer, CakeLoc loc, bool is_behind) {
  CakeAliases *aliases = &printer->printed->aliases;
  bool before = aliases->is_behind;
  aliases->is_behind = is_behind;
  collect(printer, key_of_loc(loc));
  aliases->is_behind = before;
}

// ---- The whole -----------------------------------------------------------------------------------------------------

static int compare(const void *a, const void *b) {
  const CakeAlias *x = a, *y = b;
  if (x->depth != y->depth) return x->depth < y->depth ? -1 : 1;
  if (!x->key.type != !y->key.type) return x->key.type ? -1 : 1;
  int order = strcmp(x->key.name, y->key.name);
  return order ? order : x->order < y->order ? -1 : 1;
}

static void number(CakeAliases *aliases) {
  static const char *const names[] = {"map", "set", "distinct", "loc", "tuple"};
  uint32_t next[CAKE_COUNT(names)] = {0};
  if (aliases->list.len) qsort(aliases->list.data, aliases->list.len, sizeof *aliases->list.data, compare);
  for (size_t i = 0; i < aliases->list.len; i++) {
    CakeAlias *alias = &aliases->list.data[i];
    cake_map_set(&aliases->index, alias->key.of, (uintptr_t)i);
    for (size_t k = 0; k < CAKE_COUNT(names); k++)
      if (strcmp(alias->key.name, names[k]) == 0) alias->number = next[k]++;
  }
}

static void discard(void *user, CakeBuf *out) {
  (void)user;
  cake_buf_clear(out);
}

void cake_printer_find_aliases(CakePrinter *printer, CakeOp *op) {
  CakeBuf nothing = {0};
  CakePrinted printed = {
      .aliases = {.is_on = true, .is_collecting = true}
  };
  CakePrinter scan = {.out = &nothing,
                      .context = printer->context,
                      .options = printer->options,
                      .printed = &printed,
                      .scope = UINT32_MAX};
  scan.options.flush = discard;
  scan.options.put = NULL;
  cake_printer_number_around(&scan, op);
  cake_printer_op(&scan, op);
  CakeAliases *found = &printer->printed->aliases;
  *found = printed.aliases;
  printed.aliases = (CakeAliases){0};
  cake_printer_fini(&scan);
  cake_buf_fini(&nothing);
  found->is_collecting = false;
  number(found);
}

void cake_printer_aliases(CakePrinter *printer, bool is_behind) {
  CakeAliases *aliases = &printer->printed->aliases;
  for (size_t i = 0; i < aliases->list.len; i++) {
    const CakeAlias *alias = &aliases->list.data[i];
    if (alias->is_behind != is_behind) continue;
    print_name(printer->out, alias);
    cake_buf_text(printer->out, " = ");
    aliases->defined = alias->key.of;
    bool is_loc = !alias->key.type && !alias->key.attr;
    if (is_loc) cake_buf_text(printer->out, "loc(");
    print_body(printer, &alias->key);
    cake_buf_text(printer->out, is_loc ? ")\n" : "\n");
    aliases->defined = NULL;
    if (printer->options.flush) printer->options.flush(printer->options.flush_user, printer->out);
  }
}

void cake_printer_aliases_fini(CakeAliases *aliases) {
  cake_map_fini(&aliases->index);
  CAKE_VEC_FINI(&aliases->list);
}
