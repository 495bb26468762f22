// What the files of rewrites as text share. Private to ir/.
//
// A rewrite is kept as IR: its before and its after are blocks of ordinary ops in which variables stand for types and attributes,
// and block arguments for values from outside. Matching walks from the last op of the before along its operands; applying copies
// the ops of the after.
#ifndef CAKE_IR_REWRITE_H
#define CAKE_IR_REWRITE_H

#include "cake/rewrites.h"
#include "pattern.h"
#include "parser.h"

enum {
  CAKE_REWRITE_VARS = 32, // variables of a kind, and ops of a before, that one rewrite may have
  CAKE_REWRITE_OPS = 16,
  CAKE_REWRITE_ARGS = 3, // of a clause
  CAKE_REWRITE_SWAPS = 6 // commutative ops that are tried both ways
};

// ---- Variables (rewrite_vars.c) ------------------------------------------------------------------------------------

// `number`: among the variables of its kind. `type` of an attribute variable: that of the attributes that it stands for; NULL: any.
CakeType cake_rewrite_type_var(CakeContext *context, CakeId name, size_t number);
CakeAttr cake_rewrite_attr_var(CakeContext *context, CakeId name, size_t number, CakeType type);
// The number of a variable; -1 for all else.
int cake_rewrite_type_var_number(CakeType type);
int cake_rewrite_attr_var_number(CakeAttr attr);

// ---- Rewrites ------------------------------------------------------------------------------------------------------

// A line of `where`.
typedef struct RewriteClause {
  const CakeRewriteNative *native;
  const char *name; // as it is written
  bool negated;
  int target; // number of the attribute variable that gets what it computes; -1: a check
  CakeRewriteArg args[CAKE_REWRITE_ARGS];
  uint32_t n_args;
  CakeStr text; // as written
} RewriteClause;

typedef struct Rewrite {
  CakePattern pattern; // first: a CakePattern * is a Rewrite *
  CakeLoc loc;
  bool is_canonical;
  CakeBlock *before, *after;
  CakeOp *ops[CAKE_REWRITE_OPS]; // of the before; the last one is the root
  uint32_t n_ops, n_types, n_attrs;
  uint32_t n_swaps; // commutative ops of two operands among them
  RewriteClause *clauses;
  uint32_t n_clauses;
  CakeValue **results; // what the root's results become: values of the before or the after
} Rewrite;

// What the variables of a rewrite stand for at one place.
typedef struct RewriteMatch {
  const Rewrite *rewrite;
  CakeRewriter *rewriter; // told why it does not match
  unsigned swaps;         // bit i: the i-th commutative op of the before has its operands the other way round
  CakeOp *ops[CAKE_REWRITE_OPS];
  CakeValue *values[CAKE_REWRITE_VARS]; // by argument of the before
  CakeType types[CAKE_REWRITE_VARS];
  CakeAttr attrs[CAKE_REWRITE_VARS];
} RewriteMatch;

// The op's position in the before; -1 when it is not there.
int cake_rewrite_op_number(const Rewrite *rewrite, const CakeOp *op);
// rewrite_match.c: whether the before matches at `op`, and `where` holds. False: the rewriter was told why.
bool cake_rewrite_match(RewriteMatch *match, CakeOp *op);
bool cake_rewrite_match_type(RewriteMatch *match, CakeType pattern, CakeType type);
bool cake_rewrite_match_attr(RewriteMatch *match, CakeAttr pattern, CakeAttr attr);
// The value that a value of the before stands for.
CakeValue *cake_rewrite_bound_value(const RewriteMatch *match, const CakeValue *value);
// With the variables replaced by what they stand for.
CakeType cake_rewrite_bound_type(const RewriteMatch *match, CakeType type);
CakeAttr cake_rewrite_bound_attr(const RewriteMatch *match, CakeAttr attr);
// rewrite_apply.c: copies of a rewrite's ops with the variables replaced, made where the rewriter stands.
typedef struct RewriteCopy {
  RewriteMatch *match;
  CakeMap made; // value of the rewrite → that of its copy; others are what they are bound to
} RewriteCopy;
CakeOp *cake_rewrite_make(RewriteCopy *copy, const CakeOp *op); // NULL: its types cannot be inferred, reported
CakeValue *cake_rewrite_made_value(const RewriteCopy *copy, const CakeValue *value);
// CakePattern.rewrite of a Rewrite.
bool cake_rewrite_apply(const CakePattern *pattern, CakeOp *op, CakeRewriter *rewriter);

// rewrite_natives.c: arguments are what the variables stand for.
CakeAttr cake_rewrite_one_of(CakeType type); // 1 of that type; NULL: it has no numbers

// rewrite_check.c: tries the rewrite on usual types and numbers; a before that verifies must have an after that does. False: reported.
bool cake_rewrite_check_types(CakeContext *context, Rewrite *rewrite, CakeLoc loc);

// rewrite_parse.c: one `rewrite @name …`; NULL: reported. rewrite_where.c: `{ … }` behind `where`.
Rewrite *cake_rewrite_parse(CakeParser *parser);
bool cake_rewrite_parse_where(CakeParser *parser, Rewrite *rewrite);

#endif
