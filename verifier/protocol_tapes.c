// Which tape decides about a loop or branch: those that go the same way in all processes share one.
#include "verifier/protocol_compile.h"

#include "dialects/cake/ops/arrays.h"
#include "dialects/cake/ops/tiles.h"
#include "dialects/gpu/gpu_accessors.h"

// ---- What is the same ------------------------------------------------------------------------------------------------

// Whether two values are the same wherever both are computed: one value, equal pure ops on such, equal reads of what
// nobody writes, or the same index of equal loops. What was found to be so is remembered: values are shared by many expressions.
enum { MAX_DEPTH = 64 };

static bool same_loop(CakeCompiler *compiler, CakeOp *a, CakeOp *b, unsigned depth);

static bool is_repeatable(const CakeOp *op) {
  if (op->n_regions) return false;
  if (cake_op_has_trait(op, CAKE_TRAIT_PURE)) return true;
  if (cake_is_gpu_op(op, cake_op_gpu_load)) return cake_gpu_load_readonly(op) != NULL;
  return cake_is_cake_op(op, cake_op_cake_load) &&
         cake_global_flags(cake_cake_load_global(op)->type) & CAKE_GLOBAL_READONLY;
}

static bool same_value(CakeCompiler *compiler, CakeValue *a, CakeValue *b, unsigned depth);

static bool find_same(CakeCompiler *compiler, CakeValue *a, CakeValue *b, unsigned depth) {
  if (depth > MAX_DEPTH || a->type != b->type || a->is_argument != b->is_argument || a->index != b->index) return false;
  if (a->is_argument) {
    CakeOp *x = cake_block_parent(cake_arg_owner(a)), *y = cake_block_parent(cake_arg_owner(b));
    if (!x || !y || cake_compiler_flow(x) != CAKE_FLOW_LOOP || cake_arg_owner(a)->n_args < x->n_results) return false;
    return a->index < cake_arg_owner(a)->n_args - x->n_results && same_loop(compiler, x, y, depth + 1);
  }
  CakeOp *x = cake_result_owner(a), *y = cake_result_owner(b);
  if (x->info != y->info || !is_repeatable(x) || x->n_operands != y->n_operands || x->info->n_props != y->info->n_props)
    return false;
  for (uint32_t i = 0; i < x->info->n_props; i++)
    if (cake_op_prop(x, i) != cake_op_prop(y, i)) return false;
  for (uint32_t i = 0; i < x->n_operands; i++)
    if (!same_value(compiler, cake_op_operand(x, i), cake_op_operand(y, i), depth + 1)) return false;
  return true;
}

static bool same_value(CakeCompiler *compiler, CakeValue *a, CakeValue *b, unsigned depth) {
  uintptr_t known;
  if (a == b || (cake_map_get(&compiler->same, b, &known) && known == (uintptr_t)a)) return true;
  bool is_same = find_same(compiler, a, b, depth);
  if (is_same) cake_map_set(&compiler->same, b, (uintptr_t)a);
  return is_same;
}

// The first index of a loop that others may begin earlier or later: number of rounds that it leaves out.
bool cake_compiler_skipped(CakeCompiler *compiler, const CakeOp *op, int32_t *out) {
  int64_t wide;
  *out = 0;
  CakeAttr from = cake_is_cake_op(op, cake_op_cake_steps) ? cake_op_attr_text(op, "from") : NULL;
  if (from) {
    if (!cake_expr_is_const(from, &wide) || wide < 0 || wide > 64) return false;
    *out = (int32_t)wide;
    return true;
  }
  int32_t step, start;
  if (!cake_op_is(op, "scf.for")) return true;
  if (!compiler->front->number(compiler, cake_op_operand(op, 0), 0, &start) ||
      !compiler->front->number(compiler, cake_op_operand(op, 2), 0, &step) || step != 1 || start < 0 || start > 64)
    return true;
  *out = start;
  return true;
}

static bool is_number(const CakeValue *value) {
  const CakeOp *op = cake_value_def(value);
  return op && cake_op_has_trait(op, CAKE_TRAIT_CONSTANT);
}

// Loops to one end, or branches that go the same way. Where a loop begins does not matter if it is a number.
static bool same_loop(CakeCompiler *compiler, CakeOp *a, CakeOp *b, unsigned depth) {
  if (a->info != b->info) return false;
  CakeOp *tiles = cake_op_tiles(a);
  if (tiles) return tiles == cake_op_tiles(b);
  uint32_t skip = cake_compiler_flow(a) == CAKE_FLOW_LOOP ? cake_compiler_carried(a).count : 0;
  if (a->n_operands - skip !=
      b->n_operands - (cake_compiler_flow(b) == CAKE_FLOW_LOOP ? cake_compiler_carried(b).count : 0))
    return false;
  for (uint32_t i = 0; i < a->n_operands - skip; i++) {
    bool is_start = i == 0 && cake_op_is(a, "scf.for");
    if (is_start && is_number(cake_op_operand(a, i)) && is_number(cake_op_operand(b, i))) continue;
    if (!same_value(compiler, cake_op_operand(a, i), cake_op_operand(b, i), depth)) return false;
  }
  return true;
}

