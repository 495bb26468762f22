// What the files of ir/ share and nobody else sees: the context's insides and a few helpers of the core.
#ifndef CAKE_IR_CORE_H
#define CAKE_IR_CORE_H

#include "cake/dialect.h"
#include "cake/pattern.h"
#include "cake/symbol.h"
#include "cake/verify.h"

#include <string.h>

#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
#define CAKE_LITTLE_ENDIAN 0
#else
#define CAKE_LITTLE_ENDIAN 1
#endif

// ---- Memory (ir/arena.c) ----------------------------------------------------------------------------------------------

// realloc that never fails. The bytes behind the old size are not zeroed.
void *cake_mem_resize(void *memory, size_t size);
// More memory with the `used` bytes that were there; *size is what was asked for, and becomes what there is.
void *cake_mem_grow(void *memory, size_t used, size_t *size);
void *cake_mem_zeroed(size_t size);
// Memory of an arena with anything in it.
void *cake_arena_take(CakeArena *arena, size_t size);
// Gives the memory of a mapped file between these places back; it is read again when it is looked at (ir/file.c).
void cake_mapped_release(const char *from, const char *to);

// ---- Hashes -----------------------------------------------------------------------------------------------------------

// What cake_hash_bytes says of many bytes (CAKE_HASH_LONG or more) which come in pieces: each but the last is whole blocks.
enum { CAKE_HASH_BLOCK = 256, CAKE_HASH_LONG = 512, CAKE_HASH_LANES = CAKE_HASH_BLOCK / 4 };
typedef struct CakeHash {
  uint64_t begin;
  uint32_t lanes[CAKE_HASH_LANES];
} CakeHash;
void cake_hash_begin(CakeHash *hash, size_t len, uint64_t seed);
void cake_hash_add(CakeHash *hash, const char *bytes, size_t len);
uint64_t cake_hash_end(CakeHash *hash, const char *bytes, size_t len);

// ---- Context ----------------------------------------------------------------------------------------------------------

enum { CAKE_LARGE_TUPLE = 16 }; // with more types it is printed by an alias
enum { CAKE_TEXT_RING = 16, CAKE_SYMBOL_CACHE = 4, CAKE_SIGNATURE = 8, CAKE_RECENT_NAMES = 256 };

// A hash table of pointers: open addressing with linear probing. Hashes are kept beside the entries, so that neither growing nor most
// misses look at an entry.
typedef struct CakeTableSlot {
  uint64_t hash;
  void *entry; // NULL: free
} CakeTableSlot;

typedef struct CakeTable {
  CakeTableSlot *slots;
  size_t capacity, len; // capacity is a power of two
} CakeTable;

// A source file's text, with the offsets of its lines once somebody asked for one.
typedef struct CakeSource {
  CakeId file;
  CakeStr text;
  size_t *line_starts;
  size_t n_lines, lines_capacity;
} CakeSource;

// The symbols of one table, valid while `version` is the context's.
typedef struct CakeSymbolCache {
  const CakeOp *table;
  uint64_t version;
  CakeMap symbols; // CakeId → CakeOp *
  bool has_repeats; // two ops have one name
} CakeSymbolCache;

// An op's name with what the core remembers about it beside the public part.
// Rows of the attributes of callables and calls (cake/callable.h); -1: there is none of that name.
typedef struct CakeCallableRows {
  bool is_known; // they were looked up
  int name, type, visibility, arg_attrs, result_attrs, callee;
} CakeCallableRows;

typedef struct CakeOpInfoStorage {
  CakeOpInfo info; // first: a CakeOpInfo * is a CakeOpInfoStorage *
  struct CakeOpInfoStorage *next;
  bool is_used;                               // an op of this name was made: its layout is fixed
  bool has_plain_operands, has_plain_results; // every row is one value
  uint32_t n_rows;                            // inherent attributes
  CakeId *row_names;                          // their names
  uint32_t value_row;                         // a constant's value among them, from 1; 0: it is no constant
  // Types of the operands and results, then inherent attributes, with which the last op of this name was found to be fine.
  const void *signature[CAKE_SIGNATURE];
  uint32_t n_signed_operands, n_signed_results; // of them
  const CakeOpInfo *last_parent;                // of the last op around one of this name that `parent` allows
  struct CakeAsmFormat *format;                 // compiled, in the context's arena; NULL: not yet asked for
  CakeCallableRows callable;
} CakeOpInfoStorage;

