// cake-expand-pipelines: slots become mbarriers, stages and phases.
//
// Each pipeline has two mbarriers a stage: `full` completes when a slot's data has landed, `empty` when all its readers
// have released it. Each end of a pipeline counts its slots by a stage and a phase, which every scf.for that contains
// its ops carries. A slot becomes the number of its stage, a view a pointer. Phases by parity as in the PTX manual,
// "mbarrier": a fresh mbarrier is in phase 0, so that the producer's first waits (for parity 1) pass at once.
#include "passes/cake_expand_pipelines.h"
#include "dialects/cake/ops/pipeline.h"
#include "dialects/cake/ops/slots.h"
#include "dialects/gpu/gpu_accessors.h"

enum { MAX_DEPTH = 256 };

typedef CAKE_VEC(CakeValue *) Values;

// ---- Which counters a region moves ----------------------------------------------------------------------------------

// Whether the op moves an end of a pipeline, and which.
static bool moves(const ExpandPipelines *e, const CakeOp *op, size_t *out_end) {
  bool is_acquire = cake_is_cake_op(op, cake_op_cake_acquire);
  if (!is_acquire && !cake_is_cake_op(op, cake_op_cake_wait)) return false;
  *out_end = 2 * cake_pipelines_ring_index(e, op) + (is_acquire ? CAKE_END_FROM : CAKE_END_TO);
  return true;
}

// Marks the ends that ops under `root` move.
static bool find_moved(const ExpandPipelines *e, CakeOp *root, bool *moved) {
  bool any = false;
  for (CakeOp *op = cake_op_walk_next(root, root, false); op; op = cake_op_walk_next(root, op, false)) {
    size_t end;
    if (moves(e, op, &end)) any = moved[end] = true;
  }
  return any;
}

static bool has_slots(CakeOp *op) {
  for (uint32_t i = 0; i < op->n_results; i++)
    if (cake_type_is(op->results[i].type, &cake_type_def_slot)) return true;
  return false;
}

// ---- Loops ----------------------------------------------------------------------------------------------------------

// Appends the counters that a loop carries; one stage alone needs only its phase, bulk groups have none.
static void push_counters(const ExpandPipelines *e, const bool *moved, const Cursor *cursors, Values *values) {
  for (size_t end = 0; end < 2 * e->n_rings; end++) {
    if (!moved[end]) continue;
    if (e->rings[end / 2].stages > 1) CAKE_PUSH(values, cursors[end].stage);
    if (!e->rings[end / 2].is_store) CAKE_PUSH(values, cursors[end].phase);
  }
}

// The other way round: the counters from `values` on.
static void take_counters(const ExpandPipelines *e, const bool *moved, CakeValue *const *values, Cursor *cursors) {
  for (size_t end = 0; end < 2 * e->n_rings; end++) {
    if (!moved[end]) continue;
    if (e->rings[end / 2].stages > 1) cursors[end].stage = cake_lower_name(*values++, "stage");
    if (!e->rings[end / 2].is_store) cursors[end].phase = cake_lower_name(*values++, "phase");
  }
}

// An scf.for with further carried values, around the body of the old one.
static CakeOp *widen_loop(const ExpandPipelines *e, CakeOp *loop, const Values *operands) {
  CAKE_VEC(CakeType) types = {0};
  CAKE_VEC(CakeNamedAttr) attrs = {0};
  for (size_t i = 0; loop->attrs && i < cake_attr_count(loop->attrs); i++)
    CAKE_PUSH(&attrs, cake_attr_entry(loop->attrs, i));
  for (size_t i = 3; i < operands->len; i++)
    CAKE_PUSH(&types, operands->data[i]->type);
  cake_rewriter_set_before(e->rewriter, loop);
  CakeOp *made = cake_rewriter_build(e->rewriter, &(CakeBuild){.name = "scf.for",
                                                               .operands = operands->data,
                                                               .n_operands = operands->len,
                                                               .result_types = types.data,
                                                               .n_results = types.len,
                                                               .attrs = attrs.data,
                                                               .n_attrs = attrs.len,
                                                               .n_regions = 1});
  CAKE_VEC_FINI(&attrs);
  cake_rewriter_take_region(e->rewriter, cake_op_region(made, 0), cake_op_region(loop, 0));
  CakeBlock *block = cake_region_entry(cake_op_region(made, 0));
  for (size_t i = 0; i < types.len; i++) {
    if (i + 1 >= block->n_args)
      cake_rewriter_add_arg(e->rewriter, block, types.data[i], loop->loc);
    else if (block->args[i + 1]->type != types.data[i])
      cake_rewriter_set_type(e->rewriter, block->args[i + 1], types.data[i]); // a slot
  }
  CAKE_VEC_FINI(&types);
  return made;
}

