// A role's program: items and steps become scf.for (or straight code where a CTA has one item), index computations
// become arith.
#include "analysis/affine.h"

#include "dialects/cake/ops/barriers.h"
#include "dialects/cake/ops/loops.h"
#include "dialects/cake/ops/tiles.h"
#include "dialects/cake/ops/turns.h"
#include "passes/cake_expand_roles.h"

enum { MOST_BARRIERS = 16 }; // of a CTA

typedef CAKE_VEC(CakeValue *) Values;

static CakeLowerEnv size_env(const ExpandKernel *k) {
  return (CakeLowerEnv){.names = k->names.data, .name_values = k->sizes.data, .n_names = k->names.len};
}

static bool is_persistent(const ExpandKernel *k) {
  return cake_schedule_kind(cake_cake_tiles_schedule(k->tiles)) == CAKE_SCHEDULE_PERSISTENT;
}

// Whether names, or steps, are others in each round of the loop over items.
static bool has_round_names(const ExpandKernel *k) {
  return k->tiles && is_persistent(k) && cake_expand_has_names(k);
}

// ---- Extents --------------------------------------------------------------------------------------------------------

static CakeValue *lower_extent(ExpandKernel *k, CakeAttr extent) {
  CakeLowerEnv env = size_env(k);
  return cake_lower_expr(k->rewriter, k->tiles, extent, &env);
}

// `group<axis, n>` of the schedule. Bands of the last axis are no other order.
static bool read_group(ExpandKernel *k) {
  CakeAttr schedule = k->tiles ? cake_cake_tiles_schedule(k->tiles) : NULL;
  k->slowest_axis = schedule && cake_schedule_is_longest_first(schedule) ? cake_tiles_steps_axis(k->tiles) : -1;
  if (!schedule || !cake_schedule_group(schedule)) return true;
  CakeAttr axes = cake_cake_tiles_axes(k->tiles);
  int axis = cake_axes_find(axes, cake_schedule_axis(schedule));
  if (axis < 0 || !cake_expr_is_const(cake_schedule_group(schedule), &k->group))
    return cake_error(k->tiles, CAKE_CODE_PASS_FAILED, "has no constant group; run cake-instantiate first");
  k->group_axis = (size_t)axis;
  if (k->group_axis + 1 == cake_axes_count(axes)) k->group = 0;
  return true;
}

bool cake_expand_extents(ExpandKernel *k) {
  CakeAttr axes = k->tiles ? cake_cake_tiles_axes(k->tiles) : NULL;
  if (!read_group(k)) return false;
  for (size_t i = 0; i < cake_axes_count(axes); i++) {
    // The first axis needs no remainder.
    bool is_asked = i > 0 || is_persistent(k) || k->group || k->slowest_axis >= 0;
    CakeValue *extent = is_asked ? lower_extent(k, cake_tiles_extent(k->tiles, i)) : NULL;
    if (is_asked && !extent) return false;
    CAKE_PUSH(&k->extents, extent);
  }
  if (k->tiles && is_persistent(k)) {
    k->items = cake_lower_name(cake_expand_items_count(k), "items");
  }
  k->n_sizes = k->names.len;
  if (has_round_names(k)) return true; // with the item
  if (k->tiles && cake_expand_has_names(k)) {
    ExpandPlace place = cake_expand_place(k, cake_expand_item_number(k));
    if (!cake_expand_item(k, &place)) return false;
  }
  if (k->has_steps && !k->steps) {
    k->steps = lower_extent(k, cake_axes_extent(cake_cake_tiles_steps(k->tiles), 0));
    if (k->steps) cake_lower_name(k->steps, "steps");
  }
  return !k->has_steps || k->steps;
}

// ---- Loops ----------------------------------------------------------------------------------------------------------

