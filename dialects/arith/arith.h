// arith: its attributes and what its files share. Enumerators of its ops come from arith_ops.h.
#ifndef CAKE_DIALECTS_ARITH_H
#define CAKE_DIALECTS_ARITH_H

#include "cake/dialect.h"

CAKE_BEGIN_C

extern const CakeDialectDef cake_dialect_arith;

static inline bool cake_is_arith_op(const CakeOp *op, int enumerator) {
  return op->info->def && op->info->dialect == &cake_dialect_arith && op->info->def->ordinal == (uint32_t)enumerator;
}

// #arith.fastmath<…>: one parameter, a set of these bits. #arith.overflow<…> likewise.
extern const CakeAttrDef cake_attr_def_arith_fastmath, cake_attr_def_arith_overflow;

typedef enum CakeFastMath {
  CAKE_FASTMATH_NONE = 0,
  CAKE_FASTMATH_REASSOC = 1 << 0,
  CAKE_FASTMATH_NNAN = 1 << 1,
  CAKE_FASTMATH_NINF = 1 << 2,
  CAKE_FASTMATH_NSZ = 1 << 3,
  CAKE_FASTMATH_ARCP = 1 << 4,
  CAKE_FASTMATH_CONTRACT = 1 << 5,
  CAKE_FASTMATH_AFN = 1 << 6,
  CAKE_FASTMATH_FAST = (1 << 7) - 1,
} CakeFastMath;

typedef enum CakeOverflow {
  CAKE_OVERFLOW_NONE = 0,
  CAKE_OVERFLOW_NSW = 1 << 0,
  CAKE_OVERFLOW_NUW = 1 << 1,
} CakeOverflow;

// Predicates of arith.cmpi and arith.cmpf, by number.
typedef enum CakeIntPredicate {
  CAKE_CMPI_EQ,
  CAKE_CMPI_NE,
  CAKE_CMPI_SLT,
  CAKE_CMPI_SLE,
  CAKE_CMPI_SGT,
  CAKE_CMPI_SGE,
  CAKE_CMPI_ULT,
  CAKE_CMPI_ULE,
  CAKE_CMPI_UGT,
  CAKE_CMPI_UGE,
  CAKE_CMPI_COUNT,
} CakeIntPredicate;
typedef enum CakeFloatPredicate {
  CAKE_CMPF_FALSE,
  CAKE_CMPF_OEQ,
  CAKE_CMPF_OGT,
  CAKE_CMPF_OGE,
  CAKE_CMPF_OLT,
  CAKE_CMPF_OLE,
  CAKE_CMPF_ONE,
  CAKE_CMPF_ORD,
  CAKE_CMPF_UEQ,
  CAKE_CMPF_UGT,
  CAKE_CMPF_UGE,
  CAKE_CMPF_ULT,
  CAKE_CMPF_ULE,
  CAKE_CMPF_UNE,
  CAKE_CMPF_UNO,
  CAKE_CMPF_TRUE,
  CAKE_CMPF_COUNT,
} CakeFloatPredicate;

CakeAttr cake_attr_arith_fastmath(CakeContext *context, unsigned flags);
CakeAttr cake_attr_arith_overflow(CakeContext *context, unsigned flags);
// The flags of such an attribute; 0 when it is absent (NULL).
unsigned cake_attr_arith_flags(CakeAttr attr);
// `<flag, …>` of such an attribute, from characters (cake/asm.h).
bool cake_quick_arith_flags(CakeQuick *quick, const CakeAttrDef *def, CakeAttr *out);

// For dialects whose ops carry the same properties (math): the constraint and the format directive.
extern const CakeAttrConstraint cake_attr_is_fastmath;
extern const CakeAsmDirective
    cake_arith_flags_directive; // `fastmath` custom<flags>($fastmath): the part behind the keyword

// Elementwise folding over the constants of scalars, vectors and tensors. NULL where nothing can be said.
typedef bool (*CakeFoldFloats)(const double *in, size_t n, double *out);
// `result`: the op's result type. All operands must be constant floats of one shape.
CakeAttr cake_fold_floats(const CakeAttr *operands, size_t n, CakeType result, CakeFoldFloats fn);

CAKE_END_C
#endif
