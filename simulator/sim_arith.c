// arith: integer and float arithmetic, comparisons and conversions, elementwise. What MLIR leaves undefined is reported.
#include "simulator/each.h"

#include "dialects/arith/arith_ops.h"

#include "cake/float.h"

#include <math.h>
#include <string.h>

#define CAKE_DIALECT arith
#define CAKE_ROWS "dialects/arith/arith.def"
#include "simulator/build_rows.h"

// One function that computes, one that builds. `a` and `b` are the operands; RESULT the expression. The copy of the lanes tells compilers
// that what is written is none of it.
#define EACH(op, words, ...)                                                                                           \
  static size_t each_##op(const CakeSimLanes *lanes, size_t count) {                                                   \
    const CakeSimLanes copy = *lanes, *x = &copy;                                                                      \
    for (size_t n = 0; n < count; n++) {                                                                               \
      __VA_ARGS__                                                                                                      \
    }                                                                                                                  \
    return count;                                                                                                      \
  }                                                                                                                    \
  bool cake_sim_build_arith_##op(CakeSimBuilder *builder, CakeOp *operation) {                                         \
    static const CakeSimEachRow row = {each_##op, words};                                                              \
    return cake_sim_build_each(builder, operation, &row, 0);                                                           \
  }

// ---- Integers: `a`, `b` sign-extended, `ua`, `ub` zero-extended --------------------------------------------------------------

static uint64_t unsigned_of(int64_t value, unsigned bits) {
  return bits >= 64 ? (uint64_t)value : (uint64_t)value & ((UINT64_C(1) << bits) - 1);
}

// i1 is kept as 0 or 1, but its signed value is 0 or -1.
static int64_t signed_of(int64_t value, unsigned bits) {
  return bits == 1 ? -value : value;
}

#define INTEGERS                                                                                                       \
  unsigned bits = x->in.bits;                                                                                          \
  int64_t a = signed_of(x->i[0][n], bits), b = signed_of(x->i[1][n], bits);                                            \
  uint64_t ua = unsigned_of(a, bits), ub = unsigned_of(b, bits);                                                       \
  (void)a, (void)b, (void)ua, (void)ub;
#define GIVE(value) x->out_i[n] = cake_sim_wrap((int64_t)(value), x->out.bits);
#define INTEGER(op, value) EACH(op, NULL, INTEGERS GIVE(value))
#define DIVISION(op, is_bad, value)                                                                                    \
  EACH(op, "divides by zero, or the quotient overflows", INTEGERS if (is_bad) return n; GIVE(value))
#define SHIFT(op, value) EACH(op, "shifts by the width or more", INTEGERS if (ub >= bits) return n; GIVE(value))

static int64_t smallest(unsigned bits) {
  return bits >= 64 ? INT64_MIN : -(INT64_C(1) << (bits - 1));
}

#define IS_BAD_SIGNED (b == 0 || (b == -1 && a == smallest(bits)))

INTEGER(addi, (uint64_t)a + (uint64_t)b)
INTEGER(subi, (uint64_t)a - (uint64_t)b)
INTEGER(muli, (uint64_t)a *(uint64_t)b)
INTEGER(andi, ua &ub)
INTEGER(ori, ua | ub)
INTEGER(xori, ua ^ ub)
INTEGER(maxsi, a > b ? a : b)
INTEGER(minsi, a < b ? a : b)
INTEGER(maxui, ua > ub ? ua : ub)
INTEGER(minui, ua < ub ? ua : ub)
DIVISION(divsi, IS_BAD_SIGNED, a / b)
DIVISION(divui, ub == 0, ua / ub)
DIVISION(remsi, b == 0, b == -1 ? 0 : a % b)
DIVISION(remui, ub == 0, ua % ub)
DIVISION(ceildivsi, IS_BAD_SIGNED, a / b + (a % b != 0 && (a < 0) == (b < 0)))
DIVISION(floordivsi, IS_BAD_SIGNED, a / b - (a % b != 0 && (a < 0) != (b < 0)))
SHIFT(shli, ua << ub)
SHIFT(shrui, ua >> ub)
SHIFT(shrsi, a < 0 ? (int64_t)~(~(uint64_t)a >> ub) : a >> ub)

// ---- Floats ----------------------------------------------------------------------------------------------------------------

#define FLOAT(op, value) EACH(op, NULL, float a = x->f[0][n]; float b = x->f[1][n]; x->out_f[n] = (value);)

// -0 is smaller than +0; a NaN wins (maximum, minimum) or loses (maxnum, minnum).
static bool is_greater(float a, float b) {
  return a > b || (a == b && signbit(b) && !signbit(a));
}