CakeValue *cake_expand_dimension(CakeRewriter *rewriter, const char *op, const char *name) {
  CakeContext *context = rewriter->context;
  CakeType index = cake_type_index(context);
  CakeNamedAttr attr = {cake_id_text(context, "dimension"), cake_attr_string(context, CAKE_STR("x"))};
  CakeOp *made = cake_rewriter_build(
      rewriter, &(CakeBuild){.name = op, .result_types = &index, .n_results = 1, .attrs = &attr, .n_attrs = 1});
  return cake_lower_name(cake_op_result(made, 0), name);
}

// Coordinates of an item; named like the arguments that they replace. `item` NULL: they are known already.
static void push_coordinates(ExpandKernel *k, CakeValue *item, const CakeBlock *source, Values *values) {
  size_t rank = k->extents.len;
  for (size_t i = 0; i < rank; i++)
    CAKE_PUSH(values, item ? NULL : k->item.data[i]);
  if (item) {
    ExpandPlace place = cake_expand_place(k, item);
    cake_expand_coordinates(k, &place, values->data);
  }
  for (size_t i = 0; i < rank; i++)
    if (!values->data[i]->name) values->data[i]->name = source->args[i]->name;
}

// One item: its body stands where the op stood, with `values` for the arguments.
static void inline_item(ExpandKernel *k, CakeOp *items, CakeBlock *source, Values *values) {
  CakeOp *yield = cake_block_terminator(source);
  for (uint32_t i = 0; i < items->n_operands; i++)
    CAKE_PUSH(values, cake_op_operand(items, i));
  cake_rewriter_inline_block(k->rewriter, source, items, values->data, values->len);
  Values results = {0};
  for (uint32_t i = 0; i < yield->n_operands; i++)
    CAKE_PUSH(&results, cake_op_operand(yield, i));
  cake_rewriter_replace(k->rewriter, items, results.data);
  cake_rewriter_erase(k->rewriter, yield);
  CAKE_VEC_FINI(&results);
}

// Moves a loop's body into an scf.for that carries the same values. `values` holds what the leading arguments become.
static void move_body(ExpandKernel *k, CakeOp *loop, CakeOp *made, Values *values) {
  CakeBlock *source = cake_region_entry(cake_op_region(loop, 0));
  CakeBlock *block = cake_region_entry(cake_op_region(made, 0));
  CakeOp *yield = cake_block_terminator(source);
  size_t leading = values->len;
  Values yielded = {0};
  for (uint32_t i = 0; i < yield->n_operands; i++)
    CAKE_PUSH(&yielded, cake_op_operand(yield, i));
  CakeOp *end = cake_rewriter_build(
      k->rewriter, &(CakeBuild){.name = "scf.yield", .operands = yielded.data, .n_operands = yielded.len});
  for (uint32_t i = 1; i < block->n_args; i++) {
    block->args[i]->name = source->args[leading + i - 1]->name;
    CAKE_PUSH(values, block->args[i]);
  }
  cake_rewriter_erase(k->rewriter, yield);
  cake_rewriter_inline_block(k->rewriter, source, end, values->data, values->len);
  CAKE_VEC_FINI(&yielded);
}

static void replace_loop(ExpandKernel *k, CakeOp *loop, CakeOp *made) {
  Values results = {0};
  for (uint32_t i = 0; i < made->n_results; i++) {
    made->results[i].name = loop->results[i].name;
    CAKE_PUSH(&results, cake_op_result(made, i));
  }
  cake_rewriter_replace(k->rewriter, loop, results.data);
  CAKE_VEC_FINI(&results);
}

// The scf.for takes the loop's place.
static void fill_loop(ExpandKernel *k, CakeOp *loop, CakeOp *made, Values *values) {
  move_body(k, loop, made, values);
  replace_loop(k, loop, made);
}

static CakeOp *build_loop(ExpandKernel *k, CakeOp *loop, CakeValue *lower, CakeValue *upper, CakeValue *step) {
  Values inits = {0};
  for (uint32_t i = 0; i < loop->n_operands; i++)
    CAKE_PUSH(&inits, cake_op_operand(loop, i));
  CakeOp *made = cake_lower_for(k->rewriter, lower, upper, step, inits.data, inits.len);
  CAKE_VEC_FINI(&inits);
  k->rewriter->block = cake_region_entry(cake_op_region(made, 0));
  k->rewriter->before = NULL;
  return made;
}

