// Dialect conversion: ops that a target does not have become ops that it has, and types change with them.
//
// Nothing of the program is lost until all has gone well: patterns make new ops beside the old ones and say what replaces what; old ops
// go at the end. Where a pattern makes an op that cannot be converted in turn, what it did is undone and the next pattern is tried;
// where an op cannot be converted at all, everything is undone, and the error names the op and what was tried. A pattern that changes or
// erases what is there already is an error that names it; that is not undone.
#ifndef CAKE_CONVERSION_H
#define CAKE_CONVERSION_H

#include "cake/pattern.h"

CAKE_BEGIN_C

// ---- The target ----------------------------------------------------------------------------------------------------

typedef enum CakeLegality {
  CAKE_UNKNOWN, // converted where a pattern applies; an error in a full conversion where none does
  CAKE_LEGAL,
  CAKE_ILLEGAL, // must be converted
} CakeLegality;

// What a target says of an op, or of all ops of a dialect that no other row is about.
typedef struct CakeLegalityRow {
  const char *name;                // "arith.addi", or "arith" for the dialect
  CakeLegality legality;
  bool (*is_legal)(const CakeOp *op); // decides instead, op by op; NULL: `legality` does
} CakeLegalityRow;

typedef struct CakeConversionTarget {
  const CakeLegalityRow *rows; // a NULL name behind the last
} CakeConversionTarget;

// ---- Types ---------------------------------------------------------------------------------------------------------

// Several values, or none.
typedef struct CakeValueList {
  CakeValue *const *values;
  size_t count;
} CakeValueList;

typedef CAKE_VEC(CakeType) CakeTypeVec;

typedef struct CakeTypeConverter CakeTypeConverter;
struct CakeTypeConverter {
  // What the type becomes: itself when it may stay; NULL when it cannot be converted.
  CakeType (*convert)(const CakeTypeConverter *converter, CakeType type);
  // Makes a value of type `to` from one of another type, both ways between old and new. NULL, or NULL from it: a
  // builtin.unrealized_conversion_cast.
  CakeValue *(*materialize)(CakeRewriter *rewriter, CakeValue *value, CakeType to);
  // A type of which one value becomes several, or none: appends their types. False: `convert` says what it becomes. NULL: so it is for all.
  bool (*convert_many)(const CakeTypeConverter *converter, CakeType type, CakeTypeVec *out);
  // Makes `n_to` values of these types from `from`, where it is not one from one: both ways between old and new. NULL, or false from it: a
  // builtin.unrealized_conversion_cast.
  bool (*materialize_many)(CakeRewriter *rewriter, CakeValueList from, const CakeType *to, size_t n_to, CakeValue **out);
};
// Whether all types of an op's operands and results, and of its `function_type`, stay: for `is_legal`.
bool cake_type_converter_is_legal(const CakeTypeConverter *converter, const CakeOp *op);

// ---- Patterns ------------------------------------------------------------------------------------------------------

typedef struct CakeConversion CakeConversion;

typedef struct CakeConversionPattern CakeConversionPattern;
struct CakeConversionPattern {
  const char *name;
  const char *root;  // the op that it converts; NULL: any
  unsigned benefit;  // the highest is tried first, then the first
  // Converts `op`. `operands` are what its operands have become, of the types that the converter wants. New ops are made with
  // cake_conversion_rewriter, which stands before `op`; changes of what is there go through the calls below. False: does not apply.
  bool (*convert)(CakeConversion *conversion, CakeOp *op, CakeValue *const *operands);
  // The same for values that become several: a list an operand. NULL: the pattern does not apply where an operand has become another
  // number than one.
  bool (*convert_many)(CakeConversion *conversion, CakeOp *op, const CakeValueList *operands);
};

CakeRewriter *cake_conversion_rewriter(CakeConversion *conversion);
const CakeTypeConverter *cake_conversion_types(const CakeConversion *conversion); // NULL: types stay
// What the converter makes of a type; the type itself without a converter; NULL: it cannot be converted, or becomes another number than one.
CakeType cake_conversion_type(const CakeConversion *conversion, CakeType type);
// Appends what it makes of a type: one, several, or none. False: it cannot be converted.
CAKE_NODISCARD bool cake_conversion_add_types(const CakeConversion *conversion, CakeType type, CakeTypeVec *out);
// A function type of converted inputs and results; NULL: one cannot be converted.
CakeType cake_conversion_function_type(const CakeConversion *conversion, CakeType function);
// `values`, one a result, take the op's place; of other types than the results where the converter says so.
void cake_conversion_replace(CakeConversion *conversion, CakeOp *op, CakeValue *const *values);
// The same with a list a result.
void cake_conversion_replace_many(CakeConversion *conversion, CakeOp *op, const CakeValueList *lists);
void cake_conversion_erase(CakeConversion *conversion, CakeOp *op); // an op without results
// Makes an op of that name that takes the op's place: of all that its operands have become, with results of converted types, these attributes, and
// its regions as they are. NULL: a result's type cannot be converted, which was said.
CakeOp *cake_conversion_become(CakeConversion *conversion, CakeOp *op, const char *name, const CakeValueList *operands, const CakeNamedAttr *attrs,
                               size_t n_attrs);
void cake_conversion_set_attr(CakeConversion *conversion, CakeOp *op, CakeId name, CakeAttr value); // NULL removes
// Moves all blocks of a region of the op that is converted to the end of one of a new op. This, cake_rewriter_split_block, and whatever else
// moves ops and blocks through the rewriter is undone as all is.
void cake_conversion_take_region(CakeConversion *conversion, CakeRegion *target, CakeRegion *source);
// Gives the arguments of a block the types that the converter wants, and as many. False: one has none.
CAKE_NODISCARD bool cake_conversion_convert_args(CakeConversion *conversion, CakeBlock *block);
// The arguments of all blocks of a callable's first region, and its `function_type`. False: a type has none.
CAKE_NODISCARD bool cake_conversion_convert_signature(CakeConversion *conversion, CakeOp *callable);
// Moves all ops of `source` into `target`: in front of `before`, or to its end. `values` take the place of its arguments, as many as the converter
// makes of each; the block goes.
void cake_conversion_inline_block(CakeConversion *conversion, CakeBlock *source, CakeBlock *target, CakeOp *before, CakeValue *const *values);

// For any op whose types change: the same op on what its operands have become, with results and arguments of blocks of converted types, and of a
// callable the `function_type`. Calls, returns, branches, loops and functions need no other pattern; it is tried behind all others.
extern const CakeConversionPattern cake_conversion_retype;

// ---- Running -------------------------------------------------------------------------------------------------------

typedef struct CakeConversionOptions {
  const CakeConversionTarget *target;
  const CakeTypeConverter *types;                // NULL: types stay
  const CakeConversionPattern *const *patterns;  // NULL behind the last
  bool is_full; // every op must be legal in the end; otherwise only what the target calls illegal must be gone
} CakeConversionOptions;

// Converts what is under `root` (the root itself stays). False: reported, and the IR is as it was.
CAKE_NODISCARD bool cake_convert(CakePassContext *pass, CakeOp *root, const CakeConversionOptions *options);

CAKE_END_C
#endif
