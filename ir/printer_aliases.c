// Aliases, where mlir-opt prints them: affine maps and sets, distinct attributes, locations, and tuples of many types.
//
// A first print, into nothing, finds what will be printed and in which order. Aliases are sorted by how deep they are
// nested, so that each is defined before it is used, then by kind and name. Those that only locations of ops need come
// behind the IR, the others in front of it.
#include "cake/affine.h"

#include "printer.h"
#include "put.h"

static const char unknown_loc; // whose address stands for it: its word is 0

static CakeAliasKey key_of_loc(CakeLoc loc) {
  return (CakeAliasKey){loc.bits ? (const void *)(uintptr_t)loc.bits : &unknown_loc, CAKE_ALIAS_LOC};
}

static CakeAliasKey key_of_attr(CakeAttr attr) {
  if (attr->def == &cake_attr_def_location) return key_of_loc(cake_loc_from_attr(attr));
  if (attr->def == &cake_attr_def_affine_map) return (CakeAliasKey){attr, CAKE_ALIAS_MAP};
  if (attr->def == &cake_attr_def_affine_set) return (CakeAliasKey){attr, CAKE_ALIAS_SET};
  if (attr->def == &cake_attr_def_distinct) return (CakeAliasKey){attr, CAKE_ALIAS_DISTINCT};
  return (CakeAliasKey){attr, CAKE_ALIAS_NONE};
}

static CakeAliasKey key_of_type(CakeType type) {
  bool is_named = type->def == &cake_type_def_tuple && cake_type_tuple_count(type) > CAKE_LARGE_TUPLE;
  return (CakeAliasKey){type, is_named ? CAKE_ALIAS_TUPLE : CAKE_ALIAS_NONE};
}

static CakeLoc loc_of(const CakeAliasKey *key) {
  return (CakeLoc){key->of == &unknown_loc ? 0 : (uint64_t)(uintptr_t)key->of};
}

static CakeAlias *find(const CakeAliases *aliases, const void *of) {
  uintptr_t number;
  return cake_map_get(&aliases->index, of, &number) ? &aliases->list.data[number] : NULL;
}

// ---- Finding -------------------------------------------------------------------------------------------------------

static void print_body(CakePrinter *printer, const CakeAliasKey *key) {
  if (key->kind == CAKE_ALIAS_TUPLE)
    cake_printer_type_body_of(printer, key->of);
  else if (key->kind == CAKE_ALIAS_LOC)
    cake_printer_loc_body(printer, loc_of(key));
  else
    cake_printer_attr_body_of(printer, key->of);
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

// Returns its number in the list.
static size_t collect(CakePrinter *printer, CakeAliasKey key) {
  CakeAliases *aliases = &printer->printed->aliases;
  uintptr_t number = aliases->list.len;
  uint32_t depth;
  if (cake_map_add(&aliases->index, key.of, number)) {
    CAKE_PUSH(&aliases->list, (CakeAlias){.key = key, .is_behind = aliases->is_behind});
    depth = look_inside(printer, &key);
    aliases->list.data[number].depth = depth;
  } else {
    cake_map_get(&aliases->index, key.of, &number);
    CakeAlias *alias = &aliases->list.data[number];
    depth = alias->depth;
    bool comes_first = alias->is_behind && !aliases->is_behind;
    alias->is_behind &= aliases->is_behind;
    if (comes_first) look_inside(printer, &key); // what is inside comes in front, too
  }
  if (aliases->depth < depth + 1) aliases->depth = depth + 1;
  return number;
}

// ---- Using ---------------------------------------------------------------------------------------------------------

static void print_name(CakeBuf *out, const CakeAlias *alias) {
  static const char *const names[] = {"!tuple", "#distinct", "#loc", "#map", "#set"};
  const char *name = names[alias->key.kind];
  cake_put(out, name, strlen(name));
  if (alias->number) cake_put_number(out, alias->number);
  cake_put_end(out);
}

static bool print_alias(CakePrinter *printer, CakeAliasKey key) {
  CakeAliases *aliases = &printer->printed->aliases;
  if (key.kind == CAKE_ALIAS_NONE || aliases->defined == key.of) return false;
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

static size_t collect_loc(CakePrinter *printer, CakeLoc loc, bool is_behind) {
  CakeAliases *aliases = &printer->printed->aliases;
  bool before = aliases->is_behind;
  aliases->is_behind = is_behind;
  size_t number = collect(printer, key_of_loc(loc));
  aliases->is_behind = before;
  return number;
}

void cake_printer_collect_loc(CakePrinter *printer, CakeLoc loc) {
  (void)collect_loc(printer, loc, false);
}

void cake_printer_collect_op_loc(CakePrinter *printer, CakeLoc loc) {
  size_t number = collect_loc(printer, loc, true);
  CAKE_PUSH(&printer->printed->aliases.of_ops, (uint32_t)number);
}

bool cake_printer_op_loc_alias(CakePrinter *printer, CakeLoc loc, size_t at) {
  const CakeAliases *aliases = &printer->printed->aliases;
  if (at >= aliases->of_ops.len) return false;
  const CakeAlias *alias = &aliases->list.data[aliases->of_ops.data[at]];
  if (alias->key.of != key_of_loc(loc).of) return false;
  print_name(printer->out, alias);
  return true;
}

// ---- The whole -----------------------------------------------------------------------------------------------------

// By depth, then by kind.
static size_t rank_of(const CakeAlias *alias) {
  return (size_t)alias->depth * CAKE_ALIAS_NONE + alias->key.kind;
}

// Sorts by rank, of which there are few; and numbers those of a kind.
static void number(CakeAliases *aliases) {
  size_t n_ranks = 1, count = aliases->list.len, sum = 0;
  uint32_t next[CAKE_ALIAS_NONE] = {0};
  for (size_t i = 0; i < count; i++)
    if (n_ranks <= rank_of(&aliases->list.data[i])) n_ranks = rank_of(&aliases->list.data[i]) + 1;
  size_t *begins = cake_mem_zeroed(n_ranks * sizeof *begins);
  for (size_t i = 0; i < count; i++)
    begins[rank_of(&aliases->list.data[i])]++;
  for (size_t i = 0; i < n_ranks; i++) {
    size_t of_rank = begins[i];
    begins[i] = sum;
    sum += of_rank;
  }
  aliases->sorted = cake_mem_resize(NULL, (count + 1) * sizeof *aliases->sorted);
  for (size_t i = 0; i < count; i++)
    aliases->sorted[begins[rank_of(&aliases->list.data[i])]++] = (uint32_t)i;
  cake_mem_free(begins);
  for (size_t i = 0; i < count; i++) {
    CakeAlias *alias = &aliases->list.data[aliases->sorted[i]];
    alias->number = next[alias->key.kind]++;
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
  scan.options.value_users = false;
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
    const CakeAlias *alias = &aliases->list.data[aliases->sorted[i]];
    if (alias->is_behind != is_behind) continue;
    print_name(printer->out, alias);
    cake_buf_text(printer->out, " = ");
    aliases->defined = alias->key.of;
    if (alias->key.kind == CAKE_ALIAS_LOC)
      cake_printer_loc_in_brackets(printer, loc_of(&alias->key));
    else
      print_body(printer, &alias->key);
    cake_buf_char(printer->out, '\n');
    aliases->defined = NULL;
    cake_printer_hand_over(printer);
  }
}

void cake_printer_aliases_fini(CakeAliases *aliases) {
  cake_map_fini(&aliases->index);
  CAKE_VEC_FINI(&aliases->list);
  CAKE_VEC_FINI(&aliases->of_ops);
  cake_mem_free(aliases->sorted);
}