// Leading arguments, then one an operand; as many yielded as carried.
static bool check_loop(CakeOp *loop, size_t leading) {
  CakeBlock *source = cake_region_entry(cake_op_region(loop, 0));
  CakeOp *yield = source ? cake_block_terminator(source) : NULL;
  bool is_fine = yield && source->n_args == leading + loop->n_operands && yield->n_operands == loop->n_operands &&
                 loop->n_results == loop->n_operands;
  return is_fine ||
         cake_error(loop, CAKE_CODE_PASS_FAILED, "has arguments, carried values and results that do not agree");
}

// The CTA's only item: a loop of one round, or none where its extents leave it out.
static void expand_known_item(ExpandKernel *k, CakeOp *items, CakeBlock *source, Values *values) {
  CakeRewriter *rewriter = k->rewriter;
  push_coordinates(k, NULL, source, values);
  if (!k->rounds) {
    inline_item(k, items, source, values);
    return;
  }
  CakeOp *made = build_loop(k, items, cake_lower_index(rewriter, 0), k->rounds, cake_lower_index(rewriter, 1));
  fill_loop(k, items, made, values);
}

// A cluster takes an item together.
CakeValue *cake_expand_item_number(ExpandKernel *k) {
  return cake_expand_dimension(k->rewriter, k->cluster > 1 ? "gpu.cluster_id" : "gpu.block_id", "item");
}

// Round by round: names, steps and whether the item is one are computed first. An inner loop of one round or none has its body.
static bool fill_rounds(ExpandKernel *k, CakeOp *items, CakeOp *made, const ExpandPlace *place, Values *values) {
  CakeRewriter *rewriter = k->rewriter;
  CakeBlock *source = cake_region_entry(cake_op_region(items, 0)), *block = cake_region_entry(cake_op_region(made, 0));
  Values carried = {0};
  cake_expand_forget_item(k, k->n_sizes);
  if (!cake_expand_item(k, place)) return false;
  push_coordinates(k, NULL, source, values);
  if (!k->rounds) {
    fill_loop(k, items, made, values);
    return true;
  }
  for (uint32_t i = 1; i < block->n_args; i++)
    CAKE_PUSH(&carried, block->args[i]);
  CakeOp *round = cake_lower_for(rewriter, cake_lower_index(rewriter, 0), k->rounds, cake_lower_index(rewriter, 1),
                                 carried.data, carried.len);
  carried.len = 0;
  for (uint32_t i = 0; i < round->n_results; i++)
    CAKE_PUSH(&carried, cake_op_result(round, i));
  cake_rewriter_build(rewriter, &(CakeBuild){.name = "scf.yield", .operands = carried.data, .n_operands = carried.len});
  CAKE_VEC_FINI(&carried);
  rewriter->block = cake_region_entry(cake_op_region(round, 0));
  rewriter->before = NULL;
  move_body(k, items, round, values);
  replace_loop(k, items, made);
  return true;
}

// A loop over the items of this CTA, or of its cluster.
static bool expand_persistent(ExpandKernel *k, CakeOp *items, CakeBlock *source, Values *values) {
  CakeRewriter *rewriter = k->rewriter;
  CakeValue *first = cake_expand_item_number(k);
  CakeValue *stride = k->cluster > 1 ? cake_expand_dimension(rewriter, "gpu.cluster_dim", "clusters")
                                     : cake_expand_dimension(rewriter, "gpu.grid_dim", "ctas");
  if (k->slowest_axis >= 0) {
    ExpandRounds rounds = cake_expand_rounds(k, first, stride);
    CakeOp *made = build_loop(k, items, cake_lower_index(rewriter, 0), rounds.total, cake_lower_index(rewriter, 1));
    CakeValue *round = cake_lower_name(cake_region_entry(cake_op_region(made, 0))->args[0], "round");
    ExpandPlace place = cake_expand_round_place(k, &rounds, round);
    return fill_rounds(k, items, made, &place, values);
  }
  CakeOp *made = build_loop(k, items, first, k->items, stride);
  CakeValue *item = cake_lower_name(cake_region_entry(cake_op_region(made, 0))->args[0], "item");
  if (has_round_names(k)) {
    ExpandPlace place = cake_expand_place(k, item);
    return fill_rounds(k, items, made, &place, values);
  }
  push_coordinates(k, item, source, values);
  fill_loop(k, items, made, values);
  return true;
}

