// What the files of the emitter share: the state of a translation, and the registers that stand for a value.
//
// A value of the IR becomes a list of LLVM values, its registers: a scalar one, a vector of 32- or 64-bit elements one an element, a vector of
// 16-bit elements one `<2 x T>` a pair. LLVM never sees a vector of more than 32 bits, so no register tile is split or put back together.
#ifndef CAKE_TARGETS_NVPTX_EMIT_H
#define CAKE_TARGETS_NVPTX_EMIT_H

#include "analysis/targets.h"
#include "cake/dialect.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

typedef struct CakeRegs {
  LLVMValueRef *v;
  unsigned n;
} CakeRegs;

typedef struct CakeEmitter {
  CakeContext *context; // of the IR
  CakeArena *arena;     // of this translation
  LLVMContextRef llvm;
  LLVMModuleRef module;
  LLVMBuilderRef builder;
  LLVMValueRef function;
  LLVMValueRef shared; // the dynamic shared memory; NULL until used
  LLVMValueRef one;    // the constant of gpu.replace_if, likewise
  LLVMDIBuilderRef debug; // NULL: no line information
  LLVMMetadataRef scope;
  CakeMap values; // CakeValue → CakeRegs *
  const CakeTarget *target;
  bool failed;
  LLVMTypeRef i1, i16, i32, i64, f32, global_ptr, shared_ptr;
} CakeEmitter;

// The name of the dynamic shared memory in PTX.
#define CAKE_EMIT_SHARED_MEMORY "cake_shared_memory"
// The name of the constant of gpu.replace_if.
#define CAKE_EMIT_ONE "cake_one"

typedef void (*CakeEmitFn)(CakeEmitter *e, CakeOp *op);

// Reports that an op cannot be translated, and stops the translation.
void cake_emit_fail(CakeEmitter *e, CakeOp *op, const char *what);

// ---- Registers (emit_values.c) ---------------------------------------------------------------------------------------------

LLVMTypeRef cake_emit_scalar_type(CakeEmitter *e, CakeType type); // NULL: not a scalar of this target
// Type and number of the registers of a type; 0: not translatable. No value has such a type: its definition fails.
unsigned cake_emit_reg_type(CakeEmitter *e, CakeType type, LLVMTypeRef *out);
CakeRegs cake_emit_new_regs(CakeEmitter *e, unsigned n);
CakeRegs cake_emit_regs(CakeEmitter *e, const CakeValue *value);
void cake_emit_set(CakeEmitter *e, const CakeValue *value, CakeRegs regs);
void cake_emit_set1(CakeEmitter *e, const CakeValue *value, LLVMValueRef reg);
LLVMValueRef cake_emit_one(CakeEmitter *e, const CakeValue *value); // of a scalar
// i-th operand's only register.
static inline LLVMValueRef cake_emit_operand(CakeEmitter *e, const CakeOp *op, unsigned i) { return cake_emit_one(e, cake_op_operand(op, i)); }
LLVMValueRef cake_emit_int(LLVMTypeRef type, int64_t value);
LLVMValueRef cake_emit_pair_element(CakeEmitter *e, LLVMValueRef pair, unsigned i);
LLVMValueRef cake_emit_pair(CakeEmitter *e, LLVMValueRef low, LLVMValueRef high);
// The same value as one scalar an element: pairs are taken apart, and put together again.
CakeRegs cake_emit_elements(CakeEmitter *e, const CakeValue *value);
void cake_emit_set_elements(CakeEmitter *e, const CakeValue *value, CakeRegs scalars);

// Calls an intrinsic; `overloads` are the types of an overloaded one. Convergence and memory effects are LLVM's own.
LLVMValueRef cake_emit_intrinsic(CakeEmitter *e, const char *name, const LLVMTypeRef *overloads, unsigned n_overloads, LLVMValueRef *args, unsigned n_args);
// Calls inline PTX: convergent, with side effects.
LLVMValueRef cake_emit_asm(CakeEmitter *e, LLVMTypeRef result, const char *text, const char *constraints, LLVMValueRef *args, unsigned n_args);

// ---- Ops -------------------------------------------------------------------------------------------------------------------

void cake_emit_block(CakeEmitter *e, CakeBlock *block); // all ops but the terminator
void cake_emit_op(CakeEmitter *e, CakeOp *op);
// Functions without an exact instruction (emit_math.c).
void cake_emit_printf(CakeEmitter *e, CakeOp *op); // emit_debug.c
void cake_emit_fail_op(CakeEmitter *e, CakeOp *op);
void cake_emit_exp(CakeEmitter *e, CakeOp *op);
void cake_emit_exp2(CakeEmitter *e, CakeOp *op);
void cake_emit_log(CakeEmitter *e, CakeOp *op);
void cake_emit_log2(CakeEmitter *e, CakeOp *op);
void cake_emit_rsqrt(CakeEmitter *e, CakeOp *op);
void cake_emit_tanh(CakeEmitter *e, CakeOp *op);
// The tables: NULL for an op that has no translation.
CakeEmitFn cake_emit_arith(const CakeOp *op); // arith and math
CakeEmitFn cake_emit_flow(const CakeOp *op);  // scf
CakeEmitFn cake_emit_gpu(const CakeOp *op);

#endif
