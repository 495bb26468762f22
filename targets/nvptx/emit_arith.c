// arith and math ops, register by register.
#include "targets/nvptx/emit.h"

#include "cake/text.h"
#include "dialects/arith/arith_ops.h"
#include "dialects/math/math_ops.h"

#include <math.h>

static void set_flags(CakeOp *op, LLVMValueRef value) {
  unsigned flags = cake_attr_arith_flags(cake_op_attr_text(op, "fastmath"));
  if (!flags || !LLVMCanValueUseFastMathFlags(value)) return;
  LLVMFastMathFlags out = LLVMFastMathNone;
  if (flags & CAKE_FASTMATH_REASSOC) out |= LLVMFastMathAllowReassoc;
  if (flags & CAKE_FASTMATH_NNAN) out |= LLVMFastMathNoNaNs;
  if (flags & CAKE_FASTMATH_NINF) out |= LLVMFastMathNoInfs;
  if (flags & CAKE_FASTMATH_NSZ) out |= LLVMFastMathNoSignedZeros;
  if (flags & CAKE_FASTMATH_ARCP) out |= LLVMFastMathAllowReciprocal;
  if (flags & CAKE_FASTMATH_CONTRACT) out |= LLVMFastMathAllowContract;
  if (flags & CAKE_FASTMATH_AFN) out |= LLVMFastMathApproxFunc;
  LLVMSetFastMathFlags(value, out);
}

// ---- Constants -------------------------------------------------------------------------------------------------------------

static LLVMValueRef constant_scalar(CakeEmitter *e, CakeOp *op, CakeType type, CakeAttr value) {
  LLVMTypeRef llvm = cake_emit_scalar_type(e, type);
  bool fits = !cake_type_is_index(type) ||
              (cake_attr_int_value(value) >= INT32_MIN && cake_attr_int_value(value) <= UINT32_MAX);
  if (llvm && fits && cake_attr_is(value, &cake_attr_def_integer))
    return cake_emit_int(llvm, cake_attr_int_value(value));
  if (llvm && cake_attr_is(value, &cake_attr_def_float)) return LLVMConstReal(llvm, cake_attr_float_value(value));
  cake_emit_fail(e, op, "is a constant that the NVPTX target cannot hold");
  return LLVMGetPoison(llvm ? llvm : e->i32);
}

// Element `i` of a dense attribute, from its little-endian bytes.
static LLVMValueRef dense_element(CakeEmitter *e, CakeType element, CakeStr bytes, size_t i) {
  LLVMTypeRef llvm = cake_emit_scalar_type(e, element);
  unsigned width = cake_type_is_index(element) ? 64 : cake_type_width(element);
  size_t size = (width + 7) / 8;
  uint64_t bits = 0;
  for (size_t b = 0; b < size && i * size + b < bytes.len; ++b)
    bits |= (uint64_t)(unsigned char)bytes.ptr[i * size + b] << (8 * b);
  if (cake_type_is_any_float(element))
    return LLVMConstBitCast(LLVMConstInt(LLVMIntTypeInContext(e->llvm, width), bits, 0), llvm);
  return cake_emit_int(llvm, (int64_t)bits); // cut to the type: an index has 64 bits here, i1 has 8
}

static void emit_constant(CakeEmitter *e, CakeOp *op) {
  CakeValue *result = cake_op_result(op, 0);
  CakeAttr value = cake_op_attr_text(op, "value");
  if (!cake_type_is(result->type, &cake_type_def_vector)) {
    cake_emit_set1(e, result, constant_scalar(e, op, result->type, value));
    return;
  }
  LLVMTypeRef type;
  unsigned n = cake_emit_reg_type(e, result->type, &type);
  if (!n || !cake_attr_is(value, &cake_attr_def_dense_elements)) {
    cake_emit_fail(e, op, "is a constant that the NVPTX target cannot hold");
    return;
  }
  CakeStr bytes = cake_attr_string_value(value);
  bool splat = cake_attr_is_splat(value);
  CakeType element = cake_type_element(result->type);
  bool pairs = LLVMGetTypeKind(type) == LLVMVectorTypeKind;
  CakeRegs regs = cake_emit_new_regs(e, n);
  for (unsigned i = 0; i < n; ++i) {
    if (splat && i) {
      regs.v[i] = regs.v[0];
    } else if (pairs) {
      LLVMValueRef two[2] = {dense_element(e, element, bytes, splat ? 0 : 2 * i),
                             dense_element(e, element, bytes, splat ? 0 : 2 * i + 1)};
      regs.v[i] = LLVMConstVector(two, 2);
    } else {
      regs.v[i] = dense_element(e, element, bytes, splat ? 0 : i);
    }
  }
  cake_emit_set(e, result, regs);
}

