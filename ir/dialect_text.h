// What the files of dialects as text share. Private to ir/.
//
// Descriptors are the structs that rows expand to; what these have no room for (constraints with data, parameters, variables) stands
// behind them in larger structs, or in a table beside the ops, found by the op's ordinal.
#ifndef CAKE_IR_DIALECT_TEXT_H
#define CAKE_IR_DIALECT_TEXT_H

#include "cake/dialect_text.h"
#include "parser.h"

enum { CAKE_MADE_PARAMS = 8, CAKE_MADE_VARS = 8 };

// One of these holds: a built-in constraint, a type, or a kind of type.
typedef struct MadeAlternative {
  const CakeTypeConstraint *constraint;
  CakeType type;
  const CakeTypeDef *kind;
} MadeAlternative;

typedef struct MadeTypeConstraint {
  CakeTypeConstraint base; // first; `test` is NULL
  MadeAlternative *alternatives;
  size_t count;
} MadeTypeConstraint;

typedef struct MadeAttrConstraint {
  CakeAttrConstraint base; // first; `test` is NULL
  const CakeAttrConstraint **constraints;
  size_t n_constraints;
  CakeAttr *values;
  size_t n_values;
} MadeAttrConstraint;

// A parameter of a type or attribute.
typedef struct MadeParam {
  CakeId name;
  CakeParamKind kind; // INT, ID (a string), TYPE, ATTR
} MadeParam;

typedef struct MadeTypeDef {
  CakeTypeDef base; // first
  MadeParam params[CAKE_MADE_PARAMS];
  uint32_t n_params;
} MadeTypeDef;

typedef struct MadeAttrDef {
  CakeAttrDef base; // first
  MadeParam params[CAKE_MADE_PARAMS];
  uint32_t n_params;
} MadeAttrDef;

// What an op has beside its descriptor: its type variables.
typedef struct MadeVar {
  CakeId name;
  const CakeTypeConstraint *constraint;
} MadeVar;

typedef struct MadeOp {
  MadeVar vars[CAKE_MADE_VARS];
  uint32_t n_vars;
  int8_t *operand_vars, *result_vars; // by row; -1: none
  CakeType *result_types;             // by row: the one type that it can have; NULL: none
} MadeOp;

typedef struct MadeDialect {
  CakeDialectDef base; // first
  MadeOp *ops;         // by ordinal
} MadeDialect;

// A copy of a vector's elements in an arena.
#define CAKE_MADE_KEEP(arena, vec) cake_made_keep((arena), (vec).data, (vec).len * sizeof *(vec).data)
static inline void *cake_made_keep(CakeArena *arena, const void *data, size_t size) {
  void *kept = cake_arena_alloc(arena, size + 1);
  if (size) memcpy(kept, data, size);
  return kept;
}

// dialect_types.c: definitions of types and attributes. The current token is behind the name; `def` has name and dialect.
bool cake_made_type_parse_params(CakeParser *parser, MadeTypeDef *def);
bool cake_made_attr_parse_params(CakeParser *parser, MadeAttrDef *def);
// dialect_constraints.c: `integer | f32 | !toy.box` for a row. NULL: reported. `vars`, `out_var`: a variable `!T` may stand alone (may be NULL).
const CakeTypeConstraint *cake_made_type_constraint(CakeParser *parser, const MadeDialect *dialect, const MadeOp *op,
                                                    int *out_var, CakeType *out_only);
const CakeAttrConstraint *cake_made_attr_constraint(CakeParser *parser);
// dialect_ops.c: hooks of ops with variables.
bool cake_made_op_verify(CakeOp *op);
bool cake_made_op_infer(CakeInference *inference);
// Behind `op @name "summary"`: its rows, up to `}`.
bool cake_made_op_parse(CakeParser *parser, MadeDialect *dialect, CakeOpDef *def, MadeOp *made);

#endif
