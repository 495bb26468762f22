// Registers of values, types, and calls of intrinsics and inline PTX.
#include "targets/nvptx/emit.h"

#include "dialects/gpu/gpu.h"

#include <string.h>

void cake_emit_fail(CakeEmitter *e, CakeOp *op, const char *what) {
  if (!e->failed) cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "%s", what);
  e->failed = true;
}

LLVMTypeRef cake_emit_scalar_type(CakeEmitter *e, CakeType type) {
  if (cake_type_is_index(type)) return e->i32;
  if (cake_type_is(type, &cake_type_def_integer)) {
    unsigned width = cake_type_width(type); // others would be legal, but slow and never tested
    return width == 1 || width == 8 || width == 16 || width == 32 || width == 64 ? LLVMIntTypeInContext(e->llvm, width) : NULL;
  }
  if (cake_type_is(type, &cake_type_def_gpu_ptr)) return cake_gpu_ptr_space(type) == CAKE_GPU_GLOBAL ? e->global_ptr : e->shared_ptr;
  if (cake_type_is(type, &cake_type_def_gpu_tensor_map)) return LLVMPointerTypeInContext(e->llvm, 0);
  switch (cake_type_float_kind(type)) {
  case CAKE_FLOAT_F16: return LLVMHalfTypeInContext(e->llvm);
  case CAKE_FLOAT_BF16: return LLVMBFloatTypeInContext(e->llvm);
  case CAKE_FLOAT_F32: return e->f32;
  case CAKE_FLOAT_F64: return LLVMDoubleTypeInContext(e->llvm);
  default: return NULL;
  }
}

// Four times the registers that a thread has.
enum { MOST_ELEMENTS = 1024 };

static bool is_scalable(CakeType vector) {
  for (int64_t i = 0; i < cake_type_rank(vector); ++i)
    if (cake_type_is_scalable(vector, (size_t)i)) return true;
  return false;
}

unsigned cake_emit_reg_type(CakeEmitter *e, CakeType type, LLVMTypeRef *out) {
  if (!cake_type_is(type, &cake_type_def_vector)) {
    *out = cake_emit_scalar_type(e, type);
    return *out ? 1 : 0;
  }
  int64_t count = cake_type_count(type);
  LLVMTypeRef element = cake_emit_scalar_type(e, cake_type_element(type));
  if (!element || count < 1 || count > MOST_ELEMENTS || is_scalable(type)) return 0;
  bool pairs = cake_type_width(cake_type_element(type)) == 16;
  if (pairs && count % 2 != 0) return 0;
  *out = pairs ? LLVMVectorType(element, 2) : element;
  return (unsigned)(pairs ? count / 2 : count);
}

CakeRegs cake_emit_new_regs(CakeEmitter *e, unsigned n) { return (CakeRegs){CAKE_ARENA_ARRAY(e->arena, LLVMValueRef, n ? n : 1), n}; }

CakeRegs cake_emit_regs(CakeEmitter *e, const CakeValue *value) {
  uintptr_t found;
  if (cake_map_get(&e->values, value, &found)) return *(CakeRegs *)found;
  // After a failure only: keeps the translation of this op going, behind which it stops.
  CakeOp *def = cake_value_def(value);
  if (!e->failed && def) cake_error(def, CAKE_CODE_LOWER_UNSUPPORTED, "gives a value that the NVPTX target did not translate");
  LLVMTypeRef type = e->i32;
  unsigned n = cake_emit_reg_type(e, value->type, &type);
  CakeRegs regs = cake_emit_new_regs(e, n ? n : 1);
  for (unsigned i = 0; i < regs.n; ++i) regs.v[i] = LLVMGetPoison(type ? type : e->i32);
  e->failed = true;
  return regs;
}

void cake_emit_set(CakeEmitter *e, const CakeValue *value, CakeRegs regs) {
  CakeRegs *stored = CAKE_ARENA_NEW(e->arena, CakeRegs);
  *stored = regs;
  cake_map_set(&e->values, value, (uintptr_t)stored);
}

void cake_emit_set1(CakeEmitter *e, const CakeValue *value, LLVMValueRef reg) {
  CakeRegs regs = cake_emit_new_regs(e, 1);
  regs.v[0] = reg;
  cake_emit_set(e, value, regs);
}

