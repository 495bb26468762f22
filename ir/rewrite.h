// What the files of rewrites as text share. Private to ir/.
//
// A rewrite is kept as IR: its before and its after are blocks of ordinary ops in which variables stand for types and attributes,
// and block arguments for values from outside. Matching walks from the last op of the before along its operands and into its regions;
// applying copies the ops of the after and moves what the before has bound.
//
// A value whose type is a range of types (`!Ts...`) stands for any number of values. Of each group of operands, of the results and of
// the arguments of a block at most one does, so that the others say where it ends.
#ifndef CAKE_IR_REWRITE_H
#define CAKE_IR_REWRITE_H

#include "cake/rewrites.h"
#include "pattern.h"
#include "parser.h"

enum {
  CAKE_REWRITE_VARS = 32, // variables of a kind, and ops of a before, that one rewrite may have
  CAKE_REWRITE_OPS = 32,
  CAKE_REWRITE_BLOCKS = 32, // regions and blocks that a before names or shows
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
static inline bool cake_rewrite_is_range(CakeType type) {
  return type && type->def == &cake_type_def_variable && type->params[2].i;
}

// ---- Lists of values -----------------------------------------------------------------------------------------------

typedef CAKE_VEC(CakeValue *) RewriteValues;
typedef CAKE_VEC(CakeType) RewriteTypes;

// Operands, results or arguments as one list: one of the three is there.
typedef struct RewriteList {
  CakeUse *uses;
  CakeValue *results;
  CakeValue *const *args;
  uint32_t count;
  uint32_t range; // of a pattern: where its range stands; its length when there is none
} RewriteList;
static inline CakeValue *cake_rewrite_list_at(const RewriteList *list, uint32_t i) {
  return list->uses ? list->uses[i].value : list->results ? list->results + i : list->args[i];
}
static inline RewriteList cake_rewrite_uses(const CakeOp *op, uint32_t first, uint32_t count) {
  return (RewriteList){.uses = op->operands + first, .count = count};
}
static inline RewriteList cake_rewrite_results(const CakeOp *op) {
  return (RewriteList){.results = cake_op_result(op, 0), .count = op->n_results};
}
static inline RewriteList cake_rewrite_args(const CakeBlock *block) {
  return (RewriteList){.args = block->args, .count = block->n_args};
}
// The list as a pattern.
static inline RewriteList cake_rewrite_pattern(RewriteList list) {
  while (list.range < list.count && !cake_rewrite_is_range(cake_rewrite_list_at(&list, list.range)->type))
    list.range++;
  return list;
}
// A part of a list of values.
typedef struct RewriteSpan {
  uint32_t first, count;
  bool is_bound;
} RewriteSpan;
// What value `index` of a pattern is in a list of `count` values that fits it.
static inline RewriteSpan cake_rewrite_slice(const RewriteList *pattern, uint32_t index, uint32_t count) {
  uint32_t length = count + 1 - pattern->count; // of the range: the others are one each
  return (RewriteSpan){index > pattern->range ? index + length - 1 : index, index == pattern->range ? length : 1, true};
}
// The groups of the operands of a pattern's op that are matched apart: those of its rows where their sizes are written, else one of all.
uint32_t cake_rewrite_groups(const CakeOp *op, int32_t *out_sizes);

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

typedef enum RewriteBlockKind {
  REWRITE_SUCCESSOR, // a block from outside: `^bb` in the declarations
  REWRITE_REGION,    // all blocks of a region: `^body...` in the declarations
  REWRITE_WRITTEN    // the only block of a region, whose ops the before shows
} RewriteBlockKind;

typedef struct RewriteBlock {
  RewriteBlockKind kind;
  CakeId name; // NULL: none
  CakeLoc loc;
  CakeBlock *before, *after; // what is there in its place; NULL: nothing
  bool is_open;              // begins with `...`: other ops may stand in front of those that it shows
  bool is_taken;             // the after moves it
} RewriteBlock;

// `inline ^body(%x)` in an after, as an op of its operands.
typedef struct RewriteInline {
  const CakeOp *op;
  uint32_t block;
} RewriteInline;

typedef struct Rewrite {
  CakePattern pattern; // first: a CakePattern * is a Rewrite *
  CakeLoc loc;
  bool is_canonical;
  CakeBlock *before, *after;
  CakeOp *root;                  // the last op of the before, which is rewritten
  CakeOp *ops[CAKE_REWRITE_OPS]; // of the before, those in regions included
  RewriteBlock blocks[CAKE_REWRITE_BLOCKS];
  RewriteInline inlined[CAKE_REWRITE_BLOCKS];
  uint32_t n_ops, n_types, n_attrs, n_blocks, n_inlined;
  bool is_range[CAKE_REWRITE_VARS]; // by number of a type variable
  bool has_ranges;
  // By argument of the before: whether the after uses it, and which blocks it has inlined wherever it does, a bit each.
  bool is_used[CAKE_REWRITE_VARS];
  uint32_t sight[CAKE_REWRITE_VARS];
  uint32_t n_swaps; // commutative ops of two operands among them
  RewriteClause *clauses;
  uint32_t n_clauses;
  CakeValue **results; // what the root's results become: values of the before or the after
} Rewrite;

// The op's position in the before; -1 when it is not there.
int cake_rewrite_op_number(const Rewrite *rewrite, const CakeOp *op);
// The block's, as one of the before or of the after; -1 likewise.
int cake_rewrite_block_number(const Rewrite *rewrite, const CakeBlock *block);
// The block that an `inline` of the after puts in; -1: the op is none.
int cake_rewrite_inlined_block(const Rewrite *rewrite, const CakeOp *op);
// The block that stands for all of a region; -1: its blocks are written.
int cake_rewrite_whole_region(const Rewrite *rewrite, const CakeRegion *region);

// What the variables of a rewrite stand for at one place.
typedef struct RewriteMatch {
  const Rewrite *rewrite;
  CakeRewriter *rewriter; // told why it does not match
  unsigned swaps;         // bit i: the i-th commutative op of the before has its operands the other way round
  CakeOp *ops[CAKE_REWRITE_OPS];
  CakeBlock *blocks[CAKE_REWRITE_BLOCKS]; // of a region the entry
  CakeValue *values[CAKE_REWRITE_VARS];   // by argument of the before
  CakeType types[CAKE_REWRITE_VARS];
  CakeAttr attrs[CAKE_REWRITE_VARS];
  // Ranges: parts of the lists below.
  RewriteSpan value_spans[CAKE_REWRITE_VARS], type_spans[CAKE_REWRITE_VARS];
  RewriteValues range_values;
  RewriteTypes range_types;
} RewriteMatch;
// Nothing is bound.
void cake_rewrite_match_init(RewriteMatch *match, const Rewrite *rewrite, CakeRewriter *rewriter);
void cake_rewrite_match_clear(RewriteMatch *match); // likewise, again
void cake_rewrite_match_fini(RewriteMatch *match);

// rewrite_match.c: whether the before matches at `op`, and `where` holds. False: the rewriter was told why.
bool cake_rewrite_match(RewriteMatch *match, CakeOp *op);
bool cake_rewrite_is_sound(const RewriteMatch *match); // rewrite_sight.c: the after uses what is there
bool cake_rewrite_where_holds(RewriteMatch *match);    // rewrite_ask.c
bool cake_rewrite_match_type(RewriteMatch *match, CakeType pattern, CakeType type);
bool cake_rewrite_match_attr(RewriteMatch *match, CakeAttr pattern, CakeAttr attr);
// rewrite_values.c: the value that one of the before stands for that is no range.
CakeValue *cake_rewrite_bound_value(const RewriteMatch *match, const CakeValue *value);
// Appends the value that a value of the before stands for, or those of a range.
void cake_rewrite_bound_values(const RewriteMatch *match, const CakeValue *value, RewriteValues *out);
// Appends the type, or the types of a range, with the variables replaced.
void cake_rewrite_bound_types(const RewriteMatch *match, CakeType type, RewriteTypes *out);
// What stood for `from` stands for `to`.
void cake_rewrite_rebind(RewriteMatch *match, const CakeValue *from, CakeValue *to);
// With the variables replaced by what they stand for.
CakeType cake_rewrite_bound_type(const RewriteMatch *match, CakeType type);
CakeAttr cake_rewrite_bound_attr(const RewriteMatch *match, CakeAttr attr);
// The parts of the op that is made.
typedef struct RewriteParts {
  RewriteValues operands;
  RewriteTypes types;
  CAKE_VEC(CakeAttr) props;
  CAKE_VEC(CakeBlock *) successors;
} RewriteParts;

// rewrite_apply.c: copies of a rewrite's ops with the variables replaced, made where the rewriter stands.
typedef struct RewriteCopy {
  RewriteMatch *match;
  CakeMap made; // value of the rewrite → number of its span in `spans`; others are what they are bound to
  CAKE_VEC(RewriteSpan) spans;
  RewriteValues values; // that the spans are of
  CakeMap blocks;       // block of the after → that of its copy
  RewriteParts parts;
  // Puts something into a region that is bound to nothing: when a rewrite is tried.
  void (*fill)(struct RewriteCopy *copy, CakeOp *op, uint32_t region, const CakeBlock *pattern);
  bool is_unknown; // nobody knows what would stand there
} RewriteCopy;
void cake_rewrite_copy_fini(RewriteCopy *copy);
// Makes the op, or inlines its block. False: reported; `out` (NULL for what is inlined) may be NULL.
bool cake_rewrite_make(RewriteCopy *copy, const CakeOp *op, CakeOp **out);
// What a list of the rewrite is in the copy.
void cake_rewrite_note(RewriteCopy *copy, const RewriteList *pattern, const RewriteList *made);
void cake_rewrite_made_values(const RewriteCopy *copy, const CakeValue *value, RewriteValues *out);
// CakePattern.rewrite of a Rewrite.
bool cake_rewrite_apply(const CakePattern *pattern, CakeOp *op, CakeRewriter *rewriter);

// rewrite_natives.c: arguments are what the variables stand for.
CakeAttr cake_rewrite_one_of(CakeType type); // 1 of that type; NULL: it has no numbers

// rewrite_check.c: tries the rewrite on usual types and numbers; a before that verifies must have an after that does. False: reported.
bool cake_rewrite_check_types(CakeContext *context, Rewrite *rewrite, CakeLoc loc);

// ---- Reading -------------------------------------------------------------------------------------------------------

// A name that is used in one part and defined in another.
typedef struct RewriteName {
  CakeStr text;
  CakeLoc loc;
  CakeValue *first;
  uint32_t count;
} RewriteName;

typedef struct RewriteReader {
  CakeParser *parser;
  CakeParserHooks hooks;
  Rewrite *rewrite;
  bool is_before;
  CAKE_VEC(RewriteName) names;     // of the before
  CAKE_VEC(RewriteName) nested;    // those of its regions
  CAKE_VEC(CakeLoc) type_locs;     // of the declared variables, by number
  CAKE_VEC(CakeLoc) attr_locs;
  CAKE_VEC(CakeId) type_names;
  CAKE_VEC(CakeId) attr_names;
} RewriteReader;

// rewrite_parse.c: one `rewrite @name …`; NULL: reported. rewrite_where.c: `{ … }` behind `where`.
Rewrite *cake_rewrite_parse(CakeParser *parser);
bool cake_rewrite_parse_where(CakeParser *parser, Rewrite *rewrite);
// An error with what to do; false.
bool cake_rewrite_fail(CakeParser *parser, CakeLoc loc, CakeStr fix, const char *format, ...) CAKE_PRINTF(4, 5);

// rewrite_blocks.c: regions and blocks.
// The names that the parser has got since the first one: those of ranges have dots.
bool cake_rewrite_check_names(CakeParser *parser, size_t first);
void cake_rewrite_hooks(RewriteReader *reader);
bool cake_rewrite_declare_block(RewriteReader *reader); // `^bb` or `^body...`
bool cake_rewrite_define_labels(RewriteReader *reader); // of the blocks from outside, for the part that is read next

// rewrite_shape.c: what can be said of a before or an after without trying it.
// Ranges, and that definitions come first.
bool cake_rewrite_check_block(CakeParser *parser, const Rewrite *rewrite, const CakeBlock *block);
bool cake_rewrite_collect(RewriteReader *reader);                          // the ops of the before
bool cake_rewrite_check_variables(const RewriteReader *reader);            // each gets its value from the ops
bool cake_rewrite_check_moves(CakeParser *parser, Rewrite *rewrite);       // what the after moves and uses

#endif
