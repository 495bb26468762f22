// What the files of dialect conversion share: the log of what was done, so that it can be undone. Private to ir/.
#ifndef CAKE_IR_CONVERSION_H
#define CAKE_IR_CONVERSION_H

#include "cake/conversion.h"
#include "core.h"

typedef enum LogKind { LOG_MADE, LOG_REPLACED, LOG_ERASED, LOG_ATTR, LOG_REGION, LOG_ARG } LogKind;

typedef struct LogEntry {
  LogKind kind;
  bool is_cast; // MADE: a conversion of types that nobody asked for
  CakeOp *op;   // NULL: erased again by the pattern that made it
  CakeId name;  // ATTR: which, and what it was
  CakeAttr attr;
  CakeRegion *from, *to; // REGION: where the blocks from `first` on came from and are
  CakeBlock *first;
  CakeBlock *block; // ARG: the old argument, and the new one that stands for it
  CakeValue *old, *new_arg;
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
  CakeMap made;                     // ops that were made → their place in the log
  CakeMap gone;                     // ops that were replaced or erased → 1
  CakeMap mapping;                  // value → what stands for it
  bool is_internal;                 // the conversion itself changes something
  CakeOp *touched;                  // changed by a pattern without telling
  unsigned depth;
};

// What a value has become.
CakeValue *cake_conversion_lookup(const CakeConversion *conversion, CakeValue *value);
// The value as one of type `to`: itself, or a conversion of it where the rewriter stands.
CakeValue *cake_conversion_cast(CakeConversion *conversion, CakeValue *value, CakeType to);
bool cake_conversion_is_gone(const CakeConversion *conversion, const CakeOp *op); // or stands in an op that is
// Undoes everything behind the first `mark` entries.
void cake_conversion_undo(CakeConversion *conversion, size_t mark);
// Puts what was made in the place of what is gone.
void cake_conversion_commit(CakeConversion *conversion);

#endif
