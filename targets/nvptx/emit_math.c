// math ops for which PTX has approximations only.
//
// exp2 and rsqrt are within 2 ulp by ex2.approx and rsqrt.approx (PTX ISA: errors of 2^-22 and 2^-22.9, subnormals kept); exp is ex2.approx behind
// an exact reduction of the argument. log, log2 and tanh are off by more where the function is near 0, so they are translated only where
// `fastmath<afn>` allows an approximation. With `afn` all of them flush subnormals. Narrower floats are computed in f32.
#include "targets/nvptx/emit.h"

#include "dialects/arith/arith.h"

typedef LLVMValueRef (*Function)(CakeEmitter *e, LLVMValueRef x, bool approximate);

static LLVMValueRef real(CakeEmitter *e, double value) {
  return LLVMConstReal(e->f32, value);
}

static bool may_approximate(const CakeOp *op) {
  return (cake_attr_arith_flags(cake_op_attr_text(op, "fastmath")) & CAKE_FASTMATH_AFN) != 0;
}

static LLVMValueRef call(CakeEmitter *e, const char *name, LLVMValueRef x) {
  return cake_emit_intrinsic(e, name, NULL, 0, &x, 1);
}
static LLVMValueRef call_f32(CakeEmitter *e, const char *name, LLVMValueRef x) {
  return cake_emit_intrinsic(e, name, &e->f32, 1, &x, 1);
}

// The function of every element, in f32.
static void each(CakeEmitter *e, CakeOp *op, Function function) {
  CakeRegs in = cake_emit_elements(e, cake_op_operand(op, 0)), out = cake_emit_new_regs(e, in.n);
  bool approximate = may_approximate(op);
  for (unsigned i = 0; i < in.n; ++i) {
    LLVMTypeRef type = LLVMTypeOf(in.v[i]);
    if (type != e->f32 && cake_type_is_float(cake_type_element(cake_op_result(op, 0)->type), CAKE_FLOAT_F64)) {
      cake_emit_fail(e, op, "is of f64, of which the NVPTX target translates no such function");
      return;
    }
    LLVMValueRef x = type == e->f32 ? in.v[i] : LLVMBuildFPExt(e->builder, in.v[i], e->f32, "");
    x = function(e, x, approximate);
    out.v[i] = type == e->f32 ? x : LLVMBuildFPTrunc(e->builder, x, type, "");
  }
  cake_emit_set_elements(e, cake_op_result(op, 0), out);
}

static void only_approximate(CakeEmitter *e, CakeOp *op, Function function) {
  if (may_approximate(op))
    each(e, op, function);
  else
    cake_emit_fail(e, op, "has no exact translation; with `fastmath<afn>` the hardware's approximation is taken");
}

static LLVMValueRef exp2_of(CakeEmitter *e, LLVMValueRef x, bool approximate) {
  return call_f32(e, approximate ? "llvm.nvvm.ex2.approx.ftz" : "llvm.nvvm.ex2.approx", x);
}
void cake_emit_exp2(CakeEmitter *e, CakeOp *op) {
  each(e, op, exp2_of);
}

// x = n ln 2 + r with |r| ≤ ln 2 / 2: ln 2 is taken off in two parts, the first of which has trailing zeros, so that n times it is exact.
// 2^n comes from two factors, each of them a normal number.
static LLVMValueRef exp_of(CakeEmitter *e, LLVMValueRef x, bool approximate) {
  LLVMBuilderRef b = e->builder;
  LLVMValueRef scaled = LLVMBuildFMul(b, x, real(e, 1.4426950408889634), "");
  if (approximate) return exp2_of(e, scaled, true);
  LLVMValueRef low[] = {scaled, real(e, -160.0)}, n = cake_emit_intrinsic(e, "llvm.maxnum", &e->f32, 1, low, 2);
  LLVMValueRef high[] = {n, real(e, 160.0)};
  n = call_f32(e, "llvm.rint", cake_emit_intrinsic(e, "llvm.minnum", &e->f32, 1, high, 2));
  LLVMValueRef first[] = {n, real(e, -0.693145751953125), x}, second[] = {n, real(e, -1.42860682030941723212e-6), NULL};
  second[2] = cake_emit_intrinsic(e, "llvm.fma", &e->f32, 1, first, 3);
  LLVMValueRef rest = cake_emit_intrinsic(e, "llvm.fma", &e->f32, 1, second, 3);
  LLVMValueRef half = call_f32(e, "llvm.rint", LLVMBuildFMul(b, n, real(e, 0.5), ""));
  LLVMValueRef value = exp2_of(e, LLVMBuildFMul(b, rest, real(e, 1.4426950408889634), ""), false);
  value = LLVMBuildFMul(b, value, exp2_of(e, half, false), "");
  return LLVMBuildFMul(b, value, exp2_of(e, LLVMBuildFSub(b, n, half, ""), false), "");
}
void cake_emit_exp(CakeEmitter *e, CakeOp *op) {
  each(e, op, exp_of);
}

static LLVMValueRef rsqrt_of(CakeEmitter *e, LLVMValueRef x, bool approximate) {
  return call(e, approximate ? "llvm.nvvm.rsqrt.approx.ftz.f" : "llvm.nvvm.rsqrt.approx.f", x);
}
void cake_emit_rsqrt(CakeEmitter *e, CakeOp *op) {
  each(e, op, rsqrt_of);
}

static LLVMValueRef log2_of(CakeEmitter *e, LLVMValueRef x, bool approximate) {
  (void)approximate;
  return call(e, "llvm.nvvm.lg2.approx.ftz.f", x);
}
void cake_emit_log2(CakeEmitter *e, CakeOp *op) {
  only_approximate(e, op, log2_of);
}

static LLVMValueRef log_of(CakeEmitter *e, LLVMValueRef x, bool approximate) {
  return LLVMBuildFMul(e->builder, log2_of(e, x, approximate), real(e, 0.6931471805599453), "");
}
void cake_emit_log(CakeEmitter *e, CakeOp *op) {
  only_approximate(e, op, log_of);
}

static LLVMValueRef tanh_of(CakeEmitter *e, LLVMValueRef x, bool approximate) {
  (void)approximate;
  LLVMValueRef value = call_f32(e, "llvm.tanh", x);
  LLVMSetFastMathFlags(value, LLVMFastMathApproxFunc);
  return value;
}
void cake_emit_tanh(CakeEmitter *e, CakeOp *op) {
  only_approximate(e, op, tanh_of);
}
