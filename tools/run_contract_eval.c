// Evaluating the formulas of contracts in fp64, each value with a bound for the error of f32 arithmetic.
//
// Higham, Accuracy and Stability of Numerical Algorithms, chapters 2 to 4: an operation gives fl(x) = x (1 + d), |d| <= u; a sum
// of n terms in any order has an error of at most about n u times the sum of the magnitudes. u = 2^-24; for sums 2^-23, since
// matrix units align the terms of a step and cut what is below (Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA
// tensor cores", 2021). What is exact in f32 has no error: so are sums of small integers, where ties can be told from near ties.
#include "tools/run_contract_parts.h"

#include <float.h>
#include <math.h>
#include <string.h>

#define UNIT 0x1p-24
#define SUM_UNIT 0x1p-23
#define SMALLEST_NORMAL 0x1p-126

typedef struct Frame {
  ContractTables *tables;
  const ContractDefinition *definition;
  int64_t indices[CONTRACT_INDICES];
} Frame;

static ContractValue evaluate(Frame *frame, const ContractNode *node);

// ---- Errors ----------------------------------------------------------------------------------------------------------

static ContractValue exact(double value) {
  return (ContractValue){value, 0};
}

// What is not finite is certain when nothing that it was made of was in doubt.
static ContractValue not_finite(double value, bool is_certain) {
  return (ContractValue){value, is_certain ? 0 : INFINITY};
}

static ContractValue with_error(double value, double error, double unit) {
  double most = fabs(value) + error;
  if (isnan(error) || most > (double)FLT_MAX) return (ContractValue){value, INFINITY};
  error += unit * most;
  if (most < SMALLEST_NORMAL) error += SMALLEST_NORMAL; // may be flushed to zero
  return (ContractValue){value, error};
}

// The result of one operation whose operands have that error together.
static ContractValue rounded(double value, double error) {
  bool is_held = error == 0 && (double)(float)value == value && (value == 0 || fabs(value) >= SMALLEST_NORMAL);
  return is_held ? exact(value) : with_error(value, error, UNIT);
}

static ContractValue add(ContractValue a, ContractValue b, double sign) {
  double value = a.value + sign * b.value, error = a.error + b.error;
  if (!isfinite(value)) return not_finite(value, isfinite(error));
  // Two-sum: whether fp64 itself rounded.
  double back = value - a.value, lost = (a.value - (value - back)) + (sign * b.value - back);
  return error == 0 && lost == 0 ? rounded(value, 0) : with_error(value, error, UNIT);
}

static ContractValue multiply(ContractValue a, ContractValue b) {
  double value = a.value * b.value;
  if (!isfinite(value)) return not_finite(value, a.error == 0 && b.error == 0);
  return rounded(value, fabs(a.value) * b.error + fabs(b.value) * a.error + a.error * b.error);
}

static ContractValue divide(ContractValue a, ContractValue b) {
  double value = a.value / b.value, least = fabs(b.value) - b.error;
  if (!isfinite(value) || !isfinite(b.value)) return not_finite(value, a.error == 0 && b.error == 0);
  if (least <= 0) return (ContractValue){value, INFINITY};
  return with_error(value, (a.error + fabs(value) * b.error) / least, 4 * UNIT);
}

// ---- Functions -------------------------------------------------------------------------------------------------------

typedef struct Function {
  const char *name;
  double (*value)(double a);
  double (*slope)(double a);
  double relative;
} Function;

#define FUNCTION(name, expression, derivative, relative)                                                               \
  static double value_##name(double a) {                                                                               \
    return expression;                                                                                                 \
  }                                                                                                                    \
  static double slope_##name(double a) {                                                                               \
    (void)a;                                                                                                           \
    return derivative;                                                                                                 \
  }
#include "tools/run_contract_functions.def"
#undef FUNCTION

static const Function functions[] = {
#define FUNCTION(name, expression, derivative, relative) {#name, value_##name, slope_##name, relative},
#include "tools/run_contract_functions.def"
#undef FUNCTION
};

