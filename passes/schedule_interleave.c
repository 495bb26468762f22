// schedule-interleave: a role works on twice its rows, in two chains of which one computes while the other's product is made.
//
// Everything that has the rows of the role's product is there twice. What stands in front of the first await of a block is done for both, so
// that both products are under way; from there on the first chain goes to its end before the second begins. Slots are given back behind both.
#include "passes/passes.h"
#include "passes/schedule_tile.h"

#include "cake/symbol.h"
#include "dialects/cake/ops/kernel.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/mma.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/cake/ops/views.h"

typedef CAKE_VEC(CakeOp *) Ops;

typedef struct Interleave {
  CakeSchedule *schedule;
  CakeTileClass class;
  CakeOp *role;
  int64_t rows;   // of one chain
  CakeMap copies; // values of the first chain to those of the second
} Interleave;

static bool is_in_class(const Interleave *w, const CakeValue *value) {
  return cake_tile_class_has(&w->class, value, 0);
}

static bool has_copy(const Interleave *w, const CakeValue *value) {
  return cake_map_get(&w->copies, value, NULL);
}

// Shared by both chains: what takes slots and gives them back, loops, and yields, which are extended.
static bool is_frame(const CakeOp *op) {
  return cake_is_cake_op(op, cake_op_cake_wait) || cake_is_cake_op(op, cake_op_cake_release) ||
         cake_is_cake_op(op, cake_op_cake_yield) || cake_is_cake_op(op, cake_op_cake_end) || op->n_regions;
}

static bool has_place(const Interleave *w, const CakeOp *op) {
  for (size_t i = 0; i < w->class.places.len; i++)
    if (w->class.places.data[i].op == op) return true;
  return false;
}

// A constant of the rows is the same in both chains.
static bool is_shared(const Interleave *w, const CakeOp *op) {
  return cake_op_has_trait(op, CAKE_TRAIT_PURE) && !has_place(w, op);
}

static bool is_doubled(const Interleave *w, const CakeOp *op) {
  if (is_frame(op)) return false;
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (is_in_class(w, cake_op_operand(op, i)) || has_copy(w, cake_op_operand(op, i))) return true;
  if (is_shared(w, op)) return false;
  for (uint32_t i = 0; i < op->n_results; i++)
    if (is_in_class(w, &op->results[i])) return true;
  return false;
}

// ---- The second chain's places ----------------------------------------------------------------------------------------

// Row r of the second chain is row r + rows of the tile.
static CakeAttr move_place(const Interleave *w, CakeAttr attr, unsigned dim) {
  CakeAttr rows = cake_expr_const(attr->context, w->rows);
  return attr->def == &cake_attr_def_at ? cake_schedule_move_at(w->schedule, attr, dim, rows)
                                        : cake_schedule_move_coordinate(attr, CAKE_EXPR_ROW, rows);
}

static void move_places(Interleave *w, CakeOp *op, CakeOp *copy) {
  for (size_t i = 0; i < w->class.places.len; i++) {
    const CakeTilePlace *place = &w->class.places.data[i];
    if (place->op != op) continue;
    CakeAttr attr = cake_op_attr_text(op, place->name);
    cake_rewriter_set_attr_text(&w->schedule->rewriter, copy, place->name, move_place(w, attr, place->dim));
  }
}

// The part of a view that the copy reads begins `rows` further on.
static void move_reads(Interleave *w, CakeOp *copy) {
  for (uint32_t i = 0; i < copy->n_operands; i++) {
    CakeValue *view = cake_op_operand(copy, i);
    CakeOp *wait = cake_value_def(view);
    if (!wait || !cake_is_cake_op(wait, cake_op_cake_wait) || !is_in_class(w, view)) continue;
    cake_tile_offset_read(w->schedule, &copy->operands[i], 0, cake_expr_const(copy->context, w->rows));
  }
}

static void double_op(Interleave *w, CakeOp *op) {
  CakeOp *copy = cake_rewriter_clone(&w->schedule->rewriter, op, &w->copies);
  move_places(w, op, copy);
  move_reads(w, copy);
}

// ---- Blocks --------------------------------------------------------------------------------------------------------

static void double_block(Interleave *w, CakeBlock *block);

