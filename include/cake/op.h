// Operations, values, blocks and regions: the structure of the IR.
//
// An operation is one allocation with its operands, results, inherent attributes, successors and regions behind the header.
// Reading is free for everybody; every change goes through a rewriter (cake/rewriter.h), so that listeners see it.
#ifndef CAKE_OP_H
#define CAKE_OP_H

#include "cake/diagnostic.h"
#include "cake/type.h"

CAKE_BEGIN_C

typedef struct CakeValue CakeValue;
typedef struct CakeUse CakeUse;
typedef struct CakeBlock CakeBlock;
typedef struct CakeRegion CakeRegion;
typedef struct CakeSuccessor CakeSuccessor;
typedef struct CakeOpDef CakeOpDef;

// An operation's name in a context: the descriptor when it is registered, else only the name.
struct CakeOpInfo {
  CakeId name;          // "cake.load"
  const CakeOpDef *def; // NULL: not registered
  const CakeDialectDef *dialect; // NULL: not registered
  uint32_t id;          // dense in its context, in order of first use
  uint32_t n_props;     // inherent attributes: a row each; not registered: one dictionary
  unsigned traits;      // the descriptor's; not registered: none
};
// The info of that name (made on first use).
CakeOpInfo *cake_op_info(CakeContext *context, CakeId name);

// A result of an operation, which it lies directly behind, or the head of a block argument.
struct CakeValue {
  CakeType type;
  CakeUse *first_use;
  uint32_t index;     // which result or argument
  uint32_t name : 31; // where the context keeps the name that it had in the text (0: none): see cake_value_name
  uint32_t is_argument : 1;
};

typedef struct CakeBlockArg {
  CakeValue value; // first: a CakeValue * that is an argument is a CakeBlockArg *
  CakeBlock *block;
  CakeLoc loc;
} CakeBlockArg;

// One operand of an operation; all uses of a value are a list.
struct CakeUse {
  CakeValue *value;
  CakeOp *owner;
  CakeUse *next;
  CakeUse **previous; // the pointer that points here
};

struct CakeSuccessor {
  CakeBlock *block;
  CakeOp *owner;
  CakeSuccessor *next; // other uses of the block
  CakeSuccessor **previous;
};

struct CakeRegion {
  CakeOp *parent;
  CakeBlock *first, *last;
};

struct CakeBlock {
  CakeRegion *region; // NULL: not in a region
  CakeBlock *next, *prev;
  CakeOp *first, *last;
  CakeSuccessor *first_use; // terminators that branch here
  CakeValue **args;
  uint32_t n_args, args_capacity;
  uint32_t order;     // position in its region when its blocks were last numbered
  uint32_t ops_ordered : 1; // `order` of its ops is valid
  uint32_t visit : 31;      // the last walk over blocks that came here: see cake_context_next_visit
  // While it is printed: whose numbers `order` of its ops are, and the number of its first argument.
  uint32_t print_scope, print_args;
  CakeLoc loc;
};

struct CakeOp {
  CakeOp *next, *prev;
  CakeBlock *block; // NULL: not in a block
  CakeOpInfo *info;
  CakeContext *context;
  CakeLoc loc;
  CakeAttr attrs;       // discardable attributes: a dictionary or NULL
  CakeUse *operands;    // behind all other parts, or elsewhere when there are more than the op was made with
  uint32_t n_operands, n_results, n_successors, n_regions;
  uint32_t order;       // position in its block, valid while block->ops_ordered
  uint32_t place;       // in the worklist of the driver that rewrites it, from 1 (ir/greedy.c); 0: in none
#ifdef __cplusplus
  CakeValue results[1]; // n_results of them: C++ has no other way to say so
#else
  CakeValue results[];
#endif
  // Then its inherent attributes, successors and regions: cake_op_props, cake_op_successors, cake_op_regions.
};

// ---- Reading -------------------------------------------------------------------------------------------------------