size_t contract_function_find(CakeStr name) {
  for (size_t i = 0; i < CAKE_COUNT(functions); i++)
    if (cake_str_is(name, functions[i].name)) return i;
  return SIZE_MAX;
}

// The larger one; what is no number bounds nothing.
static double worse(double a, double b) {
  return isnan(a) || isnan(b) ? INFINITY : fmax(a, b);
}

// The values at the ends of the interval, and the slopes there, bound a monotone function; the argument itself may have been scaled.
static ContractValue call(const Function *function, ContractValue a) {
  double value = function->value(a.value);
  if (!isfinite(value) || !isfinite(a.value)) return not_finite(value, a.error == 0);
  if (!isfinite(a.error)) return (ContractValue){value, INFINITY};
  double scaled = function->relative > 0 ? a.error + 2 * UNIT * fabs(a.value) : a.error;
  double ends = worse(fabs(function->value(a.value + scaled) - value), fabs(function->value(a.value - scaled) - value));
  double slope = worse(fabs(function->slope(a.value + scaled)), fabs(function->slope(a.value - scaled)));
  double error = scaled > 0 ? worse(ends, slope * scaled) : 0;
  return function->relative > 0 ? with_error(value, error, function->relative + UNIT) : (ContractValue){value, error};
}

// ---- Reading ---------------------------------------------------------------------------------------------------------

static size_t flat_of(const Frame *frame, const ContractNode *node, const int64_t *dims) {
  size_t flat = 0;
  for (size_t d = 0; d < node->n_indices; d++)
    flat = flat * (size_t)dims[d] + (size_t)frame->indices[node->indices[d]];
  return flat;
}

// An argument's elements as numbers, from the first read on.
static const double *numbers_of(ContractTables *tables, size_t argument) {
  const CakeRunArray *array = &tables->args->arrays.data[argument];
  while (tables->numbers.len <= argument)
    CAKE_PUSH(&tables->numbers, ((CakeBuf){0}));
  CakeBuf *numbers = &tables->numbers.data[argument];
  if (!numbers->len) {
    cake_buf_fill(numbers, '\0', (array->count + 1) * sizeof(double));
    double *out = (double *)(void *)numbers->data;
    for (size_t i = 0; i < array->count; i++)
      out[i] = cake_run_fetch(array, i);
  }
  return (const double *)(const void *)numbers->data;
}

static ContractValue read(const Frame *frame, const ContractNode *node) {
  ContractTables *tables = frame->tables;
  if (node->definition >= 0) {
    const ContractDefinition *let = &tables->contract->definitions.data[node->definition];
    const ContractValue *table = (const ContractValue *)(const void *)tables->storage.data[node->definition].data;
    return table[flat_of(frame, node, let->extents)];
  }
  const CakeRunArray *array = &tables->args->arrays.data[node->which];
  return exact(numbers_of(tables, node->which)[flat_of(frame, node, array->dims)]);
}

// The elements that an index runs over, of an argument or a let; errors stand beside the numbers of a let.
typedef struct Line {
  const double *first, *error; // error: NULL where all are exact
  size_t step;
} Line;

// False: the node is no element of an array.
static bool find_line(Frame *frame, const ContractNode *node, int32_t index, Line *out) {
  enum { PAIR = sizeof(ContractValue) / sizeof(double) };
  if (node->kind != CONTRACT_READ) return false;
  ContractTables *tables = frame->tables;
  bool is_let = node->definition >= 0;
  const int64_t *dims = is_let ? tables->contract->definitions.data[node->definition].extents
                               : tables->args->arrays.data[node->which].dims;
  frame->indices[index] = 0;
  size_t first = flat_of(frame, node, dims), step = 0, stride = 1;
  for (size_t d = node->n_indices; d-- > 0;) {
    if (node->indices[d] == index) step += stride;
    stride *= (size_t)dims[d];
  }
  if (is_let) {
    const double *table = (const double *)(const void *)tables->storage.data[node->definition].data;
    *out = (Line){table + PAIR * first, table + PAIR * first + 1, PAIR * step};
  } else {
    *out = (Line){numbers_of(tables, node->which) + first, NULL, step};
  }
  return true;
}