FLOAT(addf, a + b)
FLOAT(subf, a - b)
FLOAT(mulf, a *b)
FLOAT(divf, a / b)
FLOAT(maximumf, isnan(a) ? a : isnan(b) ? b : is_greater(a, b) ? a : b)
FLOAT(minimumf, isnan(a) ? a : isnan(b) ? b : is_greater(a, b) ? b : a)
FLOAT(maxnumf, isnan(a) ? b : isnan(b) ? a : is_greater(a, b) ? a : b)
FLOAT(minnumf, isnan(a) ? b : isnan(b) ? a : is_greater(a, b) ? b : a)
EACH(negf, NULL, x->out_f[n] = -x->f[0][n];)

// ---- Comparisons -----------------------------------------------------------------------------------------------------------

#define COMPARE(predicate, holds)                                                                                      \
  case CAKE_CMPI_##predicate:                                                                                          \
    for (size_t n = 0; n < count; n++) {                                                                               \
      INTEGERS x->out_i[n] = (holds);                                                                                  \
    }                                                                                                                  \
    return count;

static size_t each_cmpi(const CakeSimLanes *lanes, size_t count) {
  const CakeSimLanes copy = *lanes, *x = &copy;
  switch ((CakeIntPredicate)x->predicate) {
    COMPARE(EQ, a == b)
    COMPARE(NE, a != b)
    COMPARE(SLT, a < b)
    COMPARE(SLE, a <= b)
    COMPARE(SGT, a > b)
    COMPARE(SGE, a >= b)
    COMPARE(ULT, ua < ub)
    COMPARE(ULE, ua <= ub)
    COMPARE(UGT, ua > ub)
    COMPARE(UGE, ua >= ub)
  default: return count;
  }
}

// The low three bits of a predicate say which of =, >, < it accepts, the fourth that it accepts NaN.
static bool holds_float(int64_t predicate, float a, float b) {
  static const unsigned char accepts[CAKE_CMPF_COUNT] = {
      [CAKE_CMPF_FALSE] = 0,   [CAKE_CMPF_OEQ] = 1,     [CAKE_CMPF_OGT] = 2,     [CAKE_CMPF_OGE] = 3,
      [CAKE_CMPF_OLT] = 4,     [CAKE_CMPF_OLE] = 5,     [CAKE_CMPF_ONE] = 6,     [CAKE_CMPF_ORD] = 7,
      [CAKE_CMPF_UEQ] = 8 | 1, [CAKE_CMPF_UGT] = 8 | 2, [CAKE_CMPF_UGE] = 8 | 3, [CAKE_CMPF_ULT] = 8 | 4,
      [CAKE_CMPF_ULE] = 8 | 5, [CAKE_CMPF_UNE] = 8 | 6, [CAKE_CMPF_UNO] = 8,     [CAKE_CMPF_TRUE] = 15};
  unsigned relation = isnan(a) || isnan(b) ? 8 : a == b ? 1 : a > b ? 2 : 4;
  return (accepts[predicate] & relation) != 0;
}

static size_t each_cmpf(const CakeSimLanes *x, size_t count) {
  for (size_t n = 0; n < count; n++)
    x->out_i[n] = holds_float(x->predicate, x->f[0][n], x->f[1][n]);
  return count;
}

bool cake_sim_build_arith_cmpi(CakeSimBuilder *builder, CakeOp *op) {
  static const CakeSimEachRow row = {each_cmpi, NULL};
  int64_t predicate = cake_attr_int_value(cake_op_prop(op, CAKE_ATTR_ROW(arith, cmpi, predicate)));
  if (predicate < 0 || predicate >= CAKE_CMPI_COUNT) return cake_sim_unsupported(op, "has no known predicate");
  return cake_sim_build_each(builder, op, &row, predicate);
}

bool cake_sim_build_arith_cmpf(CakeSimBuilder *builder, CakeOp *op) {
  static const CakeSimEachRow row = {each_cmpf, NULL};
  int64_t predicate = cake_attr_int_value(cake_op_prop(op, CAKE_ATTR_ROW(arith, cmpf, predicate)));
  if (predicate < 0 || predicate >= CAKE_CMPF_COUNT) return cake_sim_unsupported(op, "has no known predicate");
  return cake_sim_build_each(builder, op, &row, predicate);
}

// ---- Conversions -----------------------------------------------------------------------------------------------------------

#define SIGNED_IN signed_of(x->i[0][n], x->in.bits)
#define UNSIGNED_IN unsigned_of(x->i[0][n], x->in.bits)