static void replace_loop(const ExpandPipelines *e, CakeOp *loop, CakeOp *made) {
  Values results = {0};
  for (uint32_t i = 0; i < loop->n_results; i++) {
    made->results[i].name = loop->results[i].name;
    CAKE_PUSH(&results, cake_op_result(made, i));
  }
  cake_rewriter_replace(e->rewriter, loop, results.data);
  CAKE_VEC_FINI(&results);
}

static void extend_yield(const ExpandPipelines *e, CakeBlock *block, const bool *moved, const Cursor *cursors) {
  CakeOp *yield = cake_block_terminator(block);
  Values values = {0};
  for (uint32_t i = 0; i < yield->n_operands; i++)
    CAKE_PUSH(&values, cake_op_operand(yield, i));
  push_counters(e, moved, cursors, &values);
  cake_rewriter_set_operands(e->rewriter, yield, values.data, values.len, NULL, 0);
  CAKE_VEC_FINI(&values);
}

static bool expand_block(ExpandPipelines *e, CakeBlock *block, Cursor *cursors, int depth);

static bool expand_loop(ExpandPipelines *e, CakeOp *loop, Cursor *cursors, int depth) {
  bool *moved = CAKE_ARENA_ARRAY(e->scratch, bool, 2 * e->n_rings);
  if (!find_moved(e, loop, moved) && !has_slots(loop))
    return expand_block(e, cake_region_entry(cake_op_region(loop, 0)), cursors, depth + 1);
  if (!cursors && find_moved(e, loop, moved))
    return cake_error(loop, CAKE_CODE_LOWER_UNSUPPORTED, "moves a pipeline, but stands in no role's program");
  uint32_t carried = loop->n_results;
  Deferrals deferrals = cake_pipelines_find_deferrals(e, loop);
  Values operands = {0};
  for (uint32_t i = 0; i < loop->n_operands; i++)
    CAKE_PUSH(&operands, cake_op_operand(loop, i));
  push_counters(e, moved, cursors, &operands);
  CakeOp *made = widen_loop(e, loop, &operands);
  CAKE_VEC_FINI(&operands);
  replace_loop(e, loop, made);
  Cursor *inner = cake_pipelines_copy_cursors(e, cursors);
  CakeBlock *block = cake_region_entry(cake_op_region(made, 0));
  take_counters(e, moved, block->args + 1 + carried, inner);
  bool is_fine = expand_block(e, block, inner, depth + 1);
  if (is_fine) {
    extend_yield(e, block, moved, inner);
    Values results = {0};
    for (uint32_t i = carried; i < made->n_results; i++)
      CAKE_PUSH(&results, cake_op_result(made, i));
    take_counters(e, moved, results.data, cursors);
    CAKE_VEC_FINI(&results);
    for (size_t i = 0; i < deferrals.len; i++)
      cake_pipelines_release_last(e, deferrals.data[i], made, cursors);
  }
  CAKE_VEC_FINI(&deferrals);
  return is_fine;
}

// ---- Other regions --------------------------------------------------------------------------------------------------

// Counters at the start of a role's program.
static Cursor *start_cursors(ExpandPipelines *e) {
  Cursor *cursors = CAKE_ARENA_ARRAY(e->scratch, Cursor, 2 * e->n_rings);
  CakeValue *zero = cake_lower_i32(e->rewriter, 0);
  for (size_t end = 0; end < 2 * e->n_rings; end++)
    cursors[end] = (Cursor){zero, zero};
  return cursors;
}

static bool expand_role(ExpandPipelines *e, CakeOp *branch, int depth) {
  CakeBlock *block = cake_region_entry(cake_op_region(branch, 0));
  bool *moved = CAKE_ARENA_ARRAY(e->scratch, bool, 2 * e->n_rings);
  if (!find_moved(e, branch, moved)) return expand_block(e, block, NULL, depth + 1);
  cake_rewriter_set_start(e->rewriter, block);
  e->rewriter->loc = branch->loc;
  if (!expand_block(e, block, start_cursors(e), depth + 1)) return false;
  cake_rewriter_set_before(e->rewriter, cake_block_terminator(block));
  cake_pipelines_drain(
      e, cake_id(e->rewriter->context, cake_attr_string_value(cake_op_attr_text(branch, CAKE_LOWER_ROLE_MARK))));
  return true;
}

