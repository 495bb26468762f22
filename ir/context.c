// Contexts: identifiers, dialects, operation names, and the uniquing tables' growth.
#include "core.h"
#include "digits.h"

#include <assert.h>
#include <string.h>

// ---- Hash tables ---------------------------------------------------------------------------------------------------

static void insert(CakeTable *table, CakeTableSlot slot) {
  size_t at = slot.hash & (table->capacity - 1);
  while (table->slots[at].entry)
    at = (at + 1) & (table->capacity - 1);
  table->slots[at] = slot;
}

// Small ones grow in large steps: each step takes new pages and moves all entries.
static void table_grow(CakeTable *table) {
  enum { FIRST = 64, LARGE = 1 << 15 };
  size_t capacity = !table->capacity ? FIRST : table->capacity * (table->capacity < LARGE ? 4 : 2);
  CakeTable grown = {.capacity = capacity, .len = table->len};
  grown.slots = cake_mem_zeroed(grown.capacity * sizeof *grown.slots);
  for (size_t i = 0; i < table->capacity; i++)
    if (table->slots[i].entry) insert(&grown, table->slots[i]);
  cake_mem_free(table->slots);
  *table = grown;
}

void cake_table_add(CakeTable *table, uint64_t hash, void *entry) {
  if (3 * table->len >= 2 * table->capacity) table_grow(table);
  insert(table, (CakeTableSlot){hash, entry});
  table->len++;
}

// ---- Identifiers ---------------------------------------------------------------------------------------------------

static uint64_t hash_of(CakeStr text) {
  return cake_hash_bytes(text.ptr, text.len, 0);
}

static CakeId find_id(const CakeContext *context, CakeStr text, uint64_t hash) {
  size_t at = hash;
  CakeId id;
  while ((id = cake_table_next(&context->ids, hash, &at)) != NULL) {
    if (cake_str_equal(cake_id_str(id), text)) return id;
  }
  return NULL;
}

static void add_id(CakeContext *context, uint64_t hash, CakeId id) {
  context->has_long_ids |= id->len >= CAKE_LEAST_DIGITS;
  cake_table_add(&context->ids, hash, id);
}

CakeId cake_id(CakeContext *context, CakeStr text) {
  uint64_t hash = hash_of(text);
  CakeId id = find_id(context, text, hash);
  if (id) return id;
  id = cake_arena_alloc(context->arena, sizeof *id + text.len + 1);
  id->len = text.len;
  if (text.len) memcpy(id->text, text.ptr, text.len);
  add_id(context, hash, id);
  return id;
}

static size_t draft_size(size_t len) {
  return sizeof(CakeIdStorage) + len + CAKE_DRAFT_SLACK;
}

CakeId cake_id_draft(CakeContext *context, size_t len) {
  CakeId draft = cake_arena_take(context->arena, draft_size(len));
  draft->op = NULL;
  draft->len = len;
  return draft;
}

void cake_id_drop(CakeContext *context, CakeId draft) {
  cake_arena_free(context->arena, draft, draft_size(draft->len));
}

CakeId cake_id_settle(CakeContext *context, CakeId draft) {
  CakeStr text = cake_id_str(draft);
  uint64_t hash = hash_of(text);
  CakeId known = find_id(context, text, hash);
  if (known) {
    cake_id_drop(context, draft);
    return known;
  }
  draft->text[draft->len] = '\0';
  add_id(context, hash, draft);
  return draft;
}

CakeId cake_id_text(CakeContext *context, const char *text) {
  return cake_id(context, cake_str(text));
}

// ---- The context ---------------------------------------------------------------------------------------------------

static void make_common_things(CakeContext *context) {
  context->id_sym_name = cake_id_text(context, "sym_name");
  context->id_segments = cake_id_text(context, "operandSegmentSizes");
  context->id_value = cake_id_text(context, "value");
  context->id_constant = cake_id_text(context, "arith.constant");
  context->i1 = cake_type_integer(context, 1, CAKE_SIGNLESS);
  context->i32 = cake_type_integer(context, 32, CAKE_SIGNLESS);
  context->i64 = cake_type_integer(context, 64, CAKE_SIGNLESS);
  context->index = cake_type_get(context, &cake_type_def_index, NULL, 0);
  context->none = cake_type_get(context, &cake_type_def_none, NULL, 0);
  for (int kind = 0; kind < CAKE_FLOAT_COUNT; kind++) {
    CakeParam param = cake_param_int(kind);
    context->floats[kind] = cake_type_get(context, &cake_type_def_float, &param, 1);
  }
  context->unit = cake_attr_get(context, &cake_attr_def_unit, NULL, 0);
}

CakeContext *cake_context_create(void) {
  CakeContext *context = cake_mem_zeroed(sizeof *context);
  context->arena = cake_arena_create();
  context->ir = cake_arena_create();
  context->blocks = cake_arena_create();
  context->diagnostics = cake_arena_create();
  context->symbol_version = 1;
  make_common_things(context);
  cake_context_register_dialect(context, &cake_dialect_builtin);
  return context;
}