EACH(extf, NULL, x->out_f[n] = x->f[0][n];)
EACH(extsi, NULL, GIVE(SIGNED_IN))
EACH(extui, NULL, GIVE(UNSIGNED_IN))
EACH(trunci, NULL, GIVE(UNSIGNED_IN))
EACH(index_cast, NULL, GIVE(SIGNED_IN))
EACH(index_castui, NULL, GIVE(UNSIGNED_IN))
// f32 first, then the element's format: twice rounded where that is narrower, as two conversions of the hardware do.
EACH(sitofp, NULL, x->out_f[n] = (float)SIGNED_IN;)
EACH(uitofp, NULL, x->out_f[n] = (float)UNSIGNED_IN;)

// Powers of two are exact: |value| < 2^bits, NaN fails every comparison.
EACH(fptosi, "converts a float that does not fit", {
  double value = trunc((double)x->f[0][n]);
  double limit = ldexp(1, x->out.bits - 1);
  if (!(value >= -limit && value < limit)) return n;
  GIVE((int64_t)value)
})
EACH(fptoui, "converts a float that does not fit", {
  double value = trunc((double)x->f[0][n]);
  if (!(value > -1 && value < ldexp(1, x->out.bits))) return n;
  GIVE((uint64_t)value)
})

static size_t each_truncf(const CakeSimLanes *x, size_t count) {
  memcpy(x->out_f, x->f[0], count * sizeof(float));
  return count;
}

bool cake_sim_build_arith_truncf(CakeSimBuilder *builder, CakeOp *op) {
  static const CakeSimEachRow row = {each_truncf, NULL};
  CakeAttr mode = cake_op_prop(op, CAKE_ATTR_ROW(arith, truncf, roundingmode));
  if (mode && cake_attr_int_value(mode) != 0)
    return cake_sim_unsupported(op, "rounds otherwise than to the nearest number, ties to even");
  return cake_sim_build_each(builder, op, &row, 0);
}

// Through the bits in an array.
static size_t each_bitcast(const CakeSimLanes *x, size_t count) {
  for (size_t n = 0; n < count; n++) {
    uint64_t bits = 0;
    cake_sim_write(x->in, &bits, 0, 1, x->in.is_float ? (const void *)&x->f[0][n] : (const void *)&x->i[0][n]);
    cake_sim_read(x->out, &bits, 0, 1, x->out.is_float ? (void *)&x->out_f[n] : (void *)&x->out_i[n]);
  }
  return count;
}

bool cake_sim_build_arith_bitcast(CakeSimBuilder *builder, CakeOp *op) {
  static const CakeSimEachRow row = {each_bitcast, NULL};
  return cake_sim_build_each(builder, op, &row, 0);
}

// ---- constant, select --------------------------------------------------------------------------------------------------------

void cake_sim_place_constants(CakeSimMachine *machine) {
  for (size_t i = 0; i < machine->program->constants.len; i++) {
    CakeSimConstant constant = machine->program->constants.data[i];
    const CakeSimSlot *slot = cake_sim_slot_info(machine, constant.slot);
    memcpy(cake_sim_at(machine, constant.slot), constant.kept, slot->count * cake_sim_kept_bytes(slot->element));
  }
}

// Writes each of `count` elements `times` times, in place.
static void repeat(void *kept, size_t size, size_t count, size_t times) {
  char *at = kept;
  for (size_t i = count; i-- > 0;) {
    for (size_t t = times; t-- > 0;)
      memmove(at + (i * times + t) * size, at + i * size, size);
  }
}

// The bytes of a dense attribute are those of an array, in which an index has 64 bits; a splat has one element.
static bool read_dense(CakeSimBuilder *builder, CakeOp *op, CakeAttr value, const CakeSimSlot *slot, void *kept) {
  CakeStr bytes = cake_attr_string_value(value);
  CakeSimElement element = slot->element;
  if (cake_type_is_index(cake_type_element(op->results[0].type))) element.bits = 64;
  size_t stored = cake_sim_stored_bytes(element), lanes = builder->launch->level->lanes, count = slot->count / lanes;
  bool is_splat = bytes.len == stored;
  if (!is_splat && bytes.len != stored * count)
    return cake_sim_unsupported(op, "has a constant whose size does not fit");
  if (count == 0) return true;
  void *aligned = cake_arena_alloc(builder->launch->arena, bytes.len + 1);
  memcpy(aligned, bytes.ptr, bytes.len);
  cake_sim_read(element, aligned, 0, is_splat ? 1 : count, kept);
  repeat(kept, cake_sim_kept_bytes(element), is_splat ? 1 : count, is_splat ? slot->count : lanes);
  return true;
}

