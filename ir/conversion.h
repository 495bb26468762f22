// What the files of dialect conversion share: the log of what was done, so that it can be undone. Private to ir/.
#ifndef CAKE_IR_CONVERSION_H
#define CAKE_IR_CONVERSION_H

#include "cake/conversion.h"
#include "core.h"

typedef enum LogKind {
  LOG_MADE,
  LOG_MADE_BLOCK,
  LOG_REPLACED,
  LOG_ERASED,
  LOG_ERASED_BLOCK,
  LOG_ATTR,
  LOG_MOVED,
  LOG_MOVED_BLOCK,
  LOG_ARG,
} LogKind;

typedef struct LogEntry {
  LogKind kind;
  bool is_cast;     // MADE: a conversion of types that nobody asked for
  CakeOp *op;       // MADE: NULL when it was erased again by the pattern that made it
  CakeOp *next;     // MOVED: where it stood: in front of it, or at the end of
  CakeBlock *block; //
  CakeId name;      // ATTR: which, and what it was
  CakeAttr attr;
  CakeRegion *from;      // MOVED_BLOCK: where `block` stood: in it, in front of `next_block`
  CakeBlock *next_block; //
  CakeValue *old;        // ARG of `block` (NULL: it goes as a whole)
  uint32_t count;        // ARG: new arguments that stand for it; MOVED_BLOCK: arguments that the block had
} LogEntry;

// A pattern with the op that it is about; NULL: any.
typedef struct RankedPattern {
  const CakeConversionPattern *pattern;
  const CakeOpInfo *root;
} RankedPattern;

struct CakeConversion {
  CakePassContext *pass;
  const CakeConversionOptions *options;
  CakeRewriter rewriter;
  CakeListener listener;
  CakeOp *root;
  CAKE_VEC(LogEntry) log;
  CAKE_VEC(RankedPattern) patterns; // the best first
  CakeMap rows;                     // op info → the target's row + 1; 1: none
  CakeMap made;                     // ops and blocks that were made → their place in the log
  CakeMap gone;                     // ops that were replaced or erased → 1
  CakeMap mapping;                  // value → what stands for it, or a list of that
  CakeGraves graves;                // what was erased; nothing goes while the conversion runs
  size_t attempt;                   // the length of the log when the pattern that runs was called
  bool is_internal;                 // the conversion itself changes something
  CakeOp *touched;                  // changed by a pattern without telling
  unsigned depth;
};

// From value to values (ir/conversion_values.c). What a value has become: one of `pass->scratch`'s lists of its own.
CakeValueList cake_conversion_lookup(const CakeConversion *conversion, CakeValue *value);
void cake_conversion_map(CakeConversion *conversion, CakeValue *value, CakeValueList to);
// The values as values of these types: themselves, or conversions of them where the rewriter stands.
CakeValueList cake_conversion_cast(CakeConversion *conversion, CakeValueList values, const CakeType *to, size_t n_to);
// Casts there and back are nothing, and those that nobody uses go.
void cake_conversion_clean_casts(CakeConversion *conversion);

bool cake_conversion_is_gone(const CakeConversion *conversion, const CakeOp *op); // or stands in an op that is
// Undoes everything behind the first `mark` entries.
void cake_conversion_undo(CakeConversion *conversion, size_t mark);
// Puts what was made in the place of what is gone.
void cake_conversion_commit(CakeConversion *conversion);

#endif
