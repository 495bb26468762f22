// What the schedule passes share: how one is applied and refused, and small builders of the cake dialect's ops.
//
// A schedule pass works on a copy of each kernel. The copy takes the kernel's place only when it verifies, rules and protocol
// included; otherwise the kernel stays as it is and a remark `missed: …` says why, at the op that is the reason.
#ifndef CAKE_PASSES_SCHEDULE_H
#define CAKE_PASSES_SCHEDULE_H

#include "analysis/targets.h"
#include "cake/pass.h"
#include "dialects/cake/cake.h"

CAKE_BEGIN_C

typedef struct CakeSchedule {
  CakePassContext *pass;
  CakeRewriter rewriter;
  CakeOp *kernel; // the copy
  CakeOp *other;  // another kernel of the module, for passes that read one; not changed
} CakeSchedule;

// Applies `fn` to every kernel that is no template. `fn` returns false behind `cake_schedule_missed`.
typedef bool (*CakeScheduleFn)(CakeSchedule *schedule);
CakePassResult cake_schedule_run(CakePassContext *pass, CakeOp *module, CakeScheduleFn fn);
// Applies it to one kernel, with another one to read (may be NULL). False: the kernel stays as it is.
bool cake_schedule_apply(CakePassContext *pass, CakeOp *module, CakeOp *kernel, CakeOp *other, CakeScheduleFn fn);
// Remarks `missed: …` at an op; returns false.
bool cake_schedule_missed(CakeSchedule *schedule, const CakeOp *op, const char *format, ...) CAKE_PRINTF(3, 4);
// Whether `check(op)` holds, without a report. If not, the first error's text is in `out_reason` (may be NULL).
bool cake_schedule_test(CakeSchedule *schedule, bool (*check)(CakeOp *op), CakeOp *op, CakeBuf *out_reason);

// ---- Reading --------------------------------------------------------------------------------------------------------

// The next op of an enumerator under `root` behind `op` (NULL: the first); `root` counts.
CakeOp *cake_schedule_next(CakeOp *root, CakeOp *op, int enumerator);
static inline CakeBlock *cake_schedule_body(const CakeOp *op) {
  return cake_region_entry(cake_op_region(op, 0));
}
// `items`, `steps` or `unroll`.
bool cake_schedule_is_loop(const CakeOp *op);
// The op under `block` directly that holds `op`; NULL: none does.
CakeOp *cake_schedule_op_in(const CakeBlock *block, CakeOp *op);
// Whether a pipeline's `from` (`to`) is this role.
bool cake_schedule_fills(const CakeOp *pipeline, const CakeOp *role);
bool cake_schedule_empties(const CakeOp *pipeline, const CakeOp *role);
// A name that the kernel has not given yet: `stem`, or `stem` and a number.
CakeId cake_schedule_name(CakeSchedule *schedule, const char *stem);
// What the kernel calls an argument.
CakeStr cake_schedule_arg_name(const CakeSchedule *schedule, const CakeValue *arg);
// The constant number of replicas of a role; 1 when it says nothing.
int64_t cake_schedule_replicas(const CakeOp *role);
bool cake_schedule_is_zero(const CakeValue *value); // a cake.fill of 0

// The release of the slot that a wait gave; NULL: it goes another way.
CakeOp *cake_schedule_release_of(CakeOp *wait);
// The attribute whose indices an operand group of an op is ("at" of "at_idx"), in `name` or a literal; NULL: it is of another kind.
const char *cake_schedule_attr_of(const CakeOp *op, uint32_t group, char *name, size_t room);
// Whether the kernel stores to an array: loads of it keep their place.
bool cake_schedule_is_written(const CakeValue *array);

// ---- Changing -------------------------------------------------------------------------------------------------------

// Targets without the feature go from the kernel's list. False: none is left, remarked at `op`.
bool cake_schedule_need(CakeSchedule *schedule, CakeOp *op, CakeFeature feature);

// A declaration in front of the first role. `parts` is a #cake.parts. `to` NULL: to(store), `each` replica its own.
CakeOp *cake_schedule_pipeline(CakeSchedule *schedule, CakeId name, int64_t stages, CakeId from, CakeId to,
                               CakeAttr parts);
// An #cake.at with something added to one coordinate.
CakeAttr cake_schedule_move_at(CakeSchedule *schedule, CakeAttr at, size_t dim, CakeAttr by);
// A predicate in which `row` (or `col`) is `row + by`.
CakeAttr cake_schedule_move_coordinate(CakeAttr pred, CakeExprKind coordinate, CakeAttr by);
CakeAttr cake_schedule_parts(CakeSchedule *schedule, const CakeId *names, const CakeType *types, size_t count);

CakeNamedAttr cake_schedule_attr(const CakeSchedule *schedule, const char *name, CakeAttr value);
CakeAttr cake_schedule_symbol(const CakeSchedule *schedule, CakeId name);

// At the rewriter's insertion point. `acquire` and `wait` have the slot and its views as results.
CakeOp *cake_schedule_acquire(CakeSchedule *schedule, CakeOp *pipeline);
CakeOp *cake_schedule_wait(CakeSchedule *schedule, CakeOp *pipeline);
void cake_schedule_commit(CakeSchedule *schedule, CakeValue *slot);
// The store engine writes the slot where `store` (a cake.store) would have: `extra` is added to its last coordinate.
void cake_schedule_commit_to(CakeSchedule *schedule, CakeValue *slot, CakeOp *store, CakeAttr extra,
                             CakeValue *extra_idx);
void cake_schedule_release(CakeSchedule *schedule, CakeValue *slot, CakeValue *after);
// Copies the tile that `load` reads.
CakeOp *cake_schedule_copy(CakeSchedule *schedule, CakeOp *load, CakeValue *view, CakeVia via);
CakeValue *cake_schedule_get(CakeSchedule *schedule, CakeValue *view, CakeType type);
CakeValue *cake_schedule_zero(CakeSchedule *schedule, CakeType pending);
CakeValue *cake_schedule_await(CakeSchedule *schedule, CakeValue *pending, CakeType type);
CakeOp *cake_schedule_mma(CakeSchedule *schedule, CakeValue *acc, CakeValue *a, CakeValue *b, CakeAttr form);
// Puts the release of a slot behind the last op of its block that reads it, an await of a product that does included.
void cake_schedule_sink_release(CakeSchedule *schedule, CakeOp *release);

CAKE_END_C
#endif
