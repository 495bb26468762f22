// schedule-stage: what a product reads from global memory goes through shared memory.
//
// The loads of a block that feed a matrix product become one pipeline of one stage, which the role fills and empties itself: acquire, a
// copy each, commit, wait, a get where the load stood, release. With `loads=all` the rows and columns that stand beside them (norms, biases of
// a step) go along. Later passes give the filling to another role and the pipeline more stages.
#include "passes/passes.h"
#include "passes/schedule.h"

#include "cake/symbol.h"
#include "cake/text.h"
#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/tiles.h"
#include "passes/lower.h"
#include "verifier/tiles.h"

enum { MAX_LOADS = 15 }; // the parts that a pipeline may have

// The loads of one block.
typedef struct Group {
  CakeBlock *block;
  CakeOp *loads[MAX_LOADS];
  size_t count;
} Group;

static bool is_operand(const CakeOp *load) {
  CakeFragment fragment;
  return cake_fragment_of(load->results[0].type, &fragment) && fragment.part == CAKE_FORM_WHOLE &&
         (fragment.kind == CAKE_FORM_MMA_A || fragment.kind == CAKE_FORM_MMA_B || fragment.kind == CAKE_FORM_WGMMA_A);
}

static bool is_vector(const CakeOp *load) {
  CakeFragment fragment;
  return cake_fragment_of(load->results[0].type, &fragment) &&
         (fragment.part == CAKE_FORM_ROW || fragment.part == CAKE_FORM_COL);
}

static bool is_zero_pad(CakeAttr pad) {
  if (!pad) return true;
  return cake_attr_is(pad, &cake_attr_def_float) ? cake_attr_float_value(pad) == 0.0 : cake_attr_int_value(pad) == 0;
}

// Swizzled rows for what matrix instructions read, plain ones for rows and columns.
static CakeType view_type(CakeOp *load) {
  CakeFragment fragment;
  cake_fragment_of(load->results[0].type, &fragment);
  CakeContext *context = load->context;
  CakeAttr dims[] = {cake_expr_const(context, fragment.rows), cake_expr_const(context, fragment.cols)};
  if (fragment.part == CAKE_FORM_WHOLE) return cake_shared_get(fragment.element, CAKE_STORAGE_SW128, 0, dims, 2);
  return cake_shared_get(fragment.element, CAKE_STORAGE_ROWS, 0, &dims[fragment.part == CAKE_FORM_COL], 1);
}

// ---- Which loads ---------------------------------------------------------------------------------------------------

// Whether the copies may stand where the group's first load stands: their coordinates are known there.
static bool is_known_before(const CakeOp *load, CakeOp *first) {
  CakeOperandRange idx = cake_cake_load_at_idx(load);
  for (uint32_t i = 0; i < idx.count; i++) {
    CakeOp *def = cake_value_def(idx.first[i].value);
    if (def && def->block == first->block && !cake_op_is_before(def, first)) return false;
  }
  return true;
}

static bool can_stage(CakeSchedule *schedule, CakeOp *load, const Group *group) {
  CakeType view = view_type(load);
  CakeFragment fragment;
  cake_fragment_of(load->results[0].type, &fragment);
  int64_t bytes = fragment.cols * (int64_t)cake_type_width(fragment.element) / 8;
  if (cake_cake_load_keep(load) || cake_cake_load_dims(load))
    return cake_schedule_missed(schedule, load, "chooses elements or dimensions, which is not staged");
  if (!is_zero_pad(cake_cake_load_pad(load)))
    return cake_schedule_missed(schedule, load, "pads with %s; copies pad with 0 only",
                                cake_attr_text(cake_cake_load_pad(load)));
  if (fragment.part == CAKE_FORM_WHOLE && (bytes % 128 || fragment.rows % 8))
    return cake_schedule_missed(schedule, load,
                                "a tile of %lld rows of %lld bytes cannot be stored as sw128, which takes "
                                "multiples of 8 rows and 128 bytes",
                                (long long)fragment.rows, (long long)bytes);
  if (group->count && !is_known_before(load, group->loads[0]))
    return cake_schedule_missed(schedule, load, "its place is computed behind the first load of the block");
  if (group->count == MAX_LOADS) return cake_schedule_missed(schedule, load, "a slot has at most %d parts", MAX_LOADS);
  return view != NULL;
}