const CakeCallableRows *cake_callable_rows(const CakeOpInfo *info); // callable.c; of a registered op
// The attribute of a row; NULL: it is not set, or there is no such row (-1).
static inline CakeAttr cake_callable_attr(const CakeOp *op, int row) { return row < 0 ? NULL : cake_op_prop(op, (size_t)row); }

struct CakeContext {
  CakeArena *arena;       // uniqued things
  CakeArena *ir;          // ops
  CakeArena *blocks;      // blocks and their arguments, side by side: walks from block to block meet them in the order of memory
  CakeArena *diagnostics; // emptied when none is being built
  CakeTable ids, types, attrs, digits;
  bool has_long_ids; // some may be the bytes of elements that stay digits elsewhere
  uint32_t n_types, n_attrs, n_infos;
  CakeOpInfoStorage *infos;
  CAKE_VEC(const CakeDialectDef *) dialects;
  bool allow_unregistered;
  bool has_linear_types; // one was made
  size_t *sites; // what checks count in that looked at something; NULL: nobody asks

  CakeBuf value_names;    // each with a NUL behind it
  uint32_t recent_names[CAKE_RECENT_NAMES]; // places in value_names; 0: none
  CAKE_VEC(CakeId) files; // of packed locations
  CakeId last_file;       // the file of `last_file_index`: consecutive locations are of one file
  uint32_t last_file_index;
  CAKE_VEC(CakeSource) sources;

  CakeDiagnosticFn handler;
  void *handler_user;
  size_t n_errors, n_open_diagnostics;
  bool shows_ops; // errors of ops have a note with the op

  CakeSymbolCache symbol_caches[CAKE_SYMBOL_CACHE];
  uint32_t next_symbol_cache;
  uint64_t symbol_version; // changes with every change that may add, remove or rename a symbol

  // Names and types that are asked for all the time.
  CakeId id_sym_name, id_segments, id_value, id_constant;
  CakeType i1, i32, i64, index, none, floats[CAKE_FLOAT_COUNT];
  CakeAttr unit;
  CakeType last_function; // that was asked for; likewise the attribute of a type. Signatures of a module are often the same
  CakeAttr last_type;
  uint32_t last_visit;   // number of the last walk over blocks
  CakeAttr summed; // the array whose first `n_summed` values were added up last; NULL: none
  size_t n_summed;
  int64_t sum;
  int64_t next_distinct; // number of the next distinct attribute
  bool may_alias; // there is an attribute or type that is printed by an alias
  CAKE_VEC(CakePatternSet *) pattern_sets;
  CakePatternSet *canonical; // patterns that run as part of canonicalize; NULL: none
  CAKE_VEC(const struct CakeActionObserver *) observers; // of actions
  struct CakeCounters *counters; // NULL: nothing is counted
  uint32_t n_print_scopes;   // numbers of scopes of printed names that were given out
  CakeMap resources;         // key (CakeId) → its blob in hexadecimal (CakeId)

  CakeBuf text_ring[CAKE_TEXT_RING]; // cake_type_text and its like
  uint32_t next_text;
};

// An attribute that is in no table: who makes it sees to it that it is unique.
CakeAttr cake_attr_make(CakeContext *context, const CakeAttrDef *def, CakeParam param);
void cake_table_add(CakeTable *table, uint64_t hash, void *entry);
// An identifier whose text is written where it stays, so that a long one need not be copied: `len` bytes with anything in them, and a few behind
// them that may be written, too. In the end it is settled, which gives the identifier of that text (an older one, if there is one), or dropped.
enum { CAKE_DRAFT_SLACK = 32 };
CakeId cake_id_draft(CakeContext *context, size_t len);
CakeId cake_id_settle(CakeContext *context, CakeId draft);
void cake_id_drop(CakeContext *context, CakeId draft);
// Dense elements of the bytes of an identifier, or of digits.
CakeAttr cake_attr_dense_elements_of(CakeType shaped, CakeParam bytes, bool splat);
typedef struct CakeDigits CakeDigits; // digits.h

// The next entry of that hash, from *at on, which is the hash itself for the first; NULL: there is none.
static inline void *cake_table_next(const CakeTable *table, uint64_t hash, size_t *at) {
  if (!table->capacity) return NULL;
  for (;;) {
    const CakeTableSlot *slot = &table->slots[(*at)++ & (table->capacity - 1)];
    if (!slot->entry || slot->hash == hash) return slot->entry;
  }
}

// Nothing is known, and no type is inferred; who infers fills `types`, which is not cleared.
static inline void cake_inference_begin(CakeInference *inference) {
  memset(inference, 0, offsetof(CakeInference, types));
  inference->n_types = 0;
}

