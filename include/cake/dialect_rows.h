// Expands a dialect's rows into enumerators, constant descriptor tables and accessors. No include guard: included once an expansion.
//
// Before including, define CAKE_ROWS (the .def file as a string), CAKE_DIALECT (its name, an identifier), and one of
//   CAKE_ROWS_ENUM       enum { cake_op_<dialect>_<op>, … } and enumerators of groups and attributes
//   CAKE_ROWS_TABLE      `static const CakeOpDef cake_ops_<dialect>[]` (in the dialect's .c file)
//   CAKE_ROWS_ACCESSORS  `cake_<dialect>_<op>_<name>(op)` for operands, attributes, results and regions (only for files that work on that dialect)
//
// Rows of an op, in this order (all but OP and END may be left out):
//   OP(op, "name", "summary", .field = …, …)         fields of CakeOpDef; `op` is an identifier, "name" what follows the dialect in the text
//   OPERAND(op, name, &constraint, "doc")            one value       OPERAND_BORROWED: a linear value that is only borrowed
//   OPTIONAL_OPERAND / VARIADIC_OPERAND              none or one / any number
//   ATTR(op, name, &constraint, "doc")               required        OPTIONAL_ATTR; DEFAULT_ATTR(op, name, &c, "default text", "doc")
//   RESULT / OPTIONAL_RESULT / VARIADIC_RESULT
//   REGION(op, name, "doc", .field = …)              fields of CakeRegionDef
//   EFFECT(op, kind, space, proxy, "operand", "when" or NULL)
//   MOVE(op, kind, space, proxy, "operand", "value", "part" or NULL)    an effect on all that the operand names: see CakeEffect
//   END(op)
// A dialect may have its rows in several files, which its .def includes. Each begins with
//   ROWS(dialect, file, first)                       the number of its first op; files whose numbers overlap do not build
// and a header that expands one of them alone defines CAKE_ROWS_PART too.
// A misspelt field or hook does not compile. Every OP and REGION row has at least one field.

#include "cake/dialect_rows_clear.h"

#ifndef CAKE_DIALECT_ROWS_ONCE
#define CAKE_DIALECT_ROWS_ONCE
// Row number of an operand group, attribute, result group or region of an op: CAKE_GROUP(cake, load, at_idx).
#define CAKE_GROUP(dialect, op, name) ((uint32_t)(operand_at_##dialect##_##op##_##name - operand_begin_##dialect##_##op))
#define CAKE_ATTR_ROW(dialect, op, name) ((uint32_t)(attr_at_##dialect##_##op##_##name - attr_begin_##dialect##_##op))
#define CAKE_RESULT_ROW(dialect, op, name) ((uint32_t)(result_at_##dialect##_##op##_##name - result_begin_##dialect##_##op))
#define CAKE_REGION_ROW(dialect, op, name) ((uint32_t)(region_at_##dialect##_##op##_##name - region_begin_##dialect##_##op))
#endif