// The loads of a block that go through shared memory: operands, and with `all` the vectors of a block that has operands.
static void find_loads(CakeSchedule *schedule, CakeBlock *block, bool all, Group *out) {
  bool has_operand = false;
  *out = (Group){.block = block};
  for (CakeOp *op = block->first; op; op = op->next)
    has_operand |= cake_is_cake_op(op, cake_op_cake_load) && is_operand(op);
  bool is_step = cake_is_cake_op(cake_block_parent(block), cake_op_cake_steps);
  for (CakeOp *op = block->first; has_operand && op; op = op->next) {
    if (!cake_is_cake_op(op, cake_op_cake_load)) continue;
    bool is_wanted = is_operand(op) || (all && is_step && is_vector(op));
    if (is_wanted && can_stage(schedule, op, out)) out->loads[out->count++] = op;
  }
}

// ---- How -----------------------------------------------------------------------------------------------------------

// An array that promises less than `align` bytes promises them from now on.
static void promise(CakeSchedule *schedule, CakeValue *array, int64_t align) {
  CakeType type = array->type;
  size_t rank = cake_global_rank(type);
  CakeAttr *dims = CAKE_ARENA_ARRAY(schedule->pass->scratch, CakeAttr, rank + 1);
  if (cake_global_align(type) >= align) return;
  for (size_t i = 0; i < rank; i++)
    dims[i] = cake_global_dim(type, i);
  type = cake_global_get(cake_global_element(type), cake_global_flags(type), align, dims, rank);
  cake_rewriter_set_type(&schedule->rewriter, array, type);
}

static void set_via(CakeSchedule *schedule, CakeOp *copy, CakeVia via) {
  CakeParam param = cake_param_int(via);
  cake_rewriter_set_attr_text(&schedule->rewriter, copy, "via",
                              cake_attr_get(copy->context, &cake_attr_def_via, &param, 1));
}

// The wanted way where the array's alignment and strides allow it, else cp.async; a matrix operand has no choice.
static bool choose_way(CakeSchedule *schedule, CakeOp *load, CakeOp *copy, CakeVia via) {
  CakeBuf reason = {0};
  bool ok = cake_schedule_test(schedule, cake_copy_is_aligned, copy, &reason);
  if (!ok && via == CAKE_VIA_TMA && !is_operand(load)) {
    set_via(schedule, copy, CAKE_VIA_CP_ASYNC);
    cake_buf_clear(&reason);
    ok = cake_schedule_test(schedule, cake_copy_is_aligned, copy, &reason);
  }
  if (!ok) cake_schedule_missed(schedule, load, "%s", reason.data ? reason.data : "cannot be copied");
  cake_buf_fini(&reason);
  return ok;
}

static CakeAttr group_parts(CakeSchedule *schedule, const Group *group) {
  CakeId names[MAX_LOADS];
  CakeType types[MAX_LOADS];
  for (size_t i = 0; i < group->count; i++) {
    CakeStr name = cake_schedule_arg_name(schedule, cake_cake_load_global(group->loads[i]));
    names[i] = cake_id(schedule->pass->context, name);
    for (size_t j = 0; j < i; j++) // the same array twice
      if (names[j] == names[i])
        names[i] = cake_id(schedule->pass->context,
                           cake_arena_printf(schedule->pass->scratch, "%.*s%zu", CAKE_STR_ARG(name), i));
    types[i] = view_type(group->loads[i]);
  }
  return cake_schedule_parts(schedule, names, types, group->count);
}

