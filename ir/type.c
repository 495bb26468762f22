// Types and attributes as uniqued lists of parameters, and substitution inside them.
//
// Both storages have one layout, so both share the code: an Entry is either.
#include "cake/affine.h"

#include "core.h"

#include <assert.h>
#include <string.h>

typedef struct Entry {
  const void *def;
  CakeContext *context;
  uint32_t id : 31;
  uint32_t may_alias : 1;
  uint32_t count;
  CakeParam params[];
} Entry;

static_assert(offsetof(Entry, params) == offsetof(struct CakeTypeStorage, params) &&
                  offsetof(Entry, params) == offsetof(struct CakeAttrStorage, params),
              "types and attributes are stored alike");

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ (hash >> 32);
}

static uint64_t hash_params(const void *def, const CakeParam *params, size_t count) {
  uint64_t hash = mix((uint64_t)(uintptr_t)def, count), other = count; // two that do not wait for one another
  size_t i = 0;
  for (; i + 1 < count; i += 2) {
    hash = mix(hash + params[i].kind, (uint64_t)params[i].i);
    other = mix(other + params[i + 1].kind, (uint64_t)params[i + 1].i);
  }
  if (i < count) other = mix(other + params[i].kind, (uint64_t)params[i].i);
  return mix(hash, other);
}

static bool same_params(const CakeParam *a, const CakeParam *b, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (a[i].kind != b[i].kind || a[i].i != b[i].i) return false;
  }
  return true;
}

static bool is_named(const void *def, size_t count) {
  return def == &cake_attr_def_affine_map || def == &cake_attr_def_affine_set || def == &cake_attr_def_distinct ||
         def == &cake_attr_def_location || (def == &cake_type_def_tuple && count > CAKE_LARGE_TUPLE);
}

static bool may_alias(const void *def, const CakeParam *params, size_t count) {
  bool may = is_named(def, count);
  for (size_t i = 0; i < count && !may; i++) {
    if (params[i].kind == CAKE_PARAM_TYPE && params[i].type) may = params[i].type->may_alias;
    if (params[i].kind == CAKE_PARAM_ATTR && params[i].attr) may = params[i].attr->may_alias;
  }
  return may;
}

static Entry *make(CakeContext *context, uint32_t *counter, const void *def, const CakeParam *params, size_t count) {
  Entry *entry = cake_arena_alloc(context->arena, sizeof *entry + count * sizeof *params);
  entry->def = def;
  entry->context = context;
  entry->id = (*counter)++ & (UINT32_MAX >> 1);
  entry->may_alias = may_alias(def, params, count);
  entry->count = (uint32_t)count;
  if (count) memcpy(entry->params, params, count * sizeof *params);
  return entry;
}

static Entry *get(CakeContext *context, CakeTable *table, uint32_t *counter, const void *def, const CakeParam *params,
                  size_t count) {
  uint64_t hash = hash_params(def, params, count);
  size_t at = hash;
  Entry *entry;
  while ((entry = cake_table_next(table, hash, &at)) != NULL) {
    if (entry->def == def && entry->count == count && same_params(entry->params, params, count)) return entry;
  }
  entry = make(context, counter, def, params, count);
  cake_table_add(table, hash, entry);
  return entry;
}

CakeType cake_type_get(CakeContext *context, const CakeTypeDef *def, const CakeParam *params, size_t count) {
  context->has_linear_types |= (def->traits & CAKE_TYPE_LINEAR) != 0;
  return (CakeType)get(context, &context->types, &context->n_types, def, params, count);
}

CakeAttr cake_attr_get(CakeContext *context, const CakeAttrDef *def, const CakeParam *params, size_t count) {
  return (CakeAttr)get(context, &context->attrs, &context->n_attrs, def, params, count);
}

CakeAttr cake_attr_make(CakeContext *context, const CakeAttrDef *def, CakeParam param) {
  return (CakeAttr)make(context, &context->n_attrs, def, &param, 1);
}

// ---- Substitution --------------------------------------------------------------------------------------------------

// Rewrites the parameters; NULL when none changed, else a new list (to be freed). Recursion is as deep as the type,
// which the parser limits.
static CakeParam *substitute_params(const CakeParam *params, size_t count, const CakeSubstitution *substitution) {
  CakeParam *changed = NULL;
  for (size_t i = 0; i < count; i++) {
    CakeParam param = params[i];
    if (param.kind == CAKE_PARAM_TYPE && param.type) param.type = cake_type_substitute(param.type, substitution);
    if (param.kind == CAKE_PARAM_ATTR && param.attr) param.attr = cake_attr_substitute(param.attr, substitution);
    if (!changed && param.i == params[i].i) continue;
    if (!changed) {
      changed = cake_mem_resize(NULL, count * sizeof *changed);
      memcpy(changed, params, count * sizeof *changed);
    }
    changed[i] = param;
  }
  return changed;
}

CakeType cake_type_substitute(CakeType type, const CakeSubstitution *substitution) {
  CakeParam *changed = substitute_params(type->params, type->count, substitution);
  if (changed) {
    type = cake_type_get(type->context, type->def, changed, type->count);
    cake_mem_free(changed);
  }
  return substitution->map_type ? substitution->map_type(substitution->user, type) : type;
}

CakeAttr cake_attr_substitute(CakeAttr attr, const CakeSubstitution *substitution) {
  CakeParam *changed = substitute_params(attr->params, attr->count, substitution);
  if (changed) {
    attr = cake_attr_get(attr->context, attr->def, changed, attr->count);
    cake_mem_free(changed);
  }
  return substitution->map_attr ? substitution->map_attr(substitution->user, attr) : attr;
}
