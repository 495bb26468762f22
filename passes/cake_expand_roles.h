// What the files of cake-expand-roles share: a kernel on its way to a function.
#ifndef CAKE_PASSES_EXPAND_ROLES_H
#define CAKE_PASSES_EXPAND_ROLES_H

#include "cake/symbol.h"
#include "dialects/cake/cake.h"
#include "dialects/gpu/gpu.h"
#include "passes/lower.h"
#include "passes/passes.h"

typedef struct ExpandRole {
  CakeOp *op;
  CakeId name;
  CakeRoleShape shape;
  CakeValue *instance; // number of the replica; NULL: there is one
} ExpandRole;

// An order with its barriers: instance i of the role waits at the i-th.
typedef struct ExpandOrder {
  CakeOp *op, *role;
  int64_t first_barrier;
} ExpandOrder;

typedef struct ExpandKernel {
  CakeRewriter *rewriter;
  CakeOp *kernel;
  CakeOp *func;  // what it becomes
  CakeOp *end;   // the function's gpu.return
  CakeOp *tiles; // the iterator of all items and steps; NULL: there are none
  bool has_steps;
  int64_t threads;               // of the CTA
  CAKE_VEC(ExpandRole) roles;    // by first warp
  CAKE_VEC(CakeId) names;        // named sizes, in order of first appearance in the arguments' types
  CAKE_VEC(CakeValue *) sizes;   // their values
  CAKE_VEC(CakeValue *) extents; // of the iterator's axes; NULL where nobody asks
  int64_t group;                 // values of axis `group_axis` in a band; 0: items are not grouped
  size_t group_axis;
  int slowest_axis; // that runs down (`longest_first`); -1: none
  CAKE_VEC(ExpandOrder) orders;
  CakeValue *items, *steps; // numbers of items (of a persistent kernel) and of steps
  int64_t cluster;          // CTAs of a cluster
  CakeValue *rank;          // of the CTA in its cluster; NULL: there are none
  CAKE_VEC(CakeValue *) item; // coordinates of the item, where steps or names depend on it; else empty
  CakeValue *rounds;          // 1 where the extents hold that item, else 0; NULL: they always do
  size_t n_sizes;             // of `names`: the others are names of the item
} ExpandKernel;

// The function with its arguments, attributes, and views of the arrays (cake_expand_roles_func.c).
bool cake_expand_func(ExpandKernel *k, CakeOp *module);
// Extents of the iterator as values at the insertion point (cake_expand_roles_body.c).
bool cake_expand_extents(ExpandKernel *k);
CakeValue *cake_expand_item_number(ExpandKernel *k); // of the CTA, or of its cluster

// ---- Numbers and coordinates (cake_expand_roles_numbers.c) ---------------------------------------------------------------

// Where an item stands in the order of its schedule.
typedef struct ExpandPlace {
  CakeValue *outer;  // the number of its values of the axes before the one in bands; NULL: there are none
  CakeValue *band;   // NULL: there are no bands
  CakeValue *number; // of the item in its band
  CakeValue *inside; // whether there is such an item; NULL: there is
} ExpandPlace;

// The rounds in which persistent CTAs take items, the longest first.
typedef struct ExpandRounds {
  CakeValue *first, *ctas;    // this CTA, and how many there are; or clusters
  CakeValue *items, *of_band; // items of a whole band, and rounds over it
  CakeValue *of_all_bands;    // items; NULL: there are none
  CakeValue *bands;           // for each value of the axes before; NULL: there are none
  CakeValue *total;           // rounds
} ExpandRounds;

CakeValue *cake_expand_items_count(ExpandKernel *k);
ExpandPlace cake_expand_place(ExpandKernel *k, CakeValue *item);
ExpandRounds cake_expand_rounds(ExpandKernel *k, CakeValue *first, CakeValue *ctas);
ExpandPlace cake_expand_round_place(ExpandKernel *k, const ExpandRounds *rounds, CakeValue *round);
void cake_expand_coordinates(ExpandKernel *k, const ExpandPlace *place, CakeValue **out); // one an axis

// The item's coordinates, names, whether it is one, and its steps, at the insertion point (cake_expand_roles_items.c).
bool cake_expand_has_names(const ExpandKernel *k);
bool cake_expand_item(ExpandKernel *k, const ExpandPlace *place);
// What it computed is no value here any more; `n_sizes` names are those of sizes.
void cake_expand_forget_item(ExpandKernel *k, size_t n_sizes);
CakeValue *cake_expand_dimension(CakeRewriter *rewriter, const char *op, const char *name); // gpu.block_id, gpu.grid_dim
// Gives the orders of the kernel their barriers (cake_expand_roles_orders.c).
bool cake_expand_orders(ExpandKernel *k);
// cake.take and cake.pass.
bool cake_expand_turn(ExpandKernel *k, const ExpandRole *role, CakeOp *op);
// What stands before and behind the role's program, so that instance 0 has the first turn and none is left: at the insertion point.
void cake_expand_first_turns(ExpandKernel *k, const ExpandRole *role);
void cake_expand_last_turns(ExpandKernel *k, const ExpandRole *role);
// The role's program at the insertion point (cake_expand_roles_body.c).
bool cake_expand_role(ExpandKernel *k, const ExpandRole *role);
// Turns the sizes and `instance` in an op's expressions into operands (cake_expand_roles_exprs.c).
bool cake_expand_exprs(ExpandKernel *k, const ExpandRole *role, CakeOp *op);

#endif
