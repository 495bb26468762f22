// What the `where` of a rewrite asks and computes (rewrite_natives.def): functions of values, types and attributes.
#include "rewrite.h"

#include <math.h>

typedef const CakeRewriteArg *Args;

// ---- Numbers -------------------------------------------------------------------------------------------------------

// A number, or the one element of a dense attribute whose elements are all alike.
typedef struct Number {
  CakeType type, element;
  bool is_float;
  int64_t i; // sign-extended
  double f;
} Number;

static unsigned width_of(CakeType element) {
  return cake_type_is_index(element) ? 64 : cake_type_width(element);
}

static int64_t sign_extended(int64_t bits, unsigned width) {
  unsigned up = width && width < 64 ? 64 - width : 0;
  return (int64_t)((uint64_t)bits << up) >> up;
}

static bool number_of(CakeAttr attr, Number *out) {
  CakeType type = cake_attr_value_type(attr);
  bool is_dense = cake_attr_is(attr, &cake_attr_def_dense_elements);
  CakeAttr scalar = !is_dense ? attr : cake_attr_is_splat(attr) ? cake_attr_dense_value(attr, 0) : NULL;
  bool is_integer = cake_attr_is(scalar, &cake_attr_def_integer);
  if (!is_integer && !cake_attr_is(scalar, &cake_attr_def_float)) return false;
  *out = (Number){.type = type, .element = cake_attr_value_type(scalar), .is_float = !is_integer};
  if (is_integer) out->i = sign_extended(cake_attr_int_value(scalar), width_of(out->element));
  if (!is_integer) out->f = cake_attr_float_value(scalar);
  return true;
}

// The attribute of that number and type: a scalar, or a dense one of a static shape. NULL: the type has no numbers.
static CakeAttr make(CakeType type, int64_t i, double f) {
  CakeType element = cake_type_element(type);
  bool is_float = cake_type_is_any_float(element);
  bool is_integer = cake_type_is_integer(element, 0) || cake_type_is_index(element);
  if (!is_float && (!is_integer || cake_type_width(element) > 64)) return NULL;
  CakeAttr scalar = is_float ? cake_attr_float(element, f) : cake_attr_integer(element, i);
  if (element == type) return scalar;
  return cake_attr_dense_of(type, &scalar, 1);
}

static bool two(Args args, Number *a, Number *b) {
  return number_of(args[0].attr, a) && number_of(args[1].attr, b) && a->is_float == b->is_float;
}

// ---- Checks --------------------------------------------------------------------------------------------------------

static bool is_number(Args args, int64_t wanted) {
  Number n;
  return number_of(args[0].attr, &n) &&
         (n.is_float ? n.f == (double)wanted : n.i == sign_extended(wanted, width_of(n.element)));
}

static bool check_zero(Args args) {
  return is_number(args, 0);
}

static bool check_one(Args args) {
  return is_number(args, 1);
}

static bool check_minus_one(Args args) {
  return is_number(args, -1);
}

static bool check_positive(Args args) {
  Number n;
  return number_of(args[0].attr, &n) && (n.is_float ? n.f > 0 : n.i > 0);
}

static bool check_negative(Args args) {
  Number n;
  return number_of(args[0].attr, &n) && (n.is_float ? n.f < 0 : n.i < 0);
}

static bool power_of_two(const Number *n, int64_t *out_exponent) {
  unsigned width = width_of(n->element);
  uint64_t value = (uint64_t)n->i & (width < 64 ? (UINT64_C(1) << width) - 1 : UINT64_MAX);
  if (n->is_float || !value || (value & (value - 1))) return false;
  for (*out_exponent = 0; value > 1; value >>= 1)
    ++*out_exponent;
  return true;
}

static bool check_power_of_two(Args args) {
  Number n;
  int64_t exponent;
  return number_of(args[0].attr, &n) && power_of_two(&n, &exponent);
}

static bool check_equal(Args args) {
  return args[0].attr == args[1].attr;
}

static bool check_less(Args args) {
  Number a, b;
  return two(args, &a, &b) && (a.is_float ? a.f < b.f : a.i < b.i);
}

static bool check_divides(Args args) {
  Number a, b;
  return two(args, &a, &b) && !a.is_float && a.i != 0 && (a.i == -1 || b.i % a.i == 0);
}

static bool check_constant(Args args) {
  const CakeOp *op = cake_value_def(args[0].value);
  return op && cake_op_has_trait(op, CAKE_TRAIT_CONSTANT);
}

static bool check_one_use(Args args) {
  return cake_value_has_one_use(args[0].value);
}

