// What the lowering passes share: small builders of index arithmetic and structured control flow, and the role around a
// thread-level op.
//
// Builders put their ops at the rewriter's insertion point and fold what is constant, so that the printed IR stays
// short.
#ifndef CAKE_PASSES_LOWER_H
#define CAKE_PASSES_LOWER_H

#include "cake/pass.h"
#include "dialects/arith/arith.h"

CAKE_BEGIN_C

// ---- Insertion points -----------------------------------------------------------------------------------------------

typedef struct CakeLowerPoint {
  CakeBlock *block;
  CakeOp *before;
  CakeLoc loc;
} CakeLowerPoint;

CakeLowerPoint cake_lower_save(const CakeRewriter *rewriter);
void cake_lower_restore(CakeRewriter *rewriter, CakeLowerPoint point);

// ---- Scalars --------------------------------------------------------------------------------------------------------

// Gives a value a printing hint unless it has one; returns the value.
CakeValue *cake_lower_name(CakeValue *value, const char *name);
// Whether a value is an integer or index constant.
bool cake_lower_constant(const CakeValue *value, int64_t *out_value);
CakeValue *cake_lower_const(CakeRewriter *rewriter, CakeType type, int64_t value);
CakeValue *cake_lower_index(CakeRewriter *rewriter, int64_t value);
CakeValue *cake_lower_i32(CakeRewriter *rewriter, int64_t value);
CakeValue *cake_lower_i64(CakeRewriter *rewriter, int64_t value);
// Both operands of one integer type or index.
CakeValue *cake_lower_add(CakeRewriter *rewriter, CakeValue *a, CakeValue *b);
CakeValue *cake_lower_sub(CakeRewriter *rewriter, CakeValue *a, CakeValue *b);
CakeValue *cake_lower_mul(CakeRewriter *rewriter, CakeValue *a, CakeValue *b);
CakeValue *cake_lower_add_const(CakeRewriter *rewriter, CakeValue *a, int64_t b);
CakeValue *cake_lower_mul_const(CakeRewriter *rewriter, CakeValue *a, int64_t b);
// Unsigned, by a divisor that is not 0.
CakeValue *cake_lower_divui(CakeRewriter *rewriter, CakeValue *a, CakeValue *b);
CakeValue *cake_lower_remui(CakeRewriter *rewriter, CakeValue *a, CakeValue *b);
CakeValue *cake_lower_cmpi(CakeRewriter *rewriter, CakeIntPredicate predicate, CakeValue *a, CakeValue *b);
CakeValue *cake_lower_select(CakeRewriter *rewriter, CakeValue *condition, CakeValue *a, CakeValue *b);
// arith.index_cast between index and an integer type (signed); the value itself when it has the type.
CakeValue *cake_lower_cast(CakeRewriter *rewriter, CakeValue *value, CakeType type);
// builtin.unrealized_conversion_cast.
CakeValue *cake_lower_view(CakeRewriter *rewriter, CakeValue *value, CakeType type);
// gpu.ptr_add by a number of bytes (i32 or i64); the base itself for a constant 0.
CakeValue *cake_lower_ptr_add(CakeRewriter *rewriter, CakeValue *base, CakeValue *bytes);

// ---- Expressions ----------------------------------------------------------------------------------------------------

// What the leaves of a #cake.expr stand for: index values. A leaf without one is an error.
typedef struct CakeLowerEnv {
  CakeValue *const *operands; // of dN
  size_t n_operands;
  const CakeId *names; // sizes
  CakeValue *const *name_values;
  size_t n_names;
  CakeValue *instance, *rank, *row, *col; // NULL: not known here
} CakeLowerEnv;

// Index arithmetic for a #cake.expr; NULL: reported at `op`.
CakeValue *cake_lower_expr(CakeRewriter *rewriter, CakeOp *op, CakeAttr expr, const CakeLowerEnv *env);
// An i1 for a #cake.pred; NULL: reported at `op`.
CakeValue *cake_lower_pred(CakeRewriter *rewriter, CakeOp *op, CakeAttr pred, const CakeLowerEnv *env);

// ---- Structure ------------------------------------------------------------------------------------------------------

