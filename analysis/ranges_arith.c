// What the ops of arith make of ranges.
#include "analysis/ranges_private.h"

#include "dialects/arith/arith_ops.h"

// What a function sees: the ranges of the operands, and how many bits they have. False: nothing can be said.
typedef struct Args {
  const CakeOp *op;
  CakeRange a, b, c;
  uint32_t width; // of a
} Args;
typedef bool (*Transfer)(const Args *in, CakeRange *out);

static int64_t smaller(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static int64_t larger(int64_t a, int64_t b) {
  return a > b ? a : b;
}

static bool set(CakeRange *out, int64_t min, int64_t max) {
  *out = (CakeRange){min, max};
  return true;
}

// The hull of a function that is monotonic in each argument while the other stays.
static bool corners(const Args *in, int64_t (*fn)(int64_t a, int64_t b), CakeRange *out) {
  int64_t values[] = {fn(in->a.min, in->b.min), fn(in->a.min, in->b.max), fn(in->a.max, in->b.min),
                      fn(in->a.max, in->b.max)};
  *out = (CakeRange){values[0], values[0]};
  for (size_t i = 1; i < CAKE_COUNT(values); i++)
    *out = (CakeRange){smaller(out->min, values[i]), larger(out->max, values[i])};
  return true;
}

static bool are_positive(const Args *in) {
  return in->a.min >= 0 && in->b.min >= 0;
}

// ---- Sums, products, quotients -------------------------------------------------------------------------------------

static bool addi(const Args *in, CakeRange *out) {
  return set(out, in->a.min + in->b.min, in->a.max + in->b.max);
}

static bool subi(const Args *in, CakeRange *out) {
  return set(out, in->a.min - in->b.max, in->a.max - in->b.min);
}

static int64_t product(int64_t a, int64_t b) {
  return a * b;
}

static bool muli(const Args *in, CakeRange *out) {
  return corners(in, product, out);
}

static int64_t quotient(int64_t a, int64_t b) {
  return a / b;
}

static int64_t floor_quotient(int64_t a, int64_t b) {
  return a / b - (a % b < 0);
}

static int64_t ceil_quotient(int64_t a, int64_t b) {
  return a / b + (a % b > 0);
}

static bool divsi(const Args *in, CakeRange *out) {
  return in->b.min > 0 && corners(in, quotient, out);
}

static bool divui(const Args *in, CakeRange *out) {
  return in->a.min >= 0 && divsi(in, out);
}

static bool floordivsi(const Args *in, CakeRange *out) {
  return in->b.min > 0 && corners(in, floor_quotient, out);
}

static bool ceildivsi(const Args *in, CakeRange *out) {
  return in->b.min > 0 && corners(in, ceil_quotient, out);
}

static bool ceildivui(const Args *in, CakeRange *out) {
  return in->a.min >= 0 && ceildivsi(in, out);
}

static bool remsi(const Args *in, CakeRange *out) {
  int64_t most = in->b.max - 1;
  return in->b.min > 0 &&
         set(out, in->a.min < 0 ? larger(in->a.min, -most) : 0, in->a.max > 0 ? smaller(in->a.max, most) : 0);
}

static bool remui(const Args *in, CakeRange *out) {
  return in->b.min > 0 && set(out, 0, in->a.min >= 0 ? smaller(in->a.max, in->b.max - 1) : in->b.max - 1);
}

static bool maxsi(const Args *in, CakeRange *out) {
  return set(out, larger(in->a.min, in->b.min), larger(in->a.max, in->b.max));
}

static bool minsi(const Args *in, CakeRange *out) {
  return set(out, smaller(in->a.min, in->b.min), smaller(in->a.max, in->b.max));
}

static bool maxui(const Args *in, CakeRange *out) {
  return are_positive(in) && maxsi(in, out);
}

static bool minui(const Args *in, CakeRange *out) {
  return are_positive(in) && minsi(in, out);
}

// ---- Bits ----------------------------------------------------------------------------------------------------------

static bool andi(const Args *in, CakeRange *out) {
  if (in->a.min < 0 && in->b.min < 0) return false;
  if (in->a.min < 0) return set(out, 0, in->b.max);
  return set(out, 0, in->b.min < 0 ? in->a.max : smaller(in->a.max, in->b.max));
}

// All ones up to the highest bit.
static int64_t ones(int64_t most) {
  int64_t mask = 0;
  while (mask < most)
    mask = 2 * mask + 1;
  return mask;
}

static bool ori(const Args *in, CakeRange *out) {
  return are_positive(in) && set(out, larger(in->a.min, in->b.min), ones(larger(in->a.max, in->b.max)));
}

static bool xori(const Args *in, CakeRange *out) {
  return are_positive(in) && set(out, 0, ones(larger(in->a.max, in->b.max)));
}

static bool is_shift(const Args *in) {
  return in->b.min >= 0 && in->b.max < in->width && in->b.max < 32;
}

static int64_t shifted(int64_t a, int64_t b) {
  return a * ((int64_t)1 << b);
}

static bool shli(const Args *in, CakeRange *out) {
  return is_shift(in) && corners(in, shifted, out);
}

static int64_t shifted_down(int64_t a, int64_t b) {
  return floor_quotient(a, (int64_t)1 << b);
}

static bool shrsi(const Args *in, CakeRange *out) {
  return is_shift(in) && corners(in, shifted_down, out);
}

static bool shrui(const Args *in, CakeRange *out) {
  return in->a.min >= 0 && shrsi(in, out);
}

// ---- Comparisons and casts -----------------------------------------------------------------------------------------

// Whether a < b (`or_equal`: a <= b) holds for all numbers, for none, or neither.
static bool decide(const CakeRange *a, const CakeRange *b, bool or_equal, CakeRange *out) {
  bool always = or_equal ? a->max <= b->min : a->max < b->min, never = or_equal ? a->min > b->max : a->min >= b->max;
  return set(out, always, !never);
}

static bool cmpi(const Args *in, CakeRange *out) {
  int64_t predicate = cake_attr_int_value(cake_op_prop(in->op, CAKE_ATTR_ROW(arith, cmpi, predicate)));
  bool is_unsigned = predicate >= CAKE_CMPI_ULT, is_apart = in->a.max < in->b.min || in->b.max < in->a.min;
  bool is_one = in->a.min == in->a.max && in->b.min == in->b.max && in->a.min == in->b.min;
  if (predicate == CAKE_CMPI_EQ) return set(out, is_one, !is_apart);
  if (predicate == CAKE_CMPI_NE) return set(out, is_apart, !is_one);
  if (is_unsigned ? !are_positive(in) : in->width == 1) return false;
  switch (predicate) {
  case CAKE_CMPI_SLT:
  case CAKE_CMPI_ULT: return decide(&in->a, &in->b, false, out);
  case CAKE_CMPI_SLE:
  case CAKE_CMPI_ULE: return decide(&in->a, &in->b, true, out);
  case CAKE_CMPI_SGT:
  case CAKE_CMPI_UGT: return decide(&in->b, &in->a, false, out);
  default: return decide(&in->b, &in->a, true, out);
  }
}

static bool select_op(const Args *in, CakeRange *out) {
  if (in->a.min == 1) return set(out, in->b.min, in->b.max);
  if (in->a.max == 0) return set(out, in->c.min, in->c.max);
  return set(out, smaller(in->b.min, in->c.min), larger(in->b.max, in->c.max));
}

// A bit that is extended by its sign is 0 or -1.
static bool extsi(const Args *in, CakeRange *out) {
  return in->width == 1 ? set(out, -in->a.max, -in->a.min) : set(out, in->a.min, in->a.max);
}

static bool extui(const Args *in, CakeRange *out) {
  if (in->a.min >= 0) return set(out, in->a.min, in->a.max);
  return in->width <= 32 && set(out, 0, ((int64_t)1 << in->width) - 1);
}

static bool trunci(const Args *in, CakeRange *out) {
  return set(out, in->a.min, in->a.max); // what does not fit is given up
}

static bool index_castui(const Args *in, CakeRange *out) {
  return in->a.min >= 0 && set(out, in->a.min, in->a.max);
}

enum {
  BITS = 1,  // operands may be i1, whose 1 is -1 as a signed number
  LARGE = 2, // of any size: results are no larger than the operands
};

static const struct {
  Transfer fn;
  unsigned flags;
} table[cake_op_arith_COUNT] = {
    [cake_op_arith_addi] = {addi,         BITS        },
    [cake_op_arith_subi] = {subi,         BITS        },
    [cake_op_arith_muli] = {muli,         BITS        },
    [cake_op_arith_divsi] = {divsi,        LARGE       },
    [cake_op_arith_divui] = {divui,        BITS | LARGE},
    [cake_op_arith_floordivsi] = {floordivsi,   LARGE       },
    [cake_op_arith_ceildivsi] = {ceildivsi,    LARGE       },
    [cake_op_arith_ceildivui] = {ceildivui,    BITS | LARGE},
    [cake_op_arith_remsi] = {remsi,        LARGE       },
    [cake_op_arith_remui] = {remui,        BITS | LARGE},
    [cake_op_arith_maxsi] = {maxsi,        LARGE       },
    [cake_op_arith_minsi] = {minsi,        LARGE       },
    [cake_op_arith_maxui] = {maxui,        BITS | LARGE},
    [cake_op_arith_minui] = {minui,        BITS | LARGE},
    [cake_op_arith_andi] = {andi,         BITS | LARGE},
    [cake_op_arith_ori] = {ori,          BITS        },
    [cake_op_arith_xori] = {xori,         BITS        },
    [cake_op_arith_shli] = {shli,         0           },
    [cake_op_arith_shrsi] = {shrsi,        LARGE       },
    [cake_op_arith_shrui] = {shrui,        LARGE       },
    [cake_op_arith_cmpi] = {cmpi,         BITS | LARGE},
    [cake_op_arith_select] = {select_op,    BITS | LARGE},
    [cake_op_arith_extsi] = {extsi,        BITS        },
    [cake_op_arith_extui] = {extui,        BITS        },
    [cake_op_arith_trunci] = {trunci,       0           },
    [cake_op_arith_index_cast] = {extsi,        BITS        },
    [cake_op_arith_index_castui] = {index_castui, BITS        },
};

// The range of an operand; false: it has none.
static bool read(const CakeOp *op, const RangeState *states, uint32_t i, CakeRange *out) {
  CakeType type = cake_op_operand(op, i)->type;
  if (!cake_range_of_type(type, out)) return false;
  *out = cake_range_in_type(&states[i], type);
  return true;
}

// Whether nothing that is computed from it can overflow 64 bits, nor an index, which has 32 on the device.
static bool is_small(const CakeRange *range) {
  return range->min >= INT32_MIN && range->max <= INT32_MAX;
}

void cake_range_arith(CakeOp *op, const RangeState *operands, RangeState *results) {
  Transfer fn = table[op->info->def->ordinal].fn;
  unsigned flags = table[op->info->def->ordinal].flags;
  Args in = {.op = op};
  CakeRange all, out;
  if (!fn || op->n_results != 1 || !cake_range_of_type(op->results[0].type, &all) || op->n_operands > 3) return;
  CakeRange *const ranges[] = {&in.a, &in.b, &in.c};
  for (uint32_t i = 0; i < op->n_operands; i++)
    if (!read(op, operands, i, ranges[i]) || !((flags & LARGE) || is_small(ranges[i]))) return;
  bool is_index = cake_type_is_index(cake_op_operand(op, 0)->type);
  in.width = is_index ? 32 : cake_type_width(cake_op_operand(op, 0)->type);
  if ((in.width == 1 && !(flags & BITS)) || !fn(&in, &out)) return;
  bool may_wrap = !(flags & LARGE) && cake_type_is_index(op->results[0].type) && !is_small(&out);
  if (out.min >= all.min && out.max <= all.max && !may_wrap) cake_range_set(results, out.min, out.max);
}
