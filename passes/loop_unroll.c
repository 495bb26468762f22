// loop-unroll: several rounds of a counted loop in one, or all of them one behind the other.
//
// Bounds and step must be constants, so that nothing can overflow that did not before. Loops are taken from the inside out.
// Carried values go from copy to copy; rounds that are left over follow in a loop of their own.
#include "cake/constants.h"
#include "dialects/scf/scf_ops.h"
#include "passes/passes.h"

typedef CAKE_VEC(CakeValue *) Values;

typedef struct Unroll {
  CakePassContext *pass;
  int64_t factor, full_limit;
  int64_t room; // how many more ops may be made
} Unroll;

typedef struct Loop {
  CakeOp *op;
  int64_t lower, step;
  uint64_t rounds;
} Loop;

// ---- What can be unrolled ------------------------------------------------------------------------------------------

static bool constant(const CakeValue *value, int64_t *out) {
  CakeAttr attr = cake_value_constant(value);
  if (!attr || !cake_attr_is(attr, &cake_attr_def_integer)) return false;
  *out = cake_attr_int_value(attr);
  return true;
}

static bool has_constant_bounds(CakeOp *op, Loop *out) {
  int64_t upper;
  bool is_unsigned = cake_op_prop(op, CAKE_ATTR_ROW(scf, for, unsignedCmp)) != NULL;
  *out = (Loop){.op = op};
  if (!constant(cake_op_operand(op, 0), &out->lower) || !constant(cake_op_operand(op, 1), &upper) ||
      !constant(cake_op_operand(op, 2), &out->step) || out->step <= 0 || (is_unsigned && (out->lower < 0 || upper < 0)))
    return false;
  if (out->lower >= upper) return true;
  uint64_t span = (uint64_t)upper - (uint64_t)out->lower;
  out->rounds = (span - 1) / (uint64_t)out->step + 1;
  return true;
}

static bool has_loop_inside(CakeOp *loop) {
  for (CakeOp *op = cake_op_walk_next(loop, loop, false); op; op = cake_op_walk_next(loop, op, false)) {
    const CakeOpDef *def = op->info->def;
    if (def && (def->flow.kind == CAKE_FLOW_LOOP || def->flow.kind == CAKE_FLOW_WHILE)) return true;
  }
  return false;
}

static int64_t count_ops(CakeOp *root) {
  int64_t count = 0;
  for (CakeOp *op = root; op; op = cake_op_walk_next(root, op, false))
    count++;
  return count;
}

static bool has_room(Unroll *unroll, const Loop *loop, uint64_t copies) {
  uint64_t ops = (uint64_t)count_ops(loop->op);
  if (copies > (uint64_t)unroll->room / ops) {
    cake_pass_remark(unroll->pass, loop->op, "the loop stays: %llu copies of %llu ops are more than there is room for",
                     (unsigned long long)copies, (unsigned long long)ops);
    return false;
  }
  unroll->room -= (int64_t)(copies * ops);
  return true;
}

// ---- Copies --------------------------------------------------------------------------------------------------------

static CakeValue *copy_of(const CakeMap *copies, CakeValue *value) {
  uintptr_t found;
  return cake_map_get(copies, value, &found) ? (CakeValue *)found : value;
}

// One copy of the body's ops up to `last` (NULL: there is none) at the insertion point. `carried` goes in, and what `yields`
// become comes out.
static void copy_body(CakeRewriter *rewriter, const CakeBlock *body, const CakeOp *last, CakeValue *index,
                      const Values *yields, Values *carried) {
  CakeMap copies = {0};
  cake_map_set(&copies, body->args[0], (uintptr_t)index);
  for (uint32_t i = 1; i < body->n_args; i++)
    cake_map_set(&copies, body->args[i], (uintptr_t)carried->data[i - 1]);
  for (CakeOp *op = last ? body->first : NULL; op; op = op == last ? NULL : op->next)
    cake_rewriter_clone(rewriter, op, &copies);
  for (size_t i = 0; i < yields->len; i++)
    carried->data[i] = copy_of(&copies, yields->data[i]);
  cake_map_fini(&copies);
}

static void take_operands(const CakeOp *op, uint32_t first, Values *out) {
  for (uint32_t i = first; i < op->n_operands; i++)
    CAKE_PUSH(out, cake_op_operand(op, i));
}

static CakeValue *number(CakeRewriter *rewriter, CakeType type, int64_t value) {
  return cake_build_constant(rewriter, cake_attr_integer(type, value));
}

static int64_t nth(const Loop *loop, uint64_t round) {
  return (int64_t)((uint64_t)loop->lower + round * (uint64_t)loop->step);
}

static void unroll_fully(Unroll *unroll, const Loop *loop) {
  CakeRewriter *rewriter = &unroll->pass->rewriter;
  CakeBlock *body = cake_op_region(loop->op, 0)->first;
  Values carried = {0}, yields = {0};
  take_operands(loop->op, 3, &carried);
  take_operands(body->last, 0, &yields);
  cake_rewriter_set_before(rewriter, loop->op);
  for (uint64_t round = 0; round < loop->rounds; round++) {
    CakeValue *index = number(rewriter, body->args[0]->type, nth(loop, round));
    copy_body(rewriter, body, body->last->prev, index, &yields, &carried);
  }
  cake_rewriter_replace(rewriter, loop->op, carried.data);
  CAKE_VEC_FINI(&carried);
  CAKE_VEC_FINI(&yields);
  cake_pass_count(unroll->pass, "loops unrolled fully", 1);
}

