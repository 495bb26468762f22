// Context: owns identifiers, types, attributes, locations, dialects and modules. One context belongs to one thread.
#ifndef CAKE_CONTEXT_H
#define CAKE_CONTEXT_H

#include "cake/base.h"

CAKE_BEGIN_C

typedef struct CakeContext CakeContext;
typedef struct CakeDialectDef CakeDialectDef;
typedef struct CakeOpInfo CakeOpInfo;

// An interned string: equality is `==`. Lives as long as its context. `text` is NUL-terminated but may hold any byte.
typedef struct CakeIdStorage {
  CakeOpInfo *op; // the operation of this name, once looked up
  const struct CakeAttrStorage *string, *symbol; // the string of this text, and the reference to the symbol of this name, once asked for
  size_t len;
  char text[];
} CakeIdStorage;
typedef CakeIdStorage *CakeId;

// A context with the builtin dialect.
CakeContext *cake_context_create(void);
// Gives back everything in it, modules included.
void cake_context_destroy(CakeContext *context);

CakeId cake_id(CakeContext *context, CakeStr text);
CakeId cake_id_text(CakeContext *context, const char *text);
static inline CakeStr cake_id_str(CakeId id) { return (CakeStr){id->text, id->len}; }

// Registering twice is harmless. `dialect` is constant data and must outlive the context.
void cake_context_register_dialect(CakeContext *context, const CakeDialectDef *dialect);
const CakeDialectDef *cake_context_find_dialect(const CakeContext *context, CakeStr name);
// Dialects in the order in which they were registered; NULL behind the last.
const CakeDialectDef *cake_context_dialect_at(const CakeContext *context, size_t index);

// Whether an op or a type of that dialect was ever made.
bool cake_context_uses_dialect(const CakeContext *context, const CakeDialectDef *dialect);

// Whether ops, types and attributes of dialects that are not registered are accepted (default: no).
void cake_context_allow_unregistered(CakeContext *context, bool allow);
bool cake_context_allows_unregistered(const CakeContext *context);

// Checks say what they looked at: each `cake_context_site` adds one to the count that was given last. NULL: nobody asks.
void cake_context_count_sites(CakeContext *context, size_t *count);
void cake_context_site(CakeContext *context);

// The arena in which uniqued things live. For storage that lives as long as the context.
CakeArena *cake_context_arena(CakeContext *context);
// The arena of ops, blocks and block arguments: `cake_arena_bytes` of it is what the IR takes.
CakeArena *cake_context_ir_arena(CakeContext *context);

CAKE_END_C
#endif
