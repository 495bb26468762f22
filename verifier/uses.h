// What an op does with a linear value or a view that it is given.
#ifndef CAKE_VERIFIER_USES_H
#define CAKE_VERIFIER_USES_H

#include "cake/dialect.h"

typedef enum CakeUseKind {
  CAKE_USE_BORROWS,
  CAKE_USE_UP,
  CAKE_USE_REFUSED, // the op may not carry such a value
} CakeUseKind;

// By the op's descriptor: loops and branches carry values in their `iter` operands and yields; any other op must say
// that it takes them.
CakeUseKind cake_use_kind(const CakeUse *use);
// Whether an op's effects read (write) the memory that an operand names.
bool cake_use_reads(const CakeUse *use);
bool cake_use_writes(const CakeUse *use);
// No operand of the op before it is the same value: an op that reads a view twice is reported once.
bool cake_use_is_first(const CakeUse *use);
// The row of an operand in its op's descriptor; NULL when there is none.
const CakeOperandDef *cake_use_row(const CakeUse *use);

// The ops that use a value up, in no particular order, at most `capacity` of them; how many there are.
size_t cake_value_ends(const CakeValue *value, CakeOp **out, size_t capacity);

// More uses of one linear value than this are refused as too many.
enum { CAKE_MAX_ENDS = 256 };

#endif
