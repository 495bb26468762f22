// Classes of dimensions: which values grow together (see schedule_tile.h).
#include "passes/schedule_tile.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/best.h"
#include "dialects/cake/ops/copies.h"
#include "dialects/cake/ops/fragments.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/reduce.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/views.h"
#include "verifier/tiles.h"

// ---- Values --------------------------------------------------------------------------------------------------------

static bool has_dim(CakeType type, unsigned dim) {
  return cake_tile_size(type, dim) >= 0;
}

static void visit(CakeTileClass *class, CakeValue *value, unsigned dim) {
  uintptr_t ignored;
  if (!has_dim(value->type, dim) || cake_map_get(&class->seen[dim], value, &ignored)) return;
  cake_map_set(&class->seen[dim], value, 1);
  CAKE_PUSH(&class->values, (CakeTileVisit){value, dim});
}

bool cake_tile_class_has(const CakeTileClass *class, const CakeValue *value, unsigned dim) {
  uintptr_t ignored;
  return cake_map_get(&class->seen[dim], value, &ignored);
}

static void add_place(CakeTileClass *class, CakeOp *op, const char *name, CakeAttr at, CakeOperandRange idx,
                      unsigned dim) {
  for (size_t i = 0; i < class->places.len; i++) {
    const CakeTilePlace *known = &class->places.data[i];
    if (known->op == op && known->at == at && known->dim == dim) return;
  }
  CAKE_PUSH(&class->places, (CakeTilePlace){op, at, name, idx, dim});
}

static bool in_the_way(CakeTileClass *class, CakeOp *op, const char *why) {
  return cake_schedule_missed(class->schedule, op, "'%.*s' cannot work on a tile of another size: %s",
                              CAKE_STR_ARG(cake_op_name(op)), why);
}

// ---- Memory --------------------------------------------------------------------------------------------------------

// Dimension `dim` of what a load, copy, store or commit moves, as the array's.
static void visit_array(CakeTileClass *class, CakeOp *op, unsigned dim) {
  CakeTile tile;
  if (!cake_tile_of(op, &tile)) return;
  add_place(class, op, "at", tile.at, tile.at_idx,
            (unsigned)cake_tile_dim(&tile, cake_tile_rank(&tile) == 1 ? 0 : dim));
}

// All views of that part of a pipeline, and where its slots are stored.
static bool relate_slots(CakeTileClass *class, CakeOp *taker, uint32_t result, unsigned dim) {
  CakeOp *pipeline = cake_op_pipeline(taker);
  for (CakeOp *op = class->schedule->kernel; op; op = cake_op_walk_next(class->schedule->kernel, op, false)) {
    bool is_taker = cake_is_cake_op(op, cake_op_cake_acquire) || cake_is_cake_op(op, cake_op_cake_wait);
    if (is_taker && cake_op_pipeline(op) == pipeline) visit(class, &op->results[result], dim);
    if (cake_is_cake_op(op, cake_op_cake_commit) && cake_cake_commit_global(op) && cake_op_pipeline(op) == pipeline)
      visit_array(class, op, dim);
  }
  return true;
}

// ---- Computing ops -------------------------------------------------------------------------------------------------

// Which dimension of the operand is rows of the product (a), or its columns (b); the other one is summed over.
static unsigned free_dim(char letter, bool is_a) {
  return is_a ? letter == 't' : letter == 'n';
}

static bool relate_mma(CakeTileClass *class, CakeOp *op, CakeValue *value, unsigned dim) {
  CakeMmaForm form = cake_form_of(cake_cake_mma_form(op));
  CakeValue *a = cake_cake_mma_a(op), *b = cake_cake_mma_b(op);
  unsigned a_free = free_dim(form.a, true), b_free = free_dim(form.b, false);
  bool is_a = value == a, is_b = value == b;
  if (a == b) return in_the_way(class, op, "it multiplies a tile by itself");
  unsigned along = is_a ? (dim == a_free ? 0 : 2) : is_b ? (dim == b_free ? 1 : 2) : dim; // 2: summed
  if (along == 2) {
    visit(class, a, 1 - a_free);
    visit(class, b, 1 - b_free);
    return true;
  }
  visit(class, cake_cake_mma_acc(op), along);
  visit(class, &op->results[0], along);
  visit(class, along == 0 ? a : b, along == 0 ? a_free : b_free);
  return true;
}

