// Rewrites as text: a before and an after in IR syntax, compiled when they are loaded. docs/rewrites.md teaches the language.
//
//   rewrite @mul_to_shift benefit(2) {
//     before(!T, #c: !T, %x: !T) {
//       %c = arith.constant #c
//       %r = arith.muli %x, %c : !T
//     }
//     where {
//       power_of_two(#c)
//       #n = log2(#c)
//     }
//     after {
//       %n = arith.constant #n
//       %r = arith.shli %x, %n : !T
//     }
//   }
#ifndef CAKE_REWRITES_H
#define CAKE_REWRITES_H

#include "cake/pattern.h"
#include "cake/text.h"

CAKE_BEGIN_C

// The rewrites of one text. Lives in the context's arena.
typedef struct CakeRewrites CakeRewrites;

// Reads and checks them; those marked `canonicalize` are added to the context's canonical patterns. NULL: reported. `text` must outlive
// the context's diagnostics.
CakeRewrites *cake_rewrites_load(CakeContext *context, CakeStr file, CakeStr text);

// A pass of the name of each rewrite and each group: it applies it until it applies no more, and does nothing else. Each is a table of one
// pass for a CakePassRegistry, valid as long as the context; NULL behind the last.
const CakePassDef *cake_rewrites_pass(const CakeRewrites *rewrites, size_t index);

// Whether there is a rewrite or group of that name, and whether it would rewrite that op: the before matches and `where` holds.
bool cake_rewrites_has(const CakeRewrites *rewrites, CakeStr name);
bool cake_rewrites_match(const CakeRewrites *rewrites, CakeStr name, CakeOp *op);

// What `where` can ask and compute without a dialect. NULL name behind the last.
extern const CakeRewriteNative cake_rewrite_natives[];

CAKE_END_C
#endif
