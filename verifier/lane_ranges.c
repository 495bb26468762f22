// Intervals of the integers that a warp's threads may hold: of addresses in shared memory, for the most part.
#include "verifier/lane_ranges.h"

#include "dialects/arith/arith_ops.h"
#include "dialects/gpu/gpu_accessors.h"
#include "verifier/lanes.h"

enum { MAX_DEPTH = 24, MAX_VISITS = 600 };

typedef struct Visit {
  int32_t warp, visits;
  bool is_exact;
} Visit;

static CakeLaneRange range_of(Visit *visit, const CakeValue *value, unsigned depth);

static CakeLaneRange unknown(Visit *visit) {
  visit->is_exact = false;
  return (CakeLaneRange){0, 0};
}

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}
static int64_t most(int64_t a, int64_t b) {
  return a > b ? a : b;
}

// All ones up to the highest bit of a number that is not negative.
static int64_t mask_over(int64_t value) {
  int64_t mask = 0;
  while (mask < value)
    mask = mask << 1 | 1;
  return mask;
}

static CakeLaneRange products(CakeLaneRange a, CakeLaneRange b) {
  int64_t p = a.lo * b.lo, q = a.lo * b.hi, r = a.hi * b.lo, s = a.hi * b.hi;
  return (CakeLaneRange){least(least(p, q), least(r, s)), most(most(p, q), most(r, s))};
}

// Of numbers that are not negative. False: not this operation, or not of these.
static bool apply_positive(CakeAlu alu, CakeLaneRange a, CakeLaneRange b, CakeLaneRange *out) {
  if (a.lo < 0 || b.lo < 0) return false;
  switch (alu) {
  case CAKE_ALU_SFLOOR:
  case CAKE_ALU_SDIV:
  case CAKE_ALU_DIV: *out = (CakeLaneRange){a.lo / most(b.hi, 1), a.hi / most(b.lo, 1)}; return true;
  case CAKE_ALU_SREM:
  case CAKE_ALU_REM: *out = a.hi < b.lo ? a : (CakeLaneRange){0, most(b.hi - 1, 0)}; return true;
  case CAKE_ALU_AND: *out = (CakeLaneRange){0, least(a.hi, b.hi)}; return true;
  case CAKE_ALU_OR: *out = (CakeLaneRange){most(a.lo, b.lo), mask_over(most(a.hi, b.hi))}; return true;
  case CAKE_ALU_XOR: *out = (CakeLaneRange){0, mask_over(most(a.hi, b.hi))}; return true;
  case CAKE_ALU_SHL:
    if (b.hi > 30) return false;
    *out = (CakeLaneRange){a.lo << b.lo, a.hi << b.hi};
    return true;
  case CAKE_ALU_SAR:
  case CAKE_ALU_SHR: *out = (CakeLaneRange){a.lo >> least(b.hi, 62), a.hi >> least(b.lo, 62)}; return true;
  default: return false;
  }
}

static CakeLaneRange apply(Visit *visit, CakeAlu alu, CakeLaneRange a, CakeLaneRange b) {
  CakeLaneRange out;
  switch (alu) {
  case CAKE_ALU_ADD: return (CakeLaneRange){a.lo + b.lo, a.hi + b.hi};
  case CAKE_ALU_SUB: return (CakeLaneRange){a.lo - b.hi, a.hi - b.lo};
  case CAKE_ALU_MUL: return products(a, b);
  case CAKE_ALU_SMIN:
  case CAKE_ALU_MIN: return (CakeLaneRange){least(a.lo, b.lo), least(a.hi, b.hi)};
  case CAKE_ALU_SMAX:
  case CAKE_ALU_MAX: return (CakeLaneRange){most(a.lo, b.lo), most(a.hi, b.hi)};
  default: return apply_positive(alu, a, b, &out) ? out : unknown(visit);
  }
}