static ContractValue on_line(const Line *line, int64_t i) {
  size_t at = (size_t)i * line->step;
  return (ContractValue){line->first[at], line->error ? line->error[at] : 0};
}

// ---- Reductions ------------------------------------------------------------------------------------------------------

// The exponent of the lowest bit that is set; the value is not 0.
static int lowest_bit(double value) {
  uint64_t bits, digits;
  memcpy(&bits, &value, sizeof bits);
  int exponent = (int)(bits >> 52 & 0x7ff), low = (exponent ? exponent : 1) - 1075;
  digits = (bits & (UINT64_MAX >> 12)) | (exponent ? UINT64_C(1) << 52 : 0);
  for (; !(digits & 0xff); digits >>= 8)
    low += 8;
  for (; !(digits & 1); digits >>= 1)
    low++;
  return low;
}

// What a unit that keeps few bits may cut of a sum of which no term and no partial sum was larger than `peak`: of each group every
// term, and the sum before it, less than the last bit that is kept behind the largest of them.
static double cut_of(const CakeContract *contract, int64_t count, double peak) {
  int64_t groups = (count + contract->sum_group - 1) / contract->sum_group;
  return (double)(groups * (contract->sum_group + 1)) * ldexp(peak, (int)-contract->sum_bits);
}

// A sum so far.
typedef struct Sum {
  double value, error, magnitude, peak;
  double limit; // below which all partial sums are exact
  int lowest, bits;
} Sum;

static void add_term(Sum *sum, ContractValue term) {
  sum->value += term.value;
  sum->error += term.error;
  sum->magnitude += fabs(term.value);
  sum->peak = fmax(sum->peak, fmax(fabs(sum->value), fabs(term.value)));
  if (sum->error != 0 || term.value == 0 || !isfinite(term.value) || !(sum->magnitude < sum->limit)) return;
  int low = lowest_bit(term.value);
  if (low >= sum->lowest) return;
  sum->lowest = low;
  sum->limit = ldexp(1, low + sum->bits);
}

// Products of two elements, which most sums are made of, without a walk over the formula for each.
static bool add_products(Frame *frame, const ContractNode *node, int64_t count, Sum *sum) {
  Line a, b;
  if (node->a->kind != CONTRACT_MUL || !find_line(frame, node->a->a, node->index, &a) ||
      !find_line(frame, node->a->b, node->index, &b))
    return false;
  for (int64_t i = 0; i < count; i++)
    add_term(sum, multiply(on_line(&a, i), on_line(&b, i)));
  return true;
}

static void add_terms(Frame *frame, const ContractNode *node, int64_t count, Sum *sum) {
  for (int64_t i = 0; i < count; i++) {
    frame->indices[node->index] = i;
    add_term(sum, evaluate(frame, node->a));
  }
}

static Sum sum_terms(Frame *frame, const ContractNode *node, int64_t count) {
  const CakeContract *contract = frame->tables->contract;
  Sum sum = {.limit = INFINITY, .lowest = INT32_MAX, .bits = contract->sum_bits ? (int)contract->sum_bits + 1 : 24};
  if (!add_products(frame, node, count, &sum)) add_terms(frame, node, count, &sum);
  return sum;
}

static ContractValue sum(Frame *frame, const ContractNode *node, int64_t count) {
  const CakeContract *contract = frame->tables->contract;
  Sum sum = sum_terms(frame, node, count);
  double error = sum.error;
  if (!isfinite(sum.value)) return not_finite(sum.value, isfinite(error));
  if (sum.magnitude + error > (double)FLT_MAX) return (ContractValue){sum.value, INFINITY};
  if (error == 0 && sum.magnitude < sum.limit) return exact(sum.value);
  if (contract->sum_bits) error += cut_of(contract, count, sum.peak);
  error += (double)count * SUM_UNIT * (sum.magnitude + error);
  return with_error(sum.value, error, UNIT);
}

