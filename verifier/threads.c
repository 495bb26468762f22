// Sets of the threads of a CTA.
#include "verifier/threads.h"

#include "verifier/lanes.h"

CakeThreads cake_threads_and(const CakeThreads *a, const CakeThreads *b) {
  CakeThreads out;
  for (int w = 0; w < CAKE_MAX_WARPS; w++)
    out.lanes[w] = a->lanes[w] & b->lanes[w];
  return out;
}

CakeThreads cake_threads_without(const CakeThreads *a, const CakeThreads *b) {
  CakeThreads out;
  for (int w = 0; w < CAKE_MAX_WARPS; w++)
    out.lanes[w] = a->lanes[w] & ~b->lanes[w];
  return out;
}

CakeThreads cake_threads_or(const CakeThreads *a, const CakeThreads *b) {
  CakeThreads out;
  for (int w = 0; w < CAKE_MAX_WARPS; w++)
    out.lanes[w] = a->lanes[w] | b->lanes[w];
  return out;
}

uint32_t cake_threads_warps(const CakeThreads *threads) {
  uint32_t mask = 0;
  for (int w = 0; w < CAKE_MAX_WARPS; w++)
    if (threads->lanes[w]) mask |= 1U << w;
  return mask;
}

CakeThreads cake_threads_all(int32_t warps) {
  CakeThreads out = {0};
  for (int32_t w = 0; w < warps; w++)
    out.lanes[w] = UINT32_MAX;
  return out;
}

static bool known_condition(const CakeValue *value, int32_t warps, CakeThreadsCondition *out) {
  int32_t number;
  memset(out, 0, sizeof *out);
  for (int32_t w = 0; w < warps; w++)
    for (uint32_t lane = 0; lane < 32; lane++) {
      if (!cake_lane_number(value, w, lane, &number)) return false;
      out->must.lanes[w] |= (uint32_t)(number & 1) << lane;
    }
  out->may = out->must;
  return true;
}

static CakeThreadsCondition condition_of(const CakeValue *value, int32_t warps, unsigned depth) {
  CakeThreadsCondition out;
  const CakeOp *op = cake_value_def(value);
  if (known_condition(value, warps, &out)) return out;
  bool is_and = op && cake_op_is(op, "arith.andi"), is_or = op && cake_op_is(op, "arith.ori");
  if (depth > 8 || (!is_and && !is_or)) return (CakeThreadsCondition){.may = cake_threads_all(warps)};
  CakeThreadsCondition a = condition_of(cake_op_operand(op, 0), warps, depth + 1);
  CakeThreadsCondition b = condition_of(cake_op_operand(op, 1), warps, depth + 1);
  out.must = is_and ? cake_threads_and(&a.must, &b.must) : cake_threads_or(&a.must, &b.must);
  out.may = is_and ? cake_threads_and(&a.may, &b.may) : cake_threads_or(&a.may, &b.may);
  return out;
}

CakeThreadsCondition cake_threads_condition(const CakeValue *value, int32_t warps) {
  return condition_of(value, warps, 0);
}