static CakeValue *copy_of(const Interleave *w, CakeValue *value) {
  uintptr_t copy;
  return cake_map_get(&w->copies, value, &copy) ? (CakeValue *)copy : value; // or one that both share
}

// Appends the copies of those operands whose `key` values are in the class.
static void extend_operands(Interleave *w, CakeOp *op, const bool *is_doubled_at, uint32_t count) {
  CakeValue **operands = CAKE_ARENA_ARRAY(w->schedule->pass->scratch, CakeValue *, 2 * count + 1);
  size_t n = 0;
  for (uint32_t i = 0; i < count; i++)
    operands[n++] = cake_op_operand(op, i);
  for (uint32_t i = 0; i < count; i++)
    if (is_doubled_at[i]) operands[n++] = copy_of(w, cake_op_operand(op, i));
  cake_rewriter_set_operands(&w->schedule->rewriter, op, operands, n, NULL, 0);
}

// The loop with a second value for each that the class has among those it carries; its body is still the first chain alone.
static CakeOp *widen_loop(Interleave *w, CakeOp *loop, const bool *is_doubled_at) {
  CakeRewriter *rewriter = &w->schedule->rewriter;
  uint32_t count = loop->n_operands, extra = 0;
  CakeValue **operands = CAKE_ARENA_ARRAY(w->schedule->pass->scratch, CakeValue *, 2 * count + 1);
  CakeType *types = CAKE_ARENA_ARRAY(w->schedule->pass->scratch, CakeType, 2 * count + 1);
  for (uint32_t i = 0; i < count; i++)
    operands[i] = cake_op_operand(loop, i);
  for (uint32_t i = 0; i < count; i++)
    if (is_doubled_at[i]) operands[count + extra++] = copy_of(w, operands[i]);
  for (uint32_t i = 0; i < count + extra; i++)
    types[i] = operands[i]->type;
  CakeOpState state = {.loc = loop->loc,
                       .info = loop->info,
                       .operands = operands,
                       .n_operands = count + extra,
                       .result_types = types,
                       .n_results = count + extra,
                       .props = cake_op_props(loop),
                       .n_regions = 1};
  cake_rewriter_set_before(rewriter, loop);
  CakeOp *wide = cake_rewriter_create(rewriter, &state);
  cake_rewriter_take_region(rewriter, cake_op_region(wide, 0), cake_op_region(loop, 0));
  return wide;
}

// Arguments and results of the second chain, and what the first chain's results become.
static void map_carried(Interleave *w, CakeOp *loop, CakeOp *wide, const bool *is_doubled_at) {
  CakeBlock *body = cake_schedule_body(wide);
  uint32_t count = loop->n_operands, first = body->n_args - count, extra = 0;
  for (uint32_t i = 0; i < count; i++) {
    CakeValue *result = &wide->results[i], *arg = body->args[first + i];
    result->name = loop->results[i].name;
    if (!is_doubled_at[i]) continue;
    CakeValue *copy = cake_rewriter_add_arg(&w->schedule->rewriter, body, arg->type, cake_value_loc(arg));
    copy->name = arg->name;
    cake_map_set(&w->copies, arg, (uintptr_t)copy);
    cake_map_set(&w->copies, result, (uintptr_t)&wide->results[count + extra++]);
    cake_map_set(&w->class.seen[0], result, 1); // it takes the place of the loop's
  }
}

static CakeOp *double_loop(Interleave *w, CakeOp *loop) {
  uint32_t count = loop->n_operands;
  bool *is_doubled_at = CAKE_ARENA_ARRAY(w->schedule->pass->scratch, bool, count + 1);
  CakeValue **results = CAKE_ARENA_ARRAY(w->schedule->pass->scratch, CakeValue *, count + 1);
  for (uint32_t i = 0; i < count; i++)
    is_doubled_at[i] = is_in_class(w, cake_op_operand(loop, i));
  CakeOp *wide = widen_loop(w, loop, is_doubled_at);
  map_carried(w, loop, wide, is_doubled_at);
  for (uint32_t i = 0; i < count; i++)
    results[i] = &wide->results[i];
  cake_rewriter_replace(&w->schedule->rewriter, loop, results);
  double_block(w, cake_schedule_body(wide));
  extend_operands(w, cake_schedule_body(wide)->last, is_doubled_at, count);
  return wide;
}

