// What the files that print the text format share: printer_types.c, printer_attrs.c, printer_floats.c, printer_carried.c, printer_affine.c,
// printer_aliases.c, printer_names.c, printer_ops.c; custom forms: asm.h.
#ifndef CAKE_IR_PRINTER_H
#define CAKE_IR_PRINTER_H

#include "cake/asm.h"
#include "core.h"

#include <string.h>

// Where the numbering of a region ends: its nested regions go on from there.
typedef struct CakeNumbering {
  uint32_t next_value, next_arg;
  size_t first_used, end_used; // its names in the log
} CakeNumbering;

// A map from pointers whose hash keeps neighbours together: ops are numbered and printed in the order in which they lie
// in memory.
typedef struct CakeNameSlot {
  const void *key;
  uintptr_t word;
} CakeNameSlot;

typedef struct CakeNameTable {
  CakeNameSlot *slots;
  size_t capacity, len;
} CakeNameTable;

// Names of an isolated op that is being printed. Numbers of values stand in the IR: of results in the order of their op, of arguments in
// their block, when the block is of this scope. Names, and values of no region, stand in the table.
typedef struct CakePrintScope {
  CakeNameTable table;
  uint32_t number; // CakeBlock.print_scope
} CakePrintScope;

// A short text of a type that was printed lately: most types of a module are a few words.
typedef struct CakePrintedType {
  CakeType type;
  uint8_t len;
  char text[16];
} CakePrintedType;

enum { CAKE_PRINTED_TYPES = 32 };

struct CakePrinter {
  CakeBuf *out;
  CakeContext *context; // may be NULL for types and attributes
  CakePrintOptions options;
  unsigned indent, depth, attr_depth;
  // One for each isolated op around, the innermost last. Only the operands of such an op are looked up in the scope around.
  CAKE_VEC(CakePrintScope) scopes;
  size_t n_scopes; // in use; those behind are empty and kept for the next
  uint32_t scope;  // the number of the innermost one; UINT32_MAX: values have no numbers in it
  bool has_names; // of values: those of the text, or of locations
  bool is_numbered; // everything is, before it is printed
  // With names: the names that are taken, and in which order.
  CakeMap used;
  CAKE_VEC(CakeId) used_log;
  uint32_t next_value, next_arg, next_conflict;
  CAKE_VEC(CakeNumbering) numberings; // of the regions of the ops that are being printed
  size_t numberings_base;
  CAKE_VEC(uint32_t) predecessors; // of the block whose label is printed
  struct CakePrinted *printed; // what a whole print remembers; NULL for a type or attribute alone
  CakePrintedType types[CAKE_PRINTED_TYPES]; // by address
  size_t n_begun;              // ops, when their locations are printed
  unsigned held;               // > 0: somebody counts on what is in the buffer
};

// Hands text over when there is much.
static inline void cake_printer_hand_over(CakePrinter *printer) {
  if (printer->out->len >= printer->options.flush_at && printer->options.flush && !printer->held)
    printer->options.flush(printer->options.flush_user, printer->out);
}

// In the order in which they are defined: of types first, then by name.
typedef enum CakeAliasKind {
  CAKE_ALIAS_TUPLE,
  CAKE_ALIAS_DISTINCT,
  CAKE_ALIAS_LOC,
  CAKE_ALIAS_MAP,
  CAKE_ALIAS_SET,
  CAKE_ALIAS_NONE, // no alias is made for it
} CakeAliasKind;

// What an alias stands for: by its kind a type, a location (its word), or an attribute.
typedef struct CakeAliasKey {
  const void *of;
  CakeAliasKind kind;
} CakeAliasKey;

typedef struct CakeAlias {
  CakeAliasKey key;
  uint32_t depth, number;
  bool is_behind; // only locations of ops need it: it is defined behind the IR
} CakeAlias;

typedef struct CakeAliases {
  CAKE_VEC(CakeAlias) list; // in the order in which they are printed first
  uint32_t *sorted;         // numbers in the list, in the order of their definitions
  CAKE_VEC(uint32_t) of_ops; // likewise, those of the locations of ops, in the order in which ops begin
  CakeMap index; // CakeAliasKey.of → number in the list
  bool is_on, is_collecting;
  bool is_behind;      // while collecting: inside of an op's location
  uint32_t depth;      // while collecting: of what was met inside of what is being looked at
  const void *defined; // its definition is being printed
} CakeAliases;

// Distinct attributes are numbered, and resources listed behind the IR, in the order in which they are printed.
typedef struct CakePrinted {
  CakeMap distinct; // CakeAttr → number + 1
  uint32_t n_distinct;
  CakeMap seen; // resource key → 1
  CAKE_VEC(CakeId) resources;
  CakeAliases aliases;
} CakePrinted;

