// arith's folders and canonicalisers, and the constants that they work on. Private to dialects/arith and dialects/math.
#ifndef CAKE_DIALECTS_ARITH_HOOKS_H
#define CAKE_DIALECTS_ARITH_HOOKS_H

#include "dialects/arith/arith.h"

// A constant that can be computed with: a scalar, or the elements of a vector or tensor. Integers up to 64 bits; index counts as 64.
typedef struct ArithConst {
  CakeAttr attr;
  CakeType element;
  int64_t count; // elements that are stored: 1 for a scalar or splat
  bool is_dense;
  bool is_float;
  unsigned width; // bits of an integer element
} ArithConst;

// False: not constant (NULL), or of a kind that cannot be computed with.
bool arith_const_read(CakeAttr attr, ArithConst *out);
uint64_t arith_const_bits(const ArithConst *constant, int64_t index);  // integer element, zero-extended
int64_t arith_const_signed(const ArithConst *constant, int64_t index); // sign-extended
double arith_const_float(const ArithConst *constant, int64_t index);
// Whether every element is this integer (sign-extended), or this float with this sign of zero.
bool arith_const_all_of(CakeAttr attr, int64_t value); // attr != NULL
bool arith_const_all_float(CakeAttr attr, double value);
bool arith_const_all_nan(CakeAttr attr);
static inline bool arith_const_all(CakeAttr attr, int64_t value) { return attr && arith_const_all_of(attr, value); }
// A constant of `type` (scalar, vector or tensor) with every element this value.
CakeAttr arith_const_splat(CakeType type, int64_t value);

// Elementwise computation. The callback gets the operands' elements of one place and returns false where nothing can be said.
typedef struct ArithElement {
  uint64_t bits; // integer, zero-extended
  int64_t value; // integer, sign-extended
  double number; // float
} ArithElement;
typedef struct ArithEval {
  const CakeOp *op;
  unsigned width;        // of the integer operands
  unsigned out_width;    // of an integer result
  CakeFoldFloats floats; // of cake_fold_floats
  size_t n;
} ArithEval;
typedef bool (*ArithFn)(const ArithEval *eval, const ArithElement *in,
                        ArithElement *out); // an integer result goes into `bits`
bool arith_eval_addi(const ArithEval *eval, const ArithElement *in, ArithElement *out);
bool arith_eval_subi(const ArithEval *eval, const ArithElement *in, ArithElement *out);
bool arith_eval_muli(const ArithEval *eval, const ArithElement *in, ArithElement *out);
// What a fold of one result comes to: a value; an attribute (NULL: nothing); the constants of all operands by `fn`.
bool arith_to_value(CakeFold *fold, CakeValue *value);
bool arith_to_attr(CakeFold *fold, CakeAttr attr);
bool arith_to_constants(CakeOp *op, CakeFold *fold, ArithFn fn);
// Whether the op (may be NULL) is the one of this enumerator.
static inline bool arith_is(const CakeOp *op, int ordinal) {
  return op && op->info->def == &cake_dialect_arith.ops[ordinal];
}
CakeAttr arith_const_map(const CakeOp *op, const CakeAttr *operands, size_t n, CakeType result, ArithFn fn);

// By a constant that is not 0, and if the division is signed not -1 (the smallest number has no negative).
bool arith_signed_division_is_speculatable(const CakeOp *op);
bool arith_unsigned_division_is_speculatable(const CakeOp *op);

#define ARITH_FOLDERS(X)                                                                                               \
  X(constant)                                                                                                          \
  X(addi)                                                                                                              \
  X(subi)                                                                                                              \
  X(muli)                                                                                                              \
  X(divsi) X(divui) X(remsi) X(remui) X(ceildivsi) X(ceildivui) X(floordivsi) X(andi) X(ori) X(xori) X(shli) X(shrsi)  \
      X(shrui) X(maxsi) X(minsi) X(maxui) X(minui) X(addf) X(subf) X(mulf) X(divf) X(remf) X(maximumf) X(minimumf)     \
          X(maxnumf) X(minnumf) X(negf) X(cmpi) X(cmpf) X(select) X(extf) X(truncf) X(extsi) X(extui) X(trunci)        \
              X(sitofp) X(uitofp) X(fptosi) X(fptoui) X(index_cast) X(index_castui) X(bitcast) X(addui_extended)      \
                  X(mulsi_extended) X(mului_extended)
#define X(op) bool arith_##op##_fold(CakeOp *op, CakeFold *fold);
ARITH_FOLDERS(X)
#undef X

bool arith_addi_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool arith_subi_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool arith_muli_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool arith_extsi_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool arith_extui_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool arith_trunci_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool arith_truncf_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool arith_index_cast_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool arith_index_castui_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool arith_bitcast_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool arith_select_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool arith_cmpi_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool arith_andi_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool arith_ori_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool arith_xori_canonicalize(CakeOp *op, CakeRewriter *rewriter);
bool arith_negated_canonicalize(CakeOp *op, CakeRewriter *rewriter); // of mulf and divf

#endif