// Candidates by columns: their place is the index that wins. Rows go on in the running best.
static bool relate_best(CakeTileClass *class, CakeOp *op, CakeValue *value, unsigned dim) {
  if (dim == 0) {
    visit(class, cake_cake_best_value(op), 0);
    visit(class, cake_cake_best_into(op), 0);
    visit(class, &op->results[0], 0);
  } else {
    add_place(class, op, "at", cake_cake_best_at(op), cake_cake_best_at_idx(op), 1);
  }
  (void)value;
  if (cake_cake_best_keep(op)) add_place(class, op, "keep", cake_cake_best_keep(op), cake_cake_best_keep_idx(op), dim);
  return true;
}

static bool relate_reduce(CakeTileClass *class, CakeOp *op, CakeValue *value, unsigned dim) {
  CakeAttr axis = cake_cake_reduce_axis(op);
  CakeValue *into = cake_cake_reduce_into(op);
  if (cake_cake_reduce_through(op)) return in_the_way(class, op, "it exchanges through a buffer");
  if (!axis || cake_attr_int_value(axis) == (int64_t)dim) return in_the_way(class, op, "it reduces along it");
  visit(class, cake_cake_reduce_value(op), dim);
  visit(class, &op->results[0], dim);
  if (into) visit(class, into, dim);
  (void)value;
  return true;
}

// Whether an op computes element by element: all its fragments have one shape.
static bool is_elementwise(const CakeOp *op) {
  bool is_cake = cake_is_cake_op(op, cake_op_cake_mask) || cake_is_cake_op(op, cake_op_cake_convert) ||
                 cake_is_cake_op(op, cake_op_cake_spread) || cake_is_cake_op(op, cake_op_cake_merge) ||
                 cake_is_cake_op(op, cake_op_cake_await) || cake_is_cake_op(op, cake_op_cake_get) ||
                 cake_is_cake_op(op, cake_op_cake_settle);
  return is_cake || cake_op_has_trait(op, CAKE_TRAIT_ELEMENTWISE);
}

static bool relate_all(CakeTileClass *class, CakeOp *op, unsigned dim) {
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (cake_op_operand(op, i)) visit(class, cake_op_operand(op, i), dim);
  for (uint32_t i = 0; i < op->n_results; i++)
    visit(class, &op->results[i], dim);
  if (cake_is_cake_op(op, cake_op_cake_mask))
    add_place(class, op, "keep", cake_cake_mask_keep(op), cake_cake_mask_keep_idx(op), dim);
  return true;
}

// ---- Loops ---------------------------------------------------------------------------------------------------------

// Carried value number `i` of a loop of this dialect, in all its places.
static void visit_carried(CakeTileClass *class, CakeOp *loop, uint32_t i, unsigned dim) {
  CakeBlock *body = cake_schedule_body(loop);
  visit(class, cake_op_operand(loop, i), dim);
  visit(class, body->args[body->n_args - loop->n_operands + i], dim);
  visit(class, cake_op_operand(body->last, i), dim);
  visit(class, &loop->results[i], dim);
}

static bool relate_argument(CakeTileClass *class, CakeValue *value, unsigned dim) {
  CakeOp *loop = cake_block_parent(cake_arg_owner(value));
  if (!cake_schedule_is_loop(loop))
    return in_the_way(class, loop, "only loops over items and steps are looked through");
  visit_carried(class, loop, value->index - (cake_arg_owner(value)->n_args - loop->n_operands), dim);
  return true;
}

// ---- The closure ---------------------------------------------------------------------------------------------------

