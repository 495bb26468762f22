// Symbols: looking names up in symbol tables. The last few tables are kept as maps until a symbol may have changed.
#include "core.h"

CakeId cake_symbol_name(const CakeOp *op) {
  const CakeOpDef *def = op->info->def;
  if (def && !(def->traits & CAKE_TRAIT_SYMBOL) && !op->attrs) return NULL;
  CakeAttr name = cake_op_attr(op, op->context->id_sym_name);
  return cake_attr_is(name, &cake_attr_def_string) ? name->params[0].id : NULL;
}

void cake_symbol_caches_fini(CakeContext *context) {
  for (size_t i = 0; i < CAKE_SYMBOL_CACHE; i++)
    cake_map_fini(&context->symbol_caches[i].symbols);
}

// The first op of a name counts.
static void fill(CakeSymbolCache *cache, const CakeOp *table) {
  cake_map_empty(&cache->symbols);
  cache->has_repeats = false;
  cache->table = table;
  cache->version = table->context->symbol_version;
  for (uint32_t i = 0; i < table->n_regions; i++) {
    for (CakeBlock *block = cake_op_region(table, i)->first; block; block = block->next) {
      for (CakeOp *op = block->first; op; op = op->next) {
        CakeId name = cake_symbol_name(op);
        if (name && !cake_map_add(&cache->symbols, name, (uintptr_t)op)) cache->has_repeats = true;
      }
    }
  }
}

static CakeSymbolCache *cache_of(const CakeOp *table) {
  CakeContext *context = table->context;
  for (size_t i = 0; i < CAKE_SYMBOL_CACHE; i++) {
    CakeSymbolCache *cache = &context->symbol_caches[i];
    if (cache->table == table && cache->version == context->symbol_version) return cache;
  }
  CakeSymbolCache *cache = &context->symbol_caches[context->next_symbol_cache++ % CAKE_SYMBOL_CACHE];
  fill(cache, table);
  return cache;
}

bool cake_symbols_are_unique(const CakeOp *table) {
  return !cache_of(table)->has_repeats;
}

CakeOp *cake_symbol_lookup_in(const CakeOp *table, CakeId name) {
  uintptr_t op;
  return cake_map_get(&cache_of(table)->symbols, name, &op) ? (CakeOp *)op : NULL;
}

CakeOp *cake_symbol_table_of(const CakeOp *op) {
  while (op && !cake_op_has_trait(op, CAKE_TRAIT_SYMBOL_TABLE))
    op = cake_op_parent(op);
  return (CakeOp *)op;
}

CakeOp *cake_symbol_lookup_name(const CakeOp *from, CakeId name) {
  for (const CakeOp *table = cake_symbol_table_of(from); table; table = cake_symbol_table_of(cake_op_parent(table))) {
    CakeOp *found = cake_symbol_lookup_in(table, name);
    if (found) return found;
  }
  return NULL;
}

CakeOp *cake_symbol_lookup(const CakeOp *from, CakeAttr reference) {
  CakeId root = cake_attr_symbol_root(reference);
  CakeOp *found = root ? cake_symbol_lookup_name(from, root) : NULL;
  for (size_t i = 0; found && i < cake_attr_count(reference); i++) {
    if (!cake_op_has_trait(found, CAKE_TRAIT_SYMBOL_TABLE)) return NULL;
    found = cake_symbol_lookup_in(found, cake_attr_symbol_nested(reference, i));
  }
  return found;
}

// ---- Visibility ----------------------------------------------------------------------------------------------------

static bool is_symbol(const CakeOp *op) {
  return cake_op_has_trait(op, CAKE_TRAIT_SYMBOL) && cake_symbol_name(op);
}

static bool has_visibility(const CakeOp *op, const char *visibility) {
  return cake_str_is(cake_attr_string_value(cake_op_attr_text(op, "sym_visibility")), visibility);
}

static bool is_table_hidden(const CakeOp *table, const CakeOp *root) {
  for (; table; table = table == root ? NULL : cake_op_parent(table)) {
    if (table == root && !cake_op_parent(table)) return true;
    if (cake_op_has_trait(table, CAKE_TRAIT_SYMBOL_TABLE) && (!is_symbol(table) || has_visibility(table, "private")))
      return true;
  }
  return false;
}

bool cake_symbol_is_hidden(const CakeOp *symbol, const CakeOp *root) {
  if (!is_symbol(symbol)) return false;
  return has_visibility(symbol, "private") ||
         (has_visibility(symbol, "nested") && is_table_hidden(cake_op_parent(symbol), root));
}