static bool expand_items(ExpandKernel *k, CakeOp *items) {
  if (!check_loop(items, k->extents.len)) return false;
  CakeBlock *source = cake_region_entry(cake_op_region(items, 0));
  Values values = {0};
  bool is_fine = true;
  cake_rewriter_set_before(k->rewriter, items);
  if (is_persistent(k)) {
    is_fine = expand_persistent(k, items, source, &values);
  } else if (k->item.len) {
    expand_known_item(k, items, source, &values);
  } else {
    push_coordinates(k, cake_expand_item_number(k), source, &values);
    inline_item(k, items, source, &values);
  }
  CAKE_VEC_FINI(&values);
  return is_fine;
}

static bool expand_steps(ExpandKernel *k, CakeOp *steps) {
  if (!check_loop(steps, 1)) return false;
  CakeBlock *source = cake_region_entry(cake_op_region(steps, 0));
  Values values = {0};
  cake_rewriter_set_before(k->rewriter, steps);
  CakeLowerEnv env = size_env(k);
  CakeAttr from = cake_cake_steps_from(steps);
  CakeValue *first = from ? cake_lower_expr(k->rewriter, steps, from, &env) : cake_lower_index(k->rewriter, 0);
  if (!first) return false;
  CakeOp *made = build_loop(k, steps, first, k->steps, cake_lower_index(k->rewriter, 1));
  CakeBlock *block = cake_region_entry(cake_op_region(made, 0));
  if (cake_expr_least(k->tiles, cake_axes_extent(cake_cake_tiles_steps(k->tiles), 0)) >= 1)
    cake_rewriter_set_attr_text(k->rewriter, made, CAKE_LOWER_NONEMPTY_MARK, cake_attr_unit(k->rewriter->context));
  block->args[0]->name = source->args[0]->name;
  CAKE_PUSH(&values, block->args[0]);
  fill_loop(k, steps, made, &values);
  CAKE_VEC_FINI(&values);
  return true;
}

// ---- Other ops ------------------------------------------------------------------------------------------------------

static bool expand_index(ExpandKernel *k, const ExpandRole *role, CakeOp *op) {
  CakeLowerEnv env = size_env(k);
  CakeOperandRange range = cake_cake_index_idx(op);
  Values operands = {0};
  for (uint32_t i = 0; i < range.count; i++)
    CAKE_PUSH(&operands, range.first[i].value);
  env.operands = operands.data;
  env.n_operands = operands.len;
  cake_rewriter_set_before(k->rewriter, op);
  env.instance = role->instance ? role->instance : cake_lower_index(k->rewriter, 0);
  env.rank = k->rank ? k->rank : cake_lower_index(k->rewriter, 0);
  CakeValue *value = cake_lower_expr(k->rewriter, op, cake_cake_index_expr(op), &env);
  CAKE_VEC_FINI(&operands);
  if (!value) return false;
  if (!value->name) value->name = op->results[0].name;
  cake_rewriter_replace(k->rewriter, op, &value);
  return true;
}