// ---- Elementwise -----------------------------------------------------------------------------------------------------------

typedef LLVMValueRef (*BinaryFn)(LLVMBuilderRef, LLVMValueRef, LLVMValueRef, const char *);

static void binary(CakeEmitter *e, CakeOp *op, BinaryFn build) {
  CakeRegs a = cake_emit_regs(e, cake_op_operand(op, 0)), b = cake_emit_regs(e, cake_op_operand(op, 1));
  CakeRegs regs = cake_emit_new_regs(e, a.n);
  for (unsigned i = 0; i < a.n && i < b.n; ++i) {
    regs.v[i] = build(e->builder, a.v[i], b.v[i], "");
    set_flags(op, regs.v[i]);
  }
  cake_emit_set(e, cake_op_result(op, 0), regs);
}

#define BINARY(name, build)                                                                                            \
  static void emit_##name(CakeEmitter *e, CakeOp *op) {                                                                \
    binary(e, op, build);                                                                                              \
  }
BINARY(addi, LLVMBuildAdd)
BINARY(subi, LLVMBuildSub)
BINARY(muli, LLVMBuildMul)
BINARY(divsi, LLVMBuildSDiv)
BINARY(divui, LLVMBuildUDiv)
BINARY(remsi, LLVMBuildSRem)
BINARY(remui, LLVMBuildURem)
BINARY(andi, LLVMBuildAnd)
BINARY(ori, LLVMBuildOr)
BINARY(xori, LLVMBuildXor)
BINARY(shli, LLVMBuildShl)
BINARY(shrsi, LLVMBuildAShr)
BINARY(shrui, LLVMBuildLShr)
BINARY(addf, LLVMBuildFAdd)
BINARY(subf, LLVMBuildFSub)
BINARY(mulf, LLVMBuildFMul)
BINARY(divf, LLVMBuildFDiv)

static void intrinsic(CakeEmitter *e, CakeOp *op, const char *name, unsigned n_operands) {
  CakeRegs in[3];
  for (unsigned i = 0; i < n_operands; ++i)
    in[i] = cake_emit_regs(e, cake_op_operand(op, i));
  CakeRegs regs = cake_emit_new_regs(e, in[0].n);
  for (unsigned r = 0; r < in[0].n; ++r) {
    LLVMValueRef args[3];
    for (unsigned i = 0; i < n_operands; ++i)
      args[i] = in[i].v[r];
    LLVMTypeRef type = LLVMTypeOf(args[0]);
    regs.v[r] = cake_emit_intrinsic(e, name, &type, 1, args, n_operands);
    set_flags(op, regs.v[r]);
  }
  cake_emit_set(e, cake_op_result(op, 0), regs);
}

#define INTRINSIC(op_name, name, n)                                                                                    \
  static void emit_##op_name(CakeEmitter *e, CakeOp *op) {                                                             \
    intrinsic(e, op, name, n);                                                                                         \
  }