static bool relate_cake(CakeTileClass *class, CakeOp *op, CakeValue *value, unsigned dim) {
  switch (op->info->def->ordinal) {
  case cake_op_cake_mma: return relate_mma(class, op, value, dim);
  case cake_op_cake_best: return relate_best(class, op, value, dim);
  case cake_op_cake_reduce: return relate_reduce(class, op, value, dim);
  case cake_op_cake_acquire:
  case cake_op_cake_wait: return relate_slots(class, op, value->index, dim);
  case cake_op_cake_store:
    if (cake_cake_store_keep(op)) return in_the_way(class, op, "it chooses elements");
    visit_array(class, op, dim);
    return true;
  case cake_op_cake_load:
    if (cake_cake_load_keep(op)) return in_the_way(class, op, "it chooses elements");
    visit_array(class, op, dim);
    return true;
  case cake_op_cake_copy: visit_array(class, op, dim); return true;
  case cake_op_cake_fill:
  case cake_op_cake_zero:
  case cake_op_cake_release:
  case cake_op_cake_best_init: return true; // nothing else has its size
  case cake_op_cake_put:
    if (cake_cake_put_value_off(op)) return in_the_way(class, op, "it writes a part of a fragment");
    if (cake_cake_put_off(op)) return in_the_way(class, op, "it writes into a part of a buffer");
    visit(class, cake_cake_put_value(op), dim);
    visit(class, cake_cake_put_view(op), dim);
    return true;
  case cake_op_cake_slice:
    if (dim == 1) return in_the_way(class, op, "it takes some of the columns");
    return relate_all(class, op, dim);
  case cake_op_cake_iota:
    if (cake_attr_int_value(cake_cake_iota_axis(op)) == (int64_t)dim)
      return in_the_way(class, op, "it numbers the elements");
    return true;
  default: return in_the_way(class, op, "no rule says how");
  }
}

static bool relate(CakeTileClass *class, CakeOp *op, CakeValue *value, unsigned dim) {
  if (is_elementwise(op)) return relate_all(class, op, dim);
  if (!op->info->def || op->info->dialect != &cake_dialect_cake) return in_the_way(class, op, "no rule says how");
  if (cake_schedule_is_loop(op)) return true; // by the use or result that led here
  return relate_cake(class, op, value, dim);
}

static bool relate_use(CakeTileClass *class, const CakeUse *use, unsigned dim) {
  CakeOp *op = use->owner;
  if (cake_schedule_is_loop(op)) {
    visit_carried(class, op, cake_use_index(use), dim);
    return true;
  }
  if (cake_is_cake_op(op, cake_op_cake_yield)) {
    visit_carried(class, cake_op_parent(op), cake_use_index(use), dim);
    return true;
  }
  return relate(class, op, use->value, dim);
}

static bool relate_definition(CakeTileClass *class, CakeValue *value, unsigned dim) {
  CakeOp *def = cake_value_def(value);
  if (!def) return relate_argument(class, value, dim);
  if (cake_schedule_is_loop(def)) {
    visit_carried(class, def, value->index, dim);
    return true;
  }
  return relate(class, def, value, dim);
}

static bool close(CakeTileClass *class) {
  for (size_t i = 0; i < class->values.len; i++) {
    CakeTileVisit at = class->values.data[i];
    if (!relate_definition(class, at.value, at.dim)) return false;
    for (const CakeUse *use = at.value->first_use; use; use = use->next)
      if (!relate_use(class, use, at.dim)) return false;
  }
  return true;
}

bool cake_tile_class_find(CakeSchedule *schedule, CakeValue *seed, unsigned dim, CakeTileClass *out) {
  *out = (CakeTileClass){.schedule = schedule};
  visit(out, seed, dim);
  if (close(out) && cake_tile_axis_find(out)) return true;
  cake_tile_class_fini(out);
  return false;
}

void cake_tile_class_fini(CakeTileClass *class) {
  cake_map_fini(&class->seen[0]);
  cake_map_fini(&class->seen[1]);
  CAKE_VEC_FINI(&class->values);
  CAKE_VEC_FINI(&class->places);
}