LLVMValueRef cake_emit_one(CakeEmitter *e, const CakeValue *value) { return cake_emit_regs(e, value).v[0]; }

LLVMValueRef cake_emit_int(LLVMTypeRef type, int64_t value) { return LLVMConstInt(type, (unsigned long long)value, 1); }

LLVMValueRef cake_emit_pair_element(CakeEmitter *e, LLVMValueRef pair, unsigned i) {
  return LLVMBuildExtractElement(e->builder, pair, cake_emit_int(e->i32, i), "");
}

LLVMValueRef cake_emit_pair(CakeEmitter *e, LLVMValueRef low, LLVMValueRef high) {
  LLVMValueRef pair = LLVMGetPoison(LLVMVectorType(LLVMTypeOf(low), 2));
  pair = LLVMBuildInsertElement(e->builder, pair, low, cake_emit_int(e->i32, 0), "");
  return LLVMBuildInsertElement(e->builder, pair, high, cake_emit_int(e->i32, 1), "");
}

CakeRegs cake_emit_elements(CakeEmitter *e, const CakeValue *value) {
  CakeRegs regs = cake_emit_regs(e, value);
  if (LLVMGetTypeKind(LLVMTypeOf(regs.v[0])) != LLVMVectorTypeKind) return regs;
  CakeRegs scalars = cake_emit_new_regs(e, 2 * regs.n);
  for (unsigned i = 0; i < scalars.n; ++i) scalars.v[i] = cake_emit_pair_element(e, regs.v[i / 2], i % 2);
  return scalars;
}

void cake_emit_set_elements(CakeEmitter *e, const CakeValue *value, CakeRegs scalars) {
  LLVMTypeRef type;
  unsigned n = cake_emit_reg_type(e, value->type, &type);
  bool pairs = n && LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  if (!n || scalars.n != (pairs ? 2 * n : n)) {
    cake_emit_fail(e, cake_value_def(value), "gives a value that the NVPTX target cannot hold");
    return;
  }
  CakeRegs regs = pairs ? cake_emit_new_regs(e, n) : scalars;
  for (unsigned i = 0; pairs && i < n; ++i) regs.v[i] = cake_emit_pair(e, scalars.v[2 * i], scalars.v[2 * i + 1]);
  cake_emit_set(e, value, regs);
}

LLVMValueRef cake_emit_intrinsic(CakeEmitter *e, const char *name, const LLVMTypeRef *overloads, unsigned n_overloads, LLVMValueRef *args, unsigned n_args) {
  unsigned id = LLVMLookupIntrinsicID(name, strlen(name));
  LLVMTypeRef types[4];
  for (unsigned i = 0; i < n_overloads; ++i) types[i] = overloads[i];
  LLVMValueRef callee = LLVMGetIntrinsicDeclaration(e->module, id, types, n_overloads);
  LLVMTypeRef type = LLVMIntrinsicGetType(e->llvm, id, types, n_overloads);
  return LLVMBuildCall2(e->builder, type, callee, args, n_args, "");
}

LLVMValueRef cake_emit_asm(CakeEmitter *e, LLVMTypeRef result, const char *text, const char *constraints, LLVMValueRef *args, unsigned n_args) {
  LLVMTypeRef *types = CAKE_ARENA_ARRAY(e->arena, LLVMTypeRef, n_args + 1);
  for (unsigned i = 0; i < n_args; ++i) types[i] = LLVMTypeOf(args[i]);
  LLVMTypeRef type = LLVMFunctionType(result, types, n_args, 0);
  LLVMValueRef code = LLVMGetInlineAsm(type, text, strlen(text), constraints, strlen(constraints), 1, 0, LLVMInlineAsmDialectATT, 0);
  LLVMValueRef call = LLVMBuildCall2(e->builder, type, code, args, n_args, "");
  static const char *const attributes[] = {"convergent", "nounwind"};
  for (size_t i = 0; i < CAKE_COUNT(attributes); ++i) {
    unsigned kind = LLVMGetEnumAttributeKindForName(attributes[i], strlen(attributes[i]));
    LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, LLVMCreateEnumAttribute(e->llvm, kind, 0));
  }
  return call;
}