// The regions of an op that is no loop: dispatch on roles, or a condition inside of one, under which no counter may
// move.
static bool expand_regions(ExpandPipelines *e, CakeOp *op, const Cursor *cursors, int depth) {
  bool is_role = cake_op_attr_text(op, CAKE_LOWER_ROLE_MARK) != NULL;
  bool *moved = CAKE_ARENA_ARRAY(e->scratch, bool, 2 * e->n_rings);
  if (cursors && find_moved(e, op, moved))
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED,
                      "acquires or waits for slots of a pipeline in a region; only scf.for may");
  if (has_slots(op))
    return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "hands on a slot of a pipeline; only scf.for may");
  for (uint32_t i = 0; i < op->n_regions; i++) {
    if (is_role && i == 0 && !expand_role(e, op, depth)) return false;
    for (CakeBlock *block = (is_role && i == 0) ? NULL : cake_op_region(op, i)->first; block; block = block->next)
      if (!expand_block(e, block, NULL, depth + 1)) return false;
  }
  return true;
}

static bool expand_block(ExpandPipelines *e, CakeBlock *block, Cursor *cursors, int depth) {
  if (depth > MAX_DEPTH)
    return cake_error(cake_block_parent(block), CAKE_CODE_LOWER_UNSUPPORTED, "is nested deeper than %d levels",
                      MAX_DEPTH);
  for (CakeOp *op = block->first, *next; op; op = next) {
    size_t end;
    next = op->next;
    bool is_fine = true;
    if (moves(e, op, &end)) {
      if (!cursors) return cake_error(op, CAKE_CODE_LOWER_UNSUPPORTED, "stands in no role's program");
      is_fine = cake_pipelines_open(e, op, &cursors[end]);
    } else if (cake_pipelines_closes(op)) {
      is_fine = cake_pipelines_close(e, op);
    } else if (cake_op_is(op, "scf.for")) {
      is_fine = expand_loop(e, op, cursors, depth);
    } else if (op->n_regions) {
      is_fine = expand_regions(e, op, cursors, depth);
    }
    if (!is_fine) return false;
  }
  return true;
}

// ---- The function ---------------------------------------------------------------------------------------------------

static bool has_branches(CakeOp *func) {
  for (CakeOp *op = func; op; op = cake_op_walk_next(func, op, false))
    if (cake_op_attr_text(op, CAKE_LOWER_ROLE_MARK)) return true;
  return false;
}

static CakeOp *first_pipeline(CakeOp *func) {
  CakeOp *op = cake_region_entry(cake_op_region(func, 0))->first;
  while (op && !cake_is_cake_op(op, cake_op_cake_pipeline))
    op = op->next;
  return op;
}

static void erase_pipelines(ExpandPipelines *e) {
  for (size_t i = 0; i < e->n_rings; i++)
    cake_rewriter_erase(e->rewriter, e->rings[i].op);
}

static bool expand_func(ExpandPipelines *e) {
  CakeBlock *entry = cake_region_entry(cake_op_region(e->func, 0));
  if (!cake_pipelines_read(e)) return false;
  cake_lower_mark_groups(e->rewriter, e->func);
  cake_rewriter_set_before(e->rewriter, e->rings[0].op);
  cake_pipelines_set_up(e);
  Cursor *cursors = has_branches(e->func) ? NULL : start_cursors(e);
  if (!expand_block(e, entry, cursors, 0)) return false;
  CakeLowerRole role;
  if (cursors && cake_lower_role_at(e->func, 0, &role)) {
    cake_rewriter_set_before(e->rewriter, cake_block_terminator(entry));
    cake_pipelines_drain(e, role.name);
  }
  cake_rewriter_set_before(e->rewriter, cake_block_terminator(entry));
  cake_pipelines_free_tensor(e);
  cake_pipelines_meet_at_end(e);
  erase_pipelines(e);
  return true;
}

CakePassResult cake_pass_cake_expand_pipelines(CakePassContext *pass, CakeOp *module) {
  CakePassResult result = CAKE_PASS_UNCHANGED;
  for (CakeOp *op = module, *next; op && result != CAKE_PASS_FAILED; op = next) {
    bool is_func = cake_is_gpu_op(op, cake_op_gpu_func);
    next = cake_op_walk_next(module, op, is_func);
    if (!is_func || !first_pipeline(op)) continue;
    ExpandPipelines e = {.rewriter = &pass->rewriter, .scratch = pass->scratch, .func = op};
    result = expand_func(&e) ? CAKE_PASS_CHANGED : CAKE_PASS_FAILED;
    cake_map_fini(&e.ring_of);
    cake_map_fini(&e.deferred);
  }
  return result;
}
