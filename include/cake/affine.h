// Affine expressions, maps and integer sets: `affine_map<(d0, d1)[s0] -> (d0 + s0, d1 mod 8)>`, `affine_set<(d0) : (d0 >= 0)>`.
//
// An expression is an attribute (uniqued, so that equality is `==`) that never stands alone in text. Constructors simplify as MLIR's do, so
// that both print the same. Constants are 64-bit; sums and products of constants that overflow stay unfolded.
#ifndef CAKE_AFFINE_H
#define CAKE_AFFINE_H

#include "cake/type.h"

CAKE_BEGIN_C

typedef enum CakeAffineKind {
  CAKE_AFFINE_DIM,
  CAKE_AFFINE_SYMBOL,
  CAKE_AFFINE_CONSTANT,
  CAKE_AFFINE_ADD,
  CAKE_AFFINE_MUL,
  CAKE_AFFINE_FLOORDIV,
  CAKE_AFFINE_CEILDIV,
  CAKE_AFFINE_MOD,
} CakeAffineKind;

extern const CakeAttrDef cake_attr_def_affine_expr, cake_attr_def_affine_map, cake_attr_def_affine_set;

CakeAttr cake_affine_dim(CakeContext *context, int64_t index);
CakeAttr cake_affine_symbol(CakeContext *context, int64_t index);
CakeAttr cake_affine_constant(CakeContext *context, int64_t value);
// Of ADD … MOD. One factor, or the divisor, must be symbolic (cake_affine_is_symbolic).
CakeAttr cake_affine_binary(CakeAffineKind kind, CakeAttr lhs, CakeAttr rhs);
CakeAttr cake_affine_negate(CakeAttr expr);

CakeAffineKind cake_affine_kind(CakeAttr expr);
int64_t cake_affine_value(CakeAttr expr); // index of a dimension or symbol, value of a constant
CakeAttr cake_affine_lhs(CakeAttr expr);
CakeAttr cake_affine_rhs(CakeAttr expr);
bool cake_affine_is_symbolic(CakeAttr expr); // no dimension in it
bool cake_affine_is_constant(CakeAttr expr);
int64_t cake_affine_depth(CakeAttr expr); // of operations inside one another

CakeAttr cake_affine_map(CakeContext *context, int64_t n_dims, int64_t n_symbols, const CakeAttr *results, size_t count);
// `is_equal[i]`: constraint i is `== 0`, else `>= 0`.
CakeAttr cake_affine_set(CakeContext *context, int64_t n_dims, int64_t n_symbols, const CakeAttr *constraints, const bool *is_equal,
                         size_t count);
// Of a map or set.
int64_t cake_affine_dims(CakeAttr map);
int64_t cake_affine_symbols(CakeAttr map);
size_t cake_affine_count(CakeAttr map); // results or constraints
CakeAttr cake_affine_result(CakeAttr map, size_t index);
bool cake_affine_is_equality(CakeAttr set, size_t index);
bool cake_affine_is_identity(CakeAttr map); // the dimensions in order (symbols may be declared)

CAKE_END_C
#endif