// Barriers that the kernel declares have the CTA's last numbers; those of roles come from below.
static bool expand_barrier(ExpandKernel *k, CakeOp *op) {
  bool is_meet = cake_is_cake_op(op, cake_op_cake_meet);
  CakeOp *barrier = cake_symbol_lookup(k->kernel, is_meet ? cake_cake_meet_barrier(op) : cake_cake_arrive_barrier(op));
  int64_t id = MOST_BARRIERS - 1, threads = 0;
  if (!barrier || !cake_is_cake_op(barrier, cake_op_cake_barrier))
    return cake_error(op, CAKE_CODE_PASS_FAILED, "names a barrier that is not there");
  for (CakeOp *before = barrier->prev; before; before = before->prev)
    id -= cake_is_cake_op(before, cake_op_cake_barrier);
  if (id < cake_lower_free_barrier(k->func))
    return cake_error(barrier, CAKE_CODE_LOWER_UNSUPPORTED,
                      "is one of more barriers than a CTA has (%d, of which roles of several warps take one a replica)",
                      MOST_BARRIERS);
  for (size_t i = 0; i < k->roles.len; i++) {
    const ExpandRole *role = &k->roles.data[i];
    CakeAttr symbol = cake_attr_symbol_ref(k->rewriter->context, role->name, NULL, 0);
    if (cake_barrier_has_role(barrier, symbol)) threads += role->shape.warps * role->shape.replicas * 32;
  }
  cake_rewriter_set_before(k->rewriter, op);
  CakeValue *number = cake_lower_i32(k->rewriter, id);
  CakeNamedAttr attr = {cake_id_text(k->rewriter->context, "threads"), cake_attr_i64(k->rewriter->context, threads)};
  cake_rewriter_build(k->rewriter, &(CakeBuild){.name = is_meet ? "gpu.named_barrier" : "gpu.named_barrier_arrive",
                                                .operands = &number,
                                                .n_operands = 1,
                                                .attrs = &attr,
                                                .n_attrs = 1});
  cake_rewriter_erase(k->rewriter, op);
  return true;
}

static bool expand_op(ExpandKernel *k, const ExpandRole *role, CakeOp *op) {
  if (cake_is_cake_op(op, cake_op_cake_items)) return expand_items(k, op);
  if (cake_is_cake_op(op, cake_op_cake_steps)) return expand_steps(k, op);
  if (cake_is_cake_op(op, cake_op_cake_meet) || cake_is_cake_op(op, cake_op_cake_arrive)) return expand_barrier(k, op);
  if (cake_is_cake_op(op, cake_op_cake_index)) return expand_index(k, role, op);
  if (cake_is_cake_op(op, cake_op_cake_take) || cake_is_cake_op(op, cake_op_cake_pass))
    return cake_expand_turn(k, role, op);
  return op->info->dialect != &cake_dialect_cake || cake_expand_exprs(k, role, op);
}

// The ops of a role in order, outer ones first; terminators go with their loops.
static CakeOp **list_ops(CakeOp *role, size_t *out_count) {
  CAKE_VEC(CakeOp *) ops = {0};
  for (CakeOp *op = cake_op_walk_next(role, role, false); op; op = cake_op_walk_next(role, op, false))
    if (!cake_op_has_trait(op, CAKE_TRAIT_TERMINATOR)) CAKE_PUSH(&ops, op);
  *out_count = ops.len;
  return ops.data;
}

bool cake_expand_role(ExpandKernel *k, const ExpandRole *role) {
  CakeLowerPoint point = cake_lower_save(k->rewriter);
  CakeBlock *source = cake_region_entry(cake_op_region(role->op, 0));
  size_t count;
  CakeOp **ops = list_ops(role->op, &count);
  cake_rewriter_erase(k->rewriter, cake_block_terminator(source));
  cake_expand_first_turns(k, role);
  cake_rewriter_inline_block(k->rewriter, source, point.before, NULL, 0);
  bool is_fine = true;
  for (size_t i = 0; i < count && is_fine; i++)
    is_fine = expand_op(k, role, ops[i]);
  cake_mem_free(ops);
  cake_lower_restore(k->rewriter, point);
  cake_expand_last_turns(k, role);
  return is_fine;
}