static bool check_argument(Args args) {
  return args[0].value->is_argument;
}

static bool check_same(Args args) {
  return args[0].value == args[1].value;
}

static bool check_same_block(Args args) {
  return cake_value_block(args[0].value) == cake_value_block(args[1].value);
}

static bool check_same_type(Args args) {
  return args[0].type == args[1].type;
}

// The type itself, or what a vector or tensor is of.
static CakeType scalar_of(CakeType type) {
  bool is_lifted = cake_type_is(type, &cake_type_def_vector) || cake_type_is(type, &cake_type_def_tensor);
  return is_lifted ? cake_type_element(type) : type;
}

static bool check_integer(Args args) {
  CakeType scalar = scalar_of(args[0].type);
  return cake_type_is_integer(scalar, 0) && cake_type_sign(scalar) == CAKE_SIGNLESS;
}

static bool check_float(Args args) {
  return cake_type_is_any_float(scalar_of(args[0].type));
}

static bool check_index(Args args) {
  return cake_type_is_index(scalar_of(args[0].type));
}

static bool check_scalar(Args args) {
  CakeType type = args[0].type;
  return cake_type_is_integer(type, 0) || cake_type_is_any_float(type) || cake_type_is_index(type);
}

static bool check_vector(Args args) {
  return cake_type_is(args[0].type, &cake_type_def_vector);
}

static bool check_tensor(Args args) {
  return cake_type_is(args[0].type, &cake_type_def_tensor);
}

static bool check_static_shape(Args args) {
  return check_scalar(args) || (cake_type_is_shaped(args[0].type) && cake_type_count(args[0].type) != CAKE_DYNAMIC);
}

static bool check_width(Args args) {
  Number n;
  return number_of(args[1].attr, &n) && !n.is_float && (int64_t)cake_type_width(scalar_of(args[0].type)) == n.i;
}

static bool check_count(Args args) {
  Number n;
  return number_of(args[1].attr, &n) && !n.is_float && n.i >= 0 && (uint64_t)n.i == args[0].count;
}

// ---- Computations --------------------------------------------------------------------------------------------------

static CakeAttr compute_log2(Args args) {
  Number n;
  int64_t exponent;
  return number_of(args[0].attr, &n) && power_of_two(&n, &exponent) ? make(n.type, exponent, 0) : NULL;
}

static int64_t wrapped(uint64_t value, const Number *like) {
  return sign_extended((int64_t)value, width_of(like->element));
}

static CakeAttr compute_add(Args args) {
  Number a, b;
  return two(args, &a, &b) ? make(a.type, wrapped((uint64_t)a.i + (uint64_t)b.i, &a), a.f + b.f) : NULL;
}

static CakeAttr compute_sub(Args args) {
  Number a, b;
  return two(args, &a, &b) ? make(a.type, wrapped((uint64_t)a.i - (uint64_t)b.i, &a), a.f - b.f) : NULL;
}

static CakeAttr compute_mul(Args args) {
  Number a, b;
  return two(args, &a, &b) ? make(a.type, wrapped((uint64_t)a.i * (uint64_t)b.i, &a), a.f * b.f) : NULL;
}

static CakeAttr compute_div(Args args) {
  Number a, b;
  if (!two(args, &a, &b)) return NULL;
  if (a.is_float) return make(a.type, 0, a.f / b.f);
  if (b.i == 0 || (b.i == -1 && a.i == wrapped(UINT64_C(1) << (width_of(a.element) - 1), &a))) return NULL;
  return make(a.type, a.i / b.i, 0);
}

static CakeAttr compute_neg(Args args) {
  Number n;
  return number_of(args[0].attr, &n) ? make(n.type, wrapped(0 - (uint64_t)n.i, &n), -n.f) : NULL;
}

static CakeAttr compute_zero_of(Args args) {
  return make(args[0].type, 0, 0);
}

static CakeAttr compute_one_of(Args args) {
  return make(args[0].type, 1, 1);
}

CakeAttr cake_rewrite_one_of(CakeType type) {
  CakeRewriteArg arg = {.kind = 't', .type = type};
  return compute_one_of(&arg);
}

// ---- The table -----------------------------------------------------------------------------------------------------

#define CHECK(name, kinds, doc) {#name, kinds, doc, check_##name, NULL},
#define COMPUTE(name, kinds, doc) {#name, kinds, doc, NULL, compute_##name},
const CakeRewriteNative cake_rewrite_natives[] = {
#include "rewrite_natives.def"
    {0}};
#undef CHECK
#undef COMPUTE