// Sums of sums stay far inside of 64 bits.
static CakeLaneRange cut(Visit *visit, CakeLaneRange range) {
  return range.lo < INT32_MIN || range.hi > INT32_MAX ? unknown(visit) : range;
}

// The index of a loop whose bounds are known; else where it begins.
static CakeLaneRange index_range(Visit *visit, const CakeValue *value, unsigned depth) {
  CakeOp *loop = cake_block_parent(cake_arg_owner(value));
  if (!loop || value->index != 0 || !cake_op_is(loop, "scf.for")) return unknown(visit);
  bool was_exact = visit->is_exact;
  CakeLaneRange begin = range_of(visit, cake_op_operand(loop, 0), depth + 1);
  CakeLaneRange end = range_of(visit, cake_op_operand(loop, 1), depth + 1);
  if (visit->is_exact || !was_exact) return (CakeLaneRange){begin.lo, most(end.hi - 1, begin.lo)};
  return unknown(visit);
}

// `x == end ? 0 : x`: a counter of stages that begins anew.
static bool begins_anew(const CakeOp *select) {
  const CakeOp *test = cake_value_def(cake_op_operand(select, 0));
  return test && cake_is_arith_op(test, cake_op_arith_cmpi) && cake_op_operand(test, 0) == cake_op_operand(select, 2);
}

static CakeLaneRange result_range(Visit *visit, const CakeOp *op, unsigned depth) {
  CakeAlu alu;
  if (cake_lane_is_cast(op)) return range_of(visit, cake_op_operand(op, 0), depth + 1);
  bool was_exact = visit->is_exact;
  if (cake_is_arith_op(op, cake_op_arith_select)) {
    CakeLaneRange a = range_of(visit, cake_op_operand(op, 1), depth + 1);
    CakeLaneRange b = range_of(visit, cake_op_operand(op, 2), depth + 1);
    // One more than a stage that is not known is not known either, and no slot of another ring.
    if (was_exact && !visit->is_exact && begins_anew(op)) return unknown(visit);
    return (CakeLaneRange){least(a.lo, b.lo), most(a.hi, b.hi)};
  }
  if (!cake_lane_alu(op, &alu)) return unknown(visit);
  CakeLaneRange a = range_of(visit, cake_op_operand(op, 0), depth + 1);
  bool lost = was_exact && !visit->is_exact;
  CakeLaneRange b = range_of(visit, cake_op_operand(op, 1), depth + 1);
  // A remainder, or bits under a mask, are bounded whatever they are of.
  if (lost && (alu == CAKE_ALU_REM || alu == CAKE_ALU_SREM || alu == CAKE_ALU_AND)) {
    visit->is_exact = true;
    CakeLaneRange limit = range_of(visit, cake_op_operand(op, 1), depth + 1);
    int64_t last = alu == CAKE_ALU_AND ? limit.hi : most(limit.hi - 1, 0);
    return (CakeLaneRange){alu == CAKE_ALU_SREM ? -last : 0, last};
  }
  return cut(visit, apply(visit, alu, a, b));
}

static CakeLaneRange range_of(Visit *visit, const CakeValue *value, unsigned depth) {
  int32_t first, last;
  if (depth > MAX_DEPTH || ++visit->visits > MAX_VISITS) return unknown(visit);
  if (value->is_argument) return index_range(visit, value, depth);
  const CakeOp *op = cake_result_owner(value);
  if (op->n_operands == 0) {
    if (!cake_lane_number(value, visit->warp, 0, &first) || !cake_lane_number(value, visit->warp, 31, &last))
      return unknown(visit);
    return (CakeLaneRange){least(first, last), most(first, last)};
  }
  return op->n_regions ? unknown(visit) : result_range(visit, op, depth);
}

CakeLaneRange cake_lane_range(const CakeValue *value, int32_t warp, bool *is_exact) {
  Visit visit = {.warp = warp, .is_exact = true};
  CakeLaneRange range = range_of(&visit, value, 0);
  *is_exact = visit.is_exact;
  return range;
}
