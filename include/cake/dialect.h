// Dialects and operation descriptors: an op is defined once, as data.
//
// A dialect's `.def` file holds one block of rows an op. It is expanded (cake/dialect_rows.h) into enumerators and constant tables;
// parser, printer, verifier, documentation and schema read the descriptors, never the rows. Ops defined at run time fill in the same struct.
#ifndef CAKE_DIALECT_H
#define CAKE_DIALECT_H

#include "cake/op.h"
#include "cake/rewriter.h"

CAKE_BEGIN_C

// ---- Constraints ---------------------------------------------------------------------------------------------------

// What a value's type must be. `name` is the words of the message: "operand #0 must be NAME, but got 'T'".
typedef struct CakeTypeConstraint {
  const char *name;
  bool (*test)(CakeType type);
} CakeTypeConstraint;

// What an attribute must be: "attribute 'x' failed to satisfy constraint: NAME".
typedef struct CakeAttrConstraint {
  const char *name;
  bool (*test)(CakeAttr attr);
} CakeAttrConstraint;

typedef enum CakeArity { CAKE_SINGLE, CAKE_OPTIONAL, CAKE_VARIADIC } CakeArity;

// What an op does with a linear operand (cake/dialect.h of the effect table; checked by the linear-value checker).
typedef enum CakeLinearUse {
  CAKE_LINEAR_USES_UP, // the default for operands of linear type
  CAKE_LINEAR_BORROWS,
} CakeLinearUse;

typedef struct CakeOperandDef {
  const char *name;
  const CakeTypeConstraint *constraint;
  const char *doc;
  CakeArity arity;
  CakeLinearUse linear;
} CakeOperandDef;

typedef struct CakeAttrRow {
  const char *name;
  const CakeAttrConstraint *constraint;
  const char *doc;
  bool optional;
  // For optional attributes printed only when they differ: text of the default ("0 : i64"); NULL when there is none.
  const char *default_text;
} CakeAttrRow;

typedef struct CakeResultDef {
  const char *name;
  const CakeTypeConstraint *constraint;
  const char *doc;
  CakeArity arity;
} CakeResultDef;

typedef struct CakeRegionDef {
  const char *name;
  const char *doc;
  CakeArity arity;   // VARIADIC: any number of regions
  bool single_block; // exactly one block (or none when `may_be_empty`)
  bool may_be_empty;
} CakeRegionDef;

// ---- Effects: the table that verifier, checker and simulator share ------------------------------------------------------

typedef enum CakeEffectKind { CAKE_EFFECT_READ, CAKE_EFFECT_WRITE, CAKE_EFFECT_ALLOC, CAKE_EFFECT_FREE, CAKE_EFFECT_SYNC } CakeEffectKind;
typedef enum CakeSpace { CAKE_SPACE_ANY, CAKE_SPACE_GLOBAL, CAKE_SPACE_SHARED, CAKE_SPACE_TMEM, CAKE_SPACE_REGISTERS } CakeSpace;
typedef enum CakeProxy { CAKE_PROXY_GENERIC, CAKE_PROXY_ASYNC } CakeProxy;

typedef struct CakeEffect {
  CakeEffectKind kind;
  CakeSpace space;
  CakeProxy proxy;
  const char *operand; // the operand group that names the memory; NULL: the op as a whole
  const char *when;    // "via=tma": only when that attribute prints so; NULL: always
  // A read (write) of all that the operand names: the result (operand) that holds it. NULL: of a part, or nothing is said.
  const char *value;
  const char *part;    // the attribute with which it is only a part after all; NULL: there is none
} CakeEffect;

// ---- Traits --------------------------------------------------------------------------------------------------------