INTRINSIC(maxsi, "llvm.smax", 2)
INTRINSIC(minsi, "llvm.smin", 2)
INTRINSIC(maxui, "llvm.umax", 2)
INTRINSIC(minui, "llvm.umin", 2)
INTRINSIC(maximumf, "llvm.maximum", 2)
INTRINSIC(minimumf, "llvm.minimum", 2)
INTRINSIC(maxnumf, "llvm.maxnum", 2)
INTRINSIC(minnumf, "llvm.minnum", 2)
INTRINSIC(fma, "llvm.fma", 3)
INTRINSIC(absf, "llvm.fabs", 1)
INTRINSIC(sqrt, "llvm.sqrt", 1)

// x / y rounded up or down for signed operands: the truncated quotient, corrected by one where there is a remainder.
static LLVMValueRef rounded_division(CakeEmitter *e, LLVMValueRef x, LLVMValueRef y, bool up) {
  LLVMBuilderRef b = e->builder;
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(x)), minus_one = LLVMConstAllOnes(LLVMTypeOf(x));
  LLVMValueRef quotient = LLVMBuildSDiv(b, x, y, ""), rest = LLVMBuildSRem(b, x, y, "");
  LLVMValueRef inexact = LLVMBuildICmp(b, LLVMIntNE, rest, zero, "");
  LLVMValueRef negative = LLVMBuildICmp(b, LLVMIntSLT, LLVMBuildXor(b, x, y, ""), zero, "");
  LLVMValueRef correct = LLVMBuildAnd(b, inexact, up ? LLVMBuildNot(b, negative, "") : negative, "");
  LLVMValueRef corrected = up ? LLVMBuildSub(b, quotient, minus_one, "") : LLVMBuildAdd(b, quotient, minus_one, "");
  return LLVMBuildSelect(b, correct, corrected, quotient, "");
}

static void rounded_divisions(CakeEmitter *e, CakeOp *op, bool up) {
  CakeRegs x = cake_emit_regs(e, cake_op_operand(op, 0)), y = cake_emit_regs(e, cake_op_operand(op, 1)),
           regs = cake_emit_new_regs(e, x.n);
  for (unsigned i = 0; i < x.n && i < y.n; ++i)
    regs.v[i] = rounded_division(e, x.v[i], y.v[i], up);
  cake_emit_set(e, cake_op_result(op, 0), regs);
}
static void emit_ceildivsi(CakeEmitter *e, CakeOp *op) {
  rounded_divisions(e, op, true);
}
static void emit_floordivsi(CakeEmitter *e, CakeOp *op) {
  rounded_divisions(e, op, false);
}

static void emit_negf(CakeEmitter *e, CakeOp *op) {
  CakeRegs a = cake_emit_regs(e, cake_op_operand(op, 0)), regs = cake_emit_new_regs(e, a.n);
  for (unsigned i = 0; i < a.n; ++i)
    regs.v[i] = LLVMBuildFNeg(e->builder, a.v[i], "");
  cake_emit_set(e, cake_op_result(op, 0), regs);
}

static void emit_cmpi(CakeEmitter *e, CakeOp *op) {
  static const LLVMIntPredicate predicates[CAKE_CMPI_COUNT] = {
      [CAKE_CMPI_EQ] = LLVMIntEQ,   [CAKE_CMPI_NE] = LLVMIntNE,   [CAKE_CMPI_SLT] = LLVMIntSLT,
      [CAKE_CMPI_SLE] = LLVMIntSLE, [CAKE_CMPI_SGT] = LLVMIntSGT, [CAKE_CMPI_SGE] = LLVMIntSGE,
      [CAKE_CMPI_ULT] = LLVMIntULT, [CAKE_CMPI_ULE] = LLVMIntULE, [CAKE_CMPI_UGT] = LLVMIntUGT,
      [CAKE_CMPI_UGE] = LLVMIntUGE};
  CakeRegs a = cake_emit_elements(e, cake_op_operand(op, 0)), b = cake_emit_elements(e, cake_op_operand(op, 1));
  LLVMIntPredicate predicate = predicates[cake_attr_int_value(cake_op_attr_text(op, "predicate"))];
  CakeRegs regs = cake_emit_new_regs(e, a.n);
  for (unsigned i = 0; i < a.n && i < b.n; ++i)
    regs.v[i] = LLVMBuildICmp(e->builder, predicate, a.v[i], b.v[i], "");
  cake_emit_set_elements(e, cake_op_result(op, 0), regs);
}