// An element that holds `first`, behind the additions of a sum in so many parts. Any partial sum is a multiple of the lowest bit of all terms and no larger
// than their magnitudes together; each addition is rounded once to the element's type, or flushed to zero, and a part of 16 bits was rounded before.
static ContractValue updated(Frame *frame, const ContractNode *node, double first) {
  const CakeContract *contract = frame->tables->contract;
  const ContractDefinition *definition = frame->definition;
  const CakeRunElement *element = frame->tables->args->arrays.data[definition->argument].element;
  ContractFormat format = contract_format_of(element);
  int64_t count = definition->extents[node->index];
  Sum sum = sum_terms(frame, node, count);
  double error = sum.error, inside = sum.magnitude, roundings = (double)definition->parts * (element->narrow ? 2 : 1);
  if (contract->sum_bits) error += cut_of(contract, count, sum.peak);
  bool is_sum_exact = error == 0;
  add_term(&sum, exact(first));
  if (!isfinite(sum.value)) return not_finite(sum.value, isfinite(error));
  if (sum.magnitude + error > fmin(format.largest, (double)FLT_MAX)) return (ContractValue){sum.value, INFINITY};
  int bits = element->narrow ? element->narrow->fraction_bits + 1 : sum.bits;
  bool is_held = sum.magnitude < sum.limit &&
                 (sum.lowest == INT32_MAX || bits >= sum.bits || sum.magnitude < ldexp(1, sum.lowest + bits));
  if (is_sum_exact && is_held && sum.lowest >= -126) return exact(sum.value);
  error += (double)count * SUM_UNIT * (inside + error);
  error +=
      roundings * (fmax(format.half_unit, UNIT) * (sum.magnitude + error) + SMALLEST_NORMAL + format.half_denormal);
  return with_error(sum.value, error, UNIT);
}

static ContractValue extreme(ContractValue a, ContractValue b, bool is_max, bool skips_nan) {
  if (isnan(a.value) || isnan(b.value)) {
    if (skips_nan) return isnan(a.value) ? b : a;
    return not_finite(NAN, (isnan(a.value) ? a : b).error == 0);
  }
  double sign = is_max ? 1 : -1;
  double value = fmax(sign * a.value, sign * b.value);
  if (isinf(value)) return not_finite(sign * value, isfinite(a.error) && isfinite(b.error));
  double upper = fmax(sign * a.value + a.error, sign * b.value + b.error);
  double lower = fmax(sign * a.value - a.error, sign * b.value - b.error);
  return (ContractValue){sign * value, fmax(upper - value, value - lower)};
}

static ContractValue extremes(Frame *frame, const ContractNode *node, int64_t count) {
  bool is_max = node->kind == CONTRACT_MAX || node->kind == CONTRACT_MAXNUM;
  bool skips = node->kind == CONTRACT_MAXNUM || node->kind == CONTRACT_MINNUM;
  ContractValue best = exact(is_max ? -INFINITY : INFINITY);
  for (int64_t i = 0; i < count; i++) {
    frame->indices[node->index] = i;
    ContractValue next = evaluate(frame, node->a);
    best = i == 0 ? next : extreme(best, next, is_max, skips);
  }
  return best;
}

static ContractValue reduce(Frame *frame, const ContractNode *node) {
  int64_t count = frame->definition->extents[node->index];
  if (node->kind == CONTRACT_SUM) return sum(frame, node, count);
  if (node->kind == CONTRACT_MEAN) return divide(sum(frame, node, count), exact((double)count));
  return extremes(frame, node, count);
}

// ---- Formulas --------------------------------------------------------------------------------------------------------