static inline CakeStr cake_op_name(const CakeOp *op) { return cake_id_str(op->info->name); }
bool cake_op_is(const CakeOp *op, const char *name);
static inline const CakeOpDef *cake_op_def(const CakeOp *op) { return op->info->def; }
static inline CakeValue *cake_op_operand(const CakeOp *op, size_t i) { return op->operands[i].value; }
static inline CakeValue *cake_op_result(const CakeOp *op, size_t i) { return (CakeValue *)(uintptr_t)&op->results[i]; }
// Inherent attributes by the descriptor's row number; not registered: one dictionary (NULL: none).
static inline CakeAttr *cake_op_props(const CakeOp *op) { return (CakeAttr *)(uintptr_t)(op->results + op->n_results); }
static inline CakeAttr cake_op_prop(const CakeOp *op, size_t row) { return cake_op_props(op)[row]; }
static inline CakeSuccessor *cake_op_successors(const CakeOp *op) { return (CakeSuccessor *)(cake_op_props(op) + op->info->n_props); }
static inline CakeSuccessor *cake_op_successor_at(const CakeOp *op, size_t i) { return cake_op_successors(op) + i; }
static inline CakeBlock *cake_op_successor(const CakeOp *op, size_t i) { return cake_op_successors(op)[i].block; }
static inline CakeRegion *cake_op_regions(const CakeOp *op) { return (CakeRegion *)(cake_op_successors(op) + op->n_successors); }
static inline CakeRegion *cake_op_region(const CakeOp *op, size_t i) { return cake_op_regions(op) + i; }
static inline CakeOp *cake_block_parent(const CakeBlock *block) { return block && block->region ? block->region->parent : NULL; }
static inline CakeOp *cake_op_parent(const CakeOp *op) { return cake_block_parent(op->block); } // the op around it; NULL at the top
CakeOp *cake_op_parent_named(const CakeOp *op, const char *name); // the nearest op around it of that name
bool cake_op_is_ancestor(const CakeOp *ancestor, const CakeOp *op); // reflexive
bool cake_op_is_before(CakeOp *a, CakeOp *b);                 // both in one block
// Inherent (by row name) or discardable attribute; NULL when absent.
CakeAttr cake_op_attr(const CakeOp *op, CakeId name);
CakeAttr cake_op_attr_text(const CakeOp *op, const char *name);
// Operands of one declared group (row number among the op's OPERAND rows); variadic and optional groups may be empty.
typedef struct CakeOperandRange {
  CakeUse *first;
  uint32_t count, start; // start: position in the op's operand list
} CakeOperandRange;
CakeOperandRange cake_op_operand_group(const CakeOp *op, uint32_t group);
static inline CakeValue *cake_op_operand_single(const CakeOp *op, uint32_t group) {
  CakeOperandRange r = cake_op_operand_group(op, group);
  return r.count ? r.first[0].value : NULL;
}
typedef struct CakeResultRange {
  CakeValue *first;
  uint32_t count, start;
} CakeResultRange;
CakeResultRange cake_op_result_group(const CakeOp *op, uint32_t group);

// An argument behind its value. The op of a result; the block of an argument (NULL while its definition has not been parsed).
static inline CakeBlockArg *cake_block_arg(const CakeValue *value) { return (CakeBlockArg *)(uintptr_t)value; }
static inline CakeOp *cake_result_owner(const CakeValue *value) {
  return (CakeOp *)(uintptr_t)((const char *)(value - value->index) - offsetof(CakeOp, results));
}
static inline CakeBlock *cake_arg_owner(const CakeValue *value) { return cake_block_arg(value)->block; }
static inline CakeOp *cake_value_def(const CakeValue *value) { return value->is_argument ? NULL : cake_result_owner(value); }
// Where it is defined.
static inline CakeBlock *cake_value_block(const CakeValue *value) {
  return value->is_argument ? cake_arg_owner(value) : cake_result_owner(value)->block;
}
// The name that it had in the text (without %), for messages and as a hint when it is printed; NULL: none.
CakeId cake_value_name(const CakeValue *value);
void cake_value_set_name(CakeValue *value, CakeStr name); // up to its first NUL; empty: none
CakeLoc cake_value_loc(const CakeValue *value);
bool cake_value_has_one_use(const CakeValue *value);
static inline CakeBlock *cake_region_entry(const CakeRegion *region) { return region->first; }
// The last op if it has the terminator trait; else NULL.
CakeOp *cake_block_terminator(const CakeBlock *block);
uint32_t cake_use_index(const CakeUse *use); // operand number