typedef enum CakeTraits {
  CAKE_TRAIT_PURE = 1 << 0,          // no effects, may be erased, moved, merged
  CAKE_TRAIT_TERMINATOR = 1 << 1,
  CAKE_TRAIT_COMMUTATIVE = 1 << 2,
  CAKE_TRAIT_SAME_TYPE = 1 << 3,     // all operands and results have one type
  CAKE_TRAIT_SAME_OPERANDS = 1 << 4, // all operands have one type
  CAKE_TRAIT_ELEMENTWISE = 1 << 5,   // scalars, vectors and tensors of them, same shape (and encoding)
  CAKE_TRAIT_SYMBOL = 1 << 6,        // has sym_name
  CAKE_TRAIT_SYMBOL_TABLE = 1 << 7,  // its region's ops with sym_name are a scope
  CAKE_TRAIT_ISOLATED = 1 << 8,      // no value from above
  CAKE_TRAIT_NO_TERMINATOR = 1 << 9, // its blocks need no terminator
  CAKE_TRAIT_CONSTANT = 1 << 10,     // one result, equal to attribute `value`
  CAKE_TRAIT_GRAPH = 1 << 11,        // its regions are graph regions: no dominance inside
  CAKE_TRAIT_SEGMENTS = 1 << 12,     // more than one optional/variadic group: has `operandSegmentSizes`
  CAKE_TRAIT_CONVERGENT = 1 << 13,   // must not be made control-dependent on more values, nor duplicated
  CAKE_TRAIT_IMPLICIT_END = 1 << 14, // custom form leaves out an operand-less terminator of its region (`end` names it)
  CAKE_TRAIT_DEFAULT_DIALECT = 1 << 15, // directly inside, custom forms of its dialect are printed without the dialect's name (func.func: `return`)
  CAKE_TRAIT_CALLABLE = 1 << 16,    // calls run its first region: the arguments of its entry block are the call's operands
  CAKE_TRAIT_RETURN = 1 << 17,      // a terminator that leaves the callable: its operands become the call's results
} CakeTraits;

// How control flows through an op's regions: data for the linear checker, liveness, and generic passes.
typedef enum CakeFlowKind {
  CAKE_FLOW_NONE,    // regions are not executed by reaching the op (functions, modules), or unknown: treat as opaque
  CAKE_FLOW_ONCE,    // every region exactly once
  CAKE_FLOW_LOOP,    // region 0 zero or more times; `iter` operands → last block arguments; yields → next round or results
  CAKE_FLOW_BRANCH,  // exactly one region (an empty one counts as a no-op); its yields → results
  CAKE_FLOW_WHILE,   // scf.while: region 0 (before) then region 1 (after), repeatedly
} CakeFlowKind;

typedef struct CakeFlow {
  CakeFlowKind kind;
  const char *iter; // name of the operand group of loop-carried values
} CakeFlow;

// ---- Hooks ---------------------------------------------------------------------------------------------------------

typedef struct CakeAsmParser CakeAsmParser; // cake/asm.h
typedef struct CakeAsmPrinter CakeAsmPrinter;
typedef struct CakeQuick CakeQuick;

// What result-type inference sees; fill `types`/`n_types` (at most `capacity`). Called by the parser when the custom form leaves result types
// out, by builders, and by the verifier (which compares). Reports and returns false when the operands do not allow a result.
typedef struct CakeInference {
  CakeContext *context;
  CakeLoc loc;
  const CakeOpInfo *info;
  CakeValue *const *operands;
  size_t n_operands;
  const int32_t *group_sizes; // operand group sizes by row
  const CakeAttr *props;      // by row
  CakeOp *parent;             // the op that will be around it: symbols are looked up from here; may be NULL
  CakeType types[16];
  size_t n_types;
} CakeInference;

// Folding: either existing values or attributes, one a result.
typedef struct CakeFold {
  const CakeAttr *operands; // constant operands; NULL where not constant
  CakeValue *values[4];
  CakeAttr attrs[4]; // used where values[i] == NULL
} CakeFold;