void cake_context_destroy(CakeContext *context) {
  if (!context) return;
  for (size_t i = 0; i < context->sources.len; i++)
    cake_mem_free(context->sources.data[i].line_starts);
  for (size_t i = 0; i < CAKE_TEXT_RING; i++)
    cake_buf_fini(&context->text_ring[i]);
  cake_symbol_caches_fini(context);
  cake_pattern_sets_fini(context);
  cake_counters_fini(context);
  CAKE_VEC_FINI(&context->observers);
  cake_map_fini(&context->resources);
  CAKE_VEC_FINI(&context->sources);
  cake_buf_fini(&context->value_names);
  CAKE_VEC_FINI(&context->files);
  CAKE_VEC_FINI(&context->dialects);
  cake_mem_free(context->ids.slots);
  cake_mem_free(context->digits.slots);
  cake_mem_free(context->types.slots);
  cake_mem_free(context->attrs.slots);
  cake_arena_destroy(context->diagnostics);
  cake_arena_destroy(context->blocks);
  cake_arena_destroy(context->ir);
  cake_arena_destroy(context->arena);
  cake_mem_free(context);
}

CakeArena *cake_context_arena(CakeContext *context) {
  return context->arena;
}

CakeArena *cake_context_ir_arena(CakeContext *context) {
  return context->ir;
}

void cake_context_allow_unregistered(CakeContext *context, bool allow) {
  context->allow_unregistered = allow;
}

bool cake_context_allows_unregistered(const CakeContext *context) {
  return context->allow_unregistered;
}

// ---- Dialects and operation names ----------------------------------------------------------------------------------

const CakeDialectDef *cake_context_find_dialect(const CakeContext *context, CakeStr name) {
  for (size_t i = 0; i < context->dialects.len; i++) {
    if (cake_str_is(name, context->dialects.data[i]->name)) return context->dialects.data[i];
  }
  return NULL;
}

const CakeDialectDef *cake_context_dialect_at(const CakeContext *context, size_t index) {
  return index < context->dialects.len ? context->dialects.data[index] : NULL;
}

void cake_context_count_sites(CakeContext *context, size_t *count) {
  context->sites = count;
}

void cake_context_site(CakeContext *context) {
  if (context->sites) ++*context->sites;
}

bool cake_context_uses_dialect(const CakeContext *context, const CakeDialectDef *dialect) {
  for (const CakeOpInfoStorage *info = context->infos; info; info = info->next) {
    if (info->is_used && info->info.dialect == dialect) return true;
  }
  for (size_t i = 0; i < context->types.capacity; i++) {
    CakeType type = context->types.slots[i].entry;
    if (type && type->def->dialect == dialect) return true;
  }
  return false;
}

static void name_rows(CakeContext *context, CakeOpInfoStorage *info) {
  const CakeOpDef *def = info->info.def;
  if (!def) return;
  info->info.traits = def->traits;
  info->has_plain_operands = !(def->traits & CAKE_TRAIT_SEGMENTS);
  for (uint32_t i = 0; i < def->n_operands; i++)
    info->has_plain_operands &= def->operands[i].arity == CAKE_SINGLE;
  info->has_plain_results = true;
  for (uint32_t i = 0; i < def->n_results; i++)
    info->has_plain_results &= def->results[i].arity == CAKE_SINGLE;
  info->n_rows = info->info.n_props = cake_op_def_props(def);
  info->row_names = CAKE_ARENA_ARRAY(context->arena, CakeId, info->n_rows);
  for (uint32_t i = 0; i < def->n_attrs; i++)
    info->row_names[i] = cake_id_text(context, def->attrs[i].name);
  if (info->n_rows > def->n_attrs) info->row_names[def->n_attrs] = context->id_segments;
  if (def->traits & CAKE_TRAIT_CONSTANT)
    info->value_row = (uint32_t)(cake_op_info_row(&info->info, context->id_value) + 1);
}

// Looks the name up in the registered dialects.
static void resolve(CakeContext *context, CakeOpInfoStorage *info) {
  CakeStr name = cake_id_str(info->info.name);
  const char *dot = memchr(name.ptr, '.', name.len);
  if (!dot) return;
  size_t prefix = (size_t)(dot - name.ptr);
  const CakeDialectDef *dialect = cake_context_find_dialect(context, (CakeStr){name.ptr, prefix});
  if (!dialect) return;
  info->info.dialect = dialect;
  CakeStr rest = {dot + 1, name.len - prefix - 1};
  for (size_t i = 0; i < dialect->n_ops; i++) {
    if (!cake_str_is(rest, dialect->ops[i].name)) continue;
    info->info.def = &dialect->ops[i];
    name_rows(context, info);
    return;
  }
}

CakeOpInfo *cake_op_info(CakeContext *context, CakeId name) {
  if (name->op) return name->op;
  CakeOpInfoStorage *info = CAKE_ARENA_NEW(context->arena, CakeOpInfoStorage);
  info->info.name = name;
  info->info.id = context->n_infos++;
  info->info.n_props = 1;               // until it is known
  info->n_signed_operands = UINT32_MAX; // nothing was verified
  info->next = context->infos;
  context->infos = info;
  resolve(context, info);
  name->op = &info->info;
  return name->op;
}

void cake_context_register_dialect(CakeContext *context, const CakeDialectDef *dialect) {
  if (cake_context_find_dialect(context, cake_str(dialect->name))) return;
  CAKE_PUSH(&context->dialects, dialect);
  // Names that were met before; ops made under them keep their layout, so those names stay unregistered.
  for (CakeOpInfoStorage *info = context->infos; info; info = info->next) {
    if (!info->info.dialect && !info->is_used) resolve(context, info);
  }
}

int cake_op_info_row(const CakeOpInfo *info, CakeId name) {
  const CakeOpInfoStorage *storage = (const CakeOpInfoStorage *)info;
  for (uint32_t i = 0; i < storage->n_rows; i++) {
    if (storage->row_names[i] == name) return (int)i;
  }
  return -1;
}
