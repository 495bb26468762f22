// Dialects as text: ops, types and attributes that are defined when a file is read, and are like built-in ones from then on.
// docs/dialects.md teaches the language.
//
//   dialect @toy "Boxes." {
//     type @box(element: type, count: integer) "A box of things."
//     op @pack "Puts two values into a box." {
//       var T: integer | float
//       traits pure
//       operand lhs: !T "a value"
//       operand rhs: !T "another of the same type"
//       attribute label?: string "what is on the box"
//       result box: !toy.box "the box"
//       assembly "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($box)"
//     }
//   }
#ifndef CAKE_DIALECT_TEXT_H
#define CAKE_DIALECT_TEXT_H

#include "cake/text.h"

CAKE_BEGIN_C

// Reads the dialects of a text and registers them in the context, whose arena they live in. Appends their descriptors to nothing: they are
// found as all others are. False: reported; then none of the text's dialects may be used. `text` must outlive the context's diagnostics.
CAKE_NODISCARD bool cake_dialects_load(CakeContext *context, CakeStr file, CakeStr text);

CAKE_END_C
#endif