// Bits of the numbers of index, or of an integer type; 0: it is neither.
static inline uint32_t cake_integer_width(CakeType type) {
  if (cake_type_is(type, &cake_type_def_index)) return 64;
  return cake_type_is(type, &cake_type_def_integer) ? (uint32_t)type->params[0].i : 0;
}
// Index counts as signed.
static inline CakeSign cake_integer_sign(CakeType type) {
  return cake_type_is(type, &cake_type_def_integer) ? (CakeSign)type->params[1].i : CAKE_SIGNED;
}

// Parameters of a type or attribute that is being made; few of them need no memory.
enum { CAKE_FEW_PARAMS = 24 };
typedef struct CakeParams {
  CakeParam *data;
  size_t len;
  CakeParam few[CAKE_FEW_PARAMS];
} CakeParams;
// For at most `count` of them.
static inline void cake_params_begin(CakeParams *params, size_t count) {
  params->data = count <= CAKE_FEW_PARAMS ? params->few : cake_mem_resize(NULL, count * sizeof *params->data);
  params->len = 0;
}
static inline void cake_params_add(CakeParams *params, CakeParam param) { params->data[params->len++] = param; }
static inline void cake_params_fini(CakeParams *params) {
  if (params->data != params->few) cake_mem_free(params->data);
}

// Row number of an inherent attribute of this op; -1 when there is none (unregistered ops have no rows).
int cake_op_info_row(const CakeOpInfo *info, CakeId name);
// What `cake_value_constant` says: the value of the constant op that defines this one; NULL: it is no constant.
static inline CakeAttr cake_constant_of(const CakeValue *value) {
  if (value->is_argument) return NULL;
  const CakeOp *op = cake_result_owner(value);
  uint32_t row = ((const CakeOpInfoStorage *)op->info)->value_row;
  return row ? cake_op_prop(op, row - 1) : NULL;
}
// A dictionary with `name` set to `value` (NULL: removed); NULL when nothing is left. `dictionary` may be NULL.
CakeAttr cake_attr_dictionary_with(CakeContext *context, CakeAttr dictionary, CakeId name, CakeAttr value);
// Fills `sizes[0 .. n)` for operands counted without an op; false when they do not add up. `segments` may be NULL.
bool cake_def_group_sizes(const CakeOpDef *def, size_t n_operands, CakeAttr segments, int32_t *sizes);
bool cake_def_result_sizes(const CakeOpDef *def, size_t n_results, int32_t *sizes);
// Groups of one op that the core can count; more is refused when a dialect is registered.
enum { CAKE_MAX_GROUPS = 64 };

// The first op in the regions from number `from` on; NULL when they hold none.
CakeOp *cake_op_first_inside(const CakeOp *op, uint32_t from);
// The op behind everything of `op` among what is inside op's parent; NULL at the end.
CakeOp *cake_op_next_inside_parent(const CakeOp *op);
// Clears the operands and successors of an op and of all ops inside.
void cake_op_drop_references(CakeOp *op);
// Ops that a rewrite has erased: empty, out of their blocks, and marked, so that the rewriter knows them again.
struct CakeGraves {
  CAKE_VEC(CakeOp *) ops;
};
// What `cake_op_destroy` does, but the op itself stays, and `cake_op_is_buried` from now on.
void cake_op_bury(CakeOp *op, CakeGraves *graves);
static inline bool cake_op_is_buried(const CakeOp *op) {
  return !op->context;
}
// Frees what was buried.
void cake_graves_clear(CakeGraves *graves, CakeContext *context);
// The name that the value had in the text, without an identifier for it; empty: none.
static inline CakeStr cake_value_name_text(const CakeValue *value) {
  return value->name ? cake_str(value->type->context->value_names.data + value->name) : (CakeStr){"", 0};
}
// What `cake_value_set_name` does; `word` is the bytes of a name that fits (0: it does not).
void cake_value_set_name_word(CakeValue *value, CakeStr name, uint64_t word);
// Replaces the operand list (uses are relinked).
void cake_op_set_operands(CakeOp *op, CakeValue *const *values, size_t count);
void cake_block_remove_arg(CakeBlock *block, uint32_t index);
// Sets the `order` of a region's blocks to their positions, which stay true while no block comes or goes; returns how many there are.
uint32_t cake_region_number_blocks(const CakeRegion *region);
// The two halves of erasing a block: the listener hears of it and of all in it; it goes.
void cake_rewriter_tell_erased(CakeRewriter *rewriter, CakeBlock *block);
void cake_rewriter_drop_block(CakeRewriter *rewriter, CakeBlock *block);
// Tells the branch that, beside `except` (may be NULL), is the only way into the block as modified, if there is one.
void cake_rewriter_tell_only_way(CakeRewriter *rewriter, const CakeBlock *block, const CakeOp *except);
// Puts the ops of a block of a graph region that depend on themselves, and those that depend on these, into the set `out`.
void cake_block_find_cyclic(CakeBlock *block, CakeMap *out);
// Packed locations: bit 0 is set; file number, line, column above it.
enum { CAKE_LOC_FILE_BITS = 15, CAKE_LOC_LINE_BITS = 24, CAKE_LOC_COLUMN_BITS = 24 };
static inline bool cake_loc_can_pack(uint32_t file, uint32_t line, uint32_t column) {
  return !(file >> CAKE_LOC_FILE_BITS | line >> CAKE_LOC_LINE_BITS | column >> CAKE_LOC_COLUMN_BITS);
}
static inline CakeLoc cake_loc_pack(uint32_t file, uint32_t line, uint32_t column) {
  uint64_t bits =
      (uint64_t)file << (CAKE_LOC_LINE_BITS + CAKE_LOC_COLUMN_BITS) | (uint64_t)line << CAKE_LOC_COLUMN_BITS | column;
  return (CakeLoc){bits << 1 | 1};
}
// The number of a file; too large to be packed when there are too many.
uint32_t cake_loc_file_number(CakeContext *context, CakeId file);
// Whether no two ops directly in the table have one name.
bool cake_symbols_are_unique(const CakeOp *table);
// To be called when an op's `sym_name` may have changed.
static inline void cake_symbols_changed(CakeOp *op) {
  if (!op->info->def || (op->info->traits & CAKE_TRAIT_SYMBOL) || op->attrs) op->context->symbol_version++;
}
void cake_symbol_caches_fini(CakeContext *context);
void cake_pattern_sets_fini(CakeContext *context);
typedef struct CakeCounters CakeCounters;
void cake_counters_fini(CakeContext *context);

