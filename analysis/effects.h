// Side effects: what an op does to memory, with everything in it.
//
// By its rows (`EFFECT`, `MOVE`), its purity, and the ops in its regions. What says nothing of itself may do anything.
#ifndef CAKE_ANALYSIS_EFFECTS_H
#define CAKE_ANALYSIS_EFFECTS_H

#include "cake/dialect.h"

CAKE_BEGIN_C

// One effect of one op.
typedef struct CakeEffectAt {
  CakeOp *op;               // the op, or one in it
  const CakeEffect *effect; // NULL: it may do anything to any memory
  CakeValue *memory;        // the value that names the memory; of an allocation its result; NULL: memory that no value names
} CakeEffectAt;
typedef CAKE_VEC(CakeEffectAt) CakeEffectVec;

// Appends the effects of `op` alone, whatever its regions hold. A region op without rows of its own has none of its own
// when control flow in it is known.
void cake_effects_of_op(CakeOp *op, CakeEffectVec *out);
// Appends those of `op` and of all ops that run when it runs: not of the bodies of functions in it.
void cake_effects_of(CakeOp *op, CakeEffectVec *out);

// Whether it may read (write) memory. An effect that orders things (SYNC) counts as both: others may have written before.
bool cake_effect_may_read(const CakeEffectAt *effect);
bool cake_effect_may_write(const CakeEffectAt *effect);

// A move of all of a memory: `*out_memory` is what names it, `*out_value` what was read or is written. False: no such op.
bool cake_effect_is_load(CakeOp *op, CakeValue **out_memory, CakeValue **out_value);
bool cake_effect_is_store(CakeOp *op, CakeValue **out_memory, CakeValue **out_value);
// Whether the op makes the memory that its result names.
bool cake_effect_allocates(const CakeValue *memory);

CAKE_END_C
#endif