static ContractValue evaluate(Frame *frame, const ContractNode *node) {
  switch (node->kind) {
  case CONTRACT_NUMBER: return rounded(node->number, 0);
  case CONTRACT_INDEX: return exact((double)frame->indices[node->index]);
  case CONTRACT_SIZE: return exact((double)frame->tables->args->sizes.data[node->which]);
  case CONTRACT_READ: return read(frame, node);
  case CONTRACT_ADD: return add(evaluate(frame, node->a), evaluate(frame, node->b), 1);
  case CONTRACT_SUB: return add(evaluate(frame, node->a), evaluate(frame, node->b), -1);
  case CONTRACT_MUL: return multiply(evaluate(frame, node->a), evaluate(frame, node->b));
  case CONTRACT_DIV: return divide(evaluate(frame, node->a), evaluate(frame, node->b));
  case CONTRACT_NEG: {
    ContractValue a = evaluate(frame, node->a);
    return (ContractValue){-a.value, a.error};
  }
  case CONTRACT_CALL: return call(&functions[node->which], evaluate(frame, node->a));
  case CONTRACT_MAX2: return extreme(evaluate(frame, node->a), evaluate(frame, node->b), true, false);
  case CONTRACT_MIN2: return extreme(evaluate(frame, node->a), evaluate(frame, node->b), false, false);
  default: return reduce(frame, node);
  }
}

// ---- Tables ----------------------------------------------------------------------------------------------------------

bool contract_is_place(const ContractDefinition *definition) {
  return definition->root->kind == CONTRACT_ARGMIN || definition->root->kind == CONTRACT_ARGMAX;
}

size_t contract_count(const ContractDefinition *definition) {
  size_t count = 1;
  for (size_t d = 0; d < definition->n_own; d++)
    count *= (size_t)definition->extents[d];
  return count;
}

size_t contract_terms(const ContractDefinition *definition) {
  return contract_is_place(definition) ? (size_t)definition->extents[definition->root->index] : 1;
}

void contract_place(const ContractDefinition *definition, size_t flat, int64_t *out_indices) {
  for (size_t d = definition->n_own; d-- > 0;) {
    out_indices[d] = (int64_t)(flat % (size_t)definition->extents[d]);
    flat /= (size_t)definition->extents[d];
  }
}

void contract_fill_table(ContractTables *tables, size_t which) {
  const ContractDefinition *definition = &tables->contract->definitions.data[which];
  Frame frame = {.tables = tables, .definition = definition};
  while (tables->storage.len <= which)
    CAKE_PUSH(&tables->storage, ((CakeBuf){0}));
  size_t count = contract_count(definition), terms = contract_terms(definition);
  cake_buf_clear(&tables->storage.data[which]);
  cake_buf_fill(&tables->storage.data[which], '\0', (count * terms + 1) * sizeof(ContractValue));
  ContractValue *table = (ContractValue *)(void *)tables->storage.data[which].data;
  for (size_t i = 0; i < count; i++) {
    contract_place(definition, i, frame.indices);
    for (size_t t = 0; t < terms; t++, table++) {
      if (contract_is_place(definition)) frame.indices[definition->root->index] = (int64_t)t;
      *table = definition->parts
                   ? updated(&frame, definition->root, numbers_of(tables, definition->argument)[i])
                   : evaluate(&frame, contract_is_place(definition) ? definition->root->a : definition->root);
    }
  }
}

const ContractValue *contract_reference(const ContractTables *tables, size_t which, size_t flat) {
  const ContractDefinition *definition = &tables->contract->definitions.data[which];
  return (const ContractValue *)(const void *)tables->storage.data[which].data + flat * contract_terms(definition);
}

void contract_tables_fini(ContractTables *tables) {
  for (size_t i = 0; i < tables->storage.len; i++)
    cake_buf_fini(&tables->storage.data[i]);
  for (size_t i = 0; i < tables->numbers.len; i++)
    cake_buf_fini(&tables->numbers.data[i]);
  CAKE_VEC_FINI(&tables->storage);
  CAKE_VEC_FINI(&tables->numbers);
}