static bool fill_slot(CakeSchedule *schedule, const Group *group, CakeOp *pipeline, CakeVia via) {
  CakeOp *acquire = cake_schedule_acquire(schedule, pipeline);
  for (size_t i = 0; i < group->count; i++) {
    CakeOp *load = group->loads[i], *copy = cake_schedule_copy(schedule, load, &acquire->results[1 + i], via);
    if (!choose_way(schedule, load, copy, via)) return false;
  }
  cake_schedule_commit(schedule, &acquire->results[0]);
  return true;
}

static void read_slot(CakeSchedule *schedule, const Group *group, CakeOp *pipeline) {
  CakeOp *wait = cake_schedule_wait(schedule, pipeline), *last = wait;
  for (size_t i = 0; i < group->count; i++) {
    CakeOp *load = group->loads[i];
    cake_rewriter_set_before(&schedule->rewriter, load);
    CakeValue *read = cake_schedule_get(schedule, &wait->results[1 + i], load->results[0].type);
    read->name = load->results[0].name;
    last = cake_value_def(read);
    cake_rewriter_replace(&schedule->rewriter, load, &read);
  }
  cake_rewriter_set_after(&schedule->rewriter, last);
  cake_schedule_release(schedule, &wait->results[0], NULL);
}

static bool stage_group(CakeSchedule *schedule, const Group *group, CakeVia via) {
  CakeOp *first = group->loads[0];
  CakeId role = cake_symbol_name(cake_op_role(first));
  int64_t align = cake_pass_option_int(schedule->pass->pass, "align");
  for (size_t i = 0; i < group->count; i++)
    if (is_operand(group->loads[i])) promise(schedule, cake_cake_load_global(group->loads[i]), align);
  bool is_step = cake_is_cake_op(cake_block_parent(group->block), cake_op_cake_steps);
  CakeId name = cake_schedule_name(schedule, is_step ? "ring" : "tile");
  CakeOp *pipeline = cake_schedule_pipeline(schedule, name, 1, role, role, group_parts(schedule, group));
  cake_rewriter_set_before(&schedule->rewriter, first);
  if (!fill_slot(schedule, group, pipeline, via)) return false;
  read_slot(schedule, group, pipeline);
  cake_pass_count(schedule->pass, "loads staged", (int64_t)group->count);
  return cake_schedule_need(schedule, schedule->kernel,
                            via == CAKE_VIA_TMA ? CAKE_FEATURE_BULK : CAKE_FEATURE_CP_ASYNC);
}

// Blocks in the order of the text; loads are replaced on the way, never blocks.
static bool stage(CakeSchedule *schedule) {
  CakeStr way = cake_pass_option_str(schedule->pass->pass, "via");
  bool all = cake_str_is(cake_pass_option_str(schedule->pass->pass, "loads"), "all"), has_any = false;
  CakeVia via = cake_str_is(way, "tma") ? CAKE_VIA_TMA : CAKE_VIA_CP_ASYNC;
  for (CakeOp *op = schedule->kernel; op; op = cake_op_walk_next(schedule->kernel, op, false)) {
    if (!cake_op_role(op) || op->n_regions != 1 || !cake_schedule_body(op)) continue;
    Group group;
    find_loads(schedule, cake_schedule_body(op), all, &group);
    if (!group.count) continue;
    if (!stage_group(schedule, &group, via)) return false;
    has_any = true;
  }
  return has_any || cake_schedule_missed(schedule, schedule->kernel, "no load feeds a matrix product");
}

static bool check_word(CakePassContext *pass, CakeOp *module, const char *option, const char *a, const char *b) {
  CakeStr value = cake_pass_option_str(pass->pass, option);
  if (cake_str_is(value, a) || cake_str_is(value, b)) return true;
  return cake_error(module, CAKE_CODE_PASS_PIPELINE, "'%s' must be %s or %s, but is '%.*s'", option, a, b,
                    CAKE_STR_ARG(value));
}

CakePassResult cake_pass_schedule_stage(CakePassContext *pass, CakeOp *module) {
  if (!check_word(pass, module, "via", "tma", "cp_async") || !check_word(pass, module, "loads", "all", "operands"))
    return CAKE_PASS_FAILED;
  return cake_schedule_run(pass, module, stage);
}