bool cake_sim_build_arith_constant(CakeSimBuilder *builder, CakeOp *op) {
  CakeAttr value = cake_op_prop(op, CAKE_ATTR_ROW(arith, constant, value));
  const uint32_t *out = NULL;
  if (!cake_sim_define_results(builder, op, &out)) return false;
  const CakeSimSlot *slot = cake_sim_slot(builder, out[0]);
  void *kept = cake_arena_alloc(builder->launch->arena, slot->bytes + 16);
  CAKE_PUSH(&builder->program->constants, (CakeSimConstant){out[0], kept});
  if (slot->kind != CAKE_SIM_DATA) return cake_sim_unsupported(op, "is a constant of a type that cannot be simulated");
  if (cake_attr_is(value, &cake_attr_def_dense_elements)) return read_dense(builder, op, value, slot, kept);
  if (!cake_attr_is(value, &cake_attr_def_integer) && !cake_attr_is(value, &cake_attr_def_float))
    return cake_sim_unsupported(op, "is a constant of a kind that cannot be simulated");
  cake_sim_fill_kept(slot->element, value, slot->count, kept);
  return true;
}

#define SELECT(name, type)                                                                                             \
  static void name(type *out, const int64_t *condition, const type *holds, const type *fails, size_t count) {          \
    for (size_t i = 0; i < count; i++)                                                                                 \
      out[i] = condition[i] ? holds[i] : fails[i];                                                                     \
  }
SELECT(select_floats, float)
SELECT(select_ints, int64_t)

// A single condition chooses the whole value (of its lane), otherwise each its element.
static CakeSimStep eval_select(CakeSimMachine *machine, const CakeSimInstr *instr) {
  const CakeSimSlot *slot = cake_sim_slot_info(machine, instr->out[0]);
  const int64_t *condition = cake_sim_ints(machine, instr->in[0]);
  size_t n = cake_sim_slot_info(machine, instr->in[0])->count;
  if (n == 1) {
    memcpy(cake_sim_at(machine, instr->out[0]), cake_sim_at(machine, instr->in[condition[0] ? 1 : 2]), slot->bytes);
    return CAKE_SIM_NEXT;
  }
  void *out = cake_sim_at(machine, instr->out[0]);
  const void *holds = cake_sim_at(machine, instr->in[1]), *fails = cake_sim_at(machine, instr->in[2]);
  for (size_t i = 0; i < slot->count; i += n) {
    if (slot->element.is_float)
      select_floats((float *)out + i, condition, (const float *)holds + i, (const float *)fails + i, n);
    else
      select_ints((int64_t *)out + i, condition, (const int64_t *)holds + i, (const int64_t *)fails + i, n);
  }
  return CAKE_SIM_NEXT;
}

bool cake_sim_build_arith_select(CakeSimBuilder *builder, CakeOp *op) {
  CakeSimInstr *instr = cake_sim_emit(builder, op, eval_select);
  if (!instr) return false;
  if (instr->in[1] == CAKE_SIM_NO_SLOT || instr->in[2] == CAKE_SIM_NO_SLOT)
    return cake_sim_unsupported(op, "chooses between arrays");
  const CakeSimSlot *out = cake_sim_slot(builder, instr->out[0]), *condition = cake_sim_slot(builder, instr->in[0]);
  for (size_t i = 1; i <= 2; i++) {
    const CakeSimSlot *in = cake_sim_slot(builder, instr->in[i]);
    if (in->kind != out->kind || in->bytes != out->bytes)
      return cake_sim_unsupported(op, "chooses between values that do not fit");
  }
  bool is_single = condition->count == builder->launch->level->lanes;
  bool fits = out->kind == CAKE_SIM_DATA ? is_single || condition->count == out->count : is_single;
  return fits || cake_sim_unsupported(op, "has conditions that do not fit the values");
}

// ---- What no kernel uses -------------------------------------------------------------------------------------------

#define NOT_SIMULATED(op)                                                                                              \
  bool cake_sim_build_arith_##op(CakeSimBuilder *builder, CakeOp *operation) {                                         \
    (void)builder;                                                                                                     \
    return cake_sim_unsupported(operation, "cannot be simulated");                                                     \
  }
NOT_SIMULATED(addui_extended)
NOT_SIMULATED(mulsi_extended)
NOT_SIMULATED(mului_extended)
NOT_SIMULATED(ceildivui)
NOT_SIMULATED(remf)
NOT_SIMULATED(scaling_extf)
NOT_SIMULATED(scaling_truncf)
