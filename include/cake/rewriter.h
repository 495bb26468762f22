// The rewriter: every change to IR goes through it, and its listener sees every change.
#ifndef CAKE_REWRITER_H
#define CAKE_REWRITER_H

#include "cake/op.h"

CAKE_BEGIN_C

// All callbacks optional.
typedef struct CakeListener {
  void *user;
  void (*op_inserted)(void *user, CakeOp *op);
  void (*op_modified)(void *user, CakeOp *op);                      // operands, attributes, successors or types changed
  void (*op_replaced)(void *user, CakeOp *op, CakeValue *const *values); // before its uses change
  void (*op_erased)(void *user, CakeOp *op);                        // just before it goes
  void (*block_inserted)(void *user, CakeBlock *block);
  void (*block_erased)(void *user, CakeBlock *block);
  // An op (a block) that was there already, with where it stood: in front of `next`, or at the end. NULL: as if it were inserted.
  void (*op_moved)(void *user, CakeOp *op, CakeBlock *from, CakeOp *next);
  void (*block_moved)(void *user, CakeBlock *block, CakeRegion *from, CakeBlock *next);
} CakeListener;

typedef struct CakeGraves CakeGraves; // ops that are erased and stay to be told apart (ir/core.h)

typedef struct CakeRewriter {
  CakeContext *context;
  CakeBlock *block;   // insertion point: before `before`, or at the end of `block` when NULL
  CakeOp *before;
  const CakeListener *listener; // may be NULL
  CakeLoc loc;        // location of ops made by the builders
  uint64_t changes;   // counts every change
  CakeBuf *reason;    // where a pattern says why it does not apply; NULL: nobody asks
  CakeGraves *graves; // where erased ops stay until the rewrite has ended; NULL: they go at once
  const char *misuse; // with graves: what was done to an op that is erased already ("erased", "moved"); NULL: nothing
  // What a pass runs on: it stays, and what is not in it is left alone. NULL: nobody watches.
  CakeOp *scope;
  CakeOp *kept;       // of the scope: what a driver works on, which stays as well
  const char *fault;  // what was refused ("erased an op whose results are used"); NULL: nothing
  bool has_erased_regions; // ops with regions are gone, which something may have been known of
  const CakeOpInfo *trespass; // a kind of op that was changed though it is not in the scope; NULL: none
} CakeRewriter;

CakeRewriter cake_rewriter(CakeContext *context, const CakeListener *listener);
void cake_rewriter_set_before(CakeRewriter *rewriter, CakeOp *op);  // also takes the op's location
void cake_rewriter_set_after(CakeRewriter *rewriter, CakeOp *op);
void cake_rewriter_set_end(CakeRewriter *rewriter, CakeBlock *block);
void cake_rewriter_set_start(CakeRewriter *rewriter, CakeBlock *block);

// "Does not apply", with the reason for --trace-rewrites: `return cake_rewriter_decline(rewriter, "operand #1 is no constant")` is false.
bool cake_rewriter_decline(CakeRewriter *rewriter, const char *format, ...) CAKE_PRINTF(2, 3);

// Makes an op at the insertion point.
CakeOp *cake_rewriter_create(CakeRewriter *rewriter, const CakeOpState *state);
// The common case in one call: name, operands, result types, named attributes (inherent or discardable), regions.
typedef struct CakeBuild {
  const char *name;
  CakeValue *const *operands;
  size_t n_operands;
  const CakeType *result_types;
  size_t n_results;
  const CakeNamedAttr *attrs; // by name
  size_t n_attrs;
  const int32_t *segments; // operand group sizes for ops with operandSegmentSizes; NULL otherwise
  size_t n_segments;
  CakeBlock *const *successors;
  size_t n_successors;
  size_t n_regions;
} CakeBuild;
CakeOp *cake_rewriter_build(CakeRewriter *rewriter, const CakeBuild *build);
// Shorthands: one result; no result. `attrs` as pairs name, value … is left to callers.
CakeValue *cake_build1(CakeRewriter *rewriter, const char *name, CakeType result, CakeValue *const *operands, size_t n_operands);
CakeValue *cake_build_unary(CakeRewriter *rewriter, const char *name, CakeType result, CakeValue *a);
CakeValue *cake_build_binary(CakeRewriter *rewriter, const char *name, CakeValue *a, CakeValue *b); // result type = a's
CakeValue *cake_build_constant(CakeRewriter *rewriter, CakeAttr value); // arith.constant of an integer, float or dense attribute