// The rounds from number `first` on, in a loop behind this one that goes on with its results.
static void add_rest(CakeRewriter *rewriter, const Loop *loop, CakeValue *first) {
  CakeMap map = {0};
  cake_rewriter_set_after(rewriter, loop->op);
  CakeOp *rest = cake_rewriter_clone(rewriter, loop->op, &map);
  for (uint32_t i = 0; i < loop->op->n_results; i++)
    cake_rewriter_replace_uses(rewriter, &loop->op->results[i], &rest->results[i]);
  cake_rewriter_set_operand(rewriter, rest, 0, first);
  for (uint32_t i = 0; i < loop->op->n_results; i++)
    cake_rewriter_set_operand(rewriter, rest, 3 + i, &loop->op->results[i]);
  cake_map_fini(&map);
}

// Further copies behind the body's own ops, whose yield then hands on what the last of them yields.
static void add_copies(Unroll *unroll, const Loop *loop) {
  CakeRewriter *rewriter = &unroll->pass->rewriter;
  CakeBlock *body = cake_op_region(loop->op, 0)->first;
  CakeOp *yield = body->last, *end = yield->prev;
  Values carried = {0}, yields = {0};
  take_operands(yield, 0, &carried);
  take_operands(yield, 0, &yields);
  cake_rewriter_set_before(rewriter, yield);
  for (int64_t copy = 1; copy < unroll->factor; copy++) {
    CakeValue *offset = number(rewriter, body->args[0]->type, (int64_t)((uint64_t)copy * (uint64_t)loop->step));
    CakeValue *index = cake_build_binary(rewriter, "arith.addi", body->args[0], offset);
    copy_body(rewriter, body, end, index, &yields, &carried);
  }
  for (uint32_t i = 0; i < yield->n_operands; i++)
    cake_rewriter_set_operand(rewriter, yield, i, carried.data[i]);
  CAKE_VEC_FINI(&carried);
  CAKE_VEC_FINI(&yields);
}

static void unroll_by_factor(Unroll *unroll, const Loop *loop) {
  CakeRewriter *rewriter = &unroll->pass->rewriter;
  CakeType type = cake_op_operand(loop->op, 0)->type;
  uint64_t left = loop->rounds % (uint64_t)unroll->factor;
  cake_rewriter_set_before(rewriter, loop->op);
  CakeValue *end = number(rewriter, type, nth(loop, loop->rounds - left));
  CakeValue *step = number(rewriter, type, loop->step * unroll->factor);
  if (left) {
    add_rest(rewriter, loop, end);
    cake_rewriter_set_operand(rewriter, loop->op, 1, end);
  }
  add_copies(unroll, loop);
  cake_rewriter_set_operand(rewriter, loop->op, 2, step);
  cake_pass_count(unroll->pass, "loops unrolled", 1);
}

// ---- The pass ------------------------------------------------------------------------------------------------------

// Whether the step of the unrolled loop, and the end, are numbers of the index's type.
static bool is_in_range(const Unroll *unroll, const Loop *loop) {
  CakeType type = cake_op_operand(loop->op, 0)->type;
  unsigned width = cake_type_is_index(type) ? 32 : cake_type_width(type); // as wide as on the device
  int64_t most = width >= 64 ? INT64_MAX : (INT64_C(1) << (width - 1)) - 1;
  if (loop->step > most / unroll->factor) return false;
  return nth(loop, loop->rounds - 1) <= most - loop->step * unroll->factor;
}

static CakeWalkResult visit(void *user, CakeOp *op) {
  Unroll *unroll = user;
  Loop loop;
  if (!op->block || !op->info->def || !cake_op_is(op, "scf.for") || !has_constant_bounds(op, &loop))
    return CAKE_WALK_ADVANCE;
  if (loop.rounds <= (uint64_t)unroll->full_limit) {
    if (has_room(unroll, &loop, loop.rounds)) unroll_fully(unroll, &loop);
  } else if (unroll->factor > 1 && loop.rounds >= (uint64_t)unroll->factor && !has_loop_inside(op) &&
             is_in_range(unroll, &loop) && has_room(unroll, &loop, (uint64_t)unroll->factor)) {
    unroll_by_factor(unroll, &loop);
  }
  return CAKE_WALK_ADVANCE;
}

CakePassResult cake_pass_loop_unroll(CakePassContext *pass, CakeOp *root) {
  enum { SPARE_OPS = 1000000 };
  Unroll unroll = {.pass = pass,
                   .factor = cake_pass_option_int(pass->pass, "factor"),
                   .full_limit = cake_pass_option_int(pass->pass, "full-limit"),
                   .room = SPARE_OPS};
  if (unroll.factor < 1 || unroll.factor > 1024 || unroll.full_limit < 0) {
    cake_error(root, CAKE_CODE_PASS_FAILED,
               "cannot be unrolled: factor must be from 1 to 1024 and full-limit not negative");
    return CAKE_PASS_FAILED;
  }
  uint64_t before = pass->rewriter.changes;
  cake_op_walk(root, CAKE_WALK_POST, visit, &unroll);
  return pass->rewriter.changes != before ? CAKE_PASS_CHANGED : CAKE_PASS_UNCHANGED;
}