static void emit_cmpf(CakeEmitter *e, CakeOp *op) {
  static const LLVMRealPredicate predicates[CAKE_CMPF_COUNT] = {[CAKE_CMPF_FALSE] = LLVMRealPredicateFalse,
                                                                [CAKE_CMPF_OEQ] = LLVMRealOEQ,
                                                                [CAKE_CMPF_OGT] = LLVMRealOGT,
                                                                [CAKE_CMPF_OGE] = LLVMRealOGE,
                                                                [CAKE_CMPF_OLT] = LLVMRealOLT,
                                                                [CAKE_CMPF_OLE] = LLVMRealOLE,
                                                                [CAKE_CMPF_ONE] = LLVMRealONE,
                                                                [CAKE_CMPF_ORD] = LLVMRealORD,
                                                                [CAKE_CMPF_UEQ] = LLVMRealUEQ,
                                                                [CAKE_CMPF_UGT] = LLVMRealUGT,
                                                                [CAKE_CMPF_UGE] = LLVMRealUGE,
                                                                [CAKE_CMPF_ULT] = LLVMRealULT,
                                                                [CAKE_CMPF_ULE] = LLVMRealULE,
                                                                [CAKE_CMPF_UNE] = LLVMRealUNE,
                                                                [CAKE_CMPF_UNO] = LLVMRealUNO,
                                                                [CAKE_CMPF_TRUE] = LLVMRealPredicateTrue};
  CakeRegs a = cake_emit_elements(e, cake_op_operand(op, 0)), b = cake_emit_elements(e, cake_op_operand(op, 1));
  LLVMRealPredicate predicate = predicates[cake_attr_int_value(cake_op_attr_text(op, "predicate"))];
  CakeRegs regs = cake_emit_new_regs(e, a.n);
  for (unsigned i = 0; i < a.n && i < b.n; ++i)
    regs.v[i] = LLVMBuildFCmp(e->builder, predicate, a.v[i], b.v[i], "");
  cake_emit_set_elements(e, cake_op_result(op, 0), regs);
}

static void emit_select(CakeEmitter *e, CakeOp *op) {
  CakeRegs c = cake_emit_regs(e, cake_op_operand(op, 0)), a = cake_emit_regs(e, cake_op_operand(op, 1)),
           b = cake_emit_regs(e, cake_op_operand(op, 2));
  bool whole = !cake_type_is(cake_op_operand(op, 0)->type, &cake_type_def_vector);
  if (!whole && c.n != a.n)
    a = cake_emit_elements(e, cake_op_operand(op, 1)), b = cake_emit_elements(e, cake_op_operand(op, 2));
  CakeRegs regs = cake_emit_new_regs(e, a.n);
  for (unsigned i = 0; i < a.n && i < b.n; ++i)
    regs.v[i] = LLVMBuildSelect(e->builder, c.v[whole ? 0 : i], a.v[i], b.v[i], "");
  if (!whole && c.n == a.n)
    cake_emit_set_elements(e, cake_op_result(op, 0), regs);
  else
    cake_emit_set(e, cake_op_result(op, 0), regs);
}

// ---- Conversions -----------------------------------------------------------------------------------------------------------

static void convert(CakeEmitter *e, CakeOp *op, LLVMOpcode opcode) {
  CakeValue *out = cake_op_result(op, 0);
  CakeRegs in = cake_emit_elements(e, cake_op_operand(op, 0)), scalars = cake_emit_new_regs(e, in.n);
  LLVMTypeRef element = cake_emit_scalar_type(e, cake_type_element(out->type));
  if (!element) {
    cake_emit_fail(e, op, "converts to a type that the NVPTX target cannot hold");
    return;
  }
  for (unsigned i = 0; i < in.n; ++i)
    scalars.v[i] = LLVMTypeOf(in.v[i]) == element ? in.v[i] : LLVMBuildCast(e->builder, opcode, in.v[i], element, "");
  cake_emit_set_elements(e, out, scalars);
}