#if defined(CAKE_ROWS_ENUM)
// Positions in the dialect's flat tables. An op's rows of a kind are [begin, end); `*_back_*` entries only make the numbering go on.
#define CAKE_ROW_BEGIN(kind, op) \
  CAKE_CAT4(kind##_begin_, CAKE_DIALECT, _, op), CAKE_CAT4(kind##_bback_, CAKE_DIALECT, _, op) = CAKE_CAT4(kind##_begin_, CAKE_DIALECT, _, op) - 1,
#define CAKE_ROW_END(kind, op) \
  CAKE_CAT4(kind##_end_, CAKE_DIALECT, _, op), CAKE_CAT4(kind##_eback_, CAKE_DIALECT, _, op) = CAKE_CAT4(kind##_end_, CAKE_DIALECT, _, op) - 1,
#define CAKE_ROW_AT(kind, op, name) CAKE_CAT6(kind##_at_, CAKE_DIALECT, _, op, _, name),

#include "cake/dialect_rows_clear.h"
#undef ROWS
#undef OP
#define ROWS(dialect, file, first) cake_op_##dialect##_before_##file = first - 1,
#define OP(op, ...) CAKE_CAT4(cake_op_, CAKE_DIALECT, _, op),
enum {
#include CAKE_ROWS
#ifndef CAKE_ROWS_PART
  CAKE_CAT4(cake_op_, CAKE_DIALECT, _, COUNT)
#endif
};

#include "cake/dialect_rows_clear.h"
#undef OP
#undef END
#undef OPERAND
#undef OPERAND_BORROWED
#undef OPTIONAL_OPERAND
#undef OPTIONAL_OPERAND_BORROWED
#undef VARIADIC_OPERAND
#undef VARIADIC_OPERAND_BORROWED
#define OP(op, ...) CAKE_ROW_BEGIN(operand, op)
#define END(op) CAKE_ROW_END(operand, op)
#define OPERAND(op, name, ...) CAKE_ROW_AT(operand, op, name)
#define OPERAND_BORROWED(op, name, ...) CAKE_ROW_AT(operand, op, name)
#define OPTIONAL_OPERAND(op, name, ...) CAKE_ROW_AT(operand, op, name)
#define OPTIONAL_OPERAND_BORROWED(op, name, ...) CAKE_ROW_AT(operand, op, name)
#define VARIADIC_OPERAND(op, name, ...) CAKE_ROW_AT(operand, op, name)
#define VARIADIC_OPERAND_BORROWED(op, name, ...) CAKE_ROW_AT(operand, op, name)
enum {
#include CAKE_ROWS
};

#include "cake/dialect_rows_clear.h"
#undef OP
#undef END
#undef ATTR
#undef OPTIONAL_ATTR
#undef DEFAULT_ATTR
#define OP(op, ...) CAKE_ROW_BEGIN(attr, op)
#define END(op) CAKE_ROW_END(attr, op)
#define ATTR(op, name, ...) CAKE_ROW_AT(attr, op, name)
#define OPTIONAL_ATTR(op, name, ...) CAKE_ROW_AT(attr, op, name)
#define DEFAULT_ATTR(op, name, ...) CAKE_ROW_AT(attr, op, name)
enum {
#include CAKE_ROWS
};

#include "cake/dialect_rows_clear.h"
#undef OP
#undef END
#undef RESULT
#undef OPTIONAL_RESULT
#undef VARIADIC_RESULT
#define OP(op, ...) CAKE_ROW_BEGIN(result, op)
#define END(op) CAKE_ROW_END(result, op)
#define RESULT(op, name, ...) CAKE_ROW_AT(result, op, name)
#define OPTIONAL_RESULT(op, name, ...) CAKE_ROW_AT(result, op, name)
#define VARIADIC_RESULT(op, name, ...) CAKE_ROW_AT(result, op, name)
enum {
#include CAKE_ROWS
};

#include "cake/dialect_rows_clear.h"
#undef OP
#undef END
#undef REGION
#define OP(op, ...) CAKE_ROW_BEGIN(region, op)
#define END(op) CAKE_ROW_END(region, op)
#define REGION(op, name, ...) CAKE_ROW_AT(region, op, name)
enum {
#include CAKE_ROWS
};

#include "cake/dialect_rows_clear.h"
#undef OP
#undef END
#undef EFFECT
#undef MOVE
#define OP(op, ...) CAKE_ROW_BEGIN(effect, op)
#define END(op) CAKE_ROW_END(effect, op)
#define EFFECT(op, ...) CAKE_CAT6(effect_at_, CAKE_DIALECT, _, op, _, __LINE__),
#define MOVE(op, ...) EFFECT(op, )
enum {
#include CAKE_ROWS
};
#undef CAKE_ROW_BEGIN
#undef CAKE_ROW_END
#undef CAKE_ROW_AT
#undef CAKE_ROWS_ENUM
#undef CAKE_ROWS_PART
#endif

#if defined(CAKE_ROWS_TABLE)
#include "cake/dialect_rows_clear.h"
#undef OPERAND
#undef OPERAND_BORROWED
#undef OPTIONAL_OPERAND
#undef OPTIONAL_OPERAND_BORROWED
#undef VARIADIC_OPERAND
#undef VARIADIC_OPERAND_BORROWED
#define OPERAND(op, name, constraint, doc) {#name, constraint, doc, CAKE_SINGLE, CAKE_LINEAR_USES_UP},
#define OPERAND_BORROWED(op, name, constraint, doc) {#name, constraint, doc, CAKE_SINGLE, CAKE_LINEAR_BORROWS},
#define OPTIONAL_OPERAND(op, name, constraint, doc) {#name, constraint, doc, CAKE_OPTIONAL, CAKE_LINEAR_USES_UP},
#define OPTIONAL_OPERAND_BORROWED(op, name, constraint, doc) {#name, constraint, doc, CAKE_OPTIONAL, CAKE_LINEAR_BORROWS},
#define VARIADIC_OPERAND(op, name, constraint, doc) {#name, constraint, doc, CAKE_VARIADIC, CAKE_LINEAR_USES_UP},
#define VARIADIC_OPERAND_BORROWED(op, name, constraint, doc) {#name, constraint, doc, CAKE_VARIADIC, CAKE_LINEAR_BORROWS},
static const CakeOperandDef CAKE_CAT(cake_operands_, CAKE_DIALECT)[] = {
#include CAKE_ROWS
    {0}};
#include "cake/dialect_rows_clear.h"
#undef ATTR
#undef OPTIONAL_ATTR
#undef DEFAULT_ATTR
#define ATTR(op, name, constraint, doc) {#name, constraint, doc, false, NULL},
#define OPTIONAL_ATTR(op, name, constraint, doc) {#name, constraint, doc, true, NULL},
#define DEFAULT_ATTR(op, name, constraint, text, doc) {#name, constraint, doc, true, text},
static const CakeAttrRow CAKE_CAT(cake_attrs_, CAKE_DIALECT)[] = {
#include CAKE_ROWS
    {0}};
#include "cake/dialect_rows_clear.h"
#undef RESULT
#undef OPTIONAL_RESULT
#undef VARIADIC_RESULT
#define RESULT(op, name, constraint, doc) {#name, constraint, doc, CAKE_SINGLE},
#define OPTIONAL_RESULT(op, name, constraint, doc) {#name, constraint, doc, CAKE_OPTIONAL},
#define VARIADIC_RESULT(op, name, constraint, doc) {#name, constraint, doc, CAKE_VARIADIC},
static const CakeResultDef CAKE_CAT(cake_results_, CAKE_DIALECT)[] = {
#include CAKE_ROWS
    {0}};
#include "cake/dialect_rows_clear.h"
#undef REGION
#define REGION(op, region, documentation, ...) {.name = #region, .doc = documentation, __VA_ARGS__},
static const CakeRegionDef CAKE_CAT(cake_regions_, CAKE_DIALECT)[] = {
#include CAKE_ROWS
    {0}};
#include "cake/dialect_rows_clear.h"
#undef EFFECT
#undef MOVE
#define EFFECT(op, kind, space, proxy, operand, when) {CAKE_EFFECT_##kind, CAKE_SPACE_##space, CAKE_PROXY_##proxy, operand, when, NULL, NULL},
#define MOVE(op, kind, space, proxy, operand, value, part) {CAKE_EFFECT_##kind, CAKE_SPACE_##space, CAKE_PROXY_##proxy, operand, NULL, value, part},
static const CakeEffect CAKE_CAT(cake_effects_, CAKE_DIALECT)[] = {
#include CAKE_ROWS
    {0}};
#include "cake/dialect_rows_clear.h"
#undef OP
#define CAKE_ROW_SLICE(field, kind, op) \
  .field = &CAKE_CAT4(cake_, field, _, CAKE_DIALECT)[CAKE_CAT4(kind##_begin_, CAKE_DIALECT, _, op)], \
  .n_##field = CAKE_CAT4(kind##_end_, CAKE_DIALECT, _, op) - CAKE_CAT4(kind##_begin_, CAKE_DIALECT, _, op)
#define OP(op, text, brief, ...) \
  {.name = text, .dialect = &CAKE_CAT(cake_dialect_, CAKE_DIALECT), .ordinal = CAKE_CAT4(cake_op_, CAKE_DIALECT, _, op), .summary = brief, \
   CAKE_ROW_SLICE(operands, operand, op), CAKE_ROW_SLICE(attrs, attr, op), CAKE_ROW_SLICE(results, result, op), \
   CAKE_ROW_SLICE(regions, region, op), CAKE_ROW_SLICE(effects, effect, op), __VA_ARGS__},
static const CakeOpDef CAKE_CAT(cake_ops_, CAKE_DIALECT)[] = {
#include CAKE_ROWS
};
#undef CAKE_ROW_SLICE
#undef CAKE_ROWS_TABLE
#endif

#if defined(CAKE_ROWS_ACCESSORS)
#include "cake/dialect_rows_clear.h"
#undef OPERAND
#undef OPERAND_BORROWED
#undef OPTIONAL_OPERAND
#undef OPTIONAL_OPERAND_BORROWED
#undef VARIADIC_OPERAND
#undef VARIADIC_OPERAND_BORROWED
#undef ATTR
#undef OPTIONAL_ATTR
#undef DEFAULT_ATTR
#undef RESULT
#undef OPTIONAL_RESULT
#undef VARIADIC_RESULT
#undef REGION
#define CAKE_ROW_GROUP(kind, op, name) \
  ((uint32_t)(CAKE_CAT6(kind##_at_, CAKE_DIALECT, _, op, _, name) - CAKE_CAT4(kind##_begin_, CAKE_DIALECT, _, op)))
#define CAKE_ROW_ONE(o, name) \
  static inline CakeValue *CAKE_CAT6(cake_, CAKE_DIALECT, _, o, _, name)(const CakeOp *op) { \
    return cake_op_operand_single(op, CAKE_ROW_GROUP(operand, o, name)); \
  }
#define CAKE_ROW_MANY(o, name) \
  static inline CakeOperandRange CAKE_CAT6(cake_, CAKE_DIALECT, _, o, _, name)(const CakeOp *op) { \
    return cake_op_operand_group(op, CAKE_ROW_GROUP(operand, o, name)); \
  }
#define CAKE_ROW_ATTR(o, name) \
  static inline CakeAttr CAKE_CAT6(cake_, CAKE_DIALECT, _, o, _, name)(const CakeOp *op) { \
    return cake_op_prop(op, CAKE_ROW_GROUP(attr, o, name)); \
  }
#define CAKE_ROW_RESULT(o, name) \
  static inline CakeValue *CAKE_CAT6(cake_, CAKE_DIALECT, _, o, _, name)(const CakeOp *op) { \
    CakeResultRange range = cake_op_result_group(op, CAKE_ROW_GROUP(result, o, name)); \
    return range.count ? range.first : NULL; \
  }
#define CAKE_ROW_RESULTS(o, name) \
  static inline CakeResultRange CAKE_CAT6(cake_, CAKE_DIALECT, _, o, _, name)(const CakeOp *op) { \
    return cake_op_result_group(op, CAKE_ROW_GROUP(result, o, name)); \
  }
#define CAKE_ROW_REGION(o, name) \
  static inline CakeRegion *CAKE_CAT6(cake_, CAKE_DIALECT, _, o, _, name)(const CakeOp *op) { \
    return cake_op_region(op, CAKE_ROW_GROUP(region, o, name)); \
  }
#define OPERAND(op, name, ...) CAKE_ROW_ONE(op, name)
#define OPERAND_BORROWED(op, name, ...) CAKE_ROW_ONE(op, name)
#define OPTIONAL_OPERAND(op, name, ...) CAKE_ROW_ONE(op, name)
#define OPTIONAL_OPERAND_BORROWED(op, name, ...) CAKE_ROW_ONE(op, name)
#define VARIADIC_OPERAND(op, name, ...) CAKE_ROW_MANY(op, name)
#define VARIADIC_OPERAND_BORROWED(op, name, ...) CAKE_ROW_MANY(op, name)
#define ATTR(op, name, ...) CAKE_ROW_ATTR(op, name)
#define OPTIONAL_ATTR(op, name, ...) CAKE_ROW_ATTR(op, name)
#define DEFAULT_ATTR(op, name, ...) CAKE_ROW_ATTR(op, name)
#define RESULT(op, name, ...) CAKE_ROW_RESULT(op, name)
#define OPTIONAL_RESULT(op, name, ...) CAKE_ROW_RESULT(op, name)
#define VARIADIC_RESULT(op, name, ...) CAKE_ROW_RESULTS(op, name)
#define REGION(op, name, ...) CAKE_ROW_REGION(op, name)
#include CAKE_ROWS
#undef CAKE_ROW_GROUP
#undef CAKE_ROW_ONE
#undef CAKE_ROW_MANY
#undef CAKE_ROW_ATTR
#undef CAKE_ROW_RESULT
#undef CAKE_ROW_RESULTS
#undef CAKE_ROW_REGION
#undef CAKE_ROWS_ACCESSORS
#endif

#include "cake/dialect_rows_clear.h"
#undef ROWS
#undef OP
#undef END
#undef OPERAND
#undef OPERAND_BORROWED
#undef OPTIONAL_OPERAND
#undef OPTIONAL_OPERAND_BORROWED
#undef VARIADIC_OPERAND
#undef VARIADIC_OPERAND_BORROWED
#undef ATTR
#undef OPTIONAL_ATTR
#undef DEFAULT_ATTR
#undef RESULT
#undef OPTIONAL_RESULT
#undef VARIADIC_RESULT
#undef REGION
#undef EFFECT
#undef MOVE
#undef CAKE_DIALECT
#undef CAKE_ROWS