struct CakeOpDef {
  const char *name; // without dialect: "load"
  const CakeDialectDef *dialect;
  uint32_t ordinal; // enumerator in its dialect; upper layers index their tables by it
  const char *summary;
  const char *description; // Markdown
  unsigned traits;         // CakeTraits
  CakeFlow flow;
  const char *assembly;    // custom form; see cake/asm.h for the language. NULL: generic form only (or parse/print hooks); with a `parse` hook: what stands behind that
  const char *end;         // name of the implicit terminator ("cake.end") with CAKE_TRAIT_IMPLICIT_END
  const char *parent;      // must stand directly in an op of this name ("cake.kernel"; several separated by '|'); NULL: anywhere
  const char *lies_in;     // the results lie in memory that this operand names, or, each in a part, this attribute (a symbol); NULL: nothing is said
  const char *callee;      // a call: the attribute that refers to the callable whose arguments and results its own are; NULL: no call
  const CakeOperandDef *operands;
  const CakeAttrRow *attrs;
  const CakeResultDef *results;
  const CakeRegionDef *regions;
  const CakeEffect *effects;
  uint16_t n_operands, n_attrs, n_results, n_regions, n_effects;
  uint16_t n_successors; // fixed number; UINT16_MAX: any
  // Hooks of this layer. All optional.
  bool (*verify)(CakeOp *op);         // after operands, attributes and results were checked against the rows
  bool (*verify_regions)(CakeOp *op); // after everything inside was verified
  bool (*infer)(CakeInference *inference);
  bool (*fold)(CakeOp *op, CakeFold *fold);                     // false: nothing to fold
  bool (*canonicalize)(CakeOp *op, CakeRewriter *rewriter);     // true: changed
  bool (*parse)(CakeAsmParser *parser);                         // hand-written custom form (only builtin, func, scf, cf)
  bool (*quick)(CakeQuick *quick);                              // the same from characters, up to the first region: cake/asm.h
  void (*print)(CakeAsmPrinter *printer, CakeOp *op);
  // True when values of these two ops may not be merged or moved although it is pure (never set for most).
  bool (*is_speculatable)(const CakeOp *op); // for pure ops that must not run where the program does not (division by 0); NULL: may run anywhere
  // A branch: the operands that successor `index` gets as its block's arguments. NULL: not known.
  CakeOperandRange (*successor_operands)(const CakeOp *op, uint32_t index);
  const char *successor_sizes; // the i32 array that says how many of them each successor but the first gets, where several share a group; NULL: none does
  // The successor, or of an op with the BRANCH flow the region, that is taken when the operands have these values (NULL: not constant); -1: not known.
  int (*chosen)(const CakeOp *op, const CakeAttr *operands);
  bool (*is_pure)(const CakeOp *op); // for ops whose purity depends on attributes; NULL: the trait says
};

// A directive of assembly formats that a dialect adds: `custom<name>($a, $b)`. See cake/asm.h.
typedef struct CakeAsmRef CakeAsmRef;
typedef struct CakeAsmDirective {
  const char *name;
  bool (*parse)(CakeAsmParser *parser, const CakeAsmRef *refs, size_t count);
  void (*print)(CakeAsmPrinter *printer, CakeOp *op, const CakeAsmRef *refs, size_t count);
  // Whether it prints something for this op: decides optional groups anchored on it. NULL: yes.
  bool (*is_present)(const CakeOp *op, const CakeAsmRef *refs, size_t count);
  // Reads from characters what has nothing unusual about it (cake/asm.h); false: `parse` has to read the op. NULL: it always has to.
  bool (*quick)(CakeQuick *quick, const CakeAsmRef *refs, size_t count);
} CakeAsmDirective;

// What the `where` of rewrites as text (cake/rewrites.h) can ask and compute. Those of a dialect are written `dialect.name(…)`.
typedef struct CakeRewriteArg {
  char kind; // v, t, a
  CakeLoc loc;
  CakeValue *value;
  CakeType type; // a value's, too
  CakeAttr attr;
  size_t count; // of values or types that it stands for: 1, but for a range
} CakeRewriteArg;
typedef struct CakeRewriteNative {
  const char *name;
  const char *kinds; // of its arguments, at most three, a letter each: v a value, t a type, x either, a an attribute, r a range of either
  const char *doc;
  // A range in the place of another letter is asked about value by value, and all must hold; of r only the count is known.
  // One of them: whether it holds; or the attribute that it computes (of the type of the first argument), NULL: none. When a rewrite is loaded they are
  // asked about usual types and numbers, whatever they are meant for.
  bool (*check)(const CakeRewriteArg *args);
  CakeAttr (*compute)(const CakeRewriteArg *args);
} CakeRewriteNative;