static void flush(Interleave *w, Ops *tail) {
  if (!tail->len) return;
  cake_rewriter_set_after(&w->schedule->rewriter, tail->data[tail->len - 1]);
  for (size_t i = 0; i < tail->len; i++)
    double_op(w, tail->data[i]);
  tail->len = 0;
}

// Slots go back behind the second chain: an `after` names its product.
static void place_releases(Interleave *w, CakeBlock *block) {
  for (CakeOp *op = block->first, *next; op; op = next) {
    next = op->next;
    if (!cake_is_cake_op(op, cake_op_cake_release)) continue;
    if (cake_cake_release_after(op))
      cake_rewriter_set_operand(&w->schedule->rewriter, op, 1, copy_of(w, cake_cake_release_after(op)));
    cake_schedule_sink_release(w->schedule, op);
  }
}

// Reads of rows and columns behind the await are done by each chain for itself: registers are short.
static bool is_own_read(const CakeOp *op, bool is_behind) {
  return is_behind && cake_is_cake_op(op, cake_op_cake_get);
}

static void double_block(Interleave *w, CakeBlock *block) {
  Ops tail = {0};
  bool is_behind = false; // the first await
  for (CakeOp *op = block->first, *next; op; op = next) {
    next = op->next;
    if (cake_schedule_is_loop(op)) {
      flush(w, &tail);
      is_behind = false;
      next = double_loop(w, op)->next;
      continue;
    }
    is_behind |= cake_is_cake_op(op, cake_op_cake_await);
    if (!is_doubled(w, op) && !is_own_read(op, is_behind)) continue;
    if (is_behind) {
      CAKE_PUSH(&tail, op);
    } else {
      cake_rewriter_set_after(&w->schedule->rewriter, op);
      double_op(w, op);
    }
  }
  flush(w, &tail);
  place_releases(w, block);
  CAKE_VEC_FINI(&tail);
}

// ---- The pass ------------------------------------------------------------------------------------------------------

// Everything of the class in the role stands in blocks of loops over items, steps and rounds.
static bool check_structure(Interleave *w) {
  for (CakeOp *op = w->role; op; op = cake_op_walk_next(w->role, op, false)) {
    bool is_plain = !op->n_regions || op == w->role || cake_schedule_is_loop(op);
    if (!is_plain) return cake_schedule_missed(w->schedule, op, "only loops over items and steps can be doubled");
  }
  return true;
}

static bool interleave(CakeSchedule *schedule) {
  CakeOp *mma = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_mma);
  if (!mma || !cake_type_is(mma->results[0].type, &cake_type_def_pending))
    return cake_schedule_missed(schedule, mma ? mma : schedule->kernel,
                                "has no product that is pending; schedule-form makes one");
  Interleave w = {.schedule = schedule, .role = cake_op_role(mma), .rows = cake_tile_size(mma->results[0].type, 0)};
  for (CakeOp *op = cake_schedule_next(schedule->kernel, NULL, cake_op_cake_pipeline); op;
       op = cake_schedule_next(schedule->kernel, op, cake_op_cake_pipeline))
    if (cake_schedule_fills(op, w.role) && !cake_cake_pipeline_store(op))
      return cake_schedule_missed(schedule, op,
                                  "is filled by the role itself; schedule-split gives that to another role");
  if (!check_structure(&w) || !cake_tile_class_find(schedule, &mma->results[0], 0, &w.class)) return false;
  CakeTileScale scale = {.new_size = w.class.size * 2, .role = w.role, .instance_factor = 2};
  w.rows = w.class.size / cake_schedule_replicas(w.role);
  cake_tile_scale_places(&w.class, &scale);
  cake_tile_scale_axis(&w.class, scale.new_size);
  cake_tile_scale_reads(&w.class, &scale);
  cake_tile_resize_views(&w.class, 1, 2, w.role);
  double_block(&w, cake_schedule_body(w.role));
  cake_map_fini(&w.copies);
  cake_tile_class_fini(&w.class);
  return true;
}

CakePassResult cake_pass_schedule_interleave(CakePassContext *pass, CakeOp *module) {
  return cake_schedule_run(pass, module, interleave);
}