// The number of a new walk over blocks, which marks the blocks that it has seen and needs no set of them. It has to be over before
// another begins that comes by the same blocks.
uint32_t cake_context_next_visit(CakeContext *context);
static inline bool cake_block_is_seen(const CakeBlock *block, uint32_t visit) { return block->visit == visit; }
static inline void cake_block_see(CakeBlock *block, uint32_t visit) { block->visit = visit & INT32_MAX; }

// Walks all ops under `root`, itself included, without recursion. PRE: before its regions; POST: behind them; a POST callback may erase its op.
typedef enum CakeWalkOrder { CAKE_WALK_PRE, CAKE_WALK_POST } CakeWalkOrder;
typedef enum CakeWalkResult { CAKE_WALK_ADVANCE, CAKE_WALK_SKIP, CAKE_WALK_INTERRUPT } CakeWalkResult; // SKIP: not into its regions (PRE only)
typedef CakeWalkResult (*CakeWalkFn)(void *user, CakeOp *op);
// False when interrupted.
bool cake_op_walk(CakeOp *root, CakeWalkOrder order, CakeWalkFn fn, void *user);
// The op behind `op` in a pre-order walk under `root`; NULL at the end. `skip`: do not enter op's regions. For plain loops.
static inline CakeOp *cake_op_walk_next(CakeOp *root, CakeOp *op, bool skip);
CakeOp *cake_op_walk_on(CakeOp *root, CakeOp *op, bool skip); // the same, out of line
static inline CakeOp *cake_op_walk_next(CakeOp *root, CakeOp *op, bool skip) {
  return op->n_regions == 0 && op->next && op != root ? op->next : cake_op_walk_on(root, op, skip);
}

// ---- Making (used by the parser and the rewriter; passes use the rewriter) ---------------------------------------------

typedef struct CakeOpState {
  CakeLoc loc;
  CakeOpInfo *info;
  CakeValue *const *operands;
  size_t n_operands;
  const CakeType *result_types;
  size_t n_results;
  const CakeAttr *props; // by row; `def->n_props` entries (not registered: one), or NULL
  CakeAttr attrs;        // discardable dictionary or NULL
  CakeBlock *const *successors;
  size_t n_successors;
  size_t n_regions; // made empty
} CakeOpState;

CakeOp *cake_op_create(CakeContext *context, const CakeOpState *state);
// Destroys an op that is in no block, with everything in its regions. All uses of its results must be inside it or gone.
void cake_op_destroy(CakeOp *op);
CakeBlock *cake_block_create(CakeContext *context);
void cake_block_destroy(CakeBlock *block); // not in a region; its arguments unused
CakeValue *cake_block_add_arg(CakeBlock *block, CakeType type, CakeLoc loc);
void cake_block_append(CakeBlock *block, CakeOp *op);
void cake_block_insert(CakeBlock *block, CakeOp *before, CakeOp *op); // before == NULL: at the end
void cake_op_unlink(CakeOp *op);
void cake_region_append(CakeRegion *region, CakeBlock *block);
void cake_region_insert(CakeRegion *region, CakeBlock *before, CakeBlock *block);
void cake_block_unlink(CakeBlock *block);
void cake_use_set(CakeUse *use, CakeValue *value); // NULL drops it
void cake_successor_set(CakeSuccessor *successor, CakeBlock *block);

// An empty `builtin.module`, owned by the context, destroyed by `cake_op_destroy` or with the context.
CakeOp *cake_module_create(CakeContext *context, CakeLoc loc);
static inline CakeBlock *cake_module_body(const CakeOp *module) { return cake_op_region(module, 0)->first; }

// Structural hash-free equality of two ops and everything in them (locations ignored): for tests and cse of regions.
bool cake_op_equivalent(CakeOp *a, CakeOp *b);

CAKE_END_C
#endif