// scf.if without results; both blocks (the second only `with_else`) hold a yield, before which the caller builds.
CakeOp *cake_lower_if(CakeRewriter *rewriter, CakeValue *condition, bool with_else);
// scf.if with results. Its two blocks are empty: the caller enters each by cake_lower_side, builds, and ends it by cake_lower_yield.
CakeOp *cake_lower_choice(CakeRewriter *rewriter, CakeValue *condition, const CakeType *types, uint32_t count);
void cake_lower_side(CakeRewriter *rewriter, CakeOp *choice, uint32_t side);
void cake_lower_yield(CakeRewriter *rewriter, CakeValue *const *values, uint32_t count);
// Moves the insertion point before the terminator of a region's only block.
void cake_lower_enter(CakeRewriter *rewriter, CakeRegion *region);
// scf.for with its block (the induction variable, then one argument an initial value) and no terminator in it yet.
CakeOp *cake_lower_for(CakeRewriter *rewriter, CakeValue *lower, CakeValue *upper, CakeValue *step,
                       CakeValue *const *inits, size_t n_inits);

// A role as gpu.func's `roles` tells of it. cake-expand-roles marks the scf.if whose first region is a role's program
// with the discardable attribute `cake.role = "name"`; a function of one role that is the whole CTA has no such op.
typedef struct CakeLowerRole {
  CakeId name;
  int64_t first_warp, warps, replicas, regs; // warps of one instance; regs 0: no budget
} CakeLowerRole;
#define CAKE_LOWER_ROLE_MARK "cake.role"
// On the view of a buffer: its role's threads hand data to one another through it, and meet around each write.
#define CAKE_LOWER_BUFFER_MARK "cake.buffer"
// On a wgmma that belongs to the group of the one in front of it.
#define CAKE_LOWER_GROUP_MARK "cake.group"
// On an scf.for: it runs at least once, as the guard promises.
#define CAKE_LOWER_NONEMPTY_MARK "cake.nonempty"
size_t cake_lower_role_count(const CakeOp *func);
bool cake_lower_role_at(const CakeOp *func, size_t index, CakeLowerRole *out);
bool cake_lower_role_find(const CakeOp *func, CakeId name, CakeLowerRole *out);
// The role whose program `op` belongs to; false when it is outside of all roles.
bool cake_lower_role_of(const CakeOp *op, CakeLowerRole *out);

// ---- Rendezvous (lower_sync.c) --------------------------------------------------------------------------------------

// All threads of the role instance around `op` meet, and see each other's memory: gpu.warp_sync for one warp,
// gpu.barrier for the whole CTA, else a named barrier. `warp` is the number of the warp in the CTA (asked for where a
// role has replicas). False: reported at `op`.
CAKE_NODISCARD bool cake_lower_rendezvous(CakeRewriter *rewriter, CakeOp *op, CakeValue *warp);
// Named barriers: each replica of a role of several warps has one, from the first of its role on; those behind are free.
int64_t cake_lower_role_barrier(const CakeOp *func, CakeId role);
int64_t cake_lower_free_barrier(const CakeOp *func);
// Gives `count` of those away: the first. False: reported at `op`, there are not as many.
CAKE_NODISCARD bool cake_lower_take_barriers(CakeRewriter *rewriter, CakeOp *func, CakeOp *op, int64_t count,
                                             int64_t *out_first);

// ---- Clusters (lower_cluster.c) ---------------------------------------------------------------------------------------

// The number of the CTA in its cluster, an index.
CakeValue *cake_lower_rank(CakeRewriter *rewriter);
// The number that the table has for this CTA, an i32: `count` numbers by rank.
CakeValue *cake_lower_by_rank(CakeRewriter *rewriter, const int64_t *table, int64_t count);

// ---- Groups of matrix instructions (lower_groups.c) -------------------------------------------------------------------

// Whether the op is a wgmma: it is under way until somebody waits for its group.
bool cake_lower_is_wgmma(const CakeOp *op);
// Marks the wgmmas that go on with the accumulator of the op directly in front of them. They are issued with it, without
// fence, and committed as one group.
void cake_lower_mark_groups(CakeRewriter *rewriter, CakeOp *func);
bool cake_lower_continues_group(const CakeOp *op);
// Groups that are committed behind the one of `pending` and before `end`; 0 when that is not certain.
int64_t cake_lower_groups_behind(const CakeValue *pending, const CakeOp *end);

CAKE_END_C
#endif
