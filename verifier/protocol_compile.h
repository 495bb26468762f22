// Compiling structured control flow into a process: shared by the front ends of the protocol checker.
#ifndef CAKE_VERIFIER_PROTOCOL_COMPILE_H
#define CAKE_VERIFIER_PROTOCOL_COMPILE_H

#include "verifier/protocol_model.h"

typedef struct CakeCompiler CakeCompiler;

// What a dialect level says about its ops.
typedef struct CakeFront {
  bool (*is_action)(const CakeOp *op);
  bool (*is_root)(const CakeUse *use);                             // an operand that an action's effect depends on
  bool (*is_computable)(CakeCompiler *compiler, const CakeOp *op); // results are registers if its operands are
  bool (*emit)(CakeCompiler *compiler, CakeOp *op);                // an action, or an op whose result is needed
  bool (*number)(CakeCompiler *compiler, const CakeValue *value, uint32_t lane, int32_t *out); // known for that lane
} CakeFront;

struct CakeCompiler {
  CakeModel *model;
  const CakeFront *front;
  CakeProcess process;
  int32_t instance, warp, rank; // rank: of the CTA in its cluster
  uint32_t lanes;               // which lanes execute; all at the schedule level
  int32_t tape;                 // of the loop around; -1
  CakeMap registers;            // value → register + 1
  CakeMap interesting;          // op → 1: has an action in it, or gives a needed value
  CakeMap needed;               // value → 1
  CakeMap same;                 // value → one that is known to be the same
  CAKE_VEC(CakeOp *) nonempty;  // loops that say that they run at least once (cake.nonempty)
  CAKE_VEC(int32_t) used_tapes; // of this process, one entry a use
};

CakeCompiler cake_compiler_create(CakeModel *model, const CakeFront *front);
void cake_compiler_destroy(CakeCompiler *compiler);
// Finds the actions under `root` and the values that they need. Once for all processes of a function or role.
void cake_compiler_analyse(CakeCompiler *compiler, CakeOp *root);
// Appends the program of the region of `root`, and END.
void cake_compiler_region(CakeCompiler *compiler, CakeRegion *region);
// Makes the process part of the model and begins another.
void cake_compiler_finish(CakeCompiler *compiler);
// Throws the process away instead.
void cake_compiler_drop(CakeCompiler *compiler);

void cake_compiler_step(CakeCompiler *compiler, CakeStep step);
int32_t cake_compiler_define(CakeCompiler *compiler, const CakeValue *value); // its register
int32_t cake_compiler_temporary(CakeCompiler *compiler); // a register of no value
int32_t cake_compiler_here(const CakeCompiler *compiler); // the number of the next step
// Values to registers, as if all at once.
void cake_compiler_move(CakeCompiler *compiler, CakeOp *user, CakeValue *const *from, CakeValue *const *to, size_t count);
// False: not known (noted as a limit at `user`).
bool cake_compiler_arg(CakeCompiler *compiler, const CakeValue *value, CakeOp *user, CakeArg *out);
// The number that a value is in all executing lanes.
bool cake_compiler_number(CakeCompiler *compiler, const CakeValue *value, int32_t *out);

// Whether an action depends on a value; whether an op has an action in it, or gives such a value.
bool cake_compiler_needs(const CakeCompiler *compiler, const CakeValue *value);
bool cake_compiler_has_action(const CakeCompiler *compiler, const CakeOp *op);
// The index of a loop whose start and step are numbers.
bool cake_compiler_is_index(CakeCompiler *compiler, const CakeValue *value);
// What of a branch's condition is not known for each lane.
const CakeValue *cake_compiler_condition(CakeCompiler *compiler, const CakeOp *branch);
// What kind of control flow an op is, and the operands that a loop carries: those of the `iter` row.
CakeFlowKind cake_compiler_flow(const CakeOp *op);
CakeOperandRange cake_compiler_carried(const CakeOp *op);

// ---- Tapes (protocol_tapes.c) ----------------------------------------------------------------------------------------

// Loops to one end, or branches that go the same way. Where a loop begins does not matter if it is a number.
bool cake_compiler_same_loop(CakeCompiler *compiler, CakeOp *a, CakeOp *b);
// The first index of a loop that others may begin earlier or later: number of rounds that it leaves out. False: not known.
bool cake_compiler_skipped(CakeCompiler *compiler, const CakeOp *op, int32_t *out);
// The tape that decides about `op`, where it now stands.
int32_t cake_compiler_tape(CakeCompiler *compiler, CakeOp *op);

#endif
