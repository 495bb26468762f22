// The dialect of unit_dialect.def, and short ways to make its ops, for the unit tests of the core.
#ifndef CAKE_TESTS_UNIT_DIALECT_H
#define CAKE_TESTS_UNIT_DIALECT_H

#include "cake/dialect.h"

extern const CakeDialectDef cake_dialect_unit;

#define CAKE_ROWS "tests/unit/unit_dialect.def"
#define CAKE_DIALECT unit
#define CAKE_ROWS_ENUM
#include "cake/dialect_rows.h"

#define CAKE_ROWS "tests/unit/unit_dialect.def"
#define CAKE_DIALECT unit
#define CAKE_ROWS_ACCESSORS
#include "cake/dialect_rows.h"

static bool infer_twice(CakeInference *inference) {
  inference->types[0] = inference->operands[0]->type;
  inference->n_types = 1;
  return true;
}

static bool verify_twice(CakeOp *op) {
  if (cake_type_is_index(op->results[0].type)) return cake_error(op, CAKE_CODE_IR_SEMANTICS, "dislikes index");
  return true;
}

#define CAKE_ROWS "tests/unit/unit_dialect.def"
#define CAKE_DIALECT unit
#define CAKE_ROWS_TABLE
#include "cake/dialect_rows.h"

const CakeDialectDef cake_dialect_unit = {
    .name = "unit", .summary = "For tests", .ops = cake_ops_unit, .n_ops = CAKE_COUNT(cake_ops_unit)};

static inline CakeValue *make_source(CakeRewriter *rewriter, CakeType type) {
  return cake_build1(rewriter, "unit.source", type, NULL, 0);
}

static inline CakeOp *make_op(CakeRewriter *rewriter, const char *name, size_t n_regions) {
  CakeBuild build = {.name = name, .n_regions = n_regions};
  return cake_rewriter_build(rewriter, &build);
}

#endif