// Limits of what is read and printed.
enum {
  CAKE_MAX_REGION_DEPTH = 1000,    // regions inside one another in a text
  CAKE_MAX_ATTR_DEPTH = 200,       // types and attributes inside one another
  CAKE_MAX_ALIAS_WEIGHT = 1 << 20, // types and attributes that one alias stands for
  CAKE_MAX_WEIGHT = 1 << 27,       // that a text stands for
  CAKE_MAX_DIGITS = 20000,         // of an integer literal
  CAKE_MAX_PRINT_DEPTH = 3000,     // regions inside one another that are printed
};

// The value of a hexadecimal digit; -1 when it is none.
int cake_hex_value(char c);
// Decodes one UTF-8 sequence; returns its length, or 0 when the bytes are none.
size_t cake_utf8_length(const char *bytes, size_t len);
// Appends text with invalid bytes and control characters (but tab and newline) as U+FFFD.
void cake_buf_safe(CakeBuf *buf, CakeStr text);

// Variables of rewrites (ir/rewrite.h): in patterns alone. Parameters: name, number; of attributes also the type, or NULL.
extern const CakeTypeDef cake_type_def_variable;
extern const CakeAttrDef cake_attr_def_variable;

// Whether a type (attribute) is what a row wants; also for constraints of dialects in text, which have no function
// (ir/dialect_constraints.c).
bool cake_type_satisfies(const CakeTypeConstraint *constraint, CakeType type);
bool cake_attr_satisfies(const CakeAttrConstraint *constraint, CakeAttr attr);

// Whether the op has the types and inherent attributes of the last one of its name that was verified and fine.
bool cake_op_is_known(const CakeOp *op);
// Checks of one op (ir/verify_op.c, ir/verify_traits.c); true: fine. `is_known`: what follows from types and inherent
// attributes was found to be fine before.
bool cake_verify_rows(CakeOp *op, bool is_known);
bool cake_verify_traits(CakeOp *op, bool is_known);
bool cake_verify_regions_of(CakeOp *op);
bool cake_verify_symbol_table(CakeOp *op);
// Whether the op's operands are seen to be in sight of it without a dominator tree. `entry`: the first block of the isolated op around,
// which has one region; NULL: not known.
bool cake_op_uses_are_clear(const CakeOp *op, const CakeBlock *entry);
// Uses of values by ops under `root`: dominance and isolation. Reports in the order of the ops.
bool cake_verify_uses(CakeOp *root, CakeOp *const *ops, size_t count);
// Whether order does not matter in the regions of this op.
bool cake_op_has_graph_regions(const CakeOp *op);

#endif
