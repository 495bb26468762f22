// cake-unroll: each cake.unroll becomes one copy of its body a round, in which the index is a constant.
//
// What carried values are in one round is what the round before handed on. Loops inside of others are unrolled with the
// copies of the outer ones.
#include "passes/lower.h"

#include "dialects/cake/ops/loops.h"
#include "passes/passes.h"

typedef CAKE_VEC(CakeValue *) Values;

enum { MOST_ROUNDS = 1 << 17 }; // of a module: more is a mistake, and fills the memory

static CakeValue *copy_of(const CakeMap *copies, CakeValue *value) {
  uintptr_t found;
  return cake_map_get(copies, value, &found) ? (CakeValue *)found : value;
}

// One copy of the body before the loop. `carried` goes in and comes out.
static void unroll_round(CakeRewriter *rewriter, CakeOp *loop, int64_t number, Values *carried) {
  CakeBlock *body = cake_region_entry(cake_op_region(loop, 0));
  CakeOp *yield = cake_block_terminator(body);
  CakeMap copies = {0};
  cake_map_set(&copies, body->args[0], (uintptr_t)cake_lower_index(rewriter, number));
  for (size_t i = 0; i < carried->len; i++)
    cake_map_set(&copies, body->args[1 + i], (uintptr_t)carried->data[i]);
  for (CakeOp *op = body->first; op != yield; op = op->next)
    cake_rewriter_clone(rewriter, op, &copies);
  for (size_t i = 0; i < carried->len; i++)
    carried->data[i] = copy_of(&copies, cake_op_operand(yield, (uint32_t)i));
  cake_map_fini(&copies);
}

static bool unroll_loop(CakeRewriter *rewriter, CakeOp *loop, int64_t *room) {
  int64_t lower, upper;
  if (!cake_expr_is_const(cake_cake_unroll_lower(loop), &lower) ||
      !cake_expr_is_const(cake_cake_unroll_upper(loop), &upper))
    return cake_error(loop, CAKE_CODE_PASS_FAILED, "has no constant bounds; run cake-instantiate first");
  int64_t rounds = upper > lower ? upper - lower : 0; // bounds are 32-bit numbers
  if (rounds > *room)
    return cake_error(loop, CAKE_CODE_PASS_FAILED, "has %lld rounds: a module may unroll %d in all", (long long)rounds,
                      MOST_ROUNDS);
  *room -= rounds;
  Values carried = {0};
  for (uint32_t i = 0; i < loop->n_operands; i++)
    CAKE_PUSH(&carried, cake_op_operand(loop, i));
  cake_rewriter_set_before(rewriter, loop);
  for (int64_t number = lower; number < upper; number++)
    unroll_round(rewriter, loop, number, &carried);
  cake_rewriter_replace(rewriter, loop, carried.data);
  CAKE_VEC_FINI(&carried);
  return true;
}

CakePassResult cake_pass_cake_unroll(CakePassContext *pass, CakeOp *module) {
  CakePassResult result = CAKE_PASS_UNCHANGED;
  int64_t room = MOST_ROUNDS;
  for (CakeOp *op = module; op;) {
    if (!cake_is_cake_op(op, cake_op_cake_unroll)) {
      op = cake_op_walk_next(module, op, false);
      continue;
    }
    CakeOp *before = op->prev, *parent = cake_op_parent(op); // the walk goes on with the copies
    if (!unroll_loop(&pass->rewriter, op, &room)) return CAKE_PASS_FAILED;
    cake_pass_count(pass, "loops unrolled", 1);
    result = CAKE_PASS_CHANGED;
    op = before ? before : parent;
  }
  return result;
}