struct CakeDialectDef {
  const char *name;
  const char *summary;
  const CakeOpDef *ops;
  size_t n_ops;
  const CakeTypeDef *const *types;
  size_t n_types;
  const CakeAttrDef *const *attrs;
  size_t n_attrs;
  const CakeAsmDirective *directives;
  size_t n_directives;
  // Makes the op that materialises a folded constant; NULL when it cannot. Default: arith.constant where arith is registered.
  CakeOp *(*materialize)(CakeRewriter *rewriter, CakeAttr value, CakeType type);
  // The space of the memory that values of this type name: memory of two spaces is never the same. NULL: ANY for all.
  CakeSpace (*space)(CakeType type);
  const CakeRewriteNative *natives; // a NULL name behind the last; NULL: none
};

// Inherent attributes of an op of this kind: its rows, and behind them `operandSegmentSizes` (an i32 array) with the SEGMENTS trait.
static inline uint32_t cake_op_def_props(const CakeOpDef *def) {
  return def->n_attrs + ((def->traits & CAKE_TRAIT_SEGMENTS) ? 1U : 0U);
}
// Index of the group / attribute row of that name; -1 when there is none.
int cake_op_def_operand(const CakeOpDef *def, const char *name);
int cake_op_def_attr(const CakeOpDef *def, const char *name);
int cake_op_def_result(const CakeOpDef *def, const char *name);
// Sizes of the operand groups of an op (from operandSegmentSizes or by counting); false when they do not add up.
bool cake_op_group_sizes(const CakeOp *op, int32_t *out_sizes);
// What `successor_sizes` must say when operand `i` is `counts[i]` operands from now on; NULL: the op has no such attribute.
CakeAttr cake_op_successor_sizes(const CakeOp *op, const uint32_t *counts);
// Has no effects and may be erased when unused, moved and merged; ops with a linear operand or result never are.
bool cake_op_is_pure(const CakeOp *op);
// Is pure, and may be run where the program does not run it, with everything in it.
bool cake_op_is_speculatable(const CakeOp *op);
// Whether an effect is one of this op as it is: what `when` says.
bool cake_effect_holds(const CakeOp *op, const CakeEffect *effect);
static inline bool cake_op_has_trait(const CakeOp *op, unsigned trait) { return (op->info->traits & trait) != 0; }

// ---- Common constraints (ir/constraints.c) -------------------------------------------------------------------------------

extern const CakeTypeConstraint cake_any_type, cake_is_index, cake_is_i1, cake_is_i32, cake_is_i64, cake_is_integer, cake_is_signless_integer_or_index,
    cake_is_float, cake_is_f32, cake_is_integer_like, cake_is_float_like, cake_is_bool_like, cake_is_arith_value, cake_is_linear, cake_is_tensor,
    cake_is_vector, cake_is_scalar; // *_like: scalars, or vectors/tensors of them
extern const CakeAttrConstraint cake_attr_any, cake_attr_is_string, cake_attr_is_symbol_ref, cake_attr_is_i64, cake_attr_is_integer, cake_attr_is_float,
    cake_attr_is_unit, cake_attr_is_bool, cake_attr_is_type, cake_attr_is_array, cake_attr_is_dictionary, cake_attr_is_string_array, cake_attr_is_typed,
    cake_attr_is_i32_array, cake_attr_is_affine_map, cake_attr_is_affine_map_array;

extern const CakeDialectDef cake_dialect_builtin;

CAKE_END_C
#endif
