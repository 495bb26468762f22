// Rule argument-aliases: an array that a kernel writes is not read in it, unless each thread reads just what it writes itself.
//
// No order is declared between CTAs, between replicas, or between a thread and a copy engine, through global memory (docs/language.md, arrays). What
// is left is a tile that a role loads and stores in the same form at the same place, and the place tells items and replicas apart: there every
// element has one thread. Or a tile that one role stores before it comes to a declared barrier, behind which another loads it for the same item.
#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/barriers.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/tiles.h"
#include "verifier/rules.h"
#include "verifier/tiles.h"

static bool is_write(const CakeOp *op) {
  return cake_is_cake_op(op, cake_op_cake_store) || cake_is_cake_op(op, cake_op_cake_commit);
}

static bool is_same_value(const CakeValue *a, const CakeValue *b) {
  return a == b;
}

// Whether two tiles begin at the same element, as far as `is_same` says it of their indices, and run along the same dimensions in the same form.
static bool is_same_tile(const CakeTile *a, const CakeTile *b, bool (*is_same)(const CakeValue *, const CakeValue *)) {
  if (a->at != b->at || a->tile != b->tile || a->dims != b->dims || a->at_idx.count != b->at_idx.count) return false;
  for (uint32_t i = 0; i < a->at_idx.count; i++)
    if (!is_same(a->at_idx.first[i].value, b->at_idx.first[i].value)) return false;
  return true;
}

// What the first element of a tile depends on along a dimension: one index of items and the replica at most, apart from sizes.
typedef struct Start {
  int64_t item_factor, instance_factor; // 0: it does not depend on it
  size_t axis;
} Start;

static bool start_of(const CakeTile *tile, size_t dim, Start *out) {
  CakeSumEnv env = {tile->at_idx};
  CakeSum sum;
  *out = (Start){0};
  if (!cake_sum_of(cake_at_expr(tile->at, dim), &env, &sum)) return false;
  bool has_others = false;
  for (size_t i = 0; i < sum.count; i++) {
    CakeAtom atom = sum.atoms[i];
    if (atom.kind == CAKE_ATOM_ITEM && !out->item_factor) {
      out->item_factor = sum.factors[i];
      out->axis = atom.index;
    } else if (atom.kind == CAKE_ATOM_LEAF && atom.index == CAKE_EXPR_INSTANCE) {
      out->instance_factor = sum.factors[i];
    } else if (atom.kind != CAKE_ATOM_NAME) {
      has_others = true;
    }
  }
  return !has_others || (!out->item_factor && !out->instance_factor);
}

// Whether tiles of other items and replicas lie elsewhere along that dimension, as far as it depends on them.
static bool is_apart(const CakeTile *tile, size_t dim, const Start *start, int64_t replicas) {
  int64_t length;
  if (!start->item_factor && !start->instance_factor) return true;
  if (!cake_expr_is_const(cake_tile_extent(tile, dim), &length)) return false;
  if (start->instance_factor && start->instance_factor < length) return false;
  return !start->item_factor || start->item_factor >= length + start->instance_factor * (replicas - 1);
}

// The indices of the items around an op, a bit each.
static uint64_t item_axes(const CakeOp *op) {
  for (const CakeOp *at = cake_op_parent(op); at; at = cake_op_parent(at))
    if (cake_is_cake_op(at, cake_op_cake_items)) {
      uint32_t count = cake_op_region(at, 0)->first->n_args;
      return count >= 64 ? UINT64_MAX : (UINT64_C(1) << count) - 1;
    }
  return 0;
}