static unsigned bits_of(CakeType type) {
  return cake_type_is_index(type) ? 32 : cake_type_width(type);
}
static bool widens(CakeOp *op) {
  return bits_of(cake_type_element(cake_op_operand(op, 0)->type)) <=
         bits_of(cake_type_element(cake_op_result(op, 0)->type));
}

static void emit_extf(CakeEmitter *e, CakeOp *op) {
  convert(e, op, LLVMFPExt);
}
// Pairs of f32 to pairs of 16 bits: one instruction a pair, where LLVM would take each half apart.
static bool truncate_pairs(CakeEmitter *e, CakeOp *op) {
  CakeRegs in = cake_emit_regs(e, cake_op_operand(op, 0));
  CakeFloat to = cake_type_float_kind(cake_type_element(cake_op_result(op, 0)->type));
  bool has_pairs = cake_type_is(cake_op_result(op, 0)->type, &cake_type_def_vector) && in.n % 2 == 0;
  if (!has_pairs || LLVMTypeOf(in.v[0]) != e->f32 || (to != CAKE_FLOAT_BF16 && to != CAKE_FLOAT_F16)) return false;
  CakeRegs regs = cake_emit_new_regs(e, in.n / 2);
  for (unsigned i = 0; i < regs.n; ++i) {
    LLVMValueRef args[] = {in.v[2 * i + 1], in.v[2 * i]}; // the high half first
    regs.v[i] = cake_emit_intrinsic(e, to == CAKE_FLOAT_BF16 ? "llvm.nvvm.ff2bf16x2.rn" : "llvm.nvvm.ff2f16x2.rn", NULL,
                                    0, args, 2);
  }
  cake_emit_set(e, cake_op_result(op, 0), regs);
  return true;
}

static void emit_truncf(CakeEmitter *e, CakeOp *op) {
  CakeAttr mode = cake_op_attr_text(op, "roundingmode");
  if (mode && cake_attr_int_value(mode) != 0)
    cake_emit_fail(e, op, "rounds otherwise than to the nearest even, which the NVPTX target does not translate");
  else if (!truncate_pairs(e, op))
    convert(e, op, LLVMFPTrunc);
}
static void emit_extsi(CakeEmitter *e, CakeOp *op) {
  convert(e, op, LLVMSExt);
}
static void emit_extui(CakeEmitter *e, CakeOp *op) {
  convert(e, op, LLVMZExt);
}
static void emit_trunci(CakeEmitter *e, CakeOp *op) {
  convert(e, op, LLVMTrunc);
}
static void emit_sitofp(CakeEmitter *e, CakeOp *op) {
  convert(e, op, LLVMSIToFP);
}
static void emit_uitofp(CakeEmitter *e, CakeOp *op) {
  convert(e, op, LLVMUIToFP);
}
static void emit_fptosi(CakeEmitter *e, CakeOp *op) {
  convert(e, op, LLVMFPToSI);
}
static void emit_fptoui(CakeEmitter *e, CakeOp *op) {
  convert(e, op, LLVMFPToUI);
}
static void emit_index_cast(CakeEmitter *e, CakeOp *op) {
  convert(e, op, widens(op) ? LLVMSExt : LLVMTrunc);
}
static void emit_index_castui(CakeEmitter *e, CakeOp *op) {
  convert(e, op, widens(op) ? LLVMZExt : LLVMTrunc);
}

static void emit_bitcast(CakeEmitter *e, CakeOp *op) {
  CakeRegs a = cake_emit_regs(e, cake_op_operand(op, 0)), regs = cake_emit_new_regs(e, a.n);
  LLVMTypeRef type;
  if (cake_emit_reg_type(e, cake_op_result(op, 0)->type, &type) != a.n) {
    cake_emit_fail(e, op, "reinterprets bits across registers, which the NVPTX target does not translate");
    return;
  }
  for (unsigned i = 0; i < a.n; ++i)
    regs.v[i] = LLVMBuildBitCast(e->builder, a.v[i], type, "");
  cake_emit_set(e, cake_op_result(op, 0), regs);
}