// A new block at the end of `region` with these arguments; the insertion point is not moved.
CakeBlock *cake_rewriter_add_block(CakeRewriter *rewriter, CakeRegion *region, const CakeType *arg_types, size_t n_args, CakeLoc loc);
CakeValue *cake_rewriter_add_arg(CakeRewriter *rewriter, CakeBlock *block, CakeType type, CakeLoc loc);
void cake_rewriter_remove_arg(CakeRewriter *rewriter, CakeBlock *block, uint32_t index); // unused

void cake_rewriter_erase(CakeRewriter *rewriter, CakeOp *op); // results unused; with its regions
void cake_rewriter_erase_block(CakeRewriter *rewriter, CakeBlock *block);
// Appends the blocks that no path from the region's entry reaches, in order.
typedef CAKE_VEC(CakeBlock *) CakeBlockVec;
void cake_region_find_unreachable(const CakeRegion *region, CakeBlockVec *out);
// Erases them, however they use one another; how many there were. A branch that became the only way into a block is told as modified.
int64_t cake_region_erase_unreachable(CakeRewriter *rewriter, CakeRegion *region);
// Replaces all results by `values` (n_results of them) and erases the op.
void cake_rewriter_replace(CakeRewriter *rewriter, CakeOp *op, CakeValue *const *values);
void cake_rewriter_replace_uses(CakeRewriter *rewriter, CakeValue *from, CakeValue *to);
void cake_rewriter_set_operand(CakeRewriter *rewriter, CakeOp *op, uint32_t index, CakeValue *value);
// Replaces the whole operand list; `segments` (may be NULL) are the new group sizes.
void cake_rewriter_set_operands(CakeRewriter *rewriter, CakeOp *op, CakeValue *const *values, size_t count, const int32_t *segments, size_t n_segments);
void cake_rewriter_set_attr(CakeRewriter *rewriter, CakeOp *op, CakeId name, CakeAttr value); // NULL removes
void cake_rewriter_set_attr_text(CakeRewriter *rewriter, CakeOp *op, const char *name, CakeAttr value);
void cake_rewriter_set_type(CakeRewriter *rewriter, CakeValue *value, CakeType type);
void cake_rewriter_set_successor(CakeRewriter *rewriter, CakeOp *op, uint32_t index, CakeBlock *block);
void cake_rewriter_move_before(CakeRewriter *rewriter, CakeOp *op, CakeOp *before);
void cake_rewriter_move_to_end(CakeRewriter *rewriter, CakeOp *op, CakeBlock *block);
// Moves all ops of `source` before `before` (in another block), replaces source's arguments by `values`, erases `source`.
void cake_rewriter_inline_block(CakeRewriter *rewriter, CakeBlock *source, CakeOp *before, CakeValue *const *values, size_t n_values);
// Moves all blocks of `source` into `target`: to its end, or in front of `before`.
void cake_rewriter_take_region(CakeRewriter *rewriter, CakeRegion *target, CakeRegion *source);
void cake_rewriter_take_region_before(CakeRewriter *rewriter, CakeRegion *target, CakeBlock *before, CakeRegion *source);
// Puts an op of the same kind in the place of `op`, which goes: with these operands, the results that `kept` says (one for each), and the
// regions as they are. Returns it.
CakeOp *cake_rewriter_keep_results(CakeRewriter *rewriter, CakeOp *op, CakeValue *const *operands, size_t n_operands, const bool *kept);
// Moves the ops behind and including `first` into a new block behind its block; returns that block.
CakeBlock *cake_rewriter_split_block(CakeRewriter *rewriter, CakeOp *first);
// Copies an op with its regions to the insertion point. `map` maps values (and blocks) of the original to those of the copy; it is
// read for operands and gets the copy's results, blocks and arguments.
CakeOp *cake_rewriter_clone(CakeRewriter *rewriter, CakeOp *op, CakeMap *map);

// Copies the blocks of `source` into `target`, in front of its block `before` (NULL: to the end). Arguments that are in `map` already stay out
// of the copies: their uses become what they are mapped to.
void cake_rewriter_clone_region(CakeRewriter *rewriter, const CakeRegion *source, CakeRegion *target, CakeBlock *before, CakeMap *map);

CAKE_END_C
#endif