// printer_aliases.c
void cake_printer_find_aliases(CakePrinter *printer, CakeOp *op); // of everything that printing `op` will print
void cake_printer_aliases(CakePrinter *printer, bool is_behind);  // their definitions
void cake_printer_aliases_fini(CakeAliases *aliases);
void cake_printer_collect_loc(CakePrinter *printer, CakeLoc loc);   // of an argument
void cake_printer_collect_op_loc(CakePrinter *printer, CakeLoc loc);
// The alias of the location of op number `at`, if it is that; false: nothing was printed.
bool cake_printer_op_loc_alias(CakePrinter *printer, CakeLoc loc, size_t at);
// Prints the alias, if there is one. While aliases are looked for, nothing is printed.
bool cake_printer_attr_alias(CakePrinter *printer, CakeAttr attr);
bool cake_printer_type_alias(CakePrinter *printer, CakeType type);
bool cake_printer_loc_alias(CakePrinter *printer, CakeLoc loc);
static inline bool cake_printer_has_aliases(const CakePrinter *printer) {
  return printer->printed && printer->printed->aliases.is_on;
}
// Nothing is printed while aliases are looked for: what can have none is passed over.
static inline bool cake_printer_is_collecting(const CakePrinter *printer) {
  return printer->printed && printer->printed->aliases.is_collecting;
}
// Without an alias of its own.
void cake_printer_attr_body_of(CakePrinter *printer, CakeAttr attr);
void cake_printer_type_body_of(CakePrinter *printer, CakeType type);
void cake_printer_loc_body(CakePrinter *printer, CakeLoc loc);

typedef enum CakeElision { CAKE_TYPE_ALWAYS, CAKE_TYPE_MAY_ELIDE, CAKE_TYPE_ELIDE } CakeElision;

void cake_printer_attr_as(CakePrinter *printer, CakeAttr attr, CakeElision elision);
void cake_printer_opaque(CakeBuf *out, char sigil, CakeId dialect, CakeId body);
void cake_printer_float(CakeBuf *out, CakeType type, double value);
void cake_printer_dictionary(CakePrinter *printer, const CakeNamedAttr *entries, size_t count); // `{…}`
void cake_printer_loc(CakePrinter *printer, CakeLoc loc);                                       // inside loc(…)
void cake_printer_loc_in_brackets(CakePrinter *printer, CakeLoc loc);                           // with the brackets, and without alias
void cake_printer_type_results(CakePrinter *printer, const CakeOp *op);                         // `T`, `(T, U)`, `()`
void cake_printer_functional_type(CakePrinter *printer, const CakeOp *op);
void cake_printer_keyword_or_string(CakePrinter *printer, CakeStr text);
void cake_printer_fini(CakePrinter *printer);
// Closes and opens the brackets of nested lists in front of element `index` of a shaped type.
void cake_printer_brackets(CakeBuf *out, CakeType type, int64_t index);
void cake_printer_carried(CakePrinter *printer,
                          CakeAttr attr); // printer_carried.c: what parser_carried.c reads, and elements of text
void cake_printer_resources(CakePrinter *printer);     // `{-# … #-}` of the resources that were printed
void cake_printer_affine(CakeBuf *out, CakeAttr attr); // printer_affine.c: a map or set
// Whether a list of elements of that type is left out.
bool cake_printer_elides(const CakePrinter *printer, CakeType type);
// The elements of dense elements, without `dense<` and type; `allow_hex`: in hexadecimal when they are many.
void cake_printer_dense_body(CakePrinter *printer, CakeAttr attr, bool allow_hex);
// printer_names.c
void cake_printer_number_op(CakePrinter *printer, const CakeOp *op); // its results
void cake_printer_number_region(CakePrinter *printer, const CakeRegion *region, CakeNumbering *out);
void cake_printer_number_around(CakePrinter *printer, const CakeOp *op); // everything that is in sight of `op`
void cake_printer_number_inside(CakePrinter *printer, CakeOp *op); // everything in it, where ops are named that come later
void cake_printer_push_scope(CakePrinter *printer);
void cake_printer_pop_scope(CakePrinter *printer);
void cake_printer_enter_region(CakePrinter *printer, const CakeNumbering *numbering);
void cake_printer_forget_names(CakePrinter *printer, const CakeNumbering *numbering);
void cake_printer_value(CakePrinter *printer, const CakeValue *value);
void cake_printer_put_value(CakePrinter *printer, const CakeValue *value); // without a NUL behind it; see put.h
void cake_printer_result_names(CakePrinter *printer, const CakeOp *op); // `%0:2 = `
void cake_printer_op_number(CakePrinter *printer, const CakeOp *op); // of one without results, with `value_users`
void cake_printer_block(CakePrinter *printer, const CakeBlock *block);
// printer_users.c
void cake_printer_op_users(CakePrinter *printer, const CakeOp *op); // ` // users: %3, %4`
void cake_printer_arg_users(CakePrinter *printer, const CakeValue *arg);
// printer_ops.c
void cake_printer_op(CakePrinter *printer, CakeOp *op);
typedef struct CakeRegionStyle {
  bool args, terminator, empty_block;
} CakeRegionStyle;
void cake_printer_region(CakePrinter *printer, const CakeRegion *region, CakeRegionStyle style);
void cake_printer_trailing_loc(CakePrinter *printer, CakeLoc loc);
// Inherent attributes of an op by name; returns how many. `out` has room for all of its props.
bool cake_id_less(CakeId a, CakeId b); // by bytes
size_t cake_op_named_props(const CakeOp *op, uint64_t without_rows, CakeNamedAttr *out);
CakeBuf *cake_context_text(CakeContext *context); // the next buffer of the ring, empty

#endif