static CakeEmitFn const arith_table[] = {
    [cake_op_arith_constant] = emit_constant,
    [cake_op_arith_addi] = emit_addi,
    [cake_op_arith_subi] = emit_subi,
    [cake_op_arith_muli] = emit_muli,
    [cake_op_arith_divsi] = emit_divsi,
    [cake_op_arith_divui] = emit_divui,
    [cake_op_arith_remsi] = emit_remsi,
    [cake_op_arith_remui] = emit_remui,
    [cake_op_arith_ceildivsi] = emit_ceildivsi,
    [cake_op_arith_floordivsi] = emit_floordivsi,
    [cake_op_arith_andi] = emit_andi,
    [cake_op_arith_ori] = emit_ori,
    [cake_op_arith_xori] = emit_xori,
    [cake_op_arith_shli] = emit_shli,
    [cake_op_arith_shrsi] = emit_shrsi,
    [cake_op_arith_shrui] = emit_shrui,
    [cake_op_arith_maxsi] = emit_maxsi,
    [cake_op_arith_minsi] = emit_minsi,
    [cake_op_arith_maxui] = emit_maxui,
    [cake_op_arith_minui] = emit_minui,
    [cake_op_arith_addf] = emit_addf,
    [cake_op_arith_subf] = emit_subf,
    [cake_op_arith_mulf] = emit_mulf,
    [cake_op_arith_divf] = emit_divf,
    [cake_op_arith_negf] = emit_negf,
    [cake_op_arith_maximumf] = emit_maximumf,
    [cake_op_arith_minimumf] = emit_minimumf,
    [cake_op_arith_maxnumf] = emit_maxnumf,
    [cake_op_arith_minnumf] = emit_minnumf,
    [cake_op_arith_cmpi] = emit_cmpi,
    [cake_op_arith_cmpf] = emit_cmpf,
    [cake_op_arith_select] = emit_select,
    [cake_op_arith_extf] = emit_extf,
    [cake_op_arith_truncf] = emit_truncf,
    [cake_op_arith_extsi] = emit_extsi,
    [cake_op_arith_extui] = emit_extui,
    [cake_op_arith_trunci] = emit_trunci,
    [cake_op_arith_sitofp] = emit_sitofp,
    [cake_op_arith_uitofp] = emit_uitofp,
    [cake_op_arith_fptosi] = emit_fptosi,
    [cake_op_arith_fptoui] = emit_fptoui,
    [cake_op_arith_index_cast] = emit_index_cast,
    [cake_op_arith_index_castui] = emit_index_castui,
    [cake_op_arith_bitcast] = emit_bitcast,
};
_Static_assert(CAKE_COUNT(arith_table) == cake_op_arith_COUNT,
               "the table is as long as the dialect; an op without an entry is refused");

static CakeEmitFn const math_table[cake_op_math_COUNT] = {
    [cake_op_math_fma] = emit_fma,        [cake_op_math_absf] = emit_absf,        [cake_op_math_sqrt] = emit_sqrt,
    [cake_op_math_exp] = cake_emit_exp,   [cake_op_math_exp2] = cake_emit_exp2,   [cake_op_math_log] = cake_emit_log,
    [cake_op_math_log2] = cake_emit_log2, [cake_op_math_rsqrt] = cake_emit_rsqrt, [cake_op_math_tanh] = cake_emit_tanh};
_Static_assert(CAKE_COUNT(math_table) == cake_op_math_COUNT, "every math op has a translation");

CakeEmitFn cake_emit_arith(const CakeOp *op) {
  if (!op->info->def) return NULL;
  if (op->info->dialect == &cake_dialect_arith) return arith_table[op->info->def->ordinal];
  if (op->info->dialect == &cake_dialect_math) return math_table[op->info->def->ordinal];
  return NULL;
}