bool cake_compiler_same_loop(CakeCompiler *compiler, CakeOp *a, CakeOp *b) {
  return same_loop(compiler, a, b, 0);
}

static int32_t count_of(const CakeCompiler *compiler, int32_t tape) {
  int32_t count = 0;
  for (size_t i = 0; i < compiler->used_tapes.len; i++)
    count += compiler->used_tapes.data[i] == tape;
  return count;
}

// The steps of an item, where they are the same of each, or a loop whose bounds come from outside of the loop around it.
static bool is_uniform(CakeOp *op) {
  if (cake_is_cake_op(op, cake_op_cake_steps)) {
    const CakeOp *tiles = cake_op_tiles(op);
    CakeAttr extent = tiles ? cake_axes_extent(cake_cake_tiles_steps(tiles), 0) : NULL;
    return extent && !cake_tiles_uses_lets(tiles, extent) && !cake_tiles_uses_axes(tiles, extent);
  }
  if (!cake_op_is(op, "scf.for")) return false;
  CakeOp *around = cake_op_parent(op);
  while (around && cake_compiler_flow(around) != CAKE_FLOW_LOOP)
    around = cake_op_parent(around);
  for (uint32_t i = 0; around && i < 3; i++) {
    const CakeValue *bound = cake_op_operand(op, i);
    if (!is_number(bound) && cake_op_is_ancestor(around, cake_block_parent(cake_value_block(bound)))) return false;
  }
  return true;
}

// ---- What CTAs of a cluster agree on ------------------------------------------------------------------------------------

static bool names_rank(CakeAttr attr, unsigned depth) {
  if (depth > 64) return true;
  if (cake_attr_is(attr, &cake_attr_def_expr) && cake_expr_kind(attr) == CAKE_EXPR_RANK) return true;
  for (uint32_t i = 0; i < attr->count; i++)
    if (attr->params[i].kind == CAKE_PARAM_ATTR && attr->params[i].attr && names_rank(attr->params[i].attr, depth + 1))
      return true;
  return false;
}

static bool differs_by_rank(const CakeValue *value, unsigned depth);

// Bounds of a loop, a condition.
static bool decides_by_rank(const CakeOp *op, unsigned depth) {
  uint32_t skip = cake_compiler_flow(op) == CAKE_FLOW_LOOP ? cake_compiler_carried(op).count : 0;
  if (cake_op_tiles(op)) return false; // a cluster takes an item together
  for (uint32_t i = 0; i + skip < op->n_operands; i++)
    if (differs_by_rank(cake_op_operand(op, i), depth)) return true;
  return false;
}

// Whether the value may differ between CTAs of a cluster.
static bool differs_by_rank(const CakeValue *value, unsigned depth) {
  if (depth > 16) return true;
  if (value->is_argument) {
    const CakeBlock *block = cake_arg_owner(value);
    const CakeOp *loop = cake_block_parent(block);
    if (!loop || cake_compiler_flow(loop) == CAKE_FLOW_NONE) return false; // of the function
    if (cake_compiler_flow(loop) != CAKE_FLOW_LOOP) return true;
    return value->index + loop->n_results >= block->n_args || decides_by_rank(loop, depth + 1);
  }
  const CakeOp *op = cake_result_owner(value);
  if (!is_repeatable(op) || cake_op_is(op, "gpu.block_id") || cake_op_is(op, "gpu.cluster_block_id")) return true;
  for (uint32_t i = 0; i < op->info->n_props; i++)
    if (cake_op_prop(op, i) && names_rank(cake_op_prop(op, i), 0)) return true;
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (differs_by_rank(cake_op_operand(op, i), depth + 1)) return true;
  return false;
}

// ---- Tapes -----------------------------------------------------------------------------------------------------------

// The tape that decides about `op`, where it now stands. Equal loops behind one another have one each.
int32_t cake_compiler_tape(CakeCompiler *compiler, CakeOp *op) {
  CakeModel *model = compiler->model;
  int32_t ordinal = 0, rank = model->cluster > 1 && decides_by_rank(op, 0) ? compiler->rank : -1;
  for (size_t i = 0; i < model->tapes.len; i++) {
    const CakeTape *tape = &model->tapes.data[i];
    if (tape->parent != compiler->tape || tape->rank != rank || !same_loop(compiler, tape->op, op, 0)) continue;
    if (count_of(compiler, (int32_t)i) == 0) {
      CAKE_PUSH(&compiler->used_tapes, (int32_t)i);
      return (int32_t)i;
    }
    ordinal++;
  }
  CAKE_PUSH(&model->tapes, ((CakeTape){op, compiler->tape, ordinal, is_uniform(op), rank}));
  CAKE_PUSH(&compiler->used_tapes, (int32_t)model->tapes.len - 1);
  return (int32_t)model->tapes.len - 1;
}
