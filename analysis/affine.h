// Expressions as sums: constant + Σ factor · atom. For proving that a tile lies in its array, and that a predicate says
// the same.
//
// An atom is a size or parameter name, an index of the items or steps of an iterator (the same in every role), an
// element's row or column, `instance`, any other value, or a product, quotient or remainder that cannot be taken apart.
#ifndef CAKE_ANALYSIS_AFFINE_H
#define CAKE_ANALYSIS_AFFINE_H

#include "dialects/cake/cake.h"

typedef enum CakeAtomKind {
  CAKE_ATOM_NAME,  // key: CakeId
  CAKE_ATOM_ITEM,  // key: cake.tiles op, index: axis
  CAKE_ATOM_STEP,  // key: cake.tiles op
  CAKE_ATOM_VALUE, // key: CakeValue
  CAKE_ATOM_LEAF,  // index: CakeExprKind (row, col, instance, rank)
  CAKE_ATOM_EXPR,  // key: an expression without operands
} CakeAtomKind;

typedef struct CakeAtom {
  CakeAtomKind kind;
  uint32_t index;
  const void *key;
} CakeAtom;

enum { CAKE_SUM_TERMS = 12 };

typedef struct CakeSum {
  int64_t constant;
  size_t count;
  CakeAtom atoms[CAKE_SUM_TERMS];
  int64_t factors[CAKE_SUM_TERMS]; // none is 0
} CakeSum;

// What an expression's leaves stand for.
typedef struct CakeSumEnv {
  CakeOperandRange operands; // of dN
} CakeSumEnv;

// False: too large, an overflow, or an operand inside of a quotient.
bool cake_sum_of(CakeAttr expr, const CakeSumEnv *env, CakeSum *out);
// out = a + factor · b
bool cake_sum_add(const CakeSum *a, int64_t factor, const CakeSum *b, CakeSum *out);
CakeSum cake_sum_constant(int64_t value);
// Puts `by` in the place of an atom. False: as of cake_sum_add.
bool cake_sum_replace(CakeSum *sum, size_t atom, const CakeSum *by);
// The difference when it is a constant.
bool cake_sum_difference(const CakeSum *a, const CakeSum *b, int64_t *out);
// An upper bound over all items, steps and replicas at which `op` runs; what bounds them stays (`N - 1`). False: none
// is known.
bool cake_sum_upper(const CakeOp *op, const CakeSum *sum, CakeSum *out);
// Whether the value is ≥ 0 wherever `op` runs: sizes are, indices are, and factors must be.
bool cake_sum_is_positive(const CakeOp *op, const CakeSum *sum);

// The largest number that is known to divide an expression (0: it is 0). Uses the choices of parameters and the
// guard (`N mod 8 eq 0`) of the kernel, or of the gpu.func that it became.
int64_t cake_expr_divisor(const CakeOp *op, CakeAttr expr);
// A number that divides the bytes from one index of a dimension of an array to the next; 0: the stride is 0.
int64_t cake_stride_divisor(const CakeOp *op, CakeType global, size_t dim);

// Whether the kernel's guard says that `divisor` divides `expr` (`H mod G eq 0`).
bool cake_guard_divides(const CakeOp *op, CakeAttr expr, CakeAttr divisor);

// The least value that the kernel's guard promises for a size (`N ge 64`); 0: none.
int64_t cake_guard_least(const CakeOp *op, CakeId name);
// A lower bound of an expression over sizes, which are never negative; INT32_MIN: none is known.
int64_t cake_expr_least(const CakeOp *op, CakeAttr expr);

#endif