// Whether no other item and no other replica has an element of the tile.
static bool is_own(const CakeTile *tile) {
  CakeOp *role = cake_op_role(tile->op);
  CakeRoleShape shape;
  uint64_t axes = 0;
  bool has_instance = false;
  if (!role || !cake_role_shape(role, &shape)) return false;
  for (size_t dim = 0; dim < cake_global_rank(tile->global); dim++) {
    Start start;
    if (!start_of(tile, dim, &start) || !is_apart(tile, dim, &start, shape.replicas)) return false;
    if (start.item_factor) axes |= UINT64_C(1) << (start.axis & 63);
    has_instance |= start.instance_factor != 0;
  }
  return axes == item_axes(tile->op) && (has_instance || shape.replicas == 1);
}

static bool is_in_place(const CakeTile *read, const CakeTile *write) {
  return cake_is_cake_op(read->op, cake_op_cake_load) && cake_is_cake_op(write->op, cake_op_cake_store) &&
         cake_op_role(read->op) == cake_op_role(write->op) && is_same_tile(read, write, is_same_value) && is_own(read);
}

// The same index of items in another role, or the same value.
static bool is_same_index(const CakeValue *a, const CakeValue *b) {
  if (a == b) return true;
  if (!a->is_argument || !b->is_argument) return false;
  CakeOp *items = cake_block_parent(cake_arg_owner(a)), *others = cake_block_parent(cake_arg_owner(b));
  return cake_is_cake_op(items, cake_op_cake_items) && cake_is_cake_op(others, cake_op_cake_items) &&
         cake_cake_items_tiles(items) == cake_cake_items_tiles(others) && a->index == b->index;
}

static CakeAttr barrier_of(const CakeOp *op) {
  if (cake_is_cake_op(op, cake_op_cake_arrive)) return cake_cake_arrive_barrier(op);
  return cake_is_cake_op(op, cake_op_cake_meet) ? cake_cake_meet_barrier(op) : NULL;
}

// Whether the writing role comes, behind the write, to a barrier at which the reading role waits before the read.
static bool is_behind_barrier(const CakeTile *read, const CakeTile *write) {
  if (!cake_is_cake_op(read->op, cake_op_cake_load) || !cake_is_cake_op(write->op, cake_op_cake_store) ||
      !is_same_tile(read, write, is_same_index) || !is_own(read) || !is_own(write))
    return false;
  for (const CakeOp *met = read->op->prev; met; met = met->prev) {
    if (!cake_is_cake_op(met, cake_op_cake_meet)) continue;
    for (const CakeOp *come = write->op->next; come; come = come->next)
      if (barrier_of(come) == cake_cake_meet_barrier(met)) return true;
  }
  return false;
}

// The first write of the array that a read is in no order with.
static CakeOp *find_write(CakeOp *kernel, const CakeTile *read) {
  CakeTile write;
  for (CakeOp *op = kernel; op; op = cake_op_walk_next(kernel, op, false))
    if (is_write(op) && cake_tile_of(op, &write) && write.array == read->array && !is_in_place(read, &write) &&
        !is_behind_barrier(read, &write))
      return op;
  return NULL;
}

static bool check_op(CakeOp *kernel, CakeOp *op) {
  CakeTile read;
  if (is_write(op) || !cake_tile_of(op, &read)) return true;
  cake_context_site(op->context);
  CakeOp *write = find_write(kernel, &read);
  if (!write) return true;
  CakeDiagnostic *d =
      cake_error_begin(op, CAKE_CODE_ARG_ALIASED, "reads %s in %s, which the kernel writes in no declared order",
                       cake_value_text(read.array), cake_where(op));
  cake_diag_note(op->context, d, write->loc, "it is written here");
  cake_diag_fix(op->context, d,
                "write another array, or load and store the same tile in the same form, at a place that names every "
                "item and the replica");
  return cake_diag_emit(op->context, d);
}

bool cake_rule_argument_aliases(CakeOp *module) {
  bool ok = true;
  for (CakeOp *kernel = NULL; (kernel = cake_next_cake_op(module, kernel, cake_op_cake_kernel));)
    for (CakeOp *op = kernel; op; op = cake_op_walk_next(kernel, op, false))
      ok &= check_op(kernel, op);
  return ok;
}
